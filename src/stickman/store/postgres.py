"""A journal in PostgreSQL, for a floor of many tables on many machines.

*Appending.* One statement, and so one commit, writes all waiting batches. It advances each head that is where its
batch begins, under the epoch of its lease, and inserts only what belongs to those streams: fence and append are one
step. Each lane has one such flush in progress.

*Owning.* Only the epoch gives the right to append. The owner of a stream has its advisory lock. Waiters queue for
the lock, each on its own session: when the owner dies, its session ends, and the server gives the lock to the next
waiter at once. An owner that only stops responding keeps its session. But its lease, a time in the stream's row,
expires by the database's clock, and then a waiter takes over by raising the epoch.

So a process needs a session for each stream that it owns or waits for, and five more; `max_connections` of the
server must allow for them. A connection pooler must not share sessions.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import timedelta
from importlib.resources import files
from typing import NamedTuple, Self

import asyncpg
from asyncpg import Connection, Pool
from asyncpg.pool import PoolConnectionProxy

from stickman.store.postgres_shape import differences
from stickman.store.reading import KEEP_SNAPSHOT, SqlReading
from stickman.store.store import (
    FLOOR,
    BadStore,
    Batch,
    Fenced,
    Head,
    Moved,
    NotAppended,
    StoredSnapshot,
    Taken,
    Unavailable,
)

LANES = 2
"""While one flush waits for the disk, the next one is sent; more lanes were not faster."""
FLUSH = 256
"""Maximum number of batches in one statement."""
LEASE = timedelta(seconds=2)
RENEWAL = timedelta(milliseconds=500)
GRACE = timedelta(milliseconds=100)
"""Grace period: after a lease expires, other waiters let the first in the queue take it."""
PATIENCE_S = 8
"""How long to wait for an answer. The server gives up sooner, so this is for a server that is gone."""
LOCKS = 0x7374696B
"""The first key of our advisory locks; the second is the stream. Nobody owns the floor: its lock guards opening."""

SETTINGS = {
    "application_name": "stickman",
    "default_transaction_isolation": "read committed",  # the fence checks again a row that it had to wait for
    "jit": "off",
    "statement_timeout": "5000",
    "synchronous_commit": "on",
}
REQUIRED = {
    "fsync": ("on", "a power cut would lose records that were acknowledged"),
    "full_page_writes": ("on", "a power cut would tear pages of the journal"),
    "server_encoding": ("UTF8", "it could not keep every text"),
}
UNREACHABLE = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.PostgresConnectionError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.InsufficientPrivilegeError,
    asyncpg.InsufficientResourcesError,
    asyncpg.OperatorInterventionError,
    asyncpg.PostgresSystemError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.TransactionRollbackError,
)

APPEND = """
WITH advanced AS (
    UPDATE head SET seq = batch.seq, digest = batch.digest, expires = clock_timestamp() + $1::interval
    FROM unnest($2::integer[], $3::bigint[], $4::bigint[], $5::bytea[], $6::bigint[], $7::bytea[])
        AS batch (stream, epoch, after_seq, after_digest, seq, digest)
    WHERE head.stream = batch.stream AND head.epoch = batch.epoch
        AND head.seq = batch.after_seq AND head.digest = batch.after_digest
    RETURNING head.stream
), records AS (
    INSERT INTO journal (stream, seq, at_ms, command, actor, body, digest, mac)
    SELECT stream, record.seq, at_ms, nullif(command, ''), actor, body, record.digest, mac
    FROM unnest(
        $8::integer[], $9::bigint[], $10::bigint[], $11::text[], $12::text[],
        $13::bytea[], $14::bytea[], $15::bytea[]
    ) AS record (stream, seq, at_ms, command, actor, body, digest, mac) JOIN advanced USING (stream)
), moves AS (
    INSERT INTO move (stream, seq, source, target, cents)
    SELECT move.*
    FROM unnest($16::integer[], $17::bigint[], $18::text[], $19::text[], $20::bigint[])
        AS move (stream, seq, source, target, cents) JOIN advanced USING (stream)
), claims AS (
    INSERT INTO claim (stream, seq, claim)
    SELECT claim.*
    FROM unnest($21::integer[], $22::bigint[], $23::text[])
        AS claim (stream, seq, claim) JOIN advanced USING (stream)
    ORDER BY claim COLLATE "C"  -- two flushes that want the same claims wait for each other in one order
), gains AS (
    INSERT INTO shared (stream, account, cents)
    SELECT gain.stream, gain.account, sum(gain.cents)
    FROM unnest($24::integer[], $25::text[], $26::bigint[]) AS gain (stream, account, cents)
        JOIN advanced USING (stream)
    GROUP BY gain.stream, gain.account
    ON CONFLICT (account, stream) DO UPDATE SET cents = shared.cents + excluded.cents
)
SELECT stream FROM advanced
"""

# The same for one record that moves money once and claims nothing.
APPEND_BET = """
WITH advanced AS (
    UPDATE head SET seq = $6, digest = $7, expires = clock_timestamp() + $1::interval
    WHERE stream = $2 AND epoch = $3 AND seq = $4 AND digest = $5
    RETURNING stream
), record AS (
    INSERT INTO journal (stream, seq, at_ms, command, actor, body, digest, mac)
    SELECT stream, $6, $8, nullif($9, ''), $10, $11, $7, $15 FROM advanced
), moved AS (
    INSERT INTO move (stream, seq, source, target, cents) SELECT stream, $6, $12, $13, $14 FROM advanced
)
SELECT stream FROM advanced
"""

TAKEN = """
SELECT 'command:' || command AS key FROM journal WHERE stream = $1 AND command = ANY($2)
UNION ALL
SELECT claim FROM claim WHERE claim = ANY($3)
"""

LEASED = "SELECT epoch, greatest(expires - clock_timestamp(), '0') AS remaining FROM head WHERE stream = $1"

TAKE = """
WITH taken AS (
    UPDATE head SET epoch = epoch + 1, owner = $2, expires = clock_timestamp() + $3::interval
    WHERE stream = $1 AND (epoch = $4 OR expires <= clock_timestamp())
    RETURNING epoch
)
SELECT head.epoch, greatest(expires - clock_timestamp(), '0') AS remaining, taken.epoch AS taken
FROM head LEFT JOIN taken ON true WHERE stream = $1
"""

# Skip a locked row: its holder appends, which also renews the lease, or takes over.
RENEW = """
WITH lease AS (
    SELECT * FROM unnest($1::integer[], $2::bigint[]) AS lease (stream, epoch)
), held AS (
    SELECT stream FROM head JOIN lease USING (stream, epoch) FOR UPDATE OF head SKIP LOCKED
), renewed AS (
    UPDATE head SET expires = clock_timestamp() + $3::interval FROM held WHERE head.stream = held.stream
)
SELECT stream, lease.epoch FROM head JOIN lease USING (stream) WHERE head.epoch > lease.epoch
"""

RELEASE = "UPDATE head SET owner = '', expires = clock_timestamp() WHERE stream = $1 AND epoch = $2"
NOBODY = -1
"""No epoch."""

END_HOLDER = """
SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE locktype = 'advisory' AND datname = current_database() AND objsubid = 2 AND granted
    AND classid::bigint = $1 AND objid::bigint = $2 AND pid <> $3
