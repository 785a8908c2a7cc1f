"""Betting at a seat: place, take, on and off, the buttons, undo. Each decides on events or a refusal, all or
nothing. The money to move is the difference of two felts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from stickman.rules import felt as felts
from stickman.rules.felt import Felt, Reason, Wager
from stickman.rules.layout import Layout, Switch
from stickman.rules.machine import How
from stickman.rules.spoken import Detail
from stickman.table import messages as m
from stickman.table.asking import (
    Decision,
    asks_fee,
    layout_of,
    moves,
    no_betting,
    no_input,
    no_seat,
    refused,
    situation_of,
    stakes_of,
    too_dear,
)
from stickman.table.evolve import evolve
from stickman.table.messages import Event, Facts, Refusal, Refused
from stickman.table.state import FAVOURITES_MAX, Seat, Table

Asked = m.PlaceBet | m.PressButton | m.MoveBet | m.CarryBet | m.PlaceFavourite
"""Requests that may cost a fee, which the player must accept first."""


def _fee(table: Table, asked: Asked, after: Felt, *, accepted: bool) -> int | Decision:
    """The fee of a change of felt; or a refusal if credit is short; or the pop-up that asks for the fee."""
    if stop := too_dear(table, asked.seat, after):
        return stop
    fee = asks_fee(table, asked.seat, after)
    return (m.PopUpOpened(seat=asked.seat, asked=asked, fee_cents=fee),) if fee and not accepted else fee


# --- Placing and taking ---


def place(table: Table, request: m.PlaceBet, facts: Facts, *, accepted: bool = False) -> Decision:
    """Put chips on a spot. A fee opens a pop-up first."""
    if stop := no_betting(table, request.seat, facts):
        return stop
    after = felts.place(situation_of(table, request.seat), request.spot, request.cents)
    if isinstance(after, Reason):
        return refused(after, request.spot)
    fee = _fee(table, request, after, accepted=accepted)
    if not isinstance(fee, int):
        return fee
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
    if stop := no_betting(table, request.seat, facts):
        return stop
    before = table.seat(request.seat).felt
    after = felts.take(situation_of(table, request.seat), request.spot, request.cents)
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
    """Accept the fee and do what the player asked for, or decline it and do nothing."""
    if stop := no_input(table, request.seat, facts):
        return stop
    pop_up = table.seat(request.seat).bet_time.pop_up
    if pop_up is None:
        return Refused(Refusal.NO_POP_UP)
    closed = m.PopUpClosed(seat=request.seat, accepted=request.accept)
    if not request.accept:
        return (closed,)
    done = _as_asked(evolve(table, closed), pop_up.asked, facts)
    return done if isinstance(done, Refused) else (closed, *done)


def _as_asked(table: Table, asked: Asked, facts: Facts) -> Decision:
    match asked:
        case m.PlaceBet():
            return place(table, asked, facts, accepted=True)
        case m.PressButton():
            return press(table, asked, facts, accepted=True)
        case m.MoveBet():
            return move_bet(table, asked, facts, accepted=True)
        case m.CarryBet():
            return carry_bet(table, asked, facts, accepted=True)
        case m.PlaceFavourite():
            return place_favourite(table, asked, facts, accepted=True)


# --- On and off ---


def switch_one(table: Table, request: m.SwitchBet, facts: Facts) -> Decision:
    if stop := no_betting(table, request.seat, facts):
        return stop
    after = felts.switch(situation_of(table, request.seat), request.spot, Switch.ON if request.on else Switch.OFF)
    if isinstance(after, Reason):
        return refused(after, request.spot)
    return _switched(table, request.seat, after, (request.spot,), on=request.on)


def switch_all(table: Table, request: m.SwitchAll, facts: Facts) -> Decision:
    """Switch every wager that can be switched. Wagers placed later are on."""
    if stop := no_betting(table, request.seat, facts):
        return stop
    to = Switch.ON if request.on else Switch.OFF
    here = situation_of(table, request.seat)
    spots: list[str] = []
    for spot in here.felt.wagers:
        after = felts.switch(here, spot, to)
        if isinstance(after, Felt):
            here = here._replace(felt=after)
            spots.append(spot)
        elif after is Reason.OVER_TOTAL:
            return refused(after, spot)
    if not spots:
        return Refused(Refusal.NOTHING_TO_DO)
    return _switched(table, request.seat, here.felt, tuple(spots), on=request.on)


def _switched(table: Table, number: int, after: Felt, spots: tuple[str, ...], *, on: bool) -> Decision:
    if stop := too_dear(table, number, after):
        return stop
    transfers = moves(number, table.seat(number).felt, after)
    return (m.BetsSwitched(seat=number, felt=after, on=on, spots=spots, transfers=transfers),)


# --- Buttons ---


def press(table: Table, request: m.PressButton, facts: Facts, *, accepted: bool = False) -> Decision:
    """Do all that a button does, or nothing. Clear last pressed twice clears all (IB 5.1, ruling 39)."""
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
    fee = _fee(table, request, done, accepted=accepted)
    if not isinstance(fee, int):
        return fee
    before = table.seat(request.seat).felt
    return (
        m.ButtonPressed(
            seat=request.seat,
            button=button,
            felt=done,
            spots=changed(before, done),
            left_out=_repeats(table, request.seat).left_out if button == "repeat" else (),
            transfers=moves(request.seat, before, done),
        ),
    )


def changed(before: Felt, after: Felt) -> tuple[str, ...]:
    """The spots where two felts differ."""
    spots = {**before.wagers, **after.wagers}
    return tuple(spot for spot in spots if before.wagers.get(spot) != after.wagers.get(spot))


def clears_all(table: Table, number: int) -> bool:
    """Whether Clear last would clear all: it was the seat's last action in this bet time."""
    return table.seat(number).bet_time.cleared_last


