"""Prints placards as JSON, for the tests of what the felt prints: Craps with every side game, and Roll to Win."""

import sys

import msgspec

from stickman.floor.placard import placard
from stickman.rules.game import SIDE_GAMES
from stickman.rules.layout import compile as laid
from stickman.rules.settings import change, load

craps = load("craps")
for side_game in SIDE_GAMES:
    craps = change(craps, f"{side_game}.on", "true")
sys.stdout.buffer.write(msgspec.json.encode([placard(laid(craps)), placard(laid(load("roll-to-win")))]))
