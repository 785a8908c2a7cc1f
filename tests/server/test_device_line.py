"""The line of a device: who may open it, what it may say, and when it is answered. Over real sockets."""

from __future__ import annotations

from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from stickman.devices import signals as s
from stickman.floor.events import DeviceProgramDiffers, Place, Role
from stickman.floor.journal import events_of
from stickman.server.floor import REPLACED, RESTARTS, REVOKED, SILENT, LiveFloor
from stickman.server.house import Asked
from stickman.server.pit import Accepted
from stickman.server.program import program_at_start
from stickman.server.socket_line import BAD_MESSAGE
from stickman.store.sqlite import open_sqlite
from stickman.store.store import NotAppended, using
from stickman.table import messages as m
from stickman.table.ledger import Transfer
from stickman.table.state import TICKETS_KEPT
from tests.floor.evening import awaited
from tests.server.process import CAGE, OFFICE, prepare, seat, serving
from tests.talk.server import Device, cashier, device, enrolled, http, line, screen, sign_in


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return prepare(tmp_path / "floor")


async def heard(live: LiveFloor, table: int = 1) -> list[m.SignalHeard]:
    records = [record async for record in live.store.records(table)]
    return [event for record in records for event in events_of(record) if isinstance(event, m.SignalHeard)]


async def why_closed(device: Device) -> int:
    """The code with which the server closes a line, after all that it still says."""
    while True:
        try:
            await device.hear()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 0


# --- Who may come ---


@awaited
async def test_each_token_is_of_use_at_its_own_line_alone(config: Path) -> None:
    async with serving(config) as (_, url):
        acceptor = await enrolled(url, Place("acceptor", 1, 1))
        with pytest.raises(InvalidStatus) as denied:
            async with line(url, acceptor.token):
                pass
        assert denied.value.response.status_code == 403
        for token, status in ((seat(1, 1), 403), (OFFICE, 403), ("nobody's", 401)):
            with pytest.raises(InvalidStatus) as denied:
                async with Device(url, token, "").over():
                    pass
            assert denied.value.response.status_code == status


@awaited
async def test_a_newer_line_of_a_device_replaces_the_older(config: Path) -> None:
    async with serving(config) as (live, url), device(url, "acceptor", 1, 1) as older:
        newer = Device(url, older.token, older.terminal)
        async with newer.over():
            assert await why_closed(older) == REPLACED
            await newer.report(s.BillStacked(note=1, cents=500))
        assert live.pits[1].table.credit(1) == 500


@awaited
async def test_a_revoked_device_is_cut_off_and_its_token_is_worth_nothing(config: Path) -> None:
    async with serving(config) as (_, url), device(url, "doors", 1) as doors:
        gone = f"/api/terminals/{doors.terminal}/revoke"
        assert (await http(url, "POST", gone, token=CAGE, session=await cashier(url))).status == 200
        assert await why_closed(doors) == REVOKED
        with pytest.raises(InvalidStatus):
            async with doors.over():
                pass


@awaited
async def test_a_silent_device_is_cut_off_long_before_a_ping_would_notice_it(config: Path) -> None:
    async with serving(config) as (live, url), screen(url, seat(1, 1)) as player:
        await player.funded(10)
        printer, doors = [await enrolled(url, Place(kind, 1, 1)) for kind in ("printer", "doors")]
        async with printer.over(beats=False), doors.over(beats=False):
            await doors.report(s.KeyMoved(on=True))
            assert live.lets_sign_in(Place("seat", 1, 1))
            assert [await why_closed(printer), await why_closed(doors)] == [SILENT, SILENT]
            assert (await player.ask(m.CashOut(seat=1)))["why"] == "no_ticket", "nobody would print it"
            assert not live.lets_sign_in(Place("seat", 1, 1)), "nobody would report that the key is turned back"
        assert live.plan.config.limits.device_silent_s == 3
        assert live.plan.config.limits.ping_s == 20


@awaited
async def test_a_device_that_says_that_it_is_there_stays(config: Path) -> None:
    with config.open("a") as file:
        file.write("[limits]\ndevice_silent_s = 1\n")
    async with serving(config) as (_, url), device(url, "printer", 1, 1) as printer:
        while sum(isinstance(message, s.Alive) for message in printer.told) < 5:
            printer.told.append(s.FROM_SERVER.decode(await printer.socket.recv()))


