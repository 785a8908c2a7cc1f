"""The round: bets open and close, somebody shoots, the dice count, and a roll found wrong is taken back."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from stickman.rules import felt as felts
from stickman.rules.dice import Roll
from stickman.rules.felt import Felt
from stickman.rules.game import PROGRESSIVES
from stickman.rules.layout import Switch
from stickman.rules.machine import How
from stickman.table import messages as m
from stickman.table.betting import Decision, at, layout_of, moves, no_betting, no_input, no_seat, put_back
from stickman.table.evolve import evolve, evolve_all
from stickman.table.ledger import Transfer, book, credit, move, netted
from stickman.table.ledger import felt as felt_account
from stickman.table.messages import Event, Facts, Needs, Refusal, Refused
from stickman.table.settle import settlement
from stickman.table.state import Seat, Table

# --- Opening and closing ---


def timed(table: Table) -> bool:
    """A single seat plays at its own pace, unless the game says otherwise (RULES 11)."""
    return len(table.seats) > 1 or table.game.timers.single_seat


def after_seconds(table: Table, facts: Facts, seconds: int) -> int:
    """A deadline so many seconds from now; none without timers."""
    return facts.now_ms + seconds * 1000 if timed(table) and facts.now_ms else 0


def open_bets(table: Table, facts: Facts, *, again: bool = False) -> tuple[Event, ...]:
    """A new bet time, with what Keep Bets On and auto-repeat put back."""
    closes = after_seconds(table, facts, table.game.timers.bets_s)
    opened = m.BetsOpened(round=table.round + (table.phase == "rolled"), closes_at_ms=closes, again=again)
    return (opened, *put_back(evolve(table, opened)))


def decide_open(table: Table, request: m.OpenBets, facts: Facts) -> Decision:
    del request
    if table.paused:
        return Refused(Refusal.TABLE_PAUSED)
    if table.phase != "rolled" and not (table.phase == "betting" and not table.deadline_ms):
        return Refused(Refusal.WRONG_PHASE, table.phase)
    return open_bets(table, facts)


def decide_close(table: Table, request: m.CloseBets, facts: Facts) -> Decision | Needs:
    del request
    if table.paused:
        return Refused(Refusal.TABLE_PAUSED)
    if table.phase != "betting":
        return Refused(Refusal.WRONG_PHASE, table.phase)
    return close_bets(table, facts)


def close_bets(table: Table, facts: Facts) -> tuple[Event, ...] | Needs:
    """No more bets: wagers count as handle, meters are fed, the shooter is judged (rulings 16, 19, 26)."""
    seats, transfers, remainders = [], list[Transfer](), dict(table.remainders)
    meters = {meter: reading.cents for meter, reading in facts.meters.items()}
    for seat in table.playing():
        closed = _close_seat(table, seat)
        seats.append(closed)
        for bet, cents in closed.handle.items():
            transfers += _contributions(table, bet, cents, remainders, meters)
    if not any(_is_live(table, each) for each in seats):
        return open_bets(table, facts, again=True)
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
    sits_out = working_cents(table, seat) < table.game.table_min_cents
    wagers, handle = {}, dict[str, int]()
    for spot, wager in seat.felt.wagers.items():
        plays = felts.how(layout, table.hand.puck, wager, sits_out=sits_out) is not How.OFF
        new = wager.stake_cents - wager.counted_cents if plays else 0
        wagers[spot] = replace(wager, counted_cents=wager.counted_cents + new)
        if new:
            bet = layout.bet_at[wager.state].id
            handle[bet] = handle.get(bet, 0) + new
    return m.SeatClosed(
        seat=seat.number,
        felt=replace(seat.felt, wagers=wagers),
        bet_cents=seat.felt.money_cents,
        handle=handle,
        sits_out=sits_out,
        stakes={s: w.stake_cents for s, w in seat.felt.wagers.items() if s in layout.bets and not w.released},
    )


def working_cents(table: Table, seat: Seat) -> int:
    """What counts for the table minimum: main-game stakes that work, and contracts (ruling 16)."""
    layout = layout_of(table)
    return sum(
        wager.stake_cents
        for wager in seat.felt.wagers.values()
        if not layout.bet_at[wager.state].side
        and (layout.states[wager.state].locked or felts.how(layout, table.hand.puck, wager) is not How.OFF)
    )


def _is_live(table: Table, closed: m.SeatClosed) -> bool:
    layout = layout_of(table)
    return any(
        felts.how(layout, table.hand.puck, wager, sits_out=closed.sits_out) is not How.OFF
        for wager in closed.felt.wagers.values()
    )


def _contributions(
    table: Table, bet: str, cents: int, remainders: dict[str, str], meters: dict[str, int]
) -> tuple[Transfer, ...]:
    """What a progressive wager feeds its meter and reserve, in whole cents: fractions are carried, and what a
    capped meter has no room for overflows to the reserve (RULES 9)."""
    if bet not in PROGRESSIVES:
        return ()
    side = table.game.progressive(bet)
    account = f"progressive:{side.meter}"
    fed = _whole(account, Fraction(cents * side.increment_bp, 10_000), remainders)
    kept = _whole(f"{account}:reserve", Fraction(cents * side.reserve_bp, 10_000), remainders)
    if side.cap_cents is not None:
        reading = meters.get(side.meter, table.game.reset_cents(bet))
        overflow = max(0, fed - max(0, side.cap_cents - reading))
        fed, kept = fed - overflow, kept + overflow
        meters[side.meter] = reading + fed
    return move("house", account, fed) + move("house", f"{account}:reserve", kept)


def _whole(account: str, exact: Fraction, remainders: dict[str, str]) -> int:
    """The whole cents of an amount and what was carried; the rest is carried on."""
    exact += Fraction(remainders.get(account, "0/1"))
    rest = exact % 1
    remainders[account] = f"{rest.numerator}/{rest.denominator}"
    return int(exact)


# --- The shooter ---


def _choose_shooter(table: Table, facts: Facts) -> m.ShooterChosen:
    """Who shoots: judged when bets close (RULES 10, ruling 19)."""
    automated = table.mode == "automated"
    by = after_seconds(table, facts, table.game.timers.shooter_s) if automated else 0
    return m.ShooterChosen(seat=_shooter(table), shoots_by_ms=by)


def _shooter(table: Table) -> int:
    if len(table.seats) == 1:
        return 1
    now = table.shooter
    if now and not table.passes_dice and _keeps_dice(table, table.seat(now)):
        return now
    eligible = [seat.number for seat in table.seats if may_shoot(table, seat)]
    later = [number for number in eligible if number > now]
    return (later or eligible or [0])[0]


def _keeps_dice(table: Table, seat: Seat) -> bool:
    """The shooter who may still shoot; a button switched off counts from the next come-out on."""
    has_line = bool({"pass", "dont_pass"} & set(seat.felt.wagers))
    return may_shoot(table, seat) or (has_line and table.hand.puck != 0)


def may_shoot(table: Table, seat: Seat) -> bool:
    """A seat with its Shooter button on and a line wager; where nobody has one, with a locked Come wager."""
    if not seat.shoots:
        return False
    lines = [s for s in table.seats if s.shoots and {"pass", "dont_pass"} & set(s.felt.wagers)]
    if lines:
        return seat in lines
    return any(spot.startswith("come.") and not spot.endswith(".odds") for spot in seat.felt.wagers)


def name_shooter(table: Table, request: m.NameShooter, facts: Facts) -> Decision:
    """The dealer names the shooter."""
    if stop := no_seat(table, request.seat):
        return stop
    if table.mode != "dealer_assisted":
        return Refused(Refusal.WRONG_MODE)
    if table.phase not in ("closed", "shooting"):
        return Refused(Refusal.WRONG_PHASE, table.phase)
    if not may_shoot(table, table.seat(request.seat)):
        return Refused(Refusal.NOT_ELIGIBLE)
    del facts
    return (m.ShooterChosen(seat=request.seat, shoots_by_ms=0),)


# --- Rolling ---


def press_roll(table: Table, request: m.PressRoll, facts: Facts) -> Decision | Needs:
    """Bets close early when every seat with a wager has pressed Roll (IB 5.1)."""
    if not table.game.roll_button:
        return Refused(Refusal.NO_SUCH_BUTTON, "roll")
    if stop := no_betting(table, request.seat, facts):
        return stop
    if not table.seat(request.seat).felt.wagers:
        return Refused(Refusal.NOTHING_TO_DO, "no wager lies")
    if table.seat(request.seat).ready:
        return Refused(Refusal.ALREADY_SO)
    pressed = m.RollPressed(seat=request.seat)
    after = evolve(table, pressed)
    if not all(seat.ready for seat in after.playing()):
        return (pressed,)
    closing = close_bets(after, facts)
    return closing if isinstance(closing, Needs) else (pressed, *closing)


def shoot(table: Table, request: m.Shoot, facts: Facts) -> Decision | Needs:
    """The shooter's swipe: it says when, never what. A single seat's swipe closes bets as well."""
    if stop := no_seat(table, request.seat):
        return stop
    if table.paused:
        return Refused(Refusal.TABLE_PAUSED)
    if table.mode != "automated":
        return Refused(Refusal.WRONG_MODE)
    if stop := no_input(table, request.seat, facts):
        return stop
    if table.phase == "betting" and len(table.seats) == 1:
        return _shot_alone(table, facts)
    if table.phase != "shooting":
        return Refused(Refusal.WRONG_PHASE, table.phase)
    if table.shooter != request.seat:
        return Refused(Refusal.NOT_SHOOTER, f"seat {table.shooter} shoots" if table.shooter else "nobody shoots")
    return _generated(table, facts)


def _shot_alone(table: Table, facts: Facts) -> Decision | Needs:
    """The swipe at a table of one seat: bets close and the dice roll (ruling 45)."""
    closing = close_bets(table, facts)
    if isinstance(closing, Needs):
        return closing
    after = evolve_all(table, closing)
    if after.phase != "shooting":
        return Refused(Refusal.NOTHING_TO_DO, "no wager is live")
    rolled = _generated(after, facts)
    return rolled if isinstance(rolled, Needs) else (*closing, *rolled)


def roll_dice(table: Table, request: m.RollDice, facts: Facts) -> Decision | Needs:
    del request
    if table.paused:
        return Refused(Refusal.TABLE_PAUSED)
    if table.mode != "automated":
        return Refused(Refusal.WRONG_MODE)
    return _generated(table, facts) if table.phase == "shooting" else Refused(Refusal.WRONG_PHASE, table.phase)


def _generated(table: Table, facts: Facts) -> tuple[Event, ...] | Needs:
    return Needs("dice") if facts.dice is None else count(table, facts.dice, facts)


def count(table: Table, dice: m.Dice, facts: Facts) -> tuple[m.DiceRolled, m.Settled]:
    """The dice count: they move the puck, and every wager is settled against the table before."""
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
    return (rolled, settlement(table, roll, facts, _opens_at(table, facts)))


def _opens_at(table: Table, facts: Facts) -> int:
    """When bets open again: by themselves at an automated table, a single seat's too (ruling 45)."""
    by_itself = timed(table) or table.mode == "automated"
    return facts.now_ms + table.game.timers.result_s * 1000 if by_itself and facts.now_ms else 0


