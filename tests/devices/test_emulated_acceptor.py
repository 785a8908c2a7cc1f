"""The emulated acceptor against bytes: what a controller sends, and what the facts let it expect."""

from binascii import crc_hqx

import pytest

from stickman.devices.emulated_acceptor import ACCEPT_MS, INITIALIZE_MS, OUT_MS, STACK_MS, EmulatedAcceptor
from stickman.devices.id003 import ESCROW_MS, POWER_RECOVERY, Packet, Status

POLL = "fc 05 11 27 56"
RESET = "fc 05 40 2b 15"
STACK_1 = "fc 05 41 a2 04"
STACK_2 = "fc 05 42 39 36"
RETURN = "fc 05 43 b0 27"
ACK = "fc 05 50 aa 05"
BARCODE = "123456789012345678"


class Host:
    """A controller by hand: bytes in hexadecimal, and a clock."""

    def __init__(self, device: EmulatedAcceptor | None = None) -> None:
        self.device = device or EmulatedAcceptor()
        self.now_ms = 1_000

    def send(self, wire: str) -> str:
        """The code and the data of the answer."""
        answer = self.device.heard(bytes.fromhex(wire), self.now_ms)
        if not answer:
            return ""
        assert answer == Packet(answer[2], answer[3:-2]).encode()
        return answer[2:-2].hex(" ")

    def say(self, code: int, data: str = "") -> str:
        return self.send(Packet(code, bytes.fromhex(data)).encode().hex())

    def wait(self, ms: int) -> str:
        self.now_ms += ms
        return self.send(POLL)

    def start(self, options: int = 0) -> None:
        """Power on, and the settings that a host of the public sources makes."""
        self.device.power_on(self.now_ms)
        self.send(RESET)
        self.set_up(options)
        self.now_ms += INITIALIZE_MS

    def set_up(self, options: int = 0) -> None:
        settings = (0xC0, "82 00"), (0xC1, "00 00"), (0xC4, "00"), (0xC5, f"{options:02x} 00")
        for code, data in (*settings, (0xC3, "00"), (0xC6, "01 12"), (0xC7, "00")):
            assert self.say(code, data) == f"{code:02x} {data}"

    def bill(self, cents: int = 2000) -> None:
        assert self.device.insert(self.device.bill(cents), self.now_ms)


@pytest.fixture
def host() -> Host:
    started = Host()
    started.start()
    return started


def test_power_up_reset_initialize_and_idle() -> None:
    host = Host()
    assert host.send(POLL) == ""
    host.device.power_on(host.now_ms)
    assert host.send(POLL) == "40"
    assert bytes.fromhex(host.say(0x88))[1:].isascii()
    assert host.send(RESET) == "50"
    assert host.send(POLL) == "1b"
    host.set_up()
    assert host.wait(INITIALIZE_MS) == "11"


def test_nothing_is_accepted_before_the_controller_says_so() -> None:
    host = Host()
    host.device.power_on(host.now_ms)
    host.send(RESET)
    assert host.wait(INITIALIZE_MS) == "1a"
    assert not host.device.insert(host.device.bill(2000), host.now_ms)


def test_a_bill_is_stacked_and_vend_valid_repeats_until_it_is_acknowledged(host: Host) -> None:
    host.bill(2000)
    assert host.wait(10) == "12"
    assert host.wait(ACCEPT_MS) == "13 65"
    assert host.wait(100) == "13 65"
    assert host.send(STACK_2) == "50"
    assert host.wait(10) == "14"
    assert host.wait(2 * STACK_MS) == "15"
    assert host.wait(60_000) == "15"
    assert host.send(ACK) == ""
    assert host.wait(10) == "16"
    assert host.wait(1_000) == "11"
    assert [paper.escrow for paper in host.device.stacker] == [b"\x65"]


def test_stack_1_says_vend_valid_at_the_lever_and_stack_2_when_the_note_is_stored(host: Host) -> None:
    for command, status in ((STACK_1, "15"), (STACK_2, "14")):
        host.bill()
        host.wait(ACCEPT_MS)
        host.send(command)
        assert host.wait(STACK_MS) == status
        host.wait(STACK_MS)
        host.send(ACK)
        assert host.wait(1_000) == "11"
    assert len(host.device.stacker) == 2


