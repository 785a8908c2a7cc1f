"""Progressive meters that tables share (RULES 9, ruling 23): nothing is lost, nothing is paid twice."""

from __future__ import annotations

import asyncio
import os
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stickman.floor import meters
from stickman.floor.boxman import Boxman, NewRecord
from stickman.floor.office import Office
from stickman.floor.verify import verify
from stickman.rules.dice import Roll
from stickman.store.memory import MemoryStore
from stickman.store.store import Store, Taken
from stickman.table import messages as m
from stickman.table.decide import decide_given as decide
from stickman.table.evolve import evolve_all
from stickman.table.messages import Facts, Reading, Refused
from stickman.table.round import Fed, _contributions
from stickman.table.state import new_table
from tests.floor.evening import STARTS_MS, awaited
from tests.talk.devices import bill_stacked
from tests.talk.games import game

SEED = 2_500_000
METER = "make_em_all/100/MEA-01"
NINE = ("1-1", "1-2", "1-3", "1-4", "1-5", "4-4", "5-4", "5-5", "5-6")
"""Nine different totals; a 12 makes 'em all."""
CHANGES = ("make_em_all.on=true", "seats=10")


async def opened(store: Store) -> None:
    floor = await Office.open(store)
    owned = game("craps", *CHANGES).meter_terms("make_em_all")
    await floor.act(lambda now: meters.open_meter(now, meter=METER, agreed=owned), at_ms=STARTS_MS, actor="house")


async def asks(boxman: Boxman, request: m.Request | m.Reported, dice: m.Dice | None = None) -> tuple[m.Event, ...]:
    """As the pit does: read the meters, decide, write; where the jackpot is taken, read and decide again."""
    while True:
        shown = await meters.shown(boxman.store, boxman.table.game)
        decision = decide(boxman.table, request, Facts(now_ms=STARTS_MS, actor="x", meters=shown, dice=dice))
        assert not isinstance(decision, Refused), decision
        try:
            await boxman.write([NewRecord(decision, STARTS_MS, "x")], evolve_all(boxman.table, decision))
        except Taken:
            await boxman.read_again()
        else:
            return decision


async def rolls(boxman: Boxman, dice: str) -> tuple[m.Event, ...]:
    await asks(boxman, m.CloseBets())
    events = await asks(boxman, m.RollDice(), Roll.parse(dice)[:2])
    await asks(boxman, m.OpenBets())
    return events


async def nearly_all(boxman: Boxman, winners: int) -> None:
    """So many seats one total away from the whole meter."""
    for seat in range(1, winners + 1):
        await asks(boxman, bill_stacked(seat, 1_000))
        await asks(boxman, m.PlaceBet(seat=seat, spot="make_em_all", cents=100))
    for dice in NINE:
        await rolls(boxman, dice)


def awards(events: tuple[m.Event, ...]) -> dict[int, int]:
    [settled] = [event for event in events if isinstance(event, m.Settled)]
    return {seat.seat: seat.awards[METER] for seat in settled.seats}


@pytest.mark.parametrize("winners", range(2, 11))
@pytest.mark.parametrize("paid", ["in_full", "split"])
@awaited
async def test_winners_of_one_roll_are_paid_as_the_setting_says(winners: int, paid: str) -> None:
    """Each wager of a dollar fed the meter 5 cents; the seed comes back once."""
    store = MemoryStore()
    await opened(store)
    async with store.own(1, "x") as lease:
        playing = game("craps", *CHANGES, f"make_em_all.winners={paid}")
        boxman = await Boxman.sit(store, lease, playing, STARTS_MS)
        await nearly_all(boxman, winners)
        before = (await meters.read(store, METER)).cents
        assert before == SEED + 5 * winners
        won = awards(await rolls(boxman, "6-6"))
    each = before if paid == "in_full" else before // winners
    assert won == dict.fromkeys(range(1, winners + 1), each)
    assert await meters.read(store, METER) == Reading(SEED, 1)
    assert (await verify(store)).faults == []


