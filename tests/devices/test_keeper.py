"""The keeper of a device: numbers, room, the server's absence, and polls that wait for nobody."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from stickman.devices.acceptor_peripheral import AcceptorMemory, AcceptorPeripheral
from stickman.devices.emulated_acceptor import EmulatedAcceptor
from stickman.devices.id003 import POLL_MS_MAX, POLL_MS_MIN, Command, Packet, Status
from stickman.devices.keeper import AWAY_MS, REPORTS_MAX, RESERVE, WINDOW, Commit, Keeper
from stickman.devices.memory import Remembered
from stickman.devices.peripheral import AnyWishes, DeviceState, Instant, Peripheral
from stickman.devices.signals import (
    AcceptorWishes,
    Alive,
    BillInEscrow,
    BillStacked,
    DeviceKind,
    FaultBegan,
    Heard,
    NoteReturned,
    ProgramReported,
    Report,
    Signal,
    StackerRemoved,
    Tell,
    TotalsReported,
    Wanted,
)
from tests.devices.device_world import ALL_BILLS, PROGRAM, DeviceWorld

BOOT = "0" * 16
POLL = Packet(Command.STATUS_REQUEST).encode()
MOVES = {Packet(code).encode() for code in (Command.ACK, Command.STACK_2, Command.RETURN, Command.RESET)}


class Puppet:
    """A peripheral that reports what it is told to."""

    kind: DeviceKind = "acceptor"
    totals = TotalsReported(tickets_in=7)
    resting = True
    again: tuple[Signal, ...] = ()

    def say_again(self) -> list[Signal]:
        return list(self.again)

    def __init__(self) -> None:
        self.memory = AcceptorMemory()
        self.state: DeviceState = {}
        self.due_ms = 10**9
        self.next: list[Signal] = []
        self.wishes: list[AnyWishes | None] = []
        self.room = self.stored = True

    def port_opened(self, now: Instant) -> None: ...

    def port_closed(self, now: Instant) -> None: ...

    def wish(self, wishes: AnyWishes | None, now: Instant) -> None:  # noqa: ARG002 - the shape has it
        self.wishes.append(wishes)

    def heard(self, data: bytes, now: Instant, *, room: bool) -> list[Signal]:  # noqa: ARG002 - the shape has it
        self.room = room
        signals, self.next = self.next, []
        return signals

    def wants(self, now: Instant, *, stored: bool) -> bytes:  # noqa: ARG002 - the shape has it
        self.stored = stored
        return b""


def at(ms: int) -> Instant:
    return Instant(ms, 1_000_000 + ms)


def begun(next_seq: int = 1) -> tuple[Puppet, Keeper]:
    """A keeper whose first report, the program's, is stored and heard."""
    puppet = Puppet()
    keeper = Keeper(puppet, PROGRAM, boot=BOOT, next_seq=next_seq)
    commit = keeper.turn(b"", at(0))
    assert commit
    assert [report.signal for report in commit.reports] == [PROGRAM]
    keeper.stored(commit)
    keeper.to_send()
    keeper.said(Heard(seq=next_seq), at(0))
    forgets = keeper.turn(b"", at(0))
    assert forgets
    keeper.stored(forgets)
    return puppet, keeper


def reported(puppet: Puppet, keeper: Keeper, *signals: Signal, now_ms: int = 0) -> Commit:
    puppet.next = list(signals)
    commit = keeper.turn(b"", at(now_ms))
    assert commit
    return commit


def test_reports_have_numbers_in_order_and_the_devices_own_time() -> None:
    puppet, keeper = begun(41)
    commit = reported(puppet, keeper, BillStacked(note=1, cents=100), BillStacked(note=2, cents=500), now_ms=9)
    assert commit.reports == (
        Report(boot=BOOT, seq=42, at_ms=1_000_009, signal=BillStacked(note=1, cents=100)),
        Report(boot=BOOT, seq=43, at_ms=1_000_009, signal=BillStacked(note=2, cents=500)),
    )
    assert commit.next_seq == 44


def test_a_report_is_sent_only_when_it_is_stored() -> None:
    puppet, keeper = begun()
    commit = reported(puppet, keeper, BillStacked(note=1, cents=100))
    assert keeper.to_send() == []
    keeper.stored(commit)
    assert keeper.to_send() == list(commit.reports)
    assert keeper.to_send() == []


