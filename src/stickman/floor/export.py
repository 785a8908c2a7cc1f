"""A journal as files that can be read and checked without this program: records, moves, and instructions.

Secrets are blanked. The digest of such a record covers the secret, so it cannot be computed from the export.
"""

from __future__ import annotations

import csv
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from io import StringIO
from pathlib import Path
from typing import Any, Literal, TextIO, get_args

import msgspec
from msgspec.structs import fields

from stickman.floor.events import SECRET_FIELDS
from stickman.floor.journal import BadRecord
from stickman.floor.report import JournalReport
from stickman.floor.verify import PROGRESS_EVERY, Progress
from stickman.store.store import EMPTY, Entry, Head, Record, Store

Form = Literal["jsonl", "csv"]
RECORD = ("stream", "seq", "at_ms", "actor", "command", "blanked", "digest", "body")
MOVE = ("stream", "seq", "at_ms", "source", "target", "cents")
BLANK = "(blanked)"
SECRET_KEYS = tuple(f'"{name}"'.encode() for name in SECRET_FIELDS)


async def export(store: Store, folder: Path, streams: list[int], form: Form, progress: Progress) -> dict[int, Head]:
    """Write these streams, up to their last records now, to a new folder; returns their heads."""
    heads = {stream: await store.head(stream) for stream in streams}
    with new_folder(folder) as filling, _Files(filling, form) as files:
        for stream, head in heads.items():
            last = EMPTY
            async for entry in store.entries(stream, upto=head.seq):
                files.write(entry)
                last = entry.record.head
                if last.seq % PROGRESS_EVERY == 0:
                    progress(stream, last.seq)
            if last != head:
                raise BadRecord(f"stream {stream} should end at record {head.seq}, not {last.seq}")
            progress(stream, last.seq)
        files.explain(heads)
    return heads


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to fill, which gets its name when it is complete; a failure leaves nothing."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise FileExistsError(f"{folder}: found something there; allowed: a new folder or an empty one")
    filling = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        yield filling
        filling.rename(folder)
    except BaseException:
        shutil.rmtree(filling)
        raise


class _Files(ExitStack):
    """The files of an export: one for moves, and one for the records of each stream."""

    def __init__(self, folder: Path, form: Form) -> None:
        super().__init__()
        self._folder, self._form = folder, form
        self._records: dict[int, TextIO] = {}
        self._moves = self._create("moves.csv")
        csv.writer(self._moves).writerow(MOVE)

    def _create(self, name: str) -> TextIO:
        return self.enter_context((self._folder / name).open("w", encoding="utf-8", newline=""))

    def _file_of(self, stream: int) -> TextIO:
        if stream not in self._records:
            self._records[stream] = self._create(f"records-{stream}.{self._form}")
            if self._form == "csv":
                csv.writer(self._records[stream]).writerow(RECORD)
        return self._records[stream]

    def write(self, entry: Entry) -> None:
        record, file = entry.record, self._file_of(entry.record.stream)
        body, blanked = shown(record)
        where = (record.stream, record.seq, record.at_ms)
        row = (*where, record.actor, record.command, int(blanked), record.digest.hex(), body)
        if self._form == "csv":
            csv.writer(file).writerow(row)
        else:
            file.write(msgspec.json.encode(dict(zip(RECORD, row, strict=True))).decode() + "\n")
        csv.writer(self._moves).writerows((*where, *move) for move in entry.moves)

    def explain(self, heads: dict[int, Head]) -> None:
        ends = "".join(
            f"| {'the floor' if not stream else f'table {stream}'} | `records-{stream}.{self._form}` | {head.seq}"
            f" | `{head.digest.hex()}` |\n"
            for stream, head in heads.items()
        )
        self._create("README.md").write(README.format(form=self._form, ends=ends, reading=READING[self._form]))


# --- Secrets ---


def shown(record: Record) -> tuple[str, bool]:
    """The body of a record as text, and whether something in it was blanked."""
    try:
        if not any(key in record.body for key in SECRET_KEYS):
            return record.body.decode(), False
        decoded = msgspec.json.decode(record.body)
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise BadRecord(f"record {record.seq} of stream {record.stream} cannot be read: {wrong}") from wrong
    secrets = set(_secrets(decoded))
    return msgspec.json.encode(_without(decoded, secrets)).decode(), bool(secrets)


def _secrets(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key in SECRET_FIELDS and isinstance(each, str) and each:
                yield each
            else:
                yield from _secrets(each)
    elif isinstance(value, list):
        for each in value:
            yield from _secrets(each)


def _without(value: Any, secrets: set[str]) -> Any:
    """The value without secrets anywhere: a claim contains the hash of a pairing code too."""
    if isinstance(value, dict):
        return {key: _without(each, secrets) for key, each in value.items()}
    if isinstance(value, list):
        return [_without(each, secrets) for each in value]
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, BLANK)
    return value


# --- Instructions ---

READING = {
    "jsonl": "map(json.loads, open(name, encoding='utf-8'))",
    "csv": "csv.DictReader(open(name, encoding='utf-8', newline=''))",
}
README = """\
# A journal of Stickman

| stream | records | how many | digest of the last |
|---|---|---|---|
{ends}
`records-N.{form}` contains the records of stream N in their order. Stream 0 is the floor, every other one is a
table. A record is one accepted command:

- `stream`, `seq`, `at_ms` (milliseconds since 1970), `actor`, `command`: copies of values in `body`;
- `body`: the record itself, a JSON text with its events; here it is one string, exactly as it was hashed;
- `digest`: SHA-256 of the digest of the record before (32 zero bytes before the first) followed by the UTF-8 bytes
  of `body`, in hexadecimal;
- `blanked`: 1 if secrets (hashes of passwords, codes and tokens) were removed from `body`, otherwise 0.

`moves.csv` contains what each record moved between two accounts, in cents. Money only moves, so the
accounts of a table always add up to zero.

## Check the chain

```python
import csv, glob, hashlib, json

csv.field_size_limit(2**31 - 1)
for name in sorted(glob.glob("records-*.{form}")):
    before, seq, blanked = bytes(32), 0, 0
    for record in {reading}:
        seq += 1
        assert int(record["seq"]) == seq, f"{{name}}: record {{seq}} is missing"
        if int(record["blanked"]):
            blanked += 1
        else:
            digest = hashlib.sha256(before + record["body"].encode("utf-8")).hexdigest()
            assert digest == record["digest"], f"{{name}}: record {{seq}} does not follow from the one before it"
        before = bytes.fromhex(record["digest"])
    print(f"{{name}}: {{seq}} records, {{blanked}} of them blanked, end at {{before.hex()}}")
```

What this shows: no record was changed, removed, added or moved, unless all digests after it were computed again.
Only signed checkpoints show that: compare their heads with the digests here.

What it cannot show: the digest of a blanked record covers the secret, so it cannot be computed from the export. It
is the digest in the journal, and the record after it follows from it. Only the journal proves the content of a
blanked record (`stickman verify`).
"""


# --- A report as CSV ---


def csv_files(plain: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A plain report as CSV files by name: one for each section, with all fields; amounts in cents, times in ms."""
    for section in fields(JournalReport):
        found = [plain["scope"]] if section.name == "scope" else plain[section.name]
        if isinstance(found, list):
            [row] = get_args(section.type) or (section.type,)
            text = StringIO(newline="")
            lines = csv.DictWriter(text, row.__struct_fields__)
            lines.writeheader()
            lines.writerows(found)
            yield f"{section.name}.csv", text.getvalue()
