"""A file of finished pieces, so that an interrupted run continues where it stopped.

Each finished piece is a line, appended and flushed to disk. The first line binds the file to one run: the game, the
code of each strategy, the terms, the seed and the number of sessions. A line that was cut short or does not match
its digest is ignored, and its piece is played again.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from hashlib import sha256
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING

from stickman.sim.compare import Comparison
from stickman.sim.strategy import Unplayable

if TYPE_CHECKING:
    from stickman.sim.run import Lab

Piece = tuple[int, int]
"""The first session of a piece, and the one after its last."""


class WrongLedger(Unplayable):
    """Not a ledger of this run: what was found, and what is allowed."""


class Ledger:
    """The finished pieces of one run, in a file."""

    def __init__(self, file: Path | str) -> None:
        self.file = Path(file)

    def open(self, labs: Sequence[Lab], sessions: int, piece: int) -> dict[Piece, Comparison]:
        """The finished pieces of this run. Another run's file is refused."""
        header = json.dumps({"stickman": "ledger", "run": fingerprint(labs, sessions, piece)}).encode() + b"\n"
        try:
            found = self.file.read_bytes() if self.file.exists() else b""
        except OSError as problem:
            raise WrongLedger(f"ledger {self.file} cannot be read: {problem.strerror}") from None
        if header.startswith(found):  # new, or its first line was cut short
            self._append(header, over=True)
            return {}
        first, *lines = found.splitlines(keepends=True)
        if first != header:
            raise WrongLedger(
                f"ledger {self.file} is {_whose(first)}; allowed: a new file, or the ledger of the same game, "
                "strategies, terms, seed and number of sessions"
            )
        if not found.endswith(b"\n"):
            self._append(b"\n")
        return dict(filter(None, map(_piece, lines)))

    def write(self, piece: Piece, found: Comparison) -> None:
        line = {"first": piece[0], "last": piece[1], "digest": found.digest(), **found.plain()}
        self._append(json.dumps(line, separators=(",", ":")).encode() + b"\n")

    def _append(self, line: bytes, *, over: bool = False) -> None:
        try:
            with self.file.open("wb" if over else "ab") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as problem:
            raise WrongLedger(f"ledger {self.file} cannot be written: {problem.strerror}") from None


def _whose(header: bytes) -> str:
    try:
        kind = json.loads(header)["stickman"]
    except (ValueError, TypeError, KeyError):
        return "not the ledger of a simulation"
    return "the ledger of another run" if kind == "ledger" else "not the ledger of a simulation"


def _piece(line: bytes) -> tuple[Piece, Comparison] | None:
    """A finished piece; none if its line is damaged."""
    try:
        plain = json.loads(line)
        found = Comparison.restored(plain)
        return ((plain["first"], plain["last"]), found) if found.digest() == plain["digest"] else None
    except (ValueError, TypeError, KeyError):
        return None


# --- Which run it is ---


def fingerprint(labs: Sequence[Lab], sessions: int, piece: int) -> str:
    """Equal for the same run in any process. A strategy is identified by its content, not only by its name."""
    players = [
        (lab.layout.fingerprint, lab.strategy.name, _made_of(lab.strategy.habits, frozenset()), *lab[2:])
        for lab in labs
    ]
    return sha256(repr((players, sessions, piece)).encode()).hexdigest()


def _made_of(value: object, inside: frozenset[int]) -> object:
    """A value as plain text and tuples; functions by their code, their closures and the functions they call."""
    if id(value) in inside:  # a function that calls itself
        return "again"
    part = functools.partial(_made_of, inside=inside | {id(value)})
    match value:
        case FunctionType():
            closed = [cell.cell_contents for cell in value.__closure__ or ()]
            called = [
                (name, value.__globals__[name]) for name in _names(value.__code__) if name in value.__globals__
            ]
            return value.__qualname__, *map(part, (value.__code__, value.__defaults__, closed, called))
        case CodeType():
            return value.co_code.hex(), value.co_names, *map(part, value.co_consts)
        case Mapping():
            return sorted(repr((part(key), part(each))) for key, each in value.items())
        case AbstractSet():
            return sorted(repr(part(each)) for each in value)
        case None | bool() | int() | float() | str() | bytes():
            return repr(value)
        case type() | ModuleType():
            return value.__name__
        case list() | tuple():
            return tuple(map(part, value))
    if is_dataclass(value):
        return type(value).__qualname__, tuple(part(getattr(value, each.name)) for each in fields(value))
    return type(value).__qualname__, part(getattr(value, "__dict__", {}))


def _names(code: CodeType) -> Iterable[str]:
    """The names that a function and those inside it look up."""
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _names(each)
