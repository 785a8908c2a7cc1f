"""How fast a table's book is read: events replayed per second, and how long a table needs to start.

A busy table is played into a journal in SQLite: ten seats that bet, close, roll and are paid. It is read from its
first record on, then once more from its newest snapshot. bench/README.md says how to run it.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

from stickman.devices.signals import BillStacked, KeyMoved
from stickman.floor.boxman import SNAPSHOT_EVERY, Boxman, NewRecord, read, read_newest
from stickman.floor.journal import events_of
from stickman.floor.verify import verify
from stickman.rules.settings import change, load
from stickman.store import open_store
from stickman.store.store import Store
from stickman.table import messages as m
from stickman.table.decide import decide
from stickman.table.evolve import evolve_all
from stickman.table.messages import Facts, Request
from stickman.table.state import Table

STREAM, SEATS, BATCH = 1, 10, 500
BETS = ("pass", "come", "place.4", "place.5", "place.6", "place.8", "field", "hard.8", "dont_pass", "pass.odds")


def wanted(rng: random.Random, table: Table) -> Request | m.Reported:
    """Mostly bets; every forty requests or so the round goes on."""
    seat = rng.randint(1, SEATS)
    if table.phase != "betting":
        return m.RollDice() if table.phase == "shooting" else m.OpenBets()
    if rng.random() < 0.025:
        return m.CloseBets()
    if table.seat(seat).terminal.lockups:
        return (
            m.PayByHand(seat=seat)
            if table.seat(seat).terminal.key
            else m.Reported(seat=seat, signal=KeyMoved(on=True))
        )
    if table.credit(seat) < 5_000:
        return m.Reported(seat=seat, kind="acceptor", signal=BillStacked(note=1, cents=50_000))
    if rng.random() < 0.2:
        return m.Undo(seat=seat)
    return m.PlaceBet(seat=seat, spot=rng.choice(BETS), cents=rng.choice((500, 1000, 2000)))


async def play(boxman: Boxman, records: int) -> None:
    """Write this number of records, in batches. The writing is not measured here."""
    rng = random.Random(1)  # noqa: S311 - play of a benchmark
    while boxman.page.head.seq < records:
        table, deeds = boxman.table, list[NewRecord]()
        while len(deeds) < min(BATCH, records - boxman.page.head.seq):
            now_ms = 1_900_000_000_000 + boxman.page.head.seq * 100
            facts = Facts(now_ms=now_ms, actor="seat", dice=(rng.randint(1, 6), rng.randint(1, 6)))
            decision = decide(table, wanted(rng, table), facts)
            if isinstance(decision, tuple):
                table = evolve_all(table, decision)
                deeds.append(NewRecord(decision, now_ms, "seat"))
        await boxman.write(deeds, table)
        say(f"\r{boxman.page.head.seq:,} of {records:,} records written")
    say("\n")


async def measure(store: Store, records: int) -> None:
    async with store.own(STREAM, "bench") as lease:
        game = change(load("craps"), "seats", str(SEATS))
        await play(await Boxman.sit(store, lease, game, 1), records)
    events = 0
    async for record in store.records(STREAM, upto=20_000):
        events += len(events_of(record))
    sample = min(records, 20_000)
    started = time.perf_counter()
    await read(store, STREAM, upto=sample)
    seconds = time.perf_counter() - started
    say(f"replay from SQLite: {events / seconds:,.0f} events/s, {sample / seconds:,.0f} records/s\n")
    started = time.perf_counter()
    newest = await read_newest(store, STREAM)
    say(f"start of a table with {records:,} records, from its snapshot: {time.perf_counter() - started:.2f} s ")
    say(f"(a snapshot every {SNAPSHOT_EVERY:,} records)\n")
    started = time.perf_counter()
    whole = await read(store, STREAM)
    say(f"the same from its first record: {time.perf_counter() - started:.1f} s; ")
    say(f"the table is {'the same' if whole == newest else 'NOT THE SAME'}\n")
    started = time.perf_counter()
    verdict = await verify(store)
    say(f"verify: {records / (time.perf_counter() - started):,.0f} records/s, faults: {len(verdict.faults)}\n")


async def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--records", type=int, default=1_000_000)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(f"sqlite:{Path(folder) / 'journal.db'}")
        try:
            await measure(store, chosen.records)
        finally:
            await store.close()


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main())