def test_bytes_wait_for_every_commit_but_not_for_one_that_only_forgets() -> None:
    puppet, keeper = begun()
    first = reported(puppet, keeper, BillStacked(note=1, cents=100))
    second = reported(puppet, keeper, BillStacked(note=2, cents=100))
    for commit in (first, second):
        keeper.wants(at(1))
        assert not puppet.stored
        keeper.stored(commit)
    keeper.to_send()
    keeper.said(Heard(seq=3), at(2))
    forgets = keeper.turn(b"", at(2))
    assert forgets
    assert (forgets.reports, forgets.heard) == ((), 3)
    keeper.wants(at(2))
    assert puppet.stored


def test_a_new_connection_sends_what_is_unheard_again_in_order() -> None:
    puppet, keeper = begun()
    for note in range(1, 4):
        keeper.stored(reported(puppet, keeper, BillStacked(note=note, cents=100)))
    assert [report.seq for report in keeper.to_send()] == [2, 3, 4]
    keeper.said(Heard(seq=2), at(1))
    keeper.connected()
    assert [report.seq for report in keeper.to_send()] == [3, 4]


def test_what_was_not_sent_cannot_be_heard() -> None:
    """A server that remembers numbers of a device that lost its memory must not make it forget money."""
    puppet, keeper = begun()
    keeper.stored(reported(puppet, keeper, BillStacked(note=1, cents=100)))
    keeper.said(Heard(seq=500), at(1))
    assert [report.seq for report in keeper.to_send()] == [2]


def test_no_more_than_a_window_of_reports_is_on_its_way() -> None:
    puppet, keeper = begun()
    for note in range(1, WINDOW + 10):
        keeper.stored(reported(puppet, keeper, BillStacked(note=note, cents=100)))
    assert len(keeper.to_send()) == WINDOW
    assert keeper.to_send() == []
    keeper.said(Heard(seq=4), at(1))
    assert len(keeper.to_send()) == 3


def test_a_device_says_its_totals_when_it_is_asked() -> None:
    _, keeper = begun()
    keeper.said(Tell(what="totals"), at(1))
    keeper.said(Tell(what="totals"), at(1))
    commit = keeper.turn(b"", at(1))
    assert commit
    assert [report.signal for report in commit.reports] == [TotalsReported(tickets_in=7)]


def test_a_device_that_is_asked_for_its_program_reports_what_is_measured_then() -> None:
    _, keeper = begun()
    keeper.said(Tell(what="program"), at(1))
    assert keeper.measures_program
    assert keeper.turn(b"", at(1)) is None, "what the program was at the start is no answer"
    changed = ProgramReported(version="1", sha256="f" * 64)
    keeper.measured(changed)
    commit = keeper.turn(b"", at(2))
    assert commit
    assert [report.signal for report in commit.reports] == [changed]


def test_nothing_is_wanted_when_the_server_is_away_for_two_seconds() -> None:
    puppet, keeper = begun()
    wishes = AcceptorWishes(bills=(100,))
    keeper.said(Wanted(wishes=wishes), at(1_000))
    keeper.said(Alive(server_ms=5), at(1_500))
    assert keeper.due_ms == 1_500 + AWAY_MS
    keeper.turn(b"", at(1_500 + AWAY_MS - 1))
    assert puppet.wishes == [wishes]
    keeper.turn(b"", at(1_500 + AWAY_MS))
    assert puppet.wishes == [wishes, None]
    assert keeper.away
    keeper.said(Alive(server_ms=5), at(9_000))
    assert puppet.wishes == [wishes, None, wishes]  # over the same connection they still count
    keeper.turn(b"", at(9_000 + AWAY_MS))
    keeper.connected()
    keeper.said(Alive(server_ms=5), at(19_000))
    assert puppet.wishes == [wishes, None, wishes, None]  # over another one they come again


def test_a_device_that_stops_has_no_more_wishes() -> None:
    puppet, keeper = begun()
    keeper.stop(at(1_000))
    keeper.said(Wanted(wishes=AcceptorWishes(bills=(100,))), at(1_001))
    assert puppet.wishes == [None]


