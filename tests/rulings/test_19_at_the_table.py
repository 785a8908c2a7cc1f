"""Rulings 29 to 53 at the table: what two line-by-line audits found, each by hand from the ruling's own words."""

from __future__ import annotations

import pytest

from stickman.rules.layout import Switch
from stickman.table import messages as m
from stickman.table.offers import offers
from stickman.table.state import Seat, SeatTerminal
from stickman.table.view import SeatView, view
from tests.talk.devices import key_turned
from tests.talk.table import SeatTalk, TableTalk, opened, seated


def state(one: SeatTalk) -> Seat:
    return one.table.now.seat(1)


def seen(one: SeatTalk) -> SeatView:
    shown = view(one.table.now, "seat 1", one.table.facts)
    assert isinstance(shown, SeatView)
    return shown


# --- 29: a player's stay ---


def test_ruling_29_auto_repeat_bets_nothing_of_the_next_players_money() -> None:
    """The audit's case: field 10, 2-3 (lost, put back), taken, cashed out; somebody else inserts 100."""
    table = opened("craps", "seats=2")
    table.seat(2).inserts(100).bets("pass", 5)
    one = table.seat(1).inserts(20).repeats_by_itself().bets("field", 10)
    table.rolls("2-3")
    one.takes("field").cashes_out().inserts(100)
    table.rolls("1-3")
    assert (one.credit, one.lies) == (100_00, {})


def test_ruling_29_keep_bets_on_bets_nothing_of_the_next_players_money() -> None:
    table = opened("craps", "seats=2")
    table.seat(2).inserts(100).bets("pass", 5)
    one = table.seat(1).inserts(20).keeps_bets().bets("field", 10)
    table.rolls("1-2")
    one.takes("field").cashes_out().inserts(100).bets("field", 10)
    table.rolls("1-3")
    assert (one.credit, one.lies) == (110_00, {})


@pytest.mark.parametrize("ends", ["ticket", "hand pay", "lost", "tipped"])
def test_ruling_29_nothing_of_one_stay_reaches_the_next(ends: str) -> None:
    table = opened("craps", "seats=2", "hand_pay_over_cents=10000" if ends == "hand pay" else "seats=2").dealer()
    table.seat(2).inserts(100).bets("hard.8", 5)
    one = table.seat(1).inserts(100).bets("field", 10)
    table.rolls("1-2").rolls("1-2")
    one.repeats_by_itself().keeps_bets().shooter_button(on=False)
    table.asked(m.NameSeat(seat=1, name="Ace"))
    match ends:
        case "ticket":
            one.cashes_out()
        case "hand pay":
            one.cashes_out()
            assert not state(one).stay.ended  # something is due
            table.asked(key_turned(1))
            table.asked(m.PayByHand(seat=1))
            table.asked(key_turned(1, on=False))
        case "lost":
            one.bets("field", 110)
            table.counts("4-1")
        case "tipped":
            one.tips(110)
    assert table.happened(m.StayEnded)
    left = state(one)
    assert left.stay.ended
    assert left.stay.number == 1
    if table.phase == "rolled":
        table.opens()
    one.inserts(50)
    fresh = opened("craps", "seats=2").seat(1).inserts(50)
    assert state(one).stay.number == 2
    for field in Seat.__struct_fields__:
        if field not in ("stay", "number", "terminal"):
            assert getattr(state(one), field) == getattr(state(fresh), field), field
    for field in SeatTerminal.__struct_fields__:
        if field not in ("stacker", "taken", "slips", "printed"):  # the house's
            assert getattr(state(one).terminal, field) == getattr(state(fresh).terminal, field), field
    one.refused("nothing_to_do").presses("repeat")
    one.refused("nothing_to_undo").undoes()


def test_ruling_29_the_last_result_stays_visible_until_new_money_comes() -> None:
    one = seated("craps", dollars=10).bets("field", 10)
    one.table.rolls("4-1")
    assert [line.spot for line in state(one).last.lines] == ["field"]
    assert state(one).last.last_bet_cents == 10_00
    one.inserts(20)
    assert (state(one).last.lines, state(one).last.last_bet_cents) == ((), 0)


def test_ruling_29_a_cash_out_with_wagers_on_the_felt_ends_the_consents_at_once_and_not_the_stay() -> None:
    one = seated("roll-to-win").bets("place.6", 12).bets("pass", 10)
    one.table.rolls("2-2")
    one.keeps_bets().off("place.6").cashes_out()
    assert (state(one).player.keep_bets, state(one).player.last_stakes, one.lies) == (False, {}, {"pass": 10_00})
    assert (state(one).stay.number, state(one).stay.ended) == (1, False)
    one.inserts(20)
    assert state(one).stay.number == 1


