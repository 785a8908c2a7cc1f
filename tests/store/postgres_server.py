"""A real PostgreSQL that belongs to whoever asks for it: its own cluster, in a directory that goes with it.

Tests ask for the fixtures `postgres_server` (one server a run) and `postgres_url` (one database a test); others say
`with PostgresServer() as server:`. It listens on a Unix socket in its directory and nowhere else.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

import asyncpg
import pytest

SETTINGS = """
listen_addresses = ''
unix_socket_directories = '{home}'
max_connections = 300
shared_buffers = '64MB'
log_min_error_statement = 'panic'  # else each claim that was taken logs a page of SQL
"""
MISSING = (
    "no PostgreSQL server was found (initdb and postgres, on the PATH, in `pg_config --bindir` or in"
    " /usr/lib/postgresql/*/bin): install it, on Debian or Ubuntu with `apt-get install postgresql`"
)
UNPRIVILEGED = {"postgres", "nobody"}
"""PostgreSQL refuses to run as root; where we are root, one of these runs it."""


def programs() -> Path:
    """The directory of the server's programs, the newest where there are several."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: -int(place.parent.name))
    if config := shutil.which("pg_config"):
        said = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=True)
        places.insert(0, Path(said.stdout.strip()))
    if found := shutil.which("postgres"):
        places.insert(0, Path(found).parent)
    for place in places:
        if (place / "initdb").exists() and (place / "postgres").exists():
            return place
    raise FileNotFoundError(MISSING)


class PostgresServer:
    """A server and its cluster. It runs inside its context; `stop`, `kill` and `start` may be called there.

    The cluster is made in `home` and stays there; without a home it is made in a temporary directory and goes."""

    def __init__(self, home: Path | None = None) -> None:
        self._programs = programs()
        known = {entry.pw_name for entry in pwd.getpwall()}
        self._user = max(UNPRIVILEGED & known) if os.geteuid() == 0 else None
        self._stays = home is not None
        # Not pytest's directory: others may not enter that one, and the path of a socket has to be short.
        self._home = home.absolute() if home else Path(tempfile.mkdtemp(prefix="stickman-pg-"))
        self._log = self._home / "log"
        self._data = self._home / "data"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            if not self._data.exists():
                self._make_cluster()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._process:
            self.kill()
        if not self._stays:
            shutil.rmtree(self._home)

    def start(self, *settings: str) -> None:
        """Start the server and wait until it answers; each setting as in `fsync=off`."""
        assert self._process is None, "it runs already"
        given = [f"--{setting}" for setting in settings]
        with self._log.open("ab") as log:
            self._process = self._popen("postgres", "-D", str(self._data), *given, output=log.fileno())
        while not self._answers():
            assert self._process.poll() is None, self._log.read_text()
            time.sleep(0.02)

    def stop(self) -> None:
        """Stop it in good order: what it knows is on disk, its sessions are told."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Let it crash: it writes nothing any more, and recovers at the next start."""
        self._end(signal.SIGQUIT)

    def database(self, name: str, encoding: str = "UTF8") -> str:
        """The URL of a database, which is made where it is missing."""
        with suppress(asyncpg.DuplicateDatabaseError):
            # Another template cannot be copied while somebody looks at it, nor to another encoding.
            self.tell("postgres", f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}'")
        return self.url(name)

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self._home}"

    def tell(self, database: str, sql: str) -> None:
        """Run statements in a database."""

        async def told() -> None:
            session = await asyncpg.connect(self.url(database))
            try:
                await session.execute(sql)
            finally:
                await session.close()

        asyncio.run(told())

    def _make_cluster(self) -> None:
        self._home.mkdir(parents=True, exist_ok=True)
        if self._user:
            shutil.chown(self._home, self._user)
        options = ["--auth=trust", "-Upostgres", "-EUTF8", "--locale=C", "--data-checksums", "--no-sync"]
        initdb = self._popen("initdb", f"-D{self._data}", *options, output=subprocess.PIPE)
        output, _ = initdb.communicate()
        assert initdb.returncode == 0, output.decode()
        with (self._data / "postgresql.conf").open("a") as settings:
            settings.write(SETTINGS.format(home=self._home))

    def _popen(self, program: str, *arguments: str, output: int) -> subprocess.Popen[bytes]:
        command = [str(self._programs / program), *arguments]
        return subprocess.Popen(command, cwd=self._home, user=self._user, stdout=output, stderr=subprocess.STDOUT)

    def _answers(self) -> bool:
        try:
            self.tell("postgres", "SELECT 1")
        except (OSError, asyncpg.CannotConnectNowError):
            return False
        return True

    def _end(self, how: signal.Signals) -> None:
        assert self._process, "it does not run"
        self._process.send_signal(how)
        self._process.wait()
        self._process = None


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """The server of this run; of this worker, where several work."""
    with PostgresServer() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """An empty database of this test's own."""
    yield postgres_server.database("floor")
    postgres_server.tell("postgres", "DROP DATABASE floor WITH (FORCE)")
