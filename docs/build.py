"""Write the pages of this folder that are made from the code: `make docs`. A test fails when one is stale."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from stickman.floor.events import LOWEST
from stickman.par.sheet import full_layout
from stickman.rules.layout import LaidBet, Layout
from stickman.rules.machine import How
from stickman.rules.settings import GAMES, load, settings, written
from stickman.server.auth import WHO
from stickman.server.desk import DESK
from stickman.table import script

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from docs import protocol_page  # noqa: E402 - found only now, where this runs as a program

MADE = "Made from the code by `make docs`.\n"


def bets_page() -> str:
    """Every bet: where it is offered, what it pays, what rule it follows."""
    layouts = {name: full_layout(load(name)) for name in GAMES}
    ids = list(dict.fromkeys(bet for layout in layouts.values() for bet in layout.bets))
    note = "Ids are the same everywhere. A side game in brackets can be added to the game.\n"
    lines = ["# Every bet\n", MADE, note]
    lines += ["| id | bet | " + " | ".join(GAMES) + " | rule |", "|---|---|" + "---|" * (len(GAMES) + 1)]
    for bet in ids:
        cells = [_pays(layout, layout.bets.get(bet)) for layout in layouts.values()]
        known = next(layout.bets[bet] for layout in layouts.values() if bet in layout.bets)
        lines.append(f"| `{bet}` | {known.title} | {' | '.join(cells)} | {known.source} |")
    return "\n".join(lines) + "\n"


def _pays(layout: Layout, bet: LaidBet | None) -> str:
    if bet is None:
        return ""
    cells = [cell.pay for state in bet.states for how in How for cell in layout.row(state, how)]
    numbers = dict.fromkeys(number for number in cells if number)
    pays = list(dict.fromkeys(str(layout.pays[number].pays) for number in numbers))
    text = ", ".join(pays) if len(pays) <= 3 else f"{pays[0]} … {pays[-1]}"
    offered = not bet.side or getattr(load(layout.game.name), bet.family).on
    return text if offered else f"({text})"


def settings_page() -> str:
    """Every setting: its value in each game, what is allowed, what it does."""
    games = [load(name) for name in GAMES]
    lines = ["# Every setting\n", MADE, "In **bold** where a built-in game differs from `craps`.\n"]
    lines += ["| setting | " + " | ".join(GAMES) + " | allowed | what it does |"]
    lines += ["|---|" + "---|" * (len(GAMES) + 2)]
    for each in zip(*map(settings, games), strict=True):
        values = [written(setting.value) for setting in each]
        cells = [value if value == values[0] else f"**{value}**" for value in values]
        lines.append(f"| `{each[0].key}` | {' | '.join(cells)} | {each[0].allowed} | {each[0].help} |")
    return re.sub(r"of the form (\S+) \|", r"of the form `\1` |", "\n".join(lines)) + "\n"


def roles_page() -> str:
    """Who may ask what, of tables and of the office."""
    lines = ["# Who may ask what\n", MADE, "## At a table\n"]
    lines += ["| request | who may make it |\n|---|---|"]
    lines += [f"| `{kind.__struct_config__.tag}` | {who} |" for kind, who in WHO.items()]
    lines += ["\n## At the office, over HTTP\n", "| endpoint | lowest role | needed for |\n|---|---|---|"]
    for endpoint, (act, _) in DESK.items():
        shown = endpoint.replace(":int", "")
        lines.append(f"| `{shown}` | {LOWEST[act].value.replace('_', ' ')} | {act.value} |")
    return "\n".join(lines) + "\n"


def pages() -> Iterator[tuple[Path, str]]:
    """Each page by its file."""
    yield HERE / "bets.md", bets_page()
    yield HERE / "settings.md", settings_page()
    yield HERE / "roles.md", roles_page()
    yield HERE / "protocol.md", protocol_page.page()
    yield HERE.parent / "web" / "src" / "wire.ts", protocol_page.typescript()
    yield HERE / "scripts.md", f"# Scripts\n\n{MADE}\n{script.reference()}"


if __name__ == "__main__":
    for file, text in pages():
        file.write_text(text, "utf-8")
