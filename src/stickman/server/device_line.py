"""The line to one device: the messages of `devices/signals` over a `SocketLine`.

Reports are asked at the pit one after the other, and a device may forget one only when it is durable. A report that
this kind of device may not make ends the line, and so does silence: devices say all the time that they are there.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any, get_args

import msgspec
import structlog
from starlette.websockets import WebSocket

from stickman.devices import signals as s
from stickman.floor import tickets
from stickman.floor.office import Terminal
from stickman.server.floor import RESTARTS, SILENT, LiveFloor
from stickman.server.house import Asked
from stickman.server.pit import Accepted, Pit, Unknown
from stickman.server.socket_line import BAD_MESSAGE, SocketLine
from stickman.table import messages as m
from stickman.table.ports import TABLE_DOORS, digest

TERMINAL_DOORS = get_args(s.TerminalDoor)
Message = s.Report | s.StateChanged | s.StillThere | s.NotUnderstood

TICKET_NUMBER = re.compile(rf"\d{{{tickets.DIGITS}}}")

log = structlog.get_logger()


class DeviceLine(SocketLine):
    """The connection of one device."""

    def __init__(self, socket: WebSocket, floor: LiveFloor, terminal: Terminal, pit: Pit) -> None:
        super().__init__(socket, floor, terminal, terminal.place.table)
        self._pit = pit
        self._status = floor.device(self.terminal)
        self._asked_totals = False
        """Whether it was asked for its totals over this line and has not reported them."""

    async def _converse(self) -> None:
        # The last device of this place must be gone: what it held or had to print is not this one's.
        if not await self._floor.remove_revoked(self.table):
            await self._close(RESTARTS)
            return
        ports, clock = self._pit.ports, self._floor.clock
        self._status.connected_ms = self._status.heard_ms = clock.now_ms()
        ports.join(self.terminal, self.place, self._outbox)
        self._pit.show_again()
        if self._status.program is None:  # this process has not heard it yet
            ports.tell(self.terminal, "program")
        self._ask_totals()
        try:
            await self._talk(lambda: ports.snapshot(self.place))
        finally:
            ports.leave(self.terminal, self._outbox)
            if self.terminal not in ports:
                self._status.connected_ms = 0
                if self.place.screen == "doors" and self.place.seat:
                    self._floor.sign_out_at(self.table, self.place.seat)
            self._pit.show_again()

    async def _read(self) -> int:
        while message := await self._receive():
            await self._outbox.room()
            async with self._answering:
                self._status.heard_ms = self._floor.clock.now_ms()
                match message:
                    case s.Report():
                        if code := await self._hear(message):
                            return code
                    case s.StateChanged(state=state):
                        self._status.state = _without_numbers(state)
                    case s.StillThere():
                        self._answer(s.Alive(server_ms=self._floor.clock.now_ms()))
                    case s.NotUnderstood():
                        self._answer(message)
                        self._floor.metrics.denied.labels("not_understood").inc()
                        return BAD_MESSAGE
        return 0

    async def _next(self) -> MutableMapping[str, Any]:
        """The next message, or the end of the line if the device says nothing for too long. It waits twice, so that
        a stall of this process is not taken for a device's silence."""
        half_s = self._floor.plan.config.limits.device_silent_s / 2
        for _ in range(2):
            with suppress(TimeoutError):
                async with asyncio.timeout(half_s):
                    return await super()._next()
        self.hang_up(SILENT)
        return {"type": "websocket.disconnect"}

    async def _receive(self) -> Message | None:
        """The next message, not faster than allowed; none if the device has gone."""
        data = await self._received()
        if data is None:
            return None
        try:
            message = s.FROM_DEVICE.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
            return s.NotUnderstood(message=f"the message cannot be read: {problem}")
        match message:
            case s.Report(signal=signal):
                why = self._unfit(signal)
            case s.StateChanged(state=state):
                found = len(s.ENCODER.encode(state))
                why = f"a state of {found} bytes; allowed: {s.STATE_BYTES_MAX}" if found > s.STATE_BYTES_MAX else ""
            case _:
                why = ""
        return s.NotUnderstood(message=why) if why else message

    def _unfit(self, signal: s.AnySignal) -> str:
        """Why this device cannot make such a report."""
        kind, tag = self.place.device, str(signal.__struct_config__.tag)
        assert kind
        allowed = s.MAY_SIGNAL[kind]
        if not isinstance(signal, allowed):
            names = ", ".join(str(each.__struct_config__.tag) for each in allowed)
            return f"found {tag}; allowed for {kind}: {names}"
        doors = TERMINAL_DOORS if self.place.seat else TABLE_DOORS
        if isinstance(signal, s.DoorMoved) and signal.door not in doors:
            return f"found the door {signal.door}; allowed here: {', '.join(doors)}"
        return ""

    async def _hear(self, report: s.Report) -> int:
        """Ask a report at the pit and say that it is heard; returns the code to close with if it is not durable.
        The device then connects again and repeats it."""
        assert self.place.device
        reported = m.Reported(
            signal=report.signal,
            seat=self.place.seat,
            kind=self.place.device,
            device=self.terminal,
            boot=report.boot,
            seq=report.seq,
            at_ms=report.at_ms,
        )
        command = f"signal:{self.terminal}:{report.boot}:{report.seq}"
        answer = await self._pit.ask(Asked(reported, self.terminal, command))
        if not isinstance(answer, Accepted):
            return self._not_heard(report, answer)
        heard = [each for each in answer.events if isinstance(each, m.SignalHeard)]
        changed = any(each.digest != digest(report.signal) for each in heard)
        if changed:
            asked = await self._pit.ask(Asked(m.DistrustDevice(seat=self.place.seat, device=self.terminal)))
            if isinstance(asked, Unknown):
                return self._not_heard(report, asked)
        self._count(report, "changed" if changed else "heard")
        self._answer(s.Heard(seq=report.seq))
        if changed or any(isinstance(each, m.DeviceDistrusted) for each in answer.events):
            self._floor.metrics.distrusted.labels(str(self.table)).inc()
        await self._learn(report.signal)
        self._ask_totals()
        return 0

    def _ask_totals(self) -> None:
        """Ask a device that is not trusted for its totals. While paper is in escrow they would soon be out of
        date."""
        table = self._pit.table
        known = table.heard.get(self.terminal)
        if known is None or not known.distrusted or known.totals is not None or self._asked_totals:
            return
        if known.kind == "acceptor" and table.seat(known.seat).terminal.escrow:
            return
        self._asked_totals = True
        self._answer(s.Tell(what="totals"))

    async def _learn(self, signal: s.AnySignal) -> None:
        """Keep for the office what is not part of the table."""
        match signal:
            case s.ProgramReported():
                await self._floor.heard_program(self.terminal, self.place, signal)
            case s.TotalsReported():
                self._status.totals = signal
                self._asked_totals = False

    def _not_heard(self, report: s.Report, answer: m.Refused | Unknown) -> int:
        self._count(report, "unknown")
        if isinstance(answer, m.Refused):
            log.error("a device's report was not recorded", device=self.terminal, seq=report.seq, why=str(answer))
        return RESTARTS

    def _count(self, report: s.Report, outcome: str) -> None:
        tag = str(report.signal.__struct_config__.tag)
        self._floor.metrics.signals.labels(str(self.table), tag, outcome).inc()

    def _answer(self, message: s.ToDevice) -> None:
        self._outbox.put(s.ENCODER.encode(message))


def _without_numbers(state: dict[str, str | int | bool]) -> dict[str, str | int | bool]:
    """What a device says of itself, without what may be the number of a ticket: that is worth its money."""
    return {name: value for name, value in state.items() if not TICKET_NUMBER.search(str(value))}
