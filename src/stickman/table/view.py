"""What each screen may see, as the value that is sent to it. A seat sees only its own money."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache, partial
from typing import Literal, NamedTuple, get_args

import msgspec
from msgspec import Struct

from stickman.rules import felt as felts
from stickman.rules.datafile import to_text
from stickman.rules.dice import TOTALS, Roll, ways
from stickman.rules.felt import Line, Reason, Wager
from stickman.rules.layout import Layout
from stickman.rules.machine import How
from stickman.rules.schema import meter_name
from stickman.rules.spots import FeltSpot, spots
from stickman.table.asking import layout_of, situation_of
from stickman.table.decide import decide
from stickman.table.ledger import felt as felt_account
from stickman.table.ledger import is_seats, key_of, no_roll_meter
from stickman.table.messages import (
    AnswerPopUp,
    Dice,
    Facts,
    FeltEvent,
    Mode,
    Needs,
    NoRoll,
    PaperKind,
    Part,
    Refused,
)
from stickman.table.offers import SeatOffers, dealer_offers, offers, offers_for_seat
from stickman.table.preview import Fate, Way, alike, power_that_counts, preview, sits_next_out
from stickman.table.round import STOPPED_BY_DOORS, may_shoot, shooter_shown
from stickman.table.settle import envy_of
from stickman.table.state import PINS_MAX, Escrow, Phase, Printing, Result, Seat, Table

# --- What every screen sees ---

Mark = Literal["", "point_set", "point_made", "seven_out", "put_off"]
Message = Literal["place_your_bets", "hurry_up", "no_more_bets", "result", "paused", "locked_up", "bets_not_valid"]


class Past(Struct, frozen=True, omit_defaults=True):
    """A roll of the history, or the puck turned off by hand (no dice)."""

    dice: Dice | None
    total: int
    puck_before: int
    puck_after: int
    mark: Mark
    instead_of: Dice | None = None
    """The wrong dice that these replaced; screens must show it to players."""


class TotalCount(NamedTuple):
    total: int
    rolled: int
    expected: str
    """Its share of the 36 rolls, as `p/q`."""


class Statistics(Struct, frozen=True):
    """Statistics of the rolls that the table remembers."""

    rolls: int
    totals: tuple[TotalCount, ...]
    hot: tuple[int, ...]
    """Totals above their expected share, the furthest first; none before 36 rolls."""
    cold: tuple[int, ...]
    longest_hands: tuple[int, ...]
    """In rolls, including the seven-out; the current hand counts too."""


class BetLimits(NamedTuple):
    min_cents: int
    max_cents: int
    step_cents: int


class TableLimits(Struct, frozen=True):
    table_min_cents: int
    total_max_cents: int
    bet_min_cents: int
    bet_max_cents: int
    take_odds: str
    """The name of the odds policy, such as `3-4-5x`."""
    lay_odds: str
    bets: dict[str, BetLimits]


class JackpotWon(Struct, frozen=True):
    """A meter that the last roll paid."""

    meter: str
    seat: int
    player: str
    """The player's name; empty if they gave none."""
    cents: int


class FlightView(Struct, frozen=True):
    """Dice that are thrown."""

    dice: Dice
    lands_at_ms: int
    ms: int
    """From the throw."""


class Shared(Struct, frozen=True):
    """The part of a view that is the same on every screen."""

    game: str
    title: str
    fingerprint: str
    phase: Phase
    round: int
    deadline_ms: int
    message: Message
    puck: int
    roll_count: int
    shooter: int
    shooter_name: str
    """Empty if that player has given none."""
    paused: bool
    locked_up: bool
    """A door of the table was opened, or its doors are not trusted, and staff have not cleared it: no betting, no
    payouts."""
    doors: tuple[str, ...]
    """The open doors of the table itself."""
    mode: Mode
    dealer: bool
    """A dealer is signed in and deals."""
    emulator: str
    """At a demonstration, the address of the page with the emulated devices; empty on a real floor."""
    power: dict[str, Literal["low", "high"]]
    meters: dict[str, int]
    """The progressive meters, in cents."""
    jackpots: tuple[JackpotWon, ...]
    """What the last roll paid from meters, while its result is shown."""
    envy_cents: int
    """What the dealers get for what the last roll paid, while its result is shown."""
    no_rolls: dict[str, int]
    """By reason: how often "no roll" was called here."""
    flight: FlightView | None
    """The dice in the air, or until bets open those that have landed. A screen shows nothing of a result before
    `lands_at_ms`."""
    dice_colour: str
    announcements: bool
    """Calls and messages are spoken."""
    sound: bool
    """Music and sound effects are played."""
    history: tuple[Past, ...]
    hard_since: dict[str, int]
    """By hard way: the rolls since its pair was rolled (IB "# of rolls since last"), or all remembered rolls."""
    statistics: Statistics
    limits: TableLimits
    felt: tuple[FeltSpot, ...]
    """Every spot that can hold a wager; within a zone in drawing order."""


