"""RULES 17: rulings where money could depend on a guess, as far as cells, money, par sheets and games show them.

What needs a table with seats, accounts or a clock is tested where those are.
"""

from fractions import Fraction

import pytest

from stickman.rules.layout import Switch, working
from stickman.rules.machine import How
from stickman.rules.money import Payment, upfront_fee
from stickman.rules.paytable import odds_tables
from tests.talk.cells import after, lies, lying, settled, totals, untouched, winning
from tests.talk.games import (
    COME_GAMES,
    DONT_GAMES,
    FIVE_GAMES,
    IB_GAMES,
    LED_GAMES,
    SIX_POINTS,
    game,
    laid,
    par,
    par_tables,
)

# --- Ruling 1: push on 12 ---


@pytest.mark.parametrize("name", DONT_GAMES)
@pytest.mark.parametrize("bet", ["dont_pass", "dont_come"])
def test_17_1_a_pushed_stake_stands_unlocked_and_unpaid_where_it_was(name: str, bet: str) -> None:
    layout = laid(name)
    assert after(layout, bet, "fresh", 12) == "pushes and stands"
    assert not lies(layout, bet, "fresh").locked
    assert lies(layout, bet, "fresh").spot == bet


@pytest.mark.parametrize("name", DONT_GAMES)
@pytest.mark.parametrize("bet", ["dont_pass", "dont_come"])
def test_17_1_a_push_is_a_bet_made_and_ended_so_the_edge_is_3_in_220(name: str, bet: str) -> None:
    found = par(bet, name)
    assert found.edge_per_bet_made == Fraction(3, 220)
    assert found.edge_per_bet_resolved == Fraction(3, 220) / (1 - Fraction(1, 36))
    assert [(r.net, r.chance) for r in found.results if r.result == "push"] == [(Fraction(0), Fraction(1, 36))]


# --- Ruling 2: come-out 7 with Come wagers ---


@pytest.mark.parametrize("name", COME_GAMES)
def test_17_2_on_a_come_out_seven_fresh_come_wins_and_moved_come_loses(name: str) -> None:
    assert after(laid(name), "come", "fresh", 7) == "wins 1 to 1 and is returned"
    assert after(laid(name), "come", "6", 7) == "loses"


@pytest.mark.parametrize("name", DONT_GAMES)
def test_17_2_on_a_come_out_seven_fresh_dont_come_loses_and_moved_dont_come_wins(name: str) -> None:
    assert after(laid(name), "dont_come", "fresh", 7) == "loses"
    assert after(laid(name), "dont_come", "6", 7) == "wins 1 to 1 and is returned"


@pytest.mark.parametrize("name", DONT_GAMES)
@pytest.mark.parametrize("point", SIX_POINTS)
def test_17_2_off_odds_are_returned_and_odds_that_are_on_resolve(name: str, point: int) -> None:
    layout, state = laid(name), str(point)
    for odds in "pass.odds", f"come.{point}.odds", "dont_pass.odds", f"dont_come.{point}.odds":
        assert totals(layout, odds, state, "pushes and is returned", How.OFF) == {7, point}
        assert totals(layout, odds, state, "stays", How.OFF) == {2, 3, 4, 5, 6, 8, 9, 10, 11, 12} - {point}
    assert after(layout, f"come.{point}.odds", state, 7) == "loses"
    assert after(layout, f"dont_come.{point}.odds", state, 7).startswith("wins")


@pytest.mark.parametrize("name", DONT_GAMES)
@pytest.mark.parametrize("odds", ["dont_pass.odds", "dont_come.6.odds"])
def test_17_2_dont_odds_always_work_unless_switched_off(name: str, odds: str) -> None:
    bet = laid(name).bets[odds]
    assert bet.off_able
    assert working(bet, switch=Switch.UNTOUCHED, puck=0, lain_before=True) is How.COME_OUT
    assert working(bet, switch=Switch.OFF, puck=0, lain_before=True) is How.OFF


