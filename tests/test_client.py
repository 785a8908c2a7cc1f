"""The client: what it shows is the table's view, and whatever happens to its connection, a request is done once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import util
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request as HttpRequest
from websockets.http11 import Response

from stickman import client
from stickman.client import DealerScreen, Gone, RequestRefused, Screen, SeatScreen, enrol
from stickman.floor.office import Drawer, Floor
from stickman.server.house import Asked
from stickman.server.pit import Accepted, Pit, Unknown
from stickman.server.screens import Outbox
from stickman.store.memory import MemoryStore
from stickman.table.frames import plain
from stickman.table.messages import CloseBets, Facts, GiveCredit, OpenBets, PlaceBet, Refusal, RollDice
from stickman.table.view import view
from stickman.wire import DECODER, Again, Ask, Bad, Done, Join, Ping, Pong, ScreenMessage, ServerMessage, refused
from tests.floor.evening import STARTS_MS, awaited
from tests.server import process
from tests.server.process import ServerProcess
from tests.server.test_pit import sitting
from tests.talk import exactly
from tests.talk.games import game
from tests.talk.server import cashier, fund, http

CASH = GiveCredit(seat=1, cents=10_000)
PASS = PlaceBet(seat=1, spot="pass", cents=1_000)


class Doorway:
    """A server of one table that speaks the protocol, and fails as it is told to."""

    def __init__(self, pit: Pit) -> None:
        self.pit, self.url = pit, ""
        self.joined: list[int | None] = []
        """What each connection said it had."""
        self.heard: list[str] = []
        """The ids that were asked, in order."""
        self.before_asking: Callable[[ServerConnection], Any] | None = None
        self.before_answering: Callable[[ServerConnection], Any] | None = None
        self.sockets: list[ServerConnection] = []

    def let_in(self, socket: ServerConnection, request: HttpRequest) -> Response | None:
        del socket
        known = request.headers.get("Authorization", "").removeprefix("Bearer ") in ("seat 1", "dealer")
        return None if known else Response(401, "Unauthorized", Headers())

    async def serve(self, socket: ServerConnection) -> None:
        assert socket.request
        name, outbox = socket.request.headers["Authorization"].removeprefix("Bearer "), Outbox()
        self.sockets.append(socket)
        join = DECODER.decode(await socket.recv())
        assert isinstance(join, Join)
        self.joined.append(join.after)
        _, snapshot = self.pit.watch(name, outbox, join.after)
        sending = asyncio.create_task(self.send(socket, outbox, snapshot))
        try:
            while True:
                outbox.answer(await self.answer(socket, name, DECODER.decode(await socket.recv())))
        except ConnectionClosed:
            pass
        finally:
            self.pit.screens.leave(name, outbox)
            sending.cancel()
            await asyncio.wait({sending})

    async def send(self, socket: ServerConnection, outbox: Outbox, snapshot: Callable[[], bytes]) -> None:
        async for data in outbox.messages(snapshot):
            await socket.send(data, text=True)

    async def answer(self, socket: ServerConnection, name: str, said: ScreenMessage) -> ServerMessage:
        if isinstance(said, Ping):
            return Pong(sent_ms=said.sent_ms, server_ms=self.pit.house.clock.now_ms())
        assert isinstance(said, Ask)
        self.heard.append(said.id)
        await self.happen("before_asking", socket)
        answer = await self.pit.ask(Asked(said.request, name, said.id))
        await self.happen("before_answering", socket)
        match answer:
            case Accepted(seq, _):
                return Done(id=said.id, seq=seq)
            case Unknown():
                return Again(id=said.id)
        return refused(said.id, answer)

    async def happen(self, when: str, socket: ServerConnection) -> None:
        """What was told to happen now, once."""
        if what := getattr(self, when):
            setattr(self, when, None)
            await what(socket)


async def cut(socket: ServerConnection) -> None:
    """As if the cable were pulled: no goodbye."""
    socket.transport.abort()
    await socket.wait_closed()


@asynccontextmanager
async def doorway(*rolls: tuple[int, int]) -> AsyncIterator[Doorway]:
    async with sitting(
        MemoryStore(), *rolls, playing=game("craps", "seats=3", "roll_button=true", "timers.flight_ms=0")
    ) as pit:
        drawers = {"seat 1": Drawer(0), "dealer": Drawer(0)}  # so that they give themselves credit
        pit.house = pit.house._replace(floor=lambda: Floor(drawers=drawers))
        door = Doorway(pit)
        running = asyncio.create_task(pit.run())
        try:
            async with serve(door.serve, "127.0.0.1", 0, process_request=door.let_in) as server:
                port = next(iter(server.sockets)).getsockname()[1]
                door.url = f"http://127.0.0.1:{port}"
                yield door
        finally:
            running.cancel()
            await asyncio.wait({running})


def shown(screen: Screen[Any], pit: Pit, name: str) -> bool:
    """Whether a screen shows what it should."""
    return bool(plain(screen.view) == plain(view(pit.table, name, Facts(now_ms=STARTS_MS))))


async def a_round(door: Doorway) -> None:
    """What the house does, not over the wire."""
    for request in CloseBets(), RollDice(), OpenBets():
        assert isinstance(await door.pit.ask(Asked(request)), Accepted)


# --- Looking and asking ---


@awaited
async def test_what_was_asked_is_shown_when_the_answer_comes() -> None:
    async with doorway() as door, SeatScreen.join(door.url, "seat 1") as seat:
        assert (seat.number, seat.view.credit_cents) == (1, 0)
        done = await seat.ask(CASH)
        assert done.seq == door.pit.boxman.page.head.seq
        assert seat.view.credit_cents == 10_000
        assert shown(seat, door.pit, "seat 1")


@awaited
async def test_a_refusal_is_raised_with_its_reason_and_nothing_has_changed() -> None:
    async with doorway() as door, SeatScreen.join(door.url, "seat 1") as seat:
        before = seat.view
        with pytest.raises(RequestRefused, match="Not enough credit") as raised:
            await seat.ask(PASS)
        assert raised.value.refused.why == Refusal.CREDIT_SHORT.value
        assert seat.view == before


@awaited
async def test_each_screen_shows_its_own_view_after_a_round() -> None:
    async with (
        doorway((6, 1)) as door,
        SeatScreen.join(door.url, "seat 1") as seat,
        DealerScreen.join(door.url, "dealer") as dealer,
    ):
        await seat.ask(CASH)
        await seat.ask(PASS)
        assert (await dealer.until(lambda view: view.seats[1].wagers == 1)).seats[1].bet_cents == 1_000
        await a_round(door)
        await seat.until(lambda view: view.shared.round == 2)
        await dealer.until(lambda view: view.shared.round == 2)
        assert shown(seat, door.pit, "seat 1")
        assert shown(dealer, door.pit, "dealer")


@awaited
async def test_a_view_that_nobody_has_looked_at_counts_as_changed() -> None:
    async with doorway() as door, SeatScreen.join(door.url, "seat 1") as seat:
        assert seat.view.credit_cents == 0
        await seat.ask(CASH)
        assert (await seat.changed()).credit_cents == 10_000
        waiting = asyncio.create_task(seat.changed())
        await asyncio.sleep(0)
        assert not waiting.done()
        await seat.ask(CASH)
        assert (await waiting).credit_cents == 20_000


@awaited
async def test_the_clock_of_the_server_is_known() -> None:
    async with doorway() as door, SeatScreen.join(door.url, "seat 1") as seat:
        await seat.ask(CASH)
        assert 0 <= seat.server_ms - STARTS_MS < 60_000, "the test's clock stands still, the client's goes on"


# --- Lost connections ---


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again without waiting."""
    monkeypatch.setattr(client, "RETRY_S", 0)
    monkeypatch.setattr(client, "AGAIN_S", 0)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("when", ["before_asking", "before_answering"])
