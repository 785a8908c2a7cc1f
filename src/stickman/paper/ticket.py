"""A ticket for the printer: a page of 156 x 65 mm with a barcode. Equal values give equal bytes."""

from __future__ import annotations

from io import BytesIO
from typing import Literal, NamedTuple

from msgspec import Struct
from reportlab.graphics.barcode.common import I2of5
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from stickman.paper.figures import dollars

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
CENTS_MAX = 10**15

TITLES = {
    "cash_out": "CASH OUT TICKET",
    "tip": "TIP TICKET",
    "hand_pay": "HAND PAY RECEIPT",
    "credit": "CREDIT RECEIPT",
}
RECEIPTS = {"hand_pay": ("Paid by", "Witness", "Received by"), "credit": ("Taken by", "Witness", "Given by")}
"""The kinds that cannot be redeemed, and who signs each."""


class Slip(Struct, frozen=True, kw_only=True):
    kind: Literal["cash_out", "tip", "hand_pay", "credit"]
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


class BadSlip(ValueError):
    """Values that cannot be printed: what was found, and what is allowed."""


def draw(slip: Slip) -> bytes:
    _check(slip)
    paper = BytesIO()
    canvas = Canvas(paper, pagesize=(WIDTH * mm, HEIGHT * mm), invariant=True)
    canvas.setTitle(f"{TITLES[slip.kind].capitalize()} {grouped(slip.number)}".strip())
    _write(canvas, slip.place, At(MIDDLE, 58, RIGHT - LEFT), BOLD, 10)
    _write(canvas, TITLES[slip.kind], At(MIDDLE, 50, RIGHT - LEFT), BOLD, 18)
    _stub(canvas, slip)
    if slip.number:
        _barcode(canvas, slip.number)
    else:
        _signatures(canvas, RECEIPTS[slip.kind])
    _amount(canvas, slip.cents)
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
    wide = stringWidth(text, font, size)
    canvas.setFont(font, size * min(1, at.width * mm / wide) if wide else size)
    canvas.drawCentredString(at.x * mm, at.y * mm, text)


def _barcode(canvas: Canvas, number: str) -> None:
    bars = I2of5(number, barWidth=BAR * mm, ratio=WIDE, barHeight=BARS_HIGH * mm, checksum=0, bearers=0, quiet=0)
    bars.drawOn(canvas, MIDDLE * mm - bars.width / 2, BARS_FROM * mm)
    _write(canvas, grouped(number), At(MIDDLE, 27.2, RIGHT - LEFT), MONO, 11)


def _stub(canvas: Canvas, slip: Slip) -> None:
    """The number and the amount again along the edge, so that a torn ticket still shows them."""
    name = grouped(slip.number) or TITLES[slip.kind]
    canvas.setLineWidth(0.5)
    canvas.setDash(2, 2)
    canvas.line(STUB * mm, 3 * mm, STUB * mm, (HEIGHT - 3) * mm)
    canvas.setDash()
    canvas.saveState()
    canvas.rotate(90)
    _write(canvas, name, At(HEIGHT / 2, -6, HEIGHT - 8), MONO, 10)
    _write(canvas, dollars(slip.cents), At(HEIGHT / 2, -11, HEIGHT - 8), BOLD, 9)
    canvas.restoreState()


def _signatures(canvas: Canvas, people: tuple[str, ...]) -> None:
    canvas.setLineWidth(0.5)
    for place, who in enumerate(people):
        x = LEFT + 44 * place
        canvas.line(x * mm, 37 * mm, (x + 42) * mm, 37 * mm)
        _write(canvas, who, At(x + 21, 34, 42), PLAIN, 7)
    _write(canvas, "A receipt: it cannot be redeemed.", At(MIDDLE, 27.5, RIGHT - LEFT), PLAIN, 8)


def _amount(canvas: Canvas, cents: int) -> None:
    words = in_words(cents)
    _write(canvas, words, At(MIDDLE, 21.5, RIGHT - LEFT), PLAIN, 9)
    _write(canvas, dollars(cents), At(MIDDLE, 12.5, RIGHT - LEFT), BOLD, 22)


def _foot(canvas: Canvas, slip: Slip) -> None:
    canvas.setLineWidth(0.5)
    canvas.line(LEFT * mm, 10 * mm, RIGHT * mm, 10 * mm)
    columns = [
        ("PRINTED", slip.printed, 38),
        ("TABLE", slip.table, 24),
        ("SEAT", str(slip.seat), 14),
        ("TICKET" if slip.number else "RECEIPT", f"{slip.count:04}", 24),
        ("VOID AFTER" if slip.expires else "", slip.expires, 30),
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


UNITS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
THOUSANDS = ("", " thousand", " million", " billion", " trillion")


def in_words(cents: int) -> str:
    """
    >>> in_words(12345)
    'One hundred twenty-three dollars and 45 cents'
    >>> in_words(100), in_words(1)
    ('One dollar and no cents', 'No dollars and 1 cent')
    """
    assert 0 <= cents < CENTS_MAX, cents
    whole, part = divmod(cents, 100)
    text = f"{_spelled(whole)} dollar{'' if whole == 1 else 's'} and {part or 'no'} cent{'' if part == 1 else 's'}"
    return text[0].upper() + text[1:]


def _spelled(value: int) -> str:
    """A whole number in words; none is "no"."""
    groups = []
    for scale in THOUSANDS:
        value, below = divmod(value, 1000)
        groups += [_below_thousand(below) + scale] if below else []
    return " ".join(reversed(groups)) or UNITS[0]


def _below_thousand(value: int) -> str:
    hundreds, rest = divmod(value, 100)
    tens, units = divmod(rest, 10)
    words = [f"{UNITS[hundreds]} hundred"] if hundreds else []
    if 0 < rest < 20:
        words.append(UNITS[rest])
    elif rest:
        words.append(TENS[tens] + (f"-{UNITS[units]}" if units else ""))
    return " ".join(words)
