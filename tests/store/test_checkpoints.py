"""Signed checkpoints: what the file shows by itself, and what a journal can no longer hide."""

import asyncio
import hashlib
import itertools
import json
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from io import FileIO
from pathlib import Path

import apsw
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickman.store import checkpoints
from stickman.store.checkpoints import (
    CheckpointFile,
    CheckpointFinding,
    Torn,
    disagreements,
    read,
    sign_heads,
)
from stickman.store.memory import MemoryStore
from stickman.store.signing import Purpose, Signature, Signer, Untrusted, Verifier
from stickman.store.store import EMPTY, FLOOR, Batch, Entry, Envelope, Head, seal
from tests.store.contract import opened

OURS, THEIRS = Signer.generate(), Signer.generate()


class Journal(MemoryStore):
    """A journal whose owner tampers with it."""

    def write(self, stream: int, events: bytes = b"[]") -> None:
        kept = self._streams[stream]
        envelope = Envelope(1, stream, kept.head.seq + 1, 1_000, "badge-12", msgspec.Raw(events))
        self.cut(stream, kept.head.seq, Entry(seal(kept.head, envelope)))

    def cut(self, stream: int, after_seq: int, *then: Entry) -> None:
        """Forget all after a record, and let other entries follow it."""
        kept = self._streams[stream]
        kept.entries[after_seq:] = then
        kept.head = kept.entries[-1].record.head if kept.entries else EMPTY

    def recompute(self, stream: int, changed_seq: int) -> None:
        """Change one record, and compute every digest from there on anew."""
        seq = self._streams[stream].head.seq
        self.cut(stream, changed_seq - 1)
        self.write(stream, b'["other"]')
        for _ in range(changed_seq, seq):
            self.write(stream)


def head(seq: int, mark: int = 0) -> Head:
    return Head(seq, bytes([mark, seq]) * 16)


def written(path: Path, signer: Signer = OURS, lines: int = 5) -> list[bytes]:
    """A file of good checkpoints, and its lines with their ends."""
    file = CheckpointFile(path, signer)
    for number in range(1, lines + 1):
        file.append(60_000 * number, {3: head(4 * number), 0: head(number)})
    return path.read_bytes().splitlines(keepends=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints.jsonl"


def complaint(path: Path, lines: list[bytes], good: int) -> str:
    """What is wrong with these lines; and exactly so many are proven first."""
    path.write_bytes(b"".join(lines))
    reading = read(path, OURS.verifier)
    assert [checkpoint.number for checkpoint in itertools.islice(reading, good)] == list(range(1, good + 1))
    with pytest.raises(Untrusted) as caught:
        next(reading)
    assert f"checkpoints.jsonl: line {good + 1}: " in str(caught.value)
    return str(caught.value)


# --- The file ---


def test_a_line_is_plain_json_that_anyone_can_verify(path: Path) -> None:
    first, second = written(path, lines=2)
    line = json.loads(second)
    signature = Signature.parse(f"{line['key']} {line.pop('signature')}", "here")
    assert line == {
        "number": 2,
        "at_ms": 120_000,
        "heads": {"0": [2, head(2).digest.hex()], "3": [8, head(8).digest.hex()]},
        "before": hashlib.sha256(first.removesuffix(b"\n")).hexdigest(),
        "key": OURS.key_id,
    }
    signed = json.dumps(line, separators=(",", ":")).encode()
    OURS.verifier.verify(Purpose.CHECKPOINT, signed, signature, "here")
    assert json.loads(first)["before"] == "0" * 64


def test_what_was_written_is_read_in_order(path: Path) -> None:
    written(path)
    assert [checkpoint.number for checkpoint in read(path, OURS.verifier)] == [1, 2, 3, 4, 5]
    newest = CheckpointFile(path, OURS).newest()
    assert newest
    assert newest.heads[3] == (20, head(20).digest.hex())


def test_a_file_without_lines_has_no_checkpoint(path: Path) -> None:
    assert CheckpointFile(path, OURS).newest() is None
    assert list(read(path, OURS.verifier)) == []


def test_a_stream_without_a_record_is_not_mentioned(path: Path) -> None:
    assert CheckpointFile(path, OURS).append(1, {0: EMPTY, 2: head(1)}).heads.keys() == {2}


def test_a_line_longer_than_a_block_is_found_from_the_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "BLOCK", 7)
    written(path)
    assert [checkpoint.number for checkpoint in read(path, OURS.verifier)] == [1, 2, 3, 4, 5]


