"""Money in and out of a seat: bills, tickets, tips, cash-out, hand pays."""

from __future__ import annotations

from msgspec.structs import replace

from stickman.rules.spoken import Detail
from stickman.table import messages as m
from stickman.table.asking import Decision, moves, no_input, no_seat, table_stops
from stickman.table.evolve import evolve_all
from stickman.table.ledger import Transfer, credit, drawer, move
from stickman.table.messages import Facts, Needs, Refusal, Refused
from stickman.table.state import Seat, Table

CENTS_MAX = 10**11
DAY_MS = 86_400_000


def insert_cash(table: Table, request: m.InsertCash, facts: Facts) -> Decision:
    if stop := no_input(table, request.seat, facts):
        return stop
    if not 0 < request.cents <= CENTS_MAX:
        return Refused(Refusal.BAD_AMOUNT)
    if facts.bills_cents and request.cents not in facts.bills_cents:
        return Refused(Refusal.BAD_AMOUNT, Detail.BILLS(cents=tuple(facts.bills_cents)))
    transfers = move("cash", credit(request.seat), request.cents)
    return (m.CashInserted(seat=request.seat, cents=request.cents, at_ms=facts.now_ms, transfers=transfers),)


def give_credit(table: Table, request: m.GiveCredit, facts: Facts) -> Decision:
    """Staff take cash into their own drawer, so that one person answers for every cent."""
    if stop := no_input(table, request.seat, facts):
        return stop
    if not facts.drawer:
        return Refused(Refusal.NO_DRAWER)
    if not 0 < request.cents <= CENTS_MAX:
        return Refused(Refusal.BAD_AMOUNT)
    if stop := _needs_two(facts, request.cents):
        return stop
    return (
        m.CreditGiven(
            seat=request.seat,
            cents=request.cents,
            at_ms=facts.now_ms,
            by=facts.drawer,
            approver=facts.approver,
            transfers=move(drawer(facts.drawer), credit(request.seat), request.cents),
        ),
    )


def _needs_two(facts: Facts, cents: int, *, always: bool = False) -> Refused | None:
    """Cash over the house's limit needs a second person."""
    if cents <= facts.second_over_cents and not always:
        return None
    two = facts.approver and facts.approver != facts.actor
    return None if two else Refused(Refusal.NEEDS_TWO)


def insert_ticket(table: Table, request: m.InsertTicket, facts: Facts) -> Decision | Needs:
    """Redeem a ticket by the number that the house found, for the value that the house knows."""
    if stop := no_input(table, request.seat, facts):
        return stop
    if facts.ticket is None:
        return Needs("ticket")
    if facts.ticket.cents <= 0:
        return Refused(Refusal.TICKET_NOT_GOOD, Detail.TICKET(number=request.number))
    number, cents = facts.ticket
    transfers = move("tickets", credit(request.seat), cents)
    return (
        m.TicketRedeemed(seat=request.seat, number=number, cents=cents, at_ms=facts.now_ms, transfers=transfers),
    )


def tip(table: Table, request: m.GiveTip, facts: Facts) -> Decision | Needs:
    """A tip ticket for the dealer, who must be signed in (ruling 24)."""
    if stop := no_input(table, request.seat, facts):
        return stop
    if not table.has_dealer:
        return Refused(Refusal.NEEDS_DEALER)
    if not 0 < request.cents <= CENTS_MAX:
        return Refused(Refusal.BAD_AMOUNT)
    if request.cents > table.credit(request.seat):
        return Refused(Refusal.CREDIT_SHORT, Detail.CREDIT_IS(cents=table.credit(request.seat)))
    if missing := _no_number(facts):
        return missing
    transfers = move(credit(request.seat), "tips", request.cents)
    return (_issued(m.Tipped, table, request.seat, request.cents, facts, transfers),)


def _no_number(facts: Facts) -> Refused | Needs | None:
    """Why a ticket cannot be printed: it has no number yet, or there is none."""
    if facts.ticket_number is None:
        return Needs("ticket_number")
    return None if facts.ticket_number else Refused(Refusal.NO_TICKET)


