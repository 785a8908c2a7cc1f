"""Finds the decider of each request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from stickman.table import betting, round, seats, till  # noqa: A004 - the round of play
from stickman.table import messages as m
from stickman.table.asking import Decision
from stickman.table.evolve import evolve_all
from stickman.table.messages import Facts, Needs, Refusal, Refused, Request
from stickman.table.state import Table

DECIDERS: dict[type[Request], Callable[[Table, Any, Facts], Decision | Needs]] = {
    m.InsertCash: till.insert_cash,
    m.InsertTicket: till.insert_ticket,
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
    m.SetSwitch: seats.set_switch,
    m.ChooseDenomination: seats.choose_denomination,
    m.ReserveSeat: seats.reserve,
    m.ReturnToSeat: seats.come_back,
    m.NameSeat: seats.name_seat,
    m.CallService: seats.call_service,
    m.AnswerService: seats.answer_service,
    m.LoseLink: seats.lose_link,
    m.RestoreLink: seats.restore_link,
    m.OpenDoor: seats.open_door,
    m.CloseDoor: seats.close_door,
    m.OpenTableDoor: seats.open_table_door,
    m.CloseTableDoor: seats.close_table_door,
    m.ClearTable: seats.clear_table,
    m.ReportFault: seats.report_fault,
    m.TurnKey: seats.turn_key,
    m.ClearLockup: seats.clear_lockup,
    m.SignIn: seats.sign_in,
    m.SignOut: seats.sign_out,
    m.SelectMode: seats.select_mode,
    m.ChangeSetting: seats.change_setting,
    m.PressRoll: round.press_roll,
    m.Shoot: round.shoot,
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


def decide(table: Table, request: Request, facts: Facts) -> Decision | Needs:
    """The events of a request at this table, or a refusal, or a fact that the house must supply first. Nothing
    changes."""
    decision = DECIDERS[type(request)](table, request, facts)
    if isinstance(decision, tuple) and any(isinstance(event, MAY_END_A_STAY) for event in decision):
        return (*decision, *_stays_ended(table, evolve_all(table, decision)))
    return decision


MAY_END_A_STAY = (m.TicketPrinted, m.Tipped, m.HandPaid, m.Settled)


def _stays_ended(before: Table, after: Table) -> Iterator[m.StayEnded]:
    """The stays whose credit and wagers are gone, with no hand pay due (ruling 29). Marks of released chips do not
    count."""
    for was, seat in zip(before.seats, after.seats, strict=True):
        stays = seat.stay.number and not seat.stay.ended
        touched = seat is not was or before.credit(seat.number) != after.credit(seat.number)
        due = seat.terminal.hand_pay_cents
        if stays and touched and not (after.credit(seat.number) or seat.felt.worth_cents or due):
            yield m.StayEnded(seat=seat.number)


MISSING = {
    "dice": Refusal.NO_DICE,
    "power": Refusal.NO_DICE,
    "ticket": Refusal.TICKET_NOT_GOOD,
    "ticket_number": Refusal.NO_TICKET,
}


def decide_given(table: Table, request: Request, facts: Facts) -> Decision:
    """The same if the facts are complete: a missing one is a refusal."""
    decision = decide(table, request, facts)
    return Refused(MISSING[decision.what]) if isinstance(decision, Needs) else decision
