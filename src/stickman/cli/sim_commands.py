"""The commands of the strategy lab: simulate a strategy, solve it exactly, list the known ones."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import reduce
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from stickman.cli.shell import JSON, NotInstalled, console, needing, telling
from stickman.rules import layout as layouts
from stickman.rules.datafile import BadFile
from stickman.rules.game import change, load
from stickman.rules.layout import Layout
from stickman.rules.money import cents, dollars
from stickman.sim import library
from stickman.sim.play import Ending
from stickman.sim.strategy import Strategy, Terms, Unplayable

if TYPE_CHECKING:
    from stickman.sim.exact import Exact
    from stickman.sim.result import Result
    from stickman.sim.run import Lab

FILE = click.Path(dir_okay=False, writable=True, path_type=Path)
PERCENTS = (1, 5, 25, 50, 75, 95, 99)
ENDINGS = {
    Ending.STOP_LOSS: "stop loss",
    Ending.WIN_GOAL: "win goal",
    Ending.RUIN: "ruin",
    Ending.TIME: "all rolls played",
}
clear_errors = telling(BadFile, NotInstalled, Unplayable)


def money(context: click.Context, option: click.Parameter, value: str | None) -> int | None:
    """Read an amount such as 5.00, as cents."""
    del context
    try:
        return None if value is None else cents(value)
    except ValueError as problem:
        raise click.BadParameter(str(problem), param=option) from None


@click.command()
@JSON
def strategies(as_json: bool) -> None:
    """List the known strategies; several are joined with +, as in "pass + field"."""
    known = [library.strategy(name) for name in library.LIBRARY]
    if as_json:
        click.echo(json.dumps([{"strategy": each.name, "about": each.about} for each in known], indent=2))
        return
    table = Table("strategy", "what it bets", box=SIMPLE_HEAD)
    for each in known:
        table.add_row(each.name, each.about)
    console().print(table)


@click.command()
@click.argument("strategy")
@click.option("--game", default="craps", show_default=True, help="The game it is played at.")
@click.option("--sessions", type=click.IntRange(min=1), default=100_000, show_default=True)
@click.option(
    "--rolls", type=click.IntRange(min=1), default=500, show_default=True, help="Most rolls of a session."
)
@click.option("--bankroll", callback=money, default="1000.00", show_default=True)
@click.option("--stop-loss", callback=money, help="Leave when this much is lost.")
@click.option("--win-goal", callback=money, help="Leave when this much is won.")
@click.option("--unit", callback=money, default="10.00", show_default=True, help="How much a line bet is.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True)
@click.option("--threads", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="By default one a core.")
@click.option(
    "--set", "changes", nargs=2, multiple=True, metavar="KEY VALUE", help="Change a setting: limits.min_cents 1500."
)
@click.option("--csv", "csv_file", type=FILE, help="Write the histograms to this file.")
@click.option("--exact", "as_exact", is_flag=True, help="Solve it without dice.")
@JSON
@clear_errors
def simulate(strategy: str, as_exact: bool, as_json: bool, csv_file: Path | None, **options: Any) -> None:
    """Play STRATEGY for many sessions, or solve it exactly.

    STRATEGY is one of `stickman strategies`, several joined with +, or FILE.py:NAME for a strategy of your own.
    """
    with needing("sim", "numpy", "numba", "llvmlite"):
        from stickman.sim.run import Lab  # noqa: PLC0415 - the table does without

    game = reduce(lambda chosen, each: change(chosen, *each), options["changes"], load(options["game"]))
    terms = Terms(options["bankroll"], options["rolls"], options["stop_loss"], options["win_goal"])
    lab = Lab(layouts.compile(game), _strategy(strategy, options["unit"]), terms, options["seed"])
    if as_exact:
        answer = _solved(lab)
        rows, plain, show = _exact_rows(answer), _plain_exact(lab, answer), _show_exact
    else:
        result = _played(lab, options["sessions"], options["threads"])
        rows, plain, show = _result_rows(result), _plain_result(lab, result), _show_result
    if csv_file:
        with csv_file.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
        click.echo(f"Wrote {csv_file}", err=True)
    if as_json:
        click.echo(json.dumps(plain, indent=2))
    else:
        show(lab, plain)


def _strategy(name: str, unit_cents: int) -> Strategy:
    """A strategy of the library, or the one of that name in a file."""
    file, colon, wanted = name.rpartition(":")
    if not (colon and file.endswith(".py")):
        return library.strategy(name, unit_cents)
    if not Path(file).is_file():
        raise Unplayable(f"strategy file {file!r} is not there; allowed: the path of a Python file")
    spec = spec_from_file_location(Path(file).stem, file)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found = getattr(module, wanted, None)
    if not isinstance(found, Strategy):
        there = [key for key, value in vars(module).items() if isinstance(value, Strategy)]
        raise Unplayable(f"{file} has no strategy {wanted!r}; allowed: {', '.join(there) or 'none is in it'}")
    return found


def _played(lab: Lab, sessions: int, threads: int) -> Result:
    from stickman.sim.run import simulate as play  # noqa: PLC0415 - the table does without

    with _progress(sessions) as advance:
        return play(lab, sessions, threads, advance)


def _solved(lab: Lab) -> Exact:
    from stickman.sim.exact import TooLarge, exact  # noqa: PLC0415 - the table does without

    try:
        return exact(lab)
    except TooLarge as problem:
        raise Unplayable(str(problem)) from None


@contextmanager
def _progress(sessions: int) -> Iterator[Callable[[int], None]]:
    columns = (TextColumn("Sessions"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=sessions)
        yield lambda done: bar.advance(task, done)


# --- As data ---


def _about(lab: Lab) -> dict[str, object]:
    layout: Layout = lab.layout
    return {
        "strategy": lab.strategy.name,
        "game": layout.game.name,
        "fingerprint": layout.fingerprint,
        "bankroll_cents": lab.terms.bankroll_cents,
        "rolls_max": lab.terms.rolls_max,
        "stop_loss_cents": lab.terms.stop_loss_cents,
        "win_goal_cents": lab.terms.win_goal_cents,
        "notes": ["Power Odds are left out: pays are as printed."] if layout.game.power_odds.on else [],
    }


def _plain_result(lab: Lab, result: Result) -> dict[str, Any]:
    from stickman.sim.result import percentile  # noqa: PLC0415 - the table does without

    plain: dict[str, Any] = _about(lab)
    if result.on_felt:
        plain["notes"].append(
            f"{result.on_felt} sessions met more states than a table holds, and were played on the felt."
        )
    refused = sorted(f"{spot} ({reason.value})" for spot, reason in result.refusals)
    if refused:
        plain["notes"].append(f"The felt refused: {', '.join(refused)}.")
    spreads = {"net_cents": result.net, "drawdown_cents": result.drawdown, "rolls": result.rolls}
    return plain | {
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
        "endings": {why.name.lower(): result.endings[why] for why in Ending},
        "percentiles": {
            name: {str(percent): percentile(counts, percent) for percent in PERCENTS}
            for name, counts in spreads.items()
        },
        "on_felt": result.on_felt,
        "digest": result.digest(),
    }


def _plain_exact(lab: Lab, answer: Exact) -> dict[str, Any]:
    return _about(lab) | {
        "mean_cents": answer.mean_cents,
        "sd_cents": answer.sd_cents,
        "mean_rolls": answer.mean_rolls,
        "mean_handle_cents": answer.mean_handle_cents,
        "rtp": answer.rtp,
        "endings": {why.name.lower(): answer.chance(why) for why in Ending},
        "net": [[net, chance] for net, chance in answer.net.items()],
    }


def _result_rows(result: Result) -> Iterator[tuple[object, ...]]:
    yield "measure", "value", "sessions"
    counts = {"net_cents": result.net, "drawdown_cents": result.drawdown, "rolls": result.rolls}
    for measure, histogram in counts.items():
        for value in sorted(histogram):
            yield measure, value, histogram[value]


def _exact_rows(answer: Exact) -> Iterator[tuple[object, ...]]:
    yield "measure", "value", "chance"
    for net, chance in answer.net.items():
        yield "net_cents", net, chance


# --- As tables ---


def _show_result(lab: Lab, plain: dict[str, Any]) -> None:
    sessions = plain["sessions"]
    table = _table(lab, f"{sessions:,} sessions, {plain['rolls']:,} rolls, seed {plain['seed']}")
    for why, name in ENDINGS.items():
        times = plain["endings"][why.name.lower()]
        table.add_row(name, f"{times:,}", f"{times / sessions:.3%}")
    table.add_section()
    table.add_row("mean result", _money(plain["mean_cents"]), f"± {_money(plain['mean_error_cents'])}")
    table.add_row("standard deviation", _money(plain["sd_cents"]), "")
    table.add_row("handle", dollars(plain["handle_cents"]), "")
    if plain["rtp"] is not None:
        table.add_row("return to player", f"{plain['rtp']:.4%}", f"± {plain['rtp_error']:.4%}")
    console().print(table)
    spread = Table("percentile", *map(str, PERCENTS), box=SIMPLE_HEAD)
    for name, values in plain["percentiles"].items():
        words = [f"{value:,}" if name == "rolls" else dollars(value) for value in values.values()]
        spread.add_row(name.removesuffix("_cents"), *words)
    console().print(spread)
    _say_notes(plain)


def _show_exact(lab: Lab, plain: dict[str, Any]) -> None:
    table = _table(lab, "exact")
    for why, name in ENDINGS.items():
        table.add_row(name, f"{plain['endings'][why.name.lower()]:.12f}", "")
    table.add_section()
    table.add_row("mean result", _money(plain["mean_cents"]), "")
    table.add_row("standard deviation", _money(plain["sd_cents"]), "")
    table.add_row("mean rolls", f"{plain['mean_rolls']:.3f}", "")
    if plain["rtp"] is not None:
        table.add_row("return to player", f"{plain['rtp']:.6%}", "")
    console().print(table)
    _say_notes(plain)


def _table(lab: Lab, how: str) -> Table:
    terms = lab.terms
    stops = "".join(
        f", {name} {dollars(value)}"
        for name, value in (("stop loss", terms.stop_loss_cents), ("win goal", terms.win_goal_cents))
        if value is not None
    )
    money = f"bankroll {dollars(terms.bankroll_cents)}{stops}, at most {terms.rolls_max:,} rolls"
    title = f"{lab.strategy.name} at {lab.layout.game.title}\n{money}\n{how}"
    table = Table("", "", "", title=title, title_justify="left", show_header=False, box=SIMPLE_HEAD)
    table.columns[1].justify = "right"
    return table


def _say_notes(plain: dict[str, Any]) -> None:
    for note in plain["notes"]:
        console().print(note, soft_wrap=True)


def _money(amount_cents: float) -> str:
    """A mean in dollars, to a hundredth of a cent."""
    sign = "-" if amount_cents < 0 else ""
    return f"{sign}${abs(amount_cents) / 100:,.4f}"
