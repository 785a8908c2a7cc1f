"""Settings that may change the house's edge need two people; names, times and what is shown need one."""

from __future__ import annotations

import pytest

from stickman.rules.settings import KEEPS_THE_EDGE, change, load, moves_the_edge, settings
from stickman.rules.spoken import Detail
from stickman.table import messages as m
from stickman.table.decide import decide_given
from stickman.table.messages import Facts, Refusal, Refused
from stickman.table.state import new_table

TABLE = new_table(load("craps"))
OTHER = {"title": "Other", "timers.bets_s": "45", "timers.single_seat": "true", "history_length": "20"}
OTHER |= {"dice_colour": "red", "timers": "{ bets_s = 45 }", "announcements": "false", "sound": "false"}


def changed(key: str, text: str, approver: str = "") -> tuple[m.Event, ...] | Refused:
    return decide_given(TABLE, m.ChangeSetting(key=key, text=text), Facts(actor="one", approver=approver))


@pytest.mark.parametrize(("key", "text"), OTHER.items())
def test_one_person_changes_what_moves_no_edge(key: str, text: str) -> None:
    assert not isinstance(changed(key, text), Refused)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("power_odds.one_in", "1"),
        ("odds.take", "10x"),
        ("buy.rate_bp", "0"),
        ("field", "EL602"),
        ("payout_unit_cents", "25"),
        ("hand_pay_over_cents", "100"),
        ("total_max_cents", "100000000"),
        ("make_em_all.on", "true"),
        ("name", "other"),
    ],
)
def test_everything_else_takes_two_and_says_so(key: str, text: str) -> None:
    for approver in ("", "one"):
        refused = changed(key, text, approver)
        assert isinstance(refused, Refused)
        assert refused.why is Refusal.NEEDS_TWO
        assert refused.detail == Detail.MOVES_EDGE()
    done = changed(key, text, "two")
    assert not isinstance(done, Refused)
    [event] = [event for event in done if isinstance(event, m.SettingChanged)]
    assert (event.by, event.approver) == ("one", "two")


def test_a_setting_that_nobody_thought_of_takes_two() -> None:
    kept = {each.key for each in settings(TABLE.game) if each.key.split(".")[0] in KEEPS_THE_EDGE}
    timers = {
        "timers.bets_s",
        "timers.shooter_s",
        "timers.flight_ms",
        "timers.waits_for_bets",
        "timers.result_s",
        "timers.single_seat",
    }
    assert kept == timers | {"title", "history_length", "dice_colour", "announcements", "sound"}
    assert not moves_the_edge(TABLE.game, TABLE.game)


def test_what_cannot_be_changed_is_refused_before_a_second_person_is_asked_for() -> None:
    refused = changed("odds.take", "1000x")
    assert isinstance(refused, Refused)
    assert refused.why is Refusal.NO_SUCH_SETTING
    assert change(TABLE.game, "odds.take", "10x").odds.take == "10x"