# --- What it may say ---

SAMPLES: tuple[s.AnySignal, ...] = (
    s.BillInEscrow(note=1, cents=100),
    s.TicketInEscrow(note=1, number="1" * 18),
    s.BillStacked(note=1, cents=100),
    s.TicketStacked(note=1, number="1" * 18),
    s.UnknownStacked(note=1),
    s.NoteReturned(note=1),
    s.NoteUnaccounted(note=1, after="power"),
    s.StackerRemoved(bills={100: 1}),
    s.StackerReturned(),
    s.SlipBegun(job="1"),
    s.SlipPrinted(job="1"),
    s.SlipFailed(job="1", why="jam"),
    s.SlipUnknown(job="1", why="power"),
    s.FaultBegan(fault="jam"),
    s.FaultEnded(fault="jam"),
    s.DoorMoved(door="cage_main", open=True),
    s.KeyMoved(on=True),
    s.ProgramReported(version="1", sha256="0" * 64),
    s.TotalsReported(),
)


def test_there_is_a_sample_of_every_signal() -> None:
    assert {type(each) for each in SAMPLES} == {kind for kinds in s.MAY_SIGNAL.values() for kind in kinds}


@pytest.mark.parametrize("kind", s.DEVICE_KINDS)
@awaited
async def test_a_kind_of_device_reports_what_its_row_lists_and_nothing_else(
    config: Path, kind: s.DeviceKind
) -> None:
    async with serving(config) as (live, url):
        reporter = await enrolled(url, Place(kind, 1, 1))
        for signal in SAMPLES:
            before = len(await heard(live))
            async with reporter.over():
                if isinstance(signal, s.MAY_SIGNAL[kind]):
                    await reporter.report(signal)
                    assert len(await heard(live)) == before + 1
                    continue
                await reporter.say(s.Report(boot=reporter.boot, seq=reporter.seq + 1, at_ms=1, signal=signal))
                assert await why_closed(reporter) == BAD_MESSAGE
                assert isinstance(reporter.told[-1], s.NotUnderstood)
                assert len(await heard(live)) == before
        assert live.metrics.denied.labels("not_understood")._value.get() == len(SAMPLES) - len(s.MAY_SIGNAL[kind])


@pytest.mark.parametrize(("number", "door"), [(1, "power"), (0, "cage_main")])
@awaited
async def test_doors_report_only_the_doors_of_their_place(config: Path, number: int, door: s.Door) -> None:
    async with serving(config) as (live, url), device(url, "doors", 1, number) as doors:
        await doors.say(doors.noted(s.DoorMoved(door=door, open=True)))
        assert await why_closed(doors) == BAD_MESSAGE
        assert not await heard(live)


BROKEN = [b"", b"{}", b"[]", b'{"type":"ask"}', b'{"type":"report","boot":"x"}', b"\xff"]


@awaited
async def test_what_cannot_be_read_or_is_too_long_ends_the_line(config: Path) -> None:
    async with serving(config) as (_, url):
        doors = await enrolled(url, Place("doors", 1))
        for said in (*BROKEN, s.ENCODER.encode(s.StateChanged(state={"a": "x" * s.STATE_BYTES_MAX}))):
            async with doors.over():
                await doors.socket.send(said)
                assert await why_closed(doors) == BAD_MESSAGE
        async with doors.over():
            await doors.socket.send("x" * (s.MESSAGE_BYTES_MAX + 1))
            assert await why_closed(doors) == 1009
        async with doors.over():
            await doors.say(s.StateChanged(state={"supply": "x" * (s.STATE_BYTES_MAX - 100)}))
            await doors.report(s.KeyMoved(on=True))


# --- When it is heard ---


