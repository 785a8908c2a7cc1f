"""An export can be checked by whoever has its README and Python; it holds no secret, and is whole or not there."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from stickman.floor import events as e
from stickman.floor.export import BLANK, Form, export, shown
from stickman.floor.journal import BadRecord, entry
from stickman.floor.office import Office
from stickman.store.memory import MemoryStore
from stickman.store.store import EMPTY
from tests.floor.evening import STARTS_MS, at_table, awaited, busy
from tests.talk.floor import hiring

FORMS: list[Form] = ["jsonl", "csv"]
PLACE = e.Place("seat", 1, 2)
SECRETS = ("once of badge-1", "hash of badge-1", "the hash of a code", "the hash of a token")


async def a_floor() -> MemoryStore:
    """Two tables after some play, and secrets on the floor."""
    store = MemoryStore()
    office = await Office.open(store)
    _, _, code, token = SECRETS
    happened: list[tuple[e.FloorEvent, ...]] = [
        hiring("badge-1", e.Role.ADMINISTRATOR),
        (e.TerminalOffered(place=PLACE, code_hash=code, expires_at_ms=1),),
        (e.TerminalEnrolled(terminal="terminal-1", place=PLACE, code_hash=code, token_hash=token),),
        (e.SignedIn(badge="badge-1", terminal="terminal-1", role=e.Role.ADMINISTRATOR),),
    ]
    for events in happened:
        await office.act(lambda _, events=events: events, at_ms=STARTS_MS, actor="console")  # type: ignore[misc]
    for stream in (1, 2):
        await at_table(store, stream, busy(stream, steps=120))
    return store


async def exported(store: MemoryStore, folder: Path, form: Form = "jsonl", streams: tuple[int, ...] = ()) -> Path:
    chosen = list(streams) or await store.streams()
    await export(store, folder, chosen, form, lambda *_: None)
    return folder


def records(folder: Path, stream: int, form: Form) -> list[dict[str, Any]]:
    text = (folder / f"records-{stream}.{form}").read_text("utf-8")
    return list(map(json.loads, text.splitlines())) if form == "jsonl" else list(csv.DictReader(text.splitlines()))


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    """Do what the README says, in a Python that knows nothing of this program."""
    [recipe] = re.findall(r"```python\n(.*?)```", (folder / "README.md").read_text("utf-8"), re.DOTALL)
    command = [sys.executable, "-I", "-S", "-c", recipe]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("form", FORMS)
@awaited
async def test_the_readmes_own_words_check_the_chain(tmp_path: Path, form: Form) -> None:
    store = await a_floor()
    checked = check(await exported(store, tmp_path / "out", form))
    assert checked.returncode == 0, checked.stderr
    for stream in (0, 1, 2):
        head = await store.head(stream)
        blanked = 3 if stream == 0 else 0
        said = f"records-{stream}.{form}: {head.seq} records, {blanked} of them blanked, end at {head.digest.hex()}"
        assert said in checked.stdout


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("damage", ["changed", "removed", "swapped"])
@awaited
async def test_the_readmes_own_words_find_damage(tmp_path: Path, form: Form, damage: str) -> None:
    folder = await exported(await a_floor(), tmp_path / "out", form)
    file = folder / f"records-1.{form}"
    lines = file.read_text("utf-8").splitlines(keepends=True)
    if damage == "changed":
        lines[9] = lines[9].replace("seat", "seal")
    elif damage == "removed":
        del lines[9]
    else:
        lines[8], lines[9] = lines[9], lines[8]
    file.write_text("".join(lines), "utf-8")
    checked = check(folder)
    assert checked.returncode == 1
    assert re.search(r"AssertionError: records-1\.\w+: record \d+ (does not follow|is missing)", checked.stderr)


@pytest.mark.parametrize("form", FORMS)
@awaited
async def test_every_record_is_there_with_its_columns(tmp_path: Path, form: Form) -> None:
    store = await a_floor()
    folder = await exported(store, tmp_path / "out", form)
    for stream in (0, 1, 2):
        found = records(folder, stream, form)
        stored = [record async for record in store.records(stream)]
        assert [(row["digest"], row["actor"], row["command"], int(row["at_ms"])) for row in found] == [
            (record.digest.hex(), record.actor, record.command, record.at_ms) for record in stored
        ]
        if stream:
            assert [row["body"].encode() for row in found] == [record.body for record in stored]


@awaited
async def test_moves_are_those_of_the_journal(tmp_path: Path) -> None:
    store = await a_floor()
    folder = await exported(store, tmp_path / "out")
    found = list(csv.DictReader((folder / "moves.csv").read_text("utf-8").splitlines()))
    moves = [
        (stream, each.record.seq, *move)
        for stream in (0, 1, 2)
        for each in store._streams[stream].entries
        for move in each.moves
    ]
    assert len(moves) > 50
    assert moves == [
        (int(row["stream"]), int(row["seq"]), row["source"], row["target"], int(row["cents"])) for row in found
    ]


@pytest.mark.parametrize("form", FORMS)
@awaited
async def test_no_secret_is_in_any_file(tmp_path: Path, form: Form) -> None:
    """Not in a field and not in a claim, which holds the hash of a pairing code."""
    folder = await exported(await a_floor(), tmp_path / "out", form)
    text = "".join(file.read_text("utf-8") for file in folder.iterdir())
    for secret in SECRETS:
        assert secret not in text
    blanked = [row for row in records(folder, 0, form) if int(row["blanked"])]
    assert len(blanked) == 3
    assert json.loads(blanked[-1]["body"])["claims"] == [f"pairing:{BLANK}"]
    assert json.loads(blanked[-1]["body"])["events"][0]["terminal"] == "terminal-1", "the rest is there"


@awaited
async def test_one_table_is_exported_alone(tmp_path: Path) -> None:
    folder = await exported(await a_floor(), tmp_path / "out", streams=(2,))
    assert names(folder) == {"README.md", "moves.csv", "records-2.jsonl"}


@awaited
async def test_an_export_that_fails_leaves_nothing(tmp_path: Path) -> None:
    store = await a_floor()
    del store._streams[2].entries[-1]
    with pytest.raises(BadRecord, match="stream 2 should end at record"):
        await exported(store, tmp_path / "out")
    assert names(tmp_path) == set()


@awaited
async def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    store = await a_floor()
    folder = await exported(store, tmp_path / "out")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    with pytest.raises(FileExistsError, match="allowed: a new folder or an empty one"):
        await exported(store, folder)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        await exported(store, tmp_path / "file")
    (tmp_path / "empty").mkdir()
    await exported(store, tmp_path / "empty")


def test_a_record_that_cannot_be_read_is_named_and_never_shown() -> None:
    """It may hold a secret that cannot be found in it."""
    record = entry(EMPTY, hiring("badge-1", e.Role.DEALER), stream=0, at_ms=1, actor="x").record
    for body in (record.body[:-3], record.body + b"\xff"):
        with pytest.raises(BadRecord, match="record 1 of stream 0 cannot be read"):
            shown(record._replace(body=body))
