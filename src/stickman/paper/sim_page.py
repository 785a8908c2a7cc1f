"""Simulated sessions as one page for screen and paper: one strategy, or several on the same dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from stickman.paper import report_plots, sim_plots
from stickman.paper.figures import MINUS
from stickman.paper.figures import percent as exact_percent
from stickman.paper.markup import Child, Markup, tag
from stickman.paper.page import Part, key_figures, list_of_notes, page_of_parts
from stickman.paper.sim_plots import Drawing, money
from stickman.paper.tabular import TextColumn, figures, tabular

Report = Mapping[str, Any]
"""As `stickman simulate --fan --json` prints it, with `histograms` and, if it was solved, `exact`."""
Together = Mapping[str, Any]
"""As `stickman compare --json` prints it, with `histograms`, `differences` and `fans`."""

ENDINGS = {"ruin": "Ruin", "stop_loss": "Stop loss", "win_goal": "Win goal", "time": "All rolls played"}
MEASURES = {"net_cents": "Net result", "drawdown_cents": "Deepest fall", "rolls": "Rolls"}
FAR = 4.0
"""A return that is this many standard errors from its par value is not chance."""
NOTES = """\
Every session starts with the whole bankroll. Wagers still on the felt at its end count in full.
Intervals contain the true value in 95 of 100 cases. They come from the spread between independent sessions.
Handle is counted once for each decision. The return to player is one plus net result over handle.
A bet's return is that of its decided wagers; those that a session left undecided were followed to their \
end. Its par value is exact, before payments are rounded.
A session's dice follow from the seed and its number: the command gives the same page anywhere.""".splitlines()
TOGETHER_NOTES = """\
In each session, every strategy meets the same dice, as if the players stood at one table.
Luck that both share cancels out, so the paired interval is narrower if strategies win and lose together. If one \
wins when the other loses, it is wider, and just as true.
Every session starts with the whole bankroll. Wagers still on the felt at its end count in full.
Intervals contain the true value in 95 of 100 cases.
A session's dice follow from the seed and its number: the command gives the same page anywhere.""".splitlines()


COLOURS = f"""
:root {{ {sim_plots.COLOURS} }}
@media screen and (prefers-color-scheme: dark) {{ :root {{ {sim_plots.DARK} }} }}
"""


class PagePicture(NamedTuple):
    """A plot, the name of its file, and a line that explains it."""

    name: str
    drawing: Drawing
    note: str = ""


# --- One strategy ---


def sim_page(report: Report) -> str:
    """One HTML page with nothing to fetch or to run."""
    shown = {each.name: each for each in pictures(report)}
    parts: list[Part] = [
        ("results", "How sessions end", [_figures([shown["results"], shown["drawdowns"]]), _results(report)]),
        ("way", "On their way", [_figures([shown["fan"], shown["ended"]])]),
        ("bets", "Bet by bet", _bets(report["bets"])),
        ("percentiles", "Percentiles", [_percentiles(report)]),
        ("played", "What was played", _played(report, report["seed"])),
        list_of_notes(NOTES),
    ]
    return _page(title(report), answer(report), _keys(report), parts)


def title(report: Report) -> str:
    return f"{report['strategy']} at {report['title']}"


def answer(report: Report) -> str:
    mean, error = report["mean_cents"], report["mean_error_cents"]
    does = "loses" if mean + error < 0 else "wins" if mean - error > 0 else "comes out even, or nearly: it"
    verb = f"{does} {money(abs(mean))}" if does in ("loses", "wins") else f"{does} made {money(mean)}"
    text = (
        f"Played with {money(report['bankroll_cents'])} for at most {report['rolls_max']:,} rolls, "
        f"{report['strategy']} {verb} a session in the mean (95% interval {_interval(mean, error)}). "
        f"{_share(report, 'ahead')} of sessions end ahead"
    )
    text += "".join(
        f", {report['endings'][why] / report['sessions']:.1%} {words}"
        for why, words in (("ruin", "in ruin"), ("stop_loss", "at the stop loss"), ("win_goal", "at the win goal"))
        if report["endings"][why]
    )
    if report["rtp"] is not None:
        text += f". Of each $100 bet, ${100 * report['rtp']:.2f} came back"
    return text + "."