"""


# --- Opening ---


async def open_postgres(url: str) -> PostgresStore:
    """The store in this database, brought up to date first."""
    with reaching():
        session = await connect(url)
        try:
            await check(session)
            await migrate(session)
        finally:
            await session.close()
        return PostgresStore(url, await pool(url, LANES + 1), await pool(url, LANES))


async def connect(url: str) -> Connection:
    try:
        return await asyncpg.connect(url, timeout=PATIENCE_S)
    except asyncpg.ClientConfigurationError as error:
        raise BadStore(f"this is not the URL of a PostgreSQL database: {error}") from error
    except (ValueError, OverflowError):  # do not repeat the value: it may be part of the password
        raise BadStore(
            "this is not the URL of a PostgreSQL database: postgresql://USER:PASSWORD@HOST:PORT/NAME is one,"
            " with %2F and %40 for / and @ in the password"
        ) from None


async def pool(url: str, size: int) -> Pool:
    async def as_it_is(_: Connection) -> None:
        """We never change a session, so returning it needs no round trip."""

    return await asyncpg.create_pool(
        url,
        min_size=0,
        max_size=size,
        timeout=PATIENCE_S,
        command_timeout=PATIENCE_S,
        server_settings=SETTINGS,
        reset=as_it_is,
    )


@contextmanager
def reaching() -> Iterator[None]:
    """Translate errors: the database cannot be reached or written."""
    try:
        yield
    except UNREACHABLE as error:
        found = str(error) or f"no answer within {PATIENCE_S} seconds"
        raise Unavailable(f"PostgreSQL cannot be reached or written: {found}") from error


async def check(session: Connection) -> None:
    """Refuse a server that may lose acknowledged data."""
    for setting, (needed, otherwise) in REQUIRED.items():
        found = await session.fetchval("SELECT current_setting($1)", setting)
        if found != needed:
            raise BadStore(f"the PostgreSQL server runs with {setting} = {found}, not {needed}: {otherwise}")


async def migrate(session: Connection) -> None:
    """Apply the migrations that the database lacks, all or none."""
    known = {int(each.name[:4]): each for each in (files("stickman.store") / "sql" / "postgres").iterdir()}
    try:
        async with session.transaction():
            await session.execute("SELECT pg_advisory_xact_lock($1, $2)", LOCKS, FLOOR)
            if await session.fetchval("SELECT to_regclass('migration')") is None:
                await session.execute("CREATE TABLE migration (number integer PRIMARY KEY, name text NOT NULL)")
            applied = {row["number"] for row in await session.fetch("SELECT number FROM migration")}
            if newer := applied - known.keys():
                raise BadStore(f"a newer program made this journal: migration {max(newer)} is not of this one")
            for number in sorted(known.keys() - applied):
                await session.execute(known[number].read_text())
                await session.execute("INSERT INTO migration VALUES ($1, $2)", number, known[number].name)
    except UNREACHABLE:
        raise
    except asyncpg.PostgresError as error:
        raise BadStore(f"this database cannot hold a journal: {error}") from error


async def compared(session: PoolConnectionProxy) -> list[str]:
    """What differs between the database's schema and the one that the migrations make."""
    migrations = sorted((files("stickman.store") / "sql" / "postgres").iterdir(), key=lambda each: each.name)
    try:
        return await differences(session, [each.read_text() for each in migrations])
    except asyncpg.InsufficientPrivilegeError as problem:
        return [f"it cannot be compared with the migrations ({problem}): the role needs CREATE on the database"]


