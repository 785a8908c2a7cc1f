"""A ticket for the printer: a page of 156 x 65 mm with a barcode. Equal values give equal bytes."""

from __future__ import annotations

from io import BytesIO
from typing import NamedTuple

from msgspec import Struct
from reportlab.graphics.barcode.common import I2of5
from reportlab.lib.units import mm
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfgen.canvas import Canvas

from stickman.paper.figures import dollars
from stickman.paper.ticket_words import CENTS_MAX, WORDS, Language, SlipKind, in_words

WIDTH, HEIGHT = 156, 65
"""In mm, like every length below."""
LEFT, RIGHT = 20, 150
MIDDLE = (LEFT + RIGHT) / 2
STUB = 14
BAR = 0.5
"""A narrow bar: four dots of a 203 dpi printer. A wide bar is ten."""
WIDE = 2.5
BARS_FROM, BARS_HIGH = 32, 14

PLAIN, BOLD, MONO = "Helvetica", "Helvetica-Bold", "Courier-Bold"
LONGEST = {"place": 60, "printed": 20, "table": 12, "expires": 16}
"""How many letters are still readable."""
RECEIPTS = ("hand_pay", "credit")
"""The kinds that cannot be redeemed."""
CHINESE = "STSong-Light"
"""A font that readers and printers bring themselves; it is not in the file."""
registerFont(UnicodeCIDFont(CHINESE))


class Slip(Struct, frozen=True, kw_only=True):
    kind: SlipKind
    place: str
    number: str
    """An even number of digits; empty on a receipt, which cannot be redeemed."""
    cents: int
    printed: str
    """Date and time."""
    table: str
    seat: int
    count: int
    """The number of the ticket at its seat."""
    expires: str = ""
    language: Language = "en"


class BadSlip(ValueError):
    """Values that cannot be printed: what was found, and what is allowed."""


def draw(slip: Slip) -> bytes:
    _check(slip)
    paper = BytesIO()
    canvas = Canvas(paper, pagesize=(WIDTH * mm, HEIGHT * mm), invariant=True)
    title = WORDS[slip.language].titles[slip.kind]
    canvas.setTitle(f"{title.capitalize()} {grouped(slip.number)}".strip())
    _write(canvas, slip.place, At(MIDDLE, 58, RIGHT - LEFT), BOLD, 10)
    _write(canvas, title, At(MIDDLE, 50, RIGHT - LEFT), BOLD, 18)
    _stub(canvas, slip)
    if slip.number:
        _barcode(canvas, slip.number)
    else:
        _signatures(canvas, slip)
    _amount(canvas, slip)
    _foot(canvas, slip)
    canvas.showPage()
    canvas.save()
    return paper.getvalue()


def _check(slip: Slip) -> None:
    if slip.kind in RECEIPTS and slip.number:
        raise BadSlip(f"found number {slip.number} on a receipt; allowed: none, because it cannot be redeemed")
    if slip.kind not in RECEIPTS and not _is_paired_digits(slip.number):
        raise BadSlip(f"found number {slip.number!r}; allowed: an even count of digits, as the barcode needs")
    if not 0 < slip.cents < CENTS_MAX:
        raise BadSlip(f"found {slip.cents} cents; allowed: 1 to {CENTS_MAX - 1}")
    for field, longest in LONGEST.items():
        text: str = getattr(slip, field)
        if len(text) > longest or not _is_printable(text):
            raise BadSlip(f"{field}: found {text!r}; allowed: up to {longest} letters of western Europe")


def _is_paired_digits(number: str) -> bool:
    return number.isascii() and number.isdigit() and len(number) % 2 == 0


def _is_printable(text: str) -> bool:
    """Whether the standard fonts of printers contain these letters."""
    return text.isprintable() and text.encode("cp1252", "ignore").decode("cp1252") == text


# --- Parts ---


class At(NamedTuple):
    """The middle of a line's baseline, and its maximum width."""

    x: float
    y: float
    width: float


def _write(canvas: Canvas, text: str, at: At, font: str, size: float) -> None:
    """A centred line, smaller if it does not fit."""
    font = font if _is_printable(text) else CHINESE
    wide = stringWidth(text, font, size)
    canvas.setFont(font, size * min(1, at.width * mm / wide) if wide else size)
    canvas.drawCentredString(at.x * mm, at.y * mm, text)


def _barcode(canvas: Canvas, number: str) -> None:
    bars = I2of5(number, barWidth=BAR * mm, ratio=WIDE, barHeight=BARS_HIGH * mm, checksum=0, bearers=0, quiet=0)
    bars.drawOn(canvas, MIDDLE * mm - bars.width / 2, BARS_FROM * mm)
    _write(canvas, grouped(number), At(MIDDLE, 27.2, RIGHT - LEFT), MONO, 11)


def _stub(canvas: Canvas, slip: Slip) -> None:
    """The number and the amount again along the edge, so that a torn ticket still shows them."""
    name = grouped(slip.number) or WORDS[slip.language].titles[slip.kind]
    canvas.setLineWidth(0.5)
    canvas.setDash(2, 2)
    canvas.line(STUB * mm, 3 * mm, STUB * mm, (HEIGHT - 3) * mm)
    canvas.setDash()
    canvas.saveState()
    canvas.rotate(90)
    _write(canvas, name, At(HEIGHT / 2, -6, HEIGHT - 8), MONO, 10)
    _write(canvas, dollars(slip.cents), At(HEIGHT / 2, -11, HEIGHT - 8), BOLD, 9)
    canvas.restoreState()


def _signatures(canvas: Canvas, slip: Slip) -> None:
    canvas.setLineWidth(0.5)
    words = WORDS[slip.language]
    for place, who in enumerate(words.signers[slip.kind]):
        x = LEFT + 44 * place
        canvas.line(x * mm, 37 * mm, (x + 42) * mm, 37 * mm)
        _write(canvas, who, At(x + 21, 34, 42), PLAIN, 7)
    _write(canvas, words.receipt_only, At(MIDDLE, 27.5, RIGHT - LEFT), PLAIN, 8)


def _amount(canvas: Canvas, slip: Slip) -> None:
    _write(canvas, in_words(slip.cents, slip.language), At(MIDDLE, 21.5, RIGHT - LEFT + 4), PLAIN, 9)
    _write(canvas, dollars(slip.cents), At(MIDDLE, 12.5, RIGHT - LEFT), BOLD, 22)


def _foot(canvas: Canvas, slip: Slip) -> None:
    canvas.setLineWidth(0.5)
    canvas.line(LEFT * mm, 10 * mm, RIGHT * mm, 10 * mm)
    words = WORDS[slip.language]
    columns = [
        (words.printed, slip.printed, 38),
        (words.table, slip.table, 24),
        (words.seat, str(slip.seat), 14),
        (words.ticket if slip.number else words.receipt, f"{slip.count:04}", 24),
        (words.expires if slip.expires else "", slip.expires, 30),
    ]
    x = LEFT
    for label, value, width in columns:
        _write(canvas, label, At(x + width / 2, 7.2, width - 2), PLAIN, 5.5)
        _write(canvas, value, At(x + width / 2, 3.4, width - 2), BOLD, 8.5)
        x += width


# --- As printed ---


def grouped(number: str) -> str:
    """A number to read out: two digits, then fours.

    >>> grouped("012345678901234567")
    '01-2345-6789-0123-4567'
    """
    first = len(number) % 4
    groups = [number[:first], *(number[start : start + 4] for start in range(first, len(number), 4))]
    return "-".join(group for group in groups if group)
