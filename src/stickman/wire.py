"""What screens and the server say to each other, over one WebSocket for each screen.

A screen joins and gets a `Snapshot` of its view, then `Frame`s: what changed, numbered by the record that did it.
It asks with ids of its own making. What it asked is answered by `Done` once it is durable, or by `Refused`; a frame
that shows the change always comes before its `Done`. A screen that missed frames joins again with the last number
that it has, and gets what it missed or a new snapshot. Asking twice with one id does it once. A screen cannot name
a fact.
"""

from __future__ import annotations

import functools
import operator
import re
from typing import Annotated, Any, Protocol

import msgspec
from msgspec import Meta, Struct

from stickman.rules.datafile import to_text
from stickman.rules.spoken import Detailed, Spoken
from stickman.table.decide import DECIDERS
from stickman.table.frames import Plain

MESSAGE_BYTES_MAX = 4_096
"""The longest message a screen may send."""

Id = Annotated[
    str, Meta(min_length=1, max_length=64, pattern=r"\A[A-Za-z0-9._:-]+\Z", description="Made by the asker.")
]


def _kind(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


# --- What a screen says ---


class Said(Struct, frozen=True, kw_only=True, tag_field="type", tag=_kind, forbid_unknown_fields=True):
    """A message of a screen."""


class Join(Said, frozen=True, kw_only=True):
    """The first message of a connection: where the screen is known by its token, and what it has seen."""

    after: int | None = None
    """The number of the last frame it has; none: nothing yet."""


Asking: Any = functools.reduce(operator.or_, DECIDERS)
"""Every request there is."""


class Ask(Said, frozen=True, kw_only=True):
    """Something that the table should do."""

    id: Id
    request: Asking
    approver: str = ""
    """The badge of the second person, where two are needed, who gave their password for this on this screen."""


class Ping(Said, frozen=True, kw_only=True):
    """Is the server there, and what time is it?"""

    sent_ms: int = 0


# --- What the server says ---


class Told(Struct, frozen=True, kw_only=True, tag_field="type", tag=_kind):
    """A message of the server."""


class Snapshot(Told, frozen=True, kw_only=True):
    """All that the screen may see."""

    seq: int
    server_ms: int
    view: Plain


class Frame(Told, frozen=True, kw_only=True):
    """What changed, nested as the view is; the key `-` lists keys that are gone."""

    seq: int
    server_ms: int
    changes: Plain


class TicketOut(Struct, frozen=True):
    """A ticket that was printed. The number is as good as the money: it is told once, to who asked for it."""

    number: str
    cents: int
    at_ms: int
    expires_at_ms: int


class Done(Told, frozen=True, kw_only=True, omit_defaults=True):
    """It is done and durable."""

    id: str
    seq: int
    """Of the record."""
    ticket: TicketOut | None = None
    """The ticket that a cash-out printed."""


class Refused(Told, frozen=True, kw_only=True):
    """It is not done, and nothing has changed."""

    id: str
    why: str
    """The refusal's name."""
    detail: str | Detailed = ""
    """The id of a bet, or more by key."""
    says: str
    """In English, for whoever has no better words."""


class Again(Told, frozen=True, kw_only=True):
    """Nobody knows whether it was done: ask again with the same id."""

    id: str


class Pong(Told, frozen=True, kw_only=True):
    sent_ms: int
    server_ms: int


class Bad(Told, frozen=True, kw_only=True):
    """What the screen sent cannot be read; the connection is closed."""

    message: str


SAID: msgspec.json.Decoder[Join | Ask | Ping] = msgspec.json.Decoder(Join | Ask | Ping)
ENCODER = msgspec.json.Encoder(enc_hook=to_text)


class Negative(Protocol):
    """A no, of a table, of the floor or of the door."""

    @property
    def why(self) -> Spoken: ...

    @property
    def detail(self) -> str | Detailed: ...


def refused(asked: str, no: Negative) -> Refused:
    return Refused(id=asked, why=no.why.value, detail=no.detail, says=str(no))
