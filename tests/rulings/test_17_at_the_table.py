"""RULES 17 as its rulings show at a table with seats, accounts and a clock. Ruling 25 (a roll found wrong) has its
own file, `tests/table/test_reversal.py`; ruling 27 (the order of odds pop-ups) is the screen's.

Amounts put down are dollars, amounts found are cents, worked out by hand from the printed rule.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from stickman.table import messages as m
from tests.talk.games import LED_GAMES
from tests.talk.table import SeatTalk, TableTalk, opened, seated, two_seats

# --- Ruling 1: push on 12 ---


@pytest.mark.parametrize("name", ["craps", *LED_GAMES])
def test_ruling_1_a_pushed_dont_pass_stands_unpaid_unlocked_and_is_new_handle_at_the_next_close(name: str) -> None:
    one = seated(name).bets("dont_pass", 10)
    table = one.table.rolls("6-6")
    assert (one.lies, one.credit, one.paid) == ({"dont_pass": 10_00}, 90_00, 0)
    assert table.meters("bet:dont_pass:handle") == 10_00
    assert table.meters("bet:dont_pass:push") == 1
    table.closes()
    assert table.meters("bet:dont_pass:handle") == 20_00


def test_ruling_1_a_pushed_stake_may_be_taken_down() -> None:
    one = seated("craps").bets("dont_pass", 10)
    one.table.rolls("6-6")
    assert one.takes("dont_pass").credit == 100_00


def test_ruling_1_a_pushed_dont_come_stays_in_its_box() -> None:
    one = seated("craps").bets("place.10", 5)
    one.table.rolls("2-2")
    one.bets("dont_come", 10)
    one.table.rolls("6-6")
    assert one.lies["dont_come"] == 10_00


# --- Ruling 2: come-out 7 with Come wagers ---


def come_at_six(name: str, *changes: str) -> tuple[TableTalk, SeatTalk, SeatTalk]:
    """Come-out, with $10 moved to the 6: a Come at seat 1, a Don't Come at seat 2, both with $10 odds."""
    table, one, two = two_seats(name, *changes)
    one.bets("place.10", 5)
    table.rolls("2-2")
    one.bets("come", 10)
    two.bets("dont_come", 10)
    table.rolls("4-2")
    one.bets("come.6.odds", 10).takes("place.10")
    two.bets("dont_come.6.odds", 10)
    table.rolls("3-1")
    assert table.puck == 0
    return table, one, two


def test_ruling_2_on_a_come_out_seven_fresh_and_moved_come_wagers_go_opposite_ways() -> None:
    """Seat 1: fresh Come $5 wins 5, moved Come and its working odds lose 20. Seat 2: fresh Don't Come $5 loses,
    moved Don't Come wins 10 and its odds 5/6 of 10 = 8.33."""
    table, one, two = come_at_six("craps")
    one.bets("come", 5)
    two.bets("dont_come", 5)
    table.rolls("3-4")
    assert one.credit == 100_00 - 20_00 + 5_00
    assert two.credit == 100_00 - 5_00 + 10_00 + 8_33
    assert one.lies == two.lies == {}


def test_ruling_2_come_odds_that_are_off_on_the_come_out_are_returned_and_dont_odds_work() -> None:
    table, one, two = come_at_six("roll-to-win")
    table.rolls("3-4")
    assert one.credit == 100_00 - 10_00
    assert two.credit == 100_00 + 10_00 + 8_33


def test_ruling_2_the_since_point_window_stays_open_after_a_come_out_seven_and_a_seven_out_closes_it() -> None:
    table, one, _ = come_at_six("craps")
    table.rolls("3-4")
    one.bets("come", 5)
    table.rolls("2-2", "3-4")
    one.refused("since_point_only").bets("come", 5)


def test_ruling_2_the_puck_put_off_by_hand_closes_the_since_point_window() -> None:
    one = seated("craps", "seats=1", "puck_can_be_reset=true").bets("place.10", 5)
    one.table.rolls("2-2").asked(m.PutPuckOff(seat=1))
    one.refused("since_point_only").bets("come", 5)


# --- Ruling 3: off wagers ---


@pytest.mark.parametrize("dice", ["4-2", "3-3", "3-4"])
def test_ruling_3_off_place_buy_and_hard_ways_stand_whatever_falls(dice: str) -> None:
    one = seated("craps").bets("place.6", 6).bets("buy.6", 20).bets("hard.6", 5).bets("field", 1)
    one.off("place.6", "buy.6", "hard.6")
    credit = one.credit
    one.table.rolls(dice)
    assert one.lies == {"place.6": 6_00, "buy.6": 20_00, "hard.6": 5_00}
    assert one.credit == credit


# --- Ruling 4: automatic off ---


def place_on_a_come_out(*bets: str) -> SeatTalk:
    """$12 on these from before, and the puck off again; a Pass line of $5 stays up."""
    one = seated("roll-to-win").bets("pass", 5)
    one.table.rolls("2-2")
    for bet in bets:
        one.bets(bet, 12)
    one.table.rolls("3-1")
    assert one.table.puck == 0
    return one


def test_ruling_4_automatic_off_releases_no_money() -> None:
    one = place_on_a_come_out("place.6", "hard.8")
    assert one.felt_cents == 5_00 + 24_00
    one.table.closes()
    assert one.felt_cents == 5_00 + 24_00


def test_ruling_4_what_went_off_by_itself_goes_on_when_the_point_is_set() -> None:
    """The come-out 6 pays nothing and sets the point; the next 6 pays Place $12 at 7:6 = 14."""
    one = place_on_a_come_out("place.6")
    one.table.rolls("4-2")
    assert one.paid == 0
    one.table.counts("4-2")
    assert one.lines["place.6"].payment.paid_cents == 14_00


def test_ruling_4_what_a_hand_switched_off_stays_off() -> None:
    one = place_on_a_come_out("place.6", "place.8")
    one.on("place.6").off("place.6")
    one.table.rolls("5-3")
    assert one.table.puck == 8
    one.table.rolls("4-2")
    assert one.paid == 0


def test_ruling_4_all_on_by_hand_works_on_the_come_out() -> None:
    one = place_on_a_come_out("place.6").all_on()
    one.table.counts("4-2")
    assert one.lines["place.6"].payment.paid_cents == 14_00


def test_ruling_4_a_wager_placed_on_the_come_out_works() -> None:
    one = place_on_a_come_out().bets("place.6", 12)
    one.table.counts("4-2")
    assert one.lines["place.6"].payment.paid_cents == 14_00


# --- Ruling 5: released off chips ---


def test_ruling_5_released_chips_are_marks_with_no_money_on_the_felt() -> None:
    one = seated("roll-to-win").bets("place.6", 12).off("place.6")
    assert (one.credit, one.felt_cents, one.lies) == (100_00, 0, {"place.6": 12_00})
    assert one.on("place.6").credit == 88_00


def test_ruling_5_a_mark_is_neither_paid_nor_taken() -> None:
    one = seated("roll-to-win").bets("place.6", 12).off("place.6").bets("field", 5)
    one.table.rolls("4-2")
    one.bets("field", 5)
    one.table.rolls("3-4")
    assert (one.credit, one.lies) == (90_00, {"place.6": 12_00})


def test_ruling_5_a_mark_does_not_count_for_the_minimum() -> None:
    table, one, two = two_seats("roll-to-win", "table_min_cents=1500")
    one.bets("place.6", 12).off("place.6").bets("field", 10)
    two.bets("field", 20)
    table.closes()
    assert (one.sits_out, two.sits_out) == (True, False)


def test_ruling_5_turning_on_debits_again_and_is_refused_if_credit_is_short() -> None:
    one = seated("roll-to-win", dollars=20).bets("place.6", 12).off("place.6").bets("place.8", 12)
    one.refused("credit_short").on("place.6")
    one.refused("credit_short").all_on()


