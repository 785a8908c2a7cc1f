"""One clock for the roll: generated dice are recorded when they are thrown, and count when they land."""

from __future__ import annotations

import pytest

from stickman.table import messages as m
from stickman.table.state import COUNTED_AHEAD_MS
from stickman.table.view import Shared, shared_view
from tests.talk.devices import table_door_moved
from tests.talk.table import SeatTalk, TableTalk, seated

THROWN_MS = 31_000 + 4_000
"""Bets close at 31,000; the shooter throws four seconds later."""
FLIGHT_MS = 1_800
COUNTS_S = (THROWN_MS + FLIGHT_MS - COUNTED_AHEAD_MS - 1_000) / 1_000


def thrown(dice: str = "2-2", *settings: str) -> SeatTalk:
    """A shooter has thrown at a table whose screens show the flight."""
    one = seated("craps", *settings).bets("pass", 5)
    table = one.table.at_second(0).opens().at_second(30).ticks()
    if table.phase == "betting":  # one seat without timers
        table.closes()
    table.at_second((THROWN_MS - 1_000) / 1_000).screens()
    one.shoots(dice)
    return one


def shown(table: TableTalk) -> Shared:
    return shared_view(table.now, table.facts)


def test_thrown_dice_are_recorded_and_count_for_nothing_yet() -> None:
    table = thrown("2-2").table
    [event] = table.happened(m.DiceThrown)
    assert event == m.DiceThrown(dice=(2, 2), draw="", lands_at_ms=THROWN_MS + FLIGHT_MS, flight_ms=FLIGHT_MS)
    assert (table.phase, table.puck, table.now.history) == ("thrown", 0, ())


def test_nothing_of_the_result_is_in_a_view_before_the_dice_count() -> None:
    one = thrown("2-2")
    view = shown(one.table)
    assert (view.phase, view.puck, view.history, view.deadline_ms) == ("thrown", 0, (), 0)
    assert view.flight is not None
    assert (view.flight.dice, view.flight.lands_at_ms) == ((2, 2), THROWN_MS + FLIGHT_MS)
    one.refused("wrong_phase").bets("field", 5)


def test_dice_count_a_little_before_they_land_and_say_when() -> None:
    table = thrown("2-2").table
    table.at_second(COUNTS_S - 0.001).ticks()
    assert table.phase == "thrown"
    table.at_second(COUNTS_S).ticks("6-6")
    assert (table.phase, table.puck) == ("rolled", 4), "the dice that were thrown, whatever is drawn later"
    flight = shown(table).flight
    assert flight is not None
    assert flight.lands_at_ms == THROWN_MS + FLIGHT_MS


def test_the_result_is_shown_for_its_whole_time_after_the_landing() -> None:
    table = thrown("2-2").table.at_second(COUNTS_S).ticks()
    assert table.now.deadline_ms == THROWN_MS + FLIGHT_MS + 5_000
    table.at_second((table.now.deadline_ms - 1_000) / 1_000).ticks()
    assert (table.phase, shown(table).flight) == ("betting", None)


def test_a_flight_of_no_length_counts_at_once() -> None:
    table = thrown("2-2", "timers.flight_ms=0").table
    assert (table.phase, table.puck, shown(table).flight) == ("rolled", 4, None)


def test_a_table_without_screens_counts_at_once() -> None:
    one = seated("craps").bets("pass", 5)
    table = one.table.at_second(0).opens().at_second(30).ticks()
    one.shoots("2-2")
    assert (table.phase, table.puck) == ("rolled", 4)


def test_dice_that_a_dealer_entered_land_at_once() -> None:
    table = seated("craps").bets("pass", 5).table.dealer().closes().at_second(0).screens()
    table.asked(m.EnterDice(dice=(2, 2)))
    table.asked(m.ConfirmDice())
    assert (table.phase, table.puck, shown(table).flight) == ("rolled", 4, None)


def test_only_a_single_seat_may_cut_the_flight_short() -> None:
    alone = thrown("2-2", "seats=1")
    alone.table.asked(m.LandDice(seat=1))
    assert (alone.table.phase, shown(alone.table).flight) == ("rolled", None)
    thrown("2-2").table.refused("no_such_button").asked(m.LandDice(seat=1))


def test_dice_land_before_a_pause_because_nothing_stops_them() -> None:
    table = thrown("2-2").table
    flight = shown(table).flight
    assert flight
    lands_at_ms = flight.lands_at_ms
    table.asked(m.PauseTable())
    assert (table.phase, table.puck, table.now.paused) == ("rolled", 4, True)
    assert shown(table).flight == flight, "screens wait for them"
    assert table.now.flies(lands_at_ms - 1), "and so do HTTP addresses"
    table.asked(m.ResumeTable())
    assert table.now.deadline_ms >= lands_at_ms + table.now.game.timers.result_s * 1_000


@pytest.mark.parametrize("request_", [m.RollDice(), m.Shoot(seat=1), m.CallNoRoll(reason="other"), m.OpenBets()])
def test_dice_in_the_air_are_not_thrown_again(request_: m.Request) -> None:
    thrown("2-2").table.refused("wrong_phase").asked(request_)


def test_bets_do_not_open_before_the_screens_show_the_result() -> None:
    table = thrown("2-2").table.at_second(COUNTS_S).ticks()
    assert table.phase == "rolled"
    table.refused("wrong_phase").asked(m.OpenBets())
    table.at_second((THROWN_MS + FLIGHT_MS - 1_000) / 1_000).asked(m.OpenBets())
    assert table.phase == "betting"


def test_a_door_does_not_stop_dice_in_the_air() -> None:
    """Ruling 43: with bets closed the roll happens."""
    one = thrown("2-2")
    one.table.asked(table_door_moved("centre_unit"))
    one.table.at_second(COUNTS_S).ticks()
    assert one.table.puck == 4


def test_after_a_restart_the_same_dice_land() -> None:
    table = thrown("2-2").table.at_second(60)
    table.asked(m.Restart(), stopped_ms=THROWN_MS + 100)
    flight = shown(table).flight
    assert flight
    assert flight.lands_at_ms == 61_000 + FLIGHT_MS - 100, "they fly for the time that was left"
    table.at_second(70).ticks("6-6")
    assert table.puck == 4
