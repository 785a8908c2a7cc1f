"""The pit: nothing is shown before it is durable, and a table that dies at any line goes on as if it had not."""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from types import FrameType
from typing import Any

import msgspec
import pytest

from stickman.floor.boxman import Boxman
from stickman.floor.clock import Clock
from stickman.floor.journal import events_of
from stickman.floor.verify import verify
from stickman.rules.game import Game
from stickman.server.house import Asked, House
from stickman.server.pit import Accepted, Pit, Unknown
from stickman.server.screens import FRAMES_KEPT, OUTBOX, Outbox
from stickman.store.memory import MemoryStore
from stickman.store.store import Batch, Head, Taken, Unavailable
from stickman.table import messages as m
from stickman.table.frames import Plain, merged, plain
from stickman.table.messages import Refused, Reported, Request
from stickman.table.view import HURRY_MS, view
from tests.floor.evening import STARTS_MS, awaited
from tests.server.scripted import ScriptedDice
from tests.talk.devices import bill_stacked
from tests.talk.games import game

KEY = bytes(32)
CASH = bill_stacked(1, 10_000)


class StillClock(Clock):
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.ms = STARTS_MS

    def now_ms(self) -> int:
        return self.ms


def house(*rolls: tuple[int, int], clock: Clock | None = None) -> House:
    return House(clock or StillClock(), ScriptedDice(rolls), (KEY,))


@asynccontextmanager
async def sitting(store: MemoryStore, *rolls: tuple[int, int], playing: Game | None = None) -> AsyncIterator[Pit]:
    async with store.own(1, "test") as lease:
        boxman = await Boxman.sit(
            store, lease, playing or game("craps", "seats=3", "timers.flight_ms=0"), STARTS_MS
        )
        yield Pit(boxman, house(*rolls))


async def ask(pit: Pit, request: Request | Reported, command: str = "", actor: str = "seat 1") -> Any:
    return await pit.step(Asked(request, actor, command))


async def a_round(pit: Pit) -> None:
    for request in (CASH, m.PlaceBet(seat=1, spot="pass", cents=1000), m.CloseBets(), m.RollDice(), m.OpenBets()):
        answer = await ask(pit, request)
        assert isinstance(answer, Accepted), answer


# --- A round ---


@awaited
async def test_a_round_is_played_and_written_record_by_record() -> None:
    store = MemoryStore()
    async with sitting(store, (6, 1)) as pit:
        await a_round(pit)
        assert pit.table.credit(1) == 11_000
        assert pit.boxman.page.head.seq == 6
    assert (await verify(store)).faults == []


@awaited
async def test_the_journal_says_which_draw_gave_the_dice() -> None:
    async with sitting(MemoryStore(), (6, 1)) as pit:
        await ask(pit, CASH)
        await ask(pit, m.PlaceBet(seat=1, spot="pass", cents=1000))
        await ask(pit, m.CloseBets())
        done = await ask(pit, m.RollDice())
        [rolled] = [event for event in done.events if isinstance(event, m.DiceRolled)]
        assert (rolled.dice, rolled.draw) == ((6, 1), "script dice 1")


@awaited
async def test_dice_in_the_air_are_durable_and_land_after_a_crash() -> None:
    store, flies = MemoryStore(), game("craps", "seats=3")
    async with sitting(store, (6, 1), playing=flies) as pit:
        for request in (CASH, m.PlaceBet(seat=1, spot="pass", cents=1000), m.CloseBets(), m.RollDice()):
            assert isinstance(await ask(pit, request), Accepted)
        assert pit.table.phase == "thrown"
    async with sitting(store, (1, 1), playing=flies) as again:
        assert isinstance(again.house.clock, StillClock)
        again.house.clock.ms += 2_000
        done = await ask(again, m.Tick())
        [rolled] = [event for event in done.events if isinstance(event, m.DiceRolled)]
        assert (rolled.dice, rolled.draw) == ((6, 1), "script dice 1")
        assert again.table.credit(1) == 11_000
    assert (await verify(store)).faults == []


