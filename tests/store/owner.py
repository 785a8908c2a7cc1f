"""An owner in a process of its own, to be killed and frozen: `python -m tests.store.owner URL NAME`.

It waits for stream 1, then appends to it without end. It says `waits`, `owns EPOCH`, and `kept SEQ` for each record
once the store has it; when another owner has taken over it says `fenced` and ends.
"""

from __future__ import annotations

import asyncio
import sys

from stickman.store.store import Fenced
from tests.store.contract import batch, entry, opened

STREAM = 1
REST_S = 0.02
"""Between two appends, so that it is mostly frozen at rest: nobody can write to a SQLite file while its writer is
frozen in the middle of it."""


async def main(url: str, name: str) -> None:
    async with opened(url) as store:
        say("waits")
        try:
            async with store.own(STREAM, name) as lease:
                say(f"owns {lease.epoch}")
                head = await store.head(STREAM)
                while True:
                    head = await store.append(batch(lease, head, entry(head, actor=name)))
                    say(f"kept {head.seq}")
                    await asyncio.sleep(REST_S)
        except Fenced:
            say("fenced")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
