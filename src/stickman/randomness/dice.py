"""Tests on rolls and on Power Odds draws. They add up whole numbers as values arrive, and store none of them.

A chunk continues the previous one, so the size of chunks does not change any count. The law of each test is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import comb, sqrt
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from stickman.randomness.goodness import Fit, Law, pooled_chi_square, two_sided

Small = NDArray[np.uint8]
Counts = NDArray[np.int64]

FIRST = np.repeat(np.arange(1, 7, dtype=np.uint8), 6)
SECOND = np.tile(np.arange(1, 7, dtype=np.uint8), 6)
"""The dice of each roll, by its number."""


class Finding(NamedTuple):
    test: str
    what: str
    fit: Fit


class DiceTally(Protocol):
    def add(self, values: Small) -> None:
        """Count the next values of a stream: rolls by number, dice or totals, as the test needs."""

    def findings(self) -> Iterator[Finding]: ...


class RollTests:
    def __init__(self) -> None:
        self.rolls = 0
        self.tallies: list[tuple[str, DiceTally]] = [
            ("roll", Outcomes()),
            ("first", Runs("first die")),
            ("second", Runs("second die")),
            ("dice", Lags("serial correlation of dice", np.arange(-7.0, 7.0, 2.0), 35 / 3)),
            ("total", Lags("serial correlation of totals", np.arange(-7.0, 6.0), 35 / 6)),
            ("roll", Gaps("between sevens", FIRST + SECOND == 7)),
            ("roll", Gaps("between pairs", FIRST == SECOND)),
            ("dice", Coupons()),
            ("dice", Poker()),
        ]

    def add(self, numbers: Small) -> None:
        first, second = FIRST[numbers], SECOND[numbers]
        dice = np.stack([first, second], axis=1).ravel()
        views = {"roll": numbers, "first": first, "second": second, "dice": dice, "total": first + second}
        for view, tally in self.tallies:
            tally.add(views[view])
        self.rolls += len(numbers)

    def findings(self) -> list[Finding]:
        return [finding for _, tally in self.tallies for finding in tally.findings()]


class PowerTests:
    """Every test on Power Odds draws: what each group shows, how many show at once, and whether one predicts
    another, in the same draw or soon after."""

    def __init__(self, groups: int, one_in: int) -> None:
        self.chance = 1 / one_in
        self.groups = Groups(groups)
        self.shown: Counts = np.zeros((groups, 3), np.int64)
        self.at_once: Counts = np.zeros(groups + 1, np.int64)
        self.lags = Lags("Power Odds correlation", np.array([one_in - 1.0, one_in - 1.0, -1.0]), one_in - 1)

    @property
    def draws(self) -> int:
        return int(self.at_once.sum())

    def add(self, levels: Small) -> None:
        """Count the next levels, group by group and draw by draw: 0 for low, 1 for high, 2 for nothing."""
        draws = self.groups.cut(levels)
        self.shown += [np.bincount(group, minlength=3) for group in draws]
        self.at_once += np.bincount(np.count_nonzero(draws < 2, axis=0), minlength=len(self.at_once))
        self.lags.add(levels)

    def findings(self) -> list[Finding]:
        p, n = self.chance, len(self.shown)
        shown = (pooled_chi_square(counts, [p / 2, p / 2, 1 - p]) for counts in self.shown)
        at_once = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        return [
            *(Finding("Power Odds", f"group {number}", fit) for number, fit in enumerate(shown, 1)),
            Finding("Power Odds", "shown at once", pooled_chi_square(self.at_once, at_once)),
            *self.lags.findings(),
        ]


# --- One test each ---


class Outcomes:
    """How often each of the 36 rolls occurred: faces, ordered pairs and totals by chi-square."""

    def __init__(self) -> None:
        self.counts: Counts = np.zeros(36, np.int64)

    def add(self, values: Small) -> None:
        self.counts += np.bincount(values, minlength=36)

    def findings(self) -> Iterator[Finding]:
        table, total = self.counts.reshape(6, 6), FIRST + SECOND
        yield Finding("faces", "first die", pooled_chi_square(table.sum(axis=1), np.full(6, 1 / 6)))
        yield Finding("faces", "second die", pooled_chi_square(table.sum(axis=0), np.full(6, 1 / 6)))
        yield Finding("ordered pairs", "", pooled_chi_square(self.counts, np.full(36, 1 / 36)))
        law: Law = np.bincount(total)[2:] / 36
        yield Finding("totals", "", pooled_chi_square(np.bincount(total, self.counts)[2:], law))


class Runs:
    """Runs of one die: how often it changes between low (1 to 3) and high, and how often its face changes."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.last: Small = np.empty(0, np.uint8)
        self.pairs = self.side_changes = self.face_changes = 0

    def add(self, values: Small) -> None:
        die = np.concatenate([self.last, values])
        high = die > 3
        self.pairs += max(0, len(die) - 1)
        self.side_changes += int(np.count_nonzero(high[1:] != high[:-1]))
        self.face_changes += int(np.count_nonzero(die[1:] != die[:-1]))
        self.last = die[-1:].copy()

    def findings(self) -> Iterator[Finding]:
        yield Finding("runs", f"{self.what}, low or high", self._fit(self.side_changes, 1 / 2))
        yield Finding("runs", f"{self.what}, same face", self._fit(self.face_changes, 5 / 6))

    def _fit(self, changes: int, chance: float) -> Fit:
        """As every value is equally likely, neighbours differ independently of their position."""
        return two_sided((changes - self.pairs * chance) / sqrt(self.pairs * chance * (1 - chance)))


