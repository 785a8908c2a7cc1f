"""The protocol read from its types: a page for people (`docs/protocol.md`) and TypeScript (`web/src/wire.ts`).

Types come from msgspec, what they mean from the docstrings beside them; only how a conversation goes is told here.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from collections.abc import Iterator
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple, get_origin

import msgspec
from msgspec import NODEFAULT
from msgspec import inspect as types

from stickman import wire
from stickman.floor import events as floor_events
from stickman.floor.placard import Placard
from stickman.rules.datafile import unanchored
from stickman.rules.settings import load
from stickman.server.app import STAFF, TERMINAL
from stickman.server.auth import APPROVAL_MS, HOUSE_ALONE, WHO, Denial
from stickman.server.floor import FLOODED, GOING_AWAY, REPLACED, RESTARTS, REVOKED, SIGNED_OUT
from stickman.server.limits import Limits
from stickman.server.line import BAD_MESSAGE, JOIN_S
from stickman.server.screens import FRAMES_KEPT
from stickman.table import messages as m
from stickman.table import state, view
from stickman.table.decide import decide_given
from stickman.table.evolve import evolve_all

SAID = (wire.Join, wire.Ask, wire.Ping)
TOLD = (wire.Snapshot, wire.Frame, wire.Done, wire.Refused, wire.Again, wire.Pong, wire.Bad)
REQUESTS = tuple(kind for kind, who in WHO.items() if who != HOUSE_ALONE)
ANSWERED = (Placard,)
"""What is asked over HTTP and typed as well."""
VIEWS = (view.SeatView, view.DealerView, view.TableView, view.InfoView, view.OfficeView)
UNIONS = {"Said": SAID, "Told": TOLD, "Request": REQUESTS, "View": VIEWS}
NAMES: dict[type, str] = {m.Refused: "WhyNot", floor_events.Refusal: "FloorRefusal"}
"""Where two types of ours have one name."""
NARROWER = {
    ("Ask", "request"): "Request",
    ("Snapshot", "view"): "View",
    ("Refused", "why"): "Refusal | Denial | FloorRefusal",
}
"""Fields of which more is known than the server's own types say."""
SIMPLE = {
    types.AnyType: "unknown",
    types.NoneType: "null",
    types.BoolType: "boolean",
    types.IntType: "number",
    types.StrType: "string",
}
REFUSALS: tuple[type[Enum], ...] = (m.Refusal, Denial, floor_events.Refusal)


# --- What the types are ---


class Field(NamedTuple):
    """A field of a type."""

    name: str
    type: str
    """In the words of TypeScript."""
    default: str
    """As JSON; empty where there is none."""
    may_lack: bool
    """Whether a message may come without it."""
    meaning: str

    @property
    def marked(self) -> str:
        return f"{self.name}?" if self.may_lack else self.name


class Shape(NamedTuple):
    """A type with fields: an object, perhaps with a tag that tells it from others, or an array."""

    name: str
    meaning: str
    tag: tuple[str, object] | None
    fields: tuple[Field, ...]
    is_array: bool = False


