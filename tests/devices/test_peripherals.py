"""What each kind of device makes of its driver: signals, memory, and the state for the office."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from stickman.devices.acceptor_peripheral import LOST_MS as PORT_LOST_MS
from stickman.devices.acceptor_peripheral import AcceptorMemory, AcceptorPeripheral
from stickman.devices.contact_wire import NOTED
from stickman.devices.doors_peripheral import CLOSED_MS_MAX, MISSING_MS, DoorsMemory, DoorsPeripheral
from stickman.devices.emulated_acceptor import EmulatedAcceptor
from stickman.devices.emulated_printer import EmulatedPrinter
from stickman.devices.escpos import PrinterSlip, SlipLine
from stickman.devices.id003 import Status
from stickman.devices.peripheral import Instant, Peripheral
from stickman.devices.printer_peripheral import JOBS_KEPT, PORT_WAIT_MS, PrinterMemory, PrinterPeripheral
from stickman.devices.signals import (
    STATE_BYTES_MAX,
    AcceptorWishes,
    BillInEscrow,
    DoorMoved,
    FaultBegan,
    FaultEnded,
    KeyMoved,
    NoteReturned,
    PrinterWishes,
    PrintJob,
    Signal,
    SlipBegun,
    SlipFailed,
    SlipPrinted,
    SlipUnknown,
    StackerRemoved,
    StackerReturned,
    StateChanged,
    TotalsReported,
)
from tests.devices.device_world import ALL_BILLS, Wire

NUMBER = "012345678901234567"
WALL_MS = 1_700_000_000_000


class Bench:
    """A peripheral and an emulated device, with every turn stored at once."""

    def __init__(self, peripheral: Peripheral, device: Wire) -> None:
        self.peripheral, self.device = peripheral, device
        self.now_ms = 1_000
        self.room = True
        self._answers = b""

    @property
    def now(self) -> Instant:
        return Instant(self.now_ms, WALL_MS + self.now_ms)

    def run(self, ms: int) -> list[Signal]:
        """What is reported in this time."""
        until_ms, signals = self.now_ms + ms, []
        while self.now_ms < until_ms:
            data, self._answers = self._answers + self.device.wants(self.now_ms), b""
            signals += self.peripheral.heard(data, self.now, room=self.room)
            self._answers = self.device.heard(self.peripheral.wants(self.now, stored=True), self.now_ms)
            self.now_ms += 1 if self._answers else max(1, min(self.peripheral.due_ms - self.now_ms, 50))
        return signals


def check_state(peripheral: Peripheral) -> None:
    """The state can be sent."""
    message = msgspec.json.encode(StateChanged(state=peripheral.state))
    assert len(message) < STATE_BYTES_MAX
    msgspec.json.decode(message, type=StateChanged)


# --- Acceptor ---


@pytest.fixture
def slot() -> tuple[Bench, EmulatedAcceptor]:
    device = EmulatedAcceptor()
    device.power_on(0)
    bench = Bench(AcceptorPeripheral(), device)
    bench.peripheral.wish(AcceptorWishes(bills=ALL_BILLS, tickets=True), bench.now)
    bench.run(5_000)
    assert device.status == Status.IDLE
    return bench, device


def test_an_acceptor_takes_what_is_wished_and_nothing_while_nobody_answers(
    slot: tuple[Bench, EmulatedAcceptor],
) -> None:
    bench, device = slot
    bench.peripheral.wish(AcceptorWishes(bills=(500,)), bench.now)
    bench.run(1_000)
    assert device.insert(device.bill(2000), bench.now_ms)
    assert bench.run(2_000) == []
    assert len(device.player) == 1
    bench.peripheral.wish(None, bench.now)
    bench.run(1_000)
    assert device.status == Status.INHIBITED
    assert bench.peripheral.resting
    check_state(bench.peripheral)


def test_a_note_goes_back_on_the_tables_wish(slot: tuple[Bench, EmulatedAcceptor]) -> None:
    bench, device = slot
    device.insert(device.bill(2000), bench.now_ms)
    assert bench.run(1_000) == [BillInEscrow(note=1, cents=2000)]
    bench.peripheral.wish(AcceptorWishes(bills=ALL_BILLS, note=1, stack=False), bench.now)
    assert bench.run(2_000) == [NoteReturned(note=1, why="wish")]


def test_a_note_that_the_driver_refuses_itself_is_not_reported(slot: tuple[Bench, EmulatedAcceptor]) -> None:
    bench, device = slot
    device.insert(device.ticket("12345"), bench.now_ms)
    assert bench.run(3_000) == []
    assert len(device.player) == 1
    assert bench.peripheral.state["last"] == "note refused not_18_digits 12345"


def test_faults_begin_and_end_once_whoever_looks(slot: tuple[Bench, EmulatedAcceptor]) -> None:
    bench, device = slot
    device.break_down(Status.FAILURE, bench.now_ms, 0xA2)
    assert bench.run(500) == [FaultBegan(fault="failure", code=0xA2)]
    memory = bench.peripheral.memory
    assert isinstance(memory, AcceptorMemory)
    after = Bench(AcceptorPeripheral(memory), device)
    after.now_ms = bench.now_ms
    assert after.run(1_000) == []
    device.repair(after.now_ms)
    assert after.run(3_000) == [FaultEnded(fault="failure")]


def test_an_acceptor_that_does_not_answer_is_a_fault(slot: tuple[Bench, EmulatedAcceptor]) -> None:
    bench, device = slot
    device.cut_power(bench.now_ms)
    assert bench.run(3_000) == [FaultBegan(fault="no_answer")]
    device.power_on(bench.now_ms)
    assert bench.run(3_000) == [FaultEnded(fault="no_answer")]


def test_an_acceptor_whose_port_opens_late_is_no_fault() -> None:
    device = EmulatedAcceptor()
    bench = Bench(AcceptorPeripheral(), device)
    assert bench.run(PORT_LOST_MS - 100) == []
    bench.peripheral.port_opened(bench.now)
    device.power_on(bench.now_ms)
    assert bench.run(3_000) == []


def test_an_acceptor_whose_port_stays_closed_is_a_fault(slot: tuple[Bench, EmulatedAcceptor]) -> None:
    bench, device = slot
    bench.peripheral.port_closed(bench.now)
    device.cut_power(bench.now_ms)  # nothing comes through a closed port
    assert bench.run(PORT_LOST_MS - 100) == []
    assert bench.run(200) == [FaultBegan(fault="no_answer")]


def test_the_stacker_is_reported_as_the_drop_and_not_as_a_fault(slot: tuple[Bench, EmulatedAcceptor]) -> None:
    bench, device = slot
    device.take_stacker(bench.now_ms)
    assert bench.run(500) == [StackerRemoved()]
    device.repair(bench.now_ms)
    assert bench.run(3_000) == [StackerReturned()]


def test_without_room_faults_are_put_off_and_the_acceptor_is_inhibited(
    slot: tuple[Bench, EmulatedAcceptor],
) -> None:
    bench, device = slot
    bench.room = False
    bench.run(1_000)
    assert device.status == Status.INHIBITED
    device.break_down(Status.JAM_IN_STACKER, bench.now_ms)
    assert bench.run(1_000) == []
    bench.room = True
    assert bench.run(100) == [FaultBegan(fault="jam_in_stacker")]


def test_a_memory_of_an_acceptor_can_be_read_again(slot: tuple[Bench, EmulatedAcceptor]) -> None:
    bench, device = slot
    device.insert(device.ticket(NUMBER), bench.now_ms)
    bench.run(1_000)
    memory = bench.peripheral.memory
    assert isinstance(memory, AcceptorMemory)
    assert memory.kept.note
    assert msgspec.json.decode(msgspec.json.encode(memory), type=AcceptorMemory) == memory


# --- Printer ---


def wish(job: str = NUMBER, number: str = NUMBER, text: str = "CASHOUT") -> PrinterWishes:
    return PrinterWishes(print=PrintJob(job=job, slip=PrinterSlip(lines=(SlipLine(text),), number=number)))


@pytest.fixture
def printing() -> tuple[Bench, EmulatedPrinter]:
    device = EmulatedPrinter()
    bench = Bench(PrinterPeripheral(), device)
    bench.peripheral.port_opened(bench.now)
    bench.run(2_000)
    return bench, device


def papers(device: EmulatedPrinter) -> list[str]:
    return [number for slip in device.slips for number in slip.numbers]


def test_a_job_is_printed_once_however_often_it_is_wished(printing: tuple[Bench, EmulatedPrinter]) -> None:
    bench, device = printing
    signals = []
    for _ in range(5):
        bench.peripheral.wish(wish(), bench.now)
        signals += bench.run(1_000)
    assert signals == [SlipBegun(job=NUMBER), SlipPrinted(job=NUMBER)]
    assert papers(device) == [NUMBER]
    assert bench.peripheral.totals == TotalsReported(slips=1)
    check_state(bench.peripheral)


@pytest.mark.parametrize(("stage", "outcome"), [("begun", SlipFailed), ("barcode", SlipUnknown)])
def test_ruling_57_a_job_that_was_cut_short_failed_only_if_its_barcode_was_not_sent(
    stage: str, outcome: type[SlipFailed | SlipUnknown]
) -> None:
    memory = msgspec.convert({"job": NUMBER, "stage": stage}, PrinterMemory)
    bench = Bench(PrinterPeripheral(memory), EmulatedPrinter())
    bench.peripheral.wish(wish(), bench.now)
    bench.peripheral.port_opened(bench.now)
    assert bench.run(3_000) == [outcome(job=NUMBER, why="restart")]
    assert bench.peripheral.resting


def test_the_stage_of_a_job_is_in_the_memory_before_its_bytes_leave() -> None:
    device = EmulatedPrinter()
    peripheral = PrinterPeripheral()
    bench = Bench(peripheral, device)
    peripheral.port_opened(bench.now)
    bench.run(2_000)
    peripheral.wish(wish(), bench.now)
    stages, answers = [], b""
    while not peripheral.memory.done:
        peripheral.heard(answers, bench.now, room=True)
        assert peripheral.wants(bench.now, stored=False) == b""
        stages.append(peripheral.memory.stage)
        wire = peripheral.wants(bench.now, stored=True)
        assert NUMBER.encode() not in wire or peripheral.memory.stage == "barcode"
        assert b"CASHOUT" not in wire or peripheral.memory.job == NUMBER
        answers = device.heard(wire, bench.now_ms)
        bench.now_ms += 1
    assert set(stages) == {"begun", "barcode"}


def test_a_job_waits_a_little_for_a_port_that_is_not_open() -> None:
    device = EmulatedPrinter()
    bench = Bench(PrinterPeripheral(), device)
    bench.peripheral.wish(wish(), bench.now)
    assert bench.run(PORT_WAIT_MS - 1_000) == [FaultBegan(fault="no_answer")]
    bench.peripheral.port_opened(bench.now)
    assert bench.run(3_000) == [
        SlipBegun(job=NUMBER),
        FaultEnded(fault="no_answer"),
        SlipPrinted(job=NUMBER),
    ]


def test_a_job_fails_if_the_port_stays_closed() -> None:
    bench = Bench(PrinterPeripheral(), EmulatedPrinter())
    bench.peripheral.wish(wish(), bench.now)
    assert bench.run(PORT_WAIT_MS + 200)[1:] == [SlipBegun(job=NUMBER), SlipFailed(job=NUMBER, why="no_link")]


def test_a_port_that_closes_behind_the_barcode_leaves_a_job_unknown(
    printing: tuple[Bench, EmulatedPrinter],
) -> None:
    bench, _ = printing
    bench.peripheral.wish(wish(), bench.now)
    signals: Sequence[Signal] = []
    peripheral = bench.peripheral
    assert isinstance(peripheral, PrinterPeripheral)
    while peripheral.memory.stage != "barcode":
        assert not peripheral.memory.done
        signals = [*signals, *bench.run(1)]
    peripheral.port_closed(bench.now)
    assert [*signals, *bench.run(4_000)] == [
        SlipBegun(job=NUMBER),
        SlipUnknown(job=NUMBER, why="no_link"),
        FaultBegan(fault="no_answer"),
    ]


def test_paper_that_is_out_is_a_fault_and_fails_a_job(printing: tuple[Bench, EmulatedPrinter]) -> None:
    bench, device = printing
    device.remove_paper()
    assert bench.run(2_000) == [FaultBegan(fault="paper_out")]
    bench.peripheral.wish(wish(), bench.now)
    assert bench.run(1_000) == [SlipBegun(job=NUMBER), SlipFailed(job=NUMBER, why="paper_out")]
    device.load_paper()
    assert bench.run(2_000) == [FaultEnded(fault="paper_out")]


def test_without_room_no_job_begins_but_one_under_way_has_its_outcome(
    printing: tuple[Bench, EmulatedPrinter],
) -> None:
    bench, device = printing
    bench.room = False
    bench.peripheral.wish(wish(), bench.now)
    assert bench.run(2_000) == []
    bench.room = True
    signals = bench.run(1)
    bench.room = False
    assert signals + bench.run(2_000) == [SlipBegun(job=NUMBER), SlipPrinted(job=NUMBER)]
    assert papers(device) == [NUMBER]


def test_the_outcome_of_a_job_that_is_still_wished_can_be_said_again(
    printing: tuple[Bench, EmulatedPrinter],
) -> None:
    """As when the floor's journal was restored from an older copy: the slip exists, and is not printed again."""
    bench, device = printing
    bench.peripheral.wish(wish(), bench.now)
    bench.run(1_000)
    memory = bench.peripheral.memory
    kept = msgspec.json.decode(msgspec.json.encode(memory), type=PrinterMemory)
    assert kept == memory
    again = PrinterPeripheral(kept)
    assert again.say_again() == [], "nothing is wished"
    again.wish(wish(job="1"), bench.now)
    assert again.say_again() == [], "it is not printed yet"
    again.wish(wish(), bench.now)
    assert again.say_again() == [SlipPrinted(job=NUMBER)]
    assert papers(device) == [NUMBER]


