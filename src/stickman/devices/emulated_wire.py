"""The wires of emulated devices: a network port, a serial port behind RFC 2217, or a pseudo-terminal.

A `Cable` connects one device with one host. It carries bytes, lets the device's time pass, and has one end: while a
host is connected, another is turned away. If the power of the device is off, the wire is silent and stays
connected, as a real one does. Unplugged, it is closed.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from msgspec import Struct

from stickman.devices.emulated_rfc2217 import ComLine, ComPort

UNSENT_MAX = 1_048_576
"""Bytes that a host may leave unread; then its connection is dropped."""
READ_MAX = 65_536
BUFFER = 65_536
"""Bytes that the system keeps for a host that does not read."""
BACKLOG = 4
ADDRESSES = (
    "tcp://HOST:PORT or rfc2217://HOST:PORT (HOST is an IP address or localhost, port 0 is any that is free),"
    " pty, or pty:LINK with the path of a link"
)


class BadAddress(ValueError):
    """It says what was found and what is allowed."""


class WireAddress(Struct, frozen=True):
    """Where a wire can be connected."""

    kind: str
    host: str = ""
    port: int = 0
    link: str = ""
    """The path of a symbolic link to the pseudo-terminal."""

    def __str__(self) -> str:
        if self.kind == "pty":
            return f"pty:{self.link}" if self.link else "pty"
        return f"{self.kind}://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def read_address(text: str) -> WireAddress:
    """An address as people write it.

    >>> read_address("rfc2217://localhost:4001")
    WireAddress(kind='rfc2217', host='127.0.0.1', port=4001, link='')
    """
    kind, _, rest = text.partition(":")
    if kind == "pty":
        return WireAddress("pty", link=rest)
    try:
        parts = urlsplit(text)
        host = "127.0.0.1" if parts.hostname == "localhost" else str(ipaddress.ip_address(parts.hostname or ""))
        port, rest = parts.port, parts.path.removeprefix("/") + parts.query + parts.fragment
    except ValueError:
        host, port, rest = "", None, ""
    if kind not in ("tcp", "rfc2217") or port is None or rest:
        raise BadAddress(f"found {text!r}; allowed: {ADDRESSES}")
    return WireAddress(kind, host, port)


def listen_at(host: str, port: int) -> socket.socket:
    """A socket that listens; `OSError` if the address is in use."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=BACKLOG)


class EmulatedDevice(Protocol):
    """What a cable asks of a device. `now_ms` is the clock that the device was made for."""

    @property
    def line(self) -> ComLine | None:
        """How its serial line must be set; None if any will do."""

    @property
    def due_ms(self) -> int | None:
        """When something moves next without a command."""

    def heard(self, data: bytes, now_ms: int) -> bytes:
        """Bytes of the host; what the device answers."""

    def wants(self, now_ms: int) -> bytes:
        """Let time pass; what the device sends unasked."""

    def wired(self, connected: bool, now_ms: int) -> None:
        """The wire was connected or cut."""


