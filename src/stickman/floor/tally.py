"""Reads a journal record by record and adds it up for reports.

A roll that was taken back is subtracted in the period in which that happened, so that the sums of two periods add
up to the sum over both.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import ClassVar, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import fields, replace

from stickman.floor import events as e
from stickman.floor.boxman import played_on
from stickman.floor.journal import BadRecord, events_of, is_numbered
from stickman.floor.verify import PROGRESS_EVERY, Progress
from stickman.rules.felt import Line
from stickman.rules.game import Game
from stickman.rules.layout import Layout
from stickman.rules.machine import Decided
from stickman.rules.money import dollars
from stickman.store.store import EMPTY, FLOOR, Head, Record, Store, breaks
from stickman.table import messages as m
from stickman.table.asking import layout_of
from stickman.table.ledger import Transfer, book, is_seats, key_of
from stickman.table.messages import Dice, Event, Mode
from stickman.table.state import Table

LOG_MAX = 10_000
"""Lines of a log that are kept, the newest; all are counted."""
CURVE_MAX = 512
"""Points of a curve that are kept."""

Log = Literal["significant", "staff"]
SIGNIFICANT: tuple[type[Event], ...] = (
    m.TableOpened,
    m.ModeSelected,
    m.TablePaused,
    m.TableResumed,
    m.DoorOpened,
    m.DoorClosed,
    m.TableDoorOpened,
    m.TableDoorClosed,
    m.TableLockedUp,
    m.TableCleared,
    m.KeyTurned,
    m.TableKeyTurned,
    m.SeatLockedUp,
    m.PartRepaired,
    m.PaperUnaccounted,
    m.PrintFailed,
    m.TicketCancelled,
    m.PrintedLate,
    m.PaperAsked,
    m.Dropped,
    m.StackerBack,
    m.DeviceDistrusted,
    m.DeviceSettled,
    m.DeviceRemoved,
    m.TotalsHeard,
    m.ProgramHeard,
    m.LockupCleared,
    m.PinMissed,
    m.LinkLost,
    m.LinkRestored,
    m.HandPayCalled,
    m.HandPaid,
    m.CreditGiven,
    e.DrawerOpened,
    e.DrawerShut,
    e.DrawerClosed,
    m.RollVoided,
    m.OwedToLeft,
    m.NoRollCalled,
    m.PuckPutOff,
    e.ClockJumped,
    e.ClockOverridden,
    e.JournalAdopted,
    e.KeyRotated,
    e.CheckpointsBegun,
    e.ProgramStarted,
    e.DeviceProgramDiffers,
    e.TicketVoided,
    e.MeterOpened,
    e.MeterChangeWaits,
    e.MeterChanged,
    e.MeterMoved,
    e.TerminalOffered,
    e.TerminalEnrolled,
    e.TerminalRevoked,
    e.EnrolmentFailed,
)
ABOUT_STAFF: tuple[type[Event], ...] = (
    m.DealerSignedIn,
    m.DealerSignedOut,
    e.AccountAdded,
    e.AccountRemoved,
    e.AccountLocked,
    e.AccountUnlocked,
    e.RoleChanged,
    e.PasswordChanged,
    e.SignedIn,
    e.SignInFailed,
    e.AttemptsRefused,
    e.DeedApproved,
)
LOGS: dict[type[Event], Log] = {
    **dict.fromkeys(SIGNIFICANT, "significant"),
    **dict.fromkeys(ABOUT_STAFF, "staff"),
}
"""The kinds of events that get a line in a log. Changes of settings and jackpots have their own sections."""


# --- What is asked ---


class NoSuchTable(ValueError):
    """A table without records; the message lists the tables that have some."""


class Scope(Struct, frozen=True, kw_only=True):
    """The scope of a report: all tables or one, all time or a part of it."""

    table: int | None = None
    since_ms: int | None = None
    """From a stream's first record at this time or later."""
    until_ms: int | None = None
    """Up to a stream's first record at this time or later, which is not included."""
    first_seq: int | None = None
    """For one table: from this record on."""
    last_seq: int | None = None
    """For one table: up to this record, which is included."""

    def begins(self, record: Record) -> bool:
        return record.at_ms >= (self.since_ms or 0) and record.seq >= (self.first_seq or 0)

    def is_over(self, record: Record) -> bool:
        late = self.until_ms is not None and record.at_ms >= self.until_ms
        return late or (self.last_seq is not None and record.seq > self.last_seq)


