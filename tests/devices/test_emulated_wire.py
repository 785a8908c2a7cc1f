"""Wires of emulated devices, through real sockets and a real pseudo-terminal."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from stickman.devices.contact_wire import read_contact_line
from stickman.devices.emulated_acceptor import EmulatedAcceptor
from stickman.devices.emulated_bench import TERMINAL_DOORS, EmulatedPlace
from stickman.devices.emulated_doors import EmulatedDoors
from stickman.devices.emulated_printer import EmulatedPrinter
from stickman.devices.emulated_wire import BadAddress, read_address
from stickman.devices.id003 import Packet

POLL = Packet(0x11).encode()
SOON_S = 5


HOSTS: list["Host"] = []


def run(test: Callable[[], Awaitable[None]]) -> None:
    """Run a test, then close what it opened."""

    async def closing() -> None:
        try:
            async with asyncio.timeout(30):
                await test()
        finally:
            for host in HOSTS:
                host.transport.abort()
            HOSTS.clear()
            await asyncio.sleep(0)

    asyncio.run(closing())


@asynccontextmanager
async def laid(place: EmulatedPlace, listen: str = "tcp://127.0.0.1:0") -> AsyncIterator[str]:
    """The address of a place with one device."""
    [kind] = place.cables
    try:
        await place.lay({kind: read_address(listen)})
        yield str(place.cables[kind].address)
    finally:
        place.close()


async def until(found: Callable[[], object]) -> None:
    async with asyncio.timeout(SOON_S):
        while not found():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.005)


class Host:
    """A controller at the other end of a TCP wire."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def at(cls, address: str, buffer: int = 0) -> "Host":
        host, port = address.removeprefix("tcp://").split(":")
        wire = socket.socket()
        if buffer:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        wire.connect((host, int(port)))
        HOSTS.append(cls(*await asyncio.open_connection(sock=wire)))
        return HOSTS[-1]

    @property
    def transport(self) -> asyncio.Transport:
        found = self.writer.transport
        assert isinstance(found, asyncio.Transport)
        return found

    async def ask(self, code: int, data: bytes = b"") -> tuple[int, bytes]:
        self.writer.write(Packet(code, data).encode())
        return await self.packet()

    async def packet(self) -> tuple[int, bytes]:
        head = await asyncio.wait_for(self.reader.readexactly(2), SOON_S)
        rest = await asyncio.wait_for(self.reader.readexactly(head[1] - 2), SOON_S)
        assert Packet(rest[0], rest[1:-2]).encode() == head + rest
        return rest[0], rest[1:-2]

    async def line(self) -> str:
        return (await asyncio.wait_for(self.reader.readline(), SOON_S)).decode().strip()

    async def until(self, code: int) -> bytes:
        """Poll until the status is this; its data."""
        async with asyncio.timeout(SOON_S):
            while True:
                found, data = await self.ask(0x11)
                if found == code:
                    return data
                await asyncio.sleep(0.02)

    async def start(self) -> None:
        assert (await self.ask(0x11))[0] in (0x40, 0x1B)
        assert await self.ask(0x40) == (0x50, b"")
        for code, data in ((0xC3, b"\x00"), (0xC0, b"\x00\x00"), (0xC6, b"\x01\x12"), (0xC7, b"\x00")):
            assert await self.ask(code, data) == (code, data)
        await self.until(0x11)

    async def closed(self) -> bool:
        return await asyncio.wait_for(self.reader.read(1), SOON_S) == b""


def test_a_bill_goes_all_the_way_over_tcp() -> None:
    async def test() -> None:
        place = EmulatedPlace(acceptor=EmulatedAcceptor())
        async with laid(place) as address:
            host = await Host.at(address)
            await host.start()
            assert place.do("acceptor", "bill", "20.00").done
            assert await host.until(0x13) == b"\x65"
            assert await host.ask(0x42) == (0x50, b"")
            assert await host.until(0x15) == b""
            host.writer.write(Packet(0x50).encode())
            await host.until(0x11)
            assert place.hands.state()["acceptor"]["stacker"] == 1

    run(test)


