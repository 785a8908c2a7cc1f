"""The lessons as data, and how far a learner has come: judged by the table, never by what a page says.

A lesson is a few rounds: bets that must lie, then a throw with dice that are known before. A learner who throws
earlier, or bets on more, breaks nothing: until the bets of the round lie, every throw is `IDLE`.
"""

from __future__ import annotations

from typing import NamedTuple

from stickman import wire
from stickman.rules.dice import Roll
from stickman.table import messages as m
from stickman.table.state import Table
from stickman.wire import LessonName, LessonText

IDLE = Roll(6, 5)
"""An eleven sets no point, ends no hand and takes nothing from the right side: a lesson goes on after it."""
SEAT = 1
"""The only one of a practice table."""
THROW = "throw"
"""Where a hint points: at the dice. Otherwise at a spot."""


class LessonBet(NamedTuple):
    """A step: a wager on a spot, of any amount."""

    spot: str
    says: LessonText


class LessonRound(NamedTuple):
    """Bets that must lie, each a step, and a throw, which is one too."""

    dice: Roll
    says: LessonText
    bets: tuple[LessonBet, ...] = ()


LESSONS: dict[LessonName, tuple[LessonRound, ...]] = {
    "pass": (
        LessonRound(Roll(4, 2), "throw_first", (LessonBet("pass", "bet_pass"),)),
        LessonRound(Roll(5, 1), "throw_point"),
    ),
    "odds": (
        LessonRound(Roll(3, 1), "throw_first", (LessonBet("pass", "bet_line"),)),
        LessonRound(Roll(2, 2), "throw_odds", (LessonBet("pass.odds", "bet_odds"),)),
    ),
    "come": (
        LessonRound(Roll(4, 2), "throw_first", (LessonBet("pass", "bet_line"),)),
        LessonRound(Roll(5, 4), "throw_come", (LessonBet("come", "bet_come"),)),
        LessonRound(Roll(6, 3), "throw_come_point"),
        LessonRound(Roll(5, 1), "throw_last"),
    ),
    "place": (
        LessonRound(Roll(4, 1), "throw_first", (LessonBet("pass", "bet_line"),)),
        LessonRound(Roll(4, 2), "throw_place", (LessonBet("place.6", "bet_place"),)),
        LessonRound(Roll(3, 2), "throw_last"),
    ),
    "props": (
        LessonRound(Roll(6, 6), "throw_field", (LessonBet("field", "bet_field"),)),
        LessonRound(Roll(6, 5), "throw_eleven", (LessonBet("horn.11", "bet_eleven"),)),
    ),
    "sides": (
        LessonRound(Roll(1, 1), "throw_small", (LessonBet("bonus.small", "bet_small"),)),
        LessonRound(Roll(2, 1), "throw_more"),
        LessonRound(Roll(3, 1), "throw_more"),
        LessonRound(Roll(4, 1), "throw_more"),
        LessonRound(Roll(5, 1), "throw_small_last"),
    ),
}
"""None of them has a 7 or a loss on what it asks to bet; each ends with a roll that wins."""


class Course:
    """How far a learner is in a lesson. `deal` and `follow` move it, and nothing else."""

    def __init__(self, lesson: LessonName) -> None:
        self.lesson, self.rounds = lesson, LESSONS[lesson]
        self._round = 0
        self._dealt = False
        """The dice of this round are thrown, and bets are not open again."""
        self._won_cents = 0

    @property
    def done(self) -> bool:
        return self._round == len(self.rounds)

    def deal(self, table: Table) -> Roll:
        """The dice of the throw that the table needs now."""
        if self.done or self._missing(table):
            return IDLE
        self._dealt = True
        return self.rounds[self._round].dice

    def follow(self, events: tuple[m.Event, ...], table: Table) -> None:
        """Go on after what has happened: a round is over when bets open again, so that its result is seen first."""
        if any(isinstance(event, m.Settled) for event in events) and self._dealt:
            self._won_cents = table.seat(SEAT).last.win_cents
        if any(isinstance(event, m.BetsOpened) for event in events) and self._dealt:
            self._round, self._dealt = self._round + 1, False

    def told(self, table: Table) -> wire.Lesson:
        """The step as the page gets it, and where its hint points."""
        of = sum(len(each.bets) + 1 for each in self.rounds)
        before = sum(len(each.bets) + 1 for each in self.rounds[: self._round])
        if self.done:
            won = self._won_cents
            return wire.Lesson(lesson=self.lesson, step=of, of=of, says="won", at="", done=True, won_cents=won)
        now, missing = self.rounds[self._round], self._missing(table)
        step = before + (now.bets.index(missing) if missing else len(now.bets)) + 1
        says, at = (missing.says, missing.spot) if missing else (now.says, THROW)
        return wire.Lesson(lesson=self.lesson, step=step, of=of, says=says, at=at)

    def _missing(self, table: Table) -> LessonBet | None:
        """The first bet of the round that does not lie; none once the dice are thrown."""
        if self._dealt:
            return None
        wagers = table.seat(SEAT).felt.wagers
        return next((bet for bet in self.rounds[self._round].bets if bet.spot not in wagers), None)
