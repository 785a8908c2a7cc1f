"""The driver of a bill and ticket acceptor: ID-003 on one side, reports and wishes on the other.

Each turn the owner calls `heard` with the bytes that came (perhaps none), makes its wishes, stores the reports with
`kept`, and then writes what `wants` returns. The order matters: what a turn reports must be safe before bytes leave
that move paper or acknowledge *vend valid*, because after that the acceptor forgets the note. Until all is stored,
`wants(stored=False)` returns only polls and settings, which may always leave.

Only *vend valid* makes credit due: `BillStacked` and `TicketStacked`, once for each note. The driver believes
statuses, never the answer to a command. It accepts an answer only to what it asked last, so a repeated packet says
nothing twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from stickman.devices.id003 import (
    ALL_DIRECTIONS,
    BARCODE_CHARACTERS,
    BARCODE_INHIBIT_OFF,
    BARCODE_INHIBIT_ON,
    ENQUIRY,
    FAULTS,
    FIRST_BILL,
    INHIBIT_OFF,
    INHIBIT_ON,
    INTERLEAVED_2_OF_5,
    POLL_MODE,
    POLL_MS_MAX,
    POWER_RECOVERY,
    POWER_UPS,
    REJECTIONS,
    SETTINGS,
    STANDARD_SECURITY,
    STATUSES,
    TICKET,
    USA,
    AcceptorSetting,
    Command,
    Packet,
    Reader,
    Status,
    read_assignment,
)
from stickman.devices.signals import (
    BillInEscrow,
    BillStacked,
    NoteReturned,
    NoteUnaccounted,
    Signal,
    TicketInEscrow,
    TicketStacked,
    UnknownStacked,
)

POLL_MS = 100
"""The time between polls. A command in between may delay the next one until its answer is here, within the wire's
bounds: a long answer, such as a currency assignment, may need more than 100 ms."""
SPACE_MS = 50
"""The shortest time between two packets that ask something."""
RETURN_AFTER_MS = 5_000
"""A note in escrow without a decision goes back after this time."""
UNANSWERED_MAX = 10
"""After this many polls without an answer the link is lost."""
TRIES_MAX = 10
"""A command without effect is sent this often, and then reported."""
PAUSE_MS = 5_000
"""After that the driver waits this long before it sends the same command again."""
EMPTY_POLLS = 2
"""An empty acceptor is believed after this many polls, if nothing showed how the note left."""

Stage = Literal["escrow", "stacking", "returning", "credited"]
ReturnReason = Literal["wish", "no_decision", "refused", "device"]
RefusalReason = Literal["unknown_bill", "not_accepted", "not_18_digits"]


class Note(Struct, frozen=True):
    """A bill or a ticket on its way."""

    number: int
    escrow: bytes = b""
    """What the acceptor said of it."""
    cents: int | None = None
    barcode: str | None = None
    stage: Stage = "escrow"
    since_ms: int = 0
    moved: bool = False
    """It has left the escrow position, so the next escrow is another note."""
    lost_in: str = ""
    """What happened after which only a status can say where the note is."""
    why: ReturnReason = "device"


class Kept(Struct, frozen=True, kw_only=True):
    """What the owner stores, so that another driver can go on after a restart."""

    note: Note | None = None
    """On its way."""
    unaccounted: Note | None = None
    """The last one that was reported as unaccounted: its *vend valid* may still come."""
    next_note: int = 1


class AcceptorReport(Struct, frozen=True, tag=True):
    """What an acceptor did, besides its signals. `note` is the driver's number of the note."""


class AcceptorFound(AcceptorReport, frozen=True):
    """The acceptor answers."""


class AcceptorLost(AcceptorReport, frozen=True):
    unanswered: int


class AcceptorReady(AcceptorReport, frozen=True):
    """All settings are made. `denominations` are the cents of the bills that this acceptor knows."""

    version: str
    denominations: tuple[int, ...]


class SettingRefused(AcceptorReport, frozen=True):
    """The acceptor did not take a setting, or did not answer a question, after all tries."""

    setting: str


class NotObeyed(AcceptorReport, frozen=True):
    """The acceptor did not do what it was asked to do, after all tries."""

    command: str


