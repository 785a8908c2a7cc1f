"""What a cheat tried at the table: tickets spelt oddly, a page that speaks for devices, the next player's eyes, the
clock, the dice. Each test is an attempt against the real server process, over real sockets.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from functools import partial, wraps
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed

from stickman.devices.signals import DoorMoved, Heard, KeyMoved
from stickman.floor.events import Place, Role
from stickman.floor.journal import events_of
from stickman.store import open_store
from stickman.table import messages as m
from tests.server.process import CONFIG, OFFICE, ServerProcess, dealer, prepare, seat
from tests.store.postgres_server import PostgresServer
from tests.talk import exactly
from tests.talk.server import Deed, Device, Screen, approve, device, enrolled, http, screen, sign_in

Scenario = Callable[..., Coroutine[Any, Any, None]]


def awaited(scenario: Scenario) -> Callable[..., None]:
    @wraps(scenario)
    def test(*args: Any, **kwargs: Any) -> None:
        asyncio.run(scenario(*args, **kwargs))

    return test


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with ServerProcess(prepare(tmp_path / "floor")) as server:
        yield server.url


class Odd(NamedTuple):
    """A way to spell a number that is not its own."""

    name: str
    spelt: Callable[[str], str]


ODD = [
    Odd("a dash behind it", lambda n: f"{n}-"),
    Odd("a dash before it", lambda n: f"-{n}"),
    Odd("a space behind it", lambda n: f"{n} "),
    Odd("in groups", lambda n: f"{n[:2]}-{n[2:6]}-{n[6:]}"),
    Odd("a line's end behind it", lambda n: f"{n}\n"),
    Odd("digits of another script", lambda n: "".join(chr(0x0660 + int(digit)) for digit in n)),
    Odd("wide digits", lambda n: "".join(chr(0xFF10 + int(digit)) for digit in n)),
    Odd("a zero more", lambda n: f"0{n}"),
]


async def printed(player: Screen, cents: int) -> str:
    """The number of a ticket that the seat printed for so much."""
    await player.funded(exactly(cents))
    return await player.cashes_out()


async def hung_up_on(acceptor: Device, number: str) -> None:
    """Report a ticket by a text that is no number: it cannot even be read, so the line is closed."""
    signal = {"signal": "ticket_in_escrow", "note": 1, "number": number}
    said = {"type": "report", "boot": acceptor.boot, "seq": 1, "at_ms": 1, "signal": signal}
    await acceptor.socket.send(json.dumps(said))

    async def hear_all() -> None:
        while True:
            await acceptor.hear()

    with pytest.raises(ConnectionClosed):
        await hear_all()
    assert acceptor.socket.close_code == 1008
    assert not any(isinstance(each, Heard) for each in acceptor.told), number


# --- One ticket is redeemed once ---


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_a_ticket_is_redeemed_once_however_it_is_spelt(tmp_path: Path, database: str) -> None:
    async def scenario(url: str) -> None:
        async with screen(url, seat(1, 1)) as player:
            number = await printed(player, 10_000)
            session = await sign_in(url, OFFICE, Role.SUPERVISOR)
            acceptor = await enrolled(url, Place("acceptor", 1, 1))
            for odd in ODD:
                async with acceptor.over():
                    await hung_up_on(acceptor, odd.spelt(number))
            async with acceptor.over():
                assert await acceptor.takes_ticket(number)
                assert not await acceptor.takes_ticket(number), "it goes back"
            await player.caught_up()
            assert player.view["credit_cents"] == 10_000
            for spelt in (number, f"{number}-", f"-{number}", f"{number}%20"):
                paid = await http(url, "POST", f"/api/tickets/{spelt}/pay", token=OFFICE, session=session)
                assert paid.status in (400, 409), (spelt, paid)

    with PostgresServer() if database == "postgres" else _Nothing() as postgres:
        where = postgres.database("floor") if isinstance(postgres, PostgresServer) else ""
        with ServerProcess(prepare(tmp_path / "floor", database=where)) as server:
            asyncio.run(scenario(server.url))


class _Nothing:
    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


def test_an_odd_spelling_neither_hangs_a_table_nor_keeps_the_server_from_stopping(tmp_path: Path) -> None:
    async def scenario(url: str) -> None:
        async with screen(url, seat(1, 1)) as player:
            number = await printed(player, 5_000)
            acceptor = await enrolled(url, Place("acceptor", 1, 1))
            for _ in range(2):
                async with acceptor.over():
                    await hung_up_on(acceptor, f"{number}-")
            await player.do(m.NameSeat(seat=1, name="Still here"))

    with ServerProcess(prepare(tmp_path / "floor")) as server:
        asyncio.run(scenario(server.url))
        assert server.stop() == 0


# --- A seat's page speaks for no device ---

STAFF: list[m.Request] = [m.ClearTable(), m.GiveCredit(seat=1, cents=10_000), m.PrintTest(seat=1)]
BEFORE_DEVICES: list[dict[str, object]] = [
    {"do": "insert_cash", "seat": 1, "cents": 10_000},
    {"do": "insert_ticket", "seat": 1, "number": "1" * 18},
    {"do": "turn_key", "seat": 1, "on": True},
    {"do": "open_door", "seat": 1},
    {"do": "close_door", "seat": 1},
    {"do": "open_table_door", "door": "power"},
    {"do": "report_fault", "seat": 1, "part": "printer"},
]
"""What pages could say before there were devices."""


@awaited
async def test_a_seats_token_says_nothing_that_only_a_device_or_staff_can_know(url: str) -> None:
    async with screen(url, seat(1, 1)) as player:
        for request in STAFF:
            assert (await player.ask(request))["why"] == "wrong_place", request
    reports = [{"type": "report", "boot": "0" * 16, "seq": 1, "at_ms": 1, "signal": {"signal": "stacker_returned"}}]
    asked = [{"type": "ask", "id": "x", "request": each} for each in BEFORE_DEVICES]
    for said in (*reports, *asked):
        async with screen(url, seat(1, 1)) as player:
            await player.say(said)
            assert (await player.told())["type"] == "bad", said
    async with screen(url, seat(1, 1)) as player:
        assert player.view["credit_cents"] == 0
        assert player.view["lockups"] == []


@awaited
async def test_what_a_device_reports_is_journalled_under_its_name(url: str) -> None:
    async with device(url, "doors", 1, 2) as doors:
        await doors.report(KeyMoved(on=True), DoorMoved(door="terminal_logic", open=True))
    session = await sign_in(url, OFFICE, Role.SUPERVISOR)
    told = (await http(url, "GET", "/api/events?table=1", token=OFFICE, session=session)).json["events"]
    assert {(event["event"], event["actor"], event.get("seat", 0)) for event in told} >= {
        ("key_turned", doors.terminal, 2),
        ("door_opened", doors.terminal, 2),
    }


# --- The next player sees nothing of the last one's tickets ---


@awaited
async def test_a_tickets_number_is_on_paper_and_never_told_to_the_next_player(url: str) -> None:
    async with screen(url, seat(1, 1)) as player, device(url, "printer", 1, 1) as printer:
        await player.funded("123.45")
        first = await player.ask(m.CashOut(seat=1), "the-cash-out")
        number = (await printer.prints()).slip.number
        await player.caught_up()
        assert player.view["tickets"] == [], "with the stay goes what was shown of its tickets"
    async with screen(url, seat(1, 1)) as later:
        assert number not in json.dumps(later.view), "a snapshot has the last four digits at most"
        await later.funded(1)
        assert later.view["tickets"] == [], "a new stay begins with nothing of the one before"
        again = await later.ask(m.CashOut(seat=1), "the-cash-out")
        assert again == first, "the same id tells the next player no number"
        recalled = await http(url, "GET", "/api/recall", token=seat(1, 1))
        assert number.encode() not in recalled.body
    for place in (dealer(1), "token-of-table-1-table", "token-of-table-1-info"):
        async with screen(url, place) as looks:
            assert number not in json.dumps(looks.view)


# --- The clock comes before the queue ---

FAST = CONFIG.replace("bets_s = 300", "bets_s = 2", 1).replace("result_s = 300", "result_s = 60", 1)


def test_a_flood_from_one_seat_does_not_hold_up_the_clock(tmp_path: Path) -> None:
    """Bets close when their time is up, whatever waits; before, sixty lines held them open for forty seconds."""
    config = prepare(tmp_path / "floor", FAST)

    async def flood(line: Screen) -> None:
        for number in range(100):
            request = {"do": "name_seat", "seat": 2, "name": f"N{number % 90}"}
            await line.say({"type": "ask", "id": f"flood-{id(line)}-{number}", "request": request})

    async def scenario(url: str) -> None:
        async with (
            screen(url, seat(1, 1)) as player,
            screen(url, seat(1, 2)) as one,
            screen(url, seat(1, 2)) as two,
        ):
            await player.funded(10)
            await player.until(lambda view: view["shared"]["phase"] == "betting")
            floods = [asyncio.create_task(flood(each)) for each in (one, two)]
            await player.ask(m.PlaceBet(seat=1, spot="field", cents=500))
            await player.until(lambda view: view["shared"]["phase"] != "betting")
            for each in floods:
                each.cancel()
            await asyncio.wait(floods)

    with ServerProcess(config) as server:
        asyncio.run(scenario(server.url))

    async def lateness() -> list[int]:
        store = await open_store(f"sqlite:{tmp_path / 'floor' / 'floor.db'}")
        closes_at, late = 0, []
        async for record in store.records(1):
            for event in events_of(record):
                if isinstance(event, m.BetsOpened | m.BetTimeSet):
                    closes_at = event.closes_at_ms
                if isinstance(event, m.BetsClosed):
                    late.append(record.at_ms - closes_at)
        await store.close()
        return late

    late = asyncio.run(lateness())
    assert late
    assert max(late) < 1_500, "milliseconds after the deadline"


# --- Words that make no memory ---


@awaited
async def test_a_refusal_repeats_no_more_of_what_was_sent_than_a_line(url: str) -> None:
    async with screen(url, seat(1, 1)) as player:
        await player.funded(10)
        refused = await player.ask(m.PlaceBet(seat=1, spot="x" * 3_800, cents=100))
        assert refused["why"] == "no_such_bet"
        assert len(refused["detail"]) <= 40


@awaited
async def test_a_page_saves_and_places_favourites_for_its_own_seat_alone(url: str) -> None:
    async with screen(url, seat(1, 1)) as player, screen(url, seat(1, 2)) as other:
        await other.funded(100)
        await other.bets("field", 5)
        await other.do(m.SaveFavourite(seat=2, slot=1))
        for kind in m.SaveFavourite, m.PlaceFavourite, m.RemoveFavourite:
            assert (await player.ask(kind(seat=2, slot=1)))["why"] == "wrong_place"
            for slot in (0, 9, 10**30):
                assert (await player.ask(kind(seat=1, slot=slot)))["why"] == "no_such_slot"
        await other.caught_up()
        assert other.view["favourites"] == {"1": {"field": 500}}
        assert player.view["favourites"] == {}
    for odd in ("1", 1.5, None):
        async with screen(url, seat(1, 1)) as player:
            request = {"do": "save_favourite", "seat": 1, "slot": odd}
            await player.say({"type": "ask", "id": "x", "request": request})
            assert (await player.told())["type"] == "bad", odd


# --- Money that one person alone does not move ---


@awaited
async def test_the_money_of_a_reserved_seat_takes_two_people(url: str) -> None:
    async with screen(url, seat(1, 1)) as player:
        await player.funded(2000)
        await player.do(m.ReserveSeat(seat=1, pin="8642"))
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        async with screen(url, OFFICE, session, path="/ws?table=1") as boss:
            assert (await boss.ask(m.PayByHand(seat=1)))["why"] == "needs_two"
        await player.caught_up()
        assert player.view["credit_cents"] == 200_000


@awaited
async def test_credit_over_the_limit_takes_two_people_and_none_is_given_without_a_drawer(url: str) -> None:
    session = await sign_in(url, OFFICE, Role.SUPERVISOR)
    async with screen(url, OFFICE, session, path="/ws?table=1") as staff:
        assert (await staff.ask(m.GiveCredit(seat=1, cents=1_000)))["why"] == "no_drawer"
        opened = await http(url, "POST", "/api/drawer/open", {"float_cents": 20_000}, token=OFFICE, session=session)
        assert opened.status == 200
        assert (await staff.ask(m.GiveCredit(seat=1, cents=1_000_001)))["why"] == "needs_two"
        assert (await staff.ask(m.GiveCredit(seat=1, cents=-5)))["why"] == "bad_amount"
        assert (await staff.ask(m.GiveCredit(seat=1, cents=2_500)))["type"] == "done"


@awaited
async def test_credit_for_cash_has_a_receipt_and_its_drawer_is_counted(url: str) -> None:
    """A float of $200 and $25 taken; $224 counted: a dollar short, in the answer and in the report."""
    session = await sign_in(url, OFFICE, Role.SUPERVISOR)
    asked = partial(http, url, token=OFFICE, session=session)
    await asked("POST", "/api/drawer/open", {"float_cents": 20_000})
    async with screen(url, OFFICE, session, path="/ws?table=1") as staff:
        given = await staff.ask(m.GiveCredit(seat=1, cents=2_500))
    receipt = await asked("GET", f"/api/receipts/1/{given['seq']}")
    assert (receipt.status, receipt.headers["content-type"]) == (200, "application/pdf")
    assert (await asked("GET", f"/api/receipts/1/{given['seq'] - 1}")).status == 404
    assert (await asked("GET", "/api/drawer")).json == {"open": True, "float_cents": 20_000}
    closed = await asked("POST", "/api/drawer/close", {"counted_cents": 22_400})
    assert closed.json == {"held_cents": 22_500, "difference_cents": -100}
    assert (await asked("POST", "/api/drawer/close", {"counted_cents": 0})).json["why"] == "no_drawer"
    page = (await asked("GET", "/api/report")).body.decode()
    assert "Cash drawers" in page


# --- A table of one seat ---


def test_a_table_of_one_seat_is_played_by_its_swipe_alone(tmp_path: Path) -> None:
    config = CONFIG.replace("seats = 3, mode", "seats = 1, mode", 1).replace("result_s = 300", "result_s = 1", 1)

    async def scenario(url: str) -> None:
        async with screen(url, seat(1, 1)) as player:
            await player.funded(100)
            idle = await player.ask(m.Shoot(seat=1))
            assert idle["why"] == "nothing_to_do"
            for _ in range(2):
                await player.until(lambda view: view["shared"]["phase"] == "betting")
                rolls = len(player.view["shared"]["history"])
                await player.do(m.PlaceBet(seat=1, spot="field", cents=500), m.Shoot(seat=1))
                await player.until(lambda view, rolls=rolls: len(view["shared"]["history"]) > rolls)  # type: ignore[misc]
                await player.until(lambda view: view["shared"]["phase"] == "betting")

    with ServerProcess(prepare(tmp_path / "floor", config)) as server:
        asyncio.run(scenario(server.url))


# --- What a second attacker found ---


@awaited
async def test_a_drawer_that_is_closed_while_credit_is_given_answers_for_every_cent(url: str) -> None:
    """Before, the count was taken against what the drawer held a moment ago, and the credit was nobody's."""
    session = await sign_in(url, OFFICE, Role.SUPERVISOR)
    asked = partial(http, url, token=OFFICE, session=session)
    async with screen(url, OFFICE, session, path="/ws?table=1") as staff:
        for _ in range(5):
            await asked("POST", "/api/drawer/open", {"float_cents": 0})
            giving = asyncio.create_task(staff.ask(m.GiveCredit(seat=1, cents=40_000)))
            closed = await asked("POST", "/api/drawer/close", {"counted_cents": 0})
            given = 40_000 if (await giving)["type"] == "done" else 0
            assert closed.json == {"held_cents": given, "difference_cents": -given}
            assert (await staff.ask(m.GiveCredit(seat=1, cents=100)))["why"] == "no_drawer"


