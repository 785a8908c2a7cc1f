"""What every store promises, one scenario for each promise; they run unchanged on memory, SQLite and PostgreSQL.

`SCENARIOS` are given an open, empty store. `KEPT` are given the URL of an empty store which outlives its program,
and open it as often as they like. A scenario's name is the promise.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from stickman.store import open_store
from stickman.store.store import (
    EMPTY,
    FLOOR,
    Batch,
    Entry,
    Envelope,
    Fenced,
    Head,
    Lease,
    Move,
    Moved,
    NotAppended,
    Record,
    Store,
    StoredSnapshot,
    Taken,
    Unavailable,
    chained,
    seal,
)

ROOT = Path(__file__).parents[2]
AT_MS = 1_700_000_000_000
LEASE_MS = 2_000
SCENARIOS: list[Callable[[Store], Awaitable[None]]] = []
KEPT: list[Callable[[str], Awaitable[None]]] = []


def every_store(scenario: Callable[[Store], Awaitable[None]]) -> Callable[[Store], Awaitable[None]]:
    SCENARIOS.append(scenario)
    return scenario


def every_kept_store(scenario: Callable[[str], Awaitable[None]]) -> Callable[[str], Awaitable[None]]:
    KEPT.append(scenario)
    return scenario


# --- Records to append ---


def entry(  # noqa: PLR0913 - as many words as an entry has parts
    after: Head,
    *,
    stream: int = 1,
    command: str = "",
    actor: str = "seat:1",
    moves: tuple[Move, ...] = (),
    claims: tuple[str, ...] = (),
    shared: tuple[tuple[str, int], ...] = (),
    events: bytes = b'[{"event":"bet_placed","seat":1}]',
) -> Entry:
    seq = after.seq + 1
    envelope = Envelope(
        v=1, stream=stream, seq=seq, at_ms=AT_MS + seq, actor=actor, events=msgspec.Raw(events), command=command,
        claims=claims,
    )  # fmt: skip
    return Entry(seal(after, envelope), moves, claims, shared)


def chain(after: Head, commands: Iterable[str], *, stream: int = 1) -> tuple[Entry, ...]:
    """Consecutive entries with these command ids, each of which moves a dollar onto the felt."""
    entries = []
    for command in commands:
        entries.append(entry(after, stream=stream, command=command, moves=(bet(),)))
        after = entries[-1].record.head
    return tuple(entries)


def bet(cents: int = 100) -> Move:
    return Move("seat:1:credit", "seat:1:felt", cents)


def batch(under: Lease, after: Head, *entries: Entry) -> Batch:
    return Batch(under.stream, under.epoch, after, entries)


def on_floor(after: Head, *entries: Entry) -> Batch:
    return Batch(FLOOR, 0, after, entries)


async def listed(records: AsyncIterator[Record]) -> list[Record]:
    return [record async for record in records]


async def is_intact(store: Store, stream: int) -> bool:
    """Whether the records of a stream have no gap, chain from nothing, and end where its head says."""
    end = EMPTY
    async for record in store.records(stream):
        if record.seq != end.seq + 1 or record.digest != chained(end.digest, record.body):
            return False
        end = record.head
    return end == await store.head(stream)


async def follow(store: Store) -> int:
    """Wait for stream 1, own it for a moment, and tell the epoch."""
    async with store.own(1, "pit-2") as lease:
        return lease.epoch


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    store = await open_store(url)
    try:
        yield store
    finally:
        await store.close()


# --- Appending ---


@every_store
async def what_was_appended_reads_back_as_it_was(store: Store) -> None:
    async with store.own(1, "pit-1") as lease:
        first = entry(EMPTY, command="c-1", moves=(bet(),))
        second = entry(first.record.head, command="c-2", moves=(bet(250),))
        assert await store.append(batch(lease, EMPTY, first)) == first.record.head
        assert await store.append(batch(lease, first.record.head, second)) == second.record.head
    assert await listed(store.records(1)) == [first.record, second.record]
    assert await store.head(1) == second.record.head
    assert await store.record(1, 2) == second.record
    assert await store.record(1, 3) is None
    assert await is_intact(store, 1)


@every_store
async def a_batch_of_several_records_is_appended_in_order(store: Store) -> None:
    entries = chain(EMPTY, ["c-1", "c-2", "c-3"])
    async with store.own(1, "pit-1") as lease:
        assert await store.append(batch(lease, EMPTY, *entries)) == entries[-1].record.head
    assert [found async for found in store.entries(1)] == list(entries)


@every_store
async def a_batch_is_appended_whole_or_not_at_all(store: Store) -> None:
    async with store.own(1, "pit-1") as lease:
        head = await store.append(batch(lease, EMPTY, entry(EMPTY, claims=("ticket:7:redeemed",))))
        good = entry(
            head, command="c-2", moves=(bet(),), claims=("ticket:8:redeemed",), shared=(("progressive:fire", 5),)
        )
        bad = entry(good.record.head, command="c-3", claims=("ticket:9:redeemed", "ticket:7:redeemed"))
        with pytest.raises(Taken) as taken:
            await store.append(batch(lease, head, good, bad))
        assert taken.value.claim == "ticket:7:redeemed"
        assert await store.head(1) == head
        assert len(await listed(store.records(1))) == 1
        assert [found.moves async for found in store.entries(1)] == [()]
        assert await store.commanded(1, "c-2") is None
        assert await store.claimed("ticket:8:redeemed") is None
        assert await store.claimed("ticket:9:redeemed") is None
        assert await store.shared("progressive:fire") == {}
        assert await store.append(batch(lease, head, good)) == good.record.head


@every_store
async def a_command_id_is_accepted_once_in_a_stream(store: Store) -> None:
    async with store.own(1, "pit-1") as one, store.own(2, "pit-1") as two:
        first = entry(EMPTY, command="c-1")
        head = await store.append(batch(one, EMPTY, first))
        with pytest.raises(Taken) as taken:
            await store.append(batch(one, head, entry(head, command="c-1", moves=(bet(),))))
        assert taken.value.claim == "command:c-1"
        assert await store.head(1) == head
        assert await store.commanded(1, "c-1") == first.record
        assert await store.commanded(2, "c-1") is None
        elsewhere = entry(EMPTY, stream=2, command="c-1")
        await store.append(batch(two, EMPTY, elsewhere))
        assert await store.commanded(2, "c-1") == elsewhere.record


@every_store
async def a_command_id_is_accepted_once_in_a_batch(store: Store) -> None:
    async with store.own(1, "pit-1") as lease:
        with pytest.raises(Taken) as taken:
            await store.append(batch(lease, EMPTY, *chain(EMPTY, ["c-1", "c-2", "c-1"])))
        assert taken.value.claim == "command:c-1"
        assert await store.head(1) == EMPTY


@every_store
async def what_the_house_did_by_itself_needs_no_command_id(store: Store) -> None:
    async with store.own(1, "pit-1") as lease:
        entries = chain(EMPTY, ["", "", ""])
        await store.append(batch(lease, EMPTY, *entries))
    assert [record.command for record in await listed(store.records(1))] == ["", "", ""]
    assert await store.commanded(1, "") is None


@every_store
async def a_claim_is_taken_once_on_the_whole_floor(store: Store) -> None:
    async with store.own(1, "pit-1") as one, store.own(2, "pit-1") as two:
        await store.append(batch(one, EMPTY, entry(EMPTY, claims=("jackpot:fire:1",))))
        late = entry(EMPTY, stream=2, command="c-9", moves=(bet(),), claims=("jackpot:fire:1",))
        with pytest.raises(Taken) as taken:
            await store.append(batch(two, EMPTY, late))
        assert taken.value.claim == "jackpot:fire:1"
        assert await store.claimed("jackpot:fire:1") == ("jackpot:fire:1", 1, 1)
        assert await store.claimed("jackpot:fire:2") is None
        assert await store.head(2) == EMPTY
        assert await store.commanded(2, "c-9") is None
        await store.append(batch(two, EMPTY, late._replace(claims=("jackpot:fire:2",))))


@every_store
async def a_claim_is_taken_once_in_a_batch(store: Store) -> None:
    async with store.own(1, "pit-1") as lease:
        first = entry(EMPTY, claims=("ticket:7:issued",))
        second = entry(first.record.head, claims=("ticket:7:issued",))
        with pytest.raises(Taken) as taken:
            await store.append(batch(lease, EMPTY, first, second))
        assert taken.value.claim == "ticket:7:issued"
        assert await store.claimed("ticket:7:issued") is None


@every_store
async def a_bad_batch_fails_alone(store: Store) -> None:
    """Of twenty tables that append at once, five try to redeem what the floor redeemed already, five are behind."""
    head = await store.append(on_floor(EMPTY, entry(EMPTY, stream=FLOOR, claims=("ticket:99:redeemed",))))

    async def play(stream: int) -> object:
        async with store.own(stream, "pit-1") as lease:
            first = entry(EMPTY, stream=stream, command="c-1", moves=(bet(),))
            await store.append(batch(lease, EMPTY, first))
            claims = ("ticket:99:redeemed",) if stream % 4 == 0 else (f"ticket:{stream}:redeemed",)
            after = EMPTY if stream % 4 == 1 else first.record.head
            second = entry(after, stream=stream, command="c-2", moves=(bet(),), claims=claims)
            await all_ready.wait()
            return await store.append(batch(lease, after, second))

    all_ready = asyncio.Barrier(20)
    outcomes = await asyncio.gather(*map(play, range(1, 21)), return_exceptions=True)
    for stream, outcome in enumerate(outcomes, 1):
        expected = {0: Taken, 1: Moved}.get(stream % 4, Head)
        assert isinstance(outcome, expected), (stream, outcome)
        assert (await store.head(stream)).seq == (2 if expected is Head else 1)
        assert await is_intact(store, stream)
    assert await store.head(FLOOR) == head


@every_store
async def a_batch_that_begins_elsewhere_is_moved(store: Store) -> None:
    async with store.own(1, "pit-1") as lease:
        first, second = chain(EMPTY, ["c-1", "c-2"])
        await store.append(batch(lease, EMPTY, first))
        behind, ahead = EMPTY, second.record.head
        forged = Head(1, bytes(31) + b"\1")
        for after in behind, ahead, forged:
            with pytest.raises(Moved):
                await store.append(batch(lease, after, entry(after, command="c-3", moves=(bet(),))))
        assert await store.head(1) == first.record.head
        assert await store.commanded(1, "c-3") is None


@every_store
async def a_stream_that_nobody_owns_is_fenced(store: Store) -> None:
    for epoch in 0, 1:
        with pytest.raises(Fenced):
            await store.append(Batch(1, epoch, EMPTY, (entry(EMPTY),)))
    assert await store.head(1) == EMPTY
    assert await store.streams() == []


@every_store
async def an_append_under_another_epoch_is_fenced(store: Store) -> None:
    async with store.own(1, "pit-1") as lease:
        for epoch in 0, lease.epoch - 1, lease.epoch + 1:
            with pytest.raises(Fenced):
                await store.append(Batch(1, epoch, EMPTY, (entry(EMPTY),)))
    assert await store.head(1) == EMPTY


@every_store
async def fenced_is_said_before_moved_and_moved_before_taken(store: Store) -> None:
    async with store.own(1, "pit-1") as lease:
        first = entry(EMPTY, command="c-1")
        await store.append(batch(lease, EMPTY, first))
        with pytest.raises(Moved):
            await store.append(batch(lease, EMPTY, first))
        with pytest.raises(Fenced):
            await store.append(Batch(1, lease.epoch + 1, EMPTY, (first,)))


@every_store
async def many_tables_append_at_once(store: Store) -> None:
    """Twenty tables, ten bets each, every table waiting only for itself."""

    async def play(stream: int) -> None:
        async with store.own(stream, "pit-1") as lease:
            head = EMPTY
            for number in range(10):
                bets = entry(head, stream=stream, command=f"c-{number}", moves=(bet(),))
                head = await store.append(batch(lease, head, bets))

    await asyncio.gather(*map(play, range(1, 21)))
    assert await store.streams() == list(range(1, 21))
    for stream in range(1, 21):
        assert (await store.head(stream)).seq == 10
        assert await is_intact(store, stream)


@every_store
async def letters_of_any_alphabet_are_kept(store: Store) -> None:
    wide = entry(
        EMPTY,
        command="kommando-ÄÖ-骰子-🎲",
        actor="крупье-12",
        moves=(Move("кредит", "felt-骰", 10**15),),
        claims=("jackpot:火:1",),
        shared=(("progressive:火", 3),),
        events='[{"event":"réglé"}]'.encode(),
    )
    async with store.own(1, "pit-Ω") as lease:
        await store.append(batch(lease, EMPTY, wide))
    assert [found async for found in store.entries(1)] == [wide._replace(shared=())]
    assert await store.commanded(1, "kommando-ÄÖ-骰子-🎲") == wide.record
    assert await store.claimed("jackpot:火:1") == ("jackpot:火:1", 1, 1)
    assert await store.shared("progressive:火") == {1: 3}


@every_store
async def a_long_record_is_kept(store: Store) -> None:
    long = entry(EMPTY, events=b'["' + b"seven-out " * 100_000 + b'"]')
    async with store.own(1, "pit-1") as lease:
        await store.append(batch(lease, EMPTY, long))
    assert await store.record(1, 1) == long.record


@every_store
async def whoever_stops_waiting_for_an_append_disturbs_nobody(store: Store) -> None:
    async with store.own(1, "pit-1") as one, store.own(2, "pit-1") as two:
        left = asyncio.create_task(store.append(batch(one, EMPTY, entry(EMPTY))))
        stays = asyncio.create_task(store.append(batch(two, EMPTY, entry(EMPTY, stream=2))))
        await asyncio.sleep(0)
        left.cancel()
        assert (await stays).seq == 1
        head = await store.append(batch(two, await stays, entry(await stays, stream=2)))
        assert head.seq == 2
        assert await is_intact(store, 1)


@every_store
async def a_batch_that_is_empty_or_not_consecutive_is_our_own_mistake(store: Store) -> None:
    async with store.own(1, "pit-1") as lease:
        first, second, third = chain(EMPTY, ["c-1", "c-2", "c-3"])
        elsewhere = entry(EMPTY, stream=2)
        for entries in (), (second,), (first, third), (elsewhere,):
            with pytest.raises(AssertionError):
                await store.append(batch(lease, EMPTY, *entries))
    assert await store.head(1) == EMPTY
    assert await store.streams() == []


# --- The floor's stream ---


@every_store
async def the_floor_has_epoch_0_for_ever(store: Store) -> None:
    assert await store.head(FLOOR) == EMPTY
    first = entry(EMPTY, stream=FLOOR, actor="badge-12")
    with pytest.raises(Fenced):
        await store.append(Batch(FLOOR, 1, EMPTY, (first,)))
    assert await store.append(on_floor(EMPTY, first)) == first.record.head
    assert await store.streams() == [FLOOR]
    assert await is_intact(store, FLOOR)


async def vie(store: Store, writer: str, wins: int) -> list[Head]:
    """Append to the floor so many times, reading its head again whenever somebody else was first."""
    won: list[Head] = []
    while len(won) < wins:
        head = await store.head(FLOOR)
        try:
            entered = entry(head, stream=FLOOR, actor=writer, command=f"{writer}-{len(won)}")
            won.append(await store.append(on_floor(head, entered)))
        except Moved:
            continue
    return won


@every_store
async def of_two_who_append_to_the_floor_one_wins_each_head(store: Store) -> None:
    both = await asyncio.gather(vie(store, "badge-12", 15), vie(store, "badge-34", 15))
    heads = sorted(both[0] + both[1])
    assert [head.seq for head in heads] == list(range(1, 31))
    assert heads == [record.head for record in await listed(store.records(FLOOR))]
    assert await is_intact(store, FLOOR)


@every_store
async def exactly_one_of_two_batches_after_the_same_head_is_appended(store: Store) -> None:
    outcomes = await asyncio.gather(
        *(store.append(on_floor(EMPTY, entry(EMPTY, stream=FLOOR, actor=who))) for who in ("badge-1", "badge-2")),
        return_exceptions=True,
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Head", "Moved"]
    assert len(await listed(store.records(FLOOR))) == 1


# --- Reading ---


@every_store
async def a_stream_nobody_wrote_is_empty(store: Store) -> None:
    assert await store.head(99) == EMPTY
    assert await store.streams() == []
    assert await listed(store.records(99)) == []
    assert [found async for found in store.entries(99)] == []
    assert await store.record(99, 1) is None
    assert await store.snapshot(99) is None
    assert await store.shared("progressive:fire") == {}


@every_store
async def records_are_read_from_after_a_number_up_to_another(store: Store) -> None:
    """Over several thousand records, so over every border between the portions that a store reads."""
    entries = chain(EMPTY, [""] * 4_100)
    async with store.own(1, "pit-1") as lease, store.own(2, "pit-1") as other:
        await store.append(batch(lease, EMPTY, *entries))
        await store.append(batch(other, EMPTY, *chain(EMPTY, ["c-1", "c-2"], stream=2)))
    records = [each.record for each in entries]
    assert await listed(store.records(1)) == records
    for after, upto in (0, 1), (999, 1_001), (1_000, 2_000), (1_024, 2_048), (4_099, None), (7, 7), (4_100, None):
        expected = records[after:upto]
        assert await listed(store.records(1, after, upto)) == expected
        assert [found.record async for found in store.entries(1, after, upto)] == expected
    assert await listed(store.records(1, after=4_000, upto=10_000)) == records[4_000:]
    assert all([found.moves == (bet(),) async for found in store.entries(1)])


@every_store
async def entries_carry_their_own_moves_and_claims(store: Store) -> None:
    first = entry(
        EMPTY,
        moves=(bet(), Move("house", "seat:2:credit", 3_500)),
        claims=("ticket:2:redeemed", "ticket:1:redeemed"),
        shared=(("progressive:fire", 1),),
    )
    second = entry(first.record.head)
    third = entry(second.record.head, moves=(bet(5),), claims=("ticket:3:issued",))
    async with store.own(1, "pit-1") as lease, store.own(2, "pit-1") as other:
        await store.append(batch(lease, EMPTY, first, second))
        await store.append(batch(lease, second.record.head, third))
        beside = entry(EMPTY, stream=2, moves=(bet(7),), claims=("ticket:4:issued",))
        await store.append(batch(other, EMPTY, beside))
    found = [each async for each in store.entries(1)]
    assert [each.record for each in found] == [first.record, second.record, third.record]
    assert [sorted(each.moves) for each in found] == [sorted(each.moves) for each in (first, second, third)]
    assert [sorted(each.claims) for each in found] == [sorted(each.claims) for each in (first, second, third)]
    assert {each.shared for each in found} == {()}
    assert [each async for each in store.entries(1, after=2)] == [third]


@every_store
async def whoever_reads_while_others_write_sees_no_gap(store: Store) -> None:
    async with store.own(1, "pit-1") as lease:
        head = await store.append(batch(lease, EMPTY, *chain(EMPTY, [""] * 1_500)))

        async def write() -> None:
            after = head
            for _ in range(60):
                after = await store.append(batch(lease, after, entry(after)))

        writing = asyncio.create_task(write())
        while not writing.done():
            numbers = [record.seq for record in await listed(store.records(1))]
            assert numbers == list(range(1, len(numbers) + 1))
            await asyncio.sleep(0)  # a store in memory never waits by itself
        await writing


@every_store
async def a_prefix_of_claims_is_taken_literally(store: Store) -> None:
    names = [
        "a%b:1",
        "a%b:2",
        "axb:1",
        "a_b:1",
        "aab:1",
        "a*b:1",
        "a\\b:1",
        "A%B:1",
        "a%",
        "a%c",
        "é:1",
        "z",
        "🎲:1",
    ]
    async with store.own(1, "pit-1") as lease:
        await store.append(batch(lease, EMPTY, entry(EMPTY, claims=tuple(names))))
    for prefix in "a%b", "a_b", "a*b", "a\\b", "a%", "a", "A", "", "é", "🎲", "nothing":
        found = [claimed async for claimed in store.claims(prefix)]
        assert found == [(name, 1, 1) for name in sorted(names) if name.startswith(prefix)], prefix


@every_store
async def claims_are_read_in_order_however_many(store: Store) -> None:
    names = [f"ticket:{number:05}:issued" for number in range(2_500)]
    async with store.own(1, "pit-1") as lease:
        claims = ("jackpot:fire:1", *reversed(names), "ticket;", "u")
        await store.append(batch(lease, EMPTY, entry(EMPTY, claims=claims)))
    assert [claimed.claim async for claimed in store.claims("ticket:")] == names


@every_store
async def an_account_that_tables_share_is_the_sum_over_them(store: Store) -> None:
    async def play(stream: int) -> None:
        async with store.own(stream, "pit-1") as lease:
            head = EMPTY
            for _ in range(5):
                gains = (("progressive:fire", stream), ("progressive:all", -1))
                head = await store.append(batch(lease, head, entry(head, stream=stream, shared=gains)))

    await asyncio.gather(*map(play, range(1, 9)))
    assert await store.shared("progressive:fire") == {stream: 5 * stream for stream in range(1, 9)}
    assert await store.shared("progressive:all") == dict.fromkeys(range(1, 9), -5)
    assert await store.shared("progressive:none") == {}


@every_store
async def only_the_newest_snapshot_is_kept(store: Store) -> None:
    for stream in 1, 2:
        async with store.own(stream, "pit-1") as lease:
            commands = [f"c-{number}" for number in range(10)]
            await store.append(batch(lease, EMPTY, *chain(EMPTY, commands, stream=stream)))
    early, late = (
        StoredSnapshot(1, Head(5, b"5" * 32), b"early"),
        StoredSnapshot(1, Head(9, b"9" * 32), b"late" * 100_000),
    )
    other = StoredSnapshot(2, Head(1, b"1" * 32), b"other")
    for snapshot in early, late, other:
        await store.keep_snapshot(snapshot)
    assert await store.snapshot(1) == late
    assert await store.snapshot(2) == other
    await store.keep_snapshot(early)
    assert await store.snapshot(1) == late


@every_store
async def a_snapshot_after_a_record_that_there_is_not_gives_way(store: Store) -> None:
    """Else whoever put it there would keep every later one out."""
    async with store.own(1, "pit-1") as lease:
        head = await store.append(batch(lease, EMPTY, entry(EMPTY)))
    await store.keep_snapshot(StoredSnapshot(1, Head(10**9, b"9" * 32), b"bogus"))
    await store.keep_snapshot(StoredSnapshot(1, head, b"good"))
    assert await store.snapshot(1) == StoredSnapshot(1, head, b"good")


@every_store
async def a_mac_is_kept_beside_its_record(store: Store) -> None:
    plain, other = chain(EMPTY, ["c-1", "c-2"])
    marked = [plain._replace(record=plain.record._replace(mac=b"m" * 40)), other]
    async with store.own(1, "pit-1") as lease:
        head = await store.append(batch(lease, EMPTY, marked[0]))  # alone, as a bet
        head = await store.append(batch(lease, head, marked[1]))
        more = entry(head, claims=("ticket:1:issued",))
        more = more._replace(record=more.record._replace(mac=b"n" * 40))
        await store.append(batch(lease, head, more))
    assert [record.mac async for record in store.records(1)] == [b"m" * 40, b"", b"n" * 40]
    assert [each.record.mac async for each in store.entries(1)] == [b"m" * 40, b"", b"n" * 40]
    found = await store.record(1, 1), await store.commanded(1, "c-1")
    assert [record and record.mac for record in found] == [b"m" * 40] * 2


@every_store
async def the_newest_claims_of_a_stream_come_first(store: Store) -> None:
    async with store.own(1, "pit-1") as lease:
        head = EMPTY
        for number in range(5):
            claims = (f"ticket:{9 - number}:issued", f"jackpot:{number}:1")
            head = await store.append(batch(lease, head, entry(head, claims=claims)))
    async with store.own(2, "pit-1") as lease:
        await store.append(batch(lease, EMPTY, entry(EMPTY, stream=2, claims=("ticket:0:issued",))))
    found = await store.newest_claims(1, 3)
    assert found == [("jackpot:4:1", 1, 5), ("ticket:5:issued", 1, 5), ("jackpot:3:1", 1, 4)]
    assert len(await store.newest_claims(1, 100)) == 10
    assert await store.newest_claims(7, 100) == []


@every_store
async def a_sound_store_has_no_strays_and_its_schema_is_as_migrated(store: Store) -> None:
    async with store.own(1, "pit-1") as lease:
        gains = (("progressive:fire", 5),)
        first = entry(EMPTY, claims=("ticket:1:issued",), shared=gains, moves=(bet(),))
        head = await store.append(batch(lease, EMPTY, first))
        await store.keep_snapshot(StoredSnapshot(1, head, b"state"))
    assert await store.all_shared() == {("progressive:fire", 1): 5}
    assert await store.strays() == []
    assert await store.schema_faults() == []


# --- Owning ---


@every_store
async def each_owner_has_a_higher_epoch_and_earlier_ones_are_fenced(store: Store) -> None:
    async with store.own(1, "pit-1") as early:
        head = await store.append(batch(early, EMPTY, entry(EMPTY)))
    async with store.own(1, "pit-2") as late:
        assert late.epoch > early.epoch
        assert not late.lost
        with pytest.raises(Fenced):
            await store.append(batch(early, head, entry(head)))
        await store.append(batch(late, head, entry(head)))


@every_store
async def two_owners_in_one_process_exclude_each_other(store: Store) -> None:
    async with store.own(1, "pit-1") as lease:
        following = asyncio.create_task(follow(store))
        done, _ = await asyncio.wait({following}, timeout=0.2)
        assert not done
        await store.append(batch(lease, EMPTY, entry(EMPTY)))
    assert await following > lease.epoch


@every_store
async def owners_of_different_streams_do_not_wait_for_each_other(store: Store) -> None:
    async with store.own(1, "pit-1") as one, store.own(2, "pit-1") as two:
        assert (one.stream, two.stream) == (1, 2)


@every_store
async def an_owner_that_fails_lets_go(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        async with store.own(1, "pit-1"):
            raise ZeroDivisionError
    async with store.own(1, "pit-2") as lease:
        await store.append(batch(lease, EMPTY, entry(EMPTY)))


@every_store
async def whoever_stops_waiting_for_a_stream_leaves_it_to_others(store: Store) -> None:
    async with store.own(1, "pit-1") as lease:
        following = asyncio.create_task(follow(store))
        await asyncio.wait({following}, timeout=0.1)
        following.cancel()
        await asyncio.wait({following})
        assert following.cancelled()
        await store.append(batch(lease, EMPTY, entry(EMPTY)))
    async with store.own(1, "pit-3") as late:
        assert late.epoch > lease.epoch


# --- The end ---


@every_store
async def appends_that_wait_when_it_closes_are_finished(store: Store) -> None:
    async with AsyncExitStack() as owned:  # left after the store is closed, which hurts nobody
        leases = [await owned.enter_async_context(store.own(stream, "pit-1")) for stream in range(1, 31)]
        batches = [batch(lease, EMPTY, entry(EMPTY, stream=lease.stream)) for lease in leases]
        waiting = [asyncio.create_task(store.append(each)) for each in batches]
        await asyncio.sleep(0)
        await store.close()
        assert [head.seq for head in await asyncio.gather(*waiting)] == [1] * 30


@every_store
async def a_closed_store_is_unavailable(store: Store) -> None:
    await store.close()
    with pytest.raises(Unavailable):
        await store.append(on_floor(EMPTY, entry(EMPTY, stream=FLOOR)))
    with pytest.raises(Unavailable):
        await store.head(FLOOR)
    await store.close()


# --- Stores that outlive their program ---


@every_kept_store
async def opened_again_everything_is_there(url: str) -> None:
    first = entry(
        EMPTY, command="c-1", moves=(bet(),), claims=("ticket:7:issued",), shared=(("progressive:fire", 5),)
    )
    snapshot = StoredSnapshot(1, first.record.head, b"state")
    async with opened(url) as store:
        async with store.own(1, "pit-1") as early:
            await store.append(batch(early, EMPTY, first))
            await store.keep_snapshot(snapshot)
        await store.append(on_floor(EMPTY, entry(EMPTY, stream=FLOOR)))
    async with opened(url) as store:
        assert await store.streams() == [FLOOR, 1]
        assert [found async for found in store.entries(1)] == [first._replace(shared=())]
        assert await store.commanded(1, "c-1") == first.record
        assert [claimed.claim async for claimed in store.claims("")] == ["ticket:7:issued"]
        assert await store.shared("progressive:fire") == {1: 5}
        assert await store.snapshot(1) == snapshot
        head = await store.head(1)
        async with store.own(1, "pit-1") as late:
            assert late.epoch > early.epoch
            with pytest.raises(Taken):
                await store.append(batch(late, head, entry(head, command="c-1")))
            await store.append(batch(late, head, entry(head, command="c-2")))


@every_kept_store
async def what_waited_when_it_closed_is_kept(url: str) -> None:
    store = await open_store(url)
    waiting = asyncio.create_task(store.append(on_floor(EMPTY, *chain(EMPTY, ["c-1", "c-2"], stream=FLOOR))))
    await asyncio.sleep(0)
    await store.close()
    head = await waiting
    async with opened(url) as again:
        assert await again.head(FLOOR) == head
        assert await is_intact(again, FLOOR)


@every_kept_store
async def two_stores_see_each_others_records_and_fences(url: str) -> None:
    async with opened(url) as here, opened(url) as there:
        async with here.own(1, "pit-1") as early:
            head = await here.append(batch(early, EMPTY, entry(EMPTY)))
            assert await there.head(1) == head
            with pytest.raises(Fenced):
                await there.append(Batch(1, early.epoch + 1, head, (entry(head),)))
        async with there.own(1, "pit-2") as late:
            with pytest.raises(Fenced):
                await here.append(batch(early, head, entry(head)))
            await there.append(batch(late, head, entry(head)))
        assert (await here.head(1)).seq == 2


@every_kept_store
async def two_stores_vie_for_the_floor_and_one_wins_each_head(url: str) -> None:
    async with opened(url) as here, opened(url) as there:
        both = await asyncio.gather(vie(here, "badge-12", 15), vie(there, "badge-34", 15))
        assert sorted(head.seq for heads in both for head in heads) == list(range(1, 31))
        assert await is_intact(here, FLOOR)


@every_kept_store
async def opened_by_two_at_once_it_is_made_once(url: str) -> None:
    stores = await asyncio.gather(open_store(url), open_store(url), open_store(url))
    for store in stores:
        assert await store.streams() == []
        await store.close()


@every_kept_store
async def a_quiet_owner_keeps_its_stream(url: str) -> None:
    """A lease is renewed as long as its owner lives, so that nobody takes over for longer than it lasts."""
    async with opened(url) as here, opened(url) as there:
        async with here.own(1, "pit-1") as lease:
            following = asyncio.create_task(follow(there))
            done, _ = await asyncio.wait({following}, timeout=LEASE_MS * 3 // 2 / 1_000)
            assert not done
            assert not lease.lost
            await here.append(batch(lease, EMPTY, entry(EMPTY)))
        await following


# --- An owner in another process: `python -m tests.store.contract URL` ---


async def own_elsewhere(url: str) -> None:
    """Own stream 1, append once, and say so; on each line of input append again and say what became of it."""
    async with opened(url) as store, store.own(1, "pit-elsewhere") as lease:
        head = await store.head(1)
        while True:
            try:
                head = await store.append(batch(lease, head, entry(head)))
                sys.stdout.write(f"appended {head.seq}\n")
            except NotAppended as failure:
                await renewed(lease)
                sys.stdout.write(f"{type(failure).__name__} lost={lease.lost}\n")
            sys.stdout.flush()
            if not await asyncio.to_thread(sys.stdin.readline):
                return


async def renewed(lease: Lease) -> None:
    """Wait until a renewal has found that the lease is lost; the time limit is the test's."""
    while not lease.lost:  # noqa: ASYNC110 - a lease has no event to wait for
        await asyncio.sleep(0.01)