@awaited
async def test_a_refusal_changes_nothing_and_is_not_written() -> None:
    store = MemoryStore()
    async with sitting(store) as pit:
        head = pit.boxman.page.head
        answer = await ask(pit, m.PlaceBet(seat=1, spot="pass", cents=1000), "c-1")
        assert isinstance(answer, Refused)
        assert answer.why is m.Refusal.CREDIT_SHORT
        assert await store.head(1) == head


@awaited
async def test_an_id_asked_twice_is_done_once_and_answered_the_same() -> None:
    async with sitting(MemoryStore(), (6, 1), (1, 1)) as pit:
        first = await ask(pit, CASH, "c-1")
        assert await ask(pit, CASH, "c-1") == first
        assert pit.table.credit(1) == 10_000
        await ask(pit, m.PlaceBet(seat=1, spot="pass", cents=1000))
        await ask(pit, m.CloseBets())
        rolled = await ask(pit, m.RollDice(), "c-2")
        assert await ask(pit, m.RollDice(), "c-2") == rolled, "the same dice, not the next"


@awaited
async def test_an_id_asked_twice_draws_no_dice_the_second_time() -> None:
    """The script has two rolls: the second is still there for the second round."""
    async with sitting(MemoryStore(), (6, 1), (1, 2)) as pit:
        await ask(pit, CASH)
        await ask(pit, m.PlaceBet(seat=1, spot="pass", cents=1000))
        await ask(pit, m.CloseBets())
        first = await ask(pit, m.RollDice(), "c-1")
        await ask(pit, m.OpenBets())
        await ask(pit, m.PlaceBet(seat=1, spot="pass", cents=1000))
        await ask(pit, m.CloseBets())
        assert await ask(pit, m.RollDice(), "c-1") == first
        second = await ask(pit, m.RollDice(), "c-2")
        [rolled] = [event for event in second.events if isinstance(event, m.DiceRolled)]
        assert rolled.dice == (1, 2)


@pytest.mark.parametrize("request_", [m.Undo(seat=2), bill_stacked(2, 100)])
@awaited
async def test_an_id_of_somebody_else_is_refused_and_not_answered_with_their_record(
    request_: Request | Reported,
) -> None:
    async with sitting(MemoryStore()) as pit:
        await ask(pit, CASH, "c-1")
        answer = await ask(pit, request_, "c-1", actor="seat 2")
        assert isinstance(answer, Refused)
        assert pit.table.credit(2) == 0


@awaited
async def test_what_time_alone_changed_is_not_missed_by_a_screen_that_comes_back() -> None:
    """A frame of `hurry_up` has the number of the last record, for nothing was written."""
    clock = StillClock()
    async with sitting(MemoryStore()) as pit:
        pit.house = house(clock=clock)
        await a_timed_bet(pit)
        one, two = Outbox(), Outbox()
        pit.watch("info", one, None)
        seen = waiting(one)
        pit.screens.leave("info", one)
        clock.ms = pit.table.deadline_ms - HURRY_MS
        await pit._time_passed()
        pit.watch("info", two, pit.boxman.page.head.seq)
        assert shown(seen + waiting(two))["shared"]["message"] == "hurry_up"


# --- Dying ---


class Killed(BaseException):
    """As a SIGKILL would, it stops everything at once."""


def step_lines() -> list[int]:
    source, first = inspect.getsourcelines(Pit.step)
    return [first + number for number, line in enumerate(source) if line.strip()]


def dying_at(line: int) -> Any:
    """A trace that kills when `Pit.step` is about to run a line."""
    code = Pit.step.__code__

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        del argument
        if frame.f_code is not code:
            return None
        if event == "line" and frame.f_lineno == line:
            raise Killed
        return trace

    return trace


