"""Rulings 55 and 57, and the state machine of money on the move: it is always in exactly one place."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from stickman.devices import signals as s
from stickman.devices.signals import MAY_SIGNAL
from stickman.table import messages as m
from stickman.table.decide import DECIDERS, decide
from stickman.table.ledger import printing
from stickman.table.messages import Facts, Needs, Refused, Reported
from stickman.table.ports import SIGNALS, wishes
from stickman.table.state import FAULTS_MAX, LOST_KEPT, Printing
from tests.talk.devices import (
    bill_stacked,
    door_moved,
    key_turned,
    part_fails,
    printed,
    table_door_moved,
    ticket_held,
    ticket_stacked,
)
from tests.talk.table import SeatTalk, TableTalk, opened, seated

NUMBER = "876543210987654321"
GOOD = m.TicketIn(NUMBER, 25_00)


def says(seat: int, kind: s.DeviceKind, signal: s.AnySignal) -> Reported:
    return Reported(seat=seat, kind=kind, signal=signal)


def places(one: SeatTalk) -> dict[str, int]:
    """Where the money of the seat is."""
    accounts = one.table.now.accounts
    names = {"credit": f"seat:{one.number}:credit", "printing": printing(one.number)}
    found = {
        where: accounts.get(names.get(where, where), 0) for where in ("credit", "printing", "tickets", "handpay")
    }
    return {where: cents for where, cents in found.items() if cents}


# --- 55: facts come from devices, never from a player's page ---


def test_ruling_55_no_request_names_money_in_a_door_a_key_or_a_fault() -> None:
    fields = {name for kind in DECIDERS for name in kind.__struct_fields__}
    assert not fields & {"door", "part", "note", "fault"}
    assert {
        kind for kind in DECIDERS if kind.__name__.startswith(("Insert", "Open", "Close", "Turn", "Report"))
    } == {
        m.OpenBets,
        m.CloseBets,
    }


def test_ruling_55_every_signal_is_of_a_kind_of_device_and_has_its_decider() -> None:
    listed = {signal for signals in MAY_SIGNAL.values() for signal in signals}
    assert listed == set(SIGNALS)


@pytest.mark.parametrize("signal", [s.BillStacked(note=1, cents=20_00), s.TicketStacked(note=1, number=NUMBER)])
def test_ruling_55_money_in_the_stacker_is_credit_whatever_the_seat_is_doing(signal: s.AnySignal) -> None:
    """A report has happened, so it is never refused."""
    reasons: tuple[m.Request | Reported, ...] = (
        door_moved(1),
        part_fails(1, "acceptor"),
        m.ReserveSeat(seat=1),
        m.LoseLink(seat=1),
        door_moved(0, "power"),
        m.PauseTable(),
    )
    for stops in reasons:
        one = seated("craps")
        one.table.asked(stops)
        one.table.asked(says(1, "acceptor", signal), ticket=m.TicketIn(NUMBER, 20_00))
        assert one.credit == 120_00, stops


def test_ruling_55_no_signal_is_ever_refused() -> None:
    table = opened("craps").now
    values = {"note": 1, "cents": 100, "number": NUMBER, "job": "1", "why": "jam", "after": "jam", "fault": "jam"}
    values |= {"door": "power", "open": True, "on": True, "version": "1", "sha256": "0" * 64}
    for seat, (kind, signals) in itertools.product((0, 1, 99), MAY_SIGNAL.items()):
        for signal in signals:
            made: Any = signal(**{name: values[name] for name in signal.__struct_fields__ if name in values})
            decision = decide(table, Reported(seat=seat, kind=kind, signal=made, device="x", seq=1), Facts())
            assert not isinstance(decision, Refused)


def test_ruling_55_what_may_be_refused_is_refused_in_escrow_and_goes_back() -> None:
    one = seated("craps")
    one.table.asked(door_moved(1))
    one.table.asked(says(1, "acceptor", s.BillInEscrow(note=7, cents=20_00)))
    asks = wishes(one.table.now, "acceptor", 1, Facts(bills_cents=(20_00,)))
    assert asks == s.AcceptorWishes(bills=(), tickets=False, note=7, stack=False)
    one.table.asked(says(1, "acceptor", s.NoteReturned(note=7)))
    assert (one.credit, one.table.now.seat(1).terminal.escrow) == (100_00, None)


def test_ruling_55_an_acceptor_takes_only_the_bills_of_the_house_and_nothing_while_its_seat_may_not() -> None:
    facts = Facts(bills_cents=(1_00, 20_00))
    table = opened("craps")
    assert wishes(table.now, "acceptor", 1, facts) == s.AcceptorWishes(bills=(1_00, 20_00), tickets=True)
    table.asked(says(1, "acceptor", s.BillInEscrow(note=1, cents=50_00)), bills_cents=(1_00, 20_00))
    asks = wishes(table.now, "acceptor", 1, facts)
    assert isinstance(asks, s.AcceptorWishes)
    assert (asks.note, asks.stack) == (1, False)
    assert wishes(table.now, "acceptor", 2, facts) == s.AcceptorWishes(bills=(1_00, 20_00), tickets=True)


# --- A ticket in ---


def test_a_ticket_in_escrow_is_held_and_redeemed_in_one_record_with_its_credit() -> None:
    table = opened("craps")
    [held] = table.asked(ticket_held(1, NUMBER), ticket=GOOD)
    assert held.claims == (f"ticket:{NUMBER}:held:0",)
    [redeemed] = table.asked(ticket_stacked(1, NUMBER))
    assert redeemed.claims == (f"ticket:{NUMBER}:redeemed",)
    assert table.seat(1).credit == 25_00


def test_a_ticket_that_goes_back_can_be_held_again() -> None:
    table = opened("craps")
    table.asked(ticket_held(1, NUMBER), ticket=GOOD)
    released, returned = table.asked(says(1, "acceptor", s.NoteReturned(note=1)))
    assert released.claims == (f"ticket:{NUMBER}:released:0",)
    assert isinstance(returned, m.PaperReturned)
    [held] = table.asked(ticket_held(1, NUMBER), ticket=GOOD._replace(holds=1))
    assert held.claims == (f"ticket:{NUMBER}:held:1",)


def test_a_ticket_is_looked_up_before_it_is_decided() -> None:
    table = opened("craps").now
    assert decide(table, ticket_held(1, NUMBER), Facts()) == Needs("ticket")


def test_a_stacked_ticket_that_is_worth_nothing_gives_no_credit_and_calls_staff() -> None:
    table = opened("craps")
    table.asked(ticket_stacked(1, NUMBER), ticket=m.TicketIn(NUMBER, 0))
    assert table.seat(1).credit == 0
    assert table.now.seat(1).terminal.lockups == {"acceptor"}


# --- A ticket out ---


def reserved(dollars: int = 100) -> tuple[SeatTalk, m.TicketReserved]:
    one = seated("craps", dollars=dollars)
    one.table.prints = False
    [event] = one.table.asked(m.CashOut(seat=1))
    assert isinstance(event, m.TicketReserved)
    return one, event


def test_a_ticket_is_reserved_before_it_is_printed_and_its_money_waits() -> None:
    one, event = reserved()
    assert event.claims == (f"ticket:{event.number}:issued",)
    assert places(one) == {"printing": 100_00}
    asks = wishes(one.table.now, "printer", 1, Facts())
    assert isinstance(asks, Printing)
    assert (asks.job, asks.cents) == (event.number, 100_00)
    ticket, ended = one.table.asked(printed(event))
    assert ticket.claims == (f"ticket:{event.number}:printed",)
    assert isinstance(ended, m.StayEnded)
    assert places(one) == {"tickets": 100_00}
    assert wishes(one.table.now, "printer", 1, Facts()) is None


def test_while_a_ticket_prints_no_other_is_asked_for_and_no_money_is_taken() -> None:
    one, _ = reserved()
    one.table.asked(m.GiveCredit(seat=1, cents=5_00), drawer="Anna")
    one.refused("printing").cashes_out()
    one.refused("printing").inserts(20)


def test_a_failed_ticket_is_credit_again_and_the_seat_locks_up_and_calls_staff() -> None:
    one, event = reserved()
    failed, _ = one.table.asked(says(1, "printer", s.SlipFailed(job=event.number, why="paper_out")))
    assert failed.claims == (f"ticket:{event.number}:redeemed",), "the number is spent"
    assert places(one) == {"credit": 100_00}
    terminal = one.table.now.seat(1).terminal
    assert terminal.lockups == {"printer"}
    assert terminal.service


def test_ruling_57_a_ticket_not_known_to_be_printed_is_cancelled_and_due_by_hand_to_two_people() -> None:
    one, event = reserved()
    cancelled, *_ = one.table.asked(says(1, "printer", s.SlipUnknown(job=event.number, why="no_answer")))
    assert cancelled.claims == (f"ticket:{event.number}:redeemed",), "its number is spent"
    assert places(one) == {"handpay": 100_00}
    table = one.table
    table.asked(key_turned(1))
    table.refused("needs_two").asked(m.PayByHand(seat=1), actor="Anna")
    table.refused("needs_two").asked(m.PayByHand(seat=1), actor="Anna", approver="Anna")
    table.asked(m.PayByHand(seat=1), actor="Anna", approver="Bert")
    assert places(one) == {}
    assert table.now.seat(1).stay.ended


def test_ruling_57_a_printer_that_never_answers_is_given_up_by_two_people_with_the_key() -> None:
    one, _ = reserved()
    table, away = one.table, {"printers": {1: "away"}}
    table.refused("printing").asked(m.CancelPrint(seat=1), actor="Anna", approver="Bert")
    table.refused("needs_key").asked(m.CancelPrint(seat=1), actor="Anna", approver="Bert", **away)
    table.asked(key_turned(1))
    table.refused("needs_two").asked(m.CancelPrint(seat=1), actor="Anna", **away)
    table.asked(m.CancelPrint(seat=1), actor="Anna", approver="Bert", **away)
    assert places(one) == {"handpay": 100_00}


@pytest.mark.parametrize("late", [s.SlipPrinted, s.SlipFailed, s.SlipUnknown])
def test_a_report_about_a_ticket_that_has_ended_moves_nothing(late: type[s.Signal]) -> None:
    one, event = reserved()
    one.table.asked(says(1, "printer", s.SlipUnknown(job=event.number, why="no_answer")))
    before = places(one)
    values = {"why": "jam"} if late is not s.SlipPrinted else {}
    one.table.asked(says(1, "printer", late(job=event.number, **values)))  # type: ignore[arg-type] # one of three
    assert places(one) == before


def test_the_tip_of_a_failed_ticket_is_the_players_again() -> None:
    one = seated("craps")
    one.table.dealer()
    one.table.prints = False
    [event] = one.table.asked(m.GiveTip(seat=1, cents=30_00))
    assert isinstance(event, m.TicketReserved)
    one.table.asked(says(1, "printer", s.SlipFailed(job=event.number, why="jam")))
    assert (places(one), one.table.now.seat(1).stay.tips_cents) == ({"credit": 100_00}, 0)


def test_without_a_printer_credit_leaves_as_a_hand_pay() -> None:
    """Acceptor and printer are optional (RTW 3.1 item 11)."""
    one = seated("craps")
    one.table.asked(m.CashOut(seat=1), printers={})
    assert places(one) == {"handpay": 100_00}


def test_staff_pay_the_credit_of_a_seat_whose_printer_failed_with_the_key() -> None:
    one, event = reserved()
    table = one.table
    table.asked(says(1, "printer", s.SlipFailed(job=event.number, why="paper_out")))
    table.refused("needs_key").asked(m.PayByHand(seat=1), actor="Anna")
    table.asked(key_turned(1))
    table.asked(m.PayByHand(seat=1), actor="Anna")
    assert places(one) == {}


def test_staff_pay_the_credit_of_a_seat_whose_printer_is_away() -> None:
    one = seated("craps")
    away = {"printers": {1: "away"}}
    one.table.refused("no_ticket").asked(m.CashOut(seat=1), **away)
    one.table.asked(key_turned(1))
    one.table.asked(m.PayByHand(seat=1), actor="Anna", **away)
    assert places(one) == {}


def test_where_a_seat_has_no_key_switch_two_people_replace_it() -> None:
    one = seated("craps", dollars=3001)
    table, keyless, two = one.table, {"keys": {2: True}}, {"actor": "Anna", "approver": "Bert"}
    table.asked(m.CashOut(seat=1), **keyless)
    table.refused("needs_two").asked(m.PayByHand(seat=1), actor="Anna", **keyless)
    table.asked(m.PayByHand(seat=1), **two, **keyless)
    table.asked(door_moved(1))
    table.asked(door_moved(1, shut=True))
    table.refused("needs_two").asked(m.ClearLockup(seat=1), actor="Anna", **keyless)
    table.asked(m.ClearLockup(seat=1), **two, **keyless)
    assert not table.now.seat(1).terminal.lockups


def test_a_roll_is_not_reversed_while_a_ticket_prints() -> None:
    table = opened("roll-to-win", "seats=2").dealer()
    one, two = table.seat(1).inserts(100).bets("field", 5), table.seat(2).inserts(100)
    table.rolls("1-2")
    table.prints = False
    two.cashes_out()
    table.refused("printing").reverses_to("3-4")
    no = decide(table.now, m.ReverseRoll(dice=(3, 4)), table.facts)
    assert str(no) == "First the printer must finish: at seat 2."
    assert (one.credit, one.lies) == (100_00, {"field": 5_00})


# --- Devices that lose reports ---


def numbered(seq: int, signal: s.AnySignal) -> Reported:
    return Reported(seat=1, kind="acceptor", signal=signal, device="acceptor-1", boot="0" * 16, seq=seq)


def test_a_gap_in_a_devices_reports_locks_the_seat_until_two_people_settle_its_totals() -> None:
    table = opened("craps")
    table.asked(numbered(1, s.BillStacked(note=1, cents=20_00)))
    table.asked(numbered(3, s.BillStacked(note=3, cents=20_00)))
    assert table.seat(1).credit == 40_00, "what is in the stacker is credit"
    assert table.now.seat(1).terminal.lockups == {"device"}
    settle = m.SettleDevice(seat=1, device="acceptor-1")
    people = {"actor": "Anna", "approver": "Bert"}
    table.refused("needs_totals").asked(settle, **people)
    table.asked(numbered(4, s.TotalsReported(bills={20_00: 3})))
    table.refused("needs_two").asked(settle, actor="Anna")
    table.asked(settle, **people)
    assert table.account("over_short") == 20_00
    assert table.now.seat(1).terminal.lockups == frozenset()
    table.asked(numbered(5, s.BillStacked(note=4, cents=20_00)))
    assert not table.now.heard["acceptor-1"].distrusted


def test_the_drop_says_what_the_device_and_what_the_journal_counted() -> None:
    table = opened("craps")
    table.asked(bill_stacked(1, 20_00))
    table.asked(bill_stacked(1, 20_00, note=2))
    [dropped] = table.asked(says(1, "acceptor", s.StackerRemoved(bills={20_00: 1}, tickets=0)))
    assert isinstance(dropped, m.Dropped)
    assert (dropped.counted.bills, dropped.booked.bills) == ({20_00: 1}, {20_00: 2})
    assert table.now.seat(1).terminal.stacker == m.Stacked()


# --- 43: doors that moved while the power was off ---


def test_ruling_43_a_door_that_moved_without_power_is_recorded_with_its_time() -> None:
    table = opened("craps")
    signal = s.DoorMoved(door="cage_main", open=True, moved_ms=1_700_000_000_000, how="battery")
    [event] = table.asked(says(1, "doors", signal))
    assert isinstance(event, m.DoorOpened)
    assert (event.moved_ms, event.how) == (1_700_000_000_000, "battery")


def test_ruling_43_the_key_of_the_dealer_terminal_clears_the_table() -> None:
    table: TableTalk = opened("craps")
    table.asked(door_moved(0, "power"))
    table.asked(door_moved(0, "power", shut=True))
    table.refused("needs_key").asked(m.ClearTable())
    table.asked(key_turned(0))
    table.asked(m.ClearTable())
    assert not table.now.locked_up


def test_each_test_page_and_each_copy_is_a_job_of_its_own() -> None:
    """A printer prints each job once, so a second page with the same name would never come."""
    one = seated("craps")
    jobs = []
    for _ in range(2):
        [asked] = one.table.asked(m.PrintTest(seat=1))
        assert isinstance(asked, m.PaperAsked)
        jobs.append(asked.job)
        one.table.asked(says(1, "printer", s.SlipPrinted(job=asked.job)))
    assert len(set(jobs)) == 2


# --- Devices that are revoked, and bills that contradict each other ---


def of(kind: s.DeviceKind, seq: int, signal: s.AnySignal) -> Reported:
    return Reported(seat=1, kind=kind, signal=signal, device=f"{kind}-1", boot="0" * 16, seq=seq)


def test_a_revoked_acceptor_holds_no_ticket_and_has_no_fault() -> None:
    table = opened("craps")
    table.asked(of("acceptor", 1, s.TicketInEscrow(note=1, number=NUMBER)), ticket=GOOD)
    table.asked(of("acceptor", 2, s.FaultBegan(fault="jam")))
    table.asked(m.RemoveDevice(seat=1, device="acceptor-1"))
    table.asked(key_turned(1))
    released, _ = table.asked(m.ClearLockup(seat=1))
    assert released.claims == (f"ticket:{NUMBER}:released:0",)
    asks = wishes(table.now, "acceptor", 1, Facts())
    assert asks == s.AcceptorWishes(bills=(), tickets=True), "the next acceptor inherits no decision"


def test_a_revoked_printers_ticket_is_cancelled_and_goes_to_no_other_printer() -> None:
    one, event = reserved()
    one.table.asked(of("printer", 1, s.SlipBegun(job=event.number)))
    cancelled, *_ = one.table.asked(m.RemoveDevice(seat=1, device="printer-1"))
    assert cancelled.claims == (f"ticket:{event.number}:redeemed",)
    assert places(one) == {"handpay": 100_00}
    assert wishes(one.table.now, "printer", 1, Facts()) is None


def test_a_revoked_key_switch_is_off() -> None:
    table = opened("craps")
    table.asked(of("doors", 1, s.KeyMoved(on=True)))
    turned, _ = table.asked(m.RemoveDevice(seat=1, device="doors-1"))
    assert isinstance(turned, m.KeyTurned)
    assert not table.now.seat(1).terminal.key


@pytest.mark.parametrize(("kind", "left"), [("acceptor", "acceptor"), ("printer", "printer"), ("doors", "door")])
def test_a_distrusted_device_that_is_revoked_leaves_a_lock_up_that_staff_can_clear(
    kind: s.DeviceKind, left: str
) -> None:
    table = opened("craps")
    table.asked(of(kind, 3, s.FaultBegan(fault="jam")))
    assert "device" in table.now.seat(1).terminal.lockups
    table.asked(m.RemoveDevice(seat=1, device=f"{kind}-1"))
    assert table.now.seat(1).terminal.lockups == {left}
    table.asked(key_turned(1))
    table.asked(m.ClearLockup(seat=1))


def test_a_seat_stays_locked_up_until_each_of_its_distrusted_devices_is_settled() -> None:
    table, two = opened("craps"), {"actor": "Anna", "approver": "Bert"}
    kinds: tuple[s.DeviceKind, ...] = ("acceptor", "printer")
    for kind in kinds:
        table.asked(of(kind, 3, s.ProgramReported(version="1", sha256="0" * 64)))
        table.asked(of(kind, 4, s.TotalsReported()))
    for kind, locked in zip(kinds, (True, False), strict=True):
        table.asked(m.SettleDevice(seat=1, device=f"{kind}-1"), **two)
        assert ("device" in table.now.seat(1).terminal.lockups) is locked


def test_a_stacker_that_was_out_is_not_out_for_the_next_acceptor() -> None:
    table = opened("craps")
    table.asked(of("acceptor", 1, s.StackerRemoved()))
    table.asked(m.RemoveDevice(seat=1, device="acceptor-1"))
    assert not table.now.seat(1).terminal.stacker_out


# --- What staff must do before a lock-up can be cleared ---


def test_a_lock_up_that_cannot_be_cleared_says_what_to_do_first() -> None:
    table = opened("craps")

    def why(request: m.Request) -> str:
        no = decide(table.now, request, table.facts)
        assert isinstance(no, Refused)
        assert no.why is m.Refusal.CANNOT_CLEAR
        return str(no)

    doors: tuple[s.Door, ...] = ("cage_main", "cage_security")
    for door in doors:
        table.asked(door_moved(1, door))
    said = why(m.ClearLockup(seat=1))
    assert said == "It cannot be cleared yet: first close its doors (cage main, cage security)."
    for door in reversed(doors):
        table.asked(door_moved(1, door, shut=True))
    table.asked(part_fails_as(1, "stacker_full"))
    assert why(m.ClearLockup(seat=1)) == "It cannot be cleared yet: first repair the acceptor (stacker full)."
    table.asked(says(1, "acceptor", s.FaultEnded(fault="stacker_full")))
    table.asked(of("printer", 3, s.FaultEnded(fault="jam")))
    said = why(m.ClearLockup(seat=1))
    assert said == "It cannot be cleared yet: first two people must settle the printer in the office."
    table.asked(table_door_moved("centre_unit"))
    assert why(m.ClearTable()) == "It cannot be cleared yet: first close its doors (centre unit)."


def test_paper_that_is_overtaken_by_the_next_is_unaccounted_for() -> None:
    table = opened("craps")
    table.asked(of("acceptor", 1, s.TicketInEscrow(note=1, number=NUMBER)), ticket=GOOD)
    table.asked(of("acceptor", 2, s.BillInEscrow(note=2, cents=20_00)))
    terminal = table.now.seat(1).terminal
    assert terminal.lockups == {"acceptor"}
    assert [lost.number for lost in terminal.lost] == [NUMBER]
    table.asked(of("acceptor", 3, s.NoteReturned(note=1)))
    assert not table.now.seat(1).terminal.lost


@pytest.mark.parametrize("signal", [(1, 100_00), (2, 3_33)])
def test_a_bill_that_contradicts_what_was_reported_is_credit_and_distrusted(signal: tuple[int, int]) -> None:
    table, bills = opened("craps"), {"bills_cents": (1_00, 20_00, 100_00)}
    table.asked(of("acceptor", 1, s.BillInEscrow(note=1, cents=1_00)), **bills)
    note, cents = signal
    table.asked(of("acceptor", 2, s.BillStacked(note=note, cents=cents)), **bills)
    assert table.seat(1).credit == cents, "it is in the stacker"
    assert "device" in table.now.seat(1).terminal.lockups


def test_a_bill_that_is_stacked_twice_is_distrusted() -> None:
    table = opened("craps")
    for seq in 1, 2:
        table.asked(of("acceptor", seq, s.BillStacked(note=5, cents=20_00)))
    assert table.now.heard["acceptor-1"].distrusted


def test_the_faults_of_a_device_that_are_kept_are_bounded() -> None:
    table = opened("craps")
    for number in range(100):
        table.asked(part_fails_as(1, f"fault {number}"))
    assert len(table.now.seat(1).terminal.faults["acceptor"]) == FAULTS_MAX


def part_fails_as(seat: int, name: str) -> Reported:
    return says(seat, "acceptor", s.FaultBegan(fault=name))


# --- What two people settle ---

TWO = {"actor": "Anna", "approver": "Bert"}
PROGRAM = s.ProgramReported(version="1", sha256="0" * 64)


def settles(table: TableTalk, device: str, seat: int = 1) -> m.DeviceSettled:
    [event] = table.asked(m.SettleDevice(seat=seat, device=device), **TWO)
    assert isinstance(event, m.DeviceSettled)
    return event


@pytest.mark.parametrize("kind", ["printer", "doors"])
def test_only_an_acceptor_can_differ_from_the_journal_in_money(kind: s.DeviceKind) -> None:
    table = opened("craps")
    table.asked(of(kind, 1, PROGRAM))
    table.asked(of("acceptor", 1, s.BillStacked(note=1, cents=100_00)))
    table.asked(of(kind, 3, PROGRAM))
    table.asked(of(kind, 4, s.TotalsReported()))
    assert settles(table, f"{kind}-1").difference_cents == 0
    assert table.account("over_short") == 0


def test_a_gap_that_is_found_with_a_bill_in_escrow_sends_the_bill_back() -> None:
    table = opened("craps")
    table.asked(of("acceptor", 1, PROGRAM))
    table.asked(of("acceptor", 3, s.BillInEscrow(note=2, cents=20_00)))
    asks = wishes(table.now, "acceptor", 1, Facts())
    assert isinstance(asks, s.AcceptorWishes)
    assert (asks.note, asks.stack) == (2, False)


def test_totals_are_out_of_date_when_a_distrusted_acceptor_stacks_another_bill() -> None:
    """One report of $20 is lost. A bill that was on its way is stacked after the totals: both are the house's."""
    table = opened("craps")
    table.asked(of("acceptor", 1, s.BillInEscrow(note=2, cents=20_00)))
    table.asked(of("acceptor", 3, PROGRAM))
    table.asked(of("acceptor", 4, s.TotalsReported(bills={20_00: 1})))
    table.asked(of("acceptor", 5, s.BillStacked(note=2, cents=20_00)))
    settle = m.SettleDevice(seat=1, device="acceptor-1")
    table.refused("needs_totals").asked(settle, **TWO)
    table.asked(of("acceptor", 6, s.TotalsReported(bills={20_00: 2})))
    assert settles(table, "acceptor-1").difference_cents == 20_00
    assert (table.seat(1).credit, table.account("cash")) == (20_00, -40_00)


