"""Doors and key: what moved, in order, with its time, and nothing twice. If too many signals wait to be sent, only
the last position of each contact is reported, when there is room again.

A *board* reads the contacts. It sends a line for each change (an *edge*), and remembers changes by battery while
the power is off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from stickman.devices.contact_wire import NOTED, ContactLine, ContactLineReader
from stickman.devices.doors import (
    CONTACT_NAMES,
    ContactEdge,
    ContactName,
    ContactReport,
    Contacts,
    TooManyRemembered,
)
from stickman.devices.peripheral import AnyWishes, DeviceState, Faults, Instant, fault_signals
from stickman.devices.signals import DeviceKind, DoorMoved, KeyMoved, Signal, TotalsReported

CLOSED_MS_MAX = 3_000
"""A board from which nothing comes for this long after its port was closed is a fault. What cannot be read counts
as open, or off."""
MISSING_MS = 1_000
"""A contact that is not found for this long after the port opened counts as open, or off."""
IDLE_MS = 60_000
"""How long nothing needs to be done if nothing is heard."""
AGE_MS_MAX = 1_000
"""If even the newest of the edges that come together is older than this, the board's clock is behind. With such old
times each bounce of a contact would look settled, and would be reported as a movement."""


class DoorsMemory(Struct, frozen=True, kw_only=True):
    contacts: dict[ContactName, bool] = {}
    """As reported: closed doors, and a key that is on, are true."""
    battery_ms: dict[ContactName, int] = {}
    """By contact, the time of the last change from the board's battery memory that was reported. The board may send
    that change again."""
    faults: Faults = {}
    """As reported."""


class DoorsPeripheral:
    kind: ClassVar[DeviceKind] = "doors"

    def __init__(self, names: Sequence[ContactName], memory: DoorsMemory | None = None) -> None:
        self._memory = memory or DoorsMemory()
        self._driver = Contacts(names, self._memory.contacts)
        self._reader = ContactLineReader()
        self._open = False
        self._since_ms: int | None = None
        """Since when the port is open, or closed."""
        self._silent_since_ms: int | None = None
        """Since when the port was closed, until the board sends something again."""
        self._to_forget = False
        """Whether changes came from the battery memory, and the board must still be allowed to forget them."""
        self._behind_ms = 0
        """How far the board's clock is behind, if that is too far."""
        self._not_reported = 0
        """Changes for which there was no room: only the position after them is reported."""
        self._now = Instant(0, 0)

    @property
    def memory(self) -> DoorsMemory:
        return self._memory

    @property
    def due_ms(self) -> int:
        if self._driver.due_ms is not None:
            return self._driver.due_ms
        if self._since_ms is None:
            return self._now.ms
        if self._open and self._driver.unknown:
            return self._since_ms + MISSING_MS
        if self._silent_since_ms is not None and "no_answer" not in self._memory.faults:
            return self._silent_since_ms + CLOSED_MS_MAX
        return self._now.ms + IDLE_MS

    @property
    def state(self) -> DeviceState:
        shown: DeviceState = {"linked": self._open, "fault": " ".join(self._memory.faults)}
        for contact in self._driver.state:
            words = ("on", "off") if contact.name == "key" else ("closed", "open")
            shown[contact.name] = (words[0] if contact.active else words[1]) if contact.known else "unknown"
        return shown | {"lost": self._not_reported, "bad lines": self._reader.bad}

    @property
    def totals(self) -> TotalsReported:
        return TotalsReported()

    @property
    def resting(self) -> bool:
        return True

    def say_again(self) -> list[Signal]:
        return []

    def port_opened(self, now: Instant) -> None:
        self._reader = ContactLineReader()
        self._open, self._since_ms, self._to_forget = True, now.ms, False

    def port_closed(self, now: Instant) -> None:
        self._open, self._since_ms, self._to_forget = False, now.ms, False
        if self._silent_since_ms is None:
            self._silent_since_ms = now.ms

    def wish(self, wishes: AnyWishes | None, now: Instant) -> None:
        """Nothing is asked of doors and keys."""

    def heard(self, data: bytes, now: Instant, *, room: bool) -> list[Signal]:
        self._now = now
        if self._since_ms is None:
            self._since_ms = self._silent_since_ms = now.ms
        reports: list[ContactReport] = []
        edges: list[ContactLine] = []
        for line in self._reader.feed(data):
            self._silent_since_ms = None
            if (name := CONTACT_NAMES.get(line.door or "key")) is None:
                continue
            match line.said:
                case "battery":
                    self._remember(ContactEdge(name, line.active, line.at_ms))
                case "state":
                    reports += self._driver.start({name: line.active}, now.ms)
                case "edge":
                    edges.append(line)
        if self._open and now.ms >= self._since_ms + MISSING_MS:
            reports += self._driver.start(dict.fromkeys(self._driver.unknown, False), now.ms)
        if self._is_silent():
            reports += self._driver.start({contact.name: False for contact in self._driver.state}, now.ms)
        reports += self._driver.heard(self._live(edges), now.ms)
        signals = [signal for report in reports for signal in self._signals(report, room=room)]
        return [*signals, *self._now_there_is_room(), *self._fault_signals()] if room else signals

    def _is_silent(self) -> bool:
        since_ms = self._silent_since_ms
        return since_ms is not None and self._now.ms >= since_ms + CLOSED_MS_MAX

    def _live(self, edges: Sequence[ContactLine]) -> list[ContactEdge]:
        """Edges on our clock. If all are too old, all are shifted so that the newest is of now."""
        ages = [max(0, self._now.wall_ms - line.at_ms) for line in edges]
        if ages:
            self._behind_ms = min(ages) if min(ages) > AGE_MS_MAX else 0
        return [
            ContactEdge(CONTACT_NAMES[line.door or "key"], line.active, self._now.ms - age + self._behind_ms)
            for line, age in zip(edges, ages, strict=True)
        ]

    def wants(self, now: Instant, *, stored: bool) -> bytes:  # noqa: ARG002 - the shape has it
        if not (self._to_forget and stored):
            return b""
        self._to_forget = False
        return NOTED

    def _remember(self, edge: ContactEdge) -> None:
        self._to_forget = True
        if edge.at_ms > self._memory.battery_ms.get(edge.name, -1):
            self._driver.remember([edge])

    def _signals(self, report: ContactReport, *, room: bool) -> list[Signal]:
        if isinstance(report, TooManyRemembered):
            self._not_reported += report.lost
        if not isinstance(report, DoorMoved | KeyMoved):
            return []
        if not room:
            self._not_reported += 1
            if report.how == "battery":
                self._to_forget = False  # so the board sends it again
            return []
        name: ContactName = report.door if isinstance(report, DoorMoved) else "key"
        active = not report.open if isinstance(report, DoorMoved) else report.on
        self._memory = replace(self._memory, contacts={**self._memory.contacts, name: active})
        if report.how == "battery":
            battery_ms = {**self._memory.battery_ms, name: report.moved_ms}
            self._memory = replace(self._memory, battery_ms=battery_ms)
            return [report]
        # The driver's clock only goes forward. The server gets wall time, or the board's time if that is behind.
        behind_ms = self._behind_ms if report.how == "live" else 0
        return [replace(report, moved_ms=max(0, self._now.wall_ms - self._now.ms + report.moved_ms - behind_ms))]

    def _now_there_is_room(self) -> list[Signal]:
        """The position of each contact that moved while there was no room."""
        moved = [
            KeyMoved(on=contact.active, moved_ms=self._now.ms, how="start")
            if contact.name == "key"
            else DoorMoved(door=contact.name, open=not contact.active, moved_ms=self._now.ms, how="start")
            for contact in self._driver.state
            if contact.known and self._memory.contacts.get(contact.name) != contact.active
        ]
        return [signal for report in moved for signal in self._signals(report, room=True)]

    def _fault_signals(self) -> list[Signal]:
        faults: Faults = {f"unsteady {contact.name}": 0 for contact in self._driver.state if contact.unsteady}
        if self._is_silent() or (self._silent_since_ms is not None and "no_answer" in self._memory.faults):
            faults |= {"no_answer": 0}
        signals = fault_signals(self._memory.faults, faults)
        if signals:
            self._memory = replace(self._memory, faults=faults)
        return signals
