"""Requests around the felt: a seat's switches, reserved and locked-up seats, the dealer, settings."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from stickman.rules.datafile import BadFile
from stickman.rules.felt import Hand, Reason
from stickman.rules.game import Game, value_of
from stickman.rules.settings import change, moves_the_edge, written
from stickman.rules.spoken import Detail, Detailed
from stickman.table import messages as m
from stickman.table.asking import (
    Decision,
    layout_of,
    moves,
    no_input,
    no_key,
    no_key_of_table,
    no_seat,
    printer_busy,
    table_stops,
)
from stickman.table.evolve import evolve_all
from stickman.table.messages import Event, Facts, Refusal, Refused
from stickman.table.ports import hold_ended
from stickman.table.round import STOPPED_BY_DOORS, open_bets, opens_at
from stickman.table.state import PINS_MAX, Seat, Table

NAME_MAX, NAME_MARKS = 16, " -'."


def _unless(already: bool, event: Event) -> Decision:
    return Refused(Reason.ALREADY_SO) if already else (event,)


def set_switch(table: Table, request: m.SetSwitch, facts: Facts) -> Decision:
    """Keep Bets On, auto-repeat, and whether the player wants the dice (IB 5.1)."""
    if stop := no_input(table, request.seat, facts):
        return stop
    if request.switch == "keep_bets" and not table.game.keep_bets_on:
        return Refused(Refusal.NO_SUCH_BUTTON, Detail.BUTTON(button="keep_bets"))
    if request.switch == "auto_repeat" and not table.game.auto_repeat:
        return Refused(Refusal.NO_SUCH_BUTTON, Detail.BUTTON(button="auto_repeat"))
    same = table.seat(request.seat).is_on(request.switch) == request.on
    return _unless(same, m.SwitchSet(seat=request.seat, switch=request.switch, on=request.on))


def choose_denomination(table: Table, request: m.ChooseDenomination, facts: Facts) -> Decision:
    """The value of one credit, chosen for the stay while the felt is empty (IB 5.1, ruling 47)."""
    if stop := no_input(table, request.seat, facts):
        return stop
    if len(table.game.denominations) == 1:
        return Refused(Refusal.NO_SUCH_BUTTON, Detail.BUTTON(button="denomination"))
    if table.seat(request.seat).bet_time.pop_up:
        return Refused(Refusal.POP_UP_OPEN)
    if request.cents not in table.game.denominations:
        return Refused(Refusal.NO_OFFER)
    if request.cents == table.denomination(request.seat):
        return Refused(Reason.ALREADY_SO)
    if table.seat(request.seat).felt.wagers:
        return Refused(Refusal.FELT_NOT_EMPTY)
    if not table.credit(request.seat):
        return Refused(Refusal.CREDIT_SHORT, Detail.NO_CREDIT())
    return (m.DenominationChosen(seat=request.seat, cents=request.cents),)


def reserve(table: Table, request: m.ReserveSeat, facts: Facts) -> Decision:
    """The seat takes no input for a while; its wagers play on (IB 5.1)."""
    if stop := no_input(table, request.seat, facts):
        return stop
    until = facts.now_ms + table.game.reserve_minutes * 60_000
    return (m.SeatReserved(seat=request.seat, until_ms=until, pin_mark=facts.pin_mark),)


def come_back(table: Table, request: m.ReturnToSeat, facts: Facts) -> Decision:
    """The PIN or staff open a reserved seat (RULES 12). If a PIN protects money, two people must, because an open
    seat pays out. Wrong PINs are counted."""
    if stop := no_seat(table, request.seat):
        return stop
    seat = table.seat(request.seat)
    if seat.stay.reserved_until_ms <= facts.now_ms:
        return Refused(Reason.ALREADY_SO)
    by_player = facts.actor == f"seat {request.seat}"
    if by_player and seat.player.pin_mark:
        if seat.player.pins_missed >= PINS_MAX:
            return Refused(Refusal.NEEDS_STAFF)
        if not facts.pin_mark:
            return Refused(Refusal.NEEDS_PIN)
        if facts.pin_mark != seat.player.pin_mark:
            return (m.PinMissed(seat=request.seat),)
    guarded = not by_player and seat.player.pin_mark and (table.credit(request.seat) or seat.felt.money_cents)
    if guarded and facts.approver in ("", facts.actor):
        return Refused(Refusal.NEEDS_TWO)
    return (m.SeatReturned(seat=request.seat),)


def name_seat(table: Table, request: m.NameSeat, facts: Facts) -> Decision:
    """The player's name, instead of the terminal's number (RTW 4)."""
    if stop := no_input(table, request.seat, facts):
        return stop
    name = " ".join(request.name.split())
    if len(name) > NAME_MAX or not all(letter.isalnum() or letter in NAME_MARKS for letter in name):
        return Refused(Refusal.BAD_NAME)
    return _unless(table.seat(request.seat).player.name == name, m.SeatNamed(seat=request.seat, name=name))


def _sets(part: str, event: type[m.SeatEvent], *, to: bool) -> Callable[[Table, m.SeatRequest, Facts], Decision]:
    """Set a flag of a seat's terminal."""

    def decider(table: Table, request: m.SeatRequest, _: Facts) -> Decision:
        if stop := no_seat(table, request.seat):
            return stop
        return _unless(getattr(table.seat(request.seat).terminal, part) is to, event(seat=request.seat))

    return decider


