"""The office's desk: the requests of staff over HTTP that do not go to a table. `app` checks who may ask."""

from __future__ import annotations

import asyncio
import heapq
import secrets
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, get_type_hints

import msgspec
import structlog
from msgspec.structs import replace
from starlette.responses import Response

from stickman.floor import drawers, meters, recall, staff, terminals, tickets
from stickman.floor import events as e
from stickman.floor.events import LOWEST, Act, Decision, Place, Refusal, Refused
from stickman.floor.journal import BadRecord, events_of
from stickman.floor.office import Floor, Terminal
from stickman.floor.report import Dealer
from stickman.floor.staff import Deed
from stickman.floor.tally import HIDDEN, LOGS, Jackpot, Scope, seat_of
from stickman.paper.ticket_words import LANGUAGES, Language
from stickman.rules.datafile import BadFile, to_text
from stickman.rules.schema import meter_base_cents, meter_name
from stickman.rules.settings import change, settings, written
from stickman.rules.spoken import Detail
from stickman.server import answers as a
from stickman.server import auth, papers
from stickman.server.auth import WHO
from stickman.server.floor import LiveFloor
from stickman.server.pit import Pit
from stickman.server.ports import DeviceStatus
from stickman.server.program import program, program_at_start
from stickman.store.checkpoints import CheckpointFile, Torn
from stickman.store.signing import Untrusted
from stickman.store.store import FLOOR, NotAppended, Record
from stickman.table import messages as m
from stickman.table.ledger import handle_cents, hold_cents, key_of
from stickman.table.messages import Event
from stickman.table.ports import difference
from stickman.table.round import shooter_shown
from stickman.table.state import Table
from stickman.table.view import no_rolls

log = structlog.get_logger()
EVENTS_MAX, RECORDS_READ = 200, 2_000
"""The most significant events in one answer, and the most records that are read to find them."""
TICKETS_RECALLED, HITS_RECALLED = 35, 25
"""As the standards require."""
CLAIMS_READ = 1_000
"""Claims of each table that are searched for tickets."""
DIGITS_MAX = 13
TIME_MAX = 10**DIGITS_MAX - 1
SEQ_MAX = 10**12
"""Higher than the number of any record."""


class Visit(NamedTuple):
    """A request to the desk, and who makes it."""

    floor: LiveFloor
    terminal: str
    badge: str
    path: Mapping[str, Any]
    query: Mapping[str, str]
    session: str = ""
    """The asker's token."""

    @property
    def place(self) -> Place:
        """Where the asker is signed in."""
        return self.floor.state.terminals[self.terminal].place

    @property
    def only(self) -> int:
        """The only table that may be asked about, because the asker is at a seat; 0: every table."""
        return self.place.table if self.place.screen == "seat" else 0

    @property
    def asks_elsewhere(self) -> bool:
        """Whether an asker at a seat names another table than the seat's."""
        named = {str(self.path["table"])} if "table" in self.path else set()
        named |= {self.query["table"]} if "table" in self.query else set()
        return bool(self.only) and bool(named - {str(self.only)})

    def pits(self) -> dict[int, Pit]:
        """The tables that are served here and may be asked about."""
        return {number: pit for number, pit in self.floor.pits.items() if self.only in (0, number)}

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """A number of the query."""
        text = self.query.get(name, str(default))
        if not (text.isascii() and text.isdigit() and len(text) <= DIGITS_MAX and low <= int(text) <= high):
            raise BadQuery(f"{name} is {text[:40]!r}; allowed: {low:,} to {high:,}")
        return int(text)

    def asked(self, name: str, high: int) -> int | None:
        """A number of the query, 1 or higher; none if it is missing."""
        return self.number(name, 1, 1, high) if self.query.get(name) else None

    def scope(self) -> Scope:
        """The part of the journal that is asked for: `table`, `from`, and `to` (not included), in ms since 1970."""
        table = self.path.get("table") or self.asked("table", terminals.TABLE_MAX)
        return Scope(table=table, since_ms=self.asked("from", TIME_MAX), until_ms=self.asked("to", TIME_MAX))

    def language(self) -> Language:
        """The language of what is printed: `lang`, by default the floor's."""
        asked = self.query.get("lang", self.floor.state.settings.language)
        for known in LANGUAGES:
            if asked == known:
                return known
        raise BadQuery(f"lang is {asked[:40]!r}; allowed: {', '.join(LANGUAGES)}")

    @property
    def pit(self) -> Pit:
        pit = self.floor.pits.get(self.path["table"])
        if pit is None:
            known = ", ".join(map(str, sorted(self.floor.pits))) or "none now"
            raise NotHere(f"table {self.path['table']} is not served here; allowed: {known}")
        return pit

    async def act(self, decide: Callable[[Floor], Decision]) -> Decision:
        decision = await self.floor.office.act(decide, at_ms=self.floor.clock.now_ms(), actor=self.badge)
        self.floor.revoke()  # sessions and terminals that it ended
        return decision


