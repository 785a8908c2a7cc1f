"""The commands of the floor: staff, terminals, tickets."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, get_args

import click
import msgspec

from stickman.cli.shell import FILE, console, grid, reporting, say
from stickman.cli.where import Where, written
from stickman.floor import staff as accounts
from stickman.floor import terminals, tickets
from stickman.floor.clock import FromTheFuture, check_not_ahead, newest, wall_ms
from stickman.floor.events import (
    SECRET_FIELDS,
    ClockOverridden,
    Decision,
    FloorEvent,
    Place,
    PlaceKind,
    Refused,
    Role,
    Settings,
)
from stickman.floor.journal import BadRecord
from stickman.floor.office import CONSOLE, Floor, Office, change_setting
from stickman.floor.seals import open_journal
from stickman.floor.tickets import BadNumber, Ticket
from stickman.paper.ticket import BadSlip, Slip, draw, grouped
from stickman.rules.datafile import allowed
from stickman.rules.money import dollars
from stickman.store import keyfile
from stickman.store.keyfile import BadKey
from stickman.store.store import BadStore, NotAppended, using

R = TypeVar("R")
AS = click.option("--as", "by", metavar="BADGE", required=True, help="Your badge; asks for the password.")
ROLE = click.Choice([role.value for role in Role])
KIND = click.Choice(get_args(PlaceKind))


reports = reporting(BadStore, NotAppended, BadRecord, BadKey, BadNumber, BadSlip, FromTheFuture)


def at_journal(command: Callable[..., None]) -> Callable[..., Any]:
    """The options of a command that writes to a journal."""
    return written(reports(command))


# --- The office, from the command line ---


def at_the_office(
    db: Where, work: Callable[[Office], Awaitable[R]], *, create: bool = False, writes: bool = True
) -> R:
    """Do some work at the office of a journal."""
    os.umask(0o077)

    async def open_and_work() -> R:
        async with using(open_journal(db.url, db.key, create=create)) as store:
            office = await Office.open(store)
            if writes:
                await check_clock(office, despite=db.despite_clock)
            return await work(office)

    return asyncio.run(open_and_work())


async def check_clock(office: Office, *, despite: bool) -> None:
    """Refuse to write to a journal from the future, unless the operator allows it, which is recorded."""
    found = await newest(office.store)
    if not despite:
        check_not_ahead(found)
    elif found.ahead_ms:
        overridden = ClockOverridden(ahead_ms=found.ahead_ms, stream=found.stream)
        await office.record(overridden, at_ms=wall_ms(), actor=CONSOLE)


def look(db: Where) -> Floor:
    """The floor of a journal."""

    async def read(office: Office) -> Floor:
        return office.floor

    return at_the_office(db, read, writes=False)


def act(db: Where, decide: Callable[[Floor], Decision], *, create: bool = False) -> tuple[FloorEvent, ...]:
    """Act as the person at this machine."""
    work = lambda office: office.act(decide, at_ms=wall_ms(), actor=CONSOLE)  # noqa: E731 - it fits in a line
    return accepted(at_the_office(db, work, create=create))


def accepted(decision: Decision) -> tuple[FloorEvent, ...]:
    if isinstance(decision, Refused):
        raise click.ClickException(str(decision))
    return decision


def act_as(
    db: Where, badges: Sequence[str], work: Callable[[Office, int], Awaitable[Decision]]
) -> tuple[FloorEvent, ...]:
    """Do some work after each of these people has given the right password; every attempt is recorded."""

    async def sign_in_and_work(office: Office) -> Decision:
        for badge in badges:
            must_not_wait(office, badge)
            password = click.prompt(f"Password of {badge}", hide_input=True, err=True)
            checked = accounts.verify(office.floor.account(badge), password, accounts.salt())
            decide = partial(accounts.sign_in, badge=badge, terminal=CONSOLE, checked=checked, at_ms=wall_ms())
            accepted(accounts.outcome(await office.act(decide, at_ms=wall_ms(), actor=badge)))
            if (spelled := accounts.badge_written(office.floor, badge)) != badge:
                raise click.ClickException(f"the badge is {badge!r}; it is spelled {spelled!r}")
        return await work(office, wall_ms())

    return accepted(at_the_office(db, sign_in_and_work))


def must_not_wait(office: Office, badge: str) -> None:
    """Refuse before the prompt if the password would not be checked."""
    if wait := accounts.wait_of(office.floor, badge=badge, terminal=CONSOLE, at_ms=wall_ms()):
        raise click.ClickException(str(wait))


def show_events(events: Sequence[FloorEvent], sentence: str, *, as_json: bool) -> None:
    say([plain(event) for event in events], sentence, as_json=as_json)


def plain(event: FloorEvent) -> dict[str, Any]:
    """An event without its secrets."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    return {name: value for name, value in fields.items() if name not in SECRET_FIELDS}


