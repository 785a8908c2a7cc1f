"""Every spot says where on the felt it is and what is printed there, so that screens know no bet by its id."""

from __future__ import annotations

import pytest

from stickman.rules import layout as layouts
from stickman.rules.settings import GAMES, load
from stickman.rules.spots import FeltSpot, spots

ZONES = {
    "pass_line", "pass_line_odds", "dont_pass_bar", "dont_pass_odds", "come_box", "dont_come_box", "field_strip",
    "field_left", "field_right", "corner_6", "corner_8", "big_small_left", "big_small_right", "number_lay",
    "number_against", "number_dont_come", "number_dont_come_odds", "number_come", "number_come_odds",
    "number_place", "number_buy", "props_hard", "props_wide", "props_dice", "props_small", "hops", "side",
}  # fmt: skip


def felt(game: str) -> dict[str, FeltSpot]:
    return {each.spot: each for each in spots(layouts.lay_out(load(game)))}


@pytest.mark.parametrize("game", GAMES)
def test_every_spot_of_a_game_has_a_zone_that_screens_know(game: str) -> None:
    layout = layouts.lay_out(load(game))
    found = felt(game)
    assert set(found) == set(layout.bet_on)
    assert {each.zone for each in found.values()} <= ZONES
    assert all(layout.bet_on[each.spot].id == each.bet for each in found.values())


def test_a_come_wager_travels_to_a_spot_with_its_number_and_its_odds_name_that_spot() -> None:
    there, odds = felt("craps")["come.6"], felt("craps")["come.6.odds"]
    assert (there.bet, there.zone, there.number, there.word) == ("come", "number_come", 6, "come_small")
    assert (odds.zone, odds.number, odds.odds_of) == ("number_come_odds", 6, "come.6")
    assert felt("craps")["pass.odds"].odds_of == "pass"


def test_hard_ways_hops_and_horn_numbers_have_their_dice_printed() -> None:
    found = felt("shoot-to-win")
    dice = {spot: found[spot].dice for spot in ("hard.8", "horn.3", "hop.1-3", "dont_pass")}
    assert dice == {"hard.8": (4, 4), "horn.3": (1, 2), "hop.1-3": (1, 3), "dont_pass": (6, 6)}


def test_a_beginner_finds_seven_bets_in_a_list_and_every_place_bet_on_the_felt() -> None:
    found = felt("craps")
    listed = {each.beginner: spot for spot, each in found.items() if each.beginner}
    wanted = ("pass", "pass.odds", "place.6", "place.8", "place.5", "place.4", "field")
    assert tuple(listed[n] for n in sorted(listed)) == wanted
    easy = {spot for spot, each in found.items() if each.easy}
    assert easy == {"pass", "pass.odds", "field", *(f"place.{n}" for n in (4, 5, 6, 8, 9, 10))}


def test_side_games_say_what_they_collect_count_and_climb() -> None:
    low, shooter = felt("craps")["lucky_roller.low"], felt("craps")["lucky_shooter"]
    assert (low.game, low.game_title, low.collects) == ("lucky_roller", "Lucky Roller", (2, 3, 4, 5, 6))
    assert (low.climbs, low.flashes_puck) == (False, True)
    assert (shooter.climbs, shooter.own_point, shooter.collects) == (True, True, (4, 5, 6, 8, 9, 10))
    hot = felt("shoot-to-win")["hot_shooter"]
    assert (hot.climbs, hot.counts_rolls, hot.collects) == (True, True, ())
