"""The commands of the strategy lab, as a user types them."""

from __future__ import annotations

import csv
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import click
import pyarrow.parquet as pq  # type: ignore[import-untyped]  # it has no types
import pytest
from click.testing import CliRunner, Result

from stickman.cli.sim_commands import compare, simulate, strategies
from stickman.par.sheet import SheetRequest, sheet
from stickman.rules.settings import load
from stickman.sim import cluster
from stickman.sim import run as runs
from stickman.sim.library import LIBRARY

OWN = """
from stickman.sim.library import flat
from stickman.sim.strategy import Strategy

cautious = Strategy("cautious", (flat("dont_pass", 500),))
"""


def run(*words: str, command: click.Command = simulate) -> Result:
    return CliRunner().invoke(command, words)


def answered(*words: str, command: click.Command = simulate) -> Any:
    result = run(*words, "--json", command=command)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refused(*words: str, command: click.Command = simulate) -> str:
    """The message of a command that cannot be carried out, without a traceback."""
    result = run(*words, command=command)
    assert result.exit_code in (1, 2)
    assert isinstance(result.exception, SystemExit)
    return result.stderr


def test_every_known_strategy_is_listed_with_what_it_does() -> None:
    listed = json.loads(CliRunner().invoke(strategies, ["--json"]).stdout)
    assert [each["strategy"] for each in listed] == list(LIBRARY)
    text = CliRunner().invoke(strategies, []).stdout
    assert "iron-cross" in text
    assert "every total but the 7 wins" in text


def test_a_simulation_as_json_says_what_was_played_and_adds_up() -> None:
    found = answered(
        "pass", "--game", "crapless", "--sessions", "500", "--rolls", "50", "--bankroll", "200", "--seed", "3"
    )
    assert found["game"] == "crapless"
    assert found["fingerprint"] == load("crapless").fingerprint()
    assert (found["sessions"], found["seed"], found["bankroll_cents"]) == (500, 3, 20_000)
    assert sum(found["endings"].values()) == 500
    assert found["mean_cents"] == found["net_cents"] / 500
    assert found["rtp"] == 1 + found["net_cents"] / found["handle_cents"]
    assert found["on_felt"] == 0


def test_the_same_seed_gives_the_same_digest_whatever_the_threads() -> None:
    words = ("busy", "--sessions", "300", "--rolls", "40", "--seed", "8")
    assert answered(*words, "--threads", "1")["digest"] == answered(*words, "--threads", "2")["digest"]


def test_a_simulation_prints_a_readable_table() -> None:
    words = ("pass + field", "--sessions", "200", "--stop-loss", "100", "--win-goal", "50", "--rolls", "60")
    text = run(*words, "--game", "roll-to-win").stdout
    assert "pass + field at Roll to Win Craps" in text
    for word in ("stop loss", "win goal", "ruin", "return to player", "percentile", "ended ahead", "par", "17/18"):
        assert word in text


def test_histograms_are_written_as_csv(tmp_path: Path) -> None:
    file = tmp_path / "pass.csv"
    found = answered("pass", "--sessions", "400", "--rolls", "30", "--csv", str(file))
    rows = list(csv.DictReader(file.read_text().splitlines()))
    nets = [(int(row["value"]), int(row["sessions"])) for row in rows if row["measure"] == "net_cents"]
    assert sum(times for _, times in nets) == 400
    assert sum(cents * times for cents, times in nets) == found["net_cents"]
    assert {row["measure"] for row in rows} == {"net_cents", "drawdown_cents", "rolls"}


def test_histograms_are_written_as_parquet_with_what_was_played(tmp_path: Path) -> None:
    file = tmp_path / "pass.parquet"
    found = answered("pass", "--sessions", "400", "--rolls", "30", "--seed", "6", "--parquet", str(file))
    table = pq.read_table(file)
    assert [str(field.type) for field in table.schema] == ["string", "int64", "int64"]
    nets = [row for row in table.to_pylist() if row["measure"] == "net_cents"]
    assert sum(row["sessions"] for row in nets) == 400
    assert sum(row["value"] * row["sessions"] for row in nets) == found["net_cents"]
    told = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    assert told["digest"] == found["digest"]
    assert told["fingerprint"] == load("craps").fingerprint()
    assert (told["strategy"], told["seed"], told["sessions"]) == ("pass", "6", "400")


