"""A session on the felt: what is bet, what it comes to, and when it ends."""

from __future__ import annotations

import pytest

from stickman.rules.felt import Reason
from stickman.rules.settings import GAMES
from stickman.sim.dice import session_rolls
from stickman.sim.library import LIBRARY, flat, odds, strategy
from stickman.sim.play import PlayedGame, SessionEnding, session
from stickman.sim.strategy import Bet, Down, Habit, Strategy, Terms, Unplayable, Wish
from tests.sim.players import played, random_strategy
from tests.talk.games import laid

PASS = strategy("pass")


def only(*habits: Habit) -> Strategy:
    return Strategy("own", habits)


def test_a_session_pays_what_the_felt_pays() -> None:
    """Natural, craps, then a point of 6 made: one unit won, lost and won."""
    outcome = played(PASS, "4-3 1-1 4-2 3-2 5-1", Terms(10_000, 5))
    assert outcome == (1000, 1000, 5, 3000, SessionEnding.TIME)


def test_odds_are_part_of_equity_and_handle() -> None:
    """$10 and $20 of odds on a 4: the odds pay 2 to 1."""
    outcome = played(strategy("pass-odds"), "2-2 6-5 3-1", Terms(10_000, 3))
    assert outcome == (5000, 0, 3, 3000, SessionEnding.TIME)


def test_what_lies_at_the_end_counts_in_full() -> None:
    assert played(PASS, "4-2", Terms(10_000, 1)) == (0, 0, 1, 1000, SessionEnding.TIME)


def test_an_upfront_fee_is_lost_when_the_wager_has_worked_and_not_before() -> None:
    """Buy 4 for $20 costs $1 beside; it comes back with a wager taken down before its first roll."""
    buys = only(flat("buy.4", 2000))
    assert played(buys, "6-5", Terms(10_000, 1)) == (-100, 100, 1, 2000, SessionEnding.TIME)
    unsure = only(flat("buy.4", 2000), Habit(lambda _: [Down("buy.4")]))
    assert played(unsure, "6-5", Terms(10_000, 1)) == (0, 0, 1, 0, SessionEnding.TIME)


def test_drawdown_is_the_deepest_fall_from_the_peak() -> None:
    outcome = played(PASS, "4-3 4-3 1-1 1-1 1-1 4-3", Terms(10_000, 6))
    assert (outcome.net_cents, outcome.drawdown_cents) == (0, 3000)


@pytest.mark.parametrize(
    ("terms", "ending", "rolls"),
    [
        (Terms(10_000, 9, stop_loss_cents=2000), SessionEnding.STOP_LOSS, 2),
        (Terms(2_500, 9), SessionEnding.RUIN, 2),
        (Terms(2_000, 9, stop_loss_cents=2000), SessionEnding.STOP_LOSS, 2),
        (Terms(2_000, 2), SessionEnding.RUIN, 2),
        (Terms(10_000, 2, stop_loss_cents=2001), SessionEnding.TIME, 2),
        (Terms(900, 9), SessionEnding.RUIN, 0),
    ],
)
def test_why_and_when_a_losing_session_ends(terms: Terms, ending: SessionEnding, rolls: int) -> None:
    outcome = played(PASS, "1-1 1-1 1-1 1-1 1-1 1-1 1-1 1-1 1-1", terms)
    assert (outcome.ending, outcome.rolls) == (ending, rolls)


def test_a_win_goal_ends_a_session() -> None:
    outcome = played(PASS, "4-3 4-3 4-3", Terms(10_000, 9, win_goal_cents=1500))
    assert (outcome.ending, outcome.rolls, outcome.net_cents) == (SessionEnding.WIN_GOAL, 2, 2000)


def test_a_player_with_money_on_the_felt_is_not_ruined() -> None:
    """$10 in all, on Pass with its point: odds cannot be paid for, the session goes on."""
    assert played(strategy("pass-odds"), "4-2 5-5 4-2", Terms(1_000, 3)).net_cents == 1000


