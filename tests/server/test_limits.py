"""Buckets, counts and connections: what a limit lets through, and what it does with the rest."""

from __future__ import annotations

import asyncio
import resource
from pathlib import Path

import pytest
from msgspec import inspect

from stickman.rules.datafile import BadFile
from stickman.server.limits import BURST_OVER_S, Bucket, Buckets, Connections, Held, ServerLimits, WrongCodes, room
from tests.floor.evening import awaited

ROOT = Path(__file__).parents[2]


class Hand:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


# --- Rates ---


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    clock = Hand()
    bucket = Bucket(10, 20, clock)
    assert [bucket.take() for _ in range(20)] == [0] * 20
    assert bucket.take() == pytest.approx(0.1)
    clock.now += 0.1
    assert bucket.take() == 0


def test_an_empty_bucket_takes_nothing_and_owes_nothing() -> None:
    clock = Hand()
    bucket = Bucket(1, 3, clock)
    for _ in range(1_000):
        bucket.take()
    clock.now += 1
    assert bucket.take() == 0


def test_more_than_one_is_taken_at_once_or_not_at_all() -> None:
    bucket = Bucket(1, 100, Hand())
    assert bucket.take(60) == 0
    assert bucket.take(60) == pytest.approx(20)
    assert bucket.take(40) == 0


@awaited
async def test_those_who_wait_for_a_bucket_are_served_in_their_order() -> None:
    bucket, served = Bucket(200, 1), []

    async def wait(who: int) -> None:
        await bucket.turn()
        served.append(who)

    await asyncio.gather(*(wait(who) for who in range(6)))
    assert served == list(range(6))


def test_of_too_many_buckets_the_least_recently_used_is_forgotten() -> None:
    buckets: Buckets[str] = Buckets(1, 1, most=3)
    first = buckets.of("a")
    first.take()
    for name in ("b", "c", "a", "d"):
        buckets.of(name)
    assert buckets.of("a") is first
    assert len(buckets) == 3


def test_of_many_wrong_codes_few_are_journalled_and_a_pause_begins_anew() -> None:
    clock = Hand()
    wrong = WrongCodes(clock)
    told = [count for _ in range(25_000) if (count := wrong.another())]
    assert told == [1, *range(100, 1_000, 100), *range(1_000, 10_000, 1_000), 10_000, 20_000]
    clock.now += BURST_OVER_S
    assert wrong.another() == 1


# --- Connections ---


def admitted(connections: Connections, address: str, cut: list[Held]) -> Held:
    held = connections.admit(address, due=10)
    assert held
    held.abort = lambda: cut.append(held)
    return held


def test_of_too_many_strangers_of_an_address_the_oldest_is_cut() -> None:
    connections, cut = Connections(ServerLimits(strangers_of_an_address=3), 100), list[Held]()
    here = [admitted(connections, "10.0.0.1", cut) for _ in range(5)]
    there = admitted(connections, "10.0.0.2", cut)
    assert cut == here[:2]
    assert len(connections) == 4
    assert there not in cut


def test_a_terminal_that_is_known_is_not_cut_for_a_stranger() -> None:
    connections, cut = Connections(ServerLimits(connections=16), 16), list[Held]()
    screens = [admitted(connections, f"10.0.0.{number}", cut) for number in range(16)]
    for number, held in enumerate(screens[:15]):
        assert held.recognise(f"terminal-{number}")
    admitted(connections, "10.0.1.1", cut)
    assert cut == [screens[15]]


def test_where_all_are_known_there_is_no_room() -> None:
    connections, cut = Connections(ServerLimits(connections=16), 16), list[Held]()
    for number in range(16):
        assert admitted(connections, "10.0.0.1", cut).recognise(f"terminal-{number}")
    assert connections.admit("10.0.0.2", due=10) is None


def test_a_terminal_has_only_so_many_connections_and_those_that_go_make_room() -> None:
    connections, cut = Connections(ServerLimits(connections_of_a_terminal=4), 100), list[Held]()
    held = [admitted(connections, "10.0.0.1", cut) for _ in range(5)]
    assert [each.recognise("terminal-1") for each in held] == [True] * 4 + [False]
    held[0].gone()
    assert held[4].recognise("terminal-1")


def test_who_begins_another_request_is_a_stranger_until_it_shows_its_token() -> None:
    connections, cut = Connections(ServerLimits(strangers_of_an_address=1), 100), list[Held]()
    held = admitted(connections, "10.0.0.1", cut)
    held.recognise("terminal-1")
    admitted(connections, "10.0.0.1", cut)
    assert cut == []
    held.begin(now=5)
    assert held.due == 5 + ServerLimits().request_s
    admitted(connections, "10.0.0.1", cut)
    assert held in cut or len(cut) == 1


def test_what_is_late_deaf_or_slow_to_close_is_cut() -> None:
    connections, cut = Connections(ServerLimits(send_s=10), 100), list[Held]()
    late, deaf, closing, fine = (admitted(connections, "10.0.0.1", cut) for _ in range(4))
    deaf.due = closing.due = fine.due = None
    deaf.deaf_since, closing.is_closing = 5, lambda: True
    connections.sweep(10)
    assert cut == []
    connections.sweep(15.5)
    assert set(cut) == {late, deaf}
    connections.sweep(20.5)
    assert set(cut) == {late, deaf, closing}
    assert len(connections) == 1


def test_descriptors_are_kept_for_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1_024, 4_096))
    assert room(ServerLimits(), tables=3) == 1_024 - 64 - 6
    assert room(ServerLimits(connections=100), tables=3) == 100
    monkeypatch.setattr(resource, "getrlimit", lambda _: (80, 80))
    with pytest.raises(BadFile, match="80 file descriptors"):
        room(ServerLimits(), tables=3)


def test_every_limit_is_explained_to_operators() -> None:
    text = (ROOT / "docs" / "operating.md").read_text()
    known = inspect.type_info(ServerLimits)
    assert isinstance(known, inspect.StructType)
    for each in known.fields:
        assert isinstance(each.type, inspect.Metadata)
        number, means = each.type.type, (each.type.extra_json_schema or {})["description"]
        assert isinstance(number, inspect.IntType)
        assert f"| `{each.name}` | {each.default:,} | {number.ge:,} | {number.le:,} | {means} |" in text
