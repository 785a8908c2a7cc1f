"""The command that plays a script, and its transcript: a sentence for each event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, TextIO

import click
from rich.console import Console
from rich.text import Text

from stickman.cli.shell import say
from stickman.rules.dice import Roll
from stickman.rules.felt import Felt, Hand, Line, Reason
from stickman.rules.machine import Decided
from stickman.rules.money import dollars
from stickman.rules.schema import meter_name
from stickman.table import messages as m
from stickman.table import script
from stickman.table.asking import layout_of
from stickman.table.evolve import evolve
from stickman.table.script import Played, Step
from stickman.table.state import Table

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NICKNAMES = {2: "aces", 3: "ace-deuce", 11: "yo-leven", 12: "boxcars"}
INDENT = "    "
GOOD, BAD, MOVED, QUIET = "green", "red", "cyan", "dim"
LEFT = ": the player who left"
SAYS = {reason.value: reason.says for reason in Reason}

Sentence = tuple[str, str]
"""A text and its style."""
NO_MORE_BETS: Sentence = ("No more bets.", "")
BETS_OPEN: Sentence = ("Bets are open.", "")
LEFT_OUT = (NO_MORE_BETS, BETS_OPEN)
"""Not printed if the same line rolls."""


@click.command(epilog="\b\nLines of a script:\n" + "\n".join(f"  {form.form}" for form in script.FORMS))
@click.argument("script_file", metavar="SCRIPT", type=click.File("r", encoding="utf-8"))
@click.option("--json", "as_json", is_flag=True, help="The end state as JSON.")
def play(script_file: TextIO, as_json: bool) -> None:
    """Play SCRIPT, a text file (- for standard input), and print what happened."""
    try:
        played = script.play(script_file.read())
    except (script.ScriptError, UnicodeDecodeError) as problem:
        raise click.ClickException(f"{script_file.name}: {problem}") from None
    screen = Console(highlight=False, markup=False, soft_wrap=True)
    say(script.end_state(played), lambda: show(screen, played), as_json=as_json)


def show(screen: Console, played: Played) -> None:
    """Print each line with its results, then the end state."""
    screen.print(Text(played.start.game.title, "bold"))
    before = played.start
    for step in played.steps:
        _line(screen, step)
        for sentence, style in sentences(step, before):
            screen.print(Text(INDENT + sentence, style))
        before = step.table
    _summary(screen, played)


def _line(screen: Console, step: Step) -> None:
    if not step.text:
        screen.print()
    elif step.text.startswith("#"):
        screen.print(Text(step.text.lstrip("# "), "italic yellow"))
    else:
        screen.print(Text(f"> {step.text}", "bold"))


def sentences(step: Step, before: Table) -> Iterator[Sentence]:
    """The results of a line as sentences, and the money of every seat that it changed."""
    if step.refusal:
        yield f"Refused: {step.refusal}", f"bold {BAD}"
    table, last = before, None
    rolls = any(isinstance(event, m.DiceRolled) for event in step.events)
    for event in step.events:
        after = evolve(table, event)
        for sentence in _sentences(event, table, after):
            if sentence != last and not (rolls and sentence in LEFT_OUT):
                yield sentence
            last = sentence
        table = after
    moved = [n for n in range(1, len(table.seats) + 1) if money_of(table, n) != money_of(before, n)]
    if moved:
        yield " · ".join(f"seat {n}: {money_of(table, n)}" for n in moved), QUIET


def money_of(table: Table, number: int) -> str:
    felt = table.seat(number).felt
    on_felt = f", {dollars(felt.money_cents)} on the felt" if felt.money_cents else ""
    return f"{dollars(table.credit(number))} credit{on_felt}"


# --- A sentence for each event ---


def _sentences(event: m.Event, before: Table, after: Table) -> Iterator[Sentence]:
    found = WRITERS[type(event)](event, before, after)
    yield from ([(found, "")] if isinstance(found, str) and found else found or ())


Writer = Callable[[Any, Table, Table], str | Iterable[Sentence]]


def _spot(table: Table, spot: str) -> str:
    """The name of a spot for players."""
    bet = layout_of(table).bet_on[spot]
    return bet.title if spot == bet.id else f"{bet.title} {spot.rpartition('.')[2]}"


def _spots(table: Table, spots: Iterable[str]) -> str:
    return ", ".join(_spot(table, spot) for spot in spots)


def _placed(event: m.BetPlaced, _: Table, after: Table) -> str:
    fee = f", and pays {dollars(event.fee_cents)} commission" if event.fee_cents else ""
    rests = " It starts off." if event.felt.wagers[event.spot].switch.value == "off" else ""
    return f"Seat {event.seat} bets {dollars(event.cents)} on {_spot(after, event.spot)}{fee}.{rests}"


def _pressed(event: m.ButtonPressed, before: Table, _: Table) -> str:
    without = f" Left out: {', '.join(event.left_out)}." if event.left_out else ""
    return f"Seat {event.seat} presses {event.button.replace('_', ' ')}: {_changes(event, before)}.{without}"


def _favourite(event: m.FavouritePlaced, before: Table, _: Table) -> str:
    left_out = [f"{spot} ({SAYS[why][:-1].lower()})" for spot, why in event.refused.items()]
    without = f" Left out: {', '.join(left_out)}." if left_out else ""
    return f"Seat {event.seat} places favourite {event.slot}: {_changes(event, before)}.{without}"


def _switched(event: m.BetsSwitched, before: Table, _: Table) -> str:
    verb = "is" if len(event.spots) == 1 else "are"
    return f"Seat {event.seat}: {_spots(before, event.spots)} {verb} {_on(event.on)}."


def _changes(event: m.FeltEvent, before: Table) -> str:
    """What a button changed, spot by spot."""
    old, new = before.seat(event.seat).felt.wagers, event.felt.wagers
    parts = []
    for spot in {**old, **new}:
        was = old[spot].stake_cents if spot in old else 0
        stake = new[spot].stake_cents if spot in new else 0
        if was != stake:
            parts.append(f"{_spot(before, spot)} {dollars(stake) if stake else 'down'}")
    return ", ".join(parts)


def _switch(event: m.SwitchSet, *_: Table) -> str:
    why = f": {event.why[:1].lower()}{event.why[1:]}" if event.why else "."
    texts: dict[m.SeatSwitch, str] = {
        "keep_bets": f": Keep Bets On is {_on(event.on)}.",
        "auto_repeat": f": auto-repeat is {_on(event.on)}{why}",
        "shooter_play": f" {'wants' if event.on else 'passes'} the dice.",
    }
    return f"Seat {event.seat}{texts[event.switch]}"


def _door_closed(event: m.DoorClosed, *_: Table) -> str:
    order = "; the security door must close first, so it stays locked up" if event.out_of_order else ""
    return f"Seat {event.seat}: door closed ({event.door.replace('_', ' ')}){order}."


def _on(on: bool) -> str:
    return "on" if on else "off"


def _closed(event: m.BetsClosed, _: Table, after: Table) -> Iterator[Sentence]:
    yield NO_MORE_BETS
    if event.power:
        shown = ", ".join(f"{group} {level}" for group, level in sorted(event.power.items()))
        yield f"Power Odds: {shown}.", MOVED
    for seat in event.seats:
        if seat.sits_out:
            least = dollars(after.game.table_min_cents)
            yield f"Seat {seat.seat} sits this roll out: it has less than {least} in working bets.", MOVED
        if seat.returned:
            yield f"Seat {seat.seat} gets back bets that do not qualify: {_spots(after, seat.returned)}.", MOVED


def _shooter(event: m.ShooterChosen, before: Table, _: Table) -> str:
    if event.seat == before.shooter and before.phase == "closed":
        return ""
    return f"Seat {event.seat} has the dice." if event.seat else "Nobody shoots; the table rolls automatically."


def _opened(event: m.BetsOpened, *_: Table) -> Iterator[Sentence]:
    yield ("No bet is working, so there is no roll; the bet time starts again.", "") if event.again else BETS_OPEN


def _called(roll: Roll, before: Hand, after: Hand) -> str:
    """The stickman's call."""
    total = roll.total
    name = NICKNAMES.get(total, NUMBERS[total])
    if total in (4, 6, 8, 10):
        name = f"{'hard' if roll.is_pair else 'easy'} {name}"
    if before.puck:
        if before.is_seven_out(roll):
            return "seven out, line away"
        return f"{name}, the point is made, pay the line" if total == before.puck else name
    if after.puck:
        return f"{name}, point is {NUMBERS[total]}"
    return f"{name}, front line winner" if total in (7, 11) else f"{name}, craps, line away"


