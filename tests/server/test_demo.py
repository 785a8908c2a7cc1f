"""The demonstration: no way in that a real floor does not have. Money comes from devices, which enrol by a code."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from stickman.client import enrol
from stickman.devices import signals as s
from stickman.floor import staff
from stickman.floor.events import Act, Place
from stickman.rules.settings import GAMES
from stickman.rules.side_games import REGISTRY
from stickman.server import demo, demo_devices
from tests.server.process import planned_in, serving
from tests.talk.server import Device, http, screen

PAGE = "http://127.0.0.1:8001"


# --- Its tables and its staff ---


def test_there_is_a_table_of_each_game_for_three_at_their_own_pace(tmp_path: Path) -> None:
    tables = planned_in(demo.make_folder(tmp_path)).tables
    assert sorted(table.game.name for table in tables.values()) == sorted(GAMES)
    for table in tables.values():
        assert (table.game.seats, table.game.mode, table.game.roll_button) == (3, "automated", True)
        assert table.game.title.startswith(table.name)


def test_every_side_game_and_every_progressive_is_on_somewhere(tmp_path: Path) -> None:
    games = [table.game for table in planned_in(demo.make_folder(tmp_path)).tables.values()]
    for name in REGISTRY:
        assert any(getattr(game, name).on for game in games), name


def test_two_people_can_do_what_takes_two_and_each_start_gives_them_the_printed_password(tmp_path: Path) -> None:
    config = demo.make_folder(tmp_path)
    assert staff.weakness(demo.PASSWORD, min(demo.STAFF)) is None

    async def sign_in_both(url: str) -> list[int]:
        office = await enrol(f"{url}/office")
        given = [{"badge": badge, "password": demo.PASSWORD} for badge in demo.STAFF]
        return [(await http(url, "POST", "/api/sign-in", each, token=office)).status for each in given]

    async def scenario() -> None:
        for _ in range(2):
            async with serving(config) as (live, url):
                await demo.prepare(live)
                assert await sign_in_both(url) == [200, 200]
                assert all(live.state.refuses(badge, Act.WITNESS) is None for badge in demo.STAFF)
                office = await enrol(f"{url}/office")
                for badge in demo.STAFF:
                    change = {"badge": badge, "password": demo.PASSWORD, "new": "four coloured chips on the rail"}
                    assert (await http(url, "POST", "/api/password", change, token=office)).status == 200
                assert await sign_in_both(url) == [401, 401]

    asyncio.run(scenario())


OLD = """\
# A floor for a demonstration, made by `stickman serve --demo`. docs/operating.md describes all settings.
demo = true
database = "sqlite:floor.db"
ticket_key = "ticket.key"
journal_key = "journal.key"

[tables.1]
name = "Demo"
game = "craps"

[tables.1.settings]
seats = 3
mode = "automated"
"""


def test_a_folder_of_an_earlier_version_goes_on_and_is_told_how_to_get_the_new_tables(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(OLD)
    assert demo.make_folder(tmp_path) == file
    assert len(planned_in(file).tables) == 1
    assert "--folder" in demo.older(file)
    assert demo.older(demo.make_folder(tmp_path / "new")) == ""
    file.write_text(OLD.partition("\n")[2])  # somebody's own
    assert demo.older(file) == ""


def test_the_seats_begin_with_nothing_and_take_bills_from_a_device_that_gave_its_code(tmp_path: Path) -> None:
    config = demo.make_folder(tmp_path)
    config.write_text(f'emulator = "{PAGE}"\n{config.read_text()}')
    assert planned_in(config).config.emulator == PAGE

    async def scenario() -> None:
        async with serving(config) as (live, url):
            welcome = await demo.prepare(live)
            places = [(place.table, place.device, place.seat) for place in welcome.devices]
            at_table = [("doors", 0), *((kind, seat) for kind in s.DEVICE_KINDS for seat in (1, 2, 3))]
            assert sorted(places, key=str) == sorted(
                [(table, *each) for table in range(1, 6) for each in at_table], key=str
            )

            async def enrolled(code: str) -> Device:
                answer = await http(url, "POST", "/api/enrol", {"code": code})
                return Device(url, answer.json["token"], answer.json["terminal"])

            acceptor = await enrolled(welcome.devices[Place("acceptor", 1, 1)])
            seat = await enrol(f"{url}{welcome.links['table 1 seat 1']}")
            async with screen(url, seat) as player, acceptor.over():
                assert player.view["credit_cents"] == 0
                assert player.view["shared"]["emulator"] == PAGE
                assert await acceptor.takes_bill(10_000)
                await player.until(lambda view: view["credit_cents"] == 10_000)
            policy = (await http(url, "GET", "/seat/1")).headers["content-security-policy"]
            assert f"frame-src 'self' {PAGE};" in policy

    asyncio.run(scenario())


# --- Programs that end before the server does ---


def test_emulators_that_are_killed_start_again_where_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs: list[demo_devices._Program] = []

    class Noted(demo_devices._Program):
        def __init__(self, *about: Any) -> None:
            super().__init__(*about)
            programs.append(self)

    monkeypatch.setattr(demo_devices, "AGAIN_S", (0.0,))
    monkeypatch.setattr(demo_devices, "_Program", Noted)

    async def scenario() -> None:
        places = [Place("acceptor", 1, 1), Place("doors", 1)]
        async with demo_devices.emulators(tmp_path, places, PAGE) as found:
            [program] = programs
            before = program.process.pid
            program.process.send_signal(signal.SIGKILL)
            async with asyncio.timeout(30):
                while program.process.pid == before or (await page(found.origin)) != 200:  # noqa: ASYNC110 - another process
                    await asyncio.sleep(0.05)

    async def page(origin: str) -> int:
        try:
            return (await http(origin, "GET", "/state?table=1&seat=1")).status
        except OSError:
            return 0

    with capture_logs() as logs:
        asyncio.run(scenario())
    [ended] = logs
    assert (ended["program"], ended["exit_code"]) == ("device", -signal.SIGKILL)


def test_a_program_that_ends_again_and_again_is_given_up_and_the_log_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_devices, "AGAIN_S", (0.0, 0.0))
    found = demo_devices.Emulators(page="http://127.0.0.1:1/", places=())
    (tmp_path / demo_devices.FOLDER).mkdir()

    async def scenario() -> None:
        async with demo_devices.driven(tmp_path, found, PAGE, {}):  # without devices it does not start
            async with asyncio.timeout(60):
                while not any(entry["log_level"] == "critical" for entry in logs):  # noqa: ASYNC110 - another process
                    await asyncio.sleep(0.05)

    with capture_logs() as logs:
        asyncio.run(scenario())
    assert [entry["log_level"] for entry in logs] == ["error", "error", "critical"]
    assert "has no devices" in logs[-1]["event"]
    assert (tmp_path / demo_devices.FOLDER / "devices.log").read_text().count("found 0 devices") == 3
