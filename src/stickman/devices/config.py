"""The configuration of a devices process, and the peripheral and port that each of its entries makes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from stickman.devices.acceptor_peripheral import AcceptorMemory, AcceptorPeripheral
from stickman.devices.doors import CONTACT_NAMES
from stickman.devices.doors_peripheral import DoorsMemory, DoorsPeripheral
from stickman.devices.escpos import CODE_PAGES, PaperFormat
from stickman.devices.gpio import Contact
from stickman.devices.id003 import USA
from stickman.devices.memory import Remembered
from stickman.devices.peripheral import Peripheral
from stickman.devices.ports import PortParity, PortSetup
from stickman.devices.printer import Setup
from stickman.devices.printer_peripheral import PrinterMemory, PrinterPeripheral

DEVICES_MAX = 256
"""Devices of one process."""
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
PORT = r"\A(/dev/[^\s]+|(socket|rfc2217)://[^\s/:]+:[0-9]{1,5})\Z"
SOCKET = "socket://"

PortAddress = Annotated[str, Meta(pattern=PORT)]
Baud = Annotated[int, Meta(ge=300, le=4_000_000)]
Code = Annotated[str, Meta(max_length=200)]


class AcceptorConfig(Struct, frozen=True, kw_only=True):
    """A bill and ticket acceptor that speaks ID-003."""

    port: PortAddress
    """Where it is."""
    code: Code = ""
    """The code of its place, which enrols it once."""
    baud: Baud = 9600
    parity: PortParity = "even"
    """`none` for a pseudo-terminal, which carries no parity."""
    country: Annotated[int, Meta(ge=0, le=255)] = USA
    """Only bills of this country are money: its code in the acceptor's currency assignment. 1 is the US dollar."""


class PaperConfig(Struct, frozen=True, kw_only=True):
    """What the printer can print."""

    columns: Annotated[int, Meta(ge=20, le=100)] = 42
    """Letters in a row."""
    dots: Annotated[int, Meta(ge=476, le=2_000)] = 512
    """Across the paper; a ticket's barcode has 476."""
    code_page: Annotated[int, Meta(ge=0, le=255)] = 16
    """The printer's number for the code page to use. 16 is Windows 1252."""
    chinese: bool = False
    """Whether it has the letters of GB 18030."""


class PrinterConfig(Struct, frozen=True, kw_only=True):
    """A printer that speaks ESC/POS."""

    port: PortAddress
    """Where it is."""
    code: Code = ""
    """The code of its place, which enrols it once."""
    baud: Baud = 38_400
    """Of a serial line."""
    parity: PortParity = "none"
    """Of a serial line."""
    proof: Literal["process_id", "status"] = "process_id"
    """How it proves that a ticket is printed. `status` is for a printer without process IDs (`GS ( H`)."""
    presenter: bool = False
    """Whether it has one, and answers `DLE EOT 20`."""
    paper: PaperConfig = PaperConfig()


class ContactConfig(Struct, frozen=True, kw_only=True):
    """One door or key."""

    line: Annotated[int, Meta(ge=0, le=1_023)] = 0
    """Its line on the chip."""
    active_low: bool = True
    """A switch to ground with a pull-up: low means closed, or on."""


class DoorsConfig(Struct, frozen=True, kw_only=True):
    """Doors and a key, on a GPIO chip or behind a socket."""

    port: PortAddress
    """`/dev/gpiochip…`, or a socket that speaks the wire of contacts."""
    code: Code = ""
    """The code of their place, which enrols them once."""
    contacts: dict[str, ContactConfig]
    """By name: a door (one of `CONTACT_NAMES`), or `key`."""


class DevicesConfig(Struct, frozen=True, kw_only=True):
    """The whole configuration file."""

    server: Annotated[str, Meta(pattern=r"\Ahttps?://[^\s/]+\Z")]
    """The address of the floor."""
    certificate: str = ""
    """A file with the certificates to trust, if the floor's is not signed by one that the system trusts."""
    memory: str = "devices.db"
    """The file that survives a restart."""
    acceptors: dict[str, AcceptorConfig] = {}
    """By a name of your choice."""
    printers: dict[str, PrinterConfig] = {}
    doors: dict[str, DoorsConfig] = {}


