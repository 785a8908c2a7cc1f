"""ESC/POS, the wire of receipt printers: commands, answers, and a slip of paper as bytes.

All numbers of the wire are here. The facts are those of the makers' public command references (Epson TM, Citizen,
Custom, HPRT, Star). Two of them decide how the driver works:

- `GS ( H` asks for a *process ID* behind the data: the printer sends it when that data is printed, and never for
  data that it dropped. `GS r` is answered when the printer reaches it, but its answer has no name.
- `DLE` commands act as soon as they arrive, also in the middle of a picture. So pictures must not contain one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Literal
from unicodedata import east_asian_width

from msgspec import Struct

# --- Commands ---

LF = b"\n"
DLE, ESC, FS, GS = 0x10, 0x1B, 0x1C, 0x1D
EOT, ENQ, DC4 = 0x04, 0x05, 0x14

RESET = b"\x1b@"
NO_AUTO_STATUS = b"\x1da\x00"
CENTRE = b"\x1ba\x01"
STRONG, WEAK = b"\x1bE\x01", b"\x1bE\x00"
SINGLE, DOUBLE = b"\x1d!\x00", b"\x1d!\x11"
DOUBLE_BYTE, SINGLE_BYTE = b"\x1c&", b"\x1c."
CUT = b"\x1dVB\x00"
"""Feed to the cutter and cut, with one point left, so that the slip does not fall."""
ASK_BUFFERED = b"\x1dr\x01"
CLEAR = b"\x10\x14\x08\x01\x03\x14\x01\x06\x02\x08"
"""Drop all data that is not printed yet; answered by `Cleared`."""
STATUSES = (1, 2, 3, 4)
FULL_STATUS = 20
"""Of printers with a presenter: also whether a slip is waiting in it."""

ID_SIZE = 4
ID_LOWEST, ID_HIGHEST = 0x20, 0x7E

DIGITS = 18
"""Of a ticket's number (Interleaved 2 of 5)."""
INTERLEAVED = 70
MODULES = {2: (2, 5), 3: (3, 8), 4: (4, 10), 5: (5, 13), 6: (6, 15)}
"""Dots of a narrow and of a wide bar for each width of `GS w`."""
BAR_MODULE = 3
BAR_DOTS_HIGH = 100

_LATER_PAGES = {16: "cp1252", 17: "cp866", 18: "cp852", 19: "cp858"}
CODE_PAGES = {0: "cp437", 2: "cp850", 3: "cp860", 4: "cp863", 5: "cp865"} | _LATER_PAGES


def ask(status: int) -> bytes:
    """Ask for a status in real time."""
    return bytes((DLE, EOT, status))


def ask_process_id(name: str) -> bytes:
    """Ask the printer to send this name when all data before is printed."""
    assert len(name) == ID_SIZE, name
    return b"\x1d(H\x06\x0000" + name.encode("ascii")


def barcode(digits: str) -> bytes:
    """Interleaved 2 of 5 with its digits below."""
    assert is_number(digits), digits
    look = bytes((GS, ord("w"), BAR_MODULE, GS, ord("h"), BAR_DOTS_HIGH, GS, ord("f"), 0, GS, ord("H"), 2))
    return look + bytes((GS, ord("k"), INTERLEAVED, DIGITS)) + digits.encode("ascii")


def barcode_dots(count: int, module: int) -> int:
    """How wide this count of digits is: start 4 narrow, each digit 3 narrow and 2 wide, stop 1 wide and 2 narrow.

    >>> barcode_dots(18, 3)
    476
    """
    narrow, wide = MODULES[module]
    return narrow * (3 * count + 6) + wide * (2 * count + 1)


def is_number(digits: str) -> bool:
    return len(digits) == DIGITS and digits.isascii() and digits.isdigit()


class RasterPicture(Struct, frozen=True):
    """Rows of dots, eight in a byte from the left; a 1 is black."""

    width_bytes: int
    dots: bytes

    @property
    def height(self) -> int:
        return len(self.dots) // self.width_bytes if self.width_bytes > 0 else 0

    @property
    def whole(self) -> bool:
        """Whether it has rows of one width, as many as the command can count."""
        return (
            0 < self.width_bytes * self.height == len(self.dots) and self.width_bytes <= 128 and self.height <= 4095
        )


def raster(picture: RasterPicture) -> bytes:
    """A picture with `GS v 0`. Where its dots spell a real-time command, one dot more breaks the spell."""
    dots = bytearray(picture.dots)
    for at in range(len(dots) - 1):
        if dots[at] == DLE and dots[at + 1] in (EOT, ENQ, DC4):
            dots[at] |= 0x08
    size = picture.width_bytes.to_bytes(2, "little") + picture.height.to_bytes(2, "little")
    return b"\x1dv0\x00" + size + bytes(dots)


# --- Answers ---


class RealTime(Struct, frozen=True):
    """To `DLE EOT 1` to `4`; which of them, only the order of the questions says."""

    byte: int


