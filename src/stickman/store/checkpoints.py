"""Signed checkpoints: where every stream ended, written outside the database.

Each line of the file is a checkpoint as JSON: its number, the time, the heads of all streams, the SHA-256 of the
previous line, the key's id, and the signature over the rest. The program only adds lines.

What this proves: if the journal agrees with a checkpoint, nothing up to that checkpoint was cut off or changed
since it was signed. This holds if the owner of the database cannot write to key and file, and if each record's
digest matches its bytes (readers of the journal check that). It proves nothing about records after the newest
checkpoint, and does not show whether the newest lines of the file itself were cut off.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import itertools
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from stickman.store.signing import Purpose, Signature, Signer, Untrusted, Verifier
from stickman.store.store import Head, Store

Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Heads = dict[int, tuple[Annotated[int, Meta(ge=1)], Digest]]
"""By stream: the number of its last record and that record's digest."""
NO_LINE = "0" * 64
"""The digest before the first line."""
BLOCK = 1 << 16


class Signed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the signature of a checkpoint covers."""

    number: Annotated[int, Meta(ge=1)]
    at_ms: Annotated[int, Meta(ge=0)]
    heads: Heads
    before: Digest
    """The SHA-256 of the previous line, without its end."""
    key: str
    """The id of the key that signed."""


class Checkpoint(Signed, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the file."""

    signature: str
    """As Base64."""


class Torn(Exception):
    """The last line of a file is incomplete, as after a crash. The lines before it are valid."""

    def __init__(self, where: str, remains: bytes) -> None:
        self.remains = remains
        super().__init__(f"{where}: found {len(remains)} bytes of a line that was never finished; expected its end")


# --- Reading ---


def read(path: Path, verifier: Verifier) -> Iterator[Checkpoint]:
    """The checkpoints of a file, oldest first, each as soon as it is checked. `Untrusted` at the first bad line,
    `Torn` at the end if the last line is incomplete."""
    before, digest = None, NO_LINE
    for number, line in _lines(path):
        where = f"{path}: line {number}"
        checkpoint = _proven(line, verifier, where)
        if (checkpoint.number, checkpoint.before) != (number, digest):
            found = f"checkpoint {checkpoint.number}, signed after another line than the one before it"
            raise Untrusted(where, found, f"checkpoint {number}, signed after the line before it")
        if before and (wrong := _backwards(before.heads, checkpoint.heads)):
            raise Untrusted(where, wrong, "streams that only grow")
        yield checkpoint
        before, digest = checkpoint, hashlib.sha256(line).hexdigest()


def digest_of(checkpoint: Checkpoint) -> str:
    """The SHA-256 of a checkpoint's line."""
    return hashlib.sha256(msgspec.json.encode(checkpoint)).hexdigest()


