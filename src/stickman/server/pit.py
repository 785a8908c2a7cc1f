"""The pit runs a table: one task, one request after the other, nothing shown before it is durable.

`step` is the whole product: draw, gather facts, decide, evolve privately, write, publish. What goes wrong before
the write leaves no trace; after it the record is there, and who asks again with the same id gets the same answer.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal, NamedTuple

import structlog
from msgspec.structs import replace

from stickman.floor import meters, tickets
from stickman.floor.boxman import Boxman, Deed
from stickman.floor.clock import Clock
from stickman.floor.journal import BadRecord
from stickman.floor.lock import Lock
from stickman.floor.office import Floor
from stickman.rules.datafile import BadFile
from stickman.rules.game import Game
from stickman.rules.schema import MeterTerms
from stickman.rules.settings import change
from stickman.server.entropy import Dice
from stickman.server.screens import Outbox, Screens, Watched
from stickman.store.store import Fenced, Moved, NotAppended, Taken
from stickman.table import messages as m
from stickman.table.betting import Decision
from stickman.table.decide import decide
from stickman.table.evolve import evolve_all
from stickman.table.messages import Event, Facts, Reading, Refused, Request
from stickman.table.state import Table
from stickman.table.view import HURRY_MS, View, later, same_for_seat, shared_view, view

HOUSE = "house"
METERS_MS = 1_000
"""How often meters that other tables feed are read."""
QUEUE = 1_000
"""Requests that may wait at a table."""
BILLS_CENTS = (100, 200, 500, 1_000, 2_000, 5_000, 10_000)
"""The bills that acceptors take: each has a meter, so there are not too many of them."""
TRIES = 5
"""How often a request is decided because what it was decided on has changed before it was written."""

log = structlog.get_logger()


async def _no_meters(game: Game) -> None:
    """No floor, no meters."""
    del game


class House(NamedTuple):
    """What a table needs of the house it stands in."""

    clock: Clock
    dice: Dice
    ticket_key: bytes
    lock: Lock | None = None
    demo: bool = False
    floor: Callable[[], Floor] = Floor
    """The floor as it stands: whose drawers are open, what takes two people."""
    ticket_keys_before: tuple[bytes, ...] = ()
    open_meters: Callable[[Game], Awaitable[None]] = _no_meters
    """Puts up the meters that a game plays and that are not up yet."""


class Asked(NamedTuple):
    """A request, who asks, and the id that the asker gave it."""

    request: Request
    actor: str = HOUSE
    command: str = ""
    approver: str = ""


class Done(NamedTuple):
    """What was done, and the number of its record; 0 where there was nothing to do."""

    seq: int
    events: tuple[Event, ...]


class Unknown(NamedTuple):
    """Nobody knows whether it was done; asking again with the same id will tell."""


Answer = Done | Refused | Unknown


class Drawn(NamedTuple):
    """What chance gave a request, each once, however often the request is decided."""

    dice: m.Dice | None = None
    draw: str = ""
    power: dict[str, Literal["low", "high"]] | None = None
    power_draw: str = ""


class Pit:
    """One table and all that happens to it."""

    def __init__(self, boxman: Boxman, house: House) -> None:
        self.boxman, self.house = boxman, house
        self.numbers = tickets.Numbers(house.ticket_key, boxman.lease.stream)
        self.screens = Screens()
        self.meters: dict[str, Reading] = {}
        self._queue: asyncio.Queue[tuple[Asked, asyncio.Future[Answer]]] = asyncio.Queue(QUEUE)

    @property
    def table(self) -> Table:
        return self.boxman.table

    # --- Asking ---

    async def ask(self, asked: Asked) -> Answer:
        """Have a request decided, in turn."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        await self._queue.put((asked, answer))
        return await answer

    async def run(self) -> None:
        """Serve the table until somebody else owns it or the task is cancelled."""
        await self.step(Asked(m.Restart()), stopped_ms=self.boxman.page.at_ms)
        while True:
            if self._is_due():  # before what waits: no flood of requests holds up the clock
                await self._answered(Asked(m.Tick()))
            try:
                async with asyncio.timeout(self._waits_s()):
                    asked, answer = await self._queue.get()
            except TimeoutError:
                await self._time_passed()
                continue
            result = await self._answered(asked)
            if not answer.done():
                answer.set_result(result)

    async def _answered(self, asked: Asked) -> Answer:
        try:
            return await self.step(asked)
        except Fenced:
            raise
        except NotAppended as problem:
            log.warning("not written", stream=self.boxman.lease.stream, problem=str(problem))
            await self._read_again()
            return Unknown()

    async def _read_again(self) -> None:
        """What the journal says is the table, as soon as it can be read."""
        try:
            before = self.table
            await self.boxman.read_again()
            await self.publish(before)
        except NotAppended as problem:
            log.warning("not read", stream=self.boxman.lease.stream, problem=str(problem))

    # --- The step ---

    async def step(self, asked: Asked, stopped_ms: int = 0) -> Answer:
        """One request from asking to showing."""
        if self.boxman.wrote(asked.command) and (done := await self.done_before(asked)):
            return done
        drawn = Drawn()
        for _ in range(TRIES):
            before = self.table
            facts = await self.facts(asked, drawn, stopped_ms)
            decision, drawn = await self._decided(asked.request, facts, drawn)
            if isinstance(decision, Refused):
                return await self.done_before(asked) or decision
            if not decision:
                return Done(0, ())
            after = evolve_all(before, decision)
            try:
                await self.boxman.write([Deed(decision, facts.now_ms, asked.actor, asked.command)], after)
            except (Taken, Moved) as late:
                if answer := await self._came_late(asked, late):
                    return answer
                continue
            if before.game is not after.game:
                await self.house.open_meters(after.game)
            await self.publish(before)
            return Done(self.boxman.page.head.seq, decision)
        kind = str(asked.request.__struct_config__.tag)
        log.error("a request was given up", stream=self.boxman.lease.stream, request=kind, tries=TRIES)
        return Refused(m.Refusal.TOO_MANY_TRIES)

    async def _came_late(self, asked: Asked, late: Taken | Moved) -> Answer | None:
        """Another record came first: read it. None where the request is to be decided again."""
        if isinstance(late, Taken):
            self.numbers.avoid(late.claim, self.table)
        await self.boxman.read_again()
        if done := await self.done_before(asked):
            return done
        other = isinstance(late, Taken) and late.claim == f"command:{asked.command}"
        return Refused(m.Refusal.COMMAND_OF_ANOTHER) if other else None

    async def done_before(self, asked: Asked) -> Done | None:
        """What came of this command id the first time."""
        if not asked.command:
            return None
        record = await self.boxman.store.commanded(self.boxman.lease.stream, asked.command)
        if record is None or record.actor != asked.actor:
            return None
        return Done(record.seq, await self.boxman.answered(asked.command) or ())

    async def _decided(self, request: Request, facts: Facts, drawn: Drawn) -> tuple[Decision, Drawn]:
        """Decide, and find what the decider asks for: nothing for a request that is refused. Dice and Power Odds
        are kept through retries; tickets are looked at again, for others use them too."""
        decision = decide(self.table, request, facts)
        while isinstance(decision, m.Needs):
            match decision.what:
                case "ticket":
                    assert isinstance(request, m.InsertTicket)
                    facts = replace(facts, ticket=await self._ticket(request.number, facts.now_ms))
                case "ticket_number":
                    facts = replace(facts, ticket_number=self.numbers.next(self.table))
                case _:
                    drawn = self._draw(decision, drawn)
                    facts = replace(facts, **drawn._asdict())
            decision = decide(self.table, request, facts)
        return decision, drawn

    def _draw(self, needs: m.Needs, drawn: Drawn) -> Drawn:
        """What was drawn before, and what is needed too. Each is drawn once, so deciding comes to an end."""
        if needs.what == "dice":
            assert drawn.dice is None, "dice are drawn once"
            rolled = self.house.dice.roll()
            first, second = rolled.result
            return drawn._replace(dice=(first, second), draw=str(rolled))
        assert drawn.power is None, "Power Odds are drawn once"
        chart = self.table.game.power_table()
        assert chart, "only a game with Power Odds asks for them"
        shown = self.house.dice.power(chart.groups, self.table.game.power_odds.one_in)
        return drawn._replace(power=shown.result, power_draw=str(shown))

    async def facts(self, asked: Asked, drawn: Drawn, stopped_ms: int = 0) -> Facts:
        """What only the house knows, and what chance has given so far."""
        request, store, now_ms = asked.request, self.boxman.store, self.house.clock.now_ms()
        floor = self.house.floor()
        if meters.played(self.table.game):
            self.meters = await meters.shown(store, self.table.game, self._terms)
        return Facts(
            now_ms=now_ms,
            stopped_ms=stopped_ms,
            actor=asked.actor,
            approver=asked.approver,
            dice=drawn.dice,
            draw=drawn.draw,
            power=drawn.power,
            power_draw=drawn.power_draw,
            bills_cents=BILLS_CENTS,
            drawer=asked.actor if floor.takes_cash(asked.actor) else "",
            second_over_cents=floor.settings.second_over_cents,
            meters=self.meters,
            terms=self._terms,
            pin_mark=self._pin_mark(request),
            forbidden=self._forbidden(request),
            unfit=self._unfit(request),
        )

    async def _ticket(self, number: str, now_ms: int) -> m.TicketIn:
        """A ticket by the number under which the house knows it; worth nothing where a table may not redeem it."""
        try:
            key, before = self.house.ticket_key, self.house.ticket_keys_before
            found = await tickets.look_up(self.boxman.store, key, number, now_ms=now_ms, before=before)
        except tickets.BadNumber:
            return m.TicketIn(number, 0)
        except BadRecord as problem:
            log.critical("a ticket cannot be judged", stream=self.boxman.lease.stream, problem=str(problem))
            return m.TicketIn(number, 0)
        return m.TicketIn(found.number, found.cents_at_table or 0)

    def _pin_mark(self, request: Request) -> str:
        """A PIN as the journal may have it: nobody finds it again without the house's key."""
        if not isinstance(request, m.ReserveSeat | m.ReturnToSeat) or not request.pin:
            return ""
        said = f"pin {self.boxman.lease.stream} {request.seat} {request.pin}"
        return hmac.digest(self.house.ticket_key, said.encode(), "sha256").hex()

    def _forbidden(self, request: Request) -> str:
        """Why the jurisdiction lock does not let a setting be changed so."""
        if self.house.lock is None or not isinstance(request, m.ChangeSetting):
            return ""
        try:
            game = change(self.table.game, request.key, request.text)
        except BadFile:
            return ""
        return "; ".join(self.house.lock.forbids(game))

    def _unfit(self, request: Request) -> str:
        """How a change of settings would bring the game out of line with the floor's meters (ruling 38)."""
        if not isinstance(request, m.ChangeSetting):
            return ""
        try:
            game = change(self.table.game, request.key, request.text)
        except BadFile:
            return ""
        return meters.unfit(self.house.floor(), self.table.game, game)

    @property
    def _terms(self) -> dict[str, MeterTerms]:
        """What the meters of the game own."""
        return meters.terms(self.house.floor(), self.table.game)

    # --- Time ---

    def _waits_s(self) -> float | None:
        """How long until time itself brings something; None: never."""
        table, now_ms = self.table, self.house.clock.now_ms()
        moments = [table.deadline_ms, self._hurry_ms()] if table.deadline_ms else []
        moments += [seat.reserved_until_ms for seat in table.seats if seat.reserved_until_ms > now_ms]
        if meters.played(table.game) and self.screens.names():
            moments.append(now_ms + METERS_MS)
        coming = [moment for moment in moments if moment]
        return max(0, min(coming) - now_ms) / 1000 if coming else None

    def _hurry_ms(self) -> int:
        """When the bet time turns red, if that is still to come."""
        moment = self.table.deadline_ms - HURRY_MS
        return moment if self.table.phase == "betting" and moment > self.house.clock.now_ms() else 0

    def _is_due(self) -> bool:
        """Whether the phase's time is up."""
        return 0 < self.table.deadline_ms <= self.house.clock.now_ms()

    async def _time_passed(self) -> None:
        if self._is_due():
            return  # the clock comes first in any case
        if meters.played(self.table.game):
            with suppress(NotAppended):  # the next reading may do better
                self.meters = await meters.shown(self.boxman.store, self.table.game, self._terms)
        self._publish_later()

    # --- Showing ---

    async def publish(self, before: Table) -> None:
        """Send every screen what changed for it since `before`. A roll changes all of them, and other tables have
        their turn between two."""
        now_ms, seq = self.house.clock.now_ms(), self.boxman.page.head.seq
        facts = self._shown(now_ms)
        if not self.screens.names():
            return
        shared = shared_view(self.table, facts)
        for name in self.screens.names():
            kind, _, number = name.partition(" ")
            shown = self.screens.shown(name).shared
            if kind == "seat" and same_for_seat(before, self.table, int(number), shown, shared):
                continue
            self.screens.move_on(name, seq, view(self.table, name, facts, shared), now_ms)
            await asyncio.sleep(0)

    def _publish_later(self) -> None:
        """Send every screen what time alone has changed: what all see, and seats whose reservation may be over."""
        now_ms, seq = self.house.clock.now_ms(), self.boxman.page.head.seq
        facts = self._shown(now_ms)
        shared = shared_view(self.table, facts)
        for name in self.screens.names():
            kind, _, number = name.partition(" ")
            if kind == "seat" and self.table.seat(int(number)).reserved_until_ms:
                seen = view(self.table, name, facts, shared)
            else:
                seen = later(self.screens.shown(name), shared)
            self.screens.move_on(name, seq, seen, now_ms)

    def _shown(self, now_ms: int) -> Facts:
        """What screens show of what only the house knows."""
        return Facts(now_ms=now_ms, meters=self.meters, demo=self.house.demo)

    def _seen(self, name: str, now_ms: int) -> View:
        return view(self.table, name, self._shown(now_ms))

    def watch(self, name: str, outbox: Outbox, after: int | None) -> tuple[Watched, Callable[[], bytes]]:
        """Let a connection watch a screen; also how to make it a snapshot at any moment."""
        clock = self.house.clock
        watched = self.screens.rejoin(name, outbox, after) if after is not None else None
        if watched is None:
            fresh = lambda: (self.boxman.page.head.seq, self._seen(name, clock.now_ms()))  # noqa: E731
            watched = self.screens.join(name, outbox, fresh, clock.now_ms())
        return watched, lambda: watched.snapshot(clock.now_ms())
