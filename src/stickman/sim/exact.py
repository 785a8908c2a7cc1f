"""Sessions without dice: the chance of every ending and of every net result, as exactly as floating point allows.

The table that the kernel runs is explored completely, and chances flow along its edges, roll by roll. Deep states
hold a chance for each equity on a lattice, whose step divides all changes; thin states hold one chance. The
drawdown is solved depth by depth: how likely is a fall at least this deep?
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import product
from math import gcd, sqrt
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from stickman.sim import kernel
from stickman.sim.explore import NO_EQUITY, Explorer, Full
from stickman.sim.kernel import Int64s
from stickman.sim.play import SessionEnding
from stickman.sim.run import Lab
from stickman.sim.strategy import Terms

Floats = NDArray[np.float64]
CELLS_MAX = 60_000_000
"""Chances kept at once: about a gigabyte."""
TRIFLE = 1e-30
"""Smaller chances are dropped: their sum is below the rounding error."""
TO_DEEP, TO_THIN, ENDS = range(3)
STOP_LOSS, WIN_GOAL = int(SessionEnding.STOP_LOSS), int(SessionEnding.WIN_GOAL)


class TooLarge(Exception):
    """No exact answer within memory."""


@dataclass(frozen=True)
class Exact:
    terms: Terms
    chances: dict[tuple[SessionEnding, int], float]
    """By ending and equity in cents."""
    mean_rolls: float
    mean_handle_cents: float
    drawdown: dict[int, float] | None = None
    """The distribution of the deepest fall from a peak in cents, if requested."""

    def chance(self, ending: SessionEnding) -> float:
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


def exact(lab: Lab, *, drawdown: bool = False) -> Exact:
    """Solve the sessions of a strategy; the distribution of the drawdown takes longer and is optional."""
    explorer = Explorer(lab.layout, lab.strategy, lab.states_max)
    try:
        step = _explore(explorer, lab.terms)
    except Full:
        raise TooLarge(
            f"{lab.strategy.name} has more than {explorer.states_max} states with this bankroll; set a stop loss "
            "that leaves money for every bet, or simulate it without --exact"
        ) from None
    machine = _machine(explorer, lab.terms, step)
    solved = _solve(machine, lab.terms)
    return replace(solved, drawdown=_drawdown(machine, lab.terms, solved.sd_cents)) if drawdown else solved


# --- The whole table ---


def _explore(explorer: Explorer, terms: Terms) -> int:
    """Fill every edge that a session may meet, roll by roll; return the step of the lattice. If more equities turn
    out to be thin, or the lattice finer, sessions meet other states, and the search starts again."""
    rolls, step = 0, 0
    while rolls < terms.rolls_max:
        before = explorer.thin_cents, step
        explorer.start(terms.bankroll_cents)
        missing = np.flatnonzero(
            explorer.table[kernel.ROLL_COUNT : len(explorer) * kernel.ROLL_COUNT] == kernel.UNKNOWN
        )
        for at in (missing + kernel.ROLL_COUNT).tolist():
            explorer.fill(at)
            for drawn in _draws(explorer, at):
                if explorer.table[drawn] == kernel.UNKNOWN:
                    explorer.fill(drawn)
        changes = np.unique(np.append(_columns(explorer).change, 0)).tolist()
        step = gcd(*changes) or 1
        gets_thin = max(terms.floor_cents + 1, _worst(terms, changes[0])) < explorer.thin_cents
        if gets_thin:
            _cross_all(explorer, terms, step)
        again = gets_thin and before != (explorer.thin_cents, step)
        if not (len(missing) or again):
            break
        rolls = 0 if again else rolls + 1
    return step


def _worst(terms: Terms, least_change: int) -> int:
    """An equity that no session falls below."""
    return max(0, terms.bankroll_cents + terms.rolls_max * min(0, least_change))


def _draws(explorer: Explorer, at: int) -> range:
    """The edges of the draws, if an edge is a fork."""
    edge = int(explorer.table[at])
    if edge >= kernel.PLAIN or edge in (kernel.UNKNOWN, kernel.NEVER):
        return range(0)
    groups, begins = kernel.unpack_fork(edge)
    return range(begins, begins + kernel.SHOWS ** groups.bit_count())


class Columns(NamedTuple):
    """All known edges, one in each row; if Power Odds matters, one for each draw."""

    origin: Int64s
    to: Int64s
    change: Int64s
    handle: Int64s
    weight: Floats
    """The chance of its roll and draw."""


def _columns(explorer: Explorer) -> Columns:
    edges = explorer.table[: len(explorer) * kernel.ROLL_COUNT]
    standing = np.repeat([explorer.is_state(number) for number in range(len(explorer))], kernel.ROLL_COUNT)
    plain = np.flatnonzero(standing & (edges >= kernel.PLAIN))
    at, origin, weight = [plain], [plain // kernel.ROLL_COUNT], [np.full(len(plain), 1 / kernel.ROLL_COUNT)]
    chance = explorer.game.layout.game.power_odds.one_in
    shows = (1 - 1 / chance, 0.5 / chance, 0.5 / chance)
    for fork in np.flatnonzero(standing & (edges > kernel.NEVER) & (edges < kernel.PLAIN)).tolist():
        groups, begins = kernel.unpack_fork(int(edges[fork]))
        chances = [np.prod(each) / kernel.ROLL_COUNT for each in product(shows, repeat=groups.bit_count())]
        known = np.flatnonzero(edges[begins : begins + len(chances)] >= kernel.PLAIN)
        at.append(begins + known)
        origin.append(np.full(len(known), fork // kernel.ROLL_COUNT))
        weight.append(np.array(chances)[known])
    found = edges[np.concatenate(at)]
    return Columns(
        np.concatenate(origin),
        (found & kernel.STATE_MASK) // kernel.ROLL_COUNT,
        found >> kernel.CHANGE_SHIFT,
        found >> kernel.STATE_BITS & kernel.HANDLE_MAX,
        np.concatenate(weight),
    )


def _cross_all(explorer: Explorer, terms: Terms, step: int) -> None:
    """Record the thin state wherever a deep edge may lead to a thin equity."""
    origin, to, change, *_ = _columns(explorer)
    deep = explorer.equities()[origin] == NO_EQUITY
    falls = np.unique(np.stack([to[deep], change[deep]], axis=-1), axis=0)
    deepest: dict[int, int] = {}
    for state, fall in falls.tolist():
        deepest[state] = min(fall, deepest.get(state, 0))
    worst = _worst(terms, int(change.min(initial=0)))
    for state, fall in deepest.items():
        lowest = max(explorer.thin_cents + fall, terms.floor_cents + 1, worst)
        for equity in range(_lattice_from(lowest, terms.bankroll_cents, step), explorer.thin_cents, step):
            explorer.cross(state, equity)


def _lattice_from(cents: int, bankroll: int, step: int) -> int:
    """The first equity of the lattice from this one on."""
    return cents + (bankroll - cents) % step


# --- Chances ---


class Lattice(NamedTuple):
    """Equities by number, and the numbers where sessions end or money gets thin."""

    lowest: int
    step: int
    size: int
    floor: int
    """The stop loss ends the session at this number or below."""
    goal: int
    thin: int

    def cents(self, number: int) -> int:
        return self.lowest + number * self.step


def _lattice(explorer: Explorer, terms: Terms, step: int, changes: Int64s) -> Lattice:
    most, least = int(changes.max(initial=0)), int(changes.min(initial=0))
    top = min(terms.goal_cents + most, terms.bankroll_cents + most * terms.rolls_max)
    top = max(top, int(explorer.equities().max()))  # no session reaches the thin states above the goal
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
    """Edges grouped by state: where each group begins, and what each edge does with what chance."""

    begins: Int64s
    kind: Int64s
    to: Int64s
    """A deep or a thin state by its own number, or an ending."""
    by: Int64s
    """From a deep state: steps of the lattice. From a thin one: the number of the next equity."""
    weight: Floats


class SessionMachine(NamedTuple):
    """A strategy's table, ready for chances to flow through it."""

    lattice: Lattice
    start: int
    """The number of the state in which a session starts; negative if broke."""
    starts_deep: bool
    deep: Edges
    thin: Edges
    deep_handle: Floats
    thin_handle: Floats
    thin_equity: Int64s
    """By thin state, the number of its equity."""
    crossing: Int64s


