"""The commands `stickman device`: emulated devices as programs, moved by hand."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec.structs import replace

from stickman.cli.shell import FILE, JSON, one_line
from stickman.devices.emulated_acceptor import EmulatedAcceptor
from stickman.devices.emulated_bench import (
    FREE_PORT,
    PLACES_MAX,
    TABLE_DOORS,
    TERMINAL_DOORS,
    BadBench,
    BenchConfig,
    BenchPage,
    EmulatedPlace,
    demo_bench,
    open_bench,
    read_bench,
    write_addresses,
)
from stickman.devices.emulated_doors import EmulatedDoors
from stickman.devices.emulated_printer import EmulatedPrinter
from stickman.devices.emulated_wire import BadAddress, read_address
from stickman.devices.hands import BadDeed, help_lines, read_line
from stickman.devices.hands_page import HandsServer
from stickman.devices.signals import DeviceKind

Command = TypeVar("Command", bound=Callable[..., Any])

LINE_MAX = 200
"""A typed line has at most this many bytes. Of a longer one only the end is read."""


def _listen(addresses: str) -> Callable[[Command], Command]:
    return click.option(
        "--listen",
        default=FREE_PORT,
        show_default=True,
        metavar="ADDRESS",
        help=f"{addresses}; port 0 is any that is free.",
    )


LISTEN = _listen("tcp://HOST:PORT, rfc2217://HOST:PORT, pty or pty:LINK")
plain_errors = one_line(BadAddress, BadBench)


@click.group()
def device() -> None:
    """Emulate a device: its real wire on one side, your hands on the other.

    Type what your hands do, such as "bill 20.00"; "help" lists all. SIGTERM or SIGINT ends it.
    """


@device.command()
@LISTEN
@click.option(
    "--power-recovery/--no-power-recovery",
    default=True,
    help="Whether it repeats a vend valid that was not acknowledged.",
)
@click.option("--needs-reset", is_flag=True, help="Show a fault that is repaired until the host resets it.")
@JSON
@plain_errors
def acceptor(listen: str, power_recovery: bool, needs_reset: bool, as_json: bool) -> None:
    """A bill and ticket acceptor that speaks ID-003."""
    made = EmulatedAcceptor(power_recovery=power_recovery, needs_reset=needs_reset)
    watch = _Watch("acceptor", as_json=as_json)
    asyncio.run(_run_one(EmulatedPlace(acceptor=made, changed=watch.look), watch, listen))


@device.command()
@LISTEN
@click.option("--presenter", is_flag=True, help="It has a presenter, and says whether a slip is in it.")
@click.option("--process-ids/--no-process-ids", default=True, help="Whether it says what it has printed.")
@JSON
@plain_errors
def printer(listen: str, presenter: bool, process_ids: bool, as_json: bool) -> None:
    """A ticket printer that speaks ESC/POS."""
    made = EmulatedPrinter(presenter=presenter, process_ids=process_ids)
    watch = _Watch("printer", as_json=as_json)
    asyncio.run(_run_one(EmulatedPlace(printer=made, changed=watch.look), watch, listen))


@device.command()
@_listen("tcp://HOST:PORT")
@click.option("--table", is_flag=True, help="The doors of the table itself, not of a seat's terminal.")
@JSON
@plain_errors
def doors(listen: str, table: bool, as_json: bool) -> None:
    """The doors and the key switch of a place, as lines of text over TCP."""
    made = EmulatedDoors(TABLE_DOORS if table else TERMINAL_DOORS)
    watch = _Watch("doors", as_json=as_json)
    asyncio.run(_run_one(EmulatedPlace(doors=made, changed=watch.look), watch, listen))


async def _run_one(place: EmulatedPlace, watch: _Watch, listen: str) -> None:
    watch.place, kind = place, watch.kind
    stop = _stop_event()
    with closing(place):
        await place.lay({kind: read_address(listen)})
        address = place.addresses()[kind]
        watch.say({"device": kind, "address": address}, f"The {kind} listens at {address}")
        _read_lines(lambda line: _do(place, line, watch))
        await stop.wait()


def _do(place: EmulatedPlace, line: str, watch: _Watch) -> None:
    kind = watch.kind
    if line.strip() == "help":
        watch.say({"help": help_lines(kind)}, "\n".join(help_lines(kind)))
        return
    try:
        happened = place.do(kind, *read_line(line, kind))
    except BadDeed as problem:
        watch.say({"error": str(problem)}, f"Not done: {problem}")
        return
    plain = {"done": happened.done, "what": happened.what, "about": happened.about, "text": happened.text}
    slip = happened.slip or {}
    text = "\n".join([happened.text, *filter(None, (slip.get("text"), slip.get("number")))])
    watch.say(plain | ({"slip": slip} if slip else {}), text)


class _Watch:
    """Prints what happens to a device."""

    def __init__(self, kind: DeviceKind, *, as_json: bool) -> None:
        self.kind, self._as_json = kind, as_json
        self._last: dict[str, Any] = {}
        self.place: EmulatedPlace | None = None

    def say(self, plain: dict[str, Any], text: str) -> None:
        click.echo(json.dumps(plain) if self._as_json else text)

    def look(self) -> None:
        if self.place is None:
            return
        news = _news(self.place.hands.state()[self.kind])
        for name, value in news.items():
            if value != self._last.get(name, value):
                self.say({"now": name, "value": value}, f"  {name}: {value}")
        self._last = news


def _news(state: dict[str, Any]) -> dict[str, Any]:
    """The parts of the state that are printed when they change."""
    news = {"host": "connected" if state["connected"] else "gone"}
    if "status" in state:
        path = state["path"] or {}
        paper = f"{path['cents'] // 100}.00" if path.get("cents") else path.get("number", "")
        news["shows"] = f"{state['status']} {paper}".rstrip()
        news["stacker"] = f"{state['stacker']} papers"
    if "tray" in state:
        news["tray"] = "\n".join(["", *(slip["text"] for slip in state["tray"][:1])])
        news["hanging"] = f"{state['hanging']} rows"
    return news


def _stop_event() -> asyncio.Event:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


def _read_lines(take: Callable[[str], None]) -> None:
    """Call a function with each line of standard input, in the event loop, one at a time. The program runs on when
    its input ends."""
    loop = asyncio.get_running_loop()

    def give(line: str) -> None:
        taken = threading.Event()

        def take_it() -> None:
            take(line)
            taken.set()

        loop.call_soon_threadsafe(take_it)
        taken.wait()

    def read() -> None:
        held = b""
        with suppress(RuntimeError, OSError):  # the program stops, or has no input
            while data := os.read(0, LINE_MAX):
                *lines, held = (held + data).split(b"\n")
                held = held[-LINE_MAX:]
                for line in lines:
                    if line.strip():
                        give(line.decode("utf-8", "replace"))

    threading.Thread(target=read, daemon=True).start()


@device.command()
@click.option("--config", "file", type=FILE, help="Places and wires, as a TOML file; see docs/emulators.md.")
@click.option("--seats", type=click.IntRange(1, PLACES_MAX - 1), help="One table with this number of seats.")
@click.option("--addresses", type=FILE, help="Write where everything listens to this JSON file.")
@click.option("--listen", metavar="HOST:PORT", help="Where the page listens.  [default: a free port of 127.0.0.1]")
@click.option("--framed-by", multiple=True, metavar="ORIGIN", help="A page that may show this one in a frame.")
@click.option("--public", is_flag=True, help="Allow the page to listen at an address that others can reach.")
@JSON
@plain_errors
def bench(
    file: Path | None, seats: int | None, listen: str | None, framed_by: tuple[str, ...], **more: Any
) -> None:
    """The devices of many seats in one process, with a page on which you operate them by hand.

    Each seat has an acceptor, a printer, doors and a key; seat 0 is the table itself, with doors and a key.
    """
    if (file is None) == (seats is None):
        raise click.UsageError("give exactly one of --config FILE and --seats N")
    config = read_bench(file.read_bytes(), str(file)) if file else demo_bench(seats or 1, BenchPage())
    page = config.page
    page = replace(page, listen=listen or page.listen, framed_by=(*page.framed_by, *framed_by))
    asyncio.run(_run_bench(replace(config, page=page), **more))


async def _run_bench(config: BenchConfig, *, addresses: Path | None, public: bool, as_json: bool) -> None:
    stop = _stop_event()
    async with open_bench(config) as opened:
        server = HandsServer(opened, config.page, public=public)
        found = opened.addresses(server.url)
        if addresses:
            write_addresses(addresses, found)
        if as_json:
            click.echo(json.dumps(found))
        else:
            click.echo(f"Operate them by hand at {server.url}?table=1&seat=1")
            for place in found["places"]:
                click.echo("  ".join(f"{name} {value}" for name, value in place.items()))
        await server.run_until(stop)
