"""The whole battery: streamed, stoppable, exact however it is cut, and fair to a fair source."""

import os
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from stickman.randomness.battery import (
    ALPHA,
    Battery,
    BatteryReport,
    BatteryStep,
    Source,
    assess,
    held,
    kernel,
    stored,
)
from stickman.randomness.goodness import chi_square
from stickman.randomness.nist import BITS

DICE = int(os.environ.get("STICKMAN_DICE", "10_000_000"))
"""How many of the kernel's dice are tested: `STICKMAN_DICE=1_000_000_000` for a long run."""
ALMOST_NEVER = 1e-6
"""The battery rejects a good source once in a hundred runs; these tests do so once in a million."""


def fair(size: int, seed: int = 1) -> Source:
    """Bytes with an end, the same every time."""
    raw = np.random.default_rng(seed).bytes(size)

    @contextmanager
    def opened() -> Iterator[Callable[[int], bytes]]:
        yield BytesIO(raw).read

    return opened


def run(tests: Battery) -> BatteryReport:
    for _ in tests.steps():
        pass
    return tests.report()


def test_the_kernels_dice_pass() -> None:
    report = run(Battery(kernel, DICE // 2, 0))
    assert report.finished
    assert report.dice == DICE // 2 * 2
    assert min(report.verdicts, key=lambda verdict: verdict.adjusted).adjusted > ALMOST_NEVER


def test_the_kernels_bits_pass() -> None:
    report = run(Battery(kernel, 0, 3))
    assert (report.dice, report.sequences, report.finished) == (0, 3, True)
    assert {verdict.test for verdict in report.verdicts} >= {"NIST frequency", "NIST linear complexity"}
    assert min(verdict.adjusted for verdict in report.verdicts) > ALMOST_NEVER


@pytest.mark.parametrize("chunk", [997, 20_000, 60_000])
def test_the_size_of_a_chunk_changes_no_verdict(chunk: int) -> None:
    source = fair(50_000)
    rolls, _ = held(source)
    assert run(Battery(source, rolls, 0, chunk)) == run(Battery(source, rolls, 0))


def test_memory_does_not_grow_with_the_dice() -> None:
    def peak(rolls: int) -> int:
        tests = Battery(kernel, rolls, 0, chunk=50_000)
        tracemalloc.start()
        run(tests)
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    peak(60_000)  # whatever is made once and kept
    assert peak(1_000_000) < 1.2 * peak(200_000)


def test_a_battery_that_is_stopped_reports_what_it_tested() -> None:
    tests = Battery(kernel, 1_000_000, 5, chunk=100_000)
    steps = list(islice(tests.steps(), 3))
    assert [step.stage for step in steps] == ["rolls"] * 3
    report = tests.report()
    assert report.dice == 2 * steps[-1].done < 2_000_000
    assert not report.finished
    assert report.verdicts
    assert report.statement()[0].startswith(f"Stopped before everything was tested. Tested: {report.dice:,} dice")


def test_too_few_rolls_are_not_judged() -> None:
    tests = Battery(kernel, 1_000_000, 0, chunk=1_000)
    next(tests.steps())
    report = tests.report()
    assert 0 < report.dice <= 2_000
    assert report.verdicts == []
    assert report.statement()


def test_a_battery_that_is_stopped_at_once_reports_nothing() -> None:
    report = Battery(kernel, 1_000_000, 5).report()
    assert (report.dice, report.sequences, report.verdicts, report.failed) == (0, 0, [], [])
    assert "Tested: 0 dice" in report.statement()[0]


def test_progress_reaches_what_was_planned() -> None:
    steps = list(Battery(fair(400_000), 100_000, 2, chunk=30_000).steps())
    assert {step.stage: step for step in steps} == {
        "rolls": BatteryStep("rolls", 100_000, 100_000),
        "Power Odds draws": BatteryStep("Power Odds draws", 10_000, 10_000),
        "sequences of bits": BatteryStep("sequences of bits", 2, 2),
    }
    assert [step.done for step in steps if step.stage == "rolls"] == sorted(
        {s.done for s in steps if s.stage == "rolls"}
    )


def test_a_source_that_ends_early_is_said_to(tmp_path: Path) -> None:
    file = tmp_path / "raw"
    file.write_bytes(np.random.default_rng(1).bytes(130_000))
    rolls, sequences = held(stored(file))
    assert sequences == 130_000 * 8 // BITS == 1
    report = run(Battery(stored(file), rolls + 1, 2))
    assert (report.dice, report.sequences, report.finished) == (2 * rolls, 1, False)


@pytest.mark.parametrize("constant", [b"\0", b"\xaa", b"\1\2\3\4"])
def test_a_source_that_says_nothing_fails_and_breaks_nothing(constant: bytes, tmp_path: Path) -> None:
    file = tmp_path / "raw"
    file.write_bytes(constant * (200_000 // len(constant)))
    report = run(Battery(stored(file), 100_000, 1))
    failed = {verdict.test for verdict in report.failed}
    assert {"faces", "ordered pairs", "poker hands", "Power Odds"} <= failed
    assert {"NIST approximate entropy", "NIST serial", "NIST linear complexity"} <= failed


# --- NIST's two levels ---


def test_few_p_values_are_judged_each_by_itself() -> None:
    found = list(assess("runs", "", [0.5, 0.001]))
    assert [(finding.what, finding.fit.p) for finding in found] == [("sequence 1", 0.5), ("sequence 2", 0.001)]


def test_many_p_values_are_judged_by_their_spread_and_by_failures() -> None:
    even = [(tenth + 0.5) / 10 for tenth in range(10) for _ in range(10)]
    spread, failed = assess("runs", "lag 1", even)
    assert (spread.what, failed.what) == ("lag 1, spread", "lag 1, failures")
    assert (spread.fit.statistic, spread.fit.p, failed.fit.statistic, failed.fit.p) == (0, 1, 0, 1)


def test_p_values_in_one_tenth_are_spread_unevenly() -> None:
    spread, failed = assess("runs", "", [0.55] * 100)
    assert spread.fit.statistic == pytest.approx(900)  # (100 - 10)² / 10 + 9 * 10² / 10
    assert spread.fit.p < 1e-100
    assert failed.fit.p == 1


def test_p_values_of_zero_and_one_have_a_tenth() -> None:
    spread, _ = assess("runs", "", [0.0, 1.0] * 50)
    assert spread.fit.statistic == pytest.approx(400)  # 2 * 40² / 10 + 8 * 10² / 10


def test_more_failures_than_nist_allows_are_judged_by_their_chance() -> None:
    # NIST's interval for 100 sequences lets four fail: five of a perfect source do so once in 290 times.
    _, failed = assess("runs", "", [0.001] * 5 + [0.5] * 95)
    assert failed.fit.statistic == 5
    assert failed.fit.p == pytest.approx(1 / 290, rel=0.01)


# --- The statement ---


def test_what_is_found_in_nine_runs_of_ten_is_found_so_often() -> None:
    report = run(Battery(fair(80_000), 60_000, 0))
    change = report.resolution()
    law = [1 / 6 + change, *[1 / 6 - change / 5] * 5]
    limit = ALPHA / len(report.verdicts)
    draws = np.random.default_rng(1).multinomial(60_000, law, 4_000)
    found = np.mean([chi_square(draw, [1 / 6] * 6).p < limit for draw in draws])
    assert found == pytest.approx(0.9, abs=0.02)


def test_the_statement_says_what_failed_and_what_no_test_can_prove(tmp_path: Path) -> None:
    file = tmp_path / "raw"
    file.write_bytes(bytes(20_000))
    report = run(Battery(stored(file), 20_000, 0))
    text = " ".join(report.statement())
    assert f"{len(report.failed)} of {len(report.verdicts)} p-values fail" in text
    assert "Not proven: that nobody can predict the dice" in text
    assert "not a certificate" in text
