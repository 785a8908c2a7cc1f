"""A screen of a live table, in Python: join, look, ask, wait for what comes.

    async with SeatScreen.join("http://127.0.0.1:8000", token) as seat:
        await seat.ask(PlaceBet(seat=seat.number, spot="pass", cents=1000))
        view = await seat.until(lambda view: view.shared.phase == "rolled")
        print(view.shared.history[-1].total, view.win_cents)

`enrol` gives a terminal its token, once. `view` is what the screen shows, and `view.offers` says what may be asked.
What is refused raises `RequestRefused` and has changed nothing. A connection that is lost is made again: the view
goes on where it was, and what has not been answered is asked again under the same id, so that it is done once.
`Gone` says that there is no coming back.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection, HTTPSConnection
from typing import ClassVar, Generic, Self, TypeVar
from urllib.parse import SplitResult, urlsplit

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from stickman.table.frames import Plain, merged
from stickman.table.messages import Request
from stickman.table.view import DealerView, InfoView, OfficeView, SeatView, TableView
from stickman.wire import ENCODER, Again, Ask, Bad, Done, Frame, Join, Ping, Pong, Refused, Said, Snapshot

V = TypeVar("V", bound=Struct)
Answer = Done | Refused | Again

TOLD = msgspec.json.Decoder(Snapshot | Frame | Done | Refused | Again | Pong | Bad)
AGAIN_S = 0.2
"""How long to wait before asking again what nobody knows the fate of."""
RETRY_S, RETRY_S_MAX = 0.1, 5.0
"""How long to wait before connecting again: twice as long each time, up to so long."""
SHUT_OUT = (401, 403, 404)
"""HTTP statuses of those who need not come again."""
FOR_GOOD = {
    1007: "the server could not read what was sent",
    1008: "the server could not read what was sent",
    1009: "what was sent is too long",
    4001: "the terminal is good no more",
    4004: "the seat has newer connections",
}
"""Codes of connections that are closed for good: it would be the same the next time."""


class RequestRefused(Exception):
    """A refused request, with its `Refused`: nothing has changed."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.says)
        self.refused = refused


class Gone(Exception):
    """The server does not let this screen in, now or later."""


async def enrol(link: str) -> str:
    """Trade the code at the end of a link, `http://127.0.0.1:8000/seat/1#CODE`, for the token of that terminal. The
    code is good once; the token is to be kept."""
    return await asyncio.to_thread(_enrol, urlsplit(link))


def _enrol(link: SplitResult) -> str:
    kind = HTTPSConnection if link.scheme == "https" else HTTPConnection
    with closing(kind(link.hostname or "", link.port, timeout=10)) as connection:
        connection.request("POST", "/api/enrol", msgspec.json.encode({"code": link.fragment}))
        response = connection.getresponse()
        told = msgspec.json.decode(response.read())
    if response.status != HTTPStatus.OK:
        raise Gone(told.get("says") or told.get("error"))
    token: str = told["token"]
    return token


