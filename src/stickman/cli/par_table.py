"""A par sheet as tables in a terminal: bets with the same figures share a row."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

from msgspec import to_builtins
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from stickman.paper.alike import likeness
from stickman.paper.figures import root
from stickman.par.sheet import BetSheet, Sheet
from stickman.rules.datafile import to_text
from stickman.rules.money import decimal, dollars, percent

EXACT_LENGTH_MAX = 13
"""A longer fraction is left out: it would make the table too wide."""
PAYS_MAX = 3
"""Of more pays, only the first and the last are shown."""


def show(screen: Console, sheet: Sheet) -> None:
    """Print a game's sheet: the bets, then the extra figures of some kinds of bet."""
    screen.print()
    screen.print(Text(f"{sheet.title} ({sheet.game})", "bold"))
    screen.print(f"fingerprint {sheet.fingerprint}")
    screen.print(_bets(sheet.bets))
    for table in (
        _combined(sheet.bets),
        _commission(sheet.bets),
        _as_played(sheet.bets),
        _power(sheet.bets),
        _progressives([*sheet.bets, *sheet.other_paytables]),
        _envy([*sheet.bets, *sheet.other_paytables]),
        _breakage(sheet.bets),
        _other(sheet.other_paytables),
    ):
        if table.row_count:
            screen.print(table)
    for line in sheet.assumptions:
        screen.print(f"· {line}", style="dim")


def _table(title: str, *columns: str) -> Table:
    """A table of bets: the first two columns are text, the others numbers; only the second and those without a
    heading may wrap."""
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        justify: Literal["left", "right"] = "left" if number < 2 else "right"
        table.add_column(column, justify=justify, no_wrap=number != 1 and bool(column))
    return table


def _bets(bets: list[BetSheet]) -> Table:
    table = _table(
        "Bets; a side game marked off is not on offer with these settings",
        "bet", "pays", "edge per\nbet made", "exactly", "per bet\nresolved", "\nper roll", "\nreturns", "\nhits",
        "\nrolls", "\nsd", "",
    )  # fmt: skip
    for alike in _alike(bets):
        bet = alike[0]
        table.add_row(
            _names(alike),
            _pays(bet),
            percent(bet.edge_per_bet_made),
            _exact(bet.edge_per_bet_made),
            percent(bet.edge_per_bet_resolved),
            percent(bet.edge_per_roll),
            percent(bet.rtp, 2),
            percent(bet.hit_rate, 2),
            decimal(bet.mean_rolls, 2),
            root(bet.variance, 3),
            "; ".join([*bet.flags, *([] if bet.offered else ["off"])]),
            style="" if bet.offered else "dim",
        )
    return table


def _combined(bets: list[BetSheet]) -> Table:
    """A flat bet with full odds: a column for each policy, the game's own marked."""
    flats = [bet for bet in bets if bet.combined]
    policies = list(dict.fromkeys(line.odds for bet in flats for line in bet.combined))
    table = _table("With full odds behind, edge per unit staked (* in play)", "flat bet", "limit on", *policies)
    for bet in flats:
        for limit in dict.fromkeys(line.limit for line in bet.combined):
            lines = {line.odds: line for line in bet.combined if line.limit == limit}
            shown = [lines[policy] for policy in policies]
            edges = [percent(line.edge_per_unit_staked) + ("*" if line.in_play else "") for line in shown]
            table.add_row(bet.bet, limit, *edges)
    return table


COMMISSIONS = {
    ("stake", "on_win"): "of stake, on win",
    ("stake", "upfront"): "of stake, upfront",
    ("win", "on_win"): "of win, on win",
    ("win", "upfront"): "of win, upfront",
}
"""The columns, by base and time of the fee."""


def _commission(bets: list[BetSheet]) -> Table:
    title = "Commission, edge per stake (* in play); upfront also per stake and fee"
    table = _table(title, "bet", "pays", *COMMISSIONS.values())
    for alike in _alike([bet for bet in bets if bet.commission]):
        cells = []
        lines = {(line.base, line.when): line for line in alike[0].commission}
        for line in (lines[column] for column in COMMISSIONS):
            both = f" / {percent(line.edge_per_stake_and_fee)}" if line.when == "upfront" else ""
            cells.append(percent(line.edge_per_stake) + both + ("*" if line.in_play else ""))
        table.add_row(_names(alike), _pays(alike[0]), *cells)
    return table


