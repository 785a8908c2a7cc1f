"""Every fault in every phase of a bill's way in and a ticket's ways in and out: the money is in exactly one place,
and the seat works again after what staff would do.

`python -m tests.faults.matrix` tries all and prints where the money went, as a table. A fault begins in its phase,
hands or time mend it some seconds later, and staff clear the lock-up if there is one. Then the seat must take a
bill, print a ticket and redeem it.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

from stickman.devices import signals as s
from stickman.devices.emulated_acceptor import EmulatedAcceptor
from stickman.devices.emulated_printer import EmulatedPrinter
from stickman.devices.id003 import Status
from stickman.server.pit import Accepted
from stickman.table import messages as m
from tests.faults.seat_world import SEAT, SeatWorld, idle_seat, outcome

Act = Callable[[SeatWorld], object]
MENDED_MS = 4_000
"""From the beginning of a fault until hands mend it: a note that waits is still in escrow, and nobody answers."""
HOUR_MS = 3_600_000
IN_WORDS, IN_BARCODE = 40, 12
"""Bytes of a part of a slip that are out when its phase begins; no packet to an acceptor is as long."""


class SeatFault(NamedTuple):
    begin: Act
    mend: Act = lambda _: None
    mended_ms: int = MENDED_MS


AcceptorAct = Callable[[EmulatedAcceptor, int], object]


def _acceptor(begin: AcceptorAct, mend: AcceptorAct) -> SeatFault:
    def act(how: AcceptorAct) -> Act:
        return lambda world: how(world.metal.acceptor, world.now_ms)

    return SeatFault(act(begin), act(mend))


def _printer(begin: Callable[[EmulatedPrinter], object], mend: Callable[[EmulatedPrinter], object]) -> SeatFault:
    return SeatFault(lambda world: begin(world.metal.printer), lambda world: mend(world.metal.printer))


def _unplugged(kind: s.DeviceKind) -> SeatFault:
    return SeatFault(lambda world: world.plug(kind, in_=False), lambda world: world.plug(kind, in_=True))


def _set(**names: object) -> Act:
    def act(world: SeatWorld) -> None:
        for name, value in names.items():
            setattr(world, name, value)

    return act


def _killed(*sides: str) -> Act:
    return lambda world: world.strike(*sides)  # type: ignore[arg-type] # as typed


def _door(is_open: bool) -> Act:
    return lambda world: world.metal.doors.move("acceptor_and_printer", is_open, world.now.wall_ms)


def _no_power(world: SeatWorld) -> None:
    """The whole terminal is without power."""
    world.metal.acceptor.cut_power(world.now_ms)
    world.metal.printer.cut_power()
    world.down_ms = MENDED_MS
    world.strike("devices")


def _power(world: SeatWorld) -> None:
    world.metal.acceptor.power_on(world.now_ms)
    world.metal.printer.power_on(world.now_ms)


def _another_stacker(world: SeatWorld) -> None:
    world.metal.take_stacker(world.now_ms)
    world.metal.acceptor.return_stacker(world.now_ms)


def _disk_full(world: SeatWorld) -> None:
    world.memory_ready_ms = world.now_ms + MENDED_MS


FAULTS: dict[str, SeatFault] = {
    "acceptor without power": _acceptor(EmulatedAcceptor.cut_power, EmulatedAcceptor.power_on),
    "acceptor unplugged": _unplugged("acceptor"),
    "acceptor jammed": _acceptor(EmulatedAcceptor.jam, EmulatedAcceptor.clear_jam),
    "stacker full": SeatFault(
        lambda world: world.metal.acceptor.break_down(Status.STACKER_FULL, world.now_ms),
        _another_stacker,
    ),
    "stacker out": SeatFault(
        lambda world: world.metal.take_stacker(world.now_ms),
        lambda world: world.metal.acceptor.return_stacker(world.now_ms),
    ),
    "stacker motor fails": _acceptor(
        lambda acceptor, now_ms: acceptor.break_down(Status.FAILURE, now_ms, 0xA2), EmulatedAcceptor.repair
    ),
    "torn bill": SeatFault(lambda world: world.insert(world.metal.acceptor.torn_bill())),
    "pull back": _acceptor(EmulatedAcceptor.pull, EmulatedAcceptor.repair),
    "printer without power": SeatFault(
        lambda world: world.metal.printer.cut_power(), lambda world: world.metal.printer.power_on(world.now_ms)
    ),
    "printer unplugged": _unplugged("printer"),
    "paper out": _printer(EmulatedPrinter.remove_paper, EmulatedPrinter.load_paper),
    "paper ends in mid-slip": _printer(lambda printer: printer.end_paper_after(2), EmulatedPrinter.load_paper),
    "cover open": _printer(EmulatedPrinter.open_cover, EmulatedPrinter.close_cover),
    "cutter jams": _printer(EmulatedPrinter.jam, EmulatedPrinter.free),
    "printer offline": _printer(EmulatedPrinter.go_offline, EmulatedPrinter.go_online),
    "door open": SeatFault(_door(True), _door(False)),
    "key turned": SeatFault(lambda world: world.turn_key(on=True), lambda world: world.turn_key(on=False)),
    "server killed": SeatFault(_killed("server")),
    "server frozen": SeatFault(_set(server_frozen=True), _set(server_frozen=False), 7_000),
    "devices killed": SeatFault(_killed("devices")),
    "both killed": SeatFault(_killed("server", "devices")),
    "link lost": SeatFault(_set(link_cut=True), _set(link_cut=False)),
    "disk of devices full": SeatFault(_disk_full),
    "reports arrive twice": SeatFault(_set(doubles=5)),
    "clock an hour back": SeatFault(_set(devices_skew_ms=-HOUR_MS), _set(devices_skew_ms=0)),
    "terminal without power": SeatFault(_no_power, _power),
}


class SeatPhase(NamedTuple):
    way: Act
    """Begins what the phase is part of."""
    is_now: Callable[[SeatWorld], bool] = lambda _: False
    durable: type[s.Signal] | None = None
    """Or the phase is when this signal is durable, and its device does not know it yet."""


def _bill(world: SeatWorld) -> None:
    assert world.insert_bill(2_000)


def _ticket(world: SeatWorld) -> None:
    assert world.insert_slip(next(slip for slip in world.metal.slips if slip.numbers))


def _cash_out(world: SeatWorld) -> None:
    world.wish(m.CashOut(seat=SEAT))


def _shows(*statuses: Status) -> Callable[[SeatWorld], bool]:
    return lambda world: world.metal.acceptor.status in statuses


def _prints(doing: str, written: int) -> Callable[[SeatWorld], bool]:
    def is_now(world: SeatWorld) -> bool:
        return world.written >= written and world.devices.keepers["printer"].peripheral.state["doing"] == doing

    return is_now


PHASES: dict[str, SeatPhase] = {
    "idle": SeatPhase(lambda _: None, lambda _: True),
    "accepting": SeatPhase(_bill, _shows(Status.ACCEPTING)),
    "escrow": SeatPhase(_bill, _shows(Status.ESCROW, Status.HOLDING)),
    "stacking": SeatPhase(_bill, _shows(Status.STACKING)),
    "past lever": SeatPhase(_bill, lambda world: world.metal.acceptor.past_lever),
    "vend valid": SeatPhase(_bill, durable=s.BillStacked),
    "ticket in escrow": SeatPhase(_ticket, _shows(Status.ESCROW, Status.HOLDING)),
    "ticket stacking": SeatPhase(_ticket, _shows(Status.STACKING)),
    "ticket past lever": SeatPhase(_ticket, lambda world: world.metal.acceptor.past_lever),
    "words": SeatPhase(_cash_out, _prints("words", IN_WORDS)),
    "barcode": SeatPhase(_cash_out, _prints("barcode", IN_BARCODE)),
    "printed": SeatPhase(_cash_out, durable=s.SlipPrinted),
}


class SeatMatrix:
    """Worlds in which one thing goes wrong."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._idle = idle_seat(folder)
        self._before = self._idle.count()
        self._names = count()

    def cell(self, fault: str, phase: str) -> str:
        """Where the money went; with a star if staff had to come."""
        world = self._idle.copied(self._folder / f"world-{next(self._names)}")
        try:
            world.come_to_rest()
            self._disturb(world, FAULTS[fault], PHASES[phase])
            world.come_to_rest()
            helped = world.help()
            world.come_to_rest()
            after = world.check()
            where = "-" if phase == "idle" else outcome(self._before, after, world.metal.slips)
            self._use(world)
        except AssertionError as wrong:
            wrong.add_note(f"{fault} in {phase}")
            raise
        finally:
            world.close()
            shutil.rmtree(world.folder)
        return where + "*" * helped

    @staticmethod
    def _disturb(world: SeatWorld, fault: SeatFault, phase: SeatPhase) -> None:
        begun = False

        def begin() -> None:
            nonlocal begun
            if not begun:
                begun = True
                world.after(fault.mended_ms, lambda: fault.mend(world))
                fault.begin(world)

        def at_point() -> None:
            if phase.is_now(world):
                begin()

        def before_heard(signal: s.Signal) -> None:
            if type(signal) is phase.durable:
                begin()

        world.at_point, world.before_heard = at_point, before_heard
        phase.way(world)
        world.run_until(lambda: begun, 20_000)
        world.run_until(lambda: not world.to_come)

    @staticmethod
    def _use(world: SeatWorld) -> None:
        """The seat takes a bill, prints a ticket and redeems it."""
        before = world.count()
        assert world.insert_bill(500), world.where()
        world.come_to_rest()
        assert isinstance(world.ask(m.CashOut(seat=SEAT)), Accepted)
        world.come_to_rest()
        ticket = next(each for number, each in world.check().tickets.items() if number not in before.tickets)
        assert ticket.status == "good", ticket
        world.insert_slip(next(slip for slip in world.metal.slips if ticket.number in slip.numbers))
        world.come_to_rest()
        assert world.check().redeemed[ticket.number] == 1
        world.check_journal()


@contextmanager
def seat_matrix() -> Iterator[SeatMatrix]:
    """In memory where that is possible: here programs end, not the power of the machine."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield SeatMatrix(Path(folder))


def main() -> None:
    wide, cell = max(map(len, FAULTS)) + 1, max(map(len, PHASES)) + 1
    say(" " * wide + "".join(f"{phase:<{cell}}" for phase in PHASES) + "\n")
    wrong = []
    with seat_matrix() as matrix:
        for fault in FAULTS:
            say(f"{fault:<{wide}}")
            for phase in PHASES:
                try:
                    where = matrix.cell(fault, phase)
                except AssertionError as problem:
                    wrong.append(f"{fault} in {phase}: {problem}")
                    where = "WRONG"
                say(f"{where:<{cell}}")
            say("\n")
    say(f"\n{len(FAULTS)} faults in {len(PHASES)} phases, {len(wrong)} wrong; * staff had to come\n")
    if wrong:
        sys.exit("\n".join(wrong))


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
