"""The round: bets open and close, a seat shoots, the dice count, and a wrong roll is reversed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from stickman.rules import felt as felts
from stickman.rules.dice import Roll
from stickman.rules.felt import Felt, Reason
from stickman.rules.layout import Layout, Switch
from stickman.rules.machine import How
from stickman.rules.schema import Progressive
from stickman.rules.spoken import Detail
from stickman.table import messages as m
from stickman.table.asking import (
    Decision,
    layout_of,
    moves,
    no_betting,
    no_seat,
    situation_of,
    stakes_of,
    table_stops,
    table_waits,
    terminal_stops,
)
from stickman.table.betting import put_back
from stickman.table.evolve import evolve, evolve_all
from stickman.table.ledger import Transfer, book, credit, move, netted, progressive, reserve
from stickman.table.ledger import felt as felt_account
from stickman.table.messages import Event, Facts, Needs, Refusal, Refused
from stickman.table.settle import settlement, terms_of
from stickman.table.state import Seat, Table

# --- Opening and closing ---


def timed(table: Table) -> bool:
    """Whether timers run. A single seat plays at its own pace by default (RULES 11)."""
    return len(table.seats) > 1 or table.game.timers.single_seat


def after_seconds(table: Table, facts: Facts, seconds: int) -> int:
    """A deadline this many seconds from now; 0 without timers."""
    return facts.now_ms + seconds * 1000 if timed(table) and facts.now_ms else 0


def open_bets(table: Table, facts: Facts, *, again: bool = False) -> tuple[Event, ...]:
    """Open bets, with what Keep Bets On and auto-repeat put back. The bet time begins now if there is something to
    roll for, otherwise with the first such wager."""
    opened = m.BetsOpened(round=table.round + (table.phase == "rolled"), closes_at_ms=0, again=again)
    back = tuple(put_back(evolve(table, opened)))
    after = evolve_all(table, (opened, *back))
    return (replace(opened, closes_at_ms=_closes_at(after, facts)), *back)


def bet_time(table: Table, events: tuple[Event, ...], facts: Facts) -> tuple[m.BetTimeSet, ...]:
    """The bet time begins with the first wager to roll for, and ends with the last: nobody waits for nothing."""
    if table.phase != "betting" or not after_seconds(table, facts, 1):
        return ()
    if table.deadline_ms and all(isinstance(event, m.BetPlaced) for event in events):  # it takes nothing away
        return ()
    after = evolve_all(table, events)
    if after.phase != "betting" or after.paused or after.locked_up or after.deadline_ms != table.deadline_ms:
        return ()
    closes = _closes_at(after, facts)
    return (m.BetTimeSet(closes_at_ms=closes),) if bool(closes) is not bool(after.deadline_ms) else ()


def _closes_at(table: Table, facts: Facts) -> int:
    """When bets that are open close; 0 if nobody waits because closing them would lead to no roll."""
    closes = after_seconds(table, facts, table.game.timers.bets_s)
    if closes and table.game.timers.waits_for_bets:
        return closes if any(_is_live(table, _close_seat(table, seat)) for seat in table.playing()) else 0
    return closes


def decide_open(table: Table, _: m.OpenBets, facts: Facts) -> Decision:
    if stop := table_waits(table):
        return stop
    waits = table.phase == "betting" and not table.deadline_ms
    if waits or (table.phase == "rolled" and not table.flies(facts.now_ms)):
        return open_bets(table, facts)
    return Refused(Refusal.WRONG_PHASE, Detail.PHASE(phase=table.phase))


def decide_close(table: Table, _: m.CloseBets, facts: Facts) -> Decision | Needs:
    if stop := table_waits(table):
        return stop
    if table.phase != "betting":
        return Refused(Refusal.WRONG_PHASE, Detail.PHASE(phase=table.phase))
    return close_bets(table, facts)


def close_bets(table: Table, facts: Facts) -> tuple[Event, ...] | Needs:
    """No more bets. Seats under the minimum sit out, unqualified side wagers go back, the rest counts as handle and
    feeds meters, and the shooter is chosen (rulings 16, 19, 26, 30, 35)."""
    seats, transfers, remainders = [], list[Transfer](), dict(table.remainders)
    meters = {meter: reading.cents for meter, reading in facts.meters.items()}
    for seat in table.playing():
        closed = _close_seat(table, seat)
        seats.append(closed)
        transfers += moves(seat.number, seat.felt, closed.felt)
        for bet, cents in closed.handle.items():
            transfers += _contributions(table, bet, cents, facts, Fed(remainders, meters))
    if not any(_is_live(table, each) for each in seats):
        returned = tuple(_unqualified(table, each) for each in seats if each.returned)
        return (*returned, *open_bets(evolve_all(table, returned), facts, again=True))
    changed = {k: v for k, v in remainders.items() if table.remainders.get(k) != v}
    power, draw = (facts.power, facts.power_draw) if table.game.power_odds.on else ({}, "")
    if power is None:
        return Needs("power")
    closing = m.BetsClosed(
        seats=tuple(seats), power=power, draw=draw, remainders=changed, transfers=netted(transfers)
    )
    return (closing, _choose_shooter(evolve(table, closing), facts))


def _close_seat(table: Table, seat: Seat) -> m.SeatClosed:
    layout = layout_of(table)
    sits_out = would_sit_out(table, seat)
    wagers, handle = {}, dict[str, int]()
    returned = dict(_not_qualified(table, seat, sits_out=sits_out))
    for spot, wager in seat.felt.wagers.items():
        if spot in returned:
            continue
        plays = felts.how(layout, table.hand.puck, wager, sits_out=sits_out) is not How.OFF
        new = wager.stake_cents - wager.counted_cents if plays else 0
        wagers[spot] = replace(wager, counted_cents=wager.counted_cents + new)
        if new:
            bet = layout.bet_at[wager.state].id
            handle[bet] = handle.get(bet, 0) + new
    after = replace(seat.felt, wagers=wagers)
    return m.SeatClosed(
        seat=seat.number,
        felt=after,
        bet_cents=seat.felt.money_cents,
        handle=handle,
        sits_out=sits_out,
        stakes=stakes_of(layout, after),
        returned=returned,
    )


def would_sit_out(table: Table, seat: Seat) -> bool:
    """Whether a seat sits out the coming roll: its working main wagers are under the table minimum, and at least
    one would not play (rulings 16, 30)."""
    layout, puck = layout_of(table), table.hand.puck
    main = [wager for wager in seat.felt.wagers.values() if not layout.bet_at[wager.state].side]
    working = sum(wager.stake_cents for wager in main if felts.how(layout, puck, wager) is not How.OFF)
    if working >= table.game.table_min_cents:
        return False
    return any(felts.how(layout, puck, wager, sits_out=True) is How.OFF for wager in main)


def _not_qualified(table: Table, seat: Seat, *, sits_out: bool) -> Iterator[tuple[str, int]]:
    """Side wagers that do not qualify for their first roll: they go back before it (ruling 35)."""
    layout, puck = layout_of(table), table.hand.puck
    meets = {
        spot: wager
        for spot, wager in seat.felt.wagers.items()
        if felts.how(layout, puck, wager, sits_out=sits_out) is not How.OFF
    }
    here = felts.Situation(layout, table.hand, Felt(meets))
    for spot, wager in seat.felt.wagers.items():
        bet = layout.bet_at[wager.state]
        if bet.side and not wager.lain and felts.why_unqualified(here, bet):
            yield spot, wager.stake_cents


def _unqualified(table: Table, closed: m.SeatClosed) -> m.BetsReturned:
    """What goes back although there is no roll."""
    before = table.seat(closed.seat).felt
    return m.BetsReturned(
        seat=closed.seat,
        felt=closed.felt,
        unqualified=tuple(closed.returned),
        transfers=moves(closed.seat, before, closed.felt),
    )


def _is_live(table: Table, closed: m.SeatClosed) -> bool:
    layout = layout_of(table)
    return any(
        felts.how(layout, table.hand.puck, wager, sits_out=closed.sits_out) is not How.OFF
        for wager in closed.felt.wagers.values()
    )


class Fed(NamedTuple):
    """What feeding meters changes: by account the carried fraction of a cent, by meter its reading."""

    remainders: dict[str, Fraction]
    meters: dict[str, int]


def _contributions(table: Table, bet: str, cents: int, facts: Facts, fed: Fed) -> tuple[Transfer, ...]:
    """What a progressive wager adds to its meter and reserve, in whole cents. Fractions are carried, and what
    exceeds the meter's cap goes to the reserve (RULES 9)."""
    laid = layout_of(table).bets[bet]
    if not laid.side or not isinstance(table.game.sides[laid.family], Progressive):
        return ()
    (terms, base_cents), meter = terms_of(table, bet, facts), table.game.meter(laid.family)
    account, kept_in = progressive(meter), reserve(meter)
    more = _whole(account, Fraction(cents * terms.increment_bp, 10_000), fed.remainders)
    kept = _whole(kept_in, Fraction(cents * terms.reserve_bp, 10_000), fed.remainders)
    if terms.cap_cents is not None:
        reading = fed.meters.get(meter, terms.reset_cents(base_cents))
        overflow = max(0, more - max(0, terms.cap_cents - reading))
        more, kept = more - overflow, kept + overflow
        fed.meters[meter] = reading + more
    return move("house", account, more) + move("house", kept_in, kept)


