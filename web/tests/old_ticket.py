"""Makes the folder of a demonstration whose table 1 printed a ticket long ago, and prints that ticket's number."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from stickman.devices.signals import BillStacked, SlipPrinted
from stickman.floor.boxman import Boxman, NewRecord
from stickman.floor.seals import open_journal
from stickman.floor.tickets import number
from stickman.server.config import plan, read_config
from stickman.server.demo import make_folder
from stickman.store.store import using
from stickman.table import messages as m
from stickman.table.decide import decide_given
from stickman.table.evolve import evolve_all
from stickman.table.messages import Facts, Reported, Request

LONG_AGO_MS = 1_600_000_000_000


async def main(folder: Path) -> None:
    file = make_folder(folder)
    planned = plan(read_config(file.read_text("utf-8"), str(file)), folder, str(file))
    old = number(planned.ticket_keys[0], 1, 7)
    asked: tuple[Request | Reported, ...] = (
        Reported(seat=1, kind="acceptor", signal=BillStacked(note=1, cents=2_000)),
        m.CashOut(seat=1),
        Reported(seat=1, kind="printer", signal=SlipPrinted(job=old)),
    )
    opening = open_journal(planned.database, planned.journal_key)
    async with using(opening) as store, store.own(1, "test") as lease:
        boxman = await Boxman.sit(store, lease, planned.tables[1].game, LONG_AGO_MS)
        for each in asked:
            events = decide_given(boxman.table, each, Facts(now_ms=LONG_AGO_MS, ticket_number=old))
            assert isinstance(events, tuple), events
            after = evolve_all(boxman.table, events)
            await boxman.write([NewRecord(events, LONG_AGO_MS, "test")], after)
    print(old)  # noqa: T201 - for the test that asks


asyncio.run(main(Path(sys.argv[1])))