class BadQuery(Exception):
    """A query that cannot be read: what was found and what is allowed."""


class NotHere(Exception):
    """Something that does not exist: what was asked for, and what exists."""


# --- Who asks ---


async def may(visit: Visit) -> a.May:
    """What the asker may ask for: at the desk, and at a table from this terminal."""
    floor = visit.floor.state
    role, screen, at_seat = floor.staff[visit.badge].role, visit.place.screen, bool(visit.only)
    of_desk = {endpoint: each.act for endpoint, each in DESK.items() if each.with_key or not at_seat}
    of_table = {
        str(kind.__struct_config__.tag): who.act
        for kind, who in WHO.items()
        if who.act and (who.key if at_seat else screen in who.where)
    }
    return a.May(
        desk=tuple(endpoint for endpoint, act in of_desk.items() if role.may(act)),
        table=tuple(request for request, act in of_table.items() if role.may(act)),
        higher={asked: LOWEST[act] for asked, act in {**of_desk, **of_table}.items() if not role.may(act)},
    )


# --- Tables ---


async def tables(visit: Visit) -> list[a.ServedTable | a.ShutTable]:
    """Every table, its state and what staff should see to there. Its money only for those who may read the audit
    menu."""
    floor = visit.floor
    audits = floor.state.staff[visit.badge].role.may(Act.READ_AUDIT)
    away = _away(floor)
    return [
        _table(pit, number, planned.name, away.get(number, ()), audits=audits)
        if (pit := floor.pits.get(number))
        else a.ShutTable(number=number, name=planned.name, refused=tuple(floor.refused.get(number, ())))
        for number, planned in floor.plan.tables.items()
    ]


def _table(pit: Pit, number: int, name: str, away: Sequence[Place], *, audits: bool) -> a.ServedTable:
    table = pit.table
    return a.ServedTable(
        number=number,
        name=name,
        game=table.game.name,
        title=table.game.title,
        fingerprint=table.fingerprint,
        seats=len(table.seats),
        mode=table.mode,
        phase=table.phase,
        paused=table.paused,
        dealer=table.dealer,
        round=table.round,
        puck=table.hand.puck,
        shooter=shooter_shown(table),
        players=sum(seat.stay.goes_on for seat in table.seats),
        records=pit.boxman.page.head.seq,
        screens=pit.screens.connections,
        alarms=tuple(_alarms(table, away)),
        money=_money(table) if audits else None,
    )


def _money(table: Table) -> a.TableMoney:
    return a.TableMoney(
        handle_cents=handle_cents(table.play_meters),
        hold_cents=hold_cents(table.accounts),
        felt_cents=sum(seat.felt.money_cents for seat in table.seats),
    )


def _away(floor: LiveFloor) -> dict[int, list[Place]]:
    """By table: the places whose terminal is enrolled and not connected."""
    here = {connection.terminal for connection in floor.connections}
    found: dict[int, list[Place]] = {}
    for each in floor.state.terminals.values():
        if each.id not in here:
            found.setdefault(each.place.table, []).append(each.place)
    return found


def _alarms(table: Table, away: Sequence[Place]) -> Iterator[a.TableAlarm]:
    """What staff should see to, the most pressing first."""
    terminals = [(seat.number, seat.terminal) for seat in table.seats]
    where: dict[a.AlarmKind, list[int]] = {
        "table_locked": [0] * table.locked_up,
        "table_door": [0] * bool(table.doors),
        "lockup": [number for number, each in terminals if each.lockups],
        "door": [number for number, each in terminals if each.doors],
        "fault": [number for number, each in terminals if each.faults],
        "service": [number for number, each in terminals if each.service],
        "paused": [0] * table.paused,
        "device_away": sorted({place.seat for place in away if place.device}),
        "screen_away": sorted({place.seat for place in away if not place.device}),
    }
    return (a.TableAlarm(kind=kind, seats=tuple(seats)) for kind, seats in where.items() if seats)


async def table_settings(visit: Visit) -> a.GameSettings:
    """Every setting of a table's game: its value, the allowed values, and those that the lock permits."""
    game, lock = visit.pit.table.game, visit.floor.plan.lock
    found = tuple(
        a.GameSetting(
            key=each.key,
            value=written(each.value),
            allowed=each.allowed,
            choices=each.choices,
            lock=str(lock.allowed(each.key, game.name)) if lock else "anything",
            help=each.help,
        )
        for each in settings(game)
    )
    return a.GameSettings(game=game.name, fingerprint=visit.pit.table.fingerprint, settings=found)


async def par_sheet(visit: Visit) -> Response:
    """The par sheet of a table's game with its settings, as a page; with `keep`, as a file."""
    table, keep = visit.pit.table, bool(visit.query.get("keep"))
    return await papers.par_paper(visit.floor, table.game, table.fingerprint, download=keep)


