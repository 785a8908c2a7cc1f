"""What PostgreSQL adds to the promises of a store: servers come and go, sessions break, batches share a flush.

The promises themselves are in `contract.py`; owners that die and freeze in `test_take_over.py`.
"""

from __future__ import annotations

import asyncio
import os
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Self

import asyncpg
import pytest

from stickman.store import postgres
from stickman.store.postgres import LEASE, LOCKS, PostgresStore, open_postgres
from stickman.store.store import (
    EMPTY,
    BadStore,
    Batch,
    Fenced,
    Head,
    Lease,
    Move,
    Moved,
    Taken,
    Unavailable,
)
from tests.store.contract import batch, bet, chain, entry
from tests.store.postgres_server import PostgresServer, programs

TICKETS = int(os.environ.get("STICKMAN_TICKETS", "100"))
"""A long run has 10,000."""
DESKS = 32


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[PostgresStore]:
    store = await open_postgres(url)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[asyncpg.Connection]:
    """A session beside the store, for whoever looks or meddles."""
    session = await asyncpg.connect(url)
    try:
        yield session
    finally:
        await session.close()


async def until(session: asyncpg.Connection, sql: str, *values: object) -> None:
    """Go on once the database says so."""
    async with asyncio.timeout(20):
        while not await session.fetchval(sql, *values):  # noqa: ASYNC110 - it tells nobody by itself
            await asyncio.sleep(0.01)


# --- Opening ---


@contextmanager
def started_with(server: PostgresServer, *settings: str) -> Iterator[None]:
    server.stop()
    try:
        server.start(*settings)
        yield
    finally:
        server.stop()
        server.start()


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
def test_a_server_that_may_lose_what_it_acknowledged_is_refused(
    postgres_server: PostgresServer, postgres_url: str, setting: str
) -> None:
    with started_with(postgres_server, f"{setting}=off"), pytest.raises(BadStore, match=f"{setting} = off, not on"):
        asyncio.run(open_postgres(postgres_url))
    asyncio.run(open_and_close(postgres_url))


async def open_and_close(url: str) -> None:
    async with opened(url):
        pass


def test_a_database_that_cannot_keep_every_text_is_refused(postgres_server: PostgresServer) -> None:
    url = postgres_server.database("western", "LATIN1")
    with pytest.raises(BadStore, match="server_encoding = LATIN1, not UTF8"):
        asyncio.run(open_postgres(url))


def test_a_commit_waits_for_the_disk_whatever_the_database_says(
    postgres_server: PostgresServer, postgres_url: str
) -> None:
    postgres_server.tell("floor", "ALTER DATABASE floor SET synchronous_commit = off")

    async def scenario() -> None:
        async with opened(postgres_url) as store:
            assert await store._writers.fetchval("SHOW synchronous_commit") == "on"

    asyncio.run(scenario())


def test_a_journal_of_a_newer_program_is_refused(postgres_server: PostgresServer, postgres_url: str) -> None:
    asyncio.run(open_and_close(postgres_url))
    postgres_server.tell("floor", "INSERT INTO migration VALUES (9999, '9999_later.sql')")
    with pytest.raises(BadStore, match=r"newer program .* migration 9999"):
        asyncio.run(open_postgres(postgres_url))


def test_a_database_of_another_program_is_refused_and_left_as_it_was(
    postgres_server: PostgresServer, postgres_url: str
) -> None:
    postgres_server.tell("floor", "CREATE TABLE shared (recipe text)")
    with pytest.raises(BadStore, match="shared"):
        asyncio.run(open_postgres(postgres_url))

    async def scenario() -> None:
        async with connected(postgres_url) as session:
            tables = await session.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
            assert [table["tablename"] for table in tables] == ["shared"]

    asyncio.run(scenario())


@pytest.fixture
def clerk_url(postgres_server: PostgresServer, postgres_url: str) -> Iterator[str]:
    """A ready journal as somebody sees it who may read and write there, and no more."""
    asyncio.run(open_and_close(postgres_url))
    postgres_server.tell("floor", "CREATE ROLE clerk LOGIN")
    postgres_server.tell("floor", "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO clerk")
    yield postgres_url.replace("postgres@", "clerk@")
    postgres_server.tell("floor", "DROP OWNED BY clerk; DROP ROLE clerk")


