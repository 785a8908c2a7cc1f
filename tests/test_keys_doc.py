"""The page about keys: every command on it does what the page says, one after the other, on a real floor."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from stickman.floor.events import ClockJumped
from stickman.floor.office import Office
from stickman.server.floor import LiveFloor, open_floor
from stickman.server.house import Asked
from stickman.server.pit import Accepted
from stickman.store import open_store
from stickman.store.signing import Signer
from tests.server.process import CONFIG, planned_in, prepare
from tests.talk.devices import bill_stacked, ticket_held, ticket_stacked
from tests.talk.server import booked_ticket

PAGE = (Path(__file__).parents[1] / "docs" / "keys.md").read_text("utf-8")
SIGNED = '[checkpoints]\nfile = "signed"\nkey = "signing.pem"\n'
Shell = Callable[[str], None]


def commands(heading: str) -> list[str]:
    """The commands of a section."""
    [section] = [part for part in PAGE.split("\n## ") if part.startswith(heading)]
    return re.findall(r"^\$ (.+)$", section, re.MULTILINE)


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    config = prepare(tmp_path / "floor", CONFIG[: CONFIG.index("[tables.2]")] + SIGNED)
    signer = Signer.generate()
    signer.save(config.parent / "signing.pem")
    signer.save_public(config.parent / "signing.pub.pem")
    return config


@pytest.fixture
def shell(floor: Path, tmp_path: Path) -> Shell:
    """Types a command in the folder of the floor."""
    program = tmp_path / "bin" / "stickman"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nfrom stickman.cli import main\nmain()\n")
    program.chmod(0o755)
    env = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}

    def typed(command: str) -> None:
        done = subprocess.run(
            ["/bin/bash", "-c", command],
            cwd=floor.parent,
            env=env,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)

    return typed


async def cashed_out(live: LiveFloor, cents: int) -> str:
    await live.ask(1, Asked(bill_stacked(1, cents)))
    return await booked_ticket(live)


def evening(config: Path, *, print_cents: int = 0, redeem: str = "") -> str:
    """Open the floor, print a ticket, redeem another, and close; the number that was printed."""

    async def play() -> str:
        async with open_floor(planned_in(config)) as live:
            await live.served()
            if redeem:
                for report in (ticket_held(2, redeem), ticket_stacked(2, redeem)):
                    answer = await live.ask(1, Asked(report, "acceptor"))
                    assert isinstance(answer, Accepted), answer
                assert live.pits[1].table.credit(2), "it was redeemed"
            return await cashed_out(live, print_cents) if print_cents else ""

    return asyncio.run(play())


def test_the_restore_drill_gives_a_floor_that_goes_on(floor: Path, shell: Shell) -> None:
    before = evening(floor, print_cents=5_00)
    backup, *restore = commands("Restore drill")
    shell(backup)
    lost = evening(floor, print_cents=7_00)
    for command in restore:
        shell(command)
    new = evening(floor, print_cents=9_00, redeem=before)
    assert new not in (before, lost)
    shell("stickman verify floor.db --journal-key journal.key --checkpoints signed --key signing.pub.pem")


def test_the_journals_key_is_rotated_and_a_lost_one_replaced(floor: Path, shell: Shell) -> None:
    number = evening(floor, print_cents=5_00)
    for command in commands("Rotate the journal's key"):
        shell(command)
    number = evening(floor, print_cents=6_00, redeem=number)
    (floor.parent / "journal-2.key").unlink()
    for command in commands("When the journal's key is lost"):
        shell(command)
    evening(floor, redeem=number)
    shell("stickman verify floor.db --journal-key journal-3.key --checkpoints signed --key signing.pub.pem")


def test_a_journal_from_before_is_adopted(floor: Path, shell: Shell) -> None:
    (floor.parent / "floor.db").unlink()
    (floor.parent / "journal.key").unlink()

    async def write() -> None:
        store = await open_store(f"sqlite:{floor.parent / 'floor.db'}")
        office = await Office.open(store)
        await office.act(lambda _: (ClockJumped(by_ms=3_000),), at_ms=1, actor="house")
        await store.close()

    asyncio.run(write())
    for command in commands("Adopt a journal"):
        shell(command)
    evening(floor, print_cents=1_00)


def test_the_keys_of_tickets_and_of_checkpoints_are_rotated(floor: Path, shell: Shell) -> None:
    number = evening(floor, print_cents=5_00)
    for command in commands("Rotate the ticket key"):
        shell(command)
    assert evening(floor, print_cents=6_00, redeem=number) != number
    for command in commands("Rotate the checkpoint key"):
        shell(command)
    evening(floor, print_cents=1_00)
    shell("stickman verify floor.db --journal-key journal.key --checkpoints signed --key signing-2.pub.pem")
