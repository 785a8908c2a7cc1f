"""The tests on dice count what they say, follow the right law, and do not mind how the stream is cut."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickman.randomness.dice import (
    FIRST,
    HAND_OF,
    HANDS,
    SECOND,
    Coupons,
    Finding,
    Gaps,
    Lags,
    Outcomes,
    Poker,
    PowerTests,
    RollTests,
    Runs,
    Small,
)
from stickman.rules.dice import ROLLS

rolls_of_any_length = st.lists(st.integers(0, 35), max_size=600).map(lambda numbers: np.array(numbers, np.uint8))


def some_rolls(count: int, seed: int = 1) -> Small:
    return np.random.default_rng(seed).integers(0, 36, count, np.uint8)


def dice_of(numbers: Small) -> Small:
    return np.stack([FIRST[numbers], SECOND[numbers]], axis=1).ravel()


def cut(values: Small, places: list[int]) -> list[Small]:
    return np.split(values, sorted(place % (len(values) + 1) for place in places))


def test_rolls_are_numbered_as_the_rules_number_them() -> None:
    assert [(FIRST[roll.number], SECOND[roll.number]) for roll in ROLLS] == list(ROLLS)


# --- Chunks ---


@given(rolls_of_any_length.filter(lambda numbers: len(numbers) > 1), st.lists(st.integers(0, 600), max_size=8))
def test_how_rolls_are_cut_into_chunks_changes_nothing(numbers: Small, places: list[int]) -> None:
    def counted(chunks: list[Small]) -> dict[str, object]:
        tests = RollTests()
        for chunk in chunks:
            tests.add(chunk)
        return {
            f"{place} {name}": value
            for place, (_, tally) in enumerate(tests.tallies)
            for name, value in counts(tally)
        }

    def counts(tally: object) -> list[tuple[str, object]]:
        whole = {name: value for name, value in vars(tally).items() if isinstance(value, int | np.ndarray)}
        return [(name, np.asarray(value).tolist()) for name, value in whole.items() if name != "history"]

    assert counted(cut(numbers, places)) == counted([numbers])


@pytest.mark.parametrize("chunk", [101, 999, 5_000])
def test_how_a_long_stream_is_cut_changes_no_finding(chunk: int) -> None:
    numbers = some_rolls(20_000)
    levels = np.minimum(np.random.default_rng(2).integers(0, 24, 14_000), 2).astype(np.uint8)

    def findings(size: int) -> list[Finding]:
        on_rolls, on_power = RollTests(), PowerTests(7, 12)
        for start in range(0, len(numbers), size):
            on_rolls.add(numbers[start : start + size])
        for start in range(0, len(levels), size):
            on_power.add(levels[start : start + size])
        return [*on_rolls.findings(), *on_power.findings()]

    assert findings(chunk) == findings(len(numbers))


# --- Counts, told plainly ---


def test_outcomes_are_counted() -> None:
    numbers, tally = some_rolls(1_000), Outcomes()
    tally.add(numbers)
    assert {number: count for number, count in enumerate(tally.counts.tolist()) if count} == Counter(
        numbers.tolist()
    )


def test_changes_of_side_and_of_face_are_counted() -> None:
    tally = Runs("a die")
    tally.add(np.array([1, 3, 4, 4, 6, 2], np.uint8))
    assert (tally.pairs, tally.side_changes, tally.face_changes) == (5, 2, 4)


@given(st.lists(st.integers(1, 6), max_size=300))
def test_products_of_dice_so_many_places_apart_are_summed(faces: list[int]) -> None:
    tally = Lags("dice", np.arange(-7.0, 7.0, 2.0), 35 / 3)
    tally.add(np.array(faces, np.uint8))
    odd = [2 * face - 7 for face in faces]
    plain = [sum(a * b for a, b in zip(odd, odd[lag:], strict=False)) for lag in range(1, 51)]
    assert tally.sums.tolist() == plain


def test_a_slice_of_the_matrix_product_continues_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    faces = dice_of(some_rolls(2_000))
    sums = []
    for size in (64, 1 << 20):
        monkeypatch.setattr(Lags, "SLICE", size)
        tally = Lags("dice", np.arange(-7.0, 7.0, 2.0), 35 / 3)
        tally.add(faces)
        sums.append(tally.sums.tolist())
    assert sums[0] == sums[1]


@given(rolls_of_any_length)
def test_gaps_between_sevens_are_counted(numbers: Small) -> None:
    tally = Gaps("between sevens", FIRST + SECOND == 7)
    tally.add(numbers)
    sevens = [-1, *(place for place, number in enumerate(numbers) if sum(ROLLS[number]) == 7)]
    plain = Counter(min(after - before - 1, Gaps.MOST) for before, after in pairwise(sevens))
    assert {gap: count for gap, count in enumerate(tally.counts.tolist()) if count} == plain


@given(st.lists(st.integers(1, 6), max_size=300))
def test_dice_until_all_faces_are_counted(faces: list[int]) -> None:
    tally = Coupons()
    tally.add(np.array(faces, np.uint8))
    groups = [faces[start : start + 32] for start in range(0, len(faces) - 31, 32)]
    plain = Counter(next((n for n in range(33) if len(set(group[:n])) == 6), 33) for group in groups)
    assert {needed: count for needed, count in enumerate(tally.counts.tolist()) if count} == plain


@given(st.lists(st.integers(1, 6), max_size=300))
def test_poker_hands_are_counted(faces: list[int]) -> None:
    tally = Poker()
    tally.add(np.array(faces, np.uint8))
    hands = [Counter(faces[start : start + 5]).values() for start in range(0, len(faces) - 4, 5)]
    plain = Counter(tuple(sorted(hand, reverse=True)) for hand in hands)
    assert {HANDS[hand]: count for hand, count in enumerate(tally.counts.tolist()) if count} == plain


def test_power_odds_are_counted_by_group_and_by_draw() -> None:
    tests = PowerTests(2, 12)
    tests.add(np.array([0, 2, 1, 1, 2, 2, 0], np.uint8))  # low and nothing, high twice, nothing twice, half a draw
    assert tests.draws == 3
    assert tests.shown.tolist() == [[1, 1, 1], [0, 1, 2]]
    assert tests.at_once.tolist() == [1, 1, 1]


# --- Laws ---


def law_of(tally: Outcomes | Gaps | Coupons | Poker, monkeypatch: pytest.MonkeyPatch) -> list[list[float]]:
    """The laws that a test compares its counts with."""
    laws: list[list[float]] = []

    def noted(_: object, law: object) -> None:
        laws.append(np.asarray(law, float).tolist())

    monkeypatch.setattr("stickman.randomness.dice.pooled_chi_square", noted)
    list(tally.findings())
    return laws


def test_outcomes_follow_the_36_rolls(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, pairs, totals = law_of(Outcomes(), monkeypatch)
    assert first == second == [1 / 6] * 6
    assert pairs == [1 / 36] * 36
    ways = Counter(roll.total for roll in ROLLS)
    assert totals == pytest.approx([ways[total] / 36 for total in range(2, 13)])


@pytest.mark.parametrize(("what", "hits"), [("sevens", FIRST + SECOND == 7), ("pairs", FIRST == SECOND)])
def test_gaps_follow_the_geometric_law(what: str, hits: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    [law] = law_of(Gaps(what, hits.astype(bool)), monkeypatch)
    exact = [Fraction(1, 6) * Fraction(5, 6) ** gap for gap in range(Gaps.MOST)]
    assert law == pytest.approx([float(chance) for chance in [*exact, 1 - sum(exact)]])


def test_dice_until_all_faces_follow_the_chain_of_new_faces(monkeypatch: pytest.MonkeyPatch) -> None:
    [law] = law_of(Coupons(), monkeypatch)
    seen, exact = {0: Fraction(1)}, []
    for _ in range(32):
        seen = {
            faces: seen.get(faces, 0) * Fraction(faces, 6) + seen.get(faces - 1, 0) * Fraction(7 - faces, 6)
            for faces in range(1, 7)
        }
        exact.append(seen[6])
    needed = [exact[5], *(after - before for before, after in pairwise(exact[5:])), 1 - exact[-1]]
    assert law == pytest.approx([float(chance) for chance in needed])


def test_poker_hands_have_their_known_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {
        (1, 1, 1, 1, 1): 720, (2, 1, 1, 1): 3600, (2, 2, 1): 1800, (3, 1, 1): 1200,
        (3, 2): 300, (4, 1): 150, (5,): 6,
    }  # fmt: skip
    [law] = law_of(Poker(), monkeypatch)
    assert dict(zip(HANDS, law, strict=True)) == {hand: ways / 7776 for hand, ways in known.items()}
    assert len(HAND_OF) == len(list(product(range(6), repeat=5)))


def test_values_that_are_multiplied_have_mean_zero_and_the_variance_they_are_divided_by() -> None:
    outcomes = {
        "serial correlation of dice": list(range(1, 7)),
        "serial correlation of totals": [roll.total for roll in ROLLS],
        "Power Odds correlation": [0, 1, *[2] * 22],  # low, high, or nothing: once in twelve
    }
    tallies = [tally for _, tally in RollTests().tallies if isinstance(tally, Lags)]
    for tally in [*tallies, PowerTests(7, 12).lags]:
        values = [int(tally.centred[outcome]) for outcome in outcomes.pop(tally.test)]
        assert sum(values) == 0
        assert sum(value * value for value in values) / len(values) == pytest.approx(tally.variance)
    assert outcomes == {}


def test_lag_and_runs_statistics_are_in_standard_deviations() -> None:
    def spread(statistic: Callable[[Small], list[Finding]]) -> float:
        return float(
            np.std([found.fit.statistic for seed in range(300) for found in statistic(some_rolls(500, seed))])
        )

    def of_lags(numbers: Small) -> list[Finding]:
        tally = Lags("dice", np.arange(-7.0, 7.0, 2.0), 35 / 3)
        tally.add(dice_of(numbers))
        return list(tally.findings())

    def of_runs(numbers: Small) -> list[Finding]:
        tally = Runs("first die")
        tally.add(FIRST[numbers])
        return list(tally.findings())

    assert spread(of_lags) == pytest.approx(1, abs=0.05)
    assert spread(of_runs) == pytest.approx(1, abs=0.1)
