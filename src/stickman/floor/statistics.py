"""The statistics of a player's stay: own results by bet, and the totals rolled, each next to what is expected.

The table counts; the placard has the exact edge. On average a bet costs its edge times what was staked, at the pays
of now.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from stickman.floor.placard import Placard
from stickman.rules.datafile import to_text
from stickman.rules.dice import TOTALS, ways
from stickman.rules.money import expected_cents
from stickman.table.state import Stay, StayTally
from stickman.table.view import TotalCount


class BetResult(Struct, frozen=True):
    """What a bet came to in a stay."""

    bet: str
    staked_cents: int
    """The stakes that met a roll; the same chips count again after a decision."""
    decided: int
    """How often it won or lost."""
    won: int
    won_cents: int
    """What the wins paid in addition to the stakes."""
    net_cents: int
    cost_cents: int | None
    """What such stakes cost on average, if each stays until it is decided: the edge times the stakes. Null if the
    game no longer has the bet."""


class StayStatistics(Struct, frozen=True):
    """A stay in numbers."""

    rolls: int
    """Since the stay began."""
    totals: tuple[TotalCount, ...]
    bets: tuple[BetResult, ...]
    """In the order of the placard."""
    staked_cents: int
    won_cents: int
    net_cents: int
    cost_cents: int
    """What all these bets cost on average; those that the game no longer has do not count."""


def statistics(stay: Stay, placard: Placard) -> StayStatistics:
    """The statistics of a stay at a table with this placard."""
    order = [*placard.bets, *(bet for bet in stay.tallies if bet not in placard.bets)]
    tallies = {bet: stay.tallies[bet] for bet in order if bet in stay.tallies}
    costs = {bet: _cost(tally, placard, bet) for bet, tally in tallies.items()}
    return StayStatistics(
        sum(stay.totals.values()),
        tuple(TotalCount(n, stay.totals.get(n, 0), to_text(Fraction(len(ways(n)), 36))) for n in TOTALS),
        tuple(_result(bet, tally, costs[bet]) for bet, tally in tallies.items()),
        sum(tally.staked_cents for tally in tallies.values()),
        sum(tally.won_cents for tally in tallies.values()),
        sum(tally.net_cents for tally in tallies.values()),
        expected_cents(sum((cost for cost in costs.values() if cost is not None), Fraction(0))),
    )


def _cost(tally: StayTally, placard: Placard, bet: str) -> Fraction | None:
    card = placard.bets.get(bet)
    return tally.staked_cents * Fraction(card.edge_per_bet_made) if card else None


def _result(bet: str, tally: StayTally, cost: Fraction | None) -> BetResult:
    return BetResult(
        bet,
        tally.staked_cents,
        tally.decided,
        tally.won,
        tally.won_cents,
        tally.net_cents,
        None if cost is None else expected_cents(cost),
    )
