import os
import random
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

import msgspec
import pytest

from stickman.rules import layout as layouts
from stickman.rules.bets import catalogue
from stickman.rules.datafile import BadFile, parse_toml
from stickman.rules.game import Game, paytable_keys, value_of
from stickman.rules.money import Pays
from stickman.rules.paytable import PayRow, odds_tables, pay_tables, power_tables
from stickman.rules.settings import GAMES, change, load, read, settings

MINE = 'name = "mine"\ntitle = "My own"\n'


def packaged(name: str) -> str:
    return (resources.files("stickman") / "games" / f"{name}.toml").read_text("utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_a_built_in_game_loads_and_lays_out(name: str) -> None:
    game = load(name)
    assert game.name == name
    assert layouts.lay_out(game).bets


@pytest.mark.parametrize("name", GAMES)
def test_a_game_file_holds_only_what_differs_from_the_defaults(name: str) -> None:
    default = read(MINE, "mine.toml")

    def differs(table: dict[str, object], key: str = "") -> None:
        for inner, value in table.items():
            if isinstance(value, dict):
                differs(value, f"{key}{inner}.")
            elif not key.startswith(("odds.", "buy.", "lay.")):  # these are said in full, for the reader
                assert value_of(load(name), key + inner) != value_of(default, key + inner), key + inner

    differs(parse_toml(packaged(name), name))


def test_every_setting_says_what_it_is_and_what_is_allowed() -> None:
    for setting in settings(load("craps")):
        assert setting.help.endswith("."), setting.key
        assert setting.allowed


def test_an_optional_setting_is_put_back_with_none() -> None:
    game = change(load("craps"), "fired_up.cap_cents", "9000000")
    assert game.fired_up.cap_cents == 9_000_000
    assert change(game, "fired_up.cap_cents", "none") == load("craps")


def test_a_casino_makes_its_own_game_by_copying_one(tmp_path: Path) -> None:
    text = packaged("shoot-to-win").replace('name = "shoot-to-win"', 'name = "harbour"')
    file = tmp_path / "harbour.toml"
    file.write_text(text + '\nfield = "EL602"\n')
    assert load(str(file)).field == "EL602"


@pytest.mark.parametrize(
    ("text", "key", "found", "allowed"),
    [
        ("", "name", "nothing", "text of the form"),
        ('name = "mine"', "title", "nothing", "text"),
        ('name = "My Own"\ntitle = "x"', "name", "'My Own'", "text of the form"),
        (MINE + "stayup = true", "stayup", "an unknown key", "stay_up"),
        (MINE + "[limits]\nmax = 5", "limits.max", "an unknown key", "max_cents"),
        (MINE + 'stay_up = "yes"', "stay_up", "'yes'", "true or false"),
        (MINE + "stay_up = 1", "stay_up", "1", "true or false"),
        (MINE + "seats = 11", "seats", "11", "a whole number from 1 to 10"),
        (MINE + "seats = true", "seats", "True", "a whole number from 1 to 10"),
        (MINE + "seats = 5.0", "seats", "'5.0'", "a whole number from 1 to 10"),
        (MINE + "timers = 30", "timers", "30", "a table of settings"),
        (MINE + 'points = "eight"', "points", "'eight'", "one of six, ten"),
        (MINE + 'field = "triple"', "field", "'triple'", "one of double, EL602"),
        (MINE + 'odds.take = "1000x"', "odds.take", "'1000x'", "2x to 100x, 3-4-5x, or"),
        (MINE + 'bonus_craps.paytable = "BC-10"', "bonus_craps.paytable", "'BC-10'", "BC-03, BC-04"),
        (MINE + 'bets = ["pass", "world"]', "bets", "['pass', 'world']", "a list of one of"),
        (MINE + 'points = "ten"', "bets", "dont_come, dont_pass, lay", "no bet against the dice"),
        (MINE + 'leave_out = ["place.7"]', "leave_out", "'place.7'", "place.6"),
        (MINE + "bet_limits.world.max_cents = 100", "bet_limits.world", "no bet", "place"),
        (MINE + "bet_limits.place.min = 100", "bet_limits.place.min", "an unknown key", "min_cents"),
        (MINE + "limits.min_cents = 200000", "limits", "200000 to 100000 in steps of 100", "at least one stake"),
        (
            MINE + "bet_limits.field.step_cents = 200000",
            "bet_limits.field",
            "steps of 200000",
            "at least one stake",
        ),
        (MINE + "lucky_roller.limits.max_cents = 50", "lucky_roller.limits", "100 to 50", "at least one stake"),
        (MINE + "bet_limits.horn.max_cents = 300", "bet_limits.horn", "in steps of 400", "at least one stake"),
        (MINE + "limits.min_cents = 0", "limits.min_cents", "0", "a whole number from 1"),
        (MINE + "table_min_cents = 2000000", "table_min_cents", "2000000", "at most total_max_cents 1000000"),
        (MINE + 'rotate_on = ["point_established"]', "rotate_on", "['point_established']", "a list with seven_out"),
        (MINE + "chips_cents = [100, 500]", "chips_cents", "[100, 500]", "(7 of them)"),
        (MINE + "buy.rate_bp = 20000", "buy.rate_bp", "20000", "a whole number from 0 to 10,000"),
        (
            MINE + 'points = "ten"\nbets = ["pass"]\nlucky_shooter.on = true',
            "lucky_shooter.on",
            "true",
            "false with points",
        ),
        (MINE + "seats = ", "", "a mistake in the TOML", "a TOML file"),
        (MINE + "seats = 5\nseats = 6", "", "a mistake in the TOML", "a TOML file"),
    ],
)
def test_a_bad_file_gets_one_error_with_file_key_found_and_allowed(
    text: str, key: str, found: str, allowed: str
) -> None:
    with pytest.raises(BadFile) as caught:
        read(text, "mine.toml")
    problem = caught.value
    assert problem.file == "mine.toml"
    assert problem.key == key
    assert found in problem.found
    assert allowed in problem.allowed
    assert str(problem).startswith(f"mine.toml: {key}: found " if key else "mine.toml: found ")
    assert "\n" not in str(problem)


def test_a_file_that_is_not_there_or_no_text_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"nowhere\.toml: found a file that cannot be read"):
        load(str(tmp_path / "nowhere.toml"))
    (tmp_path / "noise.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match=r"noise\.toml: found a file that cannot be read"):
        load(str(tmp_path / "noise.toml"))
    with pytest.raises(BadFile, match="allowed: craps, crapless, easy, roll-to-win, shoot-to-win, or the path"):
        load("baccarat")


@pytest.mark.parametrize("key", [setting.key for setting in settings(load("craps"))])
def test_no_setting_takes_what_it_does_not_allow(key: str) -> None:
    with pytest.raises(BadFile) as caught:
        change(load("craps"), key, "{ nonsense = [1, 2] }")
    assert caught.value.key.startswith(key)


# --- Fingerprints ---


@pytest.mark.parametrize("name", GAMES)
def test_the_order_of_keys_does_not_change_the_fingerprint(name: str) -> None:
    table = parse_toml(packaged(name), name)
    keys = list(table)
    random.Random(7).shuffle(keys)  # noqa: S311 - any order will do
    shuffled = "\n".join(f"{key} = {toml({**table}[key])}" for key in keys)
    assert keys != list(table)
    assert read(shuffled, "shuffled.toml").fingerprint() == load(name).fingerprint()


def toml(value: object) -> str:
    """Just enough TOML for what game files hold, lists and tables the other way round."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {toml(v)}" for k, v in reversed(value.items())) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, reversed(value))) + "]"
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


def test_the_fingerprint_is_the_same_in_another_process_with_another_hash_seed() -> None:
    code = "from stickman.rules.settings import *\nprint(*(load(g).fingerprint() for g in GAMES))"
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.split() == [load(name).fingerprint() for name in GAMES]


def another_value(game: Game, key: str, allowed: str) -> str:
    """Some allowed value of a setting that is not the present one, as typed."""
    now = value_of(game, key)
    if key == "chips_cents":
        return "[1, 2, 3, 4, 5, 6, 7]"
    if key == "denominations":
        return "[1, 5]"
    if key == "bet_limits":
        return "{ field = { max_cents = 500 } }"
    if key == "leave_out":
        return '["field"]'
    if isinstance(now, frozenset):
        choices = set(re.findall(r"\w+", allowed)) - {"a", "list", "of", "one"}
        fewer = sorted(now)[1:] if len(now) > 1 else sorted(choices)
        return str(fewer).replace("'", '"')
    if key in ("odds.take", "odds.lay"):
        return "20x"
    if allowed == "true or false":
        return str(not now).lower()
    if allowed.startswith("one of "):
        return next(value for value in allowed.removeprefix("one of ").split(", ") if value != str(now))
    if allowed.startswith("a whole number from "):
        return "9" if key == "seats" else str((now or 500) + 100 if key.endswith("_cents") else now + 1)
    return "something-else" if key == "name" else "other"


ONLY_ONE_CHOICE = {"paytable", "power_odds.chart", "lucky_shooter.paytable"}


@pytest.mark.parametrize("key", [s.key for s in settings(load("roll-to-win")) if s.key not in ONLY_ONE_CHOICE])
def test_every_setting_is_in_the_fingerprint(key: str) -> None:
    game = load("roll-to-win")
    if key == "points":  # the bets against the dice stand in the way
        game = change(game, "bets", '["pass", "field"]')
    if key == "credit_meter":  # the total needs a cash-out with an empty felt
        game = change(game, "cash_out", "felt_empty")
    [allowed] = [setting.allowed for setting in settings(game) if setting.key == key]
    changed = change(game, key, another_value(game, key, allowed))
    assert changed != game
    assert changed.fingerprint() != game.fingerprint()


def test_a_pay_table_in_play_is_in_the_fingerprint_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    before = load("craps").fingerprint()
    table = pay_tables("field")["double"]
    row = table.rows["12"]
    better = {**table.rows, "12": type(row)(pays=type(row.pays).parse("3 to 1"), source=row.source)}
    monkeypatch.setitem(pay_tables("field"), "double", type(table)(rows=better))
    assert load("craps").fingerprint() != before


EVERY_ROW_PLAYS = {"hot_shooter"}
"""Kinds whose machine is made from all rows of its pay table."""


@pytest.mark.parametrize("kind", sorted(paytable_keys().keys() - EVERY_ROW_PLAYS))
def test_a_pay_row_that_no_bet_uses_is_in_no_fingerprint(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = [load(name).fingerprint() for name in GAMES]
    for name, table in pay_tables(kind).items():
        rows = {**table.rows, "99": PayRow(Pays.parse("99 to 1"), "house")}
        monkeypatch.setitem(pay_tables(kind), name, msgspec.structs.replace(table, rows=rows))
    assert "99 to 1" in {str(row.pays) for row in load("craps").pay_rows().values()}
    assert [load(name).fingerprint() for name in GAMES] == before


# --- Data ---


@pytest.mark.parametrize("kind", paytable_keys())
def test_every_pay_row_has_a_source(kind: str) -> None:
    for table in pay_tables(kind).values():
        for row in table.rows.values():
            assert re.match(r"(IB|RTW|STW|BC3|BC4|house)\b", row.source)


def test_every_odds_policy_and_power_row_has_a_source() -> None:
    assert all(policy.source for policy in odds_tables().values())
    assert all(row.source.startswith("STW") for chart in power_tables().values() for row in chart.rows.values())


def test_every_main_pay_row_is_paid_by_some_bet() -> None:
    paid = set()
    for name in GAMES:
        layout = layouts.lay_out(load(name))
        paid |= {slot.row for slot in layout.cells.slots if slot}
    rows = set(pay_tables("main")["standard"].rows)
    assert rows <= paid


def test_every_bet_of_the_catalogue_cites_its_rule() -> None:
    for name in GAMES:
        for bet in catalogue(load(name)):
            assert re.search(r"(IB|RTW|STW|BC3|BC4)\b", bet.source), bet.id