# --- Ruling 3: off wagers ---


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_17_3_an_off_place_buy_hard_or_big_stands_whatever_falls(name: str) -> None:
    layout = laid(name)
    off_able = [
        b for b in layout.bets.values() if b.family in ("place", "buy", "lay", "place_to_lose", "big_6_8", "hard")
    ]
    assert off_able
    assert [bet.id for bet in off_able if not untouched(layout, bet.id, "fresh", How.OFF)] == []


# --- Ruling 4: automatic off ---

REST = ["come.6.odds", "place.6", "buy.6", "big.6", "hard.6"]
WORK = ["pass.odds", "dont_pass.odds", "dont_come.6.odds", "lay.6", "place_to_lose.6", "pass", "come", "field"]


@pytest.mark.parametrize("name", LED_GAMES)
@pytest.mark.parametrize("bet", REST)
def test_17_4_wagers_from_before_rest_on_the_come_out_and_go_on_when_a_point_is_set(name: str, bet: str) -> None:
    laid_bet = laid(name).bets[bet]
    assert working(laid_bet, switch=Switch.UNTOUCHED, puck=0, lain_before=True) is How.OFF
    assert working(laid_bet, switch=Switch.UNTOUCHED, puck=6, lain_before=True) is How.POINT_ON


@pytest.mark.parametrize("name", LED_GAMES)
@pytest.mark.parametrize("bet", WORK)
def test_17_4_all_other_wagers_work_on_the_come_out(name: str, bet: str) -> None:
    assert working(laid(name).bets[bet], switch=Switch.UNTOUCHED, puck=0, lain_before=True) is How.COME_OUT


@pytest.mark.parametrize("bet", [bet for bet in REST if bet != "come.6.odds"])
@pytest.mark.parametrize("name", LED_GAMES)
def test_17_4_a_wager_placed_on_the_come_out_works(name: str, bet: str) -> None:
    assert working(laid(name).bets[bet], switch=Switch.UNTOUCHED, puck=0, lain_before=False) is How.COME_OUT


@pytest.mark.parametrize("name", LED_GAMES)
@pytest.mark.parametrize("bet", REST)
def test_17_4_what_was_switched_off_by_hand_stays_off(name: str, bet: str) -> None:
    laid_bet = laid(name).bets[bet]
    assert working(laid_bet, switch=Switch.OFF, puck=6, lain_before=True) is How.OFF
    assert working(laid_bet, switch=Switch.OFF, puck=0, lain_before=True) is How.OFF


@pytest.mark.parametrize("name", LED_GAMES)
@pytest.mark.parametrize("bet", REST)
def test_17_4_all_on_by_hand_works_on_the_come_out(name: str, bet: str) -> None:
    assert working(laid(name).bets[bet], switch=Switch.ON, puck=0, lain_before=True) is How.COME_OUT


@pytest.mark.parametrize("name", IB_GAMES)
def test_17_4_nothing_rests_by_itself_where_the_game_does_not_say_so(name: str) -> None:
    for bet in laid(name).bets.values():
        assert working(bet, switch=Switch.UNTOUCHED, puck=0, lain_before=True) is How.COME_OUT


# --- Ruling 6: stay-up ---

