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
from stickman.table.ledger import book, credit
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
    """Seats whose credit was lent what a reversal found missing, or paid it back."""
    moves = [t for t in event.transfers if "shortfall" in (t.source, t.target)]
    for seat in table.seats if moves else ():
        purse = credit(seat.number)
        owes = sum(t.cents * ((t.target == purse) - (t.source == purse)) for t in moves)
        if owes:
            table = _seat(table, seat.number, owes_cents=seat.owes_cents + owes)
    return table


def evolve_all(table: Table, events: Iterable[m.Event]) -> Table:
    for event in events:
        table = evolve(table, event)
    return table


@singledispatch
def _apply(event: m.Event, table: Table) -> Table:
    raise AssertionError(f"nothing is known of {type(event).__name__} at round {table.round}")


def _seat(table: Table, number: int, **changes: Any) -> Table:
    seat = table.seat(number)
    if seat.begun and "felt" in changes and "begun" not in changes:
        changes["begun"] = {spot: cents for spot, cents in seat.begun.items() if spot in changes["felt"].wagers}
    return table.with_seat(replace(seat, **changes))


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
    """Money in clears undo, a bill as a ticket does (ruling 13). At an empty seat somebody's stay begins, and what
    the screen still showed of the player before is gone (ruling 29)."""
    seat = table.seat(event.seat)
    if table.credit(event.seat) == event.cents and not seat.felt.worth_cents:
        begun = Stay(seat.stay.number + 1, since_ms=event.at_ms, in_cents=event.cents)
        return table.with_seat(replace(_left(seat), stay=begun, **LAST_RESULT))
    stay = replace(seat.stay, in_cents=seat.stay.in_cents + event.cents)
    return _seat(table, event.seat, undo=(), stay=stay)


LAST_RESULT: dict[str, Any] = {
    "win_cents": 0,
    "last_win_cents": 0,
    "lines": (),
    "awards": {},
    "last_bet_cents": 0,
    "returned": (),
    "left_out": (),
    "given_back_cents": 0,
    "sits_out": False,
}
"""What a seat shows of its last roll until new money comes."""
OF_A_STAY: dict[str, Any] = {
    "name": "",
    "pin_mark": "",
    "pins_missed": 0,
    "keep_bets": False,
    "auto_repeat": False,
    "repeat_lapsed": False,
    "last_stakes": {},
    "won_stakes": {},
}
"""What a cash-out or a hand pay ends at once: consents, name, PIN (ruling 29)."""


def _left(seat: Seat) -> Seat:
    """A seat whose player has left: nothing of them but their last result."""
    return replace(
        seat,
        felt=Felt(),
        begun={},
        denomination_cents=0,
        undo=(),
        last_placed=(),
        put_back=(),
        took_down=False,
        cleared_last=False,
        pop_up=None,
        offers=(),
        shoots=True,
        ready=False,
        tickets=(),
        reserved_until_ms=0,
        fulfilled=(),
        **OF_A_STAY,
    )


@_apply.register
def _(event: m.StayEnded, table: Table) -> Table:
    seat = table.seat(event.seat)
    return table.with_seat(replace(_left(seat), stay=replace(seat.stay, ended=True)))


@_apply.register
def _(event: m.TicketPrinted, table: Table) -> Table:
    ticket = _printed(table, event)[-1:]  # what was shown of earlier ones is gone
    table = _money_went(table, event.seat, event.cents, tickets=ticket)
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
    if event.left:
        table = _seat(table, event.seat, left_due_cents=seat.left_due_cents - event.cents)
        if event.seat in table.took and table.before_roll:
            of_roll = event.cents - seat.due_before(table.before_roll.seat(event.seat))
            table = replace(table, took={**table.took, event.seat: table.took[event.seat] + of_roll})
    else:
        left_behind = 0 if seat.hand_pay_cents else event.cents
        table = _money_went(table, event.seat, left_behind, hand_pay_cents=0, lockups=seat.lockups - {"hand_pay"})
    return _cash(table, event.seat, hand_pays=event.cents, hand_pays_count=1)


