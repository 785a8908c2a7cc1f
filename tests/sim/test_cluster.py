"""A run on a real scheduler with real workers: killed, late or interrupted, it comes to the same result."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Lock, Thread
from typing import NamedTuple

import dask
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from stickman.sim import cluster, run
from stickman.sim.ledger import Ledger
from stickman.sim.library import strategy
from stickman.sim.result import SimResult
from stickman.sim.run import Lab, simulate
from stickman.sim.strategy import Bet, Habit, Strategy, Terms, Unplayable
from tests.talk.games import laid

LAB = Lab(laid("roll-to-win"), strategy("pass-odds + hardways"), Terms(50_000, 200), seed=3)
SESSIONS, PIECE = 4_000, 100
SECONDS = 60

OWN = """
from stickman.sim.strategy import Bet, Habit, Strategy

LEAST = 500

def twice(cents):
    return 2 * cents

def wants(sees):
    yield Bet("field", twice(LEAST) if sees.puck else LEAST)

own = Strategy("own", (Habit(wants),))
"""
NEEDS_ANOTHER = "import beside\n" + OWN.replace("2 * cents", "beside.TWO * cents")


class Floor(NamedTuple):
    """A scheduler and its workers, each a process."""

    address: str
    workers: list[subprocess.Popen[bytes]]
    add: Callable[[], None]


@contextmanager
def processes() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []
    env = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}

    def start(*words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", *words]
        started.append(subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return started[-1]

    try:
        yield start
    finally:
        for process in started:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """The scheduler gives a task up with its first dead worker, not with its fourth; we do not."""
    address = f"tcp://127.0.0.1:{20_000 + os.getpid() % 20_000}"
    folder = tmp_path_factory.mktemp("dask")
    with processes() as start:
        port = address.rpartition(":")[2]
        start("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")
        words = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder))
        workers: list[subprocess.Popen[bytes]] = []

        def add() -> None:
            workers.append(start("distributed.cli.dask_worker", address, *words))

        add()
        add()
        await_workers(address, 2)
        yield Floor(address, workers, add)


def await_workers(address: str, count: int) -> None:
    with cluster._connected(address) as client:
        client.wait_for_workers(count, timeout=SECONDS)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "PIECE", PIECE)


@pytest.fixture(scope="module")
def serial() -> str:
    return simulate(LAB, SESSIONS).digest()


def there(
    address: str,
    lab: Lab,
    sessions: int,
    progress: Callable[[int], object] | None = None,
    ledger: Ledger | None = None,
) -> SimResult:
    """One strategy, on the cluster."""
    return cluster.compare(address, [lab], sessions, progress, ledger).results[0]


def test_workers_come_to_the_result_of_one_machine(floor: Floor, serial: str) -> None:
    heard: list[int] = []
    result = there(floor.address, LAB, SESSIONS, heard.append)
    assert result.digest() == serial
    assert sum(heard) == result.sessions == SESSIONS
    assert result.bets.keys() >= {"pass", "pass.odds", "hard.4", "hard.10"}


def test_strategies_are_compared_on_the_cluster_as_here(floor: Floor, tmp_path: Path) -> None:
    labs = [LAB, LAB._replace(strategy=loaded(tmp_path / "mine.py", OWN)), LAB._replace(strategy=strategy("pass"))]
    found = cluster.compare(floor.address, labs, 1_000)
    assert found == run.compare(labs, 1_000)
    assert [result.sessions for result in found.results] == [1_000] * 3


def test_a_strategy_from_a_file_travels_with_what_it_needs(floor: Floor, tmp_path: Path) -> None:
    """The workers have never seen the file, and it is gone when they play."""
    lab = LAB._replace(strategy=loaded(tmp_path / "mine.py", OWN))
    (tmp_path / "mine.py").unlink()
    assert there(floor.address, lab, 300).digest() == simulate(lab, 300).digest()


def loaded(file: Path, text: str) -> Strategy:
    file.write_text(text)
    spec = spec_from_file_location(file.stem, file)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found = module.own
    assert isinstance(found, Strategy)
    return found


def test_a_strategy_that_needs_a_file_beside_it_is_told_so(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "beside.py").write_text("TWO = 2")
    monkeypatch.syspath_prepend(tmp_path)
    lab = LAB._replace(strategy=loaded(tmp_path / "mine.py", NEEDS_ANOTHER))
    with pytest.raises(
        Unplayable, match="cannot load the strategy: No module named 'beside'; allowed: what it needs"
    ):
        there(floor.address, lab, 300)


def test_what_cannot_travel_is_told(floor: Floor) -> None:
    lock = Lock()
    clings = Strategy("clings", (Habit(lambda _: [Bet("field", 500)] if lock.locked() else []),))
    with pytest.raises(Unplayable, match="'clings' cannot be sent to a cluster"):
        there(floor.address, LAB._replace(strategy=clings), 10)


def test_an_address_where_nobody_answers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 1)
    with pytest.raises(Unplayable, match=r"no scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        there("tcp://127.0.0.1:9", LAB, 10)
    with pytest.raises(Unplayable, match="no scheduler answers at 'nowhere at all'"):
        there("nowhere at all", LAB, 10)


def test_an_address_where_something_else_answers_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    with server.accept()[0] as line:
                        line.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                        while line.recv(4096):  # closed with unread bytes, it would reset the connection
                            pass

        Thread(target=answer, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(Unplayable, match=f"no scheduler answers at '{address}': another program answers there"):
            there(address, LAB, 10)
        server.shutdown(socket.SHUT_RDWR)


def test_other_rules_on_a_worker_are_told() -> None:
    parcel = replace(cluster.packed([LAB]), fingerprint="another")
    with pytest.raises(Unplayable, match="a worker has other rules"):
        cluster.unpacked(parcel)


class Interrupted(Exception):
    """Ctrl-C, at a moment of the test's choosing."""


