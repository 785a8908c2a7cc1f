"""The line to one screen: the messages of `wire` over a `SocketLine`."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from starlette.websockets import WebSocket

from stickman import wire
from stickman.floor.events import Place
from stickman.floor.events import Refused as RefusedByFloor
from stickman.floor.office import Terminal
from stickman.server.auth import WHO, Caller, Denied, deed_at_table, denies
from stickman.server.floor import RESTARTS, LiveFloor
from stickman.server.house import Asked
from stickman.server.pit import Accepted, Pit, Unknown
from stickman.server.socket_line import BAD_MESSAGE, SocketLine
from stickman.store.store import NotAppended
from stickman.table import messages as m

JOIN_S = 10
"""How long a connection may wait before it joins."""

No = Denied | RefusedByFloor | m.Refused


class ScreenLine(SocketLine):
    """The connection of one screen."""

    def __init__(self, socket: WebSocket, floor: LiveFloor, terminal: Terminal, table: int, session: str) -> None:
        super().__init__(socket, floor, terminal, table, session)
        self._pit: Pit | None = None
        """The table's, after the screen has joined."""

    @property
    def screen(self) -> str:
        return screen_of(self.place)

    async def _converse(self) -> None:
        if (join := await self._receive_join()) and (pit := await self.seated()):
            _, snapshot = pit.watch(self.screen, self._outbox, join.after)
            try:
                await self._talk(snapshot)
            finally:
                pit.screens.leave(self.screen, self._outbox)

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
        message = await self._received()
        if message is None:
            return None
        try:
            return wire.DECODER.decode(message)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
            return wire.Bad(message=f"the message cannot be read: {problem}")

    async def _answer(self, ask: wire.Ask) -> wire.ServerMessage:
        badge = self._floor.staff_room.badge(self.terminal, self.session) if self.session else ""
        caller, who = Caller(self.place, badge), WHO[type(ask.request)]
        if no := denies(self._floor.state, caller, ask.request):
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
            case Accepted(seq, _):
                return wire.Done(id=ask.id, seq=seq)
            case Unknown():
                return wire.Again(id=ask.id)
            case m.Refused():
                if asked.approver:
                    self._floor.staff_room.not_done(self.terminal, ask.id)
                return wire.refused(ask.id, answer)

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


def screen_of(place: Place) -> str:
    """The name of the view that a place shows."""
    return f"seat {place.seat}" if place.screen == "seat" else place.screen
