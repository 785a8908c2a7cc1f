"""Betting at a seat: place, take, on and off, the buttons, undo. Each answers with events or a refusal, all or
nothing; money follows from the difference of two felts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from stickman.rules import felt as felts
from stickman.rules import layout as layouts
from stickman.rules.felt import Felt, Reason, Wager
from stickman.rules.layout import Layout, Switch
from stickman.rules.machine import How
from stickman.rules.money import dollars
from stickman.table import messages as m
from stickman.table.ledger import Transfer, credit, felt, move
from stickman.table.messages import Event, Facts, Refusal, Refused
from stickman.table.state import Seat, Table

Decision = tuple[Event, ...] | Refused
"""What a request comes to."""

_LAYOUTS: dict[str, Layout] = {}
LAYOUTS_KEPT = 64
"""Compiled games that are kept: more than the tables of a floor play at one time."""


def layout_of(table: Table) -> Layout:
    """The table's game, compiled once for each fingerprint."""
    if table.fingerprint not in _LAYOUTS:
        if len(_LAYOUTS) >= LAYOUTS_KEPT:
            del _LAYOUTS[next(iter(_LAYOUTS))]
        _LAYOUTS[table.fingerprint] = layouts.lay_out(table.game)
    return _LAYOUTS[table.fingerprint]


def at(table: Table, number: int) -> felts.Seat:
    """A seat as its felt knows it."""
    return felts.Seat(layout_of(table), table.hand, table.seat(number).felt)


# --- Who may bet now ---


def no_seat(table: Table, number: int) -> Refused | None:
    return (
        None if 1 <= number <= len(table.seats) else Refused(Refusal.NO_SUCH_SEAT, f"seats 1 to {len(table.seats)}")
    )


def table_stops(table: Table) -> Refused | None:
    """A door of the table stops betting and money at all of it (ruling 43)."""
    return Refused(Refusal.TABLE_LOCKED_UP) if table.locked_up else None


def no_input(table: Table, number: int, facts: Facts) -> Refused | None:
    """Why a seat takes no input at all."""
    return no_seat(table, number) or table_stops(table) or terminal_stops(table, number, facts)


def terminal_stops(table: Table, number: int, facts: Facts) -> Refused | None:
    """Why nothing comes from a seat's own terminal."""
    seat = table.seat(number)
    if seat.lockups:
        return Refused(Refusal.LOCKED_UP, ", ".join(sorted(seat.lockups)))
    if seat.reserved_until_ms > facts.now_ms:
        return Refused(Refusal.RESERVED)
    return None if seat.linked else Refused(Refusal.NOT_LINKED)


def no_betting(table: Table, number: int, facts: Facts) -> Refused | None:
    """Why a seat may not bet now."""
    if refused := no_seat(table, number):
        return refused
    if table.paused:
        return Refused(Refusal.TABLE_PAUSED)
    if stop := table_stops(table):
        return stop
    late = table.deadline_ms and facts.now_ms >= table.deadline_ms
    if table.phase != "betting" or late:
        return Refused(Refusal.WRONG_PHASE, "bets are closed")
    if refused := no_input(table, number, facts):
        return refused
    return Refused(Refusal.POP_UP_OPEN) if table.seat(number).pop_up else None


AS_REFUSAL = {reason: Refusal[reason.name] for reason in Reason}
DETAIL_MAX = 40
"""Of what was asked for, a refusal repeats no more."""


def refused(reason: Reason, detail: str = "") -> Refused:
    return Refused(AS_REFUSAL[reason], detail[:DETAIL_MAX])


# --- Money ---


def moves(number: int, before: Felt, after: Felt) -> tuple[Transfer, ...]:
    """What changes hands when a felt changes: stakes to or from the felt, fees to or from commission."""
    stakes = move(credit(number), felt(number), after.money_cents - before.money_cents)
    return stakes + move(credit(number), "commission", after.fees_cents - before.fees_cents)


def cost(before: Felt, after: Felt) -> int:
    """What a change of felt takes from credit; negative where it gives back."""
    return after.money_cents - before.money_cents + after.fees_cents - before.fees_cents


def too_dear(table: Table, number: int, after: Felt) -> Refused | None:
    short = cost(table.seat(number).felt, after) - table.credit(number)
    return Refused(Refusal.CREDIT_SHORT, f"short by {dollars(short)}") if short > 0 else None


def asks_fee(table: Table, number: int, after: Felt) -> int:
    return max(0, after.fees_cents - table.seat(number).felt.fees_cents)


# --- Placing and taking ---


