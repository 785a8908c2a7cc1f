"""Where dice come from: the kernel's generator, watched for faults, and turned into rolls without bias.

Every use reads a fresh block, takes the bytes that it needs and throws the rest away. Nothing is kept from which a
later roll could be read. A swipe, a button or a clock never reaches this module.
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
"""Bytes read at once. A roll takes one of them as a rule, a Power Odds draw of seven groups seven."""


class Draw(Struct, Generic[T], frozen=True, kw_only=True):
    """One use of a generator, for the journal."""

    use: Use
    source: Literal["kernel", "script"]
    number: int
    """How many draws of this use the generator has made with this one; a gap is a draw that came to nothing."""
    bytes_used: int
    """The raw bytes that it took, those passed over for fairness included."""
    result: T

    def __str__(self) -> str:
        """Which use of which generator it was: `kernel dice 17`."""
        return f"{self.source} {self.use} {self.number}"


class Dice(Protocol):
    """Whatever rolls for a table. Each call may raise `BadEntropy`; then the table must stop."""

    def roll(self) -> Draw[Roll]:
        """Two dice."""

    def power(self, groups: Sequence[str], one_in: int) -> Draw[Power]:
        """Power Odds: each group by itself shows with chance 1 in `one_in`, then low or high evenly."""

    def cycle(self) -> None:
        """Move the generator on between uses; to be called from time to time while nothing is rolled."""


class BadEntropy(Exception):
    """The source of chance cannot be trusted: nothing may be rolled until somebody has looked and started anew."""


# --- Bytes into rolls ---


def below(limit: int, raw: Iterator[int]) -> int:
    """A whole number under `limit`, each equally likely if each byte is.

    A word is one byte, or two for a limit over 256. Words from the last whole multiple of the limit up are passed
    over, else the small numbers would have one word more than the large ones.
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
"""Bytes watched before the first use, and thrown away (section 4.3)."""
REPEATS = 5
"""Repetition count test (4.4.1): so many equal bytes in a row are a fault. 1 + ⌈30 / 8⌉, for a false alarm in 2^30
and eight bits of entropy a byte."""
WINDOW, SAME = 512, 16
"""Adaptive proportion test (4.4.2): so many bytes of a window equal to its first are a fault. 1 + the critical
value of a binomial law (512 trials at 1/256) for 2^-30."""


class HealthTests:
    """Both health tests, run on every raw byte. They catch a source that is stuck or grossly biased, and no subtler
    fault; a source that failed once stays bad."""

    def __init__(self) -> None:
        self._fault = ""
        self._last = self._first = -1
        self._repeats = self._same = self._seen = 0

    def watch(self, raw: bytes) -> None:
        """Look at bytes before they are used; `BadEntropy` if they, or any before, show a fault."""
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
        """Call the source bad; the first fault is the one that is told."""
        self._fault = self._fault or f"the source of dice failed its health test: {fault}"


# --- Dice ---


class KernelDice:
    """Dice from the kernel's cryptographic generator."""

    read: Callable[[int], bytes] = staticmethod(os.urandom)
    """Not an argument, so that no setting can name another source; a test's subclass does."""

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
        """Bytes that nobody has seen, once the health tests have."""
        try:
            raw = self.read(count)
        except (OSError, NotImplementedError) as problem:
            raw = b""
            self._health.condemn(str(problem))
        if len(raw) != count:
            self._health.condemn(f"{len(raw)} bytes instead of {count}")
        self._health.watch(raw)
        return raw


class NoMoneyAtStake:
    """The word of whoever makes one that nobody can win or lose by the dice: needed to script them.

    Only tests and the demonstration make one, and a test looks for any other line of the program that does. No
    setting, option, request or file leads to one, so a floor cannot be switched over to a script. A scripted draw
    says so in the journal.
    """


class ScriptedDice:
    """Dice that fall as they are told, for tests and demonstrations; Power Odds show nothing unless told."""

    def __init__(
        self, rolls: Iterable[tuple[int, int]], licence: NoMoneyAtStake, powers: Iterable[Power] = ()
    ) -> None:
        if not isinstance(licence, NoMoneyAtStake):
            raise TypeError(f"dice are scripted with a NoMoneyAtStake only, not with {licence!r}")
        self._rolls, self._powers = iter(rolls), iter(powers)
        self._draws: dict[Use, int] = {"dice": 0, "power": 0}

    def roll(self) -> Draw[Roll]:
        dice = next(self._rolls, None)
        if dice is None:
            raise BadEntropy(f"the script ends after roll {self._draws['dice']}")
        return self._draw("dice", Roll(*dice))

    def power(self, groups: Sequence[str], one_in: int) -> Draw[Power]:  # noqa: ARG002 - the script decides
        shown = next(self._powers, {})
        return self._draw("power", {group: shown[group] for group in groups if group in shown})

    def cycle(self) -> None:
        """Nothing to move on."""

    def _draw(self, use: Use, result: T) -> Draw[T]:
        self._draws[use] += 1
        return Draw(use=use, source="script", number=self._draws[use], bytes_used=0, result=result)
