"""A disk whose power can be cut: a SQLite file system which remembers what was synced and what only written.

Until a file is synced, each of its sectors may hold, after the cut, what it held at the last sync or what any later
write put there: writes are lost, torn and out of order. Files are also written through, so that a store runs on it
as on any other disk.
"""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import apsw

SECTOR = 512
numbers = itertools.count()


@dataclass
class Platter:
    """One file: what is safe, and what was written since, in order; a truncation is `None` at its length."""

    synced: bytes = b""
    written: list[tuple[int, bytes | None]] = field(default_factory=list)

    def sync(self) -> None:
        self.synced = self.after(lambda: True)
        self.written.clear()

    def after(self, is_kept: Callable[[], bool]) -> bytes:
        """What the file holds if of all that was written since the last sync only some sectors are kept."""
        held = bytearray(self.synced)
        for offset, data in self.written:
            if data is None:
                if is_kept():
                    held[offset:] = bytes(max(0, offset - len(held)))
                continue
            for begin, end in sectors(offset, offset + len(data)):
                if is_kept():
                    held.extend(bytes(max(0, begin - len(held))))
                    held[begin:end] = data[begin - offset : end - offset]
        return bytes(held)


def sectors(begin: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a range that are within one sector each."""
    while begin < end:
        border = min(end, (begin // SECTOR + 1) * SECTOR)
        yield begin, border
        begin = border


class Disk(apsw.VFS):
    """The file system. `failure` is raised by each write while it is set; `syncs` counts."""

    def __init__(self) -> None:
        self.name = f"disk-{next(numbers)}"
        self.platters: defaultdict[str, Platter] = defaultdict(Platter)
        self.failure: type[apsw.Error] | None = None
        self.syncs = 0
        self._operations_left = 0
        self._at_cut: Callable[[], None] | None = None
        super().__init__(self.name, "")

    def cut_after(self, operations: int, at_cut: Callable[[], None]) -> None:
        """Call this once so many further writes and syncs are done, before the next one."""
        self._operations_left, self._at_cut = operations, at_cut

    def image(self, rng: random.Random) -> dict[str, bytes]:
        """What each file holds if the power is cut now, by its name."""
        kept = rng.choice([0, 0.1, 0.5, 0.9, 1])
        return {Path(path).name: each.after(lambda: rng.random() < kept) for path, each in self.platters.items()}

    def operate(self) -> None:
        if self.failure:
            raise self.failure("as the test asked")
        if self._at_cut and self._operations_left == 0:
            at_cut, self._at_cut = self._at_cut, None
            at_cut()
        self._operations_left -= 1

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - SQLite's
        return DiskFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802 - SQLite's
        self.platters.pop(filename, None)
        super().xDelete(filename, syncdir)


class DiskFile(apsw.VFSFile):
    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self.disk = disk
        self.path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's
        self.disk.operate()
        super().xWrite(data, offset)
        self.disk.platters[self.path].written.append((offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - SQLite's
        self.disk.operate()
        super().xTruncate(newsize)
        self.disk.platters[self.path].written.append((newsize, None))

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's
        self.disk.operate()
        super().xSync(flags)
        self.disk.platters[self.path].sync()
        self.disk.syncs += 1


@contextmanager
def disk() -> Iterator[Disk]:
    """A disk to open stores on: `open_sqlite(path, disk.name)`."""
    mounted = Disk()
    try:
        yield mounted
    finally:
        mounted.unregister()