def place(table: Table, request: m.PlaceBet, facts: Facts, *, accepted: bool = False) -> Decision:
    """Put chips on a spot; a fee is asked for first."""
    if stop := no_betting(table, request.seat, facts):
        return stop
    after = felts.place(at(table, request.seat), request.spot, request.cents)
    if isinstance(after, Reason):
        return refused(after, request.spot)
    if stop := too_dear(table, request.seat, after):
        return stop
    fee = asks_fee(table, request.seat, after)
    if fee and not accepted:
        return (m.PopUpOpened(seat=request.seat, asked=request, fee_cents=fee),)
    return (
        m.BetPlaced(
            seat=request.seat,
            spot=request.spot,
            cents=request.cents,
            fee_cents=fee,
            felt=after,
            transfers=moves(request.seat, table.seat(request.seat).felt, after),
        ),
    )


def take(table: Table, request: m.TakeBet, facts: Facts) -> Decision:
    """Take chips off a spot."""
    if stop := no_betting(table, request.seat, facts):
        return stop
    before = table.seat(request.seat).felt
    after = felts.take(at(table, request.seat), request.spot, request.cents)
    if isinstance(after, Reason):
        return refused(after, request.spot)
    taken = before.wagers[request.spot].stake_cents
    left = after.wagers.get(request.spot)
    return (
        m.BetTaken(
            seat=request.seat,
            spot=request.spot,
            cents=taken - (left.stake_cents if left else 0),
            felt=after,
            transfers=moves(request.seat, before, after),
        ),
    )


def answer(table: Table, request: m.AnswerPopUp, facts: Facts) -> Decision:
    """Accept the fee and do what was asked, or decline it and do nothing."""
    if stop := no_seat(table, request.seat) or no_input(table, request.seat, facts):
        return stop
    pop_up = table.seat(request.seat).pop_up
    if pop_up is None:
        return Refused(Refusal.NO_POP_UP)
    closed = m.PopUpClosed(seat=request.seat, accepted=request.accept)
    if not request.accept:
        return (closed,)
    answered = table.with_seat(replace(table.seat(request.seat), pop_up=None))
    done = _as_asked(answered, pop_up.asked, facts)
    return done if isinstance(done, Refused) else (closed, *done)


def _as_asked(table: Table, asked: m.PlaceBet | m.PressButton | m.MoveBet, facts: Facts) -> Decision:
    match asked:
        case m.PlaceBet():
            return place(table, asked, facts, accepted=True)
        case m.PressButton():
            return press(table, asked, facts, accepted=True)
        case m.MoveBet():
            return move_bet(table, asked, facts, accepted=True)


# --- On and off ---


def switch_one(table: Table, request: m.SwitchBet, facts: Facts) -> Decision:
    if stop := no_betting(table, request.seat, facts):
        return stop
    after = felts.switch(at(table, request.seat), request.spot, Switch.ON if request.on else Switch.OFF)
    if isinstance(after, Reason):
        return refused(after, request.spot)
    return _switched(table, request.seat, after, (request.spot,), on=request.on)


def switch_all(table: Table, request: m.SwitchAll, facts: Facts) -> Decision:
    """Every wager that can be switched and is not so already; what is placed later is on."""
    if stop := no_betting(table, request.seat, facts):
        return stop
    to = Switch.ON if request.on else Switch.OFF
    seat = at(table, request.seat)
    spots: list[str] = []
    for spot in seat.felt.wagers:
        after = felts.switch(seat, spot, to)
        if isinstance(after, Felt):
            seat = seat._replace(felt=after)
            spots.append(spot)
        elif after is Reason.OVER_TOTAL:
            return refused(after, spot)
    if not spots:
        return Refused(Refusal.NOTHING_TO_DO)
    return _switched(table, request.seat, seat.felt, tuple(spots), on=request.on)


def _switched(table: Table, number: int, after: Felt, spots: tuple[str, ...], *, on: bool) -> Decision:
    if stop := too_dear(table, number, after):
        return stop
    transfers = moves(number, table.seat(number).felt, after)
    return (m.BetsSwitched(seat=number, felt=after, on=on, spots=spots, transfers=transfers),)


# --- Buttons ---


