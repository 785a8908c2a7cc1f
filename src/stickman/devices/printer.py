"""The driver of a ticket printer: status first, then the words, then barcode and cut; each job has one outcome.

A ticket leaves the driver in two parts. The first has all words but no number. When the printer says that these
are on paper, and that nothing stops it, the second follows: barcode and cut. So a job that ends before the second
part is *known* not to be printed: no paper with its number can exist. A job that ends in the second part is printed
if the printer says so behind it, and otherwise cannot be known (ruling 57).

The owner stores the step that `state.doing` shows before it writes what `wants` returns.

ESC/POS has no checksum. If bytes vanish without a trace on the way to the printer, no answer shows it; the port
must report when it lost the link (`link_lost`).
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from stickman.devices import escpos
from stickman.devices.escpos import Fault, Laid, PaperFormat, PrinterSlip
from stickman.devices.signals import SlipFailed, SlipPrinted, SlipUnknown

ANSWER_MS = 500
"""How long a real-time answer may take."""
SILENCE_MS = 1_000
"""The same behind the second part of a ticket. A printer that starts again takes longer, so a restart shows."""
TRIES = 3
POLL_MS = 100
"""Between two looks at a printer that has a job."""
IDLE_MS = 1_000
PRINT_MS = 10_000
"""How long one part of a ticket may take, besides its time on the wire."""
CLEAR_MS = 1_000
QUIET_MS = 300
"""Without a further buffered answer: none is left from before."""
BITS_PER_BYTE = 11
NAMES = 36**4

Doing = Literal["idle", "asking", "clearing", "words", "checking", "barcode", "stopping"]
Why = Fault | Literal["busy", "unprintable", "no_link", "too_slow"]


class Setup(Struct, frozen=True, kw_only=True):
    """What is attached."""

    paper: PaperFormat = PaperFormat()
    proof: Literal["process_id", "status"] = "process_id"
    """What proves that data is printed. `status` is for a printer without process IDs; its answer has no name."""
    presenter: bool = False
    """Whether it answers `DLE EOT 20`."""
    baud: int = 0
    """0 on a network."""


# --- Reports ---


class PrinterChanged(Struct, frozen=True, tag=True):
    faults: tuple[Fault, ...]
    """What stops it; empty if it can print."""
    paper_low: bool


class SlipPresented(Struct, frozen=True, tag=True):
    """A slip waits in the presenter."""


class SlipTaken(Struct, frozen=True, tag=True):
    """The presenter is empty again."""


Outcome = SlipPrinted | SlipFailed | SlipUnknown
PrinterReport = Outcome | PrinterChanged | SlipPresented | SlipTaken


class PrinterState(Struct, frozen=True, kw_only=True):
    """For the office. It does not name the job: that is the number of a ticket, which is worth its money."""

    doing: Doing
    linked: bool
    faults: tuple[Fault, ...]
    paper_low: bool
    slip_waiting: bool
    printed: int
    failed: int
    unknown: int


class _Job(Struct, frozen=True):
    name: str
    laid: Laid


class Printer:
    """One job at a time. Call `heard` with what came, also with nothing at `due_ms`; then write what it `wants`."""

    def __init__(self, setup: Setup | None = None, *, torn: bool = False) -> None:
        """`torn` says that an earlier driver left a slip without its end."""
        self.setup = setup or Setup()
        self.due_ms = 0
        self._answers = escpos.Answers(full=self.setup.presenter)
        self._out = bytearray()
        self._reports: list[PrinterReport] = []
        self._linked = True
        self._counts = {SlipPrinted: 0, SlipFailed: 0, SlipUnknown: 0}

        self._job: _Job | None = None
        self._doing: Doing = "idle"
        self._limit_ms = 0
        self._tries = 0
        self._why: Why = "no_answer"
        self._clean = False
        """Whether the printer has no data of an earlier job."""
        self.torn = torn
        """Whether the beginning of a slip may hang out without its end. The next job first ends it as void."""
        self._named = 0
        self._expected = ""
        self._quiet_since_ms: int | None = None

        self._questions = (*escpos.STATUSES, *((escpos.FULL_STATUS,) if self.setup.presenter else ()))
        self._round: dict[int, int] = {}
        self._asked_ms: int | None = None
        self._stale = False
        """Whether the question that is out belongs to a round that was given up: its answer is not used."""
        self._ask_at_ms = 0
        self._free_ms = 0
        """When all that was written is through the wire."""
        self._unanswered = 0
        self._faults: tuple[Fault, ...] = ("no_answer",)
        self._paper_low = False
        self._reported: PrinterChanged | None = None
        self._waiting = False

    @property
    def state(self) -> PrinterState:
        return PrinterState(
            doing=self._doing,
            linked=self._linked,
            faults=self._faults,
            paper_low=self._paper_low,
            slip_waiting=self._waiting,
            printed=self._counts[SlipPrinted],
            failed=self._counts[SlipFailed],
            unknown=self._counts[SlipUnknown],
        )

    # --- Wishes ---

    def print_ticket(self, job: str, slip: PrinterSlip, now_ms: int) -> None:
        """Print a slip once. Its outcome is a report under this name; also when another job is under way."""
        laid = escpos.lay_out(slip, self.setup.paper)
        why: Why | None = None if laid else "unprintable"
        why = "busy" if self._job else why if self._linked else "no_link"
        if why or laid is None:
            self._count(SlipFailed(job=job, why=why or "unprintable"))
        else:
            self._job = _Job(job, laid)
            self._enter("asking", now_ms)
        self.due_ms = now_ms

    def link_lost(self, now_ms: int) -> None:
        """The port closed, or the printer's ready line went off. What was not written yet must not be written."""
        self._linked = False
        self._out.clear()
        self._answers = escpos.Answers(full=self.setup.presenter)
        self._asked_ms = None
        self._clean = False
        if self._job:
            self._end_without_proof("no_link", now_ms)
        self._changed(("no_answer",), paper_low=self._paper_low)
        self.due_ms = now_ms

    def link_up(self, now_ms: int) -> None:
        self._linked = True
        self._look(now_ms)
        self.due_ms = now_ms

    # --- The wire ---

    def heard(self, data: bytes, now_ms: int) -> list[PrinterReport]:
        if self._linked:
            for answer in self._answers.heard(data, now_ms):
                self._take(answer, now_ms)
            self._tick(now_ms)
        self._set_due(now_ms)
        reports, self._reports = self._reports, []
        return reports

    def wants(self, now_ms: int) -> bytes:
        if self._linked:
            self._tick(now_ms)
            if self._asked_ms is None and now_ms >= max(self._ask_at_ms, self._free_ms):
                self._write(escpos.ask(self._questions[len(self._round)]), now_ms)
                self._asked_ms = self._free_ms
        out = bytes(self._out)
        self._out.clear()
        self._set_due(now_ms)
        return out

    def _write(self, data: bytes, now_ms: int) -> None:
        self._out += data
        on_the_wire = len(data) * BITS_PER_BYTE * 1000 // self.setup.baud if self.setup.baud else 0
        self._free_ms = max(self._free_ms, now_ms) + on_the_wire

    def _set_due(self, now_ms: int) -> None:
        """The next time at which something is due; now, if a report waits."""
        asks_ms = max(self._ask_at_ms, self._free_ms)
        times = [asks_ms if self._asked_ms is None else self._asked_ms + self._patience]
        if self._doing in ("clearing", "words", "barcode", "stopping"):
            times.append(self._limit_ms)
        if self._quiet_since_ms is not None:
            times.append(self._quiet_since_ms + QUIET_MS)
        self.due_ms = now_ms if self._reports else max(now_ms, min(times))

    # --- Looking at the printer ---

    def _look(self, now_ms: int) -> None:
        """Ask for every status again from the first, once a question that is out has its answer."""
        self._round = {}
        self._stale = self._asked_ms is not None
        self._unanswered = 0
        self._ask_at_ms = now_ms

    @property
    def _patience(self) -> int:
        return SILENCE_MS if self._doing in ("barcode", "stopping") else ANSWER_MS

    def _take(self, answer: escpos.Answer, now_ms: int) -> None:
        if isinstance(answer, escpos.RealTime | escpos.FullStatus):
            self._take_status(answer, now_ms)
        elif isinstance(answer, escpos.Cleared):
            self._take_cleared(now_ms)
        elif isinstance(answer, escpos.Buffered) and self.setup.proof == "status":
            self._take_buffered(now_ms)
        elif isinstance(answer, escpos.ProcessId) and answer.name == self._expected:
            self._proved(now_ms)

    def _take_status(self, answer: escpos.RealTime | escpos.FullStatus, now_ms: int) -> None:
        """One answer of a round. An answer to no question, or of the wrong kind, is left out."""
        question = self._questions[len(self._round)]
        fits = self._stale or (question == escpos.FULL_STATUS) == isinstance(answer, escpos.FullStatus)
        if self._asked_ms is None or not fits:
            return
        if not self._stale:
            self._round[question] = answer.byte if isinstance(answer, escpos.RealTime) else answer.paper
        self._stale = False
        self._asked_ms = None
        self._unanswered = 0
        self._ask_at_ms = now_ms
        if len(self._round) == len(self._questions):
            self._looked(self._round, now_ms)

    def _looked(self, statuses: dict[int, int], now_ms: int) -> None:
        self._round = {}
        self._ask_at_ms = now_ms + (POLL_MS if self._job else IDLE_MS)
        self._present(bool(statuses.get(escpos.FULL_STATUS, 0) & escpos.WAITING_BIT))
        self._changed(escpos.faults(statuses), paper_low=escpos.paper_low(statuses))
        if self._faults:
            self._stop(self._faults[0], now_ms)
        elif self._doing == "asking":
            self._enter("words" if self._clean else "clearing", now_ms)
        elif self._doing == "checking":
            self._enter("barcode", now_ms)

    def _changed(self, faults: tuple[Fault, ...], *, paper_low: bool) -> None:
        """Note how the printer is; report it if it is news, as it is the first time."""
        self._faults, self._paper_low = faults, paper_low
        now = PrinterChanged(faults, paper_low)
        if now != self._reported:
            self._reported = now
            self._reports.append(now)

    def _present(self, waiting: bool) -> None:
        if waiting != self._waiting:
            self._waiting = waiting
            self._reports.append(SlipPresented() if waiting else SlipTaken())

    # --- Steps of a job ---

    def _enter(self, doing: Doing, now_ms: int) -> None:
        """Begin a step, and write what belongs to it."""
        assert self._job
        self._doing = doing
        self._quiet_since_ms = None
        self._tries = 0
        self._free_ms = max(self._free_ms, now_ms)
        allowed_ms = PRINT_MS
        if doing == "clearing":
            self._write(self._clearing, now_ms)
            allowed_ms = CLEAR_MS
        elif doing == "words":
            self._write((escpos.VOID if self.torn else b"") + self._job.laid.text + self._question(), now_ms)
            self._clean, self.torn = False, True
        elif doing == "barcode":
            self._write(self._job.laid.end + self._question(), now_ms)
        elif doing == "stopping":
            self._write(escpos.CLEAR if self.setup.proof == "process_id" else b"", now_ms)
            allowed_ms = CLEAR_MS
        self._limit_ms = self._free_ms + allowed_ms
        if doing in ("asking", "checking", "barcode"):
            self._look(now_ms)

    @property
    def _clearing(self) -> bytes:
        return escpos.CLEAR if self.setup.proof == "process_id" else escpos.ASK_BUFFERED

    def _question(self) -> bytes:
        """What the printer answers when all before it is printed."""
        if self.setup.proof == "status":
            return escpos.ASK_BUFFERED
        self._named = (self._named + 1) % NAMES
        self._expected = _base36(self._named)
        return escpos.ask_process_id(self._expected)

    def _proved(self, now_ms: int) -> None:
        """The printer says that the last step is on paper."""
        self._expected = ""
        if self._doing == "words":
            self._enter("checking", now_ms)
        elif self._doing in ("barcode", "stopping"):
            self._clean, self.torn = self._doing == "barcode", False
            self._finish(SlipPrinted(job=self._name), now_ms)

    def _take_buffered(self, now_ms: int) -> None:
        if self._doing == "clearing":
            self._quiet_since_ms = now_ms
        elif self._doing in ("words", "barcode", "stopping"):
            self._proved(now_ms)
        else:
            self._clean = False  # nobody asked: an answer of an earlier job may still come

    def _take_cleared(self, now_ms: int) -> None:
        if self._doing == "clearing":
            self._enter("words", now_ms)
        elif self._doing == "stopping":
            self._finish(SlipUnknown(job=self._name, why=self._why), now_ms)

    def _tick(self, now_ms: int) -> None:
        """What time alone decides."""
        if self._asked_ms is not None and now_ms >= self._asked_ms + self._patience:
            self._unheard(now_ms)
        if self._quiet_since_ms is not None and now_ms >= self._quiet_since_ms + QUIET_MS:
            self._enter("words", now_ms)
        if self._doing not in ("idle", "asking", "checking") and now_ms >= self._limit_ms:
            self._late(now_ms)

    def _unheard(self, now_ms: int) -> None:
        """A question without an answer. The next waits, so that a late answer is not taken for its own."""
        self._asked_ms = None
        self._stale = False
        self._round = {}
        self._unanswered += 1
        self._ask_at_ms = now_ms + ANSWER_MS
        if self._doing == "barcode":
            self._end_without_proof("no_answer", now_ms)
        if self._unanswered >= TRIES:
            self._changed(("no_answer",), paper_low=self._paper_low)
            if self._doing in ("asking", "clearing", "checking"):
                self._end_without_proof("no_answer", now_ms)

    def _late(self, now_ms: int) -> None:
        self._tries += 1
        if self._doing == "clearing" and self._tries < TRIES:
            self._write(self._clearing, now_ms)
            self._limit_ms = self._free_ms + CLEAR_MS
        elif self._doing == "stopping":
            self._end_without_proof(self._why, now_ms)
        else:
            silent = self._doing == "clearing" or self._unanswered
            self._end_without_proof("no_answer" if silent else "too_slow", now_ms)

    def _stop(self, why: Why, now_ms: int) -> None:
        """Something stops the printer. Behind the barcode, its last word is awaited."""
        if self._doing == "barcode":
            self._why = why
            self._enter("stopping", now_ms)
        elif self._job and self._doing != "stopping":
            self._end_without_proof(why, now_ms)

    def _end_without_proof(self, why: Why, now_ms: int) -> None:
        """Before the barcode was sent a job failed, after that nobody knows. Printing must not go on later, and
        what was not written yet is dropped."""
        self._out.clear()
        began = self._doing in ("words", "checking", "barcode")
        if began and self._linked and self.setup.proof == "process_id":
            self._write(escpos.CLEAR, now_ms)
        known = self._doing not in ("barcode", "stopping")
        outcome = SlipFailed if known else SlipUnknown
        self._finish(outcome(job=self._name, why=why), now_ms)

    @property
    def _name(self) -> str:
        assert self._job
        return self._job.name

    def _finish(self, outcome: Outcome, now_ms: int) -> None:
        self._count(outcome)
        self._job = None
        self._doing = "idle"
        self._expected = ""
        self._quiet_since_ms = None
        self._look(now_ms)

    def _count(self, outcome: Outcome) -> None:
        self._counts[type(outcome)] += 1
        self._reports.append(outcome)


def _base36(number: int) -> str:
    """Four letters.

    >>> _base36(0), _base36(36**4 - 1)
    ('0000', 'ZZZZ')
    """
    letters = ""
    for _ in range(escpos.ID_SIZE):
        number, digit = divmod(number, 36)
        letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[digit] + letters
    return letters
