"""What each screen may see, as a value that is sent to it, and a frame: the difference of two such values. A seat
sees its own money only."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, NamedTuple, get_args

import msgspec
from msgspec import Struct

from stickman.rules import felt as felts
from stickman.rules.dice import ROLLS, TOTALS, Roll, hard, ways
from stickman.rules.felt import Felt, Hand, Line, Reason, Wager
from stickman.rules.layout import Layout
from stickman.rules.machine import How
from stickman.rules.schema import meter_name
from stickman.rules.spots import FeltSpot, spots
from stickman.table.betting import at, layout_of
from stickman.table.ledger import felt as felt_account
from stickman.table.messages import Dice, Facts, Mode, NoRoll
from stickman.table.offers import SeatOffers, offers
from stickman.table.round import STOPPED_BY_DOORS, may_shoot, shooter_shown, would_sit_out
from stickman.table.state import PINS_MAX, Phase, PopUp, PrintedTicket, Result, Seat, Stay, Table

# --- What every screen sees ---

Mark = Literal["", "point_set", "point_made", "seven_out", "put_off"]
Message = Literal["place_your_bets", "hurry_up", "no_more_bets", "result", "paused", "locked_up", "bets_not_valid"]


class Past(Struct, frozen=True, omit_defaults=True):
    """A roll of the history, or the puck put off by hand (no dice)."""

    dice: Dice | None
    total: int
    puck_before: int
    puck_after: int
    mark: Mark
    instead_of: Dice | None = None
    """The dice that were entered wrong and taken back for these: players are to be told."""


class TotalCount(NamedTuple):
    total: int
    rolled: int
    expected: str
    """Its share of the 36 rolls, as `p/q`."""


class Statistics(Struct, frozen=True):
    """Over the rolls that the table remembers."""

    rolls: int
    totals: tuple[TotalCount, ...]
    hot: tuple[int, ...]
    """Totals above their share, the furthest first."""
    cold: tuple[int, ...]
    longest_hands: tuple[int, ...]
    """Rolls, the seven-out included; the hand that is being played counts too."""


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
    """The odds policy's name, `3-4-5x`."""
    lay_odds: str
    bets: dict[str, BetLimits]


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
    paused: bool
    locked_up: bool
    """A door of the table was opened and staff have not cleared it: nothing is bet or paid."""
    doors: tuple[str, ...]
    """The table's own that are open."""
    mode: Mode
    dealer: bool
    """A dealer is signed in and deals."""
    demo: bool
    """The floor is open to be looked at: money is put in on the screen."""
    power: dict[str, Literal["low", "high"]]
    meters: dict[str, int]
    """What the progressive meters read, in cents."""
    no_rolls: dict[str, int]
    """By reason, how often no roll was called here: it grows when one is."""
    dice_colour: str
    announcements: bool
    """The game has calls and messages spoken."""
    sound: bool
    """The game has music and effects played."""
    history: tuple[Past, ...]
    hard_since: dict[str, int]
    """By hard way, the rolls since its pair was rolled (IB "# of rolls since last"), or all there are."""
    statistics: Statistics
    limits: TableLimits
    felt: tuple[FeltSpot, ...]
    """Every spot where a wager may lie; within a zone in the order in which they are drawn."""


def shared_view(table: Table, facts: Facts) -> Shared:
    """What every screen sees, to be computed once for all of them."""
    game, layout = table.game, layout_of(table)
    rolls = [Roll(*result.dice) for result in table.history if result.dice]
    return Shared(
        game=game.name,
        title=game.title,
        fingerprint=table.fingerprint,
        phase=table.phase,
        round=table.round,
        deadline_ms=table.deadline_ms,
        message=_message(table, facts),
        puck=table.hand.puck,
        roll_count=table.hand.rolls,
        shooter=shooter_shown(table),
        paused=table.paused,
        locked_up=table.locked_up,
        doors=tuple(sorted(table.doors)),
        mode=table.mode,
        dealer=table.has_dealer,
        demo=facts.demo,
        power=table.power,
        meters={meter_name(meter): reading.cents for meter, reading in facts.meters.items()},
        no_rolls=_no_rolls(table),
        dice_colour=game.dice_colour,
        announcements=game.announcements,
        sound=game.sound,
        history=tuple(map(_past, table.history[-game.history_length :])),
        hard_since={bet: _since(rolls, pair) for bet, pair in layout.pairs.items()},
        statistics=_statistics(table, rolls),
        limits=_limits(layout),
        felt=spots(layout),
    )