def _whole(account: str, exact: Fraction, remainders: dict[str, Fraction]) -> int:
    """The whole cents of an amount and the carried fraction; the rest is carried."""
    exact += remainders.get(account, 0)
    remainders[account] = exact % 1
    return int(exact)


# --- The shooter ---


def _choose_shooter(table: Table, facts: Facts) -> m.ShooterChosen:
    """Chosen when bets close (RULES 10, ruling 19)."""
    automated = table.mode == "automated"
    seat = _shooter(table)
    by = after_seconds(table, facts, table.game.timers.shooter_s if seat else 0) if automated else 0
    return m.ShooterChosen(seat=seat, shoots_by_ms=by)


def shooter_shown(table: Table) -> int:
    """The shooter, or while bets are open the seat that would shoot if they closed now (ruling 46)."""
    return _shooter(table) if table.phase == "betting" else table.shooter


def _shooter(table: Table) -> int:
    if len(table.seats) == 1:
        return 1
    now, eligible = table.shooter, may_shoot(table)
    if table.named in eligible:
        return table.named
    if now and not table.passes_dice and (now in eligible or _keeps_dice(table, table.seat(now))):
        return now
    later = [number for number in eligible if number > now]
    return (later or eligible or [0])[0]


def _keeps_dice(table: Table, seat: Seat) -> bool:
    """A shooter who switches the button off with a point on keeps the dice until the next come-out."""
    return table.hand.puck != 0 and _plays_line(table, seat)


