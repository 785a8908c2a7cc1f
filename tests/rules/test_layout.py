from itertools import product

import pytest

from stickman.par.sheet import full_layout
from stickman.rules import layout as layouts
from stickman.rules.cells import GONE
from stickman.rules.dice import ROLLS
from stickman.rules.layout import Layout, Switch, working
from stickman.rules.machine import Decided, How, Stake
from stickman.rules.settings import GAMES, change, load


@pytest.fixture(scope="module", params=GAMES)
def layout(request: pytest.FixtureRequest) -> Layout:
    return full_layout(load(request.param))


def test_every_row_covers_the_36_rolls_with_cells_that_make_sense(layout: Layout) -> None:
    cells = layout.cells
    size = len(layout.states) * len(How) * len(ROLLS)
    assert [len(cells.pay), len(cells.stake), len(cells.decided), len(cells.next)] == [size] * 4
    for bet in layout.bets.values():
        for state, how in product(bet.states, How):
            row = layout.row(state, how)
            assert len(row) == 36
            for cell in row:
                assert (cell.next == GONE) == (cell.stake is not Stake.STANDS)
                assert cell.next == GONE or layout.keys[cell.next] in bet.states
                assert (cell.pay > 0) == (cell.decided is Decided.WIN)
                assert 0 <= cell.pay < len(layout.pays)
                assert cell.decided or cell.stake is Stake.STANDS


def test_the_states_of_the_bets_part_the_layout(layout: Layout) -> None:
    keys = [state for bet in layout.bets.values() for state in bet.states]
    assert keys == list(layout.states)
    assert [state.number for state in layout.states.values()] == list(range(len(keys)))
    assert all(layout.states[state].bet == bet.id for bet in layout.bets.values() for state in bet.states)


def test_an_off_wager_is_untouched_but_odds_go_back_with_their_flat_bet(layout: Layout) -> None:
    for bet in layout.bets.values():
        for state in bet.states:
            fates = {cell.stake for cell in layout.row(state, How.OFF)}
            assert fates == ({Stake.STANDS, Stake.RETURNED} if bet.flat else {Stake.STANDS})


def test_only_hot_shooter_reads_the_puck(layout: Layout) -> None:
    assert [bet.id for bet in layout.bets.values() if bet.reads_puck] == ["hot_shooter"]
    for bet in layout.bets.values():
        for state in bet.states:
            same = layout.row(state, How.COME_OUT) == layout.row(state, How.POINT_ON)
            assert same or bet.reads_puck


def test_odds_attach_to_the_state_of_the_same_point(layout: Layout) -> None:
    spots = {}
    for flat, odds in layout.odds_of.items():
        assert layout.states[flat].name == layout.states[odds].name
        spots[layout.states[flat].spot, layout.states[flat].name] = layout.states[odds].spot
    assert spots["pass", "6"] == "pass.odds"
    if "come" in layout.bets:
        assert spots["come.6", "6"] == "come.6.odds"


def test_a_come_wager_lies_on_the_number_it_travelled_to() -> None:
    layout = layouts.lay_out(load("craps"))
    box = layout.states["come box"].number
    for roll in ROLLS:
        cell = layout.cells.cell(box, How.POINT_ON, roll.number)
        if roll.total in (4, 5, 6, 8, 9, 10):
            assert layout.state_at(cell.next).spot == f"come.{roll.total}"
            assert layout.state_at(cell.next).locked


def test_the_puck_goes_on_with_a_point_and_off_with_it_or_a_seven(layout: Layout) -> None:
    points = layout.game.point_numbers
    for puck, moves in layout.puck_next.items():
        for roll, after in zip(ROLLS, moves, strict=True):
            if puck == 0:
                assert after == (roll.total if roll.total in points else 0)
            else:
                assert after == (0 if roll.total in (puck, 7) else puck)


def test_leaving_a_bet_out_takes_its_odds_along() -> None:
    layout = layouts.lay_out(change(load("craps"), "leave_out", '["pass", "place.4"]'))
    assert not {"pass", "pass.odds", "place.4"} & set(layout.bets)
    assert {"come", "come.4.odds", "place.5"} <= set(layout.bets)


