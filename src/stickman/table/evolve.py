"""What happened, applied: the table after an event. No rules are asked, for events are closed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import singledispatch
from typing import Any, Literal

from msgspec.structs import replace

from stickman.rules.felt import Felt
from stickman.rules.machine import Decided
from stickman.table import messages as m
from stickman.table.ledger import book
from stickman.table.state import (
    TICKETS_KEPT,
    UNDO_DEPTH,
    Earlier,
    Placed,
    PopUp,
    PrintedTicket,
    Result,
    Seat,
    Stay,
    Table,
    new_table,
)

OUTCOMES = {decided: decided.name.lower() for decided in Decided}


def evolve(table: Table, event: m.Event) -> Table:
    """The table after an event."""
    if event.transfers:
        table = replace(table, accounts=book(table.accounts, event.transfers))
        table = _owing(table, event)
    return APPLIERS[type(event)](event, table)


def _owing(table: Table, event: m.Event) -> Table:
    """Seats that were lent what a reversal found missing, or paid it back."""
    for transfer in event.transfers:
        if "shortfall" in (transfer.source, transfer.target):
            lent = transfer.source == "shortfall"
            number = int((transfer.target if lent else transfer.source).split(":")[1])
            owes = table.seat(number).owes_cents + (transfer.cents if lent else -transfer.cents)
            table = _seat(table, number, owes_cents=owes)
    return table


def evolve_all(table: Table, events: Iterable[m.Event]) -> Table:
    for event in events:
        table = evolve(table, event)
    return table


@singledispatch
def _apply(event: m.Event, table: Table) -> Table:
    raise AssertionError(f"nothing is known of {type(event).__name__} at round {table.round}")


def _seat(table: Table, number: int, **changes: Any) -> Table:
    return table.with_seat(replace(table.seat(number), **changes))


def _counted(meters: dict[str, int], amounts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The meters after they have counted so much."""
    after = dict(meters)
    for key, amount in amounts:
        after[key] = after.get(key, 0) + amount
    return after


def _cash(table: Table, seat: int, **amounts: int) -> Table:
    """Count cash at a seat."""
    meters = _counted(table.cash_meters, ((f"seat:{seat}:{key}", value) for key, value in amounts.items()))
    return replace(table, cash_meters=meters)


# --- Money ---


@_apply.register
def _(event: m.CashInserted, table: Table) -> Table:
    bill = {f"bills_{event.cents}": 1}
    table = _money_came(table, event)
    return _cash(table, event.seat, cash_in=event.cents, **bill)


@_apply.register
def _(event: m.CreditGiven, table: Table) -> Table:
    table = _money_came(table, event)
    return _cash(table, event.seat, credit_given=event.cents, credit_given_count=1)


@_apply.register
def _(event: m.TicketRedeemed, table: Table) -> Table:
    table = _money_came(table, event)
    return _cash(table, event.seat, tickets_in=event.cents, tickets_in_count=1)


def _money_came(table: Table, event: m.MoneyIn) -> Table:
    """Money in clears undo, a bill as a ticket does (ruling 13). At an empty seat somebody's stay begins, and the
    tickets of the player before are gone (ruling 29)."""
    seat = table.seat(event.seat)
    empty = table.credit(event.seat) == event.cents and not seat.felt.money_cents
    stay = Stay(event.at_ms) if empty else seat.stay
    tickets = () if empty else seat.tickets
    stay = replace(stay, in_cents=stay.in_cents + event.cents)
    return _seat(table, event.seat, undo=(), stay=stay, tickets=tickets)


@_apply.register
def _(event: m.TicketPrinted, table: Table) -> Table:
    table = _money_went(table, event.seat, event.cents, last_placed=(), tickets=_printed(table, event))
    return _cash(table, event.seat, tickets_out=event.cents, tickets_out_count=1)


@_apply.register
def _(event: m.Tipped, table: Table) -> Table:
    stay = table.seat(event.seat).stay
    stay = replace(stay, tips_cents=stay.tips_cents + event.cents)
    table = _seat(table, event.seat, undo=(), stay=stay, tickets=_printed(table, event))
    return _cash(table, event.seat, tips=event.cents, tips_count=1)


