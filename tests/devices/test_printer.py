"""The driver of the printer: byte vectors, then the emulated printer with every fault at every byte."""

from __future__ import annotations

import os
from collections.abc import Callable
from copy import deepcopy
from functools import cache, partial
from itertools import cycle, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stickman.devices import escpos
from stickman.devices.emulated_printer import BOOT_MS, EmulatedPrinter, PaperSlip
from stickman.devices.escpos import PrinterSlip, SlipLine
from stickman.devices.printer import (
    ANSWER_MS,
    IDLE_MS,
    QUIET_MS,
    SILENCE_MS,
    Outcome,
    Printer,
    PrinterChanged,
    PrinterReport,
    Setup,
    SlipPresented,
    SlipTaken,
)
from stickman.devices.signals import SlipFailed, SlipPrinted, SlipUnknown

FIRST, SECOND, THIRD = "012345678901234567", "998877665544332211", "112233445566778899"
PROCESS_ID, STATUS = Setup(), Setup(proof="status")


def ticket(number: str) -> PrinterSlip:
    return PrinterSlip(lines=(SlipLine("TIP", "title"), SlipLine("SEAT", "pair", "3")), number=number)


class Bench:
    """A driver and an emulated printer with a wire between them, which can be disturbed at any byte."""

    def __init__(
        self, setup: Setup = PROCESS_ID, printer: EmulatedPrinter | None = None, *, torn: bool = False
    ) -> None:
        self.driver = Printer(setup, torn=torn)
        self.printer = printer or EmulatedPrinter(
            presenter=setup.presenter, process_ids=setup.proof == "process_id"
        )
        self.now_ms = 10_000
        self.reports: list[PrinterReport] = []
        self.sent = self.answered = 0
        """Bytes to the printer and from it."""
        self.to_printer = self.from_printer = True
        """Whether the wire is whole in each direction."""
        self.at_sent: dict[int, Callable[[], None]] = {}
        self.at_answered: dict[int, Callable[[], None]] = {}

    def step(self) -> None:
        """All that the driver wants to write now, and all answers."""
        data = self.driver.wants(self.now_ms)
        while data:
            size = min((at - self.sent for at in self.at_sent if at > self.sent), default=len(data))
            piece, data = data[:size], data[size:]
            self.sent += len(piece)
            self._hear(self.printer.heard(piece, self.now_ms) if self.to_printer else b"")
            self.at_sent.pop(self.sent, lambda: None)()
        self._hear(self.printer.wants(self.now_ms))
        self.reports += self.driver.heard(b"", self.now_ms)

    def _hear(self, answers: bytes) -> None:
        for byte in answers:
            if self.from_printer:
                self.reports += self.driver.heard(bytes((byte,)), self.now_ms)
            self.answered += 1
            self.at_answered.pop(self.answered, lambda: None)()
            if not self.printer.powered:
                return

    def run(self, ms: int) -> None:
        end_ms = self.now_ms + ms
        while self.now_ms < end_ms:
            self.step()
            self.now_ms = min(end_ms, max(self.now_ms + 1, self.driver.due_ms))

    def job(self, number: str, name: str = "job") -> Outcome:
        """Print a ticket; exactly one outcome comes within a minute."""
        before = len(self.outcomes)
        self.driver.print_ticket(name, ticket(number), self.now_ms)
        end_ms = self.now_ms + 60_000
        while len(self.outcomes) == before and self.now_ms < end_ms:
            self.step()
            self.now_ms = max(self.now_ms + 1, min(end_ms, self.driver.due_ms))
        (outcome,) = self.outcomes[before:]
        assert outcome.job == name
        return outcome

    @property
    def outcomes(self) -> list[Outcome]:
        return [report for report in self.reports if isinstance(report, SlipPrinted | SlipFailed | SlipUnknown)]

    def repair(self) -> None:
        """All that a person can put right."""
        self.to_printer = self.from_printer = True
        self.at_sent, self.at_answered = {}, {}
        self.printer.free()
        self.printer.close_cover()
        self.printer.load_paper()
        self.printer.go_online()
        if not self.printer.powered:
            self.printer.power_on(self.now_ms)
        self.driver.link_up(self.now_ms)
        self.run(max(1_500, self.printer._ready_ms + 1_500 - self.now_ms))


