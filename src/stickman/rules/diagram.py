"""A bet's machine for drawing, read back from the compiled cells: its states, what each total does in each state,
and what is paid."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from stickman.rules.cells import GONE, Cell
from stickman.rules.dice import TOTALS, Roll, ways
from stickman.rules.layout import LaidBet, Layout
from stickman.rules.machine import Decided, How, Stake


class Column(Struct, frozen=True):
    """Rolls with the same effect in every state: a total, or some ways of making it."""

    label: str
    rolls: int


class Effect(Struct, frozen=True):
    """What the rolls of a column do to a wager."""

    does: str
    """`stays`, `moves`, `wins`, `loses`, `pushes` (the stake stands) or `returns` (the stake goes back)."""
    pays: str = ""
    to: str = ""
    """The state it moves to, if that is another, or if a winner stays up."""


class Line(Struct, frozen=True):
    """The effects of all columns in one state, for one `How`."""

    how: str
    effects: list[Effect]


class DrawnState(Struct, frozen=True):
    name: str
    spot: str
    locked: bool
    depth: int
    """How many moves it is from the start."""
    lines: list[Line]


class Diagram(Struct, frozen=True):
    game: str
    fingerprint: str
    bet: str
    title: str
    source: str
    columns: list[Column]
    states: list[DrawnState]


def diagram(layout: Layout, bet: LaidBet) -> Diagram:
    classes = _classes(layout, bet)
    depth = _depths(layout, bet)
    states = [
        DrawnState(
            layout.states[state].name,
            layout.states[state].spot,
            layout.states[state].locked,
            depth[state],
            _lines(layout, state, classes),
        )
        for state in sorted(bet.states, key=lambda state: (depth[state], layout.states[state].number))
    ]
    return Diagram(
        layout.game.name,
        layout.fingerprint,
        bet.id,
        bet.title,
        bet.source,
        [Column(label(rolls), len(rolls)) for rolls in classes],
        states,
    )


def _classes(layout: Layout, bet: LaidBet) -> list[tuple[Roll, ...]]:
    """The rolls of each total, split if they differ in some state."""
    rows = [layout.row(state, how) for state in bet.states for how in How]
    found = []
    for total in TOTALS:
        alike: dict[tuple[Cell, ...], list[Roll]] = {}
        for roll in ways(total):
            alike.setdefault(tuple(row[roll.number] for row in rows), []).append(roll)
        found += [tuple(rolls) for rolls in alike.values()]
    return found


def label(rolls: Sequence[Roll]) -> str:
    """The name of a total, or of a part of it."""
    total = rolls[0].total
    if len(rolls) == len(ways(total)):
        return str(total)
    if all(roll.is_pair for roll in rolls):
        return f"hard {total}"
    if len(rolls) == len([roll for roll in ways(total) if not roll.is_pair]):
        return f"easy {total}"
    if len({tuple(sorted(roll)) for roll in rolls}) == 1:
        return str(Roll(*sorted(rolls[0])))
    return f"other {total}"


def _depths(layout: Layout, bet: LaidBet) -> dict[str, int]:
    depth = dict.fromkeys(bet.starts, 0)
    found = list(bet.starts)
    for state in found:  # the list grows during the loop
        for how in (How.COME_OUT, How.POINT_ON):
            for number in {cell.next for cell in layout.row(state, how)} - {GONE}:
                if (to := layout.keys[number]) not in depth:
                    depth[to] = depth[state] + 1
                    found.append(to)
    return depth


def _lines(layout: Layout, state: str, classes: list[tuple[Roll, ...]]) -> list[Line]:
    """A line for each `How`; two for the puck only if the bet reads it."""
    rows = {how: layout.row(state, how) for how in How}
    reads_puck = rows[How.COME_OUT] != rows[How.POINT_ON]
    names = {How.COME_OUT: "puck off" if reads_puck else "working", How.POINT_ON: "puck on", How.OFF: "off"}
    shown = [How.COME_OUT, *([How.POINT_ON] if reads_puck else []), How.OFF]
    return [
        Line(names[how], [_effect(layout, rows[how][rolls[0].number], state) for rolls in classes]) for how in shown
    ]


def _effect(layout: Layout, cell: Cell, state: str) -> Effect:
    after = layout.state_at(cell.next) if cell.stake is Stake.STANDS else None
    to = after.name if after and after.key != state else ""
    match cell.decided:
        case Decided.WIN:
            return Effect("wins", str(layout.pays[cell.pay].pays), after.name if after else "")
        case Decided.LOSE:
            return Effect("loses")
        case Decided.PUSH:
            return Effect("pushes" if cell.stake is Stake.STANDS else "returns", to=to)
        case Decided.NOTHING:
            return Effect("moves", to=to) if to else Effect("stays")