def test_each_bets_return_stands_beside_its_exact_one() -> None:
    found = answered("pass-odds + field", "--sessions", "300", "--rolls", "60")
    exact = {bet: sheet(load("craps"), SheetRequest(bet=bet)).bets[0].rtp for bet in ("pass", "pass.odds", "field")}
    assert {bet["bet"]: bet["rtp_par"] for bet in found["bets"]} == {bet: str(rtp) for bet, rtp in exact.items()}
    for bet in found["bets"]:
        assert bet["rtp"] == bet["back_cents"] / bet["handle_cents"]
        off = bet["rtp"] - float(exact[bet["bet"]])
        assert bet["errors_apart"] == pytest.approx(1.959964 * off / bet["rtp_error"], rel=1e-6)
        assert abs(bet["errors_apart"]) < 5


def test_bets_need_not_be_tallied() -> None:
    words = ("field", "--sessions", "50", "--rolls", "9")
    without = answered(*words, "--no-bets")
    assert without["bets"] == []
    assert without["command"].endswith(" --no-bets")
    assert without["net_cents"] == answered(*words)["net_cents"]


def test_a_single_session_has_returns_without_intervals() -> None:
    [bet] = answered("field", "--sessions", "1", "--rolls", "9")["bets"]
    assert bet["rtp"] is not None
    assert bet["rtp_error"] is bet["errors_apart"] is None
    assert "–" in run("field", "--sessions", "1", "--rolls", "9").stdout


def test_a_fan_says_where_bankrolls_stand_from_roll_to_roll() -> None:
    words = ("iron-cross", "--sessions", "300", "--rolls", "200", "--stop-loss", "300", "--fan")
    found = answered(*words)["fan"]
    assert found["sessions"] == 300
    assert [found["checkpoints"][at]["roll"] for at in (0, -1)] == [0, 200]
    assert found["checkpoints"][-1]["ended"]["stop_loss"] > 0
    assert list(found["checkpoints"][0]["bands"]) == ["5", "25", "50", "75", "95"]
    assert "the first 300 sessions" in run(*words).stdout


def test_the_command_that_is_told_gives_the_same_digest() -> None:
    words = (
        "pass + field",
        "--game",
        "easy",
        "--sessions",
        "50",
        "--rolls",
        "30",
        "--bankroll",
        "300",
        "--seed",
        "4",
    )
    found = answered(*words, "--win-goal", "50.50", "--set", "limits.min_cents", "200", "--unit", "12")
    program, command, *told = shlex.split(found["command"])
    assert (program, command) == ("stickman", "simulate")
    assert answered(*told)["digest"] == found["digest"]


def test_an_exact_answer_needs_no_dice(tmp_path: Path) -> None:
    words = ("pass", "--exact", "--bankroll", "200", "--rolls", "500")
    found = answered(*words, "--csv", str(tmp_path / "pass.csv"))
    assert found["endings"]["ruin"] == pytest.approx(0.128592044014337, abs=1e-12)
    assert sum(chance for _, chance in found["net"]) == pytest.approx(1)
    assert "0.128592044014" in run(*words).stdout
    rows = list(csv.DictReader((tmp_path / "pass.csv").read_text().splitlines()))
    assert [[int(row["value"]), float(row["chance"])] for row in rows] == found["net"]