WINS = [
    ("pass", "fresh", "3-4", "wins 1 to 1"),
    ("pass", "fresh", "5-6", "wins 1 to 1"),
    ("pass", "6", "3-3", "wins 1 to 1"),
    ("dont_pass", "fresh", "1-1", "wins 1 to 1"),
    ("dont_pass", "fresh", "1-2", "wins 1 to 1"),
    ("dont_come", "fresh", "1-1", "wins 1 to 1"),
    ("dont_come", "fresh", "1-2", "wins 1 to 1"),
    ("come", "fresh", "5-6", "wins 1 to 1"),
    ("place.6", "fresh", "3-3", "wins 7 to 6"),
    ("buy.4", "fresh", "2-2", "wins 2 to 1"),
    ("lay.4", "fresh", "3-4", "wins 1 to 2"),
    ("big.8", "fresh", "4-4", "wins 1 to 1"),
    ("hard.8", "fresh", "4-4", "wins 9 to 1"),
    ("field", "fresh", "1-1", "wins 2 to 1"),
    ("any_craps", "fresh", "1-1", "wins 7 to 1"),
    ("seven", "fresh", "3-4", "wins 4 to 1"),
    ("c", "fresh", "1-1", "wins 7 to 1"),
    ("e", "fresh", "5-6", "wins 15 to 1"),
    ("c_and_e", "fresh", "5-6", "wins 7 to 1"),
    ("horn", "fresh", "6-6", "wins 27 to 4"),
    ("horn.12", "fresh", "6-6", "wins 30 to 1"),
    ("hop.2-2", "fresh", "2-2", "wins 30 to 1"),
    ("hop.4-5", "fresh", "5-4", "wins 15 to 1"),
]
NEVER_STAY = [
    ("pass.odds", "4", "2-2", "wins 2 to 1"),
    ("come.5.odds", "5", "1-4", "wins 3 to 2"),
    ("dont_pass.odds", "4", "3-4", "wins 1 to 2"),
    ("dont_come.6.odds", "6", "3-4", "wins 5 to 6"),
    ("dont_pass", "6", "3-4", "wins 1 to 1"),
    ("dont_come", "6", "3-4", "wins 1 to 1"),
    ("come", "fresh", "3-4", "wins 1 to 1"),
    ("come", "6", "3-3", "wins 1 to 1"),
]


@pytest.mark.parametrize("name", LED_GAMES)
@pytest.mark.parametrize(
    ("bet", "state", "roll", "wins"), [*WINS, ("place_to_lose.4", "fresh", "3-4", "wins 5 to 11")]
)
def test_17_6_a_winner_that_stays_up_is_an_ordinary_unlocked_wager(
    name: str, bet: str, state: str, roll: str, wins: str
) -> None:
    assert after(laid(name), bet, state, roll) == f"{wins} and stands"
    assert not lies(laid(name), bet, "fresh").locked


@pytest.mark.parametrize("name", LED_GAMES)
@pytest.mark.parametrize(("bet", "state", "roll", "wins"), NEVER_STAY)
def test_17_6_odds_dont_bets_that_won_by_seven_and_come_but_by_eleven_are_returned(
    name: str, bet: str, state: str, roll: str, wins: str
) -> None:
    assert after(laid(name), bet, state, roll) == f"{wins} and is returned"


@pytest.mark.parametrize(("bet", "state", "roll", "wins"), [*WINS, *NEVER_STAY])
def test_17_6_where_the_game_does_not_let_winners_stay_every_stake_is_returned(
    bet: str, state: str, roll: str, wins: str
) -> None:
    assert after(laid("craps"), bet, state, roll) == f"{wins} and is returned"


# --- Ruling 7: the Horn ---


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_17_7_the_horn_pays_net_of_its_three_losers(name: str) -> None:
    assert totals(laid(name), "horn", "fresh", "wins 27 to 4") == {2, 12}
    assert totals(laid(name), "horn", "fresh", "wins 3 to 1") == {3, 11}
    assert totals(laid(name), "horn", "fresh", "loses") == {4, 5, 6, 7, 8, 9, 10}


def test_17_7_100_dollars_on_the_horn_win_675_net_on_boxcars() -> None:
    assert settled(laid("craps"), "horn", "fresh", "6-6", 100_00).paid_cents == 675_00


@pytest.mark.parametrize("name", LED_GAMES)
@pytest.mark.parametrize(
    ("roll", "group", "low", "high"),
    [
        ("1-2", "C", Fraction(19, 4), Fraction(27, 4)),
        ("5-6", "C", Fraction(19, 4), Fraction(27, 4)),
        ("1-1", "D", Fraction(21, 2), Fraction(57, 4)),
        ("6-6", "D", Fraction(21, 2), Fraction(57, 4)),
    ],
)
def test_17_7_power_odds_change_the_horn_by_its_parts(
    name: str, roll: str, group: str, low: Fraction, high: Fraction
) -> None:
    row = winning(laid(name), "horn", "fresh", roll)
    assert row.group == group
    assert (row.ratio("low"), row.ratio("high")) == (low, high)


