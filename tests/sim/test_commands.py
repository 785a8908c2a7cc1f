"""The commands of the strategy lab, as a user types them."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from stickman.cli.sim_commands import simulate, strategies
from stickman.rules.game import load
from stickman.sim.library import LIBRARY

OWN = """
from stickman.sim.library import flat
from stickman.sim.strategy import Strategy

cautious = Strategy("cautious", (flat("dont_pass", 500),))
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(simulate, words)


def answered(*words: str) -> Any:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refused(*words: str) -> str:
    """The message of a command that cannot be carried out, without a traceback."""
    result = run(*words)
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
    for word in ("stop loss", "win goal", "ruin", "return to player", "percentile", "Power Odds are left out"):
        assert word in text


def test_histograms_are_written_as_csv(tmp_path: Path) -> None:
    file = tmp_path / "pass.csv"
    found = answered("pass", "--sessions", "400", "--rolls", "30", "--csv", str(file))
    rows = list(csv.DictReader(file.read_text().splitlines()))
    nets = [(int(row["value"]), int(row["sessions"])) for row in rows if row["measure"] == "net_cents"]
    assert sum(times for _, times in nets) == 400
    assert sum(cents * times for cents, times in nets) == found["net_cents"]
    assert {row["measure"] for row in rows} == {"net_cents", "drawdown_cents", "rolls"}


def test_an_exact_answer_needs_no_dice(tmp_path: Path) -> None:
    words = ("pass", "--exact", "--bankroll", "200", "--rolls", "500")
    found = answered(*words, "--csv", str(tmp_path / "pass.csv"))
    assert found["endings"]["ruin"] == pytest.approx(0.128592044014337, abs=1e-12)
    assert sum(chance for _, chance in found["net"]) == pytest.approx(1)
    assert "0.128592044014" in run(*words).stdout
    rows = list(csv.DictReader((tmp_path / "pass.csv").read_text().splitlines()))
    assert [[int(row["value"]), float(row["chance"])] for row in rows] == found["net"]


def test_settings_change_the_table() -> None:
    """A table minimum of $15 refuses a unit of $10, and says so; a unit of $15 is taken."""
    words = ("pass", "--sessions", "5", "--rolls", "9", "--set", "limits.min_cents", "1500")
    found = answered(*words)
    assert found["handle_cents"] == 0
    assert found["notes"] == ["The felt refused: pass (under_min)."]
    assert answered(*words, "--unit", "15")["handle_cents"] > 0


def test_a_strategy_of_ones_own_comes_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OWN)
    assert answered(f"{file}:cautious", "--sessions", "5", "--rolls", "20")["strategy"] == "cautious"
    assert "has no strategy 'bold'; allowed: cautious" in refused(f"{file}:bold")
    assert "is not there" in refused(f"{tmp_path / 'none.py'}:cautious")


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


def test_a_missing_package_is_told_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("run", "kernel", "explore", "exact"):
        monkeypatch.delitem(sys.modules, f"stickman.sim.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "numba", None)
    assert "numba is not installed: pip install 'stickman[sim]'" in refused("pass")
