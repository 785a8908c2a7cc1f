"""The type of a bet: a small machine that only the dice move.

Bets are written as rules that read like the printed ones: `wins("pass").on(7, 11)`. `row` spreads rules over the 36
rolls. A win only names a `Slot` here: the game's pay tables have the amounts, and `layout.lay_out` applies the
game's policies.
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
    STANDS = 0
    RETURNED = 1
    TAKEN = 2


class Decided(enum.IntEnum):
    """What the roll decided. After a push the stake is neither won nor lost: it goes back or stays."""

    NOTHING = 0
    WIN = 1
    LOSE = 2
    PUSH = 3


class How(enum.IntEnum):
    """How a wager meets a roll: off, or working with the puck off or on. The last two differ only for bets that
    read the puck."""

    OFF = 0
    COME_OUT = 1
    POINT_ON = 2


class Slot(NamedTuple):
    """A named pay row. With `parts` the stake is split equally over that many rows, of which one wins."""

    row: str
    parts: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a roll does to a wager."""

    decided: Decided
    slot: Slot | None = None
    to: str | None = None
    """The state that the wager moves to; None if it stays or is gone."""
    stays_up: bool = False
    """The stake stands as a fresh wager; after a win only if the game lets winners stay up."""

    def on(self, *rolls: int | Roll | Iterable[Roll]) -> Rule:
        """The rule that this happens on these totals or rolls."""
        return Rule(frozenset().union(*map(_indices, rolls)), self)


class Rule(NamedTuple):
    """An outcome, and the indices of the rolls that lead to it."""

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
    """The wager moves to another state, undecided."""
    return Outcome(Decided.NOTHING, to=to)


@lru_cache
def _total_indices(total: int) -> frozenset[int]:
    return frozenset(roll.number for roll in ways(total))


def _indices(what: int | Roll | Iterable[Roll]) -> frozenset[int]:
    if isinstance(what, int):
        return _total_indices(what)
    return frozenset(roll.number for roll in ((what,) if isinstance(what, Roll) else what))


def row(*rules: Rule, otherwise: Outcome = STAYS) -> Row:
    cells: list[Outcome | None] = [None] * len(ROLLS)
    for rolls, outcome in rules:
        for index in rolls:
            assert cells[index] is None, f"two rules for {ROLLS[index]}"
            cells[index] = outcome
    return tuple(cell or otherwise for cell in cells)


UNTOUCHED = row()


class Drawn(Struct, frozen=True, omit_defaults=True):
    """Where a spot is on the felt, and what is printed there. The screen decides the geometry."""

    zone: str = "side"
    """A screen draws unknown zones in its side panel."""
    word: str = ""
    """The key of its label; a screen without that word prints the title. Empty for no label."""
    dice: tuple[int, ...] = ()
    """The pair that is printed on it."""
    tone: Literal["", "coral"] = ""
    role: Literal["", "line"] = ""
    """`line`: a beginner's first bet."""
    easy: bool = False
    """Beginners see it."""
    beginner: int = 0
    """Its position in the beginner's list; 0 if it is not listed."""
    flashes_puck: bool = False
    """The puck flashes when the bet is refused because no 7 was rolled (IB 6.2)."""


SIDE_PANEL = Drawn()


@dataclass(frozen=True, slots=True)
class State:
    """One state of a machine: what each roll does to a wager that works, and to one that is off."""

    working: Row
    off: Row = UNTOUCHED
    point_on: Row | None = None
    """For a bet that reads the puck: what each roll does with the puck on."""
    spot: str = ""
    """The spot of a wager in this state, if it differs from the bet's."""
    drawn: Drawn | None = None
    point: int = 0
    """The point that the wager has."""
    hits: tuple[int, ...] = ()
    """The totals that it has seen of those it waits for; in order, if the order matters."""
    count: int = 0

    def row(self, how: How) -> Row:
        if how is How.OFF:
            return self.off
        return self.point_on if how is How.POINT_ON and self.point_on else self.working


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """A bet's states by name. A fresh wager starts in the only one of `starts`; an odds wager starts in the state
    with the name of its flat bet's state. Machines are built once and compared by identity."""

    starts: tuple[str, ...]
    states: Mapping[str, State]

    def __post_init__(self) -> None:
        for name, state in self.states.items():
            for how in How:
                for outcome in state.row(how):
                    assert outcome.to is None or outcome.to in self.states, f"{name} goes to {outcome.to}"