def test_ruling_5_limits_are_checked_when_a_mark_is_turned_on() -> None:
    one = seated("roll-to-win", "total_max_cents=2000").bets("place.6", 12).off("place.6").bets("place.8", 12)
    one.refused("over_total").on("place.6")


def test_ruling_5_marks_are_dropped_at_cash_out() -> None:
    one = seated("roll-to-win").bets("place.6", 12).off("place.6").bets("place.8", 12).cashes_out()
    assert (one.lies, one.credit) == ({"place.8": 12_00}, 0)
    assert one.table.account("tickets") == 88_00


def test_ruling_5_odds_marks_vanish_with_their_flat() -> None:
    one = seated("roll-to-win").bets("pass", 10)
    one.table.rolls("2-2")
    one.bets("pass.odds", 20).off("pass.odds")
    one.table.rolls("3-4")
    assert (one.lies, one.credit) == ({}, 90_00)


def test_ruling_5_exclusions_count_marks() -> None:
    one = seated("roll-to-win").bets("place.6", 12).off("place.6")
    one.refused("excluded").bets("lay.6", 12)


def test_ruling_5_a_fee_is_due_for_all_that_is_turned_on() -> None:
    """Buy 4 with an upfront 5%: $20 placed, made a mark, $20 added to it, turned on: the fee for $40 is 2.00."""
    one = seated("roll-to-win", "buy.when=upfront").bets("buy.4", 20).off("buy.4").bets("buy.4", 20)
    one.on("buy.4")
    if one.pop_up:
        one.accepts()
    assert one.table.account("commission") == 2_00
    assert one.credit == 100_00 - 40_00 - 2_00


# --- Ruling 6: stay-up ---


def test_ruling_6_after_a_win_the_stake_is_an_ordinary_unlocked_wager_and_handle_counts_again() -> None:
    one = seated("shoot-to-win").bets("place.6", 12)
    table = one.table.rolls("4-2")
    assert (one.lies, one.credit) == ({"place.6": 12_00}, 100_00 - 12_00 + 14_00)
    assert table.meters("bet:place.6:handle") == 12_00
    table.closes()
    assert table.meters("bet:place.6:handle") == 24_00
    table.counts("2-2").opens().closes()
    assert table.meters("bet:place.6:handle") == 24_00, "nothing was decided, so nothing is wagered anew"


def test_ruling_6_handle_counts_again_for_a_field_that_stands() -> None:
    one = seated("shoot-to-win").bets("field", 5)
    table = one.table.rolls("1-2").closes()
    assert table.meters("bet:field:handle") == 10_00
    assert table.meters("seat:1:handle") == 10_00


def test_ruling_6_odds_never_stay_they_are_paid_and_returned() -> None:
    """Pass $10 and odds $20 on the 4: 10 + 40; Pass stands unlocked, the odds come down."""
    one = seated("shoot-to-win").bets("pass", 10)
    one.table.rolls("2-2")
    one.bets("pass.odds", 20)
    one.table.rolls("3-1")
    assert (one.lies, one.credit) == ({"pass": 10_00}, 100_00 - 10_00 + 10_00 + 40_00)
    assert one.takes("pass").credit == 150_00


@pytest.mark.parametrize("bet", ["dont_pass", "dont_come"])
def test_ruling_6_dont_bets_that_won_by_seven_after_a_point_are_returned(bet: str) -> None:
    one = seated("shoot-to-win").bets("place.10", 5)
    if bet == "dont_pass":
        one.bets(bet, 10)
    one.table.rolls("2-2")
    if bet == "dont_come":
        one.bets(bet, 10)
    one.table.rolls("4-2", "3-4")
    assert (one.lies, one.credit) == ({}, 100_00 - 5_00 + 10_00)


def test_ruling_6_come_that_won_by_eleven_stands_by_seven_or_its_point_is_returned() -> None:
    one = seated("shoot-to-win").bets("pass", 5)
    one.table.rolls("2-2")
    one.bets("come", 10)
    one.table.rolls("5-6")
    assert one.lies == {"pass": 5_00, "come": 10_00}
    one.table.rolls("4-2", "4-2")
    assert one.lies == {"pass": 5_00}


def test_ruling_6_the_horn_stays_at_full_stake_and_is_paid_net() -> None:
    """$4 at 27:4 = 27."""
    one = seated("shoot-to-win").bets("horn", 4)
    one.table.rolls("6-6")
    assert (one.lies, one.credit) == ({"horn": 4_00}, 96_00 + 27_00)


# --- Ruling 7: the Horn ---


def test_ruling_7_100_dollars_on_the_horn_win_675_net() -> None:
    one = seated("craps", dollars=100).bets("horn", 100)
    one.table.rolls("6-6")
    assert one.credit == 100_00 + 675_00


@pytest.mark.parametrize(("dice", "paid"), [("1-2", 475_00), ("5-6", 475_00), ("1-1", 1425_00), ("6-6", 1425_00)])
def test_ruling_7_power_odds_change_the_horn_by_its_parts(dice: str, paid: int) -> None:
    """Group C low: 19:4 on 3 and 11; group D high: 57:4 on 2 and 12; both drawn for one roll."""
    one = seated("shoot-to-win").bets("horn", 100)
    one.table.power(C="low", D="high").rolls(dice)
    assert one.paid == paid


def test_ruling_7_the_stake_is_a_multiple_of_four_steps() -> None:
    one = seated("craps")
    for amount in 1, 2, 5, 10:
        one.refused("wrong_step").bets("horn", amount)
    assert one.bets("horn", 8).bets("horn", 4).lies == {"horn": 12_00}


# --- Ruling 8: Power Odds ---


def test_ruling_8_one_draw_of_a_group_shows_on_all_its_spots() -> None:
    """A high: C and Any Craps both 14:1."""
    one = seated("shoot-to-win").bets("c", 1).bets("any_craps", 2)
    one.table.power(A="high").rolls("1-2")
    assert one.paid == 14_00 + 28_00


@pytest.mark.parametrize(("dice", "paid"), [("1-1", 4_00), ("5-6", 10_00)])
def test_ruling_8_the_two_pays_of_c_and_e_move_together(dice: str, paid: int) -> None:
    one = seated("shoot-to-win").bets("c_and_e", 1)
    one.table.power(E="low").rolls(dice)
    assert one.paid == paid


def test_ruling_8_a_no_roll_keeps_the_draw_and_bets_stay_closed() -> None:
    one = seated("shoot-to-win").bets("any_craps", 1)
    table = one.table.dealer().power(A="low").closes().power()
    table.asked(m.CallNoRoll(reason="cocked"))
    one.refused("wrong_phase").bets("any_craps", 1)
    table.counts("1-1")
    assert one.paid == 10_00


def test_ruling_8_off_and_sat_out_wagers_are_untouched_by_the_draw() -> None:
    table, one, two = two_seats("shoot-to-win", "off_money=held", "table_min_cents=1000")
    one.bets("hard.4", 10).off("hard.4").bets("field", 10)
    two.bets("hard.4", 5)
    table.power(F="high").rolls("2-2")
    assert one.paid == 10_00, "the Field alone"
    assert two.paid == 0
    assert (one.lies["hard.4"], two.lies["hard.4"]) == (10_00, 5_00)


def test_ruling_8_a_draw_is_for_one_roll_only() -> None:
    one = seated("shoot-to-win").bets("any_craps", 1)
    table = one.table.power(A="high").rolls("1-1")
    assert one.paid == 14_00
    table.power().rolls("1-1")
    assert one.paid == 7_00


def test_ruling_8_no_draw_counts_where_the_game_has_no_power_odds() -> None:
    one = seated("craps").bets("any_craps", 1)
    one.table.power(A="high").rolls("1-1")
    assert one.paid == 7_00


# --- Ruling 9: the upfront fee ---


def test_ruling_9_the_fee_is_asked_for_and_declined_means_no_bet() -> None:
    one = seated("craps").asks_for("buy.4", 20)
    assert (one.pop_up, one.lies, one.credit) == (True, {}, 100_00)
    one.refused("pop_up_open").bets("field", 5)
    one.declines()
    assert (one.pop_up, one.lies, one.credit) == (False, {}, 100_00)


