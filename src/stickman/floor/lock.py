"""The jurisdiction lock: a signed file that restricts the settings of games, and can only restrict (RULES 13).

It uses the keys of `Game`: it may give any setting fewer choices or a smaller range, in every game or in one. For a
forbidden game it gives a reason for each setting. Two locks together allow what both allow.
"""

from __future__ import annotations

import hashlib
import ipaddress
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct, inspect

from stickman.rules.bets import catalogue, families
from stickman.rules.datafile import BadFile, build, leaves, parse_toml
from stickman.rules.game import Game, value_at, value_of
from stickman.rules.machine import Bet
from stickman.rules.settings import change, load, written
from stickman.rules.side_games import REGISTRY
from stickman.store.signing import Purpose, Signature, Signer, Untrusted, Verifier

T = TypeVar("T")
LOCKS, EXAMPLE_KEY = ("open", "washington"), "example.pub.pem"
"""The examples in the package, and the public key for their signatures."""
EVERY_GAME = ""
FINGERPRINT = "fingerprint"
WHOLE_NUMBERS = range(10**11 + 1)
"""The widest range of any setting."""
LOCAL_NETWORKS = tuple(
    ipaddress.ip_network(network)
    for network in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "::1/128",
        "fc00::/7",
        "fe80::/10",
    )
)
"""Loopback, private use (RFC 1918, 4193) and link-local (RFC 3927, 4291)."""


# --- What is allowed ---


class Bounds(NamedTuple):
    """What a lock allows for one setting; by default everything."""

    values: tuple[object, ...] | None = None
    """The choices; for a setting that is a list, the possible members."""
    span: range = WHOLE_NUMBERS
    needs: tuple[object, ...] = ()
    """For a setting that is a list: the members that it must have."""

    def permits(self, value: object) -> bool:
        """Whether a setting may have this value. `none` is in no range."""
        if isinstance(value, frozenset):
            return value.issuperset(self.needs) and (self.values is None or value.issubset(self.values))
        if self.values is not None and value not in self.values:
            return False
        return self.span == WHOLE_NUMBERS or (isinstance(value, int) and value in self.span)

    def excess(self, value: object) -> str:
        """How a value is not permitted: its forbidden or missing members."""
        if not isinstance(value, frozenset):
            return f"is {written(value)}"
        has = set() if self.values is None else value.difference(self.values)
        return f"has {written(frozenset(has))}" if has else f"is {written(value)}"

    def __and__(self, other: Bounds) -> Bounds:
        """What both allow."""
        values = other.values if self.values is None else self.values
        if self.values is not None and other.values is not None:
            values = tuple(value for value in self.values if value in other.values)
        span = range(max(self.span.start, other.span.start), min(self.span.stop, other.span.stop))
        return Bounds(values, span, tuple(dict.fromkeys(self.needs + other.needs)))

    def __str__(self) -> str:
        return " and ".join(self._words()) or "anything"

    def _words(self) -> Iterator[str]:
        if self.values is not None:
            yield "only " + ", ".join(map(written, self.values)) if self.values else "nothing"
        if self.span != WHOLE_NUMBERS:
            yield self._range()
        if self.needs:
            yield "nothing without " + ", ".join(map(written, self.needs))

    def _range(self) -> str:
        low, high = self.span.start, self.span.stop - 1
        if low > high:
            return "no number"
        if low == WHOLE_NUMBERS.start:
            return f"at most {high:,}"
        return f"at least {low:,}" if self.span.stop == WHOLE_NUMBERS.stop else f"{low:,} to {high:,}"