class Vocabulary:
    """Every type that is mentioned, in the order in which it is met."""

    def __init__(self) -> None:
        self.shapes: dict[str, Shape | None] = {}
        self.choices: dict[str, str] = {
            name: " | ".join(each.__name__ for each in of) for name, of in UNIONS.items()
        }
        self._named = [
            (types.type_info(value), name)
            for module in (m, state, view)
            for name, value in vars(module).items()
            if get_origin(value) is Literal or name == "Dice"
        ]
        for kind in (*SAID, *TOLD, *REQUESTS, *VIEWS, *ANSWERED, *REFUSALS):
            self.text(types.type_info(kind))

    def text(self, info: types.Type) -> str:
        """A type in the words of TypeScript; what it mentions is met."""
        for known, name in self._named:
            if info == known:
                self.choices[name] = _literally(info)
                return name
        match info:
            case types.LiteralType():
                return _literally(info)
            case types.Metadata(type=inner):
                return self.text(inner)
            case types.EnumType(cls=kind):
                name = _name(kind)
                self.choices[name] = " | ".join(json.dumps(member.value) for member in kind)
                return name
            case types.VarTupleType(item_type=item):
                of = self.text(item)
                return f"readonly ({of})[]" if " | " in of or of.startswith("readonly ") else f"readonly {of}[]"
            case types.DictType(key_type=key, value_type=value):
                return f"Readonly<Record<{self.text(key)}, {self.text(value)}>>"
            case types.UnionType(types=several):
                return " | ".join(map(self.text, several))
            case types.StructType() | types.NamedTupleType():
                return self._met(info)
        return SIMPLE[type(info)]

    def _met(self, info: types.StructType | types.NamedTupleType) -> str:
        kind = info.cls
        name = _name(kind)
        if name not in self.shapes:
            self.shapes[name] = None  # its place, before what it mentions
            fields = tuple(self._field(kind, name, field) for field in info.fields)
            tag = (info.tag_field, info.tag) if isinstance(info, types.StructType) and info.tag_field else None
            self.shapes[name] = Shape(name, _meanings(kind).get("", ""), tag, fields, issubclass(kind, tuple))
        return name

    def _field(self, kind: type, name: str, field: types.Field) -> Field:
        default = field.default_factory() if field.default_factory is not NODEFAULT else field.default
        written = "" if default is NODEFAULT else msgspec.json.encode(default).decode()
        said = (_meanings(each).get(field.name) for each in kind.__mro__)
        meaning = next(filter(None, said), "") or _limits(field.type)
        text = NARROWER.get((name, field.encode_name)) or self.text(field.type)
        return Field(field.encode_name, text, written, not field.required and _may_lack(kind), meaning)

    @property
    def met(self) -> Iterator[Shape]:
        return (shape for shape in self.shapes.values() if shape)


def _name(kind: type) -> str:
    return NAMES.get(kind, kind.__name__)


def _limits(info: types.Type) -> str:
    """What the type itself says of a text."""
    match info:
        case types.Metadata(
            type=types.StrType(pattern=pattern, max_length=most), extra_json_schema={"description": text}
        ):
            return f"{text} `{unanchored(pattern or '')}`, at most {most} characters."
    return ""


def _literally(info: types.Type) -> str:
    if isinstance(info, types.LiteralType):
        return " | ".join(map(json.dumps, info.values))
    assert info == types.type_info(m.Dice), info
    return "readonly [number, number]"


def _may_lack(kind: type) -> bool:
    """Whether defaults are left out: of what is said they may be, of what is told where the type says so."""
    config = getattr(kind, "__struct_config__", None)
    return issubclass(kind, wire.Said | m.Request) or bool(config and config.omit_defaults)


@cache
def _meanings(kind: type) -> dict[str, str]:
    """The docstrings of a class, under "", and of its attributes, read from its source."""
    return _read(kind.__module__).get(kind.__name__, {})


