"""Sessions without dice: the chance of every ending and of every net result, to the rounding of floating point.

The table that the kernel runs is explored to its end, and chances flow along its edges, roll by roll. Deep states
hold a chance for each equity on a lattice, whose step is what all changes are multiples of; thin states have one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import gcd, sqrt
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from stickman.sim import kernel
from stickman.sim.explore import NO_EQUITY, Explorer, Full
from stickman.sim.kernel import Int64s
from stickman.sim.play import Ending
from stickman.sim.run import Lab
from stickman.sim.strategy import Terms

Floats = NDArray[np.float64]
CELLS_MAX = 60_000_000
"""Chances kept at once: about a gigabyte."""
TRIFLE = 1e-30
"""A chance too small to follow: all that are dropped do not come to a rounding error."""
TO_DEEP, TO_THIN, ENDS = range(3)
STOP_LOSS, WIN_GOAL = int(Ending.STOP_LOSS), int(Ending.WIN_GOAL)


class TooLarge(Exception):
    """No exact answer within memory."""


@dataclass(frozen=True)
class Exact:
    """What a session comes to, exactly."""

    terms: Terms
    chances: dict[tuple[Ending, int], float]
    """By ending and equity in cents."""
    mean_rolls: float
    mean_handle_cents: float

    def chance(self, ending: Ending) -> float:
        return sum(chance for (why, _), chance in self.chances.items() if why is ending)

    @property
    def net(self) -> dict[int, float]:
        """The distribution of the net result in cents."""
        found: dict[int, float] = {}
        for (_, equity), chance in sorted(self.chances.items(), key=lambda each: each[0][1]):
            net = equity - self.terms.bankroll_cents
            found[net] = found.get(net, 0) + chance
        return found

    @property
    def mean_cents(self) -> float:
        return sum(cents * chance for cents, chance in self.net.items())

    @property
    def sd_cents(self) -> float:
        mean = self.mean_cents
        return sqrt(sum((cents - mean) ** 2 * chance for cents, chance in self.net.items()))

    @property
    def rtp(self) -> float | None:
        return 1 + self.mean_cents / self.mean_handle_cents if self.mean_handle_cents else None


def exact(lab: Lab) -> Exact:
    """Solve the sessions of a strategy."""
    explorer = Explorer(lab.layout, lab.strategy, lab.states_max)
    try:
        step = _explore(explorer, lab.terms)
    except Full:
        raise TooLarge(
            f"{lab.strategy.name} has more than {explorer.states_max} states with this bankroll; set a stop loss "
            "that leaves money for every bet, or simulate it without --exact"
        ) from None
    return _solve(explorer, lab.terms, step)


# --- The whole table ---


def _explore(explorer: Explorer, terms: Terms) -> int:
    """Fill every edge that a session may meet, roll by roll; return the step of the lattice. Where more equities
    turn out to be thin, or the lattice finer, sessions meet other states, and it all begins anew."""
    rolls, step = 0, 0
    while rolls < terms.rolls_max:
        before = explorer.thin_cents, step
        explorer.start(terms.bankroll_cents)
        missing = np.flatnonzero(explorer.table[kernel.FACES : len(explorer) * kernel.FACES] == kernel.UNKNOWN)
        for at in (missing + kernel.FACES).tolist():
            explorer.fill(at // kernel.FACES, at % kernel.FACES)
        changes = np.unique(_columns(explorer)[1]).tolist()
        step = gcd(*changes) or 1
        gets_thin = max(terms.floor_cents + 1, _worst(terms, changes[0])) < explorer.thin_cents
        if gets_thin:
            _cross_all(explorer, terms, step)
        anew = gets_thin and before != (explorer.thin_cents, step)
        if not (len(missing) or anew):
            break
        rolls = 0 if anew else rolls + 1
    return step


def _worst(terms: Terms, least_change: int) -> int:
    """An equity that no session falls below."""
    return max(0, terms.bankroll_cents + terms.rolls_max * min(0, least_change))


def _columns(explorer: Explorer) -> tuple[Int64s, Int64s, Int64s]:
    """Next states, changes and handles of all edges, a row to a state; broke is the first row."""
    edges = explorer.table[: len(explorer) * kernel.FACES].reshape(-1, kernel.FACES)
    edges = np.where(edges == kernel.UNKNOWN, 0, edges)
    return (
        (edges & kernel.STATE_MASK) // kernel.FACES,
        edges >> kernel.CHANGE_SHIFT,
        edges >> kernel.STATE_BITS & kernel.HANDLE_MAX,
    )


def _cross_all(explorer: Explorer, terms: Terms, step: int) -> None:
    """Note the thin state wherever a deep edge may lead under the equity that is thin."""
    to, change, _ = _columns(explorer)
    deep = explorer.equities() == NO_EQUITY
    falls = np.unique(np.stack([to[deep], change[deep]], axis=-1).reshape(-1, 2), axis=0)
    deepest: dict[int, int] = {}
    for state, fall in falls.tolist():
        deepest[state] = min(fall, deepest.get(state, 0))
    worst = _worst(terms, int(change.min(initial=0)))
    for state, fall in deepest.items():
        lowest = max(explorer.thin_cents + fall, terms.floor_cents + 1, worst)
        for equity in range(_lattice_from(lowest, terms.bankroll_cents, step), explorer.thin_cents, step):
            explorer.cross(state, equity)


def _lattice_from(cents: int, bankroll: int, step: int) -> int:
    """The first equity of the lattice that is not under this."""
    return cents + (bankroll - cents) % step


# --- Chances ---


class Lattice(NamedTuple):
    """Equities by number, and where sessions end or money gets thin."""

    lowest: int
    step: int
    size: int
    floor: int
    """At this number or under it the stop loss ends the session."""
    goal: int
    thin: int

    def cents(self, number: int) -> int:
        return self.lowest + number * self.step


def _lattice(explorer: Explorer, terms: Terms, step: int, changes: Int64s) -> Lattice:
    most, least = int(changes.max(initial=0)), int(changes.min(initial=0))
    top = min(terms.goal_cents + most, terms.bankroll_cents + most * terms.rolls_max)
    lowest = _lattice_from(max(terms.floor_cents + least, _worst(terms, least)), terms.bankroll_cents, step)

    def number(cents: int) -> int:
        return -(-(cents - lowest) // step)

    size = number(top) + 1
    return Lattice(
        lowest,
        step,
        size,
        (terms.floor_cents - lowest) // step,
        min(number(terms.goal_cents), size),
        number(explorer.thin_cents),
    )


class Edges(NamedTuple):
    """Edges of some states in one run each: where the run begins, and of each edge what it does and how often."""

    begins: Int64s
    kind: Int64s
    to: Int64s
    """A deep or a thin state by its own number, or an ending."""
    by: Int64s
    """Steps of the lattice from a deep state; from a thin one the number of the equity it leads to."""
    weight: Floats


def _solve(explorer: Explorer, terms: Terms, step: int) -> Exact:
    to, change, handle = _columns(explorer)
    equities = explorer.equities()
    lattice = _lattice(explorer, terms, step, change)
    deep = np.flatnonzero(equities == NO_EQUITY)[1:]  # without broke
    thin = np.flatnonzero(equities != NO_EQUITY)
    if len(deep) * lattice.size > CELLS_MAX:
        found = f"{len(deep)} states at {lattice.size} equities"
        raise TooLarge(f"{found} are too many for an exact answer; set a stop loss and a win goal, or fewer rolls")
    own = np.zeros(len(explorer), np.int64)
    own[deep], own[thin] = np.arange(len(deep)), np.arange(len(thin))
    deep_edges = _deep_edges(to[deep], change[deep], own, step)
    thin_edges = _thin_edges((to[thin], equities[thin, None] + change[thin]), own, lattice, equities)
    deep_handle, thin_handle = handle[deep].mean(axis=1), handle[thin].mean(axis=1)
    crossing = _crossings(explorer, lattice, own, len(deep))
    now, new = (_nowhere(len(deep), len(thin), lattice.size) for _ in range(2))
    ended, sums = np.zeros((len(Ending), lattice.size)), np.zeros(2)
    _begin(explorer.start(terms.bankroll_cents), _number(lattice, terms.bankroll_cents), own, equities, now, ended)
    for _ in range(terms.rolls_max):
        flow(deep_edges, now, new, deep_handle, sums)
        flow_thin(thin_edges, now, new, thin_handle, sums, ended)
        sort_out((lattice.floor, lattice.goal, lattice.thin), crossing, new, ended)
        now, new = new, now
    ended[Ending.TIME] += now.deep.sum(axis=0)
    np.add.at(ended[Ending.TIME], [_number(lattice, cents) for cents in equities[thin].tolist()], now.thin)
    chances = {(Ending(why), lattice.cents(at)): float(ended[why, at]) for why, at in np.argwhere(ended).tolist()}
    return Exact(terms, chances, float(sums[0]), float(sums[1]))


def _begin(start: int, number: int, own: Int64s, equities: Int64s, now: Chances, ended: Floats) -> None:
    """Put all chance where a session starts."""
    if start == kernel.BROKE:
        ended[Ending.RUIN, number] = 1
    elif equities[start] == NO_EQUITY:
        state = own[start]
        now.deep[state, number] = 1
        now.low[state], now.top[state] = number, number + 1
    else:
        now.thin[own[start]] = 1


def _number(lattice: Lattice, cents: int) -> int:
    number, rest = divmod(cents - lattice.lowest, lattice.step)
    assert not rest, "an equity beside the lattice"
    return number


def _crossings(explorer: Explorer, lattice: Lattice, own: Int64s, deep: int) -> Int64s:
    """By deep state and number of the equity, the thin state they lead to."""
    found = np.full((deep, max(lattice.thin, 0) + 1), -1, np.int64)
    rows = explorer.crossings.reshape(-1, 3)
    for state, equity, thin in rows[rows[:, 0] >= 0].tolist():
        number, rest = divmod(equity - lattice.lowest, lattice.step)
        if not rest and 0 <= number < lattice.thin:
            found[own[state], number] = own[thin]
    return found


def _deep_edges(to: Int64s, change: Int64s, own: Int64s, step: int) -> Edges:
    rows = zip(own[to].tolist(), (change // step).tolist(), strict=True)
    return _edges([Counter((TO_DEEP, state, by) for state, by in zip(*row, strict=True)) for row in rows])


def _thin_edges(edges: tuple[Int64s, Int64s], own: Int64s, lattice: Lattice, equities: Int64s) -> Edges:
    """What becomes of a player whose money is thin is known in advance, endings too."""

    def leads(state: int, cents: int) -> tuple[int, int, int]:
        number = _number(lattice, cents)
        if number <= lattice.floor:
            return ENDS, Ending.STOP_LOSS, number
        if number >= lattice.goal:
            return ENDS, Ending.WIN_GOAL, number
        if state == kernel.BROKE:
            return ENDS, Ending.RUIN, number
        return (TO_DEEP if equities[state] == NO_EQUITY else TO_THIN), int(own[state]), number

    rows = zip(edges[0].tolist(), edges[1].tolist(), strict=True)
    return _edges([Counter(leads(state, cents) for state, cents in zip(*row, strict=True)) for row in rows])


def _edges(runs: list[Counter[tuple[int, int, int]]]) -> Edges:
    begins = np.cumsum([0, *map(len, runs)]).astype(np.int64)
    flat = np.array([edge for run in runs for edge in run], np.int64).reshape(-1, 3)
    weight = np.array([ways for run in runs for ways in run.values()], np.float64) / kernel.FACES
    kind, to, by = (np.ascontiguousarray(column) for column in flat.T)
    return Edges(begins, kind, to, by, weight)


class Chances(NamedTuple):
    """Where chance stands: by deep state and equity, from `low` up to `top`, and by thin state."""

    deep: Floats
    low: Int64s
    top: Int64s
    thin: Floats


def _nowhere(deep: int, thin: int, size: int) -> Chances:
    low, top = np.full(deep, size, np.int64), np.zeros(deep, np.int64)
    return Chances(np.zeros((deep, size)), low, top, np.zeros(thin))


@njit(cache=True)
def flow(deep: Edges, now: Chances, new: Chances, handle: Floats, sums: Floats) -> None:
    """Let the chances of deep states flow along one roll, adding to mean rolls and handle."""
    for state in range(len(now.low)):
        a, b = now.low[state], now.top[state]
        while a < b and now.deep[state, a] < TRIFLE:
            a += 1
        while a < b and now.deep[state, b - 1] < TRIFLE:
            b -= 1
        mass = now.deep[state, a:b].sum()
        sums[0] += mass
        sums[1] += mass * handle[state]
        for edge in range(deep.begins[state], deep.begins[state + 1] if a < b else 0):
            to, by, weight = deep.to[edge], deep.by[edge], deep.weight[edge]
            for at in range(a, b):
                new.deep[to, at + by] += weight * now.deep[state, at]
            new.low[to], new.top[to] = min(new.low[to], a + by), max(new.top[to], b + by)
        now.deep[state, now.low[state] : now.top[state]] = 0
        now.low[state], now.top[state] = now.deep.shape[1], 0


@njit(cache=True)
def flow_thin(thin: Edges, now: Chances, new: Chances, handle: Floats, sums: Floats, ended: Floats) -> None:
    """The same for thin states; some of their edges end sessions."""
    for state in range(len(now.thin)):
        mass = now.thin[state]
        now.thin[state] = 0
        sums[0] += mass
        sums[1] += mass * handle[state]
        for edge in range(thin.begins[state], thin.begins[state + 1] if mass > 0 else 0):
            to, by, chance = thin.to[edge], thin.by[edge], thin.weight[edge] * mass
            if thin.kind[edge] == ENDS:
                ended[to, by] += chance
            elif thin.kind[edge] == TO_THIN:
                new.thin[to] += chance
            else:
                new.deep[to, by] += chance
                new.low[to], new.top[to] = min(new.low[to], by), max(new.top[to], by + 1)


@njit(cache=True)
def sort_out(marks: tuple[int, int, int], crossing: Int64s, new: Chances, ended: Floats) -> None:
    """Take out of the deep states what has ended there and what has become thin."""
    floor, goal, thin = marks
    for state in range(len(new.low)):
        least = max(floor + 1, thin)
        for at in range(new.low[state], min(new.top[state], least)):
            chance = new.deep[state, at]
            new.deep[state, at] = 0
            if at <= floor:
                ended[STOP_LOSS, at] += chance
            elif chance > 0:
                assert crossing[state, at] >= 0, "a crossing that was not explored"
                new.thin[crossing[state, at]] += chance
        for at in range(max(goal, new.low[state]), new.top[state]):
            ended[WIN_GOAL, at] += new.deep[state, at]
            new.deep[state, at] = 0
        new.low[state], new.top[state] = max(new.low[state], least), min(new.top[state], goal)
