import pytest

from stickman.rules.dice import ROLLS, TOTALS, Roll, easy, hard, hop, ways


def test_there_are_36_ordered_rolls_each_at_its_number() -> None:
    assert len(set(ROLLS)) == 36
    assert [roll.number for roll in ROLLS] == list(range(36))
    assert all(1 <= die <= 6 for roll in ROLLS for die in roll)


def test_totals_come_in_one_to_six_ways() -> None:
    assert [len(ways(total)) for total in TOTALS] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize("total", [4, 6, 8, 10])
def test_hard_and_easy_part_a_total(total: int) -> None:
    assert len(hard(total)) == 1
    assert sorted(hard(total) + easy(total)) == sorted(ways(total))


def test_an_easy_pair_hops_two_ways_and_a_hard_one_once() -> None:
    assert hop(1, 3) == (Roll(1, 3), Roll(3, 1))
    assert hop(2, 2) == (Roll(2, 2),)


def test_a_roll_reads_as_a_dealer_says_it() -> None:
    assert all(Roll.parse(str(roll)) == roll for roll in ROLLS)


@pytest.mark.parametrize("text", ["", "7-1", "0-3", "4", "4-2-1", "4 2", "a-b", "42"])
def test_what_is_no_roll_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(ValueError, match="two dice from 1 to 6 such as 4-2"):
        Roll.parse(text)
