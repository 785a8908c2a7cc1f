"""Dice from bytes: fair by enumeration, watched for faults, and never scripted on a floor."""

import ast
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count, product
from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickman.rules.dice import ROLLS
from stickman.server import entropy
from stickman.server.entropy import (
    BLOCK,
    REPEATS,
    SAME,
    STARTUP,
    WINDOW,
    BadEntropy,
    Dice,
    HealthTests,
    KernelDice,
    below,
    drawn,
    rolled,
)
from tests.server.scripted import ScriptedDice

PACKAGE = Path(entropy.__file__).parent.parent
GROUPS = "ABCDEFG"


def good_bytes() -> Callable[[int], bytes]:
    """A source that is as good as the kernel's and the same every time: SHA-256 of a counter."""
    blocks = (hashlib.sha256(number.to_bytes(8)).digest() for number in count())
    stream = (byte for block in blocks for byte in block)
    return lambda wanted: bytes(next(stream) for _ in range(wanted))


def dice_from(read: Callable[[int], bytes]) -> KernelDice:
    """Kernel dice over another source."""
    source = read

    class OtherDice(KernelDice):
        read = staticmethod(source)

    return OtherDice()


# --- Fairness ---


def test_every_roll_has_seven_bytes_and_four_bytes_are_passed_over() -> None:
    made = Counter(rolled(iter([byte])) for byte in range(252))
    assert made == dict.fromkeys(ROLLS, 7)
    for unfair in range(252, 256):
        assert rolled(iter([unfair, unfair, 35])) == (6, 6)