# --- Meters ---


async def all_meters(visit: Visit) -> a.AllMeters:
    """The meters of every table, and the progressives that they share; at a seat, only of its table."""
    found = {number: pit.table for number, pit in visit.pits().items()}
    shared = {meter for table in found.values() for meter in meters.played(table.game)}
    readings = {each: await meters.read(visit.floor.store, each) for each in sorted(shared)}
    return a.AllMeters(
        tables={
            number: a.TableMeters(
                cash=_by_owner("seat", each.cash_meters),
                play=_by_owner("seat", each.play_meters),
                bets=_by_owner("bet", each.play_meters),
                no_rolls=no_rolls(each),
                under_a_cent=to_text(each.under_a_cent),
            )
            for number, each in found.items()
        },
        progressives={
            each: a.ProgressiveReading(cents=read.cents, hits=read.hits) for each, read in readings.items()
        },
    )


def _by_owner(kind: str, counts: dict[str, int]) -> dict[str, dict[str, int]]:
    """The meters of a table's seats or bets, by seat or bet."""
    found: dict[str, dict[str, int]] = {}
    for key, count in ((key_of(name), count) for name, count in counts.items()):
        if key.kind == kind:
            found.setdefault(key.owner, {})[key.part] = count
    return found


async def progressives(visit: Visit) -> list[a.ProgressiveRow]:
    """Every progressive meter of the floor: its reading, the tables that feed it, and its last hits."""
    store, pits = visit.floor.store, visit.floor.pits
    found = []
    for meter, known in sorted(visit.floor.state.meters.items()):
        cents, hits = await meters.read(store, meter)
        found.append(
            a.ProgressiveRow(
                meter=meter,
                name=meter_name(meter),
                cents=cents,
                seed_cents=known.terms.reset_cents(meter_base_cents(meter)) if known.terms else known.seed_cents,
                reserve_cents=await meters.reserve_cents(store, meter),
                hits=hits,
                terms=known.terms,
                waits=known.waits,
                fed=tuple(fed for number, pit in sorted(pits.items()) for fed in _fed(meter, number, pit)),
                last=tuple([hit async for hit in _last_hits(visit.floor, meter)]),
            )
        )
    return found


def _fed(meter: str, number: int, pit: Pit) -> Iterator[a.Feed]:
    """What a table feeds a meter, if it plays it."""
    game = pit.table.game
    for side in [side for played, side in meters.played(game).items() if played == meter]:
        of = game.progressive(side)
        yield a.Feed(
            table=number,
            side=side,
            paytable=of.paytable,
            base_cents=of.base_cents,
            increment_bp=of.increment_bp,
            reserve_bp=of.reserve_bp,
            reset_cents=game.reset_cents(side),
            cap_cents=of.cap_cents,
        )


# What two people do to a meter


async def change_meter(visit: Visit, body: a.MeterChange) -> Decision:
    """Change the terms of a meter, from its next hit on."""
    approver = _second(visit, CHANGE_METER, "", body)
    if isinstance(approver, Refused):
        return approver
    if forbidden := _lock_forbids(visit.floor, body):
        return Refused(Refusal.NO_SUCH_SETTING, Detail.LOCK_FORBIDS(key=body.key, found=forbidden))
    hits = (await meters.read(visit.floor.store, body.meter)).hits
    people, value = {"by": visit.badge, "approver": approver}, {"key": body.key, "text": body.value}
    return await visit.act(lambda floor: meters.ask_change(floor, **people, meter=body.meter, **value, hits=hits))


def _lock_forbids(floor: LiveFloor, wanted: a.MeterChange) -> str:
    """Why the jurisdiction lock does not allow the tables that play a meter to follow a change."""
    lock = floor.plan.lock
    for pit in floor.pits.values() if lock else ():
        game = pit.table.game
        side = meters.played(game).get(wanted.meter)
        try:
            after = change(game, f"{side}.{wanted.key}", wanted.value) if side else game
        except BadFile:  # the floor refuses it with a reason
            return ""
        if lock and (forbidden := lock.forbids(after)):
            return "; ".join(forbidden)
    return ""


async def move_meter(visit: Visit, body: a.MeterMove) -> Decision:
    """Move the money of a meter that no table plays. Every table of the floor must be served here, because it is
    not known what other tables play."""
    floor = visit.floor
    approver = _second(visit, MOVE_METER, "", body)
    if isinstance(approver, Refused):
        return approver
    for number in floor.plan.tables:
        pit = floor.pits.get(number)
        if pit is None or body.meter in meters.played(pit.table.game):
            told = Detail.TABLE if pit else Detail.TABLE_NOT_SERVED
            return Refused(Refusal.METER_PLAYED, told(table=number))
    cents = (await meters.read(floor.store, body.meter)).cents
    reserved_cents = await meters.reserve_cents(floor.store, body.meter)
    decide = partial(meters.move_meter, by=visit.badge, approver=approver, meter=body.meter, to=body.to)
    return await visit.act(partial(decide, cents=cents, reserved_cents=reserved_cents))


