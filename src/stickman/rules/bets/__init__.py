"""The catalogue: every bet, with its machine and its source."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from stickman.rules.bets import line, numbers, odds, one_roll
from stickman.rules.bets.shape import Shape, shape_of
from stickman.rules.dice import SIX_POINTS
from stickman.rules.machine import Bet
from stickman.rules.side_games import REGISTRY

if TYPE_CHECKING:
    from stickman.rules.game import Game

MORE: dict[str, Bet] = {}
"""Main bets from outside the catalogue, by id; `extend.registered` adds to it."""


def catalogue(game: Game) -> tuple[Bet, ...]:
    """Every bet that is possible with the game's points and pay tables, on offer or not, in the order of the
    felt."""
    sides = game.side_games().items()
    return (
        *main_bets(shape_of(game)),
        *(bet for name, side in sides for bet in REGISTRY[name].bets(side, game.pay_table(name))),
        *MORE.values(),
    )


@lru_cache(maxsize=64)
def main_bets(shape: Shape) -> tuple[Bet, ...]:
    return (*line.bets(shape), *odds.bets(shape), *numbers.bets(shape), *one_roll.bets(all_hops=shape.all_hops))


def families(points: tuple[int, ...] = SIX_POINTS) -> tuple[str, ...]:
    """The families of main bets that a game with these points may offer."""
    return tuple(dict.fromkeys(bet.family for bet in (*main_bets(Shape(points)), *MORE.values())))