TABLE_WAITS: tuple[Message, ...] = ("paused", "locked_up")
HURRY_MS = 5_000
"""So long before bets close the bet time turns red; whoever shows a view shows it anew then."""


def _message(table: Table, facts: Facts) -> Message:
    if table.paused:
        return "paused"
    if table.locked_up and table.phase in STOPPED_BY_DOORS:
        return "locked_up"
    if table.phase == "betting":
        hurry = table.deadline_ms and table.deadline_ms - facts.now_ms <= HURRY_MS
        return "hurry_up" if hurry else "place_your_bets"
    return "result" if table.phase == "rolled" else "no_more_bets"


def _no_rolls(table: Table) -> dict[str, int]:
    counts = {reason: table.play_meters.get(f"no_roll:{reason}", 0) for reason in get_args(NoRoll)}
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
"""How many hot and cold totals and long hands are shown."""


def _statistics(table: Table, rolls: list[Roll]) -> Statistics:
    counts = Counter(roll.total for roll in rolls)
    above = {total: counts[total] * 36 - len(rolls) * len(ways(total)) for total in TOTALS}
    drift = sorted(TOTALS, key=lambda total: Fraction(above[total], len(ways(total))), reverse=True)
    return Statistics(
        len(rolls),
        tuple(TotalCount(total, counts[total], _share(len(ways(total)))) for total in TOTALS),
        tuple([total for total in drift if above[total] > 0][:SHOWN]),
        tuple([total for total in reversed(drift) if above[total] < 0][:SHOWN]),
        tuple(sorted(_hands(table), reverse=True)[:SHOWN]),
    )


def _share(rolls: int) -> str:
    share = Fraction(rolls, 36)
    return f"{share.numerator}/{share.denominator}"


def _hands(table: Table) -> list[int]:
    """The lengths of the hands that the table remembers, the one being played last."""
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
    """A mark: its money is back in credit."""
    fee_cents: int = 0
    """The fee that would come back with it."""
    point: int = 0
    hits: tuple[int, ...] = ()
    """The totals that it has seen, of those it waits for; in the order of its sequence where it has one."""
    count: int = 0
    """Hot Shooter: rolls so far."""
    odds_max_cents: int = 0
    """A flat wager at its point: the most that may lie behind it."""
    win_cents: int = 0
    """What it wins beyond its stake on the nearest roll that can win it, as if it were on: of several pays the
    largest, of a meter nothing (ruling 42)."""


class WinLine(Struct, frozen=True, omit_defaults=True):
    """What the last roll did to a wager."""

    spot: str
    bet: str
    stake_cents: int
    decided: Literal["win", "lose", "push"]
    paid_cents: int = 0
    commission_cents: int = 0
    returned_cents: int = 0
    taken_cents: int = 0
    to: str = ""
    """Where the stake stands now."""
    meter: str = ""
    """The progressive meter that it won."""


class Fate(NamedTuple):
    """What a roll would do to a seat: paid, taken and returned; a meter's money is not in what is paid."""

    win_cents: int = 0
    lose_cents: int = 0
    back_cents: int = 0
    meters: tuple[str, ...] = ()


class Way(NamedTuple):
    """Rolls of a total that come to the same."""

    how: Literal["any", "hard", "easy", "dice"]
    dice: tuple[str, ...]
    fate: Fate


