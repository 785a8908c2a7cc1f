"""The server process: Uvicorn with stricter limits, and an orderly stop.

Uvicorn implements HTTP and WebSocket; this module adds the limits that it lacks. Every connection is counted from
its accept, before TLS, and dropped when it is late (`limits.Connections`).
"""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import structlog
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN

from stickman import wire
from stickman.devices import signals
from stickman.server import limits
from stickman.server.app import DEVICES, make_app
from stickman.server.floor import FLOODED, LiveFloor
from stickman.server.limits import Bucket, Connections, Held

STOP_S = 5
"""How long connections may take to close when the server stops."""
BACKLOG = 128
"""Connections that may wait to be accepted."""
HEADER_BYTES_MAX = 32_768
PIPELINED_MAX = 16
"""Requests of one connection that may wait for their answers."""
SLICE = 4_096
"""Bytes that are parsed at once; their frames are counted before the next slice."""
SWEEP_S = 0.5
ACCEPT_AGAIN_S = 0.1
"""How long to wait after a failed accept."""
BAD_TEXT = 1007
COUNTED = (Opcode.PING, Opcode.PONG, Opcode.CONT)
"""Frames that are not a whole message."""

log = structlog.get_logger()


TLS_1_2 = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""Ciphers for TLS 1.2: forward secrecy and authenticated encryption. All ciphers of TLS 1.3 have both."""


class PromptHttp(HttpToolsProtocol):
    """Uvicorn's HTTP, but each request has one deadline, from its first byte to the end of its body."""

    _bytes = 0
    """Of incomplete headers."""
    _in_headers = True
    _between_requests = False
    _upgraded = False

    def __init__(self, held: Held, **known: Any) -> None:
        super().__init__(**known, app_state={"held": held})  # the guard finds it in the scope's state
        self._held = held

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as Uvicorn has it
        super().connection_made(transport)
        self._held.abort, self._held.is_closing = transport.abort, transport.is_closing
        if self._held.let_go:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._between_requests and self._held.due is None:
            self._held.begin(self.loop.time())
        for start in range(0, len(data), SLICE):
            part = data[start : start + SLICE]
            self._bytes += len(part) if self._in_headers else 0
            super().data_received(part)
            if self._upgraded or self.transport.is_closing():
                return
            if self._in_headers and self._bytes > HEADER_BYTES_MAX:
                self.transport.abort()
                return

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._held.due is None:
            self._held.begin(self.loop.time())
        self._in_headers, self._between_requests = True, False

    def on_headers_complete(self) -> None:
        self._in_headers = False
        if len(self.pipeline) >= PIPELINED_MAX:
            self.transport.abort()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._held.due, self._between_requests, self._bytes = None, True, 0

    def handle_websocket_upgrade(self) -> None:
        self._upgraded = True
        if not self.url.isascii():
            self.send_400_response("Invalid HTTP request received.")
            return
        super().handle_websocket_upgrade()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._held.deaf_since = self.loop.time()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._held.deaf_since = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._held.gone()
        super().connection_lost(exc)


