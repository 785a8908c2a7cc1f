from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings

from stickman.floor import boxman as boxmen
from stickman.floor.boxman import Boxman, NewRecord, read, read_newest, snapshot_bytes, table_of
from stickman.floor.journal import BadRecord, entry, events_of
from stickman.floor.verify import verify
from stickman.rules.settings import load
from stickman.store.memory import MemoryStore
from stickman.store.store import DECODER, EMPTY, Batch, Head, StoredSnapshot, Taken
from stickman.table import messages as m
from stickman.table import script
from stickman.table.evolve import evolve_all
from stickman.table.ledger import Transfer
from stickman.table.messages import Facts
from stickman.table.state import Table, new_table
from tests.floor.evening import STARTS_MS, ask, at_table, awaited, busy
from tests.playthroughs.update import SCRIPTS
from tests.table.walks import TABLES, tables
from tests.talk.devices import bill_stacked

CASH = bill_stacked(1, 10_000)
FACTS = Facts(now_ms=STARTS_MS, actor="badge-12")


@settings(max_examples=60)
@given(tables())
def test_a_snapshot_of_any_table_reads_as_that_table(walked: tuple[Table, Facts]) -> None:
    table, _ = walked
    assert table_of(StoredSnapshot(1, EMPTY, snapshot_bytes(table))) == table


@pytest.mark.parametrize("which", TABLES, ids=lambda which: " ".join(which)[:40])
@awaited
async def test_a_book_read_again_is_the_table_as_it_was_played(which: tuple[str, ...]) -> None:
    store = MemoryStore()
    played = await at_table(store, 1, busy(7), which)
    page = await read(store, 1)
    assert page is not None
    assert page == played.page
    assert played.page.head.seq > 50


@awaited
async def test_a_new_book_begins_with_its_game_and_an_old_one_goes_on_with_its_own() -> None:
    store = MemoryStore()
    async with store.own(1, "first") as lease:
        await Boxman.sit(store, lease, load("crapless"), STARTS_MS)
    async with store.own(1, "second") as lease:
        boxman = await Boxman.sit(store, lease, load("craps"), STARTS_MS)
        assert boxman.table == new_table(load("crapless"))
        assert boxman.page.head.seq == 1


@awaited
async def test_a_command_id_given_twice_is_answered_as_the_first_time() -> None:
    store = MemoryStore()
    async with store.own(1, "owner") as lease:
        boxman = await Boxman.sit(store, lease, load("craps"), STARTS_MS)
        assert await store.commanded(1, "c-1") is None
        assert await ask(boxman, CASH, FACTS, "c-1") is None
        before = boxman.page
        with pytest.raises(Taken, match="command:c-1"):
            await ask(boxman, bill_stacked(1, 77), FACTS, "c-1")
        assert boxman.page == before, "what was not written is not shown"
        record = await store.commanded(1, "c-1")
        assert record
        [event] = events_of(record)
        assert isinstance(event, m.CashInserted)
        assert event.cents == 10_000


@awaited
async def test_deeds_written_together_are_chained_and_read_back_one_by_one() -> None:
    store = MemoryStore()
    async with store.own(1, "owner") as lease:
        boxman = await Boxman.sit(store, lease, load("craps"), STARTS_MS)
        one = (m.CashInserted(seat=1, cents=100, transfers=(Transfer("cash", "seat:1:credit", 100),)),)
        two = (m.SwitchSet(seat=2, switch="keep_bets", on=True),)
        after = evolve_all(boxman.table, one + two)
        await boxman.write(
            [NewRecord(one, STARTS_MS, "seat 1", "a"), NewRecord(two, STARTS_MS + 1, "seat 2", "b")], after
        )
        assert boxman.page.head.seq == 3
        assert await read(store, 1) == boxman.page
        half = await read(store, 1, upto=2)
        assert half is not None
        assert not half.table.seat(2).player.keep_bets


@awaited
async def test_a_start_from_a_snapshot_gives_the_same_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxmen, "SNAPSHOT_EVERY", 40)
    store = MemoryStore()
    played = await at_table(store, 1, busy(3))
    snapshot = await store.snapshot(1)
    assert snapshot is not None
    assert 40 <= snapshot.head.seq < played.page.head.seq
    assert await read_newest(store, 1) == played.page == await read(store, 1)
    record = await store.record(1, snapshot.head.seq + 1)
    assert record is not None
    assert DECODER.decode(record.body).snapshot == hashlib.sha256(snapshot.body).hexdigest()


@pytest.mark.parametrize("spoiled", ["body", "place"])
@awaited
async def test_a_snapshot_that_the_chain_does_not_vouch_for_is_ignored(
    monkeypatch: pytest.MonkeyPatch, spoiled: str
) -> None:
    monkeypatch.setattr(boxmen, "SNAPSHOT_EVERY", 40)
    store = MemoryStore()
    played = await at_table(store, 1, busy(3))
    snapshot = await store.snapshot(1)
    assert snapshot is not None
    richer = snapshot.body.replace(b'"seat:1:credit":', b'"seat:1:credit":9', 1)
    assert richer != snapshot.body
    elsewhere = Head(snapshot.head.seq + 1, snapshot.head.digest)
    bad = snapshot._replace(body=richer) if spoiled == "body" else snapshot._replace(head=elsewhere)
    await store.keep_snapshot(bad)
    assert await read_newest(store, 1) == played.page, "it is built from the records"


@pytest.mark.parametrize("body", [b"{}", b'{"v":1,"table":7}'])
@awaited
async def test_a_snapshot_of_another_version_is_ignored(monkeypatch: pytest.MonkeyPatch, body: bytes) -> None:
    monkeypatch.setattr(boxmen, "SNAPSHOT_EVERY", 40)
    monkeypatch.setattr(boxmen, "snapshot_bytes", lambda _: body)
    store = MemoryStore()
    played = await at_table(store, 1, busy(3))
    assert await store.snapshot(1)
    assert await read_newest(store, 1) == played.page
    assert (await verify(store)).faults == []


@awaited
async def test_a_record_that_does_not_open_a_table_cannot_be_the_first() -> None:
    store = MemoryStore()
    async with store.own(1, "owner") as lease:
        first = entry(EMPTY, [m.SwitchSet(seat=1, switch="keep_bets", on=True)], stream=1, at_ms=1, actor="x")
        await store.append(Batch(1, lease.epoch, EMPTY, (first,)))
        with pytest.raises(BadRecord, match="must open"):
            await Boxman.sit(store, lease, load("craps"), STARTS_MS)


def test_every_event_that_a_script_can_bring_about_reads_back_as_itself() -> None:
    """Over all golden sessions, which hold every kind of event."""
    for path in SCRIPTS:
        for step in script.play(path.read_text("utf-8")).steps:
            if step.events:
                record = entry(EMPTY, step.events, stream=1, at_ms=1, actor="x").record
                assert events_of(record) == step.events