DeviceEntry = AcceptorConfig | PrinterConfig | DoorsConfig


class Mistake(NamedTuple):
    """What `BadFile` says of a file."""

    key: str
    found: str
    allowed: str


def mistakes(config: DevicesConfig) -> Iterator[Mistake]:
    """What types cannot say."""
    groups: dict[str, Mapping[str, DeviceEntry]] = {
        "acceptors": config.acceptors,
        "printers": config.printers,
        "doors": config.doors,
    }
    for group, named in groups.items():
        for name in named:
            if not NAME.fullmatch(name):
                yield Mistake(f"{group}.{name}", repr(name), f"a name of the form {NAME.pattern}")
    count = sum(map(len, groups.values()))
    if not 1 <= count <= DEVICES_MAX:
        yield Mistake("", f"{count} devices", f"1 to {DEVICES_MAX}")
    for name, printer in config.printers.items():
        if printer.paper.code_page not in CODE_PAGES:
            pages = ", ".join(map(str, CODE_PAGES))
            yield Mistake(f"printers.{name}.paper.code_page", str(printer.paper.code_page), f"one of {pages}")
    for name, doors in config.doors.items():
        yield from _contact_mistakes(f"doors.{name}", doors)
    used: dict[str, str] = {}
    ports = {f"{group}.{name}": device.port for group, named in groups.items() for name, device in named.items()}
    for key, port in ports.items():
        if (other := used.setdefault(port, key)) != key:
            yield Mistake(f"{key}.port", f"{port!r}, which {other} has", "a port of its own")


def _contact_mistakes(key: str, doors: DoorsConfig) -> Iterator[Mistake]:
    names = "one of " + ", ".join(CONTACT_NAMES)
    for name in doors.contacts:
        if name not in CONTACT_NAMES:
            yield Mistake(f"{key}.contacts.{name}", repr(name), names)
    if not doors.contacts:
        yield Mistake(f"{key}.contacts", "no contact", names)
    lines = [contact.line for contact in doors.contacts.values()]
    if not doors.port.startswith(SOCKET) and len(set(lines)) < len(lines):
        yield Mistake(f"{key}.contacts", f"lines {lines}", "a line of its own for each contact")


def device_entries(config: DevicesConfig) -> dict[str, DeviceEntry]:
    """Every device by its name in the memory and in logs, such as `acceptor.seat-1`."""
    return {
        **{f"acceptor.{name}": entry for name, entry in config.acceptors.items()},
        **{f"printer.{name}": entry for name, entry in config.printers.items()},
        **{f"doors.{name}": entry for name, entry in config.doors.items()},
    }


def kind_of(name: str) -> str:
    """The kind of the device with this name: `acceptor` of `acceptor.seat-1`."""
    return name.partition(".")[0]


def make_peripheral(entry: DeviceEntry, remembered: Remembered) -> Peripheral:
    match entry:
        case AcceptorConfig(country=country):
            return AcceptorPeripheral(remembered.memory_as(AcceptorMemory), country)
        case PrinterConfig(paper=paper):
            setup = Setup(
                paper=PaperFormat(
                    columns=paper.columns, dots=paper.dots, code_page=paper.code_page, chinese=paper.chinese
                ),
                proof=entry.proof,
                presenter=entry.presenter,
                baud=0 if entry.port.startswith(SOCKET) else entry.baud,
            )
            return PrinterPeripheral(remembered.memory_as(PrinterMemory), setup)
        case DoorsConfig(contacts=contacts):
            names = [CONTACT_NAMES[name] for name in contacts]
            return DoorsPeripheral(names, remembered.memory_as(DoorsMemory))


def port_setup(entry: DeviceEntry) -> PortSetup:
    if isinstance(entry, AcceptorConfig | PrinterConfig):
        return PortSetup(url=entry.port, baud=entry.baud, parity=entry.parity)
    if entry.port.startswith("/dev/"):
        contacts = tuple(
            Contact(name=CONTACT_NAMES[name], line=contact.line, active_low=contact.active_low)
            for name, contact in entry.contacts.items()
        )
        return PortSetup(url=entry.port, contacts=contacts)
    return PortSetup(url=entry.port)
