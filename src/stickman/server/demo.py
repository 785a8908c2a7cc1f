"""A floor for a demonstration: a folder with a table for each game, and everything that it needs."""

from __future__ import annotations

import fcntl
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from stickman.devices.signals import DEVICE_KINDS
from stickman.floor import events as e
from stickman.floor import staff, terminals
from stickman.floor.events import Decision, FloorEvent, Place, Refused, Role, TerminalOffered
from stickman.floor.office import CONSOLE, Floor, Office
from stickman.floor.seals import open_journal
from stickman.rules.datafile import BadFile
from stickman.server.config import Plan, read_config
from stickman.server.floor import LiveFloor
from stickman.store import keyfile
from stickman.store.store import BadStore

STAFF = {"demo-1": Role.ADMINISTRATOR, "demo-2": Role.SUPERVISOR}
"""By badge, its role. There are two people, so that deeds that need two can be tried."""
PASSWORD = "red dice on the green felt"
"""Of both badges; no secret, because a demonstration is open to everyone who reaches it. Each start sets it
again."""
CODES_VALID_MS = 86_400_000
MADE_BY = "# A floor for a demonstration, made by `stickman serve --demo`."
CONFIG = f"""\
{MADE_BY} docs/operating.md describes all settings.
demo = true
database = "sqlite:floor.db"
ticket_key = "ticket.key"
journal_key = "journal.key"

[limits]
attempts_burst = 200  # all devices enrol at once

[tables.1]
name = "Craps"
game = "craps"
settings = {{ seats = 3, mode = "automated", roll_button = true, make_em_all.on = true }}

[tables.2]
name = "Crapless Craps"
game = "crapless"
settings = {{ seats = 3, mode = "automated", roll_button = true }}

[tables.3]
name = "Easy Craps"
game = "easy"
settings = {{ seats = 3, mode = "automated", roll_button = true }}

[tables.4]
name = "Roll to Win"
game = "roll-to-win"
settings = {{ seats = 3, mode = "automated", roll_button = true, fired_up.on = true }}

[tables.5]
name = "Shoot to Win"
game = "shoot-to-win"
settings = {{ seats = 3, mode = "automated", roll_button = true, bonus_craps.on = true }}
"""


def places(planned: Plan) -> Iterator[Place]:
    """Every screen of the floor."""
    for number, table in planned.tables.items():
        yield from (Place("seat", number, seat) for seat in range(1, table.game.seats + 1))
        yield from (Place(screen, number) for screen in ("dealer", "table", "info"))
    yield Place("office")


def device_places(planned: Plan) -> Iterator[Place]:
    """Every device of the floor: those of each seat, and each table's own doors."""
    for number, table in planned.tables.items():
        yield Place("doors", number)
        for seat in range(1, table.game.seats + 1):
            yield from (Place(kind, number, seat) for kind in DEVICE_KINDS)


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


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Refuse a folder that another demonstration serves: the two would write over each other's devices and log."""
    with (folder / "demo.lock").open("a") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            found = "a demonstration that is running"
            raise BadFile(str(folder), "", found, "another --folder, or this one when that is stopped") from None
        yield


def older(config: Path) -> str:
    """What to say of a folder whose configuration this program made, but would make otherwise today; empty if there
    is nothing to say."""
    text = config.read_text("utf-8")
    if text == CONFIG or not text.startswith(MADE_BY):
        return ""
    return (
        f"{config} was made by another version, or was changed, and is served as it is. For a table of each game,"
        f" delete the folder {config.parent}, or name a new one with --folder."
    )


async def check_journal(planned: Plan) -> None:
    """Refuse a journal that belongs to a real floor, before anything is written to it."""
    try:
        store = await open_journal(planned.database, planned.journal_key)
    except BadStore as problem:
        raise BadStore(f"{problem}. Delete a demonstration of an earlier version") from None
    try:
        found = (await Office.open(store)).floor.staff
        if found and not any(badge in found for badge in STAFF):  # no real floor may have them
            raise BadStore(
                f"found the journal of a real floor, with the badge {min(found)}; --demo needs a separate one"
            )
    finally:
        await store.close()


class Welcome(NamedTuple):
    """What a visitor of the demonstration needs, and the devices."""

    links: dict[str, str]
    """By place, the path of its page."""
    devices: dict[Place, str]
    """By place of a device, the code that enrols it once."""


async def prepare(floor: LiveFloor) -> Welcome:
    """Offer every place of a device, and let staff sign in. A browser sits down without a code, and money comes
    from the devices."""
    await floor.served()
    for badge in STAFF:
        await _let_in(floor, badge)
    links = {str(place): path(place) for place in places(floor.plan)}
    return Welcome(links, await _offered(floor, list(device_places(floor.plan))))


def path(place: Place) -> str:
    """The address of a place's page, which names its table.

    >>> path(Place("seat", 2, 1)), path(Place("dealer", 2)), path(Place("office"))
    ('/seat/1?table=2', '/dealer?table=2', '/office')
    """
    page = f"/{place.screen}/{place.seat}" if place.seat else f"/{place.screen}"
    return f"{page}?table={place.table}" if place.table else page


async def _offered(floor: LiveFloor, offered: list[Place]) -> dict[Place, str]:
    """A code for each place, without a check of who asks: the console of a demonstration offers them all."""
    codes = {place: terminals.code(secrets.token_bytes(terminals.CODE_BYTES)) for place in offered}
    at_ms = floor.clock.now_ms()
    events = tuple(
        TerminalOffered(place=place, code_hash=terminals.code_hash(code), expires_at_ms=at_ms + CODES_VALID_MS)
        for place, code in codes.items()
    )
    await floor.office.act(lambda _: events, at_ms=at_ms, actor=CONSOLE)
    return codes


async def _let_in(floor: LiveFloor, badge: str) -> None:
    """Give a badge the password of the demonstration, whatever a visitor did to its account. One that was removed
    stays so."""
    account = floor.state.staff.get(badge)
    if account and account.removed:
        return
    checked = await floor.staff_room.slowly(partial(staff.verify, account, PASSWORD, staff.salt()))
    if account and account.active and not account.must_change and checked.right:
        return
    hashed = await floor.staff_room.slowly(partial(staff.hashed, PASSWORD, staff.salt()))
    decide = partial(_welcomed, badge=badge, password_hash=hashed)
    decision = await floor.office.act(decide, at_ms=floor.clock.now_ms(), actor=CONSOLE)
    assert not isinstance(decision, Refused), decision


def _welcomed(floor: Floor, *, badge: str, password_hash: str) -> Decision:
    """Add or unlock an account, with this password."""
    first: tuple[FloorEvent, ...] = ()
    account, role = floor.staff.get(badge), STAFF[badge]
    if account is None:
        label = role.value.capitalize()
        added = staff.add(
            floor, by=CONSOLE, badge=badge, label=label, role=role, password_hash=password_hash, demo=True
        )
        if isinstance(added, Refused):
            return added
        first = added
    elif account.locked:
        first = (e.AccountUnlocked(badge=badge),)
    return (*first, e.PasswordChanged(badge=badge, password_hash=password_hash))
