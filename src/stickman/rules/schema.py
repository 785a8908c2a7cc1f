"""The parts of a game's settings, each setting with its range, default and help."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta, Struct

Cents = Annotated[int, Meta(ge=1, le=10**11)]
BasisPoints = Annotated[int, Meta(ge=0, le=10_000)]
Seconds = Annotated[int, Meta(ge=1, le=600)]
Text = Annotated[str, Meta(min_length=1, max_length=60)]
When = Annotated[
    Literal["after_seven", "any_roll"],
    Meta(description="Bet only after a 7 or at the start, or before any roll if the seat has none."),
]
"""The window of a side game (ruling 37)."""


class Limits(Struct, frozen=True, kw_only=True):
    """How much a seat may have on a bet."""

    min_cents: Annotated[Cents, Meta(description="Minimum stake on the bet.")] = 100
    max_cents: Annotated[Cents, Meta(description="Maximum stake on the bet.")] = 100_000
    step_cents: Annotated[Cents, Meta(description="Stakes are multiples of this; on the Horn, of four.")] = 100


class OtherLimits(Struct, frozen=True, kw_only=True):
    """Limits of one bet or family, if they differ."""

    min_cents: Annotated[Cents | None, Meta(description="The minimum, if it differs.")] = None
    max_cents: Annotated[Cents | None, Meta(description="The maximum, if it differs.")] = None
    step_cents: Annotated[Cents | None, Meta(description="The step, if it differs.")] = None


class Odds(Struct, frozen=True, kw_only=True):
    """How much may back a flat bet (RULES 4)."""

    take: Annotated[
        str,
        Meta(description="Maximum odds behind Pass and Come, in flat bets: 20x, 3-4-5x, or by point 4=3 other=5."),
    ] = "5x"
    lay: Annotated[
        str, Meta(description="Maximum odds behind Don't Pass and Don't Come: 6x, or by point 4=3 other=5.")
    ] = "6x"
    dont_pass_limit: Annotated[
        Literal["stake", "win"],
        Meta(description="Whether the policy limits the stake or the win of Don't Pass odds."),
    ] = "stake"
    dont_come_limit: Annotated[
        Literal["stake", "win"],
        Meta(description="Whether the policy limits the stake or the win of Don't Come odds."),
    ] = "stake"


class Commission(Struct, frozen=True, kw_only=True):
    """What a bet at true odds costs (RULES 5)."""

    rate_bp: Annotated[BasisPoints, Meta(description="Rate in hundredths of a percent.")] = 500
    base: Annotated[Literal["stake", "win"], Meta(description="Amount that the rate applies to.")] = "stake"
    when: Annotated[
        Literal["on_win", "upfront"],
        Meta(description="Deducted from the win, or charged when the bet is placed, after the player accepts."),
    ] = "upfront"

    def of(self, ratio: Fraction) -> Fraction:
        """The commission per unit of stake on a bet that pays `ratio`."""
        return Fraction(self.rate_bp, 10_000) * (ratio if self.base == "win" else 1)


class Timers(Struct, frozen=True, kw_only=True):
    """How long each phase of a round lasts (RULES 11)."""

    bets_s: Annotated[Seconds, Meta(description="Time to bet.")] = 30
    waits_for_bets: Annotated[
        bool, Meta(description="Whether the time to bet begins with the first wager that can be rolled for.")
    ] = True
    shooter_s: Annotated[Seconds, Meta(description="Time to shoot; then the table rolls automatically.")] = 10
    flight_ms: Annotated[
        int, Meta(ge=0, le=2_000, description="How long generated dice fly; then they count. 0: at once.")
    ] = 1_800
    result_s: Annotated[Seconds, Meta(description="How long the result is shown.")] = 5
    single_seat: Annotated[bool, Meta(description="Whether the timers also run with a single seat.")] = False


class SideSettings(Struct, frozen=True, kw_only=True):
    """What every side game can choose (RULES 9)."""

    on: Annotated[bool, Meta(description="Whether the game offers the side game.")] = False
    needs_line: Annotated[bool, Meta(description="Whether it needs a Pass or Don't Pass wager.")] = False
    aggregate_max_cents: Annotated[
        Cents | None,
        Meta(
            description="Maximum of its fixed pays beyond the stakes, over all seats; higher wins are "
            "paid pro rata. A meter's award is never cut."
        ),
    ] = None
    aggregate_per: Annotated[
        Literal["roll", "hand"], Meta(description="Whether aggregate_max_cents is for one roll or a whole hand.")
    ] = "roll"


class FreeStake(SideSettings, frozen=True, kw_only=True):
    """A side game whose stake the player chooses."""

    limits: Limits = Limits(max_cents=10_000)


class Progressive(SideSettings, frozen=True, kw_only=True):
    """A side game with a meter; the wager is exactly one base unit (BC3)."""

    paytable: Annotated[str, Meta(description="Its pay table.")]
    meter: Annotated[str, Meta(pattern=r"\A[a-z][a-z0-9_]*\Z", description="Meter it feeds; tables may share it.")]
    base_cents: Annotated[Cents, Meta(description="The wager; seed, fixed pays and envy scale with it.")] = 100
    seed_cents: Annotated[
        Cents | None, Meta(description="Reset value for a $1 base wager; none for the pay table's value.")
    ] = None
    increment_bp: Annotated[
        BasisPoints, Meta(description="Share of each wager that feeds the meter, in hundredths of a percent.")
    ] = 500
    reserve_bp: Annotated[
        BasisPoints, Meta(description="Share that feeds the hidden reserve, in hundredths of a percent.")
    ] = 100
    cap_cents: Annotated[
        Cents | None, Meta(description="Maximum of the meter; further contributions go to the reserve.")
    ] = None
    winners: Annotated[
        Literal["in_full", "split"],
        Meta(description="Whether several winners on one roll are each paid in full or split the meter."),
    ] = "in_full"
    when: When = "after_seven"


class MeterTerms(Struct, frozen=True, kw_only=True):
    """The terms of a meter, the same at all its tables (ruling 38)."""

    seed_cents: int
    """Its reset value for a $1 base wager."""
    increment_bp: int
    reserve_bp: int
    cap_cents: int | None = None
    winners: Literal["in_full", "split"] = "in_full"

    def reset_cents(self, base_cents: int) -> int:
        """What the meter is reset to: the seed, scaled with the base wager."""
        return self.seed_cents * base_cents // 100


def meter_name(meter: str) -> str:
    """The name in a meter's key, which `Game.meter` makes."""
    return meter.partition("/")[0]


def meter_base_cents(meter: str) -> int:
    """The base wager in a meter's key."""
    return int(meter.split("/")[1])


class PowerOdds(Struct, frozen=True, kw_only=True):
    """Power Odds (STW; RTW 6.2, 7.4)."""

    on: Annotated[bool, Meta(description="Whether better pays can show when bets close.")] = False
    chart: Annotated[str, Meta(description="Chart of groups and pays.")] = "standard"
    one_in: Annotated[int, Meta(ge=1, le=10_000, description="A group shows once in this many rolls.")] = 12
