"""One player at one felt: `seat.bets("pass", 10).rolls(6)`. Nothing is between a test and the rules of the felt."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from enum import Enum

from stickman.rules.felt import (
    NO_POWER,
    Amounts,
    Felt,
    Hand,
    Line,
    Offer,
    Reason,
    Situation,
    Wager,
    offer,
    place,
    roll,
    switch,
    take,
)
from stickman.rules.layout import Layout, Switch
from tests.talk import Dice, Money, as_roll, in_cents, named
from tests.talk.games import full, laid

ON, OFF, UNTOUCHED = Switch.ON, Switch.OFF, Switch.UNTOUCHED


class FeltTalk:
    """A felt that is told what to do."""

    def __init__(self, name: str, *changes: str, every_side_game: bool = False) -> None:
        self.layout: Layout = full(name, *changes) if every_side_game else laid(name, *changes)
        self.hand = Hand()
        self.felt = Felt()
        self._expects: str | None = None

    @property
    def situation(self) -> Situation:
        return Situation(self.layout, self.hand, self.felt)

    def twin(self) -> FeltTalk:
        """Another felt that stands exactly as this one; what is done at one is not done at the other."""
        return copy(self)

    def refused(self, why: Enum | str | None) -> FeltTalk:
        """A twin whose next deed must be refused for this reason; None: it must be accepted."""
        found = copy(self)
        found._expects = named(why)
        return found

    def _becomes(self, answer: Felt | Reason) -> FeltTalk:
        if self._expects:
            assert isinstance(answer, Reason), f"accepted, and not {self._expects}"
            assert named(answer) == self._expects, answer
        else:
            assert isinstance(answer, Felt), answer
            self.felt = answer
        return self

    # Betting

    def bets(self, spot: str, amount: Money) -> FeltTalk:
        return self._becomes(place(self.situation, spot, in_cents(amount)))

    def takes(self, spot: str, amount: Money | None = None) -> FeltTalk:
        return self._becomes(take(self.situation, spot, None if amount is None else in_cents(amount)))

    def off(self, spot: str) -> FeltTalk:
        return self._becomes(switch(self.situation, spot, OFF))

    def on(self, spot: str) -> FeltTalk:
        return self._becomes(switch(self.situation, spot, ON))

    # The dice

    def rolls(self, *rolled: Dice, power: Mapping[str, str] = NO_POWER, sits_out: bool = False) -> FeltTalk:
        for one in rolled:
            dice = as_roll(one)
            self.felt, lines = roll(self.situation, dice, power, sits_out=sits_out)
            self.hand = self.hand.after(dice, self.layout)
            self.lines = {line.spot: line for line in lines}
            assert len(self.lines) == len(lines)
        return self

    # What is seen

    lines: dict[str, Line]
    """What the last roll did here, by spot."""

    def wager(self, spot: str) -> Wager:
        return self.felt.wagers[spot]

    @property
    def lies(self) -> dict[str, int]:
        """The stakes on the felt by spot."""
        return {spot: wager.stake_cents for spot, wager in self.felt.wagers.items()}

    def offer(self, spot: str) -> Offer:
        return offer(self.situation, spot)

    def may_bet(self, spot: str) -> Amounts:
        """The amounts on offer; fails where there are none."""
        amounts = self.offer(spot).place
        assert isinstance(amounts, Amounts), f"{spot}: {amounts}"
        return amounts

    def may_take(self, spot: str) -> Amounts:
        amounts = self.offer(spot).take
        assert isinstance(amounts, Amounts), f"{spot}: {amounts}"
        return amounts


def after_point(name: str, *changes: str) -> FeltTalk:
    """A felt at a table whose point is 4."""
    return FeltTalk(name, *changes).rolls(4)
