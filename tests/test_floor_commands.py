"""The commands of the floor, against a journal in a file."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from stickman.cli.floor_commands import floor, staff, terminal, ticket
from stickman.floor.clock import wall_ms
from stickman.floor.seals import open_journal
from stickman.store import keyfile
from stickman.store.sealed import JournalKey
from tests.talk import exactly
from tests.talk.floor import KEY, BookedTable

ONES, TWOS = "four coloured chips on the rail", "the puck is off until a point"


JOURNAL_KEY = JournalKey.of(bytes(32))


def keys(folder: Path) -> dict[str, str]:
    """The keys of a floor, and how the commands learn of them."""
    keyfile.write_key(folder / "ticket.key", KEY)
    keyfile.write_key(folder / "journal.key", JOURNAL_KEY.secret)
    files = {"TICKET": "ticket.key", "JOURNAL": "journal.key"}
    return {f"STICKMAN_{name}_KEY": str(folder / file) for name, file in files.items()}


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Result]:
    env = keys(tmp_path) | {"STICKMAN_DB": str(tmp_path / "db")}

    def invoke(group: click.Command, *arguments: str, said: str = "") -> Result:
        return CliRunner().invoke(group, [*arguments, "--json"], input=said, env=env)

    return invoke


def answer(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def hire(run: Callable[..., Result], command: list[str], password: str) -> None:
    """An account, made by a command, whose owner has chosen a password."""
    once = answer(run(staff, *command))["one_time_password"]
    answer(run(staff, "password", command[1], said=f"{once}\n{password}\n{password}\n"))


@pytest.fixture
def staffed(run: Callable[..., Result]) -> Callable[..., Result]:
    hire(run, ["init", "badge-1"], ONES)
    hire(run, ["add", "badge-2", "pit_boss", "--label", "Two"], TWOS)
    return run


def test_staff_are_listed_without_their_secrets(staffed: Callable[..., Result]) -> None:
    assert answer(staffed(staff, "list")) == [
        {"badge": "badge-1", "label": "Administrator", "role": "administrator", "state": "active"},
        {"badge": "badge-2", "label": "Two", "role": "pit_boss", "state": "active"},
    ]


def test_an_administrator_changes_the_floors_own_settings(staffed: Callable[..., Result]) -> None:
    assert answer(staffed(floor, "settings"))["language"] == "en"
    [changed] = answer(staffed(floor, "set", "language", "es", "--as", "badge-1", said=f"{ONES}\n"))
    assert (changed["key"], changed["before"], changed["after"]) == ("language", "en", "es")
    answer(staffed(floor, "set", "second_over_cents", "50000", "--as", "badge-1", said=f"{ONES}\n"))
    now = answer(staffed(floor, "settings"))
    assert (now["language"], now["second_over_cents"], now["cage"]) == ("es", 50_000, "Cage")


@pytest.mark.parametrize(
    ("setting", "badge", "password", "says"),
    [
        (("language", "fr"), "badge-1", ONES, "language: found 'fr'"),
        (("colour", "red"), "badge-1", ONES, "an unknown key; allowed: name, cage, language, second_over_cents"),
        (("language", "es"), "badge-2", TWOS, "administrator"),
        (("language", "es"), "badge-1", TWOS, "Badge and password do not match"),
    ],
)
def test_a_bad_change_of_the_floor_changes_nothing(
    staffed: Callable[..., Result], setting: tuple[str, str], badge: str, password: str, says: str
) -> None:
    before = answer(staffed(floor, "settings"))
    result = staffed(floor, "set", *setting, "--as", badge, said=f"{password}\n")
    assert result.exit_code == 1
    assert says in result.stderr
    assert answer(staffed(floor, "settings")) == before


def test_the_first_administrator_is_made_once(staffed: Callable[..., Result]) -> None:
    result = staffed(staff, "init", "badge-9")
    assert (result.exit_code, result.stderr) == (1, "Error: There is nothing to change.\n")


def test_three_wrong_passwords_make_a_badge_wait_and_the_console_unlocks(staffed: Callable[..., Result]) -> None:
    revoke = ("revoke", "terminal-1", "--as", "badge-1")
    results = [staffed(terminal, *revoke, said="wrong\n") for _ in range(4)]
    for result, says in zip(results, ("do not match", "do not match", "wait: 30 s", "wait: "), strict=True):
        assert result.exit_code == 1
        assert says in result.stderr
    assert "Password" not in results[-1].stderr, "none is asked for that would not be checked"
    assert answer(staffed(staff, "list"))[0]["state"] == "active"
    [event] = answer(staffed(staff, "unlock", "badge-1"))
    assert event == {"event": "account_unlocked", "badge": "badge-1"}
    assert "no such terminal" in staffed(terminal, *revoke, said=f"{ONES}\n").stderr


def test_a_place_is_offered_with_a_code_and_no_hash_is_shown(staffed: Callable[..., Result]) -> None:
    offer = ("offer", "seat", "--table", "3", "--seat", "5", "--as", "badge-1")
    offered = answer(staffed(terminal, *offer, said=f"{ONES}\n"))
    assert len(offered["code"]) == 9
    assert offered["place"] == {"screen": "seat", "table": 3, "seat": 5}
    assert not [name for name in offered if "hash" in name]
    assert answer(staffed(terminal, "list")) == []


@pytest.mark.parametrize(("kind", "seat"), [("acceptor", 5), ("printer", 5), ("doors", 5), ("doors", 0)])
def test_a_place_is_offered_to_a_device(staffed: Callable[..., Result], kind: str, seat: int) -> None:
    offer = ("offer", kind, "--table", "3", *(("--seat", str(seat)) if seat else ()), "--as", "badge-1")
    offered = answer(staffed(terminal, *offer, said=f"{ONES}\n"))
    assert offered["place"] == {"screen": kind, "table": 3, "seat": seat}


def test_a_ticket_is_shown_paid_once_and_voided_by_two(staffed: Callable[..., Result], tmp_path: Path) -> None:
    async def play() -> list[str]:
        store = await open_journal(str(tmp_path / "db"), JOURNAL_KEY)
        async with store.own(4, "pit") as lease:
            pit = BookedTable(store, lease)
            numbers = [await pit.prints(exactly(cents), at_ms=wall_ms()) for cents in (20_00, 7_00)]
        await store.close()
        return numbers

    first, second = asyncio.run(play())
    shown = answer(staffed(ticket, "show", first))
    assert (shown["status"], shown["cents"]) == ("good", 20_00)
    assert {each["number"] for each in answer(staffed(ticket, "list"))} == {first, second}
    assert answer(staffed(ticket, "pay", first, "--as", "badge-2", said=f"{TWOS}\n"))["cents"] == 20_00
    again = staffed(ticket, "pay", first, "--as", "badge-2", said=f"{TWOS}\n")
    assert (again.exit_code, again.stdout) == (1, "")
    assert "already redeemed: at the cage by badge-2" in again.stderr
    void = ("void", second, "--as", "badge-1", "--with", "badge-2", "--reason", "test print")
    assert answer(staffed(ticket, *void, said=f"{ONES}\n{TWOS}\n"))["approver"] == "badge-2"
    assert answer(staffed(ticket, "list")) == []


def test_what_cannot_be_read_is_one_line_on_standard_error(run: Callable[..., Result], tmp_path: Path) -> None:
    for result in (run(ticket, "show", "12"), run(ticket, "key", str(tmp_path / "no" / "key"))):
        assert (result.exit_code, result.stdout) == (1, "")
        assert isinstance(result.exception, SystemExit)
        assert result.stderr.startswith("Error: ")
        assert result.stderr.count("\n") == 1


def test_a_key_is_made_and_a_sample_is_drawn(run: Callable[..., Result], tmp_path: Path) -> None:
    assert answer(run(ticket, "key", str(tmp_path / "key"))) == {"key": str(tmp_path / "key")}
    answer(run(ticket, "sample", str(tmp_path / "sample.pdf")))
    assert (tmp_path / "sample.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(("group", "command"), [(staff, "list"), (terminal, "list"), (ticket, "list")])
def test_every_list_can_be_read_by_people(tmp_path: Path, group: click.Command, command: str) -> None:
    db, env = ["--db", str(tmp_path / "db")], keys(tmp_path)
    refused = CliRunner().invoke(group, [command, *db], env=env)
    assert (refused.exit_code, "there is no journal" in refused.stderr) == (1, True)
    assert not (tmp_path / "db").exists(), "reading makes no journal"
    CliRunner().invoke(staff, ["init", "badge-1", *db], env=env)
    result = CliRunner().invoke(group, [command, *db], env=env)
    assert result.exit_code == 0, result.output
    assert result.stdout.strip()
