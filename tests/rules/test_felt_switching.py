"""On and off, and upfront fees (RULES 5, 6; rulings 4, 5, 9)."""

import pytest

from stickman.rules.felt import Reason
from tests.talk.felt import OFF, ON, UNTOUCHED, FeltTalk, after_point
from tests.talk.games import DONT_GAMES, FIVE_GAMES, IB_GAMES, LED_GAMES

# --- RULES 6: on and off ---

OFF_ABLE = ["place.6", "buy.6", "lay.6", "place_to_lose.6", "big.6", "hard.6"]


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_rules_6_what_may_be_switched_off(name: str) -> None:
    for bet in OFF_ABLE:
        seat = FeltTalk(name)
        if bet not in seat.layout.bets:
            continue
        able = bet != "big.6" or name in LED_GAMES  # RULES 18
        seat.bets(bet, 6)
        assert seat.offer(bet).switch == ((OFF,) if able else Reason.NOT_OFF_ABLE)
    for bet in ("pass", "field", "horn", "hop.1-3", "c_and_e", "big"):
        if bet in FeltTalk(name).layout.bets:
            FeltTalk(name).bets(bet, 4).refused("not_off_able").off(bet)


@pytest.mark.parametrize("name", DONT_GAMES)
def test_rules_6_odds_of_all_four_kinds_may_be_switched_off(name: str) -> None:
    for line, travels in (("pass", "come"), ("dont_pass", "dont_come")):
        seat = FeltTalk(name).bets(line, 10).rolls(4)
        seat.bets(f"{line}.odds", 2).bets(travels, 10).rolls(6)
        seat.bets(f"{travels}.6.odds", 2)
        for odds in (f"{line}.odds", f"{travels}.6.odds"):
            seat.off(odds)
            seat.refused("already_so").off(odds)
            seat.on(odds)
            seat.refused("already_so").on(odds)
        seat.refused("not_off_able").off(line)
        seat.refused("not_off_able").off(f"{travels}.6")


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_rules_6_off_money_is_held_or_released(name: str) -> None:
    seat = FeltTalk(name).bets("place.6", 6).bets("field", 5).off("place.6")
    released = name in LED_GAMES
    assert seat.wager("place.6").released is released
    assert seat.felt.money_cents == (500 if released else 1100)
    seat.on("place.6")
    assert not seat.wager("place.6").released
    assert seat.felt.money_cents == 1100


def test_ruling_5_the_total_is_checked_when_a_mark_is_turned_on_and_the_offer_knows_it() -> None:
    seat = FeltTalk("roll-to-win", "total_max_cents=2000").bets("place.6", 10).off("place.6")
    seat.bets("field", 15)
    seat.refused("over_total").on("place.6")
    assert seat.offer("place.6").switch is Reason.OVER_TOTAL
    seat.takes("field", 5).on("place.6")
    assert seat.felt.money_cents == 2000


def test_ruling_5_a_mark_grows_past_the_total_and_is_refused_when_turned_on() -> None:
    seat = FeltTalk("roll-to-win", "total_max_cents=2000").bets("field", 15)
    seat.bets("place.6", 5).off("place.6").bets("place.6", 30)
    assert seat.lies == {"field": 1500, "place.6": 3500}
    assert seat.felt.money_cents == 1500
    seat.refused("over_total").on("place.6")
    seat.refused("over_max").bets("place.6", 970)  # its own limits it keeps


def test_rules_6_off_wagers_are_increased_reduced_and_removed() -> None:
    for name in ("craps", "roll-to-win"):
        seat = FeltTalk(name).bets("place.6", 6).off("place.6")
        before = seat.felt.money_cents
        seat.bets("place.6", 6)
        assert seat.wager("place.6").switch is OFF  # an increase takes its wager's flag
        assert seat.felt.money_cents - before == (600 if name == "craps" else 0)
        assert seat.takes("place.6", 2).lies == {"place.6": 1000}
        assert seat.wager("place.6").switch is OFF
        assert seat.takes("place.6").lies == {}


def test_rules_6_a_wager_placed_later_is_on() -> None:
    seat = FeltTalk("roll-to-win").bets("place.6", 6).off("place.6").bets("place.8", 6)
    assert seat.wager("place.8").switch is UNTOUCHED
    assert seat.offer("place.8").switch == (OFF,)


def test_ruling_14_marks_behind_a_dont_bet_go_with_it() -> None:
    seat = FeltTalk("roll-to-win").bets("dont_pass", 10).rolls(6)
    seat.bets("dont_pass.odds", 12).off("dont_pass.odds").takes("dont_pass")
    assert seat.lies == {}


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
        seat = FeltTalk(name)
        if bet not in seat.layout.bets:
            return
        seat.rolls(*totals)
        seat.bets(bet, 6)
        off = after_seven_out and name in IB_GAMES and bet in ("place.6", "buy.6")
        assert seat.wager(bet).switch is (OFF if off else UNTOUCHED)


