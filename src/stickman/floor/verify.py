"""Checks that a journal is intact: every record follows from the one before, every column, claim and move equals
what the record's bytes say, every cent is accounted for.

Each stream is read from its first record, its table is built again, and its snapshot and head are compared. The
first wrong record is named, and the rest of that stream is not checked. If all streams are right, what they share
is compared: meters and tickets. In any case every row of the database must belong to a record, its schema must be
the one that the migrations make, and the signed checkpoints outside the database must agree. A store with a key
checks the MACs while it is read (`store/sealed`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from stickman.floor import events as e
from stickman.floor import journal, office, tickets
from stickman.floor.boxman import played_on, table_of
from stickman.floor.journal import BadRecord, events_of, is_numbered
from stickman.store.checkpoints import Checkpoint, disagreements
from stickman.store.sealed import Forged
from stickman.store.store import DECODER, EMPTY, FLOOR, Entry, Head, Record, Store, StoredSnapshot, breaks
from stickman.table import messages as m
from stickman.table.messages import Event
from stickman.table.state import Table

Progress = Callable[[int, int], None]
"""Called with the stream and the number of its records that were checked."""
PROGRESS_EVERY = 1_000


DATABASE = -1
"""Not a stream: a fault of the database as a whole."""


class Fault(NamedTuple):
    """A fault: its stream, its record (0: the stream as a whole), and what is wrong."""

    stream: int
    seq: int
    what: str

    def __str__(self) -> str:
        if self.stream == DATABASE:
            return f"the database: {self.what}"
        at = f"record {self.seq} of stream {self.stream}" if self.seq else f"stream {self.stream}"
        return f"{at}: {self.what}"


class Verdict(NamedTuple):
    """The result of a check."""

    heads: dict[int, Head]
    """By stream, the last record that is right."""
    faults: list[Fault]
    """The first fault of each stream, or if there is none, those of meters and tickets; then those of the database
    and of the checkpoints."""

    @property
    def records(self) -> int:
        return sum(head.seq for head in self.heads.values())


class Sums(NamedTuple):
    """The shared parts, according to the records."""

    shared: Counter[tuple[str, int]]
    """By shared account and stream."""
    issued: dict[str, tuple[int, Fault]]
    """By ticket, its cents and the record that took its number."""
    printed: dict[str, tuple[int, Fault]]
    """By ticket that was reserved first, its cents and the record that printed it."""
    held: list[tuple[str, Fault]]
    """Tickets that an acceptor held, or let go."""
    ended: dict[str, tuple[int, Fault]]
    """By ended ticket, its cents and the record that ended it."""
    noted: list[office.Noted]
    """The checkpoint that the floor noted last; empty if the floor's stream is wrong."""


async def verify(
    store: Store,
    checkpoint: Checkpoint | None = None,
    progress: Progress = lambda _stream, _seq: None,
    *,
    line_digest: Callable[[int], str] | None = None,
    ticket_keys: Sequence[bytes] = (),
) -> Verdict:
    """Check a whole journal. With a checkpoint, also that all that was signed is still there; with `line_digest`,
    the SHA-256 of a line of the file of checkpoints, also that this file has what the journal noted; with the keys
    of tickets, also that each table printed only its own numbers."""
    sums = Sums(Counter(), {}, {}, [], {}, [])
    heads, faults = dict[int, Head](), list[Fault]()
    for stream in await store.streams():
        heads[stream], fault = await _check_stream(store, stream, sums, progress)
        faults += [fault] if fault else await _check_head(store, stream, heads[stream])
    if not faults:  # with a stream cut short, these sums would be wrong
        faults = [*await _check_shared(store, sums), *_check_tickets(sums, ticket_keys)]
    faults += await _check_database(store)
    if checkpoint:
        faults += await _check_signed(store, checkpoint)
    if line_digest:
        faults += _check_noted(sums, line_digest)
    return Verdict(heads, faults)


# --- A stream, record by record ---


