"""An acceptor with its counts: what is in the stacker, and what the server knows of its faults."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from stickman.devices.acceptor import Acceptor, AcceptorReport, Kept, NoteRejected
from stickman.devices.id003 import USA
from stickman.devices.peripheral import AnyWishes, DeviceState, Faults, Instant, fault_signals
from stickman.devices.signals import (
    AcceptorWishes,
    BillStacked,
    DeviceKind,
    FaultBegan,
    FaultEnded,
    NoteReturned,
    Signal,
    StackerRemoved,
    StackerReturned,
    TicketStacked,
    TotalsReported,
)

LOST_MS = 3_000
"""A port that has just opened or closed is given so long until a silent acceptor is a fault, which locks the seat
up: a busy machine may need a while to open its ports."""


class PaperCount(Struct, frozen=True):
    """Bills by value in cents, and tickets."""

    bills: dict[int, int] = {}
    tickets: int = 0

    def plus(self, signal: Signal) -> PaperCount:
        if isinstance(signal, BillStacked):
            return replace(self, bills={**self.bills, signal.cents: self.bills.get(signal.cents, 0) + 1})
        return replace(self, tickets=self.tickets + isinstance(signal, TicketStacked))


class AcceptorMemory(Struct, frozen=True, kw_only=True):
    kept: Kept = Kept()
    since_drop: PaperCount = PaperCount()
    since_enrolment: PaperCount = PaperCount()
    faults: Faults = {}
    """As reported."""


class AcceptorPeripheral:
    """It accepts what the table wishes, and nothing while nobody answers."""

    kind: ClassVar[DeviceKind] = "acceptor"

    def __init__(self, memory: AcceptorMemory | None = None, country: int = USA) -> None:
        self._memory = memory or AcceptorMemory()
        self._driver = Acceptor(country, self._memory.kept)
        self._wishes = AcceptorWishes()
        self._to_reset = False
        """A reset is wished for and not asked of the driver yet."""
        self._last = ""
        """The last report that is not a signal."""
        self._port_ms: int | None = None
        """When the port was opened or closed last; at first, when this began."""

    @property
    def memory(self) -> AcceptorMemory:
        return self._memory

    @property
    def due_ms(self) -> int:
        return self._driver.due_ms

    @property
    def state(self) -> DeviceState:
        seen, drop = self._driver.state, self._memory.since_drop
        return {
            "doing": seen.doing if seen.linked else "no answer",
            "fault": " ".join(self._memory.faults),
            "version": seen.version,
            "ready": seen.ready,
            "accepts": " ".join(map(str, seen.accepts)),
            "tickets": seen.accepts_tickets,
            "note": seen.note.number if seen.note else 0,
            "bills in stacker": sum(drop.bills.values()),
            "cents in stacker": sum(cents * count for cents, count in drop.bills.items()),
            "tickets in stacker": drop.tickets,
            "last": self._last,
        }

    @property
    def totals(self) -> TotalsReported:
        total = self._memory.since_enrolment
        return TotalsReported(bills=total.bills, tickets_in=total.tickets)

    @property
    def resting(self) -> bool:
        seen = self._driver.state
        return not seen.linked or (seen.note is None and (seen.inhibited or bool(seen.fault)))

    def say_again(self) -> list[Signal]:
        return []

    def port_opened(self, now: Instant) -> None:
        self._port_ms = now.ms

    def port_closed(self, now: Instant) -> None:
        """Polls without an answer show it."""
        self._port_ms = now.ms

    def wish(self, wishes: AnyWishes | None, now: Instant) -> None:  # noqa: ARG002 - the shape has it
        before, self._wishes = self._wishes, wishes if isinstance(wishes, AcceptorWishes) else AcceptorWishes()
        self._to_reset = self._wishes.reset and (self._to_reset or not before.reset)

    def heard(self, data: bytes, now: Instant, *, room: bool) -> list[Signal]:
        self._port_ms = now.ms if self._port_ms is None else self._port_ms
        self._obey(room=room)
        signals = [
            signal for report in self._driver.heard(data, now.ms) if (signal := self._signal(report)) is not None
        ]
        for signal in signals:
            self._memory = replace(
                self._memory,
                since_drop=self._memory.since_drop.plus(signal),
                since_enrolment=self._memory.since_enrolment.plus(signal),
            )
        if room:
            signals += self._fault_signals(now.ms)
        self._memory = replace(self._memory, kept=self._driver.kept)
        return signals

    def wants(self, now: Instant, *, stored: bool) -> bytes:
        return self._driver.wants(now.ms, stored=stored)

    def _obey(self, *, room: bool) -> None:
        wishes = self._wishes
        if room:
            self._driver.accept(wishes.bills, tickets=wishes.tickets)
        else:
            self._driver.accept(())
        if wishes.note:
            (self._driver.stack if wishes.stack else self._driver.give_back)(wishes.note)
        if self._to_reset and self._driver.state.fault:
            self._to_reset = False
            self._driver.restart()

    def _signal(self, report: AcceptorReport | Signal) -> Signal | None:
        """What the server must know. It has never heard of a note that the driver itself refused."""
        if isinstance(report, Signal):
            return None if isinstance(report, NoteReturned) and report.why == "refused" else report
        self._last = _in_words(report)
        if isinstance(report, NoteRejected) and report.note:
            return NoteReturned(note=report.note, why="rejected")
        return None

    def _fault_signals(self, now_ms: int) -> list[Signal]:
        """What changed in the faults. A stacker that is taken out is the drop, with what was counted."""
        assert self._port_ms is not None
        faults = self._driver.faults
        if faults is None or faults == self._memory.faults:
            return []
        if "no_answer" in faults and now_ms < self._port_ms + LOST_MS:
            return []
        signals: list[Signal] = []
        for signal in fault_signals(self._memory.faults, faults):
            match signal:
                case FaultBegan(fault="stacker_open"):
                    count = self._memory.since_drop
                    signals.append(StackerRemoved(bills=count.bills, tickets=count.tickets))
                    self._memory = replace(self._memory, since_drop=PaperCount())
                case FaultEnded(fault="stacker_open"):
                    signals.append(StackerReturned())
                case _:
                    signals.append(signal)
        self._memory = replace(self._memory, faults=faults)
        return signals


def _in_words(report: AcceptorReport) -> str:
    """The name of a report, and what it says in words."""
    name = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in type(report).__name__)
    said = [value for field in report.__struct_fields__ if isinstance(value := getattr(report, field), str)]
    return " ".join([name.strip(), *said])
