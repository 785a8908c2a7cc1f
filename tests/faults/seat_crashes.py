"""End the devices process, the server or both at every point of a bill's and a ticket's way in and out, and see
that the money is in exactly one place.

`python -m tests.faults.seat_crashes` tries every point of every way with every victim, in turns for a short and a
long time without it, and prints where the money went. `--every 50` tries each fiftieth. `--pairs 1000` ends them
twice, at random points. `--store postgres` has the journal in a database server.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

from stickman.table import messages as m
from tests.faults.seat_world import SEAT, SIDES, SeatWorld, Side, idle_seat, outcome
from tests.store.postgres_server import PostgresServer

WAYS: dict[str, Callable[[SeatWorld], object]] = {
    "bill in": lambda world: world.insert_bill(2_000),
    "ticket in": lambda world: world.insert_slip(next(slip for slip in world.metal.slips if slip.numbers)),
    "ticket out": lambda world: world.wish(m.CashOut(seat=SEAT)),
    "tip out": lambda world: world.wish(m.GiveTip(seat=SEAT, cents=500)),
}
VICTIMS: dict[str, tuple[Side, ...]] = {"devices": ("devices",), "server": ("server",), "both": SIDES}
DOWN_MS = (300, 7_000)
"""Shorter and longer than a note waits in escrow."""


class SeatCrash(NamedTuple):
    """Who ends when, and for how long."""

    way: str
    victim: str = "devices"
    points: tuple[int, ...] = ()
    down_ms: int = DOWN_MS[0]


class WayPoints(NamedTuple):
    """The points of a way."""

    last: int
    marked: tuple[int, ...]
    """Those at commits and messages."""


class Crashes:
    """Worlds in which something ends."""

    def __init__(self, folder: Path, database: Callable[[], str] | None = None) -> None:
        self._folder, self._database = folder, database
        self._idle = None if database else idle_seat(folder)
        self._before = self._idle and self._idle.count()
        self._names = count()

    def _world(self) -> SeatWorld:
        folder = self._folder / f"world-{next(self._names)}"
        if self._idle:
            world = self._idle.copied(folder)
        else:
            assert self._database
            folder.mkdir()
            world = idle_seat(folder, self._database())
        world.come_to_rest()
        return world

    def points(self, way: str) -> WayPoints:
        """What there is if nothing ends."""
        world = self._world()
        try:
            self._go(world, SeatCrash(way))
            return WayPoints(world.points, tuple(world.marked))
        finally:
            self._clear(world)

    @staticmethod
    def _go(world: SeatWorld, crash: SeatCrash) -> None:
        world.points, world.marked, world.ends_at = 0, [], crash.points
        world.victims, world.down_ms = VICTIMS[crash.victim], crash.down_ms
        WAYS[crash.way](world)
        world.come_to_rest()

    def end(self, crash: SeatCrash) -> str:
        """Where the money is after a crash, once staff have done what is needed."""
        world = self._world()
        try:
            before = self._before or world.count()
            self._go(world, crash)
            assert world.ends >= 1 or not crash.points
            world.help()
            world.come_to_rest()
            after = world.check()
            found = outcome(before, after, world.metal.slips)
            if found == "player" and "out" in crash.way:
                found = "refused"  # no printer was there: it is still credit
            world.redeem_all(after.tickets)
            world.check_journal()
        except AssertionError as wrong:
            wrong.add_note(f"{crash}")
            raise
        finally:
            self._clear(world)
        return found

    @staticmethod
    def _clear(world: SeatWorld) -> None:
        world.close()
        shutil.rmtree(world.folder)


def every(points: dict[str, WayPoints], stride: int) -> Iterator[SeatCrash]:
    """Every crash, or each one at the end of a stride; in turns for a short and for a long time."""
    for way, (last, _) in points.items():
        for number, victim in enumerate(VICTIMS):
            for at in range(1 + number * stride // len(VICTIMS), last + 1, stride):
                yield SeatCrash(way, victim, (at,), DOWN_MS[at // stride % len(DOWN_MS)])


def sample(points: dict[str, WayPoints], stride: int) -> Iterator[SeatCrash]:
    """Crashes at commits and messages, with the victims in turns."""
    for way, (_, marked) in points.items():
        for number, at in enumerate(marked[::stride]):
            yield SeatCrash(way, list(VICTIMS)[number % len(VICTIMS)], (at,))


def pairs(points: dict[str, WayPoints], number: int, seed: str) -> Iterator[SeatCrash]:
    chance = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(number):
        way = chance.choice(list(points))
        ends = tuple(sorted(chance.sample(range(1, points[way].last + 1), 2)))
        yield SeatCrash(way, chance.choice(list(VICTIMS)), ends, chance.choice(DOWN_MS))


@contextmanager
def crash_worlds(store: str = "sqlite") -> Iterator[Crashes]:
    """In memory where that is possible: here a program ends, not the power."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
    with ExitStack() as ends:
        folder = ends.enter_context(tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None))
        if store == "sqlite":
            yield Crashes(Path(folder))
            return
        server, names = ends.enter_context(PostgresServer()), count()
        yield Crashes(Path(folder), lambda: server.database(f"seat{next(names)}"))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    options.add_argument("--every", type=int, default=1)
    options.add_argument("--pairs", type=int, default=0)
    options.add_argument("--seed", default="16")
    chosen = options.parse_args()
    found: Counter[tuple[str, str, str]] = Counter()
    began = time.monotonic()
    with crash_worlds(chosen.store) as worlds:
        points = {way: worlds.points(way) for way in WAYS}
        say(f"points: { {way: found.last for way, found in points.items()} }\n")
        crashes = pairs(points, chosen.pairs, chosen.seed) if chosen.pairs else every(points, chosen.every)
        for crash in crashes:
            found[crash.way, crash.victim, worlds.end(crash)] += 1
            if found.total() % 100 == 0:
                say(f"\r{found.total():,} crashes ")
    say(f"\r{found.total():,} crashes in {time.monotonic() - began:,.0f} s\n")
    for (way, victim, where), times in sorted(found.items()):
        say(f"{way:<11} {victim:<8} {where:<20} {times:>6,}\n")


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
