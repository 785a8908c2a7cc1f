"""A short run of the fuzzing, the same each time; `make fuzz` has the long one."""

from __future__ import annotations

import random

import msgspec

from stickman import wire
from tests.attacks.fuzz import Maker, complaints, in_memory, run


def test_a_thousand_messages_from_the_schema_leave_no_error_and_a_table_that_plays() -> None:
    with in_memory() as folder:
        report = run(folder, 1_000, 7, lambda _: None)
    assert report.clean, str(report)
    assert report.seen.answers["done"] > 50, str(report)


def test_most_messages_can_be_read_and_the_broken_ones_differ() -> None:
    maker, read = Maker(random.Random(3)), 0  # noqa: S311 - the same each time
    for _ in range(500):
        try:
            wire.DECODER.decode(maker.message(1))
            read += 1
        except msgspec.DecodeError:
            pass
    assert read > 400
    assert len({b"".join(maker.broken()) for _ in range(100)}) > 90


def test_errors_in_a_log_are_found() -> None:
    lines = [
        '{"event": "x", "level": "info"}',
        '{"event": "y", "level": "error"}',
        "Traceback (most recent call last):",
    ]
    assert len(complaints("\n".join(lines))) == 2
