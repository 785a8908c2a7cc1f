"""What each screen sees: the whole table for the office, its own money for a seat, and frames that lose nothing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from stickman.rules import felt as felts
from stickman.rules.dice import ROLLS, Roll, hard, ways
from stickman.rules.layout import Switch
from stickman.rules.machine import How
from stickman.rules.schema import meter_name
from stickman.table import messages as m
from stickman.table.asking import layout_of, situation_of
from stickman.table.frames import difference, merged, plain
from stickman.table.ledger import credit, hold_cents
from stickman.table.messages import Facts
from stickman.table.offers import offers
from stickman.table.preview import Fate, Way
from stickman.table.state import Table
from stickman.table.view import (
    AccountBalance,
    DealerView,
    FeeBet,
    FeeQuestion,
    InfoView,
    OfficeView,
    RollSum,
    SeatView,
    SpotLine,
    TableView,
    View,
    same_for_seat,
    shared_view,
    view,
)
from tests.table.walks import tables, walks
from tests.talk.devices import bill_stacked, door_moved, key_turned, part_fails
from tests.talk.table import TableTalk, opened, seated

Tables = tuple[Table, Facts]
SCREENS = ["seat 1", "dealer", "table", "info", "office"]


def seen(table: TableTalk, number: int = 1) -> SeatView:
    found = view(table.now, f"seat {number}", table.facts)
    assert isinstance(found, SeatView)
    return found


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from leaves(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from leaves(inner)
    else:
        yield value


# --- Frames ---


@settings(max_examples=12)
@given(walks(40), st.sampled_from(SCREENS))
def test_a_frame_turns_one_view_into_the_next(walked: list[Tables], screen: str) -> None:
    views = [view(table, screen, facts) for table, facts in walked]
    shown = plain(views[0])
    for before, after in itertools.pairwise(views):
        before_frame = plain(before)
        shown = merged(shown, json(difference(before, after)))
        assert json(shown) == json(plain(after))
        assert plain(before) == before_frame


def json(value: Any) -> Any:
    """As the screen has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


@settings(max_examples=20)
@given(tables(30), st.sampled_from(SCREENS))
def test_the_frame_of_equal_views_is_empty(walked: Tables, screen: str) -> None:
    table, facts = walked
    assert difference(view(table, screen, facts), view(table, screen, facts)) == {}


def test_a_frame_holds_only_what_changed() -> None:
    table = opened("craps")
    table.seat(1).inserts(100)
    before = view(table.now, "table", table.facts)
    table.seat(1).bets("field", 5)
    between = view(table.now, "table", table.facts)
    table.seat(1).takes("field")
    after = view(table.now, "table", table.facts)
    assert difference(before, between) == {"chips_cents": {"field": 500}}
    assert difference(between, after) == {"chips_cents": {"-": ["field"]}}


# --- Who sees what ---


@settings(max_examples=40)
@given(tables(), st.integers(0, 10**9))
def test_the_credit_of_others_changes_nothing_that_a_seat_sees(walked: Tables, amount: int) -> None:
    table, facts = walked
    for seat in table.seats:
        others = {credit(other.number): amount for other in table.seats if other is not seat}
        richer = replace(table, accounts={**table.accounts, **others})
        screen = f"seat {seat.number}"
        assert msgspec.json.encode(view(table, screen, facts)) == msgspec.json.encode(view(richer, screen, facts))


def test_no_number_of_another_seats_money_is_anywhere_in_a_seats_view() -> None:
    """Every leaf of the encoded view is looked at: stakes, credit and wins of seat 2 are numbers of their own."""
    table = opened("craps")
    table.seat(1).inserts(100).bets("field", 5).bets("place.6", 18)
    table.seat(2).inserts("7131.00").bets("place.6", 66).bets("place.8", 42)
    table.counts("4-2")
    mine, theirs = {10_000 - 500 - 1_800 + 3_900}, {713_100, 6_600, 7_700, 4_200, table.seat(2).credit}
    numbers = {leaf for leaf in leaves(json(seen(table))) if isinstance(leaf, int)}
    assert mine <= numbers
    assert not theirs & numbers
    their_numbers = {leaf for leaf in leaves(json(seen(table, 2))) if isinstance(leaf, int)}
    assert {7_700, 4_200, table.seat(2).credit} <= their_numbers


