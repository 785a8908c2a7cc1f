"""The devices of a demonstration: emulators in one process, driven by a devices process in another.

Both are the programs that anyone can run (`stickman device bench`, `stickman devices`). They enrol, and they speak
the same wires as hardware, so a demonstration has no way of its own to make money. They begin without a memory each
time, because the emulators do. One that ends before the server does is started again, where it was.
"""

from __future__ import annotations

import asyncio
import ctypes
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import structlog
from msgspec import Struct

from stickman.devices.emulated_bench import TABLE_DOORS, TERMINAL_DOORS
from stickman.devices.signals import DEVICE_KINDS, DeviceKind
from stickman.floor.events import Place
from stickman.rules.money import cents
from stickman.server.floor import LiveFloor
from stickman.table.state import Stay

log = structlog.get_logger()

FOLDER = "devices"
START_S, STOP_S, WELCOME_S = 30, 10, 120
LOOK_S, LOOK_AGAIN_S = 0.05, 0.2
WELCOME = ("100.00", "100.00", "100.00")
"""The bills that are inserted at each seat without a player, so that a visitor can play at once."""
WELCOME_CENTS = sum(map(cents, WELCOME))
AGAIN_S = (1.0, 2.0, 4.0, 8.0, 16.0)
"""How long a program that ended waits before it is started again, each time; after the last there is no other."""
PR_SET_PDEATHSIG = 1
GROUPS: dict[DeviceKind, str] = {"acceptor": "acceptors", "printer": "printers", "doors": "doors"}
"""By kind, its part of the configuration."""


class EmulatedAt(Struct, frozen=True):
    """Where the emulated devices of a place listen."""

    table: int
    seat: int
    acceptor: str = ""
    printer: str = ""
    doors: str = ""


class Emulators(Struct, frozen=True):
    """What `stickman device bench` writes of itself."""

    page: str
    places: tuple[EmulatedAt, ...]

    @property
    def origin(self) -> str:
        return self.page.rstrip("/")


class NotStarted(Exception):
    """The devices of the demonstration did not start."""


@asynccontextmanager
async def emulators(folder: Path, places: Iterable[Place], url: str) -> AsyncIterator[Emulators]:
    """Emulated devices at these places, with a page that the floor's pages at `url` may frame."""
    work = _fresh(folder)
    bench, addresses = work / "bench.toml", work / "addresses.json"
    at = sorted({(place.table, place.seat) for place in places})
    bench.write_text("".join(_place(table, seat) for table, seat in at), "utf-8")
    command = ("device", "bench", "--config", str(bench), "--addresses", str(addresses), "--framed-by", url)
    async with _program(command, work / "emulators.log") as program:
        found = await asyncio.to_thread(_read, program, addresses)
        bench.write_text("".join(_bench_again(found)), "utf-8")
        program.keep()
        yield found


@asynccontextmanager
async def driven(folder: Path, found: Emulators, url: str, codes: Mapping[Place, str]) -> AsyncIterator[None]:
    """The devices process: it enrols each device with its code, and drives it."""
    config = folder / FOLDER / "devices.toml"
    config.write_text("\n".join(_config(found, url, codes)) + "\n", "utf-8")
    async with _program(("devices", "--config", str(config)), config.with_name("devices.log")) as program:
        program.keep()
        yield


def _place(table: int, seat: int) -> str:
    return f"[[place]]\ntable = {table}\nseat = {seat}\n"


def _bench_again(found: Emulators) -> Iterator[str]:
    """The bench where it listens now, so that the devices process and the pages find one that starts again."""
    yield f'[page]\nlisten = "{urlsplit(found.page).netloc}"\n'
    for at in found.places:
        yield _place(at.table, at.seat)
        yield from (f'{kind} = "{address}"\n' for kind in DEVICE_KINDS if (address := getattr(at, kind)))


def _fresh(folder: Path) -> Path:
    """The folder of the devices, without what an earlier demonstration left."""
    work = folder / FOLDER
    work.mkdir(parents=True, exist_ok=True)
    for old in (work / "addresses.json", *work.glob("devices.db*"), *work.glob("*.log")):
        old.unlink(missing_ok=True)
    return work


def _read(program: _Program, addresses: Path) -> Emulators:
    """What the emulators write when they listen."""
    until = time.monotonic() + START_S
    while not addresses.exists():
        if program.process.poll() is not None or time.monotonic() > until:
            raise NotStarted(f"the emulators did not start; {program.logged} says why")
        time.sleep(LOOK_S)
    return msgspec.json.decode(addresses.read_bytes(), type=Emulators)


