"""The felt as it is drawn: every spot where a wager may lie, and what a screen must know to draw it."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from stickman.rules.layout import LaidBet, LaidState, Layout
from stickman.rules.side_games import REGISTRY


class FeltSpot(Struct, frozen=True, omit_defaults=True):
    """A spot of the felt. It never changes while a game is played."""

    spot: str
    bet: str
    """The bet whose wagers lie there."""
    zone: str
    """Where on the felt; a screen draws a zone that it does not know in its side panel."""
    word: str
    """The key of its label; a screen without that word prints the title. Empty: no label."""
    title: str
    number: int = 0
    dice: tuple[int, ...] = ()
    """The pair that is printed on it."""
    tone: str = ""
    game: str = ""
    """The side game that it belongs to."""
    game_title: str = ""
    collects: tuple[int, ...] = ()
    """The totals that are shown as waited for."""
    ordered: bool = False
    """It waits for totals in an order."""
    climbs: bool = False
    """It pays by how far it gets: a ladder is drawn."""
    counts_rolls: bool = False
    """How far it gets is the roll count of the table."""
    own_point: bool = False
    """It takes a point among its totals."""
    odds_of: str = ""
    """The spot of the flat wager that these odds back."""
    flashes_puck: bool = False
    """The puck flashes when it is refused because no 7 was rolled."""
    role: str = ""
    """`line`: the first bet of a beginner."""
    easy: bool = False
    """Beginners see it."""
    beginner: int = 0
    """Its place in the list beside the beginner's felt; 0: not in it."""


@lru_cache(maxsize=64)
def spots(layout: Layout) -> tuple[FeltSpot, ...]:
    """The spots of a game: as the bets order them, then as in the catalogue."""
    first: dict[str, int] = {}
    for number, state in enumerate(layout.states):
        first.setdefault(state.spot, number)
    listed = sorted(first.values(), key=lambda number: layout.bet_at[number].drawn.order)
    return tuple(_spot(layout, layout.bet_at[number], layout.states[number]) for number in listed)


def _spot(layout: Layout, bet: LaidBet, state: LaidState) -> FeltSpot:
    travelled = state.spot != bet.id
    drawn = state.drawn or bet.drawn
    number = state.point if travelled else bet.number
    backed = layout.flat_of.get(bet.states[0])
    return FeltSpot(
        spot=state.spot,
        bet=bet.id,
        zone=drawn.zone,
        word=drawn.word,
        title=f"{bet.title} {number}" if travelled else bet.title,
        number=number,
        dice=drawn.dice,
        tone=drawn.tone,
        game=bet.family if bet.side else "",
        game_title=REGISTRY[bet.family].title if bet.side else "",
        collects=() if travelled else bet.collects,
        ordered=bool(bet.sequences),
        climbs=bet.climbs,
        counts_rolls=bet.counts_rolls,
        own_point=bet.side and any(layout.states[each].point for each in bet.states),
        odds_of="" if backed is None else layout.states[backed].spot,
        flashes_puck=drawn.flashes_puck,
        role=drawn.role,
        easy=drawn.easy,
        beginner=drawn.beginner,
    )
