"""Sessions by the million: played in pieces by several threads, and added up exactly.

A session depends only on the seed and on its number, and all sums are whole numbers. So pieces, threads and their
order do not change the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock
from typing import NamedTuple

import numpy as np

from stickman.rules.layout import Layout
from stickman.sim import kernel
from stickman.sim.compare import Comparison
from stickman.sim.dice import SEEDS, session_power, session_rolls
from stickman.sim.explore import STATES_MAX, Explorer, Full
from stickman.sim.kernel import Int64s
from stickman.sim.ledger import Ledger, Piece
from stickman.sim.play import PlayedGame, SessionOutcome, Tally, session
from stickman.sim.result import PlayedSessions, SimResult
from stickman.sim.strategy import Strategy, Terms

PIECE = 1 << 15
"""Sessions in a piece: enough to keep a thread busy, few enough to show progress."""
SELDOM = 200
"""A piece that asks the felt no more often than this is worth a second thread."""


class Lab(NamedTuple):
    layout: Layout
    strategy: Strategy
    terms: Terms
    seed: int
    states_max: int = STATES_MAX
    by_bet: bool = True
    """Whether to tally each bet, which is slower."""


class LabPlayer:
    """Plays sessions from the table if possible, otherwise on the felt."""

    def __init__(self, lab: Lab, explorer: Explorer | None = None) -> None:
        assert lab.seed in SEEDS
        self.lab = lab
        self.explorer = explorer or Explorer(lab.layout, lab.strategy, lab.states_max)
        self._registers = np.zeros(kernel.REGISTERS, np.int64)
        self._words = np.zeros(5, np.uint64)
        self._lanes = kernel.new_lanes()

    def play(self, first: int, last: int) -> PlayedSessions:
        registers = self._registers
        outcomes = np.zeros((last - first, 5), np.int64)
        self._sums = np.zeros((last - first, len(self.explorer.bets), 3), np.int64)
        on_felt = asked = 0
        registers[kernel.SESSION], registers[kernel.ROLLS] = first, -1
        registers[kernel.GROUP] = registers[kernel.GROUP_END] = first
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
        return PlayedSessions(outcomes, on_felt, asked, tuple(self.explorer.bets), self._sums)

    def _run(self, first: int, last: int, outcomes: Int64s) -> int:
        terms, explorer = self.lab.terms, self.explorer
        start = explorer.start(terms.bankroll_cents)
        money = (terms.bankroll_cents, terms.floor_cents, terms.goal_cents, explorer.thin_cents, terms.rolls_max)
        numbers = 2 * self.lab.layout.game.power_odds.one_in
        done = self._registers[kernel.SESSION] - first
        self._widen_sums()
        tally = kernel.KernelTally(
            explorer.lists, explorer.begins, explorer.scores, explorer.follows, self._sums[done:]
        )
        why: int = kernel.run(
            explorer.table,
            explorer.crossings,
            np.array((*money, numbers, explorer.may_sprint()), np.int64),
            np.uint64(self.lab.seed),
            start * kernel.ROLL_COUNT,
            last,
            self._registers,
            self._words,
            outcomes[done:],
            tally if self.lab.by_bet else None,
            kernel.Track(explorer.pairs, explorer.unit_cents or 1, explorer.pair_lists, *self._lanes),
        )
        return why

    def _widen_sums(self) -> None:
        more = len(self.explorer.bets) - self._sums.shape[1]
        if more:
            self._sums = np.pad(self._sums, ((0, 0), (0, more), (0, 0)))

    def _play_on_felt(self, number: int, row: int) -> SessionOutcome:
        tally: Tally = {}
        outcome = play_on_felt(self.lab, number, tally if self.lab.by_bet else None)
        bets = self.explorer.bets
        bets += [bet for bet in tally if bet not in bets]
        self._widen_sums()
        self._sums[row] = [tally.get(bet, (0, 0, 0)) for bet in bets]
        return outcome

    def _help(self, why: int) -> None:
        """Fill the edge at which the kernel stopped, and move the session to a thin state if it now needs one."""
        explorer, registers = self.explorer, self._registers
        if why == kernel.WANTS_LEFT:
            explorer.leave(int(registers[kernel.INDEX]))
            return
        if why == kernel.WANTS_EDGE:
            explorer.fill(int(registers[kernel.INDEX]))
        state, equity = int(registers[kernel.AT]) // kernel.ROLL_COUNT, int(registers[kernel.EQUITY])
        if registers[kernel.STAGE] == kernel.PLAYS and equity < explorer.thin_cents:
            registers[kernel.AT] = explorer.cross(state, equity) * kernel.ROLL_COUNT


def play_on_felt(lab: Lab, number: int, tally: Tally | None = None) -> SessionOutcome:
    draws = session_power(lab.layout.game, lab.seed, number)
    return session(PlayedGame(lab.layout, lab.strategy), lab.terms, session_rolls(lab.seed, number), draws, tally)


# --- Pieces and threads ---


def pieces(sessions: int) -> Iterator[Piece]:
    """The pieces of a run: the first session of each and the one after its last."""
    for first in range(0, sessions, PIECE):
        yield first, min(first + PIECE, sessions)


class Team:
    """One player for each strategy, on the same dice."""

    def __init__(self, players: Sequence[LabPlayer]) -> None:
        self._players = players
        self.asked = 0
        """How often the last piece asked the felt."""

    def copy(self) -> Team:
        return Team([LabPlayer(each.lab, each.explorer.copy()) for each in self._players])

    def play(self, piece: Piece) -> Comparison:
        played = [player.play(*piece) for player in self._players]
        self.asked = sum(each.asked for each in played)
        found = Comparison(len(played))
        found.add(np.stack([each.outcomes[:, kernel.NET] for each in played]))
        for result, each, player in zip(found.results, played, self._players, strict=True):
            result.add(each)
            result.refusals |= player.explorer.refusals
        return found


class Run:
    """This many sessions of strategies on the same dice, and the finished part. `progress` gets the number of newly
    finished sessions. A ledger keeps finished pieces in case the program is interrupted."""

    def __init__(
        self,
        labs: Sequence[Lab],
        sessions: int,
        progress: Callable[[int], object] | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        assert len({(lab.layout.fingerprint, *lab[2:]) for lab in labs}) == 1, "other dice or another table"
        self.whole = Comparison(len(labs))
        self._progress = progress
        self._ledger = ledger
        self._lock = Lock()
        known = ledger.open(labs, sessions, PIECE) if ledger else {}
        for piece, found in known.items():
            self._add(piece, found)
        self.unfinished = [piece for piece in pieces(sessions) if piece not in known]

    def finish(self, piece: Piece, found: Comparison) -> None:
        """Store a finished piece, add it up and report progress. Several threads may call this at once."""
        with self._lock:
            if self._ledger:
                self._ledger.write(piece, found)
            self._add(piece, found)

    def _add(self, piece: Piece, found: Comparison) -> None:
        self.whole.merge(found)
        if self._progress:
            self._progress(piece[1] - piece[0])


def compare(
    labs: Sequence[Lab],
    sessions: int,
    threads: int = 1,
    progress: Callable[[int], object] | None = None,
    ledger: Ledger | None = None,
) -> Comparison:
    """Play this many sessions with each strategy."""
    run = Run(labs, sessions, progress, ledger)
    waiting = SimpleQueue[Piece]()
    for piece in run.unfinished:
        waiting.put(piece)

    def work(team: Team, enough: int = -1) -> None:
        """Play pieces until none is left, or until one hardly asked the felt."""
        with suppress(Empty):
            while True:
                piece = waiting.get_nowait()
                run.finish(piece, team.play(piece))
                if team.asked <= enough:
                    break

    # First one thread explores: the felt is Python, so threads would wait for one another. Then each gets a copy.
    team = Team([LabPlayer(lab) for lab in labs])
    work(team, SELDOM if threads > 1 else -1)
    if waiting.empty():
        return run.whole
    with ThreadPoolExecutor(threads) as pool:
        try:
            for part in [pool.submit(work, team.copy()) for _ in range(threads)]:
                part.result()
        finally:  # also after Ctrl-C: start no further pieces
            while not waiting.empty():
                with suppress(Empty):
                    waiting.get_nowait()
    return run.whole


def simulate(
    lab: Lab,
    sessions: int,
    threads: int = 1,
    progress: Callable[[int], object] | None = None,
    ledger: Ledger | None = None,
) -> SimResult:
    """Play this many sessions with one strategy."""
    return compare([lab], sessions, threads, progress, ledger).results[0]
