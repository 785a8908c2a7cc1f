"""The office's desk: what staff ask over HTTP rather than at a table. Who may ask is checked before."""

from __future__ import annotations

import asyncio
import heapq
import secrets
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from functools import partial
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
import structlog
from msgspec import Meta, Struct
from msgspec.structs import replace

from stickman.floor import drawers, meters, recall, staff, terminals, tickets
from stickman.floor import events as e
from stickman.floor.events import Decision, Place, Refusal, Refused, Role, Screen
from stickman.floor.journal import BadRecord, events_of
from stickman.floor.office import Floor
from stickman.floor.staff import Deed
from stickman.floor.tally import LOGS, UNTOLD, Jackpot, NoSuchTable, Scope
from stickman.rules.datafile import BadFile, to_text
from stickman.rules.settings import change, settings, written
from stickman.server import auth, papers
from stickman.server.auth import ANYWHERE, DESK, WHO
from stickman.server.floor import HousePit, LiveFloor
from stickman.server.program import program, program_at_start
from stickman.store.checkpoints import CheckpointFile, Torn
from stickman.store.signing import Untrusted
from stickman.store.store import FLOOR, Claimed, NotAppended, Record
from stickman.table import messages as m
from stickman.table.messages import Event

T = TypeVar("T")
log = structlog.get_logger()
EVENTS_MAX, RECORDS_READ = 200, 2_000
"""Of significant events, as many are told at once, and as many records are read to find them."""
TICKETS_RECALLED, HITS_RECALLED = 35, 25
"""As the standards ask (DESIGN 8)."""
CLAIMS_READ = 1_000
"""Of each table, to find the tickets among them."""
DIGITS_MAX = 13
TIME_MAX = 10**DIGITS_MAX - 1
SEQ_MAX = 10**12
"""More than the number of any record."""


class Visit(NamedTuple):
    """Somebody at the desk, and what they ask for."""

    floor: LiveFloor
    terminal: str
    badge: str
    path: Mapping[str, Any]
    query: Mapping[str, str]
    body: bytes
    session: str = ""
    """The token of who asks."""

    def wants(self, kind: type[T]) -> T:
        """What the body says; `msgspec.DecodeError` where it cannot be read."""
        return msgspec.json.decode(self.body, type=kind)

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """A number of the query."""
        text = self.query.get(name, str(default))
        if not (text.isascii() and text.isdigit() and len(text) <= DIGITS_MAX and low <= int(text) <= high):
            raise BadQuery(f"{name} is {text[:40]!r}; allowed: {low:,} to {high:,}")
        return int(text)

    def asked(self, name: str, high: int) -> int | None:
        """A number of the query, from 1 on, that need not be there."""
        return self.number(name, 1, 1, high) if self.query.get(name) else None

    def scope(self) -> Scope:
        """What part of the journal is asked for: `table`, `from`, and `to` without it, in ms since 1970."""
        table = self.path.get("table") or self.asked("table", terminals.TABLE_MAX)
        return Scope(table=table, since_ms=self.asked("from", TIME_MAX), until_ms=self.asked("to", TIME_MAX))

    @property
    def pit(self) -> HousePit:
        """The table that is asked about."""
        pit = self.floor.pits.get(self.path["table"])
        if pit is None:
            known = ", ".join(map(str, sorted(self.floor.pits))) or "none now"
            raise NotHere(f"table {self.path['table']} is not served here; allowed: {known}")
        return pit

    async def act(self, decide: Callable[[Floor], Decision]) -> Decision:
        decision = await self.floor.office.act(decide, at_ms=self.floor.clock.now_ms(), actor=self.badge)
        self.floor.revoke()  # whom it has ended, at once
        return decision


class BadQuery(Exception):
    """A query that cannot be read: what was found and what is allowed."""


class NotHere(Exception):
    """Something that there is not: what was asked for, and what there is."""


# --- Who asks ---


