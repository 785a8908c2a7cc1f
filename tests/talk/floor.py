"""A floor to test on: its staff, a journal in memory, and a table that prints and takes tickets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from stickman.devices.signals import SlipPrinted
from stickman.floor import journal, tickets
from stickman.floor.events import AccountAdded, Decision, FloorEvent, PasswordChanged, Refusal, Refused, Role
from stickman.floor.office import Floor, Office, evolve
from stickman.floor.tickets import Ticket
from stickman.rules.settings import load
from stickman.store.memory import MemoryStore
from stickman.store.store import EMPTY, Batch, Lease, Store
from stickman.table import messages as m
from stickman.table.decide import decide_given as decide
from stickman.table.evolve import evolve_all
from stickman.table.state import new_table
from tests.talk import Money, in_cents
from tests.talk.devices import bill_stacked, ticket_held, ticket_stacked

AT_MS = 1_700_000_000_000
KEY = bytes(range(32))

ADMINISTRATOR, SUPERVISOR, PIT_BOSS, DEALER = "badge-1", "badge-2", "badge-3", "badge-4"
ROLES = dict(zip((DEALER, PIT_BOSS, SUPERVISOR, ADMINISTRATOR), Role, strict=True))


def in_memory(scenario: Callable[[MemoryStore], Awaitable[None]]) -> Callable[[], None]:
    """A test of a scenario on an empty journal in memory."""

    async def told() -> None:
        store = MemoryStore()
        await scenario(store)
        await store.close()

    def test() -> None:
        asyncio.run(told())

    return test


# --- The floor ---


def hiring(badge: str, role: Role) -> tuple[FloorEvent, ...]:
    """Somebody who has changed their one-time password."""
    added = AccountAdded(badge=badge, label=f"Staff {badge}", role=role, password_hash=f"once of {badge}")
    return added, PasswordChanged(badge=badge, password_hash=f"hash of {badge}")


HIRED = tuple(event for badge, role in ROLES.items() for event in hiring(badge, role))


def after(floor: Floor, *decisions: Decision) -> Floor:
    for decision in decisions:
        for event in happened(decision):
            floor = evolve(floor, event)
    return floor


def happened(decision: Decision) -> tuple[FloorEvent, ...]:
    assert not isinstance(decision, Refused), decision
    return decision


def refusal(decision: object) -> Refusal:
    assert isinstance(decision, Refused), decision
    return decision.why


def staffed() -> Floor:
    """A floor where each role has one member."""
    return after(Floor(), HIRED)


async def staffed_office(store: Store) -> Office:
    office = await Office.open(store)
    happened(await office.act(lambda _: HIRED, at_ms=AT_MS, actor="test"))
    return office


# --- A table ---


class BookedTable:
    """A table of a few lines that writes its journal, and knows of tickets what the journal says."""

    def __init__(self, store: Store, lease: Lease) -> None:
        self.store, self.lease = store, lease
        self.table = new_table(load("craps"))
        self.head = EMPTY
        self.numbers = tickets.Numbers(KEY, lease.stream)

    async def step(
        self, request: m.Request | m.Reported, *, at_ms: int = AT_MS, ticket: Ticket | None = None, drawer: str = ""
    ) -> None:
        facts = m.Facts(
            now_ms=at_ms,
            ticket_number=self.numbers.next(self.table),
            ticket=m.TicketIn(ticket.number, ticket.cents_at_table or 0, ticket.holds) if ticket else None,
            actor="badge-4",
            drawer=drawer,
        )
        decision = decide(self.table, request, facts)
        assert not isinstance(decision, m.Refused), decision
        await self.write(decision, at_ms=at_ms)

    async def write(self, events: tuple[m.Event, ...], *, at_ms: int = AT_MS) -> None:
        stream, epoch = self.lease.stream, self.lease.epoch
        entry = journal.entry(self.head, events, stream=stream, at_ms=at_ms, actor="pit")
        self.head = await self.store.append(Batch(stream, epoch, self.head, (entry,)))
        self.table = evolve_all(self.table, events)

    async def prints(self, amount: Money, *, seat: int = 1, at_ms: int = AT_MS) -> str:
        """The number of a ticket for so much."""
        number = self.numbers.next(self.table)
        await self.step(bill_stacked(seat, in_cents(amount)), at_ms=at_ms)
        await self.step(m.CashOut(seat=seat), at_ms=at_ms)
        await self.step(slip_printed(seat, number), at_ms=at_ms)
        return number

    async def redeems(self, ticket: Ticket, *, seat: int = 1, at_ms: int = AT_MS) -> None:
        """A ticket in escrow is held, and redeemed when it is stacked."""
        await self.step(ticket_held(seat, ticket.number), at_ms=at_ms, ticket=ticket)
        await self.step(ticket_stacked(seat, ticket.number), at_ms=at_ms)

    async def tips(self, amount: Money, *, seat: int = 1) -> str:
        """The number of a tip ticket for so much."""
        number = self.numbers.next(self.table)
        await self.step(bill_stacked(seat, in_cents(amount)))
        if not self.table.has_dealer:
            await self.write((m.ModeSelected(mode="dealer_assisted"), m.DealerSignedIn(dealer="badge-4")))
        await self.step(m.GiveTip(seat=seat, cents=in_cents(amount)))
        await self.step(slip_printed(seat, number))
        return number


def slip_printed(seat: int, number: str) -> m.Reported:
    return m.Reported(seat=seat, kind="printer", signal=SlipPrinted(job=number))
