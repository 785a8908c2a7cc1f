"""What devices report, what they are asked to do, and the messages that carry both.

A `Signal` is what a device reports. It has happened, so it is never refused (ruling 55); what may be refused is
refused while the paper is still in escrow. `MAY_SIGNAL` lists what each kind of device may report, and nothing else
of it is read. `Wishes` are what the table wants of a device now: they are a state, so a device that was away gets
them again and misses nothing.

A device numbers its reports and keeps each of them until the server has said `Heard`. Numbers never start again
while the device keeps its memory. `boot` names one start of its program.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from stickman.devices.escpos import PrinterSlip

DeviceKind = Literal["acceptor", "printer", "doors"]
DEVICE_KINDS: tuple[DeviceKind, ...] = get_args(DeviceKind)
TerminalDoor = Literal["terminal_logic", "acceptor_and_printer", "cage_main", "cage_security"]
TableDoor = Literal["centre_unit", "power", "network"]
Door = TerminalDoor | TableDoor
"""Journals of earlier versions have doors of the table at seats."""
KnownBy = Literal["start", "live", "battery"]
"""How a movement is known."""

CENTS_MAX = 10**11
MESSAGE_BYTES_MAX = 65_536
STATE_BYTES_MAX = 4_096
TicketNumber = Annotated[
    str, Meta(pattern=r"\A[0-9]{18}\Z", max_length=18, description="The eighteen digits of a ticket.")
]
NoteNumber = Annotated[int, Meta(ge=1, le=10**15, description="The device's own number of a bill or a ticket.")]
Cents = Annotated[int, Meta(ge=1, le=CENTS_MAX)]
Time = Annotated[int, Meta(ge=0, le=10**14, description="The device's own time, in ms since 1970.")]
Word = Annotated[str, Meta(pattern=r"\A[a-z0-9_ ]*\Z", max_length=40)]
Boot = Annotated[
    str,
    Meta(
        pattern=r"\A[0-9a-f]{16}\Z",
        max_length=16,
        description="Names one start of the device's program, and never comes again: the number of the start, and "
        "random digits.",
    ),
]
JobName = Annotated[str, Meta(pattern=r"\A[0-9a-z]{1,40}\Z", max_length=40)]
Sha256 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z", max_length=64)]
Count = Annotated[int, Meta(ge=0, le=10**12)]


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


# --- Signals ---


class Signal(Struct, frozen=True, kw_only=True, tag_field="signal", tag=_snake, forbid_unknown_fields=True):
    """What a device reports."""


class BillInEscrow(Signal, frozen=True, kw_only=True):
    """A bill waits for a decision."""

    note: NoteNumber
    cents: Cents


class TicketInEscrow(Signal, frozen=True, kw_only=True):
    """A ticket waits for a decision."""

    note: NoteNumber
    number: TicketNumber


class BillStacked(Signal, frozen=True, kw_only=True):
    """*Vend valid* of a bill: credit is due."""

    note: NoteNumber
    cents: Cents


class TicketStacked(Signal, frozen=True, kw_only=True):
    """*Vend valid* of a ticket: credit is due."""

    note: NoteNumber
    number: TicketNumber


class UnknownStacked(Signal, frozen=True, kw_only=True):
    """*Vend valid* of paper that the driver does not know: staff must look."""

    note: NoteNumber


class NoteReturned(Signal, frozen=True, kw_only=True):
    """A bill or a ticket that was in escrow went back to the player."""

    note: NoteNumber
    why: Word = ""


class NoteUnaccounted(Signal, frozen=True, kw_only=True):
    """Paper was on its way and nothing says where it ended: no credit is due, and staff must look. If *vend valid*
    still comes, the note's `BillStacked` or `TicketStacked` follows."""

    note: NoteNumber
    after: Word


class StackerRemoved(Signal, frozen=True, kw_only=True):
    """The stacker was taken out: the drop. What the device counted since the last one."""

    bills: dict[Cents, Count] = {}
    """By value in cents, how many."""
    tickets: Count = 0


class StackerReturned(Signal, frozen=True, kw_only=True):
    """A stacker was put in."""


class SlipBegun(Signal, frozen=True, kw_only=True):
    """The printer has begun a job."""

    job: JobName


class SlipPrinted(Signal, frozen=True, kw_only=True):
    """The whole slip is printed and cut."""

    job: JobName


class SlipFailed(Signal, frozen=True, kw_only=True):
    """It is known that no slip with this number exists."""

    job: JobName
    why: Word


class SlipUnknown(Signal, frozen=True, kw_only=True):
    """It cannot be known whether the slip exists (ruling 57)."""

    job: JobName
    why: Word


class FaultBegan(Signal, frozen=True, kw_only=True):
    """The device cannot work. `code` is its own number of a failure."""

    fault: Word
    code: Count = 0


class FaultEnded(Signal, frozen=True, kw_only=True):
    """What stopped the device is over."""

    fault: Word


class DoorMoved(Signal, frozen=True, kw_only=True):
    """A door was opened or closed."""

    door: Door
    open: bool
    moved_ms: Time = 0
    """When it moved, which may be long before it is reported."""
    how: KnownBy = "live"
    """Found so at the start, seen now, or noted by a battery-backed memory while the power was off."""


