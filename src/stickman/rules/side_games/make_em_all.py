"""Make 'Em All Progressive: different totals until a 7 or a repeat (BC3, appendix B). All ten win the meter."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache

from stickman.rules.dice import TEN_POINTS
from stickman.rules.machine import LOSES, Bet, Drawn, Machine, State, moves, row, wins
from stickman.rules.paytable import PayTable
from stickman.rules.schema import Progressive
from stickman.rules.side_games.kind import SideGame, leading, named, opens, side_bet

TITLE = "Make 'Em All Progressive"


def bets(settings: Progressive, table: PayTable) -> Iterator[Bet]:
    yield side_bet(
        settings,
        "make_em_all",
        TITLE,
        all_different(min(map(leading, table.rows))),
        "BC3 Make 'Em All Progressive",
        drawn=Drawn(word="bet"),
        order=50,
        opens=opens(settings.when),
        collects=TEN_POINTS,
        climbs=True,
    )


@lru_cache
def all_different(count_min: int) -> Machine:
    """Counts different totals until a 7 or a repeat; pays from `count_min` on. The tenth is paid at once. The state
    is the set of totals rolled."""
    states = {}
    for size in range(len(TEN_POINTS)):
        ends = wins(f"make_em_all.{size}") if size >= count_min else LOSES
        for rolled in itertools.combinations(TEN_POINTS, size):
            new = [t for t in TEN_POINTS if t not in rolled]
            hits = [(wins("make_em_all.10") if size == 9 else moves(named((*rolled, t)))).on(t) for t in new]
            states[named(rolled)] = State(row(*hits, otherwise=ends), hits=rolled)
    return Machine((named(()),), states)


DEFAULT = Progressive(paytable="MEA-01", meter="make_em_all")
GAME = SideGame("make_em_all", TITLE, DEFAULT, bets)
