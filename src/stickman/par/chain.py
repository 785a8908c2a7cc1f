"""A wager as a chain of states: how it ends, with what chance, after how many rolls. Exact.

A chain is explored from the cells, with the puck if it matters, and solved in fractions, one knot of states at a
time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from stickman.rules.cells import GONE, Cells
from stickman.rules.dice import ROLLS
from stickman.rules.machine import Decided, How, Slot, Stake


class Ending(NamedTuple):
    """How a bet may end: what the roll decided, the pay slot, and what happened to the stake."""

    decided: Decided
    slot: Slot | None
    stake: Stake
    stopped_at: int = GONE
    """The state in which the walk stops, if it gets there unresolved."""


class Node(NamedTuple):
    """A wager's state and the puck (0 if it is off or does not matter)."""

    state: int
    puck: int = 0


Step = tuple[tuple["int | Ending", int], ...]
"""Where a node leads (the number of another node, or an ending), and on how many of the 36 rolls."""
Chain = tuple[Step, ...]
"""The steps of every node; node 0 is the start."""


class Solution(NamedTuple):
    """How a wager at the start of a chain ends."""

    endings: dict[Ending, Fraction]
    mean_rolls: Fraction


class NeverEnds(ArithmeticError):
    """A chain that may never end: a mistake in a bet."""


class Walk(NamedTuple):
    """How a wager is followed through its cells."""

    cells: Cells
    how: Callable[[Node], How]
    puck_next: Mapping[int, tuple[int, ...]] | None = None
    """The puck's moves, if the walk follows the puck too."""
    stop_at: frozenset[int] = frozenset()
    """The walk also ends in these states."""


def explore(start: Node, walk: Walk) -> Chain:
    """Follow a wager wherever the 36 rolls lead, until a roll decides it or takes it off the felt."""
    numbers = {start: 0}
    found = [start]
    steps = []
    for node in found:  # the list grows during the loop
        step: Counter[int | Ending] = Counter()
        for cell, count in _different_cells(node, walk):
            target = _ending(cell, walk)
            if target is None:
                there = Node(cell[3], cell[4])
                if there not in numbers:
                    numbers[there] = len(found)
                    found.append(there)
                step[numbers[there]] += count
            else:
                step[target] += count
        steps.append(tuple(step.items()))
    return tuple(steps)


NO_PUCK = (0,) * len(ROLLS)


def _different_cells(node: Node, walk: Walk) -> Iterable[tuple[tuple[int, int, int, int, int], int]]:
    """The node's different cells (pay, stake, decided, next state, next puck), each with its number of rolls."""
    cells = walk.cells
    row = cells.row_slice(node.state, walk.how(node))
    puck = walk.puck_next[node.puck] if walk.puck_next else NO_PUCK
    columns = cells.pay[row], cells.stake[row], cells.decided[row], cells.next[row], puck
    return Counter(zip(*columns, strict=True)).items()


def _ending(cell: tuple[int, int, int, int, int], walk: Walk) -> Ending | None:
    pay, stake, decided, to, _ = cell
    if decided or stake:
        return Ending(Decided(decided), walk.cells.slots[pay], Stake(stake))
    if to in walk.stop_at:
        return Ending(Decided.NOTHING, None, Stake.STANDS, stopped_at=to)
    return None


Unknowns = dict["Ending | None", Fraction]
"""For one node: the chance of each ending and, under None, the mean number of rolls."""


@lru_cache(maxsize=1024)
def solve(chain: Chain) -> Solution:
    """The chance of every ending and the mean number of rolls. Proves that the chain ends."""
    solved: dict[int, Unknowns] = {}
    for knot in knots(chain):
        _untie(chain, knot, solved)
    endings = dict(solved[0])
    mean_rolls = endings.pop(None)
    if sum(endings.values()) != 1:
        raise NeverEnds(f"it ends with chance {sum(endings.values())} only")
    return Solution({ending: p for ending, p in endings.items() if ending is not None}, mean_rolls)


