"""Owners that die, freeze and wake again, each a real process: nothing kept is lost, and nothing stale is kept."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import groupby

import pytest

from tests.store.contract import is_intact, listed, opened
from tests.store.owner import STREAM

DEATH_S = 1
"""So soon a stream whose owner died has a new one that appends."""
SILENCE_S = 3
"""So soon a stream whose owner fell silent has a new one: a lease of two seconds, and a second to notice."""
PATIENCE_S = 30


class Owner:
    """A process of `owner.py`, and what it said when."""

    heard = threading.Condition()

    def __init__(self, url: str, name: str) -> None:
        self.name = name
        self.said: list[tuple[float, str]] = []
        command = [sys.executable, "-m", "tests.store.owner", url, name]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def _listen(self) -> None:
        assert self.process.stdout
        with self.process.stdout as lines:
            for line in lines:
                with self.heard:
                    self.said.append((time.monotonic(), line.strip()))
                    self.heard.notify_all()

    def times(self, word: str) -> list[float]:
        """When it said this."""
        return [at for at, line in self.said if line.split()[0] == word]

    def says(self, word: str) -> float:
        """Wait until it says this once more: when that is."""
        before = len(self.times(word))
        until(lambda: len(self.times(word)) > before)
        return self.times(word)[before]

    @property
    def kept(self) -> set[int]:
        """The records that it was told are kept."""
        return {int(line.split()[1]) for _, line in self.said if line.startswith("kept")}

    def freeze(self) -> float:
        """Freeze it at rest between two appends: when that was."""
        self.says("kept")
        self.process.send_signal(signal.SIGSTOP)
        return time.monotonic()

    def wake(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> float:
        """Kill it: when that was."""
        self.process.kill()
        return time.monotonic()

    def end(self) -> None:
        self.wake()
        self.kill()
        self.process.wait()
        self._listener.join()


def until(happened: Callable[[], bool]) -> None:
    with Owner.heard:
        assert Owner.heard.wait_for(happened, PATIENCE_S)


Start = Callable[..., list[Owner]]


@pytest.fixture
def start(kept_url: str) -> Iterator[Start]:
    """Starts owners at once, until all stand in line. They end with the test, and then their journal is checked."""
    owners: list[Owner] = []

    def start(*names: str) -> list[Owner]:
        started = [Owner(kept_url, name) for name in names]
        owners.extend(started)
        until(lambda: all(owner.times("waits") for owner in started))
        return started

    yield start
    for owner in owners:
        owner.end()
    asyncio.run(check(kept_url, owners))


async def check(url: str, owners: list[Owner]) -> None:
    """Each owner's records are an unbroken run, and what it was told is kept is there."""
    async with opened(url) as store:
        records = await listed(store.records(STREAM))
        assert await is_intact(store, STREAM)
    runs = [(actor, {record.seq for record in run}) for actor, run in groupby(records, lambda record: record.actor)]
    written = dict(runs)
    assert len(written) == len(runs), "an owner wrote after another had taken over"
    assert all(owner.kept <= written.get(owner.name, set()) for owner in owners)


def test_a_killed_owner_is_followed_within_a_second(start: Start) -> None:
    [first] = start("pit-1")
    first.says("kept")
    [second] = start("pit-2")
    first.says("kept")
    assert not second.times("owns")
    killed = first.kill()
    assert second.says("kept") - killed < DEATH_S


def test_a_frozen_owner_is_followed_when_its_lease_has_run_out_and_fenced_when_it_wakes(start: Start) -> None:
    [first] = start("pit-1")
    first.says("kept")
    [second] = start("pit-2")
    frozen = first.freeze()
    assert second.says("kept") - frozen < SILENCE_S
    first.wake()
    first.says("fenced")
    assert first.process.wait(PATIENCE_S) == 0
    second.says("kept")


def test_of_two_who_ask_at_once_one_owns_and_the_other_follows(start: Start) -> None:
    first, second = which_owns(start("pit-1", "pit-2"))
    first.says("kept")
    assert not second.times("owns")
    killed = first.kill()
    assert second.says("kept") - killed < DEATH_S


def test_of_two_who_wait_for_a_frozen_owner_one_follows_and_the_other_follows_that_one(start: Start) -> None:
    [first] = start("pit-1")
    first.says("kept")
    both = start("pit-2", "pit-3")
    frozen = first.freeze()
    second, third = which_owns(both)
    until(lambda: second.times("kept")[-1] > frozen + 2 * SILENCE_S)  # longer than any lease that was there
    assert not second.times("fenced")
    assert not third.times("owns")
    killed = second.kill()
    assert third.says("kept") - killed < DEATH_S


def which_owns(both: list[Owner]) -> tuple[Owner, Owner]:
    """The one who comes to own the stream, and the one who waits."""
    until(lambda: any(owner.kept for owner in both))
    [owner] = [owner for owner in both if owner.times("owns")]
    [other] = [other for other in both if other is not owner]
    return owner, other


def test_whoever_dies_in_line_keeps_nobody_waiting(start: Start) -> None:
    [first] = start("pit-1")
    first.says("kept")
    [second] = start("pit-2")
    [third] = start("pit-3")
    second.kill()
    first.says("kept")
    killed = first.kill()
    assert third.says("kept") - killed < DEATH_S
