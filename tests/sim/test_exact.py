"""Sessions without dice: published values, every roll enumerated, and the simulation beside them."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import isclose, sqrt

import pytest

from stickman.rules.dice import ROLLS
from stickman.sim.exact import TooLarge, exact
from stickman.sim.library import strategy
from stickman.sim.play import Ending, Game, session
from stickman.sim.run import Lab, simulate
from stickman.sim.strategy import Terms
from tests.sim.seated import layout


def lab(name: str, terms: Terms, game: str = "craps") -> Lab:
    return Lab(layout(game), strategy(name), terms, seed=6)


@pytest.mark.parametrize(("rolls", "ruin"), [(512, 0.133931408429), (500, 0.128592044014337)])
def test_the_chance_of_ruin_on_pass_with_twenty_units(rolls: int, ruin: float) -> None:
    """Computed apart, by powers of the transition matrix of Pass and twenty units."""
    assert isclose(exact(lab("pass", Terms(20_000, rolls))).chance(Ending.RUIN), ruin, abs_tol=1e-12)


def test_ten_units_against_ten_is_the_gamblers_ruin() -> None:
    """A unit is won with 244 chances in 495: ruin is r^10 / (1 + r^10) with r = 251 / 244."""
    answer = exact(lab("pass", Terms(10_000, 20_000, win_goal_cents=10_000)))
    ratio = Fraction(251, 244) ** 10
    assert isclose(answer.chance(Ending.RUIN), ratio / (1 + ratio), abs_tol=1e-12)
    assert isclose(answer.chance(Ending.RUIN), 0.570244099190069, abs_tol=1e-12)
    assert answer.rtp is not None
    assert isclose(answer.rtp, 1 - Fraction(7, 495), abs_tol=1e-12)


def test_the_mean_of_many_passes_is_the_edge_of_what_was_decided() -> None:
    """The field is decided on every roll: 500 rolls cost 500 times 1/18 of the stake."""
    answer = exact(lab("field", Terms(1_000_000, 500)))
    assert isclose(answer.mean_cents, -500 * 1000 / 18, rel_tol=1e-9)
    assert isclose(answer.mean_handle_cents, 500 * 1000)
    assert answer.mean_rolls == pytest.approx(500)


CASES = [
    ("busy", Terms(5_000, 2), "craps"),
    ("busy", Terms(7_000, 2, win_goal_cents=1_000), "roll-to-win"),
    ("iron-cross", Terms(4_000, 2, stop_loss_cents=1_500), "craps"),
    ("pass-full-odds", Terms(3_100, 2), "roll-to-win"),
    ("martingale", Terms(3_000, 2), "crapless"),
    ("buy-four-ten", Terms(4_250, 2), "craps"),
    ("lucky-roller", Terms(3_300, 2), "easy"),
    ("pass", Terms(900, 2), "craps"),
]


def enumerated(case: Lab) -> dict[tuple[Ending, int], Fraction]:
    """Every run of rolls, played on the felt."""
    found: dict[tuple[Ending, int], Fraction] = defaultdict(Fraction)
    for rolls in product(ROLLS, repeat=case.terms.rolls_max):
        outcome = session(Game(case.layout, case.strategy), case.terms, rolls)
        found[outcome.ending, outcome.net_cents + case.terms.bankroll_cents] += Fraction(1, 36**2)
    return found


@pytest.mark.parametrize(("name", "terms", "game"), CASES)
def test_exact_chances_are_those_of_every_roll_enumerated(name: str, terms: Terms, game: str) -> None:
    case = lab(name, terms, game)
    found = enumerated(case)
    answer = exact(case)
    assert answer.chances.keys() == found.keys()
    for key, chance in found.items():
        assert isclose(answer.chances[key], chance, abs_tol=1e-14), key


@pytest.mark.parametrize(
    ("name", "terms"),
    [
        ("pass-odds", Terms(20_000, 200)),
        ("martingale", Terms(50_000, 200, win_goal_cents=30_000)),
        ("place-six-eight", Terms(10_000, 150, stop_loss_cents=9_000)),
    ],
)
def test_a_simulation_agrees_with_the_exact_answer(name: str, terms: Terms) -> None:
    """Five standard errors, set before the dice were thrown."""
    sessions = 60_000
    answer, result = exact(lab(name, terms)), simulate(lab(name, terms), sessions)
    for ending in Ending:
        chance = answer.chance(ending)
        error = sqrt(chance * (1 - chance) / sessions)
        assert abs(result.endings[ending] / sessions - chance) <= 5 * error + 1e-12
    assert abs(result.mean_cents - Fraction(answer.mean_cents)) < 5 * answer.sd_cents / sqrt(sessions)
    assert abs(result.rolls_total / sessions - answer.mean_rolls) < 5 * terms.rolls_max / sqrt(sessions)


def test_chances_add_up_to_one() -> None:
    answer = exact(lab("busy", Terms(60_000, 300, 30_000, 30_000)))
    assert isclose(sum(answer.net.values()), 1, abs_tol=1e-12)
    assert answer.chance(Ending.RUIN) == 0


def test_what_has_too_many_states_is_told() -> None:
    case = lab("power-press", Terms(50_000, 100))._replace(states_max=200)
    with pytest.raises(TooLarge, match=r"power-press has more than 200 states .* without --exact"):
        exact(case)
