"""A journal in one SQLite file: the default, which needs nothing else.

*Appending.* One thread writes. When it is free, all waiting batches go into one transaction, each in its own
savepoint: they share one wait for the disk, and a bad batch fails without the others. A commit returns when the
data is on disk (write-ahead log, `synchronous=FULL`).

*Reading.* Another thread reads through its own connection, in chunks, and never delays a writer.

*Owning.* Only the epoch gives the right to append. A lock on a file next to the database shows whether the owner is
alive, because the system releases it however a process ends: a waiter that gets the lock takes over at once. An
owner that only stops responding keeps its lock. So the lease in the stream's row expires by the database's clock,
and a waiter takes over by raising the epoch. Only a process that is frozen in the middle of a commit stops all
others: it has the lock of SQLite itself, and appends are `Unavailable` until it wakes or dies.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import apsw

from stickman.store.reading import KEEP_SNAPSHOT, SqlReading
from stickman.store.store import (
    FLOOR,
    BadStore,
    Batch,
    Fenced,
    Head,
    Lease,
    Moved,
    NotAppended,
    StoredSnapshot,
    Taken,
    Unavailable,
    unlike,
)

LIBRARY_MIN = (3, 51, 3)
OURS = int.from_bytes(b"STKM")
"""The `application_id` in our files."""
DURABLE = {"journal_mode": "wal", "synchronous": 2}
"""Without both, a commit may return before the data is on disk (2 is FULL)."""
BUSY_MS = 5_000
"""How long to wait for another process that writes."""
CHECK_NS = 10**8
"""How often to check that the files are still in place."""
FLUSH = 256
"""Maximum number of jobs in one transaction."""
QUICK_NS = 500_000
"""A disk with a shorter flush time is fast."""
LATELY = 8
"""Weight of the last flush in the moving average."""
LEASE_MS = 2_000
RENEWAL = timedelta(milliseconds=500)
POLL = timedelta(milliseconds=50)

ADVANCE = "UPDATE head SET seq = ?, digest = ? WHERE stream = ? AND epoch = ? AND seq = ? AND digest = ?"
RECORD = """
INSERT INTO journal (stream, seq, at_ms, command, actor, body, digest, mac)
    VALUES (?, ?, ?, nullif(?, ''), ?, ?, ?, ?)
ON CONFLICT (stream, command) WHERE command IS NOT NULL DO NOTHING
"""
MOVE = "INSERT INTO move (stream, seq, source, target, cents) VALUES (?, ?, ?, ?, ?)"
CLAIM = "INSERT INTO claim (stream, seq, claim) VALUES (?, ?, ?) ON CONFLICT (claim) DO NOTHING"
GAIN = """
INSERT INTO shared (stream, account, cents) VALUES (?, ?, ?)
ON CONFLICT (account, stream) DO UPDATE SET cents = cents + excluded.cents
"""
TAKE = """
INSERT INTO head (stream, epoch, seq, digest, owner, expires_ms)
    VALUES (?, 1, 0, zeroblob(32), ?, ? + (SELECT now_ms FROM clock))
ON CONFLICT (stream) DO UPDATE SET epoch = epoch + 1, owner = excluded.owner, expires_ms = excluded.expires_ms
    WHERE epoch = ? OR expires_ms <= (SELECT now_ms FROM clock)
