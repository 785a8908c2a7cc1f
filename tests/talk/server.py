"""How tests talk to a server: as screens do, over real sockets."""

from __future__ import annotations

import asyncio
import itertools
import json
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from stickman.floor.events import Role
from stickman.table import messages as m
from stickman.table.frames import Plain, merged
from stickman.table.messages import Request
from tests.server.process import BADGES, CAGE, CASHIER, PASSWORD, seat
from tests.talk import Dice, Money, in_cents
from tests.talk.table import as_dice

PATIENCE_S = 30
_ids = itertools.count(1)


class Answer(NamedTuple):
    """What came over HTTP."""

    status: int
    headers: dict[str, str]
    cookies: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


async def http(  # noqa: PLR0913 - what a request is made of
    url: str,
    method: str,
    path: str,
    body: object = None,
    *,
    token: str = "",
    session: str = "",
    trusted: ssl.SSLContext | None = None,
    **headers: str,
) -> Answer:
    """Ask something over HTTP; header names with underscores for dashes."""
    where = urlsplit(url)
    data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    sent = {"host": where.netloc, "connection": "close", "content-length": str(len(data))}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        sent["authorization"] = f"Bearer {token}"
    if session:
        sent["cookie"] = f"stickman_staff={session}"
    reader, writer = await asyncio.open_connection(where.hostname, where.port, ssl=trusted)
    try:
        head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + data)
        async with asyncio.timeout(PATIENCE_S):
            answer = await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()
    top, _, rest = answer.partition(b"\r\n\r\n")
    status, *lines = top.decode().split("\r\n")
    pairs = [line.split(": ", 1) for line in lines]
    cookies = dict(value.split(";")[0].split("=", 1) for name, value in pairs if name.lower() == "set-cookie")
    found = {name.lower(): value for name, value in pairs}
    if found.get("transfer-encoding") == "chunked":
        rest = rest.partition(b"\r\n")[2].rpartition(b"\r\n0\r\n")[0]
    return Answer(int(status.split()[1]), found, cookies, rest)


async def sign_in(url: str, token: str, role: Role) -> str:
    """Sign the badge of a role in at a terminal; the session."""
    answer = await http(url, "POST", "/api/sign-in", {"badge": BADGES[role], "password": PASSWORD}, token=token)
    assert answer.status == 200, answer
    return answer.cookies["stickman_staff"]


_cashiers: dict[str, tuple[str, float]] = {}
"""By URL of a server, the cashier's session there and when it began."""
SESSION_S = 200
"""A session that nobody uses ends after five minutes."""


@asynccontextmanager
async def cage(url: str, table: int) -> AsyncIterator[Screen]:
    """The cashier's line to a table, from the office's terminal."""
    session, began = _cashiers.get(url, ("", 0.0))
    if not session or time.monotonic() - began > SESSION_S:
        given = {"badge": CASHIER, "password": PASSWORD}
        answer = await http(url, "POST", "/api/sign-in", given, token=CAGE)
        assert answer.status == 200, answer
        session = answer.cookies["stickman_staff"]
        _cashiers[url] = session, time.monotonic()
    async with screen(url, CAGE, session, path=f"/ws?table={table}") as cashier:
        yield cashier


@asynccontextmanager
async def till(url: str, table: int, number: int) -> AsyncIterator[Screen]:
    """A line over which cash and tickets come to a seat of a real floor. The seat is connected too, or it takes
    nothing."""
    async with screen(url, seat(table, number)), cage(url, table) as line:
        yield line


async def fund(url: str, table: int, number: int, amount: Money) -> None:
    """Put credit on a seat where nobody is connected."""
    async with till(url, table, number) as line:
        await line.do(m.GiveCredit(seat=number, cents=in_cents(amount)))


class Deed(NamedTuple):
    """What a second person approves: a request at a table, or a call of the desk."""

    table: int = 0
    request: Request | None = None
    endpoint: str = ""
    body: object = None

    @property
    def plain(self) -> dict[str, object]:
        if self.request:
            return {"table": self.table, "request": msgspec.to_builtins(self.request)}
        return {"endpoint": self.endpoint, "body": self.body}


async def approve(url: str, token: str, session: str, role: Role, deed: Deed) -> Answer:
    """Let the badge of a role be the second person for one deed of who is signed in at a terminal."""
    told = {"badge": BADGES[role], "password": PASSWORD} | deed.plain
    return await http(url, "POST", "/api/approve", told, token=token, session=session)


