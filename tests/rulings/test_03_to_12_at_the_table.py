"""RULES 3 to 12 as they show at a table with seats, accounts and a clock: contracts, offers, on and off, buttons,
what stays up, side games, the shooter, the round and its times, money in and out.

Amounts put down are dollars, amounts found are cents, worked out by hand from the printed rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest

from stickman.table import messages as m
from stickman.table.offers import offers
from stickman.table.ports import refuses_bill
from stickman.table.state import Stay
from stickman.table.view import SeatView, view
from tests.talk.devices import door_moved, key_turned
from tests.talk.games import COME_GAMES, DONT_GAMES, FIVE_GAMES, IB_GAMES, LED_GAMES, SIX_POINTS, TEN_POINTS
from tests.talk.table import SeatTalk, TableTalk, opened, seated, two_seats


def on_point(name: str, *changes: str, dice: str = "2-2") -> SeatTalk:
    """A seat with Pass $10 and the point on (4 unless told)."""
    one = seated(name, *changes).bets("pass", 10)
    one.table.rolls(dice)
    return one


# --- 3: contracts ---


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_rules_3_pass_with_its_point_is_neither_increased_reduced_nor_removed(name: str) -> None:
    one = on_point(name)
    one.refused("locked").bets("pass", 5)
    for part in None, 5:
        one.refused("locked").takes("pass", part)


@pytest.mark.parametrize("name", COME_GAMES)
def test_rules_3_come_with_its_point_is_locked_and_none_is_placed_on_a_number(name: str) -> None:
    one = on_point(name).bets("come", 10)
    one.table.rolls("4-2")
    one.refused("locked").takes("come.6")
    one.refused("travels_here").bets("come.8", 5)


@pytest.mark.parametrize("name", ["craps", "roll-to-win"])
def test_rules_3_dont_pass_may_be_reduced_and_removed_after_its_point_never_increased(name: str) -> None:
    one = seated(name).bets("dont_pass", 10)
    one.table.rolls("2-2")
    one.refused("never_increased").bets("dont_pass", 5)
    assert one.takes("dont_pass", 4).lies == {"dont_pass": 6_00}
    assert one.takes("dont_pass").credit == 100_00


def test_rules_3_shoot_to_win_locks_dont_pass_after_its_point() -> None:
    one = seated("shoot-to-win").bets("dont_pass", 10)
    one.table.rolls("2-2")
    one.refused("locked").takes("dont_pass")


@pytest.mark.parametrize("name", DONT_GAMES)
def test_rules_3_dont_come_may_be_removed_after_its_point(name: str) -> None:
    one = seated(name).bets("place.10", 5)
    one.table.rolls("2-2")
    one.bets("dont_come", 10)
    one.table.rolls("4-2")
    assert one.takes("dont_come.6").credit == 95_00


def test_rules_3_a_side_wager_may_be_changed_until_bets_close_on_its_first_roll() -> None:
    one = seated("craps").bets("lucky_roller.low", 5).bets("lucky_roller.low", 2).takes("lucky_roller.low", 3)
    assert one.lies == {"lucky_roller.low": 4_00}
    one.table.rolls("1-1")
    one.refused("locked").takes("lucky_roller.low")
    one.refused("locked").bets("lucky_roller.low", 1)


def test_rules_3_lucky_shooter_is_locked_from_its_point_on_only() -> None:
    one = seated("craps").bets("lucky_shooter", 5)
    one.table.rolls("5-6")
    assert one.takes("lucky_shooter", 2).bets("lucky_shooter", 1).lies == {"lucky_shooter": 4_00}
    one.table.rolls("2-2")
    one.refused("locked").takes("lucky_shooter")


# --- 3: excluding ---


@pytest.mark.parametrize("name", DONT_GAMES)
def test_rules_3_pass_excludes_dont_pass_and_come_dont_come_flat_or_moved(name: str) -> None:
    one = seated(name).bets("pass", 10)
    one.refused("excluded").bets("dont_pass", 10)
    one.table.rolls("2-2")
    one.bets("come", 5)
    one.refused("excluded").bets("dont_come", 5)
    one.table.rolls("4-2")
    one.refused("excluded").bets("dont_come", 5)


@pytest.mark.parametrize("name", ["craps", "roll-to-win"])
def test_rules_3_place_and_buy_exclude_lay_on_the_same_number(name: str) -> None:
    one = seated(name).bets("place.6", 12).bets("buy.6", 20)
    one.refused("excluded").bets("lay.6", 12)
    assert "lay.8" in one.bets("lay.8", 12).lies


def test_rules_3_in_shoot_to_win_place_and_buy_exclude_lay_and_place_to_lose_on_any_number() -> None:
    one = seated("shoot-to-win").bets("place.6", 12)
    for bet in "lay.8", "place_to_lose.10":
        one.refused("excluded").bets(bet, 12)


def test_rules_3_big_pair_may_exclude() -> None:
    assert set(seated("craps").bets("big.6", 5).bets("big.8", 5).bets("big", 5).bets("small", 5).lies)
    one = seated("craps", "big_pair=either").bets("big.6", 5).bets("small", 5)
    for bet in "big.8", "big":
        one.refused("excluded").bets(bet, 5)


# --- 3: offers after a Place win ---


@pytest.mark.parametrize(
    ("name", "offer"),
    [
        ("craps", ("move", "place.6", 12_00)),
        ("crapless", ("move", "place.6", 12_00)),
        ("easy", ("move", "place.6", 12_00)),
        ("roll-to-win", ("press", "place.6", 14_00)),
        ("shoot-to-win", ("press", "place.6", 14_00)),
    ],
)
def test_rules_3_what_a_place_bet_that_won_on_the_come_out_is_offered(
    name: str, offer: tuple[str, str, int]
) -> None:
    one = seated(name).bets("place.6", 12)
    one.table.rolls("4-2")
    assert one.offers == (offer,)


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_rules_3_no_offer_for_other_winners(name: str) -> None:
    one = seated(name).bets("hard.6", 12).bets("field", 5)
    one.table.rolls("3-3")
    assert one.offers == ()


# --- 3, 12: limits ---


def test_rules_12_per_bet_minimum_maximum_and_step() -> None:
    one = seated("craps", "limits.min_cents=500", "limits.max_cents=2000")
    one.refused("under_min").bets("field", 4)
    one.refused("wrong_step").bets("field", "5.50")
    one.refused("over_max").bets("field", 21)
    one.bets("field", 20)
    one.refused("over_max").bets("field", 1)
    one.refused("under_min").takes("field", 16)


def test_rules_12_the_most_that_may_lie_in_all() -> None:
    one = seated("craps", "total_max_cents=2000").bets("field", 12)
    one.refused("over_total").bets("hard.4", 9)
    assert one.bets("hard.4", 8).felt_cents == 20_00


def test_rules_12_no_more_than_the_credit() -> None:
    one = seated("craps", dollars=10)
    one.refused("credit_short").bets("field", 11)
    assert one.bets("field", 10).credit == 0


# --- 4: odds ---


@pytest.mark.parametrize(
    ("name", "dice", "most"),
    [
        ("craps", "2-2", 50),
        ("crapless", "5-6", 50),
        ("roll-to-win", "2-2", 30),
        ("roll-to-win", "2-3", 40),
        ("roll-to-win", "3-3", 50),
        ("shoot-to-win", "2-2", 20),
        ("shoot-to-win", "3-3", 20),
    ],
)
def test_rules_4_odds_behind_pass_are_a_multiple_of_it(name: str, dice: str, most: int) -> None:
    one = on_point(name, dice=dice).bets("pass.odds", most)
    one.refused("over_odds").bets("pass.odds", 1)


def test_rules_4_in_shoot_to_win_dont_come_odds_are_limited_by_the_win() -> None:
    """$10 on the 4: a win of 20 at 1:2 is a stake of 40; Don't Pass odds by the stake: 20."""
    one = seated("shoot-to-win").bets("dont_pass", 10)
    one.table.rolls("4-2")
    one.bets("dont_pass.odds", 20).bets("dont_come", 10)
    one.refused("over_odds").bets("dont_pass.odds", 1)
    one.table.rolls("2-2")
    one.bets("dont_come.4.odds", 40)
    one.refused("over_odds").bets("dont_come.4.odds", 1)


