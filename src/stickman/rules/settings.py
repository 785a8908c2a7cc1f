"""The settings of games: listed, read from files, changed one by one, and checked together."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from stickman.rules.bets import catalogue, families
from stickman.rules.datafile import BadFile, allowed, build, choices, leaves, one_of, parse_toml
from stickman.rules.dice import SIX_POINTS
from stickman.rules.game import Game, paytable_keys, value_of
from stickman.rules.machine import Bet
from stickman.rules.paytable import ODDS_ALLOWED, odds_table, odds_text, pay_tables, power_tables
from stickman.rules.schema import OtherLimits

ODDS_KEYS = ("odds.take", "odds.lay")
GAMES = ("craps", "crapless", "easy", "roll-to-win", "shoot-to-win")


class Setting(NamedTuple):
    """One setting of a game, as forms and documentation show it."""

    key: str
    value: object
    allowed: str
    choices: tuple[str, ...]
    """All its possible values, if they are few."""
    help: str


def settings(game: Game) -> Iterator[Setting]:
    """Every setting of a game by its dotted key."""
    for key, kind, value in leaves(game):
        names = _tables(key)
        words = ODDS_ALLOWED if key in ODDS_KEYS else one_of(names) if names else allowed(kind)
        words = _families_allowed() if key == "bets" else words
        yield Setting(key, value, words, names or choices(kind), _help(kind))


def written(value: object) -> str:
    """A setting's value as text for people."""
    match ordered(value):
        case None:
            return "none"
        case bool() as flag:
            return str(flag).lower()
        case list() as several:
            return ", ".join(map(str, several)) or "[]"
        case dict() as table:
            return ", ".join(f"{name}: {written(inner)}" for name, inner in sorted(table.items())) or "{}"
        case OtherLimits() as other:
            limits = msgspec.structs.asdict(other).items()
            return ", ".join(f"{name} {cents}" for name, cents in limits if cents is not None)
        case single:
            return str(single)


def ordered(value: object) -> object:
    """A set as a sorted list, a tuple as a list."""
    return sorted(value) if isinstance(value, frozenset) else list(value) if isinstance(value, tuple) else value


KEEPS_THE_EDGE = ("title", "timers", "history_length", "dice_colour", "announcements", "sound")
"""Settings that never change the house's edge: names, times, display and sound."""


def moves_the_edge(before: Game, after: Game) -> bool:
    """Whether two games differ in a setting that may change the house's edge.

    >>> craps = load("craps")
    >>> moves_the_edge(craps, change(craps, "timers.bets_s", "45"))
    False
    >>> moves_the_edge(craps, change(craps, "power_odds.one_in", "1"))
    True
    """
    same = {name: getattr(before, name) for name in KEEPS_THE_EDGE}
    return msgspec.structs.replace(after, **same) != before


def load(name: str) -> Game:
    """A built-in game by name, or another by the path of its file."""
    if name in GAMES:
        return read((resources.files("stickman") / "games" / f"{name}.toml").read_text("utf-8"), f"{name}.toml")
    path = Path(name)
    if path.suffix != ".toml":
        raise BadFile("game", "", repr(name), ", ".join(GAMES) + ", or the path of a .toml file")
    try:
        return read(path.read_text("utf-8"), path.name)
    except (OSError, UnicodeDecodeError) as problem:
        raise BadFile(path.name, "", f"a file that cannot be read ({problem})", "a TOML file") from None


def read(text: str, file: str) -> Game:
    return _checked(_odds_in_order(build(Game, parse_toml(text, file), file)), file)


def change(game: Game, key: str, text: str) -> Game:
    """The game with one setting changed, from text that a person types.

    >>> change(load("craps"), "odds.take", "20x").odds.take
    '20x'
    """
    try:
        value = tomllib.loads(f"value = {text}", parse_float=str)["value"]
    except tomllib.TOMLDecodeError:
        value = text
    except (ValueError, RecursionError):  # numbers and brackets beyond what Python itself reads
        raise BadFile(game.name, key, f"{text[:40]!r} and so on", "a value as in a game file") from None
    table: Any = value
    for name in reversed(key.split(".")):
        table = {name: table}
    return _checked(_odds_in_order(build(Game, table, game.name, base=game)), game.name)


def _odds_in_order(game: Game) -> Game:
    """Normalize odds policies, so that equal ones give the same fingerprint."""
    texts = {name: odds_text(getattr(game.odds, name)) for name in ("take", "lay")}
    return msgspec.structs.replace(game, odds=msgspec.structs.replace(game.odds, **texts))