@awaited
async def test_a_request_whose_connection_is_lost_is_done_once_and_answered(when: str) -> None:
    async with doorway() as door, SeatScreen.join(door.url, "seat 1") as seat:
        setattr(door, when, cut)
        done = await seat.ask(CASH)
        assert done.seq == door.pit.boxman.page.head.seq
        assert door.pit.table.credit(1) == seat.view.credit_cents == 10_000
        assert len(door.heard) == 2
        assert len(set(door.heard)) == 1, "the same id"


@pytest.mark.usefixtures("at_once")
@awaited
async def test_several_requests_are_each_done_once_whichever_of_them_loses_the_connection() -> None:
    for victim in range(4):
        async with doorway() as door, SeatScreen.join(door.url, "seat 1") as seat:
            await seat.ask(CASH)

            async def place(seat: SeatScreen, door: Doorway, number: int, victim: int) -> Done:
                if number == victim:
                    door.before_answering = cut
                return await seat.ask(PASS)

            done = await asyncio.gather(*(place(seat, door, number, victim) for number in range(4)))
            assert len({each.seq for each in done}) == 4
            assert seat.view.wagers["pass"].stake_cents == 4_000


@pytest.mark.usefixtures("at_once")
@awaited
async def test_a_screen_comes_back_after_the_last_frame_that_it_has() -> None:
    async with doorway((6, 1)) as door, SeatScreen.join(door.url, "seat 1") as seat:
        seen = (await seat.ask(CASH)).seq
        await cut(door.sockets[0])
        await door.pit.ask(Asked(PASS, "seat 1"))
        await a_round(door)
        await seat.until(lambda view: view.shared.round == 2)
        assert door.joined == [None, seen]
        assert shown(seat, door.pit, "seat 1")