class _End(Protocol):
    """The host's side of a wire."""

    def send(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class Cable:
    """Connects a device with its host. `changed` is called after all that may have changed the device."""

    def __init__(self, device: EmulatedDevice, now_ms: Callable[[], int], changed: Callable[[], None]) -> None:
        self.device = device
        self.address = WireAddress("")
        """Where it listens, with the port that it got."""
        self.plugged = False
        self._now_ms, self._changed = now_ms, changed
        self._end: _End | None = None
        self._server: asyncio.Server | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def connected(self) -> bool:
        """Whether a host is at the other end. Of a pseudo-terminal that cannot be known."""
        return self._end is not None

    async def lay(self, address: WireAddress) -> None:
        """Listen at an address."""
        self.address, self.plugged = address, True
        if address.kind == "pty":
            self._open_terminal()
        else:
            listening = listen_at(address.host, address.port)
            self.address = WireAddress(address.kind, address.host, listening.getsockname()[1])
            loop = asyncio.get_running_loop()
            self._server = await loop.create_server(lambda: _NetworkEnd(self), sock=listening)
        self.run()

    def close(self) -> None:
        """Take it away."""
        self.unplug()
        if self._server:
            self._server.close()
        if self._timer:
            self._timer.cancel()

    # --- Hands ---

    def unplug(self) -> None:
        self.plugged = False
        if self._end:
            end = self._end
            self.cut(end)
            end.close()

    def plug_in(self) -> None:
        if not self.plugged:
            self.plugged = True
            if self.address.kind == "pty":
                self._open_terminal()
            self._changed()

    def _open_terminal(self) -> None:
        """A new one each time: its end closes for good."""
        terminal = _TerminalEnd(self, self.address.link)
        self.address = WireAddress("pty", link=terminal.path)
        self.connect(terminal)

    # --- Bytes and time ---

    def connect(self, end: _End) -> bool:
        """Whether the wire was free."""
        if self._end is not None or not self.plugged:
            return False
        self._end = end
        self.device.wired(True, self._now_ms())
        self.run()
        return True

    def cut(self, end: _End) -> None:
        """This end is gone."""
        if self._end is end:
            self._end = None
            self.device.wired(False, self._now_ms())
            self.run()

    def heard(self, data: bytes) -> None:
        self._send(self.device.heard(data, self._now_ms()))

    def run(self) -> None:
        """Let time pass: call it after hands moved something. What is due later runs on its own."""
        self._send(self.device.wants(self._now_ms()))

    def _send(self, data: bytes) -> None:
        if data and self._end:
            self._end.send(data)
        if self._timer:
            self._timer.cancel()
            self._timer = None
        due_ms = self.device.due_ms
        if due_ms is not None:
            after_s = max(0, due_ms - self._now_ms() + 1) / 1_000
            self._timer = asyncio.get_running_loop().call_later(after_s, self.run)
        self._changed()


class _NetworkEnd(asyncio.Protocol):
    """A host that is connected by network, with or without RFC 2217."""

    def __init__(self, cable: Cable) -> None:
        self._cable = cable
        self._port = ComPort() if cable.address.kind == "rfc2217" else None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        accepted = transport.get_extra_info("socket")
        accepted.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        accepted.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        self._transport = transport
        if not self._cable.connect(self):
            transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._port and self._transport:
            data, answers = self._port.heard(data)
            self._transport.write(answers)
        if data and self._fits():
            self._cable.heard(data)

    def send(self, data: bytes) -> None:
        if self._transport and self._fits():
            self._transport.write(self._port.sent(data) if self._port else data)
            if self._transport.get_write_buffer_size() > UNSENT_MAX:
                self._transport.abort()

    def _fits(self) -> bool:
        """Between lines that are set differently only noise arrives, which is left out here."""
        line = self._cable.device.line
        return self._port is None or line is None or self._port.line == line

    def close(self) -> None:
        if self._transport:
            self._transport.abort()

    def pause_writing(self) -> None:
        """A host that does not read is not heard either."""
        if self._transport:
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        if self._transport:
            self._transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - gone is gone
        self._cable.cut(self)


class _TerminalEnd:
    """A pseudo-terminal. What nobody reads is lost, as on a serial line."""

    def __init__(self, cable: Cable, link: str) -> None:
        self._cable = cable
        self._link = Path(link) if link and not link.startswith("/dev/pts/") else None
        if self._link and self._link.exists() and not self._link.is_symlink():
            raise FileExistsError(f"{self._link}: found a file; allowed: a new path, or a symbolic link")
        self._near, self._far = os.openpty()
        tty.setraw(self._far)
        os.set_blocking(self._near, False)
        if self._link:
            self._point(self._link, os.ttyname(self._far))
        self.path = str(self._link or os.ttyname(self._far))
        asyncio.get_running_loop().add_reader(self._near, self._read)

    @staticmethod
    def _point(link: Path, path: str) -> None:
        """Replace the link in one step."""
        new = link.with_name(f".{link.name}.{os.getpid()}")
        new.unlink(missing_ok=True)
        new.symlink_to(path)
        new.replace(link)

    def _read(self) -> None:
        with suppress(BlockingIOError):
            self._cable.heard(os.read(self._near, READ_MAX))

    def send(self, data: bytes) -> None:
        with suppress(BlockingIOError):
            os.write(self._near, data)

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._near)
        os.close(self._near)
        os.close(self._far)
        if self._link:
            self._link.unlink(missing_ok=True)
