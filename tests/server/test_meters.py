"""Ruling 38 on a real floor: a meter's key is name, base and pay table; what it owns is the same at every table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from stickman.floor import meters
from stickman.floor.events import MeterOpened, Role
from stickman.floor.journal import events_of
from stickman.floor.office import Office
from stickman.floor.seals import open_journal
from stickman.floor.verify import verify
from stickman.par.sheet import SheetRequest, sheet
from stickman.rules.money import percent
from stickman.server import floor as floors
from stickman.server.floor import LiveFloor, open_floor
from stickman.server.house import Asked
from stickman.server.pit import Accepted, Answer
from stickman.store.store import FLOOR
from stickman.table import messages as m
from stickman.table.ledger import move
from stickman.table.messages import Refused
from tests.floor.evening import awaited
from tests.server.process import BADGES, JOURNAL_KEY, OFFICE, PASSWORD, SLOW, planned_in, prepare, serving
from tests.talk.devices import bill_stacked
from tests.talk.server import PATIENCE_S, http, sign_in

ONE, FIVE = "make_em_all/100/MEA-01", "make_em_all/500/MEA-01"
SEED = 2_500_000
NUMBERS = ((1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (4, 4), (4, 5), (5, 5), (5, 6), (6, 6))
"""The ten numbers of Make 'Em All."""
SUPERVISOR, PIT_BOSS = BADGES[Role.SUPERVISOR], BADGES[Role.PIT_BOSS]


def configured(*tables: str) -> str:
    """A floor of dealer-assisted tables that play Make 'Em All, each with these settings of it."""
    told = 'database = "sqlite:floor.db"\nticket_key = "ticket.key"\njournal_key = "journal.key"\nport = 0\n'
    for number, settings in enumerate(tables, start=1):
        side = f"make_em_all = {{ on = true{settings and ', '}{settings} }}"
        told += f'[tables.{number}]\ngame = "craps"\n'
        told += f'settings = {{ seats = 3, mode = "dealer_assisted", {side}, {SLOW} }}\n'
    return told


