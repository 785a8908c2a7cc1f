"""A floor for a demonstration: a folder with one automated table of three seats, and everything that it needs."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import NamedTuple

from stickman.floor import staff, terminals
from stickman.floor.events import Place, Refused, TerminalOffered
from stickman.floor.office import CONSOLE, Office
from stickman.floor.seals import open_journal
from stickman.rules.datafile import BadFile
from stickman.server.config import Plan, read_config
from stickman.server.floor import LiveFloor
from stickman.server.house import Asked
from stickman.store import keyfile
from stickman.store.store import BadStore
from stickman.table import messages as m

SEATS, BILLS, BILL_CENTS = 3, 10, 10_000
BADGE = "demo-1"
LINKS_VALID_MS = 86_400_000
CONFIG = f"""\
# A floor for a demonstration, made by `stickman serve --demo`. docs/operating.md describes all settings.
demo = true
database = "sqlite:floor.db"
ticket_key = "ticket.key"
journal_key = "journal.key"

[tables.1]
name = "Demo"
game = "craps"

[tables.1.settings]
seats = {SEATS}
mode = "automated"
"""
PLACES = (
    *(Place("seat", 1, seat) for seat in range(1, SEATS + 1)),
    Place("dealer", 1),
    Place("table", 1),
    Place("info", 1),
    Place("office"),
)


def make_folder(folder: Path) -> Path:
    """The configuration of the demonstration; what is missing in the folder is made."""
    config = folder / "floor.toml"
    if config.exists() and not read_config(config.read_text("utf-8"), str(config)).demo:
        found = "the configuration of a real floor"
        raise BadFile(str(config), "demo", found, "a folder that --demo made, or a new one")
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("ticket.key", "journal.key"):
        if not (folder / name).exists():
            keyfile.write_key(folder / name, secrets.token_bytes(keyfile.KEY_BYTES))
    if not config.exists():
        config.write_text(CONFIG, "utf-8")
    return config


async def check_journal(planned: Plan) -> None:
    """Refuse a journal that belongs to a real floor, before anything is written to it."""
    try:
        store = await open_journal(planned.database, planned.journal_key)
    except BadStore as problem:
        raise BadStore(f"{problem}. Delete a demonstration of an earlier version") from None
    try:
        found = (await Office.open(store)).floor.staff
        if found and BADGE not in found:  # no real floor may have this badge
            raise BadStore(
                f"found the journal of a real floor, with the badge {min(found)}; --demo needs a separate one"
            )
    finally:
        await store.close()


class Welcome(NamedTuple):
    """What a visitor of the demonstration needs."""

    links: dict[str, str]
    """By place, the path of a link that enrols a browser once."""
    badge: str
    one_time_password: str
    """Empty if it has been changed."""


async def prepare(floor: LiveFloor) -> Welcome:
    """Offer every place, add an administrator, and give the seats credit once."""
    await floor.served()
    for seat in range(1, SEATS + 1):
        for bill in range(BILLS):
            cash = m.InsertCash(seat=seat, cents=BILL_CENTS)
            await floor.ask(1, Asked(cash, command=f"demo-bill-{seat}-{bill}"))
    links = {str(place): f"/{_path(place)}#{await _offer(floor, place)}" for place in PLACES}
    return Welcome(links, BADGE, await _administrator(floor))


def _path(place: Place) -> str:
    return f"seat/{place.seat}" if place.seat else place.screen


async def _offer(floor: LiveFloor, place: Place) -> str:
    """Offer a place without a check of who asks: at a demonstration nobody has chosen a password yet."""
    code, at_ms = terminals.code(secrets.token_bytes(terminals.CODE_BYTES)), floor.clock.now_ms()
    until_ms = at_ms + LINKS_VALID_MS
    offered = TerminalOffered(place=place, code_hash=terminals.code_hash(code), expires_at_ms=until_ms)
    await floor.office.record(offered, at_ms=at_ms, actor=CONSOLE)
    return code


async def _administrator(floor: LiveFloor) -> str:
    """A new one-time password for the administrator; empty if they have chosen their own."""
    account = floor.state.staff.get(BADGE)
    if account and not account.must_change:
        return ""
    password = staff.one_time_password(secrets.token_bytes(staff.ONE_TIME_BYTES))
    hashed = staff.hashed(password, staff.salt())
    decision = await floor.office.act(
        lambda known: (
            staff.reset_password(known, by=CONSOLE, badge=BADGE, password_hash=hashed)
            if known.staff
            else staff.first_administrator(known, badge=BADGE, label="Demo", password_hash=hashed, demo=True)
        ),
        at_ms=floor.clock.now_ms(),
        actor=CONSOLE,
    )
    assert not isinstance(decision, Refused), decision
    return password