@pytest.mark.parametrize("line", step_lines())
@awaited
async def test_a_table_killed_before_any_line_of_the_step_goes_on_from_the_exact_state(line: int) -> None:
    """Whatever it was doing, the asker asks again with the same id, and all is as if nothing had happened."""
    asked: list[tuple[Request | Reported, str]] = [
        (CASH, "a"),
        (m.PlaceBet(seat=1, spot="pass", cents=1000), "b"),
        (m.CloseBets(), "c"),
        (m.RollDice(), "d"),
        (m.OpenBets(), "e"),
    ]
    for victim in range(len(asked)):
        store = MemoryStore()
        answers = []
        async with sitting(store, (6, 1)) as pit:
            for request, command in asked[:victim]:
                answers.append(await ask(pit, request, command))
            before = sys.gettrace()
            sys.settrace(dying_at(line))
            try:
                with suppress(Killed):
                    await ask(pit, *asked[victim])
            finally:
                sys.settrace(before)
        async with sitting(store, (6, 1)) as pit:
            answers += [await ask(pit, request, command) for request, command in asked[victim:]]
            assert [answer.seq for answer in answers] == [2, 3, 4, 5, 6]
            assert pit.table.credit(1) == 11_000
        assert (await verify(store)).faults == []


class Failing(MemoryStore):
    """A database that is gone for a while; once it may have written before it went."""

    def __init__(self) -> None:
        super().__init__()
        self.gone: Iterator[str] = iter(())

    async def append(self, batch: Batch) -> Head:
        how = next(self.gone, "")
        if how == "before":
            raise Unavailable("gone")
        head = await super().append(batch)
        if how == "after":
            raise Unavailable("gone, and nobody knows")
        return head


@pytest.mark.parametrize("how", ["before", "after"])
@awaited
async def test_when_the_database_goes_nothing_is_shown_and_asking_again_tells(how: str) -> None:
    store = Failing()
    async with sitting(store) as pit:
        running = asyncio.create_task(pit.run())
        store.gone = iter([how])
        assert isinstance(await pit.ask(Asked(CASH, "seat 1", "c-1")), Unknown)
        assert isinstance(await pit.ask(Asked(CASH, "seat 1", "c-1")), Accepted)
        assert pit.table.credit(1) == 10_000
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
    assert (await verify(store)).faults == []


# --- Showing ---


def shown(messages: list[bytes]) -> Plain:
    """What a screen shows after these messages."""
    view_: Plain = {}
    for message in map(msgspec.json.decode, messages):
        if message["type"] == "snapshot":
            view_ = message["view"]
        elif message["type"] == "frame":
            view_ = merged(view_, message["changes"])
    return view_


def waiting(outbox: Outbox) -> list[bytes]:
    found = [each.data for each in outbox._waiting]
    outbox._waiting.clear()
    return found


def as_sent(seen: Plain) -> Plain:
    sent: Plain = msgspec.json.decode(msgspec.json.encode(seen))
    return sent


@pytest.mark.parametrize("name", ["seat 1", "seat 2", "dealer", "table", "info", "office"])
@awaited
async def test_a_screen_that_applies_its_frames_shows_its_view(name: str) -> None:
    async with sitting(MemoryStore(), (2, 2), (6, 1)) as pit:
        outbox = Outbox()
        pit.watch(name, outbox, None)
        await a_round(pit)
        await ask(pit, m.PlaceBet(seat=1, spot="pass.odds", cents=1000))
        await ask(pit, bill_stacked(2, 500))
        await ask(pit, m.CloseBets())
        await ask(pit, m.RollDice())
        facts = m.Facts(now_ms=STARTS_MS)
        assert shown(waiting(outbox)) == as_sent(plain(view(pit.table, name, facts)))


@awaited
async def test_nothing_is_sent_before_it_is_durable() -> None:
    class Watching(MemoryStore):
        seen: list[bytes] = []  # noqa: RUF012 - one instance

        async def append(self, batch: Batch) -> Head:
            assert waiting(outbox) == [], "a frame left before its record was written"
            return await super().append(batch)

    outbox = Outbox()
    async with sitting(Watching(), (6, 1)) as pit:
        pit.watch("table", outbox, None)
        waiting(outbox)
        for request in (CASH, m.PlaceBet(seat=1, spot="pass", cents=1000), m.CloseBets(), m.RollDice()):
            await ask(pit, request)
            waiting(outbox)


