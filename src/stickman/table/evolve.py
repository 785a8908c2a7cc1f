"""Applies events to a table. It never consults the rules, because an event contains everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

from msgspec.structs import replace

from stickman.rules.felt import Felt
from stickman.rules.machine import Decided
from stickman.table import messages as m
from stickman.table.ledger import bet_meter, book, credit, no_roll_meter, seat_meter
from stickman.table.state import (
    SWITCHES,
    TICKETS_KEPT,
    UNDO_DEPTH,
    BetTime,
    Earlier,
    Placed,
    Player,
    PopUp,
    PrintedTicket,
    Result,
    Seat,
    Settlement,
    Stay,
    Table,
    new_table,
)

OUTCOMES = {decided: decided.name.lower() for decided in Decided}


def evolve(table: Table, event: m.Event) -> Table:
    if event.transfers:
        table = replace(table, accounts=book(table.accounts, event.transfers))
        table = _owing(table, event)
    return APPLIERS[type(event)](table, event)


def _owing(table: Table, event: m.Event) -> Table:
    """Seats whose credit a reversal covered from `shortfall`, or that paid it back."""
    moves = [t for t in event.transfers if "shortfall" in (t.source, t.target)]
    for seat in table.seats if moves else ():
        purse = credit(seat.number)
        owes = sum(t.cents * ((t.target == purse) - (t.source == purse)) for t in moves)
        if owes:
            table = _terminal(table, seat.number, owes_cents=seat.terminal.owes_cents + owes)
    return table


def evolve_all(table: Table, events: Iterable[m.Event]) -> Table:
    for event in events:
        table = evolve(table, event)
    return table


def _seat(table: Table, number: int, **parts: Any) -> Table:
    seat = table.seat(number)
    if seat.begun and "felt" in parts and "begun" not in parts:
        parts["begun"] = {spot: cents for spot, cents in seat.begun.items() if spot in parts["felt"].wagers}
    return table.with_seat(replace(seat, **parts))


def _terminal(table: Table, number: int, **changes: Any) -> Table:
    return _seat(table, number, terminal=replace(table.seat(number).terminal, **changes))


def _stay(table: Table, number: int, **changes: Any) -> Table:
    return _seat(table, number, stay=replace(table.seat(number).stay, **changes))


def _player(table: Table, number: int, **changes: Any) -> Table:
    return _seat(table, number, player=replace(table.seat(number).player, **changes))


def _bet_time(table: Table, number: int, **changes: Any) -> Table:
    return _seat(table, number, bet_time=replace(table.seat(number).bet_time, **changes))


def _each_seat(table: Table, change: Callable[[Seat], Seat]) -> Table:
    return replace(table, seats=tuple(map(change, table.seats)))


def _counted(meters: dict[str, int], amounts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The meters with these amounts added."""
    after = dict(meters)
    for key, amount in amounts:
        after[key] = after.get(key, 0) + amount
    return after


def _cash(table: Table, seat: int, **amounts: int) -> Table:
    """Count cash at a seat."""
    meters = _counted(table.cash_meters, ((seat_meter(seat, key), value) for key, value in amounts.items()))
    return replace(table, cash_meters=meters)


# --- Money ---


def _cash_inserted(table: Table, event: m.CashInserted) -> Table:
    bill = {f"bills_{event.cents}": 1}
    return _cash(_money_came(table, event), event.seat, cash_in=event.cents, **bill)


def _money_came(table: Table, event: m.MoneyIn) -> Table:
    """Money in clears undo (ruling 13). At an empty seat a stay begins, and what the screen still showed of the
    last player is gone (ruling 29)."""
    seat = table.seat(event.seat)
    if table.credit(event.seat) == event.cents and not seat.felt.worth_cents:
        stay = Stay(seat.stay.number + 1, since_ms=event.at_ms, in_cents=event.cents)
        return table.with_seat(Seat(seat.number, terminal=seat.terminal, stay=stay))
    stay = replace(seat.stay, in_cents=seat.stay.in_cents + event.cents)
    return _seat(table, event.seat, bet_time=replace(seat.bet_time, undo=()), stay=stay)


def _stay_ended(table: Table, event: m.StayEnded) -> Table:
    """Only the display of the last roll remains."""
    seat = table.seat(event.seat)
    return table.with_seat(Seat(seat.number, terminal=seat.terminal, stay=seat.stay.over(), last=seat.last))


