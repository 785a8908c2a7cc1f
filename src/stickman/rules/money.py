"""Cents, printed pays, and the only place where a ratio becomes cents.

Ratios are exact until `pay` and `upfront_fee` round them down, once for each wager. What rounding keeps is reported
as breakage (RULES 3, ruling 10).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

NOTHING = Fraction(0)


def cents(text: str) -> int:
    """Read an amount of money.

    >>> cents("12.50"), cents("$3,000")
    (1250, 300000)
    """
    match = re.fullmatch(r"\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{2}))?", text.strip())
    if not match:
        raise ValueError(f"amount {text!r} is not money such as 5, 5.00 or $3,000")
    return int(match[1].replace(",", "")) * 100 + int(match[2] or 0)


def dollars(amount_cents: int) -> str:
    """Write an amount of money.

    >>> dollars(300000), dollars(-5)
    ('$3,000.00', '-$0.05')
    """
    sign = "-" if amount_cents < 0 else ""
    return f"{sign}${abs(amount_cents) // 100:,}.{abs(amount_cents) % 100:02}"


@dataclass(frozen=True, slots=True)
class Pays:
    """A printed pay: `9 to 5` also returns the stake, `3 for 1` does not, `meter` is 100% of a progressive
    meter."""

    ratio: Fraction
    for_one: bool = False
    meter: bool = False

    @classmethod
    def parse(cls, text: str) -> Pays:
        """Read a printed pay.

        >>> Pays.parse("9 to 5").ratio, Pays.parse("3 for 1").for_one, Pays.parse("meter").meter
        (Fraction(9, 5), True, True)
        """
        if text == "meter":
            return cls(NOTHING, for_one=True, meter=True)
        match = re.fullmatch(r"([0-9]{1,7}) (to|for) ([1-9][0-9]{0,5})", text)
        if not match:
            raise ValueError(f"pay {text!r} is not '9 to 5', '3 for 1' or 'meter'")
        return cls(Fraction(int(match[1]), int(match[3])), for_one=match[2] == "for")

    def __str__(self) -> str:
        if self.meter:
            return "meter"
        return f"{self.ratio.numerator} {'for' if self.for_one else 'to'} {self.ratio.denominator}"


@dataclass(frozen=True, slots=True)
class Payment:
    """A win in money: where each whole cent goes, and the fraction that no account can hold."""

    paid_cents: int
    commission_cents: int
    breakage_cents: int
    under_a_cent: Fraction  # in cents; counted by a meter, not in the ledger

    @property
    def breakage(self) -> Fraction:
        """All that rounding keeps, in cents."""
        return self.breakage_cents + self.under_a_cent


def pay(stake_cents: int, ratio: Fraction, commission: Fraction = NOTHING, payout_unit_cents: int = 1) -> Payment:
    """Turn a win into cents (ruling 10).

    The player gets pay less commission, rounded down to the payout unit. The house gets the commission, rounded
    down to a cent. The whole cents left over are breakage.

    >>> pay(500, Fraction(5, 6), Fraction(5, 6) / 20)  # Lay 6, $5: 4.1667 less 0.2083
    Payment(paid_cents=395, commission_cents=20, breakage_cents=1, under_a_cent=Fraction(2, 3))
    """
    if not commission and payout_unit_cents == 1:  # nearly always
        whole, rest = divmod(stake_cents * ratio.numerator, ratio.denominator)
        return Payment(whole, 0, 0, Fraction(rest, ratio.denominator) if rest else NOTHING)
    exact = stake_cents * ratio
    kept = stake_cents * commission
    paid = (exact - kept) // payout_unit_cents * payout_unit_cents
    commission_cents = int(kept)
    whole = int(exact)
    return Payment(int(paid), commission_cents, whole - int(paid) - commission_cents, exact - whole)


def upfront_fee(stake_cents: int, fee: Fraction) -> int:
    """What a commission bet costs in addition to its stake, rounded down to a cent (ruling 9)."""
    return int(stake_cents * fee) if fee else 0


def expected_cents(value: Fraction) -> int:
    """What bets cost on average, rounded half to even to a cent: it is shown, never booked.

    >>> expected_cents(Fraction(1000, 18)), expected_cents(Fraction(5, 2))
    (56, 2)
    """
    return round(value)


def decimal(value: Fraction, places: int, *, thousands: str = "") -> str:
    """Write an exact value with this many decimals, rounded half to even, without floats.

    >>> decimal(Fraction(7, 495), 6), decimal(Fraction(-1, 3), 2), decimal(Fraction(-2500), 0, thousands=",")
    ('0.014141', '-0.33', '-2,500')
    """
    scaled = round(abs(value) * 10**places)
    sign = "-" if value < 0 and scaled else ""
    whole, rest = divmod(scaled, 10**places)
    return f"{sign}{whole:{thousands}}" + (f".{rest:0{places}}" if places else "")


def percent(value: Fraction, places: int = 3) -> str:
    """Write an exact value as a percentage.

    >>> percent(Fraction(7, 495))
    '1.414%'
    """
    return decimal(value * 100, places) + "%"
