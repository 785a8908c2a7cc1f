"""The screens of a table, and what each is sent: a snapshot, then frames.

Screens of one name (`seat 3`, `dealer`, `table`) share a view, which is computed once. Each connection has its own
outbox of limited size. A screen that reads too slowly gets a new snapshot instead of the frames. The number of a
frame is that of the table's last record: some numbers have no frame, and time makes several frames of one number.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from stickman.table.frames import difference, plain
from stickman.table.view import SeatView, View
from stickman.wire import ENCODER, Frame, ServerMessage, Snapshot

FRAMES_KEPT = 256
"""Frames of a screen that are kept for connections that come back."""
OUTBOX = 64
"""Messages that may wait for a connection before it counts as slow."""


class Waiting(NamedTuple):
    """A message in an outbox."""

    data: bytes
    is_frame: bool
    """A frame or a snapshot, which a later snapshot replaces."""


class Outbox:
    """The messages that wait to be sent over one connection."""

    def __init__(self, most: int = OUTBOX) -> None:
        self._most = most
        self._waiting: deque[Waiting] = deque()
        self._filled, self._emptied = asyncio.Event(), asyncio.Event()
        self.stale = False
        """Frames were dropped: it needs a snapshot."""
        self.closed = False

    def put(self, data: bytes, *, is_frame: bool = False) -> None:
        if is_frame and len(self._waiting) >= self._most:
            self._waiting = deque(each for each in self._waiting if not each.is_frame)
            self.stale = True
            self._emptied.set()
        if not (is_frame and self.stale):
            self._waiting.append(Waiting(data, is_frame))
        self._filled.set()

    def answer(self, message: ServerMessage) -> None:
        """Put in an answer, which is never dropped. Wait for `room` first."""
        self.put(ENCODER.encode(message))

    async def room(self) -> None:
        """Wait until there is room for another answer."""
        while len(self._waiting) >= self._most and not self.closed:
            self._emptied.clear()
            await self._emptied.wait()

    def close(self) -> None:
        self.closed = True
        self._filled.set()
        self._emptied.set()

    async def messages(self, snapshot: Callable[[], bytes]) -> AsyncIterator[bytes]:
        """What to send next. A stale outbox begins with a snapshot of that moment."""
        while True:
            await self._filled.wait()
            if self.stale:
                self.stale = False
                yield snapshot()
            while self._waiting and not self.stale:
                data = self._waiting.popleft().data
                self._emptied.set()
                yield data
            if self.closed:
                return
            if not self._waiting and not self.stale:
                self._filled.clear()


def _begins_a_stay(before: View, after: View) -> bool:
    if not (isinstance(before, SeatView) and isinstance(after, SeatView)):
        return False
    return before.stay.number != after.stay.number


class Watched:
    """One view of a table, and the connections that watch it."""

    def __init__(self, seq: int, view: View) -> None:
        self.seq, self.view = seq, view
        self.outboxes: set[Outbox] = set()
        self._since = seq
        """From this number on, no frame is missing."""
        self._frames: deque[tuple[int, bytes]] = deque(maxlen=FRAMES_KEPT)

    def snapshot(self, server_ms: int) -> bytes:
        return ENCODER.encode(Snapshot(seq=self.seq, server_ms=server_ms, view=plain(self.view)))

    def move_on(self, seq: int, view: View, server_ms: int) -> None:
        """Send the changes to all connections."""
        changes = difference(self.view, view)
        if _begins_a_stay(self.view, view):  # the frames before belong to another player
            self._frames.clear()
            self._since = seq
        self.seq, self.view = seq, view
        if not changes:
            return
        data = ENCODER.encode(Frame(seq=seq, server_ms=server_ms, changes=changes))
        if len(self._frames) == FRAMES_KEPT:
            self._since = self._frames[0][0] + 1
        self._frames.append((seq, data))
        for outbox in self.outboxes:
            outbox.put(data, is_frame=True)

    def missed(self, after: int) -> list[bytes] | None:
        """The frames from a number on; None if they are no longer kept. Time makes frames too, with the number of
        the last record, so frames of that number are sent again; they change nothing."""
        if not self._since <= after <= self.seq:
            return None
        return [data for seq, data in self._frames if seq >= after]


class Screens:
    """All screens of one table that are watched."""

    def __init__(self) -> None:
        self._watched: dict[str, Watched] = {}

    def names(self) -> list[str]:
        return list(self._watched)

    @property
    def connections(self) -> int:
        return sum(len(watched.outboxes) for watched in self._watched.values())

    def join(self, name: str, outbox: Outbox, fresh: Callable[[], tuple[int, View]], server_ms: int) -> Watched:
        """Watch a screen, beginning with a snapshot."""
        if name not in self._watched:
            self._watched[name] = Watched(*fresh())
        watched = self._watched[name]
        watched.outboxes.add(outbox)
        outbox.put(watched.snapshot(server_ms), is_frame=True)
        return watched

    def rejoin(self, name: str, outbox: Outbox, after: int) -> Watched | None:
        """Continue after the last frame that a connection has; None if it needs a snapshot."""
        watched = self._watched.get(name)
        missed = watched.missed(after) if watched else None
        if watched is None or missed is None:
            return None
        watched.outboxes.add(outbox)
        for data in missed:
            outbox.put(data, is_frame=True)
        return watched

    def leave(self, name: str, outbox: Outbox) -> None:
        self._watched[name].outboxes.discard(outbox)

    def forget(self, name: str) -> None:
        """Drop a view that nobody watches."""
        if not self._watched[name].outboxes:
            del self._watched[name]

    def shown(self, name: str) -> View:
        return self._watched[name].view

    def move_on(self, name: str, seq: int, view: View, server_ms: int) -> None:
        if name in self._watched:  # it may have been dropped meanwhile
            self._watched[name].move_on(seq, view, server_ms)