def test_ib_3_2_an_increase_right_after_a_seven_out_takes_its_wagers_flag() -> None:
    seat = FeltTalk("craps").rolls(4, 7)
    seat.bets("place.6", 6).on("place.6").bets("place.6", 6)
    assert seat.wager("place.6").switch is ON
    rested = FeltTalk("craps").bets("place.6", 6).off("place.6").rolls(4, 7)
    rested.on("place.6").bets("place.6", 6)
    assert rested.wager("place.6").switch is ON


def test_ruling_4_what_rests_by_itself_may_be_switched_on_by_hand() -> None:
    seat = after_point("shoot-to-win").bets("place.6", 6).rolls(4)
    assert seat.offer("place.6").switch == (ON, OFF)
    assert seat.felt.money_cents == 600  # automatic off never releases money
    seat.on("place.6")
    assert seat.offer("place.6").switch == (OFF,)


# --- RULES 5, ruling 9: upfront fees ---


def test_ruling_9_the_fee_is_on_the_increase_only_and_rounded_down_to_a_cent() -> None:
    seat = FeltTalk("craps").bets("buy.4", 30)
    assert seat.wager("buy.4").fee_cents == 150
    assert seat.bets("buy.4", 10).wager("buy.4").fee_cents == 200
    assert FeltTalk("craps").bets("lay.6", 7).wager("lay.6").fee_cents == 29  # 5% of 5/6 of $7: 29.17
    assert FeltTalk("crapless").bets("buy.2", 7).wager("buy.2").fee_cents == 35
    assert FeltTalk("craps").bets("place.6", 6).felt.fees_cents == 0
    assert FeltTalk("shoot-to-win").bets("buy.4", 30).felt.fees_cents == 0
    assert seat.felt.money_cents == 4000  # a fee is no part of the stake


def test_ruling_9_a_reduction_before_the_first_working_roll_returns_the_fee_pro_rata() -> None:
    seat = FeltTalk("craps").bets("buy.4", 40)
    assert seat.takes("buy.4", 10).wager("buy.4").fee_cents == 150
    assert seat.takes("buy.4").felt.fees_cents == 0


def test_ruling_31_the_returnable_fee_is_that_of_the_stake_which_has_met_no_working_roll() -> None:
    seat = FeltTalk("craps").bets("buy.4", 40).rolls(11)
    assert seat.wager("buy.4").fee_cents == 0
    assert seat.bets("buy.4", 20).wager("buy.4").fee_cents == 100
    assert seat.takes("buy.4", 5).wager("buy.4").fee_cents == 75
    assert seat.takes("buy.4", 30).wager("buy.4").fee_cents == 0
    assert seat.bets("buy.4", 10).wager("buy.4").fee_cents == 50


def test_ruling_31_ten_lays_of_a_dollar_cost_what_one_of_ten_costs() -> None:
    """5% of the win of $1 on the 6 is 4.1667 cents."""
    seat = FeltTalk("craps")
    for _ in range(10):
        seat.bets("lay.6", 1)
    assert seat.felt.fees_cents == FeltTalk("craps").bets("lay.6", 10).felt.fees_cents == 41
    for _ in range(9):
        seat.takes("lay.6", 1)
    assert seat.felt.fees_cents == 4


def test_ruling_31_a_winner_that_stands_under_an_upfront_fee_is_charged_again_from_its_win() -> None:
    seat = FeltTalk("craps", "stay_up=true").bets("buy.4", 40)
    line = seat.rolls(4).lines["buy.4"]
    assert (line.payment.paid_cents, line.fee_cents) == (8000, 200)
    assert (seat.wager("buy.4").fee_cents, seat.wager("buy.4").counted_cents) == (200, 0)
    assert seat.rolls(5).lines == {}
    assert seat.wager("buy.4").fee_cents == 0


def test_ruling_9_the_fee_is_kept_for_the_player_while_the_wager_is_off_or_sits_out() -> None:
    seat = FeltTalk("craps").bets("buy.4", 40).off("buy.4").rolls(11, 7, 4)
    assert seat.wager("buy.4").fee_cents == 200
    seat.rolls(5, sits_out=True)
    assert seat.wager("buy.4").fee_cents == 200
    seat.on("buy.4").rolls(5)
    assert seat.wager("buy.4").fee_cents == 0


def test_ruling_9_what_is_added_to_a_mark_pays_its_fee_by_the_time_it_works() -> None:
    seat = FeltTalk("craps", "off_money=released").bets("buy.4", 10).off("buy.4")
    seat.bets("buy.4", 30).on("buy.4")
    assert seat.felt.money_cents == 4000
    assert seat.felt.fees_cents == 200
