"""The front door, and a browser that is several screens at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from stickman.devices.signals import BillStacked
from stickman.floor.events import Place
from stickman.floor.journal import events_of
from stickman.server import demo, door
from stickman.server.app import TERMINAL, cookie_of
from stickman.server.floor import LiveFloor
from stickman.server.house import Asked
from stickman.table import messages as m
from tests.floor.evening import awaited
from tests.server.process import serving
from tests.talk.server import Answer, http, screen

SEAT, OTHER_SEAT = Place("seat", 2, 1), Place("seat", 2, 2)
DEALER, TABLE, OFFICE = Place("dealer", 2), Place("table", 2), Place("office")


class Browser:
    """It keeps its cookies, as one does."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.cookies: dict[str, str] = {}

    async def asks(self, method: str, path: str, body: object = None) -> Answer:
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = await http(self.url, method, path, body, cookie=kept)
        self.cookies |= answer.cookies
        return answer

    async def sits(self, place: Place, **how: bool) -> int:
        body = {"screen": place.screen, "table": place.table, "seat": place.seat, **how}
        return (await self.asks("POST", "/api/sit", body)).status

    async def is_at(self, place: Place) -> Any:
        return await self.asks("GET", f"/api/place?place={named(place)}")

    async def signs_in(self, place: Place, badge: str) -> int:
        given = {"badge": badge, "password": demo.PASSWORD}
        return (await self.asks("POST", f"/api/sign-in?place={named(place)}", given)).status

    async def seat(self, place: Place) -> str:
        """How the door shows a seat."""
        tables = (await self.asks("GET", "/api/door")).json["tables"]
        [found] = [each for each in tables if each["table"] == place.table]
        return str(found["seats"][place.seat - 1]["state"])


def named(place: Place) -> str:
    return cookie_of("", place)[1:]


@asynccontextmanager
async def demonstration(folder: Path) -> AsyncIterator[tuple[LiveFloor, str]]:
    async with serving(demo.make_folder(folder)) as (live, url):
        await demo.prepare(live)
        yield live, url


# --- Several screens in one browser ---


