"""Tails, pooling and Holm, against tables and exact sums."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickman.randomness.goodness import (
    EXPECTED_MIN,
    chi_square,
    detectable,
    failures,
    holm,
    igamc,
    pooled_chi_square,
    two_sided,
)


@pytest.mark.parametrize(
    ("df", "statistic", "p"),
    [(1, 3.841, 0.05), (5, 11.070, 0.05), (5, 15.086, 0.01), (10, 23.209, 0.01), (35, 57.342, 0.01)],
)
def test_the_tail_of_chi_square_is_that_of_the_printed_tables(df: int, statistic: float, p: float) -> None:
    assert igamc(df / 2, statistic / 2) == pytest.approx(p, abs=2e-5)


def test_a_statistic_that_rounding_brought_under_zero_counts_as_zero() -> None:
    assert igamc(2, -1e-12) == 1.0


@pytest.mark.parametrize(("z", "p"), [(0, 1), (1.959964, 0.05), (-2.575829, 0.01)])
def test_the_two_sided_tail_is_that_of_the_printed_tables(z: float, p: float) -> None:
    assert two_sided(z).p == pytest.approx(p, abs=1e-6)


def test_chi_square_of_a_textbook_die() -> None:
    # 60 throws that give 5 8 9 8 10 20: (25 + 4 + 1 + 4 + 0 + 100) / 10, p under 0.02
    fit = chi_square([5, 8, 9, 8, 10, 20], [1 / 6] * 6)
    assert fit.statistic == pytest.approx(13.4)
    assert 0.01 < fit.p < 0.02


def test_rare_cells_are_pooled_until_they_expect_enough() -> None:
    law = [0.9, 0.06, 0.02, 0.015, 0.005]
    assert pooled_chi_square([90, 6, 2, 1, 1], law) == chi_square([90, 10], [0.9, 0.1])
    assert pooled_chi_square([180, 12, 4, 3, 1], law) == chi_square([180, 12, 8], [0.9, 0.06, 0.04])
    assert pooled_chi_square([90_000, 6_000, 2_000, 1_500, 500], law).statistic == pytest.approx(0)


def test_counts_too_few_to_judge_are_no_failure() -> None:
    assert pooled_chi_square([0, 0, 0], [0.5, 0.3, 0.2]).p == 1
    assert pooled_chi_square([4, 3], [0.5, 0.5]).p == 1
    assert pooled_chi_square([10, 0], [0.5, 0.5]).p < 1


@given(st.lists(st.integers(1, 50), min_size=2, max_size=30), st.integers(20, 2_000))
def test_pooling_leaves_no_cell_that_expects_too_little(weights: list[int], total: int) -> None:
    law = [weight / sum(weights) for weight in weights]
    counts = [total, *[0] * (len(law) - 1)]
    fit = pooled_chi_square(counts, law)
    # the cell with all counts adds less than total / law; a cell under the minimum would let it be larger
    assert fit.statistic <= total * (total / EXPECTED_MIN)


@pytest.mark.parametrize(("failed", "tried"), [(0, 100), (1, 100), (5, 100), (3, 60), (100, 100)])
def test_failures_are_judged_by_the_exact_binomial_tail(failed: int, tried: int) -> None:
    chance = Fraction(1, 100)
    tail = sum(comb(tried, k) * chance**k * (1 - chance) ** (tried - k) for k in range(failed, tried + 1))
    assert failures(failed, tried, 0.01).p == pytest.approx(float(tail))


def test_holm_multiplies_by_the_tests_that_are_left() -> None:
    assert holm([0.01, 0.02, 0.03, 0.04]) == pytest.approx([0.04, 0.06, 0.06, 0.06])
    assert holm([0.5, 0.001]) == pytest.approx([0.5, 0.002])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_lies_between_each_p_and_bonferroni_and_keeps_the_order(ps: list[float]) -> None:
    adjusted = holm(ps)
    for p, after in zip(ps, adjusted, strict=True):
        assert p <= after <= max(1.0 * p, min(1.0, len(ps) * max(q for q in ps if q <= p)))
    assert [after for _, after in sorted(zip(ps, adjusted, strict=True))] == sorted(adjusted)


def test_what_can_be_detected_is_that_of_the_printed_tables() -> None:
    # Cohen: df 5, alpha 0.05, power 0.90 needs a noncentrality of 16.47; df 1, alpha 0.01, power 0.80 one of 11.68
    assert detectable(5, 0.05, 0.9) == pytest.approx(16.47, abs=0.01)
    assert detectable(1, 0.01, 0.8) == pytest.approx(11.68, abs=0.01)
