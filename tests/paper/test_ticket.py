"""A ticket on paper: a scanner reads its barcode, a person all that must stand on it, and nothing touches."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import pypdfium2  # type: ignore[import-untyped]  # it has no stubs
import pytest
import zxingcpp
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict, replace
from pypdfium2 import raw

from stickman.paper import ticket
from stickman.paper.ticket import BadSlip, Slip, draw, grouped
from stickman.paper.ticket_words import LANGUAGES, WORDS, Language, in_words

MM = 72 / 25.4
SLIP = Slip(
    kind="cash_out",
    place="Riverside Casino",
    number="012345678901234567",
    cents=123_45,
    printed="2026-03-04 21:15:07",
    table="3",
    seat=5,
    count=42,
    expires="2026-08-31",
)
TIP = replace(SLIP, kind="tip")
RECEIPT = replace(SLIP, kind="hand_pay", number="", expires="")
FULLEST = replace(
    SLIP,
    place="W" * 60,
    number="9" * 18,
    cents=10**15 - 1,
    printed="W" * 20,
    table="M" * 12,
    seat=10,
    count=10**12,
    expires="W" * 16,
)
CREDIT = replace(RECEIPT, kind="credit")
KINDS = {"cash out": SLIP, "tip": TIP, "receipt": RECEIPT, "credit": CREDIT, "fullest": FULLEST}
SLIPS = {f"{name} {spoken}": replace(slip, language=spoken) for name, slip in KINDS.items() for spoken in LANGUAGES}
every_slip = pytest.mark.parametrize("slip", SLIPS.values(), ids=SLIPS)


class Box(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float

    def touches(self, other: Box) -> bool:
        apart = self.right <= other.left or other.right <= self.left
        return not apart and not (self.top <= other.bottom or other.top <= self.bottom)


def boxes(slip: Slip, kind: int) -> list[Box]:
    """Where things of a kind are on the page, in points."""
    with pypdfium2.PdfDocument(draw(slip)) as document:
        return [Box(*each.get_bounds()) for each in document[0].get_objects(filter=[kind])]


def bars(slip: Slip) -> Box:
    """Around the barcode: its bars are the only things drawn that are higher than wide, beside the stub's edge."""
    drawn = [
        box for box in boxes(slip, raw.FPDF_PAGEOBJ_PATH) if box.left > 20 * MM and box.top - box.bottom > 5 * MM
    ]
    assert len(drawn) == 2 + 18 // 2 * 5 + 2  # start, five bars for two digits, stop
    left, bottom, right, top = zip(*drawn, strict=True)
    return Box(min(left), min(bottom), max(right), max(top))


def text(slip: Slip) -> list[str]:
    """The lines that can be read."""
    with pypdfium2.PdfDocument(draw(slip)) as document:
        return str(document[0].get_textpage().get_text_range()).splitlines()


def scanned(slip: Slip, dpi: int = 300) -> list[tuple[str, str]]:
    with pypdfium2.PdfDocument(draw(slip)) as document:
        image = document[0].render(scale=dpi / 72).to_pil()
    return [(found.text, found.format.name) for found in zxingcpp.read_barcodes(image)]


# --- The barcode ---


@every_slip
def test_a_scanner_reads_the_number_and_nothing_from_a_receipt(slip: Slip) -> None:
    assert scanned(slip) == ([(slip.number, "ITF")] if slip.number else [])


@settings(max_examples=25)
@given(st.text("0123456789", min_size=18, max_size=18))
def test_a_scanner_reads_every_number(number: str) -> None:
    assert scanned(replace(SLIP, number=number)) == [(number, "ITF")]


def test_a_printer_of_203_dpi_prints_it_so_that_a_scanner_reads_it() -> None:
    assert scanned(SLIP, dpi=203) == [(SLIP.number, "ITF")]


def test_the_barcode_has_its_quiet_zones() -> None:
    code = bars(SLIP)
    quiet = Box(code.left - 10 * ticket.BAR * MM, code.bottom, code.right + 10 * ticket.BAR * MM, code.top)
    others = [box for box in boxes(SLIP, raw.FPDF_PAGEOBJ_PATH) if not box.touches(code)]
    assert not [box for box in [*others, *boxes(SLIP, raw.FPDF_PAGEOBJ_TEXT)] if box.touches(quiet)]


# --- The page ---