def test_a_memory_that_has_only_the_names_of_jobs_prints_none_of_them_again() -> None:
    memory = msgspec.json.decode(msgspec.json.encode({"done": [NUMBER]}), type=PrinterMemory)
    bench = Bench(PrinterPeripheral(memory), EmulatedPrinter())
    bench.peripheral.port_opened(bench.now)
    bench.peripheral.wish(wish(), bench.now)
    assert bench.run(3_000) == []
    assert bench.peripheral.say_again() == []


def test_the_memory_keeps_a_bounded_number_of_jobs(printing: tuple[Bench, EmulatedPrinter]) -> None:
    bench, _ = printing
    for number in range(JOBS_KEPT + 3):
        bench.peripheral.wish(wish(job=f"j{number}", number="123"), bench.now)  # cannot be printed
        bench.run(1)
    memory = bench.peripheral.memory
    assert isinstance(memory, PrinterMemory)
    assert [each if isinstance(each, str) else each.job for each in memory.done] == [
        f"j{number}" for number in range(3, JOBS_KEPT + 3)
    ]


# --- Doors and key ---


def doors(memory: DoorsMemory | None = None) -> DoorsPeripheral:
    return DoorsPeripheral(("cage_main", "cage_security", "key"), memory)


def at(ms: int) -> Instant:
    return Instant(ms, WALL_MS + ms)


