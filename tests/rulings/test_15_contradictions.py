"""RULES 15: where the sources contradict each other or themselves, and which reading was taken."""

import pytest

from stickman.rules.layout import Layout
from stickman.rules.machine import How
from stickman.rules.paytable import pay_tables
from tests.talk.cells import after, lies, lying, states, totals
from tests.talk.games import (
    COME_GAMES,
    DONT_GAMES,
    FIVE_GAMES,
    LED_GAMES,
    SIX_POINTS,
    TEN_POINTS,
    laid,
    par,
    par_tables,
    rounded,
)
from tests.talk.table import seated, two_seats

# --- 15.1 Big and Small ---


def test_15_1_big_and_small_lie_until_seven_or_single_roll() -> None:
    until_seven = laid("craps", "big_small=until_seven")
    assert totals(until_seven, "big", "fresh", "wins") == {8, 9, 10, 11, 12}
    assert totals(until_seven, "big", "fresh", "loses") == {7}
    assert totals(until_seven, "big", "fresh", "stays") == {2, 3, 4, 5, 6}
    assert totals(until_seven, "small", "fresh", "wins") == {2, 3, 4, 5, 6}
    assert totals(until_seven, "small", "fresh", "loses") == {7}
    assert totals(until_seven, "small", "fresh", "stays") == {8, 9, 10, 11, 12}

    single_roll = laid("craps", "big_small=single_roll")
    assert totals(single_roll, "big", "fresh", "wins") == {8, 9, 10, 11, 12}
    assert totals(single_roll, "big", "fresh", "loses") == {2, 3, 4, 5, 6, 7}
    assert totals(single_roll, "small", "fresh", "wins") == {2, 3, 4, 5, 6}
    assert totals(single_roll, "small", "fresh", "loses") == {7, 8, 9, 10, 11, 12}


def test_15_1_until_seven_is_what_craps_plays() -> None:
    """Big $3 stays on a 5 and wins 1 to 3 on the 8 that follows; on a single roll the 5 takes it."""
    one = seated("craps").bets("big", 3)
    assert one.table.rolls("2-3").seat(1).lies == {"big": 3_00}
    one.table.rolls("6-2")
    assert (one.paid, one.credit) == (1_00, 101_00)
    single = seated("craps", "big_small=single_roll").bets("big", 3)
    single.table.rolls("2-3")
    assert (single.lies, single.credit) == ({}, 97_00)


# --- 15.2 the don't side ---


@pytest.mark.parametrize("name", DONT_GAMES)
@pytest.mark.parametrize("bet", ["dont_pass", "dont_come"])
@pytest.mark.parametrize("point", SIX_POINTS)
def test_15_2_a_dont_bet_with_a_point_wins_on_seven_and_loses_on_the_point(name: str, bet: str, point: int) -> None:
    state = str(point)
    assert totals(laid(name), bet, state, "wins") == {7}
    assert totals(laid(name), bet, state, "loses") == {point}
    assert totals(laid(name), bet, state, "stays") >= {2, 3, 11, 12}


@pytest.mark.parametrize("name", DONT_GAMES)
@pytest.mark.parametrize("point", SIX_POINTS)
def test_15_2_dont_odds_win_on_seven_and_lose_on_the_point(name: str, point: int) -> None:
    state = str(point)
    for bet in "dont_pass.odds", f"dont_come.{point}.odds":
        assert totals(laid(name), bet, state, "wins") == {7}
        assert totals(laid(name), bet, state, "loses") == {point}


# --- 15.3 Come on the come-out ---


@pytest.mark.parametrize("name", COME_GAMES)
def test_15_3_come_lies_since_a_point_or_with_a_point_on(name: str) -> None:
    """Once a point is made the puck is off: craps and crapless still take Come, the led games do not."""
    one = seated(name).bets("pass", 10)
    one.refused("point_only" if name in LED_GAMES else "since_point_only").bets("come", 5)
    one.table.rolls("2-2")
    one.twin().bets("come", 5)
    one.table.rolls("2-2")
    assert one.table.puck == 0
    if name in LED_GAMES:
        one.refused("point_only").bets("come", 5)
    else:
        assert one.bets("come", 5).lies == {"come": 5_00}


@pytest.mark.parametrize("how", [How.COME_OUT, How.POINT_ON])
def test_15_3_a_come_wager_on_a_come_out_roll_acts_as_pass_on_that_roll(how: How) -> None:
    craps, crapless = laid("craps"), laid("crapless")
    assert totals(craps, "come", "fresh", "wins", how) == {7, 11}
    assert totals(craps, "come", "fresh", "loses", how) == {2, 3, 12}
    assert totals(crapless, "come", "fresh", "wins", how) == {7}
    assert totals(crapless, "come", "fresh", "loses", how) == set()
    assert totals(craps, "dont_come", "fresh", "wins", how) == {2, 3}
    assert totals(craps, "dont_come", "fresh", "loses", how) == {7, 11}
    for point in SIX_POINTS:
        assert after(craps, "come", "fresh", point, how) == f"moves to {point}"
        assert after(craps, "dont_come", "fresh", point, how) == f"moves to {point}"


