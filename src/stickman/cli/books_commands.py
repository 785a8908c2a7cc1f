"""The commands that read a journal: verify it, replay a moment, report on it, and export it."""

from __future__ import annotations

import asyncio
import os
import re
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click
import msgspec
from rich.console import Console
from rich.progress import Progress
from rich.text import Text

from stickman.cli.play import INDENT, money_of, sentences, wager_text
from stickman.cli.shell import FILE, FOLDER, Interrupted, console, grid, reporting, say
from stickman.cli.where import Shelf, read_only
from stickman.floor.boxman import Page, turned
from stickman.floor.clock import wall_ms
from stickman.floor.export import csv_files, new_folder
from stickman.floor.export import export as export_files
from stickman.floor.journal import ENCODER, BadRecord, events_of
from stickman.floor.report import report as add_up
from stickman.floor.seals import NotSealed, open_journal
from stickman.floor.tally import NoSuchTable, Scope, playable, tables_of
from stickman.floor.verify import PROGRESS_EVERY, Verdict
from stickman.floor.verify import verify as check
from stickman.paper.report_page import NOTES, SECTIONS, is_figure, note, period, report_page, rows, title, written
from stickman.paper.report_page import time as written_time
from stickman.rules.dice import Roll
from stickman.store import checkpoints as signed
from stickman.store import keyfile, open_store
from stickman.store.checkpoints import Checkpoint
from stickman.store.keyfile import BadKey
from stickman.store.signing import Untrusted, Verifier
from stickman.store.store import FLOOR, BadStore, Head, NotAppended, Record, Store
from stickman.table import script
from stickman.table.ledger import is_seats
from stickman.table.state import Table

R = TypeVar("R")
WIDTH_WITHOUT_TERMINAL = 160
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LATEST_MS = 253_402_300_799_999
"""The last millisecond of the year 9999."""


# --- What the commands share ---


class CannotOpen(click.ClickException):
    """There is no journal that can be read."""

    exit_code = 2


reports = reporting(BadStore, NotAppended, BadRecord, NoSuchTable, Untrusted, BadKey)


