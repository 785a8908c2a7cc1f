"""The nodes and arrows of a machine, laid out by the distance of each state from the start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from stickman.paper.machine_parts import DrawnNode, NodeAct, Parts, parts, words
from stickman.paper.markup import Markup, number, tag

EM = 6.4
"""The approximate width of a letter."""
ROW = 27.0
STEM = 24.0
GAP = 22.0
START = 34.0
WIDTH = 960.0


class Picture(NamedTuple):
    """Something drawn at (0, 0), and its size."""

    drawn: list[Markup]
    width: float
    height: float


class Box(NamedTuple):
    """The position of a node, and the space that it takes with its actions."""

    x: float
    y: float
    width: float
    height: float
    top: float
    block: float
    """The height of its space."""
    on: float
    """The width of the totals before each action."""
    acts_right: bool
    """Whether its actions are next to it, or below."""

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


def drawing(diagram: Mapping[str, Any]) -> Picture:
    """Columns by depth from left to right; a chain from top to bottom."""
    machine = parts(diagram)
    chain = len(machine.columns) > 1 and all(len(column) == 1 for column in machine.columns)
    place = _down if chain else _across if machine.arrows else _apart
    boxes = place(machine, diagram["bet"])
    drawn = list(_arrows(machine, boxes, down=chain))
    right = bottom = 0.0
    for index, node in enumerate(machine.nodes):
        box = boxes[index]
        drawn += [_node(node, box, diagram["bet"]), *_acts(node, box)]
        right = max(right, box.x + box.width + (_acts_width([node], box.on) if box.acts_right else 0))
        bottom = max(bottom, box.top + box.block)
        if node.depths[0] == 0:
            drawn.append(_start(box))
    return Picture(drawn, right, bottom)


# --- Layout ---


def _titles(node: DrawnNode, bet: str) -> list[str]:
    near, far = node.depths
    if len(node.states) == 1:
        spot = node.first["spot"]
        return [node.first["name"], *([f"on {spot}"] if spot != bet else [])]
    if near != far:
        first, last = node.first["name"], node.states[-1]["name"]
        return [f"{first} to {last}", f"{len(node.states)} states, one after the other"]
    return [f"{len(node.states)} states", f"{near} move{'s' if near != 1 else ''} from the start"]


def _node_width(node: DrawnNode, bet: str) -> float:
    lock = 18 if node.first["locked"] else 0
    return max(70.0, EM * max(len(line) for line in _titles(node, bet)) + 28 + lock)


def _node_height(node: DrawnNode, bet: str) -> float:
    return 30.0 if len(_titles(node, bet)) == 1 else 42.0


def _on_width(nodes: Sequence[DrawnNode]) -> float:
    return EM * max((len(act.on) for node in nodes for act in node.acts), default=0) + 22


def _pill_width(act: NodeAct, node: DrawnNode) -> float:
    return EM * len(words(act.effect, node.first["name"])) + 22


def _acts_width(nodes: Sequence[DrawnNode], on: float) -> float:
    widths = [_pill_width(act, node) for node in nodes for act in node.acts]
    return STEM + on + max(widths) if widths else 0.0


def _acts_right(node: DrawnNode, bet: str, place: tuple[float, float], size: tuple[float, float]) -> Box:
    """A node with its actions next to it, both centred on one line."""
    (x, y), (width, on) = place, size
    height, acts = _node_height(node, bet), ROW * len(node.acts)
    block = max(height, acts)
    return Box(x, y + (block - height) / 2, width, height, y, block, on, acts_right=True)


def _acts_below(node: DrawnNode, bet: str, place: tuple[float, float], size: tuple[float, float]) -> Box:
    (x, y), (width, on) = place, size
    height = _node_height(node, bet)
    return Box(x, y, width, height, y, height + ROW * len(node.acts) + 4, on, acts_right=False)


def _down(machine: Parts, bet: str) -> list[Box]:
    """Nodes one under the other, with their actions next to them."""
    size = max(_node_width(node, bet) for node in machine.nodes), _on_width(machine.nodes)
    boxes: list[Box] = []
    y = 0.0
    for node in machine.nodes:
        boxes.append(_acts_right(node, bet, (START, y), size))
        y += boxes[-1].block + GAP * 1.6
    return boxes


def _apart(machine: Parts, bet: str) -> list[Box]:
    """Nodes without arrows between them, in rows."""
    size = max(_node_width(node, bet) for node in machine.nodes), _on_width(machine.nodes)
    pitch = START + size[0] + _acts_width(machine.nodes, size[1]) + 2 * GAP
    across = max(1, int(WIDTH // pitch))
    boxes: list[Box] = []
    y = 0.0
    for index, node in enumerate(machine.nodes):
        if index and index % across == 0:
            y += max(box.block for box in boxes[-across:]) + GAP
        boxes.append(_acts_right(node, bet, (START + pitch * (index % across), y), size))
    return boxes


def _across(machine: Parts, bet: str) -> list[Box]:
    """Centred columns; a node's actions are below it, in the last column next to it."""
    columns: list[list[Box]] = []
    x = START
    for column in machine.columns:
        nodes = [machine.nodes[index] for index in column]
        place = _acts_right if column is machine.columns[-1] else _acts_below
        on, width = _on_width(nodes), max(_node_width(node, bet) for node in nodes)
        if place is _acts_below:
            width = max(width, _acts_width(nodes, on))
        y = 0.0
        columns.append([])
        for node in nodes:
            columns[-1].append(place(node, bet, (x, y), (width, on)))
            y += columns[-1][-1].block + GAP
        lengths = (len(arrow.on) for arrow in machine.arrows if arrow.source in column)
        x += width + max(80.0, EM * max(lengths, default=0) + 66)
    tallest = max(_bottom(column) for column in columns)
    return [_lower(box, (tallest - _bottom(column)) / 2) for column in columns for box in column]


