"""Prepares a bet's machine for drawing: nodes of one state or of many, what each does, and the arrows between them.

The depth of a state is how many moves lead to it from the start. A bet that remembers a set of totals has many
states of one depth, and a bet that counts has one state for each depth. In a large machine several of these are
drawn as one node, with their number and what they have in common. Wagers that are off are not drawn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, NamedTuple

State = Mapping[str, Any]

WHOLE_MAX = 24
"""A machine with at most this many states is drawn whole."""
SIDE_BY_SIDE_MAX = 8
"""In a larger one, at most this many states of one depth are drawn side by side."""
COLUMNS_MAX = 6
"""A deeper machine is drawn with one node for each depth."""


class NodeEffect(NamedTuple):
    """What a roll does to a wager; `to` is the next state, if the wager has one."""

    does: str
    pays: str = ""
    to: str = ""


class NodeAct(NamedTuple):
    """Something that a node does, and on which totals."""

    on: str
    effect: NodeEffect


class Arrow(NamedTuple):
    source: int
    target: int
    on: str


class DrawnNode(NamedTuple):
    """One state, or all states of some depths."""

    states: list[State]
    acts: list[NodeAct]
    """What no arrow shows."""

    @property
    def first(self) -> State:
        return self.states[0]

    @property
    def depths(self) -> tuple[int, int]:
        found = [state["depth"] for state in self.states]
        return min(found), max(found)


class Parts(NamedTuple):
    """The nodes by column, and the arrows between them by number of node."""

    columns: list[list[int]]
    nodes: list[DrawnNode]
    arrows: list[Arrow]


def parts(diagram: Mapping[str, Any]) -> Parts:
    """Choose the nodes, then find what each does."""
    node_columns = _columns(diagram["states"])
    sets = [states for column in node_columns for states in column]
    node_of = {state["name"]: index for index, states in enumerate(sets) for state in states}
    totals = [column["label"] for column in diagram["columns"]]
    readings = [_read(states, index, node_of, totals) for index, states in enumerate(sets)]
    numbers = iter(range(len(sets)))
    return Parts(
        [[next(numbers) for _ in column] for column in node_columns],
        [node for node, _ in readings],
        [arrow for _, arrows in readings for arrow in arrows],
    )


def _columns(states: Sequence[State]) -> list[list[list[State]]]:
    """By column: the states of each of its nodes."""
    by_depth = [list(same) for _, same in groupby(states, key=lambda state: state["depth"])]
    if len(states) <= WHOLE_MAX:
        return [[[state] for state in column] for column in by_depth]
    if all(len(column) == 1 for column in by_depth):
        return [[run] for run in _runs([column[0] for column in by_depth])]
    if len(by_depth) > COLUMNS_MAX:
        return [[column] for column in by_depth]
    return [[column] if len(column) > SIDE_BY_SIDE_MAX else [[state] for state in column] for column in by_depth]


def _runs(chain: Sequence[State]) -> list[list[State]]:
    """Neighbouring states that do the same, except for the next state."""
    runs = [[chain[0]]]
    for before, state in pairwise(chain):
        if _likeness(before) == _likeness(state):
            runs[-1].append(state)
        else:
            runs.append([state])
    return runs


def _likeness(state: State) -> list[object]:
    return [
        (line["how"], [(effect["does"], effect["pays"]) for effect in line["effects"]]) for line in state["lines"]
    ]


# --- What the states of a node do ---

Rolls = frozenset[tuple[str, int]]
"""Pairs of a `how` (with the point on, off and so on) and the index of a total."""


def _read(
    states: list[State], index: int, node_of: Mapping[str, int], labels: Sequence[str]
) -> tuple[DrawnNode, list[Arrow]]:
    """A node and its outgoing arrows."""
    acts: dict[NodeEffect, list[Rolls]] = defaultdict(list)
    moves: dict[int, list[Rolls]] = defaultdict(list)
    for state in states:
        ahead: dict[int, Rolls] = defaultdict(frozenset)
        for effect, rolls in _by_effect(state).items():
            target = node_of.get(effect.to, -1) if effect.does == "moves" else -1
            if target >= index and effect.to != state["name"]:
                ahead[max(target, index + 1)] |= rolls  # a move inside of a node is an arrow to the next
            else:
                acts[_general(effect, state, states)].append(rolls)
        for target, rolls in ahead.items():
            moves[target].append(rolls)
    hows = [line["how"] for line in states[0]["lines"] if line["how"] != "off"]

    def on(each: list[Rolls]) -> str:
        return _on(each, len(states), labels, hows)

    found = [NodeAct(on(each), effect) for effect, each in acts.items()]
    found.sort(key=lambda act: _ORDER[act.effect.does])
    return DrawnNode(states, found), [Arrow(index, target, on(each)) for target, each in moves.items()]


_ORDER = {does: place for place, does in enumerate(("wins", "pushes", "returns", "loses", "moves", "stays"))}


def _by_effect(state: State) -> dict[NodeEffect, Rolls]:
    found: dict[NodeEffect, set[tuple[str, int]]] = defaultdict(set)
    for line in state["lines"]:
        if line["how"] != "off":
            for column, effect in enumerate(line["effects"]):
                found[NodeEffect(effect["does"], effect["pays"], effect["to"])].add((line["how"], column))
    return {effect: frozenset(rolls) for effect, rolls in found.items()}


def _general(effect: NodeEffect, state: State, states: Sequence[State]) -> NodeEffect:
    """In a node of many states, the next state is not named exactly."""
    if effect.to and len(states) > 1:
        return effect._replace(to="the same state" if effect.to == state["name"] else "another state")
    return effect


def _on(each: Sequence[Rolls], states: int, labels: Sequence[str], hows: Sequence[str]) -> str:
    """The totals by name if they are the same in all states, otherwise how many there are. A total under two hows
    counts twice."""
    if len(set(each)) == 1 and len(each) == states:
        return _totals(each[0], labels, hows)
    low, high = min(map(len, each)), max(map(len, each))
    number = f"{f'{low} to ' if low != high else ''}{high} total{'s' if high > 1 else ''}"
    return number if len(each) == states else f"{number} in {len(each)} of {states}"


def _totals(rolls: Rolls, labels: Sequence[str], hows: Sequence[str]) -> str:
    chosen = {how: sorted(column for roll_how, column in rolls if roll_how == how) for how in hows}
    by_how = {how: spans(columns, labels) for how, columns in chosen.items() if columns}
    if len(set(by_how.values())) == 1 and len(by_how) == len(hows):
        return next(iter(by_how.values()))
    return "; ".join(f"{how} {totals}" for how, totals in by_how.items())


def spans(columns: Sequence[int], labels: Sequence[str]) -> str:
    """Neighbouring columns as spans.

    >>> spans([0, 1, 2, 4, 5, 8], ["2", "3", "4", "5", "6", "7", "8", "9", "10"])
    '2–4, 6, 7, 10'
    """
    runs: list[list[int]] = []
    for column in columns:
        if runs and column == runs[-1][-1] + 1:
            runs[-1].append(column)
        else:
            runs.append([column])
    return ", ".join(
        f"{labels[run[0]]}\N{EN DASH}{labels[run[-1]]}" if len(run) > 2 else ", ".join(labels[each] for each in run)
        for run in runs
    )


def words(effect: NodeEffect, state: str) -> str:
    """The label of an effect on a wager in this state."""
    names = {"wins": f"win {effect.pays}", "loses": "lose", "pushes": "push", "returns": "stake returned"}
    here = names.get(effect.does, effect.does if not effect.to else "")
    if not effect.to:
        return here
    if effect.to in (state, "the same state"):
        return f"{here}, stays up"
    return f"{here} \N{RIGHTWARDS ARROW} {effect.to}".strip()
