"""The page of a report: complete, self-contained, well formed, safe with any text, and true to its figures."""

from __future__ import annotations

import asyncio
import copy
import re
from functools import cache
from typing import Any

import pytest

from stickman.devices.signals import BillStacked, StackerRemoved
from stickman.floor.boxman import Boxman
from stickman.floor.report import JournalReport, report
from stickman.floor.tally import Scope
from stickman.paper import report_plots
from stickman.paper.report_page import SECTIONS, is_figure, report_page, rows, written
from stickman.store.memory import MemoryStore
from stickman.table.messages import Facts, Reported
from tests.floor.evening import STARTS_MS, ask, at_table, busy
from tests.floor.scripted import EVENING, staffed
from tests.floor.scripted import written as played
from tests.paper.wellformed import Page, all_of, svg_of
from tests.playthroughs.update import SCRIPTS
from tests.table.walks import TABLES

[PROGRESSIVES] = [path for path in SCRIPTS if path.stem == "progressives"]
HOSTILE = "<script>alert('x')</script>&\"><img src=x onerror=y>"


async def drops(boxman: Boxman) -> None:
    """A bill goes in, and the stacker is taken out."""
    for signal in (BillStacked(note=1, cents=500), StackerRemoved(bills={500: 1})):
        await ask(boxman, Reported(seat=1, kind="acceptor", signal=signal), Facts(now_ms=STARTS_MS))


@cache
def a_report() -> dict[str, Any]:
    """Of a floor with its staff and four tables, the second with meters that are hit, the last with a drop."""

    async def play() -> JournalReport:
        store = MemoryStore()
        await staffed(store)
        await played(store, EVENING, 1)
        await played(store, PROGRESSIVES.read_text("utf-8"), 2)
        await at_table(store, 3, busy(3, steps=600), TABLES[7])
        await at_table(store, 4, drops)
        return await report(store, Scope(), now_ms=STARTS_MS, progress=lambda *_: None)

    return asyncio.run(play()).plain()


def changed(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(a_report()), **changes}


def test_every_value_that_is_shown_is_on_the_page() -> None:
    page = Page(report_page(a_report()))
    for name, section in SECTIONS.items():
        assert rows(a_report(), name)
        for row in rows(a_report(), name):
            for field in section.columns:
                assert written(row, field) in page.text, (name, field)


def test_every_section_shows_fields_that_its_rows_have() -> None:
    for name, section in SECTIONS.items():
        for row in rows(a_report(), name):
            assert set(section.columns) <= set(row), name


def test_every_section_of_a_report_is_shown_or_drawn() -> None:
    lists = {name for name, value in a_report().items() if isinstance(value, list)}
    assert lists - set(SECTIONS) == {"dice", "win_over_time"}, "those two are plots"


def test_the_page_is_well_formed_and_its_links_lead_somewhere() -> None:
    page = Page(report_page(a_report()))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in page.values("href")} <= set(ids)


def test_the_page_fetches_and_runs_nothing() -> None:
    html = report_page(a_report())
    page = Page(html)
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in page.tags}
    assert not re.search(r"https?:|url\(|@import|javascript:", html)


def test_any_text_is_safe() -> None:
    hostile = changed()
    for line in (*hostile["significant"], *hostile["staff_log"], *hostile["settings"]):
        for key, value in line.items():
            line[key] = HOSTILE if isinstance(value, str) else value
    for row in (*hostile["games"], *hostile["bets"]):
        row["title"] = HOSTILE
    html = report_page(hostile)
    assert "<script" not in html
    assert "<img" not in html
    assert HOSTILE in Page(html).text


def test_an_empty_journal_has_a_page() -> None:
    async def nothing() -> JournalReport:
        return await report(MemoryStore(), Scope(), now_ms=0, progress=lambda *_: None)

    page = Page(report_page(asyncio.run(nothing()).plain()))
    assert "The whole journal: 0 records." in page.text


def test_the_page_says_what_part_of_the_journal_it_is_about() -> None:
    scope = {"table": 2, "since_ms": 0, "until_ms": 86_400_000, "first_seq": None, "last_seq": None}
    page = Page(report_page(changed(scope=scope)))
    assert "Report of table 2" in page.text
    assert "From 1970-01-01 00:00:00 until 1970-01-02 00:00:00" in page.text


def test_a_log_that_is_not_complete_says_so() -> None:
    page = Page(report_page(changed(left_out={"staff": 1_234, "significant": 0})))
    assert "1,234 older lines are left out" in page.text


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("hold_cents", -123_456, "−$1,234.56"),
        ("hold_cents", 5, "$0.05"),
        ("at_ms", 951_782_400_000, "2000-02-29 00:00:00"),
        ("at_ms", 10**18, "1000000000000000000 ms"),
        ("hold", "-1/7", "−14.29%"),
        ("hold", None, "–"),
        ("table", None, "all"),
        ("table", 12, "12"),
        ("rolls", 1_234_567, "1,234,567"),
        ("won", -2, "−2"),
        ("results", "1000/3", "333.3"),
        ("under_a_cent", "2/3", "2/3¢"),
        ("fingerprint", "0123456789abcdef0123", "0123456789abcdef"),
        ("voided", True, "yes"),
        ("voided", False, ""),
        ("detail", "x_y", "x_y"),
    ],
)
def test_a_value_is_written_by_the_unit_in_its_name(name: str, value: object, text: str) -> None:
    assert written({name: value}, name) == text


