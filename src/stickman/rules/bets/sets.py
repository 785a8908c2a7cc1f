"""Lucky Roller and Bonus Craps: every total of a set at least once before a 7 (STW "Lucky Roller", IB 6.2; BC4 and
BC3 "Rules of play"). Repeats change nothing; the three bets of a set are independent."""

from __future__ import annotations

import itertools
from functools import lru_cache

from stickman.rules.dice import HIGH, LOW, TEN_POINTS
from stickman.rules.machine import LOSES, Bet, Machine, State, moves, row, wins


def lucky_roller() -> list[Bet]:
    """Low Rolls, High Rolls, Roll 'Em All."""
    return [
        _bet("lucky_roller", "low", "Lucky Roller Low Rolls", LOW, "STW Lucky Roller; IB 6.2"),
        _bet("lucky_roller", "high", "Lucky Roller High Rolls", HIGH, "STW Lucky Roller; IB 6.2"),
        _bet("lucky_roller", "all", "Lucky Roller Roll 'Em All", TEN_POINTS, "STW Lucky Roller; IB 6.2"),
    ]


def bonus_craps() -> list[Bet]:
    """All Small, All Tall, Make 'Em All."""
    return [
        _bet("bonus", "small", "Bonus Craps All Small", LOW, "BC4 All Small"),
        _bet("bonus", "tall", "Bonus Craps All Tall", HIGH, "BC4 All Tall"),
        _bet("bonus", "all", "Bonus Craps Make 'Em All", TEN_POINTS, "BC4 Make 'Em All"),
    ]


@lru_cache
def every_total(slot: str, totals: tuple[int, ...]) -> Machine:
    """The state is the set of totals rolled so far; the last missing one wins, a 7 loses."""
    states = {}
    for size in range(len(totals)):
        for rolled in itertools.combinations(totals, size):
            last = size == len(totals) - 1
            missing = [t for t in totals if t not in rolled]
            hits = [(wins(slot) if last else moves(named((*rolled, t)))).on(t) for t in missing]
            states[named(rolled)] = State(row(LOSES.on(7), *hits))
    return Machine((named(()),), states)


def named(rolled: tuple[int, ...]) -> str:
    """The name of the state in which these totals have been rolled."""
    return " ".join(map(str, sorted(rolled))) or "none"


def _bet(stem: str, part: str, title: str, totals: tuple[int, ...], source: str) -> Bet:
    family = "bonus_craps" if stem == "bonus" else stem
    return Bet(f"{stem}.{part}", title, every_total(f"{stem}.{part}", totals), source, family, side=True)