def test_paper_whose_outcome_may_be_missing_is_unaccounted_for_until_its_outcome_comes() -> None:
    table = opened("craps")
    table.asked(of("acceptor", 1, s.TicketInEscrow(note=1, number=NUMBER)), ticket=GOOD)
    table.asked(of("acceptor", 3, PROGRAM))
    terminal = table.now.seat(1).terminal
    assert (terminal.escrow, [lost.number for lost in terminal.lost]) == (None, [NUMBER])
    [_, redeemed] = table.asked(of("acceptor", 4, s.TicketStacked(note=1, number=NUMBER)))
    assert redeemed.claims == (f"ticket:{NUMBER}:redeemed",)
    assert (table.seat(1).credit, table.now.seat(1).terminal.lost) == (25_00, ())


def test_the_settlement_says_what_to_wait_for() -> None:
    table = opened("craps")
    settle = m.SettleDevice(seat=1, device="acceptor-1")
    table.refused("no_such_device").asked(settle, **TWO)
    table.asked(of("acceptor", 1, PROGRAM))
    table.refused("device_trusted").asked(settle, **TWO)
    table.asked(of("acceptor", 3, PROGRAM))
    table.refused("needs_totals").asked(settle, **TWO)
    table.asked(of("acceptor", 4, s.TotalsReported()))
    table.refused("needs_two").asked(settle, actor="Anna")


