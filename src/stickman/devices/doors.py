"""Contacts: doors and key switches, without the bouncing of their springs.

A change has the time of its first edge. A contact that moves all the time counts as open (a door) or off (a key),
so that chatter hides nothing. When it rests again, that change has the time of its last edge. Times of live
edges are on the caller's clock; what a battery-backed memory noted has its own time, which is only passed on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from msgspec import Struct

from stickman.devices.signals import Door, DoorMoved, KeyMoved, KnownBy, TableDoor, TerminalDoor

DEBOUNCE_MS = 20
"""A contact is at rest when it has not moved for this long."""
UNREST_MS = 500
"""How long a contact may bounce before it counts as open or off."""
REMEMBERED_MAX = 1_000
"""Changes of a battery-backed memory that are taken before they are reported."""

ContactName = Door | Literal["key"]
DOORS: tuple[Door, ...] = (*get_args(TerminalDoor), *get_args(TableDoor))
CONTACT_NAMES: dict[str, ContactName] = {**{name: name for name in DOORS}, "key": "key"}


class ContactEdge(Struct, frozen=True):
    """A contact moved. `active` is a closed door, or a key that is on."""

    name: ContactName
    active: bool
    at_ms: int


# --- Reports ---


class ContactUnsteady(Struct, frozen=True, tag=True):
    """It does not rest; until it does, it counts as open or off."""

    name: ContactName
    at_ms: int


class TooManyRemembered(Struct, frozen=True, tag=True):
    """More changes came from the battery-backed memory than are taken at once. The first that arrived are kept."""

    lost: int


ContactReport = DoorMoved | KeyMoved | ContactUnsteady | TooManyRemembered


class ContactState(Struct, frozen=True):
    """For the office."""

    name: ContactName
    active: bool
    known: bool
    """Whether its position was ever read."""
    unsteady: bool
    changes: int


class _Watched(Struct):
    name: ContactName
    active: bool | None
    """As last reported."""
    known: bool = False
    """Whether its position was ever read."""
    raw: bool = False
    """As last read, bounces and all."""
    moved_ms: int = 0
    """The last edge."""
    since_ms: int | None = None
    """The first edge of a movement that is not at rest yet."""
    unsteady: bool = False
    changes: int = 0


class Contacts:
    """Feed edges with `heard`, and call it also at `due_ms`. It returns the changes after which a contact rests,
    in the order of their times."""

    def __init__(self, names: Sequence[ContactName], reported: Mapping[ContactName, bool] | None = None) -> None:
        """`reported` are the positions that were reported before. At the start only others are reported."""
        self._watched = {name: _Watched(name, (reported or {}).get(name)) for name in names}
        self._remembered: list[ContactEdge] = []
        self._lost = 0

    @property
    def state(self) -> tuple[ContactState, ...]:
        return tuple(
            ContactState(it.name, bool(it.active), it.known, it.unsteady, it.changes)
            for it in self._watched.values()
        )

    @property
    def due_ms(self) -> int | None:
        """When something may settle; None while all is at rest."""
        now = [0] if self._remembered else []  # what is remembered is reported at the next call
        times = now + [
            it.moved_ms + DEBOUNCE_MS if it.unsteady else min(it.moved_ms + DEBOUNCE_MS, it.since_ms + UNREST_MS)
            for it in self._watched.values()
            if it.since_ms is not None
        ]
        return min(times, default=None)

    def start(self, values: Mapping[ContactName, bool], now_ms: int) -> list[ContactReport]:
        """Take the present positions, at the start and again after a break in the connection. Returns a report for
        each contact that differs from its last report."""
        reports = self._report_remembered()
        for name, active in values.items():
            if it := self._watched.get(name):
                it.known, it.raw, it.since_ms, it.unsteady = True, active, None, False
                if active != it.active:
                    reports.append(self._settle(it, active, now_ms, "start"))
        return reports

    @property
    def unknown(self) -> list[ContactName]:
        """Contacts whose position was never read."""
        return [name for name, it in self._watched.items() if not it.known]

    def remember(self, edges: Sequence[ContactEdge]) -> None:
        """Changes from the battery-backed memory: reported in the order of their own time, before all live ones."""
        for edge in edges:
            if edge.name in self._watched:
                if len(self._remembered) < REMEMBERED_MAX:
                    self._remembered.append(edge)
                else:
                    self._lost += 1

    def heard(self, edges: Sequence[ContactEdge], now_ms: int) -> list[ContactReport]:
        reports = self._report_remembered()
        live: list[tuple[int, ContactReport]] = []
        for edge in sorted(edges, key=lambda edge: edge.at_ms):
            it = self._watched.get(edge.name)
            if it and it.known:
                live += self._settled_by(it, edge.at_ms)  # it may have rested before this edge
                self._move(it, edge)
        for it in self._watched.values():
            live += self._settled_by(it, now_ms)
        return reports + [report for _, report in sorted(live, key=lambda timed: timed[0])]

    def _report_remembered(self) -> list[ContactReport]:
        """What the battery-backed memory noted, in the order of its times."""
        edges, self._remembered = sorted(self._remembered, key=lambda edge: edge.at_ms), []
        reports: list[ContactReport] = [
            self._settle(self._watched[edge.name], edge.active, edge.at_ms, "battery") for edge in edges
        ]
        if self._lost:
            reports.append(TooManyRemembered(self._lost))
            self._lost = 0
        return reports

    def _settle(self, it: _Watched, active: bool, at_ms: int, how: KnownBy) -> ContactReport:
        it.active = active
        it.changes += how != "start"
        if it.name == "key":
            return KeyMoved(on=active, moved_ms=at_ms, how=how)
        return DoorMoved(door=it.name, open=not active, moved_ms=at_ms, how=how)

    def _move(self, it: _Watched, edge: ContactEdge) -> None:
        if edge.active != it.raw:
            it.raw = edge.active
            it.moved_ms = edge.at_ms
            it.since_ms = edge.at_ms if it.since_ms is None else it.since_ms

    def _settled_by(self, it: _Watched, now_ms: int) -> list[tuple[int, ContactReport]]:
        """What is certain about this contact at this time, with the times: that it is unsteady, or that it rests in
        another position than was reported."""
        if it.since_ms is None:
            return []
        reports: list[tuple[int, ContactReport]] = []
        rested_ms = it.moved_ms + DEBOUNCE_MS
        # It has bounced for so long by now, and was not at rest before that.
        if not it.unsteady and min(now_ms, rested_ms) >= it.since_ms + UNREST_MS:
            it.unsteady = True
            reports.append((it.since_ms, ContactUnsteady(it.name, it.since_ms)))
            if it.active:
                reports.append((it.since_ms, self._settle(it, False, it.since_ms, "live")))
        if now_ms >= rested_ms:
            at_ms = it.moved_ms if it.unsteady else it.since_ms
            it.since_ms, it.unsteady = None, False
            if it.raw != it.active:
                reports.append((at_ms, self._settle(it, it.raw, at_ms, "live")))
        return reports