CHANGE_METER, MOVE_METER = "POST /api/progressives/change", "POST /api/progressives/move"
VOID = "POST /api/tickets/{number}/void"
NeedsTwo = a.MeterChange | a.MeterMove | a.VoidTicket
"""What needs two people at the desk."""


def _second(visit: Visit, endpoint: str, number: str, body: NeedsTwo) -> str | Refused:
    """The second person, who has approved this deed at this terminal."""
    asked = _deed(endpoint, number, body)
    return visit.floor.staff_room.second(visit.terminal, visit.session, body.approver, asked, asked.digest)


def _deed(endpoint: str, number: str, body: NeedsTwo) -> Deed:
    return auth.deed(endpoint, number, replace(body, approver=""))


def deed(asked: str, body: bytes) -> Deed:
    """The deed that a second person approves: an endpoint with its path filled in, and a body."""
    for endpoint in VOID, CHANGE_METER, MOVE_METER:
        before, after = endpoint.partition("{")[0], endpoint.partition("}")[2]
        if asked.startswith(before) and asked.endswith(after):
            number = asked.removeprefix(before).removesuffix(after)
            sent = msgspec.json.decode(body, type=DESK[endpoint].takes)
            return _deed(endpoint, tickets.read_number(number) if endpoint == VOID else "", sent)
    raise BadQuery(f"the endpoint is {asked[:60]!r}; allowed: {VOID}, {CHANGE_METER}, {MOVE_METER}")


# What was won


async def _last_hits(floor: LiveFloor, meter: str) -> AsyncIterator[Jackpot]:
    """The last hits of a meter in the journal, newest first."""
    hits = [claimed async for claimed in floor.store.claims(f"jackpot:{meter}:")]
    for claimed in sorted(hits, key=meters.hit_of, reverse=True)[:HITS_RECALLED]:
        record = await floor.store.record(claimed.stream, claimed.seq)
        if record is None:
            log.critical("a claim has no record", claim=claimed.claim, stream=claimed.stream, seq=claimed.seq)
            continue
        settled = [event for event in events_of(record) if isinstance(event, m.Settled) and meter in event.hits]
        voided = await meters.fate(floor.store, claimed) == "voided"
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


# --- What happened ---

HEADINGS: dict[type[Event], a.EventHeading] = {
    **LOGS,
    m.SettingChanged: "settings",
    e.FloorSettingChanged: "settings",
}
"""The kinds of events that the office shows, and their headings."""


async def events(visit: Visit) -> a.EventsAfter | a.EventsBefore:
    """Significant events of a stream (`table`, 0 for the floor) `after` a record, oldest first; by default from the
    newest records. With `before`, those before that record. At a seat, only those of its table."""
    stream, store = visit.only or visit.number("table", FLOOR, 0, terminals.TABLE_MAX), visit.floor.store
    end = (await store.head(stream)).seq
    if before := visit.asked("before", SEQ_MAX):
        return await _events_before(visit.floor, stream, min(before, end + 1))
    after = visit.number("after", max(0, end - RECORDS_READ), 0, SEQ_MAX)
    found: list[dict[str, Any]] = []
    async for record in store.records(stream, after, min(end, after + RECORDS_READ)):
        found += _lines(record)
        after = record.seq
        if len(found) >= EVENTS_MAX:
            break
    return a.EventsAfter(events=found, after=after, more=after < end)


async def _events_before(floor: LiveFloor, stream: int, before: int) -> a.EventsBefore:
    newest: deque[list[dict[str, Any]]] = deque()
    after = max(0, before - 1 - RECORDS_READ)
    async for record in floor.store.records(stream, after, before - 1):
        if lines := _lines(record):
            newest.append(lines)
        while len(newest) > 1 and sum(map(len, newest)) > EVENTS_MAX:  # only whole records; the rest next time
            after = newest.popleft()[0]["seq"]
    return a.EventsBefore(events=[line for lines in newest for line in lines], before=after + 1, more=after > 0)


def _lines(record: Record) -> list[dict[str, Any]]:
    return [_line(event, record) for event in events_of(record) if type(event) in HEADINGS]


def _line(event: Event, record: Record) -> dict[str, Any]:
    plain = msgspec.to_builtins(event, enc_hook=to_text)
    line = a.EventLine(
        seq=record.seq,
        at_ms=record.at_ms,
        actor=record.actor,
        log=HEADINGS[type(event)],
        event=plain["event"],
        seat=seat_of(event),
    )
    return {**msgspec.to_builtins(line), **{name: value for name, value in plain.items() if name not in HIDDEN}}


async def rounds(visit: Visit) -> list[recall.Round]:
    """The `last` rounds of a table."""
    stream = visit.pit.boxman.lease.stream
    return await recall.rounds(visit.floor.store, stream, visit.number("last", recall.ROUNDS, 1, recall.ROUNDS_MAX))


