"""The devices process: for each device a keeper, a port and a link, and one thread that writes the memory.

No device waits for another, for the server or for the disk. A poll is due when it is due; only bytes that depend on
a report wait until that is stored. A device that fails in our own code starts again from its memory.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import NamedTuple, ParamSpec, TypeVar

import structlog

from stickman.devices.config import DeviceEntry, DevicesConfig, device_entries, kind_of, make_peripheral, port_setup
from stickman.devices.keeper import Commit, Keeper
from stickman.devices.link import DeviceLink, NotEnrolled, ServerAddress, enrol_device
from stickman.devices.memory import DeviceMemory, Remembered, StillUnheard
from stickman.devices.peripheral import Instant
from stickman.devices.ports import PeripheralPort
from stickman.devices.signals import ProgramReported

P = ParamSpec("P")
R = TypeVar("R")
log = structlog.get_logger()

AGAIN_S = 1.0
"""Before a device that failed starts again, and before a commit that failed is tried again."""
ENROL_S, ENROL_S_MAX = 1.0, 60.0
STOP_S = 5.0
"""How long a note or a slip may take to the end of its way when the process stops."""


def clock() -> Instant:
    return Instant(time.monotonic_ns() // 1_000_000, time.time_ns() // 1_000_000)


class Scribe:
    """Writes commits in their order in a thread; those that wait go together. One that fails is tried again, and
    the bytes that depend on it wait. They are few: a device with many unheard reports reports little more."""

    def __init__(self, memory: DeviceMemory) -> None:
        self._memory = memory
        self._thread = ThreadPoolExecutor(1, "memory")
        self._waiting: list[tuple[str, Commit, Callable[[], None]]] = []
        self._more = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()

    def put(self, name: str, commit: Commit, stored: Callable[[], None]) -> None:
        """Store a turn; `stored` is called when it is durable."""
        self._waiting.append((name, commit, stored))
        self._idle.clear()
        self._more.set()

    async def call(self, ask: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a function of the memory when all that was put is stored."""
        await self._idle.wait()
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(ask, *args, **kwargs))

    async def write(self) -> None:
        """Write until this is cancelled."""
        while True:
            await self._more.wait()
            self._more.clear()
            batch, self._waiting = self._waiting, []
            await self._commit([(name, commit) for name, commit, _ in batch])
            for _, _, stored in batch:
                stored()
            if not self._waiting:
                self._idle.set()

    async def _commit(self, commits: list[tuple[str, Commit]]) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                return await loop.run_in_executor(self._thread, self._memory.commit, commits)
            except Exception as problem:  # noqa: BLE001 - a full disk must not end the polls
                log.warning("memory_not_written", why=str(problem))
            await asyncio.sleep(AGAIN_S)

    def close(self) -> None:
        self._thread.submit(self._memory.close)
        self._thread.shutdown()


class ProgramMeter:
    """Measures the program in a thread, once for all that ask at the same time. Who asks during a measurement gets
    the next one, which begins after the question."""

    def __init__(self, measure: Callable[[], ProgramReported]) -> None:
        self._measure = measure
        self._turns = asyncio.Lock()
        self._begun = 0
        self._found: ProgramReported | None = None

    async def measure(self) -> ProgramReported:
        begun = self._begun
        async with self._turns:
            if self._begun == begun or self._found is None:
                self._begun += 1
                self._found = None  # until it is known: reading files may fail
                self._found = await asyncio.to_thread(self._measure)
            return self._found


class ProcessParts(NamedTuple):
    """What all devices of a process use."""

    address: ServerAddress
    scribe: Scribe
    meter: ProgramMeter


