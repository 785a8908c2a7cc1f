"""The fifteen tests give the p-values that NIST SP 800-22 revision 1a publishes.

Three laws behind Appendix B were corrected later: the tests below name the old ones where they need them. Where the
paper contradicts itself, a comment says so.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby, pairwise, product
from math import comb, erfc, exp, factorial, sqrt

import numpy as np
import pytest

from stickman.randomness import nist
from stickman.randomness.goodness import igamc
from stickman.randomness.nist import Bits
from tests.randomness.expansions import bits_of, expansion

PI_100 = bits_of(
    "1100100100001111110110101010001000100001011010001100001000110100110001001100011001100010100010111000"
)
SIX_DIGITS = 1e-6
OLD_COMPLEXITIES = (0.01047, 0.03125, 0.125, 0.5, 0.25, 0.0625, 0.020833)


def old_overlaps() -> list[float]:
    """The approximation of section 3.8 with eta = 1, which Appendix B was computed with."""
    terms = (sum(comb(u - 1, k - 1) / factorial(k) for k in range(1, u + 1)) / 2**u for u in range(1, 5))
    law = [exp(-1), *(exp(-1) * term for term in terms)]
    return [*law, 1 - sum(law)]


# --- Appendix B: 1,000,000 bits of each constant ---

APPENDIX_B = {
    # test, what: e, √2, √3
    ("frequency", ""): (0.953749, 0.811881, 0.610051),
    ("block frequency", ""): (0.211072, 0.833222, 0.473961),
    ("cumulative sums", "forward"): (0.669887, 0.879009, 0.917121),
    ("cumulative sums", "backward"): (0.724266, 0.957206, 0.689519),
    ("runs", ""): (0.561917, 0.313427, 0.261123),
    ("longest run", ""): (0.718945, 0.012117, 0.446726),
    ("rank", ""): (0.306156, 0.823810, 0.314498),
    ("spectrum (DFT)", ""): (0.847187, 0.581909, 0.776046),
    ("non-overlapping templates", "000000001"): (0.078790, 0.569461, 0.532235),
    ("universal", ""): (0.282568, 0.130805, 0.165981),
    ("approximate entropy", ""): (0.700073, 0.884740, 0.180481),
    ("random excursions", "+1"): (0.786868, 0.216235, 0.783283),
    ("random excursions variant", "-1"): (0.826009, 0.566118, 0.155066),
    ("serial", "first difference"): (0.766182, 0.861925, 0.157500),
}
OLD_OVERLAPPING = (0.110434, 0.791982, 0.082716)
OLD_LINEAR_COMPLEXITY = (0.826335, 0.317127, 0.346469)


@pytest.mark.parametrize(("column", "constant"), [(0, "e"), (1, "sqrt2"), (2, "sqrt3")])
def test_a_constant_gives_the_p_values_of_appendix_b(column: int, constant: str) -> None:
    bits = expansion(constant)
    found = nist.fifteen(bits)
    assert len(found) == 188
    assert {name for name, _ in found} == {name for name, _ in APPENDIX_B} | {
        "overlapping templates",
        "linear complexity",
    }
    published = {name: row[column] for name, row in APPENDIX_B.items()}
    assert {name: found[name] for name in published} == pytest.approx(published, abs=SIX_DIGITS)
    assert nist.overlapping(bits, law=old_overlaps()) == pytest.approx(OLD_OVERLAPPING[column], abs=SIX_DIGITS)
    assert nist.linear_complexity(bits, law=OLD_COMPLEXITIES) == pytest.approx(
        OLD_LINEAR_COMPLEXITY[column], abs=SIX_DIGITS
    )


# --- The examples of section 2 that use the bits of e ---


def test_rank_of_the_first_100000_bits_of_e() -> None:
    assert nist.rank(expansion("e")[:100_000]) == pytest.approx(0.532069, abs=SIX_DIGITS)  # 2.5.8


def test_linear_complexity_of_e_in_blocks_of_1000() -> None:
    p = nist.linear_complexity(expansion("e"), 1000, OLD_COMPLEXITIES)
    assert p == pytest.approx(0.845406, abs=SIX_DIGITS)  # 2.10.8


def test_serial_of_e_with_pairs_of_bits() -> None:
    found = list(nist.serial(expansion("e"), 2).values())
    assert found == pytest.approx([0.843764, 0.561915], abs=SIX_DIGITS)  # 2.11.8


def test_excursions_of_e() -> None:
    found = nist.excursions(expansion("e"))
    # 2.14.8; what it prints for +1 to +4 contradicts Appendix B, which is tested above
    published = {"-4": 0.573306, "-3": 0.197996, "-2": 0.164011, "-1": 0.007779}
    assert {state: found[state] for state in published} == pytest.approx(published, abs=SIX_DIGITS)


def test_excursions_variant_of_e() -> None:
    below = [0.858946, 0.794755, 0.576249, 0.493417, 0.633873, 0.917283, 0.934708, 0.816012, 0.826009]
    above = [0.137861, 0.200642, 0.441254, 0.939291, 0.505683, 0.445935, 0.512207, 0.538635, 0.593930]
    found = nist.excursions_variant(expansion("e"))
    assert list(found) == [*(f"{state}" for state in range(-9, 0)), *(f"+{state}" for state in range(1, 10))]
    assert list(found.values()) == pytest.approx([*below, *above], abs=SIX_DIGITS)  # 2.15.8


# --- The short examples of section 2 ---


@pytest.mark.parametrize(
    ("example", "published"),
    [
        (lambda: nist.frequency(bits_of("1011010101")), 0.527089),  # 2.1.4
        (lambda: nist.frequency(PI_100), 0.109599),  # 2.1.8
        (lambda: nist.block_frequency(bits_of("0110011010"), 3), 0.801252),  # 2.2.4
        (lambda: nist.block_frequency(PI_100, 10), 0.706438),  # 2.2.8
        (lambda: nist.runs(bits_of("1001101011")), 0.147232),  # 2.3.4
        (lambda: nist.runs(PI_100), 0.500798),  # 2.3.8
        (lambda: nist.non_overlapping(bits_of("10100100101110010110"), 3, [0b001], 2)["001"], 0.344154),  # 2.7.4
        (lambda: nist.serial(bits_of("0011011101"), 3)["first difference"], 0.808792),  # 2.11.6
        (lambda: nist.serial(bits_of("0011011101"), 3)["second difference"], 0.670320),  # 2.11.6
        (lambda: nist.approximate_entropy(bits_of("0100110101"), 3), 0.261961),  # 2.12.4
        (lambda: nist.approximate_entropy(PI_100, 2), 0.235301),  # 2.12.8
        (lambda: nist.cumulative_sums(bits_of("1011010111"))["forward"], 0.4116588),  # 2.13.4
        (lambda: nist.cumulative_sums(PI_100)["forward"], 0.219194),  # 2.13.8
        (lambda: nist.cumulative_sums(PI_100)["backward"], 0.114866),  # 2.13.8
        (lambda: nist.excursions_variant(bits_of("0110110101"), 1)["+1"], 0.683091),  # 2.15.4
    ],
)
def test_a_short_example_gives_its_published_p_value(example: Callable[[], float], published: float) -> None:
    assert example() == pytest.approx(published, abs=SIX_DIGITS)


def test_short_examples_that_the_paper_computes_with_rounded_figures() -> None:
    first = "1100110000010101011011000100110011100000000000100100110101010001"
    second = "0001001111010110100000001101011111001100111001101101100010110010"
    assert nist.longest_run(bits_of(first + second)) == pytest.approx(0.180609, abs=2e-5)  # 2.4.8
    assert nist.rank(bits_of("01011001001010101101"), 3) == pytest.approx(0.741948, abs=5e-5)  # 2.5.4
    assert nist.excursions(bits_of("0110110101"), 1)["+1"] == pytest.approx(0.502529, abs=5e-5)  # 2.14.4


def test_the_short_example_of_the_universal_test() -> None:
    found = nist.mean_distance(bits_of("01011010011101010111"), 2, 4)
    assert found == pytest.approx(1.1949875, abs=1e-7)  # 2.9.4
    # The paper then uses the plain deviation of a word of two bits: mean 1.5374383, variance 1.338
    assert erfc(abs(found - 1.5374383) / sqrt(2 * 1.338)) == pytest.approx(0.767189, abs=SIX_DIGITS)


def test_the_short_example_of_linear_complexity() -> None:
    assert nist.complexities(bits_of("1101011110001")[None]).tolist() == [4]  # 2.10.4


# --- Independent calculations: what the paper leaves open or prints wrongly ---


def some_bits(count: int, seed: int = 1) -> Bits:
    return np.random.default_rng(seed).integers(0, 2, count, np.uint8)


def test_the_spectrum_is_that_of_the_plain_transform() -> None:
    # The examples 2.6.4 and 2.6.8 count peaks that the transform does not have; Appendix B counts as we do.
    signs = 2.0 * PI_100 - 1
    angles = 2j * np.pi * np.outer(np.arange(50), np.arange(100)) / 100
    under = np.count_nonzero(np.abs((signs * np.exp(angles)).sum(axis=1)) < sqrt(299.5732274))
    assert nist.spectrum(PI_100) == pytest.approx(erfc(abs(under - 47.5) / sqrt(2 * 100 * 0.95 * 0.05 / 4)))


def test_the_law_of_overlaps_is_the_corrected_one_of_revision_1a() -> None:
    corrected = [0.364091, 0.185659, 0.139381, 0.100571, 0.0704323, 0.139865]  # 3.8, Hamano and Kaneko
    assert nist.overlaps() == pytest.approx(corrected, abs=SIX_DIGITS)


def test_the_law_of_overlaps_is_that_of_all_short_blocks() -> None:
    # The example 2.8.4 counts two of its five blocks wrongly, so that its p-value follows from nothing.
    places = [sum(pair == (1, 1) for pair in pairwise(block)) for block in product((0, 1), repeat=10)]
    assert nist.overlaps(2, 10) == pytest.approx(np.bincount(np.minimum(places, 5)) / 2**10)


def test_overlapping_places_are_counted_within_their_block() -> None:
    blocks = ["0000000000", "1100000000", "1110000000", "1111000000", "0111110000", "1111111111"]
    even = [1 / 6] * 6
    assert nist.overlapping(bits_of("".join(blocks)), 2, 10, even) == pytest.approx(1.0)
    assert nist.overlapping(bits_of("0000000001" * 6), 2, 10, even) == pytest.approx(igamc(2.5, 15.0))


def plain_complexity(bits: Sequence[int]) -> int:
    """Berlekamp and Massey, as it is printed in textbooks."""
    connection, before = [1] + [0] * len(bits), [1] + [0] * len(bits)
    length, changed = 0, -1
    for n in range(len(bits)):
        if sum(connection[i] * bits[n - i] for i in range(length + 1)) % 2:
            kept = connection[:]
            for i in range(len(bits) + 1 - (n - changed)):
                connection[n - changed + i] ^= before[i]
            if 2 * length <= n:
                length, changed, before = n + 1 - length, n, kept
    return length


@pytest.mark.parametrize("size", [1, 2, 63, 64, 65, 130])
def test_linear_complexities_are_those_of_the_textbook(size: int) -> None:
    rows = np.concatenate([some_bits(40 * size).reshape(40, size), np.zeros((1, size), np.uint8)])
    rows[5, :-1] = 0
    assert nist.complexities(rows).tolist() == [plain_complexity(row) for row in rows.tolist()]


def test_the_law_of_linear_complexity_is_that_of_all_blocks() -> None:
    # Of the blocks of n bits, 2^min(2n - 2L, 2L - 1) need a register of L bits, and one needs none (Rueppel).
    size, cells = 500, [Fraction(0)] * 7
    ways = {0: 1} | {length: 2 ** min(2 * size - 2 * length, 2 * length - 1) for length in range(1, size + 1)}
    assert sum(ways.values()) == 2**size
    mean = Fraction(sum(length * count for length, count in ways.items()), 2**size)
    for length, count in ways.items():
        distance = length - mean + Fraction(2, 9)
        cells[sum(distance > edge - Fraction(5, 2) for edge in range(6))] += Fraction(count, 2**size)
    assert [float(chance) for chance in cells] == pytest.approx(nist.COMPLEXITIES.tolist(), abs=SIX_DIGITS)


@pytest.mark.parametrize("count", [128, 1_000, 6_272, 750_000])
def test_longest_runs_are_counted_block_by_block(count: int) -> None:
    bits = some_bits(count)
    _, size, shortest, law = next(row for row in nist.LONGEST if count >= row[0])
    longest = [
        max((len(list(run)) for bit, run in groupby(block) if bit), default=0)
        for block in nist.blocks(bits, size).tolist()
    ]
    cells = np.bincount(np.clip(np.array(longest) - shortest, 0, len(law) - 1), minlength=len(law))
    expected = len(longest) * law
    assert nist.longest_run(bits) == pytest.approx(
        igamc((len(law) - 1) / 2, float(((cells - expected) ** 2 / expected).sum() / 2))
    )


@pytest.mark.parametrize(("size", "count"), [(2, 2), (3, 4), (4, 6), (5, 12), (6, 20), (7, 40), (8, 74), (9, 148)])
def test_there_are_as_many_aperiodic_patterns_as_nist_lists(size: int, count: int) -> None:
    assert len(nist.aperiodic(size)) == count  # the data files of NIST's own program


def test_runs_are_not_judged_where_ones_and_zeros_are_too_uneven() -> None:
    assert nist.runs(bits_of("1" * 75 + "0" * 25)) == 0.0  # 2.3.4, step 2


def test_a_walk_that_seldom_returns_is_left_out() -> None:
    few = bits_of("01" * (nist.CYCLES_MIN - 1) + "1" * 10)
    assert (
        nist.excursions(few[: 2 * nist.CYCLES_MIN - 4])
        == nist.excursions_variant(few[: 2 * nist.CYCLES_MIN - 4])
        == {}
    )
    assert nist.excursions(few) != {}