def shared_view(table: Table, facts: Facts) -> Shared:
    """What every screen sees, computed once for all of them."""
    game, layout = table.game, layout_of(table)
    rolls = [Roll(*result.dice) for result in table.history if result.dice]
    shooter = shooter_shown(table)
    return Shared(
        game=game.name,
        title=game.title,
        fingerprint=table.fingerprint,
        phase=table.phase,
        round=table.round,
        deadline_ms=0 if table.phase == "thrown" else table.deadline_ms,
        message=_message(table, facts),
        puck=table.hand.puck,
        roll_count=table.hand.rolls,
        shooter=shooter,
        shooter_name=table.seat(shooter).player.name if shooter else "",
        paused=table.paused,
        locked_up=table.locked_up,
        doors=tuple(sorted(table.doors)),
        mode=table.mode,
        dealer=table.has_dealer,
        emulator=facts.emulator,
        power=table.power,
        meters={meter_name(meter): reading.cents for meter, reading in facts.meters.items()},
        jackpots=_jackpots(table) if table.phase == "rolled" else (),
        envy_cents=_envy_cents(table) if table.phase == "rolled" else 0,
        no_rolls=no_rolls(table),
        flight=_flight(table),
        dice_colour=game.dice_colour,
        announcements=game.announcements,
        sound=game.sound,
        history=tuple(map(_past, table.history[-game.history_length :])),
        hard_since={bet: _since(rolls, pair) for bet, pair in layout.pairs.items()},
        statistics=_statistics(table, rolls),
        limits=_limits(layout),
        felt=spots(layout),
    )


def _jackpots(table: Table) -> tuple[JackpotWon, ...]:
    return tuple(
        JackpotWon(meter_name(meter), seat.number, seat.player.name, cents)
        for seat in table.seats
        for meter, cents in seat.last.awards.items()
    )


def _envy_cents(table: Table) -> int:
    return envy_of(table, (line for seat in table.seats for line in seat.last.lines))


def _flight(table: Table) -> FlightView | None:
    return FlightView(table.flight.dice, table.flight.lands_at_ms, table.flight.ms) if table.flight else None


TABLE_WAITS: tuple[Message, ...] = ("paused", "locked_up")
HURRY_MS = 5_000
"""The bet timer turns red this long before bets close; views must be computed again then."""


def _message(table: Table, facts: Facts) -> Message:
    if table.paused:
        return "paused"
    if table.locked_up and table.phase in STOPPED_BY_DOORS:
        return "locked_up"
    if table.phase == "betting":
        hurry = table.deadline_ms and table.deadline_ms - facts.now_ms <= HURRY_MS
        return "hurry_up" if hurry else "place_your_bets"
    return "result" if table.phase == "rolled" else "no_more_bets"


def no_rolls(table: Table) -> dict[str, int]:
    counts = {reason: table.play_meters.get(no_roll_meter(reason), 0) for reason in get_args(NoRoll)}
    return {reason: count for reason, count in counts.items() if count}


def _past(result: Result) -> Past:
    total = sum(result.dice or ())
    mark = _mark(result, total)
    return Past(result.dice, total, result.puck_before, result.puck_after, mark, result.instead_of)


def _mark(result: Result, total: int) -> Mark:
    if result.dice is None:
        return "put_off"
    if result.puck_before:
        return "seven_out" if total == 7 else "point_made" if total == result.puck_before else ""
    return "point_set" if result.puck_after else ""


def _since(rolls: list[Roll], wanted: Roll) -> int:
    return next((ago for ago, roll in enumerate(reversed(rolls)) if roll == wanted), len(rolls))


SHOWN = 3
"""The number of hot totals, cold totals and long hands to show."""
HOT_FROM = 36
"""With fewer rolls no total is hot or cold: each roll of the dice could not have come up once."""


