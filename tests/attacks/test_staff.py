"""What people without a password, and staff who collude, try at a real server: lock everybody out, use one approval
for two deeds, act alone where two are needed, go on after their account has ended, pass for the house."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import InvalidStatus

from stickman.floor.events import (
    LOWEST,
    AccountAdded,
    AttemptsRefused,
    FloorEvent,
    PasswordChanged,
    Role,
    SignedIn,
    SignInFailed,
)
from stickman.floor.journal import events_of
from stickman.floor.office import Office
from stickman.floor.seals import open_journal
from stickman.server.desk import DESK
from stickman.store.store import FLOOR
from stickman.table import messages as m
from stickman.table.messages import Event, Request
from tests.floor.evening import awaited
from tests.server.process import (
    BADGES,
    JOURNAL_KEY,
    OFFICE,
    PASSWORD,
    ServerProcess,
    dealer,
    password_hash,
    prepare,
    seat,
)
from tests.store.postgres_server import PostgresServer
from tests.talk.server import Answer, Screen, http, line, screen, sign_in

DEALS, WATCHES, SUPERVISES, RUNS = (BADGES[role] for role in Role)
"""A badge for each role, the lowest first."""
WRONG = "not the password"
SIGNED_OUT = 4003
PATIENCE_S = 5


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    return prepare(tmp_path / "floor")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server for what does nothing to the accounts of others."""
    with ServerProcess(prepare(tmp_path_factory.mktemp("shared") / "floor")) as server:
        yield server


