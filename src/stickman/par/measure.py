"""Measures one bet: every way it may end, and from these its edge, return, hit rate, length and variance."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from stickman.par.chain import Chain, Ending, Node, Walk, explore, solve
from stickman.rules.cells import Cells
from stickman.rules.layout import LaidBet, Layout, Pay, Switch, puck, working
from stickman.rules.machine import Decided, How, Stake
from stickman.rules.money import NOTHING

ONE = Fraction(1)


class MeasuredResult(Struct, frozen=True, kw_only=True):
    result: str
    pays: str
    """As printed; empty if nothing is paid."""
    shown: str
    """`low` or `high` if Power Odds improved the pay."""
    net: Fraction
    """The player's net win per unit staked, after commission and fee."""
    chance: Fraction
    source: str


class Measures(Struct, frozen=True, kw_only=True):
    """What a bet costs and how it behaves. An edge is the player's expected loss per bet made, per bet
    resolved or per roll, in parts of the stake."""

    edge_per_bet_made: Fraction
    edge_per_bet_resolved: Fraction
    edge_per_roll: Fraction
    rtp: Fraction
    hit_rate: Fraction
    mean_rolls: Fraction
    variance: Fraction
    """Of the net result of a bet made, per unit staked squared."""


class Ends(Struct, frozen=True):
    """How a bet ends, from its cells: the chance of each ending, and the mean number of rolls."""

    chances: dict[Ending, Fraction]
    mean_rolls: Fraction


def starts(layout: Layout, bet: LaidBet) -> dict[str, Fraction]:
    """The states in which a fresh wager may start, with their chances. Odds start at the point of their flat
    bet."""
    if not bet.flat:  # these are not odds
        return {bet.starts[0]: ONE}
    reached = {state: p for state, p in arrivals(layout, layout.bets[bet.flat]).items() if state in bet.states}
    return {state: p / sum(reached.values()) for state, p in reached.items()}


def arrivals(layout: Layout, flat: LaidBet) -> dict[str, Fraction]:
    """By state of the odds behind a flat bet: the chance that the flat bet gets its point there."""
    odds_at = {layout.states[key].number: odds for key, odds in layout.odds_of.items() if key in flat.states}
    if not odds_at:
        return {}
    first = layout.states[flat.starts[0]].number
    chain = explore(Node(first), Walk(layout.cells, always_working, stop_at=frozenset(odds_at)))
    endings = solve(chain).endings
    return {odds_at[e.stopped_at]: p for e, p in endings.items() if e.decided is Decided.NOTHING}


class OddsBehind(NamedTuple):
    """Odds in one state: what they pay and their own edge."""

    ratio: Fraction
    edge: Fraction


def odds_behind(layout: Layout, state: str) -> OddsBehind:
    bet = layout.bet_at[state]
    ended = solve(_always_working_chain(layout.cells, layout.states[state].number, ()))
    edge = measures(results(layout, bet, ended.endings), ended.mean_rolls).edge_per_bet_made
    [way] = wins(layout, ended.endings)
    return OddsBehind(way.pay.pays.ratio, edge)


def always_working(node: Node) -> How:
    return How.POINT_ON if node.puck else How.COME_OUT


@lru_cache(maxsize=8192)
def _always_working_chain(cells: Cells, start: int, points: tuple[int, ...]) -> Chain:
    """Cached: games that differ only in their pay tables share their cells. `points` is empty
    unless the bet reads the puck."""
    return explore(Node(start), Walk(cells, always_working, puck(points) if points else None))


def chains(layout: Layout, bet: LaidBet) -> list[tuple[Chain, Fraction]]:
    """The chains of a bet that always works, one for each start; with the puck if the bet reads it."""
    points = layout.game.point_numbers if bet.reads_puck else ()
    return [
        (_always_working_chain(layout.cells, layout.states[start].number, points), weight)
        for start, weight in starts(layout, bet).items()
    ]


def ends(layout: Layout, bet: LaidBet) -> Ends:
    """How the bet ends if it always works."""
    return _mixed(chains(layout, bet))


