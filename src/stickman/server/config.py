"""The floor's configuration: a TOML file, and what it comes to once every game, key and lock it names is read."""

from __future__ import annotations

import ipaddress
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from stickman.floor import tickets
from stickman.floor.lock import LOCAL_NETWORKS, Lock, load_lock
from stickman.floor.terminals import TABLE_MAX
from stickman.rules.datafile import BadFile, build, parse_toml
from stickman.rules.game import Game
from stickman.rules.settings import change, load
from stickman.server.limits import Limits
from stickman.server.sounds import Recordings, recordings_in
from stickman.store import has_password, keyfile, read_url
from stickman.store.checkpoints import CheckpointFile
from stickman.store.sealed import JournalKey
from stickman.store.signing import Signer, Verifier

LOOPBACK = "127.0.0.1"


class Tls(Struct, frozen=True, kw_only=True):
    """Certificate and private key as PEM files; both or neither."""

    certificate: str = ""
    key: str = ""


class LockFiles(Struct, frozen=True, kw_only=True):
    """The jurisdiction's lock, and the public keys of which one must have signed it; without a file, no lock."""

    file: str = ""
    keys: tuple[str, ...] = ()


class Checkpoints(Struct, frozen=True, kw_only=True):
    """Where signed checkpoints are written, outside the database; without a file, none are."""

    file: str = ""
    key: str = ""
    """The private key that signs them."""
    every_s: Annotated[int, Meta(ge=1, le=86_400)] = 60


class TableConfig(Struct, frozen=True, kw_only=True):
    """A table: its game when it is opened for the first time. From then on its journal says what it plays."""

    game: str
    name: Annotated[str, Meta(max_length=40)] = ""
    settings: dict[str, Any] = {}
    """What differs from the game, nested as in a game's file."""


class FloorConfig(Struct, frozen=True, kw_only=True):
    """All that is said about a floor."""

    database: str
    """`sqlite:PATH`, `postgresql://…`, or `@FILE`: the URL is in that file."""
    ticket_key: str
    """The file of the key that ticket numbers are made with."""
    ticket_keys_before: tuple[str, ...] = ()
    """Files of earlier ones, whose tickets are still on paper."""
    journal_key: str = ""
    """The file of the key that vouches for the journal's records."""
    tables: dict[str, TableConfig]
    """By number."""
    host: str = LOOPBACK
    """The address to listen at."""
    port: Annotated[int, Meta(ge=0, le=65_535)] = 8_000
    """0: any that is free."""
    hosts: tuple[str, ...] = ()
    """The names and addresses that it answers to, beside the address that it listens at and the machine's own."""
    origins: tuple[str, ...] = ()
    """Where else than here pages may come from: `https://floor.example`."""
    tls: Tls = Tls()
    lock: LockFiles = LockFiles()
    checkpoints: Checkpoints = Checkpoints()
    limits: Limits = Limits()
    sounds: str = ""
    """The folder of the casino's own recordings; without it, the announcements are those of the program."""
    demo: bool = False
    """A demonstration's: it is served with --demo alone, and nothing else is."""


class Laid(NamedTuple):
    """A table as it is set up."""

    name: str
    game: Game


class Plan(NamedTuple):
    """A configuration with everything that it names read and found good."""

    config: FloorConfig
    database: str
    tables: dict[int, Laid]
    ticket_key: bytes
    journal_key: JournalKey
    sounds: Recordings
    """The casino's own."""
    lock: Lock | None = None
    checkpoints: CheckpointFile | None = None
    tls: tuple[Path, Path] | None = None
    """Certificate and key."""
    demo: bool = False
    """Open to be looked at: money is put in on the screens."""
    ticket_keys_before: tuple[bytes, ...] = ()
    despite_clock: bool = False
    """Open although the journal is ahead of the machine's clock."""


def read_config(text: str, file: str) -> FloorConfig:
    """Read a configuration, or say clearly what is wrong with it."""
    return build(FloorConfig, parse_toml(text, file), file)