def test_rules_4_odds_need_a_flat_bet_with_its_point() -> None:
    one = seated("craps").bets("pass", 10)
    one.refused("needs_flat").bets("pass.odds", 10)


# --- 5: commission ---


@pytest.mark.parametrize("name", LED_GAMES)
def test_rules_5_commission_on_win_is_kept_from_the_win(name: str) -> None:
    """Buy 4 $20 wins 40 less 5% of the bet: 39. Lay 4 $20 wins 10 less 5% of the win: 9.50."""
    buys = seated(name).bets("buy.4", 20)
    assert buys.credit == 80_00
    buys.table.rolls("2-2")
    assert (buys.paid, buys.table.account("commission")) == (39_00, 1_00)
    lays = seated(name).bets("lay.4", 20)
    lays.table.rolls("3-4")
    assert (lays.paid, lays.table.account("commission")) == (9_50, 50)


# --- 6: on and off ---


def test_rules_6_all_off_marks_what_lies_now_and_a_wager_placed_later_is_on() -> None:
    """Off 6 stands unpaid, on 8 loses."""
    one = seated("craps").bets("place.6", 12).all_off().bets("place.8", 12)
    one.table.rolls("3-4")
    assert one.lies == {"place.6": 12_00}


def test_rules_6_an_increase_takes_its_wagers_marker() -> None:
    one = seated("craps").bets("place.6", 12).off("place.6").bets("place.6", 12).bets("field", 1)
    one.table.rolls("3-4")
    assert one.lies == {"place.6": 24_00}


def test_rules_6_off_wagers_may_be_increased_reduced_and_removed() -> None:
    one = seated("craps").bets("place.6", 12).off("place.6").bets("place.6", 6).takes("place.6", 10)
    assert (one.lies, one.credit) == ({"place.6": 8_00}, 92_00)
    assert one.takes("place.6").credit == 100_00


def test_rules_6_off_wagers_ignore_clear_and_double_but_not_cancel() -> None:
    one = seated("craps").bets("place.6", 12).off("place.6").bets("field", 5).presses("double")
    assert one.lies == {"place.6": 12_00, "field": 10_00}
    assert one.presses("clear_all").lies == {"place.6": 12_00}
    one.refused("nothing_to_do").presses("clear_all")
    assert one.presses("cancel_all").lies == {}


@pytest.mark.parametrize("name", IB_GAMES)
def test_rules_6_held_off_chips_still_take_credit(name: str) -> None:
    one = seated(name).bets("place.6", 12).off("place.6")
    assert (one.credit, one.felt_cents) == (88_00, 12_00)


@pytest.mark.parametrize("name", LED_GAMES)
def test_rules_6_released_off_chips_are_given_back(name: str) -> None:
    one = seated(name).bets("place.6", 12).off("place.6")
    assert (one.credit, one.felt_cents) == (100_00, 0)


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_rules_6_place_made_right_after_a_seven_out_starts_off_in_ib_games(name: str) -> None:
    one = on_point(name)
    one.table.rolls("3-4")
    one.bets("place.6", 12).bets("field", 1)
    one.table.counts("4-2")
    assert ("place.6" in one.lines) == (name in LED_GAMES)


def test_rules_6_place_made_right_after_a_seven_out_works_once_switched_on() -> None:
    one = on_point("craps")
    one.table.rolls("3-4")
    one.bets("place.6", 12).on("place.6")
    one.table.rolls("4-2")
    assert one.paid == 14_00


def test_rules_6_place_made_after_a_come_out_seven_starts_working() -> None:
    one = seated("craps").bets("pass", 10)
    one.table.rolls("3-4")
    one.bets("place.6", 12)
    one.table.rolls("4-2")
    assert one.paid == 14_00


@pytest.mark.parametrize("dice", ["2-2", "3-4"])
def test_rules_6_an_off_lay_goes_on_again_after_a_point_is_set_or_a_seven(dice: str) -> None:
    """Lay 6 $12 wins 10 on the next 7; its fee of 0.50 was upfront."""
    one = seated("craps").bets("lay.6", 12).off("lay.6").bets("field", 1)
    one.table.rolls(dice)
    assert one.lies == {"lay.6": 12_00}
    one.table.rolls("3-4")
    assert one.paid == 10_00


@pytest.mark.parametrize("name", LED_GAMES)
def test_rules_6_an_off_lay_stays_off_in_the_led_games(name: str) -> None:
    one = seated(name).bets("lay.6", 12).off("lay.6").bets("pass", 5)
    one.table.rolls("2-2", "3-4")
    assert one.wager("lay.6").switch.value == "off"
    assert one.paid == 0


