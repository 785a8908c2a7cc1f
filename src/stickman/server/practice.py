"""A practice table: a pit in memory with one seat, money that is not money, and the known dice of a lesson.

It has a store, a house and a key of its own, so nothing of it reaches the floor: no journal, no ledger, no meter,
no ticket and no metric. Only `PracticeDice` are known before, and only a `Practice` makes them; a real table gets
`KernelDice` and cannot be given others (`LiveFloor`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache

from stickman import wire
from stickman.devices.signals import BillStacked
from stickman.floor.boxman import Boxman
from stickman.floor.clock import Clock
from stickman.floor.placard import Placard, placard
from stickman.rules.datafile import build
from stickman.rules.dice import Roll
from stickman.rules.game import Game
from stickman.rules.settings import load
from stickman.server.entropy import Draw, Power
from stickman.server.house import Asked, House
from stickman.server.lessons import SEAT, Course
from stickman.server.pit import Pit
from stickman.store import keyfile
from stickman.store.memory import MemoryStore
from stickman.table import messages as m
from stickman.table.asking import layout_of
from stickman.table.state import new_table
from stickman.wire import LessonName

STREAM = 1
RECORDS_MAX = 2_000
"""A practice that has written this many records ends: a lesson needs about thirty."""
MONEY_CENTS, LEAST_CENTS = 10_000, 5_000
"""A learner who has less than the least while bets are open gets more, as a bill of this amount."""
SETTINGS = {
    "name": "practice",
    "seats": 1,
    "mode": "automated",
    "credit_meter": "free",
    "move_after_win": "none",
    "timers": {"result_s": 2},
    "lucky_shooter": {"on": False},
    "lucky_roller": {"on": False},
    "bonus_craps": {"on": True, "when": "any_roll"},
}
"""The game of all lessons, as it differs from craps. Its side bets are open before every roll: an early throw does
not close them."""
ALLOWED = (
    *(m.PlaceBet, m.TakeBet, m.CarryBet, m.MoveBet, m.PressByWin, m.PressButton, m.Undo, m.AnswerPopUp),
    *(m.SetSwitch, m.PressRoll, m.Shoot, m.LandDice),
)
"""What a learner may ask for: what plays, but no switching off, which would let a taught bet miss its roll. Money,
tickets, tips, names and service are of the real seat."""


@cache
def practice_game() -> Game:
    return build(Game, SETTINGS, "the practice game", base=load("craps"))


@cache
def practice_placard() -> Placard:
    """What the practice game pays, and at what edge. It takes a while the first time."""
    return placard(layout_of(new_table(practice_game())))


class PracticeDice:
    """The dice of a lesson, which are known before."""

    def __init__(self, deal: Callable[[], Roll]) -> None:
        self._deal, self._number = deal, 0

    def roll(self) -> Draw[Roll]:
        self._number += 1
        return Draw(use="dice", source="practice", number=self._number, bytes_used=0, result=self._deal())

    def power(self, groups: Sequence[str], one_in: int) -> Draw[Power]:  # noqa: ARG002 - the game has no Power Odds
        raise AssertionError("the practice game has no Power Odds")

    def cycle(self) -> None:
        """Nothing can fail here."""


class Practice:
    """One learner's table, for one lesson. `tell` is called with every step that is new."""

    def __init__(self, boxman: Boxman, clock: Clock, lesson: LessonName) -> None:
        self.course = Course(lesson)
        self.tell: Callable[[wire.Lesson], None] = lambda _: None
        self.full = asyncio.Event()
        """It has written all the records that it may."""
        self._poor = asyncio.Event()
        self._bills = 0
        house = House(
            clock,
            PracticeDice(lambda: self.course.deal(self.pit.table)),
            (secrets.token_bytes(keyfile.KEY_BYTES),),
            printers=lambda _: {SEAT: "away"},
            keys=lambda _: {},
            noticed=lambda _, events: self._follow(events),
        )
        self.pit = Pit(boxman, house)
        self._told = self.told

    @property
    def told(self) -> wire.Lesson:
        return self.course.told(self.pit.table)

    def _follow(self, events: tuple[m.Event, ...]) -> None:
        self.course.follow(events, self.pit.table)
        if self.told != self._told:
            self._told = self.told
            self.tell(self._told)
        if self.is_poor:
            self._poor.set()
        if self.pit.boxman.page.head.seq >= RECORDS_MAX:
            self.full.set()

    @property
    def is_poor(self) -> bool:
        table = self.pit.table
        return table.phase == "betting" and table.credit(SEAT) < LEAST_CENTS

    async def put_money_in(self) -> None:
        """Put practice money in, as an acceptor would."""
        self._bills += 1
        bill = BillStacked(note=self._bills, cents=MONEY_CENTS)
        await self.pit.step(Asked(m.Reported(seat=SEAT, kind="acceptor", signal=bill)))

    async def run(self) -> None:
        """Serve the table, and give money to a learner who runs out of it."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self.pit.run())
            both.create_task(self._stay_rich())

    async def _stay_rich(self) -> None:
        while True:
            await self._poor.wait()
            self._poor.clear()
            if self.is_poor:
                await self.put_money_in()


@asynccontextmanager
async def practising(lesson: LessonName, clock: Clock) -> AsyncIterator[Practice]:
    """A practice table with money; all of it is gone afterwards."""
    store = MemoryStore()
    async with store.own(STREAM, "practice") as lease:
        boxman = await Boxman.sit(store, lease, practice_game(), clock.now_ms())
        practice = Practice(boxman, clock, lesson)
        await practice.put_money_in()
        try:
            yield practice
        finally:
            practice.pit.leave()
