"""Documents for the office, as pages, PDFs and CSV files: reports, par sheets, tickets and receipts.

All are made in threads, so that no table waits. What reads the journal does so over a connection of its own. Pages
contain their styles, so they have a content policy of their own.
"""

from __future__ import annotations

import asyncio
import zipfile
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC
from io import BytesIO
from typing import Any, Literal, TypeVar, get_args

from starlette.responses import Response

from stickman.floor import tickets
from stickman.floor.export import csv_files
from stickman.floor.journal import events_of
from stickman.floor.report import JournalReport, report
from stickman.floor.seals import open_journal
from stickman.floor.tally import Scope
from stickman.paper.par_page import par_page
from stickman.paper.report_page import report_page
from stickman.paper.ticket import Slip, draw
from stickman.paper.ticket_words import Language
from stickman.par import sheet as par_sheets
from stickman.rules.game import Game
from stickman.server.floor import LiveFloor
from stickman.store.store import Record, Store, using
from stickman.table import messages as m
from stickman.table.ledger import ticket_claim

T = TypeVar("T")
Form = Literal["html", "csv"]
FORMS: tuple[Form, ...] = get_args(Form)
OWN_POLICY = {
    "content-security-policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none';"
        " frame-ancestors 'self'"
    ),
    "x-frame-options": "SAMEORIGIN",
}
"""A page has styles, but no scripts and nothing to fetch; only our pages may frame it."""
ROLLS_PLOTTED = 60
PAR_PAGES_MAX = 32
"""Par sheets in the cache, about 500 kB each."""


async def in_thread(floor: LiveFloor, work: Callable[[Store], Awaitable[T]]) -> T:
    """Read the journal in a thread, over a separate connection, for one asker at a time."""
    database, key = floor.plan.database, floor.plan.journal_key

    async def read() -> T:
        async with using(open_journal(database, key)) as store:
            return await work(store)

    async with floor.reporting:
        return await asyncio.to_thread(asyncio.run, read())


# --- Reports ---


async def journal_report(floor: LiveFloor, scope: Scope) -> JournalReport:
    """A report; `NoSuchTable` if its table has no records."""
    return await in_thread(floor, lambda store: report(store, scope, now_ms=floor.clock.now_ms()))


async def report_paper(floor: LiveFloor, scope: Scope, form: Form, *, download: bool) -> Response:
    """A report as a ZIP file of CSV files, which the browser saves, or as a page, which it saves if `download`."""

    async def work(store: Store) -> Response:
        found = await report(store, scope, now_ms=floor.clock.now_ms())
        plain = found.plain()
        which = "floor" if scope.table is None else f"table-{scope.table}"
        name = f"report-{which}-{tickets.local_time(found.at_ms, UTC):%Y%m%d-%H%M%S}"
        if form == "csv":
            return Response(_zipped(plain), media_type="application/zip", headers=_saved_as(f"{name}.zip"))
        return _page(report_page(plain), f"{name}.html" if download else "")

    return await in_thread(floor, work)


def _zipped(plain: Mapping[str, Any]) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for name, text in csv_files(plain):
            files.writestr(name, text)
    return packed.getvalue()


# --- Par sheets ---

_par_pages: dict[str, str] = {}
"""By the fingerprint of a game: a par sheet depends on nothing else."""


async def par_paper(floor: LiveFloor, game: Game, fingerprint: str, *, download: bool) -> Response:
    """The par sheet of a game with its settings, from the cache if it is there."""
    async with floor.reporting:
        if fingerprint not in _par_pages:
            if len(_par_pages) >= PAR_PAGES_MAX:
                _par_pages.clear()
            _par_pages[fingerprint] = await asyncio.to_thread(_par_page, game)
    return _page(_par_pages[fingerprint], f"par-{game.name}-{fingerprint[:16]}.html" if download else "")


def _par_page(game: Game) -> str:
    return par_page([par_sheets.sheet(game, par_sheets.SheetRequest(rolls_max=ROLLS_PLOTTED)).plain()])


# --- Tickets ---


async def ticket_paper(floor: LiveFloor, ticket: tickets.Ticket, language: Language) -> Response:
    """A ticket, drawn again in `language` and with the present settings of the floor."""
    settings, zone = floor.state.settings, tickets.local_zone()

    async def work(store: Store) -> bytes:
        count = await _number_at_seat(store, ticket)
        return draw(tickets.slip(ticket, settings, count=count, zone=zone, language=language))

    return _pdf(await in_thread(floor, work), f"ticket-{ticket.number}.pdf")


async def receipt_paper(floor: LiveFloor, record: Record, given: m.CreditGiven, language: Language) -> Response:
    """A player's receipt for cash. It has the number of its record, and none of a ticket."""
    slip = Slip(
        kind="credit",
        place=floor.state.settings.name,
        number="",
        cents=given.cents,
        printed=tickets.local_time(record.at_ms, tickets.local_zone()).strftime("%Y-%m-%d %H:%M:%S"),
        table=str(record.stream),
        seat=given.seat,
        count=record.seq,
        language=language,
    )
    return _pdf(await asyncio.to_thread(draw, slip), f"receipt-{record.stream}-{record.seq}.pdf")


async def _number_at_seat(store: Store, ticket: tickets.Ticket) -> int:
    """Which of its seat's tickets this is: 1, 2, 3 … A ticket takes its number when it is
    reserved, so its print does not count again. Only the few records with the number of a ticket are decoded."""
    claimed = await store.claimed(ticket_claim(ticket.number, "issued"))
    assert claimed
    assert ticket.issued
    count = 0
    async for record in store.records(claimed.stream, upto=claimed.seq):
        if b'"number"' in record.body:
            issued = [event for event in events_of(record) if isinstance(event, m.TicketIssued)]
            claims = [each for each in issued if ticket_claim(each.number, "issued") in each.claims]
            count += sum(event.seat == ticket.issued.seat for event in claims)
    return count


# --- Answers ---


def _pdf(content: bytes, name: str) -> Response:
    named = {"content-disposition": f'inline; filename="{name}"'}
    return Response(content, media_type="application/pdf", headers={**OWN_POLICY, **named})


def _page(text: str, save_as: str = "") -> Response:
    return Response(text, media_type="text/html", headers={**OWN_POLICY, **_saved_as(save_as)})


def _saved_as(file: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{file}"'} if file else {}