@pytest.mark.parametrize(("name", "returned"), [(name, name not in LED_GAMES) for name in COME_GAMES])
def test_rules_6_off_odds_are_returned_when_a_point_is_set_anew_in_ib_games(name: str, returned: bool) -> None:
    one = on_point(name).bets("come", 10)
    one.table.rolls("4-2")
    one.bets("come.6.odds", 10).off("come.6.odds")
    one.table.rolls("2-2")
    assert one.table.puck == 0
    assert "come.6.odds" in one.lies
    one.table.rolls("4-4")
    assert ("come.6.odds" in one.lies) != returned
    assert "come.6" in one.lies


@pytest.mark.parametrize(("name", "may"), [("craps", False), ("roll-to-win", True), ("shoot-to-win", True)])
def test_rules_6_big_six_is_off_able_per_game(name: str, may: bool) -> None:
    one = seated(name).bets("big.6", 5)
    if may:
        assert one.off("big.6").credit == 100_00
    else:
        one.refused("not_off_able").off("big.6")


def test_rules_6_what_cannot_be_switched_is_refused() -> None:
    one = seated("craps").bets("field", 5).bets("pass", 5)
    for spot in "field", "pass":
        one.refused("not_off_able").off(spot)
    one.refused("nothing_to_do").all_off()
    one.refused("no_wager").off("place.6")


def test_rules_6_come_odds_off_on_the_come_out_are_returned_when_their_flat_is_resolved() -> None:
    """Come 6 wins 10; its odds, off by themselves, come back unpaid."""
    one = on_point("shoot-to-win").bets("come", 10)
    one.table.rolls("4-2")
    one.bets("come.6.odds", 20)
    one.table.rolls("2-2").counts("4-2")
    assert one.lines["come.6"].payment.paid_cents == 10_00
    assert one.lines["come.6.odds"].payment.paid_cents == 0
    assert one.lines["come.6.odds"].returned_cents == 20_00


# --- 7: buttons ---

BUTTONS = {
    "craps": {"press", "across", "inside", "outside"},
    "crapless": {"press", "across"},
    "easy": {"press", "across"},
    "roll-to-win": {"across"},
    "shoot-to-win": {"across"},
}


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_rules_7_which_buttons_a_game_has(name: str) -> None:
    one = on_point(name).bets("place.4", 5)
    for button in "press", "across", "inside", "outside":
        there = one.table.allowed(m.PressButton(seat=1, button=button, cents=500))
        assert there == (button in BUTTONS[name]), button


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_rules_7_across_places_the_chip_on_every_point_but_the_established_one(name: str) -> None:
    one = on_point(name).presses("across", 5)
    numbers = TEN_POINTS if name in ("crapless", "easy") else SIX_POINTS
    assert one.lies == {"pass": 10_00, **{f"place.{n}": 5_00 for n in numbers if n != 4}}


@pytest.mark.parametrize(
    ("button", "dice", "numbers"),
    [
        ("inside", "2-2", [5, 6, 8, 9]),
        ("inside", "3-3", [5, 8, 9]),
        ("outside", "2-2", [5, 9, 10]),
        ("outside", "3-3", [4, 5, 9, 10]),
    ],
)
def test_rules_7_inside_and_outside_less_the_point(button: m.Button, dice: str, numbers: list[int]) -> None:
    one = on_point("craps", dice=dice).presses(button, 5)
    assert one.lies == {"pass": 10_00, **{f"place.{n}": 5_00 for n in numbers}}


@pytest.mark.parametrize("enabling", ["pass", "dont_pass", "field", "seven", "hop.2-3", "horn.2"])
def test_rules_7_the_buttons_need_a_line_field_or_one_roll_wager(enabling: str) -> None:
    one = seated("craps").bets("hard.8", 1)
    if enabling in ("pass", "dont_pass"):
        one.bets(enabling, 5)
        one.table.rolls("2-2")
    else:
        one.table.rolls("2-2")
        one.refused("needs_enabling").presses("across", 5)
        one.bets(enabling, 5)
    assert len(one.presses("across", 5).lies) == 7


def test_rules_7_the_buttons_need_a_point() -> None:
    one = seated("craps").bets("pass", 10)
    for button in "across", "inside", "outside", "press":
        one.refused("needs_enabling").presses(button, 5)


def test_rules_7_a_button_does_all_it_says_or_nothing() -> None:
    """Lay 6 lies, so Place 6 is excluded and Across places nothing; $19 do not cover five times $5."""
    one = on_point("craps").bets("lay.6", 12)
    one.refused("excluded").presses("across", 5)
    poor = seated("craps", dollars=29).bets("pass", 10)
    poor.table.rolls("2-2")
    poor.refused("credit_short").presses("across", 5)
    assert poor.lies == {"pass": 10_00}


def test_rules_7_across_adds_to_what_lies() -> None:
    one = on_point("craps").bets("place.6", 12).presses("across", 6)
    assert one.lies["place.6"] == 18_00


def test_rules_7_cancel_one_and_cancel_all_take_what_is_unlocked() -> None:
    one = on_point("craps").bets("pass.odds", 20).bets("place.6", 12).bets("field", 5).takes("field")
    assert one.presses("cancel_all").lies == {"pass": 10_00}
    assert one.credit == 90_00
    one.refused("nothing_to_do").presses("cancel_all")


def test_rules_7_clear_last_takes_back_what_was_placed_last_then_clear_all() -> None:
    one = seated("craps").bets("field", 5).bets("hard.4", 1).bets("field", 2)
    assert one.presses("clear_last").lies == {"field": 5_00, "hard.4": 1_00}
    assert one.bets("hard.6", 1).presses("clear_last").lies == {"field": 5_00, "hard.4": 1_00}
    assert one.presses("clear_last").lies == {}
    assert one.credit == 100_00


def standing_field() -> SeatTalk:
    """Field $5 from the last round."""
    one = seated("shoot-to-win").bets("field", 5)
    one.table.rolls("1-2")
    assert one.lies == {"field": 5_00}
    return one


def test_ruling_39_clear_last_takes_of_a_stack_only_what_the_last_action_added() -> None:
    assert standing_field().bets("field", 2).presses("clear_last").lies == {"field": 5_00}


@pytest.mark.parametrize(
    "goes",
    [
        lambda one: one.bets("field", 2).undoes(),
        lambda one: one.bets("field", 2).takes("field", 2),
        lambda one: one,
    ],
    ids=["undone", "taken by hand", "nothing placed"],
)
def test_ruling_39_with_no_action_left_clear_last_takes_the_spot_that_was_added_to_last(
    goes: Callable[[SeatTalk], SeatTalk],
) -> None:
    assert goes(standing_field()).presses("clear_last").lies == {}


