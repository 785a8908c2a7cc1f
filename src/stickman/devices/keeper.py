"""Keeps one device: numbers its reports, holds bytes back until these are stored, knows what the server heard.

A turn is: `turn` with the bytes that came; store the `Commit` that it returns and say `stored`; write what `wants`
returns. Polls need not wait for the disk: `wants` may be called while a commit is on its way, and returns what does
not depend on it. No I/O happens here, and time is an argument.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import islice

from msgspec import Struct

from stickman.devices.peripheral import AnyWishes, Instant, Peripheral
from stickman.devices.signals import (
    MAY_SIGNAL,
    Alive,
    Heard,
    NotUnderstood,
    ProgramReported,
    Report,
    Signal,
    Tell,
    Wanted,
)

AWAY_MS = 2_000
"""Without a message for this long the server is away, and nothing new begins."""
REPORTS_MAX = 1_000
"""With this many reports that the server has not heard, the room is used up: an acceptor is inhibited, no job
begins, and all but money on its way is put off."""
RESERVE = 100
"""Room for that money. If it were used up too, nothing more would be acknowledged to the device: it keeps its
note, and no money is lost."""
WINDOW = 32
"""Reports that are sent and not heard."""

FromServer = Heard | Wanted | Tell | Alive | NotUnderstood


class Commit(Struct, frozen=True):
    """What one turn adds to the memory, in one transaction."""

    reports: tuple[Report, ...]
    memory: Struct
    next_seq: int
    heard: int
    """All reports up to this number may be forgotten."""
    waited_for: bool = True
    """Whether bytes wait for it. They do not if it only forgets."""


class Keeper:
    def __init__(
        self,
        peripheral: Peripheral,
        program: ProgramReported,
        *,
        boot: str,
        next_seq: int = 1,
        unheard: Sequence[Report] = (),
    ) -> None:
        """`program` is as it was measured at the start. `unheard` are the reports of earlier starts that the server
        has not heard."""
        self.peripheral = peripheral
        self._program = program
        self.measures_program = False
        """The server asks for the program: measure it now, and say `measured`."""
        self._boot = boot
        self._next_seq = next_seq
        self._unheard = deque(unheard)
        """Stored reports, the oldest first."""
        self._heard = self._forgotten = 0
        """The number of the last report that the server has heard; of the last one that is forgotten."""
        self._sent = 0
        """The number of the last report that was sent over this connection."""
        self._memory = peripheral.memory
        """As it is stored, or will be after the commits on their way."""
        self._commits = 0
        """On their way to the disk, and waited for."""
        self._unstored = 0
        """Reports in them."""
        self._asked: set[str] = {"program"}
        self._said_ms: int | None = None
        """When the server last said something; None while it is away."""
        self._wishes: AnyWishes | None = None
        """The last ones that came over this connection."""
        self._said_again = False
        """Whether the peripheral was asked, over this connection, what it must say again."""
        self._stopping = False

    @property
    def away(self) -> bool:
        return self._said_ms is None

    @property
    def is_stored(self) -> bool:
        return self._commits == 0

    @property
    def unheard(self) -> int:
        return len(self._unheard) + self._unstored

    @property
    def due_ms(self) -> int:
        due_ms = self.peripheral.due_ms
        return due_ms if self._said_ms is None else min(due_ms, self._said_ms + AWAY_MS)

    # --- A turn ---

    def turn(self, data: bytes, now: Instant) -> Commit | None:
        """Take the bytes that came, perhaps none; what must be stored before bytes that depend on it leave."""
        if self._said_ms is not None and now.ms >= self._said_ms + AWAY_MS:
            self.rest(now)
        room = self.unheard < REPORTS_MAX
        signals = self.peripheral.heard(data, now, room=room)
        if room:
            signals = [*signals, *([] if signals else self._again()), *self._answers()]
        memory = self.peripheral.memory
        waited_for = bool(signals) or memory != self._memory
        if not waited_for and self._heard == self._forgotten:
            return None
        commit = self._commit(signals, now, waited_for=waited_for)
        self._commits += waited_for
        self._unstored += len(commit.reports)
        return commit

    def _again(self) -> list[Signal]:
        """What must be said again: once for each connection, when the server has heard all and has wished."""
        if self._said_again or self._wishes is None or self.unheard:
            return []
        self._said_again = True
        return self.peripheral.say_again()

    def _answers(self) -> list[Signal]:
        """What was asked for, as far as it is known."""
        asked, self._asked = self._asked, set()
        answers: dict[str, Signal] = {"program": self._program, "totals": self.peripheral.totals}
        return [answers[what] for what in sorted(asked)]

    def _commit(self, signals: Sequence[Signal], now: Instant, *, waited_for: bool) -> Commit:
        assert all(type(signal) in MAY_SIGNAL[self.peripheral.kind] for signal in signals), signals
        reports = tuple(
            Report(boot=self._boot, seq=seq, at_ms=now.wall_ms, signal=signal)  # type: ignore[arg-type] # as asserted
            for seq, signal in enumerate(signals, self._next_seq)
        )
        self._next_seq += len(reports)
        self._memory, self._forgotten = self.peripheral.memory, self._heard
        return Commit(reports, self._memory, self._next_seq, self._heard, waited_for)

    def stored(self, commit: Commit) -> None:
        """The commit is durable. Commits are stored in their order."""
        self._commits -= commit.waited_for
        self._unstored -= len(commit.reports)
        self._unheard += commit.reports

    def wants(self, now: Instant) -> bytes:
        """The bytes to write now."""
        return self.peripheral.wants(now, stored=self.is_stored and self.unheard < REPORTS_MAX + RESERVE)

    def rest(self, now: Instant) -> None:
        """Nothing new may begin until the server says something."""
        self._said_ms = None
        self.peripheral.wish(None, now)

    def stop(self, now: Instant) -> None:
        """Nothing new may begin any more."""
        self._stopping = True
        self.rest(now)

    # --- The server ---

    def connected(self) -> None:
        """A new connection: all that is unheard is sent again, and the wishes come again."""
        self._sent = 0
        self._wishes = None
        self._said_again = False

    def said(self, message: FromServer, now: Instant) -> None:
        was_away, self._said_ms = self.away, now.ms
        match message:
            case Heard(seq=seq):
                while self._unheard and self._unheard[0].seq <= min(seq, self._sent):
                    self._heard = self._unheard.popleft().seq
            case Wanted(wishes=wishes):
                self._wishes = wishes
            case Tell(what="program"):
                self.measures_program = True
            case Tell(what=what):
                self._asked.add(what)
        if self._wishes is not None and not self._stopping and (was_away or isinstance(message, Wanted)):
            self.peripheral.wish(self._wishes, now)

    def measured(self, program: ProgramReported) -> None:
        """The program as it is now; the next turn reports it."""
        self._program = program
        self._asked.add("program")

    def to_send(self) -> list[Report]:
        """The reports to send now, in order."""
        reports = [report for report in islice(self._unheard, WINDOW) if report.seq > self._sent]
        if reports:
            self._sent = reports[-1].seq
        return reports
