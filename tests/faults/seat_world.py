"""One seat without sockets: emulated metal, a devices side with a real memory file, and a server side with a real
pit on a real journal. Time is simulated.

Either side, or both, can end at any *point*: between two bytes of a wire, before or after a commit of the memory or
of the journal, before or after a message between them. What is left of a side is its file as it is at that moment.
It starts again later, opens a copy of that file, and both connect again. `tests/faults/test_seat_crashes.py` and
`tests/faults/matrix.py` use it.
"""

from __future__ import annotations

import asyncio
import copy
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from stickman.devices import signals as s
from stickman.devices.acceptor_peripheral import AcceptorMemory, AcceptorPeripheral
from stickman.devices.doors import CONTACT_NAMES
from stickman.devices.doors_peripheral import DoorsMemory, DoorsPeripheral
from stickman.devices.emulated_acceptor import EmulatedAcceptor, SlotPaper
from stickman.devices.emulated_bench import TERMINAL_DOORS
from stickman.devices.emulated_doors import EmulatedDoors
from stickman.devices.emulated_printer import EmulatedPrinter, PaperSlip
from stickman.devices.id003 import Status
from stickman.devices.keeper import Commit, Keeper
from stickman.devices.memory import DeviceMemory, Remembered
from stickman.devices.peripheral import Instant, Peripheral
from stickman.devices.printer_peripheral import PrinterMemory, PrinterPeripheral
from stickman.floor import tickets
from stickman.floor.boxman import Boxman
from stickman.floor.clock import Clock
from stickman.floor.events import Place
from stickman.floor.journal import events_of
from stickman.floor.office import Drawer, Floor
from stickman.floor.verify import verify
from stickman.rules.game import Game
from stickman.rules.settings import change, load
from stickman.server.entropy import KernelDice
from stickman.server.house import Asked, House
from stickman.server.pit import Accepted, Answer, Pit
from stickman.server.screens import Outbox
from stickman.store import open_store
from stickman.store.store import Batch, Head, Store
from stickman.table import messages as m
from stickman.table.asking import layout_of
from stickman.table.ledger import credit
from stickman.table.ports import digest
from stickman.table.state import Seat, Table, new_table

SEAT, STREAM = 1, 1
CASHIER = "cashier"
"""A badge with an open drawer."""
KEY = bytes(range(32))
WALL_MS = 1_700_000_000_000
PROGRAM = s.ProgramReported(version="1", sha256="0" * 64)
BEAT_MS, SILENT_MS, RETRY_MS = 500, 6_000, 300
"""As in `devices/link`: a sign of life, a connection that is given up, a try to connect."""
MEMORY_RETRY_MS = 1_000
STILL_MS = 400
"""It rests if nothing has happened for so long."""
Side = Literal["devices", "server"]
BYTE = "byte"
SIDES: tuple[Side, ...] = ("devices", "server")
LOOP = asyncio.new_event_loop()


@cache
def seat_game() -> Game:
    game = change(change(load("craps"), "seats", "1"), "mode", "dealer_assisted")
    layout_of(new_table(game))
    return game


class SideEnded(Exception):
    """Here the side whose code runs ends."""


class PointedStore:
    """A store with a point on each side of an append."""

    def __init__(self, store: Store, point: Callable[[], None]) -> None:
        self._store, self._point = store, point

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def append(self, batch: Batch) -> Head:
        self._point()
        head = await self._store.append(batch)
        self._point()
        return head


class WorldClock(Clock):
    def __init__(self, now_ms: Callable[[], int]) -> None:
        self.now_ms = now_ms  # type: ignore[method-assign] # simulated


