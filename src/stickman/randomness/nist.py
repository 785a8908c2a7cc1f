"""The fifteen tests of NIST SP 800-22 revision 1a, on one sequence of bits.

Each gives p-values: the chance that a perfect source looks at least this non-random. The defaults are the
parameters of NIST's examples for 1,000,000 bits (Appendix B). Numbers in brackets are sections of that paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from math import ceil, erfc, floor, log, prod, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickman.randomness.goodness import Law, chi_square, igamc

Bits = NDArray[np.uint8]
"""Zeros and ones, a byte each."""

BITS = 1_000_000
"""The length of a sequence. Several laws below hold only for such lengths."""


def blocks(bits: Bits, size: int) -> Bits:
    """Whole blocks of one size, one in each row; the rest is dropped."""
    return bits[: len(bits) // size * size].reshape(-1, size)


def windows(bits: Bits, size: int) -> NDArray[np.int32]:
    """Every run of this many neighbouring bits, read as a number."""
    numbers = np.zeros(len(bits) - size + 1, np.int32)
    for start in range(size):
        numbers = numbers << 1 | bits[start : start + len(numbers)]
    return numbers


def walk(bits: Bits) -> NDArray[np.int64]:
    """The positions of a walk that steps up for a one and down for a zero."""
    return np.cumsum(2 * bits.astype(np.int64) - 1)


# --- Ones, runs and sums (2.1 to 2.4, 2.13) ---


def frequency(bits: Bits) -> float:
    """As many ones as zeros (2.1)."""
    return erfc(abs(2 * int(bits.sum()) - len(bits)) / sqrt(2 * len(bits)))


def block_frequency(bits: Bits, size: int = 128) -> float:
    """As many ones as zeros in each block (2.2)."""
    shares = blocks(bits, size).mean(axis=1)
    return igamc(len(shares) / 2, 2 * size * float(((shares - 0.5) ** 2).sum()))


def cumulative_sums(bits: Bits) -> dict[str, float]:
    """How far the walk strays, from either end (2.13)."""
    return {name: _strays(walk(way)) for name, way in (("forward", bits), ("backward", bits[::-1]))}


def _strays(path: NDArray[np.int64]) -> float:
    n, z = len(path), int(np.abs(path).max())

    def between(low: int, high: int, k: int) -> float:
        """Chance of a normal value between two multiples of the farthest point."""
        scale = z / sqrt(2 * n)
        return (erfc((4 * k + low) * scale) - erfc((4 * k + high) * scale)) / 2

    last = floor((n / z - 1) / 4)
    inner = sum(between(-1, 1, k) for k in range(ceil((-n / z + 1) / 4), last + 1))
    outer = sum(between(1, 3, k) for k in range(ceil((-n / z - 3) / 4), last + 1))
    return min(1.0, max(0.0, 1 - inner + outer))  # rounding may lead slightly beyond either end


def runs(bits: Bits) -> float:
    """The number of changes between neighbours (2.3)."""
    share = float(bits.mean())
    if abs(share - 0.5) >= 2 / sqrt(len(bits)):
        return 0.0  # the paper's rule: too many ones or zeros for the law of runs to hold
    even = share * (1 - share)
    found = 1 + np.count_nonzero(bits[1:] != bits[:-1])
    return erfc(abs(found - 2 * len(bits) * even) / (2 * sqrt(2 * len(bits)) * even))


LONGEST: tuple[tuple[int, int, int, Law], ...] = (
    (750_000, 10_000, 10, np.array([0.0882, 0.2092, 0.2483, 0.1933, 0.1208, 0.0675, 0.0727])),
    (6_272, 128, 4, np.array([0.1174, 0.2430, 0.2493, 0.1752, 0.1027, 0.1124])),
    (128, 8, 1, np.array([0.2148, 0.3672, 0.2305, 0.1875])),
)
"""By minimum number of bits: block, longest run of the first cell, and NIST's printed law (2.4.2, 2.4.4)."""


