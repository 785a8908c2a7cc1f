"""What attackers share: a real floor, money on its seats, raw sockets, floods that end, and a look at the log.

A floor here is never the demonstration.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self
from urllib.parse import urlsplit

from stickman.floor.events import Role
from stickman.floor.journal import events_of
from stickman.floor.verify import verify
from stickman.store import open_store
from stickman.store.store import Record
from stickman.table.ledger import key_of
from stickman.table.messages import Event
from tests.server.process import CONFIG, SLOW, ServerProcess, dealer, prepare, seat
from tests.talk import Money
from tests.talk.server import Screen, fund, screen, sign_in

QUICK = CONFIG.replace(SLOW, "timers = { bets_s = 1, shooter_s = 1, flight_ms = 0, result_s = 1 }")
"""A floor whose rounds are short, so that a test sees several."""
SQLITE = ""
"""The database of a floor that has it in a file of its own."""


# --- A floor ---


class Target(NamedTuple):
    """A floor under attack: the real program, its database, and where it answers."""

    server: ServerProcess
    database: str

    @property
    def url(self) -> str:
        return self.server.url

    def __enter__(self) -> Self:
        self.server.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.__exit__()


def target(folder: Path, database: str = SQLITE, config: str = CONFIG) -> Target:
    """A floor in a folder, to be entered; its journal is a file there, unless another database is named."""
    file = prepare(folder, config, database)
    return Target(ServerProcess(file), database or f"sqlite:{folder / 'floor.db'}")


# --- Money and people ---


_sessions: dict[tuple[str, int, Role], str] = {}


async def staffed(url: str, table: int, role: Role = Role.PIT_BOSS) -> str:
    """A session at the dealer's terminal of a table, begun once: whoever else signs in there would end it."""
    known = (url, table, role)
    if known not in _sessions:
        _sessions[known] = await sign_in(url, dealer(table), role)
    return _sessions[known]


async def print_ticket(floor: Target, table: int, number: int, amount: Money) -> str:
    """Have a seat that has nothing print a ticket of so much; its number."""
    await fund(floor.url, table, number, amount)
    async with screen(floor.url, seat(table, number)) as player:
        return await player.cashes_out()


# --- The journal ---


async def records(database: str, stream: int) -> list[tuple[Record, tuple[Event, ...]]]:
    """A stream, read beside the server."""
    store = await open_store(database)
    try:
        return [(record, events_of(record)) async for record in store.records(stream)]
    finally:
        await store.close()


async def head(database: str, stream: int) -> int:
    """The number of a stream's last record."""
    store = await open_store(database)
    try:
        return (await store.head(stream)).seq
    finally:
        await store.close()


async def tickets(database: str, claim: str = "issued") -> list[str]:
    """The numbers of the tickets that were issued or redeemed."""
    store = await open_store(database)
    try:
        claims = [key_of(each.claim) async for each in store.claims("ticket:")]
    finally:
        await store.close()
    return [each.owner for each in claims if each.part == claim]


async def faults(database: str) -> list[str]:
    """What is wrong with a journal."""
    store = await open_store(database)
    try:
        return [str(fault) for fault in (await verify(store)).faults]
    finally:
        await store.close()


# --- Sockets ---


async def raw(url: str, *parts: bytes, pause_s: float = 0, patience_s: float = 10) -> bytes:
    """What a server answers to bytes until it hangs up, or until patience ends."""
    where = urlsplit(url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    heard = b""
    try:
        for part in parts:
            writer.write(part)
            await asyncio.sleep(pause_s)
        with suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(patience_s):
                while data := await reader.read(65_536):
                    heard += data
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    return heard


async def flood(line: Screen, said: Iterable[object], most: int) -> int:
    """Say things over a line without waiting for answers, so many at the most; how many were said."""
    count = 0
    for count, message in enumerate(said, start=1):
        await line.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))
        if count >= most:
            break
    return count


# --- The log ---

LOUD = re.compile(r'"level": "(error|critical)"|Traceback')
TURNED_AWAY = "ASGI callable returned without completing handshake."
"""What Uvicorn says of each connection that it turned away as it was told to."""


def loud(log: str) -> list[str]:
    """The lines of a log that say that something went wrong."""
    return [line for line in log.splitlines() if LOUD.search(line) and TURNED_AWAY not in line]
