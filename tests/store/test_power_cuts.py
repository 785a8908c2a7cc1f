"""Whatever is cut, torn or reordered on a disk: what was acknowledged is there, without a gap, in an intact chain.

`STICKMAN_CUTS=1000` cuts the power more often than the everyday 60 times.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from stickman.store import sqlite
from stickman.store.sqlite import SqliteStore, open_sqlite
from stickman.store.store import EMPTY, FLOOR, Batch, Entry, Record
from tests.store.contract import batch, bet, entry, is_intact, listed, opened
from tests.store.power import Disk, disk

CUTS = int(os.environ.get("STICKMAN_CUTS", "60"))
STREAMS = (FLOOR, 1, 2, 3)
NORMAL = 1


class Evening:
    """Tables that bet on a disk until its power is cut, and what was acknowledged by then."""

    def __init__(self, on: Disk, seed: int) -> None:
        self.disk = on
        self.rng = random.Random(seed)  # noqa: S311 - the same cut for the same seed, as far as threads allow
        self.told: dict[int, list[Record]] = {stream: [] for stream in STREAMS}
        self.told_at_cut: dict[int, list[Record]] = {}
        self.image: dict[str, bytes] = {}

    async def play(self, path: Path) -> None:
        store = await open_sqlite(str(path), self.disk.name)
        pages = self.rng.choice([4, 16, 64])
        store._writer._db.connection.wal_autocheckpoint(pages)  # few, so that the log often starts over
        self.disk.cut_after(self.rng.randrange(500), self.cut)
        await asyncio.gather(*(self.sit_down(store, stream) for stream in STREAMS))
        await store.close()

    def cut(self) -> None:
        """Called in the midst of a write, in the thread that writes."""
        self.told_at_cut = {stream: list(records) for stream, records in self.told.items()}
        self.image = self.disk.image(self.rng)

    async def sit_down(self, store: SqliteStore, stream: int) -> None:
        if stream == FLOOR:
            await self.bet(store, FLOOR, 0)
        else:
            async with store.own(stream, "pit-1") as lease:
                await self.bet(store, stream, lease.epoch)

    async def bet(self, store: SqliteStore, stream: int, epoch: int) -> None:
        after = EMPTY
        while not self.image:
            entries: list[Entry] = []
            for _ in range(self.rng.choice([1, 1, 3])):
                head = entries[-1].record.head if entries else after
                events = b'["%s"]' % (b"x" * self.rng.randrange(3_000))
                entries.append(entry(head, stream=stream, command=f"c-{head.seq}", moves=(bet(),), events=events))
            after = await store.append(Batch(stream, epoch, after, tuple(entries)))
            self.told[stream] += [each.record for each in entries]


def cut_and_restored(seed: int, tmp_path: Path) -> tuple[dict[int, list[Record]], Path]:
    """What was acknowledged when the power was cut, and the file as it is found when the power is back."""
    before, after = tmp_path / "before", tmp_path / "after"
    before.mkdir()
    after.mkdir()
    with disk() as used:
        evening = Evening(used, seed)
        asyncio.run(evening.play(before / "journal.db"))
    for name, data in evening.image.items():
        (after / name).write_bytes(data)
    return evening.told_at_cut, after / "journal.db"


async def count_lost(told: dict[int, list[Record]], path: Path) -> int:
    """How many acknowledged records the store lacks; all that it has must agree."""
    async with opened(str(path)) as store:
        lost = 0
        for stream, records in told.items():
            assert await is_intact(store, stream)
            entries = [found async for found in store.entries(stream)]
            kept = [found.record for found in entries][: len(records)]
            assert kept == records[: len(kept)]
            assert all(found.moves == (bet(),) for found in entries)
            lost += len(records) - len(kept)
    return lost


def integrity(path: Path) -> str:
    with closing(apsw.Connection(str(path))) as db:
        return str(db.pragma("integrity_check"))


@pytest.mark.parametrize("seed", range(CUTS))
def test_a_power_cut_loses_nothing_acknowledged(seed: int, tmp_path: Path) -> None:
    told, path = cut_and_restored(seed, tmp_path)
    assert asyncio.run(count_lost(told, path)) == 0
    assert integrity(path) == "ok"


def test_cuts_are_hard_enough_to_find_a_store_that_does_not_sync(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sqlite.DURABLE, "synchronous", NORMAL)
    lost = 0
    for seed in range(20):
        (tmp_path / str(seed)).mkdir()
        told, path = cut_and_restored(seed, tmp_path / str(seed))
        lost += asyncio.run(count_lost(told, path))
    assert lost > 0


@pytest.mark.parametrize("seed", range(20))
def test_a_power_cut_while_a_store_is_made_leaves_one_that_can_be_made_again(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)  # noqa: S311 - the same cut for the same seed

    async def make(path: Path, on: Disk) -> None:
        await (await open_sqlite(str(path), on.name)).close()

    async def use(path: Path) -> None:
        async with opened(str(path)) as store, store.own(1, "pit-1") as lease:
            await store.append(batch(lease, EMPTY, entry(EMPTY)))
            assert await is_intact(store, 1)

    image: dict[str, bytes] = {}
    with disk() as used:
        used.cut_after(rng.randrange(30), lambda: image.update(used.image(rng)))
        asyncio.run(make(tmp_path / "journal.db", used))
    after = tmp_path / "after"
    after.mkdir()
    for name, data in image.items():
        (after / name).write_bytes(data)
    asyncio.run(use(after / "journal.db"))
    assert integrity(after / "journal.db") == "ok"


# --- A torn last write: the bytes of the last commit in the log, cut short or scribbled over ---


@pytest.mark.parametrize("damage", ["cut short", "scribbled"])
@pytest.mark.parametrize("seed", range(5))
def test_a_torn_last_write_costs_no_earlier_one(damage: str, seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)  # noqa: S311 - the same damage for the same seed
    path, log = tmp_path / "journal.db", tmp_path / "journal.db-wal"
    copy, copied_log = tmp_path / "copy.db", tmp_path / "copy.db-wal"

    async def play() -> int:
        """Twenty bets, and where in the log the last one begins; files as they lie before anybody tidies up."""
        async with opened(str(path)) as store, store.own(1, "pit-1") as lease:
            head, begin = EMPTY, 0
            for _ in range(20):
                begin = log.stat().st_size
                head = await store.append(batch(lease, head, entry(head, moves=(bet(),))))
            shutil.copy(path, copy)
            shutil.copy(log, copied_log)
            return begin

    async def count() -> int:
        async with opened(str(copy)) as store:
            assert await is_intact(store, 1)
            return len(await listed(store.records(1)))

    begin = asyncio.run(play())
    data = bytearray(copied_log.read_bytes())
    where = rng.randrange(begin, len(data))
    if damage == "cut short":
        del data[where:]
    else:
        data[where:] = rng.randbytes(len(data) - where)
    copied_log.write_bytes(data)
    assert asyncio.run(count()) >= 19
    assert integrity(copy) == "ok"