def test_the_settlement_says_how_tickets_and_slips_differ() -> None:
    one = seated("craps")
    table = one.table
    table.asked(m.PrintTest(seat=1))
    job = table.now.seat(1).terminal.printing
    assert job
    table.asked(of("printer", 1, s.SlipPrinted(job=job.job)))
    table.asked(of("printer", 3, PROGRAM))
    table.asked(of("printer", 4, s.TotalsReported(slips=3)))
    event = settles(table, "printer-1")
    assert (event.difference_cents, event.difference_tickets, event.difference_slips) == (0, 0, 2)
    table.asked(of("acceptor", 2, PROGRAM))
    table.asked(of("acceptor", 3, s.TotalsReported(bills={1_00: 2}, tickets_in=4)))
    event = settles(table, "acceptor-1")
    assert (event.difference_cents, event.difference_tickets, event.difference_slips) == (2_00, 4, 0)
    agreed: dict[s.DeviceKind, s.TotalsReported] = {
        "printer": s.TotalsReported(slips=3),
        "acceptor": s.TotalsReported(bills={1_00: 2}, tickets_in=4),
    }
    for kind, totals in agreed.items():
        device = f"{kind}-1"
        table.asked(of(kind, table.now.heard[device].seq + 2, totals))
        table.asked(of(kind, table.now.heard[device].seq + 1, totals))
        event = settles(table, device)
        assert (event.difference_cents, event.difference_tickets, event.difference_slips) == (0, 0, 0)