class _Builder:
    """A stream that is built again while it is checked."""

    def __init__(self, stream: int) -> None:
        self.stream = stream
        self.head = EMPTY
        self.table: Table | None = None
        self.floor = office.Floor()

    def build(self, events: tuple[Event, ...], *, numbered: bool) -> None:
        """Apply events; `BadRecord` or an assertion of ours if that is not possible."""
        if self.stream == FLOOR:
            for event in events:
                assert isinstance(event, e.FloorEvent), f"{type(event).__name__} is not an event of the floor"
                self.floor = office.evolve(self.floor, event)
        else:
            self.table = played_on(self.table, events, numbered=numbered)
            assert not sum(self.table.accounts.values()), "the accounts do not add up to zero"


async def _check_stream(store: Store, stream: int, sums: Sums, progress: Progress) -> tuple[Head, Fault | None]:
    """The last right record of a stream, and its first fault."""
    built = _Builder(stream)
    snapshot = await store.snapshot(stream)
    try:
        async for entry in store.entries(stream):
            events = _examined(built.head, entry)
            built.build(events, numbered=is_numbered(entry.record))
            if snapshot and (wrong := _misrepresents(snapshot, built, entry.record)):
                return built.head, Fault(stream, snapshot.head.seq, wrong)
            built.head = entry.record.head
            _add_up(sums, entry, events)
            if built.head.seq % PROGRESS_EVERY == 0:
                progress(stream, built.head.seq)
    except Forged as problem:
        return built.head, Fault(stream, problem.seq, problem.what)
    except (BadRecord, AssertionError, LookupError, ValueError) as problem:
        return built.head, Fault(stream, built.head.seq + 1, str(problem))
    progress(stream, built.head.seq)
    if stream == FLOOR:
        sums.noted.append(built.floor.checkpoint)
    if snapshot and snapshot.head.seq == built.head.seq:  # it is stored only after the record that vouches for it
        return built.head, Fault(stream, snapshot.head.seq, UNVOUCHED)
    return built.head, None


UNVOUCHED = "the next record does not vouch for its snapshot"


def _misrepresents(snapshot: StoredSnapshot, built: _Builder, record: Record) -> str:
    """What is wrong with a snapshot. It is checked at its own record and at the next, which vouches for it. Of
    another version, its table is not compared."""
    if record.seq == snapshot.head.seq:
        try:
            table = table_of(snapshot)
        except msgspec.DecodeError:
            return "its snapshot cannot be read"
        same = snapshot.head == record.head and table in (None, built.table)
        return "" if same else "its snapshot differs from the table that the records make"
    if record.seq == snapshot.head.seq + 1:
        known = DECODER.decode(record.body).snapshot == hashlib.sha256(snapshot.body).hexdigest()
        return "" if known else UNVOUCHED
    return ""


def _examined(before: Head, entry: Entry) -> tuple[Event, ...]:
    """The events of a record, if it follows and its copies are right; otherwise `BadRecord` says what is wrong."""
    record = entry.record
    match breaks(before, record):
        case "missing":
            raise BadRecord(f"missing; the next one is record {record.seq}")
        case "changed":
            raise BadRecord("does not follow from the record before it: changed, removed or reordered")
    events = events_of(record)
    body = DECODER.decode(record.body)
    copies = (record.stream, record.seq, record.at_ms, record.command, record.actor)
    if copies != (body.stream, body.seq, body.at_ms, body.command, body.actor):
        raise BadRecord(f"its columns contain {copies}, its bytes something else")
    if msgspec.json.encode(msgspec.json.decode(record.body)) != record.body:
        raise BadRecord("its bytes are not in the form that is written: a key twice, or a space")
    if not (sorted(entry.claims) == sorted(body.claims) == sorted(journal.claims_of(events))):
        raise BadRecord(f"it took the claims {body.claims}, but {entry.claims} are stored")
    moves = journal.moves_of(events)
    if sorted(moves) != sorted(entry.moves):
        raise BadRecord(f"it moved {moves}, but {entry.moves} are stored")
    return events


