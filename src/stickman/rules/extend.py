"""Bets and side games from outside the program, registered while a block runs.

They bring data: a pay row for each slot of a bet, the pay tables of a side game. Screens have no words for them and
print their titles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from stickman.rules import bets as catalogued
from stickman.rules import paytable
from stickman.rules.machine import Bet
from stickman.rules.paytable import PayRow, PayTable
from stickman.rules.side_games import REGISTRY
from stickman.rules.side_games.kind import SideGame


@contextmanager
def registered(
    bets: Iterable[Bet] = (),
    rows: Mapping[str, PayRow] | None = None,
    side_games: Iterable[SideGame] = (),
    tables: Mapping[str, dict[str, PayTable]] | None = None,
) -> Iterator[None]:
    """Add main bets with their pay rows, and side games with their pay tables, to the end of the catalogue. A game
    offers such a bet if its family is in the game's `bets`, and such a side game if it is `on`."""
    added: tuple[tuple[dict[str, Any], Mapping[str, Any]], ...] = (
        (catalogued.MORE, {bet.id: bet for bet in bets}),
        (paytable.MORE_ROWS, rows or {}),
        (REGISTRY, {side.name: side for side in side_games}),
        (paytable.MORE_TABLES, tables or {}),
    )
    for known, new in added:
        assert known.keys().isdisjoint(new), f"registered already: {known.keys() & new.keys()}"
        known.update(new)
    try:
        yield
    finally:
        for known, new in added:
            for name in new:
                del known[name]
