"""The pages and plots of simulated sessions: complete, self-contained, well formed, and true to their figures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.etree import ElementTree as ET

import click
import pytest
from click.testing import CliRunner

from stickman.cli import sim_commands
from stickman.paper import sim_page, sim_plots
from stickman.paper.sim_plots import Bins
from tests.paper.wellformed import Page, all_of, svg_of

HOSTILE = "<script>alert('x')</script>&\"><img src=x onerror=y>"
ONE = ("iron-cross", "--sessions", "600", "--rolls", "120", "--bankroll", "400", "--seed", "3")
TWO = ("iron-cross", "pass", "field", *ONE[1:], "--stop-loss", "200", "--win-goal", "100")


@cache
def made(command: str, *words: str) -> tuple[str, dict[str, str], Any]:
    """A page, its plots by name, and the same as data."""
    chosen: click.Command = getattr(sim_commands, command)
    with TemporaryDirectory() as folder:
        place = Path(folder)
        files = ("--html", str(place / "page.html"), "--svg", str(place / "plots"))
        result = CliRunner().invoke(chosen, [*words, *files, "--json"])
        assert result.exit_code == 0, result.output
        plots = {file.stem: file.read_text("utf-8") for file in (place / "plots").iterdir()}
        return (place / "page.html").read_text("utf-8"), plots, json.loads(result.stdout)


def bars(drawn: ET.Element, tone: str = "") -> list[float]:
    """The heights of the bars of a tone."""
    found = [each for each in all_of(drawn, "rect") if "bar" in each.get("class", "").split()]
    return [float(each.get("height", "0")) for each in found if tone in each.get("class", "")]


@pytest.mark.parametrize(("command", "words"), [("simulate", ONE), ("compare", TWO)])
def test_a_page_is_well_formed_and_fetches_and_runs_nothing(command: str, words: tuple[str, ...]) -> None:
    html, _, _ = made(command, *words)
    page = Page(html)
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in page.values("href")} == set(ids)
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in page.tags}
    assert not re.search(r"https?:|url\(|@import|javascript:", html)


def test_the_page_of_a_simulation_has_its_answer_and_every_figure() -> None:
    html, plots, plain = made("simulate", *ONE)
    page = Page(html)
    assert sim_page.answer(plain) in page.text
    assert f"{plain['ahead'] / 600:.1%} of sessions end ahead" in page.text
    for bet in plain["bets"]:
        for value in (bet["title"], bet["rtp_par"], f"{bet['rtp']:.3%}", f"{bet['wagers']:,}"):
            assert value in page.text
    for word in (plain["digest"], plain["fingerprint"], plain["command"], "Exact"):
        assert word in page.text
    assert set(plots) == {"results", "drawdowns", "fan", "ended"}
    assert [tag for tag, _ in page.tags].count("svg") == 4


def test_the_page_of_a_comparison_has_its_answer_and_every_figure() -> None:
    html, plots, plain = made("compare", *TWO)
    page = Page(html)
    assert sim_page.compare_answer(plain) in page.text
    assert "iron-cross, pass and field at Craps" in page.text
    for pair in plain["pairs"]:
        assert sim_plots.money(pair["mean_cents"]) in page.text
        assert f"{pair['first_ahead'] / 600:.2%}" in page.text
    differences = {"difference-iron-cross-pass", "difference-iron-cross-field", "difference-pass-field"}
    assert set(plots) == {*differences, "chances", "bankrolls", "lost", "won"}


def test_every_plot_stands_alone_and_says_what_it_shows() -> None:
    for _, plots, _ in (made("simulate", *ONE), made("compare", *TWO)):
        for name, text in plots.items():
            drawn = svg_of(text)
            assert all_of(drawn, "title")[0].text
            assert len(all_of(drawn, "desc")[0].text or "") > 20, name
            assert "var(" not in text
            numbers = [float(value) for value in re.findall(r'\b(?:x|y|x1|x2|y1|y2|height)="([-\d.]+)"', text)]
            assert all(-1 <= value <= 560 for value in numbers), name


def test_bars_are_shares_of_the_sessions() -> None:
    """Bars behind and ahead are as high together as the sessions that ended so, and the stairs beside them."""
    _, plots, plain = made("simulate", *ONE)
    drawn = svg_of(plots["results"])
    behind, ahead = sum(bars(drawn, "behind")), sum(bars(drawn, "ahead"))
    assert behind / (behind + ahead) == pytest.approx(plain["behind"] / 600, abs=0.01)
    assert [each for each in all_of(drawn, "polyline") if each.get("class") == "stairs"]


def test_where_no_exact_answer_is_quick_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sim_commands, "QUICK_STATES", 5)
    html, plots, _ = made("simulate", "place-six-eight", *ONE[1:])
    assert "Exact" not in Page(html).text
    assert "stairs" not in [each.get("class") for each in all_of(svg_of(plots["results"]), "polyline")]


@pytest.mark.parametrize(
    "words",
    [
        ("pass", "--sessions", "1", "--rolls", "1"),
        ("pass", "--sessions", "5", "--rolls", "9", "--bankroll", "5"),  # broke before the first roll
        ("pass", "--sessions", "5", "--rolls", "9", "--set", "limits.min_cents", "1500"),  # bets nothing
        ("lucky-shooter", "--game", "roll-to-win", "--sessions", "20", "--rolls", "33"),
    ],
)
def test_a_page_is_made_of_whatever_was_played(words: tuple[str, ...]) -> None:
    html, _, _ = made("simulate", *words)
    assert "nan" not in Page(html).text
    Page(made("compare", "field", *words)[0])


def test_hostile_names_are_only_text(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from stickman.sim.library import flat\nfrom stickman.sim.strategy import Strategy\n"
        f"mine = Strategy({HOSTILE!r}, (flat('pass', 1000),))\n"
    )
    for command in ("simulate", "compare"):
        others = ("field",) if command == "compare" else ()
        html, plots, _ = made(command, f"{file}:mine", *others, "--sessions", "20", "--rolls", "20")
        assert "<script" not in html
        assert not {"script", "img"} & {tag for tag, _ in Page(html).tags}
        assert HOSTILE in Page(html).text
        for text in plots.values():
            svg_of(text)


def _values(pairs: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    return list(pairs)


@pytest.mark.parametrize(
    "values",
    [
        _values((cents, 1.0) for cents in range(-50_000, 30_000, 200)),
        _values((cents, 1.0) for cents in range(-7, 8)),
        _values([(0, 5.0)]),
        _values([(-100_000, 1.0), (1_000_000_000, 1.0)]),
    ],
)
def test_ranges_hold_all_values_and_each_as_many_as_the_next(values: list[tuple[int, float]]) -> None:
    bins = sim_plots._bins(values)
    shares = bins.shares(values)
    assert sum(shares) == pytest.approx(1, abs=0.01)
    assert bins.number <= 2 * sim_plots.BINS
    inner = shares[1:-1]
    if len(values) > 2:
        assert max(inner) == pytest.approx(min(inner)), "a comb that is not in the values"


def test_what_lies_beyond_the_ranges_is_left_out() -> None:
    assert Bins(0, 10, 2).shares([(-5, 1), (0, 1), (19, 1), (20, 1)]) == [0.25, 0.25]


@pytest.mark.parametrize(("share", "value"), [(0.0, -9), (0.25, -9), (0.5, 0), (0.75, 0), (1.0, 4)])
def test_a_quantile_is_the_least_value_that_this_share_does_not_exceed(share: float, value: int) -> None:
    assert sim_plots.quantile([(-9, 1), (0, 2), (4, 1)], share) == value


def test_labels_at_the_ends_of_lines_do_not_touch() -> None:
    heights = {"a": 100.0, "b": 101.0, "c": 102.0, "d": 209.0, "e": 209.5}
    drawn = [svg_of(label) for label in sim_plots._end_labels(heights, 5.0)]
    places = sorted(float(each.get("y", "0")) for each in drawn)
    assert all(after - before >= 12.9 for before, after in pairwise(places))
    assert places[-1] <= sim_plots.BOTTOM + 4