def may_shoot(table: Table) -> list[int]:
    """The seats with their Shooter button on and a line wager that plays; if there are none, those with a locked
    Come wager (RULES 10, ruling 30)."""
    lines = [seat.number for seat in table.seats if seat.stay.shoots and _plays_line(table, seat)]
    return lines or [
        seat.number for seat in table.seats if seat.stay.shoots and _has_moved_come(layout_of(table), seat)
    ]


def _plays_line(table: Table, seat: Seat) -> bool:
    layout = layout_of(table)
    lines = [wager for wager in seat.felt.wagers.values() if layout.bet_at[wager.state].is_line]
    if not lines:
        return False
    sits_out = would_sit_out(table, seat) if table.phase == "betting" else seat.last.sits_out
    return any(felts.how(layout, table.hand.puck, wager, sits_out=sits_out) is not How.OFF for wager in lines)


def _has_moved_come(layout: Layout, seat: Seat) -> bool:
    return any(
        layout.bet_at[wager.state].shoots_at_point and layout.states[wager.state].point
        for wager in seat.felt.wagers.values()
    )


def name_shooter(table: Table, request: m.NameShooter, _: Facts) -> Decision:
    """The dealer names the shooter of this roll or, while bets are open, of the coming one (ruling 51)."""
    if stop := no_seat(table, request.seat):
        return stop
    if table.mode != "dealer_assisted":
        return Refused(Refusal.WRONG_MODE)
    if table.phase not in ("betting", "closed", "shooting"):
        return Refused(Refusal.WRONG_PHASE, Detail.PHASE(phase=table.phase))
    if request.seat not in may_shoot(table):
        return Refused(Refusal.NOT_ELIGIBLE)
    if table.phase == "betting":
        return (m.ShooterNamed(seat=request.seat),)
    return (m.ShooterChosen(seat=request.seat, shoots_by_ms=0),)


# --- Rolling ---