class PoweredUp(AcceptorReport, frozen=True):
    """The acceptor had no power. `found` says where a note is: where it can return (acceptor), or past that point
    without an acknowledged *vend valid* (stacker). `note` is the note that was on its way, if there was one;
    `credited` says that its credit is reported already."""

    found: Literal["nothing", "acceptor", "stacker"]
    note: int | None
    credited: bool


class NoteRefused(AcceptorReport, frozen=True):
    """The driver itself returns a note that it may not offer."""

    note: int
    why: RefusalReason
    cents: int | None
    barcode: str | None


class NoteRejected(AcceptorReport, frozen=True):
    """The acceptor did not want a note. It has a number if it was reported in escrow before."""

    note: int | None
    why: str
    code: int


class Counters(Struct, frozen=True):
    """Since the driver started."""

    bills: dict[int, int] = {}
    """How many bills were stacked, by cents."""
    tickets: int = 0
    unknown: int = 0
    rejected: int = 0
    returned: int = 0
    unaccounted: int = 0


class AcceptorState(Struct, frozen=True):
    """What the office can show."""

    linked: bool
    doing: str
    fault: str
    fault_code: int
    version: str
    denominations: tuple[int, ...]
    accepts: tuple[int, ...]
    accepts_tickets: bool
    ready: bool
    inhibited: bool
    """It has confirmed that it accepts nothing, and nothing else was asked of it since."""
    note: Note | None
    counters: Counters


STACK = Command.STACK_2
"""Vend valid follows when the note is stored. STACK-1 gives it when the note passes the lever."""
POWER_CUT: dict[int, bytes] = {AcceptorSetting.OPTIONAL_FUNCTION: bytes((POWER_RECOVERY, 0))}
"""This setting must arrive while the acceptor initializes, or vend valid may not come again after a power cut."""
FIXED: dict[int, bytes] = {
    **POWER_CUT,
    AcceptorSetting.SECURITY: STANDARD_SECURITY,
    AcceptorSetting.COMMUNICATION_MODE: POLL_MODE,
    AcceptorSetting.DIRECTION: ALL_DIRECTIONS,
    AcceptorSetting.BARCODE_FUNCTION: bytes((INTERLEAVED_2_OF_5, BARCODE_CHARACTERS)),
}
MOVES_PAPER = frozenset({STACK, Command.RETURN, Command.RESET})
OPENS = Packet(AcceptorSetting.INHIBIT, INHIBIT_OFF)
QUESTIONS = (Command.CURRENCY_ASSIGNMENT, Command.VERSION)
SETTABLE = frozenset({Status.IDLE, Status.INHIBITED, Status.INITIALIZE})
EMPTY = frozenset({Status.IDLE, Status.INHIBITED, Status.ACCEPTING})
WAITING = frozenset({Status.ESCROW, Status.HOLDING})
LOSES_SIGHT = frozenset(FAULTS) - {Status.STACKER_FULL, Status.PAUSE, Status.COMMUNICATION_ERROR}
FOUND: dict[int, Literal["nothing", "acceptor", "stacker"]] = {
    Status.POWER_UP: "nothing",
    Status.POWER_UP_BILL_IN_ACCEPTOR: "acceptor",
    Status.POWER_UP_BILL_IN_STACKER: "stacker",
}