# --- What is kept one by one ---


class Stream(Struct, frozen=True, kw_only=True):
    """The records of a stream that were counted."""

    stream: int
    records: int
    first_seq: int
    last_seq: int
    first_ms: int
    last_ms: int
    digest: str
    """Of the last."""


class Jackpot(Struct, frozen=True, kw_only=True):
    """A progressive meter that was hit."""

    at_ms: int
    table: int
    seat: int
    meter: str
    hit: int
    """The number of the hit."""
    paid_cents: int
    voided: bool = False
    """The roll was taken back."""


class DrawerCount(Struct, frozen=True, kw_only=True):
    """A cash drawer that was counted and closed."""

    at_ms: int
    badge: str
    counted_by: str
    float_cents: int
    held_cents: int
    """What it should hold."""
    counted_cents: int
    difference_cents: int
    """Over if positive, short if negative."""


class Drop(Struct, frozen=True, kw_only=True):
    """One kind of paper in a stacker that was taken out, by the acceptor's count and by the journal's."""

    at_ms: int
    table: int
    seat: int
    paper: str
    """`tickets`, or the value of a bill."""
    counted: int
    """By the acceptor."""
    booked: int
    """By the journal, since the last drop."""
    difference: int
    """The acceptor's count less the journal's."""


class SettingRow(Struct, frozen=True, kw_only=True):
    """A setting that was changed."""

    at_ms: int
    stream: int
    key: str
    before: str
    after: str
    by: str
    fingerprint: str
    """Of the game from then on; empty for a setting of the floor."""


class Logged(Struct, frozen=True, kw_only=True):
    """One line of a log."""

    at_ms: int
    stream: int
    seq: int
    seat: int
    actor: str
    what: str
    detail: str


# --- What is summed ---


@dataclass(slots=True)
class BetCounts:
    """The sums of a bet of one game."""

    handle: int = 0
    outcomes: Counter[Decided] = field(default_factory=Counter)
    staked: int = 0
    squares: int = 0
    """The sum of the squared stakes that each roll decided."""
    taken: int = 0
    paid: int = 0
    jackpots: int = 0
    exact: Fraction = Fraction(0)
    """The payments as a par sheet counts them, without meters."""
    meters_won: int = 0


class _Curve:
    """A sum over time in a few hundred points. When there are too many, every second one is dropped."""

    def __init__(self) -> None:
        self._points: list[tuple[int, int]] = []
        self._every, self._seen = 1, 0
        self._last = (0, 0)

    def add(self, at_ms: int, cents: int) -> None:
        self._last = (at_ms, cents)
        if self._seen % self._every == 0:
            self._points.append(self._last)
        self._seen += 1
        if len(self._points) >= CURVE_MAX:
            self._points, self._every = self._points[::2], self._every * 2

    def points(self) -> list[tuple[int, int]]:
        return self._points if self._last in self._points[-1:] else [*self._points, self._last]


class _Log:
    """The newest lines of a log, and the count of all."""

    def __init__(self) -> None:
        self.count = 0
        self._newest: list[tuple[int, int, int, int, Logged]] = []

    def add(self, line: Logged) -> None:
        self.count += 1
        entry = (line.at_ms, line.stream, line.seq, self.count, line)
        if len(self._newest) < LOG_MAX:
            heapq.heappush(self._newest, entry)
        else:
            heapq.heappushpop(self._newest, entry)

    def lines(self) -> list[Logged]:
        return [line for *_, line in sorted(self._newest)]


