"""The protocol read from its types: a page for people (`docs/protocol.md`) and TypeScript (`web/src/wire.ts`).

Types come from msgspec, and their meaning from their docstrings. Only the course of a conversation is
described here.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterator
from enum import Enum
from functools import cache
from itertools import pairwise
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT
from msgspec import inspect as types
from starlette.responses import Response

from stickman import wire
from stickman.devices import signals
from stickman.floor import events as floor_events
from stickman.floor import recall
from stickman.rules.datafile import to_text, unanchored
from stickman.rules.felt import Line, Reason
from stickman.rules.settings import load
from stickman.rules.spoken import Detail
from stickman.server import answers
from stickman.server.app import DEVICES, LOOKS_ON, OPEN, PLACE, PRACTICE, STAFF, TERMINAL
from stickman.server.auth import APPROVAL_MS, HOUSE_ALONE, WHO, Denial
from stickman.server.desk import DESK
from stickman.server.floor import FLOODED, GOING_AWAY, IDLE, REPLACED, RESTARTS, REVOKED, SIGNED_OUT, SILENT
from stickman.server.limits import ServerLimits
from stickman.server.line import JOIN_S
from stickman.server.screens import FRAMES_KEPT
from stickman.server.socket_line import BAD_MESSAGE
from stickman.table import frames, state, view
from stickman.table import messages as m
from stickman.table.decide import decide_given
from stickman.table.evolve import evolve_all

SAID = (wire.Join, wire.Ask, wire.Ping)
TOLD = (wire.Snapshot, wire.Frame, wire.Done, wire.Refused, wire.Again, wire.Pong, wire.Bad, wire.Lesson)
REQUESTS = tuple(kind for kind, who in WHO.items() if who != HOUSE_ALONE)
VIEWS = (view.SeatView, view.DealerView, view.TableView, view.InfoView, view.OfficeView)
FROM_DEVICES = (signals.Report, signals.StateChanged, signals.StillThere)
TO_DEVICES = (signals.Heard, signals.Wanted, signals.Tell, signals.Alive, signals.NotUnderstood)
SIGNALS = tuple(dict.fromkeys(kind for kinds in signals.MAY_SIGNAL.values() for kind in kinds))
UNIONS = {
    "Said": SAID,
    "Told": TOLD,
    "Request": REQUESTS,
    "View": VIEWS,
    "TableRow": (answers.ServedTable, answers.ShutTable),
    "RoundEvent": recall.RECALLED,
}
NAMES: dict[type, str] = {m.Refused: "WhyNot", floor_events.Refusal: "FloorRefusal", Line: "SettledLine"}
"""Where two types of ours have one name, or one that says too little."""
NARROWER = {
    ("Ask", "request"): "Request",
    ("Snapshot", "view"): "View",
    ("Refused", "why"): "Reason | Refusal | Denial | FloorRefusal",
    ("WhyNot", "why"): "Reason | Refusal",
    ("No", "why"): "Denial | FloorRefusal",
    ("ApproveDeed", "request"): "Request | null",
    ("ServedTable", "served"): "true",
    ("ShutTable", "served"): "false",
    ("Round", "events"): "readonly RoundEvent[]",
    ("EventsAfter", "events"): "readonly EventLine[]",
    ("EventsBefore", "events"): "readonly EventLine[]",
}
"""Fields of which more is known than the server's own types say."""
OPEN_ENDED = (answers.EventLine,)
"""Types with further fields."""
SIMPLE = {
    types.AnyType: "unknown",
    types.NoneType: "null",
    types.BoolType: "boolean",
    types.IntType: "number",
    types.StrType: "string",
    types.RawType: "unknown",
    types.BytesType: "string",
    types.CustomType: "string",
}
REFUSALS: tuple[type[Enum], ...] = (m.Refusal, Reason, Denial, floor_events.Refusal, Detail)


# --- What is asked over HTTP ---


class Address(NamedTuple):
    """An address: who may ask there, what is sent and what is answered."""

    asked: str
    who: str
    takes: type | None
    gives: tuple[Any, ...]
    """The types of the answer; none if it is not JSON."""
    meaning: str


