"""The wire of an acceptor against bytes that public programs have printed in their sources."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickman.devices.id003 import (
    ASK,
    BYTE_GAP_MS,
    LENGTH_MAX,
    AcceptorSetting,
    Command,
    Packet,
    Reader,
    Status,
    crc16,
    read_assignment,
    write_assignment,
)

PUBLISHED = {
    "fc 05 11 27 56": Packet(Command.STATUS_REQUEST),
    "fc 05 40 2b 15": Packet(Command.RESET),
    "fc 05 41 a2 04": Packet(Command.STACK_1),
    "fc 05 42 39 36": Packet(Command.STACK_2),
    "fc 05 43 b0 27": Packet(Command.RETURN),
    "fc 06 44 ff b8 18": Packet(Command.HOLD, b"\xff"),
    "fc 05 50 aa 05": Packet(Command.ACK),
    "fc 05 88 6f 5f": Packet(Command.VERSION),
    "fc 05 8a 7d 7c": Packet(Command.CURRENCY_ASSIGNMENT),
    "fc 07 c0 00 00 2d b5": Packet(AcceptorSetting.DENOMINATIONS, b"\x00\x00"),
    "fc 07 c1 00 00 f1 ef": Packet(AcceptorSetting.SECURITY, b"\x00\x00"),
    "fc 06 c2 00 dc cf": Packet(AcceptorSetting.COMMUNICATION_MODE, b"\x00"),
    "fc 06 c3 00 04 d6": Packet(AcceptorSetting.INHIBIT, b"\x00"),
    "fc 06 c3 01 8d c7": Packet(AcceptorSetting.INHIBIT, b"\x01"),
    "fc 07 c5 03 00 f8 a6": Packet(AcceptorSetting.OPTIONAL_FUNCTION, b"\x03\x00"),
    "fc 07 c6 01 12 bf 49": Packet(AcceptorSetting.BARCODE_FUNCTION, b"\x01\x12"),
    "fc 06 c7 fc 87 8c": Packet(AcceptorSetting.BARCODE_INHIBIT, b"\xfc"),
    "fc 05 12 bc 64": Packet(Status.ACCEPTING),
}
ANSWERED = {
    "fc 05 1b 7d f9": Packet(Status.INITIALIZE),
    "fc 05 1a f4 e8": Packet(Status.INHIBITED),
    "fc 05 11 27 56": Packet(Status.IDLE),
    "fc 06 13 61 b0 fb": Packet(Status.ESCROW, b"\x61"),
    "fc 06 13 63 a2 d8": Packet(Status.ESCROW, b"\x63"),
    "fc 06 13 64 1d ac": Packet(Status.ESCROW, b"\x64"),
    "fc 06 13 65 94 bd": Packet(Status.ESCROW, b"\x65"),
    "fc 06 13 66 0f 8f": Packet(Status.ESCROW, b"\x66"),
    "fc 06 13 67 86 9e": Packet(Status.ESCROW, b"\x67"),
    "fc 05 14 8a 01": Packet(Status.STACKING),
    "fc 05 15 03 10": Packet(Status.VEND_VALID),
    "fc 05 16 98 22": Packet(Status.STACKED),
    "fc 06 17 76 ee f8": Packet(Status.REJECTING, b"\x76"),
    "fc 06 17 79 19 00": Packet(Status.REJECTING, b"\x79"),
    "fc 06 17 7e a6 74": Packet(Status.REJECTING, b"\x7e"),
    "fc 05 18 e6 cb": Packet(Status.RETURNING),
    "fc 05 19 6f da": Packet(Status.HOLDING),
    "fc 05 40 2b 15": Packet(Status.POWER_UP),
    "fc 05 44 0f 53": Packet(Status.STACKER_OPEN),
    "fc 05 45 86 42": Packet(Status.JAM_IN_ACCEPTOR),
    "fc 05 47 94 61": Packet(Status.PAUSE),
    "fc 06 83 00 62 90": Packet(AcceptorSetting.INHIBIT - ASK, b"\x00"),
    "fc 06 83 01 eb 81": Packet(AcceptorSetting.INHIBIT - ASK, b"\x01"),
}
"""From acceptor to controller, as a public fake acceptor for tests of another project (`FakeID003`) prints them."""
VERSION = bytes((0xFC, 0x29, 0x88)) + b"i(ARG)100-SS ID003-05V186-24 18DEC12" + bytes((0xC0, 0x70))
ASSIGNMENT = bytes.fromhex("fc 25 8a 61010100 62000000 63010500 64010a00 65011400 66013200 67016400 68000000 f0 1b")
"""Of the same source: the answers of an acceptor to the questions for its version and its bills."""


def naive_kermit(data: bytes) -> int:
    """The check code by its definition: polynomial 0x1021 reflected, start 0, one bit at a time."""
    crc = 0
    for byte in data:
        for bit in range(8):
            odd = (crc ^ byte >> bit) & 1
            crc = crc >> 1 ^ (0x8408 if odd else 0)
    return crc


@pytest.mark.parametrize(("wire", "packet"), PUBLISHED.items(), ids=str)
def test_packets_are_the_bytes_that_public_hosts_print(wire: str, packet: Packet) -> None:
    assert packet.encode() == bytes.fromhex(wire)
    assert Reader().feed(bytes.fromhex(wire), 0) == [packet]


@pytest.mark.parametrize(("wire", "packet"), ANSWERED.items(), ids=str)
def test_answers_are_the_bytes_that_a_public_acceptor_prints(wire: str, packet: Packet) -> None:
    assert packet.encode() == bytes.fromhex(wire)
    assert Reader().feed(bytes.fromhex(wire), 0) == [packet]


def test_a_published_version_and_currency_assignment_are_read() -> None:
    [version, assignment] = Reader().feed(VERSION + ASSIGNMENT, 0)
    assert version == Packet(Command.VERSION, b"i(ARG)100-SS ID003-05V186-24 18DEC12")
    bills = {bill.code: bill.cents for bill in read_assignment(assignment.data)}
    assert bills == {0x61: 100, 0x63: 500, 0x64: 1000, 0x65: 2000, 0x66: 5000, 0x67: 10000}


def test_the_check_code_is_crc_16_kermit_with_its_published_check_value() -> None:
    assert crc16(b"123456789") == naive_kermit(b"123456789") == 0x2189


@given(st.binary(max_size=300))
def test_the_check_code_is_that_of_its_definition(data: bytes) -> None:
    assert crc16(data) == naive_kermit(data)


def test_a_ticket_in_escrow_has_a_packet_of_24_bytes() -> None:
    wire = Packet(Status.ESCROW, b"\x6f" + b"123456789012345678").encode()
    assert (len(wire), wire[:4].hex(" ")) == (24, "fc 18 13 6f")


packets = st.builds(Packet, st.integers(0, 255), st.binary(max_size=250))
noise = st.binary(max_size=20).map(lambda data: data.replace(b"\xfc", b""))


@given(st.lists(st.tuples(noise, packets), max_size=5), st.data())
def test_packets_are_found_in_any_pieces_with_noise_between_them(
    parts: list[tuple[bytes, Packet]], data: st.DataObject
) -> None:
    wire = b"".join(before + packet.encode() for before, packet in parts)
    reader, found = Reader(), []
    while wire:
        size = data.draw(st.integers(1, len(wire)))
        found += reader.feed(wire[:size], 0)
        wire = wire[size:]
    assert found == [packet for _, packet in parts]


@given(st.lists(st.binary(max_size=600), max_size=5), packets)
def test_after_any_noise_and_a_silence_the_next_packet_is_found(pieces: list[bytes], packet: Packet) -> None:
    reader = Reader()
    for piece in pieces:
        reader.feed(piece, 0)
        assert len(reader._kept) <= LENGTH_MAX
    assert reader.feed(packet.encode(), BYTE_GAP_MS + 1) == [packet]


@given(packets, st.data())
def test_a_packet_with_a_wrong_byte_is_not_a_packet(packet: Packet, data: st.DataObject) -> None:
    wire = bytearray(packet.encode())
    at = data.draw(st.integers(2, len(wire) - 1))
    wire[at] ^= data.draw(st.integers(1, 255))
    assert packet not in Reader().feed(bytes(wire), 0)


def test_a_wrong_length_does_not_hide_the_packet_after_it() -> None:
    good = bytes.fromhex("fc 05 11 27 56")
    assert Reader().feed(bytes.fromhex("fc 03") + good, 0) == [Packet(0x11)]
    assert Reader().feed(bytes.fromhex("fc 07 11 27 56") + good, 0) == [Packet(0x11)]


def test_a_currency_assignment_gives_the_cents_of_each_code() -> None:
    # Published: four bytes for each code (code, country, base, exponent); a base of zero is a code without a bill.
    wire = bytes.fromhex("61010100 62010200 63010500 64010101 65010201 66010501 67010102 68000000")
    found = {bill.code: bill.cents for bill in read_assignment(wire)}
    assert found == {0x61: 100, 0x62: 200, 0x63: 500, 0x64: 1000, 0x65: 2000, 0x66: 5000, 0x67: 10000}
    assert write_assignment(read_assignment(wire)) == wire[:-4]


@given(st.binary(max_size=250))
def test_any_currency_assignment_is_read_without_harm(data: bytes) -> None:
    assert all(0x61 <= bill.code <= 0x6E and bill.cents > 0 for bill in read_assignment(data))