def test_a_ready_journal_needs_no_right_to_change_its_tables(clerk_url: str) -> None:
    async def scenario() -> None:
        async with opened(clerk_url) as store, store.own(1, "pit-1") as lease:
            await store.append(opening(lease))

    asyncio.run(scenario())


def test_a_store_that_is_not_there_is_unavailable_and_no_password_is_told(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    for url in f"postgresql://clerk:secret@/floor?host={tmp_path}", postgres_server.url("nowhere"):
        with pytest.raises(Unavailable, match="cannot be reached") as unavailable:
            asyncio.run(open_postgres(url))
        assert "secret" not in str(unavailable.value)


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("postgresql://clerk:sec/ret@127.0.0.1/floor", "HOST:PORT"),
        ("postgresql://127.0.0.1:99999/floor", "HOST:PORT"),
        ("postgresql://127.0.0.1/floor?sslmode=perhaps", "sslmode"),
    ],
)
def test_a_url_that_cannot_be_read_is_refused_and_no_password_is_told(url: str, found: str) -> None:
    with pytest.raises(BadStore, match=f"not the URL .*{found}") as refused:
        asyncio.run(open_postgres(url))
    assert "sec" not in str(refused.value)


def test_without_a_server_the_tests_fail_and_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(Path, "glob", lambda *_: iter(()))
    with pytest.raises(FileNotFoundError, match="apt-get install postgresql"):
        programs()


# --- What happened stays ---


@pytest.mark.parametrize("table", ["journal", "move", "claim"])
@pytest.mark.parametrize("change", ["UPDATE {} SET seq = seq", "DELETE FROM {}", "TRUNCATE {}"])
def test_what_happened_is_not_changed_by_plain_sql(postgres_url: str, table: str, change: str) -> None:
    async def scenario() -> None:
        async with opened(postgres_url), connected(postgres_url) as session:
            with pytest.raises(asyncpg.RaiseError, match=f"{table} is append-only"):
                await session.execute(change.format(table))

    asyncio.run(scenario())


def test_views_show_events_balances_and_outstanding_tickets(postgres_url: str) -> None:
    async def scenario() -> None:
        async with opened(postgres_url) as store, store.own(1, "pit-1") as lease:
            first = entry(
                EMPTY,
                command="c-1",
                actor="badge-12",
                moves=(Move("cash", "tickets", 500),),
                claims=("ticket:71:issued", "ticket:72:issued"),
                events=b'[{"event":"printed","number":"71"},{"event":"printed","number":"72"}]',
            )
            second = entry(first.record.head, moves=(Move("tickets", "cash", 200),), claims=("ticket:71:redeemed",))
            await store.append(batch(lease, EMPTY, first, second))
            async with connected(postgres_url) as session:
                events = await session.fetch(
                    "SELECT actor, command, n, kind, json ->> 'number' FROM event ORDER BY seq, n"
                )
                balances = await session.fetch("SELECT * FROM balance ORDER BY account")
                tickets = await session.fetch("SELECT * FROM ticket_outstanding")
        assert [tuple(row) for row in events] == [
            ("badge-12", "c-1", 0, "printed", "71"),
            ("badge-12", "c-1", 1, "printed", "72"),
            ("seat:1", None, 0, "bet_placed", None),
        ]
        assert [tuple(row) for row in balances] == [(1, "cash", -300), (1, "tickets", 300)]
        assert [tuple(row) for row in tickets] == [("72", 1, 1, first.record.at_ms)]

    asyncio.run(scenario())


# --- One flush for all ---


def test_batches_that_wait_together_share_a_commit(postgres_url: str) -> None:
    async def scenario() -> None:
        async with opened(postgres_url) as store:
            leases = [await store.own(stream, "pit-1").__aenter__() for stream in range(1, 21)]
            await asyncio.gather(*(store.append(opening(lease)) for lease in leases))
            async with connected(postgres_url) as session:
                assert await session.fetchval("SELECT count(*) FROM journal") == 20
                assert await session.fetchval("SELECT count(DISTINCT xmin::text) FROM journal") == 1

    asyncio.run(scenario())


def opening(lease: Lease) -> Batch:
    """The first batch of a stream."""
    return batch(lease, EMPTY, entry(EMPTY, stream=lease.stream, moves=(bet(),)))


