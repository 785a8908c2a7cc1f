"""The statistics of a stay: own results by bet in exact cents, and the totals that it saw. They end with it."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

import msgspec
import pytest
from hypothesis import given, settings

from stickman.floor.placard import placard
from stickman.floor.statistics import StayStatistics, statistics
from stickman.table.asking import layout_of
from stickman.table.messages import Facts
from stickman.table.state import Stay, StayTally, Table
from stickman.table.view import SeatView, view
from tests.table.walks import walks
from tests.talk.table import SeatTalk, opened, seated, two_seats


def stay(seat: SeatTalk) -> Stay:
    return seat.table.now.seat(seat.number).stay


def told(seat: SeatTalk) -> StayStatistics:
    return statistics(stay(seat), placard(layout_of(seat.table.now)))


def encoded(seat: SeatTalk) -> bytes:
    """What a seat's screen is sent of it, without what all screens share and without offers."""
    seen = cast("SeatView", view(seat.table.now, "seat 1", seat.table.facts))
    return msgspec.json.encode(seen.stay) + msgspec.json.encode(seen.favourites)


# --- Results by bet ---


def test_a_bet_counts_what_was_staked_won_and_lost() -> None:
    """The Field pays even money on 3 and 4, 2 to 1 on 2, and loses on 7."""
    one = seated("craps").bets("field", 5)
    one.table.rolls("1-2")
    one.bets("field", 5)
    one.table.rolls("1-1")
    one.bets("field", 10)
    one.table.rolls("3-4")
    won = 5_00 + 10_00
    assert stay(one).tallies == {"field": StayTally(20_00, 3, 2, won, won - 10_00)}


def test_chips_that_stay_count_again_after_each_decision_and_not_with_each_roll() -> None:
    """Place 6 pays 7 to 6. It is staked once until it is decided."""
    one = seated("craps").bets("pass", 5)
    one.table.rolls("2-2")
    one.bets("place.6", 12)
    one.table.rolls("5-6", "4-1", "5-3")
    assert stay(one).tallies["place.6"] == StayTally(staked_cents=12_00)
    one.table.rolls("4-2")
    assert stay(one).tallies["place.6"] == StayTally(12_00, 1, 1, 14_00, 14_00)


def test_a_push_decides_nothing() -> None:
    """IB: Don't Pass, bar 12."""
    one = seated("craps").bets("dont_pass", 10)
    one.table.rolls("6-6")
    assert stay(one).tallies["dont_pass"] == StayTally(10_00, 0, 0, 0, 0)


def test_the_commission_of_a_bet_is_in_its_net() -> None:
    """Craps, Buy 4: 5% upfront (RULES 5). $20 cost $1, and pay 2 to 1."""
    one = seated("craps").bets("buy.4", 20)
    one.table.rolls("5-4")
    assert stay(one).tallies["buy.4"] == StayTally(staked_cents=20_00, net_cents=-1_00)
    one.table.rolls("2-2")
    assert stay(one).tallies["buy.4"] == StayTally(20_00, 1, 1, 40_00, 39_00)


def test_a_bet_that_is_taken_down_before_a_roll_is_none() -> None:
    one = seated("craps").bets("field", 5).bets("buy.4", 20).takes("field").takes("buy.4").bets("pass", 5)
    one.table.rolls("2-2")
    assert stay(one).tallies.keys() == {"pass"}


@settings(max_examples=60)
@given(walks())
def test_the_nets_of_all_bets_are_what_the_player_won_or_lost(walked: list[tuple[Table, Facts]]) -> None:
    """Until a reversal: what a seat cannot give back is not its own loss."""
    for table, _ in walked[::6]:
        if table.accounts.get("shortfall"):
            break
        for seat in table.seats:
            if seat.stay.goes_on and not (seat.terminal.hand_pay_cents or seat.terminal.left_due_cents):
                has = table.credit(seat.number) + seat.felt.worth_cents
                net = has + seat.stay.out_cents + seat.stay.tips_cents - seat.stay.in_cents
                assert sum(tally.net_cents for tally in seat.stay.tallies.values()) == net


# --- Totals ---


def test_the_totals_are_those_that_the_stay_saw() -> None:
    table, one, two = two_seats("craps")
    one.bets("field", 5)
    table.rolls("1-2")
    table.seat(3).inserts(100)
    one.bets("field", 5)
    table.rolls("6-6")
    assert stay(one).totals == stay(two).totals == {3: 1, 12: 1}
    assert stay(table.seat(3)).totals == {12: 1}
    assert stay(table.seat(4)).totals == {}


def test_money_that_comes_while_a_result_is_shown_begins_with_the_next_roll() -> None:
    table, one, _ = two_seats("craps")
    one.bets("field", 5)
    table.counts("1-2")
    three = table.seat(3).inserts(100)
    table.opens()
    assert stay(three).totals == {}
    one.bets("field", 5)
    table.rolls("2-2")
    assert stay(three).totals == {4: 1}


def test_money_that_comes_while_bets_are_closed_sees_that_roll() -> None:
    table, one, _ = two_seats("craps")
    one.bets("field", 5)
    table.closes()
    three = table.seat(3).inserts(100)
    table.counts("1-2")
    assert stay(three).totals == {3: 1}