def _statistics(table: Table, rolls: list[Roll]) -> Statistics:
    counts = Counter(roll.total for roll in rolls)
    above = {total: counts[total] * 36 - len(rolls) * len(ways(total)) for total in TOTALS}
    told = TOTALS if len(rolls) >= HOT_FROM else ()
    drift = sorted(told, key=lambda total: Fraction(above[total], len(ways(total))), reverse=True)
    return Statistics(
        len(rolls),
        tuple(TotalCount(total, counts[total], to_text(Fraction(len(ways(total)), 36))) for total in TOTALS),
        tuple([total for total in drift if above[total] > 0][:SHOWN]),
        tuple([total for total in reversed(drift) if above[total] < 0][:SHOWN]),
        tuple(sorted(_hands(table), reverse=True)[:SHOWN]),
    )


def _hands(table: Table) -> list[int]:
    """The lengths of the hands that the table remembers, the current one last."""
    ended, rolled = [], 0
    for result in table.history:
        rolled += result.dice is not None
        if _mark(result, sum(result.dice or ())) == "seven_out":
            ended.append(rolled)
            rolled = 0
    return [*ended, table.hand.rolls] if table.hand.rolls else ended


@lru_cache(maxsize=64)
def _limits(layout: Layout) -> TableLimits:
    game = layout.game
    bets = {bet.id: BetLimits(*msgspec.structs.astuple(bet.limits_shown)) for bet in layout.bets.values()}
    return TableLimits(
        game.table_min_cents,
        game.total_max_cents,
        game.limits.min_cents,
        game.limits.max_cents,
        game.odds.take,
        game.odds.lay,
        bets,
    )


# --- A seat ---


class WagerView(Struct, frozen=True, omit_defaults=True):
    """A stack of chips."""

    bet: str
    stake_cents: int
    working: bool
    locked: bool = False
    released: bool = False
    """A mark: its money was returned to credit."""
    fee_cents: int = 0
    """The fee that would be returned with it."""
    point: int = 0
    hits: tuple[int, ...] = ()
    """The totals that it has seen of those it waits for; in order, if the order matters."""
    count: int = 0
    """Hot Shooter: rolls so far."""
    odds_max_cents: int = 0
    """For a flat wager with its point: the most odds that may back it."""
    win_cents: int = 0
    """What it wins in addition to its stake on the nearest roll that can win it, as if it were on: the largest of
    several pays, without a meter's award (ruling 42)."""


DecidedAs = Literal["win", "lose", "push"]
DECIDED_AS: tuple[DecidedAs, ...] = ("win", "lose", "push")
"""In the order of `Decided`, which begins with nothing."""


class FeeBet(Struct, frozen=True):
    """A bet that costs a fee."""

    spot: str
    stake_cents: int
    """The whole stake, if the fee is accepted."""
    win_cents: int
    """What that stake wins, if its number is rolled."""


class FeeQuestion(Struct, frozen=True):
    """The open question whether to pay a fee, and what it is for."""

    fee_cents: int
    bets: tuple[FeeBet, ...]


class WinLine(Struct, frozen=True, omit_defaults=True):
    """What the last roll did to a wager."""

    spot: str
    bet: str
    stake_cents: int
    decided: DecidedAs
    paid_cents: int = 0
    commission_cents: int = 0
    returned_cents: int = 0
    taken_cents: int = 0
    to: str = ""
    """Where the stake is now."""
    meter: str = ""
    """The progressive meter that it won."""
    net_cents: int = 0
    """What it won, with a meter's award, or lost: what the player has more or less for it."""


class RollSum(Struct, frozen=True, omit_defaults=True):
    """What the last roll came to at a seat."""

    staked_cents: int = 0
    """The stakes that it decided; a push decides none."""
    net_cents: int = 0
    """What was won, less what was lost."""
    best: str = ""
    """The bet that won the most; empty if none won."""


class ShownTicket(Struct, frozen=True):
    """A printed ticket without its number, because anyone who reads the number could redeem it."""

    kind: Literal["cash_out", "tip"]
    last_four: str
    cents: int
    at_ms: int
    expires_at_ms: int


class StayView(Struct, frozen=True):
    """A player's time at the seat (ruling 29)."""

    number: int
    """Counts the stays at this seat; 0 before the first."""
    ended: bool
    since_ms: int
    in_cents: int
    out_cents: int
    tips_cents: int


