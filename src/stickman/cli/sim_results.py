"""Results of the strategy lab, as plain values and as tables in a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from stickman.cli.shell import console
from stickman.paper.sim_page import listed
from stickman.paper.sim_plots import quantile
from stickman.par import sheet as par_sheets
from stickman.rules.layout import Layout
from stickman.rules.money import dollars
from stickman.sim.play import SessionEnding

if TYPE_CHECKING:
    from stickman.sim.compare import Comparison
    from stickman.sim.exact import Exact
    from stickman.sim.fan import Fan
    from stickman.sim.result import BetTally, SimResult
    from stickman.sim.run import Lab

Plain = dict[str, Any]
PERCENTS = (1, 5, 25, 50, 75, 95, 99)
ENDINGS = {
    SessionEnding.STOP_LOSS: "stop loss",
    SessionEnding.WIN_GOAL: "win goal",
    SessionEnding.RUIN: "ruin",
    SessionEnding.TIME: "all rolls played",
}


# --- As data ---


def about(lab: Lab, command: str) -> Plain:
    """The terms of a simulation."""
    return {
        "strategy": lab.strategy.name,
        "game": lab.layout.game.name,
        "title": lab.layout.game.title,
        "fingerprint": lab.layout.fingerprint,
        "bankroll_cents": lab.terms.bankroll_cents,
        "rolls_max": lab.terms.rolls_max,
        "stop_loss_cents": lab.terms.stop_loss_cents,
        "win_goal_cents": lab.terms.win_goal_cents,
        "command": command,
        "notes": [],
    }


def plain_result(lab: Lab, result: SimResult) -> Plain:
    """The result of one strategy."""
    from stickman.sim.result import percentile  # noqa: PLC0415 - the table does without

    return {
        "strategy": lab.strategy.name,
        "seed": lab.seed,
        "sessions": result.sessions,
        "rolls": result.rolls_total,
        "handle_cents": result.handle_cents,
        "net_cents": result.net_cents,
        "mean_cents": float(result.mean_cents),
        "mean_error_cents": result.mean_error_cents(),
        "sd_cents": result.sd_cents,
        "rtp": None if result.rtp is None else float(result.rtp),
        "rtp_error": result.rtp_error(),
        "ahead": sum(times for cents, times in result.net.items() if cents > 0),
        "behind": sum(times for cents, times in result.net.items() if cents < 0),
        "endings": {why.name.lower(): result.endings[why] for why in SessionEnding},
        "percentiles": {
            name: {str(percent): percentile(counts, percent) for percent in PERCENTS}
            for name, counts in measures(result).items()
        },
        "bets": list(_plain_bets(lab.layout, result.bets)),
        "on_felt": result.on_felt,
        "digest": result.digest(),
    }


def measures(result: SimResult) -> dict[str, Counter[int]]:
    """The histograms of a result by name."""
    return {"net_cents": result.net, "drawdown_cents": result.drawdown, "rolls": result.rolls}


def notes(lab: Lab, result: SimResult) -> Iterator[str]:
    """What a reader of the result should know."""
    if result.on_felt:
        met = f"{lab.strategy.name}: {result.on_felt:,} sessions needed more states than a table holds"
        yield f"{met}, and were played on the felt."
    refused = sorted(f"{spot} ({reason.value})" for spot, reason in result.refusals)
    if refused:
        yield f"{lab.strategy.name}: the felt refused {', '.join(refused)}."


def _plain_bets(layout: Layout, bets: Mapping[str, BetTally]) -> Iterator[Plain]:
    """Each bet's return next to its exact one, in the order of the layout."""
    from stickman.sim.result import Z95  # noqa: PLC0415 - the table does without

    for bet in layout.bets.values():
        if bet.id not in bets:
            continue
        tally = bets[bet.id]
        par = par_sheets.bet_sheet(layout, bet, par_sheets.EVERYTHING, offered=True).rtp
        rtp, error = tally.rtp, tally.rtp_error()
        known = rtp is not None and isfinite(error)
        yield {
            "bet": bet.id,
            "title": bet.title,
            "wagers": tally.wagers,
            "handle_cents": tally.handle_cents,
            "back_cents": tally.back_cents,
            "rtp": None if rtp is None else float(rtp),
            "rtp_error": error if known else None,
            "rtp_par": str(par),
            "errors_apart": float(rtp - par) / (error / Z95) if rtp is not None and known and error else None,
        }


def plain_fan(fan: Fan) -> Plain:
    """The bankrolls of sessions from roll to roll."""
    return {
        "sessions": fan.sessions,
        "checkpoints": [
            {
                "roll": each.roll,
                "bands": {str(percent): cents for percent, cents in each.bands.items()},
                "ended": {why.name.lower(): times for why, times in each.ended.items()},
            }
            for each in fan.checkpoints
        ],
    }