def test_a_change_of_keys_is_read_with_both(path: Path) -> None:
    written(path, OURS, lines=1)
    both = Verifier([OURS._key.public_key(), THEIRS._key.public_key()])
    CheckpointFile(path, THEIRS, both).append(9_000_000, {0: head(7), 3: head(70)})
    assert [checkpoint.key for checkpoint in read(path, both)] == [OURS.key_id, THEIRS.key_id]


def test_a_checkpoint_is_on_the_disk_before_it_is_given_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[tuple[str, int]] = []

    def fsync(file: int | FileIO) -> None:
        held = os.fstat(file if isinstance(file, int) else file.fileno())
        folder = os.path.samestat(held, path.parent.stat())
        synced.append(("folder", 0) if folder else ("file", held.st_size))

    monkeypatch.setattr(os, "fsync", fsync)
    file = CheckpointFile(path, OURS)
    file.append(1, {0: head(1)})
    assert synced == [("folder", 0), ("file", path.stat().st_size)]
    file.append(2, {0: head(2)})
    assert synced[2:] == [("file", path.stat().st_size)]


def test_writers_at_the_same_time_wait_for_each_other(path: Path) -> None:
    def write(_: int) -> None:
        CheckpointFile(path, OURS).append(1, {0: head(1)})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(20)))
    assert [checkpoint.number for checkpoint in read(path, OURS.verifier)] == list(range(1, 21))


# --- Tampering with the file ---


@pytest.mark.parametrize("cut", [0, 1, 2, 3])
def test_a_line_cut_out_is_noticed_at_the_next(path: Path, cut: int) -> None:
    lines = written(path)
    del lines[cut]
    assert "signed after another line" in complaint(path, lines, good=cut)


@pytest.mark.parametrize(("first", "second"), [*itertools.combinations(range(5), 2)])
def test_lines_in_another_order_are_noticed(path: Path, first: int, second: int) -> None:
    lines = written(path)
    lines[first], lines[second] = lines[second], lines[first]
    assert "signed after another line" in complaint(path, lines, good=first)


def test_newest_lines_that_were_cut_off_are_not_noticed(path: Path) -> None:
    """The limit of what the file shows by itself, as the docs say it."""
    path.write_bytes(b"".join(written(path)[:3]))
    assert [checkpoint.number for checkpoint in read(path, OURS.verifier)] == [1, 2, 3]


def test_a_line_said_twice_is_noticed(path: Path) -> None:
    lines = written(path)
    lines.insert(2, lines[1])
    assert "signed after another line" in complaint(path, lines, good=2)


