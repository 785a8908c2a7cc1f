"""Bad sources, each of which the test that is meant for it must reject."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from stickman.randomness.battery import ALPHA, BitTests
from stickman.randomness.dice import FIRST, SECOND, Finding, PowerTests, RollTests, Small
from stickman.randomness.goodness import holm
from stickman.randomness.nist import BITS, FIFTEEN, Bits

ROLLS = 200_000


def rejected(findings: list[Finding]) -> set[tuple[str, str]]:
    adjusted = holm([finding.fit.p for finding in findings])
    return {(f.test, f.what) for f, after in zip(findings, adjusted, strict=True) if after < ALPHA}


# --- Dice ---


def chance(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def rolls_of(first: NDArray[np.integer], second: NDArray[np.integer]) -> Small:
    return (6 * (first - 1) + second - 1).astype(np.uint8)


def fair_rolls() -> Small:
    return chance().integers(0, 36, ROLLS, np.uint8)


def loaded_die() -> Small:
    """The first die shows a six 2% of the time more often."""
    rolls = fair_rolls()
    loaded = chance(2).random(ROLLS) < 0.02
    return np.where(loaded, 30 + rolls % 6, rolls).astype(np.uint8)


def sticky_die() -> Small:
    """The second die stays as it lies once in fifty rolls."""
    first, second = FIRST[fair_rolls()], SECOND[fair_rolls()].copy()
    for place in np.flatnonzero(chance(2).random(ROLLS) < 0.02)[1:]:
        second[place] = second[place - 1]
    return rolls_of(first, second)


def linked_dice() -> Small:
    """The second die copies the first once in fifty rolls; each die alone is fair."""
    rolls = fair_rolls()
    return np.where(chance(2).random(ROLLS) < 0.02, 7 * (rolls // 6), rolls).astype(np.uint8)


def echo() -> Small:
    """One roll in twenty is the roll of 17 rolls before."""
    rolls = fair_rolls()
    for place in np.flatnonzero(chance(2).random(ROLLS) < 0.05).tolist():
        rolls[place] = rolls[max(0, place - 17)]
    return rolls


def regular_sevens() -> Small:
    """A seven on every sixth roll, and never in between: as many sevens as there should be."""
    total = FIRST + SECOND
    rolls = chance().choice(np.flatnonzero(total != 7), ROLLS)
    rolls[::6] = chance(2).choice(np.flatnonzero(total == 7), len(rolls[::6]))
    return rolls.astype(np.uint8)


def shuffled_bag() -> Small:
    """Dice drawn from a bag of the six faces, refilled when empty."""
    bags = chance().permuted(np.tile(np.arange(1, 7), (ROLLS // 3, 1)), axis=1).ravel()
    return rolls_of(bags[::2], bags[1::2])


def low_bits_of_an_lcg() -> Small:
    """The low byte of a linear congruential generator (the one of ANSI C's example) as raw bytes."""
    raw, state = bytearray(), 1
    for _ in range(ROLLS):
        state = (1_103_515_245 * state + 12_345) % 2**31
        raw.append(state & 0xFF)
    return (np.array([byte for byte in raw if byte < 252]) % 36).astype(np.uint8)


def with_a_period() -> Small:
    """5,003 fair rolls, over and over."""
    return np.tile(chance().integers(0, 36, 5_003, np.uint8), ROLLS // 5_003)


def test_fair_rolls_are_rejected_by_no_test() -> None:
    tests = RollTests()
    tests.add(fair_rolls())
    assert rejected(tests.findings()) == set()


@pytest.mark.parametrize(
    ("bad", "caught", "innocent"),
    [
        (loaded_die, ("faces", "first die"), ("faces", "second die")),
        (sticky_die, ("runs", "second die, same face"), ("runs", "first die, same face")),
        (sticky_die, ("serial correlation of dice", "lag 2"), ("faces", "second die")),
        (linked_dice, ("ordered pairs", ""), ("faces", "second die")),
        (linked_dice, ("totals", ""), ("faces", "first die")),
        (echo, ("serial correlation of dice", "lag 34"), ("serial correlation of dice", "lag 33")),
        (echo, ("serial correlation of totals", "lag 17"), ("ordered pairs", "")),
        (regular_sevens, ("gaps", "between sevens"), ("faces", "first die")),
        (shuffled_bag, ("coupon collector", ""), ("faces", "first die")),
        (shuffled_bag, ("poker hands", ""), ("faces", "second die")),
        (low_bits_of_an_lcg, ("gaps", "between sevens"), None),
        (low_bits_of_an_lcg, ("runs", "first die, low or high"), None),
        (with_a_period, ("ordered pairs", ""), None),
    ],
)
def test_bad_dice_are_rejected_by_the_test_meant_for_them(
    bad: Callable[[], Small], caught: tuple[str, str], innocent: tuple[str, str] | None
) -> None:
    tests = RollTests()
    tests.add(bad())
    found = rejected(tests.findings())
    assert caught in found
    assert innocent not in found


def test_power_odds_that_are_bad_are_rejected() -> None:
    fair = np.minimum(chance().integers(0, 24, (40_000, 7)), 2).astype(np.uint8)
    generous, lopsided, in_step, repeated = fair.copy(), fair.copy(), fair.copy(), fair.copy()
    generous[chance(2).random(40_000) < 0.02, 2] = 0
    lopsided[(lopsided[:, 5] == 1) & (chance(2).random(40_000) < 0.3), 5] = 0
    in_step[::20, 1] = in_step[::20, 0]
    repeated[1::20] = repeated[:-1:20]
    for draws, caught in (
        (generous, {("Power Odds", "group 3")}),
        (lopsided, {("Power Odds", "group 6")}),
        (in_step, {("Power Odds correlation", "lag 1")}),
        (repeated, {("Power Odds correlation", "lag 7")}),
        (fair, set()),
    ):
        tests = PowerTests(7, 12)
        tests.add(draws.ravel())
        assert rejected(tests.findings()) == caught


# --- Bits ---


def fair_bits(seed: int = 1) -> Bits:
    return chance(seed).integers(0, 2, BITS, np.uint8)


def biased() -> Bits:
    return (chance().random(BITS) < 0.505).astype(np.uint8)


def tides() -> Bits:
    """Ones and zeros in turn have the upper hand, for 128 bits each."""
    return (chance().random(BITS) < 0.5 + 0.05 * (-1.0) ** (np.arange(BITS) // 128)).astype(np.uint8)


def sticky_bits() -> Bits:
    """A bit follows the one before it 52% of the time."""
    return (np.cumsum(chance().random(BITS) < 0.48) % 2).astype(np.uint8)


def long_runs() -> Bits:
    """Thirty ones in a row in every block of 10,000."""
    blocks = fair_bits().reshape(-1, 10_000)
    blocks[:, :30] = 1
    return blocks.ravel()


def copied_rows() -> Bits:
    """Every fourth row of 32 bits again."""
    rows = fair_bits().reshape(-1, 32)
    rows[3::4] = rows[2::4]
    return rows.ravel()


def bits_with_a_period() -> Bits:
    """5,000 fair bits, over and over."""
    return np.tile(fair_bits()[:5_000], BITS // 5_000)


def copied_words() -> Bits:
    """One word of seven bits in twenty again."""
    words = fair_bits()[: BITS // 140 * 140].reshape(-1, 20, 7)
    words[:, 19] = words[:, 18]
    return np.append(words.ravel(), fair_bits()[: BITS % 140])


def few_lone_ones() -> Bits:
    """Half of the ones that follow eight zeros come a place too early."""
    parts = fair_bits().tobytes().split(bytes(8) + b"\1")
    joined = b"".join(
        part + (bytes(8) + b"\1" if place % 2 else bytes(7) + b"\1\1") for place, part in enumerate(parts)
    )
    return np.frombuffer(joined[:BITS], np.uint8)


def home_bound() -> Bits:
    """Every second step undoes the one before."""
    pairs = fair_bits().reshape(-1, 2)
    pairs[:, 1] = 1 - pairs[:, 0]
    return pairs.ravel()


def shift_register() -> Bits:
    """A maximal linear feedback shift register of 31 bits (x^31 + x^3 + 1), even to most tests."""
    bits = np.empty(BITS, np.uint8)
    bits[:31] = fair_bits()[:31] | np.eye(1, 31, dtype=np.uint8)[0]
    for start in range(31, BITS, 28):
        stop = min(start + 28, BITS)
        bits[start:stop] = bits[start - 31 : stop - 31] ^ bits[start - 28 : stop - 28]
    return bits


def low_bit_of_an_lcg() -> Bits:
    """Bit 4 of the same generator as above; it has a period of 32."""
    bits, state = bytearray(), 1
    for _ in range(4_096):
        state = (1_103_515_245 * state + 12_345) % 2**31
        bits.append(state >> 4 & 1)
    return np.resize(np.frombuffer(bits, np.uint8), BITS)


CONTROLS: dict[Callable[[], Bits], set[str]] = {
    biased: {"frequency", "cumulative sums"},
    tides: {"block frequency"},
    sticky_bits: {"runs", "serial", "approximate entropy"},
    long_runs: {"longest run", "overlapping templates"},
    copied_rows: {"rank"},
    bits_with_a_period: {"spectrum (DFT)"},
    copied_words: {"universal"},
    few_lone_ones: {"non-overlapping templates"},
    home_bound: {"random excursions", "random excursions variant"},
    shift_register: {"linear complexity"},
    low_bit_of_an_lcg: {"linear complexity", "spectrum (DFT)", "serial"},
}


def bits_rejected(bits: Bits) -> set[str]:
    tests = BitTests()
    tests.add(np.packbits(bits).tobytes())
    return {test.removeprefix("NIST ") for test, _ in rejected(tests.findings())}


def test_fair_bits_are_rejected_by_no_test() -> None:
    assert bits_rejected(fair_bits()) == set()


@pytest.mark.parametrize(("bad", "caught"), list(CONTROLS.items()))
def test_bad_bits_are_rejected_by_the_tests_meant_for_them(bad: Callable[[], Bits], caught: set[str]) -> None:
    assert caught <= bits_rejected(bad())


def test_every_one_of_the_fifteen_has_something_to_catch() -> None:
    assert set().union(*CONTROLS.values()) == set(FIFTEEN)
