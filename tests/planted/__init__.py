"""A one-roll bet and a side game that the program does not have: registered from here, code and data.

They show that bets say everything about themselves: no file of the program or of its screens knows them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Annotated

from msgspec import Meta

from stickman.rules.bets.one_roll import one_roll
from stickman.rules.dice import hard
from stickman.rules.extend import registered
from stickman.rules.game import Game
from stickman.rules.machine import LOSES, Bet, Drawn, Machine, Opens, State, moves, row, wins
from stickman.rules.money import Pays
from stickman.rules.paytable import PayRow, PayTable
from stickman.rules.schema import FreeStake
from stickman.rules.settings import change, load
from stickman.rules.side_games.kind import SideGame, named, side_bet

# --- Hi-Lo: 2 or 12 on the next roll ---

HI_LO = one_roll("hi_lo", "Hi-Lo", [wins("hi_lo", stays_up=True).on(2, 12)], "house", "props_small")
ROWS = {"hi_lo": PayRow(Pays.parse("15 to 1"), "house")}

# --- Hard Road: how many different hard ways come before a 7 ---

HARD_WAYS = (4, 6, 8, 10)


class HardRoad(FreeStake, frozen=True, kw_only=True):
    """Hard Road."""

    paytable: Annotated[str, Meta(description="Its pay table.")] = "road"


def bets(settings: HardRoad, table: PayTable) -> Iterator[Bet]:
    yield side_bet(
        settings,
        "hard_road",
        "Hard Road",
        road(min(map(int, table.rows))),
        "house",
        drawn=Drawn(word="hard_road"),
        opens=Opens.AFTER_SEVEN,
        collects=HARD_WAYS,
        climbs=True,
    )


@lru_cache
def road(least: int) -> Machine:
    """The state is the set of hard ways rolled. A 7 ends it and pays their number; the fourth pays at once."""
    states = {}
    for size in range(len(HARD_WAYS)):
        ends = wins(f"hard_road.{size}") if size >= least else LOSES
        for rolled in itertools.combinations(HARD_WAYS, size):
            new = [n for n in HARD_WAYS if n not in rolled]
            hits = [(wins("hard_road.4") if size == 3 else moves(named((*rolled, n)))).on(hard(n)) for n in new]
            states[named(rolled)] = State(row(ends.on(7), *hits), hits=rolled)
    return Machine((named(()),), states)


HARD_ROAD = SideGame("hard_road", "Hard Road", HardRoad(), bets)
PAYS = {"2": "2 to 1", "3": "8 to 1", "4": "50 to 1"}
TABLES = {"hard_road": {"road": PayTable({name: PayRow(Pays.parse(pays), "house") for name, pays in PAYS.items()})}}


def planted() -> AbstractContextManager[None]:
    """While it is entered the program has both."""
    return registered([HI_LO], ROWS, [HARD_ROAD], TABLES)


def planted_game() -> Game:
    """Craps with both on offer."""
    craps = load("craps")
    offered = change(craps, "bets", str(sorted({*craps.bets, "hi_lo"})))
    return change(offered, "hard_road.on", "true")
