"""Rulings 36, 37, 38 and 44, each worked out by hand: the most that side games pay, when they are placed, their
meters, and odds policies."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from stickman.floor.lock import read_lock
from stickman.floor.placard import placard
from stickman.par.sheet import SheetRequest, sheet
from stickman.rules.datafile import BadFile
from stickman.rules.game import Game
from stickman.rules.layout import lay_out
from stickman.rules.schema import MeterTerms
from stickman.rules.settings import load, settings
from stickman.table.offers import offers
from stickman.table.view import shared_view
from tests.talk.games import game, side_games
from tests.talk.table import SeatTalk, TableTalk, opened

LOW_SET = ("1-1", "1-2", "2-2", "2-3", "2-4")
HIGH_SET = ("4-4", "4-5", "5-5", "5-6", "6-6")


def seated(name: str, *changes: str, dollars: int = 2_000) -> SeatTalk:
    return opened(name, *changes).seat(1).inserts(dollars)


def with_point(name: str, point: str, *changes: str) -> SeatTalk:
    """A seat with $10 on Pass, and its point."""
    one = seated(name, *changes).bets("pass", 10)
    one.table.rolls(point)
    return one


def buttons(one: SeatTalk) -> list[int]:
    [asked] = offers(one.table.now, 1, one.table.facts).odds
    return [choice.multiple for choice in asked.choices]


# --- 44: odds policies ---


@pytest.mark.parametrize("times", [2, 4, 7, 20, 33, 100])
def test_ruling_44_any_multiple_from_2x_to_100x_is_a_policy(times: int) -> None:
    one = with_point("craps", "2-2", f"odds.take={times}x")
    one.bets("pass.odds", 10 * times)
    assert one.lies == {"pass": 1_000, "pass.odds": 1_000 * times}
    one.refused("over_odds").bets("pass.odds", 1)


@pytest.mark.parametrize(
    "policy",
    [
        *("1x", "101x", "0x", "1000x", "x", "20", "3-4-6x", "", "-5x", "05x"),
        *("4=1 other=2", "4=101 other=2", "7=3 other=2", "4=3 4=5 other=2", "13=3 other=2", "4=03 other=2"),
        *("4 = 3", "other=2 world"),
    ],
)
def test_ruling_44_what_is_no_policy_is_refused_and_the_refusal_says_what_is(policy: str) -> None:
    with pytest.raises(BadFile) as found:
        game("craps", f"odds.take={policy!r}")
    assert "2x to 100x, 3-4-5x, or a multiple for each point such as '4=3 5=4" in found.value.allowed


def test_ruling_44_a_multiple_for_each_point() -> None:
    """$10 at 4, 5 and 6: $20, $50, $70."""
    policy = "odds.take=4=2 5=5 6=7 8=7 9=5 10=2"
    for dice, most in (("2-2", 20), ("2-3", 50), ("2-4", 70)):
        one = with_point("craps", dice, policy)
        one.refused("over_odds").bets("pass.odds", most + 1)
        assert one.bets("pass.odds", most).lies["pass.odds"] == most * 100


def test_ruling_44_a_policy_names_every_point_or_says_other() -> None:
    """Crapless has 2 3 11 12 as well."""
    with pytest.raises(BadFile, match="a multiple for 2, 3, 11, 12 too, or other=3"):
        game("crapless", "odds.take=4=3 5=4 6=5 8=5 9=4 10=3")
    with pytest.raises(BadFile, match="a multiple for 6, 8, 9, 10 too"):
        game("craps", "odds.lay=4=3 5=4")
    one = with_point("crapless", "1-1", "odds.take=4=3 5=4 6=5 8=5 9=4 10=3 other=8")
    assert one.bets("pass.odds", 80).lies["pass.odds"] == 8_000


def test_ruling_44_the_same_policy_typed_otherwise_is_the_same_game() -> None:
    one = game("craps", "odds.take=other=5  10=3 4=3")
    assert one.odds.take == "4=3 10=3 other=5"
    assert one.fingerprint() == game("craps", "odds.take=4=3 10=3 other=5").fingerprint()
    assert one.fingerprint() != game("craps", "odds.take=4=3 10=3 other=6").fingerprint()


@pytest.mark.parametrize(
    ("policy", "shown"),
    [
        ("2x", [1, 2]),
        ("5x", [1, 2, 3, 4, 5]),
        ("6x", [1, 2, 3, 4, 6]),
        ("10x", [1, 2, 3, 5, 10]),
        ("100x", [1, 2, 5, 10, 20, 50, 100]),
        ("3-4-5x", [1, 2, 3]),
        ("4x", [1, 2, 3, 4]),
        ("7x", [1, 2, 3, 4, 5, 6, 7]),
        ("20x", [1, 2, 3, 5, 10, 20]),
        ("60x", [1, 2, 5, 10, 20, 50, 60]),
        ("4=25 other=40", [1, 2, 3, 5, 10, 20, 25]),
    ],
)
def test_ruling_44_the_pop_up_goes_from_1x_to_the_most_in_at_most_seven_buttons(
    policy: str, shown: list[int]
) -> None:
    """At point 4. The sources print the buttons of 5x and 6x (IB) and the multiples of the others."""
    assert buttons(with_point("craps", "2-2", f"odds.take={policy}")) == shown


def test_ruling_44_screens_par_sheet_placard_and_lock_read_the_policy() -> None:
    playing = game("craps", "odds.take=20x", "odds.lay=4=3 5=4 6=5 8=5 9=4 10=3")
    shown = placard(lay_out(playing))
    assert shown.bets["pass"].odds == dict.fromkeys((4, 5, 6, 8, 9, 10), "20/1")
    assert shown.bets["dont_pass"].odds == {4: "3/1", 5: "4/1", 6: "5/1", 8: "5/1", 9: "4/1", 10: "3/1"}
    table = opened("craps", "odds.take=20x")
    assert shared_view(table.now, table.facts).limits.take_odds == "20x"
    [line] = sheet(playing, SheetRequest(bet="pass")).bets
    [in_play] = [each for each in line.combined if each.in_play]
    assert (in_play.odds, in_play.mean_staked) == ("20x", 1 + Fraction(2, 3) * 20)
    held = read_lock(b'name = "x"\nsettings.odds.take = ["20x", "10=3 4=3 other=5"]', "lock")
    assert held.forbids(playing) == []
    assert held.forbids(game("craps", "odds.take=4=3 10=3 other=5")) == []
    assert held.forbids(game("craps", "odds.take=21x")) != []


def test_ruling_44_the_settings_page_says_what_may_be_typed() -> None:
    [take] = [each for each in settings(load("craps")) if each.key == "odds.take"]
    assert take.choices == ()
    assert take.allowed.startswith("2x to 100x, 3-4-5x, or a multiple for each point")


# --- 36: the most that a side game pays ---


def test_ruling_36_the_stake_in_a_pay_for_1_does_not_count() -> None:
    """Hot Shooter, 16 rolls: 3 for 1 on $10 is $30, of which $20 is beyond the stake; of that $5 is paid."""
    one = seated("roll-to-win", "hot_shooter.aggregate_max_cents=500", dollars=100).bets("hot_shooter", 10)
    one.table.rolls("2-2", *["3-3"] * 14, "3-4")
    assert one.credit == 9_000 + 1_000 + 500


def test_ruling_36_a_stake_that_comes_back_is_never_cut() -> None:
    """8 rolls: 1 for 1 is the stake itself."""
    one = seated("roll-to-win", "hot_shooter.aggregate_max_cents=1", dollars=100).bets("hot_shooter", 10)
    one.table.rolls("2-2", *["3-3"] * 6, "3-4")
    assert one.credit == 10_000


def test_ruling_36_a_meters_award_is_never_cut() -> None:
    """The audit's case: a limit of $1,000, ten numbers; the meter's $25,000.00 and the 5 cents it was fed."""
    one = seated("craps", *side_games("make_em_all"), "make_em_all.aggregate_max_cents=100000")
    one.bets("make_em_all", 1)
    one.table.rolls(*LOW_SET, *HIGH_SET)
    assert one.paid == 2_500_000


def capped(per: str, cents: int, *changes: str) -> SeatTalk:
    limit = (f"lucky_roller.aggregate_max_cents={cents}", f"lucky_roller.aggregate_per={per}")
    return seated("roll-to-win", *limit, *changes)


def test_ruling_36_per_roll_every_roll_has_the_whole_limit() -> None:
    """Low, then High at $5: $150 each, limit $100 a roll."""
    one = capped("roll", 10_000).bets("lucky_roller.low", 5).bets("lucky_roller.high", 5)
    one.table.rolls(*LOW_SET, *HIGH_SET)
    assert one.credit == 200_000 + 10_000 + 10_000


def test_ruling_36_per_hand_what_the_hand_has_paid_is_gone() -> None:
    """Low pays $150 of $200; High would pay $150 and gets the $50 that are left; stakes come back whole."""
    one = capped("hand", 20_000).bets("lucky_roller.low", 5).bets("lucky_roller.high", 5)
    one.table.rolls(*LOW_SET)
    assert one.paid == 15_000
    one.table.rolls(*HIGH_SET)
    assert one.paid == 5_000
    assert one.credit == 200_000 + 20_000


def test_ruling_36_per_hand_a_limit_that_is_used_up_pays_stakes_alone() -> None:
    one = capped("hand", 15_000).bets("lucky_roller.low", 5).bets("lucky_roller.high", 5)
    one.table.rolls(*LOW_SET, *HIGH_SET)
    assert one.credit == 200_000 + 15_000


def test_ruling_36_per_hand_the_winners_of_a_roll_share_what_is_left_pro_rata() -> None:
    """$50 left for High of $5 and $10 ($150 and $300): 16.66 and 33.33."""
    one = capped("hand", 20_000).bets("lucky_roller.low", 5).bets("lucky_roller.high", 5)
    two = one.table.seat(2).inserts(100).bets("lucky_roller.high", 10)
    one.table.rolls(*LOW_SET, *HIGH_SET)
    assert (one.paid, two.paid) == (1_666, 3_333)


def test_ruling_36_a_seven_out_ends_what_a_hand_has_paid() -> None:
    one = capped("hand", 15_000).bets("lucky_roller.low", 5).bets("lucky_roller.all", 1)
    one.table.rolls(*LOW_SET, "3-4")
    one.bets("lucky_roller.low", 5)
    one.table.rolls(*LOW_SET)
    assert one.paid == 15_000


def test_ruling_36_a_seven_of_the_come_out_does_not_end_the_hand() -> None:
    """4 4 makes the point, 7 on the come-out: still the same hand."""
    one = capped("hand", 15_000).bets("lucky_roller.low", 5).bets("lucky_roller.all", 1)
    one.table.rolls(*LOW_SET, "2-2", "3-4")
    one.bets("lucky_roller.low", 5)
    one.table.rolls(*LOW_SET)
    assert one.paid == 0


def five_different_twice(limit: int) -> TableTalk:
    """Make 'Em All, five different numbers and a repeat (2 for 1: $1 beyond the stake), and five more."""
    changes = (
        "make_em_all.when=any_roll",
        f"make_em_all.aggregate_max_cents={limit}",
        "make_em_all.aggregate_per=hand",
    )
    table = opened("craps", *side_games("make_em_all"), *changes)
    table.seat(1).inserts(100).bets("make_em_all", 1)
    table.rolls(*LOW_SET, "2-4")
    assert table.seat(1).credit == 10_100
    table.seat(1).bets("make_em_all", 1)
    return table.rolls(*HIGH_SET)