def test_an_exact_answer_tells_how_deep_sessions_fall_if_asked() -> None:
    """The same percentiles as a simulation has, which are whole units apart."""
    words = ("pass", "--bankroll", "100", "--rolls", "12")
    found = answered(*words, "--exact", "--drawdown")
    assert sum(chance for _, chance in found["drawdown"]) == pytest.approx(1)
    assert found["percentiles"]["drawdown_cents"] == answered(*words)["percentiles"]["drawdown_cents"]
    assert "drawdown" in run(*words, "--exact", "--drawdown").stdout
    assert "--drawdown needs --exact" in refused(*words, "--drawdown")


def test_settings_change_the_table() -> None:
    """A table minimum of $15 refuses a unit of $10, and says so; a unit of $15 is taken."""
    words = ("pass", "--sessions", "5", "--rolls", "9", "--set", "limits.min_cents", "1500")
    found = answered(*words)
    assert found["handle_cents"] == 0
    assert found["notes"] == ["pass: the felt refused pass (under_min)."]
    assert answered(*words, "--unit", "15")["handle_cents"] > 0


def test_a_strategy_of_ones_own_comes_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OWN)
    assert answered(f"{file}:cautious", "--sessions", "5", "--rolls", "20")["strategy"] == "cautious"
    assert "has no strategy 'bold'; allowed: cautious" in refused(f"{file}:bold")
    assert "there is no strategy file" in refused(f"{tmp_path / 'none.py'}:cautious")


def test_the_strategy_in_the_documentation_can_be_played(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text()
    (tmp_path / "mine.py").write_text(page.split("```python")[1].split("```")[0])
    found = answered(f"{tmp_path / 'mine.py'}:cautious", "--sessions", "5", "--rolls", "20")
    assert found["handle_cents"] > 0
    assert found["notes"] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("system",), "'system' is not known; allowed: pass, "),
        (("pass", "--game", "poker"), "'poker'"),
        (("pass", "--bankroll", "much"), "'much' is not money"),
        (("pass", "--bankroll", "0"), "bankroll_cents 0; allowed: 1 and more"),
        (("pass", "--sessions", "0"), "0 is not in the range"),
        (("pass", "--seed", "-1"), "-1 is not in the range"),
        (("pass", "--set", "limits.min_cents", "none"), "limits.min_cents"),
        (
            ("busy", "--exact", "--bankroll", "1000000", "--rolls", "9999"),
            "too many for an exact answer; set a stop loss",
        ),
    ],
)
def test_what_cannot_be_played_is_told_in_one_line(words: tuple[str, ...], said: str) -> None:
    assert said in refused(*words)


# --- Strategies together ---

TOGETHER = ("pass", "iron-cross", "--sessions", "300", "--rolls", "60", "--seed", "2")


def test_a_comparison_as_json_is_of_the_same_sessions() -> None:
    found = answered(*TOGETHER, command=compare)
    for each in found["strategies"]:
        alone = answered(each["strategy"], *TOGETHER[2:])
        assert each["digest"] == alone["digest"]
        assert each["bets"] == alone["bets"]
    [pair] = found["pairs"]
    first, second = found["strategies"]
    assert (pair["first"], pair["second"]) == ("pass", "iron-cross")
    assert pair["mean_cents"] == pytest.approx(first["mean_cents"] - second["mean_cents"])
    assert pair["first_ahead"] + pair["second_ahead"] + pair["level"] == 300
    assert (pair["first_ahead"], pair["second_ahead"]) == (first["leads"], second["leads"])
    assert pair["narrowed_by"] == 1 - pair["mean_error_cents"] / pair["unpaired_error_cents"]


def test_a_comparison_prints_a_readable_table() -> None:
    text = run("pass", "field", "horn", *TOGETHER[2:], "--win-goal", "50", command=compare).stdout
    for words in ("pass, field and horn at Craps", "pass less horn", "narrowed by", "win goal", "best of all"):
        assert words in text
    assert "stop loss" not in text