class Buffered(Struct, frozen=True):
    """To `GS r`."""

    byte: int


class ProcessId(Struct, frozen=True):
    """All data before this question is printed."""

    name: str


class Cleared(Struct, frozen=True):
    """To `CLEAR`. A process ID that was due is sent before it."""


class FullStatus(Struct, frozen=True):
    """To `DLE EOT 20`."""

    paper: int
    user: int
    recoverable: int
    unrecoverable: int


class Auto(Struct, frozen=True):
    """Automatic status, which some printers send although nobody asked."""

    octets: bytes


Answer = RealTime | Buffered | ProcessId | Cleared | FullStatus | Auto

FIXED = 0x93
"""Bits 0, 1, 4 and 7 say what kind of answer a byte is."""
REAL_TIME, AUTO = 0x12, 0x10
BUFFERED_FIXED = 0x90
XON, XOFF = 0x11, 0x13
HEADER, ID_MARK, CLEAR_MARK = 0x37, 0x22, 0x25
FULL_MARK = b"\x10\x0f"
GAP_MS = 300
"""A block of bytes with a longer gap in it is broken."""


class Answers:
    """Takes bytes in any pieces, with noise and broken blocks, and gives whole answers. It holds at most 7."""

    def __init__(self, *, full: bool = False) -> None:
        self._full = full
        self._held = bytearray()
        self._at_ms = 0

    def heard(self, data: bytes, now_ms: int) -> Iterator[Answer]:
        if now_ms - self._at_ms > GAP_MS:
            self._held.clear()
        self._at_ms = now_ms
        for byte in data:
            if byte in (XON, XOFF) and not (self._full and self._held[:2] == FULL_MARK):
                continue  # flow control may be between any two bytes
            self._held.append(byte)
            yield from self._whole()

    def _whole(self) -> Iterator[Answer]:
        while self._held:
            answer, used = self._first(bytes(self._held))
            if not used:
                return
            del self._held[:used]
            if answer is not None:
                yield answer

    def _first(self, held: bytes) -> tuple[Answer | None, int]:
        """The first answer and its length: 0 if more bytes must come, 1 without an answer to skip a byte."""
        if held[0] == HEADER:
            return _block(held)
        if self._full and held[:2] == FULL_MARK:
            return (FullStatus(*held[2:6]), 6) if len(held) >= 6 else (None, 0)
        if held[0] & FIXED == AUTO:
            if any(byte & BUFFERED_FIXED for byte in held[1:4]):
                return None, 1
            return (Auto(held[:4]), 4) if len(held) >= 4 else (None, 0)
        if held[0] & FIXED == REAL_TIME:
            return RealTime(held[0]), 1
        return (None if held[0] & BUFFERED_FIXED else Buffered(held[0])), 1


def _block(held: bytes) -> tuple[Answer | None, int]:
    """What begins with the header: a process ID, or the answer to `CLEAR`."""
    shape: list[Callable[[int], bool]] = [lambda byte: byte == HEADER, lambda byte: byte in (ID_MARK, CLEAR_MARK)]
    if held[1:2] == bytes((ID_MARK,)):
        shape += [lambda byte: ID_LOWEST <= byte <= ID_HIGHEST] * ID_SIZE
    shape.append(lambda byte: byte == 0)
    if not all(fits(byte) for fits, byte in zip(shape, held, strict=False)):
        return None, 1
    if len(held) < max(len(shape), 3):
        return None, 0
    return (ProcessId(held[2:6].decode("ascii")) if held[1] == ID_MARK else Cleared()), len(shape)


# --- What the status bytes say ---

Fault = Literal["no_answer", "cover_open", "paper_out", "cutter", "jam", "broken", "hot", "error", "offline"]

FAULT_BITS: tuple[tuple[int, int, Fault], ...] = (
    (2, 0x04, "cover_open"),
    (2, 0x20, "paper_out"),
    (4, 0x60, "paper_out"),
    (3, 0x08, "cutter"),
    (3, 0x04, "jam"),
    (3, 0x20, "broken"),
    (3, 0x40, "hot"),
    (2, 0x40, "error"),
    (1, 0x08, "offline"),
)
"""Status, bit and fault: causes first, then effects."""
EFFECTS: tuple[Fault, ...] = ("error", "offline")
LOW_BITS = 0x0C
WAITING_BIT = 0x20


def faults(statuses: dict[int, int]) -> tuple[Fault, ...]:
    """What stops printing. An effect is left out if its cause is known.

    >>> faults({1: 0x1A, 2: 0x32, 3: 0x12, 4: 0x7E}), faults({1: 0x1A, 2: 0x12, 3: 0x12, 4: 0x12})
    (('paper_out',), ('offline',))
    """
    found = dict.fromkeys(fault for status, bit, fault in FAULT_BITS if statuses.get(status, 0) & bit)
    return tuple(fault for fault in found if fault not in EFFECTS) or tuple(found)[:1]


def paper_low(statuses: dict[int, int]) -> bool:
    return bool(statuses.get(4, 0) & LOW_BITS)


