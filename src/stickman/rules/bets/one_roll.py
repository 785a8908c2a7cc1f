"""Bets on the very next roll (STW "Field", "C" to "Hop bets"; IB 2.7, 2.9, "Hard ways and hop bets"; RTW 7.1):
whatever does not win loses. Winners stay up where the game lets them."""

from __future__ import annotations

import itertools
from dataclasses import replace

from stickman.rules.dice import hop
from stickman.rules.machine import LOSES, Bet, Machine, Rule, State, row, wins

CRAPS = (2, 3, 12)
HORN = {2: "Snake Eyes", 3: "Ace-Deuce", 11: "Yo", 12: "Boxcars"}
ON_THE_HORN = {(1, 1), (1, 2), (5, 6), (6, 6)}


def bets(*, all_hops: bool) -> list[Bet]:
    """Every one-roll bet; the pairs that lie on the Horn hop only where a game offers all 21 (RULES 2)."""
    return [
        field(),
        _bet("low_field", "Low Field", [_win(f"low_field.{t}", t) for t in (2, 3, 4)], "IB 2.7.1"),
        _bet("high_field", "High Field", [_win(f"high_field.{t}", t) for t in (10, 11, 12)], "IB 2.7.1"),
        _bet("c", "C (craps)", [_win("c", *CRAPS)], "STW C; IB 2.9"),
        _bet("e", "E (eleven)", [_win("e", 11)], "STW E; IB 2.9"),
        c_and_e(),
        _bet("seven", "Seven", [_win("seven", 7)], "STW Any Seven; IB Seven"),
        _bet("any_craps", "Any Craps", [_win("any_craps", *CRAPS)], "STW Any Craps; IB Any Craps"),
        horn(),
        *(
            _bet(f"horn.{t}", f"Horn {t} ({name})", [_win(f"horn.{t}", t)], "STW Horn Bet", "horn", t)
            for t, name in HORN.items()
        ),
        *(
            hopping(low, high)
            for low, high in itertools.combinations_with_replacement(range(1, 7), 2)
            if all_hops or (low, high) not in ON_THE_HORN
        ),
    ]


def field() -> Bet:
    """Wins on 2, 3, 4, 9, 10, 11, 12; the pay table says which of them pay more."""
    return _bet("field", "Field", [_win(f"field.{t}", t) for t in (2, 3, 4, 9, 10, 11, 12)], "STW Field; IB 2.7")


def c_and_e() -> Bet:
    """Wins on any craps, and more on eleven."""
    craps, eleven = _win("c_and_e.craps", *CRAPS), _win("c_and_e.eleven", 11)
    return _bet("c_and_e", "C & E", [craps, eleven], "STW C&E; IB 2.9")


def horn() -> Bet:
    """A quarter of the stake on each of 2, 3, 11 and 12: one wins, three lose (ruling 7)."""
    quarters = [wins(f"horn.{t}", len(HORN), stays_up=True).on(t) for t in HORN]
    bet = _bet("horn", "Horn", quarters, "STW Horn Bet; IB Horn bets; ruling 7", "horn")
    return replace(bet, parts=len(HORN))


def hopping(low: int, high: int) -> Bet:
    """Wins on exactly that pair of faces."""
    slot = "hop.hard" if low == high else "hop.easy"
    win = wins(slot, stays_up=True).on(hop(low, high))
    return _bet(f"hop.{low}-{high}", f"Hop {low}-{high}", [win], "STW Hop Bets; IB Hop bets", "hop")


def _win(slot: str, *totals: int) -> Rule:
    return wins(slot, stays_up=True).on(*totals)


def _bet(bet: str, title: str, winning: list[Rule], source: str, family: str = "", number: int = 0) -> Bet:
    machine = Machine(("up",), {"up": State(row(*winning, otherwise=LOSES))})
    return Bet(bet, title, machine, source, family or bet, number, one_roll=True)