@lru_cache(maxsize=2048)
def rows_of(machine: Machine) -> frozenset[str]:
    """The names of the pay rows that a machine uses."""
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
"""`point`: fixed once it has its point. `lower_only`: once it has its point, it may only be reduced or removed.
`first_roll`: fixed from its first roll on."""


@dataclass(frozen=True, slots=True)
class Bet:
    """A kind of bet: its machine, its source, and all that the table must know about it."""

    id: str
    """Also its spot on the felt."""
    title: str
    machine: Machine
    source: str
    family: str
    """What a game offers or leaves out together; for a side bet, the name of its side game."""
    number: int = 0
    """The total that the bet is on, if any."""
    drawn: Drawn = SIDE_PANEL
    order: int = 100
    """Spots are sorted by this, then as in the catalogue."""
    flat: str = ""
    """For odds: the bet they back."""
    parts: int = 1
    """The stake is split into this many parts, each a multiple of the step (the Horn bet)."""
    side: bool = False
    part: str = ""
    """Its name within a side game of several bets, which a game may offer one by one."""
    one_roll: bool = False

    # When it may be placed
    opens: Opens = Opens.ANY_ROLL
    reopens: frozenset[int] = frozenset()
    """It may also be placed once the table has seen all of these totals since the last 7 (ruling 22)."""
    needs_line: bool = False
    """It needs a Pass or Don't Pass wager (ruling 35)."""
    needs_main_cents: int = 0
    """The least money on the main game that it needs."""
    excluded_by: frozenset[str] = frozenset()
    """The bets whose wagers exclude it (RULES 3)."""

    # What may be done with a wager on it
    contract: Contract = ""
    banned_once_lowered: bool = False
    """Once reduced or taken down after a roll, it cannot be placed again in the same cycle (ruling 14)."""
    off_able: bool = False
    """The player may switch it off (RULES 6)."""
    rests_on_come_out: bool = False
    """It goes off automatically on a come-out roll (STW "Automatic chip on/off")."""
    starts_off: bool = False
    """Placed between a seven-out and the next point, it starts off, if the game chose so (ruling 49)."""
    comes_on: bool = False
    """If off, it comes on automatically after a point is set or a 7 (IB 3.2)."""
    pressable: bool = False
    """The number buttons bet on it, and after a win the player may press or move it (IB 2.6, 3; RTW 5)."""

    # What it means for its owner and the table
    is_line: bool = False
    """Pass or Don't Pass: its owner may shoot (RULES 10)."""
    shoots_at_point: bool = False
    """Its owner may shoot once it has its point, if no seat has a line wager."""
    needs_puck: bool = False
    """A wager on it prevents turning the puck off by hand (ruling 21)."""

    # What it waits for
    collects: tuple[int, ...] = ()
    """The totals that it waits for, or that win it."""
    sequences: tuple[tuple[int, ...], ...] = ()
    """The totals in order, if the order matters; the first roll chooses between two sequences."""
    climbs: bool = False
    """It pays by how far it gets."""
    counts_since: bool = False
    """Screens show how many rolls ago its pair was rolled (IB "# of rolls since last")."""

    @property
    def enables(self) -> bool:
        """Whether it enables the number buttons (IB 3)."""
        return self.is_line or self.one_roll

    @property
    def counts_rolls(self) -> bool:
        return any(state.count for state in self.machine.states.values())

    @property
    def reads_puck(self) -> bool:
        """Whether its machine depends on the puck."""
        return any(state.point_on for state in self.machine.states.values())
