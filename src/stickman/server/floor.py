"""An open floor: a store, an office, a pit for each table, and a task that looks round every second.

Each table has a keeper, a task that owns its journal, runs its pit, and starts again when it stops. If another
process owns a table, the keeper waits until that process is gone.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Protocol

import structlog

from stickman.devices.signals import ProgramReported
from stickman.floor import events as e
from stickman.floor import meters
from stickman.floor.boxman import Boxman
from stickman.floor.clock import Clock, Newest, check_not_ahead, newest
from stickman.floor.events import Act, Place, Refusal, Refused
from stickman.floor.office import HOUSE, Floor, Office, Terminal
from stickman.floor.seals import open_journal
from stickman.floor.terminals import SEATS_MAX
from stickman.rules.game import Game
from stickman.server.auth import STAFF_SCREENS, StaffRoom
from stickman.server.checkpointing import Signing, check_signed
from stickman.server.config import Plan
from stickman.server.entropy import BadEntropy, KernelDice
from stickman.server.house import Asked, House, Printers
from stickman.server.limits import Rates, WrongCodes
from stickman.server.operations import Metrics
from stickman.server.pit import Answer, Pit, Unknown
from stickman.server.ports import DeviceStatus
from stickman.server.program import program_at_start
from stickman.store.store import BadRecord, Fenced, Lease, NotAppended, Store, using
from stickman.table import messages as m
from stickman.table.messages import Event
from stickman.table.round import timed
from stickman.table.state import COUNTED_AHEAD_MS, Table

LOOK_ROUND_S, RETRY_S = 1, 1
LINK_LOST_MS = 10_000
"""A seat whose terminal is gone for this long has lost its link."""
GOODBYE_S = 3
STOP_STEP_S = 5
"""How long a table may take to finish its step before the server stops without it."""
UNWATCHED_MS = 5 * 60_000
"""A view that nobody watches for this long is dropped. A screen that reconnects later gets a snapshot."""
DICE_CYCLE_MS = 10_000

GOING_AWAY, RESTARTS, REVOKED, SIGNED_OUT = 1001, 1012, 4001, 4003
"""Codes of closed connections: the server stops, the table stops, the terminal is revoked, its session has
ended."""
REPLACED, FLOODED, SILENT, IDLE = 4004, 4005, 4006, 4007
"""The seat has a newer line; the line sends too much; a device sends nothing; a practice is over."""

log = structlog.get_logger()


class Connection(Protocol):
    """A screen or a device that is connected."""

    terminal: str
    place: Place
    table: int
    address: str
    session: str
    """The token of the person who was signed in when it connected; empty if nobody was."""
    number: int
    """Counts the connections."""

    @property
    def screen(self) -> str:
        """The name of the view that it watches; empty for a device."""

    @property
    def leaving(self) -> bool:
        """Whether it is being closed."""

    def hang_up(self, code: int) -> None:
        """Close it, after the answers to its requests."""

    async def closed(self) -> None: ...


class LiveFloor:
    """A floor that is open."""

    def __init__(self, plan: Plan, store: Store, office: Office, clock: Clock, metrics: Metrics) -> None:
        self.plan, self.store, self.office, self.clock, self.metrics = plan, store, office, clock, metrics
        self.staff_room = StaffRoom(office, clock, self._alarm, self.lets_sign_in)
        self.rates, self.wrong_codes = Rates(plan.config.limits), WrongCodes()
        self.pits: dict[int, Pit] = {}
        """The tables that this process owns now, by number."""
        self.refused: dict[int, list[str]] = {}
        """By table that stays shut, how its game differs from its meters."""
        self.connections: set[Connection] = set()
        self.devices: dict[str, DeviceStatus] = {}
        """By id of an enrolled device, what this process knows of it."""
        self._at: tuple[object, dict[Place, Terminal]] = (None, {})
        self.stopping = False
        self.looking_up = asyncio.Lock()
        """Terminals look things up in the journal one at a time."""
        self.reporting = asyncio.Semaphore(1)
        """Reports read whole journals, so they are made one at a time."""
        self._all_served = asyncio.Event()
        self._missing: dict[tuple[int, str], int] = {}
        """By table and screen, since when nobody watches it."""
        self._keepers = {number: asyncio.create_task(self._keep(number)) for number in plan.tables}
        self._signing = Signing(plan.checkpoints, office, clock, metrics)
        signing = self._signing.run(plan.config.checkpoints.every_s)
        self._others = [asyncio.create_task(self._look_round()), asyncio.create_task(signing)]

    @property
    def state(self) -> Floor:
        """The floor's accounts, places, tickets and meters, from its journal."""
        return self.office.floor

    @property
    def ready(self) -> bool:
        """Whether this process owns all its tables."""
        return len(self.pits) == len(self.plan.tables) and not self.stopping

    async def served(self) -> None:
        """Wait until all tables are served."""
        await self._all_served.wait()

    async def landed(self) -> None:
        """Wait until dice that count have landed on the screens: no answer says the result before."""
        now_ms = self.clock.now_ms()
        tables = [pit.table for pit in self.pits.values() if pit.table.phase == "rolled"]
        waits_ms = [table.flight.lands_at_ms - now_ms for table in tables if table.flight]
        await asyncio.sleep(max(0, min(max(waits_ms, default=0), COUNTED_AHEAD_MS)) / 1000)

    async def ask(self, table: int, asked: Asked) -> Answer:
        """Make a request at a table."""
        pit = self.pits.get(table)
        return Unknown() if pit is None or self.stopping else await pit.ask(asked)

    async def stop(self) -> None:
        """Let each table finish its step, leave the tables, and close all connections."""
        if self.stopping:
            return
        self.stopping = True
        for number, keeper in self._keepers.items():
            pit = self.pits.get(number)
            if pit is None:
                await _cancelled(keeper)
                continue
            try:
                async with asyncio.timeout(STOP_STEP_S), pit.stepping:
                    await _cancelled(keeper)
            except TimeoutError:
                log.critical("a table did not finish its step in time", table=number, seconds=STOP_STEP_S)
                await _cancelled(keeper)
        await self._say_goodbye()
        for task in self._others:
            await _cancelled(task)
        with suppress(NotAppended):
            await self.staff_room.write_refused(everything=True)
        await self._signing.sign()
        await self._signing.note()

    async def _say_goodbye(self) -> None:
        leaving = [asyncio.ensure_future(connection.closed()) for connection in self.connections]
        for connection in self.connections:
            connection.hang_up(GOING_AWAY)
        if leaving:
            _, deaf = await asyncio.wait(leaving, timeout=GOODBYE_S)
            for task in deaf:
                await _cancelled(task)

    # --- Tables ---

    async def _keep(self, number: int) -> None:
        """Own a table and run its pit; start again after anything that stops it."""
        owner = f"{socket.gethostname()}:{os.getpid()}"
        while True:
            try:
                async with self.store.own(number, owner) as lease:
                    await self._serve(number, lease)
            except Fenced:
                log.critical("another process owns the table, this one waits", table=number)
            except NotAppended as problem:
                log.warning("the table stopped", table=number, problem=str(problem))
            except BadRecord as problem:
                log.critical("the table's journal cannot be trusted", table=number, problem=str(problem))
            except Exception:
                log.exception("the table stopped", table=number)
            await asyncio.sleep(RETRY_S)

    async def _serve(self, number: int, lease: Lease) -> None:
        planned = self.plan.tables[number].game
        if not (await self.store.head(number)).seq:  # a refused game is not opened, so it can still be corrected
            await self._agreed(number, planned)
        boxman = await Boxman.sit(self.store, lease, planned, self.clock.now_ms())
        if self._forbidden(number, boxman.table.game):
            await asyncio.Event().wait()  # until an operator restarts the server with another lock
        await self._agreed(number, boxman.table.game)
        pit = Pit(boxman, self._house(), self.metrics)
        self.pits[number] = pit
        self.metrics.served.labels(str(number)).set(1)
        if self.ready:
            self._all_served.set()
        try:
            if _waits_for_nobody(pit.table):
                await pit.step(Asked(m.OpenBets()))
            await _first_of(pit.run(), _until_lost(lease))
        finally:
            del self.pits[number]
            pit.leave()
            self.metrics.served.labels(str(number)).set(0)
            for connection in self.connections:
                if connection.table == number and not self.stopping:
                    connection.hang_up(RESTARTS)

    def _house(self) -> House:
        plan = self.plan
        return House(
            self.clock,
            KernelDice(),
            plan.ticket_keys,
            plan.lock,
            plan.config.emulator,
            floor=lambda: self.state,
            open_meters=self._open_meters,
            printers=self._printers,
            keys=self._keys,
            noticed=self._notice,
        )

    def _forbidden(self, number: int, game: Game) -> bool:
        """Whether the lock forbids the game in a table's journal: then the table stays shut."""
        why = self.plan.lock.forbids(game) if self.plan.lock else []
        if why:
            log.critical("the jurisdiction lock forbids the table's game", table=number, forbidden=why)
        return bool(why)

    async def _open_meters(self, game: Game) -> None:
        """Open the meters of a game that are not open yet."""
        for meter, side in meters.played(game).items():
            if meter not in self.state.meters:
                decide = partial(meters.open_meter, meter=meter, agreed=game.meter_terms(side))
                await self.office.act(decide, at_ms=self.clock.now_ms(), actor=HOUSE)

    async def _agreed(self, number: int, game: Game) -> None:
        """Open the meters of a table's game. The table stays shut until its game agrees with them (ruling 38)."""
        await self._open_meters(game)
        while differs := meters.outside(self.state, game):
            if self.refused.get(number) != differs:
                log.critical("the table's game differs from its meters", table=number, differs=differs)
            self.refused[number] = differs
            await asyncio.sleep(LOOK_ROUND_S)
        self.refused.pop(number, None)

    async def _see_to_meters(self) -> None:
        """Apply the changes of meters that were won, and let tables follow them."""
        for meter, known in self.state.meters.items():
            if known.waits and await meters.is_won(self.store, meter, known):
                decide = partial(meters.take_effect, meter=meter)
                await self.office.act(decide, at_ms=self.clock.now_ms(), actor=HOUSE)
        for number, pit in list(self.pits.items()):
            await self._open_meters(pit.table.game)
            for new in meters.following(self.state, pit.table.game):
                known, request = self.state.meters[new.meter], m.ChangeSetting(key=new.key, text=new.text)
                await self.ask(number, Asked(request, known.by, approver=known.approver))

    # --- Devices and keys ---

    def device(self, terminal: str) -> DeviceStatus:
        """What is known of an enrolled device."""
        return self.devices.setdefault(terminal, DeviceStatus())

    def at(self, place: Place) -> Terminal | None:
        """The terminal at a place."""
        enrolled = self.state.terminals
        if self._at[0] is not enrolled:
            self._at = enrolled, {each.place: each for each in enrolled.values()}
        return self._at[1].get(place)

    def _printers(self, table: int) -> Printers:
        """By seat of a table with a printer, whether it is connected."""
        pit = self.pits.get(table)
        found = {seat: self.at(Place("printer", table, seat)) for seat in range(1, SEATS_MAX + 1)}
        return {
            seat: "ready" if pit and printer.id in pit.ports else "away"
            for seat, printer in found.items()
            if printer
        }

    def _keys(self, table: int) -> dict[int, bool]:
        """By seat of a table with a key switch, and 0 for the dealer's, whether it is connected."""
        pit = self.pits.get(table)
        found = {seat: self.at(Place("doors", table, seat)) for seat in range(SEATS_MAX + 1)}
        return {seat: bool(pit and doors.id in pit.ports) for seat, doors in found.items() if doors}

    async def remove_revoked(self, table: int) -> bool:
        """Remove devices from a table that are no longer enrolled; returns whether all are gone."""
        if (pit := self.pits.get(table)) is None:
            return False
        heard = pit.table.heard.items()
        gone = [(device, known.seat) for device, known in heard if device not in self.state.terminals]
        asked = [await self.ask(table, Asked(m.RemoveDevice(seat=seat, device=device))) for device, seat in gone]
        return not any(isinstance(answer, Unknown) for answer in asked)

    async def heard_program(self, terminal: str, place: Place, program: ProgramReported) -> None:
        """Compare the program of a device with the server's own. A difference that is new is recorded."""
        ours, before = program_at_start().sha256, self.device(terminal).program
        if program.sha256 != ours and not (before and before.sha256 == program.sha256):
            log.critical("a device has another program", device=terminal, place=str(place), version=program.version)
            differs = e.DeviceProgramDiffers(
                terminal=terminal, place=place, version=program.version, sha256=program.sha256, ours=ours
            )
            await self.office.record(differs, at_ms=self.clock.now_ms())  # first: if it fails, it is still new
        self.device(terminal).program = program
        self.metrics.programs.set(len(self.programs_differ()))

    def programs_differ(self) -> dict[str, ProgramReported]:
        """By enrolled device whose program is not the server's own, what it reported."""
        ours = program_at_start().sha256
        found = {terminal: each.program for terminal, each in self.devices.items()}
        return {terminal: program for terminal, program in found.items() if program and program.sha256 != ours}

    def lets_sign_in(self, place: Place) -> bool:
        """Whether staff may be signed in at a terminal: at a seat, while its key switch is turned and connected."""
        if place.screen != "seat":
            return place.screen in STAFF_SCREENS
        pit, key = self.pits.get(place.table), self.at(Place("doors", place.table, place.seat))
        if pit is None or key is None or key.id not in pit.ports or place.seat > len(pit.table.seats):
            return False
        return pit.table.seat(place.seat).terminal.key

    def _notice(self, table: int, events: tuple[Event, ...]) -> None:
        """When a key is turned back, the person at that seat's terminal is signed out at once."""
        for event in events:
            if isinstance(event, m.KeyTurned) and not event.on:
                self.sign_out_at(table, event.seat)

    def sign_out_at(self, table: int, seat: int) -> None:
        """The key of a seat's terminal is off, or its device is gone."""
        if found := self.at(Place("seat", table, seat)):
            self.staff_room.leave(found.id)
        self.revoke()

    # --- Looking round ---

    async def _look_round(self) -> None:
        """Do what nobody asks for: read what other processes wrote, notice lost links, test dice and clock."""
        cycled_ms = 0
        while True:
            await asyncio.sleep(LOOK_ROUND_S)
            now_ms = self.clock.now_ms()
            try:
                await self.office.catch_up()
                self.revoke()
                await self.staff_room.write_refused()
                await self._see_to_meters()
                for table in tuple(self.pits):
                    await self.remove_revoked(table)
                await self._miss(now_ms)
                if now_ms - cycled_ms >= DICE_CYCLE_MS:
                    cycled_ms = now_ms
                    await self._cycle()
            except NotAppended as problem:
                log.warning("the floor's journal cannot be read or written", problem=str(problem))
            except BadRecord as problem:
                log.critical("the floor's journal cannot be trusted", problem=str(problem))
            except Exception:
                log.exception("looking round failed")
            await self._note_jump()

    async def _note_jump(self) -> None:
        """Record a jump of the machine's clock."""
        if jump_ms := self.clock.jumped_ms():
            log.warning("the machine's clock jumped; the floor's did not", jump_ms=jump_ms)
            with suppress(NotAppended):  # at least the log has it
                await self.office.record(e.ClockJumped(by_ms=jump_ms), at_ms=self.clock.now_ms())

    def revoke(self) -> None:
        """Close the connections of revoked terminals and ended sessions, and forget revoked devices."""
        if gone := [each for each in self.devices if each not in self.state.terminals]:
            for each in gone:
                del self.devices[each]
            self.metrics.programs.set(len(self.programs_differ()))
        for connection in self.connections:
            if connection.terminal not in self.state.terminals:
                connection.hang_up(REVOKED)
            elif self.refuses_to_show(connection.terminal, connection.place, connection.session):
                connection.hang_up(SIGNED_OUT)

    def refuses_to_show(self, terminal: str, place: Place, session: str) -> Refused | None:
        """Why a screen shows nothing: its session has ended, or it is an office, which shows all the money of a
        table, and nobody with that right is signed in."""
        badge = self.staff_room.badge(terminal, session, use=False) if session else ""
        if place.screen == "office":
            return self.state.refuses(badge, Act.READ_AUDIT)
        return Refused(Refusal.NOBODY_SIGNED_IN) if session and not badge else None

    def _alarm(self, failed: e.SignInFailed) -> None:
        """Report that someone tries passwords. An unknown badge is left out: it may be a password."""
        badge = failed.badge if failed.badge in self.state.staff else ""
        facts = {name: getattr(failed, name) for name in ("terminal", "failures", "terminals", "until_ms")}
        log.critical("someone tries passwords", badge=badge, **facts)
        self.metrics.sign_in_alarms.inc()

    async def _miss(self, now_ms: int) -> None:
        """Notice screens that are gone: seats lose their link, unwatched views are dropped."""
        watched = {(connection.table, connection.screen) for connection in self.connections}
        for number, pit in list(self.pits.items()):
            seats = [f"seat {seat.number}" for seat in pit.table.seats]
            for screen in {*pit.screens.names(), *seats}:
                key = (number, screen)
                if key in watched:
                    self._missing.pop(key, None)
                    continue
                missing_ms = now_ms - self._missing.setdefault(key, now_ms)
                if missing_ms >= LINK_LOST_MS and screen in seats:
                    await self._lose_link(number, seats.index(screen) + 1)
                if missing_ms >= UNWATCHED_MS and screen in pit.screens.names():
                    pit.screens.forget(screen)

    async def _lose_link(self, number: int, seat: int) -> None:
        pit = self.pits.get(number)
        if pit and pit.table.seat(seat).terminal.linked:
            await self.ask(number, Asked(m.LoseLink(seat=seat)))

    async def _cycle(self) -> None:
        """Advance each generator, so that a failure shows before the next roll."""
        for number, pit in list(self.pits.items()):
            try:
                pit.house.dice.cycle()
            except BadEntropy as fault:
                if not pit.table.paused:
                    pit.distrust(fault)
                    await self.ask(number, Asked(m.PauseTable()))