RETURNING epoch
"""
OWNED = "SELECT epoch, expires_ms <= now_ms FROM head, clock WHERE stream = ?"
RENEW = """
UPDATE head SET expires_ms = now_ms + ?
FROM clock, json_each(?) AS lease WHERE head.stream = lease.value ->> 0 AND head.epoch = lease.value ->> 1
RETURNING head.stream, head.epoch
"""
RELEASE = "UPDATE head SET expires_ms = 0 WHERE stream = ? AND epoch = ?"
SHAPE = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'"

T = TypeVar("T")
Work = Callable[[apsw.Cursor], T]


# --- Opening ---


async def open_sqlite(path: str, vfs: str | None = None) -> SqliteStore:
    """The store in this file, which is created or brought up to date first."""
    check_library(apsw.sqlite_lib_version())
    try:
        return SqliteStore(*await asyncio.to_thread(connect, path, vfs))
    except (apsw.NotADBError, apsw.CorruptError) as failure:
        raise BadStore(f"{path} is not a journal: {failure}") from failure
    except apsw.Error as failure:
        raise Unavailable(f"the journal {path} cannot be opened: {failure}") from failure


def check_library(version: str) -> None:
    if tuple(map(int, version.split("."))) < LIBRARY_MIN:
        raise BadStore(
            f"SQLite {version} can lose commits (the WAL-reset bug of 3.7.0 to 3.51.2): "
            f"{'.'.join(map(str, LIBRARY_MIN))} or newer is needed"
        )


def connect(path: str, vfs: str | None) -> tuple[apsw.Connection, apsw.Connection]:
    """A connection that writes durably to a journal of our version, and one that reads it."""
    if vfs is None and path != ":memory:" and not Path(path).exists():
        with suppress(OSError):  # opening it gives a better message
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # SQLite's files next to it get its mode
    writing = apsw.Connection(path, vfs=vfs)
    try:
        writing.set_busy_timeout(BUSY_MS)
        migrations = known_migrations()
        applied(writing, len(migrations))  # before any write: leave a foreign file unchanged
        make_durable(writing)
        if applied(writing, len(migrations)) < len(migrations):
            migrate(writing, migrations)
        reading = apsw.Connection(path, apsw.SQLITE_OPEN_READONLY, vfs)
    except BaseException:
        writing.close()
        raise
    reading.set_busy_timeout(BUSY_MS)
    return writing, reading


def known_migrations() -> list[str]:
    found = sorted((files("stickman.store") / "sql" / "sqlite").iterdir(), key=lambda each: each.name)
    return [each.read_text() for each in found]


def make_durable(db: apsw.Connection) -> None:
    for pragma, needed in DURABLE.items():
        db.pragma(pragma, needed)
        if (found := db.pragma(pragma)) != needed:
            raise BadStore(f"{db.filename} cannot be written durably: {pragma} is {found} and must be {needed}")


def applied(db: apsw.Connection, known: int) -> int:
    """How many migrations a file has had; none if it is empty."""
    number, owner, schema = _header(db)
    if owner != OURS and (number or schema):
        with db:  # another process may have made the file between two of these reads
            number, owner, schema = _header(db)
    if owner != OURS and (number or schema):
        raise BadStore(f"{db.filename} is a database of another program")
    if number > known:
        raise BadStore(f"{db.filename} is of a newer program: its schema is {number}, and ours {known}")
    return number


def _header(db: apsw.Connection) -> tuple[int, int, int]:
    number, owner, schema = map(int, map(db.pragma, ("user_version", "application_id", "schema_version")))
    return number, owner, schema


def migrate(db: apsw.Connection, migrations: list[str]) -> None:
    """Apply missing migrations, all or nothing: a failure closes the connection, which rolls back."""
    db.execute("BEGIN IMMEDIATE")
    for migration in migrations[applied(db, len(migrations)) :]:  # another process may have been first
        db.execute(migration)
    db.pragma("application_id", OURS)
    db.pragma("user_version", len(migrations))
    db.execute("COMMIT")


# --- The thread that writes ---


class Job(NamedTuple):
    """Something to write, and the future for its result."""

    work: Work[Any]
    told: asyncio.Future[Any]


class Writer:
    """One thread and its connection. Jobs that wait share a transaction.

    Each side wakes the other through a pipe. A queue's lock and `call_soon_threadsafe` would add 30 to 50 µs to the
    quarter of a millisecond that a bet takes. On a fast disk, even waking the thread takes as long as the commit.
    Then a single job is done at once, in the loop's own thread, once in each turn of the loop.
    """

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db.cursor()
        self._files = [(path, identity(path)) for path in (db.filename, db.filename_wal)]
        self._check_at_ns = 0
        self._asked: deque[Job] = deque()
        self._done: deque[tuple[list[Job], list[object]]] = deque()
        self._wake, self._rouse = os.pipe()
        self._hear, self._call = os.pipe()
        self._closed = False
        self._flushing = threading.Lock()
        """Its holder uses the connection."""
        self._flush_ns = QUICK_NS
        """Recent flush time."""
        self._had_turn = False
        """Whether this turn of the loop has done a job at once; further jobs wait and share a transaction."""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._hear, self._heard)
        self._thread = threading.Thread(target=self._run, name="journal-writer", daemon=True)
        self._thread.start()

    def ask(self, work: Work[T]) -> asyncio.Future[T]:
        """Run this job; it is durable once this returns."""
        if self._closed:
            raise Unavailable("the store is closed")
        told: asyncio.Future[T] = self._loop.create_future()
        job = Job(work, told)
        if not self._done_at_once(job):
            self._asked.append(job)
            os.write(self._rouse, b"!")
        return told

    def _done_at_once(self, job: Job) -> bool:
        """Do a job here and now, if that is fast and the connection is free. A bet at one table is acknowledged in
        570 µs instead of 722 (`bench/acknowledged.py`, medians of nine runs in turns)."""
        if (
            self._had_turn
            or self._asked
            or self._flush_ns >= QUICK_NS
            or not self._flushing.acquire(blocking=False)
        ):
            return False
        self._had_turn = True
        self._loop.call_soon(self._next_turn)
        connection = self._db.connection
        try:
            connection.set_busy_timeout(0)  # the loop never waits for another process
            outcomes = self._flush([job])
        finally:
            connection.set_busy_timeout(BUSY_MS)
            self._flushing.release()
        if isinstance(outcomes[0], Unavailable):
            return False  # the thread tries again, and may wait
        tell([job], outcomes)
        return True

    def _next_turn(self) -> None:
        self._had_turn = False

    async def close(self) -> None:
        """Finish all waiting jobs, then release the database."""
        if self._closed:
            return
        self._closed = True
        os.write(self._rouse, b"!")
        await asyncio.to_thread(self._thread.join)
        self._tell()
        self._loop.remove_reader(self._hear)
        for end in self._wake, self._rouse, self._hear, self._call:
            os.close(end)

    def _run(self) -> None:
        while self._asked or not self._closed:
            os.read(self._wake, 4096)
            while self._asked:
                jobs = [self._asked.popleft()]
                while self._asked and len(jobs) < FLUSH:
                    jobs.append(self._asked.popleft())
                with self._flushing:
                    outcomes = self._flush(jobs)
                self._done.append((jobs, outcomes))
                os.write(self._call, b"!")
        self._db.connection.close()

    def _heard(self) -> None:
        os.read(self._hear, 4096)
        self._tell()

    def _tell(self) -> None:
        """Answer all callers."""
        while self._done:
            tell(*self._done.popleft())

    def _flush(self, jobs: list[Job]) -> list[object]:
        """The result of each job, or why it failed."""
        began_ns = time.monotonic_ns()
        try:
            return self._written(jobs)
        finally:
            self._flush_ns += (time.monotonic_ns() - began_ns - self._flush_ns) // LATELY

    def _written(self, jobs: list[Job]) -> list[object]:
        db = self._db
        try:
            self._check_files()
            db.execute("BEGIN IMMEDIATE")
            if len(jobs) == 1:
                outcomes = [attempt(jobs[0].work, db)]
                db.execute("ROLLBACK" if isinstance(outcomes[0], Exception) else "COMMIT")
            else:
                outcomes = [attempt_apart(job.work, db) for job in jobs]
                db.execute("COMMIT")
        except (apsw.Error, OSError) as failure:
            if db.connection.in_transaction:
                with suppress(apsw.Error):
                    db.execute("ROLLBACK")
            return [Unavailable(f"the journal {db.connection.filename} cannot be written: {failure}") for _ in jobs]
        return outcomes

    def _check_files(self) -> None:
        """SQLite keeps writing to a file that was deleted or replaced, and that data would be lost.

        Not at each flush: reading the log's times makes the next commit a third slower, because it must write them.
        """
        now = time.monotonic_ns()
        if now < self._check_at_ns:
            return
        for path, opened in self._files:
            if identity(path) != opened:
                raise FileNotFoundError(f"{path} is not the file that was opened")
        self._check_at_ns = now + CHECK_NS


def tell(jobs: list[Job], outcomes: list[object]) -> None:
    for job, outcome in zip(jobs, outcomes, strict=True):
        if job.told.done():
            continue  # the caller has left
        if isinstance(outcome, Exception):
            job.told.set_exception(outcome)
        else:
            job.told.set_result(outcome)


def identity(path: str) -> tuple[int, int]:
    found = Path(path).stat()
    return found.st_dev, found.st_ino


def attempt(work: Work[object], db: apsw.Cursor) -> object:
    try:
        return work(db)
    except Exception as failure:
        if isinstance(failure, apsw.Error) and not isinstance(failure, apsw.ConstraintError):
            raise  # it is the database that fails, not the job
        return failure


def attempt_apart(work: Work[object], db: apsw.Cursor) -> object:
    db.execute("SAVEPOINT job")
    outcome = attempt(work, db)
    if isinstance(outcome, Exception):
        db.execute("ROLLBACK TO job")
    db.execute("RELEASE job")
    return outcome


# --- What is written ---


def append(batch: Batch, db: apsw.Cursor) -> Head:
    end = batch.entries[-1].record.head
    db.execute(ADVANCE, (*end, batch.stream, batch.epoch, *batch.after))
    if not db.connection.changes():
        raise refusal(batch, db)
    for record, moves, claims, shared in batch.entries:
        db.execute(RECORD, record)
        if not db.connection.changes():
            raise Taken(f"command:{record.command}")
        for move in moves:
            db.execute(MOVE, (record.stream, record.seq, *move))
        for claim in claims:
            db.execute(CLAIM, (record.stream, record.seq, claim))
            if not db.connection.changes():
                raise Taken(claim)
        for account, cents in shared:
            db.execute(GAIN, (record.stream, account, cents))
    return end


def refusal(batch: Batch, db: apsw.Cursor) -> NotAppended:
    """Why the head of a stream did not advance."""
    found = db.execute("SELECT epoch, seq FROM head WHERE stream = ?", (batch.stream,)).get
    epoch, seq = found or (0, 0)
    if not found or epoch != batch.epoch:
        return Fenced(f"stream {batch.stream} is at epoch {epoch}, not {batch.epoch}")
    return Moved(f"stream {batch.stream} ends at record {seq}, and not where the batch begins")


def take(stream: int, owner: str, dead: int | None, db: apsw.Cursor) -> int | None:
    """A new epoch of a stream, if its owner is that of the epoch known to be dead, or its lease has run out."""
    epoch: int | None = db.execute(TAKE, (stream, owner, LEASE_MS, dead)).get
    return epoch


def renew(leases: list[tuple[int, int]], db: apsw.Cursor) -> set[tuple[int, int]]:
    """Renew the leases of these streams and epochs; those that are still valid."""
    return set(db.execute(RENEW, (LEASE_MS, json.dumps(leases))))


def release(stream: int, epoch: int, db: apsw.Cursor) -> None:
    db.execute(RELEASE, (stream, epoch))


def keep(snapshot: StoredSnapshot, db: apsw.Cursor) -> None:
    db.execute(sqlite_sql(KEEP_SNAPSHOT), (snapshot.stream, *snapshot.head, snapshot.body))


# --- What is read ---


def sqlite_sql(sql: str) -> str:
    """SQL that both databases share, as SQLite writes it: `?1` for `$1`."""
    return sql.replace("$", "?")


def compare(db: apsw.Cursor) -> list[str]:
    """What differs between a file's schema and the one that the migrations make."""
    with closing(apsw.Connection(":memory:")) as fresh:
        for migration in known_migrations():
            fresh.execute(migration)
        should = {row[:2]: row[2:] for row in fresh.execute(SHAPE)}
    found = {row[:2]: row[2:] for row in db.execute(SHAPE)}
    return unlike(found, should)