def _machine(explorer: Explorer, terms: Terms, step: int) -> SessionMachine:
    columns = _columns(explorer)
    equities = explorer.equities()
    lattice = _lattice(explorer, terms, step, columns.change)
    states = np.array([explorer.is_state(number) for number in range(len(explorer))])
    deep = np.flatnonzero((equities == NO_EQUITY) & states)[1:]  # without broke
    thin = np.flatnonzero((equities != NO_EQUITY) & states)
    if len(deep) * lattice.size > CELLS_MAX:
        found = f"{len(deep)} states at {lattice.size} equities"
        raise TooLarge(f"{found} are too many for an exact answer; set a stop loss and a win goal, or fewer rolls")
    own = np.zeros(len(explorer), np.int64)
    own[deep], own[thin] = np.arange(len(deep)), np.arange(len(thin))
    handle = np.zeros(len(explorer))
    np.add.at(handle, columns.origin, columns.handle * columns.weight)
    start = explorer.start(terms.bankroll_cents)
    return SessionMachine(
        lattice,
        -1 if start == kernel.BROKE else int(own[start]),
        bool(equities[start] == NO_EQUITY),
        _deep_edges(columns, own, equities, len(deep), step),
        _thin_edges(columns, own, equities, len(thin), lattice),
        handle[deep],
        handle[thin],
        np.array([_number(lattice, cents) for cents in equities[thin].tolist()], np.int64),
        _crossings(explorer, lattice, own, len(deep)),
    )


