"""Kill a table at random moments while ten seats bet, and see that nothing acknowledged is lost or done twice.

`python -m tests.faults.kills --store sqlite --kills 1000` plays in a folder of its own, and goes on there when it
is run again. The seats give each request an id, and ask again with the same id for what was not answered when the
table died. In the end every answer must still be true.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from stickman.floor.journal import events_of
from stickman.floor.verify import verify
from stickman.store import open_store
from stickman.table import messages as m
from tests.faults import dealing
from tests.faults.dealing import SEATS, STREAM, Answer
from tests.store.postgres_server import PostgresServer

SPOTS = ("pass", "dont_pass", "come", "field", "place.6", "place.8", "hard.8", "any_craps", "hard.4", "pass.odds")
GOES_ON = {"close_bets": "roll_dice", "roll_dice": "open_bets", "open_bets": "close_bets"}
LONGEST_S = 0.08
"""A table lives so long at most before it is killed."""


class Tally(NamedTuple):
    """What a run came to."""

    kills: int
    answered: int
    accepted: int
    rolls: int
    repeated: int
    """Requests that were asked again, because the table died before it answered."""


# --- The seats ---


class Seats:
    """What ten players and the house ask for, and every answer they got. The answers are kept in a file, so that a
    run that is interrupted can go on."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.file = folder / "answers.jsonl"
        self.rng = random.Random(f"{seed} {time.time_ns()}")  # noqa: S311 - moments to kill at, not secrets
        self.answers: dict[str, Answer] = {}
        self.asked: dict[str, dict[str, Any]] = {}
        self.unanswered: dict[str, dict[str, Any]] = {}
        self.tickets: list[str] = []
        self.repeated = 0
        self.goes_on = "close_bets"
        self.session = time.time_ns()
        if self.file.exists():
            for line in self.file.read_bytes().splitlines():
                self._learn(msgspec.json.decode(line, type=Answer))

    def next(self) -> bytes:
        """A request nobody has asked yet."""
        asked = f"{self.session}-{len(self.asked)}"
        self.asked[asked] = self.unanswered[asked] = self._request()
        return _line(asked, self.asked[asked])

    def again(self) -> bytes:
        """All that was not answered."""
        self.repeated += len(self.unanswered)
        return b"".join(_line(asked, request) for asked, request in self.unanswered.items())

    def _request(self) -> dict[str, Any]:
        rng, seat = self.rng, self.rng.randint(1, SEATS)
        chance = rng.random()
        if rng.random() < (0.04 if self.goes_on == "close_bets" else 0.5):
            return {"do": self.goes_on}
        if chance < 0.15:
            return {"do": "bill", "seat": seat, "cents": 5_000}
        if chance < 0.19:
            return {"do": "cash_out", "seat": seat}
        if chance < 0.24 and self.tickets:
            return {"do": "ticket", "seat": seat, "number": rng.choice(self.tickets[-20:])}
        if chance < 0.28:
            return {"do": "undo", "seat": seat}
        return {"do": "place_bet", "seat": seat, "spot": rng.choice(SPOTS), "cents": rng.choice((500, 1000))}

    def heard(self, answer: Answer) -> None:
        known = self.answers.get(answer.id)
        assert known is None or known == answer, f"answered {known} and then {answer}"
        request = self.unanswered.pop(answer.id, {})
        if answer.seq and request.get("do") in GOES_ON:
            self.goes_on = GOES_ON[request["do"]]
        elif request.get("do") in GOES_ON:
            self.goes_on = self.rng.choice(list(GOES_ON))
        self._learn(answer)

    def _learn(self, answer: Answer) -> None:
        self.answers[answer.id] = answer
        if answer.ticket:
            self.tickets.append(answer.ticket)

    def save(self, done: int) -> int:
        """Write down the answers since the last save; how many there are now."""
        with self.file.open("ab") as file:
            for answer in list(self.answers.values())[done:]:
                file.write(msgspec.json.encode(answer) + b"\n")
        return len(self.answers)


def _line(asked: str, request: dict[str, Any]) -> bytes:
    return json.dumps({"id": asked, "ask": request}).encode() + b"\n"


# --- A table that lives for a moment ---


class Child(NamedTuple):
    """A process that keeps the table."""

    pid: int
    asks: int
    answers: int


def start(url: str) -> Child:
    """Fork, so that a start costs no imports; nothing in this process has a thread or a loop."""
    reads, asks = os.pipe()
    answers, writes = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(asks)
        os.close(answers)
        code = 1
        try:
            dealing.main(url, reads, writes)
            code = 0
        finally:
            os._exit(code)
    os.close(reads)
    os.close(writes)
    return Child(pid, asks, answers)