async def dealers(visit: Visit) -> list[Dealer]:
    """What happened at a table under each dealer, in all or `from` a time `to` another. This reads the table's
    whole journal in a thread: only its beginning shows who dealt first."""
    return (await papers.journal_report(visit.floor, visit.scope())).dealers


async def report(visit: Visit) -> Response:
    """A report of the floor or of a `table`, in all or `from` a time `to` another. Its `form` is `html`, a page
    (with `keep`, a file), or `csv`, a ZIP file of tables."""
    form = visit.query.get("form", "html")
    if form not in papers.FORMS:
        raise BadQuery(f"form is {form[:40]!r}; allowed: {', '.join(papers.FORMS)}")
    return await papers.report_paper(visit.floor, visit.scope(), form, download=bool(visit.query.get("keep")))


# --- Tickets ---


async def last_tickets(visit: Visit) -> list[tickets.Ticket]:
    """The newest tickets of the tables here, newest first; at a seat, only of its table. They are found by each
    table's newest claims; many are read, because redeemed tickets are claims too."""
    newest: list[tuple[int, int, tickets.Ticket]] = []
    printed: dict[int, Iterator[str]] = {}

    async def next_of(stream: int) -> None:
        for number in printed[stream]:
            try:
                found = await _looked_up(visit, number)
            except BadRecord as problem:  # list the others
                log.critical("a ticket cannot be checked", stream=stream, problem=str(problem))
                continue
            if found.issued:
                heapq.heappush(newest, (-found.issued.at_ms, stream, found))
                return

    listed: list[tickets.Ticket] = []
    for stream in visit.pits():
        claims = await visit.floor.store.newest_claims(stream, CLAIMS_READ)
        keys = [key_of(each.claim) for each in claims]
        printed[stream] = iter([key.owner for key in keys if (key.kind, key.part) == ("ticket", "issued")])
        await next_of(stream)
    while newest and len(listed) < TICKETS_RECALLED:
        _, stream, found = heapq.heappop(newest)
        listed.append(found)
        await next_of(stream)
    return listed


async def _looked_up(visit: Visit, number: str) -> tickets.Ticket:
    floor = visit.floor
    found = await tickets.look_up(floor.store, floor.plan.ticket_keys, number, now_ms=floor.clock.now_ms())
    pit = floor.pits.get(found.issued.stream) if found.issued else None
    if pit is None or found.issued is None:
        return found
    known = pit.table.seat(found.issued.seat).terminal.printed
    return replace(found, can_copy=any(each.number == found.number for each in known))


def _number(visit: Visit) -> str:
    """The number of the ticket. The screen has removed spaces and dashes."""
    number: str = visit.path["number"]
    if number != tickets.read_number(number):
        raise tickets.BadNumber(f"found {number[:40]!r} as a ticket's number; allowed: only eighteen digits")
    return number


async def ticket_pdf(visit: Visit) -> Response | Refused:
    """A ticket as it was printed, as PDF, in the language `lang`."""
    found, language = await _looked_up(visit, _number(visit)), visit.language()
    if not found.issued:
        return Refused(Refusal.TICKET_UNKNOWN)
    return await papers.ticket_paper(visit.floor, found, language)


async def ticket(visit: Visit) -> tickets.Ticket:
    """A ticket and its status."""
    return await _looked_up(visit, _number(visit))


async def pay_ticket(visit: Visit) -> Decision:
    """Pay a ticket at the cage."""
    return await _at_the_cage(visit, partial(tickets.pay, by=visit.badge))


async def void_ticket(visit: Visit, body: a.VoidTicket) -> Decision:
    """Void a ticket, with a second person."""
    approver = _second(visit, VOID, _number(visit), body)
    if isinstance(approver, Refused):
        return approver
    return await _at_the_cage(visit, partial(tickets.void, by=visit.badge, approver=approver, reason=body.reason))


async def _at_the_cage(visit: Visit, decide: Callable[[Floor, tickets.Ticket], Decision]) -> Decision:
    floor, at_ms = visit.floor, visit.floor.clock.now_ms()
    keys, number = floor.plan.ticket_keys, _number(visit)
    return await tickets.at_the_cage(floor.office, keys, number, decide, at_ms=at_ms, actor=visit.badge)


# --- Cash drawers ---


async def drawer(visit: Visit) -> a.OwnDrawer:
    """The asker's own drawer."""
    found = visit.floor.state.drawers.get(visit.badge)
    return a.OwnDrawer(open=found is not None, float_cents=found.float_cents if found else 0)


async def open_drawer(visit: Visit, body: a.DrawerFloat) -> Decision:
    """Open the asker's own drawer with its float."""
    return await visit.act(partial(drawers.open_drawer, by=visit.badge, float_cents=body.float_cents))


