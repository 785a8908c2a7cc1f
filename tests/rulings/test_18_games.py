"""RULES 18: what each of the five games chooses, played at its table. A dash: the game has no such bet.

Choices that other tests play for every game that has them are not played again here: held and released money, a
Place bet after a seven-out, Lay and odds that are off, Big 6 and 8, contracts, what excludes Lay, odds to take,
buttons and cash-out (test_03_to_12_at_the_table), when Come is placed and who shoots (test_15_contradictions).
"""

import pytest

from stickman.table import messages as m
from stickman.table.view import view
from tests.talk.games import DONT_GAMES, FIVE_GAMES, IB_GAMES, LED_GAMES, laid, side_games
from tests.talk.table import opened, seated


def row(*cells: object) -> pytest.MarkDecorator:
    """One line of the table, left to right: craps, crapless, easy, roll-to-win, shoot-to-win."""
    return pytest.mark.parametrize(("name", "cell"), list(zip(FIVE_GAMES, cells, strict=True)), ids=FIVE_GAMES)


DONTS = {"dont_pass", "dont_come", "lay.4", "big.6", "big.8"}


@row(set(), DONTS, DONTS | {"come", "buy.4"}, set(), set())
def test_18_a_dash_is_a_bet_that_the_game_does_not_have(name: str, cell: set[str]) -> None:
    one = seated(name)
    for bet in cell:
        one.refused("no_such_bet").bets(bet, 5)
    assert (DONTS | {"come", "buy.4"}) - cell <= set(laid(name).bets)


@row(14_00, 14_00, 14_00, 0, 0)
def test_18_come_out_automatic_off(name: str, cell: int) -> None:
    """Place 6 $12 from before: on the come-out a 6 pays 7 to 6, or nothing."""
    one = seated(name).bets("pass", 10)
    one.table.rolls("2-2")
    one.bets("place.6", 12)
    one.table.rolls("2-2", "4-2")
    assert one.paid == cell


@row({}, {}, {}, {"place.6": 12_00}, {"place.6": 12_00})
def test_18_stay_up(name: str, cell: dict[str, int]) -> None:
    one = seated(name).bets("place.6", 12)
    one.table.rolls("4-2")
    assert one.lies == cell
    assert one.credit + one.felt_cents == 114_00


@pytest.mark.parametrize(
    ("name", "dont_pass", "dont_come"), [("craps", 60, 60), ("roll-to-win", 60, 60), ("shoot-to-win", 20, 40)]
)
def test_18_odds_to_lay_with_what_limits_dont_pass_and_dont_come(name: str, dont_pass: int, dont_come: int) -> None:
    """Behind $10 on the 4: six times the stake, or twice; twice by the win is $20 at 1 to 2."""
    one = seated(name, dollars=1_000).bets("dont_pass", 10)
    one.table.rolls("2-2")
    one.bets("dont_pass.odds", dont_pass).refused("over_odds").bets("dont_pass.odds", 1)
    two = seated(name, dollars=1_000).bets("field", 1)
    two.table.rolls("3-3")
    two.bets("dont_come", 10).table.rolls("2-2")
    two.bets("dont_come.4.odds", dont_come).refused("over_odds").bets("dont_come.4.odds", 1)


@pytest.mark.parametrize(
    ("name", "credit", "paid"),
    [("craps", 79_00, 40_00), ("crapless", 79_00, 40_00), *((name, 80_00, 39_00) for name in LED_GAMES)],
)
def test_18_commission_of_buy_is_5_percent_of_the_stake(name: str, credit: int, paid: int) -> None:
    """Buy 4 $20 wins 40; the $1 is paid upfront, or kept from the win."""
    one = seated(name).bets("buy.4", 20)
    assert one.credit == credit
    one.table.rolls("2-2")
    assert (one.paid, one.table.account("commission")) == (paid, 1_00)


@pytest.mark.parametrize(
    ("name", "credit", "paid"), [("craps", 79_50, 10_00), *((name, 80_00, 9_50) for name in LED_GAMES)]
)
def test_18_commission_of_lay_is_5_percent_of_the_win(name: str, credit: int, paid: int) -> None:
    """Lay 4 $20 wins 10; the $0.50 is paid upfront, or kept from the win."""
    one = seated(name).bets("lay.4", 20)
    assert one.credit == credit
    one.table.rolls("3-4")
    assert (one.paid, one.table.account("commission")) == (paid, 50)


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_18_repeat_and_keep_everywhere(name: str) -> None:
    kept = seated(name).keeps_bets().bets("place.6", 12)
    kept.table.rolls("4-2")
    assert (kept.lies, kept.credit) == ({"place.6": 12_00}, 102_00)
    repeated = seated(name).repeats_by_itself().bets("place.6", 12)
    repeated.table.rolls("3-4")
    assert (repeated.lies, repeated.credit) == ({"place.6": 12_00}, 76_00)