def addresses() -> Iterator[Address]:
    for asked, (who, answer, takes) in OPEN.items():
        yield Address(asked, who, takes, _given(answer), inspect.getdoc(answer) or "")
    for asked, address in DESK.items():
        who = f"{floor_events.LOWEST[address.act].value.replace('_', ' ')} or above, signed in"
        doc = inspect.getdoc(address.answer) or ""
        yield Address(asked, who, address.takes, _given(address.answer), doc)


def _given(answer: Any) -> tuple[Any, ...]:
    """What a function answers, its refusals apart."""
    several = _options(get_type_hints(answer)["return"])
    json_of = [get_args(each)[0] if get_origin(each) is answers.Json else each for each in several]
    plain = [answers.Nothing if get_origin(each) is tuple else each for each in json_of]  # events: it is done
    refusals = (floor_events.Refused, answers.No)
    return tuple(each for each in plain if each not in refusals and each is not Response)


def _options(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


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
    is_open_ended: bool = False


class Vocabulary:
    """Every type that is mentioned, in the order in which it is met."""

    def __init__(self, *of: type, http: bool = True) -> None:
        self.shapes: dict[str, Shape | None] = {}
        self.choices: dict[str, str] = {
            name: " | ".join(each.__name__ for each in of) for name, of in UNIONS.items()
        }
        self._kinds: dict[str, type] = {}
        self._named = [
            (types.type_info(value), name)
            for module in (m, state, view, floor_events, answers, *([signals] if of else []))
            for name, value in vars(module).items()
            if get_origin(value) is Literal or name == "Dice"
        ]
        for kind in of or (*SAID, *TOLD, *REQUESTS, *VIEWS, *REFUSALS):
            self.text(types.type_info(kind))
        self.http: dict[str, tuple[str, ...]] = {}
        """By address, what is sent and what is answered."""
        if not http:
            return
        for each in addresses():
            self.http[each.asked] = tuple(map(self._answered, (each.takes, *each.gives)))
        for kind in (answers.No, answers.Problem, answers.EventLine, *recall.RECALLED):
            self.text(types.type_info(kind))

    def _answered(self, kind: Any) -> str:
        """A type of an address. msgspec does not know unions of objects without a tag, TypeScript does."""
        if kind is None:
            return ""
        if get_origin(kind) is list and len(several := _options(get_args(kind)[0])) > 1:
            [name] = [name for name, of in UNIONS.items() if of == several]
            for each in several:
                self.text(types.type_info(each))
            return f"readonly {name}[]"
        return self.text(types.type_info(kind))

    def text(self, info: types.Type) -> str:  # noqa: C901 - one case for each kind of type
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
                told = [each.name.lower() if issubclass(kind, int) else each.value for each in kind]
                self.choices[name] = " | ".join(map(json.dumps, told))
                return name
            case types.TupleType(item_types=several):
                return f"readonly [{', '.join(map(self.text, several))}]"
            case types.CollectionType(item_type=item):
                of = self.text(item)
                return f"readonly ({of})[]" if " | " in of or of.startswith("readonly ") else f"readonly {of}[]"
            case types.DictType(key_type=types.LiteralType() as key, value_type=value):  # not every key is there
                return f"Readonly<Partial<Record<{self.text(key)}, {self.text(value)}>>>"
            case types.DictType(key_type=key, value_type=value):
                return f"Readonly<Record<{self.text(key)}, {self.text(value)}>>"
            case types.UnionType(types=several):
                return " | ".join(map(self.text, several))
            case types.StructType() | types.NamedTupleType() | types.DataclassType():
                return self._met(info)
        return SIMPLE[type(info)]

    def _met(self, info: types.StructType | types.NamedTupleType | types.DataclassType) -> str:
        kind = info.cls
        name = _name(kind)
        assert self._kinds.setdefault(name, kind) is kind, (
            f"two types have the name {name}: {self._kinds[name]}, {kind}"
        )
        if name not in self.shapes:
            self.shapes[name] = None  # its place, before what it mentions
            fields = tuple(self._field(kind, name, field) for field in info.fields)
            tag = (info.tag_field, info.tag) if isinstance(info, types.StructType) and info.tag_field else None
            self.shapes[name] = Shape(
                name, _meanings(kind).get("", ""), tag, fields, issubclass(kind, tuple), kind in OPEN_ENDED
            )
        return name

    def _field(self, kind: type, name: str, field: types.Field) -> Field:
        default = field.default_factory() if field.default_factory is not NODEFAULT else field.default
        written = "" if default is NODEFAULT else msgspec.json.encode(default, enc_hook=to_text).decode()
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
    """Whether defaults are left out: clients may always leave them out, the server does if the type says so."""
    config = getattr(kind, "__struct_config__", None)
    sent = wire.ScreenMessage | m.Request | answers.Sent | signals.DeviceMessage | signals.Signal
    return issubclass(kind, sent) or bool(config and config.omit_defaults)


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
    lines += ["  readonly [detail: string]: unknown;\n"] if shape.is_open_ended else []
    return f"{_comment(shape.meaning, '')}export interface {shape.name} {{\n{''.join(lines)}}}\n"


def _comment(meaning: str, indent: str = "  ") -> str:
    return f"{indent}/** {meaning} */\n" if meaning else ""


# --- The page ---


def page() -> str:
    """The protocol, for authors of screens and bots."""
    words = Vocabulary()
    shapes = {shape.name: shape for shape in words.met}
    own = {_name(kind) for kinds in (SAID, TOLD, REQUESTS, VIEWS) for kind in kinds}
    over_http = [name for name in shapes if name not in own and name not in _met_by_views()]
    text = "\n".join(
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
            "## What views are made of\n",
            *(_section(shape) for name, shape in shapes.items() if name not in own and name not in over_http),
            OVER_HTTP,
            "| address | who may ask | sent | answered | |\n|---|---|---|---|---|",
            *(_address(each, words.http[each.asked]) for each in addresses()),
            "\n## What HTTP sends and answers\n",
            *(_section(shapes[name]) for name in over_http),
            DEVICE_LINES,
            *_devices(),
            "## Choices\n",
            _choices(words, {"Said", "Told", "Request", "View", *map(_name, REFUSALS)}),
            "## Refusals\n\nEach in the order in which it is checked.\n",
            *map(_refusals, REFUSALS),
        ]
    )
    return text.replace(CONTENTS, _contents(text), 1)