def test_without_room_all_but_money_is_put_off_and_at_the_end_nothing_is_acknowledged() -> None:
    puppet, keeper = begun()
    for note in range(1, REPORTS_MAX + 1):
        assert puppet.room
        keeper.stored(reported(puppet, keeper, BillStacked(note=note, cents=100)))
    keeper.said(Tell(what="totals"), at(1))
    keeper.turn(b"", at(1))
    assert not puppet.room
    for note in range(RESERVE):
        keeper.wants(at(1))
        assert puppet.stored
        keeper.stored(reported(puppet, keeper, BillStacked(note=note + 2_000, cents=100)))
    keeper.wants(at(1))
    assert not puppet.stored
    keeper.to_send()
    keeper.said(Heard(seq=WINDOW), at(2))
    keeper.wants(at(2))
    assert puppet.stored


def test_a_signal_that_the_kind_may_not_report_is_our_mistake() -> None:
    puppet, keeper = begun()
    puppet.kind = "doors"
    puppet.next = [BillStacked(note=1, cents=100)]
    with pytest.raises(AssertionError):
        keeper.turn(b"", at(0))


# --- Polls, the server and the disk; in simulated time ---


class SlowWorld(DeviceWorld):
    """A disk that takes its time, and a server that may be away."""

    commit_ms = 0
    is_server_there = True

    def __init__(self, folder: Path, device: EmulatedAcceptor, make: Callable[[Remembered], Peripheral]) -> None:
        self.sent: list[tuple[int, bytes]] = []
        self.early: list[bytes] = []
        """What left before all was stored."""
        super().__init__(folder, device, make)

    def _turn(self) -> None:
        data, self._answers = self._answers, b""
        if commit := self.keeper.turn(data, self.now):
            last_ms = max([self.now_ms, *(at_ms for at_ms, _ in self.to_come)])
            self.to_come.append((last_ms + self.commit_ms, lambda: self._commit(commit)))
        if wire := self.keeper.wants(self.now):
            self.sent.append((self.now_ms, wire))
            self.early += [] if self.keeper.is_stored else [wire]
            self._answers = self.device.heard(wire, self.now_ms)

    def _commit(self, commit: Commit) -> None:
        self.memory.commit([("device", commit)])
        self.keeper.stored(commit)

    def _talk(self) -> None:
        if self.is_server_there:
            super()._talk()

    def gaps(self) -> list[int]:
        polls = [at_ms for at_ms, wire in self.sent if wire == POLL]
        return [later - earlier for earlier, later in pairwise(polls)]

    def insert(self, cents: int) -> bool:
        assert isinstance(self.device, EmulatedAcceptor)
        return self.device.insert(self.device.bill(cents), self.now_ms)


@pytest.fixture
def slow(tmp_path: Path) -> SlowWorld:
    device = EmulatedAcceptor()
    device.power_on(0)
    world = SlowWorld(tmp_path, device, lambda found: AcceptorPeripheral(found.memory_as(AcceptorMemory)))
    world.ledger.wishes = AcceptorWishes(bills=ALL_BILLS, tickets=True)
    world.run(5_000)
    assert device.status == Status.IDLE
    return world


def acceptor_of(world: SlowWorld) -> EmulatedAcceptor:
    assert isinstance(world.device, EmulatedAcceptor)
    return world.device


@pytest.mark.parametrize("commit_ms", [30, 400, 3_000])
def test_polls_are_50_to_200_ms_apart_whatever_the_disk_does(slow: SlowWorld, commit_ms: int) -> None:
    slow.commit_ms = commit_ms
    for _ in range(5):
        slow.run_until(lambda: acceptor_of(slow).status == Status.IDLE)
        assert slow.insert(2000)
        slow.run(6 * commit_ms + 3_000)
    assert POLL_MS_MIN <= min(slow.gaps()) <= max(slow.gaps()) <= POLL_MS_MAX
    assert not MOVES & set(slow.early)
    assert POLL in slow.early
    assert len(acceptor_of(slow).stacker) == slow.ledger.credited()[2000] == 5