def test_a_bet_of_a_set_is_switched_by_itself() -> None:
    layout = layouts.lay_out(change(load("craps"), "lucky_roller.bets", '["low"]'))
    assert [bet for bet in layout.bets if bet.startswith("lucky_roller")] == ["lucky_roller.low"]


def test_limits_narrow_from_the_game_to_the_family_to_the_bet() -> None:
    game = change(load("craps"), "limits.min_cents", "500")
    game = change(game, "bet_limits", '{ place = { max_cents = 50000 }, "place.6" = { step_cents = 600 } }')
    layout = layouts.lay_out(game)
    place_6, place_8, field = (layout.bets[bet].limits for bet in ("place.6", "place.8", "field"))
    assert (place_6.min_cents, place_6.max_cents, place_6.step_cents) == (500, 50_000, 600)
    assert (place_8.min_cents, place_8.max_cents, place_8.step_cents) == (500, 50_000, 100)
    assert (field.min_cents, field.max_cents, field.step_cents) == (500, 100_000, 100)


def test_odds_have_no_limits_but_the_step_and_the_total() -> None:
    limits = layouts.lay_out(load("craps")).bets["pass.odds"].limits
    assert (limits.min_cents, limits.max_cents, limits.step_cents) == (100, 1_000_000, 100)


def test_a_horn_bet_lies_in_four_parts() -> None:
    bets = layouts.lay_out(load("craps")).bets
    assert [bet.id for bet in bets.values() if bet.parts != 1] == ["horn"]
    assert bets["horn"].parts == 4


def test_a_progressive_takes_exactly_its_base_unit() -> None:
    layout = layouts.lay_out(change(change(load("craps"), "fired_up.on", "true"), "fired_up.base_cents", "500"))
    limits = layout.bets["fired_up"].limits
    assert limits.min_cents == limits.max_cents == limits.step_cents == 500


@pytest.mark.parametrize(
    ("bet", "switch", "puck", "lain_before", "expected"),
    [
        ("place.6", Switch.UNTOUCHED, 0, True, How.OFF),
        ("place.6", Switch.UNTOUCHED, 0, False, How.COME_OUT),
        ("place.6", Switch.UNTOUCHED, 8, True, How.POINT_ON),
        ("place.6", Switch.ON, 0, True, How.COME_OUT),
        ("place.6", Switch.OFF, 8, True, How.OFF),
        ("come.6.odds", Switch.UNTOUCHED, 0, True, How.OFF),
        ("dont_come.6.odds", Switch.UNTOUCHED, 0, True, How.COME_OUT),
        ("lay.6", Switch.UNTOUCHED, 0, True, How.COME_OUT),
        ("place_to_lose.6", Switch.UNTOUCHED, 0, True, How.COME_OUT),
        ("big.6", Switch.UNTOUCHED, 0, True, How.OFF),
        ("hard.6", Switch.UNTOUCHED, 0, True, How.OFF),
        ("field", Switch.UNTOUCHED, 0, True, How.COME_OUT),
        ("pass", Switch.UNTOUCHED, 0, True, How.COME_OUT),
    ],
)
def test_what_rests_on_the_come_out_where_the_game_says_so(
    bet: str, switch: Switch, puck: int, lain_before: bool, expected: How
) -> None:
    layout = layouts.lay_out(load("shoot-to-win"))
    assert working(layout.bets[bet], switch=switch, puck=puck, lain_before=lain_before) is expected


def test_nothing_rests_on_the_come_out_in_a_game_that_does_not_say_so() -> None:
    layout = layouts.lay_out(load("craps"))
    for bet in layout.bets.values():
        assert working(bet, switch=Switch.UNTOUCHED, puck=0, lain_before=True) is How.COME_OUT


def test_pay_tables_share_cells_and_differ_in_pays() -> None:
    one, other = (full_layout(change(load("craps"), "bonus_craps.paytable", f'"{t}"')) for t in ("BC-03", "BC-04"))
    assert one.cells is other.cells
    assert one.pays != other.pays
