"""Limits of the server: their configuration, rate limits by token buckets, and the connections."""

from __future__ import annotations

import asyncio
import resource
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Annotated, Generic, TypeVar

import structlog
from msgspec import Meta, Struct

from stickman.rules.datafile import BadFile

log = structlog.get_logger()
K = TypeVar("K")

CONNECTIONS_MIN = 16
"""A floor with room for fewer connections does not open."""
DESCRIPTORS_A_TABLE = 2
"""File descriptors that the store may open for each table, besides those for all."""
GRACE_S = 1
"""How long after its deadline a connection stays open, so that the 408 reaches it."""
LOG_EVERY_S = 60


def _number(low: int, high: int, means: str) -> object:
    return Meta(ge=low, le=high, description=means)


class ServerLimits(Struct, frozen=True, kw_only=True):
    """The limits; docs/operating.md lists each with its meaning."""

    lines_of_a_seat: Annotated[int, _number(1, 1_000, "WebSockets of one seat; a new one replaces the oldest")] = 2
    seat_messages_a_second: Annotated[int, _number(1, 100_000, "messages of one seat, all its lines together")] = 12
    seat_messages_burst: Annotated[int, _number(1, 100_000, "messages of one seat at once")] = 60
    messages_a_second: Annotated[int, _number(1, 100_000, "messages of any other terminal, all its lines")] = 40
    messages_burst: Annotated[int, _number(1, 100_000, "messages of any other terminal at once")] = 80
    joins_a_second: Annotated[int, _number(1, 100_000, "lines that a terminal may open")] = 5
    joins_burst: Annotated[int, _number(1, 100_000, "lines that a terminal may open at once")] = 60
    control_frames_a_second: Annotated[int, _number(1, 100_000, "pings, pongs and fragments of one line")] = 5
    control_frames_burst: Annotated[int, _number(1, 100_000, "pings, pongs and fragments of one line at once")] = 60
    bytes_a_second: Annotated[int, _number(1_000, 10**9, "bytes of one line")] = 200_000
    bytes_burst: Annotated[int, _number(65_536, 10**9, "bytes of one line at once")] = 1_000_000
    look_ups_a_second: Annotated[int, _number(1, 100_000, "recalls and rules read by one terminal")] = 1
    look_ups_burst: Annotated[int, _number(1, 100_000, "recalls and rules read by one terminal at once")] = 10
    attempts_a_second: Annotated[int, _number(1, 1_000, "codes from one address; passwords at one terminal")] = 1
    attempts_burst: Annotated[
        int, _number(1, 100_000, "codes from one address, or passwords at one terminal, at once")
    ] = 30
    visits_a_second: Annotated[int, _number(1, 100_000, "looks at the front door from one address")] = 5
    visits_burst: Annotated[int, _number(1, 100_000, "looks at the front door from one address at once")] = 60
    strangers_of_an_address: Annotated[
        int, _number(1, 100_000, "connections of one address without a valid token")
    ] = 128
    connections_of_a_terminal: Annotated[int, _number(4, 100_000, "connections of one terminal")] = 64
    connections: Annotated[int, _number(CONNECTIONS_MIN, 1_000_000, "connections of all kinds together")] = 4_096
    descriptors_kept: Annotated[
        int, _number(32, 100_000, "file descriptors kept for the store; two more for each table")
    ] = 64
    request_s: Annotated[int, _number(1, 600, "seconds for a whole request, from its first byte to its last")] = 10
    keep_alive_s: Annotated[int, _number(1, 600, "seconds of an idle HTTP connection between requests")] = 5
    send_s: Annotated[int, _number(1, 600, "seconds that a client may take to read what it is sent")] = 10
    ping_s: Annotated[int, _number(1, 600, "seconds between two pings of a line, and for each answer")] = 20
    device_silent_s: Annotated[int, _number(1, 600, "seconds without a message after which a device is away")] = 3
    practices: Annotated[int, _number(1, 1_000, "practice tables at once; each seat has one at most")] = 16
    practice_idle_s: Annotated[int, _number(1, 3_600, "seconds without a request that end a practice")] = 300
    outbox: Annotated[int, _number(4, 100_000, "messages that wait for one line")] = 64