# --- What streams share, and the database ---


def _add_up(sums: Sums, entry: Entry, events: tuple[Event, ...]) -> None:
    record = entry.record
    for account, cents in journal.shared_of(entry.moves):
        sums.shared[account, record.stream] += cents
    where = Fault(record.stream, record.seq, "")
    for event in events:
        match event:
            case m.PrintedIssue(reserved=True):
                sums.printed[event.number] = (event.cents, where)
            case m.TicketIssued():
                sums.issued[event.number] = (event.cents, where)
            case m.TicketHeld() | m.TicketReleased():
                sums.held.append((event.number, where))
            case m.TicketRedeemed() | m.PrintEnded() | e.TicketEnded():
                sums.ended[event.number] = (event.cents, where)


async def _check_head(store: Store, stream: int, head: Head) -> list[Fault]:
    stored = await store.head(stream)
    if stored == head:
        return []
    if stored.seq > head.seq:
        what = f"missing: the stream should end at record {stored.seq}, not {head.seq}"
        return [Fault(stream, head.seq + 1, what)]
    return [Fault(stream, 0, f"its head is record {stored.seq}, but its last record is {head.seq}")]


async def _check_shared(store: Store, sums: Sums) -> list[Fault]:
    """The stored shares of the shared accounts are exactly what the records moved there."""
    faults, kept = [], await store.all_shared()
    for account, stream in sorted(kept.keys() | sums.shared.keys()):
        cents = sums.shared.get((account, stream))
        if kept.get((account, stream), 0) != cents:
            stored = f"{kept[account, stream]} cents" if (account, stream) in kept else "nothing"
            what = f"{account} has {stored} from this stream, but its records gave {cents or 0} cents"
            faults.append(Fault(stream, 0, what))
    return faults


async def _check_database(store: Store) -> list[Fault]:
    """Every row belongs to a record, and the schema is ours."""
    strays = [
        Fault(each.stream, each.seq, f"no such record, but the table {each.table} has a row for it: {each.what}")
        for each in await store.strays()
    ]
    return strays + [Fault(DATABASE, 0, what) for what in await store.schema_faults()]


async def _check_signed(store: Store, checkpoint: Checkpoint) -> list[Fault]:
    """The journal has all that was signed."""
    try:
        found = await disagreements(store, checkpoint)
    except BadRecord as problem:
        return [Fault(DATABASE, 0, f"it cannot be compared with checkpoint {checkpoint.number}: {problem}")]
    return [Fault(f.stream, f.seq, f"{f.what}, by checkpoint {f.number}") for f in found]


def _check_noted(sums: Sums, line_digest: Callable[[int], str]) -> Iterator[Fault]:
    """The file of checkpoints has what the journal noted."""
    for noted in sums.noted:
        if noted.number and line_digest(noted.number) != noted.digest:
            what = f"it noted checkpoint {noted.number}, which is not in the file: cut off, or another file"
            yield Fault(FLOOR, 0, what)


def _check_tickets(sums: Sums, keys: Sequence[bytes]) -> Iterator[Fault]:
    """Every ticket that was printed, redeemed, paid, voided or cancelled was issued for the same amount; with keys,
    also by the table that its number names. Acceptors held only tickets that were issued."""
    for number, (_, where) in sums.issued.items() if keys else ():
        if where.stream not in [made[0] for made in (tickets.origin(key, number) for key in keys) if made]:
            yield where._replace(what=f"ticket {number} has a number that was not made for this table")
    for number, where in sums.held:
        if number not in sums.issued:
            yield where._replace(what=f"ticket {number}, never issued, was held")
    for what, found in (("printed", sums.printed), ("ended", sums.ended)):
        for number, (cents, where) in found.items():
            worth = sums.issued[number][0] if number in sums.issued else None
            if worth != cents:
                issued = "never issued" if worth is None else f"issued for {worth} cents"
                yield where._replace(what=f"ticket {number}, {issued}, {what} for {cents} cents")
