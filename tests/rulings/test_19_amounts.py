"""Ruling 59: the amounts after which a stack pays evenly, each by hand from its printed pay."""

from __future__ import annotations

import pytest

from stickman.rules.felt import Amounts
from stickman.rules.settings import GAMES
from stickman.table import messages as m
from stickman.table.asking import layout_of
from stickman.table.decide import decide
from stickman.table.messages import Refused
from stickman.table.offers import offers
from tests.talk.table import SeatTalk, opened, seated


def evens(one: SeatTalk, spot: str) -> Amounts | None:
    return offers(one.table.now, one.number, one.table.facts).at(spot).evens


@pytest.mark.parametrize(
    ("spot", "step", "most"),
    [
        ("place.6", 6, 96),  # 7:6
        ("place.4", 5, 100),  # 9:5
        ("place.9", 5, 100),  # 7:5
        ("lay.6", 6, 96),  # 5:6; with the commission of 5% of the win, $96 costs all $100
        ("lay.5", 3, 96),  # 2:3
        ("lay.10", 2, 96),  # 1:2
        ("buy.9", 2, 94),  # 3:2; 5% of the stake
        ("buy.6", 5, 95),  # 6:5
    ],
)
def test_ruling_59_a_bet_pays_evenly_in_multiples_of_what_its_pay_is_printed_for(
    spot: str, step: int, most: int
) -> None:
    """Up to the most that $100 of credit allow."""
    assert evens(seated("craps"), spot) == Amounts(step * 100, most * 100, step * 100)


@pytest.mark.parametrize("spot", ["pass", "field", "hard.8", "seven", "buy.4", "hop.1-3"])
def test_ruling_59_where_every_amount_pays_evenly_none_is_named(spot: str) -> None:
    assert evens(seated("craps"), spot) is None


@pytest.mark.parametrize(("dice", "step"), [("2-2", None), ("2-3", 2_00), ("3-3", 5_00), ("4-5", 2_00)])
def test_ruling_59_odds_pay_evenly_by_their_point(dice: str, step: int | None) -> None:
    """2:1 on 4, 3:2 on 5 and 9, 6:5 on 6; behind $10 at most $50."""
    one = seated("craps").bets("pass", 10)
    one.table.rolls(dice)
    assert evens(one, "pass.odds") == (Amounts(step, 50_00, step) if step else None)


def test_ruling_59_a_stack_that_lies_is_filled_up_to_what_pays_evenly() -> None:
    """$5 on Place 6: $1 more, or $7, or $13 … make a multiple of six."""
    one = seated("craps").bets("place.6", 5)
    assert evens(one, "place.6") == Amounts(1_00, 91_00, 6_00)


def test_ruling_59_nothing_is_named_where_no_allowed_amount_pays_evenly() -> None:
    assert evens(seated("craps", "bet_limits={place = {max_cents = 500}}"), "place.6") is None


@pytest.mark.parametrize("name", GAMES)
def test_ruling_59_every_named_amount_is_accepted_and_breaks_nothing(name: str) -> None:
    table = opened(name)
    one = table.seat(1).inserts(1000).bets("pass", 10)
    layout, found = layout_of(table.now), offers(table.now, 1, table.facts)
    named = {spot: offer.evens for spot, offer in found.spots.items() if offer.evens}
    assert "place.6" in named
    for spot, (low, _, step, _) in named.items():
        for cents in (low, low + step, low + 2 * step):
            answer = decide(table.now, m.PlaceBet(seat=one.number, spot=spot, cents=cents), table.facts)
            assert not isinstance(answer, Refused), (spot, cents)
            won = cents * layout.win_pay(layout.bets[spot].starts[0]).ratio()
            assert (won / 100).denominator == 1, (spot, cents)
