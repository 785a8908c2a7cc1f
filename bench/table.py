"""How long a roll takes at a full table: ten busy seats, bets closed, dice decided and applied, bets opened again.

`.venv/bin/python bench/table.py [--profile]` prints milliseconds per roll, the best of several runs, by game. The
target is 5 ms.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import sys
import time

from stickman.devices.signals import BillStacked
from stickman.rules.settings import GAMES, change, load
from stickman.table import messages as m
from stickman.table.decide import decide
from stickman.table.evolve import evolve_all
from stickman.table.messages import Facts, Request
from stickman.table.state import Table, new_table

TARGET_MS = 5.0
ROLLS, RUNS = 60, 5
SPOTS = [
    "pass", "come", "pass.odds", "place.4", "place.5", "place.6", "place.8", "place.9", "place.10", "buy.4",
    "buy.10", "hard.4", "hard.6", "hard.8", "hard.10", "field", "any_craps", "seven", "c_and_e", "horn.2",
    "horn.12", "hop.2-3", "hop.4-5", "hop.2-2", "lucky_roller.low", "lucky_roller.high", "lucky_roller.all",
    "bonus.small", "bonus.all", "hot_shooter", "make_em_all", "fired_up",
]  # fmt: skip


def asked(table: Table, request: Request | m.Reported, facts: Facts) -> Table:
    """The table after a request; refused, as it was."""
    decision = decide(table, request, facts)
    return evolve_all(table, decision) if isinstance(decision, tuple) else table


def busy(table: Table, facts: Facts) -> Table:
    """Every seat has something on every spot that it may."""
    for seat in table.seats:
        if table.credit(seat.number) < 100_000:
            bill = BillStacked(note=1, cents=1_000_000)
            table = asked(table, m.Reported(seat=seat.number, kind="acceptor", signal=bill), facts)
        for spot in SPOTS:
            if spot not in table.seat(seat.number).felt.wagers:
                table = asked(table, m.PlaceBet(seat=seat.number, spot=spot, cents=100), facts)
                table = asked(table, m.AnswerPopUp(seat=seat.number, accept=True), facts)
    return table


def rolled(table: Table, facts: Facts) -> Table:
    """What is timed: close, roll, open."""
    for request in m.CloseBets(), m.RollDice(), m.OpenBets():
        table = asked(table, request, facts)
    return table


def session(name: str, profile: cProfile.Profile | None = None) -> tuple[float, float]:
    """Milliseconds per roll, and wagers on the table, over a session with the dice of one seed."""
    rng = random.Random(17)  # noqa: S311 - the same dice each time
    game = load(name)
    for side in "lucky_roller", "bonus_craps", "hot_shooter", "make_em_all", "fired_up":
        game = change(game, f"{side}.on", "true")
    table, spent, wagers = new_table(game), 0.0, 0
    for _ in range(ROLLS):
        facts = Facts(dice=(rng.randint(1, 6), rng.randint(1, 6)), power={"A": "high"})
        table = busy(table, facts)
        wagers += sum(len(seat.felt.wagers) for seat in table.seats)
        if profile:
            profile.enable()
        start = time.perf_counter()
        table = rolled(table, facts)
        spent += time.perf_counter() - start
        if profile:
            profile.disable()
    return spent / ROLLS * 1000, wagers / ROLLS


def main() -> int:
    """Print a line for each game; 1 if one is over the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", action="store_true", help="show where the time goes, in the first game")
    slow = False
    if parser.parse_args().profile:
        profile = cProfile.Profile()
        session(GAMES[0], profile)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
    for name in GAMES:
        best, wagers = min(session(name) for _ in range(RUNS))
        print(f"{name:14} {best:6.2f} ms per roll, {wagers:.0f} wagers on the table")  # noqa: T201 - its purpose
        slow = slow or best > TARGET_MS
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
