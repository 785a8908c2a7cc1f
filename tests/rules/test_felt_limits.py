"""How much may be placed or taken: odds policies, step, minimum, maximum, total (RULES 3, 4, 12; ruling 14)."""

import pytest

from stickman.rules.felt import Amounts, Reason
from tests.talk import exactly
from tests.talk.felt import FeltTalk, after_point
from tests.talk.games import SIX_POINTS, TEN_POINTS, points

# --- RULES 4, ruling 15: odds limits ---

TAKE = {
    "2x": dict.fromkeys(TEN_POINTS, 2),
    "3-4-5x": {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 2: 3, 3: 3, 11: 3, 12: 3},
    "5x": dict.fromkeys(TEN_POINTS, 5),
    "6x": dict.fromkeys(TEN_POINTS, 6),
    "10x": dict.fromkeys(TEN_POINTS, 10),
    "100x": dict.fromkeys(TEN_POINTS, 100),
}
LAY_WIN = {4: (1, 2), 5: (2, 3), 6: (5, 6), 8: (5, 6), 9: (2, 3), 10: (1, 2)}


def odds_room(seat: FeltTalk, spot: str) -> tuple[int, int, int]:
    amounts = seat.may_bet(spot)
    return amounts.low, amounts.high, amounts.step


@pytest.mark.parametrize("policy", TAKE)
@pytest.mark.parametrize("name", ["craps", "crapless"])
def test_rules_4_odds_taken_are_limited_by_the_multiple_of_each_point(name: str, policy: str) -> None:
    for point in points(name):
        seat = FeltTalk(name, f'odds.take="{policy}"').bets("pass", 7).rolls(point)
        assert odds_room(seat, "pass.odds") == (100, 700 * TAKE[policy][point], 100)
        seat.bets("come", 3).rolls(5 if point != 5 else 9)
        spot = "come.5.odds" if point != 5 else "come.9.odds"
        assert odds_room(seat, spot) == (100, 300 * TAKE[policy][9], 100)


@pytest.mark.parametrize("limit", ["stake", "win"])
@pytest.mark.parametrize("policy", TAKE)
def test_rules_4_odds_laid_are_limited_by_stake_or_win_and_rounded_down_to_the_step(
    policy: str, limit: str
) -> None:
    settings = f'odds.lay="{policy}"', f"odds.dont_pass_limit={limit}", f"odds.dont_come_limit={limit}"
    for point in SIX_POINTS:
        win, stake = LAY_WIN[point] if limit == "win" else (1, 1)
        most = 700 * TAKE[policy][point] * stake // win // 100 * 100
        seat = FeltTalk("craps", *settings).bets("dont_pass", 7).rolls(point)
        assert odds_room(seat, "dont_pass.odds") == (100, most, 100)
        seat = after_point("craps", *settings).bets("dont_come", 7).rolls(point)
        assert odds_room(seat, f"dont_come.{point}.odds") == (100, most, 100)


def test_rules_18_the_odds_of_each_game() -> None:
    expected = {"craps": (5, 6), "crapless": (5, 0), "easy": (5, 0), "roll-to-win": (4, 6), "shoot-to-win": (2, 2)}
    for name, (take, lay) in expected.items():
        seat = FeltTalk(name).bets("pass", 5).rolls(5)
        assert seat.may_bet("pass.odds").high == 500 * take
        if lay:
            seat = FeltTalk(name).bets("dont_pass", 5).rolls(5)
            assert seat.may_bet("dont_pass.odds").high == 500 * lay


def test_rules_4_dont_come_odds_of_shoot_to_win_win_twice_the_flat_bet() -> None:
    most = {4: 2000, 5: 1500, 6: 1200, 8: 1200, 9: 1500, 10: 2000}
    for point in SIX_POINTS:
        seat = after_point("shoot-to-win").bets("dont_come", 5).rolls(point)
        assert seat.may_bet(f"dont_come.{point}.odds").high == most[point]
        seat.refused("over_odds").bets(f"dont_come.{point}.odds", exactly(most[point] + 100))


