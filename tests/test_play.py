"""Golden sessions that a person can read, and that they leave nothing out: every bet, event, request, refusal and
setting occurs in one. Transcripts are written anew by `python -m tests.playthroughs.update`."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from stickman.cli import main
from stickman.par.sheet import full_layout
from stickman.rules.felt import Reason
from stickman.rules.settings import GAMES, load, settings
from stickman.table import messages as m
from stickman.table import script
from stickman.table.decide import DECIDERS
from stickman.table.evolve import evolve, evolve_all
from stickman.table.ports import SIGNALS
from stickman.table.script import Played
from tests.playthroughs.update import SCRIPTS, transcript

each_script = pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)

UNREACHED_EVENTS = {
    "TableOpened",  # the first record of a journal; no request makes it
}
UNREACHED_REFUSALS = {
    "COMMAND_OF_ANOTHER",  # the pit's: a script gives no command ids
    "TOO_MANY_TRIES",  # the pit's: a script writes to no store
}


@cache
def played(path: Path) -> Played:
    return script.play(path.read_text("utf-8"))


def run(*arguments: str, given: str | bytes = "") -> Result:
    return CliRunner().invoke(main, ["play", *arguments], input=given)


# --- Golden transcripts ---


@each_script
def test_transcript_is_as_it_was(path: Path) -> None:
    assert transcript(path) == path.with_suffix(".out").read_text("utf-8")


def test_every_script_has_its_transcript_and_every_transcript_its_script() -> None:
    outs = {path.stem for path in SCRIPTS[0].parent.glob("*.out")}
    assert outs == {path.stem for path in SCRIPTS}


@each_script
def test_replaying_the_events_gives_the_same_table(path: Path) -> None:
    events = [event for step in played(path).steps for event in step.events]
    assert evolve_all(played(path).start, events) == played(path).table


@each_script
def test_accounts_add_up_to_zero_after_each_event(path: Path) -> None:
    table = played(path).start
    for step in played(path).steps:
        for event in step.events:
            table = evolve(table, event)
            assert sum(table.accounts.values()) == 0, (step.number, event)


@each_script
def test_what_lies_on_each_felt_is_what_its_account_says(path: Path) -> None:
    for step in played(path).steps:
        for seat in step.table.seats:
            assert step.table.accounts.get(f"seat:{seat.number}:felt", 0) == seat.felt.money_cents, step.number


# --- Nothing is left out ---


def kinds(kind: type) -> set[type]:
    """The types of a table at the ends of a tree of types."""
    subclasses: list[type] = kind.__subclasses__()
    below = [each for each in subclasses if each.__module__ == m.__name__]
    return {end for each in below for end in kinds(each)} or {kind}


def happened() -> list[m.Event]:
    return [event for path in SCRIPTS for step in played(path).steps for event in step.events]


def test_every_bet_of_the_five_games_is_placed_in_a_playthrough() -> None:
    bets = {bet for game in GAMES for bet in full_layout(load(game)).bets}
    assert bets - {event.spot for event in happened() if isinstance(event, m.BetPlaced)} == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_playthrough_of_its_own_name(game: str) -> None:
    [path] = [path for path in SCRIPTS if path.stem == game]
    assert played(path).start.game == load(game)


def test_every_event_happens_in_a_playthrough() -> None:
    missing = {kind.__name__ for kind in kinds(m.Event) - {type(event) for event in happened()}}
    assert missing == UNREACHED_EVENTS


def test_every_request_is_made_in_a_playthrough() -> None:
    made = {type(request) for path in SCRIPTS for step in played(path).steps for request in step.requests}
    assert made - {m.Reported} == set(DECIDERS) - {m.DistrustDevice}  # the server's: a script repeats no report


def test_every_signal_is_reported_in_a_playthrough() -> None:
    asked = [request for path in SCRIPTS for step in played(path).steps for request in step.requests]
    made = {type(request.signal) for request in asked if isinstance(request, m.Reported)}
    assert made == set(SIGNALS)


def test_every_refusal_is_met_in_a_playthrough() -> None:
    met = {step.refusal.why for path in SCRIPTS for step in played(path).steps if step.refusal}
    assert {refusal.name for refusal in {*Reason, *m.Refusal} - met} == UNREACHED_REFUSALS


def test_every_button_is_pressed_in_a_playthrough() -> None:
    pressed = {event.button for event in happened() if isinstance(event, m.ButtonPressed)}
    assert pressed == set(script.BUTTONS)


def test_every_setting_is_chosen_in_a_playthrough() -> None:
    lines = [line for path in SCRIPTS for line in script.read(path.read_text("utf-8"))]
    chosen = {line.values["key"] for line in lines if "key" in line.values}
    assert {setting.key for setting in settings(load("craps"))} - chosen == set()


def test_every_kind_of_line_occurs_in_a_playthrough() -> None:
    lines = [line for path in SCRIPTS for line in script.read(path.read_text("utf-8"))]
    assert {form.form for form in script.FORMS} == {line.form.form for line in lines if line.form}


# --- The command ---


def test_play_reads_a_file_or_standard_input(tmp_path: Path) -> None:
    lines = "seat 1 inserts 10\nseat 1 bets pass 5\nroll 6-5\n"
    file = tmp_path / "script"
    file.write_text(lines)
    assert run(str(file)).stdout == run("-", given=lines).stdout
    assert "6-5, yo-leven, front line winner" in run(str(file)).stdout


def test_a_roll_is_told_with_who_won_what_and_why() -> None:
    lines = "seat 1 inserts 100\nseat 1 bets pass 10\nroll 4-2\nseat 1 bets place.6 12\nroll 3-3\n"
    told = run("-", given=lines).stdout
    assert "4-2, easy six, point is six" in told
    assert "3-3, hard six, the point is made" in told
    assert "Seat 1 wins $14.00 on Place 6 ($12.00 at 7 to 6); the stake comes back." in told
    assert "seat 1: $124.00 credit" in told
    assert told.endswith("All accounts add up to zero.\n")


def test_a_refusal_is_told_with_its_reason_and_the_script_goes_on() -> None:
    told = run("-", given="seat 1 bets pass 5\nseat 1 inserts 5\n").stdout
    assert "Refused: Not enough credit: short by $5.00." in told
    assert "Seat 1 inserts $5.00." in told


def test_json_is_exactly_the_end_state() -> None:
    lines = "seat 1 inserts 100\nseat 1 bets pass 10\nroll 4-2\nseat 2 bets pass 5\nseat 1 bets place.8 12\n"
    lines += "seat 1 off place.8\n"
    assert json.loads(run("-", "--json", given=lines).stdout) == {
        "seats": {
            "1": {
                "credit": 7800,
                "wagers": [
                    {"bet": "pass", "stake": 1000, "working": True, "locked": True, "progress": "6"},
                    {"bet": "place.8", "stake": 1200, "working": False, "locked": False, "progress": ""},
                ],
                "paid_total": 0,
            },
            "2": {"credit": 0, "wagers": [], "paid_total": 0},
        },
        "puck": 6,
        "roll_count": 1,
        "refusals": [{"line": 4, "reason": "come_out_only"}],
        "ledger": {"cash": -10000, "seat:1:credit": 7800, "seat:1:felt": 2200},
    }


@each_script
def test_json_of_a_playthrough_is_plain_and_balanced(path: Path) -> None:
    state: dict[str, Any] = json.loads(run(str(path), "--json").stdout)
    assert list(state) == ["seats", "puck", "roll_count", "refusals", "ledger"]
    assert sum(state["ledger"].values()) == 0
    for number, seat in state["seats"].items():
        assert seat["credit"] == state["ledger"].get(f"seat:{number}:credit", 0)


@pytest.mark.parametrize("given", ["rol 4-2\n", b"\xff\xfe\n", "game nowhere\n", "roll 4-2\nset seats 3\n"])
def test_a_script_that_cannot_be_read_is_one_clear_line(given: str | bytes) -> None:
    result = run("-", given=given)
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert re.fullmatch(r"Error: <stdin>: .+\n", result.stderr)


def test_a_script_that_is_not_there_is_said_so() -> None:
    result = run("nowhere.txt")
    assert result.exit_code == 2
    assert "nowhere.txt" in result.stderr


def test_help_lists_every_kind_of_line() -> None:
    told = run("--help").stdout
    for form in script.FORMS:
        assert f"  {form.form}\n" in told
