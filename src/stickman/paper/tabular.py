"""Rows and columns as HTML: whole on paper, stacked on a phone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from stickman.paper.markup import Child, Markup, tag


class TextColumn(NamedTuple):
    """A column: its heading, and its class: `n` for figures, `x` for exact values, `t` for text."""

    head: str
    kind: str = "t"


def figures(*heads: str) -> list[TextColumn]:
    return [TextColumn(head, "n") for head in heads]


def tabular(columns: Sequence[TextColumn], rows: Iterable[Sequence[Child]], class_: str | None = None) -> Markup:
    """The first cell of a row heads it. A narrow screen shows each cell with the heading of its column."""
    heads = [tag("th", column.head, scope="col", class_=column.kind) for column in columns]
    body = [tag("tr", map(_cell, columns, row, range(len(columns)))) for row in rows]
    return tag(
        "div", tag("table", tag("thead", tag("tr", heads)), tag("tbody", body), class_=class_), class_="wide"
    )


def _cell(column: TextColumn, cell: Child, index: int) -> Markup:
    if index == 0:
        return tag("th", cell, scope="row", class_=column.kind)
    return tag("td", cell, class_=column.kind, data_label=column.head)
