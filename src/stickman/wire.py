"""The messages between screens and the server, over one WebSocket for each screen.

A screen joins and gets a `Snapshot` of its view, then `Frame`s with the changes, numbered by record. It makes
requests under ids that it chooses. The answer is `Done` when the request is durable, or `Refused`; the frame with
the change always comes before its `Done`. A screen that missed frames joins again with the number of its last
frame, and gets the missing frames or a new snapshot. Two requests with the same id act once. A request contains no
facts.
"""

from __future__ import annotations

import functools
import operator
import re
from typing import Annotated, Any, Literal, Protocol

import msgspec
from msgspec import Meta, Struct

from stickman.rules.datafile import to_text
from stickman.rules.spoken import Detailed, Spoken
from stickman.table.decide import DECIDERS
from stickman.table.frames import Plain

MESSAGE_BYTES_MAX = 4_096
"""The longest message a screen may send."""

Id = Annotated[
    str, Meta(min_length=1, max_length=64, pattern=r"\A[A-Za-z0-9._:-]+\Z", description="Chosen by the asker.")
]


def _kind(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


# --- From a screen ---


class ScreenMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag=_kind, forbid_unknown_fields=True):
    """A message from a screen."""


class Join(ScreenMessage, frozen=True, kw_only=True):
    """The first message of a connection, whose token identifies the screen."""

    after: int | None = None
    """The number of its last frame; none: it has no frames yet."""


Asking: Any = functools.reduce(operator.or_, DECIDERS)
"""Every request."""


class Ask(ScreenMessage, frozen=True, kw_only=True):
    """A request to the table."""

    id: Id
    request: Asking
    approver: str = ""
    """The badge of the second person, if one is needed, who has approved this on this screen."""


class Ping(ScreenMessage, frozen=True, kw_only=True):
    """Asks whether the server answers, and for its time."""

    sent_ms: int = 0


# --- From the server ---


class ServerMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag=_kind):
    """A message from the server."""


class Snapshot(ServerMessage, frozen=True, kw_only=True):
    """The whole view of the screen."""

    seq: int
    server_ms: int
    view: Plain


class Frame(ServerMessage, frozen=True, kw_only=True):
    """The changes of the view, nested like it; the key `-` lists removed keys."""

    seq: int
    server_ms: int
    changes: Plain


class Done(ServerMessage, frozen=True, kw_only=True):
    """The request is done and durable."""

    id: str
    seq: int
    """Of the record."""


class Refused(ServerMessage, frozen=True, kw_only=True):
    """The request is refused, and nothing has changed."""

    id: str
    why: str
    """The refusal's name."""
    detail: str | Detailed = ""
    """The id of a bet, or more by key."""
    says: str
    """In English, if the screen has no text for it."""


class Again(ServerMessage, frozen=True, kw_only=True):
    """It is unknown whether the request was done: ask again with the same id."""

    id: str


class Pong(ServerMessage, frozen=True, kw_only=True):
    sent_ms: int
    server_ms: int


class Bad(ServerMessage, frozen=True, kw_only=True):
    """The screen's message cannot be read; the connection is closed."""

    message: str


LessonName = Literal["pass", "odds", "come", "place", "props", "sides"]
LessonText = Literal[
    "bet_pass",
    "bet_line",
    "bet_odds",
    "bet_come",
    "bet_place",
    "bet_field",
    "bet_eleven",
    "bet_small",
    "throw_first",
    "throw_point",
    "throw_odds",
    "throw_come",
    "throw_come_point",
    "throw_place",
    "throw_last",
    "throw_field",
    "throw_eleven",
    "throw_small",
    "throw_more",
    "throw_small_last",
    "won",
]


class Lesson(ServerMessage, frozen=True, kw_only=True):
    """The step of a lesson, at a practice table only: after its snapshot, and whenever the step is another."""

    lesson: LessonName
    step: int
    """From 1."""
    of: int
    """How many there are."""
    says: LessonText
    """The key of the sentence that says what to do."""
    at: str
    """The spot to touch; `throw`: the dice; empty: nothing is left to do."""
    done: bool = False
    won_cents: int = 0
    """What the last throw won, once it is done."""


DECODER: msgspec.json.Decoder[Join | Ask | Ping] = msgspec.json.Decoder(Join | Ask | Ping)
ENCODER = msgspec.json.Encoder(enc_hook=to_text)


class Negative(Protocol):
    """A refusal of a table, of the floor, or before both."""

    @property
    def why(self) -> Spoken: ...

    @property
    def detail(self) -> str | Detailed: ...


def refused(asked: str, no: Negative) -> Refused:
    return Refused(id=asked, why=no.why.value, detail=no.detail, says=str(no))
