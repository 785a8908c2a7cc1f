"""The walk of a tap through the code: `.venv/bin/python bench/walk.py [--calls]`.

A real floor takes one bet of a seat. Every function of ours that is called is written down, from the moment when
the line answers until the store appends; publishing comes after. It prints the files that the walk goes through, in
the order in which they are first met: those that call on into another file of ours. Files that it only looks into
(a lookup, a sum, the clock) come after them. Then the back steps: calls into a file from which the walk has come,
by way of another file (A calls B, and B calls back into A). They make a reader return to a file that was left.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from starlette.websockets import WebSocket

import stickman
from stickman import wire
from stickman.devices.signals import BillStacked
from stickman.floor.events import Place
from stickman.floor.office import Terminal
from stickman.server import demo
from stickman.server.config import plan, read_config
from stickman.server.floor import open_floor
from stickman.server.house import Asked
from stickman.server.line import ScreenLine
from stickman.table import messages as m

OURS = Path(stickman.__file__).parent
TABLE = 2


class Call(NamedTuple):
    """A function of ours that was called, and the files of those who wait for it, the outermost first."""

    file: str
    function: str
    waiting: tuple[str, ...]

    @property
    def is_back(self) -> bool:
        """Whether it goes back to a file that the walk has left."""
        return bool(self.waiting) and self.waiting[-1] != self.file and self.file in self.waiting


class Walk:
    """What is called, from `Line._answer` until a store's `append`."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._met: dict[int, FrameType] = {}
        """Frames that were entered: a coroutine that goes on is not called again."""
        self._state = "waits"

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(str(OURS)) or self._state == "ended":
            return
        if code.co_name == "_answer" and code.co_filename.endswith("line.py"):
            self._state = "walks"
        if self._state == "walks" and code.co_name[0] != "<" and id(frame) not in self._met:
            self._met[id(frame)] = frame
            # A task of its own starts from the file that was last called.
            below = waiting(frame) or tuple(call.file for call in self.calls[-1:])
            self.calls.append(Call(name(frame), code.co_qualname, below))
        if code.co_name == "append" and "/store/" in code.co_filename:
            self._state = "ended"

    @property
    def files(self) -> list[str]:
        return list(dict.fromkeys(call.file for call in self.calls))

    @property
    def through(self) -> list[str]:
        """The files that call on, and the last."""
        on = {call.waiting[-1] for call in self.calls if call.waiting and call.waiting[-1] != call.file}
        return [file for file in self.files if file in on or file == self.calls[-1].file]

    @property
    def back(self) -> list[Call]:
        return [call for call in self.calls if call.is_back]


def name(frame: FrameType) -> str:
    return str(Path(frame.f_code.co_filename).relative_to(OURS))


def waiting(frame: FrameType) -> tuple[str, ...]:
    """The files of ours below a call, each run of one file once."""
    found: list[str] = []
    below = frame.f_back
    while below:
        if below.f_code.co_filename.startswith(str(OURS)) and (not found or found[-1] != name(below)):
            found.append(name(below))
        below = below.f_back
    return tuple(reversed(found))


async def walked(folder: Path) -> Walk:
    """One bet on the pass line at a demonstration's table without progressives."""
    config = demo.make_folder(folder)
    planned = plan(read_config(config.read_text("utf-8"), str(config)), folder, str(config))._replace(demo=True)
    async with open_floor(planned) as floor:
        await demo.prepare(floor)
        await floor.ask(TABLE, Asked(m.Reported(signal=BillStacked(note=1, cents=10_000), seat=1, kind="acceptor")))
        socket = WebSocket({"type": "websocket", "client": ("127.0.0.1", 1)}, _nothing, _nothing)
        terminal = Terminal("walker", Place("seat", TABLE, 1), "")
        line, walk = ScreenLine(socket, floor, terminal, TABLE, ""), Walk()
        bet = wire.Ask(id="walk", request=m.PlaceBet(seat=1, spot="pass", cents=1_000))
        await line.seated()
        # The first bet works out what the table then keeps, such as its layout.
        await line._answer(wire.Ask(id="first", request=m.PlaceBet(seat=1, spot="field", cents=1_000)))  # noqa: SLF001
        sys.setprofile(walk)
        answer = await line._answer(bet)  # noqa: SLF001 - where the walk begins
        sys.setprofile(None)
        assert isinstance(answer, wire.Done), answer
        return walk


async def _nothing(*_: object) -> Any:
    """A socket that is not used."""


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--calls", action="store_true", help="every call, not the files alone")
    with tempfile.TemporaryDirectory() as folder:
        walk = asyncio.run(walked(Path(folder)))
    calls = [f"{call.file}: {call.function}" for call in walk.calls] if asked.parse_args().calls else []
    seen = [f"looked into: {file}" for file in walk.files if file not in walk.through]
    back = [f"back: {' > '.join(call.waiting)} > {call.file}: {call.function}" for call in walk.back]
    counted = f"{len(walk.through)} files, {len(seen)} looked into, {len(walk.calls)} calls, {len(back)} back steps"
    print("\n".join([*calls, *walk.through, *seen, *back, counted]))  # noqa: T201 - its purpose


if __name__ == "__main__":
    main()
