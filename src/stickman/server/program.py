"""The identity of the program: the SHA-256 of every file of the package, which shows a change."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import metadata, resources
from pathlib import Path

from msgspec import Struct

PACKAGE = Path(str(resources.files("stickman")))
IGNORED = ("__pycache__",)


class Program(Struct, frozen=True):
    """The program as it is installed."""

    version: str
    sha256: str
    """Of `lines`."""
    files: dict[str, str]
    """By path inside the package, the SHA-256 of its bytes."""

    def lines(self) -> str:
        """`DIGEST  PATH` for each file, as `sha256sum` writes it."""
        return "".join(f"{digest}  {path}\n" for path, digest in self.files.items())


def program(folder: Path = PACKAGE) -> Program:
    """The files of the package as they are now."""
    paths = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not set(path.relative_to(folder).parts) & set(IGNORED)
    )
    files = {path: sha256((folder / path).read_bytes()).hexdigest() for path in paths}
    found = Program(metadata.version("stickman"), "", files)
    return Program(found.version, sha256(found.lines().encode()).hexdigest(), files)


@cache
def program_at_start() -> Program:
    """The files as they were at this process's first call."""
    return program()
