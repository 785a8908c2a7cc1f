"""RULES 18: what each of the five games chooses, cell by cell. A dash: the game has no such bet."""

from typing import Any

import pytest

from stickman.rules.game import value_of
from tests.talk.games import FIVE_GAMES, IB_GAMES, LED_GAMES, game, laid

DASH = "–"


def chosen(name: str, key: str, bet: str = "") -> Any:
    """A game's choice, or a dash where it does not offer the bet that the choice is about."""
    return value_of(game(name), key) if not bet or bet in laid(name).bets else DASH


def row(*cells: object) -> pytest.MarkDecorator:
    """One line of the table, left to right."""
    return pytest.mark.parametrize(("name", "cell"), list(zip(FIVE_GAMES, cells, strict=True)), ids=FIVE_GAMES)


# ---- craps, crapless, easy, roll-to-win, shoot-to-win ----


@row("working", "working", "working", "off", "off")
def test_18_come_out_automatic_off(name: str, cell: str) -> None:
    assert chosen(name, "come_out") == cell
    resting = {bet.family for bet in laid(name).bets.values() if bet.rests_on_come_out}
    assert resting == ({"come", "place", "buy", "hard", "big_6_8"} if cell == "off" else set())


@row("held", "held", "held", "released", "released")
def test_18_off_money(name: str, cell: str) -> None:
    assert chosen(name, "off_money") == cell


@row("off", "off", "off", "working", "working")
def test_18_place_and_buy_after_a_seven_out(name: str, cell: str) -> None:
    assert chosen(name, "after_seven_out") == cell


@row("comes_on", DASH, DASH, "stays_off", "stays_off")
def test_18_off_lay(name: str, cell: str) -> None:
    assert chosen(name, "off_lay", "lay.4") == cell


@row("returned", "returned", "returned", "stay_off", "stay_off")
def test_18_off_odds_at_a_new_point(name: str, cell: str) -> None:
    assert chosen(name, "off_odds") == cell


@row(False, DASH, DASH, True, True)
def test_18_big_6_and_8_off_able(name: str, cell: object) -> None:
    assert chosen(name, "big_6_8_off", "big.6") == cell
    for bet in "big.6", "big.8":
        assert (laid(name).bets[bet].off_able if bet in laid(name).bets else DASH) == cell


@row(False, False, False, True, True)
def test_18_stay_up(name: str, cell: bool) -> None:
    assert chosen(name, "stay_up") is cell


@row("since_point", "since_point", DASH, "point_on", "point_on")
def test_18_come_when(name: str, cell: str) -> None:
    assert chosen(name, "come_when", "come") == cell


@row("removable", DASH, DASH, "removable", "locked")
def test_18_dont_pass_after_its_point(name: str, cell: str) -> None:
    assert chosen(name, "dont_pass_after_point", "dont_pass") == cell


@row("same_number", DASH, DASH, "same_number", "any_number")
def test_18_place_and_buy_exclude_lay(name: str, cell: str) -> None:
    assert chosen(name, "place_excludes_lay", "lay.4") == cell


@row("5x", "5x", "5x", "3-4-5x", "2x")
def test_18_odds_to_take(name: str, cell: str) -> None:
    assert chosen(name, "odds.take") == cell


@row(("6x", "stake", "stake"), (DASH,) * 3, (DASH,) * 3, ("6x", "stake", "stake"), ("2x", "stake", "win"))
def test_18_odds_to_lay_with_what_limits_dont_pass_and_dont_come(name: str, cell: tuple[str, str, str]) -> None:
    lay = chosen(name, "odds.lay", "dont_pass")
    dont_pass = chosen(name, "odds.dont_pass_limit", "dont_pass")
    assert (lay, dont_pass, chosen(name, "odds.dont_come_limit", "dont_come")) == cell


@row(
    (500, "stake", "upfront"),
    (500, "stake", "upfront"),
    (DASH,) * 3,
    (500, "stake", "on_win"),
    (500, "stake", "on_win"),
)
def test_18_commission_of_buy(name: str, cell: tuple[int, str, str]) -> None:
    assert tuple(chosen(name, f"buy.{key}", "buy.4") for key in ("rate_bp", "base", "when")) == cell


@row((500, "win", "upfront"), (DASH,) * 3, (DASH,) * 3, (500, "win", "on_win"), (500, "win", "on_win"))
def test_18_commission_of_lay(name: str, cell: tuple[int, str, str]) -> None:
    assert tuple(chosen(name, f"lay.{key}", "lay.4") for key in ("rate_bp", "base", "when")) == cell