def _interval(mean: float, error: float) -> str:
    return f"{money(mean - error)} to {money(mean + error)}"


def _share(report: Report, key: str) -> str:
    return f"{report[key] / report['sessions']:.1%}"


def pictures(report: Report) -> Iterator[PagePicture]:
    histograms, name = report["histograms"], report["strategy"]
    exact = report["exact"]["net"] if report["exact"] else None
    falls = report["exact"]["drawdown"] if report["exact"] else None
    yield PagePicture(
        "results",
        sim_plots.results(histograms["net_cents"], exact, report["mean_cents"], f"How sessions of {name} end"),
        "Bars are the sessions played; the line is the exact chance." if exact else "Bars are the sessions played.",
    )
    yield PagePicture(
        "drawdowns", sim_plots.drawdowns(histograms["drawdown_cents"], falls, f"How deep sessions of {name} fall")
    )
    fan = report["fan"]
    sampled = f"From the first {fan['sessions']:,} sessions; a session that has ended keeps what it has."
    yield PagePicture(
        "fan",
        sim_plots.fan(fan["checkpoints"], f"The bankroll of {name} from roll to roll"),
        f"The dark band holds half of all bankrolls, the light one nine tenths. {sampled}",
    )
    yield PagePicture("ended", sim_plots.ended(fan, f"Sessions of {name} that have ended"), sampled)


def _keys(report: Report) -> Child:
    return key_figures(
        [
            ("Mean result", f"{money(report['mean_cents'])} ± {money(report['mean_error_cents'])}"),
            ("Standard deviation", money(report["sd_cents"])),
            ("Return to player", _return(report["rtp"], report["rtp_error"])),
            ("Ended ahead", _share(report, "ahead")),
            ("Ruin", f"{report['endings']['ruin'] / report['sessions']:.2%}"),
            ("Sessions", f"{report['sessions']:,}"),
            ("Rolls", f"{report['rolls']:,}"),
        ]
    )


def _return(rtp: float | None, error: float | None) -> str:
    if rtp is None:
        return "–"
    return f"{rtp:.3%}" if error is None else f"{rtp:.3%} ± {error:.3%}"


def _results(report: Report) -> Markup:
    exact, sessions = report["exact"], report["sessions"]
    rows: list[list[Child]] = []
    for why, name in ENDINGS.items():
        times = report["endings"][why]
        rows.append(
            [name, f"{times:,}", f"{times / sessions:.3%}", f"{exact['endings'][why]:.6%}" if exact else ""]
        )
    mean, error = money(report["mean_cents"]), money(report["mean_error_cents"])
    rows.append(["Mean result", mean, f"± {error}", _exact(exact, "mean_cents")])
    rows.append(["Standard deviation", money(report["sd_cents"]), "", _exact(exact, "sd_cents")])
    rows.append(["Handle of all sessions", money(report["handle_cents"]), "", ""])
    if report["rtp"] is not None:
        returned = f"{exact['rtp']:.5%}" if exact and exact["rtp"] is not None else ""
        rows.append(["Return to player", f"{report['rtp']:.4%}", f"± {report['rtp_error']:.4%}", returned])
    columns = [TextColumn(""), *figures("Played", "Of sessions, or interval", "Exact")]
    kept = 4 if exact else 3
    return tag("div", tabular(columns[:kept], [row[:kept] for row in rows], "rows"), class_="narrow")


def _exact(exact: Report | None, key: str) -> str:
    return money(exact[key]) if exact else ""


def _bets(bets: Sequence[Report]) -> list[Child]:
    if not bets:
        return [tag("p", "No bet was tallied.", class_="note")]
    columns = [
        TextColumn("Bet"),
        *figures("Wagers decided", "Handle", "Return", "±", "Par", "Par exactly", "Standard errors apart"),
    ]
    rows: list[list[Child]] = [
        [
            [bet["title"], " ", tag("code", bet["bet"])],
            f"{bet['wagers']:,}",
            money(bet["handle_cents"]),
            "–" if bet["rtp"] is None else f"{bet['rtp']:.3%}",
            "–" if bet["rtp_error"] is None else f"{bet['rtp_error']:.3%}",
            exact_percent(Fraction(bet["rtp_par"]), 3) if bet["rtp_par"] else "–",
            tag("code", bet["rtp_par"] or "–", class_="exact"),
            _apart(bet["errors_apart"]),
        ]
        for bet in bets
    ]
    return [tabular(columns, rows, "rows")]