@_apply.register
def _(event: m.HandPayCalled, table: Table) -> Table:
    lockups = table.seat(event.seat).lockups | {"hand_pay"}
    return _money_went(table, event.seat, event.cents, hand_pay_cents=event.cents, lockups=lockups)


@_apply.register
def _(event: m.HandPaid, table: Table) -> Table:
    seat = table.seat(event.seat)
    left_behind = 0 if seat.hand_pay_cents else event.cents
    table = _money_went(table, event.seat, left_behind, hand_pay_cents=0, lockups=seat.lockups - {"hand_pay"})
    return _cash(table, event.seat, hand_pays=event.cents, hand_pays_count=1)


def _money_went(table: Table, number: int, cents: int, **changes: Any) -> Table:
    """Credit left a seat; who has nothing on the felt either has gone, with their name."""
    seat = table.seat(number)
    stay = replace(seat.stay, out_cents=seat.stay.out_cents + cents)
    name = seat.name if seat.felt.money_cents else ""
    return _seat(table, number, undo=(), stay=stay, name=name, **changes)


def _printed(table: Table, event: m.TicketIssued) -> tuple[PrintedTicket, ...]:
    kind: Literal["cash_out", "tip"] = "tip" if isinstance(event, m.Tipped) else "cash_out"
    ticket = PrintedTicket(kind, event.number, event.cents, event.at_ms, event.expires_at_ms)
    return (*table.seat(event.seat).tickets, ticket)[-TICKETS_KEPT:]


# --- Betting ---


def _acted(table: Table, event: m.FeltEvent, **changes: Any) -> Table:
    """A player's action: it can be undone while bets are open."""
    seat = table.seat(event.seat)
    undo = (*seat.undo, Earlier(seat.felt, seat.offers, seat.last_placed))[-UNDO_DEPTH:]
    return _seat(table, event.seat, felt=event.felt, undo=undo, **changes)


@_apply.register
def _(event: m.BetPlaced, table: Table) -> Table:
    return _acted(table, event, last_placed=_with_placed(table.seat(event.seat), event.felt))


def _with_placed(seat: Seat, after: Felt) -> Placed:
    """What was placed before, and by this action."""
    before, placed = seat.felt.wagers, []
    for spot, wager in after.wagers.items():
        lay = before.get(spot)
        added = wager.stake_cents - lay.stake_cents if lay else wager.stake_cents
        if added > 0:
            placed.append((spot, added))
    return (*seat.last_placed, tuple(placed)) if placed else seat.last_placed


@_apply.register
def _(event: m.BetTaken, table: Table) -> Table:
    placed = _without_taken(table.seat(event.seat).last_placed, event.spot, event.cents)
    return _acted(table, event, last_placed=placed)


def _without_taken(placed: Placed, spot: str, cents: int) -> Placed:
    """What is left of what was placed when so much is taken by hand, the newest first."""
    left = []
    for action in reversed(placed):
        kept = []
        for where, amount in action:
            taken = min(amount, cents) if where == spot else 0
            cents -= taken
            kept += [(where, amount - taken)] if amount > taken else []
        left += [tuple(kept)] if kept else []
    return tuple(reversed(left))


@_apply.register
def _(event: m.BetsSwitched, table: Table) -> Table:
    return _seat(table, event.seat, felt=event.felt)


@_apply.register
def _(event: m.ButtonPressed, table: Table) -> Table:
    seat = table.seat(event.seat)
    if event.button == "clear_last":
        return _acted(table, event, last_placed=seat.last_placed[:-1])
    if event.button in ("clear_all", "cancel_all"):
        return _acted(table, event, last_placed=())
    return _acted(table, event, last_placed=_with_placed(seat, event.felt))


@_apply.register
def _(event: m.BetPressedByWin, table: Table) -> Table:
    return _acted(table, event, offers=_without_offer(table.seat(event.seat), event.spot))


