"""Files of the strategy lab: histograms as CSV or Parquet, plots as SVG."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from stickman.cli.shell import needing
from stickman.cli.sim_results import Plain, measures
from stickman.paper.sim_page import PagePicture

if TYPE_CHECKING:
    from stickman.sim.compare import Comparison
    from stickman.sim.exact import Exact
    from stickman.sim.result import SimResult

Rows = Sequence[tuple[object, ...]]
"""A row of names, then values."""


def result_rows(result: SimResult) -> Iterator[tuple[object, ...]]:
    """Every histogram of a result, value by value."""
    yield "measure", "value", "sessions"
    for measure, counts in measures(result).items():
        for value in sorted(counts):
            yield measure, value, counts[value]


def exact_rows(answer: Exact) -> Iterator[tuple[object, ...]]:
    """The chance of every net result, and of every drawdown if that was asked for."""
    yield "measure", "value", "chance"
    for net, chance in answer.net.items():
        yield "net_cents", net, chance
    for fall, chance in sorted((answer.drawdown or {}).items()):
        yield "drawdown_cents", fall, chance


def comparison_rows(names: Sequence[str], found: Comparison) -> Iterator[tuple[object, ...]]:
    """Every histogram of every strategy, then of every pair's difference."""
    yield "strategy", "measure", "value", "sessions"
    for name, result in zip(names, found.results, strict=True):
        for measure, counts in measures(result).items():
            for value in sorted(counts):
                yield name, measure, value, counts[value]
    for (first, second), pair in found.pairs.items():
        for value in sorted(pair.net):
            yield f"{names[first]} less {names[second]}", "net_cents", value, pair.net[value]


def write_csv(file: Path, rows: Rows) -> None:
    with file.open("w", newline="", encoding="utf-8") as lines:
        csv.writer(lines).writerows(rows)
    wrote(file)


def write_parquet(file: Path, rows: Rows, plain: Plain) -> None:
    """Whole numbers are 64-bit columns; the simulation and its digest are in the metadata."""
    with needing("sim", "pyarrow"):
        import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415 - it has no types; the table does without
        import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415

    names, *values = rows
    columns = list(zip(*values, strict=True)) or [()] * len(names)
    kinds = {"sessions": pa.int64(), "value": pa.int64(), "chance": pa.float64()}
    schema = pa.schema([(str(name), kinds.get(str(name), pa.string())) for name in names])
    about = {key: value for key, value in plain.items() if not isinstance(value, dict | list) and value is not None}
    if "strategies" in plain:
        about["digest"] = json.dumps({each["strategy"]: each["digest"] for each in plain["strategies"]})
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    metadata = {key: str(value) for key, value in about.items()}
    pq.write_table(pa.Table.from_arrays(arrays, schema=schema.with_metadata(metadata)), file)
    wrote(file)


def write_plots(folder: Path, pictures: Iterable[PagePicture]) -> None:
    """Each plot as an SVG file."""
    folder.mkdir(parents=True, exist_ok=True)
    for picture in pictures:
        file = folder / f"{picture.name}.svg"
        file.write_text(picture.drawing.file(), "utf-8")
        wrote(file)


def wrote(file: Path) -> None:
    click.echo(f"Wrote {file}", err=True)
