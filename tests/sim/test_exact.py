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
from stickman.sim.play import PlayedGame, SessionEnding, session
from stickman.sim.run import Lab, simulate
from stickman.sim.strategy import Terms
from tests.talk.games import laid
from tests.talk.parameters import some


def lab(name: str, terms: Terms, game: str = "craps") -> Lab:
    return Lab(laid(game), strategy(name), terms, seed=6)


@pytest.mark.parametrize(("rolls", "ruin"), [(512, 0.133931408429), (500, 0.128592044014337)])
def test_the_chance_of_ruin_on_pass_with_twenty_units(rolls: int, ruin: float) -> None:
    """Computed apart, by powers of the transition matrix of Pass and twenty units."""
    assert isclose(exact(lab("pass", Terms(20_000, rolls))).chance(SessionEnding.RUIN), ruin, abs_tol=1e-12)


def test_ten_units_against_ten_is_the_gamblers_ruin() -> None:
    """A unit is won with 244 chances in 495: ruin is r^10 / (1 + r^10) with r = 251 / 244."""
    answer = exact(lab("pass", Terms(10_000, 20_000, win_goal_cents=10_000)))
    ratio = Fraction(251, 244) ** 10
    assert isclose(answer.chance(SessionEnding.RUIN), ratio / (1 + ratio), abs_tol=1e-12)
    assert isclose(answer.chance(SessionEnding.RUIN), 0.570244099190069, abs_tol=1e-12)
    assert answer.rtp is not None
    assert isclose(answer.rtp, 1 - Fraction(7, 495), abs_tol=1e-12)


def test_the_mean_of_many_passes_is_the_edge_of_what_was_decided() -> None:
    """The field is decided on every roll: 500 rolls cost 500 times 1/18 of the stake."""
    answer = exact(lab("field", Terms(1_000_000, 500)))
    assert isclose(answer.mean_cents, -500 * 1000 / 18, rel_tol=1e-9)
    assert isclose(answer.mean_handle_cents, 500 * 1000)
    assert answer.mean_rolls == pytest.approx(500)


CASES: list[tuple[str, Terms, str]] = [
    ("busy", Terms(5_000, 2), "craps"),
    ("busy", Terms(7_000, 2, win_goal_cents=1_000), "roll-to-win"),
    ("iron-cross", Terms(4_000, 2, stop_loss_cents=1_500), "craps"),
    ("pass-full-odds", Terms(3_100, 2), "roll-to-win"),
    ("martingale", Terms(3_000, 2), "crapless"),
    ("buy-four-ten", Terms(4_250, 2), "craps"),
    ("lucky-roller", Terms(3_300, 2), "easy"),
    ("pass", Terms(900, 2), "craps"),
]


def enumerated(case: Lab) -> dict[tuple[SessionEnding, int], Fraction]:
    """Every run of rolls, played on the felt."""
    found: dict[tuple[SessionEnding, int], Fraction] = defaultdict(Fraction)
    for rolls in product(ROLLS, repeat=case.terms.rolls_max):
        outcome = session(PlayedGame(case.layout, case.strategy), case.terms, rolls)
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
    for ending in SessionEnding:
        chance = answer.chance(ending)
        error = sqrt(chance * (1 - chance) / sessions)
        assert abs(result.endings[ending] / sessions - chance) <= 5 * error + 1e-12
    assert abs(result.mean_cents - Fraction(answer.mean_cents)) < 5 * answer.sd_cents / sqrt(sessions)
    assert abs(result.rolls_total / sessions - answer.mean_rolls) < 5 * terms.rolls_max / sqrt(sessions)


def test_chances_add_up_to_one() -> None:
    answer = exact(lab("busy", Terms(60_000, 300, 30_000, 30_000)))
    assert isclose(sum(answer.net.values()), 1, abs_tol=1e-12)
    assert answer.chance(SessionEnding.RUIN) == 0


def test_what_has_too_many_states_is_told() -> None:
    case = lab("power-press", Terms(50_000, 100))._replace(states_max=200)
    with pytest.raises(TooLarge, match=r"power-press has more than 200 states .* without --exact"):
        exact(case)


# --- The deepest fall ---


def falls_enumerated(case: Lab) -> dict[int, Fraction]:
    found: dict[int, Fraction] = defaultdict(Fraction)
    for rolls in product(ROLLS, repeat=case.terms.rolls_max):
        outcome = session(PlayedGame(case.layout, case.strategy), case.terms, rolls)
        found[outcome.drawdown_cents] += Fraction(1, 36**case.terms.rolls_max)
    return found


