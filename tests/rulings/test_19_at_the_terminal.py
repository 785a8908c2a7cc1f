"""Rulings 41 to 51 at the terminal: doors, denominations, the credit meter, what a touch adds, each by hand from the
ruling's own words."""

from __future__ import annotations

import msgspec
import pytest

from stickman.floor.journal import events_of
from stickman.floor.tally import LOGS
from stickman.rules.datafile import BadFile
from stickman.rules.game import GAMES, change, load
from stickman.store.store import EMPTY, Envelope, Record, seal
from stickman.table import messages as m
from stickman.table.evolve import evolve
from stickman.table.offers import offers
from stickman.table.script import end_state, play
from stickman.table.state import Seat, new_table
from stickman.table.view import DealerView, SeatView, view
from tests.table.table_talk import SeatTalk, TableTalk, opened

TABLE_DOORS: tuple[m.TableDoor, ...] = ("centre_unit", "power", "network")


def seated(game: str, *changes: str, dollars: int = 100) -> SeatTalk:
    return opened(game, *changes).seat(1).inserts(dollars)


def state(one: SeatTalk) -> Seat:
    return one.table.now.seat(one.number)


def seen(one: SeatTalk) -> SeatView:
    shown = view(one.table.now, f"seat {one.number}", one.table.facts)
    assert isinstance(shown, SeatView)
    return shown


def dealer_sees(table: TableTalk) -> DealerView:
    shown = view(table.now, "dealer", table.facts)
    assert isinstance(shown, DealerView)
    return shown


# --- 43: the doors of a cage ---


def opens(table: TableTalk, *doors: m.TerminalDoor, seat: int = 1) -> None:
    for door in doors:
        table.asked(m.OpenDoor(seat=seat, door=door))


def shuts(table: TableTalk, *doors: m.TerminalDoor, seat: int = 1) -> None:
    for door in doors:
        table.asked(m.CloseDoor(seat=seat, door=door))


def clears(table: TableTalk, seat: int = 1) -> None:
    table.asked(m.TurnKey(seat=seat, on=True))
    table.asked(m.ClearLockup(seat=seat))
    table.asked(m.TurnKey(seat=seat, on=False))


def test_ruling_43_a_security_door_closes_before_its_main_door() -> None:
    one = seated("craps")
    opens(one.table, "cage_main", "cage_security")
    shuts(one.table, "cage_security", "cage_main")
    clears(one.table)
    one.bets("pass", 5)


def test_ruling_43_closing_in_the_wrong_order_keeps_the_lock_up_and_says_so() -> None:
    one = seated("craps")
    opens(one.table, "cage_main", "cage_security")
    shuts(one.table, "cage_main", "cage_security")
    assert state(one).doors == frozenset()
    assert seen(one).lockups == ("cage_order", "door")
    one.table.asked(m.TurnKey(seat=1, on=True))
    with one.table.refuses("cage_order"):
        one.table.asked(m.ClearLockup(seat=1))
    with one.table.refuses("locked_up"):
        one.bets("pass", 5)


def test_ruling_43_after_the_wrong_order_the_main_door_is_opened_again_and_both_close_in_order() -> None:
    one = seated("craps")
    opens(one.table, "cage_main", "cage_security")
    shuts(one.table, "cage_main")
    opens(one.table, "cage_main")
    shuts(one.table, "cage_main")  # the security door is still open: the wrong order again
    assert "cage_order" in seen(one).lockups
    shuts(one.table, "cage_security")
    opens(one.table, "cage_main")
    assert "cage_order" in seen(one).lockups
    shuts(one.table, "cage_main")
    assert seen(one).lockups == ("door",)
    clears(one.table)
    one.bets("pass", 5)


def test_ruling_43_a_main_door_that_was_opened_alone_may_be_closed_alone() -> None:
    one = seated("craps")
    opens(one.table, "cage_main")
    shuts(one.table, "cage_main")
    clears(one.table)


# --- 43: the doors of the table ---


def stopped(*changes: str, door: m.TableDoor = "centre_unit") -> tuple[TableTalk, SeatTalk]:
    """A table of two seats with a bet time of thirty seconds; its door opens after ten of them."""
    table = opened("craps", "seats=2", *changes).at_second(0).opens()
    one = table.seat(1).inserts(100).bets("pass", 10)
    table.at_second(10).asked(m.OpenTableDoor(door=door))
    return table, one


