"""A floor for tests, prepared in a folder: its staff have passwords and its terminals tokens from the start.

`ServerProcess` serves it by the real program in a process of its own, which a test may stop or kill; `serving` does
in this process, where a test can look inside. Two things are quicker than in life: the process is a fork of one
that has imported the program already, and passwords are hashed at little cost (`tests/floor/test_staff.py` pays the
real one).
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import resource
import signal
import socket
import sys
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, Self
from unittest import mock

from argon2 import PasswordHasher

from stickman.cli.serve_commands import serve
from stickman.floor import staff
from stickman.floor.events import (
    AccountAdded,
    DrawerOpened,
    FloorEvent,
    PasswordChanged,
    Place,
    Role,
    TerminalEnrolled,
)
from stickman.floor.office import Office
from stickman.floor.seals import open_journal
from stickman.floor.terminals import digest
from stickman.server import serving as real
from stickman.server.config import Plan, plan, read_config
from stickman.server.floor import LiveFloor, open_floor
from stickman.store import keyfile
from stickman.store.sealed import JournalKey

JOURNAL_KEY = JournalKey.of(bytes(range(32)))
PASSWORD = "four coloured chips on the rail"
BADGES = {role: f"badge-{number}" for number, role in enumerate(Role, start=1)}
SLOW = "timers = { bets_s = 300, shooter_s = 300, flight_ms = 0, result_s = 300 }"
"""Nothing happens by itself while a test runs."""
CONFIG = f"""
database = "sqlite:floor.db"
ticket_key = "ticket.key"
journal_key = "journal.key"
port = 0

[tables.1]
game = "craps"
settings = {{ seats = 3, mode = "automated", {SLOW} }}

[tables.2]
game = "craps"
settings = {{ seats = 3, mode = "dealer_assisted", {SLOW} }}

[tables.3]
game = "craps"
settings = {{ seats = 10, mode = "automated", {SLOW} }}
"""
SEATS = {1: 3, 2: 3, 3: 10}
QUICK_HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([__name__])


def places() -> list[Place]:
    seats = [Place("seat", table, seat) for table, count in SEATS.items() for seat in range(1, count + 1)]
    others = [Place(screen, table) for table in SEATS for screen in ("dealer", "table", "info")]
    return [*seats, *others, Place("office")]


def token(place: Place) -> str:
    return f"token of {place}".replace(" ", "-")


def seat(table: int, number: int) -> str:
    return token(Place("seat", table, number))


def dealer(table: int) -> str:
    return token(Place("dealer", table))


OFFICE = token(Place("office"))
CASHIER, CAGE = "cashier", "token-of-the-cage"
"""A supervisor with a cash drawer open, and the office's terminal where they give seats credit for cash."""


@cache
def password_hash() -> str:
    return QUICK_HASHER.hash(PASSWORD, salt=bytes(staff.SALT_BYTES))


def prepare(folder: Path, config: str = CONFIG, database: str = "") -> Path:
    """Make a floor whose staff (a badge for each role) and terminals are known; the path of its configuration. Its
    journal is a file there, unless another database is named."""
    folder.mkdir(exist_ok=True)
    keyfile.write_key(folder / "ticket.key", bytes(keyfile.KEY_BYTES))
    keyfile.write_key(folder / "journal.key", JOURNAL_KEY.secret)
    file = folder / "floor.toml"
    file.write_text(config.replace("sqlite:floor.db", database) if database else config)
    events: list[FloorEvent] = []
    for role, badge in [*BADGES.items(), (Role.SUPERVISOR, CASHIER)]:
        events.append(AccountAdded(badge=badge, label=badge, role=role, password_hash=""))
        events.append(PasswordChanged(badge=badge, password_hash=password_hash()))
    events.append(DrawerOpened(badge=CASHIER, float_cents=0))
    tokens = [(place, token(place)) for place in places()]
    for number, (place, secret) in enumerate([*tokens, (Place("office"), CAGE)], start=1):
        enrolled = TerminalEnrolled(
            terminal=f"terminal-{number}", place=place, code_hash=digest(str(number)), token_hash=digest(secret)
        )
        events.append(enrolled)

    async def write() -> None:
        store = await open_journal(database or f"sqlite:{folder / 'floor.db'}", JOURNAL_KEY)
        office = await Office.open(store)
        await office.act(lambda _: tuple(events), at_ms=1, actor="test")
        await store.close()

    asyncio.run(write())
    return file


class ServerProcess:
    """The real program, serving a floor."""

    def __init__(self, config: Path) -> None:
        self._config = config
        self._process: ForkServerProcess | None = None
        self._says: Connection | None = None
        self.options = ["--config", str(config)]
        self.descriptors = 0
        """How many files and sockets it may have open; 0: as many as this process."""
        self.told: dict[str, Any] = {}
        """What it said when it was open."""

    def __enter__(self) -> Self:
        if not self._process:
            self.begin()
        self.wait()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            self.kill()

    @property
    def url(self) -> str:
        return str(self.told["url"])

    def start(self) -> None:
        """Start it, and wait until all tables are open."""
        self.begin()
        self.wait()

    def begin(self) -> None:
        self._says, says = FORKS.Pipe(duplex=False)
        log = self._config.parent / "log"
        self._process = FORKS.Process(target=_served, args=(self.options, self.descriptors, says, log), daemon=True)
        self._process.start()
        says.close()

    def wait(self) -> None:
        """Wait until all tables are open."""
        assert self._says
        with open(self._says.fileno(), closefd=False) as said:
            line = said.readline()
        assert line, self.log()
        self.told = json.loads(line)

    def kill(self) -> None:
        """As a power cut would, for all that it knows."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to stop; its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        assert self._process
        assert self._says
        if self._process.is_alive():
            os.kill(self.pid, how)
        self._process.join(timeout=20)
        code = self._process.exitcode
        assert code is not None, "it does not end"
        self._says.close()
        self._process = None
        return code

    @property
    def pid(self) -> int:
        assert self._process
        assert self._process.pid
        return self._process.pid

    def log(self) -> str:
        return (self._config.parent / "log").read_text()


def _served(options: list[str], descriptors: int, says: Connection, log: Path) -> None:
    """Serve in a process that has just been forked, as one that has just been started."""
    if descriptors:
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    warnings.simplefilter("error")
    os.dup2(says.fileno(), sys.stdout.fileno())
    says.close()
    with log.open("a") as kept:
        os.dup2(kept.fileno(), sys.stderr.fileno())
    staff.HASHER = QUICK_HASHER
    sys.argv = ["stickman", *options, "--json"]
    serve()


def planned_in(config: Path) -> Plan:
    """The plan of a configuration; a demonstration is served as one."""
    read = read_config(config.read_text(), str(config))
    return plan(read, config.parent, str(config))._replace(demo=read.demo)


@asynccontextmanager
async def serving(config: Path, send_buffer: int = 0) -> AsyncIterator[tuple[LiveFloor, str]]:
    """A floor and its URL, served in this process; with a small buffer, a screen that stalls is soon noticed."""
    planned = planned_in(config)
    listening = real.listen("127.0.0.1", 0)
    if send_buffer:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
    with mock.patch.object(staff, "HASHER", QUICK_HASHER):
        async with open_floor(planned) as floor:
            server = real.server(floor)
            running = asyncio.create_task(server.serve([listening]))
            try:
                await floor.served()
                yield floor, f"http://127.0.0.1:{listening.getsockname()[1]}"
            finally:
                server.should_exit = True
                await running
