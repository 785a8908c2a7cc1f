"""A world without sockets for one device: its keeper with a real memory, an emulated device and a server's ledger.

Time is simulated. The program can end at any *point*: between two bytes, before or after a commit, before or after
a message. What is left is the memory's file, as it is at that moment, and the paper.
"""

from __future__ import annotations

import copy
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from stickman.devices.keeper import Keeper
from stickman.devices.memory import DeviceMemory, Remembered
from stickman.devices.peripheral import AnyWishes, Instant, Peripheral
from stickman.devices.signals import (
    AcceptorWishes,
    BillInEscrow,
    BillStacked,
    Heard,
    PrinterWishes,
    PrintJob,
    ProgramReported,
    Report,
    Signal,
    SlipFailed,
    SlipPrinted,
    SlipUnknown,
    TicketInEscrow,
    TicketStacked,
    Wanted,
)

NAME = "device"
PROGRAM = ProgramReported(version="1", sha256="0" * 64)
WALL_MS = 1_700_000_000_000
ALL_BILLS = (100, 200, 500, 1000, 2000, 5000, 10000)


class ProgramEnded(Exception):
    """Here the devices process dies."""


class Wire(Protocol):
    """An emulated device."""

    def heard(self, data: bytes, now_ms: int) -> bytes: ...

    def wants(self, now_ms: int) -> bytes: ...


class ServerLedger:
    """A server that keeps what it heard, each report once, and decides like a table that wants all paper."""

    def __init__(self) -> None:
        self.heard: dict[tuple[str, int], Signal] = {}
        self.wishes: AnyWishes | None = None

    def hear(self, report: Report) -> None:
        before = self.heard.setdefault((report.boot, report.seq), report.signal)
        assert before == report.signal, "one number, two contents"
        match report.signal, self.wishes:
            case ((BillInEscrow(note=note) | TicketInEscrow(note=note)), AcceptorWishes(bills=bills)):
                self.wishes = AcceptorWishes(bills=bills, tickets=True, note=note, stack=True)
            case (
                (SlipPrinted(job=job) | SlipFailed(job=job) | SlipUnknown(job=job)),
                PrinterWishes(print=PrintJob(job=wanted)),
            ) if job == wanted:
                self.wishes = PrinterWishes()

    @property
    def signals(self) -> list[Signal]:
        return list(self.heard.values())

    def credited(self) -> Counter[int | str]:
        """By cents of a bill or number of a ticket, how often."""
        bills = [signal.cents for signal in self.signals if isinstance(signal, BillStacked)]
        return Counter([*bills, *(signal.number for signal in self.signals if isinstance(signal, TicketStacked))])

    def outcomes(self, job: str) -> list[Signal]:
        return [s for s in self.signals if isinstance(s, SlipPrinted | SlipFailed | SlipUnknown) and s.job == job]

    def of(self, *kinds: type[Signal]) -> list[Signal]:
        return [signal for signal in self.signals if isinstance(signal, kinds)]


class DeviceWorld:
    def __init__(self, folder: Path, device: Wire, make: Callable[[Remembered], Peripheral]) -> None:
        self.folder, self.device, self.make = folder, device, make
        self.ledger = ServerLedger()
        self.now_ms = 1_000
        self.points = 0
        self.ends_at: tuple[int, ...] = ()
        """The points at which the program ends."""
        self.ends = 0
        self.at_end: Callable[[], None] = lambda: None
        """What else happens then, such as a power cut."""
        self.to_come: list[tuple[int, Callable[[], None]]] = []
        """By time, what happens on its own."""
        self._files = 0
        self._answers = b""
        self._told: AnyWishes | None = None
        self.start()

    # --- Starts and ends ---

    @property
    def file(self) -> Path:
        return self.folder / f"{self._files}.db"

    def start(self) -> None:
        """A new program, with the memory as it is in its file."""
        self.memory = DeviceMemory(self.file)
        remembered = self.memory.begin(NAME)
        self.keeper = Keeper(
            self.make(remembered),
            PROGRAM,
            boot=remembered.boot,
            next_seq=remembered.next_seq,
            unheard=remembered.unheard,
        )
        self.keeper.peripheral.port_opened(self.now)
        self._answers, self._told = b"", None

    def end(self) -> None:
        """The program is gone at once: the next one opens a copy of what is on the disk, written ahead or not."""
        before, self._files = self.file, self._files + 1
        for suffix in ("", "-wal"):
            if (left := before.with_name(before.name + suffix)).exists():
                shutil.copy(left, self.file.with_name(self.file.name + suffix))
        self.memory.close()
        self.ends += 1
        self.at_end()
        self.start()

    def copied(self, folder: Path) -> DeviceWorld:
        """The same world in another folder, while nothing is on its way to the memory."""
        folder.mkdir()
        memory, self.memory = self.memory, None  # type: ignore[assignment] # only for the copy
        try:
            world = copy.deepcopy(self)
        finally:
            self.memory = memory
        world.folder = folder
        for suffix in ("", "-wal"):
            if (left := self.file.with_name(self.file.name + suffix)).exists():
                shutil.copy(left, folder)
        world.memory = DeviceMemory(world.file)
        return world

    def point(self) -> None:
        self.points += 1
        if self.points in self.ends_at:
            raise ProgramEnded

    # --- Time ---

    @property
    def now(self) -> Instant:
        return Instant(self.now_ms, WALL_MS + self.now_ms)

    def step(self) -> None:
        wait_ms = 1 if self._answers else min(self.keeper.due_ms - self.now_ms, 100)
        self.now_ms += max(1, wait_ms)
        for at_ms, happens in [each for each in self.to_come if each[0] <= self.now_ms]:
            self.to_come.remove((at_ms, happens))
            happens()
        try:
            self._turn()
            self._talk()
        except ProgramEnded:
            self.end()

    def _turn(self) -> None:
        data, self._answers = self._answers + self.device.wants(self.now_ms), b""
        for _ in data:
            self.point()  # what was read in part is gone with the program
        commit = self.keeper.turn(data, self.now)
        self.point()
        if commit:
            self.memory.commit([(NAME, commit)])
            self.point()
            self.keeper.stored(commit)
        for byte in self.keeper.wants(self.now):
            self._answers += self.device.heard(bytes((byte,)), self.now_ms)
            self.point()

    def _talk(self) -> None:
        if self._told is None:
            self.keeper.connected()
        for report in self.keeper.to_send():
            self.point()
            self.ledger.hear(report)
            self.point()
            self.keeper.said(Heard(seq=report.seq), self.now)
            self.point()
        if self.ledger.wishes is not None:
            self._told = self.ledger.wishes
            self.keeper.said(Wanted(wishes=self.ledger.wishes), self.now)
            self.point()

    def run(self, ms: int) -> None:
        until_ms = self.now_ms + ms
        while self.now_ms < until_ms:
            self.step()

    def run_until(self, done: Callable[[], bool], limit_ms: int = 60_000) -> None:
        until_ms = self.now_ms + limit_ms
        while not done():
            assert self.now_ms < until_ms, "it does not come to rest"
            self.step()
