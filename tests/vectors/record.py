"""Keep a journal of this version of the events, to be read by every later one: `python -m tests.vectors.record`.
A word after that names a further journal of a version that has grown since its first (`journal-v3-last.jsonl`).

Each golden session becomes a stream, a line to a record, and a last line says what the table came to. A file that
exists is never written again: what was once in a journal must be readable for ever.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from stickman.floor.journal import entry
from stickman.store.store import EMPTY, SCHEMA
from stickman.table import script
from stickman.table.messages import TableOpened
from stickman.table.state import Table
from tests.playthroughs.update import SCRIPTS

HERE = Path(__file__).parent
LEFT_OUT = ("settings", "change", "roll-to-win", "shoot-to-win", "on-off-held", "refusals", "side-limits")
"""Sessions that add nothing to the others but length."""


def summary(table: Table) -> dict[str, Any]:
    """What a table came to, in words that do not depend on the program."""
    return {
        "accounts": {account: cents for account, cents in sorted(table.accounts.items()) if cents},
        "puck": table.hand.puck,
        "rolls": table.hand.rolls,
        "phase": table.phase,
        "wagers": {
            f"{seat.number} {spot}": wager.stake_cents
            for seat in table.seats
            for spot, wager in sorted(seat.felt.wagers.items())
        },
        "meters": dict(sorted({**table.play_meters, **table.cash_meters}.items())),
    }


def main() -> None:
    file = HERE / f"journal-v{SCHEMA}{'-' + sys.argv[1] if sys.argv[1:] else ''}.jsonl"
    if file.exists():
        sys.exit(f"{file} is kept for ever; events of another meaning need another version")
    with file.open("w", encoding="utf-8") as out:
        for stream, path in enumerate((path for path in SCRIPTS if path.stem not in LEFT_OUT), start=1):
            played, head = script.play(path.read_text("utf-8")), EMPTY
            game = played.start.game
            opened = (TableOpened(game=game, fingerprint=game.fingerprint()),)
            for number, events in enumerate([opened, *(step.events for step in played.steps)]):
                if events:
                    record = entry(head, events, stream=stream, at_ms=1000 + number, actor="script").record
                    head = record.head
                    line = {"stream": stream, "digest": record.digest.hex(), "body": record.body.decode()}
                    out.write(json.dumps(line) + "\n")
            out.write(json.dumps({"stream": stream, "end": summary(played.table)}) + "\n")


if __name__ == "__main__":
    main()
