"""Bonus Craps: every total of a set before a 7 (BC4 and BC3 "Rules of play"). Its three bets are independent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from stickman.rules.dice import HIGH, LOW, TEN_POINTS
from stickman.rules.machine import Bet, Drawn
from stickman.rules.paytable import PayTable
from stickman.rules.schema import FreeStake, When
from stickman.rules.side_games.kind import SideGame
from stickman.rules.side_games.sets import set_bet


class BonusCraps(FreeStake, frozen=True, kw_only=True):
    bets: Annotated[
        frozenset[Literal["small", "tall", "all"]], Meta(description="Bets of it that the game offers.")
    ] = frozenset(("small", "tall", "all"))
    paytable: Annotated[str, Meta(description="Its pay table.")] = "BC-04"
    when: When = "after_seven"


def bets(settings: BonusCraps, _: PayTable) -> Iterator[Bet]:
    """All Small, All Tall, Make 'Em All. They open again once their set is complete (ruling 22)."""
    sets = ("small", "All Small", LOW), ("tall", "All Tall", HIGH), ("all", "Make 'Em All", TEN_POINTS)
    for part, title, totals in sets:
        more = {"family": "bonus_craps", "part": part, "drawn": Drawn(word=f"set_{part}"), "order": 20}
        bet, complete = f"bonus.{part}", frozenset(totals)
        name, source = f"Bonus Craps {title}", f"BC4 {title}"
        yield set_bet(settings, bet, name, totals, source, reopens=complete, **more)


GAME = SideGame("bonus_craps", "Bonus Craps", BonusCraps(), bets, slots="bonus")