def _money_went(table: Table, number: int, cents: int, **changes: Any) -> Table:
    """Credit left a seat, and with it what its player had agreed to."""
    seat = table.seat(number)
    stay = replace(seat.stay, out_cents=seat.stay.out_cents + cents)
    return _seat(table, number, undo=(), stay=stay, **OF_A_STAY, **changes)


def _printed(table: Table, event: m.TicketIssued) -> tuple[PrintedTicket, ...]:
    kind: Literal["cash_out", "tip"] = "tip" if isinstance(event, m.Tipped) else "cash_out"
    ticket = PrintedTicket(kind, event.number, event.cents, event.at_ms, event.expires_at_ms)
    return (*table.seat(event.seat).tickets, ticket)[-TICKETS_KEPT:]


# --- Betting ---


def _acted(table: Table, event: m.FeltEvent, **changes: Any) -> Table:
    """A player's action: it can be undone while bets are open."""
    seat = table.seat(event.seat)
    undo = (*seat.undo, Earlier(seat.felt, seat.offers, seat.last_placed, seat.put_back, seat.begun))[-UNDO_DEPTH:]
    added = _added(seat.felt, event.felt)
    placed = seat.last_placed
    for spot, cents in added.items():
        placed = placed if cents > 0 else _without_taken(placed, spot, -cents)
    fresh = tuple((spot, cents) for spot, cents in added.items() if cents > 0)
    settled: dict[str, Any] = {
        "felt": event.felt,
        "undo": undo,
        "last_placed": (*placed, fresh) if fresh else placed,
        "put_back": tuple(spot for spot in seat.put_back if spot not in added),
        "took_down": seat.took_down or any(cents < 0 for cents in added.values()),
        "cleared_last": False,
        "left_out": (),
        "given_back_cents": 0,
    }
    return _seat(table, event.seat, **{**settled, **changes})


def _added(before: Felt, after: Felt) -> dict[str, int]:
    """By spot whose stake differs, how much more lies there now; less is negative."""
    found = {}
    for spot in {**before.wagers, **after.wagers}:
        was, now = before.wagers.get(spot), after.wagers.get(spot)
        cents = (now.stake_cents if now else 0) - (was.stake_cents if was else 0)
        if cents:
            found[spot] = cents
    return found


@_apply.register
def _(event: m.BetPlaced, table: Table) -> Table:
    seat = table.seat(event.seat)
    begins = event.spot not in seat.felt.wagers
    return _acted(table, event, **({"begun": {**seat.begun, event.spot: event.cents}} if begins else {}))


@_apply.register
def _(event: m.BetTaken, table: Table) -> Table:
    return _acted(table, event)


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
    return _seat(table, event.seat, felt=event.felt, cleared_last=False)


@_apply.register
def _(event: m.ButtonPressed, table: Table) -> Table:
    return _acted(table, event, cleared_last=event.button == "clear_last", left_out=event.left_out)


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
    return _acted(table, event, put_back=event.spots)


@_apply.register
def _(event: m.BetsReturned, table: Table) -> Table:
    seat = table.seat(event.seat)
    given = 0 if event.unqualified else seat.felt.money_cents - event.felt.money_cents
    returned = event.unqualified or seat.returned
    placed = seat.last_placed
    for spot, cents in _added(seat.felt, event.felt).items():
        placed = _without_taken(placed, spot, -cents)
    told = {"returned": returned, "given_back_cents": given}
    return _seat(table, event.seat, felt=event.felt, pop_up=None, **told, **{**BET_TIME, "last_placed": placed})


@_apply.register
def _(event: m.Undone, table: Table) -> Table:
    seat = table.seat(event.seat)
    *undo, earlier = seat.undo
    lowered = any(cents < 0 for cents in _added(seat.felt, event.felt).values())
    return _seat(
        table,
        event.seat,
        felt=event.felt,
        undo=tuple(undo),
        offers=earlier.offers,
        last_placed=earlier.last_placed,
        put_back=earlier.put_back,
        begun=earlier.begun,
        took_down=seat.took_down or lowered,
        cleared_last=False,
    )


