"""What the office is told at the desk: who may do what, tickets, meters, papers, health. No table waits for it."""

from __future__ import annotations

import asyncio
import csv
import io
import re
import threading
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from stickman.devices.signals import DoorMoved
from stickman.floor import report as floor_report
from stickman.floor import tickets
from stickman.floor.events import LOWEST, Act, Role, Settings
from stickman.floor.tally import Scope
from stickman.paper.ticket import draw
from stickman.rules.datafile import BadFile
from stickman.rules.game import Game
from stickman.rules.settings import change, load, settings
from stickman.server import desk, limits, papers
from stickman.server.desk import DESK
from stickman.store.signing import Signer
from stickman.table import messages as m
from tests.floor.evening import awaited
from tests.server.process import BADGES, CONFIG, OFFICE, SLOW, dealer, prepare, seat, serving
from tests.talk import exactly
from tests.talk.server import Answer, Deed, Screen, approve, cage, device, http, screen, sign_in

PROGRESSIVE = f"""
database = "sqlite:floor.db"
ticket_key = "ticket.key"
journal_key = "journal.key"
port = 0

[tables.1]
game = "craps"
settings = {{ seats = 3, mode = "dealer_assisted", make_em_all = {{ on = true }}, {SLOW} }}
"""
WORDS = Path(__file__).parents[2] / "web" / "src"


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    return prepare(tmp_path / "floor")


@pytest.fixture
def progressive(tmp_path: Path) -> Path:
    return prepare(tmp_path / "floor", PROGRESSIVE)


@pytest.fixture
def signed(tmp_path: Path) -> Path:
    config = prepare(tmp_path / "floor", CONFIG + '[checkpoints]\nfile = "signed"\nkey = "key.pem"\n')
    Signer.generate().save(config.parent / "key.pem")
    return config


async def get(url: str, session: str, path: str) -> Answer:
    return await http(url, "GET", path, token=OFFICE, session=session)


# --- Who may do what ---


@awaited
async def test_everybody_is_told_what_they_may_ask_and_nothing_else(floor: Path) -> None:
    async with serving(floor) as (_, url):
        for role in Role:
            session = await sign_in(url, OFFICE, role)
            told = (await get(url, session, "/api/may")).json
            assert told["desk"] == [endpoint for endpoint, each in DESK.items() if role >= LOWEST[each.act]]
            assert ("change_setting" in told["table"]) == (role >= LOWEST[Act.CHANGE_GAME])
            assert "open_bets" not in told["table"], "bets are opened at the dealer's terminal alone"