def test_every_bill_has_the_code_that_the_currency_assignment_gives_it(host: Host) -> None:
    assigned = bytes.fromhex(host.say(0x8A))[1:]
    assert assigned.hex() == "61010100 62010200 63010500 64010101 65010201 66010501 67010102".replace(" ", "")
    for at, cents in enumerate((100, 200, 500, 1000, 2000, 5000, 10000)):
        host.say(0xC0, "00 00")
        host.bill(cents)
        assert host.wait(ACCEPT_MS) == f"13 {0x61 + at:02x}"
        host.send(RETURN)
        assert host.wait(OUT_MS) == "11"
    assert len(host.device.player) == 7


def test_a_ticket_shows_its_barcode_in_escrow(host: Host) -> None:
    host.device.insert(host.device.ticket(BARCODE), host.now_ms)
    assert host.wait(ACCEPT_MS) == "13 6f " + BARCODE.encode().hex(" ")


@pytest.mark.parametrize(("code", "data"), [(0xC7, "ff"), (0xC6, "00 00")])
def test_a_ticket_is_rejected_while_barcodes_are_off(host: Host, code: int, data: str) -> None:
    host.say(code, data)
    host.device.insert(host.device.ticket(BARCODE), host.now_ms)
    assert host.wait(ACCEPT_MS) == "17 79"
    assert host.wait(OUT_MS) == "11"
    assert len(host.device.player) == 1


def test_a_disabled_denomination_and_a_torn_bill_are_rejected_with_their_reasons(host: Host) -> None:
    host.bill(200)  # the settings above disable code 62
    assert host.wait(ACCEPT_MS) == "17 79"
    host.wait(OUT_MS)
    host.device.insert(host.device.torn_bill(), host.now_ms)
    assert host.wait(ACCEPT_MS) == "17 71"
    assert host.wait(OUT_MS) == "11"
    assert len(host.device.player) == 2


def test_a_note_returns_on_command(host: Host) -> None:
    host.bill()
    host.wait(ACCEPT_MS)
    assert host.send(RETURN) == "50"
    assert host.wait(10) == "18"
    assert host.wait(OUT_MS) == "11"
    assert len(host.device.player) == 1


def test_a_note_without_an_answer_returns_after_ten_seconds(host: Host) -> None:
    host.bill()
    assert host.wait(ACCEPT_MS) == "13 65"
    assert host.wait(ESCROW_MS - 1) == "13 65"
    assert host.wait(1) == "18"


@pytest.mark.parametrize("data", ["", "ff"])
def test_a_hold_gives_the_time_again_and_leaves_every_answer_open(host: Host, data: str) -> None:
    host.bill()
    host.wait(ACCEPT_MS)
    host.wait(ESCROW_MS - 1)
    assert host.say(0x44, data) == "50"
    assert host.wait(ESCROW_MS - 1) == "19"
    assert host.send(STACK_2) == "50"
    assert host.wait(10) == "14"


def test_settings_are_repeated_and_can_be_asked_for(host: Host) -> None:
    for code, data in ((0xC0, "7f 00"), (0xC1, "01 00"), (0xC3, "01"), (0xC4, "05"), (0xC5, "02 00"), (0xC7, "fc")):
        assert host.say(code, data) == f"{code:02x} {data}"
        assert host.say(code - 0x40) == f"{code - 0x40:02x} {data}"


@pytest.mark.parametrize(
    "wire", ["00", "1f", "60", "c9", "f0 20 4a", "c3", "c0 00", "c2 01", "41", "43", "44", "49"]
)
def test_what_is_unknown_or_not_due_now_is_an_invalid_command(host: Host, wire: str) -> None:
    code, *data = wire.split(" ", 1)
    assert host.say(int(code, 16), "".join(data)) == "4b"
    assert host.send(POLL) == "11"


def test_a_note_obeys_only_in_escrow(host: Host) -> None:
    host.bill()
    for wire in (STACK_1, STACK_2, RETURN):
        assert host.send(wire) == "4b"
    assert host.wait(ACCEPT_MS) == "13 65"
    host.send(STACK_2)
    for wire in (STACK_1, STACK_2, RETURN):
        assert host.send(wire) == "4b"
    assert host.wait(2 * STACK_MS) == "15"


def test_a_packet_with_a_bad_check_code_is_ignored(host: Host) -> None:
    assert host.send("fc 05 11 27 57") == ""
    assert host.send("fc 05 40 2b 16") == ""
    assert host.wait(100) == "11"


def test_an_acknowledgement_at_another_time_changes_nothing(host: Host) -> None:
    host.bill()
    for _ in range(5):
        assert host.send(ACK) == ""
        host.wait(100)
    assert host.wait(0) == "13 65"