@_apply.register
def _(event: m.PopUpOpened, table: Table) -> Table:
    return _seat(table, event.seat, pop_up=PopUp(event.asked, event.fee_cents), cleared_last=False)


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
def _(event: m.DenominationChosen, table: Table) -> Table:
    return _seat(table, event.seat, denomination_cents=event.cents)


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
    seat = table.seat(event.seat)
    lockups = seat.lockups
    if event.door == "cage_main":
        lockups = lockups | {"cage_order"} if event.out_of_order else lockups - {"cage_order"}
    return _seat(table, event.seat, doors=seat.doors - {event.door}, lockups=lockups)


@_apply.register
def _(event: m.TableDoorOpened, table: Table) -> Table:
    stops: dict[str, Any] = {"left_ms": event.left_ms, "deadline_ms": 0} if event.left_ms else {}
    return replace(table, doors=table.doors | {event.door}, locked_up=True, **stops)


@_apply.register
def _(event: m.TableDoorClosed, table: Table) -> Table:
    return replace(table, doors=table.doors - {event.door})


@_apply.register
def _(event: m.TableCleared, table: Table) -> Table:
    return replace(table, locked_up=False, deadline_ms=event.deadline_ms, left_ms=event.left_ms)


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
    off: dict[str, Any] = {"keep_bets": False, "auto_repeat": False}  # consents to other prices (ruling 53)
    if event.game.denominations != table.game.denominations:
        off["denomination_cents"] = 0
    return _each_seat(changed, lambda seat: replace(seat, pop_up=None, **BET_TIME, **off))


@_apply.register
def _(event: m.TablePaused, table: Table) -> Table:
    return replace(table, paused=True, left_ms=event.left_ms, deadline_ms=0)


@_apply.register
def _(event: m.TableResumed, table: Table) -> Table:
    left_ms = 0 if event.deadline_ms else table.left_ms  # a door of the table may keep the clock
    return replace(table, paused=False, left_ms=left_ms, deadline_ms=event.deadline_ms)


@_apply.register
def _(event: m.PuckPutOff, table: Table) -> Table:
    result = Result(None, table.hand.puck, 0)
    table = replace(table, hand=event.hand, history=_remember(table, result))
    for number, felt in event.felts:
        table = _seat(table, number, felt=felt, undo=(), cleared_last=False)
    return table


# --- The round ---


BET_TIME: dict[str, Any] = {"undo": (), "last_placed": (), "put_back": (), "offers": (), "cleared_last": False}
"""What a seat remembers of one bet time and no longer."""


def _each_seat(table: Table, change: Callable[[Seat], Seat]) -> Table:
    return replace(table, seats=tuple(map(change, table.seats)))


@_apply.register
def _(event: m.BetsOpened, table: Table) -> Table:
    opened = replace(
        table, phase="betting", round=event.round, deadline_ms=event.closes_at_ms, power={}, entered=None
    )
    if event.again:
        return _each_seat(opened, lambda seat: replace(seat, pop_up=None, ready=False, **BET_TIME))
    kept = {name: value for name, value in BET_TIME.items() if name != "offers"}  # what a win offers is for now
    fresh = {"ready": False, "sits_out": False, "took_down": False, "returned": (), "left_out": ()}
    return _each_seat(opened, lambda seat: replace(seat, **kept, **fresh))


