"""Prints, as JSON, every name that the rules give: of bets, their spots and families, and side games."""

import json
import sys

from stickman.rules.bets import catalogue
from stickman.rules.layout import lay_out
from stickman.rules.settings import load

GAMES = ("craps", "crapless", "easy", "roll-to-win", "shoot-to-win")

names: set[str] = set()
for game in map(load, GAMES):
    names.update(lay_out(game).bet_on, game.side_games())
    names.update(name for bet in catalogue(game) for name in (bet.id, bet.family))
json.dump(sorted(names), sys.stdout)