# --- Appending ---


class WaitingBatch(NamedTuple):
    """A batch that waits to be written, and the future for its answer."""

    batch: Batch
    answer: asyncio.Future[Head]


class Lanes:
    """Writes waiting batches, one flush after another in each lane, never one stream in two flushes at once."""

    def __init__(self, sessions: Pool) -> None:
        self._sessions = sessions
        self._waiting: list[WaitingBatch] = []
        self._busy: set[int] = set()
        self._running: set[asyncio.Task[None]] = set()
        self._idle: list[PoolConnectionProxy] = []
        """Sessions reserved for flushes: taking one from the pool each time would cost half a commit."""

    async def append(self, batch: Batch) -> Head:
        ask = WaitingBatch(batch, asyncio.get_running_loop().create_future())
        self._waiting.append(ask)
        if len(self._running) < LANES:
            self._running.add(asyncio.create_task(self._run()))
        return await ask.answer

    async def finish(self) -> None:
        """Finish all waiting batches, then return the sessions."""
        while self._running:
            await asyncio.wait(self._running)
        while self._idle:
            await self._sessions.release(self._idle.pop())

    async def _run(self) -> None:
        while asks := self._next_flush():
            streams = {ask.batch.stream for ask in asks}
            self._busy |= streams
            outcomes = await self._flush([ask.batch for ask in asks])
            self._busy -= streams
            for ask, outcome in zip(asks, outcomes, strict=True):
                if ask.answer.done():  # the caller was cancelled
                    continue
                if isinstance(outcome, Head):
                    ask.answer.set_result(outcome)
                else:
                    ask.answer.set_exception(outcome)
        # Here and not when the task is done: a call in between would wait for a lane that has ended.
        lane = asyncio.current_task()
        assert lane
        self._running.remove(lane)

    def _next_flush(self) -> list[WaitingBatch]:
        """The first waiting batch of each stream that no lane is writing: a second would not see the first."""
        chosen: dict[int, WaitingBatch] = {}
        left = []
        for ask in self._waiting:
            stream = ask.batch.stream
            if stream in chosen or stream in self._busy or len(chosen) == FLUSH:
                left.append(ask)
            elif not ask.answer.done():
                chosen[stream] = ask
        self._waiting = left
        return list(chosen.values())

    async def _flush(self, batches: list[Batch]) -> list[Head | Exception]:
        try:
            with reaching():
                async with self._session() as session:
                    return await write(session, batches)
        except Unavailable as error:
            return [Unavailable(*error.args) for _ in batches]
        except Exception as error:  # noqa: BLE001 - the caller gets any error
            return [error for _ in batches]

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[PoolConnectionProxy]:
        """A session for a flush; a failed one returns to the pool, which replaces it."""
        session = self._idle.pop() if self._idle else await self._sessions.acquire()
        try:
            yield session
        except BaseException:
            await self._sessions.release(session)
            raise
        self._idle.append(session)


