"""The peer of bench/felt.py: dice on standard input, seconds and money on standard output. Needs crapssim alone."""

import json
import sys
import time
from importlib.metadata import version

from crapssim.strategy.odds import PassLineOddsMultiplier  # type: ignore[import-not-found]  # not a dependency
from crapssim.strategy.single_bet import (  # type: ignore[import-not-found]  # not a dependency
    BetCome,
    BetPassLine,
    BetPlace,
    StrategyMode,
)
from crapssim.table import Table  # type: ignore[import-not-found]  # not a dependency

BANKROLL = 2**40


def play(dice: list[list[int]]) -> dict[str, float]:
    """The bets of bench/felt.py as strategies; by default Place rests on the come-out here too."""
    table = Table()
    table.settings["max_odds"] = dict.fromkeys((4, 5, 6, 8, 9, 10), 2)
    places = BetPlace({6: 12, 8: 12}, mode=StrategyMode.ADD_IF_POINT_ON, skip_point=False)
    player = table.add_player(BANKROLL, BetPassLine(10) + PassLineOddsMultiplier(2) + BetCome(10) + places)
    started = time.process_time()
    table.fixed_run(dice)
    seconds = time.process_time() - started
    net = player.bankroll + sum(bet.amount for bet in player.bets) - BANKROLL
    return {"seconds": seconds, "net_cents": round(net * 100)}


if __name__ == "__main__":
    rolled = json.load(sys.stdin)
    play(rolled[:1000])
    sys.stdout.write(json.dumps({**play(rolled), "version": version("crapssim")}))
