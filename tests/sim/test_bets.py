"""The return of each bet in a simulation: beside its exact par value, with an interval that keeps its word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import exp, inf, log, sqrt

import numpy as np
import pytest
from msgspec.structs import replace

from stickman.par.measure import MeasuredResult as Way
from stickman.par.sheet import BetSheet, full_layout, sheet
from stickman.rules import layout as layouts
from stickman.rules.dice import Roll
from stickman.rules.game import Game
from stickman.rules.layout import LaidBet, Layout
from stickman.rules.settings import GAMES, change, load
from stickman.sim.dice import session_rolls
from stickman.sim.library import come, flat, odds, strategy
from stickman.sim.play import PlayedGame as Table
from stickman.sim.play import Tally, session
from stickman.sim.result import BetTally, SimResult
from stickman.sim.run import Lab, LabPlayer, simulate
from stickman.sim.strategy import Strategy, Terms
from tests.sim.players import random_strategy
from tests.talk.games import laid
from tests.talk.parameters import some

# --- Every bet beside its par sheet. Declared before the dice were thrown: the seed, the number of sessions and
# --- rolls, and the chance that any bet at all of the five games leaves its interval.

SEED = 20_261_116
SESSIONS, ROLLS = 1_000, 1_000
FEW_SESSIONS = 4
"""Of the bets that remember a set of totals: they have many states, and every one is asked of the felt, which takes
most of the time. Their interval is wide for that; `test_compiled` plays them session by session."""
SETS = ("lucky_roller", "bonus", "make_em_all")
FAMILY = 1 / 1000
WORKS = (("come_out", '"working"'), ("after_seven_out", '"working"'))
"""As the par sheets measure: every bet works on every roll."""


@cache
def always_working(name: str) -> Game:
    game = load(name)
    for key, value in WORKS:
        game = change(game, key, value)
    return game


@cache
def par(name: str) -> dict[str, BetSheet]:
    return {bet.bet: bet for bet in sheet(always_working(name)).bets}


@cache
def bets_of_all_games() -> int:
    return sum(len(par(name)) for name in GAMES)


def limits(ways: list[Way], wagers: int) -> tuple[float, float]:
    """Between which the return of so many wagers lies but for the chance that is declared for one bet.

    Chernoff's bound, from every way that the bet may end: true for any number of wagers, rare top awards and all,
    where a normal distribution is not. For a bet of even money it is as wide as 5.3 standard errors."""
    rare = log(2 * bets_of_all_games() / FAMILY)
    return -_least(ways, -1, rare / wagers), _least(ways, 1, rare / wagers)


def _least(ways: list[Way], sign: int, rare: float) -> float:
    """The least upper limit of the mean, over all powers of the moment generating function."""

    def limit(log_power: float) -> float:
        power = sign * exp(log_power)
        nets = [(power * float(1 + way.net), float(way.chance)) for way in ways]
        most = max(net for net, _ in nets)
        return (most + log(sum(chance * exp(net - most) for net, chance in nets)) + rare) / abs(power)

    low, high = -25.0, 8.0
    for _ in range(90):  # it falls, then rises
        third = (high - low) / 3
        low, high = (low, high - third) if limit(low + third) < limit(high - third) else (low + third, high)
    return limit(low)


def stake_of(bet: LaidBet) -> int:
    """Such that every pay is whole cents, as far as limits and steps allow; odds are as much as their line."""
    step = bet.limits.step_cents * bet.parts
    return max(
        bet.limits.min_cents,
        min(6600 if bet.family == "place_to_lose" else 6000, bet.limits.max_cents) // step * step,
    )


def players(name: str) -> Iterator[Strategy]:
    """Strategies that between them make every bet, never two wagers of one bet at a time."""
    bets = full_layout(always_working(name)).bets.values()
    yield Strategy("pass", (flat("pass", 6000), odds("pass", 1)))
    yield Strategy("dont_pass", (flat("dont_pass", 6000), odds("dont_pass", 1)))
    yield Strategy("come", (come("come", 6000, 1), odds("come", 1)))
    yield Strategy("dont_come", (come("dont_come", 6000, 1), odds("dont_come", 1)))
    quick = [bet for bet in bets if bet.one_roll]
    for at in range(0, len(quick), 6):
        yield Strategy("one roll", tuple(flat(bet.id, stake_of(bet)) for bet in quick[at : at + 6]))
    for bet in bets:
        if bet.side:
            yield Strategy(bet.id, (flat("pass", 6000), flat(bet.id, stake_of(bet))))
        elif not (bet.one_roll or bet.family in LINES):
            yield Strategy(bet.id, (flat(bet.id, stake_of(bet)),))


@cache
def table_for(name: str, bet: str) -> Layout:
    """The game with the one side game that a bet belongs to."""
    game, full = always_working(name), full_layout(always_working(name))
    family = full.bets[bet].family if bet in full.bets else ""
    sides = {
        side: replace(getattr(full.game if side == family else game, side), on=side == family)
        for side in game.side_games()
    }
    return layouts.lay_out(replace(game, **sides))


LINES = ("pass", "dont_pass", "come", "dont_come")


@pytest.mark.parametrize("name", some(GAMES, "craps"))
def test_every_bet_of_every_game_returns_what_its_par_sheet_says(name: str) -> None:
    """The side games that could be added to it as well, and Power Odds where the game has them."""
    missing = set(par(name))
    for plays in players(name):
        sessions = FEW_SESSIONS if plays.name.startswith(SETS) else SESSIONS
        result = simulate(Lab(table_for(name, plays.name), plays, Terms(10**12, ROLLS), SEED), sessions)
        for bet in result.bets.keys() & missing:
            check(par(name)[bet], result.bets[bet])
            missing.remove(bet)
    assert not missing


def check(bet: BetSheet, tally: BetTally) -> None:
    stake = Fraction(tally.handle_cents, tally.wagers)
    assert all((stake * way.net).denominator == 1 for way in bet.results), "no cent is lost by rounding"
    assert tally.rtp is not None
    low, high = limits(bet.results, tally.wagers)
    assert low < float(tally.rtp) < high, (bet.bet, tally.wagers, low, float(tally.rtp), high)


def test_the_interval_has_teeth() -> None:
    """A Pass line that paid 1% more would be found, and so would Power Odds that never show."""
    line, horn = par("craps")["pass"], par("roll-to-win")["horn"]
    wagers = SESSIONS * ROLLS * 165 // 557  # a Pass wager takes 557/165 rolls
    assert limits(line.results, wagers)[0] > float(line.rtp) - 0.01
    assert horn.power_odds is not None
    assert limits(horn.results, SESSIONS * ROLLS)[0] > float(horn.power_odds.rtp_never_shown)


def test_the_bound_is_chernoffs() -> None:
    """For a fair coin the limits are where the divergence from 1/2 is the logarithm of the chance."""
    coin = [way for way in par("craps")["field"].results[:1] for _ in range(2)]
    fair = [
        replace(coin[0], net=Fraction(1), chance=Fraction(1, 2)),
        replace(coin[1], net=Fraction(-1), chance=Fraction(1, 2)),
    ]
    low, high = limits(fair, 1000)
    wins = high / 2
    divergence = wins * log(2 * wins) + (1 - wins) * log(2 * (1 - wins))
    assert divergence == pytest.approx(log(2 * bets_of_all_games() / FAMILY) / 1000, rel=1e-6)
    assert low == pytest.approx(2 - high, rel=1e-6)


# --- The interval of the estimate. Declared before the dice were thrown: the seeds, and four standard errors.

SEEDS = range(5_000, 5_400)
BRIEF = Terms(30_000, 60, stop_loss_cents=20_000, win_goal_cents=10_000)


@pytest.mark.parametrize("name", some(["three-point-molly", "dont-side", "place-six-eight"], "place-six-eight"))
def test_the_interval_of_a_return_covers_the_par_value_as_often_as_it_says(name: str) -> None:
    """In short sessions that stop at a loss or a win, with wagers of one bet that share their dice: 95% of 95%
    intervals. An estimate that dropped the wagers left at the end would miss far more often."""
    first = Lab(layouts.lay_out(always_working("craps")), strategy(name), BRIEF, 0)
    explorer = LabPlayer(first).explorer
    covered, seen = Counter[str](), Counter[str]()
    for seed in SEEDS:
        lab = first._replace(seed=seed)
        result = SimResult()
        result.add(LabPlayer(lab, explorer).play(0, 250))
        for bet, tally in result.bets.items():
            assert tally.rtp is not None
            seen[bet] += 1
            covered[bet] += abs(float(tally.rtp - par("craps")[bet].rtp)) <= tally.rtp_error()
    assert len(seen) >= 2
    for bet, times in seen.items():
        assert times == len(SEEDS)
        assert abs(covered[bet] / times - 0.95) < 4 * sqrt(0.95 * 0.05 / times), (bet, covered[bet])


def test_without_two_sessions_there_is_no_interval() -> None:
    assert BetTally().rtp is None
    assert BetTally(3, 3000, 2000, 1, 9, 4, 6).rtp_error() == inf
    assert BetTally(0, 0, -100, 2, 0, 5000, 0).rtp is None


# --- What is counted ---


def test_a_tally_counts_wagers_stakes_and_what_came_back() -> None:
    """Pass $10 wins $10 on a natural and loses on craps; left with a point of 6, it is followed to its 7. Odds of
    $20 on the 6 are lost with it."""
    tally: Tally = {}
    dice = [Roll.parse(each) for each in ["4-3", "1-1", "4-2", "3-2", "6-6", "4-3"]]
    outcome = session(Table(laid("craps"), strategy("pass-odds")), Terms(10_000, 4), dice, tally=tally)
    assert outcome.net_cents == 0
    assert tally == {"pass": (3, 3000, 2000), "pass.odds": (1, 2000, 0)}


def test_a_push_is_a_wager_decided_that_came_back() -> None:
    tally: Tally = {}
    session(Table(laid("craps"), strategy("dont-pass")), Terms(10_000, 1), [Roll(6, 6)], tally=tally)
    assert tally == {"dont_pass": (1, 1000, 1000)}


def test_an_upfront_fee_is_less_back() -> None:
    """Buy 4 for $20 with $1 beside: it wins $40."""
    buys = Strategy("buy", (flat("buy.4", 2000),))
    tally: Tally = {}
    session(Table(laid("craps"), buys), Terms(10_000, 2), [Roll(6, 5), Roll(1, 3)], tally=tally)
    assert tally["buy.4"] == (1, 2000, 2000 + 4000 - 100)


@pytest.mark.parametrize("game", GAMES)
def test_what_bets_win_is_what_equity_gains(game: str) -> None:
    """Roll by roll, whatever is bet, taken or switched."""
    for seed in range(6):
        table = Table(laid(game), random_strategy(game, seed))
        equity = 40_000
        betted = table.bet(table.sit_down(), equity)
        for roll, _ in zip(session_rolls(seed, 1), range(60), strict=False):
            settled = table.roll(betted.standing, roll)
            assert settled.change_cents == sum(score.back_cents - score.stake_cents for score in settled.scores)
            equity += settled.change_cents
            betted = table.bet(settled.standing, equity - settled.standing.felt.worth_cents)


def test_tallies_added_are_the_tally_of_all() -> None:
    lab = Lab(laid("roll-to-win"), strategy("busy"), Terms(20_000, 60), seed=2)
    whole, parts = simulate(lab, 300), SimResult()
    player = LabPlayer(lab)
    for first, last in ((200, 300), (0, 50), (50, 200)):
        part = SimResult()
        part.add(player.play(first, last))
        parts.merge(part)
    assert parts.bets == whole.bets
    assert parts.digest() == whole.digest()
    whole.bets["pass"].wagers += 1
    assert parts.digest() != whole.digest()


def test_squares_beyond_64_bits_stay_exact() -> None:
    much = np.array([3_037_000_500] * 5, np.int64)
    tally = BetTally()
    tally.add(np.ones(5, np.int64), much, -much)
    assert (tally.handle_squares, tally.back_squares) == (5 * 3_037_000_500**2,) * 2
    assert tally.handle_by_back == -5 * 3_037_000_500**2