class Screen:
    """A screen that is connected: it shows its view, and asks."""

    def __init__(self, socket: ClientConnection, url: str, token: str) -> None:
        self.socket, self.url, self.token = socket, url, token
        self.view: Plain = {}
        self.seq = 0
        self.heard: list[str] = []
        """The types of all messages so far."""

    async def hear(self) -> Plain:
        """The next message; what it shows is shown."""
        async with asyncio.timeout(PATIENCE_S):
            message: Plain = json.loads(await self.socket.recv())
        self.heard.append(message["type"])
        if message["type"] == "snapshot":
            self.seq, self.view = message["seq"], message["view"]
        elif message["type"] == "frame":
            self.seq, self.view = message["seq"], merged(self.view, message["changes"])
        return message

    async def told(self) -> Plain:
        """The next message that is no frame."""
        while (message := await self.hear())["type"] == "frame":
            pass
        return message

    async def caught_up(self) -> None:
        """Wait until all that was shown to anybody by now is shown here."""
        await self.say({"type": "ping"})
        while (await self.hear())["type"] != "pong":
            pass

    async def until(self, seen: Callable[[Plain], object]) -> Plain:
        """Wait until the view is so."""
        while not (self.view and seen(self.view)):
            await self.hear()
        return self.view

    async def say(self, message: object) -> None:
        await self.socket.send(json.dumps(message))

    async def ask(self, request: Request, command: str = "", approver: str = "") -> Plain:
        """Ask, and wait for the answer; asked again as long as nobody knows."""
        command = command or f"test-{next(_ids)}"
        said = {"type": "ask", "id": command, "request": msgspec.to_builtins(request), "approver": approver}
        await self.say(said)
        while True:
            answer = await self.hear()
            if answer.get("id") == command and answer["type"] == "again":
                await self.say(said)
            elif answer.get("id") == command:
                return answer

    async def do(self, *requests: Request) -> None:
        """Ask for what must be done."""
        for request in requests:
            answer = await self.ask(request)
            assert answer["type"] == "done", (request, answer)

    # A seat

    @property
    def place(self) -> tuple[int, int]:
        """Table and number of the seat."""
        _, _, table, _, number = self.token.removeprefix("token-").split("-")
        return int(table), int(number)

    async def funded(self, amount: Money) -> None:
        """Have the cashier give this seat credit, and see it."""
        table, number = self.place
        async with cage(self.url, table) as cashier:
            await cashier.do(m.GiveCredit(seat=number, cents=in_cents(amount)))
        await self.caught_up()

    async def bets(self, spot: str, amount: Money) -> None:
        await self.do(m.PlaceBet(seat=self.place[1], spot=spot, cents=in_cents(amount)))

    async def cashes_out(self) -> None:
        await self.do(m.CashOut(seat=self.place[1]))

    # The dealer

    async def counts(self, dice: Dice) -> None:
        """Close bets and count the dice; the result is shown."""
        await self.do(m.CloseBets(), m.EnterDice(dice=as_dice(dice)), m.ConfirmDice())

    async def rolls(self, *rolled: Dice) -> None:
        """Close bets, count the dice, open bets again: for each of the rolls."""
        for dice in rolled:
            await self.counts(dice)
            await self.do(m.OpenBets())

    @property
    def phase(self) -> str:
        return str(self.view["shared"]["phase"])


@asynccontextmanager
async def line(url: str, token: str, session: str = "", path: str = "/ws", **options: Any) -> AsyncIterator[Screen]:
    """A connection that has not joined."""
    headers = {"Authorization": f"Bearer {token}"} | ({"Cookie": f"stickman_staff={session}"} if session else {})
    where = url.replace("http", "ws", 1) + path
    async with connect(where, additional_headers=headers, compression=None, max_size=None, **options) as socket:
        yield Screen(socket, url, token)


@asynccontextmanager
async def screen(
    url: str, token: str, session: str = "", after: int | None = None, path: str = "/ws"
) -> AsyncIterator[Screen]:
    """A screen that has joined, and shows its view where it did not go on after a frame."""
    async with line(url, token, session, path) as joined:
        await joined.say({"type": "join", "after": after})
        if after is None:
            await joined.hear()
        yield joined