def ready(setup: Setup, *, used: bool) -> Bench:
    """A bench whose printer has printed before, or one that has just started."""
    return deepcopy(prepared(setup, used))


@cache
def prepared(setup: Setup, used: bool) -> Bench:
    bench = Bench(setup)
    if used:
        assert bench.job("1" * 18, "before") == SlipPrinted(job="before")
    bench.reports = []
    bench.sent = bench.answered = 0
    return bench


@cache
def clean(number: str, setup: Setup, used: bool = False) -> tuple[PaperSlip, int, int]:
    """The slip of a job to which nothing happens, and how many bytes it takes in each direction."""
    bench = ready(setup, used=used)
    assert bench.job(number) == SlipPrinted(job="job")
    return bench.printer.slips[-1], bench.sent, bench.answered


def judge(bench: Bench, outcome: Outcome) -> None:
    """What holds whatever happened: the outcome agrees with the paper, for ever, and the next ticket is its own."""

    def exists() -> bool:
        return any(FIRST in slip.numbers for slip in bench.printer.slips)

    if isinstance(outcome, SlipPrinted):
        assert exists()
    bench.repair()
    assert bench.job(SECOND, "next") == SlipPrinted(job="next")
    bench.run(1_500)
    assert len(bench.outcomes) == 2
    if isinstance(outcome, SlipFailed):
        assert not exists()
    expected, _, _ = clean(SECOND, bench.driver.setup)
    assert all(len(slip.numbers) <= 1 for slip in bench.printer.slips)
    assert [slip for slip in bench.printer.slips if SECOND in slip.numbers] == [expected]
    assert sum(FIRST in slip.numbers for slip in bench.printer.slips) <= 1
    assert bench.printer.hanging == []


# --- Bytes ---


@pytest.mark.parametrize("torn", [False, True])
def test_status_before_then_words_then_status_again_then_barcode_and_cut(torn: bool) -> None:
    """The whole talk of a job, written out from the command references. A torn slip is first ended as void."""
    driver = Printer(torn=torn)
    talk = []
    driver.print_ticket("a", PrinterSlip(lines=(SlipLine("A"),), number=FIRST), 0)
    healthy = [("100401", "12"), ("100402", "12"), ("100403", "12"), ("100404", "12")]
    clear = [("10140801031401060208", "372500")]
    void = "1b40 1b6101" + b"* * *  VOID  * * *\n".hex() + "1d564200" if torn else ""
    text = "1b40 1d6100 1c2e 1b7410 1b6101 1d2100 1b4500 41 0a 1d2100 1b4500"
    words = [(void + text + "1d2848 0600 3030 30303031", "37 22 30303031 00")]
    bars = "1b6101 1d7703 1d6864 1d6600 1d4802 1d6b4612" + FIRST.encode().hex() + "0a 1d564200"
    barcode = [(bars + "1d2848 0600 3030 30303032", "37 22 30303032 00")]
    now_ms = 0
    for writes, answers in [*healthy, *clear, *words, *healthy, *barcode]:
        wanted = driver.wants(now_ms)
        question = b"" if len(writes) == 6 else bytes.fromhex("100401") if wanted[-3:-2] == b"\x10" else b""
        assert wanted == bytes.fromhex(writes) + question
        now_ms += 5
        talk += driver.heard(bytes.fromhex(answers) if not question else bytes.fromhex("12" + answers), now_ms)
    assert talk == [PrinterChanged((), False), SlipPrinted(job="a")]


def test_the_second_ticket_needs_no_clearing() -> None:
    bench = Bench()
    assert bench.job(FIRST) == SlipPrinted(job="job")
    assert bench.job(SECOND) == SlipPrinted(job="job")
    assert [slip.numbers for slip in bench.printer.slips] == [[FIRST], [SECOND]]
    assert bench.driver.state.printed == 2


def test_a_start_or_a_lost_link_between_two_jobs_wastes_no_paper() -> None:
    bench = Bench()
    assert bench.job(FIRST) == SlipPrinted(job="job")
    bench.driver.link_lost(bench.now_ms)
    bench.driver.link_up(bench.now_ms)
    assert bench.job(SECOND) == SlipPrinted(job="job")
    again = Bench(printer=bench.printer, torn=bench.driver.torn)
    assert again.job(THIRD) == SlipPrinted(job="job")
    assert [slip.numbers for slip in bench.printer.slips] == [[FIRST], [SECOND], [THIRD]]


