"""Lucky Roller: every total of a set before a 7 (STW "Lucky Roller"; IB 6.2). Its three bets are independent."""

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


class LuckyRoller(FreeStake, frozen=True, kw_only=True):
    """Lucky Roller (STW; IB 6.2)."""

    bets: Annotated[
        frozenset[Literal["low", "high", "all"]], Meta(description="Bets of it that the game offers.")
    ] = frozenset(("low", "high", "all"))
    paytable: Annotated[str, Meta(description="Its pay table.")] = "80%"
    when: When = "after_seven"


def bets(settings: LuckyRoller, table: PayTable) -> Iterator[Bet]:
    """Low Rolls, High Rolls, Roll 'Em All."""
    del table
    sets = ("low", "Low Rolls", LOW), ("high", "High Rolls", HIGH), ("all", "Roll 'Em All", TEN_POINTS)
    for part, title, totals in sets:
        bet = f"lucky_roller.{part}"
        yield side_bet(
            settings,
            bet,
            f"Lucky Roller {title}",
            every_total(bet, totals),
            "STW Lucky Roller; IB 6.2",
            family="lucky_roller",
            drawn=Drawn(word=f"set_{part}", flashes_puck=True),
            order=10,
            opens=opens(settings.when),
            collects=totals,
        )


GAME = SideGame("lucky_roller", "Lucky Roller", LuckyRoller(), bets)