def plain_exact(answer: Exact) -> Plain:
    """The exact result of a session, without dice."""
    return {
        "mean_cents": answer.mean_cents,
        "sd_cents": answer.sd_cents,
        "mean_rolls": answer.mean_rolls,
        "mean_handle_cents": answer.mean_handle_cents,
        "rtp": answer.rtp,
        "endings": {why.name.lower(): answer.chance(why) for why in SessionEnding},
        "percentiles": {
            name: {str(percent): quantile(sorted(spread.items()), percent / 100) for percent in PERCENTS}
            for name, spread in (("net_cents", answer.net), ("drawdown_cents", answer.drawdown))
            if spread
        },
        "net": [[net, chance] for net, chance in answer.net.items()],
        "drawdown": [[fall, chance] for fall, chance in sorted((answer.drawdown or {}).items())],
    }


def plain_comparison(labs: Sequence[Lab], found: Comparison) -> Plain:
    """The results of several strategies on the same dice."""
    return {
        "seed": labs[0].seed,
        "sessions": found.results[0].sessions,
        "strategies": [
            {**plain_result(lab, result), "leads": leads}
            for lab, result, leads in zip(labs, found.results, found.leads, strict=True)
        ],
        "pairs": list(_plain_pairs(labs, found)),
    }


def _plain_pairs(labs: Sequence[Lab], found: Comparison) -> Iterator[Plain]:
    from stickman.sim.result import percentile  # noqa: PLC0415 - the table does without

    for (first, second), pair in found.pairs.items():
        error, unpaired = pair.mean_error_cents(), found.unpaired_error_cents((first, second))
        yield {
            "first": labs[first].strategy.name,
            "second": labs[second].strategy.name,
            "mean_cents": float(pair.mean_cents),
            "mean_error_cents": error,
            "sd_cents": pair.sd_cents,
            "first_ahead": pair.first_ahead,
            "second_ahead": pair.second_ahead,
            "level": pair.sessions - pair.first_ahead - pair.second_ahead,
            "unpaired_error_cents": unpaired,
            "narrowed_by": 1 - error / unpaired if unpaired else None,
            "percentiles": {str(percent): percentile(pair.net, percent) for percent in PERCENTS},
        }


# --- As tables ---


def show_result(lab: Lab, plain: Plain) -> None:
    sessions = plain["sessions"]
    table = _headed(lab, f"{sessions:,} sessions, {plain['rolls']:,} rolls, seed {plain['seed']}")
    for why, name in ENDINGS.items():
        times = plain["endings"][why.name.lower()]
        table.add_row(name, f"{times:,}", f"{times / sessions:.3%}")
    table.add_section()
    table.add_row("ended ahead", f"{plain['ahead']:,}", f"{plain['ahead'] / sessions:.3%}")
    table.add_row("mean result", _money(plain["mean_cents"]), f"± {_money(plain['mean_error_cents'])}")
    table.add_row("standard deviation", _money(plain["sd_cents"]), "")
    table.add_row("handle", dollars(plain["handle_cents"]), "")
    if plain["rtp"] is not None:
        table.add_row("return to player", f"{plain['rtp']:.4%}", f"± {plain['rtp_error']:.4%}")
    console().print(table)
    _show_percentiles(plain["percentiles"])
    _show_bets(plain["bets"])
    if "fan" in plain:
        _show_fan(plain["fan"])
    say_notes(plain)


def _show_percentiles(percentiles: Mapping[str, Mapping[str, int]]) -> None:
    table = Table("percentile", *map(str, PERCENTS), box=SIMPLE_HEAD)
    for name, values in percentiles.items():
        words = [f"{value:,}" if name == "rolls" else dollars(value) for value in values.values()]
        table.add_row(name.removesuffix("_cents"), *words)
    console().print(table)


def _show_bets(bets: Sequence[Plain]) -> None:
    """Each bet's return next to its exact one."""
    if not bets:
        return
    heads = ("wagers", "handle", "return", "±", "par", "exactly", "standard errors apart")
    table = Table("bet", box=SIMPLE_HEAD)
    for head in heads:
        table.add_column(head, justify="right")
    for bet in bets:
        top, _, bottom = bet["rtp_par"].partition("/")
        table.add_row(
            bet["bet"],
            f"{bet['wagers']:,}",
            dollars(bet["handle_cents"]),
            _optional(bet["rtp"], ".4%"),
            _optional(bet["rtp_error"], ".4%"),
            f"{int(top) / int(bottom or 1):.4%}",
            bet["rtp_par"] if len(bet["rtp_par"]) < 22 else "",
            _optional(bet["errors_apart"], "+.2f"),
        )
    console().print(table)


