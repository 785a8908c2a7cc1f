"""A bench of emulated devices: the terminals of many seats in one process, each device with a wire of its own.

A place is a seat with its terminal, or the table itself as seat 0, which has doors and the dealer's key only. A
configuration lists the places and where each wire listens.
"""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, get_args

import msgspec
from msgspec import Meta, Struct

from stickman.devices.emulated_acceptor import EmulatedAcceptor
from stickman.devices.emulated_doors import EmulatedDoors
from stickman.devices.emulated_printer import EmulatedPrinter
from stickman.devices.emulated_wire import BadAddress, Cable, WireAddress, read_address
from stickman.devices.hands import BadDeed, Hands, HandsClock, Happened
from stickman.devices.signals import DeviceKind, TableDoor, TerminalDoor

TERMINAL_DOORS: tuple[str, ...] = get_args(TerminalDoor)
TABLE_DOORS: tuple[str, ...] = get_args(TableDoor)
THE_TABLE = 0
"""The seat number of the table itself."""
FREE_PORT = "tcp://127.0.0.1:0"
PLACES_MAX = 200


class BadBench(ValueError):
    """It says what was found and what is allowed."""


# --- Configuration ---

PlaceNumber = Annotated[int, Meta(ge=0, le=100_000)]


class BenchPage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The page on which devices are operated by hand."""

    listen: str = "127.0.0.1:0"
    framed_by: tuple[str, ...] = ()
    """Origins whose pages may show it in a frame, such as `http://127.0.0.1:8000`."""
    hosts: tuple[str, ...] = ()
    """Names, with ports, at which browsers may reach it besides the address where it listens."""


class BenchPlace(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A device without an address gets a free port; one with an empty address does not exist."""

    table: PlaceNumber = 1
    seat: PlaceNumber
    acceptor: str | None = None
    printer: str | None = None
    doors: str | None = None

    @property
    def doors_there(self) -> tuple[str, ...]:
        return TABLE_DOORS if self.seat == THE_TABLE else TERMINAL_DOORS

    def wires(self) -> dict[DeviceKind, WireAddress]:
        """Where each of its devices listens. The table itself takes no money, unless it is written."""
        money = "" if self.seat == THE_TABLE else FREE_PORT
        written: dict[DeviceKind, str] = {
            "acceptor": money if self.acceptor is None else self.acceptor,
            "printer": money if self.printer is None else self.printer,
            "doors": FREE_PORT if self.doors is None else self.doors,
        }
        return {kind: read_address(text) for kind, text in written.items() if text}


class BenchConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    page: BenchPage = BenchPage()
    place: tuple[BenchPlace, ...]


def demo_bench(seats: int, page: BenchPage) -> BenchConfig:
    """Table 1 with this number of seats, at free ports."""
    return BenchConfig(page=page, place=tuple(BenchPlace(seat=seat) for seat in range(seats + 1)))


def read_bench(text: bytes, name: str) -> BenchConfig:
    """A configuration in TOML."""
    try:
        config = msgspec.toml.decode(text, type=BenchConfig)
    except (msgspec.DecodeError, ValueError) as problem:
        raise BadBench(f"{name}: {problem}; allowed: see docs/emulators.md") from None
    numbers = [(place.table, place.seat) for place in config.place]
    if not 1 <= len(numbers) <= PLACES_MAX:
        raise BadBench(f"{name}: found {len(numbers)} places; allowed: 1 to {PLACES_MAX}")
    twice = {number for number in numbers if numbers.count(number) > 1}
    if twice:
        raise BadBench(f"{name}: found {sorted(twice)} more than once; allowed: each table and seat once")
    return config


# --- Places ---


def system_clock() -> HandsClock:
    return HandsClock(lambda: time.monotonic_ns() // 1_000_000, lambda: time.time_ns() // 1_000_000)


class EmulatedPlace:
    """The devices of one seat or table, their wires, and the hands that move them."""

    def __init__(
        self,
        *,
        acceptor: EmulatedAcceptor | None = None,
        printer: EmulatedPrinter | None = None,
        doors: EmulatedDoors | None = None,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        clock = system_clock()
        self.cables: dict[DeviceKind, Cable] = {}
        if acceptor:
            self.cables["acceptor"] = Cable(acceptor, clock.steady_ms, changed)
        if printer:
            self.cables["printer"] = Cable(printer, clock.steady_ms, changed)
        if doors:
            self.cables["doors"] = Cable(doors, clock.wall_ms, changed)
        self.hands = Hands(clock, acceptor=acceptor, printer=printer, doors=doors, plugs=self.cables)

    async def lay(self, wires: Mapping[DeviceKind, WireAddress]) -> None:
        """Power, then wires."""
        if "acceptor" in wires:
            self.hands.acceptor.power_on(self.hands.clock.steady_ms())
        for kind, address in wires.items():
            if kind == "doors" and address.kind != "tcp":
                raise BadAddress(f"found {str(address)!r} for doors; allowed: tcp://HOST:PORT")
            await self.cables[kind].lay(address)

    def close(self) -> None:
        for cable in self.cables.values():
            cable.close()

    def do(self, device: str, name: str, value: str = "") -> Happened:
        """A deed, and at once what follows from it on the wires."""
        happened = self.hands.do(device, name, value)
        for cable in self.cables.values():
            cable.run()
        return happened

    def addresses(self) -> dict[str, str]:
        return {kind: str(cable.address) for kind, cable in self.cables.items()}


class EmulatorBench:
    """All places, by table and seat."""

    def __init__(self, places: Mapping[tuple[int, int], EmulatedPlace]) -> None:
        self.places = places

    def place(self, table: int, seat: int) -> EmulatedPlace:
        found = self.places.get((table, seat))
        if found is None:
            allowed = ", ".join(f"{table}/{seat}" for table, seat in self.places)
            raise BadDeed(f"found table {table}, seat {seat}; allowed (table/seat): {allowed}")
        return found

    def addresses(self, page: str) -> dict[str, Any]:
        """Where everything listens, for other programs."""
        places = [
            {"table": table, "seat": seat, **place.addresses()} for (table, seat), place in self.places.items()
        ]
        return {"page": page, "places": places}


@asynccontextmanager
async def open_bench(config: BenchConfig) -> AsyncIterator[EmulatorBench]:
    """All devices, with power and wires."""
    places: dict[tuple[int, int], EmulatedPlace] = {}
    try:
        for each in config.place:
            wires = each.wires()
            place = EmulatedPlace(
                acceptor=EmulatedAcceptor() if "acceptor" in wires else None,
                printer=EmulatedPrinter() if "printer" in wires else None,
                doors=EmulatedDoors(each.doors_there) if "doors" in wires else None,
            )
            places[each.table, each.seat] = place
            await place.lay(wires)
        yield EmulatorBench(places)
    finally:
        for place in places.values():
            place.close()


def write_addresses(file: Path, addresses: Mapping[str, Any]) -> None:
    """Replace the file in one step, so that no one reads half of it."""
    new = file.with_name(f".{file.name}.{os.getpid()}")
    new.write_bytes(msgspec.json.format(msgspec.json.encode(addresses), indent=2) + b"\n")
    new.replace(file)