async def may(visit: Visit) -> object:
    """What whoever asks may ask for: of the desk, and from an office of a table. Screens show nothing else."""
    floor, badge = visit.floor.floor, visit.badge
    requests = {kind: who.act for kind, who in WHO.items() if who.act and who.where == ANYWHERE}
    return {
        "desk": [endpoint for endpoint, act in DESK.items() if not floor.refuses(badge, act)],
        "table": [kind.__struct_config__.tag for kind, act in requests.items() if not floor.refuses(badge, act)],
    }


# --- Tables ---


async def tables(visit: Visit) -> object:
    """Every table, and how it stands."""
    return [
        {"number": number, "name": laid.name, **_standing(visit.floor, number)}
        for number, laid in visit.floor.plan.tables.items()
    ]


def _standing(floor: LiveFloor, number: int) -> dict[str, object]:
    pit = floor.pits.get(number)
    if pit is None:
        return {"served": False, "refused": floor.refused.get(number, [])}
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
            "choices": each.choices,
            "lock": str(lock.allowed(each.key, game.name)) if lock else "anything",
            "help": each.help,
        }
        for each in settings(game)
    ]
    return {"game": game.name, "fingerprint": visit.pit.table.fingerprint, "settings": found}


async def par_sheet(visit: Visit) -> object:
    """The par sheet of the game as it is set at a table."""
    table, keep = visit.pit.table, bool(visit.query.get("keep"))
    return await papers.par_paper(visit.floor, table.game, table.fingerprint, keep=keep)


# --- Meters ---


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


async def progressives(visit: Visit) -> object:
    """Every progressive meter of the floor: what it holds, what feeds it where, and its last hits."""
    store, pits = visit.floor.store, visit.floor.pits
    found = []
    for meter, known in sorted(visit.floor.floor.meters.items()):
        cents, hits = await meters.read(store, meter)
        found.append(
            {
                "meter": meter,
                "cents": cents,
                "seed_cents": known.terms.reset_cents(meters.base_of(meter)) if known.terms else known.seed_cents,
                "reserve_cents": await meters.reserve_cents(store, meter),
                "hits": hits,
                "terms": known.terms,
                "waits": known.waits,
                "fed": [fed for number, pit in sorted(pits.items()) for fed in _fed(meter, number, pit)],
                "last": [hit async for hit in _last_hits(visit.floor, meter)],
            }
        )
    return found


def _fed(meter: str, number: int, pit: HousePit) -> Iterator[dict[str, object]]:
    """What a table feeds a meter, if it plays it."""
    game = pit.table.game
    for side in [side for played, side in meters.played(game).items() if played == meter]:
        told = game.progressive(side)
        yield {
            "table": number,
            "side": side,
            "paytable": told.paytable,
            "base_cents": told.base_cents,
            "increment_bp": told.increment_bp,
            "reserve_bp": told.reserve_bp,
            "reset_cents": game.reset_cents(side),
            "cap_cents": told.cap_cents,
        }


# What two people do to a meter


class MeterChange(Struct, forbid_unknown_fields=True):
    """Another value of what a meter owns, and the second person."""

    meter: str
    key: str
    value: str
    approver: str = ""


class MeterMove(Struct, forbid_unknown_fields=True):
    """Where the money of a meter goes, and the second person."""

    meter: str
    to: str
    approver: str = ""


async def change_meter(visit: Visit) -> object:
    """Keep a change of what a meter owns until the meter is won."""
    told = visit.wants(MeterChange)
    approver = _second(visit, told.approver, _changing("", visit.body))
    if isinstance(approver, Refused):
        return approver
    if forbidden := _lock_forbids(visit.floor, told):
        return Refused(Refusal.NO_SUCH_SETTING, forbidden)
    hits = (await meters.read(visit.floor.store, told.meter)).hits
    decide = partial(
        meters.ask_change,
        by=visit.badge,
        approver=approver,
        meter=told.meter,
        key=told.key,
        text=told.value,
        hits=hits,
    )
    return await visit.act(decide)


