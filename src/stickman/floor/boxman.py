"""The boxman reads and writes one table's records. His table is exactly what the journal says.

He works under a lease: until another process takes it over, only he may write these records. After a failed write
he reads again. Snapshots make a start quick; the record after a snapshot contains its SHA-256, so the chain vouches
for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from stickman.floor import journal
from stickman.floor.journal import BadRecord, events_of
from stickman.rules.game import Game
from stickman.store import store as s
from stickman.store.store import EMPTY, Entry, Head, Lease, Record, Store, StoredSnapshot
from stickman.table.asking import layout_of
from stickman.table.evolve import evolve
from stickman.table.messages import Event, TableOpened
from stickman.table.state import Table, new_table

log = structlog.get_logger()

SNAPSHOT_VERSION = 6
"""Of the table as a value. Snapshots of another version are ignored: the table is built from its records."""
SNAPSHOT_EVERY = 10_000
"""Records between two snapshots, and so about the most that a start has to replay."""
COMMANDS_KEPT = 4096
"""Command ids that are known without the store: far more than a screen can have unanswered when its
connection fails."""


class Versioned(Struct, frozen=True):
    """The beginning of every snapshot; 0 for the oldest, which had no version."""

    v: int = 0


class TableSnapshot(Struct, frozen=True):
    """The content of a snapshot."""

    v: int
    table: Table


SNAPSHOTS = msgspec.json.Decoder(TableSnapshot, dec_hook=journal.from_text)
VERSIONS = msgspec.json.Decoder(Versioned)


class NewRecord(NamedTuple):
    """What becomes one record. `command` is the id of the accepted command; it is empty if the table itself caused
    the events."""

    events: Sequence[Event]
    at_ms: int
    actor: str
    command: str = ""


class Page(NamedTuple):
    """A table after one of its records, as if the journal were a book with a page for each record."""

    table: Table
    head: Head
    at_ms: int
    """When the last record was written."""


# --- Reading ---


async def read(store: Store, stream: int, upto: int | None = None, page: Page | None = None) -> Page | None:
    """A table after a record (by default the last), built from a page or from its first record; none if it has no
    records."""
    async for record in store.records(stream, page.head.seq if page else 0, upto):
        page = turned(page, record)
    return page


def turned(page: Page | None, record: Record) -> Page:
    """The next page: the table after this record, which must follow in the chain."""
    before = page.head if page else EMPTY
    if fault := s.breaks(before, record):
        what = "is missing" if fault == "missing" else "does not follow from the one before it"
        raise BadRecord(f"record {before.seq + 1} of stream {record.stream} {what}")
    table = played_on(page.table if page else None, events_of(record), numbered=journal.is_numbered(record))
    return Page(table, record.head, record.at_ms)


def played_on(table: Table | None, events: Sequence[Event], *, numbered: bool = False) -> Table:
    """The table after a record's events; the first record opens it. `numbered`: the record is of journal versions 1
    to 3, which wrote a wager's state as a number (`journal.is_numbered`)."""
    if table is None:
        opened = events[0] if events else None
        if not isinstance(opened, TableOpened):
            raise BadRecord("the first record of a table must open it")
        table = replace(new_table(opened.game), fingerprint=opened.fingerprint)
    for event in events:
        table = evolve(table, journal.named(event, layout_of(table)) if numbered else event)
    return table


async def read_newest(store: Store, stream: int) -> Page | None:
    """A table as it is now, from its newest snapshot if that can be trusted."""
    return await read(store, stream, page=await _from_snapshot(store, stream))


async def _from_snapshot(store: Store, stream: int) -> Page | None:
    """The table of the newest snapshot; none if there is none that the chain vouches for."""
    snapshot = await store.snapshot(stream)
    if snapshot is None:
        return None
    at = await store.record(stream, snapshot.head.seq)
    after = await store.record(stream, snapshot.head.seq + 1)
    where = {"stream": stream, "head": snapshot.head.seq}
    if at is None or not vouched(snapshot, at, after):
        log.critical("no record vouches for a snapshot, so it is ignored; run `stickman verify`", **where)
        return None
    table = table_of(snapshot)
    if table is None:
        log.warning("a snapshot of another version is ignored, the table is built from its records", **where)
        return None
    return Page(table, snapshot.head, at.at_ms)