@pytest.fixture(autouse=True)
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The house looks round all the time."""
    monkeypatch.setattr(floors, "LOOK_ROUND_S", 0.01)
    monkeypatch.setattr(floors, "LINK_LOST_MS", 10**9)  # no screen is connected, and the seats play


@pytest.fixture
def two_bases(tmp_path: Path) -> Path:
    return prepare(tmp_path / "floor", configured("", "base_cents = 500"))


@pytest.fixture
def alike(tmp_path: Path) -> Path:
    return prepare(tmp_path / "floor", configured("", ""))


@pytest.fixture
def unlike(tmp_path: Path) -> Path:
    return prepare(tmp_path / "floor", configured("", "increment_bp = 400"))


async def until(found: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not found():  # noqa: ASYNC110 - the floor tells nobody
            await asyncio.sleep(0.01)


async def asked(live: LiveFloor, table: int, *requests: m.Request, approver: str = "") -> None:
    for request in requests:
        answer = await live.ask(table, Asked(request, SUPERVISOR, approver=approver))
        assert isinstance(answer, Accepted), (request, answer)


async def sets(live: LiveFloor, table: int, key: str, text: str) -> Answer:
    """Two people change a setting of a table."""
    return await live.ask(table, Asked(m.ChangeSetting(key=key, text=text), SUPERVISOR, approver=PIT_BOSS))


async def funded(live: LiveFloor, table: int) -> None:
    assert isinstance(await live.ask(table, Asked(bill_stacked(1, 10_000), "acceptor")), Accepted)


async def rolls(live: LiveFloor, table: int, *dice: m.Dice) -> None:
    """Rolls, each followed by a new bet time."""
    for each in dice:
        await asked(live, table, m.CloseBets(), m.EnterDice(dice=each), m.ConfirmDice(), m.OpenBets())


async def two_people(url: str, path: str, body: dict[str, str]) -> dict[str, Any]:
    """A supervisor asks for a deed of the desk, and a pit boss approves it."""
    session = await sign_in(url, OFFICE, Role.SUPERVISOR)
    deed = {"endpoint": f"POST {path}", "body": body, "badge": PIT_BOSS, "password": PASSWORD}
    approved = await http(url, "POST", "/api/approve", deed, token=OFFICE, session=session)
    assert approved.status == 200, approved
    given = {**body, "approver": approved.json["approver"]}
    answer = await http(url, "POST", path, given, token=OFFICE, session=session)
    return {"status": answer.status, **(answer.json or {})}


async def reads(live: LiveFloor, meter: str) -> int:
    return (await meters.read(live.store, meter)).cents


async def journal(live: LiveFloor) -> list[str]:
    records = [record async for record in live.store.records(FLOOR)]
    return [type(event).__name__ for record in records for event in events_of(record)]


# --- The key ---


@awaited
async def test_ruling_38_a_one_and_a_five_dollar_table_have_two_meters_and_return_the_same(two_bases: Path) -> None:
    """BC3 note 4: MEA-01 returns 81.7% at its seed, whatever the base. With one meter for both, the $5 table
    returned 53.1%."""
    async with serving(two_bases) as (live, _):
        assert set(live.state.meters) == {ONE, FIVE}
        assert (await reads(live, ONE), await reads(live, FIVE)) == (SEED, 5 * SEED)
        for table, meter in ((1, ONE), (2, FIVE)):
            game = live.pits[table].table.game
            [told] = sheet(game, SheetRequest(bet="make_em_all")).bets
            assert told.progressive is not None
            award = Fraction(await reads(live, meter), game.make_em_all.base_cents)
            returned = told.progressive.fixed_rtp + told.progressive.top_award_chance * award
            assert percent(returned, 1) == "81.7%"
            assert returned == told.progressive.rtp_at_reset


@awaited
async def test_ruling_38_each_table_feeds_and_wins_the_meter_of_its_base(two_bases: Path) -> None:
    """$1 and $5 feed 5 and 25 cents; the $5 table wins its own meter, which is $125,000 again."""
    async with serving(two_bases) as (live, _):
        for table, cents in ((1, 100), (2, 500)):
            await funded(live, table)
            await asked(live, table, m.PlaceBet(seat=1, spot="make_em_all", cents=cents))
        await asked(live, 1, m.CloseBets())
        await rolls(live, 2, *NUMBERS)
        assert live.pits[2].table.credit(1) == 9_500 + 12_500_025
        assert (await reads(live, ONE), await reads(live, FIVE)) == (SEED + 5, 5 * SEED)
        assert (await verify(live.store)).faults == []


@awaited
async def test_ruling_38_a_change_of_the_base_opens_the_meter_of_that_key_and_leaves_the_other_its_money(
    alike: Path,
) -> None:
    async with serving(alike) as (live, _):
        await funded(live, 1)
        await asked(live, 1, m.PlaceBet(seat=1, spot="make_em_all", cents=100))
        answer = await sets(live, 1, "make_em_all.base_cents", "500")
        assert isinstance(answer, Refused)
        assert answer.why is m.Refusal.WAGERS_LIE
        await rolls(live, 1, (4, 4), (4, 4))  # a repeat ends the run
        await asked(live, 1, m.ChangeSetting(key="make_em_all.base_cents", text="500"), approver=PIT_BOSS)
        assert set(live.state.meters) == {ONE, FIVE}
        assert (await reads(live, ONE), await reads(live, FIVE)) == (SEED + 5, 5 * SEED)
        assert (await verify(live.store)).faults == []


# --- Tables that differ ---


@awaited
async def test_ruling_38_a_table_that_differs_is_refused_by_name(unlike: Path) -> None:
    async with open_floor(planned_in(unlike)) as live:
        await until(lambda: live.refused)
        [(number, told)] = live.refused.items()
        has, says = (500, 400) if number == 2 else (400, 500)
        assert told == [f"make_em_all.increment_bp is {says}; the meter {ONE} has {has}"]
        await until(lambda: live.pits)
        assert set(live.pits) == {3 - number}
        assert (await live.store.head(number)).seq == 0, "nothing is opened that would have to be put right"


@awaited
async def test_ruling_38_a_setting_that_brings_a_table_out_of_line_is_refused_by_name(alike: Path) -> None:
    async with serving(alike) as (live, _):
        for key, text in (("seed_cents", "3000000"), ("increment_bp", "400"), ("winners", "split")):
            answer = await sets(live, 1, f"make_em_all.{key}", text)
            assert isinstance(answer, Refused)
            assert answer.why is m.Refusal.NO_SUCH_SETTING
            assert f"make_em_all.{key} is {text}; the meter {ONE} has " in str(answer.detail)
            assert "waits until it is won" in str(answer.detail)
        await asked(live, 1, m.ChangeSetting(key="make_em_all.when", text="any_roll"), approver=PIT_BOSS)


# --- A change waits until the meter is won ---


async def changes_the_meter(url: str, key: str, value: str) -> dict[str, Any]:
    return await two_people(url, "/api/progressives/change", {"meter": ONE, "key": key, "value": value})


@awaited
async def test_ruling_38_a_change_of_seed_waits_until_the_meter_is_won_and_then_all_tables_follow(
    alike: Path,
) -> None:
    """Seed $25,000 to $30,000. The win is still paid from the old one and seeds the old one; the house adds $5,000
    once bets close again and the roll can no longer be taken back."""
    async with serving(alike) as (live, url):
        assert (await changes_the_meter(url, "seed_cents", "3000000"))["status"] == 200
        waits = live.state.meters[ONE].waits
        assert waits is not None
        assert (waits.seed_cents, await reads(live, ONE)) == (3_000_000, SEED)
        await funded(live, 1)
        await asked(live, 1, m.PlaceBet(seat=1, spot="make_em_all", cents=100))
        await rolls(live, 1, *NUMBERS)
        assert live.pits[1].table.credit(1) == 9_900 + SEED + 5
        await asked(live, 1, m.PlaceBet(seat=1, spot="field", cents=100), m.CloseBets())
        await until(lambda: live.state.meters[ONE].waits is None)
        assert await reads(live, ONE) == 3_000_000
        await until(lambda: live.pits[2].table.game.make_em_all.seed_cents == 3_000_000)
        await asked(live, 1, m.EnterDice(dice=(3, 4)), m.ConfirmDice(), m.OpenBets())
        await until(lambda: live.pits[1].table.game.make_em_all.seed_cents == 3_000_000)
        assert [name for name in await journal(live) if name.startswith("Meter")] == [
            "MeterOpened",
            "MeterChangeWaits",
            "MeterChanged",
        ]


@awaited
async def test_ruling_38_a_win_that_is_taken_back_is_no_win(alike: Path) -> None:
    async with serving(alike) as (live, url):
        await changes_the_meter(url, "increment_bp", "400")
        await funded(live, 1)
        await asked(live, 1, m.PlaceBet(seat=1, spot="make_em_all", cents=100))
        await rolls(live, 1, *NUMBERS)
        await asked(live, 1, m.ReverseRoll(dice=(6, 5)), approver=PIT_BOSS)
        await asked(live, 1, m.OpenBets(), m.PlaceBet(seat=1, spot="field", cents=100), m.CloseBets())
        assert not await meters.is_won(live.store, ONE, live.state.meters[ONE])
        assert live.state.meters[ONE].waits is not None


@awaited
async def test_ruling_38_a_change_of_a_meter_takes_two_people_and_says_what_is_allowed(alike: Path) -> None:
    async with serving(alike) as (live, url):
        session = await sign_in(url, OFFICE, Role.SUPERVISOR)
        body = {"meter": ONE, "key": "increment_bp", "value": "400"}
        alone = await http(url, "POST", "/api/progressives/change", body, token=OFFICE, session=session)
        assert (alone.status, alone.json["why"]) == (403, "needs_two")
        for key, value in (("increment_bp", "20000"), ("seed_cents", "none"), ("base_cents", "500")):
            answer = await changes_the_meter(url, key, value)
            assert answer["why"] == "no_such_setting"
            assert answer["detail"]["values"]["allowed"]
        assert (await changes_the_meter(url, "increment_bp", "500"))["why"] == "already_so"
        assert live.state.meters[ONE].waits is None


# --- A meter left behind ---


@awaited
async def test_ruling_38_two_people_move_the_money_of_a_meter_left_behind(alike: Path) -> None:
    async with serving(alike) as (live, url):
        body = {"meter": ONE, "to": FIVE}
        assert (await two_people(url, "/api/progressives/move", body))["why"] == "meter_played"
        for table in (1, 2):
            await asked(live, table, m.ChangeSetting(key="make_em_all.base_cents", text="500"), approver=PIT_BOSS)
        session = await sign_in(url, OFFICE, Role.SUPERVISOR)
        alone = await http(url, "POST", "/api/progressives/move", body, token=OFFICE, session=session)
        assert (alone.status, alone.json["why"]) == (403, "needs_two")
        assert (await two_people(url, "/api/progressives/move", {"meter": ONE, "to": "x"}))[
            "why"
        ] == "no_such_meter"
        assert (await two_people(url, "/api/progressives/move", body))["status"] == 200
        assert set(live.state.meters) == {FIVE}
        assert (await reads(live, ONE), await reads(live, FIVE)) == (0, 6 * SEED)
        assert (await journal(live))[-1] == "MeterMoved"
        assert (await two_people(url, "/api/progressives/move", body))["why"] == "no_such_meter"


@awaited
async def test_ruling_38_the_meter_of_an_old_journal_keeps_its_money_until_it_is_moved(alike: Path) -> None:
    """Journals of versions 1 and 2 have meters by name alone: here at $27,000.00, with $4.00 in reserve."""
    store = await open_journal(f"sqlite:{alike.parent / 'floor.db'}", JOURNAL_KEY)
    office = await Office.open(store)
    put_up = (
        *move("house", "progressive:make_em_all", 2_700_000),
        *move("house", "progressive:make_em_all:reserve", 400),
    )
    old = MeterOpened(meter="make_em_all", seed_cents=SEED, transfers=put_up)
    await office.act(lambda _: (old,), at_ms=2, actor="house")
    await store.close()
    async with serving(alike) as (live, url):
        assert set(live.state.meters) == {"make_em_all", ONE}
        assert (await reads(live, "make_em_all"), await reads(live, ONE)) == (2_700_000, SEED)
        moved = await two_people(url, "/api/progressives/move", {"meter": "make_em_all", "to": ONE})
        assert moved["status"] == 200
        assert (await reads(live, ONE), await meters.reserve_cents(live.store, ONE)) == (SEED + 2_700_000, 400)
        assert set(live.state.meters) == {ONE}
        assert (await verify(live.store)).faults == []
