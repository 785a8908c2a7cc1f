from fractions import Fraction as F  # noqa: N817 - as short as a fraction bar

import pytest

from stickman.par.chain import Chain, Ending, NeverEnds, knots, rolls_to_end, solve
from stickman.par.measure import chains, ends_as_played
from stickman.par.sheet import full_layout
from stickman.rules import layout as layouts
from stickman.rules.machine import Decided, Stake
from stickman.rules.settings import GAMES, load

WIN = Ending(Decided.WIN, None, Stake.RETURNED)
LOSE = Ending(Decided.LOSE, None, Stake.TAKEN)


def test_a_single_state_ends_as_its_rolls_weigh() -> None:
    """Place 6: five ways to win, six to lose, the rest wait."""
    solution = solve((((WIN, 5), (LOSE, 6), (0, 25)),))
    assert solution.endings == {WIN: F(5, 11), LOSE: F(6, 11)}
    assert solution.mean_rolls == F(36, 11)


def test_states_that_lead_to_each_other_are_solved_together() -> None:
    """A walk of three states: from the middle it is even, and takes as long as its own equation says."""
    chain: Chain = (((1, 18), (2, 18)), ((WIN, 18), (0, 18)), ((LOSE, 18), (0, 18)))
    solution = solve(chain)
    assert solution.endings == {WIN: F(1, 2), LOSE: F(1, 2)}
    assert solution.mean_rolls == 4  # m = 1 + n and n = 1 + m / 2


def test_knots_come_after_all_that_they_lead_to() -> None:
    chain: Chain = (((1, 36),), ((2, 18), (3, 18)), ((1, 36),), ((WIN, 36),))
    assert [sorted(knot) for knot in knots(chain)] == [[3], [1, 2], [0]]


@pytest.mark.parametrize("chain", [(((0, 36),),), (((1, 18), (WIN, 18)), ((1, 36),)), (((1, 36),), ((0, 36),))])
def test_a_chain_that_need_not_end_is_found(chain: Chain) -> None:
    with pytest.raises(NeverEnds):
        solve(chain)


@pytest.mark.parametrize("name", GAMES)
def test_every_machine_ends_with_probability_1_while_working(name: str) -> None:
    layout = full_layout(load(name))
    for bet in layout.bets.values():
        weighted = chains(layout, bet)
        assert sum(weight for _, weight in weighted) == 1
        for chain, _ in weighted:
            assert sum(solve(chain).endings.values()) == 1


@pytest.mark.parametrize("name", ["roll-to-win", "shoot-to-win"])
def test_bets_that_rest_on_come_outs_end_too(name: str) -> None:
    layout = layouts.lay_out(load(name))
    resting = [bet for bet in layout.bets.values() if bet.rests_on_come_out]
    assert len(resting) == 24  # come odds, place, buy on six numbers; four hard ways, two bigs
    for bet in resting:
        assert sum(ends_as_played(layout, bet).chances.values()) == 1


def test_the_rolls_to_the_end_add_up_to_the_chance_of_ending() -> None:
    chances = rolls_to_end((((WIN, 5), (LOSE, 6), (0, 25)),), 200)
    assert chances[0] == F(11, 36)
    assert chances[1] == F(25, 36) * F(11, 36)
    assert 1 - sum(chances) == F(25, 36) ** 200


def test_the_mean_of_the_rolls_to_the_end_is_the_mean_number_of_rolls() -> None:
    layout = layouts.lay_out(load("craps"))
    [(chain, _)] = chains(layout, layout.bets["pass"])
    chances = rolls_to_end(chain, 300)
    mean = sum(rolls * chance for rolls, chance in enumerate(chances, 1))
    assert 0 < F(557, 165) - mean < F(1, 10**20)
