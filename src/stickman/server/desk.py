"""The office's desk: what staff ask over HTTP rather than at a table. Who may ask is checked before."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct

from stickman.floor import meters, staff, terminals, tickets
from stickman.floor.events import Decision, Place, Refusal, Refused, Role, Screen
from stickman.floor.journal import events_of
from stickman.floor.office import Floor
from stickman.floor.report import report
from stickman.floor.tally import LOGS, UNTOLD, Scope
from stickman.rules.datafile import to_text
from stickman.rules.game import settings, written
from stickman.server.floor import HousePit, LiveFloor
from stickman.store import open_store
from stickman.store.store import FLOOR, Record
from stickman.table import messages as m
from stickman.table.messages import Event

T = TypeVar("T")
ROUNDS, ROUNDS_MAX = 10, 100
EVENTS_MAX, RECORDS_READ = 200, 2_000
"""Of significant events, as many are told at once, and as many records are read to find them."""


DIGITS_MAX = 13


class Visit(NamedTuple):
    """Somebody at the desk, and what they ask for."""

    floor: LiveFloor
    terminal: str
    badge: str
    path: Mapping[str, Any]
    query: Mapping[str, str]
    body: bytes

    def wants(self, kind: type[T]) -> T:
        """What the body says; `msgspec.DecodeError` where it cannot be read."""
        return msgspec.json.decode(self.body, type=kind)

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """A number of the query."""
        text = self.query.get(name, str(default))
        if not (text.isascii() and text.isdigit() and len(text) <= DIGITS_MAX and low <= int(text) <= high):
            raise BadQuery(f"{name} is {text[:40]!r}; allowed: {low:,} to {high:,}")
        return int(text)

    @property
    def pit(self) -> HousePit:
        """The table that is asked about."""
        pit = self.floor.pits.get(self.path["table"])
        if pit is None:
            known = ", ".join(map(str, sorted(self.floor.pits))) or "none now"
            raise NotHere(f"table {self.path['table']} is not served here; allowed: {known}")
        return pit

    async def act(self, decide: Callable[[Floor], Decision]) -> Decision:
        return await self.floor.office.act(decide, at_ms=self.floor.clock.now_ms(), actor=self.badge)


class BadQuery(Exception):
    """A query that cannot be read: what was found and what is allowed."""


class NotHere(Exception):
    """Something that there is not: what was asked for, and what there is."""


# --- Tables ---


async def tables(visit: Visit) -> object:
    """Every table, and how it stands."""
    return [
        {"number": number, "name": laid.name, **_standing(visit.floor.pits.get(number))}
        for number, laid in visit.floor.plan.tables.items()
    ]


def _standing(pit: HousePit | None) -> dict[str, object]:
    if pit is None:
        return {"served": False}
    table = pit.table
    return {
        "served": True,
        "game": table.game.name,
        "title": table.game.title,
        "fingerprint": table.fingerprint,
        "seats": len(table.seats),
        "mode": table.mode,
        "phase": table.phase,
        "paused": table.paused,
        "dealer": table.dealer,
        "round": table.round,
        "records": pit.boxman.page.head.seq,
        "screens": pit.screens.connections,
    }


async def table_settings(visit: Visit) -> object:
    """Every setting of a table's game: what it is, what it may be, and what the lock leaves of that."""
    game, lock = visit.pit.table.game, visit.floor.plan.lock
    found = [
        {
            "key": each.key,
            "value": written(each.value),
            "allowed": each.allowed,
            "lock": str(lock.allowed(each.key, game.name)) if lock else "anything",
            "help": each.help,
        }
        for each in settings(game)
    ]
    return {"game": game.name, "fingerprint": visit.pit.table.fingerprint, "settings": found}


async def all_meters(visit: Visit) -> object:
    """The meters of every table, and the progressives that they share."""
    pits = visit.floor.pits
    shared = {meter for pit in pits.values() for meter in meters.played(pit.table.game)}
    return {
        "tables": {number: _metered(pit) for number, pit in pits.items()},
        "progressives": {each: (await meters.read(visit.floor.store, each))._asdict() for each in sorted(shared)},
    }


def _metered(pit: HousePit) -> dict[str, object]:
    table = pit.table
    return {"play": table.play_meters, "cash": table.cash_meters, "under_a_cent": table.under_a_cent}


# --- What happened ---


