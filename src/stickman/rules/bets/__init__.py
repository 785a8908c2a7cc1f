"""The catalogue: every bet, a family to a screen, each machine with the rule it comes from."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from stickman.rules.bets import line, numbers, odds, one_roll, progressive, sets, shape, shooter
from stickman.rules.machine import Bet

if TYPE_CHECKING:
    from stickman.rules.game import Game


class Shape(NamedTuple):
    """All of a game that the machines depend on."""

    main: shape.Shape
    hot_shooter_rows: tuple[str, ...]
    lucky_shooter_rows: tuple[str, ...]
    make_em_all_rows: tuple[str, ...]
    sequences: tuple[tuple[int, ...], ...]


def catalogue(game: Game) -> tuple[Bet, ...]:
    """Every bet that makes sense with the game's points and pay tables, in the order of the felt, whether on
    offer or not."""
    return _built(
        Shape(
            shape.shape_of(game),
            tuple(game.pay_table("hot_shooter").rows),
            tuple(game.pay_table("lucky_shooter").rows),
            tuple(game.pay_table("make_em_all").rows),
            game.pay_table("fired_up").sequences,
        )
    )


@lru_cache(maxsize=64)
def _built(built: Shape) -> tuple[Bet, ...]:
    """The catalogue of a shape, built once."""
    lucky_shooter = [shooter.lucky_shooter(min(map(_leading, built.lucky_shooter_rows)))]
    return (
        *line.bets(built.main),
        *odds.bets(built.main),
        *numbers.bets(built.main),
        *one_roll.bets(all_hops=built.main.all_hops),
        *sets.lucky_roller(),
        *sets.bonus_craps(),
        shooter.hot_shooter({_leading(row): row for row in built.hot_shooter_rows}),
        *(lucky_shooter if built.main.has_dont else ()),
        progressive.make_em_all(min(map(_leading, built.make_em_all_rows))),
        progressive.fired_up(built.sequences),
    )


def _leading(row: str) -> int:
    """The number that a pay row's name begins with: `8-15`, `50+`, `5+point`."""
    return int(re.findall(r"\d+", row)[0])