def press_roll(table: Table, request: m.PressRoll, facts: Facts) -> Decision | Needs:
    """Bets close early when every seat with a wager has pressed Roll (IB 5.1)."""
    if not table.game.roll_button:
        return Refused(Refusal.NO_SUCH_BUTTON, Detail.BUTTON(button="roll"))
    if stop := no_betting(table, request.seat, facts):
        return stop
    if not table.seat(request.seat).felt.wagers:
        return Refused(Refusal.NOTHING_TO_DO, Detail.NO_LIVE_WAGER())
    if table.seat(request.seat).bet_time.ready:
        return Refused(Reason.ALREADY_SO)
    pressed = m.RollPressed(seat=request.seat)
    after = evolve(table, pressed)
    if not all(seat.bet_time.ready for seat in after.playing()):
        return (pressed,)
    closing = close_bets(after, facts)
    return closing if isinstance(closing, Needs) else (pressed, *closing)


def shoot(table: Table, request: m.Shoot, facts: Facts) -> Decision | Needs:
    """The shooter's swipe decides when the dice roll, never what they show. A single seat's swipe also closes bets.
    If bets are closed, the roll happens even with a door of the table open (ruling 43)."""
    if stop := no_seat(table, request.seat):
        return stop
    if table.paused:
        return Refused(Refusal.TABLE_PAUSED)
    if table.phase == "betting" and (stop := table_stops(table)):
        return stop
    if table.mode != "automated":
        return Refused(Refusal.WRONG_MODE)
    if stop := terminal_stops(table, request.seat, facts):
        return stop
    if table.phase == "betting" and len(table.seats) == 1:
        return _shot_alone(table, facts)
    if table.phase != "shooting":
        return Refused(Refusal.WRONG_PHASE, Detail.PHASE(phase=table.phase))
    if table.shooter != request.seat:
        return Refused(
            Refusal.NOT_SHOOTER,
            Detail.SEAT_SHOOTS(seat=table.shooter) if table.shooter else Detail.NOBODY_SHOOTS(),
        )
    return _generated(table, facts)


def _shot_alone(table: Table, facts: Facts) -> Decision | Needs:
    """The swipe at a table of one seat: bets close and the dice roll (ruling 45)."""
    closing = close_bets(table, facts)
    if isinstance(closing, Needs):
        return closing
    after = evolve_all(table, closing)
    if after.phase != "shooting":
        return Refused(Refusal.NOTHING_TO_DO, Detail.NO_LIVE_WAGER())
    rolled = _generated(after, facts)
    return rolled if isinstance(rolled, Needs) else (*closing, *rolled)


def roll_dice(table: Table, _: m.RollDice, facts: Facts) -> Decision | Needs:
    if table.paused:
        return Refused(Refusal.TABLE_PAUSED)
    if table.mode != "automated":
        return Refused(Refusal.WRONG_MODE)
    if table.phase != "shooting":
        return Refused(Refusal.WRONG_PHASE, Detail.PHASE(phase=table.phase))
    return _generated(table, facts)


def _generated(table: Table, facts: Facts) -> tuple[Event, ...] | Needs:
    """The generator's dice. Where screens show them fly they count when they land, otherwise now."""
    if facts.dice is None:
        return Needs("dice")
    flight_ms = table.game.timers.flight_ms
    if not facts.flies or not flight_ms:
        return count(table, facts.dice, facts)
    lands = facts.now_ms + flight_ms
    return (m.DiceThrown(dice=facts.dice, draw=facts.draw, lands_at_ms=lands, flight_ms=flight_ms),)


def _land(table: Table, facts: Facts, *, at_once: bool = False) -> tuple[Event, ...]:
    """The dice in the air count."""
    flight = table.flight
    assert flight
    lies = replace(table, flight=None) if at_once else table
    rolled, settled = count(lies, flight.dice, replace(facts, draw=flight.draw))
    return (replace(rolled, at_once=True) if at_once else rolled, settled)


def land_dice(table: Table, request: m.LandDice, facts: Facts) -> Decision:
    """Where others play too, nobody sees the result before them."""
    if stop := no_seat(table, request.seat):
        return stop
    if len(table.seats) > 1:
        return Refused(Refusal.NO_SUCH_BUTTON, Detail.BUTTON(button="land"))
    if table.phase != "thrown":
        return Refused(Refusal.WRONG_PHASE, Detail.PHASE(phase=table.phase))
    return _land(table, facts, at_once=True)