def _rolled(event: m.DiceRolled, before: Table, after: Table) -> Iterator[Sentence]:
    roll = Roll(*event.dice)
    count = f"roll {event.roll_count} of the hand"
    yield f"{roll}, {_called(roll, before.hand, after.hand)} ({count})", "bold magenta"


def _settled(event: m.Settled, before: Table, after: Table) -> Iterator[Sentence]:
    for seat in event.seats:
        felt = before.seat(seat.seat).felt
        yield from (_decided(seat.seat, line, after) for line in seat.lines if not line.meter)
        for meter, cents in seat.awards.items():
            yield f"Seat {seat.seat} wins the {meter_name(meter)} jackpot of {dollars(cents)}!", f"bold {GOOD}"
        yield from _travelled(seat, felt, after)
    if event.envy_cents:
        yield f"The dealers' envy bonus is {dollars(event.envy_cents)}.", GOOD


def _decided(seat: int, line: Line, table: Table) -> Sentence:
    on = _spot(table, line.spot)
    if line.decided is Decided.LOSE:
        return f"Seat {seat} loses {dollars(line.taken_cents)} on {on}.", BAD
    if line.decided is Decided.PUSH:
        back = f"gets {dollars(line.returned_cents)} back from" if line.returned_cents else "pushes on"
        return f"Seat {seat} {back} {on}{'' if line.returned_cents else '; the stake stays'}.", MOVED
    payment = line.payment
    kept = f", less {dollars(payment.commission_cents)} commission" if payment.commission_cents else ""
    stake = "the stake comes back" if line.returned_cents else "the stake stays" if line.to else ""
    return (
        f"Seat {seat} wins {dollars(payment.paid_cents)} on {on}{_ratio(line)}{kept}{stake and '; '}{stake}.",
        GOOD,
    )