@_apply.register
def _(event: m.BetsClosed, table: Table) -> Table:
    closed = _each_seat(
        replace(table, phase="closed", deadline_ms=0, power=event.power, before_roll=None, settled=(), took={}),
        lambda seat: replace(
            seat,
            **BET_TIME,
            pop_up=None,
            ready=False,
            win_cents=0,
            won_stakes={},
            lines=(),
            awards={},
            repeat_lapsed=False,
            owes_cents=0,
            given_back_cents=0,
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
            returned=tuple(each.returned),
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
    return replace(
        table, phase="shooting", shooter=event.seat, deadline_ms=event.shoots_by_ms, passes_dice=False, named=0
    )


@_apply.register
def _(event: m.ShooterNamed, table: Table) -> Table:
    return replace(table, named=event.seat)


@_apply.register
def _(event: m.DiceEntered, table: Table) -> Table:
    return replace(table, entered=event.dice)


@_apply.register
def _(event: m.NoRollCalled, table: Table) -> Table:
    return replace(table, entered=None, play_meters=_counted(table.play_meters, [(f"no_roll:{event.reason}", 1)]))


@_apply.register
def _(event: m.DiceRolled, table: Table) -> Table:
    before = replace(table, before_roll=None, settled=())
    result = Result(event.dice, table.hand.puck, event.hand.puck, table.voided, table.round)
    if event.ends_cycle:
        table = _each_seat(table, lambda seat: replace(seat, felt=replace(seat.felt, dont_pass_banned=False)))
    if sum(event.dice) == 7:
        table = _each_seat(table, lambda seat: replace(seat, fulfilled=()) if seat.fulfilled else seat)
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
        if each.seat in table.took:  # somebody's who has left: nothing of it is shown
            table = _seat(table, each.seat, felt=each.felt)
            continue
        table = _seat(
            table,
            each.seat,
            felt=each.felt,
            offers=each.offers,
            win_cents=each.paid_cents,
            last_win_cents=each.paid_cents,
            lines=each.lines,
            awards=each.awards,
            fulfilled=_fulfilled(table.seat(each.seat), each),
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
        deadline_ms=0 if table.locked_up else event.next_at_ms,
        under_a_cent=f"{kept.numerator}/{kept.denominator}",
        hand_paid=event.hand_paid,
        settled=tuple((t.source, t.target, t.cents) for t in event.transfers),
        readings={
            meter: m.Reading(read.cents, event.hits.get(meter, read.hits)) for meter, read in table.readings.items()
        },
    )


def _fulfilled(seat: Seat, settled: m.SeatSettled) -> tuple[str, ...]:
    """The bets that a seat has won since the last 7, those of this roll with them."""
    won = [line.bet for line in settled.lines if line.decided is Decided.WIN]
    return (*seat.fulfilled, *(bet for bet in won if bet not in seat.fulfilled))


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
    seats = tuple(_taken_back(then, now, event) for then, now in zip(before.seats, table.seats, strict=True))
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
        doors=table.doors,
        locked_up=table.locked_up,
        voided=event.wrong,
        took=event.took,
    )


TERMINAL = ("number", "tickets", "linked", "doors", "lockups", "key", "reserved_until_ms", "service", "owes_cents")
"""What of a seat no reversal changes: the terminal, and what the player has had printed."""


def _taken_back(then: Seat, now: Seat, event: m.RollVoided) -> Seat:
    """A seat as before the roll, with the terminal and the stay as they are now (ruling 56). A later stay goes on;
    one that the roll ended comes back."""
    left_due = now.due_before(then) if then.number in event.took else now.left_due_cents
    due = event.hand_pays.get(now.number, now.hand_pay_cents)
    lockups = now.lockups if due else now.lockups - {"hand_pay"}
    dues: dict[str, Any] = {"left_due_cents": left_due, "hand_pay_cents": due, "lockups": lockups}
    if then.number in event.took or then.stay.number != now.stay.number or now.has_left(then):
        felt = then.felt if then.number in event.took else Felt()
        return replace(
            now, felt=felt, begun={}, sits_out=then.sits_out, pop_up=None, owes_cents=0, **BET_TIME, **dues
        )
    kept = {name: getattr(now, name) for name in TERMINAL}
    if now.stay.ended and not then.stay.ended:
        kept["reserved_until_ms"] = then.reserved_until_ms
        return replace(then, **{**kept, **dues}, stay=replace(now.stay, ended=False))
    own = ("name", "pin_mark", "pins_missed", "shoots", "keep_bets", "last_stakes", "stay", "denomination_cents")
    repeats = now.auto_repeat or now.repeat_lapsed
    return replace(then, **{**kept, **dues}, **{name: getattr(now, name) for name in own}, auto_repeat=repeats)


@_apply.register
def _(event: m.OwedToLeft, table: Table) -> Table:
    due = table.seat(event.seat).left_due_cents + event.cents
    return _seat(table, event.seat, left_due_cents=due)


APPLIERS: dict[type[Any], Callable[[Any, Table], Table]] = dict(_apply.registry)
"""By type of event; looked up here, for a replay asks millions of times."""