async def write(session: PoolConnectionProxy, batches: list[Batch]) -> list[Head | Exception]:
    """The result of each batch."""
    try:
        sql, values = statement(batches)
        accepted = {row["stream"] for row in await session.fetch(sql, *values)}
    except UNREACHABLE:
        raise
    except asyncpg.PostgresError as error:
        if len(batches) > 1:  # one of them is bad: write each separately, so that only that one fails
            return [outcome for batch in batches for outcome in await write(session, [batch])]
        return [await taken(session, batches[0]) or error]
    refused = [batch.stream for batch in batches if batch.stream not in accepted]
    rows = await session.fetch("SELECT stream, epoch FROM head WHERE stream = ANY($1)", refused) if refused else []
    epochs = {row["stream"]: row["epoch"] for row in rows}
    return [
        batch.entries[-1].record.head if batch.stream in accepted else refusal(batch, epochs.get(batch.stream))
        for batch in batches
    ]


def statement(batches: list[Batch]) -> tuple[str, tuple[object, ...]]:
    """The statement that appends batches, and its parameters. A single bet has its own: at one table it is
    acknowledged in 821 µs instead of 1,024 (`bench/acknowledged.py`, medians of nine runs in turns)."""
    [batch, *others] = batches
    [entry, *more] = batch.entries
    if others or more or len(entry.moves) != 1 or entry.claims or entry.shared:
        return APPEND, (LEASE, *columns(batches))
    record = entry.record
    said = (record.at_ms, record.command, record.actor, record.body)
    fence = (batch.stream, batch.epoch, *batch.after)
    return APPEND_BET, (LEASE, *fence, *record.head, *said, *entry.moves[0], record.mac)


def columns(batches: list[Batch]) -> Iterator[Sequence[object]]:
    """The parameters of `APPEND` after the first: batches, records, moves, claims and gains, column by column."""
    entries = [(entry, entry.record.stream, entry.record.seq) for batch in batches for entry in batch.entries]
    ends = [batch.entries[-1].record.head for batch in batches]
    yield from across(6, [(b.stream, b.epoch, *b.after, *end) for b, end in zip(batches, ends, strict=True)])
    yield from across(8, [entry.record for entry, _, _ in entries])
    yield from across(5, [(stream, seq, *move) for entry, stream, seq in entries for move in entry.moves])
    yield from across(3, [(stream, seq, claim) for entry, stream, seq in entries for claim in entry.claims])
    yield from across(3, [(stream, *gain) for entry, stream, _ in entries for gain in entry.shared])


