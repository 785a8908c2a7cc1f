"""Every HTTP address of the server: who may ask, and what answers."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import structlog
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from stickman.floor import recall, terminals
from stickman.floor.events import Act, Decision, EnrolmentFailed, FloorEvent, Place, Refusal, Refused
from stickman.floor.journal import BadRecord
from stickman.floor.office import Account, Floor, Terminal, folded
from stickman.floor.placard import Placard, placard
from stickman.floor.staff import Deed
from stickman.floor.statistics import StayStatistics, statistics
from stickman.floor.tally import NoSuchTable
from stickman.floor.tickets import BadNumber
from stickman.server import answers as a
from stickman.server import demo, desk
from stickman.server.answers import Json
from stickman.server.auth import STAFF_SCREENS, Busy, Denial, Denied, deed_at_table
from stickman.server.desk import DESK, BadQuery, NotHere, StaffAddress, Visit
from stickman.server.device_line import DeviceLine
from stickman.server.door import Door, keeps
from stickman.server.floor import REPLACED, LiveFloor
from stickman.server.guard import Guard, held_of, peer
from stickman.server.house import Asked
from stickman.server.lessons import LESSONS
from stickman.server.limits import Buckets
from stickman.server.line import ScreenLine
from stickman.server.pit import Pit
from stickman.server.practice import practice_placard
from stickman.server.practice_line import PracticeLine
from stickman.server.sounds import ours
from stickman.store.store import NotAppended
from stickman.table import messages as m
from stickman.table.asking import layout_of
from stickman.wire import LessonName

log = structlog.get_logger()

TERMINAL, STAFF = "stickman_terminal", "stickman_staff"
"""The cookies of a terminal's token and of a staff session. A request that names its place has cookies of that
place, so that one browser can be several screens (`cookie_of`)."""
PLACE = "place"
"""The query that names a place."""
PLACE_NAMED = re.compile(r"office|table-[0-9]{1,6}-(dealer|table|info|seat-[0-9]{1,2})")
COOKIES_MAX = 64
"""Cookies that are looked at to find which screens a browser is."""
DEVICES, PRACTICE = "/ws/device", "/ws/practice"
"""The addresses of the lines of devices and of learners."""
LOOKS_ON = "stickman-looks-on"
"""The header of requests that a page sends on its own. They do not count as use, so an idle session still ends."""
YEARS_S = 10 * 365 * 86_400
PAGES = Path(str(resources.files("stickman") / "pages"))
STATUS = {
    **dict.fromkeys((Refusal.NOBODY_SIGNED_IN, Refusal.NOT_SIGNED_IN), 401),
    **dict.fromkeys((Refusal.MUST_CHANGE, Refusal.KEY_OFF, Refusal.NOT_ALLOWED, Refusal.NEEDS_TWO), 403),
    **dict.fromkeys((Refusal.NO_SUCH_ACCOUNT, Refusal.NO_SUCH_PLACE, Refusal.NO_SUCH_TERMINAL), 404),
    Refusal.TICKET_UNKNOWN: 404,
    Refusal.MUST_WAIT: 429,
}
"""The HTTP status of a refusal; 409 for all others."""


def make_app(floor: LiveFloor) -> Guard:
    app = Starlette(routes=list(_routes(Front(floor))), exception_handlers=PROBLEMS)
    return Guard(app, floor)


class NumberInPath(IntegerConvertor):
    """A number in an address. A longer one is not found: Python itself refuses to read thousands of digits."""

    regex = f"[0-9]{{1,{desk.DIGITS_MAX}}}"


register_url_convertor("int", NumberInPath())


def _routes(front: Front) -> Iterator[BaseRoute]:
    yield WebSocketRoute("/ws", front.connect)
    yield WebSocketRoute(DEVICES, front.connect_device)
    yield WebSocketRoute(PRACTICE, front.connect_practice)
    for endpoint, address in OPEN.items():
        if endpoint == SIT and not front.at_demo:
            continue  # the address does not exist on a real floor
        yield _route(endpoint, partial(address.answer, front))
    for endpoint, staffed in DESK.items():
        yield _route(endpoint, partial(front.at_the_desk, address=staffed, takes=staffed.takes))
    if (PAGES / "assets").is_dir():
        yield Mount("/assets", front.assets)


def _route(endpoint: str, answer: Callable[[Request], Awaitable[Response]]) -> Route:
    method, _, path = endpoint.partition(" ")
    return Route(path, answer, methods=[method])


def cookie_of(kind: str, place: Place) -> str:
    """The cookie of a place.

    >>> cookie_of(STAFF, Place("seat", 2, 1)), cookie_of(TERMINAL, Place("office"))
    ('stickman_staff.table-2-seat-1', 'stickman_terminal.office')
    """
    return f"{kind}.{_named(place)}"


def _named(place: Place) -> str:
    return str(place).replace(" ", "-")


# --- Answers ---


def _refuse(no: Refused | Denied) -> Json[a.No]:
    status = 403 if isinstance(no, Denied) else STATUS.get(no.why, 409)
    return Json(a.No(why=no.why.value, detail=no.detail, says=str(no)), status)


def _member(account: Account) -> a.Member:
    return a.Member(badge=account.badge, label=account.label, role=account.role, must_change=account.must_change)


def _problem(status: int, text: str = "") -> Callable[[Request, Exception], Awaitable[Response]]:
    """Answer a problem with this text; without one, with the problem's own, which is written for the asker."""

    async def answer(request: Request, problem: Exception) -> Response:
        del request
        code, own = getattr(problem, "status_code", status), getattr(problem, "detail", str(problem))
        return Json(a.Problem(error=text or own), code)

    return answer