def test_phases_run_by_a_timer_without_any_poll() -> None:
    async def test() -> None:
        seen: list[str] = []
        changed = asyncio.Event()

        def look() -> None:
            seen.append(place.hands.state()["acceptor"]["status"])
            changed.set()

        place = EmulatedPlace(acceptor=EmulatedAcceptor(), changed=look)
        async with laid(place) as address:
            host = await Host.at(address)
            await host.start()
            place.do("acceptor", "bill", "20.00")
            while seen[-1] != "escrow":
                changed.clear()
                await asyncio.wait_for(changed.wait(), SOON_S)
            assert "accepting" in seen

    run(test)


def test_only_one_host_at_a_time_and_the_next_after_it_is_gone() -> None:
    async def test() -> None:
        place = EmulatedPlace(acceptor=EmulatedAcceptor())
        async with laid(place) as address:
            first, second = await Host.at(address), await Host.at(address)
            assert await second.closed()
            assert (await first.ask(0x11))[0] == 0x40
            first.writer.close()
            await until(lambda: not place.cables["acceptor"].connected)
            third = await Host.at(address)
            assert (await third.ask(0x11))[0] == 0x40

    run(test)


def test_cut_power_silences_the_device_and_leaves_the_wire_connected() -> None:
    async def test() -> None:
        place = EmulatedPlace(acceptor=EmulatedAcceptor())
        async with laid(place) as address:
            host = await Host.at(address)
            assert await host.ask(0x11) == (0x40, b"")
            place.do("acceptor", "cut power")
            host.writer.write(POLL)
            await host.writer.drain()
            await asyncio.sleep(0.1)  # nothing can be waited for: the answer must not come
            place.do("acceptor", "power on")
            assert await host.ask(0x88) == (0x88, b"EMULATED(USA) ID003-05V001-01")
            assert place.cables["acceptor"].connected

    run(test)


def test_unplugged_the_wire_is_closed_until_it_is_plugged_in_again() -> None:
    async def test() -> None:
        place = EmulatedPlace(acceptor=EmulatedAcceptor())
        async with laid(place) as address:
            host = await Host.at(address)
            assert (await host.ask(0x11))[0] == 0x40
            place.do("acceptor", "unplug")
            assert await host.closed()
            assert await (await Host.at(address)).closed()
            place.do("acceptor", "plug in")
            assert (await (await Host.at(address)).ask(0x11))[0] == 0x40

    run(test)


def test_a_host_that_does_not_read_is_not_heard() -> None:
    async def test() -> None:
        place = EmulatedPlace(acceptor=EmulatedAcceptor())
        async with laid(place) as address:
            host = await Host.at(address, buffer=4_096)
            host.transport.pause_reading()
            async with asyncio.timeout(SOON_S):
                while host.transport.get_write_buffer_size() < 500_000:
                    host.writer.write(Packet(0x88).encode() * 1_000)
                    await asyncio.sleep(0)
            assert place.cables["acceptor"].connected

    run(test)


def test_a_host_that_leaves_a_megabyte_unread_is_dropped() -> None:
    async def test() -> None:
        doors = EmulatedDoors(TERMINAL_DOORS)
        place = EmulatedPlace(doors=doors)
        async with laid(place) as address:
            host = await Host.at(address, buffer=4_096)
            host.transport.pause_reading()
            await until(lambda: place.cables["doors"].connected)
            moves = 0
            while place.cables["doors"].connected:
                moves += doors.move("cage_main", moves % 2 == 0, moves)
                place.cables["doors"].run()
                if moves % 100 == 0:
                    await asyncio.sleep(0)
            assert 1_000_000 < 30 * moves < 3_000_000

    run(test)


def test_a_pseudo_terminal_carries_bytes_and_its_link_follows_it(tmp_path: Path) -> None:
    async def test() -> None:
        link = tmp_path / "acceptor"
        place = EmulatedPlace(acceptor=EmulatedAcceptor())
        async with laid(place, f"pty:{link}") as address:
            assert address == f"pty:{link}"
            assert await ask_terminal(link, POLL) == Packet(0x40).encode()
            place.do("acceptor", "unplug")
            assert not link.is_symlink()
            place.do("acceptor", "plug in")
            assert await ask_terminal(link, POLL) == Packet(0x40).encode()
        assert not link.is_symlink()

    run(test)


