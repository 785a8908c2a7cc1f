"""The lessons: each ends in a won hand, to the cent, whatever else a learner does on the way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from stickman.rules.felt import Reason
from stickman.server import practice as practices
from stickman.server.house import Asked
from stickman.server.lessons import IDLE, LESSONS, THROW
from stickman.server.pit import Accepted, Answer
from stickman.server.practice import MONEY_CENTS, Practice, practice_game, practice_placard, practising
from stickman.table import messages as m
from stickman.table.messages import Refused, Request
from stickman.table.view import view
from stickman.wire import Lesson, LessonName
from tests.floor.evening import awaited
from tests.server.test_pit import StillClock

STAKE = 600
"""On every bet. A 6 on place pays 7 to 6 of it without a fraction."""
WINS: dict[LessonName, tuple[int, int]] = {
    "pass": (600, 600),  # 1 to 1
    "odds": (1_800, 1_800),  # 1 to 1, and the odds on a 4 pay 2 to 1
    "come": (600, 1_200),  # 1 to 1 on come, then on pass
    "place": (600, 1_300),  # 7 to 6 on the place bet, then 1 to 1 on pass
    "props": (9_000, 10_200),  # 12 pays the field 2 to 1, eleven pays 15 to 1
    "sides": (19_800, 19_800),  # All Small of Bonus Craps, pay table BC-04: 33 to 1
}
"""What the last throw wins, and all throws together, by the printed pays."""


class Learner:
    """A learner at a practice table, with a clock that the test moves."""

    def __init__(self, practice: Practice, clock: StillClock) -> None:
        self.practice, self.clock = practice, clock
        self.told: list[Lesson] = []
        practice.tell = self.told.append

    @property
    def now(self) -> Lesson:
        return self.practice.told

    @property
    def credit(self) -> int:
        return self.practice.pit.table.credit(1)

    async def ask(self, request: Request) -> Answer:
        return await self.practice.pit.step(Asked(request, "seat 1"))

    async def bet(self, spot: str, cents: int = STAKE) -> None:
        answer = await self.ask(m.PlaceBet(seat=1, spot=spot, cents=cents))
        assert isinstance(answer, Accepted), answer

    async def throw(self) -> m.Dice:
        """Throw, and let the time pass until bets are open again; the dice."""
        answer = await self.ask(m.Shoot(seat=1))
        assert isinstance(answer, Accepted), answer
        table = self.practice.pit.table
        while table.phase != "betting":
            assert table.deadline_ms, table.phase
            self.clock.ms = table.deadline_ms
            await self.ask(m.Tick())
            table = self.practice.pit.table
        assert table.history[-1].dice
        return table.history[-1].dice

    async def follow_hint(self) -> None:
        await (self.throw() if self.now.at == THROW else self.bet(self.now.at))

    async def finish(self) -> None:
        for _ in range(20):
            if self.now.done:
                return
            await self.follow_hint()
        raise AssertionError(self.now)


@asynccontextmanager
async def learning(lesson: LessonName) -> AsyncIterator[Learner]:
    clock = StillClock()
    async with practising(lesson, clock) as practice:
        yield Learner(practice, clock)


@pytest.mark.parametrize("lesson", LESSONS)
@awaited
async def test_a_lesson_ends_in_a_won_hand_to_the_cent(lesson: LessonName) -> None:
    async with learning(lesson) as learner:
        await learner.finish()
        last, together = WINS[lesson]
        assert learner.now.won_cents == last
        assert learner.credit == MONEY_CENTS + together
        assert not learner.practice.pit.table.seat(1).felt.wagers


@pytest.mark.parametrize("lesson", LESSONS)
@awaited
async def test_steps_are_told_once_each_and_in_order(lesson: LessonName) -> None:
    async with learning(lesson) as learner:
        first = learner.now
        await learner.finish()
        told = [first, *learner.told]
        assert [each.step for each in told] == [*range(1, first.of + 1), first.of]
        assert [each.done for each in told] == [False] * first.of + [True]
        assert {each.of for each in told} == {first.of}
        felt = {each.spot for each in view(learner.practice.pit.table, "seat 1", m.Facts()).shared.felt}
        assert {each.at for each in told[:-1]} <= felt | {THROW}


OTHERWISE: dict[LessonName, tuple[str, ...]] = {
    "pass": ("field", "hard.8", "place.6", "dont_pass"),
    "odds": ("any_craps", "place.4", "buy.10"),
    "come": ("come", "place.9", "hard.6"),
    "place": ("place.8", "field", "lay.4"),
    "props": ("seven", "horn.2", "pass"),
    "sides": ("bonus.tall", "bonus.all", "place.5"),
}
"""Other bets of a learner, before every step; some are refused at some steps, as at any table."""


@pytest.mark.parametrize("lesson", LESSONS)
@awaited
async def test_other_bets_and_early_throws_do_not_break_a_lesson(lesson: LessonName) -> None:
    async with learning(lesson) as learner:
        for _ in range(20):
            if learner.now.done:
                break
            before = learner.now
            for spot in set(OTHERWISE[lesson]) - {before.at}:
                answer = await learner.ask(m.PlaceBet(seat=1, spot=spot, cents=500))
                assert isinstance(answer, Accepted | Refused)
                await learner.ask(m.AnswerPopUp(seat=1, accept=True))
            if before.at != THROW:
                if learner.practice.pit.table.seat(1).felt.wagers:
                    assert await learner.throw() == IDLE
                assert learner.now == before, "the step stays"
            if learner.practice.is_poor:
                await learner.practice.put_money_in()
            await learner.follow_hint()
        assert learner.now.done
        assert learner.now.won_cents >= WINS[lesson][0]


@awaited
async def test_a_bet_that_is_taken_down_is_asked_for_again() -> None:
    async with learning("place") as learner:
        for _ in range(3):
            await learner.follow_hint()
        assert (learner.now.step, learner.now.at) == (4, THROW)
        assert isinstance(await learner.ask(m.TakeBet(seat=1, spot="place.6")), Accepted)
        assert (learner.now.step, learner.now.at) == (3, "place.6")
        await learner.finish()
        assert learner.credit == MONEY_CENTS + WINS["place"][1]


@awaited
async def test_a_refused_request_is_refused_as_at_any_table_and_the_step_stays() -> None:
    async with learning("come") as learner:
        before = learner.now
        answer = await learner.ask(m.PlaceBet(seat=1, spot="come", cents=STAKE))
        assert isinstance(answer, Refused)
        assert isinstance(answer.why, Reason)
        assert learner.now == before
        assert learner.told == []


@awaited
async def test_who_loses_everything_gets_more_practice_money() -> None:
    async with learning("pass") as learner:
        await learner.bet("dont_pass", 9_900)
        assert await learner.throw() == IDLE  # an eleven: don't pass loses
        assert learner.credit == MONEY_CENTS - 9_900
        assert learner.practice.is_poor
        await learner.practice.put_money_in()
        await learner.finish()
        assert learner.now.won_cents == WINS["pass"][0]


@awaited
async def test_a_practice_that_has_written_too_much_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practices, "RECORDS_MAX", 4)
    async with learning("pass") as learner:
        assert not learner.practice.full.is_set()
        await learner.bet("pass")
        await learner.bet("field")
        assert learner.practice.full.is_set()


def test_the_placard_of_the_lessons_is_of_the_game_that_they_play() -> None:
    card = practice_placard()
    assert card.fingerprint == practice_game().fingerprint()
    asked = {bet.spot for rounds in LESSONS.values() for each in rounds for bet in each.bets}
    assert asked <= card.spots.keys()


def test_no_lesson_throws_a_seven() -> None:
    assert all(sum(each.dice) != 7 for rounds in LESSONS.values() for each in rounds)