class ShownTicket(Struct, frozen=True):
    """A ticket as its seat may see it later: whoever reads its number could redeem it."""

    kind: Literal["cash_out", "tip"]
    last_four: str
    cents: int
    at_ms: int
    expires_at_ms: int


class SeatView(Struct, frozen=True, tag_field="screen", tag="seat"):
    """A player terminal."""

    shared: Shared
    seat: int
    name: str
    message: Message
    credit_cents: int
    credit_meter_cents: int
    """What the Credit meter shows: the credit, or that and what lies on the felt (ruling 41)."""
    playable_cents: int
    bet_cents: int
    win_cents: int
    last_win_cents: int
    last_bet_cents: int
    denomination_cents: int
    """What one credit is worth at this seat."""
    denominations: tuple[int, ...]
    """All that it may be worth in this game."""
    chips_cents: tuple[int, ...]
    """The rack at that denomination."""
    wagers: dict[str, WagerView]
    fulfilled: tuple[str, ...]
    """Bets on a set of totals that it has won since the last 7; not one that it has bet again."""
    pop_up: PopUp | None
    offers: SeatOffers
    lines: tuple[WinLine, ...]
    rolls: dict[str, Fate]
    """By roll, all 36: what it would do."""
    totals: dict[int, tuple[Way, ...]]
    """By total, split where its rolls differ."""
    wins_on: tuple[int, ...]
    """The totals that would win something."""
    sits_out: bool
    returned: tuple[str, ...]
    """Spots whose side wagers went back when bets closed, for they no longer qualified."""
    left_out: tuple[str, ...]
    """Spots that the last Repeat left out, for the game or its limits do not allow them."""
    given_back_cents: int
    """What the house gave back from the felt since the seat's last action: new settings, or a reversal."""
    shoots: bool
    ready: bool
    keep_bets: bool
    auto_repeat: bool
    linked: bool
    stay: Stay
    net_cents: int
    """What the player has won, or lost, since the stay began; tips are a gift and no loss."""
    tickets: tuple[ShownTicket, ...]
    """The last of this stay, without their numbers."""
    reserved_until_ms: int
    pins_left: int
    """While it is reserved with a PIN: how often one may be tried; 0: it needs none, or staff."""
    lockups: tuple[str, ...]
    hand_pay_cents: int
    service: bool


def _shown_ticket(ticket: PrintedTicket) -> ShownTicket:
    return ShownTicket(ticket.kind, ticket.number[-4:], ticket.cents, ticket.at_ms, ticket.expires_at_ms)


def _seat_view(table: Table, number: int, facts: Facts, shared: Shared) -> SeatView:
    seat, credit = table.seat(number), table.credit(number)
    rolls = _preview(table, seat)
    totals = {total: _ways(total, rolls) for total in TOTALS}
    return SeatView(
        shared=shared,
        seat=number,
        name=seat.name,
        message=shared.message
        if shared.message in TABLE_WAITS or not _not_valid(table, seat)
        else "bets_not_valid",
        credit_cents=credit,
        credit_meter_cents=credit + (seat.felt.money_cents if table.game.credit_meter == "total" else 0),
        playable_cents=max(0, min(credit, table.game.total_max_cents - seat.felt.money_cents)),
        bet_cents=seat.felt.money_cents,
        win_cents=seat.win_cents,
        last_win_cents=seat.last_win_cents,
        last_bet_cents=seat.last_bet_cents,
        denomination_cents=table.denomination(number),
        denominations=table.game.denominations,
        chips_cents=table.game.chips_at(table.denomination(number)),
        wagers=_wagers(table, seat),
        fulfilled=_fulfilled(layout_of(table), seat),
        pop_up=seat.pop_up,
        offers=offers(table, number, facts),
        lines=tuple(map(_win_line, seat.lines)),
        rolls={str(roll): fate for roll, fate in rolls.items()},
        totals=totals,
        wins_on=tuple(t for t, each in totals.items() if any(w.fate.win_cents or w.fate.meters for w in each)),
        sits_out=seat.sits_out,
        returned=seat.returned,
        left_out=seat.left_out,
        given_back_cents=seat.given_back_cents,
        shoots=seat.shoots,
        ready=seat.ready,
        keep_bets=seat.keep_bets,
        auto_repeat=seat.auto_repeat,
        linked=seat.linked,
        stay=seat.stay,
        net_cents=credit + seat.felt.money_cents + seat.stay.out_cents + seat.stay.tips_cents - seat.stay.in_cents,
        tickets=tuple(map(_shown_ticket, seat.tickets)),
        reserved_until_ms=seat.reserved_until_ms,
        pins_left=max(0, PINS_MAX - seat.pins_missed) if seat.pin_mark else 0,
        lockups=tuple(sorted(seat.lockups)),
        hand_pay_cents=seat.hand_pay_cents,
        service=seat.service,
    )