def press(table: Table, request: m.PressButton, facts: Facts, *, accepted: bool = False) -> Decision:
    """Do all that a button says, or nothing. Clear last pressed twice clears all (IB 5.1, ruling 39)."""
    if (
        stop := no_seat(table, request.seat)
        or _no_such_button(table, request)
        or no_betting(table, request.seat, facts)
    ):
        return stop
    button = "clear_all" if request.button == "clear_last" and clears_all(table, request.seat) else request.button
    done = BUTTONS[button](table, request)
    if isinstance(done, Refused):
        return done
    if stop := too_dear(table, request.seat, done):
        return stop
    fee = asks_fee(table, request.seat, done)
    if fee and not accepted:
        return (m.PopUpOpened(seat=request.seat, asked=request, fee_cents=fee),)
    before = table.seat(request.seat).felt
    changed = [s for s in {**before.wagers, **done.wagers} if before.wagers.get(s) != done.wagers.get(s)]
    return (
        m.ButtonPressed(
            seat=request.seat,
            button=button,
            felt=done,
            spots=tuple(changed),
            left_out=_repeats(table, request.seat).left_out if button == "repeat" else (),
            transfers=moves(request.seat, before, done),
        ),
    )


def clears_all(table: Table, number: int) -> bool:
    """Whether Clear last would clear all: it was the seat's last action in this bet time."""
    return table.seat(number).cleared_last


def _placed(seat: felts.Seat, stakes: Iterable[tuple[str, int]], *, again: bool = False) -> Felt | Refused:
    """The felt with all of these placed, or why the first of them cannot be. Stakes that lay before are placed
    `again` whatever the step: a press by the win may have made them uneven (rulings 11, 12)."""
    for spot, cents in stakes:
        after = felts.place(seat, spot, cents, any_step=again)
        if isinstance(after, Reason):
            return refused(after, spot)
        seat = seat._replace(felt=after)
    return seat.felt


def _numbers(numbers: tuple[int, ...] | None) -> Callable[[Table, m.PressButton], Felt | Refused]:
    """Across, inside, outside: the chip on the Place bets of these numbers less the point (IB 3, RTW 5)."""

    def button(table: Table, request: m.PressButton) -> Felt | Refused:
        if stop := _not_enabled(table, request):
            return stop
        layout = layout_of(table)
        bets = [layout.pressable[n] for n in numbers or table.game.point_numbers if n != table.hand.puck]
        return _placed(at(table, request.seat), [(bet, request.cents) for bet in bets if bet in layout.bets])

    return button


def _press_point(table: Table, request: m.PressButton) -> Felt | Refused:
    """Double the Place bet of the point (ruling 12)."""
    if stop := _not_enabled(table, request):
        return stop
    spot = layout_of(table).pressable[table.hand.puck]
    wager = table.seat(request.seat).felt.wagers.get(spot)
    if wager is None:
        return Refused(Refusal.NO_WAGER, spot)
    return _placed(at(table, request.seat), [(spot, wager.stake_cents)], again=True)


CHOSEN_BY_GAME: tuple[m.Button, ...] = ("across", "inside", "outside", "press")


def _no_such_button(table: Table, request: m.PressButton) -> Refused | None:
    missing = request.button in CHOSEN_BY_GAME and request.button not in table.game.buttons
    return Refused(Refusal.NO_SUCH_BUTTON, request.button) if missing else None


def _not_enabled(table: Table, request: m.PressButton) -> Refused | None:
    bet_at, wagers = layout_of(table).bet_at, table.seat(request.seat).felt.wagers
    has_one = any(bet_at[wager.state].enables for wager in wagers.values())
    return None if table.hand.puck and has_one else Refused(Refusal.NEEDS_ENABLING)


def _double(table: Table, request: m.PressButton) -> Felt | Refused:
    """Every working wager that may be increased, flat bets before the odds behind them; one over its limit refuses
    all (rulings 12, 40)."""
    seat = at(table, request.seat)
    stakes = [
        (spot, seat.felt.wagers[spot].stake_cents)
        for spot in _flat_first(seat.layout, seat.felt.wagers)
        if _grows(seat, spot)
    ]
    return _placed(seat, stakes, again=True) if stakes else Refused(Refusal.NOTHING_TO_DO)


OVER = (Reason.OVER_MAX, Reason.OVER_ODDS, Reason.OVER_TOTAL)


def _grows(seat: felts.Seat, spot: str) -> bool:
    """Whether a wager works and could be increased, were there room; one-size wagers never grow."""
    wager = seat.felt.wagers[spot]
    if felts.how(seat.layout, seat.hand.puck, wager) is How.OFF:
        return False
    limits = seat.layout.bet_at[wager.state].limits
    place = felts.offer(seat, spot).place
    return limits.min_cents < limits.max_cents and (not isinstance(place, Reason) or place in OVER)


def _flat_first(layout: Layout, spots: Iterable[str]) -> list[str]:
    """Odds need what they back."""
    return sorted(spots, key=lambda spot: _is_odds(layout, spot))


