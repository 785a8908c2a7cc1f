"""Odds of four kinds, which back a flat bet that has its point (STW "Odds" to "Don't Come Odds"; IB "Odds bets";
RULES 15.2). Off odds go back when their flat bet is resolved; odds never stay up (ruling 6)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from stickman.rules.bets.shape import Shape
from stickman.rules.dice import SIX_POINTS
from stickman.rules.machine import LOSES, RETURNS, Bet, Drawn, Machine, Opens, State, row, wins


def bets(shape: Shape) -> list[Bet]:
    """One bet behind each line, one behind each number a come bet may travel to."""
    points = shape.points
    on_line = Drawn("pass_line_odds", "pass_odds", easy=True, beginner=2)
    found = [_odds("pass", "Pass odds", machine(take_odds, points), "STW Odds", on_line)]
    found += [
        _odds(
            "come",
            "Come odds",
            machine(take_odds, (p,)),
            "STW Come Odds",
            Drawn("number_come_odds", "odds"),
            p,
            rests=shape.rests,
        )
        for p in points
    ]
    if not shape.has_dont:
        return found
    on_bar = Drawn("dont_pass_odds", "dont_pass_odds")
    found.append(
        _odds("dont_pass", "Don't Pass odds", machine(lay_odds, SIX_POINTS), "STW Don't Odds; RULES 15.2", on_bar)
    )
    return found + [
        _odds(
            "dont_come",
            "Don't Come odds",
            machine(lay_odds, (p,)),
            "STW Don't Come Odds",
            Drawn("number_dont_come_odds", "odds"),
            p,
        )
        for p in points
    ]


def take_odds(point: int) -> State:
    """Wins on the point, loses on 7."""
    return State(row(wins(f"odds.{point}").on(point), LOSES.on(7)), off=row(RETURNS.on(point, 7)), point=point)


def lay_odds(point: int) -> State:
    """Wins on 7, loses on the point."""
    return State(row(wins(f"lay_odds.{point}").on(7), LOSES.on(point)), off=row(RETURNS.on(point, 7)), point=point)


@lru_cache
def machine(odds: Callable[[int], State], points: tuple[int, ...]) -> Machine:
    """Odds start in the state of their flat bet's point."""
    states = {str(p): odds(p) for p in points}
    return Machine(tuple(states), states)


def _odds(  # noqa: PLR0913 - what differs between the four kinds
    flat: str, title: str, machine: Machine, source: str, drawn: Drawn, number: int = 0, *, rests: bool = False
) -> Bet:
    return Bet(
        f"{flat}.{number}.odds" if number else f"{flat}.odds",
        f"{title} {number}" if number else title,
        machine,
        source,
        flat,
        number,
        drawn,
        flat=flat,
        opens=Opens.BEHIND_FLAT,
        off_able=True,
        rests_on_come_out=rests,
    )
