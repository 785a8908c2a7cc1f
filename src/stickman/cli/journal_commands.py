"""The commands that look after a journal's key and its checkpoints. docs/keys.md says when each is needed."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import click

from stickman.cli.floor_commands import act, now_ms, say
from stickman.cli.shell import JSON, telling
from stickman.cli.where import FILE, Where, written
from stickman.floor import seals
from stickman.floor.clock import FromTheFuture
from stickman.floor.events import CheckpointsBegun, Vouched
from stickman.floor.office import CONSOLE
from stickman.floor.tickets import REASON_MAX
from stickman.store import keyfile, open_store
from stickman.store.keyfile import BadKey
from stickman.store.sealed import JournalKey
from stickman.store.store import BadRecord, BadStore, NotAppended, Store

R = TypeVar("R")
clear_errors = telling(BadStore, NotAppended, BadRecord, BadKey, FromTheFuture)


@click.group()
def journal() -> None:
    """The key that vouches for a journal's records, and its checkpoints."""


@journal.command()
@click.argument("file", type=FILE)
@JSON
@clear_errors
def key(file: Path, as_json: bool) -> None:
    """Make a key in FILE. Keep a copy where the database is not, and keep it secret."""
    made = JournalKey.of(secrets.token_bytes(keyfile.KEY_BYTES))
    keyfile.write_key(file, made.secret)
    say({"key": str(file), "id": made.id}, f"Made {file}, key {made.id}", as_json=as_json)


@journal.command()
@click.option("--lost", is_flag=True, help="The key of the records so far is lost: vouch for them by their chain.")
@written
@JSON
@clear_errors
def adopt(lost: bool, db: Where, as_json: bool) -> None:
    """Vouch once for a journal from before there were MACs, with all servers stopped.

    The whole journal is verified first.
    """
    found = db.key
    work = lambda store: seals.adopt(store, found, at_ms=now_ms(), actor=CONSOLE, lost=lost)  # noqa: E731
    _tell(_with_store(db.url, work), as_json=as_json)


@journal.command()
@click.option("--to", "new", type=FILE, required=True, help="The new key, made with `stickman journal key`.")
@written
@JSON
@clear_errors
def rotate(new: Path, db: Where, as_json: bool) -> None:
    """Hand a journal on to another key, with all servers stopped. Every record is proven under the old one first;
    from then on the old key is not needed any more, and is worth nothing."""
    before, after = db.key, JournalKey.of(keyfile.read_key(new))
    work = lambda store: seals.rotate(store, before, after, at_ms=now_ms(), actor=CONSOLE)  # noqa: E731
    _tell(_with_store(db.url, work), as_json=as_json)


@journal.command("begin-checkpoints")
@click.option("--reason", required=True, help="Why the file before is given up.")
@written
@JSON
@clear_errors
def begin_checkpoints(reason: str, db: Where, as_json: bool) -> None:
    """Let a new file of checkpoints be begun. Move the one before away first, and keep it."""
    if not reason.strip() or len(reason) > REASON_MAX:
        raise click.ClickException(f"found a reason of {len(reason)} characters; allowed: 1 to {REASON_MAX}")
    act(db, lambda _: (CheckpointsBegun(reason=reason),))
    say({"reason": reason}, "The next checkpoint begins a new file.", as_json=as_json)


def _with_store(url: str, work: Callable[[Store], Awaitable[R]]) -> R:
    """Do something with a journal as it is, without a key."""

    async def open_and_work() -> R:
        store = await open_store(url, create=False)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(open_and_work())


def _tell(event: Vouched, *, as_json: bool) -> None:
    records = sum(seq for seq, _ in event.heads.values())
    if as_json:
        click.echo(json.dumps({"key": event.key, "streams": len(event.heads), "records": records}))
    else:
        click.echo(f"The key {event.key} vouches for {records:,} records of {len(event.heads)} streams.")