def test_ruling_36_the_seven_out_itself_belongs_to_the_hand() -> None:
    """Of $1.50 the first five took $1; the seven-out pays the second five 50 cents beyond their stake."""
    table = five_different_twice(150)
    table.rolls("3-4")
    assert table.seat(1).credit == 10_100 + 50


def test_ruling_36_a_reversal_restores_what_the_hand_had_paid() -> None:
    """The wrong dice repeat a number and use the limit up; the right ones (a seven-out) pay the same $1 again."""
    changes = (*side_games("make_em_all"), "make_em_all.aggregate_max_cents=100", "make_em_all.aggregate_per=hand")
    table = opened("craps", *changes).dealer()
    one = table.seat(1).inserts(100).bets("make_em_all", 1)
    table.rolls(*LOW_SET, "2-4")
    assert table.now.hand_paid == {"make_em_all": 100}
    table.reverses_to("2-3")
    assert (one.credit, table.now.hand_paid) == (10_100, {"make_em_all": 100})
    table.reverses_to("3-4")
    assert (one.credit, table.now.hand_paid) == (10_100, {})


def test_ruling_36_envy_is_not_cut_and_does_not_count() -> None:
    """BC-03: Small pays 30 to 1 on $1, envy 1x; the limit is $10 a hand. The dealer still gets $1."""
    changes = (
        "bonus_craps.paytable=BC-03",
        "bonus_craps.aggregate_max_cents=1000",
        "bonus_craps.aggregate_per=hand",
    )
    table = opened("craps", *side_games("bonus_craps"), *changes).dealer()
    table.seat(1).inserts(100).bets("bonus.small", 1)
    table.rolls(*LOW_SET)
    assert (table.account("envy"), table.now.hand_paid) == (100, {"bonus_craps": 1_000})


