"""Applies events to a table. It never consults the rules, because an event contains everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec.structs import astuple, replace

from stickman.rules.felt import Felt
from stickman.rules.machine import Decided
from stickman.table import messages as m
from stickman.table.ledger import bet_meter, book, credit, no_roll_meter, printing, seat_meter
from stickman.table.state import (
    COUNTED_AHEAD_MS,
    LOST_KEPT,
    SWITCHES,
    TICKETS_KEPT,
    UNDO_DEPTH,
    BetTime,
    Earlier,
    Escrow,
    Flight,
    HeardFrom,
    Placed,
    Player,
    PopUp,
    Printing,
    Result,
    Seat,
    SeatTerminal,
    Settlement,
    Stay,
    StayTally,
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


def _terminal_is(table: Table, number: int, terminal: SeatTerminal) -> Table:
    return _seat(table, number, terminal=terminal)


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
    bill = {"bills_other" if event.other else f"bills_{event.cents}": 1}
    table = _stacked(table, event, bills={event.cents: 1})
    return _cash(_money_came(table, event), event.seat, cash_in=event.cents, **bill)


def _ticket_redeemed(table: Table, event: m.TicketRedeemed) -> Table:
    table = _stacked(table, event, tickets=1)
    return _cash(_money_came(table, event), event.seat, tickets_in=event.cents, tickets_in_count=1)


def _stacked(table: Table, event: m.CashInserted | m.TicketRedeemed, **more: Any) -> Table:
    """Paper went into the stacker, so totals that its acceptor reported before are out of date."""
    if not event.note:  # in older journals nobody counted it
        return table
    if event.device in table.heard:
        table = _knows(table, event.device, replace(table.heard[event.device], totals=None))
    terminal = _without_paper(table.seat(event.seat).terminal, event.device, event.note)
    stacker, taken = terminal.stacker.plus(m.Stacked(**more)), terminal.taken.plus(m.Stacked(**more))
    last = max(terminal.last_note, event.note)
    return _terminal_is(table, event.seat, replace(terminal, stacker=stacker, taken=taken, last_note=last))


def _without_paper(terminal: SeatTerminal, device: str, note: int) -> SeatTerminal:
    """The terminal when a bill or a ticket is no longer on its way."""
    escrow = terminal.escrow if terminal.escrow and not terminal.escrow.has(device, note) else None
    return replace(
        terminal, escrow=escrow, lost=tuple(each for each in terminal.lost if not each.has(device, note))
    )


def _in_escrow(table: Table, event: m.BillHeld | m.TicketHeld | m.PaperRefused) -> Table:
    if isinstance(event, m.BillHeld):
        held = Escrow(event.note, event.cents, stack=True, device=event.device)
    elif isinstance(event, m.TicketHeld):
        held = Escrow(event.note, event.cents, event.number, event.hold, stack=True, device=event.device)
    else:
        held = Escrow(event.note, event.cents, event.number, why=event.why, device=event.device)
    return _terminal(table, event.seat, escrow=held)


def _paper_returned(table: Table, event: m.PaperReturned) -> Table:
    left = _without_paper(table.seat(event.seat).terminal, event.device, event.note)
    return _terminal_is(table, event.seat, left)


def _paper_unaccounted(table: Table, event: m.PaperUnaccounted) -> Table:
    """A ticket stays held until staff clear the lock-up, or until the acceptor says where it is."""
    terminal = table.seat(event.seat).terminal
    papers = (terminal.escrow, *terminal.lost)
    found = [each for each in papers if each and each.has(event.device, event.note)]
    terminal = _without_paper(terminal, event.device, event.note)
    lost = _bounded((*terminal.lost, *found))
    return _terminal_is(table, event.seat, replace(terminal, lost=lost, lockups=terminal.lockups | {"acceptor"}))


def _bounded(lost: tuple[Escrow, ...]) -> tuple[Escrow, ...]:
    """Lost paper, without the oldest of which nothing is held."""
    spare = [each for each in lost if not each.is_hold][: max(0, len(lost) - LOST_KEPT)]
    return tuple(each for each in lost if each not in spare)


def _dropped(table: Table, event: m.Dropped) -> Table:
    table = _terminal(table, event.seat, stacker=m.Stacked(), stacker_out=True)
    return _cash(table, event.seat, drops_count=1)


def _money_came(table: Table, event: m.MoneyIn) -> Table:
    """Money in clears undo (ruling 13). At an empty seat a stay begins, and what the screen still showed of the
    last player is gone (ruling 29). While a ticket prints, its player is still here."""
    seat, waits = table.seat(event.seat), table.accounts.get(printing(event.seat), 0)
    if table.credit(event.seat) == event.cents and not seat.felt.worth_cents and not waits:
        stay = _stay_begun(table, seat, event.at_ms, event.cents)
        return table.with_seat(Seat(seat.number, terminal=seat.terminal, stay=stay))
    stay = replace(seat.stay, in_cents=seat.stay.in_cents + event.cents)
    return _seat(table, event.seat, bet_time=replace(seat.bet_time, undo=()), stay=stay)


def _seat_handed_over(table: Table, event: m.SeatHandedOver) -> Table:
    """A roll that the last player met cannot be reversed any more: its money would be nobody's."""
    seat = table.seat(event.seat)
    stay = _stay_begun(table, seat, event.at_ms, event.cents)
    table = replace(table, before_roll=None, settled=None, took={})
    return table.with_seat(Seat(seat.number, felt=seat.felt, terminal=seat.terminal, stay=stay))


