"""The wire of printers, against bytes written out by hand from the public command references."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickman.devices import escpos
from stickman.devices.escpos import (
    Answers,
    Auto,
    Buffered,
    Cleared,
    FullStatus,
    Laid,
    PaperFormat,
    PrinterSlip,
    ProcessId,
    RasterPicture,
    RealTime,
    SlipLine,
)

NUMBER = "012345678901234567"


def answers(octets: str, *, full: bool = False, gap_ms: int = 0) -> list[escpos.Answer]:
    """What these bytes say, one at a time."""
    reader = Answers(full=full)
    data = bytes.fromhex(octets)
    return [
        answer for at, byte in enumerate(data) for answer in reader.heard(bytes((byte,)), 1000 + at * (1 + gap_ms))
    ]


# --- To the printer ---


def test_a_barcode_is_interleaved_two_of_five_of_18_digits_with_its_digits_below() -> None:
    assert escpos.barcode(NUMBER) == bytes.fromhex(
        "1d7703"  # GS w 3: narrow 3 dots, wide 8
        "1d6864"  # GS h 100
        "1d6600"  # GS f 0: digits in font A
        "1d4802"  # GS H 2: digits below
        "1d6b4612"  # GS k 70, 18 bytes
        "303132333435363738393031323334353637"
    )


def test_the_process_id_and_the_questions_are_as_published() -> None:
    assert escpos.ask_process_id("0001") == bytes.fromhex("1d28480600303030303031")
    assert [escpos.ask(status) for status in (1, 2, 3, 4, 20)] == [
        bytes.fromhex(octets) for octets in ("100401", "100402", "100403", "100404", "100414")
    ]
    assert bytes.fromhex("10140801031401060208") == escpos.CLEAR
    assert bytes.fromhex("1d5642 00") == escpos.CUT
    assert bytes.fromhex("1d7201") == escpos.ASK_BUFFERED


def test_a_ticket_is_its_words_then_its_barcode_and_the_cut() -> None:
    slip = PrinterSlip(
        lines=(SlipLine("AB", "title"), SlipLine("PUESTO", "pair", "3"), SlipLine("Válido")), number=NUMBER
    )
    laid = escpos.lay_out(slip, PaperFormat(columns=10))
    assert laid == Laid(
        bytes.fromhex("1b40 1d6100 1c2e 1b7410")  # initialize, no automatic status, single bytes, page 16
        + bytes.fromhex("1b6101 1d2111 1b4500 4142 0a 1d2100 1b4500")
        + bytes.fromhex("1b6101 1d2100 1b4500 50554553544f 202020 33 0a 1d2100 1b4500")
        + bytes.fromhex("1b6101 1d2100 1b4500 56 e1 6c69646f 0a 1d2100 1b4500"),
        bytes.fromhex("1b6101") + escpos.barcode(NUMBER) + bytes.fromhex("0a 1d564200"),
    )


def test_no_byte_of_the_number_is_in_the_first_part() -> None:
    laid = escpos.lay_out(PrinterSlip(lines=(SlipLine("CASH OUT TICKET", "title"),), number=NUMBER), PaperFormat())
    assert laid is not None
    assert NUMBER.encode() not in laid.text
    assert b"\x1dk" not in laid.text
    assert b"\x1dV" not in laid.text


def test_a_receipt_has_no_barcode_and_is_cut() -> None:
    laid = escpos.lay_out(PrinterSlip(lines=(SlipLine("HAND PAY RECEIPT", "title"),)), PaperFormat())
    assert laid is not None
    assert laid.end == escpos.CUT


@pytest.mark.parametrize(
    "number", ["1", "01234567890123456", "0123456789012345678", "01234567890123456x", "²" * 18]
)
def test_a_number_of_anything_but_18_digits_is_not_printed(number: str) -> None:
    assert escpos.lay_out(PrinterSlip(lines=(), number=number), PaperFormat()) is None


def test_18_digits_must_fit_the_paper() -> None:
    """Start 4 narrow, 18 digits of 3 narrow and 2 wide, stop 2 narrow and 1 wide: 60 x 3 + 37 x 8 dots."""
    assert escpos.lay_out(PrinterSlip(lines=(), number=NUMBER), PaperFormat(dots=476)) is not None
    assert escpos.lay_out(PrinterSlip(lines=(), number=NUMBER), PaperFormat(dots=475)) is None


def test_all_letters_of_spanish_are_in_the_code_page() -> None:
    letters = "áéíóúüñÁÉÍÓÚÜÑ¿¡ºª$"
    laid = escpos.lay_out(PrinterSlip(lines=(SlipLine(letters),)), PaperFormat())
    assert laid is not None
    assert letters.encode("cp1252") in laid.text


def test_chinese_needs_a_printer_that_has_it_or_a_picture() -> None:
    line = SlipLine("兑现票券", "title")
    assert escpos.lay_out(PrinterSlip(lines=(line,)), PaperFormat()) is None
    with_letters = escpos.lay_out(PrinterSlip(lines=(line,)), PaperFormat(chinese=True))
    assert with_letters is not None
    assert bytes.fromhex("1c26 b6d2cfd6c6b1c8af 1c2e") in with_letters.text
    mixed = escpos.lay_out(PrinterSlip(lines=(SlipLine("Peña 票"),)), PaperFormat(chinese=True))
    assert mixed is not None
    assert b"Pe\xf1a \x1c&\xc6\xb1\x1c.\n" in mixed.text
    picture = RasterPicture(2, bytes(range(0x40, 0x46)))
    with_picture = escpos.lay_out(PrinterSlip(lines=(SlipLine("兑现票券", picture=picture),)), PaperFormat())
    assert with_picture is not None
    assert with_picture.text.endswith(bytes.fromhex("1b6101 1d763000 0200 0300 404142434445"))


@pytest.mark.parametrize(
    "picture",
    [RasterPicture(0, b""), RasterPicture(2, b"abc"), RasterPicture(65, bytes(65)), RasterPicture(-1, b"a")],
)
def test_a_picture_that_is_not_whole_or_too_wide_is_not_printed(picture: RasterPicture) -> None:
    assert escpos.lay_out(PrinterSlip(lines=(SlipLine("票", picture=picture),)), PaperFormat()) is None


def test_control_characters_are_never_sent_as_text() -> None:
    assert escpos.lay_out(PrinterSlip(lines=(SlipLine("a\x1dV\x00"),)), PaperFormat()) is None


@given(st.binary(min_size=2, max_size=60))
def test_no_picture_contains_a_real_time_command(dots: bytes) -> None:
    sent = escpos.raster(RasterPicture(1, b"\x10\x04\x01\x10\x10\x14\x08" + dots))[8:]
    assert not any(pair in sent for pair in (b"\x10\x04", b"\x10\x05", b"\x10\x14"))


@given(st.text(st.characters(codec="cp1252", exclude_categories=["C", "Z"]) | st.just(" "), max_size=200))
def test_every_row_fits_and_no_letter_is_lost(text: str) -> None:
    rows = escpos.wrapped(text, 21)
    assert all(escpos.width(row) <= 21 for row in rows)
    assert "".join(rows).replace(" ", "") == text.replace(" ", "")


# --- From the printer ---


def test_answers_are_told_apart_by_their_fixed_bits() -> None:
    assert answers("12 1a 7e") == [RealTime(0x12), RealTime(0x1A), RealTime(0x7E)]
    assert answers("00 03 0f") == [Buffered(0), Buffered(3), Buffered(0x0F)]
    assert answers("37 22 30303031 00") == [ProcessId("0001")]
    assert answers("37 25 00") == [Cleared()]
    assert answers("18 00 0f 00") == [Auto(bytes.fromhex("18000f00"))]
    assert answers("10 0f 24 02 00 01", full=True) == [FullStatus(0x24, 2, 0, 1)]


def test_flow_control_between_any_two_bytes_is_left_out() -> None:
    assert answers("11 37 13 22 30 11 30 30 31 13 00 11 12") == [ProcessId("0001"), RealTime(0x12)]


def test_a_broken_block_does_not_hide_what_follows() -> None:
    assert answers("37 22 3030 12")[-1:] == [RealTime(0x12)]
    assert answers("37 37 25 00") == [Cleared()]
    assert answers("37 22 30 37 22 30303032 00")[-1:] == [ProcessId("0002")]
    assert answers("18 12") == [RealTime(0x12)]


def test_a_block_with_a_long_gap_is_broken() -> None:
    assert Cleared() not in answers("37 25 00", gap_ms=escpos.GAP_MS)


def test_what_each_status_byte_says() -> None:
    healthy = dict.fromkeys((1, 2, 3, 4), 0x12)
    assert escpos.faults(healthy) == ()
    said = {
        "offline": {1: 0x1A},
        "cover_open": {1: 0x1A, 2: 0x16},
        "paper_out": {1: 0x1A, 2: 0x32, 4: 0x7E},
        "cutter": {1: 0x1A, 2: 0x52, 3: 0x1A},
        "jam": {1: 0x1A, 2: 0x52, 3: 0x16},
        "broken": {1: 0x1A, 2: 0x52, 3: 0x32},
        "hot": {1: 0x1A, 2: 0x52, 3: 0x52},
        "error": {1: 0x1A, 2: 0x52},
    }
    for fault, statuses in said.items():
        assert escpos.faults(healthy | statuses) == (fault,)
    assert escpos.paper_low(healthy | {4: 0x1E})
    assert escpos.faults(healthy | {4: 0x1E}) == ()


@given(st.lists(st.binary(max_size=12), max_size=20))
def test_any_bytes_in_any_pieces_are_read_alike_and_never_held_for_long(pieces: list[bytes]) -> None:
    whole, apart = Answers(), Answers()
    assert [*whole.heard(b"".join(pieces), 0)] == [answer for piece in pieces for answer in apart.heard(piece, 0)]
    assert len(whole._held) < 7