def test_ruling_36_the_rules_screen_posts_the_limit() -> None:
    playing = game(
        "craps",
        *side_games("bonus_craps", "hot_shooter"),
        "bonus_craps.aggregate_max_cents=2500000",
        "bonus_craps.aggregate_per=hand",
    )
    sides = placard(lay_out(playing)).side_games
    assert set(sides) == {"bonus_craps", "hot_shooter", "lucky_roller", "lucky_shooter"}
    assert (sides["bonus_craps"].aggregate_max_cents, sides["bonus_craps"].aggregate_per) == (2_500_000, "hand")
    assert (sides["hot_shooter"].aggregate_max_cents, sides["hot_shooter"].aggregate_per) == (0, "roll")


@pytest.mark.parametrize("name", ["craps", "crapless", "easy", "roll-to-win", "shoot-to-win"])
def test_ruling_58_every_game_limits_a_roll(name: str) -> None:
    assert {side.aggregate_per for side in load(name).side_games().values()} == {"roll"}


# --- 37: windows ---

WINDOWED = [("bonus_craps", "bonus.small"), ("make_em_all", "make_em_all"), ("fired_up", "fired_up")]


@pytest.mark.parametrize(("side", "bet"), WINDOWED)
def test_ruling_37_after_seven_by_default(side: str, bet: str) -> None:
    one = seated("craps", *side_games(side)).bets("field", 1)
    one.table.rolls("4-4")
    one.refused("after_seven_only").bets(bet, 1)
    one.bets("field", 1).table.rolls("3-4")
    assert one.bets(bet, 1).lies[bet] == 100


