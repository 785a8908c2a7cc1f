"""The way to the server: one WebSocket for each device, and the exchange of a code for a token.

Reports go in order, and each again until it is heard. A server that does not let the device in is asked again only
once a minute: the device may be enrolled again, but someone must do it.
"""

from __future__ import annotations

import asyncio
import random
import ssl
from collections.abc import Callable
from contextlib import closing
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

import msgspec
import structlog
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from stickman.devices.keeper import Keeper
from stickman.devices.peripheral import DeviceState, Instant
from stickman.devices.signals import (
    ENCODER,
    FROM_SERVER,
    MESSAGE_BYTES_MAX,
    DeviceMessage,
    NotUnderstood,
    StateChanged,
    StillThere,
)

log = structlog.get_logger()

BEAT_S = 0.5
"""Between two questions whether the server is still there; a changed state goes with them."""
SILENT_MS = 6_000
"""A connection on which nothing comes for this long is given up."""
RETRY_S, RETRY_S_MAX = 0.1, 5.0
SHUT_OUT_S = 60.0
SHUT_OUT = (401, 403)
"""HTTP statuses that another attempt does not change."""
TOO_FAST = 429
"""The floor takes only some codes at once; a process with the devices of many seats asks again soon."""
CLOSED_FOR_GOOD = (1008, 4001)
"""Close codes that another attempt does not change: not understood, revoked."""
OPEN_S = 5.0
ANSWER_BYTES_MAX = 65_536


class ServerAddress(Struct, frozen=True):
    url: str
    """`http://HOST:PORT` or `https://HOST:PORT`."""
    certificate: str = ""
    """A file with the certificates that are trusted; those of the system without it."""

    def tls(self) -> ssl.SSLContext | None:
        if urlsplit(self.url).scheme != "https":
            return None
        return ssl.create_default_context(cafile=self.certificate or None)


class EnrolledDevice(Struct, frozen=True):
    token: str
    place: msgspec.Raw = msgspec.Raw(b"null")
    """As the server wrote it."""


class NotEnrolled(Exception):
    """The server does not take the code."""


def enrol_device(address: ServerAddress, code: str, kind: str) -> EnrolledDevice:
    """Exchange a code of a place for this kind of device, which is valid once, for a token. It waits for the
    network, so call it in a thread."""
    link = urlsplit(address.url)
    host, tls = link.hostname or "", address.tls()
    made = (
        HTTPSConnection(host, link.port, timeout=OPEN_S, context=tls)
        if tls
        else HTTPConnection(host, link.port, timeout=OPEN_S)
    )
    with closing(made) as connection:
        try:
            connection.request("POST", "/api/enrol", msgspec.json.encode({"code": code, "kind": kind}))
            response = connection.getresponse()
            body = response.read(ANSWER_BYTES_MAX)
        except HTTPException as problem:
            raise OSError(f"an answer that cannot be read ({problem!r})") from None
    if response.status >= 500 or response.status == TOO_FAST:
        raise OSError(f"HTTP status {response.status}")
    try:
        if response.status == 200:
            return msgspec.json.decode(body, type=EnrolledDevice)
        said = msgspec.json.decode(body, type=dict[str, object])
    except msgspec.DecodeError:
        said = {}
    why = said.get("says") or said.get("error") or f"HTTP status {response.status}"
    raise NotEnrolled(f"{address.url} does not enrol this device: {why}")


class DeviceLink:
    """Call `more` when there may be something to send; `woken` is called when the server said something."""

    def __init__(
        self,
        name: str,
        keeper: Keeper,
        address: ServerAddress,
        token: str,
        *,
        clock: Callable[[], Instant],
        woken: Callable[[], None],
    ) -> None:
        self._log = log.bind(device=name)
        self._keeper, self._clock, self._woken = keeper, clock, woken
        link = urlsplit(address.url)
        self._dial = partial(
            connect,
            link._replace(scheme=link.scheme.replace("http", "ws"), path="/ws/device").geturl(),
            additional_headers={"Authorization": f"Bearer {token}"},
            ssl=address.tls(),
            compression=None,
            proxy=None,
            max_size=MESSAGE_BYTES_MAX,
            open_timeout=OPEN_S,
            close_timeout=1,
            ping_interval=None,
        )
        self._more = asyncio.Event()
        self._said_ms = 0
        self._answered = False
        """Whether the server said anything on this connection."""
        self._why = ""

    def more(self) -> None:
        self._more.set()

    async def stay(self) -> None:
        """Stay connected until this is cancelled."""
        pause_s = RETRY_S
        while True:
            self._answered = False
            try:
                async with self._dial() as socket:
                    await self._talk(socket)
            except (OSError, InvalidHandshake, ConnectionClosed, msgspec.DecodeError) as problem:
                self._say(problem)
                if _is_shut_out(problem):
                    pause_s = SHUT_OUT_S
                elif self._answered:
                    pause_s = RETRY_S
            # Not all at once when a floor comes back.
            await asyncio.sleep(random.uniform(pause_s / 2, pause_s))  # noqa: S311 - no secret
            pause_s = min(pause_s * 2, RETRY_S_MAX)

    async def _talk(self, socket: ClientConnection) -> None:
        """Send and receive until either ends; it always ends with an exception."""
        self._keeper.connected()
        self._said_ms = self._clock().ms
        tasks = [asyncio.create_task(each) for each in (self._receive_all(socket), self._send_all(socket))]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            done.pop().result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _receive_all(self, socket: ClientConnection) -> None:
        while True:
            self._receive(await socket.recv(decode=False))

    def _receive(self, data: bytes) -> None:
        message = FROM_SERVER.decode(data)
        now = self._clock()
        if self._why:
            self._log.info("server_back")
            self._why = ""
        if isinstance(message, NotUnderstood):
            self._log.error("not_understood", message=message.message)
        self._said_ms, self._answered = now.ms, True
        self._keeper.said(message, now)
        self._more.set()
        self._woken()

    async def _send_all(self, socket: ClientConnection) -> None:
        """Reports as soon as they are stored; the state and a sign of life at each beat."""
        shown: DeviceState | None = None
        beat_ms = 0
        while True:
            self._more.clear()
            for report in self._keeper.to_send():
                await _send(socket, report)
            now_ms = self._clock().ms
            if now_ms >= beat_ms:
                beat_ms = now_ms + round(BEAT_S * 1_000)
                state = self._keeper.peripheral.state | {"unheard": self._keeper.unheard}
                if state != shown:
                    shown = state
                    await _send(socket, StateChanged(state=state))
                await _send(socket, StillThere())
            if now_ms >= self._said_ms + SILENT_MS:
                await socket.close(1001, "silent")
            try:
                async with asyncio.timeout(max(0, beat_ms - self._clock().ms) / 1_000):
                    await self._more.wait()
            except TimeoutError:
                pass

    def _say(self, problem: Exception) -> None:
        """Log a reason once, not at each attempt."""
        why = str(problem) or type(problem).__name__
        if why == self._why:
            return
        self._why = why
        if _is_shut_out(problem):
            self._log.error("server_does_not_let_this_device_in", why=why, do="enrol the device again")
        else:
            self._log.warning("server_lost", why=why)


def _is_shut_out(problem: Exception) -> bool:
    if isinstance(problem, InvalidStatus):
        return problem.response.status_code in SHUT_OUT
    return isinstance(problem, ConnectionClosed) and bool(problem.rcvd and problem.rcvd.code in CLOSED_FOR_GOOD)


async def _send(socket: ClientConnection, message: DeviceMessage) -> None:
    await socket.send(ENCODER.encode(message), text=True)
