"""The commands."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import track

from stickman.cli import machine_table, par_table
from stickman.cli.play import play
from stickman.cli.shell import JSON, Commands, MoneyOption, console, grid, one_line, say
from stickman.paper.machine_page import machine_svg
from stickman.paper.par_page import par_page
from stickman.par import sheet as par_sheets
from stickman.rules.datafile import BadFile
from stickman.rules.diagram import diagram
from stickman.rules.game import Game
from stickman.rules.layout import LaidBet, Layout
from stickman.rules.settings import GAMES, load, ordered, settings, written

FILE = click.Path(dir_okay=False, writable=True, path_type=Path)
ROLLS_PLOTTED = 60
clear_errors = one_line(BadFile)


class StakeOption(MoneyOption):
    """An amount that can be bet."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        found = super().convert(value, param, ctx)
        return found or self.fail("found a stake of 0; allowed: 0.01 or more", param, ctx)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="stickman")
def main() -> None:
    """Stickman, an electronic craps table: its rules, its mathematics, its games.

    GAME is craps, crapless, easy, roll-to-win, shoot-to-win, or the path of your own game's file.
    """


main.add_command(play)
main.elsewhere = {
    **dict.fromkeys(("export", "replay", "report", "verify"), "stickman.cli.books_commands"),
    **dict.fromkeys(("backup", "program", "serve"), "stickman.cli.serve_commands"),
    "devices": "stickman.cli.devices_command",
    "device": "stickman.cli.device_commands",
    "journal": "stickman.cli.journal_commands",
    "lock": "stickman.cli.lock_commands",
    **dict.fromkeys(("compare", "simulate", "strategies"), "stickman.cli.sim_commands"),
    "rng": "stickman.cli.rng_commands",
    **dict.fromkeys(("floor", "staff", "terminal", "ticket"), "stickman.cli.floor_commands"),
}


@main.command()
@click.argument("game", required=False)
@click.option("--bet", metavar="ID", default="", help="One bet only, such as place.6.")
@click.option("--stake", type=StakeOption(), help="Show what rounding keeps at this stake, such as 5.00.")
@click.option("--json", "as_json", is_flag=True, help="Exact values as JSON.")
@click.option("--html", type=FILE, help="Write one self-contained page to this file.")
@clear_errors
def par(game: str | None, bet: str, stake: int | None, as_json: bool, html: Path | None) -> None:
    """Print the exact par sheet of GAME, or of all five games."""
    request = par_sheets.SheetRequest(bet=bet, stake_cents=stake or 0, rolls_max=ROLLS_PLOTTED if html else 0)
    sheets = []
    names = [game] if game else GAMES
    for name in track(names, "Measuring", console=Console(stderr=True), transient=True, disable=len(names) == 1):
        chosen = load(name)
        sheet = par_sheets.sheet(chosen, request)
        if not sheet.bets and game:
            raise click.ClickException(_unknown_bet(bet, par_sheets.full_layout(chosen)))
        if sheet.bets:
            sheets.append(sheet)
    if not sheets:
        raise click.ClickException(f"no game has a bet {bet!r}")
    if html:
        html.write_text(par_page([sheet.plain() for sheet in sheets]), "utf-8")
        click.echo(f"Wrote {html}", err=True)
    if as_json:
        plain = [sheet.plain() for sheet in sheets]
        click.echo(json.dumps(plain[0] if game else plain, indent=2))
    elif not html:
        for sheet in sheets:
            par_table.show(console(), sheet)


@main.command()
@click.argument("bet")
@click.option("--game", default="craps", show_default=True, help="The game that plays it.")
@click.option("--all", "every", is_flag=True, help="Every state of a large machine.")
@click.option("--json", "as_json", is_flag=True, help="The machine as JSON.")
@click.option("--svg", type=FILE, help="Draw it to this file.")
@clear_errors
def show(bet: str, game: str, every: bool, as_json: bool, svg: Path | None) -> None:
    """Draw the machine of BET: its states, what each total does, what is paid."""
    layout = par_sheets.full_layout(load(game))
    drawn = diagram(layout, _bet(bet, layout))
    plain = msgspec.to_builtins(drawn)
    if svg:
        svg.write_text(machine_svg(plain), "utf-8")
        click.echo(f"Wrote {svg}", err=True)
    if as_json or not svg:
        say(plain, lambda: machine_table.show(console(), drawn, every=every), as_json=as_json)


@main.command("settings")
@click.argument("game", default="craps")
@JSON
@clear_errors
def list_settings(game: str, as_json: bool) -> None:
    """List every setting of GAME: its value, what is allowed, and what it does."""
    chosen = load(game)
    title = f"{chosen.title} · {chosen.fingerprint()[:16]}"
    table = grid(("setting", "value", "allowed", "what it does"), title=title, title_justify="left")
    for setting in settings(chosen):
        table.add_row(setting.key, written(setting.value), setting.allowed, setting.help)
    say(_plain_settings(chosen), lambda: console().print(table), as_json=as_json)


def _plain_settings(game: Game) -> dict[str, object]:
    found = [
        {"key": s.key, "value": msgspec.to_builtins(ordered(s.value)), "allowed": s.allowed, "help": s.help}
        for s in settings(game)
    ]
    return {"game": game.name, "fingerprint": game.fingerprint(), "settings": found}


def _bet(name: str, layout: Layout) -> LaidBet:
    """A bet by its id, or by a spot of its wagers."""
    owners = {state.spot: state.bet for state in layout.states.values()}
    owner = name if name in layout.bets else owners.get(name)
    if owner is None:
        raise click.ClickException(_unknown_bet(name, layout))
    return layout.bets[owner]


def _unknown_bet(name: str, layout: Layout) -> str:
    close = difflib.get_close_matches(name, layout.bets, n=5) or list(layout.bets)
    return f"{layout.game.name} has no bet {name!r}; allowed: {', '.join(close)}"