def _optional(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _show_fan(fan: Plain) -> None:
    """The bankrolls of sessions from roll to roll."""
    percents = list(fan["checkpoints"][0]["bands"])
    whys = [why for why in fan["checkpoints"][-1]["ended"] if fan["checkpoints"][-1]["ended"][why]]
    title = f"Bankroll by number of rolls and percentile; the first {fan['sessions']:,} sessions"
    table = Table("roll", title=title, title_justify="left", box=SIMPLE_HEAD)
    for head in (*(f"{percent}%" for percent in percents), *(why.replace("_", " ") for why in whys)):
        table.add_column(head, justify="right")
    every = 4 if len(fan["checkpoints"]) > 16 else 1
    for each in fan["checkpoints"][::every]:
        ended = [f"{each['ended'][why] / fan['sessions']:.2%}" for why in whys]
        table.add_row(f"{each['roll']:,}", *map(dollars, each["bands"].values()), *ended)
    console().print(table)


def show_exact(lab: Lab, plain: Plain) -> None:
    """Print the exact result of a session, without dice."""
    table = _headed(lab, "exact")
    for why, name in ENDINGS.items():
        table.add_row(name, f"{plain['endings'][why.name.lower()]:.12f}", "")
    table.add_section()
    table.add_row("mean result", _money(plain["mean_cents"]), "")
    table.add_row("standard deviation", _money(plain["sd_cents"]), "")
    table.add_row("mean rolls", f"{plain['mean_rolls']:.3f}", "")
    if plain["rtp"] is not None:
        table.add_row("return to player", f"{plain['rtp']:.6%}", "")
    console().print(table)
    _show_percentiles(plain["percentiles"])
    say_notes(plain)


def show_comparison(labs: Sequence[Lab], plain: Plain) -> None:
    sessions = plain["sessions"]
    whys = ["ruin", *(why for why in ("stop_loss", "win_goal") if plain[f"{why}_cents"] is not None)]
    ends = [why.replace("_", " ") for why in whys]
    heads = ("mean", "±", "standard deviation", "return", "ended ahead", *ends, "best of all")
    how = f"{sessions:,} sessions on the same dice, seed {plain['seed']}"
    names = listed([lab.strategy.name for lab in labs])
    title = f"{names} at {labs[0].layout.game.title}\n{_terms(labs[0])}\n{how}"
    table = Table("strategy", title=title, title_justify="left", box=SIMPLE_HEAD)
    for head in heads:
        table.add_column(head, justify="right")
    for each in plain["strategies"]:
        endings = [each["endings"][why] for why in whys]
        table.add_row(
            each["strategy"],
            _money(each["mean_cents"]),
            _money(each["mean_error_cents"]),
            _money(each["sd_cents"]),
            _optional(each["rtp"], ".4%"),
            *(f"{count / sessions:.2%}" for count in (each["ahead"], *endings, each["leads"])),
        )
    console().print(table)
    _show_pairs(plain["pairs"], sessions)
    say_notes(plain)


def _show_pairs(pairs: Sequence[Plain], sessions: int) -> None:
    heads = ("mean", "± paired", "± unpaired", "narrowed by", "first ahead", "second ahead", "level")
    table = Table("first less second", box=SIMPLE_HEAD)
    for head in heads:
        table.add_column(head, justify="right")
    for pair in pairs:
        table.add_row(
            f"{pair['first']} less {pair['second']}",
            _money(pair["mean_cents"]),
            _money(pair["mean_error_cents"]),
            _money(pair["unpaired_error_cents"]),
            _optional(pair["narrowed_by"], ".1%"),
            *(f"{pair[key] / sessions:.2%}" for key in ("first_ahead", "second_ahead", "level")),
        )
    console().print(table)


def _terms(lab: Lab) -> str:
    terms = lab.terms
    stops = "".join(
        f", {name} {dollars(value)}"
        for name, value in (("stop loss", terms.stop_loss_cents), ("win goal", terms.win_goal_cents))
        if value is not None
    )
    return f"bankroll {dollars(terms.bankroll_cents)}{stops}, at most {terms.rolls_max:,} rolls"


def _headed(lab: Lab, how: str) -> Table:
    title = f"{lab.strategy.name} at {lab.layout.game.title}\n{_terms(lab)}\n{how}"
    table = Table("", "", "", title=title, title_justify="left", show_header=False, box=SIMPLE_HEAD)
    table.columns[1].justify = "right"
    return table


def say_notes(plain: Plain) -> None:
    for note in plain["notes"]:
        console().print(note, soft_wrap=True)


def _money(amount_cents: float) -> str:
    """A mean in dollars, to a hundredth of a cent."""
    sign = "-" if amount_cents < 0 else ""
    return f"{sign}${abs(amount_cents) / 100:,.4f}"
