"""A run on many machines: the workers of a dask.distributed scheduler play its pieces.

A piece depends only on the run and on its first and last session. If a worker is killed, another plays its piece
again, with the same result to the last cent. A worker keeps the tables that it has explored. The game is sent as
its settings and each strategy by value, so that your strategy file need not be on the workers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

import cloudpickle  # type: ignore[import-untyped]  # it has no types
import distributed
from distributed.client import FutureCancelledError
from distributed.scheduler import KilledWorker

from stickman.rules import layout as layouts
from stickman.rules.game import Game
from stickman.sim import run
from stickman.sim.compare import Comparison
from stickman.sim.ledger import Ledger, Piece, fingerprint
from stickman.sim.run import Lab, LabPlayer, Team
from stickman.sim.strategy import Strategy, Terms, Unplayable

DASK: Any = distributed  # partly typed
SECONDS_TO_CONNECT = 20
AHEAD = 4
"""Pieces that wait at the scheduler for each thread of a worker."""


@dataclass(frozen=True)
class Parcel:
    """Labs as they are sent. They differ only in their strategies."""

    game: Game
    fingerprint: str
    strategies: list[bytes]
    terms: Terms
    seed: int
    states_max: int
    by_bet: bool


def packed(labs: Sequence[Lab]) -> Parcel:
    strategies = [_strategy_packed(lab.strategy) for lab in labs]
    layout, _, terms, seed, states_max, by_bet = labs[0]
    return Parcel(layout.game, layout.fingerprint, strategies, terms, seed, states_max, by_bet)


def _strategy_packed(strategy: Strategy) -> bytes:
    try:
        return bytes(cloudpickle.dumps(strategy))
    except (TypeError, AttributeError, ValueError) as problem:  # an open file, a lock, a socket
        raise Unplayable(f"strategy {strategy.name!r} cannot be sent to a cluster: {problem}") from None


def unpacked(parcel: Parcel) -> list[Lab]:
    layout = layouts.lay_out(parcel.game)
    if layout.fingerprint != parcel.fingerprint:
        raise Unplayable("a worker has other rules or pay tables; allowed: the same version of stickman everywhere")
    return [
        Lab(layout, _strategy_unpacked(each), parcel.terms, parcel.seed, parcel.states_max, parcel.by_bet)
        for each in parcel.strategies
    ]


def _strategy_unpacked(packed: bytes) -> Strategy:
    try:
        strategy = cloudpickle.loads(packed)
    except (ImportError, AttributeError) as problem:
        raise Unplayable(
            f"a worker cannot load the strategy: {problem}; allowed: what it needs is in its own file, or is "
            "installed on every worker"
        ) from None
    assert isinstance(strategy, Strategy)
    return strategy


# --- On a worker ---

_resting: dict[str, list[Team]] = {}
"""By run: players that no thread of this worker uses now, with what they have explored."""


def play(parcel: Parcel, name: str, piece: Piece) -> Comparison:
    if name not in _resting:
        _resting.clear()  # players of earlier runs
    try:
        team = _resting.setdefault(name, []).pop()
    except IndexError:
        team = Team([LabPlayer(lab) for lab in unpacked(parcel)])
    found = team.play(piece)
    _resting.setdefault(name, []).append(team)
    return found


# --- At the client ---


def compare(
    address: str,
    labs: Sequence[Lab],
    sessions: int,
    progress: Callable[[int], object] | None = None,
    ledger: Ledger | None = None,
) -> Comparison:
    """Play this many sessions with each strategy on the workers of the scheduler at this address."""
    name, parcel = fingerprint(labs, sessions, run.PIECE), packed(labs)
    whole_run = run.Run(labs, sessions, progress, ledger)
    todo = iter(whole_run.unfinished)
    with _connected(address) as client:
        futures = DASK.as_completed(loop=client.loop)
        pieces: dict[str, Piece] = {}

        def submit(piece: Piece) -> None:
            future = client.submit(play, parcel, name, piece, pure=False)
            pieces[future.key] = piece
            futures.add(future)

        for piece in islice(todo, AHEAD * max(2, sum(client.nthreads().values()))):
            submit(piece)
        for future in futures:
            piece = pieces.pop(future.key)
            found = _found(future)
            if found is None:
                submit(piece)
                continue
            whole_run.finish(piece, found)
            for another in islice(todo, 1):
                submit(another)
    return whole_run.whole


def _found(future: Any) -> Comparison | None:
    """The result of a piece; none if its workers were killed too often, which is not the fault of the piece."""
    try:
        found = future.result()
    except (KilledWorker, FutureCancelledError):
        return None
    assert isinstance(found, Comparison)
    return found


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    try:
        asyncio.run(_greet(address))
        client = DASK.Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as problem:
        first_line = str(problem).splitlines()[0]
        raise Unplayable(
            f"no scheduler answers at {address!r}: {first_line}; allowed: as in tcp://10.0.0.5:8786"
        ) from None
    with client:
        yield client


async def _greet(address: str) -> None:
    """Check that a scheduler answers; the client itself is slow to give up."""
    security = DASK.Security().get_connection_args("client")
    try:
        line = await DASK.comm.connect(address, timeout=SECONDS_TO_CONNECT, **security)
    except TypeError:  # a tls:// address, and dask has no certificates
        raise ValueError("TLS needs certificates in dask's configuration") from None
    except MemoryError:  # the beginning of another protocol, read as the length of a message
        raise ValueError("another program answers there") from None
    await line.close()
