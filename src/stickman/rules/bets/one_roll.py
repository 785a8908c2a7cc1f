"""Bets on the very next roll (STW "Field", "C" to "Hop bets"; IB 2.7, 2.9, "Hard ways and hop bets"; RTW 7.1):
every roll that does not win loses. Winners stay up if the game lets them."""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import Any

from stickman.rules.dice import hop
from stickman.rules.machine import LOSES, Bet, Drawn, Machine, Rule, State, row, wins

CRAPS = (2, 3, 12)
HORN = {2: "Snake Eyes", 3: "Ace-Deuce", 11: "Yo", 12: "Boxcars"}
ON_THE_HORN = {2: (1, 1), 3: (1, 2), 11: (5, 6), 12: (6, 6)}
SMALL, WIDE = "props_small", "props_wide"


@lru_cache
def bets(*, all_hops: bool) -> tuple[Bet, ...]:
    """Every one-roll bet. Hops on the pairs of the Horn are offered only with all 21 (RULES 2)."""
    return (
        field(),
        one_roll(
            "low_field", "Low Field", [_win(f"low_field.{t}", t) for t in (2, 3, 4)], "IB 2.7.1", "field_left"
        ),
        one_roll(
            "high_field",
            "High Field",
            [_win(f"high_field.{t}", t) for t in (10, 11, 12)],
            "IB 2.7.1",
            "field_right",
        ),
        one_roll("c", "C (craps)", [_win("c", *CRAPS)], "STW C; IB 2.9", SMALL),
        one_roll("e", "E (eleven)", [_win("e", 11)], "STW E; IB 2.9", SMALL),
        c_and_e(),
        one_roll(
            "seven", "Seven", [_win("seven", 7)], "STW Any Seven; IB Seven", Drawn(WIDE, "seven", tone="coral")
        ),
        one_roll("any_craps", "Any Craps", [_win("any_craps", *CRAPS)], "STW Any Craps; IB Any Craps", WIDE),
        horn(),
        *(_on_horn(total, name) for total, name in HORN.items()),
        *(
            hopping(low, high)
            for low, high in itertools.combinations_with_replacement(range(1, 7), 2)
            if all_hops or (low, high) not in ON_THE_HORN.values()
        ),
    )


def field() -> Bet:
    """Wins on 2, 3, 4, 9, 10, 11, 12, of which some pay more."""
    totals = (2, 3, 4, 9, 10, 11, 12)
    winning = [_win(f"field.{t}", t) for t in totals]
    drawn = Drawn("field_strip", "field", easy=True, beginner=7)
    return one_roll("field", "Field", winning, "STW Field; IB 2.7", drawn, collects=totals)


def c_and_e() -> Bet:
    """Wins on any craps, and more on eleven."""
    craps, eleven = _win("c_and_e.craps", *CRAPS), _win("c_and_e.eleven", 11)
    return one_roll("c_and_e", "C & E", [craps, eleven], "STW C&E; IB 2.9", SMALL)


def horn() -> Bet:
    """A quarter of the stake on each of 2, 3, 11 and 12: one wins, three lose (ruling 7)."""
    quarters = [wins(f"horn.{t}", len(HORN), stays_up=True).on(t) for t in HORN]
    return one_roll("horn", "Horn", quarters, "STW Horn Bet; IB Horn bets; ruling 7", SMALL, parts=len(HORN))


def _on_horn(total: int, name: str) -> Bet:
    bet, drawn = f"horn.{total}", Drawn("props_dice", f"horn_{total}", ON_THE_HORN[total])
    title = f"Horn {total} ({name})"
    return one_roll(bet, title, [_win(bet, total)], "STW Horn Bet", drawn, family="horn", number=total)


def hopping(low: int, high: int) -> Bet:
    """Wins on exactly these two faces."""
    win = wins("hop.hard" if low == high else "hop.easy", stays_up=True).on(hop(low, high))
    bet, drawn = f"{low}-{high}", Drawn("hops", "", (low, high))
    return one_roll(f"hop.{bet}", f"Hop {bet}", [win], "STW Hop Bets; IB Hop bets", drawn, family="hop")


def _win(slot: str, *totals: int) -> Rule:
    return wins(slot, stays_up=True).on(*totals)


def one_roll(bet: str, title: str, winning: list[Rule], source: str, where: str | Drawn, **more: Any) -> Bet:
    """A bet that wins or loses on the next roll; `where` is its zone, or all that is printed there."""
    drawn = Drawn(where, bet) if isinstance(where, str) else where
    machine = Machine(("up",), {"up": State(row(*winning, otherwise=LOSES))})
    return Bet(bet, title, machine, source, drawn=drawn, one_roll=True, **{"family": bet, **more})
