"""Two dice: the 36 ordered rolls. Nothing here draws one."""

from __future__ import annotations

import itertools
import re
from functools import cache
from typing import NamedTuple


class Roll(NamedTuple):
    """Two ordered dice.

    >>> Roll(4, 2).total, Roll(4, 2).is_pair, str(Roll(4, 2))
    (6, False, '4-2')
    """

    first: int
    second: int

    @classmethod
    def parse(cls, text: str) -> Roll:
        if not re.fullmatch(r"[1-6]-[1-6]", text):
            raise ValueError(f"roll {text!r} is not two dice from 1 to 6 such as 4-2")
        return cls(int(text[0]), int(text[2]))

    @property
    def total(self) -> int:
        return self.first + self.second

    @property
    def is_pair(self) -> bool:
        return self.first == self.second

    @property
    def number(self) -> int:
        """Its index in `ROLLS`, and so in every row of cells."""
        return 6 * (self.first - 1) + self.second - 1

    def __str__(self) -> str:
        return f"{self.first}-{self.second}"


ROLLS = tuple(itertools.starmap(Roll, itertools.product(range(1, 7), repeat=2)))
TOTALS = tuple(range(2, 13))
SIX_POINTS = (4, 5, 6, 8, 9, 10)
LOW, HIGH = (2, 3, 4, 5, 6), (8, 9, 10, 11, 12)
TEN_POINTS = LOW + HIGH


@cache
def ways(total: int) -> tuple[Roll, ...]:
    """The rolls that make a total.

    >>> [str(roll) for roll in ways(4)]
    ['1-3', '2-2', '3-1']
    """
    return tuple(roll for roll in ROLLS if roll.total == total)


@cache
def hard(total: int) -> tuple[Roll, ...]:
    """The pair that makes a total, if any."""
    return tuple(roll for roll in ways(total) if roll.is_pair)


def easy(total: int) -> tuple[Roll, ...]:
    """The rolls that make a total without a pair."""
    return tuple(roll for roll in ways(total) if not roll.is_pair)


def hop(low: int, high: int) -> tuple[Roll, ...]:
    """The rolls that show these two faces, in either order."""
    return tuple(roll for roll in ROLLS if sorted(roll) == [low, high])