@_apply.register
def _(event: m.BetMoved, table: Table) -> Table:
    return _acted(table, event, offers=_without_offer(table.seat(event.seat), event.spot))


def _without_offer(seat: Seat, spot: str) -> tuple[str, ...]:
    return tuple(offer for offer in seat.offers if offer.split(":")[1] != spot)


@_apply.register
def _(event: m.BetsRepeated, table: Table) -> Table:
    return _acted(table, event)


@_apply.register
def _(event: m.BetsReturned, table: Table) -> Table:
    return _seat(table, event.seat, felt=event.felt, undo=(), last_placed=(), offers=(), pop_up=None)


@_apply.register
def _(event: m.Undone, table: Table) -> Table:
    *undo, earlier = table.seat(event.seat).undo
    return _seat(
        table,
        event.seat,
        felt=event.felt,
        undo=tuple(undo),
        offers=earlier.offers,
        last_placed=earlier.last_placed,
    )


@_apply.register
def _(event: m.PopUpOpened, table: Table) -> Table:
    return _seat(table, event.seat, pop_up=PopUp(event.asked, event.fee_cents))


@_apply.register
def _(event: m.PopUpClosed, table: Table) -> Table:
    return _seat(table, event.seat, pop_up=None)


@_apply.register
def _(event: m.KeepBetsSet, table: Table) -> Table:
    return _seat(table, event.seat, keep_bets=event.on)


@_apply.register
def _(event: m.AutoRepeatSet, table: Table) -> Table:
    return _seat(table, event.seat, auto_repeat=event.on, repeat_lapsed=bool(event.why))


# --- Seats ---


@_apply.register
def _(event: m.ShooterPlaySet, table: Table) -> Table:
    return _seat(table, event.seat, shoots=event.on)


@_apply.register
def _(event: m.RollPressed, table: Table) -> Table:
    return _seat(table, event.seat, ready=True)


@_apply.register
def _(event: m.SeatReserved, table: Table) -> Table:
    reserved = {"reserved_until_ms": event.until_ms, "pin_mark": event.pin_mark, "pins_missed": 0}
    return _seat(table, event.seat, pop_up=None, **reserved)


@_apply.register
def _(event: m.PinMissed, table: Table) -> Table:
    return _seat(table, event.seat, pins_missed=table.seat(event.seat).pins_missed + 1)


@_apply.register
def _(event: m.SeatNamed, table: Table) -> Table:
    return _seat(table, event.seat, name=event.name)


@_apply.register
def _(event: m.SeatReturned, table: Table) -> Table:
    return _seat(table, event.seat, reserved_until_ms=0, pin_mark="", pins_missed=0)


@_apply.register
def _(event: m.ServiceCalled, table: Table) -> Table:
    return _seat(table, event.seat, service=True)


@_apply.register
def _(event: m.ServiceAnswered, table: Table) -> Table:
    return _seat(table, event.seat, service=False)


@_apply.register
def _(event: m.LinkLost, table: Table) -> Table:
    return _seat(table, event.seat, linked=False, pop_up=None)


@_apply.register
def _(event: m.LinkRestored, table: Table) -> Table:
    return _seat(table, event.seat, linked=True)


@_apply.register
def _(event: m.DoorOpened, table: Table) -> Table:
    seat = table.seat(event.seat)
    return _seat(table, event.seat, doors=seat.doors | {event.door}, lockups=seat.lockups | {"door"})


@_apply.register
def _(event: m.DoorClosed, table: Table) -> Table:
    return _seat(table, event.seat, doors=table.seat(event.seat).doors - {event.door})


@_apply.register
def _(event: m.SeatLockedUp, table: Table) -> Table:
    return _seat(table, event.seat, lockups=table.seat(event.seat).lockups | {event.why})


@_apply.register
def _(event: m.KeyTurned, table: Table) -> Table:
    return _seat(table, event.seat, key=event.on)


@_apply.register
def _(event: m.LockupCleared, table: Table) -> Table:
    return _seat(table, event.seat, lockups=frozenset(), service=False)