def test_ruling_39_of_several_from_before_the_one_added_to_last_goes() -> None:
    one = seated("craps").bets("hard.4", 1).bets("hard.6", 5).bets("hard.4", 1)
    one.table.rolls("1-2")
    assert one.lies == {"hard.4": 2_00, "hard.6": 5_00}
    assert one.presses("clear_last").lies == {"hard.6": 5_00}


def test_ruling_39_clear_last_takes_no_more_than_was_placed_where_a_later_chip_was_taken_by_hand() -> None:
    one = standing_field().bets("field", 1).bets("hard.4", 1).takes("hard.4").presses("clear_last")
    assert one.lies == {"field": 5_00}


def test_ruling_39_off_wagers_are_passed_over() -> None:
    """The audit's case: the last action was on a wager that is off."""
    one = seated("craps").bets("field", 5).bets("hard.4", 1).off("hard.4").presses("clear_last")
    assert one.lies == {"hard.4": 1_00}
    one.on("hard.4").off("hard.4")
    one.refused("nothing_to_do").presses("clear_last")


def test_ruling_39_what_was_put_back_by_itself_is_one_action() -> None:
    one = seated("craps").repeats_by_itself().bets("field", 5).bets("any_craps", 1).bets("hard.4", 1)
    one.table.rolls("4-1")
    assert one.lies == {"hard.4": 1_00, "field": 5_00, "any_craps": 1_00}
    assert one.presses("clear_last").lies == {"hard.4": 1_00}


def test_ruling_39_a_cash_out_forgets_no_placing_action() -> None:
    one = seated("craps", "credit_meter=free", "cash_out=credit").bets("field", 3).bets("field", 1).cashes_out()
    assert one.presses("clear_last").lies == {"field": 3_00}


def test_ruling_39_a_cash_out_that_drops_a_mark_forgets_no_other_placing_action() -> None:
    changes = ("credit_meter=free", "cash_out=credit", "off_money=released", "buy.when=on_win")
    one = seated("craps", *changes).bets("place.4", 7).off("place.4").bets("buy.4", 7).bets("buy.4", 1).cashes_out()
    assert one.presses("clear_last").lies == {"buy.4": 7_00}


def test_ruling_39_only_the_last_action_counts_as_pressed_twice() -> None:
    one = seated("craps").bets("field", 5).bets("hard.4", 1).bets("hard.6", 1).presses("clear_last")
    assert offers(one.table.now, 1, one.table.facts).clears_all
    assert one.bets("field", 5).presses("clear_last").lies == {"field": 5_00, "hard.4": 1_00}
    assert one.presses("clear_last").lies == {}
    assert not offers(one.table.now, 1, one.table.facts).clears_all


def test_rules_7_keep_bets_on_puts_winners_that_came_down_back() -> None:
    """Field $5 wins 5 and is put back; Place 6 wins 14 and is put back; what loses is not."""
    one = seated("craps").bets("field", 5).bets("hard.8", 1).keeps_bets()
    one.table.rolls("1-2")
    assert (one.lies, one.credit) == ({"hard.8": 1_00, "field": 5_00}, 94_00 + 5_00)
    one.table.rolls("4-1")
    assert one.lies == {"hard.8": 1_00}


def test_rules_7_keep_bets_on_may_be_missing_from_a_game() -> None:
    one = seated("craps", "keep_bets_on=false", "auto_repeat=false")
    one.refused("no_such_button").keeps_bets()
    one.refused("no_such_button").repeats_by_itself()


def test_rules_7_auto_repeat_places_last_rounds_bets_at_each_opening() -> None:
    one = seated("craps").bets("field", 5).repeats_by_itself()
    one.table.rolls("4-1", "4-1", "4-1")
    assert (one.lies, one.credit) == ({"field": 5_00}, 80_00)
    one.repeats_by_itself(on=False)
    one.table.rolls("4-1")
    assert one.lies == {}


def test_rules_7_repeat_reaches_the_last_round_the_seat_played() -> None:
    table, one, two = two_seats("craps")
    one.bets("field", 5)
    two.bets("place.10", 5)
    table.rolls("4-1", "3-2")
    assert one.presses("repeat").lies == {"field": 5_00}


# --- 8: what stays up ---

STAY = ["place.6", "buy.6", "hard.6", "big.6", "hop.3-3"]


@pytest.mark.parametrize("name", LED_GAMES)
def test_rules_8_winners_stay_up_in_the_led_games(name: str) -> None:
    one = seated(name)
    for bet in STAY:
        one.bets(bet, 1)
    one.table.rolls("3-3")
    assert set(one.lies) == set(STAY)


def test_rules_8_in_ib_games_stake_and_win_go_to_credit() -> None:
    """1.00 each on Place 7:6, Hard 9:1, Big 1:1 and the hop 30:1 of the 6: 1.16 + 9 + 1 + 30."""
    one = seated("craps")
    for bet in "place.6", "hard.6", "big.6", "hop.3-3":
        one.bets(bet, 1)
    one.table.rolls("3-3")
    assert (one.lies, one.credit) == ({}, 100_00 + 1_16 + 9_00 + 1_00 + 30_00)


def test_rules_8_a_change_of_settings_returns_all_bets_that_stayed_up() -> None:
    one = seated("shoot-to-win").bets("place.6", 12)
    one.table.rolls("3-3").changes("table_min_cents", "500")
    assert (one.lies, one.credit) == ({}, 114_00)


# --- 9: side games ---


@pytest.mark.parametrize(
    ("side", "bet"),
    [
        ("lucky_roller", "lucky_roller.low"),
        ("bonus_craps", "bonus.all"),
        ("hot_shooter", "hot_shooter"),
        ("lucky_shooter", "lucky_shooter"),
        ("make_em_all", "make_em_all"),
        ("fired_up", "fired_up"),
    ],
)
def test_rules_9_needs_line_is_judged_when_the_side_wager_is_placed(side: str, bet: str) -> None:
    one = seated("craps", f"{side}.on=true", f"{side}.needs_line=true")
    one.refused("needs_line").bets(bet, 1)
    one.bets("pass", 5).bets(bet, 1).takes("pass")
    assert one.lies == {bet: 1_00}


