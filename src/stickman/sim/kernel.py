"""Sessions in machine code: the dice of `dice.py`, and a table in which each state and roll has one number.

An edge holds the change of equity, the handle and the first edge of the next state, packed into 64 bits. The kernel
has no rules. At an edge that is not filled yet it saves its registers and returns; it continues once the edge is
known. If Power Odds matters to a roll, its edge is a *fork*: it names the groups to draw, and where the edge for
each draw is. The kernel is one file, because numba's cache does not notice edits elsewhere. It never mixes signed
and unsigned numbers, because numba turns their sum into a float.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]  # it has no types
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from stickman.sim.dice import MULTIPLIERS, POWER_KEY, ROLLS_PER_WORD, ROUNDS, SESSION_KEY, WEYL, WORDS

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
UInt64s = NDArray[np.uint64]

ROLL_COUNT = 36
STATE_BITS, HANDLE_BITS = 22, 20
STATES_MAX = (1 << STATE_BITS) // ROLL_COUNT
HANDLE_MAX = (1 << HANDLE_BITS) - 1
CHANGE_MAX = (1 << (63 - STATE_BITS - HANDLE_BITS)) - 1
"""What fits into an edge, in cents."""
CHANGE_SHIFT = STATE_BITS + HANDLE_BITS
STATE_MASK = (1 << STATE_BITS) - 1
UNKNOWN = np.iinfo(np.int64).min
"""An edge that is not filled yet."""
PLAIN = UNKNOWN + (1 << CHANGE_SHIFT)
"""The least number that is an edge; smaller ones are forks."""
NEVER = UNKNOWN + 1
"""Padding behind the edges of the draws."""
GROUPS_MAX = 7
SHOWS = 3
"""What a group may show: nothing, low, high."""
BROKE = 0
"""The state of a player who cannot bet, or whose last wager is decided; its edges stay unknown."""

SESSION, AT, EQUITY, PEAK, DRAWDOWN, HANDLE, ROLLS, LEFT, INDEX, STAGE, GROUP, GROUP_END = range(12)
REGISTERS = 12
"""A session that stopped: its number, the first edge of its state, money, counts, rolls left in the word, the
current edge, its stage, and the sessions of the last sprint. The generator's four words and the current word are
stored separately."""
PLAYS, ENDED, FOLLOWS = range(3)
"""The stages: a session is played; it has ended; its last wagers are followed."""
NET, DEEPEST, LENGTH, STAKED, ENDING = range(5)
"""The columns of a session's outcome."""
STOP_LOSS, WIN_GOAL, RUIN, TIME = range(4)
DONE, WANTS_EDGE, WANTS_CROSSING, WANTS_LEFT = range(4)
"""Why the kernel returned."""

U36 = np.uint64(ROLL_COUNT)
RUNS = np.uint64(ROLL_COUNT**ROLLS_PER_WORD)
REJECTED = np.uint64(WORDS % ROLL_COUNT**ROLLS_PER_WORD)
M0, M1 = np.uint64(MULTIPLIERS[0]), np.uint64(MULTIPLIERS[1])
W0, W1 = np.uint64(WEYL[0]), np.uint64(WEYL[1])
KEY = np.uint64(SESSION_KEY)
KEY_OF_POWER = np.uint64(POWER_KEY)
ZERO = np.uint64(0)
HASH = np.uint64(WEYL[0])


def pack(state: int, change_cents: int, handle_cents: int) -> int:
    """An edge as one number; `UNKNOWN` if it does not fit."""
    if abs(change_cents) > CHANGE_MAX or handle_cents > HANDLE_MAX or state >= STATES_MAX:
        return UNKNOWN
    return change_cents << CHANGE_SHIFT | handle_cents << STATE_BITS | state * ROLL_COUNT


def pack_fork(groups: int, at: int) -> int:
    """A fork instead of an edge: the groups to draw, a bit each, and where the edges of their draws begin."""
    return UNKNOWN + (groups << STATE_BITS | at)