@pytest.mark.parametrize("setup", [PROCESS_ID, STATUS], ids=["process_id", "status"])
@pytest.mark.parametrize(
    ("hands", "why"),
    [
        (EmulatedPrinter.remove_paper, "paper_out"),
        (EmulatedPrinter.open_cover, "cover_open"),
        (EmulatedPrinter.go_offline, "offline"),
        (EmulatedPrinter.cut_power, "no_answer"),
    ],
)
def test_what_stops_the_printer_is_found_before_a_byte_of_the_ticket_is_sent(
    setup: Setup, hands: Callable[[EmulatedPrinter], None], why: str
) -> None:
    bench = Bench(setup)
    hands(bench.printer)
    written = bytearray()
    hear = bench.printer.heard

    def spy(data: bytes, now_ms: int) -> bytes:
        written.extend(data)
        return hear(data, now_ms)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench.printer, "heard", spy)
        outcome = bench.job(FIRST)
    assert isinstance(outcome, SlipFailed)
    assert outcome.why == why
    assert written.replace(b"\x10\x04", b"").strip(b"\x01\x02\x03\x04") == b""
    assert bench.printer.hanging == []
    judge(bench, outcome)


def test_a_second_wish_at_the_same_time_fails_as_busy() -> None:
    bench = Bench()
    bench.driver.print_ticket("one", ticket(FIRST), bench.now_ms)
    bench.driver.print_ticket("two", ticket(SECOND), bench.now_ms)
    bench.run(5_000)
    assert bench.outcomes == [SlipFailed(job="two", why="busy"), SlipPrinted(job="one")]


def test_a_slip_that_cannot_be_printed_fails() -> None:
    bench = Bench()
    bench.driver.print_ticket("one", PrinterSlip(lines=(SlipLine("票"),), number=FIRST), bench.now_ms)
    bench.driver.print_ticket("two", ticket("123"), bench.now_ms)
    bench.run(10)
    assert bench.outcomes == [SlipFailed(job="one", why="unprintable"), SlipFailed(job="two", why="unprintable")]


def test_a_receipt_without_a_number_is_printed() -> None:
    bench = Bench()
    bench.driver.print_ticket("one", PrinterSlip(lines=(SlipLine("HAND PAY RECEIPT", "title"),)), bench.now_ms)
    bench.run(5_000)
    assert bench.outcomes == [SlipPrinted(job="one")]
    assert bench.printer.slips[-1].texts == ["HAND PAY RECEIPT"]


def test_paper_that_runs_low_is_reported_and_does_not_stop() -> None:
    bench = Bench()
    bench.printer.set_paper_low()
    assert bench.job(FIRST) == SlipPrinted(job="job")
    assert PrinterChanged((), True) in bench.reports
    assert bench.driver.state.paper_low


def test_an_idle_printer_is_watched_and_each_change_is_reported_once() -> None:
    bench = Bench()
    bench.run(IDLE_MS)
    bench.printer.open_cover()
    bench.run(3 * IDLE_MS)
    bench.printer.close_cover()
    bench.run(3 * IDLE_MS)
    bench.printer.cut_power()
    bench.run(10 * ANSWER_MS)
    bench.printer.power_on(bench.now_ms)
    bench.run(BOOT_MS + 3_000)
    assert bench.reports == [
        PrinterChanged((), False),
        PrinterChanged(("cover_open",), False),
        PrinterChanged((), False),
        PrinterChanged(("no_answer",), False),
        PrinterChanged((), False),
    ]


def test_a_presenter_reports_the_slip_that_waits_and_that_it_was_taken() -> None:
    bench = Bench(Setup(presenter=True))
    assert bench.job(FIRST) == SlipPrinted(job="job")
    bench.run(2 * IDLE_MS)
    waiting = [bench.driver.state.slip_waiting]
    bench.printer.take_slip()
    bench.run(2 * IDLE_MS)
    waiting.append(bench.driver.state.slip_waiting)
    assert waiting == [True, False]
    assert [report for report in bench.reports if isinstance(report, SlipPresented | SlipTaken)] == [
        SlipPresented(),
        SlipTaken(),
    ]


