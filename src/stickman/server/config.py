"""The floor's configuration: a TOML file, and the plan that it makes with every game, key and lock that it
names."""

from __future__ import annotations

import ipaddress
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from stickman.floor.lock import LOCAL_NETWORKS, Lock, load_lock
from stickman.floor.terminals import TABLE_MAX
from stickman.rules.datafile import BadFile, build, parse_toml
from stickman.rules.game import Game
from stickman.rules.settings import change, load
from stickman.server.limits import ServerLimits
from stickman.server.sounds import Recordings, recordings_in
from stickman.store import has_password, keyfile, read_url, sqlite_path
from stickman.store.checkpoints import CheckpointFile
from stickman.store.sealed import JournalKey
from stickman.store.signing import Signer, Verifier

LOOPBACK = "127.0.0.1"
EMULATOR = re.compile(r"http://(127\.0\.0\.1|localhost):[0-9]{1,5}")


class Tls(Struct, frozen=True, kw_only=True):
    """Certificate and private key as PEM files; both or neither."""

    certificate: str = ""
    key: str = ""


class LockFiles(Struct, frozen=True, kw_only=True):
    """The jurisdiction lock, and public keys; one of them must have signed it. Without a file, there is no lock."""

    file: str = ""
    keys: tuple[str, ...] = ()


class Checkpoints(Struct, frozen=True, kw_only=True):
    """The file of signed checkpoints, outside the database. Without it, none are signed."""

    file: str = ""
    key: str = ""
    """The private key that signs them."""
    every_s: Annotated[int, Meta(ge=1, le=86_400)] = 60


class TableConfig(Struct, frozen=True, kw_only=True):
    """A table, and its game when it is opened for the first time. Later its journal says what it plays."""

    game: str
    name: Annotated[str, Meta(max_length=40)] = ""
    settings: dict[str, Any] = {}
    """The settings that differ from the game's, nested as in a game's file."""


class FloorConfig(Struct, frozen=True, kw_only=True):
    """The whole configuration file."""

    database: str
    """`sqlite:PATH`, `postgresql://…`, or `@FILE`: the URL is in that file."""
    ticket_key: str
    """The file of the key that makes ticket numbers."""
    ticket_keys_before: tuple[str, ...] = ()
    """Files of earlier keys, for tickets that are still on paper."""
    journal_key: str = ""
    """The file of the key for the MACs of the journal's records."""
    tables: dict[str, TableConfig]
    """By number."""
    host: str = LOOPBACK
    """The address to listen at."""
    port: Annotated[int, Meta(ge=0, le=65_535)] = 8_000
    """0: any free port."""
    hosts: tuple[str, ...] = ()
    """More names and addresses that it answers to, besides `host` and those of the machine itself."""
    origins: tuple[str, ...] = ()
    """Other origins from which pages may come: `https://floor.example`."""
    tls: Tls = Tls()
    lock: LockFiles = LockFiles()
    checkpoints: Checkpoints = Checkpoints()
    limits: ServerLimits = ServerLimits()
    sounds: str = ""
    """The folder of the casino's own recordings. Without it, the program's own announcements are played."""
    demo: bool = False
    """A demonstration: `--demo` serves this configuration and no other, and nothing else serves it."""
    emulator: str = ""
    """At a demonstration, the origin of the page with the emulated devices: `http://127.0.0.1:8001`."""


class PlannedTable(NamedTuple):
    name: str
    game: Game


class Plan(NamedTuple):
    """A configuration whose files were all read and checked."""

    config: FloorConfig
    database: str
    tables: dict[int, PlannedTable]
    ticket_keys: tuple[bytes, ...]
    """The key of ticket numbers, then earlier ones."""
    journal_key: JournalKey
    sounds: Recordings
    """The casino's own."""
    lock: Lock | None = None
    checkpoints: CheckpointFile | None = None
    tls: tuple[Path, Path] | None = None
    """Certificate and key."""
    demo: bool = False
    """A demonstration."""
    despite_clock: bool = False
    """Open even if the journal is ahead of the machine's clock."""


def read_config(text: str, file: str) -> FloorConfig:
    """Read a configuration; `BadFile` names what is wrong."""
    return build(FloorConfig, parse_toml(text, file), file)


def plan(config: FloorConfig, folder: Path, file: str) -> Plan:
    """The plan of a configuration; its paths are relative to its folder. Raises `BadFile`, `BadKey` or `Untrusted`
    if something that it names cannot be used."""
    lock, keys = _lock(config.lock, folder, file), (config.ticket_key, *config.ticket_keys_before)
    found = Plan(
        config=config,
        database=database_url(config.database, folder),
        tables=_tables(config.tables, folder, file),
        ticket_keys=tuple(keyfile.read_key(folder / key) for key in keys),
        journal_key=_journal_key(config.journal_key, folder, file),
        lock=lock,
        checkpoints=_checkpoints(config.checkpoints, folder, file),
        tls=_tls(config.tls, folder, file),
        sounds=recordings_in(folder / config.sounds, file) if config.sounds else {},
    )
    _check_emulator(config, file)
    for number, (_, game) in found.tables.items():
        if lock and (why := lock.forbids(game)):
            raise BadFile(file, f"tables.{number}", "; ".join(why), f"a game that the lock {lock.name} allows")
    return found


