"""The line to one screen: a WebSocket with one reader and one sender, so that a slow screen delays only itself.

This module knows the transport; `wire` has the messages.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Any, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from stickman import wire
from stickman.floor.events import Place
from stickman.floor.events import Refused as RefusedByFloor
from stickman.floor.office import Terminal
from stickman.server.auth import WHO, Caller, Denied, deed_at_table, denies
from stickman.server.floor import RESTARTS, LiveFloor
from stickman.server.guard import held_of
from stickman.server.house import Asked
from stickman.server.pit import Accepted, Pit, Unknown
from stickman.server.screens import Outbox
from stickman.store.store import NotAppended
from stickman.table import messages as m

JOIN_S = 10
"""How long a connection may wait before it joins."""
DRAIN_S = 1
"""How long a closing line may take to read the rest."""
BAD_MESSAGE = 1008
TICKET_REPEATED_MS = 60_000
"""How long an answer that is asked for again, under the same id, repeats a ticket's number."""

_numbers = itertools.count(1)

No = Denied | RefusedByFloor | m.Refused


class ScreenLine:
    """The connection of one screen: who it is, and its messages in both directions."""

    def __init__(self, socket: WebSocket, floor: LiveFloor, terminal: Terminal, table: int, session: str) -> None:
        self._socket, self._floor, self.session = socket, floor, session
        self.terminal, self.place, self.table = terminal.id, terminal.place, table
        self.address, self.number = address_of(socket), next(_numbers)
        self._held = held_of(socket.scope)
        self._pit: Pit | None = None
        """The table's, after the screen has joined."""
        self._outbox = Outbox(floor.plan.config.limits.outbox)
        rates = floor.rates.seats if self.place.screen == "seat" else floor.rates.screens
        self._bucket = rates.of(self.terminal)
        self._answering = asyncio.Lock()
        self._hung_up: Final[asyncio.Future[int]] = asyncio.get_running_loop().create_future()
        self._closed = asyncio.Event()

    @property
    def screen(self) -> str:
        return screen_of(self.place)

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
        connected = self._floor.metrics.connections.labels(self.place.screen)
        self._floor.connections.add(self)
        connected.inc()
        try:
            await self._socket.accept()
            if (join := await self._receive_join()) and (pit := await self.seated()):
                _, snapshot = pit.watch(self.screen, self._outbox, join.after)
                try:
                    await self._talk(snapshot)
                finally:
                    pit.screens.leave(self.screen, self._outbox)
        finally:
            connected.dec()
            self._floor.connections.discard(self)
            self._closed.set()

    async def _receive_join(self) -> wire.Join | None:
        """The first message, which must be a join; otherwise the line is closed with a `Bad`."""
        receiving = asyncio.ensure_future(self._receive())
        first: set[asyncio.Future[Any]] = {receiving, self._hung_up}
        try:
            await asyncio.wait(first, timeout=JOIN_S, return_when=asyncio.FIRST_COMPLETED)
            if self._hung_up.done():
                await self._close(self._hung_up.result())
                return None
            late = wire.Bad(message=f"no message for {JOIN_S} seconds; allowed: a join")
            message = receiving.result() if receiving.done() else late
        finally:
            receiving.cancel()
        if isinstance(message, wire.Join) or message is None:
            return message
        bad = message if isinstance(message, wire.Bad) else wire.Bad(message="the first message must be a join")
        await self._send(wire.ENCODER.encode(bad))
        await self._close(BAD_MESSAGE)
        return None

    async def seated(self) -> Pit | None:
        """The table. A seat that comes back gets its link before its first view."""
        pit = self._floor.pits.get(self.table)
        if pit and self.place.screen == "seat" and not pit.table.seat(self.place.seat).terminal.linked:
            await self._floor.ask(self.table, Asked(m.RestoreLink(seat=self.place.seat)))
        self._pit = self._floor.pits.get(self.table)
        if self._pit is None:
            await self._close(RESTARTS)
        return self._pit

    async def _talk(self, snapshot: Callable[[], bytes]) -> None:
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

    # --- From the screen ---

    async def _read(self) -> int:
        """Answer requests one at a time; returns the code to close with, 0 if the screen has gone. While answers
        wait to be sent, nothing more is read."""
        while message := await self._receive():
            await self._outbox.room()
            async with self._answering:
                match message:
                    case wire.Ask():
                        self._outbox.answer(await self._answer(message))
                    case wire.Ping(sent_ms=sent_ms):
                        self._outbox.answer(wire.Pong(sent_ms=sent_ms, server_ms=self._floor.clock.now_ms()))
                    case wire.Join():
                        self._outbox.answer(wire.Bad(message="this connection has already joined"))
                        return BAD_MESSAGE
                    case wire.Bad():
                        self._outbox.answer(message)
                        return BAD_MESSAGE
        return 0

    async def _receive(self) -> wire.Join | wire.Ask | wire.Ping | wire.Bad | None:
        """The next message, not faster than allowed; none if the screen has gone."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            return None
        await self._bucket.turn()
        try:
            return wire.DECODER.decode(message.get("text") or message.get("bytes") or b"")
        except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
            return wire.Bad(message=f"the message cannot be read: {problem}")

    async def _answer(self, ask: wire.Ask) -> wire.ServerMessage:
        badge = self._floor.staff_room.badge(self.terminal, self.session) if self.session else ""
        caller, who = Caller(self.place, badge), WHO[type(ask.request)]
        if no := denies(self._floor.state, caller, ask.request, demo=self._floor.plan.demo):
            return self._denied(ask.id, no)
        actor = caller.actor(who)  # ids are per asker, so two screens may choose the same one
        asked = Asked(ask.request, actor, f"{actor}:{ask.id}", approver="")
        if ask.approver:
            second = self._approved(ask)
            if isinstance(second, RefusedByFloor):
                return await self._done_before(ask.id, asked) or self._denied(ask.id, second)
            asked = asked._replace(approver=second)
        answer = await self._pit.ask(asked) if self._pit else Unknown()
        match answer:
            case Accepted(seq, events):
                return wire.Done(id=ask.id, seq=seq, ticket=self._printed(events))
            case Unknown():
                return wire.Again(id=ask.id)
            case m.Refused():
                return wire.refused(ask.id, answer)

    def _printed(self, events: tuple[m.Event, ...]) -> wire.TicketOut | None:
        """The ticket that the seat's own request printed. Its number is sent here and nowhere else. The same id
        gets it again for a minute, unless the next player's stay has begun."""
        pit = self._pit
        for event in events if pit and self.place.screen == "seat" else ():
            if isinstance(event, m.TicketPrinted) and event.seat == self.place.seat:
                assert pit
                seat = pit.table.seat(event.seat)
                fresh = self._floor.clock.now_ms() - event.at_ms < TICKET_REPEATED_MS
                ended_it = seat.stay.ended and seat.stay.since_ms <= event.at_ms
                if fresh and (ended_it or any(ticket.number == event.number for ticket in seat.stay.tickets)):
                    return wire.TicketOut(event.number, event.cents, event.at_ms, event.expires_at_ms)
        return None

    def _approved(self, ask: wire.Ask) -> str | RefusedByFloor:
        """The second person's badge. The table decides whether one is needed."""
        deed = deed_at_table(self.table, self._pit.table if self._pit else None, ask.request)
        return self._floor.staff_room.second(self.terminal, self.session, ask.approver, deed, ask.id)

    async def _done_before(self, id_: str, asked: Asked) -> wire.ServerMessage | None:
        """The first answer to this id, given while the approval was valid."""
        try:
            done = await self._pit.done_before(asked) if self._pit else None
        except NotAppended:  # the journal cannot be read now
            return wire.Again(id=id_)
        return wire.Done(id=id_, seq=done.seq) if done else None

    def _denied(self, id_: str, no: No) -> wire.Refused:
        self._floor.metrics.denied.labels(no.why.value).inc()
        return wire.refused(id_, no)

    # --- To the screen ---

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
            pass  # the screen has gone, or reads nothing: the transport ends the line


def screen_of(place: Place) -> str:
    """The name of the view that a place shows."""
    return f"seat {place.seat}" if place.screen == "seat" else place.screen


def address_of(socket: WebSocket) -> str:
    return socket.client.host if socket.client else ""