def test_rules_9_hot_shooter_may_need_a_qualifying_main_bet() -> None:
    one = seated("roll-to-win", "hot_shooter.qualifying_cents=1000").bets("field", 9)
    one.refused("needs_main").bets("hot_shooter", 1)
    assert one.bets("hard.4", 1).bets("hot_shooter", 1).lies["hot_shooter"] == 1_00


def test_rules_9_a_progressive_takes_exactly_its_base_wager_once() -> None:
    one = seated("craps", "fired_up.on=true")
    one.refused("over_max").bets("fired_up", 2)
    one.bets("fired_up", 1)
    one.refused("over_max").bets("fired_up", 1)


def test_rules_9_fired_up_pays_only_the_highest_matched_length() -> None:
    """FUP-01: 6, 5, 4, then a miss: 40 for 1."""
    one = seated("craps", "fired_up.on=true").bets("fired_up", 1)
    one.table.rolls("4-2", "4-1", "2-2", "6-6")
    assert (one.lies, one.credit) == ({}, 99_00 + 40_00)


def test_rules_9_the_side_games_are_closed_in_the_middle_of_a_hand() -> None:
    one = on_point("craps", "bonus_craps.on=true", "make_em_all.on=true", "hot_shooter.on=true")
    for bet, why in (
        ("bonus.small", "after_seven_only"),
        ("make_em_all", "after_seven_only"),
        ("lucky_roller.low", "after_seven_only"),
        ("hot_shooter", "hand_start_only"),
        ("lucky_shooter", "come_out_only"),
    ):
        one.refused(why).bets(bet, 1)


# --- 10: the shooter ---


def lines_at(name: str, *numbers: int) -> TableTalk:
    table = opened(name)
    for number in numbers:
        table.seat(number).inserts(100).bets("pass", 5)
    return table


def test_rules_10_the_dice_pass_to_the_next_higher_seat_on_a_seven_out_wrapping() -> None:
    table = lines_at("craps", 3, 7)
    for shooter in 3, 7, 3:
        assert table.closes().now.shooter == shooter
        table.counts("2-2").opens().counts("3-4").opens()
        for number in 3, 7:
            table.seat(number).bets("pass", 5)


def test_rules_10_the_shooter_keeps_the_dice_while_it_keeps_a_line_wager() -> None:
    table = lines_at("roll-to-win", 1, 2)
    table.rolls("3-4", "2-2", "2-2", "5-6").closes()
    assert table.now.shooter == 1


def test_rules_10_shoot_to_win_passes_the_dice_on_each_point() -> None:
    table = lines_at("shoot-to-win", 1, 2).closes()
    assert table.now.shooter == 1
    assert table.counts("2-2").opens().closes().now.shooter == 2
    assert table.counts("2-2").opens().closes().now.shooter == 2, "a point made is not one established"


def test_rules_10_dont_pass_makes_eligible_too_and_a_button_that_is_off_does_not() -> None:
    table = opened("craps")
    table.seat(2).inserts(100).bets("pass", 5).shooter_button(on=False)
    table.seat(4).inserts(100).bets("dont_pass", 5)
    assert table.closes().now.shooter == 4


def test_rules_10_if_nobody_has_a_line_wager_a_seat_with_a_locked_come_wager_shoots() -> None:
    table = opened("craps")
    table.seat(2).inserts(100).bets("field", 5)
    table.seat(3).inserts(100).bets("place.10", 5)
    table.rolls("2-2")
    table.seat(3).bets("come", 5)
    assert table.closes().now.shooter == 0
    assert table.counts("4-2").opens().closes().now.shooter == 3


def test_rules_10_with_nobody_eligible_the_table_rolls_by_itself_if_any_wager_is_live() -> None:
    one = seated("craps").bets("field", 5)
    table = one.table.at_second(0).closes()
    assert (table.now.shooter, table.phase) == (0, "shooting")
    one.refused("not_shooter").shoots("1-2")
    table.at_second(10).ticks("1-2")
    assert one.credit == 105_00


def test_rules_10_with_one_seat_it_is_always_the_shooter() -> None:
    one = seated("craps", "seats=1").bets("field", 5).shoots("1-2")
    assert one.credit == 105_00


def test_rules_10_only_the_shooter_shoots_and_the_swipe_brings_no_dice() -> None:
    table = lines_at("craps", 1, 2).closes()
    table.seat(2).refused("not_shooter").shoots("2-2")
    table.seat(1).shoots("2-2")
    assert (table.phase, table.puck) == ("rolled", 4)
    assert "dice" not in m.Shoot.__struct_fields__


def test_rules_10_the_dealer_may_name_the_shooter_among_those_eligible() -> None:
    table = lines_at("craps", 1, 2)
    table.refused("wrong_mode").asked(m.NameShooter(seat=2))
    table.dealer()
    table.closes()
    table.asked(m.NameShooter(seat=2))
    assert table.now.shooter == 2
    table.refused("not_eligible").asked(m.NameShooter(seat=3))
    table.refused("no_such_seat").asked(m.NameShooter(seat=11))


# --- 11: the round and its times ---


def test_rules_11_the_phases_and_their_deadlines() -> None:
    """Bets 30 s, shooter 10 s, result 5 s."""
    one = seated("craps")
    table = one.table.at_second(0).opens()
    one.bets("pass", 5)
    assert (table.phase, table.now.deadline_ms) == ("betting", 31_000)
    table.at_second(29).ticks()
    assert table.phase == "betting"
    table.at_second(30).ticks()
    assert (table.phase, table.now.deadline_ms) == ("shooting", 41_000)
    table.at_second(39).ticks("2-2")
    assert table.phase == "shooting"
    table.at_second(40).ticks("2-2")
    assert (table.phase, table.puck, table.now.deadline_ms) == ("rolled", 4, 46_000)
    table.at_second(45).ticks()
    assert (table.phase, table.now.round, table.now.deadline_ms) == ("betting", 2, 76_000)


def test_rules_11_a_tick_that_changes_nothing_is_nothing() -> None:
    table = opened("craps").at_second(0).opens().at_second(3)
    assert table.asked(m.Tick()) == ()


def test_rules_11_a_bet_that_comes_after_the_deadline_is_late_even_before_the_tick() -> None:
    one = seated("craps").bets("pass", 1)
    one.table.at_second(0).opens().at_second(29)
    one.bets("field", 1)
    one.table.at_second(30)
    for late in m.PlaceBet(seat=1, spot="field", cents=100), m.TakeBet(seat=1, spot="field"), m.Undo(seat=1):
        one.table.refused("wrong_phase").asked(late)


