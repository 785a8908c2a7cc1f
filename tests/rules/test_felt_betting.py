"""When each bet may be placed, changed or taken down, and what keeps it out (RULES 3, 9, 15, 18)."""

import pytest

from stickman.rules.felt import Amounts, Reason
from tests.talk import exactly
from tests.talk.felt import FeltTalk, after_point
from tests.talk.games import COME_GAMES, DONT_GAMES, FIVE_GAMES, IB_GAMES, LED_GAMES, points

ANY_ROLL = ["place.6", "buy.6", "lay.6", "place_to_lose.6", "big.6", "hard.6", "big", "small"]
ONE_ROLL = ["field", "low_field", "high_field", "c", "e", "c_and_e", "seven", "any_craps", "horn.2", "hop.1-3"]


# --- RULES 3: when a bet may be placed ---


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_rules_3_pass_is_placed_on_the_come_out_only(name: str) -> None:
    for point in points(name):
        seat = FeltTalk(name)
        seat.twin().bets("pass", 10)
        seat.rolls(point)
        seat.refused("come_out_only").bets("pass", 10)
        seat.rolls(point)
        seat.twin().bets("pass", 10)


@pytest.mark.parametrize("name", DONT_GAMES)
def test_rules_3_dont_pass_is_placed_on_the_come_out_only(name: str) -> None:
    seat = FeltTalk(name)
    seat.twin().bets("dont_pass", 10)
    seat.rolls(12)
    seat.twin().bets("dont_pass", 10)
    seat.rolls(9)
    seat.refused("come_out_only").bets("dont_pass", 10)
    seat.rolls(7)
    seat.twin().bets("dont_pass", 10)


@pytest.mark.parametrize("bet", ["come", "dont_come"])
@pytest.mark.parametrize("name", LED_GAMES)
def test_rules_15_3_point_on_come_is_placed_only_with_a_point_on(name: str, bet: str) -> None:
    seat = FeltTalk(name)
    seat.refused("point_only").bets(bet, 10)
    seat.rolls(8)
    seat.twin().bets(bet, 10)
    seat.rolls(8)
    seat.refused("point_only").bets(bet, 10)


@pytest.mark.parametrize(("name", "bet"), [("craps", "come"), ("craps", "dont_come"), ("crapless", "come")])
def test_rules_15_3_since_point_come_is_placed_on_come_outs_after_a_point_until_the_seven_out(
    name: str, bet: str
) -> None:
    seat = FeltTalk(name)
    seat.refused("since_point_only").bets(bet, 10)
    seat.rolls(7)
    seat.refused("since_point_only").bets(bet, 10)
    seat.rolls(8)
    seat.twin().bets(bet, 10)
    seat.rolls(8)
    seat.twin().bets(bet, 10)
    seat.rolls(7)  # ruling 2: a come-out 7 leaves the window open
    seat.twin().bets(bet, 10)
    seat.rolls(4, 7)
    seat.refused("since_point_only").bets(bet, 10)


def test_ruling_2_the_puck_put_off_by_hand_closes_the_window_of_come() -> None:
    seat = FeltTalk("craps").rolls(8)
    seat.hand = seat.hand.with_puck_off()
    seat.refused("since_point_only").bets("come", 10)
    seat.twin().bets("pass", 10)


@pytest.mark.parametrize(
    ("setting", "reason"), [("since_point", Reason.SINCE_POINT_ONLY), ("point_on", Reason.POINT_ONLY)]
)
@pytest.mark.parametrize("name", COME_GAMES)
def test_rules_15_3_come_when_is_a_setting_of_any_game(name: str, setting: str, reason: Reason) -> None:
    seat = FeltTalk(name, f"come_when={setting}")
    seat.refused(reason).bets("come", 10)
    seat.rolls(6, 6)
    seat.refused(None if setting == "since_point" else reason).bets("come", 10)


