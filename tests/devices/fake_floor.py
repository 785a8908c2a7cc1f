"""A floor that speaks the real wire of devices, and emulated devices behind real sockets."""

from __future__ import annotations

import asyncio
import socket
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from stickman.devices.signals import (
    ENCODER,
    FROM_DEVICE,
    Alive,
    Heard,
    Report,
    StateChanged,
    StillThere,
    Tell,
    ToDevice,
    Wanted,
)
from tests.devices.device_world import ServerLedger, Wire


class FloorDevice(ServerLedger):
    """What the floor knows of one device."""

    def __init__(self) -> None:
        super().__init__()
        self.state: dict[str, str | int | bool] = {}
        self.heard_at: dict[str, float] = {}
        """By the name of a signal, when the last one came."""
        self.asks: list[Tell] = []
        """What it is asked next."""


class FakeFloor:
    """A code C is enrolled once, and its token is `token-C`."""

    def __init__(self) -> None:
        self.devices: dict[str, FloorDevice] = defaultdict(FloorDevice)
        """By code."""
        self.codes: set[str] = set()
        self.revoked: set[str] = set()
        self.silent = False
        self.too_fast = 0
        """Codes that are answered with 429 before one is read."""
        self.attempts: dict[int, int] = defaultdict(int)
        """By HTTP status."""
        self._changed = asyncio.Condition()
        self._sockets: set[WebSocket] = set()

    # --- What it is asked ---

    async def enrol(self, request: Request) -> JSONResponse:
        code = (await request.json())["code"]
        if self.too_fast:
            self.too_fast -= 1
            await self._count(429)
            return JSONResponse({"error": "too_fast", "says": "Ask again later."}, 429)
        if code not in self.codes:
            await self._count(403)
            return JSONResponse({"error": "bad_code", "says": "This code is not valid."}, 403)
        self.codes.remove(code)
        return JSONResponse({"token": f"token-{code}", "terminal": "t1", "place": {"table": 1, "seat": 2}})

    async def line(self, socket: WebSocket) -> None:
        code = socket.headers["authorization"].removeprefix("Bearer token-")
        if code in self.revoked:
            await self._count(403)
            await socket.close()
            return
        await socket.accept()
        self._sockets.add(socket)
        device, told = self.devices[code], None
        try:
            while True:
                if device.wishes is not None and device.wishes != told:
                    told = device.wishes
                    await _send(socket, Wanted(wishes=told))
                while device.asks:
                    await _send(socket, device.asks.pop())
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.02):
                        await self._answer(socket, device, await socket.receive_text())
        except WebSocketDisconnect:
            pass
        finally:
            self._sockets.discard(socket)

    async def _answer(self, socket: WebSocket, device: FloorDevice, text: str) -> None:
        if self.silent:
            return
        match FROM_DEVICE.decode(text):
            case Report() as report:
                device.hear(report)
                device.heard_at[type(report.signal).__name__] = time.monotonic()
                await _send(socket, Heard(seq=report.seq))
            case StateChanged(state=state):
                device.state = state
            case StillThere():
                await _send(socket, Alive(server_ms=time.time_ns() // 1_000_000))
        async with self._changed:
            self._changed.notify_all()

    async def _count(self, status: int) -> None:
        self.attempts[status] += 1
        async with self._changed:
            self._changed.notify_all()

    # --- What a test asks ---

    async def until(self, done: Callable[[], object], limit_s: float = 15) -> None:
        """Wait until this is true; it may become true with each message."""
        async with asyncio.timeout(limit_s), self._changed:
            await self._changed.wait_for(done)

    async def drop_all(self) -> None:
        for each in list(self._sockets):
            with suppress(RuntimeError):
                await each.close(1012)


async def _send(socket: WebSocket, message: ToDevice) -> None:
    await socket.send_text(ENCODER.encode(message).decode())


@asynccontextmanager
async def open_floor(floor: FakeFloor, port: int = 0) -> AsyncIterator[str]:
    """Serve it; its address."""
    app = Starlette(
        routes=[Route("/api/enrol", floor.enrol, methods=["POST"]), WebSocketRoute("/ws/device", floor.line)]
    )
    with socket.create_server(("127.0.0.1", port)) as listening:
        config = uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server._serve([listening]))  # without its handling of process signals
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            await floor.drop_all()
            server.should_exit = True
            await serving


# --- Devices behind sockets ---


class WiredDevice:
    """An emulated device behind a TCP port, for one host at a time."""

    def __init__(self, device: Wire) -> None:
        self.device = device
        self.hosts = 0
        self.heard_at: list[tuple[float, bytes]] = []
        self.heard = asyncio.Condition()
        self.said_at: list[tuple[float, bytes]] = []
        self._writer: asyncio.StreamWriter | None = None
        self.port = 0

    @property
    def url(self) -> str:
        return f"socket://127.0.0.1:{self.port}"

    @asynccontextmanager
    async def plugged_in(self) -> AsyncIterator[WiredDevice]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self.unplug()

    def unplug(self) -> None:
        if self._writer:
            self._writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self.hosts += 1
        with suppress(ConnectionError, asyncio.CancelledError):
            self._say(self.device.wants(self.now_ms))
            while data := await reader.read(4_096):
                self.heard_at.append((time.monotonic(), data))
                self._say(self.device.heard(data, self.now_ms))
                async with self.heard:
                    self.heard.notify_all()
        writer.close()

    def _say(self, data: bytes) -> None:
        if data and self._writer:
            self.said_at.append((time.monotonic(), data))
            self._writer.write(data)

    @property
    def now_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000


class WiredContacts:
    """Lines that a test writes, in the place of an emulated device."""

    def __init__(self, greeting: bytes) -> None:
        self.lines = greeting
        self.answers = b""

    def heard(self, data: bytes, now_ms: int) -> bytes:  # noqa: ARG002 - as other devices
        self.answers += data
        return b""

    def wants(self, now_ms: int) -> bytes:  # noqa: ARG002 - as other devices
        return self.lines