def test_ruling_9_accepted_the_fee_comes_from_credit_and_is_no_handle() -> None:
    """5% of $20 is 1.00."""
    one = seated("craps").asks_for("buy.4", 20).accepts()
    assert (one.lies, one.credit) == ({"buy.4": 20_00}, 79_00)
    assert one.table.account("commission") == 1_00
    one.table.closes()
    assert one.table.meters("bet:buy.4:handle") == 20_00


def test_ruling_9_the_fee_is_on_the_increase_only() -> None:
    one = seated("craps").bets("buy.4", 20).bets("buy.4", 10)
    assert one.table.account("commission") == 1_50


def test_ruling_9_the_fee_of_a_lay_is_of_the_win_rounded_down_to_a_cent() -> None:
    """Lay 6, $5: 5% of 4.1667 = 0.2083, so 0.20."""
    assert seated("craps").bets("lay.6", 5).credit == 94_80


def test_ruling_9_one_pop_up_for_a_whole_button() -> None:
    """Buy 4 $20 (1.00) and Lay 10 $40 (5% of 20 = 1.00): Double asks for 2.00 once."""
    one = seated("craps", dollars=200).bets("buy.4", 20).bets("lay.10", 40).presses("double")
    [*_, asked] = one.table.happened(m.PopUpOpened)
    assert isinstance(asked, m.PopUpOpened)
    assert asked.fee_cents == 2_00
    one.accepts()
    assert one.lies == {"buy.4": 40_00, "lay.10": 80_00}
    assert one.credit == 200_00 - 120_00 - 4_00


def test_ruling_9_one_pop_up_for_repeat() -> None:
    one = seated("craps").bets("buy.4", 20).bets("buy.10", 20)
    one.table.rolls("3-4")
    one.presses("repeat")
    assert one.pop_up
    one.accepts()
    assert one.lies == {"buy.4": 20_00, "buy.10": 20_00}
    assert one.table.account("commission") == 4_00


def test_ruling_9_refused_if_credit_is_under_stake_and_fee() -> None:
    one = seated("craps", dollars=20)
    one.refused("credit_short").asks_for("buy.4", 20)


def test_ruling_9_removal_before_the_first_working_roll_returns_the_fee_pro_rata() -> None:
    one = seated("craps").bets("buy.4", 20).takes("buy.4", 5)
    assert one.credit == 100_00 - 15_00 - 75
    assert one.takes("buy.4").credit == 100_00
    assert one.table.account("commission") == 0


def test_ruling_9_undo_returns_the_fee() -> None:
    assert seated("craps").bets("buy.4", 20).undoes().credit == 100_00


def test_ruling_9_after_its_first_working_roll_the_fee_never_comes_back() -> None:
    one = seated("craps").bets("buy.4", 20)
    one.table.rolls("3-2")
    assert one.takes("buy.4").credit == 99_00


def test_ruling_9_a_roll_while_off_is_no_working_roll() -> None:
    one = seated("craps").bets("buy.4", 20).off("buy.4").bets("field", 1)
    one.table.rolls("3-2")
    assert one.takes("buy.4").credit == 99_00, "the Field's dollar is gone, the fee is back"


def test_ruling_9_a_win_with_keep_bets_on_charges_anew() -> None:
    """79.00 left; the 4 pays 40 and returns 20; put back for 20 and 1: 118.00."""
    one = seated("craps").bets("buy.4", 20).keeps_bets()
    one.table.rolls("3-1")
    assert (one.lies, one.credit) == ({"buy.4": 20_00}, 118_00)
    assert one.table.account("commission") == 2_00


def test_ruling_9_a_pop_up_open_at_close_is_declined() -> None:
    table, one, two = two_seats("craps")
    one.asks_for("buy.4", 20)
    two.bets("field", 5)
    table.rolls("3-1")
    assert (one.pop_up, one.lies, one.credit) == (False, {}, 100_00)
    one.refused("no_pop_up").accepts()


def test_ruling_9_a_pop_up_open_when_the_bet_time_starts_again_is_declined() -> None:
    one = seated("craps").asks_for("buy.4", 20)
    one.table.closes()
    assert one.table.phase == "betting"
    assert not one.pop_up


def test_ruling_9_a_pop_up_is_declined_when_the_link_is_lost() -> None:
    one = seated("craps").asks_for("buy.4", 20).leaves().returns()
    assert not one.pop_up


# --- Ruling 10: rounding and breakage ---


def test_ruling_10_lay_6_for_5_dollars_pays_395_keeps_20_and_a_cent_is_breakage() -> None:
    """Pay 4.1667, commission 0.2083: player 3.95, commission 0.20, breakage 0.01, meter 1/150 dollar."""
    one = seated("shoot-to-win").bets("lay.6", 5)
    one.table.rolls("3-4")
    assert one.credit == 95_00 + 3_95
    assert one.table.account("commission") == 20
    assert one.table.account("breakage") == 1
    assert one.table.account("house") == -(3_95 + 20 + 1)
    assert one.table.now.under_a_cent == Fraction(2, 3)


def test_ruling_10_the_fractions_of_several_rolls_add_up() -> None:
    """Place 6 $5 pays 5.8333: a third of a cent each time."""
    one = seated("shoot-to-win").bets("place.6", 5).bets("pass", 5)
    one.table.rolls("2-2", "4-2", "4-2")
    assert one.table.now.under_a_cent == Fraction(2, 3)
    assert one.table.account("breakage") == 0


def test_ruling_10_a_payout_unit_of_a_dollar_books_whole_cents_to_breakage() -> None:
    """Place 6 $5: 5.8333 pays 5.00, breakage 0.83."""
    one = seated("craps", "payout_unit_cents=100").bets("place.6", 5)
    one.table.rolls("4-2")
    assert (one.credit, one.table.account("breakage")) == (105_00, 83)


# --- Ruling 11: press by the win, move ---


def won_place(name: str = "roll-to-win", *changes: str, stake: int = 12) -> SeatTalk:
    """Place 6 made with the point on 4 has won 7:6 on it."""
    one = seated(name, *changes).bets("pass", 5)
    one.table.rolls("2-2")
    one.bets("place.6", stake)
    one.table.rolls("4-2")
    return one


@pytest.mark.parametrize("name", LED_GAMES)
def test_ruling_11_press_by_the_win_adds_exactly_what_was_paid(name: str) -> None:
    """$5 at 7:6 paid 5.83, whatever the step."""
    one = won_place(name, stake=5).presses_by_win("place.6")
    assert one.lies["place.6"] == 10_83
    assert one.credit == 100_00 - 5_00 - 5_00
    one.refused("no_offer").presses_by_win("place.6")


def test_ruling_11_press_by_the_win_needs_the_wager_standing() -> None:
    one = won_place().takes("place.6")
    one.refused("no_wager").presses_by_win("place.6")


def test_ruling_11_press_by_the_win_keeps_to_the_limits() -> None:
    one = won_place("roll-to-win", "limits.max_cents=2000")
    one.refused("over_max").presses_by_win("place.6")


def test_ruling_11_press_by_the_win_lapses_at_close() -> None:
    one = won_place()
    one.table.rolls("5-6")
    one.refused("no_offer").presses_by_win("place.6")


def come_out_winner(name: str = "craps", *changes: str) -> SeatTalk:
    """Place 6 $12 made on the come-out has won 14 on it: 114.00."""
    one = seated(name, *changes).bets("place.6", 12)
    one.table.rolls("4-2")
    assert one.credit == 114_00
    return one


def test_ruling_11_move_takes_the_stake_only_and_asks_for_the_fee_of_a_buy() -> None:
    """$12 to Buy 8, fee 0.60; the win of 14 is credit."""
    one = come_out_winner().moves("place.6", "buy.8")
    assert one.pop_up
    one.accepts()
    assert (one.lies, one.credit) == ({"buy.8": 12_00}, 114_00 - 12_00 - 60)
    one.refused("no_offer").moves("place.6", "buy.5")


