"""Who watches a table, and what each screen is sent: a snapshot, then frames; never later than another can bear.

Screens of one name (`seat 3`, `dealer`, `table`) see the same view, which is computed once. Each connection has an
outbox of its own with room for so much: whoever does not read it is sent a new snapshot when they do.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from stickman.table.frames import difference, plain
from stickman.table.view import SeatView, View
from stickman.wire import ENCODER, Frame, Snapshot, Told

FRAMES_KEPT = 256
"""Frames of a screen that can be sent again to one that lost its connection."""
OUTBOX = 64
"""Messages that wait for a connection before it counts as slow."""


class Waiting(NamedTuple):
    """A message on its way out."""

    data: bytes
    is_frame: bool
    """A frame or a snapshot, which a later snapshot makes needless."""


class Outbox:
    """What waits to be sent over one connection."""

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

    def tell(self, message: Told) -> None:
        """Answers are never dropped: whoever makes them waits for `room` first."""
        self.put(ENCODER.encode(message))

    async def room(self) -> None:
        """Wait until another answer may be put in."""
        while len(self._waiting) >= self._most and not self.closed:
            self._emptied.clear()
            await self._emptied.wait()

    def close(self) -> None:
        self.closed = True
        self._filled.set()
        self._emptied.set()

    async def messages(self, snapshot: Callable[[], bytes]) -> AsyncIterator[bytes]:
        """What to send next, for ever; a stale outbox begins with a snapshot as it is then."""
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
    """One view of a table, while anybody watches it."""

    def __init__(self, seq: int, view: View) -> None:
        self.seq, self.view = seq, view
        self.outboxes: set[Outbox] = set()
        self._since = seq
        """Frames from this number on are kept."""
        self._frames: deque[tuple[int, bytes]] = deque(maxlen=FRAMES_KEPT)

    def snapshot(self, server_ms: int) -> bytes:
        return ENCODER.encode(Snapshot(seq=self.seq, server_ms=server_ms, view=plain(self.view)))

    def move_on(self, seq: int, view: View, server_ms: int) -> None:
        """Send what changed to all who watch."""
        changes = difference(self.view, view)
        if _begins_a_stay(self.view, view):  # the frames before are another player's
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
        """The frames from a number on; None where they are not known any more. Time makes frames too, and they
        have the number of the last record: so those of that number come again, which changes nothing."""
        if not self._since <= after <= self.seq:
            return None
        return [data for seq, data in self._frames if seq >= after]


class Screens:
    """All who watch one table."""

    def __init__(self) -> None:
        self._watched: dict[str, Watched] = {}

    def names(self) -> list[str]:
        """The screens that somebody watches."""
        return list(self._watched)

    @property
    def connections(self) -> int:
        return sum(len(watched.outboxes) for watched in self._watched.values())

    def join(self, name: str, outbox: Outbox, fresh: Callable[[], tuple[int, View]], server_ms: int) -> Watched:
        """Watch a screen from now on, beginning with a snapshot."""
        if name not in self._watched:
            self._watched[name] = Watched(*fresh())
        watched = self._watched[name]
        watched.outboxes.add(outbox)
        outbox.put(watched.snapshot(server_ms), is_frame=True)
        return watched

    def rejoin(self, name: str, outbox: Outbox, after: int) -> Watched | None:
        """Go on after a frame that a connection had seen; None where it needs a snapshot."""
        watched = self._watched.get(name)
        missed = watched.missed(after) if watched else None
        if watched is None or missed is None:
            return None
        watched.outboxes.add(outbox)
        for data in missed:
            outbox.put(data, is_frame=True)
        return watched

    def leave(self, name: str, outbox: Outbox) -> None:
        watched = self._watched[name]
        watched.outboxes.discard(outbox)

    def forget(self, name: str) -> None:
        """Stop computing a view that nobody has watched for a while."""
        if not self._watched[name].outboxes:
            del self._watched[name]

    def shown(self, name: str) -> View:
        """What a screen that is watched shows now."""
        return self._watched[name].view

    def move_on(self, name: str, seq: int, view: View, server_ms: int) -> None:
        if name in self._watched:  # it may have been let go meanwhile
            self._watched[name].move_on(seq, view, server_ms)
