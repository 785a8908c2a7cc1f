"""How steadily acceptors are polled while the server is under load or away, what they do without it, and how soon a
bill is credit on the screen.

`.venv/bin/python -m bench.devices [--quick]` starts a real server, a real devices process, and a third process with
ten emulated acceptors, which note when packets arrive. All clocks are the machine's own steady one. It prints, with
the load of the machine next to each, and for polls how long the devices process waited for a core, and when the
machine itself stood still (a process on each core only sleeps for 5 ms, and notes when it wakes up late):

- *polls*: the time between two polls of an acceptor, over at least 20,000 polls each while a fourth process sends
  ten commands a second at each of seven seats, and while the server is killed (wanted: 50 to 200 ms up to p99.9);
- *inhibited*: from the moment when the server freezes until an acceptor gets the command to take nothing (wanted:
  2 s and a poll at most);
- *escrow*: from a bill in escrow that nobody decides until the command to return it (wanted: 5 s and a poll);
- *credit*: from *vend valid* on the wire until the credit is in the view of the seat's screen, while nobody
  bets and while seven seats send two commands a second each (wanted: p99 100 ms).

It ends with 1 and says what was out of bounds, if something was.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from stickman.devices.acceptor import RETURN_AFTER_MS
from stickman.devices.emulated_acceptor import EmulatedAcceptor
from stickman.devices.emulated_bench import TERMINAL_DOORS, EmulatedPlace, read_bench, write_addresses
from stickman.devices.emulated_doors import EmulatedDoors
from stickman.devices.emulated_printer import EmulatedPrinter
from stickman.devices.id003 import INHIBIT_ON, POLL_MS_MAX, POLL_MS_MIN, AcceptorSetting, Command, Reader, Status
from stickman.devices.keeper import AWAY_MS
from stickman.table import messages as m
from tests.faults.floor_with_devices import TABLE, FloorWithDevices
from tests.server.process import seat
from tests.talk.server import screen

SEATS, BETTING = 10, 7
"""The last seats do not bet, so that their credit changes by bills alone."""
POLLS, BILLS, REPEATS = 20_000, 250, 5
A_SECOND, FLOOD_A_SECOND = 2, 10
"""Commands of a seat that bets: as in `bench.server`, and five times as many."""
BILL_CENTS = 100
READY_S, LOOK_S = 60.0, 0.02
INSERT_AGAIN_S = 0.2
WITNESS_MS, LATE_MS = 5, 20
FREEZE_AFTER_S = 0.25
"""A bill reaches escrow 0.4 s after it was inserted."""


class Bound(NamedTuple):
    """What a measure must keep: at a percentile, and at the least."""

    percent: float
    ms_max: float
    ms_min: float = 0

    def broken_by(self, values: list[float]) -> str:
        """What is out of bounds; empty if all is well."""
        least, most = at_percent(values, 100 - self.percent), at_percent(values, self.percent)
        if most > self.ms_max:
            return f"p{self.percent:g} is {most:.1f} ms, allowed: {self.ms_max:g}"
        return f"the least is {least:.1f} ms, allowed: {self.ms_min:g}" if least < self.ms_min else ""


POLLED = Bound(99.9, POLL_MS_MAX, POLL_MS_MIN)
CREDITED = Bound(99, 100)
INHIBITED = Bound(100, AWAY_MS + POLL_MS_MAX)
RETURNED = Bound(100, RETURN_AFTER_MS + POLL_MS_MAX, RETURN_AFTER_MS - POLL_MS_MAX)


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - its purpose


def now_ms() -> float:
    return time.monotonic_ns() / 10**6


# --- The metal, in a process of its own ---


class Noted(Struct):
    """When something was on the wire of an acceptor: by name, its seat and the time."""

    polls: list[tuple[int, float]] = []
    vends: list[tuple[int, float]] = []
    escrows: list[tuple[int, float]] = []
    returns: list[tuple[int, float]] = []
    inhibits: list[tuple[int, float]] = []


class NotingAcceptor(EmulatedAcceptor):
    """Notes when polls and commands arrive, and when a status is first answered."""

    def __init__(self, number: int, noted: Noted) -> None:
        super().__init__()
        self.number, self.noted = number, noted
        self._host, self._answers = Reader(), Reader()
        self._last = 0

    def heard(self, data: bytes, now_ms_: int) -> bytes:
        at = (self.number, now_ms())
        for code, value in self._host.feed(data, now_ms_):
            if code == Command.STATUS_REQUEST:
                self.noted.polls.append(at)
            elif code == Command.RETURN:
                self.noted.returns.append(at)
            elif code == AcceptorSetting.INHIBIT and value == INHIBIT_ON:
                self.noted.inhibits.append(at)
        answer = super().heard(data, now_ms_)
        for code, _ in self._answers.feed(answer, now_ms_):
            if code != self._last and code == Status.VEND_VALID:
                self.noted.vends.append((self.number, now_ms()))
            elif code != self._last and code == Status.ESCROW:
                self.noted.escrows.append((self.number, now_ms()))
            self._last = code
        return answer


async def metal() -> None:
    """Devices at all places of `bench.toml`, with a socket that asks for bills and for the notes."""
    noted = Noted()
    places: dict[int, EmulatedPlace] = {}
    config = Path("bench.toml").read_bytes()  # noqa: ASYNC240 - before anything runs
    for each in read_bench(config, "bench.toml").place:
        acceptor = NotingAcceptor(each.seat, noted)
        places[each.seat] = EmulatedPlace(
            acceptor=acceptor, printer=EmulatedPrinter(), doors=EmulatedDoors(TERMINAL_DOORS)
        )
        await places[each.seat].lay(each.wires())
    at = [{"table": TABLE, "seat": number, **place.addresses()} for number, place in places.items()]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            asked = json.loads(line)
            said: Any
            if asked in Noted.__struct_fields__:
                said = getattr(noted, asked)
                setattr(noted, asked, [])
            elif asked == "idle":
                said = [n for n, place in places.items() if place.hands.acceptor.status == Status.IDLE]
            else:
                said = places[asked].do("acceptor", "bill", str(BILL_CENTS // 100)).done
            writer.write(json.dumps(said).encode() + b"\n")

    server = await asyncio.start_server(answer, "127.0.0.1", 0, limit=1 << 26)
    port = server.sockets[0].getsockname()[1]
    write_addresses(Path("addresses.json"), {"page": f"http://127.0.0.1:{port}", "places": at})
    await asyncio.Event().wait()


class Metal:
    """The other end of `metal`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._asking = asyncio.Lock()

    async def ask(self, what: object) -> Any:
        async with self._asking:
            self._writer.write(json.dumps(what).encode() + b"\n")
            return json.loads(await self._reader.readline())

    async def notes(self, name: str) -> list[tuple[int, float]]:
        """What was noted under this name since it was asked for last."""
        return [(number, at) for number, at in await self.ask(name)]

    async def all_idle(self) -> None:
        async with asyncio.timeout(READY_S):
            while len(await self.ask("idle")) < SEATS:  # noqa: ASYNC110 - an acceptor has no event
                await asyncio.sleep(LOOK_S)

    async def insert(self, number: int) -> None:
        while not await self.ask(number):  # noqa: ASYNC110 - the same
            await asyncio.sleep(INSERT_AGAIN_S)


