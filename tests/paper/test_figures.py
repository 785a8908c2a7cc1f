"""Printed numbers are exact: never through a float, a half to the even neighbour."""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stickman.paper.figures import decimal, dollars, exact, fraction, one_in, percent, root, signed

fractions = st.fractions() | st.builds(Fraction, st.integers(), st.sampled_from([2 * 10**6, 8 * 10**5, 495]))


def read(printed: str) -> Fraction:
    return Fraction(printed.replace(",", "").replace("−", "-"))


@given(fractions, st.integers(0, 8))
@example(Fraction(-1, 2), 0)
@example(Fraction(3, 2), 0)
def test_a_decimal_is_the_nearest_of_its_places_and_a_half_goes_to_the_even(value: Fraction, places: int) -> None:
    printed = read(decimal(value, places))
    unit = Fraction(1, 10**places)
    assert (printed / unit).denominator == 1
    assert abs(printed - value) <= unit / 2
    if abs(printed - value) == unit / 2:
        assert int(printed / unit) % 2 == 0


@given(fractions)
@example(Fraction(1, 2_000_000))
@example(Fraction(3, 2_000_000))
@example(Fraction(-3, 2_000_000))
def test_a_percent_is_a_hundred_times_the_value_to_four_places(value: Fraction) -> None:
    printed = percent(value)
    assert printed.endswith("%")
    assert len(printed.removesuffix("%").partition(".")[2]) == 4
    assert read(printed.removesuffix("%")) == round(value * 1_000_000) / Fraction(10_000)


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**6))
def test_a_percent_agrees_with_decimal_arithmetic(numerator: int, denominator: int) -> None:
    context = Context(prec=60, rounding=ROUND_HALF_EVEN)
    quotient = context.divide(Decimal(numerator * 100), Decimal(denominator))
    rounded = quotient.quantize(Decimal("0.0001"), context=context)
    assert read(percent(Fraction(numerator, denominator)).removesuffix("%")) == Fraction(rounded)


@given(st.fractions(min_value=0), st.integers(0, 8))
def test_a_root_is_the_nearest_of_its_places(value: Fraction, places: int) -> None:
    printed = read(root(value, places))
    half = Fraction(1, 2 * 10**places)
    assert printed == 0 or (printed - half) ** 2 <= value
    assert value <= (printed + half) ** 2


@pytest.mark.parametrize(("value", "printed"), [("1/4", "0"), ("9/4", "2"), ("25/4", "2"), ("49/4", "4")])
def test_a_root_half_way_goes_to_the_even(value: str, printed: str) -> None:
    assert root(exact(value), 0) == printed


def test_the_root_of_a_huge_ratio_is_exact_where_a_float_would_not_be() -> None:
    assert root(Fraction(10**400 + 1)) == f"{10**200:,}.0000"


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (percent(Fraction(7, 495)), "1.4141%"),  # the pass line
        (percent(Fraction(-1, 3)), "−33.3333%"),
        (decimal(Fraction(557, 165)), "3.3758"),
        (fraction(Fraction(8, 2)), "4"),
        (fraction(Fraction(-7, 495)), "−7/495"),
        (signed(Fraction(1)), "+1"),
        (signed(Fraction(0)), "0"),
        (one_in(Fraction(1, 38)), "1 in 38.0"),
        (dollars(2_500_000), "$25,000.00"),
        (dollars(Fraction(1, 3)), "$0.00"),
    ],
)
def test_numbers_print_as_a_reader_expects(printed: str, expected: str) -> None:
    assert printed == expected