def _ticket_printed(table: Table, event: m.TicketPrinted) -> Table:
    tickets = _printed(table, event)[-1:]  # earlier ones are no longer shown
    table = _stay(_money_went(table, event.seat, event.cents), event.seat, tickets=tickets)
    return _cash(table, event.seat, tickets_out=event.cents, tickets_out_count=1)


def _tipped(table: Table, event: m.Tipped) -> Table:
    tips = table.seat(event.seat).stay.tips_cents + event.cents
    table = _stay(table, event.seat, tips_cents=tips, tickets=_printed(table, event))
    return _cash(_bet_time(table, event.seat, undo=()), event.seat, tips=event.cents, tips_count=1)


def _hand_pay_called(table: Table, event: m.HandPayCalled) -> Table:
    lockups = table.seat(event.seat).terminal.lockups | {"hand_pay"}
    table = _money_went(table, event.seat, event.cents)
    return _terminal(table, event.seat, hand_pay_cents=event.cents, lockups=lockups)


def _hand_paid(table: Table, event: m.HandPaid) -> Table:
    terminal = table.seat(event.seat).terminal
    if event.left:
        if event.seat in table.took and table.before_roll:
            of_roll = event.cents - terminal.due_before(table.before_roll.seat(event.seat).terminal)
            table = replace(table, took={**table.took, event.seat: table.took[event.seat] + of_roll})
        table = _terminal(table, event.seat, left_due_cents=terminal.left_due_cents - event.cents)
    else:
        left_behind = 0 if terminal.hand_pay_cents else event.cents
        table = _money_went(table, event.seat, left_behind)
        table = _terminal(table, event.seat, hand_pay_cents=0, lockups=terminal.lockups - {"hand_pay"})
    return _cash(table, event.seat, hand_pays=event.cents, hand_pays_count=1)


def _money_went(table: Table, number: int, cents: int) -> Table:
    """Credit left a seat, and with it the player's choices."""
    seat = table.seat(number)
    stay = replace(seat.stay, out_cents=seat.stay.out_cents + cents)
    return _seat(table, number, stay=stay, player=Player(), bet_time=replace(seat.bet_time, undo=()))


def _printed(table: Table, event: m.TicketIssued) -> tuple[PrintedTicket, ...]:
    kind: Literal["cash_out", "tip"] = "tip" if isinstance(event, m.Tipped) else "cash_out"
    ticket = PrintedTicket(kind, event.number, event.cents, event.at_ms, event.expires_at_ms)
    return (*table.seat(event.seat).stay.tickets, ticket)[-TICKETS_KEPT:]


# --- Betting ---


def _acted(
    table: Table,
    event: m.FeltEvent,
    *,
    left_out: tuple[str, ...] = (),
    begun: dict[str, int] | None = None,
    **changes: Any,
) -> Table:
    """A player's action, which can be undone while bets are open."""
    seat = table.seat(event.seat)
    did, last = seat.bet_time, seat.last
    earlier = Earlier(seat.felt, did.offers, did.last_placed, did.put_back, seat.begun)
    added = _added(seat.felt, event.felt)
    placed = did.last_placed
    for spot, cents in added.items():
        placed = placed if cents > 0 else _without_taken(placed, spot, -cents)
    fresh = tuple([(spot, cents) for spot, cents in added.items() if cents > 0])
    did = BetTime(
        undo=(*did.undo, earlier)[-UNDO_DEPTH:],
        last_placed=(*placed, fresh) if fresh else placed,
        put_back=tuple([spot for spot in did.put_back if spot not in added]),
        took_down=did.took_down or any(cents < 0 for cents in added.values()),
        pop_up=did.pop_up,
        offers=did.offers,
        ready=did.ready,
    )
    if last.left_out or left_out or last.given_back_cents:
        last = replace(last, left_out=left_out, given_back_cents=0)
    parts: dict[str, Any] = {} if begun is None else {"begun": begun}
    did = replace(did, **changes) if changes else did
    return _seat(table, event.seat, felt=event.felt, bet_time=did, last=last, **parts)


def _added(before: Felt, after: Felt) -> dict[str, int]:
    """By changed spot: the difference of its stake."""
    found = {}
    for spot in {**before.wagers, **after.wagers}:
        was, now = before.wagers.get(spot), after.wagers.get(spot)
        cents = (now.stake_cents if now else 0) - (was.stake_cents if was else 0)
        if cents:
            found[spot] = cents
    return found