def test_ruling_29_marks_are_no_wagers() -> None:
    """The chips of a mark were given back and lost: nothing of it waits for the next player."""
    one = seated("roll-to-win", dollars=12).bets("place.6", 12).off("place.6").bets("field", 12)
    one.table.rolls("4-1")
    assert state(one).stay.ended
    assert one.lies == {}


def test_ruling_29_money_inserted_while_a_wager_lies_joins_that_stay() -> None:
    one = seated("craps", dollars=10).bets("hard.8", 10).inserts(20)
    assert (state(one).stay.number, state(one).stay.in_cents) == (1, 30_00)


# --- Keep Bets On ---


def test_ruling_12_keep_bets_on_does_not_put_back_what_the_player_cleared() -> None:
    """The audit's case: the bet time starts again because nothing is live."""
    table = opened("craps", "seats=2").at_second(1).opens()
    one = table.seat(1).inserts(100).keeps_bets().bets("field", 10)
    table.at_second(32).ticks().at_second(43).ticks("1-2").at_second(49).ticks()
    assert one.lies == {"field": 10_00}
    one.presses("clear_all")
    table.at_second(80).ticks().at_second(111).ticks()
    assert (one.credit, one.lies) == (110_00, {})


# --- 30: sitting out ---


def test_ruling_30_pass_never_meets_a_seven_out_as_its_first_roll() -> None:
    """The audit's case: a table minimum above the bet's own."""
    table = opened("craps", "seats=2", "table_min_cents=500")
    one, two = table.seat(1).inserts(100), table.seat(2).inserts(100)
    two.bets("pass", 5)
    one.bets("pass", 1)
    table.rolls("3-3")
    assert (one.credit, one.lies) == (100_00, {})
    one.bets("field", 5)
    table.rolls("3-4")
    assert one.credit == 95_00


def test_ruling_30_a_dont_pass_with_its_point_does_not_sit_out_its_own_win() -> None:
    """Reduced under the table minimum, it still plays; the Field beside it does not."""
    table = opened("craps", "seats=2", "table_min_cents=500")
    one = table.seat(1).inserts(100).bets("dont_pass", 5)
    table.rolls("3-3")
    one.takes("dont_pass", 4).bets("field", 1)
    table.rolls("3-4")
    assert (one.credit, one.lies) == (100_00, {"field": 1_00})


def test_ruling_30_a_wager_that_sits_out_does_not_make_its_seat_eligible_to_shoot() -> None:
    table = opened("craps", "seats=3", "table_min_cents=500")
    table.seat(1).inserts(100).bets("pass", 1)
    table.seat(2).inserts(100).bets("pass", 5)
    assert table.closes().now.shooter == 2


def test_ruling_30_what_sat_a_roll_out_lies_from_before_and_rests_on_the_next_come_out() -> None:
    """Place 6 $10 is placed with the point on and sits out; on the come-out it is off by itself (RULES 6)."""
    table = opened("craps", "seats=2", "come_out=off", "table_min_cents=1500")
    one, two = table.seat(1).inserts(100), table.seat(2).inserts(100)
    one.bets("pass", 15)
    table.rolls("4-4")
    two.bets("place.6", 10)
    table.rolls("6-2")
    two.bets("field", 15)
    table.rolls("3-4")
    assert (two.credit, two.lies) == (75_00, {"place.6": 10_00})


# --- 31: fees ---


@pytest.mark.parametrize("goes", ["clear_last", "take", "undo"])
def test_ruling_31_an_increase_that_goes_gives_its_whole_fee_back(goes: str) -> None:
    """The audit's case: Buy 4 $20 lies through a roll, +$20; $79.00 are left however it goes."""
    one = seated("craps").bets("buy.4", 20)
    one.table.rolls("1-2")
    one.bets("buy.4", 20)
    assert one.credit == 58_00
    {"clear_last": lambda: one.presses("clear_last"), "take": lambda: one.takes("buy.4", 20), "undo": one.undoes}[
        goes
    ]()
    assert one.credit == 79_00


def test_ruling_31_a_winner_that_stands_pays_its_fee_from_its_win() -> None:
    """Buy 4 $20 costs 21.00; the 4 pays 40.00, and 1.00 of it keeps the wager up."""
    one = seated("craps", "stay_up=true").bets("buy.4", 20)
    one.table.rolls("2-2")
    assert (one.credit, one.lies, one.table.account("commission")) == (118_00, {"buy.4": 20_00}, 2_00)
    one.takes("buy.4")
    assert one.credit == 139_00