def _solve(machine: SessionMachine, terms: Terms) -> Exact:
    lattice = machine.lattice
    sizes = len(machine.deep_handle), len(machine.thin_handle), lattice.size
    now, new = _nowhere(*sizes), _nowhere(*sizes)
    ended, sums = np.zeros((len(SessionEnding), lattice.size)), np.zeros(2)
    _begin(machine, _number(lattice, terms.bankroll_cents), now, ended)
    for _ in range(terms.rolls_max):
        flow(machine.deep, now, new, machine.deep_handle, sums)
        flow_thin(machine.thin, now, new, machine.thin_handle, sums, ended)
        sort_out((lattice.floor, lattice.goal, lattice.thin), machine.crossing, new, ended)
        now, new = new, now
    ended[SessionEnding.TIME] += now.deep.sum(axis=0)
    np.add.at(ended[SessionEnding.TIME], machine.thin_equity, now.thin)
    chances = {
        (SessionEnding(why), lattice.cents(at)): float(ended[why, at]) for why, at in np.argwhere(ended).tolist()
    }
    return Exact(terms, chances, float(sums[0]), float(sums[1]))


def _begin(machine: SessionMachine, number: int, now: Chances, ended: Floats) -> None:
    """Put all chance where a session starts."""
    state = machine.start
    if state < 0:
        ended[SessionEnding.RUIN, number] = 1
    elif machine.starts_deep:
        now.deep[state, number] = 1
        now.low[state], now.top[state] = number, number + 1
    else:
        now.thin[state] = 1


def _number(lattice: Lattice, cents: int) -> int:
    number, rest = divmod(cents - lattice.lowest, lattice.step)
    assert not rest, "an equity that is not on the lattice"
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


