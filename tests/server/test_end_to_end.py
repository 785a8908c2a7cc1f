"""The real program in a process of its own, over real sockets: rounds, reconnections, crashes, and nonsense."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus

from stickman.cli.serve_commands import backup
from stickman.client import enrol
from stickman.floor.events import Role
from stickman.floor.verify import Verdict, verify
from stickman.store import open_store
from stickman.table import messages as m
from stickman.table.decide import DECIDERS
from stickman.table.frames import Plain
from tests.floor.evening import awaited
from tests.server.process import CONFIG, PASSWORD, ServerProcess, dealer, prepare, seat
from tests.store.postgres_server import PostgresServer
from tests.talk.server import Screen, device, http, line, screen, sign_in

FIELD = {2: 2, 3: 1, 4: 1, 9: 1, 10: 1, 11: 1, 12: 2}
"""By total, what the Field pays to 1 in the built-in craps game (IB 2.8: 2 and 12 double)."""
CASH, BET = 100, 5


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for tests that leave the tables as they found them."""
    many = "[limits]\njoins_burst = 10_000\nseat_messages_burst = 10_000\n"
    config = prepare(tmp_path_factory.mktemp("end_to_end") / "floor", CONFIG + many)
    with ServerProcess(config) as server:
        yield server.url


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server of one's own, to be killed."""
    with ServerProcess(prepare(tmp_path / "floor")) as process:
        yield process


def verdict(folder: Path) -> Verdict:
    async def judge() -> Verdict:
        store = await open_store(f"sqlite:{folder / 'floor.db'}")
        try:
            return await verify(store)
        finally:
            await store.close()

    return asyncio.run(judge())


@asynccontextmanager
async def table(url: str, number: int) -> AsyncIterator[tuple[Screen, Screen]]:
    """The first seat and the dealer of a table."""
    session = await sign_in(url, dealer(number), Role.DEALER)
    async with screen(url, seat(number, 1)) as player, screen(url, dealer(number), session) as deals:
        yield player, deals


async def cleared(player: Screen, deals: Screen) -> None:
    """A new round, with nothing on the felt and nothing in credit, unless a wager has its point."""
    if deals.phase == "rolled":
        await deals.do(m.OpenBets())
    await player.ask(m.PressButton(seat=1, button="cancel_all"))
    await player.caught_up()
    if player.view["credit_cents"] and not player.view["wagers"]:
        await player.cashes_out()


# --- Rounds ---


@awaited
async def test_a_round_is_played_where_the_table_rolls(url: str) -> None:
    async with table(url, 1) as (player, deals):
        await player.funded(CASH)
        await player.bets("pass", BET)
        await player.bets("field", BET)
        await deals.do(m.CloseBets())
        await player.do(m.Shoot(seat=1))
        view = await player.until(lambda view: view["shared"]["phase"] == "rolled")
        total = view["shared"]["history"][-1]["total"]
        field = BET * (1 + FIELD[total]) if total in FIELD else 0
        line_bet = 2 * BET if total in (7, 11) else 0
        assert view["credit_cents"] == 100 * (CASH - 2 * BET + field + line_bet)
        assert ("pass" in view["wagers"]) == (total in (4, 5, 6, 8, 9, 10))
        await cleared(player, deals)


@awaited
async def test_a_round_is_played_where_the_dealer_enters_the_dice(url: str) -> None:
    async with table(url, 2) as (player, deals):
        await player.funded(CASH)
        await player.bets("pass", BET)
        await deals.do(m.CloseBets(), m.EnterDice(dice=(6, 6)), m.EnterDice(dice=(5, 6)))
        await deals.until(lambda view: view["entered"] == [5, 6])
        assert player.view["credit_cents"] == 100 * (CASH - BET)
        await deals.do(m.ConfirmDice())
        await player.until(lambda view: view["credit_cents"] == 100 * (CASH + BET))
        await cleared(player, deals)


@awaited
async def test_a_bet_after_bets_closed_is_refused_and_changes_nothing(url: str) -> None:
    async with table(url, 2) as (player, deals):
        await player.funded(CASH)
        await player.bets("field", BET)
        await deals.do(m.CloseBets())
        late = await player.ask(m.PlaceBet(seat=1, spot="field", cents=100 * BET))
        assert (late["type"], late["why"]) == ("refused", "wrong_phase")
        assert late["says"]
        assert player.view["credit_cents"] == 100 * (CASH - BET)
        await deals.do(m.EnterDice(dice=(4, 4)), m.ConfirmDice())
        await cleared(player, deals)