def _devices() -> Iterator[str]:
    """What devices and the server say to each other, and who may report what."""
    words = Vocabulary(*FROM_DEVICES, *TO_DEVICES, *SIGNALS, http=False)
    shapes = {shape.name: shape for shape in words.met}
    yield "| signal | fields | of | |\n|---|---|---|---|"
    for kind in SIGNALS:
        of = ", ".join(device for device, may in signals.MAY_SIGNAL.items() if kind in may)
        yield _request(shapes.pop(_name(kind)), of)
    yield "\n### Messages of a device\n"
    for message in FROM_DEVICES:
        yield _section(shapes.pop(_name(message)))
    yield "### Messages to a device\n"
    for shape in shapes.values():
        yield _section(shape)
    yield "### Choices of devices\n"
    yield _choices(words, set(UNIONS))


def _met_by_views() -> set[str]:
    """The names of all that messages and views are made of."""
    words = Vocabulary(http=False)
    return set(words.shapes)


def _contents(text: str) -> str:
    """A table of contents: the page's parts."""
    titles = re.findall(r"^## (.+)$", text, re.MULTILINE)
    return "\n".join(f"- [{title}](#{title.lower().replace(' ', '-')})" for title in titles) + "\n"


def _address(address: Address, words: tuple[str, ...]) -> str:
    takes, *gives = words
    told = " or ".join(map(_code, gives)) or "no JSON"
    meaning = " ".join(address.meaning.split())
    return f"| `{address.asked.replace(':int', '')}` | {address.who} | {_code(takes)} | {told} | {meaning} |"


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


