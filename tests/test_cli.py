import json
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from stickman.cli import main
from stickman.rules.settings import GAMES, load


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def printed(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def as_json(*arguments: str) -> Any:
    return json.loads(printed(*arguments, "--json"))


def refused(*arguments: str) -> str:
    """The message of a command that cannot be carried out: no traceback, nothing on standard output."""
    result = run(*arguments)
    assert result.exit_code in (1, 2)
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    return result.stderr


def test_par_prints_a_readable_sheet() -> None:
    text = printed("par", "craps", "--stake", "5.00")
    assert "Craps (craps)" in text
    assert load("craps").fingerprint() in text
    [row] = [line for line in text.splitlines() if line.startswith(" place.6/8  ") and "1/66" in line]
    assert "7:6" in row
    assert "1.515%" in row
    [rounding] = [line for line in text.splitlines() if line.startswith(" place.6/8  ") and "$5.00" in line]
    assert "0.1515" in rounding


def test_par_without_a_game_prints_all_five() -> None:
    text = printed("par")
    for name in GAMES:
        assert f"({name})" in text
        assert load(name).fingerprint() in text


def test_par_json_has_the_promised_keys_and_exact_values() -> None:
    sheet = as_json("par", "craps")
    assert sheet["game"] == "craps"
    assert sheet["fingerprint"] == load("craps").fingerprint()
    keys = "bet edge_per_bet_made edge_per_bet_resolved edge_per_roll rtp hit_rate mean_rolls variance source"
    for bet in sheet["bets"]:
        assert set(keys.split()) <= set(bet)
        for key in keys.split()[1:-1]:
            assert "/" in bet[key]
            Fraction(bet[key])
    by_id = {bet["bet"]: bet for bet in sheet["bets"]}
    assert len(by_id) == len(sheet["bets"])
    assert by_id["dont_pass"]["edge_per_bet_resolved"] == "27/1925"


def test_par_json_without_a_game_is_a_list_of_the_five() -> None:
    assert [sheet["game"] for sheet in as_json("par")] == list(GAMES)


def test_par_of_one_bet() -> None:
    [bet] = as_json("par", "roll-to-win", "--bet", "hot_shooter")["bets"]
    assert bet["bet"] == "hot_shooter"
    assert [sheet["game"] for sheet in as_json("par", "--bet", "low_field")] == ["easy"]


def test_par_writes_one_self_contained_page(tmp_path: Path) -> None:
    page = tmp_path / "par.html"
    assert printed("par", "easy", "--html", str(page)) == ""
    html = page.read_text("utf-8")
    assert load("easy").fingerprint() in html
    assert "<svg" in html


def test_par_takes_a_casinos_own_game(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\ntitle = "Mine"\nfield = "EL602"\n')
    [bet] = as_json("par", str(file), "--bet", "field")["bets"]
    assert bet["edge_per_bet_made"] == "1/36"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("par", "baccarat"), "game: found 'baccarat'; allowed: craps, crapless, easy"),
        (("par", "craps", "--bet", "place.7"), "craps has no bet 'place.7'; allowed: place.9, place.8"),
        (("par", "crapless", "--bet", "dont_pass"), "crapless has no bet 'dont_pass'"),
        (("par", "--bet", "world"), "no game has a bet 'world'"),
        (("par", "craps", "--stake", "five"), "amount 'five' is not money such as 5, 5.00"),
        (("par", "craps", "--stake", "0"), "found a stake of 0; allowed: 0.01 or more"),
        (("par", "craps", "--html", "/nowhere/at/all.html"), "No such file or directory"),
        (("show", "hard.5"), "craps has no bet 'hard.5'; allowed: hard.8"),
        (("show", "pass", "--game", "poker"), "game: found 'poker'"),
        (("settings", "poker"), "game: found 'poker'"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(arguments: tuple[str, ...], said: str) -> None:
    assert said in refused(*arguments)


def test_a_bad_game_file_is_named_with_its_key(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\ntitle = "Mine"\nstayup = true\n')
    assert "mine.toml: stayup: found an unknown key; allowed: stay_up" in refused("par", str(file))


def test_show_draws_a_row_for_each_state() -> None:
    text = printed("show", "hard.8", "--game", "shoot-to-win")
    assert "Hard 8 (hard.8)" in text
    assert "easy 8" in text
    assert "+9:1↺" in text
    assert "lose" in text


def test_show_takes_the_spot_a_come_wager_travels_to() -> None:
    assert printed("show", "come.6") == printed("show", "come")


def test_show_of_a_large_machine_stands_for_its_kinds_or_shows_all() -> None:
    text = printed("show", "lucky_roller.all")
    assert "1,023 states of 10 kinds" in text
    assert len(printed("show", "lucky_roller.all", "--all").splitlines()) > 1023


def test_show_writes_a_drawing(tmp_path: Path) -> None:
    file = tmp_path / "pass.svg"
    assert printed("show", "pass", "--svg", str(file)) == ""
    assert ET.parse(file).getroot().tag.endswith("svg")  # noqa: S314 - our own file


def test_show_json_covers_the_36_rolls_in_every_line() -> None:
    drawn = as_json("show", "hop.1-4", "--game", "craps")
    assert sum(column["rolls"] for column in drawn["columns"]) == 36
    assert "1-4" in [column["label"] for column in drawn["columns"]]
    for state in drawn["states"]:
        for line in state["lines"]:
            assert len(line["effects"]) == len(drawn["columns"])


def test_settings_lists_every_setting() -> None:
    text = printed("settings", "crapless")
    assert "puck_can_be_reset" in text
    settings = as_json("settings", "crapless")["settings"]
    assert {"key": "points", "value": "ten", "allowed": "one of six, ten"}.items() <= next(
        s for s in settings if s["key"] == "points"
    ).items()


@pytest.mark.parametrize("command", [(), ("par",), ("show",), ("settings",)])
def test_every_command_explains_itself(command: tuple[str, ...]) -> None:
    assert "Usage:" in printed(*command, "--help")
