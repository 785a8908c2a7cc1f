"""Strategies on the same dice: session by session, who came out ahead and by how much.

What luck gives to both falls out of the difference, so it is known better than either result. All is added up in
whole numbers, as in `result`.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import hypot, sqrt

import numpy as np

from stickman.sim import kernel
from stickman.sim.kernel import Int64s
from stickman.sim.result import Z95, Result
from stickman.sim.run import Lab, Player, pieces


@dataclass
class Difference:
    """By how much one strategy came out ahead of another."""

    net: Counter[int]
    """By the first's net result less the second's, in cents, how many sessions."""

    @property
    def sessions(self) -> int:
        return self.net.total()

    @property
    def first_ahead(self) -> int:
        return sum(times for cents, times in self.net.items() if cents > 0)

    @property
    def second_ahead(self) -> int:
        return sum(times for cents, times in self.net.items() if cents < 0)

    @property
    def mean_cents(self) -> Fraction:
        return Fraction(sum(cents * times for cents, times in self.net.items()), self.sessions)

    @property
    def sd_cents(self) -> float:
        """The standard deviation of a session's difference."""
        squares = sum(cents * cents * times for cents, times in self.net.items())
        return sqrt((squares - self.mean_cents**2 * self.sessions) / max(1, self.sessions - 1))

    def mean_error_cents(self) -> float:
        """Half the width of the mean's 95% confidence interval."""
        return Z95 * self.sd_cents / sqrt(self.sessions)


class Comparison:
    """What strategies came to on the same dice, each by itself and each pair."""

    def __init__(self, strategies: int) -> None:
        self.results = [Result() for _ in range(strategies)]
        self.pairs = {pair: Difference(Counter()) for pair in combinations(range(strategies), 2)}
        """By two strategies' places, the earlier first."""
        self.leads = [0] * strategies
        """Sessions in which a strategy came out ahead of every other."""

    def add(self, nets: Int64s) -> None:
        """Count some sessions: a row to a strategy, a column to a session."""
        for (first, second), difference in self.pairs.items():
            values, times = np.unique(nets[first] - nets[second], return_counts=True)
            difference.net.update(dict(zip(values.tolist(), times.tolist(), strict=True)))
        best = nets.max(axis=0)
        alone = (nets == best).sum(axis=0) == 1
        for place, net in enumerate(nets):
            self.leads[place] += int((alone & (net == best)).sum())

    def merge(self, other: Comparison) -> None:
        """Add the comparison of other sessions."""
        for mine, theirs in zip(self.results, other.results, strict=True):
            mine.merge(theirs)
        for pair, difference in other.pairs.items():
            self.pairs[pair].net.update(difference.net)
        self.leads = [a + b for a, b in zip(self.leads, other.leads, strict=True)]

    def unpaired_error_cents(self, pair: tuple[int, int]) -> float:
        """What half the width of a difference's interval would be if each strategy had had dice of its own."""
        return hypot(*(self.results[place].mean_error_cents() for place in pair))


def compare(
    labs: Sequence[Lab], sessions: int, threads: int = 1, progress: Callable[[int], object] | None = None
) -> Comparison:
    """Play so many sessions with each strategy. `progress` hears how many more are done by all."""
    assert len({(lab.layout.fingerprint, lab.terms, lab.seed) for lab in labs}) == 1, "other dice or another table"
    waiting = deque(pieces(sessions))

    def work(players: list[Player], most: int | None = None) -> Comparison:
        """Play so many of the pieces that wait, or all."""
        found = Comparison(len(players))
        with suppress(IndexError):
            while most is None or most > 0:
                first, last = waiting.popleft()
                played = [player.play(first, last) for player in players]
                for result, each in zip(found.results, played, strict=True):
                    result.add(each)
                found.add(np.stack([each.outcomes[:, kernel.NET] for each in played]))
                most = None if most is None else most - 1
                if progress:
                    progress(last - first)
        for result, player in zip(found.results, players, strict=True):
            result.refusals |= player.explorer.refusals
        return found

    # One thread explores, then each gets a copy: see run.simulate.
    players = [Player(lab) for lab in labs]
    whole = work(players, 1 if threads > 1 else None)
    if not waiting:
        return whole
    with ThreadPoolExecutor(threads) as pool:
        teams = [[Player(each.lab, each.explorer.copy()) for each in players] for _ in range(threads)]
        try:
            for part in [pool.submit(work, team) for team in teams]:
                whole.merge(part.result())
        finally:  # after Ctrl-C too: what waits is not begun
            waiting.clear()
    return whole
