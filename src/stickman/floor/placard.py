"""The placard of a table: what its game pays, at what edge and within which limits.

It comes from the compiled game and its par sheet. The help and the rules on the screens are made from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from stickman.par.sheet import EVERYTHING, BetSheet, bet_sheet
from stickman.rules import felt as felts
from stickman.rules.diagram import diagram, label
from stickman.rules.dice import ROLLS, TEN_POINTS, TOTALS, Roll
from stickman.rules.felt import Felt, Hand, Reason, Situation
from stickman.rules.game import Game
from stickman.rules.layout import LaidBet, Layout, Pay, Switch
from stickman.rules.machine import Contract, Decided, How, Stake
from stickman.rules.money import Pays
from stickman.rules.schema import Progressive, meter_name

Window = Literal[
    "", "come_out_only", "point_only", "since_point_only", "needs_flat", "hand_start_only", "after_seven_only"
]
Needs = Literal["needs_line", "needs_main"]
Kind = Literal["number", "hits", "range", "point"]


class PaidFor(Struct, frozen=True, omit_defaults=True):
    """What a row of a pay table pays for."""

    kind: Kind
    """`number`: the number of the bet or of the roll. `hits`: at least this number of hits. `range`: between two
    counts. `point`: this number of hits, and then the point."""
    at_least: int
    at_most: int = 0
    """The end of a range; 0: there is no end."""


class PaysLine(Struct, frozen=True, omit_defaults=True):
    """One thing that a bet pays."""

    pays: str
    """As printed: `9 to 5`, `3 for 1`, or `meter`."""
    rows: tuple[str, ...]
    """The rows of the pay table that print it."""
    paid_for: tuple[PaidFor, ...]
    """What each row pays for; empty if a row has no number in its name."""
    on: tuple[str, ...]
    """The rolls that win it: totals, `hard 6`, `easy 6`, or dice. Empty for bets that collect numbers."""
    meter: str = ""
    """The progressive meter that it pays."""
    group: str = ""
    """The Power Odds group that may raise it."""
    low: str = ""
    high: str = ""


class Stage(Struct, frozen=True):
    """What the rolls do to a bet in one of its states."""

    name: str
    spot: str
    wins_on: tuple[str, ...]
    loses_on: tuple[str, ...]
    moves_on: tuple[str, ...]
    pushes_on: tuple[str, ...]
    """The rolls that neither win nor lose: the stake stays."""


class SideBet(Struct, frozen=True):
    """The facts that only a side bet has."""

    collects: tuple[int, ...]
    """The totals that it waits for, in any order; empty if there are none or the order matters."""
    sequences: tuple[tuple[int, ...], ...]
    """The totals in their order, if the order matters; the first roll chooses between two."""
    again_when_complete: bool
    """It may also be placed after the table has seen its whole set since the last 7 (ruling 22)."""
    winners: Literal["", "in_full", "split"]
    """How several winners of its meter on one roll are paid; empty if it has no meter."""
    qualifying_cents: int
    """The least wager on the main game that it requires; 0: none."""


class BetCard(Struct, frozen=True):
    """The facts about a bet for a player. Exact values are `p/q`."""

    bet: str
    title: str
    family: str
    side: bool
    one_roll: bool
    pays: tuple[PaysLine, ...]
    stages: tuple[Stage, ...]
    """Empty for side bets, which collect numbers."""
    edge_per_bet_made: str
    edge_per_roll: str
    hit_rate: str
    mean_rolls: str
    min_cents: int
    max_cents: int
    step_cents: int
    commission: Literal["", "on_win", "upfront"]
    commission_rate: str
    """Of the stake, as `p/q`."""
    window: Window
    """Why it may not be placed at other times; empty: it may be placed before any roll."""
    needs: tuple[Needs, ...]
    """Other wagers that it requires."""
    excluded_by: tuple[str, ...]
    """The bets that exclude it."""
    contract: Contract
    """`point`: fixed after it has its point. `lower_only`: then it may be reduced or removed, never increased.
    `first_roll`: fixed from its first roll on."""
    stays_up: tuple[str, ...]
    """The winning rolls after which the stake stays on the table."""
    comes_down: tuple[str, ...]
    """The winning rolls after which the stake goes to credit with the win."""
    off_able: bool
    rests_on_come_out: bool
    """It does not work on a come-out roll if it was placed before."""
    starts_off: bool
    """Placed after a seven-out and before the next point, it starts off (ruling 49)."""
    off_comes_on: bool
    """When it is off, it turns on automatically after a point is set or a 7 (IB 3.2)."""
    off_returned: bool
    """When it is off, it is returned when a point is set (IB 3.2)."""
    odds: dict[int, str]
    """By point, the most odds as a multiple of the flat wager, as `p/q`; empty if it has no odds."""
    side_bet: SideBet | None
    paytable: str
    source: str


class SideCard(Struct, frozen=True):
    """What the rules screen shows about a whole side game."""

    aggregate_max_cents: int
    """The most that its fixed pays win over all seats, without the stakes; 0: no limit (ruling 36)."""
    aggregate_per: Literal["roll", "hand"]


class Placard(Struct, frozen=True):
    """A table's game, explained."""

    game: str
    title: str
    fingerprint: str
    bets: dict[str, BetCard]
    spots: dict[str, str]
    """Every spot of the felt, and its bet."""
    rotate_on: tuple[str, ...]
    """When the dice go to the next seat: `seven_out`, in some games also `point_established`."""
    off_released: bool
    """The money of bets that are switched off goes back to credit."""
    win_offers: tuple[Literal["press_by_win", "move"], ...]
    """What a Place win offers."""
    power_one_in: int
    """The chance of each Power Odds group is 1 in this number; 0: the game has none."""
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
        tuple(sorted(game.rotate_on, reverse=True)),
        game.off_money == "released",
        _win_offers(game),
        game.power_odds.one_in if game.power_table() else 0,
        {
            name: SideCard(side.aggregate_max_cents or 0, side.aggregate_per)
            for name, side in game.side_games().items()
            if side.on
        },
    )