def clears_table(table: TableTalk, key: int = 2) -> None:
    table.asked(m.TurnKey(seat=key, on=True))
    table.asked(m.ClearTable())
    table.asked(m.TurnKey(seat=key, on=False))


@pytest.mark.parametrize("door", TABLE_DOORS)
def test_ruling_43_a_door_of_the_table_stops_betting_and_money_at_every_seat(door: m.TableDoor) -> None:
    table, one = stopped(door=door)
    two = table.seat(2)
    for deed in (
        lambda: one.bets("field", 5),
        lambda: one.takes("pass"),
        lambda: one.undoes(),
        lambda: one.cashes_out(),
        lambda: one.tips(1),
        lambda: two.inserts(20),
        lambda: two.inserts_ticket(20),
        lambda: table.asked(m.GiveCredit(seat=2, cents=500), drawer="badge-3"),
        lambda: table.asked(m.PutPuckOff(seat=0)) if table.game.puck_can_be_reset else one.presses("double"),
        lambda: table.closes(),
        lambda: table.opens(),
        lambda: table.changes("timers.bets_s", "40"),
    ):
        with table.refuses("table_locked_up"):
            deed()


def test_ruling_43_a_hand_pay_waits_for_the_table() -> None:
    table = opened("craps", "seats=2", "hand_pay_over_cents=10000")
    one = table.seat(1).inserts(200).cashes_out()
    table.asked(m.TurnKey(seat=1, on=True))
    table.asked(m.OpenTableDoor(door="network"))
    with table.refuses("table_locked_up"):
        table.asked(m.PayByHand(seat=1))
    table.asked(m.CloseTableDoor(door="network"))
    table.asked(m.ClearTable())
    table.asked(m.PayByHand(seat=1))
    assert one.credit == 0


def test_ruling_43_a_door_of_the_table_stops_the_bet_clock_and_gives_the_rest_back() -> None:
    table, one = stopped()
    assert table.now.deadline_ms == 0
    table.at_second(1000).ticks()
    assert table.phase == "betting"
    table.asked(m.CloseTableDoor(door="centre_unit"))
    table.at_second(2000)
    clears_table(table)
    assert table.now.deadline_ms == 1000 + 2_020_000  # twenty of the thirty seconds were left
    one.bets("field", 5)
    table.at_second(2020).ticks()
    assert table.phase == "shooting"


@pytest.mark.parametrize("pause_first", [True, False])
@pytest.mark.parametrize("resume_first", [True, False])
def test_ruling_43_a_pause_and_a_door_lose_no_time_whichever_comes_first(
    pause_first: bool, resume_first: bool
) -> None:
    table = opened("craps", "seats=2").at_second(0).opens()
    table.seat(1).inserts(100).bets("pass", 10)
    table.at_second(10)
    first, second = m.PauseTable(), m.OpenTableDoor(door="power")
    for request in (first, second) if pause_first else (second, first):
        table.asked(request)
    table.asked(m.CloseTableDoor(door="power"))
    table.asked(m.TurnKey(seat=1, on=True))
    table.at_second(100)
    for request in (m.ResumeTable(), m.ClearTable()) if resume_first else (m.ClearTable(), m.ResumeTable()):
        assert table.now.deadline_ms == 0
        table.asked(request)
    assert table.now.deadline_ms == 1000 + 120_000


def test_ruling_43_after_the_close_an_automated_roll_is_finished_and_then_nothing_opens() -> None:
    table = opened("craps", "seats=2").at_second(0).opens()
    one = table.seat(1).inserts(100).bets("pass", 10)
    table.at_second(30).ticks()
    table.asked(m.OpenTableDoor(door="centre_unit"))
    table.at_second(40).ticks("6-1")  # the shooter's ten seconds are over: the table rolls by itself
    assert (table.phase, one.paid) == ("rolled", 10_00)
    table.at_second(500).ticks()
    assert table.phase == "rolled"
    with table.refuses("table_locked_up"):
        table.opens()
    table.asked(m.CloseTableDoor(door="centre_unit"))
    clears_table(table)
    table.at_second(500 + table.game.timers.result_s).ticks()
    assert table.phase == "betting"


def test_ruling_43_the_shooter_may_finish_the_roll() -> None:
    table = opened("craps", "seats=2").at_second(0).opens()
    one = table.seat(1).inserts(100).bets("pass", 10)
    table.closes().asked(m.OpenTableDoor(door="power"))
    one.shoots("6-1")
    assert one.paid == 10_00


