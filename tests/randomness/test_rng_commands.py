"""`stickman rng`: samples, tests, their output and their exit codes."""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from stickman.cli.rng_commands import rng
from stickman.randomness import battery


def stickman(*arguments: str | Path) -> Result:
    return CliRunner().invoke(rng, [str(argument) for argument in arguments])


@pytest.fixture
def fair(tmp_path: Path) -> Path:
    """A file of good bytes, the same every time."""
    file = tmp_path / "fair"
    file.write_bytes(np.random.default_rng(1).bytes(150_000))
    return file


@pytest.fixture
def loaded(tmp_path: Path) -> Path:
    """A file of bytes that make no six on the first die."""
    file = tmp_path / "loaded"
    raw = np.random.default_rng(1).bytes(60_000)
    file.write_bytes(bytes(byte for byte in raw if byte % 36 < 30))
    return file


# --- Samples ---


def test_a_sample_is_a_roll_a_line() -> None:
    lines = stickman("sample", "50").stdout.splitlines()
    assert len(lines) == 50
    assert all(re.fullmatch("[1-6]-[1-6]", line) for line in lines)
    assert len(stickman("sample", "3", "--text").stdout.splitlines()) == 3


def test_a_sample_as_json_says_where_it_is_from() -> None:
    found = json.loads(stickman("sample", "1000", "--json").stdout)
    assert (found["source"], found["use"], len(found["rolls"])) == ("kernel", "dice", 1000)
    assert found["bytes_used"] >= 1000
    assert {face for roll in found["rolls"] for face in roll} == set(range(1, 7))


def test_raw_bytes_make_exactly_the_rolls_that_were_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stickman.cli.rng_commands.RAW_BLOCK", 1_000)
    file = tmp_path / "raw"
    result = stickman("sample", "20000", "--raw", file)
    assert result.stderr == f"Wrote {file}: {file.stat().st_size} bytes for 20000 rolls\n"
    assert battery.held(battery.stored(file))[0] == 20_000


def test_one_form_of_sample_at_a_time(tmp_path: Path) -> None:
    result = stickman("sample", "5", "--json", "--raw", tmp_path / "raw")
    assert result.exit_code == 2
    assert "exclude each other" in result.stderr


def test_dice_whose_source_is_bad_are_not_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stickman.cli.rng_commands.KernelDice.read", staticmethod(bytes))
    result = stickman("sample", "5")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "the source of dice failed its health test" in result.stderr


# --- Tests ---


def test_a_fair_file_passes(fair: Path) -> None:
    result = stickman("test", "--source", fair)
    assert result.exit_code == 0
    for name in ("faces", "ordered pairs", "totals", "runs", "serial correlation of dice", "gaps", "poker hands"):
        assert re.search(rf"^ *{name} .* passed *$", result.stdout, re.MULTILINE), name
    assert "NIST linear complexity" in result.stdout
    assert "Not proven" in result.stdout


def test_a_loaded_file_fails_with_exit_code_1(loaded: Path) -> None:
    result = stickman("test", "--source", loaded)
    assert result.exit_code == 1
    assert re.search(r"^ *faces .* FAILED *$", result.stdout, re.MULTILINE)
    assert "Failed: faces, first die\n" in result.stdout


def test_the_report_as_json_holds_every_p_value(fair: Path, loaded: Path) -> None:
    good = json.loads(stickman("test", "20000", "--source", fair, "--json").stdout)
    assert (good["dice"], good["power_draws"], good["sequences"]) == (20_000, 1_000, 1)
    assert (good["finished"], good["passed"]) == (True, True)
    assert {"test", "what", "statistic", "p", "adjusted", "verdict"} == set(good["tests"][0])
    assert [test["what"] for test in good["tests"] if test["test"] == "serial correlation of totals"] == [
        f"lag {lag}" for lag in range(1, 51)
    ]
    bad = json.loads(stickman("test", "--source", loaded, "--json").stdout)
    assert not bad["passed"]
    assert {test["verdict"] for test in bad["tests"] if test["test"] == "faces"} == {"failed", "passed"}


def test_a_sample_and_a_test_fit_together(tmp_path: Path) -> None:
    file = tmp_path / "raw"
    stickman("sample", "30000", "--raw", file)
    found = json.loads(stickman("test", "--source", file, "--sequences", "0", "--json").stdout)
    assert (found["dice"], found["finished"]) == (60_000, True)
    assert min(test["adjusted"] for test in found["tests"]) > 1e-6


def test_the_kernel_is_tested_by_default() -> None:
    found = json.loads(stickman("test", "20000", "--sequences", "0", "--json").stdout)
    assert (found["source"], found["dice"], found["sequences"]) == ("kernel", 20_000, 0)


@pytest.mark.parametrize(("dice", "needed"), [((), 10_000), (("50000",), 50_000)])
def test_a_file_that_is_too_short_is_told(dice: tuple[str, ...], needed: int, tmp_path: Path) -> None:
    file = tmp_path / "short"
    file.write_bytes(bytes(4_000))
    result = stickman("test", *dice, "--source", file)
    assert result.exit_code == 1
    assert f"holds bytes for 8000 dice; needed: {needed}" in result.stderr


def test_a_file_that_is_not_there_is_told() -> None:
    result = stickman("test", "--source", "nowhere")
    assert result.exit_code == 1
    assert "nowhere" in result.stderr


def test_ctrl_c_prints_what_was_tested_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []

    def read(count: int) -> bytes:
        reads.append(count)
        if len(reads) == 2:
            signal.raise_signal(signal.SIGINT)
        return os.urandom(count)

    monkeypatch.setattr(battery, "kernel", lambda: nullcontext(read))
    before = signal.getsignal(signal.SIGINT)
    result = stickman("test", "1000000000000", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 130
    assert (len(reads), found["finished"], found["sequences"]) == (2, False, 0)
    assert 2 * sum(reads) * 0.95 < found["dice"] <= 2 * sum(reads)
    assert found["tests"]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_ctrl_c_stops_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(_: int) -> bytes:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("not reached")

    monkeypatch.setattr(battery, "kernel", lambda: nullcontext(read))
    result = stickman("test", "1000000000000")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Aborted" in result.stderr


# --- Without numpy ---


@pytest.mark.parametrize("missing", ["numpy", "scipy"])
def test_a_missing_package_is_told(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("stickman.randomness")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [missing, *(name for name in sys.modules if name.startswith(f"{missing}."))]:
        monkeypatch.setitem(sys.modules, name, None)
    result = stickman("test", "10000")
    assert result.exit_code == 1
    assert f"{missing} is not installed: pip install 'stickman[rng]'" in result.stderr


def test_dice_are_sampled_without_numpy() -> None:
    code = (
        "import sys; sys.modules['numpy'] = sys.modules['scipy'] = None\n"
        "from stickman.cli.rng_commands import rng; rng(['sample', '3'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 3), done.stderr