def _win_offers(game: Game) -> tuple[Literal["press_by_win", "move"], ...]:
    moves = game.move_after_win != "none"
    return (*(("press_by_win",) if game.press_by_win else ()), *(("move",) if moves else ()))


def _card(layout: Layout, bet: LaidBet) -> BetCard:
    measured: BetSheet = bet_sheet(layout, bet, EVERYTHING, offered=True)
    pays = _pays(layout, bet)
    stays_up, comes_down = _winning(layout, bet)
    window, needs = _asked(layout, bet)
    kept = max((pay.commission for pay in pays), default=Fraction(0))
    when: Literal["", "on_win", "upfront"] = "upfront" if bet.fee else "on_win" if kept else ""
    return BetCard(
        bet.id,
        bet.title,
        bet.family,
        bet.side,
        bet.one_roll,
        tuple(_printed(pays, collects=bet.side)),
        () if bet.side else tuple(_stages(layout, bet)),
        _exact(measured.edge_per_bet_made),
        _exact(measured.edge_per_roll),
        _exact(measured.hit_rate),
        _exact(measured.mean_rolls),
        bet.limits_shown.min_cents,
        bet.limits_shown.max_cents,
        bet.limits_shown.step_cents,
        when,
        _exact(bet.fee or kept),
        window,
        needs,
        tuple(other for other in layout.bets if other in bet.excluded_by),
        bet.contract,
        stays_up,
        comes_down,
        bet.off_able,
        bet.rests_on_come_out,
        _starts_off(layout, bet),
        bet.comes_on,
        bet.off_able and bool(bet.flat) and layout.game.off_odds == "returned",
        _odds(layout, bet),
        _side_bet(layout, bet, window) if bet.side else None,
        measured.paytable,
        bet.source,
    )


def _pays(layout: Layout, bet: LaidBet) -> dict[Pay, set[Roll]]:
    """By pay of a bet, the rolls that win it; the smallest pay first, meters last."""
    found: dict[int, set[Roll]] = {}
    for state in bet.states:
        for how in (How.COME_OUT, How.POINT_ON):
            for roll, cell in zip(ROLLS, layout.row(state, how), strict=True):
                if cell.pay:
                    found.setdefault(cell.pay, set()).add(roll)
    pays = {layout.pays[number]: rolls for number, rolls in found.items()}
    return dict(sorted(pays.items(), key=lambda each: (each[0].pays.meter, each[0].pays.ratio, min(each[1]))))


