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


PAGES = ["README", "ARCHITECTURE", "CONTRIBUTING", "SECURITY", "docs/rulings", "docs/security"]


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