@pytest.mark.parametrize("name", ["crapless", "easy"])
def test_ruling_11_in_crapless_and_easy_the_stake_moves_to_the_place_of_another_number(name: str) -> None:
    one = come_out_winner(name).moves("place.6", "place.3")
    assert (one.lies, one.credit) == ({"place.3": 12_00}, 102_00)


@pytest.mark.parametrize(("name", "to"), [("craps", "buy.6"), ("crapless", "place.6"), ("craps", "place.8")])
def test_ruling_11_move_goes_to_another_number_and_to_what_the_game_says(name: str, to: str) -> None:
    one = come_out_winner(name)
    one.refused("no_offer").moves("place.6", to)


def test_ruling_11_a_move_keeps_to_exclusions() -> None:
    one = come_out_winner().bets("lay.8", 12)
    one.refused("excluded").moves("place.6", "buy.8")


def test_ruling_11_a_move_keeps_to_the_limits() -> None:
    one = come_out_winner("craps", "bet_limits={buy = {max_cents = 1000}}")
    one.refused("over_max").moves("place.6", "buy.8")


def test_ruling_11_only_a_place_bet_whose_first_roll_was_that_come_out_may_move() -> None:
    one = seated("craps").bets("place.6", 12)
    one.table.rolls("1-1", "4-2")
    assert one.paid == 14_00
    assert one.offers == ()
    one.bets("place.8", 12)
    one.table.rolls("4-4")
    assert one.paid == 14_00
    assert one.offers == ()


def test_ruling_11_a_move_lapses_at_close() -> None:
    one = come_out_winner().bets("field", 1)
    one.table.rolls("1-1")
    one.refused("no_offer").moves("place.6", "buy.8")


# --- Ruling 12: press, double, repeat ---


def test_ruling_12_press_doubles_the_place_bet_of_the_point() -> None:
    one = seated("craps").bets("pass", 10)
    one.table.rolls("4-2")
    one.refused("no_wager").presses("press")
    one.bets("place.6", 12).bets("place.8", 12).presses("press")
    assert one.lies == {"pass": 10_00, "place.6": 24_00, "place.8": 12_00}


def test_ruling_12_double_doubles_every_working_unlocked_wager_odds_included() -> None:
    one = seated("craps").bets("pass", 10)
    one.table.rolls("2-2")
    one.bets("pass.odds", 20).bets("place.6", 12).bets("place.8", 6).off("place.8").bets("field", 5)
    one.presses("double")
    assert one.lies == {"pass": 10_00, "pass.odds": 40_00, "place.6": 24_00, "place.8": 6_00, "field": 10_00}


def test_ruling_12_double_and_repeat_take_what_a_press_by_the_win_made_uneven() -> None:
    """10.83 on Place 6, no multiple of a dollar: doubled to 21.66, and repeated as such after a seven-out."""
    one = won_place("roll-to-win", stake=5).presses_by_win("place.6").presses("double")
    assert one.lies["place.6"] == 21_66
    one.table.rolls("6-1")
    one.presses("repeat")
    assert one.lies["place.6"] == 21_66
    one.refused("wrong_step").bets("place.8", "21.66")


def test_ruling_12_what_is_uneven_keeps_to_the_limits_to_the_cent() -> None:
    one = won_place("roll-to-win", "limits.max_cents=2165", stake=5).presses_by_win("place.6")
    one.refused("over_max").presses("double")
    one = won_place("roll-to-win", "limits.max_cents=2166", stake=5).presses_by_win("place.6")
    assert one.presses("double").lies["place.6"] == 21_66


def test_ruling_12_double_refuses_all_when_one_is_over_its_limit() -> None:
    one = seated("craps").bets("pass", 10)
    one.table.rolls("2-2")
    one.bets("pass.odds", 30).bets("place.6", 12)
    one.refused("over_odds").presses("double")
    assert one.lies == {"pass": 10_00, "pass.odds": 30_00, "place.6": 12_00}


def test_ruling_12_double_refuses_all_when_credit_is_short() -> None:
    one = seated("craps", dollars=20).bets("field", 5).bets("hard.4", 6)
    one.refused("credit_short").presses("double")


@pytest.mark.parametrize(
    ("name", "side"), [("roll-to-win", "hot_shooter"), ("craps", "lucky_shooter"), ("craps", "lucky_roller.low")]
)
def test_ruling_12_double_passes_over_side_wagers_that_are_locked(name: str, side: str) -> None:
    one = seated(name).bets(side, 5)
    one.table.rolls("2-2")
    one.bets("field", 5).presses("double")
    assert one.lies == {side: 5_00, "field": 10_00}


def test_ruling_12_double_passes_over_a_side_wager_that_could_no_longer_be_placed() -> None:
    """The line it needed when it was placed is gone."""
    one = seated("roll-to-win", "lucky_roller.needs_line=true").bets("pass", 5).bets("lucky_roller.all", 5)
    one.table.rolls("5-6")
    one.takes("pass").bets("field", 5).presses("double")
    assert one.lies == {"lucky_roller.all": 5_00, "field": 10_00}


def test_ruling_12_repeat_places_what_is_absent_and_may_be_placed_now() -> None:
    """Field lost; Place 8 lies on; Pass cannot be placed with the point on."""
    one = seated("craps").bets("pass", 10).bets("field", 5).bets("place.8", 12)
    one.table.rolls("4-2")
    one.presses("repeat")
    assert one.lies == {"pass": 10_00, "field": 5_00, "place.8": 12_00}
    one.table.rolls("3-4")
    one.presses("repeat")
    assert one.lies == {"pass": 10_00, "field": 5_00, "place.8": 12_00}


def test_ruling_12_repeat_leaves_out_moved_come_and_what_is_out_of_its_window() -> None:
    one = seated("craps").bets("pass", 10).bets("lucky_roller.low", 5)
    one.table.rolls("2-2")
    one.bets("come", 10)
    one.table.rolls("4-2")
    one.bets("come.6.odds", 10).bets("field", 5)
    one.table.rolls("3-3")
    assert one.lies == {"pass": 10_00, "lucky_roller.low": 5_00}
    one.presses("repeat")
    assert one.lies == {"pass": 10_00, "lucky_roller.low": 5_00, "field": 5_00}


def test_ruling_12_repeat_is_refused_whole_if_credit_is_short() -> None:
    one = seated("craps", dollars=20).bets("field", 5).bets("hop.2-3", 6)
    one.table.rolls("4-2")
    one.refused("credit_short").presses("repeat")
    assert one.lies == {}


def test_ruling_12_auto_repeat_that_is_refused_switches_off_and_says_so() -> None:
    one = seated("craps", dollars=12).bets("field", 5).repeats_by_itself()
    one.table.rolls("4-2")
    assert (one.lies, one.credit) == ({"field": 5_00}, 2_00)
    one.table.rolls("4-2")
    assert one.lies == {}
    [*_, off] = one.table.happened(m.SwitchSet)
    assert isinstance(off, m.SwitchSet)
    assert (off.switch, off.on) == ("auto_repeat", False)
    assert "credit" in off.why


# --- Ruling 13: undo ---


def test_ruling_13_one_press_of_a_button_is_one_action() -> None:
    one = seated("craps").bets("pass", 10)
    one.table.rolls("2-2")
    one.presses("across", 6)
    assert len(one.lies) == 6
    assert one.undoes().lies == {"pass": 10_00}
    assert one.credit == 90_00


def test_ruling_13_undo_is_fifty_actions_deep() -> None:
    one = seated("craps")
    for _ in range(55):
        one.bets("field", 1)
    for _ in range(50):
        one.undoes()
    assert one.lies == {"field": 5_00}
    one.refused("nothing_to_undo").undoes()