def test_ruling_15_odds_limits_are_rounded_down_to_the_step() -> None:
    seat = after_point("shoot-to-win", "bet_limits.dont_come.step_cents=500").bets("dont_come", 15)
    seat.rolls(9)  # wins 2 for 3: 2 × $15 ÷ 2/3 = $45
    assert odds_room(seat, "dont_come.9.odds") == (500, 4500, 500)
    seat = after_point("shoot-to-win", "bet_limits.dont_come.step_cents=500").bets("dont_come", 5)
    seat.rolls(6)  # 2 × $5 ÷ 5/6 = $12
    assert odds_room(seat, "dont_come.6.odds") == (500, 1000, 500)
    seat.refused("wrong_step").bets("dont_come.6.odds", 12)
    seat.refused("over_odds").bets("dont_come.6.odds", 15)


def test_ruling_15_odds_under_one_step_are_not_offered() -> None:
    seat = FeltTalk("shoot-to-win", "bet_limits.dont_pass.step_cents=500", "bet_limits.dont_pass.min_cents=500")
    seat.bets("dont_pass", 5).rolls(6)
    seat.bets("dont_pass.odds", 10)
    assert seat.offer("dont_pass.odds").place is Reason.OVER_ODDS


def test_ruling_15_odds_ignore_minimum_and_maximum_of_a_bet_but_not_the_total() -> None:
    seat = FeltTalk("craps", "limits.min_cents=500", "limits.max_cents=2000", "total_max_cents=9000")
    seat.bets("pass", 20).rolls(6)
    assert odds_room(seat, "pass.odds") == (100, 7000, 100)
    seat.refused("over_total").bets("pass.odds", 71)
    seat.refused("over_odds").bets("pass.odds", 101)
    seat.bets("field", 15)
    assert odds_room(seat, "pass.odds") == (100, 5500, 100)


def test_ruling_15_odds_over_the_total_are_over_the_total_and_not_over_a_maximum_they_do_not_have() -> None:
    seat = FeltTalk("craps", 'odds.take="100x"', "total_max_cents=50000").bets("pass", 10).rolls(6)
    seat.refused("over_total").bets("pass.odds", 491)
    seat.refused("over_total").bets("pass.odds", 501)


def test_rules_4_more_odds_are_limited_by_what_already_backs_the_flat_bet() -> None:
    seat = FeltTalk("shoot-to-win").bets("pass", 5).rolls(6)
    seat.bets("pass.odds", 7)
    assert seat.may_bet("pass.odds").high == 300
    seat.bets("pass.odds", 3)
    assert seat.offer("pass.odds").place is Reason.OVER_ODDS
    seat.takes("pass.odds", 4)
    assert seat.may_bet("pass.odds").high == 400


# --- Ruling 14: Don't Pass reduced ---


def test_ruling_14_a_reduction_under_the_odds_limit_is_refused_until_odds_are_lowered() -> None:
    seat = FeltTalk("craps").bets("dont_pass", 10).rolls(6)
    seat.bets("dont_pass.odds", 41)  # 6x: needs at least $7 in front
    assert seat.offer("dont_pass").take == Amounts(100, 300, 100, whole=1000)
    seat.refused("under_odds").takes("dont_pass", 4)
    seat.takes("dont_pass.odds", 11)
    assert seat.may_take("dont_pass").high == 500
    seat.takes("dont_pass", 5)
    assert seat.lies == {"dont_pass": 500, "dont_pass.odds": 3000}
    seat.refused("under_odds").takes("dont_pass", 1)


def test_ruling_14_a_win_limit_counts_as_well() -> None:
    seat = after_point("shoot-to-win").bets("dont_come", 10).rolls(6)
    seat.bets("dont_come.6.odds", 20)  # $9 in front carries $21.60 to a step, $8 only $19.20
    assert seat.may_take("dont_come.6").high == 100
    seat.refused("under_odds").takes("dont_come.6", 2)


@pytest.mark.parametrize("flat", ["dont_pass", "dont_come.6"])
def test_ruling_14_removal_takes_the_odds_along(flat: str) -> None:
    seat = FeltTalk("craps")
    if flat == "dont_pass":
        seat.bets("dont_pass", 10)
    else:
        seat.rolls(4)
        seat.bets("dont_come", 10)
    seat.rolls(6)
    seat.bets(f"{flat}.odds", 60).takes(flat)
    assert seat.lies == {}


@pytest.mark.parametrize("name", ["craps", "roll-to-win"])
@pytest.mark.parametrize("taken", [None, 3])
def test_ruling_14_a_reduced_dont_pass_is_not_placed_again_in_that_cycle(name: str, taken: int | None) -> None:
    seat = FeltTalk(name).bets("dont_pass", 10)
    seat.rolls(12)  # pushed: it has lain through a roll, and the come-out goes on
    seat.takes("dont_pass", taken)
    seat.refused("banned").bets("dont_pass", 10)
    seat.twin().bets("field", 10)
    seat.rolls(11 if taken is None else 12)
    seat.refused("banned").bets("dont_pass", 10)
    seat.rolls(6, 5, 6)
    seat.twin().bets("dont_pass", 10)


