"""Exact values that are known from elsewhere: printed analyses, or a pencil."""

from fractions import Fraction as F  # noqa: N817 - as short as a fraction bar
from functools import cache

import pytest

from stickman.par.sheet import BetSheet, Request, sheet
from stickman.rules.money import percent
from stickman.rules.settings import change, load


@cache
def bets(game: str, *changes: tuple[str, str]) -> dict[str, BetSheet]:
    chosen = load(game)
    for key, value in changes:
        chosen = change(chosen, key, value)
    return {bet.bet: bet for bet in sheet(chosen).bets}


@pytest.mark.parametrize(
    ("game", "bet", "edge"),
    [
        ("craps", "pass", F(7, 495)),
        ("craps", "come", F(7, 495)),
        ("craps", "dont_pass", F(3, 220)),
        ("craps", "dont_come", F(3, 220)),
        ("crapless", "pass", F(373, 6930)),
        ("easy", "pass", F(373, 6930)),
        ("craps", "place.4", F(1, 15)),
        ("craps", "place.5", F(1, 25)),
        ("craps", "place.6", F(1, 66)),
        ("crapless", "place.2", F(1, 14)),
        ("crapless", "place.3", F(1, 16)),
        ("shoot-to-win", "buy.4", F(1, 60)),
        ("shoot-to-win", "buy.6", F(1, 44)),
        ("craps", "buy.4", F(1, 20)),
        ("shoot-to-win", "lay.4", F(1, 60)),
        ("shoot-to-win", "place_to_lose.4", F(1, 33)),
        ("shoot-to-win", "place_to_lose.5", F(1, 40)),
        ("shoot-to-win", "place_to_lose.6", F(1, 55)),
        ("craps", "big.6", F(1, 11)),
        ("craps", "hard.4", F(1, 9)),
        ("craps", "hard.6", F(1, 11)),
        ("craps", "field", F(1, 18)),
        ("craps", "seven", F(1, 6)),
        ("craps", "any_craps", F(1, 9)),
        ("craps", "c", F(1, 9)),
        ("craps", "e", F(1, 9)),
        ("craps", "c_and_e", F(1, 9)),
        ("craps", "horn", F(1, 8)),
        ("craps", "horn.2", F(5, 36)),
        ("craps", "horn.3", F(1, 9)),
        ("craps", "hop.1-3", F(1, 9)),
        ("craps", "hop.2-2", F(5, 36)),
        ("craps", "big", F(1, 21)),
        ("craps", "small", F(1, 21)),
        ("easy", "low_field", F(1, 9)),
        ("easy", "high_field", F(1, 9)),
    ],
)
def test_edge_per_bet_made(game: str, bet: str, edge: F) -> None:
    assert bets(game)[bet].edge_per_bet_made == edge
    assert bets(game)[bet].rtp == 1 - edge


def test_dont_pass_per_bet_resolved() -> None:
    assert bets("craps")["dont_pass"].edge_per_bet_resolved == F(27, 1925)


def test_the_field_with_triple_twelve() -> None:
    assert bets("craps", ("field", "EL602"))["field"].edge_per_bet_made == F(1, 36)


def test_big_and_small_as_a_single_roll() -> None:
    assert bets("craps", ("big_small", "single_roll"))["big"].edge_per_bet_made == F(1, 6)


def test_odds_of_every_kind_have_no_edge() -> None:
    for game in ("craps", "crapless", "easy", "roll-to-win", "shoot-to-win"):
        odds = [bet for bet in bets(game).values() if bet.bet.endswith(".odds")]
        assert odds
        assert all(bet.edge_per_bet_made == 0 for bet in odds)


def test_pass_takes_three_and_three_eighths_rolls() -> None:
    assert bets("craps")["pass"].mean_rolls == F(557, 165)


def test_small_tall_and_all_come_as_often_as_published() -> None:
    for game in ("craps", "easy"):
        assert bets(game)["bonus.small"].hit_rate == F(20049, 760760)
        assert bets(game)["bonus.tall"].hit_rate == F(20049, 760760)
        assert bets(game)["bonus.all"].hit_rate == F(126538525259, 24067258815600)


@pytest.mark.parametrize(
    ("game", "table", "returns"),
    [
        ("roll-to-win", "HSJ-50", "90.93%"),
        ("roll-to-win", "HSJ-51", "90.10%"),
        ("crapless", "HSJ-50", "75.77%"),
    ],
)
def test_hot_shooter_returns(game: str, table: str, returns: str) -> None:
    bet = bets(game, ("hot_shooter.paytable", table))["hot_shooter"]
    assert percent(bet.rtp, 2) == returns