def _config(found: Emulators, url: str, codes: Mapping[Place, str]) -> Iterator[str]:
    yield f'server = "{url}"'
    for at in found.places:
        for kind in DEVICE_KINDS:
            address, place = getattr(at, kind), Place(kind, at.table, at.seat)
            if not address or place not in codes:
                continue
            yield f"\n[{GROUPS[kind]}.table-{at.table}-seat-{at.seat}]"
            yield f'port = "{address.replace("tcp://", "socket://")}"'
            yield f'code = "{codes[place]}"'
            if kind == "doors":
                doors = TERMINAL_DOORS if at.seat else TABLE_DOORS
                yield f"contacts = {{ {', '.join(f'{name} = {{}}' for name in (*doors, 'key'))} }}"


async def welcome(floor: LiveFloor, found: Emulators) -> None:
    """Insert the first bills, by hand as a visitor would."""
    await asyncio.gather(*(_insert(floor, found, at) for at in found.places if at.acceptor))


async def _insert(floor: LiveFloor, found: Emulators, at: EmulatedAt) -> None:
    pit = floor.pits.get(at.table)
    if pit is None or _has_player(pit.table.seat(at.seat).stay):
        return
    wanted = 0
    try:
        async with asyncio.timeout(WELCOME_S):
            for bill in WELCOME:
                wanted += cents(bill)
                while (seat := pit.table.seat(at.seat)).stay.ended or seat.stay.in_cents < wanted:
                    if seat.terminal.escrow is None:  # a bill that came back is inserted again
                        with suppress(OSError, HTTPException):  # a busy machine answers late
                            await asyncio.to_thread(_hand, found.origin, at, bill)
                    await asyncio.sleep(LOOK_AGAIN_S)
    except TimeoutError:
        log.warning("the demonstration's bills were not inserted", table=at.table, seat=at.seat)


def _has_player(stay: Stay) -> bool:
    return bool(stay.number) and not stay.ended


def _hand(origin: str, at: EmulatedAt, bill: str) -> None:
    """Put a bill into an acceptor. While it is busy, it takes none."""
    link = urlsplit(origin)
    deed = {"table": at.table, "seat": at.seat, "device": "acceptor", "deed": "bill", "value": bill}
    with closing(HTTPConnection(link.hostname or "", link.port, timeout=5)) as connection:
        headers = {"Content-Type": "application/json", "Origin": origin}
        connection.request("POST", "/do", msgspec.json.encode(deed), headers)
        connection.getresponse().read()


# --- Programs ---


@asynccontextmanager
async def _program(arguments: tuple[str, ...], logged: Path) -> AsyncIterator[_Program]:
    """Run a command of this program next to the server; it ends with the server, however that ends."""
    program = _Program(arguments, logged)
    try:
        yield program
    finally:
        await program.stop()


class _Program:
    """A command of this program that runs."""

    def __init__(self, arguments: tuple[str, ...], logged: Path) -> None:
        self.logged = logged
        self._arguments = arguments
        self.process = self._started()
        self._keeping: asyncio.Task[None] | None = None

    def keep(self) -> None:
        """From now on, start it again when it ends."""
        self._keeping = asyncio.create_task(self._keep())

    async def stop(self) -> None:
        if self._keeping:
            self._keeping.cancel()
            await asyncio.wait({self._keeping})
        self.process.terminate()
        try:
            await asyncio.to_thread(self.process.wait, STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()

    async def _keep(self) -> None:
        about = {"program": self._arguments[0], "log": str(self.logged)}
        for again_s in AGAIN_S:
            code = await self._ended()
            log.error("a program of the demonstration ended", **about, exit_code=code, starts_again_in_s=again_s)
            await asyncio.sleep(again_s)
            self.process = self._started()
        code = await self._ended()
        log.critical("the demonstration has no devices any more: restart it", **about, exit_code=code)

    async def _ended(self) -> int:
        """The exit code, once it has ended."""
        while (code := self.process.poll()) is None:  # noqa: ASYNC110 - a process has no event to wait for
            await asyncio.sleep(LOOK_AGAIN_S)
        return code

    def _started(self) -> subprocess.Popen[bytes]:
        with self.logged.open("ab") as log_file:
            return subprocess.Popen(  # noqa: S603 - this program itself
                [sys.executable, "-m", "stickman", *self._arguments],
                stdin=subprocess.DEVNULL,
                stdout=log_file,
                stderr=log_file,
                process_group=0,  # Ctrl-C ends the server, which ends it
                preexec_fn=_dies_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509 - it calls the kernel only
            )


def _dies_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