class Lock(Struct, frozen=True, kw_only=True):
    """What a jurisdiction, an operator, or both together allow."""

    name: str
    digests: tuple[str, ...]
    """The SHA-256 of each of its files, which identify the lock."""
    local_network_only: bool
    bounds: dict[str, dict[str, Bounds]]
    """By game (`EVERY_GAME` for all), by key. The key `name` lists the games that are allowed; `fingerprint` is all
    settings together."""
    banned_bets: frozenset[str]
    """Single bets, by id."""

    def allowed(self, key: str, game: str = EVERY_GAME) -> Bounds:
        """What is allowed for a setting: in every game, or in the one named."""
        everywhere = self.bounds.get(EVERY_GAME, {}).get(key, Bounds())
        return everywhere & self.bounds.get(game, {}).get(key, Bounds())

    def forbids(self, game: Game) -> list[str]:
        """Why this lock forbids a game, a sentence for each reason: the key, its value, and what is allowed."""
        keys = dict.fromkeys(key for name in (EVERY_GAME, game.name) for key in self.bounds.get(name, ()))
        reasons = []
        for key in keys:
            bounds = self.allowed(key, game.name)
            for value, where in _found(game, key).items():
                if not bounds.permits(value):
                    reasons.append(f"{key} {bounds.excess(value)}{where}; {self.name} allows {bounds}")
        banned = [bet.id for bet in _offered(game) if bet.id in self.banned_bets]
        return reasons + [f"{bet} is on offer; {self.name} bans it" for bet in banned]

    def admits(self, address: str) -> bool:
        """Whether a terminal or a screen may connect from this address (RTW and STW, letters of the Washington
        State Gambling Commission: never over the internet). Text that is not an address may not."""
        if not self.local_network_only:
            return True
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        found = getattr(found, "ipv4_mapped", None) or found
        return any(found in network for network in LOCAL_NETWORKS)

    def __and__(self, other: Lock) -> Lock:
        """The lock that allows what both allow."""
        games = dict.fromkeys([*self.bounds, *other.bounds])
        return Lock(
            name=f"{self.name} + {other.name}",
            digests=self.digests + other.digests,
            local_network_only=self.local_network_only or other.local_network_only,
            bounds={game: _both(self.bounds.get(game, {}), other.bounds.get(game, {})) for game in games},
            banned_bets=self.banned_bets | other.banned_bets,
        )


def _both(some: Mapping[str, Bounds], others: Mapping[str, Bounds]) -> dict[str, Bounds]:
    return {key: some.get(key, Bounds()) & others.get(key, Bounds()) for key in dict.fromkeys([*some, *others])}


def _offered(game: Game) -> list[Bet]:
    return [bet for bet in catalogue(game) if game.offers(bet)]


def _found(game: Game, key: str) -> dict[object, str]:
    """The values of a key in a game, each with its place. Limits are checked bet by bet, because a family and a
    single bet may have limits of their own."""
    if key == FINGERPRINT:
        return {game.fingerprint(): ""}
    owner, _, limit = key.rpartition(".")
    if not f".{owner}".endswith(".limits") and not owner.startswith("bet_limits."):
        return {value_of(game, key): ""}
    found: dict[object, list[str]] = {}
    for bet in _offered(game):
        if _limits(owner, bet):
            found.setdefault(getattr(game.limits_of(bet), limit), []).append(bet.id)
    return {value: f" for {', '.join(ids)}" for value, ids in found.items()}


def _limits(owner: str, bet: Bet) -> bool:
    """Whether the limits of a key apply to a bet: those of the game, a side game, a family, or the bet itself. Odds
    follow their own policy unless a lock names them (ruling 15)."""
    if owner == f"bet_limits.{bet.id}":
        return True
    family = f"{bet.family}.limits" if bet.side else "limits"
    return not bet.flat and owner in (family, f"bet_limits.{bet.family}")


# --- The file ---


class Narrowed(Struct, frozen=True, kw_only=True):
    """The restrictions for one game."""

    settings: dict[str, Any] = {}
    fingerprints: frozenset[Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]] | None = None
    """The only versions that are allowed, settings and pay tables together."""


class LockFile(Narrowed, frozen=True, kw_only=True):
    """A lock's file, with the restrictions for every game."""

    name: Annotated[str, Meta(pattern=r"\A[a-z][a-z0-9-]{0,39}\Z")]
    local_network_only: bool = False
    games: dict[str, Narrowed] = {}
    """The only games that are allowed; without this key, all games."""
    ban: frozenset[str] = frozenset()
    """Families of bets, side games, or single bets by id."""


class AllowedSpan(Struct, frozen=True, kw_only=True):
    """A range in the file."""

    min: int | None = None
    max: int | None = None


class Members(Struct, frozen=True, kw_only=True):
    """Rules for a list in the file."""

    among: tuple[Any, ...] | None = None
    needs: tuple[Any, ...] | None = None