@pytest.mark.parametrize("screen", ["table", "info"])
def test_no_credit_is_shown_in_public(screen: str) -> None:
    table = opened("craps")
    table.seat(1).inserts("71.31")
    poor = view(opened("craps").now, screen, table.facts)
    assert view(table.now, screen, table.facts) == poor


@settings(max_examples=25)
@given(tables(), st.sampled_from(SCREENS))
def test_a_view_comes_back_from_the_wire_as_it_was(walked: Tables, screen: str) -> None:
    table, facts = walked
    sent = view(table, screen, facts)
    back: View = msgspec.json.decode(msgspec.json.encode(sent), type=View)
    assert msgspec.to_builtins(back) == msgspec.to_builtins(sent)  # a refusal's code is read as text


def test_an_unknown_screen_is_named() -> None:
    for screen in ("seat 11", "seat 0", "seat", "kitchen", ""):
        with pytest.raises(ValueError, match="is not seat 1 to 10, dealer, table, info or office"):
            view(opened("craps").now, screen, Facts())


# --- The next roll ---


@settings(max_examples=60)
@given(tables(), st.integers(1, 3))
def test_the_preview_of_each_roll_is_what_the_felt_would_do(walked: Tables, drawn: int) -> None:
    table, facts = walked
    number = (drawn - 1) % len(table.seats) + 1
    shown = view(table, f"seat {number}", facts)
    assert isinstance(shown, SeatView)
    closed = table.phase in ("closed", "shooting", "thrown")
    power = table.power if closed else {}
    sits_out = (
        table.seat(number).last.sits_out
        if closed
        else shown.message == "bets_not_valid" or under_min(table, number)
    )
    assert list(shown.rolls) == [str(roll) for roll in ROLLS]
    for roll in ROLLS:
        lines = felts.roll(situation_of(table, number), roll, power, sits_out=sits_out).lines
        paid = sum(line.payment.paid_cents for line in lines)
        taken, back = sum(line.taken_cents for line in lines), sum(line.returned_cents for line in lines)
        meters = tuple(meter_name(line.meter) for line in lines if line.meter)
        assert shown.rolls[str(roll)] == Fate(paid, taken, back, meters)


def under_min(table: Table, number: int) -> bool:
    """Ruling 16, told anew; only while bets are open, and of main wagers only."""
    layout, seat = layout_of(table), table.seat(number)
    mains = [w for w in seat.felt.wagers.values() if not layout.bet_at[w.state].side]
    works = [
        w.stake_cents
        for w in mains
        if layout.states[w.state].locked or felts.how(layout, table.hand.puck, w) is not How.OFF
    ]
    return table.phase == "betting" and bool(mains) and sum(works) < table.game.table_min_cents


@settings(max_examples=40)
@given(tables())
def test_the_ways_of_a_total_are_its_rolls_told_apart_where_they_differ(walked: Tables) -> None:
    table, facts = walked
    shown = view(table, "seat 1", facts)
    assert isinstance(shown, SeatView)
    for total, split in shown.totals.items():
        assert sorted(dice for way in split for dice in way.dice) == sorted(map(str, ways(total)))
        assert len({way.fate for way in split}) == len(split)
        for way in split:
            assert {shown.rolls[dice] for dice in way.dice} == {way.fate}
            pairs = {str(roll) for roll in hard(total)}
            assert (way.how == "hard") == (set(way.dice) == pairs and len(split) > 1)
            assert way.how != "easy" or not pairs & set(way.dice)
    winning = {t for t, split in shown.totals.items() if any(w.fate.win_cents or w.fate.meters for w in split)}
    assert set(shown.wins_on) == winning


def test_hard_and_easy_are_split_where_they_differ() -> None:
    """Hard 6 pays 9 to 1 and loses to the easy 6; Place 6 pays 7 to 6 either way."""
    table = opened("shoot-to-win")
    table.seat(1).inserts(100).bets("place.6", 6)
    assert [(way.how, way.fate.win_cents) for way in seen(table).totals[6]] == [("any", 700)]
    table.seat(1).bets("hard.6", 1)
    fates = {way.how: (way.fate.win_cents, way.fate.lose_cents) for way in seen(table).totals[6]}
    assert fates == {"hard": (1_600, 0), "easy": (700, 100)}
    assert seen(table).wins_on == (6,)
    assert seen(table).rolls["3-4"] == Fate(0, 700, 0)