def cash_out(table: Table, request: m.CashOut, facts: Facts) -> Decision | Needs:
    """All the credit as a ticket, or as a hand pay if it exceeds the limit (IB 5.1, ruling 48)."""
    if stop := no_input(table, request.seat, facts):
        return stop
    seat, marks = table.seat(request.seat), _without_marks(table, request.seat)
    if seat.bet_time.pop_up:
        return Refused(Refusal.POP_UP_OPEN)
    if table.game.cash_out == "felt_empty" and seat.felt.money_cents:
        return Refused(Refusal.FELT_NOT_EMPTY)
    cents = evolve_all(table, marks).credit(request.seat)
    if cents == 0:
        return Refused(Refusal.CREDIT_SHORT, Detail.NO_CREDIT())
    if cents > table.game.hand_pay_over_cents:
        transfers = move(credit(request.seat), "handpay", cents)
        return (*marks, m.HandPayCalled(seat=request.seat, cents=cents, transfers=transfers))
    if missing := _no_number(facts):
        return missing
    transfers = move(credit(request.seat), "tickets", cents)
    return (*marks, _issued(m.TicketPrinted, table, request.seat, cents, facts, transfers))


def _issued(
    kind: type[m.TicketIssued], table: Table, seat: int, cents: int, facts: Facts, transfers: tuple[Transfer, ...]
) -> m.TicketIssued:
    """A ticket printed now. Without a clock it never expires."""
    assert facts.ticket_number
    expires = facts.now_ms + table.game.ticket_expiry_days * DAY_MS if facts.now_ms else 0
    return kind(
        seat=seat,
        number=facts.ticket_number,
        cents=cents,
        at_ms=facts.now_ms,
        expires_at_ms=expires,
        transfers=transfers,
    )


def _without_marks(table: Table, number: int) -> tuple[m.Event, ...]:
    """Marks of released chips are dropped at cash-out (ruling 5), and their fees are returned (ruling 31)."""
    felt = table.seat(number).felt
    wagers = {spot: wager for spot, wager in felt.wagers.items() if not wager.released}
    if len(wagers) == len(felt.wagers):
        return ()
    after = replace(felt, wagers=wagers)
    return (m.BetsReturned(seat=number, felt=after, transfers=moves(number, felt, after)),)


def pay_by_hand(table: Table, request: m.PayByHand, facts: Facts) -> Decision:
    """Staff pay a due hand pay, what is owed to a player who left, or credit that a player left behind (rulings 18,
    56). Amounts over the house's limit, and the money of a reserved seat, need two people."""
    if stop := no_seat(table, request.seat) or table_stops(table):
        return stop
    seat = table.seat(request.seat)
    if due := seat.terminal.hand_pay_cents or seat.terminal.left_due_cents:
        if not seat.terminal.key:
            return Refused(Refusal.NEEDS_KEY)
        left = not seat.terminal.hand_pay_cents
        marks = () if left else _without_marks(table, request.seat)  # a reversal may have put them back (ruling 29)
        return _needs_two(facts, due) or (*marks, *_paid_by_hand(seat, due, "handpay", facts, left=left))
    reserved = seat.stay.reserved_until_ms > facts.now_ms
    if seat.terminal.linked and not reserved:
        return Refused(Refusal.NOTHING_TO_DO, Detail.NO_HAND_PAY())
    cents = table.credit(request.seat)
    if cents == 0:
        return Refused(Refusal.CREDIT_SHORT, Detail.NO_CREDIT())
    stop = _needs_two(facts, cents, always=reserved)
    return stop or _paid_by_hand(seat, cents, credit(request.seat), facts)


def _paid_by_hand(seat: Seat, cents: int, source: str, facts: Facts, *, left: bool = False) -> tuple[m.Event, ...]:
    """Cash from the payer's drawer, if they have one open."""
    transfers = move(source, drawer(facts.drawer) if facts.drawer else "cash", cents)
    return (m.HandPaid(seat=seat.number, cents=cents, approver=facts.approver, left=left, transfers=transfers),)