@asynccontextmanager
async def connected(floor: FloorWithDevices) -> AsyncIterator[Metal]:
    host, _, port = floor.page.removeprefix("http://").rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=1 << 26)
    try:
        yield Metal(reader, writer)
    finally:
        writer.close()


# --- The load, in a process of its own ---


async def bet(url: str, number: int, a_second: int) -> None:
    """Place a bet and take it down, again and again, by the clock."""
    async with screen(url, seat(TABLE, number)) as mine:
        for turn in itertools.count():
            pause = asyncio.create_task(asyncio.sleep(1 / a_second))
            take, place = (
                m.TakeBet(seat=number, spot="field"),
                m.PlaceBet(seat=number, spot="field", cents=BILL_CENTS),
            )
            await mine.do(take if turn % 2 else place)
            await pause


async def load(url: str, a_second: int) -> None:
    async with asyncio.TaskGroup() as group:
        for number in range(1, BETTING + 1):
            group.create_task(bet(url, number, a_second))


@asynccontextmanager
async def loaded(url: str, a_second: int) -> AsyncIterator[None]:
    here = [sys.executable, "-m", "bench.devices", "--load", url, str(a_second)]
    process = await asyncio.create_subprocess_exec(*here)
    try:
        yield
        assert process.returncode is None, "the load ended"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


# --- Figures ---


def at_percent(values: list[float], percent: float) -> float:
    return sorted(values)[min(int(len(values) * percent / 100), len(values) - 1)]


def figures(values: list[float]) -> str:
    shown = {"min": 0.0, "p50": 50.0, "p99": 99.0, "p99.9": 99.9, "max": 100.0}
    parts = [f"{name} {at_percent(values, percent):7.1f}" for name, percent in shown.items()]
    return "  ".join(parts) + f" ms  of {len(values):,}"