class PaperIn(Struct, frozen=True):
    """A bill or a ticket in the acceptor."""

    kind: Literal["bill", "ticket"]
    cents: int
    """0 for a ticket that is not valid."""
    why: str
    """The refusal for which it goes back; empty if it is being stacked."""


class PaperOut(Struct, frozen=True):
    """What the printer is asked to print. Its number is on the paper only."""

    kind: PaperKind
    cents: int
    begun: bool
    last_four: str = ""
    """Of a ticket's number: a screen shows them when the ticket is printed, which may end the stay."""
    expires_at_ms: int = 0


class SeatView(Struct, frozen=True, tag_field="screen", tag="seat"):
    """A player terminal."""

    shared: Shared
    seat: int
    name: str
    message: Message
    credit_cents: int
    credit_meter_cents: int
    """What the Credit meter shows: the credit, or the credit and the money on the felt (ruling 41)."""
    playable_cents: int
    bet_cents: int
    win_cents: int
    last_win_cents: int
    last_bet_cents: int
    denomination_cents: int
    """The value of one credit at this seat."""
    denominations: tuple[int, ...]
    """All values of one credit in this game."""
    chips_cents: tuple[int, ...]
    """The chip rack at that denomination."""
    bills_cents: tuple[int, ...]
    """The bills that its acceptor takes."""
    wagers: dict[str, WagerView]
    fulfilled: tuple[str, ...]
    """Bets on a set of totals that it has won since the last 7 and not bet again."""
    pop_up: FeeQuestion | None
    offers: SeatOffers
    lines: tuple[WinLine, ...]
    last_roll: RollSum
    """The sum of these lines."""
    rolls: dict[str, Fate]
    """By roll: what each of the 36 would do."""
    totals: dict[int, tuple[Way, ...]]
    """By total, split if its rolls differ."""
    wins_on: tuple[int, ...]
    """The totals that would win something."""
    sits_out: bool
    returned: tuple[str, ...]
    """Spots whose side wagers went back when bets closed, because they no longer qualified."""
    left_out: tuple[str, ...]
    """Spots that the last Repeat left out, because the game or its limits do not allow them."""
    refused: dict[str, str]
    """By spot that the last favourite did not bet, or not in full: the reason."""
    favourites: dict[int, dict[str, int]]
    """By slot: the stakes that the player saved, by spot."""
    given_back: dict[str, int]
    """By spot: the stakes that the house returned since the seat acted last, after new settings or a reversal."""
    shoots: bool
    ready: bool
    keep_bets: bool
    auto_repeat: bool
    linked: bool
    stay: StayView
    net_cents: int
    """What the player has won or lost since the stay began; tips do not count as losses."""
    tickets: tuple[ShownTicket, ...]
    """The last tickets of this stay, without their numbers."""
    reserved_until_ms: int
    pins_left: int
    """While it is reserved with a PIN: how many tries are left; 0 if it needs no PIN, or staff."""
    lockups: tuple[str, ...]
    hand_pay_cents: int
    service: bool
    key: bool
    """The key switch is turned: staff may sign in here."""
    paper_in: PaperIn | None
    """The bill or the ticket in the acceptor."""
    printing: PaperOut | None
    """What the printer is asked to print."""


