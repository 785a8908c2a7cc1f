"""A game's settings as a table to read."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from stickman.rules.game import Game
from stickman.rules.settings import settings, written


def show(screen: Console, game: Game) -> None:
    """Print every setting of the game."""
    table = Table(
        title=f"{game.title} · {game.fingerprint()[:16]}",
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
    for heading in ("setting", "value", "allowed", "what it does"):
        table.add_column(heading, overflow="fold")
    for setting in settings(game):
        table.add_row(setting.key, written(setting.value), setting.allowed, setting.help)
    screen.print(table)
