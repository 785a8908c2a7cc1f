"""What sessions come to, added up: exact sums, and plain statistics. `test_bets` has the returns of bets."""

from __future__ import annotations

import statistics
from collections import Counter
from fractions import Fraction
from math import isclose

import numpy as np
import pytest

from stickman.sim.library import strategy
from stickman.sim.play import SessionEnding
from stickman.sim.result import PlayedSessions, SimResult, percentile
from stickman.sim.run import Lab, LabPlayer, simulate
from stickman.sim.strategy import Strategy, Terms
from tests.talk.games import laid

LAB = Lab(laid("craps"), strategy("iron-cross"), Terms(30_000, 120, win_goal_cents=20_000), seed=4)


def result_of(outcomes: list[tuple[int, int, int, int, int]]) -> SimResult:
    result = SimResult()
    result.add(PlayedSessions(np.array(outcomes, np.int64), on_felt=0, asked=0))
    return result


def test_a_result_is_what_its_sessions_say() -> None:
    played = LabPlayer(LAB).play(0, 2000)
    result = simulate(LAB, 2000)
    nets = played.outcomes[:, 0].tolist()
    assert result.net == Counter(nets)
    assert result.drawdown == Counter(played.outcomes[:, 1].tolist())
    assert result.rolls == Counter(played.outcomes[:, 2].tolist())
    assert result.handle_cents == sum(played.outcomes[:, 3].tolist())
    assert result.endings == Counter(map(SessionEnding, played.outcomes[:, 4].tolist()))
    assert result.mean_cents == Fraction(sum(nets), 2000)
    assert isclose(result.sd_cents, statistics.stdev(nets))
    assert result.rtp == 1 + Fraction(sum(nets), result.handle_cents)


def test_results_added_are_the_result_of_all() -> None:
    rows = [tuple(row) for row in LabPlayer(LAB).play(0, 60).outcomes.tolist()]
    parts = [result_of(rows[:7]), result_of(rows[40:]), result_of(rows[7:40])]
    whole = SimResult()
    for part in parts:
        whole.merge(part)
    assert whole == result_of(rows)
    assert whole.digest() == result_of(rows).digest()


def test_sums_beyond_64_bits_stay_exact() -> None:
    handle = 3_037_000_500
    result = result_of([(-handle, 0, 1, handle, 3)] * 5)
    assert result.handle_squares == 5 * handle**2
    assert result.handle_by_net == -5 * handle**2


def test_the_interval_of_the_return_is_that_of_a_ratio() -> None:
    """Against the same by the textbook: residuals of net over handle."""
    rows = LabPlayer(LAB).play(0, 500).outcomes
    net, handle = rows[:, 0], rows[:, 3]
    ratio = net.sum() / handle.sum()
    residual = net - ratio * handle
    error = 1.96 * residual.std(ddof=1) / np.sqrt(500) / handle.mean()
    assert isclose(simulate(LAB, 500).rtp_error(), error, rel_tol=1e-3)


@pytest.mark.parametrize(("percent", "value"), [(1, -9), (25, -9), (26, 0), (75, 0), (76, 4), (100, 4)])
def test_a_percentile_is_the_least_value_that_so_many_do_not_exceed(percent: int, value: int) -> None:
    assert percentile(Counter({0: 2, 4: 1, -9: 1}), percent) == value


def test_a_strategy_that_bets_nothing_has_no_return() -> None:
    idle = simulate(LAB._replace(strategy=Strategy("idle", ())), 10)
    assert idle.rtp is None
    assert idle.endings == {SessionEnding.TIME: 10}
