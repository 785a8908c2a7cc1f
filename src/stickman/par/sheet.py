"""The par sheet of a game: every bet measured, with extra figures for its kind, and with every other pay table."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from stickman.par.chain import rolls_to_end
from stickman.par.measure import (
    MeasuredResult,
    Measures,
    Win,
    arrivals,
    chains,
    ends,
    ends_as_played,
    measures,
    net,
    odds_behind,
    results,
    wins,
)
from stickman.rules import layout as layouts
from stickman.rules.bets import catalogue
from stickman.rules.datafile import to_text
from stickman.rules.game import Game, paytable_keys, value_of
from stickman.rules.layout import LaidBet, Layout
from stickman.rules.money import NOTHING, pay, upfront_fee
from stickman.rules.paytable import odds_table, odds_tables, pay_tables
from stickman.rules.schema import Progressive, SideSettings
from stickman.rules.settings import change
from stickman.rules.side_games import REGISTRY

RTP_MIN = Fraction(3, 4)
TOP_AWARD_ONE_IN_MAX = 50_000_000
"""The industry's minimum return of a wager at its lowest jackpot."""


class CommissionEdge(Struct, frozen=True, kw_only=True):
    """The edge of a commission bet under one base and one timing."""

    base: str
    when: str
    in_play: bool
    edge_per_stake: Fraction
    edge_per_stake_and_fee: Fraction


class CombinedEdge(Struct, frozen=True, kw_only=True):
    """A flat bet with full odds: expected loss divided by all the money staked."""

    odds: str
    limit: str
    """Whether the policy limits the stake of the odds or their win."""
    in_play: bool
    mean_staked: Fraction
    """Flat bet and odds together, as a multiple of the flat bet."""
    edge_per_unit_staked: Fraction


class PowerReturn(Struct, frozen=True, kw_only=True):
    """What Power Odds does to a bet: the overall return, and the return of a roll on which it shows."""

    groups: str
    rtp_mixed: Fraction
    rtp_never_shown: Fraction
    rtp_low_shown: Fraction
    rtp_high_shown: Fraction
    rtp_shown: Fraction


class ProgressiveReturn(Struct, frozen=True, kw_only=True):
    """The parts of the return of a bet with a meter."""

    meter: str
    base_cents: int
    reset_cents: int
    fixed_rtp: Fraction
    top_award_chance: Fraction
    rtp_at_reset: Fraction
    rtp_per_10000_dollars: Fraction
    break_even_cents: Fraction
    increment: Fraction
    reserve: Fraction
    rtp_long_run: Fraction
    """At reset, plus the contributions, which return to the players."""


class Breakage(Struct, frozen=True, kw_only=True):
    """What rounding keeps at one stake: the mean per bet made."""

    stake_cents: int
    kept_cents: Fraction
    """Of wins rounded down to the payout unit."""
    fee_forgone_cents: Fraction
    """Of upfront fees rounded down to a cent, in the player's favour."""
    edge_per_bet_made: Fraction
    """The edge with both roundings."""


class BetSheet(Struct, frozen=True, kw_only=True):
    bet: str
    title: str
    offered: bool
    """Whether the game offers it with its current settings."""
    paytable: str
    edge_per_bet_made: Fraction
    edge_per_bet_resolved: Fraction
    edge_per_roll: Fraction
    rtp: Fraction
    hit_rate: Fraction
    mean_rolls: Fraction
    variance: Fraction
    source: str
    results: list[MeasuredResult]
    flags: list[str]
    as_played: Measures | None = None
    """If the bet rests on come-out rolls: the same, placed when a point has just been set."""
    commission: list[CommissionEdge] = []
    combined: list[CombinedEdge] = []
    power_odds: PowerReturn | None = None
    progressive: ProgressiveReturn | None = None
    envy_cost: Fraction | None = None
    """What the dealer's envy pays cost the house, per unit staked, one winner at a time."""
    breakage: Breakage | None = None
    rolls: list[Fraction] = []
    """The chance that the bet ends on its first roll, on its second, and so on."""


class Sheet(Struct, frozen=True, kw_only=True):
    game: str
    title: str
    fingerprint: str
    assumptions: list[str]
    bets: list[BetSheet]
    other_paytables: list[BetSheet]
    """The bets with every pay table that the game could have chosen instead."""

    def plain(self) -> dict[str, Any]:
        """Plain values for JSON; fractions as `"p/q"`."""
        found: dict[str, Any] = msgspec.to_builtins(self, enc_hook=to_text)
        return found


ASSUMPTIONS = """\
Each bet is measured from its first roll to the roll that decides it, working on every roll; a push counts as a \
bet made and not as one resolved.
An edge is the player's expected loss divided by the stake: per bet made, per bet resolved (without pushes), per \
roll. Upfront fees are part of the loss and not of the stake.
Exact values take payments before rounding; breakage is shown for a stated stake.
Odds of a line bet are weighted by how often the line gets each point.
Meters are at their reset value. Envy is computed for one winner at a time.""".splitlines()
POWER_ASSUMPTION = "Power Odds: each group shows once in {one_in} rolls, low or high with equal chance."