def load_lock(path: Path, verifier: Verifier) -> Lock:
    """A lock whose bytes have a valid signature in `FILE.sig`."""
    data = _bytes(path)
    signature = signature_path(path)
    try:
        text = signature.read_bytes().decode("ascii", errors="replace")
    except OSError as problem:
        found = f"a signature that cannot be read ({problem.strerror})"
        raise Untrusted(str(signature), found, "one made by `stickman lock sign`") from None
    verifier.verify(Purpose.LOCK, data, Signature.parse(text.removesuffix("\n"), str(signature)), str(path))
    return read_lock(data, path.name)


def sign_lock(path: Path, signer: Signer) -> Path:
    """Check and sign a lock; returns the path of the signature."""
    data = _bytes(path)
    read_lock(data, path.name)
    signature = signature_path(path)
    signature.write_text(f"{signer.sign(Purpose.LOCK, data)}\n", "ascii")
    return signature


def signature_path(path: Path) -> Path:
    return path.with_name(path.name + ".sig")


def shipped(name: str) -> Path:
    """A file of the folder `locks`."""
    return Path(str(resources.files("stickman") / "locks" / name))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise BadFile(str(path), "", f"a file that cannot be read ({problem.strerror})", "a TOML file") from None


def read_lock(data: bytes, file: str) -> Lock:
    """Read a lock from the bytes of its file, signed or not; `BadFile` names what is wrong."""
    try:
        table = parse_toml(data.decode("utf-8"), file)
    except UnicodeDecodeError as problem:
        raise BadFile(file, "", f"bytes that are not text ({problem})", "a TOML file") from None
    found = build(LockFile, table, file)
    bounds = {EVERY_GAME: _both(_narrowed(found, file, ""), _bans(found.ban, file))}
    if "games" in table:
        names = SettingPlace(file, "games").some(found.games)
        held = Bounds(tuple(SettingPlace(file, f"games.{name}", ("name",)).held(name) for name in names))
        bounds[EVERY_GAME] = _both({"name": held}, bounds[EVERY_GAME])
        bounds |= {name: _narrowed(game, file, f"games.{name}.") for name, game in found.games.items()}
    return Lock(
        name=found.name,
        digests=(hashlib.sha256(data).hexdigest(),),
        local_network_only=found.local_network_only,
        bounds=bounds,
        banned_bets=found.ban - set(families()) - REGISTRY.keys(),
    )


def _narrowed(found: Narrowed, file: str, table: str) -> dict[str, Bounds]:
    bounds = dict(_settings(found.settings, SettingPlace(file, f"{table}settings")))
    if found.fingerprints is not None:
        place = SettingPlace(file, f"{table}fingerprints")
        bounds[FINGERPRINT] = Bounds(place.some(sorted(found.fingerprints)))
    return bounds


def _bans(names: frozenset[str], file: str) -> dict[str, Bounds]:
    """Bans of families and side games, as bounds of the settings that offer them."""
    main = set(families())
    for name in sorted(names - main - REGISTRY.keys() - {bet.id for bet in _every_bet()}):
        known = ", ".join([*sorted(main), *REGISTRY])
        raise BadFile(file, "ban", repr(name), f"{known}, or the id of a bet")
    bounds = {f"{name}.on": Bounds((False,)) for name in REGISTRY if name in names}
    if names & main:
        bounds["bets"] = Bounds(tuple(sorted(main - names)))
    return bounds


class SettingPlace(NamedTuple):
    """The place of a setting in a lock's file."""

    file: str
    table: str
    path: tuple[str, ...] = ()
    """To the setting, name by name, because ids of bets contain dots."""

    @property
    def key(self) -> str:
        return ".".join(self.path)

    def bad(self, found: str, allowed: str) -> BadFile:
        return BadFile(self.file, ".".join((self.table, *self.path)), found, allowed)

    def some(self, choices: Iterable[T]) -> tuple[T, ...]:
        """The choices; there must be at least one."""
        if found := tuple(choices):
            return found
        raise self.bad("an empty choice", "at least one, or no such key")

    def held(self, value: object) -> Any:
        """A value as a game would hold it; a value that no game may have is the game's own error."""
        table: Any = value
        for name in reversed(self.path):
            table = {name: table}
        found: Any = build(Game, table, self.file, base=_any_game(), key=self.table)
        found = value_at(found, self.path)
        if self.key in _texts():
            try:
                typed = json.dumps(sorted(found) if isinstance(found, frozenset) else found)
                found = value_of(change(_any_game(), self.key, typed), self.key)
            except BadFile as problem:
                raise self.bad(problem.found, problem.allowed) from None
        return found


