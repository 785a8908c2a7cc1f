"""What a cheat tried with the lessons: to bring their known dice to a real table, and their money out of them.

The server runs in this process where the test looks at all that the floor has, before and after.
"""

from __future__ import annotations

import ast
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

import stickman
from stickman.floor.events import Place
from stickman.rules.datafile import BadFile
from stickman.rules.settings import change, load
from stickman.server import floor as floors
from stickman.server.auth import HOUSE_ALONE, WHO
from stickman.server.config import read_config
from stickman.server.floor import IDLE, REPLACED, LiveFloor
from stickman.server.house import Asked
from stickman.server.lessons import LESSONS, THROW
from stickman.server.practice import ALLOWED, MONEY_CENTS
from stickman.table import messages as m
from tests.floor.evening import awaited
from tests.server.process import CONFIG, OFFICE, dealer, prepare, seat, serving, token
from tests.server.test_protocol import EXAMPLES
from tests.talk import exactly
from tests.talk.server import Screen, enrolled, http, line, screen

SOURCE = Path(stickman.__file__).parent
PASS = "/ws/practice?lesson=pass"
GIVEN = EXAMPLES | {"number": "1" * 18}
BET = m.PlaceBet(seat=1, spot="pass", cents=500)


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A floor on which nothing happens by itself: no seat loses its link while the test looks."""
    monkeypatch.setattr(floors, "LINK_LOST_MS", 10**9)
    return prepare(tmp_path / "floor")


@pytest.fixture
def limited(tmp_path: Path) -> Path:
    """A floor with room for two practices, which end when nothing is asked for a second."""
    few = "limits = { practices = 2, practice_idle_s = 1 }"
    return prepare(tmp_path / "floor", CONFIG.replace("port = 0\n", f"port = 0\n{few}\n"))


async def closed(learner: Screen) -> int | None:
    """The code with which the server ends a practice, whose page goes on to ping."""
    with suppress(ConnectionClosed):
        while True:
            await learner.caught_up()
    return learner.socket.close_code


@asynccontextmanager
async def practising(url: str, place: str, path: str = PASS) -> AsyncIterator[Screen]:
    """A practice that has shown its table and its first step."""
    async with screen(url, place, path=path) as learner:
        yield learner


async def step(learner: Screen) -> dict[str, Any]:
    """The next step of the lesson that is told."""
    while (told := await learner.hear())["type"] != "lesson":
        pass
    return told


async def everything(live: LiveFloor) -> list[object]:
    """All that the floor has on record: every stream, byte for byte, what is claimed and shared, and what metrics
    say of its tables and its records."""
    streams = [[record async for record in live.store.records(stream)] for stream in await live.store.streams()]
    claims = [claim async for claim in live.store.claims("")]
    said = live.metrics.text().decode().splitlines()
    return [
        streams,
        claims,
        await live.store.all_shared(),
        [each for each in said if "table=" in each or "_records" in each],
    ]


@awaited
async def test_a_practice_leaves_nothing_on_the_floor_to_the_byte(floor: Path) -> None:
    async with serving(floor) as (live, url), screen(url, seat(1, 2)) as real:
        await real.funded(exactly(10_000))
        await real.do(m.PlaceBet(seat=2, spot="pass", cents=500))
        view, before = real.view, await everything(live)
        async with practising(url, seat(1, 2)) as learner:
            assert learner.view["credit_cents"] == MONEY_CENTS
            at = (await step(learner))["at"]
            assert at == "pass"
            await learner.do(BET, m.Shoot(seat=1), m.LandDice(seat=1))
            await learner.until(lambda seen: seen["shared"]["puck"] == 6)
            for request in (m.CashOut(seat=1), m.GiveTip(seat=1, cents=100), m.CallService(seat=1)):
                assert (await learner.ask(request))["why"] == "not_in_practice"
        await real.caught_up()
        assert real.view == view
        assert await everything(live) == before
        assert "lesson" not in real.heard


@awaited
async def test_all_but_playing_is_refused_in_a_practice(floor: Path) -> None:
    async with serving(floor) as (_, url), practising(url, seat(1, 1)) as learner:
        for kind, who in WHO.items():
            if kind in ALLOWED:
                continue
            needed = {each.name: GIVEN[each.name] for each in msgspec.structs.fields(kind) if each.required}
            answer = await learner.ask(kind(**needed))
            why = {"house_alone"} if who == HOUSE_ALONE else {"not_in_practice", "wrong_place"}
            assert answer["type"] == "refused", kind
            assert answer["why"] in why, kind
        other = await learner.ask(m.PlaceBet(seat=2, spot="pass", cents=500))
        assert (other["type"], other["why"]) == ("refused", "wrong_place")
        assert learner.view["credit_cents"] == MONEY_CENTS


@awaited
async def test_only_a_seats_terminal_opens_a_practice_and_only_of_a_lesson(floor: Path) -> None:
    async with serving(floor) as (_, url):
        acceptor = await enrolled(url, Place("acceptor", 1, 1))
        others = [dealer(1), token(Place("table", 1)), token(Place("info", 1)), OFFICE, acceptor.token]
        tried = [("nobody", PASS, 401), *((each, PASS, 403) for each in others)]
        tried += [
            (seat(1, 1), f"/ws/practice{more}", 404) for more in ("", "?lesson=", "?lesson=Pass", "?lesson=0")
        ]
        for who, path, status in tried:
            with pytest.raises(InvalidStatus) as refused:
                async with line(url, who, path=path):
                    pass
            assert refused.value.response.status_code == status, (who, path)


@awaited
async def test_no_word_of_a_page_brings_known_dice_to_a_real_table(floor: Path) -> None:
    """Not in its address, in a join or in a request: the lessons have a line of their own, and nothing else."""
    async with serving(floor) as (live, url):
        async with screen(url, seat(1, 1), path="/ws?lesson=pass&practice=1&dice=4-2") as real:
            assert real.heard == ["snapshot"]
            assert real.view["shared"]["title"] == "Craps"
        for said in (
            {"type": "join", "lesson": "pass"},
            {"type": "join", "after": None, "dice": [4, 2]},
            {"type": "lesson", "lesson": "pass", "step": 1, "of": 1, "says": "won", "at": ""},
        ):
            async with line(url, seat(1, 1)) as real:
                await real.say(said)
                assert (await real.hear())["type"] == "bad"
        for more in ({"dice": [4, 2]}, {"lesson": "pass"}, {"practice": True}):
            async with screen(url, seat(1, 1)) as real:
                await real.say({"type": "ask", "id": "a", "request": {"do": "shoot", "seat": 1} | more})
                assert (await real.told())["type"] in ("bad", "refused")
        sources = {type(pit.house.dice).__name__ for pit in live.pits.values()}
        assert sources == {"KernelDice"}


@awaited
async def test_dice_that_fall_at_a_real_table_beside_a_practice_are_the_kernels(floor: Path) -> None:
    async with (
        serving(floor) as (live, url),
        screen(url, seat(1, 1)) as real,
        practising(url, seat(1, 1)) as learner,
    ):
        await real.funded(exactly(10_000))
        await real.bets("pass", exactly(500))
        await learner.do(BET, m.Shoot(seat=1))
        await live.ask(1, Asked(m.CloseBets()))
        await real.until(lambda seen: seen["shared"]["phase"] == "shooting")
        await real.do(m.Shoot(seat=1))
        records = [record async for record in live.store.records(1)]
        draws = [
            event.get("draw") for each in records for event in json.loads(each.body)["events"] if "draw" in event
        ]
        assert draws
        assert {draw.split()[0] for draw in draws} == {"kernel"}


@pytest.mark.parametrize("more", ["dice = 'practice'", "practice = true", "lesson = 'pass'", "limits.dice = 1"])
def test_no_configuration_names_dice_or_a_lesson(more: str) -> None:
    read_config(CONFIG, "floor.toml")
    with pytest.raises(BadFile):
        read_config(f"{more}\n{CONFIG}", "floor.toml")


@pytest.mark.parametrize("key", ["dice", "practice", "lesson"])
def test_no_setting_of_a_game_names_dice_or_a_lesson(key: str) -> None:
    with pytest.raises(BadFile):
        change(load("craps"), key, "practice")


def test_the_program_makes_known_dice_in_one_place_and_gives_them_to_no_table_of_the_floor() -> None:
    """The names are read from the source: who speaks of them could make them."""
    speak: dict[str, set[str]] = {}
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
            names = [each.name for each in node.names] if isinstance(node, ast.ImportFrom) else [name]
            for each in names:
                speak.setdefault(each, set()).add(f"{file.parent.name}/{file.name}")
    assert speak["PracticeDice"] == {"server/practice.py"}
    assert speak["practising"] == {"server/practice_line.py"}
    assert speak["Course"] == {"server/practice.py"}
    assert speak["KernelDice"] - {"cli/rng_commands.py"} == {"server/floor.py"}
    assert speak["House"] - {"table/script.py"} == {"server/floor.py", "server/practice.py", "server/pit.py"}, (
        "who makes a house gives it dice"
    )


@awaited
async def test_a_flood_of_practices_is_bounded(limited: Path) -> None:
    async with serving(limited) as (live, url), AsyncExitStack() as open_lines:
        first = await open_lines.enter_async_context(practising(url, seat(3, 1)))
        await open_lines.enter_async_context(practising(url, seat(3, 2)))
        for number in range(3, 11):
            with pytest.raises(InvalidStatus) as refused:
                async with line(url, seat(3, number), path=PASS):
                    pass
            assert refused.value.response.status_code == 429
        again = await open_lines.enter_async_context(practising(url, seat(3, 1)))
        assert await closed(first) == REPLACED
        await again.do(BET)
        assert len(live.connections) == 2


@awaited
async def test_a_practice_takes_no_line_from_its_seat(floor: Path) -> None:
    mine = seat(1, 1)
    async with serving(floor) as (_, url), screen(url, mine) as one, practising(url, mine) as learner:
        async with screen(url, mine) as two:
            await two.caught_up()
        await one.caught_up()
        await learner.caught_up()


@awaited
async def test_an_idle_practice_ends_though_its_page_pings(limited: Path) -> None:
    async with serving(limited) as (_, url), practising(url, seat(1, 1)) as learner:
        assert await closed(learner) == IDLE


@awaited
async def test_the_placard_of_the_lessons_is_for_screens(floor: Path) -> None:
    async with serving(floor) as (_, url):
        path = "/api/placard/practice"
        found = [(await http(url, "GET", path, token=each)).status for each in ("", "nobody", seat(1, 1))]
        assert found == [401, 401, 200]


def test_a_hint_points_at_the_dice_or_at_a_spot() -> None:
    assert all(bet.spot != THROW for rounds in LESSONS.values() for each in rounds for bet in each.bets)