class SheetRequest(Struct, frozen=True, kw_only=True):
    """What a reader wants on a sheet."""

    bet: str = ""
    stake_cents: int = 0
    """Show breakage for this stake."""
    rolls_max: int = 0
    """Show the chance of ending on each roll up to this one."""


EVERYTHING = SheetRequest()


def sheet(game: Game, request: SheetRequest = EVERYTHING) -> Sheet:
    """The par sheet of a game: its bets, every side game that could be added, every other pay table."""
    layout = full_layout(game)
    offered = {bet.id for bet in catalogue(game) if game.offers(bet)}
    power = [POWER_ASSUMPTION.format(one_in=game.power_odds.one_in)] if game.power_odds.on else []
    return Sheet(
        game=game.name,
        title=game.title,
        fingerprint=game.fingerprint(),
        assumptions=[*ASSUMPTIONS, *power],
        bets=[bet_sheet(layout, bet, request, offered=bet.id in offered) for bet in _wanted(layout, request)],
        other_paytables=[
            bet_sheet(other, bet, request, offered=False)
            for other in _other_layouts(game)
            for bet in _wanted(other, request)
        ],
    )


def _wanted(layout: Layout, request: SheetRequest) -> list[LaidBet]:
    return [bet for bet in layout.bets.values() if request.bet in ("", bet.id)]


def full_layout(game: Game) -> Layout:
    """The game with every side game that could be added to it, but with its own fingerprint."""
    layout = layouts.lay_out(_with_every_side_game(game))
    return dataclasses.replace(layout, fingerprint=game.fingerprint())


def _with_every_side_game(game: Game) -> Game:
    return game.with_sides({name: _whole(name, side) for name, side in game.side_games().items()})


def _whole(name: str, side: SideSettings) -> SideSettings:
    """A side game with all its bets on offer."""
    every = asdict(REGISTRY[name].default).get("bets")
    return replace(side, on=True, **({"bets": every} if every else {}))


def _other_layouts(game: Game) -> Iterator[Layout]:
    """For each other pay table that the game could have chosen: a layout of only the bets it pays."""
    every = _with_every_side_game(game)
    off = {name: replace(side, on=False) for name, side in game.sides.items()}
    bare = replace(game, bets=frozenset()).with_sides(off)
    for kind, key in paytable_keys().items():
        if kind in every.side_games():
            alone = bare.with_sides({kind: every.sides[kind]})
        elif kind in game.bets:
            alone = replace(bare, bets=frozenset({kind}))
        else:
            continue
        for table in pay_tables(kind):
            if table != value_of(game, key):
                yield layouts.lay_out(change(alone, key, f'"{table}"'))


def bet_sheet(layout: Layout, bet: LaidBet, request: SheetRequest, *, offered: bool) -> BetSheet:
    ended = ends(layout, bet)
    found = results(layout, bet, ended.chances)
    measured = measures(found, ended.mean_rolls)
    ways = wins(layout, ended.chances)
    progressive = _progressive(layout, bet, ways)
    return BetSheet(
        bet=bet.id,
        title=bet.title,
        offered=offered,
        paytable=value_of(layout.game, paytable_keys().get(bet.family, "paytable")),
        **msgspec.structs.asdict(measured),
        source=bet.source,
        results=found,
        flags=list(_flags(measured, progressive)),
        as_played=_as_played(layout, bet),
        commission=list(_commission(layout, bet, ways)),
        combined=list(_combined(layout, bet, measured)),
        power_odds=_power(bet, ways, measured),
        progressive=progressive,
        envy_cost=sum((way.chance * way.pay.envy_multiple for way in ways), NOTHING) or None,
        breakage=_breakage(layout, bet, ways, measured, request.stake_cents),
        rolls=_rolls(layout, bet, request.rolls_max),
    )


def _flags(measured: Measures, progressive: ProgressiveReturn | None) -> Iterator[str]:
    if measured.rtp < RTP_MIN:
        yield "returns under 75%"
    if progressive and progressive.top_award_chance * TOP_AWARD_ONE_IN_MAX < 1:
        yield "top award rarer than 1 in 50 million"


def _as_played(layout: Layout, bet: LaidBet) -> Measures | None:
    if not bet.rests_on_come_out:
        return None
    ended = ends_as_played(layout, bet)
    return measures(results(layout, bet, ended.chances), ended.mean_rolls)


