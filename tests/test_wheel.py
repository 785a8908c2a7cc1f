"""The wheel carries the pages of the screens, without which it is not built, and the recorded announcements."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from hatch_build import SCREENS
from stickman.server.sounds import ours

ROOT = Path(__file__).parent.parent
PAGES = [*(f"{screen}.html" for screen in SCREENS), "assets/seat-1a2b.js"]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """What a wheel is built from, with a package of one module."""
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, tmp_path)
    package = tmp_path / "src" / "stickman"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    return tmp_path


def put_pages(tree: Path) -> None:
    for page in PAGES:
        file = tree / "src" / "stickman" / "pages" / page
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()


def build(tree: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", "dist"]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)


def test_a_wheel_carries_the_pages_though_git_ignores_them(tree: Path) -> None:
    put_pages(tree)
    assert build(tree).returncode == 0
    [wheel] = (tree / "dist").glob("*.whl")
    assert {f"stickman/pages/{page}" for page in PAGES} <= set(zipfile.ZipFile(wheel).namelist())


def test_a_wheel_carries_the_recorded_announcements(tree: Path) -> None:
    put_pages(tree)
    shutil.copytree(ROOT / "src" / "stickman" / "sounds", tree / "src" / "stickman" / "sounds")
    assert build(tree).returncode == 0
    [wheel] = (tree / "dist").glob("*.whl")
    carried = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("stickman/sounds/")}
    assert carried == {f"stickman/sounds/{name}.opus" for name in ours()}


def test_a_wheel_is_not_built_without_the_pages(tree: Path) -> None:
    built = build(tree)
    assert built.returncode != 0
    assert "lacks seat.html" in built.stderr
    assert not list((tree / "dist").glob("*.whl"))


def test_the_pages_that_a_wheel_must_have_are_those_that_the_screens_are_built_to() -> None:
    assert {file.stem for file in (ROOT / "web").glob("*.html")} == set(SCREENS)
