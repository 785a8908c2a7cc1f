"""A report of a journal: money, play compared with its exact mathematics, tickets, meters, staff, significant
events.

Everything is read once. Only sums are kept, and the rows of the lists.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from stickman.floor.journal import BadRecord, events_of
from stickman.floor.tally import (
    LOG_MAX,
    BetCounts,
    Book,
    DrawerCount,
    Drop,
    FloorBook,
    Jackpot,
    Log,
    Logged,
    Scope,
    SettingRow,
    Stream,
    TableBook,
    Tally,
    read,
    tables_of,
)
from stickman.floor.verify import Progress
from stickman.par.measure import ends, measures, results
from stickman.rules import layout as layouts
from stickman.rules.datafile import BadFile, to_text
from stickman.rules.dice import ROLLS, TOTALS, ways
from stickman.rules.game import Game
from stickman.rules.layout import Layout
from stickman.rules.machine import Decided
from stickman.rules.money import expected_cents
from stickman.store.store import Claimed, Store
from stickman.table import messages as m
from stickman.table.ledger import is_seats, key_of, progressive, reserve, seat_meter
from stickman.table.messages import Mode
from stickman.table.state import Table

R = TypeVar("R", bound=Struct)
Z_99 = Fraction("2.5758293035489")
"""99% of a normal distribution is within this number of standard deviations."""
CHI_SQUARE_99 = {35: Fraction("57.3421"), 10: Fraction("23.2093")}
"""By degrees of freedom, the 99% quantile of chi-square."""
HITS_MIN = 10
"""A verdict on a band needs this number of expected wins, and of expected results that are not wins."""
EXPECTED_MIN = 5
"""A verdict on chi-square needs this expected count in every cell."""


# --- Rows of plain values, section by section ---


class Money(Struct, frozen=True, kw_only=True):
    """What a table took and gave, or all tables together."""

    table: int | None
    """None: all."""
    drop_cents: int
    bills_cents: int
    credit_given_cents: int
    """Credit that staff gave for cash."""
    tickets_in_cents: int
    tickets_out_cents: int
    hand_pays_cents: int
    tips_cents: int
    envy_cents: int
    rolls: int
    handle_cents: int
    taken_cents: int
    """Stakes that lost."""
    paid_cents: int
    """Wins, including jackpots."""
    fees_cents: int
    """Commission charged upfront, less what was given back."""
    hold_cents: int
    """Stakes taken and fees, less wins paid."""
    hold: Fraction | None
    """Divided by the handle."""
    commission_cents: int
    """Kept from wins and charged upfront."""
    breakage_cents: int
    under_a_cent: Fraction
    """In cents: the fractions that rounding kept, which no account can hold."""
    shortfall_cents: int
    """What players no longer had when a roll was taken back."""


class Bills(Struct, frozen=True, kw_only=True):
    """Bills of one denomination."""

    table: int
    bill_cents: int
    count: int
    sum_cents: int


class GamePlayed(Struct, frozen=True, kw_only=True):
    """A game by its fingerprint: every change of a setting makes another one."""

    fingerprint: str
    game: str
    title: str
    tables: str
    first_ms: int
    last_ms: int
    rolls: int
    handle_cents: int
    paid_cents: int
    hold_cents: int
    hold: Fraction | None
    expected_hold_cents: int | None
    """The expected hold of the bets that were decided, with the fees that were charged."""


Verdict = Literal["inside", "outside", "too few", "not known"]
"""Not known: the game's pay tables are no longer in this program."""


class BetRow(Struct, frozen=True, kw_only=True):
    """A bet of one game: what was wagered and paid, compared with its par sheet.

    An upfront fee is commission and not part of a return. Wagers that one roll decides depend on each other, so a
    roll counts as one result; `results` is the number of results with equal stakes that would vary as much.
    """

    fingerprint: str
    game: str
    bet: str
    title: str
    handle_cents: int
    won: int
    lost: int
    pushed: int
    staked_cents: int
    """On the bets that were decided, including pushes."""
    paid_cents: int
    jackpots_cents: int
    hold_cents: int
    returned: Fraction | None
    """The share of the stakes that came back."""
    compared: Fraction | None
    """The same as a par sheet counts it: before rounding, with meters at their reset value."""
    exact: Fraction | None
    """The expected return, from the par sheet."""
    results: Fraction
    band: Fraction | None
    """In 99 of 100 cases the difference of `compared` and `exact` is at most this."""
    verdict: Verdict


