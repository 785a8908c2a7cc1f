"""Prints what screens are sent, as JSON, for the tests of the screens: for each game, as it is and with every side
game that it can have, the first view of a seat."""

import json
import sys

from stickman.rules.game import Game
from stickman.rules.settings import change, load
from stickman.table.frames import plain
from stickman.table.messages import Facts
from stickman.table.session import Session
from stickman.table.view import view

GAMES = ("craps", "crapless", "easy", "roll-to-win", "shoot-to-win")


def with_side_games(game: Game) -> Game:
    for side_game in game.side_games():
        game = change(game, f"{side_game}.on", "true")
    return game


def seat_view(game: Game) -> dict[str, object]:
    session = Session(game)
    session.insert("10000.00")
    return plain(view(session.table, "seat 1", Facts()))


games = [load(name) for name in GAMES]
json.dump([seat_view(game) for game in (*games, *map(with_side_games, games))], sys.stdout)