@pytest.mark.usefixtures("at_once")
@awaited
async def test_what_nobody_knows_the_fate_of_is_asked_again_under_the_same_id() -> None:
    async def unknown(asked: Asked) -> Unknown:
        door.pit.ask = known  # type: ignore[method-assign] # once
        await known(asked)
        return Unknown()

    async with doorway() as door, SeatScreen.join(door.url, "seat 1") as seat:
        known = door.pit.ask
        door.pit.ask = unknown  # type: ignore[method-assign] # a database that goes after it has written
        await seat.ask(CASH)
        assert seat.view.credit_cents == 10_000
        assert len(door.heard) == 2
        assert len(set(door.heard)) == 1


@awaited
async def test_a_request_that_somebody_waits_for_no_more_is_forgotten() -> None:
    heard = asyncio.Event()

    async def stall(socket: ServerConnection) -> None:
        heard.set()
        await socket.wait_closed()

    async with doorway() as door, SeatScreen.join(door.url, "seat 1") as seat:
        door.before_asking = stall
        asking = asyncio.create_task(seat.ask(CASH))
        await heard.wait()
        asking.cancel()
        await asyncio.wait({asking})
        assert seat._asked == {}


# --- For good ---


@awaited
async def test_a_token_that_is_not_known_is_not_let_in() -> None:
    async with doorway() as door:
        with pytest.raises(Gone, match="401"):
            async with SeatScreen.join(door.url, "seat 9"):
                pass


@awaited
async def test_where_no_server_listens_joining_says_so() -> None:
    async with doorway() as door:
        url = door.url
    with pytest.raises(ConnectionRefusedError):
        async with SeatScreen.join(url, "seat 1"):
            pass


@pytest.mark.parametrize(("code", "says"), [(4001, "revoked"), (1008, "not read"), (1009, "too long")])
@awaited
async def test_when_the_server_closes_for_good_everybody_who_waits_is_told(code: int, says: str) -> None:
    async def close(socket: ServerConnection) -> None:
        await socket.close(code)

    async with doorway() as door, SeatScreen.join(door.url, "seat 1") as seat:
        assert not seat.view.wagers
        waiting = asyncio.create_task(seat.changed())
        door.before_asking = close
        with pytest.raises(Gone, match=says):
            await seat.ask(CASH)
        with pytest.raises(Gone, match=says):
            await waiting
        with pytest.raises(Gone, match=says):
            await seat.ask(CASH)


@awaited
async def test_a_message_that_the_server_could_not_read_is_told_in_its_words() -> None:
    async def complain(socket: ServerConnection) -> None:
        await socket.send(msgspec.json.encode(Bad(message="what is that?")), text=True)

    async with doorway() as door, SeatScreen.join(door.url, "seat 1") as seat:
        door.before_asking = complain
        with pytest.raises(Gone, match="what is that"):
            await seat.ask(CASH)