@pytest.mark.parametrize("phase", ["shooting", "rolled"])
def test_rules_11_no_more_bets_once_they_are_closed(phase: str) -> None:
    one = seated("craps").bets("field", 5)
    table = one.table.closes()
    if phase == "rolled":
        table.counts("1-2")
    one.refused("wrong_phase").bets("field", 5)
    one.refused("wrong_phase").presses("double")
    one.refused("wrong_phase").undoes()


def test_rules_11_pause_stops_the_clock_and_betting_and_resume_gives_the_rest() -> None:
    one = seated("craps").bets("pass", 1)
    table = one.table.at_second(0).opens().at_second(20)
    table.asked(m.PauseTable())
    one.refused("table_paused").bets("field", 5)
    table.at_second(100).ticks()
    assert table.phase == "betting"
    for request in m.CloseBets(), m.OpenBets(), m.RollDice(), m.PauseTable():
        table.refused("table_paused").asked(request)
    table.asked(m.ResumeTable())
    assert table.now.deadline_ms == 101_000 + 10_000
    assert one.bets("field", 5).lies == {"pass": 1_00, "field": 5_00}


def test_own_pace_the_bet_time_begins_with_the_first_wager_that_can_be_rolled_for() -> None:
    one = seated("craps")
    table = one.table.at_second(0).opens().at_second(500).ticks()
    assert (table.phase, table.now.deadline_ms) == ("betting", 0)
    one.bets("field", 5)
    assert table.now.deadline_ms == 501_000 + 30_000
    one.table.at_second(510)
    one.bets("field", 5)
    assert table.now.deadline_ms == 501_000 + 30_000
    table.at_second(530).ticks()
    assert table.phase == "shooting"


def test_own_pace_a_wager_that_is_switched_on_begins_the_bet_time() -> None:
    one = seated("craps").bets("place.6", 6).off("place.6")
    table = one.table.at_second(0).opens()
    assert table.now.deadline_ms == 0
    one.on("place.6")
    assert table.now.deadline_ms == 31_000


@pytest.mark.parametrize("ends", ["takes", "undoes", "off"])
def test_own_pace_the_bet_time_ends_with_the_last_wager_that_can_be_rolled_for(ends: str) -> None:
    one = seated("craps")
    table = one.table.at_second(0).opens()
    one.bets("place.6", 6)
    one.bets("place.8", 6)
    assert table.now.deadline_ms == 31_000
    one.takes("place.8")
    assert table.now.deadline_ms == 31_000, "there is another"
    table.at_second(20)
    match ends:
        case "takes":
            one.takes("place.6")
        case "off":
            one.off("place.6")
        case _:
            one.bets("place.8", 6)
            one.takes("place.6")
            one.undoes()
            one.undoes()
            assert table.now.deadline_ms == 31_000
            one.takes("place.6")
    assert table.now.deadline_ms == 0
    table.at_second(25)
    one.bets("field", 5)
    assert table.now.deadline_ms == 26_000 + 30_000, "a whole bet time"


def test_own_pace_another_seats_wager_keeps_the_clock() -> None:
    one = seated("craps")
    table = one.table.at_second(0).opens()
    two = table.seat(2).inserts(100)
    one.bets("field", 5)
    two.bets("field", 5)
    one.takes("field")
    assert table.now.deadline_ms == 31_000
    two.takes("field")
    assert table.now.deadline_ms == 0


def test_own_pace_nobody_waits_for_a_shooter_who_is_not_there() -> None:
    one = seated("craps").bets("field", 5)
    table = one.table.at_second(0).opens().at_second(30).ticks()
    assert (table.phase, table.now.shooter, table.now.deadline_ms) == ("shooting", 0, 31_000)
    table.ticks("1-1")
    assert table.phase == "rolled"


def test_rules_11_the_automated_table_takes_no_entered_dice_and_the_dealers_takes_no_others() -> None:
    one = seated("craps").bets("field", 5)
    table = one.table.closes()
    table.refused("wrong_mode").asked(m.EnterDice(dice=(1, 2)))
    other = seated("craps").bets("field", 5).table.dealer().closes()
    other.refused("wrong_mode").asked(m.RollDice(), dice=(1, 2))
    other.seat(1).refused("wrong_mode").shoots("1-2")


def test_rules_11_the_dealer_enters_may_correct_and_only_confirming_counts() -> None:
    one = seated("craps").bets("field", 5)
    table = one.table.dealer().closes()
    table.refused("no_dice").asked(m.ConfirmDice())
    table.refused("bad_dice").asked(m.EnterDice(dice=(0, 3)))
    table.asked(m.EnterDice(dice=(1, 2)))
    assert (table.phase, one.credit) == ("shooting", 95_00)
    table.asked(m.EnterDice(dice=(6, 6)))
    table.asked(m.ConfirmDice())
    assert one.credit == 110_00
    assert [result.dice for result in table.now.history] == [(6, 6)]


def test_rules_11_the_dealers_table_waits_for_the_dealer() -> None:
    one = seated("craps").bets("field", 5)
    table = one.table.dealer().at_second(0).closes()
    assert table.now.deadline_ms == 0
    table.at_second(1000).ticks("1-2")
    assert table.phase == "shooting"


@pytest.mark.parametrize("reason", get_args(m.NoRoll))
def test_rules_11_a_no_roll_settles_nothing_and_is_logged(reason: m.NoRoll) -> None:
    one = seated("craps").bets("field", 5)
    table = one.table.dealer().closes()
    table.asked(m.EnterDice(dice=(1, 2)))
    table.asked(m.CallNoRoll(reason=reason))
    assert (table.phase, one.lies, table.now.history) == ("shooting", {"field": 5_00}, ())
    table.refused("no_dice").asked(m.ConfirmDice())
    assert table.meters(f"no_roll:{reason}") == 1
    table.counts("1-2")
    assert one.credit == 105_00


def test_rules_11_a_no_roll_is_called_only_while_dice_are_thrown() -> None:
    table = opened("craps").dealer()
    table.refused("wrong_phase").asked(m.CallNoRoll(reason="short"))


@pytest.mark.parametrize("mode", ["automated", "dealer_assisted"])
def test_rules_11_the_mode_is_selectable_only_where_the_game_says_so(mode: m.Mode) -> None:
    table = opened("craps", f"mode={mode}")
    assert table.now.mode == mode
    other: m.Mode = "dealer_assisted" if mode == "automated" else "automated"
    table.refused("wrong_mode").asked(m.SelectMode(mode=other))
    free = opened("craps")
    free.asked(m.SelectMode(mode="dealer_assisted"))
    assert free.now.mode == "dealer_assisted"


