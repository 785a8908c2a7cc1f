"""The house's clock: time of day that never goes backwards and never jumps while the program runs."""

from __future__ import annotations

import time

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