def _seat_view(table: Table, number: int, facts: Facts, shared: Shared) -> SeatView:
    seat, credit, stay = table.seat(number), table.credit(number), table.seat(number).stay
    rolls = preview(table, seat)
    totals = _totals(rolls)
    return SeatView(
        shared=shared,
        seat=number,
        name=seat.player.name,
        message=shared.message
        if shared.message in TABLE_WAITS or not sits_next_out(table, seat)
        else "bets_not_valid",
        credit_cents=credit,
        credit_meter_cents=credit + (seat.felt.money_cents if table.game.credit_meter == "total" else 0),
        playable_cents=max(0, min(credit, table.game.total_max_cents - seat.felt.money_cents)),
        bet_cents=seat.felt.money_cents,
        win_cents=seat.last.win_cents,
        last_win_cents=seat.last.last_win_cents,
        last_bet_cents=seat.last.last_bet_cents,
        denomination_cents=table.denomination(number),
        denominations=table.game.denominations,
        chips_cents=table.game.chips_at(table.denomination(number)),
        bills_cents=tuple(sorted(table.game.bills_cents)),
        wagers=_wagers(table, seat),
        fulfilled=_fulfilled(layout_of(table), seat),
        pop_up=_fee_question(table, seat, facts),
        offers=offers(table, number, facts),
        lines=_win_lines(seat),
        last_roll=_roll_sum(seat),
        rolls={str(roll): fate for roll, fate in rolls.items()},
        totals=totals,
        wins_on=tuple(t for t, each in totals.items() if any(w.fate.win_cents or w.fate.meters for w in each)),
        sits_out=seat.last.sits_out,
        returned=seat.last.returned,
        left_out=seat.last.left_out,
        refused=seat.last.refused,
        favourites=dict(sorted(stay.favourites.items())),
        given_back=seat.last.given_back,
        shoots=stay.shoots,
        ready=seat.bet_time.ready,
        keep_bets=seat.player.keep_bets,
        auto_repeat=seat.player.auto_repeat,
        linked=seat.terminal.linked,
        stay=StayView(stay.number, stay.ended, stay.since_ms, stay.in_cents, stay.out_cents, stay.tips_cents),
        net_cents=_net_cents(table, seat),
        tickets=tuple(ShownTicket(t.kind, t.number[-4:], t.cents, t.at_ms, t.expires_at_ms) for t in stay.tickets),
        reserved_until_ms=seat.stay.reserved_until_ms,
        pins_left=max(0, PINS_MAX - seat.player.pins_missed) if seat.player.pin_mark else 0,
        lockups=tuple(sorted(seat.terminal.lockups)),
        hand_pay_cents=seat.terminal.hand_pay_cents,
        service=seat.terminal.service,
        key=seat.terminal.key,
        paper_in=_paper_in(seat.terminal.escrow),
        printing=_paper_out(seat.terminal.printing),
    )


def _totals(rolls: dict[Roll, Fate]) -> dict[int, tuple[Way, ...]]:
    return {total: alike(total, rolls) for total in TOTALS}


def _net_cents(table: Table, seat: Seat) -> int:
    stay = seat.stay
    return table.credit(seat.number) + seat.felt.money_cents + stay.out_cents + stay.tips_cents - stay.in_cents


def _fee_question(table: Table, seat: Seat, facts: Facts) -> FeeQuestion | None:
    """The bets whose fees rise if the question is answered with yes; none if it would be refused by now."""
    pop_up = seat.bet_time.pop_up
    if pop_up is None:
        return None
    answer = decide(table, AnswerPopUp(seat=seat.number, accept=True), facts)
    changes = () if isinstance(answer, Refused | Needs) else answer
    won = partial(felts.next_win, layout_of(table), table.hand.puck)
    bets = [
        FeeBet(spot, wager.stake_cents, won(wager))
        for change in changes
        if isinstance(change, FeltEvent)
        for spot, wager in change.felt.wagers.items()
        if spot not in seat.felt.wagers or wager.fee_cents > seat.felt.wagers[spot].fee_cents
    ]
    return FeeQuestion(pop_up.fee_cents, tuple(bet for bet in bets if layout_of(table).bet_on[bet.spot].fee))


def _paper_in(escrow: Escrow | None) -> PaperIn | None:
    return PaperIn("ticket" if escrow.number else "bill", escrow.cents, escrow.why) if escrow else None


def _paper_out(wanted: Printing | None) -> PaperOut | None:
    if wanted is None:
        return None
    ticket = wanted.ticket
    last_four, expires_at_ms = (ticket.number[-4:], ticket.expires_at_ms) if ticket else ("", 0)
    return PaperOut(wanted.kind, wanted.cents, wanted.begun, last_four, expires_at_ms)


def _fulfilled(layout: Layout, seat: Seat) -> tuple[str, ...]:
    """The bets on a set of totals that the seat has won since the last 7 and not bet again."""
    won = (layout.bets[bet] for bet in seat.stay.fulfilled if bet in layout.bets and bet not in seat.felt.wagers)
    return tuple(bet.id for bet in won if bet.side and bet.collects and not bet.climbs)


def _wagers(table: Table, seat: Seat) -> dict[str, WagerView]:
    return {spot: _wager(table, seat, spot) for spot in seat.felt.wagers}


