"""What the screens are sent of bets on a set of totals: each wager's own (BC4 rules of play 3, IB 6.2.1)."""

from __future__ import annotations

from stickman.table.view import SeatView, TableView, view
from tests.talk.table import TableTalk, opened

LOW = ("1-1", "1-2", "2-2", "2-3", "3-3")
"""2, 3, 4, 5, 6."""


def seat(table: TableTalk, number: int = 1) -> SeatView:
    shown = view(table.now, f"seat {number}", table.facts)
    assert isinstance(shown, SeatView)
    return shown


def display(table: TableTalk) -> TableView:
    shown = view(table.now, "table", table.facts)
    assert isinstance(shown, TableView)
    return shown


def test_ib_6_2_1_a_fulfilled_lucky_roller_bet_is_remembered_until_the_next_7() -> None:
    table = opened("craps", "seats=2")
    table.seat(2).inserts(100).bets("hard.8", 5)
    table.seat(1).inserts(100).bets("lucky_roller.low", 5).bets("lucky_roller.all", 5)
    for dice in LOW[:-1]:
        table.rolls(dice)
    assert seat(table).fulfilled == ()
    table.rolls(LOW[-1])
    assert seat(table).fulfilled == ("lucky_roller.low",)
    assert "lucky_roller.low" not in seat(table).wagers
    for dice in ("4-4", "4-5", "5-5", "5-6"):
        table.rolls(dice)
        assert seat(table).fulfilled == ("lucky_roller.low",)
    table.rolls("6-6")
    assert seat(table).fulfilled == ("lucky_roller.low", "lucky_roller.all")
    assert seat(table, 2).fulfilled == ()
    table.seat(2).bets("field", 5)
    table.rolls("3-4")
    assert seat(table).fulfilled == ()


def test_ib_6_2_1_a_fulfilled_bet_is_forgotten_with_the_stay() -> None:
    table = opened("shoot-to-win", "seats=2")
    table.seat(2).inserts(100).bets("hard.8", 5)
    one = table.seat(1).inserts(100).bets("lucky_roller.low", 5)
    for dice in LOW:
        table.rolls(dice)
    assert seat(table).fulfilled == ("lucky_roller.low",)
    one.cashes_out()
    assert seat(table).fulfilled == ()
    one.inserts(50)
    assert seat(table).fulfilled == ()


def test_bc_rules_3_a_new_wager_on_a_completed_set_has_seen_nothing() -> None:
    table = opened("craps", "seats=2", "bonus_craps.on=true")
    table.seat(2).inserts(100).bets("hard.8", 5)
    one = table.seat(1).inserts(100).bets("bonus.small", 5)
    for dice in LOW:
        table.rolls(dice)
    assert seat(table).fulfilled == ("bonus.small",)
    one.bets("bonus.small", 5)
    assert seat(table).wagers["bonus.small"].hits == ()
    assert seat(table).fulfilled == ()
    assert display(table).collected == {"bonus.small": ((),)}


def test_bc_rules_3_a_bet_made_in_the_middle_of_a_hand_shows_its_own_set_on_the_table_display() -> None:
    table = opened("shoot-to-win", "seats=2")
    table.seat(1).inserts(100).bets("lucky_roller.low", 5).bets("lucky_roller.all", 5)
    table.rolls("1-3").rolls("2-3")
    table.seat(2).inserts(100).bets("lucky_roller.low", 5)
    assert display(table).collected == {"lucky_roller.low": ((4, 5), ()), "lucky_roller.all": ((4, 5),)}
    table.rolls("5-1")
    assert display(table).collected["lucky_roller.low"] == ((4, 5, 6), (6,))
    assert seat(table, 2).wagers["lucky_roller.low"].hits == (6,)


def test_bc3_fired_up_shows_how_far_it_has_come_in_the_order_of_its_sequence() -> None:
    table = opened("craps", "seats=2", "fired_up.on=true")
    table.seat(1).inserts(100).bets("fired_up", 1)
    table.rolls("5-1").rolls("4-1")
    assert seat(table).wagers["fired_up"].hits == (6, 5)
    assert display(table).collected == {"fired_up": ((6, 5),)}
