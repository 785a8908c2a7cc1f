"""A floor to try things at: one automated table with three seats, made in a folder, with everything it needs."""

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
LINKS_GOOD_MS = 86_400_000
CONFIG = f"""\
# A floor to try things at, made by `stickman serve --demo`. docs/operating.md says what else there is.
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
    """The configuration of the demonstration, made with all that it names where it is not there yet."""
    config = folder / "floor.toml"
    if config.exists() and not read_config(config.read_text("utf-8"), str(config)).demo:
        raise BadFile(
            str(config), "demo", "the configuration of a real floor", "a folder that --demo made, or none"
        )
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
        raise BadStore(f"{problem}. A demonstration of an earlier version is best deleted") from None
    try:
        found = (await Office.open(store)).floor.staff
        if found and BADGE not in found:  # which no real floor may give to anybody
            raise BadStore(
                f"found the journal of a real floor, with the badge {min(found)}; --demo needs one of its own"
            )
    finally:
        await store.close()


class Welcome(NamedTuple):
    """What whoever tries it needs to know."""

    links: dict[str, str]
    """By place, the path of a link that enrols whoever follows it, once."""
    badge: str
    one_time_password: str
    """Empty where it has been changed."""


async def prepare(floor: LiveFloor) -> Welcome:
    """Offer every place, let an administrator in, and give the seats credit once."""
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
    """Offer a place without asking who does: at a demonstration nobody has chosen a password yet."""
    code, at_ms = terminals.code(secrets.token_bytes(terminals.CODE_BYTES)), floor.clock.now_ms()
    offered = TerminalOffered(place=place, code_hash=terminals.code_hash(code), expires_at_ms=at_ms + LINKS_GOOD_MS)
    await floor.office.act(lambda _: (offered,), at_ms=at_ms, actor=CONSOLE)
    return code


async def _administrator(floor: LiveFloor) -> str:
    """A new one-time password for the administrator, until they have chosen one."""
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
