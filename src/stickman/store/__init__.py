"""Stores: where records are kept for ever, in memory, in SQLite or in PostgreSQL."""

from __future__ import annotations

from stickman.store.store import BadStore, Store


async def open_store(url: str) -> Store:
    """The store that a URL names. `BadStore` if it names none, or if what is found there is no journal of ours."""
    # Each kind is imported when it is asked for: a table on SQLite starts without the driver of PostgreSQL.
    # ruff: noqa: PLC0415
    scheme, colon, rest = url.partition(":")
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
