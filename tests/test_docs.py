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


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/rulings.md"])
def test_links_between_pages_lead_somewhere(page: str) -> None:
    file = ROOT / page
    for target in re.findall(r"\]\(([^)#]+)\)", file.read_text("utf-8")):
        assert (file.parent / target).exists(), target
