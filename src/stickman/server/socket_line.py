"""The transport of a line: a WebSocket with one reader and one sender, so that a slow peer delays only itself.

`line` has the screens' messages, `device_line` those of devices.
"""

from __future__ import annotations

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, MutableMapping
from typing import Any, Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from stickman.floor.office import Terminal
from stickman.server.floor import LiveFloor
from stickman.server.guard import held_of
from stickman.server.limits import Bucket
from stickman.server.screens import Outbox

DRAIN_S = 1
"""How long a closing line may take to read the rest."""
BAD_MESSAGE = 1008

_numbers = itertools.count(1)


class SocketLine(ABC):
    """A connection of an enrolled terminal: who it is, and how its messages go in and out."""

    kind = ""
    """Its name in metrics; empty for that of its screen or device."""

    def __init__(
        self, socket: WebSocket, floor: LiveFloor, terminal: Terminal, table: int, session: str = ""
    ) -> None:
        self._socket, self._floor, self.session = socket, floor, session
        self.terminal, self.place, self.table = terminal.id, terminal.place, table
        self.address, self.number = socket.client.host if socket.client else "", next(_numbers)
        self._held = held_of(socket.scope)
        self._outbox = Outbox(floor.plan.config.limits.outbox)
        self._bucket: Bucket = floor.rates.messages(self.place.screen).of(self.terminal)
        self._answering = asyncio.Lock()
        self._hung_up: Final[asyncio.Future[int]] = asyncio.get_running_loop().create_future()
        self._closed = asyncio.Event()

    @property
    def screen(self) -> str:
        """The name of the view that it watches; empty for none."""
        return ""

    @property
    def leaving(self) -> bool:
        return self._hung_up.done() or bool(self._held and self._held.is_closing())

    def hang_up(self, code: int) -> None:
        if not self._hung_up.done():
            self._hung_up.set_result(code)

    async def closed(self) -> None:
        await self._closed.wait()

    async def serve(self) -> None:
        """Exchange messages until either side closes the line."""
        connected = self._floor.metrics.connections.labels(self.kind or self.place.screen)
        self._floor.connections.add(self)
        connected.inc()
        try:
            await self._socket.accept()
            await self._converse()
        finally:
            connected.dec()
            self._floor.connections.discard(self)
            self._closed.set()

    @abstractmethod
    async def _converse(self) -> None:
        """Begin the conversation, and `_talk`."""

    @abstractmethod
    async def _read(self) -> int:
        """Answer messages one at a time; returns the code to close with, 0 if the peer has gone."""

    async def _talk(self, snapshot: Callable[[], bytes]) -> None:
        """Read and send until one side ends it. `snapshot` replaces what a slow peer missed."""
        reader, sender = asyncio.create_task(self._read()), asyncio.create_task(self._send_all(snapshot))
        try:
            ends: set[asyncio.Future[int]] = {reader, self._hung_up}
            done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            async with self._answering:  # the request in progress is answered before the line closes
                reader.cancel()
            self._outbox.close()
            await asyncio.wait({sender}, timeout=DRAIN_S)
            if code := max(end.result() for end in done):
                await self._close(code)
        finally:
            reader.cancel()
            sender.cancel()
            await asyncio.wait({reader, sender})

    async def _received(self) -> bytes | str | None:
        """The next message, not faster than allowed; none if the peer has gone."""
        message = await self._next()
        if message["type"] == "websocket.disconnect":
            return None
        await self._bucket.turn()
        found: bytes | str = message.get("text") or message.get("bytes") or b""
        return found

    async def _next(self) -> MutableMapping[str, Any]:
        return await self._socket.receive()

    async def _send_all(self, snapshot: Callable[[], bytes]) -> None:
        def resnapshot() -> bytes:
            self._floor.metrics.resnapshots.inc()
            return snapshot()

        async for data in self._outbox.messages(resnapshot):
            await self._send(data)
            self._floor.metrics.sent.inc()

    async def _send(self, data: bytes) -> None:
        try:
            await self._socket.send_text(data.decode())
        except WebSocketDisconnect:
            self.hang_up(0)

    async def _close(self, code: int) -> None:
        try:
            async with asyncio.timeout(DRAIN_S):
                await self._socket.close(code)
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            pass  # the peer has gone, or reads nothing: the transport ends the line