def _choices(words: Vocabulary, told: set[str]) -> str:
    """All but those that the page has elsewhere."""
    rows = [f"| `{name}` | {_code(text)} |" for name, text in words.choices.items() if name not in told]
    return "\n".join(["| name | one of |", "|---|---|", *rows, ""])


def _refusals(kind: type[Enum]) -> str:
    rows = [f"| `{member.value}` | {getattr(member, 'says', '')} |" for member in kind]
    return "\n".join([f"### {_name(kind)}\n", f"{_meanings(kind)['']}\n", "| why | says |", "|---|---|", *rows, ""])


def _example() -> Iterator[str]:
    """A bet without money, a bill in the acceptor, the bet, and coming back: the table is played to get it."""
    table, seq = state.new_table(load("craps")), 1
    bet = m.PlaceBet(seat=1, spot="pass", cents=1_000)
    yield _sent("screen", wire.Join())
    yield _sent("server", wire.Snapshot(seq=seq, server_ms=EXAMPLE.now_ms, view=frames.plain(_shown(table))))
    bill = m.Reported(signal=signals.BillStacked(note=1, cents=10_000), seat=1, kind="acceptor")
    course: tuple[m.Request | m.Reported, ...] = (bet, bill, bet)
    for number, said in enumerate(course, 1):
        asked = f"kX3:{number}"
        if isinstance(said, m.Request):
            yield _sent("screen", wire.Ask(id=asked, request=said))
        decision = decide_given(table, said, EXAMPLE)
        if isinstance(decision, m.Refused):
            yield _sent("server", wire.refused(asked, decision))
            continue
        before, table, seq = _shown(table), evolve_all(table, decision), seq + 1
        changes = frames.difference(before, _shown(table))
        yield _sent("server", wire.Frame(seq=seq, server_ms=EXAMPLE.now_ms, changes=changes))
        if isinstance(said, m.Request):
            yield _sent("server", wire.Done(id=asked, seq=seq))
    yield _sent("screen", wire.Join(after=seq))


EXAMPLE = m.Facts(now_ms=1_900_000_000_000)
CUT_AT = 240


def _shown(table: state.Table) -> view.View:
    return view.view(table, "seat 1", EXAMPLE)


def _sent(who: str, message: wire.ScreenMessage | wire.ServerMessage) -> str:
    text = wire.ENCODER.encode(message).decode()
    return f"{who}: `{text if len(text) <= CUT_AT else f'{text[:CUT_AT]} …'}`\n"


LIMITS = ServerLimits()


def _limited(of: ServerLimits) -> str:
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
        "practices": f"one for each seat, a newer one replaces it ({REPLACED}); {of.practices} on the floor, then"
        f" status 429; one without a request for {of.practice_idle_s} seconds ends ({IDLE})",
        "an HTTP request": f"{of.request_s} seconds from its first byte to its last; then status 408, or it is cut",
    }
    return "\n".join(["| | |\n|---|---|", *(f"| {what} | {most} |" for what, most in rows.items()), ""])


