"""Compiled play is play on the felt, to the last cent, whatever the strategy, the money and the order of work."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from stickman.rules.settings import GAMES
from stickman.sim import kernel, run
from stickman.sim.dice import ROLLS_PER_WORD, digits, session_words
from stickman.sim.explore import Explorer
from stickman.sim.library import LIBRARY, flat, strategy
from stickman.sim.play import Tally
from stickman.sim.result import PlayedSessions
from stickman.sim.run import Lab, LabPlayer, play_on_felt, simulate
from stickman.sim.strategy import Bet, Habit, Memory, RollResult, Sees, Strategy, Terms, Wish
from tests.sim.players import random_strategy
from tests.sim.test_dice import REJECTS_FIRST
from tests.talk.games import laid
from tests.talk.parameters import some

DEEP = Terms(150_000, 90)
THIN = Terms(9_000, 90)
STOPPED = Terms(30_000, 90, stop_loss_cents=12_000, win_goal_cents=9_000)


def assert_same(lab: Lab, sessions: int) -> LabPlayer:
    """Every session has the same outcome, and every bet the same tally."""
    player = LabPlayer(lab)
    played = player.play(0, sessions)
    for number in range(sessions):
        tally: Tally = {}
        assert tuple(played.outcomes[number].tolist()) == tuple(play_on_felt(lab, number, tally)), number
        rows = zip(played.bets, played.sums[number].tolist(), strict=True)
        assert {bet: tuple(row) for bet, row in rows if any(row)} == tally, number
    return player


@pytest.mark.parametrize("terms", [DEEP, THIN, STOPPED], ids=["deep", "thin", "stopped"])
@pytest.mark.parametrize("game", GAMES)
def test_every_known_strategy_plays_the_same_compiled_and_on_the_felt(game: str, terms: Terms) -> None:
    for name in LIBRARY:
        assert_same(Lab(laid(game), strategy(name), terms, seed=11), 4)


@pytest.mark.parametrize("game", GAMES)
def test_random_strategies_play_the_same_compiled_and_on_the_felt(game: str) -> None:
    for seed in range(12):
        terms = (DEEP, THIN, STOPPED)[seed % 3]
        assert_same(Lab(laid(game), random_strategy(game, seed), terms, seed), 6)


@pytest.mark.parametrize("side", ["bonus_craps", "hot_shooter", "make_em_all", "fired_up"])
def test_side_games_play_the_same_compiled_and_on_the_felt(side: str) -> None:
    table = laid("craps", f"{side}.on=true")
    spots = [bet.id for bet in table.bets.values() if bet.family == side]
    bets = [Bet("pass", 500), *(Bet(spot, 100) for spot in spots)]
    assert_same(Lab(table, Strategy(side, (Habit(lambda _: bets),)), Terms(40_000, 400), seed=2), 8)


@pytest.mark.parametrize("terms", [DEEP, Terms(3_000, 90)], ids=["deep", "thin"])
@pytest.mark.parametrize("one_in", ["1", "2", "12"])
def test_power_odds_play_the_same_compiled_and_on_the_felt(one_in: str, terms: Terms) -> None:
    """Every group at once, of which up to four matter to one roll."""
    table = laid("roll-to-win", f"power_odds.one_in={one_in}")
    spots = ["any_craps", "seven", "e", "horn", "c_and_e", "hard.4", "hard.6", "hop.2-2", "hop.1-1", "horn.2"]
    every = Strategy("every group", tuple(flat(spot, 400) for spot in spots))
    player = assert_same(Lab(table, every, terms, seed=5), 12)
    edges = player.explorer.table
    assert ((edges > kernel.NEVER) & (edges < kernel.PLAIN)).any()


def test_power_odds_change_what_a_roll_pays_and_nothing_else() -> None:
    """Shown on every roll, at least the low pay: each session comes to more, by the same dice."""
    plays = Lab(laid("roll-to-win", "power_odds.on=false"), strategy("hardways"), DEEP, seed=4)
    without = LabPlayer(plays).play(0, 50)
    shown = LabPlayer(plays._replace(layout=laid("roll-to-win", "power_odds.one_in=1"))).play(0, 50)
    assert (shown.outcomes[:, 2:] == without.outcomes[:, 2:]).all()
    assert (shown.outcomes[:, 0] > without.outcomes[:, 0]).sum() >= 45
    assert (shown.sums[:, :, :2] == without.sums[:, :, :2]).all()


def test_what_fits_no_table_is_played_on_the_felt_with_the_same_results() -> None:
    lab = Lab(laid("craps"), strategy("power-press"), DEEP, seed=3)
    small = LabPlayer(lab._replace(states_max=50)).play(0, 12)
    assert small.on_felt > 0
    whole = LabPlayer(lab).play(0, 12)
    assert whole.on_felt == 0
    assert small.outcomes.tolist() == whole.outcomes.tolist()
    by_bet = [dict(zip(played.bets, played.sums.sum(axis=0).tolist(), strict=True)) for played in (small, whole)]
    assert by_bet[0] == by_bet[1]


def test_an_amount_that_fits_no_edge_is_played_on_the_felt() -> None:
    """$10,000 on Any Craps wins more on a roll than an edge holds."""
    table = laid("craps", "limits.max_cents=1000000")
    bold = Strategy("bold", (Habit(lambda _: [Bet("any_craps", 1_000_000)]),))
    lab = Lab(table, bold, Terms(100_000_000, 60), seed=1)
    assert kernel.CHANGE_MAX < 7_000_000
    assert LabPlayer(lab).play(0, 3).on_felt == 3
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


BUSY = Lab(laid("roll-to-win"), strategy("busy"), Terms(20_000, 100), seed=9)


def test_any_session_replays_alone() -> None:
    outcomes = LabPlayer(BUSY).play(0, 300).outcomes
    for number in (0, 1, 17, 299):
        assert LabPlayer(BUSY).play(number, number + 1).outcomes.tolist() == [outcomes[number].tolist()]


def test_what_was_explored_before_changes_nothing() -> None:
    player = LabPlayer(BUSY)
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


SPRINTS = [
    Terms(10**9, 64),
    Terms(10**9, 7),
    Terms(10**9, 8),
    Terms(10**9, 201),
    Terms(60_000, 150),
    Terms(60_000, 150, stop_loss_cents=25_000),
    Terms(10**9, 150, win_goal_cents=20_000),
    Terms(9_000, 90),
]


@pytest.mark.parametrize(
    ("name", "terms"),
    [
        *(("pass", terms) for terms in SPRINTS),
        *(pytest.param("busy", terms, marks=pytest.mark.long) for terms in SPRINTS[3:7]),
        ("hardways", SPRINTS[0]),
        ("busy", Terms(5_000, 90)),
        ("lucky-roller", SPRINTS[2]),
    ],
)
def test_sprints_change_nothing(name: str, terms: Terms, monkeypatch: pytest.MonkeyPatch) -> None:
    """From nothing, when all is known, and from the middle of a run."""
    lab = Lab(laid("roll-to-win"), strategy(name), terms, seed=9)
    assert_sprints_the_same(lab, 600, monkeypatch, (131, 500))


def assert_sprints_the_same(
    lab: Lab, sessions: int, monkeypatch: pytest.MonkeyPatch, part: tuple[int, int] | None = None
) -> None:
    """Every session has the same outcome and the same tally as without sprints."""
    with monkeypatch.context() as patch:
        patch.setattr(Explorer, "may_sprint", lambda _: False)
        walked = LabPlayer(lab).play(0, sessions)
    tallies = by_session(walked)
    for by_bet in (True, False):
        player = LabPlayer(lab._replace(by_bet=by_bet))
        for first, last in ((0, sessions), (0, sessions), part or (0, sessions)):
            sprinted = player.play(first, last)
            assert sprinted.outcomes.tolist() == walked.outcomes[first:last].tolist(), lab.strategy.name
            assert by_session(sprinted) == (tallies[first:last] if by_bet else [{}] * (last - first))


def by_session(played: PlayedSessions) -> list[dict[str, list[int]]]:
    """The tally of each session."""
    return [
        {bet: sums for bet, sums in zip(played.bets, session, strict=True) if any(sums)}
        for session in played.sums.tolist()
    ]


@pytest.mark.parametrize("game", some(GAMES, "craps"))
def test_every_known_strategy_sprints_the_same(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in LIBRARY:
        lab = Lab(laid(game), strategy(name), Terms(10**9, 17), seed=5)
        assert_sprints_the_same(lab, 2 * kernel.LANES, monkeypatch)


@pytest.mark.parametrize("number", some(range(8), 0, 1, 2))
def test_random_strategies_sprint_the_same(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = Lab(laid("roll-to-win"), random_strategy("roll-to-win", number), Terms(400_000, 80), seed=6)
    assert_sprints_the_same(lab, 3 * kernel.LANES, monkeypatch)


@pytest.mark.parametrize("sessions", [1, 2, kernel.LANES - 1, kernel.LANES + 1, kernel.SPRINT + 1])
def test_a_sprint_may_have_any_number_of_sessions(sessions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_sprints_the_same(BUSY, sessions, monkeypatch)


def test_what_a_sprint_counted_is_forgotten_where_money_turns_out_to_be_thin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After three twelves in a row the player wants more than anyone has; few sessions come so far."""

    def wants(sees: Sees) -> list[Wish]:
        return [Bet("field", 20_000 if sees.memory == 3 else 500)]

    def learns(memory: Memory, told: RollResult) -> Memory:
        assert isinstance(memory, int)
        return memory + 1 if told.roll.total == 12 and memory < 3 else 0

    greedy = Strategy("greedy", (Habit(wants, learns, 0),))
    lab = Lab(laid("craps"), greedy, Terms(15_000, 30), seed=1)
    player = LabPlayer(lab)
    player.play(0, kernel.SPRINT)
    assert player.explorer.thin_cents < 15_000
    assert_sprints_the_same(lab, 3 * kernel.SPRINT, monkeypatch)
    player.play(kernel.SPRINT, 3 * kernel.SPRINT)
    assert player.explorer.thin_cents > 15_000