class Lines:
    """Whole lines out of a pipe; what a killed writer left unfinished is no line."""

    def __init__(self, pipe: int) -> None:
        self.pipe, self.rest, self.open = pipe, b"", True

    def read(self, wait_s: float) -> list[bytes]:
        ready, _, _ = select.select([self.pipe], [], [], max(0.0, wait_s))
        if not ready:
            return []
        data = os.read(self.pipe, 1 << 16)
        self.open = bool(data)
        *lines, self.rest = (self.rest + data).split(b"\n")
        return lines


def live(url: str, seats: Seats, moment_s: float | None) -> None:
    """Let a table live, for a moment that ends with a kill, or until everything is answered."""
    child = start(url)
    lines = Lines(child.answers)
    try:
        while b"ready" not in lines.read(30):
            assert lines.open, "the table did not start"
        os.write(child.asks, seats.again())
        dies = None if moment_s is None else time.monotonic() + moment_s
        while (seats.unanswered if dies is None else time.monotonic() < dies) and lines.open:
            if dies and len(seats.unanswered) < 2 * SEATS:
                os.write(child.asks, b"".join(seats.next() for _ in range(seats.rng.randint(1, SEATS))))
            for line in lines.read(30 if dies is None else dies - time.monotonic()):
                seats.heard(msgspec.json.decode(line, type=Answer))
        if dies:
            os.kill(child.pid, signal.SIGKILL)
            while lines.open:  # what it said before it died
                for line in lines.read(30):
                    seats.heard(msgspec.json.decode(line, type=Answer))
    finally:
        os.close(child.asks)
        os.close(child.answers)
        os.waitpid(child.pid, 0)


# --- The run ---


def run(url: str, folder: Path, kills: int, seed: int, tell: Callable[[str], None]) -> Tally:
    """Kill the table so many times in all, then check every answer against the journal."""
    dealing.game()
    counter = folder / "kills.txt"
    done = int(counter.read_text()) if counter.exists() else 0
    seats = Seats(folder, seed)
    saved = len(seats.answers)
    while done < kills:
        live(url, seats, seats.rng.random() * LONGEST_S)
        done += 1
        saved = seats.save(saved)
        counter.write_text(str(done))
        if done % 10 == 0:
            tell(f"\r{done} of {kills} kills, {len(seats.answers)} answers, {seats.repeated} asked again")
    live(url, seats, None)
    seats.save(saved)
    asyncio.run(check(url, seats))
    answers = seats.answers.values()
    accepted = [answer for answer in answers if answer.seq]
    return Tally(done, len(answers), len(accepted), sum(bool(a.dice) for a in accepted), seats.repeated)


async def check(url: str, seats: Seats) -> None:
    """The journal is whole, and all that was ever answered is in it, once."""
    store = await open_store(url)
    try:
        verdict = await verify(store)
        assert verdict.faults == [], verdict.faults
        found: dict[str, Answer] = {}
        cash: Counter[str] = Counter()
        async for record in store.records(STREAM):
            events = events_of(record)
            assert record.command not in found, f"{record.command} was done twice"
            if record.command:
                found[record.command] = dealing.answer(record.command, record.seq, events)
            for event in events:
                if isinstance(event, m.CashInserted):
                    cash["in"] += event.cents
                if isinstance(event, m.TicketRedeemed):
                    cash[event.number] += 1
        for answer in seats.answers.values():
            if answer.seq:
                assert found.get(answer.id) == answer, f"acknowledged {answer}, kept {found.get(answer.id)}"
        assert all(times == 1 for number, times in cash.items() if number != "in"), "a ticket was redeemed twice"
        paid_in = sum(
            seats.asked[asked]["cents"]
            for asked in found
            if asked in seats.asked and seats.asked[asked]["do"] == "bill"
        )
        assert cash["in"] >= paid_in
    finally:
        await store.close()


@contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """Where the journal is kept: in a file, or in a server that is started here."""
    if kind == "sqlite":
        yield f"sqlite:{folder / 'journal.db'}"
        return
    with PostgresServer(folder / "postgres") as server:
        yield server.database("faults")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    options.add_argument("--kills", type=int, default=1000)
    options.add_argument("--folder", type=Path, default=Path(".faults"))
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    folder = chosen.folder / chosen.store
    folder.mkdir(parents=True, exist_ok=True)
    with database(chosen.store, folder) as url:
        tally = run(url, folder, chosen.kills, chosen.seed, say)
    say(f"\n{chosen.store}: {tally}\n")


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