async def events(visit: Visit) -> object:
    """Significant events of a stream (`table`, 0 for the floor) after a record, oldest first; by default among the
    newest records. Ask again after the number that comes with them."""
    stream, store = visit.number("table", FLOOR, 0, terminals.TABLE_MAX), visit.floor.store
    end = (await store.head(stream)).seq
    after = visit.number("after", max(0, end - RECORDS_READ), 0, 10**12)
    found: list[dict[str, Any]] = []
    async for record in store.records(stream, after, min(end, after + RECORDS_READ)):
        found += [_line(event, record) for event in events_of(record) if type(event) in LOGS]
        after = record.seq
        if len(found) >= EVENTS_MAX:
            break
    return {"events": found, "after": after, "more": after < end}


def _line(event: Event, record: Record) -> dict[str, Any]:
    told = msgspec.to_builtins(event, enc_hook=to_text)
    seat = {"seat": event.seat} if isinstance(event, m.SeatEvent) else {}
    detail = {name: value for name, value in told.items() if name not in UNTOLD}
    return {"seq": record.seq, "at_ms": record.at_ms, "actor": record.actor, **seat, **detail}


RECALLED = (m.BetsClosed, m.ShooterChosen, m.NoRollCalled, m.DiceRolled, m.Settled, m.RollVoided)


async def rounds(visit: Visit) -> object:
    """The last rounds as they were: what lay when bets closed, the dice, what was paid, from the journal alone.
    Events are closed, so nothing is worked out again."""
    wanted = visit.number("last", ROUNDS, 1, ROUNDS_MAX)
    stream, head = visit.path["table"], visit.pit.boxman.page.head
    reach = RECORDS_READ
    while True:
        found = await _rounds(visit.floor, stream, max(0, head.seq - reach))
        if len(found) >= wanted or reach >= head.seq:
            return found[-wanted:]
        reach *= 4


async def _rounds(floor: LiveFloor, stream: int, after: int) -> list[dict[str, Any]]:
    """The rounds whose bets closed after a record."""
    found: deque[dict[str, Any]] = deque(maxlen=ROUNDS_MAX)
    async for record in floor.store.records(stream, after):
        for event in events_of(record):
            if isinstance(event, m.BetsClosed):
                found.append({"seq": record.seq, "at_ms": record.at_ms, "events": []})
            if isinstance(event, RECALLED) and found:
                found[-1]["events"].append(msgspec.to_builtins(event, enc_hook=to_text, str_keys=True))
    return list(found)


async def dealers(visit: Visit) -> object:
    """What happened while each dealer dealt. The whole journal of the table is read for it, by a reader of its own
    in a thread, so that no table waits."""
    database, table, now_ms = visit.floor.plan.database, visit.pit.boxman.lease.stream, visit.floor.clock.now_ms()

    async def read() -> object:
        store = await open_store(database)
        try:
            found = await report(store, Scope(table=table), now_ms=now_ms, progress=lambda _stream, _seq: None)
        finally:
            await store.close()
        return found.dealers

    async with visit.floor.reporting:
        return await asyncio.to_thread(asyncio.run, read())


# --- Tickets ---


class Void(Struct, forbid_unknown_fields=True):
    """Why a ticket is voided, and the second person, who gave their password at this terminal."""

    approver: str
    reason: str


async def ticket(visit: Visit) -> object:
    return await tickets.look_up(visit.floor.store, visit.path["number"], now_ms=visit.floor.clock.now_ms())


async def pay_ticket(visit: Visit) -> object:
    return await _at_the_cage(visit, partial(tickets.pay, by=visit.badge))


async def void_ticket(visit: Visit) -> object:
    told = visit.wants(Void)
    number = tickets.read_number(visit.path["number"])
    if no := visit.floor.staff_room.second(visit.terminal, visit.badge, told.approver, f"void:{number}"):
        return no
    return await _at_the_cage(
        visit, partial(tickets.void, by=visit.badge, approver=told.approver, reason=told.reason)
    )


async def _at_the_cage(visit: Visit, decide: Callable[[Floor, tickets.Ticket], Decision]) -> Decision:
    at_ms = visit.floor.clock.now_ms()
    return await tickets.at_the_cage(
        visit.floor.office, visit.path["number"], decide, at_ms=at_ms, actor=visit.badge
    )


# --- Terminals ---