# --- A hold always ends ---

OTHER = "123456789012345678"


def is_held(table: TableTalk, number: str) -> bool:
    """Whether the claims of the journal hold a ticket."""
    claims = [claim for event in table.events for claim in event.claims if claim.startswith(f"ticket:{number}:")]
    ended = any(claim.endswith("redeemed") for claim in claims)
    return not ended and sum(":held:" in claim for claim in claims) > sum(":released:" in claim for claim in claims)


CONTRADICTIONS: tuple[s.AnySignal, ...] = (
    s.TicketStacked(note=1, number=OTHER),
    s.BillStacked(note=1, cents=25_00),
    s.TicketInEscrow(note=1, number=OTHER),
    s.BillInEscrow(note=1, cents=25_00),
)


@pytest.mark.parametrize("signal", CONTRADICTIONS, ids=lambda signal: type(signal).__name__)
def test_a_ticket_whose_paper_turns_out_to_be_another_is_released_and_the_device_is_distrusted(
    signal: s.AnySignal,
) -> None:
    table = opened("craps")
    table.asked(of("acceptor", 1, s.TicketInEscrow(note=1, number=NUMBER)), ticket=GOOD)
    table.asked(of("acceptor", 2, signal), ticket=m.TicketIn(OTHER, 10_00))
    assert not is_held(table, NUMBER)
    assert table.now.heard["acceptor-1"].distrusted
    asks = wishes(table.now, "acceptor", 1, Facts())
    assert isinstance(asks, s.AcceptorWishes)
    assert not asks.stack


