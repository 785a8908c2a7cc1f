"""A run on many machines: its pieces are played by the workers of a dask.distributed scheduler.

A piece depends on nothing but the run and its first and last session: one whose worker was killed is played again
by another, and the result is the same to the last cent. A worker keeps the tables that it has explored. The game is
sent as its settings, and the strategy by value: a file of one's own need not be on the workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
from stickman.sim.ledger import Ledger, Piece, fingerprint
from stickman.sim.result import Result
from stickman.sim.run import Lab, Player
from stickman.sim.strategy import Terms, Unplayable

DASK: Any = distributed  # partly typed
SECONDS_TO_CONNECT = 20
AHEAD = 4
"""Pieces that wait at the scheduler for each thread of a worker."""


@dataclass(frozen=True)
class Parcel:
    """A lab as it travels."""

    game: Game
    fingerprint: str
    strategy: bytes
    terms: Terms
    seed: int
    states_max: int
    by_bet: bool


def packed(lab: Lab) -> Parcel:
    """A lab, ready to travel."""
    try:
        strategy = cloudpickle.dumps(lab.strategy)
    except (TypeError, AttributeError, ValueError) as problem:  # what pickle says of an open file, a lock, a socket
        raise Unplayable(f"strategy {lab.strategy.name!r} cannot be sent to a cluster: {problem}") from None
    return Parcel(
        lab.layout.game, lab.layout.fingerprint, strategy, lab.terms, lab.seed, lab.states_max, lab.by_bet
    )


def unpacked(parcel: Parcel) -> Lab:
    """A lab that has arrived."""
    layout = layouts.compile(parcel.game)
    if layout.fingerprint != parcel.fingerprint:
        raise Unplayable("a worker has other rules or pay tables; allowed: the same version of stickman everywhere")
    try:
        strategy = cloudpickle.loads(parcel.strategy)
    except (ImportError, AttributeError) as problem:
        raise Unplayable(
            f"a worker cannot load the strategy: {problem}; allowed: what it needs is in its own file, or is "
            "installed on every worker"
        ) from None
    return Lab(layout, strategy, parcel.terms, parcel.seed, parcel.states_max, parcel.by_bet)


# --- On a worker ---

_resting: dict[str, list[Player]] = {}
"""By run, players that no thread of this worker uses now, with what they have explored."""


def play(parcel: Parcel, name: str, piece: Piece) -> Result:
    """Play a piece of the run of that name."""
    if name not in _resting:
        _resting.clear()  # those of runs before
    try:
        player = _resting.setdefault(name, []).pop()
    except IndexError:
        player = Player(unpacked(parcel))
    result = Result()
    result.add(player.play(*piece))
    result.refusals |= player.explorer.refusals
    _resting.setdefault(name, []).append(player)
    return result


# --- At home ---


def simulate(
    address: str,
    lab: Lab,
    sessions: int,
    progress: Callable[[int], object] | None = None,
    ledger: Ledger | None = None,
) -> Result:
    """Play so many sessions on the workers of the scheduler at this address. `progress` hears how many more are
    done; a ledger keeps what is finished, should this program be interrupted."""
    name, parcel = fingerprint(lab, sessions, run.PIECE), packed(lab)
    whole = Result()
    todo = iter(run.unfinished(lab, sessions, whole, progress, ledger))
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
            result = _result(future)
            if result is None:
                submit(piece)
                continue
            run.finish(piece, result, whole, progress, ledger)
            for another in islice(todo, 1):
                submit(another)
    return whole


def _result(future: Any) -> Result | None:
    """What a piece came to; none if its worker was killed once too often, which is not the fault of the piece."""
    try:
        result = future.result()
    except (KilledWorker, FutureCancelledError):
        return None
    assert isinstance(result, Result)
    return result


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    try:
        client = DASK.Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as problem:
        said = str(problem).splitlines()[0]
        raise Unplayable(
            f"no scheduler answers at {address!r}: {said}; allowed: as in tcp://10.0.0.5:8786"
        ) from None
    with client:
        yield client