async def _contradiction(request: Request, problem: Exception) -> Response:
    """The journal contradicts itself: an operator must look, and the asker learns what was found."""
    log.critical("the journal cannot be trusted", path=request.url.path, problem=str(problem))
    return Json(a.Problem(error=f"the journal contradicts itself: {problem}"), 500)


class KeyOff(Exception):
    """Staff may not sign in at a seat's terminal without its key."""


async def _key_off(request: Request, problem: Exception) -> Response:
    del request, problem
    return _refuse(Refused(Refusal.KEY_OFF))


FAILED = "the request failed"
"""All that an asker learns of a fault of ours."""
PROBLEMS: dict[Any, Any] = {
    BadRecord: _contradiction,
    KeyOff: _key_off,
    msgspec.DecodeError: _problem(400),
    UnicodeError: _problem(400, "the body is not UTF-8"),
    RecursionError: _problem(400, "the body is nested too deeply"),
    BadQuery: _problem(400),
    BadNumber: _problem(400),
    NotHere: _problem(404),
    NoSuchTable: _problem(404),
    Busy: _problem(429, FAILED),
    NotAppended: _problem(503, FAILED),
    HTTPException: _problem(500),
    Exception: _problem(500, FAILED),
}


class Front:
    """The answer of each address."""

    def __init__(self, floor: LiveFloor) -> None:
        self._floor, self._door = floor, Door(floor)
        self._recordings = {**ours(), **floor.plan.sounds}
        self._assets = StaticFiles(directory=PAGES / "assets", check_dir=False)

    @property
    def at_demo(self) -> bool:
        return self._floor.plan.demo

    # --- Screens ---

    async def connect(self, socket: WebSocket) -> None:
        """Serve the line of a screen that is known by its token."""
        terminal = self._terminal(socket)
        status, table = self._admits(socket, terminal)
        if terminal is None or status:
            self._floor.metrics.denied.labels(str(status)).inc()
            await socket.send_denial_response(Json(a.Problem(error="not admitted"), status))
            return
        self._make_room(terminal)
        await ScreenLine(socket, self._floor, terminal, table, self._session(socket, terminal)).serve()

    async def connect_device(self, socket: WebSocket) -> None:
        """Serve the line of a device that is known by its token. It replaces the device's last one."""
        terminal = self._bearer(socket)
        status, pit = self._admits_device(terminal)
        if terminal is None or pit is None:
            self._floor.metrics.denied.labels(str(status)).inc()
            await socket.send_denial_response(Json(a.Problem(error="not admitted"), status))
            return
        for line in [each for each in self._floor.connections if each.terminal == terminal.id]:
            line.hang_up(REPLACED)
        await DeviceLine(socket, self._floor, terminal, pit).serve()

    def _admits_device(self, terminal: Terminal | None) -> tuple[int, Pit | None]:
        """The HTTP status that turns a device away, or its table."""
        if terminal is None:
            return 401, None
        if self._floor.rates.joins.of(terminal.id).take():
            return 429, None
        place = terminal.place
        if place.device is None:
            return 403, None
        pit = None if self._floor.stopping else self._floor.pits.get(place.table)
        if pit is None:
            return 503 if place.table in self._floor.plan.tables else 404, None
        return (404, None) if place.seat > len(pit.table.seats) else (0, pit)

    async def connect_practice(self, socket: WebSocket) -> None:
        """Serve the practice of a seat. It replaces the seat's last one."""
        terminal = self._terminal(socket)
        asked = socket.query_params.get("lesson")
        lesson: LessonName | None = next((each for each in LESSONS if each == asked), None)
        status = self._admits_practice(terminal, lesson)
        if terminal is None or lesson is None or status:
            self._floor.metrics.denied.labels(str(status)).inc()
            await socket.send_denial_response(Json(a.Problem(error="not admitted"), status))
            return
        for line in self._practices():
            if line.terminal == terminal.id:
                line.hang_up(REPLACED)
        await PracticeLine(socket, self._floor, terminal, lesson).serve()

    def _admits_practice(self, terminal: Terminal | None, lesson: LessonName | None) -> int:
        """The HTTP status that turns a learner away, 0 for none. A practice that is replaced leaves its room."""
        if terminal is None:
            return 401
        if self._floor.rates.joins.of(terminal.id).take():
            return 429
        if terminal.place.screen != "seat":
            return 403
        if lesson is None:
            return 404
        if self._floor.stopping:
            return 503
        others = {line.terminal for line in self._practices()} - {terminal.id}
        return 429 if len(others) >= self._floor.plan.config.limits.practices else 0

    def _practices(self) -> list[PracticeLine]:
        return [each for each in self._floor.connections if isinstance(each, PracticeLine)]

    def _admits(self, socket: WebSocket, terminal: Terminal | None) -> tuple[int, int]:
        """The HTTP status that turns a screen away, 0 for none; and its table."""
        if terminal and self._floor.rates.joins.of(terminal.id).take():
            return 429, 0
        if terminal is None:
            return 401, 0
        if terminal.place.device:
            return 403, 0
        if no := self._floor.refuses_to_show(terminal.id, terminal.place, self._session(socket, terminal)):
            return STATUS[no.why], 0
        table = terminal.place.table or self._asked_table(socket.query_params.get("table", ""))
        if table not in self._floor.plan.tables:
            return 404, 0
        pit = None if self._floor.stopping else self._floor.pits.get(table)
        if pit is None:
            return 503, 0
        return (404, 0) if terminal.place.seat > len(pit.table.seats) else (0, table)

    def _make_room(self, terminal: Terminal) -> None:
        """A new line of a seat replaces the oldest if there are too many, so that a reloaded page always gets
        in."""
        if terminal.place.screen != "seat":
            return
        mine = [each for each in self._floor.connections if each.terminal == terminal.id and each.screen]
        lines = [each for each in mine if not each.leaving]
        surplus = len(lines) + 1 - self._floor.plan.config.limits.lines_of_a_seat
        for line in sorted(lines, key=lambda line: line.number)[: max(0, surplus)]:
            line.hang_up(REPLACED)

    async def enrol(self, request: Request) -> Json[a.Enrolled] | Json[a.No]:
        """Exchange a code for a terminal's token, also set as a cookie: that of the terminal's place if the request
        names one, otherwise the plain one. The place's last terminal is disconnected."""
        self._attempt(self._floor.rates.codes, peer(request.scope))
        body = msgspec.json.decode(await request.body(), type=a.Enrol)
        token = secrets.token_urlsafe(terminals.TOKEN_BYTES)
        code_hash, at_ms = terminals.code_hash(body.code), self._floor.clock.now_ms()
        token_hash = terminals.digest(token)
        decide = partial(terminals.enrol, code_hash=code_hash, token_hash=token_hash, at_ms=at_ms, kind=body.kind)
        enrolled = terminals.outcome(await self._enrolled(decide, at_ms))
        if isinstance(enrolled, Refused):
            return _refuse(enrolled)
        self._floor.revoke()
        response = Json(a.Enrolled(token=token, terminal=enrolled.terminal, place=enrolled.place))
        own = PLACE in request.query_params
        self._set_cookie(response, cookie_of(TERMINAL, enrolled.place) if own else TERMINAL, token, YEARS_S)
        return response

    async def front_door(self, request: Request) -> Json[a.FrontDoor]:
        """What a visitor may know: at a demonstration its tables, on a real floor only which screens this browser
        is."""
        if self._floor.rates.visits.of(peer(request.scope)).take():
            raise HTTPException(429, "too many requests; try again in a few seconds")
        await self._floor.landed()
        return Json(self._door.shows(self._screens(request)))

    async def sit(self, request: Request) -> Json[a.Seated]:
        """Enrol this browser at a place of a demonstration without a code. A seat that another visitor has is not
        given away. The address does not exist on a real floor."""
        self._attempt(self._floor.rates.codes, peer(request.scope))
        body = msgspec.json.decode(await request.body(), type=a.Sit)
        place = Place(body.screen, body.table, body.seat)
        mine = self._screens(request)
        if place not in demo.places(self._floor.plan):
            raise HTTPException(404, "there is no such place")
        response = Json(a.Seated(place=place))
        if any(terminal.place == place for terminal in mine):
            return response
        self._check_free(place, {terminal.id for terminal in mine}, take=body.take)
        self._door.sat(place)  # before anything is awaited: of two who ask together, one gets the seat
        await self._enrol_without_code(place, token := secrets.token_urlsafe(terminals.TOKEN_BYTES))
        self._floor.revoke()
        if place.screen == "seat":
            await self._floor.ask(place.table, Asked(m.HandOver(seat=place.seat)))
        self._set_cookie(response, cookie_of(TERMINAL, place), token, YEARS_S)
        return response

    async def _enrol_without_code(self, place: Place, token: str) -> None:
        at_ms, code = self._floor.clock.now_ms(), secrets.token_urlsafe(terminals.TOKEN_BYTES)
        hashes = terminals.digest(code), terminals.digest(token)
        decide = partial(terminals.sit, place=place, hashes=hashes, at_ms=at_ms, keeps=keeps(place))
        await self._floor.office.act(decide, at_ms=at_ms, actor="terminal")

    def _check_free(self, place: Place, mine: set[str], *, take: bool) -> None:
        """Refuse a seat that another visitor has."""
        if place.screen != "seat":
            return
        pit = self._floor.pits.get(place.table)
        if pit is None or place.seat > len(pit.table.seats):
            raise HTTPException(503, "the table is not served here now")
        found = self._door.state(pit, place, mine)
        if found == "taken" or (found == "away" and not take):
            raise HTTPException(409, "another visitor has this seat")

    async def _enrolled(self, decide: Callable[[Floor], Decision], at_ms: int) -> Decision:
        """Decide an attempt to enrol. All wrong codes are counted; the journal gets a few of them."""
        office = self._floor.office
        floor = await office.catch_up()  # another process may have offered the code just now
        match decide(floor):
            case (EnrolmentFailed() as wrong,):
                self._floor.metrics.denied.labels("wrong_code").inc()
                if not (count := self._floor.wrong_codes.another()):
                    return (wrong,)
                return await office.record(replace(wrong, count=count), at_ms=at_ms, actor="terminal")
        return await office.act(decide, at_ms=at_ms, actor="terminal")

    async def place(self, request: Request) -> Json[a.WhoIsHere]:
        """The asker's terminal and place, and who is signed in there. This does not keep a session awake."""
        terminal = self._known(request)
        account = self._floor.state.staff.get(self._badge(request, terminal, use=False))
        staff = _member(account) if account else None
        return Json(a.WhoIsHere(terminal=terminal.id, place=terminal.place, staff=staff))

    async def placard(self, request: Request) -> Json[Placard]:
        """What the game of the asker's table pays, and at what edge. An office names the `table`."""
        pit = self._pit(request)
        async with self._looking_up(request):
            return Json(await asyncio.to_thread(placard, layout_of(pit.table)))

    async def practice_placard(self, request: Request) -> Json[Placard]:
        """What the game of the lessons pays, and at what edge."""
        self._known(request)
        async with self._looking_up(request):
            return Json(await asyncio.to_thread(practice_placard))

    async def recall(self, request: Request) -> Json[list[recall.Round]]:
        """The last rounds of the asker's own seat, since its player's stay began (ruling 29)."""
        pit, seat = await self._own_seat(request)
        async with self._looking_up(request):
            stream, since_ms = pit.boxman.lease.stream, pit.table.seat(seat).stay.since_ms
            return Json(await recall.rounds(self._floor.store, stream, recall.ROUNDS, seat, since_ms))

    async def statistics(self, request: Request) -> Json[StayStatistics]:
        """The own results of the player at the asker's seat, by bet, and the totals rolled since the stay began."""
        pit, seat = await self._own_seat(request)
        stay, layout = pit.table.seat(seat).stay, layout_of(pit.table)
        async with self._looking_up(request):
            return Json(statistics(stay, await asyncio.to_thread(placard, layout)))

    async def _own_seat(self, request: Request) -> tuple[Pit, int]:
        """The table and the seat of a seat's terminal, when its dice have landed; not while its player is away."""
        terminal = self._known(request)
        if terminal.place.screen != "seat":
            raise HTTPException(403, "only a seat's terminal asks this of its seat")
        pit = self._pit(request)
        if pit.table.seat(terminal.place.seat).stay.reserved_until_ms > self._floor.clock.now_ms():
            raise HTTPException(403, "this seat is reserved; only its player may ask this")
        await self._floor.landed()
        return pit, terminal.place.seat

    def _looking_up(self, request: Request) -> asyncio.Lock:
        """Long reads run one at a time, and each terminal may ask for few of them."""
        if self._floor.rates.look_ups.of(self._known(request).id).take():
            raise HTTPException(429, "too many requests; try again in a few seconds")
        return self._floor.looking_up

    def _pit(self, request: Request) -> Pit:
        """The table of the asker's place; an office names one."""
        asked = request.query_params.get("table", "")
        table = self._known(request).place.table or self._asked_table(asked)
        if table not in self._floor.plan.tables:
            raise NotHere(
                f"there is no table {asked[:40]!r}; allowed: {', '.join(map(str, self._floor.plan.tables))}"
            )
        pit = self._floor.pits.get(table)
        if pit is None:
            raise HTTPException(503, "the table is not served here now")
        return pit

    def _asked_table(self, asked: str) -> int:
        """The table that a query names, by default the first one; 0 if there is no such table."""
        tables = self._floor.plan.tables
        return next((number for number in tables if asked == str(number)), 0) if asked else min(tables)

    # --- Signing in ---

    async def sign_in(self, request: Request) -> Json[a.SignedInAs] | Json[a.No]:
        """Sign in at this terminal; at a seat's, only while its key switch is turned. The person who was signed in
        there is signed out."""
        terminal = self._staffed(request)
        body = msgspec.json.decode(await request.body(), type=a.Credentials)
        token = await self._floor.staff_room.sign_in(terminal.id, body.badge, body.password)
        if isinstance(token, Refused):
            return _refuse(token)
        self._floor.revoke()
        badge = self._floor.staff_room.badge(terminal.id, token)
        if not badge:  # the key was turned back meanwhile
            raise KeyOff
        account = self._floor.state.staff[badge]
        await self._take_table(terminal, account.badge)
        response = Json(a.SignedInAs(badge=account.badge, role=account.role, must_change=account.must_change))
        self._set_cookie(response, self._cookie(STAFF, request), token, None)
        return response

    async def sign_out(self, request: Request) -> Json[a.Nothing]:
        """Sign out at this terminal."""
        terminal = self._known(request)
        badge = self._badge(request, terminal)
        self._floor.staff_room.sign_out(terminal.id, self._session_token(request))
        self._floor.revoke()
        pit = self._floor.pits.get(terminal.place.table)
        if badge and pit and terminal.place.screen == "dealer" and pit.table.dealer == badge:
            await self._floor.ask(terminal.place.table, Asked(m.SignOut(), badge))
        response = Json(a.Nothing())
        response.delete_cookie(self._cookie(STAFF, request))
        return response

    async def password(self, request: Request) -> Json[a.Nothing] | Json[a.No]:
        """Choose a new password. Sessions of this badge at other terminals end."""
        terminal = self._staffed(request)
        body = msgspec.json.decode(await request.body(), type=a.NewPassword)
        room = self._floor.staff_room
        if no := await room.change_password(terminal.id, body.badge, body.password, body.new):
            return _refuse(no)
        self._floor.revoke()
        badge = self._badge(request, terminal)
        if badge and folded(badge) == folded(body.badge):
            await self._take_table(terminal, badge)
        return Json(a.Nothing())

    async def approve(self, request: Request) -> Json[a.ApprovedBy] | Json[a.No]:
        """A second person approves one deed of the person who is signed in here, with their password."""
        terminal = self._staffed(request)
        body = msgspec.json.decode(await request.body(), type=a.ApproveDeed)
        token, room = self._session_token(request), self._floor.staff_room
        approver = await room.approve(terminal.id, token, body.badge, body.password, self._approved(body))
        return _refuse(approver) if isinstance(approver, Refused) else Json(a.ApprovedBy(approver=approver))

    def _approved(self, body: a.ApproveDeed) -> Deed:
        if (body.request is None) == (body.endpoint == ""):
            raise BadQuery("found both or neither; allowed: a request with its table, or an endpoint with its body")
        if body.request is None:
            return desk.deed(body.endpoint, body.body)
        pit = self._floor.pits.get(body.table)
        return deed_at_table(body.table, pit.table if pit else None, body.request)

    async def _take_table(self, terminal: Terminal, badge: str) -> None:
        """A person who signs in at a dealer's terminal deals there, if they may."""
        if terminal.place.screen == "dealer" and not self._floor.state.refuses(badge, Act.DEAL):
            await self._floor.ask(terminal.place.table, Asked(m.SignIn(), badge))

    # --- The desk ---

    async def at_the_desk(self, request: Request, address: StaffAddress, takes: type | None) -> Response:
        terminal = self._known(request)
        place = terminal.place
        if place.screen not in STAFF_SCREENS and not (address.with_key and self._floor.lets_sign_in(place)):
            return _refuse(Denied(Denial.WRONG_PLACE))
        badge = self._badge(request, terminal, use=LOOKS_ON not in request.headers)
        if no := self._floor.state.refuses(badge, address.act):
            return _refuse(no)
        body = await request.body()
        session = self._session_token(request)
        visit = Visit(self._floor, terminal.id, badge, request.path_params, request.query_params, session)
        if visit.asks_elsewhere:
            return _refuse(Denied(Denial.WRONG_PLACE))
        sent: list[Any] = [msgspec.json.decode(body, type=takes)] if takes else []
        if request.method == "GET":
            await self._floor.landed()
        found = await address.answer(visit, *sent)
        if isinstance(found, Response):
            return found
        if isinstance(found, Refused):
            return _refuse(found)
        done = isinstance(found, tuple) and all(isinstance(event, FloorEvent) for event in found)
        return Json(a.Nothing() if done else found)

    # --- Operations ---

    async def healthz(self, request: Request) -> Json[a.ProcessAlive]:
        """Whether the process answers at all."""
        del request
        return Json(a.ProcessAlive())

    async def readyz(self, request: Request) -> Json[a.Ready]:
        """Whether the store can be read and this process owns every table."""
        del request
        served = {str(number): number in self._floor.pits for number in self._floor.plan.tables}
        try:
            await self._floor.store.streams()
            store = True
        except NotAppended:
            store = False
        ready = store and self._floor.ready
        return Json(a.Ready(ready=ready, store=store, tables=served), 200 if ready else 503)

    async def metrics(self, request: Request) -> Response:
        """Metrics for Prometheus, as text."""
        del request
        return Response(self._floor.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    # --- Pages and sounds ---
    # They are for anyone. A screen that is enrolled is still recognised, so that its connections are not dropped
    # as a stranger's when many screens load their parts from one address.

    async def assets(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A part of the pages."""
        self._screens(HTTPConnection(scope))
        await self._assets(scope, receive, send)

    async def page(self, request: Request) -> Response:
        """The page of a screen, or the front door, if the pages are installed."""
        self._screens(request)
        path = request.url.path
        file = PAGES / f"{path.split('/')[1] or DOOR}.html"
        if file.is_file():
            return FileResponse(file)
        return PlainTextResponse(f"The page {path} is not installed. The table itself answers at /ws.\n")

    async def icon(self, request: Request) -> Response:
        """The icon, under the name that browsers try first."""
        self._screens(request)
        file = next(iter(sorted((PAGES / "assets").glob("icon-*.svg"))), None)
        if file is None:
            raise HTTPException(404, "the pages are not installed")
        return FileResponse(file, media_type="image/svg+xml")

    async def own_sounds(self, request: Request) -> Json[a.OwnSounds]:
        """The announcements that the casino has recorded itself."""
        self._screens(request)
        return Json(a.OwnSounds(own=tuple(sorted(self._floor.plan.sounds))))

    async def sound(self, request: Request) -> Response:
        """The recording of an announcement: the casino's own if there is one, otherwise ours. It is looked up by
        name among the recordings that were read at the start, so no path of a visitor ever reaches a file."""
        self._screens(request)
        recording = self._recordings.get("{language}/{name}".format(**request.path_params))
        if recording is None:
            raise HTTPException(404, "there is no such recording")
        # Browsers may keep it but must ask each time, because a recording may change with a restart.
        headers = {"etag": recording.tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == recording.tag:
            return Response(status_code=304, headers=headers)
        return Response(recording.content, media_type=recording.media_type, headers=headers)

    # --- Who asks ---

    def _terminal(self, visitor: HTTPConnection) -> Terminal | None:
        """The terminal of a token. A request that names a place is that place's terminal, or no one's."""
        scheme, _, token = visitor.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self._recognised(visitor, token)
        found = self._recognised(visitor, visitor.cookies.get(self._cookie(TERMINAL, visitor), ""))
        named = visitor.query_params.get(PLACE, "")
        return found if found and named in ("", _named(found.place)) else None

    @staticmethod
    def _cookie(kind: str, visitor: HTTPConnection) -> str:
        """The cookie of the place that a request names, if this browser has been given one; otherwise the plain
        one."""
        named = visitor.query_params.get(PLACE, "")
        given = PLACE_NAMED.fullmatch(named) and f"{TERMINAL}.{named}" in visitor.cookies
        return f"{kind}.{named}" if given else kind

    def _screens(self, visitor: HTTPConnection) -> list[Terminal]:
        """All screens that a browser is, or the terminal of a token."""
        if "authorization" in visitor.headers:
            found = [self._terminal(visitor)]
        else:
            names = [name for name in visitor.cookies if name == TERMINAL or name.startswith(f"{TERMINAL}.")]
            found = [self._recognised(visitor, visitor.cookies[name]) for name in names[:COOKIES_MAX]]
        return [terminal for terminal in found if terminal and not terminal.place.device]

    def _bearer(self, visitor: HTTPConnection) -> Terminal | None:
        """A device has no cookies."""
        scheme, _, token = visitor.headers.get("authorization", "").partition(" ")
        return self._recognised(visitor, token if scheme.lower() == "bearer" else "")

    def _recognised(self, visitor: HTTPConnection, token: str) -> Terminal | None:
        terminal = terminals.recognised(self._floor.state, token) if token else None
        held = held_of(visitor.scope)
        if terminal and held and not held.recognise(terminal.id):
            raise HTTPException(429, "too many connections of this terminal")
        return terminal

    def _known(self, request: Request) -> Terminal:
        terminal = self._terminal(request)
        if terminal is None:
            raise HTTPException(401, "this terminal is not enrolled")
        if terminal.place.device:
            raise HTTPException(403, f"a device asks nothing here; it talks at {DEVICES}")
        return terminal

    def _staffed(self, request: Request) -> Terminal:
        """A terminal at which staff may sign in, unless there were too many attempts."""
        terminal = self._known(request)
        if terminal.place.screen not in (*STAFF_SCREENS, "seat"):
            raise HTTPException(
                403, "staff sign in at a dealer's or an office's terminal, or at a seat with its key"
            )
        if not self._floor.lets_sign_in(terminal.place):
            raise KeyOff
        self._attempt(self._floor.rates.passwords, terminal.id)
        return terminal

    def _session(self, socket: WebSocket, terminal: Terminal) -> str:
        """The token of the person who is signed in; empty if nobody is."""
        token = self._session_token(socket)
        return token if token and self._floor.staff_room.badge(terminal.id, token, use=False) else ""

    def _badge(self, request: Request, terminal: Terminal, *, use: bool = True) -> str:
        token = self._session_token(request)
        return self._floor.staff_room.badge(terminal.id, token, use=use) if token else ""

    def _session_token(self, visitor: HTTPConnection) -> str:
        return visitor.cookies.get(self._cookie(STAFF, visitor), "")

    @staticmethod
    def _attempt(buckets: Buckets[str], who: str) -> None:
        if buckets.of(who).take():
            raise HTTPException(429, "too many attempts")

    def _set_cookie(self, response: Response, name: str, value: str, max_age: int | None) -> None:
        tls = self._floor.plan.tls is not None
        response.set_cookie(name, value, max_age, secure=tls, httponly=True, samesite="strict")


# --- The table of all addresses but the desk's ---


class OpenAddress(NamedTuple):
    """An address that needs no member of staff who is signed in."""

    who: str
    """Who may ask."""
    answer: Callable[..., Awaitable[Response]]
    takes: type | None = None
    """The type of the body."""


ANYONE, ENROLLED = "anyone", "a screen that is enrolled"
STAFFED = "a dealer's or an office's terminal, or a seat's with its key turned"
DOOR = "door"
"""The page of the front door."""
SIT = "POST /api/sit"
PAGE_PATHS = ("/", "/seat/{number:int}", "/dealer", "/table", "/info", "/office")
OPEN = {
    "POST /api/enrol": OpenAddress("anyone who has a code", Front.enrol, a.Enrol),
    "GET /api/door": OpenAddress(ANYONE, Front.front_door),
    SIT: OpenAddress("anyone, at a demonstration", Front.sit, a.Sit),
    "GET /api/place": OpenAddress(ENROLLED, Front.place),
    "GET /api/placard": OpenAddress(ENROLLED, Front.placard),
    "GET /api/placard/practice": OpenAddress(ENROLLED, Front.practice_placard),
    "GET /api/recall": OpenAddress("a seat's terminal", Front.recall),
    "GET /api/statistics": OpenAddress("a seat's terminal", Front.statistics),
    "POST /api/sign-in": OpenAddress(STAFFED, Front.sign_in, a.Credentials),
    "POST /api/sign-out": OpenAddress(ENROLLED, Front.sign_out),
    "POST /api/password": OpenAddress(STAFFED, Front.password, a.NewPassword),
    "POST /api/approve": OpenAddress(f"{STAFFED} where someone is signed in", Front.approve, a.ApproveDeed),
    "GET /healthz": OpenAddress(ANYONE, Front.healthz),
    "GET /readyz": OpenAddress(ANYONE, Front.readyz),
    "GET /metrics": OpenAddress(ANYONE, Front.metrics),
    "GET /favicon.ico": OpenAddress(ANYONE, Front.icon),
    "GET /sounds": OpenAddress(ANYONE, Front.own_sounds),
    "GET /sounds/{language}/{name}": OpenAddress(ANYONE, Front.sound),
    **{f"GET {path}": OpenAddress(ANYONE, Front.page) for path in PAGE_PATHS},
}
"""By method and address, who may ask and what answers."""