call_service = _sets("service", m.ServiceCalled, to=True)
answer_service = _sets("service", m.ServiceAnswered, to=False)
lose_link = _sets("linked", m.LinkLost, to=False)
"""Wagers play to the end; an open question counts as declined (ruling 9)."""
restore_link = _sets("linked", m.LinkRestored, to=True)


def hand_over(table: Table, request: m.HandOver, facts: Facts) -> Decision:
    """A seat that its player reserved, or whose ticket prints, is not handed over; an empty one has nothing to hand
    over."""
    if stop := no_seat(table, request.seat):
        return stop
    seat = table.seat(request.seat)
    if seat.stay.reserved_until_ms > facts.now_ms:
        return Refused(Refusal.RESERVED)
    if stop := printer_busy(table, seat.number):
        return stop
    cents = table.credit(seat.number) + seat.felt.money_cents
    return _unless(not seat.stay.goes_on, m.SeatHandedOver(seat=seat.number, cents=cents, at_ms=facts.now_ms))


def clear_table(table: Table, _: m.ClearTable, facts: Facts) -> Decision:
    """A supervisor clears the table with any key switch turned, once its doors are shut and trusted."""
    if not table.locked_up:
        return Refused(Refusal.NOTHING_TO_DO)
    if table.doors:
        return Refused(Refusal.CANNOT_CLEAR, Detail.CLOSE_DOORS(doors=tuple(sorted(table.doors))))
    if first := _must_settle(table, 0):
        return Refused(Refusal.CANNOT_CLEAR, first)
    if stop := no_key_of_table(table, facts):
        return stop
    if table.phase not in STOPPED_BY_DOORS:
        return (m.TableCleared(deadline_ms=table.deadline_ms, left_ms=table.left_ms),)
    shown = max(0, opens_at(table, facts) - facts.now_ms) if table.phase == "rolled" else 0
    left = table.left_ms or shown
    if table.paused:
        return (m.TableCleared(left_ms=left),)
    return (m.TableCleared(deadline_ms=facts.now_ms + left if left else 0),)


def clear_lockup(table: Table, request: m.ClearLockup, facts: Facts) -> Decision:
    """A supervisor with the key switch clears a lock-up, once the seat's doors are shut, its parts work, its hand
    pay is paid and no device is distrusted. Tickets that are unaccounted for can be redeemed again."""
    if stop := no_seat(table, request.seat):
        return stop
    seat = table.seat(request.seat)
    if seat.terminal.doors:
        return Refused(Refusal.CANNOT_CLEAR, Detail.CLOSE_DOORS(doors=tuple(sorted(seat.terminal.doors))))
    if "cage_order" in seat.terminal.lockups:
        return Refused(Refusal.CAGE_ORDER)
    if first := _must_end(seat) or _must_settle(table, seat.number):
        return Refused(Refusal.CANNOT_CLEAR, first)
    if seat.terminal.lockups and (stop := no_key(table, request.seat, facts)):
        return stop
    if seat.terminal.hand_pay_cents:
        return Refused(Refusal.HAND_PAY_DUE)
    nothing = not seat.terminal.lockups and not seat.terminal.service
    if nothing:
        return Refused(Refusal.NOTHING_TO_DO)
    free = [event for lost in seat.terminal.lost for event in hold_ended(request.seat, lost)]
    return (*free, m.LockupCleared(seat=request.seat))


def _must_end(seat: Seat) -> Detailed | None:
    """What staff must repair at a seat before they can clear its lock-up."""
    broken = seat.terminal.faults
    faults = tuple(fault for part in sorted(broken) for fault in broken[part])
    return Detail.END_FAULTS(parts=tuple(sorted(broken)), faults=faults) if broken else None


