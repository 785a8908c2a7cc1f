"""Write the pages of this folder that are made from the code: `make docs`. A test fails when one is stale."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec

from stickman.devices import config as device_config
from stickman.devices.signals import DEVICE_KINDS, MAY_SIGNAL
from stickman.floor.events import LOWEST
from stickman.par.sheet import full_layout
from stickman.rules.datafile import allowed
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
    lines += ["\n## At the office, over HTTP\n"]
    lines += ["*With the key*: also at a seat's terminal while its key switch is turned, about its own table.\n"]
    lines += ["| endpoint | lowest role | needed for | with the key |\n|---|---|---|---|"]
    for endpoint, (act, _, with_key) in DESK.items():
        shown, key = endpoint.replace(":int", ""), "yes" if with_key else ""
        lines.append(f"| `{shown}` | {LOWEST[act].value.replace('_', ' ')} | {act.value} | {key} |")
    lines += ["\n## What devices report\n", "| device | signals |\n|---|---|"]
    for kind, signals in MAY_SIGNAL.items():
        tags = ", ".join(f"`{each.__struct_config__.tag}`" for each in signals)
        lines.append(f"| {kind} | {tags} |")
    return "\n".join(lines) + "\n"


def devices_page() -> str:
    """The page of devices, which people write, with its tables."""
    page = (HERE / "devices.md").read_text("utf-8")
    for name, table in {"keys": _device_keys(), "signals": _device_signals()}.items():
        mark = f"<!-- made by docs/build.py from the code: {name} -->\n"
        before, _, rest = page.partition(mark)
        page = before + mark + table + rest[rest.index("<!-- end -->") :]
    return page


def _device_keys() -> str:
    """Every key of the configuration: its default, what is allowed, what it is."""
    groups: dict[str, type[msgspec.Struct]] = {
        "": device_config.DevicesConfig,
        "acceptors.NAME.": device_config.AcceptorConfig,
        "printers.NAME.": device_config.PrinterConfig,
        "printers.NAME.paper.": device_config.PaperConfig,
        "doors.NAME.": device_config.DoorsConfig,
        "doors.NAME.contacts.PLACE.": device_config.ContactConfig,
    }
    lines = ["| key | default | allowed | what it is |\n|---|---|---|---|"]
    for prefix, kind in groups.items():
        help_ = _field_docs(kind)
        for field in msgspec.structs.fields(kind):
            if isinstance(field.default, msgspec.Struct) or field.name in (
                "acceptors",
                "printers",
                "doors",
                "contacts",
            ):
                continue
            default = "" if field.required else f"`{msgspec.json.encode(field.default).decode()}`"
            values = re.sub(r"(of the form )(\S+)", lambda found: f"{found[1]}`{found[2]}`", allowed(field.type))
            values = values.replace("|", "\\|")
            lines.append(f"| `{prefix}{field.name}` | {default} | {values} | {help_.get(field.name, '')} |")
    return "\n".join(lines) + "\n"


def _field_docs(kind: type) -> dict[str, str]:
    """By field, the text behind it in the source."""
    body = ast.parse(inspect.getsource(kind)).body[0]
    assert isinstance(body, ast.ClassDef)
    return {
        field.target.id: " ".join(str(text.value.value).split())
        for field, text in pairwise(body.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
    }


def _device_signals() -> str:
    """Every signal, and the kinds of devices that may report it."""
    lines = [f"| signal | {' | '.join(DEVICE_KINDS)} | what it says |", "|---|" + "---|" * (len(DEVICE_KINDS) + 1)]
    for signal in dict.fromkeys(each for kind in DEVICE_KINDS for each in MAY_SIGNAL[kind]):
        marks = " | ".join("yes" if signal in MAY_SIGNAL[kind] else "" for kind in DEVICE_KINDS)
        first, _, _ = " ".join((signal.__doc__ or "").split()).partition(". ")
        lines.append(f"| `{signal.__struct_config__.tag}` | {marks} | {first.rstrip('.')} |")
    return "\n".join(lines) + "\n"


def pages() -> Iterator[tuple[Path, str]]:
    """Each page by its file."""
    yield HERE / "bets.md", bets_page()
    yield HERE / "settings.md", settings_page()
    yield HERE / "roles.md", roles_page()
    yield HERE / "protocol.md", protocol_page.page()
    yield HERE.parent / "web" / "src" / "wire.ts", protocol_page.typescript()
    yield HERE / "devices.md", devices_page()
    yield HERE / "scripts.md", f"# Scripts\n\n{MADE}\n{script.reference()}"


if __name__ == "__main__":
    for file, text in pages():
        file.write_text(text, "utf-8")
