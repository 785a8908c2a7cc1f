"""Sessions on their way: cut short at a roll, they stand where whole ones stood."""

from __future__ import annotations

from collections import Counter

import pytest

from stickman.sim import fan as fans
from stickman.sim.fan import ENDED, fan
from stickman.sim.library import strategy
from stickman.sim.play import SessionEnding
from stickman.sim.result import percentile
from stickman.sim.run import Lab, simulate
from stickman.sim.strategy import Terms
from tests.talk.games import laid

TERMS = Terms(20_000, 90, stop_loss_cents=15_000, win_goal_cents=10_000)


def a_lab(name: str = "iron-cross", game: str = "craps", terms: Terms = TERMS) -> Lab:
    return Lab(laid(game), strategy(name), terms, seed=5)


@pytest.mark.parametrize(
    "lab",
    [a_lab(), a_lab("busy", "roll-to-win"), a_lab("martingale", terms=Terms(9_000, 70))],
    ids=lambda lab: lab.strategy.name,
)
def test_a_session_cut_short_stands_where_the_whole_one_stood(lab: Lab) -> None:
    """Played by the table up to each roll, and on the felt once with every roll noted."""
    rolls = [1, 2, 3, 10, 50, lab.terms.rolls_max]
    cut = list(fans._cut(lab, 30, rolls))
    assert cut == fans._on_felt(lab, 30, rolls)
    assert len(set(map(str, cut))) == len(rolls), "nothing happened between two rolls"


def test_a_cut_between_two_words_of_dice_is_like_any_other() -> None:
    """A word makes eight rolls; with so much money nothing ends a session but its last roll."""
    lab = a_lab("pass", terms=Terms(1_000_000, 64))
    rolls = [7, 8, 9, 16, 24, 63, 64]
    assert list(fans._cut(lab, 300, rolls)) == fans._on_felt(lab, 300, rolls)


def test_the_last_checkpoint_is_the_result() -> None:
    result = simulate(a_lab(), 300)
    found = fan(a_lab(), result)
    assert found.sessions == 300
    last = found.checkpoints[-1]
    equities = Counter({net + 20_000: times for net, times in result.net.items()})
    assert last.roll == 90
    assert last.bands == {percent: percentile(equities, percent) for percent in (5, 25, 50, 75, 95)}
    assert last.ended == {why: result.endings[why] for why in ENDED}


def test_ended_sessions_stay_ended() -> None:
    found = fan(a_lab(), simulate(a_lab(), 300)).checkpoints
    assert found[0].ended == dict.fromkeys(ENDED, 0)
    assert set(found[0].bands.values()) == {20_000}
    for why in ENDED:
        counts = [each.ended[why] for each in found]
        assert counts == sorted(counts)
    assert found[-1].ended[SessionEnding.STOP_LOSS] > found[len(found) // 2].ended[SessionEnding.STOP_LOSS] > 0


def test_only_as_many_sessions_are_followed_as_are_quickly_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fans, "ROLLS_MAX", 200 * sum(fans._rolls(90)))
    assert fan(a_lab(), simulate(a_lab(), 300)).sessions == 200


def test_what_no_table_holds_is_followed_on_the_felt() -> None:
    """A table of four states holds no session of Iron Cross, and the fan is the same."""
    lab = a_lab()._replace(states_max=4)
    result = simulate(lab, 40)
    assert result.on_felt == 40
    assert fan(lab, result) == fan(a_lab(), simulate(a_lab(), 40))
