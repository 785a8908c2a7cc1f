"""Whoever has the database can change it; `verify` finds it and names the first bad record, on either database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import apsw
import asyncpg
import pytest

from stickman.floor.verify import DATABASE, Fault, verify
from stickman.store import open_store
from stickman.store.checkpoints import Checkpoint, CheckpointFile, sign_heads
from stickman.store.signing import Signer
from stickman.store.store import chained
from tests.floor.evening import STARTS_MS, at_table, busy
from tests.table.walks import TABLES

STREAM = 2
UNGUARDED = {
    "sqlite": [f"DROP TRIGGER {name}" for name in ("journal_is_not_changed", "journal_is_not_cut")],
    "postgres": ["ALTER TABLE journal DISABLE TRIGGER USER"],
}
OTHERS = {
    "sqlite": ["DROP TRIGGER move_is_not_changed", "DROP TRIGGER claim_is_not_given_back"],
    "postgres": ["ALTER TABLE move DISABLE TRIGGER USER", "ALTER TABLE claim DISABLE TRIGGER USER"],
}


def kind_of(url: str) -> str:
    return "sqlite" if url.startswith("sqlite:") else "postgres"


async def tell(url: str, *statements: str) -> None:
    """Do to the database what its owner can do."""
    if kind_of(url) == "sqlite":
        with closing(apsw.Connection(url.removeprefix("sqlite:"))) as db:
            for statement in statements:
                db.execute(statement)
        return
    session = await asyncpg.connect(url)
    try:
        for statement in statements:
            await session.execute(statement)
    finally:
        await session.close()


async def played(url: str, tmp_path: Path) -> Checkpoint:
    """Two tables after some play, and what was signed of it."""
    store = await open_store(url)
    for stream, which in ((1, TABLES[0]), (STREAM, TABLES[3])):
        await at_table(store, stream, busy(stream, steps=60), which)
    file = CheckpointFile(tmp_path / "checkpoints", Signer.generate())
    assert await sign_heads(store, file, STARTS_MS) == []
    await store.close()
    newest = file.newest()
    assert newest is not None
    return newest


async def faults(url: str, checkpoint: Checkpoint | None = None) -> list[Fault]:
    """What is wrong with the records; what is wrong with the database as a whole is found too, where triggers were
    taken away to spoil it."""
    store = await open_store(url)
    try:
        found = (await verify(store, checkpoint)).faults
    finally:
        await store.close()
    assert all("trigger" in fault.what for fault in found if fault.stream == DATABASE)
    return [fault for fault in found if fault.stream != DATABASE]


def hexed(url: str, data: bytes) -> str:
    return f"x'{data.hex()}'" if kind_of(url) == "sqlite" else f"'\\x{data.hex()}'"


async def flip_a_byte(url: str) -> int:
    store = await open_store(url)
    record = await store.record(STREAM, 20)
    await store.close()
    assert record is not None
    body = bytearray(record.body)
    body[len(body) // 2] ^= 1
    await tell(url, f"UPDATE journal SET body = {hexed(url, bytes(body))} WHERE stream = {STREAM} AND seq = 20")
    return 20


async def remove_a_row(url: str) -> int:
    await tell(url, f"DELETE FROM journal WHERE stream = {STREAM} AND seq = 21")
    return 21


async def swap_two_rows(url: str) -> int:
    await tell(
        url,
        f"UPDATE journal SET seq = 100000 WHERE stream = {STREAM} AND seq = 22",
        f"UPDATE journal SET seq = 22 WHERE stream = {STREAM} AND seq = 23",
        f"UPDATE journal SET seq = 23 WHERE stream = {STREAM} AND seq = 100000",
    )
    return 22


async def change_a_column(url: str) -> int:
    await tell(url, f"UPDATE journal SET actor = 'badge-99' WHERE stream = {STREAM} AND seq = 24")
    return 24


async def change_a_move(url: str) -> int:
    await tell(url, *OTHERS[kind_of(url)], f"UPDATE move SET cents = cents + 1 WHERE stream = {STREAM} AND seq = 2")
    return 2


@pytest.mark.parametrize("damage", [flip_a_byte, remove_a_row, swap_two_rows, change_a_column, change_a_move])
def test_damage_is_found_and_the_first_bad_record_named(
    kept_url: str, tmp_path: Path, damage: Callable[[str], Awaitable[int]]
) -> None:
    async def scenario() -> None:
        await played(kept_url, tmp_path)
        assert await faults(kept_url) == []
        await tell(kept_url, *UNGUARDED[kind_of(kept_url)])
        seq = await damage(kept_url)
        fault, *others = await faults(kept_url)
        assert (fault.stream, fault.seq) == (STREAM, seq)
        assert all("has a row for it" in other.what for other in others), "what a removed record leaves behind"

    asyncio.run(scenario())


def test_a_tail_cut_with_its_head_is_found_by_the_checkpoint_alone(kept_url: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        checkpoint = await played(kept_url, tmp_path)
        store = await open_store(kept_url)
        end = (await store.head(STREAM)).seq - 3
        last = await store.record(STREAM, end)
        await store.close()
        assert last is not None
        await tell(
            kept_url,
            *UNGUARDED[kind_of(kept_url)],
            *OTHERS[kind_of(kept_url)],
            *(["DROP TRIGGER move_is_not_taken_back"] if kind_of(kept_url) == "sqlite" else []),
            *(
                f"DELETE FROM {each} WHERE stream = {STREAM} AND seq > {end}"
                for each in ("journal", "move", "claim")
            ),
            f"UPDATE head SET seq = {end}, digest = {hexed(kept_url, last.digest)} WHERE stream = {STREAM}",
        )
        unsigned = [fault for fault in await faults(kept_url) if "progressive" not in fault.what]
        assert unsigned == []
        found = [fault for fault in await faults(kept_url, checkpoint) if "cut tail" in fault.what]
        assert [(fault.stream, fault.seq) for fault in found] == [(STREAM, end + 3)]

    asyncio.run(scenario())


def test_a_recomputed_chain_is_found_by_the_checkpoint(kept_url: str, tmp_path: Path) -> None:
    """Another time in one record, in its bytes and its column, and every digest computed anew."""

    async def scenario() -> None:
        checkpoint = await played(kept_url, tmp_path)
        store = await open_store(kept_url)
        records = [record async for record in store.records(STREAM)]
        await store.close()
        statements, digest = list(UNGUARDED[kind_of(kept_url)]), records[28].digest
        for record in records[29:]:
            body, at_ms = record.body, record.at_ms
            if record.seq == 30:
                body, at_ms = body.replace(f'"at_ms":{at_ms}'.encode(), f'"at_ms":{at_ms + 1}'.encode()), at_ms + 1
                assert body != record.body
            digest = chained(digest, body)
            statements.append(
                f"UPDATE journal SET body = {hexed(kept_url, body)}, digest = {hexed(kept_url, digest)},"
                f" at_ms = {at_ms} WHERE stream = {STREAM} AND seq = {record.seq}"
            )
        statements.append(f"UPDATE head SET digest = {hexed(kept_url, digest)} WHERE stream = {STREAM}")
        await tell(kept_url, *statements)
        assert await faults(kept_url) == []
        [fault] = await faults(kept_url, checkpoint)
        assert "recomputed chain" in fault.what

    asyncio.run(scenario())


def test_the_database_itself_lets_nobody_change_what_happened(kept_url: str, tmp_path: Path) -> None:
    """By accident, that is: whoever owns the database can take the guard away, as above."""

    async def scenario() -> None:
        await played(kept_url, tmp_path)
        for damage in (remove_a_row, change_a_column):
            with pytest.raises((apsw.ConstraintError, asyncpg.PostgresError)):
                await damage(kept_url)
        assert await faults(kept_url) == []

    asyncio.run(scenario())