def test_a_second_batch_of_a_stream_waits_for_the_first(postgres_url: str) -> None:
    async def scenario() -> None:
        async with opened(postgres_url) as store, store.own(1, "pit-1") as lease:
            first, second, third = chain(EMPTY, ["c-1", "c-2", "c-3"])
            heads = await asyncio.gather(
                store.append(batch(lease, EMPTY, first)),
                store.append(batch(lease, first.record.head, second)),
                store.append(batch(lease, second.record.head, third)),
            )
            assert list(heads) == [first.record.head, second.record.head, third.record.head]

    asyncio.run(scenario())


def test_whoever_asks_as_a_lane_ends_is_not_forgotten(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "LANES", 1)

    async def scenario() -> None:
        async with opened(postgres_url) as store, store.own(1, "pit-1") as lease, asyncio.timeout(20):
            head = EMPTY
            for _ in range(100):
                head = await store.append(batch(lease, head, entry(head)))

    asyncio.run(scenario())


def test_a_batch_that_postgresql_cannot_hold_fails_alone(postgres_url: str) -> None:
    async def scenario() -> None:
        async with opened(postgres_url) as store, store.own(1, "pit-1") as one, store.own(2, "pit-1") as two:
            nul = batch(one, EMPTY, entry(EMPTY, actor="badge-\0"))
            bad, good = await asyncio.gather(store.append(nul), store.append(opening(two)), return_exceptions=True)
            assert isinstance(bad, asyncpg.DataError)
            assert isinstance(good, Head)
            assert await store.head(1) == EMPTY

    asyncio.run(scenario())


def test_two_stores_that_want_the_same_claims_in_another_order_do_not_block_each_other(postgres_url: str) -> None:
    async def claim(store: PostgresStore, lease: Lease, claims: tuple[str, ...]) -> bool:
        head = await store.head(lease.stream)
        try:
            await store.append(batch(lease, head, entry(head, stream=lease.stream, claims=claims)))
        except Taken:
            return False
        return True

    async def scenario() -> None:
        async with opened(postgres_url) as here, opened(postgres_url) as there, AsyncExitStack() as leases:
            one = await leases.enter_async_context(here.own(1, "pit-1"))
            two = await leases.enter_async_context(there.own(2, "pit-2"))
            for number in range(100):
                claims = tuple(f"jackpot:{name}:{number}" for name in range(20))
                won = await asyncio.gather(claim(here, one, claims), claim(there, two, claims[::-1]))
                assert sorted(won) == [False, True]

    asyncio.run(scenario())


def test_readers_keep_no_append_waiting(postgres_url: str) -> None:
    async def scenario() -> None:
        async with (
            opened(postgres_url) as store,
            store.own(1, "pit-1") as lease,
            connected(postgres_url) as session,
        ):
            async with session.transaction():
                await session.execute("LOCK TABLE snapshot")
                reading = [asyncio.create_task(store.snapshot(stream)) for stream in range(20)]
                await until(session, "SELECT count(*) > 1 FROM pg_locks WHERE NOT granted")
                await store.append(opening(lease))
                assert not any(task.done() for task in reading)
            await asyncio.gather(*reading)

    asyncio.run(scenario())


# --- A server that comes and goes ---


@pytest.mark.parametrize("end", [PostgresServer.stop, PostgresServer.kill])
def test_a_store_works_again_when_its_server_is_back(
    postgres_server: PostgresServer, postgres_url: str, end: Callable[[PostgresServer], None]
) -> None:
    async def scenario() -> None:
        async with opened(postgres_url) as store, store.own(1, "pit-1") as lease:
            first, second = chain(EMPTY, ["c-1", "c-2"])
            await store.append(batch(lease, EMPTY, first))
            await asyncio.to_thread(end, postgres_server)
            try:
                with pytest.raises(Unavailable, match="PostgreSQL cannot be reached"):
                    await store.append(batch(lease, first.record.head, second))
                with pytest.raises(Unavailable, match="PostgreSQL cannot be reached"):
                    await store.head(1)
                with pytest.raises(Unavailable, match="PostgreSQL cannot be reached"):
                    await store.own(2, "pit-1").__aenter__()
            finally:
                await asyncio.to_thread(postgres_server.start)
            assert await store.head(1) == first.record.head
            await store.append(batch(lease, first.record.head, second))
            async with store.own(2, "pit-1") as other:
                await store.append(opening(other))
            assert not lease.lost

    asyncio.run(scenario())


