"""ID-003, the wire of a bill and ticket acceptor: packets, their check code, and every number that they contain.

A packet is `FC length code data crc`. The length counts all bytes, from FC to the check code. The check code is
CRC-16/KERMIT over the bytes before it, low byte first. The controller speaks first and the acceptor answers. The
line has 9600 baud, 8 bits, even parity and one stop bit. These are public facts, as published hosts show them.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

SYNC = 0xFC
LENGTH_MIN = 5
LENGTH_MAX = 255

BYTE_GAP_MS = 50
"""A silence this long ends a packet: what came of it is dropped."""
POLL_MS_MIN, POLL_MS_MAX = 50, 200
"""A controller asks for the status at intervals in this range."""
ESCROW_MS = 10_000
"""The controller answers an escrow within this time, or the acceptor returns the note. A hold gives the same time
again."""


class Command(IntEnum):
    """What a controller sends."""

    STATUS_REQUEST = 0x11
    RESET = 0x40
    STACK_1 = 0x41
    STACK_2 = 0x42
    RETURN = 0x43
    HOLD = 0x44
    WAIT = 0x45
    ACK = 0x50
    VERSION = 0x88
    BOOT_VERSION = 0x89
    CURRENCY_ASSIGNMENT = 0x8A


class AcceptorSetting(IntEnum):
    """Commands that set something. The acceptor repeats the data. The code with 0x40 less asks for the setting."""

    DENOMINATIONS = 0xC0
    SECURITY = 0xC1
    COMMUNICATION_MODE = 0xC2
    INHIBIT = 0xC3
    DIRECTION = 0xC4
    OPTIONAL_FUNCTION = 0xC5
    BARCODE_FUNCTION = 0xC6
    BARCODE_INHIBIT = 0xC7


SETTINGS = frozenset(AcceptorSetting)
ASK = 0x40
"""The difference between the code that sets something and the code that asks for it."""


class Status(IntEnum):
    """What an acceptor answers to a status request."""

    IDLE = 0x11
    ACCEPTING = 0x12
    ESCROW = 0x13
    STACKING = 0x14
    VEND_VALID = 0x15
    STACKED = 0x16
    REJECTING = 0x17
    RETURNING = 0x18
    HOLDING = 0x19
    INHIBITED = 0x1A
    INITIALIZE = 0x1B
    POWER_UP = 0x40
    POWER_UP_BILL_IN_ACCEPTOR = 0x41
    POWER_UP_BILL_IN_STACKER = 0x42
    STACKER_FULL = 0x43
    STACKER_OPEN = 0x44
    JAM_IN_ACCEPTOR = 0x45
    JAM_IN_STACKER = 0x46
    PAUSE = 0x47
    CHEATED = 0x48
    FAILURE = 0x49
    COMMUNICATION_ERROR = 0x4A


STATUSES = frozenset(Status)
POWER_UPS = frozenset(
    {Status.POWER_UP, Status.POWER_UP_BILL_IN_ACCEPTOR, Status.POWER_UP_BILL_IN_STACKER},
)
FAULTS: dict[int, str] = {
    Status.STACKER_FULL: "stacker_full",
    Status.STACKER_OPEN: "stacker_open",
    Status.JAM_IN_ACCEPTOR: "jam_in_acceptor",
    Status.JAM_IN_STACKER: "jam_in_stacker",
    Status.PAUSE: "pause",
    Status.CHEATED: "cheated",
    Status.FAILURE: "failure",
    Status.COMMUNICATION_ERROR: "communication_error",
}

INVALID_COMMAND = 0x4B
ENQUIRY = 0x05
"""An acceptor in interrupt mode sends it unasked. We use the poll mode."""

FIRST_BILL = 0x61
LAST_BILL = 0x6E
TICKET = 0x6F
"""Escrow data: a code for each denomination, or this code and then the characters of a ticket's barcode."""

REJECTIONS = {
    0x71: "insertion",
    0x72: "magnetic",
    0x73: "left_in_head",
    0x74: "compensation",
    0x75: "conveying",
    0x76: "denomination",
    0x77: "photo_pattern",
    0x78: "photo_level",
    0x79: "inhibited",
    0x7B: "operation",
    0x7C: "left_in_stacker",
    0x7D: "length",
    0x7E: "photo_pattern_2",
    0x98: "several_notes",
    0x9B: "ticket_upside_down",
}
"""Why an acceptor rejects a note: the data of the status."""
INSERTION_REJECTED = 0x71
INHIBIT_REJECTED = 0x79
LENGTH_REJECTED = 0x7D

