"""Bytes by the million become the same rolls as at a live table."""

from collections.abc import Callable, Iterator
from itertools import chain, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickman.randomness import bulk
from stickman.rules.dice import ROLLS
from stickman.rules.settings import load
from stickman.server.entropy import BLOCK, KernelDice, below, drawn, rolled

GROUPS = "ABCDEFG"


def until_the_end(make: Callable[[Iterator[int]], object], raw: bytes) -> list[object]:
    """What a live table makes of these bytes, use after use; what the last use left unfinished is dropped."""
    stream, made = iter(raw), []
    while True:
        try:
            made.append(make(stream))
        except StopIteration:
            return made


@given(st.binary(max_size=400))
def test_the_same_bytes_make_the_same_rolls(raw: bytes) -> None:
    assert [ROLLS[number] for number in bulk.rolls(raw)] == until_the_end(rolled, raw)


def test_every_byte_makes_the_same_roll() -> None:
    raw = bytes(range(256))
    assert [ROLLS[number] for number in bulk.rolls(raw)] == until_the_end(rolled, raw)


@given(st.binary(max_size=400), st.sampled_from([1, 2, 12, 100, 128, 129, 1_000, 10_000]))
def test_the_same_bytes_show_the_same_power_odds(raw: bytes, one_in: int) -> None:
    levels = bulk.powers(raw, one_in)
    draws = levels[: len(levels) // 7 * 7].reshape(-1, 7)
    shown = [
        {group: ("low", "high")[level] for group, level in zip(GROUPS, draw, strict=True) if level < 2}
        for draw in draws.tolist()
    ]
    assert shown == until_the_end(lambda stream: drawn(stream, GROUPS, one_in), raw)


@given(st.binary(max_size=400), st.integers(1, 65_536))
def test_the_same_bytes_make_the_same_numbers_under_any_limit(raw: bytes, limit: int) -> None:
    assert bulk.below(limit, raw).tolist() == until_the_end(lambda stream: below(limit, stream), raw)


def test_the_dice_of_a_table_are_the_bulk_rolls_of_the_bytes_that_it_used() -> None:
    blocks: list[bytes] = []
    kernel = KernelDice.read

    class Recorded(KernelDice):
        @staticmethod
        def read(count: int) -> bytes:
            blocks.append(kernel(count))
            return blocks[-1]

    dice = Recorded()
    used, rolls = b"", []
    for _ in range(2_000):
        blocks.clear()
        draw = dice.roll()
        assert all(len(block) == BLOCK for block in blocks)
        used += bytes(islice(chain.from_iterable(blocks), draw.bytes_used))
        rolls.append(draw.result)
    assert [ROLLS[number] for number in bulk.rolls(used)] == rolls


@pytest.mark.parametrize("game", ["roll-to-win", "shoot-to-win"])
def test_power_odds_are_tested_as_the_games_play_them(game: str) -> None:
    chosen = load(game)
    table = chosen.power_table()
    assert table
    assert (len({row.group for row in table.rows.values()}), chosen.power_odds.one_in) == (bulk.GROUPS, bulk.ONE_IN)
