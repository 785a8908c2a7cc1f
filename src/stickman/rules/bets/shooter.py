"""Bets on what a shooter does: Hot Shooter Jackpot (STW, RTW 7.2) and Lucky Shooter (IB 6.1)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from stickman.rules.bets.sets import named
from stickman.rules.dice import SIX_POINTS
from stickman.rules.machine import LOSES, Bet, Drawn, Machine, Outcome, State, moves, row, wins


def hot_shooter(pays_from: Mapping[int, str]) -> Bet:
    """Paid at the seven-out by the number of rolls of the hand, the seven-out counted, by the highest of
    `pays_from` that was reached; the top one is paid at once (RULES 15.5, ruling 20). The state is the count
    so far; the bet reads the puck, for a seven-out is a 7 with the puck on."""
    top = max(pays_from)

    def seven_out(count: int) -> Outcome:
        reached = [rolls for rolls in pays_from if rolls <= count]
        return wins(f"hot_shooter.{pays_from[max(reached)]}") if reached else LOSES

    states = {}
    for count in range(1, top):
        goes_on = moves(str(count))
        states[str(count - 1)] = State(
            row(otherwise=goes_on), point_on=row(seven_out(count).on(7), otherwise=goes_on), count=count - 1
        )
    states[str(top - 1)] = State(row(otherwise=seven_out(top)), count=top - 1)
    return Bet(
        "hot_shooter",
        "Hot Shooter Jackpot",
        Machine(("0",), states),
        "STW Hot Shooter Jackpot; RTW 7.2; RULES 15.5",
        "hot_shooter",
        drawn=Drawn("side", "bet", order=40),
        side=True,
        climbs=True,
    )


def lucky_shooter(hits_min: int) -> Bet:
    """Before a point 7 and 11 stay, 2, 3 and 12 lose. The point locks the bet; each other point number rolled
    is a hit, once. The point again, or 2, 3, 7, 11, 12, ends it: paid if the hits reach the pay table's
    minimum, best when all five are followed by the point (RULES 15.4, 15.11)."""
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
                states[f"{point}: {named(hit)}" if hit else str(point)] = State(working, point=point, hits=hit)
    return Bet(
        "lucky_shooter",
        "Lucky Shooter",
        Machine(("come-out",), states),
        "IB 6.1; RULES 15.4",
        "lucky_shooter",
        drawn=Drawn("side", "bet", order=30),
        side=True,
        contract="point",
        collects=SIX_POINTS,
        climbs=True,
    )
