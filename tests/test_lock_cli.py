"""The commands around locks, and what the page about locks says of them."""

import json
import re
import shlex
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from stickman.cli.lock_commands import lock
from stickman.floor.lock import read_lock
from stickman.rules.settings import load
from stickman.store.signing import Signer

PAGE = (Path(__file__).parent.parent / "docs" / "locks.md").read_text("utf-8")
HARBOUR = 'name = "harbour"\nlocal_network_only = true\nban = ["hop.1-3"]\nsettings.seats = { max = 6 }\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "harbour.toml").write_text(HARBOUR)
    return tmp_path


def run(command: str, *, typed: str = "") -> Result:
    return CliRunner().invoke(lock, shlex.split(command), input=typed)


def printed(command: str, *, code: int = 0, typed: str = "") -> str:
    result = run(command, typed=typed)
    assert result.exit_code == code, result.output
    return result.stdout


def refused(command: str, *, typed: str = "") -> str:
    """The message of a command that cannot be carried out: no traceback, nothing on standard output."""
    result = run(command, typed=typed)
    assert result.exit_code in (1, 2)
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    return result.stderr


@pytest.fixture
def signed(folder: Path) -> Path:
    printed("key mine")
    printed("sign harbour.toml --key mine.pem")
    return folder / "harbour.toml"


# --- key ---


def test_key_makes_a_secret_file_and_a_public_one(folder: Path) -> None:
    made = json.loads(printed("key mine --json"))
    assert made == {"key": Signer.load(folder / "mine.pem").key_id, "private": "mine.pem", "public": "mine.pub.pem"}
    assert stat.S_IMODE((folder / "mine.pem").stat().st_mode) == 0o600
    assert "PRIVATE" not in (folder / "mine.pub.pem").read_text()


def test_key_overwrites_nothing(folder: Path) -> None:
    printed("key mine")
    before = {file: file.read_bytes() for file in folder.iterdir()}
    assert "mine.pub.pem: found a file of that name" in refused("key mine")
    (folder / "mine.pub.pem").unlink()
    assert "mine.pem: found a file of that name" in refused("key mine")
    assert (folder / "mine.pem").read_bytes() == before[folder / "mine.pem"]


def test_a_key_with_a_password_signs_with_it_alone(signed: Path) -> None:
    printed("key secret --password", typed="yo\nyo\n")
    assert "a key with a password" in refused("sign harbour.toml --key secret.pem")
    printed("sign harbour.toml --key secret.pem --password", typed="yo\n")
    printed(f"check {signed} --key secret.pub.pem")


# --- sign ---


def test_sign_writes_the_signature_beside_the_lock(folder: Path) -> None:
    printed("key mine")
    made = json.loads(printed("sign harbour.toml --key mine.pem --json"))
    assert made["signature"] == "harbour.toml.sig"
    assert (folder / "harbour.toml.sig").read_text().startswith(made["key"])


def test_sign_refuses_a_key_that_others_can_read(folder: Path) -> None:
    printed("key mine")
    (folder / "mine.pem").chmod(0o644)
    assert "mode 0644" in refused("sign harbour.toml --key mine.pem")


def test_sign_refuses_what_is_no_lock(folder: Path) -> None:
    printed("key mine")
    (folder / "harbour.toml").write_text('name = "harbour"\nsettings.seats = [11]\n')
    assert "harbour.toml: settings.seats: found 11; allowed: a whole number" in refused(
        "sign harbour.toml --key mine.pem"
    )


# --- check ---


@pytest.mark.usefixtures("signed")
def test_check_prints_what_a_lock_narrows() -> None:
    text = printed("check harbour.toml --key mine.pub.pem")
    assert "harbour: the signature is valid" in text
    rows = [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()]
    assert ["every game", "seats", "at most 6"] in rows
    assert ["every game", "hop.1-3", "not on offer"] in rows
    assert ["every game", "network", "only the local one, never the internet"] in rows


@pytest.mark.usefixtures("signed")
def test_check_tells_what_is_forbidden_of_a_game_and_fails() -> None:
    text = printed("check harbour.toml --key mine.pub.pem --game craps", code=1)
    assert "Forbidden: seats is 10; harbour allows at most 6" in text
    assert "Forbidden: hop.1-3 is on offer; harbour bans it" in text


@pytest.mark.usefixtures("signed")
def test_check_json_has_bounds_and_verdict() -> None:
    told = json.loads(printed("check harbour.toml --key mine.pub.pem --game craps --json", code=1))
    assert told["lock"] == "harbour"
    assert told["local_network_only"] is True
    assert told["banned"] == ["hop.1-3"]
    assert told["allowed"] == [{"game": None, "setting": "seats", "values": None, "min": 0, "max": 6, "needs": []}]
    assert told["game"] == "craps"
    assert len(told["forbidden"]) == 2


def test_check_passes_a_game_of_which_nothing_is_forbidden(signed: Path) -> None:
    own = signed.with_name("own.toml")
    own.write_text('name = "own"\ntitle = "Own"\nseats = 6\nleave_out = ["hop.1-3"]\n')
    text = printed("check harbour.toml --key mine.pub.pem --game own.toml")
    assert "Nothing of Own (own) is forbidden." in text


def test_check_refuses_a_lock_that_was_widened(signed: Path) -> None:
    signed.write_text(HARBOUR.replace("6", "9"))
    assert "harbour.toml: found bytes that the signature" in refused("check harbour.toml --key mine.pub.pem")


@pytest.mark.usefixtures("signed")
def test_check_needs_the_right_key() -> None:
    printed("key other")
    assert "the unknown key" in refused("check harbour.toml --key other.pub.pem")
    assert "--key is missing" in refused("check harbour.toml")
    printed("check harbour.toml --key other.pub.pem --key mine.pub.pem")


def test_check_knows_the_examples_by_name() -> None:
    assert "It forbids nothing." in printed("check open")
    assert "roll-to-win, shoot-to-win" in printed("check washington")
    printed("check washington --game shoot-to-win")
    assert "points is ten; washington allows only six" in printed("check washington --game crapless", code=1)


def test_an_unknown_game_or_file_is_an_error_in_one_line() -> None:
    assert "found 'baccarat'" in refused("check open --game baccarat")
    assert "cannot be read" in refused("check nowhere.toml --key nowhere.pub.pem")


@pytest.mark.parametrize("command", ["", "key", "sign", "check"])
def test_every_command_explains_itself(command: str) -> None:
    assert "Usage:" in printed(f"{command} --help")


# --- The page ---


def test_the_lock_on_the_page_is_one(folder: Path) -> None:
    [text] = re.findall("```toml\n(.*?)```", PAGE, re.DOTALL)
    shown = read_lock(text.encode(), "harbour.toml")
    assert "table_min_cents is 100; harbour allows at least 500" in shown.forbids(load("craps"))
    (folder / "harbour.toml").write_text(text)
    commands = re.findall(r"^\$ stickman lock (.*)$", PAGE, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        printed(command, code=1 if command.endswith("craps") else 0)
