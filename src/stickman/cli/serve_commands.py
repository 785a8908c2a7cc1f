"""The commands of the live table: `serve` opens a floor, `backup` copies its journal."""

from __future__ import annotations

import asyncio
import gc
import json
import os
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import uvloop
from msgspec.structs import replace

from stickman.cli.shell import FILE, FOLDER, JSON, reporting, say
from stickman.floor.clock import FromTheFuture
from stickman.floor.journal import BadRecord
from stickman.rules.datafile import BadFile
from stickman.server import demo, limits, serving
from stickman.server.config import Plan, check_host, check_readers, plan, read_config
from stickman.server.floor import LiveFloor, open_floor
from stickman.server.operations import log_as_json
from stickman.server.program import program as installed
from stickman.store import shown
from stickman.store.keyfile import BadKey
from stickman.store.signing import Untrusted
from stickman.store.sqlite import open_sqlite
from stickman.store.store import BadStore, NotAppended, using

reports = reporting(BadFile, BadKey, BadStore, BadRecord, NotAppended, Untrusted, FromTheFuture)
GARBAGE_EVERY = 50_000
"""Objects made before Python looks for cycles: tables are values without cycles, and the search takes time."""


@click.command()
@click.option("--config", "file", type=FILE, help="The floor, as a TOML file; see docs/operating.md.")
@click.option("--demo", "is_demo", is_flag=True, help="One automated table with three seats, made where needed.")
@click.option("--folder", type=FOLDER, default="demo", show_default=True, help="Where the demonstration is made.")
@click.option(
    "--db", metavar="URL", envvar="STICKMAN_DB", help="Another database: a path, postgresql://… or @FILE."
)
@click.option("--host", help="Another address to listen at.")
@click.option("--port", type=click.IntRange(0, 65_535), help="Another port; 0 for any that is free.")
@click.option("--public", is_flag=True, help="Allow an address outside of private networks.")
@click.option("--despite-clock", is_flag=True, help="Open a journal once that is ahead of the machine's clock.")
@reports
def serve(
    *, file: Path | None, is_demo: bool, folder: Path, public: bool, despite_clock: bool, as_json: bool, **here: Any
) -> None:
    """Open a floor and serve its tables until it is stopped (SIGTERM, SIGINT).

    Prints its address when every table is open; logs are lines of JSON on standard error.
    """
    if is_demo == bool(file):
        raise click.UsageError("either --demo or --config FILE is needed")
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
    here["database"] = _absolute(here.pop("db"))
    config = replace(config, **{key: value for key, value in here.items() if value is not None})
    planned = plan(config, path.parent.absolute(), str(path))._replace(demo=is_demo, despite_clock=despite_clock)
    if is_demo:
        asyncio.run(demo.check_journal(planned))
    if warning := check_host(config.host, planned.lock, public=public):
        click.echo(f"Warning: {warning}" + ("" if planned.tls else ", and nothing is encrypted"), err=True)
    log_as_json()
    gc.set_threshold(GARBAGE_EVERY)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(planned, as_json=as_json))


def _absolute(db: str | None) -> str | None:
    """A typed path is relative to the current folder, not to the configuration; @FILE too."""
    if not db or ":" in db:
        return db
    return f"@{Path(db[1:]).absolute()}" if db.startswith("@") else str(Path(db).absolute())


async def _serve(planned: Plan, *, as_json: bool) -> None:
    limits.room(planned.config.limits, len(planned.tables))  # fails before anything else starts
    with closing(serving.listen(planned.config.host, planned.config.port)) as listening:
        host, port = listening.getsockname()[:2]
        url = f"{'https' if planned.tls else 'http'}://{f'[{host}]' if ':' in host else host}:{port}"
        async with open_floor(planned) as floor:
            server = serving.server(floor)
            printing = asyncio.create_task(_print_address(floor, url, as_json=as_json))
            try:
                await server.serve([listening])
            finally:
                printing.cancel()
                await asyncio.wait({printing})


async def _print_address(floor: LiveFloor, url: str, *, as_json: bool) -> None:
    """Print the address of the floor when it is open."""
    await floor.served()
    gc.freeze()
    plain: dict[str, object] = {"url": url, "tables": sorted(floor.plan.tables)}
    lines = [f"The floor is open at {url}: " + ", ".join(table.name for table in floor.plan.tables.values())]
    if floor.plan.demo:
        welcome = await demo.prepare(floor)
        links = {place: f"{url}{path}" for place, path in welcome.links.items()}
        plain |= {"links": links, "badge": welcome.badge, "one_time_password": welcome.one_time_password}
        lines += [f"  {place:<15} {link}" for place, link in links.items()]
        lines.append("Each link enrols one screen and is valid for a day.")
        password = welcome.one_time_password or "the password that was chosen"
        lines.append(f"Staff sign in as {welcome.badge} with {password}.")
    click.echo(json.dumps(plain) if as_json else "\n".join(lines))


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