# --- The table ---


@_apply.register
def _(event: m.TableOpened, table: Table) -> Table:
    fresh = replace(new_table(event.game), fingerprint=event.fingerprint)
    assert table == fresh, "a table is opened once"
    return table


@_apply.register
def _(event: m.DealerSignedIn, table: Table) -> Table:
    return replace(table, dealer=event.dealer)


@_apply.register
def _(event: m.DealerSignedOut, table: Table) -> Table:
    assert table.dealer == event.dealer
    return replace(table, dealer="")


@_apply.register
def _(event: m.ModeSelected, table: Table) -> Table:
    return replace(table, mode=event.mode)


@_apply.register
def _(event: m.SettingChanged, table: Table) -> Table:
    changed = replace(
        table,
        game=event.game,
        fingerprint=event.fingerprint,
        hand=event.hand,
        mode=table.mode if event.game.mode == "selectable" else event.game.mode,
        before_roll=None,
        settled=(),
    )
    return _each_seat(changed, lambda seat: replace(seat, undo=(), last_placed=(), offers=(), pop_up=None))


@_apply.register
def _(event: m.TablePaused, table: Table) -> Table:
    return replace(table, paused=True, left_ms=event.left_ms, deadline_ms=0)


@_apply.register
def _(event: m.TableResumed, table: Table) -> Table:
    return replace(table, paused=False, left_ms=0, deadline_ms=event.deadline_ms)


@_apply.register
def _(event: m.PuckPutOff, table: Table) -> Table:
    result = Result(None, table.hand.puck, 0)
    table = replace(table, hand=event.hand, history=_remember(table, result))
    for number, felt in event.felts:
        table = _seat(table, number, felt=felt, undo=())
    return table


# --- The round ---


def _each_seat(table: Table, change: Callable[[Seat], Seat]) -> Table:
    return replace(table, seats=tuple(map(change, table.seats)))


@_apply.register
def _(event: m.BetsOpened, table: Table) -> Table:
    opened = replace(
        table, phase="betting", round=event.round, deadline_ms=event.closes_at_ms, power={}, entered=None
    )
    lapsed = {"pop_up": None, "offers": ()} if event.again else {}
    return _each_seat(
        opened, lambda seat: replace(seat, undo=(), last_placed=(), ready=False, sits_out=False, **lapsed)
    )


@_apply.register
def _(event: m.BetsClosed, table: Table) -> Table:
    closed = _each_seat(
        replace(table, phase="closed", deadline_ms=0, power=event.power, before_roll=None, settled=()),
        lambda seat: replace(
            seat,
            undo=(),
            last_placed=(),
            offers=(),
            pop_up=None,
            ready=False,
            win_cents=0,
            won_stakes={},
            lines=(),
            awards={},
            repeat_lapsed=False,
            owes_cents=0,
        ),
    )
    for each in event.seats:
        closed = _seat(
            closed,
            each.seat,
            felt=each.felt,
            sits_out=each.sits_out,
            last_bet_cents=each.bet_cents,
            last_stakes=each.stakes or closed.seat(each.seat).last_stakes,
        )
    meters = _counted(table.play_meters, (count for each in event.seats for count in _wagered(each)))
    return replace(closed, play_meters=meters, remainders={**table.remainders, **event.remainders})


def _wagered(closed: m.SeatClosed) -> Iterator[tuple[str, int]]:
    """What a seat counts when bets close."""
    total = sum(closed.handle.values())
    yield f"seat:{closed.seat}:handle", total
    yield f"seat:{closed.seat}:games", int(total > 0)
    for bet, cents in closed.handle.items():
        yield f"bet:{bet}:handle", cents


@_apply.register
def _(event: m.ShooterChosen, table: Table) -> Table:
    return replace(table, phase="shooting", shooter=event.seat, deadline_ms=event.shoots_by_ms, passes_dice=False)


@_apply.register
def _(event: m.DiceEntered, table: Table) -> Table:
    return replace(table, entered=event.dice)


