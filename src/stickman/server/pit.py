"""The pit runs a table: one task, one request at a time, and nothing is shown before it is durable.

`step` is the heart of the program: gather facts, decide, draw, evolve privately, write, publish. A failure before
the write leaves no trace. After the write, a request with the same id gets the same answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import NamedTuple

import structlog
from msgspec.structs import replace

from stickman.devices import signals
from stickman.floor import meters, tickets
from stickman.floor.boxman import Boxman, NewRecord
from stickman.floor.events import Place
from stickman.floor.journal import events_of
from stickman.rules.game import Game
from stickman.rules.spoken import Detail
from stickman.server.entropy import BadEntropy
from stickman.server.house import Asked, Draws, House
from stickman.server.operations import Metrics
from stickman.server.ports import AnyWishes, Ports
from stickman.server.screens import Outbox, Screens, Watched
from stickman.store.store import Fenced, Moved, NotAppended, Taken
from stickman.table import messages as m
from stickman.table import ports
from stickman.table.asking import Decision
from stickman.table.decide import decide
from stickman.table.evolve import evolve_all
from stickman.table.messages import Event, Facts, Reading, Refused, Reported, Request
from stickman.table.state import Printing, Table
from stickman.table.view import HURRY_MS, View, later, same_for_seat, shared_view, view

METERS_MS = 1_000
"""How often meters are read, because other tables feed them too."""
QUEUE = 1_000
"""Requests that may wait at a table."""
OFFERED = ("seat", "dealer", "office")
"""The screens that get offers."""
TRIES = 5
"""How often a request is decided when its facts change before the write."""

log = structlog.get_logger()


class Accepted(NamedTuple):
    """What was done, and the number of its record; 0 if there was nothing to do."""

    seq: int
    events: tuple[Event, ...]


class Unknown(NamedTuple):
    """It is unknown whether it was done; the same id asks for it."""


Answer = Accepted | Refused | Unknown


def _settle(answer: asyncio.Future[Answer], with_: Answer) -> None:
    if not answer.done():  # the asker may be gone
        answer.set_result(with_)


class Pit:
    """Runs one table, with the facts of its house."""

    def __init__(self, boxman: Boxman, house: House, metrics: Metrics | None = None) -> None:
        self.boxman, self.house = boxman, house
        self.stepping = asyncio.Lock()
        """A pit stops between two steps, never during one."""
        self._metrics, self._name = metrics or Metrics(), str(boxman.lease.stream)
        self._steps, self._rolls = self._metrics.step.labels(self._name), self._metrics.rolls.labels(self._name)
        self.numbers = tickets.Numbers(house.ticket_keys[0], boxman.lease.stream)
        self.screens = Screens()
        self.ports = Ports(self._wishes)
        self.meters: dict[str, Reading] = {}
        self._queue: asyncio.Queue[tuple[Asked, asyncio.Future[Answer]]] = asyncio.Queue(QUEUE)
        self._asking: asyncio.Future[Answer] | None = None
        """The answer to the request in progress."""
        self._left = False
        self._judged: tuple[Game | None, bool] = (None, False)

    @property
    def table(self) -> Table:
        return self.boxman.table

    @property
    def plays_meters(self) -> bool:
        """Whether the game feeds meters; calculated once per game."""
        game = self.table.game
        if self._judged[0] is not game:
            self._judged = (game, bool(meters.played(game)))
        return self._judged[1]

    # --- Asking ---

    async def ask(self, asked: Asked) -> Answer:
        """Queue a request and wait for its answer; `Unknown` if the table stops meanwhile."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        await self._queue.put((asked, answer))
        return Unknown() if self._left else await answer

    def leave(self) -> None:
        """Stop serving: every request that waits is answered `Unknown`."""
        self._left = True
        while not self._queue.empty():
            _settle(self._queue.get_nowait()[1], Unknown())
        if self._asking:
            _settle(self._asking, Unknown())

    async def run(self) -> None:
        """Serve the table until another process owns it or the task is cancelled."""
        await self.step(Asked(m.Restart()), stopped_ms=self.boxman.page.at_ms)
        while True:
            if self._is_due():  # before the queue, so that a flood of requests cannot stop the clock
                await self._answered(Asked(m.Tick()))
            try:
                async with asyncio.timeout(self._waits_s()):
                    asked, answer = await self._queue.get()
            except TimeoutError:
                await self._time_passed()
                continue
            self._asking = answer
            _settle(answer, await self._answered(asked))
            self._asking = None

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
        """Take the table from the journal again, if it can be read."""
        try:
            before = self.table
            await self.boxman.read_again()
            await self.publish(before)
        except NotAppended as problem:
            log.warning("not read", stream=self.boxman.lease.stream, problem=str(problem))

    # --- The step ---

    async def step(self, asked: Asked, stopped_ms: int = 0) -> Answer:
        """Do one request, with metrics. Dice that cannot be trusted pause the table."""
        async with self.stepping:
            began, outcome = perf_counter(), "failed"
            try:
                answer = await self._step(asked, stopped_ms)
                outcome = self._outcome(answer)
            except BadEntropy as fault:
                self.distrust(fault)
                await self._step(Asked(m.PauseTable()))
                answer = Refused(m.Refusal.NO_DICE, Detail.DICE_FAULT(fault=str(fault)))
                outcome = self._outcome(answer)
            finally:
                kind = asked.kind
                self._metrics.requests.labels(self._name, kind, outcome).inc()
                self._steps.observe(perf_counter() - began)
            return answer

    def distrust(self, fault: BadEntropy) -> None:
        """Report that the dice have failed."""
        log.critical("dice cannot be trusted, the table is paused", table=self._name, fault=str(fault))
        self._metrics.dice_bad.labels(self._name).set(1)

    def _outcome(self, answer: Answer) -> str:
        match answer:
            case Accepted(_, events):
                self._rolls.inc(sum(isinstance(event, m.DiceRolled) for event in events))
                return "done"
            case Unknown():
                return "unknown"
            case Refused(why):
                return str(why.value)

    async def _step(self, asked: Asked, stopped_ms: int = 0) -> Answer:
        if self.boxman.wrote(asked.command) and (done := await self.done_before(asked)):
            return done
        drawn = Draws()
        for _ in range(TRIES):
            before = self.table
            facts = self.house.facts(self.boxman, asked, drawn, stopped_ms)
            if self.plays_meters:
                facts = replace(facts, **await self.house.of_meters(self.boxman))
                self.meters = facts.meters
            decision, drawn = await self._decided(asked.request, facts, drawn)
            if isinstance(decision, Refused):
                return await self.done_before(asked) or decision
            if not decision:
                return Accepted(0, ())
            after = evolve_all(before, decision)
            try:
                await self.boxman.write([NewRecord(decision, facts.now_ms, asked.actor, asked.command)], after)
            except (Taken, Moved) as late:
                if answer := await self._came_late(asked, late):
                    return answer
                continue
            if before.game is not after.game:
                await self.house.open_meters(after.game)
            self.house.noticed(self.boxman.lease.stream, decision)
            await self.publish(before)
            return Accepted(self.boxman.page.head.seq, decision)
        log.error("a request was given up", stream=self.boxman.lease.stream, request=asked.kind, tries=TRIES)
        return Refused(m.Refusal.TOO_MANY_TRIES)

    async def _came_late(self, asked: Asked, late: Taken | Moved) -> Answer | None:
        """Read the record that was written first. None: the request must be decided again."""
        if isinstance(late, Taken):
            self.numbers.avoid(late.claim, self.table)
        await self.boxman.read_again()
        if done := await self.done_before(asked):
            return done
        other = isinstance(late, Taken) and late.claim == f"command:{asked.command}"
        return Refused(m.Refusal.COMMAND_OF_ANOTHER) if other else None

    async def done_before(self, asked: Asked) -> Accepted | None:
        """The first answer to this command id."""
        if not asked.command:
            return None
        record = await self.boxman.store.commanded(self.boxman.lease.stream, asked.command)
        if record is None or record.actor != asked.actor:
            return None
        return Accepted(record.seq, events_of(record))

    async def _decided(self, request: Request | Reported, facts: Facts, drawn: Draws) -> tuple[Decision, Draws]:
        """Decide, and get what the decider needs; a refused request needs nothing. Dice and Power Odds are kept
        through retries. Tickets are looked up again, because others use them too."""
        decision = decide(self.table, request, facts)
        while isinstance(decision, m.Needs):
            match decision.what:
                case "ticket":
                    assert isinstance(request, Reported)
                    assert isinstance(request.signal, signals.TicketInEscrow | signals.TicketStacked)
                    found = await self.house.ticket(self.boxman, request.signal.number, facts.now_ms)
                    facts = replace(facts, ticket=found)
                case "ticket_number":
                    facts = replace(facts, ticket_number=self.numbers.next(self.table))
                case _:
                    drawn = self.house.draw(self.table, decision, drawn)
                    facts = replace(facts, **drawn._asdict())
            decision = decide(self.table, request, facts)
        return decision, drawn

    # --- Time ---

    def _waits_s(self) -> float | None:
        """Seconds until time changes something; None: never."""
        table, now_ms = self.table, self.house.clock.now_ms()
        moments = [table.deadline_ms, self._hurry_ms()] if table.deadline_ms else []
        moments += [seat.stay.reserved_until_ms for seat in table.seats if seat.stay.reserved_until_ms > now_ms]
        if self.plays_meters and self.screens.names():
            moments.append(now_ms + METERS_MS)
        coming = [moment for moment in moments if moment]
        return max(0, min(coming) - now_ms) / 1000 if coming else None

    def _hurry_ms(self) -> int:
        """When the bet timer turns red; 0 if that is over."""
        moment = self.table.deadline_ms - HURRY_MS
        return moment if self.table.phase == "betting" and moment > self.house.clock.now_ms() else 0

    def _is_due(self) -> bool:
        """Whether the phase's time is up."""
        return 0 < self.table.deadline_ms <= self.house.clock.now_ms()

    async def _time_passed(self) -> None:
        if self._is_due():
            return  # `run` handles it first
        if self.plays_meters:
            with suppress(NotAppended):  # the next reading may succeed
                self.meters = (await self.house.of_meters(self.boxman))["meters"]
        self._publish_later()

    # --- Showing ---

    async def publish(self, before: Table) -> None:
        """Send every device its wishes, and every screen what changed for it since `before`. Other tables get their
        turn between two screens."""
        now_ms, seq = self.house.clock.now_ms(), self.boxman.page.head.seq
        facts = self._shown(now_ms)
        self.ports.move_on()
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
        """Send every device and every screen what time has changed: wishes, the shared part, and the offers if a
        reservation may be over."""
        now_ms, seq = self.house.clock.now_ms(), self.boxman.page.head.seq
        facts = self._shown(now_ms)
        self.ports.move_on()
        shared = shared_view(self.table, facts)
        for name in self.screens.names():
            kind, _, number = name.partition(" ")
            seats = [self.table.seat(int(number))] if number else self.table.seats
            if kind in OFFERED and any(seat.stay.reserved_until_ms for seat in seats):
                seen = view(self.table, name, facts, shared)
            else:
                seen = later(self.screens.shown(name), shared)
            self.screens.move_on(name, seq, seen, now_ms)

    def show_again(self) -> None:
        """Show what depends on the devices: one has come or gone."""
        now_ms, seq = self.house.clock.now_ms(), self.boxman.page.head.seq
        for name in self.screens.names():
            if name.partition(" ")[0] in OFFERED:
                self.screens.move_on(name, seq, self._seen(name, now_ms), now_ms)

    def _shown(self, now_ms: int) -> Facts:
        """The facts that screens show."""
        return Facts(
            now_ms=now_ms,
            meters=self.meters,
            emulator=self.house.emulator,
            bills_cents=tuple(sorted(self.table.game.bills_cents)),
            printers=self.house.printers(self.boxman.lease.stream),
            keys=self.house.keys(self.boxman.lease.stream),
        )

    def _seen(self, name: str, now_ms: int) -> View:
        return view(self.table, name, self._shown(now_ms))

    def _wishes(self, place: Place) -> AnyWishes:
        """What the table wants of a device now."""
        assert place.device
        facts = Facts(now_ms=self.house.clock.now_ms(), bills_cents=tuple(sorted(self.table.game.bills_cents)))
        found = ports.wishes(self.table, place.device, place.seat, facts)
        if isinstance(found, Printing):
            return signals.PrinterWishes(print=self.house.job(self.boxman, place.seat, found))
        return signals.PrinterWishes() if found is None else found

    def watch(self, name: str, outbox: Outbox, after: int | None) -> tuple[Watched, Callable[[], bytes]]:
        """Let a connection watch a screen; also returns a function that makes a snapshot."""
        clock = self.house.clock
        watched = self.screens.rejoin(name, outbox, after) if after is not None else None
        if watched is None:
            fresh = lambda: (self.boxman.page.head.seq, self._seen(name, clock.now_ms()))  # noqa: E731
            watched = self.screens.join(name, outbox, fresh, clock.now_ms())
        return watched, lambda: watched.snapshot(clock.now_ms())
