"""The side games: one module each, and the registry that lists them."""

from __future__ import annotations

from stickman.rules.side_games import bonus_craps, fired_up, hot_shooter, lucky_roller, lucky_shooter, make_em_all
from stickman.rules.side_games.kind import SideGame

MODULES = (lucky_roller, bonus_craps, hot_shooter, lucky_shooter, make_em_all, fired_up)
REGISTRY: dict[str, SideGame] = {module.GAME.name: module.GAME for module in MODULES}
"""By name, in the order of the catalogue. `extend.registered` adds to it."""
