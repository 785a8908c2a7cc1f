"""Pass and Come, Don't Pass and Don't Come (IB 2.2-2.5; STW "Pass Line" to "Don't Come"; RTW 7.1)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from stickman.rules.bets.shape import Shape
from stickman.rules.dice import SIX_POINTS
from stickman.rules.machine import LOSES, PUSHES, Bet, Drawn, Machine, Opens, Rule, State, moves, row, wins

OPPOSED = {"pass": "dont_pass", "dont_pass": "pass", "come": "dont_come", "dont_come": "come"}
"""A wager on one excludes the other (RULES 3)."""


def bets(shape: Shape) -> list[Bet]:
    """Pass and Come; if the game has the six points, also Don't Pass and Don't Come (IB 1.3)."""
    points = shape.points
    line: dict[str, Any] = {"opens": Opens.COME_OUT, "is_line": True, "needs_puck": True}
    opens = Opens.SINCE_POINT if shape.come_since_point else Opens.POINT_ON
    box: dict[str, Any] = {"opens": opens, "needs_puck": True}

    def bet(name: str, title: str, machine: Machine, source: str, drawn: Drawn, **more: Any) -> Bet:
        against = frozenset((OPPOSED[name],))
        return Bet(name, title, machine, source, name, drawn=drawn, excluded_by=against, **more)

    pass_drawn = Drawn("pass_line", "pass_line", role="line", easy=True, beginner=1)
    come_drawn = Drawn("come_box", "come", tone="coral")
    come_source = "STW Come; IB 2.4; RULES 15.12"
    found = [
        bet("pass", "Pass", pass_line(points), "STW Pass Line; IB 2.2", pass_drawn, contract="point", **line),
        bet("come", "Come", come(points), come_source, come_drawn, contract="point", shoots_at_point=True, **box),
    ]
    if not shape.has_dont:
        return found
    lowers = "point" if shape.dont_pass_locked else "lower_only"
    dont_line = line | {"contract": lowers, "banned_once_lowered": True}
    dont_box = box | {"contract": "lower_only"}
    line_drawn = Drawn("dont_pass_bar", "dont_pass", (6, 6))
    box_drawn = Drawn("dont_come_box", "dont_come", (6, 6))
    return [
        *found,
        bet("dont_pass", "Don't Pass", dont("dont_pass"), "STW Don't Pass Line; IB 2.3", line_drawn, **dont_line),
        bet("dont_come", "Don't Come", dont("dont_come"), "STW Don't Come; RULES 15.2", box_drawn, **dont_box),
    ]


@lru_cache
def pass_line(points: tuple[int, ...]) -> Machine:
    """The first roll wins with 7 or 11 and loses with 2, 3 or 12, unless that total is a point. Any other
    total becomes the wager's point, which must roll again before a 7. A winner stays up until it loses."""
    win = wins("pass", stays_up=True)
    first = row(win.on(7, *natural(points)), LOSES.on(*craps(points)), *sets_point(points))
    return Machine(
        ("come-out",),
        {"come-out": State(first)} | {str(p): State(row(win.on(p), LOSES.on(7)), point=p) for p in points},
    )


@lru_cache
def come(points: tuple[int, ...]) -> Machine:
    """Like Pass, but the wager moves to its own point. Only a win with 11 stays up."""
    first = row(
        wins("come").on(7),
        wins("come", stays_up=True).on(*natural(points)),
        LOSES.on(*craps(points)),
        *sets_point(points),
    )
    there = Drawn("number_come", "come_small")
    return Machine(
        ("box",),
        {"box": State(first)}
        | {
            str(p): State(row(wins("come").on(p), LOSES.on(7)), spot=f"come.{p}", drawn=there, point=p)
            for p in points
        },
    )


@lru_cache
def dont(bet: str) -> Machine:
    """The first roll wins with 2 or 3, pushes with 12 and loses with 7 or 11; then 7 wins and the point loses. Only
    a win on the first roll stays up."""
    travels = bet == "dont_come"
    first = row(wins(bet, stays_up=True).on(2, 3), PUSHES.on(12), LOSES.on(7, 11), *sets_point(SIX_POINTS))
    start = "box" if travels else "come-out"
    there = Drawn("number_dont_come", "dont_come_small") if travels else None
    return Machine(
        (start,),
        {start: State(first)}
        | {
            str(p): State(
                row(wins(bet).on(7), LOSES.on(p)), spot=f"{bet}.{p}" if travels else "", drawn=there, point=p
            )
            for p in SIX_POINTS
        },
    )


def natural(points: tuple[int, ...]) -> set[int]:
    """11 wins the first roll if it is not a point (7 always wins)."""
    return {11} - set(points)


def craps(points: tuple[int, ...]) -> set[int]:
    """2, 3 and 12 lose the first roll if they are not points."""
    return {2, 3, 12} - set(points)


def sets_point(points: tuple[int, ...]) -> list[Rule]:
    """A rule for each point: the wager moves to the state of that point."""
    return [moves(str(p)).on(p) for p in points]
