"""Contacts: doors and key switches, without the bouncing of their springs.

Time is the wall clock in milliseconds, because a battery-backed memory notes it too. A change has the time of its
first edge. A contact that never rests counts as open (a door) or off (a key), so that chatter hides
nothing.

Lines of a GPIO chip are read with `gpiod` 2.x, an optional package; `FakeChip` takes its place in tests and in the
demo.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from importlib import import_module
from typing import Any, Literal, Protocol

from msgspec import Struct

DEBOUNCE_MS = 20
"""A contact is at rest when it has not moved for this long."""
UNREST_MS = 500
"""How long a contact may bounce before it counts as open or off."""
REMEMBERED_MAX = 1_000

How = Literal["start", "live", "battery"]
"""Found so at the start, seen now, or noted by the battery-backed memory while the power was off."""


class Contact(Struct, frozen=True, kw_only=True):
    """One line, by its place: `main`, `security`, `key`, `centre`, `power`, `network`."""

    name: str
    kind: Literal["door", "key"] = "door"
    line: int = 0
    """Its number on the chip."""
    active_low: bool = True
    """A switch to ground with a pull-up: low means closed, or on."""


class ContactEdge(Struct, frozen=True):
    """A contact moved. `active` is a closed door, or a key that is on."""

    name: str
    active: bool
    at_ms: int


# --- Reports ---


class ContactReport(Struct, frozen=True):
    """A contact that changed, or how it was found at the start."""

    name: str
    at_ms: int
    how: How = "live"


class DoorFoundOpen(ContactReport, frozen=True, tag=True): ...


class DoorFoundClosed(ContactReport, frozen=True, tag=True): ...


class KeyTurnedOn(ContactReport, frozen=True, tag=True): ...


class KeyTurnedOff(ContactReport, frozen=True, tag=True): ...


class ContactUnsteady(Struct, frozen=True, tag=True):
    """It does not rest; until it does, it counts as open or off."""

    name: str
    at_ms: int


class MemoryFull(Struct, frozen=True, tag=True):
    """The memory noted more changes than are kept; the oldest are kept."""

    lost: int


Report = DoorFoundOpen | DoorFoundClosed | KeyTurnedOn | KeyTurnedOff | ContactUnsteady | MemoryFull
MOVED: dict[tuple[str, bool], type[DoorFoundOpen | DoorFoundClosed | KeyTurnedOn | KeyTurnedOff]] = {
    ("door", False): DoorFoundOpen,
    ("door", True): DoorFoundClosed,
    ("key", False): KeyTurnedOff,
    ("key", True): KeyTurnedOn,
}


class ContactState(Struct, frozen=True):
    """For the office."""

    name: str
    kind: Literal["door", "key"]
    active: bool
    unsteady: bool
    changes: int


class _Watched(Struct):
    contact: Contact
    active: bool | None = None
    """As last reported; None before the start."""
    raw: bool = False
    moved_ms: int = 0
    """The last edge."""
    since_ms: int | None = None
    """The first edge of a movement that is not at rest yet."""
    unsteady: bool = False
    changes: int = 0


class Contacts:
    """Feed edges with `heard`; it returns what is settled, in the order of its time. Call it also at `due_ms`."""

    def __init__(self, contacts: Sequence[Contact]) -> None:
        assert len({contact.name for contact in contacts}) == len(contacts), contacts
        self._watched = {contact.name: _Watched(contact) for contact in contacts}
        self._remembered: list[ContactEdge] = []
        self._lost = 0

    @property
    def state(self) -> tuple[ContactState, ...]:
        return tuple(
            ContactState(it.contact.name, it.contact.kind, bool(it.active), it.unsteady, it.changes)
            for it in self._watched.values()
        )

    @property
    def due_ms(self) -> int | None:
        """When something may settle; None while all is at rest."""
        times = [0] * bool(self._remembered) + [
            it.moved_ms + DEBOUNCE_MS if it.unsteady else min(it.moved_ms + DEBOUNCE_MS, it.since_ms + UNREST_MS)
            for it in self._watched.values()
            if it.since_ms is not None
        ]
        return min(times, default=None)

    def start(self, values: dict[str, bool], now_ms: int) -> list[Report]:
        """How each contact is found; after a gap again, what moved in it. Without a value it is open, or off."""
        reports = self._remember_first()
        for name, it in self._watched.items():
            active = values.get(name, False)
            it.raw, it.since_ms, it.unsteady = active, None, False
            if active != it.active:
                reports.append(self._settle(it, active, now_ms, "start"))
        return reports

    def remember(self, edges: Sequence[ContactEdge]) -> None:
        """Changes from the battery-backed memory: reported in the order of their own time, before all live ones."""
        for edge in edges:
            if edge.name in self._watched:
                if len(self._remembered) < REMEMBERED_MAX:
                    self._remembered.append(edge)
                else:
                    self._lost += 1

    def heard(self, edges: Sequence[ContactEdge], now_ms: int) -> list[Report]:
        reports = self._remember_first()
        live: list[tuple[int, Report]] = []
        for edge in sorted(edges, key=lambda edge: edge.at_ms):
            it = self._watched.get(edge.name)
            if it and it.active is not None:
                live += self._rested(it, edge.at_ms)
                self._move(it, edge)
        for it in self._watched.values():
            live += self._rested(it, now_ms)
        return reports + [report for _, report in sorted(live, key=lambda timed: timed[0])]

    def _remember_first(self) -> list[Report]:
        edges, self._remembered = sorted(self._remembered, key=lambda edge: edge.at_ms), []
        reports: list[Report] = [
            self._settle(self._watched[edge.name], edge.active, edge.at_ms, "battery") for edge in edges
        ]
        if self._lost:
            reports.append(MemoryFull(self._lost))
            self._lost = 0
        return reports

    def _settle(self, it: _Watched, active: bool, at_ms: int, how: How) -> Report:
        it.active = active
        it.changes += how != "start"
        return MOVED[it.contact.kind, active](it.contact.name, at_ms, how)

    def _move(self, it: _Watched, edge: ContactEdge) -> None:
        if edge.active != it.raw:
            it.raw = edge.active
            it.moved_ms = edge.at_ms
            it.since_ms = edge.at_ms if it.since_ms is None else it.since_ms

    def _rested(self, it: _Watched, now_ms: int) -> list[tuple[int, Report]]:
        """What this contact's movement came down to by now."""
        if it.since_ms is None:
            return []
        reports: list[tuple[int, Report]] = []
        rested_ms = it.moved_ms + DEBOUNCE_MS
        if not it.unsteady and min(now_ms, rested_ms) >= it.since_ms + UNREST_MS:
            it.unsteady = True
            reports.append((it.since_ms, ContactUnsteady(it.contact.name, it.since_ms)))
            if it.active:
                reports.append((it.since_ms, self._settle(it, False, it.since_ms, "live")))
        if now_ms >= rested_ms:
            at_ms = it.moved_ms if it.unsteady else it.since_ms
            it.since_ms, it.unsteady = None, False
            if it.raw != it.active:
                reports.append((at_ms, self._settle(it, it.raw, at_ms, "live")))
        return reports