@pytest.mark.parametrize(("name", "terms", "game"), some([*CASES, ("pass", Terms(1_900, 3), "craps")], *CASES[2:6]))
def test_exact_falls_are_those_of_every_roll_enumerated(name: str, terms: Terms, game: str) -> None:
    case = lab(name, terms, game)
    found, answer = falls_enumerated(case), exact(case, drawdown=True).drawdown
    assert answer is not None
    assert answer.keys() == found.keys()
    for fall, chance in found.items():
        assert isclose(answer[fall], chance, abs_tol=1e-13), fall


@pytest.mark.parametrize(
    ("name", "terms"),
    [
        ("pass", Terms(10_000, 120)),
        ("pass-odds", Terms(1_000_000, 60)),
        ("martingale", Terms(20_000, 80, win_goal_cents=10_000)),
        ("place-six-eight", Terms(8_000, 100, stop_loss_cents=4_000, win_goal_cents=3_000)),
    ],
)
def test_simulated_falls_agree_with_the_exact_ones(name: str, terms: Terms) -> None:
    """Every chance to fall so deep within five standard errors, set before the dice were thrown."""
    sessions = 60_000
    answer, result = exact(lab(name, terms), drawdown=True).drawdown, simulate(lab(name, terms), sessions)
    assert answer is not None
    assert isclose(sum(answer.values()), 1, abs_tol=1e-9)
    for depth in answer:
        chance = sum(c for fall, c in answer.items() if fall >= depth)
        deeper = sum(times for fall, times in result.drawdown.items() if fall >= depth)
        assert abs(deeper / sessions - chance) <= 5 * sqrt(max(0, chance * (1 - chance)) / sessions) + 1e-4, depth


def test_the_drawdown_is_found_only_if_asked_for() -> None:
    assert exact(lab("pass", Terms(5_000, 20))).drawdown is None
    assert exact(lab("pass", Terms(900, 20)), drawdown=True).drawdown == {0: 1.0}


def test_falls_that_are_too_many_are_told() -> None:
    with pytest.raises(TooLarge, match="too long for an exact drawdown; set a nearer stop loss"):
        exact(lab("pass-odds", Terms(400_000, 3_000)), drawdown=True)


# --- Power Odds ---


@pytest.mark.parametrize("name", ["hardways", "horn"])
def test_exact_power_odds_agree_with_the_simulation(name: str) -> None:
    """Five standard errors, set before the dice were thrown."""
    case = Lab(laid("roll-to-win"), strategy(name), Terms(10_000, 30, 5_000, 9_000), seed=6)
    sessions = 60_000
    answer, result = exact(case), simulate(case, sessions)
    assert isclose(sum(answer.net.values()), 1, abs_tol=1e-12)
    assert abs(result.mean_cents - Fraction(answer.mean_cents)) < 5 * answer.sd_cents / sqrt(sessions)
    for ending in SessionEnding:
        chance = answer.chance(ending)
        error = sqrt(chance * (1 - chance) / sessions)
        assert abs(result.endings[ending] / sessions - chance) <= 5 * error + 1e-12


def test_one_roll_with_power_odds_is_the_printed_chart() -> None:
    """$4 on the Horn for one roll, by hand: 27:4 and 3:1 plainly, 21:2 and 57:4 or 19:4 and 27:4 when shown."""
    case = Lab(laid("roll-to-win"), strategy("horn"), Terms(100_000, 1), seed=1)
    answer = exact(case).net
    seven = 200 * 4  # the 7 pays 4 to 1, and shows 6 or 8 to 1
    by_hand = {-600: 24 / 36, -200 + 1200: 4 / 36 * 11 / 12, -200 + 1900: 4 / 36 / 24, -200 + 2700: 4 / 36 / 24}
    by_hand[-200 + 2700] += 2 / 36 * 11 / 12
    by_hand |= {-200 + 4200: 2 / 36 / 24, -200 + 5700: 2 / 36 / 24}
    by_hand |= {-400 + seven: 6 / 36 * 11 / 12, -400 + 1200: 6 / 36 / 24, -400 + 1600: 6 / 36 / 24}
    assert answer.keys() == by_hand.keys()
    for net, chance in by_hand.items():
        assert isclose(answer[net], chance, abs_tol=1e-14), net