@awaited
async def test_a_report_is_heard_only_when_it_is_durable(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(config) as (live, url), device(url, "acceptor", 1, 1) as acceptor:
        boxman = live.pits[1].boxman
        write = boxman.write

        async def fails(*_: object) -> None:
            raise NotAppended("the disk is full")

        monkeypatch.setattr(boxman, "write", fails)
        await acceptor.say(acceptor.noted(s.BillStacked(note=1, cents=2_000)))
        assert await why_closed(acceptor) == RESTARTS
        assert acceptor.kept, "nothing was said to be heard"
        monkeypatch.setattr(boxman, "write", write)
        async with acceptor.over():
            await acceptor.all_heard()
        assert live.pits[1].table.credit(1) == 2_000


@awaited
async def test_a_repeated_report_is_heard_again_and_counts_once(config: Path) -> None:
    async with serving(config) as (live, url), device(url, "acceptor", 1, 1) as acceptor:
        report = acceptor.noted(s.BillStacked(note=1, cents=2_000))
        for _ in range(3):
            acceptor.kept = [report]
            await acceptor.say(report)
            await acceptor.all_heard()
        live.pits[1].boxman._commands.clear()  # as after a restart: only the journal knows
        acceptor.kept = [report]
        async with acceptor.over():
            await acceptor.all_heard()
        assert live.pits[1].table.credit(1) == 2_000
        assert len(await heard(live)) == 1
        assert not live.pits[1].table.heard[acceptor.terminal].distrusted


@awaited
async def test_a_device_that_changes_a_report_or_leaves_one_out_is_distrusted_and_asked_for_its_totals(
    config: Path,
) -> None:
    async with serving(config) as (live, url):
        for number, changed in ((1, True), (2, False)):
            async with device(url, "acceptor", 1, number) as acceptor:
                await acceptor.report(s.BillStacked(note=1, cents=2_000))
                if changed:
                    acceptor.seq -= 1
                else:
                    acceptor.seq += 1
                await acceptor.report(s.BillStacked(note=1, cents=10_000))
                assert await acceptor.hear() == s.Tell(what="totals")
                table = live.pits[1].table
                assert table.heard[acceptor.terminal].distrusted
                assert table.credit(number) == (2_000 if changed else 12_000)
        assert live.metrics.distrusted.labels("1")._value.get() == 2


async def told_totals(device: Device) -> None:
    """Wait until the server asks for the totals."""
    while await device.hear() != s.Tell(what="totals"):
        pass


async def settled(live: LiveFloor, device: Device, seat: int = 1) -> m.DeviceSettled:
    request = m.SettleDevice(seat=seat, device=device.terminal)
    answer = await live.ask(1, Asked(request, "Anna", approver="Bert"))
    assert isinstance(answer, Accepted), answer
    [event] = [each for each in answer.events if isinstance(each, m.DeviceSettled)]
    return event


@awaited
async def test_a_distrusted_device_that_was_not_heard_is_asked_for_its_totals_when_it_comes_back(
    config: Path,
) -> None:
    async with serving(config) as (live, url), device(url, "acceptor", 1, 1) as acceptor:
        acceptor.seq += 1
        await acceptor.report(s.BillStacked(note=2, cents=2_000))
        await told_totals(acceptor)
        async with acceptor.over():
            await told_totals(acceptor)
            await acceptor.report(s.TotalsReported(bills={2_000: 2}))
            assert (await settled(live, acceptor)).difference_cents == 2_000


@awaited
async def test_totals_are_asked_for_again_when_a_bill_that_was_on_its_way_is_stacked(config: Path) -> None:
    """One report of $20 is lost while another bill waits."""
    async with serving(config) as (live, url), device(url, "acceptor", 1, 1) as acceptor:
        await acceptor.report(s.BillInEscrow(note=2, cents=2_000))
        await acceptor.until(lambda wishes: wishes.stack)
        acceptor.seq += 1
        await acceptor.report(s.FaultBegan(fault="jam"))
        await told_totals(acceptor)
        await acceptor.report(s.TotalsReported(bills={2_000: 1}), s.BillStacked(note=2, cents=2_000))
        await told_totals(acceptor)
        await acceptor.report(s.TotalsReported(bills={2_000: 2}))
        assert (await settled(live, acceptor)).difference_cents == 2_000
        assert live.pits[1].table.credit(1) == 2_000


@awaited
async def test_totals_are_asked_for_only_when_nothing_is_in_escrow(config: Path) -> None:
    async with serving(config) as (_, url), device(url, "acceptor", 1, 1) as acceptor:
        acceptor.seq += 1
        await acceptor.report(s.BillInEscrow(note=1, cents=2_000))
        await acceptor.report(s.ProgramReported(version="1", sha256="0" * 64))  # what was told before it has come
        assert s.Tell(what="totals") not in acceptor.told
        assert (acceptor.wishes.note, acceptor.wishes.stack) == (1, False)
        await acceptor.report(s.NoteReturned(note=1))
        await told_totals(acceptor)


@awaited
async def test_after_a_restore_of_an_older_journal_all_money_is_in_one_place_when_two_people_have_settled(
    config: Path, tmp_path: Path
) -> None:
    """The copy is made while a ticket of $100 waits for the printer, and lacks its end and a bill of $50."""
    journal, copy = config.parent / "floor.db", tmp_path / "copy.db"
    async with serving(config) as (live, url), screen(url, seat(1, 1)) as player:
        acceptor, printer = (
            await enrolled(url, Place("acceptor", 1, 1)),
            await enrolled(url, Place("printer", 1, 1)),
        )
        async with acceptor.over(), printer.over():
            assert await acceptor.takes_bill(10_000)
            await player.do(m.CashOut(seat=1))
            await printer.until(lambda wishes: wishes.print)
            async with using(open_sqlite(str(journal))) as store:
                await store.backup(str(copy))
            job = (await printer.prints()).job
            assert await acceptor.takes_bill(5_000)
        assert (live.pits[1].table.accounts["tickets"], live.pits[1].table.credit(1)) == (10_000, 5_000)
    for part in journal.parent.glob("floor.db*"):
        part.unlink()
    copy.rename(journal)
    async with serving(config) as (live, url):
        acceptor.url = printer.url = url
        async with acceptor.over(), printer.over():
            assert printer.wishes.print.job == job, "the restored table still waits for it"
            await printer.report(s.SlipPrinted(job=job))
            assert await acceptor.hear() == s.Tell(what="program"), "so every gap is found at once"
            await acceptor.report(s.ProgramReported(version="1", sha256="0" * 64))
            assert live.pits[1].table.seat(1).terminal.lockups == {"device"}
            for each, totals in (
                (acceptor, s.TotalsReported(bills={10_000: 1, 5_000: 1})),
                (printer, s.TotalsReported(slips=1)),
            ):
                await told_totals(each)
                await each.report(totals)
            assert await settled(live, acceptor) == m.DeviceSettled(
                device=acceptor.terminal,
                at_seat=1,
                difference_cents=5_000,
                by="Anna",
                approver="Bert",
                transfers=(Transfer("cash", "over_short", 5_000),),
            )
            assert (await settled(live, printer)).difference_slips == 0
        table = live.pits[1].table
        assert not table.seat(1).terminal.lockups
        found = {account: cents for account, cents in table.accounts.items() if cents}
        assert found == {"cash": -15_000, "tickets": 10_000, "over_short": 5_000}, "$150 are in the stacker"


# --- What it is wanted to do ---


@awaited
async def test_wishes_follow_each_record_and_a_bill_is_credit_when_it_is_stacked(config: Path) -> None:
    async with serving(config) as (live, url):
        async with device(url, "acceptor", 1, 1) as acceptor, screen(url, seat(1, 1)) as player:
            assert acceptor.wishes.tickets
            assert 10_000 in acceptor.wishes.bills
            assert await acceptor.takes_bill(10_000)
            await player.until(lambda view: view["credit_cents"] == 10_000)
            assert not await acceptor.takes_bill(1_234), "no such bill"
            await player.do(m.ReserveSeat(seat=1))
            await acceptor.until(lambda wishes: not wishes.bills and not wishes.tickets)
        assert live.pits[1].table.credit(1) == 10_000


@awaited
async def test_a_ticket_is_paper_with_every_field_and_its_money_leaves_when_it_is_printed(config: Path) -> None:
    async with (
        serving(config) as (live, url),
        screen(url, seat(1, 2)) as player,
        device(url, "printer", 1, 2) as printer,
    ):
        await player.funded(25)
        answer = await player.ask(m.CashOut(seat=2))
        assert answer.keys() == {"type", "id", "seq"}, "the number is on paper only"
        await printer.until(lambda wishes: wishes.print)
        job = printer.wishes.print
        assert live.pits[1].table.accounts["seat:2:printing"] == 2_500
        status = await http(url, "GET", f"/api/tickets/{job.job}", token=CAGE, session=await cashier(url))
        assert status.json["status"] == "reserved"
        words = [f"{each.text} {each.value}".strip() for each in job.slip.lines]
        assert {"Stickman", "CASH OUT TICKET", "$25.00", "TABLE 1", "SEAT 2", "TICKET 0001"} <= set(words)
        assert "Twenty-five dollars and no cents" in words
        assert any(each.startswith("PRINTED 2") for each in words)
        assert any(each.startswith("VOID AFTER 2") for each in words)
        assert job.slip.number == job.job
        await printer.prints()
        assert live.pits[1].table.accounts["tickets"] == 2_500
        assert live.pits[1].table.accounts["seat:2:printing"] == 0


@awaited
async def test_a_device_that_was_away_gets_its_job_when_it_comes_back(config: Path) -> None:
    async with serving(config) as (live, url), screen(url, seat(1, 1)) as player:
        printer = await enrolled(url, Place("printer", 1, 1))
        await player.funded(10)
        assert (await player.ask(m.CashOut(seat=1)))["why"] == "no_ticket", "it is away"
        async with printer.over():
            await player.do(m.CashOut(seat=1))
            await printer.until(lambda wishes: wishes.print)
            job = printer.wishes.print
        async with printer.over():
            assert printer.wishes.print == job
            assert await printer.prints() == job
        assert live.pits[1].table.accounts["tickets"] == 1_000


@awaited
async def test_what_a_new_printer_prints_is_not_cancelled_with_the_one_it_replaces(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stickman.server.floor.LOOK_ROUND_S", 3_600)
    async with serving(config) as (live, url), screen(url, seat(1, 1)) as player:
        await player.funded(10)
        async with device(url, "printer", 1, 1) as first:
            await first.report(s.ProgramReported(version="1", sha256="0" * 64))
        async with device(url, "printer", 1, 1) as second:
            await player.do(m.CashOut(seat=1))
            await second.until(lambda wishes: wishes.print)
            assert await live.remove_revoked(1)
            number = (await second.prints()).slip.number
        assert [each.number for each in live.pits[1].table.seat(1).terminal.printed] == [number]


@awaited
async def test_a_seat_without_a_printer_is_paid_by_hand(config: Path) -> None:
    async with serving(config) as (live, url), screen(url, seat(1, 1)) as player:
        await player.funded(10)
        await player.do(m.CashOut(seat=1))
        assert live.pits[1].table.seat(1).terminal.hand_pay_cents == 1_000


# --- In the office ---


@awaited
async def test_staff_can_ask_any_device_for_its_totals_and_see_how_they_differ(config: Path) -> None:
    async with serving(config) as (_, url), device(url, "acceptor", 1, 3) as acceptor:
        session = await sign_in(url, OFFICE, Role.SUPERVISOR)
        await acceptor.report(s.BillStacked(note=1, cents=500))

        async def difference() -> object:
            [row] = (await http(url, "GET", "/api/devices", token=OFFICE, session=session)).json
            return row["difference"]

        assert await difference() is None, "it has not reported its totals"
        told = f"/api/devices/{acceptor.terminal}/tell"
        assert (await http(url, "POST", told, {"what": "totals"}, token=OFFICE, session=session)).status == 200
        await told_totals(acceptor)
        await acceptor.report(s.TotalsReported(bills={500: 3}, tickets_in=1))
        assert await difference() == {"cents": 1_000, "tickets": 1, "slips": 0}


@awaited
async def test_only_tickets_that_the_table_still_knows_can_be_copied(config: Path) -> None:
    async with (
        serving(config) as (_, url),
        screen(url, seat(1, 2)) as player,
        device(url, "printer", 1, 2) as printer,
    ):
        printed = []
        for _ in range(TICKETS_KEPT + 1):
            await player.funded(10)
            await player.do(m.CashOut(seat=2))
            printed.append((await printer.prints()).job)
        listed = (await http(url, "GET", "/api/tickets", token=CAGE, session=await cashier(url))).json
        assert [each["number"] for each in listed if each["can_copy"]] == printed[:0:-1]


@awaited
async def test_the_office_lists_devices_and_notices_another_program(config: Path) -> None:
    async with serving(config) as (live, url):
        session = await sign_in(url, OFFICE, Role.SUPERVISOR)

        async def row(terminal: str) -> dict[str, object]:
            rows = (await http(url, "GET", "/api/devices", token=OFFICE, session=session)).json
            [found] = [each for each in rows if each["terminal"] == terminal]
            return dict(found)

        async with device(url, "acceptor", 1, 3) as acceptor:
            assert s.Tell(what="program") == await acceptor.hear(), "the server does not know it yet"
            ours = program_at_start()
            await acceptor.report(s.ProgramReported(version=ours.version, sha256=ours.sha256))
            secret: dict[str, str | int] = {
                "job": "876543210987654321",
                "last": "read 876543210987654321",
                "note": 876543210987654321,
            }
            await acceptor.say(s.StateChanged(state={"status": "idle", "stacker": 3, **secret}))
            await acceptor.report(s.BillStacked(note=1, cents=500), s.TotalsReported(bills={500: 1}))
            found = await row(acceptor.terminal)
            assert found["place"] == {"screen": "acceptor", "table": 1, "seat": 3}
            assert found["connected_ms"]
            assert found["state"] == {"status": "idle", "stacker": 3}, "a ticket's number is worth its money"
            assert found["program"] == {"version": ours.version, "sha256": ours.sha256, "same": True}
            assert found["stacker"] == found["counted"] == {"bills": {"500": 1}, "tickets": 0}
            assert (found["reports"], found["distrusted"]) == (3, False)
            told = f"/api/devices/{acceptor.terminal}/tell"
            assert (await http(url, "POST", told, {}, token=OFFICE, session=session)).status == 200
            assert await acceptor.hear() == s.Tell(what="program")
            for _ in range(2):
                await acceptor.report(s.ProgramReported(version="0", sha256="f" * 64))
            program = (await row(acceptor.terminal))["program"]
            assert program == {"version": "0", "sha256": "f" * 64, "same": False}
            health = (await http(url, "GET", "/api/health", token=OFFICE, session=session)).json
            place = {"screen": "acceptor", "table": 1, "seat": 3}
            assert health["programs_differ"] == [{"terminal": acceptor.terminal, "place": place, "version": "0"}]
            assert b"stickman_device_programs_differ 1.0" in live.metrics.text()
        events = (await http(url, "GET", "/api/events", token=OFFICE, session=session)).json["events"]
        differs = [each for each in events if each["event"] == "device_program_differs"]
        assert [each["terminal"] for each in differs] == [acceptor.terminal], "once"
        assert (await row(acceptor.terminal))["connected_ms"] is None
        answer = await http(url, "POST", told, {}, token=OFFICE, session=session)
        assert (answer.status, answer.json["why"]) == (409, "not_connected")
        await http(url, "POST", f"/api/terminals/{acceptor.terminal}/revoke", token=OFFICE, session=session)
        assert b"stickman_device_programs_differ 0.0" in live.metrics.text()


@awaited
async def test_another_program_that_could_not_be_recorded_is_still_new(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(config) as (live, url), device(url, "acceptor", 1, 3) as acceptor:
        place, other = Place("acceptor", 1, 3), s.ProgramReported(version="0", sha256="f" * 64)
        record, recorded = live.office.record, []

        async def fails(*_: object, **__: object) -> None:
            raise NotAppended("the disk is full")

        async def notes(event: DeviceProgramDiffers, *, at_ms: int) -> None:
            recorded.append(event)
            await record(event, at_ms=at_ms)

        monkeypatch.setattr(live.office, "record", fails)
        with pytest.raises(NotAppended):
            await live.heard_program(acceptor.terminal, place, other)
        monkeypatch.setattr(live.office, "record", notes)
        for _ in range(2):
            await live.heard_program(acceptor.terminal, place, other)
        assert [each.terminal for each in recorded] == [acceptor.terminal]


@awaited
async def test_a_devices_connection_counts_as_its_terminals_and_not_as_a_strangers(config: Path) -> None:
    async with serving(config) as (live, url), device(url, "doors", 1):
        assert [each.place.screen for each in live.connections] == ["doors"]
        [found] = [each._held for each in live.connections]  # type: ignore[attr-defined] # its transport
        assert found.terminal
        assert found.among._by_terminal[found.terminal] == {found}
        assert found not in found.among._strangers


@awaited
async def test_metrics_count_the_reports_of_devices(config: Path) -> None:
    async with serving(config) as (live, url), device(url, "doors", 1, 1) as doors:
        await doors.report(s.KeyMoved(on=True), s.KeyMoved(on=False))
        text = live.metrics.text().decode()
        assert 'stickman_signals_total{outcome="heard",signal="key_moved",table="1"} 2.0' in text
        assert 'stickman_connections{screen="doors"} 1.0' in text