# --- Ruling 8: Power Odds ---


@pytest.mark.parametrize("name", LED_GAMES)
@pytest.mark.parametrize(
    ("group", "spots", "low", "high"),
    [
        ("A", [("any_craps", "1-1"), ("c", "1-1"), ("any_craps", "1-2"), ("c", "6-6")], 10, 14),
        ("B", [("seven", "3-4")], 6, 8),
        (
            "C",
            [("e", "5-6"), ("hop.1-2", "2-1"), ("hop.3-4", "3-4"), ("horn.3", "1-2"), ("horn.11", "5-6")],
            22,
            30,
        ),
        ("D", [("horn.2", "1-1"), ("horn.12", "6-6"), ("hop.1-1", "1-1"), ("hop.5-5", "5-5")], 45, 60),
        ("E", [("c_and_e", "1-1"), ("c_and_e", "1-2"), ("c_and_e", "6-6")], 4, 6),
        ("E", [("c_and_e", "5-6")], 10, 14),
        ("F", [("hard.4", "2-2"), ("hard.10", "5-5")], 10, 14),
        ("G", [("hard.6", "3-3"), ("hard.8", "4-4")], 13, 18),
    ],
)
def test_17_8_a_power_odds_group_shows_alike_on_all_its_spots(
    name: str, group: str, spots: list[tuple[str, str]], low: int, high: int
) -> None:
    for bet, roll in spots:
        row = winning(laid(name), bet, "fresh", roll)
        assert row.group == group, bet
        assert row.ratio("low") == low, bet
        assert row.ratio("high") == high, bet


@pytest.mark.parametrize("name", LED_GAMES)
def test_17_8_power_odds_never_touch_another_bet(name: str) -> None:
    touched = {row.slot.split(".")[0] for row in laid(name).pays if row.group}
    assert touched == {"any_craps", "c", "seven", "e", "hop", "horn", "c_and_e", "hard"}


# --- Ruling 9: the upfront fee ---


@pytest.mark.parametrize("name", ["craps", "crapless"])
def test_17_9_buy_4_upfront_costs_1_in_20_per_stake_and_1_in_21_per_stake_and_fee(name: str) -> None:
    [in_play] = [terms for terms in par("buy.4", name).commission if terms.in_play]
    assert (in_play.base, in_play.when) == ("stake", "upfront")
    assert in_play.edge_per_stake == Fraction(1, 20)
    assert in_play.edge_per_stake_and_fee == Fraction(1, 21)
    assert par("buy.4", name).edge_per_bet_made == Fraction(1, 20)


@pytest.mark.parametrize(
    ("bet", "stake_cents", "fee_cents"),
    [
        ("buy.4", 20_00, 1_00),
        ("buy.4", 1_00, 5),
        ("lay.6", 6_00, 25),  # 5% of a win of $5.00
        ("lay.6", 5_00, 20),  # 5% of a win of $4.1667 is $0.2083
        ("lay.6", 1_00, 4),  # 5% of a win of $0.8333 is $0.0417
    ],
)
def test_17_9_the_fee_is_rounded_down_to_a_cent(bet: str, stake_cents: int, fee_cents: int) -> None:
    assert upfront_fee(stake_cents, laid("craps").bets[bet].fee) == fee_cents


def test_17_9_an_upfront_fee_is_not_kept_from_the_win_as_well() -> None:
    assert settled(laid("craps"), "buy.4", "fresh", "2-2", 20_00) == Payment(40_00, 0, 0, Fraction(0))
    assert settled(laid("shoot-to-win"), "buy.4", "fresh", "2-2", 20_00) == Payment(39_00, 1_00, 0, Fraction(0))
    assert laid("shoot-to-win").bets["buy.4"].fee == 0


