"""Money that people move: credit for cash, tips, cash-out, hand pays. What devices move is in `ports`.

`cash`, `tickets` and drawers are outside accounts: money that comes in is moved *from* them."""

from __future__ import annotations

from msgspec.structs import replace

from stickman.devices import signals
from stickman.rules.spoken import Detail
from stickman.table import messages as m
from stickman.table.asking import Decision, moves, no_input, no_key, no_seat, printer_busy, table_stops
from stickman.table.evolve import evolve_all
from stickman.table.ledger import credit, drawer, move, printing
from stickman.table.messages import Facts, Needs, Refusal, Refused
from stickman.table.state import Seat, Table

CENTS_MAX = signals.CENTS_MAX
DAY_MS = 86_400_000


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
    if facts.printer(request.seat) != "ready":
        return Refused(Refusal.NO_TICKET)
    if stop := printer_busy(table, request.seat):
        return stop
    return _reserved("tip", table, request.seat, request.cents, facts)


def cash_out(table: Table, request: m.CashOut, facts: Facts) -> Decision | Needs:
    """All the credit as a ticket; as a hand pay if it exceeds the limit (IB 5.1, ruling 48) or the seat has no
    printer, which is optional (RTW 3.1)."""
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
    if stop := printer_busy(table, request.seat):
        return stop
    if cents > table.game.hand_pay_over_cents or facts.printer(request.seat) == "none":
        transfers = move(credit(request.seat), "handpay", cents)
        return (*marks, m.HandPayCalled(seat=request.seat, cents=cents, transfers=transfers))
    if facts.printer(request.seat) == "away":
        return Refused(Refusal.NO_TICKET)
    reserved = _reserved("cash_out", table, request.seat, cents, facts)
    return reserved if isinstance(reserved, Needs) else (*marks, *reserved)


def _reserved(
    kind: m.TicketKind, table: Table, seat: int, cents: int, facts: Facts
) -> tuple[m.TicketReserved] | Needs:
    """A ticket that the printer must print now. Without a clock it never expires."""
    if facts.ticket_number is None:
        return Needs("ticket_number")
    expires = facts.now_ms + table.game.ticket_expiry_days * DAY_MS if facts.now_ms else 0
    return (
        m.TicketReserved(
            seat=seat,
            kind=kind,
            number=facts.ticket_number,
            cents=cents,
            at_ms=facts.now_ms,
            expires_at_ms=expires,
            transfers=move(credit(seat), printing(seat), cents),
        ),
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
    """Staff pay a due hand pay, what a reversal owes to a player who is gone, or the credit of a seat that cannot
    cash out: without a player (rulings 18, 56), or with a failed printer. Amounts over the house's limit,
    the money of a reserved seat and that of a cancelled ticket (ruling 57) need two people."""
    if stop := no_seat(table, request.seat) or table_stops(table):
        return stop
    seat = table.seat(request.seat)
    if due := seat.terminal.hand_pay_cents or seat.terminal.left_due_cents:
        if stop := no_key(table, request.seat, facts):
            return stop
        gone = not seat.terminal.hand_pay_cents
        marks = () if gone else _without_marks(table, request.seat)  # a reversal may have put them back (ruling 29)
        two = _needs_two(facts, due, always=seat.terminal.hand_pay_by_two and not gone)
        return two or (*marks, *_paid_by_hand(seat, due, "handpay", facts, gone=gone))
    reserved = seat.stay.reserved_until_ms > facts.now_ms
    if seat.terminal.linked and not reserved:
        prints = "printer" not in seat.terminal.lockups and facts.printer(request.seat) != "away"
        if prints:  # its player can cash out
            return Refused(Refusal.NOTHING_TO_DO, Detail.NO_HAND_PAY())
        if stop := no_key(table, request.seat, facts):
            return stop
    cents = table.credit(request.seat)
    if cents == 0:
        return Refused(Refusal.CREDIT_SHORT, Detail.NO_CREDIT())
    stop = _needs_two(facts, cents, always=reserved)
    return stop or _paid_by_hand(seat, cents, credit(request.seat), facts)


def _paid_by_hand(seat: Seat, cents: int, source: str, facts: Facts, *, gone: bool = False) -> tuple[m.Event, ...]:
    """Cash from the payer's drawer, if they have one open."""
    transfers = move(source, drawer(facts.drawer) if facts.drawer else "cash", cents)
    return (m.HandPaid(seat=seat.number, cents=cents, approver=facts.approver, left=gone, transfers=transfers),)