def test_the_preview_pays_the_power_odds_that_are_shown() -> None:
    table = opened("shoot-to-win")
    table.seat(1).inserts(100).bets("hop.6-6", 1)
    plain_pay = seen(table).rolls["6-6"].win_cents
    drawn = dict.fromkeys("ABCDEFG", "high")
    table.facts = replace(table.facts, power=drawn)
    table.closes()
    assert seen(table).shared.power == drawn
    assert seen(table).rolls["6-6"].win_cents > plain_pay
    table.counts("6-6")
    assert seen(table).win_cents == seen(table).lines[0].paid_cents > plain_pay
    assert seen(table).rolls["6-6"].win_cents == plain_pay


def test_a_preview_is_what_then_happens() -> None:
    for roll in ROLLS:
        table = opened("craps")
        table.seat(1).inserts(1000).bets("pass", 10).bets("place.6", 12).bets("hard.8", 5).bets("horn", 4)
        table.closes()
        before, fate = table.seat(1).credit, seen(table).rolls[str(roll)]
        table.counts(str(roll))
        assert table.seat(1).credit == before + fate.win_cents + fate.back_cents
        assert seen(table).win_cents == fate.win_cents


# --- A seat ---


def test_a_seat_sees_its_meters() -> None:
    """IB 5.1: Credit, Playable, Bet, Win, Last win, Last bet. Place 6 for $12 wins $14."""
    table = opened("shoot-to-win")
    table.seat(1).inserts(100).bets("place.6", 12)
    table.counts("4-2")
    shown = seen(table)
    assert (shown.credit_cents, shown.playable_cents, shown.bet_cents) == (10_200, 10_200, 1_200)
    assert (shown.win_cents, shown.last_win_cents, shown.last_bet_cents) == (1_400, 1_400, 1_200)
    [line] = shown.lines
    assert (line.spot, line.decided, line.paid_cents, line.to) == ("place.6", "win", 1_400, "place.6")
    table.opens().seat(1).bets("field", 5)
    table.closes()
    assert (seen(table).win_cents, seen(table).last_win_cents, seen(table).lines) == (0, 1_400, ())


def test_ruling_61_a_seat_is_told_which_bets_a_change_of_settings_gave_back_until_it_acts() -> None:
    table = opened("craps")
    table.seat(1).inserts(100).bets("field", 10).bets("place.6", 12)
    table.seat(2).inserts(100)
    table.changes("table_min_cents", "500")
    assert (seen(table).given_back, seen(table).bet_cents) == ({"field": 10_00, "place.6": 12_00}, 0)
    assert seen(table, 2).given_back == {}
    table.seat(2).bets("field", 5)
    table.rolls("1-1")
    assert seen(table).given_back, "nobody has touched the seat"
    table.seat(1).bets("field", 5)
    assert seen(table).given_back == {}


def test_ruling_61_the_office_sees_what_a_change_of_settings_would_return() -> None:
    """Buy 4 at $20 with its fee of $1, and the Field; a seat without bets is not counted."""
    table = opened("craps")
    table.seat(1).inserts(100).bets("buy.4", 20).bets("field", 5)
    table.seat(2).inserts(100)
    shown = view(table.now, "office", table.facts)
    assert isinstance(shown, OfficeView)
    assert shown.change_returns == {1: 26_00}
    table.changes("table_min_cents", "500")
    assert table.now.credit(1) == 100_00


def test_rules_5_the_question_for_a_fee_names_the_bet_its_stake_and_its_win() -> None:
    """Buy 4 pays 2:1: $20 wins $40, for a fee of $1. The whole stake is named when more is added."""
    table = opened("craps")
    table.seat(1).inserts(200).asks_for("buy.4", 20)
    assert seen(table).pop_up == FeeQuestion(1_00, (FeeBet("buy.4", 20_00, 40_00),))
    table.seat(1).accepts().asks_for("buy.4", 20)
    assert seen(table).pop_up == FeeQuestion(1_00, (FeeBet("buy.4", 40_00, 80_00),))
    table.seat(1).accepts().bets("field", 5).presses("double")
    assert seen(table).pop_up == FeeQuestion(2_00, (FeeBet("buy.4", 80_00, 160_00),))