@awaited
async def test_ten_seats_play_at_once(url: str) -> None:
    session = await sign_in(url, dealer(3), Role.DEALER)
    async with AsyncExitStack() as stack:
        seats = [await stack.enter_async_context(screen(url, seat(3, number))) for number in range(1, 11)]
        deals = await stack.enter_async_context(screen(url, dealer(3), session))

        async def bets(player: Screen) -> None:
            await player.funded(CASH)
            await player.bets("field", BET)

        await asyncio.gather(*map(bets, seats))
        await deals.do(m.CloseBets())  # nobody shoots, so the table rolls
        views = [await player.until(lambda view: view["shared"]["phase"] == "rolled") for player in seats]
        total = views[0]["shared"]["history"][-1]["total"]
        expected = 100 * (CASH - BET + (BET * (1 + FIELD[total]) if total in FIELD else 0))
        assert [view["credit_cents"] for view in views] == [expected] * 10


@awaited
async def test_a_frame_that_shows_it_comes_before_its_answer(url: str) -> None:
    async with screen(url, seat(1, 3)) as player:
        await player.do(m.CallService(seat=3))
        assert player.heard[-2:] == ["frame", "done"]


@awaited
async def test_an_id_asked_twice_is_done_once_and_answered_the_same(url: str) -> None:
    out = m.CashOut(seat=3)
    async with screen(url, seat(1, 3)) as player, device(url, "printer", 1, 3) as printer:
        await player.funded(7)
        first = await player.ask(out, "out-once")
        assert first["type"] == "done"
        await printer.prints()
        assert await player.ask(out, "out-once") == first
        async with screen(url, seat(1, 3)) as again:
            assert await again.ask(out, "out-once") == first
            assert again.view["stay"]["out_cents"] == 700, "paid out once"


@awaited
async def test_an_id_is_its_askers_own(url: str) -> None:
    async with screen(url, seat(2, 2)) as one, screen(url, seat(2, 3)) as other:
        assert (await one.ask(m.NameSeat(seat=2, name="One"), "same"))["type"] == "done"
        assert (await other.ask(m.NameSeat(seat=3, name="Other"), "same"))["type"] == "done"


# --- Coming back ---

STEPS: dict[str, tuple[m.Request, ...]] = {
    "betting": (),
    "shooting": (m.CloseBets(),),
    "rolled": (m.CloseBets(), m.EnterDice(dice=(4, 4)), m.ConfirmDice()),
}


@pytest.mark.parametrize("phase", STEPS)
@awaited
async def test_a_screen_that_comes_back_in_any_phase_misses_nothing_and_gets_no_more(url: str, phase: str) -> None:
    async with table(url, 2) as (player, deals):
        async with screen(url, seat(2, 2)) as leaves:
            seen, view = leaves.seq, leaves.view
        await player.funded(CASH)
        await player.bets("field", BET)
        await deals.do(*STEPS[phase])
        async with screen(url, seat(2, 2), after=seen) as back, screen(url, seat(2, 2)) as fresh:
            back.view = view
            await back.caught_up()
            assert "snapshot" not in back.heard
            assert back.view == fresh.view
            assert back.phase == phase
        if phase != "rolled":
            await deals.ask(m.CloseBets())
            await deals.do(m.EnterDice(dice=(4, 4)), m.ConfirmDice())
        await cleared(player, deals)


# --- Dying ---


def lasting(view: Plain) -> Plain:
    """A dealer's view but for what a restart may change: times, and that nobody is signed in any more."""
    shared = {key: value for key, value in view["shared"].items() if key not in ("deadline_ms", "message")}
    return {**view, "shared": shared}