def _check_emulator(config: FloorConfig, file: str) -> None:
    """Emulated devices are for a demonstration on this machine. The pages may frame this origin and no other."""
    if config.emulator and not config.demo:
        raise BadFile(file, "emulator", repr(config.emulator), "nothing, because this is not a demonstration")
    if config.emulator and not EMULATOR.fullmatch(config.emulator):
        raise BadFile(file, "emulator", repr(config.emulator), f"an origin such as http://{LOOPBACK}:8001")


def check_readers(file: Path, config: FloorConfig) -> None:
    """Refuse a configuration that contains a password and that every user may read."""
    mode = stat.S_IMODE(file.stat().st_mode)
    if mode & stat.S_IROTH and has_password(config.database):
        found = f"mode {mode:04o}: every user may read the database's password in it"
        raise BadFile(str(file), "", found, "mode 0640 or 0600, or the URL in another file (database = '@FILE')")


def _journal_key(path: str, folder: Path, file: str) -> JournalKey:
    if not path:
        raise BadFile(file, "journal_key", "nothing", "the path of a key; `stickman journal key FILE` makes one")
    return JournalKey.of(keyfile.read_key(folder / path))


def _tls(tls: Tls, folder: Path, file: str) -> tuple[Path, Path] | None:
    paths = _both(tls.certificate, tls.key, folder, file, ("tls.certificate", "tls.key"))
    if paths and paths[1].exists():
        keyfile.check_private(paths[1])
    return paths


def database_url(url: str, folder: Path) -> str:
    """The URL of the store, with a path in this folder."""
    if url.startswith("@"):
        url = read_url(folder / url[1:])
    path = sqlite_path(url)
    return f"sqlite:{folder / path}" if path else url


def _tables(tables: Mapping[str, TableConfig], folder: Path, file: str) -> dict[int, PlannedTable]:
    if not tables:
        raise BadFile(file, "tables", "no table", "at least one, such as [tables.1]")
    return {_number(key, file): _planned(key, table, folder, file) for key, table in tables.items()}


def _number(key: str, file: str) -> int:
    if not (key.isascii() and key.isdigit() and 1 <= int(key) <= TABLE_MAX and key == str(int(key))):
        raise BadFile(file, f"tables.{key}", repr(key), f"a number from 1 to {TABLE_MAX:,}")
    return int(key)


def _planned(key: str, table: TableConfig, folder: Path, file: str) -> PlannedTable:
    game = load(str(folder / table.game) if table.game.endswith(".toml") else table.game)
    changed = build(Game, table.settings, file, base=game, key=f"tables.{key}.settings")
    try:
        change(changed, "name", changed.name)  # changes nothing, but checks all settings together
    except BadFile as problem:
        raise BadFile(file, f"tables.{key}.settings.{problem.key}", problem.found, problem.allowed) from None
    return PlannedTable(table.name or f"Table {key}", changed)


def _lock(lock: LockFiles, folder: Path, file: str) -> Lock | None:
    if not lock.file and not lock.keys:
        return None
    if not lock.file or not lock.keys:
        raise BadFile(file, "lock", "only a file or only keys", "the lock's file and the public keys for it")
    return load_lock(folder / lock.file, Verifier.load(*(folder / key for key in lock.keys)))


def _checkpoints(config: Checkpoints, folder: Path, file: str) -> CheckpointFile | None:
    paths = _both(config.file, config.key, folder, file, ("checkpoints.file", "checkpoints.key"))
    return CheckpointFile(paths[0], Signer.load(paths[1])) if paths else None


def _both(one: str, other: str, folder: Path, file: str, keys: tuple[str, str]) -> tuple[Path, Path] | None:
    """Two paths that need each other; none if neither is given."""
    if bool(one) != bool(other):
        given, missing = keys if one else reversed(keys)
        raise BadFile(file, missing, "nothing", f"a path, because {given} is given")
    return (folder / one, folder / other) if one else None


# --- Where to listen ---


def check_host(host: str, lock: Lock | None, *, public: bool) -> str:
    """A warning before the server listens at an address; `BadFile` if it must not listen there (RULES 13)."""
    private = f"an address of a local network, such as {LOOPBACK}"
    try:
        address = ipaddress.ip_address(LOOPBACK if host == "localhost" else host)
    except ValueError:
        raise BadFile("the floor", "host", repr(host), private) from None
    if address.is_loopback:
        return ""
    local = any(address in network for network in LOCAL_NETWORKS)
    if not local and lock and lock.local_network_only:
        raise BadFile("the floor", "host", repr(host), f"{private}: the lock {lock.name} allows no other")
    if not local and not public:
        raise BadFile("the floor", "host", repr(host), f"{private}, or --public to listen to the whole world")
    return f"listening at {host}: every machine that can reach this address can try to connect"