def test_playable_is_what_may_still_be_bet() -> None:
    table = opened("craps", "total_max_cents=5000")
    table.seat(1).inserts(100).bets("place.6", 12)
    assert seen(table).playable_cents == 3_800


def test_wagers_show_locks_points_and_the_most_odds() -> None:
    table = opened("craps")
    table.seat(1).inserts(100).bets("pass", 10).bets("lucky_roller.low", 5)
    assert not seen(table).wagers["pass"].locked
    table.rolls("4-2", "1-1", "1-1")
    table.seat(1).bets("place.8", 12).off("place.8")
    wagers = seen(table).wagers
    assert (wagers["pass"].locked, wagers["pass"].point, wagers["pass"].odds_max_cents) == (True, 6, 5_000)
    assert (wagers["lucky_roller.low"].locked, wagers["lucky_roller.low"].hits) == (True, (2, 6))
    assert (wagers["place.8"].locked, wagers["place.8"].working) == (False, False)


def test_lucky_shooter_shows_its_point_and_hits_and_hot_shooter_its_count() -> None:
    table = opened("craps", "hot_shooter.on=true")
    table.seat(1).inserts(100).bets("lucky_shooter", 5).bets("hot_shooter", 5).bets("pass", 10)
    table.rolls("4-2", "1-3", "4-4")
    wagers = seen(table).wagers
    assert (wagers["lucky_shooter"].point, wagers["lucky_shooter"].hits) == (6, (4, 8))
    assert wagers["hot_shooter"].count == 3


def test_the_message_follows_the_clock_and_the_phase() -> None:
    """IB 5.1: place your bets, hurry up from 5 s, no more bets."""
    table = opened("craps").at_second(1)
    table.opens().seat(1).inserts(100).bets("pass", 10)
    assert seen(table).message == "place_your_bets"
    assert seen(table.at_second(25.9)).message == "place_your_bets"
    assert seen(table.at_second(26)).message == "hurry_up"
    table.closes()
    assert seen(table).message == "no_more_bets"
    table.counts("4-2")
    assert seen(table).message == "result"
    table.asked(m.PauseTable())
    assert seen(table).message == "paused"


def test_bets_under_the_table_minimum_are_not_valid_yet() -> None:
    """RULES 6, ruling 16: what is on must meet the minimum; side wagers do not count and need none."""
    table = opened("craps", "table_min_cents=1000")
    table.seat(1).inserts(100).bets("lucky_roller.low", 5)
    assert seen(table).message == "place_your_bets"
    table.seat(1).bets("place.6", 6)
    assert seen(table).message == "bets_not_valid"
    assert seen(table).rolls["3-3"].win_cents == 0
    table.seat(1).bets("place.8", 6)
    assert seen(table).message == "place_your_bets"
    table.seat(1).off("place.8")
    assert seen(table).message == "bets_not_valid"
    table.closes()
    assert seen(table).message == "bets_not_valid"
    assert seen(table).sits_out
    assert not seen(table).wagers["place.6"].working


@settings(max_examples=15)
@given(tables())
def test_a_seat_sees_its_offers(walked: Tables) -> None:
    table, facts = walked
    shown = view(table, "seat 1", facts)
    assert isinstance(shown, SeatView)
    assert shown.offers == offers(table, 1, facts)


# --- History and statistics ---


def played(*rolls: str) -> TableTalk:
    table = opened("craps", "puck_can_be_reset=true")
    table.seat(1).inserts(10_000)
    for roll in rolls:
        table.seat(1).bets("field", 1)
        table.rolls(roll)
    return table


def test_the_history_marks_points_sevens_and_the_puck_put_off() -> None:
    table = played("4-2", "1-1", "3-3", "4-4", "3-4", "5-5")
    table.dealer().asked(m.PutPuckOff())
    past = seen(table).shared.history
    marks = ["point_set", "", "point_made", "point_set", "seven_out", "point_set", "put_off"]
    assert [one.mark for one in past] == marks
    assert [one.total for one in past] == [6, 2, 6, 8, 7, 10, 0]
    assert [(one.puck_before, one.puck_after) for one in past][-2:] == [(0, 10), (10, 0)]
    assert past[-1].dice is None


