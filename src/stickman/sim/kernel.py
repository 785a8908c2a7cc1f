"""Sessions in machine code: the dice of `dice.py`, and a table in which each state and roll has one number.

An edge holds the change of equity, the handle and the first edge of the next state, packed into 64 bits. The kernel
has no rules: where it meets an edge that nobody has filled it puts down its registers and stops, and goes on from
them when the edge is known. All of it is in one file, because numba's cache does not notice edits elsewhere; it
mixes no signed with unsigned numbers, because numba makes floats of such a sum.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]  # it has no types
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from stickman.sim.dice import MULTIPLIERS, ROLLS_PER_WORD, ROUNDS, SESSION_KEY, WEYL, WORDS

Int64s = NDArray[np.int64]
UInt64s = NDArray[np.uint64]

FACES = 36
STATE_BITS, HANDLE_BITS = 22, 20
STATES_MAX = (1 << STATE_BITS) // FACES
HANDLE_MAX = (1 << HANDLE_BITS) - 1
CHANGE_MAX = (1 << (63 - STATE_BITS - HANDLE_BITS)) - 1
"""What fits into an edge, in cents."""
CHANGE_SHIFT = STATE_BITS + HANDLE_BITS
STATE_MASK = (1 << STATE_BITS) - 1
UNKNOWN = np.iinfo(np.int64).min
"""An edge that nobody has filled."""
BROKE = 0
"""The state of a player who cannot bet; its edges stay unknown."""

SESSION, AT, EQUITY, PEAK, DRAWDOWN, HANDLE, ROLLS, LEFT = range(8)
REGISTERS = 8
"""Where a session that stopped stands: its number, the first edge of its state, money, counts, and how many rolls
are left in the word. Beside them lie the generator's four words and the word in hand."""
NET, DEEPEST, LENGTH, STAKED, ENDING = range(5)
"""The columns of a session's outcome."""
STOP_LOSS, WIN_GOAL, RUIN, TIME = range(4)
DONE, WANTS_EDGE, WANTS_CROSSING = range(3)
"""Why the kernel returned."""

U36 = np.uint64(FACES)
RUNS = np.uint64(FACES**ROLLS_PER_WORD)
REJECTED = np.uint64(WORDS % FACES**ROLLS_PER_WORD)
M0, M1 = np.uint64(MULTIPLIERS[0]), np.uint64(MULTIPLIERS[1])
W0, W1 = np.uint64(WEYL[0]), np.uint64(WEYL[1])
KEY = np.uint64(SESSION_KEY)
ZERO = np.uint64(0)
HASH = np.uint64(WEYL[0])


def pack(state: int, change_cents: int, handle_cents: int) -> int:
    """An edge as one number; what does not fit has none."""
    if abs(change_cents) > CHANGE_MAX or handle_cents > HANDLE_MAX or state >= STATES_MAX:
        return UNKNOWN
    return change_cents << CHANGE_SHIFT | handle_cents << STATE_BITS | state * FACES


def unpack(edge: int) -> tuple[int, int, int]:
    """The state, the change of equity and the handle of an edge."""
    return (edge & STATE_MASK) // FACES, edge >> CHANGE_SHIFT, edge >> STATE_BITS & HANDLE_MAX


def _high(_typing: Any, a: Any, b: Any) -> Any:
    del a, b

    def codegen(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


high = cast("Callable[[np.uint64, np.uint64], np.uint64]", intrinsic(_high))
"""The upper 64 bits of a product: numba has no 128-bit integers, LLVM has."""


@njit(inline="always")
def philox(session: np.uint64, seed: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The 256 bits that start a session's stream."""
    a, b, c, d, k, l = session, ZERO, ZERO, ZERO, seed, KEY  # noqa: E741 - the two words of a key
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
    a, b, c, d = philox(session, seed)
    word = ZERO
    for at in range(len(numbers)):
        if at % ROLLS_PER_WORD == 0:
            word, a, b, c, d = fair_word(a, b, c, d)
        numbers[at] = high(word, U36)
        word *= U36


@njit(inline="always")
def slot_of(crossings: Int64s, state: int, equity: int) -> np.int64:
    """Where in the table of crossings a state and an equity are, or the empty slot where they would be."""
    slots = len(crossings) // 3
    at = np.int64((np.uint64(state) * HASH ^ np.uint64(equity)) * HASH >> np.uint64(20)) & (slots - 1)
    while crossings[3 * at] >= 0 and (crossings[3 * at] != state or crossings[3 * at + 1] != equity):
        at = (at + 1) & (slots - 1)
    return np.int64(3 * at)


@njit(cache=True)
def put_crossing(crossings: Int64s, state: int, equity: int, thin: int) -> None:
    """Note to which thin state a state leads at this equity."""
    at = slot_of(crossings, state, equity)
    crossings[at], crossings[at + 1], crossings[at + 2] = state, equity, thin


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
) -> int:
    """Play sessions from the one in the registers on, until `last`, or to an edge or a crossing not known.

    `limits` are bankroll, floor, goal, thin (equity under it is in the key of states) and the most rolls.
    """
    bankroll, floor, goal, thin, rolls_max = limits[0], limits[1], limits[2], limits[3], limits[4]
    session, at, equity, peak = registers[SESSION], registers[AT], registers[EQUITY], registers[PEAK]
    drawdown, handle, rolls, left = registers[DRAWDOWN], registers[HANDLE], registers[ROLLS], registers[LEFT]
    a, b, c, d, word = words[0], words[1], words[2], words[3], words[4]
    first = session
    why = DONE
    while session < last:
        if rolls < 0:  # a new session
            a, b, c, d = philox(np.uint64(session), seed)
            at, equity, peak, drawdown, handle, rolls, left = start, bankroll, bankroll, 0, 0, 0, 0
        ending = -1
        while ending < 0:
            deep = equity >= thin
            low = max(floor, thin - 1) if deep else floor
            high_edge = goal if deep else min(goal, thin)
            edge = np.int64(0)
            while True:
                if left == 0:
                    word, a, b, c, d = fair_word(a, b, c, d)
                    left = ROLLS_PER_WORD
                edge = table[np.uint64(at) + high(word, U36)]  # unsigned: numba need not look for a negative index
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
                slot = slot_of(crossings, at // FACES, equity)
                if crossings[slot] < 0:
                    why = WANTS_CROSSING
                    break
                at = crossings[slot + 2] * FACES
        if why != DONE:
            break
        row = session - first
        outcomes[row, NET] = equity - bankroll
        outcomes[row, DEEPEST] = drawdown
        outcomes[row, LENGTH] = rolls
        outcomes[row, STAKED] = handle
        outcomes[row, ENDING] = ending
        session += 1
        rolls = -1
    registers[SESSION], registers[AT], registers[EQUITY], registers[PEAK] = session, at, equity, peak
    registers[DRAWDOWN], registers[HANDLE], registers[ROLLS], registers[LEFT] = drawdown, handle, rolls, left
    words[0], words[1], words[2], words[3], words[4] = a, b, c, d, word
    return why
