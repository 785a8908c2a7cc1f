"""The par sheets of one or more games as one page for screen and paper, for example for a laboratory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from stickman.paper import plot
from stickman.paper.alike import Bet, Group, groups, pays
from stickman.paper.figures import decimal, dollars, exact, fraction, percent, root
from stickman.paper.markup import Child, Markup, tag
from stickman.paper.page import page
from stickman.paper.par_card import badges, card, exactly
from stickman.paper.plot import Bar, Labels
from stickman.paper.tabular import TextColumn, figures, tabular

SOURCES = {
    "IB": "Interblock, “Craps, Crapless Craps, Easy Craps”, game description 2.5.1, July 4, 2024",
    "RTW": "“Roll to Win Craps”, overview 1.1, January 22, 2025",
    "STW": "“Shoot to Win Craps Lucky Roll”, game description, approved February 18, 2025",
    "BC4": "Galaxy Gaming, “Bonus Craps”, rules of play, version 4",
    "BC3": "Galaxy Gaming, “Bonus Craps”, rules of play, version 3, with Make ’Em All and Fired Up Progressive",
    "house": "our own choice if the documents are silent",
    "RULES, ruling": "a section or a ruling of Stickman’s own rules, if the documents differ or are unclear",
}
"""The documents behind source tags; a section or heading follows each tag."""

SHORT = 17
"""Longer exact values are only on the card, not in the summary."""


class GamePart(NamedTuple):
    """A par sheet on the page: its values, its anchor, and its bets in groups of equals."""

    sheet: Mapping[str, Any]
    anchor: str
    groups: list[Group]

    def at(self, place: str) -> str:
        return f"{self.anchor}-{'-'.join(place.split())}"

    def link(self, place: str, label: Child, class_: str | None = None) -> Markup:
        return tag("a", label, href=f"#{self.at(place)}", class_=class_)


def par_page(sheets: Sequence[Mapping[str, Any]]) -> str:
    """One HTML page, from sheets as `stickman par --json` prints them."""
    games = list(_games(sheets))
    title = f"Par sheet{'s' if len(games) > 1 else ''}: {', '.join(sheet['title'] for sheet in sheets)}"
    return page(title, ["par_page.css"], plot.STYLE, [_lead(), _contents(games)], map(_game, games))


def _games(sheets: Sequence[Mapping[str, Any]]) -> Iterator[GamePart]:
    seen: dict[str, int] = {}
    for sheet in sheets:
        name = "-".join(sheet["game"].split())
        seen[name] = seen.get(name, 0) + 1
        yield GamePart(sheet, name if seen[name] == 1 else f"{name}-{seen[name]}", groups(sheet["bets"]))


def _lead() -> Markup:
    return tag(
        "p",
        "Every value is computed exactly, as a ratio of whole numbers; percents and decimals are rounded to the "
        "last place shown, half to even. An edge is the player’s expected loss, positive for the house, and always "
        "names what it is divided by.",
        class_="lead",
    )


def _contents(games: Sequence[GamePart]) -> Markup:
    entries = [
        tag(
            "li",
            tag("a", game.sheet["title"], href=f"#{game.anchor}"),
            tag("span", [[" ", game.link(*section)] for section in _sections(game)], class_="sections"),
        )
        for game in games
    ]
    return tag("nav", tag("h2", "Contents"), tag("ul", entries), aria_label="Contents")


def _sections(game: GamePart) -> list[tuple[str, str]]:
    found = [
        ("basis", "Assumptions and sources"),
        ("edges", "Edges at a glance"),
        ("summary", "Summary"),
        ("bets", "Bet by bet"),
        ("other", "Other pay tables"),
    ]
    return found if game.sheet["other_paytables"] else found[:-1]


def _game(game: GamePart) -> Markup:
    sheet = game.sheet
    offered = sum(bool(bet["offered"]) for bet in sheet["bets"])
    facts = [
        tag("dt", "Game"),
        tag("dd", tag("code", sheet["game"])),
        tag("dt", "Fingerprint"),
        tag("dd", tag("code", sheet["fingerprint"], class_="exact")),
        tag("dt", "Bets"),
        tag("dd", f"{offered} on offer, {len(sheet['bets']) - offered} more that the game could offer"),
    ]
    inside: dict[str, Callable[[GamePart], Child]] = {
        "basis": _basis,
        "edges": _edges,
        "summary": _summary,
        "bets": _bets,
        "other": _other,
    }
    return tag(
        "section",
        tag("h2", sheet["title"]),
        tag("dl", facts),
        [
            tag("section", tag("h3", title), inside[place](game), id=game.at(place), class_=place)
            for place, title in _sections(game)
        ],
        id=game.anchor,
        class_="game",
    )


def _basis(game: GamePart) -> Child:
    sources = [[tag("dt", name), tag("dd", meaning)] for name, meaning in SOURCES.items()]
    return tag(
        "div",
        tag("ol", [tag("li", each) for each in game.sheet["assumptions"]]),
        tag("dl", sources, class_="sources"),
        class_="pair",
    )


def _edges(game: GamePart) -> Child:
    ranked = sorted(game.groups, key=lambda group: (exact(group.one["edge_per_bet_made"]), group.ids))
    bars = [
        Bar(group.title, float(edge * 100), percent(edge), "" if group.one["offered"] else "hollow")
        for group in ranked
        for edge in [exact(group.one["edge_per_bet_made"])]
    ]
    summary = "; ".join(f"{bar.label} {bar.written}" for bar in bars)
    labels = Labels(f"Edges of {game.sheet['title']}, least first", f"{summary}.", "edge per bet made")
    return [
        tag("p", "Edge per bet made, least first. Dashed: not on offer in this game.", class_="note"),
        tag("div", plot.horizontal_bars(bars, labels, width=780), class_="wide chart"),
    ]


# --- Summary ---


MEASURED = ("Return to player", "Hit rate", "Mean rolls", "Standard deviation")
SUMMARY = [
    TextColumn("Bet"),
    TextColumn("Pays"),
    *figures("Edge per bet made", "Edge per bet resolved", "Edge per roll", *MEASURED),
]


def _summary(game: GamePart) -> Child:
    return tabular(SUMMARY, [_summary_row(game, group) for group in game.groups], "overview")


def _summary_row(game: GamePart, group: Group) -> list[Child]:
    bet = group.one

    def both(key: str) -> Child:
        """As a percent and, if it is short, exactly."""
        value = exact(bet[key])
        short = len(fraction(value)) <= SHORT
        return [percent(value), " ", exactly(bet[key]) if short else game.link(bet["bet"], "exactly", "more")]

    name = [
        game.link(bet["bet"], group.title),
        tag("span", [[" ", tag("code", each)] for each in group.ids], class_="ids"),
        [" ", badges(bet)],
    ]
    return [
        name,
        pays(bet),
        *(both(key) for key in ("edge_per_bet_made", "edge_per_bet_resolved", "edge_per_roll", "rtp", "hit_rate")),
        decimal(exact(bet["mean_rolls"])),
        root(exact(bet["variance"])),
    ]


# --- Bet by bet, and the other pay tables ---


def _bets(game: GamePart) -> Child:
    links = [[game.link(group.one["bet"], group.title), " "] for group in game.groups]
    cards = [card(group, game.at) for group in game.groups]
    return [
        tag("p", "Equal bets of a family share a card.", class_="note"),
        tag("nav", links, class_="links"),
        cards,
    ]


def _other(game: GamePart) -> Child:
    ranked = sorted(
        groups(game.sheet["other_paytables"]), key=lambda group: (_place(game, group.ids[0]), group.ids)
    )
    found: list[Child] = [
        tag("p", "The same bets with every other pay table that the game could have chosen.", class_="note")
    ]
    for ids, same in groupby(ranked, key=lambda group: group.ids):
        rows = list(same)
        codes = [[" ", tag("code", each)] for each in ids]
        found += [tag("h4", rows[0].title, codes), _other_rows([group.one for group in rows])]
    return found


def _place(game: GamePart, bet_id: str) -> int:
    ids = [bet["bet"] for bet in game.sheet["bets"]]
    return ids.index(bet_id) if bet_id in ids else len(ids)


def _other_rows(bets: Sequence[Bet]) -> Markup:
    """One row for each pay table; with meters and envy if there are any."""
    metered = any(bet["progressive"] for bet in bets)
    measured = figures("Edge per bet made", *MEASURED, *(("Reset", "Break-even", "Envy cost") if metered else ()))
    columns = [TextColumn("Pay table"), TextColumn("Pays"), *measured, TextColumn("Edge exactly", "x")]
    rows = [
        [*_other_row(bet), *(_meter(bet) if metered else []), exactly(bet["edge_per_bet_made"])] for bet in bets
    ]
    return tabular(columns, rows, "others")


def _other_row(bet: Bet) -> list[Child]:
    flags = [[" ", tag("span", flag, class_="badge flag")] for flag in bet["flags"]]
    return [
        [bet["paytable"], flags],
        pays(bet),
        *(percent(exact(bet[key])) for key in ("edge_per_bet_made", "rtp", "hit_rate")),
        decimal(exact(bet["mean_rolls"])),
        root(exact(bet["variance"])),
    ]


def _meter(bet: Bet) -> list[Child]:
    meter, envy = bet["progressive"], bet["envy_cost"]
    sums = [dollars(meter["reset_cents"]), dollars(exact(meter["break_even_cents"]))] if meter else [None, None]
    return [*sums, percent(exact(envy)) if envy else "none"]