# --- Ruling 10: rounding and breakage ---


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_17_10_place_6_at_5_dollars_breaks_a_third_of_a_cent(name: str) -> None:
    won = settled(laid(name), "place.6", "fresh", "3-3", 5_00)  # 7:6 of $5 is $5.8333
    assert won == Payment(paid_cents=5_83, commission_cents=0, breakage_cents=0, under_a_cent=Fraction(1, 3))
    assert won.breakage / 100 == Fraction(1, 300)  # $0.00333


@pytest.mark.parametrize("name", LED_GAMES)
def test_17_10_lay_6_at_5_dollars_pays_3_95_keeps_20_cents_and_breaks_one(name: str) -> None:
    won = settled(laid(name), "lay.6", "fresh", "3-4", 5_00)
    assert won == Payment(paid_cents=3_95, commission_cents=20, breakage_cents=1, under_a_cent=Fraction(2, 3))
    assert won.under_a_cent / 100 == Fraction(1, 150)  # the meter, in dollars


# --- Ruling 15: odds limits ---


@pytest.mark.parametrize(
    ("policy", "multiples"),
    [
        ("2x", {4: 2, 5: 2, 6: 2, 8: 2, 9: 2, 10: 2}),
        ("3-4-5x", {2: 3, 3: 3, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 3, 12: 3}),
        ("5x", {2: 5, 3: 5, 4: 5, 5: 5, 6: 5, 8: 5, 9: 5, 10: 5, 11: 5, 12: 5}),
        ("6x", {4: 6, 5: 6, 6: 6, 8: 6, 9: 6, 10: 6}),
        ("10x", {4: 10, 5: 10, 6: 10, 8: 10, 9: 10, 10: 10}),
        ("100x", {4: 100, 5: 100, 6: 100, 8: 100, 9: 100, 10: 100}),
    ],
)
def test_17_15_odds_limits_are_multiples_of_the_flat_bet(policy: str, multiples: dict[int, int]) -> None:
    table = odds_tables()[policy]
    assert {point: table.multiple(point) for point in multiples} == multiples


def test_17_15_dont_come_odds_in_shoot_to_win_are_limited_by_the_win() -> None:
    [dont_come] = [full for full in par("dont_come", "shoot-to-win").combined if full.in_play]
    [dont_pass] = [full for full in par("dont_pass", "shoot-to-win").combined if full.in_play]
    assert (dont_come.odds, dont_come.limit) == ("2x", "win")
    assert (dont_pass.odds, dont_pass.limit) == ("2x", "stake")
    # Flat, and odds as often as each point comes: 4/10 4x (1:2), 5/9 3x (2:3), 6/8 12/5 x (5:6).
    assert dont_come.mean_staked == 1 + (6 * 4 + 8 * 3 + 10 * Fraction(12, 5)) / 36
    assert dont_pass.mean_staked == 1 + Fraction(24 * 2, 36)


# --- Ruling 16: sitting out ---


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_17_16_a_one_roll_wager_that_sits_out_is_not_touched(name: str) -> None:
    layout = laid(name)
    one_roll = [bet.id for bet in layout.bets.values() if bet.one_roll]
    assert "field" in one_roll
    assert [bet for bet in one_roll if not untouched(layout, bet, "fresh", How.OFF)] == []


# --- Ruling 20: Hot Shooter ---


@pytest.mark.parametrize("name", LED_GAMES)
@pytest.mark.parametrize(("table", "top"), [("HSJ-50", 50), ("HSJ-51", 51)])
def test_17_20_hot_shooter_is_paid_on_the_top_roll_and_over(name: str, table: str, top: int) -> None:
    layout = laid(name, f"hot_shooter.paytable={table}")
    before = lying(layout, "hot_shooter", *[6] * (top - 1))
    for how in How.COME_OUT, How.POINT_ON:
        for total in range(2, 13):
            assert after(layout, "hot_shooter", before, total, how) == "wins 100 for 1 and is taken"