def _ratio(line: Line) -> str:
    """The printed pay: the payment with its commission and rounding added back."""
    payment = line.payment
    whole = payment.paid_cents + payment.commission_cents + payment.breakage_cents + payment.under_a_cent
    ratio = Fraction(whole) / line.stake_cents
    word = "to" if line.returned_cents or line.to else "for"
    fair = whole and ratio.denominator <= 12
    return f" ({dollars(line.stake_cents)} at {ratio.numerator} {word} {ratio.denominator})" if fair else ""


def _travelled(seat: m.SeatSettled, felt: Felt, table: Table) -> Iterator[Sentence]:
    """Wagers that moved to a number, and the progress of side wagers."""
    layout, decided = layout_of(table), {line.spot for line in seat.lines}
    for spot, wager in felt.wagers.items():
        bet = layout.bet_at[wager.state]
        total = table.history[-1].dice
        there = seat.felt.wagers.get(f"{spot}.{sum(total or ())}")
        travelled = there and layout.bet_at[there.state] is bet
        if travelled and spot not in seat.felt.wagers and spot not in decided:
            yield f"Seat {seat.seat}: {bet.title} goes to the {NUMBERS[sum(total or ())]}.", MOVED
        now = seat.felt.wagers.get(spot)
        if bet.side and now and now.state != wager.state:
            count = script.progress(table, now)
            rolls = f" {'roll' if count == '1' else 'rolls'}" if layout.states[now.state].count else ""
            yield f"Seat {seat.seat}: {bet.title} has {count}{rolls}.", QUIET