def test_a_ticket_that_is_reported_in_escrow_twice_stays_held_and_is_redeemed() -> None:
    table = opened("craps")
    table.asked(of("acceptor", 1, s.TicketInEscrow(note=1, number=NUMBER)), ticket=GOOD)
    table.asked(of("acceptor", 2, s.TicketInEscrow(note=1, number=NUMBER)), ticket=m.TicketIn(NUMBER, 0, 1))
    assert is_held(table, NUMBER)
    table.asked(of("acceptor", 3, s.TicketStacked(note=1, number=NUMBER)))
    assert table.seat(1).credit == 25_00


def test_a_new_acceptor_says_nothing_about_the_paper_of_the_last_one() -> None:
    """Its numbers begin at 1 again."""
    table = opened("craps")
    table.asked(of("acceptor", 1, s.TicketInEscrow(note=1, number=NUMBER)), ticket=GOOD)
    table.asked(m.RemoveDevice(seat=1, device="acceptor-1"))
    new = Reported(seat=1, kind="acceptor", signal=PROGRAM, device="acceptor-2", boot="1" * 16, seq=1)
    table.asked(replace(new, signal=s.BillInEscrow(note=1, cents=20_00)))
    table.asked(replace(new, signal=s.NoteReturned(note=1), seq=2))
    assert [lost.number for lost in table.now.seat(1).terminal.lost] == [NUMBER]
    table.asked(key_turned(1))
    table.asked(m.ClearLockup(seat=1))
    assert not is_held(table, NUMBER)


