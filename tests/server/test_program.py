"""Which program serves: told by its digest, at the start and whenever somebody asks."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from stickman.cli import main
from stickman.floor.events import ProgramStarted, Role
from stickman.floor.journal import events_of
from stickman.server.program import PACKAGE, program, program_at_start
from stickman.store.store import FLOOR
from tests.floor.evening import awaited
from tests.server.process import OFFICE, prepare, serving
from tests.talk.server import http, sign_in


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package, copied to where a test may change it."""
    folder = tmp_path / "stickman"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_a_program_has_the_same_digest_wherever_it_is_installed(copy: Path) -> None:
    first = program(copy)
    (copy / "__pycache__").mkdir()
    (copy / "__pycache__" / "x.pyc").write_bytes(b"compiled")
    assert program(copy) == first == program()
    assert {"wire.py", "games/craps.toml", "paytables/odds.toml"} <= set(first.files)


@pytest.mark.parametrize("change", ["one byte", "a new file", "a file gone", "a file renamed"])
def test_any_change_shows(copy: Path, change: str) -> None:
    before, file = program(copy).sha256, copy / "games" / "craps.toml"
    match change:
        case "one byte":
            file.write_bytes(file.read_bytes() + b"\n")
        case "a new file":
            (copy / "games" / "new.toml").write_text("")
        case "a file gone":
            file.unlink()
        case "a file renamed":
            file.rename(copy / "games" / "spark.toml")
    assert program(copy).sha256 != before


def test_the_files_are_told_as_sha256sum_reads_them(tmp_path: Path) -> None:
    told = CliRunner().invoke(main, ["program", "--files"])
    listed = tmp_path / "sums"
    listed.write_text(told.output)
    checked = subprocess.run(["sha256sum", "--check", "--quiet", listed], cwd=PACKAGE, check=False)  # noqa: S607
    assert checked.returncode == 0


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    return prepare(tmp_path / "floor")


@awaited
async def test_a_server_says_which_program_it_is_in_the_journal_and_to_the_office(floor: Path) -> None:
    async with serving(floor) as (live, url):
        records = [record async for record in live.store.records(FLOOR)]
        [started] = [e for record in records for e in events_of(record) if isinstance(e, ProgramStarted)]
        assert started.sha256 == program_at_start().sha256
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        told = (await http(url, "GET", "/api/program", token=OFFICE, session=session)).json
        assert (told["sha256"], told["version"]) == (started.sha256, started.version)
    as_typed = json.loads(CliRunner().invoke(main, ["program", "--json"]).output)
    assert as_typed["sha256"] == told["sha256_now"]
