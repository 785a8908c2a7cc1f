"""A real floor with its devices in three real processes: `stickman serve`, `stickman devices`, `stickman device
bench`. A test may kill or freeze the first two at any moment and start them again; the bench is the metal, so it
stays."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import msgspec

from stickman.devices.emulated_bench import TERMINAL_DOORS
from stickman.devices.signals import DEVICE_KINDS, DeviceKind
from stickman.floor.events import Place
from stickman.server.demo_devices import GROUPS, Emulators
from tests.server.process import CAGE, SLOW, ServerProcess, prepare
from tests.talk.server import cashier, http

TABLE = 3
"""Of `tests/server/process`; its ten seats have tokens. Here it has a dealer, so that there are tip tickets."""
START_S = 60
LOOK_S = 0.05
MANY = 100_000
BENCH = ("stickman", "device", "bench", "--config", "bench.toml", "--addresses", "addresses.json")
CONFIG = f"""
database = "sqlite:floor.db"
ticket_key = "ticket.key"
journal_key = "journal.key"
port = PORT

[limits]
attempts_a_second = 1_000
attempts_burst = {MANY}
joins_a_second = {MANY}
joins_burst = {MANY}

[tables.{TABLE}]
game = "craps"
settings = {{ seats = SEATS, mode = "dealer_assisted", {SLOW} }}
"""


class FloorWithDevices:
    """Everything is in one folder, which must be new: emulated metal does not outlive its process."""

    def __init__(self, folder: Path, seats: int, bench: Sequence[str] = BENCH) -> None:
        """`bench` is the command of the emulated devices; it writes where they listen."""
        self.folder, self.seats, self._bench_command = folder, seats, bench
        self._port = _free_port()
        config = CONFIG.replace("PORT", str(self._port)).replace("SEATS", str(seats))
        self.server = ServerProcess(prepare(folder, config))
        self._bench: subprocess.Popen[bytes] | None = None
        self._devices: subprocess.Popen[bytes] | None = None
        self.page = ""
        self._addresses: Emulators | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def database(self) -> str:
        return f"sqlite:{self.folder / 'floor.db'}"

    @property
    def memory(self) -> Path:
        """Of the devices process."""
        return self.folder / "devices.db"

    @contextmanager
    def running(self) -> Iterator[Self]:
        """The bench and the server run. The devices process does after `enrol` and `start_devices`."""
        addresses = self.folder / "addresses.json"
        places = "\n".join(f"[[place]]\ntable = {TABLE}\nseat = {seat}\n" for seat in range(1, self.seats + 1))
        (self.folder / "bench.toml").write_text(places)
        with ExitStack() as ends:
            ends.push(self.server)
            ends.callback(self._end_all)
            self._bench = self._program("bench", *self._bench_command)
            self.server.begin()
            until(addresses.exists)
            self._addresses = msgspec.json.decode(addresses.read_bytes(), type=Emulators)
            self.page = self._addresses.origin
            self.server.wait()
            yield self

    def _end_all(self) -> None:
        for process in (self._devices, self._bench):
            if process:
                process.kill()
                process.wait()

    async def enrol(self) -> None:
        """Offer each device its place, as a supervisor does, and write the configuration with the codes."""
        assert self._addresses
        session = await cashier(self.url)
        lines = [f'server = "{self.url}"', f'memory = "{self.memory.name}"']
        for at in self._addresses.places:
            for kind in DEVICE_KINDS:
                place = Place(kind, at.table, at.seat)
                body = {"screen": place.screen, "table": place.table, "seat": place.seat}
                offered = await http(self.url, "POST", "/api/terminals", body, token=CAGE, session=session)
                assert offered.status == 200, offered
                lines += self._entry(kind, at.seat, getattr(at, kind), offered.json["code"])
        (self.folder / "devices.toml").write_text("\n".join(lines) + "\n")

    @staticmethod
    def _entry(kind: DeviceKind, seat: int, address: str, code: str) -> list[str]:
        contacts = ", ".join(f"{name} = {{}}" for name in (*TERMINAL_DOORS, "key"))
        return [
            f"[{GROUPS[kind]}.seat-{seat}]",
            f'port = "{address.replace("tcp://", "socket://")}"',
            f'code = "{code}"',
            *([f"contacts = {{ {contacts} }}"] if kind == "doors" else []),
        ]

    # --- The devices process ---

    def start_devices(self) -> None:
        self._devices = self._program("devices", "stickman", "devices", "--config", "devices.toml")

    @property
    def devices_pid(self) -> int:
        assert self._devices
        return self._devices.pid

    def kill_devices(self) -> None:
        assert self._devices
        self._devices.kill()
        self._devices.wait()

    def stop_devices(self) -> int:
        """Ask it to stop; its exit code."""
        assert self._devices
        self._devices.terminate()
        return self._devices.wait(30)

    @contextmanager
    def frozen(self, pid: int) -> Iterator[None]:
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    def _program(self, name: str, *command: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )

    # --- Hands ---

    def do(self, seat: int, device: DeviceKind, deed: str, value: str = "") -> dict[str, Any]:
        body = {"table": TABLE, "seat": seat, "device": device, "deed": deed, "value": value}
        return self._asked("POST", "/do", json.dumps(body))

    def state(self, seat: int) -> dict[str, Any]:
        """How the devices of a seat are."""
        return self._asked("GET", f"/state?table={TABLE}&seat={seat}")

    def _asked(self, method: str, path: str, body: str | None = None) -> dict[str, Any]:
        link = urlsplit(self.page)
        with closing(HTTPConnection(link.hostname or "", link.port, timeout=30)) as connection:
            connection.request(method, path, body, {"Content-Type": "application/json", "Origin": self.page})
            answer = connection.getresponse()
            found: dict[str, Any] = json.loads(answer.read())
        if answer.status != 200:
            raise HTTPException(found)
        return found


def until(is_so: Callable[[], object], limit_s: float = START_S) -> None:
    """Wait for what has no event."""
    end = time.monotonic() + limit_s
    while not is_so():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(LOOK_S)


def _free_port() -> int:
    """A port of its own, because a server that starts again must be found where it was."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])