@pytest.mark.parametrize(("side", "bet"), WINDOWED)
def test_ruling_37_any_roll_when_the_seat_has_none_active(side: str, bet: str) -> None:
    """8 matches Fired Up's second sequence, is new to Make 'Em All and nothing to Small: each stays active."""
    one = seated("craps", *side_games(side), f"{side}.when=any_roll").bets("field", 1)
    one.table.rolls("4-5")
    one.bets(bet, 1).table.rolls("4-4")
    one.refused("locked").bets(bet, 1)
    two = one.table.seat(2).inserts(10)
    assert two.bets(bet, 1).lies == {bet: 100}


def test_ruling_37_after_a_repeat_any_roll_lets_a_new_run_begin_at_once() -> None:
    one = seated("craps", *side_games("make_em_all"), "make_em_all.when=any_roll").bets("make_em_all", 1)
    one.table.rolls("4-4", "2-6")
    assert one.lies == {}
    assert one.bets("make_em_all", 1).lies == {"make_em_all": 100}


def test_ruling_22_bonus_under_after_seven_is_open_once_the_table_has_seen_the_whole_set() -> None:
    one = seated("craps", *side_games("bonus_craps")).bets("bonus.small", 1)
    one.table.rolls(*LOW_SET)
    assert one.bets("bonus.small", 1).lies["bonus.small"] == 100
    one.refused("after_seven_only").bets("bonus.tall", 1)


