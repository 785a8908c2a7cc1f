"""What hands do to emulated devices, and what they are answered."""

import json
import re
from pathlib import Path

import pytest

from stickman.devices import hands as vocabulary
from stickman.devices.emulated_acceptor import ACCEPT_MS, INITIALIZE_MS, OUT_MS, STACK_MS, EmulatedAcceptor
from stickman.devices.emulated_bench import TERMINAL_DOORS
from stickman.devices.emulated_doors import REMEMBERED_MAX, EmulatedDoors
from stickman.devices.emulated_printer import BOOT_MS, EmulatedPrinter
from stickman.devices.escpos import PaperFormat, PrinterSlip, SlipLine, lay_out
from stickman.devices.hands import DEEDS, HAPPENED, BadDeed, Hands, HandsClock, help_lines, read_line
from stickman.devices.id003 import Packet, Status
from stickman.devices.signals import DEVICE_KINDS, DeviceKind

NUMBER = "012345678901234567"
DOCS = Path(__file__).parent.parent.parent / "docs" / "emulators.md"
WORDS = json.loads((Path(vocabulary.__file__).with_name("hands_page_files") / "words.json").read_text("utf-8"))


class Wire:
    """A wire of which only the plug moves."""

    plugged, connected, address = True, True, "here"

    def unplug(self) -> None:
        self.plugged = False

    def plug_in(self) -> None:
        self.plugged = True


class Place:
    """One seat with all devices and a clock."""

    def __init__(self) -> None:
        self.now_ms = 10_000
        self.acceptor, self.printer, self.doors = (
            EmulatedAcceptor(),
            EmulatedPrinter(),
            EmulatedDoors(TERMINAL_DOORS),
        )
        self.hands = Hands(
            HandsClock(lambda: self.now_ms, lambda: self.now_ms + 1_700_000_000_000),
            acceptor=self.acceptor,
            printer=self.printer,
            doors=self.doors,
            plugs={kind: Wire() for kind in DEVICE_KINDS},
        )
        self.acceptor.power_on(0)

    def start(self) -> None:
        """As a host does."""
        self.say(0x40)
        for code, data in ((0xC3, b"\x00"), (0xC0, b"\x00\x00"), (0xC6, b"\x01\x12"), (0xC7, b"\x00")):
            self.say(code, data)
        self.wait(INITIALIZE_MS)

    def say(self, code: int, data: bytes = b"") -> int:
        answer = self.acceptor.heard(Packet(code, data).encode(), self.now_ms)
        return answer[2] if answer else 0

    def wait(self, ms: int) -> int:
        self.now_ms += ms
        return self.say(0x11)

    def do(self, device: str, line: str) -> str:
        kind = next(kind for kind in DEVICE_KINDS if kind == device)
        return self.hands.do(kind, *read_line(line, kind)).what

    def print_ticket(self, number: str = NUMBER) -> None:
        laid = lay_out(PrinterSlip(lines=(SlipLine("CASH OUT", "title"),), number=number), PaperFormat())
        assert laid
        self.printer.heard(laid.text + laid.end, self.now_ms)


@pytest.fixture
def place() -> Place:
    made = Place()
    made.start()
    return made


def test_a_bill_is_drawn_in_and_an_inhibited_acceptor_says_that_it_stays_in_the_hand(place: Place) -> None:
    assert place.do("acceptor", "bill 20.00") == "drawn_in"
    assert place.hands.state()["acceptor"]["path"]["cents"] == 2000
    assert place.wait(ACCEPT_MS) == 0x13
    place.say(0x43)
    place.wait(OUT_MS)
    place.say(0xC3, b"\x01")
    happened = place.hands.do("acceptor", "bill", "20.00")
    assert (happened.done, happened.what, happened.about) == (False, "not_drawn_in", "inhibited")
    assert "stays in your hand" in happened.text


@pytest.mark.parametrize("value", ["20", "20.00", "$20", "$20.00"])
def test_an_amount_is_read_as_people_write_it(place: Place, value: str) -> None:
    assert place.do("acceptor", f"bill {value}") == "drawn_in"


@pytest.mark.parametrize(
    ("device", "line", "message"),
    [
        ("acceptor", "bill 21.00", "found a bill of '21.00'; allowed: 1.00, 2.00, 5.00"),
        ("acceptor", "bill", "found a bill of ''; allowed: 1.00"),
        ("acceptor", "bill -20", "found a bill of '-20'"),
        ("acceptor", "ticket 123", "found ticket number '123'; allowed: 18 digits"),
        ("acceptor", "slip x", "found slip 'x'; allowed: 18 digits, or a position"),
        ("acceptor", "fail heart", "found failure 'heart'; allowed: stacker_motor"),
        ("acceptor", "pull hard", "found value 'hard' for 'pull'; allowed: none"),
        ("acceptor", "dance", "found 'dance'; allowed: bill, torn bill"),
        ("printer", "end paper 0", "found '0' rows; allowed: 1 to 1000"),
        ("printer", "end paper ²", "found '²' rows"),
        ("printer", f"end paper {'9' * 40}", "rows; allowed"),
        ("doors", "open sesame", "found door 'sesame'; allowed: terminal_logic, acceptor_and_printer"),
        ("doors", "open centre_unit", "found door 'centre_unit'"),
    ],
)
def test_a_bad_deed_says_what_was_found_and_what_is_allowed(
    place: Place, device: str, line: str, message: str
) -> None:
    before = place.hands.state()
    with pytest.raises(BadDeed, match=re.escape(message)):
        place.do(device, line)
    assert place.hands.state() == before