def _bet_placed(table: Table, event: m.BetPlaced) -> Table:
    seat = table.seat(event.seat)
    if event.spot in seat.felt.wagers:
        return _acted(table, event)
    return _acted(table, event, begun={**seat.begun, event.spot: event.cents})


def _without_taken(placed: Placed, spot: str, cents: int) -> Placed:
    """The placing actions less an amount that was taken down, the newest first."""
    left = []
    for action in reversed(placed):
        kept = []
        for where, amount in action:
            taken = min(amount, cents) if where == spot else 0
            cents -= taken
            kept += [(where, amount - taken)] if amount > taken else []
        left += [tuple(kept)] if kept else []
    return tuple(reversed(left))


def _win_used(table: Table, event: m.BetPressedByWin | m.BetMoved) -> Table:
    offers = table.seat(event.seat).bet_time.offers
    return _acted(table, event, offers=tuple(offer for offer in offers if offer.spot != event.spot))


def _bets_returned(table: Table, event: m.BetsReturned) -> Table:
    seat = table.seat(event.seat)
    did, placed = seat.bet_time, seat.bet_time.last_placed
    for spot, cents in _added(seat.felt, event.felt).items():
        placed = _without_taken(placed, spot, -cents)
    given = 0 if event.unqualified else seat.felt.money_cents - event.felt.money_cents
    last = replace(seat.last, returned=event.unqualified or seat.last.returned, given_back_cents=given)
    kept = BetTime(last_placed=placed, took_down=did.took_down, ready=did.ready)
    return _seat(table, event.seat, felt=event.felt, bet_time=kept, last=last)


def _undone(table: Table, event: m.Undone) -> Table:
    seat = table.seat(event.seat)
    *undo, earlier = seat.bet_time.undo
    lowered = any(cents < 0 for cents in _added(seat.felt, event.felt).values())
    table = _bet_time(
        table,
        event.seat,
        undo=tuple(undo),
        offers=earlier.offers,
        last_placed=earlier.last_placed,
        put_back=earlier.put_back,
        took_down=seat.bet_time.took_down or lowered,
        cleared_last=False,
    )
    return _seat(table, event.seat, felt=event.felt, begun=earlier.begun)


def _pop_up_closed(table: Table, event: m.SeatEvent) -> Table:
    return _bet_time(table, event.seat, pop_up=None)


# --- Seats ---


def _switch_set(table: Table, event: m.SwitchSet) -> Table:
    seat, (part, name) = table.seat(event.seat), SWITCHES[event.switch]
    lapsed: dict[str, Any] = {"repeat_lapsed": bool(event.why)} if event.switch == "auto_repeat" else {}
    return _seat(table, event.seat, **{part: replace(getattr(seat, part), **{name: event.on}, **lapsed)})


def _seat_reserved(table: Table, event: m.SeatReserved) -> Table:
    table = _stay(_pop_up_closed(table, event), event.seat, reserved_until_ms=event.until_ms)
    return _player(table, event.seat, pin_mark=event.pin_mark, pins_missed=0)


def _door_opened(table: Table, event: m.DoorOpened) -> Table:
    terminal = table.seat(event.seat).terminal
    return _terminal(table, event.seat, doors=terminal.doors | {event.door}, lockups=terminal.lockups | {"door"})


def _door_closed(table: Table, event: m.DoorClosed) -> Table:
    terminal = table.seat(event.seat).terminal
    lockups = terminal.lockups
    if event.door == "cage_main":
        lockups = lockups | {"cage_order"} if event.out_of_order else lockups - {"cage_order"}
    return _terminal(table, event.seat, doors=terminal.doors - {event.door}, lockups=lockups)


def _table_door_opened(table: Table, event: m.TableDoorOpened) -> Table:
    stops: dict[str, Any] = {"left_ms": event.left_ms, "deadline_ms": 0} if event.left_ms else {}
    return replace(table, doors=table.doors | {event.door}, locked_up=True, **stops)


# --- The table ---


def _table_opened(table: Table, event: m.TableOpened) -> Table:
    fresh = replace(new_table(event.game), fingerprint=event.fingerprint)
    assert table == fresh, "a table is opened once"
    return table


def _dealer_signed_out(table: Table, event: m.DealerSignedOut) -> Table:
    assert table.dealer == event.dealer
    return replace(table, dealer="")


