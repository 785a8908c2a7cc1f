"""Strategies on the same dice: which one came out ahead in each session, and by how much.

Luck that two strategies share cancels out, so their difference is more precise than either result. All sums are
whole numbers, as in `result`.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from math import hypot
from typing import Any

from stickman.sim.kernel import Int64s
from stickman.sim.result import NetResults, SimResult, count


class Difference(NetResults):
    """Counts sessions by how much the first of two strategies came out ahead: its net result less that of the
    second."""

    @property
    def first_ahead(self) -> int:
        return sum(times for cents, times in self.net.items() if cents > 0)

    @property
    def second_ahead(self) -> int:
        return sum(times for cents, times in self.net.items() if cents < 0)


@dataclass(init=False)
class Comparison:
    """The results of strategies on the same dice: of each, and of each pair."""

    results: list[SimResult]
    pairs: dict[tuple[int, int], Difference]
    """By the positions of two strategies, the earlier first."""
    leads: list[int]
    """Sessions in which a strategy came out ahead of every other."""

    def __init__(self, strategies: int) -> None:
        self.results = [SimResult() for _ in range(strategies)]
        self.pairs = {pair: Difference() for pair in combinations(range(strategies), 2)}
        self.leads = [0] * strategies

    def add(self, nets: Int64s) -> None:
        """Count pairs and leads of some sessions: a row for each strategy, a column for each session. `results` are
        counted by the caller."""
        for (first, second), difference in self.pairs.items():
            count(difference.net, nets[first] - nets[second])
        best = nets.max(axis=0)
        alone = (nets == best).sum(axis=0) == 1
        for position, net in enumerate(nets):
            self.leads[position] += int((alone & (net == best)).sum())

    def merge(self, other: Comparison) -> None:
        for mine, theirs in zip(self.results, other.results, strict=True):
            mine.merge(theirs)
        for pair, difference in other.pairs.items():
            self.pairs[pair].net.update(difference.net)
        self.leads = [a + b for a, b in zip(self.leads, other.leads, strict=True)]

    def digest(self) -> str:
        """Equal outcomes have equal digests, however the sessions were divided among processes."""
        pairs = [sorted(difference.net.items()) for difference in self.pairs.values()]
        return sha256(repr(([result.digest() for result in self.results], pairs, self.leads)).encode()).hexdigest()

    def plain(self) -> dict[str, Any]:
        return {
            "results": [result.plain() for result in self.results],
            "pairs": [sorted(difference.net.items()) for difference in self.pairs.values()],
            "leads": self.leads,
        }

    @classmethod
    def restored(cls, plain: dict[str, Any]) -> Comparison:
        found = cls(len(plain["results"]))
        found.results = list(map(SimResult.restored, plain["results"]))
        for difference, counts in zip(found.pairs.values(), plain["pairs"], strict=True):
            difference.net.update(dict(counts))
        found.leads = plain["leads"]
        return found

    def unpaired_error_cents(self, pair: tuple[int, int]) -> float:
        """Half the width of the interval of the mean difference, if each strategy had separate dice."""
        return hypot(*(self.results[position].mean_error_cents() for position in pair))
