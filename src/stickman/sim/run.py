"""Sessions by the million: played in pieces, in as many threads as there are, and added up exactly.

A session depends on the seed and its number alone, and all that is added up is whole numbers: pieces, threads and
their order change nothing in the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import NamedTuple

import numpy as np

from stickman.rules.layout import Layout
from stickman.sim import kernel
from stickman.sim.dice import SEEDS, session_rolls
from stickman.sim.explore import STATES_MAX, Explorer, Full
from stickman.sim.kernel import Int64s
from stickman.sim.play import Game, session
from stickman.sim.result import Played, Result
from stickman.sim.strategy import Strategy, Terms

PIECE = 1 << 15
"""Sessions to a piece: enough to be worth a thread's while, few enough to see progress."""
SELDOM = 200
"""Asking the felt this often in a piece costs less than a second thread gains."""


class Lab(NamedTuple):
    """What is simulated."""

    layout: Layout
    strategy: Strategy
    terms: Terms
    seed: int
    states_max: int = STATES_MAX


class Player:
    """Plays sessions, by the table where it is known or can be, else on the felt."""

    def __init__(self, lab: Lab, explorer: Explorer | None = None) -> None:
        assert lab.seed in SEEDS
        self.lab = lab
        self.explorer = explorer or Explorer(lab.layout, lab.strategy, lab.states_max)
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        self._words = np.zeros(5, np.uint64)

    def play(self, first: int, last: int) -> Played:
        """Sessions from `first` up to `last`."""
        registers = self._registers
        outcomes = np.zeros((last - first, 5), np.int64)
        on_felt = asked = 0
        registers[kernel.SESSION], registers[kernel.ROLLS] = first, -1
        while registers[kernel.SESSION] < last:
            try:
                why = self._run(last, outcomes[registers[kernel.SESSION] - first :])
                if why != kernel.DONE:
                    asked += 1
                    self._help(why)
            except Full:
                number = int(registers[kernel.SESSION])
                outcomes[number - first] = play_on_felt(self.lab, number)
                registers[kernel.SESSION], registers[kernel.ROLLS] = number + 1, -1
                on_felt += 1
        return Played(outcomes, on_felt, asked)

    def _run(self, last: int, outcomes: Int64s) -> int:
        terms, explorer = self.lab.terms, self.explorer
        start = explorer.start(terms.bankroll_cents)
        money = (terms.bankroll_cents, terms.floor_cents, terms.goal_cents, explorer.thin_cents, terms.rolls_max)
        why: int = kernel.run(
            explorer.table,
            explorer.crossings,
            np.array(money, np.int64),
            np.uint64(self.lab.seed),
            start * kernel.FACES,
            last,
            self._registers,
            self._words,
            outcomes,
        )
        return why

    def _help(self, why: int) -> None:
        """Fill the edge at which the kernel stopped, and put it on a thin state where it now needs one."""
        explorer, registers = self.explorer, self._registers
        state, equity = int(registers[kernel.AT]) // kernel.FACES, int(registers[kernel.EQUITY])
        if why == kernel.WANTS_EDGE:
            explorer.fill(state, int(self._words[4]) * kernel.FACES >> 64)
        if equity < explorer.thin_cents:
            registers[kernel.AT] = explorer.cross(state, equity) * kernel.FACES


def play_on_felt(lab: Lab, number: int) -> tuple[int, int, int, int, int]:
    """One session, alone, on the real felt."""
    return session(Game(lab.layout, lab.strategy), lab.terms, session_rolls(lab.seed, number))


# --- Pieces and threads ---


def pieces(sessions: int) -> Iterator[tuple[int, int]]:
    """The pieces of a run: the first session of each and the one after its last."""
    for first in range(0, sessions, PIECE):
        yield first, min(first + PIECE, sessions)


def simulate(lab: Lab, sessions: int, threads: int = 1, progress: Callable[[int], object] | None = None) -> Result:
    """Play so many sessions. `progress` hears how many more are done."""
    waiting = SimpleQueue[tuple[int, int]]()
    for piece in pieces(sessions):
        waiting.put(piece)

    def work(player: Player, enough: int = -1) -> Result:
        """Play pieces until none waits, or until one hardly had to ask the felt."""
        result, asked = Result(), enough + 1
        with suppress(Empty):
            while asked > enough:
                first, last = waiting.get_nowait()
                played = player.play(first, last)
                result.add(played)
                asked = played.asked
                if progress:
                    progress(last - first)
        result.refusals |= player.explorer.refusals
        return result

    # One thread explores, for the felt is Python and threads would wait for one another; then each gets a copy.
    player = Player(lab)
    whole = work(player, SELDOM if threads > 1 else -1)
    if waiting.empty():
        return whole
    with ThreadPoolExecutor(threads) as pool:
        try:
            for part in [pool.submit(work, Player(lab, player.explorer.copy())) for _ in range(threads)]:
                whole.merge(part.result())
        finally:  # after Ctrl-C too: what waits is not begun
            while not waiting.empty():
                with suppress(Empty):
                    waiting.get_nowait()
    return whole