@awaited
async def test_looking_on_keeps_no_session_awake_but_asking_does(
    floor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stickman.server.auth.IDLE_MS", 1_500)
    path = "/api/tables"
    async with serving(floor) as (_, url):

        async def asked(session: str, *, looks_on: bool) -> int:
            if looks_on:
                answer = await http(url, "GET", path, token=OFFICE, session=session, stickman_looks_on="1")
            else:
                answer = await get(url, session, path)
            return answer.status

        for looks_on, expected in ((False, 200), (True, 401)):
            session = await sign_in(url, OFFICE, Role.PIT_BOSS)
            statuses = []
            for _ in range(5):
                await asyncio.sleep(0.4)
                statuses.append(await asked(session, looks_on=looks_on))
            assert statuses[-1] == expected, statuses


# --- Tables ---


@awaited
async def test_the_office_is_told_how_each_table_stands_and_what_it_holds(floor: Path) -> None:
    async with serving(floor) as (_, url):
        boss, deals_here = await sign_in(url, OFFICE, Role.PIT_BOSS), await sign_in(url, dealer(2), Role.DEALER)
        async with (
            screen(url, seat(2, 1)) as one,
            screen(url, seat(2, 2)) as other,
            screen(url, dealer(2), deals_here) as deals,
        ):
            await one.funded(100)
            await other.funded(100)
            await one.bets("pass", 10)
            await other.bets("field", 5)
            await deals.do(m.CloseBets(), m.EnterDice(dice=(2, 4)), m.ConfirmDice(), m.OpenBets())
            told = {table["number"]: table for table in (await get(url, boss, "/api/tables")).json}
        fields = ("phase", "puck", "shooter", "players", "seats", "dealer")
        assert [told[2][each] for each in fields] == ["betting", 6, 1, 2, 3, BADGES[Role.DEALER]]
        assert told[2]["money"] == {"handle_cents": 1_500, "hold_cents": 500, "felt_cents": 1_000}
        assert [told[1][each] for each in fields] == ["betting", 0, 0, 0, 3, ""]
        assert told[1]["money"] == {"handle_cents": 0, "hold_cents": 0, "felt_cents": 0}


@awaited
async def test_the_money_of_tables_is_told_to_those_who_may_read_the_audit_menu(floor: Path) -> None:
    async with serving(floor) as (_, url):
        for role in Role:
            session = await sign_in(url, OFFICE, role)
            told = (await get(url, session, "/api/tables")).json
            assert all((table["money"] is not None) == (role >= Role.PIT_BOSS) for table in told), role


@awaited
async def test_a_table_lists_what_staff_should_see_to_and_where(floor: Path) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, OFFICE, Role.SUPERVISOR)

        async def alarms() -> dict[str, list[int]]:
            [_, table, _] = (await get(url, session, "/api/tables")).json
            return {alarm["kind"]: alarm["seats"] for alarm in table["alarms"]}

        assert list(await alarms()) == ["screen_away"]
        async with screen(url, seat(2, 2)) as player, device(url, "doors", 2, 3) as doors:
            assert (await alarms())["screen_away"] == [0, 1, 3]
            await player.do(m.CallService(seat=2))
            await doors.report(DoorMoved(door="cage_main", open=True))
            await doors.all_heard()
            async with cage(url, 2) as office:
                await office.do(m.PauseTable())
            found = await alarms()
            assert list(found) == ["lockup", "door", "service", "paused", "screen_away"]
            assert (found["lockup"], found["door"], found["service"]) == ([3], [3], [2])
        assert (await alarms())["device_away"] == [3]


# --- Tickets ---


async def cashed_out(player: Screen, times: int) -> None:
    async with device(player.url, "printer", *player.place) as printer:
        for cents in range(100, 100 + times):
            await player.funded(exactly(cents))
            await player.cashes_out(printer)


@awaited
async def test_the_last_35_tickets_of_all_tables_are_told_newest_first(floor: Path) -> None:
    async with serving(floor) as (live, url):
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        assert (await get(url, session, "/api/tickets")).json == []
        async with screen(url, seat(1, 1)) as one, screen(url, seat(3, 2)) as other:
            await cashed_out(one, 20)
            await cashed_out(other, 19)
            await cashed_out(one, 1)
        told = (await get(url, session, "/api/tickets")).json
        assert len(told) == 35
        assert [ticket["issued"]["stream"] for ticket in told] == [1, *[3] * 19, *[1] * 15]
        assert [ticket["cents"] for ticket in told[:3]] == [100, 118, 117]
        made = [tickets.origin(live.plan.ticket_keys[0], ticket["number"]) for ticket in told]
        assert [origin and origin[0] for origin in made] == [ticket["issued"]["stream"] for ticket in told]
        assert {ticket["status"] for ticket in told} == {"good"}


@awaited
async def test_a_ticket_is_drawn_as_it_was_printed(floor: Path) -> None:
    async with serving(floor) as (live, url):
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        async with screen(url, seat(1, 1)) as one, screen(url, seat(1, 2)) as other:
            await cashed_out(one, 1)
            await cashed_out(other, 3)
            await cashed_out(one, 1)
        number = (await get(url, session, "/api/tickets")).json[0]["number"]
        answer = await get(url, session, f"/api/tickets/{number}/pdf")
        found = await tickets.look_up(live.store, live.plan.ticket_keys, number, now_ms=live.clock.now_ms())
        zone = datetime.now(UTC).astimezone().tzinfo
        assert zone
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.body == draw(tickets.slip(found, Settings(), count=2, zone=zone)), "its seat's second ticket"


@pytest.mark.parametrize(("number", "status"), [("123", 400), ("x" * 18, 400), ("0" * 18, 404)])
@awaited
async def test_what_is_no_ticket_is_not_drawn(floor: Path, number: str, status: int) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        assert (await get(url, session, f"/api/tickets/{number}/pdf")).status == status


