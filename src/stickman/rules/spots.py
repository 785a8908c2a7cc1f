"""The felt as it is drawn: every spot that can hold a wager, and what a screen must know to draw it."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import asdict

from stickman.rules.layout import LaidState, Layout
from stickman.rules.machine import Drawn
from stickman.rules.side_games import REGISTRY


class FeltSpot(Drawn, frozen=True, kw_only=True):
    """A spot of the felt. It never changes while a game is played."""

    spot: str
    bet: str
    """The bet whose wagers it holds."""
    title: str
    number: int = 0
    game: str = ""
    game_title: str = ""
    collects: tuple[int, ...] = ()
    """The totals to show as waiting."""
    ordered: bool = False
    """It waits for totals in a certain order."""
    climbs: bool = False
    """It pays by how far it gets: a ladder is drawn."""
    counts_rolls: bool = False
    """Its progress is the roll count of the table."""
    own_point: bool = False
    """One of its totals becomes its point."""
    odds_of: str = ""
    """The spot of the flat wager that these odds back."""


@lru_cache(maxsize=64)
def spots(layout: Layout) -> tuple[FeltSpot, ...]:
    """The spots of a game, sorted by the order of their bets."""
    first: dict[str, LaidState] = {}
    for state in layout.states.values():
        first.setdefault(state.spot, state)
    return tuple(_spot(layout, state) for state in sorted(first.values(), key=lambda s: layout.bets[s.bet].order))


def _spot(layout: Layout, state: LaidState) -> FeltSpot:
    bet = layout.bets[state.bet]
    travelled = state.spot != bet.id
    number = state.point if travelled else bet.number
    backed = layout.flat_of.get(state.key)
    return FeltSpot(
        spot=state.spot,
        bet=bet.id,
        title=f"{bet.title} {number}" if travelled else bet.title,
        number=number,
        game=bet.family if bet.side else "",
        game_title=REGISTRY[bet.family].title if bet.side else "",
        collects=bet.collects,
        ordered=bool(bet.sequences),
        climbs=bet.climbs,
        counts_rolls=bet.counts_rolls,
        own_point=bet.side and any(layout.states[each].point for each in bet.states),
        odds_of="" if backed is None else layout.states[backed].spot,
        **asdict(state.drawn or bet.drawn),
    )
