"""A process that keeps a table and can be killed at any moment: it reads requests, decides, writes, then answers.

A line of JSON comes in for each request (`{"id", "ask"}`) and one goes out: what it came to, the number of its
record, and the dice if it rolled some. All requests that wait are written in one batch. What was not written is
never answered.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
import time
from functools import cache
from typing import Any

import msgspec

from stickman.floor import tickets
from stickman.floor.boxman import Boxman, Deed
from stickman.rules.game import Game, change, load
from stickman.store import open_store
from stickman.store.store import Fenced, Moved, Store, Taken
from stickman.table import messages as m
from stickman.table.betting import layout_of
from stickman.table.decide import decide
from stickman.table.evolve import evolve_all
from stickman.table.messages import Event, Facts, Refused, Request
from stickman.table.state import Table, new_table

STREAM = 1
SEATS = 10
KEY = bytes(range(32))
"""Of the numbers of tickets; a test keeps no secrets."""


@cache
def game() -> Game:
    """What is played; its layout is compiled here once, before tables are forked."""
    chosen = change(load("craps"), "seats", str(SEATS))
    layout_of(new_table(chosen))
    return chosen


class Asked(msgspec.Struct):
    """A request on the wire of this test."""

    id: str
    ask: dict[str, Any]


REQUESTS: Any = m.PlaceBet | m.TakeBet | m.InsertCash | m.InsertTicket | m.CashOut | m.Undo | m.PressButton
REQUESTS = REQUESTS | m.CloseBets | m.RollDice | m.OpenBets


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a request came to."""

    id: str
    seq: int = 0
    """Of its record; 0 where it was refused."""
    refused: str = ""
    dice: tuple[int, int] | None = None
    ticket: str = ""
    ticket_cents: int = 0


def answer(asked: str, seq: int, events: tuple[Event, ...]) -> Answer:
    dice = next((event.dice for event in events if isinstance(event, m.DiceRolled)), None)
    printed = next((event for event in events if isinstance(event, m.TicketPrinted)), None)
    return Answer(asked, seq, "", dice, printed.number if printed else "", printed.cents if printed else 0)


class Dealing:
    """The table, and what to do with the requests that wait."""

    def __init__(self, store: Store, boxman: Boxman) -> None:
        self.store, self.boxman = store, boxman

    async def facts(self, table: Table, request: Request) -> Facts:
        """What the house knows now."""
        now_ms = time.time_ns() // 1_000_000
        worth = None
        if isinstance(request, m.InsertTicket):
            worth = (await tickets.look_up(self.store, request.number, now_ms=now_ms)).cents_at_table
        return Facts(
            now_ms=now_ms,
            actor="seat",
            dice=(secrets.randbelow(6) + 1, secrets.randbelow(6) + 1),
            ticket_number=tickets.next_number(KEY, STREAM, table),
            ticket_cents=worth,
        )

    async def step(self, waiting: list[Asked]) -> list[Answer]:
        """Decide all that wait, write it, answer; where a command was seen before, answer as then."""
        table, deeds, answers = self.boxman.table, list[Deed](), list[Answer]()
        for asked in waiting:
            request = msgspec.convert(asked.ask, REQUESTS)
            facts = await self.facts(table, request)
            decision = decide(table, request, facts)
            if isinstance(decision, Refused):
                answers.append(await self._refused(asked, decision))
                continue
            table = evolve_all(table, decision)
            deeds.append(Deed(decision, facts.now_ms, "seat", asked.id))
            answers.append(answer(asked.id, self.boxman.page.head.seq + len(deeds), decision))
        if deeds:
            await self.boxman.write(deeds, table)
        return answers

    async def _refused(self, asked: Asked, decision: Refused) -> Answer:
        return await self.answered(asked) or Answer(asked.id, refused=decision.why.value)

    async def answered(self, asked: Asked) -> Answer | None:
        record = await self.store.commanded(STREAM, asked.id)
        return answer(asked.id, record.seq, await self.boxman.answered(asked.id) or ()) if record else None

    async def steps(self, waiting: list[Asked]) -> list[Answer]:
        """As `step`; where something was done before, one by one."""
        try:
            return await self.step(waiting)
        except (Taken, Moved):
            await self.boxman.read_again()
        if len(waiting) > 1:
            return [each for asked in waiting for each in await self.steps([asked])]
        known = await self.answered(waiting[0])
        assert known, f"{waiting[0]} was taken by nobody"
        return [known]


async def deal(url: str, reads: int, writes: int) -> None:
    """Keep the table until there is nothing more to read, or somebody else keeps it."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(reads, "rb"))
    store = await open_store(url)
    async with store.own(STREAM, f"process {os.getpid()}") as lease:
        dealing = Dealing(store, await Boxman.sit(store, lease, game(), time.time_ns() // 1_000_000))
        os.write(writes, b"ready\n")
        while line := await reader.readline():
            lines = [line]
            while b"\n" in reader._buffer:  # type: ignore[attr-defined] # what waits already
                lines.append(await reader.readline())
            answers = await dealing.steps([msgspec.json.decode(each, type=Asked) for each in lines])
            os.write(writes, b"".join(msgspec.json.encode(each) + b"\n" for each in answers))
    await store.close()


def main(url: str, reads: int, writes: int) -> None:
    try:
        asyncio.run(deal(url, reads, writes))
    except Fenced as fenced:
        sys.stderr.write(f"{fenced}\n")
        sys.exit(3)