def count(table: Table, dice: m.Dice, facts: Facts) -> tuple[m.DiceRolled, m.Settled]:
    """The dice count: they move the puck, and every wager is settled against the table before the roll."""
    roll = Roll(*dice)
    after = table.hand.after(roll, layout_of(table))
    sets_point = table.hand.puck == 0 and after.puck != 0
    seven_out = table.hand.is_seven_out(roll)
    rolled = m.DiceRolled(
        dice=dice,
        draw=facts.draw,
        roll_count=table.hand.rolls + 1,
        hand=after,
        seven_out=seven_out,
        ends_cycle=table.hand.ends_cycle(roll),
        passes_dice=seven_out or (sets_point and "point_established" in table.game.rotate_on),
        meters=facts.meters,
    )
    return (rolled, settlement(table, roll, facts, opens_at(table, facts)))


def opens_at(table: Table, facts: Facts) -> int:
    """When bets open again; automatically at an automated table, also with a single seat (ruling 45)."""
    if not facts.now_ms or not (timed(table) or table.mode == "automated"):
        return 0
    lands = table.flight.lands_at_ms if table.flight else 0
    return max(facts.now_ms, lands) + table.game.timers.result_s * 1000


def _bad_dice(dice: m.Dice) -> bool:
    return not all(1 <= die <= 6 for die in dice)


def enter_dice(table: Table, request: m.EnterDice, _: Facts) -> Decision:
    """The dealer enters the dice, or corrects them before they are confirmed."""
    if table.paused:
        return Refused(Refusal.TABLE_PAUSED)
    if table.mode != "dealer_assisted":
        return Refused(Refusal.WRONG_MODE)
    if table.phase != "shooting":
        return Refused(Refusal.WRONG_PHASE, Detail.PHASE(phase=table.phase))
    return Refused(Refusal.BAD_DICE) if _bad_dice(request.dice) else (m.DiceEntered(dice=request.dice),)


def confirm_dice(table: Table, _: m.ConfirmDice, facts: Facts) -> Decision:
    if table.paused:
        return Refused(Refusal.TABLE_PAUSED)
    return Refused(Refusal.NO_DICE) if table.entered is None else count(table, table.entered, facts)


def call_no_roll(table: Table, request: m.CallNoRoll, _: Facts) -> Decision:
    """Nothing is settled, the Power Odds draw is kept, bets stay closed (ruling 8)."""
    if table.phase != "shooting":
        return Refused(Refusal.WRONG_PHASE, Detail.PHASE(phase=table.phase))
    return (m.NoRollCalled(reason=request.reason),)


# --- Time ---


def tick(table: Table, _: m.Tick, facts: Facts) -> Decision | Needs:
    """What happens at a deadline: bets close, the table rolls, dice land, or bets open again. Mostly nothing."""
    if table.paused or not table.deadline_ms or facts.now_ms < table.deadline_ms:
        return ()
    match table.phase:
        case "betting":
            return close_bets(table, facts)
        case "rolled":
            return open_bets(table, facts)
        case "thrown":
            return _land(table, facts)
        case "shooting" if table.mode == "automated":
            return _generated(table, facts)
        case _:
            return ()


def pause(table: Table, _: m.PauseTable, facts: Facts) -> Decision:
    """Dice in the air count first: nothing stops them. Screens still wait for them to land."""
    if table.paused:
        return Refused(Refusal.TABLE_PAUSED)
    landed = _land(table, facts) if table.phase == "thrown" else ()
    return (*landed, m.TablePaused(left_ms=left_ms(evolve_all(table, landed), facts)))


def left_ms(table: Table, facts: Facts) -> int:
    """What is left of the phase, whether its clock runs or is stopped; 0 without a clock."""
    return max(1, table.deadline_ms - facts.now_ms) if table.deadline_ms else table.left_ms


def resume(table: Table, _: m.ResumeTable, facts: Facts) -> Decision:
    if not table.paused:
        return Refused(Reason.ALREADY_SO)
    waits = table.locked_up and table.phase in STOPPED_BY_DOORS
    return (m.TableResumed(deadline_ms=facts.now_ms + table.left_ms if table.left_ms and not waits else 0),)


STOPPED_BY_DOORS = ("betting", "rolled")
"""The phases whose clock a door of the table stops; if bets are closed, the roll happens (ruling 43)."""


