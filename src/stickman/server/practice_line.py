"""The line of a seat's page to a practice table, which lives as long as this line."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket

from stickman import wire
from stickman.floor.events import Place
from stickman.floor.office import Floor, Terminal
from stickman.server.auth import Caller, Denial, Denied, denies
from stickman.server.floor import IDLE, LiveFloor
from stickman.server.house import Asked
from stickman.server.lessons import SEAT
from stickman.server.line import ScreenLine
from stickman.server.pit import Accepted, Unknown
from stickman.server.practice import ALLOWED, Practice, practising
from stickman.wire import LessonName

NAME = f"seat {SEAT}"
LEARNER = Caller(Place("seat", 0, SEAT))
"""No terminal of the floor has this place, and nobody is signed in."""


class PracticeLine(ScreenLine):
    """The connection of a learner: it speaks as a screen does, but watches no screen of the floor."""

    kind = "practice"

    def __init__(self, socket: WebSocket, floor: LiveFloor, terminal: Terminal, lesson: LessonName) -> None:
        super().__init__(socket, floor, terminal, 0, "")
        self._lesson: LessonName = lesson
        self._practice: Practice | None = None
        self._asked = asyncio.Event()
        """Something was asked since the watch looked last."""

    @property
    def screen(self) -> str:
        return ""

    async def _converse(self) -> None:
        if await self._receive_join() is None:
            return
        async with practising(self._lesson, self._floor.clock) as practice:
            self._practice = practice
            tasks = [asyncio.create_task(each) for each in (practice.run(), self._watch(practice))]
            _, snapshot = practice.pit.watch(NAME, self._outbox, None)
            practice.tell = self._outbox.answer
            practice.tell(practice.told)
            try:
                await self._talk(snapshot)
            finally:
                practice.pit.screens.leave(NAME, self._outbox)
                for task in tasks:
                    task.cancel()
                await asyncio.wait(tasks)

    async def _watch(self, practice: Practice) -> None:
        """Hang up when nothing is asked for too long, or when the practice is full."""
        idle_s = self._floor.plan.config.limits.practice_idle_s
        with suppress(TimeoutError):
            while not practice.full.is_set():
                self._asked.clear()
                async with asyncio.timeout(idle_s):
                    await self._asked.wait()
        self.hang_up(IDLE)

    async def _answer(self, ask: wire.Ask) -> wire.ServerMessage:
        self._asked.set()
        if no := denies(Floor(), LEARNER, ask.request):
            return wire.refused(ask.id, no)
        if not isinstance(ask.request, ALLOWED) or self._practice is None:
            return wire.refused(ask.id, Denied(Denial.NOT_IN_PRACTICE))
        answer = await self._practice.pit.ask(Asked(ask.request, NAME, f"{NAME}:{ask.id}"))
        self._asked.set()  # it may have filled the practice
        match answer:
            case Accepted(seq, _):
                return wire.Done(id=ask.id, seq=seq)
            case Unknown():
                return wire.Again(id=ask.id)
            case _:
                return wire.refused(ask.id, answer)
