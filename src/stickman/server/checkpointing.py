"""Signs where the journal ends, at intervals, and notices if the file of checkpoints was cut or replaced.

The file alone shows that its lines follow from each other, but not that its newest lines are missing or that it was
started again. So the floor's journal notes the newest checkpoint: when a server starts, when it stops, and every
`NOTED_EVERY_MS` in between, because a record with each checkpoint would double a quiet journal. Until the next
note, only the server that signed a checkpoint can notice that it is missing.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

import structlog

from stickman.floor.clock import Clock
from stickman.floor.events import CheckpointNoted
from stickman.floor.office import Noted, Office
from stickman.server.operations import Metrics
from stickman.store.checkpoints import CheckpointFile, Torn, digest_of, disagreements, sign_heads
from stickman.store.signing import Untrusted
from stickman.store.store import BadRecord, NotAppended, Store

NOTED_EVERY_MS = 3_600_000

log = structlog.get_logger()


async def check_signed(file: CheckpointFile | None, store: Store) -> None:
    """Raise `Untrusted` if a journal lacks something that was signed. A server on it would pay tickets twice, and
    let in staff who were removed."""
    if file is None or not file.path.exists():
        return
    try:
        newest = await asyncio.to_thread(file.newest)
    except (Torn, Untrusted, OSError):
        return  # the file itself is checked before the next signature
    found = await disagreements(store, newest) if newest else []
    if found:
        raise Untrusted(
            str(file.path),
            "; ".join(f"{each.what} at record {each.seq} of stream {each.stream}" for each in found),
            "a journal with all that was signed; see docs/keys.md for how to continue after a restore",
        )


class Signing:
    """The checkpoints of a floor, signed by this process. Without a file it does nothing."""

    def __init__(self, file: CheckpointFile | None, office: Office, clock: Clock, metrics: Metrics) -> None:
        self._file, self._office, self._clock, self._metrics = file, office, clock, metrics
        self._signed = Noted()
        """The newest checkpoint of this process."""
        self._noted_ms = clock.now_ms()

    async def run(self, every_s: int) -> None:
        """Note the newest checkpoint, then keep signing."""
        if self._file is None:
            if self._office.floor.checkpoint.number:
                log.critical("checkpoints are no longer signed: the configuration names no file for them")
            return
        if await self._continues():
            await self.note()
        while True:
            await asyncio.sleep(every_s)
            await self.sign()
            if self._clock.now_ms() - self._noted_ms >= NOTED_EVERY_MS:
                await self.note()

    async def sign(self) -> None:
        """Sign where all streams end, unless the journal disagrees with the newest checkpoint, or the file is not
        the one that this floor signs."""
        if self._file:
            self._metrics.checkpoints.labels(await self._outcome(self._file)).inc()

    async def _outcome(self, file: CheckpointFile) -> str:
        try:
            if not await self._continues():
                return "discontinued"
            if found := await sign_heads(self._office.store, file, self._clock.now_ms()):
                log.critical("the journal disagrees with its newest checkpoint", findings=list(map(str, found)))
                return "disagreed"
            await self._remember(file)
        except Torn as torn:
            log.warning("removing a checkpoint that a crash left unfinished", problem=str(torn))
            await asyncio.to_thread(file.mend)
            return "repaired"
        except (Untrusted, NotAppended, BadRecord, OSError) as problem:
            log.critical("no checkpoint was signed", problem=str(problem))
            return "failed"
        return "signed"

    async def _continues(self) -> bool:
        """Whether the file has the newest known checkpoint; if not, an operator must look."""
        known = self._known()
        if self._file is None or not known.number:
            return True
        try:
            wrong = await asyncio.to_thread(self._file.lacks, known.number, known.digest)
        except (Untrusted, OSError) as problem:
            wrong = str(problem)
        except Torn:
            return True  # it is repaired before the next signature
        if wrong:
            log.critical(
                "the file lacks checkpoints that were signed before; nothing is signed until `stickman journal"
                " begin-checkpoints` starts a new file",
                problem=wrong,
            )
        return not wrong

    def _known(self) -> Noted:
        """The newest known checkpoint of this file: from the journal, or signed by this process."""
        noted = self._office.floor.checkpoint
        mine = self._signed.file == noted.file and self._signed.number > noted.number
        return self._signed if mine else noted

    async def _remember(self, file: CheckpointFile) -> None:
        newest = await asyncio.to_thread(file.newest)
        if newest:
            self._signed = Noted(newest.number, digest_of(newest), self._office.floor.checkpoint.file)

    async def note(self) -> None:
        """Note the newest checkpoint in the floor's journal."""
        if self._file is None:
            return
        self._noted_ms = self._clock.now_ms()
        with suppress(NotAppended, Untrusted, Torn, OSError):  # the next note may succeed
            if self._file.path.exists():
                await self._remember(self._file)
            known = self._known()
            if known.number > self._office.floor.checkpoint.number:
                noted = CheckpointNoted(number=known.number, digest=known.digest)
                await self._office.record(noted, at_ms=self._clock.now_ms())
