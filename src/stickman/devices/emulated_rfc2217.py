"""The far end of an RFC 2217 wire, without I/O: a serial port behind a network connection.

RFC 2217 is Telnet with one more option. The host sets baud, bits, parity and stop bits of the far port and gets
each value back. `ComPort` takes what the host sends apart: bytes for the device, and answers for the host. It knows
what hosts need to open a port, and refuses every other option. A wish about modem lines is confirmed and changes
nothing.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

IAC, DONT, DO, WONT, WILL, SB, SE = 255, 254, 253, 252, 251, 250, 240
BINARY, NO_GO_AHEAD, COM_PORT = 0, 3, 44
OPTIONS = (BINARY, NO_GO_AHEAD, COM_PORT)

SIGNATURE, BAUD, BITS, PARITY, STOP, CONTROL = range(6)
LINE_MASK, MODEM_MASK, PURGE = 10, 11, 12
ANSWER = 100
"""The far end answers a command with its code and this number more."""
ASK = 0
"""A value of zero asks for the value of now."""
COMMAND_MAX = 64
"""Bytes of one command; a longer one is not answered."""

Parity = Literal["none", "odd", "even", "mark", "space"]
PARITIES: dict[int, Parity] = {1: "none", 2: "odd", 3: "even", 4: "mark", 5: "space"}
STOPS: dict[int, Literal["1", "2", "1.5"]] = {1: "1", 2: "2", 3: "1.5"}


class ComLine(Struct, frozen=True, kw_only=True):
    """How a serial line is set. A port starts with 9600 baud, 8 bits, no parity."""

    baud: int = 9_600
    bits: int = 8
    parity: Parity = "none"
    stop: Literal["1", "2", "1.5"] = "1"

    def __str__(self) -> str:
        """As engineers write it.

        >>> print(ComLine(parity="even"))
        9600 8E1
        """
        return f"{self.baud} {self.bits}{self.parity[0].upper()}{self.stop}"


class FromHost(NamedTuple):
    data: bytes
    """For the device."""
    answers: bytes
    """For the host."""


class ComPort:
    """One connection of a host."""

    def __init__(self) -> None:
        self.line = ComLine()
        self._held = bytearray()
        """The beginning of a command that is not complete."""
        self._agreed: set[tuple[int, int]] = set()

    def heard(self, received: bytes) -> FromHost:
        self._held += received
        data, answers = bytearray(), bytearray()
        while self._held:
            if self._held[0] != IAC:
                end = self._held.find(IAC)
                end = len(self._held) if end < 0 else end
                data += self._held[:end]
            else:
                end = self._command_size()
                if not end:
                    break
                part = bytes(self._held[:end])
                data += b"\xff" if part == b"\xff\xff" else b""
                answers += self._answer(part)
            del self._held[:end]
        return FromHost(bytes(data), bytes(answers))

    def sent(self, data: bytes) -> bytes:
        """Bytes of the device as they go to the host."""
        return data.replace(b"\xff", b"\xff\xff")

    def _command_size(self) -> int:
        """Of the command that the held bytes begin with; 0 if it is not complete."""
        held = self._held
        if len(held) < 2:
            return 0
        if held[1] in (DO, DONT, WILL, WONT):
            return 3 if len(held) >= 3 else 0
        if held[1] != SB:
            return 2
        at = 2
        while (at := held.find(IAC, at)) >= 0 and at + 1 < len(held):
            if held[at + 1] == SE:
                return at + 2
            at += 2
        return 2 if len(held) > COMMAND_MAX else 0

    def _answer(self, part: bytes) -> bytes:
        if part[1] in (DO, WILL, DONT, WONT) and len(part) == 3:
            return self._agree(part[1], part[2])
        if part[1] == SB and len(part) >= 6 and part[2] == COM_PORT:
            return self._command(part[3], part[4:-2].replace(b"\xff\xff", b"\xff"))
        return b""

    def _agree(self, wish: int, option: int) -> bytes:
        """Telnet answers a change of mind only, or two ends would answer each other without end."""
        yes, no = (WILL, WONT) if wish in (DO, DONT) else (DO, DONT)
        key = (yes, option)
        if wish in (DO, WILL) and option in OPTIONS:
            news = key not in self._agreed
            self._agreed.add(key)
            return bytes((IAC, yes, option)) if news else b""
        news = wish in (DO, WILL) or key in self._agreed
        self._agreed.discard(key)
        return bytes((IAC, no, option)) if news else b""

    def _command(self, code: int, value: bytes) -> bytes:
        if code in (BAUD, BITS, PARITY, STOP):
            value = self._set(code, int.from_bytes(value[:4], "big"))
        elif code == SIGNATURE:
            value = b"Stickman emulator"
        elif code == CONTROL and value in (b"\x00", b"\x0d"):
            value = b"\x01"  # no flow control
        elif code not in (CONTROL, LINE_MASK, MODEM_MASK, PURGE):
            return b""
        return bytes((IAC, SB, COM_PORT, code + ANSWER)) + value.replace(b"\xff", b"\xff\xff") + bytes((IAC, SE))

    def _set(self, code: int, value: int) -> bytes:
        """Set one value if it can be set; the value of now."""
        line = self.line
        if code == BAUD:
            self.line = replace(line, baud=value) if value else line
            return self.line.baud.to_bytes(4, "big")
        if code == BITS:
            self.line = replace(line, bits=value) if value in (5, 6, 7, 8) else line
            return bytes((self.line.bits,))
        if code == PARITY:
            self.line = replace(line, parity=PARITIES.get(value, line.parity))
            return bytes(number for number, name in PARITIES.items() if name == self.line.parity)
        self.line = replace(line, stop=STOPS.get(value, line.stop))
        return bytes(number for number, name in STOPS.items() if name == self.line.stop)
