"""Which program this is: the SHA-256 of every file of the package, for whoever must know that nobody changed it."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import metadata, resources
from pathlib import Path

from msgspec import Struct

PACKAGE = Path(str(resources.files("stickman")))
PASSED_OVER = ("__pycache__",)


class Program(Struct, frozen=True):
    """The program as it is installed."""

    version: str
    sha256: str
    """Of the lines `DIGEST  PATH` below, as `sha256sum` writes them."""
    files: dict[str, str]
    """By path inside the package, the SHA-256 of its bytes."""

    def lines(self) -> str:
        return "".join(f"{digest}  {path}\n" for path, digest in self.files.items())


def program(folder: Path = PACKAGE) -> Program:
    """Read all files of the package and hash them, as they are now."""
    paths = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not set(path.relative_to(folder).parts) & set(PASSED_OVER)
    )
    files = {path: sha256((folder / path).read_bytes()).hexdigest() for path in paths}
    found = Program(metadata.version("stickman"), "", files)
    return Program(found.version, sha256(found.lines().encode()).hexdigest(), files)


@cache
def program_at_start() -> Program:
    """The program as it was when this process first asked."""
    return program()
