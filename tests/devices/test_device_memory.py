"""The memory of a devices process: one file, private, locked, and whole after any end."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from stickman.devices.doors_peripheral import DoorsMemory
from stickman.devices.keeper import Commit
from stickman.devices.memory import CODES_KEPT, BadMemory, DeviceMemory, StillUnheard
from stickman.devices.printer_peripheral import PrinterMemory
from stickman.devices.signals import AnySignal, ProgramReported, Report, SlipPrinted, TotalsReported

BOOT = "0123456789abcdef"


def commit(*numbers: int, heard: int = 0, slips: int = 0) -> Commit:
    reports = tuple(Report(boot=BOOT, seq=n, at_ms=5, signal=SlipPrinted(job=f"j{n}")) for n in numbers)
    return Commit(reports, PrinterMemory(since_enrolment=slips), max(numbers, default=0) + 1, heard)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "devices.db"


def test_a_turn_is_found_again_with_its_reports_and_the_devices_own_memory(file: Path) -> None:
    memory = DeviceMemory(file)
    first = memory.begin("printer.a")
    assert (first.next_seq, first.unheard, first.memory_as(PrinterMemory)) == (1, (), PrinterMemory())
    memory.commit([("printer.a", commit(1, 2, slips=7)), ("printer.a", commit(3, heard=1, slips=8))])
    memory.close()
    found = DeviceMemory(file).begin("printer.a")
    assert [report.seq for report in found.unheard] == [2, 3]
    assert (found.next_seq, found.memory_as(PrinterMemory).since_enrolment) == (4, 8)


def test_each_start_has_another_name_and_counts(file: Path) -> None:
    memory = DeviceMemory(file)
    boots = [memory.begin("printer.a").boot for _ in range(3)]
    assert [boot[:8] for boot in boots] == ["00000001", "00000002", "00000003"]
    assert len({boot[8:] for boot in boots}) == 3
    assert all(len(boot) == 16 for boot in boots)


def test_a_batch_is_stored_all_or_nothing(file: Path) -> None:
    memory = DeviceMemory(file)
    memory.begin("printer.a")
    memory.commit([("printer.a", commit(1))])
    with pytest.raises(sqlite3.IntegrityError):
        memory.commit([("printer.a", commit(2, slips=5)), ("printer.a", commit(1))])
    found = memory.begin("printer.a")
    assert [report.seq for report in found.unheard] == [1]
    assert found.memory_as(PrinterMemory).since_enrolment == 0


def test_devices_do_not_share_numbers(file: Path) -> None:
    memory = DeviceMemory(file)
    for name in ("printer.a", "printer.b"):
        memory.begin(name)
        memory.commit([(name, commit(1))])
    memory.commit([("printer.a", commit(heard=1))])
    assert memory.begin("printer.a").unheard == ()
    assert len(memory.begin("printer.b").unheard) == 1


def test_nobody_else_can_read_it(file: Path) -> None:
    memory = DeviceMemory(file)
    memory.begin("printer.a")
    files = list(file.parent.iterdir())
    assert len(files) >= 2  # what is written ahead is in a file of its own
    assert {stat.S_IMODE(each.stat().st_mode) for each in files} == {0o600}


def test_a_commit_is_forced_to_the_disk(file: Path) -> None:
    db = DeviceMemory(file)._db
    assert db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_second_program_cannot_open_it(file: Path) -> None:
    memory = DeviceMemory(file)
    memory.begin("printer.a")
    with pytest.raises(BadMemory, match=r"found database is locked; allowed: a memory .* no other program"):
        DeviceMemory(file)


@pytest.mark.parametrize("version", [0, 2])
def test_another_file_is_not_a_memory(file: Path, version: int) -> None:
    if version:
        with sqlite3.connect(file) as db:
            db.execute(f"PRAGMA user_version = {version}")
        db.close()
    else:
        file.write_bytes(b"something else" * 100)
    with pytest.raises(BadMemory, match="allowed: a memory of devices"):
        DeviceMemory(file)


def test_an_enrolment_begins_its_own_counts_and_numbers(file: Path) -> None:
    memory = DeviceMemory(file)
    assert memory.needs_enrolment("printer.a", "")
    memory.store_enrolment("printer.a", "CODE", "token", '"seat 1"')
    assert memory.begin("printer.a").token == "token"
    memory.commit([("printer.a", commit(1, slips=3)), ("printer.a", commit(heard=1, slips=3))])
    assert not memory.needs_enrolment("printer.a", "")
    assert not memory.needs_enrolment("printer.a", "CODE")
    assert memory.needs_enrolment("printer.a", "OTHER")
    memory.store_enrolment("printer.a", "OTHER", "another", '"seat 2"')
    found = memory.begin("printer.a")
    assert (found.token, found.place, found.next_seq) == ("another", '"seat 2"', 1)
    assert found.memory_as(PrinterMemory).since_enrolment == 0
    assert not memory.needs_enrolment("printer.a", "CODE"), "it is spent"


def test_codes_that_are_spent_are_known_up_to_a_bound(file: Path) -> None:
    memory = DeviceMemory(file)
    memory.store_enrolment("printer.a", "CODE", "token", "")
    for number in range(CODES_KEPT):
        memory.spend("printer.a", f"WRONG-{number}")
    assert not any(memory.needs_enrolment("printer.a", f"WRONG-{number}") for number in range(CODES_KEPT))
    assert memory.needs_enrolment("printer.a", "CODE"), "it is asked again, which does no harm"


def test_a_new_device_has_reported_nothing_of_its_state(file: Path) -> None:
    memory = DeviceMemory(file)
    for name, state in {
        "printer.a": PrinterMemory(faults={"paper_out": 0}, done=("j1",)),
        "doors.a": DoorsMemory(contacts={"key": True}, faults={"no_answer": 0}, battery_ms={"key": 7}),
    }.items():
        memory.store_enrolment(name, "CODE", "token", "")
        memory.commit([(name, Commit((), state, 1, 0))])
        memory.store_enrolment(name, "OTHER", "another", "")
    assert memory.begin("printer.a").memory_as(PrinterMemory) == PrinterMemory(done=("j1",))
    assert memory.begin("doors.a").memory_as(DoorsMemory) == DoorsMemory(battery_ms={"key": 7})


def test_a_code_is_not_kept(file: Path) -> None:
    memory = DeviceMemory(file)
    memory.store_enrolment("printer.a", "SECRET-CODE", "token", "")
    memory.close()
    assert b"SECRET-CODE" not in file.read_bytes()


def test_unheard_reports_are_never_sent_under_another_enrolment(file: Path) -> None:
    memory = DeviceMemory(file)
    memory.begin("printer.a")
    memory.commit([("printer.a", commit(1))])
    with pytest.raises(StillUnheard, match=r"found 1 reports .*slip_printed"):
        memory.store_enrolment("printer.a", "CODE", "token", "")
    memory.discard("printer.a")
    memory.store_enrolment("printer.a", "CODE", "token", "")
    assert memory.begin("printer.a").unheard == ()


def test_reports_that_can_be_asked_for_again_keep_no_new_enrolment_away(file: Path) -> None:
    memory = DeviceMemory(file)
    memory.begin("printer.a")
    told: tuple[AnySignal, ...] = (ProgramReported(version="1", sha256="0" * 64), TotalsReported(slips=3))
    reports = tuple(Report(boot=BOOT, seq=n, at_ms=5, signal=signal) for n, signal in enumerate(told, 1))
    memory.commit([("printer.a", Commit(reports, PrinterMemory(), 3, 0))])
    memory.store_enrolment("printer.a", "CODE", "token", "")
    found = memory.begin("printer.a")
    assert (found.unheard, found.next_seq) == ((), 1)