def test_a_slow_wire_gets_the_time_that_its_bytes_need() -> None:
    """A picture of 30,000 bytes takes 34 seconds at 9600 baud, longer than any single answer may take."""
    driver = Printer(Setup(baud=9600))
    picture = escpos.RasterPicture(50, bytes(30_000))
    driver.print_ticket("a", PrinterSlip(lines=(SlipLine("票", picture=picture),)), 0)
    now_ms, reports = 0, []
    while not (data := driver.wants(now_ms)).startswith(b"\x10\x14"):
        now_ms = max(now_ms + 1, driver.due_ms)
        reports += driver.heard(b"\x12" if data else b"", now_ms)
    reports += driver.heard(bytes.fromhex("372500"), now_ms)
    assert len(driver.wants(now_ms)) > 30_000
    assert driver.due_ms >= now_ms + 34_000
    reports += driver.heard(b"", now_ms + 34_000)
    assert reports == [PrinterChanged((), False)]


def test_a_printer_that_starts_again_behind_the_barcode_cannot_be_known() -> None:
    assert BOOT_MS > SILENCE_MS
    bench = Bench()
    _, sent, _ = clean(FIRST, PROCESS_ID)
    bench.at_sent[sent - 20] = lambda: power_off_and_on(bench)
    assert bench.job(FIRST) == SlipUnknown(job="job", why="no_answer")


# --- Answers that must not be taken for others ---


class Desk:
    """A printer played by hand: healthy, and each other answer is chosen."""

    def __init__(self, setup: Setup) -> None:
        self.driver = Printer(setup, torn=True)
        self.now_ms = 0
        self.driver.print_ticket("a", PrinterSlip(lines=(SlipLine("A"),), number=FIRST), 0)

    def next_write(self) -> bytes:
        """What the driver writes next that is not only a question for a status."""
        for _ in range(50):
            data = self.driver.wants(self.now_ms)
            if data.replace(b"\x10\x04", b"").strip(b"\x01\x02\x03\x04"):
                return data
            self.say("12" if data else "")
            self.now_ms = max(self.now_ms + 1, self.driver.due_ms)
        return b""

    def say(self, octets: str) -> list[PrinterReport]:
        return self.driver.heard(bytes.fromhex(octets), self.now_ms)


def desk_at_the_barcode() -> Desk:
    desk = Desk(PROCESS_ID)
    assert desk.next_write().startswith(escpos.CLEAR)
    desk.say("372500")
    assert b"0001" in desk.next_write()
    desk.say("37 22 30303031 00")
    assert b"0002" in desk.next_write()
    return desk


def test_a_process_id_of_another_job_proves_nothing() -> None:
    desk = Desk(PROCESS_ID)
    desk.next_write()
    desk.say("372500")
    assert desk.next_write().startswith(escpos.VOID)
    assert desk.say("37 22 30303032 00 37 22 5a5a5a5a 00") == []
    assert desk.driver.state.doing == "words"


def test_a_ticket_that_takes_the_last_paper_is_printed_if_the_printer_says_so() -> None:
    desk = desk_at_the_barcode()
    for answer in ("1a", "32", "12", "7e"):
        desk.say(answer)
        assert desk.driver.wants(desk.now_ms) in (escpos.CLEAR, *(escpos.ask(status) for status in (1, 2, 3, 4)))
    assert desk.say("37 22 30303032 00 372500") == [SlipPrinted(job="a")]


def test_ruling_57_a_ticket_cleared_behind_its_barcode_cannot_be_known() -> None:
    desk = desk_at_the_barcode()
    for answer in ("1a", "32", "12", "7e"):
        desk.say(answer)
        desk.driver.wants(desk.now_ms)
    assert desk.say("372500") == [SlipUnknown(job="a", why="paper_out")]


def test_a_buffered_answer_of_an_earlier_job_proves_nothing() -> None:
    desk = Desk(STATUS)
    assert desk.next_write().startswith(escpos.ASK_BUFFERED)
    desk.say("00")
    desk.now_ms += 5
    desk.say("00")
    doing = [desk.driver.state.doing]
    assert desk.next_write().startswith(escpos.VOID)
    assert [*doing, desk.driver.state.doing] == ["clearing", "words"]


def test_a_buffered_answer_that_nobody_asked_for_makes_the_next_job_wait_for_quiet() -> None:
    bench = Bench(STATUS)
    assert bench.job(FIRST) == SlipPrinted(job="job")
    bench.run(100)
    bench.driver.heard(b"\x00", bench.now_ms)
    began_ms = bench.now_ms
    assert bench.job(SECOND) == SlipPrinted(job="job")
    assert bench.now_ms >= began_ms + QUIET_MS
    assert [slip.numbers for slip in bench.printer.slips] == [[FIRST], [SECOND]]