@asynccontextmanager
async def open_floor(plan: Plan) -> AsyncIterator[LiveFloor]:
    """Open a floor, and close it in good order."""
    metrics = Metrics()
    async with using(open_journal(plan.database, plan.journal_key, watch=metrics.appending)) as store:
        found = await newest(store)
        if not plan.despite_clock:
            check_not_ahead(found)
        clock = Clock(found.at_ms)
        office = await Office.open(store)
        await check_signed(plan.checkpoints, store)
        await _note_override(office, clock, found)
        await _note_program(office, clock)
        floor = LiveFloor(plan, store, office, clock, metrics)
        try:
            yield floor
        finally:
            await floor.stop()


async def _note_program(office: Office, clock: Clock) -> None:
    found = await asyncio.to_thread(program_at_start)
    log.info("the program starts", version=found.version, sha256=found.sha256)
    await office.record(e.ProgramStarted(version=found.version, sha256=found.sha256), at_ms=clock.now_ms())


async def _note_override(office: Office, clock: Clock, found: Newest) -> None:
    """Record that an operator opened the floor although the journal is ahead of the clock."""
    if found.ahead_ms:
        log.critical("the journal is ahead of the machine's clock", ahead_ms=found.ahead_ms, stream=found.stream)
        overridden = e.ClockOverridden(ahead_ms=found.ahead_ms, stream=found.stream)
        await office.record(overridden, at_ms=clock.now_ms())


def _waits_for_nobody(table: Table) -> bool:
    """Whether an automated table is idle and nobody would open its bets."""
    idle = table.phase == "betting" and not (table.deadline_ms or table.paused or table.locked_up)
    return idle and table.mode == "automated" and timed(table)


async def _until_lost(lease: Lease) -> None:
    """Watch the lease: an idle table writes nothing, so it would not notice another owner."""
    while not lease.lost:  # noqa: ASYNC110 - a lease has no event to wait for
        await asyncio.sleep(LOOK_ROUND_S)
    raise Fenced(f"another owner has stream {lease.stream}")


async def _first_of(*work: Coroutine[Any, Any, None]) -> None:
    """Run several tasks until one ends, then cancel the others."""
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            await _cancelled(task)


async def _cancelled(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait for its end."""
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.exception()  # retrieved, so that asyncio does not log it again