def test_ruling_43_after_the_close_the_dealers_entry_works() -> None:
    table = opened("craps", "seats=2").dealer()
    one = table.seat(1).inserts(100).bets("pass", 10)
    table.closes().asked(m.OpenTableDoor(door="network"))
    table.counts("6-1")
    assert one.paid == 10_00
    for request in (m.OpenBets(), m.ReverseRoll(dice=(1, 1))):
        with table.refuses("table_locked_up"):
            table.asked(request, actor="Anna", approver="Bert")


def test_ruling_43_a_single_seats_swipe_closes_no_bets_while_a_door_is_open() -> None:
    one = seated("craps", "seats=1").bets("pass", 10)
    one.table.asked(m.OpenTableDoor(door="power"))
    with one.table.refuses("table_locked_up"):
        one.shoots("6-1")


def test_ruling_43_a_supervisor_clears_the_table_with_any_key_of_it_once_all_its_doors_are_shut() -> None:
    table, one = stopped()
    table.asked(m.OpenTableDoor(door="power"))
    table.asked(m.TurnKey(seat=2, on=True))
    table.asked(m.CloseTableDoor(door="centre_unit"))
    with table.refuses("table_locked_up"):
        table.asked(m.ClearTable())
    table.asked(m.CloseTableDoor(door="power"))
    table.asked(m.TurnKey(seat=2, on=False))
    with table.refuses("needs_key"):
        table.asked(m.ClearTable())
    with table.refuses("table_locked_up"):
        one.bets("field", 5)
    clears_table(table)
    one.bets("field", 5)
    with table.refuses("nothing_to_do"):
        table.asked(m.ClearTable())


def test_ruling_43_a_door_is_opened_and_shut_once() -> None:
    table, _ = stopped()
    with table.refuses("already_so"):
        table.asked(m.OpenTableDoor(door="centre_unit"))
    table.asked(m.CloseTableDoor(door="centre_unit"))
    with table.refuses("already_so"):
        table.asked(m.CloseTableDoor(door="centre_unit"))


def test_ruling_43_every_screen_sees_the_tables_doors_and_its_lock_up() -> None:
    table, one = stopped()
    for shared in (seen(one).shared, dealer_sees(table).shared):
        assert (shared.locked_up, shared.doors, shared.message) == (True, ("centre_unit",), "locked_up")
    offered = offers(table.now, 1, table.facts).betting
    assert offered is not None
    assert offered.why is m.Refusal.TABLE_LOCKED_UP
    table.asked(m.CloseTableDoor(door="centre_unit"))
    assert (seen(one).shared.locked_up, seen(one).shared.doors) == (True, ())


def test_ruling_43_the_doors_of_the_table_are_significant_events() -> None:
    for event in (m.TableDoorOpened, m.TableDoorClosed, m.TableCleared):
        assert LOGS[event] == "significant"


def test_ruling_43_a_reversal_leaves_the_doors_of_the_table_as_they_are() -> None:
    table = opened("craps", "seats=2").dealer()
    table.seat(1).inserts(100).bets("pass", 10)
    table.closes().asked(m.OpenTableDoor(door="network"))
    table.counts("6-1")
    table.asked(m.CloseTableDoor(door="network"))
    clears_table(table)
    table.reverses_to("1-1")
    assert (table.now.doors, table.now.locked_up) == (frozenset(), False)


def test_ruling_43_a_script_opens_and_shuts_the_doors_of_the_table() -> None:
    played = play(
        "seat 1 inserts 100.00\ntable door open centre_unit\nseat 1 bets pass 5.00\ntable door close centre_unit\n"
        "key on 1\nclear table\nseat 1 bets pass 5.00\n"
    )
    assert end_state(played)["refusals"] == [{"line": 3, "reason": "table_locked_up"}]


def old_record(version: int, body: bytes) -> Record:
    return seal(EMPTY, Envelope(version, 1, 1, 5, "x", msgspec.Raw(body)))


@pytest.mark.parametrize("version", [1, 2])
def test_ruling_43_an_old_journals_table_door_still_locks_the_seat_that_it_names(version: int) -> None:
    (opened_then,) = events_of(old_record(version, b'[{"event":"door_opened","seat":2,"door":"centre_unit"}]'))
    table = evolve(new_table(load("craps")), opened_then)
    assert (table.seat(2).doors, table.seat(2).lockups) == ({"centre_unit"}, {"door"})
    assert not table.locked_up
    talk = TableTalk(table)
    talk.asked(m.CloseDoor(seat=2, door="centre_unit"))
    clears(talk, seat=2)
