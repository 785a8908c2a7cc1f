"""Every kind of damage is found, and the first bad record is named."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from stickman.floor import boxman as boxmen
from stickman.floor.boxman import Boxman
from stickman.floor.journal import entry, events_of
from stickman.floor.meters import open_meter
from stickman.floor.office import Office
from stickman.floor.verify import Fault, verify
from stickman.rules.settings import load
from stickman.store.checkpoints import CheckpointFile, sign_heads
from stickman.store.memory import MemoryStore
from stickman.store.signing import Signer
from stickman.store.store import DECODER, ENCODER, FLOOR, Batch, Entry, Head, Move, chained
from stickman.table import messages as m
from stickman.table.messages import Facts
from tests.floor.evening import STARTS_MS, ask, at_table, awaited, busy
from tests.table.walks import TABLES
from tests.talk.devices import bill_stacked, ticket_stacked
from tests.talk.floor import slip_printed

Damage = Callable[[list[Entry]], None]


async def played() -> MemoryStore:
    """A floor of three tables after some play."""
    store = MemoryStore()
    floor = await Office.open(store)
    craps = load("craps")
    for side in craps.progressives():
        decide = partial(open_meter, meter=craps.meter(side), agreed=craps.meter_terms(side))
        await floor.act(decide, at_ms=STARTS_MS, actor="house")
    for stream, which in ((1, TABLES[0]), (2, TABLES[3]), (3, TABLES[7])):
        await at_table(store, stream, busy(stream, steps=80), which)
    return store


def damaged(store: MemoryStore, stream: int, damage: Damage) -> None:
    damage(store._streams[stream].entries)


@awaited
async def test_a_journal_as_it_was_written_is_whole() -> None:
    store = await played()
    told: list[tuple[int, int]] = []
    verdict = await verify(store, progress=lambda stream, seq: told.append((stream, seq)))
    assert verdict.faults == []
    assert list(verdict.heads) == [0, 1, 2, 3]
    assert {stream: head.seq for stream, head in verdict.heads.items()} == dict(told)
    assert verdict.records == sum(seq for _, seq in told)


# --- Damage to one record ---


def flip(at: int, byte: int) -> Damage:
    def damage(entries: list[Entry]) -> None:
        record = entries[at].record
        body = bytearray(record.body)
        body[byte % len(body)] ^= 1
        entries[at] = entries[at]._replace(record=record._replace(body=bytes(body)))

    return damage


def remove(at: int) -> Damage:
    return lambda entries: entries.__delitem__(at)


def swap(at: int) -> Damage:
    def damage(entries: list[Entry]) -> None:
        entries[at], entries[at + 1] = entries[at + 1], entries[at]

    return damage


def column(at: int, **values: Any) -> Damage:
    def damage(entries: list[Entry]) -> None:
        entries[at] = entries[at]._replace(record=entries[at].record._replace(**values))

    return damage


def beside(at: int, **values: Any) -> Damage:
    def damage(entries: list[Entry]) -> None:
        entries[at] = entries[at]._replace(**values)

    return damage


@pytest.mark.parametrize(
    ("damage", "seq", "says"),
    [
        (flip(20, 7), 21, "does not follow from the record before it"),
        (flip(20, -1), 21, "does not follow from the record before it"),
        (remove(20), 21, "missing; the next one is record 22"),
        (remove(0), 1, "missing; the next one is record 2"),
        (swap(20), 21, "missing; the next one is record 22"),
        (column(20, digest=bytes(32)), 21, "does not follow from the record before it"),
        (column(20, actor="badge-99"), 21, "its columns contain"),
        (column(20, at_ms=1), 21, "its columns contain"),
        (column(20, command="other"), 21, "its columns contain"),
        (beside(20, claims=("ticket:1:redeemed",)), 21, "claims"),
        (beside(20, moves=(Move("house", "seat:1:credit", 100_000),)), 21, "moved"),
        (lambda entries: entries.__delitem__(slice(-3, None)), None, "missing: the stream should end at record"),
    ],
)
@awaited
async def test_damage_is_found_and_the_first_bad_record_named(damage: Damage, seq: int | None, says: str) -> None:
    store = await played()
    seq = seq or len(store._streams[2].entries) - 2
    damaged(store, 2, damage)
    [fault] = (await verify(store)).faults
    assert (fault.stream, fault.seq) == (2, seq)
    assert says in fault.what
    assert str(fault).startswith(f"record {seq} of stream 2: ")


@awaited
async def test_a_flipped_byte_anywhere_is_found() -> None:
    store = await played()
    whole = list(store._streams[1].entries)
    for at in range(0, len(whole), 9):
        for byte in range(0, len(whole[at].record.body), 41):
            damaged(store, 1, flip(at, byte))
            [fault] = (await verify(store)).faults
            assert (fault.stream, fault.seq) == (1, at + 1)
            store._streams[1].entries[:] = whole


# --- A clever forger ---


def forged(entries: list[Entry], at: int, change: Callable[[bytes], bytes]) -> None:
    """Change a record's bytes and compute the chain anew from there on."""
    digest = entries[at - 1].record.digest
    for number in range(at, len(entries)):
        record = entries[number].record
        body = change(record.body) if number == at else record.body
        digest = chained(digest, body)
        entries[number] = entries[number]._replace(record=record._replace(body=body, digest=digest))


async def with_cash_at(store: MemoryStore, cents: int) -> int:
    """The place of a record that took a bill."""
    for number, each in enumerate(store._streams[1].entries):
        for event in events_of(each.record):
            if isinstance(event, m.CashInserted) and event.cents == cents:
                return number
    raise AssertionError("no bill was taken")


