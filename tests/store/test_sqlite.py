"""What is particular to the store in SQLite: opening, shared flushes, disks that fail, backups, plain SQL."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing
from functools import partial, wraps
from importlib.resources import files
from pathlib import Path
from typing import ParamSpec

import apsw
import pytest

from stickman.store import open_store, sqlite
from stickman.store.sqlite import QUICK_NS, SqliteStore, append, check_library, open_sqlite
from stickman.store.store import (
    EMPTY,
    FLOOR,
    BadStore,
    Batch,
    Head,
    Move,
    Moved,
    Store,
    Taken,
    Unavailable,
)
from tests.store.contract import batch, bet, chain, entry, is_intact, listed, on_floor, opened
from tests.store.power import Disk, disk

P = ParamSpec("P")


def asynchronous(test: Callable[P, Coroutine[None, None, None]]) -> Callable[P, None]:
    """Run a test on a loop of its own."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


@asynccontextmanager
async def sqlite_at(path: Path, on: Disk | None = None) -> AsyncIterator[SqliteStore]:
    store = await open_sqlite(str(path), on.name if on else None)
    try:
        yield store
    finally:
        await store.close()


async def append_next(store: Store, head: Head, command: str = "") -> Head:
    return await store.append(on_floor(head, entry(head, stream=FLOOR, command=command)))


def plain_sql(path: Path, sql: str) -> list[tuple[object, ...]]:
    """What anybody gets who opens the file with a tool for SQLite."""
    with closing(apsw.Connection(str(path))) as db:
        return list(db.execute(sql))


# --- URLs ---


@pytest.mark.parametrize(
    "url", ["", "sqlite:", "mysql://host/db", "memory:x", "file:journal.db", "postgresql:floor"]
)
@asynchronous
async def test_a_url_that_names_no_store_is_refused_with_those_that_do(url: str) -> None:
    with pytest.raises(BadStore, match="memory:, sqlite:PATH, a path or postgresql://"):
        await open_store(url)


@pytest.mark.parametrize("url", ["sqlite:{}", "{}"])
@asynchronous
async def test_a_path_is_a_url_with_or_without_its_scheme(url: str, tmp_path: Path) -> None:
    async with opened(url.format(tmp_path / "day:1.db")) as store:
        await append_next(store, EMPTY)
    assert plain_sql(tmp_path / "day:1.db", "SELECT seq FROM journal") == [(1,)]


# --- Opening ---


@pytest.mark.parametrize("version", ["3.7.0", "3.40.1", "3.51.2"])
def test_a_library_with_the_wal_reset_bug_is_refused(version: str) -> None:
    with pytest.raises(BadStore, match=rf"SQLite {re.escape(version)} .* WAL-reset bug .* 3\.51\.3"):
        check_library(version)


@pytest.mark.parametrize("version", ["3.51.3", "3.52.0", "4.0.0", apsw.sqlite_lib_version()])
def test_a_library_without_the_wal_reset_bug_is_used(version: str) -> None:
    check_library(version)


@asynchronous
async def test_a_commit_waits_for_the_disk(tmp_path: Path) -> None:
    async with sqlite_at(tmp_path / "journal.db") as store:
        writing = store._writer._db.connection
        assert (writing.pragma("journal_mode"), writing.pragma("synchronous")) == ("wal", 2)


@asynchronous
async def test_a_file_that_cannot_be_written_durably_is_refused() -> None:
    with pytest.raises(BadStore, match="journal_mode is memory and must be wal"):
        await open_sqlite(":memory:")


@asynchronous
async def test_what_is_no_database_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("to the floor manager " * 100)
    with pytest.raises(BadStore, match=r"letter\.txt is not a journal"):
        await open_sqlite(str(path))
    assert path.read_text() == "to the floor manager " * 100


@asynchronous
async def test_a_database_of_another_program_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    plain_sql(path, "CREATE TABLE guest (name)")
    before = path.read_bytes()
    with pytest.raises(BadStore, match=r"other\.db is a database of another program"):
        await open_sqlite(str(path))
    assert path.read_bytes() == before


@asynchronous
async def test_a_journal_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    async with sqlite_at(path):
        pass
    plain_sql(path, "PRAGMA user_version = 999")
    with pytest.raises(BadStore, match="newer program: its schema is 999, and ours"):
        await open_sqlite(str(path))


@asynchronous
async def test_a_place_that_does_not_exist_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"journal\.db cannot be opened: unable to open"):
        await open_sqlite(str(tmp_path / "nowhere" / "journal.db"))