class PromptWebSocket(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket, but it counts control frames, fragments and bytes, reads no further than the application
    does, and does not wait for a screen that neither reads nor answers."""

    def __init__(self, config: uvicorn.Config, server_state: Any, app_state: dict[str, Any]) -> None:
        super().__init__(config, server_state, app_state)
        self._held: Held = app_state["held"]
        allowed = self._held.among.limits
        self._control = Bucket(allowed.control_frames_a_second, allowed.control_frames_burst)
        self._bytes = Bucket(allowed.bytes_a_second, allowed.bytes_burst)
        self._unread = bytearray()
        """Bytes that are received and not parsed yet."""

    # --- Receiving ---

    def handle_connect(self, event: Request) -> None:
        """A device may send longer messages than a screen."""
        if event.path == DEVICES:
            self.conn.max_message_size = signals.MESSAGE_BYTES_MAX
        super().handle_connect(event)

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:  # the HTTP request, not a frame
            super().data_received(data)
            return
        self._unread += data
        if not self.writable.is_set():
            self.transport.pause_reading()
        self._read_on()

    def _read_on(self) -> None:
        """Parse until a message waits for the application, or the screen does not read what it is sent."""
        while self._unread and self.writable.is_set() and not (self.read_paused or self.transport.is_closing()):
            part = bytes(self._unread[:SLICE])
            del self._unread[:SLICE]
            if self._bytes.take(len(part)):
                self._hang_up(FLOODED, "too many bytes")
                return
            super().data_received(part)

    async def receive(self) -> Any:
        message = await super().receive()
        self._read_on()
        return message

    def handle_events(self) -> None:
        """As Uvicorn does, but count the frames that are not a whole message."""
        counted = [event for event in self.conn.events if isinstance(event, Frame) and event.opcode in COUNTED]
        if any(self._control.take() for _ in counted):
            self._hang_up(FLOODED, "too many control frames")
            return
        super().handle_events()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not _is_text(self.frames):
            self.frames = []
            self._hang_up(BAD_TEXT, "not UTF-8")
            return
        super().send_receive_event_to_app()

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:  # it was not even a handshake
            self.transport.abort()
            return
        super().handle_parser_exception()

    def _hang_up(self, code: int, reason: str) -> None:
        """End it now, with a code if one can still be sent."""
        self._unread.clear()
        if self.conn.state is not OPEN or self.close_sent:
            self.transport.abort()
            return
        self.conn.fail(code, reason)
        self.handle_parser_exception()

    # --- Sending ---

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and self.close_sent:
            self.handshake_complete = True  # it was refused; otherwise Uvicorn would log an error for each one

    def pause_writing(self) -> None:
        super().pause_writing()
        self._held.deaf_since = self.loop.time()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._held.deaf_since = None
        self._read_on()
        if not self.read_paused:
            self.transport.resume_reading()

    def keepalive_timeout(self) -> None:
        """It has not answered a ping, so it will not read what waits to be sent."""
        self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._held.due = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._unread.clear()
        self._held.gone()
        super().connection_lost(exc)


def _is_text(frames: list[bytes]) -> bool:
    try:
        b"".join(frames).decode()
    except UnicodeDecodeError:
        return False
    return True


class Server(uvicorn.Server):
    """Uvicorn, but it counts connections when it accepts them, leaves the tables in order before it closes
    anything, and ends with 0 after a signal."""

    def __init__(self, config: uvicorn.Config, floor: LiveFloor, connections: Connections) -> None:
        super().__init__(config)
        self._floor, self._connections, self._limits = floor, connections, floor.plan.config.limits
        self._tasks: set[asyncio.Task[Any]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])  # Uvicorn itself listens nowhere
        for each in sockets or []:
            each.setblocking(False)
            self._start(self._accept(each))
        self._start(self._sweep())

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self, listening: socket.socket) -> None:
        """Accept connections, one at a time, while there is room."""
        loop, logged = asyncio.get_running_loop(), False
        while True:
            try:
                accepted, address = await loop.sock_accept(listening)
            except OSError as problem:
                if not logged:
                    log.warning("a connection could not be accepted", problem=str(problem))
                logged = True
                await asyncio.sleep(ACCEPT_AGAIN_S)
                continue
            logged = False
            held = self._connections.admit(address[0], loop.time() + self._limits.request_s)
            if held is None:
                accepted.close()
            else:
                accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._start(self._connect(accepted, held))

    async def _connect(self, accepted: socket.socket, held: Held) -> None:
        """Start HTTP on a connection, after the TLS handshake."""
        task = asyncio.current_task()
        assert task
        held.abort = task.cancel  # type: ignore[assignment] # until there is a transport
        speaks = partial(PromptHttp, held, config=self.config, server_state=self.server_state)
        tls: dict[str, Any] = {}
        if self.config.ssl:
            tls = {"ssl": self.config.ssl, "ssl_handshake_timeout": float(self._limits.request_s)}
        try:
            await asyncio.get_running_loop().connect_accepted_socket(speaks, accepted, **tls)
        except (OSError, asyncio.CancelledError):  # it is gone, too late, or does not use TLS
            held.gone()
            accepted.close()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            self._connections.sweep(asyncio.get_running_loop().time())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._floor.stop()
        for task in list(self._tasks):
            task.cancel()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def listen(host: str, port: int) -> socket.socket:
    """A socket at an address; `OSError` if the address is in use."""
    address = "127.0.0.1" if host == "localhost" else host
    family = socket.AF_INET6 if ipaddress.ip_address(address).version == 6 else socket.AF_INET
    return socket.create_server((address, port), family=family, backlog=BACKLOG)


def server(floor: LiveFloor) -> Server:
    """The server of a floor; `serve` takes its sockets."""
    tls, allowed = floor.plan.tls, floor.plan.config.limits
    connections = Connections(allowed, limits.room(allowed, len(floor.plan.tables)))
    config = uvicorn.Config(
        make_app(floor),
        http=PromptHttp,
        ws=PromptWebSocket,
        ws_max_size=wire.MESSAGE_BYTES_MAX,
        ws_per_message_deflate=False,
        ws_ping_interval=allowed.ping_s,
        ws_ping_timeout=allowed.ping_s,
        lifespan="off",
        log_config=None,
        log_level="error",  # the mistakes of strangers would only fill the log
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=allowed.keep_alive_s,
        timeout_graceful_shutdown=STOP_S,
        ssl_certfile=tls[0] if tls else None,
        ssl_keyfile=tls[1] if tls else None,
        ssl_ciphers=TLS_1_2,
    )
    return Server(config, floor, connections)
