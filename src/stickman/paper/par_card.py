"""The card of a bet on a par sheet: its exact values, results and plots, and what only its kind has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

from stickman.paper import plot
from stickman.paper.alike import Bet, Group
from stickman.paper.figures import decimal, dollars, exact, fraction, one_in, percent, root, signed
from stickman.paper.markup import Child, Markup, escaped, tag
from stickman.paper.page import figure
from stickman.paper.plot import Bar, Labels, Mark
from stickman.paper.tabular import TextColumn, figures, tabular

Printed = dict[str, tuple[str, Callable[[Fraction], str]]]
"""By key of an exact value: its name, and how it is printed."""
MEASURES: Printed = {
    "edge_per_bet_made": ("Edge per bet made", percent),
    "edge_per_bet_resolved": ("Edge per bet resolved", percent),
    "edge_per_roll": ("Edge per roll", percent),
    "rtp": ("Return to player", percent),
    "hit_rate": ("Hit rate", percent),
    "mean_rolls": ("Mean rolls", decimal),
    "variance": ("Variance", decimal),
}
BEYOND = Fraction(1, 1000)
"""The plot of rolls ends when at most this chance is left."""


def card(group: Group, anchor: Callable[[str], str]) -> Markup:
    bet = group.one
    plots = [figure("Net result per unit staked", _outcomes(bet)), _rolls(bet)]
    return tag(
        "article",
        tag("h4", group.title),
        tag("p", [[tag("code", each, id=anchor(each)), " "] for each in group.ids], class_="ids"),
        tag("p", _facts(bet), class_="facts"),
        tag("div", tag("div", _values(bet), class_="values"), tag("div", plots, class_="plots"), class_="pair"),
        _results(bet),
        tag("div", list(_extras(bet)), class_="extras"),
        class_="card",
    )


def badges(bet: Bet) -> Markup:
    found = [] if bet["offered"] else [tag("span", "not on offer", class_="badge off")]
    return escaped([found, [tag("span", flag, class_="badge flag") for flag in bet["flags"]]])


def exactly(value: str) -> Markup:
    """An exact value, in small type that may wrap."""
    return tag("code", fraction(exact(value)), class_="exact")


def _facts(bet: Bet) -> list[Child]:
    table = bet["paytable"]
    return [
        badges(bet),
        [tag("b", "Pay table "), table, ". "] if table and table != "standard" else None,
        [tag("b", "Sources "), bet["source"], "."],
    ]


def _values(bet: Bet) -> Markup:
    """Every measure, and the measures as played if the bet rests on come-out rolls."""
    played = bet["as_played"]
    rows = _exact_rows(bet, MEASURES)
    rows.append(["Standard deviation", root(exact(bet["variance"])), tag("span", "√ variance", class_="quiet")])
    found = _exact_values("Always working" if played else "", rows, "measures")
    if played:
        rows = _exact_rows(played, MEASURES)
        return escaped([found, _exact_values("As played: rests on come-out rolls", rows, "measures")])
    return found


def _exact_rows(values: Mapping[str, Any], printed: Printed) -> list[list[Child]]:
    return [[name, write(exact(values[key])), exactly(values[key])] for key, (name, write) in printed.items()]


def _exact_values(head: str, rows: list[list[Child]], class_: str | None = None, value: str = "Value") -> Markup:
    return tabular([TextColumn(head), TextColumn(value, "n"), TextColumn("Exactly", "x")], rows, class_)


def _results(bet: Bet) -> Markup:
    shown = any(result["shown"] for result in bet["results"])
    columns = [
        TextColumn("Result"),
        TextColumn("Pays"),
        *([TextColumn("Power Odds shown")] if shown else []),
        *figures("Net per unit", "Chance"),
        TextColumn("Exactly", "x"),
        TextColumn("Source"),
    ]
    rows = [
        [
            result["result"],
            result["pays"] or "\N{EM DASH}",
            *([result["shown"] or "\N{EM DASH}"] if shown else []),
            signed(exact(result["net"])),
            _chance(exact(result["chance"])),
            exactly(result["chance"]),
            result["source"],
        ]
        for result in bet["results"]
    ]
    return tabular(columns, rows, "results")


def _chance(chance: Fraction) -> Child:
    rare = 0 < chance < Fraction(1, 100)
    return [percent(chance), [tag("br"), tag("small", one_in(chance))] if rare else None]


# --- Plots ---


def _outcomes(bet: Bet) -> Markup:
    """The distribution of the net result; on a log scale if chances differ by orders of magnitude."""
    chances: dict[Fraction, Fraction] = defaultdict(Fraction)
    for result in bet["results"]:
        chances[exact(result["net"])] += exact(result["chance"])
    log = bool(chances) and min(chances.values()) * 50 < max(chances.values())
    bars = [
        Bar(signed(net), float(chance * 100), percent(chance), "" if net > 0 else "plain")
        for net, chance in sorted(chances.items(), reverse=True)
    ]
    summary = "; ".join(f"{bar.label} with chance {bar.written}" for bar in bars)
    labels = Labels(
        f"Net results of {bet['bet']}", f"Per unit staked: {summary}.", "chance, log scale" if log else "chance"
    )
    return plot.horizontal_bars(bars, labels, log=log)


def _rolls(bet: Bet) -> Child:
    """The distribution of the number of rolls to a decision."""
    mean = exact(bet["mean_rolls"])
    chances = [exact(chance) for chance in bet["rolls"]]
    if mean == 1:
        return tag("p", "Decided by one roll.", class_="note")
    if not chances:
        return None
    left = [1 - so_far for so_far in accumulate(chances)]
    count = next((index + 1 for index, rest in enumerate(left) if rest <= BEYOND), len(left))
    beyond = f"{_share(left[count - 1])} of bets take more than {count} rolls."
    labels = Labels(
        f"Rolls to a decision of {bet['bet']}",
        f"The chance that the bet is decided on roll 1 to {count}. Mean {decimal(mean)} rolls. {beyond}",
        "roll that decides the bet",
        "chance",
    )
    mark = Mark(float(mean), 0, f"mean {decimal(mean)}")
    drawn = plot.columns([float(chance * 100) for chance in chances[:count]], labels, mark=mark)
    return figure("Rolls to a decision", drawn, beyond)


def _share(part: Fraction) -> str:
    least = Fraction(1, 1_000_000)
    return f"Under {percent(least)}" if 0 < part < least else percent(part)


# --- What only some bets have ---


def _extras(bet: Bet) -> Iterator[Markup]:
    if bet["commission"]:
        yield _block("Edge by commission", _commission(bet["commission"]))
    if bet["combined"]:
        yield _block("With full odds behind it", _combined(bet["combined"]))
    if bet["power_odds"]:
        yield _block("Power Odds", _power_odds(bet["power_odds"]))
    if bet["progressive"]:
        yield _block("Progressive", _progressive(bet["progressive"]))
    if bet["breakage"] and _breaks(bet["breakage"]):
        yield _block(
            f"Breakage at a stake of {dollars(bet['breakage']['stake_cents'])}", _breakage(bet["breakage"])
        )
    yield from _remarks(bet)


def _remarks(bet: Bet) -> Iterator[Markup]:
    """Facts that need only one line."""
    if bet["envy_cost"]:
        cost = percent(exact(bet["envy_cost"]))
        cost_text = f" costs the house {cost} of the stake, one winner at a time, exactly "
        yield tag("p", tag("b", "Envy"), cost_text, exactly(bet["envy_cost"]), ".")
    if bet["breakage"] and not _breaks(bet["breakage"]):
        stake = dollars(bet["breakage"]["stake_cents"])
        yield tag("p", tag("b", "Breakage"), f" at a stake of {stake}: none, every payment is whole.")


def _breaks(breakage: Mapping[str, Any]) -> bool:
    return any(exact(breakage[key]) for key in ("kept_cents", "fee_forgone_cents"))


def _block(title: str, inside: Child) -> Markup:
    return tag("section", tag("h5", title), inside)


def _in_play(row: Mapping[str, Any]) -> Markup | None:
    return tag("span", "this game", class_="badge here") if row["in_play"] else None


def _commission(rows: Sequence[Mapping[str, Any]]) -> Markup:
    """A row for each base, a column for each timing."""
    cells = {(row["base"], row["when"]): row for row in rows}
    bases, times = list(dict.fromkeys(base for base, _ in cells)), list(dict.fromkeys(when for _, when in cells))

    def cell(base: str, when: str) -> Child:
        row = cells.get((base, when))
        if row is None:
            return "\N{EM DASH}"
        return [
            _in_play(row),
            [
                _edge(row[key], of)
                for key, of in (("edge_per_stake", "stake"), ("edge_per_stake_and_fee", "stake and fee"))
            ],
        ]

    columns = [TextColumn("Commission"), *(TextColumn(f"charged {when.replace('_', ' ')}") for when in times)]
    return tabular(
        columns, [[f"on the {base}", *(cell(base, when) for when in times)] for base in bases], "commission"
    )


def _edge(value: str, of: str) -> Markup:
    return tag("div", tag("b", percent(exact(value))), " of ", of, " ", exactly(value), class_="edge")


def _combined(rows: Sequence[Mapping[str, Any]]) -> Markup:
    limits = len({row["limit"] for row in rows}) > 1
    columns = [
        TextColumn("Odds"),
        TextColumn("Mean staked, in flat bets", "n"),
        TextColumn("Exactly", "x"),
        TextColumn("Edge per unit staked", "n"),
        TextColumn("Exactly", "x"),
    ]
    return tabular(
        columns,
        [
            [
                [row["odds"], f" by {row['limit']}" if limits else None, " ", _in_play(row)],
                decimal(exact(row["mean_staked"])),
                exactly(row["mean_staked"]),
                percent(exact(row["edge_per_unit_staked"])),
                exactly(row["edge_per_unit_staked"]),
            ]
            for row in rows
        ],
        "combined",
    )


def _power_odds(power: Mapping[str, Any]) -> Markup:
    names = {
        "rtp_mixed": "as it shows in play",
        "rtp_never_shown": "never shown",
        "rtp_low_shown": "low shown",
        "rtp_high_shown": "high shown",
        "rtp_shown": "shown, low or high",
    }
    head = f"Group{'s' if len(power['groups']) > 1 else ''} {', '.join(power['groups'])}"
    rows = _exact_rows(power, {key: (name, percent) for key, name in names.items()})
    return _exact_values(head, rows, value="Return")


def _progressive(meter: Mapping[str, Any]) -> Markup:
    percents = {
        "fixed_rtp": "Return of the fixed pays",
        "rtp_at_reset": "Return at reset",
        "rtp_per_10000_dollars": "Return per $10,000 on the meter",
        "rtp_long_run": "Return in the long run",
        "increment": "Added to the meter, of each stake",
        "reserve": "Added to the reserve, of each stake",
    }
    rows: list[list[Child]] = [
        ["Meter", meter["meter"], None],
        ["Stake of one bet", dollars(meter["base_cents"]), None],
        ["Reset", dollars(meter["reset_cents"]), None],
        ["Break-even", dollars(exact(meter["break_even_cents"])), [exactly(meter["break_even_cents"]), " cents"]],
        ["Chance of the top award", _chance(exact(meter["top_award_chance"])), exactly(meter["top_award_chance"])],
    ]
    rows += _exact_rows(meter, {key: (name, percent) for key, name in percents.items()})
    drawn = figure("Return against the meter", _meter_plot(meter))
    return tag("div", _exact_values("", rows), drawn, class_="pair")


def _meter_plot(meter: Mapping[str, Any]) -> Markup:
    fixed, reset = exact(meter["fixed_rtp"]), Fraction(meter["reset_cents"], 100)
    slope, even = exact(meter["rtp_per_10000_dollars"]) / 10_000, exact(meter["break_even_cents"]) / 100

    def at(amount: Fraction) -> tuple[float, float]:
        return float(amount), float((fixed + slope * amount) * 100)

    end = Fraction(plot.ticks(float(max(reset, even)), 4)[-1])

    marks = [
        Mark(*at(reset), f"reset {dollars(meter['reset_cents'])}"),
        Mark(*at(even), f"break-even {dollars(exact(meter['break_even_cents']))}"),
    ]
    at_reset = percent(fixed + slope * reset)
    summary = f"{percent(fixed)} with an empty meter, {at_reset} at reset, 100% at {dollars(even * 100)}."
    labels = Labels(f"Return of {meter['meter']} against its meter", summary, "meter", "return to player")
    return plot.line([at(Fraction(0)), at(end)], labels, marks=marks, level=Mark(0, 100, "100%"))


def _breakage(breakage: Mapping[str, Any]) -> Markup:
    printed: Printed = {
        "kept_cents": ("Cents kept of wins rounded down", decimal),
        "fee_forgone_cents": ("Cents forgone of fees rounded down", decimal),
        "edge_per_bet_made": ("Edge per bet made, with both", percent),
    }
    return _exact_values("Mean per bet made", _exact_rows(breakage, printed))
