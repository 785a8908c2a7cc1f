"""What is registered from outside is there while its block runs, and gone afterwards."""

from __future__ import annotations

import pytest

from stickman.rules.bets import catalogue, families
from stickman.rules.paytable import pay_tables
from stickman.rules.settings import load, settings
from stickman.rules.side_games import REGISTRY
from tests.planted import planted


def test_a_registered_bet_and_side_game_are_gone_when_the_block_ends() -> None:
    before = (REGISTRY.copy(), families(), catalogue(load("craps")), load("craps"))
    keys = [setting.key for setting in settings(load("craps"))]
    with planted():
        assert "hi_lo" in families()
        assert {"hi_lo", "hard_road"} <= {bet.id for bet in catalogue(load("craps"))}
        assert list(pay_tables("hard_road")) == ["road"]
    assert (REGISTRY, families(), catalogue(load("craps")), load("craps")) == before
    assert [setting.key for setting in settings(load("craps"))] == keys


def test_a_name_is_registered_once() -> None:
    with planted(), pytest.raises(AssertionError, match="registered already"), planted():
        pass