def test_ruling_31_a_mark_that_a_cash_out_drops_gives_its_fee_back() -> None:
    """Buy 4 $20 costs 21.00; switched off its 20.00 are credit again, and the 1.00 leaves with the player."""
    one = seated("roll-to-win", "buy.when=upfront").bets("buy.4", 20).off("buy.4")
    assert one.credit == 99_00
    one.cashes_out()
    assert (one.table.account("tickets"), one.table.account("commission"), one.lies) == (100_00, 0, {})
    assert state(one).stay.ended


def test_ruling_31_a_fee_that_can_come_back_keeps_the_stay() -> None:
    """The last chip is lost, but a mark's fee is still the player's: taken down, it comes back."""
    one = seated("roll-to-win", "buy.when=upfront", dollars=21).bets("buy.4", 20).off("buy.4").bets("field", 20)
    one.table.rolls("4-1")
    assert (one.credit, state(one).stay.ended) == (0, False)
    assert one.takes("buy.4").credit == 1_00


# --- 32: move after a win ---


def test_ruling_32_a_wager_placed_since_on_the_old_spot_stays() -> None:
    """The audit's case: Place 6 $6 wins 7.00, the player places $60 there, then moves the winner to Buy 8."""
    one = seated("craps").bets("place.6", 6)
    one.table.rolls("3-3")
    one.bets("place.6", 60).moves("place.6", "buy.8")
    if one.pop_up:
        one.accepts()
    assert one.lies == {"place.6": 60_00, "buy.8": 6_00}
    assert one.credit == 40_70


def test_ruling_32_a_winner_that_was_put_back_by_itself_moves_from_its_spot() -> None:
    one = seated("craps").keeps_bets().bets("place.6", 6)
    one.table.rolls("3-3")
    assert one.lies == {"place.6": 6_00}
    one.moves("place.6", "buy.8")
    if one.pop_up:
        one.accepts()
    assert (one.lies, one.credit) == ({"buy.8": 6_00}, 100_70)


def test_ruling_32_a_winner_put_back_and_then_touched_stays_and_credit_is_moved() -> None:
    one = seated("craps").keeps_bets().bets("place.6", 6)
    one.table.rolls("3-3")
    one.bets("place.6", 6).moves("place.6", "buy.8")
    if one.pop_up:
        one.accepts()
    assert (one.lies, one.credit) == ({"place.6": 12_00, "buy.8": 6_00}, 88_70)


# --- 33: All Off marks resting wagers ---


def test_ruling_33_all_off_on_a_come_out_holds_through_the_point() -> None:
    """The audit's case: Place 6 rests on the come-out; all off, point 5, 7: it is kept."""
    one = seated("shoot-to-win").bets("pass", 10)
    one.table.rolls("2-2")
    one.bets("place.6", 12)
    one.table.rolls("2-2")  # the point is made, Pass stands; Place 6 rests
    one.all_off()
    one.table.rolls("2-3", "3-4")
    assert "place.6" in one.lies  # a mark: its chips were given back
    assert one.wager("place.6").released
    one.on("place.6")
    assert one.lies["place.6"] == 12_00


def test_ruling_33_all_off_needs_no_room_for_what_is_off_already() -> None:
    one = seated("craps", "off_money=released", "buy.when=on_win", "total_max_cents=6000", dollars=200)
    one.bets("buy.6", 20).off("buy.6").bets("buy.4", 41).all_off()
    assert (one.credit, one.wager("buy.4").released, one.wager("buy.6").released) == (200_00, True, True)
    one.refused("already_so").off("buy.6")


def test_ruling_33_a_resting_wager_offers_both() -> None:
    one = seated("shoot-to-win").bets("pass", 10)
    one.table.rolls("2-2")
    one.bets("place.6", 12)
    one.table.rolls("2-2")
    assert offers(one.table.now, 1, one.table.facts).spots["place.6"].switch == (True, False)
    one.off("place.6")
    assert offers(one.table.now, 1, one.table.facts).spots["place.6"].switch == (True,)


# --- 34: undo obeys today's limits ---