@awaited
async def test_a_server_killed_in_any_phase_goes_on_from_the_exact_state(server: ServerProcess) -> None:
    for phase, steps in STEPS.items():
        async with table(server.url, 2) as (player, deals):
            await player.funded(CASH)
            await player.bets("field", BET)
            await deals.do(*steps)
            await deals.caught_up()
            await player.caught_up()
            before, money = lasting(deals.view), player.view["credit_cents"]
            assert deals.phase == phase
            server.kill()
        server.start()
        async with table(server.url, 2) as (player, deals):
            assert lasting(deals.view) == before
            assert player.view["credit_cents"] == money
            if phase != "rolled":
                await deals.ask(m.CloseBets())
                await deals.do(m.EnterDice(dice=(4, 4)), m.ConfirmDice())
            await cleared(player, deals)


@awaited
async def test_what_was_answered_before_a_crash_is_answered_the_same_after_it(server: ServerProcess) -> None:
    async with screen(server.url, seat(1, 1)) as player:
        await player.funded(CASH)
        first = await player.ask(m.PlaceBet(seat=1, spot="field", cents=100 * BET), "once")
        server.kill()
    server.start()
    async with screen(server.url, seat(1, 1)) as player:
        assert player.view["credit_cents"] == 100 * (CASH - BET)
        assert await player.ask(m.PlaceBet(seat=1, spot="field", cents=100 * BET), "once") == first
        assert player.view["credit_cents"] == 100 * (CASH - BET)


def test_a_server_told_to_stop_says_goodbye_and_leaves_its_tables(server: ServerProcess, tmp_path: Path) -> None:
    async def stopped() -> int:
        async with screen(server.url, seat(1, 1)) as player:
            await player.funded(CASH)
            code = await asyncio.to_thread(server.stop)
            with pytest.raises(ConnectionClosed) as closed:
                await player.told()
            assert closed.value.rcvd
            assert closed.value.rcvd.code == 1001
        return code

    assert asyncio.run(stopped()) == 0
    assert verdict(tmp_path / "floor").faults == []
    said = server.log()
    assert no_secrets(said), said


def no_secrets(log: str) -> bool:
    return PASSWORD not in log and seat(1, 1) not in log and "Traceback" not in log


def test_a_journal_is_copied_while_tables_play(server: ServerProcess, tmp_path: Path) -> None:
    async def plays() -> None:
        async with screen(server.url, seat(1, 1)) as player:
            await player.funded(CASH)

    asyncio.run(plays())
    (tmp_path / "copy").mkdir()
    copied = [str(tmp_path / "floor" / "floor.db"), str(tmp_path / "copy" / "floor.db"), "--json"]
    told = CliRunner().invoke(backup, copied)
    assert told.exit_code == 0, told.output
    assert json.loads(told.output)["bytes"] > 0
    assert verdict(tmp_path / "copy").faults == []
    assert CliRunner().invoke(backup, copied).exit_code == 1, "a backup overwrites nothing"


def test_of_two_servers_with_one_database_one_takes_over_and_outlives_a_crash_of_it(tmp_path: Path) -> None:
    with PostgresServer() as postgres:
        config = prepare(tmp_path / "floor", database=postgres.database("floor"))
        first, second = ServerProcess(config), ServerProcess(config)

        async def plays(url: str) -> Plain:
            async with screen(url, seat(1, 1)) as player:
                if not player.view["credit_cents"]:
                    await player.funded(CASH)
                return await player.ask(m.PlaceBet(seat=1, spot="field", cents=100 * BET), "once")

        with first:
            before = asyncio.run(plays(first.url))
            second.begin()
            first.kill()
        with second:
            assert asyncio.run(plays(second.url)) == before
            postgres.kill()
            postgres.start()
            assert asyncio.run(persists(second.url, m.TakeBet(seat=1, spot="field")))["type"] == "done"
            assert second.stop() == 0


async def persists(url: str, request: m.Request) -> Plain:
    """Ask as a screen does that comes back whenever it is thrown out."""
    async with asyncio.timeout(20):
        while True:
            with suppress(ConnectionClosed, InvalidStatus):
                async with screen(url, seat(1, 1)) as player:
                    return await player.ask(request, "persistent")
            await asyncio.sleep(0.1)