def plan(config: FloorConfig, folder: Path, file: str) -> Plan:
    """What a configuration comes to; its paths begin in the folder where it lies. `BadFile`, `BadKey` or
    `Untrusted` where something that it names cannot be used."""
    lock = _lock(config.lock, folder, file)
    found = Plan(
        config=config,
        database=database_url(config.database, folder),
        tables=_tables(config.tables, folder, file),
        ticket_key=tickets.read_key(folder / config.ticket_key),
        journal_key=_journal_key(config.journal_key, folder, file),
        lock=lock,
        checkpoints=_checkpoints(config.checkpoints, folder, file),
        ticket_keys_before=tuple(tickets.read_key(folder / each) for each in config.ticket_keys_before),
        tls=_tls(config.tls, folder, file),
        sounds=recordings_in(folder / config.sounds, file) if config.sounds else {},
    )
    for number, (_, game) in found.tables.items():
        if lock and (told := lock.forbids(game)):
            raise BadFile(file, f"tables.{number}", "; ".join(told), f"a game that the lock {lock.name} allows")
    return found


def check_readers(file: Path, config: FloorConfig) -> None:
    """Refuse a configuration that holds a password and that everybody may read."""
    mode = stat.S_IMODE(file.stat().st_mode)
    if mode & stat.S_IROTH and has_password(config.database):
        found = f"mode {mode:04o}: everybody may read the database's password in it"
        raise BadFile(
            str(file), "", found, "mode 0640 or 0600, or the URL in a file of its own (database = '@FILE')"
        )


def _journal_key(path: str, folder: Path, file: str) -> JournalKey:
    if not path:
        made = "the path of a key, which `stickman journal key FILE` makes"
        raise BadFile(file, "journal_key", "nothing", made)
    return JournalKey.of(keyfile.read_key(folder / path))


def _tls(told: Tls, folder: Path, file: str) -> tuple[Path, Path] | None:
    paths = _both(told.certificate, told.key, folder, file, ("tls.certificate", "tls.key"))
    if paths and paths[1].exists():
        keyfile.check_private(paths[1])
    return paths


def database_url(url: str, folder: Path) -> str:
    """The URL of the store; a path begins in the folder too."""
    if url.startswith("@"):
        url = read_url(folder / url[1:])
    scheme, colon, rest = url.partition(":")
    is_path = not colon or "/" in scheme
    return f"sqlite:{folder / (url if is_path else rest)}" if is_path or scheme == "sqlite" else url


def _tables(tables: Mapping[str, TableConfig], folder: Path, file: str) -> dict[int, Laid]:
    if not tables:
        raise BadFile(file, "tables", "no table", "one at least, such as [tables.1]")
    return {_number(key, file): _laid(key, told, folder, file) for key, told in tables.items()}


def _number(key: str, file: str) -> int:
    if not (key.isascii() and key.isdigit() and 1 <= int(key) <= TABLE_MAX and key == str(int(key))):
        raise BadFile(file, f"tables.{key}", repr(key), f"a number from 1 to {TABLE_MAX:,}")
    return int(key)


def _laid(key: str, told: TableConfig, folder: Path, file: str) -> Laid:
    own = folder / told.game
    game = load(str(own) if told.game.endswith(".toml") else told.game)
    changed = build(Game, told.settings, file, base=game, key=f"tables.{key}.settings")
    try:
        change(changed, "name", changed.name)  # changes nothing, but judges all settings together
    except BadFile as problem:
        raise BadFile(file, f"tables.{key}.settings.{problem.key}", problem.found, problem.allowed) from None
    return Laid(told.name or f"Table {key}", changed)


def _lock(told: LockFiles, folder: Path, file: str) -> Lock | None:
    if not told.file and not told.keys:
        return None
    if not told.file or not told.keys:
        raise BadFile(file, "lock", "a file or keys alone", "the lock's file and the public keys that it counts by")
    return load_lock(folder / told.file, Verifier.load(*(folder / key for key in told.keys)))


def _checkpoints(told: Checkpoints, folder: Path, file: str) -> CheckpointFile | None:
    paths = _both(told.file, told.key, folder, file, ("checkpoints.file", "checkpoints.key"))
    return CheckpointFile(paths[0], Signer.load(paths[1])) if paths else None


def _both(one: str, other: str, folder: Path, file: str, keys: tuple[str, str]) -> tuple[Path, Path] | None:
    """Two paths that go together; none where neither is given."""
    if bool(one) != bool(other):
        missing = keys[1] if one else keys[0]
        raise BadFile(file, missing, "nothing", f"a path, for {keys[0] if one else keys[1]} is given")
    return (folder / one, folder / other) if one else None


# --- Where to listen ---


def check_host(host: str, lock: Lock | None, *, public: bool) -> str:
    """What to warn of before listening at an address; `BadFile` where it must not be listened at (RULES 13)."""
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
    return f"listening at {host}: every machine that reaches this address can try to connect"