def test_a_meter_is_written_by_its_own_unit() -> None:
    assert written({"unit": "cents", "reads": 500}, "reads") == "$5.00"
    assert written({"unit": "count", "reads": 500}, "reads") == "500"


def test_figures_stand_to_the_right_and_words_to_the_left() -> None:
    assert is_figure({"hold": "1/2"}, "hold")
    assert is_figure({"rolls": 3}, "rolls")
    assert not is_figure({"what": "door opened"}, "what")
    assert not is_figure({"at_ms": 3}, "at_ms")


# --- Plots ---


def a_bet(compared: str, verdict: str = "inside", **changes: Any) -> dict[str, Any]:
    exact = {"exact": "9/10", "band": "1/10", "results": "100/1"}
    return {"title": "Field", "compared": compared, "verdict": verdict, **exact, **changes}


def x_of(svg: str) -> list[float]:
    return [float(each.attrib["cx"]) for each in all_of(svg_of(svg), "circle")]


def test_a_return_is_drawn_where_it_lies_in_its_band() -> None:
    bets = [a_bet("9/10"), a_bet("10/10"), a_bet("8/10"), a_bet("12/10", "outside"), a_bet("99/1", "outside")]
    svg = report_plots.returns(bets, "Returns")
    middle, upper, lower, beyond, far = x_of(svg)
    [band] = [each for each in all_of(svg_of(svg), "rect") if each.get("class") == "band"]
    left, width = float(band.attrib["x"]), float(band.attrib["width"])
    assert (lower, middle, upper) == pytest.approx((left, left + width / 2, left + width), abs=0.02)
    assert beyond == far == pytest.approx(left + width * 3 / 2, abs=0.02), "what is far outside stays in the plot"
    assert "Outside their band: Field, Field." in svg


def test_a_bet_that_was_never_decided_is_not_drawn() -> None:
    assert "Nothing to show" in report_plots.returns([a_bet("1/1", band=None)], "Returns")


def test_winnings_rise_and_fall_around_zero() -> None:
    points = [{"at_ms": at, "hold_cents": cents} for at, cents in ((0, 0), (50, 10_000), (100, -10_000))]
    root = svg_of(report_plots.win_over_time(points, "Won"))
    [curve] = all_of(root, "polyline")
    (x0, y0), (x1, y1), (x2, y2) = [tuple(map(float, p.split(","))) for p in curve.attrib["points"].split()]
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.02)
    assert y0 - y1 == pytest.approx(y2 - y0, abs=0.02)
    assert y1 < y0 < y2
    [base] = [each for each in all_of(root, "line") if each.get("class") == "base"]
    assert float(base.attrib["y1"]) == pytest.approx(y0, abs=0.02)


@pytest.mark.parametrize("points", [[], [(5, 0)], [(5, -1)], [(0, 10**12), (10**12, -(10**12))]])
def test_any_winnings_can_be_drawn(points: list[tuple[int, int]]) -> None:
    svg_of(report_plots.win_over_time([{"at_ms": at, "hold_cents": cents} for at, cents in points], "Won"))


def some_dice(count: int) -> list[dict[str, Any]]:
    return [{"first": a, "second": b, "rolled": count} for a in range(1, 7) for b in range(1, 7)]


def test_dice_that_fall_evenly_are_not_shaded_and_meet_their_dashes() -> None:
    root = svg_of(report_plots.dice_grid(some_dice(10), "Dice"))
    assert {each.get("style") for each in all_of(root, "rect") if each.get("style")} == {"fill-opacity: 0.00"}
    root = svg_of(report_plots.dice_totals(some_dice(10), "Dice"))
    tops = [float(each.attrib["y"]) for each in all_of(root, "rect") if each.get("class") == "bar"]
    due = [float(each.attrib["y1"]) for each in all_of(root, "line") if each.get("class") == "expected"]
    assert tops == pytest.approx(due, abs=0.02)
    assert len(tops) == 11


def test_a_roll_that_comes_too_often_is_shaded() -> None:
    dice = some_dice(10)
    dice[7]["rolled"] = 40
    cells = [e.get("style") for e in all_of(svg_of(report_plots.dice_grid(dice, "Dice")), "rect") if e.get("style")]
    assert max(cells, key=str) == cells[7] == "fill-opacity: 0.75"


def test_no_dice_are_drawn_where_none_were_rolled() -> None:
    for drawn in (report_plots.dice_grid, report_plots.dice_totals):
        assert "Nothing to show" in drawn(some_dice(0), "Dice")


def test_handle_is_drawn_the_most_first() -> None:
    bets = [{"title": f"Bet {cents}", "handle_cents": cents} for cents in (500, 0, 2_000, 1_000)]
    root = svg_of(report_plots.handles(bets, "Handle"))
    widths = [float(each.attrib["width"]) for each in all_of(root, "rect")]
    assert [width / widths[0] for width in widths] == pytest.approx([1, 0.5, 0.25], abs=0.01)


def test_a_report_without_rolls_says_so_and_what_to_do_next() -> None:
    async def quiet() -> JournalReport:
        store = MemoryStore()
        await at_table(store, 1, drops)
        return await report(store, Scope(), now_ms=STARTS_MS, progress=lambda *_: None)

    page = report_page(asyncio.run(quiet()).plain())
    assert "No dice were rolled in this time" in page
    assert "Choose a longer time or another table" in page
    assert "No dice were rolled in this time" not in report_page(a_report())