def _stay_begun(table: Table, seat: Seat, at_ms: int, cents: int) -> Stay:
    first = table.round + (table.phase == "rolled")
    return Stay(seat.stay.number + 1, since_ms=at_ms, in_cents=cents, from_round=first)


def _stay_ended(table: Table, event: m.StayEnded) -> Table:
    """Only the display of the last roll remains."""
    seat = table.seat(event.seat)
    return table.with_seat(Seat(seat.number, terminal=seat.terminal, stay=seat.stay.over(), last=seat.last))


def _ticket_reserved(table: Table, event: m.TicketReserved) -> Table:
    """A cash-out ends the player's consents at once (ruling 29); a tip clears undo."""
    ticket = m.PrintedTicket(event.kind, event.number, event.cents, event.at_ms, event.expires_at_ms)
    table = _terminal(table, event.seat, printing=Printing(event.number, event.kind, ticket=ticket))
    return _left(table, event.seat, event.kind, event.cents)


def _left(table: Table, number: int, kind: m.TicketKind, cents: int) -> Table:
    """Credit left a seat for a ticket."""
    if kind == "cash_out":
        return _money_went(table, number, cents)
    tips = table.seat(number).stay.tips_cents + cents
    return _bet_time(_stay(table, number, tips_cents=tips), number, undo=())


def _ticket_printed(table: Table, event: m.TicketPrinted) -> Table:
    table = _printed(table, event, "cash_out")
    return _cash(table, event.seat, tickets_out=event.cents, tickets_out_count=1)


def _tipped(table: Table, event: m.Tipped) -> Table:
    return _cash(_printed(table, event, "tip"), event.seat, tips=event.cents, tips_count=1)


def _printed(table: Table, event: m.PrintedIssue, kind: m.TicketKind) -> Table:
    """A ticket is on paper. In older journals it was not reserved first."""
    ticket = m.PrintedTicket(kind, event.number, event.cents, event.at_ms, event.expires_at_ms)
    if event.reserved:
        printed = (*table.seat(event.seat).terminal.printed, ticket)[-TICKETS_KEPT:]
        table = _slip(_terminal(table, event.seat, printing=None, printed=printed), event.seat)
    else:
        table = _left(table, event.seat, kind, event.cents)
    earlier = table.seat(event.seat).stay.tickets if kind == "tip" else ()  # a cash-out shows only its own
    return _stay(table, event.seat, tickets=(*earlier, ticket)[-TICKETS_KEPT:])