def _checked(game: Game, file: str) -> Game:
    """Check what one setting cannot know: names that must exist, choices that exclude each other."""
    for key in (*paytable_keys().values(), "power_odds.chart"):
        names = _tables(key)
        if value_of(game, key) not in names:
            raise BadFile(file, key, repr(value_of(game, key)), one_of(names))
    _check_odds(game, file)
    _check_side_games(game, file)
    if game.bets - set(families()):
        raise BadFile(file, "bets", repr(sorted(game.bets)), _families_allowed())
    laying = sorted(game.bets - set(families(game.point_numbers)))
    if laying:
        raise BadFile(file, "bets", ", ".join(laying), "with points = 'ten' no bet against the dice (IB 1.3)")
    if "seven_out" not in game.rotate_on:
        raise BadFile(file, "rotate_on", repr(sorted(game.rotate_on)), "a list with seven_out")
    if game.table_min_cents > game.total_max_cents:
        raise BadFile(
            file, "table_min_cents", str(game.table_min_cents), f"at most total_max_cents {game.total_max_cents}"
        )
    if game.credit_meter == "total" and game.cash_out != "felt_empty":
        raise BadFile(
            file,
            "credit_meter",
            "total",
            "free, or cash_out = 'felt_empty', because money on the felt is not paid out",
        )
    _check_denominations(game, file)
    _check_bets(game, file)
    return game


def _families_allowed() -> str:
    return f"a list of {one_of(sorted(families()))}"


def _check_side_games(game: Game, file: str) -> None:
    meters = set[str]()
    for name, side in game.progressives().items():
        if side.meter in meters:
            raise BadFile(
                file, f"{name}.meter", repr(side.meter), "a different meter for each progressive (ruling 38)"
            )
        meters.add(side.meter)
    for name in game.sides.keys() - game.side_games().keys():
        if game.sides[name].on:
            raise BadFile(file, f"{name}.on", "true", "false with points = 'ten' (IB 6.1)")


def _check_odds(game: Game, file: str) -> None:
    """An odds policy limits odds at every point of the game (ruling 44)."""
    for key in ODDS_KEYS:
        policy = value_of(game, key)
        try:
            table = odds_table(policy)
        except ValueError:
            raise BadFile(file, key, repr(policy), ODDS_ALLOWED) from None
        points = game.point_numbers if key == "odds.take" else SIX_POINTS
        if lacks := table.lacks(points):
            wanted = f"a multiple for {', '.join(map(str, lacks))} too, or other=3 for the rest"
            raise BadFile(file, key, repr(policy), wanted)


def _check_denominations(game: Game, file: str) -> None:
    """Each is listed once, and every chip is a whole number of cents at each (ruling 47)."""
    first, found = game.denominations[0], written(game.denominations)
    if len(set(game.denominations)) < len(game.denominations):
        raise BadFile(file, "denominations", found, "each denomination once")
    for chip in game.chips_cents:
        for denomination in game.denominations:
            if chip * denomination % first:
                wanted = (
                    f"denominations at which a chip of {chip} cents is whole cents (times {denomination} / {first})"
                )
                raise BadFile(file, "denominations", found, wanted)


def _check_bets(game: Game, file: str) -> None:
    """Bets named in the settings must exist, and each must accept at least one stake."""
    known = catalogue(game)
    ids = sorted(bet.id for bet in known)
    for name in sorted(game.leave_out - set(ids)):
        raise BadFile(file, "leave_out", repr(name), "ids of this game's bets: " + ", ".join(ids))
    families = sorted({bet.family for bet in known})
    for name in sorted(set(game.bet_limits) - set(ids) - set(families)):
        raise BadFile(file, f"bet_limits.{name}", "no bet", ", ".join(families) + ", or the id of a bet")
    for bet in known:
        limits = game.limits_of(bet)
        step = limits.step_cents * bet.parts
        if limits.max_cents // step * step < limits.min_cents:
            found = f"{limits.min_cents} to {limits.max_cents} in steps of {step} for {bet.id}"
            raise BadFile(file, _limits_key(game, bet), found, "limits that leave at least one stake")


def _limits_key(game: Game, bet: Bet) -> str:
    """The setting that decides a bet's limits."""
    for name in (bet.id, bet.family):
        if name in game.bet_limits:
            return f"bet_limits.{name}"
    return f"{bet.family}.limits" if bet.side else "limits"


def _tables(key: str) -> tuple[str, ...]:
    """The names of the tables that a setting chooses from; empty for other settings."""
    if key == "power_odds.chart":
        return tuple(power_tables())
    kinds = [kind for kind, chooser in paytable_keys().items() if chooser == key]
    return tuple(pay_tables(kinds[0])) if kinds else ()


def _help(kind: Any) -> str:
    info = msgspec.inspect.type_info(kind)
    schema = info.extra_json_schema if isinstance(info, msgspec.inspect.Metadata) else None
    return str((schema or {}).get("description", ""))
