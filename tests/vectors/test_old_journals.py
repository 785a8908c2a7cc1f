"""What was once written is read for ever, by its version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from stickman.floor import journal
from stickman.floor.boxman import Page, turned
from stickman.floor.journal import BadRecord, Raw, events_of
from stickman.par.sheet import full_layout
from stickman.rules.felt import Felt
from stickman.rules.settings import load
from stickman.store.store import DECODER, EMPTY, SCHEMA, Envelope, Record, seal
from stickman.table import messages as m
from stickman.table.asking import layout_of
from tests.vectors.record import HERE, summary

FILES = sorted(HERE.glob("journal-v*.jsonl"))


def record_of(line: dict[str, Any]) -> Record:
    said = DECODER.decode(line["body"])
    digest = bytes.fromhex(line["digest"])
    return Record(said.stream, said.seq, said.at_ms, said.command, said.actor, line["body"].encode(), digest)


def test_every_version_has_a_journal_that_is_kept() -> None:
    kept = {file.stem.split("-")[1] for file in FILES}
    assert kept == {f"v{version}" for version in range(1, SCHEMA + 1)}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_old_journal_leads_to_the_table_that_it_led_to_then(file: Path) -> None:
    pages: dict[int, Page] = {}
    ends = 0
    for line in map(json.loads, file.read_text("utf-8").splitlines()):
        stream = line["stream"]
        if "end" in line:
            assert summary(pages[stream].table) == line["end"]
            ends += 1
        else:
            pages[stream] = turned(pages.get(stream), record_of(line))
    assert ends == len(pages) > 5


def felts(file: Path) -> Iterator[tuple[int, dict[int, Felt]]]:
    """After each record of a kept journal, the felts of its table; every wager is in a state of its spot."""
    pages: dict[int, Page] = {}
    for line in map(json.loads, file.read_text("utf-8").splitlines()):
        if "end" not in line:
            stream = line["stream"]
            table = (pages := {**pages, stream: turned(pages.get(stream), record_of(line))})[stream].table
            for seat in table.seats:
                for spot, wager in seat.felt.wagers.items():
                    assert layout_of(table).states[wager.state].spot == spot
            yield stream, {seat.number: seat.felt for seat in table.seats}


@pytest.mark.parametrize("version", ["1", "2", "3", "3-last"])
def test_a_state_that_an_old_journal_numbers_has_its_name_now(version: str) -> None:
    assert any(felt.wagers for _, table in felts(HERE / f"journal-v{version}.jsonl") for felt in table.values())


def test_the_same_sessions_in_the_third_and_the_fourth_version_lead_to_the_same_felts_at_each_record() -> None:
    numbered, named = (list(felts(HERE / f"journal-v{version}.jsonl")) for version in ("3-last", "4"))
    assert numbered == named


NUMBERED_STATES = {
    "craps": "81937180bc780fcf",
    "crapless": "6b2505b1ab046cd2",
    "easy": "8c51908e0babf306",
    "roll-to-win": "b54a5bc2be7a2c53",
    "shoot-to-win": "b54a5bc2be7a2c53",
}
"""Of the games with every side game, the digest of the states in their order. It never changes, because journals of
the first three versions have these numbers."""


@pytest.mark.parametrize("name", NUMBERED_STATES)
def test_the_states_that_old_journals_number_keep_their_order(name: str) -> None:
    layout = full_layout(load(name))
    keys = [key for bet in journal.NUMBERED.split() if bet in layout.bets for key in layout.bets[bet].states]
    assert hashlib.sha256("\n".join(keys).encode()).hexdigest()[:16] == NUMBERED_STATES[name]


# --- How an old version is brought up to date ---


def old_record(*events: Raw) -> Record:
    body = msgspec.Raw(msgspec.json.encode(events))
    return seal(EMPTY, Envelope(SCHEMA, 1, 1, 5, "x", body))


def test_events_of_an_older_version_are_brought_up_to_date_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if this program were two versions further, and had renamed a field and then split an event."""
    record = old_record({"event": "keep_bets_wished", "seat": 2, "wished": True})

    def renamed(events: list[Raw]) -> list[Raw]:
        return [{"event": "keep_bets_wished", "seat": event["seat"], "on": event["wished"]} for event in events]

    def split(events: list[Raw]) -> list[Raw]:
        kinds = ({"event": "switch_set", "switch": "keep_bets"}, {"event": "service_called"})
        return [{**event, **kind} for event in events for kind in kinds]

    monkeypatch.setattr(journal, "SCHEMA", SCHEMA + 2)
    monkeypatch.setattr(journal, "THIS_VERSION", b'{"v":%d,' % (SCHEMA + 2))
    monkeypatch.setattr(journal, "UPCASTS", {SCHEMA: renamed, SCHEMA + 1: split})
    assert events_of(record) == (m.SwitchSet(seat=2, switch="keep_bets", on=True), m.ServiceCalled(seat=2))


def third(*events: Raw) -> tuple[m.Event, ...]:
    body = msgspec.Raw(msgspec.json.encode(events))
    return tuple(events_of(seal(EMPTY, Envelope(3, 1, 1, 5, "x", body))))


def test_the_switches_of_the_third_version_are_one_event_now() -> None:
    kept = {"event": "keep_bets_set", "seat": 2, "on": True}
    lapsed = {"event": "auto_repeat_set", "seat": 3, "on": False, "why": "Not enough credit."}
    passed = {"event": "shooter_play_set", "seat": 1, "on": False}
    assert third(kept, lapsed, passed) == (
        m.SwitchSet(seat=2, switch="keep_bets", on=True),
        m.SwitchSet(seat=3, switch="auto_repeat", on=False, why="Not enough credit."),
        m.SwitchSet(seat=1, switch="shooter_play", on=False),
    )


def test_offers_and_fractions_of_the_third_version_are_in_parts_now() -> None:
    offers = ["press:place.6:700", "move:place.10:500"]
    seats = [{"seat": 1, "felt": {}, "lines": [], "paid_cents": 700, "offers": offers}]
    (settled,) = third({"event": "settled", "seats": seats, "under_a_cent": "2/3"})
    assert isinstance(settled, m.Settled)
    assert settled.seats[0].offers == (m.WonOffer("press", "place.6", 700), m.WonOffer("move", "place.10", 500))
    assert settled.under_a_cent == Fraction(2, 3)


@pytest.mark.parametrize("version", [0, -1, SCHEMA + 1])
def test_a_version_that_this_program_does_not_know_is_an_error_that_says_so(version: int) -> None:
    record = seal(EMPTY, Envelope(version, 1, 1, 5, "x", msgspec.Raw(b"[]")))
    with pytest.raises(BadRecord, match=f"version {version}; this program reads 1 to {SCHEMA}"):
        events_of(record)


@pytest.mark.parametrize(
    "event", [{"event": "no_such_event"}, {"event": "key_turned", "seat": "two", "on": True}, {"seat": 1}]
)
def test_an_event_that_cannot_be_read_is_an_error_that_names_its_record(event: Raw) -> None:
    with pytest.raises(BadRecord, match="record 1 of stream 1 cannot be read"):
        events_of(old_record(event))
