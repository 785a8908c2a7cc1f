import pytest

from stickman.rules.dice import ROLLS, hard
from stickman.rules.machine import LOSES, STAYS, Decided, Machine, Slot, State, moves, row, wins


def test_a_row_covers_the_36_rolls() -> None:
    cells = row(wins("six").on(6), LOSES.on(7, hard(4)))
    assert [cells[roll.number].decided for roll in ROLLS] == [
        Decided.WIN if roll.total == 6 else Decided.LOSE if roll.total == 7 or roll == (2, 2) else Decided.NOTHING
        for roll in ROLLS
    ]


def test_what_no_rule_names_happens_otherwise() -> None:
    assert set(row(otherwise=LOSES)) == {LOSES}
    assert set(row()) == {STAYS}


def test_two_rules_for_one_roll_are_our_mistake() -> None:
    with pytest.raises(AssertionError, match="two rules for 2-2"):
        row(LOSES.on(4), wins("hard").on(hard(4)))


def test_a_move_to_no_state_is_our_mistake() -> None:
    with pytest.raises(AssertionError, match="up goes to down"):
        Machine(("up",), {"up": State(row(moves("down").on(7)))})


def test_a_win_names_its_pay_and_does_not_say_how_much() -> None:
    assert wins("horn.2", 4).slot == Slot("horn.2", 4)