def test_ruling_34_undo_does_not_pass_the_table_maximum() -> None:
    """The audit's case."""
    one = seated("roll-to-win", "total_max_cents=10000", dollars=200)
    one.bets("place.6", 60).off("place.6").bets("field", 60).bets("place.8", 40).takes("field").on("place.6")
    one.refused("over_total").undoes()
    assert one.lies == {"place.6": 60_00, "place.8": 40_00}


# --- 35: qualifying wagers ---


@pytest.mark.parametrize(
    ("change", "bet", "line"),
    [
        ("hot_shooter.qualifying_cents=2500", "hot_shooter", 25),
        ("hot_shooter.needs_line=true", "hot_shooter", 10),
        ("lucky_roller.needs_line=true", "lucky_roller.low", 10),
    ],
)
def test_ruling_35_a_qualifying_wager_taken_down_before_the_roll_sends_the_side_wager_back(
    change: str, bet: str, line: int
) -> None:
    table = opened("roll-to-win", "seats=2", change)
    table.seat(2).inserts(100).bets("pass", 10)
    one = table.seat(1).inserts(100).bets("pass", line).bets(bet, 5).takes("pass")
    table.closes()
    assert (one.credit, one.lies, seen(one).returned) == (100_00, {}, (bet,))
    table.counts("2-2").opens()
    assert seen(one).returned == ()


def test_ruling_35_it_goes_back_too_where_nothing_else_is_live_and_nobody_rolls() -> None:
    one = seated("roll-to-win", "hot_shooter.needs_line=true").bets("pass", 10).bets("hot_shooter", 5).takes("pass")
    one.table.closes()
    assert (one.table.phase, one.credit, one.lies) == ("betting", 100_00, {})
    assert seen(one).returned == ("hot_shooter",)
    one.bets("pass", 10).table.rolls("2-2")
    assert seen(one).returned == ()


def test_ruling_35_a_qualifying_wager_that_sits_out_does_not_count() -> None:
    table = opened("roll-to-win", "seats=2", "lucky_roller.needs_line=true", "table_min_cents=1000")
    table.seat(2).inserts(100).bets("pass", 10)
    one = table.seat(1).inserts(100).bets("pass", 5).bets("lucky_roller.low", 5)
    table.closes()
    assert (one.credit, one.lies, seen(one).returned) == (95_00, {"pass": 5_00}, ("lucky_roller.low",))


def test_ruling_35_once_it_has_met_a_roll_it_plays_on() -> None:
    one = seated("roll-to-win", "lucky_roller.needs_line=true").bets("dont_pass", 10).bets("lucky_roller.low", 5)
    one.table.rolls("2-3")
    one.takes("dont_pass").bets("field", 5).table.rolls("1-1")
    assert "lucky_roller.low" in one.lies


# --- 40: Double ---


def test_ruling_40_double_passes_over_what_cannot_grow() -> None:
    """A banned Don't Pass refused all of it; a progressive is one size."""
    one = seated("craps", "make_em_all.on=true").bets("dont_pass", 10).bets("hard.8", 5)
    one.table.rolls("2-3")
    one.takes("dont_pass", 5).bets("field", 5).presses("double")
    assert one.lies == {"dont_pass": 5_00, "hard.8": 10_00, "field": 10_00}


def test_ruling_40_a_progressive_wager_is_passed_over() -> None:
    one = seated("craps", "make_em_all.on=true").bets("make_em_all", 1).bets("field", 5).presses("double")
    assert one.lies == {"make_em_all": 1_00, "field": 10_00}


def test_ruling_40_one_over_its_limit_still_refuses_all() -> None:
    one = seated("craps", "bet_limits.field.max_cents=900").bets("field", 5).bets("hard.8", 5)
    one.refused("over_max").presses("double")


# --- 46, 51: the shooter ---


def test_ruling_46_while_bets_are_open_the_seat_that_would_shoot_is_shown() -> None:
    table = opened("craps", "seats=3")
    table.seat(1).inserts(5).bets("pass", 5)
    table.seat(3).inserts(100).bets("pass", 5)
    assert seen(table.seat(1)).shared.shooter == 1
    table.rolls("3-3", "3-4")  # a seven-out: seat 1 is broke
    assert seen(table.seat(1)).shared.shooter == 0
    table.seat(3).bets("pass", 5)
    assert seen(table.seat(1)).shared.shooter == 3
    table.seat(2).inserts(100).bets("pass", 5)
    assert seen(table.seat(1)).shared.shooter == 2
    assert table.closes().now.shooter == 2


