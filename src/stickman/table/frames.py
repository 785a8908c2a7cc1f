"""A view as it is sent, and a frame: the difference between two views, nested like the views."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

Plain = dict[str, Any]
"""A view as it is sent."""
REMOVED = "-"
"""The key under which a frame lists removed keys; no field or spot has this name."""


def plain(seen: Struct) -> Plain:
    found: Plain = msgspec.to_builtins(seen, str_keys=True)
    return found


def difference(before: Any, after: Any) -> Plain:
    """The changes from one struct or dict to another, nested and plain, with the removed keys. Equal parts are
    skipped."""
    old, new = _parts(before), _parts(after)
    changes: Plain = {}
    for key, value in new.items():
        was = old.get(key, REMOVED)
        if was != value:
            nested = type(was) is type(value) and isinstance(value, dict | Struct)
            changes[str(key)] = difference(was, value) if nested else msgspec.to_builtins(value, str_keys=True)
    if gone := [str(key) for key in old if key not in new]:
        changes[REMOVED] = gone
    return changes


def _parts(value: Any) -> dict[Any, Any]:
    """The parts of a value by key, without default fields that are omitted."""
    if isinstance(value, dict):
        return value
    if value.__struct_config__.omit_defaults:
        found: Plain = msgspec.to_builtins(value, str_keys=True)
        return found
    return msgspec.structs.asdict(value)


def merged(shown: Plain, changes: Plain) -> Plain:
    """The plain view after a frame."""
    kept = {key: value for key, value in shown.items() if key not in changes.get(REMOVED, ())}
    for key, value in changes.items():
        if key != REMOVED:
            old = kept.get(key)
            kept[key] = merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return kept