def _bad_dice(dice: m.Dice) -> bool:
    return not all(1 <= die <= 6 for die in dice)


def enter_dice(table: Table, request: m.EnterDice, facts: Facts) -> Decision:
    """The dealer enters the dice, or corrects them, until they are confirmed."""
    del facts
    if table.paused:
        return Refused(Refusal.TABLE_PAUSED)
    if table.mode != "dealer_assisted":
        return Refused(Refusal.WRONG_MODE)
    if table.phase != "shooting":
        return Refused(Refusal.WRONG_PHASE, table.phase)
    return Refused(Refusal.BAD_DICE) if _bad_dice(request.dice) else (m.DiceEntered(dice=request.dice),)


def confirm_dice(table: Table, request: m.ConfirmDice, facts: Facts) -> Decision:
    del request
    if table.paused:
        return Refused(Refusal.TABLE_PAUSED)
    return Refused(Refusal.NO_DICE) if table.entered is None else count(table, table.entered, facts)


def call_no_roll(table: Table, request: m.CallNoRoll, facts: Facts) -> Decision:
    """Nothing settles, the Power Odds draw is kept, bets stay closed (ruling 8)."""
    del facts
    if table.phase != "shooting":
        return Refused(Refusal.WRONG_PHASE, table.phase)
    return (m.NoRollCalled(reason=request.reason),)


