"""Records under a key: what it vouches for is read, and anything else is a `BadRecord` that says where it is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from stickman.store import sealed
from stickman.store.memory import MemoryStore
from stickman.store.sealed import Forged, JournalKey, Sealed
from stickman.store.store import BadRecord, Batch, Entry, Head, Record, Store, chained
from tests.floor.evening import awaited
from tests.store.contract import chain, entry

KEY, OTHER = JournalKey.of(bytes(32)), JournalKey.of(bytes(range(32)))
COUNT = 20


async def filled(store: Store, count: int = COUNT) -> Head:
    """A stream of so many records with command ids."""
    head = await store.head(1)
    async with store.own(1, "pit") as lease:
        entries = chain(head, [f"c-{head.seq + number}" for number in range(1, count + 1)])
        return await store.append(Batch(1, lease.epoch, head, entries))


async def every_reading(store: Store, seq: int) -> list[Record]:
    """A record by each way that there is to read it."""
    one, commanded = await store.record(1, seq), await store.commanded(1, f"c-{seq}")
    assert one
    assert commanded
    listed = [record async for record in store.records(1, seq - 1, seq)]
    entries = [each.record async for each in store.entries(1, seq - 1, seq)]
    return [one, commanded, *listed, *entries]


def spoil(store: MemoryStore, seq: int, change: Callable[[Record], Record]) -> None:
    """Change a record behind the store's back."""
    stream = store._streams[1]
    found = stream.entries[seq - 1]
    record = change(found.record)
    stream.entries[seq - 1] = Entry(record, found.moves, found.claims)
    stream.commands[f"c-{seq}"] = record


def rewritten(record: Record) -> Record:
    """Other bytes and the digest that fits them, as whoever has no key can compute it."""
    body = record.body.replace(b"bet_placed", b"bet_forged")
    return record._replace(body=body, digest=chained(b"?" * 32, body))


def rewritten_alone(record: Record) -> Record:
    """Other bytes beside the same digest and MAC, as somebody leaves them who raises the amount of a ticket."""
    return record._replace(body=record.body.replace(b"bet_placed", b"bet_forged"))


# --- Under the key ---


@awaited
async def test_what_is_appended_carries_the_mac_and_is_read_again() -> None:
    raw = MemoryStore()
    store = Sealed(raw, KEY, {})
    await filled(store)
    for seq in (1, COUNT):
        assert {record.mac[:8] for record in await every_reading(store, seq)} == {KEY.id_bytes}
    assert [record.seq async for record in store.records(1)] == list(range(1, COUNT + 1))
    assert await store.record(1, COUNT + 1) is None
    assert await store.record(1, 0) is None
    assert await store.commanded(1, "nobody's") is None


CHANGES: dict[str, tuple[Callable[[Record], Record], str]] = {
    "no MAC": (lambda record: record._replace(mac=b""), "has no MAC"),
    "a short MAC": (lambda record: record._replace(mac=record.mac[:20]), "another key"),
    "another key": (lambda record: record._replace(mac=OTHER.mac(record)), "the MAC of another key"),
    "another's id": (lambda record: record._replace(mac=KEY.id_bytes + OTHER.mac(record)[8:]), "does not fit"),
    "a flipped bit": (lambda record: record._replace(mac=record.mac[:-1] + b"?"), "does not fit"),
    "other bytes": (rewritten, "does not fit"),
    "another's MAC": (lambda record: record._replace(mac=KEY.mac(record._replace(seq=7))), "does not fit"),
    "another stream's": (lambda record: record._replace(mac=KEY.mac(record._replace(stream=2))), "does not fit"),
    "other bytes under the same digest": (rewritten_alone, "has bytes that its digest does not fit"),
    "another actor": (lambda record: record._replace(actor="badge-9"), "columns"),
    "another time": (lambda record: record._replace(at_ms=5), "columns"),
}