def test_ruling_14_a_seven_ends_the_ban() -> None:
    seat = FeltTalk("craps").bets("dont_pass", 10).rolls(12)
    seat.takes("dont_pass").rolls(7)
    seat.twin().bets("dont_pass", 10)
    seat.bets("dont_pass", 10).rolls(6)
    seat.takes("dont_pass").rolls(7)
    seat.twin().bets("dont_pass", 10)


def test_ruling_14_correcting_before_the_first_roll_is_free() -> None:
    seat = FeltTalk("craps").bets("dont_pass", 10).takes("dont_pass", 3).takes("dont_pass")
    seat.twin().bets("dont_pass", 10)


def test_ruling_14_only_dont_pass_is_banned() -> None:
    seat = FeltTalk("roll-to-win").bets("pass", 10).rolls(4, 4)
    seat.takes("pass")
    seat.twin().bets("pass", 10)
    seat.twin().bets("dont_pass", 10)


# --- RULES 3, 12: step, minimum, maximum, total ---


def test_rules_12_stakes_keep_to_step_minimum_and_maximum() -> None:
    limits = "limits.min_cents=500", "limits.max_cents=2300", "limits.step_cents=200"
    seat = FeltTalk("craps", *limits)
    assert seat.offer("field").place == Amounts(600, 2200, 200)
    for amount in "5.50", 0, -6:
        seat.refused("wrong_step").bets("field", amount)
    seat.refused("under_min").bets("field", 4)
    seat.refused("over_max").bets("field", 24)
    seat.bets("field", 8)
    assert seat.offer("field").place == Amounts(200, 1400, 200)
    assert seat.offer("field").take == Amounts(200, 200, 200, whole=800)
    for amount in 1, 0:
        seat.refused("wrong_step").takes("field", amount)
    seat.refused("under_min").takes("field", 4)
    seat.refused("over_max").takes("field", 10)
    assert seat.bets("field", 14).offer("field").place is Reason.OVER_MAX


def test_rules_12_the_total_on_the_felt_is_limited() -> None:
    seat = FeltTalk("craps", "total_max_cents=5000").bets("field", 20).bets("place.6", 25)
    assert seat.may_bet("field").high == 500
    seat.refused("over_total").bets("field", 6)
    assert seat.bets("field", 5).offer("place.8").place is Reason.OVER_TOTAL
    assert seat.takes("place.6").may_bet("place.8").high == 2500


def test_rules_12_side_wagers_count_to_the_total() -> None:
    seat = FeltTalk("craps", "total_max_cents=5000").bets("lucky_roller.low", 20)
    assert seat.may_bet("field").high == 3000


def test_rules_9_a_side_bet_has_its_own_limits() -> None:
    assert FeltTalk("craps").offer("lucky_roller.low").place == Amounts(100, 10_000, 100)
    assert FeltTalk("shoot-to-win").offer("hot_shooter").place == Amounts(100, 2500, 100)


def test_rules_3_a_horn_bet_is_a_multiple_of_four_steps() -> None:
    seat = FeltTalk("craps")
    assert seat.offer("horn").place == Amounts(400, 100_000, 400)
    for amount in (1, 2, 5, 10):
        seat.refused("wrong_step").bets("horn", amount)
    seat.bets("horn", 12)
    assert seat.offer("horn").take == Amounts(400, 800, 400, whole=1200)
    seat.refused("wrong_step").takes("horn", 6)
    assert FeltTalk("craps", "bet_limits.horn.step_cents=50").may_bet("horn").step == 200


def test_rules_3_a_wager_is_taken_whole_whatever_its_step() -> None:
    seat = FeltTalk("craps", "limits.min_cents=500").bets("field", 9)
    assert seat.offer("field").take == Amounts(100, 400, 100, whole=900)
    seat.refused("under_min").takes("field", 5)
    assert seat.takes("field", 9).lies == {}


def test_taking_where_nothing_lies_is_refused() -> None:
    seat = FeltTalk("craps")
    assert seat.offer("field").take is Reason.NO_WAGER
    seat.refused("no_wager").takes("come.6")
    seat.refused("no_wager").off("place.6")
