"""The cells of a machine: rows of states and columns of totals, coloured and labelled by what they do."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from stickman.paper.machine_drawing import EM, Picture, lock_icon
from stickman.paper.machine_parts import WHOLE_MAX, NodeEffect, State, parts, words
from stickman.paper.markup import Markup, tag

CELL = 80.0
LINE = 13.0
HEAD = 40.0
INDENT = 17.0
"""The space for a lock."""
LETTERS = 11
"""The letters that fit on a line of a cell."""


class Row(NamedTuple):
    """One row of the matrix: a state, its `how`, and what each column does."""

    state: State
    how: str
    """Empty if there is only one."""
    named: bool
    """Whether it is the first row of its state."""
    cells: list[tuple[str, list[str]]]
    """What each cell does, and its lines of text."""

    @property
    def height(self) -> float:
        return max(1.6, 1 + max((len(lines) for _, lines in self.cells), default=1)) * LINE


def matrix(diagram: Mapping[str, Any]) -> Picture:
    """All states of a small machine; of a large one the first of each node, and the number of the others."""
    states = _shown(diagram)
    rows = [row for state in states for row in _rows(state, off=not off_is_untouched(diagram["states"]))]
    names = max((1.1 * len(state["name"]) for state in states), default=0.0)
    left = INDENT + EM * (max(names, 4.0) + max((len(row.how) for row in rows), default=0)) + 20
    drawn = list(_heads(diagram["columns"], left))
    y = HEAD
    for row in rows:
        drawn += _row(row, y, left)
        y += row.height
    width = left + CELL * len(diagram["columns"])
    for note in _notes(diagram, len(states)):
        y += 18
        drawn.append(tag("text", note, x=0, y=y, class_="small"))
    return Picture(drawn, max(width, EM * 110), y + 4)


def _shown(diagram: Mapping[str, Any]) -> list[State]:
    if len(diagram["states"]) <= WHOLE_MAX:
        return list(diagram["states"])
    return [node.first for node in parts(diagram).nodes][:WHOLE_MAX]


def off_is_untouched(states: Sequence[State]) -> bool:
    """Whether no roll does anything to a wager that is off."""
    return all(
        effect["does"] == "stays"
        for state in states
        for line in state["lines"]
        if line["how"] == "off"
        for effect in line["effects"]
    )


def _notes(diagram: Mapping[str, Any], shown: int) -> Iterator[str]:
    total = len(diagram["states"])
    if shown < total:
        yield (
            f"{shown} of {total:,} states are shown, the first of each node above; "
            f"{total - shown:,} states are not shown."
        )
    if off_is_untouched(diagram["states"]):
        yield "Off: untouched. No roll pays, takes or moves a wager that is off."


def _rows(state: State, *, off: bool) -> Iterator[Row]:
    lines = [line for line in state["lines"] if line["how"] != "off" or off]
    for line in lines:
        how = line["how"] if len(lines) > 1 else ""
        yield Row(state, how, line is lines[0], [_cell(effect, state) for effect in line["effects"]])


def _cell(effect: Mapping[str, str], state: State) -> tuple[str, list[str]]:
    if effect["does"] == "stays":
        return "stays", ["\N{MIDDLE DOT}"]
    pays = effect["pays"].replace(" ", "\N{NO-BREAK SPACE}")  # do not break a ratio
    label = words(NodeEffect(effect["does"], pays, effect["to"]), state["name"])
    return effect["does"], textwrap.wrap(label, LETTERS, break_on_hyphens=False)


def _heads(columns: Sequence[Mapping[str, Any]], left: float) -> Iterator[Markup]:
    for index, column in enumerate(columns):
        middle = left + CELL * (index + 0.5)
        yield tag("text", column["label"], x=middle, y=14, text_anchor="middle", class_="name")
        yield tag("text", f"{column['rolls']}/36", x=middle, y=29, text_anchor="middle", class_="small")
    yield tag("text", "state", x=INDENT, y=14, class_="small")


def _row(row: Row, y: float, left: float) -> Iterator[Markup]:
    middle = y + row.height / 2 + 4
    if row.named:
        name = row.state["name"]
        yield tag("line", x1=0, x2=left + CELL * len(row.cells), y1=y, y2=y, class_="rule")
        yield tag("text", name, x=INDENT, y=middle, class_="name")
        if row.state["locked"]:
            yield lock_icon(0, middle - 12)
    if row.how:
        yield tag("text", row.how, x=left - 8, y=middle, text_anchor="end", class_="small")
    for index, (does, lines) in enumerate(row.cells):
        yield _drawn_cell(does, lines, (left + CELL * index, y, row.height))


def _drawn_cell(does: str, lines: Sequence[str], place: tuple[float, float, float]) -> Markup:
    x, y, height = place
    first = y + (height - LINE * len(lines)) / 2 + LINE - 3
    return tag(
        "g",
        tag("rect", x=x + 1, y=y + 1, width=CELL - 2, height=height - 2, rx=3, class_=f"cell {does}"),
        [
            tag("text", line, x=x + CELL / 2, y=first + LINE * row, text_anchor="middle", class_=f"on-{does}")
            for row, line in enumerate(lines)
        ],
    )