def _placed(here: felts.Situation, stakes: Iterable[tuple[str, int]], *, again: bool = False) -> Felt | Refused:
    """The felt with all of these placed, or why one cannot be. Earlier stakes are placed `again` regardless of the
    step: a press by the win may have made them uneven (rulings 11, 12)."""
    for spot, cents in stakes:
        after = felts.place(here, spot, cents, any_step=again)
        if isinstance(after, Reason):
            return refused(after, spot)
        here = here._replace(felt=after)
    return here.felt


def _numbers(numbers: tuple[int, ...] | None) -> Callable[[Table, m.PressButton], Felt | Refused]:
    """Across, inside, outside: the chip on the Place bets of these numbers except the point (IB 3, RTW 5)."""

    def button(table: Table, request: m.PressButton) -> Felt | Refused:
        if stop := _not_enabled(table, request):
            return stop
        layout = layout_of(table)
        bets = [layout.pressable[n] for n in numbers or table.game.point_numbers if n != table.hand.puck]
        stakes = [(bet, request.cents) for bet in bets if bet in layout.bets]
        return _placed(situation_of(table, request.seat), stakes)

    return button


def _press_point(table: Table, request: m.PressButton) -> Felt | Refused:
    """Double the Place bet of the point (ruling 12)."""
    if stop := _not_enabled(table, request):
        return stop
    spot = layout_of(table).pressable[table.hand.puck]
    wager = table.seat(request.seat).felt.wagers.get(spot)
    if wager is None:
        return Refused(Reason.NO_WAGER, spot)
    return _placed(situation_of(table, request.seat), [(spot, wager.stake_cents)], again=True)


CHOSEN_BY_GAME: tuple[m.Button, ...] = ("across", "inside", "outside", "press")


def _no_such_button(table: Table, request: m.PressButton) -> Refused | None:
    missing = request.button in CHOSEN_BY_GAME and request.button not in table.game.buttons
    return Refused(Refusal.NO_SUCH_BUTTON, Detail.BUTTON(button=request.button)) if missing else None


def _not_enabled(table: Table, request: m.PressButton) -> Refused | None:
    bet_at, wagers = layout_of(table).bet_at, table.seat(request.seat).felt.wagers
    has_one = any(bet_at[wager.state].enables for wager in wagers.values())
    return None if table.hand.puck and has_one else Refused(Refusal.NEEDS_ENABLING)


