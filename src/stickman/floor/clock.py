"""The house's clock: time of day that never goes backwards and never jumps while the program runs."""

from __future__ import annotations

import time
from typing import NamedTuple

from stickman.store.store import Store

AHEAD_MAX_MS = 5 * 60_000
"""A journal that is ahead of the machine's clock by more is not written to."""
NOTICED_MS = 2_000
"""Jumps of the machine's clock from here on are told."""


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000


def _steady_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Clock:
    """Reads the machine's clock once and counts on from there, so that a bet time lasts as long as it was said to
    whatever is done to the machine's clock. It is never earlier than the last record that it is told of."""

    def __init__(self, not_before_ms: int = 0) -> None:
        self._started_ms = max(_wall_ms(), not_before_ms) - _steady_ms()
        self._told_ms = 0

    def now_ms(self) -> int:
        return self._started_ms + _steady_ms()

    def jumped_ms(self) -> int:
        """By how much the machine's clock has jumped since this was last asked; 0 for what is not worth telling."""
        off = _wall_ms() - self.now_ms()
        jump = off - self._told_ms
        if abs(jump) < NOTICED_MS:
            return 0
        self._told_ms = off
        return jump


# --- A journal from the future ---


class Newest(NamedTuple):
    """The newest record of a journal: when it was written (0: there is none), and in which stream."""

    at_ms: int = 0
    stream: int = 0

    @property
    def ahead_ms(self) -> int:
        """By how much it is ahead of the machine's clock; 0 for what need not be minded."""
        ahead_ms = self.at_ms - _wall_ms()
        return ahead_ms if ahead_ms > AHEAD_MAX_MS else 0


class FromTheFuture(Exception):
    """A journal that is ahead of the machine's clock. Whoever wrote on would stay in the future for good, and every
    ticket would be expired."""


async def newest(store: Store) -> Newest:
    """The newest record: none may be earlier than it."""
    ends = [await store.record(stream, (await store.head(stream)).seq) for stream in await store.streams()]
    return max((Newest(record.at_ms, record.stream) for record in ends if record), default=Newest())


def check_not_ahead(found: Newest) -> None:
    if found.ahead_ms:
        ahead = f"{found.ahead_ms / 60_000:,.0f} minutes"
        raise FromTheFuture(
            f"the newest record of stream {found.stream} is {ahead} ahead of this machine's clock, and at most"
            f" {AHEAD_MAX_MS // 60_000} are allowed. Set the clock right. If the clock is right and the record"
            " wrong, `--despite-clock` goes on once and notes that in the journal"
        )