class Screen(Generic[V]):
    """A terminal of the floor, by its token; which screen it is, the server knows."""

    shows: ClassVar[type[Struct]]
    """The type of its view."""

    def __init__(self, url: str, token: str, session: str = "") -> None:
        headers = {"Authorization": f"Bearer {token}"}
        if session:
            headers["Cookie"] = f"stickman_staff={session}"
        link = urlsplit(url)
        at = link._replace(scheme=link.scheme.replace("http", "ws"), path="/ws", fragment="").geturl()
        # A table is on the local network: compression and proxies would only cost time.
        self._dial = partial(connect, at, additional_headers=headers, compression=None, proxy=None, max_size=None)
        self._socket: ClientConnection | None = None
        self._lost: Exception | None = None
        """Why there is no coming back."""
        self._pause_s = RETRY_S
        self._seq: int | None = None
        """The number of what is shown."""
        self._plain: Plain = {}
        self._view: V | None = None
        """The same as its type, once somebody looks."""
        self._version = self._looked_at = 0
        self._moved = asyncio.Event()
        self._ahead_ms = 0
        """By how much the server's clock is ahead of ours."""
        self._asked: dict[str, tuple[Ask, asyncio.Future[Answer]]] = {}
        """By id, what has not been answered."""
        nobody_elses = secrets.token_urlsafe(12)
        self._ids = (f"{nobody_elses}:{number}" for number in itertools.count(1))

    @classmethod
    @asynccontextmanager
    async def join(cls, url: str, token: str, session: str = "") -> AsyncIterator[Self]:
        """Be a screen for a while; `session` is that of the member of staff who is signed in there. Raises what
        goes wrong with the first connection; later ones are made again."""
        screen = cls(url, token, session)
        staying = asyncio.create_task(screen._stay())
        try:
            await screen.changed()
            yield screen
        finally:
            staying.cancel()
            await asyncio.wait({staying})

    # --- Looking ---

    @property
    def view(self) -> V:
        """What the screen shows now."""
        self._looked_at = self._version
        if self._view is None:
            self._view = msgspec.convert(self._plain, self.shows, str_keys=True)  # type: ignore[assignment]
        assert self._view is not None
        return self._view

    async def changed(self) -> V:
        """Wait for a view that `view` has not shown yet; it may be there already."""
        seen = self._looked_at
        while self._version == seen:
            self._raise_if_lost()
            await self._moved.wait()
        return self.view

    async def until(self, shows: Callable[[V], bool]) -> V:
        """Wait for a view of which this is true; it may be true already."""
        while not shows(view := self.view):
            await self.changed()
        return view

    @property
    def server_ms(self) -> int:
        """What the clock of the server reads: `deadline_ms` and other moments of a view are told by it."""
        return _now_ms() + self._ahead_ms

    # --- Asking ---

    async def ask(self, request: Request, approver: str = "") -> Done:
        """Have something done, and wait until it is durable; it is shown by then. `approver` is the badge of the
        second person, where two are needed. Raises `RequestRefused`."""
        ask = Ask(id=next(self._ids), request=request, approver=approver)
        answer = await self._answered(ask)
        while isinstance(answer, Again):
            await asyncio.sleep(AGAIN_S)
            answer = await self._answered(ask)
        if isinstance(answer, Refused):
            raise RequestRefused(answer)
        return answer

    async def _answered(self, ask: Ask) -> Answer:
        self._raise_if_lost()
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._asked[ask.id] = ask, answer
        try:
            if self._socket:
                with suppress(ConnectionClosed):  # it is sent again over the next one
                    await _say(self._socket, ask)
            return await answer
        finally:
            del self._asked[ask.id]

    # --- The connection ---

    async def _stay(self) -> None:
        """Talk to the server, over as many connections as it takes, until it lets the screen in no more."""
        try:
            while True:
                try:
                    async with self._dial() as socket:
                        await self._talk(socket)
                except (OSError, InvalidHandshake, ConnectionClosed) as problem:
                    self._socket = None
                    self._give_up_after(problem)
                # Not all at once when a floor comes back.
                await asyncio.sleep(random.uniform(self._pause_s / 2, self._pause_s))  # noqa: S311 - no secret
                self._pause_s = min(self._pause_s * 2, RETRY_S_MAX)
        except Exception as problem:  # noqa: BLE001 - raised again by whoever waits
            self._lost = problem
            for _, answer in self._asked.values():
                if not answer.done():
                    answer.set_exception(problem)
            self._moved.set()

    def _give_up_after(self, problem: Exception) -> None:
        """Raise if it would be no better the next time."""
        if isinstance(problem, InvalidStatus) and problem.response.status_code in SHUT_OUT:
            raise Gone(f"not let in: HTTP status {problem.response.status_code}") from problem
        if isinstance(problem, ConnectionClosed) and problem.rcvd and problem.rcvd.code in FOR_GOOD:
            raise Gone(problem.rcvd.reason or FOR_GOOD[problem.rcvd.code]) from problem
        if self._seq is None and not isinstance(problem, ConnectionClosed):
            raise problem

    async def _talk(self, socket: ClientConnection) -> None:
        """Join, ask again what is open, and hear what is told until the connection is lost."""
        await _say(socket, Join(after=self._seq))
        self._socket = socket
        for ask, _ in list(self._asked.values()):
            await _say(socket, ask)
        await _say(socket, Ping(sent_ms=_now_ms()))
        while True:
            self._hear(await socket.recv(decode=False))
            self._pause_s = RETRY_S

    def _hear(self, data: bytes) -> None:
        match TOLD.decode(data):
            case Snapshot(seq=seq, server_ms=server_ms, view=view):
                if self._seq is None:
                    self._ahead_ms = server_ms - _now_ms()  # nearly; the pong that comes knows better
                self._show(seq, view)
            case Frame(seq=seq, changes=changes):
                self._show(seq, merged(self._plain, changes))
            case Done() | Refused() | Again() as answer:
                _, waiting = self._asked.get(answer.id, (None, None))
                if waiting and not waiting.done():
                    waiting.set_result(answer)
            case Pong(sent_ms=sent_ms, server_ms=server_ms):
                self._ahead_ms = server_ms - (sent_ms + _now_ms()) // 2
            case Bad(message=message):
                raise Gone(message)

    def _show(self, seq: int, plain: Plain) -> None:
        self._seq, self._plain, self._view = seq, plain, None
        self._version += 1
        self._moved.set()
        self._moved = asyncio.Event()

    def _raise_if_lost(self) -> None:
        if self._lost:
            raise self._lost


async def _say(socket: ClientConnection, message: Said) -> None:
    await socket.send(ENCODER.encode(message), text=True)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class SeatScreen(Screen[SeatView]):
    """A player's terminal."""

    shows = SeatView

    @property
    def number(self) -> int:
        seat: int = self._plain["seat"]
        return seat


class DealerScreen(Screen[DealerView]):
    """The dealer's terminal."""

    shows = DealerView


class TableScreen(Screen[TableView]):
    """The table display."""

    shows = TableView


class InfoScreen(Screen[InfoView]):
    """The player information display."""

    shows = InfoView


class OfficeScreen(Screen[OfficeView]):
    """The operator's page of a table."""

    shows = OfficeView