def _setting_changed(table: Table, event: m.SettingChanged) -> Table:
    changed = replace(
        table,
        game=event.game,
        fingerprint=event.fingerprint,
        hand=event.hand,
        mode=table.mode if event.game.mode == "selectable" else event.game.mode,
        before_roll=None,
        settled=None,
    )
    same = event.game.denominations == table.game.denominations

    def under(seat: Seat) -> Seat:
        stay = seat.stay if same else replace(seat.stay, denomination_cents=0)
        player = replace(seat.player, keep_bets=False, auto_repeat=False)  # consent was to other prices (ruling 53)
        return replace(seat, stay=stay, player=player, bet_time=BetTime())

    return _each_seat(changed, under)


def _table_resumed(table: Table, event: m.TableResumed) -> Table:
    left_ms = 0 if event.deadline_ms else table.left_ms  # a door of the table may still stop the clock
    return replace(table, paused=False, left_ms=left_ms, deadline_ms=event.deadline_ms)


def _puck_put_off(table: Table, event: m.PuckPutOff) -> Table:
    result = Result(None, table.hand.puck, 0)
    table = replace(table, hand=event.hand, history=_remember(table, result))
    for number, felt in event.felts:
        table = _seat(_bet_time(table, number, undo=(), cleared_last=False), number, felt=felt)
    return table


# --- The round ---


def _bets_opened(table: Table, event: m.BetsOpened) -> Table:
    opened = replace(
        table, phase="betting", round=event.round, deadline_ms=event.closes_at_ms, power={}, entered=None
    )
    return _each_seat(opened, _bets_again if event.again else _bets_afresh)


def _bets_again(seat: Seat) -> Seat:
    return replace(seat, bet_time=BetTime(took_down=seat.bet_time.took_down))


def _bets_afresh(seat: Seat) -> Seat:
    """Offers after a win stay until bets close."""
    did, last = seat.bet_time, seat.last
    if last.sits_out or last.returned or last.left_out:
        last = replace(last, sits_out=False, returned=(), left_out=())
    return replace(seat, bet_time=BetTime(offers=did.offers, pop_up=did.pop_up), last=last)


def _bets_closed(table: Table, event: m.BetsClosed) -> Table:
    closed = _each_seat(
        replace(table, phase="closed", deadline_ms=0, power=event.power, before_roll=None, settled=None, took={}),
        _closed,
    )
    for each in event.seats:
        seat = closed.seat(each.seat)
        last = replace(
            seat.last, sits_out=each.sits_out, last_bet_cents=each.bet_cents, returned=tuple(each.returned)
        )
        player = replace(seat.player, last_stakes=each.stakes) if each.stakes else seat.player
        closed = _seat(closed, each.seat, felt=each.felt, last=last, player=player)
    meters = _counted(table.play_meters, (count for each in event.seats for count in _wagered(each)))
    return replace(closed, play_meters=meters, remainders={**table.remainders, **event.remainders})


def _closed(seat: Seat) -> Seat:
    terminal = replace(seat.terminal, owes_cents=0) if seat.terminal.owes_cents else seat.terminal
    player = replace(seat.player, repeat_lapsed=False, won_stakes={})
    last = replace(seat.last, win_cents=0, lines=(), awards={}, given_back_cents=0)
    return replace(seat, terminal=terminal, player=player, bet_time=BetTime(), last=last)


def _wagered(closed: m.SeatClosed) -> Iterator[tuple[str, int]]:
    """What a seat adds to meters when bets close."""
    total = sum(closed.handle.values())
    yield seat_meter(closed.seat, "handle"), total
    yield seat_meter(closed.seat, "games"), int(total > 0)
    for bet, cents in closed.handle.items():
        yield bet_meter(bet, "handle"), cents


def _dice_rolled(table: Table, event: m.DiceRolled) -> Table:
    before = replace(table, before_roll=None, settled=None)
    result = Result(event.dice, table.hand.puck, event.hand.puck, table.voided, table.round)
    if event.ends_cycle:
        table = _each_seat(table, lambda seat: replace(seat, felt=replace(seat.felt, dont_pass_banned=False)))
    if sum(event.dice) == 7:
        table = _each_seat(table, _sets_lost)
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


def _sets_lost(seat: Seat) -> Seat:
    return replace(seat, stay=replace(seat.stay, fulfilled=())) if seat.stay.fulfilled else seat


def _remember(table: Table, result: Result) -> tuple[Result, ...]:
    return (*table.history, result)[-500:]


