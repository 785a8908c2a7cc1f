"""A seat's wagers through `stickman.rules.felt`, side by side with the PyPI package crapssim.

One player bets $10 on Pass with 2x odds, $10 on Come whenever a point is on, and $12 on Place 6 and Place 8, by the
rules of shoot-to-win. Both engines get the same dice and must end with the same money. bench/README.md says how to
run it.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stickman.rules import layout as layouts
from stickman.rules.dice import Roll
from stickman.rules.felt import Felt, Hand, Reason, Situation, place, roll
from stickman.rules.settings import load

RUNS = 5
PEER = Path(__file__).with_name("felt_crapssim.py")


class Run(NamedTuple):
    """What one engine did with the dice."""

    seconds: float
    net_cents: int


def throw(rolls: int, seed: int) -> list[Roll]:
    chance = random.Random(seed)  # noqa: S311 - dice of a benchmark
    return [Roll(chance.randint(1, 6), chance.randint(1, 6)) for _ in range(rolls)]


def wants(hand: Hand, felt: Felt) -> Iterator[tuple[str, int]]:
    """The player's bets before a roll."""
    lies = felt.wagers
    if not hand.puck:
        if "pass" not in lies:
            yield "pass", 1000
        return
    if "pass.odds" not in lies:
        yield "pass.odds", 2000
    for spot, cents in (("come", 1000), ("place.6", 1200), ("place.8", 1200)):
        if spot not in lies:
            yield spot, cents


def play(dice: list[Roll]) -> Run:
    """Each bet goes through `place`, hence through the same legality as at the live table."""
    layout = layouts.lay_out(load("shoot-to-win"))
    hand, felt, credit_cents = Hand(), Felt(), 0
    started = time.process_time()
    for one in dice:
        for spot, cents in wants(hand, felt):
            answer = place(Situation(layout, hand, felt), spot, cents)
            assert not isinstance(answer, Reason), f"{spot}: {answer}"
            felt = answer
            credit_cents -= cents
        felt, lines = roll(Situation(layout, hand, felt), one)
        for line in lines:
            credit_cents += line.payment.paid_cents + line.returned_cents
        hand = hand.after(one, layout)
    return Run(time.process_time() - started, credit_cents + felt.money_cents)


def play_peer(python: str, dice: list[Roll]) -> Run:
    """The same dice in a process of the interpreter that has crapssim."""
    done = subprocess.run(  # noqa: S603 - an interpreter the user named, a file of ours
        [python, str(PEER)], input=json.dumps(dice), capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr)
    found = json.loads(done.stdout)
    return Run(found["seconds"], found["net_cents"])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rolls", type=int, default=30_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--python-with-crapssim", help="an interpreter that has crapssim installed")
    chosen = options.parse_args()
    play(throw(1000, 0))
    ours, theirs = [], []
    for number in range(RUNS):  # in turn, so that a busy machine slows both
        dice = throw(chosen.rolls, chosen.seed + number)
        ours.append(play(dice))
        if chosen.python_with_crapssim:
            theirs.append(play_peer(chosen.python_with_crapssim, dice))
    say(f"pass + 2x odds + come + place 6/8, {RUNS} runs of {chosen.rolls:,} rolls; rolls per second of CPU time")
    report("stickman felt", ours, chosen.rolls)
    if theirs:
        report("crapssim", theirs, chosen.rolls)
        ratios = sorted(b.seconds / a.seconds for a, b in zip(ours, theirs, strict=True))
        say(f"  ratio          median {statistics.median(ratios):9.2f}   from {ratios[0]:.2f} to {ratios[-1]:.2f}")
        same = [a.net_cents for a in ours] == [b.net_cents for b in theirs]
        say(f"  money at the end of each run: {'the same in both' if same else 'NOT THE SAME'}")


def report(engine: str, runs: list[Run], rolls: int) -> None:
    rates = [rolls / run.seconds for run in runs]
    say(f"  {engine:<14} median {statistics.median(rates):9,.0f}   from {min(rates):,.0f} to {max(rates):,.0f}")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