@awaited
async def test_a_recomputed_chain_with_a_changed_amount_is_found_by_the_ledger() -> None:
    store = await played()
    at = await with_cash_at(store, 50_000)
    damaged(store, 1, lambda entries: forged(entries, at, lambda body: body.replace(b"50000", b"90000")))
    store._streams[1].head = store._streams[1].entries[-1].record.head
    [fault] = (await verify(store)).faults
    assert (fault.stream, fault.seq) == (1, at + 1)


@awaited
async def test_a_recomputed_chain_that_agrees_with_itself_is_found_by_the_checkpoint_alone(tmp_path: Path) -> None:
    """The forger changes who did it, in bytes and column, and computes the chain anew: only what was signed outside
    the database knows better."""
    store = await played()
    file = CheckpointFile(tmp_path / "checkpoints", Signer.generate())
    assert await sign_heads(store, file, STARTS_MS) == []

    def other(entries: list[Entry]) -> None:
        forged(entries, 30, lambda body: body.replace(b"badge-12", b"badge-13"))
        entries[30] = entries[30]._replace(record=entries[30].record._replace(actor="badge-13"))

    damaged(store, 1, other)
    store._streams[1].head = store._streams[1].entries[-1].record.head
    assert (await verify(store)).faults == []
    [fault] = (await verify(store, file.newest())).faults
    assert "recomputed chain" in fault.what


@awaited
async def test_a_tail_cut_after_a_checkpoint_is_found(tmp_path: Path) -> None:
    store = await played()
    file = CheckpointFile(tmp_path / "checkpoints", Signer.generate())
    await sign_heads(store, file, STARTS_MS)
    entries = store._streams[1].entries
    del entries[-2:]
    store._streams[1].head = entries[-1].record.head
    [fault] = (await verify(store, file.newest())).faults
    assert fault.stream == 1
    assert "cut tail" in fault.what


@awaited
async def test_events_that_do_not_follow_are_found_even_in_a_sound_chain() -> None:
    """A bet that was never paid for: the accounts would not bear it."""
    store = await played()

    async def cheats(boxman: Boxman) -> None:
        events = [m.Undone(seat=1, felt=boxman.table.seat(1).felt)] * 60
        forged_entry = entry(boxman.page.head, events, stream=1, at_ms=STARTS_MS, actor="x")
        batch = Batch(1, boxman.lease.epoch, boxman.page.head, (forged_entry,))
        await store.append(batch)

    await at_table(store, 1, cheats)
    [fault] = (await verify(store)).faults
    assert (fault.stream, fault.seq) == (1, len(store._streams[1].entries))


# --- What lies beside ---


@awaited
async def test_a_meter_that_was_tampered_with_is_found() -> None:
    store = await played()
    assert (await store.shared("progressive:make_em_all/100/MEA-01"))[FLOOR] == 2_500_000
    store._shared["progressive:make_em_all/100/MEA-01"][2] += 1
    [fault] = (await verify(store)).faults
    assert (fault.stream, fault.seq) == (2, 0)
    assert "progressive:make_em_all/100/MEA-01" in fault.what


@awaited
async def test_a_snapshot_that_is_not_the_table_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxmen, "SNAPSHOT_EVERY", 40)
    store = await played()
    assert (await verify(store)).faults == []
    snapshot = await store.snapshot(1)
    assert snapshot is not None
    await store.keep_snapshot(snapshot._replace(body=snapshot.body.replace(b"craps", b"crabs", 1)))
    [fault] = (await verify(store)).faults
    assert (fault.stream, fault.seq) == (1, snapshot.head.seq)
    assert "snapshot" in fault.what


@awaited
async def test_a_ticket_redeemed_for_more_than_it_was_issued_for_is_found() -> None:
    store = MemoryStore()

    async def prints(boxman: Boxman) -> None:
        facts = Facts(now_ms=STARTS_MS, actor="seat 1", ticket_number="000000000000000042")
        await ask(boxman, bill_stacked(1, 5_000), facts)
        await ask(boxman, m.CashOut(seat=1), facts)
        await ask(boxman, slip_printed(1, "000000000000000042"), facts)

    async def redeems(boxman: Boxman) -> None:
        facts = Facts(now_ms=STARTS_MS, actor="seat 1", ticket=m.TicketIn("000000000000000042", 50_000))
        await ask(boxman, ticket_stacked(1, "000000000000000042"), facts)

    await at_table(store, 1, prints)
    await at_table(store, 2, redeems)
    [fault] = (await verify(store)).faults
    assert fault == Fault(2, 2, "ticket 000000000000000042, issued for 5000 cents, ended for 50000 cents")


@awaited
async def test_bytes_spelt_otherwise_are_found() -> None:
    """A key given twice says two things, and each reader believes another."""
    store = await played()

    def twice(entries: list[Entry]) -> None:
        forged(entries, 20, lambda body: b'{"v":1,' + body[1:])

    damaged(store, 1, twice)
    store._streams[1].head = store._streams[1].entries[-1].record.head
    [fault] = (await verify(store)).faults
    assert (fault.stream, fault.seq) == (1, 21)
    assert "not in the form" in fault.what


def test_the_digest_of_a_record_is_sha_256_over_the_digest_before_and_its_bytes() -> None:
    """So that anybody can check it without this program."""
    first = entry(
        Head(0, bytes(32)), [m.SwitchSet(seat=1, switch="keep_bets", on=True)], stream=1, at_ms=5, actor="x"
    ).record
    assert first.digest == hashlib.sha256(bytes(32) + first.body).digest()
    assert ENCODER.encode(DECODER.decode(first.body)) == first.body