class Station:
    """One device at work."""

    def __init__(
        self, name: str, entry: DeviceEntry, parts: ProcessParts, remembered: Remembered, program: ProgramReported
    ) -> None:
        self._name, self._scribe, self._meter = name, parts.scribe, parts.meter
        self._wake = asyncio.Event()
        self._asks = asyncio.Event()
        """Set when the server has said something."""
        self._rested = asyncio.Event()
        """Set at the end of a turn after which nothing is on its way."""
        self.keeper = Keeper(
            make_peripheral(entry, remembered),
            program,
            boot=remembered.boot,
            next_seq=remembered.next_seq,
            unheard=remembered.unheard,
        )
        self._port = PeripheralPort(
            name, port_setup(entry), opened=self._opened, closed=self._closed, woken=self._wake.set
        )
        self._link = DeviceLink(name, self.keeper, parts.address, remembered.token, clock=clock, woken=self._said)

    async def run(self) -> None:
        """Drive the device until this is cancelled."""
        async with asyncio.TaskGroup() as group:
            for part in (self._drive(), self._port.stay(), self._link.stay(), self._measure()):
                group.create_task(part)

    async def stop(self) -> None:
        """Wait for the end of what is on its way; nothing new begins."""
        self.keeper.stop(clock())
        self._rested.clear()
        self._wake.set()
        await self._rested.wait()

    async def _drive(self) -> None:
        while True:
            self._wake.clear()
            self._turn()
            if self.keeper.is_stored and self.keeper.peripheral.resting:
                self._rested.set()
            wait_ms = max(1, self.keeper.due_ms - clock().ms)
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_ms / 1_000):
                    await self._wake.wait()

    async def _measure(self) -> None:
        """Measure the program each time the server asks for it, while polls go on."""
        while True:
            await self._asks.wait()
            self._asks.clear()
            if not self.keeper.measures_program:
                continue
            self.keeper.measures_program = False
            try:
                self.keeper.measured(await self._meter.measure())
            except OSError as problem:  # such as a file that is being replaced
                log.warning("program_not_measured", device=self._name, why=str(problem))
                await asyncio.sleep(AGAIN_S)
                self.keeper.measures_program = True
                self._asks.set()
            self._wake.set()

    def _turn(self) -> None:
        now = clock()
        commit = self.keeper.turn(self._port.take(), now)
        if commit:
            self._scribe.put(self._name, commit, partial(self._stored, commit))
        if data := self.keeper.wants(now):
            self._port.write(data)

    def _stored(self, commit: Commit) -> None:
        self.keeper.stored(commit)
        for report in commit.reports:
            # Neither numbers of tickets nor amounts: logs have more readers than the journal.
            log.info("report", device=self._name, seq=report.seq, signal=report.signal.__struct_config__.tag)
        self._link.more()
        self._wake.set()

    def _said(self) -> None:
        self._asks.set()
        self._wake.set()

    def _opened(self) -> None:
        self.keeper.peripheral.port_opened(clock())
        self._wake.set()

    def _closed(self) -> None:
        self._turn()  # what came before the end counts
        self.keeper.peripheral.port_closed(clock())
        self._wake.set()


class DevicesProcess:
    """All devices of a configuration."""

    def __init__(self, config: DevicesConfig, memory: DeviceMemory, measure: Callable[[], ProgramReported]) -> None:
        """`measure` reads the files of the program as they are now."""
        self._entries = device_entries(config)
        self._address = ServerAddress(config.server, config.certificate)
        self._memory = memory
        self._scribe = Scribe(memory)
        self._parts = ProcessParts(self._address, self._scribe, ProgramMeter(measure))
        self._stations: dict[str, Station] = {}

    async def run(self, stop: asyncio.Event) -> None:
        """Drive all devices until `stop` is set; then end in order and close the memory."""
        writing = asyncio.create_task(self._scribe.write())
        tasks = [asyncio.create_task(self._attend(name, entry)) for name, entry in self._entries.items()]
        try:
            log.info("devices_started", devices=list(self._entries))
            await stop.wait()
            with suppress(TimeoutError):
                async with asyncio.timeout(STOP_S):
                    await asyncio.gather(*(station.stop() for station in self._stations.values()))
        finally:
            await _cancel(*tasks)
            with suppress(TimeoutError):
                async with asyncio.timeout(STOP_S):
                    await self._scribe.call(lambda: None)
            await _cancel(writing)
            self._scribe.close()
            log.info("devices_stopped")

    async def _attend(self, name: str, entry: DeviceEntry) -> None:
        """Drive one device for as long as the process runs."""
        while True:
            try:
                await self._enrol(name, entry)
                remembered = await self._scribe.call(self._memory.begin, name)
                program = await self._parts.meter.measure()
                station = Station(name, entry, self._parts, remembered, program)
                self._stations[name] = station
                await station.run()
            except Exception:  # our own mistake must not stop the other devices
                log.exception("device_failed", device=name)
            await asyncio.sleep(AGAIN_S)

    async def _enrol(self, name: str, entry: DeviceEntry) -> None:
        """Give the device its token, if it has none or the configuration has another code."""
        pause_s = ENROL_S
        while await self._scribe.call(self._memory.needs_enrolment, name, entry.code):
            if not entry.code:
                log.error("device_not_enrolled", device=name, do=f"stickman devices enrol {name} CODE")
                pause_s = ENROL_S_MAX
            else:
                try:
                    await self._exchange(name, entry.code)
                except OSError as problem:
                    log.warning("device_not_enrolled", device=name, why=str(problem))
                except StillUnheard as problem:  # so it had a token
                    do = f"settle them, then stickman devices enrol {name} CODE --discard"
                    log.warning("device_not_enrolled", device=name, unheard=problem.tags, do=do)
                    return
                except NotEnrolled as problem:
                    log.warning("device_not_enrolled", device=name, why=str(problem))
                    if await self._scribe.call(self._memory.has_token, name):
                        await self._scribe.call(self._memory.spend, name, entry.code)
                        return
                    pause_s = ENROL_S_MAX
                else:
                    return
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, ENROL_S_MAX)

    async def _exchange(self, name: str, code: str) -> None:
        await self._scribe.call(self._memory.check_heard, name)
        enrolled = await asyncio.to_thread(enrol_device, self._address, code, kind_of(name))
        place = bytes(enrolled.place).decode()
        await self._scribe.call(self._memory.store_enrolment, name, code, enrolled.token, place)
        log.info("device_enrolled", device=name, place=place)


async def _cancel(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
