"""A report as CSV: a text for each section, with every field of its rows; amounts in cents, times in ms."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any, get_args

from msgspec.structs import fields

from stickman.floor.report import Report


def csv_files(plain: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The files of a report that was made plain, by name."""
    for section in fields(Report):
        found = [plain["scope"]] if section.name == "scope" else plain[section.name]
        if isinstance(found, list):
            [row] = get_args(section.type) or (section.type,)
            text = StringIO(newline="")
            lines = csv.DictWriter(text, row.__struct_fields__)
            lines.writeheader()
            lines.writerows(found)
            yield f"{section.name}.csv", text.getvalue()
