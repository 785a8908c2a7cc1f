"""How tests talk to a server: as screens do, over real sockets."""

from __future__ import annotations

import asyncio
import itertools
import json
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from stickman.devices import signals as s
from stickman.devices.link import BEAT_S
from stickman.floor.events import Place, Role
from stickman.server.floor import LiveFloor
from stickman.server.house import Asked
from stickman.server.pit import Accepted
from stickman.table import messages as m
from stickman.table.frames import Plain, merged
from stickman.table.messages import Request
from tests.server.process import BADGES, CAGE, CASHIER, PASSWORD, seat
from tests.talk import Dice, Money, in_cents
from tests.talk.floor import slip_printed
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


_cashiers: dict[str, str] = {}
"""By URL of a server, the cashier's last session there."""


async def cashier(url: str) -> str:
    """The session of the cashier, who is a supervisor, at the office's terminal. The server is asked whether the
    last one is still valid: it ends after five minutes, and another server may have the URL now."""
    last = _cashiers.get(url)
    if last is None or (await http(url, "GET", "/api/may", token=CAGE, session=last)).status == 401:
        given = {"badge": CASHIER, "password": PASSWORD}
        answer = await http(url, "POST", "/api/sign-in", given, token=CAGE)
        assert answer.status == 200, answer
        _cashiers[url] = answer.cookies["stickman_staff"]
    return _cashiers[url]


@asynccontextmanager
async def cage(url: str, table: int) -> AsyncIterator[Screen]:
    """The cashier's line to a table, from the office's terminal."""
    async with screen(url, CAGE, await cashier(url), path=f"/ws?table={table}") as line:
        yield line


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
        async with cage(self.url, table) as line:
            await line.do(m.GiveCredit(seat=number, cents=in_cents(amount)))
        await self.caught_up()

    async def bets(self, spot: str, amount: Money) -> None:
        await self.do(m.PlaceBet(seat=self.place[1], spot=spot, cents=in_cents(amount)))

    async def cashes_out(self, printer: Device | None = None) -> str:
        """Cash out, by default at a new printer; the number on the paper."""
        if printer is None:
            async with device(self.url, "printer", *self.place) as new:
                return await self.cashes_out(new)
        await self.do(m.CashOut(seat=self.place[1]))
        number = (await printer.prints()).slip.number
        await self.caught_up()
        return number

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


async def booked_ticket(live: LiveFloor, table: int = 1, seat: int = 1) -> str:
    """Let a seat of a floor in this process cash out, at a printer that is always there; the ticket's number."""
    live.pits[table].house = live.pits[table].house._replace(printers=lambda _: None)
    done = await live.ask(table, Asked(m.CashOut(seat=seat), f"seat {seat}"))
    assert isinstance(done, Accepted), done
    [number] = [event.number for event in done.events if isinstance(event, m.TicketReserved)]
    assert isinstance(await live.ask(table, Asked(slip_printed(seat, number), "printer")), Accepted)
    return number


# --- Devices ---

ToldDevice = s.Heard | s.Wanted | s.Tell | s.Alive | s.NotUnderstood