def _must_settle(table: Table, seat: int) -> Detailed | None:
    """The devices of a seat that two people must settle first; with 0, of the table itself."""
    here = [known.kind for known in table.heard.values() if known.seat == seat and known.distrusted]
    return Detail.SETTLE_DEVICES(devices=tuple(sorted(here))) if here else None


def sign_in(table: Table, _: m.SignIn, facts: Facts) -> Decision:
    if not facts.actor:
        return Refused(Refusal.NEEDS_DEALER)
    if table.dealer == facts.actor:
        return Refused(Reason.ALREADY_SO)
    left = (m.DealerSignedOut(dealer=table.dealer),) if table.dealer else ()
    return (*left, m.DealerSignedIn(dealer=facts.actor))


def sign_out(table: Table, _request: m.SignOut, _facts: Facts) -> Decision:
    return (m.DealerSignedOut(dealer=table.dealer),) if table.dealer else Refused(Refusal.NEEDS_DEALER)


def select_mode(table: Table, request: m.SelectMode, _: Facts) -> Decision:
    """Only between rounds, and only if the game allows both modes."""
    if table.game.mode != "selectable":
        return Refused(Refusal.WRONG_MODE, Detail.GAME_MODE(mode=table.game.mode))
    if table.phase != "betting":
        return Refused(Refusal.WRONG_PHASE, Detail.PHASE(phase=table.phase))
    return _unless(table.mode == request.mode, m.ModeSelected(mode=request.mode))


def change_setting(table: Table, request: m.ChangeSetting, facts: Facts) -> Decision:
    """Return all wagers, then open a bet time with the new game (ruling 17)."""
    if stop := table_stops(table):
        return stop
    if table.phase != "betting":
        return Refused(Refusal.WRONG_PHASE, Detail.PHASE(phase=table.phase))
    layout = layout_of(table)
    wagers = [wager for seat in table.seats for wager in seat.felt.wagers.values()]
    if any(layout.states[w.state].locked or layout.bet_at[w.state].side for w in wagers):
        return Refused(Refusal.WAGERS_LIE)
    if facts.forbidden:
        return Refused(Refusal.FORBIDDEN, Detail.LOCK_FORBIDS(key=request.key, found=facts.forbidden))
    try:
        game = change(table.game, request.key, request.text)
    except BadFile as problem:
        return Refused(Refusal.NO_SUCH_SETTING, problem.detail)
    if facts.unfit:
        return Refused(Refusal.NO_SUCH_SETTING, Detail.METER_DIFFERS(key=request.key, found=facts.unfit))
    if game.seats != table.game.seats:
        return Refused(Refusal.NO_SUCH_SETTING, Detail.SEATS_FIXED())
    if game.denominations != table.game.denominations and any(table.credit(seat.number) for seat in table.seats):
        return Refused(Refusal.NO_SUCH_SETTING, Detail.CREDITS_FIRST())
    if moves_the_edge(table.game, game) and facts.approver in ("", facts.actor):
        return Refused(Refusal.NEEDS_TWO, Detail.MOVES_EDGE())
    returned: tuple[Event, ...] = tuple(_returned(seat) for seat in table.playing())
    changed = m.SettingChanged(
        key=request.key,
        before=written(value_of(table.game, request.key)),
        after=written(value_of(game, request.key)),
        by=facts.actor,
        approver=facts.approver,
        game=game,
        fingerprint=game.fingerprint(),
        hand=_hand_under(game, table),
    )
    events = (*returned, changed)
    return (*events, *open_bets(evolve_all(table, events), facts))


def _hand_under(game: Game, table: Table) -> Hand:
    """The hand in the new game: a point that it does not have is off, and Place and Buy start as it chose."""
    hand = table.hand if table.hand.puck in (0, *game.point_numbers) else table.hand.with_puck_off()
    return replace(hand, rests=game.after_seven_out == "off" and _after_seven_out(table))


def _after_seven_out(table: Table) -> bool:
    for past in reversed(table.history):
        if past.puck_after or not past.dice:
            return False
        if past.puck_before and sum(past.dice) == 7:
            return True
    return False


def _returned(seat: Seat) -> m.BetsReturned:
    after = replace(seat.felt, wagers={})
    return m.BetsReturned(seat=seat.number, felt=after, transfers=moves(seat.number, seat.felt, after))