def test_the_history_is_as_long_as_the_game_says() -> None:
    table = played(*["1-1"] * 20)
    assert len(seen(table).shared.history) == 15


def test_hard_ways_show_the_rolls_since_their_pair() -> None:
    """IB "# of rolls since last": "3-3 and 2-2 have not been rolled for 71 rolls and 4-4 for 4 rolls"."""
    table = played("3-3", "4-4", "1-5", "3-4", "2-2", "1-2")
    assert seen(table).shared.hard_since == {"hard.4": 1, "hard.6": 5, "hard.8": 4, "hard.10": 6}


def test_statistics_count_totals() -> None:
    table = played("3-3", "1-5", "6-6", "6-6", "2-4", "3-4", "1-1")
    found = seen(table).shared.statistics
    assert found.rolls == 7
    assert [(one.total, one.rolled) for one in found.totals if one.rolled] == [(2, 1), (6, 3), (7, 1), (12, 2)]
    assert sum(Fraction(one.expected) for one in found.totals) == 1
    assert {one.total: one.expected for one in found.totals}[7] == "1/6"
    assert found.longest_hands == (6, 1)


def test_totals_are_hot_or_cold_from_36_rolls_on() -> None:
    """Of 36 rolls, a 12 is expected once, a 2 once and a 6 five times; here they come 10, 5 and 15 times."""
    rolls = ["6-6"] * 10 + ["1-1"] * 5 + ["1-5"] * 15 + ["3-4"] * 6
    before = seen(played(*rolls[:-1])).shared.statistics
    assert (before.rolls, before.hot, before.cold) == (35, (), ())
    found = seen(played(*rolls)).shared.statistics
    assert (found.rolls, found.hot, found.cold) == (36, (12, 2, 6), (11, 10, 9))


def test_the_longest_hands_come_first() -> None:
    table = played("4-4", "3-4", "4-4", "1-1", "1-1", "3-4", "1-1", "5-5", "3-4", "1-1")
    assert seen(table).shared.statistics.longest_hands == (4, 3, 2)


# --- The other screens ---


def dealt(table: TableTalk) -> DealerView:
    found = view(table.now, "dealer", table.facts)
    assert isinstance(found, DealerView)
    return found


def test_credit_is_paid_by_hand_only_where_nobody_can_cash_it_out() -> None:
    table = opened("craps")
    table.seat(1).inserts(100)
    table.seat(2).inserts(70)
    table.asked(m.LoseLink(seat=2))
    table.asked(m.LoseLink(seat=3))
    seats = dealt(table).seats
    assert [number for number, seat in seats.items() if "pay_by_hand" in seat.offers] == [2]


def test_the_dealer_sees_credit_felt_and_net_of_each_player_until_the_stay_ends() -> None:
    table = opened("craps").dealer()
    table.seat(1).inserts(100).bets("field", 10).bets("pass", 15)
    table.seat(2).inserts(50)
    table.rolls("2-1")  # the field wins $10, Pass loses
    one, two, three = (dealt(table).seats[number] for number in (1, 2, 3))
    assert (one.taken, one.credit_cents, one.bet_cents, one.net_cents) == (True, 9_500, 0, -500)
    assert (two.taken, two.credit_cents, two.net_cents) == (True, 5_000, 0)
    assert (three.taken, three.credit_cents, three.net_cents) == (False, 0, 0)
    table.seat(2).tips(7)
    assert (dealt(table).seats[2].tips_cents, dealt(table).seats[2].net_cents) == (700, 0)
    table.seat(1).cashes_out()
    gone = dealt(table).seats[1]
    assert (gone.taken, gone.credit_cents, gone.net_cents) == (False, 0, 0)