class SeatPlayed(Struct, frozen=True, kw_only=True):
    """What a seat did, from its meters."""

    table: int
    seat: int
    cash_in_cents: int
    credit_given_cents: int
    tickets_in_cents: int
    tickets_out_cents: int
    hand_pays_cents: int
    tips_cents: int
    games: int
    """Rounds with a new wager."""
    wagers: int
    """Bets counted as handle."""
    handle_cents: int
    paid_cents: int


class MeterRow(Struct, frozen=True, kw_only=True):
    """A meter of a table, which is never cleared."""

    table: int
    meter: str
    unit: Literal["cents", "count"]
    reads: int
    change: int


class Tickets(Struct, frozen=True, kw_only=True):
    """Tickets with the same fate."""

    what: str
    count: int
    sum_cents: int


class ProgressiveMeter(Struct, frozen=True, kw_only=True):
    """A progressive meter that the tables played."""

    meter: str
    reading_cents: int | None
    """At the end; None in a report of one table, which has only a share."""
    contributions_cents: int
    reserve_cents: int
    """At the end."""
    hits: int
    paid_cents: int


class Dealer(Struct, frozen=True, kw_only=True):
    """What happened while a badge dealt, and the rolls that they took back."""

    dealer: str
    sign_ins: int
    rolls: int
    no_rolls: int
    reversals: int
    tips: int
    tips_cents: int
    envy_cents: int


class StaffRow(Struct, frozen=True, kw_only=True):
    """How a badge signed in on the floor."""

    badge: str
    sign_ins: int
    failures: int
    lockouts: int


class DiceCount(Struct, frozen=True, kw_only=True):
    """The count of one roll; the dealers' dice and the table's own are counted separately."""

    mode: Mode
    first: int
    second: int
    rolled: int


class Fairness(Struct, frozen=True, kw_only=True):
    """Whether the dice are fair: Pearson's chi-square and its limit at 99%."""

    mode: Mode
    over: Literal["36 rolls", "11 totals"]
    rolls: int
    chi_square: Fraction | None
    limit: Fraction
    verdict: Verdict


class HoldPoint(Struct, frozen=True, kw_only=True):
    """The hold of a table at a moment, since the report's beginning."""

    table: int
    at_ms: int
    hold_cents: int


class Balance(Struct, frozen=True, kw_only=True):
    """An account of all streams; those of seats are added up."""

    account: str
    balance_cents: int
    change_cents: int


class JournalReport(Struct, frozen=True, kw_only=True):
    """A report: its scope, then its sections."""

    scope: Scope
    at_ms: int
    """The time at which tickets count as expired."""
    left_out: dict[Log, int]
    """By log, the number of older lines that are left out."""
    streams: list[Stream]
    money: list[Money]
    bills: list[Bills]
    games: list[GamePlayed]
    bets: list[BetRow]
    seats: list[SeatPlayed]
    tickets: list[Tickets]
    progressives: list[ProgressiveMeter]
    jackpots: list[Jackpot]
    dealers: list[Dealer]
    staff: list[StaffRow]
    drawers: list[DrawerCount]
    drops: list[Drop]
    staff_log: list[Logged]
    settings: list[SettingRow]
    significant: list[Logged]
    dice: list[DiceCount]
    fairness: list[Fairness]
    win_over_time: list[HoldPoint]
    ledger: list[Balance]
    meters: list[MeterRow]

    def plain(self) -> dict[str, Any]:
        """Plain values for JSON: exact ones as `"p/q"`."""
        found: dict[str, Any] = msgspec.to_builtins(self, enc_hook=to_text)
        return found


# --- Adding up ---


async def report(
    store: Store, scope: Scope, *, now_ms: int, progress: Progress = lambda _stream, _seq: None
) -> JournalReport:
    """Read a journal and add up what the scope asks for."""
    tally = Tally()
    books: list[Book] = [FloorBook()] if scope.table is None else []
    books += [TableBook(stream) for stream in await tables_of(store, scope.table)]
    for book in books:
        await read(store, book, scope, tally, progress)
    at_ms = min(now_ms, scope.until_ms or now_ms)
    if scope.last_seq and tally.streams:
        at_ms = tally.streams[-1].last_ms
    async for ticket in _open_tickets(store, books, at_ms):
        tally.add_ticket("outstanding", ticket.cents)
        if 0 < ticket.expires_at_ms <= at_ms:
            tally.add_ticket("of these expired", ticket.cents)
    return _added_up(scope, at_ms, tally, books)


