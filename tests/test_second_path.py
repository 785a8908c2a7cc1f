"""The engine against an independent play-out of every bet (`tests/naive.py`), which shares no code with it: every
bet, every state, off and working, puck off and on, all 36 rolls; then every exact measure of the par sheets."""

from collections.abc import Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from stickman.par.sheet import BetSheet, SheetRequest, full_layout, sheet
from stickman.rules.dice import ROLLS
from stickman.rules.layout import LaidBet, Layout
from stickman.rules.machine import How
from stickman.rules.settings import GAMES, change, load
from tests import naive
from tests.naive import Choices, Played
from tests.talk.parameters import some

BUILT_IN = {
    "craps": Choices(commission_when="upfront"),
    "crapless": Choices(ten_points=True, commission_when="upfront"),
    "easy": Choices(ten_points=True, commission_when="upfront"),
    "roll-to-win": Choices(stay_up=True),
    "shoot-to-win": Choices(stay_up=True),
}
SEEDS = {  # in dollars for a $1 wager (RULES 16)
    **dict.fromkeys(["MEA-01", "MEA-02", "MEA-03", "MEA-04", "MEA-05", "MEA-06"], 25_000),
    **dict.fromkeys(["FUP-01", "FUP-02"], 60_000),
    **dict.fromkeys(["FUP-03", "FUP-04", "FUP-05"], 25_000),
    "FUP-06": 120_000,
}
OTHER_CHOICES = [
    ("field", "EL602", "field", "field"),
    ("big_small", "single_roll", "big_small", "big small"),
    ("lucky_roller.paytable", "92%", "lucky_roller", "lucky_roller.low lucky_roller.high lucky_roller.all"),
    *(
        ("bonus_craps.paytable", f"BC-0{n}", "bonus_craps", "bonus.small bonus.tall bonus.all")
        for n in (3, 5, 6, 7, 8, 9)
    ),
    ("hot_shooter.paytable", "HSJ-51", "hot_shooter", "hot_shooter"),
    *(("make_em_all.paytable", f"MEA-0{n}", "make_em_all", "make_em_all") for n in range(2, 7)),
    *(("fired_up.paytable", f"FUP-0{n}", "fired_up", "fired_up") for n in range(2, 7)),
    ("buy.base", "win", "buy_base", "buy.4 buy.5 buy.6 buy.8 buy.9 buy.10"),
    ("lay.base", "stake", "lay_base", "lay.4 lay.5 lay.6 lay.8 lay.9 lay.10"),
]


def chosen(choices: Choices, choice: str, value: Any) -> Choices:
    return replace(choices, **{choice: value})


def test_the_second_path_knows_every_bet_of_the_five_games() -> None:
    assert set(BUILT_IN) == set(GAMES)
    for name, choices in BUILT_IN.items():
        bets = {state.spot for state in full_layout(load(name)).states.values()}
        known = {bet.split("@")[0] for bet in naive.bet_ids(choices)}
        assert bets <= known


@pytest.mark.parametrize("name", some(GAMES, "craps", "crapless", "roll-to-win"))
def test_every_cell_of_every_bet_agrees(name: str) -> None:
    layout = full_layout(load(name))
    for bet in layout.bets.values():
        compare_cells(layout, bet, BUILT_IN[name])


def in_two_games() -> Iterator[Any]:
    """Each choice in two games, by turns one of them in CI; `make soak` tries the other."""
    for n, choice in enumerate(OTHER_CHOICES):
        games = ("craps", "shoot-to-win") if n % 2 else ("shoot-to-win", "craps")
        yield (games[0], *choice)
        yield pytest.param(games[1], *choice, marks=pytest.mark.long)


@pytest.mark.parametrize(("name", "key", "value", "choice", "bets"), list(in_two_games()))
def test_every_cell_agrees_under_the_other_choices(name: str, key: str, value: str, choice: str, bets: str) -> None:
    layout = full_layout(change(load(name), key, f'"{value}"'))
    for bet in bets.split():
        if bet in layout.bets:
            compare_cells(layout, layout.bets[bet], chosen(BUILT_IN[name], choice, value))


@pytest.mark.parametrize("draw", ["low", "high"])
@pytest.mark.parametrize("group", "ABCDEFG")
def test_power_odds_change_the_pays_of_one_group_for_one_roll(group: str, draw: str) -> None:
    layout = full_layout(load("shoot-to-win"))
    for bet in layout.bets.values():
        if len(bet.states) == 1:
            compare_cells(layout, bet, BUILT_IN["shoot-to-win"], power={group: draw})


