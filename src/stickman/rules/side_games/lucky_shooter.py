"""Lucky Shooter: how many other points the shooter rolls before the point (IB 6.1)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated

from msgspec import Meta

from stickman.rules.dice import SIX_POINTS
from stickman.rules.machine import LOSES, Bet, Drawn, Machine, Opens, State, moves, row, wins
from stickman.rules.paytable import PayTable
from stickman.rules.schema import FreeStake
from stickman.rules.side_games.kind import SideGame, leading, named, side_bet


class LuckyShooter(FreeStake, frozen=True, kw_only=True):
    paytable: Annotated[str, Meta(description="Its pay table.")] = "standard"


def bets(settings: LuckyShooter, table: PayTable) -> Iterator[Bet]:
    yield side_bet(
        settings,
        "lucky_shooter",
        "Lucky Shooter",
        points_hit(min(map(leading, table.rows))),
        "IB 6.1; RULES 15.4",
        drawn=Drawn(word="bet"),
        order=30,
        opens=Opens.COME_OUT,
        contract="point",
        needs_puck=True,
        collects=SIX_POINTS,
        climbs=True,
    )


@lru_cache
def points_hit(hits_min: int) -> Machine:
    """Before a point, 7 and 11 change nothing and 2, 3 and 12 lose. The point locks the bet; each other point
    number counts once as a hit. The point again, or 2, 3, 7, 11, 12, ends it: paid if the hits reach the pay
    table's minimum, best if the point follows all five (RULES 15.4, 15.11)."""
    first = row(LOSES.on(2, 3, 12), *(moves(str(p)).on(p) for p in SIX_POINTS))
    states = {"come-out": State(first)}
    for point in SIX_POINTS:
        others = tuple(p for p in SIX_POINTS if p != point)
        for size in range(len(others) + 1):
            ends = wins(f"lucky_shooter.{size}") if size >= hits_min else LOSES
            made = wins("lucky_shooter.5+point") if size == len(others) else ends
            for hit in itertools.combinations(others, size):
                new = [moves(f"{point}: {named((*hit, p))}").on(p) for p in others if p not in hit]
                working = row(made.on(point), ends.on(2, 3, 7, 11, 12), *new)
                name = f"{point}: {named(hit)}" if hit else str(point)
                states[name] = State(working, point=point, hits=hit)
    return Machine(("come-out",), states)


GAME = SideGame("lucky_shooter", "Lucky Shooter", LuckyShooter(), bets, six_points=True)