# --- The real server ---


def test_requests_at_a_server_that_is_killed_and_starts_again_are_each_done_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with SeatScreen.join(server.url, process.seat(1, 1)) as seat:
            await fund(server.url, 1, 1, exactly(CASH.cents))
            asking = [asyncio.create_task(seat.ask(PASS)) for _ in range(5)]
            await seat.until(lambda view: "pass" in view.wagers)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            done = await asyncio.gather(*asking)
            assert len({each.seq for each in done}) == 5
            assert seat.view.wagers["pass"].stake_cents == 5_000
            assert seat.view.credit_cents == 5_000

    with ServerProcess(process.prepare(tmp_path / "floor")) as server:
        server.options += ["--port", str(urlsplit(server.url).port)]
        asyncio.run(scenario())


def test_a_code_is_traded_for_a_token_once(tmp_path: Path) -> None:
    async def scenario(url: str) -> None:
        place, session = {"screen": "seat", "table": 1, "seat": 1}, await cashier(url)
        offered = await http(url, "POST", "/api/terminals", place, token=process.CAGE, session=session)
        link = f"{url}/seat/1#{offered.json['code']}"
        async with SeatScreen.join(link, await enrol(link)) as seat:
            assert abs(seat.server_ms - time.time_ns() // 10**6) < 60_000
        with pytest.raises(Gone, match="code is not valid"):
            await enrol(link)
        with pytest.raises(Gone, match="Not Found"):  # no floor but a demonstration lets anyone sit down
            await enrol(f"{url}/seat/1?table=1")
        with pytest.raises(Gone, match="names no place"):
            await enrol(f"{url}/seat/x")

    with ServerProcess(process.prepare(tmp_path / "floor")) as server:
        asyncio.run(scenario(server.url))


# --- Examples ---


@asynccontextmanager
async def reopening(door: Doorway) -> AsyncIterator[None]:
    """Open bets again whenever the dice lie: time stands still here."""

    async def reopen() -> None:
        async with DealerScreen.join(door.url, "dealer") as dealer:
            while True:
                await dealer.until(lambda view: view.shared.phase == "rolled")
                await door.pit.ask(Asked(OpenBets()))
                await dealer.until(lambda view: view.shared.phase != "rolled")

    task = asyncio.create_task(reopen())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


@awaited
async def test_the_bot_plays_pass_with_odds() -> None:
    bot = loaded(Path(__file__).parent.parent / "examples" / "bot.py")
    async with doorway((2, 2), (3, 1), (5, 6)) as door, SeatScreen.join(door.url, "seat 1") as seat:
        await seat.ask(CASH)
        async with reopening(door):
            await bot.play(seat, rounds=3)
        # Point 4; it is made: 10 on the line at 1 to 1 and 10 of odds at 2 to 1; then 11, a natural.
        assert seat.view.credit_cents == 10_000 + 1_000 + 2_000 + 1_000


def loaded(file: Path) -> ModuleType:
    spec = util.spec_from_file_location(file.stem, file)
    assert spec
    assert spec.loader
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_example_of_the_documentation_is_so(capsys: pytest.CaptureFixture[str]) -> None:
    text = (client.__doc__ or "").split("\n\n")[1]
    lines = text.replace('"http://127.0.0.1:8000"', "url")
    names: dict[str, Any] = {"SeatScreen": SeatScreen, "PlaceBet": PlaceBet}
    exec(f"async def example(url, token):\n{lines}", names)  # noqa: S102 - our own words

    async def scenario() -> None:
        async def roll(socket: ServerConnection) -> None:
            del socket
            for request in CloseBets(), RollDice():
                await door.pit.ask(Asked(request))

        async with doorway((6, 1)) as door:
            await door.pit.ask(Asked(CASH, "seat 1"))
            door.before_answering = roll
            await names["example"](door.url, "seat 1")

    asyncio.run(scenario())
    assert capsys.readouterr().out == "7 1000\n"
