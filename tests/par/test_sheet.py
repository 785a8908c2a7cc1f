from fractions import Fraction as F  # noqa: N817 - as short as a fraction bar

import pytest

from stickman.par.sheet import BetSheet, Request, Sheet, sheet
from stickman.rules.paytable import pay_tables
from stickman.rules.settings import GAMES, change, load


@pytest.fixture(scope="module", params=GAMES)
def game_sheet(request: pytest.FixtureRequest) -> Sheet:
    return sheet(load(request.param))


def everything(made: Sheet) -> list[BetSheet]:
    return [*made.bets, *made.other_paytables]


def test_results_are_a_distribution_and_give_the_measures(game_sheet: Sheet) -> None:
    for bet in everything(game_sheet):
        assert sum(result.chance for result in bet.results) == 1, bet.bet
        mean = sum(result.chance * result.net for result in bet.results)
        assert bet.edge_per_bet_made == -mean
        assert bet.rtp == 1 + mean
        assert bet.edge_per_roll == bet.edge_per_bet_made / bet.mean_rolls
        assert bet.variance == sum(r.chance * (r.net - mean) ** 2 for r in bet.results)


def test_every_side_game_is_on_the_sheet_with_every_pay_table(game_sheet: Sheet) -> None:
    tables = {(bet.bet, bet.paytable) for bet in everything(game_sheet)}
    kinds = {
        "lucky_roller": "lucky_roller.all",
        "bonus_craps": "bonus.all",
        "hot_shooter": "hot_shooter",
        "make_em_all": "make_em_all",
        "fired_up": "fired_up",
    }
    for kind, bet in kinds.items():
        assert {(bet, name) for name in pay_tables(kind)} <= tables
    assert ("lucky_shooter", "standard") in tables or game_sheet.game in ("crapless", "easy")
    assert len(tables) == len(everything(game_sheet))


def test_every_bet_cites_its_sources(game_sheet: Sheet) -> None:
    for bet in everything(game_sheet):
        assert bet.source
        assert all(result.source for result in bet.results)


def test_only_what_the_game_offers_is_marked_offered() -> None:
    made = sheet(load("craps"))
    offered = {bet.bet for bet in made.bets if bet.offered}
    assert "lucky_shooter" in offered
    assert "hot_shooter" not in offered
    assert not any(bet.offered for bet in made.other_paytables)


def test_nothing_in_the_five_games_returns_less_than_75_percent(game_sheet: Sheet) -> None:
    assert {bet.bet: bet.flags for bet in everything(game_sheet) if bet.flags} == {}


def test_a_bet_that_returns_less_than_75_percent_is_flagged() -> None:
    game = change(load("craps"), "fired_up.seed_cents", "1000000")
    [bet] = sheet(game, Request(bet="fired_up")).bets
    assert bet.flags == ["returns under 75%"]


def test_a_progressive_scales_with_its_base_unit() -> None:
    small, large = (
        sheet(change(load("craps"), "make_em_all.base_cents", base), Request(bet="make_em_all")).bets[0].progressive
        for base in ("100", "500")
    )
    assert small
    assert large
    assert large.reset_cents == 5 * small.reset_cents
    assert large.rtp_at_reset == small.rtp_at_reset
    assert large.rtp_per_10000_dollars == small.rtp_per_10000_dollars / 5
    assert large.break_even_cents == 5 * small.break_even_cents


def test_resting_on_come_outs_slows_a_bet_and_changes_no_edge_per_bet() -> None:
    made = {bet.bet: bet for bet in sheet(load("shoot-to-win")).bets}
    place = made["place.6"]
    assert place.as_played
    assert place.as_played.edge_per_bet_made == place.edge_per_bet_made
    assert place.as_played.mean_rolls > place.mean_rolls
    assert place.as_played.edge_per_roll < place.edge_per_roll
    assert made["lay.6"].as_played is None
    assert all(bet.as_played is None for bet in sheet(load("craps")).bets)


def test_come_odds_that_rest_are_sometimes_returned() -> None:
    """They last as long as their flat bet and hit less often, and stay fair."""
    made = {bet.bet: bet for bet in sheet(load("shoot-to-win")).bets}
    odds = made["come.6.odds"]
    assert odds.as_played
    assert odds.as_played.mean_rolls == odds.mean_rolls
    assert odds.as_played.hit_rate < odds.hit_rate
    assert odds.as_played.edge_per_bet_made == 0


def test_the_policy_in_play_is_marked() -> None:
    for name, take in (("craps", "5x"), ("roll-to-win", "3-4-5x"), ("shoot-to-win", "2x")):
        [flat] = sheet(load(name), Request(bet="pass")).bets
        assert [line.odds for line in flat.combined if line.in_play] == [take]
    [flat] = sheet(load("shoot-to-win"), Request(bet="dont_come")).bets
    assert [(line.odds, line.limit) for line in flat.combined if line.in_play] == [("2x", "win")]


def test_plain_values_are_exact_and_complete() -> None:
    plain = sheet(load("craps"), Request(bet="pass")).plain()
    assert plain["game"] == "craps"
    [bet] = plain["bets"]
    assert bet["edge_per_bet_made"] == "7/495"
    assert bet["mean_rolls"] == "557/165"
    assert F(bet["rtp"]) == F(488, 495)
