"""Bits that NIST publishes p-values for: the binary expansions of constants, from integer arithmetic alone."""

from collections.abc import Callable
from functools import cache
from math import isqrt

import numpy as np

from stickman.randomness.nist import BITS, Bits


def bits_of(text: str) -> Bits:
    return np.frombuffer(text.encode(), np.uint8) - ord("0")


@cache
def expansion(constant: str) -> Bits:
    """The first 1,000,000 bits of a constant, its whole part included."""
    return bits_of(bin(NUMBERS[constant](BITS + 64))[2 : 2 + BITS])


def _e(bits: int) -> int:
    """The sum of 1/k! times 2^bits, with terms until k! outgrows it."""
    terms, outgrown = 1, 0
    while outgrown < bits:
        terms += 1
        outgrown += terms.bit_length() - 1
    over, under = _sum_of_terms(0, terms)
    return (1 << bits) + (over << bits) // under


def _sum_of_terms(after: int, upto: int) -> tuple[int, int]:
    """after!/k! summed over the k that follow, as a fraction: by halves, for that keeps the factors of a size."""
    if upto - after == 1:
        return 1, upto
    middle = (after + upto) // 2
    (over, under), (rest, below) = _sum_of_terms(after, middle), _sum_of_terms(middle, upto)
    return over * below + rest, under * below


NUMBERS: dict[str, Callable[[int], int]] = {
    "e": _e,
    "sqrt2": lambda bits: isqrt(2 << 2 * bits),
    "sqrt3": lambda bits: isqrt(3 << 2 * bits),
}
