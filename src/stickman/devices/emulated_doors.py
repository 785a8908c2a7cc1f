"""Doors and a key switch without metal: contacts that a person moves, and a battery-backed memory.

Moves that nobody reads, because the power is off or the wire is not connected, are remembered with their time. They
are sent first to each host that connects, until one answers that it has noted them. Time is the wall clock in
milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from stickman.devices.contact_wire import LINE_MAX, NOTED, ContactLine
from stickman.devices.emulated_rfc2217 import ComLine

KEY = ""
"""The key's place among the contacts."""
REMEMBERED_MAX = 1_000
"""Later moves are not remembered; how each contact is, is always known."""


class EmulatedDoors:
    line: ClassVar[ComLine | None] = None

    def __init__(self, doors: Sequence[str]) -> None:
        self.doors = tuple(doors)
        self.powered = True
        self._active = dict.fromkeys(self.doors, True) | {KEY: False}
        self._connected = False
        self._remembered: list[ContactLine] = []
        self._unsent = bytearray()
        self._heard = b""

    @property
    def key_on(self) -> bool:
        return self._active[KEY]

    def is_open(self, door: str) -> bool:
        return not self._active[door]

    @property
    def remembered(self) -> int:
        """Moves that no host has noted yet."""
        return len(self._remembered)

    # --- Hands ---

    def move(self, door: str, is_open: bool, now_ms: int) -> bool:
        """Whether it moved."""
        return self._move(door, not is_open, now_ms)

    def turn_key(self, on: bool, now_ms: int) -> bool:
        return self._move(KEY, on, now_ms)

    def cut_power(self) -> None:
        self.powered = False
        self._unsent.clear()

    def power_on(self, now_ms: int) -> None:
        if not self.powered:
            self.powered = True
            self._greet(now_ms)

    def _move(self, place: str, active: bool, now_ms: int) -> bool:
        if self._active[place] == active:
            return False
        self._active[place] = active
        if self.powered and self._connected:
            self._unsent += ContactLine(said="edge", door=place, active=active, at_ms=now_ms).encode()
        elif len(self._remembered) < REMEMBERED_MAX:
            # Two moves of one contact never have the same time, so that a host can tell one that comes again.
            before_ms = max((line.at_ms for line in self._remembered if line.door == place), default=-1)
            at_ms = max(now_ms, before_ms + 1)
            self._remembered.append(ContactLine(said="battery", door=place, active=active, at_ms=at_ms))
        return True

    # --- The wire ---

    @property
    def due_ms(self) -> int | None:
        """Nothing moves on its own."""
        return None

    def wired(self, connected: bool, now_ms: int) -> None:
        """The wire was connected or cut."""
        self._connected, self._heard = connected, b""
        self._unsent.clear()
        if self.powered:
            self._greet(now_ms)

    def heard(self, data: bytes, now_ms: int) -> bytes:
        """All that a host says is that it has noted what was remembered."""
        *lines, self._heard = (self._heard + data).split(b"\n")
        self._heard = self._heard[:LINE_MAX]
        if self.powered and NOTED.strip() in lines:
            self._remembered = []
        return self.wants(now_ms)

    def wants(self, now_ms: int) -> bytes:  # noqa: ARG002 - the same for all devices
        """What it sends now."""
        lines, self._unsent = bytes(self._unsent), bytearray()
        return lines

    def _greet(self, now_ms: int) -> None:
        """First what was remembered, then how each contact is."""
        if self._connected:
            for line in self._remembered:
                self._unsent += line.encode()
            for place, active in self._active.items():
                self._unsent += ContactLine(said="state", door=place, active=active, at_ms=now_ms).encode()