class Device:
    """A device, over its line: it reports under growing numbers, and knows what the table wants of it. What is not
    heard is kept, so a device may come back over another line (`over`)."""

    def __init__(self, url: str, token: str, terminal: str) -> None:
        self.url, self.token, self.terminal = url, token, terminal
        self.boot, self.seq = "0123456789abcdef", 0
        self.kept: list[s.Report] = []
        self.wishes: Any = None
        """As the server sent them last."""
        self.told: list[ToldDevice] = []
        """All that the server has said."""
        self.socket: ClientConnection

    async def hear(self) -> ToldDevice:
        """The next message of the server, besides signs of life. A device that is asked for its program does not
        answer by itself."""
        async with asyncio.timeout(PATIENCE_S):
            while isinstance(message := s.FROM_SERVER.decode(await self.socket.recv()), s.Alive):
                self.told.append(message)
        self.told.append(message)
        if isinstance(message, s.Wanted):
            self.wishes = message.wishes
        if isinstance(message, s.Heard):
            self.kept = [each for each in self.kept if each.seq > message.seq]
        return message

    async def say(self, message: s.DeviceMessage) -> None:
        await self.socket.send(s.ENCODER.encode(message).decode())

    def noted(self, signal: s.AnySignal) -> s.Report:
        """A report that must be heard some time."""
        self.seq += 1
        report = s.Report(boot=self.boot, seq=self.seq, at_ms=1, signal=signal)
        self.kept.append(report)
        return report

    async def report(self, *signals: s.AnySignal) -> None:
        """Report, and wait until all is heard."""
        for report in [self.noted(signal) for signal in signals]:
            await self.say(report)
        await self.all_heard()

    async def all_heard(self) -> None:
        while self.kept:
            await self.hear()

    async def until(self, wanted: Callable[[Any], object]) -> None:
        """Wait until the wishes are so."""
        while self.wishes is None or not wanted(self.wishes):
            await self.hear()

    @asynccontextmanager
    async def over(self, *, beats: bool = True, **options: Any) -> AsyncIterator[Device]:
        """Connect, and repeat what was not heard. It says all the time that it is still there, unless it must be
        silent."""
        headers, where = {"Authorization": f"Bearer {self.token}"}, self.url.replace("http", "ws", 1) + "/ws/device"
        async with connect(where, additional_headers=headers, compression=None, max_size=None, **options) as socket:
            self.socket, self.wishes = socket, None
            beating = asyncio.create_task(self._beat()) if beats else None
            try:
                await self.until(lambda _: True)
                for report in list(self.kept):
                    await self.say(report)
                yield self
            finally:
                if beating:
                    beating.cancel()

    async def _beat(self) -> None:
        with suppress(ConnectionClosed):
            while True:
                await self.say(s.StillThere())
                await asyncio.sleep(BEAT_S)

    # An acceptor

    _note = 0

    async def takes_bill(self, cents: int) -> bool:
        """A bill is put in: stacked, or given back as the table wants it."""
        self._note += 1
        await self.report(s.BillInEscrow(note=self._note, cents=cents))
        return await self._decided(s.BillStacked(note=self._note, cents=cents))

    async def takes_ticket(self, number: str) -> bool:
        """The same with a ticket."""
        self._note += 1
        await self.report(s.TicketInEscrow(note=self._note, number=number))
        return await self._decided(s.TicketStacked(note=self._note, number=number))

    async def _decided(self, stacked: s.BillStacked | s.TicketStacked) -> bool:
        await self.until(lambda wishes: wishes.note == stacked.note)
        stack = bool(self.wishes.stack)
        await self.report(stacked if stack else s.NoteReturned(note=stacked.note))
        return stack

    # A printer

    async def prints(self) -> s.PrintJob:
        """Print the next job."""
        await self.until(lambda wishes: wishes.print)
        job: s.PrintJob = self.wishes.print
        await self.report(s.SlipBegun(job=job.job), s.SlipPrinted(job=job.job))
        await self.until(lambda wishes: not wishes.print)
        return job


async def enrolled(url: str, place: Place) -> Device:
    """Enrol a new device at a place, as a supervisor does it; the place's last one is revoked."""
    body = {"screen": place.screen, "table": place.table, "seat": place.seat}
    offered = await http(url, "POST", "/api/terminals", body, token=CAGE, session=await cashier(url))
    assert offered.status == 200, offered
    code = {"code": offered.json["code"]}
    while (answer := await http(url, "POST", "/api/enrol", code)).status == 429:  # noqa: ASYNC110 - only time helps
        await asyncio.sleep(0.2)
    assert answer.status == 200, answer
    return Device(url, answer.json["token"], answer.json["terminal"])


@asynccontextmanager
async def device(url: str, kind: s.DeviceKind, table: int, seat: int = 0) -> AsyncIterator[Device]:
    """A new device that is connected."""
    async with (await enrolled(url, Place(kind, table, seat))).over() as connected:
        yield connected
