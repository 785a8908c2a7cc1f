"""Sessions by the million: played in pieces, in as many threads as there are, and added up exactly.

A session depends on the seed and its number alone, and all that is added up is whole numbers: pieces, threads and
their order change nothing in the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from math import sqrt
from queue import Empty, SimpleQueue
from typing import NamedTuple

import numpy as np

from stickman.rules.felt import Reason
from stickman.rules.layout import Layout
from stickman.sim import kernel
from stickman.sim.dice import SEEDS, session_rolls
from stickman.sim.explore import STATES_MAX, Explorer, Full
from stickman.sim.kernel import Int64s
from stickman.sim.play import Ending, Game, session
from stickman.sim.strategy import Strategy, Terms

PIECE = 1 << 15
"""Sessions to a piece: enough to be worth a thread's while, few enough to see progress."""
SELDOM = 200
"""Asking the felt this often in a piece costs less than a second thread gains."""
Z95 = 1.959963984540054
"""Half the width of the middle 95% of a normal distribution, in standard deviations."""


class Lab(NamedTuple):
    """What is simulated."""

    layout: Layout
    strategy: Strategy
    terms: Terms
    seed: int
    states_max: int = STATES_MAX


class Played(NamedTuple):
    """The outcomes of some sessions, one to a row."""

    outcomes: Int64s
    on_felt: int
    """How many of them were played on the felt."""
    asked: int
    """How often the felt was asked."""


class Player:
    """Plays sessions, by the table where it is known or can be, else on the felt."""

    def __init__(self, lab: Lab, explorer: Explorer | None = None) -> None:
        assert lab.seed in SEEDS
        self.lab = lab
        self.explorer = explorer or Explorer(lab.layout, lab.strategy, lab.states_max)
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        self._words = np.zeros(5, np.uint64)

    def play(self, first: int, last: int) -> Played:
        """Sessions from `first` up to `last`."""
        registers = self._registers
        outcomes = np.zeros((last - first, 5), np.int64)
        on_felt = asked = 0
        registers[kernel.SESSION], registers[kernel.ROLLS] = first, -1
        while registers[kernel.SESSION] < last:
            try:
                why = self._run(last, outcomes[registers[kernel.SESSION] - first :])
                if why != kernel.DONE:
                    asked += 1
                    self._help(why)
            except Full:
                number = int(registers[kernel.SESSION])
                outcomes[number - first] = play_on_felt(self.lab, number)
                registers[kernel.SESSION], registers[kernel.ROLLS] = number + 1, -1
                on_felt += 1
        return Played(outcomes, on_felt, asked)

    def _run(self, last: int, outcomes: Int64s) -> int:
        terms, explorer = self.lab.terms, self.explorer
        start = explorer.start(terms.bankroll_cents)
        money = (terms.bankroll_cents, terms.floor_cents, terms.goal_cents, explorer.thin_cents, terms.rolls_max)
        why: int = kernel.run(
            explorer.table,
            explorer.crossings,
            np.array(money, np.int64),
            np.uint64(self.lab.seed),
            start * kernel.FACES,
            last,
            self._registers,
            self._words,
            outcomes,
        )
        return why

    def _help(self, why: int) -> None:
        """Fill the edge at which the kernel stopped, and put it on a thin state where it now needs one."""
        explorer, registers = self.explorer, self._registers
        state, equity = int(registers[kernel.AT]) // kernel.FACES, int(registers[kernel.EQUITY])
        if why == kernel.WANTS_EDGE:
            explorer.fill(state, int(self._words[4]) * kernel.FACES >> 64)
        if equity < explorer.thin_cents:
            registers[kernel.AT] = explorer.cross(state, equity) * kernel.FACES


def play_on_felt(lab: Lab, number: int) -> tuple[int, int, int, int, int]:
    """One session, alone, on the real felt."""
    return session(Game(lab.layout, lab.strategy), lab.terms, session_rolls(lab.seed, number))


# --- Adding up ---