def _settled(table: Table, event: m.Settled) -> Table:
    for each in event.seats:
        left = each.seat in table.took  # that player has left: show nothing
        table = _seat(table, each.seat, felt=each.felt) if left else _seat_settled(table, each)
    return replace(
        table,
        play_meters=_counted(table.play_meters, (count for each in event.seats for count in _decided(each))),
        deadline_ms=0 if table.locked_up else event.next_at_ms,
        under_a_cent=table.under_a_cent + event.under_a_cent,
        hand_paid=event.hand_paid,
        settled=Settlement(
            event.transfers, tuple((seat.felt.money_cents, seat.felt.fees_cents) for seat in table.seats)
        ),
        readings={
            meter: m.Reading(read.cents, event.hits.get(meter, read.hits)) for meter, read in table.readings.items()
        },
    )


def _seat_settled(table: Table, settled: m.SeatSettled) -> Table:
    seat, paid = table.seat(settled.seat), settled.paid_cents
    down = [line for line in settled.lines if line.decided is Decided.WIN and line.returned_cents]
    sets = _fulfilled(seat, settled)
    return _seat(
        table,
        settled.seat,
        felt=settled.felt,
        stay=replace(seat.stay, fulfilled=sets) if sets != seat.stay.fulfilled else seat.stay,
        player=replace(seat.player, won_stakes={line.spot: line.stake_cents for line in down}),
        bet_time=replace(seat.bet_time, offers=settled.offers),
        last=replace(seat.last, win_cents=paid, last_win_cents=paid, lines=settled.lines, awards=settled.awards),
    )


def _fulfilled(seat: Seat, settled: m.SeatSettled) -> tuple[str, ...]:
    """The bets that a seat has won since the last 7, including this roll."""
    won = [line.bet for line in settled.lines if line.decided is Decided.WIN]
    return (*seat.stay.fulfilled, *(bet for bet in won if bet not in seat.stay.fulfilled))


def _decided(settled: m.SeatSettled) -> Iterator[tuple[str, int]]:
    """What a seat adds to meters when a roll is settled."""
    won = sum([line.payment.paid_cents for line in settled.lines])
    yield seat_meter(settled.seat, "paid"), won + sum(settled.awards.values())
    for line in settled.lines:
        yield bet_meter(line.bet, "paid"), line.payment.paid_cents
        yield bet_meter(line.bet, "returned"), line.returned_cents
        yield bet_meter(line.bet, OUTCOMES[line.decided]), 1


def _roll_voided(table: Table, event: m.RollVoided) -> Table:
    """The table before the roll, except for money in and out since, and the transfers."""
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


def _taken_back(then: Seat, now: Seat, event: m.RollVoided) -> Seat:
    """The seat before the roll, with the terminal and the stay of now (ruling 56). A later stay continues; one that
    the roll ended is restored."""
    took, due = now.number in event.took, event.hand_pays.get(now.number, now.terminal.hand_pay_cents)
    terminal = replace(
        now.terminal,
        hand_pay_cents=due,
        lockups=now.terminal.lockups if due else now.terminal.lockups - {"hand_pay"},
        left_due_cents=now.terminal.due_before(then.terminal) if took else now.terminal.left_due_cents,
    )
    if took or then.stay.number != now.stay.number or now.stay.was_left(then.stay):
        return replace(
            now,
            felt=then.felt if took else Felt(),
            begun={},
            terminal=replace(terminal, owes_cents=0),
            bet_time=BetTime(),
            last=replace(now.last, sits_out=then.last.sits_out),
        )
    if now.stay.ended and not then.stay.ended:
        return replace(then, terminal=terminal, stay=replace(then.stay, tickets=now.stay.tickets))
    repeats = now.player.auto_repeat or now.player.repeat_lapsed
    return replace(
        then,
        terminal=terminal,
        stay=replace(now.stay, fulfilled=then.stay.fulfilled),
        player=replace(now.player, auto_repeat=repeats, repeat_lapsed=False),
    )


def _owed_to_left(table: Table, event: m.OwedToLeft) -> Table:
    due = table.seat(event.seat).terminal.left_due_cents + event.cents
    return _terminal(table, event.seat, left_due_cents=due)


