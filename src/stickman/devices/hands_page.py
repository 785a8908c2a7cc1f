"""The page and the addresses at which a browser moves emulated devices.

`GET /?table=1&seat=2&lang=es` is the page; `GET /state?table=1&seat=2` is how the devices are; `POST /do` with JSON
does a deed. Money of a demonstration is moved here, so only the page itself may ask: the host must be the one where
it listens, a deed must come from its own origin as JSON, and other pages may show it in a frame only if the
configuration names them.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any

import msgspec
import uvicorn
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from stickman.devices.emulated_bench import BadBench, BenchPage, EmulatorBench
from stickman.devices.emulated_wire import listen_at
from stickman.devices.hands import VALUE_MAX, BadDeed

FILES = Path(__file__).with_name("hands_page_files")
BODY_MAX = 1_024
BODY_S = 5
CONNECTIONS_MAX = 100
KINDS = {
    "page.html": "text/html; charset=utf-8",
    "page.css": "text/css",
    "page.js": "text/javascript",
    "words.json": "application/json",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'none'"
)
ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?|https?://\[[0-9a-f:]+\](:[0-9]{1,5})?")


class HandRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deed that a page asks for."""

    table: int = 1
    seat: int
    device: Annotated[str, Meta(max_length=VALUE_MAX)]
    deed: Annotated[str, Meta(max_length=VALUE_MAX)]
    value: Annotated[str, Meta(max_length=VALUE_MAX)] = ""


def read_listen(text: str, *, public: bool) -> tuple[str, int]:
    """Where the page listens: on this machine only, unless it is meant to be public."""
    host, _, port = text.rpartition(":")
    host = "127.0.0.1" if host == "localhost" else host.strip("[]")
    try:
        here = ip_address(host).is_loopback
        number = int(port)
    except ValueError:
        here, number = False, -1
    if not 0 <= number <= 65_535:
        raise BadBench(f"found {text!r}; allowed: HOST:PORT, such as 127.0.0.1:8090")
    if not here and not public:
        raise BadBench(f"found {text!r}; allowed without --public: an address of this machine, such as 127.0.0.1")
    return host, number


def check_origins(origins: Sequence[str]) -> None:
    for origin in origins:
        if not ORIGIN.fullmatch(origin):
            raise BadBench(f"found the origin {origin!r}; allowed: such as http://127.0.0.1:8000, without a path")


class HandsGuard:
    """Turns away requests that the page itself would not make, and adds security headers to each answer."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str], framed_by: Sequence[str]) -> None:
        self._app, self._hosts = app, frozenset(hosts)
        frames = " ".join(framed_by) or "'none'"
        self._headers = [
            (b"content-security-policy", f"{POLICY}; frame-ancestors {frames}".encode("ascii")),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
            (b"cache-control", b"no-store"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._headers]
            await send(message)

        problem = self._problem(Request(scope))
        await (problem or self._app)(scope, receive, guarded)

    def _problem(self, request: Request) -> Response | None:
        host = request.headers.get("host", "")
        if host not in self._hosts:
            return _answer(421, {"error": f"found host {host!r}; allowed: {', '.join(sorted(self._hosts))}"})
        if request.method == "POST":
            origin = request.headers.get("origin", "")
            if origin not in (f"http://{host}", f"https://{host}"):
                return _answer(403, {"error": f"found origin {origin!r}; allowed: this page's own, http://{host}"})
            kind = request.headers.get("content-type", "").partition(";")[0].strip()
            if kind != "application/json":
                return _answer(415, {"error": f"found content type {kind!r}; allowed: application/json"})
        return None


def make_hands_app(bench: EmulatorBench, hosts: Sequence[str], framed_by: Sequence[str]) -> ASGIApp:
    """`hosts` are the names, with ports, at which browsers reach it."""

    async def state(request: Request) -> Response:
        try:
            place = bench.place(_number(request, "table"), _number(request, "seat"))
        except BadDeed as problem:
            return _answer(400, {"error": str(problem)})
        body = msgspec.json.encode(place.hands.state())
        digest = hashlib.sha256(body).hexdigest()[:16]
        if request.query_params.get("seen") == digest:
            return Response(status_code=204)
        return Response(body, media_type="application/json", headers={"x-state": digest})

    async def do(request: Request) -> Response:
        body = await _body(request)
        if body is None:
            return _answer(413, {"error": f"found a body that is too long or too slow; allowed: {BODY_MAX} bytes"})
        try:
            asked = msgspec.json.decode(body, type=HandRequest)
            place = bench.place(asked.table, asked.seat)
            happened = place.do(asked.device, asked.deed, asked.value)
        except (BadDeed, msgspec.DecodeError) as problem:
            return _answer(400, {"error": str(problem)})
        return _answer(200, {**msgspec.to_builtins(happened), "text": happened.text})

    routes = [Route("/" if name == "page.html" else f"/{name}", _file(name), methods=["GET"]) for name in KINDS]
    routes += [Route("/state", state, methods=["GET"]), Route("/do", do, methods=["POST"])]
    return HandsGuard(Starlette(routes=routes), hosts, framed_by)


def _file(name: str) -> Any:
    content = (FILES / name).read_bytes()

    async def answer(_: Request) -> Response:
        return Response(content, media_type=KINDS[name])

    return answer


def _answer(status: int, value: object) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "1")
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise BadDeed(f"found {name} {text[:VALUE_MAX]!r}; allowed: a number")
    return int(text)


async def _body(request: Request) -> bytes | None:
    """None if it is too long or too slow."""
    body = b""
    try:
        async with asyncio.timeout(BODY_S):
            async for part in request.stream():
                body += part
                if len(body) > BODY_MAX:
                    return None
    except (TimeoutError, ClientDisconnect):
        return None
    return body


class HandsServer(uvicorn.Server):
    """Uvicorn for the page; signals stay with the program."""

    def __init__(self, bench: EmulatorBench, page: BenchPage, *, public: bool = False) -> None:
        check_origins(page.framed_by)
        host, port = read_listen(page.listen, public=public)
        self._listening = listen_at(host, port)
        port = self._listening.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        self.url = f"http://{shown}:{port}/"
        names = {f"{name}:{port}" for name in (shown, "localhost", "127.0.0.1", "[::1]")}
        config = uvicorn.Config(
            make_hands_app(bench, [*names, *page.hosts], page.framed_by),
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            limit_concurrency=CONNECTIONS_MAX,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=1,
        )
        super().__init__(config)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def run_until(self, stop: asyncio.Event) -> None:
        """Serve until the event is set."""
        serving = asyncio.create_task(self.serve([self._listening]))
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        self.should_exit = True
        await serving
