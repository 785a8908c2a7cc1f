"""A bet's machine as one SVG file: its states with the arrows between them, and below them every cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stickman.paper.machine_drawing import EM, Picture, drawing, lock_icon
from stickman.paper.machine_matrix import matrix, off_is_untouched
from stickman.paper.markup import Markup, tag

MARGIN = 32.0
LEGEND = {
    "wins": "wins",
    "loses": "loses",
    "pushes": "pushes, the stake stands",
    "returns": "the stake is returned",
    "moves": "goes to another state",
}
STYLE = """
text { font: 11px system-ui, "Segoe UI", "Liberation Sans", Arial, sans-serif; fill: #20242a; }
text { font-variant-numeric: tabular-nums; }
.title { font: 600 24px "Iowan Old Style", Charter, Palatino, Georgia, "Liberation Serif", serif; }
.mono { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; }
.head { font-size: 12px; fill: #5f635f; }
.part { font-size: 13px; font-weight: 600; }
.name { font-size: 12px; font-weight: 600; }
.small { fill: #5f635f; }
.on { font-weight: 600; fill: #0b4f80; stroke: #fff; stroke-width: 5px; paint-order: stroke; }
.rule { stroke: #c9c6be; }
.node { fill: #f5f2ea; stroke: #5f635f; stroke-width: 1.2; }
.arrow { fill: none; stroke: #8a8d8a; stroke-width: 1.1; }
.arrow.move { stroke: #3f7fae; stroke-width: 1.4; }
.start, .lock { fill: #20242a; }
.shackle { fill: none; stroke: #20242a; stroke-width: 1.6; }
.end { stroke-width: 1.2; }
.wins { fill: #d6efe5; stroke: #00805d; } .on-wins { fill: #00513b; font-weight: 600; }
.loses { fill: #fbdfd0; stroke: #c05600; } .on-loses { fill: #7d3700; }
.pushes { fill: #f5e2ee; stroke: #a5527f; stroke-dasharray: 4 2; } .on-pushes { fill: #6d2750; }
.returns { fill: #fbf5c4; stroke: #8c8100; stroke-dasharray: 4 2; } .on-returns { fill: #5b5400; }
.moves { fill: #d9e9f6; stroke: #1c6ca8; } .on-moves { fill: #0b4f80; }
.stays { fill: #f7f6f3; } .on-stays { fill: #6d706d; }
.cell { stroke: none; }
"""


def machine_svg(diagram: Mapping[str, Any]) -> str:
    """A standalone SVG of a machine, from a diagram as plain values."""
    pieces = [_heading(diagram), drawing(diagram), _titled("Every roll", matrix(diagram)), _legend(diagram)]
    placed = []
    y = MARGIN
    for piece in pieces:
        placed.append(tag("g", piece.drawn, transform=f"translate({MARGIN:.0f} {y:.2f})"))
        y += piece.height + 30
    width, height = max(piece.width for piece in pieces) + 2 * MARGIN, y - 30 + MARGIN
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        + tag(
            "svg",
            tag("title", f"The machine of {diagram['bet']} in {diagram['game']}"),
            tag("desc", _described(diagram)),
            tag("style", Markup(STYLE)),
            tag("defs", _arrow_head()),
            tag("rect", width=width, height=height, fill="#fff"),
            placed,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width:.0f} {height:.0f}",
            width=round(width),
            height=round(height),
            role="img",
        )
        + "\n"
    )


def _described(diagram: Mapping[str, Any]) -> str:
    states, depth = len(diagram["states"]), max((state["depth"] for state in diagram["states"]), default=0)
    return f"{states:,} states, up to {depth} moves from the start, and what each total does in them."


def _arrow_head() -> Markup:
    return tag(
        "marker",
        tag("path", d="M0 0L8 4L0 8Z", fill="#5f7484"),
        id="head",
        viewBox="0 0 8 8",
        refX=7,
        refY=4,
        markerWidth=7,
        markerHeight=7,
        orient="auto",
        markerUnits="userSpaceOnUse",
    )


def _heading(diagram: Mapping[str, Any]) -> Picture:
    facts = f"game {diagram['game']}, fingerprint {diagram['fingerprint'][:12]}"
    source = f"source: {diagram['source']}"
    drawn = [
        tag("text", diagram["title"], x=0, y=20, class_="title"),
        tag("text", diagram["bet"], x=0, y=44, class_="head mono"),
        tag("text", facts, x=EM * 1.2 * len(diagram["bet"]) + 16, y=44, class_="head"),
        tag("text", source, x=0, y=62, class_="head"),
    ]
    widest = max(2.2 * len(diagram["title"]), 1.2 * len(diagram["bet"] + facts) + 4, 1.1 * len(source))
    return Picture(drawn, EM * widest, 62)


def _titled(title: str, picture: Picture) -> Picture:
    moved = tag("g", picture.drawn, transform="translate(0 26)")
    return Picture([tag("text", title, x=0, y=8, class_="part"), moved], picture.width, picture.height + 26)


def _legend(diagram: Mapping[str, Any]) -> Picture:
    unseen = "off" if off_is_untouched(diagram["states"]) else ""
    lines = [line for state in diagram["states"] for line in state["lines"] if line["how"] != unseen]
    occurs = {effect["does"] for line in lines for effect in line["effects"]}
    drawn: list[Markup] = []
    x = 0.0
    for does, meaning in LEGEND.items():
        if does in occurs:
            drawn.append(tag("rect", x=x, y=0, width=18, height=14, rx=3, class_=f"end {does}"))
            drawn.append(tag("text", meaning, x=x + 24, y=11, class_="small"))
            x += EM * len(meaning) + 44
    if "stays" in occurs:
        drawn.append(tag("text", "\N{MIDDLE DOT}  nothing happens", x=x + 4, y=11, class_="small"))
        x += EM * 18 + 20
    if any(state["locked"] for state in diagram["states"]):
        meaning = "locked: no increase, reduction or removal"
        drawn += [lock_icon(x, 0), tag("text", meaning, x=x + 17, y=11, class_="small")]
        x += EM * len(meaning) + 30
    return Picture(drawn, x, 16)