def _wager(table: Table, seat: Seat, spot: str) -> WagerView:
    layout, wager = layout_of(table), seat.felt.wagers[spot]
    state = layout.states[wager.state]
    power = dict(power_that_counts(table))
    return WagerView(
        bet=layout.bet_at[wager.state].id,
        stake_cents=wager.stake_cents,
        working=felts.how(layout, table.hand.puck, wager, sits_out=seat.last.sits_out) is not How.OFF,
        locked=felts.take(situation_of(table, seat.number), spot) is Reason.LOCKED,
        released=wager.released,
        fee_cents=wager.fee_cents,
        point=state.point,
        hits=state.hits,
        count=state.count,
        odds_max_cents=_odds_max(layout, wager),
        win_cents=0 if wager.released else felts.next_win(layout, table.hand.puck, wager, power),
    )


def _odds_max(layout: Layout, wager: Wager) -> int:
    odds = layout.odds_of.get(wager.state)
    return 0 if odds is None else felts.odds_max(layout, layout.bet_at[odds], wager.state, wager.stake_cents)


def _win_lines(seat: Seat) -> tuple[WinLine, ...]:
    return tuple(_win_line(line, seat.last.awards.get(line.meter, 0)) for line in seat.last.lines)


def _win_line(line: Line, award_cents: int) -> WinLine:
    return WinLine(
        line.spot,
        line.bet,
        line.stake_cents,
        DECIDED_AS[line.decided - 1],
        line.payment.paid_cents,
        line.payment.commission_cents,
        line.returned_cents,
        line.taken_cents,
        line.to,
        meter_name(line.meter),
        line.net_cents(award_cents),
    )


def _roll_sum(seat: Seat) -> RollSum:
    lines = _win_lines(seat)
    best = max(lines, key=lambda line: line.net_cents, default=None)
    return RollSum(
        sum(line.stake_cents for line in lines if line.decided != "push"),
        sum(line.net_cents for line in lines),
        best.bet if best and best.net_cents > 0 else "",
    )


# --- The other screens ---


class DealerSeat(Struct, frozen=True, omit_defaults=True):
    """A seat as the dealer sees it."""

    name: str = ""
    taken: bool = False
    """A player is here: the stay goes on (ruling 29)."""
    credit_cents: int = 0
    bet_cents: int = 0
    wagers: int = 0
    net_cents: int = 0
    """What the player has won or lost since the stay began; tips do not count as losses."""
    tips_cents: int = 0
    """What the player has given the dealers in this stay."""
    may_shoot: bool = False
    sits_out: bool = False
    ready: bool = False
    service: bool = False
    linked: bool = True
    reserved_until_ms: int = 0
    lockups: tuple[str, ...] = ()
    doors: tuple[str, ...] = ()
    hand_pay_cents: int = 0
    """What is due by hand. If it is 0 and `offers` has `pay_by_hand`, staff may pay the credit by hand."""
    key: bool = False
    """Its key switch is turned."""
    faults: dict[Part, tuple[str, ...]] = {}
    """The parts that do not work, and why."""
    printing: PaperOut | None = None
    stacker_out: bool = False
    offers: dict[str, Refused | None] = {}
    """By request for the seat (its `do`): why not now; null if it may be done."""


class DealerView(Struct, frozen=True, tag_field="screen", tag="dealer"):
    """The dealer terminal (RTW 3.1, 6.1.1)."""

    shared: Shared
    dealer: str
    entered: Dice | None
    offers: dict[str, Refused | None]
    """By request of the dealer (its `do`): why not now; null if it may be done. What the game does not have is not
    listed."""
    tips_cents: int
    """All tips of this table's dealers."""
    envy_cents: int
    key: bool
    """Whether the key switch of the dealer terminal is turned (RTW 3.1 item 14)."""
    totals: dict[int, tuple[Way, ...]]
    """By total, split if its rolls differ: what all seats together would win and lose if it were rolled now."""
    seats: dict[int, DealerSeat]


class SpotLine(Struct, frozen=True, omit_defaults=True):
    """What the last roll did to the wagers of all seats on a spot that it decided alike."""

    spot: str
    decided: DecidedAs
    net_cents: int = 0
    returned_cents: int = 0
    taken_cents: int = 0


