"""The sound files of the announcements: those of the program, and a casino's own recordings in their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from stickman.rules.datafile import BadFile

BYTES_MAX = 500_000
"""How long one recording may be: five seconds that are not compressed."""
KINDS = {
    ".opus": ("audio/ogg", 0, (b"OggS",)),
    ".ogg": ("audio/ogg", 0, (b"OggS",)),
    ".mp3": ("audio/mpeg", 0, (b"ID3", b"\xff\xfb", b"\xff\xfa", b"\xff\xf3", b"\xff\xf2")),
    ".m4a": ("audio/mp4", 4, (b"ftyp",)),
    ".wav": ("audio/wav", 0, (b"RIFF",)),
}
"""By suffix, what a file is, and where it has which bytes, by which it is known."""
OURS = Path(str(resources.files("stickman") / "sounds"))


class Recording(NamedTuple):
    """A sound file as it is served."""

    content: bytes
    media_type: str

    @property
    def tag(self) -> str:
        """Names these very bytes, for who asks whether theirs are still the ones."""
        return f'"{sha256(self.content).hexdigest()[:32]}"'


Recordings = Mapping[str, Recording]
"""By language and announcement: `en/seven_out`."""


@cache
def ours() -> Recordings:
    """Every announcement in every language: no other name is ever served."""
    return {f"{file.parent.name}/{file.stem}": _read(file) for file in sorted(OURS.glob("*/*.opus"))}


def recordings_in(folder: Path, config: str) -> Recordings:
    """A casino's own, named as ours: `en/seven_out.mp3`. All are read here, once; `BadFile` names the configuration
    where something in the folder cannot be used."""
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
    """All that is not hidden, two levels down."""
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
        return "no sound file"
    if name in found:
        return "a second recording of the same announcement"
    if file.stat().st_size > BYTES_MAX:
        return f"{file.stat().st_size:,} bytes"
    return "" if _is_what_it_says(file) else "its bytes are not what its name says"


def _is_what_it_says(file: Path) -> bool:
    """Whether a file begins as its kind does: only sound leaves the folder, wherever a link in it leads."""
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