@awaited
async def test_one_person_opens_no_seat_whose_pin_guards_money(url: str) -> None:
    async with screen(url, seat(1, 1)) as player:
        await player.funded(500)
        await player.do(m.ReserveSeat(seat=1, pin="8642"))
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        async with screen(url, OFFICE, session, path="/ws?table=1") as boss:
            assert (await boss.ask(m.ReturnToSeat(seat=1)))["why"] == "needs_two"
        await player.do(m.ReturnToSeat(seat=1, pin="8642"))


@awaited
async def test_an_approval_of_one_roll_reverses_no_later_one(url: str) -> None:
    dealers = await sign_in(url, dealer(2), Role.DEALER)
    async with screen(url, dealer(2), dealers) as deals, screen(url, seat(2, 1)) as player:
        await player.funded(100)

        async def rolls(first: int, second: int) -> None:
            await player.bets("field", 10)
            await deals.do(m.CloseBets(), m.EnterDice(dice=(first, second)), m.ConfirmDice(), m.OpenBets())

        await rolls(1, 4)
        wanted = m.ReverseRoll(dice=(6, 6))
        approver = (await approve(url, dealer(2), dealers, Role.PIT_BOSS, Deed(2, wanted))).json["approver"]
        await rolls(2, 3)
        assert (await deals.ask(wanted, approver=approver))["why"] == "needs_two"


@awaited
async def test_one_seat_recalls_its_rounds_only_so_often(url: str) -> None:
    answers = [await http(url, "GET", "/api/recall", token=seat(1, 1)) for _ in range(25)]
    found = {answer.status for answer in answers}
    assert found == {200, 429}
    assert (await http(url, "GET", "/api/recall", token=seat(1, 2))).status == 200, "another seat is not affected"


@awaited
async def test_the_receipt_of_no_record_is_not_found_whatever_its_number(url: str) -> None:
    session = await sign_in(url, OFFICE, Role.SUPERVISOR)
    for where in ("1/99999999999999999999999", "99999999999999999999999/1", "1/0"):
        answer = await http(url, "GET", f"/api/receipts/{where}", token=OFFICE, session=session)
        assert answer.status == 404, where
