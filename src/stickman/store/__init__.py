"""Stores: they keep the records of a journal, in memory, in SQLite or in PostgreSQL."""

from __future__ import annotations

import re
from pathlib import Path

from stickman.store.keyfile import check_private
from stickman.store.store import BadStore, Store


async def open_store(url: str, *, create: bool = True) -> Store:
    """The store that a URL names. `BadStore` if it names none, if it finds something other than our journal, or
    if it finds nothing and may not create one."""
    # Import each kind only when needed: a table on SQLite starts without the driver of PostgreSQL.
    # ruff: noqa: PLC0415
    if not create and not _is_there(url):
        raise BadStore(f"{shown(url)}: there is no journal; allowed: the path of one, or postgresql://…")
    if url == "memory:":
        from stickman.store.memory import MemoryStore

        return MemoryStore()
    if url.startswith(("postgresql://", "postgres://")):
        from stickman.store.postgres import open_postgres

        return await open_postgres(url)
    if path := sqlite_path(url):
        from stickman.store.sqlite import open_sqlite

        return await open_sqlite(path)
    raise BadStore(f"{shown(url)!r} names no store: memory:, sqlite:PATH, a path or postgresql://… is allowed")


def sqlite_path(url: str) -> str:
    """The file that a URL names; empty if it names none.

    >>> sqlite_path("sqlite:floor.db"), sqlite_path("/var/floor.db"), sqlite_path("postgresql://db.local/floor")
    ('floor.db', '/var/floor.db', '')
    """
    scheme, colon, rest = url.partition(":")
    return url if not colon or "/" in scheme else rest if scheme == "sqlite" else ""


def shown(url: str) -> str:
    """A URL that may be shown: only the beginning of one that could contain a password.

    >>> shown("postgers://floor:secret@db.local/floor"), shown("sqlite:floor.db")
    ('postgers:…', 'sqlite:floor.db')
    """
    scheme, colon, _ = url.partition(":")  # even a misspelt URL would reveal its password
    return f"{scheme[:20]}{colon}…" if "@" in url or "password" in url.lower() else url


def has_password(url: str) -> bool:
    """Whether a URL contains a password.

    >>> has_password("postgresql://floor:secret@db.local/floor"), has_password("postgresql://floor@db.local/floor")
    (True, False)
    """
    return bool(re.search(r"//[^@]*:[^@]*@|[?&]password=", url))


def read_url(file: Path) -> str:
    """The URL of a database, from a file that only its owner may read."""
    check_private(file)
    url = file.read_text("utf-8").strip()
    if not url or len(url.splitlines()) != 1:
        raise BadStore(f"{file}: found {len(url.splitlines())} lines; allowed: one, the URL of a database")
    return url


def _is_there(url: str) -> bool:
    """Whether a journal could exist already; a server's database is checked when it is opened."""
    if url.startswith(("postgresql:", "postgres:")):
        return True
    path = sqlite_path(url)
    return bool(path) and Path(path).is_file() and Path(path).stat().st_size > 0
