"""A process with a pit that can be killed at any moment: it reads requests, has the pit take a step, and answers.

A line of JSON comes in for each request (`{"id", "ask"}`) and one goes out: what it came to, the number of its
record, and the dice if it rolled some.
"""

from __future__ import annotations

import asyncio
import os
import sys
from functools import cache
from typing import Any

import msgspec

from stickman.devices.signals import NoteReturned
from stickman.floor.boxman import Boxman
from stickman.floor.clock import Clock
from stickman.rules.game import Game
from stickman.rules.settings import change, load
from stickman.server import house
from stickman.server import pit as pits
from stickman.server.entropy import KernelDice
from stickman.server.house import House
from stickman.server.pit import Pit
from stickman.store import open_store
from stickman.store.store import Fenced
from stickman.table import messages as m
from stickman.table.asking import layout_of
from stickman.table.messages import Event, Refused
from stickman.table.state import new_table
from tests.talk.devices import bill_stacked, printed, ticket_held, ticket_stacked

STREAM = 1
SEATS = 10
KEY = bytes(range(32))
"""Of the numbers of tickets; a test keeps no secrets."""


@cache
def game() -> Game:
    """What is played; its layout is compiled here once, before tables are forked."""
    chosen = change(change(load("craps"), "seats", str(SEATS)), "timers.flight_ms", "100")
    layout_of(new_table(chosen))
    return chosen


class Asked(msgspec.Struct):
    """A request on the wire of this test."""

    id: str
    ask: dict[str, Any]


REQUESTS: Any = m.PlaceBet | m.TakeBet | m.CashOut | m.Undo | m.PressButton
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
    ticket = next((event for event in events if isinstance(event, m.TicketReserved)), None)
    return Answer(asked, seq, "", dice, ticket.number if ticket else "", ticket.cents if ticket else 0)


async def reported(pit: Pit, asked: Asked) -> pits.Answer:
    """What a bill or a ticket in an acceptor comes to. A ticket is held first, or given back."""
    seat = asked.ask["seat"]
    if asked.ask["do"] == "bill":
        return await pit.step(house.Asked(bill_stacked(seat, asked.ask["cents"]), "acceptor", asked.id))
    number = asked.ask["number"]
    await pit.step(house.Asked(ticket_held(seat, number), "acceptor", f"{asked.id}-held"))
    escrow = pit.table.seat(seat).terminal.escrow
    ends = ticket_stacked(seat, number) if not escrow or escrow.stack else note_returned(seat)
    return await pit.step(house.Asked(ends, "acceptor", asked.id))


def note_returned(seat: int) -> m.Reported:
    return m.Reported(seat=seat, kind="acceptor", signal=NoteReturned(note=1))


async def told(pit: Pit, asked: Asked) -> Answer:
    """What the pit says to a request or a report, once it is durable. A ticket is printed before it is said."""
    if asked.ask["do"] in ("bill", "ticket"):
        result = await reported(pit, asked)
    else:
        result = await pit.step(house.Asked(msgspec.convert(asked.ask, REQUESTS), "seat", asked.id))
    for event in result.events if isinstance(result, pits.Accepted) else ():
        if isinstance(event, m.TicketReserved):
            await pit.step(house.Asked(printed(event), "printer", f"{asked.id}-printed"))
    match result:
        case pits.Accepted(seq, events):
            return answer(asked.id, seq, events)
        case Refused(why):
            return Answer(asked.id, refused=why.value)
    raise AssertionError(f"a step answers, or fails: {result}")


async def deal(url: str, reads: int, writes: int) -> None:
    """Keep the table until there is nothing more to read, or somebody else keeps it."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(reads, "rb"))
    store = await open_store(url)
    async with store.own(STREAM, f"process {os.getpid()}") as lease:
        clock = Clock()
        boxman = await Boxman.sit(store, lease, game(), clock.now_ms())
        pit = Pit(boxman, House(clock, KernelDice(), (KEY,)))
        os.write(writes, b"ready\n")
        while line := await reader.readline():
            said = await told(pit, msgspec.json.decode(line, type=Asked))
            os.write(writes, msgspec.json.encode(said) + b"\n")
    await store.close()


def main(url: str, reads: int, writes: int) -> None:
    try:
        asyncio.run(deal(url, reads, writes))
    except Fenced as fenced:
        sys.stderr.write(f"{fenced}\n")
        sys.exit(3)