def test_migrations_are_numbered_from_1_without_a_gap() -> None:
    names = sorted(each.name for each in (files("stickman.store") / "sql" / "sqlite").iterdir())
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))
    assert all(re.fullmatch(r"\d{4}_\w+\.sql", name) for name in names)


# --- One flush for all that waits ---


@asynccontextmanager
async def held(store: SqliteStore) -> AsyncIterator[None]:
    """Keep the thread that writes busy, so that all which is asked for meanwhile waits for the same flush."""
    begun, gate = threading.Event(), threading.Event()

    def wait(_: apsw.Cursor) -> None:
        begun.set()
        gate.wait()

    store._writer._flush_ns = QUICK_NS  # as on a slow disk, where the thread writes
    waiting = store._writer.ask(wait)
    await asyncio.to_thread(begun.wait)
    try:
        yield
    finally:
        gate.set()
        await waiting


@asynchronous
async def test_batches_that_wait_share_one_wait_for_the_disk(tmp_path: Path) -> None:
    with disk() as counting:
        async with sqlite_at(tmp_path / "journal.db", counting) as store:
            entries = chain(EMPTY, [f"c-{n}" for n in range(50)], stream=FLOOR)
            heads = [EMPTY, *(each.record.head for each in entries)]
            async with held(store):
                batches = [on_floor(head, each) for head, each in zip(heads, entries, strict=False)]
                appending = [asyncio.create_task(store.append(each)) for each in batches]
                await asyncio.sleep(0)
                before = counting.syncs
            assert await asyncio.gather(*appending) == heads[1:]
            assert counting.syncs - before <= 2  # one for what held it, if it wrote anything


@asynchronous
async def test_in_one_flush_each_bad_batch_fails_alone(tmp_path: Path) -> None:
    async with sqlite_at(tmp_path / "journal.db") as store, store.own(1, "pit-1") as lease:
        first = entry(EMPTY, stream=FLOOR, command="c-1", claims=("ticket:7:redeemed",))
        late = entry(EMPTY, stream=FLOOR, command="c-2")
        table = entry(EMPTY, command="c-1", moves=(bet(),), claims=("ticket:8:redeemed", "ticket:7:redeemed"))
        wrong = Batch(1, lease.epoch, EMPTY, (table._replace(claims=(), moves=(Move("a", "b", 2**70),)),))
        good = table._replace(claims=("ticket:9:redeemed",))
        async with held(store):
            asked = [on_floor(EMPTY, first), on_floor(EMPTY, late), batch(lease, EMPTY, table), wrong]
            appending = [asyncio.create_task(store.append(each)) for each in (*asked, batch(lease, EMPTY, good))]
            await asyncio.sleep(0)
        outcomes = await asyncio.gather(*appending, return_exceptions=True)
        assert [type(each) for each in outcomes] == [Head, Moved, Taken, OverflowError, Head]
        assert [found async for found in store.entries(1)] == [good]
        assert await store.claimed("ticket:8:redeemed") is None
        assert [found async for found in store.entries(FLOOR)] == [first]


def lately(store: SqliteStore, flush_ns: int) -> SqliteStore:
    """A store whose disk has been so quick."""
    store._writer._flush_ns = flush_ns
    return store


@asynchronous
async def test_on_a_quick_disk_a_batch_that_comes_alone_is_written_at_once(tmp_path: Path) -> None:
    async with sqlite_at(tmp_path / "journal.db") as store:
        one, two = chain(EMPTY, ["c-1", "c-2"], stream=FLOOR)
        alone = asyncio.ensure_future(lately(store, 0)._writer.ask(partial(append, on_floor(EMPTY, one))))
        assert alone.done(), "it did not wait for another thread"
        waits = store._writer.ask(partial(append, on_floor(one.record.head, two)))
        assert not waits.done(), "one in each turn of the loop; others share a transaction"
        assert await waits == two.record.head
        assert [found async for found in store.entries(FLOOR)] == [one, two]


@asynchronous
async def test_on_a_slow_disk_the_loop_never_waits(tmp_path: Path) -> None:
    async with sqlite_at(tmp_path / "journal.db") as store:
        [one] = chain(EMPTY, ["c-1"], stream=FLOOR)
        waits = lately(store, QUICK_NS)._writer.ask(partial(append, on_floor(EMPTY, one)))
        assert not waits.done()
        assert await waits == one.record.head


