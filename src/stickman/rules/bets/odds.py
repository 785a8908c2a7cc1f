"""Four kinds of odds, which back a flat bet that has its point (STW "Odds" to "Don't Come Odds"; IB "Odds bets";
RULES 15.2). Off odds go back when their flat bet is resolved; odds never stay up (ruling 6)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from stickman.rules.bets.shape import Shape
from stickman.rules.dice import SIX_POINTS
from stickman.rules.machine import LOSES, RETURNS, Bet, Drawn, Machine, Opens, State, row, wins

Odds = Callable[[int], State]


def bets(shape: Shape) -> list[Bet]:
    """One bet behind each line, one behind each number of a come bet."""
    front = Drawn("pass_line_odds", "pass_odds", easy=True, beginner=2)
    there = Drawn("number_come_odds", "odds")
    found = [_odds("pass", "Pass odds", take_odds, shape.points, "STW Odds", front)]
    found += [
        _odds("come", "Come odds", take_odds, (p,), "STW Come Odds", there, rests_on_come_out=shape.rests)
        for p in shape.points
    ]
    if shape.has_dont:
        bar, there = Drawn("dont_pass_odds", "dont_pass_odds"), Drawn("number_dont_come_odds", "odds")
        source = "STW Don't Odds; RULES 15.2"
        found.append(_odds("dont_pass", "Don't Pass odds", lay_odds, SIX_POINTS, source, bar))
        found += [
            _odds("dont_come", "Don't Come odds", lay_odds, (p,), "STW Don't Come Odds", there) for p in SIX_POINTS
        ]
    return found


def take_odds(point: int) -> State:
    """Wins on the point, loses on 7."""
    return State(row(wins(f"odds.{point}").on(point), LOSES.on(7)), off=row(RETURNS.on(point, 7)), point=point)


def lay_odds(point: int) -> State:
    """Wins on 7, loses on the point."""
    return State(row(wins(f"lay_odds.{point}").on(7), LOSES.on(point)), off=row(RETURNS.on(point, 7)), point=point)


@lru_cache
def machine(odds: Odds, points: tuple[int, ...]) -> Machine:
    """Odds start in the state of their flat bet's point."""
    states = {str(p): odds(p) for p in points}
    return Machine(tuple(states), states)


def _odds(
    flat: str, title: str, odds: Odds, points: tuple[int, ...], source: str, drawn: Drawn, **more: Any
) -> Bet:
    """Odds behind a line bet at any of its points, or behind a come bet on one number."""
    [number] = points if len(points) == 1 else [0]
    bet, name = (f"{flat}.{number}.odds", f"{title} {number}") if number else (f"{flat}.odds", title)
    declared = {"flat": flat, "opens": Opens.BEHIND_FLAT, "off_able": True, **more}
    return Bet(bet, name, machine(odds, points), source, flat, number, drawn, **declared)
