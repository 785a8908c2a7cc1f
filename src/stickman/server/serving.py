"""The program that serves: a socket, Uvicorn with its limits, and a stop in good order."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from stickman import wire
from stickman.server.app import PING_S, make_app
from stickman.server.floor import LiveFloor

STOP_S = 5
"""How long whoever is still connected may take to hear that the server stops."""


HEADERS_S, HEADER_BYTES_MAX = 10, 32_768
"""How long the headers of a request may take to come, and how long they may be."""


TLS_1_2 = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""What may be agreed upon with TLS 1.2: forward secrecy and authenticated encryption. With TLS 1.3 all is so."""


class PromptHttp(HttpToolsProtocol):
    """Uvicorn's HTTP, but whoever is slow with the headers, or never done with them, is hung up on."""

    _hang_up: asyncio.TimerHandle | None = None
    _waits_for_headers = True
    _bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as Uvicorn has it
        super().connection_made(transport)
        self._await_headers()

    def data_received(self, data: bytes) -> None:
        if self._waits_for_headers:
            self._bytes += len(data)
        super().data_received(data)
        if self._waits_for_headers and self._bytes > HEADER_BYTES_MAX:
            self.transport.abort()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if not self._waits_for_headers:  # a second request over the same connection
            self._await_headers()

    def on_headers_complete(self) -> None:
        self._waits_for_headers = False
        self._forget()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def _await_headers(self) -> None:
        self._waits_for_headers, self._bytes = True, 0
        self._hang_up = self.loop.call_later(HEADERS_S, self.transport.abort)

    def _forget(self) -> None:
        if self._hang_up:
            self._hang_up.cancel()


class Server(uvicorn.Server):
    """Uvicorn, but it leaves the tables in good order before it closes anything, and a signal ends it with 0."""

    def __init__(self, config: uvicorn.Config, floor: LiveFloor) -> None:
        super().__init__(config)
        self._floor = floor

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._floor.stop()
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
    """A socket at an address; `OSError` where it is taken."""
    address = "127.0.0.1" if host == "localhost" else host
    family = socket.AF_INET6 if ipaddress.ip_address(address).version == 6 else socket.AF_INET
    return socket.create_server((address, port), family=family)


def server(floor: LiveFloor) -> Server:
    """The server of a floor, to be served at a socket."""
    tls = floor.plan.tls
    config = uvicorn.Config(
        make_app(floor),
        http=PromptHttp,
        ws="websockets-sansio",
        ws_max_size=wire.MESSAGE_BYTES_MAX,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PING_S,
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=STOP_S,
        ssl_certfile=tls[0] if tls else None,
        ssl_keyfile=tls[1] if tls else None,
        ssl_ciphers=TLS_1_2,
    )
    return Server(config, floor)