class TimeOption(click.ParamType[int]):
    """A date or a time, as milliseconds since 1970."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if re.fullmatch(r"[0-9]{10,15}", str(value)) and int(value) <= LATEST_MS:
            return int(value)
        try:
            found = datetime.fromisoformat(str(value))
        except ValueError:
            allowed = "2026-01-31, 2026-01-31T18:00 (UTC), 2026-01-31T18:00+02:00 or milliseconds since 1970"
            self.fail(f"{value!r} is not a time such as {allowed}", param, ctx)
        return ((found if found.tzinfo else found.replace(tzinfo=UTC)) - EPOCH) // timedelta(milliseconds=1)


class Records(click.ParamType[tuple[int | None, int | None]]):
    """The first and the last of some records of a table."""

    name = "A..B"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int | None, int | None]:
        found = re.fullmatch(r"([0-9]{1,18})?\.\.([0-9]{1,18})?", str(value))
        first, last = (int(part) if part else None for part in found.groups()) if found else (None, None)
        if first is last is None or (first and last and first > last):
            self.fail(f"{value!r} is not a range of records such as 10..20, 10.. or ..20", param, ctx)
        return first, last


def read_journal(db: Shelf, work: Callable[[Store, ProgressBar], Awaitable[R]]) -> R:
    """Open a journal and work with it; Ctrl-C may end the work."""
    os.umask(0o077)  # the output contains ticket numbers
    bar = ProgressBar()

    async def open_and_work() -> R:
        async with _opened(db) as store:
            bar.begin({stream: await store.head(stream) for stream in await store.streams()})
            with bar.shown:
                return await work(store, bar)

    try:
        return asyncio.run(open_and_work())
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted. {bar.how_far()}") from None


@asynccontextmanager
async def _opened(db: Shelf) -> AsyncIterator[Store]:
    """An existing journal; reading never creates one."""
    try:
        key = db.key
        store = await (open_journal(db.url, key, create=False) if key else open_store(db.url, create=False))
    except NotSealed:
        raise
    except (BadStore, NotAppended, OSError, ValueError) as problem:
        raise CannotOpen(str(problem)) from None
    try:
        yield store
    finally:
        await store.close()


def _name(stream: int) -> str:
    return f"table {stream}" if stream != FLOOR else "the floor"


class ProgressBar:
    """A bar on standard error for the stream that is being read."""

    def __init__(self) -> None:
        screen = Console(stderr=True)
        self.shown = Progress(console=screen, transient=True, disable=not screen.is_terminal)
        self._task = self.shown.add_task("Reading", total=None)
        self._heads: dict[int, Head] = {}
        self._read: dict[int, int] = {}

    def begin(self, heads: dict[int, Head]) -> None:
        self._heads = heads

    def update(self, stream: int, seq: int) -> None:
        self._read[stream] = seq
        total = max(seq, self._heads[stream].seq if stream in self._heads else 0)
        self.shown.update(self._task, description=_name(stream).capitalize(), total=total, completed=seq)

    def how_far(self) -> str:
        read = [f"{_name(stream)} up to record {seq:,}" for stream, seq in self._read.items() if seq]
        return f"Read so far: {', '.join(read)}." if read else "Nothing was read yet."


# --- verify ---


PROVEN = """\
Every record follows from the one before it, back to the first: none was changed, removed, added or moved without \
computing all later digests again.
The columns, moves and claims stored with the records agree with them.
Every table, rebuilt from its records, accepts each event, and its accounts add up to zero after each.
Progressive meters hold what tables gave them, every ticket that was redeemed was issued for the same amount, and \
snapshots are the tables that they picture.
Every row of the database belongs to a record, and its tables, indexes, triggers and views are as they were \
made.""".splitlines()
MACS = "Every record has the MAC of the journal's key, or that key vouched for it: none was made without it."
NO_MACS = "That no record was made without the journal's key: that needs --journal-key."
NEVER_PROVEN = (
    "That events followed the rules of the game, or that dice were fair: `stickman report` tests the dice."
)


class NewestSigned(NamedTuple):
    """The newest checkpoint of a file, and a note if its end is incomplete."""

    newest: Checkpoint
    torn: str


@click.command()
@read_only
@click.option("--checkpoints", type=FILE, help="A file of signed checkpoints.")
@click.option("--key", "keys", type=FILE, multiple=True, help="A public key for their signatures; may be repeated.")
@click.option("--ticket-key", "ticket_keys", type=FILE, multiple=True, help="A ticket key; may be repeated.")
@reports
def verify(
    db: Shelf, checkpoints: Path | None, keys: tuple[Path, ...], ticket_keys: tuple[Path, ...], as_json: bool
) -> None:
    """Check that the journal DB, a path or a URL, is intact.

    The exit code is 1 if anything is wrong, and 2 if there is no journal.
    """
    if bool(checkpoints) != bool(keys):
        raise click.UsageError("--checkpoints and --key go together")
    found = _checkpoint(checkpoints, keys) if checkpoints else None
    lines = partial(signed.line_digest, checkpoints) if checkpoints else None
    numbers = [keyfile.read_key(each) for each in ticket_keys]

    async def work(store: Store, bar: ProgressBar) -> Verdict:
        try:
            newest = found.newest if found else None
            return await check(store, newest, bar.update, line_digest=lines, ticket_keys=numbers)
        except NotAppended as problem:
            raise BadRecord(f"{problem}. {bar.how_far()}") from None

    verdict = read_journal(db, work)
    plain = _plain_verdict(verdict, found, macs=db.key is not None)
    say(plain, lambda: _show_verdict(console(WIDTH_WITHOUT_TERMINAL), verdict, plain), as_json=as_json)
    if verdict.faults:
        raise click.exceptions.Exit(1)


def _checkpoint(file: Path, keys: Sequence[Path]) -> NewestSigned:
    """The newest checkpoint; all lines before it are checked."""
    newest, torn = None, ""
    try:
        for each in signed.read(file, Verifier.load(*keys)):
            newest = each
    except signed.Torn as problem:
        torn = str(problem)
    if newest is None:
        raise click.ClickException(torn or f"{file}: found no checkpoint; allowed: a file with at least one")
    return NewestSigned(newest, torn)


def _proven(verdict: Verdict, found: NewestSigned | None, *, macs: bool) -> tuple[list[str], list[str]]:
    """What was proven, and what was not."""
    if verdict.faults:
        return [], ["Records after the first bad one of a stream, and what streams share, were not checked."]
    keyed, unkeyed = ([MACS], []) if macs else ([], [NO_MACS])
    if found is None:
        cut = "That no tail was cut off and no chain recomputed: that needs --checkpoints and --key."
        return [*PROVEN, *keyed], [cut, NEVER_PROVEN, *unkeyed]
    at = f"checkpoint {found.newest.number} of {written_time(found.newest.at_ms)} UTC"
    kept = (
        f"Nothing up to {at} was changed or cut off since it was signed, if the database's owner could write"
        " neither the key nor the file."
    )
    since = verdict.records - sum(seq for seq, _ in found.newest.heads.values())
    later = f"That none of the {since:,} records after {at} was cut off or recomputed."
    file = "That no newer checkpoints were cut off the file itself."
    torn = [found.torn] if found.torn else []
    return [*PROVEN, kept, *keyed], [later, file, NEVER_PROVEN, *torn, *unkeyed]


def _show_verdict(screen: Console, verdict: Verdict, plain: dict[str, Any]) -> None:
    bad = {fault.stream: fault.seq for fault in reversed(verdict.faults) if fault.seq}
    figures = "Right up to", "First bad record"
    table = grid(("Stream", "Right up to", "Digest there", "First bad record"), figures)
    for stream, head in verdict.heads.items():
        first = f"{bad[stream]:,}" if stream in bad else ""
        table.add_row(_name(stream), f"{head.seq:,}", head.digest.hex(), first)
    screen.print(table)
    for fault in verdict.faults:
        screen.print(Text(f"Bad: {fault}", "bold red"))
    if not verdict.faults:
        screen.print(Text(f"The journal is intact: {verdict.records:,} records.", "bold green"))
    for heading, key in (("Proven:", "proven"), ("Not proven:", "not_proven")):
        if plain[key]:
            screen.print(heading)
        for sentence in plain[key]:
            screen.print(f"· {sentence}")


def _plain_verdict(verdict: Verdict, found: NewestSigned | None, *, macs: bool) -> dict[str, Any]:
    proven, not_proven = _proven(verdict, found, macs=macs)
    newest = found and {"number": found.newest.number, "at_ms": found.newest.at_ms, "torn": found.torn}
    return {
        "whole": not verdict.faults,
        "records": verdict.records,
        "streams": _plain_heads(verdict.heads),
        "faults": [fault._asdict() for fault in verdict.faults],
        "checkpoint": newest,
        "proven": proven,
        "not_proven": not_proven,
    }


def _plain_heads(heads: dict[int, Head]) -> list[dict[str, object]]:
    return [{"stream": stream, "seq": head.seq, "digest": head.digest.hex()} for stream, head in heads.items()]


# --- replay ---


class ReplayStep(NamedTuple):
    """A record, and the table before and after it."""

    before: Page | None
    record: Record
    after: Page


@click.command()
@read_only
@click.argument("table", type=click.IntRange(min=1))
@click.option("--at", metavar="SEQ", type=click.IntRange(min=1), help="After this record; by default the last.")
@click.option("--at-time", type=TimeOption(), help="As it was at this time.")
@click.option("--follow", metavar="N", type=click.IntRange(min=0), default=0, help="Also show the last N records.")
@click.option("--events", is_flag=True, help="Show the events of that record.")
@reports
def replay(  # noqa: PLR0913 - one for each option
    *, db: Shelf, table: int, at: int | None, at_time: int | None, follow: int, events: bool, as_json: bool
) -> None:
    """Show any moment of TABLE as it was, from the journal DB."""
    if at is not None and at_time is not None:
        raise click.UsageError("--at or --at-time, not both")

    async def work(store: Store, bar: ProgressBar) -> list[ReplayStep]:
        await tables_of(store, table)
        last = (await store.head(table)).seq
        if at is not None and at > last:
            raise click.ClickException(f"found record {at}; allowed: 1 to {last}, the last of table {table}")
        until_ms = None if at_time is None else at_time + 1
        return await _walk(store, Scope(table=table, last_seq=at, until_ms=until_ms), max(follow, 1), bar)

    steps = read_journal(db, work)
    if not steps:
        raise click.ClickException(f"table {table} has no record yet at {written_time(at_time or 0)} UTC")
    screen = Console(highlight=False, markup=False, soft_wrap=True)
    plain = _plain_moment(steps, follow=follow, events=events)
    say(plain, lambda: _show_moment(screen, steps, follow=follow, events=events), as_json=as_json)


async def _walk(store: Store, scope: Scope, keep: int, bar: ProgressBar) -> list[ReplayStep]:
    """The last steps of a scope."""
    assert scope.table is not None
    steps: deque[ReplayStep] = deque(maxlen=keep)
    page: Page | None = None
    async for record in store.records(scope.table):
        if scope.is_over(record):
            break
        with playable(record):
            after = turned(page, record)
        steps.append(ReplayStep(page, record, after))
        page = after
        if record.seq % PROGRESS_EVERY == 0:
            bar.update(record.stream, record.seq)
    return list(steps)


def _sentences(step: ReplayStep) -> Iterator[tuple[str, str]]:
    """The events of a record as sentences."""
    before = step.before.table if step.before else step.after.table
    events = events_of(step.record)
    yield from sentences(script.Step(step.record.seq, "", (), events, None, step.after.table), before)


def _show_moment(screen: Console, steps: list[ReplayStep], *, follow: int, events: bool) -> None:
    record, table = steps[-1].record, steps[-1].after.table
    for step in steps[-follow:] if follow else ():
        by = f" by {step.record.actor}" if step.record.actor else ""
        screen.print(Text(f"> record {step.record.seq}, {written_time(step.record.at_ms)}{by}", "bold"))
        for sentence, style in _sentences(step):
            screen.print(Text(INDENT + sentence, style))
    if follow:
        screen.print()
    screen.print(Text(f"{table.game.title}, table {record.stream} after record {record.seq}", "bold"))
    for line in _state(record, table):
        screen.print(Text(INDENT + line))
    if events:
        screen.print(Text("Events of the record", "bold"))
        for event in events_of(record):
            screen.print(Text(INDENT + ENCODER.encode(event).decode()))


def _state(record: Record, table: Table) -> Iterator[str]:
    """The state of a table: phase, puck, dice, then every seat with money."""
    yield f"{written_time(record.at_ms)} UTC, game {table.fingerprint}"
    yield f"record {record.digest.hex()}"
    who = f"seat {table.shooter} shoots" if table.shooter else "nobody shoots"
    dealt = f"{table.mode.replace('_', '-')}, {table.dealer + ' deals' if table.dealer else 'no dealer'}"
    stopped = (", paused" if table.paused else "") + (", locked up by a door" if table.locked_up else "")
    yield f"round {table.round}, {table.phase}{stopped}; {who}; {dealt}"
    rolled = [str(Roll(*result.dice)) if result.dice else "puck off" for result in table.history[-10:]]
    puck = f"on {table.hand.puck}" if table.hand.puck else "off"
    yield f"the puck is {puck}, {table.hand.rolls} rolled in this hand"
    yield f"last rolls, newest last: {', '.join(rolled) or 'none'}"
    for number, seat in script.end_state(script.Played(table, (), table))["seats"].items():
        yield f"seat {number:<3}{money_of(table, int(number))}{_trouble(table, int(number))}"
        yield from (INDENT * 2 + wager_text(wager, table) for wager in seat["wagers"])
    for account, cents in sorted(table.accounts.items()):
        if cents and not is_seats(account):
            yield f"{account:<32}{written({'it_cents': cents}, 'it_cents'):>16}"


def _trouble(table: Table, number: int) -> str:
    seat = table.seat(number)
    notes = [*(f"locked up by {why.replace('_', ' ')}" for why in sorted(seat.terminal.lockups))]
    notes += ["cut off"] if not seat.terminal.linked else []
    return f"; {', '.join(notes)}" if notes else ""


def _plain_moment(steps: list[ReplayStep], *, follow: int, events: bool) -> dict[str, object]:
    record, after = steps[-1].record, steps[-1].after
    plain: dict[str, object] = {
        "table": record.stream,
        "seq": record.seq,
        "at_ms": record.at_ms,
        "actor": record.actor,
        "command": record.command,
        "digest": record.digest.hex(),
        "state": msgspec.json.decode(ENCODER.encode(after.table)),
    }
    if events:
        plain["events"] = msgspec.json.decode(ENCODER.encode(events_of(record)))
    if follow:
        plain["followed"] = [
            {
                **{name: getattr(step.record, name) for name in ("seq", "at_ms", "actor")},
                "said": [sentence for sentence, _ in _sentences(step)],
            }
            for step in steps
        ]
    return plain


# --- report ---


@click.command()
@read_only
@click.option("--table", type=click.IntRange(min=1), help="One table; by default all of them and the floor.")
@click.option("--since", type=TimeOption(), help="From this time on.")
@click.option("--until", type=TimeOption(), help="Up to this time, without it.")
@click.option("--seq", "records", type=Records(), help="Of one table, the records from A to B.")
@click.option("--csv", "csv_folder", type=FOLDER, help="Write a file for each section to this new folder.")
@click.option("--html", type=FILE, help="Write one self-contained page to this file.")
@reports
def report(  # noqa: PLR0913 - one for each option
    *,
    db: Shelf,
    table: int | None,
    since: int | None,
    until: int | None,
    records: tuple[int | None, int | None] | None,
    csv_folder: Path | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Report on the journal DB: money, play with its exact returns, tickets, meters, staff, significant events.

    Times are dates such as 2026-01-31, times such as 2026-01-31T18:00 (UTC by default), or milliseconds since 1970.
    """
    if records and table is None:
        raise click.UsageError("--seq counts the records of one table: name it with --table")
    first, last = records or (None, None)
    scope = Scope(table=table, since_ms=since, until_ms=until, first_seq=first, last_seq=last)
    added = read_journal(db, lambda store, bar: add_up(store, scope, now_ms=wall_ms(), progress=bar.update))
    plain = added.plain()
    if csv_folder:
        _write_csv(plain, csv_folder)
    if html:
        html.write_text(report_page(plain), "utf-8")
    for target in (csv_folder, html):
        if target:
            click.echo(f"Wrote {target}", err=True)
    if as_json or not (csv_folder or html):
        say(plain, lambda: _show_report(console(WIDTH_WITHOUT_TERMINAL), plain), as_json=as_json)