def _apart(errors: float | None) -> Child:
    if errors is None:
        return "–"
    return tag("span", f"{errors:+.2f}".replace("-", MINUS), class_="off" if abs(errors) >= FAR else None)


def _percentiles(report: Report) -> Markup:
    percents = list(report["percentiles"]["net_cents"])
    columns = [TextColumn("Percent of sessions at or under"), *figures(*(f"{percent}%" for percent in percents))]
    rows: list[list[Child]] = [
        [name, *(f"{value:,}" if key == "rolls" else money(value) for value in report["percentiles"][key].values())]
        for key, name in MEASURES.items()
    ]
    return tabular(columns, rows, "rows")


def _played(report: Report, seed: int) -> list[Child]:
    facts: list[tuple[str, Child]] = [
        ("Game", [report["title"], " ", tag("code", report["fingerprint"])]),
        ("Bankroll", money(report["bankroll_cents"])),
        ("Stop loss", _amount(report["stop_loss_cents"])),
        ("Win goal", _amount(report["win_goal_cents"])),
        ("Most rolls", f"{report['rolls_max']:,}"),
        ("Sessions", f"{report['sessions']:,}"),
        ("Seed", str(seed)),
        *([("Digest", tag("code", report["digest"]))] if "digest" in report else []),
    ]
    return [
        tag("p", "This command makes this page again:", class_="note"),
        tag("pre", tag("code", f"{report['command']} --html page.html"), class_="command"),
        tag("dl", [[tag("dt", name), tag("dd", value)] for name, value in facts], class_="played"),
        [tag("p", note) for note in report["notes"]],
    ]


def _amount(cents: int | None) -> str:
    return "none" if cents is None else money(cents)


# --- Several strategies ---


def compare_page(report: Together) -> str:
    """One HTML page with nothing to fetch or to run."""
    shown = list(compare_pictures(report))
    differences = [each for each in shown if each.name.startswith("difference")]
    others = [each for each in shown if not each.name.startswith("difference")]
    parts: list[Part] = [
        ("pairs", "Ahead on the same dice", [_pairs(report), _figures(differences)]),
        ("each", "Each strategy", [_each(report), _figures(others)]),
        *(
            (f"bets-{index}", f"Bet by bet: {each['strategy']}", _bets(each["bets"]))
            for index, each in enumerate(report["strategies"])
        ),
        ("played", "What was played", _played(report, report["seed"])),
        list_of_notes(TOGETHER_NOTES),
    ]
    names = listed([each["strategy"] for each in report["strategies"]])
    return _page(f"{names} at {report['title']}", compare_answer(report), None, parts)


def listed(names: Sequence[str]) -> str:
    """
    >>> listed(["pass", "field"]), listed(["pass", "field", "horn"])
    ('pass and field', 'pass, field and horn')
    """
    return f"{', '.join(names[:-1])} and {names[-1]}"


def compare_answer(report: Together) -> str:
    ranked = sorted(report["strategies"], key=lambda each: -each["mean_cents"])
    means = ", then ".join(f"{each['strategy']} with {money(each['mean_cents'])}" for each in ranked)
    text = f"Best in the mean is {means} a session. "
    best, next_best = ranked[0]["strategy"], ranked[1]["strategy"]
    [pair] = [each for each in report["pairs"] if {each["first"], each["second"]} == {best, next_best}]
    sign = 1 if pair["first"] == best else -1
    mean, error = sign * pair["mean_cents"], pair["mean_error_cents"]
    ahead = pair["first_ahead" if sign > 0 else "second_ahead"] / report["sessions"]
    text += f"On the same dice {best} comes out {money(mean)} ahead of {next_best} in the mean "
    text += f"(95% interval {_interval(mean, error)}), and is ahead in {ahead:.1%} of sessions"
    return text + ("." if mean > error else ": too little to tell them apart.")