class TableView(Struct, frozen=True, tag_field="screen", tag="table"):
    """The table display with its walls (RTW 3.1)."""

    shared: Shared
    come_out: bool
    chips_cents: dict[str, int]
    """By spot: what all seats have there."""
    collected: dict[str, tuple[tuple[int, ...], ...]]
    """By side bet with wagers: the sets of totals that they have seen, each once, the largest first."""
    lines: tuple[SpotLine, ...]
    """By spot and outcome: what the last roll did."""
    results: dict[int, RollSum]
    """By seat: what the last roll came to, if it decided a wager there."""
    names: dict[int, str]
    """By seat: the name of its player, if known."""
    lockups: tuple[int, ...]
    """The seats that wait for an attendant; the table sounds the alarm (RTW 3.1)."""


class InfoView(Struct, frozen=True, tag_field="screen", tag="info"):
    """The player information display: the last roll, large."""

    shared: Shared
    last_roll: Past | None


class OfficeSeat(Struct, frozen=True):
    """A seat as the office sees it."""

    felt_cents: int
    wagers: dict[str, WagerView]
    state: DealerSeat
    last_bet_cents: int
    last_win_cents: int
    keep_bets: bool
    auto_repeat: bool


class AccountBalance(Struct, frozen=True, omit_defaults=True):
    """An account, by the parts of its key, and what is in it."""

    kind: str
    cents: int
    owner: str = ""
    """The number of a seat, a badge, or the key of a progressive meter."""
    part: str = ""


class OfficeView(Struct, frozen=True, tag_field="screen", tag="office"):
    """The operator's pages: everything."""

    shared: Shared
    dealer: str
    entered: Dice | None
    offers: dict[str, Refused | None]
    """As in the dealer's view."""
    accounts: tuple[AccountBalance, ...]
    """The table's own, then seat by seat."""
    under_a_cent: str
    seats: dict[int, OfficeSeat]
    change_returns: dict[int, int]
    """By seat with wagers: the stakes and fees that a change of settings would return now (ruling 17)."""


View = SeatView | DealerView | TableView | InfoView | OfficeView


def view(table: Table, screen: str, facts: Facts, shared: Shared | None = None) -> View:
    """What a screen may see: `seat 3`, `dealer`, `table`, `info` or `office`. Pass `shared` if it is already
    computed."""
    shared = shared or shared_view(table, facts)
    match screen.split():
        case ["seat", number] if number.isdecimal() and 1 <= int(number) <= len(table.seats):
            return _seat_view(table, int(number), facts, shared)
        case ["dealer"]:
            return DealerView(
                shared=shared,
                dealer=table.dealer,
                entered=table.entered,
                offers=dealer_offers(table, facts),
                tips_cents=table.accounts.get("tips", 0),
                envy_cents=table.accounts.get("envy", 0),
                key=table.key,
                totals=_totals(preview(table, *table.playing())),
                seats=_dealer_seats(table, facts),
            )
        case ["table"]:
            return TableView(
                shared=shared,
                come_out=table.hand.puck == 0,
                chips_cents=_all_chips(table),
                collected=_collected(table),
                lines=_spot_lines(table),
                results={seat.number: _roll_sum(seat) for seat in table.seats if seat.last.lines},
                names={seat.number: seat.player.name for seat in table.seats if seat.player.name},
                lockups=tuple(seat.number for seat in table.seats if seat.terminal.lockups),
            )
        case ["info"]:
            rolled = [result for result in table.history if result.dice]
            return InfoView(shared, _past(rolled[-1]) if rolled else None)
        case ["office"]:
            return _office_view(table, facts, shared)
    raise ValueError(f"screen {screen!r} is not seat 1 to {len(table.seats)}, dealer, table, info or office")


def later(seen: View, shared: Shared) -> View:
    """A view after time has passed without events: only the shared part may have changed, and the message of a seat
    that showed the shared one."""
    if isinstance(seen, SeatView) and seen.message == seen.shared.message:
        return msgspec.structs.replace(seen, shared=shared, message=shared.message)
    return msgspec.structs.replace(seen, shared=shared)


SEATS_OWN = frozenset(("seats", "heard", "accounts", "play_meters", "cash_meters", "remainders", "under_a_cent"))
"""The fields of a table of which a seat sees only its own part, or nothing."""


def same_for_seat(before: Table, after: Table, number: int, shown: Shared, next_shown: Shared) -> bool:
    """Whether a seat certainly sees the same at two tables, given their shared views: only other seats changed, or
    fields that it may not see, and the shooter is the same."""
    if shown.shooter != next_shown.shooter:
        return False
    if before.seat(number) is not after.seat(number) or before.credit(number) != after.credit(number):
        return False
    if before.play_meters is not after.play_meters and no_rolls(before) != no_rolls(after):
        return False
    shared = (field for field in Table.__struct_fields__ if field not in SEATS_OWN)
    return all(getattr(before, field) is getattr(after, field) for field in shared)


