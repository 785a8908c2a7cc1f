"""The house's clock: the time of day, but it never goes back and never jumps while the program runs."""

from __future__ import annotations

import time
from typing import NamedTuple

from stickman.store.store import Store

AHEAD_MAX_MS = 5 * 60_000
"""A journal that is further ahead of the machine's clock is not written to."""
NOTICED_MS = 2_000
"""Smaller jumps of the machine's clock are ignored."""


def wall_ms() -> int:
    """The machine's own clock."""
    return time.time_ns() // 1_000_000


def _steady_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Clock:
    """Reads the machine's clock once and counts from there, so that a bet time always has its full length, even if
    the machine's clock is set. It starts no earlier than the last record."""

    def __init__(self, not_before_ms: int = 0) -> None:
        self._started_ms = max(wall_ms(), not_before_ms) - _steady_ms()
        self._noticed_ms = 0

    def now_ms(self) -> int:
        return self._started_ms + _steady_ms()

    def jumped_ms(self) -> int:
        """How far the machine's clock has jumped since the last call; 0 for a small jump."""
        off = wall_ms() - self.now_ms()
        jump = off - self._noticed_ms
        if abs(jump) < NOTICED_MS:
            return 0
        self._noticed_ms = off
        return jump


# --- A journal from the future ---


class Newest(NamedTuple):
    """The newest record of a journal: its time (0: there is none) and its stream."""

    at_ms: int = 0
    stream: int = 0

    @property
    def ahead_ms(self) -> int:
        """How far it is ahead of the machine's clock; 0 if that is allowed."""
        ahead_ms = self.at_ms - wall_ms()
        return ahead_ms if ahead_ms > AHEAD_MAX_MS else 0


class FromTheFuture(Exception):
    """A journal that is ahead of the machine's clock. New records would stay in the future permanently, and every
    ticket would be expired."""


async def newest(store: Store) -> Newest:
    ends = [await store.record(stream, (await store.head(stream)).seq) for stream in await store.streams()]
    return max((Newest(record.at_ms, record.stream) for record in ends if record), default=Newest())


def check_not_ahead(found: Newest) -> None:
    if found.ahead_ms:
        ahead = f"{found.ahead_ms / 60_000:,.0f} minutes"
        raise FromTheFuture(
            f"the newest record of stream {found.stream} is {ahead} ahead of this machine's clock; allowed: at most"
            f" {AHEAD_MAX_MS // 60_000}. Set the clock. If the clock is right and the record is wrong,"
            " `--despite-clock` starts the server once and notes that in the journal"
        )