@_apply.register
def _(event: m.NoRollCalled, table: Table) -> Table:
    return replace(table, entered=None, play_meters=_counted(table.play_meters, [(f"no_roll:{event.reason}", 1)]))


@_apply.register
def _(event: m.DiceRolled, table: Table) -> Table:
    before = replace(table, before_roll=None, settled=())
    result = Result(event.dice, table.hand.puck, event.hand.puck, table.voided)
    if event.ends_cycle:
        table = _each_seat(table, lambda seat: replace(seat, felt=replace(seat.felt, dont_pass_banned=False)))
    return replace(
        table,
        phase="rolled",
        hand=event.hand,
        history=_remember(table, result),
        voided=None,
        entered=None,
        deadline_ms=0,
        passes_dice=event.passes_dice,
        readings=event.meters,
        before_roll=before,
    )


def _remember(table: Table, result: Result) -> tuple[Result, ...]:
    return (*table.history, result)[-500:]


@_apply.register
def _(event: m.Settled, table: Table) -> Table:
    for each in event.seats:
        table = _seat(
            table,
            each.seat,
            felt=each.felt,
            offers=each.offers,
            win_cents=each.paid_cents,
            last_win_cents=each.paid_cents,
            lines=each.lines,
            awards=each.awards,
            won_stakes={
                line.spot: line.stake_cents
                for line in each.lines
                if line.decided is Decided.WIN and line.returned_cents
            },
        )
    table = _each_seat(
        table,
        lambda seat: replace(seat, settled_cents=seat.felt.money_cents, settled_fees_cents=seat.felt.fees_cents),
    )
    kept = Fraction(table.under_a_cent) + Fraction(event.under_a_cent)
    return replace(
        table,
        play_meters=_counted(table.play_meters, (count for each in event.seats for count in _decided(each))),
        deadline_ms=event.next_at_ms,
        under_a_cent=f"{kept.numerator}/{kept.denominator}",
        settled=tuple((t.source, t.target, t.cents) for t in event.transfers),
        readings={
            meter: m.Reading(read.cents, event.hits.get(meter, read.hits)) for meter, read in table.readings.items()
        },
    )


def _decided(settled: m.SeatSettled) -> Iterator[tuple[str, int]]:
    """What a seat counts when a roll is settled."""
    won = sum([line.payment.paid_cents for line in settled.lines])
    yield f"seat:{settled.seat}:paid", won + sum(settled.awards.values())
    for line in settled.lines:
        bet = f"bet:{line.bet}:"
        yield bet + "paid", line.payment.paid_cents
        yield bet + "returned", line.returned_cents
        yield bet + OUTCOMES[line.decided], 1


@_apply.register
def _(event: m.RollVoided, table: Table) -> Table:
    """As before the roll, but for money in and out since, and what the transfers moved."""
    before = table.before_roll
    assert before is not None
    assert event.wrong in [result.dice for result in table.history]
    seats = tuple(
        replace(
            then,
            name=now.name,
            stay=now.stay,
            tickets=now.tickets,
            pin_mark=now.pin_mark,
            pins_missed=now.pins_missed,
            linked=now.linked,
            doors=now.doors,
            lockups=now.lockups,
            key=now.key,
            hand_pay_cents=now.hand_pay_cents,
            reserved_until_ms=now.reserved_until_ms,
            shoots=now.shoots,
            keep_bets=now.keep_bets,
            auto_repeat=now.auto_repeat or now.repeat_lapsed,
            service=now.service,
            owes_cents=now.owes_cents,
        )
        for then, now in zip(before.seats, table.seats, strict=True)
    )
    return replace(
        before,
        seats=seats,
        accounts=table.accounts,
        cash_meters=table.cash_meters,
        dealer=table.dealer,
        mode=table.mode,
        phase="shooting",
        deadline_ms=0,
        paused=table.paused,
        left_ms=table.left_ms,
        voided=event.wrong,
    )


APPLIERS: dict[type[Any], Callable[[Any, Table], Table]] = dict(_apply.registry)
"""By type of event; looked up here, for a replay asks millions of times."""