def restart(table: Table, _: m.Restart, facts: Facts) -> Decision:
    """The phase continues with the time that was left when the table stopped; a paused table stays paused."""
    if not table.deadline_ms:
        return Refused(Refusal.NOTHING_TO_DO)
    left = max(1, table.deadline_ms - facts.stopped_ms)
    return (m.TableResumed(deadline_ms=facts.now_ms + left),)


# --- The puck, by hand ---


def put_puck_off(table: Table, request: m.PutPuckOff, facts: Facts) -> Decision:
    """Only while no wager depends on it (IB 4.1.2, ruling 21). Every wager that can be off goes off with it."""
    if not table.game.puck_can_be_reset:
        return Refused(Refusal.NO_SUCH_BUTTON, Detail.BUTTON(button="puck"))
    if stop := table_waits(table):
        return stop
    if table.phase != "betting":
        return Refused(Refusal.WRONG_PHASE, Detail.PHASE(phase=table.phase))
    if request.seat and (stop := no_betting(table, request.seat, facts)):
        return stop
    if len(table.seats) > 1 and (request.seat or not table.dealer):
        return Refused(Refusal.NEEDS_DEALER)
    wagers = [wager for seat in table.seats for wager in seat.felt.wagers.values()]
    if not table.hand.puck or any(layout_of(table).bet_at[wager.state].needs_puck for wager in wagers):
        return Refused(Refusal.PUCK_NEEDED)
    felts_off = tuple(
        (seat.number, replace(_all_off(table, seat.number), dont_pass_banned=False))
        for seat in table.seats
        if seat.felt != Felt()
    )
    transfers = [t for n, after in felts_off for t in moves(n, table.seat(n).felt, after)]
    return (m.PuckPutOff(felts=felts_off, hand=table.hand.with_puck_off(), transfers=tuple(transfers)),)


def _all_off(table: Table, number: int) -> Felt:
    here = situation_of(table, number)
    for spot in here.felt.wagers:
        after = felts.switch(here, spot, Switch.OFF)
        here = here._replace(felt=after) if isinstance(after, Felt) else here
    return here.felt


# --- Reversing a roll ---


def reverse(table: Table, request: m.ReverseRoll, facts: Facts) -> Decision:
    """Take back the last roll with compensating entries and count the right dice (rulings 25, 56)."""
    if stop := table_stops(table):
        return stop
    if table.before_roll is None or table.phase not in ("rolled", "betting"):
        return Refused(Refusal.NOTHING_TO_REVERSE)
    if table.before_roll.mode == "automated":
        return Refused(Refusal.NOTHING_TO_REVERSE, Detail.GENERATED())
    if prints := tuple(seat.number for seat in table.seats if seat.terminal.printing):
        return Refused(Refusal.PRINTING, Detail.PRINTERS(seats=prints))  # the money is neither here nor gone
    if not facts.actor or not facts.approver or facts.actor == facts.approver:
        return Refused(Refusal.NEEDS_TWO)
    if _bad_dice(request.dice):
        return Refused(Refusal.BAD_DICE)
    wrong = next(result.dice for result in reversed(table.history) if result.dice)
    if wrong == request.dice:
        return Refused(Refusal.SAME_DICE)
    took, hand_pays, transfers = _compensating(table, table.before_roll)
    voided = m.RollVoided(
        wrong=wrong, by=facts.actor, approver=facts.approver, took=took, hand_pays=hand_pays, transfers=transfers
    )
    again = evolve(table, voided)
    rolled, settled = count(again, request.dice, replace(facts, meters=_read_then(table, facts)))
    settled, owed = _set_aside(again, settled)
    repaid = _repaid(evolve_all(again, (rolled, settled)))
    return (voided, rolled, replace(settled, transfers=netted((*settled.transfers, *repaid))), *owed)


def _read_then(table: Table, facts: Facts) -> dict[str, m.Reading]:
    """The meters before the reversed roll; a meter that was won at another table since is read now."""
    return {
        meter: m.Reading(table.readings[meter].cents, now.hits)
        if meter in table.readings and table.readings[meter].hits == now.hits
        else now
        for meter, now in facts.meters.items()
    }


def _repaid(table: Table) -> list[Transfer]:
    """What the right dice gave a seat first covers what it was short of."""
    return [
        transfer
        for seat in table.seats
        if seat.number not in table.took
        for transfer in move(
            credit(seat.number), "shortfall", min(seat.terminal.owes_cents, table.credit(seat.number))
        )
    ]