def line_digest(path: Path, number: int) -> str:
    """The SHA-256 of a checkpoint's line, by its number; empty if the file does not have that line."""
    with path.open("rb") as file:
        for line in itertools.islice(file, number - 1, number):
            return hashlib.sha256(line.removesuffix(b"\n")).hexdigest()
    return ""


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that existed when the reading began, numbered, without their ends."""
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)  # let a writer finish its line first
        left = os.fstat(file.fileno()).st_size
        fcntl.flock(file, fcntl.LOCK_UN)
        for number, line in enumerate(file, start=1):
            if left <= 0:
                return
            left -= len(line)
            if left <= 0 and _unfinished(line):
                raise Torn(f"{path}: line {number}", line)
            yield number, line[:-1]


def _proven(line: bytes, verifier: Verifier, where: str) -> Checkpoint:
    """Read a line and check its signature. It must be spelt exactly as we write it: the signature covers the parsed
    values, and a line with a key twice would be ambiguous."""
    try:
        checkpoint = msgspec.json.decode(line, type=Checkpoint)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise Untrusted(where, f"no checkpoint ({problem})", "a line as it was written") from None
    if msgspec.json.encode(checkpoint) != line:
        raise Untrusted(where, "a checkpoint in another spelling", "a line as it was written")
    signed = Signed(**{name: getattr(checkpoint, name) for name in Signed.__struct_fields__})
    signature = Signature.parse(f"{checkpoint.key} {checkpoint.signature}", where)
    verifier.verify(Purpose.CHECKPOINT, msgspec.json.encode(signed), signature, where)
    return checkpoint


def _unfinished(line: bytes) -> bool:
    """Whether a last line looks like after a crash: without an end, or with reserved space that was never
    written."""
    return not line.endswith(b"\n") or b"\0" in line


def _backwards(before: Heads, now: Heads) -> str:
    """Why new heads contradict old ones; empty if every stream still exists and only grew."""
    for stream, (seq, digest) in before.items():
        seq_now, digest_now = now.get(stream, (0, ""))
        if seq_now < seq:
            return f"stream {stream} at record {seq_now} after {seq}"
        if seq_now == seq and digest_now != digest:
            return f"record {seq} of stream {stream} with another digest than before"
    return ""


# --- Writing ---


class CheckpointFile:
    """A checkpoint file to which one key adds."""

    def __init__(self, path: Path, signer: Signer, verifier: Verifier | None = None) -> None:
        """A verifier can accept signatures of other keys too, for example after a change of keys."""
        self.path, self._signer, self._verifier = path, signer, verifier or signer.verifier

    def append(self, at_ms: int, heads: Mapping[int, Head]) -> Checkpoint:
        """Add a checkpoint durably. `Torn` after a crash, until the file is repaired; `Untrusted` if the last line
        is not ours or a stream would go back: a journal restored from a copy needs a new file."""
        assert at_ms >= 0
        ends = {stream: (head.seq, head.digest.hex()) for stream, head in sorted(heads.items()) if head.seq}
        with self._held() as file:
            line = _last_line(file)
            last = self._last(line)
            if last and (wrong := _backwards(last.heads, ends)):
                raise Untrusted(str(self.path), wrong, "streams that only grow")
            before = hashlib.sha256(line[:-1]).hexdigest() if line else NO_LINE
            number = last.number + 1 if last else 1
            signed = Signed(number=number, at_ms=at_ms, heads=ends, before=before, key=self._signer.key_id)
            made = _sealed(self._signer, signed)
            _write(file, msgspec.json.encode(made) + b"\n")
        return made

    def newest(self) -> Checkpoint | None:
        """The last line, checked without the others; none in a file without lines."""
        with self._held() as file:
            return self._last(_last_line(file))

    def lacks(self, number: int, digest: str) -> str:
        """Why this cannot be the file of a known checkpoint; empty if it can."""
        if not self.path.exists():
            return f"there is no file {self.path}, and checkpoint {number} was signed before"
        newest = self.newest()
        found = newest.number if newest else 0
        if found < number:
            return f"{self.path} ends at checkpoint {found}, and checkpoint {number} was signed before"
        if newest and found == number and digest_of(newest) == digest:
            return ""
        same = line_digest(self.path, number) == digest
        return "" if same else f"checkpoint {number} of {self.path} is not the one that was signed before"

    def mend(self) -> bytes:
        """Cut off an incomplete last line and return it, for a report; nothing if there is none."""
        with self._held() as file:
            line = _last_line(file)
            if not line or not _unfinished(line):
                return b""
            file.truncate(file.seek(0, os.SEEK_END) - len(line))
            os.fsync(file)
            return line

    def _last(self, line: bytes) -> Checkpoint | None:
        where = f"{self.path}: last line"
        if not line:
            return None
        if _unfinished(line):
            raise Torn(where, line)
        return _proven(line[:-1], self._verifier, where)

    @contextmanager
    def _held(self) -> Iterator[FileIO]:
        """The file, created if necessary, with other writers locked out."""
        descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        with FileIO(descriptor, "r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not os.fstat(descriptor).st_size:
                _keep_name(self.path)
            yield file


def _sealed(signer: Signer, signed: Signed) -> Checkpoint:
    signature = signer.sign(Purpose.CHECKPOINT, msgspec.json.encode(signed))
    return Checkpoint(**msgspec.structs.asdict(signed), signature=signature.base64)


def _last_line(file: FileIO) -> bytes:
    """The last line of a file, read backwards as far as necessary."""
    tail, start = b"", file.seek(0, os.SEEK_END)
    while start and b"\n" not in tail[:-1]:
        size = min(BLOCK, start)
        start = file.seek(start - size)
        tail = file.read(size) + tail
    return tail[tail.rfind(b"\n", 0, -1) + 1 :]


def _write(file: FileIO, data: bytes) -> None:
    if file.write(data) != len(data):
        raise OSError(f"{file.name}: the disk took only part of a checkpoint")
    os.fsync(file)


def _keep_name(path: Path) -> None:
    """A new file's name is durable once its folder is."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


# --- Judging a journal ---


class CheckpointFinding(NamedTuple):
    """Where a journal contradicts a checkpoint."""

    number: int
    """Of the checkpoint."""
    stream: int
    seq: int
    what: Literal["cut tail", "recomputed chain or changed record"]


async def disagreements(store: Store, checkpoint: Checkpoint) -> list[CheckpointFinding]:
    """Where a journal contradicts a checkpoint: at the ends of streams when it was signed. A younger stream always
    passes."""
    found = []
    for stream, (seq, digest) in checkpoint.heads.items():
        record = await store.record(stream, seq)
        if record is None:
            found.append(CheckpointFinding(checkpoint.number, stream, seq, "cut tail"))
        elif record.digest.hex() != digest:
            found.append(CheckpointFinding(checkpoint.number, stream, seq, "recomputed chain or changed record"))
    return found


async def sign_heads(store: Store, file: CheckpointFile, at_ms: int) -> list[CheckpointFinding]:
    """Add a checkpoint of the current ends of all streams, unless the journal contradicts the newest one: then say
    where, and sign nothing. Otherwise a new signature would cover up a tail that was cut off."""
    newest = await asyncio.to_thread(file.newest)
    found = await disagreements(store, newest) if newest else []
    if not found:
        heads = {stream: await store.head(stream) for stream in await store.streams()}
        await asyncio.to_thread(file.append, at_ms, heads)
    return found
