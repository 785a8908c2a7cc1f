"""The page about the schema: it names every table, view and column, and its queries give right answers."""

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from stickman.floor import journal
from stickman.store.store import EMPTY, Batch
from stickman.table import messages as m
from stickman.table import script
from stickman.table.script import Played
from tests.store.contract import opened

HERE = Path(__file__).parent
PAGE = (HERE.parent / "docs" / "schema.md").read_text("utf-8")
SESSIONS = {
    stream: script.play((HERE / "playthroughs" / f"{name}.txt").read_text("utf-8"))
    for stream, name in enumerate(("cash-desk", "side-games", "progressives"), start=1)
}
DAY_MS = 86_400_000


async def keep(url: str, stream: int, played: Played) -> None:
    """Write a session into a journal, a record for each of its lines."""
    async with opened(url) as store, store.own(stream, "pit-1") as lease:
        head = EMPTY
        for number, step in enumerate(step for step in played.steps if step.events):
            entry = journal.entry(head, step.events, stream=stream, at_ms=number * DAY_MS, actor="house")
            head = await store.append(Batch(stream, lease.epoch, head, (entry,)))


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[apsw.Connection]:
    file = tmp_path_factory.mktemp("schema") / "journal.db"
    for stream, played in SESSIONS.items():
        asyncio.run(keep(f"sqlite:{file}", stream, played))
    with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        yield connection


def queries(section: str) -> dict[str, str]:
    """The queries of a section of the page, by the line above each."""
    [text] = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return dict(re.findall(r"^([^\n]+):\n```sql\n(.*?)```", text, re.MULTILINE | re.DOTALL))


def answer(database: apsw.Connection, begins: str) -> list[Any]:
    [query] = [query for title, query in queries("Questions").items() if title.startswith(begins)]
    return database.execute(query).fetchall()


def test_every_query_on_the_page_is_tried() -> None:
    assert len(queries("Questions")) + len(queries("Checks")) == PAGE.count("```sql") > 10


@pytest.mark.parametrize("title", queries("Questions"))
def test_a_question_has_an_answer(database: apsw.Connection, title: str) -> None:
    assert database.execute(queries("Questions")[title]).fetchall()


@pytest.mark.parametrize("title", queries("Checks"))
def test_a_check_finds_nothing_in_a_good_journal(database: apsw.Connection, title: str) -> None:
    assert database.execute(queries("Checks")[title]).fetchall() == []


@pytest.mark.parametrize(
    ("title", "spoiling"),
    [
        ("Records that are missing", "DELETE FROM journal WHERE stream = 1 AND seq = 3"),
        ("Streams that do not end", "DELETE FROM journal WHERE stream = 2 AND seq > 5"),
        ("Streams that do not end", "UPDATE head SET digest = zeroblob(32) WHERE stream = 3"),
        ("Streams that do not end", "UPDATE head SET seq = 2, digest = (SELECT digest FROM journal WHERE seq = 2)"),
        ("Moves and claims without", "INSERT INTO move VALUES (1, 9999, 'house', 'cash', 5)"),
        ("Moves and claims without", "INSERT INTO claim VALUES ('ticket:5:issued', 7, 1)"),
        ("Seats that have less", "INSERT INTO move VALUES (1, 9999, 'seat:1:credit', 'cash', 100000000)"),
    ],
)
def test_a_check_finds_what_it_is_for(database: apsw.Connection, title: str, spoiling: str) -> None:
    [check] = [query for name, query in queries("Checks").items() if name.startswith(title)]
    triggers = database.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    database.execute("BEGIN")
    try:
        for (trigger,) in triggers:
            database.execute(f"DROP TRIGGER {trigger}")
        database.execute(spoiling)
        assert database.execute(check).fetchall()
    finally:
        database.execute("ROLLBACK")


def test_the_page_names_every_table_view_and_column(database: apsw.Connection) -> None:
    made = database.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')").fetchall()
    documented = dict(re.findall(r"^\| `(\w+)` \|[^\n]*\n\|---\|---\|\n((?:\|[^\n]*\n)+)", PAGE, re.MULTILINE))
    assert set(documented) == {name for (name,) in made}
    for name, rows in documented.items():
        said = re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in rows.splitlines()))
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
        assert sorted(said) == sorted(columns), name


# --- Right answers ---


def test_rolls_are_those_of_the_session(database: apsw.Connection) -> None:
    events = [event for step in SESSIONS[1].steps for event in step.events]
    rolled = [tuple(event.dice) for event in events if isinstance(event, m.DiceRolled)]
    assert [(one, other) for _, _, one, other in answer(database, "The last ten rolls")] == rolled[::-1][:10]


def test_accounts_are_those_of_the_sessions(database: apsw.Connection) -> None:
    total: dict[str, int] = {}
    for played in SESSIONS.values():
        for account, cents in script.end_state(played)["ledger"].items():
            total[account] = total.get(account, 0) + cents
    found = {account: cents for account, cents in answer(database, "What each account has") if cents}
    assert found == {account: cents for account, cents in total.items() if cents}


def test_the_last_credit_of_a_seat_is_what_it_ended_with(database: apsw.Connection) -> None:
    *_, (_, last_cents) = answer(database, "The credit of seat 1")
    assert last_cents == SESSIONS[1].table.credit(1)


def test_stakes_are_those_that_lay_when_bets_closed(database: apsw.Connection) -> None:
    events = [event for played in SESSIONS.values() for step in played.steps for event in step.events]
    closed = [seat for event in events if isinstance(event, m.BetsClosed) for seat in event.seats]
    total = sum((Counter(seat.handle) for seat in closed), Counter())
    assert dict(answer(database, "How much was staked")) == dict(total)