@asynccontextmanager
async def owner_elsewhere(url: str) -> AsyncIterator[Process]:
    """Another process which owns stream 1 and has appended to it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.store.contract", url, stdin=PIPE, stdout=PIPE, cwd=ROOT
    )
    try:
        assert await said(process) == "appended 1"
        yield process
    finally:
        if process.returncode is None:
            os.kill(process.pid, signal.SIGCONT)
            process.kill()
        await process.communicate()


async def said(process: Process) -> str:
    assert process.stdout is not None
    async with asyncio.timeout(20):
        return (await process.stdout.readline()).decode().strip()


@every_kept_store
async def a_killed_owner_is_followed_at_once(url: str) -> None:
    async with opened(url) as store, owner_elsewhere(url) as owner:
        owner.kill()
        async with asyncio.timeout(LEASE_MS // 2 / 1_000), store.own(1, "pit-1") as lease:
            head = await store.head(1)
            assert head.seq == 1
            await store.append(batch(lease, head, entry(head)))


@every_kept_store
async def a_paused_owner_is_followed_within_its_lease_and_then_fenced(url: str) -> None:
    async with opened(url) as store, owner_elsewhere(url) as owner:
        owner.send_signal(signal.SIGSTOP)
        async with asyncio.timeout(LEASE_MS * 3 // 2 / 1_000) as limit, store.own(1, "pit-1") as lease:
            limit.reschedule(None)
            head = await store.head(1)
            head = await store.append(batch(lease, head, entry(head)))
            owner.send_signal(signal.SIGCONT)
            assert owner.stdin is not None
            owner.stdin.write(b"again\n")
            assert await said(owner) == "Fenced lost=True"
            assert not lease.lost
            await store.append(batch(lease, head, entry(head)))
        assert await is_intact(store, 1)


@every_kept_store
async def who_followed_a_paused_owner_is_not_followed_when_that_one_dies(url: str) -> None:
    async with opened(url) as store, opened(url) as third, owner_elsewhere(url) as owner:
        owner.send_signal(signal.SIGSTOP)
        async with store.own(1, "pit-1") as lease:
            owner.kill()
            owner.send_signal(signal.SIGCONT)
            await owner.wait()
            following = asyncio.create_task(follow(third))
            done, _ = await asyncio.wait({following}, timeout=LEASE_MS * 3 // 2 / 1_000)
            assert not done
            head = await store.head(1)
            await store.append(batch(lease, head, entry(head)))
        await following


if __name__ == "__main__":
    asyncio.run(own_elsewhere(sys.argv[1]))