def test_rules_11_the_mode_is_selected_between_rounds() -> None:
    table = seated("craps").bets("field", 5).table.closes()
    table.refused("wrong_phase").asked(m.SelectMode(mode="dealer_assisted"))


def test_rules_11_the_roll_button_closes_bets_when_every_seat_with_a_wager_has_pressed_it() -> None:
    table, one, two = two_seats("craps", "roll_button=true")
    table.seat(3).inserts(100)
    one.bets("field", 5)
    two.bets("field", 5)
    one.presses_roll()
    assert table.phase == "betting"
    two.presses_roll()
    assert table.phase == "shooting"


def test_rules_11_the_roll_button_is_pressed_anew_each_round() -> None:
    table, one, two = two_seats("craps", "roll_button=true")
    one.bets("place.10", 5).presses_roll()
    table.counts("2-3").opens()
    two.bets("field", 5)
    two.presses_roll()
    assert table.phase == "betting"


def test_rules_11_there_is_no_roll_button_unless_the_game_has_one() -> None:
    one = seated("craps").bets("field", 5)
    one.refused("no_such_button").presses_roll()


def test_rules_11_no_timers_in_single_seat_play_unless_set() -> None:
    one = seated("craps", "seats=1").bets("field", 5)
    one.table.at_second(0).opens()
    assert one.table.now.deadline_ms == 0
    timed = seated("craps", "seats=1", "timers.single_seat=true").bets("field", 5)
    timed.table.at_second(0).opens()
    assert timed.table.now.deadline_ms == 31_000


# --- 12: money in and out ---


def test_rules_12_bills_and_tickets_in() -> None:
    one = opened("craps").seat(1).inserts(20).inserts(20).inserts_ticket("12.34")
    assert one.credit == 52_34
    assert (one.table.account("cash"), one.table.account("tickets")) == (-40_00, -12_34)
    assert one.table.now.cash_meters == {
        "seat:1:cash_in": 40_00,
        "seat:1:bills_2000": 2,
        "seat:1:tickets_in": 12_34,
        "seat:1:tickets_in_count": 1,
    }


def test_rules_12_a_ticket_of_which_nothing_is_known_is_not_good() -> None:
    table = opened("craps")
    for worth in None, 0:
        table.seat(1).refused("ticket_not_good").inserts_ticket(worth)


@pytest.mark.parametrize("cents", [0, -100])
def test_rules_12_no_money_is_not_inserted(cents: int) -> None:
    table = opened("craps")
    no = refuses_bill(table.now, 1, cents, table.facts)
    assert no
    assert no.why is m.Refusal.BAD_AMOUNT


@pytest.mark.parametrize("name", IB_GAMES)
def test_rules_12_in_ib_games_credit_leaves_only_with_an_empty_felt(name: str) -> None:
    one = seated(name).bets("field", 5)
    one.refused("felt_not_empty").cashes_out()
    one.takes("field").cashes_out()
    assert (one.credit, one.table.account("tickets")) == (0, 100_00)


@pytest.mark.parametrize("name", LED_GAMES)
def test_rules_12_in_led_games_credit_leaves_while_wagers_lie(name: str) -> None:
    one = seated(name).bets("field", 5).cashes_out()
    assert (one.credit, one.lies, one.table.account("tickets")) == (0, {"field": 5_00}, 95_00)
    one.refused("credit_short").cashes_out()


def test_ruling_48_a_cash_out_of_more_than_the_limit_is_a_hand_pay_and_locks_the_seat() -> None:
    """Hand pay over $3,000: exactly so much is still a ticket."""
    under = seated("craps", dollars=3000).cashes_out()
    assert under.table.account("tickets") == 3000_00
    one = seated("craps", dollars=3001).cashes_out()
    table = one.table
    assert (one.credit, table.account("handpay"), table.account("tickets")) == (0, 3001_00, 0)
    one.refused("locked_up").inserts(20)
    for asked in (m.ClearLockup(seat=1), m.PayByHand(seat=1)):
        table.refused("needs_key").asked(asked)
    table.asked(key_turned(1))
    table.refused("hand_pay_due").asked(m.ClearLockup(seat=1))
    table.asked(m.PayByHand(seat=1))
    assert (table.account("handpay"), table.account("cash")) == (0, 0)
    assert one.inserts(20).credit == 20_00


def test_rules_12_without_a_printer_no_ticket_and_no_money_moves() -> None:
    one = seated("craps")
    one.table.refused("no_ticket").asked(m.CashOut(seat=1), printers={1: "away"})
    assert one.credit == 100_00


def test_rules_12_a_tip_is_a_ticket_for_the_dealer() -> None:
    one = seated("craps")
    one.table.dealer()
    one.tips(5)
    assert (one.credit, one.table.account("tips")) == (95_00, 5_00)
    one.refused("credit_short").tips(96)
    one.refused("bad_amount").tips(0)


def test_rules_12_a_reserved_seat_refuses_input_for_its_minutes_while_wagers_play_on() -> None:
    one = seated("craps").bets("pass", 10)
    table = one.table.at_second(0)
    table.asked(m.ReserveSeat(seat=1))
    one.refused("reserved").bets("field", 5)
    one.refused("reserved").cashes_out()
    table.rolls("3-4")
    assert one.credit == 110_00
    table.at_second(299).opens() if table.phase == "rolled" else table.at_second(299)
    one.refused("reserved").inserts(5)
    table.at_second(300)
    assert one.inserts(5).credit == 115_00


def test_rules_12_its_pin_or_staff_opens_a_reserved_seat() -> None:
    one = seated("craps")
    table = one.table.at_second(0)
    table.asked(m.ReserveSeat(seat=1))
    table.asked(m.ReturnToSeat(seat=1))
    assert one.inserts(5).credit == 105_00
    table.refused("already_so").asked(m.ReturnToSeat(seat=1))


PLAYER = {"actor": "seat 1"}


def test_rules_12_a_seat_reserved_with_a_pin_opens_to_that_pin() -> None:
    one = seated("craps")
    table = one.table.at_second(0)
    table.asked(m.ReserveSeat(seat=1, pin="4711"), pin_mark="right", **PLAYER)
    table.refused("needs_pin").asked(m.ReturnToSeat(seat=1), **PLAYER)
    table.asked(m.ReturnToSeat(seat=1, pin="1"), pin_mark="wrong", **PLAYER)
    one.refused("reserved").inserts(5)
    table.asked(m.ReturnToSeat(seat=1, pin="4711"), pin_mark="right", **PLAYER)
    assert one.inserts(5).credit == 105_00


