"""Bets that a number comes before a 7, or a 7 before it (STW "Place" to "Lay", "Big 6", "Hardways"; IB 2.6, 2.8,
"Hard ways bets"; RTW 7.1). Winners stay up if the game lets them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from stickman.rules.bets.shape import Shape
from stickman.rules.dice import HIGH, LOW, easy, hard
from stickman.rules.machine import LOSES, Bet, Drawn, Machine, Row, State, row, wins

BEGINNERS = {6: 3, 8: 4, 5: 5, 4: 6}
"""By number: the position of its Place bet in the beginner's list."""


def bets(shape: Shape) -> list[Bet]:
    """The number bets of a game with these points; laying needs the six (IB 1.3)."""

    def many(stem: str, title: str, source: str, drawn: Callable[[int], Drawn], **more: Any) -> list[Bet]:
        declared = {"machine": number_first, "numbers": shape.points, "family": stem, "off_able": True, **more}
        machine, numbers = declared.pop("machine"), declared.pop("numbers")
        against = declared.pop("against", lambda _: ())
        return [
            Bet(
                f"{stem}.{n}",
                f"{title} {n}",
                machine(stem, n),
                source,
                number=n,
                drawn=drawn(n),
                excluded_by=frozenset(against(n)),
                **declared,
            )
            for n in numbers
        ]

    def on_number(*stems: str) -> Callable[[int], list[str]]:
        """Place and Buy exclude Lay and Place to Lose, and vice versa: on the same number, or on any (RULES 3)."""
        return lambda n: [f"{s}.{m}" for s in stems for m in (shape.points if shape.excludes_any_number else (n,))]

    rests = {"rests_on_come_out": shape.rests}
    right = {"against": on_number("lay", "place_to_lose"), "starts_off": True, **rests}
    wrong = {"against": on_number("place", "buy"), "machine": seven_first}
    big = {"numbers": (6, 8), "family": "big_6_8", "off_able": shape.big_6_8_off, **rests}
    other_big = {"against": lambda n: [f"big.{14 - n}"]} if shape.big_either else {}
    hards = {"numbers": (4, 6, 8, 10), "machine": hard_way, "counts_since": True, **rests}
    lay = {"comes_on": shape.lay_comes_on, **wrong}
    found = many("place", "Place", "STW Place; IB 2.6", _place, pressable=True, **right)
    found += many("buy", "Buy", "STW Buy; IB 2.6", lambda _: Drawn("number_buy", "buy"), **right)
    if shape.has_dont:
        found += many("lay", "Lay", "STW Lay; IB 2.6", lambda _: Drawn("number_lay", "lay"), **lay)
        where = Drawn("number_against", "place_to_lose")
        found += many("place_to_lose", "Place to Lose", "STW Place to Lose", lambda _: where, **wrong)
    found += many("big", "Big", "STW Big 6, Big 8; IB 2.8.1", _corner, **big, **other_big)
    found += many("hard", "Hard", "RTW 7.1 Hard Ways; RULES 15.11", _pair, **hards)
    return found + _big_small(shape)


def _place(n: int) -> Drawn:
    return Drawn("number_place", "place", easy=True, beginner=BEGINNERS.get(n, 0))


def _corner(n: int) -> Drawn:
    return Drawn(f"corner_{n}", f"big_{n}", tone="coral")


def _pair(n: int) -> Drawn:
    return Drawn("props_hard", f"hard_{n}", (n // 2, n // 2))


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
def hard_way(bet: str, number: int) -> Machine:
    """Wins on the pair, loses on 7 or the easy way."""
    return only(row(wins(f"{bet}.{number}", stays_up=True).on(hard(number)), LOSES.on(7, easy(number))))


@lru_cache
def side_of_seven(bet: str, totals: tuple[int, ...], *, once: bool) -> Machine:
    """Big and Small: wins on any total of its side, loses on 7 and, as a one-roll bet, on all other totals."""
    win = wins(bet, stays_up=True).on(*totals)
    return only(row(win, otherwise=LOSES) if once else row(win, LOSES.on(7)))


def only(working: Row) -> Machine:
    """A machine of one state."""
    return Machine(("up",), {"up": State(working)})