def test_the_page_has_the_size_of_a_ticket() -> None:
    with pypdfium2.PdfDocument(draw(SLIP)) as document:
        assert len(document) == 1
        width, height = document[0].get_size()
    assert (round(width / MM, 2), round(height / MM, 2)) == (156, 65)


@every_slip
def test_the_same_values_are_the_same_bytes(slip: Slip) -> None:
    assert draw(slip) == draw(slip)
    assert draw(slip) != draw(replace(slip, cents=slip.cents - 1))


@pytest.mark.parametrize(
    ("slip", "title"), [(SLIP, "CASH OUT TICKET"), (TIP, "TIP TICKET"), (RECEIPT, "HAND PAY RECEIPT")]
)
def test_all_that_must_stand_on_a_ticket_stands_on_it(slip: Slip, title: str) -> None:
    lines = text(slip)
    assert lines[:2] == ["Riverside Casino", title]
    assert {"$123.45", "One hundred twenty-three dollars and 45 cents"} <= set(lines)
    below = lines[lines.index("PRINTED") :]
    assert below[1::2][:4] == ["2026-03-04 21:15:07", "3", "5", "0042"]
    assert below[::2][1:3] == ["TABLE", "SEAT"]
    assert ("A receipt: it cannot be redeemed." in lines) == (slip is RECEIPT)
    if slip is not RECEIPT:
        assert lines.count("01-2345-6789-0123-4567") == 2
        assert below[6:] == ["TICKET", "0042", "VOID AFTER", "2026-08-31"]


@pytest.mark.parametrize(
    ("language", "title", "words", "foot"),
    [
        (
            "es",
            "TIQUE DE COBRO",
            "Ciento veintitrés dólares con 45/100",
            ["IMPRESO", "MESA", "PUESTO", "TIQUE", "VÁLIDO HASTA"],
        ),
        ("zh", "兑现票券", "美元壹佰贰拾叁元肆角伍分", ["打印时间", "桌号", "座位", "票券", "有效期至"]),
    ],
)
def test_a_ticket_speaks_one_language(language: Language, title: str, words: str, foot: list[str]) -> None:
    lines = text(replace(SLIP, language=language))
    assert lines[1] == title
    assert words in lines
    assert [word for word in foot if not any(line.startswith(word) for line in lines)] == []
    english = {*WORDS["en"].titles.values(), WORDS["en"].printed, WORDS["en"].table, WORDS["en"].expires}
    assert not english & set(lines)


def test_every_language_has_a_word_for_every_place_on_paper() -> None:
    for words in WORDS.values():
        assert words.titles.keys() == WORDS["en"].titles.keys()
        assert words.signers.keys() == set(ticket.RECEIPTS)
        assert all(words.titles.values())
        assert all(who for people in words.signers.values() for who in people)
        assert all(asdict(words).values())


@pytest.mark.parametrize(
    ("cents", "spanish", "chinese"),
    [
        (1, "Cero dólares con 01/100", "美元零元零壹分"),
        (1_00, "Un dólar con 00/100", "美元壹元整"),
        (21_50, "Veintiún dólares con 50/100", "美元贰拾壹元伍角"),
        (31_00, "Treinta y un dólares con 00/100", "美元叁拾壹元整"),
        (100_00, "Cien dólares con 00/100", "美元壹佰元整"),
        (101_00, "Ciento un dólares con 00/100", "美元壹佰零壹元整"),
        (1_005_00, "Mil cinco dólares con 00/100", "美元壹仟零伍元整"),
        (21_700_00, "Veintiún mil setecientos dólares con 00/100", "美元贰万壹仟柒佰元整"),
        (1_000_000_00, "Un millón de dólares con 00/100", "美元壹佰万元整"),
        (
            2_019_040_99,
            "Dos millones diecinueve mil cuarenta dólares con 99/100",
            "美元贰佰零壹万玖仟零肆拾元玖角玖分",
        ),
        (100_000_001_00, "Cien millones un dólares con 00/100", "美元壹亿零壹元整"),
    ],
)
def test_an_amount_in_words_in_spanish_and_chinese(cents: int, spanish: str, chinese: str) -> None:
    assert (in_words(cents, "es"), in_words(cents, "zh")) == (spanish, chinese)


@every_slip
def test_nothing_leaves_the_page_and_nothing_touches(slip: Slip) -> None:
    texts, paths = boxes(slip, raw.FPDF_PAGEOBJ_TEXT), boxes(slip, raw.FPDF_PAGEOBJ_PATH)
    page = Box(2 * MM, 2 * MM, 154 * MM, 63 * MM)
    assert [box for box in [*texts, *paths] if not _inside(box, page)] == []
    assert [(one, other) for one, other in combinations([*texts, *paths], 2) if one.touches(other)] == []


