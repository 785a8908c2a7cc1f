"""On and off, and upfront fees (RULES 5, 6; rulings 4, 5, 9)."""

import pytest

from stickman.rules.felt import Reason
from tests.rules.seated import DONT_GAMES, OFF, ON, UNTOUCHED, Seated, after_point
from tests.rulings.felt_talk import FIVE_GAMES, IB_GAMES, LED_GAMES

# --- RULES 6: on and off ---

OFF_ABLE = ["place.6", "buy.6", "lay.6", "place_to_lose.6", "big.6", "hard.6"]


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_rules_6_what_may_be_switched_off(name: str) -> None:
    for bet in OFF_ABLE:
        seat = Seated(name)
        if bet not in seat.layout.bets:
            continue
        able = bet != "big.6" or name in LED_GAMES  # RULES 18
        seat.bets(bet, 600)
        assert seat.offer(bet).switch == ((OFF,) if able else Reason.NOT_OFF_ABLE)
    for bet in ("pass", "field", "horn", "hop.1-3", "c_and_e", "big"):
        if bet in Seated(name).layout.bets:
            assert Seated(name).bets(bet, 400).why_not_switch(bet, OFF) is Reason.NOT_OFF_ABLE


@pytest.mark.parametrize("name", DONT_GAMES)
def test_rules_6_odds_of_all_four_kinds_may_be_switched_off(name: str) -> None:
    for line, travels in (("pass", "come"), ("dont_pass", "dont_come")):
        seat = Seated(name).bets(line, 1000)
        seat.rolls(4)
        seat.bets(f"{line}.odds", 200).bets(travels, 1000).rolls(6)
        seat.bets(f"{travels}.6.odds", 200)
        for odds in (f"{line}.odds", f"{travels}.6.odds"):
            seat.switches(odds, OFF)
            assert seat.why_not_switch(odds, OFF) is Reason.ALREADY_SO
            seat.switches(odds, ON)
            assert seat.why_not_switch(odds, ON) is Reason.ALREADY_SO
        assert seat.why_not_switch(line, OFF) is Reason.NOT_OFF_ABLE
        assert seat.why_not_switch(f"{travels}.6", OFF) is Reason.NOT_OFF_ABLE


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_rules_6_off_money_is_held_or_released(name: str) -> None:
    seat = Seated(name).bets("place.6", 600).bets("field", 500).switches("place.6", OFF)
    released = name in LED_GAMES
    assert seat.wager("place.6").released is released
    assert seat.felt.money_cents == (500 if released else 1100)
    seat.switches("place.6", ON)
    assert not seat.wager("place.6").released
    assert seat.felt.money_cents == 1100


def test_ruling_5_the_total_is_checked_when_a_mark_is_turned_on_and_the_offer_knows_it() -> None:
    seat = Seated("roll-to-win", "total_max_cents=2000").bets("place.6", 1000).switches("place.6", OFF)
    seat.bets("field", 1500)
    assert seat.why_not_switch("place.6", ON) is Reason.OVER_TOTAL
    assert seat.offer("place.6").switch is Reason.OVER_TOTAL
    seat.takes("field", 500).switches("place.6", ON)
    assert seat.felt.money_cents == 2000


def test_ruling_5_a_mark_grows_past_the_total_and_is_refused_when_turned_on() -> None:
    seat = Seated("roll-to-win", "total_max_cents=2000").bets("field", 1500)
    seat.bets("place.6", 500).switches("place.6", OFF).bets("place.6", 3000)
    assert seat.lies() == {"field": 1500, "place.6": 3500}
    assert seat.felt.money_cents == 1500
    assert seat.why_not_switch("place.6", ON) is Reason.OVER_TOTAL
    assert seat.why_not_bet("place.6", 97_000) is Reason.OVER_MAX  # its own limits it keeps


def test_rules_6_off_wagers_are_increased_reduced_and_removed() -> None:
    for name in ("craps", "roll-to-win"):
        seat = Seated(name).bets("place.6", 600).switches("place.6", OFF)
        before = seat.felt.money_cents
        seat.bets("place.6", 600)
        assert seat.wager("place.6").switch is OFF  # an increase takes its wager's flag
        assert seat.felt.money_cents - before == (600 if name == "craps" else 0)
        assert seat.takes("place.6", 200).lies() == {"place.6": 1000}
        assert seat.wager("place.6").switch is OFF
        assert seat.takes("place.6").lies() == {}


def test_rules_6_a_wager_placed_later_is_on() -> None:
    seat = Seated("roll-to-win").bets("place.6", 600).switches("place.6", OFF).bets("place.8", 600)
    assert seat.wager("place.8").switch is UNTOUCHED
    assert seat.offer("place.8").switch == (OFF,)


def test_ruling_14_marks_behind_a_dont_bet_go_with_it() -> None:
    seat = Seated("roll-to-win").bets("dont_pass", 1000)
    seat.rolls(6)
    seat.bets("dont_pass.odds", 1200).switches("dont_pass.odds", OFF).takes("dont_pass")
    assert seat.lies() == {}


