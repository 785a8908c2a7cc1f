"""The plots of a report: winnings over time, returns in their bands, dice compared with expectation, handle by
bet."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from stickman.paper.figures import MINUS, decimal, dollars, exact, percent
from stickman.paper.markup import Markup, tag
from stickman.paper.plot import (
    Bar,
    Labels,
    caption,
    empty,
    grid_line,
    horizontal_bars,
    rounded_axis,
    svg,
    tick_label,
    ticks,
)

Row = Mapping[str, Any]
STYLE = """
.plot .band { fill: var(--soft); }
.plot .point { fill: var(--accent); stroke: var(--paper); stroke-width: 1; }
.plot .point.few { fill: var(--paper); stroke: var(--muted); stroke-width: 1.5; }
.plot .point.out { fill: var(--ink); }
.plot .out { font-weight: 700; }
.plot .expected { stroke: var(--ink); stroke-width: 2; }
.plot .under { fill: var(--muted); }
.plot .cell { stroke: var(--line); fill: none; }
.plot text.small { font-size: 9.5px; }
"""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
HOUR_MS, DAY_MS = 3_600_000, 86_400_000


def moment(at_ms: int) -> datetime:
    return EPOCH + timedelta(milliseconds=at_ms)


# --- What was won over time ---


def win_over_time(points: Sequence[Row], title: str, width: int = 460) -> Markup:
    ended = f"{dollars(points[-1]['hold_cents'])} in the end." if points else "Nothing was rolled."
    labels = Labels(title, ended, "time (UTC)", "won by the house")
    if not points:
        return empty(labels, width)
    left, right, top, bottom = 58.0, width - 84.0, 22.0, 168.0
    won = [point["hold_cents"] / 100 for point in points]
    first, last = int(points[0]["at_ms"]), int(points[-1]["at_ms"])
    y = rounded_axis(min(0.0, *won), max(0.0, *won), (bottom, top))

    def x(at_ms: float) -> float:
        return left + (at_ms - first) / max(last - first, 1) * (right - left)

    drawn = [grid_line(left, right, y.at(mark), _short(mark)) for mark in y.marks]
    drawn.append(tag("line", x1=left, x2=right, y1=y.at(0), y2=y.at(0), class_="base"))
    for share in (0, 1, 2, 3):
        at_ms = first + (last - first) * share // 3
        drawn.append(_time(at_ms, last - first, x(at_ms) if last > first else left + share, bottom + 14, share))
    line = " ".join(f"{x(p['at_ms']):.2f},{y.at(value):.2f}" for p, value in zip(points, won, strict=True))
    drawn.append(tag("polyline", points=line, class_="curve"))
    end = (x(last), y.at(won[-1]))
    drawn.append(tag("circle", cx=end[0], cy=end[1], r=4, class_="dot"))
    drawn.append(tag("text", dollars(points[-1]["hold_cents"]), x=end[0] + 8, y=end[1] + 4))
    drawn += [caption(labels.x, (left + right) / 2, bottom + 30), tag("text", labels.y, x=2, y=9, class_="axis")]
    return svg(labels, width, bottom + 36, drawn)


def _time(at_ms: int, span_ms: int, x: float, y: float, share: int) -> Markup:
    form = "%H:%M:%S" if span_ms < HOUR_MS else "%H:%M" if span_ms < 2 * DAY_MS else "%Y-%m-%d"
    anchor = {0: "start", 3: "end"}.get(share, "middle")
    return tag("text", moment(at_ms).strftime(form), x=x, y=y, text_anchor=anchor, class_="quiet")


def _short(value: float) -> str:
    """
    >>> _short(-1500.0), _short(250000.0), _short(40.0)
    ('−$1.5k', '$250k', '$40')
    """
    size = abs(value)
    unit, by = next((unit, by) for unit, by in (("m", 1e6), ("k", 1e3), ("", 1.0)) if size >= by or by == 1.0)
    return f"{MINUS if value < 0 else ''}${size / by:g}{unit}"


# --- Returns ---


def returns(bets: Sequence[Row], title: str, width: int = 940) -> Markup:
    """The return of each bet, on its own scale; the exact return is in the middle of the shaded band."""
    decided = [bet for bet in bets if bet["band"] is not None and bet["results"] != "0/1"]
    outside = ", ".join(bet["title"] for bet in decided if bet["verdict"] == "outside") or "none"
    labels = Labels(title, f"Outside their band: {outside}.", "return to player; the band holds 99 of 100 cases")
    if not decided:
        return empty(labels, width)
    row, left = 21, 14 + 6.2 * max(len(bet["title"]) for bet in decided)
    right = width - 330.0
    middle, half = (left + right) / 2, (right - left) / 4
    bottom = row * len(decided) + 24
    drawn = [
        tag("rect", x=middle - half, y=20, width=2 * half, height=bottom - 20, class_="band"),
        tag("line", x1=middle, x2=middle, y1=20, y2=bottom, class_="mark"),
        *(
            tick_label(text, middle + half * at, 13)
            for at, text in ((-1, "lower end"), (0, "exact"), (1, "upper end"))
        ),
        *(
            tag("text", text, x=width - at, y=13, text_anchor="end", class_="quiet")
            for at, text in ((250, "return"), (170, "exact"), (95, "±"), (8, "results"))
        ),
    ]
    for index, bet in enumerate(decided):
        drawn.append(_return(bet, row * index + row / 2 + 23, (left, middle, half), width))
    drawn.append(caption(labels.x, middle, bottom + 16))
    return svg(labels, width, bottom + 24, drawn)


def _return(bet: Row, y: float, scale: tuple[float, float, float], width: int) -> Markup:
    left, middle, half = scale
    off = float((exact(bet["compared"]) - exact(bet["exact"])) / exact(bet["band"]))
    tone = {"outside": "out", "too few": "few"}.get(bet["verdict"], "")
    class_ = "out" if tone == "out" else "quiet" if tone else None
    texts = [
        (250, percent(exact(bet["compared"]), 2)),
        (170, percent(exact(bet["exact"]), 2)),
        (95, percent(exact(bet["band"]), 2)),
        (8, decimal(exact(bet["results"]), 1)),
    ]
    return tag(
        "g",
        tag("text", bet["title"], x=left - 6, y=y + 4, text_anchor="end", class_=class_),
        tag("line", x1=left, x2=middle + 2 * half, y1=y, y2=y, class_="rule"),
        tag("circle", cx=middle + max(-2.0, min(off, 2.0)) * half, cy=y, r=5, class_=f"point {tone}".strip()),
        [tag("text", text, x=width - at, y=y + 4, text_anchor="end", class_=class_) for at, text in texts],
    )


def handles(bets: Sequence[Row], title: str, width: int = 780) -> Markup:
    """Handle by bet, the most first."""
    ranked = sorted((bet for bet in bets if bet["handle_cents"]), key=lambda bet: -bet["handle_cents"])
    most = max((bet["handle_cents"] for bet in ranked), default=0)
    unit, by = ("k", 100_000) if most >= 1_000_000 else ("", 100)
    bars = [Bar(bet["title"], bet["handle_cents"] / by, dollars(bet["handle_cents"])) for bet in ranked]
    summary = "; ".join(f"{bar.label} {bar.written}" for bar in bars)
    return horizontal_bars(bars, Labels(title, f"{summary}.", "handle, in dollars"), unit=unit, width=width)


# --- Dice ---


def dice_grid(dice: Sequence[Row], title: str, width: int = 400) -> Markup:
    """How often each of the 36 rolls came, and its difference from expectation in standard deviations."""
    rolls = sum(count["rolled"] for count in dice)
    labels = Labels(title, f"The 36 rolls, {rolls} in all, {rolls / 36:.1f} expected of each.", "second die")
    if rolls <= 0:
        return empty(labels, width)
    size, left, top = (width - 40) / 6, 34.0, 20.0
    drawn = [tag("text", "first die", x=2, y=11, class_="axis")]
    for face in range(1, 7):
        drawn.append(tick_label(str(face), left + size * (face - 0.5), top + 6 * 44 + 14))
        drawn.append(tag("text", str(face), x=left - 8, y=top + 44 * (face - 0.5) + 4, text_anchor="end"))
    for count in dice:
        place = (left + size * (count["second"] - 1), top + 44.0 * (count["first"] - 1))
        drawn.append(_cell(count["rolled"], rolls, place, size))
    drawn.append(caption(labels.x, left + 3 * size, top + 6 * 44 + 30))
    return svg(labels, width, top + 6 * 44 + 36, drawn)


def _cell(rolled: int, rolls: int, place: tuple[float, float], size: float) -> Markup:
    x, y = place
    off = (rolled - rolls / 36) / math.sqrt(rolls * 35 / 36**2)
    shade = f"fill-opacity: {min(abs(off) / 4, 0.75):.2f}"
    return tag(
        "g",
        tag("rect", x=x, y=y, width=size, height=44, class_="bar" if off > 0 else "under", style=shade),
        tag("rect", x=x, y=y, width=size, height=44, class_="cell"),
        tag("text", f"{rolled:,}", x=x + size / 2, y=y + 20, text_anchor="middle"),
        tag(
            "text",
            f"{off:+.1f}σ".replace("-", MINUS),
            x=x + size / 2,
            y=y + 34,
            text_anchor="middle",
            class_="small",
        ),
    )


def dice_totals(dice: Sequence[Row], title: str, width: int = 460) -> Markup:
    """How often each total came, with a dash at the expected share."""
    rolls = sum(count["rolled"] for count in dice)
    counts = {total: sum(c["rolled"] for c in dice if c["first"] + c["second"] == total) for total in range(2, 13)}
    summary = "; ".join(f"{total}: {count}" for total, count in counts.items())
    labels = Labels(title, f"{summary}.", "total", "of all rolls")
    if rolls <= 0:
        return empty(labels, width)
    left, right, top, bottom = 46.0, width - 10.0, 22.0, 284.0
    shares = {total: 100 * count / rolls for total, count in counts.items()}
    scale = ticks(max(*shares.values(), 100 / 6), 5)
    pitch = (right - left) / 11

    def y(value: float) -> float:
        return bottom - value / scale[-1] * (bottom - top)

    drawn = [grid_line(left, right, y(mark), f"{mark:g}%") for mark in scale]
    for index, (total, share) in enumerate(shares.items()):
        x, due = left + pitch * index, y(100 * (6 - abs(7 - total)) / 36)
        drawn.append(
            tag("rect", x=x + pitch * 0.15, y=y(share), width=pitch * 0.7, height=bottom - y(share), class_="bar")
        )
        drawn.append(tag("line", x1=x + pitch * 0.05, x2=x + pitch * 0.95, y1=due, y2=due, class_="expected"))
        drawn.append(tick_label(str(total), x + pitch / 2, bottom + 14))
    drawn.append(tag("line", x1=left, x2=right, y1=bottom, y2=bottom, class_="base"))
    drawn += [caption(labels.x, (left + right) / 2, bottom + 30), tag("text", labels.y, x=2, y=9, class_="axis")]
    return svg(labels, width, bottom + 36, drawn)