async def close_drawer(visit: Visit, body: a.CountedCash) -> a.DrawerResult | Refused:
    """Close the asker's own drawer by its count."""
    return await _counted(visit, visit.badge, body.counted_cents)


async def close_any_drawer(visit: Visit, body: a.CountedCash) -> a.DrawerResult | Refused:
    """Close the drawer of a badge by its count."""
    return await _counted(visit, visit.path["badge"], body.counted_cents)


async def _counted(visit: Visit, badge: str, counted_cents: int) -> a.DrawerResult | Refused:
    shut = await visit.act(partial(drawers.shut_drawer, by=visit.badge, badge=badge))
    if isinstance(shut, Refused) and shut.why is not Refusal.ALREADY_SO:
        return shut
    for pit in list(visit.floor.pits.values()):
        async with pit.stepping:  # a step that gives credit ends before the drawer is read
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
    return a.DrawerResult(held_cents=closed.held_cents, difference_cents=closed.difference_cents)


async def all_drawers(visit: Visit) -> list[a.DrawerRow]:
    """Every open drawer, with what it should hold; that is hidden for the asker's own."""
    store, found = visit.floor.store, visit.floor.state.drawers
    return [
        a.DrawerRow(
            badge=badge,
            float_cents=each.float_cents,
            held_cents=None if badge == visit.badge else await drawers.held_cents(store, badge),
        )
        for badge, each in sorted(found.items())
    ]


async def receipt(visit: Visit) -> Response:
    """The receipt for cash, as PDF in the language `lang`, by its table and its record."""
    table, seq = visit.path["table"], visit.path["seq"]
    record = await visit.floor.store.record(table, seq) if table <= terminals.TABLE_MAX and seq <= SEQ_MAX else None
    given = [event for event in events_of(record) if isinstance(event, m.CreditGiven)] if record else []
    if record is None or not given:
        raise NotHere(f"record {visit.path['seq']} of table {visit.path['table']} gave no credit")
    return await papers.receipt_paper(visit.floor, record, given[0], visit.language())


# --- Health ---


async def health(visit: Visit) -> a.Health:
    """The state of the floor: tables, last records, clock, database, newest checkpoint."""
    floor, lock, known = visit.floor, visit.floor.plan.lock, visit.floor.state.terminals
    return a.Health(
        ready=floor.ready,
        now_ms=floor.clock.now_ms(),
        database=floor.plan.database.partition(":")[0],
        tls=floor.plan.tls is not None,
        connections=len(floor.connections),
        alarms=tuple(staff.alarms(floor.state, floor.clock.now_ms())),
        streams=await _streams(floor),
        checkpoint=await asyncio.to_thread(_checkpoint, floor.plan.checkpoints),
        lock=a.LockInForce(name=lock.name, digests=lock.digests, local_network_only=lock.local_network_only)
        if lock
        else None,
        programs_differ=tuple(
            a.OtherProgram(terminal=terminal, place=known[terminal].place, version=program.version)
            for terminal, program in floor.programs_differ().items()
            if terminal in known
        ),
    )


async def _streams(floor: LiveFloor) -> tuple[a.StreamEnd, ...] | None:
    """The last record of each stream; none if the database cannot be read."""
    served: dict[int, bool | None] = {FLOOR: None, **{table: table in floor.pits for table in floor.plan.tables}}
    try:
        heads = {stream: await floor.store.head(stream) for stream in served}
    except NotAppended:
        return None
    return tuple(
        a.StreamEnd(stream=stream, served=served[stream], seq=head.seq, digest=head.digest.hex())
        for stream, head in heads.items()
    )


async def which_program(visit: Visit) -> a.ProgramFiles:
    """The program's files at the start of the process, and now."""
    del visit
    started, now = program_at_start(), await asyncio.to_thread(program)
    return a.ProgramFiles(version=started.version, sha256=started.sha256, sha256_now=now.sha256)


def _checkpoint(file: CheckpointFile | None) -> a.NewestCheckpoint | None:
    """The newest checkpoint, or what is wrong with it; none if none are signed."""
    if file is None:
        return None
    try:
        newest = file.newest()
    except (Untrusted, Torn, OSError) as problem:
        return a.NewestCheckpoint(problem=str(problem))
    if newest is None:
        return a.NewestCheckpoint()
    return a.NewestCheckpoint(number=newest.number, at_ms=newest.at_ms, heads=newest.heads)


# --- Terminals ---


async def list_terminals(visit: Visit) -> list[a.TerminalRow]:
    """Every screen and every device that is enrolled."""
    here = {connection.terminal for connection in visit.floor.connections}
    return [
        a.TerminalRow(terminal=each.id, place=each.place, connected=each.id in here)
        for each in visit.floor.state.terminals.values()
    ]