def show_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = grid(headings)
    for row in rows:
        table.add_row(*row)
    console().print(table)


# --- Staff ---


@click.group()
def staff() -> None:
    """The accounts of the floor. Anyone who can open the journal's database may do all of this."""


@staff.command("list")
@at_journal
def list_staff(db: Where, as_json: bool) -> None:
    """List the accounts."""
    found = look(db).staff.values()
    states = {a.badge: "removed" if a.removed else "locked" if a.locked else "active" for a in found}
    rows = [(a.badge, a.label, a.role.value, states[a.badge]) for a in found]
    value = [dict(zip(("badge", "label", "role", "state"), row, strict=True)) for row in rows]
    say(value, lambda: show_table(["badge", "label", "role", ""], rows), as_json=as_json)


@staff.command()
@click.argument("badge")
@click.option("--label", default="Administrator", show_default=True, help="Their name on screens.")
@at_journal
def init(badge: str, label: str, db: Where, as_json: bool) -> None:
    """Make the first administrator, and print a one-time password."""
    first = partial(accounts.first_administrator, badge=badge, label=label)
    with_one_time_password(db, first, badge, as_json=as_json, create=True)


@staff.command()
@click.argument("badge")
@click.argument("role", type=ROLE)
@click.option("--label", required=True, help="Their name on screens.")
@at_journal
def add(badge: str, role: str, label: str, db: Where, as_json: bool) -> None:
    """Add an account, and print a one-time password."""
    decide = partial(accounts.add, by=CONSOLE, badge=badge, label=label, role=Role(role))
    with_one_time_password(db, decide, badge, as_json=as_json)


@staff.command()
@click.argument("badge")
@at_journal
def reset(badge: str, db: Where, as_json: bool) -> None:
    """Give an account a new one-time password, and print it."""
    with_one_time_password(db, partial(accounts.reset_password, by=CONSOLE, badge=badge), badge, as_json=as_json)


def with_one_time_password(
    db: Where, decide: Callable[..., Decision], badge: str, *, as_json: bool, create: bool = False
) -> None:
    password = accounts.one_time_password(secrets.token_bytes(accounts.ONE_TIME_BYTES))
    act(db, partial(decide, password_hash=accounts.hashed(password, accounts.salt())), create=create)
    sentence = f"{badge} signs in once with {password} and then chooses a password."
    say({"badge": badge, "one_time_password": password}, sentence, as_json=as_json)


@staff.command()
@click.argument("badge")
@at_journal
def password(badge: str, db: Where, as_json: bool) -> None:
    """Choose a new password; asks for the old one."""

    async def change(office: Office) -> Decision:
        must_not_wait(office, badge)
        account = office.floor.account(badge)
        old = click.prompt("Old password", hide_input=True, err=True)
        new = click.prompt("New password", hide_input=True, confirmation_prompt=True, err=True)
        checked = accounts.verify(account, old, accounts.salt())
        chosen = accounts.chosen(account, new, accounts.salt()) if account else ""
        decide = partial(accounts.change_password, badge=badge, terminal=CONSOLE, checked=checked)
        decide = partial(decide, password_hash=chosen, at_ms=wall_ms())
        return accounts.outcome(await office.act(decide, at_ms=wall_ms(), actor=badge))

    events = accepted(at_the_office(db, change))
    show_events(events, f"{badge} has a new password.", as_json=as_json)