def _deep_edges(columns: Columns, own: Int64s, equities: Int64s, count: int, step: int) -> Edges:
    runs: list[Counter[tuple[int, int, int]]] = [Counter() for _ in range(count)]
    for origin, to, change, _, weight in zip(*(column.tolist() for column in columns), strict=True):
        if equities[origin] == NO_EQUITY:
            runs[own[origin]][TO_DEEP, int(own[to]), change // step] += weight
    return _edges(runs)


def _thin_edges(columns: Columns, own: Int64s, equities: Int64s, count: int, lattice: Lattice) -> Edges:
    """The equity of a thin state is known, so its endings are too."""

    def leads(state: int, cents: int) -> tuple[int, int, int]:
        number = _number(lattice, cents)
        if number <= lattice.floor:
            return ENDS, SessionEnding.STOP_LOSS, number
        if number >= lattice.goal:
            return ENDS, SessionEnding.WIN_GOAL, number
        if state == kernel.BROKE:
            return ENDS, SessionEnding.RUIN, number
        return (TO_DEEP if equities[state] == NO_EQUITY else TO_THIN), int(own[state]), number

    runs: list[Counter[tuple[int, int, int]]] = [Counter() for _ in range(count)]
    for origin, to, change, _, weight in zip(*(column.tolist() for column in columns), strict=True):
        if equities[origin] != NO_EQUITY:
            runs[own[origin]][leads(to, int(equities[origin]) + change)] += weight
    return _edges(runs)


def _edges(runs: list[Counter[tuple[int, int, int]]]) -> Edges:
    begins = np.cumsum([0, *map(len, runs)]).astype(np.int64)
    flat = np.array([edge for run in runs for edge in run], np.int64).reshape(-1, 3)
    weight = np.array([chance for run in runs for chance in run.values()], np.float64)
    kind, to, by = (np.ascontiguousarray(column) for column in flat.T)
    return Edges(begins, kind, to, by, weight)


class Chances(NamedTuple):
    """Chances by deep state and equity, from `low` up to `top`, and by thin state."""

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
    """Move what has ended or become thin out of the deep states."""
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


# --- The deepest fall ---

WORK_MAX = 20_000_000_000
"""Chances moved: about half a minute."""
TAIL = 1e-10
"""Deeper falls with at most this chance are counted as one."""


def _drawdown(machine: SessionMachine, terms: Terms, sd_cents: float) -> dict[int, float]:
    """The distribution of the deepest fall: the chance to fall at least this deep, less the chance to fall
    deeper."""
    surely = int(3 * sd_cents / machine.lattice.step)
    work = sum(_work(machine, terms, depth) for depth in range(1, surely, max(1, surely // 20)))
    work *= max(1, surely // 20)
    chances, depth = [1.0], 0
    while chances[-1] > TAIL:
        depth += 1
        work += _work(machine, terms, depth) if depth >= surely else 0
        if work > WORK_MAX:
            raise TooLarge(
                f"falls of {max(depth, surely) * machine.lattice.step} cents and more take too long for an exact "
                "drawdown; set a nearer stop loss and win goal, or fewer rolls"
            )
        chances.append(_chance_to_fall(machine, terms, _falls(machine, terms, depth)))
    step = machine.lattice.step
    return {at * step: chances[at] - chances[at + 1] for at in range(depth) if chances[at] > chances[at + 1]}


def _work(machine: SessionMachine, terms: Terms, depth: int) -> int:
    """How many chances are moved to solve one depth."""
    peaks = _falls(machine, terms, depth).peaks + 1
    return terms.rolls_max * depth * (len(machine.deep.by) * peaks + len(machine.thin.by))


class Falls(NamedTuple):
    """The limits of a search for falls of one depth, in steps of the lattice."""

    depth: int
    bankroll: int
    least: int
    """Below this equity no state is deep."""
    floor: int
    goal: int
    thin: int
    peaks: int
    """The highest peak over the bankroll that matters. From higher peaks, without a goal, a fall of this depth ends
    before money gets thin, so they are all alike."""


def _falls(machine: SessionMachine, terms: Terms, depth: int) -> Falls:
    lattice = machine.lattice
    bankroll = _number(lattice, terms.bankroll_cents)
    least = max(lattice.floor + 1, lattice.thin)
    highest = max(0, lattice.size - 1 - bankroll)
    enough = highest if lattice.goal < lattice.size else max(0, least + depth - 1 - bankroll)
    return Falls(depth, bankroll, least, lattice.floor, lattice.goal, lattice.thin, min(highest, enough))


def _chance_to_fall(machine: SessionMachine, terms: Terms, falls: Falls) -> float:
    """The chance that a session falls at least this deep."""
    if machine.start < 0:
        return 0.0
    deep = np.zeros((2, len(machine.deep_handle), falls.peaks + 1, falls.depth))
    thin = np.zeros((2, len(machine.thin_handle), falls.depth))
    if deep.size > CELLS_MAX:
        raise TooLarge("peaks and falls are too many for an exact drawdown; set a stop loss and a win goal")
    if machine.starts_deep:
        deep[0, machine.start, 0, 0] = 1
    else:
        thin[0, machine.start, 0] = 1
    fallen = 0.0
    for roll in range(terms.rolls_max):
        now, new = roll % 2, 1 - roll % 2
        deep[new], thin[new] = 0, 0
        fallen += fall_deep(falls, machine.deep, machine.crossing, deep[now], deep[new], thin[new])
        fallen += fall_thin(falls, machine.thin, machine.thin_equity, thin[now], deep[new], thin[new])
    return fallen


@njit(cache=True)
def fall_deep(  # noqa: C901 - one loop, in machine code
    falls: Falls, edges: Edges, crossing: Int64s, now: Floats, new: Floats, new_thin: Floats
) -> float:
    """Let the chances of deep states flow along one roll, by peak and fall; return the chance of falls that reached
    the depth."""
    depth, bankroll, least, floor, goal, _, peaks = falls
    fallen = 0.0
    for state in range(now.shape[0]):
        for peak in range(now.shape[1]):
            row = now[state, peak]
            if not row.any():
                continue
            for edge in range(edges.begins[state], edges.begins[state + 1]):
                to, by, weight = edges.to[edge], edges.by[edge], edges.weight[edge]
                top = bankroll + peak + by  # equity after the roll, had there been no fall
                first = min(depth, max(0, by, top - goal + 1))
                last = max(first, min(depth, depth + by, top - least + 1))
                for fall in range(first, last):  # the usual case: neither a new peak nor an end
                    new[to, peak, fall - by] += weight * row[fall]
                for fall in range(depth):
                    if first <= fall < last or row[fall] == 0:
                        continue
                    chance, equity = weight * row[fall], top - fall
                    after = max(0, fall - by)
                    if after >= depth:
                        fallen += chance
                    elif equity <= floor or equity >= goal:
                        pass
                    elif equity < least:
                        assert crossing[to, equity] >= 0, "a crossing that was not explored"
                        new_thin[crossing[to, equity], after] += chance
                    else:
                        new[to, min(peaks, max(peak, equity - bankroll)), after] += chance
    return fallen


@njit(cache=True)
def fall_thin(falls: Falls, edges: Edges, equities: Int64s, now: Floats, new: Floats, new_thin: Floats) -> float:
    """The same for thin states."""
    depth, bankroll, peaks = falls.depth, falls.bankroll, falls.peaks
    fallen = 0.0
    for state in range(now.shape[0]):
        for fall in range(depth):
            if now[state, fall] == 0:
                continue
            for edge in range(edges.begins[state], edges.begins[state + 1]):
                to, equity, chance = edges.to[edge], edges.by[edge], edges.weight[edge] * now[state, fall]
                peak = max(equities[state] + fall, equity)
                after = peak - equity
                if after >= depth:
                    fallen += chance
                elif edges.kind[edge] == TO_THIN:
                    new_thin[to, after] += chance
                elif edges.kind[edge] == TO_DEEP:
                    new[to, min(peaks, peak - bankroll), after] += chance
    return fallen
