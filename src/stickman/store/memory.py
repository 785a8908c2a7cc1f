"""A journal in memory, lost when the program ends: for tests and experiments."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from stickman.store.store import (
    EMPTY,
    FLOOR,
    STRAYS_MAX,
    Batch,
    Claimed,
    Entry,
    Fenced,
    Head,
    Lease,
    Moved,
    Record,
    StoredSnapshot,
    Stray,
    Taken,
    Unavailable,
)


@dataclass
class MemoryStream:
    """One stream: its head and its entries, the latest epoch, and whose turn it is to own it."""

    epoch: int = 0
    head: Head = EMPTY
    entries: list[Entry] = field(default_factory=list)
    commands: dict[str, Record] = field(default_factory=dict)
    snapshot: StoredSnapshot | None = None
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass
class MemoryLease:
    """A lease in memory. It cannot be lost, because all waiters are in the same process."""

    stream: int
    epoch: int
    lost: bool = False


class MemoryStore:
    """See `Store` for the contract."""

    def __init__(self) -> None:
        self._streams: defaultdict[int, MemoryStream] = defaultdict(MemoryStream)
        self._claims: dict[str, Claimed] = {}
        self._shared: defaultdict[str, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
        self._closed = False

    async def close(self) -> None:
        self._closed = True

    def _stream(self, number: int) -> MemoryStream:
        if self._closed:
            raise Unavailable("the store is closed")
        return self._streams[number]

    @asynccontextmanager
    async def own(self, stream: int, owner: str) -> AsyncIterator[Lease]:  # noqa: ARG002 - memory has one process
        assert stream != FLOOR, "nobody owns the floor"
        async with self._stream(stream).turn:
            self._stream(stream).epoch += 1
            yield MemoryLease(stream, self._stream(stream).epoch)

    async def append(self, batch: Batch) -> Head:
        batch.check()
        stream = self._stream(batch.stream)
        if batch.epoch != stream.epoch or (stream.epoch == 0 and batch.stream != FLOOR):
            raise Fenced(f"stream {batch.stream} is at epoch {stream.epoch}, not {batch.epoch}")
        if batch.after != stream.head:
            raise Moved(f"stream {batch.stream} ends at {stream.head.seq}, not at {batch.after.seq} as given")
        self._refuse_taken(stream, batch)
        for entry in batch.entries:
            record = entry.record
            # In the order in which a database would return them.
            stream.entries.append(Entry(record, tuple(sorted(entry.moves)), tuple(sorted(entry.claims))))
            stream.head = record.head
            if record.command:
                stream.commands[record.command] = record
            for claim in entry.claims:
                self._claims[claim] = Claimed(claim, record.stream, record.seq)
            for account, cents in entry.shared:
                self._shared[account][record.stream] += cents
        return stream.head

    def _refuse_taken(self, stream: MemoryStream, batch: Batch) -> None:
        seen: set[str] = set()
        for record, _, claims, _ in batch.entries:
            keys = [(claim, claim in self._claims) for claim in claims]
            if record.command:
                keys.insert(0, (f"command:{record.command}", record.command in stream.commands))
            for key, taken in keys:
                if taken or key in seen:
                    raise Taken(key)
                seen.add(key)

    async def head(self, stream: int) -> Head:
        return self._stream(stream).head

    async def streams(self) -> list[int]:
        return sorted(number for number, stream in self._streams.items() if stream.entries or stream.head.seq)

    async def records(self, stream: int, after: int = 0, upto: int | None = None) -> AsyncIterator[Record]:
        async for entry in self.entries(stream, after, upto):
            yield entry.record

    async def entries(self, stream: int, after: int = 0, upto: int | None = None) -> AsyncIterator[Entry]:
        for entry in self._stream(stream).entries[after:upto]:
            yield entry

    async def record(self, stream: int, seq: int) -> Record | None:
        entries = self._stream(stream).entries
        return entries[seq - 1].record if 0 < seq <= len(entries) else None

    async def commanded(self, stream: int, command: str) -> Record | None:
        return self._stream(stream).commands.get(command)

    async def claimed(self, claim: str) -> Claimed | None:
        return self._claims.get(claim)

    async def claims(self, prefix: str) -> AsyncIterator[Claimed]:
        for claim in sorted(claim for claim in self._claims if claim.startswith(prefix)):
            yield self._claims[claim]

    async def newest_claims(self, stream: int, limit: int) -> list[Claimed]:
        found = [claimed for claimed in self._claims.values() if claimed.stream == stream]
        return sorted(found, key=lambda claimed: (-claimed.seq, claimed.claim))[:limit]

    async def all_shared(self) -> dict[tuple[str, int], int]:
        return {(account, stream): cents for account, by in self._shared.items() for stream, cents in by.items()}

    async def strays(self) -> list[Stray]:
        known = {(stream, e.record.seq) for stream, each in self._streams.items() for e in each.entries}
        claims = [Stray("claim", c.stream, c.seq, c.claim) for c in self._claims.values() if c[1:] not in known]
        stored = [(stream, each.snapshot) for stream, each in self._streams.items()]
        snapshots = [
            Stray("snapshot", stream, kept.head.seq, f"{len(kept.body)} bytes")
            for stream, kept in stored
            if kept and (stream, kept.head.seq) not in known
        ]
        return claims[:STRAYS_MAX] + snapshots[:STRAYS_MAX]  # a move in memory is part of its record

    async def schema_faults(self) -> list[str]:
        return []

    async def shared(self, account: str) -> dict[int, int]:
        return dict(self._shared[account])

    async def keep_snapshot(self, snapshot: StoredSnapshot) -> None:
        stream = self._stream(snapshot.stream)
        kept = stream.snapshot
        if kept is None or snapshot.head.seq >= kept.head.seq or kept.head.seq > stream.head.seq:
            stream.snapshot = snapshot

    async def snapshot(self, stream: int) -> StoredSnapshot | None:
        return self._stream(stream).snapshot
