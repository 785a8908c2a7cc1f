"""The devices process with real sockets, a real memory and a floor that speaks the real wire."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from itertools import count
from pathlib import Path

from structlog.testing import capture_logs

from stickman.cli.devices_command import read_devices
from stickman.devices.acceptor_peripheral import AcceptorMemory
from stickman.devices.contact_wire import NOTED
from stickman.devices.emulated_acceptor import EmulatedAcceptor
from stickman.devices.emulated_printer import EmulatedPrinter
from stickman.devices.emulated_wire import Cable, read_address
from stickman.devices.escpos import PrinterSlip, SlipLine
from stickman.devices.id003 import Status
from stickman.devices.keeper import Commit
from stickman.devices.memory import DeviceMemory
from stickman.devices.ports import PeripheralPort, PortSetup
from stickman.devices.runner import DevicesProcess, ProgramMeter
from stickman.devices.signals import (
    AcceptorWishes,
    BillStacked,
    DoorMoved,
    KeyMoved,
    PrinterWishes,
    PrintJob,
    ProgramReported,
    Report,
    SlipBegun,
    SlipPrinted,
    Tell,
    TicketStacked,
)
from stickman.server.program import PACKAGE, program
from tests.devices.device_world import ALL_BILLS, PROGRAM
from tests.devices.fake_floor import FakeFloor, WiredContacts, WiredDevice, open_floor

NUMBER = "012345678901234567"
WISHES = AcceptorWishes(bills=ALL_BILLS, tickets=True)
GREETING = b"battery key on 5\nstate door cage_main closed 7\nstate key off 7\n"


def clock_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def powered_acceptor() -> EmulatedAcceptor:
    device = EmulatedAcceptor()
    device.power_on(clock_ms() - 60_000)
    return device


def config(folder: Path, server: str, *entries: str) -> Path:
    file = folder / "devices.toml"
    file.write_text(f'server = "{server}"\n' + "\n".join(entries))
    return file


def acceptor_entry(wired: WiredDevice, code: str = "A") -> str:
    return f'[acceptors.seat]\nport = "{wired.url}"\ncode = "{code}"\n'


@asynccontextmanager
async def running(
    file: Path, measure: Callable[[], ProgramReported] = lambda: PROGRAM
) -> AsyncIterator[DevicesProcess]:
    read = read_devices(file)
    process = DevicesProcess(read, DeviceMemory(Path(read.memory)), measure)
    stop = asyncio.Event()
    task = asyncio.create_task(process.run(stop))
    try:
        yield process
    finally:
        stop.set()
        await task


async def settled(wired: WiredDevice, status: Status, limit_s: float = 10) -> None:
    """Wait for a state of the acceptor, which only polls show."""
    device = wired.device
    assert isinstance(device, EmulatedAcceptor)
    async with asyncio.timeout(limit_s), wired.heard:
        await wired.heard.wait_for(lambda: device.status == status)


async def a_whole_terminal(folder: Path) -> None:
    floor = FakeFloor()
    floor.codes = {"A", "P", "D"}
    slot, printer = powered_acceptor(), EmulatedPrinter()
    contacts = WiredContacts(GREETING)
    floor.devices["A"].wishes = WISHES
    async with (
        open_floor(floor) as url,
        WiredDevice(slot).plugged_in() as acceptor,
        WiredDevice(printer).plugged_in() as printing,
        WiredDevice(contacts).plugged_in() as doors,
    ):
        file = config(
            folder,
            url,
            acceptor_entry(acceptor),
            f'[printers.seat]\nport = "{printing.url}"\ncode = "P"',
            f'[doors.seat]\nport = "{doors.url}"\ncode = "D"\ncontacts = {{ cage_main = {{}}, key = {{}} }}',
        )
        async with running(file):
            at_seat, out, cage = (floor.devices[code] for code in "APD")
            await floor.until(lambda: len(cage.of(DoorMoved, KeyMoved)) == 3)
            assert cage.signals[1:] == [
                KeyMoved(on=True, moved_ms=5, how="battery"),
                *cage.of(DoorMoved),
                *cage.of(KeyMoved)[1:],
            ]
            out.wishes = PrinterWishes(
                print=PrintJob(job=NUMBER, slip=PrinterSlip(lines=(SlipLine("CASHOUT"),), number=NUMBER))
            )
            await settled(acceptor, Status.IDLE)
            assert slot.insert(slot.bill(2000), acceptor.now_ms)
            await floor.until(lambda: at_seat.of(BillStacked))
            await floor.until(lambda: out.of(SlipPrinted))
            await floor.until(lambda: out.state.get("printed") == 1 and at_seat.state.get("bills in stacker") == 1)
            assert [type(each.signals[0]) for each in (at_seat, out, cage)] == [ProgramReported] * 3
            assert out.of(SlipBegun, SlipPrinted) == [SlipBegun(job=NUMBER), SlipPrinted(job=NUMBER)]
            assert [number for slip in printer.slips for number in slip.numbers] == [NUMBER]
            assert (len(slot.stacker), at_seat.credited()) == (1, {2000: 1})
            assert NOTED in contacts.answers
            await the_server_goes_away(floor, acceptor)
        assert slot.status == Status.INHIBITED  # the end was in order


async def the_server_goes_away(floor: FakeFloor, acceptor: WiredDevice) -> None:
    floor.silent = True
    began = time.monotonic()
    await settled(acceptor, Status.INHIBITED)
    assert 1.4 < time.monotonic() - began < 4  # two seconds after the last message, which may be half a second old
    floor.silent = False
    await settled(acceptor, Status.IDLE)


def test_a_whole_terminal_over_real_sockets(tmp_path: Path) -> None:
    asyncio.run(a_whole_terminal(tmp_path))


async def shut_out(folder: Path) -> list[dict[str, object]]:
    floor = FakeFloor()
    floor.codes = {"A"}
    floor.revoked = {"A"}
    async with open_floor(floor) as url, WiredDevice(powered_acceptor()).plugged_in() as acceptor:
        with capture_logs() as logs:
            async with running(config(folder, url, acceptor_entry(acceptor))):
                await floor.until(lambda: floor.attempts[403])
                await asyncio.sleep(1)  # long enough for several attempts, if it did not slow down
            assert floor.attempts[403] == 1
            assert len(acceptor.heard_at) > 5  # it is driven all the same
    return [dict(entry) for entry in logs]


async def a_changed_program(folder: Path) -> None:
    floor, package = FakeFloor(), folder / "package"
    floor.codes = {"D"}
    package.mkdir()
    shutil.copy(PACKAGE / "wire.py", package)

    def measure() -> ProgramReported:
        found = program(package)
        return ProgramReported(version=found.version, sha256=found.sha256)

    doors = floor.devices["D"]
    async with open_floor(floor) as url, WiredDevice(WiredContacts(GREETING)).plugged_in() as wired:
        file = config(folder, url, f'[doors.seat]\nport = "{wired.url}"\ncode = "D"\ncontacts = {{ key = {{}} }}')
        async with running(file, measure):
            await floor.until(lambda: len(doors.of(ProgramReported)) == 1)
            before = measure()
            with (package / "wire.py").open("a") as source:
                source.write("# changed\n")
            after = measure()
            doors.asks.append(Tell(what="program"))
            await floor.until(lambda: len(doors.of(ProgramReported)) == 2)
    assert before != after
    assert doors.of(ProgramReported) == [before, after]


def test_rtw_3_2_a_program_that_changed_since_the_start_reports_another_digest_when_it_is_asked(
    tmp_path: Path,
) -> None:
    asyncio.run(a_changed_program(tmp_path))


async def asked_together() -> None:
    numbers, began, goes_on = count(1), threading.Event(), threading.Event()

    def measure() -> ProgramReported:
        began.set()
        assert goes_on.wait(10)
        return ProgramReported(version=str(next(numbers)), sha256="0" * 64)

    meter = ProgramMeter(measure)
    first = asyncio.create_task(meter.measure())
    await asyncio.to_thread(began.wait, 10)
    others = [asyncio.create_task(meter.measure()) for _ in range(5)]
    await asyncio.sleep(0)
    goes_on.set()
    assert [found.version for found in await asyncio.gather(first, *others)] == ["1", "2", "2", "2", "2", "2"]


def test_who_asks_for_the_program_while_it_is_measured_gets_the_next_measurement() -> None:
    asyncio.run(asked_together())


def test_a_device_that_is_not_let_in_says_so_once_and_asks_slowly(tmp_path: Path) -> None:
    [entry] = [entry for entry in asyncio.run(shut_out(tmp_path)) if entry["log_level"] == "error"]
    assert entry["event"] == "server_does_not_let_this_device_in"
    assert entry["device"] == "acceptor.seat"


async def enrols_with_a_wrong_code(folder: Path) -> list[dict[str, object]]:
    floor = FakeFloor()
    async with open_floor(floor) as url, WiredDevice(powered_acceptor()).plugged_in() as acceptor:
        with capture_logs() as logs:
            async with running(config(folder, url, acceptor_entry(acceptor))):
                await floor.until(lambda: floor.attempts[403])
                await asyncio.sleep(0.1)
        assert acceptor.heard_at == []  # a device that is not enrolled is not driven
    return [dict(entry) for entry in logs]


def test_a_wrong_code_is_reported_with_the_servers_words(tmp_path: Path) -> None:
    logs = asyncio.run(enrols_with_a_wrong_code(tmp_path))
    [entry] = [entry for entry in logs if entry["event"] == "device_not_enrolled"]
    assert "This code is not valid." in str(entry["why"])


async def starts_with_a_spent_code(folder: Path) -> list[dict[str, object]]:
    floor = FakeFloor()
    floor.codes = {"A"}
    async with open_floor(floor) as url, WiredDevice(powered_acceptor()).plugged_in() as acceptor:
        with capture_logs() as logs:
            for start, code in enumerate(("A", "OLD", "OLD", "A"), 1):
                async with running(config(folder, url, acceptor_entry(acceptor, code))):
                    await floor.until(lambda: len(floor.devices["A"].of(ProgramReported)) == start)  # noqa: B023 - at once
    assert floor.attempts[403] == 1
    return [dict(entry) for entry in logs]


def test_a_code_that_enrols_nothing_more_is_tried_and_logged_once(tmp_path: Path) -> None:
    logs = asyncio.run(starts_with_a_spent_code(tmp_path))
    assert [entry["event"] for entry in logs if entry["log_level"] == "warning"].count("device_not_enrolled") == 1


async def enrols_again_with_a_report_unheard(folder: Path) -> list[dict[str, object]]:
    floor = FakeFloor()
    floor.codes = {"A"}
    async with open_floor(floor) as url, WiredDevice(powered_acceptor()).plugged_in() as acceptor:
        file = config(folder, url, acceptor_entry(acceptor))
        async with running(file):
            await floor.until(lambda: floor.devices["A"].of(ProgramReported))
        with closing(DeviceMemory(Path(read_devices(file).memory))) as memory:
            found = memory.begin("acceptor.seat")
            number = Report(
                boot=found.boot, seq=found.next_seq, at_ms=1, signal=TicketStacked(note=1, number=NUMBER)
            )
            commit = Commit((number,), found.memory_as(AcceptorMemory), found.next_seq + 1, 0)
            memory.commit([("acceptor.seat", commit)])
        floor.silent = True
        again = config(folder, url, acceptor_entry(acceptor, "B"))
        with capture_logs() as logs:
            async with running(again), asyncio.timeout(10), acceptor.heard:  # it is driven all the same
                await acceptor.heard.wait_for(lambda: "device_not_enrolled" in [each["event"] for each in logs])
    return [dict(entry) for entry in logs]


def test_the_log_of_unheard_reports_names_no_ticket(tmp_path: Path) -> None:
    logs = asyncio.run(enrols_again_with_a_report_unheard(tmp_path))
    [entry] = [entry for entry in logs if entry["event"] == "device_not_enrolled"]
    assert entry["unheard"] == ["ticket_stacked"]
    assert NUMBER not in json.dumps(logs)


async def enrols_at_a_busy_floor(folder: Path) -> None:
    floor = FakeFloor()
    floor.codes, floor.too_fast = {"A"}, 1
    async with (
        open_floor(floor) as url,
        WiredDevice(powered_acceptor()).plugged_in() as acceptor,
        running(config(folder, url, acceptor_entry(acceptor))),
    ):
        await floor.until(lambda: floor.devices["A"].of(ProgramReported))
    assert floor.attempts[429] == 1


def test_a_code_that_came_too_fast_is_sent_again_soon(tmp_path: Path) -> None:
    """A wrong one waits a minute."""
    asyncio.run(enrols_at_a_busy_floor(tmp_path))


# --- Ports ---


async def a_pty_that_goes_and_comes_back() -> None:
    first, second = os.openpty(), os.openpty()
    link = Path(os.ttyname(first[1]))
    events: list[str] = []
    woken = asyncio.Event()

    def opened() -> None:
        events.append("opened")
        woken.set()

    def closed() -> None:
        events.append("closed")
        woken.set()

    port = PeripheralPort("x", PortSetup(url=str(link)), opened=opened, closed=closed, woken=woken.set)
    staying = asyncio.create_task(port.stay())
    async with asyncio.timeout(10):
        await woken.wait()
        woken.clear()
        os.write(first[0], b"\x00\x11\x13\xff\n")  # no byte has a meaning for the line itself
        await woken.wait()
        assert port.take() == b"\x00\x11\x13\xff\n"
        port.write(b"\x03\x1a\r")
        assert await asyncio.to_thread(os.read, first[0], 10) == b"\x03\x1a\r"
        woken.clear()
        os.close(first[1])
        os.close(first[0])
        await woken.wait()
        port.write(b"dropped")
    assert events == ["opened", "closed"]
    staying.cancel()
    await asyncio.gather(staying, return_exceptions=True)
    for each in second:
        os.close(each)


def test_a_serial_port_carries_every_byte_and_its_end_is_noticed() -> None:
    asyncio.run(a_pty_that_goes_and_comes_back())


async def a_socket_that_closes(folder: Path) -> None:
    floor = FakeFloor()
    floor.codes = {"P"}
    printer = EmulatedPrinter()
    async with open_floor(floor) as url, WiredDevice(printer).plugged_in() as wired:
        file = config(folder, url, f'[printers.seat]\nport = "{wired.url}"\ncode = "P"')
        async with running(file):
            out = floor.devices["P"]
            await floor.until(lambda: out.state.get("doing") == "idle")
            wired.unplug()
            await floor.until(lambda: wired.hosts == 2 and out.state.get("doing") == "idle")


def test_a_port_that_closes_is_opened_again(tmp_path: Path) -> None:
    asyncio.run(a_socket_that_closes(tmp_path))


async def behind_rfc_2217(folder: Path) -> None:
    floor = FakeFloor()
    floor.codes = {"A"}
    seat = floor.devices["A"]
    seat.wishes = WISHES
    cable = Cable(EmulatedAcceptor(), clock_ms, lambda: None)
    async with open_floor(floor) as url:
        await cable.lay(read_address("rfc2217://127.0.0.1:0"))
        entry = f'[acceptors.seat]\nport = "{cable.address}"\ncode = "A"\n'
        async with running(config(folder, url, entry)):
            assert isinstance(cable.device, EmulatedAcceptor)
            cable.device.power_on(clock_ms())
            await floor.until(lambda: seat.state.get("doing") == "idle")
        cable.close()


def test_an_acceptor_behind_rfc_2217_is_driven_with_even_parity(tmp_path: Path) -> None:
    asyncio.run(behind_rfc_2217(tmp_path))


# --- The command ---


@asynccontextmanager
async def command(file: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "from stickman.cli import main; main()", "devices", "--config", str(file),
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def killed_and_stopped(folder: Path) -> str:
    floor = FakeFloor()
    floor.codes = {"A"}
    slot = powered_acceptor()
    seat = floor.devices["A"]
    seat.wishes = WISHES
    async with open_floor(floor) as url, WiredDevice(slot).plugged_in() as acceptor:
        file = config(folder, url, acceptor_entry(acceptor))
        async with command(file) as process:
            await settled(acceptor, Status.IDLE)
            assert slot.insert(slot.bill(500), acceptor.now_ms)
            await settled(acceptor, Status.STACKING)
            process.send_signal(signal.SIGKILL)
            await process.wait()
        async with command(file) as process:
            await floor.until(lambda: seat.of(BillStacked))
            await settled(acceptor, Status.IDLE)
            assert process.stderr
            process.send_signal(signal.SIGTERM)
            logs = await process.stderr.read()
            assert await process.wait() == 0
    assert (len(slot.stacker), seat.credited()) == (1, {500: 1})
    assert slot.status == Status.INHIBITED
    assert len(seat.of(ProgramReported)) == 2
    return logs.decode()


def test_a_process_that_is_killed_goes_on_and_one_that_is_stopped_ends_in_order(tmp_path: Path) -> None:
    logs = [json.loads(line) for line in asyncio.run(killed_and_stopped(tmp_path)).splitlines()]
    assert [entry["event"] for entry in logs][-1] == "devices_stopped"
    assert {"device", "seq", "signal", "timestamp"} <= next(e for e in logs if e["event"] == "report").keys()
