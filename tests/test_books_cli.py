"""The commands that read a journal: what they print, how they end, and that nothing ends in a traceback."""

from __future__ import annotations

import asyncio
import csv
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import click
import msgspec
import pytest
from click.testing import CliRunner, Result

from stickman.cli import books_commands
from stickman.cli.books_commands import COMMANDS
from stickman.floor import events as e
from stickman.floor.boxman import Boxman, NewRecord
from stickman.floor.journal import from_text
from stickman.paper.report_page import SECTIONS, rows, written
from stickman.store import open_store
from stickman.store.checkpoints import CheckpointFile, sign_heads
from stickman.store.signing import Signer
from stickman.store.store import Head, Store
from stickman.table.state import Table
from tests.floor.evening import STARTS_MS, at_table, busy
from tests.floor.scripted import EVENING, SECRETS, staffed
from tests.floor.scripted import written as play
from tests.paper.wellformed import Page
from tests.playthroughs.update import SCRIPTS
from tests.store.postgres_server import postgres_server, postgres_url  # noqa: F401 - fixtures, found by name

[PROGRESSIVES] = [path for path in SCRIPTS if path.stem == "progressives"]


class Journal(NamedTuple):
    """A journal in a file, and where its checkpoints and their key are."""

    file: Path
    checkpoints: Path
    key: Path
    heads: dict[int, Head]
    tables: list[Table]
    """Table 3 after each of its records, as its boxman had it."""


@pytest.fixture(scope="module")
def written_once(tmp_path_factory: pytest.TempPathFactory) -> Journal:
    """The floor with its staff, an evening that can be added up by hand, meters that are hit, and random play."""
    folder = tmp_path_factory.mktemp("books")
    signer = Signer.generate()
    signer.save_public(folder / "key.pub.pem")

    tables: list[Table] = []

    async def watched(boxman: Boxman) -> None:
        tables.append(boxman.table)
        write = boxman.write

        async def kept(records: Sequence[NewRecord], table: Table) -> None:
            await write(records, table)
            tables.append(boxman.table)

        boxman.write = kept  # type: ignore[method-assign] # to see each table that is written
        await busy(3, steps=90)(boxman)

    async def play_all() -> dict[int, Head]:
        store = await open_store(str(folder / "journal.db"))
        await staffed(store)
        await play(store, EVENING, 1)
        await play(store, PROGRESSIVES.read_text("utf-8"), 2)
        assert await sign_heads(store, CheckpointFile(folder / "checkpoints", signer), STARTS_MS) == []
        await at_table(store, 3, watched)
        heads = {stream: await store.head(stream) for stream in await store.streams()}
        await store.close()
        return heads

    heads = asyncio.run(play_all())
    return Journal(folder / "journal.db", folder / "checkpoints", folder / "key.pub.pem", heads, tables)


@pytest.fixture
def journal(written_once: Journal, tmp_path: Path) -> Journal:
    """A copy that a test may spoil."""
    file = tmp_path / "journal.db"
    shutil.copy(written_once.file, file)
    return written_once._replace(file=file)


@click.group()
def main() -> None:
    """Only the commands that read a journal."""


for command in COMMANDS:
    main.add_command(command)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def printed(*arguments: object) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def as_json(*arguments: object) -> Any:
    return json.loads(printed(*arguments, "--json"))


def refused(*arguments: object, code: int = 1) -> str:
    """The message of a command that cannot be carried out: no traceback, nothing on standard output."""
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


