"""A bet says everything about itself: what reads bets knows none of them by id, family or side game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from stickman.rules.bets import catalogue
from stickman.rules.settings import GAMES, load

PACKAGE = Path(__file__).parent.parent / "src" / "stickman"
READERS = [
    PACKAGE / file
    for file in (
        "rules/felt.py",
        "rules/layout.py",
        "rules/spots.py",
        "table/round.py",
        "table/settle.py",
        "table/view.py",
        "table/preview.py",
        "table/asking.py",
        "table/seats.py",
        "table/offers.py",
        "table/betting.py",
        "table/evolve.py",
        "floor/placard.py",
    )
]
OTHER_MEANINGS = {"view.py": {"hard"}, "preview.py": {"hard"}}
"""Words that are also the name of a bet: a total is made the hard way."""


def names() -> set[str]:
    """The ids of all bets, what they begin with, their families and side games."""
    bets = [bet for game in map(load, GAMES) for bet in catalogue(game)]
    ids = {bet.id for bet in bets} | {spot for bet in bets for s in bet.machine.states.values() if (spot := s.spot)}
    return ids | {bet.family for bet in bets} | {bet.id.split(".")[0] for bet in bets}


def docstrings(tree: ast.AST) -> set[ast.AST]:
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def texts_in_python(code: str) -> Iterator[str]:
    tree = ast.parse(code)
    told = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in told:
            yield node.value


def texts_in_script(code: str) -> Iterator[str]:
    """The texts of TypeScript or Svelte, in quotes of any kind."""
    yield from (found[2] for found in re.finditer(r"""(["'`])((?:(?!\1).)*)\1""", code))


def known_by_name(file: str, code: str) -> list[str]:
    """The names of bets in a file: `place.6`, or the beginning `place.` of one that is put together."""
    texts = texts_in_python(code) if file.endswith(".py") else texts_in_script(code)
    wanted = names() - OTHER_MEANINGS.get(file, set())
    wanted |= {f"{name}." for name in wanted} | {f"{name}.odds" for name in wanted} | {".odds"}
    return sorted({text for text in texts if text in wanted})


@pytest.mark.parametrize("path", READERS, ids=lambda path: path.name)
def test_no_bet_is_known_by_its_name(path: Path) -> None:
    assert known_by_name(path.name, path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('if bet.id == "dont_pass": ...', ["dont_pass"]),
        ('spot = f"place.{number}"', ["place."]),
        ('flat_first = spot.endswith(".odds")', [".odds"]),
        ('SETS = ("bonus.small", "lucky_roller.")', ["bonus.small", "lucky_roller."]),
        ('side = getattr(game, "hot_shooter")', ["hot_shooter"]),
        ('"""A docstring may speak of pass."""\nnothing = "pass the dice"', []),
    ],
)
def test_a_name_of_a_bet_in_python_is_found(code: str, found: list[str]) -> None:
    assert known_by_name("planted.py", code) == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('const line = has("pass");', ["pass"]),
        ("const CLIMBING = ['fired_up', `make_em_all`];", ["fired_up", "make_em_all"]),
        ('const word = "pass the dice";', []),
    ],
)
def test_a_name_of_a_bet_in_a_script_is_found(code: str, found: list[str]) -> None:
    assert known_by_name("planted.ts", code) == found