def room(limits: ServerLimits, tables: int) -> int:
    """The most connections, so that the store always gets a file descriptor."""
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    kept = limits.descriptors_kept + DESCRIPTORS_A_TABLE * tables
    if allowed == resource.RLIM_INFINITY:
        return limits.connections
    if allowed - kept < CONNECTIONS_MIN:
        found = f"{allowed} file descriptors (ulimit -n), of which {kept} are kept for the store"
        need = f"at least {kept + CONNECTIONS_MIN} descriptors"
        raise BadFile("the floor", "limits.descriptors_kept", found, need)
    return min(limits.connections, allowed - kept)


# --- Rates ---


class Bucket:
    """A rate limit: `rate` per second, and up to `burst` at once."""

    def __init__(self, rate: int, burst: int, now: Callable[[], float] = monotonic) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._left: float = burst
        self._at = now()
        self._turns = asyncio.Lock()

    def take(self, amount: int = 1) -> float:
        """Take an amount and return 0. If there is not enough, take nothing and return the seconds until there
        is."""
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < amount:
            return max((amount - self._left) / self._rate, 0.001)
        self._left -= amount
        return 0

    async def turn(self) -> None:
        """Wait for one. Waiters are served in their order, so none of them starves."""
        async with self._turns:
            while wait := self.take():  # noqa: ASYNC110 - only time fills it, and the lock keeps others out
                await asyncio.sleep(wait)


class Buckets(Generic[K]):
    """A bucket for each asker, by name. If there are too many, the least recently used one is dropped."""

    def __init__(self, rate: int, burst: int, most: int = 4_096) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._buckets: OrderedDict[K, Bucket] = OrderedDict()

    def of(self, name: K) -> Bucket:
        bucket = self._buckets.pop(name, None) or Bucket(self._rate, self._burst)
        self._buckets[name] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket

    def __len__(self) -> int:
        return len(self._buckets)


class Rates:
    """The rate limits of terminals and addresses."""

    def __init__(self, limits: ServerLimits) -> None:
        self.seats: Buckets[str] = Buckets(limits.seat_messages_a_second, limits.seat_messages_burst)
        """Messages, by terminal."""
        self.screens: Buckets[str] = Buckets(limits.messages_a_second, limits.messages_burst)
        self.look_ups: Buckets[str] = Buckets(limits.look_ups_a_second, limits.look_ups_burst)
        self.joins: Buckets[str] = Buckets(limits.joins_a_second, limits.joins_burst)
        self.codes: Buckets[str] = Buckets(limits.attempts_a_second, limits.attempts_burst)
        """By address, because a code comes from a browser that is not a terminal yet."""
        self.visits: Buckets[str] = Buckets(limits.visits_a_second, limits.visits_burst)
        """By address."""
        self.passwords: Buckets[str] = Buckets(limits.attempts_a_second, limits.attempts_burst)
        """By terminal, so that attempts elsewhere do not keep staff out."""

    def messages(self, kind: str) -> Buckets[str]:
        """The buckets for messages of screens and devices of this kind."""
        return self.seats if kind == "seat" else self.screens


# --- Wrong codes ---

BURST_OVER_S = 600
"""A wrong code this long after the last one begins a new burst."""


