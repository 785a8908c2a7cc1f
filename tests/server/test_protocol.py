"""What is written down of the protocol is what is said: the TypeScript is read back, and real messages fit it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from starlette.routing import Mount, Route, WebSocketRoute

from docs import protocol_page as protocol
from stickman import wire
from stickman.floor.events import Role
from stickman.rules.felt import Reason
from stickman.server import app
from stickman.server.answers import Problem
from stickman.server.auth import HOUSE_ALONE, WHO
from stickman.table import messages as m
from stickman.table.decide import DECIDERS
from stickman.table.frames import Plain, plain
from stickman.table.view import view
from tests.floor.evening import awaited
from tests.server.process import OFFICE, prepare, serving
from tests.server.test_app import EXAMPLES as DESK_EXAMPLES
from tests.table.walks import walks
from tests.talk.server import http, sign_in

ROOT = Path(__file__).parent.parent.parent
Fits = Callable[[Any], bool]


# --- A reader of the TypeScript that is written, and of no other ---

TOKEN = re.compile(r'\s*(/\*\*.*?\*/|//[^\n]*|"[^"]*"|\w+|[{}\[\]()<>|;:,?=])')


class Reader:
    """Reads declarations; each type becomes a question: does a value fit?"""

    def __init__(self, text: str) -> None:
        self.declared: dict[str, Fits] = {}
        self.tokens: list[str] = []
        place = 0
        while text[place:].strip():
            token = TOKEN.match(text, place)
            assert token, f"cannot be read: {text[place : place + 40]!r}"
            place = token.end()
            self.tokens += [token[1]] if not token[1].startswith("/") else []
        self.tokens.reverse()
        while self.tokens:
            self.declaration()

    def next(self, *expected: str) -> str:
        token = self.tokens.pop()
        assert not expected or token in expected, (token, expected)
        return token

    def takes(self, token: str) -> bool:
        return self.tokens[-1] == token and bool(self.tokens.pop())

    def declaration(self) -> None:
        self.next("export")
        kind, name = self.next("type", "interface"), self.next()
        assert name not in self.declared, f"{name} is declared twice"
        if kind == "interface":
            self.declared[name] = self.interface()
            return
        self.next("=")
        self.takes("|")
        self.declared[name] = self.union()
        self.next(";")

    def interface(self) -> Fits:
        fields, needed, open_ended = {}, set(), False
        self.next("{")
        while not self.takes("}"):
            self.next("readonly")
            if self.takes("["):
                open_ended = True
                for each in "detail", ":", "string", "]", ":", "unknown", ";":
                    self.next(each)
                continue
            name = self.next()
            if not self.takes("?"):
                needed.add(name)
            self.next(":")
            fields[name] = self.union()
            self.next(";")
        return lambda value: (
            isinstance(value, dict)
            and needed <= value.keys()
            and (open_ended or value.keys() <= fields.keys())
            and all(fields[key](each) for key, each in value.items() if key in fields)
        )

    def union(self) -> Fits:
        options = [self.arrays()]
        while self.takes("|"):
            options.append(self.arrays())
        return lambda value: any(option(value) for option in options)

    def arrays(self) -> Fits:
        self.takes("readonly")
        fits = self.one()
        while self.takes("["):
            self.next("]")
            fits = array_of(fits)
        return fits

    def one(self) -> Fits:
        token = self.next()
        if token.startswith('"'):
            return lambda value: value == token[1:-1]
        match token:
            case "(":
                fits = self.union()
                self.next(")")
                return fits
            case "[":
                return self.places()
            case "Readonly":
                return self.record()
        return SIMPLE.get(token) or self.later(token)

    def record(self) -> Fits:
        """By text or number; with `Partial`, by some of the choices of a name."""
        self.next("<")
        some = self.takes("Partial") and self.takes("<")
        for each in "Record", "<":
            self.next(each)
        key = self.later(self.next()) if some else None
        if not some:
            self.next("string", "number")
        self.next(",")
        fits = self.union()
        for _ in range(3 if some else 2):
            self.next(">")
        return lambda value: (
            isinstance(value, dict) and all(map(fits, value.values())) and (key is None or all(map(key, value)))
        )

    def later(self, name: str) -> Fits:
        """A type that may be declared further down."""

        def fits(value: Any) -> bool:
            return self.declared[name](value)

        return fits

    def places(self) -> Fits:
        places = []
        while not self.takes("]"):
            if self.tokens[-2] == ":":
                self.next()
                self.next(":")
            places.append(self.union())
            self.takes(",")
        return lambda value: (
            isinstance(value, list)
            and len(value) == len(places)
            and all(fits(each) for fits, each in zip(places, value, strict=True))
        )


def array_of(fits: Fits) -> Fits:
    return lambda value: isinstance(value, list) and all(map(fits, value))


SIMPLE: dict[str, Fits] = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: type(value) is int,
    "boolean": lambda value: isinstance(value, bool),
    "true": lambda value: value is True,
    "false": lambda value: value is False,
    "null": lambda value: value is None,
    "unknown": lambda _: True,
}


def sent(message: Any) -> Any:
    return msgspec.json.decode(wire.ENCODER.encode(message))


# --- Messages fit ---

SCREENS = ("seat 1", "dealer", "table", "info", "office")
PAGE, TYPESCRIPT = ((ROOT / file).read_text("utf-8") for file in ("docs/protocol.md", "web/src/wire.ts"))
"""As they are made from the types: `test_made_pages_are_fresh` sees to that."""
READ = Reader(TYPESCRIPT)


@settings(max_examples=25)
@given(walks(steps=15))
def test_every_view_fits_its_type(walked: list[tuple[Any, m.Facts]]) -> None:
    for table, facts in walked[::5]:
        for screen in SCREENS:
            seen = plain(view(table, screen, facts))
            told = sent(wire.Snapshot(seq=1, server_ms=1, view=seen))
            assert READ.declared["Told"](told), screen


EXAMPLES: dict[Any, Any] = {
    "seat": 1, "cents": 100, "number": "123", "spot": "pass", "on": True, "button": "press", "accept": True,
    "to": "x", "slot": 1, "pin": "4711", "name": "x", "dice": (1, 2), "reason": "short",
    "mode": "automated", "key": "seats", "text": "3", "device": "terminal-1", "switch": "keep_bets",
}  # fmt: skip


@pytest.mark.parametrize("kind", DECIDERS, ids=lambda kind: kind.__name__)
def test_a_request_fits_the_types_unless_the_house_alone_makes_it(kind: type[m.Request]) -> None:
    needed = {field.name: EXAMPLES[field.name] for field in msgspec.structs.fields(kind) if field.required}
    request = kind(**needed)
    assert READ.declared["Request"](sent(request)) is (WHO[kind] != HOUSE_ALONE)
    without_defaults = {"do": kind.__struct_config__.tag, **needed}
    assert READ.declared["Request"](sent(without_defaults)) is (WHO[kind] != HOUSE_ALONE)


@pytest.mark.parametrize(
    ("union", "message"),
    [
        ("Said", wire.Join()),
        ("Said", wire.Join(after=3)),
        ("Said", wire.Ask(id="a", request=m.Shoot(seat=1))),
        ("Said", wire.Ping(sent_ms=1)),
        ("Told", wire.Frame(seq=1, server_ms=1, changes={"-": ["x"]})),
        ("Told", wire.Done(id="a", seq=1)),
        ("Told", wire.refused("a", m.Refused(Reason.LOCKED))),
        ("Told", wire.Again(id="a")),
        ("Told", wire.Pong(sent_ms=1, server_ms=2)),
        ("Told", wire.Bad(message="?")),
        ("Told", wire.Lesson(lesson="odds", step=1, of=4, says="bet_line", at="pass")),
    ],
)
def test_a_message_fits_its_union_and_no_other(union: str, message: Any) -> None:
    other = {"Said": "Told", "Told": "Said"}[union]
    assert READ.declared[union](sent(message))
    assert not READ.declared[other](sent(message))


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "done", "id": "a"},
        {"type": "done", "id": "a", "seq": "1"},
        {"type": "done", "id": "a", "seq": 1, "more": 1},
        {"type": "said", "id": "a", "seq": 1},
        {"type": "refused", "id": "a", "why": "because", "detail": "", "says": ""},
    ],
)
def test_what_is_not_so_does_not_fit(wrong: Plain) -> None:
    assert not READ.declared["Told"](wrong)


# --- What is written ---


def test_the_page_has_every_message_request_view_and_refusal() -> None:
    for kind in (*protocol.SAID, *protocol.TOLD, *protocol.VIEWS):
        assert f"### {kind.__name__} " in PAGE
    for request, who in WHO.items():
        assert (f"| `{request.__struct_config__.tag}` |" in PAGE) is (who != HOUSE_ALONE)
    for refusals in protocol.REFUSALS:
        for refusal in refusals:
            assert f"| `{refusal.value}` | {refusal.says} |" in PAGE  # type: ignore[attr-defined] # a Spoken


def test_what_a_field_means_is_told_where_its_source_tells_it() -> None:
    assert "| `spot` | `string` |  | The spot of the odds. |" in PAGE
    assert "  /** The spot of the odds. */\n  readonly spot: string;" in TYPESCRIPT


# --- Over HTTP ---


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    return prepare(tmp_path / "floor")


@awaited
async def test_every_address_of_the_server_is_documented_and_no_other(floor: Path) -> None:
    async with serving(floor) as (live, _):
        routes = list(app._routes(app.Front(live)))
    served = {
        f"{method} {route.path}".replace(":int", "")
        for route in routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    written = re.findall(r"^\| `((?:GET|POST) /\S*)` \|", PAGE, re.MULTILINE)
    assert sorted(written) == sorted({*served, app.SIT})  # only a demonstration has that one
    assert app.SIT not in served
    others = {route.path for route in routes if isinstance(route, WebSocketRoute | Mount)}
    assert others <= {"/ws", "/ws/device", "/ws/practice", "/assets"}, "what the page names beside the table"


@awaited
async def test_every_answer_of_the_desk_fits_the_type_that_is_documented(floor: Path) -> None:
    answered = {each: words[1:] for each, words in protocol.Vocabulary().http.items()}
    declared = [f"export type T{n} = {' | '.join(text) or 'null'};" for n, text in enumerate(answered.values())]
    read = Reader(TYPESCRIPT + "\n".join(declared)).declared
    async with serving(floor) as (_, url):
        session = await sign_in(url, OFFICE, Role.ADMINISTRATOR)
        for n, endpoint in enumerate(answered):
            if endpoint not in DESK_EXAMPLES:
                continue
            (method, _), (path, body) = endpoint.split(), DESK_EXAMPLES[endpoint]
            answer = await http(url, method, path, body, token=OFFICE, session=session)
            if answer.status == 200 and answered[endpoint]:
                assert read[f"T{n}"](answer.json), (endpoint, answer.json)
            elif answer.status >= 400:
                assert any(read[no](answer.json) for no in ("No", "Problem")), (endpoint, answer.json)


@awaited
async def test_every_status_of_a_problem_is_documented(floor: Path) -> None:
    sentence = protocol.OVER_HTTP.partition("is a `Problem`:")[2]
    async with serving(floor) as (_, url):
        found = [
            await http(url, "POST", "/api/enrol", b"{"),
            await http(url, "GET", "/api/place"),
            await http(url, "POST", "/api/enrol", {}, origin="http://elsewhere.example"),
            await http(url, "GET", "/nothing"),
            await http(url, "POST", "/api/place"),
            await http(url, "POST", "/api/enrol", b"x" * 20_000),
            await http(url, "GET", "/healthz", host="elsewhere.example"),
        ]
    assert [answer.status for answer in found] == [400, 401, 403, 404, 405, 413, 421]
    for answer in found:
        assert msgspec.json.decode(answer.body, type=Problem, strict=True).error
    always = {*(answer.status for answer in found), 408, 429, 500, 503}
    assert {int(code) for code in re.findall(r"\b[45]\d\d\b", sentence)} == always
