"""The boxman keeps a table's book: the table as the journal says it is, and nothing that is not in the journal yet.

He opens the book under a lease, writes what was decided, and after any failure reads again. A snapshot now and then
keeps the reading short; the record after it holds its SHA-256, so the chain vouches for it.
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
from stickman.store.store import (
    DECODER,
    EMPTY,
    Batch,
    Entry,
    Head,
    Lease,
    Record,
    Store,
    StoredSnapshot,
    breaks,
)
from stickman.table.evolve import evolve_all
from stickman.table.messages import Event, Request, TableOpened
from stickman.table.state import Table, new_table

log = structlog.get_logger()

SNAPSHOT_VERSION = 4
"""Of the table as a value. Snapshots of another version are ignored: the table is built from its records."""
SNAPSHOT_EVERY = 10_000
"""Records between two snapshots: what a start has to replay at most, but for what came after the newest."""
COMMANDS_KEPT = 4096
"""Command ids that are known without asking the store: many more than a screen has open when its link fails."""


class Versioned(Struct, frozen=True):
    """How every snapshot begins; 0: from before they had a version."""

    v: int = 0


class TablePicture(Struct, frozen=True):
    """What the bytes of a snapshot say."""

    v: int
    table: Table


PICTURES = msgspec.json.Decoder(TablePicture, dec_hook=journal.from_text)
VERSIONS = msgspec.json.Decoder(Versioned)


class NewRecord(NamedTuple):
    """What an accepted command came to."""

    events: Sequence[Event]
    at_ms: int
    actor: str
    command: str = ""
    request: Request | None = None
    """What was asked under the command id."""


class Page(NamedTuple):
    """A table at one place in its book."""

    table: Table
    head: Head
    at_ms: int
    """When the last record was written."""


# --- Reading ---


async def read(store: Store, stream: int, upto: int | None = None) -> Page | None:
    """A table as it stood after a record (by default the last), from its first record on; none without any."""
    page: Page | None = None
    async for record in store.records(stream, upto=upto):
        page = turned(page, record)
    return page


def turned(page: Page | None, record: Record) -> Page:
    """The page after a record, which must follow in the chain."""
    before = page.head if page else EMPTY
    if fault := breaks(before, record):
        what = "is missing" if fault == "missing" else "does not follow from the one before it"
        raise BadRecord(f"record {before.seq + 1} of stream {record.stream} {what}")
    return Page(played_on(page.table if page else None, events_of(record)), record.head, record.at_ms)


def played_on(table: Table | None, events: Sequence[Event]) -> Table:
    """The table after a record's events; the first record opens it."""
    if table is None:
        opened = events[0] if events else None
        if not isinstance(opened, TableOpened):
            raise BadRecord("the first record of a table must open it")
        table = replace(new_table(opened.game), fingerprint=opened.fingerprint)
    return evolve_all(table, events)


async def read_newest(store: Store, stream: int) -> Page | None:
    """A table as it stands now, from its newest snapshot on, if that is one to rely on."""
    return await _read_on(store, stream, await _pictured(store, stream))


async def _read_on(store: Store, stream: int, page: Page | None) -> Page | None:
    """The page after all records that follow it; from the first record on where there is none."""
    if page is None:
        return await read(store, stream)
    async for record in store.records(stream, after=page.head.seq):
        page = turned(page, record)
    return page


async def _pictured(store: Store, stream: int) -> Page | None:
    """The table of the newest snapshot; none where there is none, or none that the chain knows."""
    snapshot = await store.snapshot(stream)
    if snapshot is None:
        return None
    at = await store.record(stream, snapshot.after.seq)
    after = await store.record(stream, snapshot.after.seq + 1)
    where = {"stream": stream, "after": snapshot.after.seq}
    if at is None or not vouched(snapshot, at, after):
        log.critical("a snapshot that no record vouches for is ignored; `stickman verify` says more", **where)
        return None
    table = table_of(snapshot)
    if table is None:
        log.warning("a snapshot of another version is ignored, the table is built from its records", **where)
        return None
    return Page(table, snapshot.after, at.at_ms)


def vouched(snapshot: StoredSnapshot, at: Record, after: Record | None) -> bool:
    """Whether the chain knows a snapshot: the record after it holds its SHA-256."""
    known = DECODER.decode(after.body).snapshot if after else ""
    return at.digest == snapshot.after.digest and known == hashlib.sha256(snapshot.body).hexdigest()


