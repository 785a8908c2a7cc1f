"""How both databases are read: the same questions in the same SQL, with `$1`, `$2` and so on for their values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from typing import Any

from stickman.store.store import EMPTY, STRAYS_MAX, Claimed, Entry, Head, Move, Record, StoredSnapshot, Stray

CHUNK = 1_000
"""Maximum number of rows per read."""
LAST = 2**63 - 1
"""More than the number of any record."""

STREAMS = """
WITH RECURSIVE written AS (
    SELECT min(stream) AS stream FROM journal
    UNION ALL
    SELECT (SELECT min(stream) FROM journal WHERE stream > written.stream) FROM written WHERE stream IS NOT NULL
)
SELECT stream FROM written WHERE stream IS NOT NULL
UNION
SELECT stream FROM head WHERE seq > 0  -- for checks: its records may have been removed
ORDER BY stream
"""
STORED = "SELECT stream, seq, at_ms, coalesce(command, ''), actor, body, digest, mac FROM journal WHERE stream = $1"
MOVES = """
SELECT seq, source, target, cents FROM move WHERE stream = $1 AND seq BETWEEN $2 AND $3 ORDER BY 1, 2, 3
"""
CLAIMS = "SELECT seq, claim FROM claim WHERE stream = $1 AND seq BETWEEN $2 AND $3 ORDER BY 1, 2"
CLAIMED = "SELECT claim, stream, seq FROM claim WHERE"
STRAYS = """
SELECT * FROM (SELECT 'claim' AS kind, stream, seq, claim AS what FROM claim
    WHERE NOT EXISTS (SELECT 1 FROM journal AS j WHERE j.stream = claim.stream AND j.seq = claim.seq)
    LIMIT $1) AS claims
UNION ALL
SELECT * FROM (SELECT 'move', stream, seq, source || ' to ' || target || ': ' || cents FROM move
    WHERE NOT EXISTS (SELECT 1 FROM journal AS j WHERE j.stream = move.stream AND j.seq = move.seq)
    LIMIT $1) AS moves
UNION ALL
SELECT * FROM (SELECT 'snapshot', stream, seq, length(body) || ' bytes' FROM snapshot
    WHERE NOT EXISTS (SELECT 1 FROM journal AS j WHERE j.stream = snapshot.stream AND j.seq = snapshot.seq)
    LIMIT $1) AS snapshots
"""
KEEP_SNAPSHOT = """
INSERT INTO snapshot (stream, seq, digest, body) VALUES ($1, $2, $3, $4)
ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, digest = excluded.digest, body = excluded.body
WHERE snapshot.seq <= excluded.seq OR snapshot.seq > (SELECT seq FROM head WHERE stream = excluded.stream)
"""


class SqlReading(ABC):
    """The part of a `Store` that reads."""

    @abstractmethod
    async def _select(self, sql: str, *values: int | str) -> Sequence[Any]:
        """The rows of a query."""

    async def head(self, stream: int) -> Head:
        rows = await self._select("SELECT seq, digest FROM head WHERE stream = $1", stream)
        return Head(*rows[0]) if rows else EMPTY

    async def streams(self) -> list[int]:
        return [stream for (stream,) in await self._select(STREAMS)]

    async def records(self, stream: int, after: int = 0, upto: int | None = None) -> AsyncIterator[Record]:
        async for chunk in self._chunks(stream, after, upto):
            for record in chunk:
                yield record

    async def entries(self, stream: int, after: int = 0, upto: int | None = None) -> AsyncIterator[Entry]:
        async for chunk in self._chunks(stream, after, upto):
            span = stream, chunk[0].seq, chunk[-1].seq
            moves, claims = defaultdict[int, list[Move]](list), defaultdict[int, list[str]](list)
            for seq, *move in await self._select(MOVES, *span):
                moves[seq].append(Move(*move))
            for seq, claim in await self._select(CLAIMS, *span):
                claims[seq].append(claim)
            for record in chunk:
                yield Entry(record, tuple(moves[record.seq]), tuple(claims[record.seq]))

    async def _chunks(self, stream: int, after: int, upto: int | None) -> AsyncIterator[list[Record]]:
        """Records in chunks; between two chunks nothing is locked in the database."""
        sql = f"{STORED} AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4"
        while rows := await self._select(sql, stream, after, LAST if upto is None else upto, CHUNK):
            chunk = [Record(*row) for row in rows]
            yield chunk
            after = chunk[-1].seq

    async def record(self, stream: int, seq: int) -> Record | None:
        rows = await self._select(f"{STORED} AND seq = $2", stream, seq)
        return Record(*rows[0]) if rows else None

    async def commanded(self, stream: int, command: str) -> Record | None:
        rows = await self._select(f"{STORED} AND command = $2", stream, command)
        return Record(*rows[0]) if rows else None

    async def claimed(self, claim: str) -> Claimed | None:
        rows = await self._select(f"{CLAIMED} claim = $1", claim)
        return Claimed(*rows[0]) if rows else None

    async def claims(self, prefix: str) -> AsyncIterator[Claimed]:
        rows = await self._select(f"{CLAIMED} claim >= $1 ORDER BY claim LIMIT $2", prefix, CHUNK)
        while rows:
            found = [Claimed(*row) for row in rows]
            for claimed in found:
                if not claimed.claim.startswith(prefix):
                    return
                yield claimed
            rows = await self._select(f"{CLAIMED} claim > $1 ORDER BY claim LIMIT $2", found[-1].claim, CHUNK)

    async def newest_claims(self, stream: int, limit: int) -> list[Claimed]:
        sql = f"{CLAIMED} stream = $1 ORDER BY seq DESC, claim LIMIT $2"
        return [Claimed(*row) for row in await self._select(sql, stream, limit)]

    async def shared(self, account: str) -> dict[int, int]:
        rows = await self._select("SELECT stream, cents FROM shared WHERE account = $1 ORDER BY stream", account)
        return dict(map(tuple, rows))

    async def all_shared(self) -> dict[tuple[str, int], int]:
        rows = await self._select("SELECT account, stream, cents FROM shared")
        return {(account, stream): cents for account, stream, cents in rows}

    async def strays(self) -> list[Stray]:
        return [Stray(*row) for row in await self._select(STRAYS, STRAYS_MAX)]

    async def snapshot(self, stream: int) -> StoredSnapshot | None:
        for seq, digest, body in await self._select(
            "SELECT seq, digest, body FROM snapshot WHERE stream = $1", stream
        ):
            return StoredSnapshot(stream, Head(seq, digest), body)
        return None
