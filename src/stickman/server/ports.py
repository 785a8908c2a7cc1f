"""The devices of a table that are connected, and what each of them is wanted to do.

Wishes are a state: a device gets them when it connects and whenever they change, and nothing that it missed
matters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from msgspec import Struct

from stickman.devices import signals as s
from stickman.floor.events import Place
from stickman.server.screens import Outbox

AnyWishes = s.AcceptorWishes | s.PrinterWishes | s.DoorsWishes
ToTell = Literal["program", "totals"]


class JoinedDevice(NamedTuple):
    """A device that is connected."""

    place: Place
    outbox: Outbox
    wanted: AnyWishes
    """What it was sent last."""


class Ports:
    """The devices of one table that are connected, by id."""

    def __init__(self, wishes: Callable[[Place], AnyWishes]) -> None:
        self._wishes = wishes
        self._ports: dict[str, JoinedDevice] = {}

    def __contains__(self, device: str) -> bool:
        return device in self._ports

    def join(self, device: str, place: Place, outbox: Outbox) -> None:
        """Connect a device; it gets its wishes first. A newer connection replaces the older."""
        self._ports[device] = JoinedDevice(place, outbox, self._wishes(place))
        self._send(self._ports[device])

    def leave(self, device: str, outbox: Outbox) -> None:
        if device in self._ports and self._ports[device].outbox is outbox:
            del self._ports[device]

    def snapshot(self, place: Place) -> bytes:
        """The wishes of now, for a device that reads too slowly."""
        return s.ENCODER.encode(s.Wanted(wishes=self._wishes(place)))

    def move_on(self) -> None:
        """Send each device its wishes, if they have changed."""
        for device, port in self._ports.items():
            wanted = self._wishes(port.place)
            if wanted != port.wanted:
                self._ports[device] = port._replace(wanted=wanted)
                self._send(self._ports[device])

    def tell(self, device: str, what: ToTell) -> bool:
        """Ask a device to report something again; False if it is not connected."""
        if device not in self._ports:
            return False
        self._ports[device].outbox.put(s.ENCODER.encode(s.Tell(what=what)))
        return True

    @staticmethod
    def _send(port: JoinedDevice) -> None:
        port.outbox.put(s.ENCODER.encode(s.Wanted(wishes=port.wanted)), is_frame=True)


class DeviceStatus(Struct):
    """What this process knows of a device, for the office. Nothing of it is recorded."""

    connected_ms: int = 0
    """Since when it is connected; 0 if it is not."""
    heard_ms: int = 0
    """When its last message came."""
    state: dict[str, str | int | bool] = {}
    program: s.ProgramReported | None = None
    totals: s.TotalsReported | None = None
