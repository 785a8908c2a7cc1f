"""What a stranger learns at the front door of a real floor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from stickman.floor.events import Place
from stickman.server import demo
from stickman.server.app import TERMINAL, cookie_of
from tests.attacks.kit import Target, target
from tests.floor.evening import awaited
from tests.server.process import BADGES, CONFIG, OFFICE, token
from tests.talk.server import http

SECRET_NAMES = ("By the window", "craps", "betting", "come-out", *BADGES.values(), *demo.STAFF, demo.PASSWORD)
NAMED = CONFIG.replace('game = "craps"', 'name = "By the window"\ngame = "craps"', 1)
PLACES = [
    {"screen": "seat", "table": 1, "seat": 1},
    {"screen": "office"},
    {"screen": "acceptor", "table": 1, "seat": 1},
]
ODD = ("office", "table-1-dealer", "table-1-seat-2", "%0d%0aset-cookie:x", "x" * 5_000, "table-1-seat-1;")


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Target]:
    with target(tmp_path / "floor", config=NAMED) as opened:
        yield opened


@awaited
async def test_a_stranger_learns_nothing_at_the_door_of_a_real_floor(floor: Target) -> None:
    """Neither tables nor games, states, seats or staff; the page is the same file for every floor."""
    told = await http(floor.url, "GET", "/api/door")
    assert told.json == {"demo": False, "here": [], "tables": [], "badges": [], "password": ""}
    page = await http(floor.url, "GET", "/")
    for said in (told.body.decode(), page.body.decode(), str(page.headers), str(told.headers)):
        assert not [name for name in SECRET_NAMES if name in said]


@awaited
async def test_nobody_sits_down_at_a_real_floor_without_a_code(floor: Target) -> None:
    """The address does not exist: it answers like any other that does not, whoever asks and whatever for."""
    unknown = await http(floor.url, "POST", "/api/nothing", {})
    for body in (*PLACES, {}, {"screen": "seat", "table": 1, "seat": 1, "take": True}, None):
        for asker in ("", OFFICE):
            answer = await http(floor.url, "POST", "/api/sit", body, token=asker)
            assert (answer.status, answer.body, answer.cookies) == (404, unknown.body, {})
    assert unknown.status == 404


@awaited
async def test_a_named_place_gives_no_terminal_more_than_its_own(floor: Target) -> None:
    """A seat's token is a seat's, under whatever cookie and for whatever place a cheat sends it; odd names are no
    cookie's."""
    seat = Place("seat", 1, 1)
    mine = token(seat)
    for place in ODD:
        for name in (TERMINAL, f"{TERMINAL}.{place}", cookie_of(TERMINAL, seat)):
            answer = await http(floor.url, "GET", f"/api/place?place={place}", cookie=f"{name}={mine}")
            assert (answer.status, answer.cookies) == (401, {}), (place, name)
    own = cookie_of(TERMINAL, seat)
    answer = await http(floor.url, "GET", "/api/place?place=table-1-seat-1", cookie=f"{own}={mine}")
    assert answer.json["place"] == {"screen": "seat", "table": 1, "seat": 1}
    door = await http(floor.url, "GET", "/api/door", cookie=f"{own}={mine}")
    assert [each["screen"] for each in door.json["here"]] == ["seat"]
