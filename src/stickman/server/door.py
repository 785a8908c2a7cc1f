"""The front door: what a visitor may know of a floor, and who may sit down at a demonstration without a code."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal

from stickman.floor.events import Place
from stickman.floor.office import Terminal
from stickman.server import answers as a
from stickman.server import demo, demo_devices
from stickman.server.floor import LINK_LOST_MS, LiveFloor
from stickman.server.pit import Pit
from stickman.table.state import Table

SCREENS_AT_ONCE = 8
"""Browsers that may be the same display, dealer's terminal or office of a demonstration; a seat is one browser."""
SeatState = Literal["free", "taken", "away", "yours"]


class Door:
    """Where visitors of a floor come in."""

    def __init__(self, floor: LiveFloor) -> None:
        self._floor = floor
        self._sat_ms: dict[Place, int] = {}
        """By seat, when a browser was enrolled there last; it takes a moment to connect."""

    def shows(self, mine: Collection[Terminal]) -> a.FrontDoor:
        """What this visitor may know; `mine` are the terminals that their browser is."""
        here = tuple(terminal.place for terminal in mine)
        if not self._floor.plan.demo:
            return a.FrontDoor(demo=False, here=here)
        return a.FrontDoor(
            demo=True,
            here=here,
            tables=tuple(self._tables({terminal.id for terminal in mine})),
            badges=tuple(a.DoorBadge(badge=badge, role=role) for badge, role in demo.STAFF.items()),
            password=demo.PASSWORD,
        )

    def _tables(self, mine: Collection[str]) -> Iterator[a.DoorTable]:
        for number, planned in self._floor.plan.tables.items():
            if pit := self._floor.pits.get(number):
                table = pit.table
                yield a.DoorTable(
                    table=number,
                    name=planned.name,
                    game=table.game.name,
                    phase=table.phase,
                    puck=table.hand.puck,
                    paused=table.paused,
                    seats=tuple(self._seat(pit, Place("seat", number, seat.number), mine) for seat in table.seats),
                )

    def _seat(self, pit: Pit, place: Place, mine: Collection[str]) -> a.DoorSeat:
        found = self.state(pit, place, mine)
        shown = _money(pit.table, place.seat) if found in ("free", "yours") else 0
        return a.DoorSeat(seat=place.seat, state=found, money_cents=shown)

    def state(self, pit: Pit, place: Place, mine: Collection[str]) -> SeatState:
        """Whether a visitor may sit down at a seat. It is taken while another browser is connected there, or was a
        moment ago, while a ticket prints, and while its player has reserved it. Bets, or more money than the first
        bills, keep it for the player who is away, unless another visitor asks for just this seat."""
        terminal, seat, now_ms = self._floor.at(place), pit.table.seat(place.seat), self._floor.clock.now_ms()
        if terminal and terminal.id in mine:
            return "yours"
        if now_ms - self._sat_ms.get(place, -LINK_LOST_MS) < LINK_LOST_MS:
            return "taken"
        if terminal is None:
            return "free"
        if seat.terminal.linked or seat.terminal.printing or seat.stay.reserved_until_ms > now_ms:
            return "taken"
        left = bool(seat.felt.wagers) or _money(pit.table, place.seat) > demo_devices.WELCOME_CENTS
        return "away" if left else "free"

    def sat(self, place: Place) -> None:
        """A browser was enrolled here."""
        self._sat_ms[place] = self._floor.clock.now_ms()


def _money(table: Table, seat: int) -> int:
    return table.credit(seat) + table.seat(seat).felt.money_cents


def keeps(place: Place) -> int:
    """How many browsers may be at a place."""
    return 1 if place.screen == "seat" else SCREENS_AT_ONCE
