"""Ruling 60: a wager that is carried to another spot ends as if it had been taken down and bet there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stickman.rules.felt import Felt
from stickman.table import messages as m
from stickman.table.asking import layout_of
from stickman.table.messages import Facts, Refused
from stickman.table.state import Table
from tests.table.walks import happens, tables
from tests.talk.table import seated


def taken_and_placed(table: Table, seat: int, spot: str, to: str, facts: Facts) -> tuple[Table, Refused | None]:
    """The two actions one after the other, with the fee accepted."""
    stake = table.seat(seat).felt.wagers[spot].stake_cents
    down, refused = happens(table, m.TakeBet(seat=seat, spot=spot), facts)
    if refused:
        return table, refused
    placed, refused = happens(down, m.PlaceBet(seat=seat, spot=to, cents=stake), facts)
    return (table, refused) if refused else (_accepted(placed, seat, facts), None)


def _accepted(table: Table, seat: int, facts: Facts) -> Table:
    if table.seat(seat).bet_time.pop_up is None:
        return table
    after, refused = happens(table, m.AnswerPopUp(seat=seat, accept=True), facts)
    assert refused is None
    return after


def felt(table: Table, seat: int) -> Felt:
    return table.seat(seat).felt


@settings(max_examples=60)
@given(tables(), st.integers(0, 1 << 16))
def test_ruling_60_carrying_is_taking_down_and_betting_elsewhere(walked: tuple[Table, Facts], drawn: int) -> None:
    table, facts = walked
    bets = list(layout_of(table).bets)
    for seat in table.playing():
        for n, spot in enumerate(seat.felt.wagers):
            to = bets[(drawn + 7 * n) % len(bets)]
            if to == spot:
                continue
            carried, refused = happens(table, m.CarryBet(seat=seat.number, spot=spot, to=to), facts)
            as_two, refused_as_two = taken_and_placed(table, seat.number, spot, to, facts)
            assert (refused and refused.why) == (refused_as_two and refused_as_two.why), (spot, to)
            if not refused:
                carried = _accepted(carried, seat.number, facts)
                assert felt(carried, seat.number) == felt(as_two, seat.number)
                assert carried.accounts == as_two.accounts


def test_ruling_60_place_6_is_carried_to_place_8_and_one_undo_takes_it_back() -> None:
    one = seated("craps").bets("place.6", 12).carries("place.6", "place.8")
    assert (one.lies, one.credit) == ({"place.8": 12_00}, 88_00)
    one.undoes()
    assert (one.lies, one.credit) == ({"place.6": 12_00}, 88_00)


def test_ruling_60_a_wager_does_not_keep_itself_out() -> None:
    """Place 6 excludes Lay 6; carried there, it is Place 6 no longer. Lay 6 asks for its fee: 5% of $10."""
    one = seated("craps").bets("place.6", 12).carries("place.6", "lay.6")
    assert one.pop_up
    one.accepts()
    assert (one.lies, one.credit) == ({"lay.6": 12_00}, 87_50)


def test_ruling_60_the_rules_of_the_new_spot_count() -> None:
    one = seated("craps").bets("field", 5)
    one.refused("wrong_step").carries("field", "horn")
    one.refused("already_so").carries("field", "field")
    assert one.lies == {"field": 5_00}


def test_ruling_60_a_locked_wager_stays() -> None:
    one = seated("craps").bets("pass", 5)
    one.table.rolls("2-2")
    one.refused("locked").carries("pass", "field")
    assert one.lies == {"pass": 5_00}


@pytest.mark.parametrize("name", ["roll-to-win", "shoot-to-win"])
def test_ruling_60_in_the_led_games_too(name: str) -> None:
    assert seated(name).bets("field", 5).carries("field", "hard.8").lies == {"hard.8": 5_00}