def test_ruling_13_the_stack_empties_when_bets_close() -> None:
    one = seated("craps").bets("place.6", 12)
    one.table.rolls("2-3")
    one.refused("nothing_to_undo").undoes()


@pytest.mark.parametrize("deed", ["tip", "cash_out", "ticket_in"])
def test_ruling_13_tip_cash_out_and_ticket_in_clear_it(deed: str) -> None:
    one = seated("roll-to-win")
    one.table.dealer()
    one.bets("field", 5)
    if deed == "tip":
        one.tips(1)
    elif deed == "cash_out":
        one.cashes_out()
    else:
        one.inserts_ticket(20)
    one.refused("nothing_to_undo").undoes()


def test_ruling_13_a_seat_paid_out_by_hand_has_nothing_to_undo() -> None:
    """A hand pay of a seat left behind is a cash-out too."""
    one = seated("roll-to-win").bets("field", 5).bets("hard.4", 5).leaves()
    one.table.asked(m.PayByHand(seat=1))
    one.returns()
    one.refused("nothing_to_undo").undoes()


def test_ruling_13_undo_of_a_take_down_debits_again() -> None:
    one = seated("craps").bets("field", 5).takes("field")
    assert one.credit == 100_00
    one.undoes()
    assert (one.lies, one.credit) == ({"field": 5_00}, 95_00)


@pytest.mark.parametrize("name", ["craps", "roll-to-win"])
def test_ruling_13_undo_skips_on_and_off(name: str) -> None:
    one = seated(name).bets("place.6", 12).bets("place.8", 12).off("place.6").undoes()
    assert one.lies == {"place.6": 12_00}
    assert one.wager("place.6").switch.value == "off"
    assert one.credit == (88_00 if name == "craps" else 100_00)
    assert one.undoes().lies == {}
    assert one.credit == 100_00


def test_ruling_13_the_fee_goes_with_its_action() -> None:
    one = seated("craps").bets("buy.4", 20).bets("buy.4", 20).undoes()
    assert (one.lies, one.credit) == ({"buy.4": 20_00}, 79_00)


def test_ruling_13_what_was_kept_or_repeated_is_the_bottom_action_of_the_new_stack() -> None:
    one = seated("craps").bets("field", 5).keeps_bets()
    one.table.rolls("1-2")
    assert (one.lies, one.credit) == ({"field": 5_00}, 100_00)
    one.bets("hard.4", 1).undoes().undoes()
    assert (one.lies, one.credit) == ({}, 105_00)
    one.refused("nothing_to_undo").undoes()


def test_ruling_13_what_stood_up_is_not_an_action() -> None:
    one = seated("shoot-to-win").bets("field", 5)
    one.table.rolls("1-2")
    assert one.lies == {"field": 5_00}
    one.refused("nothing_to_undo").undoes()


def test_ruling_13_undo_of_a_press_by_the_win_brings_its_offer_back() -> None:
    """The exact earlier state: the offer lapses at close, not before."""
    one = won_place().presses_by_win("place.6").undoes()
    assert one.lies["place.6"] == 12_00
    assert one.presses_by_win("place.6").lies["place.6"] == 26_00


# --- Ruling 14: Don't Pass reduced ---


def test_ruling_14_a_reduction_under_its_odds_limit_is_refused_until_the_odds_are_lowered() -> None:
    """Don't Pass $10 carries 6x: odds $60. At $5 it carries $30."""
    one = seated("craps").bets("dont_pass", 10)
    one.table.rolls("2-2")
    one.bets("dont_pass.odds", 60)
    one.refused("under_odds").takes("dont_pass", 5)
    one.takes("dont_pass.odds", 30).takes("dont_pass", 5)
    assert one.lies == {"dont_pass": 5_00, "dont_pass.odds": 30_00}


def test_ruling_14_removal_takes_its_odds_with_it() -> None:
    one = seated("craps").bets("dont_pass", 10)
    one.table.rolls("2-2")
    one.bets("dont_pass.odds", 60).takes("dont_pass")
    assert (one.lies, one.credit) == ({}, 100_00)


def test_ruling_14_the_ban_begins_only_after_it_has_lain_through_a_roll() -> None:
    one = seated("craps").bets("dont_pass", 10).takes("dont_pass", 5).takes("dont_pass").bets("dont_pass", 10)
    one.table.rolls("6-6")
    one.takes("dont_pass")
    one.refused("banned").bets("dont_pass", 10)


def test_ruling_14_the_ban_ends_with_the_cycle_even_at_a_seat_with_nothing_on_its_felt() -> None:
    table, one, two = two_seats("craps")
    one.bets("dont_pass", 10)
    two.bets("field", 10)
    table.rolls("6-6")
    one.takes("dont_pass")
    two.bets("field", 10)
    table.rolls("3-4")
    assert one.bets("dont_pass", 10).lies == {"dont_pass": 10_00}


def test_ruling_14_the_ban_ends_when_the_puck_is_put_off_by_hand() -> None:
    """It ends the cycle (ruling 21)."""
    one = seated("craps", "seats=1", "puck_can_be_reset=true").bets("dont_pass", 10)
    one.table.rolls("6-6")
    one.takes("dont_pass").bets("place.10", 5)
    one.table.rolls("2-2").asked(m.PutPuckOff(seat=1))
    assert one.bets("dont_pass", 10).lies["dont_pass"] == 10_00


# --- Ruling 15: odds limits ---


def test_ruling_15_odds_ignore_the_maximum_per_bet() -> None:
    one = seated("craps", "limits.max_cents=1000").bets("pass", 10)
    one.table.rolls("2-2")
    one.bets("pass.odds", 50)
    one.refused("over_odds").bets("pass.odds", 1)


def test_ruling_15_odds_count_for_the_total() -> None:
    one = seated("craps", "total_max_cents=4000").bets("pass", 10)
    one.table.rolls("2-2")
    one.refused("over_total").bets("pass.odds", 50)
    assert one.bets("pass.odds", 30).lies["pass.odds"] == 30_00


def test_ruling_15_odds_have_no_minimum_but_the_step() -> None:
    one = seated("craps", "limits.min_cents=1000").bets("pass", 10)
    one.table.rolls("2-2")
    one.refused("under_min").bets("field", 5)
    assert one.bets("pass.odds", 1).lies["pass.odds"] == 1_00


# --- Ruling 16: sitting out ---


def test_ruling_16_all_unlocked_wagers_one_roll_too_are_as_off_for_that_roll() -> None:
    table, one, two = two_seats("craps", "table_min_cents=1500")
    one.bets("field", 5).bets("place.6", 6)
    two.bets("field", 20)
    table.rolls("4-2")
    assert one.lies == {"field": 5_00, "place.6": 6_00}
    assert one.credit == 89_00
    assert (two.lies, two.credit) == ({}, 80_00)


def test_ruling_16_a_seat_that_sat_out_plays_the_next_roll_if_it_has_enough() -> None:
    table, one, two = two_seats("craps", "table_min_cents=1500")
    one.bets("field", 5)
    two.bets("place.10", 20)
    table.rolls("1-2")
    one.bets("field", 10)
    table.rolls("1-2")
    assert one.credit == 115_00


def test_ruling_16_locked_wagers_count_and_play() -> None:
    """Pass $10 with its point and $1 on a hop: 11 is under 15, so the hop rests and Pass wins."""
    table, one, two = two_seats("craps", "table_min_cents=1500")
    one.bets("pass", 10).bets("field", 5)
    two.bets("place.10", 20)
    table.rolls("2-2")
    one.bets("hop.2-2", 1)
    table.rolls("2-2")
    assert one.lies == {"hop.2-2": 1_00}
    assert one.credit == 100_00 + 5_00 + 10_00 - 1_00


def test_ruling_16_side_wagers_do_not_count_but_play() -> None:
    table, one, two = two_seats("craps", "table_min_cents=1500")
    one.bets("lucky_roller.low", 50).bets("field", 5)
    two.bets("field", 20)
    table.rolls("3-4")
    assert one.lies == {"field": 5_00}


