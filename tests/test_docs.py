"""Pages made from the code are fresh, and what the README says is so."""

import doctest
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from stickman.cli import main

ROOT = Path(__file__).parent.parent


def builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_made_pages_are_fresh() -> None:
    for file, text in builder().pages():
        assert file.read_text("utf-8") == text, f"{file.name} is stale: run make docs"


def test_the_python_of_the_readme_does_what_it_says() -> None:
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted > 0
    assert results.failed == 0


def test_the_commands_of_the_readme_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = re.findall(r"^\$ \.venv/bin/stickman ([^#\n]*)", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert len(commands) >= 6
    monkeypatch.chdir(tmp_path)
    for command in commands:
        assert CliRunner().invoke(main, command.split()).exit_code == 0, command


PAGES = ["README", "ARCHITECTURE", "CONTRIBUTING", "SECURITY", "docs/devices", "docs/rulings", "docs/security"]


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    file = ROOT / f"{page}.md"
    for target in re.findall(r"\]\(([^)#]+)\)", file.read_text("utf-8")):
        assert (file.parent / target).exists(), target


@pytest.mark.parametrize("page", ["docs/security.md", "tests/attacks/test_held.py"])
def test_every_test_that_is_named_as_a_proof_exists(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    text = text.split('"""')[1] if page.endswith(".py") else text
    named = set(re.findall(r"\b(test_[a-z0-9_]+)\b(?!\.py)", text))
    written = [file.read_text("utf-8") for file in (ROOT / "tests").rglob("test_*.py")]
    tests = {name for each in written for name in re.findall(r"^(?:async )?def (test_\w+)\(", each, re.MULTILINE)}
    assert len(named) > 10
    assert named - tests == set()


POINTS = 38


def titles(file: Path) -> set[str]:
    """The tests of a file: of Python their functions, of the screens what they are called."""
    if file.suffix == ".py":
        return set(re.findall(r"^def (test_\w+)\(", file.read_text("utf-8"), re.MULTILINE))
    named = re.findall(r"\b(?:test|step)\(\s*(?:\"([^\"]+)\"|`([^`]+)`)", file.read_text("utf-8"))
    return {double or back for double, back in named}


def points() -> list[tuple[int, str, str]]:
    """Of each row of docs/screens.md: the point, the file and the title."""
    row = re.compile(r"^\| (\d+) \|[^|]*\|(?: `([^`]+)`)? \| `?([^`|]+)`? \|$", re.MULTILINE)
    found = row.findall((ROOT / "docs" / "screens.md").read_text("utf-8"))
    return [(int(point), file, title) for point, file, title in found]


def test_every_point_of_the_screens_is_shown_by_a_test_that_exists() -> None:
    missing = [(file, title) for _, file, title in points() if title not in titles(ROOT / file)]
    assert missing == []
    assert {point for point, _, _ in points()} == set(range(1, POINTS + 1))


def test_a_title_that_no_test_has_is_found() -> None:
    assert "each phase is called once" in titles(ROOT / "web/tests/seat.test.ts")
    assert "each phase is called twice" not in titles(ROOT / "web/tests/seat.test.ts")
    assert "test_a_title_that_no_test_has_is_found" in titles(Path(__file__))