# --- Where edges come from ---


class Chip(Protocol):
    def values(self) -> dict[str, bool]:
        """How each contact is now."""

    def edges(self) -> list[ContactEdge]:
        """What moved since the last call, without waiting."""


class FakeChip:
    """A chip that a person or a test moves."""

    def __init__(self, contacts: Sequence[Contact]) -> None:
        self._values = {contact.name: contact.kind == "door" for contact in contacts}
        self._edges: list[ContactEdge] = []

    def move(self, name: str, active: bool, at_ms: int) -> None:
        if self._values[name] != active:
            self._values[name] = active
            self._edges.append(ContactEdge(name, active, at_ms))

    def values(self) -> dict[str, bool]:
        return dict(self._values)

    def edges(self) -> list[ContactEdge]:
        edges, self._edges = self._edges, []
        return edges


class GpioMissing(RuntimeError):
    """The optional package is not installed."""


class GpioChip:
    """Lines of a Linux GPIO chip, requested by `open_gpio`."""

    def __init__(self, gpiod: Any, request: Any, contacts: Sequence[Contact]) -> None:
        self._gpiod, self._request = gpiod, request
        self._names = {contact.line: contact.name for contact in contacts}
        self._number = 0
        """Of the last event; the kernel counts them from 1."""

    def fileno(self) -> int:
        """Readable when there are edges."""
        return int(self._request.fileno())

    def values(self) -> dict[str, bool]:
        values = self._request.get_values(list(self._names))
        active = self._gpiod.line.Value.ACTIVE
        return {name: value == active for name, value in zip(self._names.values(), values, strict=True)}

    def edges(self) -> list[ContactEdge]:
        if not self._request.wait_edge_events(timedelta()):
            return []
        rising = self._gpiod.EdgeEvent.Type.RISING_EDGE
        edges, lost = [], False
        for event in self._request.read_edge_events():
            lost |= event.global_seqno != self._number + 1
            self._number = event.global_seqno
            at_ms = event.timestamp_ns // 1_000_000
            edges.append(ContactEdge(self._names[event.line_offset], event.event_type == rising, at_ms))
        if lost:  # the kernel's buffer was full: how each contact is now, at least, is known
            edges += [ContactEdge(name, active, edges[-1].at_ms) for name, active in self.values().items()]
        return edges

    def close(self) -> None:
        self._request.release()


def open_gpio(path: str, contacts: Sequence[Contact]) -> GpioChip:
    """Request the lines of a chip such as `/dev/gpiochip0`."""
    try:
        gpiod = import_module("gpiod")
    except ImportError as error:
        raise GpioMissing(
            "Doors and keys on GPIO lines need the package gpiod, version 2: pip install gpiod"
        ) from error
    line = gpiod.line
    config = {
        contact.line: gpiod.LineSettings(
            direction=line.Direction.INPUT,
            edge_detection=line.ContactEdge.BOTH,
            bias=line.Bias.PULL_UP if contact.active_low else line.Bias.PULL_DOWN,
            active_low=contact.active_low,
            event_clock=line.Clock.REALTIME,
        )
        for contact in contacts
    }
    return GpioChip(gpiod, gpiod.request_lines(path, consumer="stickman", config=config), contacts)