async def list_devices(visit: Visit) -> list[a.DeviceRow]:
    """Every device that is enrolled: its place, its connection, its program, and what it reports; at a seat, only
    those of its table."""
    enrolled = visit.floor.state.terminals.values()
    return [
        _device(visit.floor, each) for each in enrolled if each.place.device and visit.only in (0, each.place.table)
    ]


def _device(floor: LiveFloor, device: Terminal) -> a.DeviceRow:
    place, pit = device.place, floor.pits.get(device.place.table)
    known = floor.devices.get(device.id, DeviceStatus())
    heard = pit.table.heard.get(device.id) if pit else None
    stacker = pit.table.seat(place.seat).terminal.stacker if pit and place.screen == "acceptor" else None
    program, totals = known.program, known.totals
    return a.DeviceRow(
        terminal=device.id,
        place=place,
        connected_ms=known.connected_ms or None,
        heard_ms=known.heard_ms or None,
        state=known.state,
        program=a.DeviceProgram(
            version=program.version, sha256=program.sha256, same=program.sha256 == program_at_start().sha256
        )
        if program
        else None,
        reports=heard.seq if heard else 0,
        distrusted=bool(heard and heard.distrusted),
        difference=a.DeviceDifference(**difference(pit.table, heard)._asdict())
        if pit and heard and heard.totals is not None
        else None,
        counted=a.StackedPaper(bills=totals.bills, tickets=totals.tickets_in)
        if totals and place.screen == "acceptor"
        else None,
        slips=totals.slips if totals and place.screen == "printer" else None,
        stacker=a.StackedPaper(bills=stacker.bills, tickets=stacker.tickets) if stacker else None,
    )


async def tell_again(visit: Visit, body: a.TellAgain) -> a.Nothing | Refused:
    """Ask a device to report its program or its totals again."""
    device = visit.floor.state.terminals.get(visit.path["terminal"])
    if device is None or device.place.device is None:
        return Refused(Refusal.NO_SUCH_TERMINAL, Detail.NAME(name=visit.path["terminal"][:40]))
    pit = visit.floor.pits.get(device.place.table)
    told = pit is not None and pit.ports.tell(device.id, body.what)
    return a.Nothing() if told else Refused(Refusal.NOT_CONNECTED)


async def offer(visit: Visit, body: a.OfferPlace) -> a.OfferedPlace | Refused:
    """Offer a place to a terminal, which enrols with the code."""
    place = Place(body.screen, body.table, body.seat)
    laid = visit.floor.plan.tables.get(place.table)
    if place.table and (laid is None or place.seat > laid.game.seats):
        return Refused(Refusal.NO_SUCH_PLACE, place.detail)
    code = terminals.code(secrets.token_bytes(terminals.CODE_BYTES))
    at_ms, known = visit.floor.clock.now_ms(), terminals.code_hash(code)
    decision = await visit.act(partial(terminals.offer, by=visit.badge, place=place, code_hash=known, at_ms=at_ms))
    if isinstance(decision, Refused):
        return decision
    return a.OfferedPlace(code=code, place=place, expires_at_ms=at_ms + terminals.CODE_VALID_MS)


async def revoke(visit: Visit) -> Decision:
    """Revoke a terminal, and with it its token."""
    return await visit.act(partial(terminals.revoke, by=visit.badge, terminal=visit.path["terminal"]))


# --- Staff ---


async def list_staff(visit: Visit) -> list[a.AccountRow]:
    """Every account."""
    floor = visit.floor.state
    waiting = {alarm.badge for alarm in staff.alarms(floor, visit.floor.clock.now_ms()) if alarm.until_ms}
    return [
        a.AccountRow(
            badge=account.badge,
            label=account.label,
            role=account.role,
            locked=account.locked,
            waits=account.badge in waiting,
            must_change=account.must_change,
        )
        for account in floor.staff.values()
        if not account.removed
    ]


async def add_account(visit: Visit, body: a.NewAccount) -> a.OneTimePassword | Refused:
    """Add an account, with a one-time password."""
    demo = visit.floor.plan.demo
    decide = partial(staff.add, by=visit.badge, badge=body.badge, label=body.label, role=body.role, demo=demo)
    return await _with_one_time_password(visit, decide)


async def reset_password(visit: Visit) -> a.OneTimePassword | Refused:
    """Give an account a new one-time password."""
    decide = partial(staff.reset_password, by=visit.badge, badge=visit.path["badge"])
    return await _with_one_time_password(visit, decide)


async def _with_one_time_password(visit: Visit, decide: Callable[..., Decision]) -> a.OneTimePassword | Refused:
    password = staff.one_time_password(secrets.token_bytes(staff.ONE_TIME_BYTES))
    hashed = await visit.floor.staff_room.slowly(lambda: staff.hashed(password, staff.salt()))
    decision = await visit.act(partial(decide, password_hash=hashed))
    return decision if isinstance(decision, Refused) else a.OneTimePassword(one_time_password=password)


