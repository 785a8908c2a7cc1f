"""How fast a bet is made durable: `store.append` next to the bare INSERT and COMMIT of the same record.

`.venv/bin/python bench/journal.py [--db URL]` prints, for one disk or one server and in one run:

- bare: one connection inserts the record and commits, again and again;
- whole: the same connection writes all that belongs to the bet (record, move, head), without the store's thread;
- append: one table appends through the store, one bet at a time;
- append x10: ten tables at once, each one bet at a time.

They take turns, so that a busy machine slows them all. The target is append at 70% of bare or better. The journals
are SQLite files in the directory for temporary files, which should be on a disk; `--db sqlite:PATH` puts them
elsewhere (bare and whole into PATH.bare), `--db postgresql://…` into an empty database, without "whole".

What append pays beyond whole is two wake-ups: of the thread that writes, and of the loop. Where an idle core sleeps
deeply, as in a virtual machine, each costs some 40 µs; `--one-core` shows the same without that.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from statistics import median
from uuid import uuid4

import asyncpg
import msgspec

from stickman.store import open_store, sqlite
from stickman.store.store import EMPTY, Batch, Entry, Envelope, Head, Move, Store, seal

TARGET = 0.7
TABLES = range(1, 11)
BARE, WHOLE = 98, 99  # streams apart from the tables'
EVENTS = msgspec.Raw(
    b'[{"event":"bet_placed","seat":7,"spot":"come.6.odds","cents":2500,"wagers":{"pass":{"stake":1000,"state":4,'
    b'"working":true,"locked":true},"pass.odds":{"stake":5000,"working":true},"come.6":{"stake":500,"locked":true}},'
    b'"transfers":[{"source":"seat:7:credit","target":"seat:7:felt","cents":2500}],"undo":3}]'
)
MOVES = (Move("seat:7:credit", "seat:7:felt", 2500),)

Write = Callable[[Batch], Awaitable[object]]


@dataclass
class Pen:
    """Who writes to one stream, how, and where it stands."""

    stream: int
    epoch: int
    write: Write
    head: Head = EMPTY

    async def bet(self, count: int) -> list[float]:
        """Write this number of bets and return how long each took, without its sealing."""
        times = []
        for _ in range(count):
            at_ms = time.time_ns() // 10**6
            envelope = Envelope(1, self.stream, self.head.seq + 1, at_ms, "seat:7", EVENTS, command=uuid4().hex)
            record = seal(self.head, envelope)
            batch = Batch(self.stream, self.epoch, self.head, (Entry(record, MOVES),))
            start = time.perf_counter()
            await self.write(batch)
            times.append(time.perf_counter() - start)
            self.head = record.head
        return times


@dataclass
class Kind:
    """A way to write, by one pen or several at once, and how long its bets took."""

    name: str
    pens: list[Pen]
    times: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)

    async def turn(self, count: int) -> None:
        start = time.perf_counter()
        written = await asyncio.gather(*(pen.bet(count // len(self.pens)) for pen in self.pens))
        spent = time.perf_counter() - start
        times = list(chain.from_iterable(written))
        self.times += times
        # What a single pen does between two bets is the bench's own; of several, others write meanwhile.
        self.rates.append(len(times) / (sum(times) if len(self.pens) == 1 else spent))

    @property
    def rate(self) -> float:
        """Bets per second, in the middling turn."""
        return median(self.rates)

    def microseconds(self, percent: int) -> float:
        return sorted(self.times)[len(self.times) * percent // 100] * 10**6


# --- Without a store ---


@asynccontextmanager
async def bare_postgres(url: str) -> AsyncIterator[list[Kind]]:
    connection = await asyncpg.connect(url)
    columns = "stream, seq, at_ms, command, actor, body, digest"
    insert = await connection.prepare(f"INSERT INTO journal ({columns}) VALUES ($1, $2, $3, $4, $5, $6, $7)")  # noqa: S608 - no value is in it

    async def write(batch: Batch) -> None:
        await insert.fetch(*batch.entries[0].record)

    yield [Kind("bare", [Pen(BARE, 0, write)])]
    await connection.close()


@asynccontextmanager
async def bare_sqlite(path: str) -> AsyncIterator[list[Kind]]:
    writing, reading = sqlite.connect(path, None)
    with closing(reading), closing(writing):
        db = writing.cursor()
        epoch = sqlite.take(WHOLE, "bench", None, db)

        async def write_record(batch: Batch) -> None:
            db.execute("BEGIN IMMEDIATE")
            db.execute(sqlite.RECORD, batch.entries[0].record)
            db.execute("COMMIT")

        async def write_whole(batch: Batch) -> None:
            db.execute("BEGIN IMMEDIATE")
            sqlite.append(batch, db)
            db.execute("COMMIT")

        assert epoch is not None, "nobody else uses the journal of a bench"
        yield [Kind("bare", [Pen(BARE, 0, write_record)]), Kind("whole", [Pen(WHOLE, epoch, write_whole)])]


# --- Turns ---


async def measure(url: str, bets: int, turns: int) -> list[Kind]:
    async with AsyncExitStack() as stack:
        store = await open_store(url)
        stack.push_async_callback(store.close)
        is_sqlite = "://" not in url
        bare = bare_sqlite(url.removeprefix("sqlite:") + ".bare") if is_sqlite else bare_postgres(url)
        kinds = await stack.enter_async_context(bare)
        pens = [await table_pen(store, stream, stack) for stream in TABLES]
        kinds += [Kind("append", pens[:1]), Kind(f"append x{len(pens)}", pens)]
        for _ in range(turns):
            for kind in kinds:
                await kind.turn(bets // turns)
        return kinds


async def table_pen(store: Store, stream: int, stack: AsyncExitStack) -> Pen:
    lease = await stack.enter_async_context(store.own(stream, "bench"))
    return Pen(stream, lease.epoch, store.append, await store.head(stream))


def report(kinds: Iterable[Kind]) -> float:
    """Print a line for each kind, and give append's share of the bare rate."""
    shares = {}
    rates = {kind.name: kind.rate for kind in kinds}
    for kind in kinds:
        shares[kind.name] = kind.rate / rates["bare"]
        p50, p99 = kind.microseconds(50), kind.microseconds(99)
        print(  # noqa: T201 - its purpose
            f"{kind.name:11} {kind.rate:8,.0f} bets/s   p50 {p50:6,.0f} µs   p99 {p99:6,.0f} µs   "
            f"{shares[kind.name]:5.0%} of bare"
        )
    return shares["append"]


def main() -> int:
    """1 if append is below the target."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", help="where to write: sqlite:PATH or postgresql://…")
    parser.add_argument("--bets", type=int, default=8_000, help="of each kind")
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--one-core", action="store_true", help="run on one core")
    options = parser.parse_args()
    if options.one_core:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as directory:
        url = options.db or f"sqlite:{Path(directory) / 'journal.db'}"
        share = report(asyncio.run(measure(url, options.bets, options.turns)))
    return int(share < TARGET)


if __name__ == "__main__":
    sys.exit(main())