def ends_as_played(layout: Layout, bet: LaidBet) -> Ends:
    """How the bet ends if it rests on come-out rolls and is placed when a point has just been set."""

    def how(node: Node) -> How:
        return working(bet, switch=Switch.UNTOUCHED, puck=node.puck, lain_before=True)

    walk = Walk(layout.cells, how, layout.puck_next)
    points = Counter(at for at in layout.puck_next[0] if at)
    return _mixed(
        (explore(Node(layout.states[start].number, at), walk), weight * Fraction(count, points.total()))
        for start, weight in starts(layout, bet).items()
        for at, count in points.items()
    )


def _mixed(weighted: Iterable[tuple[Chain, Fraction]]) -> Ends:
    chances: dict[Ending, Fraction] = defaultdict(Fraction)
    mean_rolls = NOTHING
    for chain, weight in weighted:
        solution = solve(chain)
        mean_rolls += weight * solution.mean_rolls
        for ending, chance in solution.endings.items():
            chances[ending] += weight * chance
    return Ends(dict(chances), mean_rolls)


class Win(Struct, frozen=True):
    """A way to win: the pay, what Power Odds shows for it, and the chance of both."""

    pay: Pay
    shown: str
    chance: Fraction

    @property
    def source(self) -> str:
        return self.pay.power_source if self.shown else self.pay.source


def wins(layout: Layout, chances: Mapping[Ending, Fraction]) -> list[Win]:
    """Every way to win, once for each pay that Power Odds may show; low and high are equally likely (RULES 16)."""
    by_slot = dict(zip(layout.cells.slots, layout.pays, strict=True))
    found = []
    for ending, chance in chances.items():
        if ending.decided is Decided.WIN:
            pay = by_slot[ending.slot]
            better = Fraction(1, layout.game.power_odds.one_in) if pay.group else NOTHING
            shares = {"": 1 - better, "low": better / 2, "high": better / 2}
            found += [Win(pay, shown, chance * share) for shown, share in shares.items() if share]
    return found


def net(bet: LaidBet, pay: Pay, shown: str = "") -> Fraction:
    """A winner's net win per unit staked, with meters at their reset value."""
    return pay.ratio(shown) + pay.reset - pay.commission - (1 if pay.pays.for_one else 0) - bet.fee


def results(layout: Layout, bet: LaidBet, chances: Mapping[Ending, Fraction]) -> list[MeasuredResult]:
    """Every way the bet may end in money, best first; equal pays are merged."""
    merged: dict[tuple[str, str, str, Fraction], tuple[Fraction, set[str]]] = {}

    def add(key: tuple[str, str, str, Fraction], chance: Fraction, source: str) -> None:
        total, sources = merged.get(key, (NOTHING, set()))
        merged[key] = total + chance, sources | {source}

    for win in wins(layout, chances):
        pays = str(replace(win.pay.pays, ratio=win.pay.ratio(win.shown)))
        add(("win", pays, win.shown, net(bet, win.pay, win.shown)), win.chance, win.source)
    for ending, chance in chances.items():
        if ending.decided is not Decided.WIN:
            lost = 1 if ending.stake is Stake.TAKEN else 0
            add((ending.decided.name.lower(), "", "", -lost - bet.fee), chance, bet.source)
    return [
        MeasuredResult(
            result=result, pays=pays, shown=shown, net=ahead, chance=chance, source="; ".join(sorted(sources))
        )
        for (result, pays, shown, ahead), (chance, sources) in sorted(
            merged.items(), key=lambda item: (-item[0][3], item[0][:3])
        )
    ]


def measures(found: Iterable[MeasuredResult], mean_rolls: Fraction) -> Measures:
    found = list(found)
    mean = sum((r.chance * r.net for r in found), NOTHING)
    square = sum((r.chance * r.net**2 for r in found), NOTHING)
    pushed = sum((r.chance for r in found if r.result == "push"), NOTHING)
    return Measures(
        edge_per_bet_made=-mean,
        edge_per_bet_resolved=-mean / (1 - pushed),
        edge_per_roll=-mean / mean_rolls,
        rtp=1 + mean,
        hit_rate=sum((r.chance for r in found if r.result == "win"), NOTHING),
        mean_rolls=mean_rolls,
        variance=square - mean**2,
    )