@pytest.mark.parametrize("before", [(), ("2-2",)], ids=["come-out", "point 4"])
def test_the_dealer_sees_what_the_house_would_win_and_pay_on_each_total(before: tuple[str, ...]) -> None:
    """The books after each of the 36 rolls, of three seats together, one of which sits out."""
    table = opened("craps").dealer()
    table.seat(1).inserts(500).bets("pass", 25).bets("hard.6", 5).bets("buy.10", 20)
    table.seat(2).inserts(500).bets("dont_pass", 10).bets("field", 30)
    table.seat(3).inserts(500).bets("pass", 1)
    table.rolls(*before)
    table.seat(1).bets("hop.2-4", 5)
    table.seat(2).bets("place.6", 12)
    shown = dealt(table.closes()).totals
    known = {roll: way.fate for ways in shown.values() for way in ways for roll in way.dice}
    for roll in ROLLS:
        rolled = table.twin().counts(str(roll))
        won = hold_cents(rolled.now.accounts) - hold_cents(table.now.accounts)
        assert known[str(roll)].lose_cents - known[str(roll)].win_cents == won, str(roll)
    assert {way.how for way in shown[6]} == {"hard", "dice"}
    assert [way.how for way in shown[7]] == ["any"]


def test_an_empty_table_costs_the_house_nothing_on_any_total() -> None:
    shown = dealt(opened("craps")).totals
    assert all(ways == (Way("any", ways[0].dice, Fate()),) for ways in shown.values())
    assert list(shown) == list(range(2, 13))


def test_the_dealer_sees_what_lies_who_may_shoot_and_who_needs_help() -> None:
    table = opened("craps").dealer("badge-12")
    table.seat(1).inserts(100).bets("pass", 10).bets("field", 5)
    table.seat(2).inserts(5000).cashes_out()
    table.asked(m.CallService(seat=3))
    table.asked(door_moved(4))
    table.closes()
    table.asked(m.EnterDice(dice=(4, 2)))
    shown = view(table.now, "dealer", table.facts)
    assert isinstance(shown, DealerView)
    assert (shown.dealer, shown.entered) == ("badge-12", (4, 2))
    assert (shown.seats[1].bet_cents, shown.seats[1].wagers, shown.seats[1].may_shoot) == (1_500, 2, True)
    assert (shown.seats[2].hand_pay_cents, shown.seats[2].lockups) == (500_000, ("hand_pay",))
    assert shown.seats[3].service
    assert (shown.seats[4].doors, shown.seats[4].lockups) == (("terminal_logic",), ("door",))
    assert not shown.seats[2].may_shoot


def test_the_dealer_sees_tips_and_the_credit_that_was_left_behind() -> None:
    table = opened("craps", "puck_can_be_reset=true").dealer()
    table.seat(1).inserts(100).tips(5)
    table.seat(2).inserts(100).leaves()
    table.asked(key_turned(3))
    shown = view(table.now, "dealer", table.facts)
    assert isinstance(shown, DealerView)
    assert (shown.tips_cents, shown.envy_cents) == (500, 0)
    assert {"select_mode", "put_puck_off"} <= shown.offers.keys()
    assert ["pay_by_hand" in seat.offers for seat in shown.seats.values()][:3] == [False, True, False]
    assert [seat.key for seat in shown.seats.values()][:4] == [False, False, True, False]


def test_the_dealer_sees_whether_the_key_of_the_dealer_terminal_is_turned() -> None:
    table = opened("craps")
    for on in (False, True, False):
        table.asked(key_turned(0, on=on))
        shown = view(table.now, "dealer", table.facts)
        assert isinstance(shown, DealerView)
        assert shown.key is on


def test_a_roll_that_does_not_count_is_told_to_every_screen() -> None:
    table = opened("craps").dealer()
    table.seat(1).inserts(100).bets("pass", 10)
    table.closes()
    before = table.now
    table.asked(m.CallNoRoll(reason="cocked"))
    table.asked(m.CallNoRoll(reason="cocked"))
    for screen in SCREENS:
        assert view(table.now, screen, table.facts).shared.no_rolls == {"cocked": 2}
    shared = shared_view(table.now, table.facts)
    assert not same_for_seat(before, table.now, 2, shared, shared)


def test_only_the_seat_of_a_device_is_shown_what_it_reports() -> None:
    table = opened("craps")
    before, shared = table.now, shared_view(table.now, table.facts)
    table.asked(replace(bill_stacked(1, 100_00), device="acceptor-1", boot="0" * 16, seq=1))
    assert before.heard != table.now.heard
    assert not same_for_seat(before, table.now, 1, shared, shared_view(table.now, table.facts))
    assert same_for_seat(before, table.now, 2, shared, shared_view(table.now, table.facts))