@awaited
async def test_of_two_tables_that_win_at_once_the_later_gets_the_reseeded_meter() -> None:
    """Ruling 23: the order of commit decides; both read the same meter before either wrote."""
    store = MemoryStore()
    await opened(store)
    async with store.own(1, "x") as one, store.own(2, "y") as two:
        tables = [await Boxman.sit(store, lease, game("craps", *CHANGES), STARTS_MS) for lease in (one, two)]
        for boxman in tables:
            await nearly_all(boxman, 1)
            await asks(boxman, m.CloseBets())
        both = await asyncio.gather(*[asks(boxman, m.RollDice(), dice=(6, 6)) for boxman in tables])
        assert [awards(events) for events in both] == [{1: SEED + 10}, {1: SEED}]
        assert [event.hits for events in both for event in events if isinstance(event, m.Settled)] == [
            {METER: 1},
            {METER: 2},
        ]
    assert await meters.read(store, METER) == Reading(SEED, 2)
    assert (await verify(store)).faults == []


@awaited
async def test_what_tables_feed_beyond_the_cap_at_once_waits_for_the_next_jackpot() -> None:
    store = MemoryStore()
    await opened(store)
    capped = game("craps", *CHANGES, f"make_em_all.cap_cents={SEED + 3}")
    assert (await meters.shown(store, capped))[METER] == Reading(SEED)
    async with store.own(1, "x") as one, store.own(2, "y") as two:
        tables = [await Boxman.sit(store, lease, capped, STARTS_MS) for lease in (one, two)]
        facts = Facts(now_ms=STARTS_MS, actor="x", meters=await meters.shown(store, capped))
        for boxman in tables:  # both close on the same reading
            await asks(boxman, bill_stacked(1, 1_000))
            await asks(boxman, m.PlaceBet(seat=1, spot="make_em_all", cents=100))
            decision = decide(boxman.table, m.CloseBets(), facts)
            assert not isinstance(decision, Refused)
            await boxman.write([NewRecord(decision, STARTS_MS, "x")], evolve_all(boxman.table, decision))
    assert (await meters.read(store, METER)).cents == SEED + 6
    assert (await meters.shown(store, capped))[METER] == Reading(SEED + 3)


# --- Contributions, exact to the fraction ---


def fed(increment: int, reserve: int, stakes: list[int], *changes: str) -> tuple[int, int, Fraction]:
    """What the meter and the reserve got from these wagers, and what is carried, by the table's own arithmetic."""
    rates = (f"make_em_all.increment_bp={increment}", f"make_em_all.reserve_bp={reserve}")
    table = new_table(game("craps", *CHANGES, *rates, *changes))
    remainders, readings = dict[str, Fraction](), {METER: SEED}
    got = {f"progressive:{METER}": 0, f"progressive:{METER}:reserve": 0}
    for cents in stakes:
        for move in _contributions(table, "make_em_all", cents, Facts(), Fed(remainders, readings)):
            assert move.source == "house"
            got[move.target] += move.cents
    meter, kept = got.values()
    return meter, kept, sum(remainders.values(), Fraction(0))


@settings(max_examples=60)
@given(st.integers(0, 2_000), st.integers(0, 2_000), st.lists(st.integers(1, 50_000), max_size=60))
def test_not_a_fraction_of_a_cent_is_lost_or_made(increment: int, reserve: int, stakes: list[int]) -> None:
    meter, kept, carried = fed(increment, reserve, stakes)
    assert meter + kept + carried == Fraction(sum(stakes) * (increment + reserve), 10_000)
    assert 0 <= carried < 2


@settings(max_examples=60)
@given(st.integers(0, 300), st.lists(st.integers(1, 50_000), max_size=60))
def test_a_capped_meter_stops_at_its_cap_and_the_rest_is_in_the_reserve(room: int, stakes: list[int]) -> None:
    meter, kept, carried = fed(500, 100, stakes, f"make_em_all.cap_cents={SEED + room}")
    assert meter == min(room, sum(stakes) * 5 // 100)
    assert meter + kept + carried == Fraction(sum(stakes) * 6, 100)


def test_a_million_contributions_are_exact_to_the_fraction() -> None:
    """A million in the long run (STICKMAN_CONTRIBUTIONS), fewer in CI."""
    rng = random.Random(11)  # noqa: S311 - amounts, not secrets
    stakes = [rng.randint(1, 99_999) for _ in range(int(os.environ.get("STICKMAN_CONTRIBUTIONS", "10000")))]
    meter, kept, carried = fed(537, 123, stakes)
    assert meter + kept + carried == Fraction(sum(stakes) * 660, 10_000)