def test_however_much_paper_is_unaccounted_for_a_held_ticket_is_not_forgotten() -> None:
    table = opened("craps")
    table.asked(of("acceptor", 1, s.TicketInEscrow(note=1, number=NUMBER)), ticket=GOOD)
    table.asked(of("acceptor", 2, s.NoteUnaccounted(note=1, after="jam")))
    for note in range(2, 20):
        seq = table.now.heard["acceptor-1"].seq
        table.asked(of("acceptor", seq + 1, s.BillInEscrow(note=note, cents=20_00)))
        table.asked(of("acceptor", seq + 2, s.NoteUnaccounted(note=note, after="jam")))
    lost = table.now.seat(1).terminal.lost
    assert (len(lost), lost[0].number) == (LOST_KEPT, NUMBER)
    table.asked(key_turned(1))
    table.asked(m.ClearLockup(seat=1))
    assert not is_held(table, NUMBER)


# --- Stays, reversals and late reports ---


def test_money_that_comes_while_a_ticket_prints_is_of_the_same_stay() -> None:
    one = seated("craps")
    table = one.table
    table.prints = False
    table.asked(says(1, "acceptor", s.BillInEscrow(note=2, cents=20_00)))
    [event] = table.asked(m.CashOut(seat=1))
    assert isinstance(event, m.TicketReserved)
    table.asked(says(1, "acceptor", s.BillStacked(note=2, cents=20_00)))
    table.asked(says(1, "printer", s.SlipFailed(job=event.number, why="paper_out")))
    stay = table.now.seat(1).stay
    assert (stay.number, stay.in_cents, stay.out_cents) == (1, 120_00, 0)
    assert one.credit == 120_00