@row("buy.4", "place.4", "place.4", "", "")
def test_18_offer_to_move_after_a_place_win_or_to_press_by_the_win(name: str, cell: str) -> None:
    """Place 6 $12 wins 14. It moves to another number, or grows by the win where it stayed up."""
    one = seated(name).bets("place.6", 12)
    one.table.rolls("4-2")
    if not cell:
        assert one.presses_by_win("place.6").lies == {"place.6": 26_00}
        return
    one.moves("place.6", cell)
    assert (one.accepts() if one.pop_up else one).lies == {cell: 12_00}


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_18_the_puck_is_not_reset_by_hand(name: str) -> None:
    one = seated(name, "seats=1").bets("place.10", 5)
    one.table.rolls("2-2").refused("no_such_button").asked(m.PutPuckOff(seat=1))


@pytest.mark.parametrize("name", IB_GAMES)
def test_18_reset_of_the_puck_may_be_switched_on(name: str) -> None:
    one = seated(name, "seats=1", "puck_can_be_reset=true").bets("place.10", 5)
    one.table.rolls("2-2").asked(m.PutPuckOff(seat=1))
    assert one.table.puck == 0


@row(17, 17, 17, 21, 21)
def test_18_hops(name: str, cell: int) -> None:
    hops = {bet for bet in laid(name).bets if bet.startswith("hop.")}
    assert len(hops) == cell
    assert hops & {"hop.1-1", "hop.1-2", "hop.5-6", "hop.6-6"} == (
        set() if cell == 17 else {"hop.1-1", "hop.1-2", "hop.5-6", "hop.6-6"}
    )


@row({"lucky_shooter", "lucky_roller"}, {"lucky_roller"}, {"lucky_roller"}, *[{"hot_shooter", "lucky_roller"}] * 2)
def test_18_side_games_on(name: str, cell: set[str]) -> None:
    assert {bet.family for bet in laid(name).bets.values() if bet.side} == cell


@row(4_00, 4_00, 4_00, 8_00, 8_00)
def test_18_power_odds_are_on_in_the_led_games(name: str, cell: int) -> None:
    """Any Seven $1 pays 4 to 1, or 8 to 1 where its group shows high."""
    one = seated(name).bets("seven", 1)
    one.table.power(A="high", B="high", C="high", D="high", E="high", F="high", G="high").rolls("3-4")
    assert one.paid == cell


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_18_lucky_roller_is_placed_after_a_seven_or_on_any_roll(name: str) -> None:
    one = seated(name).bets("pass", 5)
    one.table.rolls("2-2")
    if name in IB_GAMES:
        one.refused("after_seven_only").bets("lucky_roller.low", 1)
        one.table.rolls("3-4")
    assert one.bets("lucky_roller.low", 1).lies["lucky_roller.low"] == 1_00


@pytest.mark.parametrize(
    ("name", "side", "bet", "most"),
    [
        *((name, "lucky_roller", "lucky_roller.low", 100) for name in FIVE_GAMES),
        *((name, "bonus_craps", "bonus.small", 100) for name in FIVE_GAMES),
        *((name, "lucky_shooter", "lucky_shooter", 100) for name in DONT_GAMES),
        *((name, "hot_shooter", "hot_shooter", 25) for name in LED_GAMES),
    ],
)
def test_18_side_limits_are_1_to_100_dollars_and_25_for_hot_shooter(
    name: str, side: str, bet: str, most: int
) -> None:
    one = seated(name, *side_games(side), dollars=1_000).bets("pass", 10)
    one.refused("wrong_step").bets(bet, "0.50")
    one.refused("over_max").bets(bet, most + 1)
    one.twin().bets(bet, 1)
    one.bets(bet, most)


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_ruling_58_announcements_and_sound_are_on_in_all_games(name: str) -> None:
    table = opened(name)
    shared = view(table.now, "table", table.facts).shared
    assert (shared.announcements, shared.sound) == (True, True)