def _double(table: Table, request: m.PressButton) -> Felt | Refused:
    """Double every working wager that may be increased, flat bets before their odds. If one would exceed its limit,
    none is doubled (rulings 12, 40)."""
    here = situation_of(table, request.seat)
    stakes = [
        (spot, here.felt.wagers[spot].stake_cents)
        for spot in _flat_first(here.layout, here.felt.wagers)
        if _grows(here, spot)
    ]
    return _placed(here, stakes, again=True) if stakes else Refused(Refusal.NOTHING_TO_DO)


OVER = (Reason.OVER_MAX, Reason.OVER_ODDS, Reason.OVER_TOTAL)


def _grows(here: felts.Situation, spot: str) -> bool:
    """Whether a wager works and could be increased if there were room; one-size wagers never grow."""
    wager = here.felt.wagers[spot]
    if felts.how(here.layout, here.hand.puck, wager) is How.OFF:
        return False
    limits = here.layout.bet_at[wager.state].limits
    place = felts.offer(here, spot).place
    return limits.min_cents < limits.max_cents and (not isinstance(place, Reason) or place in OVER)


def _flat_first(layout: Layout, spots: Iterable[str]) -> list[str]:
    """Sorted so that odds come after the bets they back."""
    return sorted(spots, key=lambda spot: _is_odds(layout, spot))


def _is_odds(layout: Layout, spot: str) -> bool:
    return spot in layout.bet_on and layout.bet_on[spot].flat != ""


class Repeats(NamedTuple):
    """What may be placed again, and what the game or its limits do not allow (ruling 53)."""

    stakes: list[tuple[str, int]]
    left_out: tuple[str, ...]


NOT_ALLOWED = (Reason.NO_SUCH_BET, Reason.UNDER_MIN, Reason.OVER_MAX, Reason.OVER_ODDS)


def repeatable(table: Table, number: int, stakes: dict[str, int]) -> Repeats:
    """The stakes that are not on the felt and may be placed now, flat bets first (ruling 12)."""
    here = situation_of(table, number)
    found, left_out = [], []
    for spot in _flat_first(here.layout, stakes):
        if spot in here.felt.wagers:
            continue
        after = felts.place(here, spot, stakes[spot], any_step=True)
        placeable = not isinstance(felts.offer(here, spot).place, Reason)
        if after in NOT_ALLOWED:
            left_out.append(spot)
        elif placeable:
            found.append((spot, stakes[spot]))
            here = here._replace(felt=after) if isinstance(after, Felt) else here
    return Repeats(found, tuple(left_out))


def _repeats(table: Table, number: int) -> Repeats:
    return repeatable(table, number, table.seat(number).player.last_stakes)


def _repeat(table: Table, request: m.PressButton) -> Felt | Refused:
    stakes, left_out = _repeats(table, request.seat)
    if not stakes:
        return Refused(Refusal.NOTHING_TO_DO, Detail.BETS(bets=tuple(left_out)) if left_out else "")
    return _placed(situation_of(table, request.seat), stakes, again=True)


def _clear_last(table: Table, request: m.PressButton) -> Felt | Refused:
    """Take down what the last placing action of this bet time added, if it is still on the felt; otherwise the
    whole stack that was added to last. Off wagers are skipped (ruling 39)."""
    here = situation_of(table, request.seat)
    latest = [((spot, None),) for spot in reversed(here.felt.wagers)]
    for action in (*reversed(table.seat(request.seat).bet_time.last_placed), *latest):
        after = _without(here, action)
        if after != here.felt:
            return after
    return Refused(Refusal.NOTHING_TO_DO)


def _without(here: felts.Situation, stakes: Iterable[tuple[str, int | None]]) -> Felt:
    """The felt without these stakes (None: whole ones), odds before what they back, if they are on and may be
    taken."""
    for spot, cents in sorted(stakes, key=lambda stake: not _is_odds(here.layout, stake[0])):
        wager = here.felt.wagers.get(spot)
        if wager and felts.how(here.layout, here.hand.puck, wager) is not How.OFF:
            after = felts.take(here, spot, cents)
            here = here._replace(felt=after) if isinstance(after, Felt) else here
    return here.felt


