"""Records that nobody without the key can forge: a MAC on each, put there on writing and checked on reading.

The MAC is the HMAC-SHA256 over a record's stream, number and digest, and the digest covers all that the stream says
up to there. The key is in a file outside the database. The key's id is stored with the MAC, so that a journal under
another key is recognised.

Older records (without a MAC, or under an earlier key) are valid only if a record under this key names a head after
them, as *vouched for*. Their chain proves them: it must lead to exactly that head. Their own MACs do not matter, so
an earlier key is useless to a thief. To prove one old record, the whole chain up to the head must be read. So the
first reading of a stream's old part goes through all of it and remembers the digest of every `STEP`th record; after
that, a proof reads at most `STEP` records.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import NamedTuple, TypeVar

import msgspec

from stickman.store.store import DECODER, EMPTY, BadRecord, Batch, Entry, Head, Record, Store, chained

PURPOSE = b"stickman record 1\n"
ID_BYTES = 8
MAC_BYTES = ID_BYTES + hashlib.sha256().digest_size
STEP = 256
SINCE = "is not the one that the journal's key vouched for: it was changed or removed since; see `stickman verify`"

R = TypeVar("R", Record, Entry)
Reader = Callable[[int, int, int | None], AsyncIterator[R]]
"""Reads a stream after a number, up to another."""


class Forged(BadRecord):
    """A record that the key does not authenticate: where it is, and what is wrong with it."""

    def __init__(self, stream: int, seq: int, what: str) -> None:
        super().__init__(f"record {seq} of stream {stream} {what}")
        self.stream, self.seq, self.what = stream, seq, what


class JournalKey(NamedTuple):
    """A key that authenticates records. Its id does not reveal it."""

    secret: bytes
    id_bytes: bytes

    @classmethod
    def of(cls, secret: bytes) -> JournalKey:
        return cls(secret, hashlib.sha256(b"stickman journal key 1\n" + secret).digest()[:ID_BYTES])

    @property
    def id(self) -> str:
        return self.id_bytes.hex()

    def __repr__(self) -> str:
        return f"JournalKey({self.id})"

    def mac(self, record: Record) -> bytes:
        """What is stored with a record: the key's id, and the HMAC over the record's place and digest."""
        begun = _begun(self.secret).copy()
        begun.update(record.stream.to_bytes(8) + record.seq.to_bytes(8) + record.digest)
        return self.id_bytes + begun.digest()

    def check(self, record: Record) -> None:
        """Accept a record that this key authenticates; anything else is a `BadRecord`."""
        if wrong := self._wrong(record):
            raise Forged(record.stream, record.seq, wrong)

    def _wrong(self, record: Record) -> str:
        if not record.mac:
            return "has no MAC, and no record of the floor vouches for it: it was forged, or never adopted"
        if len(record.mac) != MAC_BYTES or record.mac[:ID_BYTES] != self.id_bytes:
            return f"has the MAC of another key ({key_id(record)}) than {self.id}"
        if not hmac.compare_digest(self.mac(record), record.mac):
            return "has a MAC that does not fit: it was forged, moved or changed"
        return "" if _agrees_with_columns(record) else "has columns that differ from its bytes"


@lru_cache(maxsize=8)
def _begun(secret: bytes) -> hmac.HMAC:
    """The HMAC of a key, to be copied. `hmac.digest` would let other threads run; while the journal's writer works,
    that costs ten times as much as the HMAC itself."""
    return hmac.new(secret, PURPOSE, "sha256")


def key_id(record: Record) -> str:
    """The id of the key of a record's MAC; empty without a MAC."""
    return record.mac[:ID_BYTES].hex()


Watch = Callable[[int], AbstractContextManager[object]]
"""A context that is entered while this many records are written, and left when they are durable."""