def test_hands_last_eight_and_a_half_rolls_and_the_longest_are_paid_early() -> None:
    """The mean length of a hand is 1671/196 rolls; the bet ends at the 50th at the latest."""
    mean = bets("roll-to-win")["hot_shooter"].mean_rolls
    assert F(1671, 196) - F(1, 100) < mean < F(1671, 196)


def test_lucky_shooter_returns_91_and_a_quarter_percent() -> None:
    assert percent(bets("craps")["lucky_shooter"].rtp, 2) == "91.25%"


@pytest.mark.parametrize(
    ("odds", "edge"), [("2x", F(1, 165)), ("3-4-5x", F(7, 1870)), ("10x", F(7, 3795)), ("100x", F(1, 4785))]
)
def test_pass_with_full_odds(odds: str, edge: F) -> None:
    [line] = [line for line in bets("craps")["pass"].combined if line.odds == odds]
    assert line.edge_per_unit_staked == edge


def test_dont_pass_with_odds_limited_by_stake_or_by_win() -> None:
    """Six times the stake everywhere, or the 3-4-5x of a strip casino, which is six times the flat bet to win."""
    lines = {(line.odds, line.limit): line for line in bets("craps")["dont_pass"].combined}
    assert lines["6x", "stake"].edge_per_unit_staked == F(3, 220) / (1 + 6 * F(2, 3))
    assert lines["3-4-5x", "win"].mean_staked == 1 + 6 * F(2, 3)
    assert lines["3-4-5x", "win"].edge_per_unit_staked == F(3, 1100)


def test_buy_4_upfront_per_stake_and_per_stake_and_fee() -> None:
    lines = {(line.base, line.when): line for line in bets("craps")["buy.4"].commission}
    assert lines["stake", "upfront"].edge_per_stake == F(1, 20)
    assert lines["stake", "upfront"].edge_per_stake_and_fee == F(1, 21)
    assert lines["stake", "on_win"].edge_per_stake == F(1, 60)
    assert lines["win", "upfront"].edge_per_stake == F(1, 10)
    assert lines["win", "on_win"].edge_per_stake == F(1, 30)
    assert [key for key, line in lines.items() if line.in_play] == [("stake", "upfront")]


def test_breakage_of_place_6_with_5_dollars() -> None:
    [bet] = sheet(load("craps"), Request(bet="place.6", stake_cents=500)).bets
    assert bet.breakage
    assert bet.breakage.kept_cents == F(5, 11) * F(1, 3)
    assert bet.breakage.edge_per_bet_made == F(1, 66) + F(5, 33) / 500


def test_breakage_of_lay_6_with_5_dollars_on_win() -> None:
    """Pay 4.1667, commission 0.2083: player 3.95, commission 0.20, a cent and two thirds of one kept."""
    [bet] = sheet(load("shoot-to-win"), Request(bet="lay.6", stake_cents=500)).bets
    assert bet.breakage
    assert bet.breakage.kept_cents == F(6, 11) * F(5, 3)


def test_power_odds_on_the_seven() -> None:
    power = bets("roll-to-win")["seven"].power_odds
    assert power
    assert power.rtp_never_shown == F(5, 6)
    assert power.rtp_low_shown == F(7, 6)
    assert power.rtp_high_shown == F(9, 6)
    assert power.rtp_shown == F(8, 6)
    assert power.rtp_mixed == F(11, 12) * F(5, 6) + F(1, 12) * F(8, 6)


def test_fired_up_01_by_hand() -> None:
    """One match 5/36 for either sequence, and so on: 6-5-4-3-2 has 5, 4, 3, 2, 1 ways; so has 8-9-10-11-12."""
    progressive = bets("craps", ("fired_up.paytable", "FUP-01"))["fired_up"].progressive
    assert progressive
    reach = [F(2 * 5, 36), F(2 * 5 * 4, 36**2), F(2 * 5 * 4 * 3, 36**3), F(2 * 5 * 4 * 3 * 2, 36**4)]
    top = F(2 * 5 * 4 * 3 * 2 * 1, 36**5)
    ends_at = [a - b for a, b in zip(reach, [*reach[1:], top], strict=True)]
    fixed = sum(chance * pays for chance, pays in zip(ends_at, (1, 5, 40, 300), strict=True))
    assert progressive.top_award_chance == top
    assert progressive.fixed_rtp == fixed
    assert progressive.rtp_at_reset == fixed + top * 60_000
    assert progressive.rtp_per_10000_dollars == top * 10_000
    assert progressive.break_even_cents == (1 - fixed) / top * 100


def test_envy_costs_what_the_dealer_may_expect() -> None:
    assert bets("craps", ("bonus_craps.paytable", "BC-08"))["bonus.small"].envy_cost == 2 * F(20049, 760760)
    assert bets("craps", ("bonus_craps.paytable", "BC-04"))["bonus.small"].envy_cost is None