# --- Progressives ---


@awaited
async def test_a_progressive_is_told_with_what_feeds_it_and_who_hit_it(progressive: Path) -> None:
    """Make 'Em All: seed $25,000 for a $1 wager, 5% to the meter, 1% to the reserve (RULES 9, 16)."""
    async with serving(progressive) as (_, url):
        session = await sign_in(url, dealer(1), Role.PIT_BOSS)
        [before] = (await http(url, "GET", "/api/progressives", token=dealer(1), session=session)).json
        assert (before["cents"], before["seed_cents"], before["reserve_cents"]) == (2_500_000, 2_500_000, 0)
        assert (before["hits"], before["last"]) == (0, [])
        [fed] = before["fed"]
        assert (fed["table"], fed["increment_bp"], fed["reserve_bp"], fed["cap_cents"]) == (1, 500, 100, None)
        async with screen(url, seat(1, 1)) as player, screen(url, dealer(1), session) as deals:
            await player.funded(100)
            await player.bets("make_em_all", 1)
            numbers = [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (4, 4), (4, 5), (5, 5), (5, 6), (6, 6)]
            for dice in numbers:
                await deals.do(m.CloseBets(), m.EnterDice(dice=dice), m.ConfirmDice())
                if dice != numbers[-1]:
                    await deals.do(m.OpenBets())
            [after] = (await http(url, "GET", "/api/progressives", token=dealer(1), session=session)).json
            assert (after["hits"], after["cents"], after["reserve_cents"]) == (1, 2_500_000, 1)
            [hit] = after["last"]
            assert (hit["table"], hit["seat"], hit["hit"]) == (1, 1, 1)
            assert (hit["paid_cents"], hit["voided"]) == (2_500_005, False)
            right = m.ReverseRoll(dice=(6, 5))
            approver = (await approve(url, dealer(1), session, Role.SUPERVISOR, Deed(1, right))).json["approver"]
            reversed_ = await deals.ask(right, approver=approver)
            assert reversed_["type"] == "done", reversed_
            [then] = (await http(url, "GET", "/api/progressives", token=dealer(1), session=session)).json
        assert [each["voided"] for each in then["last"]] == [True]


# --- Events ---


@awaited
async def test_events_are_read_back_to_the_first_record_whole_records_at_a_time(
    floor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "EVENTS_MAX", 5)
    monkeypatch.setattr(desk, "RECORDS_READ", 4)
    monkeypatch.setattr(limits, "BURST_OVER_S", 0)  # the journal has each wrong code
    async with serving(floor) as (live, url):
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        for _ in range(6):
            await http(url, "POST", "/api/enrol", {"code": "AAAA-AAAA"})
        end = (await live.store.head(0)).seq
        told: list[Any] = []
        before, more = 10**12, True
        while more:
            answer = (await get(url, session, f"/api/events?before={before}")).json
            told = [*answer["events"], *told]
            before, more = answer["before"], answer["more"]
        seqs = [event["seq"] for event in told]
        assert seqs == sorted(seqs)
        assert seqs[-1] == end
        assert [event["event"] for event in told[-7:]] == ["signed_in", *["enrolment_failed"] * 6]
        assert [event["log"] for event in told[-7:]] == ["staff", *["significant"] * 6]


@awaited
async def test_a_change_of_a_setting_is_an_event_with_both_values(floor: Path) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, OFFICE, Role.SUPERVISOR)
        async with screen(url, OFFICE, session, path="/ws?table=1") as looks:
            await looks.do(m.ChangeSetting(key="timers.bets_s", text="45"))
        [changed] = [
            event
            for event in (await get(url, session, "/api/events?table=1&before=1000")).json["events"]
            if event["log"] == "settings"
        ]
        assert (changed["key"], changed["before"], changed["after"]) == ("timers.bets_s", "300", "45")
        assert changed["by"] == BADGES[Role.SUPERVISOR]


def test_every_event_that_is_told_has_words_in_every_language() -> None:
    for language in ("en", "es", "zh"):
        files = (f"office/words/{language}.ts", f"words/staff/{language}.ts")
        said = set(re.findall(r"(\w+):", "".join((WORDS / file).read_text("utf-8") for file in files)))
        assert {kind.__struct_config__.tag for kind in desk.HEADINGS} <= said, language


