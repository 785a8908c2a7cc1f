"""The journal: its records, how they are chained, and the contract of every store.

A *stream* is the journal of one table; stream 0 is the floor's own. A *record* is one accepted command: its bytes
contain the stream, the number, the time, the command's id, the actor, its claims and its events. Its digest chains
it to the previous record. A batch of consecutive records is appended with its moves of money and its claims in one
transaction, or not at all. Nothing here knows what an event means.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Literal, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec import Struct

FLOOR = 0
"""The stream of the floor itself. Nobody owns it: any process that knows its end may append."""

SCHEMA = 4
"""The version of the events that this program writes."""

STRAYS_MAX = 20
"""Maximum number of rows without a record that are listed."""


# --- Records ---


class Head(NamedTuple):
    """Where a stream ends: the number of its last record and that record's digest."""

    seq: int
    digest: bytes


EMPTY = Head(0, bytes(32))


class Envelope(Struct, frozen=True, omit_defaults=True):
    """The content of a record's bytes; the other columns are copies."""

    v: int
    """The version of the events."""
    stream: int
    seq: int
    at_ms: int
    actor: str
    events: msgspec.Raw
    """A JSON list."""
    command: str = ""
    """The id from the request, so that a repeated request acts once; empty for what the house did on its own."""
    claims: tuple[str, ...] = ()
    """Keys that no other record may take: `ticket:N:redeemed`, `jackpot:NAME:17`."""
    snapshot: str = ""
    """The SHA-256 of a snapshot of the state before this record; so the chain confirms the snapshot."""


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
    """The MAC of a key outside the database (`store/sealed.py`); empty without one."""

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
    """By shared account: what it gains (or loses) at this stream."""


class Batch(NamedTuple):
    """Consecutive records of one stream, appended together or not at all."""

    stream: int
    epoch: int
    """The epoch of the lease; 0 on the floor's stream."""
    after: Head
    """Where the writer expects the stream to end."""
    entries: tuple[Entry, ...]

    def check(self) -> None:
        """Its maker ensures that its records follow its head without a gap."""
        assert self.entries, "a batch has records"
        for seq, entry in enumerate(self.entries, self.after.seq + 1):
            assert entry.record[:2] == (self.stream, seq), entry.record


class Claimed(NamedTuple):
    """A claim and the record that took it."""

    claim: str
    stream: int
    seq: int


class Stray(NamedTuple):
    """A row that no record owns: its database table, stream, record number and content."""

    table: str
    stream: int
    seq: int
    what: str


class StoredSnapshot(NamedTuple):
    """A saved state, so that a start does not have to replay a year: the head up to which it includes the records,
    and its bytes."""

    stream: int
    head: Head
    body: bytes


ENCODER = msgspec.json.Encoder()
DECODER = msgspec.json.Decoder(Envelope)


def chained(before: bytes, body: bytes) -> bytes:
    """The digest of a record: over the previous digest and its own bytes."""
    return hashlib.sha256(before + body).digest()


def breaks(before: Head, record: Record) -> Literal["", "missing", "changed"]:
    """Why a record does not follow from the one before it: records are missing, or one was changed; empty if it
    does."""
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
    """A batch was not appended, or it is unknown whether it was: the writer must read its stream again."""


class Fenced(NotAppended):
    """Another owner has the stream: this one must stop."""


class Moved(NotAppended):
    """The stream does not end where the batch begins."""


class Taken(NotAppended):
    """A claim or a command id is already taken: `claim` (`command:ID` for a command id)."""

    def __init__(self, claim: str) -> None:
        super().__init__(f"already taken: {claim}")
        self.claim = claim


class Unavailable(NotAppended):
    """The database cannot be reached or written: gone, full, read-only."""


class BadRecord(Exception):
    """A record that cannot be read, or that this program did not write; the message says why."""


class BadStore(Exception):
    """Not a journal of this program, or one that it cannot use; the message says why."""


# --- The promise ---


class Lease(Protocol):
    """A stream that this process owns, until it leaves the context or another owner takes over."""

    @property
    def stream(self) -> int: ...

    @property
    def epoch(self) -> int: ...

    @property
    def lost(self) -> bool:
        """Whether a renewal has found another owner. An append checks this too: it is `Fenced`."""


class Store(Protocol):
    """A journal in a database. Every call may raise `Unavailable`; `append` says what else."""

    async def close(self) -> None:
        """Finish all waiting writes, then release the database."""

    def own(self, stream: int, owner: str) -> AbstractAsyncContextManager[Lease]:
        """Own a table's stream. Waits until there is no other owner: at once if the last one died, until its lease
        expires if it only stopped responding. Raises the epoch before it reads anything, so that earlier owners can
        no longer append."""

    async def append(self, batch: Batch) -> Head:
        """Append a batch durably: once this returns, it survives anything. `Fenced`, `Moved`, `Taken` or
        `Unavailable` otherwise; a bad batch never makes another one fail."""

    async def head(self, stream: int) -> Head:
        """Where a stream ends, according to its row."""

    async def streams(self) -> list[int]:
        """The streams that have records, in order."""

    def records(self, stream: int, after: int = 0, upto: int | None = None) -> AsyncIterator[Record]:
        """The records with numbers above `after`, in order."""

    def entries(self, stream: int, after: int = 0, upto: int | None = None) -> AsyncIterator[Entry]:
        """The same with their moves and claims (`shared` is left empty), to check that they agree."""

    async def record(self, stream: int, seq: int) -> Record | None:
        """One record."""

    async def commanded(self, stream: int, command: str) -> Record | None:
        """The record that a command id became."""

    async def claimed(self, claim: str) -> Claimed | None:
        """Who took a claim."""

    def claims(self, prefix: str) -> AsyncIterator[Claimed]:
        """All claims with this prefix, in order of their text."""

    async def newest_claims(self, stream: int, limit: int) -> list[Claimed]:
        """The claims that a stream took last, newest first, at most `limit`."""

    async def shared(self, account: str) -> dict[int, int]:
        """What a shared account has gained, by stream; its value is the sum."""

    async def all_shared(self) -> dict[tuple[str, int], int]:
        """What every shared account has gained, by account and stream, for checks."""

    async def strays(self) -> list[Stray]:
        """Rows that no record owns, at most `STRAYS_MAX` of each kind: claims, moves and snapshots."""

    async def schema_faults(self) -> list[str]:
        """What differs between the database's schema and the one that the migrations make."""

    async def keep_snapshot(self, snapshot: StoredSnapshot) -> None:
        """Keep the newest snapshot of a stream. Remove earlier ones, and one that claims a record that the stream
        does not have."""

    async def snapshot(self, stream: int) -> StoredSnapshot | None:
        """The newest snapshot of a stream."""


S = TypeVar("S", bound=Store)


@asynccontextmanager
async def using(opening: Awaitable[S]) -> AsyncIterator[S]:
    """A store while it is needed."""
    store = await opening
    try:
        yield store
    finally:
        await store.close()