@pytest.mark.parametrize("bet", [*ANY_ROLL, *ONE_ROLL])
@pytest.mark.parametrize("name", FIVE_GAMES)
def test_rules_3_number_and_one_roll_bets_are_placed_before_any_roll(name: str, bet: str) -> None:
    seat = FeltTalk(name)
    expected = None if bet in seat.layout.bets else Reason.NO_SUCH_BET
    seat.refused(expected).bets(bet, 10)
    for total in (5, 3, 7, 7, 6, 6):
        seat.rolls(total)
        seat.refused(expected).bets(bet, 10)


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_rules_3_odds_need_a_flat_bet_with_its_point(name: str) -> None:
    for point in points(name):
        seat = FeltTalk(name)
        seat.refused("needs_flat").bets("pass.odds", 10)
        seat.bets("pass", 10)
        seat.refused("needs_flat").bets("pass.odds", 10)
        seat.rolls(point)
        seat.twin().bets("pass.odds", 10)
        state = seat.bets("pass.odds", 10).wager("pass.odds").state
        assert seat.layout.states[state].name == str(point)


@pytest.mark.parametrize("name", COME_GAMES)
def test_rules_3_come_odds_need_a_come_bet_on_that_number(name: str) -> None:
    seat = FeltTalk(name).rolls(4)
    seat.bets("come", 10)
    seat.refused("needs_flat").bets("come.9.odds", 10)
    seat.rolls(9)
    seat.twin().bets("come.9.odds", 10)
    seat.refused("needs_flat").bets("come.4.odds", 10)


@pytest.mark.parametrize("name", DONT_GAMES)
def test_rules_3_dont_odds_need_a_dont_bet_with_its_point(name: str) -> None:
    seat = FeltTalk(name).bets("dont_pass", 10)
    seat.refused("needs_flat").bets("dont_pass.odds", 10)
    seat.rolls(5)
    seat.bets("dont_pass.odds", 3).bets("dont_come", 10)
    seat.refused("needs_flat").bets("dont_come.10.odds", 10)
    seat.rolls(10)
    seat.bets("dont_come.10.odds", 4)
    assert seat.lies == {"dont_pass": 1000, "dont_pass.odds": 300, "dont_come.10": 1000, "dont_come.10.odds": 400}


@pytest.mark.parametrize("name", COME_GAMES)
def test_rules_3_a_moved_come_is_not_placed_where_it_lies(name: str) -> None:
    seat = FeltTalk(name).rolls(4)
    seat.refused("travels_here").bets("come.6", 10)
    seat.bets("come", 10).rolls(6)
    seat.refused("travels_here").bets("come.6", 10)


def test_rules_2_a_bet_that_the_game_leaves_out_is_no_bet() -> None:
    FeltTalk("easy").refused("no_such_bet").bets("come.6", 10)
    FeltTalk("crapless").refused("no_such_bet").bets("dont_pass", 10)
    seat = FeltTalk("craps", 'leave_out=["pass"]')
    for bet in "pass", "pass.odds":
        seat.refused("no_such_bet").bets(bet, 10)
    offer = seat.offer("pass")
    assert offer.place is offer.take is offer.switch is Reason.NO_SUCH_BET


# --- RULES 9: when a side bet may be placed ---

SETS = ["lucky_roller.low", "lucky_roller.high", "lucky_roller.all"]
BONUS = ["bonus.small", "bonus.tall", "bonus.all"]


@pytest.mark.parametrize("bet", [*SETS, *BONUS, "make_em_all", "fired_up"])
@pytest.mark.parametrize("name", IB_GAMES)
def test_rules_9_set_bets_and_progressives_are_placed_after_a_seven_or_at_the_start(name: str, bet: str) -> None:
    seat = FeltTalk(name, every_side_game=True)
    seat.twin().bets(bet, 1)
    seat.rolls(11)
    seat.refused("after_seven_only").bets(bet, 1)
    seat.rolls(7)
    seat.twin().bets(bet, 1)
    seat.rolls(6)
    seat.refused("after_seven_only").bets(bet, 1)
    seat.rolls(7)
    seat.twin().bets(bet, 1)


