"""The journal and the keys of a command: from options, from the environment, or from a `floor.toml`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from stickman.cli.shell import FILE, one_line
from stickman.rules.datafile import BadFile
from stickman.server.config import database_url, read_config
from stickman.store import keyfile, read_url
from stickman.store.keyfile import BadKey
from stickman.store.sealed import JournalKey
from stickman.store.store import BadStore

KEY = click.option("--journal-key", type=FILE, envvar="STICKMAN_JOURNAL_KEY", help="The key of the records' MACs.")
NOT_CHECKED = "The MACs of the records were not checked: no --journal-key was given."
clear_errors = one_line(BadFile, BadKey, BadStore)


class Where(NamedTuple):
    """A journal to write to, and its keys."""

    url: str
    journal_key: Path | None = None
    ticket_key: Path | None = None
    despite_clock: bool = False
    ticket_keys_before: tuple[Path, ...] = ()

    @property
    def key(self) -> JournalKey:
        """`BadKey` if none was given."""
        if self.journal_key is None:
            raise BadKey(
                "found no key of the journal; allowed: --journal-key FILE, STICKMAN_JOURNAL_KEY or --config FILE"
                " (`stickman journal key FILE` makes one)"
            )
        return JournalKey.of(keyfile.read_key(self.journal_key))

    @property
    def tickets(self) -> tuple[bytes, ...]:
        """The key of ticket numbers, then earlier ones; `BadKey` if none was given."""
        if self.ticket_key is None:
            raise BadKey(
                "found no key of tickets; allowed: --ticket-key FILE, STICKMAN_TICKET_KEY or --config floor.toml"
            )
        return tuple(map(keyfile.read_key, (self.ticket_key, *self.ticket_keys_before)))


class Shelf(NamedTuple):
    """A journal to read, with the key for its MACs if that was given."""

    url: str
    key: JournalKey | None = None


def _where(
    db: str | None, config: Path | None, journal_key: Path | None, ticket_key: Path | None, despite_clock: bool
) -> Where:
    url = read_url(Path(db[1:])) if db and db.startswith("@") else db
    before: tuple[Path, ...] = ()
    if config:
        floor, folder = read_config(config.read_text("utf-8"), str(config)), config.parent.absolute()
        url = url or database_url(floor.database, folder)
        journal_key = journal_key or (folder / floor.journal_key if floor.journal_key else None)
        ticket_key = ticket_key or folder / floor.ticket_key
        before = tuple(folder / each for each in floor.ticket_keys_before)
    if not url:
        raise BadStore("found no journal; allowed: --db URL, STICKMAN_DB or --config floor.toml")
    return Where(url, journal_key, ticket_key, despite_clock, before)


WHERE = ("db", "config", "journal_key", "ticket_key", "despite_clock")


def written(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options for a journal to write to; the command gets them as one `Where`, called `db`."""

    @click.option("--db", metavar="URL", envvar="STICKMAN_DB", help="The journal: a path, postgresql://… or @FILE.")
    @click.option("--config", type=FILE, envvar="STICKMAN_CONFIG", help="A floor.toml that names journal and keys.")
    @KEY
    @click.option("--ticket-key", type=FILE, envvar="STICKMAN_TICKET_KEY", help="The key of ticket numbers.")
    @click.option("--despite-clock", is_flag=True, help="Write once to a journal ahead of the machine's clock.")
    @clear_errors
    @wraps(command)
    def found(**options: Any) -> Any:
        where = {name: options.pop(name) for name in WHERE}
        return command(db=_where(**where), **options)

    return found


def read_only(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument DB and the key for its MACs; the command gets them as one `Shelf`."""

    @click.argument("db")
    @KEY
    @clear_errors
    @wraps(command)
    def found(db: str, journal_key: Path | None, **others: Any) -> Any:
        url = read_url(Path(db[1:])) if db.startswith("@") else db
        key = JournalKey.of(keyfile.read_key(journal_key)) if journal_key else None
        if key is None:
            click.echo(NOT_CHECKED, err=True)
        return command(db=Shelf(url, key), **others)

    return found
