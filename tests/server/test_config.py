"""The floor's configuration: what it says is what is played, and what cannot be played is said clearly."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from stickman.cli.serve_commands import serve
from stickman.floor.lock import read_lock, sign_lock
from stickman.rules.datafile import BadFile
from stickman.server.config import Plan, check_host, plan, read_config
from stickman.server.demo import CONFIG as DEMO
from stickman.store import keyfile
from stickman.store.keyfile import BadKey
from stickman.store.signing import Signer, Untrusted

ROOT = Path(__file__).parents[2]
SMALLEST = 'database = "sqlite:floor.db"\nticket_key = "ticket.key"\njournal_key = "journal.key"\n'
TABLE = SMALLEST + '[tables.1]\ngame = "craps"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    keyfile.write_key(tmp_path / "ticket.key", bytes(keyfile.KEY_BYTES))
    keyfile.write_key(tmp_path / "journal.key", bytes(keyfile.KEY_BYTES))
    return tmp_path


def planned(text: str, folder: Path) -> Plan:
    return plan(read_config(text, "floor.toml"), folder, "floor.toml")


# --- What it says ---


def test_a_floor_listens_to_its_own_machine_unless_told(folder: Path) -> None:
    found = planned(TABLE, folder)
    assert found.config.host == "127.0.0.1"
    assert found.lock is None
    assert found.tls is None


def test_paths_begin_where_the_file_lies(folder: Path) -> None:
    assert planned(TABLE, folder).database == f"sqlite:{folder / 'floor.db'}"
    other = TABLE.replace("sqlite:floor.db", "postgresql://floor@db/floor")
    assert planned(other, folder).database == "postgresql://floor@db/floor"


def test_each_table_has_its_game_and_what_differs_from_it(folder: Path) -> None:
    text = TABLE + 'name = "Window"\nsettings = { seats = 4, odds = { take = "10x" } }\n[tables.7]\ngame = "easy"\n'
    tables = planned(text, folder).tables
    assert (tables[1].name, tables[1].game.seats, tables[1].game.odds.take) == ("Window", 4, "10x")
    assert (tables[7].name, tables[7].game.name) == ("Table 7", "easy")


def test_a_table_plays_a_game_of_the_casinos_own(folder: Path) -> None:
    (folder / "ours.toml").write_text('name = "ours"\ntitle = "Ours"\nseats = 2\n')
    assert planned(TABLE.replace("craps", "ours.toml"), folder).tables[1].game.title == "Ours"


def test_the_demonstration_can_be_read(folder: Path) -> None:
    assert {table.game.mode for table in planned(DEMO, folder).tables.values()} == {"automated"}


EMULATED = f'emulator = "http://127.0.0.1:8001"\n{DEMO}'


def test_the_page_of_emulated_devices_is_on_this_machine_and_at_a_demonstration_alone(folder: Path) -> None:
    assert planned(EMULATED, folder).config.emulator == "http://127.0.0.1:8001"
    for text in (EMULATED.replace("demo = true", ""), EMULATED.replace("127.0.0.1:8001", "floor.example:8001")):
        with pytest.raises(BadFile) as problem:
            planned(text, folder)
        assert problem.value.key == "emulator"
    for odd in ("http://127.0.0.1:8001; script-src *", "https://127.0.0.1:8001", "http://127.0.0.1:8001/x"):
        with pytest.raises(BadFile, match="allowed"):
            planned(EMULATED.replace("http://127.0.0.1:8001", odd), folder)


def test_the_examples_of_the_manual_can_be_read() -> None:
    manual = (ROOT / "docs" / "operating.md").read_text()
    examples = re.findall(r"```toml\n(.*?)```", manual, re.DOTALL)
    assert examples
    for example in examples:
        assert read_config(example, "operating.md").tables


# --- What is wrong with it ---


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "database"),
        (SMALLEST, "tables"),
        (SMALLEST + "[tables]", "tables"),
        (SMALLEST + "[tables.one]\ngame = 'craps'", "tables.one"),
        (SMALLEST + "[tables.01]\ngame = 'craps'", "tables.01"),
        (SMALLEST + "[tables.0]\ngame = 'craps'", "tables.0"),
        (SMALLEST + "[tables.1]", "tables.1.game"),
        (TABLE + "settings = { seats = 11 }", "tables.1.settings.seats"),
        (TABLE + "settings = { sets = 1 }", "tables.1.settings.sets"),
        (TABLE + "settings = { rotate_on = [] }", "tables.1.settings.rotate_on"),
        (TABLE + "dice = [[6, 1]]", "tables.1.dice"),
        ("port = 70000\n" + TABLE, "port"),
        ("script = 'x'\n" + TABLE, "script"),
        (TABLE + "[tls]\ncertificate = 'a.pem'", "tls.key"),
        (TABLE + "[checkpoints]\nkey = 'a.pem'", "checkpoints.file"),
        (TABLE + "[checkpoints]\nevery_s = 0", "checkpoints.every_s"),
        (TABLE + "[lock]\nfile = 'a.toml'", "lock"),
    ],
)
def test_what_cannot_be_used_is_named(folder: Path, text: str, key: str) -> None:
    with pytest.raises(BadFile) as problem:
        planned(text, folder)
    assert problem.value.key == key
    assert problem.value.file == "floor.toml"
    assert problem.value.allowed


def test_a_game_that_there_is_not_is_said(folder: Path) -> None:
    with pytest.raises(BadFile, match="shoot-to-win"):
        planned(TABLE.replace("craps", "poker"), folder)


def test_a_floor_without_a_journal_key_does_not_open_and_says_how_to_make_one(folder: Path) -> None:
    config = read_config(TABLE.replace('journal_key = "journal.key"', ""), "floor.toml")
    with pytest.raises(BadFile, match="stickman journal key FILE"):
        plan(config, folder, "floor.toml")


def test_the_url_of_the_database_may_lie_in_a_file_of_its_own(folder: Path) -> None:
    url = "postgresql://floor:secret@db.local/floor"
    config = read_config(TABLE.replace("sqlite:floor.db", "@floor.url"), "floor.toml")
    file = folder / "floor.url"
    file.write_text(f"{url}\n")
    file.chmod(0o644)
    with pytest.raises(BadKey, match="found mode 0644") as problem:
        plan(config, folder, "floor.toml")
    assert "secret" not in str(problem.value)
    file.chmod(0o600)
    assert plan(config, folder, "floor.toml").database == url


def test_a_key_of_tls_that_others_may_read_is_refused(folder: Path) -> None:
    config = read_config(TABLE + "[tls]\ncertificate = 'a.pem'\nkey = 'b.pem'\n", "floor.toml")
    (folder / "b.pem").touch()
    (folder / "b.pem").chmod(0o640)
    with pytest.raises(BadKey, match=r"b\.pem: found mode 0640"):
        plan(config, folder, "floor.toml")


def test_a_floor_without_its_ticket_key_does_not_open(tmp_path: Path) -> None:
    with pytest.raises(keyfile.BadKey, match="no such key file"):
        planned(TABLE, tmp_path)


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        ([], 2, "either --demo or --config"),
        (["--demo", "--config", "floor.toml"], 2, "either --demo or --config"),
        (["--config", "nothing.toml"], 1, "nothing.toml"),
        (["--config", "floor.toml", "--host", "8.8.8.8"], 1, "--public"),
        (["--config", "floor.toml", "--db", "mysql://x"], 1, "names no store"),
    ],
)
def test_a_floor_that_cannot_be_opened_says_why(
    folder: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], code: int, said: str
) -> None:
    (folder / "floor.toml").write_text("port = 0\n" + TABLE)
    monkeypatch.chdir(folder)
    told = CliRunner().invoke(serve, options)
    assert told.exit_code == code, told.output
    assert said in told.output


# --- The lock ---


def locked(folder: Path, lock: str) -> str:
    signer = Signer.generate()
    signer.save_public(folder / "lock.pub")
    (folder / "lock.toml").write_text(lock)
    sign_lock(folder / "lock.toml", signer)
    return TABLE + '[lock]\nfile = "lock.toml"\nkeys = ["lock.pub"]\n'


def test_a_game_that_the_lock_forbids_does_not_open_and_says_why(folder: Path) -> None:
    text = locked(folder, 'name = "harbour"\n[settings]\ntable_min_cents = { min = 500 }\nfield = ["EL602"]\n')
    with pytest.raises(BadFile) as problem:
        planned(text, folder)
    assert problem.value.key == "tables.1"
    assert "table_min_cents is 100; harbour allows at least 500" in problem.value.found
    assert "field is double; harbour allows only EL602" in problem.value.found


def test_a_lock_that_was_changed_after_it_was_signed_does_not_count(folder: Path) -> None:
    text = locked(folder, 'name = "harbour"\nlocal_network_only = true\n')
    assert planned(text, folder).lock
    (folder / "lock.toml").write_text('name = "harbour"\n')
    with pytest.raises(Untrusted):
        planned(text, folder)


# --- Where it may listen ---

LOCAL = read_lock(b'name = "harbour"\nlocal_network_only = true\n', "lock.toml")
OPEN = read_lock(b'name = "open"\n', "lock.toml")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_the_machines_own_address_needs_no_warning(host: str) -> None:
    assert check_host(host, LOCAL, public=False) == ""


@pytest.mark.parametrize("host", ["10.1.2.3", "192.168.0.9", "172.16.0.1", "fd00::1"])
def test_a_private_address_is_warned_of(host: str) -> None:
    assert host in check_host(host, LOCAL, public=False)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "8.8.8.8", "2001:4860:4860::8888"])  # noqa: S104 - refused
def test_an_address_that_the_world_can_reach_is_refused_unless_meant(host: str) -> None:
    with pytest.raises(BadFile, match="--public"):
        check_host(host, OPEN, public=False)
    assert check_host(host, OPEN, public=True)
    with pytest.raises(BadFile, match="harbour allows no other"):
        check_host(host, LOCAL, public=True)


def test_a_name_is_no_address() -> None:
    with pytest.raises(BadFile, match=r"floor\.example"):
        check_host("floor.example", None, public=True)