class Lags:
    """Serial correlation: the sum of products of values at a distance, for fifty lags.

    One matrix product of the stream, cut into rows, gives all lags: each of its diagonals holds the products of
    values at one distance. Values are whole numbers with mean zero and no sum reaches 2^53, so the sums are exact.
    """

    MOST = 50
    ROW = 64
    SLICE = ROW << 14

    def __init__(self, test: str, centred: NDArray[np.float64], variance: float) -> None:
        self.test, self.centred, self.variance = test, centred, variance
        self.history = np.zeros(self.ROW)
        self.length = 0
        self.sums: Counts = np.zeros(self.MOST, np.int64)

    def add(self, values: Small) -> None:
        for start in range(0, len(values), self.SLICE):
            self._add(self.centred[values[start : start + self.SLICE]])
        self.length += len(values)

    def _add(self, values: NDArray[np.float64]) -> None:
        padding = np.zeros(-len(values) % self.ROW)
        stream = np.concatenate([self.history, values, padding])
        now = stream[self.ROW :].reshape(-1, self.ROW)
        before = stream[: -self.ROW].reshape(-1, self.ROW)
        products = np.hstack([now.T @ before, now.T @ now])
        sums = [np.trace(products, offset=self.ROW - lag) for lag in range(1, self.MOST + 1)]
        self.sums += np.array(sums).astype(np.int64)
        self.history = stream[len(values) : len(values) + self.ROW].copy()

    def findings(self) -> Iterator[Finding]:
        for lag, total in enumerate(self.sums.tolist(), 1):
            z = total / (self.variance * sqrt(max(1, self.length - lag)))
            yield Finding(self.test, f"lag {lag}", two_sided(z))


class Gaps:
    """How many rolls separate one hit from the next."""

    MOST = 60

    def __init__(self, what: str, hits: NDArray[np.bool_]) -> None:
        self.what, self.hits = what, hits
        self.since = 0
        self.counts: Counts = np.zeros(self.MOST + 1, np.int64)

    def add(self, values: Small) -> None:
        places = np.flatnonzero(self.hits[values])
        gaps = np.diff(places, prepend=-1 - self.since) - 1
        self.counts += np.bincount(np.minimum(gaps, self.MOST), minlength=self.MOST + 1)
        self.since = len(values) - 1 - int(places[-1]) if len(places) else self.since + len(values)

    def findings(self) -> Iterator[Finding]:
        miss = 1 - float(self.hits.mean())
        law = [(1 - miss) * miss**gap for gap in range(self.MOST)]
        yield Finding("gaps", self.what, pooled_chi_square(self.counts, [*law, miss**self.MOST]))


class Groups:
    """Cuts a stream into groups of one size, regardless of chunks."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.rest: Small = np.empty(0, np.uint8)

    def cut(self, values: Small) -> Small:
        """The groups that are complete now, transposed: a row for each position in a group."""
        values = np.concatenate([self.rest, values])
        whole = len(values) // self.size * self.size
        self.rest = values[whole:].copy()
        return np.ascontiguousarray(values[:whole].reshape(-1, self.size).T)


class Coupons:
    """How many dice it takes to see all six faces: the first set in each group of 32 dice."""

    SIZE = 32

    def __init__(self) -> None:
        self.groups = Groups(self.SIZE)
        self.counts: Counts = np.zeros(self.SIZE + 2, np.int64)

    def add(self, values: Small) -> None:
        dice = np.uint8(1) << self.groups.cut(values)
        seen = np.zeros(dice.shape[1], np.uint8)
        needed = np.ones(dice.shape[1], np.uint8)
        for die in dice:
            seen |= die
            needed += seen != 0b1111110
        self.counts += np.bincount(needed, minlength=self.SIZE + 2)

    def findings(self) -> Iterator[Finding]:
        law = np.diff([*(_all_faces(dice) for dice in range(5, self.SIZE + 1)), 1.0])
        yield Finding("coupon collector", "", pooled_chi_square(self.counts[6:], law))


def _all_faces(dice: int) -> float:
    """The chance that this many dice show all six faces, by inclusion and exclusion."""
    return sum(comb(6, missed) * (-1.0) ** missed * ((6 - missed) / 6) ** dice for missed in range(7))


class Poker:
    """Five dice as a hand of poker, from five different to five of a kind."""

    SIZE = 5

    def __init__(self) -> None:
        self.groups = Groups(self.SIZE)
        self.counts: Counts = np.zeros(len(HANDS), np.int64)

    def add(self, values: Small) -> None:
        hands = np.zeros(1, np.int64)
        for die in self.groups.cut(values):
            hands = hands * 6 + (die - np.uint8(1))
        self.counts += np.bincount(HAND_OF[hands], minlength=len(HANDS))

    def findings(self) -> Iterator[Finding]:
        yield Finding("poker hands", "", pooled_chi_square(self.counts, np.bincount(HAND_OF) / len(HAND_OF)))


def _hand(dice: tuple[int, ...]) -> tuple[int, ...]:
    """How many dice are equal, the most first: (3, 2) is a full house."""
    return tuple(sorted(Counter(dice).values(), reverse=True))


HANDS = sorted({_hand(dice) for dice in product(range(6), repeat=Poker.SIZE)})
HAND_OF = np.array([HANDS.index(_hand(dice)) for dice in product(range(6), repeat=Poker.SIZE)])
"""The hand of five dice, indexed by the dice as a number in base six."""
