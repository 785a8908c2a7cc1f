"""The placard of a table: what its game pays, on what, at what edge and under which limits, for whoever plays it.

Everything is read from the compiled game and its par sheet; the screens' help and rules are drawn from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from stickman.par.sheet import EVERYTHING, BetSheet, bet_sheet
from stickman.rules.diagram import diagram, label
from stickman.rules.dice import ROLLS, TOTALS, Roll
from stickman.rules.game import BonusCraps, Game, HotShooter, LuckyRoller, Progressive, SideGame, meter_name
from stickman.rules.layout import LaidBet, Layout, Pay
from stickman.rules.machine import How
from stickman.rules.money import Pays
from stickman.rules.paytable import odds_table

STAGES_MAX = 12
"""A bet with more states than this collects numbers: its pays say it better."""


class PaysLine(Struct, frozen=True, omit_defaults=True):
    """One thing that a bet pays."""

    pays: str
    """As printed: `9 to 5`, `3 for 1`, or `meter`."""
    rows: tuple[str, ...]
    """The rows of the pay table that print it."""
    on: tuple[str, ...]
    """The rolls that win it: totals, `hard 6`, `easy 6`, or dice. Empty for bets that collect numbers."""
    meter: str = ""
    """The progressive meter that it pays."""
    group: str = ""
    """The Power Odds group that may better it."""
    low: str = ""
    high: str = ""


class Stage(Struct, frozen=True):
    """What the rolls do to a bet that has come so far."""

    name: str
    spot: str
    wins_on: tuple[str, ...]
    loses_on: tuple[str, ...]
    moves_on: tuple[str, ...]


class BetCard(Struct, frozen=True):
    """All that a player may want to know of a bet. Exact values are `p/q`."""

    bet: str
    title: str
    family: str
    side: bool
    one_roll: bool
    pays: tuple[PaysLine, ...]
    stages: tuple[Stage, ...]
    """Empty for bets that collect numbers."""
    edge_per_bet_made: str
    edge_per_roll: str
    hit_rate: str
    mean_rolls: str
    min_cents: int
    max_cents: int
    step_cents: int
    commission: Literal["", "on_win", "upfront"]
    commission_rate: str
    """Of the stake, in `p/q`."""
    off_able: bool
    rests_on_come_out: bool
    paytable: str
    source: str


class SideCard(Struct, frozen=True):
    """What the rules screen posts of a side game as a whole."""

    aggregate_max_cents: int
    """The most that its fixed pays come to beyond the stakes, over all seats; 0: no limit (ruling 36)."""
    aggregate_per: Literal["roll", "hand"]
    when: Literal["after_seven", "any_roll", "hand_start", "come_out"]
    """When it may be placed (ruling 37)."""


class Placard(Struct, frozen=True):
    """A table's game, explained."""

    game: str
    title: str
    fingerprint: str
    bets: dict[str, BetCard]
    spots: dict[str, str]
    """Every spot of the felt, and the bet whose wagers lie there."""
    take_odds: dict[int, int]
    """By point, the most that may back a Pass or Come wager, in flat wagers."""
    lay_odds: dict[int, int]
    power_one_in: int
    """Each Power Odds group shows once in so many rolls; 0: the game has none."""
    side_games: dict[str, SideCard]
    """By side game on offer, the family of its bets."""


@lru_cache(maxsize=32)
def placard(layout: Layout) -> Placard:
    """Explain a game; it takes as long as its par sheet."""
    game = layout.game
    return Placard(
        game.name,
        game.title,
        layout.fingerprint,
        {bet.id: _card(layout, bet) for bet in layout.bets.values()},
        {spot: bet.id for spot, bet in layout.bet_on.items()},
        _multiples(game, game.odds.take),
        _multiples(game, game.odds.lay),
        game.power_odds.one_in if game.power_table() else 0,
        {name: _side(side) for name, side in game.side_games().items() if side.on},
    )


def _side(side: SideGame) -> SideCard:
    when: Literal["after_seven", "any_roll", "hand_start", "come_out"] = "come_out"
    if isinstance(side, LuckyRoller | BonusCraps | Progressive):
        when = side.when
    elif isinstance(side, HotShooter):
        when = "hand_start"
    return SideCard(side.aggregate_max_cents or 0, side.aggregate_per, when)


def _multiples(game: Game, policy: str) -> dict[int, int]:
    table = odds_table(policy)
    return {point: table.multiple(point) for point in game.point_numbers if not table.lacks([point])}


def _card(layout: Layout, bet: LaidBet) -> BetCard:
    measured: BetSheet = bet_sheet(layout, bet, EVERYTHING, offered=True)
    pays = _pays(layout, bet)
    collects = len(bet.states) > STAGES_MAX
    kept = max((pay.commission for pay in pays), default=Fraction(0))
    when: Literal["", "on_win", "upfront"] = "upfront" if bet.fee else "on_win" if kept else ""
    return BetCard(
        bet.id,
        bet.title,
        bet.family,
        bet.side,
        bet.one_roll,
        tuple(_printed(pays, collects=collects)),
        () if collects else tuple(_stages(layout, bet)),
        _exact(measured.edge_per_bet_made),
        _exact(measured.edge_per_roll),
        _exact(measured.hit_rate),
        _exact(measured.mean_rolls),
        bet.limits_shown.min_cents,
        bet.limits_shown.max_cents,
        bet.limits_shown.step_cents,
        when,
        _exact(bet.fee or kept),
        bet.off_able,
        bet.rests_on_come_out,
        measured.paytable,
        bet.source,
    )


def _pays(layout: Layout, bet: LaidBet) -> dict[Pay, set[Roll]]:
    """By what a bet can win, the rolls that win it, the smallest pay first and meters last."""
    found: dict[int, set[Roll]] = {}
    for state in bet.states:
        for how in (How.COME_OUT, How.POINT_ON):
            for roll, number in zip(ROLLS, layout.cells.pay[layout.cells.run(state, how)], strict=True):
                if number:
                    found.setdefault(number, set()).add(roll)
    pays = {layout.pays[number]: rolls for number, rolls in found.items()}
    return dict(sorted(pays.items(), key=lambda each: (each[0].pays.meter, each[0].pays.ratio, min(each[1]))))


def _printed(pays: dict[Pay, set[Roll]], *, collects: bool) -> Iterator[PaysLine]:
    """Pays that read the same, together. On which roll a collection is completed says nothing."""
    alike: dict[PaysLine, list[Pay]] = {}
    for pay in pays:
        low, high = (str(Pays(pay.low)), str(Pays(pay.high))) if pay.group else ("", "")
        alike.setdefault(PaysLine(str(pay.pays), (), (), meter_name(pay.meter), pay.group, low, high), []).append(
            pay
        )
    for line, several in alike.items():
        rolls = set[Roll]().union(*(pays[pay] for pay in several))
        on = () if collects else tuple(_labels(rolls))
        yield replace(line, rows=tuple(pay.slot for pay in several), on=on)


def _labels(rolls: set[Roll]) -> Iterator[str]:
    for total in TOTALS:
        if several := sorted(roll for roll in rolls if roll.total == total):
            yield label(several)


def _stages(layout: Layout, bet: LaidBet) -> Iterator[Stage]:
    drawn = diagram(layout, bet)
    for state in drawn.states:
        effects = list(zip(drawn.columns, state.lines[0].effects, strict=True))
        does = {
            what: tuple(column.label for column, effect in effects if effect.does == what)
            for what in ("wins", "loses", "moves")
        }
        yield Stage(state.name, state.spot, does["wins"], does["loses"], does["moves"])


def _exact(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