@pytest.mark.parametrize("bet", SETS)
@pytest.mark.parametrize("name", LED_GAMES)
def test_rules_9_lucky_roller_any_roll_is_placed_before_any_roll_while_none_is_active(name: str, bet: str) -> None:
    seat = FeltTalk(name)
    for total in (11, 6, 5, 6):
        seat.twin().bets(bet, 10)
        seat.rolls(total)
    seat.bets(bet, 5).bets(bet, 5).rolls(6)
    seat.refused("locked").bets(bet, 10)
    seat.refused("locked").takes(bet)
    seat.rolls(7)
    seat.twin().bets(bet, 10)


def test_ruling_22_lucky_roller_any_roll_starts_anew_at_once_after_a_win() -> None:
    seat = FeltTalk("roll-to-win").bets("lucky_roller.low", 1).bets("lucky_roller.all", 1)
    lines = seat.rolls(2, 3, 4, 5, 6).lines
    assert lines["lucky_roller.low"].payment.paid_cents == 3000
    everything = seat.layout.states[seat.wager("lucky_roller.all").state].name
    assert everything == "2 3 4 5 6"
    seat.bets("lucky_roller.low", 1)
    assert seat.layout.states[seat.wager("lucky_roller.low").state].name == "none"


def test_ruling_22_lucky_roller_after_seven_is_not_placed_again_after_a_win_until_a_seven() -> None:
    seat = FeltTalk("craps").bets("lucky_roller.low", 1).rolls(2, 3, 4, 5, 6)
    assert seat.lies == {}
    seat.refused("after_seven_only").bets("lucky_roller.low", 1)
    seat.rolls(7)
    seat.twin().bets("lucky_roller.low", 1)


@pytest.mark.parametrize(
    ("bet", "totals"),
    [
        ("bonus.small", [2, 3, 4, 5, 6]),
        ("bonus.tall", [8, 9, 10, 11, 12]),
        ("bonus.all", [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]),
    ],
)
def test_ruling_22_bonus_is_placed_again_once_the_table_has_seen_its_whole_set(bet: str, totals: list[int]) -> None:
    seat = FeltTalk("craps", every_side_game=True)
    for total in totals:
        seat.rolls(total)
        complete = total == totals[-1]
        seat.refused(None if complete else Reason.AFTER_SEVEN_ONLY).bets(bet, 10)
    seat.rolls(11)
    seat.twin().bets(bet, 10)
    seat.bets(bet, 1).rolls(4)
    seat.refused("locked").bets(bet, 10)
    seat.rolls(7, 11)
    seat.refused("after_seven_only").bets(bet, 10)


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_rules_9_hot_shooter_is_placed_on_the_come_out_that_starts_a_hand(name: str) -> None:
    seat = FeltTalk(name, every_side_game=True)
    seat.twin().bets("hot_shooter", 5)
    seat.rolls(7)
    seat.refused("hand_start_only").bets("hot_shooter", 5)
    seat.rolls(6, 6)
    seat.refused("hand_start_only").bets("hot_shooter", 5)
    seat.rolls(6, 7)
    seat.twin().bets("hot_shooter", 5)


def test_ruling_20_hot_shooter_paid_at_the_fiftieth_roll_waits_for_the_next_hand() -> None:
    seat = FeltTalk("shoot-to-win").bets("hot_shooter", 5)
    lines = seat.rolls(*[11] * 50).lines
    assert lines["hot_shooter"].payment.paid_cents == 50_000
    assert seat.lies == {}
    seat.refused("hand_start_only").bets("hot_shooter", 5)


def test_rules_9_lucky_shooter_is_placed_with_the_puck_off_and_locked_by_its_point() -> None:
    seat = FeltTalk("craps").bets("lucky_shooter", 5)
    seat.rolls(7, 11)  # before the point it stays, and may be changed (RULES 3, 15.4)
    seat.bets("lucky_shooter", 5).takes("lucky_shooter", 1)
    assert seat.lies == {"lucky_shooter": 900}
    seat.rolls(6)
    seat.refused("locked").takes("lucky_shooter")
    seat.refused("locked").bets("lucky_shooter", 10)
    other = FeltTalk("craps").rolls(6)
    other.refused("come_out_only").bets("lucky_shooter", 10)


