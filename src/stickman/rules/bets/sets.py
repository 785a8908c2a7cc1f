"""Lucky Roller and Bonus Craps: every total of a set at least once before a 7 (STW "Lucky Roller", IB 6.2; BC4 and
BC3 "Rules of play"). Repeats change nothing; the three bets of a set are independent."""

from __future__ import annotations

import itertools
from functools import lru_cache

from stickman.rules.dice import HIGH, LOW, TEN_POINTS
from stickman.rules.machine import LOSES, Bet, Drawn, Machine, State, moves, row, wins


def lucky_roller() -> list[Bet]:
    """Low Rolls, High Rolls, Roll 'Em All."""
    source = "STW Lucky Roller; IB 6.2"
    return [
        _bet("lucky_roller", "lucky_roller", part, f"Lucky Roller {title}", totals, source, order=10)
        for part, title, totals in (
            ("low", "Low Rolls", LOW),
            ("high", "High Rolls", HIGH),
            ("all", "Roll 'Em All", TEN_POINTS),
        )
    ]


def bonus_craps() -> list[Bet]:
    """All Small, All Tall, Make 'Em All."""
    return [
        _bet("bonus_craps", "bonus", part, f"Bonus Craps {title}", totals, f"BC4 {title}", order=20)
        for part, title, totals in (
            ("small", "All Small", LOW),
            ("tall", "All Tall", HIGH),
            ("all", "Make 'Em All", TEN_POINTS),
        )
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
            states[named(rolled)] = State(row(LOSES.on(7), *hits), hits=rolled)
    return Machine((named(()),), states)


def named(rolled: tuple[int, ...]) -> str:
    """The name of the state in which these totals have been rolled."""
    return " ".join(map(str, sorted(rolled))) or "none"


def _bet(  # noqa: PLR0913
    family: str, stem: str, part: str, title: str, totals: tuple[int, ...], source: str, *, order: int
) -> Bet:
    bet = f"{stem}.{part}"
    return Bet(
        bet,
        title,
        every_total(bet, totals),
        source,
        family,
        drawn=Drawn("side", f"set_{part}", flashes_puck=family == "lucky_roller", order=order),
        side=True,
        collects=totals,
    )
