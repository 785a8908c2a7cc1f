"""Prepares the journal and the keys of a floor for the tests of the screens: `prepared_floor.py FOLDER SEATS`.
Prints, as JSON, the tokens of its terminals by place, its staff by role with their password, the cashier with their
terminal, and an administrator whose password must be changed."""

import asyncio
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from stickman.floor import staff
from stickman.floor.events import AccountAdded, Role
from stickman.floor.office import Office
from stickman.floor.seals import open_journal
from tests.server import process

ADMINISTRATOR, ONE_TIME = "admin-1", "0000A-0000B-0000C-0000D"


async def add_administrator(folder: Path) -> None:
    store = await open_journal(f"sqlite:{folder / 'floor.db'}", process.JOURNAL_KEY)
    hashed = process.QUICK_HASHER.hash(ONE_TIME, salt=bytes(staff.SALT_BYTES))
    added = AccountAdded(badge=ADMINISTRATOR, label="Admin", role=Role.ADMINISTRATOR, password_hash=hashed)
    await (await Office.open(store)).act(lambda _: (added,), at_ms=1, actor="test")
    await store.close()


folder, seats = Path(sys.argv[1]), int(sys.argv[2])
process.SEATS = {1: seats}
del process.BADGES[Role.ADMINISTRATOR]  # there is one, who must choose a password
process.prepare(folder)
asyncio.run(add_administrator(folder))
json.dump(
    {
        "tokens": {str(place): process.token(place) for place in process.places()},
        "badges": {role.value: badge for role, badge in process.BADGES.items()},
        "password": process.PASSWORD,
        "cashier": process.CASHIER,
        "cage": process.CAGE,
        "badge": ADMINISTRATOR,
        "one_time_password": ONE_TIME,
    },
    sys.stdout,
)
