"""A journal under a key: when it opens, and how it is adopted and handed on."""

from __future__ import annotations

import pytest

from stickman.floor import events as e
from stickman.floor import seals
from stickman.floor.office import Office
from stickman.floor.seals import NotSealed, adopt, rotate, under
from stickman.floor.verify import verify
from stickman.store.memory import MemoryStore
from stickman.store.sealed import JournalKey, Sealed
from stickman.store.store import FLOOR, BadRecord, Claimed, Store
from tests.floor.evening import STARTS_MS, at_table, awaited, busy
from tests.talk.floor import staffed_office

OLD, NEW, THIRD = (JournalKey.of(bytes([number]) * 32) for number in (1, 2, 3))


async def played(store: Store) -> None:
    await staffed_office(store)
    await at_table(store, 1, busy(1, steps=40))


async def noted(store: Store) -> None:
    """Something more on the floor."""
    office = await Office.open(store)
    await office.act(lambda _: (e.ClockJumped(by_ms=5_000),), at_ms=STARTS_MS, actor="house")


@awaited
async def test_a_new_journal_has_macs_from_its_first_record() -> None:
    raw = MemoryStore()
    await played(await under(raw, OLD))
    entries = raw._streams[0].entries + raw._streams[1].entries
    assert {each.record.mac[:8] for each in entries} == {OLD.id_bytes}
    assert (await verify(await under(raw, OLD))).faults == []


@awaited
async def test_a_journal_without_macs_opens_once_it_is_adopted_and_not_before() -> None:
    raw = MemoryStore()
    await played(raw)
    with pytest.raises(NotSealed, match=r"has no MAC.*stickman journal adopt"):
        await under(raw, OLD)
    adopted = await adopt(raw, OLD, at_ms=STARTS_MS, actor="console")
    assert adopted.heads.keys() == {0, 1}
    assert not adopted.lost
    store = await under(raw, OLD)
    await noted(store)
    assert (await verify(store)).faults == []
    with pytest.raises(NotSealed, match="already"):
        await adopt(raw, OLD, at_ms=STARTS_MS, actor="console")
    with pytest.raises(NotSealed, match="already have a MAC"):
        await adopt(raw, NEW, at_ms=STARTS_MS, actor="console")


@awaited
async def test_a_record_without_a_mac_after_the_adoption_is_bad() -> None:
    raw = MemoryStore()
    await played(raw)
    await adopt(raw, OLD, at_ms=STARTS_MS, actor="console")
    store = await under(raw, OLD)
    await noted(raw)
    with pytest.raises(BadRecord, match="has no MAC"):
        await Office.open(store)


@awaited
async def test_a_rotation_proves_the_old_key_and_makes_it_worthless() -> None:
    raw = MemoryStore()
    await played(await under(raw, OLD))
    with pytest.raises(NotSealed, match="another one"):
        await rotate(raw, OLD, OLD, at_ms=STARTS_MS, actor="console")
    with pytest.raises(NotSealed, match="is under the key"):
        await rotate(raw, THIRD, NEW, at_ms=STARTS_MS, actor="console")
    rotated = await rotate(raw, OLD, NEW, at_ms=STARTS_MS, actor="console")
    assert (rotated.before, rotated.key) == (OLD.id, NEW.id)
    store = await under(raw, NEW)
    await noted(store)
    assert (await verify(store)).faults == []
    await noted_by_a_thief(raw)
    with pytest.raises(BadRecord, match="another key"):
        await Office.open(await under(raw, NEW))


async def noted_by_a_thief(raw: MemoryStore) -> None:
    """A record under the old key, after the rotation."""
    thief = Sealed(raw, OLD, {FLOOR: await raw.head(FLOOR)})
    await noted(thief)


@awaited
async def test_a_key_that_was_handed_on_twice_vouches_for_all_that_was_before() -> None:
    raw = MemoryStore()
    await played(raw)
    await adopt(raw, OLD, at_ms=STARTS_MS, actor="console")
    await rotate(raw, OLD, NEW, at_ms=STARTS_MS, actor="console")
    await noted(await under(raw, NEW))
    await rotate(raw, NEW, THIRD, at_ms=STARTS_MS, actor="console")
    assert (await verify(await under(raw, THIRD))).faults == []
    with pytest.raises(BadRecord, match="another key"):
        await Office.open(await under(raw, NEW))


@awaited
async def test_a_journal_that_is_not_whole_is_neither_adopted_nor_handed_on() -> None:
    raw = MemoryStore()
    await played(raw)
    raw._claims["ticket:1:issued"] = Claimed("ticket:1:issued", 9, 9)
    with pytest.raises(NotSealed, match="is not intact"):
        await adopt(raw, OLD, at_ms=STARTS_MS, actor="console")
    with pytest.raises(NotSealed, match="no records"):
        await adopt(MemoryStore(), OLD, at_ms=STARTS_MS, actor="console")


@awaited
async def test_a_lost_key_is_replaced_only_where_that_is_said() -> None:
    raw = MemoryStore()
    await played(await under(raw, OLD))
    adopted = await adopt(raw, NEW, at_ms=STARTS_MS, actor="console", lost=True)
    assert adopted.lost
    assert (await verify(await under(raw, NEW))).faults == []


@awaited
async def test_the_record_that_vouches_must_be_under_its_own_key() -> None:
    """Whoever writes such a record without the key wins nothing, nor who points its claim elsewhere."""
    raw = MemoryStore()
    await played(raw)
    heads = {0: (1, "00" * 32)}
    office = await Office.open(raw)
    await office.act(lambda _: (e.JournalAdopted(heads=heads, key=OLD.id),), at_ms=STARTS_MS, actor="console")
    with pytest.raises(BadRecord, match="has no MAC"):
        await under(raw, OLD)
    raw._claims[e.vouching(OLD.id)] = Claimed(e.vouching(OLD.id), FLOOR, 10**6)
    with pytest.raises(BadRecord, match="no record took the claim"):
        await under(raw, OLD)


@awaited
async def test_a_table_that_a_server_has_stops_a_rotation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seals, "PATIENCE_S", 0.05)
    raw = MemoryStore()
    await played(await under(raw, OLD))
    async with raw.own(1, "a server"):
        with pytest.raises(NotSealed, match="a server owns table 1"):
            await rotate(raw, OLD, NEW, at_ms=STARTS_MS, actor="console")
