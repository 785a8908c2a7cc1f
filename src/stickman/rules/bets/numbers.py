"""Bets that a number comes before a 7, or a 7 before it (STW "Place" to "Lay", "Big 6", "Hardways"; IB 2.6, 2.8,
"Hard ways bets"; RTW 7.1). Winners stay up where the game lets them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from stickman.rules.bets.shape import Shape
from stickman.rules.dice import HIGH, LOW, easy, hard
from stickman.rules.machine import LOSES, Bet, Drawn, Machine, Row, State, row, wins

BEGINNERS = {6: 3, 8: 4, 5: 5, 4: 6}
"""By number, the place of its Place bet in the list of a beginner."""


def bets(shape: Shape) -> list[Bet]:
    """The number bets of a game with these points; laying needs the six (IB 1.3)."""
    points = shape.points
    found = [
        _number(
            "place",
            "Place",
            p,
            number_first("place", p),
            "STW Place; IB 2.6",
            Drawn("number_place", "place", easy=True, beginner=BEGINNERS.get(p, 0)),
            **_against(shape, p, ("lay", "place_to_lose")),
            rests_on_come_out=shape.rests,
            starts_off=True,
            pressable=True,
        )
        for p in points
    ]
    found += [
        _number(
            "buy",
            "Buy",
            p,
            number_first("buy", p),
            "STW Buy; IB 2.6",
            Drawn("number_buy", "buy"),
            **_against(shape, p, ("lay", "place_to_lose")),
            rests_on_come_out=shape.rests,
            starts_off=True,
        )
        for p in points
    ]
    return [*found, *(_laid(shape) if shape.has_dont else ()), *_big(shape), *_hard(shape), *_big_small(shape)]


def _laid(shape: Shape) -> list[Bet]:
    lay = [
        _number(
            "lay",
            "Lay",
            p,
            seven_first("lay", p),
            "STW Lay; IB 2.6",
            Drawn("number_lay", "lay"),
            **_against(shape, p, ("place", "buy")),
            comes_on=shape.lay_comes_on,
        )
        for p in shape.points
    ]
    return lay + [
        _number(
            "place_to_lose",
            "Place to Lose",
            p,
            seven_first("place_to_lose", p),
            "STW Place to Lose",
            Drawn("number_against", "place_to_lose"),
            **_against(shape, p, ("place", "buy")),
        )
        for p in shape.points
    ]


def _against(shape: Shape, number: int, stems: Iterable[str]) -> dict[str, Any]:
    """Place and Buy keep out Lay and Place to Lose, and they them: on one number, or on any (RULES 3)."""
    numbers = shape.points if shape.excludes_any_number else (number,)
    return {"excluded_by": frozenset(f"{stem}.{n}" for stem in stems for n in numbers)}


def _big(shape: Shape) -> list[Bet]:
    return [
        _number(
            "big",
            "Big",
            p,
            number_first("big", p),
            "STW Big 6, Big 8; IB 2.8.1",
            Drawn(f"corner_{p}", f"big_{p}", tone="coral"),
            family="big_6_8",
            excluded_by=frozenset((f"big.{14 - p}",) if shape.big_either else ()),
            off_able=shape.big_6_8_off,
            rests_on_come_out=shape.rests,
        )
        for p in (6, 8)
    ]


def _hard(shape: Shape) -> list[Bet]:
    return [
        _number(
            "hard",
            "Hard",
            n,
            hard_way(n),
            "RTW 7.1 Hard Ways; RULES 15.11",
            Drawn("props_hard", f"hard_{n}", (n // 2, n // 2), counts_since=True),
            rests_on_come_out=shape.rests,
        )
        for n in (4, 6, 8, 10)
    ]


def _big_small(shape: Shape) -> list[Bet]:
    once = shape.big_small_once
    return [
        Bet(
            bet,
            bet.title(),
            side_of_seven(bet, totals, once=once),
            "IB 2.8.2; RULES 15.1",
            "big_small",
            drawn=Drawn(zone, bet),
            one_roll=once,
            excluded_by=frozenset((other,) if shape.big_either else ()),
        )
        for bet, other, totals, zone in (
            ("small", "big", LOW, "big_small_left"),
            ("big", "small", HIGH, "big_small_right"),
        )
    ]


@lru_cache
def number_first(bet: str, number: int) -> Machine:
    """Wins on its number, loses on any 7."""
    return only(row(wins(f"{bet}.{number}", stays_up=True).on(number), LOSES.on(7)))


@lru_cache
def seven_first(bet: str, number: int) -> Machine:
    """Wins on 7, loses on its number."""
    return only(row(wins(f"{bet}.{number}", stays_up=True).on(7), LOSES.on(number)))


@lru_cache
def hard_way(number: int) -> Machine:
    """Wins on the pair, loses on 7 or the easy way; other rolls leave it alone."""
    return only(row(wins(f"hard.{number}", stays_up=True).on(hard(number)), LOSES.on(7, easy(number))))


@lru_cache
def side_of_seven(bet: str, totals: tuple[int, ...], *, once: bool) -> Machine:
    """Big and Small: wins on any total of its side, loses on 7, and, read as a single roll, on all others."""
    win = wins(bet, stays_up=True).on(*totals)
    return only(row(win, otherwise=LOSES) if once else row(win, LOSES.on(7)))


def only(working: Row) -> Machine:
    """A machine of one state."""
    return Machine(("up",), {"up": State(working)})


def _number(stem: str, title: str, number: int, machine: Machine, source: str, drawn: Drawn, **more: Any) -> Bet:
    declared = {"family": stem, "off_able": True, **more}
    return Bet(f"{stem}.{number}", f"{title} {number}", machine, source, number=number, drawn=drawn, **declared)
