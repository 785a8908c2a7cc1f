"""The commands of the live table: `serve` opens a floor, `backup` copies its journal."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import socket
import sys
import webbrowser
from contextlib import AsyncExitStack, closing, nullcontext
from pathlib import Path
from typing import Any, NamedTuple, TextIO
from urllib.parse import urlsplit

import click
import uvloop
from msgspec.structs import replace

from stickman.cli.shell import FILE, FOLDER, JSON, reporting, say
from stickman.floor.clock import FromTheFuture
from stickman.floor.journal import BadRecord
from stickman.rules.datafile import BadFile
from stickman.server import demo, demo_devices, limits, serving
from stickman.server.config import Plan, check_host, check_readers, plan, read_config
from stickman.server.floor import LiveFloor, open_floor
from stickman.server.operations import log_as_json
from stickman.server.program import program as installed
from stickman.store import shown
from stickman.store.keyfile import BadKey
from stickman.store.signing import Untrusted
from stickman.store.sqlite import open_sqlite
from stickman.store.store import BadStore, NotAppended, using

reports = reporting(
    BadFile, BadKey, BadStore, BadRecord, NotAppended, Untrusted, FromTheFuture, demo_devices.NotStarted
)
PORTS_TRIED = 20
"""Ports after the usual one that a demonstration tries before it takes any."""
OPENS_S = 30
"""How long the tables may take to open before that is said."""
LOG = "floor.log"
LAST_LOG = "floor.log.1"
GARBAGE_EVERY = 50_000
"""Objects made before Python looks for cycles: tables are values without cycles, and the search takes time."""


@click.command()
@click.option("--config", "file", type=FILE, help="The floor, as a TOML file; see docs/operating.md.")
@click.option("--demo", "is_demo", is_flag=True, help="A table of each game, three seats each, made where needed.")
@click.option("--folder", type=FOLDER, default="demo", show_default=True, help="Where the demonstration is made.")
@click.option(
    "--db", metavar="URL", envvar="STICKMAN_DB", help="Another database: a path, postgresql://… or @FILE."
)
@click.option("--host", help="Another address to listen at.")
@click.option("--port", type=click.IntRange(0, 65_535), help="Another port; 0 for any that is free.")
@click.option("--open", "opens", is_flag=True, help="Open the browser at the floor's address.")
@click.option("--public", is_flag=True, help="Allow an address outside of private networks.")
@click.option("--despite-clock", is_flag=True, help="Open a journal once that is ahead of the machine's clock.")
@reports
def serve(  # noqa: PLR0913 - its options
    *,
    file: Path | None,
    is_demo: bool,
    folder: Path,
    opens: bool,
    public: bool,
    despite_clock: bool,
    as_json: bool,
    **here: Any,
) -> None:
    """Open a floor and serve its tables until it is stopped (SIGTERM, SIGINT).

    Prints its address when every table is open. Logs are lines of JSON on standard error; those of a demonstration
    are in its folder, in floor.log.
    """
    if is_demo == bool(file):
        found = ", not both" if file else " is needed"
        raise click.UsageError(f"either --demo or --config FILE{found}")
    os.umask(0o077)
    path = file or demo.make_folder(folder)
    try:
        config = read_config(path.read_text("utf-8"), str(path))
    except UnicodeDecodeError as problem:
        raise BadFile(str(path), "", f"bytes that are not text ({problem})", "a TOML file") from None
    if config.demo and not is_demo:
        found = "the configuration of a demonstration"
        raise BadFile(str(path), "demo", found, "another floor, without that key")
    check_readers(path, config)
    named_port = here["port"] is not None
    here["database"] = _absolute(here.pop("db"))
    config = replace(config, **{key: value for key, value in here.items() if value is not None})
    planned = plan(config, path.parent.absolute(), str(path))._replace(demo=is_demo, despite_clock=despite_clock)
    if is_demo:
        asyncio.run(demo.check_journal(planned))
    if warning := check_host(config.host, planned.lock, public=public):
        click.echo(f"Warning: {warning}" + ("" if planned.tls else ", and nothing is encrypted"), err=True)
    if is_demo and (note := demo.older(path)):
        click.echo(note, err=True)
    says = Says(folder if is_demo else None, any_port=is_demo and not named_port, opens=opens, as_json=as_json)
    with demo.alone_in(folder) if is_demo else nullcontext():
        log_as_json(_new_log(folder) if is_demo else sys.stderr)
        gc.set_threshold(GARBAGE_EVERY)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_serve(planned, says))


def _new_log(folder: Path) -> TextIO:
    """The log of this start; that of the last one is kept next to it."""
    log = folder / LOG
    if log.exists():
        log.replace(folder / LAST_LOG)
    return log.open("w", encoding="utf-8", buffering=1)


class Says(NamedTuple):
    """How a floor opens, and what is said of it."""

    folder: Path | None
    """Of a demonstration."""
    any_port: bool
    """Another port may be taken, because nobody asked for this one."""
    opens: bool
    """The browser is opened."""
    as_json: bool


def _absolute(db: str | None) -> str | None:
    """A typed path is relative to the current folder, not to the configuration; @FILE too."""
    if not db or ":" in db:
        return db
    return f"@{Path(db[1:]).absolute()}" if db.startswith("@") else str(Path(db).absolute())


def _listen(host: str, port: int, *, any_port: bool) -> socket.socket:
    """A socket at this port; if it is taken and another will do, at the next that is free."""
    ports = [port, *range(port + 1, min(port + PORTS_TRIED, 65_535) + 1), 0] if any_port and port else [port]
    why = OSError()
    for tried in ports:
        try:
            return serving.listen(host, tried)
        except OSError as problem:
            why = problem
    found = f"{port}, which cannot be used at {host} ({why.strerror})"
    raise BadFile("the floor", "port", found, "another --port, or 0 for any that is free") from None


async def _serve(planned: Plan, says: Says) -> None:
    """Serve a floor; a demonstration with emulated devices."""
    config = planned.config
    limits.room(config.limits, len(planned.tables))  # fails before anything else starts
    with closing(_listen(config.host, config.port, any_port=says.any_port)) as listening:
        host, port = listening.getsockname()[:2]
        url = f"{'https' if planned.tls else 'http'}://{f'[{host}]' if ':' in host else host}:{port}"
        async with AsyncExitStack() as stack:
            found = None
            if says.folder:
                found = await stack.enter_async_context(
                    demo_devices.emulators(says.folder, demo.device_places(planned), url)
                )
                planned = planned._replace(config=replace(config, emulator=found.origin))
            floor = await stack.enter_async_context(open_floor(planned))
            server = serving.server(floor)
            greeting = asyncio.create_task(_greet(floor, url, found, says))
            greeting.add_done_callback(lambda _: server.handle_exit(signal.SIGTERM, None))
            try:
                await server.serve([listening])
            finally:
                greeting.cancel()
                await asyncio.wait({greeting})
            if not greeting.cancelled():
                greeting.result()  # what stopped it is said


async def _greet(floor: LiveFloor, url: str, found: demo_devices.Emulators | None, says: Says) -> None:
    """Print the address of the floor when it is open, and stay until the end; at a demonstration, drive its
    devices."""
    await _opened(floor, says)
    gc.freeze()
    ready = await demo.prepare(floor) if found else None
    _print_address(floor, url, ready, says)
    if says.opens:
        await asyncio.to_thread(webbrowser.open, url)
    async with AsyncExitStack() as stack:
        if says.folder and found and ready:
            await stack.enter_async_context(demo_devices.driven(says.folder, found, url, ready.devices))
            await demo_devices.welcome(floor, found)
        await asyncio.Event().wait()  # until the server stops


async def _opened(floor: LiveFloor, says: Says) -> None:
    """Wait until all tables are open. If that takes long, a demonstration says it on the terminal too."""
    opening = asyncio.ensure_future(floor.served())
    done, _ = await asyncio.wait({opening}, timeout=OPENS_S)
    if not done and says.folder:
        shut = ", ".join(str(number) for number in floor.plan.tables if number not in floor.pits)
        click.echo(f"Not open after {OPENS_S} seconds: table {shut}; {says.folder / LOG} says why.", err=True)
    await opening


def _print_address(floor: LiveFloor, url: str, welcome: demo.Welcome | None, says: Says) -> None:
    plain: dict[str, object] = {"url": url, "tables": sorted(floor.plan.tables)}
    names = ", ".join(table.name for table in floor.plan.tables.values())
    lines = [f"The floor is open at {url}", f"Tables: {names}"]
    if welcome:
        links = {place: f"{url}{path}" for place, path in welcome.links.items()}
        plain |= {"links": links, "badges": list(demo.STAFF), "password": demo.PASSWORD}
        wanted = floor.plan.config.port
        moved = "" if wanted in (0, urlsplit(url).port) else f" (port {wanted} is in use)"
        badges = " and ".join(f"{badge} ({role.value})" for badge, role in demo.STAFF.items())
        lines = [
            f"The demonstration is open at {url}{moved}",
            f"Staff sign in as {badges}; password: {demo.PASSWORD}",
            "Ctrl-C stops it; the next start goes on from there.",
        ]
    click.echo(json.dumps(plain) if says.as_json else "\n".join(lines))


@click.command()
@click.option("--files", is_flag=True, help="Print the digest of each file, for sha256sum --check.")
@JSON
def program(files: bool, as_json: bool) -> None:
    """Print the version and the SHA-256 of the installed program."""
    found = installed()
    plain = {"version": found.version, "sha256": found.sha256} | ({"files": found.files} if files else {})
    text = found.lines() if files else f"stickman {found.version}\n{found.sha256}\n"
    say(plain, lambda: click.echo(text, nl=False), as_json=as_json)


@click.command()
@click.argument("db")
@click.argument("file", type=FILE)
@reports
def backup(db: str, file: Path, as_json: bool) -> None:
    """Copy the SQLite journal DB to the new file FILE, while tables keep playing."""
    os.umask(0o077)
    path = db.removeprefix("sqlite:")
    if db.startswith(("postgres", "memory:")) or not Path(path).is_file():
        raise click.ClickException(
            f"{shown(db)}: found no SQLite journal; allowed: the path of one (PostgreSQL has pg_dump)"
        )

    async def copy() -> None:
        async with using(open_sqlite(path)) as store:
            await store.backup(str(file))

    asyncio.run(copy())
    size = file.stat().st_size
    click.echo(json.dumps({"file": str(file), "bytes": size}) if as_json else f"Wrote {file}, {size:,} bytes")