class Span(NamedTuple):
    """From when to when something took, in milliseconds of the steady clock."""

    began: float
    ended: float

    @property
    def ms(self) -> float:
        return self.ended - self.began

    def meets(self, other: Span) -> bool:
        return self.began < other.ended and other.began < self.ended


class Judge:
    """Shows each measure, and keeps what was out of bounds."""

    def __init__(self, stood_still: list[Span]) -> None:
        self.broken: list[str] = []
        self._stood_still = stood_still

    def show(self, name: str, spans: list[Span], bound: Bound) -> None:
        """The figures, and how many of those over the bound were taken while the machine itself stood still."""
        values = [span.ms for span in spans]
        say(f"{name:<28} {figures(values)}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        if over := [span for span in spans if span.ms > bound.ms_max]:
            excused = sum(any(still.meets(span) for still in self._stood_still) for span in over)
            note(f"{len(over)} took more than {bound.ms_max:g} ms, {excused} of them while a core stood still")
        if why := bound.broken_by(values):
            self.broken.append(f"{name}: {why}")


def note(text: str) -> None:
    """A line that belongs to the measure above it."""
    say(f"{'':<28} {text}")


def waited_s(pid: int) -> float:
    """How long a process has been ready to run without a core."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 10**9


# --- What the machine itself allows: one process on each core ---


def witness(core: int) -> None:
    """Sleep again and again; print each sleep that was much too long."""
    os.sched_setaffinity(0, {core})
    while True:
        began = now_ms()
        time.sleep(WITNESS_MS / 1000)
        if now_ms() - began > WITNESS_MS + LATE_MS:
            say(json.dumps([began + WITNESS_MS, now_ms()]))


@asynccontextmanager
async def witnessed() -> AsyncIterator[list[Span]]:
    """When a core stood still, as it becomes known."""
    found: list[Span] = []
    here = [sys.executable, "-m", "bench.devices", "--witness"]
    cores = [str(core) for core in os.sched_getaffinity(0)]
    each = [await asyncio.create_subprocess_exec(*here, core, stdout=asyncio.subprocess.PIPE) for core in cores]

    async def hear(process: asyncio.subprocess.Process) -> None:
        assert process.stdout
        while line := await process.stdout.readline():
            found.append(Span(*json.loads(line)))

    try:
        async with asyncio.TaskGroup() as group:
            for process in each:
                group.create_task(hear(process))
            yield found
            for process in each:
                process.terminate()
    finally:
        for process in each:
            await process.wait()


def stolen() -> list[int]:
    """Of all cores, the time that other machines on this host took from ours, and the time that ours ran."""
    user, nice, system, _, _, irq, softirq, steal = map(int, Path("/proc/stat").read_text().split()[1:9])
    return [steal, user + nice + system + irq + softirq]


async def polled(name: str, floor: FloorWithDevices, metal: Metal, polls: int, judge: Judge) -> None:
    """Wait until there is this number of polls, and show the time between two of them."""
    began, waited, [stole, ran] = time.monotonic(), waited_s(floor.devices_pid), stolen()
    await metal.notes("polls")
    gaps: list[Span] = []
    last: dict[int, float] = {}
    while len(gaps) < polls:
        await asyncio.sleep(2)
        for number, at in await metal.notes("polls"):
            if number in last:
                gaps.append(Span(last[number], at))
            last[number] = at
    judge.show(f"polls, {name}", gaps, POLLED)
    waited, spent = waited_s(floor.devices_pid) - waited, time.monotonic() - began
    note(f"in {spent:,.0f} s the devices process waited {waited:.1f} s for a core")
    steals, runs = (now - before for now, before in zip(stolen(), [stole, ran], strict=True))
    note(f"the host took {steals / (steals + runs):.0%} of the time that the machine asked for")


async def credited(name: str, url: str, metal: Metal, seats: range, bills: int, judge: Judge) -> None:
    """From *vend valid* to the credit in the view, for at least this number of bills."""
    await metal.notes("vends")
    shown: dict[int, list[float]] = defaultdict(list)
    each = -(-bills // len(seats))

    async def insert(number: int) -> None:
        async with screen(url, seat(TABLE, number)) as mine:
            for _ in range(each):
                before = mine.view["credit_cents"]
                await metal.insert(number)
                while mine.view["credit_cents"] == before:
                    await mine.hear()
                shown[number].append(now_ms())

    await asyncio.gather(*(insert(number) for number in seats))
    vends: dict[int, list[float]] = defaultdict(list)
    for number, at in await metal.notes("vends"):
        vends[number].append(at)
    for number in seats:
        assert len(vends[number]) == len(shown[number]) == each, f"{len(vends[number])} bills, {each} were inserted"
    waits = [Span(*pair) for number in seats for pair in zip(vends[number], shown[number], strict=True)]
    judge.show(f"credit, {name}", waits, CREDITED)


async def inhibited(floor: FloorWithDevices, metal: Metal, repeats: int, judge: Judge) -> None:
    waits: list[Span] = []
    for _ in range(repeats):
        await metal.all_idle()
        await metal.notes("inhibits")
        with floor.frozen(floor.server.pid):
            began = now_ms()
            await asyncio.sleep(3.5)
            inhibits = await metal.notes("inhibits")
        first: dict[int, float] = {}
        for number, at in inhibits:
            first.setdefault(number, at)
        assert len(first) == SEATS, f"{len(first)} of {SEATS} acceptors were inhibited"
        waits += [Span(began, at) for at in first.values()]
    judge.show("inhibited", waits, INHIBITED)


async def returned(floor: FloorWithDevices, metal: Metal, repeats: int, judge: Judge) -> None:
    waits: list[Span] = []
    for _ in range(repeats):
        await metal.all_idle()
        await metal.notes("escrows")
        await metal.notes("returns")
        await asyncio.gather(*(metal.insert(number) for number in range(1, SEATS + 1)))
        await asyncio.sleep(FREEZE_AFTER_S)
        with floor.frozen(floor.server.pid):
            await asyncio.sleep(7)
            began, returns = dict(await metal.notes("escrows")), await metal.notes("returns")
        first: dict[int, float] = {}
        for number, at in returns:
            first.setdefault(number, at)
        assert began.keys() == first.keys() == set(range(1, SEATS + 1)), f"{len(first)} of {SEATS} bills came back"
        waits += [Span(began[number], at) for number, at in first.items()]
    judge.show("escrow returned", waits, RETURNED)


@asynccontextmanager
async def watched(url: str) -> AsyncIterator[None]:
    """All seats have a screen, or they would take no money after a while."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_watch(url, number)) for number in range(1, SEATS + 1)]
        yield
        for task in tasks:
            task.cancel()


async def _watch(url: str, number: int) -> None:
    async with screen(url, seat(TABLE, number)) as mine:
        while True:
            await mine.socket.recv()


async def bench(floor: FloorWithDevices, polls: int, bills: int, repeats: int) -> list[str]:
    """Measure all; what was out of bounds."""
    async with witnessed() as stood_still:
        broken = await measured(floor, polls, bills, repeats, Judge(stood_still))
    longest = max((span.ms for span in stood_still), default=0)
    say(f"A core stood still for more than {LATE_MS} ms {len(stood_still)} times, for {longest:.0f} ms at most.")
    return broken


async def measured(floor: FloorWithDevices, polls: int, bills: int, repeats: int, judge: Judge) -> list[str]:
    await floor.enrol()
    floor.start_devices()
    async with connected(floor) as metal:
        async with watched(floor.url):
            await metal.all_idle()
        await credited("server idle", floor.url, metal, range(1, SEATS + 1), bills, judge)
        async with loaded(floor.url, A_SECOND):
            await credited("server under load", floor.url, metal, range(BETTING + 1, SEATS + 1), bills, judge)
        async with loaded(floor.url, FLOOD_A_SECOND):
            await polled("server flooded", floor, metal, polls, judge)
        async with watched(floor.url):
            await inhibited(floor, metal, repeats, judge)
            await returned(floor, metal, repeats, judge)
        floor.server.kill()
        await polled("server away", floor, metal, polls, judge)
    return judge.broken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few seconds, to see that it runs")
    parser.add_argument("--metal", action="store_true", help=argparse.SUPPRESS)  # how it starts itself
    parser.add_argument("--load", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--witness", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.metal:
        asyncio.run(metal())
    elif options.load:
        url, a_second = options.load
        asyncio.run(load(url, int(a_second)))
    elif options.witness is not None:
        witness(options.witness)
    else:
        share = 20 if options.quick else 1
        with tempfile.TemporaryDirectory() as folder:
            floor = FloorWithDevices(Path(folder) / "floor", SEATS, ("bench.devices", "--metal"))
            with floor.running():
                broken = asyncio.run(bench(floor, POLLS // share, BILLS // share, max(1, REPEATS // share)))
        if broken:
            sys.exit("out of bounds:\n" + "\n".join(broken))


if __name__ == "__main__":
    main()