class SeatOutbox(Outbox):
    """What the server says over one connection of a device."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def put(self, data: bytes, *, is_frame: bool = False) -> None:
        del is_frame
        self.sent.append(data)


def peripherals() -> dict[s.DeviceKind, Callable[[Remembered], Peripheral]]:
    names = [CONTACT_NAMES[name] for name in (*TERMINAL_DOORS, "key")]
    return {
        "acceptor": lambda found: AcceptorPeripheral(found.memory_as(AcceptorMemory)),
        "printer": lambda found: PrinterPeripheral(found.memory_as(PrinterMemory)),
        "doors": lambda found: DoorsPeripheral(names, found.memory_as(DoorsMemory)),
    }


class SeatMetal:
    """The emulated devices, their wires, and where every paper is."""

    def __init__(self, acceptor: EmulatedAcceptor | None = None) -> None:
        self.acceptor = acceptor or EmulatedAcceptor()
        self.printer = EmulatedPrinter()
        self.doors = EmulatedDoors(TERMINAL_DOORS)
        self.acceptor.power_on(0)
        self.plugged = dict.fromkeys(s.DEVICE_KINDS, True)
        self.dropped: list[SlotPaper] = []
        """In stackers that were taken out."""

    def wire(self, kind: s.DeviceKind) -> EmulatedAcceptor | EmulatedPrinter | EmulatedDoors:
        return cast(EmulatedAcceptor | EmulatedPrinter | EmulatedDoors, getattr(self, kind))

    @property
    def stacked(self) -> list[SlotPaper]:
        return [*self.dropped, *self.acceptor.stacker]

    def take_stacker(self, now_ms: int) -> None:
        self.dropped += self.acceptor.take_stacker(now_ms)

    @property
    def slips(self) -> list[PaperSlip]:
        return self.printer.slips


class DevicesSide:
    """The devices process: keepers and their memory."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._files = folder, 0
        self.keepers: dict[s.DeviceKind, Keeper] = {}
        self.memory: DeviceMemory | None = None
        self.waiting: list[tuple[s.DeviceKind, Commit]] = []
        """Commits that the disk has not taken yet."""
        self.answers = dict.fromkeys(s.DEVICE_KINDS, b"")
        """Bytes on their way from the metal."""

    @property
    def alive(self) -> bool:
        return self.memory is not None

    @property
    def file(self) -> Path:
        return self.folder / f"devices-{self._files}.db"

    def start(self) -> None:
        self.memory = DeviceMemory(self.file)
        for kind, make in peripherals().items():
            found = self.memory.begin(kind)
            self.keepers[kind] = Keeper(
                make(found), PROGRAM, boot=found.boot, next_seq=found.next_seq, unheard=found.unheard
            )
        self.waiting, self.answers = [], dict.fromkeys(s.DEVICE_KINDS, b"")

    def end(self) -> None:
        """The process is gone at once; the next one opens a copy of what is on the disk."""
        before, self._files = self.file, self._files + 1
        copy_database(before, self.file)
        self.close()

    def close(self) -> None:
        if self.memory:
            self.memory.close()
        self.memory = None


class ServerSide:
    """The server: a pit and its journal."""

    def __init__(self, folder: Path, game: Game, database: str = "") -> None:
        self.folder, self._files, self._database = folder, 0, database
        self.game = game
        self.pit: Pit | None = None
        self._stack: AsyncExitStack | None = None
        self.store: Store

    @property
    def alive(self) -> bool:
        return self.pit is not None

    @property
    def file(self) -> Path:
        return self.folder / f"journal-{self._files}.db"

    def start(self, point: Callable[[], None], clock: Clock) -> None:
        LOOP.run_until_complete(self._start(point, clock))

    async def _start(self, point: Callable[[], None], clock: Clock) -> None:
        self._stack = AsyncExitStack()
        self.store = await open_store(self._database or f"sqlite:{self.file}")
        self._stack.push_async_callback(self.store.close)
        lease = await self._stack.enter_async_context(self.store.own(STREAM, "world"))
        store = cast(Store, PointedStore(self.store, point))
        boxman = await Boxman.sit(store, lease, self.game, clock.now_ms())
        floor = Floor(drawers={CASHIER: Drawer(0)})
        house = House(clock, KernelDice(), (KEY,), printers=self._printers, floor=lambda: floor)
        self.pit = Pit(boxman, house)
        await self.pit.step(Asked(m.Restart()), stopped_ms=boxman.page.at_ms)

    def _printers(self, _: int) -> dict[int, Literal["ready", "away"]]:
        return {SEAT: "ready" if self.pit and "printer-1" in self.pit.ports else "away"}

    def end(self) -> None:
        """The process is gone at once. A database server stays, and has what was committed."""
        if not self._database:
            before, self._files = self.file, self._files + 1
            copy_database(before, self.file)
        self.close()

    def close(self) -> None:
        if self._stack:
            LOOP.run_until_complete(self._stack.aclose())
        self.pit = self._stack = None


def is_ticket(paper: SlotPaper) -> bool:
    return not paper.cents and not paper.rejected