# --- A slip as bytes ---

Role = Literal["heading", "title", "amount", "text", "pair"]
"""`pair` prints a label at the left and its value at the right; all others are centred."""


class SlipLine(Struct, frozen=True):
    text: str
    role: Role = "text"
    value: str = ""
    """Of a pair."""
    picture: RasterPicture | None = None
    """The same words as dots, for a printer that does not have their letters."""


class PrinterSlip(Struct, frozen=True, kw_only=True):
    """What one piece of paper says, from top to bottom; a number is printed last, as a barcode."""

    lines: tuple[SlipLine, ...]
    number: str = ""
    """18 digits; empty on a receipt, which cannot be redeemed."""
    language: str = "en"


class PaperFormat(Struct, frozen=True, kw_only=True):
    """What one model of printer can print."""

    columns: int = 42
    dots: int = 512
    code_page: int = 16
    """Western Europe (Windows 1252), as `paper/ticket` prints."""
    chinese: bool = False
    """Whether it has the letters of GB 18030."""


class Laid(Struct, frozen=True):
    """A slip in two parts: without the second, no piece of paper can be redeemed."""

    text: bytes
    end: bytes
    """Barcode and cut."""


TEXT_MAX = 65_536
VOID = RESET + CENTRE + b"* * *  VOID  * * *\n" + CUT
"""Ends a piece of paper that an earlier job may have left in the printer."""


def lay_out(slip: PrinterSlip, paper: PaperFormat) -> Laid | None:
    """The bytes of a slip. None if this printer cannot print it: too long, an odd number, letters that it lacks."""
    if slip.number and not (is_number(slip.number) and barcode_dots(DIGITS, BAR_MODULE) <= paper.dots):
        return None
    parts = [_line(line, paper) for line in slip.lines]
    printable = [part for part in parts if part is not None]
    page = bytes((ESC, ord("t"), paper.code_page))
    text = RESET + NO_AUTO_STATUS + SINGLE_BYTE + page + b"".join(printable)
    if len(printable) < len(parts) or len(text) > TEXT_MAX:
        return None
    bars = CENTRE + barcode(slip.number) + LF if slip.number else b""
    return Laid(text, bars + CUT)


def _line(line: SlipLine, paper: PaperFormat) -> bytes | None:
    if _encoded(line.text + line.value, paper) is None:
        picture = line.picture
        fits = picture is not None and picture.whole and 8 * picture.width_bytes <= paper.dots
        return CENTRE + raster(picture) if picture is not None and fits else None
    large = line.role in ("title", "amount")
    look = (DOUBLE if large else SINGLE) + (STRONG if line.role in ("heading", "amount") else WEAK)
    columns = paper.columns // 2 if large else paper.columns
    rows = _pair(line.text, line.value, columns) if line.role == "pair" else wrapped(line.text, columns)
    return CENTRE + look + b"".join((_encoded(row, paper) or b"") + LF for row in rows) + SINGLE + WEAK


def _pair(label: str, value: str, columns: int) -> list[str]:
    """Rows of full width.

    >>> _pair("TABLE", "1", 12), _pair("PRINTED", "2026-11-17", 12)
    (['TABLE      1'], ['PRINTED     ', '  2026-11-17'])
    """
    space = columns - width(label) - width(value)
    if space > 0:
        return [label + " " * space + value]
    labels = [row + " " * (columns - width(row)) for row in wrapped(label, columns)]
    return labels + [" " * (columns - width(row)) + row for row in wrapped(value, columns)]


def width(text: str) -> int:
    """Columns: a Chinese letter takes two."""
    return len(text) if text.isascii() else sum(1 + (east_asian_width(letter) in "WF") for letter in text)


def wrapped(text: str, columns: int) -> list[str]:
    """Rows that fit, broken at spaces where there are any.

    >>> wrapped("One hundred dollars", 12), wrapped("abcdefgh", 3), wrapped("", 3)
    (['One hundred', 'dollars'], ['abc', 'def', 'gh'], [''])
    """
    rows, row = [], ""
    for letter in text:
        if width(row) + width(letter) > columns:
            head, space, tail = row.rpartition(" ")
            rows.append(head if space and letter != " " else row)
            row = tail if space and letter != " " else ""
        row += letter if row or letter != " " else ""
    return [*rows, row]


def _encoded(text: str, paper: PaperFormat) -> bytes | None:
    """Text for the printer; None if it lacks a letter. Control characters are never text."""
    if not text.isprintable():
        return None
    page = CODE_PAGES.get(paper.code_page, "ascii")
    data = b""
    for single, run in groupby(text, lambda letter: _has(page, letter)):
        letters = "".join(run)
        if not single and not (paper.chinese and _has("gbk", letters)):
            return None
        data += letters.encode(page) if single else DOUBLE_BYTE + letters.encode("gbk") + SINGLE_BYTE
    return data


def _has(codec: str, text: str) -> bool:
    return text.encode(codec, "ignore").decode(codec) == text
