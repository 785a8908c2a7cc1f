"""The last rounds of a table: the wagers when bets closed, the dice, the payments.

All of it is in the journal. Events are complete in themselves, so nothing is calculated again.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import msgspec
from msgspec import Struct

from stickman.floor.journal import events_of
from stickman.rules.datafile import to_text
from stickman.rules.machine import Decided
from stickman.store.store import Store
from stickman.table import messages as m
from stickman.table.messages import Event

ROUNDS, ROUNDS_MAX = 10, 100
RECORDS_READ = 2_000
"""Records that are read first; more if they contain too few rounds."""
RECALLED = (m.BetsClosed, m.ShooterChosen, m.NoRollCalled, m.DiceRolled, m.Settled, m.RollVoided)


class Round(Struct, frozen=True):
    """A round; a seat gets its own part."""

    seq: int
    """The record that closed its bets."""
    at_ms: int
    puck: int | None
    """Its place when bets closed; none: unknown."""
    events: list[dict[str, Any]]
    """As in the journal, but results are names."""


async def rounds(store: Store, stream: int, wanted: int, seat: int = 0, since_ms: int = 0) -> list[Round]:
    """The last rounds of a table since a time, the newest last; for one seat only its own part."""
    head, reach = (await store.head(stream)).seq, RECORDS_READ
    while True:
        found = await _after(store, stream, max(0, head - reach), seat)
        if len(found) >= wanted or reach >= head or found[0].at_ms < since_ms:
            return [round_ for round_ in found if round_.at_ms >= since_ms][-wanted:]
        reach *= 4


async def _after(store: Store, stream: int, seq: int, seat: int) -> list[Round]:
    """The rounds whose bets closed after a record."""
    found: deque[Round] = deque(maxlen=ROUNDS_MAX)
    puck = None if seq else 0
    async for record in store.records(stream, seq):
        for event in events_of(record):
            if isinstance(event, m.BetsClosed):
                found.append(Round(record.seq, record.at_ms, puck, []))
            if isinstance(event, m.RollVoided):
                puck = found[-1].puck if found else None
            if isinstance(event, m.DiceRolled | m.PuckPutOff | m.SettingChanged):
                puck = event.hand.puck
            if isinstance(event, RECALLED) and found:
                found[-1].events.append(_plain(event, seat))
    return list(found)


def _plain(event: Event, seat: int) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(event, enc_hook=to_text, str_keys=True)
    if seat:
        plain.pop("transfers", None)
        if "seats" in plain:
            plain["seats"] = [each for each in plain["seats"] if each["seat"] == seat]
    for line in [line for each in plain.get("seats", ()) for line in each.get("lines", ())]:
        line["decided"] = Decided(line["decided"]).name.lower()
    return plain