@asynchronous
async def test_while_another_process_writes_the_thread_waits_for_it_and_not_the_loop(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    async with sqlite_at(path) as store:
        [one] = chain(EMPTY, ["c-1"], stream=FLOOR)
        with closing(apsw.Connection(str(path))) as other:
            other.execute("BEGIN IMMEDIATE")
            waits = lately(store, 0)._writer.ask(partial(append, on_floor(EMPTY, one)))
            assert not waits.done()
            other.execute("ROLLBACK")
            assert await waits == one.record.head


@asynchronous
async def test_a_bad_batch_written_at_once_fails_and_leaves_no_trace(tmp_path: Path) -> None:
    async with sqlite_at(tmp_path / "journal.db") as store:
        one, two = chain(EMPTY, ["c-1", "c-2"], stream=FLOOR)
        with pytest.raises(Moved):
            await lately(store, 0).append(on_floor(one.record.head, two))
        assert await lately(store, 0).append(on_floor(EMPTY, one)) == one.record.head


@asynchronous
async def test_reading_goes_on_while_a_flush_lasts(tmp_path: Path) -> None:
    async with sqlite_at(tmp_path / "journal.db") as store:
        head = await append_next(store, EMPTY)
        async with held(store):
            assert await store.head(FLOOR) == head
            assert len(await listed(store.records(FLOOR))) == 1


# --- Disks that fail ---


@asynchronous
async def test_a_full_disk_is_unavailable_until_there_is_room_again(tmp_path: Path) -> None:
    async with sqlite_at(tmp_path / "journal.db") as store:
        head = await append_next(store, EMPTY)
        writing = store._writer._db.connection
        writing.pragma("max_page_count", writing.pragma("page_count"))
        large = entry(
            head, stream=FLOOR, command="c-1", claims=("ticket:7:issued",), events=b'["%s"]' % (b"x" * 9_000)
        )
        with pytest.raises(Unavailable, match=r"journal\.db cannot be written: .*full"):
            await store.append(on_floor(head, large))
        assert await store.head(FLOOR) == head
        assert await store.claimed("ticket:7:issued") is None
        writing.pragma("max_page_count", 10**6)
        assert await store.append(on_floor(head, large)) == large.record.head
        assert await is_intact(store, FLOOR)


@pytest.mark.parametrize("failure", [apsw.FullError, apsw.IOError, apsw.ReadOnlyError])
@asynchronous
async def test_a_disk_that_refuses_writes_is_unavailable_until_it_takes_them(
    failure: type[apsw.Error], tmp_path: Path
) -> None:
    with disk() as failing:
        async with sqlite_at(tmp_path / "journal.db", failing) as store:
            head = await append_next(store, EMPTY)
            failing.failure = failure
            for _ in range(3):
                with pytest.raises(Unavailable, match=r"journal\.db cannot be written"):
                    await append_next(store, head)
            assert await store.head(FLOOR) == head
            failing.failure = None
            head = await append_next(store, head)
            assert await is_intact(store, FLOOR)


@asynchronous
async def test_all_that_waited_for_a_flush_that_failed_are_told(tmp_path: Path) -> None:
    with disk() as failing:
        async with sqlite_at(tmp_path / "journal.db", failing) as store, store.own(1, "pit-1") as lease:
            async with held(store):
                asked = [on_floor(EMPTY, entry(EMPTY, stream=FLOOR)), batch(lease, EMPTY, entry(EMPTY))]
                appending = [asyncio.create_task(store.append(each)) for each in asked]
                await asyncio.sleep(0)
                failing.failure = apsw.FullError
            outcomes = await asyncio.gather(*appending, return_exceptions=True)
            assert [type(each) for each in outcomes] == [Unavailable, Unavailable]
            failing.failure = None
            assert await store.streams() == []


@asynchronous
async def test_a_stream_is_let_go_though_the_disk_fails(tmp_path: Path) -> None:
    with disk() as failing:
        async with sqlite_at(tmp_path / "journal.db", failing) as store:
            async with store.own(1, "pit-1") as early:
                failing.failure = apsw.FullError
            failing.failure = None
            async with store.own(1, "pit-2") as late:
                assert late.epoch == early.epoch + 1


@asynchronous
async def test_a_deleted_file_is_unavailable_until_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "CHECK_NS", 0)
    path, away = tmp_path / "journal.db", tmp_path / "away.db"
    async with sqlite_at(path) as store:
        head = await append_next(store, EMPTY)
        path.rename(away)
        with pytest.raises(Unavailable, match=r"cannot be written: .*No such file.*journal\.db"):
            await append_next(store, head)
        path.touch()
        with pytest.raises(Unavailable, match=r"journal\.db is not the file that was opened"):
            await append_next(store, head)
        away.rename(path)
        head = await append_next(store, head)
        assert head.seq == 2