def test_rules_9_a_hand_puts_the_puck_off_to_bet_lucky_shooter_again_inside_a_cycle() -> None:
    seat = FeltTalk("craps", "puck_can_be_reset=true").rolls(6)
    seat.hand = seat.hand.with_puck_off()
    assert seat.hand.rolls == 1  # ruling 21
    seat.twin().bets("lucky_shooter", 10)


@pytest.mark.parametrize("bet", ["make_em_all", "fired_up"])
@pytest.mark.parametrize("base", [100, 500])
def test_rules_9_a_progressive_takes_exactly_one_base_unit(bet: str, base: int) -> None:
    seat = FeltTalk("craps", f"{bet}.base_cents={base}", every_side_game=True)
    assert seat.offer(bet).place == Amounts(base, base, base)
    seat.refused("over_max").bets(bet, exactly(base * 2))
    seat.refused("wrong_step").bets(bet, exactly(base // 2))
    seat.bets(bet, exactly(base))
    seat.refused("over_max").bets(bet, exactly(base))
    assert seat.offer(bet).take == Amounts(base, 0, base, whole=base)
    seat.rolls(6)
    assert seat.lies == {bet: base}
    seat.refused("locked").takes(bet)


@pytest.mark.parametrize("name", FIVE_GAMES)
@pytest.mark.parametrize("bet", [*SETS, *BONUS, "hot_shooter"])
def test_rules_3_a_side_wager_is_changed_until_its_first_roll_then_locked(name: str, bet: str) -> None:
    seat = FeltTalk(name, every_side_game=True)
    seat.bets(bet, 5).bets(bet, 3).takes(bet, 2)
    assert seat.lies == {bet: 600}
    seat.rolls(11)
    seat.refused("locked").takes(bet)
    seat.refused("locked").takes(bet, 1)
    assert isinstance(seat.offer(bet).place, Reason)
    seat.refused("not_off_able").off(bet)


@pytest.mark.parametrize(
    ("family", "bet"),
    [
        ("lucky_roller", "lucky_roller.low"),
        ("bonus_craps", "bonus.tall"),
        ("hot_shooter", "hot_shooter"),
        ("lucky_shooter", "lucky_shooter"),
        ("make_em_all", "make_em_all"),
        ("fired_up", "fired_up"),
    ],
)
def test_rules_9_needs_line_is_judged_when_placed(family: str, bet: str) -> None:
    seat = FeltTalk("craps", f"{family}.needs_line=true", every_side_game=True)
    seat.refused("needs_line").bets(bet, 1)
    seat.bets("field", 10)
    seat.refused("needs_line").bets(bet, 1)
    for line in ("pass", "dont_pass"):
        seat.bets(line, 1).bets(bet, 1).takes(line)
        assert seat.lies == {"field": 1000, bet: 100}  # the line may go again
        seat.takes(bet)
    needing = [b for b in seat.layout.bets.values() if seat.offer(b.id).place is Reason.NEEDS_LINE]
    assert {b.family for b in needing} == {family}


def test_rules_9_hot_shooter_may_need_a_qualifying_main_bet() -> None:
    seat = FeltTalk("shoot-to-win", "hot_shooter.qualifying_cents=1500").bets("lucky_roller.low", 20)
    seat.refused("needs_main").bets("hot_shooter", 1)
    seat.bets("place.6", 10).bets("field", 4)
    seat.refused("needs_main").bets("hot_shooter", 1)
    seat.bets("field", 1)
    seat.twin().bets("hot_shooter", 1)
    seat.off("place.6")  # a mark is no money on the felt (ruling 5)
    seat.refused("needs_main").bets("hot_shooter", 1)


# --- RULES 3: contracts ---


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_rules_3_pass_is_a_contract_once_it_has_a_point(name: str) -> None:
    seat = FeltTalk(name).bets("pass", 10).bets("pass", 5).takes("pass", 2).rolls(4)
    assert seat.offer("pass") == (Reason.LOCKED, Reason.LOCKED, Reason.NOT_OFF_ABLE)
    seat.refused("locked").takes("pass", 1)


@pytest.mark.parametrize("name", COME_GAMES)
def test_rules_3_come_is_a_contract_once_it_has_a_point(name: str) -> None:
    seat = FeltTalk(name).rolls(4)
    seat.bets("come", 10).bets("come", 5).takes("come", 1).rolls(6)
    assert seat.lies == {"come.6": 1400}
    assert seat.offer("come.6") == (Reason.TRAVELS_HERE, Reason.LOCKED, Reason.NOT_OFF_ABLE)


@pytest.mark.parametrize("name", ["craps", "roll-to-win"])
def test_rules_15_6_dont_pass_is_reduced_or_removed_after_its_point(name: str) -> None:
    seat = FeltTalk(name).bets("dont_pass", 10).rolls(4)
    seat.takes("dont_pass", 3).takes("dont_pass")
    assert seat.lies == {}


def test_rules_15_6_shoot_to_win_locks_dont_pass_with_its_point() -> None:
    seat = FeltTalk("shoot-to-win").bets("dont_pass", 10).takes("dont_pass", 3).rolls(4)
    seat.refused("locked").takes("dont_pass")
    seat.refused("locked").takes("dont_pass", 1)


@pytest.mark.parametrize("name", DONT_GAMES)
def test_rules_3_a_moved_dont_come_is_reduced_or_removed_in_every_game_and_never_increased(name: str) -> None:
    seat = FeltTalk(name).rolls(4)
    seat.bets("dont_come", 10).rolls(6)
    seat.refused("travels_here").bets("dont_come.6", 10)
    seat.takes("dont_come.6", 3).takes("dont_come.6")
    assert seat.lies == {}
    seat.twin().bets("dont_come", 10)  # only Don't Pass is banned


def test_rules_3_dont_pass_with_its_point_is_never_increased() -> None:
    seat = FeltTalk("craps").bets("dont_pass", 10).rolls(6)
    seat.refused("never_increased").bets("dont_pass", 10)
    seat.twin().takes("dont_pass")


@pytest.mark.parametrize("name", LED_GAMES)
def test_rules_3_a_line_bet_that_stands_after_a_win_is_unlocked_until_it_has_a_point(name: str) -> None:
    seat = FeltTalk(name).bets("pass", 10)
    assert seat.rolls(4, 4).lines["pass"].to == "pass"
    seat.twin().bets("pass", 10)
    seat.twin().takes("pass")
    seat.rolls(5)
    seat.refused("locked").takes("pass")


@pytest.mark.parametrize("name", DONT_GAMES)
def test_rules_3_a_pushed_line_bet_is_unlocked(name: str) -> None:
    seat = FeltTalk(name).bets("dont_pass", 10)
    assert seat.rolls(12).lines["dont_pass"].to == "dont_pass"
    seat.twin().bets("dont_pass", 10)
    seat.twin().takes("dont_pass", 5)


@pytest.mark.parametrize("bet", ["place.6", "hard.8", "field", "lay.4", "big.8", "hop.2-4"])
def test_rules_3_everything_else_is_increased_reduced_and_removed_at_any_time(bet: str) -> None:
    seat = FeltTalk("roll-to-win")
    for total in (4, 11, 4):
        if bet not in seat.lies:
            seat.bets(bet, 6)
        seat.bets(bet, 5).takes(bet, 3).rolls(total)
    seat.takes(bet) if bet in seat.lies else None
    assert seat.lies == {}


# --- RULES 3: exclusions ---


@pytest.mark.parametrize("name", DONT_GAMES)
def test_rules_3_pass_and_dont_pass_exclude_each_other(name: str) -> None:
    FeltTalk(name).bets("pass", 1).refused("excluded").bets("dont_pass", 10)
    FeltTalk(name).bets("dont_pass", 1).refused("excluded").bets("pass", 10)


@pytest.mark.parametrize(("one", "other"), [("come", "dont_come"), ("dont_come", "come")])
@pytest.mark.parametrize("name", DONT_GAMES)
def test_rules_3_come_and_dont_come_exclude_each_other_flat_or_moved(name: str, one: str, other: str) -> None:
    seat = after_point(name).bets(one, 1)
    seat.refused("excluded").bets(other, 10)
    seat.rolls(9)
    assert seat.lies == {f"{one}.9": 100}
    seat.refused("excluded").bets(other, 10)
    seat.twin().bets(one, 10)
    after_point(name).bets(other, 1).twin().bets("place.6", 10)


@pytest.mark.parametrize("name", DONT_GAMES)
def test_rules_3_pass_does_not_exclude_dont_come(name: str) -> None:
    seat = FeltTalk(name).bets("pass", 1).rolls(4)
    seat.twin().bets("dont_come", 10)


RIGHT_AND_WRONG = [(right, wrong) for right in ("place", "buy") for wrong in ("lay", "place_to_lose")]


@pytest.mark.parametrize(("right", "wrong"), RIGHT_AND_WRONG)
@pytest.mark.parametrize("setting", ["same_number", "any_number"])
def test_rules_3_place_and_buy_exclude_lay_and_place_to_lose(right: str, wrong: str, setting: str) -> None:
    for first, second in ((right, wrong), (wrong, right)):
        seat = FeltTalk("roll-to-win", f"place_excludes_lay={setting}").bets(f"{first}.6", 10)
        seat.refused("excluded").bets(f"{second}.6", 10)
        seat.refused("excluded" if setting == "any_number" else None).bets(f"{second}.8", 10)
        seat.twin().bets(f"{first}.6", 10)


@pytest.mark.parametrize("name", DONT_GAMES)
def test_rules_18_where_each_game_excludes_lay(name: str) -> None:
    seat = FeltTalk(name).bets("place.6", 10)
    seat.refused("excluded" if name == "shoot-to-win" else None).bets("lay.8", 10)


@pytest.mark.parametrize("name", [n for n in FIVE_GAMES if n != "easy"])
def test_rules_3_place_and_buy_of_one_number_may_both_lie(name: str) -> None:
    assert FeltTalk(name).bets("place.6", 6).bets("buy.6", 6).lies == {"place.6": 600, "buy.6": 600}


def test_rules_3_lay_and_place_to_lose_of_one_number_may_both_lie() -> None:
    assert len(FeltTalk("roll-to-win").bets("lay.6", 6).bets("place_to_lose.6", 6).lies) == 2


@pytest.mark.parametrize(
    ("one", "other"), [("big.6", "big.8"), ("big.8", "big.6"), ("big", "small"), ("small", "big")]
)
def test_ib_2_8_big_pair_lets_both_lie_or_either(one: str, other: str) -> None:
    FeltTalk("craps").bets(one, 1).twin().bets(other, 10)
    either = FeltTalk("craps", "big_pair=either").bets(one, 1)
    either.refused("excluded").bets(other, 10)
    either.twin().bets(one, 10)
    either.twin().bets("place.6", 10)
    either.twin().bets("big.6" if one in ("big", "small") else "big", 10)


@pytest.mark.parametrize("setting", ["both", "either"])
def test_rules_3_place_excludes_lay_whatever_big_pair_says(setting: str) -> None:
    seat = FeltTalk("craps", f"big_pair={setting}").bets("place.6", 6)
    seat.refused("excluded").bets("lay.6", 10)


def test_ruling_5_exclusions_count_marks() -> None:
    seat = FeltTalk("roll-to-win").bets("place.6", 6).off("place.6")
    assert seat.felt.money_cents == 0
    seat.refused("excluded").bets("lay.6", 10)