@contextmanager
def spoiling(file: Path) -> Iterator[apsw.Connection]:
    """The database as its owner has it, who can take the triggers away, and put them back."""
    with closing(apsw.Connection(str(file))) as db:
        triggers = list(db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"))
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        yield db
        for _, sql in triggers:
            db.execute(sql)


# --- verify ---


def test_a_whole_journal_is_proven_with_its_heads(journal: Journal) -> None:
    text = printed("verify", journal.file)
    assert f"The journal is intact: {sum(head.seq for head in journal.heads.values())} records." in text
    for head in journal.heads.values():
        assert head.digest.hex() in text
    assert "needs --checkpoints and --key" in text
    plain = as_json("verify", journal.file)
    assert (plain["whole"], plain["faults"], plain["checkpoint"]) == (True, [], None)
    assert {each["stream"]: each["seq"] for each in plain["streams"]} == {
        stream: head.seq for stream, head in journal.heads.items()
    }


DAMAGE = {
    "a changed byte": "UPDATE journal SET body = CAST(replace(CAST(body AS TEXT), 'seat', 'seal') AS BLOB)"
    " WHERE stream = 1 AND seq = 6",
    "a removed record": "DELETE FROM journal WHERE stream = 1 AND seq = 6",
    "another actor": "UPDATE journal SET actor = 'badge-99' WHERE stream = 1 AND seq = 6",
    "another amount": "UPDATE move SET cents = cents + 1 WHERE stream = 1 AND seq = 6",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_the_first_bad_record_is_named_and_the_exit_code_is_1(journal: Journal, damage: str) -> None:
    with spoiling(journal.file) as db:
        db.execute(DAMAGE[damage])
    result = run("verify", journal.file)
    assert result.exit_code == 1
    assert "Bad: record 6 of stream 1: " in result.stdout
    plain = json.loads(run("verify", journal.file, "--json").stdout)
    fault, *others = plain["faults"]
    assert (fault["stream"], fault["seq"]) == (1, 6)
    assert all("has a row for it" in other["what"] for other in others), "what a removed record leaves behind"
    assert (plain["whole"], plain["proven"]) == (False, [])
    assert {each["stream"]: each["seq"] for each in plain["streams"]}[1] == 5


def test_with_checkpoints_it_says_what_they_prove_and_what_not(journal: Journal) -> None:
    signed = ("--checkpoints", journal.checkpoints, "--key", journal.key)
    plain = as_json("verify", journal.file, *signed)
    assert plain["checkpoint"] == {"number": 1, "at_ms": STARTS_MS, "torn": ""}
    assert any("Nothing up to checkpoint 1" in sentence for sentence in plain["proven"])
    later = f"That none of the {journal.heads[3].seq} records after checkpoint 1"
    assert plain["not_proven"][0].startswith(later)
    assert later in printed("verify", journal.file, *signed)


def test_a_tail_cut_off_with_its_head_is_found_by_the_checkpoint(journal: Journal) -> None:
    last = journal.heads[1].seq
    with spoiling(journal.file) as db:
        [(digest,)] = db.execute("SELECT digest FROM journal WHERE stream = 1 AND seq = ?", (last - 1,))
        for table in ("journal", "move", "claim"):
            db.execute(f"DELETE FROM {table} WHERE stream = 1 AND seq = ?", (last,))
        db.execute("UPDATE head SET seq = ?, digest = ? WHERE stream = 1", (last - 1, digest))
    assert run("verify", journal.file).exit_code == 0
    result = run("verify", journal.file, "--checkpoints", journal.checkpoints, "--key", journal.key)
    assert result.exit_code == 1
    assert f"record {last} of stream 1: cut tail, by checkpoint 1" in result.stdout


def test_checkpoints_need_their_key(journal: Journal, tmp_path: Path) -> None:
    assert "go together" in refused("verify", journal.file, "--checkpoints", journal.checkpoints, code=2)
    assert "go together" in refused("verify", journal.file, "--key", journal.key, code=2)
    Signer.generate().save_public(tmp_path / "other.pem")
    said = refused("verify", journal.file, "--checkpoints", journal.checkpoints, "--key", tmp_path / "other.pem")
    assert "unknown key" in said
    (tmp_path / "none").touch()
    signed = ("--checkpoints", tmp_path / "none", "--key", journal.key)
    assert "found no checkpoint" in refused("verify", journal.file, *signed)


def test_a_line_that_was_never_finished_is_told(journal: Journal, tmp_path: Path) -> None:
    torn = tmp_path / "torn"
    torn.write_bytes(journal.checkpoints.read_bytes() + b'{"number":2')
    plain = as_json("verify", journal.file, "--checkpoints", torn, "--key", journal.key)
    assert "never finished" in plain["checkpoint"]["torn"]
    assert plain["checkpoint"]["torn"] in plain["not_proven"]


def test_ctrl_c_ends_it_with_how_far_it_got(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    async def interrupted(
        store: Store, checkpoint: object, progress: Callable[[int, int], None], **others: object
    ) -> None:
        del store, checkpoint, others
        progress(0, 12)
        progress(1, 1_000)
        raise KeyboardInterrupt

    monkeypatch.setattr(books_commands, "check", interrupted)
    said = refused("verify", journal.file, code=130)
    assert "interrupted. Read so far: the floor up to record 12, table 1 up to record 1,000." in said


# --- Opening ---


@pytest.fixture(params=["verify", "replay", "report", "export"])
def asking(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[object], tuple[object, ...]]:
    """Each command, on some journal."""
    beside = {"replay": ("1",), "export": ("--out", tmp_path / "out")}
    return lambda db: (request.param, db, *beside.get(request.param, ()))


Asking = Callable[[object], tuple[object, ...]]


def test_reading_makes_no_journal(asking: Asking, tmp_path: Path) -> None:
    for db in (tmp_path / "none.db", f"sqlite:{tmp_path}/none.db", tmp_path, "memory:"):
        assert "there is no journal; allowed: the path of one, or postgresql://…" in refused(*asking(db), code=2)
    assert not (tmp_path / "none.db").exists()


def test_what_is_no_journal_is_left_as_it_was(asking: Asking, tmp_path: Path) -> None:
    text, empty, other = tmp_path / "text.db", tmp_path / "empty.db", tmp_path / "other.db"
    text.write_text("not a database at all, but longer than a header of one would be: " * 4)
    empty.touch()
    with closing(apsw.Connection(str(other))) as db:
        db.execute("CREATE TABLE guests (name TEXT)")
    before = other.read_bytes()
    assert "is not a journal" in refused(*asking(text), code=2)
    assert "no journal" in refused(*asking(empty), code=2)
    assert "another program" in refused(*asking(other), code=2)
    assert (empty.read_bytes(), other.read_bytes()) == (b"", before)


def test_a_database_that_cannot_be_reached_is_named_without_its_password(asking: Asking) -> None:
    said = refused(*asking("postgresql://stickman:secret@127.0.0.1:1/none"), code=2)
    assert "cannot be reached" in said
    assert "secret" not in said
    refused(*asking("postgresql://["), code=2)


@pytest.mark.parametrize("share", [3, 5, 8])
def test_a_file_cut_short_is_bad_and_no_traceback(journal: Journal, asking: Asking, share: int) -> None:
    os.truncate(journal.file, journal.file.stat().st_size * share // 10 // 4096 * 4096)
    result = run(*asking(journal.file))
    assert result.exit_code in (1, 2)
    assert isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output


# --- replay ---


def test_any_moment_of_a_table_is_as_the_boxman_had_it(written_once: Journal) -> None:
    for seq, table in enumerate(written_once.tables, 1):
        moment = as_json("replay", written_once.file, 3, "--at", seq)
        assert (moment["seq"], moment["table"]) == (seq, 3)
        assert msgspec.convert(moment["state"], Table, dec_hook=from_text, str_keys=True) == table
    assert as_json("replay", written_once.file, 3)["seq"] == len(written_once.tables) > 30


def test_a_moment_is_found_by_its_time(written_once: Journal) -> None:
    """The evening's lines are a second apart; the first roll is line 10 and record 8."""
    for at, seq in (
        (STARTS_MS + 9_999, 7),
        (STARTS_MS + 10_000, 8),
        ("2030-03-17T17:46:50", 8),
        ("2999-01-01", 18),
    ):
        assert as_json("replay", written_once.file, 1, "--at-time", at)["seq"] == seq
    assert "no record yet at 1999-12-31 22:00:00" in refused(
        "replay", written_once.file, 1, "--at-time", "2000-01-01T00:00+02:00"
    )


def test_a_moment_can_be_read(written_once: Journal) -> None:
    text = printed("replay", written_once.file, 1, "--at", 11)
    assert "Craps, table 1 after record 11" in text
    assert "the puck is on 6, 1 rolled in this hand" in text
    assert "last rolls, newest last: 4-2" in text
    assert "seat 1  $78.00 credit, $42.00 on the felt" in text
    for wager in ("Pass $10.00 (point 6, locked)", "Pass odds $20.00 (point 6)", "Place 8 $12.00"):
        assert wager in text
    assert "seat 2  $35.00 credit" in text


def test_the_records_that_led_there_are_told_in_the_words_of_a_dealer(written_once: Journal) -> None:
    text = printed("replay", written_once.file, 1, "--at", 10, "--follow", 3, "--events")
    assert [line for line in text.splitlines() if line.startswith(">")] == [
        "> record 8, 2030-03-17 17:46:50 by house",
        "> record 9, 2030-03-17 17:46:51 by house",
        "> record 10, 2030-03-17 17:46:52 by house",
    ]
    assert "Seat 2 loses $5.00 on Field." in text
    assert "easy six, point is six" in text
    assert '{"event":"bet_placed",' in text
    plain = as_json("replay", written_once.file, 1, "--at", 10, "--follow", 3, "--events")
    assert [each["seq"] for each in plain["followed"]] == [8, 9, 10]
    assert plain["followed"][2]["said"][0] == "Seat 1 bets $12.00 on Place 8."
    assert plain["events"][0]["event"] == "bet_placed"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((9,), "found table 9; allowed: 1, 2, 3"),
        ((0,), "0 is not in the range"),
        ((1, "--at", 19), "found record 19; allowed: 1 to 18, the last of table 1"),
        ((1, "--at", 0), "0 is not in the range"),
        ((1, "--at", 1, "--at-time", "2030-01-01"), "--at or --at-time, not both"),
        ((1, "--at-time", "noon"), "'noon' is not a time such as 2026-01-31"),
        ((1, "--at-time", "99999999999999999"), "is not a time such as"),
    ],
)
def test_a_moment_that_is_not_there_is_refused_in_a_line(
    written_once: Journal, arguments: tuple[object, ...], said: str
) -> None:
    result = run("replay", written_once.file, *arguments)
    assert result.exit_code in (1, 2)
    assert said in result.stderr


def test_a_broken_journal_is_replayed_up_to_the_break(journal: Journal) -> None:
    with spoiling(journal.file) as db:
        db.execute(DAMAGE["a changed byte"])
    assert as_json("replay", journal.file, 1, "--at", 5)["seq"] == 5
    assert "record 6 of stream 1 does not follow" in refused("replay", journal.file, 1)
    assert "record 6 of stream 1" in refused("report", journal.file)


# --- report ---


def test_the_report_can_be_read(written_once: Journal) -> None:
    text = printed("report", written_once.file, "--table", 1)
    assert "Report of table 1" in text
    [row] = [line.split() for line in text.splitlines() if line.startswith(" pass ")]
    assert row == ["pass", "$10.00", "1", "0", "0", "$10.00", "$0.00", "−$10.00", *row[8:]]
    assert row[8:11] == ["200.00%", "200.00%", "98.59%"]
    for figure in ("$160.00", "$168.00", "$77.00", "−$17.00", "−22.08%"):
        assert figure in text


def test_json_csv_and_html_agree(written_once: Journal, tmp_path: Path) -> None:
    files = ("--csv", tmp_path / "csv", "--html", tmp_path / "page.html")
    plain = as_json("report", written_once.file, *files)
    page = Page((tmp_path / "page.html").read_text("utf-8"))
    assert len(plain["bets"]) > 8
    for name, value in {**plain, "scope": [plain["scope"]]}.items():
        if not isinstance(value, list):
            continue
        with (tmp_path / "csv" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            found = list(csv.DictReader(file))
        assert found == [{key: "" if v is None else str(v) for key, v in row.items()} for row in value], name
    assert {file.stem for file in (tmp_path / "csv").iterdir()} >= set(SECTIONS) - {"play"}
    for name, section in SECTIONS.items():
        for row in rows(plain, name):
            assert all(written(row, field) in page.text for field in section.columns), name


def test_a_report_keeps_to_its_period(written_once: Journal) -> None:
    whole = as_json("report", written_once.file, "--table", 1)
    for option in (("--seq", "..10"), ("--until", STARTS_MS + 13_000), ("--until", "2030-03-17T17:46:53")):
        part = as_json("report", written_once.file, "--table", 1, *option)
        assert [each["last_seq"] for each in part["streams"]] == [10]
        assert part["money"][0]["rolls"] == 1
    rest = as_json("report", written_once.file, "--table", 1, "--seq", "11..")
    assert rest["money"][0]["rolls"] == 4
    assert Fraction(whole["bets"][0]["exact"]) == 1 - Fraction(7, 495)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--table", 9), "found table 9; allowed: 1, 2, 3"),
        (("--since", "yesterday"), "'yesterday' is not a time such as"),
        (("--seq", "1..5"), "name it with --table"),
        (("--table", 1, "--seq", "5..1"), "'5..1' is not a range of records"),
        (("--table", 1, "--seq", ".."), "'..' is not a range of records"),
        (("--table", 1, "--seq", "first"), "'first' is not a range of records"),
        (("--html", "/nowhere/at/all.html"), "No such file or directory"),
        (("--csv", "/nowhere/at/all"), "No such file or directory"),
    ],
)
def test_a_report_that_cannot_be_made_is_refused_in_a_line(
    written_once: Journal, arguments: tuple[object, ...], said: str
) -> None:
    result = run("report", written_once.file, *arguments)
    assert result.exit_code in (1, 2)
    assert isinstance(result.exception, SystemExit)
    assert said in result.stderr


def test_nothing_secret_is_printed_or_written(written_once: Journal, tmp_path: Path) -> None:
    said = [run(command, written_once.file).output for command in ("verify", "report")]
    as_json("report", written_once.file, "--csv", tmp_path / "csv", "--html", tmp_path / "csv.html")
    as_json("export", written_once.file, "--out", tmp_path / "out")
    said += [file.read_text("utf-8") for file in tmp_path.rglob("*") if file.is_file()]
    assert len(said) > 20
    for text in said:
        assert not [secret for secret in SECRETS if secret in text]
    reports = [text for text in said if not text.startswith("{")]
    assert not [name for name in e.SECRET_FIELDS for text in reports if name in text]


# --- export ---


def test_an_export_says_what_it_wrote(written_once: Journal, tmp_path: Path) -> None:
    plain = as_json("export", written_once.file, "--out", tmp_path / "out", "--format", "csv")
    assert {each["stream"]: each["digest"] for each in plain["streams"]} == {
        stream: head.digest.hex() for stream, head in written_once.heads.items()
    }
    assert (tmp_path / "out" / "records-3.csv").is_file()
    text = printed("export", written_once.file, "--table", 1, "--out", tmp_path / "one")
    assert f"Wrote {written_once.heads[1].seq} records" in text


def test_an_export_that_cannot_be_written_is_refused_in_a_line(written_once: Journal, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    assert "allowed: a new folder or an empty one" in refused(
        "export", written_once.file, "--out", tmp_path / "full"
    )
    assert "found table 9" in refused("export", written_once.file, "--table", 9, "--out", tmp_path / "out")
    assert "No such file" in refused("export", written_once.file, "--out", tmp_path / "no" / "where")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["full"]


def test_an_interrupted_export_leaves_nothing(
    written_once: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*read: object) -> None:
        if 2 in read:
            raise KeyboardInterrupt

    monkeypatch.setattr(books_commands.ProgressBar, "update", interrupt)
    assert "interrupted" in refused("export", written_once.file, "--out", tmp_path / "out", code=130)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_explains_itself(command: click.Command) -> None:
    text = printed(command.name or "", "--help")
    assert "DB" in text
    assert "--json" in text


# --- PostgreSQL ---


def test_a_journal_in_postgresql_reads_as_one_in_sqlite(
    postgres_url: str,  # noqa: F811 - the fixture
    tmp_path: Path,
) -> None:
    async def play_into(url: str) -> None:
        store = await open_store(url)
        await staffed(store)
        await play(store, EVENING, 1)
        await play(store, PROGRESSIVES.read_text("utf-8"), 2)
        await store.close()

    said = []
    for number, db in enumerate((postgres_url, str(tmp_path / "journal.db"))):
        asyncio.run(play_into(db))
        out = tmp_path / f"out-{number}"
        added = as_json("report", db)
        del added["at_ms"]  # now
        wrote = as_json("export", db, "--out", out)
        moment = as_json("replay", db, 2, "--follow", 3)
        files = {file.name: file.read_bytes() for file in out.iterdir()}
        said.append((as_json("verify", db), added, wrote["streams"], moment, files))
    assert said[0] == said[1]
    assert said[0][0]["whole"]
