"""What happened, for ever: the records of a journal, how they are chained, and what every store promises.

A *stream* is the journal of one table; stream 0 is the floor's own. A *record* is one accepted command: its bytes
hold the stream, the number, the time, the command's id, who, its claims and its events, and its digest chains it to
the record before. A batch of consecutive records is appended with its moves of money and its claims in one
transaction, or not at all. Nothing here knows what an event means.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Literal, NamedTuple, Protocol

import msgspec
from msgspec import Struct

FLOOR = 0
"""The stream of the floor itself. Nobody owns it: whoever finds it where expected may append."""

SCHEMA = 3
"""The version of the events that this program writes."""

STRAYS_MAX = 20
"""Rows without a record that are named; more say nothing more."""


# --- Records ---


class Head(NamedTuple):
    """Where a stream ends: the number of its last record and that record's digest."""

    seq: int
    digest: bytes


EMPTY = Head(0, bytes(32))


class Envelope(Struct, frozen=True, omit_defaults=True):
    """What the bytes of a record say; the columns beside them are copies."""

    v: int
    """The version of the events."""
    stream: int
    seq: int
    at_ms: int
    actor: str
    events: msgspec.Raw
    """A JSON list."""
    command: str = ""
    """The id that the asker gave, so that asking twice does it once; empty for what the house did by itself."""
    claims: tuple[str, ...] = ()
    """Keys that nobody else may take: `ticket:N:redeemed`, `jackpot:NAME:17`."""
    snapshot: str = ""
    """The SHA-256 of a snapshot of the state before this record, which the chain vouches for so."""


class Record(NamedTuple):
    """One accepted command, as it is stored."""

    stream: int
    seq: int
    at_ms: int
    command: str
    actor: str
    body: bytes
    digest: bytes
    mac: bytes = b""
    """By which a key outside the database vouches for it (`store/sealed.py`); empty where none does."""

    @property
    def head(self) -> Head:
        return Head(self.seq, self.digest)


class Move(NamedTuple):
    """Cents that a record moved from one account to another: at most one move between any two accounts."""

    source: str
    target: str
    cents: int


class Entry(NamedTuple):
    """A record, and what is written with it."""

    record: Record
    moves: tuple[Move, ...] = ()
    claims: tuple[str, ...] = ()
    shared: tuple[tuple[str, int], ...] = ()
    """By account that tables share, what it gains (or loses) at this stream."""


class Batch(NamedTuple):
    """Consecutive records of one stream, which are appended together or not at all."""

    stream: int
    epoch: int
    """Of the lease under which they are written; 0 on the floor's stream."""
    after: Head
    """Where the writer believes that the stream ends."""
    entries: tuple[Entry, ...]

    def check(self) -> None:
        """That its records follow its head without a gap is whoever made it to see to."""
        assert self.entries, "a batch has records"
        for seq, entry in enumerate(self.entries, self.after.seq + 1):
            assert entry.record[:2] == (self.stream, seq), entry.record


class Claimed(NamedTuple):
    """A claim that is taken, and the record that took it."""

    claim: str
    stream: int
    seq: int


class Stray(NamedTuple):
    """A row that no record owns: in which table of the database, of which stream and record, and what it says."""

    table: str
    stream: int
    seq: int
    what: str


class StoredSnapshot(NamedTuple):
    """A state worth keeping, so that a start need not replay a year: what it is after, and its bytes."""

    stream: int
    after: Head
    body: bytes


ENCODER = msgspec.json.Encoder()
DECODER = msgspec.json.Decoder(Envelope)


def chained(before: bytes, body: bytes) -> bytes:
    """The digest of a record: over the digest before it and its own bytes."""
    return hashlib.sha256(before + body).digest()


def breaks(before: Head, record: Record) -> Literal["", "missing", "changed"]:
    """Why a record does not follow from the one before it: records between them are missing, or one was changed.
    Empty where it follows."""
    if record.seq != before.seq + 1:
        return "missing"
    return "" if chained(before.digest, record.body) == record.digest else "changed"


def seal(after: Head, envelope: Envelope) -> Record:
    """A record that follows a head."""
    assert envelope.seq == after.seq + 1, (envelope.seq, after.seq)
    body = ENCODER.encode(envelope)
    digest = chained(after.digest, body)
    return Record(envelope.stream, envelope.seq, envelope.at_ms, envelope.command, envelope.actor, body, digest)


