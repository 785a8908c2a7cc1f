"""Somebody who can write to the database, and has none of the floor's keys: nothing that they write is believed.

Each attack is done with plain SQL and right digests to the journal of a real server, in SQLite and in PostgreSQL.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import asyncpg
import pytest
import structlog
from click.testing import CliRunner, Result

from stickman.cli import main
from stickman.floor import journal, staff
from stickman.floor.boxman import Boxman
from stickman.floor.events import AccountAdded, PasswordChanged, ProgramStarted, Role
from stickman.floor.office import Office
from stickman.floor.seals import open_journal
from stickman.rules.settings import load
from stickman.server.floor import LiveFloor, open_floor
from stickman.server.house import Asked
from stickman.server.pit import Accepted
from stickman.store import open_store
from stickman.store.checkpoints import CheckpointFile
from stickman.store.signing import Signer, Untrusted
from stickman.store.store import EMPTY, FLOOR, Claimed, Entry, Head, Record, chained
from stickman.table import messages as m
from stickman.table.ledger import move
from stickman.table.messages import Event
from tests.floor.evening import ask, at_table
from tests.server.process import (
    CASHIER,
    CONFIG,
    JOURNAL_KEY,
    OFFICE,
    ServerProcess,
    planned_in,
    prepare,
    seat,
    serving,
)
from tests.store.conftest import url_of
from tests.store.postgres_server import postgres_server, postgres_url  # noqa: F401 - fixtures, found by name
from tests.talk.devices import bill_stacked, ticket_held
from tests.talk.floor import slip_printed
from tests.talk.server import booked_ticket, http, screen, sign_in

FORGED = "123456789012345678"
MALLORYS = "a password of the attacker"
NOW_MS, DAY_MS = time.time_ns() // 10**6, 86_400_000
SERVE = "from stickman.cli.serve_commands import serve; serve()"
ONE_TABLE = CONFIG[: CONFIG.index("[tables.2]")]


# --- What an attacker can do ---


class Database:
    """The database, as somebody has it who may write to it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.is_sqlite = url.startswith("sqlite:")

    def tell(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a statement; parameters are $1, $2 and so on."""
        if self.is_sqlite:
            with closing(apsw.Connection(self.url.removeprefix("sqlite:"))) as db:
                db.set_busy_timeout(5_000)
                for number in range(len(values), 0, -1):
                    sql = sql.replace(f"${number}", f"?{number}")
                return list(db.execute(sql, values))

        async def told() -> list[tuple[Any, ...]]:
            session = await asyncpg.connect(self.url)
            try:
                return [tuple(row) for row in await session.fetch(sql, *values)]
            finally:
                await session.close()

        return asyncio.run(told())

    def unguard(self) -> None:
        """Take the triggers away that guard against slips."""
        if self.is_sqlite:
            for (name,) in self.tell("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
                self.tell(f"DROP TRIGGER {name}")
        else:
            for table in ("journal", "move", "claim"):
                self.tell(f"ALTER TABLE {table} DISABLE TRIGGER USER")

    def head(self, stream: int) -> Head:
        rows = self.tell("SELECT seq, digest FROM head WHERE stream = $1", stream)
        return Head(*rows[0]) if rows else EMPTY

    def forge(self, stream: int, events: Sequence[Event]) -> Record:
        """Append a record of events, digest, moves, claims, head and all; only a key is missing."""
        head = self.head(stream)
        entry = journal.entry(head, events, stream=stream, at_ms=NOW_MS, actor="house")
        self.insert(entry)
        advanced = "UPDATE head SET seq = $2, digest = $3 WHERE stream = $1"
        opened = "INSERT INTO head (stream, epoch, seq, digest, owner, expires_ms) VALUES ($1, 1, $2, $3, '', 0)"
        if not self.is_sqlite:
            opened = "INSERT INTO head (stream, seq, digest) VALUES ($1, $2, $3)"
        self.tell(advanced if head.seq or stream == FLOOR else opened, stream, *entry.record.head)
        return entry.record

    def insert(self, entry: Entry) -> None:
        record = entry.record
        self.tell(
            "INSERT INTO journal (stream, seq, at_ms, actor, body, digest) VALUES ($1, $2, $3, $4, $5, $6)",
            *(record.stream, record.seq, record.at_ms, record.actor, record.body, record.digest),
        )
        for each in entry.moves:
            self.tell(
                "INSERT INTO move (stream, seq, source, target, cents) VALUES ($1, $2, $3, $4, $5)",
                *(record.stream, record.seq, *each),
            )
        for claim in entry.claims:
            self.claim(Claimed(claim, record.stream, record.seq))

    def claim(self, claimed: Claimed) -> None:
        self.tell("INSERT INTO claim (claim, stream, seq) VALUES ($1, $2, $3)", *claimed)


def printed(number: str, cents: int) -> m.TicketPrinted:
    return m.TicketPrinted(
        seat=1, number=number, cents=cents, expires_at_ms=0, transfers=move("seat:1:credit", "tickets", cents)
    )


def opening() -> m.TableOpened:
    game = load("craps")
    return m.TableOpened(game=game, fingerprint=game.fingerprint())


@pytest.fixture(params=["sqlite", "postgres"])
def floor(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Database]:
    """A real floor of one table, and its database."""
    folder = tmp_path / "floor"
    url = "" if request.param == "sqlite" else url_of(request.param, request, tmp_path)
    config = prepare(folder, ONE_TABLE, url)
    return config, Database(url or f"sqlite:{folder / 'floor.db'}")


def stickman(*arguments: object) -> Result:
    """What an operator types."""
    return CliRunner().invoke(main, [str(each) for each in arguments])


def refused(config: Path, *options: str) -> str:
    """What a server says that refuses to start."""
    command = [sys.executable, "-c", SERVE, "--config", str(config), *options]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert ended.returncode == 1, (ended.returncode, ended.stderr)
    assert "Traceback" not in ended.stderr
    return ended.stderr


def alarms(server: ServerProcess) -> list[str]:
    lines = [json.loads(line) for line in server.log().splitlines() if line.startswith("{")]
    return [line["event"] for line in lines if line["level"] == "critical"]


async def cashed_out(live: LiveFloor, cents: int) -> str:
    """The number of a ticket that seat 1 of table 1 prints."""
    await live.ask(1, Asked(m.GiveCredit(seat=1, cents=cents), CASHIER))
    return await booked_ticket(live)


async def at_the_cage(url: str, number: str) -> tuple[int, str]:
    """What the cage says to a ticket."""
    session = await sign_in(url, OFFICE, Role.PIT_BOSS)
    paid = await http(url, "POST", f"/api/tickets/{number}/pay", {}, token=OFFICE, session=session)
    return paid.status, paid.body.decode()


async def plays_on(url: str, name: str) -> None:
    async with screen(url, seat(1, 2)) as player:
        await player.do(m.NameSeat(seat=2, name=name))


# --- Forged records ---


def test_forged_tickets_claims_and_accounts_are_believed_nowhere_and_stop_no_table(
    floor: tuple[Path, Database],
) -> None:
    """Row 6: a ticket that nobody printed, in a stream of the attacker's own, and an account that nobody made. Row
    17: a claim of no record."""
    config, database = floor
    orphan = "876543210987654321"
    with ServerProcess(config) as server:
        database.forge(77, [opening(), printed(FORGED, 2_999_00)])
        status, said = asyncio.run(at_the_cage(server.url, FORGED))
        assert status == 500, said
        assert "record 1 of stream 77 has no MAC" in said
        database.claim(Claimed(f"ticket:{orphan}:issued", 1, 10**6))
        status, said = asyncio.run(at_the_cage(server.url, orphan))
        assert status == 500, said
        assert "record 1000000 of stream 1 did not take the claim" in said
        hashed = staff.hashed(MALLORYS, bytes(staff.SALT_BYTES))
        added = AccountAdded(badge="mallory", label="M", role=Role.ADMINISTRATOR, password_hash="")
        database.forge(FLOOR, [added, PasswordChanged(badge="mallory", password_hash=hashed)])
        asyncio.run(knock(server.url))
        asyncio.run(plays_on(server.url, "plays on"))
        assert {"the journal cannot be trusted", "the floor's journal cannot be trusted"} <= {*alarms(server)}
        server.kill()
    assert "has no MAC" in refused(config)
    told = stickman("verify", database.url)
    assert (told.exit_code, "table claim" in told.output) == (1, True)


async def knock(url: str) -> None:
    """Try the forged account until the server must have read it."""
    told = {"badge": "mallory", "password": MALLORYS}
    for _ in range(4):
        answer = await http(url, "POST", "/api/sign-in", told, token=OFFICE)
        assert answer.status not in (200, 403), answer
        await asyncio.sleep(0.4)


@pytest.mark.parametrize("forged", ["ticket", "claim"])
def test_a_table_refuses_a_forged_ticket_with_an_alarm_and_goes_on(
    floor: tuple[Path, Database], forged: str
) -> None:
    """Rows 6 and 17: an assertion stopped the table."""
    config, database = floor
    if forged == "claim":
        database.claim(Claimed(f"ticket:{FORGED}:issued", 1, 10**6))

    async def insert() -> None:
        async with open_floor(planned_in(config)) as live:
            await live.served()
            if forged == "ticket":
                await asyncio.to_thread(database.forge, 77, [opening(), printed(FORGED, 2_999_00)])
            with structlog.testing.capture_logs() as told:
                answer = await live.ask(1, Asked(ticket_held(1, FORGED), "acceptor"))
            assert isinstance(answer, Accepted), answer
            assert [each.why for each in answer.events if isinstance(each, m.PaperRefused)] == ["ticket_not_good"]
            assert [line["event"] for line in told if line["log_level"] == "critical"] == [
                "a ticket cannot be checked"
            ]
            assert isinstance(await live.ask(1, Asked(m.NameSeat(seat=1, name="still here"), "seat 1")), Accepted)

    asyncio.run(insert())


def test_a_genuine_mac_is_worth_nothing_on_another_record(floor: tuple[Path, Database]) -> None:
    """A record moved to another stream, and one of which a column was changed, each with a MAC that was right."""
    _, database = floor

    async def copied() -> str:
        store = await open_journal(database.url, JOURNAL_KEY)
        try:
            with pytest.raises(Exception, match="record 1 of stream 5 has a MAC that does not fit"):
                await store.record(5, 1)
            with pytest.raises(Exception, match="record 1 of stream 0"):
                await store.record(FLOOR, 1)
        finally:
            await store.close()
        return "both refused"

    database.unguard()
    database.tell(
        "INSERT INTO journal (stream, seq, at_ms, actor, body, digest, mac)"
        " SELECT 5, seq, at_ms, actor, body, digest, mac FROM journal WHERE stream = 0 AND seq = 1"
    )
    database.tell("UPDATE journal SET actor = 'badge-4' WHERE stream = 0 AND seq = 1")
    assert asyncio.run(copied()) == "both refused"


# --- Adoption ---


def unsealed(folder: Path, database: Database, number: str) -> None:
    """A journal as it was before there were MACs, with a ticket on paper."""

    async def written() -> None:
        store = await open_store(database.url)
        office = await Office.open(store)
        await office.act(lambda _: (ProgramStarted(version="0", sha256=""),), at_ms=1, actor="house")
        await at_table(store, 1, partial(prints, number=number))
        await store.close()

    if database.is_sqlite:
        (folder / "floor.db").unlink()
    else:
        for table in ("journal", "claim", "move"):
            database.tell(f"DELETE FROM {table}")
            database.tell(f"ALTER TABLE {table} ENABLE TRIGGER USER")
        database.tell("UPDATE head SET seq = 0, digest = $1", bytes(32))
    asyncio.run(written())


async def prints(boxman: Boxman, *, number: str) -> None:
    """Let seat 1 cash 5.00 out."""
    facts = m.Facts(now_ms=NOW_MS - DAY_MS, actor="seat 1", ticket_number=number)
    await ask(boxman, bill_stacked(1, 5_00), facts)
    await ask(boxman, m.CashOut(seat=1), facts)
    await ask(boxman, slip_printed(1, number), facts)


def test_a_journal_without_macs_is_adopted_once_and_the_adoption_cannot_be_undone(
    floor: tuple[Path, Database],
) -> None:
    """Row 6: records without a MAC count only up to the heads that the adoption names, and whoever deletes the
    adoption wins nothing."""
    config, database = floor
    keys = ("--config", config)
    database.unguard()
    number = "100000000000000005"
    unsealed(config.parent, database, number)
    assert "stickman journal adopt" in refused(config)
    told = stickman("journal", "adopt", *keys)
    assert told.exit_code == 0, told.output
    assert "already" in stickman("journal", "adopt", *keys).output
    asyncio.run(played_once(config))
    end = database.head(FLOOR)
    database.unguard()
    [(last, before_it)] = database.tell(
        "SELECT one.body, other.digest FROM journal AS one JOIN journal AS other ON other.stream = one.stream"
        " AND other.seq = one.seq - 1 WHERE one.stream = 1 AND one.seq = 3"
    )
    richer = last.replace(b'"cents":500', b'"cents":299900')
    assert richer != last
    change = "UPDATE journal SET body = $1, digest = $2 WHERE stream = 1 AND seq = 3"
    database.tell(change, richer, chained(before_it, richer))
    assert "is not the one that the journal's key vouched for" in asyncio.run(_problem(database.url, number))
    database.tell(change, last, chained(before_it, last))
    assert asyncio.run(_problem(database.url, number)) == ""
    # Now the adoption itself goes, with all that came after it on the floor.
    [(adopted,)] = database.tell("SELECT seq FROM claim WHERE claim LIKE 'journal:%'")
    for table in ("journal", "claim", "move"):
        database.tell(f"DELETE FROM {table} WHERE stream = 0 AND seq >= $1", adopted)
    [(before,)] = database.tell("SELECT digest FROM journal WHERE stream = 0 AND seq = $1", adopted - 1)
    database.tell("UPDATE head SET seq = $1, digest = $2 WHERE stream = 0", adopted - 1, before)
    assert end.seq > adopted
    database.forge(FLOOR, [ProgramStarted(version="forged", sha256="")])
    assert "do not adopt it again" in refused(config)
    again = stickman("journal", "adopt", *keys)
    assert again.exit_code == 1
    assert "already have a MAC" in again.output


async def opened_once(config: Path) -> None:
    """Open the floor and close it in good order."""
    async with open_floor(planned_in(config)) as live:
        await live.served()


async def played_once(config: Path) -> None:
    """Let table 1 write a record, which has a MAC."""
    async with open_floor(planned_in(config)) as live:
        await live.served()
        assert isinstance(await live.ask(1, Asked(bill_stacked(1, 1_00), "acceptor")), Accepted)


async def _problem(url: str, number: str) -> str:
    """What reading the record of a ticket says, to somebody with the key."""
    store = await open_journal(url, JOURNAL_KEY)
    try:
        claimed = await store.claimed(f"ticket:{number}:issued")
        assert claimed
        await store.record(claimed.stream, claimed.seq)
    except journal.BadRecord as problem:
        return str(problem)
    finally:
        await store.close()
    return ""


# --- What lies beside the records ---


def test_a_bogus_snapshot_is_ignored_told_and_named_by_verify(floor: tuple[Path, Database]) -> None:
    """Row 17: the table did not open, and verify said that all was well."""
    config, database = floor
    asyncio.run(opened_once(config))
    bogus = json.dumps({"v": 2, "table": {}}).encode()
    head = database.head(1)
    database.tell("INSERT INTO snapshot (stream, seq, digest, body) VALUES (1, $1, $2, $3)", *head, bogus)
    told = stickman("verify", database.url, "--journal-key", config.parent / "journal.key")
    assert (told.exit_code, "snapshot" in told.output) == (1, True)
    with ServerProcess(config) as server:
        asyncio.run(plays_on(server.url, "opened"))
        assert any("snapshot" in alarm for alarm in alarms(server))


STRAYS = {
    "claim": "INSERT INTO claim (claim, stream, seq) VALUES ('ticket:1:issued', 9, 9)",
    "move": "INSERT INTO move (stream, seq, source, target, cents) VALUES (1, 0, 'house', 'seat:1:credit', 5)",
    "far move": "INSERT INTO move (stream, seq, source, target, cents) VALUES (1, 99999, 'house', 'cash', 5)",
    "foreign move": "INSERT INTO move (stream, seq, source, target, cents) VALUES (88, 1, 'house', 'cash', 5)",
    "shared": "INSERT INTO shared (account, stream, cents) VALUES ('progressive:nobody', 1, 0)",
    "snapshot": "INSERT INTO snapshot (stream, seq, digest, body) VALUES (66, 5, zeroes, zeroes)",
    "head": "UPDATE head SET seq = 22 WHERE stream = 1",
    "view": "DROP VIEW balance",
    "lying view": "CREATE VIEW liar AS SELECT 1 AS one",
    "index": "CREATE INDEX slow ON claim (seq)",
    "missing index": "DROP INDEX claim_record",
    "column": "ALTER TABLE journal ADD COLUMN note TEXT",
    "table": "CREATE TABLE other (one integer)",
}


NAMED = (
    *("liar", "slow", "claim_record", "journal.note", "table other", "view balance"),
    *("table claim", "table move", "table snapshot", "should end at record 22"),
)


def test_verify_accounts_for_every_row_and_for_the_schema(floor: tuple[Path, Database]) -> None:
    """Row 17: whatever no record owns, and whatever the migrations did not make, each by itself."""
    config, database = floor
    asyncio.run(opened_once(config))
    assert stickman("verify", database.url).exit_code == 0
    zeroes = f"zeroblob({32})" if database.is_sqlite else "decode('00', 'hex')"
    if database.is_sqlite:
        file = Path(database.url.removeprefix("sqlite:"))
        for what, sql in STRAYS.items():
            spoiled = file.with_name(f"{what}.db")
            shutil.copy(file, spoiled)
            Database(f"sqlite:{spoiled}").tell(sql.replace("zeroes", zeroes))
            assert stickman("verify", spoiled).exit_code == 1, what
        return
    for sql in STRAYS.values():
        database.tell(sql.replace("zeroes", zeroes))
    found = stickman("verify", database.url, "--json")
    assert found.exit_code == 1
    words = " ".join(fault["what"] for fault in json.loads(found.stdout)["faults"])
    assert [named for named in NAMED if named not in words] == []


# --- Copies, clocks, checkpoints ---


@pytest.fixture
def local(tmp_path: Path) -> Path:
    """A real floor of one table in SQLite, with checkpoints."""
    signed = ONE_TABLE + '[checkpoints]\nfile = "signed"\nkey = "signing.pem"\nevery_s = 1\n'
    config = prepare(tmp_path / "floor", signed)
    signer = Signer.generate()
    signer.save(config.parent / "signing.pem")
    signer.save_public(config.parent / "signing.pub.pem")
    return config


def test_a_restored_backup_prints_no_number_that_is_on_paper_already(tmp_path: Path) -> None:
    """Row 11: the old paper redeemed the new ticket."""
    config = prepare(tmp_path / "floor", ONE_TABLE)
    folder = config.parent

    files = ("floor.db", "floor.db-wal")

    async def first() -> str:
        async with serving(config) as (live, _):
            for file in files:
                shutil.copy(folder / file, folder / f"copy of {file}")
            return await cashed_out(live, 1_00)

    async def second(old: str) -> None:
        async with serving(config) as (live, url):
            assert await cashed_out(live, 2_900_00) != old
            status, said = await at_the_cage(url, old)
            assert status == 404, said

    old = asyncio.run(first())
    for file in files:
        shutil.copy(folder / f"copy of {file}", folder / file)
    asyncio.run(second(old))


def test_a_record_of_the_far_future_keeps_the_floor_shut_until_an_operator_says_otherwise(local: Path) -> None:
    """Row 19: the floor stayed in the year 2100 and every ticket was expired."""
    url = f"sqlite:{local.parent / 'floor.db'}"

    async def jump() -> None:
        store = await open_journal(url, JOURNAL_KEY)
        office = await Office.open(store)
        started = (ProgramStarted(version="0", sha256=""),)
        await office.act(lambda _: started, at_ms=4_102_444_800_000, actor="house")
        await store.close()

    asyncio.run(jump())
    said = refused(local)
    assert "ahead of this machine's clock" in said
    assert "stream 0" in said
    told = stickman("staff", "reset", "badge-1", "--config", local)
    assert (told.exit_code, "--despite-clock" in told.output) == (1, True)

    async def despite() -> None:
        async with open_floor(planned_in(local)._replace(despite_clock=True)) as live:
            await live.served()

    asyncio.run(despite())
    events = [row[0] for row in Database(url).tell("SELECT kind FROM event WHERE stream = 0")]
    assert events.count("clock_overridden") == 1


def test_a_journal_that_was_cut_behind_its_checkpoint_is_not_served(local: Path) -> None:
    """Who cuts the end off brings removed staff back, and tickets that were paid."""
    asyncio.run(opened_once(local))
    database = Database(f"sqlite:{local.parent / 'floor.db'}")
    database.unguard()
    [(digest,)] = database.tell("SELECT digest FROM journal WHERE stream = 0 AND seq = 1")
    database.tell("DELETE FROM journal WHERE stream = 0 AND seq > 1")
    database.tell("UPDATE head SET seq = 1, digest = $1 WHERE stream = 0", digest)
    with pytest.raises(Untrusted, match=r"cut tail at record \d+ of stream 0"):
        asyncio.run(opened_once(local))


def test_a_checkpoint_file_that_is_gone_is_not_begun_again_in_silence(local: Path) -> None:
    """Row 20."""
    folder = local.parent
    checkpoints = folder / "signed"
    verify = ("verify", folder / "floor.db", "--checkpoints", checkpoints, "--key", folder / "signing.pub.pem")
    asyncio.run(opened_once(local))
    assert stickman(*verify).exit_code == 0
    checkpoints.rename(folder / "before")
    with ServerProcess(local) as server:
        assert server.stop() == 0
        assert any("lacks checkpoints that were signed before" in alarm for alarm in alarms(server))
    assert not checkpoints.exists(), "nothing was signed"
    signer = Signer.load(folder / "signing.pem")
    _forged_file(checkpoints, signer)
    told = stickman(*verify)
    assert (told.exit_code, "noted checkpoint" in told.output) == (1, True)
    checkpoints.unlink()
    begun = stickman("journal", "begin-checkpoints", "--reason", "a new disk", "--config", local)
    assert begun.exit_code == 0, begun.output
    asyncio.run(opened_once(local))
    assert stickman(*verify).exit_code == 0


def _forged_file(path: Path, signer: Signer) -> None:
    """A younger file, by somebody who got hold of the key that signs, or kept an old copy of the file."""
    CheckpointFile(path, signer).append(1, {})


# --- Files and words ---


def test_files_of_a_floor_are_their_owners_alone_and_open_keys_are_refused(local: Path) -> None:
    """Row 21: under a umask that lets everybody read."""
    folder = local.parent
    (folder / "floor.db").unlink()
    mask = os.umask(0o022)
    try:
        with ServerProcess(local) as server:
            assert stickman("backup", folder / "floor.db", folder / "copy.db").exit_code == 0
            modes = {file.name: file.stat().st_mode & 0o077 for file in folder.glob("*.db*")}
            assert server.stop() == 0
    finally:
        os.umask(mask)
    assert {"floor.db", "floor.db-wal", "floor.db.stream-1.lock", "copy.db"} <= modes.keys()
    assert set(modes.values()) == {0}, modes
    for name in ("ticket.key", "journal.key", "signing.pem"):
        (folder / name).chmod(0o644)
        said = stickman("serve", "--config", local)
        assert (said.exit_code, name in said.output, "0600" in said.output) == (1, True, True), said.output
        (folder / name).chmod(0o600)
    with_password = local.read_text().replace("sqlite:floor.db", "postgresql://floor:hunter2@127.0.0.1:1/floor")
    local.write_text(with_password)
    local.chmod(0o644)
    said = stickman("serve", "--config", local)
    assert "may read the database's password" in said.output
    assert "hunter2" not in said.output


@pytest.mark.parametrize("scheme", ["postgers", "postgresql+asyncpg", "http"])
def test_no_message_shows_the_password_of_a_database(local: Path, scheme: str) -> None:
    """Row 27: a misspelt scheme."""
    url = f"{scheme}://floor:hunter2@127.0.0.1:1/floor"
    told = [
        stickman("verify", url),
        stickman("backup", url, local.parent / "copy"),
        stickman("staff", "list", "--db", url, "--journal-key", local.parent / "journal.key"),
        stickman("serve", "--config", local, "--db", url),
    ]
    for each in told:
        assert each.exit_code, each.output
        assert "hunter2" not in each.output + each.stderr


def test_the_demonstration_is_never_played_on_a_real_floor(local: Path) -> None:
    """Row 28: neither by its configuration nor by its journal, and nothing is written."""
    folder = local.parent
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    told = stickman("serve", "--demo", "--folder", folder, "--port", 0)
    assert (told.exit_code, "the configuration of a real floor" in told.output) == (1, True), told.output
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    local.write_text("demo = true\n" + local.read_text())
    told = stickman("serve", "--demo", "--folder", folder, "--port", 0)
    assert (told.exit_code, "the journal of a real floor" in told.output) == (1, True), told.output
    with closing(sqlite3.connect(folder / "floor.db")) as db:
        assert db.execute("SELECT count(*) FROM journal").fetchone() == (1,)
    told = stickman("serve", "--config", local)
    assert (told.exit_code, "the configuration of a demonstration" in told.output) == (1, True), told.output
