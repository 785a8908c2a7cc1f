"""The settings that shape the main bets."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from stickman.rules.dice import SIX_POINTS

if TYPE_CHECKING:
    from stickman.rules.game import Game


class Shape(NamedTuple):
    points: tuple[int, ...]
    all_hops: bool = False
    big_small_once: bool = False
    big_either: bool = False
    big_6_8_off: bool = False
    come_since_point: bool = False
    dont_pass_locked: bool = False
    excludes_any_number: bool = False
    rests: bool = False
    lay_comes_on: bool = False

    @property
    def has_dont(self) -> bool:
        """Bets against the dice need the six points (IB 1.3)."""
        return self.points == SIX_POINTS


def shape_of(game: Game) -> Shape:
    return Shape(
        points=game.point_numbers,
        all_hops=game.hops == 21,
        big_small_once=game.big_small == "single_roll",
        big_either=game.big_pair == "either",
        big_6_8_off=game.big_6_8_off,
        come_since_point=game.come_when == "since_point",
        dont_pass_locked=game.dont_pass_after_point == "locked",
        excludes_any_number=game.place_excludes_lay == "any_number",
        rests=game.come_out == "off",
        lay_comes_on=game.off_lay == "comes_on",
    )
