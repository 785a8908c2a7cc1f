"""Strategies: a player's habits in plain Python, and the money they play with.

A habit looks at what a player sees and yields the bets it wants. Only rolls change its memory. It does not see the
credit: bets that the player cannot afford are skipped, and the felt refuses illegal ones.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from stickman.rules import felt
from stickman.rules.dice import Roll
from stickman.rules.felt import Amounts, Felt, Line, Reason, Situation
from stickman.rules.layout import Switch

Memory = Hashable


class Unplayable(Exception):
    """A strategy or terms that cannot be played: what was found, and what is allowed."""


class Bet(NamedTuple):
    """Have at least this much on a spot."""

    spot: str
    cents: int


class Down(NamedTuple):
    """Have at most this much on a spot; by default, take the wager down."""

    spot: str
    cents: int = 0


class Marker(NamedTuple):
    """Switch a wager on or off."""

    spot: str
    to: Switch


Wish = Bet | Down | Marker


def grant(here: Situation, wish: Wish) -> Felt | Reason:
    """The felt after a wish, or why it is refused."""
    match wish:
        case Bet(spot, cents):
            there = here.felt.wagers.get(spot)
            return felt.place(here, spot, cents - there.stake_cents if there else cents)
        case Down(spot, cents):
            there = here.felt.wagers.get(spot)
            return felt.take(here, spot, there.stake_cents - cents if there else None)
        case Marker(spot, to):
            return felt.switch(here, spot, to)


class Sees:
    """What a player sees before a roll: the puck, their own wagers and memory, and what may be bet."""

    __slots__ = ("_here", "memory")

    def __init__(self, here: Situation, memory: Memory) -> None:
        self._here = here
        self.memory = memory

    @property
    def puck(self) -> int:
        """The point, or 0."""
        return self._here.hand.puck

    @property
    def points(self) -> tuple[int, ...]:
        """The numbers that can be points in this game."""
        return self._here.layout.game.point_numbers

    @property
    def spots(self) -> list[str]:
        """The spots of the player's wagers, sorted."""
        return sorted(self._here.felt.wagers)

    def stake(self, spot: str) -> int:
        wager = self._here.felt.wagers.get(spot)
        return wager.money_cents if wager else 0

    def may_add(self, spot: str) -> Amounts | Reason:
        """What may be added to a spot now, or why nothing may."""
        return felt.offer(self._here, spot).place

    def may_take(self, spot: str) -> Amounts | Reason:
        """What may be taken from a spot now, or why nothing may."""
        return felt.offer(self._here, spot).take


class RollResult(NamedTuple):
    """What a player learns from a roll."""

    roll: Roll
    puck: int
    """Before the roll."""
    lines: Sequence[Line]
    """What the roll did to the player's wagers."""


@dataclass(frozen=True)
class Habit:
    """One habit of a player. `wants` is called before each roll, `learns` after it."""

    wants: Callable[[Sees], Iterable[Wish]]
    learns: Callable[[Memory, RollResult], Memory] | None = None
    memory: Memory = None
    """At the start of a session."""


@dataclass(frozen=True)
class Strategy:
    """Habits that bet in turn before each roll; each sees what those before it have bet.

    >>> both = Strategy("pass", (Habit(lambda sees: [Bet("pass", 1000)]),)) + Strategy("field", ())
    >>> both.name, len(both.habits)
    ('pass + field', 1)
    """

    name: str
    habits: tuple[Habit, ...]
    about: str = field(default="", compare=False)

    def __add__(self, other: Strategy) -> Strategy:
        return Strategy(f"{self.name} + {other.name}", self.habits + other.habits)

    @property
    def memory(self) -> tuple[Memory, ...]:
        return tuple(habit.memory for habit in self.habits)

    def learn(self, memory: tuple[Memory, ...], result: RollResult) -> tuple[Memory, ...]:
        return tuple(
            habit.learns(own, result) if habit.learns else own
            for habit, own in zip(self.habits, memory, strict=True)
        )


@dataclass(frozen=True)
class Terms:
    """The money and the length of a session. The felt has the table's limits."""

    bankroll_cents: int
    rolls_max: int
    stop_loss_cents: int | None = None
    """Leave when this much is lost."""
    win_goal_cents: int | None = None
    """Leave when this much is won."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and value < 1:
                raise Unplayable(f"{name} {value}; allowed: 1 and more")

    @property
    def floor_cents(self) -> int:
        """The equity at which the stop loss ends a session; -1 is never reached."""
        return -1 if self.stop_loss_cents is None else self.bankroll_cents - self.stop_loss_cents

    @property
    def goal_cents(self) -> int:
        """The equity at which the win goal ends a session."""
        return UNLIMITED_CENTS if self.win_goal_cents is None else self.bankroll_cents + self.win_goal_cents


UNLIMITED_CENTS = 1 << 60
"""More than anyone has."""