@pytest.fixture(scope="module")
def flipped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A file to spoil, and what it should hold."""
    path = tmp_path_factory.mktemp("flipped") / "checkpoints.jsonl"
    return path, b"".join(written(path, lines=3))


@given(at=st.integers(min_value=0), bit=st.integers(0, 7))
def test_one_bit_changed_anywhere_is_noticed(flipped: tuple[Path, bytes], at: int, bit: int) -> None:
    path, good = flipped
    text = bytearray(good)
    text[at % len(text)] ^= 1 << bit
    path.write_bytes(text)
    with pytest.raises((Untrusted, Torn)):
        list(read(path, OURS.verifier))


def test_an_edited_line_is_named(path: Path) -> None:
    lines = written(path)
    lines[2] = lines[2].replace(b'"at_ms":180000', b'"at_ms":180001')
    assert "does not fit" in complaint(path, lines, good=2)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'{"number"', b'{ "number"'),
        (b'{"number"', b'{"number":9,"number"'),
        (b'{"number"', b'{"note":"hello","number"'),
        (b'"0":[', b'"00":['),
    ],
)
def test_a_line_has_one_spelling(path: Path, old: bytes, new: bytes) -> None:
    lines = written(path)
    assert old in lines[3]
    lines[3] = lines[3].replace(old, new, 1)
    complaint(path, lines, good=3)


def test_a_line_forged_with_another_key_is_refused(path: Path) -> None:
    lines = written(path)
    forged = written(path.with_name("forged"), THEIRS)
    assert f"the unknown key {THEIRS.key_id}" in complaint(path, [*lines[:3], forged[3]], good=3)
    under_our_name = re.sub(THEIRS.key_id.encode(), OURS.key_id.encode(), forged[3])
    assert "does not fit" in complaint(path, [*lines[:3], under_our_name], good=3)


def test_a_line_of_another_file_of_the_same_key_is_refused(path: Path) -> None:
    elsewhere = CheckpointFile(path.with_name("elsewhere"), OURS)
    elsewhere.append(1, {0: head(1)})
    elsewhere.append(2, {0: head(2)})
    other = elsewhere.path.read_bytes().splitlines(keepends=True)
    assert "signed after another line" in complaint(path, [written(path)[0], other[1]], good=1)


def test_a_stream_never_goes_back_from_one_checkpoint_to_the_next(path: Path) -> None:
    written(path)
    file = CheckpointFile(path, OURS)
    for heads in ({0: head(5), 3: head(19)}, {0: head(5)}, {0: head(5), 3: head(20, mark=1)}):
        before = path.read_bytes()
        with pytest.raises(Untrusted, match="streams that only grow"):
            file.append(1, heads)
        assert path.read_bytes() == before
    file.append(1, {0: head(5), 3: head(20), 4: head(1)})


def test_the_key_itself_cannot_sign_a_file_in_which_a_stream_goes_back(path: Path) -> None:
    lines = written(path, lines=1)
    before = hashlib.sha256(lines[0][:-1]).hexdigest()
    back = checkpoints.Signed(number=2, at_ms=1, heads={0: (1, "ab" * 32)}, before=before, key=OURS.key_id)
    sealed = msgspec.json.encode(checkpoints._sealed(OURS, back)) + b"\n"
    assert "streams that only grow" in complaint(path, [*lines, sealed], good=1)


def test_nothing_is_added_to_a_file_whose_last_line_is_not_ours(path: Path) -> None:
    written(path, THEIRS)
    before = path.read_bytes()
    with pytest.raises(Untrusted, match="last line: found a signature of the unknown key"):
        CheckpointFile(path, OURS).append(1, {0: head(9), 3: head(99)})
    assert path.read_bytes() == before


# --- Torn by a crash ---


@pytest.mark.parametrize("lines", [1, 3])
def test_a_last_line_without_its_end_is_torn_wherever_it_stops(path: Path, lines: int) -> None:
    whole = b"".join(written(path, lines=lines))
    last = whole.rindex(b"\n", 0, -1) + 1 if lines > 1 else 0
    for stop in range(last + 1, len(whole)):
        path.write_bytes(whole[:stop])
        reading = read(path, OURS.verifier)
        assert len(list(itertools.islice(reading, lines - 1))) == lines - 1
        with pytest.raises(
            Torn, match=rf"line {lines}: found {stop - last} bytes of a line that was never finished"
        ):
            next(reading)


def test_space_reserved_and_never_written_is_torn(path: Path) -> None:
    lines = written(path)
    path.write_bytes(b"".join(lines[:-1]) + bytes(40) + lines[-1][40:])
    with pytest.raises(Torn):
        list(read(path, OURS.verifier))


def test_a_line_torn_in_the_middle_of_the_file_is_no_crash(path: Path) -> None:
    lines = written(path)
    lines[1] = lines[1][:50] + b"\n"
    assert "no checkpoint" in complaint(path, lines, good=1)


def test_a_torn_file_takes_nothing_until_it_is_mended_and_shows_what_was_cut(path: Path) -> None:
    whole = b"".join(written(path))
    path.write_bytes(whole[:-30])
    file = CheckpointFile(path, OURS)
    later = {0: head(9), 3: head(99)}
    for refused in (file.newest, lambda: file.append(1, later)):
        with pytest.raises(Torn):
            refused()
    assert path.read_bytes() == whole[:-30]
    assert whole.endswith(file.mend() + whole[-30:])
    assert file.mend() == b""
    assert file.append(1, later).number == 5
    assert len(list(read(path, OURS.verifier))) == 5


def test_a_reader_stops_where_the_file_ended_when_it_began(path: Path) -> None:
    written(path, lines=2)
    reading = read(path, OURS.verifier)
    next(reading)
    CheckpointFile(path, OURS).append(1, {0: head(9), 3: head(99)})
    assert [checkpoint.number for checkpoint in reading] == [2]


# --- Against the journal ---


def agreed(path: Path) -> tuple[Journal, CheckpointFile]:
    """A journal of a floor and two tables, with two checkpoints, and records after the second."""
    journal, file = Journal(), CheckpointFile(path, OURS)
    for at_ms in (1_000, 2_000):
        for stream in (0, 1, 1, 1):
            journal.write(stream)
        assert asyncio.run(sign_heads(journal, file, at_ms)) == []
    journal.write(1)
    journal.write(2)
    return journal, file


def found(journal: Journal, file: CheckpointFile) -> list[CheckpointFinding]:
    newest = file.newest()
    assert newest
    return asyncio.run(disagreements(journal, newest))


def test_a_journal_that_only_grew_agrees(path: Path) -> None:
    assert found(*agreed(path)) == []


def test_a_tail_cut_before_the_checkpoint_is_found(path: Path) -> None:
    journal, file = agreed(path)
    journal.cut(1, after_seq=5)
    assert found(journal, file) == [CheckpointFinding(number=2, stream=1, seq=6, what="cut tail")]


@pytest.mark.parametrize("changed_seq", [1, 4, 6])
def test_a_chain_recomputed_from_before_the_checkpoint_is_found(path: Path, changed_seq: int) -> None:
    journal, file = agreed(path)
    journal.recompute(1, changed_seq)
    assert found(journal, file) == [CheckpointFinding(2, 1, 6, "recomputed chain or changed record")]


def tail_cut_after(journal: Journal) -> None:
    journal.cut(1, after_seq=6)


def changed_after(journal: Journal) -> None:
    journal.recompute(1, 7)


@pytest.mark.parametrize("tamper", [tail_cut_after, changed_after])
def test_what_happens_after_the_last_checkpoint_is_not_found(path: Path, tamper: Callable[[Journal], None]) -> None:
    journal, file = agreed(path)
    tamper(journal)
    assert found(journal, file) == []


def test_a_journal_that_disagrees_is_not_signed_over(path: Path) -> None:
    journal, file = agreed(path)
    journal.recompute(1, 4)
    journal.write(1)
    before = path.read_bytes()
    assert [finding.what for finding in asyncio.run(sign_heads(journal, file, 3_000))] == [
        "recomputed chain or changed record"
    ]
    assert path.read_bytes() == before


def test_a_stream_younger_than_the_checkpoint_is_not_judged_by_it(path: Path) -> None:
    journal, file = agreed(path)
    newest = file.newest()
    assert newest
    assert asyncio.run(journal.record(2, 1))
    assert asyncio.run(disagreements(journal, newest)) == []


@pytest.mark.parametrize(
    ("tampering", "what"),
    [
        ("DELETE FROM journal WHERE seq > 2", "cut tail"),
        ("UPDATE journal SET digest = zeroblob(32) WHERE seq = 3", "recomputed chain or changed record"),
    ],
)
def test_what_an_owner_of_the_database_does_with_sql_is_found(path: Path, tampering: str, what: str) -> None:
    database, file = path.with_name("journal.db"), CheckpointFile(path, OURS)

    async def keep_three_records() -> None:
        async with opened(f"sqlite:{database}") as store:
            for seq in (1, 2, 3):
                after = await store.head(FLOOR)
                envelope = Envelope(1, FLOOR, seq, 1_000, "badge-12", msgspec.Raw(b"[]"))
                await store.append(Batch(FLOOR, 0, after, (Entry(seal(after, envelope)),)))
            assert await sign_heads(store, file, 1_000) == []

    async def sign_again() -> list[CheckpointFinding]:
        async with opened(f"sqlite:{database}") as store:
            return await sign_heads(store, file, 2_000)

    asyncio.run(keep_three_records())
    with closing(apsw.Connection(str(database))) as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute(tampering)
    [found] = asyncio.run(sign_again())
    assert (found.stream, found.seq, found.what) == (FLOOR, 3, what)
