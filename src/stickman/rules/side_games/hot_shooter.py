"""Hot Shooter Jackpot: how many rolls a hand lasts (STW; RTW 6.3, 7.2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated

from msgspec import Meta

from stickman.rules.machine import LOSES, Bet, Drawn, Machine, Opens, Outcome, State, moves, row, wins
from stickman.rules.paytable import PayTable
from stickman.rules.schema import FreeStake
from stickman.rules.side_games.kind import SideGame, leading, side_bet


class HotShooter(FreeStake, frozen=True, kw_only=True):
    paytable: Annotated[str, Meta(description="Its pay table.")] = "HSJ-50"
    qualifying_cents: Annotated[
        int, Meta(ge=0, le=10**11, description="Main-game money that must be on the felt to bet it; 0 for none.")
    ] = 0


def bets(settings: HotShooter, table: PayTable) -> Iterator[Bet]:
    yield side_bet(
        settings,
        "hot_shooter",
        "Hot Shooter Jackpot",
        rolls_of_a_hand(tuple(table.rows)),
        "STW Hot Shooter Jackpot; RTW 7.2; RULES 15.5",
        drawn=Drawn(word="bet"),
        order=40,
        opens=Opens.HAND_START,
        needs_main_cents=settings.qualifying_cents,
        needs_puck=True,
        climbs=True,
    )


@lru_cache
def rolls_of_a_hand(rows: tuple[str, ...]) -> Machine:
    """Paid at the seven-out by the number of rolls of the hand, including the seven-out: by the highest row that
    was reached. The top row is paid at once (RULES 15.5, ruling 20). The state is the count so far. The bet reads
    the puck, because a seven-out is a 7 with the puck on."""
    pays_from = {leading(name): name for name in rows}
    top = max(pays_from)

    def seven_out(count: int) -> Outcome:
        reached = [rolls for rolls in pays_from if rolls <= count]
        return wins(f"hot_shooter.{pays_from[max(reached)]}") if reached else LOSES

    states = {}
    for count in range(1, top):
        goes_on = moves(str(count))
        point_on = row(seven_out(count).on(7), otherwise=goes_on)
        states[str(count - 1)] = State(row(otherwise=goes_on), point_on=point_on, count=count - 1)
    states[str(top - 1)] = State(row(otherwise=seven_out(top)), count=top - 1)
    return Machine(("0",), states)


GAME = SideGame("hot_shooter", "Hot Shooter Jackpot", HotShooter(), bets)
