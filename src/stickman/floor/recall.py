"""The last rounds of a table as they were: what lay when bets closed, the dice, what was paid.

All of it is read from the journal. Events are closed, so nothing is worked out again.
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
"""So many records are read at first; more where they hold too few rounds."""
RECALLED = (m.BetsClosed, m.ShooterChosen, m.NoRollCalled, m.DiceRolled, m.Settled, m.RollVoided)


class Round(Struct, frozen=True):
    """A round as it was; a seat is told its own part."""

    seq: int
    """The record that closed its bets."""
    at_ms: int
    puck: int | None
    """Where it lay; none: not known."""
    events: list[dict[str, Any]]
    """As the journal has them, but what was decided is told by name."""


async def rounds(store: Store, stream: int, wanted: int, seat: int = 0, since_ms: int = 0) -> list[Round]:
    """The last rounds of a table since a time, the newest last; of one seat only what concerns it."""
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
                found[-1].events.append(_told(event, seat))
    return list(found)


def _told(event: Event, seat: int) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(event, enc_hook=to_text, str_keys=True)
    if seat:
        told.pop("transfers", None)
        if "seats" in told:
            told["seats"] = [each for each in told["seats"] if each["seat"] == seat]
    for line in [line for each in told.get("seats", ()) for line in each.get("lines", ())]:
        line["decided"] = Decided(line["decided"]).name.lower()
    return told