def test_each_total_is_next_to_its_share_of_36() -> None:
    one = seated("craps").bets("field", 5)
    one.table.rolls("1-2")
    found = told(one)
    assert found.rolls == 1
    assert [(count.total, int(Fraction(count.expected) * 36)) for count in found.totals] == [
        (2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, 6), (8, 5), (9, 4), (10, 3), (11, 2), (12, 1),
    ]  # fmt: skip
    assert sum(count.rolled for count in found.totals) == 1


# --- What is expected ---


@pytest.mark.parametrize(("bet", "edge"), [("pass", Fraction(7, 495)), ("place.6", Fraction(1, 66))])
def test_what_bets_cost_on_average_is_the_edge_times_the_stakes(bet: str, edge: Fraction) -> None:
    """The Wizard of Odds: Pass 7/495, Place 6 1/66 of each decided bet."""
    one = seated("craps", dollars=1000).bets(bet, 600)
    one.table.rolls("4-2")
    found = told(one)
    [result] = found.bets
    assert result.bet == bet
    assert result.cost_cents == found.cost_cents == round(600_00 * edge)


def test_odds_cost_nothing() -> None:
    one = seated("craps").bets("pass", 10)
    one.table.rolls("2-2")
    one.bets("pass.odds", 20)
    one.table.rolls("3-4")
    assert [(each.bet, each.cost_cents, each.net_cents) for each in told(one).bets] == [
        ("pass", 14, -10_00),
        ("pass.odds", 0, -20_00),
    ]


def test_a_bet_that_the_game_has_no_longer_has_results_and_no_cost() -> None:
    one = seated("craps").bets("big.6", 5)
    one.table.rolls("4-2")
    one.table.changes("leave_out", '["big.6"]')
    [result] = told(one).bets
    assert (result.bet, result.net_cents, result.cost_cents) == ("big.6", 5_00, None)
    assert told(one).cost_cents == 0


# --- As long as the stay ---


def test_ruling_29_the_next_player_inherits_no_statistics() -> None:
    one = seated("craps").bets("field", 5)
    one.table.rolls("3-4")
    one.cashes_out()
    assert (stay(one).tallies, stay(one).totals) == ({}, {})
    one.inserts(100)
    assert (stay(one).tallies, stay(one).totals) == ({}, {})


def test_ruling_29_a_cash_out_with_wagers_left_ends_no_statistics() -> None:
    one = seated("roll-to-win").bets("pass", 10)
    one.table.rolls("2-2")
    one.cashes_out()
    assert (stay(one).tallies["pass"].staked_cents, stay(one).totals) == (10_00, {4: 1})


def test_a_change_of_settings_keeps_the_statistics() -> None:
    one = seated("craps").bets("field", 5)
    one.table.rolls("3-4")
    one.table.changes("bet_limits.field.max_cents", "500")
    assert (stay(one).tallies["field"].net_cents, stay(one).totals) == (-5_00, {7: 1})


def test_ruling_56_a_reversed_roll_takes_its_results_back() -> None:
    table, one, two = two_seats("craps")
    table.dealer()
    one.bets("field", 5).bets("place.6", 12)
    table.counts("3-4")
    assert stay(one).tallies["field"] == StayTally(5_00, 1, 0, 0, -5_00)
    table.reverses_to("1-2")
    assert stay(one).tallies["field"] == StayTally(5_00, 1, 1, 5_00, 5_00)
    assert stay(one).tallies["place.6"] == StayTally(staked_cents=12_00)
    assert stay(one).totals == stay(two).totals == {3: 1}


def test_ruling_56_a_stay_that_began_after_the_roll_does_not_see_its_right_dice() -> None:
    table, one, _ = two_seats("craps")
    table.dealer()
    one.bets("field", 5)
    table.counts("3-4")
    three = table.seat(3).inserts(100)
    table.opens()
    four = table.seat(4).inserts(100)
    table.reverses_to("1-2")
    assert (stay(one).totals, stay(three).totals, stay(four).totals) == ({3: 1}, {}, {})


def test_ruling_56_a_stay_that_the_roll_ended_comes_back_with_its_statistics() -> None:
    table, one, _ = two_seats("craps")
    table.dealer()
    one.bets("field", 100)
    table.counts("3-4")
    assert stay(one).ended
    table.reverses_to("1-2")
    assert (stay(one).tallies["field"].net_cents, stay(one).totals) == (100_00, {3: 1})


def test_tallies_are_no_more_than_the_bets_of_the_game() -> None:
    one = seated("craps", dollars=2_000)
    for _ in range(30):
        one.bets("field", 5).bets("any_craps", 1)
        one.table.rolls("3-4")
    assert stay(one).tallies.keys() == {"field", "any_craps"}
    assert stay(one).totals == {7: 30}


def test_a_view_has_no_tallies() -> None:
    """They are asked for when the panel is opened, so that frames stay small."""
    one = seated("craps").bets("field", 5)
    one.table.rolls("3-4")
    for bet in ("pass", "any_craps", "horn.2", "hard.4"):
        one.bets(bet, 5)
    one.table.rolls("6-6")
    assert len(encoded(one)) < 150


def test_a_seat_without_a_player_counts_nothing() -> None:
    table = opened("craps")
    table.seat(1).inserts(100).bets("field", 5)
    table.rolls("3-4")
    assert table.now.seat(2).stay == Stay()
