"""Strategies on the same dice: session by session, who came out ahead and by how much.

What luck gives to both falls out of the difference, so it is known better than either result. All is added up in
whole numbers, as in `result`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from math import hypot, sqrt
from typing import Any

from stickman.sim.kernel import Int64s
from stickman.sim.result import Z95, SimResult, count


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


@dataclass(init=False)
class Comparison:
    """The results of strategies on the same dice, of each one and of each pair."""

    results: list[SimResult]
    pairs: dict[tuple[int, int], Difference]
    """By two strategies' places, the earlier first."""
    leads: list[int]
    """Sessions in which a strategy came out ahead of every other."""

    def __init__(self, strategies: int) -> None:
        self.results = [SimResult() for _ in range(strategies)]
        self.pairs = {pair: Difference(Counter()) for pair in combinations(range(strategies), 2)}
        self.leads = [0] * strategies

    def add(self, nets: Int64s) -> None:
        """Count some sessions: a row to a strategy, a column to a session."""
        for (first, second), difference in self.pairs.items():
            count(difference.net, nets[first] - nets[second])
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

    def digest(self) -> str:
        """The same for the same outcomes, however they were come by."""
        pairs = [sorted(difference.net.items()) for difference in self.pairs.values()]
        return sha256(repr(([result.digest() for result in self.results], pairs, self.leads)).encode()).hexdigest()

    def plain(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "results": [result.plain() for result in self.results],
            "pairs": [sorted(difference.net.items()) for difference in self.pairs.values()],
            "leads": self.leads,
        }

    @classmethod
    def restored(cls, plain: dict[str, Any]) -> Comparison:
        """The comparison that was written as plain values."""
        found = cls(len(plain["results"]))
        found.results = list(map(SimResult.restored, plain["results"]))
        for difference, counts in zip(found.pairs.values(), plain["pairs"], strict=True):
            difference.net.update(dict(counts))
        found.leads = plain["leads"]
        return found

    def unpaired_error_cents(self, pair: tuple[int, int]) -> float:
        """What half the width of a difference's interval would be if each strategy had had dice of its own."""
        return hypot(*(self.results[place].mean_error_cents() for place in pair))
