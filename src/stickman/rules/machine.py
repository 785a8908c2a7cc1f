"""The type of a bet: a small machine that only the dice move.

A family of bets is written as rules that read like the printed ones, `wins("pass").on(7, 11)`; `row` spreads
them over the 36 rolls. What a win pays is only named here (a `Slot`): the game's pay tables say how much, and
`layout.lay_out` applies the game's policies.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from msgspec import Struct

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


class Drawn(Struct, frozen=True, omit_defaults=True):
    """Where on the felt a spot is, and what is printed there. The geometry is the screen's."""

    zone: str = "side"
    """Where on the felt; a screen draws a zone that it does not know in its side panel."""
    word: str = ""
    """The key of its label; a screen without that word prints the title. Empty: no label."""
    dice: tuple[int, ...] = ()
    """The pair that is printed on it."""
    tone: Literal["", "coral"] = ""
    role: Literal["", "line"] = ""
    """`line`: the first bet of a beginner."""
    easy: bool = False
    """Beginners see it."""
    beginner: int = 0
    """Its place in the list beside the beginner's felt; 0: not in it."""
    flashes_puck: bool = False
    """The puck flashes when it is refused because no 7 was rolled (IB 6.2)."""


BESIDE = Drawn()


@dataclass(frozen=True, slots=True)
class State:
    """One state of a machine: what each roll does when the wager works and when it is off."""

    working: Row
    off: Row = UNTOUCHED
    point_on: Row | None = None
    """For a bet that reads the puck: what each roll does while the puck is on."""
    spot: str = ""
    """Where on the felt a wager in this state lies, if not on its bet's own spot."""
    drawn: Drawn | None = None
    """What is printed on that spot."""
    point: int = 0
    """The point that the wager has."""
    hits: tuple[int, ...] = ()
    """The totals that it has seen, of those it waits for; in their order where it waits for an order."""
    count: int = 0
    """The rolls that it has counted."""

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


@lru_cache(maxsize=2048)
def rows_of(machine: Machine) -> frozenset[str]:
    """The pay rows that a machine can pay by."""
    rows = {id(row): row for state in machine.states.values() for row in map(state.row, How)}
    return frozenset(outcome.slot.row for row in rows.values() for outcome in row if outcome.slot)


class Opens(enum.Enum):
    """When a bet may be placed (RULES 3, 9, 15.3)."""

    ANY_ROLL = enum.auto()
    COME_OUT = enum.auto()
    POINT_ON = enum.auto()
    SINCE_POINT = enum.auto()
    """From the first point of a hand until the seven-out."""
    BEHIND_FLAT = enum.auto()
    """While its flat bet has its point."""
    HAND_START = enum.auto()
    AFTER_SEVEN = enum.auto()
    """After any 7, or before the first roll."""


Contract = Literal["", "point", "lower_only", "first_roll"]
"""`point`: fixed once it has its point. `lower_only`: then it may be reduced or removed, never increased.
`first_roll`: fixed from its first roll on."""


@dataclass(frozen=True, slots=True)
class Bet:
    """A kind of bet: its machine, the rule it comes from, and all that the table must know of it."""

    id: str
    """Also its spot on the felt."""
    title: str
    machine: Machine
    source: str
    family: str
    """What a game puts on offer or leaves out as one; for a side bet the name of its side game."""
    number: int = 0
    """The total the bet is on, where it is on one."""
    drawn: Drawn = BESIDE
    order: int = 100
    """Spots are listed by this, then as in the catalogue."""
    flat: str = ""
    """For odds: the bet they back."""
    parts: int = 1
    """Stakes are multiples of so many steps, for the stake lies in that many parts (the Horn bet)."""
    side: bool = False
    one_roll: bool = False

    # When it may be placed
    opens: Opens = Opens.ANY_ROLL
    reopens: frozenset[int] = frozenset()
    """It may also be placed once the table has seen all of these totals since the last 7 (ruling 22)."""
    needs_line: bool = False
    """It needs a Pass or Don't Pass wager (ruling 35)."""
    needs_main_cents: int = 0
    """What must lie on the main game."""
    excluded_by: frozenset[str] = frozenset()
    """The bets whose wagers keep it out (RULES 3)."""

    # What may be done with it once it lies
    contract: Contract = ""
    banned_once_lowered: bool = False
    """Reduced or taken down after a roll, it is not placed again in the same cycle (ruling 14)."""
    off_able: bool = False
    """The player may switch it off (RULES 6)."""
    rests_on_come_out: bool = False
    """Goes off by itself on a come-out roll (STW "Automatic chip on/off")."""
    starts_off: bool = False
    """Placed between a seven-out and the next point it starts off, where the game says so (ruling 49)."""
    comes_on: bool = False
    """Off, it comes on by itself after a point is set or a 7 (IB 3.2)."""
    pressable: bool = False
    """The number buttons put chips on it, and a win offers to press or move it (IB 2.6, 3; RTW 5)."""

    # What it means for its owner and the table
    is_line: bool = False
    """Pass or Don't Pass: its owner may shoot (RULES 10)."""
    shoots_at_point: bool = False
    """Its owner may shoot once it has its point, where no seat has a line wager."""
    needs_puck: bool = False
    """While it lies nobody puts the puck off by hand (ruling 21)."""

    # What it waits for
    collects: tuple[int, ...] = ()
    """The totals that it waits for, or that win it."""
    sequences: tuple[tuple[int, ...], ...] = ()
    """The totals in their order, where it waits for an order; the first roll chooses between two."""
    climbs: bool = False
    """It pays by how far it gets."""
    counts_since: bool = False
    """How many rolls ago its pair was rolled is shown (IB "# of rolls since last")."""

    @property
    def enables(self) -> bool:
        """Whether it lets the number buttons be pressed (IB 3)."""
        return self.is_line or self.one_roll

    @property
    def counts_rolls(self) -> bool:
        return any(state.count for state in self.machine.states.values())

    @property
    def reads_puck(self) -> bool:
        """Whether its machine tells the puck on from the puck off."""
        return any(state.point_on for state in self.machine.states.values())