def _clear(*, off_too: bool) -> Callable[[Table, m.PressButton], Felt | Refused]:
    """Take down every unlocked wager; Clear skips off wagers, Cancel does not (RULES 6, 7)."""

    def button(table: Table, request: m.PressButton) -> Felt | Refused:
        here = situation_of(table, request.seat)
        for spot in sorted(here.felt.wagers, key=lambda spot: not _is_odds(layout_of(table), spot)):
            wager = here.felt.wagers[spot]
            if off_too or felts.how(here.layout, here.hand.puck, wager) is not How.OFF:
                after = felts.take(here, spot)
                here = here._replace(felt=after) if isinstance(after, Felt) else here
        unchanged = here.felt == table.seat(request.seat).felt
        return Refused(Refusal.NOTHING_TO_DO) if unchanged else here.felt

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


# --- Favourites ---


def save_favourite(table: Table, request: m.SaveFavourite, facts: Facts) -> Decision:
    """Remember the stakes on the felt for the stay, as Repeat would (rulings 29, 62)."""
    if stop := no_input(table, request.seat, facts) or _no_slot(request.slot):
        return stop
    stakes = stakes_of(layout_of(table), table.seat(request.seat).felt)
    if not stakes:
        return Refused(Refusal.NOTHING_TO_DO)
    return (m.FavouriteSaved(seat=request.seat, slot=request.slot, stakes=stakes),)


def remove_favourite(table: Table, request: m.RemoveFavourite, facts: Facts) -> Decision:
    if stop := no_input(table, request.seat, facts) or _no_favourite(table, request.seat, request.slot):
        return stop
    return (m.FavouriteRemoved(seat=request.seat, slot=request.slot),)


def place_favourite(table: Table, request: m.PlaceFavourite, facts: Facts, *, accepted: bool = False) -> Decision:
    """Bring the felt up to a favourite, in one action. What is not allowed now is left out and named; credit must
    cover the rest (ruling 62)."""
    if stop := no_betting(table, request.seat, facts) or _no_favourite(table, request.seat, request.slot):
        return stop
    seat = table.seat(request.seat)
    after, why = _up_to(situation_of(table, request.seat), seat.stay.favourites[request.slot])
    if after == seat.felt:
        return refused(*next((reason, spot) for spot, reason in why.items())) if why else Refused(Reason.ALREADY_SO)
    fee = _fee(table, request, after, accepted=accepted)
    if not isinstance(fee, int):
        return fee
    return (
        m.FavouritePlaced(
            seat=request.seat,
            slot=request.slot,
            felt=after,
            spots=changed(seat.felt, after),
            refused={spot: str(reason.value) for spot, reason in why.items()},
            transfers=moves(request.seat, seat.felt, after),
        ),
    )


def _up_to(here: felts.Situation, stakes: dict[str, int]) -> tuple[Felt, dict[str, Reason]]:
    """The felt with what it lacks of these stakes, flat bets first, and why some of it may not be placed."""
    why: dict[str, Reason] = {}
    for spot in _flat_first(here.layout, stakes):
        there = here.felt.wagers.get(spot)
        lacks = stakes[spot] - (there.stake_cents if there else 0)
        after = felts.place(here, spot, lacks, any_step=True) if lacks > 0 else here.felt
        if isinstance(after, Reason):
            why[spot] = after
        else:
            here = here._replace(felt=after)
    return here.felt, why


def _no_slot(slot: int) -> Refused | None:
    return None if 1 <= slot <= FAVOURITES_MAX else Refused(Refusal.NO_SUCH_SLOT)


def _no_favourite(table: Table, number: int, slot: int) -> Refused | None:
    if stop := _no_slot(slot):
        return stop
    return None if slot in table.seat(number).stay.favourites else Refused(Refusal.NO_FAVOURITE)


# --- Undo ---


def undo(table: Table, request: m.Undo, facts: Facts) -> Decision:
    """Back to the felt before the last action, with the on/off markers and limits of now (rulings 13, 34)."""
    if stop := no_betting(table, request.seat, facts):
        return stop
    seat = table.seat(request.seat)
    if not seat.bet_time.undo:
        return Refused(Refusal.NOTHING_TO_UNDO)
    earlier = seat.bet_time.undo[-1].felt
    wagers = {spot: _marked_as(wager, seat.felt.wagers.get(spot)) for spot, wager in earlier.wagers.items()}
    after = replace(earlier, wagers=wagers)
    if over := felts.why_illegal(situation_of(table, request.seat)._replace(felt=after)):
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
    after = felts.press(situation_of(table, request.seat), request.spot, won)
    if isinstance(after, Reason):
        return refused(after, request.spot)
    if stop := too_dear(table, request.seat, after):
        return stop
    transfers = moves(request.seat, table.seat(request.seat).felt, after)
    return (m.BetPressedByWin(seat=request.seat, spot=request.spot, cents=won, felt=after, transfers=transfers),)


