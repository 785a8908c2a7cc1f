"""The recordings of announcements: ours are whole, a casino's own take their place, and nothing else is served."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stickman.rules.datafile import BadFile
from stickman.server.config import plan, read_config
from stickman.server.sounds import BYTES_MAX, OURS, Recordings, ours, recordings_in
from tests.floor.evening import awaited
from tests.server.process import CONFIG, prepare, serving
from tests.talk.server import http

OPUS = b"OggS of the casino"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "own" / "en").mkdir(parents=True)
    return tmp_path / "own"


def put(folder: Path, name: str, content: bytes = OPUS) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


def read(folder: Path) -> Recordings:
    return recordings_in(folder, "floor.toml")


# --- Ours ---


def test_every_announcement_is_recorded_in_three_languages() -> None:
    names: dict[str, set[str]] = {language: set() for language in ("en", "es", "zh")}
    for each in ours():
        language, _, name = each.partition("/")
        names[language].add(name)
    assert names["en"] == names["es"] == names["zh"]
    assert {"seven_out", "no_more_bets", "bets_come_out", "hard_8", "bets_not_valid"} <= names["en"]


def test_recordings_are_small_and_their_names_are_plain() -> None:
    files = [file for file in OURS.rglob("*") if file.is_file()]
    assert len(files) == len(ours())
    assert all(re.fullmatch(r"[a-z]{2}/[a-z0-9_]+", name) for name in ours())
    assert max(file.stat().st_size for file in files) < 20_000
    assert sum(file.stat().st_size for file in files) < 1_500_000


# --- A casino's own ---


def test_a_casinos_recording_takes_the_name_of_ours_in_any_kind_that_browsers_play(folder: Path) -> None:
    put(folder, "en/seven_out.opus")
    put(folder, "en/roll_2.ogg")
    put(folder, "en/roll_3.mp3", b"ID3 and so on")
    put(folder, "es/roll_3.mp3", b"\xff\xfb\x90")
    put(folder, "zh/roll_4.m4a", b"\0\0\0\x20ftypM4A ")
    put(folder, "zh/roll_5.wav", b"RIFF....WAVE")
    put(folder, "en/.DS_Store", b"what a file manager leaves")
    put(folder, ".hidden", b"the same")
    assert {name: each.media_type for name, each in read(folder).items()} == {
        "en/seven_out": "audio/ogg",
        "en/roll_2": "audio/ogg",
        "en/roll_3": "audio/mpeg",
        "es/roll_3": "audio/mpeg",
        "zh/roll_4": "audio/mp4",
        "zh/roll_5": "audio/wav",
    }


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("en/sevenout.opus", OPUS, "no announcement has this name"),
        ("en/SEVEN_OUT.opus", OPUS, "no announcement has this name"),
        ("fr/seven_out.opus", OPUS, "en, es, zh"),
        ("seven_out.opus", OPUS, "en, es, zh"),
        ("en/seven_out.exe", OPUS, "not a sound file"),
        ("en/seven_out", OPUS, "not a sound file"),
        ("en/seven_out.opus/again.opus", OPUS, "not a sound file"),
        ("en/seven_out.html", b"<script>", "not a sound file"),
        ("en/seven_out.opus", b"<script>", "its bytes do not fit its suffix"),
        ("en/seven_out.m4a", b"-----BEGIN PRIVATE KEY-----", "its bytes do not fit its suffix"),
        ("en/seven_out.mp3", b"", "its bytes do not fit its suffix"),
        ("en/seven_out.opus", OPUS.ljust(BYTES_MAX + 1), "500,001 bytes"),
    ],
)
def test_what_cannot_be_served_is_said_at_the_start(folder: Path, name: str, content: bytes, says: str) -> None:
    put(folder, name, content)
    with pytest.raises(BadFile, match=re.escape(says)) as problem:
        read(folder)
    assert (problem.value.file, problem.value.key) == ("floor.toml", "sounds")


def test_the_longest_recording_is_served(folder: Path) -> None:
    put(folder, "en/seven_out.opus", OPUS.ljust(BYTES_MAX))
    assert len(read(folder)["en/seven_out"].content) == BYTES_MAX


def test_two_recordings_of_one_announcement_are_one_too_many(folder: Path) -> None:
    put(folder, "en/seven_out.opus")
    put(folder, "en/seven_out.mp3", b"ID3")
    with pytest.raises(BadFile, match="a second recording"):
        read(folder)


def test_a_link_to_what_is_no_sound_is_refused(folder: Path) -> None:
    secret = put(folder.parent, "journal.key", b"secret")
    (folder / "en" / "seven_out.opus").symlink_to(secret)
    with pytest.raises(BadFile, match="its bytes do not fit its suffix"):
        read(folder)


@pytest.mark.parametrize("path", ["nowhere", "floor.toml"])
def test_a_folder_that_is_none_is_said_at_the_start(tmp_path: Path, path: str) -> None:
    file = prepare(tmp_path / "floor", f'sounds = "{path}"\n{CONFIG}')
    with pytest.raises(BadFile) as problem:
        plan(read_config(file.read_text(), "floor.toml"), file.parent, "floor.toml")
    assert problem.value.key == "sounds"
    assert path in problem.value.found


# --- As they are served ---


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    put(tmp_path / "floor" / "own", "en/seven_out.mp3", b"ID3 our own dealer")
    return prepare(tmp_path / "floor", f'sounds = "own"\n{CONFIG}')


@awaited
async def test_a_casinos_own_recording_is_served_in_place_of_ours_and_named(floor: Path) -> None:
    async with serving(floor) as (_, url):
        own = await http(url, "GET", "/sounds/en/seven_out")
        assert (own.status, own.body, own.headers["content-type"]) == (200, b"ID3 our own dealer", "audio/mpeg")
        other = await http(url, "GET", "/sounds/es/seven_out")
        assert (other.body, other.headers["content-type"]) == (ours()["es/seven_out"].content, "audio/ogg")
        assert (await http(url, "GET", "/sounds")).json == {"own": ["en/seven_out"]}


@awaited
async def test_a_browser_keeps_a_recording_but_asks_whether_it_is_still_the_one(floor: Path) -> None:
    async with serving(floor) as (_, url):
        first = await http(url, "GET", "/sounds/zh/roll_11")
        assert first.headers["cache-control"] == "no-cache"
        again = await http(url, "GET", "/sounds/zh/roll_11", if_none_match=first.headers["etag"])
        assert (again.status, again.body) == (304, b"")
        other = await http(url, "GET", "/sounds/zh/roll_12", if_none_match=first.headers["etag"])
        assert other.status == 200
        assert first.headers["x-content-type-options"] == "nosniff"
        assert "media-src 'self'" in first.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/sounds/en/../../floor.toml",
        "/sounds/en/%2e%2e%2f%2e%2e%2ffloor.toml",
        "/sounds/%2e%2e/journal.key",
        "/sounds/../journal.key",
        "/sounds/en/seven_out.mp3",
        "/sounds/en/seven_out%00",
        "/sounds/en/",
        "/sounds/EN/seven_out",
        "/sounds//etc/passwd",
        "/sounds/fr/seven_out",
        "/sounds/en/nothing",
    ],
)
@awaited
async def test_no_other_name_leads_to_a_file(floor: Path, path: str) -> None:
    async with serving(floor) as (_, url):
        assert (await http(url, "GET", path)).status in (400, 404)


@awaited
async def test_recordings_are_listened_to_and_not_sent(floor: Path) -> None:
    async with serving(floor) as (_, url):
        assert (await http(url, "POST", "/sounds/en/seven_out", b"ID3")).status == 405