class Tally:
    """All sums over the records in scope."""

    def __init__(self) -> None:
        self.streams: list[Stream] = []
        self.money: Counter[tuple[int, str]] = Counter()
        """By table and field of `Money`."""
        self.under_a_cent: defaultdict[int, Fraction] = defaultdict(Fraction)
        self.bills: Counter[tuple[int, int]] = Counter()
        self.games: dict[str, Game] = {}
        self.stretches: Counter[tuple[str, str]] = Counter()
        """By fingerprint and field of `Money`."""
        self.played: dict[str, tuple[int, int]] = {}
        """By fingerprint, the first and last time it was played."""
        self.tables: defaultdict[str, set[int]] = defaultdict(set)
        """By fingerprint."""
        self.bets: defaultdict[tuple[str, str], BetCounts] = defaultdict(BetCounts)
        self.wagers: Counter[tuple[int, int]] = Counter()
        self.tickets: Counter[tuple[str, str]] = Counter()
        self.meters: Counter[tuple[str, str]] = Counter()
        """By progressive meter and field of `ProgressiveMeter`."""
        self.jackpots: list[Jackpot] = []
        self.dealers: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.staff: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.settings: list[SettingRow] = []
        self.logs: dict[Log, _Log] = {"significant": _Log(), "staff": _Log()}
        self.dice: Counter[tuple[Mode, Dice]] = Counter()
        self.curves: defaultdict[int, _Curve] = defaultdict(_Curve)
        self.ledger: Counter[tuple[int, str]] = Counter()
        """By stream and account, its gain."""
        self.drawers: list[DrawerCount] = []
        self.drops: list[Drop] = []

    def add_ticket(self, what: str, cents: int) -> None:
        self.tickets[what, "count"] += 1
        self.tickets[what, "sum_cents"] += cents

    def add_moves(self, stream: int, transfers: Iterable[Transfer]) -> None:
        for transfer in transfers:
            self.ledger[stream, transfer.source] -= transfer.cents
            self.ledger[stream, transfer.target] += transfer.cents

    def add_setting(self, event: m.SettingChanged | e.FloorSettingChanged, record: Record) -> None:
        table = event if isinstance(event, m.SettingChanged) else None
        self.settings.append(
            SettingRow(
                at_ms=record.at_ms,
                stream=record.stream,
                key=event.key,
                before=event.before,
                after=event.after,
                by=table.by if table else record.actor,
                fingerprint=table.fingerprint if table else "",
            )
        )

    def add_line(self, event: Event, record: Record) -> None:
        """Log an event, if its kind is logged."""
        if log := LOGS.get(type(event)):
            self.logs[log].add(_line(event, record))


# --- Reading ---


async def tables_of(store: Store, only: int | None = None) -> list[int]:
    """The tables that have records, or the one that is asked for."""
    tables = [stream for stream in await store.streams() if stream != FLOOR]
    if only is not None and only not in tables:
        known = ", ".join(map(str, tables)) or "none, because there are no records"
        raise NoSuchTable(f"found table {only}; allowed: {known}")
    return tables if only is None else [only]


async def read(store: Store, book: Book, scope: Scope, tally: Tally, progress: Progress) -> None:
    """Read a stream up to its last record now, and count from where the scope begins. The records before are
    counted into a tally that is discarded."""
    head, first, last = await store.head(book.stream), None, None
    async for record in store.records(book.stream, upto=head.seq):
        if scope.is_over(record):
            break
        _check_follows(book.head, record)
        if not first and scope.begins(record):
            first = record
            book.begin(tally)
        with playable(record):
            book.turn(record)
        book.head, last = record.head, record
        if record.seq % PROGRESS_EVERY == 0:
            progress(book.stream, record.seq)
    else:
        if book.head != head:
            raise BadRecord(f"stream {book.stream} should end at record {head.seq}, not {book.head.seq}")
    progress(book.stream, book.head.seq)
    if first and last:
        tally.streams.append(_counted(first, last))
    else:
        book.begin(tally)


@contextmanager
def playable(record: Record) -> Iterator[None]:
    """Name the record whose events cannot be applied: forged events in an intact chain."""
    try:
        yield
    except (AssertionError, LookupError, ValueError) as problem:
        where = f"record {record.seq} of stream {record.stream}"
        raise BadRecord(f"{where} cannot be applied; run `stickman verify`: {problem}") from problem


def _check_follows(before: Head, record: Record) -> None:
    if breaks(before, record):
        raise BadRecord(
            f"record {before.seq + 1} of stream {record.stream} is missing, or does not follow from the one before"
            " it; run `stickman verify`"
        )


def _counted(first: Record, last: Record) -> Stream:
    return Stream(
        stream=last.stream,
        records=last.seq - first.seq + 1,
        first_seq=first.seq,
        last_seq=last.seq,
        first_ms=first.at_ms,
        last_ms=last.at_ms,
        digest=last.digest.hex(),
    )