def _fulfilled(layout: Layout, seat: Seat) -> tuple[str, ...]:
    """Of the bets that it has won since the last 7, those that win by completing a set and do not lie again."""
    won = (layout.bets[bet] for bet in seat.fulfilled if bet in layout.bets and bet not in seat.felt.wagers)
    return tuple(bet.id for bet in won if bet.side and bet.collects and not bet.climbs)


def _not_valid(table: Table, seat: Seat) -> bool:
    """What works on the main game is under the table minimum, so the seat sits the roll out (ruling 16)."""
    if table.phase in ("closed", "shooting"):
        return seat.sits_out
    return table.phase == "betting" and would_sit_out(table, seat)


def _wagers(table: Table, seat: Seat) -> dict[str, WagerView]:
    here, layout = at(table, seat.number), layout_of(table)
    power = dict(_power_that_counts(table))
    return {
        spot: WagerView(
            layout.bet_at[wager.state].id,
            wager.stake_cents,
            felts.how(layout, table.hand.puck, wager, sits_out=seat.sits_out) is not How.OFF,
            felts.take(here, spot) is Reason.LOCKED,
            wager.released,
            wager.fee_cents,
            layout.states[wager.state].point,
            layout.states[wager.state].hits,
            layout.states[wager.state].count,
            _odds_max(layout, wager),
            0 if wager.released else felts.next_win(layout, table.hand.puck, wager, power),
        )
        for spot, wager in seat.felt.wagers.items()
    }


def _odds_max(layout: Layout, wager: Wager) -> int:
    odds = layout.odds_of.get(wager.state)
    return 0 if odds is None else felts.odds_max(layout, layout.bet_at[odds], wager.state, wager.stake_cents)


def _win_line(line: Line) -> WinLine:
    decided: tuple[Literal["win", "lose", "push"], ...] = ("win", "lose", "push")
    return WinLine(
        line.spot,
        line.bet,
        line.stake_cents,
        decided[line.decided - 1],
        line.payment.paid_cents,
        line.payment.commission_cents,
        line.returned_cents,
        line.taken_cents,
        line.to,
        meter_name(line.meter),
    )


# --- The next roll ---


def _preview(table: Table, seat: Seat) -> dict[Roll, Fate]:
    """What each of the 36 rolls would do to a seat, with Power Odds as shown. Wagers do not touch each other, so
    each is rolled by itself, and remembered."""
    power = _power_that_counts(table)
    sits_out = _not_valid(table, seat)
    won, lost, back = [0] * len(ROLLS), [0] * len(ROLLS), [0] * len(ROLLS)
    meters: dict[int, tuple[str, ...]] = {}
    for wager in seat.felt.wagers.values():
        for roll, fate in _fates(layout_of(table), table.hand.puck, wager, power, sits_out):
            won[roll] += fate.win_cents
            lost[roll] += fate.lose_cents
            back[roll] += fate.back_cents
            meters[roll] = meters.get(roll, ()) + fate.meters
    return {roll: Fate(won[n], lost[n], back[n], meters.get(n, ())) for n, roll in enumerate(ROLLS)}


