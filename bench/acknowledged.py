"""How long a bet takes until it is durable and acknowledged: this tree against another one.

`.venv/bin/python bench/acknowledged.py --against PATH [--runs 9] [--db sqlite|postgres]` lets a pit of each tree
take bets in turn, so that a busy machine slows both: one table, and ten tables at once. PATH is a checkout, such as
`git worktree add PATH REVISION` makes. It prints the median wait of each run, and the change next to how much the
other tree differs from itself (one half of its runs against the other).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve().parents[1]
TABLES = (1, 10)
WARM, STEPS = 50, 300
KEY = bytes(range(32))


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - its purpose


# --- One run, of the tree that this file is in ---


async def opened(url: str) -> Any:
    """The journal as the server opens it."""
    from stickman.floor.seals import open_journal  # noqa: PLC0415 - of the tree that is measured
    from stickman.store.sealed import JournalKey  # noqa: PLC0415

    return await open_journal(url, JournalKey.of(KEY))


async def waits_us(url: str, tables: int) -> float:
    """The median wait for a bet's acknowledgement, in microseconds."""
    from stickman.devices.signals import BillStacked  # noqa: PLC0415 - of the tree that is measured
    from stickman.floor.boxman import Boxman  # noqa: PLC0415 - of the tree that is measured
    from stickman.floor.clock import Clock  # noqa: PLC0415
    from stickman.rules.settings import load  # noqa: PLC0415
    from stickman.server.entropy import KernelDice  # noqa: PLC0415
    from stickman.server.house import Asked, House  # noqa: PLC0415
    from stickman.server.pit import Pit  # noqa: PLC0415
    from stickman.table import messages as m  # noqa: PLC0415

    store, clock = await opened(url), Clock()
    async with AsyncExitStack() as stack:
        pits = []
        for stream in range(1, tables + 1):
            lease = await stack.enter_async_context(store.own(stream, "bench"))
            boxman = await Boxman.sit(store, lease, load("craps"), clock.now_ms())
            pits.append(Pit(boxman, House(clock, KernelDice(), (KEY,))))

        async def plays(pit: Pit) -> list[float]:
            await pit.step(Asked(m.Reported(seat=1, kind="acceptor", signal=BillStacked(note=1, cents=10_000))))
            waits = []
            for number in range(WARM + STEPS):
                bet = m.PlaceBet(seat=1, spot="field", cents=100)
                request = m.TakeBet(seat=1, spot="field") if number % 2 else bet
                began = time.perf_counter_ns()
                answer = await pit.step(Asked(request, "seat 1", f"bench-{number}"))
                waits.append((time.perf_counter_ns() - began) / 1000)
                assert getattr(answer, "seq", 0), answer  # a refusal has none
            return waits[WARM:]

        found = await asyncio.gather(*map(plays, pits))
    await store.close()
    return median(wait for waits in found for wait in waits)


# --- Both trees, in turn ---


def run(tree: Path, url: str, tables: int) -> float:
    env = {**os.environ, "PYTHONPATH": str(tree / "src")}
    command = [sys.executable, str(tree / "bench/acknowledged.py"), "--child", url, "--tables", str(tables)]
    done = subprocess.run(  # noqa: S603 - our own
        command, env=env, cwd=tree, capture_output=True, text=True, check=True
    )
    return float(json.loads(done.stdout))


def compare(against: Path, runs: int, urls: Any) -> None:
    for tables in TABLES:
        waits: dict[str, list[float]] = {"before": [], "after": []}
        for _ in range(runs):
            for name, tree in (("before", against), ("after", HERE)):
                waits[name].append(run(tree, next(urls), tables))
        before, after = waits["before"], waits["after"]
        halves = median(before[::2]) / median(before[1::2]) - 1
        for name, found in waits.items():
            each = " ".join(f"{wait:.0f}" for wait in found)
            say(f"{tables:2} tables  {name:6} {each} µs, median {median(found):.0f}")
        change = median(after) / median(before) - 1
        spread = (max(before) - min(before)) / median(before)
        say(
            f"{tables:2} tables  change {change:+.1%}; before against itself {halves:+.1%}, its spread {spread:.1%}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--db", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--child")
    parser.add_argument("--tables", type=int, default=1)
    asked = parser.parse_args()
    if asked.child:
        say(json.dumps(asyncio.run(waits_us(asked.child, asked.tables))))
        return
    sys.path.insert(0, str(HERE))
    from tests.store.postgres_server import PostgresServer  # noqa: PLC0415 - a child needs none

    with tempfile.TemporaryDirectory() as folder:
        if asked.db == "sqlite":
            compare(asked.against, asked.runs, (f"sqlite:{folder}/{n}.db" for n in range(10**6)))
            return
        with PostgresServer() as server:
            compare(asked.against, asked.runs, (server.database(f"bench{n}") for n in range(10**6)))


if __name__ == "__main__":
    main()