def test_a_wish_that_cannot_be_paid_for_is_left_out_and_the_next_is_granted() -> None:
    greedy = only(Habit(lambda _: [Bet("field", 50_000), Bet("pass", 1000)]))
    assert played(greedy, "4-3", Terms(2_000, 1)) == (1000, 0, 1, 1000, SessionEnding.TIME)


def test_habits_see_what_those_before_them_have_bet() -> None:
    def mirrors(sees: object) -> list[Wish]:
        return [Bet("field", sees.stake("any_craps"))]  # type: ignore[attr-defined]  # any that sees

    assert played(only(flat("any_craps", 300), Habit(mirrors)), "3-1", Terms(10_000, 1)).handle_cents == 600
    assert played(only(Habit(mirrors), flat("any_craps", 300)), "3-1", Terms(10_000, 1)).handle_cents == 300


def test_the_felt_has_the_last_word_and_says_why() -> None:
    refused: list[tuple[Wish, Reason]] = []
    stubborn = only(Habit(lambda _: [Bet("come", 1000), Bet("pass", 1050), Bet("nonsense", 1)]))
    game = PlayedGame(laid("craps"), stubborn, lambda wish, reason: refused.append((wish, reason)))
    game.bet(game.sit_down(), 10_000)
    assert [reason for _, reason in refused] == [
        Reason.SINCE_POINT_ONLY,
        Reason.WRONG_STEP,
        Reason.NO_SUCH_BET,
    ]


def test_odds_are_cut_to_what_the_game_allows() -> None:
    ten_times = only(flat("pass", 1000), odds("pass", 10))
    outcome = played(ten_times, "4-2 6-5", Terms(100_000, 2), "shoot-to-win")
    assert outcome.handle_cents == 1000 + 2000


def test_a_martingale_bets_a_unit_again_after_a_win_that_stays_up() -> None:
    """1, 2, 4 units lost, lost, won; then a unit."""
    outcome = played(strategy("martingale"), "1-1 1-1 4-3 4-3", Terms(100_000, 4), "roll-to-win")
    assert outcome.handle_cents == 1000 + 2000 + 4000 + 1000
    assert outcome.net_cents == 2000


@pytest.mark.parametrize("game", GAMES)
def test_credit_and_felt_are_always_the_equity(game: str) -> None:
    """What a player has is what was brought and won, whatever is bet, taken or switched."""
    for seed in range(8):
        table = PlayedGame(laid(game), random_strategy(game, seed))
        equity = 20_000
        betted = table.bet(table.sit_down(), equity)
        for roll, _ in zip(session_rolls(seed, 0), range(60), strict=False):
            assert betted.credit_cents >= 0
            assert betted.credit_cents + betted.standing.felt.worth_cents == equity
            settled = table.roll(betted.standing, roll)
            equity += settled.change_cents
            betted = table.bet(settled.standing, equity - settled.standing.felt.worth_cents)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", LIBRARY)
def test_the_felt_refuses_nothing_that_a_known_strategy_wants(game: str, name: str) -> None:
    refused: list[tuple[Wish, Reason]] = []
    table = PlayedGame(laid(game), strategy(name), lambda wish, reason: refused.append((wish, reason)))
    session(table, Terms(1_000_000, 150), session_rolls(5, 0))
    assert refused == []


def test_every_known_strategy_says_what_it_does_and_bets() -> None:
    for name in LIBRARY:
        assert strategy(name).about.endswith(".")
        handles = [
            session(PlayedGame(laid(g), strategy(name)), Terms(1_000_000, 40), session_rolls(1, 1)) for g in GAMES
        ]
        assert any(outcome.handle_cents for outcome in handles), name


def test_an_unknown_strategy_is_told_with_what_is_known() -> None:
    with pytest.raises(Unplayable, match=r"'system' is not known; allowed: pass, .*iron-cross"):
        strategy("pass + system")


@pytest.mark.parametrize("terms", [(0, 1), (1, 0), (1, 1, 0), (1, 1, None, -5)])
def test_terms_are_positive(terms: tuple[int, ...]) -> None:
    with pytest.raises(Unplayable, match="allowed: 1 and more"):
        Terms(*terms)