def across(width: int, rows: Sequence[tuple[object, ...]]) -> Sequence[Sequence[object]]:
    """Rows as columns."""
    return list(zip(*rows, strict=True)) or [()] * width


def refusal(batch: Batch, epoch: int | None) -> NotAppended:
    """Why a head was not advanced, given the epoch in its row."""
    if epoch != batch.epoch:
        return Fenced(f"stream {batch.stream} has another owner: epoch {batch.epoch} is not {epoch}")
    return Moved(f"stream {batch.stream} does not end after record {batch.after.seq} as this batch believes")


async def taken(session: PoolConnectionProxy, batch: Batch) -> Taken | None:
    """The first command id or claim of a batch that was already taken, perhaps by the batch itself."""
    commands = [entry.record.command for entry in batch.entries if entry.record.command]
    claims = [claim for entry in batch.entries for claim in entry.claims]
    seen = {row["key"] for row in await session.fetch(TAKEN, batch.stream, commands, claims)}
    for entry in batch.entries:
        command = entry.record.command
        for key in (f"command:{command}", *entry.claims) if command else entry.claims:
            if key in seen:
                return Taken(key)
            seen.add(key)
    return None


# --- Owning ---


class LockQueue:
    """A place in the queue for a stream's advisory lock. The first has the lock until its session ends."""

    def __init__(self, session: Connection, stream: int) -> None:
        self._session = session
        self._stream = stream
        self.turn = asyncio.create_task(self._wait())

    @classmethod
    async def in_line(cls, url: str, stream: int) -> LockQueue:
        settings = {**SETTINGS, "statement_timeout": "0"}  # wait without a limit
        return cls(await asyncpg.connect(url, timeout=PATIENCE_S, server_settings=settings), stream)

    @property
    def is_lost(self) -> bool:
        return self._session.is_closed()

    @property
    def pid(self) -> int:
        """The server's process for this session."""
        return self._session.get_server_pid()

    async def step_back(self) -> None:
        """Let the others in the queue go first."""
        await self._session.execute("SELECT pg_advisory_unlock($1, $2)", LOCKS, self._stream)
        self.turn = asyncio.create_task(self._wait())

    async def leave(self) -> None:
        self._session.terminate()
        await asyncio.gather(self.turn, return_exceptions=True)

    async def _wait(self) -> None:
        await self._session.execute("SELECT pg_advisory_lock($1, $2)", LOCKS, self._stream)