LIMITED = _limited(LIMITS)
CONTENTS = "(contents)"
OVER_HTTP = f"""\
## Over HTTP

Every address of the server but the WebSockets (`/ws`, `{DEVICES}` and `{PRACTICE}`) and `/assets`, the files of the
pages. What is sent is one JSON object in the body; what is not JSON is a page, a file, a PDF or a sound. A terminal
shows its token as with the WebSocket. Staff who are signed in show the cookie `{STAFF}` as well. A request with the
header `{LOOKS_ON}` does not keep their session awake. Words in code in the last column are parts of the query
(`?table=2`), or of the answer.

A refusal is a `No`: 401 nobody is signed in or the password is wrong, 403 it needs a higher role or a second
person, 404 there is no such thing, 429 wait, 409 all other reasons. Anything else that goes wrong is a `Problem`:
400 the request cannot be read, 401 the terminal is not enrolled, 403 the page, the network or the terminal is not
allowed, 404 there is no such thing, 405 the address has no such method, 408 the request took too long, 413 it is
too long, 421 the server has no such name (`Host`), 429 too often, 500 a fault of the server, 503 the table or the
journal cannot be used now.
"""
REPORTED = signals.Report(
    boot="00000001a6b7c8d9",
    seq=17,
    at_ms=1_900_000_000_000,
    signal=signals.DoorMoved(door="cage_main", open=True, moved_ms=1_899_999_990_000, how="battery"),
)
DEVICE_LINES = f"""\
## Devices

A device (acceptor, printer, doors with a key switch) enrols as a screen does, and opens a WebSocket at `{DEVICES}`
with the header `Authorization: Bearer TOKEN`. Its token is of no use at any other address, and a screen's is of no
use here. One device has one connection: a newer one replaces it ({REPLACED}).

1. The server sends `wanted`, and again whenever the table wants something else. Wishes are a state: what a device
   missed does not matter.
2. The device sends a `report` for each signal, numbered from 1 without gaps, in order, and keeps it until the
   server has sent `heard` with its number or a higher one. That is sent only when the report is durable.
3. After a lost connection the device repeats what was not heard. A repeated report is recorded once. One that is
   repeated with another content, or a number that is not the next one, makes the device distrusted: its seat is
   locked up until two people settle it, and the server asks for its totals (`tell`). The report after a gap is
   heard nevertheless, and `heard` has its number. That says nothing of the numbers that are missing: the server
   never had them, and the device cannot send them later, because an older number is a gap too. Only the totals
   show what they were worth.
4. A signal has happened, so it is never refused. What may be refused is refused while the paper is in escrow: the
   `wanted` for that note says whether to stack it.
5. A message that cannot be read, a signal that this kind of device may not report, or a door that is not at its
   place is answered by `not_understood`, and the connection is closed ({BAD_MESSAGE}).
6. `state_changed` (at most {signals.STATE_BYTES_MAX:,} bytes) is shown in the office and not recorded.
   `still_there` is answered by `alive`.

A message has at most {signals.MESSAGE_BYTES_MAX:,} bytes. All other limits and closing codes are those of a screen.

The field `signal` of a report is an object, and a field `signal` in it says which one it is:

`{signals.ENCODER.encode(REPORTED).decode()}`
"""
CONVERSATION = f"""\
# The protocol

Made from the code by `make docs`. The same types are in TypeScript in `web/src/wire.ts`, and `stickman.client` is a
client of it in Python.

{CONTENTS}
## Getting in

A terminal gives its code once, `POST /api/enrol` with `{{"code": "7X01-NQR1"}}`, and is answered with its `token`,
which is its cookie `{TERMINAL}` as well. With the cookie, or the header `Authorization: Bearer TOKEN`, it opens a
WebSocket at `/ws`; which screen of which table it is, the server knows by the token (an office names a table,
`/ws?table=2`). Staff sign in by `POST /api/sign-in` with `badge` and `password`; their session is the cookie
`{STAFF}`, which a connection gives when it is made; it is closed when that session ends. At a seat's terminal they
sign in only while its key switch is turned, and are signed out when it is turned back. A browser must come from a
page of the server, or of an origin that the server's configuration names.

One browser can be several screens. A request that names its place, `?{PLACE}=table-2-seat-1` or `?{PLACE}=office`,
is made with the cookies of that place, `{TERMINAL}.table-2-seat-1` and `{STAFF}.table-2-seat-1`;
without them with the plain ones, if their terminal is at that place. A code that such a request gives is answered
with the cookie of its place. The pages name their place where their address does: `/seat/1?table=2`, `/office`.
At a demonstration a browser needs no code: `POST /api/sit` with `{{"screen": "seat", "table": 2, "seat": 1}}` is
answered with the cookie of that place.

## How a conversation goes

Every message is one JSON object in one text message. Its `type` says what it is. You may leave out a field with a
question mark; it then has its default value.

1. The screen sends `join`, within {JOIN_S} seconds.
2. The server sends a `snapshot`, then a `frame` for every change of what the screen shows. Each carries the
   number (`seq`) of the table's last record at that moment. Numbers grow, but not always by one: a screen gets
   nothing that it may not see, and time changes a view without a record, so that two frames can have one number.
3. The screen sends requests, each under an id that it chooses. The answer carries that id: `done`, `refused` or
   `again`. The server answers the requests of one connection in their order. The frame that shows the change
   comes before its `done`. The server shows and answers nothing before it is durable.
4. A request that is sent twice under one id is carried out once, and the second `done` equals the first. An id is
   for one request: another request under it gets the answer of the first and is not carried out. A client
   without an answer may retry under the same id, on any connection, at any time. After `again` it must retry,
   because nobody knows whether the request was carried out. Refusals are not remembered: a retry is decided
   again. `done` with `seq` 0 means that nothing changed.
5. `ping` is answered by `pong` with the server's clock. All times (`…_ms`) are in that clock.

**Frames.** `changes` is nested like the view and holds what differs. Objects are merged key by key. The key
`{frames.REMOVED}` lists removed keys. Everything else, arrays too, replaces the old value.

**Coming back.** A screen that lost its connection joins with `after`, the number of the last snapshot or frame
that it has. It gets the frames that it missed, of which the server keeps {FRAMES_KEPT}, or a new snapshot that
replaces everything. A screen that reads too slowly, so that {LIMITS.outbox} messages wait for it, also gets a new
snapshot.

**Two people.** If the table refuses with `needs_two`, a second person enters their password at the same terminal
for exactly this request: `POST /api/approve` with `badge`, `password`, `table` and the `request` as it is sent.
The person who is signed in there sends the request again within {APPROVAL_MS // 1000} seconds, with that badge as
`approver`. An approval counts once, for the same request, table, terminal and session; a sign-in or sign-out at
the terminal ends it. A request that the table refuses does not use it up. Requests to the office over HTTP are
approved by their `endpoint` (`POST /api/tickets/NUMBER/void`) and `body` instead.

**What a screen cannot say.** A request names no fact: not the dice of the generator, the time, the value of a
ticket or the person who asks. Unknown fields, in a message or in its request, are an error.
The server refuses requests that only the house may make.

**Lessons.** A seat's terminal opens a practice at `{PRACTICE}?lesson=odds`: a table in memory with one seat, money
that is not real and the dice of the lesson, for this connection only. It speaks as a table does, and sends `lesson`
after the snapshot and whenever the step is another. Only what plays is done there; the rest is refused with
`not_in_practice`. Nothing of it reaches the floor. A screen that comes back begins the lesson again.

## Limits

{LIMITED}
These values apply unless the configuration sets others (`[limits]`, operating.md).

## Closing codes

| code | | come again |
|---|---|---|
| {GOING_AWAY} | The server stops. | yes |
| {RESTARTS} | The table starts again, here or elsewhere. | yes |
| {BAD_MESSAGE} | A message could not be read; `bad` says why. | no: it would be the same |
| 1009 | A message was too long. | no: it would be the same |
| {REVOKED} | The terminal has been revoked. | no: it needs a new code |
| {SIGNED_OUT} | The session of the signed-in person ended. | yes; an office when a pit boss has signed in |
| {REPLACED} | The seat has newer connections, as many as it may have. | no, or they replace each other endlessly |
| {FLOODED} | It sent too many control frames or bytes. | yes, but not so fast |
| {SILENT} | A device sent nothing for too long. | yes |
| {IDLE} | A practice is over: nothing was asked for too long, or too much. | when the lesson is wanted again |
| 1007 | A text message was not UTF-8. | no: it would be the same |

Before the connection is made, HTTP says why not: 401 the token is not known, or nobody is signed in at an office;
403 the origin or network is not allowed, or a dealer is signed in at an office; 404 there is no such table or seat;
421 the server has no such name (`Host`); 429 too many connections; 503 the table is not served now (come again).
"""
