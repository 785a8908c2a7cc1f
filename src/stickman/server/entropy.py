"""Dice from the kernel's generator: health tests watch it, and its bytes become rolls without bias.

Every use reads a new block, takes the bytes that it needs and discards the rest, so nothing here shows a later
roll. No swipe, button or clock reaches this module.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, Literal, Protocol, TypeVar

from msgspec import Struct

from stickman.rules.dice import ROLLS, Roll

T = TypeVar("T")
Use = Literal["dice", "power"]
Power = dict[str, Literal["low", "high"]]
"""By group of Power Odds, the better pay that shows; a group that shows nothing is absent."""

BLOCK = 16
"""Bytes read at once. A roll usually needs one, a Power Odds draw one for each group."""


class Draw(Struct, Generic[T], frozen=True, kw_only=True):
    """One use of a generator, for the journal."""

    use: Use
    source: str
    """`kernel`, the operating system's generator; tests have others."""
    number: int
    """Its number among the draws of this use since the table was opened, from 1. A number that is missing in the
    journal is a draw that no record uses."""
    bytes_used: int
    """The raw bytes that it used, including those rejected for fairness."""
    result: T

    def __str__(self) -> str:
        """The generator, the use and the number: `kernel dice 17`."""
        return f"{self.source} {self.use} {self.number}"


class Dice(Protocol):
    """A source of dice for a table. Each call may raise `BadEntropy`; then the table must stop."""

    def roll(self) -> Draw[Roll]:
        """Two dice."""

    def power(self, groups: Sequence[str], one_in: int) -> Draw[Power]:
        """Power Odds: each group shows independently with chance 1 in `one_in`, then low or high evenly."""

    def cycle(self) -> None:
        """Draw and drop a block while nothing is rolled, so that its health is tested then too."""


class BadEntropy(Exception):
    """The generator cannot be trusted: no roll until an operator has looked and restarted the server."""


# --- Bytes into rolls ---


def below(limit: int, raw: Iterator[int]) -> int:
    """A number below `limit`, each equally likely if each byte is.

    A word is one byte, or two for a limit over 256. Words from the last whole multiple of the limit on are
    rejected; otherwise the small numbers would have one word more than the large ones.
    """
    assert 0 < limit <= 1 << 16, limit
    words = 1 << (8 if limit <= 256 else 16)
    fair = words - words % limit
    while True:
        word = next(raw) if words == 256 else next(raw) << 8 | next(raw)
        if word < fair:
            return word % limit


def rolled(raw: Iterator[int]) -> Roll:
    """A roll: 7 of the bytes under 252 for each of the 36."""
    return ROLLS[below(36, raw)]


def drawn(raw: Iterator[int], groups: Iterable[str], one_in: int) -> Power:
    """A Power Odds draw: of `2 * one_in` numbers, 0 shows low and 1 shows high."""
    numbers = {group: below(2 * one_in, raw) for group in groups}
    return {group: "high" if number else "low" for group, number in numbers.items() if number < 2}


# --- Health tests: NIST SP 800-90B, section 4 ---

STARTUP = 1024
"""Bytes tested before the first use, and discarded (section 4.3)."""
REPEATS = 5
"""Repetition count test (4.4.1): this number of equal bytes in a row is a fault. 1 + ⌈30 / 8⌉, for one false alarm
in 2^30 and eight bits of entropy per byte."""
WINDOW, SAME = 512, 16
"""Adaptive proportion test (4.4.2): `SAME` bytes in a window that equal its first are a fault. 1 + the critical
value of a binomial law (512 trials at 1/256) for 2^-30."""


class HealthTests:
    """Both health tests, run on every raw byte. They catch a source that is stuck or grossly biased, not subtler
    faults. A source that failed once stays bad."""

    def __init__(self) -> None:
        self._fault = ""
        self._last = self._first = -1
        self._repeats = self._same = self._seen = 0

    def watch(self, raw: bytes) -> None:
        """Test bytes before they are used; `BadEntropy` if they, or any before, show a fault."""
        for byte in raw:
            self._repeats = self._repeats + 1 if byte == self._last else 1
            self._last = byte
            if self._seen % WINDOW == 0:
                self._first, self._same = byte, 0
            self._seen += 1
            self._same += byte == self._first
            if self._repeats >= REPEATS:
                self.condemn(f"{REPEATS} equal bytes in a row: {byte}")
            if self._same >= SAME:
                self.condemn(f"{SAME} of at most {WINDOW} bytes are equal: {byte}")
        if self._fault:
            raise BadEntropy(self._fault)

    def condemn(self, fault: str) -> None:
        """Mark the source as bad; the first fault is reported."""
        self._fault = self._fault or f"the source of dice failed its health test: {fault}"


# --- Dice ---


class KernelDice:
    """Dice from the kernel's cryptographic generator."""

    read: Callable[[int], bytes] = staticmethod(os.urandom)
    """Not an argument, so that no setting can name another source; only a test's subclass does."""

    def __init__(self) -> None:
        self._health = HealthTests()
        self._draws: dict[Use, int] = {"dice": 0, "power": 0}
        self._fresh(STARTUP)

    def roll(self) -> Draw[Roll]:
        return self._draw("dice", rolled)

    def power(self, groups: Sequence[str], one_in: int) -> Draw[Power]:
        return self._draw("power", lambda raw: drawn(raw, groups, one_in))

    def cycle(self) -> None:
        self._fresh(BLOCK)

    def _draw(self, use: Use, pick: Callable[[Iterator[int]], T]) -> Draw[T]:
        used = 0

        def raw() -> Iterator[int]:
            nonlocal used
            while True:
                for byte in self._fresh(BLOCK):
                    used += 1
                    yield byte

        result = pick(raw())
        self._draws[use] += 1
        return Draw(use=use, source="kernel", number=self._draws[use], bytes_used=used, result=result)

    def _fresh(self, count: int) -> bytes:
        """New bytes, after the health tests."""
        try:
            raw = self.read(count)
        except (OSError, NotImplementedError) as problem:
            raw = b""
            self._health.condemn(str(problem))
        if len(raw) != count:
            self._health.condemn(f"{len(raw)} bytes instead of {count}")
        self._health.watch(raw)
        return raw