@pytest.mark.parametrize(("by_bet", "sprinted"), [(False, 200), (True, 192)])
def test_a_sprint_gets_far_where_money_is_deep(by_bet: bool, sprinted: int) -> None:
    """Not proof by accident: most rolls are played in lanes."""
    player = LabPlayer(Lab(laid("craps"), strategy("pass"), Terms(10**9, 200), seed=1, by_bet=by_bet))
    player.play(0, 2000)
    player.play(0, kernel.SPRINT)
    *_, parked, _ = player._lanes
    rolls = parked[kernel.PARKED_MONEY - 1 :: kernel.PARKED_MONEY]
    assert np.count_nonzero(rolls == sprinted) >= kernel.SPRINT - kernel.FEW


def test_a_sprint_comes_near_its_limits() -> None:
    """A session is parked no more than a word before its end."""
    terms = Terms(30_000, 500, stop_loss_cents=10_000, win_goal_cents=10_000)
    player = LabPlayer(Lab(laid("craps"), strategy("pass"), terms, seed=1, by_bet=False))
    player.play(0, 2000)
    ended = player.play(0, kernel.SPRINT).outcomes[:, kernel.LENGTH]
    *_, parked, _ = player._lanes
    left = ended - parked[kernel.PARKED_MONEY - 1 :: kernel.PARKED_MONEY]
    assert np.count_nonzero(left <= ROLLS_PER_WORD) >= kernel.SPRINT - kernel.FEW
    assert left.min() >= 0


