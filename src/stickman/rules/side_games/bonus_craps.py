"""Bonus Craps: every total of a set before a 7 (BC4 and BC3 "Rules of play"). Its three bets are independent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from stickman.rules.dice import HIGH, LOW, TEN_POINTS
from stickman.rules.machine import Bet, Drawn
from stickman.rules.paytable import PayTable
from stickman.rules.schema import FreeStake, When
from stickman.rules.side_games.kind import SideGame, opens, side_bet
from stickman.rules.side_games.sets import every_total


class BonusCraps(FreeStake, frozen=True, kw_only=True):
    """Bonus Craps (BC4, BC3)."""

    bets: Annotated[
        frozenset[Literal["small", "tall", "all"]], Meta(description="Bets of it that the game offers.")
    ] = frozenset(("small", "tall", "all"))
    paytable: Annotated[str, Meta(description="Its pay table.")] = "BC-04"
    when: When = "after_seven"


def bets(settings: BonusCraps, table: PayTable) -> Iterator[Bet]:
    """All Small, All Tall, Make 'Em All. They open again once their set is complete (ruling 22)."""
    del table
    sets = ("small", "All Small", LOW), ("tall", "All Tall", HIGH), ("all", "Make 'Em All", TEN_POINTS)
    for part, title, totals in sets:
        bet = f"bonus.{part}"
        yield side_bet(
            settings,
            bet,
            f"Bonus Craps {title}",
            every_total(bet, totals),
            f"BC4 {title}",
            family="bonus_craps",
            drawn=Drawn(word=f"set_{part}"),
            order=20,
            opens=opens(settings.when),
            reopens=frozenset(totals),
            collects=totals,
        )


GAME = SideGame("bonus_craps", "Bonus Craps", BonusCraps(), bets, slots="bonus")