class Compensation(NamedTuple):
    """How a roll is reversed: what players who left took with them, the reduced hand pays, and the moves."""

    took: dict[int, int]
    hand_pays: dict[int, int]
    transfers: tuple[Transfer, ...]


def _compensating(table: Table, then: Table) -> Compensation:
    """Undo betting since the roll, then reverse the roll's transfers. What a seat no longer has is taken from its
    hand pay, if one is due, then booked to `shortfall`, and the seat stays at zero. For a stay that has ended,
    `shortfall` pays: a later player keeps their money (ruling 56)."""
    left = [seat.number for seat in table.seats if seat.number in table.took or _left_wagers(then, seat)]
    assert table.settled
    turned = [Transfer(t.target, t.source, t.cents) for t in table.settled.transfers]
    transfers = [move for turn in turned for move in _aside(turn, left)]
    paid = [turn for turn in turned if "shortfall" not in (turn.source, turn.target)]  # not what repaid a debt
    took = {number: table.took.get(number, -_gains(paid, credit(number))) for number in left}
    for seat, (lay, fees) in zip(table.seats, table.settled.felts, strict=True):
        own_cents, own_fees = (0, 0) if seat.number in left else (lay, fees)
        transfers += move(felt_account(seat.number), credit(seat.number), seat.felt.money_cents - own_cents)
        transfers += move("commission", credit(seat.number), seat.felt.fees_cents - own_fees)
        if seat.number in left:  # the player took down what was still on the felt after the roll, and left with it
            due = seat.terminal.left_due_cents - seat.terminal.due_before(then.seat(seat.number).terminal)
            transfers += move("shortfall", felt_account(seat.number), lay)
            transfers += move("shortfall", "commission", fees)
            transfers += move("handpay", "shortfall", due)
            took[seat.number] += lay + fees + seat.terminal.owes_cents
    hand_pays, after = dict[int, int](), book(table.accounts, transfers, overdraw=True)
    for seat in table.seats:
        short = max(0, -after.get(credit(seat.number), 0))
        unpaid = min(short, seat.terminal.hand_pay_cents)
        transfers += move("handpay", credit(seat.number), unpaid)
        transfers += move("shortfall", credit(seat.number), short - unpaid)
        if unpaid:
            hand_pays[seat.number] = seat.terminal.hand_pay_cents - unpaid
    return Compensation(took, hand_pays, netted(transfers))


def _left_wagers(then: Table, seat: Seat) -> bool:
    """Whether the player who had wagers here on that roll has left since."""
    met = then.seat(seat.number)
    return bool(met.felt.wagers) and seat.stay.was_left(met.stay)


def _aside(transfer: Transfer, left: Iterable[int]) -> tuple[Transfer, ...]:
    """A transfer with `shortfall` in place of the credit of players who have left."""
    purses = {credit(number) for number in left}
    source = "shortfall" if transfer.source in purses else transfer.source
    target = "shortfall" if transfer.target in purses else transfer.target
    return () if source == target else (Transfer(source, target, transfer.cents),)


def _gains(transfers: Iterable[Transfer], account: str) -> int:
    return sum(t.cents * ((t.target == account) - (t.source == account)) for t in transfers)


def _set_aside(table: Table, settled: m.Settled) -> tuple[m.Settled, list[m.OwedToLeft]]:
    """What the right dice give players who have left. Their wagers are gone; what these would be worth, less what
    the players took with them, is owed as a hand pay."""
    transfers = [move for transfer in settled.transfers for move in _aside(transfer, table.took)]
    seats, owed = [], []
    for each in settled.seats:
        if each.seat not in table.took:
            seats.append(each)
            continue
        transfers += move(felt_account(each.seat), "shortfall", each.felt.money_cents)
        transfers += move("commission", "shortfall", each.felt.fees_cents)
        worth = _gains(settled.transfers, credit(each.seat)) + each.felt.money_cents + each.felt.fees_cents
        due = max(0, worth - table.took[each.seat])
        if due:
            owed.append(m.OwedToLeft(seat=each.seat, cents=due, transfers=move("shortfall", "handpay", due)))
        seats.append(replace(each, felt=Felt(), offers=()))
    return replace(settled, seats=tuple(seats), transfers=netted(transfers)), owed