def test_a_status_of_the_wrong_kind_is_left_out() -> None:
    desk = Desk(Setup(presenter=True))
    for _ in range(5):
        desk.driver.wants(0)
        desk.say("12")
    assert desk.driver.state.doing == "asking"
    desk.say("100f20000000")
    assert desk.driver.state.slip_waiting


def test_a_failed_ticket_is_not_continued_when_the_paper_is_back() -> None:
    bench = Bench()
    assert bench.job(FIRST) == SlipPrinted(job="job")
    bench.printer.end_paper_after(1)
    assert bench.job(SECOND) == SlipFailed(job="job", why="paper_out")
    bench.run(1_000)
    bench.printer.load_paper()
    bench.run(3_000)
    assert len(bench.printer.hanging) == 1


# --- Every fault at every byte ---


def power_off(bench: Bench) -> None:
    bench.printer.cut_power()


def power_off_and_on(bench: Bench) -> None:
    bench.printer.cut_power()
    bench.printer.power_on(bench.now_ms)


def cut_wire_to(bench: Bench) -> None:
    bench.to_printer = False


def cut_wire_from(bench: Bench) -> None:
    bench.from_printer = False


def cut_both(bench: Bench) -> None:
    bench.to_printer = bench.from_printer = False


def cut_and_say_so(bench: Bench) -> None:
    cut_both(bench)
    bench.driver.link_lost(bench.now_ms)


def paper_out(bench: Bench) -> None:
    bench.printer.remove_paper()


def cover(bench: Bench) -> None:
    bench.printer.open_cover()


def cover_for_a_moment(bench: Bench) -> None:
    bench.printer.open_cover()
    bench.printer.close_cover()


def offline(bench: Bench) -> None:
    bench.printer.go_offline()


def jam(bench: Bench) -> None:
    bench.printer.jam()


CUTS = (power_off, power_off_and_on, cut_wire_to, cut_wire_from, cut_and_say_so)
FAULTS = (*CUTS, cut_both, paper_out, cover, cover_for_a_moment, offline, jam)
STRIDE = int(os.environ.get("STICKMAN_STRIDE", "17"))
"""Cuts are tried at every byte; the rest at every 17th, or as this variable says."""


@pytest.mark.parametrize("setup", [PROCESS_ID, STATUS], ids=["process_id", "status"])
@pytest.mark.parametrize("fault", FAULTS)
def test_ruling_57_at_every_byte_the_outcome_agrees_with_the_paper(
    setup: Setup, fault: Callable[[Bench], None]
) -> None:
    seen = set()
    for used, answers in product((True, False), (True, False)):
        every = 1 if setup is PROCESS_ID and fault in CUTS and used else STRIDE
        _, sent, answered = clean(FIRST, setup, used)
        for at in range(1, (answered if answers else sent) + 1, every):
            bench = ready(setup, used=used)
            (bench.at_answered if answers else bench.at_sent)[at] = partial(fault, bench)
            outcome = bench.job(FIRST)
            judge(bench, outcome)
            seen.add(type(outcome))
    if fault in CUTS and setup is PROCESS_ID:
        assert seen >= {SlipFailed, SlipUnknown}
    if fault is cover_for_a_moment:
        assert seen == {SlipPrinted}


@pytest.mark.parametrize("rows", range(8))
def test_paper_that_ends_at_any_row_of_the_ticket(rows: int) -> None:
    bench = Bench()
    bench.printer.end_paper_after(rows)
    judge(bench, bench.job(FIRST))


def test_a_driver_that_dies_at_any_byte_leaves_nothing_for_the_next() -> None:
    """The program around the driver must hold such a job for unknown, and the slip for torn; the next ticket is its
    own."""
    _, sent, _ = clean(FIRST, PROCESS_ID)
    for at in range(1, sent + 1):
        first = Bench()
        first.driver.print_ticket("lost", ticket(FIRST), first.now_ms)
        while first.sent < at:
            for byte in first.driver.wants(first.now_ms):
                answers = first.printer.heard(bytes((byte,)), first.now_ms)
                first.sent += 1
                if first.sent == at:
                    break
                first.driver.heard(answers, first.now_ms)
            first.now_ms = max(first.now_ms + 1, first.driver.due_ms)
        second = Bench(printer=first.printer, torn=True)
        assert second.job(SECOND) == SlipPrinted(job="job")
        expected, _, _ = clean(SECOND, PROCESS_ID)
        assert [slip for slip in second.printer.slips if SECOND in slip.numbers] == [expected]