async def _open_tickets(store: Store, books: list[Book], at_ms: int) -> AsyncIterator[m.TicketIssued]:
    """The tickets of these tables that were on paper and had not ended when the reading ended. Claims are ordered
    by ticket number, so only one ticket is kept at a time."""
    ends = {book.stream: book.head.seq for book in books}

    async def happened(claimed: Claimed | None) -> bool:
        if claimed is None or claimed.stream in ends:
            return claimed is not None and claimed.seq <= ends[claimed.stream]
        record = await store.record(claimed.stream, claimed.seq)
        return record is not None and record.at_ms < at_ms

    async for found in _by_ticket(store):
        issued = found.get("issued")
        if issued and issued.seq <= ends.get(issued.stream, 0) and not await happened(found.get("redeemed")):
            ticket = await _issued(store, issued)
            if not isinstance(ticket, m.TicketReserved) or await happened(found.get("printed")):
                yield ticket


async def _by_ticket(store: Store) -> AsyncIterator[dict[str, Claimed]]:
    """The claims of each ticket, by what they are."""
    number, found = "", dict[str, Claimed]()
    async for claimed in store.claims("ticket:"):
        key = key_of(claimed.claim)
        if key.owner != number:
            yield found
            number, found = key.owner, {}
        found[key.part] = claimed
    yield found


async def _issued(store: Store, claimed: Claimed) -> m.TicketIssued:
    record = await store.record(claimed.stream, claimed.seq)
    for event in events_of(record) if record else ():
        if isinstance(event, m.TicketIssued) and claimed.claim in event.claims:
            return event
    raise BadRecord(f"no record issued the ticket of the claim {claimed.claim}; run `stickman verify`")


def _added_up(scope: Scope, at_ms: int, tally: Tally, books: list[Book]) -> JournalReport:
    tables = [book for book in books if isinstance(book, TableBook) and book.table]
    numbers, bets = [table.stream for table in tables], list(_bets(tally))
    return JournalReport(
        scope=scope,
        at_ms=at_ms,
        left_out={name: max(0, log.count - LOG_MAX) for name, log in tally.logs.items()},
        streams=tally.streams,
        money=[
            *(_money(tally, [number]) for number in numbers),
            *([_money(tally, numbers)] if numbers[1:] else []),
        ],
        bills=[
            Bills(table=table, bill_cents=bill, count=count, sum_cents=bill * count)
            for (table, bill), count in sorted(tally.bills.items())
        ],
        games=list(_games(tally, bets)),
        bets=bets,
        seats=[seat for table in tables for seat in _seats(table, tally)],
        tickets=[
            Tickets(what=what, count=tally.tickets[what, "count"], sum_cents=tally.tickets[what, "sum_cents"])
            for what in TICKETS
        ],
        progressives=list(_progressives(scope, tally, books)),
        jackpots=sorted(tally.jackpots, key=lambda jackpot: jackpot.at_ms),
        dealers=[_row(Dealer, counts, dealer=badge) for badge, counts in sorted(tally.dealers.items()) if badge],
        staff=[_row(StaffRow, counts, badge=badge) for badge, counts in sorted(tally.staff.items())],
        drawers=tally.drawers,
        drops=sorted(tally.drops, key=lambda drop: drop.at_ms),
        staff_log=tally.logs["staff"].lines(),
        settings=sorted(tally.settings, key=lambda changed: changed.at_ms),
        significant=tally.logs["significant"].lines(),
        dice=list(_dice(tally)),
        fairness=list(_fairness(tally)),
        win_over_time=[
            HoldPoint(table=table, at_ms=moment, hold_cents=cents)
            for table, curve in tally.curves.items()
            for moment, cents in curve.points()
        ],
        ledger=_ledger(tally, books),
        meters=[meter for table in tables for meter in _meters(table)],
    )


def _row(kind: type[R], counts: Counter[str], **named: Any) -> R:
    """A row; fields that are not named are counts."""
    return kind(**named, **{each.name: counts[each.name] for each in fields(kind) if each.name not in named})


def _money(tally: Tally, tables: list[int]) -> Money:
    """What these tables took and gave."""
    counts, gained = Counter[str](), Counter[str]()
    for table in tables:
        counts.update({name: amount for (where, name), amount in tally.money.items() if where == table})
        gained.update({account: cents for (where, account), cents in tally.ledger.items() if where == table})
    hold = counts["taken_cents"] + counts["fees_cents"] - counts["paid_cents"]
    return _row(
        Money,
        counts,
        table=tables[0] if len(tables) == 1 else None,
        drop_cents=counts["bills_cents"] + counts["credit_given_cents"] + counts["tickets_in_cents"],
        hold_cents=hold,
        hold=Fraction(hold, counts["handle_cents"]) if counts["handle_cents"] else None,
        commission_cents=gained["commission"],
        breakage_cents=gained["breakage"],
        under_a_cent=sum((tally.under_a_cent[table] for table in tables), Fraction(0)),
        shortfall_cents=-gained["shortfall"],
    )