@row({"press", "across", "inside", "outside"}, {"press", "across"}, {"press", "across"}, {"across"}, {"across"})
def test_18_press_across_inside_outside(name: str, cell: set[str]) -> None:
    assert chosen(name, "buttons") == cell


@row(True, True, True, True, True)
def test_18_repeat_and_keep_everywhere(name: str, cell: bool) -> None:
    assert chosen(name, "keep_bets_on") is cell
    assert chosen(name, "auto_repeat") is cell


@row("buy", "place", "place", "none", "none")
def test_18_offer_to_move_after_a_place_win(name: str, cell: str) -> None:
    assert chosen(name, "move_after_win") == cell


@row(False, False, False, True, True)
def test_18_offer_to_press_by_the_win_after_a_place_win(name: str, cell: bool) -> None:
    assert chosen(name, "press_by_win") is cell


@row(False, False, False, False, False)
def test_18_the_puck_is_not_reset_by_hand(name: str, cell: bool) -> None:
    assert chosen(name, "puck_can_be_reset") is cell


@pytest.mark.parametrize("name", IB_GAMES)
def test_18_reset_of_the_puck_may_be_switched_on(name: str) -> None:
    assert game(name, "puck_can_be_reset=true").puck_can_be_reset


@row({"seven_out"}, {"seven_out"}, {"seven_out"}, {"seven_out"}, {"seven_out", "point_established"})
def test_18_rotate_on(name: str, cell: set[str]) -> None:
    assert chosen(name, "rotate_on") == cell


@row("felt_empty", "felt_empty", "felt_empty", "credit", "credit")
def test_18_cash_out(name: str, cell: str) -> None:
    assert chosen(name, "cash_out") == cell


@row(17, 17, 17, 21, 21)
def test_18_hops(name: str, cell: int) -> None:
    hops = {bet for bet in laid(name).bets if bet.startswith("hop.")}
    assert len(hops) == cell
    assert hops & {"hop.1-1", "hop.1-2", "hop.5-6", "hop.6-6"} == (
        set() if cell == 17 else {"hop.1-1", "hop.1-2", "hop.5-6", "hop.6-6"}
    )


@row(
    {"lucky_shooter", "lucky_roller"},
    {"lucky_roller"},
    {"lucky_roller"},
    {"hot_shooter", "lucky_roller", "power_odds"},
    {"hot_shooter", "lucky_roller", "power_odds"},
)
def test_18_side_games_on(name: str, cell: set[str]) -> None:
    every = (
        "lucky_shooter", "lucky_roller", "hot_shooter", "bonus_craps", "make_em_all", "fired_up", "power_odds",
    )  # fmt: skip
    assert {side for side in every if chosen(name, f"{side}.on")} == cell
    assert {bet.family for bet in laid(name).bets.values() if bet.side} == cell - {"power_odds"}


@row("after_seven", "after_seven", "after_seven", "any_roll", "any_roll")
def test_18_lucky_roller_is_placed(name: str, cell: str) -> None:
    assert chosen(name, "lucky_roller.when") == cell


@pytest.mark.parametrize("name", FIVE_GAMES)
@pytest.mark.parametrize("side", ["lucky_roller", "lucky_shooter", "bonus_craps"])
def test_18_side_limits_are_1_to_100_dollars(name: str, side: str) -> None:
    assert chosen(name, f"{side}.limits.min_cents") == 1_00
    assert chosen(name, f"{side}.limits.max_cents") == 100_00


@pytest.mark.parametrize("name", LED_GAMES)
def test_18_hot_shooter_limits_are_1_to_25_dollars(name: str) -> None:
    limits = laid(name).bets["hot_shooter"].limits
    assert (limits.min_cents, limits.max_cents) == (1_00, 25_00)


@pytest.mark.parametrize("name", FIVE_GAMES)
@pytest.mark.parametrize("bet", ["make_em_all", "fired_up"])
@pytest.mark.parametrize("base_cents", [1_00, 5_00])
def test_18_a_progressive_takes_exactly_one_base_wager(name: str, bet: str, base_cents: int) -> None:
    limits = laid(name, f"{bet}.on=true", f"{bet}.base_cents={base_cents}").bets[bet].limits
    assert (limits.min_cents, limits.max_cents) == (base_cents, base_cents)


@row(True, True, True, True, True)
def test_ruling_58_announcements_and_sound_are_on_in_all_games(name: str, cell: bool) -> None:
    assert chosen(name, "announcements") is cell
    assert chosen(name, "sound") is cell
