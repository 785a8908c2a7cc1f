"""Turns raw bytes into millions of rolls and Power Odds draws, exactly as a live table does one at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.integer]

GROUPS, ONE_IN = 7, 12
"""Power Odds as the games ship it: seven groups, each shown once in twelve rolls."""


def below(limit: int, raw: bytes) -> Whole:
    """Whole numbers below `limit`, from words of one byte, or of two if the limit is over 256; unfair words are
    skipped."""
    assert 0 < limit <= 1 << 16, limit
    width = 1 if limit <= 256 else 2
    words = np.frombuffer(raw, np.dtype(f">u{width}"), len(raw) // width)
    fair = 256**width // limit * limit
    kept: Whole = words if fair == 256**width else words[words < fair]
    return kept % kept.dtype.type(limit) if limit < 256**width else kept


def rolls(raw: bytes) -> NDArray[np.uint8]:
    """Rolls by number, from 0 for 1-1 to 35 for 6-6."""
    return below(36, raw).astype(np.uint8, copy=False)


def powers(raw: bytes, one_in: int = ONE_IN) -> NDArray[np.uint8]:
    """What each group of Power Odds shows, group by group and draw after draw: 0 low, 1 high, 2 nothing."""
    return np.minimum(below(2 * one_in, raw), 2).astype(np.uint8)
