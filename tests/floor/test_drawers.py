"""Cash drawers: opened with a float, closed with a count, every cent on the account of whoever answers for it."""

from __future__ import annotations

from functools import partial

import pytest

from stickman.floor import drawers, tickets
from stickman.floor.events import Decision, DrawerClosed, Refusal
from stickman.floor.office import Office
from stickman.floor.report import report
from stickman.floor.tally import Scope
from stickman.floor.verify import verify
from stickman.store.memory import MemoryStore
from stickman.table import messages as m
from tests.talk.floor import (
    AT_MS,
    DEALER,
    KEY,
    PIT_BOSS,
    SUPERVISOR,
    BookedTable,
    after,
    happened,
    in_memory,
    refusal,
    slip_printed,
    staffed,
    staffed_office,
)

FLOAT = 200_00


async def act(office: Office, decision: Decision) -> None:
    happened(await office.act(lambda _: decision, at_ms=AT_MS, actor="test"))


@in_memory
async def test_a_drawer_holds_its_float_and_what_came_in_less_what_went_out(store: MemoryStore) -> None:
    """$200 float, $50 and $30 taken for credit, an $80 ticket paid: $200 again."""
    office = await staffed_office(store)
    await act(office, drawers.open_drawer(office.floor, by=PIT_BOSS, float_cents=FLOAT))
    async with store.own(1, "pit") as lease:
        pit = BookedTable(store, lease)
        await pit.write((m.TableOpened(game=pit.table.game, fingerprint=pit.table.fingerprint),))
        for cents in (50_00, 30_00):
            await pit.step(m.GiveCredit(seat=1, cents=cents), drawer=PIT_BOSS)
        assert await drawers.held_cents(store, PIT_BOSS) == FLOAT + 80_00
        number = pit.numbers.next(pit.table)
        await pit.step(m.CashOut(seat=1))
        await pit.step(slip_printed(1, number))
    [ticket] = [each async for each in tickets.outstanding(store, [KEY], now_ms=AT_MS)]
    await act(office, tickets.pay(office.floor, ticket, by=PIT_BOSS))
    assert await drawers.held_cents(store, PIT_BOSS) == FLOAT
    assert (await verify(store)).faults == []


@in_memory
async def test_what_is_over_or_short_is_booked_and_reported(store: MemoryStore) -> None:
    office = await staffed_office(store)
    for counted, difference in ((199_50, -50), (200_25, 25)):
        await act(office, drawers.open_drawer(office.floor, by=DEALER, float_cents=FLOAT))
        await act(office, drawers.shut_drawer(office.floor, by=DEALER, badge=DEALER))
        held = await drawers.held_cents(store, DEALER)
        closing = drawers.close_drawer(
            office.floor, by=DEALER, badge=DEALER, held_cents=held, counted_cents=counted
        )
        [closed] = happened(closing)
        assert isinstance(closed, DrawerClosed)
        assert (closed.held_cents, closed.difference_cents) == (FLOAT, difference)
        await act(office, closing)
        assert await drawers.held_cents(store, DEALER) == 0, "nothing is left on its account"
    found = await report(store, Scope(), now_ms=AT_MS, progress=lambda *_: None)
    assert [row.difference_cents for row in found.drawers] == [-50, 25]
    assert {row.account: row.balance_cents for row in found.ledger}["over_short"] == -25


def test_one_person_has_one_drawer() -> None:
    opened = after(staffed(), drawers.open_drawer(staffed(), by=DEALER, float_cents=FLOAT))
    assert refusal(drawers.open_drawer(opened, by=DEALER, float_cents=FLOAT)) is Refusal.DRAWER_OPEN
    assert happened(drawers.open_drawer(opened, by=PIT_BOSS, float_cents=0))


def test_a_supervisor_counts_the_drawer_of_somebody_who_left_and_nobody_lower_does() -> None:
    opened = after(staffed(), drawers.open_drawer(staffed(), by=DEALER, float_cents=FLOAT))
    floor = after(opened, drawers.shut_drawer(opened, by=SUPERVISOR, badge=DEALER))
    count = partial(drawers.close_drawer, badge=DEALER, held_cents=FLOAT, counted_cents=FLOAT)
    assert refusal(count(floor, by=PIT_BOSS)) is Refusal.NOT_ALLOWED
    assert refusal(count(after(floor, count(floor, by=SUPERVISOR)), by=DEALER)) is Refusal.NO_DRAWER


@pytest.mark.parametrize("cents", [-1, 10**11 + 1])
def test_a_float_or_a_count_that_could_not_be_is_refused(cents: int) -> None:
    assert refusal(drawers.open_drawer(staffed(), by=DEALER, float_cents=cents)) is Refusal.BAD_AMOUNT
    opened = after(staffed(), drawers.open_drawer(staffed(), by=DEALER, float_cents=FLOAT))
    floor = after(opened, drawers.shut_drawer(opened, by=DEALER, badge=DEALER))
    closing = drawers.close_drawer(floor, by=DEALER, badge=DEALER, held_cents=FLOAT, counted_cents=cents)
    assert refusal(closing) is Refusal.BAD_AMOUNT


def test_nothing_moves_in_a_drawer_that_is_being_counted() -> None:
    opened = after(staffed(), drawers.open_drawer(staffed(), by=DEALER, float_cents=FLOAT))
    assert opened.takes_cash(DEALER)
    assert not opened.takes_cash(PIT_BOSS)
    shut = after(opened, drawers.shut_drawer(opened, by=DEALER, badge=DEALER))
    assert not shut.takes_cash(DEALER)
    assert refusal(drawers.shut_drawer(shut, by=DEALER, badge=DEALER)) is Refusal.ALREADY_SO
    assert refusal(drawers.shut_drawer(shut, by=PIT_BOSS, badge=DEALER)) is Refusal.NOT_ALLOWED