def test_with_a_dead_disk_a_note_that_was_accepted_waits_and_its_credit_is_not_lost(slow: SlowWorld) -> None:
    assert slow.insert(2000)
    slow.run_until(lambda: acceptor_of(slow).status == Status.STACKING)
    slow.commit_ms = 30_000
    slow.run(20_000)
    assert acceptor_of(slow).status == Status.VEND_VALID
    assert slow.ledger.of(BillStacked) == []
    slow.run(60_000)
    assert slow.ledger.of(BillStacked) == [BillStacked(note=1, cents=2000)]
    assert len(acceptor_of(slow).stacker) == 1


def test_polls_go_on_and_the_seat_inhibits_when_the_server_is_away_for_two_seconds(slow: SlowWorld) -> None:
    slow.is_server_there = False
    slow.run(AWAY_MS - 200)
    assert acceptor_of(slow).status == Status.IDLE
    slow.run(600)
    assert acceptor_of(slow).status == Status.INHIBITED
    slow.run(60_000)
    assert POLL_MS_MIN <= min(slow.gaps()) <= max(slow.gaps()) <= POLL_MS_MAX
    slow.is_server_there = True
    slow.run(1_000)
    assert acceptor_of(slow).status == Status.IDLE


def test_a_note_in_escrow_without_an_answer_goes_back_after_five_seconds(slow: SlowWorld) -> None:
    assert slow.insert(2000)
    slow.is_server_there = False
    slow.run(5_000)
    assert acceptor_of(slow).status == Status.HOLDING
    slow.run(1_500)
    assert len(acceptor_of(slow).player) == 1
    slow.is_server_there = True
    slow.run(1_000)
    assert slow.ledger.of(BillInEscrow, BillStacked, NoteReturned) == [
        BillInEscrow(note=1, cents=2000),
        NoteReturned(note=1, why="no_decision"),
    ]


def test_what_is_still_wished_is_said_again_once_for_each_connection_when_nothing_is_unheard() -> None:
    puppet, keeper = begun()
    puppet.again = (NoteReturned(note=1),)
    assert keeper.turn(b"", at(1)) is None, "the server has wished nothing"
    keeper.connected()
    unheard = reported(puppet, keeper, BillStacked(note=2, cents=100), now_ms=1)
    keeper.stored(unheard)
    keeper.to_send()
    keeper.said(Wanted(wishes=AcceptorWishes()), at(2))
    assert keeper.turn(b"", at(2)) is None, "the outcome may be what is unheard"
    keeper.said(Heard(seq=unheard.next_seq - 1), at(3))
    commit = keeper.turn(b"", at(3))
    assert commit
    assert [report.signal for report in commit.reports] == [NoteReturned(note=1)]
    keeper.stored(commit)
    keeper.to_send()
    keeper.said(Heard(seq=commit.next_seq - 1), at(4))
    forgets = keeper.turn(b"", at(4))
    assert forgets
    assert forgets.reports == ()
    keeper.stored(forgets)
    keeper.connected()
    keeper.said(Wanted(wishes=AcceptorWishes()), at(5))
    commit = keeper.turn(b"", at(5))
    assert commit
    assert [report.signal for report in commit.reports] == [NoteReturned(note=1)]


def test_a_program_that_starts_reports_itself_first(slow: SlowWorld) -> None:
    assert isinstance(slow.ledger.signals[0], ProgramReported)


def test_the_drop_reports_what_was_counted_since_the_last_one_also_after_a_restart(slow: SlowWorld) -> None:
    for cents in (2000, 500, 2000):
        assert slow.insert(cents)
        slow.run(3_000)
    slow.end()
    slow.run(3_000)
    acceptor_of(slow).take_stacker(slow.now_ms)
    slow.run(1_000)
    assert slow.ledger.of(StackerRemoved, FaultBegan) == [StackerRemoved(bills={500: 1, 2000: 2})]
    slow.end()
    slow.run(1_000)
    acceptor_of(slow).repair(slow.now_ms)
    slow.run(5_000)
    assert slow.insert(100)
    slow.run(3_000)
    acceptor_of(slow).take_stacker(slow.now_ms)
    slow.run(1_000)
    assert slow.ledger.of(StackerRemoved)[1:] == [StackerRemoved(bills={100: 1})]
    assert slow.keeper.peripheral.totals == TotalsReported(bills={100: 1, 500: 1, 2000: 2})