def move_bet(table: Table, request: m.MoveBet, facts: Facts, *, accepted: bool = False) -> Decision:
    """Move the stake of a Place bet that won on the come-out to another number (IB 2.6, rulings 11, 32)."""
    if stop := no_betting(table, request.seat, facts):
        return stop
    stake = _offered(table.seat(request.seat), "move", request.spot)
    here = situation_of(table, request.seat)
    to, bet = here.layout.bets.get(request.to), here.layout.bets.get(request.spot)
    movable = to and bet and to.family == table.game.move_after_win and to.number != bet.number
    if stake is None or not movable:
        return Refused(Refusal.NO_OFFER)
    if _is_where_it_won(table.seat(request.seat), request.spot):
        down = felts.take(here, request.spot, stake)
        if isinstance(down, Reason):
            return refused(down, request.spot)
        here = here._replace(felt=down)
    return _moved(table, request, _placed(here, [(request.to, stake)]), accepted=accepted)


def carry_bet(table: Table, request: m.CarryBet, facts: Facts, *, accepted: bool = False) -> Decision:
    """Take a whole wager down and place its stake elsewhere, if both are allowed in this order (ruling 60)."""
    if stop := no_betting(table, request.seat, facts):
        return stop
    here = situation_of(table, request.seat)
    down = felts.take(here, request.spot)
    if isinstance(down, Reason):
        return refused(down, request.spot)
    if request.spot == request.to:
        return refused(Reason.ALREADY_SO, request.spot)
    stake = here.felt.wagers[request.spot].stake_cents
    return _moved(table, request, _placed(here._replace(felt=down), [(request.to, stake)]), accepted=accepted)


def _moved(table: Table, request: m.MoveBet | m.CarryBet, after: Felt | Refused, *, accepted: bool) -> Decision:
    if isinstance(after, Refused):
        return after
    fee = _fee(table, request, after, accepted=accepted)
    if not isinstance(fee, int):
        return fee
    transfers = moves(request.seat, table.seat(request.seat).felt, after)
    return (m.BetMoved(seat=request.seat, spot=request.spot, to=request.to, felt=after, transfers=transfers),)


def _is_where_it_won(seat: Seat, spot: str) -> bool:
    """Whether the stake that won is on its spot: it stayed, or was put back automatically and not touched since. If
    the player bet there again, that is another wager."""
    wager = seat.felt.wagers.get(spot)
    return wager is not None and (wager.lain or spot in seat.bet_time.put_back)


def _offered(seat: Seat, kind: str, spot: str) -> int | None:
    found = (each.cents for each in seat.bet_time.offers if (each.kind, each.spot) == (kind, spot))
    return next(found, None)


# --- When bets open: Keep Bets On, auto-repeat ---


def put_back(table: Table) -> Iterator[Event]:
    """What Keep Bets On and auto-repeat place when bets open. Switching them on was consent to fees. If the player
    took something down in this round, nothing is put back."""
    for seat in table.seats:
        consents = (seat.player.auto_repeat or seat.player.keep_bets) and not seat.bet_time.took_down
        if not consents or seat.terminal.lockups or not seat.terminal.linked:
            continue
        again = seat.player.last_stakes if seat.player.auto_repeat else seat.player.won_stakes
        stakes, _ = repeatable(table, seat.number, again)
        if not stakes:
            continue
        after = _placed(situation_of(table, seat.number), stakes, again=True)
        stop = after if isinstance(after, Refused) else too_dear(table, seat.number, after)
        if isinstance(after, Refused) or stop:
            if seat.player.auto_repeat:
                yield m.SwitchSet(seat=seat.number, switch="auto_repeat", on=False, why=str(stop))
            continue
        yield m.BetsRepeated(
            seat=seat.number,
            felt=after,
            spots=tuple(spot for spot, _ in stakes),
            transfers=moves(seat.number, seat.felt, after),
        )
