"""A journal under a key: open it, adopt records that have no MAC yet, and rotate to another key.

Besides its own records, a key vouches for older ones by one record of the floor, which lists the head of every
stream at that time. It is found by its claim. If the claim, the record or its MAC is missing or wrong, the journal
does not open, so an attacker gains nothing by removing it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext

from stickman.floor import events as e
from stickman.floor import journal
from stickman.floor.journal import BadRecord, events_of
from stickman.floor.verify import verify
from stickman.store import open_store
from stickman.store.sealed import JournalKey, Sealed, Watch, key_id
from stickman.store.store import FLOOR, BadStore, Batch, Head, Record, Store

OWNER = "stickman journal"
PATIENCE_S = 6
"""How long to wait for a table that a server owns: longer than a lease."""


class NotSealed(BadStore):
    """A journal that this key cannot open; the message names a command that may help."""


# --- Opening ---


async def open_journal(url: str, key: JournalKey, *, create: bool = True, watch: Watch = nullcontext) -> Store:
    """The journal at a URL, under a key. `NotSealed` if the key does not vouch for its records."""
    store = await open_store(url, create=create)
    try:
        return await under(store, key, watch)
    except BaseException:
        await store.close()
        raise


async def under(store: Store, key: JournalKey, watch: Watch = nullcontext) -> Sealed:
    """A store whose records this key vouches for."""
    heads = await _vouched(store, key)
    for stream in await store.streams():
        async for record in store.records(stream, upto=1):
            if stream not in heads and key_id(record) != key.id:
                raise _not_ours(record, key)
    return Sealed(store, key, heads, watch)


async def _vouched(store: Store, key: JournalKey) -> dict[int, Head]:
    """By stream, the head up to which the key vouches for records from before it."""
    claimed = await store.claimed(e.vouching(key.id))
    if claimed is None:
        return {}
    record = await store.record(claimed.stream, claimed.seq)
    if record is None or record.stream != FLOOR:
        raise BadRecord(f"no record took the claim {claimed.claim}")
    key.check(record)
    for event in events_of(record):
        if isinstance(event, e.Vouched) and event.key == key.id:
            return {stream: Head(seq, bytes.fromhex(digest)) for stream, (seq, digest) in event.heads.items()}
    raise BadRecord(f"record {record.seq} of the floor did not take the claim {claimed.claim}")


def _not_ours(record: Record, key: JournalKey) -> NotSealed:
    where = f"the first record of stream {record.stream}"
    if not record.mac:
        return NotSealed(
            f"{where} has no MAC, and no record vouches for it. If this journal is older than MACs, adopt it once"
            " with `stickman journal adopt`. If it was adopted before, records were removed or forged: do not adopt"
            " it again, see docs/keys.md"
        )
    return NotSealed(
        f"{where} is under the key {key_id(record)}, and this is {key.id}. Use the key of the journal, or change to"
        " this one with `stickman journal rotate`; see docs/keys.md"
    )


# --- Adopting, rotating ---


async def adopt(store: Store, key: JournalKey, *, at_ms: int, actor: str, lost: bool = False) -> e.JournalAdopted:
    """Vouch for records without a MAC, once. With `lost`, records with a MAC of a lost key are adopted too.
    `NotSealed` if there is nothing to adopt, or the journal is not intact."""
    sealed = [stream async for stream in _sealed_streams(store)]
    if await store.claimed(e.vouching(key.id)):
        raise NotSealed(f"the key {key.id} already vouches for this journal; a key adopts once")
    if sealed and not lost:
        raise NotSealed(
            f"records of stream {sealed[0]} already have a MAC. With their key: `stickman journal rotate`. If the"
            " key is lost: --lost, after `stickman verify --checkpoints` finds nothing; see docs/keys.md"
        )
    async with _alone(store):
        heads = await _verified(store, store)
        adopted = e.JournalAdopted(heads=heads, key=key.id, lost=bool(sealed))
        await _append(store, key, adopted, at_ms=at_ms, actor=actor)
    return adopted


async def rotate(store: Store, before: JournalKey, after: JournalKey, *, at_ms: int, actor: str) -> e.KeyRotated:
    """Change a journal to another key, after every record is verified under the last one."""
    if before.id == after.id:
        raise NotSealed(f"both are the key {before.id}; allowed: another one, made with `stickman journal key`")
    sealed = await under(store, before)
    async with _alone(store):
        heads = await _verified(store, sealed)
        rotated = e.KeyRotated(heads=heads, key=after.id, before=before.id)
        await _append(store, after, rotated, at_ms=at_ms, actor=actor)
    return rotated


async def _sealed_streams(store: Store) -> AsyncIterator[int]:
    """The streams where any record has a MAC: the newest alone may be forged to hide the others."""
    for stream in await store.streams():
        async for record in store.records(stream):
            if record.mac:
                yield stream
                break


@asynccontextmanager
async def _alone(store: Store) -> AsyncIterator[None]:
    """Own every table, so that no server writes now, or finishes a write later."""
    async with AsyncExitStack() as owned:
        for stream in await store.streams():
            if stream == FLOOR:
                continue
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await owned.enter_async_context(store.own(stream, OWNER))
            except TimeoutError:
                raise NotSealed(f"a server owns table {stream}: stop all servers of this floor first") from None
        yield


async def _verified(raw: Store, store: Store) -> e.Heads:
    """The heads of all streams, if the whole journal is right."""
    verdict = await verify(store)
    if verdict.faults:
        raise NotSealed(f"this journal is not intact: {verdict.faults[0]}; run `stickman verify`")
    if not verdict.heads:
        raise NotSealed("this journal has no records; a new one has MACs from its first record")
    assert verdict.heads == {stream: await raw.head(stream) for stream in verdict.heads}, "they were just compared"
    return {stream: (head.seq, head.digest.hex()) for stream, head in verdict.heads.items()}


async def _append(store: Store, key: JournalKey, event: e.Vouched, *, at_ms: int, actor: str) -> None:
    """Write the record that vouches, under its own key; `Moved` if another process appended first."""
    seq, digest = event.heads.get(FLOOR, (0, bytes(32).hex()))
    head = Head(seq, bytes.fromhex(digest))
    entry = journal.entry(head, (event,), stream=FLOOR, at_ms=at_ms, actor=actor)
    await Sealed(store, key, {}).append(Batch(FLOOR, 0, head, (entry,)))