@dataclass
class Result:
    """What sessions came to, in whole numbers; two results added are the result of both."""

    net: Counter[int] = field(default_factory=Counter)
    """By net result in cents, how many sessions."""
    drawdown: Counter[int] = field(default_factory=Counter)
    rolls: Counter[int] = field(default_factory=Counter)
    endings: Counter[Ending] = field(default_factory=Counter)
    handle_cents: int = 0
    handle_squares: int = 0
    handle_by_net: int = 0
    """The sum of each session's handle times its net result."""
    on_felt: int = 0
    """Sessions that no table could hold; it depends on which came first, and is no part of the digest."""
    refusals: set[tuple[str, Reason]] = field(default_factory=set)
    """What the felt refused, for the strategy's author."""

    def add(self, played: Played) -> None:
        """Count some more sessions."""
        net, drawdown, rolls, handle, ending = played.outcomes.T
        for counts, column in ((self.net, net), (self.drawdown, drawdown), (self.rolls, rolls)):
            _count(counts, column)
        endings = Counter[int]()
        _count(endings, ending)
        self.endings.update({Ending(number): times for number, times in endings.items()})
        self.handle_cents += int(handle.sum())
        self.handle_squares += _dot(handle, handle)
        self.handle_by_net += _dot(handle, net)
        self.on_felt += played.on_felt

    def merge(self, other: Result) -> None:
        """Add the result of other sessions."""
        for mine, theirs in ((self.net, other.net), (self.drawdown, other.drawdown), (self.rolls, other.rolls)):
            mine.update(theirs)
        self.endings.update(other.endings)
        self.handle_cents += other.handle_cents
        self.handle_squares += other.handle_squares
        self.handle_by_net += other.handle_by_net
        self.on_felt += other.on_felt
        self.refusals |= other.refusals

    def digest(self) -> str:
        """The same for the same outcomes, however they were come by."""
        counts = [sorted(c.items()) for c in (self.net, self.drawdown, self.rolls, self.endings)]
        sums = (self.handle_cents, self.handle_squares, self.handle_by_net)
        return sha256(repr((counts, sums)).encode()).hexdigest()

    @property
    def sessions(self) -> int:
        return self.net.total()

    @property
    def net_cents(self) -> int:
        return sum(cents * times for cents, times in self.net.items())

    @property
    def rolls_total(self) -> int:
        return sum(rolls * times for rolls, times in self.rolls.items())

    @property
    def mean_cents(self) -> Fraction:
        return Fraction(self.net_cents, self.sessions)

    @property
    def sd_cents(self) -> float:
        """The standard deviation of a session's net result."""
        return sqrt(self._variance(Fraction(0)))

    @property
    def rtp(self) -> Fraction | None:
        """What came back of each unit of handle; none where nothing was bet."""
        return 1 + Fraction(self.net_cents, self.handle_cents) if self.handle_cents else None

    def mean_error_cents(self) -> float:
        """Half the width of the mean's 95% confidence interval."""
        return Z95 * self.sd_cents / sqrt(self.sessions)

    def rtp_error(self) -> float:
        """Half the width of the return's 95% confidence interval: that of a ratio of two sums."""
        if not self.handle_cents:
            return 0.0
        ratio = Fraction(self.net_cents, self.handle_cents)
        return Z95 * sqrt(self._variance(ratio) * self.sessions) / self.handle_cents

    def _variance(self, ratio: Fraction) -> Fraction:
        """Of net less so much of handle, over sessions."""
        squares = Fraction(sum(cents * cents * times for cents, times in self.net.items()))
        squares += ratio * ratio * self.handle_squares - 2 * ratio * self.handle_by_net
        total = self.net_cents - ratio * self.handle_cents
        return (squares - total * total / self.sessions) / max(1, self.sessions - 1)


def percentile(counts: Counter[int], percent: int) -> int:
    """The least value that so many percent of sessions do not exceed.

    >>> percentile(Counter({-5: 1, 0: 2, 9: 1}), 50)
    0
    """
    missing = -(-counts.total() * percent // 100)
    for value in sorted(counts):
        missing -= counts[value]
        if missing <= 0:
            return value
    raise AssertionError("a percentile of no sessions")


def _count(counts: Counter[int], column: Int64s) -> None:
    values, times = np.unique(column, return_counts=True)
    counts.update(dict(zip(values.tolist(), times.tolist(), strict=True)))


def _dot(a: Int64s, b: Int64s) -> int:
    """The exact sum of products, in Python's integers where 64 bits might not hold it."""
    most = int(np.abs(a).max(initial=0)) * int(np.abs(b).max(initial=0)) * len(a)
    return int(a @ b) if most < 1 << 63 else sum(x * y for x, y in zip(a.tolist(), b.tolist(), strict=True))


# --- Pieces and threads ---


def pieces(sessions: int) -> Iterator[tuple[int, int]]:
    """The pieces of a run: the first session of each and the one after its last."""
    for first in range(0, sessions, PIECE):
        yield first, min(first + PIECE, sessions)


def simulate(lab: Lab, sessions: int, threads: int = 1, progress: Callable[[int], object] | None = None) -> Result:
    """Play so many sessions. `progress` hears how many more are done."""
    waiting = SimpleQueue[tuple[int, int]]()
    for piece in pieces(sessions):
        waiting.put(piece)

    def work(player: Player, enough: int = -1) -> Result:
        """Play pieces until none waits, or until one hardly had to ask the felt."""
        result, asked = Result(), enough + 1
        with suppress(Empty):
            while asked > enough:
                first, last = waiting.get_nowait()
                played = player.play(first, last)
                result.add(played)
                asked = played.asked
                if progress:
                    progress(last - first)
        result.refusals |= player.explorer.refusals
        return result

    # One thread explores, for the felt is Python and threads would wait for one another; then each gets a copy.
    player = Player(lab)
    whole = work(player, SELDOM if threads > 1 else -1)
    if waiting.empty():
        return whole
    with ThreadPoolExecutor(threads) as pool:
        try:
            for part in [pool.submit(work, Player(lab, player.explorer.copy())) for _ in range(threads)]:
                whole.merge(part.result())
        finally:  # after Ctrl-C too: what waits is not begun
            while not waiting.empty():
                with suppress(Empty):
                    waiting.get_nowait()
    return whole
