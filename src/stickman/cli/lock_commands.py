"""The commands that make keys, sign a jurisdiction's lock, and check what it allows."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from stickman.cli.shell import console, grid, reporting, say
from stickman.floor import lock as locks
from stickman.floor.lock import EVERY_GAME, LOCKS, WHOLE_NUMBERS, Bounds, Lock, shipped
from stickman.rules.datafile import BadFile
from stickman.rules.game import Game
from stickman.rules.settings import load
from stickman.store.signing import Signer, Untrusted, Verifier

FILE = click.Path(path_type=Path)
PASSWORD = click.option("--password", "ask", is_flag=True, help="The key has a password: ask for it.")
EVERY_GAME_SHOWN = "every game"


reports = reporting(BadFile, Untrusted)
"""Adds `--json`, and prints these errors in one line."""


@click.group()
def lock() -> None:
    """Make keys, sign a jurisdiction's lock, and check what it allows."""


@lock.command()
@click.argument("name", type=FILE)
@PASSWORD
@reports
def key(name: Path, ask: bool, as_json: bool) -> None:
    """Make a key: NAME.pem to sign, which must stay secret, and NAME.pub.pem to check."""
    private, public = name.with_name(f"{name.name}.pem"), name.with_name(f"{name.name}.pub.pem")
    signer, password = Signer.generate(), _password(new=True) if ask else ""
    signer.save_public(public)
    signer.save(private, password)
    made = {"key": signer.key_id, "private": str(private), "public": str(public)}
    say(made, f"Made key {signer.key_id}: {private}, {public}", as_json=as_json)


@lock.command()
@click.argument("file", type=FILE)
@click.option("--key", "key_file", type=FILE, required=True, help="The private key, NAME.pem.")
@PASSWORD
@reports
def sign(file: Path, key_file: Path, ask: bool, as_json: bool) -> None:
    """Sign the lock FILE: writes FILE.sig next to it."""
    signer = Signer.load(key_file, _password(new=False) if ask else "")
    written = locks.sign_lock(file, signer)
    made = {"key": signer.key_id, "signature": str(written)}
    say(made, f"Signed with key {signer.key_id}: {written}", as_json=as_json)


@lock.command()
@click.argument("file")
@click.option("--key", "key_files", type=FILE, multiple=True, help="A public key, NAME.pub.pem; may be repeated.")
@click.option("--game", default="", help="Check this game, by name or by file.")
@reports
def check(file: str, key_files: tuple[Path, ...], game: str, as_json: bool) -> None:
    """Verify the lock FILE and print what it allows; with a game, what it forbids there.

    FILE may be the name of an example, open or washington, which needs no --key. The exit code is 1 if anything is
    bad or forbidden.
    """
    path = shipped(f"{file}.toml") if file in LOCKS else Path(file)
    if not key_files and file not in LOCKS:
        raise click.UsageError("--key is missing: the public key that this lock should be signed with")
    checked = locks.load_lock(path, Verifier.load(*(key_files or [shipped(locks.EXAMPLE_KEY)])))
    judged = load(game) if game else None
    forbidden = checked.forbids(judged) if judged else []
    verdict = {"game": judged.name, "forbidden": forbidden} if judged else {}
    say(_plain(checked) | verdict, lambda: _show(checked, judged, forbidden), as_json=as_json)
    if forbidden:
        raise click.exceptions.Exit(1)


def _password(*, new: bool) -> str:
    return str(click.prompt("Password of the key", hide_input=True, confirmation_prompt=new, err=True))


def _show(checked: Lock, judged: Game | None, forbidden: list[str]) -> None:
    click.echo(f"{checked.name}: the signature is valid. SHA-256 {checked.digests[0]}")
    if judged is None:
        console().print(_table(checked), markup=False)
    for sentence in forbidden:
        click.echo(f"Forbidden: {sentence}")
    if judged and not forbidden:
        click.echo(f"Nothing of {judged.title} ({judged.name}) is forbidden.")


def _table(checked: Lock) -> Table | str:
    table = grid(("game", "setting", "allowed"))
    if checked.local_network_only:
        table.add_row(EVERY_GAME_SHOWN, "network", "only the local one, never the internet")
    for game, settings in checked.bounds.items():
        for name, bounds in settings.items():
            table.add_row(EVERY_GAME_SHOWN if game == EVERY_GAME else game, name, str(bounds))
    for bet in sorted(checked.banned_bets):
        table.add_row(EVERY_GAME_SHOWN, bet, "not on offer")
    return table if table.row_count else "It forbids nothing."


def _plain(checked: Lock) -> dict[str, object]:
    return {
        "lock": checked.name,
        "sha256": list(checked.digests),
        "local_network_only": checked.local_network_only,
        "banned": sorted(checked.banned_bets),
        "allowed": [
            {"game": None if game == EVERY_GAME else game, "setting": name, **_plain_bounds(bounds)}
            for game, settings in checked.bounds.items()
            for name, bounds in settings.items()
        ],
    }


def _plain_bounds(bounds: Bounds) -> dict[str, object]:
    limited = bounds.span != WHOLE_NUMBERS
    return {
        "values": bounds.values,
        "min": bounds.span.start if limited else None,
        "max": bounds.span.stop - 1 if limited else None,
        "needs": bounds.needs,
    }
