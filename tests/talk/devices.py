"""What devices report, in few words: `key_turned(1)`, `door_moved(3, "cage_main")`, `bill_stacked(2, 10_000)`.
Scripts and tests speak as devices, because no request can name such a fact (ruling 55)."""

from __future__ import annotations

import random
from typing import get_args

from stickman.devices import signals as s
from stickman.table.asking import Decision
from stickman.table.decide import decide_given
from stickman.table.evolve import evolve_all
from stickman.table.messages import Facts, Part, Refused, Reported, Request, TicketReserved
from stickman.table.state import SeatTerminal, Table


def bill_stacked(seat: int, cents: int, note: int = 1) -> Reported:
    """A bill went into the stacker: credit is due."""
    return Reported(seat=seat, kind="acceptor", signal=s.BillStacked(note=note, cents=cents))


def ticket_held(seat: int, number: str, note: int = 1) -> Reported:
    return Reported(seat=seat, kind="acceptor", signal=s.TicketInEscrow(note=note, number=number))


def ticket_stacked(seat: int, number: str, note: int = 1) -> Reported:
    return Reported(seat=seat, kind="acceptor", signal=s.TicketStacked(note=note, number=number))


def printed(reserved: TicketReserved) -> Reported:
    return Reported(seat=reserved.seat, kind="printer", signal=s.SlipPrinted(job=reserved.number))


def key_turned(seat: int, *, on: bool = True) -> Reported:
    """Seat 0 is the dealer's key."""
    return Reported(seat=seat, kind="doors", signal=s.KeyMoved(on=on))


def door_moved(seat: int, name: s.Door = "terminal_logic", *, shut: bool = False) -> Reported:
    """Seat 0 has the doors of the table itself."""
    return Reported(seat=seat, kind="doors", signal=s.DoorMoved(door=name, open=not shut))


def table_door_moved(name: s.TableDoor, *, shut: bool = False) -> Reported:
    return door_moved(0, name, shut=shut)


def part_fails(seat: int, part: Part, *, over: bool = False) -> Reported:
    signal = s.FaultEnded(fault="failure") if over else s.FaultBegan(fault="failure")
    return Reported(seat=seat, kind=part, signal=signal)


def with_printer(table: Table, asked: Request | Reported, facts: Facts) -> Decision:
    """What is decided, and what follows at once if it is a ticket and the printer works."""
    decision = decide_given(table, asked, facts)
    if isinstance(decision, Refused):
        return decision
    after = evolve_all(table, decision)
    for reserved in [event for event in decision if isinstance(event, TicketReserved)]:
        follows = decide_given(after, printed(reserved), facts)
        assert not isinstance(follows, Refused), follows
        decision = (*decision, *follows)
    return decision


def printer_ends(rng: random.Random, table: Table) -> Reported | None:
    """How the job of a printer ends, if one has a job."""
    for seat in table.seats:
        if job := seat.terminal.printing and seat.terminal.printing.job:
            why = "paper_out"
            if rng.random() < 0.1:
                return Reported(seat=seat.number, kind="printer", signal=s.SlipBegun(job=job))
            ends = (s.SlipPrinted(job=job), s.SlipFailed(job=job, why=why), s.SlipUnknown(job=job, why=why))
            return Reported(seat=seat.number, kind="printer", signal=rng.choice(ends))
    return None


def any_signal(rng: random.Random, table: Table) -> Reported:
    """A signal that a device may send at any time, whatever the table is doing: now and then with a gap."""
    seat, number = rng.randint(0, len(table.seats)), f"{rng.randint(1, 3):018}"
    busy = [each for each in table.seats if each.terminal.escrow or each.terminal.printing]
    if busy and rng.random() < 0.7:
        seat = rng.choice(busy).number
    kind: s.DeviceKind = rng.choice(("acceptor", "acceptor", "printer", "doors")) if seat else "doors"
    note, why, doors = rng.randint(1, 3), "jam", s.TableDoor if not seat or rng.random() < 0.1 else s.TerminalDoor
    terminal = table.seat(seat).terminal if seat else SeatTerminal()
    if terminal.escrow and rng.random() < 0.7:
        note = terminal.escrow.note
    job = terminal.printing.job if terminal.printing else number
    signals: dict[s.DeviceKind, tuple[s.AnySignal, ...]] = {
        "acceptor": (
            s.BillInEscrow(note=note, cents=2_000),
            s.TicketInEscrow(note=note, number=number),
            s.BillStacked(note=note, cents=2_000),
            s.TicketStacked(note=note, number=number),
            s.UnknownStacked(note=note),
            s.NoteReturned(note=note),
            s.NoteUnaccounted(note=note, after=why),
            s.StackerRemoved(bills={2_000: note}, tickets=note),
            s.StackerReturned(),
            s.TotalsReported(bills={2_000: note}, tickets_in=note),
        ),
        "printer": (s.SlipBegun(job=job), s.SlipPrinted(job=number), s.TotalsReported(slips=note)),
        "doors": (
            s.DoorMoved(door=rng.choice(get_args(doors)), open=rng.random() < 0.3),
            s.KeyMoved(on=rng.random() < 0.7),
            s.ProgramReported(version="1", sha256="0" * 64),
        ),
    }
    faults = (s.FaultBegan(fault=why), s.FaultEnded(fault=why), s.FaultEnded(fault=why)) if seat else ()
    device = f"{kind}-{seat}"
    last = table.heard[device].seq if device in table.heard else 0
    seq = last + (1 if rng.random() < (0.99 if seat else 0.9) else 2)
    signal = rng.choice((*signals[kind], *faults))
    return Reported(seat=seat, kind=kind, signal=signal, device=device, boot="0" * 16, seq=seq)