class FloorBook:
    """The floor's stream, read record by record."""

    stream = FLOOR

    def __init__(self) -> None:
        self.head = EMPTY
        self.accounts: dict[str, int] = {}
        self._tally = Tally()

    def begin(self, tally: Tally) -> None:
        self._tally = tally

    def turn(self, record: Record) -> None:
        for event in events_of(record):
            if not isinstance(event, e.FloorEvent):
                raise BadRecord(f"record {record.seq} of the floor holds an event of a table")
            self.accounts = book(self.accounts, event.transfers)
            self._tally.add_moves(FLOOR, event.transfers)
            self._tally.add_line(event, record)
            if count := self._COUNTS.get(type(event)):
                count(self, event, record)

    def _paid(self, event: e.TicketPaid, _: Record) -> None:
        self._tally.add_ticket(f"paid at the cage{' after it expired' if event.expired else ''}", event.cents)

    def _drawer_closed(self, event: e.DrawerClosed, record: Record) -> None:
        self._tally.drawers.append(
            DrawerCount(
                at_ms=record.at_ms,
                badge=event.badge,
                counted_by=record.actor,
                float_cents=event.float_cents,
                held_cents=event.held_cents,
                counted_cents=event.counted_cents,
                difference_cents=event.difference_cents,
            )
        )

    def _add(self, badge: str, **counts: int) -> None:
        self._tally.staff[badge].update(counts)

    _COUNTS: ClassVar[dict[type[Event], Callable[..., None]]] = {
        e.TicketPaid: _paid,
        e.TicketVoided: lambda self, event, _: self._tally.add_ticket("voided", event.cents),
        e.DrawerClosed: _drawer_closed,
        e.SignedIn: lambda self, event, _: self._add(event.badge, sign_ins=1),
        e.SignInFailed: lambda self, event, _: self._add(event.badge, failures=1, lockouts=int(event.until_ms > 0)),
        e.AccountLocked: lambda self, event, _: self._add(event.badge, lockouts=1),
        e.FloorSettingChanged: lambda self, event, record: self._tally.add_setting(event, record),
    }
    """What events add besides their moves and their lines in a log."""


class _Roll(NamedTuple):
    """The last roll, which may still be taken back."""

    settled: m.Settled
    dice: Dice
    mode: Mode
    dealer: str
    jackpots: list[Jackpot]