@staff.command("role")
@click.argument("badge")
@click.argument("role", type=ROLE)
@at_journal
def change_role(badge: str, role: str, db: Where, as_json: bool) -> None:
    """Give an account another role."""
    events = act(db, partial(accounts.change_role, by=CONSOLE, badge=badge, role=Role(role)))
    show_events(events, f"{badge} is {role} now.", as_json=as_json)


def _account_command(decide: Callable[..., Decision], does: str, done: str) -> None:
    """A command that needs nothing but a badge, named as its decider."""

    @staff.command(decide.__name__, help=does)
    @click.argument("badge")
    @at_journal
    def command(badge: str, db: Where, as_json: bool) -> None:
        show_events(act(db, partial(decide, by=CONSOLE, badge=badge)), f"{badge} {done}", as_json=as_json)


_account_command(accounts.lock, "Lock an account until it is unlocked; its sessions end.", "is locked.")
_account_command(accounts.unlock, "Unlock an account, or end its wait after wrong passwords.", "may sign in again.")
_account_command(accounts.remove, "Remove an account; its badge is never reused.", "is removed.")


# --- Terminals ---


@click.group()
def terminal() -> None:
    """The screens and devices of the floor."""


@terminal.command("list")
@at_journal
def list_terminals(db: Where, as_json: bool) -> None:
    """List the enrolled terminals."""
    found = look(db).terminals.values()
    value = [{"terminal": t.id, "place": msgspec.to_builtins(t.place)} for t in found]
    rows = [(t.id, str(t.place)) for t in found]
    say(value, lambda: show_table(["terminal", "place"], rows), as_json=as_json)


@terminal.command()
@click.argument("kind", type=KIND)
@click.option("--table", type=int, default=0, help="The table's number; none for the office.")
@click.option("--seat", type=int, default=0, help="The seat's number, for a seat or one of its devices.")
@AS
@at_journal
def offer(kind: Any, table: int, seat: int, by: str, db: Where, as_json: bool) -> None:
    """Offer a place to a screen or a device, and print its code, which is valid for ten minutes."""
    code, place = terminals.code(secrets.token_bytes(terminals.CODE_BYTES)), Place(kind, table, seat)
    decide = partial(terminals.offer, by=by, place=place, code_hash=terminals.code_hash(code))
    work = lambda office, at_ms: office.act(partial(decide, at_ms=at_ms), at_ms=at_ms, actor=by)  # noqa: E731
    [event] = act_as(db, [by], work)
    say({"code": code, **plain(event)}, f"The code for {place} is {code}, for ten minutes.", as_json=as_json)


@terminal.command()
@click.argument("terminal_id", metavar="TERMINAL")
@AS
@at_journal
def revoke(terminal_id: str, by: str, db: Where, as_json: bool) -> None:
    """Revoke a terminal: its token stops working."""
    decide = partial(terminals.revoke, by=by, terminal=terminal_id)
    events = act_as(db, [by], lambda office, at_ms: office.act(decide, at_ms=at_ms, actor=by))
    show_events(events, f"{terminal_id} is revoked.", as_json=as_json)


# --- The floor ---


@click.group()
def floor() -> None:
    """The floor's own settings: its name, its cage, the language of its tickets, what one person may pay."""


@floor.command("settings")
@at_journal
def list_settings(db: Where, as_json: bool) -> None:
    """List the settings of the floor."""
    found: dict[str, Any] = msgspec.to_builtins(look(db).settings)
    rows = [(field.name, str(found[field.name]), allowed(field.type)) for field in msgspec.structs.fields(Settings)]
    say(found, lambda: show_table(["setting", "value", "allowed"], rows), as_json=as_json)


@floor.command("set")
@click.argument("key")
@click.argument("value")
@AS
@at_journal
def set_setting(key: str, value: str, by: str, db: Where, as_json: bool) -> None:
    """Change the setting KEY of the floor to VALUE."""
    decide = partial(change_setting, by=by, key=key, text=value)
    events = act_as(db, [by], lambda office, at_ms: office.act(decide, at_ms=at_ms, actor=by))
    show_events(events, f"{key} is {value}.", as_json=as_json)


# --- Tickets ---


