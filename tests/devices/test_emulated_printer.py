"""The emulated printer, against byte vectors from the public command references; our driver has no part in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickman.devices.emulated_printer import BOOT_MS, Bars, EmulatedPrinter, Text
from stickman.devices.escpos import RasterPicture

NUMBER = "012345678901234567"
ITF = bytes.fromhex("1d6b4612") + NUMBER.encode()
CUT = bytes.fromhex("1d564200")


def say(printer: EmulatedPrinter, octets: str | bytes, now_ms: int = 0) -> bytes:
    return printer.heard(bytes.fromhex(octets) if isinstance(octets, str) else octets, now_ms)


# --- Status ---


def test_a_healthy_printer_answers_12_to_each_question() -> None:
    assert say(EmulatedPrinter(), "100401 100402 100403 100404") == bytes.fromhex("12121212")


def test_each_state_has_its_bytes() -> None:
    printer = EmulatedPrinter()
    questions = "100401 100402 100403 100404"
    printer.set_paper_low()
    assert say(printer, questions) == bytes.fromhex("1212121e")
    printer.remove_paper()
    assert say(printer, questions) == bytes.fromhex("1a32127e")
    printer.load_paper()
    printer.open_cover()
    assert say(printer, questions) == bytes.fromhex("1a161212")
    printer.close_cover()
    printer.go_offline()
    assert say(printer, questions) == bytes.fromhex("1a121212")
    printer.go_online()
    printer.jam()
    say(printer, b"text\n" + CUT)
    assert say(printer, questions) == bytes.fromhex("1a521a12")
    printer.free()
    assert say(printer, questions) == bytes.fromhex("12121212")


def test_a_real_time_question_is_answered_while_printing_is_stopped_and_a_buffered_one_is_not() -> None:
    printer = EmulatedPrinter()
    printer.open_cover()
    assert say(printer, b"words\n\x1dr\x01\x1d(H\x06\x0000AB12\x10\x04\x02") == b"\x16"
    assert printer.hanging == []
    printer.close_cover()
    assert printer.wants(0) == bytes.fromhex("00 37 22 41423132 00")
    assert printer.hanging == [Text(text="words")]


def test_a_real_time_command_acts_inside_a_picture_too_and_stays_part_of_it() -> None:
    printer = EmulatedPrinter()
    assert say(printer, "1d763000 0300 0100 100401") == b"\x12"
    assert printer.hanging == [RasterPicture(3, b"\x10\x04\x01")]


def test_clearing_drops_what_is_not_printed_with_its_process_id() -> None:
    printer = EmulatedPrinter()
    printer.remove_paper()
    clear = "10140801031401060208"
    assert say(printer, b"words\n\x1d(H\x06\x0000AB12" + bytes.fromhex(clear)) == bytes.fromhex("372500")
    printer.load_paper()
    assert printer.wants(0) == b""
    assert printer.hanging == []


def test_automatic_status_comes_at_once_and_with_each_change_until_it_is_switched_off() -> None:
    printer = EmulatedPrinter()
    assert say(printer, "1d61ff") == bytes.fromhex("10000000")
    printer.open_cover()
    assert printer.wants(0) == bytes.fromhex("38000000")
    printer.close_cover()
    assert printer.wants(0) == bytes.fromhex("10000000")
    printer.remove_paper()
    assert printer.wants(0) == bytes.fromhex("18000f00")
    printer.load_paper()
    printer.wants(0)
    say(printer, "1d6100")
    printer.open_cover()
    assert printer.wants(0) == b""


def test_a_presenter_says_whether_a_slip_waits() -> None:
    printer = EmulatedPrinter(presenter=True)
    assert say(printer, "100414") == bytes.fromhex("100f00000000")
    say(printer, b"words\n" + CUT)
    assert say(printer, "100414") == bytes.fromhex("100f20000000")
    [slip] = printer.slips
    assert printer.take_slip() is slip
    assert printer.slips == []
    assert say(printer, "100414") == bytes.fromhex("100f00000000")
    assert say(EmulatedPrinter(), "100414") == b""


# --- Paper ---


def test_words_barcode_and_cut_make_a_slip() -> None:
    printer = EmulatedPrinter()
    say(printer, b"\x1b@\x1ba\x01\x1bE\x01\x1d!\x11TITLE\n\x1d!\x00\x1bE\x00\x1ba\x02right\n" + ITF + b"\n" + CUT)
    (slip,) = printer.slips
    assert slip.marks == (
        Text(text="TITLE", align="centre", strong=True, wide=2, high=2),
        Text(text="right", align="right"),
        Bars(70, NUMBER),
        Text(text="", align="right"),
    )
    assert slip.cut == "partial"
    assert slip.numbers == [NUMBER]
    assert NUMBER in slip.drawn()
    assert printer.hanging == []


def test_both_forms_of_a_barcode_are_read() -> None:
    printer = EmulatedPrinter()
    say(printer, b"\x1dk\x05123456\x00" + b"\x1dk\x43\x0c400638133393" + b"\x1dV\x00")
    assert printer.slips[0].marks == (Bars(70, "123456"), Bars(67, "400638133393"))
    assert printer.slips[0].cut == "full"


def test_a_barcode_too_wide_for_the_paper_is_not_printed() -> None:
    printer = EmulatedPrinter()
    say(printer, b"\x1dw\x04" + ITF)  # 60 x 4 + 37 x 10 = 610 dots
    assert printer.hanging == []


def test_a_barcode_with_letters_or_in_the_middle_of_a_row_is_text() -> None:
    printer = EmulatedPrinter()
    say(printer, b"\x1dkF\x0412x4\n")
    say(printer, b"No " + b"\x1dkF\x041234\n")
    assert printer.hanging == [Text(text="12x4"), Text(text="No 1234")]


def test_a_cut_works_only_at_the_beginning_of_a_row() -> None:
    printer = EmulatedPrinter()
    say(printer, b"words" + CUT)
    assert printer.slips == []
    say(printer, b"\n" + CUT)
    assert printer.slips[0].texts == ["words"]


def test_text_is_read_in_its_code_page_and_wrapped() -> None:
    printer = EmulatedPrinter(columns=4)
    say(printer, b"\x1bt\x10\xd1and\xfa\n\x1bt\x02\xa4\n\x1c&\xb6\xd2\xcf\xd6\x1c.\xa4\n")
    assert [mark.text for mark in printer.hanging if isinstance(mark, Text)] == ["Ñand", "ú", "ñ", "兑现", "ñ"]


@pytest.mark.parametrize(
    "command",
    [
        *("1b2000", "1b2108", "1b240000", "1b2a2102 00 010203040506", "1b2a0002 00 0102", "1b3320", "1b32"),
        *(
            "1b4404080c00",
            "1b70003c78",
            "1b633501",
            "1b57 0000000000020002",
            "1b7b00",
            "1b52 07",
            "1b28 41 0200 3031",
        ),
        *(
            "1b26 03 4142 02 010203040506 01 010203",
            "1c2100",
            "1c530000",
            "1c28 41 0200 3031",
            "1c5700",
            "1b4c 1b53",
        ),
        *("1d286b0300 314300", "1d384c02000000 3032", "1d2a0101 0102030405060708", "1d4c0000", "1d500000"),
        *(
            "1d5e010000",
            "1d6201",
            "1d4801",
            "1d6832",
            "1d6600",
            "1d4200",
            "1d67 32001400",
            "1d7a 300000",
            "1d43 300000",
        ),
        *("1014010001", "100501", "1b3d01", "1b6201", "0d", "00", "07", "18", "1bfe", "1dfe", "1c fe"),
    ],
)
def test_commands_that_change_no_letter_are_skipped_with_their_parameters(command: str) -> None:
    printer = EmulatedPrinter()
    say(printer, command)
    say(printer, b"ok\n")
    assert [mark.text for mark in printer.hanging if isinstance(mark, Text)] == ["ok"]


def test_paper_ends_after_its_last_row_and_printing_goes_on_with_a_new_roll() -> None:
    printer = EmulatedPrinter()
    printer.end_paper_after(2)
    assert say(printer, b"1\n2\n3\n" + CUT + b"\x1d(H\x06\x0000AB12") == b""
    assert len(printer.hanging) == 2
    printer.load_paper()
    assert printer.slips[0].texts == ["1", "2", "3"]
    assert printer.wants(0) == bytes.fromhex("37 22 41423132 00")


def test_a_jam_holds_the_cut_and_all_behind_it() -> None:
    printer = EmulatedPrinter()
    printer.jam()
    assert say(printer, b"1\n" + CUT + b"\x1dr\x01") == b""
    assert printer.slips == []
    printer.free()
    assert printer.slips[0].texts == ["1"]
    assert printer.wants(0) == b"\x00"


def test_a_jam_can_be_cleared_with_its_data_by_the_host() -> None:
    printer = EmulatedPrinter()
    printer.jam()
    say(printer, b"1\n" + CUT)
    say(printer, "100502")
    assert not printer.stopped
    assert printer.slips == []
    assert printer.hanging == [Text(text="1")]


def test_the_power_takes_the_buffer_and_leaves_the_paper() -> None:
    printer = EmulatedPrinter()
    say(printer, b"\x1ba\x01printed\nnot printed")
    printer.cut_power()
    assert say(printer, "100401") == b""
    printer.power_on(1_000)
    assert say(printer, "100401", 1_000 + BOOT_MS - 1) == b""
    assert say(printer, "100401", 1_000 + BOOT_MS) == b"\x12"
    say(printer, b"next\n", 1_000 + BOOT_MS)
    assert printer.hanging == [Text(text="printed", align="centre"), Text(text="next")]
    assert printer.tear() == (Text(text="printed", align="centre"), Text(text="next"))
    assert printer.hanging == []


@given(st.lists(st.binary(max_size=30), max_size=8))
def test_any_bytes_in_any_pieces_print_alike_and_harm_nothing(pieces: list[bytes]) -> None:
    whole, apart = EmulatedPrinter(), EmulatedPrinter()
    assert say(whole, b"".join(pieces)) == b"".join(say(apart, piece) for piece in pieces)
    assert (whole.slips, whole.hanging) == (apart.slips, apart.hanging)


@given(st.binary(max_size=60))
def test_clear_and_reset_make_any_printer_ready_again(noise: bytes) -> None:
    printer = EmulatedPrinter()
    say(printer, noise.replace(b"\x10", b""))
    say(printer, "10140801031401060208")
    printer.tear()
    count = len(printer.slips)
    say(printer, b"\x1b@words\n" + ITF + CUT)
    assert len(printer.slips) == count + 1
    assert printer.slips[-1].marks == (Text(text="words"), Bars(70, NUMBER))