def _lock_forbids(floor: LiveFloor, told: MeterChange) -> str:
    """Why the jurisdiction lock does not let the tables that play a meter follow such a change."""
    lock = floor.plan.lock
    for pit in floor.pits.values() if lock else ():
        game = pit.table.game
        side = meters.played(game).get(told.meter)
        try:
            after = change(game, f"{side}.{told.key}", told.value) if side else game
        except BadFile:  # the floor says so itself
            return ""
        if lock and (forbidden := lock.forbids(after)):
            return "; ".join(forbidden)
    return ""


async def move_meter(visit: Visit) -> object:
    """Move the money of a meter that no table plays. Every table of the floor must be served here: else nobody
    knows what it plays."""
    told, floor = visit.wants(MeterMove), visit.floor
    approver = _second(visit, told.approver, _moving("", visit.body))
    if isinstance(approver, Refused):
        return approver
    for number in floor.plan.tables:
        pit = floor.pits.get(number)
        if pit is None or told.meter in meters.played(pit.table.game):
            return Refused(Refusal.METER_PLAYED, f"table {number}" if pit else f"table {number} is not served here")
    cents = (await meters.read(floor.store, told.meter)).cents
    kept_cents = await meters.reserve_cents(floor.store, told.meter)
    decide = partial(
        meters.move_meter,
        by=visit.badge,
        approver=approver,
        meter=told.meter,
        to=told.to,
        cents=cents,
        kept_cents=kept_cents,
    )
    return await visit.act(decide)


def _changing(_: str, body: bytes) -> Deed:
    return auth.deed(CHANGE_METER, "", replace(msgspec.json.decode(body, type=MeterChange), approver=""))


def _moving(_: str, body: bytes) -> Deed:
    return auth.deed(MOVE_METER, "", replace(msgspec.json.decode(body, type=MeterMove), approver=""))


def _second(visit: Visit, approver: str, asked: Deed) -> str | Refused:
    """The second person, who gave their password for this deed at this terminal."""
    return visit.floor.staff_room.second(visit.terminal, visit.session, approver, asked, asked.digest)


CHANGE_METER, MOVE_METER = "POST /api/progressives/change", "POST /api/progressives/move"


# What was won


async def _last_hits(floor: LiveFloor, meter: str) -> AsyncIterator[Jackpot]:
    """The last hits of a meter, newest first, as the journal has them."""
    hits = [claimed async for claimed in floor.store.claims(f"jackpot:{meter}:")]
    for claimed in sorted(hits, key=meters.hit_of, reverse=True)[:HITS_RECALLED]:
        record = await floor.store.record(claimed.stream, claimed.seq)
        if record is None:
            log.critical("a claim that no record took", claim=claimed.claim, stream=claimed.stream, seq=claimed.seq)
            continue
        settled = [event for event in events_of(record) if isinstance(event, m.Settled) and meter in event.hits]
        voided = await _is_voided(floor, claimed)
        for seat in [seat for event in settled for seat in event.seats if meter in seat.awards]:
            yield Jackpot(
                at_ms=record.at_ms,
                table=claimed.stream,
                seat=seat.seat,
                meter=meter,
                hit=meters.hit_of(claimed),
                paid_cents=seat.awards[meter],
                voided=voided,
            )


async def _is_voided(floor: LiveFloor, claimed: Claimed) -> bool:
    """Whether the roll of a hit was taken back, which it may be until bets close again (ruling 25)."""
    async for record in floor.store.records(claimed.stream, claimed.seq):
        for event in events_of(record):
            if isinstance(event, m.RollVoided | m.BetsClosed):
                return isinstance(event, m.RollVoided)
    return False


# --- What happened ---

TOLD: dict[type[Event], str] = {**LOGS, m.SettingChanged: "settings", e.FloorSettingChanged: "settings"}
"""The kinds of events that the office is told of, and under which heading."""