async def list_terminals(visit: Visit) -> object:
    here = {connection.terminal for connection in visit.floor.connections}
    return [
        {"terminal": each.id, "place": each.place, "connected": each.id in here}
        for each in visit.floor.floor.terminals.values()
    ]


async def offer(visit: Visit) -> object:
    """Offer a place to a terminal: the code that it is to give."""
    place = visit.wants(Offered).place()
    laid = visit.floor.plan.tables.get(place.table)
    if place.table and (laid is None or place.seat > laid.game.seats):
        return Refused(Refusal.NO_SUCH_PLACE, str(place))
    code = terminals.code(secrets.token_bytes(terminals.CODE_BYTES))
    at_ms, known = visit.floor.clock.now_ms(), terminals.code_hash(code)
    decision = await visit.act(partial(terminals.offer, by=visit.badge, place=place, code_hash=known, at_ms=at_ms))
    if isinstance(decision, Refused):
        return decision
    return {"code": code, "place": place, "expires_at_ms": at_ms + terminals.OFFER_MS}


class Offered(Struct, forbid_unknown_fields=True):
    """A place."""

    screen: Screen
    table: int = 0
    seat: int = 0

    def place(self) -> Place:
        return Place(self.screen, self.table, self.seat)


async def revoke(visit: Visit) -> object:
    decision = await visit.act(partial(terminals.revoke, by=visit.badge, terminal=visit.path["terminal"]))
    visit.floor.revoke()
    return decision


# --- Staff ---


class NewAccount(Struct, forbid_unknown_fields=True):
    badge: Annotated[str, Meta(max_length=20)]
    label: Annotated[str, Meta(max_length=40)]
    role: Role


class NewRole(Struct, forbid_unknown_fields=True):
    role: Role


async def list_staff(visit: Visit) -> object:
    return [
        {"badge": a.badge, "label": a.label, "role": a.role, "locked": a.locked, "must_change": a.must_change}
        for a in visit.floor.floor.staff.values()
        if not a.removed
    ]


async def add_account(visit: Visit) -> object:
    told = visit.wants(NewAccount)
    decide = partial(staff.add, by=visit.badge, badge=told.badge, label=told.label, role=told.role)
    return await _with_one_time_password(visit, decide)


async def reset_password(visit: Visit) -> object:
    return await _with_one_time_password(
        visit, partial(staff.reset_password, by=visit.badge, badge=visit.path["badge"])
    )


async def _with_one_time_password(visit: Visit, decide: Callable[..., Decision]) -> object:
    password = staff.one_time_password(secrets.token_bytes(staff.ONE_TIME_BYTES))
    salt = secrets.token_bytes(staff.SALT_BYTES)
    hashed = await visit.floor.staff_room.slowly(lambda: staff.hashed(password, salt))
    decision = await visit.act(partial(decide, password_hash=hashed))
    return decision if isinstance(decision, Refused) else {"one_time_password": password}


async def change_role(visit: Visit) -> object:
    return await visit.act(
        partial(staff.change_role, by=visit.badge, badge=visit.path["badge"], role=visit.wants(NewRole).role)
    )


async def unlock(visit: Visit) -> object:
    return await visit.act(partial(staff.unlock, by=visit.badge, badge=visit.path["badge"]))


async def remove(visit: Visit) -> object:
    return await visit.act(partial(staff.remove, by=visit.badge, badge=visit.path["badge"]))


ANSWERS: dict[str, Callable[[Visit], Awaitable[object]]] = {
    "GET /api/tables": tables,
    "GET /api/settings/{table:int}": table_settings,
    "GET /api/meters": all_meters,
    "GET /api/events": events,
    "GET /api/rounds/{table:int}": rounds,
    "GET /api/dealers/{table:int}": dealers,
    "GET /api/tickets/{number}": ticket,
    "POST /api/tickets/{number}/pay": pay_ticket,
    "POST /api/tickets/{number}/void": void_ticket,
    "GET /api/terminals": list_terminals,
    "POST /api/terminals": offer,
    "POST /api/terminals/{terminal}/revoke": revoke,
    "GET /api/staff": list_staff,
    "POST /api/staff": add_account,
    "POST /api/staff/{badge}/role": change_role,
    "POST /api/staff/{badge}/reset": reset_password,
    "POST /api/staff/{badge}/unlock": unlock,
    "POST /api/staff/{badge}/remove": remove,
}