@pytest.mark.parametrize("name", LED_GAMES)
def test_17_20_hot_shooter_goes_on_until_a_seven_out(name: str) -> None:
    layout = laid(name)
    for count in range(49):
        before = lying(layout, "hot_shooter", *[6] * count)
        assert totals(layout, "hot_shooter", before, "moves", How.COME_OUT) == set(range(2, 13))
        assert totals(layout, "hot_shooter", before, "moves", How.POINT_ON) == set(range(2, 13)) - {7}


@pytest.mark.parametrize("name", LED_GAMES)
def test_17_20_one_times_the_bet_is_the_stake_back(name: str) -> None:
    [row] = [r for r in par("hot_shooter", name).results if r.pays == "1 for 1"]
    assert row.net == 0


# --- Ruling 21: the puck put off by hand ---


@pytest.mark.parametrize("name", LED_GAMES)
def test_17_21_hot_shooter_alone_reads_the_puck(name: str) -> None:
    assert [bet.id for bet in laid(name).bets.values() if bet.reads_puck] == ["hot_shooter"]


# --- Ruling 22: sets are per wager ---


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_17_22_low_wins_while_all_keeps_its_set(name: str) -> None:
    layout = laid(name)
    low = lying(layout, "lucky_roller.low", 3, 4, 5, 6)
    everything = lying(layout, "lucky_roller.all", 3, 4, 5, 6)
    assert after(layout, "lucky_roller.low", low, 2) == "wins 30 to 1 and is returned"
    assert after(layout, "lucky_roller.all", everything, 2).startswith("moves to")
    kept = lying(layout, "lucky_roller.all", 3, 4, 5, 6, 2)
    assert totals(layout, "lucky_roller.all", kept, "stays") == {2, 3, 4, 5, 6}
    assert totals(layout, "lucky_roller.all", kept, "moves") == {8, 9, 10, 11, 12}


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_17_22_a_new_wager_starts_with_an_empty_set(name: str) -> None:
    layout = laid(name)
    for bet, wanted in ("low", {2, 3, 4, 5, 6}), ("high", {8, 9, 10, 11, 12}):
        assert totals(layout, f"lucky_roller.{bet}", "fresh", "moves") == wanted
        assert totals(layout, f"lucky_roller.{bet}", "fresh", "loses") == {7}


# --- Ruling 23: the progressive meter ---


@pytest.mark.parametrize("name", FIVE_GAMES)
@pytest.mark.parametrize("bet", ["make_em_all", "fired_up"])
def test_17_23_winners_on_one_roll_are_each_paid_in_full(name: str, bet: str) -> None:
    assert game(name).progressive(bet).winners == "in_full"


@pytest.mark.parametrize(
    ("bet", "table"),
    [("make_em_all", "MEA-01"), ("fired_up", "FUP-01"), ("fired_up", "FUP-03"), ("fired_up", "FUP-06")],
)
def test_17_23_a_meter_split_by_two_would_return_under_75_percent(bet: str, table: str) -> None:
    progressive = par_tables(bet, "craps")[table].progressive
    assert progressive
    assert progressive.fixed_rtp + (progressive.rtp_at_reset - progressive.fixed_rtp) / 2 < Fraction(3, 4)


@pytest.mark.parametrize(
    ("bet", "top"), [("make_em_all", [2, 3, 4, 5, 6, 8, 9, 10, 11]), ("fired_up", [8, 9, 10, 11])]
)
def test_17_23_the_top_award_is_the_whole_meter_and_the_rest_is_fixed(bet: str, top: list[int]) -> None:
    craps = laid("craps", f"{bet}.on=true")
    assert winning(craps, bet, lying(craps, bet, *top), "6-6").meter == craps.game.meter(bet)
    assert after(craps, bet, lying(craps, bet, *top), 7) == "wins 300 for 1 and is taken"
    assert not winning(craps, bet, lying(craps, bet, *top), "3-4").meter