def copy_database(before: Path, after: Path) -> None:
    """A database as a killed process leaves it, written ahead or not."""
    for suffix in ("", "-wal"):
        if (left := before.with_name(before.name + suffix)).exists():
            shutil.copy(left, after.with_name(after.name + suffix))


class Mail(NamedTuple):
    """A report on its way to the server, and the connection that it takes."""

    connection: int
    kind: s.DeviceKind
    report: s.Report


class Wish(NamedTuple):
    """What a person asks for, until it is answered."""

    request: m.Request
    actor: str
    command: str
    approver: str = ""


class SeatWorld:
    def __init__(
        self,
        folder: Path,
        database: str = "",
        *,
        game: Game | None = None,
        acceptor: EmulatedAcceptor | None = None,
    ) -> None:
        """The journal is a file in the folder, unless a database is named."""
        self.folder = folder
        self.now_ms = 1_000
        self.metal = SeatMetal(acceptor)
        self.devices, self.server = DevicesSide(folder), ServerSide(folder, game or seat_game(), database)

        self.points = 0
        self.marked: list[int] = []
        """The points at commits and messages; all others are bytes."""
        self.ends_at: tuple[int, ...] = ()
        """The points at which the victims end."""
        self.victims: tuple[Side, ...] = ()
        self.down_ms = 300
        """How long a side is away that has ended."""
        self.ends = 0
        self.at_point: Callable[[], None] = lambda: None
        """Called at each point, such as to begin a fault."""
        self._dying: set[Side] = set()

        self.to_come: list[tuple[int, Callable[[], object]]] = []
        """By time, what happens on its own."""
        self.link_cut = self.server_frozen = False
        self.connection = 0
        """The number of the connection of now; 0 if there is none."""
        self._connections = 0
        self._connect_ms = self._beat_ms = self._said_ms = 0
        self._outboxes: dict[s.DeviceKind, SeatOutbox] = {}
        self._mail: list[Mail] = []
        self.doubles = 0
        """How many of the next reports arrive twice."""
        self.memory_ready_ms = 0
        """Until then the disk takes nothing."""
        self.server_skew_ms = self.devices_skew_ms = 0
        """How far the wall clock of each side is off."""
        self.before_heard: Callable[[s.Signal], None] = lambda _: None
        """Called when a report is durable and the device does not know it yet."""
        self.wishes: list[Wish] = []
        self.answers: dict[str, Answer] = {}
        self._commands = count(1)
        self.written = 0
        """Bytes that have left for a device in this turn."""

        self._server_starts()
        self._devices_start()

    # --- Starts and ends ---

    def _server_starts(self) -> None:
        self.server.start(lambda: self.point("server", "append"), WorldClock(self._server_ms))

    def _devices_start(self) -> None:
        self.devices.start()
        for kind in s.DEVICE_KINDS:
            if self.metal.plugged[kind]:
                self._wire(kind)

    def _wire(self, kind: s.DeviceKind) -> None:
        self.metal.wire(kind).wired(True, self._device_clock_ms(kind))
        self.devices.keepers[kind].peripheral.port_opened(self.now)

    def _bury(self) -> None:
        """End the sides that die; each starts again later."""
        for side in sorted(self._dying):
            self._hang_up()
            if side == "devices":
                self.devices.end()
                for kind in s.DEVICE_KINDS:
                    self.metal.wire(kind).wired(False, self._device_clock_ms(kind))
                self.after(self.down_ms, self._devices_start)
            else:
                self.server.end()
                self._mail.clear()
                self.after(self.down_ms, self._server_starts)
        self._dying.clear()

    def close(self) -> None:
        self.devices.close()
        self.server.close()

    def copied(self, folder: Path) -> SeatWorld:
        """The same world in another folder, at rest; its server starts again."""
        assert self.devices.memory
        folder.mkdir()
        memory, server = self.devices.memory, self.server
        self._hang_up()
        self.devices.memory = self.server = None  # type: ignore[assignment] # only for the copy
        try:
            world = copy.deepcopy(self)
        finally:
            self.devices.memory, self.server = memory, server
        world.folder = world.devices.folder = folder
        world.server = ServerSide(folder, server.game)
        copy_database(self.server.file, world.server.file)
        copy_database(self.devices.file, world.devices.file)
        world.devices.memory = DeviceMemory(world.devices.file)
        world._server_starts()
        return world

    def point(self, running: Side, what: str = BYTE) -> None:
        self.points += 1
        if what != BYTE:
            self.marked.append(self.points)
        self.at_point()
        if self.points in self.ends_at:
            self.ends += 1
            self.strike(*self.victims)
        if running in self._dying:
            raise SideEnded

    def strike(self, *victims: Side) -> None:
        """These sides end: the one whose code runs at its next point, the other when that is done."""
        self._dying.update(side for side in victims if getattr(self, side).alive)

    # --- Time ---

    @property
    def now(self) -> Instant:
        return Instant(self.now_ms, WALL_MS + self.now_ms + self.devices_skew_ms)

    def _server_ms(self) -> int:
        return WALL_MS + self.now_ms + self.server_skew_ms

    def _device_clock_ms(self, kind: s.DeviceKind) -> int:
        return WALL_MS + self.now_ms if kind == "doors" else self.now_ms

    def after(self, ms: int, happens: Callable[[], object]) -> None:
        self.to_come.append((self.now_ms + ms, happens))

    def step(self) -> None:
        self.now_ms += self._wait_ms()
        for at_ms, happens in [each for each in self.to_come if each[0] <= self.now_ms]:
            self.to_come.remove((at_ms, happens))
            happens()
        for work in (self._turns, self._talk, self._serve, self._listen):
            with suppress(SideEnded):
                work()
            self._bury()

    def _wait_ms(self) -> int:
        if not self.devices.alive:
            return 50
        if any(self.devices.answers.values()) or self._mail:
            return 1
        dues = [keeper.due_ms for keeper in self.devices.keepers.values()]
        dues += [at_ms for at_ms, _ in self.to_come]
        return max(1, min(100, min(dues) - self.now_ms))

    def run(self, ms: int) -> None:
        until_ms = self.now_ms + ms
        while self.now_ms < until_ms:
            self.step()

    def run_until(self, done: Callable[[], object], limit_ms: int = 60_000) -> None:
        until_ms = self.now_ms + limit_ms
        while not done():
            assert self.now_ms < until_ms, f"it does not come to rest: {self.where()}"
            self.step()

    # --- The devices side ---

    def _turns(self) -> None:
        for kind in s.DEVICE_KINDS:
            if self.devices.alive:
                self._turn(kind)

    def _turn(self, kind: s.DeviceKind) -> None:
        devices, keeper, wire = self.devices, self.devices.keepers[kind], self.metal.wire(kind)
        came = devices.answers[kind] + wire.wants(self._device_clock_ms(kind))
        data, devices.answers[kind] = came if self.metal.plugged[kind] else b"", b""
        for _ in data:
            self.point("devices")  # what was read in part is gone with the program
        commit = keeper.turn(data, self.now)
        if commit:
            devices.waiting.append((kind, commit))
            self._write(kind)  # as `devices/runner` does: what need not wait for the disk leaves at once
        self._store()
        self._write(kind)

    def _write(self, kind: s.DeviceKind) -> None:
        wire, self.written = self.metal.wire(kind), 0
        for byte in self.devices.keepers[kind].wants(self.now):
            if self.metal.plugged[kind]:
                self.devices.answers[kind] += wire.heard(bytes((byte,)), self._device_clock_ms(kind))
            self.written += 1
            self.point("devices")

    def _store(self) -> None:
        """Write what waits, if the disk takes it; else it is tried again later, as `devices/runner` does."""
        devices = self.devices
        if not devices.waiting or self.now_ms < self.memory_ready_ms:
            return
        self.point("devices", "commit")
        assert devices.memory
        try:
            devices.memory.commit(devices.waiting)
        except sqlite3.Error:
            self.memory_ready_ms = self.now_ms + MEMORY_RETRY_MS
            return
        self.point("devices", "commit")
        for kind, commit in devices.waiting:
            devices.keepers[kind].stored(commit)
        devices.waiting = []

    def plug(self, kind: s.DeviceKind, *, in_: bool) -> None:
        """Plug a wire in, or unplug it."""
        if self.metal.plugged[kind] is in_:
            return
        self.metal.plugged[kind] = in_
        if in_ and self.devices.alive:
            self._wire(kind)
        elif not in_:
            self.metal.wire(kind).wired(False, self._device_clock_ms(kind))
            if self.devices.alive:
                self.devices.keepers[kind].peripheral.port_closed(self.now)

    # --- Between the two sides ---

    def _talk(self) -> None:
        """The devices side connects, reports and asks whether the server is there."""
        if not self.devices.alive:
            return
        if not self.connection:
            if not self.server.alive or self.server_frozen or self.link_cut or self.now_ms < self._connect_ms:
                return
            self._connect()
        elif self.link_cut or self.now_ms >= self._said_ms + SILENT_MS:
            self._hang_up()
            return
        for kind in s.DEVICE_KINDS:
            for report in self.devices.keepers[kind].to_send():
                self.point("devices", "report")
                mail = Mail(self.connection, kind, report)
                twice, self.doubles = self.doubles > 0, max(0, self.doubles - 1)
                self._mail += [mail, mail] if twice else [mail]
        if self.now_ms >= self._beat_ms and not self.server_frozen and self.server.alive:
            self._beat_ms = self.now_ms + BEAT_MS
            for outbox in self._outboxes.values():
                outbox.put(s.ENCODER.encode(s.Alive(server_ms=self._server_ms())))

    def _connect(self) -> None:
        assert self.server.pit
        self._connections += 1
        self.connection, self._said_ms = self._connections, self.now_ms
        for kind in s.DEVICE_KINDS:
            self._outboxes[kind] = SeatOutbox()
            self.devices.keepers[kind].connected()
            self.server.pit.ports.join(f"{kind}-1", Place(kind, STREAM, SEAT), self._outboxes[kind])

    def _hang_up(self) -> None:
        if self.connection and self.server.pit:
            for kind, outbox in self._outboxes.items():
                self.server.pit.ports.leave(f"{kind}-1", outbox)
        self.connection, self._outboxes = 0, {}
        self._connect_ms = self.now_ms + RETRY_MS

    def _listen(self) -> None:
        """The devices side hears what the server said over this connection."""
        for kind, outbox in list(self._outboxes.items()):
            while outbox.sent and self.devices.alive and self.connection:
                self.point("devices", "message")
                self._said_ms = self.now_ms
                self.devices.keepers[kind].said(s.FROM_SERVER.decode(outbox.sent.pop(0)), self.now)

    # --- The server side ---

    def _serve(self) -> None:
        if self.server_frozen or not self.server.alive:
            return
        while self._mail:
            self._hear(self._mail.pop(0))
        for wish in list(self.wishes):
            self.point("server", "request")
            answer = self._step(Asked(wish.request, wish.actor, wish.command, wish.approver))
            self.point("server", "answer")
            self.answers[wish.command] = answer
            self.wishes.remove(wish)

    def _hear(self, mail: Mail) -> None:
        """As `server/device_line` does it."""
        kind, report = mail.kind, mail.report
        device = f"{kind}-1"
        self.point("server", "report")
        reported = m.Reported(
            signal=report.signal,
            seat=SEAT,
            kind=kind,
            device=device,
            boot=report.boot,
            seq=report.seq,
            at_ms=report.at_ms,
        )
        answer = self._step(Asked(reported, device, f"signal:{device}:{report.boot}:{report.seq}"))
        assert isinstance(answer, Accepted), answer
        heard = [each for each in answer.events if isinstance(each, m.SignalHeard)]
        assert all(each.digest == digest(report.signal) for each in heard), "one number, two contents"
        assert not any(isinstance(each, m.DeviceDistrusted) for each in answer.events), answer
        self.before_heard(report.signal)
        self.point("server", "heard")
        if mail.connection == self.connection:
            self._outboxes[kind].put(s.ENCODER.encode(s.Heard(seq=report.seq)))

    def _step(self, asked: Asked) -> Answer:
        assert self.server.pit
        return LOOP.run_until_complete(self.server.pit.step(asked))

    @property
    def table(self) -> Table:
        assert self.server.pit
        return self.server.pit.table

    def _shows(self, wanted: Callable[[Seat], object]) -> bool:
        """Whether the seat stands so at a server that runs."""
        return bool(self.server.pit and wanted(self.table.seat(SEAT)))

    # --- People ---

    def ask(self, request: m.Request, actor: str = "seat 1", approver: str = "") -> Answer:
        """Ask, again under the same id if the server ends meanwhile, and wait for the answer."""
        command = self.wish(request, actor, approver)
        self.run_until(lambda: command in self.answers)
        return self.answers[command]

    def wish(self, request: m.Request, actor: str = "seat 1", approver: str = "") -> str:
        """Ask without waiting; the id."""
        command = f"wish-{next(self._commands)}"
        self.wishes.append(Wish(request, actor, command, approver))
        return command

    def insert(self, paper: SlotPaper) -> bool:
        return self.metal.acceptor.insert(paper, self.now_ms)

    def insert_bill(self, cents: int) -> bool:
        return self.insert(self.metal.acceptor.bill(cents))

    def insert_slip(self, slip: PaperSlip) -> bool:
        """A slip of the tray."""
        taken = self.metal.printer.take_slip(slip)
        assert taken
        [number] = taken.numbers
        return self.insert(self.metal.acceptor.ticket(number))

    def turn_key(self, *, on: bool) -> None:
        self.metal.doors.turn_key(on, self._device_clock_ms("doors"))

    def help(self) -> bool:
        """Staff come with the key, pay what is due, clear the lock-up once all works; whether they were needed."""
        if not self.table.seat(SEAT).terminal.lockups:
            return False
        self.run_until(lambda: self._shows(lambda seat: not seat.terminal.faults))
        self.turn_key(on=True)
        self.run_until(lambda: self._shows(lambda seat: seat.terminal.key))
        if self.table.seat(SEAT).terminal.hand_pay_cents:
            paid = self.ask(m.PayByHand(seat=SEAT), "boss", "supervisor")
            assert isinstance(paid, Accepted), paid
        cleared = self.ask(m.ClearLockup(seat=SEAT), "supervisor")
        assert isinstance(cleared, Accepted), cleared
        self.turn_key(on=False)
        self.run_until(lambda: self._shows(lambda seat: not seat.terminal.key))
        return True

    # --- Rest ---

    @property
    def rests(self) -> bool:
        """Both sides live and are connected, and nothing is on its way."""
        if not (self.devices.alive and self.server.alive and self.connection) or self.server_frozen:
            return False
        terminal, keepers = self.table.seat(SEAT).terminal, self.devices.keepers
        moving = (
            self.to_come
            or self._mail
            or self.wishes
            or self.devices.waiting
            or any(keeper.unheard for keeper in keepers.values())
            or keepers["acceptor"].peripheral.state["note"]
            or not keepers["printer"].peripheral.resting
            or terminal.printing
            or terminal.escrow
            or self.metal.acceptor.path
        )
        takes = Status.INHIBITED if terminal.lockups else Status.IDLE
        return not moving and self.metal.acceptor.status == takes

    def come_to_rest(self, limit_ms: int = 60_000) -> None:
        until_ms = self.now_ms + limit_ms
        while True:
            self.run_until(lambda: self.rests, max(1, until_ms - self.now_ms))
            since_ms = self.now_ms
            while self.rests and self.now_ms < since_ms + STILL_MS:
                self.step()
            if self.rests:
                return

    def where(self) -> dict[str, object]:
        """How it is, for a message."""
        terminal = self.table.seat(SEAT).terminal if self.server.alive else None
        states = {kind: keeper.peripheral.state for kind, keeper in self.devices.keepers.items()}
        return {"metal": self.metal.acceptor.status, "terminal": terminal, "states": states, "points": self.points}

    # --- The count ---

    def count(self) -> SeatCount:
        return LOOP.run_until_complete(self._count())

    async def _count(self) -> SeatCount:
        bills: Counter[int] = Counter()
        redeemed: Counter[str] = Counter()
        numbers: list[str] = []
        kinds: Counter[str] = Counter()
        paid = 0
        async for record in self.server.store.records(STREAM):
            for event in events_of(record):
                kinds[type(event).__name__] += 1
                match event:
                    case m.CashInserted():
                        bills[event.cents] += 1
                    case m.TicketRedeemed():
                        redeemed[event.number] += 1
                    case m.TicketReserved():
                        numbers.append(event.number)
                    case m.HandPaid():
                        paid += event.cents
        known = {
            number: await tickets.look_up(self.server.store, (KEY,), number, now_ms=self._server_ms())
            for number in numbers
        }
        return SeatCount(bills, redeemed, known, kinds, paid)

    def check_journal(self) -> None:
        verdict = LOOP.run_until_complete(verify(self.server.store, ticket_keys=(KEY,)))
        assert verdict.faults == [], verdict.faults

    def check(self) -> SeatCount:
        """Every note and slip is in exactly one place, and the ledger says the same."""
        found, metal, accounts = self.count(), self.metal, self.table.accounts
        stacked = metal.stacked
        assert metal.acceptor.path is None
        assert found.bills == Counter(paper.cents for paper in stacked if paper.cents), "bills and credits differ"
        in_stackers = Counter(paper.number for paper in stacked if not paper.cents)
        assert found.redeemed == in_stackers, "tickets and credits differ"
        outside = Counter(number for slip in metal.slips for number in slip.numbers)
        outside += Counter(
            paper.number for paper in metal.acceptor.player if not paper.cents and not paper.rejected
        )
        assert max((in_stackers + outside).values(), default=1) == 1, "two papers with one number"
        good = {"cash_out": 0, "tip": 0}
        for number, ticket in found.tickets.items():
            assert PAPERS[ticket.status](in_stackers[number], outside[number]), (ticket, in_stackers, outside)
            good[ticket.kind] += ticket.cents if ticket.status == "good" else 0
        assert sum(accounts.values()) == 0, accounts
        assert {name for name, cents in accounts.items() if cents} <= MOVED, accounts
        assert accounts.get("cash", 0) == found.paid_by_hand - sum(c * n for c, n in found.bills.items()), accounts
        assert (accounts.get("tickets", 0), accounts.get("tips", 0)) == (good["cash_out"], good["tip"]), accounts
        assert accounts.get("handpay", 0) == self.table.seat(SEAT).terminal.hand_pay_cents, accounts
        totals = self.devices.keepers["acceptor"].peripheral.totals
        assert (totals.bills, totals.tickets_in) == (dict(found.bills), found.redeemed.total()), totals
        return found

    def redeem_all(self, known: dict[str, tickets.Ticket]) -> None:
        """Insert every ticket that is outside, and a copy of each number that ever was: a good ticket is credit
        once, and all else comes back."""
        acceptor = self.metal.acceptor
        for slip in [slip for slip in self.metal.slips if slip.numbers]:
            self.metal.printer.take_slip(slip)
            acceptor.player += [acceptor.ticket(number) for number in slip.numbers]
        for paper in [paper for paper in acceptor.player if is_ticket(paper)]:
            self._inserted(paper)
        for number in known:
            self._inserted(copied := acceptor.ticket(number))
            acceptor.player.remove(copied)
        good = [number for number, ticket in known.items() if ticket.cents_at_table is not None]
        paid = [number for number, ticket in known.items() if ticket.status == "redeemed"]
        assert self.check().redeemed == Counter([*good, *paid])

    def _inserted(self, paper: SlotPaper) -> None:
        assert self.insert(paper), self.where()
        self.come_to_rest()


