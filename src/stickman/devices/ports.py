"""Where a driver's bytes come from and go to: a serial line, a socket, RFC 2217, or a GPIO chip.

What a GPIO chip shows of its contacts (doors, key) is written as bytes of the protocol `contact_wire`. A port that
closes is opened again; the pauses between failed attempts grow. Bytes that could not be written are dropped, so a
driver must not believe that what it wrote before `closed` has arrived.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from typing import Literal, Protocol

import serialx
import structlog
from msgspec import Struct

from stickman.devices.contact_wire import ContactLine, Said
from stickman.devices.doors import ContactEdge
from stickman.devices.gpio import Contact, GpioMissing, open_gpio

log = structlog.get_logger()

OPEN_S = 5.0
"""How long an attempt to open a port may take."""
RETRY_S, RETRY_S_MAX = 0.2, 5.0
STALLED_S = 10.0
"""A port that takes no bytes for this long is closed."""
UNREAD_MAX = 65_536
"""Bytes that may wait to be read; a port that floods is closed."""

PortParity = Literal["none", "even", "odd"]
PARITIES: dict[PortParity, serialx.Parity] = {
    "none": serialx.Parity.NONE,
    "even": serialx.Parity.EVEN,
    "odd": serialx.Parity.ODD,
}


class PortSetup(Struct, frozen=True, kw_only=True):
    url: str
    """`/dev/tty…`, `socket://HOST:PORT` or `rfc2217://HOST:PORT`."""
    baud: int = 9600
    parity: PortParity = "none"
    contacts: tuple[Contact, ...] = ()
    """If there are any, `url` is a GPIO chip such as `/dev/gpiochip0`."""


class OpenPort(Protocol):
    def write(self, data: bytes) -> None: ...

    def abort(self) -> None: ...


class PeripheralPort:
    """Calls `opened` and `closed` when the port opens and closes, and `woken` when there are bytes to `take`."""

    def __init__(
        self,
        name: str,
        setup: PortSetup,
        *,
        opened: Callable[[], None],
        closed: Callable[[], None],
        woken: Callable[[], None],
    ) -> None:
        self._log = log.bind(device=name, port=serialx.redact_uri(setup.url))
        self._setup = setup
        self._opened, self._closed, self._woken = opened, closed, woken
        self._port: OpenPort | None = None
        self._unread = bytearray()
        self._lost = asyncio.Event()
        self._why = ""

    def take(self) -> bytes:
        """Remove and return the bytes that came since the last call; none while the port is not open."""
        data = bytes(self._unread) if self._port else b""
        del self._unread[: len(data)]
        return data

    def write(self, data: bytes) -> None:
        """Bytes for a port that is not open are dropped."""
        if self._port and not self._lost.is_set():
            try:
                self._port.write(data)
            except (OSError, serialx.SerialException) as problem:
                self.lose(str(problem))

    async def stay(self) -> None:
        """Keep the port open until this is cancelled."""
        pause_s = RETRY_S
        while True:
            self._lost.clear()
            try:
                self._port = await self._open()
            except (OSError, serialx.SerialException, GpioMissing) as problem:
                self._say(str(problem) or type(problem).__name__)
            else:
                self._why, pause_s = "", RETRY_S
                self._log.info("port_opened")
                await self._use()
            # A random pause, so that not all ports open at once when the power comes back.
            await asyncio.sleep(random.uniform(pause_s / 2, pause_s))  # noqa: S311 - no secret
            pause_s = min(pause_s * 2, RETRY_S_MAX)

    async def _open(self) -> OpenPort:
        if self._setup.contacts:
            return _GpioPort(self._setup.url, self._setup.contacts, self.received)
        async with asyncio.timeout(OPEN_S):
            transport, _ = await serialx.create_serial_connection(
                asyncio.get_running_loop(),
                lambda: _PortProtocol(self),
                self._setup.url,
                self._setup.baud,
                PARITIES[self._setup.parity],
            )
        return transport

    async def _use(self) -> None:
        assert self._port
        self._opened()
        try:
            await self._lost.wait()
        finally:
            self._closed()  # which may still `take` what came before; then that is dropped
            self._port.abort()
            self._port = None
            self._unread.clear()

    def received(self, data: bytes) -> None:
        self._unread += data
        if len(self._unread) > UNREAD_MAX:
            self.lose(f"more than {UNREAD_MAX:,} bytes are unread")
        self._woken()

    def lose(self, why: str) -> None:
        if not self._lost.is_set():
            self._lost.set()
            self._say(why)

    def _say(self, why: str) -> None:
        """Log a reason once, not at each attempt."""
        if why != self._why:
            self._why = why
            self._log.warning("port_not_open", why=why)


class _PortProtocol(asyncio.Protocol):
    def __init__(self, port: PeripheralPort) -> None:
        self._port = port
        self._stalled: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        self._port.received(data)

    def pause_writing(self) -> None:
        loop = asyncio.get_running_loop()
        self._stalled = loop.call_later(STALLED_S, self._port.lose, "it takes no bytes")

    def resume_writing(self) -> None:
        if self._stalled:
            self._stalled.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        self.resume_writing()
        self._port.lose(str(exc) if exc else "it was closed from the other side")


class _GpioPort:
    """A GPIO chip that writes the protocol of contacts. A board with a battery repeats an edge until it is
    acknowledged; a chip remembers nothing, so it ignores acknowledgements."""

    def __init__(self, path: str, contacts: Sequence[Contact], received: Callable[[bytes], None]) -> None:
        self._chip = open_gpio(path, contacts)
        self._received = received
        self._loop = asyncio.get_running_loop()
        self._fileno = self._chip.fileno()
        now_ms = time.time_ns() // 1_000_000
        self._say("state", [ContactEdge(name, active, now_ms) for name, active in self._chip.values().items()])
        self._loop.add_reader(self._fileno, self._read)

    def _read(self) -> None:
        self._say("edge", self._chip.edges())

    def _say(self, said: Said, edges: Sequence[ContactEdge]) -> None:
        lines = [
            ContactLine(
                said=said, door="" if edge.name == "key" else edge.name, active=edge.active, at_ms=edge.at_ms
            )
            for edge in edges
        ]
        self._received(b"".join(line.encode() for line in lines))

    def write(self, data: bytes) -> None:
        """Ignored: only acknowledgements are written to contacts."""

    def abort(self) -> None:
        self._loop.remove_reader(self._fileno)
        self._chip.close()
