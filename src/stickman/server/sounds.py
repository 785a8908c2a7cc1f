"""The sound files of the announcements: the program's, and a casino's own recordings that replace them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from stickman.rules.datafile import BadFile

BYTES_MAX = 500_000
"""The size of one recording: five seconds without compression."""
KINDS = {
    ".opus": ("audio/ogg", 0, (b"OggS",)),
    ".ogg": ("audio/ogg", 0, (b"OggS",)),
    ".mp3": ("audio/mpeg", 0, (b"ID3", b"\xff\xfb", b"\xff\xfa", b"\xff\xf3", b"\xff\xf2")),
    ".m4a": ("audio/mp4", 4, (b"ftyp",)),
    ".wav": ("audio/wav", 0, (b"RIFF",)),
}
"""By suffix: the media type, and the bytes that identify it with their offset."""
OURS = Path(str(resources.files("stickman") / "sounds"))


class Recording(NamedTuple):
    """A sound file."""

    content: bytes
    media_type: str

    @property
    def tag(self) -> str:
        """The ETag of these bytes."""
        return f'"{sha256(self.content).hexdigest()[:32]}"'


Recordings = Mapping[str, Recording]
"""By language and announcement: `en/seven_out`."""


@cache
def ours() -> Recordings:
    """Every announcement in every language. No other name is served."""
    return {f"{file.parent.name}/{file.stem}": _read(file) for file in sorted(OURS.glob("*/*.opus"))}


def recordings_in(folder: Path, config: str) -> Recordings:
    """A casino's own recordings, with the names of ours: `en/seven_out.mp3`. All are read here, once; `BadFile`
    names the configuration if something in the folder cannot be used."""
    try:
        found: dict[str, Recording] = {}
        for file in _files(folder):
            name = file.relative_to(folder).with_suffix("").as_posix()
            if why := _refuses(file, name, found):
                raise BadFile(config, "sounds", f"{file}: {why}", _allowed(name))
            found[name] = _read(file)
    except OSError as problem:
        raise BadFile(config, "sounds", str(problem), "a folder with recordings that can be read") from None
    return found


def _files(folder: Path) -> Iterator[Path]:
    """All files that are not hidden, two levels deep."""
    for entry in sorted(folder.iterdir()):
        if entry.is_dir():
            yield from sorted(file for file in entry.iterdir() if not file.name.startswith("."))
        elif not entry.name.startswith("."):
            yield entry


def _refuses(file: Path, name: str, found: Recordings) -> str:
    """Why a file cannot be used."""
    if name not in ours():
        return "no announcement has this name"
    if file.suffix not in KINDS or not file.is_file():
        return "not a sound file"
    if name in found:
        return "a second recording of the same announcement"
    if file.stat().st_size > BYTES_MAX:
        return f"{file.stat().st_size:,} bytes"
    return "" if _has_its_type(file) else "its bytes do not fit its suffix"


def _has_its_type(file: Path) -> bool:
    """Whether a file begins as its type does: only sound leaves the folder, even through a link."""
    _, at, marks = KINDS[file.suffix]
    with file.open("rb") as opened:
        return opened.read(16)[at:].startswith(marks)


def _allowed(name: str) -> str:
    language, _, _ = name.partition("/")
    names = sorted(each.partition("/")[2] for each in ours() if each.startswith(f"{language}/"))
    if not names:
        return "a folder for each language: " + ", ".join(sorted({each.partition("/")[0] for each in ours()}))
    suffixes = ", ".join(kind[1:] for kind in KINDS)
    return f"one file ({suffixes}; at most {BYTES_MAX:,} bytes) for each of {', '.join(names)}"


def _read(file: Path) -> Recording:
    return Recording(file.read_bytes(), KINDS[file.suffix][0])
