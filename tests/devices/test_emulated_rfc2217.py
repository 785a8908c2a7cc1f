"""RFC 2217 by its bytes: what a host sends, and what the RFC lets it expect."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickman.devices.emulated_rfc2217 import COMMAND_MAX, ComLine, ComPort, FromHost


def heard(port: ComPort, wire: str) -> tuple[str, str]:
    data, answers = port.heard(bytes.fromhex(wire))
    return data.hex(" "), answers.hex(" ")


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        ("ff fb 2c", "ff fd 2c"),  # WILL COM-PORT-OPTION: DO
        ("ff fd 00", "ff fb 00"),  # DO BINARY: WILL
        ("ff fb 00", "ff fd 00"),
        ("ff fd 03", "ff fb 03"),
        ("ff fd 01", "ff fc 01"),  # DO ECHO: WONT
        ("ff fb 18", "ff fe 18"),  # WILL TERMINAL-TYPE: DONT
        ("ff fc 2c", ""),  # WONT of what was never agreed needs no answer
    ],
)
def test_options_are_agreed_or_refused_once(wish: str, answer: str) -> None:
    port = ComPort()
    assert heard(port, wish) == ("", answer)
    again = answer if "fc 01" in answer or "fe 18" in answer else ""
    assert heard(port, wish) == ("", again)


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        ("ff fa 2c 01 00 00 25 80 ff f0", "ff fa 2c 65 00 00 25 80 ff f0"),
        ("ff fa 2c 01 00 00 00 00 ff f0", "ff fa 2c 65 00 00 25 80 ff f0"),
        ("ff fa 2c 02 08 ff f0", "ff fa 2c 66 08 ff f0"),
        ("ff fa 2c 02 09 ff f0", "ff fa 2c 66 08 ff f0"),
        ("ff fa 2c 03 03 ff f0", "ff fa 2c 67 03 ff f0"),
        ("ff fa 2c 03 00 ff f0", "ff fa 2c 67 01 ff f0"),
        ("ff fa 2c 04 02 ff f0", "ff fa 2c 68 02 ff f0"),
        ("ff fa 2c 05 00 ff f0", "ff fa 2c 69 01 ff f0"),
        ("ff fa 2c 05 08 ff f0", "ff fa 2c 69 08 ff f0"),
        ("ff fa 2c 0b ff ff ff f0", "ff fa 2c 6f ff ff ff f0"),
        ("ff fa 2c 0c 03 ff f0", "ff fa 2c 70 03 ff f0"),
        ("ff fa 18 01 ff f0", ""),
        ("ff f1", ""),
    ],
)
def test_each_command_is_answered_with_the_value_of_now(wish: str, answer: str) -> None:
    assert heard(ComPort(), wish) == ("", answer)


def test_baud_bits_parity_and_stop_are_set() -> None:
    port = ComPort()
    for wish in ("01 00 00 4b 00", "02 07", "03 03", "04 02"):
        heard(port, f"ff fa 2c {wish} ff f0")
    assert port.line == ComLine(baud=19_200, bits=7, parity="even", stop="2")


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=6))
def test_bytes_for_the_device_arrive_unchanged_in_any_pieces(data: bytes, cuts: list[int]) -> None:
    port, got = ComPort(), b""
    sent = port.sent(data)
    edges = [0, *sorted(min(cut, len(sent)) for cut in cuts), len(sent)]
    for start, end in pairwise(edges):
        part, answers = port.heard(sent[start:end])
        got += part
        assert answers == b""
    assert got == data


@given(st.lists(st.binary(max_size=100), max_size=20))
def test_noise_harms_nothing_and_little_of_it_is_kept(pieces: list[bytes]) -> None:
    port = ComPort()
    for piece in pieces:
        assert isinstance(port.heard(piece), FromHost)
        assert len(port._held) <= COMMAND_MAX + 2