@awaited
async def test_each_screen_of_a_browser_keeps_its_own_place(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as (_, url):
        browser = Browser(url)
        for place in (SEAT, DEALER, TABLE, OFFICE):
            assert await browser.sits(place) == 200
        for place in (SEAT, DEALER, TABLE, OFFICE):
            found = (await browser.is_at(place)).json["place"]
            assert (found["screen"], found["table"], found["seat"]) == (place.screen, place.table, place.seat)
        assert (await browser.is_at(OTHER_SEAT)).status == 401
        assert (await browser.asks("GET", "/api/place")).status == 401  # none of them is the plain one


@awaited
async def test_staff_at_two_screens_of_a_browser_do_not_sign_each_other_out(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as (_, url):
        browser = Browser(url)
        for place, badge in ((DEALER, "demo-2"), (OFFICE, "demo-1")):
            assert await browser.sits(place) == 200
            assert await browser.signs_in(place, badge) == 200
        who = [(await browser.is_at(place)).json["staff"]["badge"] for place in (DEALER, OFFICE)]
        assert who == ["demo-2", "demo-1"]
        assert (await browser.asks("POST", f"/api/sign-out?place={named(OFFICE)}")).status == 200
        assert (await browser.is_at(OFFICE)).json["staff"] is None
        assert (await browser.is_at(DEALER)).json["staff"]["badge"] == "demo-2"


@awaited
async def test_a_cookie_is_good_for_no_other_place_than_its_own(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as (_, url):
        browser = Browser(url)
        await browser.sits(SEAT)
        token = browser.cookies[cookie_of(TERMINAL, SEAT)]
        browser.cookies = {cookie_of(TERMINAL, OFFICE): token}
        assert (await browser.is_at(OFFICE)).status == 401
        assert (await browser.is_at(SEAT)).status == 401
        browser.cookies = {TERMINAL: token}  # the plain one is good where it belongs
        assert (await browser.is_at(SEAT)).status == 200
        assert (await browser.is_at(OFFICE)).status == 401


@awaited
async def test_the_cookies_of_a_place_are_out_of_reach_of_scripts_and_no_answer_tells_them(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as (_, url):
        browser = Browser(url)
        answer = await browser.asks("POST", "/api/sit", {"screen": "office"})
        kept = answer.headers["set-cookie"].lower()
        assert "httponly" in kept
        assert "samesite=strict" in kept
        assert browser.cookies[cookie_of(TERMINAL, OFFICE)].encode() not in answer.body


# --- Sitting down ---


@awaited
async def test_a_browser_that_sits_down_is_enrolled_in_the_journal_and_asks_again_without_a_new_one(
    tmp_path: Path,
) -> None:
    async with demonstration(tmp_path) as (live, url):
        browser = Browser(url)
        before = len(live.state.terminals)
        assert [await browser.sits(SEAT) for _ in range(3)] == [200, 200, 200]
        assert len(live.state.terminals) == before + 1
        *_, last = [record async for record in live.store.records(0)]
        kinds = [type(event).__name__ for event in events_of(last)]
        assert kinds == ["TerminalOffered", "TerminalEnrolled"]
        assert last.actor == "terminal"


@awaited
async def test_a_seat_that_another_browser_shows_is_not_taken_away(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as (_, url):
        first, second = Browser(url), Browser(url)
        assert await first.sits(SEAT) == 200
        assert await second.sits(SEAT, take=True) == 409  # it has a moment to connect
        async with screen(url, first.cookies[cookie_of(TERMINAL, SEAT)]):
            assert await second.sits(SEAT, take=True) == 409
            assert [await first.seat(SEAT), await second.seat(SEAT)] == ["yours", "taken"]
            assert await second.sits(OTHER_SEAT) == 200
        assert (await first.is_at(SEAT)).status == 200


@awaited
async def test_of_two_who_ask_for_a_seat_together_one_gets_it(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as (_, url):
        visitors = [Browser(url) for _ in range(4)]
        asked = await asyncio.gather(*(visitor.sits(SEAT) for visitor in visitors))
        assert sorted(asked) == [200, 409, 409, 409]


@asynccontextmanager
async def one_sits(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[LiveFloor, Browser, Browser]]:
    """Of two visitors the first has the seat; it is free as soon as its link is lost."""
    monkeypatch.setattr(door, "LINK_LOST_MS", 0)
    async with demonstration(folder) as (live, url):
        first, second = Browser(url), Browser(url)
        await first.sits(SEAT)
        yield live, first, second


@awaited
async def test_what_a_player_left_is_kept_until_someone_asks_for_just_that_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with one_sits(tmp_path, monkeypatch) as (live, first, second):
        await live.ask(2, Asked(m.LoseLink(seat=1)))
        assert await second.seat(SEAT) == "free"
        won = BillStacked(note=1, cents=50_000)
        await live.ask(2, Asked(m.Reported(signal=won, seat=1, kind="acceptor")))
        assert await second.seat(SEAT) == "away"
        assert await second.sits(SEAT) == 409
        assert await second.sits(SEAT, take=True) == 200
        assert (await first.is_at(SEAT)).status == 401


@awaited
async def test_who_sits_down_after_another_has_the_credit_and_nothing_else_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with one_sits(tmp_path, monkeypatch) as (live, _, second):
        await live.ask(2, Asked(m.Reported(signal=BillStacked(note=1, cents=10_000), seat=1, kind="acceptor")))
        for asked in (
            m.NameSeat(seat=1, name="Alice"),
            m.PlaceBet(seat=1, spot="field", cents=500),
            m.SaveFavourite(seat=1, slot=8),
            m.LoseLink(seat=1),
        ):
            await live.ask(2, Asked(asked))
        left = live.pits[2].table.seat(1)
        assert await second.sits(SEAT, take=True) == 200
        found = live.pits[2].table.seat(1)
        assert (found.player.name, found.stay.favourites, found.bet_time.undo) == ("", {}, ())
        assert (found.stay.number, found.stay.in_cents) == (left.stay.number + 1, 10_000)
        assert (found.felt, live.pits[2].table.credit(1)) == (left.felt, 9_500)


@awaited
async def test_several_browsers_watch_one_display_and_there_are_never_too_many(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as (live, url):
        visitors = [Browser(url) for _ in range(door.SCREENS_AT_ONCE + 2)]
        assert {await visitor.sits(TABLE) for visitor in visitors} == {200}
        found = [(await visitor.is_at(TABLE)).status for visitor in visitors]
        assert found == [401, 401] + [200] * door.SCREENS_AT_ONCE
        assert [each.place for each in live.state.terminals.values()].count(TABLE) == door.SCREENS_AT_ONCE


@awaited
async def test_no_place_but_a_screen_of_the_demonstration_is_given_away(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as (_, url):
        browser = Browser(url)
        odd = [
            Place("acceptor", 1, 1),
            Place("seat", 1, 4),
            Place("seat", 9, 1),
            Place("table"),
            Place("office", 1),
        ]
        assert [await browser.sits(place) for place in odd] == [404] * len(odd)
        assert (await browser.asks("POST", "/api/sit", {"screen": "cage"})).status == 400
        assert browser.cookies == {}


@awaited
async def test_nobody_sits_down_or_looks_without_end(tmp_path: Path) -> None:
    config = demo.make_folder(tmp_path)
    config.write_text(config.read_text().replace("attempts_burst = 200", "attempts_burst = 2\nvisits_burst = 2"))
    async with serving(config) as (_, url):
        browser = Browser(url)
        assert [await browser.sits(SEAT) for _ in range(3)] == [200, 200, 429]
        assert [(await browser.asks("GET", "/api/door")).status for _ in range(3)] == [200, 200, 429]


# --- What the door shows ---


@awaited
async def test_the_door_of_a_demonstration_shows_tables_seats_and_how_staff_sign_in(tmp_path: Path) -> None:
    async with demonstration(tmp_path) as (_, url):
        told = (await Browser(url).asks("GET", "/api/door")).json
        assert [(each["name"], each["puck"], each["phase"]) for each in told["tables"]] == [
            (name, 0, "betting")
            for name in ("Craps", "Crapless Craps", "Easy Craps", "Roll to Win", "Shoot to Win")
        ]
        assert {seat["state"] for each in told["tables"] for seat in each["seats"]} == {"free"}
        assert [each["badge"] for each in told["badges"]] == list(demo.STAFF)
        assert told["password"] == demo.PASSWORD