def test_ruling_51_the_dealer_names_the_shooter_while_bets_are_open() -> None:
    table = opened("craps", "seats=3").dealer()
    for number in 1, 2, 3:
        table.seat(number).inserts(100)
    table.seat(1).bets("pass", 5)
    table.refused("not_eligible").asked(m.NameShooter(seat=3))
    table.seat(3).bets("pass", 5)
    table.asked(m.NameShooter(seat=3))
    assert seen(table.seat(1)).shared.shooter == 3
    assert table.twin().closes().now.shooter == 3
    table.seat(3).takes("pass")  # no longer eligible at the close
    assert table.closes().now.shooter == 1


# --- 49: after a seven-out ---


def test_ruling_49_placed_after_a_seven_out_it_is_off_until_switched_on_by_hand() -> None:
    table = opened("craps", "seats=2")
    table.seat(2).inserts(100).bets("field", 5).bets("hard.4", 1)
    one = table.seat(1).inserts(100)
    table.rolls("2-3", "3-4")
    table.seat(2).bets("hard.4", 5)
    table.rolls("5-6")
    one.bets("place.6", 6)
    table.rolls("2-3", "3-3")
    assert one.credit == 94_00  # the 6 paid nothing
    one.on("place.6")
    table.rolls("3-3")
    assert one.credit == 107_00


def test_ruling_49_under_released_it_starts_as_a_mark() -> None:
    one = seated("roll-to-win", "after_seven_out=off").bets("pass", 10)
    one.table.rolls("2-3", "3-4")
    one.bets("place.6", 12)
    assert (one.credit, one.wager("place.6").released) == (90_00, True)
    one.on("place.6")
    assert one.credit == 78_00


def test_ruling_49_is_played_as_the_setting_is_when_the_bet_is_placed() -> None:
    for before, after, starts_off in (("off", "working", False), ("working", "off", True)):
        one = seated("craps", f"after_seven_out={before}").bets("field", 5)
        one.table.rolls("4-2")
        one.bets("field", 5)
        one.table.rolls("3-4").changes("after_seven_out", after)
        one.bets("place.6", 12)
        assert (one.wager("place.6").switch is Switch.OFF) is starts_off


# --- 53: a change of settings ---


def test_ruling_53_a_change_of_settings_ends_the_consents_and_not_what_repeat_remembers() -> None:
    """The audit's case: Buy commission 5% to 20%; auto-repeat charges nothing unasked."""
    one = seated("craps").repeats_by_itself().bets("buy.4", 20)
    one.table.rolls("1-2")
    one.table.changes("buy.rate_bp", "2000")
    assert (one.credit, one.lies, state(one).player.auto_repeat) == (99_00, {}, False)
    one.presses("repeat")
    assert one.pop_up
    one.accepts()
    assert (one.lies, one.credit) == ({"buy.4": 20_00}, 75_00)


def test_ruling_53_repeat_leaves_out_and_names_what_the_new_limits_do_not_allow() -> None:
    one = seated("craps").bets("field", 20).bets("hard.4", 1)
    one.table.rolls("4-1")
    one.takes("hard.4").table.changes("bet_limits.field.max_cents", "500")
    one.presses("repeat")
    assert (one.lies, seen(one).left_out) == ({"hard.4": 1_00}, ("field",))


def test_ruling_53_repeat_leaves_out_odds_that_todays_flat_wager_does_not_carry() -> None:
    one = seated("craps", dollars=200).bets("dont_pass", 2)
    one.table.rolls("5-4")
    one.bets("come", 7)
    one.table.rolls("4-4")
    one.bets("come.8.odds", 15).bets("come", 1)
    one.table.rolls("2-6")  # Come 8 $7 and its odds win; the Come $1 goes to the 8
    one.presses("repeat")
    assert (one.lies["come"], seen(one).left_out) == (1_00, ("come.8.odds",))


# --- Bets that are not valid yet ---


def test_rules_6_a_seat_whose_only_wager_is_a_side_bet_is_told_nothing_false() -> None:
    one = seated("craps", "seats=2").bets("lucky_roller.low", 5)
    assert seen(one).message == "place_your_bets"
    one.table.closes()
    assert (seen(one).message, one.sits_out) == ("no_more_bets", False)


def test_rules_6_a_seat_under_the_minimum_is_told() -> None:
    table: TableTalk = opened("craps", "seats=2", "table_min_cents=1000")
    table.seat(2).inserts(100).bets("pass", 10)
    one = table.seat(1).inserts(100).bets("field", 5)
    assert seen(one).message == "bets_not_valid"
    table.closes()
    assert (seen(one).message, one.sits_out) == ("bets_not_valid", True)