def test_a_device_that_is_not_there_is_named(place: Place) -> None:
    with pytest.raises(BadDeed, match="found device 'coffee'; allowed: acceptor, printer, doors"):
        place.hands.do("coffee", "bill")
    alone = Hands(place.hands.clock, printer=EmulatedPrinter())
    with pytest.raises(BadDeed, match="found device 'doors'; allowed: printer"):
        alone.do("doors", "key on")
    with pytest.raises(BadDeed, match="found no wire of the printer"):
        alone.do("printer", "unplug")


def test_a_slip_is_at_one_place_the_tray_the_acceptor_or_the_hand(place: Place) -> None:
    def tray() -> list[str]:
        return [slip["number"] for slip in place.hands.state()["printer"]["tray"]]

    place.print_ticket()
    place.print_ticket("1" * 18)
    assert tray() == ["1" * 18, NUMBER]
    assert place.do("acceptor", f"slip {NUMBER}") == "drawn_in"
    assert tray() == ["1" * 18]
    assert place.wait(ACCEPT_MS) == 0x13
    assert place.hands.state()["acceptor"]["path"]["number"] == NUMBER
    place.say(0x43)
    place.wait(OUT_MS)
    assert tray() == [NUMBER, "1" * 18]
    assert place.do("acceptor", "slip") == "drawn_in"
    place.wait(ACCEPT_MS)
    place.say(0x41)
    place.wait(STACK_MS)
    place.say(0x50)
    place.wait(STACK_MS)
    assert (tray(), place.hands.state()["acceptor"]["stacker"]) == (["1" * 18], 1)


def test_a_slip_that_is_not_drawn_in_stays_in_the_hand(place: Place) -> None:
    place.print_ticket()
    place.say(0xC3, b"\x01")
    assert place.do("acceptor", "slip") == "not_drawn_in"
    assert [slip["number"] for slip in place.hands.state()["printer"]["tray"]] == [NUMBER]
    assert place.do("acceptor", "slip 2") == "no_slip"


def test_a_receipt_without_a_number_is_rejected_and_comes_back(place: Place) -> None:
    place.print_ticket("")
    assert place.do("acceptor", "slip") == "drawn_in"
    assert place.wait(ACCEPT_MS) == 0x17
    place.wait(OUT_MS)
    assert len(place.hands.tray) == 1


def test_taking_a_slip_tells_its_text_and_number_and_it_can_be_thrown_away(place: Place) -> None:
    place.print_ticket()
    taken = place.hands.do("printer", "take")
    assert taken.slip
    assert (taken.slip["number"], taken.slip["text"]) == (NUMBER, "CASH OUT")
    assert place.printer.slips == []
    assert place.do("printer", "throw away") == "thrown_away"
    assert place.do("printer", "take") == "no_slip"


def test_pulling_is_answered_by_where_the_paper_is(place: Place) -> None:
    assert place.do("acceptor", "pull") == "stays_in"
    place.do("acceptor", "bill 5")
    assert place.do("acceptor", "pull") == "came_out"
    place.do("acceptor", "bill 5")
    place.wait(ACCEPT_MS)
    place.say(0x41)
    assert place.do("acceptor", "pull") == "came_out_noticed"
    assert place.wait(0) == 0x48
    assert place.do("acceptor", "repair") == "repaired"


def test_each_fault_of_the_acceptor_ends_with_its_own_deed_only(place: Place) -> None:
    for deed in ("stacker full", "jam", "fail"):
        place.do("acceptor", deed)
    assert place.wait(0) == 0x49
    assert place.do("acceptor", "repair") == "repaired"
    assert place.wait(0) == 0x45
    assert place.do("acceptor", "stacker in") == "nothing"
    assert place.do("acceptor", "clear jam") == "jam_cleared"
    assert place.wait(0) == 0x43
    assert place.do("acceptor", "stacker out") == "stacker_out"
    assert place.wait(0) == 0x44
    assert place.do("acceptor", "stacker in") == "stacker_in"
    assert place.wait(0) == 0x1B