def test_an_owner_that_was_followed_while_the_server_was_gone_is_fenced(
    postgres_server: PostgresServer, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "RENEWAL", timedelta(days=1))  # whoever is followed has not noticed anything yet

    async def scenario() -> None:
        async with opened(postgres_url) as here, opened(postgres_url) as there, here.own(1, "pit-1") as early:
            await asyncio.to_thread(postgres_server.kill)
            await asyncio.to_thread(postgres_server.start)
            async with there.own(1, "pit-2") as late:
                with pytest.raises(Fenced):
                    await here.append(opening(early))
                await there.append(opening(late))
                await here._watch._renew()
                assert early.lost
                assert not late.lost

    asyncio.run(scenario())


def test_an_owner_keeps_its_stream_when_the_server_is_back(
    postgres_server: PostgresServer, postgres_url: str
) -> None:
    async def scenario() -> None:
        async with opened(postgres_url) as here, opened(postgres_url) as there:
            async with here.own(1, "pit-1") as lease:
                await asyncio.to_thread(postgres_server.kill)
                await asyncio.to_thread(postgres_server.start)
                async with connected(postgres_url) as session:
                    await until(session, HOLDS_LOCK, LOCKS, lease.stream)
                following = asyncio.create_task(there.own(1, "pit-2").__aenter__())
                done, _ = await asyncio.wait({following}, timeout=LEASE.total_seconds() + 1)
                assert not done
                await here.append(opening(lease))
            await following

    asyncio.run(scenario())


HOLDS_LOCK = "SELECT true FROM pg_locks WHERE classid::bigint = $1 AND objid::bigint = $2 AND granted"


def test_an_owner_behind_others_in_line_is_not_taken_for_dead(clerk_url: str, postgres_url: str) -> None:
    """Who fell silent keeps the lock where nobody may end its session. When it ends at last, the first in line has
    the lock, and that is not the one who took over meanwhile."""

    async def scenario() -> None:
        async with opened(clerk_url) as here, opened(clerk_url) as there, connected(postgres_url) as session:
            silent = await asyncpg.connect(postgres_url)
            await silent.execute("SELECT pg_advisory_lock($1, 1)", LOCKS)
            await session.execute("INSERT INTO head (stream, epoch, expires) VALUES (1, 1, now() + interval '1 s')")
            waiting = asyncio.create_task(there.own(1, "pit-3").__aenter__())
            await until(session, "SELECT true FROM pg_locks WHERE NOT granted")
            await session.execute("UPDATE head SET expires = now() WHERE stream = 1")
            async with here.own(1, "pit-2") as lease:
                await asyncio.wait({waiting}, timeout=1.5)  # until it has found that the lease is not free
                await silent.close()
                assert lease._place
                await until(session, "SELECT true FROM pg_locks WHERE pid = $1 AND granted", lease._place.pid)
                await here.append(opening(lease))
                assert not waiting.done()
            await waiting

    asyncio.run(scenario())


# --- Sessions that break ---


def test_an_append_whose_session_ends_before_its_commit_is_unavailable(postgres_url: str) -> None:
    async def scenario() -> None:
        async with (
            opened(postgres_url) as store,
            store.own(1, "pit-1") as lease,
            connected(postgres_url) as session,
        ):
            async with session.transaction():
                await session.execute("SELECT FROM head FOR UPDATE")
                appending = asyncio.create_task(store.append(opening(lease)))
                await until(session, END_WHO_WAITS)
                with pytest.raises(Unavailable):
                    await appending
            assert await store.head(1) == EMPTY
            await store.append(opening(lease))

    asyncio.run(scenario())


END_WHO_WAITS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'transactionid'"


