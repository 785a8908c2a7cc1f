"""Games as tests name them, with what is changed in them: `"craps", "big_small=single_roll"`. Each is made once."""

from fractions import Fraction
from functools import cache

from stickman.par.sheet import BetSheet, SheetRequest, full_layout, sheet
from stickman.rules import layout as layouts
from stickman.rules import settings as games
from stickman.rules.game import Game
from stickman.rules.layout import Layout

IB_GAMES = ["craps", "crapless", "easy"]
LED_GAMES = ["roll-to-win", "shoot-to-win"]
FIVE_GAMES = [*IB_GAMES, *LED_GAMES]
COME_GAMES = ["craps", "crapless", *LED_GAMES]
DONT_GAMES = ["craps", *LED_GAMES]
SIX_POINTS = [4, 5, 6, 8, 9, 10]
TEN_POINTS = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]


def points(name: str) -> list[int]:
    return TEN_POINTS if name in ("crapless", "easy") else SIX_POINTS


def side_games(*names: str) -> list[str]:
    """The changes that add side games."""
    return [f"{name}.on=true" for name in names]


@cache
def game(name: str, *changes: str) -> Game:
    """A built-in game, with settings changed as `key=value`."""
    found = games.load(name)
    for change in changes:
        key, _, value = change.partition("=")
        found = games.change(found, key, value)
    return found


@cache
def laid(name: str, *changes: str) -> Layout:
    return layouts.lay_out(game(name, *changes))


@cache
def full(name: str, *changes: str) -> Layout:
    """A game laid out with every side game on."""
    return full_layout(game(name, *changes))


@cache
def par_tables(bet: str, name: str, *changes: str) -> dict[str, BetSheet]:
    """The par sheet of one bet by pay table: the one in play and every other it could have."""
    found = sheet(game(name, *changes), SheetRequest(bet=bet))
    return {one.paytable: one for one in (*found.bets, *found.other_paytables)}


@cache
def par(bet: str, name: str, *changes: str) -> BetSheet:
    """The par sheet of one bet as the game pays it."""
    [found] = sheet(game(name, *changes), SheetRequest(bet=bet)).bets
    return found


def rounded(value: Fraction, places: int = 2) -> str:
    """A share as printed in the rules: `91.25%`."""
    scaled = round(value * 100 * 10**places)
    whole, rest = divmod(scaled, 10**places)
    return f"{whole}.{rest:0{places}}%"
