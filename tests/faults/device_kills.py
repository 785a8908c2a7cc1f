"""Kill the server and the devices process at random moments while bills and tickets go in and out, and see that all
money is in exactly one place.

`python -m tests.faults.device_kills --kills 200` runs three real processes in a folder of their own: the server,
the devices process, and the emulated devices, which are the metal and are never killed. Ctrl-C ends it early, with
its report. At each seat a player inserts bills and tickets, cashes out and tips; staff pay and clear what a lost
print leaves. Now and then the server or the devices process is frozen instead (SIGSTOP) and goes on later.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any, Literal, NamedTuple

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from stickman.floor import tickets
from stickman.floor.boxman import read
from stickman.floor.events import Role
from stickman.floor.journal import events_of
from stickman.floor.seals import open_journal
from stickman.store import keyfile
from stickman.store.store import Store
from stickman.table import messages as m
from tests.faults.floor_with_devices import TABLE, FloorWithDevices
from tests.server.process import BADGES, CAGE, JOURNAL_KEY, dealer, seat
from tests.talk.server import Deed, Screen, approve, http, screen, sign_in

BILLS = (100, 200, 500, 1_000, 2_000, 5_000, 10_000)
"""Each seat has bills of one value, so that a count of paper is an amount."""
SLIPS_MAX = 6
"""In a tray; more would not all be shown."""


class Moment(NamedTuple):
    """When to kill: after money began to move at this number of seats, and then within some time."""

    seats: int
    slips: bool
    """Only slips count."""
    within_s: float


MOMENTS = (Moment(3, False, 2.0), Moment(1, True, 0.2), Moment(0, False, 1.5))
"""A bill takes two seconds and a slip a moment; the last meets a process that has just started."""
IDLE_S = 10.0
"""A kill waits this long at most for money on its way."""
AWAY_S = 0.8
"""Until a killed process starts again, at most; now and then much longer than a note waits in escrow."""
LONG_S, LONG_ODDS = 6.0, 0.08
FREEZE_ODDS = 0.1
REST_S = 60
LOST_LINK = (OSError, EOFError, ConnectionClosed, InvalidHandshake, HTTPException, TimeoutError, IndexError)
"""What a screen meets when its server dies; the last is an answer over HTTP without a word."""
Victim = Literal["devices", "server", "both"]
VICTIMS: tuple[Victim, ...] = ("devices", "server", "both")
INTERRUPTED: list[int] = []
"""Ctrl-C was pressed: no more kills, but the count comes all the same."""


class KillTally(NamedTuple):
    """The result of a run."""

    kills: dict[str, int]
    freezes: int
    bills: int
    tickets_in: int
    printed: int
    failed: int
    """Prints that are known to have failed: their money is credit again."""
    cancelled: int
    """Prints that cannot be known (ruling 57)."""
    hand_paid: int
    unaccounted: int
    paper_that_is_void: int
    """Slips that exist although their print could not be known."""
    records: int


# --- People ---


class Patron:
    """A player at a seat, and the staff who come when it is locked up."""

    def __init__(self, floor: FloorWithDevices, number: int, seed: str, office: asyncio.Lock) -> None:
        self.floor, self.number = floor, number
        self.office = office
        """One person at a time is signed in at the office's terminal."""
        self.bill_cents = BILLS[number % len(BILLS)]
        self.stops = False
        self.rng = random.Random(f"{seed} {number}")  # noqa: S311 - no secret
        self.thrown: set[str] = set()
        """Slips that were thrown away, after they were refused."""
        self.refused: Counter[str] = Counter()
        self.seen: set[str] = set()
        """Every slip that was ever in the tray."""
        self.moved, self.printed = asyncio.Event(), asyncio.Event()
        """Money is on its way; it is on its way to a slip."""

    async def play(self) -> None:
        """Until it is stopped, and then until the seat is free of lock-ups."""
        while not self.stops:
            with suppress(*LOST_LINK):
                async with screen(self.floor.url, seat(TABLE, self.number)) as mine:
                    while not self.stops:
                        await self._one(mine)
            await asyncio.sleep(0.1)

    async def _one(self, mine: Screen) -> None:
        await mine.caught_up()
        if mine.view["lockups"]:
            await self.help()
        slips = await self._tray()
        chance = self.rng.random()
        if len(slips) >= SLIPS_MAX or (slips and chance < 0.3):
            await self._redeem(self.rng.choice(slips))
        elif chance < 0.7:
            if (await self._do("acceptor", "bill", str(self.bill_cents // 100)))["done"]:
                self.moved.set()
        elif chance < 0.8:
            await self._print(mine, m.GiveTip(seat=self.number, cents=self.bill_cents))
        else:
            await self._print(mine, m.CashOut(seat=self.number))
        await asyncio.sleep(self.rng.uniform(0, 0.4))

    async def _print(self, mine: Screen, request: m.Request) -> None:
        if (await mine.ask(request))["type"] == "done":
            self.moved.set()
            self.printed.set()

    async def _redeem(self, slip: str) -> None:
        """Insert a slip; one that keeps coming back is thrown away."""
        if self.refused[slip] >= 4:
            self.thrown.add(slip)
            await self._do("printer", "throw away", slip)
        elif (await self._do("acceptor", "slip", slip))["done"]:
            self.refused[slip] += 1
            self.moved.set()

    async def _do(self, *deed: str) -> dict[str, Any]:
        return await asyncio.to_thread(self.floor.do, self.number, *deed)  # type: ignore[arg-type] # as typed

    async def _tray(self) -> list[str]:
        state = await asyncio.to_thread(self.floor.state, self.number)
        slips = [slip["number"] for slip in state["printer"]["tray"] if slip["number"]]
        self.seen.update(slips)
        return slips

    async def help(self) -> None:
        """Staff come with the key, pay what is due and clear the lock-up."""
        async with self.office:
            await self._helped()

    async def _helped(self) -> None:
        await self._do("doors", "key on")
        session = await sign_in(self.floor.url, CAGE, Role.SUPERVISOR)
        pays = m.PayByHand(seat=self.number)
        try:
            async with screen(self.floor.url, CAGE, session, path=f"/ws?table={TABLE}") as staff:
                answer = await staff.ask(m.ClearLockup(seat=self.number))
                if answer.get("why") == "hand_pay_due":
                    await approve(self.floor.url, CAGE, session, Role.PIT_BOSS, Deed(TABLE, pays))
                    await staff.ask(pays, approver=BADGES[Role.PIT_BOSS])
                    await staff.ask(m.ClearLockup(seat=self.number))
        finally:
            await self._do("doors", "key off")

    async def rest(self) -> None:
        """Wait until nothing is on its way here and the seat could take the next bill."""
        async with asyncio.timeout(REST_S), screen(self.floor.url, seat(TABLE, self.number)) as mine:
            while not await self._at_rest(mine):
                if mine.view["lockups"]:
                    await self.help()
                await asyncio.sleep(0.2)

    async def _at_rest(self, mine: Screen) -> bool:
        await mine.caught_up()
        state = await asyncio.to_thread(self.floor.state, self.number)
        acceptor = state["acceptor"]
        takes = acceptor["status"] == "idle" and acceptor["path"] is None and acceptor["tickets"]
        return takes and not mine.view["lockups"] and not mine.view["printing"]


async def sign_dealer_in(url: str) -> None:
    """Tips need a dealer, who stays signed in at the table when the server starts again."""
    session = await sign_in(url, dealer(TABLE), Role.DEALER)
    async with screen(url, dealer(TABLE), session) as mine:
        await mine.ask(m.SignIn())


# --- Kills ---


class Killer:
    def __init__(
        self, floor: FloorWithDevices, patrons: Sequence[Patron], seed: str, tell: Callable[[str], None]
    ) -> None:
        self.floor, self.patrons, self.tell = floor, patrons, tell
        self.rng = random.Random(seed)  # noqa: S311 - no secret
        self.kills: Counter[str] = Counter()
        self.freezes = 0

    async def run(self, kills: int) -> None:
        while self.kills.total() < kills and not INTERRUPTED:
            moment = self.rng.choice(MOMENTS)
            with suppress(TimeoutError):
                await self._until_money_moves(moment)
            await asyncio.sleep(self.rng.random() * moment.within_s)
            if self.rng.random() < FREEZE_ODDS:
                await self._freeze()
            else:
                await self._kill(self.rng.choice(VICTIMS))
            self.tell(f"\r{self.kills.total()} of {kills} kills, {self.freezes} freezes ")

    async def _until_money_moves(self, moment: Moment) -> None:
        events = [patron.printed if moment.slips else patron.moved for patron in self.patrons]
        for event in events:
            event.clear()
        async with asyncio.timeout(IDLE_S):
            while sum(event.is_set() for event in events) < min(moment.seats, len(events)):  # noqa: ASYNC110 - several
                await asyncio.sleep(0.01)

    async def _kill(self, victim: Victim) -> None:
        self.kills[victim] += 1
        if victim != "server":
            self.floor.kill_devices()
        if victim != "devices":
            self.floor.server.kill()
        await asyncio.sleep(self._pause_s())
        if victim != "devices":
            self.floor.server.begin()
        if victim != "server":
            self.floor.start_devices()
        if victim != "devices":
            await asyncio.to_thread(self.floor.server.wait)

    async def _freeze(self) -> None:
        self.freezes += 1
        pid = self.floor.devices_pid if self.rng.random() < 0.5 else self.floor.server.pid
        with self.floor.frozen(pid):
            await asyncio.sleep(self._pause_s())

    def _pause_s(self) -> float:
        return LONG_S if self.rng.random() < LONG_ODDS else self.rng.random() * AWAY_S


async def disturbed(
    floor: FloorWithDevices, kills: int, seed: str, tell: Callable[[str], None]
) -> tuple[Killer, list[Patron]]:
    """Play and kill; at the end everything runs and rests."""
    office = asyncio.Lock()
    patrons = [Patron(floor, number, seed, office) for number in range(1, floor.seats + 1)]
    await floor.enrol()
    await sign_dealer_in(floor.url)
    floor.start_devices()
    await asyncio.gather(*(patron.rest() for patron in patrons))  # enrolled: a code is spent by its first use
    killer = Killer(floor, patrons, seed, tell)
    async with asyncio.TaskGroup() as group:
        for patron in patrons:
            group.create_task(patron.play())
        await killer.run(kills)
        for patron in patrons:
            patron.stops = True
    await asyncio.gather(*(patron.rest() for patron in patrons))
    await _all_heard(floor)
    return killer, patrons


async def _all_heard(floor: FloorWithDevices) -> None:
    """Wait until the office knows of no report that is not heard."""
    session = await sign_in(floor.url, CAGE, Role.SUPERVISOR)
    async with asyncio.timeout(REST_S):
        while True:
            answer = await http(floor.url, "GET", "/api/devices", token=CAGE, session=session)
            if all(each.get("state", {}).get("unheard") == 0 for each in answer.json):
                return
            await asyncio.sleep(0.2)


# --- The count ---


class Booked(NamedTuple):
    """What the journal says, by seat."""

    bills: Counter[tuple[int, int]]
    """By seat and cents."""
    redeemed: dict[str, int]
    """By number of a ticket, at which seat."""
    events: Counter[str]
    paid_by_hand: list[int]
    """In cents, from the cash of the house."""


async def booked(store: Store) -> Booked:
    found = Booked(Counter(), {}, Counter(), [])
    async for record in store.records(TABLE):
        for event in events_of(record):
            found.events[type(event).__name__] += 1
            if isinstance(event, m.CashInserted):
                found.bills[event.seat, event.cents] += 1
            if isinstance(event, m.TicketRedeemed):
                assert event.number not in found.redeemed, f"{event.number} was redeemed twice"
                found.redeemed[event.number] = event.seat
            if isinstance(event, m.HandPaid):
                found.paid_by_hand.append(event.cents)
    return found


async def count(floor: FloorWithDevices, patrons: list[Patron], killer: Killer) -> KillTally:
    """Compare the metal and the paper with the journal."""
    store = await open_journal(floor.database, JOURNAL_KEY)
    keys = (keyfile.read_key(floor.folder / "ticket.key"),)
    try:
        found, page = await booked(store), await read(store, TABLE)
        assert page
        paper = {patron.number: _paper(floor, patron, found) for patron in patrons}
        known = [
            await tickets.look_up(store, keys, number, now_ms=page.at_ms)
            for slips in paper.values()
            for number in slips
        ]
        owed = [each async for each in tickets.outstanding(store, keys, now_ms=page.at_ms)]
    finally:
        await store.close()
    assert {each.status for each in known} <= {"good", "cancelled"}, known
    assert sorted(owed, key=str) == sorted([each for each in known if each.status == "good"], key=str)
    check_accounts(page.table.accounts, owed, found)
    events = found.events
    return KillTally(
        kills=dict(killer.kills),
        freezes=killer.freezes,
        bills=found.bills.total(),
        tickets_in=len(found.redeemed),
        printed=events["TicketPrinted"] + events["Tipped"],
        failed=events["PrintFailed"],
        cancelled=events["TicketCancelled"],
        hand_paid=events["HandPaid"],
        unaccounted=events["PaperUnaccounted"],
        paper_that_is_void=sum(each.status == "cancelled" for each in known),
        records=page.head.seq,
    )


def _paper(floor: FloorWithDevices, patron: Patron, found: Booked) -> set[str]:
    """The numbers of a seat's slips that are not in its stacker. What is in there is what the journal credited."""
    state, number = floor.state(patron.number), patron.number
    shown = [slip["number"] for slip in state["printer"]["tray"] if slip["number"]]
    slips = {*shown, *patron.thrown}
    assert len(slips) == len(shown) + len(patron.thrown), f"two slips with one number: {shown}"
    redeemed = {ticket for ticket, at in found.redeemed.items() if at == number}
    assert redeemed == patron.seen - slips, "the slips that are gone are not those that were redeemed"
    bills = found.bills[number, patron.bill_cents]
    assert state["acceptor"]["stacker"] == bills + len(redeemed), (number, state["acceptor"], bills, redeemed)
    return slips


def check_accounts(accounts: Mapping[str, int], owed: Sequence[tickets.Ticket], found: Booked) -> None:
    """Every cent is in one account, and each account is what the metal and the paper say."""
    assert sum(accounts.values()) == 0, accounts
    on_the_way = {
        name: cents for name, cents in accounts.items() if cents and name.endswith((":printing", "handpay"))
    }
    assert on_the_way == {}, on_the_way
    taken = sum(cents * times for (_, cents), times in found.bills.items())
    assert accounts.get("cash", 0) == sum(found.paid_by_hand) - taken, accounts
    for account, kind in (("tickets", "cash_out"), ("tips", "tip")):
        assert accounts.get(account, 0) == sum(each.cents for each in owed if each.kind == kind), accounts


def verified(floor: FloorWithDevices) -> str:
    """What `stickman verify` says of the journal."""
    keys = ("--journal-key", "journal.key", "--ticket-key", "ticket.key")
    command = [sys.executable, "-m", "stickman", "verify", "floor.db", *keys]
    done = subprocess.run(command, cwd=floor.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run(folder: Path, kills: int, seats: int, seed: str, tell: Callable[[str], None]) -> KillTally:
    """Kill so many times, then check all money."""
    with FloorWithDevices(folder, seats).running() as floor:
        killer, patrons = asyncio.run(disturbed(floor, kills, seed, tell))
        assert floor.stop_devices() == 0
        with closing(sqlite3.connect(floor.memory)) as memory:
            assert memory.execute("SELECT * FROM report").fetchall() == [], "a report was not heard"
        assert floor.server.stop() == 0
        tally = asyncio.run(count(floor, patrons, killer))
        verified(floor)
    return tally


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=200)
    options.add_argument("--seats", type=int, default=8)
    options.add_argument("--seed", default="16")
    chosen = options.parse_args()
    signal.signal(signal.SIGINT, lambda number, _: INTERRUPTED.append(number))
    folder = Path(tempfile.mkdtemp(prefix="device-kills-"))
    say(f"{folder}\n")
    began = time.monotonic()
    tally = run(folder, chosen.kills, chosen.seats, chosen.seed, say)
    say(f"\nin {time.monotonic() - began:,.0f} s: {tally}\n")
    shutil.rmtree(folder)


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
