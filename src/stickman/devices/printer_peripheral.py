"""A printer that prints each job once, whatever ends when.

The memory has the stage of a job before the bytes of that stage leave. So a job that was under way when the program
ended is known to have failed if its barcode was not sent yet, and cannot be known after that (ruling 57).
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from stickman.devices.peripheral import AnyWishes, DeviceState, Faults, Instant, fault_signals
from stickman.devices.printer import Printer, PrinterChanged, PrinterReport, Setup
from stickman.devices.signals import (
    DeviceKind,
    PrinterWishes,
    PrintJob,
    Signal,
    SlipBegun,
    SlipFailed,
    SlipPrinted,
    SlipUnknown,
    TotalsReported,
)

SlipOutcome = SlipPrinted | SlipFailed | SlipUnknown
JOBS_KEPT = 256
"""Jobs with an outcome. A table wishes for one job at a time. An older one can come again only if the floor's
journal was restored from a copy that lacks that many slips."""
PORT_WAIT_MS = 5_000
"""How long a job waits for a port that is not open, such as just after a start."""


LOST_MS = 3_000
"""A port that is closed for this long is a fault."""
IDLE_MS = 60_000


class PrinterMemory(Struct, frozen=True, kw_only=True):
    job: str = ""
    """Under way."""
    stage: Literal["begun", "barcode"] = "begun"
    torn: bool = False
    """Whether the last job may have left a slip without its end."""
    done: tuple[SlipOutcome | str, ...] = ()
    """Outcomes of jobs, the newest last. An earlier version kept only the names of the jobs."""
    since_enrolment: int = 0
    """Slips."""
    faults: Faults = {}
    """As reported."""


class PrinterPeripheral:
    kind: ClassVar[DeviceKind] = "printer"

    def __init__(self, memory: PrinterMemory | None = None, setup: Setup | None = None) -> None:
        self._memory = memory or PrinterMemory()
        self._driver = Printer(setup, torn=self._memory.torn or bool(self._memory.job))
        self._driver.link_lost(0)
        self._driver.heard(b"", 0)  # that the port is not open yet is not news
        self._open = False
        self._closed_ms: int | None = None
        """Since when the port is closed."""
        self._cut_short = self._memory.job
        """The job that was under way when the program ended."""
        self._wanted: PrintJob | None = None
        self._wanted_ms = 0
        self._faults: Faults | None = None
        """As the printer says; None while it has said nothing since the port was opened."""
        self._now_ms = 0

    @property
    def memory(self) -> PrinterMemory:
        return self._memory

    @property
    def due_ms(self) -> int:
        if self._open:
            return self._driver.due_ms
        if self._closed_ms is None:
            return self._now_ms
        waits_ms = self._wanted_ms + PORT_WAIT_MS if self._waits else self._now_ms + IDLE_MS
        return waits_ms if "no_answer" in self._memory.faults else min(waits_ms, self._closed_ms + LOST_MS)

    @property
    def state(self) -> DeviceState:
        seen = self._driver.state
        return {
            "doing": seen.doing if self._open else "no link",
            "fault": " ".join(self._memory.faults),
            "paper low": seen.paper_low,
            "slip waiting": seen.slip_waiting,
            "printed": seen.printed,
            "failed": seen.failed,
            "unknown": seen.unknown,
        }

    @property
    def totals(self) -> TotalsReported:
        return TotalsReported(slips=self._memory.since_enrolment)

    @property
    def resting(self) -> bool:
        return not self._memory.job

    def say_again(self) -> list[Signal]:
        wanted = self._wanted.job if self._wanted else ""
        return [each for each in self._memory.done if not isinstance(each, str) and each.job == wanted]

    def port_opened(self, now: Instant) -> None:
        self._open, self._faults = True, None
        self._driver.link_up(now.ms)

    def port_closed(self, now: Instant) -> None:
        self._open, self._closed_ms = False, now.ms
        self._driver.link_lost(now.ms)

    def wish(self, wishes: AnyWishes | None, now: Instant) -> None:
        wanted = wishes.print if isinstance(wishes, PrinterWishes) else None
        if wanted is None or self._wanted is None or wanted.job != self._wanted.job:
            self._wanted_ms = now.ms
        self._wanted = wanted

    @property
    def _waits(self) -> bool:
        """Whether a job is wanted that has not begun."""
        done = [each if isinstance(each, str) else each.job for each in self._memory.done]
        return self._wanted is not None and self._wanted.job not in (self._memory.job, *done)

    def heard(self, data: bytes, now: Instant, *, room: bool) -> list[Signal]:
        self._now_ms = now.ms
        self._closed_ms = now.ms if self._closed_ms is None else self._closed_ms
        signals = self._end_cut_short() + (self._begin(now) if room else [])
        for report in self._driver.heard(data, now.ms):
            signals += self._take(report)
        if self._memory.job and self._driver.state.doing in ("barcode", "stopping"):
            self._memory = replace(self._memory, stage="barcode")
        return signals + (self._fault_signals() if room else [])

    def wants(self, now: Instant, *, stored: bool) -> bytes:
        return self._driver.wants(now.ms) if stored else b""

    def _fault_signals(self) -> list[Signal]:
        faults = self._faults
        if not self._open and self._closed_ms is not None:
            faults = {"no_answer": 0} if self._now_ms >= self._closed_ms + LOST_MS else None
        if faults is None or faults == self._memory.faults:
            return []
        signals = fault_signals(self._memory.faults, faults)
        self._memory = replace(self._memory, faults=faults)
        return signals

    def _end_cut_short(self) -> list[Signal]:
        job, self._cut_short = self._cut_short, ""
        if not job:
            return []
        outcome = SlipUnknown if self._memory.stage == "barcode" else SlipFailed
        return self._end(outcome(job=job, why="restart"))

    def _begin(self, now: Instant) -> list[Signal]:
        if self._memory.job or not self._waits or self._wanted is None:
            return []
        if not self._open and now.ms < self._wanted_ms + PORT_WAIT_MS:
            return []
        self._memory = replace(self._memory, job=self._wanted.job, stage="begun")
        self._driver.print_ticket(self._wanted.job, self._wanted.slip, now.ms)
        return [SlipBegun(job=self._wanted.job)]

    def _take(self, report: PrinterReport) -> list[Signal]:
        if isinstance(report, SlipOutcome):
            return self._end(report)
        if isinstance(report, PrinterChanged):
            self._faults = dict.fromkeys(report.faults, 0)
        return []

    def _end(self, outcome: SlipOutcome) -> list[Signal]:
        self._memory = replace(
            self._memory,
            job="",
            torn=self._driver.torn,
            done=(*self._memory.done, outcome)[-JOBS_KEPT:],
            since_enrolment=self._memory.since_enrolment + isinstance(outcome, SlipPrinted),
        )
        return [outcome]
