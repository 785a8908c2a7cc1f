"""The stores that outlive their program, as in tests/store."""

from tests.store.conftest import kept_url  # noqa: F401 - a fixture, found by name
from tests.store.postgres_server import postgres_server, postgres_url  # noqa: F401 - fixtures, found by name