def _is_odds(layout: Layout, spot: str) -> bool:
    return spot in layout.bet_on and layout.bet_on[spot].flat != ""


class Repeats(NamedTuple):
    """What may be placed again, and what the game or its limits do not allow (ruling 53)."""

    stakes: list[tuple[str, int]]
    left_out: tuple[str, ...]


NOT_ALLOWED = (Reason.NO_SUCH_BET, Reason.UNDER_MIN, Reason.OVER_MAX, Reason.OVER_ODDS)


def repeatable(table: Table, number: int, stakes: dict[str, int]) -> Repeats:
    """Those of the stakes which are absent now and may be placed now, flat bets first (ruling 12)."""
    seat = at(table, number)
    found, left_out = [], []
    for spot in _flat_first(seat.layout, stakes):
        if spot in seat.felt.wagers:
            continue
        after = felts.place(seat, spot, stakes[spot], any_step=True)
        placeable = not isinstance(felts.offer(seat, spot).place, Reason)
        if after in NOT_ALLOWED:
            left_out.append(spot)
        elif placeable:
            found.append((spot, stakes[spot]))
            seat = seat._replace(felt=after) if isinstance(after, Felt) else seat
    return Repeats(found, tuple(left_out))


def _repeats(table: Table, number: int) -> Repeats:
    return repeatable(table, number, table.seat(number).last_stakes)


def _repeat(table: Table, request: m.PressButton) -> Felt | Refused:
    stakes, left_out = _repeats(table, request.seat)
    if not stakes:
        return Refused(Refusal.NOTHING_TO_DO, ", ".join(left_out)[:DETAIL_MAX])
    return _placed(at(table, request.seat), stakes, again=True)


def _clear_last(table: Table, request: m.PressButton) -> Felt | Refused:
    """Take down the last placing action of this bet time that still lies, of a stack what it added; with none, the
    spot that was added to last, whole. Off wagers are passed over (ruling 39)."""
    seat = at(table, request.seat)
    latest = [((spot, None),) for spot in reversed(seat.felt.wagers)]
    for action in (*reversed(table.seat(request.seat).last_placed), *latest):
        after = _without(seat, action)
        if after != seat.felt:
            return after
    return Refused(Refusal.NOTHING_TO_DO)


def _without(seat: felts.Seat, stakes: Iterable[tuple[str, int | None]]) -> Felt:
    """The felt without these stakes (None: whole ones), odds before what they back, as far as they are on and may
    be taken."""
    for spot, cents in sorted(stakes, key=lambda stake: not _is_odds(seat.layout, stake[0])):
        wager = seat.felt.wagers.get(spot)
        if wager and felts.how(seat.layout, seat.hand.puck, wager) is not How.OFF:
            after = felts.take(seat, spot, cents)
            seat = seat._replace(felt=after) if isinstance(after, Felt) else seat
    return seat.felt


def _clear(*, off_too: bool) -> Callable[[Table, m.PressButton], Felt | Refused]:
    """Take down every unlocked wager; Clear leaves off ones alone, Cancel does not (RULES 6, 7)."""

    def button(table: Table, request: m.PressButton) -> Felt | Refused:
        seat = at(table, request.seat)
        for spot in sorted(seat.felt.wagers, key=lambda spot: not _is_odds(layout_of(table), spot)):
            wager = seat.felt.wagers[spot]
            if off_too or felts.how(seat.layout, seat.hand.puck, wager) is not How.OFF:
                after = felts.take(seat, spot)
                seat = seat._replace(felt=after) if isinstance(after, Felt) else seat
        unchanged = seat.felt == table.seat(request.seat).felt
        return Refused(Refusal.NOTHING_TO_DO) if unchanged else seat.felt

    return button


BUTTONS: dict[m.Button, Callable[[Table, m.PressButton], Felt | Refused]] = {
    "across": _numbers(None),
    "inside": _numbers((5, 6, 8, 9)),
    "outside": _numbers((4, 5, 9, 10)),
    "press": _press_point,
    "double": _double,
    "repeat": _repeat,
    "clear_last": _clear_last,
    "clear_all": _clear(off_too=False),
    "cancel_all": _clear(off_too=True),
}


# --- Undo ---