class TableBook:
    """A table's stream, read record by record."""

    def __init__(self, stream: int) -> None:
        self.stream = stream
        self.head = EMPTY
        """The last record read."""
        self.table: Table | None = None
        self.before: Table | None = None
        """The table where counting began."""
        self.fingerprint = ""
        """Of the game, from the journal: this program may have other pay tables under the same name."""
        self._tally = Tally()
        self._record: Record
        self._dice: Dice = (0, 0)
        self._last: _Roll | None = None

    @property
    def playing(self) -> Table:
        assert self.table, "the first record opens the table"
        return self.table

    @property
    def accounts(self) -> dict[str, int]:
        return self.table.accounts if self.table else {}

    def begin(self, tally: Tally) -> None:
        self.before, self._tally = self.table, tally

    def turn(self, record: Record) -> None:
        self._record = record
        numbered = is_numbered(record)
        for event in events_of(record):
            self.table = played_on(self.table, (event,), numbered=numbered)
            if isinstance(event, m.TableOpened | m.SettingChanged):
                self.fingerprint = event.fingerprint
            self._tally.add_moves(self.stream, event.transfers)
            self._tally.add_line(event, record)
            if count := self._COUNTS.get(type(event)):
                count(self, event)
            self._add_fees(event.transfers)
        tally, played = self._tally, self.fingerprint
        tally.games[played] = self.playing.game
        tally.tables[played].add(self.stream)
        tally.played[played] = tally.played.get(played, (record.at_ms, 0))[0], record.at_ms

    def _add(self, **amounts: int) -> None:
        """Count for the table and for its game."""
        for name, amount in amounts.items():
            self._tally.money[self.stream, name] += amount
            self._tally.stretches[self.fingerprint, name] += amount

    def _add_fees(self, transfers: Iterable[Transfer]) -> None:
        """Only fees move between a seat and the commission account."""
        for transfer in transfers:
            if transfer.target == "commission" and is_seats(transfer.source):
                self._add(fees_cents=transfer.cents)
            elif transfer.source == "commission" and is_seats(transfer.target):
                self._add(fees_cents=-transfer.cents)

    # --- Money in and out ---

    def _cash_inserted(self, event: m.CashInserted) -> None:
        self._add(bills_cents=event.cents)
        self._tally.bills[self.stream, event.cents] += 1

    def _ticket_redeemed(self, event: m.TicketRedeemed) -> None:
        self._add(tickets_in_cents=event.cents)
        self._tally.add_ticket("redeemed at tables", event.cents)

    def _print_ended(self, event: m.PrintEnded) -> None:
        failed = isinstance(event, m.PrintFailed)
        self._tally.add_ticket("not printed" if failed else "cancelled, due by hand", event.cents)

    def _dropped(self, event: m.Dropped) -> None:
        """A row for each kind of paper that either has counted."""
        counted, booked = event.counted, event.booked
        papers = [
            (dollars(cents), counted.bills.get(cents, 0), booked.bills.get(cents, 0))
            for cents in sorted({*counted.bills, *booked.bills})
        ]
        papers.append(("tickets", counted.tickets, booked.tickets))
        for paper, by_device, by_journal in papers:
            self._tally.drops.append(
                Drop(
                    at_ms=self._record.at_ms,
                    table=self.stream,
                    seat=event.seat,
                    paper=paper,
                    counted=by_device,
                    booked=by_journal,
                    difference=by_device - by_journal,
                )
            )

    def _ticket_printed(self, event: m.TicketPrinted) -> None:
        self._add(tickets_out_cents=event.cents)
        self._tally.add_ticket("issued", event.cents)

    def _tipped(self, event: m.Tipped) -> None:
        self._add(tips_cents=event.cents)
        self._tally.add_ticket("issued as tips", event.cents)
        self._tally.dealers[self.playing.dealer].update(tips=1, tips_cents=event.cents)

    # --- Play ---

    def _bets_closed(self, event: m.BetsClosed) -> None:
        for seat in event.seats:
            self._add(handle_cents=sum(seat.handle.values()))
            self._tally.wagers[self.stream, seat.seat] += len(seat.handle)
            for bet, cents in seat.handle.items():
                self._tally.bets[self.fingerprint, bet].handle += cents
        for transfer in event.transfers:
            kind, meter, reserve = key_of(transfer.target)
            if kind == "progressive" and not reserve:
                self._tally.meters[meter, "contributions_cents"] += transfer.cents

    def _dice_rolled(self, event: m.DiceRolled) -> None:
        self._dice = event.dice

    def _settled(self, event: m.Settled) -> None:
        self._last = _Roll(event, self._dice, self.playing.mode, self.playing.dealer, self._jackpots(event))
        self._settle(self._last, 1)
        self._tally.jackpots += self._last.jackpots

    def _roll_voided(self, event: m.RollVoided) -> None:
        assert self._last, "only a roll can be taken back"
        self._settle(self._last, -1)
        self._tally.jackpots = [
            replace(jackpot, voided=True) if jackpot in self._last.jackpots else jackpot
            for jackpot in self._tally.jackpots
        ]
        self._tally.dealers[event.by]["reversals"] += 1

    def _settle(self, roll: _Roll, sign: int) -> None:
        """Count a roll, or subtract one that was taken back."""
        tally, settled, staked = self._tally, roll.settled, Counter[str]()
        for seat in settled.seats:
            self._add(paid_cents=sign * seat.paid_cents)
            won = Counter(line.meter for line in seat.lines if line.meter)
            for line in seat.lines:
                award = seat.awards[line.meter] // won[line.meter] if line.meter else 0
                self._settle_line(line, award, sign)
                staked[line.bet] += line.stake_cents
        for bet, cents in staked.items():
            tally.bets[self.fingerprint, bet].squares += sign * cents * cents
        for meter in settled.hits:
            paid = sum(seat.awards.get(meter, 0) for seat in settled.seats)
            tally.meters[meter, "hits"] += sign
            tally.meters[meter, "paid_cents"] += sign * paid
        self._add(rolls=sign, envy_cents=sign * settled.envy_cents)
        tally.under_a_cent[self.stream] += sign * settled.under_a_cent
        tally.dice[roll.mode, roll.dice] += sign
        tally.dealers[roll.dealer].update(rolls=sign, envy_cents=sign * settled.envy_cents)
        held = [tally.money[self.stream, name] for name in ("taken_cents", "fees_cents", "paid_cents")]
        tally.curves[self.stream].add(self._record.at_ms, held[0] + held[1] - held[2])

    def _settle_line(self, line: Line, award: int, sign: int) -> None:
        bet = self._tally.bets[self.fingerprint, line.bet]
        bet.outcomes[line.decided] += sign
        bet.staked += sign * line.stake_cents
        bet.taken += sign * line.taken_cents
        bet.paid += sign * line.payment.paid_cents
        bet.jackpots += sign * award
        if line.meter:
            bet.meters_won += sign
        elif line.decided is Decided.WIN:
            bet.exact += sign * _exact_win(layout_of(self.playing), line)
        self._add(taken_cents=sign * line.taken_cents)

    def _jackpots(self, settled: m.Settled) -> list[Jackpot]:
        return [
            Jackpot(
                at_ms=self._record.at_ms, table=self.stream, seat=seat.seat, meter=meter, hit=hit, paid_cents=cents
            )
            for meter, hit in settled.hits.items()
            for seat in settled.seats
            if (cents := seat.awards.get(meter, 0))
        ]

    _COUNTS: ClassVar[dict[type[Event], Callable[..., None]]] = {
        m.CashInserted: _cash_inserted,
        m.CreditGiven: lambda self, event: self._add(credit_given_cents=event.cents),
        m.TicketRedeemed: _ticket_redeemed,
        m.TicketPrinted: _ticket_printed,
        m.Tipped: _tipped,
        m.PrintFailed: _print_ended,
        m.TicketCancelled: _print_ended,
        m.Dropped: _dropped,
        m.HandPaid: lambda self, event: self._add(hand_pays_cents=event.cents),
        m.BetsClosed: _bets_closed,
        m.DiceRolled: _dice_rolled,
        m.Settled: _settled,
        m.RollVoided: _roll_voided,
        m.NoRollCalled: lambda self, _: self._tally.dealers[self.playing.dealer].update(no_rolls=1),
        m.DealerSignedIn: lambda self, event: self._tally.dealers[event.dealer].update(sign_ins=1),
        m.SettingChanged: lambda self, event: self._tally.add_setting(event, self._record),
    }
    """What events add besides their moves and their lines in a log."""


