"""Bets on every total of a set at least once before a 7. Repeats change nothing."""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import Any

from stickman.rules.machine import LOSES, Bet, Machine, State, moves, row, wins
from stickman.rules.side_games.kind import named, opens, side_bet


def set_bet(settings: Any, bet: str, title: str, totals: tuple[int, ...], source: str, **more: Any) -> Bet:
    machine, window = every_total(bet, totals), opens(settings.when)
    return side_bet(settings, bet, title, machine, source, opens=window, collects=totals, **more)


@lru_cache
def every_total(slot: str, totals: tuple[int, ...]) -> Machine:
    """The state is the set of totals rolled so far; the last missing one wins, a 7 loses."""
    states = {}
    for size in range(len(totals)):
        for rolled in itertools.combinations(totals, size):
            last = size == len(totals) - 1
            missing = [t for t in totals if t not in rolled]
            hits = [(wins(slot) if last else moves(named((*rolled, t)))).on(t) for t in missing]
            states[named(rolled)] = State(row(LOSES.on(7), *hits), hits=rolled)
    return Machine((named(()),), states)