def unlike(found: Mapping[tuple[str, str], object], should: Mapping[tuple[str, str], object]) -> list[str]:
    """What differs between two schemas, given the definitions of their objects by kind and name."""
    odd = [
        f"the {kind} {name} {'is not one of ours' if (kind, name) in found else 'is missing'}"
        for kind, name in sorted(found.keys() ^ should.keys())
    ]
    changed = [key for key in sorted(found.keys() & should.keys()) if found[key] != should[key]]
    return odd + [f"the {kind} {name} is not as the migrations make it" for kind, name in changed]


# --- What can go wrong ---


class NotAppended(Exception):
    """A batch was not appended, or nobody knows whether it was: the writer reads its stream again."""


class Fenced(NotAppended):
    """Another owner has the stream: this one must stop."""


class Moved(NotAppended):
    """The stream does not end where the batch begins."""


class Taken(NotAppended):
    """A claim or a command id was taken before; `claim` is it (`command:ID` for a command id)."""

    def __init__(self, claim: str) -> None:
        super().__init__(f"already taken: {claim}")
        self.claim = claim


class Unavailable(NotAppended):
    """The database cannot be reached or written: gone, full, read-only."""


class BadRecord(Exception):
    """A record that cannot be read, or that was not written so by this program; the message says why."""


class BadStore(Exception):
    """What was found is no journal of this program, or one that it cannot use; the message says why."""


# --- The promise ---


class Lease(Protocol):
    """A stream that this process owns, until it leaves the context or another owner takes over."""

    @property
    def stream(self) -> int: ...

    @property
    def epoch(self) -> int: ...

    @property
    def lost(self) -> bool:
        """Whether a renewal has found another owner. An append finds out by itself: it is `Fenced`."""


class Store(Protocol):
    """A journal in a database. Every call may raise `Unavailable`; `append` says what else."""

    async def close(self) -> None:
        """Write what was asked for, then let go of the database."""

    def own(self, stream: int, owner: str) -> AbstractAsyncContextManager[Lease]:
        """Own a table's stream: waits until no other owner is left, at once where the last one died, within its
        lease where it only fell silent. The epoch is raised before anything is read, so that no earlier owner can
        append any more."""

    async def append(self, batch: Batch) -> Head:
        """Append a batch durably: once this returns it is kept, whatever happens. `Fenced`, `Moved`, `Taken` or
        `Unavailable` otherwise; a bad batch never fails another one."""

    async def head(self, stream: int) -> Head:
        """Where a stream ends, as its owner's row says."""

    async def streams(self) -> list[int]:
        """The streams that have records, in order."""

    def records(self, stream: int, after: int = 0, upto: int | None = None) -> AsyncIterator[Record]:
        """The records numbered over `after`, in order."""

    def entries(self, stream: int, after: int = 0, upto: int | None = None) -> AsyncIterator[Entry]:
        """The same with the moves and claims that lie beside them (`shared` is left empty); for whoever checks
        that they agree."""

    async def record(self, stream: int, seq: int) -> Record | None:
        """One record."""

    async def commanded(self, stream: int, command: str) -> Record | None:
        """The record that a command id became."""

    async def claimed(self, claim: str) -> Claimed | None:
        """Who took a claim."""

    def claims(self, prefix: str) -> AsyncIterator[Claimed]:
        """All claims that begin so, in order of their text."""

    async def newest_claims(self, stream: int, limit: int) -> list[Claimed]:
        """The claims that a stream took last, newest first, and no more than so many."""

    async def shared(self, account: str) -> dict[int, int]:
        """What an account that tables share has gained, by stream; the account reads their sum."""

    async def all_shared(self) -> dict[tuple[str, int], int]:
        """What every account that tables share has gained, by account and stream; for whoever checks."""

    async def strays(self) -> list[Stray]:
        """Rows that no record owns, at most `STRAYS_MAX` of each kind: claims, moves and snapshots."""

    async def schema_faults(self) -> list[str]:
        """What differs between the database's schema and the one that the migrations make."""

    async def keep_snapshot(self, snapshot: StoredSnapshot) -> None:
        """Keep the newest snapshot of a stream; earlier ones go, and one that claims to be after a record that the
        stream does not have."""

    async def snapshot(self, stream: int) -> StoredSnapshot | None:
        """The newest snapshot of a stream."""