def _as_played(bets: list[BetSheet]) -> Table:
    table = _table(
        "As the game plays it: off on come-out rolls, placed with a point just set",
        "bet", "pays", "edge per bet made", "per roll", "hits", "rolls",
    )  # fmt: skip
    for alike in _alike([bet for bet in bets if bet.as_played]):
        played = alike[0].as_played
        assert played
        table.add_row(
            _names(alike),
            _pays(alike[0]),
            percent(played.edge_per_bet_made),
            percent(played.edge_per_roll),
            percent(played.hit_rate, 2),
            decimal(played.mean_rolls, 2),
        )
    return table


def _power(bets: list[BetSheet]) -> Table:
    table = _table("Power Odds, returns", "bet", "groups", "mixed", "never shown", "where it shows", "low", "high")
    for alike in _alike([bet for bet in bets if bet.power_odds]):
        power = alike[0].power_odds
        assert power
        values = (
            power.rtp_mixed,
            power.rtp_never_shown,
            power.rtp_shown,
            power.rtp_low_shown,
            power.rtp_high_shown,
        )
        table.add_row(_names(alike), power.groups, *(percent(value, 2) for value in values))
    return table


def _progressives(bets: list[BetSheet]) -> Table:
    table = _table(
        "Progressives, returns",
        "bet", "pay table", "fixed part", "top award 1 in", "reset", "at reset", "per $10,000", "break-even",
        "long run", "",
    )  # fmt: skip
    for bet in bets:
        if progressive := bet.progressive:
            table.add_row(
                bet.bet,
                bet.paytable,
                percent(progressive.fixed_rtp, 2),
                f"{round(1 / progressive.top_award_chance):,}",
                dollars(progressive.reset_cents),
                percent(progressive.rtp_at_reset, 2),
                percent(progressive.rtp_per_10000_dollars, 2),
                dollars(int(progressive.break_even_cents)),
                percent(progressive.rtp_long_run, 2),
                "; ".join(bet.flags),
            )
    return table


def _envy(bets: list[BetSheet]) -> Table:
    table = _table("Dealer envy, cost to the house by the stake", "bet", "pay table", "cost")
    for bet in bets:
        if bet.envy_cost:
            table.add_row(bet.bet, bet.paytable, percent(bet.envy_cost))
    return table


def _breakage(bets: list[BetSheet]) -> Table:
    table = _table(
        "Rounding at a stake, mean per bet made",
        "bet", "stake", "kept, cents", "of fees forgone, cents", "edge with it",
    )  # fmt: skip
    for alike in _alike([bet for bet in bets if bet.breakage]):
        rounding = alike[0].breakage
        assert rounding
        if rounding.kept_cents or rounding.fee_forgone_cents:
            table.add_row(
                _names(alike),
                dollars(rounding.stake_cents),
                decimal(rounding.kept_cents, 4),
                decimal(rounding.fee_forgone_cents, 4),
                percent(rounding.edge_per_bet_made, 4),
            )
    return table


def _other(bets: list[BetSheet]) -> Table:
    table = _table("Other pay tables", "bet", "pay table", "pays", "edge per bet made", "returns", "")
    for alike in _alike(bets):
        bet = alike[0]
        edge, returns = percent(bet.edge_per_bet_made), percent(bet.rtp, 2)
        table.add_row(_names(alike), bet.paytable, _pays(bet), edge, returns, "; ".join(bet.flags))
    return table


def _alike(bets: Iterable[BetSheet]) -> list[list[BetSheet]]:
    """Bets grouped if they differ only in their name, as on the pages."""
    groups: dict[str, list[BetSheet]] = {}
    for bet in bets:
        groups.setdefault(likeness(to_builtins(bet, enc_hook=to_text)), []).append(bet)
    return list(groups.values())


def _names(bets: list[BetSheet]) -> str:
    """The names of the bets of a row, shortened: `come.4/10.odds`, `hop.1-2 … 5-6 (15)`."""
    first, last = bets[0].bet.split("."), bets[-1].bet.split(".")
    if len(bets) == 1 or len(first) != len(last):
        return ", ".join(bet.bet for bet in bets)
    between = "/" if len(bets) == 2 else " … "
    shared = ".".join(a if a == b else f"{a}{between}{b}" for a, b in zip(first, last, strict=True))
    return shared if len(bets) == 2 else f"{shared} ({len(bets)})"


def _pays(bet: BetSheet) -> str:
    """What it pays without Power Odds, in the form `9:5`, or `3 for 1` as printed."""
    printed = dict.fromkeys(r.pays.replace(" to ", ":") for r in bet.results if r.result == "win" and not r.shown)
    pays = list(printed)
    return ", ".join(pays) if len(pays) <= PAYS_MAX else f"{pays[0]} … {pays[-1]}"


def _exact(value: Fraction) -> str:
    text = str(value)
    return text if len(text) <= EXACT_LENGTH_MAX else ""