@pytest.mark.parametrize("bet", ["place.6", "buy.6", "lay.6", "hard.6", "place_to_lose.6"])
@pytest.mark.parametrize("name", FIVE_GAMES)
def test_ruling_49_place_and_buy_made_between_a_seven_out_and_the_next_point_start_off(name: str, bet: str) -> None:
    for totals, after_seven_out in (
        ((), False),
        ((7,), False),
        ((4, 7), True),
        ((4, 7, 7), True),
        ((4, 7, 7, 5), False),
        ((4, 4), False),
    ):
        seat = Seated(name)
        if bet not in seat.layout.bets:
            return
        seat.rolls(*totals)
        seat.bets(bet, 600)
        off = after_seven_out and name in IB_GAMES and bet in ("place.6", "buy.6")
        assert seat.wager(bet).switch is (OFF if off else UNTOUCHED)


def test_ib_3_2_an_increase_right_after_a_seven_out_takes_its_wagers_flag() -> None:
    seat = Seated("craps")
    seat.rolls(4, 7)
    seat.bets("place.6", 600).switches("place.6", ON).bets("place.6", 600)
    assert seat.wager("place.6").switch is ON
    rested = Seated("craps").bets("place.6", 600).switches("place.6", OFF)
    rested.rolls(4, 7)
    rested.switches("place.6", ON).bets("place.6", 600)
    assert rested.wager("place.6").switch is ON


def test_ruling_4_what_rests_by_itself_may_be_switched_on_by_hand() -> None:
    seat = after_point("shoot-to-win").bets("place.6", 600)
    seat.rolls(4)
    assert seat.offer("place.6").switch == (ON, OFF)
    assert seat.felt.money_cents == 600  # automatic off never releases money
    seat.switches("place.6", ON)
    assert seat.offer("place.6").switch == (OFF,)


# --- RULES 5, ruling 9: upfront fees ---


def test_ruling_9_the_fee_is_on_the_increase_only_and_rounded_down_to_a_cent() -> None:
    seat = Seated("craps").bets("buy.4", 3000)
    assert seat.wager("buy.4").fee_cents == 150
    assert seat.bets("buy.4", 1000).wager("buy.4").fee_cents == 200
    assert Seated("craps").bets("lay.6", 700).wager("lay.6").fee_cents == 29  # 5% of 5/6 of $7: 29.17
    assert Seated("crapless").bets("buy.2", 700).wager("buy.2").fee_cents == 35
    assert Seated("craps").bets("place.6", 600).felt.fees_cents == 0
    assert Seated("shoot-to-win").bets("buy.4", 3000).felt.fees_cents == 0
    assert seat.felt.money_cents == 4000  # a fee is no part of the stake


def test_ruling_9_a_reduction_before_the_first_working_roll_returns_the_fee_pro_rata() -> None:
    seat = Seated("craps").bets("buy.4", 4000)
    assert seat.takes("buy.4", 1000).wager("buy.4").fee_cents == 150
    assert seat.takes("buy.4").felt.fees_cents == 0


def test_ruling_31_the_returnable_fee_is_that_of_the_stake_which_has_met_no_working_roll() -> None:
    seat = Seated("craps").bets("buy.4", 4000)
    seat.rolls(11)
    assert seat.wager("buy.4").fee_cents == 0
    assert seat.bets("buy.4", 2000).wager("buy.4").fee_cents == 100
    assert seat.takes("buy.4", 500).wager("buy.4").fee_cents == 75
    assert seat.takes("buy.4", 3000).wager("buy.4").fee_cents == 0
    assert seat.bets("buy.4", 1000).wager("buy.4").fee_cents == 50


def test_ruling_31_ten_lays_of_a_dollar_cost_what_one_of_ten_costs() -> None:
    """5% of the win of $1 on the 6 is 4.1667 cents."""
    seat = Seated("craps")
    for _ in range(10):
        seat.bets("lay.6", 100)
    assert seat.felt.fees_cents == Seated("craps").bets("lay.6", 1000).felt.fees_cents == 41
    for _ in range(9):
        seat.takes("lay.6", 100)
    assert seat.felt.fees_cents == 4


def test_ruling_31_a_winner_that_stands_under_an_upfront_fee_is_charged_again_from_its_win() -> None:
    seat = Seated("craps", "stay_up=true").bets("buy.4", 4000)
    line = seat.rolls(4)["buy.4"]
    assert (line.payment.paid_cents, line.fee_cents) == (8000, 200)
    assert (seat.wager("buy.4").fee_cents, seat.wager("buy.4").counted_cents) == (200, 0)
    assert seat.rolls(5) == {}
    assert seat.wager("buy.4").fee_cents == 0


def test_ruling_9_the_fee_is_kept_for_the_player_while_the_wager_is_off_or_sits_out() -> None:
    seat = Seated("craps").bets("buy.4", 4000).switches("buy.4", OFF)
    seat.rolls(11, 7, 4)
    assert seat.wager("buy.4").fee_cents == 200
    seat.rolls(5, sits_out=True)
    assert seat.wager("buy.4").fee_cents == 200
    seat.switches("buy.4", ON).rolls(5)
    assert seat.wager("buy.4").fee_cents == 0


def test_ruling_9_what_is_added_to_a_mark_pays_its_fee_by_the_time_it_works() -> None:
    seat = Seated("craps", "off_money=released").bets("buy.4", 1000).switches("buy.4", OFF)
    seat.bets("buy.4", 3000).switches("buy.4", ON)
    assert seat.felt.money_cents == 4000
    assert seat.felt.fees_cents == 200