def _untie(chain: Chain, knot: list[int], solved: dict[int, Unknowns]) -> None:
    """Solve the nodes of a knot by elimination, given all that they lead to."""
    inside: dict[int, dict[int, Fraction]] = {}
    outside: dict[int, Unknowns] = {}
    for at, node in enumerate(knot):  # forward: each node in terms of those after it
        inside[node], outside[node] = _one_roll(chain[node], knot, solved)
        for before in knot[:at]:
            _put(inside[node], outside[node], before, inside[before], outside[before])
        stays = inside[node].pop(node, Fraction(0))
        if stays == 1:
            raise NeverEnds("a state leads only to itself")
        _scale(inside[node], outside[node], 1 / (1 - stays))
    for node in reversed(knot):  # backward: those after it are known
        for after, chance in inside[node].items():
            _add(outside[node], chance, solved[after])
        solved[node] = outside[node]


def _one_roll(step: Step, knot: list[int], solved: dict[int, Unknowns]) -> tuple[dict[int, Fraction], Unknowns]:
    """One roll from a node: the chances of other nodes of its knot, and of what is already solved."""
    inside: dict[int, Fraction] = {}
    known: Unknowns = defaultdict(Fraction, {None: Fraction(1)})
    for target, count in step:
        chance = Fraction(count, len(ROLLS))
        if isinstance(target, Ending):
            known[target] += chance
        elif target in knot:
            inside[target] = chance
        else:
            _add(known, chance, solved[target])
    return inside, known


def _put(
    row: dict[int, Fraction], known: Unknowns, node: int, node_row: dict[int, Fraction], node_known: Unknowns
) -> None:
    """Replace a node by its expression in other nodes."""
    if chance := row.pop(node, Fraction(0)):
        for target, inner in node_row.items():
            row[target] = row.get(target, Fraction(0)) + chance * inner
        _add(known, chance, node_known)


def _scale(row: dict[int, Fraction], known: Unknowns, factor: Fraction) -> None:
    for target in row:
        row[target] *= factor
    for key in known:
        known[key] *= factor


def _add(total: Unknowns, factor: Fraction, values: Unknowns) -> None:
    for key, value in values.items():
        total[key] += factor * value


def knots(chain: Chain) -> Iterator[list[int]]:
    """The strongly connected parts of the chain, each after all parts that it leads to (Tarjan, without
    recursion)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    open_nodes: list[int] = []
    is_open: set[int] = set()
    path = [(0, _targets(chain[0]))]
    while path:
        node, targets = path[-1]
        if node not in order:
            order[node] = low[node] = len(order)
            open_nodes.append(node)
            is_open.add(node)
        for target in targets:
            if target not in order:
                path.append((target, _targets(chain[target])))
                break
            if target in is_open:
                low[node] = min(low[node], order[target])
        else:
            path.pop()
            if path:
                parent = path[-1][0]
                low[parent] = min(low[parent], low[node])
            if low[node] == order[node]:
                knot = open_nodes[open_nodes.index(node) :]
                del open_nodes[-len(knot) :]
                is_open.difference_update(knot)
                yield knot


def _targets(step: Step) -> Iterator[int]:
    return iter([target for target, _ in step if isinstance(target, int)])


def rolls_to_end(chain: Chain, rolls_max: int) -> list[Fraction]:
    """The chance that the wager ends on the first roll, on the second, and so on."""
    here = {0: 1}  # in parts of 36 to the power of the rolls made
    chances = []
    for rolls in range(1, rolls_max + 1):
        after: defaultdict[int, int] = defaultdict(int)
        ended = 0
        for node, weight in here.items():
            for target, count in chain[node]:
                if isinstance(target, Ending):
                    ended += weight * count
                else:
                    after[target] += weight * count
        chances.append(Fraction(ended, len(ROLLS) ** rolls))
        here = after
    return chances
