"""The bounds that the bench of devices judges, with values that each must reject."""

from __future__ import annotations

import pytest

from bench.devices import CREDITED, INHIBITED, POLLED, RETURNED, Bound, Judge, Span


@pytest.mark.parametrize(
    ("bound", "good", "bad"),
    [
        (POLLED, [100.0] * 9_999 + [900.0], [100.0] * 9_900 + [201.0] * 100),
        (POLLED, [100.0] * 9_999 + [1.0], [100.0] * 9_900 + [49.0] * 100),
        (CREDITED, [20.0] * 999 + [101.0], [20.0] * 980 + [101.0] * 20),
        (INHIBITED, [2_000.0, 2_200.0], [2_000.0, 2_201.0]),
        (RETURNED, [4_900.0, 5_200.0], [4_900.0, 5_201.0]),
        (RETURNED, [4_900.0, 5_200.0], [4_700.0, 5_200.0]),
    ],
)
def test_a_bound_is_broken_by_too_many_values_outside_of_it(
    bound: Bound, good: list[float], bad: list[float]
) -> None:
    judge = Judge([])
    judge.show("measure", [Span(0, ms) for ms in good], bound)
    assert judge.broken == []
    judge.show("measure", [Span(0, ms) for ms in bad], bound)
    [broken] = judge.broken
    assert broken.startswith("measure: ")
