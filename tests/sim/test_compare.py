"""Strategies on the same dice: differences session by session, and what pairing is worth."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from math import isclose, sqrt
from pathlib import Path

import numpy as np
import pytest

from stickman.sim import kernel, run
from stickman.sim.compare import Comparison, Difference
from stickman.sim.ledger import Ledger, WrongLedger
from stickman.sim.library import strategy
from stickman.sim.run import Lab, LabPlayer, compare, simulate
from stickman.sim.strategy import Terms
from tests.talk.games import laid

NAMES = ("pass", "iron-cross", "dont-pass")
LABS = [Lab(laid("craps"), strategy(name), Terms(30_000, 80, win_goal_cents=20_000), seed=9) for name in NAMES]
SESSIONS = 400


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "PIECE", 64)


def nets() -> list[list[int]]:
    """Each strategy's sessions by themselves."""
    return [LabPlayer(lab).play(0, SESSIONS).outcomes[:, kernel.NET].tolist() for lab in LABS]


def test_a_difference_is_that_of_the_sessions_with_the_same_number() -> None:
    found, played = compare(LABS, SESSIONS), nets()
    assert set(found.pairs) == {(0, 1), (0, 2), (1, 2)}
    for (first, second), pair in found.pairs.items():
        differences = [a - b for a, b in zip(played[first], played[second], strict=True)]
        assert pair.net == Counter(differences)
        assert pair.first_ahead == sum(each > 0 for each in differences)
        assert pair.second_ahead == sum(each < 0 for each in differences)
        assert isclose(float(pair.mean_cents), statistics.mean(differences))
        assert isclose(pair.sd_cents, statistics.stdev(differences))


def test_who_leads_is_ahead_of_every_other() -> None:
    played = nets()
    leads = [0, 0, 0]
    for session in zip(*played, strict=True):
        if session.count(max(session)) == 1:
            leads[session.index(max(session))] += 1
    assert compare(LABS, SESSIONS).leads == leads


def test_each_result_is_that_of_the_strategy_alone() -> None:
    for result, lab in zip(compare(LABS, SESSIONS).results, LABS, strict=True):
        assert result.digest() == simulate(lab, SESSIONS).digest()


@pytest.mark.usefixtures("small_pieces")
def test_threads_and_pieces_change_nothing() -> None:
    heard: list[int] = []
    one, two = compare(LABS, SESSIONS), compare(LABS, SESSIONS, 2, heard.append)
    assert sum(heard) == SESSIONS
    assert len(heard) > 2
    assert one == two
    assert one.digest() == two.digest()


def test_a_digest_tells_comparisons_apart() -> None:
    """Results alone do not: the same sessions may be paired otherwise."""
    found = compare(LABS[:2], 100)
    other = Comparison.restored(found.plain())
    assert other == found
    assert other.digest() == found.digest()
    for change in ("pairs", "leads", "results"):
        other = Comparison.restored(json.loads(json.dumps(found.plain())))
        match change:
            case "pairs":
                other.pairs[0, 1].net[0] += 1
            case "leads":
                other.leads[0] += 1
            case _:
                other.results[1].handle_cents += 1
        assert other.digest() != found.digest()


def test_an_interrupted_comparison_goes_on_from_its_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(Exception):
        pass

    def hears(_: int) -> None:
        heard.append(1)
        if len(heard) == 3:
            raise Interrupted

    monkeypatch.setattr(run, "PIECE", 64)
    heard: list[int] = []
    with pytest.raises(Interrupted):
        compare(LABS, SESSIONS, 1, hears, Ledger(tmp_path / "run.ledger"))
    assert (tmp_path / "run.ledger").read_text().count("\n") == 1 + 3
    found = compare(LABS, SESSIONS, 2, None, Ledger(tmp_path / "run.ledger"))
    assert found == compare(LABS, SESSIONS)
    with pytest.raises(WrongLedger, match="another run"):
        compare(LABS[::-1], SESSIONS, 1, None, Ledger(tmp_path / "run.ledger"))
    with pytest.raises(WrongLedger, match="another run"):
        simulate(LABS[0], SESSIONS, ledger=Ledger(tmp_path / "run.ledger"))


def test_the_interval_is_that_of_a_mean() -> None:
    pair = Difference(Counter({-300: 1, 0: 2, 500: 1}))
    assert isclose(pair.mean_error_cents(), 1.959964 * statistics.stdev([-300, 0, 0, 500]) / sqrt(4), rel_tol=1e-6)


def test_pairing_narrows_where_strategies_win_together_and_widens_where_they_do_not() -> None:
    """Pass and Iron Cross both lose to the 7; Don't Pass wins by it."""
    found = compare(LABS, SESSIONS)
    for pair, narrower in (((0, 1), True), ((0, 2), False)):
        unpaired = sqrt(sum(found.results[place].mean_error_cents() ** 2 for place in pair))
        assert isclose(found.unpaired_error_cents(pair), unpaired)
        assert (found.pairs[pair].mean_error_cents() < unpaired) is narrower


def test_a_strategy_never_differs_from_itself() -> None:
    found = compare([LABS[1], LABS[1]], 50)
    assert found.pairs[0, 1].net == {0: 50}
    assert found.pairs[0, 1].mean_error_cents() == 0
    assert found.leads == [0, 0]


def test_comparisons_added_are_the_comparison_of_all() -> None:
    both = np.array([[5, -3, 0, 8], [4, -3, 1, 9]], np.int64)
    whole, first, second = Comparison(2), Comparison(2), Comparison(2)
    whole.add(both)
    first.add(both[:, :1])
    second.add(both[:, 1:])
    first.merge(second)
    assert first.pairs == whole.pairs == {(0, 1): Difference(Counter({1: 1, 0: 1, -1: 2}))}
    assert first.leads == whole.leads == [1, 2]


def test_strategies_with_other_dice_are_not_compared() -> None:
    with pytest.raises(AssertionError, match="other dice"):
        compare([LABS[0], LABS[1]._replace(seed=10)], 5)
