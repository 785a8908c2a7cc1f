"""The tutorial, played again: `python -m tests.sim.tutorial` writes what its commands print and draw now.

A command is a line of a `console` block that begins with `$ stickman`; what it prints follows. A last line `…` is
for more that is not shown. A `python` block after a line that names a file is that file.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from stickman.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "tutorial.md"
MORE = "…"
BLOCK = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
FILE = re.compile(r"`(\w+\.py)`[^\n]*\n+```python\n(.*?)```", re.DOTALL)
IMAGE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")


def fresh(page: str, folder: Path) -> str:
    """The page with what its commands print now, run in this folder."""
    for name, text in FILE.findall(page):
        (folder / name).write_text(text, "utf-8")
    with chdir(folder):
        return BLOCK.sub(lambda block: "".join(f"{line}\n" for line in _played(block[0])), page)


def _played(block: str) -> Iterator[str]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *shown = part.rstrip("\n").splitlines()
        program, *words = shlex.split(command)
        assert program == "stickman", command
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, f"{command}\n{result.output}"
        printed = [line.rstrip() for line in result.stdout.strip("\n").splitlines()]
        yield f"$ {command}"
        yield from [*printed[: len(shown) - 1], MORE] if shown and shown[-1] == MORE else printed


def images(page: str) -> list[str]:
    """The pictures of the page."""
    return IMAGE.findall(page)


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        text = PAGE.read_text("utf-8")
        PAGE.write_text(fresh(text, Path(place)), "utf-8")
        for name in images(text):
            target = PAGE.parent / name
            target.parent.mkdir(exist_ok=True)
            target.write_bytes((Path(place) / name).read_bytes())
