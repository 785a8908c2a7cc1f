"""Small plots as SVG: horizontal bars, columns, a line with marks. Values in, text out.

They have classes but no colours: the page adds `STYLE` and sets its four variables.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from stickman.paper.markup import Markup, tag

STYLE = """
.plot { display: block; width: 100%; height: auto; }
.plot text { font: 11px system-ui, sans-serif; font-variant-numeric: tabular-nums; fill: var(--ink); }
.plot text { stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; paint-order: stroke; }
.plot .quiet, .plot .axis { fill: var(--muted); }
.plot .rule { stroke: var(--line); stroke-width: 1; fill: none; }
.plot .base { stroke: var(--muted); stroke-width: 1; fill: none; }
.plot .bar { fill: var(--accent); }
.plot .bar.hollow { fill: none; stroke: var(--accent); stroke-width: 1; stroke-dasharray: 3 2; }
.plot .bar.plain { fill: var(--muted); }
.plot .stem { stroke: var(--accent); stroke-width: 1.5; }
.plot .stem.plain { stroke: var(--muted); }
.plot .curve { stroke: var(--accent); stroke-width: 2; fill: none; }
.plot .mark { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 4 3; fill: none; }
.plot .dot { fill: var(--paper); stroke: var(--accent); stroke-width: 2; }
"""

EM = 6.2
"""The approximate width of a letter."""


class Labels(NamedTuple):
    """The texts of a plot. Screen readers read the title and the description; the axes are drawn."""

    title: str
    description: str
    x: str
    y: str = ""


class Bar(NamedTuple):
    """A bar: its label on the left, its value, the value as text, and a tone: none, `plain` or `hollow`."""

    label: str
    value: float
    written: str
    tone: str = ""


class Mark(NamedTuple):
    """A named point on a plot."""

    x: float
    y: float
    label: str


def ticks(top: float, about: int = 5) -> list[float]:
    """Round numbers from 0 to the first that is at least `top`.

    >>> ticks(18.0)
    [0.0, 5.0, 10.0, 15.0, 20.0]
    """
    if top <= 0:
        return [0.0, 1.0]
    rough = top / about
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * by for by in (1, 2, 5, 10) if unit * by >= rough * 0.999)
    return [step * i for i in range(math.ceil(top / step - 1e-9) + 1)]


def decades(low: float, high: float) -> list[float]:
    """Powers of ten around the values.

    >>> decades(0.0014, 91.0)
    [0.001, 0.01, 0.1, 1.0, 10.0, 100.0]
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return [10.0**power for power in range(first, max(last, first + 1) + 1)]


class Axis(NamedTuple):
    """An axis: its range of values, its range of coordinates, and its ticks."""

    low: float
    high: float
    start: float
    end: float
    marks: Sequence[float]

    def at(self, value: float) -> float:
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)


def rounded_axis(low: float, high: float, span: tuple[float, float], about: int = 4) -> Axis:
    """An axis that starts and ends at round numbers."""
    high = high if high > low else low + 1
    step = ticks(high - low, about)[1]
    numbers = range(math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9) + 1)
    marks = [step * number for number in numbers]
    return Axis(marks[0], marks[-1], *span, marks)


def horizontal_bars(
    bars: Sequence[Bar], labels: Labels, *, unit: str = "%", log: bool = False, width: int = 460
) -> Markup:
    """Bars below one another. On a log scale, where length means nothing, dots on stems."""
    if not bars:
        return empty(labels, width)
    row = 19
    left = 14 + EM * max(len(bar.label) for bar in bars)
    right = width - 12 - EM * max(len(bar.written) for bar in bars)
    positive = [bar.value for bar in bars if bar.value > 0]
    log = log and bool(positive)
    marks = decades(min(positive), max(positive)) if log else ticks(max(positive, default=0.0))

    def x(value: float) -> float:
        if not log:
            return left + max(value, 0.0) / marks[-1] * (right - left)
        share = math.log10(max(value, marks[0]) / marks[0]) / math.log10(marks[-1] / marks[0])
        return left + share * (right - left)

    bottom = row * len(bars) + 6
    drawn = [_grid_line(x(mark), bottom, f"{mark:g}{unit}") for mark in _thinned(marks, right - left)]
    for index, bar in enumerate(bars):
        drawn.append(_bar(bar, row * index + row / 2 + 3, (left, x(bar.value)), dotted=log))
    drawn.append(tag("line", x1=left, x2=left, y1=0, y2=bottom, class_="base"))
    drawn.append(caption(labels.x, (left + right) / 2, bottom + 30))
    return svg(labels, width, bottom + 36, drawn)


def _bar(bar: Bar, y: float, span: tuple[float, float], *, dotted: bool) -> Markup:
    start, end = span
    classes = f"{'stem' if dotted else 'bar'} {bar.tone}".strip()
    if dotted:
        shape = [
            tag("line", x1=start, x2=end, y1=y, y2=y, class_=classes),
            tag("circle", cx=end, cy=y, r=4, class_=f"bar {bar.tone}".strip()),
        ]
    else:
        shape = [tag("rect", x=start, y=y - 6, width=max(end - start, 0.0), height=12, class_=classes)]
    return tag(
        "g",
        tag("text", bar.label, x=start - 6, y=y + 4, text_anchor="end"),
        shape,
        tag("text", bar.written, x=end + (8 if dotted else 5), y=y + 4, class_="quiet"),
    )


