"""What sessions came to, added up in whole numbers: two results added are the result of both."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from math import sqrt
from typing import NamedTuple

import numpy as np

from stickman.rules.felt import Reason
from stickman.sim.kernel import Int64s
from stickman.sim.play import Ending

Z95 = 1.959963984540054
"""Half the width of the middle 95% of a normal distribution, in standard deviations."""


class Played(NamedTuple):
    """The outcomes of some sessions, one to a row."""

    outcomes: Int64s
    on_felt: int
    """How many of them were played on the felt."""
    asked: int
    """How often the felt was asked."""


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