@awaited
async def test_a_screen_that_missed_frames_gets_just_those() -> None:
    async with sitting(MemoryStore(), (6, 1)) as pit:
        one, two = Outbox(), Outbox()
        pit.watch("seat 1", one, None)
        await ask(pit, CASH)
        before = waiting(one)
        seen = msgspec.json.decode(before[-1])["seq"]
        pit.screens.leave("seat 1", one)
        await ask(pit, m.PlaceBet(seat=1, spot="pass", cents=1000))
        await ask(pit, m.PlaceBet(seat=1, spot="field", cents=500))
        pit.watch("seat 1", two, seen)
        missed = waiting(two)
        seqs = [msgspec.json.decode(message)["seq"] for message in missed]
        assert seqs == [seen, seen + 1, seen + 2], "the last one again, for time may have added to it"
        facts = m.Facts(now_ms=STARTS_MS)
        assert shown(before + missed) == as_sent(plain(view(pit.table, "seat 1", facts)))


@pytest.mark.parametrize("after", [-1, 0, 10_000])
@awaited
async def test_a_screen_that_is_too_far_behind_or_ahead_gets_a_snapshot(after: int) -> None:
    async with sitting(MemoryStore()) as pit:
        outbox = Outbox()
        pit.watch("table", outbox, None)
        for _ in range(FRAMES_KEPT + 5):
            await ask(pit, bill_stacked(1, 100))
            await ask(pit, m.PlaceBet(seat=1, spot="field", cents=100))
        other = Outbox()
        pit.watch("table", other, after)
        assert [msgspec.json.decode(message)["type"] for message in waiting(other)] == ["snapshot"]


@awaited
async def test_a_slow_screen_delays_nobody_and_is_sent_a_snapshot_when_it_reads() -> None:
    async with sitting(MemoryStore()) as pit:
        slow, quick = Outbox(), Outbox()
        pit.watch("table", slow, None)
        _, snapshot = pit.watch("table", quick, None)
        for _ in range(3 * OUTBOX):
            await ask(pit, bill_stacked(1, 100))
            await ask(pit, m.PlaceBet(seat=1, spot="field", cents=100))
            assert waiting(quick)
        assert len(slow._waiting) <= OUTBOX
        slow.close()
        read = [data async for data in slow.messages(snapshot)]
        facts = m.Facts(now_ms=STARTS_MS)
        assert shown(read) == as_sent(plain(view(pit.table, "table", facts)))


# --- Bounds ---


class NeverWritten(MemoryStore):
    """A store in which every claim is taken, though no look says by whom."""

    async def append(self, batch: Batch) -> Head:
        if batch.after.seq:
            raise Taken("ticket:1:issued")
        return await super().append(batch)


@awaited
async def test_a_request_that_is_never_written_is_refused_in_the_end() -> None:
    async with sitting(NeverWritten()) as pit:
        async with asyncio.timeout(10):
            answer = await ask(pit, CASH, "c-1")
        assert isinstance(answer, Refused)
        assert answer.why is m.Refusal.TOO_MANY_TRIES


@awaited
async def test_dice_are_drawn_for_no_request_that_is_refused() -> None:
    async with sitting(MemoryStore(), (6, 1)) as pit:
        await ask(pit, CASH)
        await ask(pit, m.PlaceBet(seat=1, spot="pass", cents=1000))
        await ask(pit, m.CloseBets())
        for request in (m.Shoot(seat=2), m.Shoot(seat=3), m.Shoot(seat=9), m.Tick()):
            await ask(pit, request)
        assert isinstance(await ask(pit, m.Shoot(seat=1)), Accepted), "the one roll of the script is still there"