def columns(
    values: Sequence[float], labels: Labels, *, unit: str = "%", mark: Mark | None = None, width: int = 460
) -> Markup:
    """Columns over 1, 2, 3 and so on, with a mark at its x."""
    if not values:
        return empty(labels, width)
    left, right, top, bottom = 46.0, width - 10.0, 20.0, 150.0
    scale = ticks(max(values), 4)
    pitch = (right - left) / len(values)

    def y(value: float) -> float:
        return bottom - value / scale[-1] * (bottom - top)

    drawn = [grid_line(left, right, y(tick), f"{tick:g}{unit}") for tick in scale]
    for index, value in enumerate(values):
        drawn.append(
            tag(
                "rect",
                x=left + pitch * (index + 0.12),
                y=y(value),
                width=pitch * 0.76,
                height=bottom - y(value),
                class_="bar",
            )
        )
    every = next(by for by in (1, 2, 5, 10, 20, 50, 100) if len(values) / by <= 14 or by == 100)
    counts = [*([1] if every > 2 else []), *range(every, len(values) + 1, every)]
    drawn += [tick_label(str(count), left + pitch * (count - 0.5), bottom + 14) for count in counts]
    if mark:
        drawn.append(_upright(left + pitch * (mark.x - 0.5), (top - 8, bottom), mark.label, right))
    drawn.append(tag("line", x1=left, x2=right, y1=bottom, y2=bottom, class_="base"))
    drawn += [caption(labels.x, (left + right) / 2, bottom + 30), tag("text", labels.y, x=2, y=9, class_="axis")]
    return svg(labels, width, bottom + 36, drawn)


def line(
    points: Sequence[tuple[float, float]],
    labels: Labels,
    *,
    marks: Sequence[Mark] = (),
    level: Mark | None = None,
    width: int = 460,
) -> Markup:
    """A line through the points, with marks on it and a level across; both axes start at 0, in $ and %."""
    if not points:
        return empty(labels, width)
    left, right, top, bottom = 46.0, width - 36.0, 24.0, 190.0
    across = ticks(max(x for x, _ in points), 4)
    up = ticks(max([y for _, y in points] + ([level.y] if level else [])), 4)

    def at(x: float, y: float) -> tuple[float, float]:
        return left + x / across[-1] * (right - left), bottom - y / up[-1] * (bottom - top)

    drawn = [grid_line(left, right, at(0, tick)[1], f"{tick:g}%") for tick in up]
    drawn += [tick_label(f"${tick:,.0f}", at(tick, 0)[0], bottom + 14) for tick in across]
    if level:
        y = at(0, level.y)[1]
        drawn.append(tag("line", x1=left, x2=right, y1=y, y2=y, class_="mark"))
        drawn.append(tag("text", level.label, x=left + 4, y=y - 4, class_="quiet"))
    drawn.append(
        tag("polyline", points=" ".join(f"{x:.2f},{y:.2f}" for x, y in (at(*p) for p in points)), class_="curve")
    )
    for mark in marks:
        x, y = at(mark.x, mark.y)
        drawn.append(tag("circle", cx=x, cy=y, r=4, class_="dot"))
        turned = x + 8 + EM * len(mark.label) > width
        place = {"x": x - 8, "y": y - 8, "text_anchor": "end"} if turned else {"x": x + 8, "y": y + 14}
        drawn.append(tag("text", mark.label, **place))
    drawn.append(tag("line", x1=left, x2=right, y1=bottom, y2=bottom, class_="base"))
    drawn += [caption(labels.x, (left + right) / 2, bottom + 30), tag("text", labels.y, x=2, y=9, class_="axis")]
    return svg(labels, width, bottom + 36, drawn)


def svg(labels: Labels, width: float, height: float, drawn: Sequence[Markup]) -> Markup:
    return tag(
        "svg",
        tag("title", labels.title),
        tag("desc", labels.description),
        drawn,
        viewBox=f"0 0 {width} {height:.0f}",
        role="img",
        class_="plot",
        style=f"max-width: {width * 1.17:.0f}px",
    )


def empty(labels: Labels, width: int) -> Markup:
    return svg(labels, width, 30, [tag("text", "Nothing to show.", x=4, y=19, class_="quiet")])


def _thinned(marks: list[float], room: float) -> list[float]:
    """Every mark, or every second or third, counted from the last, so that labels do not touch."""
    every = max(1, math.ceil(len(marks) * 44 / max(room, 1.0)))
    return marks[::-1][::every]


def _grid_line(x: float, bottom: float, label: str) -> Markup:
    return tag("g", tag("line", x1=x, x2=x, y1=0, y2=bottom, class_="rule"), tick_label(label, x, bottom + 14))


def grid_line(left: float, right: float, y: float, label: str) -> Markup:
    return tag(
        "g",
        tag("line", x1=left, x2=right, y1=y, y2=y, class_="rule"),
        tag("text", label, x=left - 6, y=y + 4, text_anchor="end", class_="quiet"),
    )


def _upright(x: float, span: tuple[float, float], label: str, right: float) -> Markup:
    """A vertical mark, with its label on the side with room."""
    turned = x + 6 + EM * len(label) > right
    return tag(
        "g",
        tag("line", x1=x, x2=x, y1=span[0], y2=span[1], class_="mark"),
        tag("text", label, x=x - 5 if turned else x + 5, y=span[0] + 4, text_anchor="end" if turned else "start"),
    )


def tick_label(label: str, x: float, y: float) -> Markup:
    return tag("text", label, x=x, y=y, text_anchor="middle", class_="quiet")


def caption(label: str, x: float, y: float) -> Markup:
    return tag("text", label, x=x, y=y, text_anchor="middle", class_="axis")
