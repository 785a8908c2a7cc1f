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
from stickman.sim.dice import SEEDS, session_power, session_rolls
from stickman.sim.explore import STATES_MAX, Explorer, Full
from stickman.sim.kernel import Int64s
from stickman.sim.ledger import Ledger, Piece
from stickman.sim.play import Game, Outcome, Tally, session
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
    by_bet: bool = True
    """Whether each bet is tallied by itself, which takes some time."""


class Player:
    """Plays sessions, by the table where it is known or can be, else on the felt."""

    def __init__(self, lab: Lab, explorer: Explorer | None = None) -> None:
        assert lab.seed in SEEDS
        self.lab = lab
        self.explorer = explorer or Explorer(lab.layout, lab.strategy, lab.states_max)
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        self._words = np.zeros(5, np.uint64)
        self._lanes = np.zeros(kernel.LANE_MONEY, np.int64), np.zeros(kernel.LANE_WORDS, np.uint64)

    def play(self, first: int, last: int) -> Played:
        """Sessions from `first` up to `last`."""
        registers = self._registers
        outcomes = np.zeros((last - first, 5), np.int64)
        self._sums = np.zeros((last - first, len(self.explorer.bets), 3), np.int64)
        on_felt = asked = 0
        registers[kernel.SESSION], registers[kernel.ROLLS] = first, -1
        registers[kernel.GROUP] = kernel.NO_GROUP
        while registers[kernel.SESSION] < last:
            try:
                why = self._run(first, last, outcomes)
                if why != kernel.DONE:
                    asked += 1
                    self._help(why)
            except Full:
                number = int(registers[kernel.SESSION])
                outcomes[number - first] = self._play_on_felt(number, number - first)
                registers[kernel.SESSION], registers[kernel.ROLLS] = number + 1, -1
                on_felt += 1
        return Played(outcomes, on_felt, asked, tuple(self.explorer.bets), self._sums)

    def _run(self, first: int, last: int, outcomes: Int64s) -> int:
        terms, explorer = self.lab.terms, self.explorer
        start = explorer.start(terms.bankroll_cents)
        money = (terms.bankroll_cents, terms.floor_cents, terms.goal_cents, explorer.thin_cents, terms.rolls_max)
        numbers = 2 * self.lab.layout.game.power_odds.one_in
        done = self._registers[kernel.SESSION] - first
        self._widen_sums()
        tally = kernel.Tally(explorer.runs, explorer.scores, explorer.follows, self._sums[done:])
        why: int = kernel.run(
            explorer.table,
            explorer.crossings,
            np.array((*money, numbers, *explorer.most()), np.int64),
            np.uint64(self.lab.seed),
            start * kernel.FACES,
            last,
            self._registers,
            self._words,
            outcomes[done:],
            tally if self.lab.by_bet else None,
            kernel.Track(explorer.pairs, explorer.unit_cents or 1, *self._lanes),
        )
        return why

    def _widen_sums(self) -> None:
        """Give a column to each bet that has turned up."""
        more = len(self.explorer.bets) - self._sums.shape[1]
        if more:
            self._sums = np.pad(self._sums, ((0, 0), (0, more), (0, 0)))

    def _play_on_felt(self, number: int, row: int) -> Outcome:
        tally: Tally = {}
        outcome = play_on_felt(self.lab, number, tally if self.lab.by_bet else None)
        bets = self.explorer.bets
        bets += [bet for bet in tally if bet not in bets]
        self._widen_sums()
        self._sums[row] = [tally.get(bet, (0, 0, 0)) for bet in bets]
        return outcome

    def _help(self, why: int) -> None:
        """Fill the edge at which the kernel stopped, and put it on a thin state where it now needs one."""
        explorer, registers = self.explorer, self._registers
        if why == kernel.WANTS_LEFT:
            explorer.leave(int(registers[kernel.INDEX]))
            return
        if why == kernel.WANTS_EDGE:
            explorer.fill(int(registers[kernel.INDEX]))
        state, equity = int(registers[kernel.AT]) // kernel.FACES, int(registers[kernel.EQUITY])
        if registers[kernel.STAGE] == kernel.PLAYS and equity < explorer.thin_cents:
            registers[kernel.AT] = explorer.cross(state, equity) * kernel.FACES


def play_on_felt(lab: Lab, number: int, tally: Tally | None = None) -> Outcome:
    """One session, alone, on the real felt."""
    draws = session_power(lab.layout.game, lab.seed, number)
    return session(Game(lab.layout, lab.strategy), lab.terms, session_rolls(lab.seed, number), draws, tally)


# --- Pieces and threads ---


def pieces(sessions: int) -> Iterator[Piece]:
    """The pieces of a run: the first session of each and the one after its last."""
    for first in range(0, sessions, PIECE):
        yield first, min(first + PIECE, sessions)


def unfinished(
    lab: Lab, sessions: int, whole: Result, progress: Callable[[int], object] | None, ledger: Ledger | None
) -> list[Piece]:
    """The pieces that are still to be played; those that the ledger has are in the result already."""
    known = ledger.open(lab, sessions, PIECE) if ledger else {}
    for piece, result in known.items():
        finish(piece, result, whole, progress, None)
    return [piece for piece in pieces(sessions) if piece not in known]


def finish(
    piece: Piece, result: Result, whole: Result, progress: Callable[[int], object] | None, ledger: Ledger | None
) -> None:
    """Keep a finished piece, add it up and tell."""
    if ledger:
        ledger.write(piece, result)
    whole.merge(result)
    if progress:
        progress(piece[1] - piece[0])


def simulate(
    lab: Lab,
    sessions: int,
    threads: int = 1,
    progress: Callable[[int], object] | None = None,
    ledger: Ledger | None = None,
) -> Result:
    """Play so many sessions. `progress` hears how many more are done; a ledger keeps what is finished, should this
    program be interrupted."""
    whole = Result()
    waiting = SimpleQueue[Piece]()
    for piece in unfinished(lab, sessions, whole, progress, ledger):
        waiting.put(piece)

    def work(player: Player, enough: int = -1) -> Result:
        """Play pieces until none waits, or until one hardly had to ask the felt."""
        total, asked = Result(), enough + 1
        with suppress(Empty):
            while asked > enough:
                piece = waiting.get_nowait()
                played = player.play(*piece)
                result = Result(refusals=set(player.explorer.refusals))
                result.add(played)
                asked = played.asked
                finish(piece, result, total, progress, ledger)
        return total

    # One thread explores, for the felt is Python and threads would wait for one another; then each gets a copy.
    player = Player(lab)
    whole.merge(work(player, SELDOM if threads > 1 else -1))
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
