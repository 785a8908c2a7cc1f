"""Results of sessions in whole numbers: adding two results gives the result of both."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np

from stickman.rules.felt import Reason
from stickman.sim.kernel import Int64s
from stickman.sim.play import SessionEnding

NOTHING = np.zeros((0, 0, 3), np.int64)
Z95 = 1.959963984540054
"""Half the width of the middle 95% of a normal distribution, in standard deviations."""


class PlayedSessions(NamedTuple):
    """The outcomes of some sessions, one in each row."""

    outcomes: Int64s
    on_felt: int
    """How many of them were played on the felt."""
    asked: int
    bets: tuple[str, ...] = ()
    sums: Int64s = NOTHING
    """By session and bet: wagers decided, their stakes, what came back."""


@dataclass
class BetTally:
    """The result of one bet over its decided wagers, pushes included. Wagers that a session left undecided were
    followed to their end, so that the return does not depend on the length of sessions."""

    wagers: int = 0
    handle_cents: int = 0
    """The stakes of those wagers."""
    back_cents: int = 0
    """What came back: winnings, and stakes that were not lost, less upfront fees."""
    sessions: int = 0
    """Sessions with such wagers."""
    handle_squares: int = 0
    """The sum of the square of each session's handle."""
    back_squares: int = 0
    handle_by_back: int = 0

    def add(self, wagers: Int64s, handle: Int64s, back: Int64s) -> None:
        self.wagers += int(wagers.sum())
        self.handle_cents += int(handle.sum())
        self.back_cents += int(back.sum())
        self.sessions += int(np.count_nonzero(wagers))
        self.handle_squares += _dot(handle, handle)
        self.back_squares += _dot(back, back)
        self.handle_by_back += _dot(handle, back)

    def merge(self, other: BetTally) -> None:
        """Add the bet's result in other sessions."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def rtp(self) -> Fraction | None:
        """What came back of each decided unit; none if nothing was decided."""
        return Fraction(self.back_cents, self.handle_cents) if self.handle_cents else None

    def rtp_error(self) -> float:
        """Half the width of the return's 95% confidence interval, for a ratio of sums over sessions: sessions are
        independent, but wagers of one session may share their dice."""
        if self.sessions < 2 or not self.handle_cents:
            return inf
        ratio = Fraction(self.back_cents, self.handle_cents)
        squares = self.back_squares - 2 * ratio * self.handle_by_back + ratio * ratio * self.handle_squares
        return Z95 * sqrt(squares * self.sessions / (self.sessions - 1)) / self.handle_cents


@dataclass
class NetResults:
    """The distribution of a result over sessions."""

    net: Counter[int] = field(default_factory=Counter)
    """By result in cents: the number of sessions."""

    @property
    def sessions(self) -> int:
        return self.net.total()

    @property
    def net_cents(self) -> int:
        return sum(cents * times for cents, times in self.net.items())

    @property
    def mean_cents(self) -> Fraction:
        return Fraction(self.net_cents, self.sessions)

    @property
    def sd_cents(self) -> float:
        """The standard deviation of a session's result."""
        squares = sum(cents * cents * times for cents, times in self.net.items())
        return sqrt((squares - self.mean_cents**2 * self.sessions) / max(1, self.sessions - 1))

    def mean_error_cents(self) -> float:
        """Half the width of the mean's 95% confidence interval."""
        return Z95 * self.sd_cents / sqrt(self.sessions)


