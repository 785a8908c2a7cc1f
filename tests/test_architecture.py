"""The shape of the code is tested: its layers, its purity, its exactness and its names.

Every fence is shown to fail on what it should keep out, else a fence that guards nothing would pass.
"""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "stickman"

PURE = {"rules", "par", "table"}
EXACT = {"rules", "par", "table", "store", "floor"}
MATH_OF_INTEGERS = {"comb", "factorial", "gcd", "isqrt", "lcm", "perm", "prod"}
VAGUE_NAMES = {"utils", "helpers", "common", "manager", "base", "service"}

LAYERS = "Layers: each imports only what is below it, and no neighbour"
PAPER = "Paper: plain values, and of the rules money alone"
PURITY = "Purity: no clock, chance, concurrency, logging, files or floats"


# --- Layers and purity: import-linter, with the contracts of pyproject.toml ---


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package that a test may spoil."""
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(PACKAGE, tmp_path / "stickman", ignore=ignored))


def plant(package: Path, code: str) -> None:
    """Add a module with this code to the package, making the package first if it is yet to be written."""
    package.mkdir(exist_ok=True)
    (package / "__init__.py").touch()
    (package / "planted.py").write_text(code + "\n")


def lint_imports(copy: Path) -> subprocess.CompletedProcess[str]:
    """Judge the copy: import-linter takes the package it finds in its working directory."""
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [program, "--config", ROOT / "pyproject.toml", "--no-cache", "--no-logo"],
        cwd=copy.parent,
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_package_as_it_is_keeps_every_contract(copy: Path) -> None:
    verdict = lint_imports(copy)
    assert verdict.returncode == 0, verdict.stdout
    assert f"{LAYERS} KEPT" in verdict.stdout
    assert f"{PURITY} KEPT" in verdict.stdout


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("rules", "par"),
        ("rules", "cli"),
        ("rules", "paper"),
        ("par", "cli"),
        ("par", "table"),
        ("paper", "cli"),
        ("table", "par"),
        ("table", "floor"),
        ("sim", "par"),
        ("floor", "server"),
        ("server", "cli"),
        ("store", "rules"),
        ("randomness", "rules"),
    ],
)
def test_an_import_against_the_layers_is_caught(copy: Path, importer: str, imported: str) -> None:
    if not (copy / f"{imported}.py").exists():
        plant(copy / imported, "")
    plant(copy / importer, f"import stickman.{imported}")
    verdict = lint_imports(copy)
    assert verdict.returncode == 1, verdict.stderr
    assert f"{LAYERS} BROKEN" in verdict.stdout
    assert f"stickman.{importer}.planted -> stickman.{imported}" in verdict.stdout


@pytest.mark.parametrize("imported", ["stickman.rules.game", "stickman.store"])
def test_paper_takes_money_from_the_rules_and_nothing_else(copy: Path, imported: str) -> None:
    plant(copy / "paper", f"import {imported}")
    verdict = lint_imports(copy)
    assert verdict.returncode == 1, verdict.stderr
    assert f"{PAPER} BROKEN" in verdict.stdout


def test_a_module_without_a_layer_is_caught(copy: Path) -> None:
    plant(copy / "elsewhere", "")
    verdict = lint_imports(copy)
    assert verdict.returncode == 1, verdict.stderr
    assert f"{LAYERS} BROKEN" in verdict.stdout
    assert "stickman.elsewhere" in verdict.stdout


@pytest.mark.parametrize("package", ["rules", "par"])
@pytest.mark.parametrize(
    "code",
    [
        "import random",
        "from secrets import randbelow",
        "from time import monotonic",
        "import datetime as dt",
        "import asyncio",
        "import logging",
        "import os.path",
        "def later():\n    import numpy",
    ],
)
def test_an_impure_import_is_caught(copy: Path, package: str, code: str) -> None:
    plant(copy / package, code)
    verdict = lint_imports(copy)
    assert verdict.returncode == 1, verdict.stderr
    assert f"{PURITY} BROKEN" in verdict.stdout
    assert f"stickman.{package}.planted" in verdict.stdout


def test_every_pure_package_is_under_the_purity_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [purity] = [contract for contract in contracts if contract["name"] == PURITY]
    written = {f"stickman.{name}" for name in PURE if (PACKAGE / name).exists()}
    assert set(purity["source_modules"]) == written


# --- Exactness: integers and fractions only. True division is allowed: between fractions it is exact ---


def inexact(code: str) -> list[str]:
    """What in this code makes a float, each as `line: what`."""
    tree = ast.parse(code)
    return [f"{line}: {what}" for line, what in sorted({*floats(tree), *inexact_math(tree)})]


def floats(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=float() | complex()):
                yield node.lineno, repr(node.value)
            case ast.Name(id="float" | "complex" as name) | ast.Attribute(attr="float" | "complex" as name):
                yield node.lineno, name
            case ast.Call(func=ast.Name(id="round")) if len(node.args) + len(node.keywords) > 1:
                yield node.lineno, "round to digits"


def inexact_math(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Any use of `math` other than its functions of integers, under whatever name it was imported."""
    names: set[str] = set()
    exact_uses: set[ast.expr] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                names |= {alias.asname or alias.name for alias in node.names if alias.name == "math"}
            case ast.ImportFrom(module="math"):
                for alias in node.names:
                    if alias.name not in MATH_OF_INTEGERS:
                        yield node.lineno, f"math.{alias.name}"
            case ast.Attribute(attr=attr) if attr in MATH_OF_INTEGERS:
                exact_uses.add(node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names and node not in exact_uses:
            yield node.lineno, "math"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("edge = 0.5", "1: 0.5"),
        ("edge = 1e3", "1: 1000.0"),
        ("root = 2j", "1: 2j"),
        ("edge = float(7)", "1: float"),
        ("def edge(stake: int) -> float: ...", "1: float"),
        ("edge: dict[str, float] = {}", "1: float"),
        ("import builtins\nedge = builtins.float(7)", "2: float"),
        ("import math\n\nedge = math.sqrt(2)", "3: math"),
        ("import math as m\nedge = m.log(2)", "2: math"),
        ("import math\nedge = math.inf", "2: math"),
        ("import math\nroot = getattr(math, 'sqrt')", "2: math"),
        ("from math import exp", "1: math.exp"),
        ("from math import gcd, log as ln", "1: math.log"),
        ("from math import *", "1: math.*"),
        ("edge = round(x, 2)", "1: round to digits"),
        ("edge = round(x, ndigits=2)", "1: round to digits"),
    ],
)
def test_what_makes_a_float_is_found(code: str, found: str) -> None:
    assert inexact(code) == [found]


