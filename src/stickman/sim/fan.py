"""Sessions over time: the bankrolls after given numbers of rolls, and how many sessions have ended.

The dice of a session do not depend on its length, so a session that is cut short at a roll shows the whole session
at that roll. The same sessions are played again to each checkpoint.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from stickman.rules.dice import Roll
from stickman.rules.felt import NO_POWER
from stickman.sim import kernel
from stickman.sim.dice import session_power, session_rolls
from stickman.sim.play import PlayedGame, SessionEnding, SettledPlayer, Standing, session
from stickman.sim.result import SimResult, percentile
from stickman.sim.run import Lab, LabPlayer

CHECKPOINTS = 32
PERCENTS = (5, 25, 50, 75, 95)
SESSIONS_MAX, SESSIONS_MIN = 20_000, 100
ROLLS_MAX = 250_000_000
"""Rolls that a fan may play, about a second."""
SELDOM = 2000
"""If more than one session in this many needs the felt, each session is played there once instead."""
ENDED = (SessionEnding.STOP_LOSS, SessionEnding.WIN_GOAL, SessionEnding.RUIN)
"""How a session can end before its last roll."""

Stands = tuple[int, SessionEnding]
"""The bankroll of a session in cents, and why it ended (`TIME` while it goes on)."""


class FanPoint(NamedTuple):
    """All sessions after this many rolls."""

    roll: int
    bands: dict[int, int]
    """By percent: the bankroll in cents that this percentage of sessions does not exceed. Ended sessions count."""
    ended: dict[SessionEnding, int]


class Fan(NamedTuple):
    sessions: int
    checkpoints: list[FanPoint]


def fan(lab: Lab, result: SimResult) -> Fan:
    """Follow the first sessions of a result, as many as can be played quickly."""
    rolls = _rolls(lab.terms.rolls_max)
    if result.on_felt * SELDOM > result.sessions:
        sample = min(result.sessions, SESSIONS_MIN)
        stands: Iterable[Counter[Stands]] = _on_felt(lab, sample, rolls)
    else:
        sample = min(result.sessions, SESSIONS_MAX, max(SESSIONS_MIN, ROLLS_MAX // sum(rolls)))
        stands = _cut(lab, sample, rolls)
    start = Counter({(lab.terms.bankroll_cents, SessionEnding.TIME): sample})
    return Fan(sample, [_checkpoint(0, start), *map(_checkpoint, rolls, stands)])


def _rolls(rolls_max: int) -> list[int]:
    """
    >>> _rolls(4), _rolls(500)[:3], _rolls(500)[-1]
    ([1, 2, 3, 4], [16, 32, 47], 500)
    """
    return sorted({-(-rolls_max * step // CHECKPOINTS) for step in range(1, CHECKPOINTS + 1)})


def _checkpoint(roll: int, stands: Counter[Stands]) -> FanPoint:
    equities, endings = Counter[int](), Counter[SessionEnding]()
    for (equity, why), times in stands.items():
        equities[equity] += times
        endings[why] += times
    bands = {percent: percentile(equities, percent) for percent in PERCENTS}
    return FanPoint(roll, bands, {why: endings[why] for why in ENDED})


def _cut(lab: Lab, sessions: int, rolls: list[int]) -> Iterator[Counter[Stands]]:
    """The sessions at each roll, all played up to it."""
    explorer = None
    for roll in rolls:
        player = LabPlayer(lab._replace(terms=replace(lab.terms, rolls_max=roll), by_bet=False), explorer)
        explorer = player.explorer
        outcomes = player.play(0, sessions).outcomes
        both, times = np.unique(
            outcomes[:, kernel.NET] * len(SessionEnding) + outcomes[:, kernel.ENDING], return_counts=True
        )
        stands = [
            (lab.terms.bankroll_cents + each // len(SessionEnding), SessionEnding(each % len(SessionEnding)))
            for each in both.tolist()
        ]
        yield Counter(dict(zip(stands, times.tolist(), strict=True)))


class WatchedPath(PlayedGame):
    """A game that records how equity changes from roll to roll."""

    changes: list[int]

    def roll(self, standing: Standing, dice: Roll, power: Mapping[str, str] = NO_POWER) -> SettledPlayer:
        settled = super().roll(standing, dice, power)
        self.changes.append(settled.change_cents)
        return settled


def _on_felt(lab: Lab, sessions: int, rolls: list[int]) -> list[Counter[Stands]]:
    """The same, each session played once, on the felt."""
    found = [Counter[Stands]() for _ in rolls]
    for number in range(sessions):
        game = WatchedPath(lab.layout, lab.strategy)
        game.changes = []
        draws = session_power(lab.layout.game, lab.seed, number)
        outcome = session(game, lab.terms, session_rolls(lab.seed, number), draws)
        equities = list(accumulate(game.changes, initial=lab.terms.bankroll_cents))
        for roll, stands in zip(rolls, found, strict=True):
            ending = outcome.ending if roll >= outcome.rolls else SessionEnding.TIME
            stands[equities[min(roll, outcome.rolls)], ending] += 1
    return found
