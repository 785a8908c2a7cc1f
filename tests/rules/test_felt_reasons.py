"""Every reason for a no is told by some test, and of two reasons the earlier is told (STYLE, habit 4)."""

from pathlib import Path

from stickman.rules.felt import Reason
from stickman.table.messages import Refusal
from tests.rules.seated import Seated


def test_every_reason_occurs_in_a_test() -> None:
    files = [file for file in Path(__file__).parent.glob("test_felt_*.py") if file != Path(__file__)]
    tested = "".join(file.read_text("utf-8") for file in files)
    assert [reason.name for reason in Reason if f"Reason.{reason.name}" not in tested] == []


def test_of_two_reasons_the_earlier_in_the_order_is_told() -> None:
    order = list(Reason)
    found = clashes()
    assert all(order.index(told) < order.index(other) for told, other, _ in found)
    assert [clash for clash in found if clash[2] is not clash[0]] == []


def lain_lucky_roller(*changes: str) -> Seated:
    seat = Seated("craps", *changes).bets("pass", 100).bets("lucky_roller.low", 100)
    seat.rolls(11)
    return seat


def clashes() -> list[tuple[Reason, Reason, Reason | None]]:
    """Each time two reasons at once: the one to be told, the other, and the answer."""
    r = Reason
    needs_line = Seated("craps", "lucky_shooter.needs_line=true", "lucky_roller.needs_line=true")
    needs_line.rolls(6)
    hot = Seated("shoot-to-win", "hot_shooter.needs_line=true", "hot_shooter.qualifying_cents=500")
    late_hot = Seated("shoot-to-win", "hot_shooter.needs_line=true")
    late_hot.rolls(11)
    passed = Seated("craps").bets("pass", 1000)
    passed.rolls(6)
    sat = Seated("craps").bets("dont_pass", 1000)
    sat.rolls(6)
    sat.takes("dont_pass", 100).rolls(11)
    sat.rolls(12)
    sat.hand = sat.hand.with_puck_off()
    banned = Seated("craps").bets("dont_pass", 1000)
    banned.rolls(12)
    banned.takes("dont_pass").bets("pass", 100)
    dear = Seated("craps", "limits.min_cents=500", "limits.max_cents=2000", "total_max_cents=2500")
    dear.bets("place.6", 1000)
    full = Seated("craps", "limits.max_cents=2000", "total_max_cents=2000").bets("place.6", 2000)
    odds = Seated("craps", "total_max_cents=2500").bets("pass", 1000)
    odds.rolls(6)
    behind = Seated("craps", "limits.min_cents=500").bets("dont_pass", 1000)
    behind.rolls(6)
    behind.bets("dont_pass.odds", 6000)
    come = Seated("craps").bets("dont_pass", 100)
    return [
        (r.NO_SUCH_BET, r.NO_WAGER, Seated("easy").why_not_take("come.6")),
        (r.COME_OUT_ONLY, r.NEEDS_LINE, needs_line.why_not_bet("lucky_shooter", 100)),
        (r.LOCKED, r.COME_OUT_ONLY, passed.why_not_bet("pass", 100)),
        (r.COME_OUT_ONLY, r.EXCLUDED, passed.why_not_bet("dont_pass", 100)),
        (r.LOCKED, r.WRONG_STEP, passed.why_not_bet("pass", 150)),
        (r.SINCE_POINT_ONLY, r.WRONG_STEP, come.why_not_bet("come", 150)),
        (r.NEEDS_FLAT, r.WRONG_STEP, come.why_not_bet("dont_pass.odds", 150)),
        (r.HAND_START_ONLY, r.NEEDS_LINE, late_hot.why_not_bet("hot_shooter", 100)),
        (r.AFTER_SEVEN_ONLY, r.NEEDS_LINE, needs_line.why_not_bet("lucky_roller.low", 100)),
        (r.LOCKED, r.AFTER_SEVEN_ONLY, lain_lucky_roller().why_not_bet("lucky_roller.low", 100)),
        (r.NEEDS_LINE, r.NEEDS_MAIN, hot.why_not_bet("hot_shooter", 100)),
        (r.NEVER_INCREASED, r.BANNED, sat.why_not_bet("dont_pass", 100)),
        (r.BANNED, r.EXCLUDED, banned.why_not_bet("dont_pass", 100)),
        (r.EXCLUDED, r.WRONG_STEP, dear.why_not_bet("lay.6", 150)),
        (r.EXCLUDED, r.OVER_TOTAL, full.why_not_bet("lay.6", 100)),
        (r.WRONG_STEP, r.UNDER_MIN, dear.why_not_bet("place.8", 150)),
        (r.WRONG_STEP, r.OVER_MAX, dear.why_not_bet("place.6", 5050)),
        (r.OVER_MAX, r.OVER_TOTAL, dear.why_not_bet("place.6", 5000)),
        (r.OVER_MAX, r.OVER_TOTAL, full.why_not_bet("place.6", 100)),
        (r.OVER_ODDS, r.OVER_TOTAL, odds.why_not_bet("pass.odds", 5100)),
        (r.WRONG_STEP, r.OVER_ODDS, odds.why_not_bet("pass.odds", 5050)),
        (r.LOCKED, r.OVER_MAX, passed.why_not_take("pass", 5000)),
        (r.WRONG_STEP, r.OVER_MAX, dear.why_not_take("place.6", 5050)),
        (r.WRONG_STEP, r.UNDER_MIN, dear.why_not_take("place.6", 950)),
        (r.WRONG_STEP, r.UNDER_ODDS, behind.why_not_take("dont_pass", 150)),
        (r.UNDER_MIN, r.UNDER_ODDS, behind.why_not_take("dont_pass", 900)),
    ]


def test_programs_know_each_no_by_its_name_and_people_by_its_sentence() -> None:
    for no in (*Reason, *Refusal):
        assert no.value == no.name.lower()
        assert no.says.endswith(".")
        assert no.says[0].isupper()
    assert not {no.name for no in Reason} & {no.name for no in Refusal}
