"""The commands about randomness: sample the dice of a live table, and test their generator."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from stickman.cli.shell import FILE, JSON, Interrupted, NotInstalled, console, needing, one_line, say
from stickman.server.entropy import BadEntropy, KernelDice

if TYPE_CHECKING:
    from stickman.randomness.battery import Battery, BatteryReport, TestVerdict

KERNEL = "kernel"
DICE = 10_000_000
SEQUENCE_COUNT = click.IntRange(min=0)
UNFAIR = bytes(range(252, 256))
"""The bytes that make no roll."""
RAW_BLOCK = 1 << 20


clear_errors = one_line(BadEntropy, NotInstalled)


@click.group()
def rng() -> None:
    """Sample the dice of a live table, and test their generator."""


@rng.command()
@click.argument("rolls", type=click.IntRange(min=1))
@click.option("--text", "as_text", is_flag=True, help="One roll per line, such as 4-2; this is the default.")
@JSON
@click.option("--raw", type=FILE, help="Write the raw bytes of these rolls to this file, for other batteries.")
@clear_errors
def sample(rolls: int, as_text: bool, as_json: bool, raw: Path | None) -> None:
    """Roll ROLLS times as a live table does."""
    if as_text + as_json + bool(raw) > 1:
        raise click.UsageError("--text, --json and --raw exclude each other")
    if raw:
        with raw.open("wb") as file:
            written = sum(file.write(block) for block in _raw(rolls))
        click.echo(f"Wrote {raw}: {written} bytes for {rolls} rolls", err=True)
        return
    dice = KernelDice()
    if as_json:
        draws = [dice.roll() for _ in range(rolls)]
        bytes_used = sum(draw.bytes_used for draw in draws)
        found = [[draw.result.first, draw.result.second] for draw in draws]
        click.echo(json.dumps({"source": KERNEL, "use": "dice", "bytes_used": bytes_used, "rolls": found}))
    else:
        for _ in range(rolls):
            click.echo(str(dice.roll().result))


def _raw(rolls: int) -> Iterator[bytes]:
    """Kernel bytes for exactly this number of rolls."""
    while rolls:
        block = os.urandom(min(rolls, RAW_BLOCK))
        rolls -= len(block.translate(None, UNFAIR))
        yield block


@rng.command("test")
@click.argument("dice", type=click.IntRange(min=10_000), required=False)
@click.option("--source", default=KERNEL, show_default=True, metavar="kernel|FILE", help="The raw bytes.")
@click.option(
    "--sequences", type=SEQUENCE_COUNT, default=100, show_default=True, help="Of 1,000,000 bits, for NIST."
)
@JSON
@clear_errors
def run_tests(dice: int | None, source: str, sequences: int, as_json: bool) -> None:
    """Test DICE dice, two per roll, and their raw bits.

    Without DICE: 10,000,000 from the kernel, or all that a file makes. Ctrl-C prints the results so far. The exit
    code is 1 if anything failed, and 130 after Ctrl-C if nothing did.
    """
    battery = _battery(dice, source, sequences)
    interrupted = _work_through(battery)
    report = battery.report()
    say(_plain(report, source), lambda: _show(report, source), as_json=as_json)
    if report.failed or interrupted:
        raise click.exceptions.Exit(1 if report.failed else Interrupted.exit_code)


def _battery(dice: int | None, source: str, sequences: int) -> Battery:
    with needing("rng", "numpy", "scipy"):
        from stickman.randomness import battery  # noqa: PLC0415 - the table does without

    if source == KERNEL:
        return battery.Battery(battery.kernel, (dice or DICE) // 2, sequences)
    stored = battery.stored(Path(source))
    rolls, whole = battery.held(stored)
    if rolls < (wanted := max(battery.ROLLS_MIN, (dice or 0) // 2)):
        raise click.ClickException(f"{source} holds bytes for {2 * rolls} dice; needed: {2 * wanted}")
    return battery.Battery(stored, dice // 2 if dice else rolls, min(sequences, whole))


def _work_through(battery: Battery) -> bool:
    """Run the tests with a bar for each stage; returns whether Ctrl-C ended them."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bars = Progress(*columns, console=Console(stderr=True), transient=True)
    stages: dict[str, TaskID] = {}
    with _interruptible() as asked, closing(battery.steps()) as steps, bars:
        for step in steps:
            if step.stage not in stages:
                stages[step.stage] = bars.add_task(step.stage, total=step.planned)
            bars.update(stages[step.stage], completed=step.done)
            if asked():
                return True
    return False


@contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C stops after the current piece, so that every count is complete."""
    interrupts = 0

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal interrupts
        interrupts += 1
        if interrupts > 1:
            signal.default_int_handler(number, frame)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield lambda: interrupts > 0
    finally:
        signal.signal(signal.SIGINT, before)


# --- The report ---


def _show(report: BatteryReport, source: str) -> None:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=f"Source: {source}", title_justify="left")
    for heading in ("test", "p-values", "the lowest of them", "statistic", "p", "after Holm", "verdict"):
        figures = heading in {"p-values", "statistic", "p", "after Holm"}
        table.add_column(heading, justify="right" if figures else "left")
    for name, group in groupby(report.verdicts, key=lambda verdict: verdict.test):
        table.add_row(name, *_row(list(group)))
    screen = console()
    if report.verdicts:
        screen.print(table)
    for verdict in report.failed:
        what = f"{verdict.test}{verdict.what and f', {verdict.what}'}"
        screen.print(f"Failed: {what}", style="bold red", markup=False)
    for sentence in report.statement():
        screen.print(sentence, markup=False)


def _row(verdicts: list[TestVerdict]) -> list[str]:
    worst = min(verdicts, key=lambda verdict: verdict.p)
    found = [f"{worst.statistic:.4g}", f"{worst.p:.4g}", f"{worst.adjusted:.4g}"]
    return [str(len(verdicts)), worst.what, *found, "FAILED" if worst.failed else "passed"]


def _plain(report: BatteryReport, source: str) -> dict[str, object]:
    return {
        "source": source,
        "dice": report.dice,
        "power_draws": report.power_draws,
        "sequences": report.sequences,
        "finished": report.finished,
        "passed": not report.failed,
        "tests": [
            verdict._asdict() | {"verdict": "failed" if verdict.failed else "passed"} for verdict in report.verdicts
        ],
        "statement": report.statement(),
    }