def _power_that_counts(table: Table) -> tuple[tuple[str, str], ...]:
    """The Power Odds of the coming roll, once bets are closed."""
    return tuple(sorted(table.power.items())) if table.phase in ("closed", "shooting") else ()


@lru_cache(maxsize=1024)
def _fates(
    layout: Layout, puck: int, wager: Wager, power: tuple[tuple[str, str], ...], sits_out: bool
) -> list[tuple[int, Fate]]:
    """What the rolls that touch a wager, by number, do to it."""
    seat = felts.Seat(layout, Hand(puck), Felt({layout.states[wager.state].spot: wager}))
    found = []
    for roll in ROLLS:
        for line in felts.roll(seat, roll, dict(power), sits_out=sits_out).lines:
            meters = (meter_name(line.meter),) if line.meter else ()
            fate = Fate(line.payment.paid_cents, line.taken_cents, line.returned_cents, meters)
            found.append((roll.number, fate))
    return found


def _ways(total: int, fates: dict[Roll, Fate]) -> tuple[Way, ...]:
    """The rolls of a total, together where they come to the same."""
    groups: dict[Fate, list[Roll]] = {}
    for roll in ways(total):
        groups.setdefault(fates[roll], []).append(roll)
    found = []
    for fate, rolls in groups.items():
        pairs = sum(roll.is_pair for roll in rolls)
        how: Literal["any", "hard", "easy", "dice"] = "dice"
        if len(groups) == 1:
            how = "any"
        elif pairs == len(rolls):
            how = "hard"
        elif len(groups) == 2 and not pairs and hard(total):
            how = "easy"
        found.append(Way(how, tuple(map(str, rolls)), fate))
    return tuple(found)


# --- The other screens ---


class DealerSeat(Struct, frozen=True, omit_defaults=True):
    """A seat as the dealer sees it: what lies, not what is in credit."""

    name: str = ""
    bet_cents: int = 0
    wagers: int = 0
    may_shoot: bool = False
    sits_out: bool = False
    ready: bool = False
    service: bool = False
    linked: bool = True
    reserved_until_ms: int = 0
    lockups: tuple[str, ...] = ()
    doors: tuple[str, ...] = ()
    hand_pay_cents: int = 0
    key: bool = False
    """Its key switch is turned."""
    left_credit: bool = False
    """Nobody sits there and credit does: staff may pay it out (ruling 18)."""


class DealerView(Struct, frozen=True, tag_field="screen", tag="dealer"):
    """The dealer terminal (RTW 3.1, 6.1.1)."""

    shared: Shared
    dealer: str
    entered: Dice | None
    can_reverse: bool
    can_select_mode: bool
    """The game leaves the mode of play to the operator."""
    can_put_puck_off: bool
    """The game lets the puck be put off by hand."""
    tips_cents: int
    """What the dealers of this table were tipped, and what they got as envy."""
    envy_cents: int
    seats: dict[int, DealerSeat]


class TableView(Struct, frozen=True, tag_field="screen", tag="table"):
    """The table display with its walls (RTW 3.1)."""

    shared: Shared
    come_out: bool
    chips_cents: dict[str, int]
    """By spot, what all seats have there."""
    collected: dict[str, tuple[tuple[int, ...], ...]]
    """By side bet with wagers, the totals that they have seen: each different set once, the largest first."""
    wins_cents: dict[int, int]
    """By seat, what the last roll paid."""
    names: dict[int, str]
    """By seat, what its player is called, where that is known."""
    lockups: tuple[int, ...]
    """The seats that wait for an attendant: the table's speakers sound the alarm (RTW 3.1)."""


class InfoView(Struct, frozen=True, tag_field="screen", tag="info"):
    """The player information display: the last roll, large."""

    shared: Shared
    last_roll: Past | None


