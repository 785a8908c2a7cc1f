"""The type of a bet: a small machine that only the dice move.

A family of bets is written as rules that read like the printed ones, `wins("pass").on(7, 11)`; `row` spreads
them over the 36 rolls. What a win pays is only named here (a `Slot`): the game's pay tables say how much, and
`layout.compile` applies the game's policies.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from stickman.rules.dice import ROLLS, Roll, ways


class Stake(enum.IntEnum):
    """What becomes of the stake."""

    STANDS = 0
    RETURNED = 1
    TAKEN = 2


class Decided(enum.IntEnum):
    """What the roll decided. A push gives the money back, or lets it lie, neither won nor lost."""

    NOTHING = 0
    WIN = 1
    LOSE = 2
    PUSH = 3


class How(enum.IntEnum):
    """How a wager meets a roll: off, or working with the puck off or on. Only bets that read the puck tell
    the last two apart."""

    OFF = 0
    COME_OUT = 1
    POINT_ON = 2


class Slot(NamedTuple):
    """A named pay row; with `parts` the stake lies in equal parts on that many rows, of which one wins."""

    row: str
    parts: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rule says a roll does to a wager."""

    decided: Decided
    slot: Slot | None = None
    to: str | None = None
    """The state the wager goes to; None: where it is, or gone."""
    stays_up: bool = False
    """The stake stands again as a fresh wager: after a win only where the game lets winners stay up."""

    def on(self, *rolls: int | Roll | Iterable[Roll]) -> Rule:
        """Say on which totals or rolls this happens."""
        return Rule(frozenset().union(*map(_indices, rolls)), self)


class Rule(NamedTuple):
    """An outcome and the rolls, by index, that bring it."""

    rolls: frozenset[int]
    outcome: Outcome


Row = tuple[Outcome, ...]

STAYS = Outcome(Decided.NOTHING)
LOSES = Outcome(Decided.LOSE)
PUSHES = Outcome(Decided.PUSH, stays_up=True)
"""Neither won nor lost: the stake stands, as if just placed (ruling 1)."""
RETURNS = Outcome(Decided.PUSH)
"""The stake goes back to the player."""


@lru_cache
def wins(row: str, parts: int = 1, *, stays_up: bool = False) -> Outcome:
    """A win paid by the named pay row."""
    return Outcome(Decided.WIN, Slot(row, parts), stays_up=stays_up)


@lru_cache
def moves(to: str) -> Outcome:
    """The wager goes to another state, nothing decided."""
    return Outcome(Decided.NOTHING, to=to)


@lru_cache
def _total_indices(total: int) -> frozenset[int]:
    return frozenset(roll.number for roll in ways(total))


def _indices(what: int | Roll | Iterable[Roll]) -> frozenset[int]:
    if isinstance(what, int):
        return _total_indices(what)
    return frozenset(roll.number for roll in ((what,) if isinstance(what, Roll) else what))


def row(*rules: Rule, otherwise: Outcome = STAYS) -> Row:
    """Spread rules over the 36 rolls. Two rules for one roll are a mistake of ours."""
    cells: list[Outcome | None] = [None] * len(ROLLS)
    for rolls, outcome in rules:
        for index in rolls:
            assert cells[index] is None, f"two rules for {ROLLS[index]}"
            cells[index] = outcome
    return tuple(cell or otherwise for cell in cells)


UNTOUCHED = row()


@dataclass(frozen=True, slots=True)
class State:
    """One state of a machine: what each roll does when the wager works and when it is off."""

    working: Row
    off: Row = UNTOUCHED
    point_on: Row | None = None
    """For a bet that reads the puck: what each roll does while the puck is on."""
    locked: bool = False
    """The wager is a contract: no increase, reduction or removal."""
    spot: str = ""
    """Where on the felt a wager in this state lies, if not on its bet's own spot."""

    def row(self, how: How) -> Row:
        if how is How.OFF:
            return self.off
        return self.point_on if how is How.POINT_ON and self.point_on else self.working


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """A bet's states by name. A fresh wager starts in the only one of `starts`, an odds wager in that named
    like the state of its flat bet. Machines are built once and told apart by identity."""

    starts: tuple[str, ...]
    states: Mapping[str, State]

    def __post_init__(self) -> None:
        for name, state in self.states.items():
            for how in How:
                for outcome in state.row(how):
                    assert outcome.to is None or outcome.to in self.states, f"{name} goes to {outcome.to}"


@dataclass(frozen=True, slots=True)
class Bet:
    """A kind of bet: its spot on the felt, its machine, and the rule it comes from."""

    id: str
    title: str
    machine: Machine
    source: str
    family: str
    """What a game puts on offer or leaves out as one; for a side bet the name of its side game."""
    number: int = 0
    """The total the bet is on, where it is on one."""
    flat: str = ""
    """For odds: the bet they back."""
    parts: int = 1
    """Stakes are multiples of so many steps, for the stake lies in that many parts (the Horn bet)."""
    side: bool = False
    one_roll: bool = False
    off_able: bool = False
    """The player may switch it off (RULES 6)."""
    rests_on_come_out: bool = False
    """Goes off by itself on a come-out roll where the game says so (STW "Automatic chip on/off")."""