# --- 15.4 Lucky Shooter before a point ---


def test_15_4_lucky_shooter_stays_on_seven_and_eleven_before_a_point_and_loses_on_craps() -> None:
    craps = laid("craps")
    assert totals(craps, "lucky_shooter", "fresh", "stays") == {7, 11}
    assert totals(craps, "lucky_shooter", "fresh", "loses") == {2, 3, 12}
    assert totals(craps, "lucky_shooter", "fresh", "moves") == {4, 5, 6, 8, 9, 10}


# --- 15.5 Hot Shooter ---


def seven_out(layout: Layout, roll_count: int) -> str:
    """What a seven-out does to Hot Shooter as the hand's roll of this number."""
    before = lying(layout, "hot_shooter", *[6] * (roll_count - 1))
    return after(layout, "hot_shooter", before, 7, How.POINT_ON)


def test_15_5_hot_shooter_pays_for_one_and_returns_90_93_percent() -> None:
    hot_shooter = par("hot_shooter", "roll-to-win")
    assert {r.pays: int(r.net) for r in hot_shooter.results if r.result == "win"} == {
        "100 for 1": 99,
        "30 for 1": 29,
        "12 for 1": 11,
        "7 for 1": 6,
        "5 for 1": 4,
        "3 for 1": 2,
        "1 for 1": 0,
    }
    assert rounded(hot_shooter.rtp) == "90.93%"


def test_15_5_hot_shooter_paid_to_one_would_return_over_100_percent() -> None:
    hot_shooter = par("hot_shooter", "roll-to-win")
    assert hot_shooter.rtp < 1 < hot_shooter.rtp + hot_shooter.hit_rate


@pytest.mark.parametrize("name", ["crapless", "easy"])
def test_15_5_the_same_table_returns_75_8_percent_with_ten_points(name: str) -> None:
    assert rounded(par("hot_shooter", name).rtp, 1) == "75.8%"


@pytest.mark.parametrize(
    ("roll_count", "pays"),
    [
        (7, None),
        (8, "1 for 1"),
        (15, "1 for 1"),
        (16, "3 for 1"),
        (23, "3 for 1"),
        (24, "5 for 1"),
        (31, "5 for 1"),
        (32, "7 for 1"),
        (39, "7 for 1"),
        (40, "12 for 1"),
        (44, "12 for 1"),
        (45, "30 for 1"),
        (49, "30 for 1"),
        (50, "100 for 1"),
    ],
)
def test_15_5_the_seven_out_is_counted_and_exactly_50_pays_100(roll_count: int, pays: str | None) -> None:
    assert seven_out(laid("roll-to-win"), roll_count) == (f"wins {pays} and is taken" if pays else "loses")


def test_15_5_pay_table_hsj_51_has_an_edge_of_9_90_percent() -> None:
    table = "hot_shooter.paytable=HSJ-51"
    assert rounded(par_tables("hot_shooter", "roll-to-win")["HSJ-51"].edge_per_bet_made) == "9.90%"
    for roll_count, pays in (45, "30 for 1"), (50, "30 for 1"), (51, "100 for 1"):
        assert seven_out(laid("roll-to-win", table), roll_count) == f"wins {pays} and is taken"


def test_15_5_hot_shooter_rows_are_named_as_printed() -> None:
    tables = pay_tables("hot_shooter")
    assert list(tables["HSJ-50"].rows) == ["8-15", "16-23", "24-31", "32-39", "40-44", "45-49", "50+"]
    assert list(tables["HSJ-51"].rows) == ["8-15", "16-23", "24-31", "32-39", "40-44", "45-50", "51+"]


# --- 15.6 Don't Pass once it has a point ---


@pytest.mark.parametrize(("name", "locked"), [("craps", False), ("roll-to-win", False), ("shoot-to-win", True)])
@pytest.mark.parametrize("point", SIX_POINTS)
def test_15_6_dont_pass_is_no_contract_but_in_shoot_to_win(name: str, locked: bool, point: int) -> None:
    assert lies(laid(name), "dont_pass", str(point)).locked is locked
    assert not lies(laid(name), "dont_pass", "fresh").locked


# --- 15.7 Place in Easy ---


@pytest.mark.parametrize("number", TEN_POINTS)
def test_15_7_place_in_easy_wins_on_its_number_and_loses_on_seven(number: int) -> None:
    easy, bet = laid("easy"), f"place.{number}"
    assert totals(easy, bet, "fresh", "wins") == {number}
    assert totals(easy, bet, "fresh", "loses") == {7}


