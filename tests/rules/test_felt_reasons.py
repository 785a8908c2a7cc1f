"""Every reason for a no is told by some test, and of two reasons the earlier is told (STYLE, habit 4)."""

from pathlib import Path
from typing import Any

from stickman.rules.felt import Reason
from stickman.table.messages import Refusal
from tests.talk.felt import FeltTalk


def test_every_reason_occurs_in_a_test() -> None:
    files = [file for file in Path(__file__).parent.glob("test_felt_*.py") if file != Path(__file__)]
    tested = "".join(file.read_text("utf-8") for file in files)
    told = {
        reason for reason in Reason if f"Reason.{reason.name}" in tested or f'refused("{reason.value}")' in tested
    }
    assert told == set(Reason)


def test_of_two_reasons_the_earlier_in_the_order_is_told() -> None:
    order = list(Reason)
    for told, other, seat, deed, *said in clashes():
        assert order.index(told) < order.index(other)
        deed(seat.refused(told), *said)


def lain_lucky_roller(*changes: str) -> FeltTalk:
    return FeltTalk("craps", *changes).bets("pass", 1).bets("lucky_roller.low", 1).rolls(11)


def clashes() -> list[tuple[Any, ...]]:
    """Each time two reasons at once: the one to be told, the other, and what is done where."""
    r = Reason
    needs_line = FeltTalk("craps", "lucky_shooter.needs_line=true", "lucky_roller.needs_line=true").rolls(6)
    hot = FeltTalk("shoot-to-win", "hot_shooter.needs_line=true", "hot_shooter.qualifying_cents=500")
    late_hot = FeltTalk("shoot-to-win", "hot_shooter.needs_line=true").rolls(11)
    passed = FeltTalk("craps").bets("pass", 10).rolls(6)
    sat = FeltTalk("craps").bets("dont_pass", 10).rolls(6)
    sat.takes("dont_pass", 1).rolls(11)
    sat.rolls(12)
    sat.hand = sat.hand.with_puck_off()
    banned = FeltTalk("craps").bets("dont_pass", 10).rolls(12)
    banned.takes("dont_pass").bets("pass", 1)
    dear = FeltTalk("craps", "limits.min_cents=500", "limits.max_cents=2000", "total_max_cents=2500")
    dear.bets("place.6", 10)
    full = FeltTalk("craps", "limits.max_cents=2000", "total_max_cents=2000").bets("place.6", 20)
    odds = FeltTalk("craps", "total_max_cents=2500").bets("pass", 10).rolls(6)
    behind = FeltTalk("craps", "limits.min_cents=500").bets("dont_pass", 10).rolls(6)
    behind.bets("dont_pass.odds", 60)
    come = FeltTalk("craps").bets("dont_pass", 1)
    return [
        (r.NO_SUCH_BET, r.NO_WAGER, FeltTalk("easy"), FeltTalk.takes, "come.6", None),
        (r.COME_OUT_ONLY, r.NEEDS_LINE, needs_line, FeltTalk.bets, "lucky_shooter", 1),
        (r.LOCKED, r.COME_OUT_ONLY, passed, FeltTalk.bets, "pass", 1),
        (r.COME_OUT_ONLY, r.EXCLUDED, passed, FeltTalk.bets, "dont_pass", 1),
        (r.LOCKED, r.WRONG_STEP, passed, FeltTalk.bets, "pass", "1.50"),
        (r.SINCE_POINT_ONLY, r.WRONG_STEP, come, FeltTalk.bets, "come", "1.50"),
        (r.NEEDS_FLAT, r.WRONG_STEP, come, FeltTalk.bets, "dont_pass.odds", "1.50"),
        (r.HAND_START_ONLY, r.NEEDS_LINE, late_hot, FeltTalk.bets, "hot_shooter", 1),
        (r.AFTER_SEVEN_ONLY, r.NEEDS_LINE, needs_line, FeltTalk.bets, "lucky_roller.low", 1),
        (r.LOCKED, r.AFTER_SEVEN_ONLY, lain_lucky_roller(), FeltTalk.bets, "lucky_roller.low", 1),
        (r.NEEDS_LINE, r.NEEDS_MAIN, hot, FeltTalk.bets, "hot_shooter", 1),
        (r.NEVER_INCREASED, r.BANNED, sat, FeltTalk.bets, "dont_pass", 1),
        (r.BANNED, r.EXCLUDED, banned, FeltTalk.bets, "dont_pass", 1),
        (r.EXCLUDED, r.WRONG_STEP, dear, FeltTalk.bets, "lay.6", "1.50"),
        (r.EXCLUDED, r.OVER_TOTAL, full, FeltTalk.bets, "lay.6", 1),
        (r.WRONG_STEP, r.UNDER_MIN, dear, FeltTalk.bets, "place.8", "1.50"),
        (r.WRONG_STEP, r.OVER_MAX, dear, FeltTalk.bets, "place.6", "50.50"),
        (r.OVER_MAX, r.OVER_TOTAL, dear, FeltTalk.bets, "place.6", 50),
        (r.OVER_MAX, r.OVER_TOTAL, full, FeltTalk.bets, "place.6", 1),
        (r.OVER_ODDS, r.OVER_TOTAL, odds, FeltTalk.bets, "pass.odds", 51),
        (r.WRONG_STEP, r.OVER_ODDS, odds, FeltTalk.bets, "pass.odds", "50.50"),
        (r.LOCKED, r.OVER_MAX, passed, FeltTalk.takes, "pass", 50),
        (r.WRONG_STEP, r.OVER_MAX, dear, FeltTalk.takes, "place.6", "50.50"),
        (r.WRONG_STEP, r.UNDER_MIN, dear, FeltTalk.takes, "place.6", "9.50"),
        (r.WRONG_STEP, r.UNDER_ODDS, behind, FeltTalk.takes, "dont_pass", "1.50"),
        (r.UNDER_MIN, r.UNDER_ODDS, behind, FeltTalk.takes, "dont_pass", 9),
    ]


def test_programs_know_each_no_by_its_name_and_people_by_its_sentence() -> None:
    for no in (*Reason, *Refusal):
        assert no.value == no.name.lower()
        assert no.says.endswith(".")
        assert no.says[0].isupper()
    assert not {no.name for no in Reason} & {no.name for no in Refusal}
