"""The dice of a simulation: published vectors, fairness by enumeration, and the kernel's dice are the same."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from math import sqrt

import numpy as np
import pytest
from numpy.random import Philox

from stickman.rules.dice import ROLLS
from stickman.rules.settings import load
from stickman.sim import kernel
from stickman.sim.dice import (
    SESSION_KEY,
    Four,
    digits,
    philox,
    power_groups,
    session_power,
    session_rolls,
    session_words,
    shown,
    xoshiro,
)

ONES = 2**64 - 1

# Random123 1.14.0, tests/kat_vectors: philox4x64, 10 rounds.
KNOWN = [
    ("0 0 0 0", "0 0", "16554d9eca36314c db20fe9d672d0fdc d7e772cee186176b 7e68b68aec7ba23b"),
    (
        "ffffffffffffffff ffffffffffffffff ffffffffffffffff ffffffffffffffff",
        "ffffffffffffffff ffffffffffffffff",
        "87b092c3013fe90b 438c3c67be8d0224 9cc7d7c69cd777b6 a09caebf594f0ba0",
    ),
    (
        "243f6a8885a308d3 13198a2e03707344 a4093822299f31d0 082efa98ec4e6c89",
        "452821e638d01377 be5466cf34e90c6c",
        "a528f45403e61d95 38c72dbd566e9788 a5a1610e72fd18b5 57bd43b5e52b7fe6",
    ),
]


def words(text: str) -> tuple[int, ...]:
    return tuple(int(word, 16) for word in text.split())


@pytest.mark.parametrize(("counter", "key", "out"), KNOWN)
def test_philox_gives_the_published_answers(counter: str, key: str, out: str) -> None:
    a, b, c, d = words(counter)
    k, l = words(key)  # noqa: E741 - the two words of a key
    assert philox((a, b, c, d), (k, l)) == words(out)


@pytest.mark.parametrize(("seed", "session"), [(0, 1), (1, 2), (ONES, 7), (12345, 10**12)])
def test_philox_is_that_of_numpy_which_counts_before_each_block(seed: int, session: int) -> None:
    theirs = Philox(counter=session - 1, key=np.array([seed, SESSION_KEY], np.uint64))
    assert list(philox((session, 0, 0, 0), (seed, SESSION_KEY))) == theirs.random_raw(4).tolist()


def independent_xoshiro(state: list[int], count: int) -> list[int]:
    """xoshiro256++ on bit strings: it shares no arithmetic with ours."""

    def turned(word: int, by: int) -> int:
        bits = f"{word:064b}"
        return int(bits[by:] + bits[:by], 2)

    s = list(state)
    found = []
    for _ in range(count):
        found.append((turned((s[0] + s[3]) & ONES, 23) + s[0]) & ONES)
        t = int(f"{s[1]:064b}"[17:] + "0" * 17, 2)
        s[2] = s[2] ^ s[0]
        s[3] = s[3] ^ s[1]
        s[1] = s[1] ^ s[2]
        s[0] = s[0] ^ s[3]
        s[2] = s[2] ^ t
        s[3] = turned(s[3], 45)
    return found


def test_xoshiro_gives_the_answers_of_its_authors_program() -> None:
    """As published with rand_xoshiro 0.6, made with xoshiro256plusplus.c from the state 1, 2, 3, 4."""
    published = [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205]
    published += [9973669472204895162, 14011001112246962877, 12406186145184390807, 15849039046786891736]
    assert list(islice(xoshiro((1, 2, 3, 4)), 9)) == published


@pytest.mark.parametrize("session", [0, 1, 2**63])
def test_xoshiro_is_an_independent_one(session: int) -> None:
    state = philox((session, 0, 0, 0), (3, SESSION_KEY))
    assert list(islice(session_words(3, session), 1000)) == independent_xoshiro(list(state), 1000)


@pytest.mark.parametrize(("bits", "count"), [(6, 1), (11, 2), (16, 2), (18, 3)])
def test_every_run_of_rolls_comes_from_equally_many_words(bits: int, count: int) -> None:
    """The mapping is the same for every word size; small ones can be tried in full."""
    size, runs = 2**bits, 36**count
    found = Counter(tuple(digits(word, count, size)) for word in range(size))
    rejected = found.pop((), 0)
    assert rejected == size % runs
    assert len(found) == runs
    assert set(found.values()) == {size // runs}


@pytest.mark.parametrize("seed", [0, 1, ONES])
@pytest.mark.parametrize("session", [0, 1, 2, 999_999, 2**40])
def test_the_kernel_throws_the_same_dice(seed: int, session: int) -> None:
    numbers = np.zeros(4003, np.uint8)
    kernel.throw(np.uint64(seed), np.uint64(session), numbers)
    rolls = islice(session_rolls(seed, session), len(numbers))
    assert [ROLLS[number] for number in numbers] == list(rolls)


@pytest.mark.parametrize("one_in", [1, 2, 12, 10_000])
def test_the_kernel_draws_the_same_power_odds(one_in: int) -> None:
    for seed, session, roll, group in ((0, 0, 0, 0), (ONES, 2**40, 511, 6), (3, 1, 2, 4), (3, 2, 1, 4)):
        words = (np.uint64(seed), np.uint64(session), np.uint64(roll), np.uint64(group), np.uint64(2 * one_in))
        assert kernel.shown(*words) == shown(seed, session, roll, group, one_in)


def test_a_group_of_power_odds_shows_as_often_as_it_should_low_and_high_alike() -> None:
    """Within five standard errors of 1/24 each, and groups, rolls and sessions by themselves."""
    counts = Counter(
        shown(8, session, roll, group, 12) for session in range(20) for roll in range(50) for group in range(7)
    )
    error = sqrt(7000 * 1 / 24 * 23 / 24)
    assert abs(counts[1] - 7000 / 24) < 5 * error
    assert abs(counts[2] - 7000 / 24) < 5 * error
    draws = session_power(load("roll-to-win"), 8, 3)
    assert draws(7, "AG") == {g: s for g, s in draws(7, "ABCDEFG").items() if g in "AG"}
    assert {len(draws(roll, "ABCDEFG")) for roll in range(60)} >= {0, 1, 2}


def test_without_power_odds_nothing_is_drawn() -> None:
    assert power_groups(load("craps")) == ()
    assert power_groups(load("roll-to-win")) == tuple("ABCDEFG")


REJECTS_FIRST: Four = (0, 5, 6, 0)
"""A state of the generator whose next word is 0, which is always rejected."""


def test_the_kernel_rejects_the_same_words() -> None:
    stream = xoshiro(REJECTS_FIRST)
    assert digits(next(stream)) == []
    fair = next(word for word in xoshiro(REJECTS_FIRST) if digits(word))
    a, b, c, d = (np.uint64(word) for word in REJECTS_FIRST)
    assert kernel.fair_word(a, b, c, d)[0] == fair