async def change_role(visit: Visit, body: a.NewRole) -> Decision:
    """Give an account another role."""
    return await visit.act(partial(staff.change_role, by=visit.badge, badge=visit.path["badge"], role=body.role))


async def lock(visit: Visit) -> Decision:
    """Lock an account."""
    return await visit.act(partial(staff.lock, by=visit.badge, badge=visit.path["badge"]))


async def unlock(visit: Visit) -> Decision:
    """Unlock an account."""
    return await visit.act(partial(staff.unlock, by=visit.badge, badge=visit.path["badge"]))


async def remove(visit: Visit) -> Decision:
    """Remove an account."""
    return await visit.act(partial(staff.remove, by=visit.badge, badge=visit.path["badge"]))


# --- The table of all ---


class StaffAddress(NamedTuple):
    """An address for staff who are signed in. The types of the function are
    those of the body and the answer."""

    act: Act
    """What they must be allowed to do."""
    answer: Callable[..., Awaitable[object]]
    with_key: bool = False
    """Also at a seat's terminal, while its key switch is turned, about its own table."""

    @property
    def takes(self) -> Any:
        """The type of the body; none if there is none."""
        return get_type_hints(self.answer).get("body")


DESK = {
    "GET /api/may": StaffAddress(Act.DEAL, may, with_key=True),
    "GET /api/tables": StaffAddress(Act.DEAL, tables),
    "GET /api/settings/{table:int}": StaffAddress(Act.CHANGE_GAME, table_settings),
    "GET /api/par/{table:int}": StaffAddress(Act.READ_AUDIT, par_sheet),
    "GET /api/meters": StaffAddress(Act.READ_AUDIT, all_meters, with_key=True),
    "GET /api/program": StaffAddress(Act.READ_AUDIT, which_program),
    "GET /api/progressives": StaffAddress(Act.READ_AUDIT, progressives),
    CHANGE_METER: StaffAddress(Act.CHANGE_METER, change_meter),
    MOVE_METER: StaffAddress(Act.CHANGE_METER, move_meter),
    "GET /api/events": StaffAddress(Act.READ_AUDIT, events, with_key=True),
    "GET /api/rounds/{table:int}": StaffAddress(Act.READ_AUDIT, rounds, with_key=True),
    "GET /api/dealers/{table:int}": StaffAddress(Act.READ_AUDIT, dealers),
    "GET /api/report": StaffAddress(Act.READ_AUDIT, report),
    "GET /api/health": StaffAddress(Act.READ_AUDIT, health),
    "GET /api/tickets": StaffAddress(Act.PAY_TICKET, last_tickets, with_key=True),
    "GET /api/tickets/{number}": StaffAddress(Act.PAY_TICKET, ticket),
    "GET /api/tickets/{number}/pdf": StaffAddress(Act.PAY_TICKET, ticket_pdf),
    "POST /api/tickets/{number}/pay": StaffAddress(Act.PAY_TICKET, pay_ticket),
    VOID: StaffAddress(Act.VOID_TICKET, void_ticket),
    "GET /api/drawer": StaffAddress(Act.GIVE_CREDIT, drawer),
    "POST /api/drawer/open": StaffAddress(Act.GIVE_CREDIT, open_drawer),
    "POST /api/drawer/close": StaffAddress(Act.GIVE_CREDIT, close_drawer),
    "GET /api/drawers": StaffAddress(Act.READ_AUDIT, all_drawers),
    "POST /api/drawers/{badge}/close": StaffAddress(Act.CLOSE_ANY_DRAWER, close_any_drawer),
    "GET /api/receipts/{table:int}/{seq:int}": StaffAddress(Act.GIVE_CREDIT, receipt),
    "GET /api/terminals": StaffAddress(Act.ENROL_TERMINALS, list_terminals),
    "POST /api/terminals": StaffAddress(Act.ENROL_TERMINALS, offer),
    "POST /api/terminals/{terminal}/revoke": StaffAddress(Act.ENROL_TERMINALS, revoke),
    "GET /api/devices": StaffAddress(Act.READ_AUDIT, list_devices, with_key=True),
    "POST /api/devices/{terminal}/tell": StaffAddress(Act.ENROL_TERMINALS, tell_again),
    "GET /api/staff": StaffAddress(Act.MANAGE_STAFF, list_staff),
    "POST /api/staff": StaffAddress(Act.MANAGE_STAFF, add_account),
    "POST /api/staff/{badge}/role": StaffAddress(Act.MANAGE_STAFF, change_role),
    "POST /api/staff/{badge}/reset": StaffAddress(Act.MANAGE_STAFF, reset_password),
    "POST /api/staff/{badge}/lock": StaffAddress(Act.MANAGE_STAFF, lock),
    "POST /api/staff/{badge}/unlock": StaffAddress(Act.MANAGE_STAFF, unlock),
    "POST /api/staff/{badge}/remove": StaffAddress(Act.MANAGE_STAFF, remove),
}
"""By method and address, who may ask and what answers."""
