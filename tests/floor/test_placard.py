"""What a placard says is what the game does."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from stickman.floor.placard import Placard, placard
from stickman.par.sheet import SheetRequest, sheet
from tests.talk.games import FIVE_GAMES, game, laid, side_games


@cache
def explained(name: str, *changes: str) -> Placard:
    return placard(laid(name, *changes))


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_every_spot_of_the_felt_has_its_bet_and_every_bet_its_card(name: str) -> None:
    layout, found = laid(name), explained(name)
    assert set(found.spots) == {state.spot for state in layout.states.values()}
    assert set(found.spots.values()) == set(found.bets) == set(layout.bets)
    assert all(card.pays for card in found.bets.values())


@pytest.mark.parametrize("bet", ["pass", "place.6", "hard.8", "horn", "lucky_shooter"])
def test_edges_are_those_of_the_par_sheet(bet: str) -> None:
    [exact] = sheet(game("craps"), SheetRequest(bet=bet)).bets
    card = explained("craps").bets[bet]
    told = (card.edge_per_bet_made, card.edge_per_roll, card.hit_rate, card.mean_rolls)
    measured = (exact.edge_per_bet_made, exact.edge_per_roll, exact.hit_rate, exact.mean_rolls)
    assert tuple(map(Fraction, told)) == measured


def test_pays_that_read_the_same_are_one_line() -> None:
    field = explained("craps").bets["field"]
    assert [(line.pays, line.on) for line in field.pays] == [
        ("1 to 1", ("3", "4", "9", "10", "11")),
        ("2 to 1", ("2", "12")),
    ]
    assert field.one_roll
    [stage] = field.stages
    assert stage.loses_on == ("5", "6", "7", "8")


def test_a_travelling_bet_says_where_it_goes() -> None:
    come = explained("craps").bets["come"]
    box, *points = come.stages
    assert (box.wins_on, box.loses_on, box.moves_on) == (
        ("7", "11"),
        ("2", "3", "12"),
        ("4", "5", "6", "8", "9", "10"),
    )
    assert [(stage.spot, stage.wins_on, stage.loses_on) for stage in points[:1]] == [("come.4", ("4",), ("7",))]


def test_a_commission_is_told_with_when_it_is_taken() -> None:
    upfront = explained("craps", "buy.when=upfront").bets["buy.4"]
    on_win = explained("craps", "buy.when=on_win").bets["buy.4"]
    assert (upfront.commission, on_win.commission) == ("upfront", "on_win")
    assert Fraction(upfront.commission_rate) == Fraction(on_win.commission_rate) == Fraction(1, 20)


def test_power_odds_are_told_with_their_group() -> None:
    plain = explained("roll-to-win", "power_odds.on=false")
    power = explained("roll-to-win", "power_odds.on=true")
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
    meters = {line.meter for line in explained("craps", "fired_up.on=true").bets["fired_up"].pays}
    assert meters == {"", "fired_up"}


def test_odds_are_told_by_point() -> None:
    found = explained("craps", "odds.take=3-4-5x")
    assert found.bets["pass"].odds == {4: "3/1", 5: "4/1", 6: "5/1", 8: "5/1", 9: "4/1", 10: "3/1"}
    assert found.bets["come"].odds == found.bets["pass"].odds
    assert found.bets["place.6"].odds == found.bets["pass.odds"].odds == {}


def test_odds_that_are_limited_by_their_win_are_told_as_what_may_be_staked() -> None:
    # STW Don't Come Odds: twice the flat wager may be won, at 1 to 2, 2 to 3 and 5 to 6.
    bets = explained("shoot-to-win").bets
    assert bets["dont_come"].odds == {4: "4/1", 5: "3/1", 6: "12/5", 8: "12/5", 9: "3/1", 10: "4/1"}
    assert set(bets["dont_pass"].odds.values()) == {"2/1"}


def test_12_pushes_on_the_first_roll_of_a_dont_bet_and_on_no_other() -> None:
    for bet in ("dont_pass", "dont_come"):
        first, *later = explained("craps").bets[bet].stages
        assert (first.wins_on, first.loses_on, first.pushes_on) == (("2", "3"), ("7", "11"), ("12",))
        assert {stage.pushes_on for stage in later} == {()}


@pytest.mark.parametrize(
    ("bet", "stays_up", "comes_down"),
    [
        ("pass", ("4", "5", "6", "7", "8", "9", "10", "11"), ()),
        ("come", ("11",), ("4", "5", "6", "7", "8", "9", "10")),
        ("dont_pass", ("2", "3"), ("7",)),
        ("dont_come", ("2", "3"), ("7",)),
        ("place.6", ("6",), ()),
        ("hard.8", ("hard 8",), ()),
        ("horn", ("2", "3", "11", "12"), ()),
        ("pass.odds", (), ("4", "5", "6", "8", "9", "10")),
    ],
)
def test_what_stays_up_after_a_win_is_told(
    bet: str, stays_up: tuple[str, ...], comes_down: tuple[str, ...]
) -> None:
    up, down = explained("shoot-to-win").bets[bet], explained("craps").bets[bet]
    assert (up.stays_up, up.comes_down) == (stays_up, comes_down)
    assert down.stays_up == ()
    assert set(down.comes_down) == {*stays_up, *comes_down}


def test_what_excludes_what_is_told() -> None:
    craps, stw = explained("craps").bets, explained("shoot-to-win").bets
    assert craps["pass"].excluded_by == ("dont_pass",)
    assert craps["dont_come"].excluded_by == ("come",)
    assert craps["place.6"].excluded_by == ("lay.6",)
    assert craps["field"].excluded_by == craps["big.6"].excluded_by == ()
    numbers = (4, 5, 6, 8, 9, 10)
    wrong = {f"{family}.{number}" for family in ("lay", "place_to_lose") for number in numbers}
    assert set(stw["place.6"].excluded_by) == set(stw["buy.10"].excluded_by) == wrong
    either = explained("craps", "big_pair=either").bets
    assert either["big.6"].excluded_by == ("big.8",)


def test_contracts_are_told() -> None:
    craps, stw = explained("craps").bets, explained("shoot-to-win").bets
    told = {bet: card.contract for bet, card in craps.items() if card.contract}
    assert told == {
        "pass": "point",
        "come": "point",
        "dont_pass": "lower_only",
        "dont_come": "lower_only",
        "lucky_shooter": "point",
        "lucky_roller.low": "first_roll",
        "lucky_roller.high": "first_roll",
        "lucky_roller.all": "first_roll",
    }
    assert (stw["dont_pass"].contract, stw["dont_come"].contract) == ("point", "lower_only")


def test_when_each_bet_may_be_placed_is_told() -> None:
    everything = side_games("bonus_craps", "hot_shooter", "make_em_all", "fired_up")
    bets, stw = explained("craps", *everything).bets, explained("shoot-to-win").bets
    windows = {
        "pass": "come_out_only",
        "dont_pass": "come_out_only",
        "come": "since_point_only",
        "pass.odds": "needs_flat",
        "place.6": "",
        "field": "",
        "lucky_shooter": "come_out_only",
        "hot_shooter": "hand_start_only",
        "lucky_roller.all": "after_seven_only",
        "bonus.small": "after_seven_only",
        "make_em_all": "after_seven_only",
        "fired_up": "after_seven_only",
    }
    assert {bet: bets[bet].window for bet in windows} == windows
    assert (stw["come"].window, stw["lucky_roller.low"].window) == ("point_only", "")
    again = {bet for bet, card in bets.items() if card.side_bet and card.side_bet.again_when_complete}
    assert again == {"bonus.small", "bonus.tall", "bonus.all"}


def test_what_a_side_game_needs_and_is_capped_at_is_told() -> None:
    needs = "hot_shooter.qualifying_cents=2500", "lucky_roller.needs_line=true"
    told = explained("roll-to-win", *needs, "lucky_roller.aggregate_max_cents=500000")
    bets = told.bets
    hot, low = bets["hot_shooter"], bets["lucky_roller.low"]
    assert hot.side_bet is not None
    assert low.side_bet is not None
    assert (hot.needs, hot.side_bet.qualifying_cents) == (("needs_main",), 2500)
    assert hot.side_bet.winners == ""
    assert low.needs == ("needs_line",)
    posted = told.side_games
    assert set(posted) == {"hot_shooter", "lucky_roller"}
    assert (posted["lucky_roller"].aggregate_max_cents, posted["lucky_roller"].aggregate_per) == (500_000, "roll")
    assert posted["hot_shooter"].aggregate_max_cents == 0
    assert bets["pass"].side_bet is None


@pytest.mark.parametrize(
    ("table", "sequences"),
    [
        ("FUP-01", ((6, 5, 4, 3, 2), (8, 9, 10, 11, 12))),
        ("FUP-03", ((5, 4, 3, 2),)),
        ("FUP-06", ((8, 9, 10, 11, 12),)),
    ],
)
def test_fired_up_is_told_by_its_sequences_and_by_what_each_length_pays(
    table: str, sequences: tuple[tuple[int, ...], ...]
) -> None:
    card = explained("craps", "fired_up.on=true", f"fired_up.paytable={table}").bets["fired_up"]
    assert card.side_bet is not None
    assert (card.side_bet.sequences, card.side_bet.collects, card.stages) == (sequences, (), ())
    lengths = [row for line in card.pays for row in line.rows]
    assert lengths == [f"fired_up.{n}" for n in range(1, len(sequences[0]) + 1)]
    assert card.pays[-1].meter == "fired_up"
    assert {line.on for line in card.pays} == {()}


def test_what_a_line_of_pays_is_for_is_told_in_numbers() -> None:
    craps = explained("craps", *side_games("make_em_all", "hot_shooter")).bets

    def paid_for(bet: str) -> list[list[tuple[str, int, int]]]:
        return [[(each.kind, each.at_least, each.at_most) for each in line.paid_for] for line in craps[bet].pays]

    # The Field pays 2 and 12 more than the others.
    assert paid_for("field")[0] == [("number", n, 0) for n in (3, 4, 9, 10, 11)]
    assert paid_for("place.6") == [[("number", 6, 0)]]
    assert paid_for("c_and_e") == [[], []]
    assert paid_for("lucky_roller.low") == [[]]
    assert paid_for("hot_shooter") == [
        [("range", least, most)]
        for least, most in ((8, 15), (16, 23), (24, 31), (32, 39), (40, 44), (45, 49), (50, 0))
    ]
    assert paid_for("lucky_shooter") == [[("hits", 3, 0)], [("hits", 4, 0)], [("hits", 5, 0)], [("point", 5, 0)]]
    assert paid_for("make_em_all") == [[("hits", n, 0)] for n in range(5, 11)]


def test_what_a_side_bet_collects_is_told() -> None:
    bets = explained("craps", *side_games("make_em_all", "hot_shooter")).bets
    sides = {bet: card.side_bet.collects for bet, card in bets.items() if card.side_bet}
    ten = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
    assert sides == {
        "lucky_roller.low": ten[:5],
        "lucky_roller.high": ten[5:],
        "lucky_roller.all": ten,
        "lucky_shooter": (4, 5, 6, 8, 9, 10),
        "make_em_all": ten,
        "hot_shooter": (),
    }
    assert bets["make_em_all"].pays[0].rows == ("make_em_all.5",)


def test_when_a_bet_works_is_told() -> None:
    craps, stw = explained("craps").bets, explained("shoot-to-win").bets
    started_off = {card.family for card in craps.values() if card.starts_off}
    assert started_off == {"place", "buy"}
    assert {card.family for card in stw.values() if card.starts_off} == set()
    assert {card.family for card in stw.values() if card.rests_on_come_out} >= {"place", "buy", "hard", "big_6_8"}
    assert not any(card.rests_on_come_out for card in craps.values())
    assert {card.family for card in craps.values() if card.off_comes_on} == {"lay"}
    assert not any(card.off_comes_on or card.off_returned for card in stw.values())
    assert craps["pass.odds"].off_returned


def test_when_the_dice_pass_is_told() -> None:
    assert explained("shoot-to-win").rotate_on == ("seven_out", "point_established")
    assert explained("craps").rotate_on == ("seven_out",)
    assert (explained("craps").off_released, explained("shoot-to-win").off_released) == (False, True)


def test_what_a_place_win_offers_is_told() -> None:
    assert explained("craps").win_offers == ("move",)
    assert explained("roll-to-win").win_offers == ("press_by_win",)