def slips_after(memory: msgspec.Struct) -> list[list[str]]:
    """What comes out when the next job is printed with this memory."""
    device = EmulatedPrinter()
    bench = Bench(PrinterPeripheral(msgspec.json.decode(msgspec.json.encode(memory), type=PrinterMemory)), device)
    bench.peripheral.port_opened(bench.now)
    bench.peripheral.wish(wish("next"), bench.now)
    assert SlipPrinted(job="next") in bench.run(5_000)
    return [slip.numbers for slip in device.slips]


def test_only_a_slip_that_may_hang_out_without_its_end_is_ended_as_void(
    printing: tuple[Bench, EmulatedPrinter],
) -> None:
    bench, device = printing
    bench.peripheral.wish(wish(), bench.now)
    bench.run(3_000)
    assert papers(device) == [NUMBER]
    assert slips_after(bench.peripheral.memory) == [[NUMBER]], "the last slip is whole"
    device.end_paper_after(1)
    bench.peripheral.wish(wish("torn"), bench.now)
    assert any(isinstance(signal, SlipFailed) for signal in bench.run(10_000))
    assert slips_after(bench.peripheral.memory) == [[], [NUMBER]], "the last one failed"
    assert slips_after(PrinterMemory(job="cut short")) == [[], [NUMBER]]