class PostgresLease:
    """A stream that this process owns while the context lasts, or until another owner takes over."""

    def __init__(self, watch: Watch, stream: int, owner: str) -> None:
        self.stream = stream
        self.epoch = 0
        self.lost = False
        self._watch = watch
        self._owner = owner
        self._place: LockQueue | None = None

    async def __aenter__(self) -> Self:
        try:
            with reaching():
                self.epoch = await self._taken()
        except BaseException:
            await self._leave_line()
            raise
        self._watch.begin(self)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.release()

    async def release(self) -> None:
        """Let the next owner in."""
        self._watch.leases.discard(self)
        try:
            with suppress(Unavailable), reaching():  # otherwise the lease expires
                await self._watch.sessions.execute(RELEASE, self.stream, self.epoch)
        finally:
            await self._leave_line()

    async def stay_in_line(self) -> None:
        """Queue again if the session was lost: an owner without the lock looks dead."""
        if self._place and self._place.is_lost:
            await self._leave_line()
            self._place = await LockQueue.in_line(self._watch.url, self.stream)
            if self not in self._watch.leases:  # it was released in the meantime
                await self._leave_line()

    async def _taken(self) -> int:
        """The epoch of this owner, once there is no other."""
        sessions = self._watch.sessions
        await sessions.execute("INSERT INTO head (stream) VALUES ($1) ON CONFLICT DO NOTHING", self.stream)
        [row] = await sessions.fetch(LEASED, self.stream)
        place = self._place = await LockQueue.in_line(self._watch.url, self.stream)
        before = row["epoch"]
        while True:
            await asyncio.wait({place.turn}, timeout=(row["remaining"] + GRACE).total_seconds())
            is_first = place.turn.done()
            if is_first:
                place.turn.result()
            # Being first proves that the owner of the time when we joined the queue is gone. It proves nothing
            # about an owner that took over by the epoch since then and is behind us in the queue.
            [row] = await sessions.fetch(TAKE, self.stream, self._owner, LEASE, before if is_first else NOBODY)
            epoch: int | None = row["taken"]
            if epoch:
                break
            if is_first:
                before = row["epoch"]
                await place.step_back()
        if not is_first:  # an owner that stopped responding still has the lock
            with suppress(asyncpg.InsufficientPrivilegeError):  # without it, others notice our own death later
                await sessions.execute(END_HOLDER, LOCKS, self.stream, place.pid)
        return epoch

    async def _leave_line(self) -> None:
        if self._place:
            await self._place.leave()
            self._place = None


class Watch:
    """The leases of a store, renewed together."""

    def __init__(self, url: str, sessions: Pool) -> None:
        self.url = url
        self.sessions = sessions
        self.leases: set[PostgresLease] = set()
        self._heartbeat: asyncio.Task[None] | None = None

    def begin(self, lease: PostgresLease) -> None:
        self.leases.add(lease)
        self._heartbeat = self._heartbeat or asyncio.create_task(self._beat())

    async def finish(self) -> None:
        """Release what is left."""
        if self._heartbeat:
            self._heartbeat.cancel()
            await asyncio.wait({self._heartbeat})
        for lease in list(self.leases):
            await lease.release()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(RENEWAL.total_seconds())
            with suppress(Unavailable), reaching():  # the next renewal may reach the database again
                await self._renew()

    async def _renew(self) -> None:
        held = {(lease.stream, lease.epoch): lease for lease in self.leases if not lease.lost}
        if held:
            for row in await self.sessions.fetch(RENEW, *across(2, list(held)), LEASE):
                held.pop(tuple(row)).lost = True
            for lease in held.values():
                await lease.stay_in_line()


# --- The store ---


class PostgresStore(SqlReading):
    """A `Store` in PostgreSQL."""

    def __init__(self, url: str, writers: Pool, readers: Pool) -> None:
        self._writers = writers
        self._readers = readers  # separate, so that readers never delay an append or a renewal
        self._lanes = Lanes(writers)
        self._watch = Watch(url, writers)
        self._is_closed = False

    async def close(self) -> None:
        self._is_closed = True
        await self._lanes.finish()
        await self._watch.finish()
        for sessions in self._writers, self._readers:
            with suppress(*UNREACHABLE):
                await asyncio.wait_for(sessions.close(), PATIENCE_S)

    def own(self, stream: int, owner: str) -> PostgresLease:
        assert stream != FLOOR, "nobody owns the floor"
        return PostgresLease(self._watch, stream, owner)

    async def append(self, batch: Batch) -> Head:
        batch.check()
        if self._is_closed:
            raise Unavailable("the store is closed")
        return await self._lanes.append(batch)

    async def schema_faults(self) -> list[str]:
        with reaching():
            async with self._writers.acquire() as session:
                return await compared(session)

    async def keep_snapshot(self, snapshot: StoredSnapshot) -> None:
        with reaching():
            await self._writers.execute(KEEP_SNAPSHOT, snapshot.stream, *snapshot.head, snapshot.body)

    async def _select(self, sql: str, *values: int | str) -> list[asyncpg.Record]:
        with reaching():
            return await self._readers.fetch(sql, *values)