def compare_cells(layout: Layout, bet: LaidBet, choices: Choices, power: dict[str, str] | None = None) -> None:
    """Walk both machines side by side from every start: each roll must do the same in both, and no state of ours
    may be left out or stand for two of theirs."""
    for start in bet.starts:
        other = other_id(layout, bet, start)
        twin: dict[str, Hashable] = {start: naive.start(other, choices)}
        walk, reached = [start], {start}
        for state in walk:
            for how in How:
                for roll, cell in zip(ROLLS, layout.row(state, how), strict=True):
                    theirs = naive.play(
                        other,
                        twin[state],
                        *roll,
                        puck_on=how is How.POINT_ON,
                        working=how is not How.OFF,
                        choices=choices,
                        power=power or {},
                    )
                    pay, to = layout.pays[cell.pay], layout.keys[cell.next] if cell.next >= 0 else ""
                    ours = Played(
                        cell.decided.name.lower(),
                        cell.stake.name.lower(),
                        "meter" if pay.meter else pay.ratio((power or {}).get(pay.group, "")),
                        pay.commission,
                        twin.setdefault(to, theirs.then) if to else None,
                    )
                    assert ours == theirs, f"{bet.id} in {layout.states[state].name}, {how.name}, {roll}"
                    if to and to not in reached:
                        reached.add(to)
                        walk.append(to)
        assert reached == ({start} if len(bet.starts) > 1 else set(bet.states))
        assert len(set(twin.values())) == len(twin)


def other_id(layout: Layout, bet: LaidBet, start: str) -> str:
    """The second path names line odds with their point."""
    return f"{bet.id}@{layout.states[start].name}" if len(bet.starts) > 1 else bet.id


MEASURES = ("edge_per_bet_made", "edge_per_bet_resolved", "edge_per_roll", "hit_rate", "mean_rolls", "variance")
THEIRS = ("edge_made", "edge_resolved", "edge_per_roll", "hit_rate", "mean_rolls", "variance")


@cache
def sheets(name: str) -> list[BetSheet]:
    """Without Power Odds, which the second path settles roll by roll and does not mix."""
    made = sheet(change(load(name), "power_odds.on", "false"))
    return [*made.bets, *made.other_paytables]


def measured(name: str) -> Iterator[tuple[BetSheet, Choices]]:
    for bet in sheets(name):
        choices = BUILT_IN[name]
        kind = {"bonus": "bonus_craps", "small": "big_small", "big": "big_small"}.get(
            bet.bet.split(".")[0], bet.bet.split(".")[0]
        )
        if hasattr(choices, kind) and bet.bet not in ("big.6", "big.8"):
            choices = chosen(choices, kind, bet.paytable)
        yield bet, choices


@pytest.mark.parametrize("name", some(GAMES, "easy", "shoot-to-win"))
def test_every_measure_of_every_bet_agrees(name: str) -> None:
    compared = 0
    for bet, choices in measured(name):
        if bet.bet.endswith("pass.odds"):
            continue
        theirs = naive.facts(bet.bet, choices, meter=SEEDS.get(bet.paytable, 0))
        for ours, other in zip(MEASURES, THEIRS, strict=True):
            assert getattr(bet, ours) == getattr(theirs, other), f"{ours} of {bet.bet} {bet.paytable}"
        compared += 1
    assert compared > 80


@pytest.mark.parametrize("name", GAMES)
def test_line_odds_are_weighted_by_how_often_each_point_comes(name: str) -> None:
    ways = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
    choices = BUILT_IN[name]
    points = naive.points(choices)
    for bet in [bet for bet in sheets(name) if bet.bet.endswith("pass.odds")]:
        each = {p: naive.facts(f"{bet.bet}@{p}", choices) for p in points}
        total = sum(ways[p] for p in points)
        for ours, other in (("hit_rate", "hit_rate"), ("mean_rolls", "mean_rolls"), ("rtp", "edge_made")):
            weighed = sum((ways[p] * getattr(each[p], other) for p in points), Fraction(0)) / total
            assert getattr(bet, ours) == (1 - weighed if ours == "rtp" else weighed)


def test_power_odds_mix_as_the_second_path_plays_them() -> None:
    """Each group apart: nothing in 11 of 12 rolls, low or high in half of the rest."""
    choices = BUILT_IN["shoot-to-win"]
    mixed = {bet.bet: bet for bet in sheet(load("shoot-to-win"), SheetRequest()).bets if bet.power_odds}
    assert len(mixed) == 21 + 4 + 5 + 5  # hops, hard ways, horn and its four, C E C&E Seven Any Craps
    for bet, ours in mixed.items():
        assert ours.power_odds
        plain = naive.facts(bet, choices)
        gained = Fraction(0)
        for draw in ("low", "high"):
            for roll in ROLLS:
                better = naive.play(
                    bet,
                    naive.start(bet, choices),
                    *roll,
                    puck_on=True,
                    choices=choices,
                    power=dict.fromkeys(ours.power_odds.groups, draw),
                )
                as_it_was = naive.play(bet, naive.start(bet, choices), *roll, puck_on=True, choices=choices)
                assert isinstance(better.pays, Fraction)
                assert isinstance(as_it_was.pays, Fraction)
                gained += Fraction(1, 24) * (better.pays - as_it_was.pays) / 36
        assert ours.rtp == 1 - plain.edge_made + gained * plain.mean_rolls