@pytest.mark.parametrize(
    ("cut_after_ms", "power_up", "place"),
    [
        (None, "40", "stacker"),
        (0, "41", "player"),
        (STACK_MS - 1, "41", "player"),
        (STACK_MS, "42", "stacker"),
        (2 * STACK_MS - 1, "42", "stacker"),
        (2 * STACK_MS, "42", "stacker"),
        (60_000, "42", "stacker"),
    ],
)
@pytest.mark.parametrize("options", [0, POWER_RECOVERY])
def test_power_up_says_where_the_note_is(
    host: Host, cut_after_ms: int | None, power_up: str, place: str, options: int
) -> None:
    """Before the lever a note can return. Past it, or without an acknowledgement of vend valid, it is in the
    stacker; with power recovery vend valid then comes again."""
    host.bill()
    host.wait(ACCEPT_MS)
    host.send(STACK_2)
    if cut_after_ms is None:
        host.wait(2 * STACK_MS)
        host.send(ACK)
    else:
        host.wait(cut_after_ms)
    host.device.cut_power(host.now_ms)
    assert host.wait(1_000) == ""
    host.device.power_on(host.now_ms)
    assert host.wait(0) == power_up
    host.send(RESET)
    assert host.wait(0) == "1b"
    host.set_up(options)
    again = power_up == "42" and options
    assert host.wait(INITIALIZE_MS) == ("15" if again else "11")
    if again:
        host.send(ACK)
    assert host.wait(1_000) == "11"
    assert [len(host.device.player), len(host.device.stacker)] == ([1, 0] if place == "player" else [0, 1])


def test_faults_have_their_codes_and_end_with_a_new_start(host: Host) -> None:
    for fault in (0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4A):
        host.device.break_down(Status(fault), host.now_ms)
        assert host.send(POLL) == f"{fault:02x}"
        assert not host.device.insert(host.device.bill(2000), host.now_ms)
        host.device.repair(host.now_ms)
        assert host.send(POLL) == "1b"
        host.wait(INITIALIZE_MS)
    host.device.break_down(Status.FAILURE, host.now_ms, 0xA6)
    assert host.send(POLL) == "49 a6"


def test_a_note_jams_where_it_is_and_staff_takes_it_out(host: Host) -> None:
    for wait_ms, status in ((0, "45"), (STACK_MS, "46")):
        host.bill()
        host.wait(ACCEPT_MS)
        host.send(STACK_2)
        host.wait(wait_ms)
        host.device.jam(host.now_ms)
        assert host.wait(60_000) == status
        host.device.clear_jam(host.now_ms)
        assert host.send(POLL) == "1b"
        host.set_up()
        assert host.wait(INITIALIZE_MS) == "11"
    assert (len(host.device.player), host.device.path, host.device.stacker) == (2, None, [])


def test_a_note_pulled_out_before_the_lever_is_fraud_and_past_it_nothing_moves(host: Host) -> None:
    host.bill()
    host.wait(ACCEPT_MS)
    assert not host.device.pull(host.now_ms)
    host.send(STACK_2)
    assert host.device.pull(host.now_ms)
    assert host.send(POLL) == "48"
    host.device.repair(host.now_ms)
    host.set_up()
    host.wait(INITIALIZE_MS)
    host.bill()
    host.wait(ACCEPT_MS)
    host.send(STACK_2)
    host.wait(STACK_MS)
    assert not host.device.pull(host.now_ms)
    assert host.wait(STACK_MS) == "15"


def test_a_person_can_take_a_note_back_while_it_is_read_or_returned(host: Host) -> None:
    host.bill()
    assert host.device.pull(host.now_ms)
    assert host.send(POLL) == "11"
    host.bill()
    host.wait(ACCEPT_MS)
    host.send(RETURN)
    assert host.device.pull(host.now_ms)
    assert host.send(POLL) == "11"
    assert len(host.device.player) == 2


def test_the_stacker_is_taken_with_its_notes_and_is_open_until_it_is_back(host: Host) -> None:
    host.bill()
    host.wait(ACCEPT_MS)
    host.send(STACK_2)
    host.wait(2 * STACK_MS)
    host.send(ACK)
    host.wait(1_000)
    assert len(host.device.take_stacker(host.now_ms)) == 1
    assert (host.device.stacker, host.send(POLL)) == ([], "44")
    host.device.repair(host.now_ms)
    assert host.send(POLL) == "1b"