def test_a_printer_that_names_the_slip_of_another_seat_is_not_believed() -> None:
    one, event = reserved()
    before = places(one)
    assert one.table.asked(says(2, "printer", s.SlipPrinted(job=event.number))) == ()
    assert places(one) == before


@pytest.mark.parametrize("jobs", [m.CancelPrint(seat=1), None])
def test_a_cancelled_slip_that_is_printed_after_all_is_seen_by_staff_and_moves_nothing(
    jobs: m.CancelPrint | None,
) -> None:
    one, event = reserved()
    table = one.table
    if jobs:
        table.asked(key_turned(1))
        table.asked(jobs, **TWO, printers={1: "away"})
    else:
        table.asked(of("printer", 1, s.SlipUnknown(job=event.number, why="no_answer")))
    before = places(one)
    *_, late = table.asked(says(1, "printer", s.SlipPrinted(job=event.number)))
    assert late == m.PrintedLate(seat=1, number=event.number)
    assert places(one) == before == {"handpay": 100_00}
    assert table.now.seat(1).terminal.service


def test_a_ticket_that_is_reported_as_printed_twice_is_no_other_ticket() -> None:
    one, event = reserved()
    one.table.asked(printed(event))
    assert one.table.asked(printed(event)) == ()


def test_bills_that_the_house_does_not_take_share_one_meter() -> None:
    table = opened("craps")
    for note, cents in enumerate((20_00, 3_33, 7_77), 1):
        table.asked(of("acceptor", note, s.BillStacked(note=note, cents=cents)), bills_cents=(20_00,))
    meters = {key: count for key, count in table.now.cash_meters.items() if "bills" in key}
    assert meters == {"seat:1:bills_2000": 1, "seat:1:bills_other": 2}
    assert table.seat(1).credit == 31_10


# --- The table's own doors, and keys that are away ---


def of_table(seq: int, signal: s.AnySignal) -> Reported:
    return Reported(seat=0, kind="doors", signal=signal, device="doors-0", boot="0" * 16, seq=seq)


@pytest.mark.parametrize("why", ["gap", "changed"])
def test_ruling_43_doors_of_the_table_that_are_not_trusted_stop_it_as_an_open_door_does(why: str) -> None:
    """Nobody knows whether one of them was opened."""
    table = opened("craps")
    one = table.at_second(0).seat(1).inserts(100)
    table.asked(of_table(1, PROGRAM))
    one.bets("field", 5)
    table.at_second(10)
    table.asked(m.DistrustDevice(seat=0, device="doors-0") if why == "changed" else of_table(3, PROGRAM))
    assert (table.now.locked_up, table.now.deadline_ms, table.now.left_ms) == (True, 0, 20_000)
    one.refused("table_locked_up").bets("field", 5)
    table.asked(of_table(table.now.heard["doors-0"].seq + 1, s.KeyMoved(on=True)))
    table.refused("cannot_clear").asked(m.ClearTable())
    table.asked(of_table(table.now.heard["doors-0"].seq + 1, s.TotalsReported()))
    settles(table, "doors-0", seat=0)
    assert table.now.locked_up, "a supervisor must still look"
    table.at_second(100).asked(m.ClearTable())
    assert (table.now.locked_up, table.now.deadline_ms) == (False, 1000 + 120_000)