class HastyClock(StillClock):
    """A clock that goes on by itself, half a second each time it is read."""

    def now_ms(self) -> int:
        self.ms += 500
        return self.ms


@awaited
async def test_time_that_is_up_comes_before_all_that_waits() -> None:
    store = MemoryStore()
    async with sitting(store) as pit:
        await a_timed_bet(pit)
        pit.house = house(clock=HastyClock())
        names = [m.NameSeat(seat=2, name=f"N{number}") for number in range(200)]
        asking = [asyncio.ensure_future(pit.ask(Asked(name, "seat 2"))) for name in names]
        running = asyncio.ensure_future(pit.run())
        while pit.table.phase == "betting":  # noqa: ASYNC110 - a pit tells nobody
            await asyncio.sleep(0)
        for task in (running, *asking):
            task.cancel()
        await asyncio.wait({running, *asking})
    written = [(record.at_ms, event) async for record in store.records(1) for event in events_of(record)]
    [closes_at] = {event.deadline_ms for _, event in written if isinstance(event, m.TableResumed)}
    assert any(isinstance(event, m.BetsClosed) for _, event in written)
    late = [type(event) for at_ms, event in written if at_ms >= closes_at]
    assert m.BetsClosed in late[:2], "one request may have been taken up before the time was up, and no more"


# --- Time ---


@awaited
async def test_after_a_restart_the_rest_of_the_bet_time_is_given_again() -> None:
    store = MemoryStore()
    timed = game("craps", "seats=3")
    async with sitting(store, playing=timed) as pit:
        await a_timed_bet(pit)
        deadline = pit.table.deadline_ms
        left = deadline - pit.boxman.page.at_ms
        assert left > 0
    async with store.own(1, "again") as lease:
        boxman = await Boxman.sit(store, lease, timed, STARTS_MS)
        clock = StillClock()
        clock.ms = STARTS_MS + 3_600_000
        pit = Pit(boxman, house((6, 1), clock=clock))
        running = asyncio.create_task(pit.run())
        while pit.table.deadline_ms == deadline:  # noqa: ASYNC110 - the pit tells nobody when it has started
            await asyncio.sleep(0)
        assert pit.table.deadline_ms == clock.ms + left
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def a_timed_bet(pit: Pit) -> None:
    """The bet time begins with the first wager."""
    for request in (CASH, m.PlaceBet(seat=1, spot="pass", cents=1000)):
        assert isinstance(await ask(pit, request), Accepted)
    assert pit.table.deadline_ms


@awaited
async def test_time_closes_bets_rolls_and_opens_again() -> None:
    clock = StillClock()
    async with sitting(MemoryStore()) as pit:
        pit.house = house((6, 1), clock=clock)
        await a_timed_bet(pit)
        phases = [pit.table.phase]
        while len(phases) < 4:
            clock.ms = pit.table.deadline_ms - 1
            assert pit._waits_s() == 0.001
            await pit._time_passed()
            assert pit.table.phase == phases[-1], "nothing happens before its time"
            clock.ms += 1
            await ask(pit, m.Tick())
            phases.append(pit.table.phase)
        assert phases == ["betting", "shooting", "rolled", "betting"]
        assert pit.table.credit(1) == 11_000


@awaited
async def test_the_bet_time_turns_red_on_the_screens_without_anything_being_asked() -> None:
    clock = StillClock()
    async with sitting(MemoryStore()) as pit:
        pit.house = house(clock=clock)
        await a_timed_bet(pit)
        outbox = Outbox()
        pit.watch("info", outbox, None)
        waiting(outbox)
        head = pit.boxman.page.head
        clock.ms = pit.table.deadline_ms - HURRY_MS - 10
        assert pit._waits_s() == 0.01
        clock.ms += 10
        await pit._time_passed()
        [frame] = map(msgspec.json.decode, waiting(outbox))
        assert frame["changes"] == {"shared": {"message": "hurry_up"}}
        assert pit.boxman.page.head == head, "nothing was written"
