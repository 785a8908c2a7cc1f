"""Finds the decider of each request and of each report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from stickman.table import betting, ports, round, seats, till  # noqa: A004 - the round of play
from stickman.table import messages as m
from stickman.table.asking import Decision
from stickman.table.evolve import evolve_all
from stickman.table.ledger import printing
from stickman.table.messages import Facts, Needs, Refusal, Refused, Reported, Request
from stickman.table.state import Table

DECIDERS: dict[type[Request], Callable[[Table, Any, Facts], Decision | Needs]] = {
    m.GiveCredit: till.give_credit,
    m.GiveTip: till.tip,
    m.CashOut: till.cash_out,
    m.PayByHand: till.pay_by_hand,
    m.PlaceBet: betting.place,
    m.TakeBet: betting.take,
    m.SwitchBet: betting.switch_one,
    m.SwitchAll: betting.switch_all,
    m.PressButton: betting.press,
    m.Undo: betting.undo,
    m.AnswerPopUp: betting.answer,
    m.PressByWin: betting.press_by_win,
    m.MoveBet: betting.move_bet,
    m.CarryBet: betting.carry_bet,
    m.SaveFavourite: betting.save_favourite,
    m.PlaceFavourite: betting.place_favourite,
    m.RemoveFavourite: betting.remove_favourite,
    m.SetSwitch: seats.set_switch,
    m.ChooseDenomination: seats.choose_denomination,
    m.ReserveSeat: seats.reserve,
    m.ReturnToSeat: seats.come_back,
    m.NameSeat: seats.name_seat,
    m.CallService: seats.call_service,
    m.AnswerService: seats.answer_service,
    m.LoseLink: seats.lose_link,
    m.HandOver: seats.hand_over,
    m.RestoreLink: seats.restore_link,
    m.ClearTable: seats.clear_table,
    m.ClearLockup: seats.clear_lockup,
    m.CancelPrint: ports.cancel_print,
    m.PrintTest: ports.print_test,
    m.PrintCopy: ports.print_copy,
    m.SettleDevice: ports.settle_device,
    m.DistrustDevice: ports.distrust,
    m.RemoveDevice: ports.remove_device,
    m.SignIn: seats.sign_in,
    m.SignOut: seats.sign_out,
    m.SelectMode: seats.select_mode,
    m.ChangeSetting: seats.change_setting,
    m.PressRoll: round.press_roll,
    m.Shoot: round.shoot,
    m.LandDice: round.land_dice,
    m.RollDice: round.roll_dice,
    m.OpenBets: round.decide_open,
    m.CloseBets: round.decide_close,
    m.EnterDice: round.enter_dice,
    m.ConfirmDice: round.confirm_dice,
    m.CallNoRoll: round.call_no_roll,
    m.ReverseRoll: round.reverse,
    m.NameShooter: round.name_shooter,
    m.PauseTable: round.pause,
    m.ResumeTable: round.resume,
    m.Restart: round.restart,
    m.PutPuckOff: round.put_puck_off,
    m.Tick: round.tick,
}


def decide(table: Table, asked: Request | Reported, facts: Facts) -> Decision | Needs:
    """The events of a request at this table, or a refusal, or a fact that the house must supply first. A device's
    report is never refused. Nothing changes."""
    if isinstance(asked, Reported):
        decision: Decision | Needs = ports.report(table, asked, facts)
    else:
        decision = DECIDERS[type(asked)](table, asked, facts)
    if not isinstance(decision, tuple) or not decision:
        return decision
    if any(isinstance(event, MAY_END_A_STAY) for event in decision):
        return (*decision, *_stays_ended(table, evolve_all(table, decision)))
    return (*decision, *round.bet_time(table, decision, facts))


MAY_END_A_STAY = (m.TicketPrinted, m.Tipped, m.HandPaid, m.Settled)


def _stays_ended(before: Table, after: Table) -> Iterator[m.StayEnded]:
    """The stays whose credit and wagers are gone, with no hand pay due (ruling 29). Marks of released chips do not
    count."""
    for was, seat in zip(before.seats, after.seats, strict=True):
        touched = seat is not was or before.credit(seat.number) != after.credit(seat.number)
        due = seat.terminal.hand_pay_cents or after.accounts.get(printing(seat.number), 0)
        if seat.stay.goes_on and touched and not (after.credit(seat.number) or seat.felt.worth_cents or due):
            yield m.StayEnded(seat=seat.number)


MISSING = {
    "dice": Refusal.NO_DICE,
    "power": Refusal.NO_DICE,
    "ticket": Refusal.TICKET_NOT_GOOD,
    "ticket_number": Refusal.NO_TICKET,
}


def decide_given(table: Table, asked: Request | Reported, facts: Facts) -> Decision:
    """The same if the facts are complete: a missing one is a refusal."""
    decision = decide(table, asked, facts)
    return Refused(MISSING[decision.what]) if isinstance(decision, Needs) else decision