FAILURES = {
    0xA2: "stacker_motor",
    0xA5: "transport_speed",
    0xA6: "transport_motor",
    0xAB: "cash_box_not_ready",
    0xAF: "head_removed",
    0xB0: "boot_rom",
    0xB1: "external_rom",
    0xB2: "rom",
    0xB3: "external_rom_write",
}
"""What has failed: the data of the status."""

INHIBIT_ON, INHIBIT_OFF = b"\x01", b"\x00"
POLL_MODE = b"\x00"
ALL_DIRECTIONS = b"\x00"
STANDARD_SECURITY = b"\x00\x00"
POWER_RECOVERY = 0x02
"""A bit of the first byte of the optional functions."""
INTERLEAVED_2_OF_5 = 0x01
BARCODE_CHARACTERS = 18
BARCODE_INHIBIT_BITS = 0x03
BARCODE_INHIBIT_ON, BARCODE_INHIBIT_OFF = b"\xff", b"\xfc"
"""Two public hosts let tickets in, one with FC, one with 00. So a ticket is inhibited by the low bits."""

EXPONENT_MAX = 9
USA = 0x01
"""The country code of US dollars in a currency assignment."""


def _table() -> tuple[int, ...]:
    table = []
    for crc in range(256):
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)  # noqa: PLW2901  the bits are shifted out in place
        table.append(crc)
    return tuple(table)


TABLE = _table()


def crc16(data: bytes) -> int:
    """CRC-16/KERMIT.

    >>> hex(crc16(b"123456789"))
    '0x2189'
    """
    crc = 0
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 0xFF]
    return crc


class Packet(NamedTuple):
    """A code and its data, without length and check code."""

    code: int
    data: bytes = b""

    def encode(self) -> bytes:
        """The bytes on the wire.

        >>> Packet(Command.STATUS_REQUEST).encode().hex(" ")
        'fc 05 11 27 56'
        """
        body = bytes((SYNC, LENGTH_MIN + len(self.data), self.code)) + self.data
        return body + crc16(body).to_bytes(2, "little")


class Reader:
    """Finds packets in bytes that come in any pieces, with noise between them. It keeps less than one packet."""

    def __init__(self) -> None:
        self._kept = b""
        self._at_ms = 0

    def drop(self) -> None:
        """Forget a packet that has begun."""
        self._kept = b""

    def feed(self, data: bytes, now_ms: int) -> list[Packet]:
        """All packets that are complete now. A packet with a wrong length or check code is skipped."""
        if not data:
            return []
        if now_ms - self._at_ms > BYTE_GAP_MS:
            self._kept = b""
        self._at_ms = now_ms
        kept = self._kept + data
        packets: list[Packet] = []
        start = kept.find(SYNC)
        while start >= 0 and len(kept) - start >= 2:
            end = start + kept[start + 1]
            if kept[start + 1] >= LENGTH_MIN and end > len(kept):
                break
            body, code = kept[start : end - 2], kept[end - 2 : end]
            if kept[start + 1] >= LENGTH_MIN and crc16(body).to_bytes(2, "little") == code:
                packets.append(Packet(body[2], body[3:]))
                start = kept.find(SYNC, end)
            else:
                start = kept.find(SYNC, start + 1)
        self._kept = kept[start:] if start >= 0 else b""
        return packets


class Denomination(NamedTuple):
    """What a currency assignment says of an escrow code: `base * 10**exponent` units of a country's money."""

    code: int
    country: int
    base: int
    exponent: int

    @property
    def cents(self) -> int:
        units: int = self.base * 10**self.exponent
        return units * 100


def read_assignment(data: bytes) -> tuple[Denomination, ...]:
    """The denominations of a currency assignment, four bytes for each; a base of zero is a code without a bill.

    >>> [d.cents for d in read_assignment(bytes.fromhex("61010100 63010500 67010102 68000000"))]
    [100, 500, 10000]
    """
    parts = [Denomination(*data[at : at + 4]) for at in range(0, len(data) - 3, 4)]
    return tuple(
        part
        for part in parts
        if part.base and part.exponent <= EXPONENT_MAX and FIRST_BILL <= part.code <= LAST_BILL
    )


def write_assignment(denominations: Iterable[Denomination]) -> bytes:
    return b"".join(bytes(part) for part in denominations)