def test_a_fault_that_began_without_power_shows_after_the_reset(host: Host) -> None:
    host.device.cut_power(host.now_ms)
    host.device.take_stacker(host.now_ms)
    host.device.power_on(host.now_ms)
    assert host.send(POLL) == "40"
    host.send(RESET)
    assert host.wait(INITIALIZE_MS) == "44"
    assert host.send(RESET) == "50"
    assert host.wait(INITIALIZE_MS) == "44"
    host.device.repair(host.now_ms)
    assert host.send(POLL) == "1b"


def kermit(data: bytes) -> bytes:
    """The check code, found with the standard library: CRC-16/KERMIT is XMODEM with every bit order reversed."""
    turned = bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)
    return int(f"{crc_hqx(turned, 0):016b}"[::-1], 2).to_bytes(2, "little")


def framed(code: str) -> bytes:
    """A packet from its code and data, made without the code under test."""
    packed = bytes.fromhex(code)
    body = bytes((0xFC, 4 + len(packed))) + packed
    return body + kermit(body)


def test_the_check_code_of_these_tests_is_the_public_one() -> None:
    assert kermit(b"123456789") == bytes.fromhex("89 21")
    assert framed("11") == bytes.fromhex("fc 05 11 27 56")
    assert framed("50") == bytes.fromhex("fc 05 50 aa 05")


CONVERSATION: list[tuple[int | str, str, str]] = [
    # A wait in ms or a paper that is inserted; the controller's code and data; the acceptor's.
    (0, "11", "40"),
    (0, "88", "88" + b"EMULATED(USA) ID003-05V001-01".hex()),
    (0, "40", "50"),
    (0, "11", "1b"),
    (50, "c3 00", "c3 00"),
    (50, "c7 00", "c7 00"),
    (50, "c6 01 12", "c6 01 12"),
    (50, "c5 00 00", "c5 00 00"),
    (50, "c4 00", "c4 00"),
    (50, "c1 00 00", "c1 00 00"),
    (50, "c0 82 00", "c0 82 00"),
    (0, "8a", "8a 61010100 62010200 63010500 64010101 65010201 66010501 67010102"),
    (200, "11", "1b"),
    (INITIALIZE_MS, "11", "11"),
    ("bill", "11", "12"),
    (ACCEPT_MS, "11", "13 65"),
    (200, "44", "50"),
    (200, "11", "19"),
    (200, "41", "50"),
    (200, "11", "14"),
    (200, "11", "15"),
    (200, "11", "15"),
    (0, "50", ""),
    (0, "11", "16"),
    (STACK_MS, "11", "11"),
    ("ticket", "11", "12"),
    (ACCEPT_MS, "11", "13 6f" + BARCODE.encode().hex()),
    (200, "42", "50"),
    (STACK_MS, "11", "14"),
    (STACK_MS, "11", "15"),
    (0, "50", ""),
    (0, "11", "16"),
    (STACK_MS, "11", "11"),
    ("bill", "11", "12"),
    (ACCEPT_MS, "11", "13 65"),
    (0, "43", "50"),
    (0, "11", "18"),
    (OUT_MS, "11", "11"),
    (0, "c3 01", "c3 01"),
    (0, "83", "83 01"),
    (0, "11", "1a"),
    (0, "41", "4b"),
]


def test_a_whole_conversation_by_its_exact_bytes() -> None:
    """Settings come in another order than in the other tests, and a status request in every phase."""
    device, now_ms = EmulatedAcceptor(), 1_000
    device.power_on(now_ms)
    for wait, sent, answered in CONVERSATION:
        if isinstance(wait, int):
            now_ms += wait
        else:
            assert device.insert(device.bill(2000) if wait == "bill" else device.ticket(BARCODE), now_ms)
        assert device.heard(framed(sent), now_ms) == (framed(answered) if answered else b""), (wait, sent)


def test_a_full_stacker_takes_no_more() -> None:
    host = Host(EmulatedAcceptor(stacker_holds=1))
    host.start()
    host.bill()
    host.wait(ACCEPT_MS)
    host.send(STACK_2)
    assert host.wait(2 * STACK_MS) == "15"
    host.send(ACK)
    assert host.wait(0) == "43"
    assert len(host.device.take_stacker(host.now_ms)) == 1
    host.device.return_stacker(host.now_ms)
    assert host.send(POLL) == "1b"


def test_a_packet_that_was_cut_with_the_wire_does_not_go_on(host: Host) -> None:
    assert host.send("fc 05 40") == ""
    host.device.wired(True, host.now_ms)
    assert host.send("2b 15") == ""
    assert host.send(POLL) == "11"
