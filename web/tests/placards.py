"""Prints placards as JSON, for the tests of what the felt prints: Craps with every side game, and Roll to Win."""

import sys

import msgspec

from stickman.floor.placard import placard
from stickman.rules.layout import lay_out
from stickman.rules.settings import change, load

craps = load("craps")
for side_game in craps.sides:
    craps = change(craps, f"{side_game}.on", "true")
sys.stdout.buffer.write(msgspec.json.encode([placard(lay_out(craps)), placard(lay_out(load("roll-to-win")))]))