def _printed(pays: dict[Pay, set[Roll]], *, collects: bool) -> Iterator[PaysLine]:
    """Pays with the same text, grouped. For a bet that collects, the rolls mean nothing."""
    alike: dict[PaysLine, list[Pay]] = {}
    for pay in pays:
        low, high = (str(Pays(pay.low)), str(Pays(pay.high))) if pay.group else ("", "")
        line = PaysLine(str(pay.pays), (), (), (), meter_name(pay.meter), pay.group, low, high)
        alike.setdefault(line, []).append(pay)
    for line, several in alike.items():
        rolls = set[Roll]().union(*(pays[pay] for pay in several))
        on = () if collects else tuple(_labels(rolls))
        rows = tuple(pay.slot for pay in several)
        found = [_paid_for(row, collects=collects) for row in rows]
        paid_for = tuple(one for one in found if one)
        yield replace(line, rows=rows, paid_for=paid_for if len(paid_for) == len(rows) else (), on=on)


NUMBERED = re.compile(r".*\.(\d+)(?:-(\d+)|(\+point)|(\+))?")
"""A pay row that names a number: `field.2`, `hot_shooter.8-15`, `hot_shooter.50+`, `lucky_shooter.5+point`."""


def _paid_for(row: str, *, collects: bool) -> PaidFor | None:
    if not (named := NUMBERED.fullmatch(row)):
        return None
    at_least, at_most, point, more = named.groups()
    kind: Kind = "point" if point else "range" if at_most or more else "hits" if collects else "number"
    return PaidFor(kind, int(at_least), int(at_most or 0))


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
            for what in ("wins", "loses", "moves", "pushes")
        }
        yield Stage(state.name, state.spot, does["wins"], does["loses"], does["moves"], does["pushes"])


def _winning(layout: Layout, bet: LaidBet) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The winning rolls after which the stake stays, and those after which it comes down."""
    stands, returned = set[Roll](), set[Roll]()
    for state in () if bet.side else bet.states:
        for cell, roll in zip(layout.row(state, How.COME_OUT), ROLLS, strict=True):
            if cell.decided is Decided.WIN:
                (stands if cell.stake is Stake.STANDS else returned).add(roll)
    return tuple(_labels(stands)), tuple(_labels(returned))


# --- What the felt allows ---

MOMENTS = (
    Hand(last_total=7),
    Hand(6, 1, since_point=True, last_total=6, seen=frozenset((6,))),
    Hand(0, 2, since_point=True, last_total=6, seen=frozenset((6,))),
)
"""A new hand, a point just set, a point made."""
COMPLETE = Hand(0, 30, since_point=True, last_total=6, seen=frozenset(TEN_POINTS))
WINDOWS: tuple[Window, ...] = get_args(Window)[1:]
NEEDS: tuple[Needs, ...] = get_args(Needs)


def _why_not(layout: Layout, bet: LaidBet, hand: Hand) -> str:
    place = felts.offer(Situation(layout, hand, Felt()), bet.id).place
    return str(place.value) if isinstance(place, Reason) else ""


def _asked(layout: Layout, bet: LaidBet) -> tuple[Window, tuple[Needs, ...]]:
    """When a bet may be placed, and what it needs: the answers of an empty felt at different moments."""
    reasons = {_why_not(layout, bet, hand) for hand in MOMENTS}
    window: Window = next((name for name in WINDOWS if name in reasons), "")
    return window, tuple(name for name in NEEDS if name in reasons)


def _starts_off(layout: Layout, bet: LaidBet) -> bool:
    after = Hand(last_total=7, rests=layout.game.after_seven_out == "off")
    placed = felts.place(Situation(layout, after, Felt()), bet.id, bet.limits.min_cents * bet.parts)
    return isinstance(placed, Felt) and placed.wagers[bet.id].switch is Switch.OFF


def _odds(layout: Layout, bet: LaidBet) -> dict[int, str]:
    """The most odds behind a flat wager at each point, whether the policy limits their stake or their win."""
    behind = {state: odds for state, odds in layout.odds_of.items() if state in bet.states}
    found = {}
    for state, odds in behind.items():
        flat_cents = 60 * layout.bet_at[odds].limits.step_cents
        most = felts.odds_max(layout, layout.bet_at[odds], state, flat_cents)
        found[layout.states[state].point] = _exact(Fraction(most, flat_cents))
    return found


def _side_bet(layout: Layout, bet: LaidBet, window: Window) -> SideBet:
    side = layout.game.sides[bet.family]
    complete = window == "after_seven_only" and _why_not(layout, bet, COMPLETE) != window
    winners = side.winners if isinstance(side, Progressive) else ""
    return SideBet(bet.collects, bet.sequences, complete, winners, bet.needs_main_cents)


def _exact(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
