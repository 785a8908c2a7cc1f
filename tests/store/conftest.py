"""Every kind of store, empty, by its URL."""

from pathlib import Path

import pytest

from tests.store.postgres_server import postgres_server, postgres_url  # noqa: F401 - fixtures, found by name

KEPT = ["sqlite", "postgres"]
STORES = ["memory", *KEPT]


def url_of(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    match kind:
        case "memory":
            return "memory:"
        case "sqlite":
            return f"sqlite:{tmp_path / 'journal.db'}"
        case "postgres":
            return str(request.getfixturevalue("postgres_url"))
    raise AssertionError(kind)


@pytest.fixture(params=STORES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store of any kind."""
    return url_of(request.param, request, tmp_path)


@pytest.fixture(params=KEPT)
def kept_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store that outlives its program."""
    return url_of(request.param, request, tmp_path)