def _bottom(column: Sequence[Box]) -> float:
    return column[-1].top + column[-1].block


def _lower(box: Box, by: float) -> Box:
    return box._replace(y=box.y + by, top=box.top + by)


# --- Shapes ---


def _node(node: DrawnNode, box: Box, bet: str) -> Markup:
    titles = _titles(node, bet)
    many = len(node.states) > 1
    shapes = [
        tag("rect", x=box.x + 4, y=box.y + 4, width=box.width, height=box.height, rx=7, class_="node")
        if many
        else None,
        tag("rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=7, class_="node"),
    ]
    lock = lock_icon(box.x + box.width - 20, box.y + 7) if node.first["locked"] else None
    middle = box.x + box.width / 2
    lines = [
        tag(
            "text", line, x=middle, y=box.y + 19 + 15 * row, text_anchor="middle", class_="small" if row else "name"
        )
        for row, line in enumerate(titles)
    ]
    return tag("g", shapes, lines, lock)


def lock_icon(x: float, y: float) -> Markup:
    """A padlock, 11 by 14."""
    return tag(
        "g",
        tag("title", "locked"),
        tag("path", d=path("M", x + 2.5, y + 7, "v-3 a3 3 0 0 1 6 0 v3"), class_="shackle"),
        tag("rect", x=x, y=y + 6, width=11, height=8, rx=1.5, class_="lock"),
    )


def _acts(node: DrawnNode, box: Box) -> Iterator[Markup]:
    """A row for each action: a stem with its totals, then what happens."""
    top = box.middle - ROW * len(node.acts) / 2 if box.acts_right else box.y + box.height + 4
    x = box.x + STEM + (box.width if box.acts_right else 0)
    for row, act in enumerate(node.acts):
        y = top + ROW * (row + 0.5) + (0 if box.acts_right else 2)
        end = x + box.on
        yield tag("path", d=f"{_stem(box, x, y)}H{number(end - 2)}", class_="arrow", marker_end="url(#head)")
        yield tag("text", act.on, x=x + (box.on - 8) / 2, y=y - 4, text_anchor="middle", class_="small")
        yield _pill(act, node, end, y)


def _stem(box: Box, x: float, y: float) -> str:
    """The line from a node to the row of an action."""
    if box.acts_right:
        start = box.x + box.width
        return path("M", start, box.middle, "C", x - 8, box.middle, start + 8, y, x, y)
    return path("M", box.x + 12, box.y + box.height, "V", y - 5, "q", 0, 5, 5, 5, "H", x)


def path(*steps: str | float) -> str:
    """The steps of an SVG path.

    >>> path("M", 0, 1.5, "H", 9.0)
    'M 0 1.5 H 9'
    """
    return " ".join(step if isinstance(step, str) else number(step) for step in steps)


def _pill(act: NodeAct, node: DrawnNode, x: float, y: float) -> Markup:
    """An action: round for a win, square for a loss, dashed for a returned stake, no border for what stays."""
    does = act.effect.does
    label = tag("text", words(act.effect, node.first["name"]), x=x + 11, y=y + 4, class_=f"on-{does}")
    radius = {"wins": 10, "loses": 0}.get(does, 4)
    shape = tag("rect", x=x, y=y - 10, width=_pill_width(act, node), height=20, rx=radius, class_=f"end {does}")
    return tag("g", None if does == "stays" else shape, label)


def _start(box: Box) -> Markup:
    way = path("M", box.x - START + 11, box.middle, "H", box.x - 2)
    return tag(
        "g",
        tag("circle", cx=box.x - START + 7, cy=box.middle, r=4, class_="start"),
        tag("path", d=way, class_="arrow", marker_end="url(#head)"),
    )


def _arrows(machine: Parts, boxes: Sequence[Box], *, down: bool) -> Iterator[Markup]:
    """Each arrow with its totals, near the end that it does not share with others."""
    into = Counter(arrow.target for arrow in machine.arrows)
    out = Counter(arrow.source for arrow in machine.arrows)
    for arrow in machine.arrows:
        source, target = boxes[arrow.source], boxes[arrow.target]
        if down:
            yield from _downward(source, target, arrow.on)
        else:
            near_end = 0.8 if len(arrow.on) < 7 else 0.55
            at = near_end if into[arrow.target] == 1 else 0.2 if out[arrow.source] == 1 else 0.5
            yield from _rightward(source, target, arrow.on, at)


def _downward(source: Box, target: Box, on: str) -> Iterator[Markup]:
    x, start, end = source.x + source.width / 2, source.y + source.height, target.y - 2
    yield tag("path", d=path("M", x, start, "V", end), class_="arrow move", marker_end="url(#head)")
    yield tag("text", on, x=x + 9, y=(start + end) / 2 + 4, class_="on")


def _rightward(source: Box, target: Box, on: str, at: float) -> Iterator[Markup]:
    x0, y0, x1, y1 = source.x + source.width, source.middle, target.x - 2, target.middle
    bend = (x0 + x1) / 2
    way = path("M", x0, y0, "C", bend, y0, bend, y1, x1, y1)
    x = (1 - at) ** 3 * x0 + 3 * (1 - at) * at * bend + at**3 * x1
    y = (1 - at) ** 2 * (1 + 2 * at) * y0 + at**2 * (3 - 2 * at) * y1
    yield tag("path", d=way, class_="arrow move", marker_end="url(#head)")
    yield tag("text", on, x=x, y=y + 4, text_anchor="middle", class_="on")
