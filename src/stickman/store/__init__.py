"""Stores: where records are kept for ever, in memory, in SQLite or in PostgreSQL."""

from __future__ import annotations

from pathlib import Path

from stickman.store.store import BadStore, Store


async def open_store(url: str, *, create: bool = True) -> Store:
    """The store that a URL names. `BadStore` if it names none, or if what is found there is no journal of ours, or
    if nothing is there and none is to be made."""
    # Each kind is imported when it is asked for: a table on SQLite starts without the driver of PostgreSQL.
    # ruff: noqa: PLC0415
    scheme, colon, rest = url.partition(":")
    if not create and not _is_there(url):
        raise BadStore(f"{url}: there is no journal; allowed: the path of one, or postgresql://…")
    if url == "memory:":
        from stickman.store.memory import MemoryStore

        return MemoryStore()
    if scheme in ("postgresql", "postgres") and rest.startswith("//"):
        from stickman.store.postgres import open_postgres

        return await open_postgres(url)
    path = url if not colon or "/" in scheme else rest if scheme == "sqlite" else ""
    if path:
        from stickman.store.sqlite import open_sqlite

        return await open_sqlite(path)
    raise BadStore(f"{url!r} names no store: memory:, sqlite:PATH, a path or postgresql://… is allowed")


def _is_there(url: str) -> bool:
    """Whether a journal could be there already; a server's database is asked when it is opened."""
    if url.startswith(("postgresql:", "postgres:")):
        return True
    file = Path(url.removeprefix("sqlite:"))
    return url != "memory:" and file.is_file() and file.stat().st_size > 0