def longest_run(bits: Bits) -> float:
    """The longest run of ones in each block (2.4)."""
    _, size, shortest, law = next(row for row in LONGEST if len(bits) >= row[0])
    walled = np.pad(blocks(bits, size), ((0, 0), (1, 1))).astype(np.int8)
    turns = np.flatnonzero(np.diff(walled.ravel()))
    starts, lengths = turns[::2], turns[1::2] - turns[::2]
    longest = np.zeros(len(walled), np.int64)
    np.maximum.at(longest, starts // (size + 2), lengths)
    cells = np.clip(longest - shortest, 0, len(law) - 1)
    return chi_square(np.bincount(cells, minlength=len(law)), law).p


# --- Structure: matrices, spectrum, linear complexity (2.5, 2.6, 2.10) ---

FULL_RANK = prod(1 - 0.5**power for power in range(1, 33))
RANKS: Law = np.array([FULL_RANK, 2 * FULL_RANK, 1 - 3 * FULL_RANK])
"""Full rank, one less, or lower still (3.5)."""


def rank(bits: Bits, size: int = 32) -> float:
    """The ranks of the square matrices that the bits fill (2.5)."""
    rows = blocks(bits, size) @ (np.uint64(1) << np.arange(size, dtype=np.uint64))
    matrices = rows[: len(rows) // size * size].reshape(-1, size)
    ranks = np.zeros(len(matrices), np.int64)
    for column in range(size):
        has = matrices >> np.uint64(column) & np.uint64(1)
        pivot = np.take_along_axis(matrices, has.argmax(axis=1)[:, None], axis=1)
        matrices = matrices ^ has * pivot  # clears the column, and the pivot's row with it
        ranks += has.any(axis=1)
    lacking = np.minimum(size - ranks, 2)
    return chi_square(np.bincount(lacking, minlength=3), RANKS).p


def spectrum(bits: Bits) -> float:
    """How many peaks of the Fourier transform stay under the height that 95% should (2.6)."""
    n = len(bits)
    peaks = np.abs(np.fft.rfft(2.0 * bits - 1))[: n // 2]
    under = np.count_nonzero(peaks < sqrt(log(1 / 0.05) * n))
    return erfc(abs(under - 0.95 * n / 2) / sqrt(n * 0.95 * 0.05 / 4) / sqrt(2))


COMPLEXITIES: Law = np.array([1 / 96, 1 / 32, 1 / 8, 1 / 2, 1 / 4, 1 / 16, 1 / 48])
"""The law that section 3.10 derives. Appendix B was computed with 0.01047 for the first cell."""


def linear_complexity(bits: Bits, size: int = 500, law: ArrayLike = COMPLEXITIES) -> float:
    """How long a shift register each block needs (2.10)."""
    mean = size / 2 + (9 - (-1) ** size) / 36 - (size / 3 + 2 / 9) / 2.0**size
    distances = (-1) ** size * (complexities(blocks(bits, size)) - mean) + 2 / 9
    cells = np.searchsorted([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5], distances)
    return chi_square(np.bincount(cells, minlength=7), law).p


def complexities(rows: Bits) -> NDArray[np.int64]:
    """The shortest linear feedback shift register of each row: Berlekamp and Massey, on all rows at once.

    A polynomial over GF(2) is a column of 64-bit words. `seen` holds the bits so far, the newest lowest; `before`
    the connection before the last change of length, shifted to where it would be added.
    """
    count, size = rows.shape
    seen = np.zeros((size // 64 + 1, count), np.uint64)
    connection, before = seen.copy(), seen.copy()
    connection[0], before[0] = 1, 2
    lengths = np.zeros(count, np.int64)
    for step, newest in enumerate(rows.T.astype(np.uint64)):
        seen = _shifted(seen)
        seen[0] |= newest
        wrong = np.bitwise_count(np.bitwise_xor.reduce(connection & seen, axis=0)) & 1 == 1
        longer = wrong & (2 * lengths <= step)
        corrected = np.where(wrong, connection ^ before, connection)
        before = _shifted(np.where(longer, connection, before))
        connection = corrected
        lengths[longer] = step + 1 - lengths[longer]
    return lengths


def _shifted(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Long numbers, a column each with the lowest word on top, times two."""
    doubled = words << np.uint64(1)
    doubled[1:] |= words[:-1] >> np.uint64(63)
    return doubled


# --- Patterns (2.7, 2.8, 2.9, 2.11, 2.12) ---


@cache
def aperiodic(size: int) -> tuple[int, ...]:
    """Patterns of this many bits that cannot overlap themselves, in order."""
    return tuple(
        pattern
        for pattern in range(1 << size)
        if all(pattern >> shift != pattern & (1 << size - shift) - 1 for shift in range(1, size))
    )


def non_overlapping(
    bits: Bits, size: int = 9, patterns: Iterable[int] = aperiodic(9), parts: int = 8
) -> dict[str, float]:
    """How often each pattern that cannot overlap itself occurs (2.7)."""
    each = len(bits) // parts
    found = [np.bincount(windows(part, size), minlength=1 << size) for part in blocks(bits, each)]
    mean = (each - size + 1) / 2**size
    variance = each * (1 / 2**size - (2 * size - 1) / 4**size)
    sums = ((np.array(found) - mean) ** 2 / variance).sum(axis=0)
    return {f"{pattern:0{size}b}": igamc(parts / 2, sums[pattern] / 2) for pattern in patterns}


@cache
def overlaps(size: int = 9, block: int = 1032, most: int = 5) -> tuple[float, ...]:
    """The exact chance of each number of places in a block with this many ones in a row.

    NIST prints these for its parameters (3.8); Appendix B was computed with an older approximation.
    """
    chances = np.zeros((size + 1, most + 1))  # by ones in a row up to here, and by places so far
    chances[0, 0] = 1
    for _ in range(block):
        after = np.zeros_like(chances)
        after[0] = chances.sum(axis=0) / 2
        after[1:size] = chances[: size - 1] / 2
        full = (chances[size - 1] + chances[size]) / 2
        after[size, 1:], after[size, most] = full[:-1], full[-2] + full[-1]
        chances = after
    return tuple(chances.sum(axis=0).tolist())


def overlapping(bits: Bits, size: int = 9, block: int = 1032, law: ArrayLike | None = None) -> float:
    """How often a row of ones occurs, overlaps counted (2.8)."""
    chances = overlaps(size, block) if law is None else np.asarray(law)
    ones = np.lib.stride_tricks.sliding_window_view(blocks(bits, block), size, axis=1).all(axis=2)
    places = np.minimum(ones.sum(axis=1), len(chances) - 1)
    return chi_square(np.bincount(places, minlength=len(chances)), chances).p


DISTANCES = {6: (5.2177052, 2.954), 7: (6.1962507, 3.125), 8: (7.1836656, 3.238), 9: (8.1764248, 3.311)}
"""By size of word, mean and variance of the logarithm of the distance (2.9.4)."""


def universal(bits: Bits) -> float:
    """How far back each word of bits last occurred, as a measure of how well they compress (2.9)."""
    size = max(size for size in DISTANCES if len(bits) >= 1010 * 2**size * size)
    warm_up = 10 * 2**size
    counted = len(bits) // size - warm_up
    mean, variance = DISTANCES[size]
    shrink = 0.7 - 0.8 / size + (4 + 32 / size) * counted ** (-3 / size) / 15
    off = abs(mean_distance(bits, size, warm_up) - mean)
    return erfc(off / (sqrt(2) * shrink * sqrt(variance / counted)))


def mean_distance(bits: Bits, size: int, warm_up: int) -> float:
    """The mean logarithm of the distance to where each word last occurred, the warm-up not counted (2.9.4)."""
    words = blocks(bits, size) @ (1 << np.arange(size, dtype=np.int64))
    order = np.argsort(words, kind="stable")
    last = np.full(len(words), -1)
    again = words[order[1:]] == words[order[:-1]]
    last[order[1:][again]] = order[:-1][again]
    return float(np.log2((np.arange(len(words)) - last)[warm_up:]).mean())


def serial(bits: Bits, size: int = 16) -> dict[str, float]:
    """All overlapping patterns of a size equally often (2.11)."""
    longest, longer, long = (
        float(2 ** (size - less) * np.square(counts).sum() / len(bits)) - len(bits)
        for less, counts in enumerate(_circular(bits, size))
    )
    return {
        "first difference": igamc(2.0 ** (size - 2), (longest - longer) / 2),
        "second difference": igamc(2.0 ** (size - 3), (longest - 2 * longer + long) / 2),
    }


def approximate_entropy(bits: Bits, size: int = 10) -> float:
    """Patterns of a size against patterns one longer (2.12)."""
    longer, shorter, _ = (counts[counts > 0] / len(bits) for counts in _circular(bits, size + 1))
    entropy = float((shorter * np.log(shorter)).sum() - (longer * np.log(longer)).sum())
    return igamc(2.0 ** (size - 1), len(bits) * (log(2) - entropy))


def _circular(bits: Bits, size: int) -> list[NDArray[np.int64]]:
    """How often each pattern of a size, of one less and of two less occurs, the bits closed to a ring."""
    counts = np.bincount(windows(np.concatenate([bits, bits[: size - 1]]), size), minlength=1 << size)
    return [counts, counts.reshape(-1, 2).sum(axis=1), counts.reshape(-1, 4).sum(axis=1)]


# --- The walk between its returns to zero (2.14, 2.15) ---

CYCLES_MIN = 500
"""A walk that returns less often is too short to judge its cycles (2.14.4): such a sequence is left out."""


def excursions(bits: Bits, cycles_min: int = CYCLES_MIN) -> dict[str, float]:
    """How often each state near zero is visited in a cycle (2.14)."""
    path, cycle, cycles = _cycles(bits)
    if cycles < cycles_min:
        return {}
    ps = {}
    for state in (-4, -3, -2, -1, 1, 2, 3, 4):
        visits = np.bincount(cycle[path == state], minlength=cycles)
        away = 1 - 1 / (2 * abs(state))
        law = [away, *(away ** (k - 1) * (1 - away) ** 2 for k in (1, 2, 3, 4)), (1 - away) * away**4]
        ps[f"{state:+d}"] = chi_square(np.bincount(np.minimum(visits, 5), minlength=6), law).p
    return ps


def excursions_variant(bits: Bits, cycles_min: int = CYCLES_MIN) -> dict[str, float]:
    """How often each state near zero is visited at all (2.15)."""
    path, _, cycles = _cycles(bits)
    if cycles < cycles_min:
        return {}
    visits = {state: np.count_nonzero(path == state) for state in range(-9, 10) if state}
    return {
        f"{state:+d}": erfc(abs(count - cycles) / sqrt(2 * cycles * (4 * abs(state) - 2)))
        for state, count in visits.items()
    }


def _cycles(bits: Bits) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """The walk, closed at zero; the cycle of each of its steps; and the number of cycles."""
    path = walk(bits)
    if path[-1]:
        path = np.append(path, 0)
    home = path == 0
    return path, np.cumsum(home) - home, int(home.sum())


# --- All together ---

FIFTEEN: dict[str, Callable[[Bits], float | dict[str, float]]] = {
    "frequency": frequency,
    "block frequency": block_frequency,
    "cumulative sums": cumulative_sums,
    "runs": runs,
    "longest run": longest_run,
    "rank": rank,
    "spectrum (DFT)": spectrum,
    "non-overlapping templates": non_overlapping,
    "overlapping templates": overlapping,
    "universal": universal,
    "approximate entropy": approximate_entropy,
    "random excursions": excursions,
    "random excursions variant": excursions_variant,
    "serial": serial,
    "linear complexity": linear_complexity,
}


def fifteen(bits: Bits) -> dict[tuple[str, str], float]:
    """Every p-value of a sequence, by test and by part of the test."""
    found = {}
    for name, test in FIFTEEN.items():
        ps = test(bits)
        for what, p in (ps if isinstance(ps, dict) else {"": ps}).items():
            found[name, what] = p
    return found