class OfficeSeat(Struct, frozen=True):
    """A seat as the office sees it."""

    credit_cents: int
    felt_cents: int
    wagers: dict[str, WagerView]
    state: DealerSeat
    last_bet_cents: int
    last_win_cents: int
    keep_bets: bool
    auto_repeat: bool


class OfficeView(Struct, frozen=True, tag_field="screen", tag="office"):
    """The operator's pages: everything."""

    shared: Shared
    dealer: str
    entered: Dice | None
    accounts: dict[str, int]
    play_meters: dict[str, int]
    cash_meters: dict[str, int]
    remainders: dict[str, str]
    under_a_cent: str
    seats: dict[int, OfficeSeat]


View = SeatView | DealerView | TableView | InfoView | OfficeView


def view(table: Table, screen: str, facts: Facts, shared: Shared | None = None) -> View:
    """What a screen may see: `seat 3`, `dealer`, `table`, `info` or `office`. Give `shared` where it is known."""
    shared = shared or shared_view(table, facts)
    match screen.split():
        case ["seat", number] if number.isdecimal() and 1 <= int(number) <= len(table.seats):
            return _seat_view(table, int(number), facts, shared)
        case ["dealer"]:
            seats = _dealer_seats(table)
            return DealerView(
                shared,
                table.dealer,
                table.entered,
                table.before_roll is not None,
                table.game.mode == "selectable",
                table.game.puck_can_be_reset,
                table.accounts.get("tips", 0),
                table.accounts.get("envy", 0),
                seats,
            )
        case ["table"]:
            wins = {seat.number: seat.win_cents for seat in table.seats if seat.win_cents}
            names = {seat.number: seat.name for seat in table.seats if seat.name}
            lockups = tuple(seat.number for seat in table.seats if seat.lockups)
            return TableView(
                shared, table.hand.puck == 0, _all_chips(table), _collected(table), wins, names, lockups
            )
        case ["info"]:
            rolled = [result for result in table.history if result.dice]
            return InfoView(shared, _past(rolled[-1]) if rolled else None)
        case ["office"]:
            return _office_view(table, shared)
    raise ValueError(f"screen {screen!r} is not seat 1 to {len(table.seats)}, dealer, table, info or office")


SEATS_OWN = frozenset(("seats", "accounts", "play_meters", "cash_meters", "remainders", "under_a_cent"))
"""What of a table a seat sees its own part of, or nothing."""


def same_for_seat(before: Table, after: Table, number: int, shown: Shared, next_shown: Shared) -> bool:
    """Whether a seat certainly sees the same at two tables, given what every screen sees of them: only other seats,
    or what it may not see, changed, and that made nobody else the shooter."""
    if shown.shooter != next_shown.shooter:
        return False
    if before.seat(number) is not after.seat(number) or before.credit(number) != after.credit(number):
        return False
    if before.play_meters is not after.play_meters and _no_rolls(before) != _no_rolls(after):
        return False
    shared = (field for field in Table.__struct_fields__ if field not in SEATS_OWN)
    return all(getattr(before, field) is getattr(after, field) for field in shared)


def _dealer_seats(table: Table) -> dict[int, DealerSeat]:
    eligible = may_shoot(table)
    return {seat.number: _dealer_seat(table, seat, may=seat.number in eligible) for seat in table.seats}


def _dealer_seat(table: Table, seat: Seat, *, may: bool) -> DealerSeat:
    return DealerSeat(
        seat.name,
        seat.felt.money_cents,
        len(seat.felt.wagers),
        may,
        seat.sits_out,
        seat.ready,
        seat.service,
        seat.linked,
        seat.reserved_until_ms,
        tuple(sorted(seat.lockups)),
        tuple(sorted(seat.doors)),
        seat.hand_pay_cents or seat.left_due_cents,
        seat.key,
        (not seat.linked or seat.reserved_until_ms > 0) and table.credit(seat.number) > 0,
    )