@asynchronous
async def test_another_process_that_writes_for_too_long_makes_it_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_MS", 20)
    path = tmp_path / "journal.db"
    async with sqlite_at(path) as store:
        with closing(apsw.Connection(str(path))) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(Unavailable, match="locked"):
                await append_next(store, EMPTY)
        assert (await append_next(store, EMPTY)).seq == 1


# --- Backups ---


@asynchronous
async def test_a_backup_is_whole_though_writing_goes_on(tmp_path: Path) -> None:
    async with sqlite_at(tmp_path / "journal.db") as store:
        head = await store.append(on_floor(EMPTY, *chain(EMPTY, [""] * 3_000, stream=FLOOR)))
        copying = asyncio.create_task(store.backup(str(tmp_path / "copy.db")))
        written = head
        while not copying.done():
            written = await append_next(store, written)
        await copying
        assert await is_intact(store, FLOOR)
    async with sqlite_at(tmp_path / "copy.db") as copy:
        assert await is_intact(copy, FLOOR)
        assert head.seq <= (await copy.head(FLOOR)).seq <= written.seq
    assert plain_sql(tmp_path / "copy.db", "PRAGMA integrity_check") == [("ok",)]


@asynchronous
async def test_a_backup_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("the backup of yesterday")
    async with sqlite_at(tmp_path / "journal.db") as store:
        for target in tmp_path / "copy.db", tmp_path / "journal.db", tmp_path / "nowhere" / "copy.db":
            with pytest.raises(Unavailable, match="cannot be copied to"):
                await store.backup(str(target))
        assert (tmp_path / "copy.db").read_text() == "the backup of yesterday"
        assert (await append_next(store, EMPTY)).seq == 1


# --- Plain SQL ---


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A file with a floor record, and a table's bet, win and two tickets of which one was redeemed."""
    path = tmp_path / "journal.db"

    async def play() -> None:
        async with sqlite_at(path) as store, store.own(1, "pit-1") as lease:
            events = b'[{"event":"bet_placed","seat":1},{"event":"ticket_printed","number":"0012"}]'
            first = entry(
                EMPTY, command="c-1", events=events, moves=(bet(500), Move("seat:1:credit", "tickets", 250)),
                claims=("ticket:0012:issued", "ticket:0034:issued"),
            )  # fmt: skip
            second = entry(first.record.head, actor="house", moves=(Move("house", "seat:1:felt", 700),))
            await store.append(batch(lease, EMPTY, first, second))
            redeemed = entry(EMPTY, stream=FLOOR, actor="badge-12", claims=("ticket:0034:redeemed",))
            await store.append(on_floor(EMPTY, redeemed))

    asyncio.run(play())
    return path


def test_events_are_rows_of_json(played: Path) -> None:
    assert plain_sql(played, "SELECT * FROM event WHERE stream = 1 ORDER BY seq, n") == [
        (1, 1, 1_700_000_000_001, "seat:1", "c-1", 0, "bet_placed", '{"event":"bet_placed","seat":1}'),
        (
            1,
            1,
            1_700_000_000_001,
            "seat:1",
            "c-1",
            1,
            "ticket_printed",
            '{"event":"ticket_printed","number":"0012"}',
        ),
        (1, 2, 1_700_000_000_002, "house", None, 0, "bet_placed", '{"event":"bet_placed","seat":1}'),
    ]


def test_balances_are_the_moves_added_up(played: Path) -> None:
    assert plain_sql(played, "SELECT stream, account, cents FROM balance ORDER BY account") == [
        (1, "house", -700),
        (1, "seat:1:credit", -750),
        (1, "seat:1:felt", 1_200),
        (1, "tickets", 250),
    ]


def test_tickets_that_were_issued_and_not_redeemed_are_outstanding(played: Path) -> None:
    found = plain_sql(played, "SELECT number, stream, seq, at_ms FROM ticket_outstanding")
    assert found == [("0012", 1, 1, 1_700_000_000_001)]


@pytest.mark.parametrize("table", ["journal", "move", "claim"])
@pytest.mark.parametrize("change", ["UPDATE {} SET seq = 99", "DELETE FROM {}"])
def test_what_happened_cannot_be_changed_or_deleted(played: Path, table: str, change: str) -> None:
    before = plain_sql(played, f"SELECT * FROM {table}")
    with pytest.raises(apsw.ConstraintError, match="append-only"):
        plain_sql(played, change.format(table))
    assert plain_sql(played, f"SELECT * FROM {table}") == before


def test_cents_are_whole(played: Path) -> None:
    with pytest.raises(apsw.ConstraintError, match="cannot store REAL value in INTEGER column"):
        plain_sql(played, "INSERT INTO move VALUES (1, 3, 'house', 'cash', 0.5)")