def _write_csv(plain: dict[str, Any], folder: Path) -> None:
    with new_folder(folder) as filling:
        for name, text in csv_files(plain):
            (filling / name).write_text(text, "utf-8", newline="")


def _show_report(screen: Console, plain: dict[str, Any]) -> None:
    screen.print(Text(title(plain), "bold"))
    screen.print(period(plain))
    for name, section in SECTIONS.items():
        if name == "bets":
            for game in plain["games"]:
                bets = [bet for bet in plain["bets"] if bet["fingerprint"] == game["fingerprint"]]
                _show_section(screen, name, f"Bets of {game['title']}, game {game['fingerprint'][:16]}", bets)
        elif name != "meters":
            _show_section(screen, name, section.title, rows(plain, name))
            if rows(plain, name) and note(plain, name):
                screen.print(note(plain, name), style="dim")
    screen.print(f"{len(plain['meters'])} meters: with --csv, --html or --json.", style="dim")
    for sentence in NOTES:
        screen.print(f"· {sentence}", style="dim")


def _show_section(screen: Console, name: str, heading: str, found: Sequence[Any]) -> None:
    if not found:
        return
    columns = SECTIONS[name].columns
    table = grid(columns.values(), {head for field, head in columns.items() if is_figure(found[0], field)})
    for row in found:
        table.add_row(*(written(row, field) for field in columns))
    screen.print()
    screen.print(Text(heading, "bold"))
    screen.print(table)


# --- export ---


@click.command()
@read_only
@click.option("--table", type=click.IntRange(min=1), help="One table; by default all of them and the floor.")
@click.option("--out", type=FOLDER, required=True, help="A new folder.")
@click.option("--format", "form", type=click.Choice(["jsonl", "csv"]), default="jsonl", show_default=True)
@reports
def export(db: Shelf, table: int | None, out: Path, form: Any, as_json: bool) -> None:
    """Write the records and moves of the journal DB to files that anyone can check, with a README that says how.

    Secrets are blanked: hashes of passwords, codes and tokens.
    """

    async def work(store: Store, bar: ProgressBar) -> dict[int, Head]:
        await tables_of(store, table)
        streams = [table] if table is not None else await store.streams()
        return await export_files(store, out, streams, form, bar.update)

    heads = read_journal(db, work)
    sentence = f"Wrote {sum(head.seq for head in heads.values()):,} records to {out}"
    say({"folder": str(out), "streams": _plain_heads(heads)}, sentence, as_json=as_json)


COMMANDS = (verify, replay, report, export)