GREETING = (
    f"state door cage_main closed {WALL_MS}\nstate door cage_security closed {WALL_MS}\nstate key off {WALL_MS}\n"
).encode()


def greeted(memory: DoorsMemory | None = None) -> tuple[DoorsPeripheral, list[Signal]]:
    peripheral = doors(memory)
    peripheral.heard(b"", at(0), room=True)
    peripheral.port_opened(at(10))
    return peripheral, peripheral.heard(GREETING, at(20), room=True)


def test_what_is_found_at_the_start_is_reported_only_if_it_differs_from_what_was_reported() -> None:
    peripheral, signals = greeted()
    assert signals == [
        DoorMoved(door="cage_main", open=False, moved_ms=WALL_MS + 20, how="start"),
        DoorMoved(door="cage_security", open=False, moved_ms=WALL_MS + 20, how="start"),
        KeyMoved(on=False, moved_ms=WALL_MS + 20, how="start"),
    ]
    stored = msgspec.json.decode(msgspec.json.encode(peripheral.memory), type=DoorsMemory)
    assert stored == peripheral.memory
    again, signals = greeted(stored)
    assert signals == []
    check_state(again)


def test_a_live_movement_has_the_wall_clocks_time_of_its_first_edge() -> None:
    peripheral, _ = greeted()
    line = f"edge door cage_main open {WALL_MS + 990}\n".encode()
    assert peripheral.heard(line, at(1_000), room=True) == []
    assert peripheral.due_ms == 1_010
    assert peripheral.heard(b"", at(1_010), room=True) == [
        DoorMoved(door="cage_main", open=True, moved_ms=WALL_MS + 990)
    ]


