"""A screen of a live table, in Python: join, look, ask, wait for changes.

    async with SeatScreen.join("http://127.0.0.1:8000", token) as seat:
        await seat.ask(PlaceBet(seat=seat.number, spot="pass", cents=1000))
        view = await seat.until(lambda view: view.shared.phase == "rolled")
        print(view.shared.history[-1].total, view.win_cents)

`enrol` gives a terminal its token, once. `view` is what the screen shows, and `view.offers` is what may be asked. A
refused request raises `RequestRefused` and changes nothing. A lost connection is made again: the view continues,
and requests without an answer are sent again under the same id, so that they act once. `Gone` is raised if the
server will not let this screen in again.
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
from http.cookies import SimpleCookie
from typing import ClassVar, Generic, Self, TypeVar
from urllib.parse import SplitResult, parse_qs, urlsplit

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from stickman.table.frames import Plain, merged
from stickman.table.messages import Request
from stickman.table.view import DealerView, SeatView
from stickman.wire import ENCODER, Again, Ask, Bad, Done, Frame, Join, Ping, Pong, Refused, ScreenMessage, Snapshot

V = TypeVar("V", bound=Struct)
Answer = Done | Refused | Again

DECODER = msgspec.json.Decoder(Snapshot | Frame | Done | Refused | Again | Pong | Bad)
AGAIN_S = 0.2
"""How long to wait after an `Again`."""
RETRY_S, RETRY_S_MAX = 0.1, 5.0
"""How long to wait before the next connection: twice as long each time, up to a limit."""
SHUT_OUT = (401, 403, 404)
"""HTTP statuses after which another attempt is useless."""
FOR_GOOD = {
    1007: "the server could not read a message",
    1008: "the server could not read a message",
    1009: "a message was too long",
    4001: "the terminal is revoked",
    4004: "the seat has newer connections",
}
"""Close codes after which another connection is useless."""


class RequestRefused(Exception):
    """A refused request, with its `Refused`."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.says)
        self.refused = refused


class Gone(Exception):
    """The server does not let this screen in, now or later."""


async def enrol(link: str) -> str:
    """Exchange the code at the end of a link, `http://127.0.0.1:8000/seat/1#CODE`, for the token of that terminal.
    The code is valid once; keep the token. At a demonstration, the address of a seat, `…/seat/1?table=2`, is
    enough."""
    return await asyncio.to_thread(_enrol, urlsplit(link))


def _enrol(link: SplitResult) -> str:
    kind = HTTPSConnection if link.scheme == "https" else HTTPConnection
    asks, sends = ("/api/enrol", {"code": link.fragment}) if link.fragment else ("/api/sit", _place_of(link))
    with closing(kind(link.hostname or "", link.port, timeout=10)) as connection:
        connection.request("POST", asks, msgspec.json.encode(sends))
        response = connection.getresponse()
        body = msgspec.json.decode(response.read())
    if response.status != HTTPStatus.OK:
        raise Gone(body.get("says") or body.get("error"))
    [token] = [each.value for each in SimpleCookie(response.headers["set-cookie"]).values()]
    return str(token)


def _place_of(link: SplitResult) -> dict[str, object]:
    """The place that an address names: `/seat/1?table=2`."""
    screen, _, seat = link.path.strip("/").partition("/")
    numbers = parse_qs(link.query).get("table", ["0"])[0], seat or "0"
    if not all(number.isdecimal() for number in numbers):
        raise Gone(f"{link.geturl()} names no place")
    return {"screen": screen, "table": int(numbers[0]), "seat": int(numbers[1])}


class Screen(Generic[V]):
    """A screen of the floor. Its token tells the server which one."""

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
        """Why it cannot connect again."""
        self._pause_s = RETRY_S
        self._seq: int | None = None
        """The number of the view."""
        self._plain: Plain = {}
        self._view: V | None = None
        """The view as its type, made when it is read."""
        self._version = self._looked_at = 0
        self._moved = asyncio.Event()
        self._ahead_ms = 0
        """How far the server's clock is ahead of ours."""
        self._asked: dict[str, tuple[Ask, asyncio.Future[Answer]]] = {}
        """By id, the requests without an answer."""
        unique = secrets.token_urlsafe(12)
        self._ids = (f"{unique}:{number}" for number in itertools.count(1))

    @classmethod
    @asynccontextmanager
    async def join(cls, url: str, token: str, session: str = "") -> AsyncIterator[Self]:
        """Connect as a screen; `session` is that of the member of staff who is signed in there. Raises if the first
        connection fails; later ones are tried again."""
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
        """Wait for a view that `view` has not returned yet; it may be there already."""
        seen = self._looked_at
        while self._version == seen:
            self._raise_if_lost()
            await self._moved.wait()
        return self.view

    async def until(self, shows: Callable[[V], bool]) -> V:
        """Wait for a view for which this is true; it may be true already."""
        while not shows(view := self.view):
            await self.changed()
        return view

    @property
    def server_ms(self) -> int:
        """The time of the server's clock, which `deadline_ms` and other times of a view use."""
        return _now_ms() + self._ahead_ms

    # --- Asking ---

    async def ask(self, request: Request, approver: str = "") -> Done:
        """Make a request, and wait until it is durable and shown. `approver` is the badge of the second person, if
        one is needed. Raises `RequestRefused`."""
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
                    await _send(self._socket, ask)
            return await answer
        finally:
            del self._asked[ask.id]

    # --- The connection ---

    async def _stay(self) -> None:
        """Stay connected, over several connections if necessary, until the server refuses the screen."""
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
        except Exception as problem:  # noqa: BLE001 - raised again for every waiter
            self._lost = problem
            for _, answer in self._asked.values():
                if not answer.done():
                    answer.set_exception(problem)
            self._moved.set()

    def _give_up_after(self, problem: Exception) -> None:
        """Raise if another attempt is useless."""
        if isinstance(problem, InvalidStatus) and problem.response.status_code in SHUT_OUT:
            raise Gone(f"not let in: HTTP status {problem.response.status_code}") from problem
        if isinstance(problem, ConnectionClosed) and problem.rcvd and problem.rcvd.code in FOR_GOOD:
            raise Gone(problem.rcvd.reason or FOR_GOOD[problem.rcvd.code]) from problem
        if self._seq is None and not isinstance(problem, ConnectionClosed):
            raise problem

    async def _talk(self, socket: ClientConnection) -> None:
        """Join, send open requests again, and read messages until the connection is lost."""
        await _send(socket, Join(after=self._seq))
        self._socket = socket
        for ask, _ in list(self._asked.values()):
            await _send(socket, ask)
        await _send(socket, Ping(sent_ms=_now_ms()))
        while True:
            self._receive(await socket.recv(decode=False))
            self._pause_s = RETRY_S

    def _receive(self, data: bytes) -> None:
        match DECODER.decode(data):
            case Snapshot(seq=seq, server_ms=server_ms, view=view):
                if self._seq is None:
                    self._ahead_ms = server_ms - _now_ms()  # roughly; the pong corrects it
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


async def _send(socket: ClientConnection, message: ScreenMessage) -> None:
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
