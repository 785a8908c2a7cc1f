"""Compiled play is play on the felt, to the last cent, whatever the strategy, the money and the order of work."""

from __future__ import annotations

import pytest

from stickman.rules.game import GAMES
from stickman.sim import kernel, run
from stickman.sim.library import LIBRARY, strategy
from stickman.sim.run import Lab, Player, play_on_felt, simulate
from stickman.sim.strategy import Bet, Habit, Strategy, Terms
from tests.sim.seated import layout, random_strategy

DEEP = Terms(150_000, 90)
THIN = Terms(9_000, 90)
STOPPED = Terms(30_000, 90, stop_loss_cents=12_000, win_goal_cents=9_000)


def assert_same(lab: Lab, sessions: int) -> Player:
    player = Player(lab)
    outcomes = player.play(0, sessions).outcomes
    for number in range(sessions):
        assert tuple(outcomes[number].tolist()) == tuple(play_on_felt(lab, number)), number
    return player


@pytest.mark.parametrize("terms", [DEEP, THIN, STOPPED], ids=["deep", "thin", "stopped"])
@pytest.mark.parametrize("game", GAMES)
def test_every_known_strategy_plays_the_same_compiled_and_on_the_felt(game: str, terms: Terms) -> None:
    for name in LIBRARY:
        assert_same(Lab(layout(game), strategy(name), terms, seed=11), 8)


@pytest.mark.parametrize("game", GAMES)
def test_random_strategies_play_the_same_compiled_and_on_the_felt(game: str) -> None:
    for seed in range(24):
        terms = (DEEP, THIN, STOPPED)[seed % 3]
        assert_same(Lab(layout(game), random_strategy(game, seed), terms, seed), 6)


@pytest.mark.parametrize("side", ["bonus_craps", "hot_shooter", "make_em_all", "fired_up"])
def test_side_games_play_the_same_compiled_and_on_the_felt(side: str) -> None:
    table = layout("craps", (f"{side}.on", "true"))
    spots = [bet.id for bet in table.bets.values() if bet.family == side]
    bets = [Bet("pass", 500), *(Bet(spot, 100) for spot in spots)]
    assert_same(Lab(table, Strategy(side, (Habit(lambda _: bets),)), Terms(40_000, 400), seed=2), 8)


def test_what_fits_no_table_is_played_on_the_felt_with_the_same_results() -> None:
    lab = Lab(layout("craps"), strategy("power-press"), DEEP, seed=3)
    small = Player(lab._replace(states_max=50)).play(0, 12)
    assert small.on_felt > 0
    whole = Player(lab).play(0, 12)
    assert whole.on_felt == 0
    assert small.outcomes.tolist() == whole.outcomes.tolist()


def test_an_amount_that_fits_no_edge_is_played_on_the_felt() -> None:
    """$10,000 on Any Craps wins more on a roll than an edge holds."""
    table = layout("craps", ("limits.max_cents", "1000000"))
    bold = Strategy("bold", (Habit(lambda _: [Bet("any_craps", 1_000_000)]),))
    lab = Lab(table, bold, Terms(100_000_000, 60), seed=1)
    assert kernel.CHANGE_MAX < 7_000_000
    assert Player(lab).play(0, 3).on_felt == 3
    assert_same(lab, 3)


@pytest.mark.parametrize(
    "edge", [(0, 0, 0), (5, -1, 1), (kernel.STATES_MAX - 1, kernel.CHANGE_MAX, kernel.HANDLE_MAX)]
)
def test_an_edge_holds_what_was_packed(edge: tuple[int, int, int]) -> None:
    state, change, handle = edge
    assert kernel.unpack(kernel.pack(state, change, handle)) == edge
    assert kernel.unpack(kernel.pack(state, -change, handle)) == (state, -change, handle)


@pytest.mark.parametrize(
    "edge", [(kernel.STATES_MAX, 0, 0), (0, kernel.CHANGE_MAX + 1, 0), (0, 0, kernel.HANDLE_MAX + 1)]
)
def test_what_does_not_fit_is_not_packed(edge: tuple[int, int, int]) -> None:
    assert kernel.pack(*edge) == kernel.UNKNOWN


BUSY = Lab(layout("roll-to-win"), strategy("busy"), Terms(20_000, 100), seed=9)


def test_any_session_replays_alone() -> None:
    outcomes = Player(BUSY).play(0, 300).outcomes
    for number in (0, 1, 17, 299):
        assert Player(BUSY).play(number, number + 1).outcomes.tolist() == [outcomes[number].tolist()]


def test_what_was_explored_before_changes_nothing() -> None:
    player = Player(BUSY)
    first = player.play(0, 300)
    again = player.play(0, 300)
    assert first.asked > 0
    assert again.asked == 0
    assert first.outcomes.tolist() == again.outcomes.tolist()


def test_pieces_and_threads_change_nothing_in_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = simulate(BUSY, 1000)
    monkeypatch.setattr(run, "PIECE", 70)
    heard: list[int] = []
    in_pieces = simulate(BUSY, 1000, threads=3, progress=heard.append)
    assert in_pieces.digest() == whole.digest()
    assert in_pieces.sessions == sum(heard) == 1000


def test_another_seed_is_another_result() -> None:
    assert simulate(BUSY, 200).digest() != simulate(BUSY._replace(seed=10), 200).digest()