# --- Time ---


def tick(table: Table, request: m.Tick, facts: Facts) -> Decision | Needs:
    """What time brings: bets close, the dice roll by themselves, bets open again. Mostly nothing."""
    del request
    if table.paused or not table.deadline_ms or facts.now_ms < table.deadline_ms:
        return ()
    match table.phase:
        case "betting":
            return close_bets(table, facts)
        case "rolled":
            return open_bets(table, facts)
        case "shooting" if table.mode == "automated":
            return _generated(table, facts)
        case _:
            return ()


def pause(table: Table, request: m.PauseTable, facts: Facts) -> Decision:
    del request
    if table.paused:
        return Refused(Refusal.TABLE_PAUSED)
    left = max(1, table.deadline_ms - facts.now_ms) if table.deadline_ms else 0
    return (m.TablePaused(left_ms=left),)


def resume(table: Table, request: m.ResumeTable, facts: Facts) -> Decision:
    del request
    if not table.paused:
        return Refused(Refusal.ALREADY_SO)
    return (m.TableResumed(deadline_ms=facts.now_ms + table.left_ms if table.left_ms else 0),)


def restart(table: Table, request: m.Restart, facts: Facts) -> Decision:
    """What was left of the phase when the table stopped is given again; a paused table stays paused."""
    del request
    if not table.deadline_ms:
        return Refused(Refusal.NOTHING_TO_DO)
    left = max(1, table.deadline_ms - facts.stopped_ms)
    return (m.TableResumed(deadline_ms=facts.now_ms + left),)


# --- The puck, by hand ---

READS_PUCK = ("pass", "dont_pass", "come", "dont_come", "lucky_shooter", "hot_shooter")


