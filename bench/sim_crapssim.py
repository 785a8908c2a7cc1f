"""The peer of bench/sim.py: a strategy's name and dice on standard input, seconds and money on standard output."""

import json
import sys
import time
from typing import Any

from crapssim.bet import Come  # type: ignore[import-not-found]  # not a dependency
from crapssim.strategy.odds import PassLineOddsMultiplier  # type: ignore[import-not-found]  # not a dependency
from crapssim.strategy.single_bet import (  # type: ignore[import-not-found]  # not a dependency
    BetPassLine,
    BetPlace,
    StrategyMode,
)
from crapssim.strategy.tools import AddIfTrue  # type: ignore[import-not-found]  # not a dependency
from crapssim.table import Table  # type: ignore[import-not-found]  # not a dependency

BANKROLL = 2**40


def wants_come(player: Any) -> bool:
    return player.table.point == "On" and not player.get_bets_by_type(Come)


def strategy(name: str) -> Any:
    """The strategies of bench/sim.py; by default Place rests on the come-out here too."""
    if name == "pass":
        return BetPassLine(10)
    if name == "pass-odds":
        return BetPassLine(10) + PassLineOddsMultiplier(2)
    places = BetPlace({6: 12, 8: 12}, mode=StrategyMode.ADD_IF_POINT_ON, skip_point=False)
    return BetPassLine(10) + PassLineOddsMultiplier(2) + AddIfTrue(Come(10), wants_come) + places


def play(name: str, dice: list[list[int]]) -> dict[str, float]:
    table = Table()
    table.settings["max_odds"] = dict.fromkeys((4, 5, 6, 8, 9, 10), 2)
    player = table.add_player(BANKROLL, strategy(name))
    started = time.process_time()
    table.fixed_run(dice)
    seconds = time.process_time() - started
    net = player.bankroll + sum(bet.amount for bet in player.bets) - BANKROLL
    return {"seconds": seconds, "net_cents": round(net * 100)}


if __name__ == "__main__":
    wanted, rolled = json.load(sys.stdin)
    play(wanted, rolled[:1000])
    sys.stdout.write(json.dumps(play(wanted, rolled)))
