"""The shape of every device: bytes and wishes in; signals, bytes, a memory and a state for the office out.

A peripheral does no I/O, and time is an argument. To drive another kind of hardware, or to speak another protocol,
write a class of this shape; `docs/devices.md` says how.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from msgspec import Struct

from stickman.devices.signals import (
    AcceptorWishes,
    DeviceKind,
    DoorsWishes,
    FaultBegan,
    FaultEnded,
    PrinterWishes,
    Signal,
    TotalsReported,
)

AnyWishes = AcceptorWishes | PrinterWishes | DoorsWishes
DeviceState = dict[str, str | int | bool]
Faults = dict[str, int]
"""What stops a device, with its own number of a failure."""


OF_ENROLMENT = ("since_enrolment", "faults", "contacts")
"""Fields of a memory that end with an enrolment: what was counted in it, and which state was reported in it. The
server knows nothing of a new device, so that one reports how it is."""


class Instant(NamedTuple):
    """Now, on two clocks."""

    ms: int
    """Of a clock that only goes forward. Its zero means nothing."""
    wall_ms: int
    """Since 1970. It may jump."""


class Peripheral(Protocol):
    """One device. In each turn its owner calls `heard`, stores the signals together with `memory`, and writes what
    `wants` returns."""

    @property
    def kind(self) -> DeviceKind: ...

    @property
    def memory(self) -> Struct:
        """What another one of this class needs to go on after a restart, whatever was written last. The fields of
        `OF_ENROLMENT` get their defaults again when the device is enrolled."""

    @property
    def due_ms(self) -> int:
        """When to call again, if nothing is heard before; on the clock of `Instant.ms`."""

    @property
    def state(self) -> DeviceState:
        """For the office."""

    @property
    def totals(self) -> TotalsReported:
        """What it has counted since it was enrolled."""

    @property
    def resting(self) -> bool:
        """Whether nothing is on its way, and nothing can begin without a further wish."""

    def say_again(self) -> list[Signal]:
        """Outcomes of what is done and still wished. The server has heard them, so it forgot them: its journal was
        restored from an older copy."""

    def port_opened(self, now: Instant) -> None: ...

    def port_closed(self, now: Instant) -> None: ...

    def wish(self, wishes: AnyWishes | None, now: Instant) -> None:
        """What the table wants from now on; None while the server is away: then nothing new may begin."""

    def heard(self, data: bytes, now: Instant, *, room: bool) -> list[Signal]:
        """Take the bytes that came, perhaps none. Without `room`, too much is unheard already: then only money on
        its way is reported, all else is put off, and nothing new may begin."""

    def wants(self, now: Instant, *, stored: bool) -> bytes:
        """The bytes to write now. Until all is `stored`, only such bytes that do not depend on it."""


def fault_signals(known: Faults, now: Faults) -> list[Signal]:
    """What has ended and begun, where the server knows of other faults than there are.

    >>> fault_signals({"pause": 0, "failure": 162}, {"failure": 165})
    [FaultEnded(fault='pause'), FaultEnded(fault='failure'), FaultBegan(fault='failure', code=165)]
    """
    ended: list[Signal] = [FaultEnded(fault=fault) for fault, code in known.items() if now.get(fault) != code]
    return ended + [FaultBegan(fault=fault, code=code) for fault, code in now.items() if known.get(fault) != code]