class SeatCount(NamedTuple):
    """What the journal says."""

    bills: Counter[int]
    redeemed: Counter[str]
    tickets: dict[str, tickets.Ticket]
    events: Counter[str]
    paid_by_hand: int


MOVED = {"cash", "tickets", "tips", "handpay", credit(SEAT)}
"""The accounts that may have money, where nobody bets and nothing is on its way."""
PAPERS: dict[tickets.Status, Callable[[int, int], bool]] = {
    "good": lambda inside, outside: (inside, outside) == (0, 1),
    "redeemed": lambda inside, outside: (inside, outside) == (1, 0),
    "failed": lambda inside, outside: (inside, outside) == (0, 0),
    "cancelled": lambda inside, outside: inside == 0 and outside in (0, 1),
}
"""By how a ticket ended, how many papers with its number there may be in stackers and outside."""


def idle_seat(folder: Path, database: str = "") -> SeatWorld:
    """A seat that has taken two bills and printed a ticket: the ticket is in the tray, the rest is credit."""
    world = SeatWorld(folder, database)
    world.ask(m.SignIn(), "dealer")
    world.come_to_rest()
    assert world.insert_bill(2_000)
    world.come_to_rest()
    assert isinstance(world.ask(m.CashOut(seat=SEAT)), Accepted)
    world.come_to_rest()
    assert world.insert_bill(10_000)
    world.come_to_rest()
    world.check()
    return world


def outcome(before: SeatCount, after: SeatCount, papers: Iterable[PaperSlip]) -> str:
    """Where the money of one way went."""
    new = [ticket for number, ticket in after.tickets.items() if number not in before.tickets]
    on_paper = {number for slip in papers for number in slip.numbers}
    if new:
        [ticket] = new
        where = " on paper" if ticket.status == "cancelled" and ticket.number in on_paper else ""
        return {"good": "printed"}.get(ticket.status, ticket.status) + where
    credited = (after.bills - before.bills).total() + (after.redeemed - before.redeemed).total()
    return "credited" if credited else "player"  # or nothing was on its way
