"""The dice of a simulation: the rolls of a session depend only on the seed and on the session's number.

Philox4x64-10, keyed by the seed and counting sessions, gives the 256 bits that start the session's own xoshiro256++
stream. A 64-bit word makes eight rolls: its first eight digits to the base 36, read as a fraction of one. Words
that would favour some digits are rejected. `kernel` does the same in machine code.

Power Odds needs no stream. Philox gives a separate word for each session, roll and group, so that only draws that
matter are made, and a draw is always the same.

Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011); Blackman and Vigna, "Scrambled linear
pseudorandom number generators" (2021); Brackett-Rozinsky and Lemire, "Batched ranged random integer generation"
(2024).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count

from stickman.rules.dice import ROLLS, Roll
from stickman.rules.game import Game

BITS = 64
WORDS = 1 << BITS
SEEDS = range(WORDS)
ROLLS_PER_WORD = 8
SESSION_KEY = 0x7374_6963_6B6D_616E
"""The second word of the key; it keeps dice and Power Odds apart."""
POWER_KEY = 0x506F_7765_7220_4F64
MULTIPLIERS = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
WEYL = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)
ROUNDS = 10

Four = tuple[int, int, int, int]


def philox(counter: Four, key: tuple[int, int]) -> Four:
    a, b, c, d = counter
    k, l = key  # noqa: E741 - the two words of a key
    for _ in range(ROUNDS):
        left, right = MULTIPLIERS[0] * a, MULTIPLIERS[1] * c
        a, b, c, d = right // WORDS ^ b ^ k, right % WORDS, left // WORDS ^ d ^ l, left % WORDS
        k, l = (k + WEYL[0]) % WORDS, (l + WEYL[1]) % WORDS  # noqa: E741
    return a, b, c, d


def xoshiro(state: Four) -> Iterator[int]:
    """The words of xoshiro256++ that follow a state."""
    a, b, c, d = state
    while True:
        yield (_turned((a + d) % WORDS, 23) + a) % WORDS
        shifted = (b << 17) % WORDS
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = _turned(d, 45)


def _turned(word: int, by: int) -> int:
    return (word << by) % WORDS | word >> (BITS - by)


def digits(word: int, count: int = ROLLS_PER_WORD, words: int = WORDS) -> list[int]:
    """The rolls that a word makes, by number; none if it is rejected. Rejection leaves the same number of words for
    each combination of digits.
    """
    runs = len(ROLLS) ** count
    if word * runs % words < words % runs:
        return []
    found = []
    for _ in range(count):
        digit, word = divmod(word * len(ROLLS), words)
        found.append(digit)
    return found


def session_words(seed: int, session: int) -> Iterator[int]:
    return xoshiro(philox((session, 0, 0, 0), (seed, SESSION_KEY)))


def session_rolls(seed: int, session: int) -> Iterator[Roll]:
    for word in session_words(seed, session):
        for number in digits(word):
            yield ROLLS[number]


# --- Power Odds ---

SHOWN = ("", "low", "high")
Draws = Callable[[int, Iterable[str]], Mapping[str, str]]
"""From the number of a session's roll, counted from 0, and some groups: what each group shows."""


def shown(seed: int, session: int, roll: int, group: int, one_in: int) -> int:
    """What a group shows: 2 of `2 * one_in` numbers show something."""
    numbers = 2 * one_in
    for attempt in count():
        word = philox((session, roll, group, attempt), (seed, POWER_KEY))[0]
        if word * numbers % WORDS >= WORDS % numbers:
            number = word * numbers // WORDS
            return number + 1 if number < 2 else 0
    raise AssertionError("unreachable")


def session_power(game: Game, seed: int, session: int) -> Draws:
    """What Power Odds shows on the rolls of a session."""
    numbers = {name: number for number, name in enumerate(power_groups(game))}

    def draws(roll: int, groups: Iterable[str]) -> dict[str, str]:
        drawn = {name: shown(seed, session, roll, numbers[name], game.power_odds.one_in) for name in groups}
        return {name: SHOWN[number] for name, number in drawn.items() if number}

    return draws


def power_groups(game: Game) -> tuple[str, ...]:
    chart = game.power_table()
    return chart.groups if chart else ()
