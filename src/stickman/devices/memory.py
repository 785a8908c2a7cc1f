"""What survives the program: one SQLite file for all devices of a process.

For each device it has the token, the number of starts, the next number of a report, the peripheral's own memory,
and the reports that the server has not acknowledged (*unheard*: it may have received them). It is written ahead
(WAL), because that costs one fsync for each commit where a rollback journal costs three. The file is locked while
it is open: two programs must not drive one device.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from stickman.devices.keeper import Commit
from stickman.devices.peripheral import OF_ENROLMENT
from stickman.devices.signals import TOLD_AGAIN, Report

M = TypeVar("M", bound=Struct)
VERSION = 1
SCHEMA = """
CREATE TABLE device (
    name TEXT PRIMARY KEY,
    token TEXT NOT NULL DEFAULT '',
    code TEXT NOT NULL DEFAULT '',
    place TEXT NOT NULL DEFAULT '',
    boots INTEGER NOT NULL DEFAULT 0,
    next_seq INTEGER NOT NULL DEFAULT 1,
    memory BLOB NOT NULL DEFAULT x'7b7d'
) STRICT;
CREATE TABLE report (
    device TEXT NOT NULL,
    seq INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (device, seq)
) STRICT, WITHOUT ROWID;
"""
PRIVATE = 0o600
SHOWN_MAX = 20
"""Reports that an error message lists."""
CODES_KEPT = 16
"""Spent codes of a device: a configuration may still have one of them."""


class BadMemory(Exception):
    """The file cannot be used: what was found, and what is allowed."""


class StillUnheard(Exception):
    """The device has reports that the server has not acknowledged. Another enrolment must not send them again,
    because then money might be credited twice."""

    def __init__(self, name: str, reports: Sequence[Report]) -> None:
        self.tags = [str(report.signal.__struct_config__.tag) for report in reports]
        """For logs: neither numbers of tickets nor amounts."""
        shown = ", ".join(msgspec.json.encode(report).decode() for report in reports[:SHOWN_MAX])
        super().__init__(
            f"{name}: found {len(reports)} reports that the server has not acknowledged; allowed: none. Settle "
            f"them by hand and discard them: {shown}"
        )


class Remembered(Struct, frozen=True):
    """One device, as it is found at a start."""

    token: str
    place: str
    """Where the server says that it is."""
    boot: str
    next_seq: int
    memory: bytes
    unheard: tuple[Report, ...]

    def memory_as(self, kind: type[M]) -> M:
        return msgspec.json.decode(self.memory, type=kind)


class DeviceMemory:
    """It belongs to one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE))
        path.chmod(PRIVATE)
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
        try:
            self._open()
        except sqlite3.Error as problem:
            self._db.close()
            raise BadMemory(
                f"{path}: found {problem}; allowed: a memory of devices that no other program has open"
            ) from None

    def _open(self) -> None:
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        with self._transaction():
            [version] = self._db.execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in SCHEMA.split(";\n"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {VERSION}")
            elif version != VERSION:
                raise sqlite3.DatabaseError(f"version {version}, where this program writes version {VERSION}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def close(self) -> None:
        self._db.close()

    def begin(self, name: str) -> Remembered:
        """A new start of this device. `boot` is the number of the start and random digits: if the file is lost, the
        numbers begin again, and no `boot` may come twice."""
        with self._transaction():
            self._db.execute("INSERT OR IGNORE INTO device (name) VALUES (?)", (name,))
            self._db.execute("UPDATE device SET boots = boots + 1 WHERE name = ?", (name,))
            token, place, boots, next_seq, memory = self._db.execute(
                "SELECT token, place, boots, next_seq, memory FROM device WHERE name = ?", (name,)
            ).fetchone()
            unheard = self._reports(name)
        boot = f"{boots % 16**8:08x}{secrets.token_hex(4)}"
        return Remembered(token, place, boot, next_seq, memory, unheard)

    def _reports(self, name: str) -> tuple[Report, ...]:
        """The reports that the server has not acknowledged."""
        rows = self._db.execute("SELECT body FROM report WHERE device = ? ORDER BY seq", (name,)).fetchall()
        try:
            return tuple(msgspec.json.decode(body, type=Report) for (body,) in rows)
        except msgspec.DecodeError as problem:
            raise BadMemory(
                f"{self._path}: {name}: found a report that cannot be read ({problem}); allowed: reports of this "
                "version or an earlier one"
            ) from None

    def commit(self, commits: Iterable[tuple[str, Commit]]) -> None:
        """Store what a turn of each device changed, by its name, all together or not at all."""
        with self._transaction():
            for name, commit in commits:
                self._db.execute("DELETE FROM report WHERE device = ? AND seq <= ?", (name, commit.heard))
                self._db.executemany(
                    "INSERT INTO report (device, seq, body) VALUES (?, ?, ?)",
                    [(name, report.seq, msgspec.json.encode(report)) for report in commit.reports],
                )
                self._db.execute(
                    "UPDATE device SET next_seq = ?, memory = ? WHERE name = ?",
                    (commit.next_seq, msgspec.json.encode(commit.memory), name),
                )

    # --- Enrolment ---

    def needs_enrolment(self, name: str, code: str) -> bool:
        """Whether the device has no token, or this code was not tried yet."""
        return not self.has_token(name) or bool(code and _digest(code) not in self._spent(name))

    def has_token(self, name: str) -> bool:
        row = self._db.execute("SELECT token FROM device WHERE name = ?", (name,)).fetchone()
        return bool(row and row[0])

    def _spent(self, name: str) -> list[str]:
        """The hashes of its codes that can enrol nothing more, the newest last."""
        row = self._db.execute("SELECT code FROM device WHERE name = ?", (name,)).fetchone()
        return row[0].split() if row else []

    def spend(self, name: str, code: str) -> None:
        """Note that the server does not take a code, so that it is not tried at every start."""
        with self._transaction():
            self._spend(name, code)

    def _spend(self, name: str, code: str) -> None:
        spent = [*self._spent(name), _digest(code)][-CODES_KEPT:]
        self._db.execute("UPDATE device SET code = ? WHERE name = ?", (" ".join(spent), name))

    def store_enrolment(self, name: str, code: str, token: str, place: str) -> None:
        """Store the token. For the server this is a new device, so its numbers and all that belongs to its
        enrolment begin again. Raises `StillUnheard`."""
        self.check_heard(name)
        with self._transaction():
            self._db.execute("INSERT OR IGNORE INTO device (name) VALUES (?)", (name,))
            [memory] = self._db.execute("SELECT memory FROM device WHERE name = ?", (name,)).fetchone()
            parts = msgspec.json.decode(memory, type=dict[str, msgspec.Raw])
            for part in OF_ENROLMENT:
                parts.pop(part, None)
            self._spend(name, code)
            self._db.execute("DELETE FROM report WHERE device = ?", (name,))
            self._db.execute(
                "UPDATE device SET token = ?, place = ?, next_seq = 1, memory = ? WHERE name = ?",
                (token, place, msgspec.json.encode(parts), name),
            )

    def check_heard(self, name: str) -> None:
        """Raises `StillUnheard`, unless the server can ask for all that it has not heard."""
        reports = [report for report in self._reports(name) if not isinstance(report.signal, TOLD_AGAIN)]
        if reports:
            raise StillUnheard(name, reports)

    def discard(self, name: str) -> None:
        """Forget the reports that the server has not acknowledged. Whether it has credited them must be checked by
        hand."""
        with self._transaction():
            self._db.execute("DELETE FROM report WHERE device = ?", (name,))


def _digest(code: str) -> str:
    return sha256(code.encode()).hexdigest()