def _settings(table: Mapping[str, Any], at: SettingPlace) -> Iterator[tuple[str, Bounds]]:
    """The bounds in a table, nested as settings are, by dotted key."""
    for name, rule in table.items():
        here = at._replace(path=(*at.path, name))
        if not _is_table(here.path):
            yield here.key, _bounds(rule, here)
        elif isinstance(rule, Mapping):
            yield from _settings(rule, here)
        else:
            raise here.bad(repr(rule), "a table of settings")


def _bounds(rule: object, at: SettingPlace) -> Bounds:
    """The bounds of one setting: choices, a range, or the members of a list."""
    now = _now(at)
    if isinstance(rule, list) and not isinstance(now, frozenset):
        return Bounds(tuple(at.held(choice) for choice in at.some(rule)))
    if isinstance(rule, list):
        rule = {"among": rule}
    if not isinstance(rule, Mapping):
        raise at.bad(repr(rule), "a list of choices, or a range such as { min = 1, max = 5 }")
    return _members(rule, at) if isinstance(now, frozenset) else _span(rule, at)


def _span(rule: Mapping[str, Any], at: SettingPlace) -> Bounds:
    low, high = msgspec.structs.astuple(build(AllowedSpan, rule, at.file, key=f"{at.table}.{at.key}"))
    ends = [at.held(end) for end in at.some(end for end in (low, high) if end is not None)]
    if ends != sorted(ends):
        raise at.bad(f"min {low} over max {high}", "a min of at most max")
    return Bounds(span=range(low or 0, WHOLE_NUMBERS.stop if high is None else high + 1))


def _members(rule: Mapping[str, Any], at: SettingPlace) -> Bounds:
    among, needs = msgspec.structs.astuple(build(Members, rule, at.file, key=f"{at.table}.{at.key}"))
    for members in at.some(members for members in (among, needs) if members is not None):
        at.held(list(at.some(members)))
        if at.key == "leave_out" and not set(members) <= {bet.id for bet in _every_bet()}:
            raise at.bad(repr(list(members)), "ids of bets")
    if among is not None and needs is not None and not set(needs) <= set(among):
        raise at.bad(f"needs = {list(needs)}", "only members that `among` allows")
    return Bounds(among, needs=needs or ())


# --- The settings of games ---


@cache
def _any_game() -> Game:
    return load("craps")


@cache
def _every_bet() -> tuple[Bet, ...]:
    """The bets of all games together."""
    wide = [msgspec.structs.replace(_any_game(), points=points, hops=21) for points in ("six", "ten")]
    return tuple({bet.id: bet for game in wide for bet in catalogue(game)}.values())


def _is_table(path: tuple[str, ...]) -> bool:
    """Whether a path leads to a table of settings; the limits of single bets are two tables deep."""
    start = ".".join(path) + "."
    return (path[0] == "bet_limits" and len(path) < 3) or any(key.startswith(start) for key in _keys())


@cache
def _keys() -> dict[str, object]:
    return {key: value for key, _, value in leaves(_any_game())}


@cache
def _texts() -> frozenset[str]:
    """Settings that are names, such as a pay table or families of bets: only a whole game can check them."""
    kinds = {key: inspect.type_info(kind) for key, kind, _ in leaves(_any_game())}
    bare = {key: kind.type if isinstance(kind, inspect.Metadata) else kind for key, kind in kinds.items()}
    return frozenset(("bets", *(key for key, kind in bare.items() if isinstance(kind, inspect.StrType))))


def _now(at: SettingPlace) -> object:
    """The value of a setting in some game, which shows its kind; a key that no game has is an error."""
    if at.path[0] != "bet_limits":
        return _keys()[at.key] if at.key in _keys() else at.held(None)
    bet = at.path[1]
    if not any(bet in (known.id, known.family) for known in _every_bet()):
        raise at.bad("not a bet", "a family of bets, or the id of a bet")
    return None