def test_rules_12_after_three_wrong_pins_staff_alone_open_the_seat() -> None:
    one = seated("craps")
    table = one.table.at_second(0)
    table.asked(m.ReserveSeat(seat=1, pin="4711"), pin_mark="right", **PLAYER)
    for _ in range(3):
        table.asked(m.ReturnToSeat(seat=1, pin="1"), pin_mark="wrong", **PLAYER)
    table.refused("needs_staff").asked(m.ReturnToSeat(seat=1, pin="4711"), pin_mark="right", **PLAYER)
    table.refused("needs_two").asked(m.ReturnToSeat(seat=1), actor="badge-12")
    table.asked(m.ReturnToSeat(seat=1), actor="badge-12", approver="badge-7")
    assert one.inserts(5).credit == 105_00


def test_rules_12_the_pin_is_good_for_one_reservation() -> None:
    one = seated("craps")
    table = one.table.at_second(0)
    table.asked(m.ReserveSeat(seat=1, pin="4711"), pin_mark="right", **PLAYER)
    table.asked(m.ReturnToSeat(seat=1), actor="badge-12", approver="badge-7")
    table.asked(m.ReserveSeat(seat=1), **PLAYER)
    table.asked(m.ReturnToSeat(seat=1), **PLAYER)
    assert one.inserts(5).credit == 105_00


def test_a_stay_begins_with_money_at_an_empty_seat_and_counts_all_that_came_and_went() -> None:
    one = opened("craps").at_second(60).seat(1).inserts(100)
    table = one.table
    table.dealer()
    table.at_second(90)
    one.inserts(20).bets("field", 10)
    table.rolls("1-2")
    one.tips(5)
    seen = view(table.now, "seat 1", table.facts)
    assert isinstance(seen, SeatView)
    assert (seen.stay.since_ms, seen.stay.in_cents, seen.stay.tips_cents) == (61_000, 120_00, 5_00)
    assert seen.net_cents == 10_00
    table.asked(m.NameSeat(seat=1, name="  High   Roller "))
    assert table.now.seat(1).player.name == "High Roller"
    one.cashes_out()
    after = table.now.seat(1)
    assert (after.stay.out_cents, after.stay.ended, after.player.name, after.stay.tickets) == (125_00, True, "", ())
    table.at_second(120)
    assert one.inserts(1).table.now.seat(1).stay == Stay(2, since_ms=121_000, in_cents=1_00, from_round=2)


def test_rules_12_handle_counts_once_when_bets_close() -> None:
    """Place 6 $12 is handle once, however many rolls it lies; an increase of $6 is handle when bets close on it."""
    one = seated("craps").bets("place.6", 12)
    table = one.table
    assert table.meters("seat:1:handle") == 0
    table.closes()
    assert table.meters("seat:1:handle") == 12_00
    table.counts("2-2").opens().closes().counts("2-3").opens()
    assert table.meters("seat:1:handle") == 12_00
    one.bets("place.6", 6)
    table.closes()
    assert table.meters("seat:1:handle") == table.meters("bet:place.6:handle") == 18_00


def test_rules_12_handle_of_a_wager_that_was_off_counts_when_it_first_works() -> None:
    one = seated("craps").bets("place.6", 12).off("place.6").bets("field", 1)
    table = one.table.rolls("2-2")
    assert table.meters("bet:place.6:handle") == 0
    one.on("place.6")
    table.closes()
    assert table.meters("bet:place.6:handle") == 12_00


def test_rules_12_handle_of_a_reduced_wager_is_not_counted_again() -> None:
    one = seated("craps").bets("place.6", 12)
    table = one.table.rolls("2-2")
    one.takes("place.6", 6)
    table.closes()
    assert table.meters("bet:place.6:handle") == 12_00


def test_rules_12_handle_counts_anew_after_a_win_that_stays_up_and_after_a_push() -> None:
    one = seated("shoot-to-win").bets("field", 5).bets("dont_pass", 10)
    table = one.table.rolls("6-6").closes()
    assert table.meters("bet:field:handle") == 10_00
    assert table.meters("bet:dont_pass:handle") == 20_00


def test_rules_12_a_come_wager_that_travels_is_handle_once_under_its_bet() -> None:
    one = on_point("craps").bets("come", 10)
    table = one.table.rolls("4-2").closes()
    assert table.meters("bet:come:handle") == 10_00
    assert table.meters("seat:1:handle") == 20_00


def test_rules_12_what_was_paid_is_metered_by_seat_and_bet() -> None:
    """Field $5 on 12 pays 10, Any Craps $1 pays 7."""
    one = seated("craps").bets("field", 5).bets("any_craps", 1)
    table = one.table.rolls("6-6")
    assert table.meters("seat:1:paid") == 17_00
    assert (table.meters("bet:field:paid"), table.meters("bet:any_craps:paid")) == (10_00, 7_00)
    assert table.meters("seat:1:games") == 1


def test_rules_12_win_last_win_and_last_bet() -> None:
    one = seated("craps").bets("field", 5)
    table = one.table.rolls("6-6")
    seat = table.now.seat(1)
    assert (seat.last.win_cents, seat.last.last_win_cents, seat.last.last_bet_cents) == (10_00, 10_00, 5_00)


# --- 13: lock-ups, as far as they touch money ---


def test_rules_13_an_open_door_stops_betting_and_payout_while_wagers_play_on() -> None:
    one = seated("roll-to-win").bets("field", 5)
    table = one.table
    table.asked(door_moved(1, "terminal_logic"))
    for request in (
        m.PlaceBet(seat=1, spot="field", cents=100),
        m.CashOut(seat=1),
        m.Undo(seat=1),
    ):
        table.refused("locked_up").asked(request)
    one.refused("locked_up").inserts(1)
    table.rolls("1-2")
    assert one.credit == 100_00
    table.refused("cannot_clear").asked(m.ClearLockup(seat=1))
    table.asked(door_moved(1, "terminal_logic", shut=True))
    one.refused("locked_up").bets("hard.4", 1)
    table.refused("needs_key").asked(m.ClearLockup(seat=1))
    table.asked(key_turned(1))
    table.asked(m.ClearLockup(seat=1))
    assert "hard.4" in one.bets("hard.4", 1).lies