def _all_chips(table: Table) -> dict[str, int]:
    chips: Counter[str] = Counter()
    for seat in table.seats:
        chips.update({spot: wager.money_cents for spot, wager in seat.felt.wagers.items() if not wager.released})
    return dict(chips)


def _collected(table: Table) -> dict[str, tuple[tuple[int, ...], ...]]:
    """What the side wagers of all seats have seen; where they were bet at different times, they differ."""
    layout, found = layout_of(table), dict[str, set[tuple[int, ...]]]()
    for seat in table.playing():
        for wager in seat.felt.wagers.values():
            bet = layout.bet_at[wager.state]
            if bet.side and (bet.collects or bet.sequences):
                found.setdefault(bet.id, set()).add(layout.states[wager.state].hits)
    return {bet: tuple(sorted(sets, key=lambda one: (-len(one), one))) for bet, sets in found.items()}


def _office_view(table: Table, shared: Shared) -> OfficeView:
    states = _dealer_seats(table)
    seats = {
        seat.number: OfficeSeat(
            table.credit(seat.number),
            table.accounts.get(felt_account(seat.number), 0),
            _wagers(table, seat),
            states[seat.number],
            seat.last_bet_cents,
            seat.last_win_cents,
            seat.keep_bets,
            seat.auto_repeat,
        )
        for seat in table.seats
    }
    return OfficeView(
        shared,
        table.dealer,
        table.entered,
        table.accounts,
        table.play_meters,
        table.cash_meters,
        table.remainders,
        table.under_a_cent,
        seats,
    )


# --- Frames ---

Plain = dict[str, Any]
"""A view as it goes over the wire."""
REMOVED = "-"
"""The key under which a frame lists the keys that are gone; no field and no spot is called so."""


class Frame(Struct, frozen=True):
    """What changed from one view to the next, nested as the views are."""

    number: int
    changes: Plain


def plain(seen: View) -> Plain:
    found: Plain = msgspec.to_builtins(seen, str_keys=True)
    return found


def later(seen: View, shared: Shared) -> View:
    """A view once time has passed and nothing has happened: what all see may have changed, and the message of a
    seat that had the one that all have."""
    if isinstance(seen, SeatView) and seen.message == seen.shared.message:
        return msgspec.structs.replace(seen, shared=shared, message=shared.message)
    return msgspec.structs.replace(seen, shared=shared)


def frame(before: View, after: View, number: int = 0) -> Frame:
    """What a screen that shows one view must change to show the next."""
    return Frame(number, difference(before, after))


def apply_frame(shown: Plain, change: Frame) -> Plain:
    """The plain view after a frame."""
    return _merged(shown, change.changes)


def difference(before: Any, after: Any) -> Plain:
    """What to change in a struct or dict to have another of its kind, nested and plain; the keys that are gone
    under their own. What is equal is not looked into."""
    old, new = _parts(before), _parts(after)
    changes: Plain = {}
    for key, value in new.items():
        was = old.get(key, REMOVED)
        if was != value:
            nested = type(was) is type(value) and isinstance(value, dict | Struct)
            changes[str(key)] = difference(was, value) if nested else msgspec.to_builtins(value, str_keys=True)
    if gone := [str(key) for key in old if key not in new]:
        changes[REMOVED] = gone
    return changes


def _parts(value: Any) -> dict[Any, Any]:
    """What a value is made of, by key; fields that are left out where they have their default are none of it."""
    if isinstance(value, dict):
        return value
    if value.__struct_config__.omit_defaults:
        found: Plain = msgspec.to_builtins(value, str_keys=True)
        return found
    return msgspec.structs.asdict(value)


def _merged(shown: Plain, changes: Plain) -> Plain:
    kept = {key: value for key, value in shown.items() if key not in changes.get(REMOVED, ())}
    for key, value in changes.items():
        if key != REMOVED:
            old = kept.get(key)
            kept[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return kept