def test_an_append_whose_answer_is_lost_is_unavailable_though_it_is_kept(postgres_url: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with (
            Wire(postgres_url, tmp_path) as wire,
            opened(wire.url) as store,
            store.own(1, "pit-1") as lease,
        ):
            first, second = chain(EMPTY, ["c-1", "c-2"])
            await store.append(batch(lease, EMPTY, first))
            wire.is_cut = True
            with pytest.raises(Unavailable):
                await store.append(batch(lease, first.record.head, second))
            wire.is_cut = False
            assert await store.head(1) == second.record.head
            assert await store.commanded(1, "c-2") == second.record
            with pytest.raises(Moved):
                await store.append(batch(lease, first.record.head, second))

    asyncio.run(scenario())


class Wire:
    """Another way to the same database, which can be cut and blocked."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = f"{url.partition('?')[0]}?host={folder}"
        self.is_cut = False
        self.is_open = asyncio.Event()
        self.is_open.set()
        self._near, self._far = (f"{home}/.s.PGSQL.5432" for home in (folder, url.partition("?host=")[2]))

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._connect, self._near)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _connect(self, asks: StreamReader, answers: StreamWriter) -> None:
        answering, asking = await asyncio.open_unix_connection(self._far)
        await asyncio.gather(self._carry(asks, asking), self._carry(answering, answers, may_cut=True))

    async def _carry(self, source: StreamReader, target: StreamWriter, *, may_cut: bool = False) -> None:
        with suppress(ConnectionError):
            while (data := await source.read(65_536)) and not (may_cut and self.is_cut):
                await self.is_open.wait()
                target.write(data)
        target.close()


def test_a_server_that_vanished_makes_an_append_unavailable(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "PATIENCE_S", 1)

    async def scenario() -> None:
        async with Wire(postgres_url, tmp_path) as wire, opened(wire.url) as store, store.own(1, "pit-1") as lease:
            wire.is_open.clear()
            with pytest.raises(Unavailable, match="no answer within 1 seconds"):
                await store.append(opening(lease))
            wire.is_open.set()
            head = await store.head(1)
            await store.append(batch(lease, head, entry(head)))

    asyncio.run(scenario())


def test_a_server_that_does_not_come_to_it_makes_an_append_unavailable(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(postgres.SETTINGS, "statement_timeout", "100")

    async def scenario() -> None:
        async with (
            opened(postgres_url) as store,
            store.own(1, "pit-1") as lease,
            connected(postgres_url) as session,
        ):
            async with session.transaction():
                await session.execute("SELECT FROM head FOR UPDATE")
                with pytest.raises(Unavailable, match="timeout"):
                    await store.append(opening(lease))
            await store.append(opening(lease))

    asyncio.run(scenario())


# --- Tickets under fire ---


class Desk:
    """A table with a connection of its own, where tickets are offered."""

    def __init__(self, store: PostgresStore, lease: Lease) -> None:
        self.store = store
        self.lease = lease
        self.head = EMPTY

    async def redeem(self, ticket: int) -> bool:
        redeemed = entry(
            self.head,
            stream=self.lease.stream,
            command=f"c-{ticket}",
            moves=(Move("tickets", "seat:1:credit", 100),),
            claims=(f"ticket:{ticket}:redeemed",),
            shared=(("progressive:fire", 1),),
        )
        try:
            self.head = await self.store.append(batch(self.lease, self.head, redeemed))
        except Taken as taken:
            return taken.claim != f"ticket:{ticket}:redeemed"
        return True


def test_a_ticket_offered_at_32_desks_at_once_is_redeemed_at_one(postgres_url: str) -> None:
    async def scenario() -> None:
        async with AsyncExitStack() as stack:
            desks = []
            for stream in range(1, DESKS + 1):
                store = await stack.enter_async_context(opened(postgres_url))
                desks.append(Desk(store, await stack.enter_async_context(store.own(stream, f"desk-{stream}"))))
            for ticket in range(TICKETS):
                assert sum(await asyncio.gather(*(desk.redeem(ticket) for desk in desks))) == 1
            assert sum(desk.head.seq for desk in desks) == TICKETS
            for desk in desks:
                found = [each async for each in desk.store.entries(desk.lease.stream)]
                assert len(found) == desk.head.seq
                assert all(len(each.moves) == len(each.claims) == 1 for each in found)
            assert sum((await desks[0].store.shared("progressive:fire")).values()) == TICKETS
            async with connected(postgres_url) as session:  # nor is anything left of those who were refused
                assert await session.fetchval("SELECT count(*) FROM journal") == TICKETS
                assert await session.fetchval("SELECT count(*) FROM move") == TICKETS
                assert await session.fetchval("SELECT count(*) FROM claim") == TICKETS

    asyncio.run(scenario())
