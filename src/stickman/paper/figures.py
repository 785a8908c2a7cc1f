"""Exact values as printed: percents, decimals, roots, money. No floats."""

from __future__ import annotations

import math
from fractions import Fraction

from stickman.rules import money

MINUS = "\N{MINUS SIGN}"


def exact(value: str) -> Fraction:
    """Read `"p/q"`."""
    return Fraction(value)


def fraction(value: Fraction) -> str:
    """In lowest terms; a whole number without its denominator.

    >>> fraction(Fraction(-7, 495)), fraction(Fraction(4))
    ('−7/495', '4')
    """
    return str(value).replace("-", MINUS)


def decimal(value: Fraction, places: int = 4) -> str:
    """Rounded to this many places, half to even, with thousands separators.

    >>> decimal(Fraction(557, 165)), decimal(Fraction(-12345, 10), 0)
    ('3.3758', '−1,234')
    """
    return money.decimal(value, places, thousands=",").replace("-", MINUS)


def percent(value: Fraction, places: int = 4) -> str:
    """
    >>> percent(Fraction(7, 495)), percent(Fraction(1, 2000000))
    ('1.4141%', '0.0000%')
    """
    return decimal(value * 100, places) + "%"


def root(value: Fraction, places: int = 4) -> str:
    """The square root to this many places, computed with whole numbers only.

    >>> root(Fraction(2)), root(Fraction(1, 4), 0)
    ('1.4142', '0')
    """
    squared = value * 4 * 100**places
    doubled = math.isqrt(math.floor(squared))  # the floor of twice the root
    half_way = doubled % 2 and doubled * doubled == squared  # then to the even neighbour
    nearest = round(Fraction(doubled, 2)) if half_way else (doubled + 1) // 2
    return decimal(Fraction(nearest, 10**places), places)


def one_in(chance: Fraction) -> str:
    """
    >>> one_in(Fraction(4375, 306110016))
    '1 in 69,968.0'
    """
    return f"1 in {decimal(1 / chance, 1)}"


def dollars(cents: Fraction | int) -> str:
    """
    >>> dollars(-2500000), dollars(Fraction(661341314, 175))
    ('−$25,000.00', '$37,790.93')
    """
    return (MINUS if cents < 0 else "") + "$" + decimal(abs(Fraction(cents, 100)), 2)


def signed(value: Fraction) -> str:
    """With its sign, also a plus.

    >>> signed(Fraction(9, 5)), signed(Fraction(-1)), signed(Fraction(24999))
    ('+9/5', '−1', '+24,999')
    """
    return ("+" if value > 0 else "") + (decimal(value, 0) if value.denominator == 1 else fraction(value))