class WrongCodes:
    """Counts wrong codes and picks those for the journal: the first of a burst, then every 100th, from thousands on
    every 1,000th and so on. So a visitor without a token cannot make the journal grow."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now, self._count, self._at = now, 0, now()

    def another(self) -> int:
        """Count one more; returns the count if the journal should record it, otherwise 0."""
        now = self._now()
        self._count = self._count + 1 if now - self._at < BURST_OVER_S else 1
        self._at = now
        every = max(100, 10 ** (len(str(self._count)) - 1))
        return self._count if self._count == 1 or self._count % every == 0 else 0


# --- Connections ---


class Held:
    """A connection, from its accept to its end."""

    def __init__(self, among: Connections, address: str, due: float) -> None:
        self.among, self.address, self.terminal = among, address, ""
        self.due: float | None = due
        """The deadline of its request; None between requests."""
        self.deaf_since: float | None = None
        """Since when it does not read what it is sent."""
        self.closing_since: float | None = None
        self.abort: Callable[[], None] = lambda: None  # until it has a transport
        self.is_closing: Callable[[], bool] = lambda: False
        self.let_go = False

    def begin(self, now: float) -> None:
        """A request begins; its token is not known yet."""
        self.due = now + self.among.limits.request_s
        self.among.forget(self)

    def recognise(self, terminal: str) -> bool:
        """Count it for the terminal whose token it has shown; False if that terminal has too many."""
        return self.among.recognise(self, terminal)

    def gone(self) -> None:
        self.among.gone(self)

    def late(self, now: float, send_s: float) -> bool:
        """Whether it takes too long: to send its request, to read what it is sent, or to close."""
        if self.closing_since is None and self.is_closing():
            self.closing_since = now
        waits = [since for since in (self.deaf_since, self.closing_since) if since is not None]
        too_slow = self.due is not None and now > self.due + GRACE_S
        return too_slow or any(now - since > send_s for since in waits)


class Connections:
    """All connections: how many, from which address, with which terminal's token.

    A connection that has not shown a valid token is a stranger. If there are too many, the oldest is dropped, not
    the newest turned away: a screen shows its token at once, so an old stranger is idle.
    """

    def __init__(self, limits: ServerLimits, room: int) -> None:
        self.limits, self._room = limits, room
        self._of_an_address = min(limits.strangers_of_an_address, max(1, room // 4))
        self._all: set[Held] = set()
        self._strangers: OrderedDict[Held, None] = OrderedDict()
        self._by_address: dict[str, OrderedDict[Held, None]] = {}
        self._by_terminal: dict[str, set[Held]] = {}
        self._turned_away, self._logged_at = 0, -float(LOG_EVERY_S)

    def __len__(self) -> int:
        return len(self._all)

    def admit(self, address: str, due: float) -> Held | None:
        """Admit a connection as a stranger; None if there is no room."""
        near = self._by_address.get(address, OrderedDict())
        if len(near) >= self._of_an_address:
            self._hang_up(next(iter(near)), address)
        if len(self._all) >= self._room:
            if not self._strangers:
                self._note(address)
                return None
            self._hang_up(next(iter(self._strangers)), address)
        held = Held(self, address, due)
        self._all.add(held)
        self.forget(held)
        return held

    def recognise(self, held: Held, terminal: str) -> bool:
        if held.terminal == terminal:
            return True
        mine = self._by_terminal.get(terminal, set())
        if len(mine) >= self.limits.connections_of_a_terminal:
            self._note(held.address)
            return False
        self._leave_group(held)
        held.terminal = terminal
        self._by_terminal.setdefault(terminal, set()).add(held)
        return True

    def forget(self, held: Held) -> None:
        """Make it a stranger: it is new, or begins a request and has not shown a token."""
        if held in self._strangers or held not in self._all:
            return
        self._leave_group(held)
        self._strangers[held] = None
        self._by_address.setdefault(held.address, OrderedDict())[held] = None

    def gone(self, held: Held) -> None:
        self._all.discard(held)
        self._leave_group(held)

    def sweep(self, now: float) -> None:
        """Drop all that are late."""
        for held in [held for held in self._all if held.late(now, self.limits.send_s)]:
            self._drop(held)

    def _leave_group(self, held: Held) -> None:
        self._strangers.pop(held, None)
        if near := self._by_address.get(held.address):
            near.pop(held, None)
            if not near:
                del self._by_address[held.address]
        if mine := self._by_terminal.get(held.terminal):
            mine.discard(held)
            if not mine:
                del self._by_terminal[held.terminal]
        held.terminal = ""

    def _hang_up(self, held: Held, address: str) -> None:
        self._drop(held)
        self._note(address)

    def _drop(self, held: Held) -> None:
        self.gone(held)
        held.let_go = True
        held.abort()

    def _note(self, address: str) -> None:
        """Log that there are too many, at most once a minute."""
        self._turned_away += 1
        now = monotonic()
        if now - self._logged_at >= LOG_EVERY_S:
            counts = {"how_many": self._turned_away, "open": len(self)}
            log.warning("too many connections: some are dropped", last_from=address, **counts)
            self._turned_away, self._logged_at = 0, now