# --- Nonsense ---

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
SPOTS = st.sampled_from(["pass", "come", "place.6", "hop.1-3", "field", "horn", "bonus.all", "no.such", ""])
NEAR: dict[str, st.SearchStrategy[Any]] = {
    "seat": st.integers(-1, 4),
    "cents": st.integers(-1, 10**13) | st.sampled_from([100, 500, 600, 1200]),
    "spot": SPOTS,
    "to": SPOTS,
    "on": st.booleans(),
    "accept": st.booleans(),
    "number": st.text("0123456789-", max_size=20),
    "button": st.sampled_from(["across", "press", "double", "repeat", "clear_all", "jackpot"]),
    "dice": st.tuples(st.integers(-1, 8), st.integers(0, 7)),
    "key": st.sampled_from(["seats", "odds.take", "points", "bets", "x.y", ""]),
    "text": st.text(max_size=20),
    "device": st.sampled_from(["terminal-1", "printer", ""]),
    "switch": st.sampled_from(["keep_bets", "auto_repeat", "shooter_play", "light"]),
    "mode": st.sampled_from(["automated", "dealer_assisted", "x"]),
    "pin": st.sampled_from(["", "4711", "1", "12345678", "123456789", "x"]),
    "name": st.text(max_size=20),
    "reason": st.sampled_from(["cocked", "because"]),
    "slot": st.integers(-1, 10),
}


@st.composite
def near_the_schema(draw: st.DrawFn) -> object:
    """A request as it should be, or nearly."""
    kind = draw(st.sampled_from(sorted(DECIDERS, key=str)))
    request: dict[str, Any] = {"do": kind.__struct_config__.tag}
    for field in kind.__struct_fields__:
        request[field] = draw(NEAR[field] if draw(st.integers(0, 9)) else ANYTHING)
    if draw(st.integers(0, 9)) == 0:
        request[draw(st.text(max_size=8))] = draw(ANYTHING)
    return {"type": "ask", "id": draw(st.uuids().map(str) | st.text(max_size=5)), "request": request}


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.lists(near_the_schema(), min_size=1, max_size=8), ANYTHING, st.text(max_size=50))
def test_whatever_is_said_is_answered_and_never_stops_the_table(
    url: str, asked: list[object], anything: object, text: str
) -> None:
    async def talk() -> None:
        session = await sign_in_once(url)
        for who, staff in ((seat(1, 2), ""), (dealer(1), session)):
            async with screen(url, who, staff) as fuzzes:
                for said in asked:
                    await fuzzes.say(said)
                    answer = await fuzzes.told()
                    assert answer["type"] in ("done", "refused", "bad"), answer
                    if answer["type"] == "bad":
                        break
            for nonsense in (json.dumps(anything), text):
                async with line(url, who) as fuzzes:
                    await fuzzes.socket.send(nonsense)
                    assert (await fuzzes.hear())["type"] == "bad"
        assert (await http(url, "GET", "/readyz")).status == 200

    asyncio.run(talk())


_sessions: dict[str, str] = {}


async def sign_in_once(url: str) -> str:
    if url not in _sessions:
        _sessions[url] = await sign_in(url, dealer(1), Role.ADMINISTRATOR)
    return _sessions[url]


# --- The demonstration ---

WELCOME_CENTS = 30_000
"""Three bills of 100.00."""


def test_the_demonstration_opens_with_links_a_password_and_bills_from_its_acceptors_once(tmp_path: Path) -> None:
    async def visits(told: Plain, number: int) -> int:
        link = told["links"][f"table 5 seat {number}"]
        assert link == f"{told['url']}/seat/{number}?table=5"
        async with screen(told["url"], await enrol(link)) as player:
            return int((await player.until(lambda view: view["credit_cents"] >= WELCOME_CENTS))["credit_cents"])

    async def signs_in(told: Plain) -> int:
        office = await enrol(told["links"]["office"])
        who = {"badge": told["badges"][0], "password": told["password"]}
        return (await http(told["url"], "POST", "/api/sign-in", who, token=office)).status

    for number in (1, 2):
        with Demonstration(tmp_path) as demo:
            assert asyncio.run(visits(demo.told, number)) == WELCOME_CENTS
            assert asyncio.run(signs_in(demo.told)) == 200
            assert demo.stop() == 0


class Demonstration(ServerProcess):
    """`stickman serve --demo`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "floor.toml")
        self.options = ["--demo", "--folder", str(folder), "--port", "0"]