APPLIERS: dict[type[m.Event], Callable[[Table, Any], Table]] = {
    m.CashInserted: _cash_inserted,
    m.CreditGiven: lambda table, event: _cash(
        _money_came(table, event), event.seat, credit_given=event.cents, credit_given_count=1
    ),
    m.TicketRedeemed: lambda table, event: _cash(
        _money_came(table, event), event.seat, tickets_in=event.cents, tickets_in_count=1
    ),
    m.StayEnded: _stay_ended,
    m.TicketPrinted: _ticket_printed,
    m.Tipped: _tipped,
    m.HandPayCalled: _hand_pay_called,
    m.HandPaid: _hand_paid,
    m.OwedToLeft: _owed_to_left,
    m.BetPlaced: _bet_placed,
    m.BetTaken: _acted,
    m.BetsSwitched: lambda table, event: _seat(
        _bet_time(table, event.seat, cleared_last=False), event.seat, felt=event.felt
    ),
    m.ButtonPressed: lambda table, event: _acted(
        table, event, left_out=event.left_out, cleared_last=event.button == "clear_last"
    ),
    m.BetPressedByWin: _win_used,
    m.BetMoved: _win_used,
    m.BetsRepeated: lambda table, event: _acted(table, event, put_back=event.spots),
    m.BetsReturned: _bets_returned,
    m.Undone: _undone,
    m.PopUpOpened: lambda table, event: _bet_time(
        table, event.seat, pop_up=PopUp(event.asked, event.fee_cents), cleared_last=False
    ),
    m.PopUpClosed: _pop_up_closed,
    m.SwitchSet: _switch_set,
    m.DenominationChosen: lambda table, event: _stay(table, event.seat, denomination_cents=event.cents),
    m.RollPressed: lambda table, event: _bet_time(table, event.seat, ready=True),
    m.SeatReserved: _seat_reserved,
    m.PinMissed: lambda table, event: _player(
        table, event.seat, pins_missed=table.seat(event.seat).player.pins_missed + 1
    ),
    m.SeatNamed: lambda table, event: _player(table, event.seat, name=event.name),
    m.SeatReturned: lambda table, event: _player(
        _stay(table, event.seat, reserved_until_ms=0), event.seat, pin_mark="", pins_missed=0
    ),
    m.ServiceCalled: lambda table, event: _terminal(table, event.seat, service=True),
    m.ServiceAnswered: lambda table, event: _terminal(table, event.seat, service=False),
    m.LinkLost: lambda table, event: _terminal(_pop_up_closed(table, event), event.seat, linked=False),
    m.LinkRestored: lambda table, event: _terminal(table, event.seat, linked=True),
    m.DoorOpened: _door_opened,
    m.DoorClosed: _door_closed,
    m.TableDoorOpened: _table_door_opened,
    m.TableDoorClosed: lambda table, event: replace(table, doors=table.doors - {event.door}),
    m.TableCleared: lambda table, event: replace(
        table, locked_up=False, deadline_ms=event.deadline_ms, left_ms=event.left_ms
    ),
    m.SeatLockedUp: lambda table, event: _terminal(
        table, event.seat, lockups=table.seat(event.seat).terminal.lockups | {event.why}
    ),
    m.KeyTurned: lambda table, event: _terminal(table, event.seat, key=event.on),
    m.LockupCleared: lambda table, event: _terminal(table, event.seat, lockups=frozenset(), service=False),
    m.TableOpened: _table_opened,
    m.DealerSignedIn: lambda table, event: replace(table, dealer=event.dealer),
    m.DealerSignedOut: _dealer_signed_out,
    m.ModeSelected: lambda table, event: replace(table, mode=event.mode),
    m.SettingChanged: _setting_changed,
    m.TablePaused: lambda table, event: replace(table, paused=True, left_ms=event.left_ms, deadline_ms=0),
    m.TableResumed: _table_resumed,
    m.PuckPutOff: _puck_put_off,
    m.BetsOpened: _bets_opened,
    m.BetsClosed: _bets_closed,
    m.ShooterChosen: lambda table, event: replace(
        table, phase="shooting", shooter=event.seat, deadline_ms=event.shoots_by_ms, passes_dice=False, named=0
    ),
    m.ShooterNamed: lambda table, event: replace(table, named=event.seat),
    m.DiceEntered: lambda table, event: replace(table, entered=event.dice),
    m.NoRollCalled: lambda table, event: replace(
        table, entered=None, play_meters=_counted(table.play_meters, [(no_roll_meter(event.reason), 1)])
    ),
    m.DiceRolled: _dice_rolled,
    m.Settled: _settled,
    m.RollVoided: _roll_voided,
}