@pytest.mark.parametrize("ahead_ms", [-3_600_000, 3_600_000])
def test_a_wrong_clock_at_the_other_end_delays_nothing(ahead_ms: int) -> None:
    peripheral, _ = greeted()
    line = f"edge key on {WALL_MS + 1_000 + ahead_ms}\n".encode()
    signals = peripheral.heard(line, at(1_000), room=True) + peripheral.heard(b"", at(1_030), room=True)
    assert signals == [KeyMoved(on=True, moved_ms=WALL_MS + 1_000 + min(0, ahead_ms))]


def test_a_clock_that_is_behind_at_the_other_end_does_not_let_a_bounce_through() -> None:
    peripheral, _ = greeted()
    signals = []
    for ms, state in ((1_000, "open"), (1_005, "closed"), (1_010, "open"), (1_015, "closed"), (1_020, "open")):
        line = f"edge door cage_main {state} {WALL_MS + ms - 3_600_000}\n".encode()
        signals += peripheral.heard(line, at(ms), room=True)
    signals += peripheral.heard(b"", at(1_040), room=True)
    assert signals == [DoorMoved(door="cage_main", open=True, moved_ms=WALL_MS + 1_000 - 3_600_000)]


def test_movements_that_come_late_together_are_all_reported_with_their_own_times() -> None:
    peripheral, _ = greeted()
    lines = f"edge door cage_main open {WALL_MS + 1_000}\nedge door cage_main closed {WALL_MS + 2_000}\n".encode()
    signals = peripheral.heard(lines, at(5_000), room=True) + peripheral.heard(b"", at(5_020), room=True)
    assert signals == [
        DoorMoved(door="cage_main", open=True, moved_ms=WALL_MS + 1_000),
        DoorMoved(door="cage_main", open=False, moved_ms=WALL_MS + 2_000),
    ]


def test_ruling_43_battery_backed_changes_come_first_with_their_own_time_and_once() -> None:
    peripheral = doors()
    peripheral.heard(b"", at(0), room=True)
    peripheral.port_opened(at(10))
    battery = b"battery door cage_main open 500\nbattery door cage_main closed 900\nbattery key on 700\n"
    signals = peripheral.heard(battery + GREETING, at(20), room=True)
    assert signals[:3] == [
        DoorMoved(door="cage_main", open=True, moved_ms=500, how="battery"),
        KeyMoved(on=True, moved_ms=700, how="battery"),
        DoorMoved(door="cage_main", open=False, moved_ms=900, how="battery"),
    ]
    assert peripheral.wants(at(20), stored=False) == b""
    assert peripheral.wants(at(20), stored=True) == NOTED
    assert peripheral.wants(at(20), stored=True) == b""
    again, _ = greeted(peripheral.memory)
    assert again.heard(battery, at(30), room=True) == []
    assert again.wants(at(30), stored=True) == NOTED


