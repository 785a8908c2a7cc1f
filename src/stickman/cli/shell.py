"""What all commands share: printing, errors, and loading on demand."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from stickman.rules.money import cents

P = ParamSpec("P")
R = TypeVar("R")
WIDTH_WITHOUT_TERMINAL = 132

JSON = click.option("--json", "as_json", is_flag=True, help="As JSON.")
FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)


def console(width_without_terminal: int = WIDTH_WITHOUT_TERMINAL) -> Console:
    """The console for readable output: as wide as the terminal, or as wide as given if there is none."""
    screen = Console(highlight=False, markup=False)  # text from people is shown, never interpreted
    return screen if screen.is_terminal else Console(highlight=False, markup=False, width=width_without_terminal)


def say(value: object, shown: str | Callable[[], None], *, as_json: bool) -> None:
    """Print a value as JSON, or as a person reads it: a sentence, or what a function prints."""
    if as_json:
        click.echo(json.dumps(value, indent=2))
    elif isinstance(shown, str):
        click.echo(shown)
    else:
        shown()


def grid(columns: Iterable[str], figures: Collection[str] = (), **options: Any) -> Table:
    """A table for a terminal: its headings, and those of columns with figures."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, **options)
    for heading in columns:
        table.add_column(heading, justify="right" if heading in figures else "left", overflow="fold")
    return table


def one_line(*problems: type[Exception]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Print these problems in one line, without a traceback."""

    plain: tuple[type[Exception], ...] = (*problems, OSError)

    def decorate(command: Callable[P, R]) -> Callable[P, R]:
        @wraps(command)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return command(*args, **kwargs)
            except plain as problem:
                raise click.ClickException(str(problem)) from None

        return guarded

    return decorate


def reporting(*problems: type[Exception]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The option --json, and `one_line` for these problems."""
    return lambda command: JSON(one_line(*problems)(command))


class Interrupted(click.ClickException):
    """The user pressed Ctrl-C: how far it got."""

    exit_code = 130  # as shells expect it


class NotInstalled(Exception):
    """A package that only some commands need is missing."""


@contextmanager
def needing(extra: str, *packages: str) -> Iterator[None]:
    """Import packages of an extra here; if one is missing, say how to install it."""
    try:
        yield
    except ModuleNotFoundError as missing:
        package, _, _ = str(missing.name).partition(".")
        if package not in packages:
            raise
        raise NotInstalled(f"{package} is not installed: pip install 'stickman[{extra}]'") from None


class Commands(click.Group):
    """Commands that are loaded on demand: a par sheet needs no database."""

    elsewhere: dict[str, str] = {}  # noqa: RUF012 - filled once, where the commands are listed
    """By name, the module that has the command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *self.elsewhere})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.elsewhere:
            return super().get_command(ctx, cmd_name)
        found: click.Command = getattr(import_module(self.elsewhere[cmd_name]), cmd_name)
        return found


class MoneyOption(click.ParamType[int]):
    """An amount such as 5.00, as cents."""

    name = "amount"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return cents(str(value))
        except ValueError as problem:
            self.fail(str(problem), param, ctx)