DISTRUST = {
    "gap": "reports are missing",
    "changed": "a report has changed",
    "odd": "its reports contradict each other",
}
WRITERS: dict[type[m.Event], Writer] = {
    m.CashInserted: lambda e, *_: f"Seat {e.seat} inserts {dollars(e.cents)}.",
    m.CreditGiven: lambda e, *_: f"Seat {e.seat} gets {dollars(e.cents)} credit for cash from {e.by}.",
    m.TicketRedeemed: lambda e, *_: f"Seat {e.seat} inserts ticket {e.number}, worth {dollars(e.cents)}.",
    m.TicketPrinted: lambda e, *_: f"Seat {e.seat} gets ticket {e.number} for {dollars(e.cents)}.",
    m.TicketReserved: lambda e, *_: f"Seat {e.seat}: a ticket for {dollars(e.cents)} is being printed.",
    m.PrintBegan: lambda e, *_: f"Seat {e.seat}: the printer has begun.",
    m.PrintFailed: lambda e, *_: f"Seat {e.seat}: the ticket is not printed; {dollars(e.cents)} is credit again.",
    m.TicketCancelled: lambda e, *_: (
        f"Seat {e.seat}: ticket {e.number} is cancelled; {dollars(e.cents)} is due by hand."
    ),
    m.PaperAsked: lambda e, *_: f"Seat {e.seat}: the printer must print a {e.kind}.",
    m.PaperDone: lambda e, *_: f"Seat {e.seat}: the printer {'failed' if e.why else 'is done'}.",
    m.PrintedLate: lambda e, *_: f"Seat {e.seat}: a slip that was cancelled is on paper; it is worth nothing.",
    m.BillHeld: lambda e, *_: f"Seat {e.seat}: a bill of {dollars(e.cents)} may be stacked.",
    m.TicketHeld: lambda e, *_: f"Seat {e.seat}: a ticket for {dollars(e.cents)} may be stacked.",
    m.TicketReleased: lambda e, *_: f"Seat {e.seat}: ticket {e.number} can be redeemed again.",
    m.PaperRefused: lambda e, *_: f"Seat {e.seat}: the bill or ticket must go back ({e.why.replace('_', ' ')}).",
    m.PaperReturned: lambda e, *_: f"Seat {e.seat}: the bill or ticket went back.",
    m.PaperUnaccounted: lambda e, *_: f"Seat {e.seat}: a bill or ticket is unaccounted for; it locks up.",
    m.Dropped: lambda e, *_: (
        f"Seat {e.seat}: the stacker is out; {dollars(e.counted.cents)} counted, {dollars(e.booked.cents)} booked."
    ),
    m.StackerBack: lambda e, *_: f"Seat {e.seat}: the stacker is back.",
    m.Tipped: lambda e, *_: f"Seat {e.seat} tips the dealer {dollars(e.cents)} (tip ticket {e.number}).",
    m.HandPayCalled: lambda e, *_: f"Seat {e.seat} waits for a hand pay of {dollars(e.cents)}; it locks up.",
    m.HandPaid: lambda e, *_: f"Seat {e.seat}{LEFT if e.left else ''} is paid {dollars(e.cents)} by hand.",
    m.StayEnded: lambda e, *_: f"Seat {e.seat} is free.",
    m.SeatHandedOver: lambda e, *_: f"Another player takes seat {e.seat} over with {dollars(e.cents)}.",
    m.OwedToLeft: lambda e, *_: f"Seat {e.seat}{LEFT} is owed {dollars(e.cents)}, for a hand pay.",
    m.BetPlaced: _placed,
    m.BetTaken: lambda e, b, _: f"Seat {e.seat} takes {dollars(e.cents)} off {_spot(b, e.spot)}.",
    m.BetsSwitched: _switched,
    m.ButtonPressed: _pressed,
    m.BetPressedByWin: lambda e, b, _: f"Seat {e.seat} presses {_spot(b, e.spot)} by {dollars(e.cents)}.",
    m.FavouriteSaved: lambda e, _, after: f"Seat {e.seat} saves favourite {e.slot}: {_spots(after, e.stakes)}.",
    m.FavouritePlaced: _favourite,
    m.FavouriteRemoved: lambda e, *_: f"Seat {e.seat} removes favourite {e.slot}.",
    m.BetMoved: lambda e, b, _: f"Seat {e.seat} moves {_spot(b, e.spot)} to {_spot(b, e.to)}.",
    m.BetsRepeated: lambda e, b, _: f"Seat {e.seat} puts back: {_changes(e, b)}.",
    m.BetsReturned: lambda e, b, _: f"Seat {e.seat} gets its bets back: {_changes(e, b)}.",
    m.Undone: lambda e, b, _: f"Seat {e.seat} undoes: {_changes(e, b)}.",
    m.PopUpOpened: lambda e, *_: f"Seat {e.seat} is asked: pay {dollars(e.fee_cents)} commission?",
    m.PopUpClosed: lambda e, *_: f"Seat {e.seat} {'accepts' if e.accepted else 'declines'}.",
    m.SwitchSet: _switch,
    m.DenominationChosen: lambda e, *_: f"Seat {e.seat} plays credits of {dollars(e.cents)}.",
    m.RollPressed: lambda e, *_: f"Seat {e.seat} is ready for the dice.",
    m.SeatReserved: lambda e, *_: f"Seat {e.seat} is reserved.",
    m.SeatReturned: lambda e, *_: f"Seat {e.seat} is back.",
    m.PinMissed: lambda e, *_: f"Seat {e.seat}: a wrong PIN.",
    m.SeatNamed: lambda e, *_: f"Seat {e.seat} is {e.name}." if e.name else f"Seat {e.seat} has no name.",
    m.ServiceAnswered: lambda e, *_: f"Seat {e.seat}: the service call is answered.",
    m.ServiceCalled: lambda e, *_: f"Seat {e.seat} calls for service.",
    m.LinkLost: lambda e, *_: f"Seat {e.seat} loses its link; its wagers stay in play.",
    m.LinkRestored: lambda e, *_: f"Seat {e.seat} is connected again.",
    m.DoorOpened: lambda e, *_: f"Seat {e.seat}: door open ({e.door.replace('_', ' ')}); it locks up.",
    m.DoorClosed: _door_closed,
    m.TableDoorOpened: lambda e, *_: f"A door of the table is open ({e.door.replace('_', ' ')}); it locks up.",
    m.TableDoorClosed: lambda e, *_: f"A door of the table is closed ({e.door.replace('_', ' ')}).",
    m.TableKeyTurned: lambda e, *_: f"The dealer's key switch is {'on' if e.on else 'off'}.",
    m.PartRepaired: lambda e, *_: f"Seat {e.seat}: the {e.part} works again.",
    m.SignalHeard: lambda e, *_: f"{e.device} reports ({e.seq}).",
    m.DeviceDistrusted: lambda e, *_: f"{e.device} is not trusted: {DISTRUST[e.why]}.",
    m.TotalsHeard: lambda e, *_: f"{e.device} has counted {dollars(e.counted.cents)} in bills.",
    m.DeviceSettled: lambda e, *_: f"{e.device} is settled; {dollars(e.difference_cents)} was not booked.",
    m.DeviceRemoved: lambda e, *_: f"{e.device} is removed.",
    m.ProgramHeard: lambda e, *_: f"{e.device} runs version {e.version}.",
    m.TableLockedUp: lambda *_: "The doors of the table are not trusted; it locks up.",
    m.TableCleared: lambda *_: "The table is cleared.",
    m.SeatLockedUp: lambda e, *_: f"Seat {e.seat} locks up: {e.why}.",
    m.KeyTurned: lambda e, *_: f"Seat {e.seat}: key switch {_on(e.on)}.",
    m.LockupCleared: lambda e, *_: f"Seat {e.seat} is cleared.",
    m.TableOpened: lambda e, *_: f"The table opens: {e.game.name}.",
    m.DealerSignedIn: lambda e, *_: f"{e.dealer} deals.",
    m.DealerSignedOut: lambda e, *_: f"{e.dealer} leaves the table.",
    m.ModeSelected: lambda e, *_: f"The table is {e.mode.replace('_', '-')} now.",
    m.SettingChanged: lambda e, *_: (
        f"{e.key} is now {e.after}, was {e.before} (by {e.by}; game {e.fingerprint[:8]})."
    ),
    m.BetsOpened: _opened,
    m.BetsClosed: _closed,
    m.ShooterChosen: _shooter,
    m.ShooterNamed: lambda e, *_: f"The dealer names seat {e.seat} to shoot.",
    m.DiceEntered: lambda e, *_: f"The dealer enters {Roll(*e.dice)}.",
    m.BetTimeSet: lambda said, *_: (
        "The bet time begins." if said.closes_at_ms else "Nothing is bet: no bet time runs."
    ),
    m.DiceThrown: lambda *_: "The dice are in the air.",
    m.NoRollCalled: lambda e, *_: f"No roll: {e.reason.replace('_', ' ')}. Bets stay closed.",
    m.DiceRolled: _rolled,
    m.Settled: _settled,
    m.RollVoided: lambda e, *_: f"{e.by} and {e.approver} reverse {Roll(*e.wrong)}. The right dice:",
    m.PuckPutOff: lambda _, b, __: f"The puck is turned off; it was on {b.hand.puck}.",
    m.TablePaused: lambda *_: "The table is paused.",
    m.TableResumed: lambda *_: "The table resumes.",
}


