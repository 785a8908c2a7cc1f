"""What the tutorial prints, draws and computes is what happens."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from tests.sim.tutorial import PAGE, fresh, images


def test_the_commands_of_the_tutorial_print_and_draw_what_it_shows(tmp_path: Path) -> None:
    page = PAGE.read_text("utf-8")
    assert fresh(page, tmp_path) == page, "stale: python -m tests.sim.tutorial, then read the diff"
    assert len(images(page)) >= 2
    for name in images(page):
        assert (tmp_path / name).read_text() == (PAGE.parent / name).read_text(), f"{name} is stale"


def test_the_python_of_the_tutorial_does_what_it_says() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted > 0
    assert results.failed == 0


def test_the_links_of_the_tutorial_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE.read_text("utf-8")):
        assert (PAGE.parent / target).exists(), target