def _slip(table: Table, number: int) -> Table:
    """A seat's printer printed a slip, so totals that it reported before are out of date."""
    for device, known in table.heard.items():
        if (known.seat, known.kind) == (number, "printer"):
            table = _knows(table, device, replace(known, totals=None))
    return _terminal(table, number, slips=table.seat(number).terminal.slips + 1)


def _paper_done(table: Table, event: m.PaperDone) -> Table:
    table = _terminal(table, event.seat, printing=None)
    return table if event.why else _slip(table, event.seat)


def _printed_late(table: Table, event: m.PrintedLate) -> Table:
    return _terminal(_slip(table, event.seat), event.seat, service=True)


def _paper_asked(table: Table, event: m.PaperAsked) -> Table:
    papers = table.seat(event.seat).terminal.papers + 1
    return _terminal(table, event.seat, papers=papers, printing=Printing(event.job, event.kind, ticket=event.of))


def _printing(table: Table, number: int, **changes: Any) -> Table:
    wanted = table.seat(number).terminal.printing
    return _terminal(table, number, printing=replace(wanted, **changes)) if wanted else table


def _print_failed(table: Table, event: m.PrintFailed) -> Table:
    """The money did not leave. As money that comes in, it clears undo (ruling 13)."""
    table = _cash(_terminal(table, event.seat, printing=None, service=True), event.seat, tickets_failed_count=1)
    table, stay = _bet_time(table, event.seat, undo=()), table.seat(event.seat).stay
    if event.kind == "tip":
        return _stay(table, event.seat, tips_cents=stay.tips_cents - event.cents)
    return _stay(table, event.seat, out_cents=stay.out_cents - event.cents)


def _ticket_cancelled(table: Table, event: m.TicketCancelled) -> Table:
    if event.kind == "tip":
        table = _stay(
            table,
            event.seat,
            tips_cents=table.seat(event.seat).stay.tips_cents - event.cents,
            out_cents=table.seat(event.seat).stay.out_cents + event.cents,
        )
    terminal = table.seat(event.seat).terminal
    table = _terminal(
        table,
        event.seat,
        printing=None,
        service=True,
        hand_pay_cents=terminal.hand_pay_cents + event.cents,
        hand_pay_by_two=True,
        lockups=terminal.lockups | {"hand_pay"},
    )
    return _cash(table, event.seat, tickets_cancelled_count=1)


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
        table = _terminal(
            table, event.seat, hand_pay_cents=0, hand_pay_by_two=False, lockups=terminal.lockups - {"hand_pay"}
        )
    return _cash(table, event.seat, hand_pays=event.cents, hand_pays_count=1)


def _money_went(table: Table, number: int, cents: int) -> Table:
    """Credit left a seat, and with it the player's choices."""
    seat = table.seat(number)
    stay = replace(seat.stay, out_cents=seat.stay.out_cents + cents)
    return _seat(table, number, stay=stay, player=Player(), bet_time=replace(seat.bet_time, undo=()))


# --- Betting ---