# --- The end state ---


def _summary(screen: Console, played: Played) -> None:
    state, table = script.end_state(played), played.table
    screen.print()
    screen.print(Text("At the end", "bold"))
    for number, seat in state["seats"].items():
        paid = f"paid {dollars(seat['paid_total'])} in all"
        screen.print(f"{INDENT}seat {number:<3}{money_of(table, int(number))}; {paid}")
        for wager in seat["wagers"]:
            screen.print(Text(INDENT * 3 + wager_text(wager, table)))
    puck = f"on {state['puck']}" if state["puck"] else "off"
    refusals = f"{len(state['refusals'])} refused" if state["refusals"] else "nothing refused"
    rolls = f"{state['roll_count']} {'roll' if state['roll_count'] == 1 else 'rolls'} in this hand"
    screen.print(f"{INDENT}the puck is {puck}, {rolls}, {refusals}")
    for account, cents in state["ledger"].items():
        screen.print(f"{INDENT}{account:<32}{dollars(cents):>16}")
    off_by = sum(state["ledger"].values())
    if off_by:
        screen.print(Text(f"{INDENT}The accounts are off by {dollars(off_by)}!", f"bold {BAD}"))
    else:
        screen.print(Text(f"{INDENT}All accounts add up to zero.", GOOD))


def wager_text(wager: dict[str, Any], table: Table) -> str:
    progress = wager["progress"] if wager["progress"] not in ("come-out", wager["bet"].rpartition(".")[2]) else ""
    point = "point " if progress.isdigit() and not layout_of(table).bet_on[wager["bet"]].side else ""
    notes = [point + progress, "" if wager["working"] else "off", "locked" if wager["locked"] else ""]
    text = ", ".join(note for note in notes if note)
    return f"{_spot(table, wager['bet'])} {dollars(wager['stake'])}" + (f" ({text})" if text else "")