def compare_pictures(report: Together) -> Iterator[PagePicture]:
    for pair, values in zip(report["pairs"], report["differences"], strict=True):
        first, second = pair["first"], pair["second"]
        name = "difference" if len(report["pairs"]) == 1 else f"difference-{_file(first)}-{_file(second)}"
        drawn = sim_plots.difference(
            values, (first, second), pair["mean_cents"], f"{first} less {second}, session by session"
        )
        yield PagePicture(name, drawn)
    yield PagePicture("chances", sim_plots.chances(report["histograms"], "Chance of a result, or a better one"))
    fans = report["fans"]
    counts = sorted({fan["sessions"] for fan in fans.values()})
    sampled = f"From the first {' to '.join(f'{count:,}' for count in counts)} sessions."
    yield PagePicture("bankrolls", sim_plots.bankrolls(fans, "Bankrolls from roll to roll"), sampled)
    yield PagePicture("lost", sim_plots.ended_together(fans, ("ruin", "stop_loss"), "Ruin or stop loss"), sampled)
    if report["win_goal_cents"] is not None:
        yield PagePicture("won", sim_plots.ended_together(fans, ("win_goal",), "Win goal reached"), sampled)


def _file(name: str) -> str:
    return "-".join("".join(letter if letter.isalnum() or letter == "-" else " " for letter in name).split())


def _pairs(report: Together) -> Markup:
    columns = [
        TextColumn("First less second"),
        *figures("Mean", "± paired", "± with separate dice", "Narrowed by"),
        *figures("First ahead", "Second ahead", "Level"),
    ]
    sessions = report["sessions"]
    rows: list[list[Child]] = [
        [
            f"{pair['first']} less {pair['second']}",
            money(pair["mean_cents"]),
            money(pair["mean_error_cents"]),
            money(pair["unpaired_error_cents"]),
            "–" if pair["narrowed_by"] is None else f"{pair['narrowed_by']:.1%}".replace("-", MINUS),
            *(f"{pair[key] / sessions:.2%}" for key in ("first_ahead", "second_ahead", "level")),
        ]
        for pair in report["pairs"]
    ]
    return tabular(columns, rows, "rows")


def _each(report: Together) -> Markup:
    whys = ["ruin", *(why for why in ("stop_loss", "win_goal") if report[f"{why}_cents"] is not None)]
    columns = [
        TextColumn("Strategy"),
        *figures("Mean result", "±", "Standard deviation", "Return", "Ended ahead"),
        *figures(*(ENDINGS[why] for why in whys), "Best of all"),
    ]
    rows: list[list[Child]] = []
    for index, each in enumerate(report["strategies"]):
        dash = ("solid", "dashed", "dotted")[index % 3]
        key = tag("span", class_="key", style=f"border-color: var(--s{index}); border-top-style: {dash}")
        rows.append(
            [
                [key, each["strategy"]],
                money(each["mean_cents"]),
                money(each["mean_error_cents"]),
                money(each["sd_cents"]),
                _return(each["rtp"], None),
                _share(each, "ahead"),
                *(f"{each['endings'][why] / each['sessions']:.2%}" for why in whys),
                f"{each['leads'] / each['sessions']:.2%}",
            ]
        )
    return tabular(columns, rows, "rows")


# --- The page ---


def _figures(shown: Sequence[PagePicture]) -> Markup:
    figures = [
        tag(
            "figure", tag("figcaption", tag("b", each.drawing.labels.title), ". ", each.note), each.drawing.inline()
        )
        for each in shown
    ]
    return tag("div", figures, class_="plots figures")


def _page(heading: str, lead: str, keys: Child, parts: Sequence[Part]) -> str:
    style = report_plots.STYLE + sim_plots.SIM_STYLE + COLOURS
    return page_of_parts(heading, ("par_page.css", "report_page.css", "sim_page.css"), style, lead, keys, parts)