@pytest.mark.parametrize("change", CHANGES)
@awaited
async def test_a_record_that_the_key_does_not_vouch_for_is_read_in_no_way(change: str) -> None:
    raw = MemoryStore()
    store = Sealed(raw, KEY, {})
    await filled(store)
    spoilt, says = CHANGES[change]
    spoil(raw, 5, spoilt)
    for reading in (
        store.record(1, 5),
        store.commanded(1, "c-5"),
        listed(store, 4, 5),
        listed(store, 0, None),
    ):
        with pytest.raises(Forged, match=f"record 5 of stream 1 .*{says}") as problem:
            await reading
        assert (problem.value.stream, problem.value.seq) == (1, 5)
    assert await store.record(1, 4), "the others are read as before"


async def listed(store: Store, after: int, upto: int | None) -> list[Entry]:
    return [each async for each in store.entries(1, after, upto)]


def test_a_key_shows_its_id_and_never_itself() -> None:
    assert KEY.secret.hex() not in repr(KEY)
    assert KEY.id in repr(KEY)
    assert KEY.id != OTHER.id


# --- Before the key ---


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "STEP", 4)


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("count", [1, 3, 4, 5, 8, 11])
@awaited
async def test_old_records_are_read_up_to_the_head_that_is_vouched_for(count: int) -> None:
    raw = MemoryStore()
    end = await filled(raw, count)
    store = Sealed(raw, KEY, {1: end})
    await filled(store, 6)
    everything = [record async for record in raw.records(1)]
    for after in range(count + 7):
        for upto in (None, *range(after, count + 7)):
            assert [each async for each in store.records(1, after, upto)] == everything[after:upto], (after, upto)
    for seq in range(1, count + 7):
        assert set(await every_reading(store, seq)) == {everything[seq - 1]}


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("first", [True, False], ids=["before it was read", "after it was read"])
@pytest.mark.parametrize("seq", [1, 6, 8, 10])
@awaited
async def test_an_old_record_that_was_changed_since_is_read_in_no_way(seq: int, first: bool) -> None:
    raw = MemoryStore()
    store = Sealed(raw, KEY, {1: await filled(raw, 10)})
    if not first:
        assert len(await listed(store, 0, None)) == 10
    spoil(raw, seq, rewritten)
    for reading in (store.record(1, seq), store.commanded(1, f"c-{seq}"), listed(store, seq - 1, seq)):
        with pytest.raises(BadRecord, match="vouched for"):
            await reading


@pytest.mark.usefixtures("small_steps")
@awaited
async def test_an_old_chain_that_was_computed_anew_to_its_end_is_found() -> None:
    """Every digest follows from the one before, but they do not lead to the head that the key vouches for."""
    raw = MemoryStore()
    store = Sealed(raw, KEY, {1: await filled(raw, 10)})
    assert len(await listed(store, 0, None)) == 10
    digest = bytes(32)
    for seq in range(1, 11):
        record = raw._streams[1].entries[seq - 1].record
        body = record.body.replace(b"bet_placed", b"bet_forged") if seq == 2 else record.body
        digest = chained(digest, body)
        spoil(raw, seq, partial(Record._replace, body=body, digest=digest))
    for again in (store, Sealed(raw, KEY, store._vouched)):
        with pytest.raises(BadRecord, match="vouched for"):
            await again.record(1, 2)


@awaited
async def test_an_old_part_that_was_cut_is_found() -> None:
    raw = MemoryStore()
    store = Sealed(raw, KEY, {1: await filled(raw, 10)})
    del raw._streams[1].entries[8:]
    with pytest.raises(BadRecord, match="vouched for"):
        await listed(store, 0, None)


@awaited
async def test_a_record_after_the_vouched_head_needs_a_mac_whatever_version_it_claims() -> None:
    raw = MemoryStore()
    end = await filled(raw, 10)
    store = Sealed(raw, KEY, {1: end})
    async with raw.own(1, "mallory") as lease:
        await raw.append(Batch(1, lease.epoch, end, (entry(end, command="c-11"),)))  # it says "v": 1
    with pytest.raises(Forged, match="record 11 of stream 1 has no MAC"):
        await store.record(1, 11)