async def events(visit: Visit) -> object:
    """Significant events of a stream (`table`, 0 for the floor) after a record, oldest first; by default among the
    newest records. Ask again after the number that comes with them. With `before`, those before it."""
    stream, store = visit.number("table", FLOOR, 0, terminals.TABLE_MAX), visit.floor.store
    end = (await store.head(stream)).seq
    if before := visit.asked("before", 10**12):
        return await _events_before(visit.floor, stream, min(before, end + 1))
    after = visit.number("after", max(0, end - RECORDS_READ), 0, 10**12)
    found: list[dict[str, Any]] = []
    async for record in store.records(stream, after, min(end, after + RECORDS_READ)):
        found += _lines(record)
        after = record.seq
        if len(found) >= EVENTS_MAX:
            break
    return {"events": found, "after": after, "more": after < end}


async def _events_before(floor: LiveFloor, stream: int, before: int) -> object:
    """The newest of them, oldest first; ask again before the number that comes with them."""
    newest: deque[list[dict[str, Any]]] = deque()
    after = max(0, before - 1 - RECORDS_READ)
    async for record in floor.store.records(stream, after, before - 1):
        if lines := _lines(record):
            newest.append(lines)
        while len(newest) > 1 and sum(map(len, newest)) > EVENTS_MAX:  # whole records are told, the rest next time
            after = newest.popleft()[0]["seq"]
    return {"events": [line for lines in newest for line in lines], "before": after + 1, "more": after > 0}


def _lines(record: Record) -> list[dict[str, Any]]:
    return [_line(event, record) for event in events_of(record) if type(event) in TOLD]


def _line(event: Event, record: Record) -> dict[str, Any]:
    told = msgspec.to_builtins(event, enc_hook=to_text)
    seat = {"seat": event.seat} if isinstance(event, m.SeatEvent) else {}
    detail = {name: value for name, value in told.items() if name not in UNTOLD}
    where = {"seq": record.seq, "at_ms": record.at_ms, "actor": record.actor, "log": TOLD[type(event)]}
    return {**where, **seat, **detail}


async def rounds(visit: Visit) -> object:
    """The last rounds as they were."""
    stream = visit.pit.boxman.lease.stream
    return await recall.rounds(visit.floor.store, stream, visit.number("last", recall.ROUNDS, 1, recall.ROUNDS_MAX))


async def dealers(visit: Visit) -> object:
    """What happened at a table while each dealer dealt, in all or `from` a time `to` another. The whole journal of
    the table is read for it, beside the tables: who dealt can only be known from its beginning."""
    try:
        return (await papers.added_up(visit.floor, visit.scope())).dealers
    except NoSuchTable as problem:
        raise NotHere(str(problem)) from None


async def report(visit: Visit) -> object:
    """A report of the floor, or of a `table`; in all, or `from` a time `to` another."""
    form = visit.query.get("form", "html")
    if form not in papers.FORMS:
        raise BadQuery(f"form is {form[:40]!r}; allowed: {', '.join(papers.FORMS)}")
    try:
        return await papers.report_paper(visit.floor, visit.scope(), form, keep=bool(visit.query.get("keep")))
    except NoSuchTable as problem:
        raise NotHere(str(problem)) from None


# --- Tickets ---


class Void(Struct, forbid_unknown_fields=True):
    """Why a ticket is voided, and the second person, who gave their password for it at this terminal."""

    reason: str
    approver: str = ""


async def last_tickets(visit: Visit) -> object:
    """The tickets that were printed last at the tables here, newest first, found by the claims that each table took
    last. So many more are read as a table redeems, for that takes claims too."""
    newest: list[tuple[int, int, tickets.Ticket]] = []
    printed: dict[int, Iterator[str]] = {}

    async def next_of(stream: int) -> None:
        for number in printed[stream]:
            try:
                found = await _looked_up(visit, number)
            except BadRecord as problem:  # the others are told all the same
                log.critical("a ticket cannot be judged", stream=stream, problem=str(problem))
                continue
            if found.issued:
                heapq.heappush(newest, (-found.issued.at_ms, stream, found))
                return

    told: list[tickets.Ticket] = []
    for stream in list(visit.floor.pits):
        claims = await visit.floor.store.newest_claims(stream, CLAIMS_READ)
        printed[stream] = iter([each.claim.split(":")[1] for each in claims if _is_issued(each)])
        await next_of(stream)
    while newest and len(told) < TICKETS_RECALLED:
        _, stream, found = heapq.heappop(newest)
        told.append(found)
        await next_of(stream)
    return told