def test_every_choice_of_a_setting_can_be_chosen() -> None:
    game = load("craps")
    offered = {each.key: each.choices for each in settings(game)}
    assert offered["timers.single_seat"] == ("true", "false")
    assert offered["hops"] == ("17", "21")
    assert offered["timers.bets_s"] == ()
    refused = [key for key, choices in offered.items() for choice in choices if _blames(game, key, choice) == key]
    assert refused == [], "two settings may not go together, but none refuses its own choices"


def _blames(game: Game, key: str, choice: str) -> str:
    """The setting that a choice is refused for."""
    try:
        change(game, key, choice)
    except BadFile as problem:
        return problem.key
    return ""


# --- Papers ---


async def one_round(url: str, session: str) -> None:
    async with screen(url, seat(2, 1)) as player, screen(url, dealer(2), session) as deals:
        await player.funded(100)
        await player.bets("field", 5)
        await deals.counts("6-4")


@awaited
async def test_a_report_is_a_page_of_its_own_that_runs_nothing(floor: Path) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, dealer(2), Role.PIT_BOSS)
        await one_round(url, session)
        answer = await http(url, "GET", "/api/report?table=2", token=dealer(2), session=session)
        assert b"<h1>Report of table 2</h1>" in answer.body
        assert b"<svg" in answer.body
        assert b"<script" not in answer.body
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'unsafe-inline';")
        assert "script" not in policy
        assert "frame-ancestors 'self'" in policy
        assert answer.headers["x-frame-options"] == "SAMEORIGIN"
        kept = await http(url, "GET", "/api/report?keep=1", token=dealer(2), session=session)
        assert re.search(r'attachment; filename="report-floor-\d+-\d+\.html"', kept.headers["content-disposition"])


@awaited
async def test_a_report_as_csv_adds_up_its_table_in_its_time(floor: Path) -> None:
    async with serving(floor) as (live, url):
        session = await sign_in(url, dealer(2), Role.PIT_BOSS)
        await one_round(url, session)
        later = live.clock.now_ms() + 60_000

        async def rolls(query: str) -> list[str]:
            path = f"/api/report?form=csv&{query}"
            packed = zipfile.ZipFile(
                io.BytesIO((await http(url, "GET", path, token=dealer(2), session=session)).body)
            )
            rows = csv.DictReader(io.StringIO(packed.read("money.csv").decode()))
            return [f"{row['table']}: {row['rolls']} rolls, {row['handle_cents']}" for row in rows]

        assert await rolls("table=2") == ["2: 1 rolls, 500"]
        assert await rolls("table=1") == ["1: 0 rolls, 0"]
        assert await rolls(f"table=2&from={later}") == ["2: 0 rolls, 0"]
        assert await rolls(f"table=2&to={later}") == ["2: 1 rolls, 500"]
        assert (await rolls(""))[-1] == ": 1 rolls, 500", "all tables together"


@pytest.mark.parametrize(
    ("query", "status", "allowed"),
    [
        ("table=9", 404, "found table 9; allowed: 1, 2, 3"),
        ("table=x", 400, "table is 'x'; allowed: 1 to 999,999"),
        ("table=0", 400, "table is '0'; allowed: 1 to 999,999"),
        ("from=yesterday", 400, "from is 'yesterday'; allowed: 1 to 9,999,999,999,999"),
        ("to=-1", 400, "to is '-1'; allowed: 1 to 9,999,999,999,999"),
        ("form=pdf", 400, "form is 'pdf'; allowed: html, csv"),
    ],
)
@awaited
async def test_a_report_that_cannot_be_made_says_what_is_allowed(
    floor: Path, query: str, status: int, allowed: str
) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        answer = await get(url, session, f"/api/report?{query}")
        assert (answer.status, answer.json["error"]) == (status, allowed)