def test_a_contact_that_nobody_mentions_counts_as_open() -> None:
    peripheral = doors()
    peripheral.port_opened(at(0))
    peripheral.heard(f"state key off {WALL_MS}\n".encode(), at(10), room=True)
    assert peripheral.due_ms == MISSING_MS
    signals = peripheral.heard(b"", at(MISSING_MS), room=True)
    assert [(s.door, s.open) for s in signals if isinstance(s, DoorMoved)] == [
        ("cage_main", True),
        ("cage_security", True),
    ]


def test_a_port_that_stays_closed_is_a_fault_and_what_moved_meanwhile_is_reported() -> None:
    peripheral, _ = greeted()
    peripheral.port_closed(at(1_000))
    assert peripheral.heard(b"", at(1_000 + CLOSED_MS_MAX - 1), room=True) == []
    assert peripheral.due_ms == 1_000 + CLOSED_MS_MAX
    seen_ms = WALL_MS + 1_000 + CLOSED_MS_MAX
    assert peripheral.heard(b"", at(1_000 + CLOSED_MS_MAX), room=True) == [
        *(
            DoorMoved(door=door, open=True, moved_ms=seen_ms, how="start")
            for door in ("cage_main", "cage_security")
        ),
        FaultBegan(fault="no_answer"),
    ]
    peripheral.port_opened(at(9_000))
    moved = GREETING.replace(b"cage_main closed", b"cage_main open")
    assert peripheral.heard(moved, at(9_010), room=True) == [
        DoorMoved(door="cage_security", open=False, moved_ms=WALL_MS + 9_010, how="start"),
        FaultEnded(fault="no_answer"),
    ]


@pytest.mark.parametrize("opens", [True, False])
def test_doors_that_cannot_be_read_count_as_open_and_a_key_as_off(opens: bool) -> None:
    """Whether the port stays closed, or opens and closes again and nothing comes from it."""
    peripheral, _ = greeted()
    peripheral.heard(f"edge key on {WALL_MS + 500}\n".encode(), at(500), room=True)
    assert KeyMoved(on=True, moved_ms=WALL_MS + 500) in peripheral.heard(b"", at(1_000), room=True)
    signals: list[Signal] = []
    for ms in range(2_000, 2_000 + CLOSED_MS_MAX + 1, 100):
        peripheral.port_closed(at(ms))
        if opens:
            peripheral.port_opened(at(ms + 10))
        signals += peripheral.heard(b"", at(ms + 20), room=True)
    signals += peripheral.heard(b"", at(2_000 + CLOSED_MS_MAX + 100), room=True)
    doors_open = {each.door for each in signals if isinstance(each, DoorMoved) and each.open}
    assert doors_open == {"cage_main", "cage_security"}
    assert [each.on for each in signals if isinstance(each, KeyMoved)] == [False]
    assert signals[-1] == FaultBegan(fault="no_answer")


def test_a_contact_without_rest_is_a_fault() -> None:
    peripheral, _ = greeted()
    signals = []
    for ms in range(1_000, 1_600, 5):
        state = "open" if ms % 10 else "closed"
        signals += peripheral.heard(f"edge door cage_main {state} {WALL_MS + ms}\n".encode(), at(ms), room=True)
    assert signals == [
        DoorMoved(door="cage_main", open=True, moved_ms=WALL_MS + 1_005),
        FaultBegan(fault="unsteady cage_main"),
    ]
    assert FaultEnded(fault="unsteady cage_main") in peripheral.heard(b"", at(2_000), room=True)


def test_without_room_movements_are_put_off_and_then_reported_as_they_are() -> None:
    peripheral, _ = greeted()
    line = f"edge door cage_main open {WALL_MS + 990}\n".encode()
    peripheral.heard(line, at(1_000), room=False)
    assert peripheral.heard(b"", at(1_100), room=False) == []
    assert peripheral.heard(b"", at(1_200), room=True) == [
        DoorMoved(door="cage_main", open=True, moved_ms=WALL_MS + 1_200, how="start")
    ]


def test_lines_that_mean_nothing_are_counted_and_skipped() -> None:
    peripheral, _ = greeted()
    noise = b"edge door window open 5\nhello\n\xff\xfe\n" + b"x" * 5_000 + b"\n"
    edge = f"edge key on {WALL_MS + 1_000}\n".encode()
    signals = peripheral.heard(noise + edge, at(1_000), room=True) + peripheral.heard(b"", at(1_100), room=True)
    assert signals == [KeyMoved(on=True, moved_ms=WALL_MS + 1_000)]
    assert peripheral.state["bad lines"] == 3
