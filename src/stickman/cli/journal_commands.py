"""The commands for a journal's key and its checkpoints. docs/keys.md says when each is needed."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import click

from stickman.cli.floor_commands import act
from stickman.cli.shell import FILE, reporting, say
from stickman.cli.where import Where, written
from stickman.floor import seals
from stickman.floor.clock import FromTheFuture, wall_ms
from stickman.floor.events import CheckpointsBegun, Vouched
from stickman.floor.office import CONSOLE
from stickman.floor.tickets import REASON_MAX
from stickman.store import keyfile, open_store
from stickman.store.keyfile import BadKey
from stickman.store.sealed import JournalKey
from stickman.store.store import BadRecord, BadStore, NotAppended, Store, using

R = TypeVar("R")
reports = reporting(BadStore, NotAppended, BadRecord, BadKey, FromTheFuture)


@click.group()
def journal() -> None:
    """The key that vouches for a journal's records, and its checkpoints."""


@journal.command()
@click.argument("file", type=FILE)
@reports
def key(file: Path, as_json: bool) -> None:
    """Make a key in FILE. Keep a copy apart from the database, and keep it secret."""
    made = JournalKey.of(secrets.token_bytes(keyfile.KEY_BYTES))
    keyfile.write_key(file, made.secret)
    say({"key": str(file), "id": made.id}, f"Made {file}, key {made.id}", as_json=as_json)


@journal.command()
@click.option("--lost", is_flag=True, help="The key of the records so far is lost: vouch for them by their chain.")
@written
@reports
def adopt(lost: bool, db: Where, as_json: bool) -> None:
    """Vouch once for a journal without MACs. Stop all servers first.

    The whole journal is verified first.
    """
    found = db.key
    work = lambda store: seals.adopt(store, found, at_ms=wall_ms(), actor=CONSOLE, lost=lost)  # noqa: E731
    _show(_with_store(db.url, work), as_json=as_json)


@journal.command()
@click.option("--to", "new", type=FILE, required=True, help="The new key, made with `stickman journal key`.")
@written
@reports
def rotate(new: Path, db: Where, as_json: bool) -> None:
    """Change a journal to another key. Stop all servers first. Every record is checked under the old key; after
    that, the old key is no longer needed and useless to a thief."""
    before, after = db.key, JournalKey.of(keyfile.read_key(new))
    work = lambda store: seals.rotate(store, before, after, at_ms=wall_ms(), actor=CONSOLE)  # noqa: E731
    _show(_with_store(db.url, work), as_json=as_json)


@journal.command("begin-checkpoints")
@click.option("--reason", required=True, help="Why the last file is given up.")
@written
@reports
def begin_checkpoints(reason: str, db: Where, as_json: bool) -> None:
    """Start a new file of checkpoints. Move the last file away first, and keep it."""
    if not reason.strip() or len(reason) > REASON_MAX:
        raise click.ClickException(f"found a reason of {len(reason)} characters; allowed: 1 to {REASON_MAX}")
    act(db, lambda _: (CheckpointsBegun(reason=reason),))
    say({"reason": reason}, "The next checkpoint begins a new file.", as_json=as_json)


def _with_store(url: str, work: Callable[[Store], Awaitable[R]]) -> R:
    """Do some work with a journal without its key."""

    async def open_and_work() -> R:
        async with using(open_store(url, create=False)) as store:
            return await work(store)

    return asyncio.run(open_and_work())


def _show(event: Vouched, *, as_json: bool) -> None:
    records = sum(seq for seq, _ in event.heads.values())
    if as_json:
        click.echo(json.dumps({"key": event.key, "streams": len(event.heads), "records": records}))
    else:
        click.echo(f"The key {event.key} vouches for {records:,} records of {len(event.heads)} streams.")