Book = FloorBook | TableBook


def _exact_win(layout: Layout, line: Line) -> Fraction:
    """What a win pays as a par sheet counts it: before rounding, less commission."""
    payment = line.payment
    whole = payment.paid_cents + payment.commission_cents + payment.breakage_cents + payment.under_a_cent
    terms = layout.game.commission_of(layout.bets[line.bet].family)
    if terms is None or terms.when == "upfront":
        return whole
    return whole - terms.of(whole / line.stake_cents) * line.stake_cents


# --- Logs ---


HIDDEN = {
    "transfers",
    "seat",
    "at_seat",
    "felt",
    "felts",
    "hand",
    "game",
    "settings",
    "left_ms",
    "deadline_ms",
    "expires_at_ms",
    "at_ms",
    "until_ms",
    "deed",
    *e.SECRET_FIELDS,
}
"""Fields that no line of a log shows."""


def seat_of(event: Event) -> int:
    """The seat that an event is about; 0 for none."""
    match event:
        case m.SeatEvent(seat=seat) | m.DeviceEvent(at_seat=seat):
            return seat
    return 0


def _line(event: Event, record: Record) -> Logged:
    return Logged(
        at_ms=record.at_ms,
        stream=record.stream,
        seq=record.seq,
        seat=seat_of(event),
        actor=record.actor,
        what=str(event.__struct_config__.tag).replace("_", " "),
        detail=", ".join(_details(event)),
    )


def _details(event: Event) -> Iterator[str]:
    for each in fields(event):
        value, (*name, unit) = getattr(event, each.name), each.name.split("_")
        if each.name in HIDDEN or value == each.default or value in ("", {}):
            continue
        match unit:
            case "cents":
                yield " ".join([*name, dollars(value)])
            case "ms":
                yield " ".join([*name, f"{value:,} ms"])
            case _:
                yield " ".join([*name, unit, _shown(value)])


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    if isinstance(value, m.Stacked):
        bills = [f"{count} x {dollars(cents)}" for cents, count in sorted(value.bills.items())]
        return ", ".join([*bills, f"{value.tickets} tickets"])
    if isinstance(value, m.PrintedTicket):  # its number is worth its money
        return dollars(value.cents)
    if isinstance(value, dict):  # by seat, cents
        return ", ".join(f"seat {seat} {dollars(cents)}" for seat, cents in value.items())
    text = str(value.value if isinstance(value, Enum) else value)
    # Old texts may contain control characters, and reports are shown on terminals.
    return text if text.isprintable() else text.encode("unicode_escape").decode()