def test_a_sprint_is_the_same_play_when_the_unit_of_money_falls() -> None:
    """What is known by tens of dollars is known anew by single ones, and by cents."""
    lab = Lab(laid("craps"), strategy("pass"), Terms(10**9, 64), seed=3, by_bet=False)
    player = LabPlayer(lab)
    walked = player.play(0, 300).outcomes.tolist()
    assert player.explorer.unit_cents == 1000
    for unit in (100, 1):
        player.explorer.unit_cents, player.explorer.pairs = unit, np.zeros_like(player.explorer.pairs)
        assert player.play(0, 300).outcomes.tolist() == walked
        assert player.explorer.pairs.any()


def test_a_unit_that_falls_forgets_the_pairs() -> None:
    explorer = Explorer(laid("craps"), strategy("busy"))
    at = explorer.start(10**9) * kernel.ROLL_COUNT
    units = {0}
    while at < len(explorer) * kernel.ROLL_COUNT and len(units) < 4:
        before, explorer.pairs[0] = explorer.unit_cents, 1
        explorer.fill(at)
        assert explorer.pairs[0] == (before == explorer.unit_cents)
        units.add(explorer.unit_cents)
        at += 1
    assert len(units) > 2


def test_a_pair_is_two_edges() -> None:
    table = np.full(6 * 36, kernel.UNKNOWN, np.int64)
    table[1 * 36 + 7], table[2 * 36 + 35] = kernel.pack(2, -3000, 2000), kernel.pack(5, 4500, 500)
    pair = int(kernel.paired(table, 500, kernel.PAIRS + 7 * 36 + 35))
    assert pair >> 49 == -6
    assert (pair >> 34 & 0x7FFF) == 9
    assert (pair >> 20 & 0x3FFF) == 5
    assert (pair & 0xFFFFF) == 5 * kernel.PAIRS