@pytest.mark.parametrize("limit", [1, 2, 6, 24, 36, 100, 129, 255, 256])
def test_each_number_under_a_small_limit_has_as_many_bytes_as_any_other(limit: int) -> None:
    fair = 256 // limit * limit
    made = Counter(below(limit, iter([byte])) for byte in range(fair))
    assert made == dict.fromkeys(range(limit), 256 // limit)
    for byte in range(fair, 256):
        assert below(limit, iter([byte, 0])) == 0


@pytest.mark.parametrize("limit", [257, 1_000, 20_000, 65_536])
def test_each_number_under_a_large_limit_has_as_many_pairs_of_bytes_as_any_other(limit: int) -> None:
    fair = 65_536 // limit * limit
    made = Counter(below(limit, iter(divmod(word, 256))) for word in range(fair))
    assert made == dict.fromkeys(range(limit), 65_536 // limit)
    for word in range(fair, 65_536):
        assert below(limit, iter([*divmod(word, 256), 0, 0])) == 0


@pytest.mark.parametrize("one_in", [1, 2, 12, 100, 128])
def test_power_odds_show_once_in_so_many_then_low_or_high_evenly(one_in: int) -> None:
    fair = 256 // (2 * one_in) * 2 * one_in
    shown = Counter(drawn(iter([byte]), "A", one_in).get("A") for byte in range(fair))
    assert Fraction(shown["low"], fair) == Fraction(shown["high"], fair) == Fraction(1, 2 * one_in)


def test_groups_of_power_odds_are_drawn_independently() -> None:
    shown = Counter(
        tuple(drawn(iter(raw), "AB", 4).get(group) for group in "AB") for raw in product(range(8), repeat=2)
    )
    chance = {"low": Fraction(1, 8), "high": Fraction(1, 8), None: Fraction(3, 4)}
    assert {pair: Fraction(ways, 64) for pair, ways in shown.items()} == {
        (a, b): chance[a] * chance[b] for a in chance for b in chance
    }


# --- Uses ---


def test_a_draw_says_its_use_its_number_and_the_bytes_it_took() -> None:
    dice = dice_from(good_bytes())
    first, power, second = dice.roll(), dice.power(GROUPS, 12), dice.roll()
    assert [(draw.use, draw.number) for draw in (first, second)] == [("dice", 1), ("dice", 2)]
    assert (power.use, power.number) == ("power", 1)
    assert first.bytes_used >= 1
    assert power.bytes_used >= len(GROUPS)
    assert [str(draw) for draw in (first, power, second)] == ["kernel dice 1", "kernel power 1", "kernel dice 2"]


def test_bytes_passed_over_are_counted() -> None:
    blocks = iter([bytes(range(256)) * (STARTUP // 256), bytes([252, 255, 7]) + bytes(range(BLOCK - 3))])
    draw = dice_from(lambda _: next(blocks)).roll()
    assert (draw.result, draw.bytes_used) == (ROLLS[7], 3)


def test_a_draw_takes_another_block_when_one_is_not_enough() -> None:
    blocks = iter([good_bytes()(STARTUP), bytes([252, 253, 254, 255] * (BLOCK // 4)), bytes(range(BLOCK))])
    draw = dice_from(lambda _: next(blocks)).roll()
    assert (draw.result, draw.bytes_used) == (ROLLS[0], BLOCK + 1)


def test_nothing_is_kept_between_uses() -> None:
    asked: list[int] = []
    source = good_bytes()

    def read(wanted: int) -> bytes:
        asked.append(wanted)
        return source(wanted)

    dice = dice_from(read)
    for use in (dice.roll, dice.roll, lambda: dice.power(GROUPS, 12), dice.cycle):
        before = len(asked)
        use()
        assert asked[before:] == [BLOCK]
    held = [value for value in vars(dice).values() if isinstance(value, bytes | bytearray | Iterator)]
    assert held == []


def test_the_kernel_is_the_source_of_dice_on_a_floor() -> None:
    dice: Dice = KernelDice()
    assert KernelDice.read is os.urandom
    assert dice.roll().result in ROLLS
    assert set(dice.power(GROUPS, 1).result) == set(GROUPS)


# --- Health (NIST SP 800-90B) ---


def test_the_cut_offs_are_those_of_the_standard_for_one_false_alarm_in_2_to_the_30() -> None:
    bits_per_byte, alpha = 8, Fraction(1, 2**30)
    assert 1 + -(-30 // bits_per_byte) == REPEATS

    def over(k: int) -> Fraction:
        return Fraction(
            sum(comb(WINDOW, hits) * 255 ** (WINDOW - hits) for hits in range(k + 1, WINDOW + 1)), 256**WINDOW
        )

    critical = next(k for k in count() if over(k) <= alpha)
    assert 1 + critical == SAME


def test_a_good_source_passes_a_million_bytes() -> None:
    health, read = HealthTests(), good_bytes()
    for _ in range(250):
        health.watch(read(4_000))


@pytest.mark.parametrize("stuck", [0, 0xFF, 0x55])
def test_a_stuck_source_is_caught_at_start_up(stuck: int) -> None:
    with pytest.raises(BadEntropy, match=f"{REPEATS} equal bytes in a row: {stuck}"):
        dice_from(lambda wanted: bytes([stuck] * wanted))


def test_a_source_that_repeats_four_bytes_is_caught() -> None:
    with pytest.raises(BadEntropy, match=f"{SAME} of at most {WINDOW} bytes are equal"):
        dice_from(lambda wanted: (bytes(range(4)) * wanted)[:wanted])


def test_a_source_whose_every_tenth_byte_is_the_same_is_caught() -> None:
    read = good_bytes()
    with pytest.raises(BadEntropy, match="bytes are equal: 170"):
        HealthTests().watch(b"".join(b"\xaa" + read(9) for _ in range(1_000)))


@given(st.integers(1, 400))
def test_a_source_that_gets_stuck_later_stops_the_dice_for_good(after: int) -> None:
    read = good_bytes()
    healthy = [True]
    dice = dice_from(lambda wanted: read(wanted) if healthy[0] else bytes(wanted))
    for _ in range(after):
        dice.cycle()
    healthy[0] = False
    with pytest.raises(BadEntropy):
        dice.roll()
    healthy[0] = True
    with pytest.raises(BadEntropy):
        dice.roll()
    with pytest.raises(BadEntropy):
        dice.power(GROUPS, 12)


def test_equal_bytes_are_counted_across_blocks() -> None:
    health = HealthTests()
    for block in (b"\1\2\2", b"\2\2"):
        health.watch(block)
    with pytest.raises(BadEntropy):
        health.watch(b"\2")


def test_one_byte_under_each_cut_off_passes() -> None:
    HealthTests().watch(bytes([9] * (REPEATS - 1)))
    window = [9, *([1, 2, 3, 9] * (SAME - 2))]
    HealthTests().watch(bytes([*window, *([4, 5, 6] * WINDOW)][:WINDOW]))
    with pytest.raises(BadEntropy):
        HealthTests().watch(bytes([*window, 9]))


def test_a_source_that_gives_too_few_bytes_is_bad() -> None:
    with pytest.raises(BadEntropy, match=f"0 bytes instead of {STARTUP}"):
        dice_from(lambda _: b"")


def test_a_kernel_without_random_bytes_stops_the_dice() -> None:
    def broken(_: int) -> bytes:
        raise OSError("no such device")

    with pytest.raises(BadEntropy, match="no such device"):
        dice_from(broken)


# --- Scripts ---


def test_scripted_dice_fall_as_listed_and_the_journal_shows_it() -> None:
    dice: Dice = ScriptedDice([(4, 2), (6, 1)], [{"A": "high"}])
    draws = [dice.roll(), dice.roll()]
    assert [(draw.result, draw.source, draw.number, draw.bytes_used) for draw in draws] == [
        ((4, 2), "script", 1, 0),
        ((6, 1), "script", 2, 0),
    ]
    assert [dice.power("AB", 12).result, dice.power("AB", 12).result] == [{"A": "high"}, {}]
    with pytest.raises(BadEntropy, match="ends after roll 2"):
        dice.roll()


def test_the_program_has_no_dice_but_the_kernels_and_those_of_lessons() -> None:
    """Every class with the methods of dice, and every draw that is made. `tests/attacks/test_practice` shows that
    no real table gets those of lessons."""
    classes, sources = set(), set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                names = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
                classes |= {node.name} if {"roll", "power", "cycle"} <= names else set()
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Draw":
                sources |= {ast.unparse(each.value) for each in node.keywords if each.arg == "source"}
    assert classes == {"Dice", "KernelDice", "PracticeDice"}
    assert sources == {"'kernel'", "'practice'"}