def put_puck_off(table: Table, request: m.PutPuckOff, facts: Facts) -> Decision:
    """Only while no wager depends on it (IB 4.1.2, ruling 21); every off-able wager goes off with it."""
    if not table.game.puck_can_be_reset:
        return Refused(Refusal.NO_SUCH_BUTTON, "puck")
    if table.paused:
        return Refused(Refusal.TABLE_PAUSED)
    if table.phase != "betting":
        return Refused(Refusal.WRONG_PHASE, table.phase)
    if request.seat and (stop := no_betting(table, request.seat, facts)):
        return stop
    if len(table.seats) > 1 and (request.seat or not table.dealer):
        return Refused(Refusal.NEEDS_DEALER)
    layout = layout_of(table)
    bets = {layout.bet_at[wager.state].id for seat in table.seats for wager in seat.felt.wagers.values()}
    if not table.hand.puck or bets & set(READS_PUCK):
        return Refused(Refusal.PUCK_NEEDED)
    felts_off = tuple(
        (seat.number, replace(_all_off(table, seat.number), dont_pass_banned=False))
        for seat in table.seats
        if seat.felt != Felt()
    )
    transfers = [t for n, after in felts_off for t in moves(n, table.seat(n).felt, after)]
    return (m.PuckPutOff(felts=felts_off, hand=table.hand.with_puck_off(), transfers=tuple(transfers)),)


def _all_off(table: Table, number: int) -> Felt:
    seat = at(table, number)
    for spot in seat.felt.wagers:
        after = felts.switch(seat, spot, Switch.OFF)
        seat = seat._replace(felt=after) if isinstance(after, Felt) else seat
    return seat.felt


# --- A roll found wrong ---


def reverse(table: Table, request: m.ReverseRoll, facts: Facts) -> Decision:
    """Take the last roll back by compensating entries and count the right dice (rulings 25, 56)."""
    if table.before_roll is None or table.phase not in ("rolled", "betting"):
        return Refused(Refusal.NOTHING_TO_REVERSE)
    if table.before_roll.mode == "automated":
        return Refused(Refusal.NOTHING_TO_REVERSE, "the generator rolled it, and only entered dice can be wrong")
    if not facts.actor or not facts.approver or facts.actor == facts.approver:
        return Refused(Refusal.NEEDS_TWO)
    if _bad_dice(request.dice):
        return Refused(Refusal.BAD_DICE)
    wrong = next(result.dice for result in reversed(table.history) if result.dice)
    if wrong == request.dice:
        return Refused(Refusal.SAME_DICE)
    voided = m.RollVoided(wrong=wrong, by=facts.actor, approver=facts.approver, transfers=_compensating(table))
    again = evolve(table, voided)
    rolled, settled = count(again, request.dice, replace(facts, meters=_read_then(table, facts)))
    repaid = _repaid(evolve_all(again, (rolled, settled)))
    return (voided, rolled, replace(settled, transfers=netted((*settled.transfers, *repaid))))


def _read_then(table: Table, facts: Facts) -> dict[str, m.Reading]:
    """What the meters read before the roll that is taken back; one that was won elsewhere since, as it is now."""
    return {
        meter: m.Reading(table.readings[meter].cents, now.hits)
        if meter in table.readings and table.readings[meter].hits == now.hits
        else now
        for meter, now in facts.meters.items()
    }


def _repaid(table: Table) -> list[Transfer]:
    """What the right dice gave a seat goes first to what it was found to be short of."""
    return [
        transfer
        for seat in table.seats
        for transfer in move(credit(seat.number), "shortfall", min(seat.owes_cents, table.credit(seat.number)))
    ]


def _compensating(table: Table) -> tuple[Transfer, ...]:
    """Betting since the roll undone, then the roll's own transfers turned round; what a seat no longer has is
    booked to `shortfall`, and the seat stays at zero."""
    transfers: list[Transfer] = []
    for seat in table.seats:
        since = seat.felt.money_cents - seat.settled_cents
        transfers += move(felt_account(seat.number), credit(seat.number), since)
        transfers += move("commission", credit(seat.number), seat.felt.fees_cents - seat.settled_fees_cents)
    transfers += [Transfer(target, source, cents) for source, target, cents in table.settled]
    after = _balances(table, transfers)
    for seat in table.seats:
        transfers += move("shortfall", credit(seat.number), max(0, -after.get(credit(seat.number), 0)))
    return netted(transfers)


def _balances(table: Table, transfers: list[Transfer]) -> dict[str, int]:
    """The accounts after transfers, seats below zero allowed for once."""
    lent = [Transfer("shortfall", credit(seat.number), 10**15) for seat in table.seats]
    after = book(table.accounts, [*lent, *transfers])
    return {name: cents - 10**15 if name in {t.target for t in lent} else cents for name, cents in after.items()}