def unpack_fork(edge: int) -> tuple[int, int]:
    return (edge - UNKNOWN) >> STATE_BITS, (edge - UNKNOWN) & STATE_MASK


def unpack(edge: int) -> tuple[int, int, int]:
    return (edge & STATE_MASK) // ROLL_COUNT, edge >> CHANGE_SHIFT, edge >> STATE_BITS & HANDLE_MAX


def _high(_typing: Any, a: Any, b: Any) -> Any:
    del a, b

    def codegen(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


high = cast("Callable[[np.uint64, np.uint64], np.uint64]", intrinsic(_high))
"""The upper 64 bits of a product. numba has no 128-bit integers, but LLVM has."""


@njit(inline="always")
def philox(
    a: np.uint64,
    b: np.uint64,
    c: np.uint64,
    d: np.uint64,
    k: np.uint64,
    l: np.uint64,  # noqa: E741 - the two words of a key
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    for _ in range(ROUNDS):
        a, b, c, d = high(M1, c) ^ b ^ k, M1 * c, high(M0, a) ^ d ^ l, M0 * a
        k += W0
        l += W1  # noqa: E741
    return a, b, c, d


@njit(inline="always")
def turned(word: np.uint64, by: int) -> np.uint64:
    return (word << np.uint64(by)) | (word >> np.uint64(64 - by))


@njit(inline="always")
def fair_word(
    a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """The next word of xoshiro256++ that makes eight rolls, and the generator after it."""
    word = ZERO
    while word * RUNS < REJECTED:  # zero is always rejected
        word = turned(a + d, 23) + a
        shifted = b << np.uint64(17)
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = turned(d, 45)
    return word, a, b, c, d


@njit(cache=True)
def throw(seed: np.uint64, session: np.uint64, numbers: NDArray[np.uint8]) -> None:
    """The first rolls of a session, by number."""
    a, b, c, d = philox(session, ZERO, ZERO, ZERO, seed, KEY)
    word = ZERO
    for at in range(len(numbers)):
        if at % ROLLS_PER_WORD == 0:
            word, a, b, c, d = fair_word(a, b, c, d)
        numbers[at] = high(word, U36)
        word *= U36


@njit(inline="always")
def slot_of(crossings: Int64s, state: int, equity: int) -> np.int64:
    """The slot of a state and an equity in the table of crossings, or the empty slot for them."""
    slots = len(crossings) // 3
    at = np.int64((np.uint64(state) * HASH ^ np.uint64(equity)) * HASH >> np.uint64(20)) & (slots - 1)
    while crossings[3 * at] >= 0 and (crossings[3 * at] != state or crossings[3 * at + 1] != equity):
        at = (at + 1) & (slots - 1)
    return np.int64(3 * at)


@njit(cache=True)
def put_crossing(crossings: Int64s, state: int, equity: int, thin: int) -> None:
    """Record the thin state of a state at this equity."""
    at = slot_of(crossings, state, equity)
    crossings[at], crossings[at + 1], crossings[at + 2] = state, equity, thin


@njit(cache=True)
def shown(seed: np.uint64, session: np.uint64, roll: np.uint64, group: np.uint64, numbers: np.uint64) -> np.int64:
    """What a group of Power Odds shows on a roll: something for 2 of `numbers`."""
    attempt = ZERO
    while True:
        word = philox(session, roll, group, attempt, seed, KEY_OF_POWER)[0]
        if word * numbers >= (ZERO - numbers) % numbers:
            number = np.int64(high(word, numbers))
            return number + 1 if number < 2 else np.int64(0)
        attempt += np.uint64(1)


@njit(cache=True)
def draw(edge: int, seed: np.uint64, session: int, roll: int, numbers: int) -> np.int64:
    """The edge that a fork leads to on this roll."""
    groups, at = (edge - UNKNOWN) >> STATE_BITS, (edge - UNKNOWN) & STATE_MASK
    drawn = np.int64(0)
    for group in range(GROUPS_MAX):
        if (groups >> group) & 1:
            shows = shown(seed, np.uint64(session), np.uint64(roll), np.uint64(group), np.uint64(numbers))
            drawn = SHOWS * drawn + shows
    return np.int64(at + drawn)


# --- Each bet ---


class KernelTally(NamedTuple):
    lists: Int64s
    """By edge: the number of its list of scores; 0 is the empty list."""
    begins: Int64s
    """By list: where its scores begin."""
    scores: Int64s
    """In each row: the column of the bet, wagers, stakes, what came back."""
    follows: Int64s
    """By edge: the first edge of the wagers that a session leaves when it ends there; negative if unknown."""
    sums: Int64s
    """By session and bet: wagers, stakes, what came back."""


@njit(inline="always")
def score(tally: KernelTally, row: int, number: int, times: int) -> None:
    """Count a list of scores this many times in a session."""
    for at in range(tally.begins[number], tally.begins[number + 1]):
        bet = tally.scores[at, 0]
        for column in range(3):
            tally.sums[row, bet, column] += times * tally.scores[at, column + 1]


# --- Sprints ---
#
# While money is deep and far from its limits, many sessions are played at once, a word of eight rolls at a time,
# from a table of pairs of rolls. Pairs are filled from the table of edges when they are first met. Each word takes
# three steps: its pairs by number, the walk through the table, the money. The compiler turns the first and the last
# into vector loops over lanes; in the walk the processor works ahead, because no lane waits for another. If a
# session would reach a limit within the word, it is parked as it was before the word, and the lane takes the next
# session. The outcome is the same: `run` finishes what a sprint leaves.

PAIRS = ROLL_COUNT**2
PAIRS_PER_WORD = ROLLS_PER_WORD // 2
P_STATE_BITS, P_HANDLE_BITS, P_CHANGE_BITS = 20, 14, 15
P_STATE_MASK, P_HANDLE_MAX = (1 << P_STATE_BITS) - 1, (1 << P_HANDLE_BITS) - 1
P_STATES = (1 << P_STATE_BITS) // PAIRS
P_SIZE = P_STATES * PAIRS
"""A pair of rolls in 64 bits, money in units that divide all amounts: the change by the first roll and by the
second, the handle of both, and the first pair of the next state. Zero means unknown or too large; it leads to the
broke state, where everything is zero."""

LISTS_MAX = 1 << 10
"""The most lists of scores that a sprint can count."""
LIST_MASK, LIST_BITS = (1 << 16) - 1, 16
"""The two lists of a pair are in 32 bits."""

LANES = 64
FEW = LANES // 4
"""A sprint ends when at most this many sessions are still in play and none is waiting."""
SPRINT = 8 * LANES
L_AT, L_EQUITY, L_PEAK, L_DRAWDOWN, L_HANDLE, L_ROLLS, L_BEFORE, L_STOPS, L_SESSION, L_PAIRS, L_LISTS = (
    LANES * row for row in (0, 1, 2, 3, 4, 5, 6, 11, 12, 13, 13 + PAIRS_PER_WORD)
)
LANE_MONEY = L_LISTS + LANES * PAIRS_PER_WORD
"""Of each lane: its state and its money, in units above its bankroll; its rolls; the first five before the word;
whether it stops; its session; its path through the word, and the lists of scores there."""
L_WORD, L_NUMBERS = (LANES * row for row in (4, 5))
LANE_WORDS = 6 * LANES
"""Of each lane: the generator and the current word, and the numbers of the word's pairs, 16 bits each."""
PARKED_MONEY, PARKED_WORDS = 6, 5
"""Of each parked session: state, money and rolls as `run` has them; the generator and the current word."""
IDLE = -1
LOW_HALF, HALF = np.uint64(0xFFFF_FFFF), np.uint64(32)
NUMBER_MASK, NUMBER_BITS = np.uint64(0xFFFF), np.uint64(16)
U_PAIRS, TWO_PAIRS = np.uint64(PAIRS), np.uint64(PAIRS**2)
PAIR_SHIFT = np.uint64(36)
PAIR_TH = np.uint64(-(-(1 << 36) // PAIRS))
"""For a number of two pairs, `number * PAIR_TH >> PAIR_SHIFT` is the first of them."""


class Track(NamedTuple):
    pairs: Int64s
    unit: int
    """Of the money in pairs, in cents."""
    lists: Int32s
    """By pair: the lists of its scores."""
    times: Int32s
    """By lane and list: how often it occurred."""
    money: Int64s
    words: UInt64s
    parked: Int64s
    parked_words: UInt64s


def new_lanes() -> tuple[Int32s, Int64s, UInt64s, Int64s, UInt64s]:
    """Memory for the lanes of a track and their parked sessions."""
    return (
        np.zeros(LANES * LISTS_MAX, np.int32),
        np.zeros(LANE_MONEY, np.int64),
        np.zeros(LANE_WORDS, np.uint64),
        np.zeros(SPRINT * PARKED_MONEY, np.int64),
        np.zeros(SPRINT * PARKED_WORDS, np.uint64),
    )


@njit(inline="always")
def next_words(words: UInt64s) -> None:
    """The next fair word of every lane, and its generator after it."""
    rejected = False
    for k in range(LANES):
        a, b, c, d = words[k], words[LANES + k], words[2 * LANES + k], words[3 * LANES + k]
        word = turned(a + d, 23) + a
        shifted = b << np.uint64(17)
        c ^= a
        d ^= b
        words[LANES + k] = b ^ c
        words[k] = a ^ d
        words[2 * LANES + k] = c ^ shifted
        words[3 * LANES + k] = turned(d, 45)
        words[L_WORD + k] = word
        rejected |= word * RUNS < REJECTED
    for k in range(LANES if rejected else 0):
        if words[L_WORD + k] * RUNS < REJECTED:
            word, a, b, c, d = fair_word(words[k], words[LANES + k], words[2 * LANES + k], words[3 * LANES + k])
            words[L_WORD + k] = word
            words[k], words[LANES + k], words[2 * LANES + k], words[3 * LANES + k] = a, b, c, d


@njit(inline="always")
def two_pairs(number: np.uint64) -> np.uint64:
    """The numbers of two pairs, the first in the lowest bits."""
    first = number * PAIR_TH >> PAIR_SHIFT
    return first | (number - first * U_PAIRS) << NUMBER_BITS


@njit(inline="always")
def number_pairs(words: UInt64s) -> None:
    """The pairs of every lane's word, by 32-bit products, because vectors have no wider ones."""
    for k in range(LANES):
        word = words[L_WORD + k]
        low = (word & LOW_HALF) * TWO_PAIRS
        high_part = (word >> HALF) * TWO_PAIRS + (low >> HALF)
        rest = (high_part & LOW_HALF) * TWO_PAIRS + ((low & LOW_HALF) * TWO_PAIRS >> HALF)
        words[L_NUMBERS + k] = two_pairs(high_part >> HALF) | two_pairs(rest >> HALF) << HALF


@njit(inline="always")
def walk(pairs: Int64s, money: Int64s, words: UInt64s) -> None:
    """Find every lane's path through its word."""
    for k in range(LANES):
        money[L_PAIRS + k] = pairs[np.uint64(money[L_AT + k]) + (words[L_NUMBERS + k] & NUMBER_MASK)]
    for n in range(1, PAIRS_PER_WORD):
        shift = NUMBER_BITS * np.uint64(n)
        for k in range(LANES):
            at = np.uint64(money[L_PAIRS + LANES * (n - 1) + k] & P_STATE_MASK)
            money[L_PAIRS + LANES * n + k] = pairs[at + (words[L_NUMBERS + k] >> shift & NUMBER_MASK)]


Ends = tuple[int, int, int]
"""When a lane stops: at this equity or lower, at this peak or higher (in units), or above this number of rolls."""


@njit(inline="always")
def settle(money: Int64s, ends: Ends, lane: int, end: int) -> bool:
    """Add up the words of lanes. Return whether one of them stops there or meets an unknown pair."""
    low, high_edge, rolls_max = ends
    troubled = False
    for k in range(lane, end):
        at, equity, peak = money[L_AT + k], money[L_EQUITY + k], money[L_PEAK + k]
        drawdown, handle = money[L_DRAWDOWN + k], money[L_HANDLE + k]
        money[L_BEFORE + k] = at
        money[L_BEFORE + LANES + k] = equity
        money[L_BEFORE + 2 * LANES + k] = peak
        money[L_BEFORE + 3 * LANES + k] = drawdown
        money[L_BEFORE + 4 * LANES + k] = handle
        lowest, pair = equity, np.int64(0)
        for n in range(PAIRS_PER_WORD):
            pair = money[L_PAIRS + LANES * n + k]
            equity += pair >> (64 - P_CHANGE_BITS)
            lowest = min(lowest, equity)
            peak = max(peak, equity)
            drawdown = max(drawdown, peak - equity)
            equity += pair << P_CHANGE_BITS >> (64 - P_CHANGE_BITS)
            lowest = min(lowest, equity)
            peak = max(peak, equity)
            drawdown = max(drawdown, peak - equity)
            handle += pair >> P_STATE_BITS & P_HANDLE_MAX
        rolls = money[L_ROLLS + k] + ROLLS_PER_WORD
        stops = (lowest <= low) | (peak >= high_edge) | (rolls > rolls_max) | (pair & P_STATE_MASK == BROKE)
        troubled |= stops
        money[L_AT + k], money[L_EQUITY + k], money[L_PEAK + k] = pair & P_STATE_MASK, equity, peak
        money[L_DRAWDOWN + k], money[L_HANDLE + k], money[L_ROLLS + k] = drawdown, handle, rolls
        money[L_STOPS + k] = stops
    return troubled


@njit(cache=True)
def paired(table: Int64s, unit: int, at: int) -> np.int64:
    """A pair of rolls; zero if it is unknown or does not fit."""
    state, number = at // PAIRS, at % PAIRS
    first = table[state * ROLL_COUNT + number // ROLL_COUNT]
    second = table[(first & STATE_MASK) + number % ROLL_COUNT]
    to = (second & STATE_MASK) // ROLL_COUNT
    if first < PLAIN or second < PLAIN or to >= P_STATES:
        return np.int64(0)
    one, two = (first >> CHANGE_SHIFT) // unit, (second >> CHANGE_SHIFT) // unit
    handle = ((first >> STATE_BITS & HANDLE_MAX) + (second >> STATE_BITS & HANDLE_MAX)) // unit
    most = 1 << (P_CHANGE_BITS - 1)
    if max(abs(one), abs(two)) >= most or handle > P_HANDLE_MAX:
        return np.int64(0)
    packed = one << P_CHANGE_BITS | two & (2 * most - 1)
    return np.int64((packed << P_HANDLE_BITS | handle) << P_STATE_BITS | to * PAIRS)


@njit(cache=True)
def paired_lists(table: Int64s, tally: KernelTally, at: int) -> np.int32:
    """The lists of scores of a known pair of rolls."""
    first = at // PAIRS * ROLL_COUNT + at % PAIRS // ROLL_COUNT
    second = (table[first] & STATE_MASK) + at % ROLL_COUNT
    return np.int32(tally.lists[first] | tally.lists[second] << LIST_BITS)


@njit(cache=True)
def walk_again(table: Int64s, tally: KernelTally | None, track: Track, ends: Ends, lane: int) -> None:
    """Walk a lane's word again, fill the pairs that are known by now, and add it up again."""
    pairs, money = track.pairs, track.money
    for row in range(5):
        money[LANES * row + lane] = money[L_BEFORE + LANES * row + lane]
    money[L_ROLLS + lane] -= ROLLS_PER_WORD
    at, numbers = money[L_AT + lane], track.words[L_NUMBERS + lane]
    for n in range(PAIRS_PER_WORD):
        index = at + np.int64(numbers & NUMBER_MASK)
        if pairs[index] == 0:
            pairs[index] = paired(table, track.unit, index)
            if tally is not None:
                track.lists[index] = paired_lists(table, tally, index)
        money[L_PAIRS + LANES * n + lane] = pairs[index]
        at = pairs[index] & P_STATE_MASK
        numbers >>= NUMBER_BITS
    settle(money, ends, lane, lane + 1)


@njit(inline="always")
def count_lists(track: Track, lists: int) -> None:
    """Count the lists of scores on every lane's path through its word. All look-ups come before all counts:
    otherwise the processor would wait for each count before the next look-up."""
    money, words = track.money, track.words
    for n in range(PAIRS_PER_WORD):
        shift = NUMBER_BITS * np.uint64(n)
        before = L_BEFORE if n == 0 else L_PAIRS + LANES * (n - 1)
        for k in range(LANES):
            at = np.uint64(money[before + k] & P_STATE_MASK)
            money[L_LISTS + LANES * n + k] = track.lists[at + (words[L_NUMBERS + k] >> shift & NUMBER_MASK)]
    for n in range(PAIRS_PER_WORD):
        for k in range(LANES):
            track.times[lists * k + (money[L_LISTS + LANES * n + k] & LIST_MASK)] += 1
        for k in range(LANES):
            track.times[lists * k + (money[L_LISTS + LANES * n + k] >> LIST_BITS)] += 1


@njit(inline="always")
def park(lane: int, bankroll: int, tally: KernelTally | None, row: int, track: Track) -> None:
    """Park a lane's session as it was before the current word, and add up what it counted. `row` is the row of the
    first session in the tally."""
    money, unit, session = track.money, track.unit, track.money[L_SESSION + lane]
    at, before = PARKED_MONEY * session, L_BEFORE + lane
    track.parked[at] = money[before] // PAIRS * ROLL_COUNT
    track.parked[at + 1] = bankroll + money[before + LANES] * unit
    track.parked[at + 2] = bankroll + money[before + 2 * LANES] * unit
    track.parked[at + 3] = money[before + 3 * LANES] * unit
    track.parked[at + 4] = money[before + 4 * LANES] * unit
    track.parked[at + 5] = money[L_ROLLS + lane] - ROLLS_PER_WORD
    for n in range(PARKED_WORDS):
        track.parked_words[PARKED_WORDS * session + n] = track.words[LANES * n + lane]
    if tally is not None:
        lists = len(tally.begins) - 1
        for number in range(1, lists):
            times = track.times[lists * lane + number]
            if times:
                score(tally, row + session, number, times)


@njit(inline="always")
def step_up(lane: int, session: int, start: int, lists: int, track: Track) -> None:
    """Let a lane play this session from the next word on, or idle; it counts nothing in the current word."""
    money = track.money
    money[L_SESSION + lane] = session
    money[L_AT + lane], money[L_ROLLS + lane] = start, 0 if session != IDLE else -1 << 40
    money[L_EQUITY + lane], money[L_PEAK + lane], money[L_DRAWDOWN + lane], money[L_HANDLE + lane] = 0, 0, 0, 0
    money[L_BEFORE + lane] = BROKE
    for n in range(PAIRS_PER_WORD):
        money[L_PAIRS + LANES * n + lane] = 0
    for number in range(lists):
        track.times[lists * lane + number] = 0


@njit(inline="always")
def shake(lane: int, seed: np.uint64, session: int, words: UInt64s) -> None:
    words[lane], words[LANES + lane], words[2 * LANES + lane], words[3 * LANES + lane] = philox(
        np.uint64(session), ZERO, ZERO, ZERO, seed, KEY
    )


@njit(nogil=True, cache=True)
def sprint(  # noqa: PLR0913, PLR0917 - in machine code
    table: Int64s,
    limits: Int64s,
    seed: np.uint64,
    start: int,
    first: int,
    sessions: int,
    tally: KernelTally | None,
    row: int,
    track: Track,
) -> None:
    """Play this many sessions as far as a lane can, and park each for `run`: before a word in which it reaches a
    limit, meets an unknown pair, or runs out of rolls.

    With a tally at least one roll is left to `run`, which must know the wagers at the end of the session."""
    bankroll, floor, goal, thin, rolls_max, _, _ = limits
    money, words = track.money, track.words
    low, high_edge = (max(floor, thin - 1) - bankroll) // track.unit, -((bankroll - goal) // track.unit)
    ends = (low, high_edge, rolls_max if tally is None else rolls_max - 1)
    lists = 0 if tally is None else len(tally.begins) - 1
    start = start // ROLL_COUNT * PAIRS
    begun = at_play = min(LANES, sessions)
    for k in range(LANES):
        step_up(k, k if k < begun else IDLE, start, lists, track)
        shake(k, seed, first + k, words)
    while at_play > 0:
        if begun == sessions and at_play <= FEW:
            ends = (low, high_edge, 0)  # all stop
        next_words(words)
        number_pairs(words)
        walk(track.pairs, money, words)
        for k in range(LANES if settle(money, ends, 0, LANES) else 0):
            if money[L_AT + k] == BROKE:
                walk_again(table, tally, track, ends, k)
            if money[L_STOPS + k]:
                session = IDLE
                if money[L_SESSION + k] != IDLE:
                    park(k, bankroll, tally, row, track)
                    session, at_play = (begun, at_play) if begun < sessions else (IDLE, at_play - 1)
                    begun = min(begun + 1, sessions)
                step_up(k, session, start, lists, track)
                shake(k, seed, first + session, words)
        if tally is not None:
            count_lists(track, lists)


# --- Sessions ---


@njit(nogil=True, cache=True)
def run(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917 - one loop, whose registers must not leave the processor
    table: Int64s,
    crossings: Int64s,
    limits: Int64s,
    seed: np.uint64,
    start: int,
    last: int,
    registers: Int64s,
    words: UInt64s,
    outcomes: Int64s,
    tally: KernelTally | None,
    track: Track,
) -> int:
    """Play sessions from the one in the registers up to `last`, or until something is unknown.

    `limits` are bankroll, floor, goal, thin (equity below it is part of the state), the most rolls, the numbers of
    which two show Power Odds, and whether sprints are possible. numba compiles this once with a tally and once
    without."""
    bankroll, floor, goal, thin, rolls_max, numbers, sprints = limits
    sprints &= bankroll >= thin and start < P_STATES * ROLL_COUNT
    group, ended = registers[GROUP], registers[GROUP_END]
    session, at, equity, peak = registers[SESSION], registers[AT], registers[EQUITY], registers[PEAK]
    drawdown, handle, rolls, left = registers[DRAWDOWN], registers[HANDLE], registers[ROLLS], registers[LEFT]
    index, stage = registers[INDEX], registers[STAGE]
    a, b, c, d, word = words[0], words[1], words[2], words[3], words[4]
    first = session
    why = DONE
    while session < last:
        if rolls < 0:  # a new session
            stage = PLAYS
            if sprints and not group <= session < ended:
                group, ended = session, min(session + SPRINT, last)
                sprint(table, limits, seed, start, group, ended - group, tally, group - first, track)
            k = PARKED_MONEY * (session - group)
            if group <= session < ended and track.parked[k + 1] >= thin:  # otherwise thin has changed since
                at, equity, peak = track.parked[k], track.parked[k + 1], track.parked[k + 2]
                drawdown, handle, rolls = track.parked[k + 3], track.parked[k + 4], track.parked[k + 5]
                k = PARKED_WORDS * (session - group)
                a, b, c = track.parked_words[k], track.parked_words[k + 1], track.parked_words[k + 2]
                d, word, left = track.parked_words[k + 3], track.parked_words[k + 4], ROLLS_PER_WORD
            else:
                if tally is not None:
                    tally.sums[session - first] = 0
                a, b, c, d = philox(np.uint64(session), ZERO, ZERO, ZERO, seed, KEY)
                at, equity, peak, drawdown, handle, rolls, left = start, bankroll, bankroll, 0, 0, 0, 0
        ending = TIME if stage == PLAYS and rolls == rolls_max else -1  # in a sprint
        while stage == PLAYS and ending < 0:
            deep = equity >= thin
            low = max(floor, thin - 1) if deep else floor
            high_edge = goal if deep else min(goal, thin)
            edge = np.int64(0)
            while True:
                if left == 0:
                    word, a, b, c, d = fair_word(a, b, c, d)
                    left = ROLLS_PER_WORD
                index = np.int64(np.uint64(at) + high(word, U36))
                edge = table[np.uint64(index)]  # unsigned: numba need not look for a negative index
                if edge < PLAIN:
                    if edge != UNKNOWN:
                        index = draw(edge, seed, session, rolls, numbers)
                        edge = table[np.uint64(index)]
                    if edge == UNKNOWN:
                        break
                word *= U36
                left -= 1
                rolls += 1
                at = edge & STATE_MASK
                equity += edge >> CHANGE_SHIFT
                handle += (edge >> STATE_BITS) & HANDLE_MAX
                peak = max(peak, equity)
                drawdown = max(drawdown, peak - equity)
                if tally is not None:
                    score(tally, session - first, tally.lists[index], 1)
                if (equity <= low) | (equity >= high_edge) | (rolls == rolls_max):
                    break
            if equity <= floor:
                ending = STOP_LOSS
            elif equity >= goal:
                ending = WIN_GOAL
            elif at == BROKE:
                ending = RUIN
            elif rolls == rolls_max:
                ending = TIME
            elif edge == UNKNOWN:
                why = WANTS_EDGE
                break
            elif deep and equity < thin:
                slot = slot_of(crossings, at // ROLL_COUNT, equity)
                if crossings[slot] < 0:
                    why = WANTS_CROSSING
                    break
                at = crossings[slot + 2] * ROLL_COUNT
        if why != DONE:
            break
        if ending >= 0:
            stage = ENDED
            row = session - first
            outcomes[row, NET] = equity - bankroll
            outcomes[row, DEEPEST] = drawdown
            outcomes[row, LENGTH] = rolls
            outcomes[row, STAKED] = handle
            outcomes[row, ENDING] = ending
        if tally is not None:
            if stage == ENDED:
                at = BROKE if ending == RUIN else tally.follows[index]
                if at < 0:
                    why = WANTS_LEFT
                    break
                stage = FOLLOWS
            while at != BROKE:
                if left == 0:
                    word, a, b, c, d = fair_word(a, b, c, d)
                    left = ROLLS_PER_WORD
                index = np.int64(np.uint64(at) + high(word, U36))
                edge = table[np.uint64(index)]
                if edge < PLAIN and edge != UNKNOWN:
                    index = draw(edge, seed, session, rolls, numbers)
                    edge = table[np.uint64(index)]
                if edge == UNKNOWN:
                    why = WANTS_EDGE
                    break
                word *= U36
                left -= 1
                rolls += 1
                at = edge & STATE_MASK
                score(tally, session - first, tally.lists[index], 1)
            if why != DONE:
                break
        session += 1
        rolls = -1
    registers[SESSION], registers[AT], registers[EQUITY], registers[PEAK] = session, at, equity, peak
    registers[DRAWDOWN], registers[HANDLE], registers[ROLLS], registers[LEFT] = drawdown, handle, rolls, left
    registers[INDEX], registers[STAGE] = index, stage
    registers[GROUP], registers[GROUP_END] = group, ended
    words[0], words[1], words[2], words[3], words[4] = a, b, c, d, word
    return why
