"""One player at one felt, told what to do as a test reads: `seat.bets("pass", 1000)`, `seat.rolls(6)`."""

from collections.abc import Mapping
from functools import cache

from stickman.par.sheet import full_layout
from stickman.rules.dice import Roll, ways
from stickman.rules.felt import (
    NO_POWER,
    Amounts,
    Felt,
    Hand,
    Line,
    Offer,
    Reason,
    Seat,
    Wager,
    offer,
    place,
    roll,
    switch,
    take,
)
from stickman.rules.layout import Layout, Switch
from tests.rulings.felt_talk import LED_GAMES, game, laid

COME_GAMES = ["craps", "crapless", *LED_GAMES]
DONT_GAMES = ["craps", *LED_GAMES]
SIX, TEN = (4, 5, 6, 8, 9, 10), (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
ON, OFF, UNTOUCHED = Switch.ON, Switch.OFF, Switch.UNTOUCHED


@cache
def full(name: str, *changes: str) -> Layout:
    """A game laid out with every side game on."""
    return full_layout(game(name, *changes))


class Seated:
    """Each deed must be accepted; `why_not_…` are for those that must not be."""

    def __init__(self, name: str, *changes: str, every_side_game: bool = False) -> None:
        self.layout: Layout = full(name, *changes) if every_side_game else laid(name, *changes)
        self.hand = Hand()
        self.felt = Felt()

    @property
    def seat(self) -> Seat:
        return Seat(self.layout, self.hand, self.felt)

    def bets(self, spot: str, cents: int) -> "Seated":
        self.felt = accepted(place(self.seat, spot, cents))
        return self

    def takes(self, spot: str, cents: int | None = None) -> "Seated":
        self.felt = accepted(take(self.seat, spot, cents))
        return self

    def switches(self, spot: str, to: Switch) -> "Seated":
        self.felt = accepted(switch(self.seat, spot, to))
        return self

    def rolls(
        self, *rolled: int | str, power: Mapping[str, str] = NO_POWER, sits_out: bool = False
    ) -> dict[str, Line]:
        """Roll totals (the easy way where there is one) or dice; the lines of the last roll by spot."""
        lines: list[Line] = []
        for one in rolled:
            dice = Roll.parse(one) if isinstance(one, str) else ways(one)[0]
            self.felt, lines = roll(self.seat, dice, power, sits_out=sits_out)
            self.hand = self.hand.after(dice, self.layout)
        assert len({line.spot for line in lines}) == len(lines)
        return {line.spot: line for line in lines}

    def wager(self, spot: str) -> Wager:
        return self.felt.wagers[spot]

    def lies(self) -> dict[str, int]:
        """The stakes on the felt by spot."""
        return {spot: wager.stake_cents for spot, wager in self.felt.wagers.items()}

    def offer(self, spot: str) -> Offer:
        return offer(self.seat, spot)

    def why_not_bet(self, spot: str, cents: int = 1000) -> Reason | None:
        return refusal(place(self.seat, spot, cents))

    def why_not_take(self, spot: str, cents: int | None = None) -> Reason | None:
        return refusal(take(self.seat, spot, cents))

    def why_not_switch(self, spot: str, to: Switch) -> Reason | None:
        return refusal(switch(self.seat, spot, to))

    def may_bet(self, spot: str) -> Amounts:
        """The amounts on offer; fails where there are none."""
        amounts = self.offer(spot).place
        assert isinstance(amounts, Amounts), f"{spot}: {amounts}"
        return amounts

    def may_take(self, spot: str) -> Amounts:
        amounts = self.offer(spot).take
        assert isinstance(amounts, Amounts), f"{spot}: {amounts}"
        return amounts


def points(name: str) -> tuple[int, ...]:
    return TEN if name in ("crapless", "easy") else SIX


def after_point(name: str, *changes: str) -> Seated:
    """A seat at a table whose point is 4."""
    seat = Seated(name, *changes)
    seat.rolls(4)
    return seat


def accepted(answer: Felt | Reason) -> Felt:
    assert isinstance(answer, Felt), answer
    return answer


def refusal(answer: Felt | Reason) -> Reason | None:
    """Why it was refused; None: it was not."""
    return None if isinstance(answer, Felt) else answer