def _is_issued(claimed: Claimed) -> bool:
    return claimed.claim.startswith("ticket:") and claimed.claim.endswith(":issued")


async def _looked_up(visit: Visit, number: str) -> tickets.Ticket:
    plan, now_ms = visit.floor.plan, visit.floor.clock.now_ms()
    return await tickets.look_up(
        visit.floor.store, plan.ticket_key, number, now_ms=now_ms, before=plan.ticket_keys_before
    )


def _number(visit: Visit) -> str:
    """The ticket that is asked about. Whoever types or scans one strips it first: a screen, not the house."""
    number: str = visit.path["number"]
    if number != tickets.read_number(number):
        raise tickets.BadNumber(f"found {number[:40]!r} as a ticket's number; allowed: eighteen digits alone")
    return number


async def ticket_pdf(visit: Visit) -> object:
    """A ticket as it was printed."""
    found = await _looked_up(visit, _number(visit))
    return await papers.ticket_paper(visit.floor, found) if found.issued else Refused(Refusal.TICKET_UNKNOWN)


async def ticket(visit: Visit) -> object:
    return await _looked_up(visit, _number(visit))


async def pay_ticket(visit: Visit) -> object:
    return await _at_the_cage(visit, partial(tickets.pay, by=visit.badge))


async def void_ticket(visit: Visit) -> object:
    told = visit.wants(Void)
    asked = _voiding(_number(visit), visit.body)
    approver = _second(visit, told.approver, asked)
    if isinstance(approver, Refused):
        return approver
    return await _at_the_cage(visit, partial(tickets.void, by=visit.badge, approver=approver, reason=told.reason))


def _voiding(number: str, body: bytes) -> Deed:
    told = msgspec.json.decode(body, type=Void)
    return auth.deed(VOID, tickets.read_number(number), replace(told, approver=""))


VOID = "POST /api/tickets/{number}/void"
TWO: dict[str, Callable[[str, bytes], Deed]] = {VOID: _voiding, CHANGE_METER: _changing, MOVE_METER: _moving}
"""What takes two people at the desk: by endpoint, the deed by what its path names and by its body."""


def deed(asked: str, body: bytes) -> Deed:
    """What somebody is asked to approve: an endpoint with its path filled in, and a body."""
    for endpoint, read in TWO.items():
        before, after = endpoint.partition("{")[0], endpoint.partition("}")[2]
        if asked.startswith(before) and asked.endswith(after):
            return read(asked.removeprefix(before).removesuffix(after), body)
    raise BadQuery(f"the endpoint is {asked[:60]!r}; allowed: {', '.join(TWO)}")


async def _at_the_cage(visit: Visit, decide: Callable[[Floor, tickets.Ticket], Decision]) -> Decision:
    floor, plan = visit.floor, visit.floor.plan
    return await tickets.at_the_cage(
        floor.office,
        plan.ticket_key,
        _number(visit),
        decide,
        at_ms=floor.clock.now_ms(),
        actor=visit.badge,
        before=plan.ticket_keys_before,
    )


# --- Cash drawers ---


class Opened(Struct, forbid_unknown_fields=True):
    """A drawer with its float."""

    float_cents: int


class Counted(Struct, forbid_unknown_fields=True):
    """What was counted in a drawer."""

    counted_cents: int


