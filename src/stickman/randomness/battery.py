"""The whole battery: dice, Power Odds and raw bits of one source, piece by piece, and the verdict."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stickman.randomness import bulk, nist
from stickman.randomness.dice import Finding, PowerTests, RollTests
from stickman.randomness.goodness import Fit, chi_square, detectable, failures, holm

ALPHA = 0.01
"""How often the whole battery may fail a perfect source."""
ROLLS_MIN = 5_000
"""With fewer rolls, too many counts would be expected close to zero."""
ROLLS_PER_POWER = 10
"""Power Odds is drawn once for this many tested rolls."""
POWER_DRAWS_MIN = ROLLS_MIN // ROLLS_PER_POWER
"""What comes with the fewest rolls; with fewer draws, Power Odds is not judged."""
CHUNK = 5_000_000
"""Bytes read at once for rolls and Power Odds, so that more of them do not need more memory."""

Source = Callable[[], AbstractContextManager[Callable[[int], bytes]]]
"""Opens raw bytes for reading; a file is read from its beginning."""


@contextmanager
def kernel() -> Iterator[Callable[[int], bytes]]:
    """The operating system's generator, which the table uses too."""
    yield os.urandom


def stored(file: Path) -> Source:
    """The bytes of a file."""

    @contextmanager
    def opened() -> Iterator[Callable[[int], bytes]]:
        with file.open("rb") as stream:
            yield stream.read

    return opened


def held(source: Source) -> tuple[int, int]:
    """How many rolls and how many sequences of bits a finite source contains."""
    rolls = size = 0
    with source() as read:
        while raw := read(CHUNK):
            rolls, size = rolls + len(bulk.rolls(raw)), size + len(raw)
    return rolls, 8 * size // nist.BITS


# --- Bits: NIST's assessment of many sequences (SP 800-22, 4.2) ---

NIST_ALPHA = 0.01
"""How often one NIST test may fail on one sequence of a perfect source."""
TENTHS = 10
UNIFORM_MIN = 55
"""With fewer p-values their distribution means nothing (4.2.2): each is judged separately."""


class BitTests:
    """The fifteen tests on many sequences: for each test, whether too many fail at 1% and whether the p-values are
    uniform."""

    def __init__(self) -> None:
        self.sequences = 0
        self.ps: defaultdict[tuple[str, str], list[float]] = defaultdict(list)

    def add(self, raw: bytes) -> None:
        for name, p in nist.fifteen(np.unpackbits(np.frombuffer(raw, np.uint8))).items():
            self.ps[name].append(p)
        self.sequences += 1

    def findings(self) -> list[Finding]:
        return [finding for (test, what), ps in self.ps.items() for finding in assess(f"NIST {test}", what, ps)]


def assess(test: str, what: str, ps: list[float]) -> Iterator[Finding]:
    """One test's p-values from many sequences."""
    prefix = f"{what}, " if what else ""
    if len(ps) >= UNIFORM_MIN:
        tenths = np.minimum(np.floor(TENTHS * np.array(ps)).astype(np.int64), TENTHS - 1)
        counts, expected = np.bincount(tenths, minlength=TENTHS), np.full(TENTHS, 1 / TENTHS)
        yield Finding(test, f"{prefix}spread", chi_square(counts, expected))
        failed = sum(p < NIST_ALPHA for p in ps)
        yield Finding(test, f"{prefix}failures", failures(failed, len(ps), NIST_ALPHA))
    else:
        for number, p in enumerate(ps, 1):  # a p-value is its own statistic here
            yield Finding(test, f"{prefix}sequence {number}", Fit(p, p))


# --- The battery ---


class BatteryStep(NamedTuple):
    stage: str
    done: int
    planned: int


class TestVerdict(NamedTuple):
    """A finding, adjusted for all others."""

    test: str
    what: str
    statistic: float
    p: float
    adjusted: float
    """After Holm, over all p-values of the report."""

    @property
    def failed(self) -> bool:
        return self.adjusted < ALPHA


FACES = 6
POWER = 0.9
RESOLUTION = (
    "A face that comes up {} of all rolls too often, at the cost of the others, is found in nine runs of ten."
)
NOT_PROVEN = (
    "Not proven: that nobody can predict the dice. Tests find the regularities that they look for, and no others.",
    "That rests on the kernel's generator, which was not examined.",
    "This is a self-test, not a certificate.",
)


