"""Plots: lengths are proportional, nothing breaks on little, and each says what it shows."""

import xml.etree.ElementTree as ET

import pytest

from stickman.paper.plot import Bar, Labels, Mark, columns, decades, horizontal_bars, line, ticks
from tests.paper.wellformed import svg_of

LABELS = Labels("A <title>", "A & description", "chance", "share")


def shapes(svg: str, name: str, class_: str) -> list[ET.Element]:
    return [each for each in svg_of(svg).iter(name) if class_ in each.get("class", "").split()]


def measure(element: ET.Element, attribute: str) -> float:
    return float(element.attrib[attribute])


def test_columns_are_as_high_as_their_values() -> None:
    values = [30.0, 15.0, 7.5, 0.0]
    bars = shapes(columns(values, LABELS), "rect", "bar")
    heights = [measure(bar, "height") for bar in bars]
    assert heights[3] == 0
    assert [height / heights[0] for height in heights] == pytest.approx([1, 0.5, 0.25, 0], abs=1e-3)
    feet = {round(measure(bar, "y") + measure(bar, "height"), 1) for bar in bars}
    assert len(feet) == 1


def test_horizontal_bars_are_as_long_as_their_values() -> None:
    svg = horizontal_bars([Bar("a", 20, "20%"), Bar("b", 5, "5%"), Bar("c", 0, "0%", "hollow")], LABELS)
    widths = [measure(bar, "width") for bar in shapes(svg, "rect", "bar")]
    assert widths[1] / widths[0] == pytest.approx(0.25, abs=1e-3)
    assert widths[2] == 0


def test_on_a_log_scale_equal_ratios_are_equal_steps() -> None:
    bars = [Bar("a", 90, "90%"), Bar("b", 9, "9%"), Bar("c", 0.9, "0.9%")]
    svg = horizontal_bars(bars, LABELS, log=True)
    first, second, third = (measure(dot, "cx") for dot in shapes(svg, "circle", "bar"))
    assert first - second == pytest.approx(second - third, abs=0.05)
    assert shapes(svg, "rect", "bar") == []


def test_a_line_starts_and_ends_where_its_points_are() -> None:
    svg = line([(0, 50), (100, 100)], LABELS, marks=[Mark(100, 100, "here")], level=Mark(0, 100, "100%"))
    [curve] = shapes(svg, "polyline", "curve")
    (x0, _), (x1, y1) = (tuple(map(float, point.split(","))) for point in curve.attrib["points"].split())
    [dot] = shapes(svg, "circle", "dot")
    assert (x1, y1) == (measure(dot, "cx"), measure(dot, "cy"))
    assert x0 < x1
    [level] = shapes(svg, "line", "mark")
    assert measure(level, "y1") == pytest.approx(y1)


@pytest.mark.parametrize(
    "svg",
    [
        horizontal_bars([], LABELS),
        horizontal_bars([Bar("a", 0, "0%")], LABELS),
        horizontal_bars([Bar("a", 0, "0%")], LABELS, log=True),
        horizontal_bars([Bar("a", 100, "100%")], LABELS, log=True),
        horizontal_bars([Bar("a", -3, "−3%")], LABELS),
        columns([], LABELS),
        columns([0.0], LABELS),
        columns([100.0], LABELS, mark=Mark(1, 0, "mean 1")),
        columns([1.0] * 500, LABELS),
        line([], LABELS),
        line([(0, 0)], LABELS),
    ],
)
def test_little_much_and_nothing_all_draw_and_say_what_they_are(svg: str) -> None:
    root = svg_of(svg)
    assert [root[0].tag, root[0].text] == ["title", "A <title>"]
    assert [root[1].tag, root[1].text] == ["desc", "A & description"]
    assert root.get("role") == "img"
    assert "nan" not in svg
    assert "inf" not in svg


def test_axes_carry_their_units() -> None:
    words = "".join(svg_of(columns([40.0], LABELS)).itertext())
    assert "40%" in words
    assert "chance" in words
    assert "share" in words


@pytest.mark.parametrize("top", [0.003, 0.9, 1.0, 7.0, 99.0, 12_345.0])
def test_ticks_are_round_evenly_apart_and_reach_the_top(top: float) -> None:
    found = ticks(top)
    assert found[0] == 0
    assert found[-2] < top <= found[-1] * (1 + 1e-9)
    assert 3 <= len(found) <= 8


def test_decades_enclose_the_values() -> None:
    assert decades(1.0, 1.0) == [1.0, 10.0]
    assert decades(0.05, 20.0) == pytest.approx([0.01, 0.1, 1, 10, 100])