# --- Play compared with its mathematics ---


class _Par(NamedTuple):
    """The figures of a par sheet for one bet."""

    returns: Fraction
    """Without an upfront fee."""
    variance: Fraction
    hit_rate: Fraction


def _bets(tally: Tally) -> Iterator[BetRow]:
    """Every bet that was wagered or decided, by game, in the order of the felt."""
    for fingerprint, game in tally.games.items():
        layout = _layout(game, fingerprint)
        wagered = [bet for played, bet in tally.bets if played == fingerprint]
        for name in sorted(wagered, key=list(layout.bets).index if layout else None):
            yield _bet((fingerprint, game, layout), name, tally.bets[fingerprint, name])


def _layout(game: Game, fingerprint: str) -> Layout | None:
    """The layout of a game; None if this program now has other pay tables."""
    try:
        return layouts.lay_out(game) if game.fingerprint() == fingerprint else None
    except (BadFile, LookupError):
        return None


def _bet(played: tuple[str, Game, Layout | None], name: str, counted: BetCounts) -> BetRow:
    fingerprint, game, layout = played
    par = _par(layout, name) if layout else None
    back, paid = counted.staked - counted.taken, counted.paid + counted.jackpots
    compared = None
    if par and counted.staked:
        at_reset = game.reset_cents(name) * counted.meters_won if counted.meters_won else 0
        compared = (back + counted.exact + at_reset) / counted.staked
    decided = Fraction(counted.staked**2, counted.squares) if counted.squares else Fraction(0)
    return BetRow(
        fingerprint=fingerprint,
        game=game.name,
        bet=name,
        title=layout.bets[name].title if layout else name,
        handle_cents=counted.handle,
        won=counted.outcomes[Decided.WIN],
        lost=counted.outcomes[Decided.LOSE],
        pushed=counted.outcomes[Decided.PUSH],
        staked_cents=counted.staked,
        paid_cents=counted.paid,
        jackpots_cents=counted.jackpots,
        hold_cents=counted.taken - paid,
        returned=Fraction(back + paid, counted.staked) if counted.staked else None,
        compared=compared,
        exact=par.returns if par else None,
        results=decided,
        band=root(Z_99**2 * par.variance / decided) if par and decided > 0 else None,
        verdict=_verdict(par, compared, decided),
    )


def _par(layout: Layout, name: str) -> _Par:
    bet = layout.bets[name]
    ended = ends(layout, bet)
    measured = measures(results(layout, bet, ended.chances), ended.mean_rolls)
    return _Par(measured.rtp + bet.fee, measured.variance, measured.hit_rate)


def _verdict(par: _Par | None, compared: Fraction | None, decided: Fraction) -> Verdict:
    """Whether the return is inside the band, calculated without a square root."""
    if par is None:
        return "not known"
    if compared is None or decided * min(par.hit_rate, 1 - par.hit_rate) < HITS_MIN:
        return "too few"
    return "outside" if (compared - par.returns) ** 2 * decided > Z_99**2 * par.variance else "inside"


