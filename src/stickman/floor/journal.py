"""What happened, as records: events into bytes and back, of this version of the program and of every earlier one.

The default of an event's field is part of its version, for what equals the default is not written: to change one,
or a field, or the meaning of either, raise `store.SCHEMA` and say in `UPCASTS` how the events before read now.
"""

from __future__ import annotations

import functools
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from stickman.floor import events as floor_events
from stickman.rules.datafile import to_text
from stickman.store import store
from stickman.store.store import DECODER, SCHEMA, Entry, Envelope, Head, Move, Record, seal
from stickman.table.ledger import is_shared, netted
from stickman.table.messages import Event

Raw = dict[str, Any]


def _settings_renamed(events: list[Raw]) -> list[Raw]:
    """The third version calls the limit of hand pays `hand_pay_over_cents`, and has several denominations where
    there was one. Else it only adds."""

    def renamed(name: str, value: Any) -> tuple[str, Any]:
        if name == "denomination_cents":
            return "denominations", [value]
        return "hand_pay_over_cents" if name == "hand_pay_from_cents" else name, value

    return [
        {**event, "game": dict(renamed(*setting) for setting in event["game"].items())}
        if "game" in event
        else event
        for event in events
    ]


SWITCHES = {"keep_bets_set": "keep_bets", "auto_repeat_set": "auto_repeat", "shooter_play_set": "shooter_play"}
"""By the event that each had before the fourth version, the switches of a player."""


def _switches_and_offers(events: list[Raw]) -> list[Raw]:
    """The fourth version has one event for every switch of a player, and what a Place win offers in parts, where it
    was `press:place.6:700`."""

    def parts(offer: str) -> Raw:
        kind, spot, cents = offer.split(":")
        return {"kind": kind, "spot": spot, "cents": int(cents)}

    def seat(settled: Raw) -> Raw:
        return {**settled, "offers": [parts(offer) for offer in settled.get("offers", ())]}

    def now(event: Raw) -> Raw:
        kind = event.get("event")
        if kind == "settled":
            return {**event, "seats": [seat(each) for each in event["seats"]]}
        return {**event, "event": "switch_set", "switch": SWITCHES[kind]} if kind in SWITCHES else event

    return [now(event) for event in events]


UPCASTS: dict[int, Callable[[list[Raw]], list[Raw]]] = {
    1: lambda events: events,  # the second version only adds events, and fields whose default is the old meaning
    2: _settings_renamed,
    3: _switches_and_offers,
}
"""By version, how its events read in the next one."""


BadRecord = store.BadRecord


def _leaves(kind: type[Event]) -> Iterator[type[Event]]:
    for below in kind.__subclasses__():
        yield from _leaves(below) if below.__subclasses__() else [below]


def from_text(kind: type, text: object) -> object:
    if kind is Fraction and isinstance(text, str):
        return Fraction(text)
    raise NotImplementedError(kind)


assert floor_events.FloorEvent in Event.__subclasses__()
EventList: Any = list[functools.reduce(operator.or_, _leaves(Event))]  # type: ignore[misc] # no fixed type
ENCODER = msgspec.json.Encoder(enc_hook=to_text)
NOW = b'{"v":%d,' % SCHEMA
"""How the bytes of a record of this version begin."""


class Written(msgspec.Struct, frozen=True):
    """What is read back of a record."""

    v: int
    events: EventList


READER = msgspec.json.Decoder(Written, dec_hook=from_text)


def encoded(events: Sequence[Event]) -> msgspec.Raw:
    """Events as JSON. The order of a felt's wagers is kept, so that a table read again is the same in all."""
    return msgspec.Raw(ENCODER.encode(events))


def events_of(record: Record) -> tuple[Event, ...]:
    """The events of a record, old ones as they read now."""
    try:
        if record.body.startswith(NOW):
            return tuple(READER.decode(record.body).events)
        raw = _upcast(DECODER.decode(record.body))
        return tuple(msgspec.convert(raw, EventList, dec_hook=from_text, str_keys=True))
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise BadRecord(f"record {record.seq} of stream {record.stream} cannot be read: {wrong}") from wrong


def _upcast(envelope: Envelope) -> list[Raw]:
    if not 0 < envelope.v <= SCHEMA:
        raise BadRecord(f"record {envelope.seq} has version {envelope.v}; this program reads 1 to {SCHEMA}")
    events: list[Raw] = msgspec.json.decode(envelope.events)
    for version in range(envelope.v, SCHEMA):
        events = UPCASTS[version](events)
    return events


# --- What is written with a record ---


def entry(  # noqa: PLR0913 - what a record is made of
    after: Head,
    events: Sequence[Event],
    *,
    stream: int,
    at_ms: int,
    actor: str,
    command: str = "",
    snapshot: str = "",
) -> Entry:
    """The record that follows a head, with its moves and claims."""
    moves, claims = moves_of(events), claims_of(events)
    envelope = Envelope(SCHEMA, stream, after.seq + 1, at_ms, actor, encoded(events), command, claims, snapshot)
    return Entry(seal(after, envelope), moves, claims, shared_of(moves))


def moves_of(events: Iterable[Event]) -> tuple[Move, ...]:
    """What events move in all, at most once between any two accounts."""
    transfers = [transfer for event in events for transfer in event.transfers]
    if not transfers:
        return ()
    return tuple(Move(t.source, t.target, t.cents) for t in netted(transfers))


def shared_of(moves: Iterable[Move]) -> tuple[tuple[str, int], ...]:
    """What the accounts that streams share gain."""
    gains: Counter[str] = Counter()
    for move in moves:
        if is_shared(move.source):
            gains[move.source] -= move.cents
        if is_shared(move.target):
            gains[move.target] += move.cents
    return tuple(sorted((account, cents) for account, cents in gains.items() if cents))


def claims_of(events: Iterable[Event]) -> tuple[str, ...]:
    return tuple(claim for event in events for claim in event.claims)