def _inside(box: Box, page: Box) -> bool:
    return page.left <= box.left and page.bottom <= box.bottom and box.right <= page.right and box.top <= page.top


@every_slip
def test_the_smallest_letters_can_still_be_read(slip: Slip) -> None:
    """Five points: a capital of 1.2 mm."""
    with pypdfium2.PdfDocument(draw(slip)) as document:
        page = document[0].get_textpage()
        sizes = {raw.FPDFText_GetFontSize(page, index) for index in range(page.count_chars())}
    assert min(size for size in sizes if size > 1) >= 5  # the extractor's own blanks have size 1


# --- What cannot be printed ---


@pytest.mark.parametrize(
    ("slip", "found"),
    [
        (replace(SLIP, number="12345"), "found number '12345'"),
        (replace(SLIP, number=""), "found number ''"),
        (replace(SLIP, number="1a"), "found number '1a'"),
        (replace(SLIP, number="²²"), "found number"),
        (replace(RECEIPT, number="12"), "on a receipt"),
        (replace(SLIP, cents=0), "found 0 cents"),
        (replace(SLIP, cents=10**15), "found 1000000000000000 cents"),
        (replace(SLIP, place="W" * 61), "place: found 'WWW"),
        (replace(SLIP, place="Łódź"), "place: found 'Łódź'"),
        (replace(SLIP, table="3\n4"), "table: found"),
    ],
)
def test_what_cannot_be_printed_is_an_error_that_says_what_is_allowed(slip: Slip, found: str) -> None:
    with pytest.raises(BadSlip, match=f"{found}.*; allowed: "):
        draw(slip)


def test_the_letters_of_western_europe_are_printed() -> None:
    name = "Café Zürich, Åbo – “Señor”"
    assert name in text(replace(SLIP, place=name))


# --- Numbers and words ---


@pytest.mark.parametrize(
    ("number", "shown"),
    [("012345678901234567", "01-2345-6789-0123-4567"), ("1234", "1234"), ("123456", "12-3456"), ("", "")],
)
def test_a_number_is_shown_in_fours_from_the_right(number: str, shown: str) -> None:
    assert grouped(number) == shown


@pytest.mark.parametrize(
    ("cents", "words"),
    [
        (0, "No dollars and no cents"),
        (1, "No dollars and 1 cent"),
        (100, "One dollar and no cents"),
        (101, "One dollar and 1 cent"),
        (12_345, "One hundred twenty-three dollars and 45 cents"),
        (110_000, "One thousand one hundred dollars and no cents"),
        (1_000_000_10, "One million dollars and 10 cents"),
        (2_019_040_99, "Two million nineteen thousand forty dollars and 99 cents"),
        (10**11, "One billion dollars and no cents"),
        (999_990_12_00, "Ninety-nine million nine hundred ninety-nine thousand twelve dollars and no cents"),
    ],
)
def test_an_amount_is_written_as_on_a_cheque(cents: int, words: str) -> None:
    assert in_words(cents) == words


UNITS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
TEENS = ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
VALUES = {word: value for value, word in enumerate(UNITS + TEENS)}
VALUES |= {word: 10 * value for value, word in enumerate(TENS, 2)}
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}


def read(words: str) -> int:
    """The cents that words say, read by a plain ear."""
    dollars, _, cents = words.lower().partition(" and ")
    *said, unit = dollars.replace("-", " ").split()
    assert unit == ("dollar" if said == ["one"] else "dollars")
    total = group = 0
    for word in said:
        if word == "hundred":
            group *= 100
        elif word in SCALES:
            total, group = total + group * SCALES[word], 0
        else:
            group += VALUES[word]
    part, name = cents.split()
    assert name == ("cent" if part == "1" else "cents")
    return (total + group) * 100 + (0 if part == "no" else int(part))


def test_every_amount_up_to_ten_thousand_dollars_reads_back() -> None:
    assert all(read(in_words(whole * 100 + whole % 100)) == whole * 100 + whole % 100 for whole in range(10_000))


@given(st.integers(0, 10**15 - 1))
@example(10**15 - 1)
def test_every_amount_reads_back(cents: int) -> None:
    assert read(in_words(cents)) == cents
