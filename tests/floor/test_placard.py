"""What a placard says is what the game does."""

from __future__ import annotations

from fractions import Fraction

import pytest

from stickman.floor.placard import Placard, placard
from stickman.par.sheet import Request, sheet
from stickman.rules.game import Game, change, load
from stickman.rules.layout import compile as lay_out

GAMES = ("craps", "crapless", "easy", "roll-to-win", "shoot-to-win")


def explained(game: Game) -> Placard:
    return placard(lay_out(game))


@pytest.mark.parametrize("name", GAMES)
def test_every_spot_of_the_felt_has_its_bet_and_every_bet_its_card(name: str) -> None:
    layout = lay_out(load(name))
    found = placard(layout)
    assert set(found.spots) == {state.spot for state in layout.states}
    assert set(found.spots.values()) == set(found.bets) == set(layout.bets)
    assert all(card.pays for card in found.bets.values())


@pytest.mark.parametrize("bet", ["pass", "place.6", "hard.8", "horn", "lucky_shooter"])
def test_edges_are_those_of_the_par_sheet(bet: str) -> None:
    game = load("craps")
    [exact] = sheet(game, Request(bet=bet)).bets
    card = explained(game).bets[bet]
    told = (card.edge_per_bet_made, card.edge_per_roll, card.hit_rate, card.mean_rolls)
    measured = (exact.edge_per_bet_made, exact.edge_per_roll, exact.hit_rate, exact.mean_rolls)
    assert tuple(map(Fraction, told)) == measured


def test_pays_that_read_the_same_are_one_line() -> None:
    field = explained(load("craps")).bets["field"]
    assert [(line.pays, line.on) for line in field.pays] == [
        ("1 to 1", ("3", "4", "9", "10", "11")),
        ("2 to 1", ("2", "12")),
    ]
    assert field.one_roll
    [stage] = field.stages
    assert stage.loses_on == ("5", "6", "7", "8")


def test_a_travelling_bet_says_where_it_goes() -> None:
    come = explained(load("craps")).bets["come"]
    box, *points = come.stages
    assert (box.wins_on, box.loses_on, box.moves_on) == (
        ("7", "11"),
        ("2", "3", "12"),
        ("4", "5", "6", "8", "9", "10"),
    )
    assert [(stage.spot, stage.wins_on, stage.loses_on) for stage in points[:1]] == [("come.4", ("4",), ("7",))]


def test_a_commission_is_told_with_when_it_is_taken() -> None:
    upfront = explained(change(load("craps"), "buy.when", "upfront")).bets["buy.4"]
    on_win = explained(change(load("craps"), "buy.when", "on_win")).bets["buy.4"]
    assert (upfront.commission, on_win.commission) == ("upfront", "on_win")
    assert Fraction(upfront.commission_rate) == Fraction(on_win.commission_rate) == Fraction(1, 20)


def test_power_odds_are_told_with_their_group() -> None:
    plain = explained(change(load("roll-to-win"), "power_odds.on", "false"))
    power = explained(change(load("roll-to-win"), "power_odds.on", "true"))
    assert (plain.power_one_in, {line.group for card in plain.bets.values() for line in card.pays}) == (0, {""})
    assert power.power_one_in > 1
    lines = [line for card in power.bets.values() for line in card.pays if line.group]
    assert {line.group for line in lines} == set("ABCDEFG")
    for line in lines:
        printed, low, high = (_ratio(text) for text in (line.pays, line.low, line.high))
        assert printed < low < high


def _ratio(pays: str) -> Fraction:
    paid, _, stake = pays.split()
    return Fraction(int(paid), int(stake))


def test_a_meter_is_named() -> None:
    game = change(load("craps"), "fired_up.on", "true")
    meters = {line.meter for line in explained(game).bets["fired_up"].pays}
    assert meters == {"", "fired_up"}


def test_odds_are_told_by_point() -> None:
    found = explained(change(load("craps"), "odds.take", "3-4-5x"))
    assert found.take_odds == {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
