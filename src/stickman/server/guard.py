"""Checks every request before the application: host, origin, network, length. Adds security headers to each
answer."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stickman.server.answers import Json, Problem
from stickman.server.floor import LiveFloor
from stickman.server.limits import Held

BODY_BYTES_MAX = 16_384
OWN_NAMES = ("localhost", "127.0.0.1", "[::1]")
STATUS = {"too_long": 413, "wrong_host": 421}
"""The HTTP status of a request that is turned away; 403 for all other reasons."""
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self';"
        " media-src 'self'; connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none';"
        " form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


def _framing(emulator: str) -> dict[str, str]:
    """At a demonstration, the pages may frame the page with the emulated devices."""
    name = "content-security-policy"
    return {name: HEADERS[name].replace("frame-src 'self'", f"frame-src 'self' {emulator}")} if emulator else {}


class Guard:
    """Turns away requests from elsewhere and requests that are too long; adds security headers to each answer."""

    def __init__(self, app: ASGIApp, floor: LiveFloor) -> None:
        self._app, self._floor = app, floor
        tls = {"strict-transport-security": "max-age=31536000"} if floor.plan.tls else {}
        self._headers = {**HEADERS, **tls, **_framing(floor.plan.config.emulator)}
        self._scheme = "https" if floor.plan.tls else "http"
        config = floor.plan.config
        self._hosts = {bare_host(host) for host in (*OWN_NAMES, *config.hosts, config.host)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] in ("http", "websocket"), scope["type"]

        async def safely(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if body.unread:  # otherwise the sender could hold the connection as long as they like
                    headers["connection"] = "close"
            await send(message)

        body = _Body(scope, receive)
        if why := self._turns_away(scope):
            self._floor.metrics.denied.labels(why).inc()
            await Json(Problem(error=why), STATUS.get(why, 403))(scope, receive, safely)
            return
        with suppress(ClientDisconnect):  # nobody waits for the answer, and there is nothing to log
            await self._app(scope, body, safely)

    def _turns_away(self, scope: Scope) -> str:
        headers, lock = Headers(scope=scope), self._floor.plan.lock
        if lock and not lock.admits(peer(scope)):
            return "not_local"
        if not self._is_ours(scope, headers.getlist("host")):
            return "wrong_host"
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and not self._same_origin(headers):
            return "foreign_origin"
        length = headers.get("content-length", "0")
        readable = length.isascii() and length.isdigit()
        return "too_long" if not readable or int(length[:12]) > BODY_BYTES_MAX else ""

    def _is_ours(self, scope: Scope, hosts: list[str]) -> bool:
        """Whether the request names this server. A foreign page whose name was pointed here (DNS rebinding) does
        not."""
        reached = scope["server"][0] if scope.get("server") else ""
        return len(hosts) == 1 and bare_host(hosts[0]) in {*self._hosts, bare_host(reached)}

    def _same_origin(self, headers: Headers) -> bool:
        """Whether one of our pages asks. A client that is not a browser sends no origin; its token identifies
        it."""
        origins, ours = headers.getlist("origin"), f"{self._scheme}://{headers['host']}"
        return not origins or (len(origins) == 1 and origins[0] in {ours, *self._floor.plan.config.origins})


def held_of(scope: Scope) -> Held | None:
    """The connection of a request; none in tests without one."""
    held: Held | None = scope.get("state", {}).get("held")
    return held


def peer(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


def bare_host(host: str) -> str:
    """A host without its port, and an IPv6 address without its brackets.

    >>> bare_host("Floor.local:8443"), bare_host("[::1]:80"), bare_host("::1")
    ('floor.local', '::1', '::1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.lower() if host.count(":") > 1 else host.lower().partition(":")[0]


class _Body:
    """A request's body: not too long, and not too slow."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive, self._held = receive, held_of(scope)
        headers = Headers(scope=scope)
        self._whole = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
        self._bytes = 0

    @property
    def unread(self) -> bool:
        """Whether more of it may follow."""
        return not self._whole

    async def __call__(self) -> Message:
        try:
            async with asyncio.timeout_at(self._held.due if self._held else None):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(408, "the request took too long") from None
        self._whole = not message.get("more_body", False)
        self._bytes += len(message.get("body", b"")) if message["type"] == "http.request" else 0
        if self._bytes > BODY_BYTES_MAX:
            raise HTTPException(413)
        return message