def test_an_interrupted_run_goes_on_from_its_ledger_here_or_there(
    floor: Floor, serial: str, tmp_path: Path
) -> None:
    """Begun on the cluster, interrupted; one more piece here, interrupted; ended on the cluster."""
    file = tmp_path / "run.ledger"
    heard: list[int] = []

    def until(pieces: int) -> Callable[[int], None]:
        def hears(sessions: int) -> None:
            heard.append(sessions)
            if len(heard) == pieces:
                raise Interrupted

        return hears

    with pytest.raises(Interrupted):
        there(floor.address, LAB, SESSIONS, until(5), Ledger(file))
    assert file.read_text().count("\n") == 1 + 5
    heard.clear()
    with pytest.raises(Interrupted):
        simulate(LAB, SESSIONS, 2, until(5 + 3), Ledger(file))
    assert file.read_text().count("\n") >= 1 + 5 + 3
    assert there(floor.address, LAB, SESSIONS, None, Ledger(file)).digest() == serial
    assert file.read_text().count("\n") == 1 + SESSIONS // PIECE


# --- TLS ---


def test_a_cluster_over_tls_needs_certificates() -> None:
    with pytest.raises(Unplayable, match="TLS needs certificates"):
        there("tls://127.0.0.1:9", LAB, SESSIONS)


def test_a_scheduler_answers_over_tls_to_those_who_have_a_certificate(tmp_path: Path) -> None:
    """And to nobody else: what is pickled there is run, so it matters who may connect."""
    files = certified(tmp_path)
    port = str(20_000 + (os.getpid() + 7_919) % 20_000)
    address = f"tls://127.0.0.1:{port}"
    tls = [word for option, file in files.items() for word in (f"--tls-{option}", str(file))]
    listens = ("--host", "127.0.0.1", "--port", port, "--no-dashboard")
    own = {f"distributed.comm.tls.client.{key}": str(files[key]) for key in ("cert", "key")}
    own["distributed.comm.tls.ca-file"] = str(files["ca-file"])
    with processes() as start, dask.config.set(own):
        start("distributed.cli.dask_scheduler", "--protocol", "tls", *listens, *tls)
        with cluster._connected(address):
            pass
        with pytest.raises(Unplayable, match="no scheduler answers"):
            there(address.replace("tls", "tcp"), LAB, SESSIONS)


def certified(folder: Path) -> dict[str, Path]:
    """A certificate that is its own authority, as options of dask name the files."""
    private, name = (
        ec.generate_private_key(ec.SECP256R1()),
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "x")]),
    )
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, private.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .sign(private, SHA256())
    )
    files = {"ca-file": folder / "node.pem", "cert": folder / "node.pem", "key": folder / "node.key"}
    files["cert"].write_bytes(made.public_bytes(Encoding.PEM))
    files["key"].write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return files


# --- Dying ---


def test_a_killed_worker_changes_nothing(floor: Floor, serial: str) -> None:
    """SIGKILL in the middle of the run, as when a node loses power; what it had is played by the other."""
    killed: list[int] = []

    def kills(_: int) -> None:
        if not killed:
            victim = floor.workers.pop()
            victim.send_signal(signal.SIGKILL)
            killed.append(victim.wait())

    assert there(floor.address, LAB, SESSIONS, kills).digest() == serial
    assert killed == [-signal.SIGKILL]


def test_all_workers_may_be_killed_and_others_come(floor: Floor, serial: str) -> None:
    heard: list[int] = []

    def kills(_: int) -> None:
        heard.append(time.monotonic_ns())
        if len(heard) == 3:
            while floor.workers:
                victim = floor.workers.pop()
                victim.kill()
                victim.wait()
            floor.add()

    assert there(floor.address, LAB, SESSIONS, kills).digest() == serial
    assert len(heard) == SESSIONS // PIECE