def _commission(layout: Layout, bet: LaidBet, ways: list[Win]) -> Iterator[CommissionEdge]:
    """Both bases and both timings. A commission bet has one pay."""
    chosen = layout.game.commission_of(bet.family)
    if not chosen:
        return
    chance = sum((way.chance for way in ways), NOTHING)
    ratio = ways[0].pay.pays.ratio
    without = 1 - chance - chance * ratio
    for base, when in itertools.product(("stake", "win"), ("on_win", "upfront")):
        terms = replace(chosen, base=base, when=when)
        due = terms.of(ratio)
        fee = due if when == "upfront" else NOTHING
        edge = without + (fee or chance * due)
        yield CommissionEdge(
            base=base,
            when=when,
            in_play=terms == chosen,
            edge_per_stake=edge,
            edge_per_stake_and_fee=edge / (1 + fee),
        )


def _combined(layout: Layout, flat: LaidBet, measured: Measures) -> Iterator[CombinedEdge]:
    """The flat bet with full odds under every printed policy and the one in play. True odds add to the stake but
    not to the loss; the cells prove it."""
    reached = arrivals(layout, flat)
    if not reached:
        return
    in_play = layout.game.odds_policy(flat.id)
    behind = {state: odds_behind(layout, state) for state in reached}
    laid = any(odds.ratio < 1 for odds in behind.values())
    policies = dict.fromkeys((*odds_tables(), in_play[0]))
    for name, limit in itertools.product(policies, ("stake", "win") if laid else ("stake",)):
        loss, staked = measured.edge_per_bet_made, Fraction(1)
        for state, chance in reached.items():
            multiple = Fraction(odds_table(name).multiple(layout.states[state].point))
            if limit == "win":
                multiple /= behind[state].ratio
            loss += chance * multiple * behind[state].edge
            staked += chance * multiple
        yield CombinedEdge(
            odds=name,
            limit=limit,
            in_play=(name, limit) == in_play,
            mean_staked=staked,
            edge_per_unit_staked=loss / staked,
        )


def _power(bet: LaidBet, ways: list[Win], measured: Measures) -> PowerReturn | None:
    """The return of a bet if all its groups show the same on the roll that decides it."""
    groups = "".join(sorted({way.pay.group for way in ways}))
    if not groups:
        return None

    def rtp(shown: str) -> Fraction:
        """As measured, but with every win paid as `shown`."""
        better = (way.chance * (net(bet, way.pay, shown) - net(bet, way.pay, way.shown)) for way in ways)
        return measured.rtp + sum(better, NOTHING)

    return PowerReturn(
        groups=groups,
        rtp_mixed=measured.rtp,
        rtp_never_shown=rtp(""),
        rtp_low_shown=rtp("low"),
        rtp_high_shown=rtp("high"),
        rtp_shown=(rtp("low") + rtp("high")) / 2,
    )


def _progressive(layout: Layout, bet: LaidBet, ways: list[Win]) -> ProgressiveReturn | None:
    side = layout.game.sides.get(bet.family)
    if not isinstance(side, Progressive):
        return None
    fixed = sum((way.chance * way.pay.pays.ratio for way in ways if not way.pay.meter), NOTHING)
    [top] = [way for way in ways if way.pay.meter]
    at_reset = fixed + top.chance * top.pay.reset
    increment = Fraction(side.increment_bp, 10_000)
    return ProgressiveReturn(
        meter=top.pay.meter,
        base_cents=side.base_cents,
        reset_cents=int(top.pay.reset * side.base_cents),
        fixed_rtp=fixed,
        top_award_chance=top.chance,
        rtp_at_reset=at_reset,
        rtp_per_10000_dollars=top.chance * 1_000_000 / side.base_cents,
        break_even_cents=(1 - fixed) / top.chance * side.base_cents,
        increment=increment,
        reserve=Fraction(side.reserve_bp, 10_000),
        rtp_long_run=at_reset + increment,
    )


def _breakage(
    layout: Layout, bet: LaidBet, ways: list[Win], measured: Measures, stake_cents: int
) -> Breakage | None:
    """Rounding at a stake. A bet with only one possible stake is measured at that."""
    if not stake_cents:
        return None
    if bet.limits.min_cents == bet.limits.max_cents:
        stake_cents = bet.limits.min_cents
    unit = layout.game.payout_unit_cents
    kept = sum(
        (
            way.chance * pay(stake_cents, way.pay.ratio(way.shown), way.pay.commission, unit).breakage
            for way in ways
            if not way.pay.meter
        ),
        NOTHING,
    )
    forgone = stake_cents * bet.fee - upfront_fee(stake_cents, bet.fee)
    return Breakage(
        stake_cents=stake_cents,
        kept_cents=kept,
        fee_forgone_cents=forgone,
        edge_per_bet_made=measured.edge_per_bet_made + (kept - forgone) / stake_cents,
    )


def _rolls(layout: Layout, bet: LaidBet, rolls_max: int) -> list[Fraction]:
    if not rolls_max:
        return []
    total = [NOTHING] * rolls_max
    for chain, weight in chains(layout, bet):
        total = [t + weight * p for t, p in zip(total, rolls_to_end(chain, rolls_max), strict=True)]
    return total