@click.group()
def ticket() -> None:
    """Tickets: look them up, pay or void them at the cage."""


@ticket.command()
@click.argument("file", type=FILE)
@reports
def key(file: Path, as_json: bool) -> None:
    """Make the floor's key for ticket numbers in FILE. Keep a copy, and keep it secret."""
    keyfile.write_key(file, secrets.token_bytes(keyfile.KEY_BYTES))
    say({"key": str(file)}, f"Made {file}", as_json=as_json)


@ticket.command()
@click.argument("number")
@at_journal
def show(number: str, db: Where, as_json: bool) -> None:
    """Show the ticket NUMBER and its status."""

    async def find(office: Office) -> Ticket:
        return await tickets.look_up(office.store, db.tickets, number, now_ms=wall_ms())

    found = at_the_office(db, find, writes=False)
    say(msgspec.to_builtins(found), lambda: show_table(TICKET_HEADINGS, [_row(found)]), as_json=as_json)


@ticket.command("list")
@at_journal
def list_tickets(db: Where, as_json: bool) -> None:
    """List the tickets that are still owed, including expired ones."""

    async def find(office: Office) -> list[Ticket]:
        known = tickets.outstanding(office.store, db.tickets, now_ms=wall_ms())
        return [found async for found in known]

    owed = at_the_office(db, find, writes=False)
    say(msgspec.to_builtins(owed), lambda: show_owed(owed), as_json=as_json)


def show_owed(owed: Sequence[Ticket]) -> None:
    show_table(TICKET_HEADINGS, [_row(found) for found in owed])
    click.echo(f"{len(owed)} tickets, {dollars(sum(found.cents for found in owed))} in all")


@ticket.command()
@click.argument("number")
@AS
@at_journal
def pay(number: str, by: str, db: Where, as_json: bool) -> None:
    """Pay the ticket NUMBER in cash."""
    [event] = at_the_cage(db, number, [by], partial(tickets.pay, by=by))
    say(plain(event), f"Pay {dollars(plain(event)['cents'])}.", as_json=as_json)


@ticket.command()
@click.argument("number")
@AS
@click.option("--with", "approver", metavar="BADGE", required=True, help="The second person.")
@click.option("--reason", required=True, help="Why.")
@at_journal
def void(number: str, by: str, approver: str, reason: str, db: Where, as_json: bool) -> None:
    """Void the ticket NUMBER, which needs two people."""
    decide = partial(tickets.void, by=by, approver=approver, reason=reason)
    [event] = at_the_cage(db, number, [by, approver], decide)
    say(plain(event), f"Voided {dollars(plain(event)['cents'])}.", as_json=as_json)


@ticket.command()
@click.argument("file", type=FILE)
@reports
def sample(file: Path, as_json: bool) -> None:
    """Draw a sample ticket to FILE, a PDF, to test a printer and a scanner."""
    slip = Slip(
        kind="cash_out",
        place="Sample, not redeemable",
        number="0" * tickets.DIGITS,
        cents=1_23,
        printed=datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        table="1",
        seat=1,
        count=1,
        expires="Sample",
    )
    file.write_bytes(draw(slip))
    say({"pdf": str(file)}, f"Wrote {file}", as_json=as_json)


def at_the_cage(
    db: Where, number: str, badges: Sequence[str], decide: Callable[[Floor, Ticket], Decision]
) -> tuple[FloorEvent, ...]:
    keys = db.tickets

    async def work(office: Office, at_ms: int) -> Decision:
        return await tickets.at_the_cage(office, keys, number, decide, at_ms=at_ms, actor=badges[0])

    return act_as(db, badges, work)


TICKET_HEADINGS = ("number", "", "kind", "amount", "table", "seat", "issued (UTC)")


def _row(found: Ticket) -> tuple[str, ...]:
    if found.issued is None:
        return (grouped(found.number), found.status, "", "", "", "", "")
    issued = tickets.local_time(found.issued.at_ms, UTC).strftime("%Y-%m-%d %H:%M:%S")
    where = (str(found.issued.stream), str(found.issued.seat))
    return (grouped(found.number), found.status, found.kind, dollars(found.cents), *where, issued)
