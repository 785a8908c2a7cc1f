"""Evenings at tables that keep their books: random play, every accepted request written by the boxman."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any

from msgspec.structs import replace

from stickman.floor import meters
from stickman.floor.boxman import Boxman, NewRecord
from stickman.store.store import Store
from stickman.table.decide import decide_given as decide
from stickman.table.evolve import evolve_all
from stickman.table.messages import Facts, Refused, Reported, Request
from tests.table.walks import TABLES, asked, known
from tests.talk.devices import bill_stacked
from tests.talk.games import game

STARTS_MS = 1_900_000_000_000


def awaited(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that awaits."""

    @wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


async def at_table(
    store: Store, stream: int, plays: Callable[[Boxman], Awaitable[None]], which: tuple[str, ...] = TABLES[0]
) -> Boxman:
    """Own a table's stream, let somebody play at it, and leave."""
    async with store.own(stream, "evening") as lease:
        boxman = await Boxman.sit(store, lease, game(*which), STARTS_MS)
        await plays(boxman)
    return boxman


async def ask(boxman: Boxman, request: Request | Reported, facts: Facts, command: str = "") -> Refused | None:
    """Decide a request, and write what it came to."""
    decision = decide(boxman.table, request, facts)
    if isinstance(decision, Refused):
        return decision
    deed = NewRecord(decision, facts.now_ms, facts.actor, command)
    await boxman.write([deed], evolve_all(boxman.table, decision))
    return None


def busy(seed: int, steps: int = 200) -> Callable[[Boxman], Awaitable[None]]:
    """Random play; the same for the same seed."""

    async def play(boxman: Boxman) -> None:
        rng = random.Random(seed)  # noqa: S311 - the same play for the same seed, not a secret
        for seat in boxman.table.seats:
            await ask(boxman, bill_stacked(seat.number, 50_000), Facts(now_ms=STARTS_MS, actor="acceptor"))
        for step in range(steps):
            facts = replace(
                known(rng, boxman.table, step),
                now_ms=STARTS_MS + step * 700,
                ticket_number=f"{seed:06}{boxman.page.head.seq:012}",
                meters=await meters.shown(boxman.store, boxman.table.game),
            )
            await ask(boxman, asked(rng, boxman.table), facts, f"{seed}-{step}")

    return play
