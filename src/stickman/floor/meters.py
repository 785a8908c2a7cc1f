"""Progressive meters that tables share (RULES 9): what they read, over all tables that feed and win them.

Each table books its own share of a meter's account, so that no table waits for another to feed it; the meter reads
the sum. Who wins it claims that hit by its number: of two tables that win at once, the one that commits later finds
the claim taken, reads the meter anew, and pays what it reads then (ruling 23).
"""

from __future__ import annotations

from stickman.rules.game import PROGRESSIVES, Game
from stickman.store.store import Store
from stickman.table.messages import Reading


def played(game: Game) -> dict[str, str]:
    """The meters of a game's progressives: by name, the side game."""
    return {game.progressive(side).meter: side for side in PROGRESSIVES if game.progressive(side).on}


async def read(store: Store, meter: str) -> Reading:
    """What a meter holds and how often it has been hit."""
    cents = sum((await store.shared(f"progressive:{meter}")).values())
    return Reading(cents, len([hit async for hit in store.claims(f"jackpot:{meter}:")]))


async def shown(store: Store, game: Game) -> dict[str, Reading]:
    """What the meters of a game read at its table. What tables that feed a meter at once bring beyond its cap is
    kept for the next jackpot."""
    readings = {}
    for meter, side in played(game).items():
        cents, hits = await read(store, meter)
        cap = game.progressive(side).cap_cents
        readings[meter] = Reading(cents if cap is None else min(cents, cap), hits)
    return readings
