"""How well counts fit a law, and what many p-values mean together."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtrc, chdtri, chndtrinc, gammaincc

Law = NDArray[np.float64]
EXPECTED_MIN = 5
"""A cell that expects fewer is pooled with others, because the chi-square law does not hold for it."""


class Fit(NamedTuple):
    """A test's statistic, and the chance that fair dice give one at least this large."""

    statistic: float
    p: float


def igamc(a: float, x: float) -> float:
    """The upper incomplete gamma function as SP 800-22 writes it; the tail of a chi-square is igamc(df/2, x/2).
    Negative values from rounding count as zero.
    """
    return float(gammaincc(a, max(0.0, x)))


def chi_square(observed: ArrayLike, law: ArrayLike) -> Fit:
    """Compare counts with the law of their cells."""
    counts, chances = np.asarray(observed, np.float64), np.asarray(law, np.float64)
    expected = counts.sum() * chances
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return Fit(statistic, igamc((len(counts) - 1) / 2, statistic / 2))


def pooled_chi_square(observed: ArrayLike, law: ArrayLike) -> Fit:
    """The same with the rarest cells pooled until they expect enough; a perfect fit if that leaves one cell."""
    counts, chances = np.asarray(observed, np.int64), np.asarray(law, np.float64)
    order = np.argsort(-chances, kind="stable")
    counts, chances = counts[order], chances[order]
    expected = chances * counts.sum()
    enough = np.cumsum(expected[::-1])[::-1] >= EXPECTED_MIN
    enough[1:] &= expected[:-1] >= EXPECTED_MIN
    starts = np.flatnonzero(enough)
    if len(starts) < 2:
        return Fit(0.0, 1.0)
    return chi_square(np.add.reduceat(counts, starts), np.add.reduceat(chances, starts))


def two_sided(z: float) -> Fit:
    """The fit of an approximately normal sum, given in standard deviations from its mean."""
    return Fit(z, erfc(abs(z) / sqrt(2)))


def failures(failed: int, tried: int, chance: float) -> Fit:
    """This many failures, each with this chance: the exact tail of the binomial law."""
    return Fit(failed, float(bdtrc(failed - 1, tried, chance)) if failed else 1.0)


def detectable(df: int, alpha: float, power: float) -> float:
    """The noncentrality at which a chi-square test rejects this often."""
    return float(chndtrinc(chdtri(df, alpha), df, 1 - power))


def holm(ps: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values. Rejecting those below alpha makes any mistake with a chance of at most alpha, even
    if the tests depend on each other.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    assert all(0 <= p <= 1 for p in ps), ps
    adjusted, highest = [0.0] * len(ps), 0.0
    for rank, index in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[index]))
        adjusted[index] = highest
    return adjusted