def test_ruling_16_what_sat_out_is_no_handle() -> None:
    table, one, two = two_seats("craps", "table_min_cents=1500")
    one.bets("field", 5)
    two.bets("field", 20)
    table.closes()
    assert table.meters("seat:1:handle") == 0
    assert table.meters("bet:field:handle") == 20_00


# --- Ruling 17: settings ---


def test_ruling_17_settings_are_refused_outside_betting_and_over_locked_or_side_wagers() -> None:
    one = seated("craps").bets("pass", 10)
    table = one.table.closes()
    table.refused("wrong_phase").changes("table_min_cents", "500")
    table.counts("2-2")
    table.refused("wrong_phase").changes("table_min_cents", "500")
    table.opens()
    table.refused("wagers_lie").changes("table_min_cents", "500")
    other = seated("craps").bets("lucky_roller.low", 5)
    other.table.refused("wagers_lie").changes("table_min_cents", "500")


def test_ruling_17_a_change_first_returns_every_unlocked_wager_and_fees_then_reopens_the_bet_time() -> None:
    table, one, two = two_seats("craps")
    one.bets("buy.4", 20)
    two.bets("place.6", 12).off("place.6")
    before = table.now.fingerprint
    table.changes("table_min_cents", "500")
    assert (one.lies, one.credit, two.lies, two.credit) == ({}, 100_00, {}, 100_00)
    assert table.account("commission") == 0
    assert table.now.fingerprint != before
    assert isinstance(table.events[-1], m.BetsOpened)
    one.refused("nothing_to_undo").undoes()


def test_ruling_17_credits_may_stay_except_for_a_change_of_denomination() -> None:
    one = seated("craps")
    one.table.refused("no_such_setting").changes("denominations", "[100]")
    one.cashes_out().table.changes("denominations", "[100]")
    assert one.table.game.denominations == (100,)


def test_ruling_17_a_pop_up_does_not_survive_a_change() -> None:
    """It asked for the old fee."""
    one = seated("craps").asks_for("buy.4", 20)
    one.table.changes("buy.rate_bp", "1000")
    assert not one.pop_up


def test_ruling_17_the_limits_of_one_bet_may_be_changed() -> None:
    one = seated("craps")
    one.table.changes("bet_limits.field.max_cents", "500")
    one.refused("over_max").bets("field", 6)


def test_ruling_17_a_change_of_mode_is_the_mode_that_is_played() -> None:
    table = opened("craps")
    for mode in "dealer_assisted", "automated":
        assert table.changes("mode", mode).now.mode == mode


def test_ruling_17_a_point_that_the_new_game_does_not_have_is_given_up() -> None:
    one = seated("crapless").bets("field", 5)
    table = one.table.rolls("5-6").changes("points", "six")
    assert table.puck == 0
    one.bets("pass", 5)
    table.rolls("2-2")
    assert table.puck == 4


# --- Ruling 18: cash-out, a seat left behind ---


def test_ruling_18_felt_empty_counts_side_wagers() -> None:
    one = seated("craps").bets("lucky_roller.low", 5)
    one.refused("felt_not_empty").cashes_out()


def test_ruling_18_the_wagers_of_a_seat_left_behind_play_to_the_end_and_no_new_bets_are_made() -> None:
    one = seated("craps").bets("pass", 10).leaves()
    table = one.table.rolls("2-2")
    one.refused("not_linked").bets("field", 5)
    table.rolls("2-2")
    assert (one.lies, one.credit) == ({}, 110_00)


def test_ruling_18_staff_pay_the_credit_out_and_later_wins_wait_on_the_seat() -> None:
    one = seated("craps").bets("pass", 10).leaves()
    table = one.table.rolls("2-2")
    table.asked(m.PayByHand(seat=1))
    assert (one.credit, table.account("cash")) == (0, -10_00)
    table.rolls("2-2")
    assert one.credit == 20_00


def test_ruling_18_nobody_takes_a_seat_that_was_left_behind() -> None:
    one = seated("craps").bets("pass", 10).leaves()
    one.refused("not_linked").inserts(20)


def test_ruling_18_keep_bets_and_auto_repeat_place_nothing_at_a_seat_left_behind() -> None:
    one = seated("craps").bets("field", 10).repeats_by_itself().leaves()
    one.table.rolls("1-2")
    assert (one.lies, one.credit) == ({}, 110_00)


# --- Ruling 19: the shooter ---


def line_of(name: str, *numbers: int) -> TableTalk:
    """A table with Pass wagers at these seats."""
    table = opened(name)
    for number in numbers:
        table.seat(number).inserts(100).bets("pass", 5)
    return table


def test_ruling_19_no_line_wager_when_bets_close_passes_the_dice_to_the_next_eligible_seat() -> None:
    table = line_of("craps", 2, 5, 7).closes()
    assert table.now.shooter == 2
    table.counts("1-1").opens()
    for number in 5, 7:
        table.seat(number).bets("pass", 5)
    assert table.closes().now.shooter == 5


def test_ruling_19_a_button_switched_off_counts_at_once_with_the_puck_off_and_later_with_a_point_on() -> None:
    table = line_of("roll-to-win", 1, 2)
    table.rolls("5-6")
    table.seat(1).shooter_button(on=False)
    assert table.closes().now.shooter == 2
    other = line_of("roll-to-win", 1, 2).rolls("2-2")
    other.seat(1).shooter_button(on=False)
    assert other.closes().now.shooter == 1
    other.counts("2-2").opens().closes()
    assert other.now.shooter == 2


def test_ruling_19_with_the_shooters_link_lost_the_time_limit_rolls() -> None:
    table = line_of("craps", 1, 2).at_second(0).closes()
    table.seat(1).leaves()
    table.at_second(9).ticks("2-2")
    assert table.phase == "shooting"
    table.at_second(10).ticks("2-2")
    assert (table.phase, table.puck) == ("rolled", 4)


def test_ruling_19_a_change_of_shooter_touches_neither_puck_hand_nor_side_wagers() -> None:
    table = line_of("shoot-to-win", 1, 2)
    table.seat(1).bets("hot_shooter", 1).bets("lucky_roller.low", 1)
    table.rolls("2-2", "2-3").closes()
    assert table.now.shooter == 2, "passed on the point (STW)"
    assert (table.puck, table.now.hand.rolls) == (4, 2)
    assert {"hot_shooter", "lucky_roller.low"} <= set(table.seat(1).lies)


# --- Ruling 20: Hot Shooter ---


def hot(rolls: int) -> SeatTalk:
    """Hot Shooter $1, the point on 4, and so many rolls without a 7 so far."""
    one = seated("roll-to-win").bets("hot_shooter", 1)
    one.table.rolls("2-2", *["2-3"] * (rolls - 1))
    return one


def test_ruling_20_the_fiftieth_roll_is_paid_at_once_and_the_hand_goes_on() -> None:
    one = hot(49)
    assert one.lies == {"hot_shooter": 1_00}
    one.table.rolls("2-3")
    assert (one.lies, one.credit) == ({}, 99_00 + 100_00)
    assert (one.table.puck, one.table.now.hand.rolls) == (4, 50)
    one.refused("hand_start_only").bets("hot_shooter", 1)
    one.bets("field", 1)
    one.table.rolls("3-4")
    assert one.bets("hot_shooter", 1).lies == {"hot_shooter": 1_00}


def test_ruling_20_hsj_51_pays_100_on_the_51st() -> None:
    one = seated("roll-to-win", "hot_shooter.paytable=HSJ-51").bets("hot_shooter", 1)
    one.table.rolls("2-2", *["2-3"] * 49)
    assert one.lies == {"hot_shooter": 1_00}
    one.table.rolls("2-3")
    assert one.credit == 199_00


