"""Encodes events as records, and decodes the records of this version and of all earlier ones.

A field that equals its default is not written, so the default is part of the format. If you change a default, a
field, or what one of them means, raise `store.SCHEMA`, and add to `UPCASTS` a function that converts events of the
version before. A new event, or a new field whose default means what was true before, needs neither.
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
from stickman.rules.layout import Layout
from stickman.store import store
from stickman.store.store import DECODER, SCHEMA, Entry, Envelope, Head, Move, Record, seal
from stickman.table.ledger import is_shared, netted
from stickman.table.messages import Event

Raw = dict[str, Any]


def _settings_renamed(events: list[Raw]) -> list[Raw]:
    """The third version calls the limit of hand pays `hand_pay_over_cents`, and has several denominations where
    there was one. Otherwise it only adds events and fields. (What was paid by hand is in the events.)"""

    def renamed(name: str, value: Any) -> tuple[str, Any]:
        if name == "denomination_cents":
            return "denominations", [value]
        if name == "hand_pay_from_cents":
            return "hand_pay_over_cents", value
        return name, value

    return [
        {**event, "game": dict(renamed(*setting) for setting in event["game"].items())}
        if "game" in event
        else event
        for event in events
    ]


SWITCHES = {"keep_bets_set": "keep_bets", "auto_repeat_set": "auto_repeat", "shooter_play_set": "shooter_play"}
"""The player's switches, by the event that each had before version 4."""


def _switches_and_offers(events: list[Raw]) -> list[Raw]:
    """Version 4 has a single event, `switch_set`, for all of a player's switches. Its offers after a Place win
    (`WonOffer`) are objects; they were text such as `press:place.6:700`. The numbered state of a wager becomes the
    text `#N` here, and a name in `named`."""

    def parts(offer: str) -> Raw:
        kind, spot, cents = offer.split(":")
        return {"kind": kind, "spot": spot, "cents": int(cents)}

    def seat(settles: Raw) -> Raw:
        return {**settles, "offers": [parts(offer) for offer in settles.get("offers", ())]}

    def converted(event: Raw) -> Raw:
        kind = event.get("event")
        if kind == "settled":
            return {**event, "seats": [seat(each) for each in event["seats"]]}
        return {**event, "event": "switch_set", "switch": SWITCHES[kind]} if kind in SWITCHES else event

    numbered: list[Raw] = _with_states([converted(event) for event in events], lambda number: f"#{number}")
    return numbered


def _with_states(raw: Any, name: Callable[[Any], str]) -> Any:
    """Plain values, with the states of all wagers in them named. What has a state and a stake is a wager."""
    match raw:
        case list() | tuple():
            return [_with_states(each, name) for each in raw]
        case {"state": state, "stake_cents": _}:
            return {**raw, "state": name(state)}
        case dict():
            return {key: _with_states(each, name) for key, each in raw.items()}
    return raw


NUMBERED = """
pass come dont_pass dont_come
pass.odds come.2.odds come.3.odds come.4.odds come.5.odds come.6.odds come.8.odds come.9.odds come.10.odds
come.11.odds come.12.odds dont_pass.odds dont_come.4.odds dont_come.5.odds dont_come.6.odds dont_come.8.odds
dont_come.9.odds dont_come.10.odds
place.2 place.3 place.4 place.5 place.6 place.8 place.9 place.10 place.11 place.12
buy.2 buy.3 buy.4 buy.5 buy.6 buy.8 buy.9 buy.10 buy.11 buy.12
lay.4 lay.5 lay.6 lay.8 lay.9 lay.10
place_to_lose.4 place_to_lose.5 place_to_lose.6 place_to_lose.8 place_to_lose.9 place_to_lose.10
big.6 big.8 hard.4 hard.6 hard.8 hard.10 small big field low_field high_field
c e c_and_e seven any_craps horn horn.2 horn.3 horn.11 horn.12
hop.1-1 hop.1-2 hop.1-3 hop.1-4 hop.1-5 hop.1-6 hop.2-2 hop.2-3 hop.2-4 hop.2-5 hop.2-6 hop.3-3 hop.3-4 hop.3-5
hop.3-6 hop.4-4 hop.4-5 hop.4-6 hop.5-5 hop.5-6 hop.6-6
lucky_roller.low lucky_roller.high lucky_roller.all bonus.small bonus.tall bonus.all
hot_shooter lucky_shooter make_em_all fired_up
"""
"""The bets in the order in which the first three versions numbered their states. It never changes."""


def is_numbered(record: Record) -> bool:
    """Whether the record has the states of wagers by number, as the first three versions wrote them."""
    return not record.body.startswith(THIS_VERSION) and DECODER.decode(record.body).v < 4


def named(event: Event, layout: Layout) -> Event:
    """An event of a numbered record, with its states by name. State N is the Nth when the bets that the game offers
    stand in the order of `NUMBERED`, each with its states in the order of its machine; neither order may change."""
    written = ENCODER.encode(event)
    if b'"state":"#' not in written:
        return event
    by_name = _with_states(msgspec.json.decode(written), lambda number: _numbered_keys(layout)[int(number[1:])])
    return msgspec.convert(by_name, type(event), dec_hook=from_text, str_keys=True)


@functools.lru_cache(maxsize=64)
def _numbered_keys(layout: Layout) -> list[str]:
    return [key for bet in NUMBERED.split() if bet in layout.bets for key in layout.bets[bet].states]


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


assert floor_events.FloorEvent in Event.__subclasses__()  # the decoder knows only classes that are imported
EventList: Any = list[functools.reduce(operator.or_, _leaves(Event))]  # type: ignore[misc] # no fixed type
ENCODER = msgspec.json.Encoder(enc_hook=to_text)
THIS_VERSION = b'{"v":%d,' % SCHEMA
"""How the bytes of a record of this version begin."""


class Written(msgspec.Struct, frozen=True):
    """What is read back of a record."""

    v: int
    events: EventList


READER = msgspec.json.Decoder(Written, dec_hook=from_text)


def encoded(events: Sequence[Event]) -> msgspec.Raw:
    """Events as JSON. The order of a felt's wagers is kept, so that a table read again is exactly the same."""
    return msgspec.Raw(ENCODER.encode(events))


def events_of(record: Record) -> tuple[Event, ...]:
    """The events of a record, converted to this version. If the record `is_numbered`, its states are still `#N`:
    `named` needs the layout that the table has at that event."""
    try:
        if record.body.startswith(THIS_VERSION):
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
    """What events move in total, at most once between any two accounts."""
    transfers = [transfer for event in events for transfer in event.transfers]
    if not transfers:
        return ()
    return tuple(Move(t.source, t.target, t.cents) for t in netted(transfers))


def shared_of(moves: Iterable[Move]) -> tuple[tuple[str, int], ...]:
    """For each account that several streams share, its net change."""
    gains: Counter[str] = Counter()
    for move in moves:
        if is_shared(move.source):
            gains[move.source] -= move.cents
        if is_shared(move.target):
            gains[move.target] += move.cents
    return tuple(sorted((account, cents) for account, cents in gains.items() if cents))


def claims_of(events: Iterable[Event]) -> tuple[str, ...]:
    return tuple(claim for event in events for claim in event.claims)