# --- Slow and broken wires ---


@settings(max_examples=50)
@given(
    st.sampled_from([PROCESS_ID, STATUS, Setup(presenter=True)]),
    st.lists(st.integers(0, 220), min_size=1, max_size=8),
    st.lists(st.integers(1, 40), min_size=1, max_size=8),
)
def test_answers_may_be_late_and_in_any_pieces(setup: Setup, delays_ms: list[int], sizes: list[int]) -> None:
    """Each answer belongs to its own question: the printer is healthy but low on paper, no more is said."""
    driver, printer = Printer(setup), EmulatedPrinter(presenter=setup.presenter)
    printer.set_paper_low()
    delay, size = cycle(delays_ms), cycle(sizes)
    on_the_way: list[tuple[int, bytes]] = []
    reports: list[PrinterReport] = []
    now_ms = 0
    driver.heard(b"", now_ms)
    for number in (FIRST, SECOND):
        driver.print_ticket(number, ticket(number), now_ms)
        while not any(
            isinstance(report, SlipPrinted | SlipFailed | SlipUnknown) and report.job == number
            for report in reports
        ):
            data = driver.wants(now_ms)
            while data:
                piece, data = data[: (count := next(size))], data[count:]
                answer = printer.heard(piece, now_ms)
                arrives_ms = max([now_ms + next(delay), *(at for at, _ in on_the_way)])
                on_the_way += [(arrives_ms, answer)] if answer else []
            now_ms = min([now_ms + 10, *(at for at, _ in on_the_way)])
            arrived = b"".join(octets for at, octets in on_the_way if at <= now_ms)
            on_the_way = [(at, octets) for at, octets in on_the_way if at > now_ms]
            while arrived:
                piece, arrived = arrived[: (count := next(size))], arrived[count:]
                reports += driver.heard(piece, now_ms)
            reports += driver.heard(b"", now_ms)
    waits = [SlipPresented()] if setup.presenter else []
    assert [report for report in reports if report not in waits] == [
        PrinterChanged((), True),
        SlipPrinted(job=FIRST),
        SlipPrinted(job=SECOND),
    ]
    assert [slip.numbers for slip in printer.slips] == [[FIRST], [SECOND]]


# --- Noise ---


@settings(max_examples=30)
@given(st.data())
def test_noise_on_the_way_back_never_makes_a_wrong_outcome(data: st.DataObject) -> None:
    bench = Bench()
    _, _, answered = clean(FIRST, PROCESS_ID)
    for at in data.draw(st.sets(st.integers(1, answered + 5), max_size=4)):
        what = data.draw(st.sampled_from(["lose", "add"]))
        octets = data.draw(st.binary(min_size=1, max_size=3))

        def disturb(what: str = what, octets: bytes = octets) -> None:
            if what == "lose":
                bench.from_printer = False
            else:
                bench.reports += bench.driver.heard(octets, bench.now_ms)

        def restore() -> None:
            bench.from_printer = True

        bench.at_answered[at] = disturb
        bench.at_answered[at + len(octets)] = restore
    outcome = bench.job(FIRST)
    judge(bench, outcome)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.binary(max_size=8), st.integers(0, 400)), max_size=30), st.booleans())
def test_any_noise_from_the_wire_is_survived(noise: list[tuple[bytes, int]], presenter: bool) -> None:
    driver = Printer(Setup(presenter=presenter))
    driver.print_ticket("a", ticket(FIRST), 0)
    now_ms, reports = 0, []
    for octets, wait_ms in noise:
        now_ms += wait_ms
        reports += driver.heard(octets, now_ms)
        driver.wants(now_ms)
    for _ in range(200):
        now_ms = max(now_ms, driver.due_ms)
        reports += driver.heard(b"", now_ms)
        driver.wants(now_ms)
    assert [type(report) for report in reports if isinstance(report, SlipPrinted | SlipFailed | SlipUnknown)] == [
        SlipFailed
    ]
