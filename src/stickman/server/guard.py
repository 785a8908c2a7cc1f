"""What every visitor passes: where they come from, how much they send, and safe headers on every answer."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stickman.rules.datafile import to_text
from stickman.server.floor import LiveFloor

BODY_BYTES_MAX, BODY_S = 16_384, 10
"""How long the body of a request may be, and how long each part of it may take to come."""
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


class Guard:
    """Turns away who comes from elsewhere or sends too much, and puts the headers of safety on every answer."""

    def __init__(self, app: ASGIApp, floor: LiveFloor) -> None:
        self._app, self._floor = app, floor
        tls = {"strict-transport-security": "max-age=31536000"} if floor.plan.tls else {}
        self._headers = {**HEADERS, **tls}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] in ("http", "websocket"), scope["type"]

        async def safely(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        if why := self._turns_away(scope):
            self._floor.metrics.denied.labels(why).inc()
            await say({"error": why}, 413 if why == "too_long" else 403)(scope, receive, safely)
            return
        await self._app(scope, _Body(receive), safely)

    def _turns_away(self, scope: Scope) -> str:
        headers, lock = Headers(scope=scope), self._floor.plan.lock
        if lock and not lock.admits(peer(scope)):
            return "not_local"
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and not _same_origin(headers, self._floor.plan.config.origins):
            return "foreign_origin"
        length = headers.get("content-length", "0")
        return "too_long" if not length.isdigit() or int(length[:12]) > BODY_BYTES_MAX else ""


def peer(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


def _same_origin(headers: Headers, origins: tuple[str, ...]) -> bool:
    """Whether a page of ours asks. What is no browser says nothing of an origin, and proves itself by its token."""
    origin = headers.get("origin")
    return origin is None or origin in origins or origin.partition("://")[2] == headers.get("host")


class _Body:
    """A request's body as it comes: not too long, and not too slowly."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._bytes, self._whole = 0, False

    async def __call__(self) -> Message:
        try:
            async with asyncio.timeout(None if self._whole else BODY_S):
                message = await self._receive()
        except TimeoutError:
            raise HTTPException(408, "the request took too long to come") from None
        self._whole = not message.get("more_body", False)
        self._bytes += len(message.get("body", b"")) if message["type"] == "http.request" else 0
        if self._bytes > BODY_BYTES_MAX:
            raise HTTPException(413)
        return message


def say(value: object, status: int = 200) -> Response:
    """An answer as JSON."""
    return Response(msgspec.json.encode(value, enc_hook=to_text), status, media_type="application/json")