@pytest.mark.parametrize(("rolls", "paid"), [(7, 0), (8, 1_00), (15, 1_00), (16, 3_00), (40, 12_00), (49, 30_00)])
def test_ruling_20_the_seven_out_counts_and_1x_is_the_stake_back(rolls: int, paid: int) -> None:
    one = hot(rolls - 1)
    one.table.rolls("3-4")
    assert one.credit == 99_00 + paid


@pytest.mark.parametrize("bet", ["hot_shooter", "bonus.small", "make_em_all", "fired_up"])
def test_ruling_20_the_first_roll_of_a_new_table_counts_as_after_a_seven_out(bet: str) -> None:
    one = seated("roll-to-win", "bonus_craps.on=true", "make_em_all.on=true", "fired_up.on=true")
    assert one.bets(bet, 1).lies == {bet: 1_00}


# --- Ruling 21: the puck off by hand ---

PUCK = "puck_can_be_reset=true"


def test_ruling_21_refused_while_any_hot_shooter_wager_lies() -> None:
    one = seated("craps", "seats=1", PUCK, "hot_shooter.on=true").bets("hot_shooter", 1)
    one.table.rolls("2-2")
    one.table.refused("puck_needed").asked(m.PutPuckOff(seat=1))


def test_ruling_21_refused_while_a_wager_at_any_seat_depends_on_the_puck() -> None:
    table, one, two = two_seats("craps", PUCK)
    table.dealer()
    one.bets("place.10", 5)
    two.bets("pass", 5)
    table.rolls("2-2")
    table.refused("puck_needed").asked(m.PutPuckOff())


def test_ruling_21_it_ends_the_cycle_not_the_hand_or_roll_count_and_turns_wagers_off() -> None:
    one = seated("craps", "seats=1", PUCK).bets("place.10", 5).bets("hard.8", 1).bets("field", 1)
    table = one.table.rolls("2-2", "2-3")
    table.asked(m.PutPuckOff(seat=1))
    assert (table.puck, table.now.hand.rolls) == (0, 2)
    assert {one.wager(spot).switch.value for spot in ("place.10", "hard.8")} == {"off"}
    assert table.now.history[-1].dice is None
    one.bets("pass", 5)
    table.rolls("3-3")
    assert table.puck == 6


def test_ruling_21_at_a_table_of_several_seats_only_the_dealer_may() -> None:
    one = seated("craps", PUCK).bets("place.10", 5)
    table = one.table.rolls("2-2")
    for request in m.PutPuckOff(), m.PutPuckOff(seat=1):
        table.refused("needs_dealer").asked(request)
    table.asked(m.SignIn(), actor="badge-12")
    table.refused("needs_dealer").asked(m.PutPuckOff(seat=1))
    table.asked(m.PutPuckOff())
    assert table.puck == 0


def test_ruling_21_there_is_no_such_button_where_the_game_does_not_say_so() -> None:
    one = seated("craps", "seats=1").bets("place.10", 5)
    one.table.rolls("2-2")
    one.table.refused("no_such_button").asked(m.PutPuckOff(seat=1))


# --- Ruling 22: Lucky Roller and Bonus after a win ---

METER = "make_em_all/100/MEA-01"
LOW_SET = ("1-1", "1-2", "2-2", "2-3", "2-4")


def test_ruling_22_any_roll_allows_a_new_wager_at_once_with_an_empty_set() -> None:
    """$5 at 30:1 = 150."""
    one = seated("roll-to-win").bets("lucky_roller.low", 5).bets("lucky_roller.all", 5)
    table = one.table.rolls(*LOW_SET)
    assert one.credit == 90_00 + 5_00 + 150_00
    one.bets("lucky_roller.low", 5)
    table.rolls("1-1", "1-2", "2-2", "2-3")
    assert one.lies == {"lucky_roller.low": 5_00, "lucky_roller.all": 5_00}
    table.rolls("2-4")
    assert one.credit == 90_00 + 5_00 + 300_00


def test_ruling_22_low_won_while_all_runs_leaves_all_its_set() -> None:
    """All $5 at 155:1 = 775 when the five high totals follow."""
    one = seated("roll-to-win").bets("lucky_roller.low", 5).bets("lucky_roller.all", 5)
    one.table.rolls(*LOW_SET, "4-4", "4-5", "5-5", "5-6", "6-6")
    assert one.credit == 100_00 + 150_00 + 775_00


def test_ruling_22_after_seven_allows_one_only_after_a_seven() -> None:
    one = seated("craps").bets("lucky_roller.low", 5)
    table = one.table.rolls(*LOW_SET)
    assert one.credit == 250_00
    one.refused("after_seven_only").bets("lucky_roller.low", 5)
    one.bets("field", 1)
    table.rolls("3-4")
    assert one.bets("lucky_roller.low", 5).lies == {"lucky_roller.low": 5_00}


def test_ruling_22_bonus_is_open_at_any_bet_time_after_the_table_has_seen_the_whole_set() -> None:
    one = seated("craps", "bonus_craps.on=true").bets("place.10", 5)
    table = one.table.rolls("1-1")
    one.refused("after_seven_only").bets("bonus.small", 5)
    table.rolls("1-2", "2-2", "2-3", "2-4")
    assert one.bets("bonus.small", 5).lies["bonus.small"] == 5_00
    one.refused("after_seven_only").bets("bonus.tall", 5)


# --- Ruling 23: progressives ---

NINE = ("1-1", "1-2", "1-3", "1-4", "1-5", "4-4", "5-4", "5-5", "5-6")


def nearly_all(*changes: str) -> tuple[TableTalk, SeatTalk, SeatTalk]:
    """Two Make 'Em All wagers with nine totals, and a meter that reads 25,123.45."""
    table, one, two = two_seats("craps", "make_em_all.on=true", *changes)
    table.meter("make_em_all", "25123.45")
    one.bets("make_em_all", 1)
    two.bets("make_em_all", 1)
    return table.rolls(*NINE), one, two


def test_ruling_23_winners_of_one_roll_are_each_paid_in_full_the_first_from_the_meter() -> None:
    """The meter was fed 2 × 5 cents, pays 25,123.45 once and is reseeded once with 25,000; the house pays the other
    winner, the seed and 2 × 6 cents, and took two dollars."""
    table, one, two = nearly_all()
    table.rolls("6-6")
    assert one.credit == two.credit == 99_00 + 25_123_45
    assert table.account(f"progressive:{METER}") == 10 - 25_123_45 + 25_000_00
    assert table.account("house") == 2_00 - 12 - 25_123_45 - 25_000_00


def test_ruling_23_a_split_shares_the_meter_and_seeds_it_once() -> None:
    """25,123.45 / 2 = 12,561.72 and a cent over."""
    table, one, two = nearly_all("make_em_all.winners=split")
    table.rolls("6-6")
    assert one.credit == two.credit == 99_00 + 12_561_72
    assert table.account(f"progressive:{METER}") == 10 - 25_123_45 + 25_000_00
    assert table.account("house") == 2_00 - 12 - 25_000_00
    assert table.account("breakage") == 1


@pytest.mark.parametrize(("hits_since", "reads"), [(0, 25_123_45), (1, 25_000_10)])
def test_ruling_25_a_reversal_pays_the_meter_as_it_read_unless_it_was_won_elsewhere_since(
    hits_since: int, reads: int
) -> None:
    """The tenth total was entered wrong, and the meter reads less since. Who commits later gets it as it is then
    (ruling 23)."""
    table, *_ = nearly_all("mode=dealer_assisted")
    table.facts = replace(table.facts, meters={METER: m.Reading(25_123_45, 7)})
    table.rolls("1-1")
    table.facts = replace(table.facts, meters={METER: m.Reading(25_000_10, 7 + hits_since)})
    table.reverses_to("6-6")
    assert table.settled.hits == {METER: 8 + hits_since}
    assert [seat.awards for seat in table.settled.seats] == [{METER: reads}] * 2


