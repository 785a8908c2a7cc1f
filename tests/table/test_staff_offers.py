"""What staff are offered is what the table accepts of them, and what is refused says why."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from stickman.table import messages as m
from stickman.table.decide import decide
from stickman.table.messages import Facts, Refused
from stickman.table.offers import StaffOffers, dealer_offers, offers_for_seat
from stickman.table.state import Table
from tests.table.walks import tables
from tests.talk.devices import key_turned
from tests.talk.table import TableTalk, opened


def now(table: TableTalk) -> StaffOffers:
    return dealer_offers(table.now, table.facts)


def for_seat(table: TableTalk, seat: int) -> StaffOffers:
    return offers_for_seat(table.now, seat, table.facts)


def why(offers: StaffOffers, what: str) -> str:
    refused = offers[what]
    return refused.why.value if refused else ""


# --- Offers are decisions ---

ASKED: dict[str, m.Request] = {
    "open_bets": m.OpenBets(),
    "close_bets": m.CloseBets(),
    "roll_dice": m.RollDice(),
    "enter_dice": m.EnterDice(dice=(6, 5)),
    "confirm_dice": m.ConfirmDice(),
    "call_no_roll": m.CallNoRoll(reason="cocked"),
    "put_puck_off": m.PutPuckOff(),
    "pause_table": m.PauseTable(),
    "resume_table": m.ResumeTable(),
}


@settings(max_examples=100)
@given(tables())
def test_what_the_dealer_is_offered_is_exactly_what_is_accepted(walked: tuple[Table, Facts]) -> None:
    table, facts = walked
    offers = dealer_offers(table, facts)
    for what, request in ASKED.items():
        answer = decide(table, request, replace(facts, actor="badge-12"))
        refused = answer if isinstance(answer, Refused) else None
        if what in offers:
            assert offers[what] == refused, what
        else:
            assert refused, what
            by_hand = table.mode == "automated" and what in ("enter_dice", "confirm_dice")
            assert by_hand or refused.why.value in ("no_such_button", "wrong_mode")


def test_an_automated_table_offers_no_dice_to_enter_or_confirm_paused_or_not() -> None:
    table = opened("craps")
    for request in (m.PauseTable(), m.ResumeTable()):
        table.asked(request)
        assert now(table).keys().isdisjoint(("enter_dice", "confirm_dice"))


@settings(max_examples=100)
@given(tables())
def test_what_is_offered_for_a_seat_is_exactly_what_is_accepted(walked: tuple[Table, Facts]) -> None:
    table, facts = walked
    two = replace(facts, actor="badge-12", approver="badge-7")
    for seat in table.seats:
        offers = offers_for_seat(table, seat.number, facts)
        for kind in (m.NameShooter, m.PayByHand, m.ClearLockup, m.AnswerService, m.ReturnToSeat):
            answer = decide(table, kind(seat=seat.number), two)
            what = str(kind.__struct_config__.tag)
            assert (what in offers and offers[what] is None) == (not isinstance(answer, Refused)), what


# --- The dealer's screen, from phase to phase ---


def test_while_bets_are_open_they_may_be_closed_and_dice_may_not_be_entered() -> None:
    table = opened("craps").dealer()
    table.seat(1).inserts(100).bets("pass", 10)
    assert why(now(table), "close_bets") == ""
    assert (why(now(table), "enter_dice"), why(now(table), "call_no_roll")) == ("wrong_phase", "wrong_phase")
    table.closes()
    assert why(now(table), "close_bets") == "wrong_phase"
    assert (why(now(table), "enter_dice"), why(now(table), "call_no_roll")) == ("", "")
    assert why(now(table), "confirm_dice") != "", "nothing is entered yet"
    table.asked(m.EnterDice(dice=(4, 2)))
    assert why(now(table), "confirm_dice") == ""


def test_a_paused_table_may_be_resumed_and_nothing_else_goes_on() -> None:
    table = opened("craps").dealer()
    table.seat(1).inserts(100).bets("pass", 10)
    table.asked(m.PauseTable())
    assert (why(now(table), "resume_table"), why(now(table), "pause_table")) == ("", "table_paused")
    assert why(now(table), "close_bets") == "table_paused"


def test_a_roll_may_be_reversed_until_bets_close_again() -> None:
    table = opened("craps").dealer()
    assert why(now(table), "reverse_roll") == "nothing_to_reverse"
    table.seat(1).inserts(100).bets("pass", 10)
    table.rolls("4-2")
    assert why(now(table), "reverse_roll") == "", "with a second person"
    table.opens()
    table.closes()
    assert why(now(table), "reverse_roll") == "nothing_to_reverse"


@pytest.mark.parametrize(("changed", "offered"), [("true", True), ("false", False)])
def test_a_game_without_the_button_does_not_offer_to_put_the_puck_off(changed: str, *, offered: bool) -> None:
    table = opened("craps", f"puck_can_be_reset={changed}").dealer()
    assert ("put_puck_off" in now(table)) is offered


def test_a_game_of_one_mode_offers_no_other() -> None:
    assert "select_mode" not in now(opened("craps", "mode=automated"))
    assert why(now(opened("craps", "mode=selectable")), "select_mode") == ""


# --- For a seat ---


def test_a_hand_pay_is_offered_with_the_reason_that_it_waits_for() -> None:
    table = opened("craps").dealer()
    table.seat(2).inserts(5000).cashes_out()
    assert why(for_seat(table, 2), "pay_by_hand") == "needs_key"
    table.asked(key_turned(2))
    assert why(for_seat(table, 2), "pay_by_hand") == ""
    assert "pay_by_hand" not in for_seat(table, 1), "nothing is due there"


def test_credit_that_was_left_behind_may_be_paid_and_service_that_was_called_answered() -> None:
    table = opened("craps").dealer()
    table.seat(1).inserts(100)
    assert for_seat(table, 1) == {}
    table.seat(1).leaves()
    assert for_seat(table, 1) == {"pay_by_hand": None}
    table.asked(m.CallService(seat=3))
    assert why(for_seat(table, 3), "answer_service") == ""


def test_a_reserved_seat_may_be_opened_until_its_time_is_over() -> None:
    table = opened("craps").dealer()
    table.seat(1).inserts(100)
    table.asked(m.ReserveSeat(seat=1))
    assert why(for_seat(table, 1), "return_to_seat") == ""
    later = replace(table.facts, now_ms=table.now.seat(1).stay.reserved_until_ms)
    assert "return_to_seat" not in offers_for_seat(table.now, 1, later)


def test_a_shooter_may_be_named_among_the_seats_that_may_shoot() -> None:
    table = opened("craps").dealer()
    table.seat(1).inserts(100).bets("pass", 10)
    assert "name_shooter" in for_seat(table, 1)
    assert "name_shooter" not in for_seat(table, 2), "no line bet lies there"