@cache
def _read(module: str) -> dict[str, dict[str, str]]:
    if not module.startswith("stickman."):
        return {}
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: dict(_documented(node)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _documented(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    yield "", " ".join((ast.get_docstring(node) or "").split())
    for attribute, docstring in pairwise(node.body):
        match attribute, docstring:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, " ".join(text.split())


# --- TypeScript ---

WIDTH = 116


def typescript() -> str:
    """The types of the protocol as TypeScript, for the screens."""
    words = Vocabulary()
    parts = ["// What screens and the server say to each other. Made from the code by `make docs`.\n"]
    parts += [_declared(f"export type {name} =", text) for name, text in words.choices.items()]
    parts += [_array(shape) if shape.is_array else _interface(shape) for shape in words.met]
    return "\n".join(parts)


def _declared(start: str, text: str) -> str:
    """A union on one line, or one line each."""
    line = f"{start} {text};\n"
    return line if len(line) <= WIDTH else f"{start}\n  | " + text.replace(" | ", "\n  | ") + ";\n"


def _array(shape: Shape) -> str:
    places = "".join(f"{_comment(field.meaning)}  {field.name}: {field.type},\n" for field in shape.fields)
    return f"{_comment(shape.meaning, '')}export type {shape.name} = readonly [\n{places}];\n"


def _interface(shape: Shape) -> str:
    lines = [f"  readonly {shape.tag[0]}: {json.dumps(shape.tag[1])};\n"] if shape.tag else []
    lines += [f"{_comment(field.meaning)}  readonly {field.marked}: {field.type};\n" for field in shape.fields]
    return f"{_comment(shape.meaning, '')}export interface {shape.name} {{\n{''.join(lines)}}}\n"


def _comment(meaning: str, indent: str = "  ") -> str:
    return f"{indent}/** {meaning} */\n" if meaning else ""


# --- The page ---


def page() -> str:
    """The protocol for whoever writes a screen or a bot."""
    words = Vocabulary()
    shapes = {shape.name: shape for shape in words.met}
    own = {_name(kind) for kinds in (*UNIONS.values(), ANSWERED) for kind in kinds}
    return "\n".join(
        [
            CONVERSATION,
            "## An example\n\nA seat, as it is really sent; long messages are cut.\n",
            *_example(),
            "## What a screen says\n",
            *(_section(shapes[_name(kind)]) for kind in SAID),
            "## What the server says\n",
            *(_section(shapes[_name(kind)]) for kind in TOLD),
            "## Requests\n\nWhat an `ask` carries.\n",
            "| `do` | fields | who may ask it | |\n|---|---|---|---|",
            *(_request(shapes[_name(kind)], str(WHO[kind])) for kind in REQUESTS),
            "\n## Views\n\nWhat a `snapshot` carries, and what the changes of a `frame` are nested in.\n",
            *(_section(shapes[_name(kind)]) for kind in VIEWS),
            "## Over HTTP\n\n`GET /api/placard` explains the game of the asker's table:\n",
            *(_section(shapes[_name(kind)]) for kind in ANSWERED),
            "## What views are made of\n",
            *(_section(shape) for name, shape in shapes.items() if name not in own),
            "## Choices\n",
            _choices(words),
            "## Refusals\n\nEach in the order in which it is checked.\n",
            *map(_refusals, REFUSALS),
        ]
    )


def _section(shape: Shape) -> str:
    tag = f' `"{shape.tag[0]}": {json.dumps(shape.tag[1])}`' if shape.tag else ""
    array = "An array of these, in this order." if shape.is_array else ""
    lines = [f"### {shape.name}{tag}\n", *(f"{text}\n" for text in (shape.meaning, array) if text)]
    lines += ["| field | type | default | |", "|---|---|---|---|"]
    lines += [
        f"| `{each.marked}` | {_code(each.type)} | {_code(each.default)} | {each.meaning} |"
        for each in shape.fields
    ]
    return "\n".join([*lines, ""])


def _request(shape: Shape, who: str) -> str:
    assert shape.tag
    fields = [
        _code(f"{field.marked}: {field.type}{field.default and f' = {field.default}'}")
        + (f" ({field.meaning.rstrip('.')})" if field.meaning else "")
        for field in shape.fields
    ]
    return f"| `{shape.tag[1]}` | {', '.join(fields)} | {who} | {shape.meaning} |"


def _code(text: str) -> str:
    return f"`{text.replace('readonly ', '')}`".replace("|", "\\|") if text else ""


def _choices(words: Vocabulary) -> str:
    told = {*UNIONS, *map(_name, REFUSALS)}
    rows = [f"| `{name}` | {_code(text)} |" for name, text in words.choices.items() if name not in told]
    return "\n".join(["| name | one of |", "|---|---|", *rows, ""])


def _refusals(kind: type[Enum]) -> str:
    rows = [f"| `{member.value}` | {getattr(member, 'says', '')} |" for member in kind]
    return "\n".join([f"### {_name(kind)}\n", f"{_meanings(kind)['']}\n", "| why | says |", "|---|---|", *rows, ""])


def _example() -> Iterator[str]:
    """A bet without money, money, the bet, and coming back: the table is played to get it."""
    table, seq = state.new_table(load("craps")), 1
    bet = m.PlaceBet(seat=1, spot="pass", cents=1_000)
    yield _sent("screen", wire.Join())
    yield _sent("server", wire.Snapshot(seq=seq, server_ms=EXAMPLE.now_ms, view=view.plain(_shown(table))))
    for number, request in enumerate((bet, m.InsertCash(seat=1, cents=10_000), bet), 1):
        asked = f"kX3:{number}"
        yield _sent("screen", wire.Ask(id=asked, request=request))
        decision = decide_given(table, request, EXAMPLE)
        if isinstance(decision, m.Refused):
            yield _sent("server", wire.refused(asked, decision))
            continue
        before, table, seq = _shown(table), evolve_all(table, decision), seq + 1
        changes = view.difference(before, _shown(table))
        yield _sent("server", wire.Frame(seq=seq, server_ms=EXAMPLE.now_ms, changes=changes))
        yield _sent("server", wire.Done(id=asked, seq=seq))
    yield _sent("screen", wire.Join(after=seq))


EXAMPLE = m.Facts(now_ms=1_900_000_000_000)
CUT_AT = 240


def _shown(table: state.Table) -> view.View:
    return view.view(table, "seat 1", EXAMPLE)


def _sent(who: str, message: wire.Said | wire.Told) -> str:
    text = wire.ENCODER.encode(message).decode()
    return f"{who}: `{text if len(text) <= CUT_AT else f'{text[:CUT_AT]} …'}`\n"


LIMITS = Limits()


def _limited(of: Limits) -> str:
    """The limits that a screen may meet, as a table."""
    rows = {
        "a message of a screen": f"{wire.MESSAGE_BYTES_MAX:,} bytes; a longer one ends the connection",
        "messages of a seat": f"{of.seat_messages_a_second} a second, {of.seat_messages_burst} at once, over all"
        " its connections together; those that come faster wait",
        "messages of another terminal": f"{of.messages_a_second} a second, {of.messages_burst} at once, likewise",
        "connections of a seat": f"{of.lines_of_a_seat}; a further one replaces the oldest ({REPLACED})",
        "connections that a terminal opens": f"{of.joins_a_second} a second, {of.joins_burst} at once; status 429",
        "pings, pongs and fragments of a connection": f"{of.control_frames_a_second} a second,"
        f" {of.control_frames_burst} at once; more end it ({FLOODED})",
        "bytes of a connection": f"{of.bytes_a_second:,} a second, {of.bytes_burst:,} at once, likewise",
        "a connection that does not answer a ping of the WebSocket": f"cut after {of.ping_s} seconds",
        "a connection that does not read what it is sent": f"cut after {of.send_s} seconds; while {of.outbox}"
        " messages wait for it, nothing that it says is heard",
        "an HTTP request": f"{of.request_s} seconds from its first byte to its last; then status 408, or it is cut",
    }
    return "\n".join(["| | |\n|---|---|", *(f"| {what} | {most} |" for what, most in rows.items()), ""])


LIMITED = _limited(LIMITS)
CONVERSATION = f"""\
# The protocol

Made from the code by `make docs`. The same types are in TypeScript in `web/src/wire.ts`, and `stickman.client` is a
client of it in Python.

## Getting in

A terminal gives its code once, `POST /api/enrol` with `{{"code": "7X01-NQR1"}}`, and is answered with its `token`,
which is its cookie `{TERMINAL}` as well. With the cookie, or the header `Authorization: Bearer TOKEN`, it opens a
WebSocket at `/ws`; which screen of which table it is, the server knows by the token (an office names a table,
`/ws?table=2`). Staff sign in by `POST /api/sign-in` with `badge` and `password`; their session is the cookie
`{STAFF}`, which a connection gives when it is made; it is closed when that session ends. A browser must come from a
page of the server, or of an origin that the server's configuration names.

## How a conversation goes

Every message is one JSON object in one text message, and its `type` says what it is. A field with a question mark
may be left out: then it is its default.

1. The screen says `join`, within {JOIN_S} seconds.
2. It is told a `snapshot`, then a `frame` for everything that changes what it shows. Each has the number (`seq`) of
   the table's last record at that moment. Numbers grow, but not always by one: a screen is not told what it may not
   see, and time changes a view without a record, so that two frames can have one number.
3. It asks, under an id of its own making, and is answered under that id: `done`, `refused` or `again`. Requests of
   one connection are answered in the order in which they were asked. The frame that shows what was done comes
   before its `done`. Nothing is shown or answered before it is durable.
4. Asking twice under one id does it once, and `done` is told as the first time: whoever has no answer asks again,
   over any connection, as long as it likes. After `again` it must; nobody knows whether it was done. What was
   refused is not remembered: asked again, it is decided anew. A `done` with the number 0: there was nothing to do.
5. `ping` is answered by `pong` with the server's clock, by which all moments (`…_ms`) are told.

**Frames.** `changes` is nested as the view is, and holds what is different. Objects are merged key by key; the key
`{view.REMOVED}` lists the keys that are gone; anything else, arrays too, replaces what was there.

**Coming back.** A screen that lost its connection joins with `after`, the number of the last snapshot or frame that
it has. It is told what it missed, of which the server keeps {FRAMES_KEPT} frames, or a new snapshot, which replaces
all. A screen that reads too slowly, so that {LIMITS.outbox} messages wait for it, is told a new snapshot too, at
any time.

**Two people.** Where the table refuses with `needs_two`, a second person gives their password at the same terminal
for exactly this: `POST /api/approve` with `badge`, `password`, `table` and the `request` as it is asked. Who is
signed in there asks again within {APPROVAL_MS // 1000} seconds, with that badge as `approver`. An approval counts
once, for the same request, table, terminal and session; a sign-in or sign-out at the terminal ends it. What is
asked of the office over HTTP is approved by its `endpoint` (`POST /api/tickets/NUMBER/void`) and `body` instead.

**What a screen cannot say.** A request is a gesture and names no fact: not what dice the generator rolls, what time
it is, what a ticket is worth, or who asks. A field that a message does not have is an error; one that a request
does not have says nothing. What the house alone does is refused.

## Limits

{LIMITED}
These are what holds where the configuration says nothing else (`[limits]`, operating.md).

## Closing codes

| code | | come again |
|---|---|---|
| {GOING_AWAY} | The server stops. | yes |
| {RESTARTS} | The table starts again, here or elsewhere. | yes |
| {BAD_MESSAGE} | A message could not be read; `bad` says why. | no: it would be the same |
| 1009 | A message was too long. | no: it would be the same |
| {REVOKED} | The terminal is good no more. | no: it needs a new code |
| {SIGNED_OUT} | The session of who was signed in has ended. | yes; an office once a pit boss or above is |
| {REPLACED} | The seat has newer connections, as many as it may have. | no, or they replace each other for ever |
| {FLOODED} | It sent too many control frames or bytes. | yes, but not so fast |
| 1007 | A text message was not UTF-8. | no: it would be the same |

Before the connection is made, HTTP says why not: 401 the token is not known, or nobody is signed in at an office;
403 the origin or network is not allowed, or a dealer is signed in at an office; 404 there is no such table or seat;
421 the server has no such name (`Host`); 429 too many connections; 503 the table is not served now (come again).
"""