def root(value: Fraction) -> Fraction:
    """The square root, rounded down to a billionth.

    >>> root(Fraction(2)) * 10**9
    Fraction(1414213562, 1)
    """
    return Fraction(math.isqrt(value.numerator * 10**18 // value.denominator), 10**9)


def _games(tally: Tally, bets: list[BetRow]) -> Iterator[GamePlayed]:
    for fingerprint, game in tally.games.items():
        counts = {name: amount for (played, name), amount in tally.stretches.items() if played == fingerprint}
        handle, paid, fees = (counts.get(name, 0) for name in ("handle_cents", "paid_cents", "fees_cents"))
        hold = counts.get("taken_cents", 0) + fees - paid
        mine = [bet for bet in bets if bet.fingerprint == fingerprint]
        lost = [bet.staked_cents * (1 - bet.exact) for bet in mine if bet.exact is not None]
        yield GamePlayed(
            fingerprint=fingerprint,
            game=game.name,
            title=game.title,
            tables=", ".join(map(str, sorted(tally.tables[fingerprint]))),
            first_ms=tally.played[fingerprint][0],
            last_ms=tally.played[fingerprint][1],
            rolls=counts.get("rolls", 0),
            handle_cents=handle,
            paid_cents=paid,
            hold_cents=hold,
            hold=Fraction(hold, handle) if handle else None,
            expected_hold_cents=expected_cents(sum(lost, Fraction(0))) + fees if len(lost) == len(mine) else None,
        )


def _dice(tally: Tally) -> Iterator[DiceCount]:
    for mode in sorted({mode for mode, _ in tally.dice}):
        for roll in ROLLS:
            rolled = tally.dice[mode, (roll.first, roll.second)]
            yield DiceCount(mode=mode, first=roll.first, second=roll.second, rolled=rolled)


def _fairness(tally: Tally) -> Iterator[Fairness]:
    for mode in sorted({mode for mode, _ in tally.dice}):
        rolled = [[tally.dice[mode, (roll.first, roll.second)] for roll in ways(total)] for total in TOTALS]
        yield _chi_square(mode, "36 rolls", [(count, 1) for counts in rolled for count in counts])
        yield _chi_square(mode, "11 totals", [(sum(counts), len(counts)) for counts in rolled])


def _chi_square(mode: Mode, over: Literal["36 rolls", "11 totals"], counts: list[tuple[int, int]]) -> Fairness:
    """From pairs: a count, and how many of the 36 rolls it counts."""
    rolls, limit = sum(count for count, _ in counts), CHI_SQUARE_99[len(counts) - 1]
    found = None
    if rolls > 0:
        found = sum((Fraction(36 * count**2, ways * rolls) for count, ways in counts), Fraction(0)) - rolls
    judged = found is not None and rolls >= EXPECTED_MIN * 36
    verdict: Verdict = "too few" if found is None or not judged else "outside" if found > limit else "inside"
    return Fairness(mode=mode, over=over, rolls=rolls, chi_square=found, limit=limit, verdict=verdict)


# --- Seats, tickets, meters, accounts ---


def _meters(book: TableBook) -> Iterator[MeterRow]:
    """All meters of a table, for cash and for play."""
    reads, before = _metered(book.table), _metered(book.before)
    for meter in sorted({*reads, *before}):
        yield MeterRow(
            table=book.stream,
            meter=meter,
            unit="count" if COUNTS.search(meter) else "cents",
            reads=reads[meter],
            change=reads[meter] - before[meter],
        )


COUNTS = re.compile(r"_count$|:games$|:bills_(\d+|other)$|:win$|:lose$|:push$|^no_roll:")
"""The names of meters that count; the others are cents."""


def _metered(table: Table | None) -> Counter[str]:
    return Counter({**table.cash_meters, **table.play_meters} if table else {})


def _seats(book: TableBook, tally: Tally) -> Iterator[SeatPlayed]:
    change = {meter.meter: meter.change for meter in _meters(book)}
    for seat in book.playing.seats:
        counts = Counter(
            {
                name: change.get(seat_meter(seat.number, name.removesuffix("_cents")), 0)
                for name in SeatPlayed.__struct_fields__
            }
        )
        counts["wagers"] = tally.wagers[book.stream, seat.number]
        if any(counts.values()):
            yield _row(SeatPlayed, counts, table=book.stream, seat=seat.number)


TICKETS = (
    "issued",
    "issued as tips",
    "not printed",
    "cancelled, due by hand",
    "redeemed at tables",
    "paid at the cage",
    "paid at the cage after it expired",
    "voided",
    "outstanding",
    "of these expired",
)


def _progressives(scope: Scope, tally: Tally, books: list[Book]) -> Iterator[ProgressiveMeter]:
    held = Counter[str]()
    for each in books:
        held.update({held: cents for held, cents in each.accounts.items() if key_of(held).kind == "progressive"})
    for meter in sorted({key_of(account).owner for account in held}):
        counts = Counter({name: amount for (which, name), amount in tally.meters.items() if which == meter})
        yield _row(
            ProgressiveMeter,
            counts,
            meter=meter,
            reading_cents=None if scope.table else held[progressive(meter)],
            reserve_cents=held[reserve(meter)],
        )


def _ledger(tally: Tally, books: list[Book]) -> list[Balance]:
    """Every account; those of seats are added up."""
    balance, change = Counter[str](), Counter[str]()
    for each in books:
        for account, cents in each.accounts.items():
            balance[_collected(account)] += cents
    for (_, account), cents in tally.ledger.items():
        change[_collected(account)] += cents
    return [
        Balance(account=account, balance_cents=balance[account], change_cents=change[account])
        for account in sorted({*balance, *change})
    ]


def _collected(account: str) -> str:
    return f"seats:{key_of(account).part}" if is_seats(account) else account