def test_the_table_display_adds_up_the_chips_of_all_seats() -> None:
    table = opened("roll-to-win")
    table.seat(1).inserts(100).bets("place.6", 12).bets("place.8", 6)
    table.seat(2).inserts(100).bets("place.6", 6)
    shown = view(table.now, "table", table.facts)
    assert isinstance(shown, TableView)
    assert (shown.chips_cents, shown.come_out) == ({"place.6": 1_800, "place.8": 600}, True)
    table.seat(1).off("place.8")
    shown = view(table.now, "table", table.facts)
    assert isinstance(shown, TableView)
    assert shown.chips_cents == {"place.6": 1_800}
    table.counts("4-2")
    shown = view(table.now, "table", table.facts)
    assert isinstance(shown, TableView)
    assert shown.results == {1: RollSum(1_200, 1_400, "place.6"), 2: RollSum(600, 700, "place.6")}
    assert shown.lines == (SpotLine("place.6", "win", net_cents=2_100),)
    assert not shown.come_out


def test_the_table_display_tells_winners_and_losers_on_a_spot_apart() -> None:
    table = opened("craps")
    table.seat(1).inserts(100).bets("pass", 10)
    table.rolls("4-2")
    table.seat(1).bets("come", 10)
    table.seat(2).inserts(100).bets("dont_come", 10)
    table.rolls("4-5")
    table.rolls("4-3")
    shown = view(table.now, "table", table.facts)
    assert isinstance(shown, TableView)
    assert sorted(shown.lines, key=lambda line: line.spot) == [
        SpotLine("come.9", "lose", net_cents=-1_000, taken_cents=1_000),
        SpotLine("dont_come.9", "win", net_cents=1_000, returned_cents=1_000),
        SpotLine("pass", "lose", net_cents=-1_000, taken_cents=1_000),
    ]
    assert {seat: sums.net_cents for seat, sums in shown.results.items()} == {1: -2_000, 2: 1_000}


def test_a_roll_that_wins_what_it_loses_comes_to_nothing() -> None:
    table = opened("craps")
    table.seat(1).inserts(100).bets("pass", 10).bets("field", 10)
    table.rolls("4-3")
    assert seen(table).last_roll == RollSum(staked_cents=2_000, net_cents=0, best="pass")


def test_a_push_stakes_nothing() -> None:
    table = opened("craps")
    table.seat(1).inserts(100).bets("dont_pass", 10)
    table.rolls("6-6")
    shown = seen(table)
    assert [line.decided for line in shown.lines] == ["push"]
    assert shown.last_roll == RollSum()


def test_the_net_of_a_pay_for_one_is_what_the_player_has_more() -> None:
    table = opened("roll-to-win")
    table.seat(1).inserts(100).bets("pass", 10).bets("hard.8", 5)
    before = seen(table).net_cents
    table.rolls("4-4")
    shown = seen(table)
    assert shown.last_roll.net_cents == shown.net_cents - before > 0
    assert sum(line.net_cents for line in shown.lines) == shown.last_roll.net_cents


def test_the_table_display_knows_which_seats_wait_for_an_attendant() -> None:
    table = opened("craps")
    table.asked(part_fails(2, "printer"))
    shown = view(table.now, "table", table.facts)
    assert isinstance(shown, TableView)
    assert shown.lockups == (2,)


@pytest.mark.parametrize("screen", SCREENS)
def test_ruling_58_every_screen_is_told_whether_its_game_speaks_and_plays_sound(screen: str) -> None:
    quiet, silent = opened("craps", "announcements=false"), opened("craps", "sound=false")
    shared = view(quiet.now, screen, quiet.facts).shared
    assert (shared.announcements, shared.sound) == (False, True)
    shared = view(silent.now, screen, silent.facts).shared
    assert (shared.announcements, shared.sound) == (True, False)


def test_the_walls_show_minimum_maximum_and_odds() -> None:
    limits = seen(opened("roll-to-win")).shared.limits
    assert (limits.bet_min_cents, limits.bet_max_cents, limits.total_max_cents) == (100, 100_000, 1_000_000)
    assert (limits.take_odds, limits.lay_odds) == ("3-4-5x", "6x")
    assert limits.bets["hot_shooter"].max_cents == 2_500