def test_ruling_58_windows_of_the_five_games() -> None:
    def windows(playing: Game) -> set[str]:
        return {playing.bonus_craps.when, playing.make_em_all.when, playing.fired_up.when}

    for name in ("craps", "crapless", "easy", "roll-to-win", "shoot-to-win"):
        assert windows(load(name)) == {"after_seven"}
    whens = {name: load(name).lucky_roller.when for name in ("craps", "crapless", "easy")}
    assert set(whens.values()) == {"after_seven"}
    assert {load(name).lucky_roller.when for name in ("roll-to-win", "shoot-to-win")} == {"any_roll"}


# --- 38: meters ---


def test_ruling_38_a_meters_key_is_name_base_and_pay_table() -> None:
    keys = {
        game("craps", *changes).meter("make_em_all")
        for changes in (
            (),
            ("make_em_all.base_cents=500",),
            ("make_em_all.paytable=MEA-02",),
            ("make_em_all.meter=upstairs",),
        )
    }
    assert keys == {
        "make_em_all/100/MEA-01",
        "make_em_all/500/MEA-01",
        "make_em_all/100/MEA-02",
        "upstairs/100/MEA-01",
    }


def test_ruling_38_one_game_cannot_name_one_meter_for_two_progressives() -> None:
    with pytest.raises(BadFile, match=r"fired_up.meter: found 'make_em_all'; allowed: a different meter"):
        game("craps", "fired_up.meter=make_em_all")


def test_ruling_38_the_meter_says_what_is_fed_what_several_winners_get_and_the_seed() -> None:
    """The table's game says 5%, in full and $25,000; the meter owns 10%, a split and $40,000."""
    table, owned = (
        opened("craps", *side_games("make_em_all")),
        MeterTerms(seed_cents=4_000_000, increment_bp=1_000, reserve_bp=0, winners="split"),
    )
    meter = table.game.meter("make_em_all")
    table.meter("make_em_all", "25000.00")
    table.facts = replace(table.facts, terms={meter: owned})
    for number in (1, 2):
        table.seat(number).inserts(100).bets("make_em_all", 1)
    table.rolls(*LOW_SET, *HIGH_SET)
    assert [table.seat(number).paid for number in (1, 2)] == [1_250_000, 1_250_000]
    assert table.account(f"progressive:{meter}") == 20 - 2_500_000 + 4_000_000


# --- Limits that are shown ---


def test_the_horns_limits_are_shown_in_whole_quarters() -> None:
    """RULES 3: a multiple of four chips. $1 to $1,000 in steps of $1 is $4 to $1,000 in steps of $4; $5 to $30 is
    $8 to $28."""
    table = opened("craps")
    assert shared_view(table.now, table.facts).limits.bets["horn"] == (400, 100_000, 400)
    table = opened("craps", "bet_limits.horn.min_cents=500", "bet_limits.horn.max_cents=3000")
    assert shared_view(table.now, table.facts).limits.bets["horn"] == (800, 2_800, 400)
    card = placard(lay_out(table.game)).bets["horn"]
    assert (card.min_cents, card.max_cents, card.step_cents) == (800, 2_800, 400)
    one = table.seat(1).inserts(100)
    one.refused("under_min").bets("horn", 4)
    assert one.bets("horn", 8).bets("horn", 20).lies == {"horn": 2_800}