@dataclass
class SimResult(NetResults):
    """The result of sessions, in whole numbers; `net` is their net result."""

    drawdown: Counter[int] = field(default_factory=Counter)
    rolls: Counter[int] = field(default_factory=Counter)
    endings: Counter[SessionEnding] = field(default_factory=Counter)
    handle_cents: int = 0
    handle_squares: int = 0
    handle_by_net: int = 0
    """The sum of each session's handle times its net result."""
    bets: dict[str, BetTally] = field(default_factory=dict)
    """By bet, if bets are tallied."""
    on_felt: int = 0
    """Sessions that did not fit into the table. This depends on their order and is not part of the digest."""
    refusals: set[tuple[str, Reason]] = field(default_factory=set)
    """What the felt refused, for the strategy's author."""

    def add(self, played: PlayedSessions) -> None:
        net, drawdown, rolls, handle, ending = played.outcomes.T
        for counts, column in ((self.net, net), (self.drawdown, drawdown), (self.rolls, rolls)):
            count(counts, column)
        endings = Counter[int]()
        count(endings, ending)
        self.endings.update({SessionEnding(number): times for number, times in endings.items()})
        self.handle_cents += int(handle.sum())
        self.handle_squares += _dot(handle, handle)
        self.handle_by_net += _dot(handle, net)
        self.on_felt += played.on_felt
        for bet, sums in zip(played.bets, np.moveaxis(played.sums, 0, -1), strict=True):
            if sums.any():
                self.bets.setdefault(bet, BetTally()).add(*sums)

    def merge(self, other: SimResult) -> None:
        for name in COUNTS:
            getattr(self, name).update(getattr(other, name))
        for name in SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for bet, tally in other.bets.items():
            self.bets.setdefault(bet, BetTally()).merge(tally)
        self.refusals |= other.refusals

    def digest(self) -> str:
        """Equal outcomes have equal digests, however they were played."""
        counts = [sorted(c.items()) for c in (self.net, self.drawdown, self.rolls, self.endings)]
        sums = (self.handle_cents, self.handle_squares, self.handle_by_net)
        bets = [(bet, *vars(tally).values()) for bet, tally in sorted(self.bets.items())]
        return sha256(repr((counts, sums, bets)).encode()).hexdigest()

    def plain(self) -> dict[str, Any]:
        counts = {name: sorted(getattr(self, name).items()) for name in COUNTS}
        sums = {name: getattr(self, name) for name in SUMS}
        return (
            counts
            | sums
            | {
                "bets": {bet: vars(tally) for bet, tally in self.bets.items()},
                "refusals": sorted((spot, reason.value) for spot, reason in self.refusals),
            }
        )

    @classmethod
    def restored(cls, plain: dict[str, Any]) -> SimResult:
        result = cls(**{name: plain[name] for name in SUMS})
        for name in COUNTS:
            getattr(result, name).update(dict(plain[name]))
        result.endings = Counter({SessionEnding(why): times for why, times in plain["endings"]})
        result.bets = {bet: BetTally(**sums) for bet, sums in plain["bets"].items()}
        result.refusals = {(spot, REASONS[reason]) for spot, reason in plain["refusals"]}
        return result

    @property
    def rolls_total(self) -> int:
        return sum(rolls * times for rolls, times in self.rolls.items())

    @property
    def rtp(self) -> Fraction | None:
        """What came back of each unit of handle; none if nothing was bet."""
        return 1 + Fraction(self.net_cents, self.handle_cents) if self.handle_cents else None

    def rtp_error(self) -> float:
        """Half the width of the return's 95% confidence interval: that of a ratio of two sums."""
        if not self.handle_cents:
            return 0.0
        ratio = Fraction(self.net_cents, self.handle_cents)
        return Z95 * sqrt(self._variance(ratio) * self.sessions) / self.handle_cents

    def _variance(self, ratio: Fraction) -> Fraction:
        """The variance over sessions of the net result less this part of the handle."""
        squares = Fraction(sum(cents * cents * times for cents, times in self.net.items()))
        squares += ratio * ratio * self.handle_squares - 2 * ratio * self.handle_by_net
        total = self.net_cents - ratio * self.handle_cents
        return (squares - total * total / self.sessions) / max(1, self.sessions - 1)


REASONS = {reason.value: reason for reason in Reason}
COUNTS = ("net", "drawdown", "rolls", "endings")
SUMS = ("handle_cents", "handle_squares", "handle_by_net", "on_felt")


def percentile(counts: Counter[int], percent: int) -> int:
    """The least value that this percentage of sessions does not exceed.

    >>> percentile(Counter({-5: 1, 0: 2, 9: 1}), 50)
    0
    """
    missing = -(-counts.total() * percent // 100)
    for value in sorted(counts):
        missing -= counts[value]
        if missing <= 0:
            return value
    raise AssertionError("a percentile of no sessions")


def count(counts: Counter[int], column: Int64s) -> None:
    """Add how often each value occurs."""
    values, times = np.unique(column, return_counts=True)
    counts.update(dict(zip(values.tolist(), times.tolist(), strict=True)))


def _dot(a: Int64s, b: Int64s) -> int:
    """The exact sum of products, in Python's integers if 64 bits might not hold it."""
    most = int(np.abs(a).max(initial=0)) * int(np.abs(b).max(initial=0)) * len(a)
    return int(a @ b) if most < 1 << 63 else sum(x * y for x, y in zip(a.tolist(), b.tolist(), strict=True))
