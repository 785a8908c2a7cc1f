"""The commands of the strategy lab: simulate a strategy, solve it exactly, compare several, list the known ones."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from importlib.util import module_from_spec, spec_from_file_location
from math import gcd
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from stickman.cli import sim_files, sim_results
from stickman.cli.shell import JSON, Interrupted, MoneyOption, NotInstalled, console, needing, one_line, say
from stickman.paper import sim_page
from stickman.paper.sim_plots import SERIES_MAX
from stickman.rules import layout as layouts
from stickman.rules.datafile import BadFile
from stickman.rules.money import dollars
from stickman.rules.settings import change, load
from stickman.sim import library
from stickman.sim.strategy import Strategy, Terms, Unplayable

if TYPE_CHECKING:
    from stickman.sim.compare import Comparison
    from stickman.sim.exact import Exact
    from stickman.sim.result import SimResult
    from stickman.sim.run import Lab

FILE = click.Path(dir_okay=False, writable=True, path_type=Path)
FOLDER = click.Path(file_okay=False, writable=True, path_type=Path)
QUICK_STATES, QUICK_EQUITIES = 2000, 3_000_000
"""Up to this number of states, and of equities times rolls, an exact answer takes a few seconds at most."""
clear_errors = one_line(BadFile, NotInstalled, Unplayable)


MONEY, COUNT = MoneyOption(), click.IntRange(min=1)


def at_a_table(command: Callable[..., None]) -> Callable[..., None]:
    """The options of a simulation: game, money, dice, and files for the result."""
    options = (
        click.option("--game", default="craps", show_default=True, help="The game it is played at."),
        click.option("--sessions", type=COUNT, default=100_000, show_default=True),
        click.option("--rolls", type=COUNT, default=500, show_default=True, help="Most rolls of a session."),
        click.option("--bankroll", type=MONEY, default="1000.00", show_default=True),
        click.option("--stop-loss", type=MONEY, help="Leave when this much is lost."),
        click.option("--win-goal", type=MONEY, help="Leave when this much is won."),
        click.option("--unit", type=MONEY, default="10.00", show_default=True, help="The size of a line bet."),
        click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True),
        click.option("--threads", type=COUNT, default=os.cpu_count() or 1, help="By default one per core."),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Play on a dask.distributed scheduler's workers, tcp://HOST:PORT. Only machines that you trust:"
            " each can run code on the others, and without TLS so can anyone on the network (docs/strategies.md).",
        ),
        click.option("--ledger", type=FILE, help="Keep finished sessions here; the same command then continues."),
        click.option("--set", "changes", nargs=2, multiple=True, metavar="KEY VALUE", help="Change a setting."),
        click.option("--bets/--no-bets", "by_bet", default=True, help="Tally each bet; this takes time."),
        click.option("--html", type=FILE, help="Write one self-contained page with plots to this file."),
        click.option("--svg", type=FOLDER, help="Write each plot to this folder."),
        click.option("--csv", "csv_file", type=FILE, help="Write the histograms to this file."),
        click.option("--parquet", type=FILE, help="The same for data frames, with what was played as metadata."),
        JSON,
    )
    for option in reversed(options):
        command = option(command)
    return command


class SimWanted(NamedTuple):
    """The files for a result."""

    html: Path | None
    svg: Path | None
    csv_file: Path | None
    parquet: Path | None
    as_json: bool

    @classmethod
    def of(cls, options: dict[str, Any]) -> SimWanted:
        return cls(*(options[name] for name in cls._fields))

    @property
    def pictures(self) -> bool:
        return bool(self.html or self.svg)

    def write(self, rows: Iterator[tuple[object, ...]], plain: dict[str, Any]) -> None:
        """Write the histograms that are wanted."""
        found = list(rows) if self.csv_file or self.parquet else []
        if self.csv_file:
            sim_files.write_csv(self.csv_file, found)
        if self.parquet:
            sim_files.write_parquet(self.parquet, found, plain)

    def draw(self, page: Callable[[], str], pictures: Iterator[sim_page.PagePicture]) -> None:
        """Write the page and the plots that are wanted."""
        if self.svg:
            sim_files.write_plots(self.svg, pictures)
        if self.html:
            self.html.write_text(page(), "utf-8")
            sim_files.wrote(self.html)


@click.command()
@JSON
def strategies(as_json: bool) -> None:
    """List the known strategies; several are joined with +, as in "pass + field"."""
    known = [library.strategy(name) for name in library.LIBRARY]
    table = Table("strategy", "what it bets", box=SIMPLE_HEAD)
    for each in known:
        table.add_row(each.name, each.about)
    plain = [{"strategy": each.name, "about": each.about} for each in known]
    say(plain, lambda: console().print(table), as_json=as_json)


@click.command()
@click.argument("strategy")
@click.option("--exact", "as_exact", is_flag=True, help="Solve it without dice.")
@click.option("--drawdown", is_flag=True, help="With --exact: also the drawdown; this takes longer.")
@click.option("--fan", "with_fan", is_flag=True, help="Show bankrolls and endings from roll to roll.")
@at_a_table
@clear_errors
def simulate(strategy: str, as_exact: bool, drawdown: bool, with_fan: bool, **options: Any) -> None:
    """Play STRATEGY for many sessions, or solve it exactly.

    STRATEGY is one of `stickman strategies`, several joined with +, or FILE.py:NAME for a strategy of your own.
    A page shows the exact distribution next to the simulated one, if it can be computed quickly.
    """
    wanted = SimWanted.of(options)
    if as_exact and not wanted.pictures and (options["cluster"] or options["ledger"]):
        raise click.UsageError("--exact plays no sessions: leave out --cluster and --ledger")
    if drawdown and not as_exact:
        raise click.UsageError("--drawdown needs --exact: a simulation always shows the drawdown")
    [lab] = _labs([strategy], options)
    typed = _command("simulate", [strategy, *(["--exact"] if as_exact else [])], options)
    plain = sim_results.about(lab, typed)
    answer = _solved(lab, drawdown=drawdown) if as_exact else None
    if answer and not wanted.pictures:
        plain |= sim_results.plain_exact(answer)
        wanted.write(sim_files.exact_rows(answer), plain)
        say(plain, lambda: sim_results.show_exact(lab, plain), as_json=wanted.as_json)
        return
    [result] = _played([lab], options).results
    plain |= sim_results.plain_result(lab, result)
    plain["notes"] += sim_results.notes(lab, result)
    fan = _fan(lab, result) if with_fan or wanted.pictures else None
    if with_fan:
        plain["fan"] = fan
    wanted.write(sim_files.result_rows(result), plain)
    if wanted.pictures:
        answer = answer or _quickly_solved(lab, result)
        page = {
            **plain,
            "fan": fan,
            "histograms": {name: sorted(counts.items()) for name, counts in sim_results.measures(result).items()},
            "exact": sim_results.plain_exact(answer) if answer else None,
        }
        wanted.draw(lambda: sim_page.sim_page(page), sim_page.pictures(page))
    say(plain, lambda: sim_results.show_result(lab, plain), as_json=wanted.as_json)


@click.command()
@click.argument("strategies", nargs=-1, required=True, metavar="STRATEGY STRATEGY...")
@at_a_table
@clear_errors
def compare(strategies: tuple[str, ...], **options: Any) -> None:
    """Play two or more STRATEGIES on the same dice, and show which one does best.

    Each is one of `stickman strategies`, several joined with +, or FILE.py:NAME. All play each session on the same
    dice, so most of the luck cancels out in the difference.
    """
    if not 2 <= len(strategies) <= SERIES_MAX:
        raise Unplayable(f"a comparison of {len(strategies)}; allowed: 2 to {SERIES_MAX} strategies")
    labs = _labs(strategies, options)
    names = [lab.strategy.name for lab in labs]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise Unplayable(f"strategy {twice[0]!r} is there twice; allowed: each once")
    wanted = SimWanted.of(options)
    found = _played(labs, options)
    plain = sim_results.about(labs[0], _command("compare", strategies, options))
    del plain["strategy"]
    plain |= sim_results.plain_comparison(labs, found)
    for lab, result in zip(labs, found.results, strict=True):
        plain["notes"] += sim_results.notes(lab, result)
    wanted.write(sim_files.comparison_rows(names, found), plain)
    if wanted.pictures:
        page = {
            **plain,
            "histograms": {
                name: sorted(result.net.items()) for name, result in zip(names, found.results, strict=True)
            },
            "differences": [sorted(pair.net.items()) for pair in found.pairs.values()],
            "fans": {lab.strategy.name: _fan(lab, result) for lab, result in zip(labs, found.results, strict=True)},
        }
        wanted.draw(lambda: sim_page.compare_page(page), sim_page.compare_pictures(page))
    say(plain, lambda: sim_results.show_comparison(labs, plain), as_json=wanted.as_json)


# --- What is played ---


def _labs(strategies: Sequence[str], options: dict[str, Any]) -> list[Lab]:
    with needing("sim", "numpy", "numba", "llvmlite"):
        from stickman.sim.run import Lab  # noqa: PLC0415 - the table does without

    game = reduce(lambda chosen, each: change(chosen, *each), options["changes"], load(options["game"]))
    terms = Terms(options["bankroll"], options["rolls"], options["stop_loss"], options["win_goal"])
    layout = layouts.lay_out(game)
    return [
        Lab(layout, _strategy(name, options["unit"]), terms, options["seed"], by_bet=options["by_bet"])
        for name in strategies
    ]


def _strategy(name: str, unit_cents: int) -> Strategy:
    """A strategy of the library, or the one of that name in a file."""
    file, colon, wanted = name.rpartition(":")
    if not (colon and file.endswith(".py")):
        return library.strategy(name, unit_cents)
    if not Path(file).is_file():
        raise Unplayable(f"there is no strategy file {file!r}; allowed: the path of a Python file")
    spec = spec_from_file_location(Path(file).stem, file)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found = getattr(module, wanted, None)
    if not isinstance(found, Strategy):
        there = [key for key, value in vars(module).items() if isinstance(value, Strategy)]
        raise Unplayable(
            f"{file} has no strategy {wanted!r}; allowed: {', '.join(there) or 'none, because it has no strategy'}"
        )
    return found


def _command(name: str, strategies: Sequence[str], options: dict[str, Any]) -> str:
    """The command that gives the same result again."""
    words = ["stickman", name, *strategies]
    for key in ("game", "sessions", "rolls", "seed"):
        words += [f"--{key}", str(options[key])]
    for key in ("bankroll", "stop_loss", "win_goal", "unit"):
        if options[key] is not None:
            words += [f"--{key.replace('_', '-')}", dollars(options[key])[1:].replace(",", "")]
    for change_of in options["changes"]:
        words += ["--set", *change_of]
    return shlex.join(words if options["by_bet"] else [*words, "--no-bets"])


# --- Playing ---


def _played(labs: Sequence[Lab], options: dict[str, Any]) -> Comparison:
    """Sessions on this machine or on a cluster, with a ledger or without."""
    from stickman.sim import run  # noqa: PLC0415 - the table does without
    from stickman.sim.ledger import Ledger  # noqa: PLC0415

    sessions, address = options["sessions"], options["cluster"]
    ledger = Ledger(options["ledger"]) if options["ledger"] else None
    if address is None:
        with _progress(sessions, options["ledger"]) as advance:
            return run.compare(labs, sessions, options["threads"], advance, ledger)
    with needing("sim", "distributed", "dask", "cloudpickle"):
        from stickman.sim import cluster  # noqa: PLC0415 - one machine does not need it
    with _progress(sessions, options["ledger"]) as advance:
        return cluster.compare(address, labs, sessions, advance, ledger)


def _fan(lab: Lab, result: SimResult) -> dict[str, Any]:
    from stickman.sim.fan import fan  # noqa: PLC0415 - the table does without

    return sim_results.plain_fan(fan(lab, result))


def _solved(lab: Lab, *, drawdown: bool = False) -> Exact:
    from stickman.sim.exact import TooLarge, exact  # noqa: PLC0415 - the table does without

    try:
        return exact(lab, drawdown=drawdown)
    except TooLarge as problem:
        raise Unplayable(str(problem)) from None


def _quickly_solved(lab: Lab, result: SimResult) -> Exact | None:
    """The exact answer, if the simulation shows that it takes little time."""
    nets = list(result.net)
    step = gcd(*(net - nets[0] for net in nets)) or 1
    equities = (max(nets) - min(nets)) // step + 1
    if result.on_felt or equities * lab.terms.rolls_max > QUICK_EQUITIES:
        return None
    try:
        return _solved(lab._replace(states_max=QUICK_STATES))
    except Unplayable:
        return None


@contextmanager
def _progress(sessions: int, ledger: Path | None = None) -> Iterator[Callable[[int], None]]:
    """A progress bar of sessions; Ctrl-C ends with one line."""
    columns = (TextColumn("Sessions"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=sessions)
        try:
            yield lambda done: bar.advance(task, done)
        except KeyboardInterrupt:
            done = f"Interrupted after {int(bar.tasks[task].completed):,} of {sessions:,} sessions"
            kept = f"they are in {ledger}, and the same command continues from there" if ledger else NOT_KEPT
            raise Interrupted(f"{done}: {kept}.") from None


NOT_KEPT = "none is kept; with --ledger FILE the same command continues where it was interrupted"