@pytest.mark.parametrize(
    "code",
    [
        "edge = Fraction(7, 495) / 2",
        "cents = stake * 7 // 6",
        "cents = round(Fraction(7, 2))",
        "import math\nlcm = math.lcm(4, 6) + math.isqrt(36)",
        "from math import comb, factorial, gcd, perm, prod",
        "floating = 'float'",
    ],
)
def test_exact_arithmetic_is_allowed(code: str) -> None:
    assert inexact(code) == []


def test_rules_and_mathematics_make_no_float() -> None:
    modules = [path for name in EXACT for path in (PACKAGE / name).rglob("*.py")]
    assert {"rules", "par"} <= {path.relative_to(PACKAGE).parts[0] for path in modules}
    found = {str(path.relative_to(ROOT)): inexact(path.read_text()) for path in modules}
    assert {path: what for path, what in found.items() if what} == {}


# --- Names ---


def vaguely_named(root: Path) -> set[str]:
    """Modules and packages whose name does not say what they hide."""
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.stem in VAGUE_NAMES}


@pytest.mark.parametrize("name", ["utils.py", "helpers.py", "rules/common.py", "rules/base/dice.py"])
def test_a_vague_name_is_found(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).touch()
    assert vaguely_named(tmp_path)


def test_every_module_has_a_name_that_says_something() -> None:
    assert vaguely_named(PACKAGE) == set()
    assert vaguely_named(ROOT / "tests") == set()


# --- One name, one class ---

NAMED_TWICE = {
    "Bet": "a bet of the game; what a strategy wants (documented for those who write one)",
    "Frame": "what changed in a view; the message that carries it",
    "House": "what a pit asks; its stand-in for scripts",
    "Line": "a line of a settlement; of a drawing; of a script",
    "Played": "a roll that was played; a script that was",
    "Refusal": "every no of a table; every no of the floor",
    "Refused": "a no of a table; of the floor; the message that carries either",
    "Slot": "the name of a pay row; a place in a script's grammar",
}
"""Class names that there are more than once, and what each of them is: ten at most."""


def named_twice(package: Path) -> set[str]:
    found = [
        node.name
        for file in sorted(package.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    return {name for name, times in Counter(found).items() if times > 1}


def test_a_class_has_a_name_of_its_own_but_for_a_few_that_are_explained() -> None:
    assert named_twice(PACKAGE) <= NAMED_TWICE.keys()
    assert len(NAMED_TWICE) <= 10


def test_a_second_class_of_one_name_is_found(copy: Path) -> None:
    plant(copy / "server", "class Pit:\n    pass")
    assert "Pit" in named_twice(copy)
