"""A bet's machine as a table in a terminal: a row for each state, a column for each total."""

from __future__ import annotations

from collections import Counter

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from stickman.rules.diagram import Diagram, DrawnState, Effect

STATES_MAX = 24
NAME_MAX = 5
STYLES = {"wins": "green", "loses": "red", "pushes": "yellow", "returns": "yellow", "moves": "cyan", "stays": "dim"}
WORDS = {"loses": "lose", "pushes": "push", "returns": "back", "stays": "·"}
LEGEND = """\
+9:5 wins and is paid that, stake back · +3× wins, stake not back · ↺ the stake stays up · lose the stake is taken
→6 goes to that state · push neither won nor lost, the stake stays · back the stake is returned · "·" nothing
A wager that is off does not change unless a line shows it. 🔒 no increase, reduction or removal."""


def show(screen: Console, drawn: Diagram, *, every: bool) -> None:
    """Print a machine; of a large one only one state of each kind, unless `every` is set."""
    screen.print(Text(f"{drawn.title} ({drawn.bet})", "bold"), f"in {drawn.game}, {drawn.fingerprint[:16]}")
    screen.print(f"Rule: {drawn.source}")
    all_shown = every or len(drawn.states) <= STATES_MAX
    kinds = [[state] for state in drawn.states] if all_shown else _kinds(drawn.states)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("state" if all_shown else "state (+ others like it)", no_wrap=True)
    table.add_column("when", no_wrap=True)
    for column in drawn.columns:
        table.add_column(column.label, justify="center", no_wrap=True)
    for kind in kinds:
        _add(table, kind)
    screen.print(table)
    if not all_shown:
        screen.print(f"{len(drawn.states):,} states of {len(kinds)} kinds; --all prints every one.")
    screen.print(LEGEND, style="dim")


def _kinds(states: list[DrawnState]) -> list[list[DrawnState]]:
    """States grouped by how many totals have each effect."""
    kinds: dict[tuple[object, ...], list[DrawnState]] = {}
    for state in states:
        kind = tuple(frozenset(Counter((e.does, e.pays) for e in line.effects).items()) for line in state.lines)
        kinds.setdefault((state.locked, *kind), []).append(state)
    return list(kinds.values())


def _add(table: Table, kind: list[DrawnState]) -> None:
    """The lines of the first state of a kind, without an off line that changes nothing."""
    state = kind[0]
    name = state.name + (" 🔒" if state.locked else "") + (f"  (+{len(kind) - 1})" if len(kind) > 1 else "")
    for number, line in enumerate(state.lines):
        if line.how != "off" or any(effect.does != "stays" for effect in line.effects):
            cells = [Text(_word(effect), STYLES[effect.does]) for effect in line.effects]
            table.add_row("" if number else name, line.how, *cells)
    table.add_section()


def _word(effect: Effect) -> str:
    if effect.does == "wins":
        pays = effect.pays.replace(" to ", ":").replace(" for 1", "×")
        return f"+{pays}" + ("↺" if effect.to else "")
    if effect.does == "moves":
        return f"→{effect.to}" if len(effect.to) <= NAME_MAX else "→"
    return WORDS[effect.does]
