"""Reads data files into annotated structs. A file lists what differs from the defaults; the first mistake raises
`BadFile`."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from stickman.rules.money import Pays
from stickman.rules.spoken import Detail, Detailed

T = TypeVar("T", bound=msgspec.Struct)


class BadFile(ValueError):
    """A mistake in a data file or a setting: the file or what it is about, the key, what was found and what is
    allowed."""

    def __init__(self, file: str, key: str, found: str, allowed: str) -> None:
        self.file, self.key, self.found, self.allowed = file, key, found, allowed
        where = f"{file}: {key}" if key else file
        super().__init__(f"{where}: found {found}; allowed: {allowed}")

    @property
    def detail(self) -> Detailed:
        return Detail.SETTING(file=self.file, key=self.key, found=self.found, allowed=self.allowed)


def parse_toml(text: str, file: str) -> dict[str, Any]:
    """Read TOML. A number with a decimal point stays text: no setting is such a number, and the error shows it as
    written."""
    try:
        return tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError as problem:
        raise BadFile(file, "", f"a mistake in the TOML ({problem})", "a TOML file") from None


def build(kind: type[T], table: object, file: str, *, base: T | None = None, key: str = "") -> T:
    """Make a struct from a table that holds what differs from `base`, or from the struct's defaults."""
    if not isinstance(table, Mapping):
        raise BadFile(file, key, repr(table), "a table of settings")
    fields = _fields(kind)
    groups: dict[str, Any] = {name: _default(field, base) for name, field in fields.items() if _is_inline(field)}
    inline = {name: group for group, members in groups.items() for name in members}
    keys = [*(name for name in fields if name not in groups), *inline]
    for name in table:
        if name not in keys:
            raise BadFile(file, _join(key, name), "an unknown key", _nearest(name, keys))
    for name, field in fields.items():
        if base is None and field.required and name not in table:
            raise BadFile(file, _join(key, name), "nothing", allowed(field.type))
    changes: dict[str, Any] = {}
    for name, value in table.items():
        if group := inline.get(name):
            default = groups[group][name]
            made_of = build(type(default), value, file, base=default, key=_join(key, name))
            changes[group] = {**changes.get(group, groups[group]), name: made_of}
        else:
            changes[name] = _value(kind, name, value, file, _join(key, name), _default(fields[name], base))
    made: T = kind(**changes) if base is None else msgspec.structs.replace(base, **changes)
    return made


# Both are found by evaluating annotations, which takes milliseconds for a struct.


@cache
def _fields(kind: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    return {field.name: field for field in msgspec.structs.fields(kind)}


@cache
def _info(kind: type[msgspec.Struct], name: str) -> inspect.Type:
    info = inspect.type_info(_fields(kind)[name].type)
    return info.type if isinstance(info, inspect.Metadata) else info


INLINE = msgspec.Meta(extra={"inline": True})
"""Marks a dict of structs whose keys are written in a file as if they were fields of the outer struct."""


def _is_inline(field: msgspec.structs.FieldInfo) -> bool:
    return INLINE in getattr(field.type, "__metadata__", ())


def _default(field: msgspec.structs.FieldInfo, base: object) -> object:
    if base is not None:
        return getattr(base, field.name)
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def _value(owner: type[msgspec.Struct], name: str, value: object, file: str, key: str, default: object) -> object:
    """The value of a struct's field."""
    kind = _fields(owner)[name].type
    if kind is Pays:
        return _pays(value, file, key)
    info = _info(owner, name)
    if isinstance(info, inspect.StructType):
        base: Any = default if isinstance(default, info.cls) else None
        return build(info.cls, value, file, base=base, key=key)
    if isinstance(info, inspect.DictType) and isinstance(info.value_type, inspect.StructType):
        if not isinstance(value, Mapping):
            raise BadFile(file, key, repr(value), "a table of tables")
        cls, known = info.value_type.cls, default if isinstance(default, dict) else {}
        changed = {n: build(cls, inner, file, base=known.get(n), key=_join(key, n)) for n, inner in value.items()}
        return {**known, **changed}
    if value == "none" and isinstance(info, inspect.UnionType) and info.includes_none:
        return None
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        raise BadFile(file, key, repr(value), allowed(kind)) from None


def _pays(value: object, file: str, key: str) -> Pays:
    try:
        return Pays.parse(str(value))
    except ValueError:
        raise BadFile(file, key, repr(value), "'9 to 5', '3 for 1' or 'meter'") from None


def to_text(value: object) -> str:
    """How encoders write an exact ratio, which JSON has no type for."""
    assert isinstance(value, Fraction), type(value)
    return f"{value.numerator}/{value.denominator}"


def allowed(kind: Any) -> str:
    """Describe the values that a setting of this type may have."""
    return _words(inspect.type_info(kind))


def choices(kind: Any) -> tuple[str, ...]:
    """All values that a setting of this type may have, if they are few."""
    match inspect.type_info(kind):
        case inspect.BoolType() | inspect.Metadata(type=inspect.BoolType()):
            return "true", "false"
        case inspect.LiteralType(values=values) | inspect.Metadata(type=inspect.LiteralType(values=values)):
            return tuple(map(str, values))
    return ()


def one_of(names: Iterable[object]) -> str:
    return "one of " + ", ".join(map(str, names))


def _words(info: inspect.Type) -> str:
    match info:
        case inspect.Metadata(type=inner):
            return _words(inner)
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=low, le=high):
            return f"a whole number from {low:,} to {high:,}" if high is not None else "a whole number"
        case inspect.LiteralType(values=values):
            return one_of(values)
        case inspect.StrType(pattern=pattern):
            return f"text of the form {unanchored(pattern)}" if pattern else "text"
        case inspect.FrozenSetType(item_type=item):
            return f"a list of {_words(item)}"
        case inspect.VarTupleType(item_type=item, min_length=low, max_length=high):
            size = "" if low is None else f" ({low} of them)" if low == high else f" (at least {low})"
            return f"a list of {_words(item)}{size}"
        case inspect.UnionType(types=types):
            known = [t for t in types if not isinstance(t, inspect.NoneType)]
            return " or ".join(map(_words, known)) + ", or none"
        case _:
            return "a table of settings"


def unanchored(pattern: str) -> str:
    r"""A pattern for people to read. Patterns begin with \A and end with \Z because they are searched for, and `$`
    would let a newline follow."""
    return pattern.removeprefix(r"\A").removesuffix(r"\Z")


def _nearest(name: str, fields: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, fields, n=3)
    return ", ".join(close or sorted(fields)) + (" (or another of its settings)" if close else "")


def _join(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def leaves(value: msgspec.Struct, key: str = "") -> Iterator[tuple[str, Any, object]]:
    """Every setting of a struct, nested ones too: dotted key, annotated type, value."""
    for field in _fields(type(value)).values():
        inner = getattr(value, field.name)
        if isinstance(inner, msgspec.Struct):
            yield from leaves(inner, _join(key, field.name))
        elif _is_inline(field):
            for name, each in inner.items():
                yield from leaves(each, _join(key, name))
        else:
            yield _join(key, field.name), field.type, inner
