"""The line to one screen: a WebSocket with one reader and one sender, so that a screen that stalls delays itself.

All that is known here of the transport is in this module; what is said over it is in `wire`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from stickman import wire
from stickman.floor.events import Place
from stickman.floor.events import Refused as RefusedByFloor
from stickman.floor.office import Terminal
from stickman.server.auth import WHO, Caller, Denied, deed_at_table, denies
from stickman.server.floor import RESTARTS, HousePit, LiveFloor
from stickman.server.pit import Asked, Done, Unknown
from stickman.server.screens import Outbox
from stickman.store.store import NotAppended
from stickman.table import messages as m

MESSAGES_A_SECOND, BURST = 40, 80
JOIN_S = 10
"""How long a connection may say nothing before it joins."""
DRAIN_S = 1
"""How long a closing line may take to hear the rest."""
BAD_MESSAGE = 1008

No = Denied | RefusedByFloor | m.Refused


class Bucket:
    """So many a second, and a few at once: whoever is faster waits."""

    def __init__(self, rate: int, burst: int, now: Callable[[], float] = monotonic) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._left: float = burst
        self._at = now()

    def take(self) -> float:
        """Take one; the seconds to wait before it counts."""
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate) - 1
        self._at = now
        return max(0, -self._left / self._rate)


class Line:
    """A screen that is connected: who it is, what it hears, what it says."""

    def __init__(self, socket: WebSocket, floor: LiveFloor, terminal: Terminal, table: int, session: str) -> None:
        self._socket, self._floor, self.session = socket, floor, session
        self.terminal, self.place, self.table = terminal.id, terminal.place, table
        self.address = address_of(socket)
        self._outbox = Outbox()
        self._bucket = Bucket(MESSAGES_A_SECOND, BURST)
        self._answering = asyncio.Lock()
        self._hung_up: Final[asyncio.Future[int]] = asyncio.get_running_loop().create_future()
        self._closed = asyncio.Event()

    @property
    def screen(self) -> str:
        return screen_of(self.place)

    def hang_up(self, code: int) -> None:
        if not self._hung_up.done():
            self._hung_up.set_result(code)

    async def closed(self) -> None:
        await self._closed.wait()

    async def serve(self) -> None:
        """Talk until either side ends it."""
        connected = self._floor.metrics.connections.labels(self.place.screen)
        self._floor.connections.add(self)
        connected.inc()
        try:
            await self._socket.accept()
            if (join := await self._hear_join()) and (pit := await self._seated()):
                _, snapshot = pit.watch(self.screen, self._outbox, join.after)
                try:
                    await self._talk(snapshot)
                finally:
                    pit.screens.leave(self.screen, self._outbox)
        finally:
            connected.dec()
            self._floor.connections.discard(self)
            self._closed.set()

    async def _hear_join(self) -> wire.Join | None:
        """The first message; whoever says something else is told, and nothing more is heard."""
        try:
            async with asyncio.timeout(JOIN_S):
                said = await self._hear()
        except TimeoutError:
            said = wire.Bad(message=f"nothing was said for {JOIN_S} seconds; allowed: a join")
        if isinstance(said, wire.Join) or said is None:
            return said
        bad = said if isinstance(said, wire.Bad) else wire.Bad(message="the first message must be a join")
        await self._send(wire.ENCODER.encode(bad))
        await self._close(BAD_MESSAGE)
        return None

    async def _seated(self) -> HousePit | None:
        """The table, once a seat that comes back has its link again: before it sees itself."""
        pit = self._floor.pits.get(self.table)
        if pit and self.place.screen == "seat" and not pit.table.seat(self.place.seat).linked:
            await self._floor.ask(self.table, Asked(m.RestoreLink(seat=self.place.seat)))
        pit = self._floor.pits.get(self.table)
        if pit is None:
            await self._close(RESTARTS)
        return pit

    async def _talk(self, snapshot: Callable[[], bytes]) -> None:
        reader, sender = asyncio.create_task(self._read()), asyncio.create_task(self._send_all(snapshot))
        try:
            ends: set[asyncio.Future[int]] = {reader, self._hung_up}
            done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            async with self._answering:  # what was asked is answered before the line goes
                reader.cancel()
            self._outbox.close()
            await asyncio.wait({sender}, timeout=DRAIN_S)
            if code := max(end.result() for end in done):
                await self._close(code)
        finally:
            reader.cancel()
            sender.cancel()
            await asyncio.wait({reader, sender})

    # --- What the screen says ---

    async def _read(self) -> int:
        """Answer what is asked, one after the other; the code to close with, 0 where the screen has gone."""
        while said := await self._hear():
            async with self._answering:
                match said:
                    case wire.Ask():
                        self._outbox.tell(await self._answer(said))
                    case wire.Ping(sent_ms=sent_ms):
                        self._outbox.tell(wire.Pong(sent_ms=sent_ms, server_ms=self._floor.clock.now_ms()))
                    case wire.Join():
                        self._outbox.tell(wire.Bad(message="this connection has joined"))
                        return BAD_MESSAGE
                    case wire.Bad():
                        self._outbox.tell(said)
                        return BAD_MESSAGE
        return 0

    async def _hear(self) -> wire.Join | wire.Ask | wire.Ping | wire.Bad | None:
        """The next message, not faster than allowed; none where the screen has gone."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            return None
        if wait := self._bucket.take():
            await asyncio.sleep(wait)
        try:
            return wire.SAID.decode(message.get("text") or message.get("bytes") or b"")
        except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
            return wire.Bad(message=f"the message cannot be read: {problem}")

    async def _answer(self, ask: wire.Ask) -> wire.Told:
        badge = self._floor.staff_room.badge(self.terminal, self.session) if self.session else ""
        caller, who = Caller(self.place, badge), WHO[type(ask.request)]
        if no := denies(self._floor.floor, caller, ask.request):
            return self._denied(ask.id, no)
        # An id is its asker's own: what others at the table call theirs is no concern of theirs.
        actor = caller.actor(who)
        asked = Asked(ask.request, actor, f"{actor}:{ask.id}", approver="")
        if ask.approver:
            second = self._approved(ask)
            if isinstance(second, RefusedByFloor):
                return await self._done_before(ask.id, asked) or self._denied(ask.id, second)
            asked = asked._replace(approver=second)
        answer = await self._floor.ask(self.table, asked)
        match answer:
            case Done(seq, _):
                return wire.Done(id=ask.id, seq=seq)
            case Unknown():
                return wire.Again(id=ask.id)
            case m.Refused():
                return _refused(ask.id, answer)

    def _approved(self, ask: wire.Ask) -> str | RefusedByFloor:
        """The second person's badge; whether one is needed, the table decides."""
        deed = deed_at_table(self.table, ask.request)
        return self._floor.staff_room.second(self.terminal, self.session, ask.approver, deed, ask.id)

    async def _done_before(self, asked_as: str, asked: Asked) -> wire.Done | wire.Again | None:
        """What was done under this id while it was approved: asked again, it is answered."""
        pit = self._floor.pits.get(self.table)
        try:
            done = await pit.done_before(asked) if pit else None
        except NotAppended:  # the journal cannot be read now
            return wire.Again(id=asked_as)
        return wire.Done(id=asked_as, seq=done.seq) if done else None

    def _denied(self, asked: str, no: No) -> wire.Refused:
        self._floor.metrics.denied.labels(no.why.value).inc()
        return _refused(asked, no)

    # --- What the screen is told ---

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
            pass  # it has gone, or reads nothing: the transport ends it


def _refused(asked: str, no: No) -> wire.Refused:
    return wire.Refused(id=asked, why=no.why.value, detail=no.detail, says=str(no))


def screen_of(place: Place) -> str:
    """The name of the view that a place shows."""
    return f"seat {place.seat}" if place.screen == "seat" else place.screen


def address_of(socket: WebSocket) -> str:
    return socket.client.host if socket.client else ""
