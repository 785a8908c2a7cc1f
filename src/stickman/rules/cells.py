"""Machines compiled into dense integer cells, which the live table, the par sheets and the simulator read. Here the
game decides whether a winner stays up. A pay *for 1* includes the stake, so the house takes it."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from stickman.rules.dice import ROLLS
from stickman.rules.machine import Decided, How, Machine, Outcome, Slot, Stake

ROW = len(ROLLS)
"""The cells of one state and how."""
STATE = len(How) * ROW
"""The cells of one state."""
GONE = -1
"""The next state of a wager that has left the felt."""


def index(state: int, how: How, roll: int = 0) -> int:
    """Where the cell of a state, a how and a roll is in the arrays."""
    return state * STATE + how * ROW + roll


class Cell(NamedTuple):
    """What one roll does to a wager in one state, met in one way: the pay (the number of a slot, 0 for nothing),
    what happens to the stake, what is decided, and the next state."""

    pay: int
    stake: Stake
    decided: Decided
    next: int


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of many bets in four parallel arrays; `index` says where one is."""

    states: Mapping[str, range]
    """By bet: the numbers of its states, in the order of its machine."""
    slots: tuple[Slot | None, ...]
    """By number in `pay`; 0 is None."""
    pay: array[int]
    stake: array[int]
    decided: array[int]
    next: array[int]

    def row_slice(self, state: int, how: How) -> slice:
        """The slice of the arrays with the 36 cells of a state and a how."""
        start = index(state, how)
        return slice(start, start + ROW)

    def row(self, state: int, how: How) -> list[Cell]:
        return [self.cell(state, how, roll) for roll in range(len(ROLLS))]

    def cell(self, state: int, how: How, roll: int) -> Cell:
        at = index(state, how, roll)
        return Cell(self.pay[at], Stake(self.stake[at]), Decided(self.decided[at]), self.next[at])


@lru_cache(maxsize=256)
def lay(machines: tuple[tuple[str, Machine], ...], for_one: frozenset[str], stay_up: bool) -> Cells:
    """Compile the machines of bets, by id, given the pay rows printed *for 1*. Cells do not depend on how much is
    paid."""
    states: dict[str, range] = {}
    slots: dict[Slot | None, int] = {None: 0}
    pay, stake, decided, next_state = array("i"), array("b"), array("b"), array("i")
    first = 0
    for bet, machine in machines:
        block = _block(machine, for_one, stay_up)
        numbers = [slots.setdefault(slot, len(slots)) for slot in block.slots]
        pay.extend([numbers[number] for number in block.pay])
        stake.extend(block.stake)
        decided.extend(block.decided)
        next_state.extend([GONE if to == GONE else first + to for to in block.next])
        states[bet] = range(first, first + len(machine.states))
        first = states[bet].stop
    return Cells(states, tuple(slots), pay, stake, decided, next_state)


class Block(NamedTuple):
    """The cells of one machine, with its own numbers for slots and states."""

    slots: tuple[Slot | None, ...]
    pay: array[int]
    stake: array[int]
    decided: array[int]
    next: array[int]


@lru_cache(maxsize=2048)
def _block(machine: Machine, for_one: frozenset[str], stay_up: bool) -> Block:
    names = {name: number for number, name in enumerate(machine.states)}
    slots: dict[Slot | None, int] = {None: 0}
    columns: tuple[list[int], ...] = [], [], [], []

    def cell(outcome: Outcome, here: str) -> Cell:
        fate = _fate(outcome, for_one, stay_up)
        to = names[_next(outcome, here, machine)] if fate is Stake.STANDS else GONE
        return Cell(slots.setdefault(outcome.slot, len(slots)), fate, outcome.decided, to)

    for name, state in machine.states.items():
        # The same few rows and outcomes occur many times. Identity finds them faster than comparing 36 outcomes.
        rows: dict[int, list[tuple[int, ...]]] = {}
        for how in How:
            row = state.row(how)
            if id(row) not in rows:
                cells = {id(outcome): cell(outcome, name) for outcome in {id(o): o for o in row}.values()}
                rows[id(row)] = list(zip(*[cells[id(outcome)] for outcome in row], strict=True))
            for column, values in zip(columns, rows[id(row)], strict=True):  # in the order of a cell's fields
                column.extend(values)
    pay, stake, decided, next_state = columns
    return Block(tuple(slots), array("i", pay), array("b", stake), array("b", decided), array("i", next_state))


def _fate(outcome: Outcome, for_one: frozenset[str], stay_up: bool) -> Stake:
    """What happens to the stake. A winner's goes back to the player, or stands if bet and game let it stay up; with
    a pay *for 1* the house takes it. For a push the bet decides."""
    match outcome.decided:
        case Decided.NOTHING:
            return Stake.STANDS
        case Decided.LOSE:
            return Stake.TAKEN
        case Decided.PUSH:
            return Stake.STANDS if outcome.stays_up else Stake.RETURNED
        case Decided.WIN if outcome.slot and outcome.slot.row in for_one:
            return Stake.TAKEN
        case Decided.WIN:
            return Stake.STANDS if outcome.stays_up and stay_up else Stake.RETURNED


def _next(outcome: Outcome, here: str, machine: Machine) -> str:
    """The next state of a stake that stands. After a decision it is a new wager, in the only state in which its bet
    starts: odds, which have several, never stay up."""
    return machine.starts[0] if outcome.decided else outcome.to or here