def undo(table: Table, request: m.Undo, facts: Facts) -> Decision:
    """Back to the felt before the last action, on/off markers as they are now, within today's limits (rulings 13,
    34)."""
    if stop := no_betting(table, request.seat, facts):
        return stop
    seat = table.seat(request.seat)
    if not seat.undo:
        return Refused(Refusal.NOTHING_TO_UNDO)
    earlier = seat.undo[-1].felt
    wagers = {spot: _marked_as(wager, seat.felt.wagers.get(spot)) for spot, wager in earlier.wagers.items()}
    after = replace(earlier, wagers=wagers)
    if over := felts.why_illegal(at(table, request.seat)._replace(felt=after)):
        return refused(*over)
    if stop := too_dear(table, request.seat, after):
        return stop
    return (m.Undone(seat=request.seat, felt=after, transfers=moves(request.seat, seat.felt, after)),)


def _marked_as(wager: Wager, now: Wager | None) -> Wager:
    return replace(wager, switch=now.switch, released=now.released) if now else wager


# --- Offers after a Place win ---


def press_by_win(table: Table, request: m.PressByWin, facts: Facts) -> Decision:
    """Add what a Place bet won to it (RTW 5, ruling 11)."""
    if stop := no_betting(table, request.seat, facts):
        return stop
    won = _offered(table.seat(request.seat), "press", request.spot)
    if won is None:
        return Refused(Refusal.NO_OFFER)
    after = felts.press(at(table, request.seat), request.spot, won)
    if isinstance(after, Reason):
        return refused(after, request.spot)
    if stop := too_dear(table, request.seat, after):
        return stop
    transfers = moves(request.seat, table.seat(request.seat).felt, after)
    return (m.BetPressedByWin(seat=request.seat, spot=request.spot, cents=won, felt=after, transfers=transfers),)


def move_bet(table: Table, request: m.MoveBet, facts: Facts, *, accepted: bool = False) -> Decision:
    """Put the stake of a Place bet that won on the come-out on another number (IB 2.6, rulings 11, 32)."""
    if stop := no_betting(table, request.seat, facts):
        return stop
    stake = _offered(table.seat(request.seat), "move", request.spot)
    seat = at(table, request.seat)
    to, bet = seat.layout.bets.get(request.to), seat.layout.bets.get(request.spot)
    movable = to and bet and to.family == table.game.move_after_win and to.number != bet.number
    if stake is None or not movable:
        return Refused(Refusal.NO_OFFER)
    if _lies_where_it_won(table.seat(request.seat), request.spot):
        down = felts.take(seat, request.spot, stake)
        if isinstance(down, Reason):
            return refused(down, request.spot)
        seat = seat._replace(felt=down)
    after = _placed(seat, [(request.to, stake)])
    if isinstance(after, Refused):
        return after
    if stop := too_dear(table, request.seat, after):
        return stop
    fee = asks_fee(table, request.seat, after)
    if fee and not accepted:
        return (m.PopUpOpened(seat=request.seat, asked=request, fee_cents=fee),)
    transfers = moves(request.seat, table.seat(request.seat).felt, after)
    return (m.BetMoved(seat=request.seat, spot=request.spot, to=request.to, felt=after, transfers=transfers),)


def _lies_where_it_won(seat: Seat, spot: str) -> bool:
    """Whether the winner's own stake is on its spot: it stands there, or was put back by itself and not touched
    since. What the player placed there since is another wager."""
    wager = seat.felt.wagers.get(spot)
    return wager is not None and (wager.lain or spot in seat.put_back)


def _offered(seat: Seat, kind: str, spot: str) -> int | None:
    for offer in seat.offers:
        what, where, cents = offer.split(":")
        if (what, where) == (kind, spot):
            return int(cents)
    return None


# --- When bets open: Keep Bets On, auto-repeat ---


def put_back(table: Table) -> Iterator[Event]:
    """What Keep Bets On and auto-repeat place when bets open; switching them on was the consent to fees. What a
    player took down in this round stays down."""
    for seat in table.seats:
        consents = (seat.auto_repeat or seat.keep_bets) and not seat.took_down
        if not consents or seat.lockups or not seat.linked:
            continue
        stakes, _ = repeatable(table, seat.number, seat.last_stakes if seat.auto_repeat else seat.won_stakes)
        if not stakes:
            continue
        after = _placed(at(table, seat.number), stakes, again=True)
        stop = after if isinstance(after, Refused) else too_dear(table, seat.number, after)
        if isinstance(after, Refused) or stop:
            if seat.auto_repeat:
                yield m.AutoRepeatSet(seat=seat.number, on=False, why=str(stop))
            continue
        yield m.BetsRepeated(
            seat=seat.number,
            felt=after,
            spots=tuple(spot for spot, _ in stakes),
            transfers=moves(seat.number, seat.felt, after),
        )
