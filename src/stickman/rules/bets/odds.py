"""Odds of four kinds, which back a flat bet that has its point (STW "Odds" to "Don't Come Odds"; IB "Odds bets";
RULES 15.2). Off odds go back when their flat bet is resolved; odds never stay up (ruling 6)."""

from __future__ import annotations

from collections.abc import Mapping

from stickman.rules.dice import SIX_POINTS
from stickman.rules.machine import LOSES, RETURNS, Bet, Machine, State, row, wins


def bets(points: tuple[int, ...]) -> list[Bet]:
    """One bet behind each line, one behind each number a come bet may travel to."""
    take = {str(p): take_odds(p) for p in points}
    lay = {str(p): lay_odds(p) for p in SIX_POINTS}
    found = [
        _bet("pass.odds", "Pass odds", take, "STW Odds"),
        *(_bet(f"come.{p}.odds", f"Come odds {p}", _only(p, take), "STW Come Odds") for p in points),
    ]
    if points == SIX_POINTS:
        found += [
            _bet("dont_pass.odds", "Don't Pass odds", lay, "STW Don't Odds; RULES 15.2"),
            *(
                _bet(f"dont_come.{p}.odds", f"Don't Come odds {p}", _only(p, lay), "STW Don't Come Odds")
                for p in points
            ),
        ]
    return found


def take_odds(point: int) -> State:
    """Wins on the point, loses on 7."""
    return State(row(wins(f"odds.{point}").on(point), LOSES.on(7)), off=row(RETURNS.on(point, 7)))


def lay_odds(point: int) -> State:
    """Wins on 7, loses on the point."""
    return State(row(wins(f"lay_odds.{point}").on(7), LOSES.on(point)), off=row(RETURNS.on(point, 7)))


def _only(point: int, states: Mapping[str, State]) -> Mapping[str, State]:
    return {str(point): states[str(point)]}


def _bet(bet: str, title: str, states: Mapping[str, State], source: str) -> Bet:
    """Odds start in the state named like that of their flat bet."""
    flat = bet.split(".", 1)[0]
    number = int(bet.split(".")[1]) if bet.count(".") == 2 else 0
    return Bet(
        bet,
        title,
        Machine(tuple(states), states),
        source,
        flat,
        number,
        flat=flat,
        off_able=True,
        rests_on_come_out=flat == "come",
    )