MOST = 1 << 14


@pytest.mark.parametrize(
    ("first", "second", "fits"),
    [
        ((2, MOST - 1, MOST - 1), (3, 1 - MOST, 0), True),
        ((2, MOST, 0), (3, 0, 0), False),
        ((2, 0, 0), (3, -MOST, 0), False),
        ((2, 0, MOST - 1), (3, 0, 1), False),
        ((2, 0, 0), (kernel.P_STATES - 1, 0, 0), True),
        ((2, 0, 0), (kernel.P_STATES, 0, 0), False),
        (None, (3, 0, 0), False),
        ((2, 0, 0), None, False),
        ((0, 0, 0), (3, 0, 0), False),
    ],
)
def test_a_pair_that_is_not_known_or_does_not_fit_is_zero(
    first: tuple[int, int, int] | None, second: tuple[int, int, int] | None, *, fits: bool
) -> None:
    table = np.full(6 * 36, kernel.UNKNOWN, np.int64)
    table[1 * 36], table[2 * 36] = (kernel.pack(*each) if each else kernel.UNKNOWN for each in (first, second))
    assert bool(kernel.paired(table, 1, kernel.PAIRS)) is fits


def test_two_pairs_are_taken_apart_exactly() -> None:
    numbers = np.arange(kernel.PAIRS**2, dtype=np.uint64)
    first, second = np.divmod(numbers, np.uint64(kernel.PAIRS))
    assert (numbers * kernel.PAIR_TH >> kernel.PAIR_SHIFT == first).all()
    assert kernel.two_pairs(np.uint64(kernel.PAIRS**2 - 1)) == first[-1] | second[-1] << np.uint64(16)


def test_the_pairs_of_a_word_are_its_rolls() -> None:
    words = np.zeros(kernel.LANE_WORDS, np.uint64)
    chosen = [2**64 - 1, *islice(filter(digits, session_words(4, 2)), kernel.LANES - 1)]
    words[kernel.L_WORD : kernel.L_WORD + kernel.LANES] = np.array(chosen, np.uint64)
    kernel.number_pairs(words)
    for lane, word in enumerate(chosen):
        rolls = [divmod(int(words[kernel.L_NUMBERS + lane]) >> 16 * n & 0xFFFF, 36) for n in range(4)]
        assert [roll for pair in rolls for roll in pair] == digits(word)


def test_a_word_that_is_rejected_is_drawn_again_in_its_lane_alone() -> None:
    words = np.zeros(kernel.LANE_WORDS, np.uint64)
    for lane in range(kernel.LANES):
        state = REJECTS_FIRST if lane == 5 else (1, 2, 3, lane)
        words[lane : 4 * kernel.LANES : kernel.LANES] = np.array(state, np.uint64)
    alone = [kernel.fair_word(*words[lane : 4 * kernel.LANES : kernel.LANES]) for lane in range(kernel.LANES)]
    kernel.next_words(words)
    for lane, (word, *generator) in enumerate(alone):
        assert words[kernel.L_WORD + lane] == word
        assert words[lane : 4 * kernel.LANES : kernel.LANES].tolist() == generator


def test_another_seed_is_another_result() -> None:
    assert simulate(BUSY, 200).digest() != simulate(BUSY._replace(seed=10), 200).digest()