def test_ruling_25_a_jackpot_that_the_wrong_roll_won_goes_back_into_its_meter() -> None:
    table, *_ = nearly_all("mode=dealer_assisted")
    table.facts = replace(table.facts, meters={METER: m.Reading(25_123_45, 7)})
    table.rolls("6-6")
    assert table.settled.hits == {METER: 8}
    table.facts = replace(table.facts, meters={METER: m.Reading(25_000_00, 8)})
    table.reverses_to("1-1")
    assert (table.settled.hits, table.account(f"progressive:{METER}")) == ({}, 10)


def test_ruling_23_fixed_pays_come_from_the_house() -> None:
    """Nine totals, then a repeat: 300 for 1."""
    table, one, _ = nearly_all()
    table.rolls("5-5")
    assert one.credit == 99_00 + 300_00
    assert table.account(f"progressive:{METER}") == 10


def test_ruling_23_a_wager_feeds_the_meter_once_when_bets_close_on_its_first_roll() -> None:
    one = seated("craps", "make_em_all.on=true").bets("make_em_all", 1)
    table = one.table
    assert table.account(f"progressive:{METER}") == 0
    table.closes()
    assert table.account(f"progressive:{METER}") == 5
    assert table.account(f"progressive:{METER}:reserve") == 1
    table.counts("1-1").opens().closes()
    assert table.account(f"progressive:{METER}") == 5


def test_ruling_23_fractions_of_a_cent_are_carried() -> None:
    """3.33% of $1 four times is 13.32 cents."""
    one = seated("craps", "make_em_all.on=true", "make_em_all.increment_bp=333")
    table = one.table
    for fed in 3, 6, 9, 13:
        one.bets("make_em_all", 1)
        table.rolls("3-4")
        assert table.account(f"progressive:{METER}") == fed
    assert table.now.remainders[f"progressive:{METER}"] == Fraction(8, 25)


def test_ruling_23_a_meter_at_its_cap_overflows_to_the_reserve() -> None:
    """RULES 9. At its cap all six cents go to the reserve; two cents under it, two go to the meter."""
    for reading, fed, reserve in ("25000.00", 0, 6), ("24999.98", 2, 4):
        one = seated("craps", "make_em_all.on=true", "make_em_all.cap_cents=2500000").bets("make_em_all", 1)
        table = one.table.meter("make_em_all", reading).closes()
        assert table.account(f"progressive:{METER}") == fed
        assert table.account(f"progressive:{METER}:reserve") == reserve


def test_ruling_23_seed_and_fixed_pays_scale_with_the_base_wager() -> None:
    """Base $5: the seed is 125,000 and the reading without news of another is it."""
    one = seated("craps", "make_em_all.on=true", "make_em_all.base_cents=500").bets("make_em_all", 5)
    one.table.rolls(*NINE, "6-6")
    assert one.credit == 95_00 + 125_000_00
    assert one.table.account("progressive:make_em_all/500/MEA-01") == 25, "5% of $5, paid out and seeded anew"


# --- Ruling 24: envy and tips ---


def small_won(table: TableTalk) -> int:
    """What the dealer gets when $5 on Small (BC-03: envy 1x) wins."""
    table.seat(1).inserts(100).bets("bonus.small", 5)
    table.rolls(*LOW_SET)
    assert table.seat(1).credit == 100_00 + 150_00
    return table.account("envy")


BC_03 = ("bonus_craps.on=true", "bonus_craps.paytable=BC-03")


def test_ruling_24_envy_is_paid_to_a_dealer_who_is_signed_in() -> None:
    assert small_won(opened("craps", *BC_03).dealer()) == 5_00


def test_ruling_24_no_envy_without_a_dealer() -> None:
    table = opened("craps", *BC_03)
    table.asked(m.SelectMode(mode="dealer_assisted"))
    assert small_won(table) == 0


def test_ruling_24_automated_mode_books_no_envy() -> None:
    table = opened("craps", *BC_03)
    table.asked(m.SignIn(), actor="badge-12")
    assert table.now.mode == "automated"
    assert small_won(table) == 0


def test_ruling_24_the_tip_button_needs_a_dealer_and_his_mode_likewise() -> None:
    one = seated("craps")
    one.refused("needs_dealer").tips(5)
    one.table.asked(m.SignIn(), actor="badge-12")
    one.refused("needs_dealer").tips(5)
    one.table.dealer("badge-3")
    assert one.tips(5).credit == 95_00
    assert one.table.account("tips") == 5_00


@pytest.mark.parametrize(("paytable", "envy"), [("MEA-01", 200_00), ("MEA-02", 100_00), ("MEA-04", 0)])
def test_ruling_24_envy_is_fixed_once_however_many_win_or_for_each_where_starred(paytable: str, envy: int) -> None:
    """Nine totals at two seats: $200 once, $50 each, none."""
    table, one, two = two_seats("craps", "make_em_all.on=true", f"make_em_all.paytable={paytable}")
    table.dealer()
    one.bets("make_em_all", 1)
    two.bets("make_em_all", 1)
    table.rolls(*NINE, "5-5")
    assert table.account("envy") == envy


# --- Ruling 26: nothing live ---


def test_ruling_26_with_nothing_live_the_bet_time_starts_again_and_no_roll_is_made() -> None:
    one = seated("craps").bets("place.6", 12).off("place.6")
    table = one.table.closes()
    assert (table.phase, table.now.round) == ("betting", 1)
    table.refused("wrong_phase").asked(m.RollDice(), dice=(1, 1))


def test_ruling_26_an_empty_table_starts_its_bet_time_again_on_the_clock() -> None:
    table = opened("craps", "timers.waits_for_bets=false").at_second(0).opens()
    table.at_second(30).ticks("1-1")
    assert (table.phase, table.now.deadline_ms) == ("betting", 1000 + 60_000)


def test_ruling_26_offers_lapse_where_the_bet_time_starts_again() -> None:
    """Bets closed, so a press by the win or a move lapses (ruling 11)."""
    one = come_out_winner()
    one.table.closes()
    assert one.table.phase == "betting"
    one.refused("no_offer").moves("place.6", "buy.8")


@pytest.mark.parametrize("bet", ["lucky_roller.low", "pass"])
def test_ruling_26_a_side_wager_or_a_contract_alone_is_live(bet: str) -> None:
    one = seated("craps", "table_min_cents=1000").bets("pass", 10).bets("lucky_roller.low", 1)
    table = one.table.rolls("2-2")
    assert table.closes().phase == "shooting"
    table.counts("2-2" if bet == "lucky_roller.low" else "3-4").opens()
    assert table.closes().phase == ("shooting" if bet == "lucky_roller.low" else "betting")


# --- Ruling 28: what looks at several seats ---


def test_ruling_28_the_aggregate_cap_cuts_pro_rata_over_all_seats_rounded_down() -> None:
    """Low $5 and $10 win 150 and 300; at most 100 is paid: 33.33 and 66.66."""
    table, one, two = two_seats("roll-to-win", "lucky_roller.aggregate_max_cents=10000")
    one.bets("lucky_roller.low", 5)
    two.bets("lucky_roller.low", 10)
    table.rolls(*LOW_SET)
    assert one.credit == 100_00 + 33_33
    assert two.credit == 100_00 + 66_66
    assert table.account("house") == -(33_33 + 66_66)


def test_ruling_28_the_cap_is_of_one_side_game_and_one_roll() -> None:
    """Low of Lucky Roller is cut to 100, Small of Bonus Craps (33:1) is not."""
    one = seated("roll-to-win", "lucky_roller.aggregate_max_cents=10000", "bonus_craps.on=true")
    one.bets("lucky_roller.low", 5).bets("bonus.small", 5)
    one.table.rolls(*LOW_SET)
    assert one.credit == 100_00 + 100_00 + 165_00


def test_ruling_28_wins_up_to_the_cap_are_whole() -> None:
    one = seated("roll-to-win", "lucky_roller.aggregate_max_cents=15000").bets("lucky_roller.low", 5)
    one.table.rolls(*LOW_SET)
    assert one.credit == 250_00
