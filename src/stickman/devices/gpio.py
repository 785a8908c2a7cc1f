"""Contacts on the lines of a Linux GPIO chip, read with `gpiod` 2.x, an optional package."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from importlib import import_module
from typing import Any

from msgspec import Struct

from stickman.devices.doors import ContactEdge, ContactName


class Contact(Struct, frozen=True, kw_only=True):
    """One line, by its place."""

    name: ContactName
    line: int
    """Its number on the chip."""
    active_low: bool = True
    """A switch to ground with a pull-up: low means closed, or on."""


class GpioMissing(RuntimeError):
    """The optional package is not installed."""


class GpioChip:
    """Lines of a chip, requested by `open_gpio`."""

    def __init__(self, gpiod: Any, request: Any, contacts: Sequence[Contact]) -> None:
        self._gpiod, self._request = gpiod, request
        self._names = {contact.line: contact.name for contact in contacts}
        self._number = 0
        """Of the last event; the kernel counts them from 1."""

    def fileno(self) -> int:
        """Readable when there are edges."""
        return int(self._request.fileno())

    def values(self) -> dict[ContactName, bool]:
        """How each contact is now."""
        values = self._request.get_values(list(self._names))
        active = self._gpiod.line.Value.ACTIVE
        return {name: value == active for name, value in zip(self._names.values(), values, strict=True)}

    def edges(self) -> list[ContactEdge]:
        """What moved since the last call, without waiting."""
        if not self._request.wait_edge_events(timedelta()):
            return []
        rising = self._gpiod.EdgeEvent.Type.RISING_EDGE
        edges, lost = [], False
        for event in self._request.read_edge_events():
            lost |= event.global_seqno != self._number + 1
            self._number = event.global_seqno
            at_ms = event.timestamp_ns // 1_000_000
            edges.append(ContactEdge(self._names[event.line_offset], event.event_type == rising, at_ms))
        if lost:  # the kernel's buffer was full: how each contact is now, at least, is known
            edges += [ContactEdge(name, active, edges[-1].at_ms) for name, active in self.values().items()]
        return edges

    def close(self) -> None:
        self._request.release()


def open_gpio(path: str, contacts: Sequence[Contact]) -> GpioChip:
    """Request the lines of a chip such as `/dev/gpiochip0`."""
    try:
        gpiod = import_module("gpiod")
    except ImportError as error:
        raise GpioMissing(
            "Doors and keys on GPIO lines need the package gpiod, version 2: pip install gpiod"
        ) from error
    line = gpiod.line
    config = {
        contact.line: gpiod.LineSettings(
            direction=line.Direction.INPUT,
            edge_detection=line.Edge.BOTH,
            bias=line.Bias.PULL_UP if contact.active_low else line.Bias.PULL_DOWN,
            active_low=contact.active_low,
            event_clock=line.Clock.REALTIME,
        )
        for contact in contacts
    }
    return GpioChip(gpiod, gpiod.request_lines(path, consumer="stickman", config=config), contacts)