def table_of(snapshot: StoredSnapshot) -> Table | None:
    """The table that a snapshot pictures; none where it is of another version. `msgspec.DecodeError` where its
    bytes are no snapshot at all, which the chain would not vouch for."""
    if VERSIONS.decode(snapshot.body).v != SNAPSHOT_VERSION:
        return None
    return PICTURES.decode(snapshot.body).table


def pictured(table: Table) -> bytes:
    """A table as the bytes of a snapshot."""
    return journal.ENCODER.encode(TablePicture(SNAPSHOT_VERSION, table))


# --- Writing ---


class Boxman:
    """Keeps one table's book, under a lease."""

    def __init__(self, store: Store, lease: Lease, page: Page, pictured_at: int = 0) -> None:
        self.store, self.lease, self.page = store, lease, page
        self._pictured_at = pictured_at
        """The record after which the newest snapshot is."""
        self._commands: dict[str, Request | None] = {}
        """The newest command ids that this process wrote or read, oldest first, with the request if it is known."""

    @property
    def table(self) -> Table:
        return self.page.table

    @classmethod
    async def sit(cls, store: Store, lease: Lease, game: Game, at_ms: int) -> Boxman:
        """Open a table's book where it ends, or a new one for this game."""
        known = await _pictured(store, lease.stream)
        page = await _read_on(store, lease.stream, known)
        if page is None:
            opened = NewRecord((TableOpened(game=game, fingerprint=game.fingerprint()),), at_ms, "house")
            entry = cls._entry(lease.stream, EMPTY, opened)
            head = await store.append(Batch(lease.stream, lease.epoch, EMPTY, (entry,)))
            page = Page(new_table(game), head, at_ms)
        return cls(store, lease, page, known.head.seq if known else 0)

    async def read_again(self) -> None:
        """What to do after any append that failed: read what the journal says beyond the page that is known."""
        async for record in self.store.records(self.lease.stream, after=self.page.head.seq):
            self.page = turned(self.page, record)
            self._remember(record.command)

    def wrote(self, command: str) -> bool:
        """Whether a command id is known to be in the journal. If it is not known, the claim of its record decides
        when the record is written."""
        return command in self._commands

    def is_of_another(self, command: str, request: Request) -> bool:
        """Whether this process wrote a command id for another request. The journal itself keeps no requests."""
        return self._commands.get(command) not in (None, request)

    def _remember(self, command: str, request: Request | None = None) -> None:
        if command:
            self._commands[command] = request
        if len(self._commands) > COMMANDS_KEPT:
            del self._commands[next(iter(self._commands))]

    async def write(self, deeds: Sequence[NewRecord], after: Table) -> None:
        """Write deeds durably, all or none; `after` is the table that they lead to."""
        picture, before = self._picture(), self.page.head
        entries: list[Entry] = []
        head = before
        for deed in deeds:
            digest = hashlib.sha256(picture).hexdigest() if picture and not entries else ""
            entries.append(self._entry(self.lease.stream, head, deed, digest))
            head = entries[-1].record.head
        batch = Batch(self.lease.stream, self.lease.epoch, before, tuple(entries))
        self.page = Page(after, await self.store.append(batch), deeds[-1].at_ms)
        for deed in deeds:
            self._remember(deed.command, deed.request)
        if picture:
            await self.store.keep_snapshot(StoredSnapshot(self.lease.stream, before, picture))
            self._pictured_at = before.seq

    def _picture(self) -> bytes:
        due = self.page.head.seq - self._pictured_at >= SNAPSHOT_EVERY
        return pictured(self.table) if due else b""

    @staticmethod
    def _entry(stream: int, after: Head, deed: NewRecord, snapshot: str = "") -> Entry:
        return journal.entry(
            after,
            deed.events,
            stream=stream,
            at_ms=deed.at_ms,
            actor=deed.actor,
            command=deed.command,
            snapshot=snapshot,
        )

    async def answered(self, command: str) -> tuple[Event, ...] | None:
        """What a command id came to the first time."""
        record = await self.store.commanded(self.lease.stream, command) if command else None
        return events_of(record) if record else None