async def drawer(visit: Visit) -> object:
    """The asker's own drawer. What it should hold is not told: whoever counts it counts without knowing."""
    found = visit.floor.floor.drawers.get(visit.badge)
    return {"open": found is not None, "float_cents": found.float_cents if found else 0}


async def open_drawer(visit: Visit) -> object:
    return await visit.act(
        partial(drawers.open_drawer, by=visit.badge, float_cents=visit.wants(Opened).float_cents)
    )


async def close_drawer(visit: Visit) -> object:
    return await _counted(visit, visit.badge)


async def close_any_drawer(visit: Visit) -> object:
    return await _counted(visit, visit.path["badge"])


async def _counted(visit: Visit, badge: str) -> object:
    """Close a drawer by its count; told is what it should have held, and the difference."""
    counted_cents = visit.wants(Counted).counted_cents
    shut = await visit.act(partial(drawers.shut_drawer, by=visit.badge, badge=badge))
    if isinstance(shut, Refused) and shut.why is not Refusal.ALREADY_SO:
        return shut
    for pit in list(visit.floor.pits.values()):
        async with pit.stepping:  # credit that was being given is given before the drawer is read
            pass
    decision = await visit.act(
        partial(
            drawers.close_drawer,
            by=visit.badge,
            badge=badge,
            held_cents=await drawers.held_cents(visit.floor.store, badge),
            counted_cents=counted_cents,
        )
    )
    if isinstance(decision, Refused):
        return decision
    [closed] = decision
    assert isinstance(closed, e.DrawerClosed)
    return {"held_cents": closed.held_cents, "difference_cents": closed.difference_cents}


async def all_drawers(visit: Visit) -> object:
    """Every drawer that is open, with what it should hold; of the asker's own that is not told."""
    store, found = visit.floor.store, visit.floor.floor.drawers
    return [
        {
            "badge": badge,
            "float_cents": each.float_cents,
            "held_cents": None if badge == visit.badge else await drawers.held_cents(store, badge),
        }
        for badge, each in sorted(found.items())
    ]


async def receipt(visit: Visit) -> object:
    """The receipt for cash that was given, as PDF; it is known by its table and its record."""
    table, seq = visit.path["table"], visit.path["seq"]
    record = await visit.floor.store.record(table, seq) if table <= terminals.TABLE_MAX and seq <= SEQ_MAX else None
    given = [event for event in events_of(record) if isinstance(event, m.CreditGiven)] if record else []
    if record is None or not given:
        raise NotHere(f"record {visit.path['seq']} of table {visit.path['table']} gave no credit")
    return await papers.receipt_paper(visit.floor, record, given[0])


# --- Health ---


async def health(visit: Visit) -> object:
    """How the floor stands: its tables and where their journals end, its clock, its database, what is signed."""
    floor, lock = visit.floor, visit.floor.plan.lock
    return {
        "ready": floor.ready,
        "now_ms": floor.clock.now_ms(),
        "database": floor.plan.database.partition(":")[0],
        "tls": floor.plan.tls is not None,
        "connections": len(floor.connections),
        "alarms": [alarm._asdict() for alarm in staff.alarms(floor.floor, floor.clock.now_ms())],
        "streams": await _streams(floor),
        "checkpoint": await asyncio.to_thread(_checkpoint, floor.plan.checkpoints),
        "lock": lock
        and {"name": lock.name, "digests": lock.digests, "local_network_only": lock.local_network_only},
    }


async def _streams(floor: LiveFloor) -> list[dict[str, object]] | None:
    """Where each journal ends; none where the database cannot be read."""
    served: dict[int, bool | None] = {FLOOR: None, **{table: table in floor.pits for table in floor.plan.tables}}
    try:
        heads = {stream: await floor.store.head(stream) for stream in served}
    except NotAppended:
        return None
    return [
        {"stream": stream, "served": served[stream], "seq": head.seq, "digest": head.digest.hex()}
        for stream, head in heads.items()
    ]