@awaited
async def test_no_table_waits_for_a_report(floor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began, may_end = threading.Event(), threading.Event()
    real = floor_report.report

    async def slow(*args: Any, **kwargs: Any) -> Any:
        began.set()
        assert may_end.wait(10)
        return await real(*args, **kwargs)

    monkeypatch.setattr(papers, "report", slow)
    async with serving(floor) as (_, url):
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        asked = asyncio.create_task(get(url, session, "/api/report"))
        assert await asyncio.to_thread(began.wait, 10)
        async with screen(url, seat(1, 1)) as player:
            await player.funded(5)
            await player.bets("field", 5)
        assert not asked.done()
        may_end.set()
        assert (await asked).status == 200


@awaited
async def test_dealers_are_counted_in_a_time(floor: Path) -> None:
    async with serving(floor) as (live, url):
        session = await sign_in(url, dealer(2), Role.PIT_BOSS)
        await one_round(url, session)
        later = live.clock.now_ms() + 60_000
        for query, rolls in (("", [1]), (f"?to={later}", [1]), (f"?from={later}", [])):
            answer = await http(url, "GET", f"/api/dealers/2{query}", token=dealer(2), session=session)
            assert [row["rolls"] for row in answer.json] == rolls
        assert (await http(url, "GET", "/api/dealers/7", token=dealer(2), session=session)).status == 404


@awaited
async def test_a_par_sheet_is_worked_out_once_for_each_fingerprint(
    floor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def page(game: Any) -> str:
        made.append(game.fingerprint())
        return f"<main>{game.fingerprint()}</main>"

    monkeypatch.setattr(papers, "_par_page", page)
    monkeypatch.setattr(papers, "_par_pages", {})
    async with serving(floor) as (live, url):
        session = await sign_in(url, OFFICE, Role.SUPERVISOR)
        before = live.pits[1].table.fingerprint
        for _ in range(2):
            assert before.encode() in (await get(url, session, "/api/par/1")).body
        async with screen(url, OFFICE, session, path="/ws?table=1") as looks:
            more = m.ChangeSetting(key="odds.take", text="10x")
            approver = (await approve(url, OFFICE, session, Role.PIT_BOSS, Deed(1, more))).json["approver"]
            assert (await looks.ask(more, approver=approver))["type"] == "done"
        after = live.pits[1].table.fingerprint
        assert after.encode() in (await get(url, session, "/api/par/1")).body
        assert made == [before, after]


@awaited
async def test_a_par_sheet_names_the_fingerprint_of_its_table(floor: Path) -> None:
    async with serving(floor) as (live, url):
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        answer = await get(url, session, "/api/par/1?keep=1")
        assert live.pits[1].table.fingerprint.encode() in answer.body
        assert b"Par sheet: Craps" in answer.body
        assert answer.headers["content-disposition"].startswith('attachment; filename="par-craps-')
        assert (await get(url, session, "/api/par/9")).status == 404


# --- Health ---


@awaited
async def test_health_tells_where_the_journals_end_and_never_how_the_database_is_reached(floor: Path) -> None:
    async with serving(floor) as (live, url):
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        before = await live.store.head(1)
        answer = await get(url, session, "/api/health")
        told = answer.json
        assert (told["ready"], told["database"], told["tls"]) == (True, "sqlite", False)
        assert (told["checkpoint"], told["lock"]) == (None, None)
        assert [stream["stream"] for stream in told["streams"]] == [0, 1, 2, 3]
        assert [stream["served"] for stream in told["streams"]] == [None, True, True, True]
        digests = {entry.record.seq: entry.record.digest.hex() async for entry in live.store.entries(1)}
        assert told["streams"][1]["seq"] >= before.seq  # a slow machine may have written a record in between
        assert told["streams"][1]["digest"] == digests[told["streams"][1]["seq"]]
        assert b"floor.db" not in answer.body


@awaited
async def test_health_tells_of_the_newest_checkpoint(signed: Path) -> None:
    async with serving(signed) as (live, url):
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        assert live.plan.checkpoints
        assert (await get(url, session, "/api/health")).json["checkpoint"] == {}
        live.plan.checkpoints.append(live.clock.now_ms(), {1: await live.store.head(1)})
        told = (await get(url, session, "/api/health")).json["checkpoint"]
        assert told["number"] == 1
        assert told["heads"]["1"][0] == (await live.store.head(1)).seq


def test_a_report_of_no_part_is_of_all() -> None:
    visit = desk.Visit(None, "", "", {}, {"table": "", "from": ""}, b"")  # type: ignore[arg-type] # no floor is asked
    assert visit.scope() == Scope()