def vouched(snapshot: StoredSnapshot, at: Record, after: Record | None) -> bool:
    """Whether the chain vouches for a snapshot: the record after it contains its SHA-256."""
    known = s.DECODER.decode(after.body).snapshot if after else ""
    return at.digest == snapshot.head.digest and known == hashlib.sha256(snapshot.body).hexdigest()


def table_of(snapshot: StoredSnapshot) -> Table | None:
    """The table in a snapshot; none if the snapshot is of another version. `msgspec.DecodeError` if it cannot be
    read; the chain would not vouch for such bytes."""
    if VERSIONS.decode(snapshot.body).v != SNAPSHOT_VERSION:
        return None
    return SNAPSHOTS.decode(snapshot.body).table


def snapshot_bytes(table: Table) -> bytes:
    """A table as the bytes of a snapshot."""
    return journal.ENCODER.encode(TableSnapshot(SNAPSHOT_VERSION, table))


# --- Writing ---


class Boxman:
    """Reads and writes one table's records, under a lease."""

    def __init__(self, store: Store, lease: Lease, page: Page, snapshot_at: int = 0) -> None:
        self.store, self.lease, self.page = store, lease, page
        self._snapshot_at = snapshot_at
        """The last record that the newest snapshot includes."""
        self._commands: dict[str, None] = {}
        """The newest command ids that this process wrote, or found in `read_again`, oldest first."""

    @property
    def table(self) -> Table:
        return self.page.table

    @classmethod
    async def sit(cls, store: Store, lease: Lease, game: Game, at_ms: int) -> Boxman:
        """Open the table as its last record left it. `game` is for a table without records."""
        known = await _from_snapshot(store, lease.stream)
        page = await read(store, lease.stream, page=known)
        if page is None:
            opened = NewRecord((TableOpened(game=game, fingerprint=game.fingerprint()),), at_ms, "house")
            entry = cls._entry(lease.stream, EMPTY, opened)
            head = await store.append(s.Batch(lease.stream, lease.epoch, EMPTY, (entry,)))
            page = Page(new_table(game), head, at_ms)
        return cls(store, lease, page, known.head.seq if known else 0)

    async def read_again(self) -> None:
        """Read the records after the known page, after any append that failed."""
        async for record in self.store.records(self.lease.stream, after=self.page.head.seq):
            self.page = turned(self.page, record)
            self._remember(record.command)

    def wrote(self, command: str) -> bool:
        """Whether a command id is known to be in the journal. False means only that it is not remembered: then the
        append fails if the journal has it."""
        return command in self._commands

    def _remember(self, command: str) -> None:
        if command:
            self._commands[command] = None
        if len(self._commands) > COMMANDS_KEPT:
            del self._commands[next(iter(self._commands))]

    async def write(self, records: Sequence[NewRecord], table: Table) -> None:
        """Write records durably, all or none; `table` is what they lead to. A snapshot that is due shows the table
        before them. The first of them contains its digest, and it is stored after them, so that no stored snapshot
        is without a record that vouches for it."""
        snapshot, before = self._due_snapshot(), self.page.head
        entries: list[Entry] = []
        head = before
        for record in records:
            digest = hashlib.sha256(snapshot).hexdigest() if snapshot and not entries else ""
            entries.append(self._entry(self.lease.stream, head, record, digest))
            head = entries[-1].record.head
        batch = s.Batch(self.lease.stream, self.lease.epoch, before, tuple(entries))
        self.page = Page(table, await self.store.append(batch), records[-1].at_ms)
        for record in records:
            self._remember(record.command)
        if snapshot:
            await self.store.keep_snapshot(StoredSnapshot(self.lease.stream, before, snapshot))
            self._snapshot_at = before.seq

    def _due_snapshot(self) -> bytes:
        due = self.page.head.seq - self._snapshot_at >= SNAPSHOT_EVERY
        return snapshot_bytes(self.table) if due else b""

    @staticmethod
    def _entry(stream: int, head: Head, record: NewRecord, snapshot: str = "") -> Entry:
        return journal.entry(
            head,
            record.events,
            stream=stream,
            at_ms=record.at_ms,
            actor=record.actor,
            command=record.command,
            snapshot=snapshot,
        )
