"""Lucky Roller: every total of a set before a 7 (STW "Lucky Roller"; IB 6.2). Its three bets are independent."""

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


class LuckyRoller(FreeStake, frozen=True, kw_only=True):
    bets: Annotated[
        frozenset[Literal["low", "high", "all"]], Meta(description="Bets of it that the game offers.")
    ] = frozenset(("low", "high", "all"))
    paytable: Annotated[str, Meta(description="Its pay table.")] = "80%"
    when: When = "after_seven"


def bets(settings: LuckyRoller, _: PayTable) -> Iterator[Bet]:
    """Low Rolls, High Rolls, Roll 'Em All."""
    sets = ("low", "Low Rolls", LOW), ("high", "High Rolls", HIGH), ("all", "Roll 'Em All", TEN_POINTS)
    for part, title, totals in sets:
        drawn = Drawn(word=f"set_{part}", flashes_puck=True)
        more = {"family": "lucky_roller", "part": part, "drawn": drawn, "order": 10}
        bet, source = f"lucky_roller.{part}", "STW Lucky Roller; IB 6.2"
        yield set_bet(settings, bet, f"Lucky Roller {title}", totals, source, **more)


GAME = SideGame("lucky_roller", "Lucky Roller", LuckyRoller(), bets)
