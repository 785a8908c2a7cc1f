"""The plots of simulated sessions: how they end, how bankrolls change over time, and how strategies differ."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from stickman.paper.figures import MINUS
from stickman.paper.markup import Markup, tag
from stickman.paper.plot import EM, STYLE, Axis, Labels, caption, grid_line, rounded_axis, svg, tick_label, ticks

Values = Sequence[tuple[int, float]]
"""A distribution: whole values in order, each with its number of sessions or its chance."""

SIM_STYLE = """
.plot .bar.ahead { fill: var(--accent); }
.plot .bar.behind { fill: var(--behind); }
.plot .stairs { stroke: var(--ink); stroke-width: 1.4; fill: none; stroke-linejoin: miter; }
.plot .zero { stroke: var(--ink); stroke-width: 1; }
.plot .outer { fill: var(--soft); }
.plot .inner { fill: var(--accent); fill-opacity: .32; }
.plot .thin { stroke-width: 1; stroke-opacity: .75; }
.plot .series { fill: none; stroke-width: 2; stroke-linejoin: round; }
.plot .series.thin { stroke-width: 1; }
.plot .s0 { stroke: var(--s0); } .plot text.s0 { fill: var(--s0); }
.plot .s1 { stroke: var(--s1); stroke-dasharray: 7 3; } .plot text.s1 { fill: var(--s1); }
.plot .s2 { stroke: var(--s2); stroke-dasharray: 2 3; } .plot text.s2 { fill: var(--s2); }
.plot .s3 { stroke: var(--s3); stroke-dasharray: 9 3 2 3; } .plot text.s3 { fill: var(--s3); }
.plot .s4 { stroke: var(--s4); stroke-dasharray: 4 2; } .plot text.s4 { fill: var(--s4); }
.plot .s5 { stroke: var(--s5); stroke-dasharray: 12 4; } .plot text.s5 { fill: var(--s5); }
.plot text:is(.s0, .s1, .s2, .s3, .s4, .s5) { stroke: var(--paper); stroke-dasharray: none; font-weight: 600; }
"""
PAPER = """
--paper: #fffefb; --line: #dedad0; --muted: #5f635f; --ink: #20242a; --accent: #1c5d91; --soft: #dfeaf4;
"""
"""The variables of a page, for a separate file."""
COLOURS = """
--behind: #a3a5a1; --s0: #1c5d91; --s1: #b04e00; --s2: #00704f; --s3: #8f3f6b; --s4: #6b6200; --s5: #20242a;
"""
"""For light paper. Lines also differ by their dashes and their labels."""
DARK = (
    "--behind: #6c7278; --s0: #7db7e8; --s1: #f0a060; --s2: #5fc9a4; --s3: #e09ac0; --s4: #d3c84a; --s5: #e8e6e1;"
)
SERIES_MAX = 6
"""Maximum number of strategies that a reader can distinguish on one plot."""
WIDTH = 520
TAIL = 0.002
"""The share of sessions that may be beyond either end of a picture."""
BINS = 44


class Drawing(NamedTuple):
    """A plot, for a page or for a separate file."""

    labels: Labels
    height: float
    drawn: list[Markup]

    def inline(self) -> Markup:
        return svg(self.labels, WIDTH, self.height, self.drawn)

    def file(self) -> str:
        """A standalone SVG on light paper, without CSS variables, because not every viewer supports them."""
        tones = dict(re.findall(r"(--\w+): (#\w+)", PAPER + COLOURS))
        style = re.sub(r"var\((--\w+)\)", lambda found: tones[found[1]], (STYLE + SIM_STYLE).strip())
        picture = tag(
            "svg",
            tag("title", self.labels.title),
            tag("desc", self.labels.description),
            tag("style", Markup(style)),
            tag("rect", width=WIDTH + 24, height=round(self.height) + 42, fill="#fffefb"),
            tag("text", self.labels.title, x=12, y=22, style="font-size: 13px; font-weight: 600"),
            tag("g", self.drawn, transform="translate(12 32)"),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {WIDTH + 24} {self.height + 42:.0f}",
            width=round(1.4 * WIDTH),
            role="img",
            class_="plot",
        )
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{picture}\n'


# --- Axes ---


def _axis(low: float, high: float, span: tuple[float, float], about: int = 5) -> Axis:
    """An axis from one value to another, with round numbers between them."""
    high = high if high > low else low + 1
    step = ticks(high - low, about)[1]
    marks = [step * number for number in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
    return Axis(low, high, *span, marks)


TOP, BOTTOM, LEFT, RIGHT = 26.0, 210.0, 54.0, WIDTH - 20.0
Written = Callable[[float], str]


def _frame(x: Axis, y: Axis, labels: Labels, of_x: Written, of_y: Written) -> list[Markup]:
    """Grid, numbers and names of both axes."""
    return [
        *(grid_line(x.start, x.end, y.at(mark), of_y(mark)) for mark in y.marks),
        *(tick_label(of_x(mark), x.at(mark), BOTTOM + 15) for mark in x.marks),
        tag("line", x1=x.start, x2=x.end, y1=BOTTOM, y2=BOTTOM, class_="base"),
        caption(labels.x, (x.start + x.end) / 2, BOTTOM + 32),
        tag("text", labels.y, x=2, y=10, class_="axis"),
    ]


def _count(mark: float) -> str:
    return f"{mark:,.0f}"


def _percent(mark: float) -> str:
    return f"{mark:g}%"


def short(value: float) -> str:
    """Dollars on an axis.

    >>> short(-1500.0), short(250000.0), short(40.0), short(12500.0)
    ('−$1,500', '$250k', '$40', '$12.5k')
    """
    size = abs(value)
    unit, by = ("m", 1e6) if size >= 1e6 else ("k", 1e3) if size >= 1e4 else ("", 1.0)
    return f"{MINUS if value < 0 else ''}${size / by:,.10g}{unit}"


def money(cents: float) -> str:
    """
    >>> money(-27967.68), money(500)
    ('−$279.68', '$5.00')
    """
    return f"{MINUS if round(cents) < 0 else ''}${abs(cents) / 100:,.2f}"


# --- Distributions ---


class Bins(NamedTuple):
    """Ranges of equal width, in cents."""

    first: int
    width: int
    number: int

    def shares(self, values: Values) -> list[float]:
        """The share of all values in each bin; the rest is outside."""
        found = [0.0] * self.number
        for value, weight in values:
            at = (value - self.first) // self.width
            if 0 <= at < self.number:
                found[at] += weight
        total = sum(weight for _, weight in values)
        return [share / total for share in found]


def _bins(values: Values) -> Bins:
    """Bins with round limits and equally many possible values, so that the plot shows no false pattern."""
    low, high = quantile(values, TAIL), quantile(values, 1 - TAIL)
    step = math.gcd(*(value - values[0][0] for value, _ in values)) or 100
    width = max(1, round(ticks(max(high - low, step), BINS)[1] / step)) * step
    first = low // width * width
    return Bins(first, width, (high - first) // width + 1)


def quantile(values: Values, share: float) -> int:
    """The least value that this share of sessions does not exceed."""
    missing = share * sum(weight for _, weight in values)
    for value, weight in values:
        missing -= weight
        if missing <= 0:
            return value
    return values[-1][0]


def results(values: Values, exact: Values | None, mean_cents: float, title: str) -> Drawing:
    """How sessions end: bars for those played, stairs for the exact chances."""
    ahead, behind = _sides(values)
    summary = f"{ahead:.1%} of sessions end ahead, {behind:.1%} behind; the mean is {money(mean_cents)}."
    labels = Labels(title, summary, "net result of a session", _of_all(exact))
    return _around_zero(values, labels, mean_cents, (f"{behind:.1%} behind", f"{ahead:.1%} ahead"), exact)


def drawdowns(values: Values, exact: Values | None, title: str) -> Drawing:
    """How deep sessions fall from their peak."""
    median, deep = quantile(values, 0.5), quantile(values, 0.95)
    summary = f"Half of all sessions fall by {money(median)} or more, one in twenty by {money(deep)} or more."
    labels = Labels(title, summary, "deepest fall of a session from its highest bankroll", _of_all(exact))
    bins = _bins(values)
    drawn = _histogram(bins, bins.shares(values), labels, bins.shares(exact) if exact else (), plain=True)
    x = _across(bins)
    drawn += _noted(x, median, f"median {money(median)}", TOP - 3)
    drawn += _noted(x, deep, f"95% {money(deep)}", TOP + 12)
    return Drawing(labels, BOTTOM + 38, drawn)


def _of_all(exact: Values | None) -> str:
    return "of all sessions; the line is exact" if exact else "of all sessions"


def difference(values: Values, names: tuple[str, str], mean_cents: float, title: str) -> Drawing:
    """By how much one strategy is ahead of another on the same dice."""
    first, second = _sides(values)
    summary = f"{names[0]} is ahead in {first:.1%} of sessions, {names[1]} in {second:.1%}."
    labels = Labels(title, summary, f"net result of {names[0]} less that of {names[1]}", "of all sessions")
    sides = f"{second:.1%} {names[1]} ahead", f"{first:.1%} {names[0]} ahead"
    return _around_zero(values, labels, mean_cents, sides)


def _sides(values: Values) -> tuple[float, float]:
    """The shares of values above zero and below."""
    total = sum(weight for _, weight in values)
    above = sum(weight for value, weight in values if value > 0)
    return above / total, sum(weight for value, weight in values if value < 0) / total


def _around_zero(
    values: Values, labels: Labels, mean_cents: float, sides: tuple[str, str], exact: Values | None = None
) -> Drawing:
    """A histogram with its mean, and a text for each side of zero."""
    bins = _bins(values)
    drawn = _histogram(bins, bins.shares(values), labels, bins.shares(exact) if exact else ())
    x = _across(bins)
    drawn += _noted(x, mean_cents, f"mean {money(mean_cents)}", TOP - 3)
    drawn.append(tag("text", sides[0], x=LEFT + 4, y=TOP + 16, class_="quiet"))
    drawn.append(tag("text", sides[1], x=x.end - 2, y=TOP + 16, text_anchor="end"))
    return Drawing(labels, BOTTOM + 38, drawn)


def _across(bins: Bins) -> Axis:
    return _axis(bins.first / 100, (bins.first + bins.width * bins.number) / 100, (LEFT, RIGHT), 6)


def _histogram(
    bins: Bins, shares: Sequence[float], labels: Labels, exact: Sequence[float] = (), *, plain: bool = False
) -> list[Markup]:
    x = _across(bins)
    y = rounded_axis(0.0, 100 * max(*shares, *exact, 0.001), (BOTTOM, TOP + 22))
    drawn = _frame(x, y, labels, short, _percent)
    pitch = (x.end - x.start) / bins.number
    for index, share in enumerate(shares):
        tone = "ahead" if plain or bins.first + bins.width * index >= 0 else "behind"
        height = BOTTOM - y.at(100 * share)
        if height > 0.004:
            drawn.append(
                tag(
                    "rect",
                    x=x.start + pitch * index + 0.4,
                    y=BOTTOM - height,
                    width=pitch - 0.8,
                    height=height,
                    class_=f"bar {tone}",
                )
            )
    if exact:
        corners = []
        for index, share in enumerate(exact):
            corners += [(x.start + pitch * (index + side), y.at(100 * share)) for side in (0, 1)]
        drawn.append(_polyline(corners, "stairs"))
    if not plain and x.low < 0 < x.high:
        drawn.append(tag("line", x1=x.at(0), x2=x.at(0), y1=TOP + 22, y2=BOTTOM, class_="zero"))
    return drawn


def _noted(x: Axis, cents: float, label: str, y: float) -> list[Markup]:
    """A dashed line at a value, with its label on the side with room."""
    at = x.at(cents / 100)
    turned = at + 6 + EM * len(label) > x.end
    return [
        tag("line", x1=at, x2=at, y1=y - 6, y2=BOTTOM, class_="mark"),
        tag("text", label, x=at - 5 if turned else at + 5, y=y + 2, text_anchor="end" if turned else "start"),
    ]


def _polyline(points: Sequence[tuple[float, float]], class_: str) -> Markup:
    return tag("polyline", points=_corners(points), class_=class_)


# --- Over time ---

Checkpoints = Sequence[Mapping[str, Any]]
"""As `stickman simulate --fan --json` prints them: roll, bands in cents by percent, ended by why."""


def fan(checkpoints: Checkpoints, title: str) -> Drawing:
    """Bankrolls over time: the middle 90%, the middle half, the median."""
    last = checkpoints[-1]
    summary = "; ".join(f"{percent}% at most {money(cents)}" for percent, cents in last["bands"].items())
    labels = Labels(title, f"After {last['roll']:,} rolls: {summary}.", "rolls", "bankroll")
    ends = {percent: f"{percent}%  {short(round(cents / 100))}" for percent, cents in last["bands"].items()}
    ends["50"] = f"median  {short(round(last['bands']['50'] / 100))}"
    x = _axis(0, last["roll"], (LEFT, WIDTH - 24 - EM * max(map(len, ends.values()))))
    highest = max(max(each["bands"].values()) for each in checkpoints) / 100
    lowest = min(min(each["bands"].values()) for each in checkpoints) / 100
    y = rounded_axis(min(0.0, lowest), highest, (BOTTOM, TOP))

    def line(percent: str) -> list[tuple[float, float]]:
        return [(x.at(each["roll"]), y.at(each["bands"][percent] / 100)) for each in checkpoints]

    drawn = [
        tag("polygon", points=_corners(line("95") + line("5")[::-1]), class_="outer"),
        tag("polygon", points=_corners(line("75") + line("25")[::-1]), class_="inner"),
        *_frame(x, y, labels, _count, short),
        _level(x, y.at(checkpoints[0]["bands"]["50"] / 100)),
        _polyline(line("50"), "curve"),
    ]
    drawn += _end_labels({ends[percent]: line(percent)[-1][1] for percent in reversed(ends)}, x.end + 6)
    return Drawing(labels, BOTTOM + 38, drawn)


def _corners(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in points)


def _level(x: Axis, y: float) -> Markup:
    return tag("line", x1=x.start, x2=x.end, y1=y, y2=y, class_="mark")


def _end_labels(labels: Mapping[str, float], x: float, tones: Sequence[str] = ()) -> list[Markup]:
    """Labels next to the ends of lines, from the highest down, moved apart if they would touch."""
    order = sorted(range(len(labels)), key=lambda each: list(labels.values())[each])
    places: list[float] = []
    for y in sorted(labels.values()):
        places.append(max(y, places[-1] + 13) if places else y)
    over = max(0.0, places[-1] - BOTTOM) if places else 0.0
    for index in reversed(range(len(places))):  # push back up labels that are out of the picture
        limit = BOTTOM if index == len(places) - 1 else places[index + 1] - 13
        places[index] = min(places[index], limit) if over else places[index]
    names = list(labels)
    return [
        tag("text", names[which], x=x, y=y + 4, class_=tones[which] if tones else None)
        for which, y in zip(order, places, strict=True)
    ]


ENDINGS = {"ruin": "ruin", "stop_loss": "stop loss", "win_goal": "win goal"}


def ended(fan: Mapping[str, Any], title: str) -> Drawing:
    """How many sessions have ended by each roll, by reason."""
    checkpoints, sessions = fan["checkpoints"], fan["sessions"]
    lines = {
        name: [(each["roll"], 100 * each["ended"][why] / sessions) for each in checkpoints]
        for why, name in ENDINGS.items()
        if checkpoints[-1]["ended"][why]
    }
    summary = "; ".join(f"{name} {points[-1][1]:.1f}%" for name, points in lines.items()) or "none"
    labels = Labels(title, f"Ended before their rolls were over: {summary}.", "rolls", "of all sessions")
    return _curves({f"{name} {points[-1][1]:.1f}%": points for name, points in lines.items()}, labels)


def _curves(lines: Mapping[str, Sequence[tuple[float, float]]], labels: Labels) -> Drawing:
    """Percents over time, each line with its name at its end."""
    if not lines:
        nothing = tag("text", "No session ended before its rolls were over.", x=4, y=24, class_="quiet")
        return Drawing(labels, 36, [nothing])
    x = _axis(0, max(points[-1][0] for points in lines.values()), (LEFT, WIDTH - 24 - EM * max(map(len, lines))))
    y = rounded_axis(0.0, max(max(share for _, share in points) for points in lines.values()), (BOTTOM, TOP))
    drawn = _frame(x, y, labels, _count, _percent)
    for index, points in enumerate(lines.values()):
        drawn.append(_polyline([(x.at(a), y.at(b)) for a, b in points], f"series s{index}"))
    tones = [f"s{index}" for index in range(len(lines))]
    drawn += _end_labels({name: y.at(points[-1][1]) for name, points in lines.items()}, x.end + 6, tones)
    return Drawing(labels, BOTTOM + 38, drawn)


# --- Strategies together ---


def chances(spreads: Mapping[str, Values], title: str) -> Drawing:
    """For each strategy: how many sessions end with a result or a better one."""
    low = min(quantile(values, TAIL) for values in spreads.values())
    high = max(quantile(values, 1 - TAIL) for values in spreads.values())
    x = _axis(low / 100, high / 100, (LEFT, RIGHT), 6)
    y = rounded_axis(0.0, 100.0, (BOTTOM, TOP))
    summary = "; ".join(f"{name} ends ahead in {_sides(values)[0]:.1%}" for name, values in spreads.items())
    labels = Labels(title, f"{summary}.", "net result of a session, or better", "of all sessions")
    drawn = _frame(x, y, labels, short, _percent)
    if x.low < 0 < x.high:
        drawn.append(tag("line", x1=x.at(0), x2=x.at(0), y1=TOP, y2=BOTTOM, class_="zero"))
    for index, values in enumerate(spreads.values()):
        drawn.append(_polyline(_descent(values, x, y), f"series s{index}"))
    drawn += _key(list(spreads), x.start + 8)
    return Drawing(labels, BOTTOM + 38, drawn)


def _descent(values: Values, x: Axis, y: Axis) -> list[tuple[float, float]]:
    """A step down at each value, without steps that a screen cannot show."""
    left = total = sum(weight for _, weight in values)
    points = [(x.start, y.at(100.0))]
    for value, weight in values:
        at = x.at(value / 100)
        before, left = left, left - weight
        if at - points[-1][0] >= 0.8 or weight > total / 200 or value == values[-1][0]:
            points += [(at, y.at(100 * before / total)), (at, y.at(100 * max(left, 0.0) / total))]
    return [*points, (x.end, y.at(0.0))]


def _key(names: Sequence[str], left: float) -> list[Markup]:
    """The key of the lines, in the corner that falling curves leave empty."""
    drawn = []
    for index, name in enumerate(names):
        y = BOTTOM - 8.0 - 15 * (len(names) - 1 - index)
        drawn.append(tag("line", x1=left, x2=left + 32, y1=y - 4, y2=y - 4, class_=f"series s{index}"))
        drawn.append(tag("text", name, x=left + 40, y=y, class_=f"s{index}"))
    return drawn


def bankrolls(fans: Mapping[str, Mapping[str, Any]], title: str) -> Drawing:
    """Each strategy's median bankroll, with thin lines around the middle 90%."""
    lines = {name: fan["checkpoints"] for name, fan in fans.items()}
    ends = {name: each[-1]["bands"]["50"] for name, each in lines.items()}
    summary = "; ".join(f"{name} {money(cents)}" for name, cents in ends.items())
    labels = Labels(title, f"Median at the end: {summary}.", "rolls", "bankroll: median, and thin the middle 90%")
    names = [f"{name} {short(round(cents / 100))}" for name, cents in ends.items()]
    x = _axis(0, max(each[-1]["roll"] for each in lines.values()), (LEFT, WIDTH - 24 - EM * max(map(len, names))))
    every = [cents / 100 for each in lines.values() for point in each for cents in point["bands"].values()]
    y = rounded_axis(min(0.0, *every), max(every), (BOTTOM, TOP))
    start = next(iter(lines.values()))[0]["bands"]["50"] / 100
    drawn = [*_frame(x, y, labels, _count, short), _level(x, y.at(start))]
    for index, checkpoints in enumerate(lines.values()):
        for percent, class_ in (("5", "series thin"), ("95", "series thin"), ("50", "series")):
            points = [(x.at(each["roll"]), y.at(each["bands"][percent] / 100)) for each in checkpoints]
            drawn.append(_polyline(points, f"{class_} s{index}"))
    tones = [f"s{index}" for index in range(len(names))]
    heights = [y.at(cents / 100) for cents in ends.values()]
    drawn += _end_labels(dict(zip(names, heights, strict=True)), x.end + 6, tones)
    return Drawing(labels, BOTTOM + 38, drawn)


def ended_together(fans: Mapping[str, Mapping[str, Any]], whys: Sequence[str], title: str) -> Drawing:
    """For each strategy: how many sessions have ended for these reasons by each roll."""
    lines = {}
    for name, fan in fans.items():
        shares = [
            (each["roll"], 100 * sum(each["ended"][why] for why in whys) / fan["sessions"])
            for each in fan["checkpoints"]
        ]
        lines[f"{name} {shares[-1][1]:.1f}%"] = shares
    summary = "; ".join(lines)
    labels = Labels(title, f"In the end: {summary}.", "rolls", "of all sessions")
    return _curves(lines if any(points[-1][1] for points in lines.values()) else {}, labels)