async def which_program(visit: Visit) -> object:
    """The program as it started, and whether its files are still the same."""
    del visit
    started, now = program_at_start(), await asyncio.to_thread(program)
    return {"version": started.version, "sha256": started.sha256, "sha256_now": now.sha256}


def _checkpoint(file: CheckpointFile | None) -> dict[str, object] | None:
    """The newest checkpoint, or what is wrong with it; none where none are signed."""
    if file is None:
        return None
    try:
        newest = file.newest()
    except (Untrusted, Torn, OSError) as problem:
        return {"problem": str(problem)}
    return {"number": newest.number, "at_ms": newest.at_ms, "heads": newest.heads} if newest else {}


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
    return await visit.act(partial(terminals.revoke, by=visit.badge, terminal=visit.path["terminal"]))


# --- Staff ---


class NewAccount(Struct, forbid_unknown_fields=True):
    badge: Annotated[str, Meta(max_length=20)]
    label: Annotated[str, Meta(max_length=40)]
    role: Role


class NewRole(Struct, forbid_unknown_fields=True):
    role: Role


async def list_staff(visit: Visit) -> object:
    floor = visit.floor.floor
    waiting = {alarm.badge for alarm in staff.alarms(floor, visit.floor.clock.now_ms()) if alarm.until_ms}
    return [
        {
            "badge": account.badge,
            "label": account.label,
            "role": account.role,
            "locked": account.locked,
            "waits": account.badge in waiting,
            "must_change": account.must_change,
        }
        for account in floor.staff.values()
        if not account.removed
    ]


async def add_account(visit: Visit) -> object:
    told = visit.wants(NewAccount)
    demo = visit.floor.plan.demo
    decide = partial(staff.add, by=visit.badge, badge=told.badge, label=told.label, role=told.role, demo=demo)
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


async def lock(visit: Visit) -> object:
    return await visit.act(partial(staff.lock, by=visit.badge, badge=visit.path["badge"]))


async def unlock(visit: Visit) -> object:
    return await visit.act(partial(staff.unlock, by=visit.badge, badge=visit.path["badge"]))


async def remove(visit: Visit) -> object:
    return await visit.act(partial(staff.remove, by=visit.badge, badge=visit.path["badge"]))


ANSWERS: dict[str, Callable[[Visit], Awaitable[object]]] = {
    "GET /api/may": may,
    "GET /api/tables": tables,
    "GET /api/settings/{table:int}": table_settings,
    "GET /api/par/{table:int}": par_sheet,
    "GET /api/meters": all_meters,
    "GET /api/program": which_program,
    "GET /api/progressives": progressives,
    CHANGE_METER: change_meter,
    MOVE_METER: move_meter,
    "GET /api/events": events,
    "GET /api/rounds/{table:int}": rounds,
    "GET /api/dealers/{table:int}": dealers,
    "GET /api/report": report,
    "GET /api/health": health,
    "GET /api/tickets": last_tickets,
    "GET /api/tickets/{number}": ticket,
    "GET /api/tickets/{number}/pdf": ticket_pdf,
    "POST /api/tickets/{number}/pay": pay_ticket,
    "POST /api/tickets/{number}/void": void_ticket,
    "GET /api/drawer": drawer,
    "POST /api/drawer/open": open_drawer,
    "POST /api/drawer/close": close_drawer,
    "GET /api/drawers": all_drawers,
    "POST /api/drawers/{badge}/close": close_any_drawer,
    "GET /api/receipts/{table:int}/{seq:int}": receipt,
    "GET /api/terminals": list_terminals,
    "POST /api/terminals": offer,
    "POST /api/terminals/{terminal}/revoke": revoke,
    "GET /api/staff": list_staff,
    "POST /api/staff": add_account,
    "POST /api/staff/{badge}/role": change_role,
    "POST /api/staff/{badge}/reset": reset_password,
    "POST /api/staff/{badge}/lock": lock,
    "POST /api/staff/{badge}/unlock": unlock,
    "POST /api/staff/{badge}/remove": remove,
}
