from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickman.rules.money import Payment, Pays, cents, decimal, dollars, pay, percent, upfront_fee

stakes = st.integers(1, 10**9)
ratios = st.fractions(0, 1000, max_denominator=60)
rates = st.fractions(0, 1, max_denominator=10_000)
units = st.sampled_from([1, 5, 25, 50, 100])


@given(stakes, ratios, rates, units)
def test_every_cent_of_a_win_goes_somewhere(stake: int, ratio: Fraction, rate: Fraction, unit: int) -> None:
    payment = pay(stake, ratio, rate * ratio, unit)
    assert (
        payment.paid_cents + payment.commission_cents + payment.breakage_cents + payment.under_a_cent
        == stake * ratio
    )
    assert min(payment.paid_cents, payment.commission_cents, payment.breakage_cents) >= 0
    assert 0 <= payment.under_a_cent < 1
    assert payment.paid_cents % unit == 0


@given(stakes, ratios, rates, units)
def test_rounding_keeps_less_than_a_payout_unit_and_two_cents(
    stake: int, ratio: Fraction, rate: Fraction, unit: int
) -> None:
    assert pay(stake, ratio, rate * ratio, unit).breakage < unit + 1


def test_place_6_with_5_dollars_breaks_a_third_of_a_cent() -> None:
    payment = pay(500, Fraction(7, 6))
    assert payment == Payment(583, 0, 0, Fraction(1, 3))
    assert payment.breakage == Fraction(1, 3)


def test_a_dollar_payout_unit_keeps_the_cents() -> None:
    assert pay(500, Fraction(7, 6), payout_unit_cents=100) == Payment(500, 0, 83, Fraction(1, 3))


def test_an_upfront_fee_is_rounded_down_to_a_cent() -> None:
    assert upfront_fee(500, Fraction(1, 40)) == 12
    assert upfront_fee(2000, Fraction(1, 20)) == 100


@given(st.integers(0, 10**12))
def test_amounts_read_as_they_are_written(amount: int) -> None:
    assert cents(dollars(amount)) == amount


@pytest.mark.parametrize(("text", "amount"), [("5", 500), ("5.00", 500), ("0.01", 1), ("$3,000", 300_000)])
def test_amounts_are_read(text: str, amount: int) -> None:
    assert cents(text) == amount


@pytest.mark.parametrize("text", ["", "-5", "5.0", "5.001", "1,00", "five", "1e3", "$", "3,0000"])
def test_what_is_no_amount_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(ValueError, match=r"not money such as 5, 5\.00"):
        cents(text)


@pytest.mark.parametrize(
    ("text", "pays"),
    [
        ("9 to 5", Pays(Fraction(9, 5))),
        ("3 for 1", Pays(Fraction(3), for_one=True)),
        ("meter", Pays(Fraction(0), for_one=True, meter=True)),
    ],
)
def test_a_pay_reads_and_prints_as_on_the_felt(text: str, pays: Pays) -> None:
    assert Pays.parse(text) == pays
    assert str(pays) == text


@pytest.mark.parametrize("text", ["9:5", "9 to 0", "9 to", "-9 to 5", "9.5 to 1", "jackpot"])
def test_what_is_no_pay_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(ValueError, match="is not '9 to 5', '3 for 1' or 'meter'"):
        Pays.parse(text)


@given(st.fractions(-1000, 1000), st.integers(0, 8))
def test_decimals_are_the_nearest_ones(value: Fraction, places: int) -> None:
    shown = Fraction(decimal(value, places))
    assert abs(shown - value) <= Fraction(1, 2 * 10**places)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 8), "12.50%"),
        (Fraction(1, 3), "33.33%"),
        (Fraction(0), "0.00%"),
        (Fraction(-1, 200_000), "0.00%"),
    ],
)
def test_percentages(value: Fraction, text: str) -> None:
    assert percent(value, 2) == text