class BatteryReport(NamedTuple):
    dice: int
    power_draws: int
    sequences: int
    finished: bool
    verdicts: list[TestVerdict]

    @property
    def failed(self) -> list[TestVerdict]:
        return [verdict for verdict in self.verdicts if verdict.failed]

    def statement(self) -> list[str]:
        """What this proves and what it does not, in plain words."""
        dice, draws, bits = f"{self.dice:,} dice", f"{self.power_draws:,} Power Odds draws", f"{nist.BITS:,} bits"
        early = "" if self.finished else "Stopped before everything was tested. "
        found = f"{len(self.failed)} of {len(self.verdicts)} p-values fail" if self.failed else "nothing was found"
        sentences = [f"{early}Tested: {dice}, {draws}, {self.sequences:,} × {bits}."]
        if self.verdicts:
            sentences += [
                f"At {ALPHA:.0%} over all {len(self.verdicts)} p-values (Holm) {found}.",
                f"A perfect source fails here about once in {1 / ALPHA:.0f} runs.",
            ]
        if self.dice >= 2 * ROLLS_MIN:
            sentences.append(RESOLUTION.format(f"{self.resolution():.3%}"))
        return [*sentences, *NOT_PROVEN]

    def resolution(self) -> float:
        """The smallest change of a face's chance that the chi-square test on one die finds with chance 9/10."""
        noncentrality = detectable(FACES - 1, ALPHA / len(self.verdicts), POWER)
        # One face likelier by d and the five others less likely by d/5, in n rolls of that die, have the
        # noncentrality n * (6 d² + 5 * 6 (d/5)²) = 7.2 n d².
        return sqrt(noncentrality / (7.2 * self.dice / 2))


class Battery:
    """All tests on one source. Go through `steps`, stop anywhere, ask for the `report`."""

    def __init__(self, source: Source, rolls: int, sequences: int, chunk: int = CHUNK) -> None:
        self.source, self.chunk = source, chunk
        self.rolls, self.power_draws, self.sequences = rolls, rolls // ROLLS_PER_POWER, sequences
        self.on_rolls, self.on_power, self.on_bits = RollTests(), PowerTests(bulk.GROUPS, bulk.ONE_IN), BitTests()

    def steps(self) -> Generator[BatteryStep]:
        yield from self._rolls()
        yield from self._power()
        yield from self._bits()

    # Some bytes give no roll and no level, so twice as many as missing are read; what is too many is cut off.

    def _rolls(self) -> Iterator[BatteryStep]:
        with self.source() as read:
            while (missing := self.rolls - self.on_rolls.rolls) and (raw := read(min(self.chunk, 2 * missing))):
                self.on_rolls.add(bulk.rolls(raw)[:missing])
                yield BatteryStep("rolls", self.on_rolls.rolls, self.rolls)

    def _power(self) -> Iterator[BatteryStep]:
        levels = self.power_draws * bulk.GROUPS
        with self.source() as read:
            while (missing := levels - self.on_power.lags.length) and (raw := read(min(self.chunk, 2 * missing))):
                self.on_power.add(bulk.powers(raw)[:missing])
                yield BatteryStep("Power Odds draws", self.on_power.draws, self.power_draws)

    def _bits(self) -> Iterator[BatteryStep]:
        size = nist.BITS // 8
        with self.source() as read:
            while self.on_bits.sequences < self.sequences and len(raw := read(size)) == size:
                self.on_bits.add(raw)
                yield BatteryStep("sequences of bits", self.on_bits.sequences, self.sequences)

    def report(self) -> BatteryReport:
        findings = self.on_bits.findings()
        if self.on_power.draws >= POWER_DRAWS_MIN:
            findings = [*self.on_power.findings(), *findings]
        if self.on_rolls.rolls >= ROLLS_MIN:
            findings = [*self.on_rolls.findings(), *findings]
        adjusted = holm([finding.fit.p for finding in findings])
        verdicts = [TestVerdict(f.test, f.what, *f.fit, after) for f, after in zip(findings, adjusted, strict=True)]
        reached = (self.on_rolls.rolls, self.on_power.draws, self.on_bits.sequences)
        finished = reached == (self.rolls, self.power_draws, self.sequences)
        return BatteryReport(
            2 * self.on_rolls.rolls, self.on_power.draws, self.on_bits.sequences, finished, verdicts
        )