def _acted(
    table: Table,
    event: m.FeltEvent,
    *,
    left_out: tuple[str, ...] = (),
    refused: dict[str, str] | None = None,
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
    if left_out or refused or last.left_out or last.refused or last.given_back:
        last = replace(last, left_out=left_out, refused=refused or {}, given_back={})
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


def _favourite_saved(table: Table, event: m.FavouriteSaved) -> Table:
    saved = table.seat(event.seat).stay.favourites
    return _stay(table, event.seat, favourites={**saved, event.slot: event.stakes})


def _favourite_removed(table: Table, event: m.FavouriteRemoved) -> Table:
    saved = table.seat(event.seat).stay.favourites
    return _stay(table, event.seat, favourites={slot: each for slot, each in saved.items() if slot != event.slot})


def _bets_returned(table: Table, event: m.BetsReturned) -> Table:
    seat = table.seat(event.seat)
    did, placed = seat.bet_time, seat.bet_time.last_placed
    for spot, cents in _added(seat.felt, event.felt).items():
        placed = _without_taken(placed, spot, -cents)
    given = {} if event.unqualified else _given_back(seat.felt, event.felt)
    last = replace(seat.last, returned=event.unqualified or seat.last.returned, given_back=given)
    kept = BetTime(last_placed=placed, took_down=did.took_down, ready=did.ready)
    return _seat(table, event.seat, felt=event.felt, bet_time=kept, last=last)


def _given_back(before: Felt, after: Felt) -> dict[str, int]:
    """By spot: the money that left the felt; the mark of released chips has none."""
    lost = {spot: wager.money_cents for spot, wager in before.wagers.items()}
    left = {spot: wager.money_cents for spot, wager in after.wagers.items()}
    return {spot: cents - left.get(spot, 0) for spot, cents in lost.items() if cents > left.get(spot, 0)}


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
    return _table_locked_up(replace(table, doors=table.doors | {event.door}), event)


def _table_locked_up(table: Table, event: m.TableLockedUp | m.TableDoorOpened) -> Table:
    stops: dict[str, Any] = {"left_ms": event.left_ms, "deadline_ms": 0} if event.left_ms else {}
    return replace(table, locked_up=True, **stops)


def _seat_locked_up(table: Table, event: m.SeatLockedUp) -> Table:
    terminal = table.seat(event.seat).terminal
    table = _terminal(table, event.seat, lockups=terminal.lockups | {event.why})
    if not event.fault:
        return table
    return _faults(table, event.seat, event.why, (*terminal.faults.get(event.why, ()), event.fault))


def _part_repaired(table: Table, event: m.PartRepaired) -> Table:
    faults = table.seat(event.seat).terminal.faults.get(event.part, ())
    return _faults(table, event.seat, event.part, tuple(fault for fault in faults if fault != event.fault))


def _faults(table: Table, number: int, part: m.Part, now: tuple[str, ...]) -> Table:
    others = {other: faults for other, faults in table.seat(number).terminal.faults.items() if other != part}
    return _terminal(table, number, faults={**others, part: now} if now else others)


# --- Devices ---


def _signal_heard(table: Table, event: m.SignalHeard) -> Table:
    known = table.heard.get(event.device)
    if known is None:
        known = HeardFrom(event.at_seat, event.kind, event.boot, event.seq)
        known = _based(table, known, m.Stacked(), 0)
    return _knows(table, event.device, replace(known, boot=event.boot, seq=event.seq))


def _based(table: Table, known: HeardFrom, counted: m.Stacked, slips: int) -> HeardFrom:
    """A device that has counted this, when the journal agrees with it."""
    terminal = table.seat(known.seat).terminal if known.seat else SeatTerminal()
    if known.kind == "acceptor":
        return replace(known, base=terminal.taken.minus(counted))
    return replace(known, slips_base=terminal.slips - slips) if known.kind == "printer" else known


def _knows(table: Table, device: str, known: HeardFrom) -> Table:
    return replace(table, heard={**table.heard, device: known})


def _device_distrusted(table: Table, event: m.DeviceDistrusted) -> Table:
    table = _knows(table, event.device, replace(table.heard[event.device], distrusted=True, totals=None))
    if not event.at_seat:
        return table
    terminal = table.seat(event.at_seat).terminal
    return _terminal(table, event.at_seat, service=True, lockups=terminal.lockups | {"device"})


def _device_removed(table: Table, event: m.DeviceRemoved) -> Table:
    others = {device: known for device, known in table.heard.items() if device != event.device}
    table = replace(table, heard=others)
    if not event.at_seat:
        return table
    terminal, kind = table.seat(event.at_seat).terminal, event.kind
    faults = {part: found for part, found in terminal.faults.items() if part != kind}
    lockups = terminal.lockups
    if event.distrusted:  # staff must still look, but there is nothing to settle any more
        lockups = _without_distrust(table, event.at_seat) | {"door" if kind == "doors" else kind}
    table = _terminal(table, event.at_seat, faults=faults, lockups=lockups)
    return _terminal(table, event.at_seat, last_note=0, stacker_out=False) if kind == "acceptor" else table


def _without_distrust(table: Table, seat: int) -> frozenset[str]:
    """The lock-ups of a seat, without that of a device unless another one there is distrusted too."""
    still = any(known.distrusted and known.seat == seat for known in table.heard.values())
    lockups = table.seat(seat).terminal.lockups
    return lockups if still else lockups - {"device"}


def _totals_heard(table: Table, event: m.TotalsHeard) -> Table:
    known = table.heard[event.device]
    return _knows(table, event.device, replace(known, totals=event.counted, slips=event.slips))


def _device_settled(table: Table, event: m.DeviceSettled) -> Table:
    known = table.heard[event.device]
    agreed = _based(table, known, known.totals or m.Stacked(), known.slips)
    table = _knows(table, event.device, replace(agreed, distrusted=False, totals=None))
    if not event.at_seat:
        return table
    return _terminal(table, event.at_seat, lockups=_without_distrust(table, event.at_seat))


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
    flight = table.flight
    if flight and table.phase == "thrown":  # the dice fly on
        flight = replace(flight, lands_at_ms=event.deadline_ms + COUNTED_AHEAD_MS)
    return replace(table, paused=False, left_ms=left_ms, deadline_ms=event.deadline_ms, flight=flight)


def _puck_put_off(table: Table, event: m.PuckPutOff) -> Table:
    result = Result(None, table.hand.puck, 0)
    table = replace(table, hand=event.hand, history=_remember(table, result))
    for number, felt in event.felts:
        table = _seat(_bet_time(table, number, undo=(), cleared_last=False), number, felt=felt)
    return table


# --- The round ---


def _bets_opened(table: Table, event: m.BetsOpened) -> Table:
    opened = replace(
        table,
        phase="betting",
        round=event.round,
        deadline_ms=event.closes_at_ms,
        power={},
        entered=None,
        flight=None,
    )
    return _each_seat(opened, _bets_again if event.again else _bets_afresh)


def _bets_again(seat: Seat) -> Seat:
    return replace(seat, bet_time=BetTime(took_down=seat.bet_time.took_down))


def _bets_afresh(seat: Seat) -> Seat:
    """Offers after a win stay until bets close."""
    did, last = seat.bet_time, seat.last
    if last.sits_out or last.returned or last.left_out or last.refused:
        last = replace(last, sits_out=False, returned=(), left_out=(), refused={})
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
        stay = _tallied(seat.stay, ((bet, StayTally(staked_cents=cents)) for bet, cents in each.handle.items()))
        closed = _seat(closed, each.seat, felt=each.felt, last=last, player=player, stay=stay)
    meters = _counted(table.play_meters, (count for each in event.seats for count in _wagered(each)))
    return replace(closed, play_meters=meters, remainders={**table.remainders, **event.remainders})


def _closed(seat: Seat) -> Seat:
    terminal = replace(seat.terminal, owes_cents=0) if seat.terminal.owes_cents else seat.terminal
    player = replace(seat.player, repeat_lapsed=False, won_stakes={})
    last = replace(seat.last, win_cents=0, lines=(), awards={})
    return replace(seat, terminal=terminal, player=player, bet_time=BetTime(), last=last)


def _wagered(closed: m.SeatClosed) -> Iterator[tuple[str, int]]:
    """What a seat adds to meters when bets close."""
    total = sum(closed.handle.values())
    yield seat_meter(closed.seat, "handle"), total
    yield seat_meter(closed.seat, "games"), int(total > 0)
    for bet, cents in closed.handle.items():
        yield bet_meter(bet, "handle"), cents


def _tallied(stay: Stay, more: Iterable[tuple[str, StayTally]]) -> Stay:
    """The stay with these results added, by bet."""
    tallies = dict(stay.tallies)
    for bet, one in more:
        sums = zip(astuple(tallies.get(bet, StayTally())), astuple(one), strict=True)
        tallies[bet] = StayTally(*(before + added for before, added in sums))
    return replace(stay, tallies=tallies)


def _dice_thrown(table: Table, event: m.DiceThrown) -> Table:
    flight = Flight(event.dice, event.draw, event.lands_at_ms, event.flight_ms)
    return replace(table, phase="thrown", flight=flight, deadline_ms=event.lands_at_ms - COUNTED_AHEAD_MS)


def _dice_rolled(table: Table, event: m.DiceRolled) -> Table:
    before = replace(table, before_roll=None, settled=None)
    result = Result(event.dice, table.hand.puck, event.hand.puck, table.voided, table.round)
    if event.ends_cycle:
        table = _each_seat(table, lambda seat: replace(seat, felt=replace(seat.felt, dont_pass_banned=False)))
    if sum(event.dice) == 7:
        table = _each_seat(table, _sets_lost)
    table = _each_seat(table, lambda seat: _saw(seat, sum(event.dice), table.round))
    return replace(
        table,
        phase="rolled",
        hand=event.hand,
        history=_remember(table, result),
        voided=None,
        entered=None,
        flight=None if event.at_once else table.flight,
        deadline_ms=0,
        passes_dice=event.passes_dice,
        readings=event.meters,
        before_roll=before,
    )


def _saw(seat: Seat, total: int, round_: int) -> Seat:
    """The seat after a roll, if its stay had begun when the dice were first thrown."""
    stay = seat.stay
    if not stay.goes_on or stay.from_round > round_:
        return seat
    return replace(seat, stay=replace(stay, totals={**stay.totals, total: stay.totals.get(total, 0) + 1}))


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
    stay = replace(seat.stay, fulfilled=sets) if sets != seat.stay.fulfilled else seat.stay
    return _seat(
        table,
        settled.seat,
        felt=settled.felt,
        stay=_tallied(stay, _results(seat, settled)),
        player=replace(seat.player, won_stakes={line.spot: line.stake_cents for line in down}),
        bet_time=replace(seat.bet_time, offers=settled.offers),
        last=replace(seat.last, win_cents=paid, last_win_cents=paid, lines=settled.lines, awards=settled.awards),
    )


def _fulfilled(seat: Seat, settled: m.SeatSettled) -> tuple[str, ...]:
    """The bets that a seat has won since the last 7, including this roll."""
    won = [line.bet for line in settled.lines if line.decided is Decided.WIN]
    return (*seat.stay.fulfilled, *(bet for bet in won if bet not in seat.stay.fulfilled))


def _results(seat: Seat, settled: m.SeatSettled) -> Iterator[tuple[str, StayTally]]:
    """By bet: what a roll did to a seat. A fee counts when its wager meets a roll; a bet with a fee stays on the
    spot that has its id."""
    for line in settled.lines:
        won, award = line.decided is Decided.WIN, settled.awards.get(line.meter, 0)
        yield (
            line.bet,
            StayTally(
                decided=int(line.decided is not Decided.PUSH),
                won=int(won),
                won_cents=line.gain_cents + award if won else 0,
                net_cents=line.net_cents(award),
            ),
        )
    for spot, wager in seat.felt.wagers.items():
        after = settled.felt.wagers.get(spot)
        if spent := wager.fee_cents - (after.fee_cents if after else 0):
            yield spot, StayTally(net_cents=-spent)


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
        key=table.key,
        heard=table.heard,
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
        hand_pay_by_two=now.terminal.hand_pay_by_two and due > 0,
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
        stay=replace(now.stay, fulfilled=then.stay.fulfilled, totals=then.stay.totals, tallies=then.stay.tallies),
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
    m.TicketRedeemed: _ticket_redeemed,
    m.BillHeld: _in_escrow,
    m.TicketHeld: _in_escrow,
    m.PaperRefused: _in_escrow,
    m.PaperReturned: _paper_returned,
    m.PaperUnaccounted: _paper_unaccounted,
    m.TicketReleased: lambda table, _: table,  # its claim is all
    m.Dropped: _dropped,
    m.StackerBack: lambda table, event: _terminal(table, event.seat, stacker_out=False),
    m.TicketReserved: _ticket_reserved,
    m.PrintBegan: lambda table, event: _printing(table, event.seat, begun=True),
    m.PrintFailed: _print_failed,
    m.TicketCancelled: _ticket_cancelled,
    m.PaperAsked: _paper_asked,
    m.PaperDone: _paper_done,
    m.PrintedLate: _printed_late,
    m.SignalHeard: _signal_heard,
    m.DeviceDistrusted: _device_distrusted,
    m.TotalsHeard: _totals_heard,
    m.DeviceSettled: _device_settled,
    m.DeviceRemoved: _device_removed,
    m.ProgramHeard: lambda table, _: table,
    m.TableKeyTurned: lambda table, event: replace(table, key=event.on),
    m.PartRepaired: _part_repaired,
    m.StayEnded: _stay_ended,
    m.SeatHandedOver: _seat_handed_over,
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
    m.FavouriteSaved: _favourite_saved,
    m.FavouritePlaced: lambda table, event: _acted(table, event, refused=event.refused),
    m.FavouriteRemoved: _favourite_removed,
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
    m.TableLockedUp: _table_locked_up,
    m.TableDoorClosed: lambda table, event: replace(table, doors=table.doors - {event.door}),
    m.TableCleared: lambda table, event: replace(
        table, locked_up=False, deadline_ms=event.deadline_ms, left_ms=event.left_ms
    ),
    m.SeatLockedUp: _seat_locked_up,
    m.KeyTurned: lambda table, event: _terminal(table, event.seat, key=event.on),
    m.LockupCleared: lambda table, event: _terminal(table, event.seat, lockups=frozenset(), service=False, lost=()),
    m.TableOpened: _table_opened,
    m.DealerSignedIn: lambda table, event: replace(table, dealer=event.dealer),
    m.DealerSignedOut: _dealer_signed_out,
    m.ModeSelected: lambda table, event: replace(table, mode=event.mode),
    m.SettingChanged: _setting_changed,
    m.TablePaused: lambda table, event: replace(table, paused=True, left_ms=event.left_ms, deadline_ms=0),
    m.TableResumed: _table_resumed,
    m.PuckPutOff: _puck_put_off,
    m.BetsOpened: _bets_opened,
    m.BetTimeSet: lambda table, event: replace(table, deadline_ms=event.closes_at_ms),
    m.BetsClosed: _bets_closed,
    m.ShooterChosen: lambda table, event: replace(
        table, phase="shooting", shooter=event.seat, deadline_ms=event.shoots_by_ms, passes_dice=False, named=0
    ),
    m.ShooterNamed: lambda table, event: replace(table, named=event.seat),
    m.DiceEntered: lambda table, event: replace(table, entered=event.dice),
    m.NoRollCalled: lambda table, event: replace(
        table, entered=None, play_meters=_counted(table.play_meters, [(no_roll_meter(event.reason), 1)])
    ),
    m.DiceThrown: _dice_thrown,
    m.DiceRolled: _dice_rolled,
    m.Settled: _settled,
    m.RollVoided: _roll_voided,
}