# --- 15.8 the shooter ---


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_15_8_only_shoot_to_win_passes_the_dice_when_a_point_is_established(name: str) -> None:
    table, one, two = two_seats(name)
    for seat in one, two:
        seat.bets("pass", 5)
    assert table.closes().now.shooter == 1
    assert table.counts("2-2").opens().closes().now.shooter == (2 if name == "shoot-to-win" else 1)
    table.counts("3-4").opens()
    for seat in one, two:
        seat.bets("pass", 5)
    assert table.closes().now.shooter == (1 if name == "shoot-to-win" else 2)


# --- 15.9, 15.10 pay tables that look like misprints ---


def test_15_9_bc_08_gives_twice_the_envy_on_small_and_tall() -> None:
    envy = {
        table: [rows.rows[bet].envy for bet in ("small", "tall", "all")]
        for table, rows in pay_tables("bonus_craps").items()
    }
    assert envy == {
        "BC-03": ["1x", "1x", "5x"],
        "BC-04": [None, None, None],
        "BC-05": [None, None, None],
        "BC-06": [None, None, None],
        "BC-07": ["1x", "1x", "5x"],
        "BC-08": ["2x", "2x", "5x"],
        "BC-09": ["1x", "1x", "5x"],
    }


def test_15_10_fup_05_and_fup_06_differ_in_pays_as_well_as_envy() -> None:
    tables = pay_tables("fired_up")
    assert tables["FUP-05"].sequences == tables["FUP-06"].sequences == ((8, 9, 10, 11, 12),)
    printed = {
        table: {length: (str(row.pays), row.envy) for length, row in tables[table].rows.items()}
        for table in ("FUP-05", "FUP-06")
    }
    assert printed["FUP-05"] == {
        "5": ("meter", "$2000"),
        "4": ("1000 for 1", "$60 each"),
        "3": ("200 for 1", None),
        "2": ("20 for 1", None),
        "1": ("2 for 1", None),
    }
    assert printed["FUP-06"] == {
        "5": ("meter", None),
        "4": ("200 for 1", None),
        "3": ("40 for 1", None),
        "2": ("6 for 1", None),
        "1": ("3 for 1", None),
    }


# --- 15.11 slips ---


@pytest.mark.parametrize("name", FIVE_GAMES)
@pytest.mark.parametrize(
    ("number", "pair", "easy_ways"),
    [
        (4, "2-2", ["1-3", "3-1"]),
        (6, "3-3", ["1-5", "5-1", "2-4", "4-2"]),
        (8, "4-4", ["2-6", "6-2", "3-5", "5-3"]),
        (10, "5-5", ["4-6", "6-4"]),
    ],
)
def test_15_11_a_hard_way_loses_on_the_easy_way_and_seven_only(
    name: str, number: int, pair: str, easy_ways: list[str]
) -> None:
    layout, bet = laid(name), f"hard.{number}"
    assert after(layout, bet, "fresh", pair).startswith("wins")
    assert [after(layout, bet, "fresh", way) for way in easy_ways] == ["loses"] * len(easy_ways)
    assert after(layout, bet, "fresh", 7) == "loses"
    for total in {2, 3, 4, 5, 6, 8, 9, 10, 11, 12} - {number}:
        assert after(layout, bet, "fresh", total) == "stays"


@pytest.mark.parametrize("name", DONT_GAMES)
@pytest.mark.parametrize("number", [6, 8])
def test_15_11_big_6_and_big_8_lose_on_any_seven(name: str, number: int) -> None:
    for how in How.COME_OUT, How.POINT_ON:
        assert totals(laid(name), f"big.{number}", "fresh", "loses", how) == {7}
        assert totals(laid(name), f"big.{number}", "fresh", "wins", how) == {number}


@pytest.mark.parametrize("name", DONT_GAMES)
def test_15_11_dont_come_is_no_contract(name: str) -> None:
    assert [state for state in states(laid(name), "dont_come") if lies(laid(name), "dont_come", state).locked] == []


def test_15_11_lucky_shooter_pays_the_top_award_on_any_later_roll() -> None:
    craps = laid("craps")
    all_five = lying(craps, "lucky_shooter", 6, 4, 5, 8, 9, 10)
    assert totals(craps, "lucky_shooter", all_five, "stays") == {4, 5, 8, 9, 10}
    assert totals(craps, "lucky_shooter", all_five, "wins 150 to 1") == {6}


# --- 15.12 Come on the table's point ---


@pytest.mark.parametrize("name", DONT_GAMES)
@pytest.mark.parametrize("point", SIX_POINTS)
def test_15_12_come_travels_to_the_tables_point_while_the_line_resolves(name: str, point: int) -> None:
    layout, at_point = laid(name), str(point)
    assert after(layout, "come", "fresh", point, How.POINT_ON) == f"moves to {point}"
    assert after(layout, "dont_come", "fresh", point, How.POINT_ON) == f"moves to {point}"
    assert after(layout, "pass", at_point, point, How.POINT_ON).startswith("wins")
    assert after(layout, "dont_pass", at_point, point, How.POINT_ON) == "loses"
    assert lies(layout, "come", at_point).spot == f"come.{point}"
    assert lies(layout, "dont_come", at_point).spot == f"dont_come.{point}"