async def ask_terminal(path: Path, data: bytes) -> bytes:
    """In raw mode no byte is changed, also none that a terminal would echo."""
    terminal = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    readable = asyncio.Event()
    asyncio.get_running_loop().add_reader(terminal, readable.set)
    try:
        os.write(terminal, data)
        await asyncio.wait_for(readable.wait(), SOON_S)
        return os.read(terminal, 100)
    finally:
        asyncio.get_running_loop().remove_reader(terminal)
        os.close(terminal)


def test_a_file_at_the_path_of_a_link_stays(tmp_path: Path) -> None:
    async def test() -> None:
        file = tmp_path / "file"
        file.write_text("mine")
        with pytest.raises(FileExistsError, match="found a file"):
            async with laid(EmulatedPlace(printer=EmulatedPrinter()), f"pty:{file}"):
                pass
        assert file.read_text() == "mine"

    run(test)


@pytest.mark.parametrize("parity", ["E", "N"])
def test_over_rfc_2217_the_acceptor_answers_at_8e1_and_at_nothing_else(parity: str) -> None:
    serialx = pytest.importorskip("serialx")

    async def test() -> None:
        async with laid(EmulatedPlace(acceptor=EmulatedAcceptor()), "rfc2217://127.0.0.1:0") as address:
            reader, writer = await serialx.open_serial_connection(address, baudrate=9600, parity=parity)
            for _ in range(3):
                writer.write(POLL)
            if parity == "E":
                answer = await asyncio.wait_for(reader.readexactly(15), SOON_S)
                assert answer == 3 * Packet(0x40).encode()
                # the data of this setting is FF, which Telnet sends twice
                writer.write(Packet(0xC7, b"\xff").encode())
                assert await asyncio.wait_for(reader.readexactly(6), SOON_S) == Packet(0xC7, b"\xff").encode()
            else:
                await writer.transport.flush()  # the far port has all of it
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(reader.read(1), 0.2)
            writer.close()

    run(test)


def test_doors_say_their_memory_then_their_state_then_each_move() -> None:
    async def test() -> None:
        doors = EmulatedDoors(TERMINAL_DOORS)
        place = EmulatedPlace(doors=doors)
        async with laid(place) as address:
            place.do("doors", "open", "cage_main")
            place.do("doors", "key on")
            host = await Host.at(address)
            lines = [read_contact_line((await host.line()).encode()) for _ in range(7)]
            assert [(line.said, line.door, line.active) for line in lines] == [
                ("battery", "cage_main", False),
                ("battery", "", True),
                ("state", "terminal_logic", True),
                ("state", "acceptor_and_printer", True),
                ("state", "cage_main", False),
                ("state", "cage_security", True),
                ("state", "", True),
            ]
            place.do("doors", "close", "cage_main")
            assert (await host.line()).startswith("edge door cage_main closed ")

    run(test)


def test_doors_moved_without_power_come_with_their_time_until_they_are_noted() -> None:
    async def test() -> None:
        doors = EmulatedDoors(TERMINAL_DOORS)
        place = EmulatedPlace(doors=doors)
        async with laid(place) as address:
            host = await Host.at(address)
            for _ in range(5):
                assert (await host.line()).startswith("state ")
            place.do("doors", "cut power")
            doors.move("cage_security", True, 1_700_000_000_000)
            place.do("doors", "power on")
            assert await host.line() == "battery door cage_security open 1700000000000"
            host.writer.close()
            await until(lambda: not place.cables["doors"].connected)
            again = await Host.at(address)
            assert await again.line() == "battery door cage_security open 1700000000000"
            for _ in range(5):
                assert (await again.line()).startswith("state ")
            again.writer.write(b"not")
            again.writer.write(b"ed\n")
            await until(lambda: not doors.remembered)

    run(test)


@pytest.mark.parametrize(
    "text",
    ["", "tcp://", "tcp://127.0.0.1", "tcp://example.org:1", "tcp://127.0.0.1:70000", "udp://127.0.0.1:1",
     "tcp://127.0.0.1:1/path", "tcp://127.0.0.1:1?x"],
)  # fmt: skip
def test_a_bad_address_says_what_was_found_and_what_is_allowed(text: str) -> None:
    with pytest.raises(BadAddress, match=r"found .*; allowed: tcp://"):
        read_address(text)