def copy(source: str, target: str) -> None:
    """Copy the state of a journal at one moment; in WAL mode that does not delay writers."""
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # a backup overwrites nothing
    try:
        with (
            closing(apsw.Connection(source, apsw.SQLITE_OPEN_READONLY)) as here,
            closing(apsw.Connection(target)) as there,
            there.backup("main", here, "main") as backup,
        ):
            backup.step()
    except BaseException:
        Path(target).unlink()
        raise


# --- The lock that dies with its process ---


def lock(path: str) -> int | None:
    """A descriptor that has this lock until it is closed; none while another process has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), Path(path).stat()):
            return descriptor
    except BlockingIOError:
        pass
    os.close(descriptor)  # another process has it, or has replaced the file
    return None


def lock_anew(path: str, epoch: int) -> int:
    """Take the lock of an owner that stopped responding: a new file replaces the one that it has locked."""
    descriptor = lock(f"{path}.{epoch}")
    assert descriptor is not None, "an epoch is taken once"
    Path(f"{path}.{epoch}").replace(path)
    return descriptor


@dataclass(eq=False)
class SqliteLease:
    """A lease, and the lock that shows that its owner is alive."""

    stream: int
    epoch: int
    lock: int
    lost: bool = False


# --- The store ---


class SqliteStore(SqlReading):
    """A `Store` in a SQLite file."""

    def __init__(self, writing: apsw.Connection, reading: apsw.Connection) -> None:
        self._file = writing.filename
        self._writer = Writer(writing)
        self._reading = reading.cursor()
        self._reader = ThreadPoolExecutor(1, "journal-reader")
        self._leases: set[SqliteLease] = set()
        self._heart: asyncio.Task[None] | None = None
        self._closed = False

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            if self._heart:
                self._heart.cancel()
            # Close the reader first: the last connection to close writes the log into the database.
            self._reader.submit(self._reading.connection.close)
            await asyncio.to_thread(self._reader.shutdown)
        await self._writer.close()

    async def backup(self, path: str) -> None:
        """Copy the current journal to a new file while writing continues."""
        try:
            await asyncio.to_thread(copy, self._file, path)
        except (apsw.Error, OSError) as failure:
            raise Unavailable(f"the journal {self._file} cannot be copied to {path}: {failure}") from failure

    # --- Owning ---

    @asynccontextmanager
    async def own(self, stream: int, owner: str) -> AsyncIterator[Lease]:
        assert stream != FLOOR, "nobody owns the floor"
        lease = await self._take(stream, owner)
        self._leases.add(lease)
        self._heart = self._heart or asyncio.create_task(self._beat())
        try:
            yield lease
        finally:
            self._leases.remove(lease)
            try:
                with suppress(Unavailable):  # then only the lock shows it
                    await self._writer.ask(partial(release, stream, lease.epoch))
            finally:
                os.close(lease.lock)

    async def _take(self, stream: int, owner: str) -> SqliteLease:
        """Wait until the last owner has left, is dead, or has not renewed its lease in time."""
        path = f"{self._file}.stream-{stream}.lock"
        try:
            while (lease := await self._try_to_take(stream, owner, path)) is None:  # noqa: ASYNC110 - no event tells
                await asyncio.sleep(POLL.total_seconds())
        except OSError as failure:
            raise Unavailable(f"stream {stream} cannot be owned: {failure}") from failure
        return lease

    async def _try_to_take(self, stream: int, owner: str, path: str) -> SqliteLease | None:
        [(epoch, silent)] = await self._select(OWNED, stream) or [(0, False)]
        held, taken = lock(path), None
        try:
            if held is not None or silent:
                dead = None if held is None else epoch  # the epoch we read earlier; a newer owner is alive
                taken = await self._writer.ask(partial(take, stream, owner, dead))
        finally:
            if held is not None and taken is None:
                os.close(held)
        if taken is None:
            return None
        return SqliteLease(stream, taken, lock_anew(path, taken) if held is None else held)

    async def _beat(self) -> None:
        """Renew all leases together, again and again."""
        while True:
            await asyncio.sleep(RENEWAL.total_seconds())
            leases = {(lease.stream, lease.epoch): lease for lease in self._leases if not lease.lost}
            if leases:
                with suppress(Unavailable):  # the next renewal may succeed; otherwise the leases expire
                    kept = await self._writer.ask(partial(renew, list(leases)))
                    for key in leases.keys() - kept:
                        leases[key].lost = True

    # --- Writing ---

    async def append(self, batch: Batch) -> Head:
        batch.check()
        told = self._writer.ask(partial(append, batch))
        if told.done():
            await asyncio.sleep(0)  # let others run: their requests share a transaction
        return await told

    async def keep_snapshot(self, snapshot: StoredSnapshot) -> None:
        await self._writer.ask(partial(keep, snapshot))

    # --- Reading ---

    async def _read(self, work: Work[T]) -> T:
        if self._closed:
            raise Unavailable("the store is closed")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reader, work, self._reading)
        except apsw.Error as failure:
            raise Unavailable(f"the journal {self._file} cannot be read: {failure}") from failure

    async def _select(self, sql: str, *values: int | str) -> list[Any]:
        return await self._read(lambda db: list(db.execute(sqlite_sql(sql), values)))

    async def schema_faults(self) -> list[str]:
        return await self._read(compare)