class Sealed:
    """A store whose records carry the MAC of a key: it adds MACs when it appends and checks them when it reads."""

    def __init__(
        self, store: Store, key: JournalKey, vouched: Mapping[int, Head], watch: Watch = nullcontext
    ) -> None:
        """`vouched`: by stream, the head up to which a record under this key confirms older records."""
        self._store, self._key, self._vouched, self._watch = store, key, dict(vouched), watch
        self._trails: dict[int, list[bytes]] = {}
        """By stream, proven digests of its old part: before its first record, after every `STEP`th, at its head."""
        # Everything but records is the store's own.
        self.close, self.own, self.head, self.streams = store.close, store.own, store.head, store.streams
        self.claimed, self.claims, self.newest_claims = store.claimed, store.claims, store.newest_claims
        self.shared, self.all_shared, self.strays = store.shared, store.all_shared, store.strays
        self.schema_faults = store.schema_faults
        self.keep_snapshot, self.snapshot = store.keep_snapshot, store.snapshot

    # --- Writing ---

    async def append(self, batch: Batch) -> Head:
        entries = tuple(Entry(self._sealed(entry.record), *entry[1:]) for entry in batch.entries)
        with self._watch(len(entries)):
            return await self._store.append(Batch(batch.stream, batch.epoch, batch.after, entries))

    def _sealed(self, record: Record) -> Record:
        stream, seq, at_ms, command, actor, body, digest, _ = record
        return Record(stream, seq, at_ms, command, actor, body, digest, self._key.mac(record))

    # --- Reading records ---

    async def records(self, stream: int, after: int = 0, upto: int | None = None) -> AsyncIterator[Record]:
        async for record in self._read(self._store.records, stream, after, upto):
            yield record

    async def entries(self, stream: int, after: int = 0, upto: int | None = None) -> AsyncIterator[Entry]:
        async for entry in self._read(self._store.entries, stream, after, upto):
            yield entry

    async def record(self, stream: int, seq: int) -> Record | None:
        async for record in self.records(stream, max(0, seq - 1), seq):
            return record
        return None

    async def commanded(self, stream: int, command: str) -> Record | None:
        found = await self._store.commanded(stream, command)
        if found is None:
            return None
        record = await self.record(stream, found.seq)
        if record is None or record.command != command:
            raise Forged(stream, found.seq, "is not the one that its command id names")
        return record

    async def _read(self, read: Reader[R], stream: int, after: int, upto: int | None) -> AsyncIterator[R]:
        old = self._old(stream).seq
        if after < old:
            end = old if upto is None else min(old, upto)
            async for each in self._read_old(read, stream, after, end):
                yield each
        if upto is None or upto > old:
            async for each in self._read_new(read, stream, max(after, old), upto):
                yield each

    async def _read_new(self, read: Reader[R], stream: int, after: int, upto: int | None) -> AsyncIterator[R]:
        """Records under this key. The MAC covers the digest, and the digest covers the bytes and the digest before
        them: so the record before proves the bytes of a record."""
        before: Head | None = None
        async for each in read(stream, after, upto):
            record = _record(each)
            self._key.check(record)
            before = before or await self._proven_head(stream, after)
            if record.seq != before.seq + 1:
                raise Forged(stream, before.seq + 1, "is missing")
            if chained(before.digest, record.body) != record.digest:
                raise Forged(stream, record.seq, "has bytes that its digest does not fit: it was changed")
            before = record.head
            yield each

    async def _proven_head(self, stream: int, seq: int) -> Head:
        """The head of a stream at a number from which on this key vouches."""
        if seq == self._old(stream).seq:
            return self._old(stream)
        record = await self._store.record(stream, seq)
        if record is None:
            raise Forged(stream, seq, "is missing")
        self._key.check(record)
        return record.head

    def _old(self, stream: int) -> Head:
        return self._vouched.get(stream, EMPTY)

    # --- Records from before the key ---

    async def _read_old(self, read: Reader[R], stream: int, after: int, upto: int) -> AsyncIterator[R]:
        """Old records, one step at a time; each step is proven before any of its records is returned."""
        trail, end = await self._trail(stream), self._old(stream).seq
        for step in range(after // STEP, -(-upto // STEP)):
            begin, stop = step * STEP, min(step * STEP + STEP, end)
            found = [each async for each in read(stream, begin, stop)]
            digest = Head(begin, trail[step])
            for each in found:
                digest = _follows(digest, _record(each))
            if digest != Head(stop, trail[step + 1]):
                raise _broken(stream, stop)
            for each in found:
                if after < _record(each).seq <= upto:
                    yield each

    async def _trail(self, stream: int) -> list[bytes]:
        if stream not in self._trails:
            head, trail, end = EMPTY, [EMPTY.digest], self._old(stream)
            async for record in self._store.records(stream, 0, end.seq):
                head = _follows(head, record)
                if head.seq % STEP == 0 or head.seq == end.seq:
                    trail.append(head.digest)
            if head != end:
                raise _broken(stream, end.seq)
            self._trails[stream] = trail
        return self._trails[stream]


def _record(each: Record | Entry) -> Record:
    return each.record if isinstance(each, Entry) else each


def _agrees_with_columns(record: Record) -> bool:
    try:
        body = DECODER.decode(record.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return record[:5] == (body.stream, body.seq, body.at_ms, body.command, body.actor)


def _follows(before: Head, record: Record) -> Head:
    """The head after an old record, which must follow the previous one, with columns that match its bytes."""
    digest = chained(before.digest, record.body)
    follows = record.seq == before.seq + 1 and digest == record.digest
    if not (follows and _agrees_with_columns(record)):
        raise Forged(record.stream, before.seq + 1, SINCE)
    return record.head


def _broken(stream: int, seq: int) -> Forged:
    return Forged(stream, seq, SINCE.replace("is not", "or one before it is not"))