def _dealer_seats(table: Table, facts: Facts) -> dict[int, DealerSeat]:
    eligible = may_shoot(table)
    return {seat.number: _dealer_seat(table, seat, facts, may=seat.number in eligible) for seat in table.seats}


def _dealer_seat(table: Table, seat: Seat, facts: Facts, *, may: bool) -> DealerSeat:
    terminal, offered = seat.terminal, offers_for_seat(table, seat.number, facts)
    return DealerSeat(
        name=seat.player.name,
        taken=seat.stay.goes_on,
        credit_cents=table.credit(seat.number),
        bet_cents=seat.felt.money_cents,
        wagers=len(seat.felt.wagers),
        net_cents=_net_cents(table, seat) if seat.stay.goes_on else 0,
        tips_cents=seat.stay.tips_cents,
        may_shoot=may,
        sits_out=seat.last.sits_out,
        ready=seat.bet_time.ready,
        service=terminal.service,
        linked=terminal.linked,
        reserved_until_ms=seat.stay.reserved_until_ms,
        lockups=tuple(sorted(terminal.lockups)),
        doors=tuple(sorted(terminal.doors)),
        hand_pay_cents=terminal.hand_pay_cents or terminal.left_due_cents,
        key=terminal.key,
        faults=terminal.faults,
        printing=_paper_out(terminal.printing),
        stacker_out=terminal.stacker_out,
        offers=offered,
    )


def _all_chips(table: Table) -> dict[str, int]:
    chips: Counter[str] = Counter()
    for seat in table.seats:
        chips.update({spot: wager.money_cents for spot, wager in seat.felt.wagers.items() if not wager.released})
    return dict(chips)


def _spot_lines(table: Table) -> tuple[SpotLine, ...]:
    sums: dict[tuple[str, DecidedAs], SpotLine] = {}
    for line in (line for seat in table.seats for line in _win_lines(seat)):
        known = sums.get((line.spot, line.decided), SpotLine(line.spot, line.decided))
        sums[line.spot, line.decided] = SpotLine(
            line.spot,
            line.decided,
            known.net_cents + line.net_cents,
            known.returned_cents + line.returned_cents,
            known.taken_cents + line.taken_cents,
        )
    return tuple(sums.values())


def _collected(table: Table) -> dict[str, tuple[tuple[int, ...], ...]]:
    """The totals that the side wagers of all seats have seen; wagers from different rolls differ."""
    layout, found = layout_of(table), dict[str, set[tuple[int, ...]]]()
    for seat in table.playing():
        for wager in seat.felt.wagers.values():
            bet = layout.bet_at[wager.state]
            if bet.side and (bet.collects or bet.sequences):
                found.setdefault(bet.id, set()).add(layout.states[wager.state].hits)
    return {bet: tuple(sorted(sets, key=lambda one: (-len(one), one))) for bet, sets in found.items()}


def _office_view(table: Table, facts: Facts, shared: Shared) -> OfficeView:
    states = _dealer_seats(table, facts)
    seats = {
        seat.number: OfficeSeat(
            felt_cents=table.accounts.get(felt_account(seat.number), 0),
            wagers=_wagers(table, seat),
            state=states[seat.number],
            last_bet_cents=seat.last.last_bet_cents,
            last_win_cents=seat.last.last_win_cents,
            keep_bets=seat.player.keep_bets,
            auto_repeat=seat.player.auto_repeat,
        )
        for seat in table.seats
    }
    return OfficeView(
        shared=shared,
        dealer=table.dealer,
        entered=table.entered,
        offers=dealer_offers(table, facts),
        accounts=_accounts(table),
        under_a_cent=to_text(table.under_a_cent),
        seats=seats,
        change_returns={seat.number: seat.felt.worth_cents for seat in table.playing()},
    )


def _accounts(table: Table) -> tuple[AccountBalance, ...]:
    def order(account: str) -> tuple[int, str]:
        return int(key_of(account).owner) if is_seats(account) else 0, account

    keys = [(key_of(account), table.accounts[account]) for account in sorted(table.accounts, key=order)]
    return tuple(AccountBalance(key.kind, cents, key.owner, key.part) for key, cents in keys)