@pytest.fixture(scope="module")
def accounts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with pit bosses to whom things happen."""
    config = prepare(tmp_path_factory.mktemp("accounts") / "floor")
    hired: list[FloorEvent] = []
    for what in ("role", "reset", "lock", "remove", "password", "office"):
        badge = f"boss-{what}"
        hired.append(AccountAdded(badge=badge, label=badge, role=Role.PIT_BOSS, password_hash=""))
        hired.append(PasswordChanged(badge=badge, password_hash=password_hash()))
    written_before(f"sqlite:{config.parent / 'floor.db'}", *hired)
    with ServerProcess(config) as server:
        yield server


async def tries(url: str, badge: str, password: str = WRONG, at: str = OFFICE) -> Answer:
    return await http(url, "POST", "/api/sign-in", {"badge": badge, "password": password}, token=at)


async def approves(url: str, at: str, session: str, badge: str, **deed: object) -> Answer:
    """Somebody gives their password for a deed, at a terminal where somebody else is signed in."""
    told = {"badge": badge, "password": PASSWORD, **deed}
    return await http(url, "POST", "/api/approve", told, token=at, session=session)


def asked(table: int, request: Request) -> dict[str, object]:
    return {"table": table, "request": msgspec.to_builtins(request)}


@asynccontextmanager
async def funded(url: str, table: int) -> AsyncIterator[Screen]:
    """The first seat of a table, with credit."""
    async with screen(url, seat(table, 1)) as player:
        await player.funded(123)
        yield player


async def floor_events(database: str) -> list[Event]:
    store = await open_journal(database, JOURNAL_KEY)
    try:
        return [each async for record in store.records(FLOOR) for each in events_of(record)]
    finally:
        await store.close()


def written_before(database: str, *events: FloorEvent) -> None:
    """Put events into a journal that nobody serves."""

    async def write() -> None:
        store = await open_journal(database, JOURNAL_KEY)
        office = await Office.open(store)
        await office.act(lambda _: events, at_ms=2, actor="test")
        await store.close()

    asyncio.run(write())


def critical(server: ServerProcess) -> list[dict[str, Any]]:
    lines = [json.loads(text) for text in server.log().splitlines() if text.startswith("{")]
    return [told for told in lines if told["level"] == "critical"]


# --- Locking everybody out ---


@awaited
async def test_wrong_passwords_at_one_terminal_lock_nobody_out_elsewhere_and_end_no_session(floor: Path) -> None:
    with ServerProcess(floor) as server:
        session = await sign_in(server.url, OFFICE, Role.ADMINISTRATOR)
        for badge in BADGES.values():
            for _ in range(3):
                assert (await tries(server.url, badge, at=dealer(1))).status in (401, 429)
        tables = await http(server.url, "GET", "/api/staff", token=OFFICE, session=session)
        assert tables.status == 200, "a session that runs goes on"
        assert not any(account["locked"] for account in tables.json)
        health = await http(server.url, "GET", "/api/health", token=OFFICE, session=session)
        assert RUNS in {alarm["badge"] for alarm in health.json["alarms"]}
        for badge in BADGES.values():
            assert (await tries(server.url, badge, PASSWORD, at=dealer(2))).status == 200, "another terminal"
        told = critical(server)
        assert {line["badge"] for line in told if line.get("terminal")} == set(BADGES.values()), "an alarm each"
        metrics = (await http(server.url, "GET", "/metrics")).body.decode()
        assert "stickman_sign_in_alarms_total" in metrics
        events = await http(server.url, "GET", "/api/events", token=OFFICE, session=session)
        assert [line for line in events.json["events"] if line.get("alarm")]


@awaited
async def test_from_the_third_failure_even_the_right_password_waits_and_a_badge_of_nobody_tells_nothing(
    shared: ServerProcess,
) -> None:
    said = {}
    for badge in (DEALS, "nobody-has-it"):
        answers = [await tries(shared.url, badge, at=dealer(3)) for _ in range(3)]
        answers.append(await tries(shared.url, badge, PASSWORD, at=dealer(3)))
        said[badge] = [(each.status, each.json["why"]) for each in answers]
        assert 0 < answers[-1].json["detail"]["values"]["seconds"] <= 30, "it says how long"
    assert said[DEALS] == said["nobody-has-it"]
    assert said[DEALS][-1] == (429, "must_wait")


@awaited
async def test_attempts_within_a_wait_are_counted_and_not_written(floor: Path) -> None:
    database = f"sqlite:{floor.parent / 'floor.db'}"
    with ServerProcess(floor) as server:
        for _ in range(23):
            await tries(server.url, DEALS)
        assert server.stop() == 0
    found = await floor_events(database)
    assert sum(isinstance(each, SignInFailed) for each in found) == 3
    assert [each.count for each in found if isinstance(each, AttemptsRefused)] == [20]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_wait_survives_a_restart_and_runs_out_by_itself(tmp_path: Path, kind: str) -> None:
    if kind == "postgresql":
        with PostgresServer() as postgres:
            waits_through_a_restart(tmp_path, postgres.database("floor"))
    else:
        waits_through_a_restart(tmp_path, "")


def waits_through_a_restart(tmp_path: Path, database: str) -> None:
    floor = prepare(tmp_path / "floor", database=database)
    soon_ms = time.time_ns() // 1_000_000 + 2_500
    short = SignInFailed(
        badge=SUPERVISES,
        terminal="terminal-26",
        why="wrong_password",
        failures=3,
        at_ms=soon_ms - 30_000,
        until_ms=soon_ms,
    )
    fifth = SignInFailed(badge=DEALS, terminal="terminal-26", why="wrong_password", failures=5, at_ms=soon_ms)
    written_before(database or f"sqlite:{floor.parent / 'floor.db'}", short, fifth)

    async def scenario() -> None:
        with ServerProcess(floor) as server:
            assert (await tries(server.url, DEALS)).json["detail"]["values"] == {"seconds": 240}, (
                "the sixth failure"
            )
            server.kill()
            server.start()
            assert (await tries(server.url, DEALS, PASSWORD)).json["why"] == "must_wait"
            assert await gets_in(server.url, SUPERVISES)
            assert time.time_ns() // 1_000_000 >= soon_ms
            again = [(await tries(server.url, SUPERVISES)).status for _ in range(2)]
            assert again == [401, 401], "a success has cleared it"

    asyncio.run(scenario())


async def gets_in(url: str, badge: str) -> bool:
    """Whether somebody gets in with the right password, once they no longer have to wait."""
    for _ in range(20):
        answer = await tries(url, badge, PASSWORD)
        if answer.status == 200:
            return True
        assert answer.json["why"] == "must_wait"
        await asyncio.sleep(0.25)
    return False


@awaited
async def test_a_badge_that_fails_at_five_terminals_is_alarmed(floor: Path) -> None:
    now_ms = time.time_ns() // 1_000_000
    elsewhere = SignInFailed(badge=RUNS, terminal="far", why="wrong_password", failures=1, at_ms=now_ms)
    await asyncio.to_thread(written_before, f"sqlite:{floor.parent / 'floor.db'}", elsewhere)
    with ServerProcess(floor) as server:
        for place in (dealer(1), dealer(2), dealer(3)):
            await tries(server.url, RUNS, at=place)
        assert not critical(server)
        await tries(server.url, RUNS, at=OFFICE)
        assert [line["terminals"] for line in critical(server)] == [5]


@awaited
async def test_the_last_administrator_is_not_locked_by_hand_and_others_are(shared: ServerProcess) -> None:
    session = await sign_in(shared.url, OFFICE, Role.ADMINISTRATOR)

    async def locks(badge: str, what: str = "lock") -> Answer:
        return await http(shared.url, "POST", f"/api/staff/{badge}/{what}", token=OFFICE, session=session)

    assert (await locks(RUNS)).json["why"] == "last_administrator"
    assert (await locks(DEALS)).status == 200
    assert (await tries(shared.url, DEALS, PASSWORD)).json["why"] == "not_signed_in"
    assert (await locks(DEALS, "unlock")).status == 200


# --- Two people, for one deed ---


@awaited
async def test_one_approval_is_for_one_deed_and_for_who_asked(shared: ServerProcess) -> None:
    url, at = shared.url, dealer(2)
    session = await sign_in(url, at, Role.DEALER)
    right, other = m.ReverseRoll(dice=(1, 1)), m.ReverseRoll(dice=(6, 6))
    async with funded(url, 2) as player, screen(url, at, session) as deals:
        await player.bets("field", 10)
        await deals.counts("4-4")
        assert (await deals.ask(right, approver=WATCHES))["why"] == "needs_two"
        assert (await approves(url, at, "", WATCHES, **asked(2, right))).status == 401, "nobody asked"
        assert (await approves(url, at, session, DEALS, **asked(2, right))).status == 403, "one is not two"
        assert (await approves(url, at, session, WATCHES, **asked(2, right))).status == 200
        assert (await deals.ask(other, approver=WATCHES))["why"] == "needs_two", "another deed"
        done = await deals.ask(right, "void:123456789012345678", approver=WATCHES)
        assert done["type"] == "done"
        again = await deals.ask(right, "void:123456789012345678", approver=WATCHES)
        assert again == done, "the same command, asked again, is answered"
        assert (await deals.ask(other, approver=WATCHES))["why"] == "needs_two", "it is used"


@awaited
async def test_an_approval_for_a_table_voids_no_ticket_and_ends_with_the_next_sign_in(
    shared: ServerProcess,
) -> None:
    url = shared.url
    number = await asyncio.wait_for(printed(shared), PATIENCE_S)
    session = await sign_in(url, OFFICE, Role.SUPERVISOR)
    path, reason = f"/api/tickets/{number}/void", {"reason": "printed twice"}

    async def voids(session: str, reason: str = "printed twice") -> Answer:
        told = {"approver": WATCHES, "reason": reason}
        return await http(url, "POST", path, told, token=OFFICE, session=session)

    change = asked(2, m.ChangeSetting(key="odds.take", text="10x"))
    assert (await approves(url, OFFICE, session, WATCHES, **change)).status == 200
    assert (await voids(session)).json["why"] == "needs_two", "the approval was for a setting"

    deed = {"endpoint": f"POST {path}", "body": reason}
    assert (await approves(url, OFFICE, session, WATCHES, **deed)).status == 200
    assert (await voids(session, "because")).json["why"] == "needs_two", "another reason is another deed"
    session = await sign_in(url, OFFICE, Role.ADMINISTRATOR)
    assert (await voids(session)).json["why"] == "needs_two", "it was given to somebody else"
    session = await sign_in(url, OFFICE, Role.SUPERVISOR)
    assert (await voids(session)).json["why"] == "needs_two", "it has ended with the sign-in"
    assert (await approves(url, OFFICE, session, WATCHES, **deed)).status == 200
    await http(url, "POST", "/api/sign-out", token=OFFICE, session=session)
    session = await sign_in(url, OFFICE, Role.SUPERVISOR)
    assert (await voids(session)).json["why"] == "needs_two", "it has ended with the sign-out"
    assert (await approves(url, OFFICE, session, WATCHES, **deed)).status == 200
    assert (await voids(session)).status == 200


async def printed(server: ServerProcess) -> str:
    """The number of a ticket that a seat printed."""
    async with funded(server.url, 1) as player:
        return await player.cashes_out()


@awaited
async def test_a_supervisor_alone_moves_no_edge_but_changes_a_timer(shared: ServerProcess) -> None:
    url = shared.url
    session = await sign_in(url, OFFICE, Role.SUPERVISOR)
    often = m.ChangeSetting(key="power_odds.one_in", text="1")
    async with screen(url, OFFICE, session, path="/ws?table=3") as office:
        assert (await office.ask(often))["why"] == "needs_two"
        assert (await office.ask(often, approver=WATCHES))["why"] == "needs_two"
        await office.do(m.ChangeSetting(key="timers.bets_s", text="45"))
        assert (await approves(url, OFFICE, session, WATCHES, **asked(1, often))).status == 200
        assert (await office.ask(often, approver=WATCHES))["why"] == "needs_two", "that was for another table"
        assert (await approves(url, OFFICE, session, WATCHES, **asked(3, often))).status == 200
        assert (await office.ask(often, approver=WATCHES.upper()))["type"] == "done"


# --- Sessions that end ---


@awaited
async def test_a_session_and_its_lines_end_at_once_with_what_happens_to_its_account(
    accounts: ServerProcess,
) -> None:
    url, at = accounts.url, dealer(2)
    runs = await sign_in(url, OFFICE, Role.ADMINISTRATOR)

    async def ends(what: str, body: object = None) -> None:
        badge = f"boss-{what}"
        session = (await tries(url, badge, PASSWORD, at)).cookies["stickman_staff"]
        async with screen(url, at, session) as deals:
            assert (await deals.ask(m.PauseTable()))["type"] == "done", what
            path = f"/api/staff/{badge}/{what}"
            assert (await http(url, "POST", path, body, token=OFFICE, session=runs)).status == 200
            assert (await http(url, "GET", "/api/tables", token=at, session=session)).status == 401, what
            assert await hung_up(deals) == SIGNED_OUT
        async with screen(url, at, session) as again:
            assert (await again.ask(m.ResumeTable()))["why"] == "nobody_signed_in"
        resumes = await sign_in(url, at, Role.ADMINISTRATOR)
        async with screen(url, at, resumes) as back:
            await back.do(m.ResumeTable())

    await ends("role", {"role": "supervisor"})
    await ends("reset")
    await ends("lock")
    await ends("remove")


async def hung_up(screen: Screen) -> int | None:
    """The code with which the server closes a line."""
    async with asyncio.timeout(PATIENCE_S):
        await screen.socket.wait_closed()
    return screen.socket.close_code


@awaited
async def test_a_new_password_ends_the_other_sessions_of_its_badge_and_their_lines(accounts: ServerProcess) -> None:
    url = accounts.url
    badge = "boss-password"
    here = (await tries(url, badge, PASSWORD, dealer(1))).cookies["stickman_staff"]
    there = (await tries(url, badge, PASSWORD)).cookies["stickman_staff"]
    async with screen(url, OFFICE, there, path="/ws?table=1") as office:
        told = {"badge": badge, "password": PASSWORD, "new": "nine grey pigeons under a bridge"}
        assert (await http(url, "POST", "/api/password", told, token=dealer(1), session=here)).status == 200
        assert await hung_up(office) == SIGNED_OUT
    assert (await http(url, "GET", "/api/tables", token=OFFICE, session=there)).status == 401
    assert (await http(url, "GET", "/api/tables", token=dealer(1), session=here)).status == 200


@awaited
async def test_the_line_of_the_office_takes_the_role_of_its_page_as_long_as_it_is_open(
    accounts: ServerProcess,
) -> None:
    url = accounts.url
    session = await sign_in(url, OFFICE, Role.DEALER)
    with pytest.raises(InvalidStatus) as denied:
        async with line(url, OFFICE, session, "/ws?table=1"):
            pass
    assert denied.value.response.status_code == 403
    session = (await tries(url, "boss-office", PASSWORD)).cookies["stickman_staff"]
    async with screen(url, OFFICE, session, path="/ws?table=1") as office:
        assert office.view["screen"] == "office"
        runs = await sign_in(url, dealer(1), Role.ADMINISTRATOR)
        lower = {"role": "dealer"}
        await http(url, "POST", "/api/staff/boss-office/role", lower, token=dealer(1), session=runs)
        assert await hung_up(office) == SIGNED_OUT
    async with screen(url, dealer(1), path="/ws?table=2") as deals:
        assert deals.view["screen"] == "dealer", (
            "a dealer's terminal shows its own table, as a dealer's screen does"
        )
        assert not {"accounts", "cash_meters", "play_meters"} & deals.view.keys()


BODIES = {"table:int": "9", "seq:int": "9", "number": "1", "terminal": "none", "badge": "none"}
"""Things that there are not, so that nothing is done by whoever may."""


def address(endpoint: str) -> tuple[str, str]:
    method, _, path = endpoint.partition(" ")
    for name, value in BODIES.items():
        path = path.replace(f"{{{name}}}", value)
    return method, path + ("?form=none" if path == "/api/report" else "")


@awaited
async def test_every_endpoint_asks_for_its_role_and_for_a_session_that_has_not_ended(shared: ServerProcess) -> None:
    url = shared.url

    async def statuses(session: str, at: str = OFFICE) -> dict[str, int]:
        found = {}
        for endpoint in DESK:
            method, path = address(endpoint)
            body = b"no body" if method == "POST" else None
            found[endpoint] = (await http(url, method, path, body, token=at, session=session)).status
        return found

    ended = ""
    for role in Role:
        session = await sign_in(url, OFFICE, role)
        for endpoint, status in (await statuses(session)).items():
            may = role >= LOWEST[DESK[endpoint].act]
            assert (status not in (401, 403)) == may, (endpoint, role, status)
            assert status < 500, (endpoint, role, status)
        ended = session
    await http(url, "POST", "/api/sign-out", token=OFFICE, session=ended)
    assert set((await statuses(ended)).values()) == {401}
    assert set((await statuses("")).values()) == {401}
    assert set((await statuses(ended, seat(1, 1))).values()) == {403}
    assert set((await statuses(ended, "no-such-token")).values()) == {401}
    told = {"badge": WATCHES, "password": PASSWORD, **asked(1, m.PauseTable())}
    assert (await http(url, "POST", "/api/approve", told, token=OFFICE, session=ended)).status == 401
    assert (await http(url, "GET", "/api/place", token=OFFICE, session=ended)).json["staff"] is None


# --- Badges ---


@awaited
async def test_no_badge_passes_for_the_house_or_for_somebody_else(shared: ServerProcess) -> None:
    session = await sign_in(shared.url, OFFICE, Role.ADMINISTRATOR)

    async def adds(badge: str) -> str:
        told = {"badge": badge, "label": "Somebody", "role": "dealer"}
        answer = await http(shared.url, "POST", "/api/staff", told, token=OFFICE, session=session)
        return str(answer.json.get("why", "added"))

    for badge in ("house", "TERMINAL", "seat-3", "terminal-4", "demo-1", "-boss"):
        assert await adds(badge) == "bad_badge", badge
    assert await adds(DEALS.upper()) == "badge_taken"
    assert await adds("boss-1") == "added"
    assert await adds("Boss-1") == "badge_taken"


@awaited
async def test_a_badge_signs_in_in_any_case_and_the_journal_has_its_own_spelling(floor: Path) -> None:
    database = f"sqlite:{floor.parent / 'floor.db'}"
    old = AccountAdded(badge="House", label="Old", role=Role.DEALER, password_hash="")
    chosen = PasswordChanged(badge="House", password_hash=password_hash())
    await asyncio.to_thread(written_before, database, old, chosen)
    with ServerProcess(floor) as server:
        answer = await tries(server.url, DEALS.upper(), PASSWORD)
        assert answer.json["badge"] == DEALS
        assert (await tries(server.url, "House", PASSWORD)).status == 200, "accounts of old journals remain valid"
        last = [await tries(server.url, WATCHES.upper()) for _ in range(3)][-1]
        assert last.json["why"] == "must_wait"
        assert (await tries(server.url, WATCHES, PASSWORD)).json["why"] == "must_wait", "one badge, one wait"
        server.stop()
    badges = [each.badge for each in await floor_events(database) if isinstance(each, SignedIn)]
    assert badges == [DEALS, "House"]
