"""The key switch of a seat's terminal: staff sign in there while it is turned, and reach what the key opens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from stickman.devices import signals as s
from stickman.floor.events import LOWEST, Role
from stickman.server.auth import WHO
from stickman.server.desk import DESK
from stickman.server.floor import SIGNED_OUT
from stickman.table import messages as m
from tests.floor.evening import awaited
from tests.server.process import BADGES, PASSWORD, dealer, prepare, seat, serving
from tests.talk.server import Answer, Deed, Device, approve, device, http, screen, sign_in

HERE = seat(1, 1)
SUPERVISOR = {"badge": BADGES[Role.SUPERVISOR], "password": PASSWORD}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return prepare(tmp_path / "floor")


@asynccontextmanager
async def keyed(config: Path) -> AsyncIterator[tuple[str, Device]]:
    """A floor whose first seat has its key turned."""
    async with serving(config) as (_, url), device(url, "doors", 1, 1) as doors:
        await doors.report(s.KeyMoved(on=True))
        yield url, doors


@awaited
async def test_staff_sign_in_at_a_seat_only_while_its_key_is_turned(config: Path) -> None:
    async with serving(config) as (_, url), device(url, "doors", 1, 1) as doors:
        for endpoint, body in (
            ("/api/sign-in", SUPERVISOR),
            ("/api/password", {**SUPERVISOR, "new": "nine grey pigeons under a bridge"}),
            ("/api/approve", {**SUPERVISOR, "table": 1, "request": {"do": "cancel_print", "seat": 1}}),
        ):
            answer = await http(url, "POST", endpoint, body, token=HERE)
            assert (answer.status, answer.json["why"]) == (403, "key_off")
        await doors.report(s.KeyMoved(on=True))
        other = await http(url, "POST", "/api/sign-in", SUPERVISOR, token=seat(1, 2))
        assert other.json["why"] == "key_off", "another seat's key is another key"
        session = await sign_in(url, HERE, Role.SUPERVISOR)
        here = await http(url, "GET", "/api/place", token=HERE, session=session)
        assert here.json["staff"]["badge"] == BADGES[Role.SUPERVISOR]


@awaited
async def test_turning_the_key_back_signs_out_at_once_and_for_good(config: Path) -> None:
    async with keyed(config) as (url, doors):
        session = await sign_in(url, HERE, Role.SUPERVISOR)
        async with screen(url, HERE, session) as staff:
            await doors.report(s.KeyMoved(on=False), s.KeyMoved(on=True))
            with pytest.raises(ConnectionClosed) as closed:
                await staff.until(lambda _: False)
            assert closed.value.rcvd
            assert closed.value.rcvd.code == SIGNED_OUT
        answer = await http(url, "GET", "/api/meters", token=HERE, session=session)
        assert (answer.status, answer.json["why"]) == (401, "nobody_signed_in")


@awaited
async def test_a_seat_reaches_the_audit_of_its_own_table_and_no_other_address(config: Path) -> None:
    async with keyed(config) as (url, _):
        session = await sign_in(url, HERE, Role.ADMINISTRATOR)
        paths = {"table:int": "1", "number": "1" * 18, "seq:int": "1", "badge": "badge-1", "terminal": "terminal-1"}

        async def asked(endpoint: str, **more: Any) -> Answer:
            method, _, path = endpoint.partition(" ")
            for name, value in paths.items():
                path = path.replace("{" + name + "}", value)
            return await http(url, method, path + more.get("query", ""), token=HERE, session=session)

        for endpoint, address in DESK.items():
            answer = await asked(endpoint)
            assert (answer.status == 200) == address.with_key, (endpoint, answer)
            if not address.with_key:
                assert answer.json["why"] == "wrong_place"
        opened = {endpoint for endpoint, address in DESK.items() if address.with_key}
        assert set((await asked("GET /api/may")).json["desk"]) == opened
        assert (await asked("GET /api/meters")).json["tables"].keys() == {"1"}
        assert (await asked("GET /api/events", query="?table=2")).status == 403
        assert (await asked("GET /api/events", query="?table=0")).status == 403
        events = (await asked("GET /api/events")).json["events"]
        assert "key_turned" in [each["event"] for each in events], "its table's, without being named"
        paths["table:int"] = "2"
        assert (await asked("GET /api/rounds/{table:int}")).status == 403
        devices = (await asked("GET /api/devices")).json
        assert {each["place"]["table"] for each in devices} == {1}


@awaited
async def test_behind_the_key_each_role_asks_the_table_what_the_key_opens_for_that_seat_alone(config: Path) -> None:
    opened = {kind: who for kind, who in WHO.items() if who.key}
    asked = {kind: kind(seat=1, number="1" * 18) if kind is m.PrintCopy else kind(seat=1) for kind in opened}
    assert opened.keys() == {m.ClearLockup, m.PayByHand, m.PrintTest, m.PrintCopy, m.CancelPrint}
    async with keyed(config) as (url, _):
        for role in Role:
            session = await sign_in(url, HERE, role)
            async with screen(url, HERE, session) as staff:
                for kind, who in opened.items():
                    assert who.act
                    answer = await staff.ask(asked[kind])
                    allowed = role >= LOWEST[who.act]
                    assert (answer.get("why") == "not_allowed") is not allowed, (role, kind, answer)
                    away = await staff.ask(m.ClearLockup(seat=2))
                    assert away["why"] == "wrong_place"
                assert (await staff.ask(m.PauseTable()))["why"] == "wrong_place"
        async with screen(url, HERE) as player:
            for request in asked.values():
                assert (await player.ask(request))["why"] == "wrong_place", "a player has no key"


@awaited
async def test_a_hand_pay_is_paid_at_the_seat_with_the_key_under_the_badge(config: Path) -> None:
    async with serving(config) as (live, url), device(url, "doors", 1, 1) as doors:
        async with screen(url, HERE) as player:
            await player.funded(30)
            await player.do(m.CashOut(seat=1))
        await doors.report(s.KeyMoved(on=True))
        async with screen(url, HERE, await sign_in(url, HERE, Role.PIT_BOSS)) as staff:
            answer = await staff.ask(m.PayByHand(seat=1))
            assert answer["type"] == "done", answer
            record = await live.store.record(1, answer["seq"])
        assert record
        assert record.actor == BADGES[Role.PIT_BOSS]
        assert live.pits[1].table.seat(1).terminal.hand_pay_cents == 0


@awaited
async def test_a_print_that_nobody_can_learn_about_is_cancelled_by_two_people_at_the_seat(config: Path) -> None:
    async with serving(config) as (live, url), device(url, "doors", 1, 1) as doors:
        async with screen(url, HERE) as player, device(url, "printer", 1, 1) as printer:
            await player.funded(30)
            await player.do(m.CashOut(seat=1))
            await printer.until(lambda wishes: wishes.print)
            number = printer.wishes.print.job
        await doors.report(s.KeyMoved(on=True))
        session = await sign_in(url, HERE, Role.PIT_BOSS)
        async with screen(url, HERE, session) as staff:
            cancel = m.CancelPrint(seat=1)
            assert (await staff.ask(cancel))["why"] == "needs_two"
            second = await approve(url, HERE, session, Role.SUPERVISOR, Deed(1, cancel))
            assert second.status == 200, second
            done = await staff.ask(cancel, approver=BADGES[Role.SUPERVISOR])
            assert done["type"] == "done", done
        assert live.pits[1].table.seat(1).terminal.hand_pay_cents == 3_000
        listed = await http(url, "GET", "/api/tickets", token=HERE, session=session)
        assert [(each["number"], each["status"]) for each in listed.json] == [(number, "cancelled")]


@awaited
async def test_when_the_device_of_the_key_is_gone_its_person_is_signed_out_for_good(config: Path) -> None:
    async with serving(config) as (live, url):
        async with device(url, "doors", 1, 1) as doors:
            await doors.report(s.KeyMoved(on=True))
            session = await sign_in(url, HERE, Role.SUPERVISOR)
            assert (await http(url, "GET", "/api/meters", token=HERE, session=session)).status == 200
        while live.connections:  # noqa: ASYNC110 - nothing else says it
            await asyncio.sleep(0.01)
        async with doors.over():
            assert live.pits[1].table.seat(1).terminal.key, "it is still turned"
            assert (await http(url, "GET", "/api/meters", token=HERE, session=session)).status == 401


@awaited
async def test_an_approval_is_still_valid_after_the_key_was_missing(config: Path) -> None:
    at, boss, watches = dealer(1), Role.PIT_BOSS, BADGES[Role.SUPERVISOR]
    async with serving(config) as (live, url), device(url, "doors", 1, 1) as doors:
        async with screen(url, HERE) as player, device(url, "printer", 1, 1) as printer:
            await player.funded(30)
            await player.do(m.CashOut(seat=1))
            await printer.until(lambda wishes: wishes.print)
        session, cancel = await sign_in(url, at, boss), m.CancelPrint(seat=1)
        async with screen(url, at, session) as staff:
            assert (await approve(url, at, session, Role.SUPERVISOR, Deed(1, cancel))).status == 200
            for _ in range(2):
                assert (await staff.ask(cancel, approver=watches))["why"] == "needs_key"
            await doors.report(s.KeyMoved(on=True))
            assert (await staff.ask(cancel, approver=watches))["type"] == "done"
        assert live.pits[1].table.seat(1).terminal.hand_pay_cents == 3_000
