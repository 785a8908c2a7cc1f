"""An emulated receipt printer: bytes become paper, and a person's hands can do to it what they do to a real one.

It is written from the makers' command references, for any legal order of commands. What it does not know it skips
with its parameters. Real-time commands act when they arrive; all others wait in the receive buffer while something
stops the printer, and are lost with the power. Paper is not lost: what is printed and not cut stays in the printer.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from stickman.devices import escpos
from stickman.devices.emulated_rfc2217 import ComLine
from stickman.devices.escpos import DC4, DLE, ENQ, EOT, ESC, FS, GS, RasterPicture

BOOT_MS = 3_000
"""From power to the first answer. Until then all bytes are lost."""
BUFFER_MAX = 262_144
SLIPS_MAX = 1_000
HANGING_MAX = 10_000
"""Rows that hang from the printer; more fall to the floor."""
WAIT = -1
"""A command that is not complete yet."""


class Text(Struct, frozen=True, kw_only=True):
    """A printed row."""

    text: str
    align: Literal["left", "centre", "right"] = "left"
    strong: bool = False
    wide: int = 1
    high: int = 1


class Bars(Struct, frozen=True):
    """A printed barcode; `system` is as `GS k` numbers it in its second form."""

    system: int
    digits: str


Mark = Text | Bars | RasterPicture


class PaperSlip(Struct, frozen=True):
    """A piece of paper that the cutter made, or a hand."""

    marks: tuple[Mark, ...]
    cut: Literal["full", "partial", "torn"]

    @property
    def numbers(self) -> list[str]:
        """What a reader of Interleaved 2 of 5 finds on it."""
        return [mark.digits for mark in self.marks if isinstance(mark, Bars) and mark.system == escpos.INTERLEAVED]

    @property
    def texts(self) -> list[str]:
        return [mark.text for mark in self.marks if isinstance(mark, Text)]

    def drawn(self, columns: int = 42) -> str:
        """The slip as text, for a page or a terminal."""
        rows = []
        for mark in self.marks:
            if isinstance(mark, Text):
                spread = "".join(letter.ljust(mark.wide) for letter in mark.text)
                rows.append(
                    {"left": spread.ljust, "centre": spread.center, "right": spread.rjust}[mark.align](columns)
                )
            elif isinstance(mark, Bars):
                rows += ["||| || ||| | |||| | || |||".center(columns), mark.digits.center(columns)]
            else:
                rows.append(f"[{mark.width_bytes * 8} x {mark.height} dots]".center(columns))
        return "\n".join(row.rstrip() for row in [*rows, "- " * (columns // 2)])


class _Look(Struct):
    """What `ESC @` and power set back."""

    align: Literal["left", "centre", "right"] = "left"
    strong: bool = False
    wide: int = 1
    high: int = 1
    code_page: int = 0
    double_byte: bool = False
    bar_module: int = 3
    auto: int = 0


class EmulatedPrinter:
    line: ClassVar[ComLine | None] = None  # switches set it on a real printer: any line fits

    def __init__(
        self, *, columns: int = 42, dots: int = 512, presenter: bool = False, process_ids: bool = True
    ) -> None:
        self.columns, self.dots = columns, dots
        self.has_presenter, self.has_process_ids = presenter, process_ids
        self.slips: list[PaperSlip] = []
        """Cut, and not taken yet; the newest is the last."""
        self.hanging: list[Mark] = []
        """Printed, but not cut."""
        self.powered = True
        self.cover_open = self.is_offline = self.jammed = self.is_low = self.slip_waiting = False
        self.rows_left: int | None = None
        """Rows until the paper ends; None for a roll without end."""
        self._power_for_rows: int | None = None
        """Rows until the power fails."""
        self.will_jam = False
        """At the next cut."""
        self._ready_ms = 0
        self._replies = bytearray()
        self._forget()

    def _forget(self) -> None:
        self._buffer = bytearray()
        self._recent = b""
        """The bytes since the last `DLE`: a real-time command, or the beginning of one."""
        self._row = ""
        self._look = _Look()
        self._auto_sent = b""

    # --- The wire ---

    def heard(self, data: bytes, now_ms: int) -> bytes:
        """Bytes from the host; what the printer answers."""
        for byte in data if now_ms >= self._ready_ms else b"":
            if not self.powered:
                break
            if len(self._buffer) < BUFFER_MAX:
                self._buffer.append(byte)
            self._recent = self._recent + bytes((byte,)) if self._recent and byte != DLE else bytes((byte,))
            if self._recent[0] == DLE:
                self._act_at_once(self._recent)
            self._work()
        return self.wants(now_ms)

    def wants(self, now_ms: int) -> bytes:
        """What the printer sends now, also without a question."""
        replies, self._replies = bytes(self._replies), bytearray()
        return replies if self.powered and now_ms >= self._ready_ms else b""

    def wired(self, connected: bool, now_ms: int) -> None:
        """The wire was connected or cut. The buffer stays as it is."""

    @property
    def due_ms(self) -> int | None:
        """Nothing moves without a command."""
        return None

    def ready(self, now_ms: int) -> bool:
        """Whether it has power and has started."""
        return self.powered and now_ms >= self._ready_ms

    # --- Hands ---

    def cut_power(self) -> None:
        """Now. The buffer is lost, the paper is not."""
        self.powered = False
        self._power_for_rows = None
        self._replies.clear()
        self._forget()

    def cut_power_after(self, rows: int) -> None:
        """In the middle of a slip."""
        self._power_for_rows = rows

    def power_on(self, now_ms: int) -> None:
        if not self.powered:
            self._forget()
            self.powered = True
            self.jammed = False
            self._ready_ms = now_ms + BOOT_MS

    def remove_paper(self) -> None:
        """Empty now."""
        self.rows_left = 0
        self._hands_off()

    def end_paper_after(self, rows: int) -> None:
        self.rows_left = rows
        self._hands_off()

    def load_paper(self) -> None:
        """A new roll; printing goes on."""
        self.rows_left = None
        self.is_low = False
        self._hands_off()

    def set_paper_low(self, low: bool = True) -> None:
        self.is_low = low
        self._hands_off()

    def open_cover(self) -> None:
        self.cover_open = True
        self._hands_off()

    def close_cover(self) -> None:
        self.cover_open = False
        self._hands_off()

    def jam(self) -> None:
        """The cutter sticks at its next cut."""
        self.will_jam = True

    def free(self) -> None:
        """Remove the jam; the cut is tried again."""
        self.jammed = self.will_jam = False
        self._hands_off()

    def go_offline(self) -> None:
        self.is_offline = True
        self._hands_off()

    def go_online(self) -> None:
        self.is_offline = False
        self._hands_off()

    def take_slip(self, slip: PaperSlip | None = None) -> PaperSlip | None:
        """A slip out of the tray, by default the newest, which may be in the presenter."""
        if not self.slips:
            return None
        slip = slip or self.slips[-1]
        self.slip_waiting &= slip is not self.slips[-1]
        self.slips = [other for other in self.slips if other is not slip]
        self._hands_off()
        return slip

    def tear(self) -> tuple[Mark, ...]:
        """Tear off what hangs from the printer without a cut."""
        torn, self.hanging = tuple(self.hanging), []
        return torn

    def _hands_off(self) -> None:
        if self.powered:
            self._work()
            self._send_auto_status()

    # --- Status ---

    @property
    def paper_out(self) -> bool:
        return self.rows_left == 0

    @property
    def stopped(self) -> bool:
        return self.cover_open or self.paper_out or self.is_offline or self.jammed

    def _status(self, which: int) -> int:
        bits = {
            1: 0x08 * self.stopped,
            2: 0x04 * self.cover_open | 0x20 * self.paper_out | 0x40 * self.jammed,
            3: 0x08 * self.jammed,
            4: 0x0C * (self.is_low or self.paper_out) | 0x60 * self.paper_out,
        }
        return escpos.REAL_TIME | bits[which]

    def _full_status(self) -> bytes:
        paper = 0x01 * self.paper_out | 0x04 * (self.is_low or self.paper_out) | 0x20 * self.slip_waiting
        return bytes((0x10, 0x0F, paper, 0x02 * self.cover_open, 0x00, 0x01 * self.jammed))

    def _paper_sensors(self) -> int:
        return 0x03 * (self.is_low or self.paper_out) | 0x0C * self.paper_out

    def _send_auto_status(self) -> None:
        first = escpos.AUTO | 0x08 * self.stopped | 0x20 * self.cover_open
        now = bytes((first, 0x08 * self.jammed, self._paper_sensors(), 0))
        if self._look.auto and now != self._auto_sent:
            self._auto_sent = now
            self._replies += now

    # --- Real-time commands ---

    def _act_at_once(self, command: bytes) -> None:
        if command == escpos.CLEAR:
            self._drop()
            self._replies += bytes((escpos.HEADER, escpos.CLEAR_MARK, 0))
        elif len(command) == 3 and command[1] == EOT:
            self._answer_status(command[2])
        elif command == bytes((DLE, ENQ, 2)) and self.jammed:
            self._drop()
            self.jammed = self.will_jam = False
        if len(command) >= len(escpos.CLEAR):
            self._recent = b""

    def _answer_status(self, which: int) -> None:
        if which in escpos.STATUSES:
            self._replies.append(self._status(which))
        elif which == escpos.FULL_STATUS and self.has_presenter:
            self._replies += self._full_status()

    def _drop(self) -> None:
        self._buffer.clear()
        self._recent = b""
        self._row = ""

    # --- All other commands ---

    def _work(self) -> None:
        """Carry out commands in order, until something stops the printer or a command is not complete."""
        while self._buffer and not self.stopped:
            used = self._one(self._buffer)
            if used == WAIT or (used == 0 and self.stopped):
                return
            del self._buffer[:used]

    def _one(self, data: bytearray) -> int:
        """Carry out the first command; how many bytes it had."""
        first = data[0]
        if first in (ESC, FS, GS):
            size = command_size(data)
            if size != WAIT and not self._obey(bytes(data[:size])):
                return 0
            return self._rest_is_text(data, size)
        if first == DLE:
            return _real_time_size(data)
        if first == 0x0A:
            self._print_row()
        elif first == 0x09:
            self._type(" " * (8 - escpos.width(self._row) % 8))
        elif first == 0x18:
            pass  # CAN: only in page mode
        elif first >= 0x20:
            return self._letter(data)
        return 1

    def _rest_is_text(self, data: bytearray, size: int) -> int:
        """After text in the same row, or with letters where digits must be, what follows `GS k m` is plain text."""
        if size != WAIT and data[:2] == b"\x1dk" and (self._row or not _bars(bytes(data[:size]))):
            self._buffer[:size] = bytes(letter for letter in data[3:size])
            return 0
        return size

    def _letter(self, data: bytearray) -> int:
        codec, size = escpos.CODE_PAGES.get(self._look.code_page, "cp437"), 1
        if self._look.double_byte and data[0] >= 0x81:
            codec, size = "gb18030", 2
        if len(data) < size:
            return WAIT
        self._type(bytes(data[:size]).decode(codec, "replace"))
        return size

    def _type(self, letters: str) -> None:
        for letter in letters:
            if escpos.width(self._row + letter) * self._look.wide > self.columns:
                self._print_row()
            self._row += letter

    def _print_row(self) -> None:
        look = self._look
        text, self._row = self._row, ""
        self._feed(Text(text=text, align=look.align, strong=look.strong, wide=look.wide, high=look.high))

    def _feed(self, mark: Mark) -> None:
        self.hanging.append(mark)
        del self.hanging[:-HANGING_MAX]
        if self.rows_left is not None:
            self.rows_left = max(0, self.rows_left - 1)
            self._send_auto_status()
        if self._power_for_rows is not None:
            self._power_for_rows -= 1
            if self._power_for_rows <= 0:
                self.cut_power()

    def _obey(self, command: bytes) -> bool:
        """Whether it is done; a cut in a jam is not."""
        kind, rest = command[:2], command[2:]
        if kind == b"\x1dV" or kind in (b"\x1bi", b"\x1bm"):
            return self._cut(full=kind == b"\x1dV" and rest[0] in (0, 48, 65, 97, 103))
        if kind == b"\x1dk":
            self._print_bars(command)
        elif kind == b"\x1dv":
            picture = RasterPicture(int.from_bytes(rest[2:4], "little"), rest[6:])
            if picture.dots and not self._row:
                self._feed(picture)
        elif kind in (b"\x1bd", b"\x1bJ"):
            self._print_row()
        elif kind == b"\x1b@":
            self._row = ""
            self._look = _Look()
        else:
            self._answer(kind, rest)
            self._set(kind, rest)
        return True

    def _answer(self, kind: bytes, rest: bytes) -> None:
        if kind == b"\x1dr" and rest[0] in (1, 49):
            self._replies.append(self._paper_sensors())
        elif kind == b"\x1dr" and rest[0] in (2, 50):
            self._replies.append(0)
        elif kind == b"\x1bv":
            self._replies.append(self._paper_sensors())
        elif kind == b"\x1d(" and rest[:5] == b"H\x06\x0000" and self.has_process_ids:
            if all(escpos.ID_LOWEST <= byte <= escpos.ID_HIGHEST for byte in rest[5:9]):
                self._replies += bytes((escpos.HEADER, escpos.ID_MARK, *rest[5:9], 0))
        elif kind == b"\x1da":
            self._look.auto, self._auto_sent = rest[0], b""
            self._send_auto_status()

    def _set(self, kind: bytes, rest: bytes) -> None:
        look = self._look
        match kind:
            case b"\x1ba" if not self._row and rest[0] in (0, 1, 2, 48, 49, 50):
                look.align = ("left", "centre", "right")[rest[0] % 48]
            case b"\x1bE" | b"\x1bG":
                look.strong = bool(rest[0] & 1)
            case b"\x1d!":
                look.wide, look.high = (rest[0] >> 4 & 7) + 1, (rest[0] & 7) + 1
            case b"\x1b!":
                look.wide, look.high = 1 + (rest[0] >> 5 & 1), 1 + (rest[0] >> 4 & 1)
                look.strong = bool(rest[0] & 0x08)
            case b"\x1bt":
                look.code_page = rest[0]
            case b"\x1c&" | b"\x1c.":
                look.double_byte = kind == b"\x1c&"
            case b"\x1dw" if rest[0] in escpos.MODULES:
                look.bar_module = rest[0]

    def _print_bars(self, command: bytes) -> None:
        bars = _bars(command)
        if bars is None or self._row:
            return
        wide = escpos.barcode_dots(len(bars.digits), self._look.bar_module)
        if bars.system != escpos.INTERLEAVED or wide <= self.dots:
            self._feed(bars)

    def _cut(self, *, full: bool) -> bool:
        """Whether the cutter moved. It works only at the beginning of a row."""
        if self._row or not self.hanging:
            return True
        if self.will_jam:
            self.jammed = True
            self._send_auto_status()
            return False
        self.slips = [*self.slips, PaperSlip(tuple(self.hanging), "full" if full else "partial")][-SLIPS_MAX:]
        self.hanging = []
        self.slip_waiting = self.has_presenter
        return True


def _bars(command: bytes) -> Bars | None:
    """The barcode of a whole `GS k`, in either of its forms; None if its data is not allowed."""
    second_form = command[2] >= 65
    system = command[2] if second_form else command[2] + 65
    letters = command[4:] if second_form else command[3:-1]
    if not letters or (system == escpos.INTERLEAVED and not letters.isdigit()):
        return None
    if system == escpos.INTERLEAVED and len(letters) % 2:
        letters = letters[:-1]
    return Bars(system, letters.decode("latin-1")) if letters else None


# --- How long each command is ---

ESC_PARAMETERS = {
    **dict.fromkeys(b" !%-3=?EGJKMRTUVadertu{", 1),
    **dict.fromkeys(b"$\\cB", 2),
    ord("p"): 3,
    ord("W"): 8,
}
FS_PARAMETERS = {**dict.fromkeys(b"!-CW", 1), **dict.fromkeys(b"Sp?", 2), ord("2"): 74}
GS_PARAMETERS = {
    **dict.fromkeys(b"!/BEHITabfhjrw", 1),
    **dict.fromkeys(b"$LPW\\", 2),
    ord("^"): 3,
    ord("z"): 3,
    ord("g"): 4,
}
COUNTED_IN_TWO, COUNTED_IN_FOUR = ord("("), ord("8")


def command_size(data: bytes | bytearray) -> int:
    """Bytes of the first command, with its parameters and data; `WAIT` if its length is not known yet or not there.

    >>> command_size(b"\\x1b@"), command_size(b"\\x1dV"), command_size(b"\\x1dVB\\x00text")
    (2, -1, 4)
    """
    if len(data) < 2:
        return WAIT
    kind, size = data[1], 2
    if data[0] == ESC:
        size = _esc_size(data) if kind in b"*&D(" else 2 + ESC_PARAMETERS.get(kind, 0)
    elif data[0] == FS:
        size = _counted(data, 3, 2) if kind == COUNTED_IN_TWO else 2 + FS_PARAMETERS.get(kind, 0)
    else:
        size = _gs_size(data) if kind in b"(8kvV*C" else 2 + GS_PARAMETERS.get(kind, 0)
    return size if size <= len(data) else WAIT


def _counted(data: bytes | bytearray, at: int, octets: int) -> int:
    """Parameters whose number is written before them."""
    if len(data) < at + octets:
        return WAIT
    return at + octets + int.from_bytes(data[at : at + octets], "little")


def _esc_size(data: bytes | bytearray) -> int:
    if data[1] == COUNTED_IN_TWO:
        return _counted(data, 3, 2)
    if data[1] == ord("D"):
        end = data.find(0, 2, 35)
        return end + 1 if end > 0 else WAIT if len(data) < 35 else 2
    if len(data) < 5:
        return WAIT
    if data[1] == ord("*"):
        return 5 + int.from_bytes(data[3:5], "little") * (3 if data[2] in (32, 33) else 1)
    return _letters_size(data)


def _letters_size(data: bytes | bytearray) -> int:
    """`ESC & y c1 c2`, and for each letter of its own its width and dots."""
    size = 5
    for _ in range(max(0, data[4] - data[3] + 1)):
        if len(data) <= size:
            return WAIT
        size += 1 + data[2] * data[size]
    return size


def _gs_size(data: bytes | bytearray) -> int:
    kind = data[1]
    if kind == COUNTED_IN_TWO:
        return _counted(data, 3, 2)
    if kind == COUNTED_IN_FOUR:
        return _counted(data, 3, 4)
    if len(data) < 3:
        return WAIT
    if kind == ord("V"):
        return 4 if data[2] in (65, 66, 97, 98, 103, 104) else 3
    if kind == ord("C"):
        return {ord("0"): 5, ord("1"): 9, ord("2"): 5}.get(data[2], 3)
    if kind == ord("k"):
        return _bars_size(data)
    if len(data) < 8:
        return WAIT if kind == ord("v") or len(data) < 4 else 4 + 8 * data[2] * data[3]
    if kind == ord("v"):
        return 8 + int.from_bytes(data[4:6], "little") * int.from_bytes(data[6:8], "little")
    return 4 + 8 * data[2] * data[3]


def _bars_size(data: bytes | bytearray) -> int:
    if data[2] >= 65:
        return 4 + data[3] if len(data) > 3 else WAIT
    end = data.find(0, 3, 3 + 256)
    return end + 1 if end > 0 else WAIT if len(data) < 3 + 256 else 3


def _real_time_size(data: bytes | bytearray) -> int:
    """These acted when they came; here they are only skipped."""
    if len(data) < 3:
        return WAIT if len(data) < 2 or data[1] in (EOT, ENQ, DC4) else 1
    if data[1] in (EOT, ENQ):
        return 3
    if data[1] != DC4:
        return 1
    size = {1: 5, 2: 5, 3: 8, 7: 4, 8: 10}.get(data[2], 2)
    return size if size <= len(data) else WAIT