def test_a_key_that_is_not_connected_counts_as_off() -> None:
    """As for signing in: nobody knows whether it is still turned."""
    table, away = opened("craps"), {"keys": {1: False, 0: False}}
    for seat in (0, 1):
        table.asked(key_turned(seat))
    table.asked(door_moved(1))
    table.asked(door_moved(1, shut=True))
    table.refused("needs_key").asked(m.ClearLockup(seat=1), **TWO, **away)
    table.asked(table_door_moved("power"))
    table.asked(table_door_moved("power", shut=True))
    table.refused("needs_key").asked(m.ClearTable(), **TWO, **away)
    table.refused("needs_key").asked(m.ClearTable(), **TWO, keys={1: False, 2: True})
    table.asked(m.ClearTable(), keys={0: False, 1: True})
    table.asked(m.ClearLockup(seat=1), keys={1: True})


class Cage:
    """What the journal's claims say of tickets: each is worth $25 until it is redeemed, unless it is held."""

    def __init__(self) -> None:
        self.claims: set[str] = set()
        self.times_held: Counter[str] = Counter()

    def note(self, events: tuple[m.Event, ...]) -> None:
        for claim in (claim for event in events for claim in event.claims):
            assert claim not in self.claims, claim
            self.claims.add(claim)
            if ":held:" in claim:
                self.times_held[claim.split(":")[1]] += 1

    def holds(self, number: str) -> tuple[int, bool]:
        """How often it was held, and whether it is held now."""
        times = self.times_held[number]
        ended = {f"ticket:{number}:released:{times - 1}", f"ticket:{number}:redeemed"} & self.claims
        return times, bool(times and not ended)

    def ticket(self, number: str) -> m.TicketIn:
        times, held = self.holds(number)
        spent = held or f"ticket:{number}:redeemed" in self.claims
        return m.TicketIn(number, 0 if spent else 25_00, times)


def _says_anything(rng: random.Random, table: TableTalk, generation: int) -> Reported:
    """An acceptor says something of one of few papers, true or not, and now and then leaves a report out."""
    seat, note, number = rng.randint(1, 2), rng.randint(1, 3), f"{rng.randint(1, 30):018}"
    if (escrow := table.now.seat(seat).terminal.escrow) and rng.random() < 0.5:
        note, number = escrow.note, escrow.number or number
    signals: tuple[s.AnySignal, ...] = (
        *(s.TicketInEscrow(note=note, number=number),) * 4,
        s.TicketStacked(note=note, number=number),
        s.BillInEscrow(note=note, cents=25_00),
        s.BillStacked(note=note, cents=25_00),
        s.NoteReturned(note=note),
        s.UnknownStacked(note=note),
        s.NoteUnaccounted(note=note, after="jam"),
        s.TotalsReported(),
    )
    device = f"acceptor-{seat}-{generation}"
    seq = (table.now.heard[device].seq if device in table.now.heard else 0) + (1 if rng.random() < 0.95 else 2)
    return Reported(seat=seat, kind="acceptor", signal=rng.choice(signals), device=device, boot="0" * 16, seq=seq)


@pytest.mark.parametrize("seed", range(8))
def test_whatever_acceptors_say_each_hold_of_the_journal_is_of_a_paper_that_the_table_knows(seed: int) -> None:
    """So that staff can end it: they revoke the acceptor and clear the lock-up."""
    rng, table, cage, seen = random.Random(seed), opened("craps", "seats=2"), Cage(), 0  # noqa: S311 - no secret
    for seat in (1, 2):
        table.asked(key_turned(seat))
    for turn in range(800):
        said = _says_anything(rng, table, turn // 100)
        number = getattr(said.signal, "number", "")
        cage.note(table.asked(said, ticket=cage.ticket(number) if number else None))
        if rng.random() < 0.3 or turn % 100 == 99:
            cage.note(_staff_help(table, said.seat, revoke=turn % 100 == 99))
        terminals = [seat.terminal for seat in table.now.seats]
        papers = [paper for terminal in terminals for paper in (terminal.escrow, *terminal.lost) if paper]
        known = sorted(paper.number for paper in papers if paper.is_hold)
        assert known == [number for number in (f"{each:018}" for each in range(1, 31)) if cage.holds(number)[1]]
        seen += bool(known)
    assert seen, "tickets were held"


def _staff_help(table: TableTalk, seat: int, *, revoke: bool) -> tuple[m.Event, ...]:
    """Staff do what may be done at a seat."""
    devices = [device for device, known in table.now.heard.items() if known.seat == seat]
    asked: list[m.Request] = [m.SettleDevice(seat=seat, device=each) for each in devices]
    asked += [m.RemoveDevice(seat=seat, device=each) for each in devices if revoke]
    events: tuple[m.Event, ...] = ()
    for request in (*asked, m.ClearLockup(seat=seat)):
        if not isinstance(decide(table.now, request, replace(table.facts, **TWO)), Refused):
            events += table.asked(request, **TWO)
    return events


def test_a_lost_ticket_that_comes_up_again_and_goes_back_is_released() -> None:
    table = opened("craps")
    table.asked(of("acceptor", 1, s.TicketInEscrow(note=1, number=NUMBER)), ticket=GOOD)
    table.asked(of("acceptor", 2, s.NoteUnaccounted(note=1, after="jam")))
    table.asked(of("acceptor", 3, s.TicketInEscrow(note=1, number=NUMBER)), ticket=m.TicketIn(NUMBER, 0, 1))
    table.asked(of("acceptor", 4, s.NoteReturned(note=1)))
    assert not is_held(table, NUMBER)
    assert not table.now.seat(1).terminal.lost