def test_clearing_a_jam_that_is_not_there_takes_no_paper(place: Place) -> None:
    place.do("acceptor", "bill 5")
    place.wait(ACCEPT_MS)
    assert place.do("acceptor", "clear jam") == "nothing"
    assert place.wait(0) == 0x13


def test_paper_ends_in_mid_slip(place: Place) -> None:
    assert place.do("printer", "end paper 1") == "paper_will_end"
    place.print_ticket()
    state = place.hands.state()["printer"]
    assert (state["paper"], state["hanging"], state["tray"]) == ("out", 1, [])
    assert place.do("printer", "load paper") == "paper_loaded"
    assert len(place.hands.tray) == 1


def test_power_fails_in_mid_slip_and_what_hangs_out_can_be_torn_off(place: Place) -> None:
    assert place.do("printer", "fail power 1") == "power_will_fail"
    place.print_ticket()
    assert not place.printer.powered
    torn = place.hands.do("printer", "tear")
    assert torn.slip
    assert (torn.slip["text"], torn.slip["number"]) == ("CASH OUT", "")
    assert place.do("printer", "power on") == "power_on"
    place.now_ms += BOOT_MS
    place.print_ticket()
    assert [slip.texts for slip in place.hands.tray] == [["CASH OUT", ""]]


def test_every_switch_of_the_printer_changes_something_once(place: Place) -> None:
    turns = (
        "paper low",
        "paper out",
        "load paper",
        "open cover",
        "close cover",
        "jam",
        "free",
        "offline",
        "online",
    )
    for deed in (*turns, "cut power", "power on", "unplug", "plug in"):
        assert place.hands.do("printer", deed).done, deed
        again = place.hands.do("printer", deed)
        assert (again.done, again.what) == (False, "nothing"), deed


def test_doors_and_key_move_once_and_without_power_are_remembered_with_their_time(place: Place) -> None:
    place.doors.wired(True, 0)
    place.doors.wants(0)
    assert place.do("doors", "open cage_main") == "door_open"
    assert place.do("doors", "open cage_main") == "nothing"
    assert place.doors.wants(0) == f"edge door cage_main open {1_700_000_000_000 + place.now_ms}\n".encode()
    place.do("doors", "cut power")
    place.now_ms += 5_000
    moved_ms = 1_700_000_000_000 + place.now_ms
    assert place.do("doors", "close cage_main") == "door_closed"
    assert place.do("doors", "key on") == "key_on"
    assert place.doors.wants(0) == b""
    place.now_ms += 60_000
    place.do("doors", "power on")
    lines = place.doors.wants(0).decode().splitlines()
    assert lines[:2] == [f"battery door cage_main closed {moved_ms}", f"battery key on {moved_ms}"]
    assert [line.split()[0] for line in lines[2:]] == ["state"] * 5


def test_two_moves_of_one_door_never_have_the_same_time_in_memory_and_memory_has_an_end() -> None:
    doors = EmulatedDoors(TERMINAL_DOORS)
    for move in range(REMEMBERED_MAX + 10):
        assert doors.move("cage_main", move % 2 == 0, 7)
    doors.wired(True, 7)
    times = [int(line.split()[-1]) for line in doors.wants(7).splitlines() if line.startswith(b"battery")]
    assert times == list(range(7, 7 + REMEMBERED_MAX))
    assert not doors.is_open("cage_main")


@pytest.mark.parametrize("device", DEVICE_KINDS)
def test_every_deed_is_in_the_help_and_in_the_documents(device: DeviceKind) -> None:
    page = DOCS.read_text("utf-8")
    for deed, line in zip(DEEDS[device], help_lines(device), strict=True):
        typed = f"{deed.name} {deed.value}".strip()
        assert line.startswith(typed)
        row = f"| {device} | `{typed}` | {deed.does} |".replace("[NUMBER|POSITION]", "[NUMBER\\|POSITION]")
        assert row in page, row


def test_the_page_has_words_for_all_that_can_happen_in_every_language() -> None:
    script = (Path(vocabulary.__file__).with_name("hands_page_files") / "page.js").read_text("utf-8")
    used = set(re.findall(r'word\("(\w+)"', script)) | {
        f"fault.{name}" for name in re.findall(r'text: "(\w+)"', script)
    }
    states = {f"status.{name.lower()}" for name in Status.__members__} | {"status.off"}
    doors = {f"door.{name}" for name in TERMINAL_DOORS}
    for lang, words in WORDS.items():
        assert (used | states | doors) - words.keys() == set(), lang
        assert not {key for key, text in words.items() if not text.strip()}
    for lang in ("es", "zh"):
        assert {f"happened.{what}" for what in HAPPENED} - WORDS[lang].keys() == set()
        assert WORDS["en"].keys() - WORDS[lang].keys() == set()
    for what, text in HAPPENED.items():
        for lang in WORDS:
            assert ("{about}" in WORDS[lang].get(f"happened.{what}", text)) == ("{about}" in text), (what, lang)
