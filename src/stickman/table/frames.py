"""A view as it goes over the wire, and a frame: what changed from one view to the next, nested as the views are."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

Plain = dict[str, Any]
"""A view as it goes over the wire."""
REMOVED = "-"
"""The key under which a frame lists the keys that are gone; no field and no spot is called so."""


def plain(seen: Struct) -> Plain:
    found: Plain = msgspec.to_builtins(seen, str_keys=True)
    return found


def difference(before: Any, after: Any) -> Plain:
    """What to change in a struct or dict to have another of its kind, nested and plain; the keys that are gone
    under their own. What is equal is not looked into."""
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
    """What a value is made of, by key; fields that are left out where they have their default are none of it."""
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
