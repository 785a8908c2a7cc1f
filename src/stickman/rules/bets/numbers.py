"""Bets that a number comes before a 7, or a 7 before it (STW "Place" to "Lay", "Big 6", "Hardways"; IB 2.6, 2.8,
"Hard ways bets"; RTW 7.1). Winners stay up where the game lets them."""

from __future__ import annotations

from stickman.rules.dice import HIGH, LOW, SIX_POINTS, easy, hard
from stickman.rules.machine import LOSES, Bet, Machine, Row, State, row, wins


def bets(points: tuple[int, ...], *, big_small: str) -> list[Bet]:
    """The number bets of a game with these points; laying needs the six (IB 1.3)."""
    found = [_bet("place", "Place", p, number_first("place", p), "STW Place; IB 2.6") for p in points]
    found += [_bet("buy", "Buy", p, number_first("buy", p), "STW Buy; IB 2.6") for p in points]
    if points == SIX_POINTS:
        found += [_bet("lay", "Lay", p, seven_first("lay", p), "STW Lay; IB 2.6") for p in points]
        found += [
            _bet("place_to_lose", "Place to Lose", p, seven_first("place_to_lose", p), "STW Place to Lose")
            for p in points
        ]
    found += [
        _bet("big", "Big", p, number_first("big", p), "STW Big 6, Big 8; IB 2.8.1", family="big_6_8")
        for p in (6, 8)
    ]
    found += [_bet("hard", "Hard", n, hard_way(n), "RTW 7.1 Hard Ways; RULES 15.11") for n in (4, 6, 8, 10)]
    once = big_small == "single_roll"
    for bet, title, totals in ("small", "Small", LOW), ("big", "Big", HIGH):
        machine = only(side_of_seven(bet, totals, once=once))
        found.append(Bet(bet, title, machine, "IB 2.8.2; RULES 15.1", "big_small", one_roll=once))
    return found


def number_first(bet: str, number: int) -> Row:
    """Wins on its number, loses on any 7."""
    return row(wins(f"{bet}.{number}", stays_up=True).on(number), LOSES.on(7))


def seven_first(bet: str, number: int) -> Row:
    """Wins on 7, loses on its number."""
    return row(wins(f"{bet}.{number}", stays_up=True).on(7), LOSES.on(number))


def hard_way(number: int) -> Row:
    """Wins on the pair, loses on 7 or the easy way; other rolls leave it alone."""
    return row(wins(f"hard.{number}", stays_up=True).on(hard(number)), LOSES.on(7, easy(number)))


def side_of_seven(bet: str, totals: tuple[int, ...], *, once: bool) -> Row:
    """Big and Small: wins on any total of its side, loses on 7, and, read as a single roll, on all others."""
    win = wins(bet, stays_up=True).on(*totals)
    return row(win, otherwise=LOSES) if once else row(win, LOSES.on(7))


def only(working: Row) -> Machine:
    """A machine of one state."""
    return Machine(("up",), {"up": State(working)})


def _bet(stem: str, title: str, number: int, working: Row, source: str, *, family: str = "") -> Bet:
    return Bet(
        f"{stem}.{number}",
        f"{title} {number}",
        only(working),
        source,
        family or stem,
        number,
        off_able=True,
        rests_on_come_out=stem in ("place", "buy", "big", "hard"),
    )
