"""Compiled sessions, side by side with the PyPI package crapssim and with C written by hand.

Three strategies by the rules of shoot-to-win, on the same dice: $10 on Pass; with 2x odds; with one Come wager,
and Place 6 and 8. All engines must end with the same money; ours is timed with a tally of each bet as well.
Then one core and two, an exact session, and a pressing strategy whose states keep growing. bench/README.md says how
to run it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from stickman.rules import layout as layouts
from stickman.rules.settings import load
from stickman.sim.dice import session_rolls
from stickman.sim.exact import exact
from stickman.sim.library import strategy
from stickman.sim.run import Lab, LabPlayer, simulate
from stickman.sim.strategy import Terms

RUNS = 5
ROLLS = 512
SEED = 7
DEEP_CENTS = 10**9
HERE = Path(__file__).parent
WORKLOADS = ("pass", "pass-odds", "busy")
IN_C = {"C": dict(zip(WORKLOADS, range(3), strict=True)), "C, by a table": {"pass": 3}}


class Run(NamedTuple):
    """What one engine did: CPU time, rolls, and the money it came to."""

    seconds: float
    rolls: int
    money: tuple[int, ...]

    @property
    def rate(self) -> float:
        return self.rolls / self.seconds


def lab(name: str, rolls: int = ROLLS) -> Lab:
    """Without a tally of each bet, which the peers do not keep either."""
    plays = strategy(name)
    return Lab(layouts.lay_out(load("shoot-to-win")), plays, Terms(DEEP_CENTS, rolls), SEED, by_bet=False)


def ours(player: LabPlayer, sessions: int) -> Run:
    started = time.thread_time()
    outcomes = player.play(0, sessions).outcomes
    seconds = time.thread_time() - started
    net, drawdown, rolls, handle, _ = outcomes.sum(axis=0).tolist()
    return Run(seconds, rolls, (net, drawdown, handle))


def in_c(program: Path, number: int, sessions: int) -> Run:
    words = [str(program), str(number), str(SEED), str(sessions), str(ROLLS)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)  # noqa: S603 - compiled here
    seconds, rolls, *money = done.stdout.split()
    return Run(float(seconds), int(rolls), tuple(map(int, money)))


def in_crapssim(python: str, name: str, rolls: int) -> Run:
    """One long session on our dice."""
    dice = list(islice(session_rolls(SEED, 0), rolls))
    done = subprocess.run(  # noqa: S603 - an interpreter the user named, a file of ours
        [python, str(HERE / "sim_crapssim.py")],
        input=json.dumps((name, dice)),
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    return Run(found["seconds"], rolls, (found["net_cents"],))


def compare(name: str, program: Path, chosen: argparse.Namespace) -> None:
    """One strategy in all engines, in turn, so that a busy machine slows all."""
    player, tallies = LabPlayer(lab(name)), LabPlayer(lab(name)._replace(by_bet=True))
    started = time.thread_time()
    player.play(0, chosen.sessions)
    first = time.thread_time() - started
    tallies.play(0, chosen.sessions // 10)
    runs: dict[str, list[Run]] = {}
    for _ in range(RUNS):
        mine = ours(player, chosen.sessions)
        runs.setdefault("stickman", []).append(mine)
        runs.setdefault("with a tally", []).append(ours(tallies, chosen.sessions // 10))
        for engine, numbers in IN_C.items():
            if name in numbers:
                theirs = in_c(program, numbers[name], chosen.sessions)
                assert theirs.money == mine.money, f"{engine} came to {theirs.money}, stickman to {mine.money}"
                runs.setdefault(engine, []).append(theirs)
    if chosen.python_with_crapssim:
        runs["crapssim"] = [in_crapssim(chosen.python_with_crapssim, name, chosen.peer_rolls) for _ in range(3)]
        alone = LabPlayer(lab(name, chosen.peer_rolls)).play(0, 1).outcomes[0, 0]
        assert runs["crapssim"][0].money == (alone,), f"crapssim came to {runs['crapssim'][0].money}, we to {alone}"
    rates = {engine: statistics.median(run.rate for run in each) for engine, each in runs.items()}
    say(f"{name}: {len(player.explorer)} states; the first run, exploring, took {first:.2f} s")
    for engine, rate in rates.items():
        spread = sorted(run.rate for run in runs[engine])
        ratio = f"   stickman is {rates['stickman'] / rate:,.2f} times as fast" if engine != "stickman" else ""
        say(f"  {engine:<14} {rate:14,.0f}   from {spread[0]:,.0f} to {spread[-1]:,.0f}{ratio}")


def press(sessions: int) -> None:
    """A strategy with more states than a table holds, from nothing."""
    started = time.process_time()
    result = simulate(lab("power-press"), sessions)
    seconds = time.process_time() - started
    say(f"power-press, exploring and all: {result.rolls_total / seconds:,.0f} rolls a second")
    say(f"  {result.on_felt:,} of {sessions:,} sessions were played on the felt")


def on_cores(name: str, sessions: int) -> None:
    """A strategy on one core and on two, in turn, from nothing: time on the wall and of the processor."""
    runs: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    for _ in range(3):
        for threads, found in runs.items():
            wall, cpu = time.perf_counter(), time.process_time()
            result = simulate(lab(name), sessions, threads)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            found.append((result.rolls_total / wall, result.rolls_total / cpu))
    for threads, found in runs.items():
        wall, cpu = (statistics.median(column) for column in zip(*found, strict=True))
        say(
            f"{name}, {threads} cores, {sessions:,} sessions: {wall:,.0f} rolls a second, {cpu:,.0f} of each core's"
        )
    one, two = (statistics.median(wall for wall, _ in found) for found in runs.values())
    say(f"  two cores are {two / one:.2f} times as fast as one")


def solve() -> None:
    terms = Terms(100_000, ROLLS, stop_loss_cents=50_000, win_goal_cents=50_000)
    exact(lab("pass"))  # compiles
    started = time.process_time()
    answer = exact(lab("busy")._replace(terms=terms))
    say(f"busy, exact, to -$500 or +$500 in {ROLLS} rolls: {time.process_time() - started:.2f} s")
    say(f"  mean {answer.mean_cents / 100:.6f}, standard deviation {answer.sd_cents / 100:.6f}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sessions", type=int, default=100_000)
    options.add_argument("--peer-rolls", type=int, default=20_000)
    options.add_argument("--press-sessions", type=int, default=2_000)
    options.add_argument("--python-with-crapssim", help="an interpreter that has crapssim installed")
    chosen = options.parse_args()
    say(f"Median of {RUNS} runs of {chosen.sessions:,} sessions of {ROLLS} rolls; rolls per second of CPU time")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "sim_hand"
        compiler = ["gcc", "-O3", "-march=native", "-o", str(program), str(HERE / "sim_hand.c")]
        subprocess.run(compiler, check=True)  # noqa: S603 - a file of ours
        for name in WORKLOADS:
            compare(name, program, chosen)
    for name in WORKLOADS:
        on_cores(name, 50 * chosen.sessions)
    solve()
    press(chosen.press_sessions)


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