class KeyMoved(Signal, frozen=True, kw_only=True):
    """The key switch was turned."""

    on: bool
    moved_ms: Time = 0
    """When it was turned, which may be long before it is reported."""
    how: KnownBy = "live"
    """As for a door."""


class ProgramReported(Signal, frozen=True, kw_only=True):
    """The program that drives the device: at each start, and when it is asked for."""

    version: Annotated[str, Meta(max_length=40)]
    sha256: Sha256


class TotalsReported(Signal, frozen=True, kw_only=True):
    """What the device has counted since it was enrolled; it is asked for after a gap in its reports."""

    bills: dict[Cents, Count] = {}
    tickets_in: Count = 0
    slips: Count = 0


TOLD_AGAIN = (ProgramReported, TotalsReported)
"""What the server can ask for at any time (`Tell`), so a lost one does not matter."""
EVERY_DEVICE = (*TOLD_AGAIN, FaultBegan, FaultEnded)
MAY_SIGNAL: dict[DeviceKind, tuple[type[Signal], ...]] = {
    "acceptor": (
        BillInEscrow,
        TicketInEscrow,
        BillStacked,
        TicketStacked,
        UnknownStacked,
        NoteReturned,
        NoteUnaccounted,
        StackerRemoved,
        StackerReturned,
        *EVERY_DEVICE,
    ),
    "printer": (SlipBegun, SlipPrinted, SlipFailed, SlipUnknown, *EVERY_DEVICE),
    "doors": (DoorMoved, KeyMoved, *EVERY_DEVICE),
}
"""By kind of device, all that it may report."""
AnySignal = (
    BillInEscrow
    | TicketInEscrow
    | BillStacked
    | TicketStacked
    | UnknownStacked
    | NoteReturned
    | NoteUnaccounted
    | StackerRemoved
    | StackerReturned
    | SlipBegun
    | SlipPrinted
    | SlipFailed
    | SlipUnknown
    | FaultBegan
    | FaultEnded
    | DoorMoved
    | KeyMoved
    | ProgramReported
    | TotalsReported
)


# --- Wishes ---


class Wishes(Struct, frozen=True, kw_only=True, tag_field="of", tag=_snake):
    """What a table wants of a device now."""


class AcceptorWishes(Wishes, frozen=True, kw_only=True, tag="acceptor"):
    bills: tuple[int, ...] = ()
    """The bills to accept, in cents; none inhibits the acceptor."""
    tickets: bool = False
    note: int = 0
    """The paper in escrow that was decided; 0 for none."""
    stack: bool = False
    """Whether to stack it. If not, it goes back."""
    reset: bool = False
    """Whether to reset an acceptor that shows a fault: once, until this has been false again."""


class PrintJob(Struct, frozen=True, kw_only=True):
    job: JobName
    """Its name: the number of the ticket, or another name for paper that is worth nothing. A job is printed once,
    whatever happens; its outcome is a signal."""
    slip: PrinterSlip


class PrinterWishes(Wishes, frozen=True, kw_only=True, tag="printer"):
    print: PrintJob | None = None


class DoorsWishes(Wishes, frozen=True, kw_only=True, tag="doors"):
    """Nothing is asked of doors and keys."""


# --- Messages of a device ---


class DeviceMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag=_snake, forbid_unknown_fields=True):
    """A message to the server."""


class Report(DeviceMessage, frozen=True, kw_only=True):
    """A signal, numbered."""

    boot: Boot
    seq: Annotated[int, Meta(ge=1, le=10**15)]
    """Its number: 1 in a new enrolment, then always one more, also after a restart."""
    at_ms: Time
    """When the device noted it, on its own clock, in ms since 1970."""
    signal: AnySignal
    """What happened: the field `signal` names it."""


class StateChanged(DeviceMessage, frozen=True, kw_only=True):
    """How the device is now, for the office. It is not recorded."""

    state: dict[Word, str | int | bool]


class StillThere(DeviceMessage, frozen=True, kw_only=True):
    """Asks whether the server answers."""


# --- Messages of the server ---


class ToDevice(Struct, frozen=True, kw_only=True, tag_field="type", tag=_snake):
    """A message to a device."""


class Heard(ToDevice, frozen=True, kw_only=True):
    """The report with this number is durable, and so are all before it that the device has sent. It may forget
    them."""

    seq: int


class Wanted(ToDevice, frozen=True, kw_only=True):
    """The wishes of now. The first comes when the device connects."""

    wishes: AcceptorWishes | PrinterWishes | DoorsWishes


class Tell(ToDevice, frozen=True, kw_only=True):
    """Report this again."""

    what: Literal["program", "totals"]


class Alive(ToDevice, frozen=True, kw_only=True):
    """Answers `StillThere`."""

    server_ms: int


class NotUnderstood(ToDevice, frozen=True, kw_only=True):
    """The message cannot be read, or this kind of device may not say it; the connection is closed."""

    message: str


ENCODER = msgspec.json.Encoder()
FROM_DEVICE: msgspec.json.Decoder[Report | StateChanged | StillThere] = msgspec.json.Decoder(
    Report | StateChanged | StillThere
)
FROM_SERVER: msgspec.json.Decoder[Heard | Wanted | Tell | Alive | NotUnderstood] = msgspec.json.Decoder(
    Heard | Wanted | Tell | Alive | NotUnderstood
)