def test_the_info_display_shows_the_last_roll() -> None:
    table = played("4-2", "1-3")
    shown = view(table.now, "info", table.facts)
    assert isinstance(shown, InfoView)
    assert shown.last_roll is not None
    assert (shown.last_roll.dice, shown.last_roll.total) == ((1, 3), 4)
    empty = view(opened("craps").now, "info", Facts())
    assert isinstance(empty, InfoView)
    assert empty.last_roll is None


def test_the_office_sees_every_account_the_seats_last() -> None:
    table = opened("craps")
    table.seat(1).inserts(100).bets("place.6", 12)
    table.rolls("4-2")
    shown = view(table.now, "office", table.facts)
    assert isinstance(shown, OfficeView)
    assert shown.accounts == (
        AccountBalance("cash", -10_000),
        AccountBalance("house", -1_400),
        AccountBalance("seat", 11_400, "1", "credit"),
        AccountBalance("seat", 0, "1", "felt"),
    )
    assert shown.seats[1].state.credit_cents == table.seat(1).credit == 11_400
    assert set(shown.seats) == set(range(1, 11))


def test_a_released_mark_is_shown_as_such_and_does_not_work() -> None:
    table = opened("roll-to-win")
    table.seat(1).inserts(100).bets("place.6", 12).off("place.6")
    mark = seen(table).wagers["place.6"]
    assert (mark.released, mark.working, mark.stake_cents) == (True, False, 1_200)
    assert seen(table).bet_cents == 0
    assert table.seat(1).wager("place.6").switch is Switch.OFF
    assert seen(table).rolls["4-2"] == Fate()


def test_every_roll_of_a_total_is_a_way() -> None:
    shown = seen(opened("easy"))
    assert {Roll.parse(dice) for split in shown.totals.values() for way in split for dice in way.dice} == set(ROLLS)


@settings(max_examples=25)
@given(walks())
def test_what_is_called_the_same_for_a_seat_is_the_same(walked: list[tuple[Table, Facts]]) -> None:
    """The pit leaves such screens alone; it must never leave one alone that would change."""
    facts = walked[0][1]
    left_alone = 0
    shown = [(table, shared_view(table, facts)) for table, _ in walked]
    for (before, shared_before), (after, shared_after) in itertools.pairwise(shown):
        for seat in after.seats:
            if same_for_seat(before, after, seat.number, shared_before, shared_after):
                left_alone += before is not after
                assert plain(view(before, f"seat {seat.number}", facts)) == plain(
                    view(after, f"seat {seat.number}", facts)
                )
    event("screens were left alone" if left_alone else "none was")


def test_a_jackpot_is_in_every_view_while_its_result_is_shown() -> None:
    one = seated("craps", "make_em_all.on=true").table.meter("make_em_all", 31_415).seat(1)
    one.bets("make_em_all", 1).bets("pass", 5)
    table = one.table.rolls("1-1", "1-2", "2-2", "2-3", "3-3", "4-4", "4-5", "5-5", "5-6")
    assert shared_view(table.now, table.facts).jackpots == ()
    table.counts("6-6")
    [won] = shared_view(table.now, table.facts).jackpots
    assert (won.meter, won.seat, won.player) == ("make_em_all", 1, "")
    assert won.cents >= 31_415_00
    table.opens()
    assert shared_view(table.now, table.facts).jackpots == ()


def test_what_the_dealers_get_for_a_jackpot_is_in_every_view_while_its_result_is_shown() -> None:
    one = seated("craps", "make_em_all.on=true").table.meter("make_em_all", 31_415).seat(1)
    one.table.dealer()
    one.bets("make_em_all", 1).bets("pass", 5)
    table = one.table.rolls("1-1", "1-2", "2-2", "2-3", "3-3", "4-4", "4-5", "5-5", "5-6")
    assert shared_view(table.now, table.facts).envy_cents == 0
    table.counts("6-6")
    assert shared_view(table.now, table.facts).envy_cents == 1_000_00  # MEA-01: "$1000" for a base wager of $1
    table.opens()
    assert shared_view(table.now, table.facts).envy_cents == 0