def test_histograms_of_a_comparison_are_written(tmp_path: Path) -> None:
    files = tmp_path / "both.csv", tmp_path / "both.parquet"
    found = answered(*TOGETHER, "--csv", str(files[0]), "--parquet", str(files[1]), command=compare)
    rows = list(csv.DictReader(files[0].read_text().splitlines()))
    table = pq.read_table(files[1])
    assert rows == [{key: str(value) for key, value in row.items()} for row in table.to_pylist()]
    pair = [(int(row["value"]), int(row["sessions"])) for row in rows if row["strategy"] == "pass less iron-cross"]
    assert sum(cents * times for cents, times in pair) == pytest.approx(300 * found["pairs"][0]["mean_cents"])
    digests = json.loads(table.schema.metadata[b"digest"])
    assert digests == {each["strategy"]: each["digest"] for each in found["strategies"]}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("pass",), "a comparison of 1; allowed: 2 to 6 strategies"),
        (("pass", "field", "pass"), "strategy 'pass' is there twice; allowed: each once"),
        (("pass", "system"), "'system' is not known; allowed: pass, "),
        (("pass", "field", "--bankroll", "much"), "'much' is not money"),
    ],
)
def test_what_cannot_be_compared_is_told_in_one_line(words: tuple[str, ...], said: str) -> None:
    assert said in refused(*words, command=compare)


# --- Long runs ---


def test_a_ledger_keeps_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "PIECE", 100)
    words = ("pass", "--sessions", "400", "--rolls", "20")
    ledger = ("--ledger", str(tmp_path / "run.ledger"))
    found = answered(*words, *ledger)
    assert found == answered(*words)
    monkeypatch.setattr(runs.LabPlayer, "play", None)  # all is there, nothing is played again
    assert answered(*words, *ledger) == found
    assert "is the ledger of another run; allowed: a new file" in refused("field", *words[1:], *ledger)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "after 50 of 400 sessions: none is kept; with --ledger FILE the same command continues"),
        (
            ("--ledger", "run.ledger"),
            "after 50 of 400 sessions: they are in run.ledger, and the same command continues",
        ),
    ],
)
def test_an_interruption_is_told_with_how_to_go_on(
    words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_labs: object, _sessions: int, _threads: int, progress: Any, _ledger: object) -> None:
        progress(50)
        raise KeyboardInterrupt

    monkeypatch.setattr(runs, "compare", interrupted)
    result = run("pass", "--sessions", "400", *words)
    assert result.exit_code == 130
    assert said in result.stderr


def test_a_cluster_plays_what_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def compared(address: str, labs: list[runs.Lab], sessions: int, progress: Any, ledger: object) -> object:
        asked.append((address, len(labs), sessions, ledger))
        return runs.compare(labs, sessions, 1, progress)

    monkeypatch.setattr(cluster, "compare", compared)
    words = ("--sessions", "40", "--rolls", "20")
    for command, names in ((simulate, ("pass",)), (compare, ("pass", "field"))):
        there = answered(*names, *words, "--cluster", "tcp://10.0.0.5:8786", command=command)
        assert there == answered(*names, *words, command=command)
    assert asked == [("tcp://10.0.0.5:8786", 1, 40, None), ("tcp://10.0.0.5:8786", 2, 40, None)]


def test_a_comparison_goes_on_from_its_ledger(tmp_path: Path) -> None:
    words = ("pass", "field", "--sessions", "40", "--rolls", "20", "--ledger", str(tmp_path / "run.ledger"))
    first = answered(*words, command=compare)
    assert (tmp_path / "run.ledger").read_text().count("\n") == 2
    assert answered(*words, command=compare) == first


def test_a_cluster_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 0.2)
    assert "no scheduler answers at 'tcp://127.0.0.1:1'" in refused("pass", "--cluster", "tcp://127.0.0.1:1")


def test_no_dice_need_no_ledger() -> None:
    assert "--exact plays no sessions" in refused("pass", "--exact", "--ledger", "run.ledger")


def test_a_missing_package_is_told_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("run", "kernel", "explore", "exact"):
        monkeypatch.delitem(sys.modules, f"stickman.sim.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    assert "numba is not installed: pip install 'stickman[sim]'" in refused("pass")