class Acceptor:
    """One acceptor. It accepts nothing until `accept` says what."""

    def __init__(self, country: int = USA, kept: Kept | None = None) -> None:
        """After a restart, `kept` is what the owner stored last."""
        self._country = country
        kept = kept or Kept()
        # The clock of an earlier driver says nothing here: a note that still waits for a decision goes back.
        self._note = replace(kept.note, since_ms=-RETURN_AFTER_MS) if kept.note else None
        self._next_note = kept.next_note
        self._unaccounted = kept.unaccounted
        self._cents: dict[int, int] = {}
        self._version = ""
        self._accepts: frozenset[int] = frozenset()
        self._tickets = False
        self._counters = Counters()
        self._reports: list[AcceptorReport | Signal] = []

        self._reader = Reader()
        self._now_ms = 0
        self._asked: Packet | None = None
        self._sent_ms = self._answer_by_ms = -SPACE_MS
        self._poll_ms = 0
        self._ack_due = False
        self._stored = True
        self._unanswered = 0
        self._linked = False
        self._lost = False

        self._seen: Packet | None = None
        self._empty_polls = 0
        self._restart = False
        self._confirmed: dict[int, bytes] = {}
        self._refused: set[int] = set()
        self._ready = False
        self._tried: Packet | None = None
        self._tries = 0
        self._paused_until_ms = 0

    # Wishes.

    def accept(self, cents: Iterable[int], *, tickets: bool = False) -> None:
        """Accept bills of these values, and tickets; nothing at all inhibits the acceptor."""
        self._accepts = frozenset(cents)
        self._tickets = tickets

    def stack(self, note: int) -> None:
        """Keep the note that is in escrow. A wish for another note, or after a decision, has no effect."""
        self._decide(note, "stacking", "device")

    def give_back(self, note: int) -> None:
        """Return the note that is in escrow. A wish for another note, or after a decision, has no effect."""
        self._decide(note, "returning", "wish")

    def restart(self) -> None:
        """Reset the acceptor, such as after a jam was cleared. What moves in it, it decides itself."""
        self._restart = True
        self._tried = None
        self._lose_sight("reset")

    def _decide(self, number: int, stage: Stage, why: ReturnReason) -> None:
        if self._note and self._note.number == number and self._note.stage == "escrow":
            self._note = replace(self._note, stage=stage, why=why)

    # State.

    @property
    def state(self) -> AcceptorState:
        code, data = self._seen or (0, b"")
        fault = FAULTS.get(code, "")
        return AcceptorState(
            linked=self._linked,
            doing=Status(code).name.lower() if code in STATUSES else "unknown",
            fault=fault,
            fault_code=data[0] if fault and data else 0,
            version=self._version,
            denominations=self._denominations,
            accepts=tuple(sorted(self._accepts)),
            accepts_tickets=self._tickets,
            ready=self._ready,
            inhibited=self._confirmed.get(AcceptorSetting.INHIBIT) == INHIBIT_ON and self._asked != OPENS,
            note=self._note,
            counters=self._counters,
        )

    @property
    def kept(self) -> Kept:
        """What to store with the reports of the same turn."""
        return Kept(note=self._note, unaccounted=self._unaccounted, next_note=self._next_note)

    @property
    def faults(self) -> dict[str, int] | None:
        """What stops it, with the acceptor's own number of a failure; None while nothing is known."""
        if self._lost:
            return {"no_answer": 0}
        if self._seen is None:
            return None
        fault = FAULTS.get(self._seen.code)
        return {fault: self._seen.data[0] if self._seen.data else 0} if fault else {}

    @property
    def due_ms(self) -> int:
        """When to call again, if nothing is heard before and nothing more is stored."""
        if self._asked:
            return self._answer_by_ms
        if self._ack_due and self._stored:
            return self._now_ms
        command = self._command()
        if command is None or not self._may_leave(command):
            return self._poll_ms
        if command == self._tried and self._now_ms < self._paused_until_ms:
            return self._poll_ms
        return min(self._poll_ms, self._sent_ms + SPACE_MS)

    @property
    def _denominations(self) -> tuple[int, ...]:
        return tuple(sorted(set(self._cents.values())))

    # The wire.

    def heard(self, data: bytes, now_ms: int) -> list[AcceptorReport | Signal]:
        """Take the bytes that came. They may be noise, half a packet or nothing."""
        self._now_ms = now_ms
        for packet in self._reader.feed(data, now_ms):
            if packet.code != ENQUIRY and self._asked:
                asked, self._asked = self._asked, None
                self._answered(asked, packet)
        self._run_out()
        reports, self._reports = self._reports, []
        return reports

    def wants(self, now_ms: int, *, stored: bool = True) -> bytes:
        """The bytes to write now: an acknowledgement, a poll or a command."""
        self._now_ms, self._stored = now_ms, stored
        self._run_out()
        if self._asked:
            return b""
        if self._ack_due and stored:
            self._ack_due = False
            return Packet(Command.ACK).encode()
        if now_ms >= self._poll_ms:
            self._poll_ms = now_ms + POLL_MS
            return self._ask(Packet(Command.STATUS_REQUEST), self._poll_ms)
        command = self._command() if now_ms >= self._sent_ms + SPACE_MS else None
        if command and self._may_leave(command) and self._may_try(command):
            return self._ask(command, self._poll_ms - POLL_MS + POLL_MS_MAX - 1)
        return b""

    def _may_leave(self, command: Packet) -> bool:
        return self._stored or command.code not in MOVES_PAPER

    def _ask(self, packet: Packet, answer_by_ms: int) -> bytes:
        self._reader.drop()
        self._asked = packet
        self._sent_ms, self._answer_by_ms = self._now_ms, answer_by_ms
        return packet.encode()

    def _run_out(self) -> None:
        """What ends because time has passed: an answer that did not come, a decision that did not come."""
        if self._asked and self._now_ms >= self._answer_by_ms:
            if self._asked.code == Command.STATUS_REQUEST:
                self._missed()
            self._asked = None
        note = self._note
        if note and note.stage == "escrow" and self._now_ms >= note.since_ms + RETURN_AFTER_MS:
            self._decide(note.number, "returning", "no_decision")

    def _missed(self) -> None:
        self._unanswered += 1
        if self._unanswered >= UNANSWERED_MAX and not self._lost:
            self._lost, self._linked = True, False
            self._seen = None
            self._report(AcceptorLost(unanswered=self._unanswered))

    def _may_try(self, command: Packet) -> bool:
        """Count the tries of a command. The last one ends in a report, and a pause for this command."""
        if command != self._tried:
            self._tried, self._tries, self._paused_until_ms = command, 0, 0
        if self._now_ms < self._paused_until_ms:
            return False
        self._tries += 1
        if self._tries <= TRIES_MAX:
            return True
        self._tries = 0
        if command.code in SETTINGS or command.code in QUESTIONS:
            self._refused.add(command.code)
            self._report(SettingRefused(setting=_name(command.code)))
            self._check_ready()
            return False
        self._report(NotObeyed(command=_name(command.code)))
        if command.code == STACK and self._note:
            self._note = replace(self._note, stage="returning")
        else:
            self._restart = False
            self._paused_until_ms = self._now_ms + PAUSE_MS
        return False

    def _command(self) -> Packet | None:
        """What should be sent next, found from what was last seen, so that a lost packet is sent again."""
        seen = self._seen.code if self._seen else 0
        if seen in POWER_UPS or (self._restart and seen):
            return Packet(Command.RESET)
        if seen in WAITING and self._note:
            match self._note.stage:
                case "stacking":
                    return Packet(STACK)
                case "returning":
                    return Packet(Command.RETURN)
                case "escrow" if seen == Status.ESCROW:
                    return Packet(Command.HOLD)
        return self._setting() if seen in SETTABLE else None

    def _setting(self) -> Packet | None:
        """The next question or setting that is not answered or not confirmed."""
        for question in QUESTIONS:
            if question not in self._confirmed and question not in self._refused:
                return Packet(question)
        for code, data in self._wanted().items():
            if self._confirmed.get(code) != data and code not in self._refused:
                return Packet(code, data)
        return None

    def _wanted(self) -> dict[int, bytes]:
        """All settings in their order: to close comes first, to open comes last."""
        disabled = 0xFF | sum(1 << code - FIRST_BILL for code in self._cents)
        for code, cents in self._cents.items():
            if cents in self._accepts:
                disabled &= ~(1 << code - FIRST_BILL)
        open_ = self._tickets or not self._accepts.isdisjoint(self._cents.values())
        if AcceptorSetting.DENOMINATIONS in self._refused:
            open_ = False
        inhibit: dict[int, bytes] = {AcceptorSetting.INHIBIT: INHIBIT_OFF if open_ else INHIBIT_ON}
        choices: dict[int, bytes] = {
            AcceptorSetting.BARCODE_INHIBIT: BARCODE_INHIBIT_OFF if self._tickets else BARCODE_INHIBIT_ON,
            AcceptorSetting.DENOMINATIONS: disabled.to_bytes(2, "little"),
        }
        if open_:
            return {**FIXED, **choices, **inhibit}
        return {
            AcceptorSetting.OPTIONAL_FUNCTION: FIXED[AcceptorSetting.OPTIONAL_FUNCTION],
            **inhibit,
            **FIXED,
            **choices,
        }

    # Answers.

    def _answered(self, asked: Packet, packet: Packet) -> None:
        self._unanswered, self._lost = 0, False
        if not self._linked:
            self._linked = True
            self._forget_settings()
            self._report(AcceptorFound())
        if asked.code == Command.STATUS_REQUEST:
            if packet.code in STATUSES:
                self._status(packet)
            if self._command() != self._tried:
                self._tried = None  # what was tried is done, or no longer wanted
        elif asked.code in SETTINGS:
            if packet == asked:
                self._confirmed[asked.code] = asked.data
                self._check_ready()
        elif asked.code in QUESTIONS and packet.code == asked.code:
            self._learn(packet)
            self._check_ready()
        elif asked.code == Command.RESET and packet.code == Command.ACK:
            self._restart = False

    def _learn(self, packet: Packet) -> None:
        self._confirmed[packet.code] = packet.data
        if packet.code == Command.VERSION:
            self._version = "".join(chr(byte) for byte in packet.data if 0x20 <= byte < 0x7F)
        else:
            bills = read_assignment(packet.data)
            self._cents = {bill.code: bill.cents for bill in bills if bill.country == self._country}

    def _forget_settings(self) -> None:
        """The acceptor has started again, or is perhaps another one: set it up from the beginning."""
        self._cents = {}
        self._confirmed.clear()
        self._refused.clear()
        self._ready = False

    def _check_ready(self) -> None:
        if not self._ready and not self._setting():
            self._ready = True
            self._report(AcceptorReady(version=self._version, denominations=self._denominations))

    def _status(self, packet: Packet) -> None:
        before, self._seen = self._seen, packet
        began = before is None or before.code != packet.code
        self._see_fault(before, packet)
        self._empty_polls = self._empty_polls + 1 if packet.code in EMPTY else 0
        code = packet.code
        if code in POWER_UPS:
            if began:
                self._powered_up(code)
        elif code == Status.INITIALIZE:
            if began:
                self._forget_settings()
                self._lose_sight("reset")
        elif code == Status.ESCROW:
            self._in_escrow(packet.data)
        elif code == Status.VEND_VALID:
            self._vend_valid()
        elif code == Status.REJECTING:
            if began:
                self._rejected(packet.data[0] if packet.data else 0)
        elif code in EMPTY:
            self._settle()
        else:
            self._on_the_way(code)

    def _see_fault(self, before: Packet | None, packet: Packet) -> None:
        """Behind a fault nothing is as it was."""
        if before == packet:
            return
        if before and before.code in FAULTS:
            self._forget_settings()  # the acceptor may have started again in between
        if self._note and packet.code in LOSES_SIGHT:
            self._note = replace(self._note, lost_in=FAULTS[packet.code])

    def _lose_sight(self, after: str) -> None:
        """A note may be past the point of return while the acceptor starts again, and then vend valid is lost."""
        if self._note and self._note.stage == "stacking" and not self._note.lost_in:
            self._note = replace(self._note, lost_in=after)

    def _powered_up(self, code: int) -> None:
        self._forget_settings()
        note = self._note
        credited = bool(note and note.stage == "credited")
        self._report(PoweredUp(found=FOUND[code], note=note.number if note else None, credited=credited))
        if note:
            # A note that can return does so on reset. One that cannot is stacked, and vend valid may still follow.
            # One that is nowhere after it was seen stacking may be in the stacker.
            seen = "power_up" if note.stage == "stacking" and note.moved else ""
            lost_in = {"nothing": note.lost_in or seen, "acceptor": "", "stacker": "power_up"}[FOUND[code]]
            stage = note.stage if credited or lost_in else "returning"
            self._note = replace(note, moved=True, lost_in=lost_in, stage=stage)

    # A note's way.

    def _in_escrow(self, data: bytes) -> None:
        note = self._note
        if note and not note.moved and note.stage != "credited" and note.escrow == data:
            return
        if note:
            self._note = replace(note, moved=True)
            self._settle()
        self._unaccounted = None
        self._note = self._open(data)
        note = self._note
        if note.stage == "returning":
            self._report(NoteRefused(note=note.number, why=self._why(note), cents=note.cents, barcode=note.barcode))
        elif note.cents is not None:
            self._report(BillInEscrow(note=note.number, cents=note.cents))
        else:
            self._report(TicketInEscrow(note=note.number, number=note.barcode or ""))

    def _open(self, data: bytes) -> Note:
        """A note that comes into escrow. One that may not be offered is on its way back at once."""
        number, self._next_note = self._next_note, self._next_note + 1
        cents, barcode = None, None
        if data[:1] == bytes((TICKET,)):
            barcode = "".join(chr(byte) if 0x20 <= byte < 0x7F else "?" for byte in data[1:])
            offered = self._tickets and _is_ticket(barcode)
        else:
            cents = self._cents.get(data[0]) if len(data) == 1 else None
            offered = cents in self._accepts
        stage: Stage = "escrow" if offered else "returning"
        why: ReturnReason = "device" if offered else "refused"
        return Note(number, data, cents, barcode, stage, self._now_ms, why=why)

    def _why(self, note: Note) -> RefusalReason:
        if note.barcode is not None:
            return "not_accepted" if _is_ticket(note.barcode) else "not_18_digits"
        return "unknown_bill" if note.cents is None else "not_accepted"

    def _vend_valid(self) -> None:
        """The moment when credit is due. The acceptor repeats it until our acknowledgement arrives."""
        self._ack_due = True
        note = self._note or self._unaccounted
        self._unaccounted = None
        if note is None:
            note = Note(self._next_note)
            self._next_note += 1
        self._note = replace(note, stage="credited")
        if note.stage == "credited":
            return
        counters = self._counters
        if note.cents is not None:
            bills = {**counters.bills, note.cents: counters.bills.get(note.cents, 0) + 1}
            self._counters = replace(counters, bills=bills)
            self._report(BillStacked(note=note.number, cents=note.cents))
        elif note.barcode is not None:
            self._counters = replace(counters, tickets=counters.tickets + 1)
            self._report(TicketStacked(note=note.number, number=note.barcode))
        else:
            self._counters = replace(counters, unknown=counters.unknown + 1)
            self._report(UnknownStacked(note=note.number))

    def _rejected(self, code: int) -> None:
        note, self._note = self._note, None
        if note and (note.stage == "credited" or note.why == "refused"):
            note = None
        self._counters = replace(self._counters, rejected=self._counters.rejected + 1)
        self._report(
            NoteRejected(note=note.number if note else None, why=REJECTIONS.get(code, "unknown"), code=code)
        )

    def _on_the_way(self, code: int) -> None:
        note = self._note
        if code == Status.HOLDING:
            if note is None:  # an earlier driver held it; what it is, the status does not say
                self._note = self._open(b"")
                self._report(NoteRefused(note=self._note.number, why="unknown_bill", cents=None, barcode=None))
        elif note is None:
            return
        elif code == Status.STACKING:
            self._note = replace(note, moved=True)
        elif code == Status.RETURNING and note.stage != "credited":
            self._note = replace(note, moved=True, stage="returning", lost_in="")
        elif code == Status.STACKED and note.stage != "credited":
            self._note = replace(note, moved=True, lost_in="stacked")

    def _settle(self) -> None:
        """The path is empty: say where the last note on it is."""
        note = self._note
        if note is None:
            return
        if note.stage == "credited":
            self._note = None
        elif note.lost_in:
            self._note, self._unaccounted = None, note
            self._counters = replace(self._counters, unaccounted=self._counters.unaccounted + 1)
            self._report(NoteUnaccounted(note=note.number, after=note.lost_in))
        elif note.moved or self._empty_polls >= EMPTY_POLLS:
            # Without our acknowledgement the acceptor would still say vend valid: so the note was not stacked.
            self._note = None
            self._counters = replace(self._counters, returned=self._counters.returned + 1)
            self._report(NoteReturned(note=note.number, why=note.why))

    def _report(self, report: AcceptorReport | Signal) -> None:
        self._reports.append(report)


def _is_ticket(barcode: str) -> bool:
    return len(barcode) == BARCODE_CHARACTERS and barcode.isascii() and barcode.isdigit()


def _name(code: int) -> str:
    return (AcceptorSetting(code) if code in SETTINGS else Command(code)).name.lower()
