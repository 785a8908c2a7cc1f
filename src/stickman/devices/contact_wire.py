"""The wire of doors and key switches behind a network connection: one line of text for each contact or change.

    battery door cage_main open 1700000000000
    state door cage_main closed 1700000000000
    edge key on 1700000000000

After a connection the far end sends a `battery` line for each change that nobody has read yet, then a `state` line
for each contact, then an `edge` line for each change. Times are its own, in ms since 1970. The host answers `noted`
when all `battery` lines are stored, so that a far end may keep them until then; it needs no answer.
"""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

Said = Literal["battery", "state", "edge"]
SAID: tuple[Said, ...] = get_args(Said)
LINE_MAX = 120
"""Bytes of a line."""
NOTED = b"noted\n"
FORM = "battery|state|edge door NAME open|closed MS, or battery|state|edge key on|off MS"


class BadContactLine(ValueError):
    """It says what was found and what is allowed."""


class ContactLine(Struct, frozen=True, kw_only=True):
    """`active` is a closed door, or a key that is on; `door` is empty for the key."""

    said: Said
    door: str = ""
    active: bool
    at_ms: int

    def encode(self) -> bytes:
        """As it is sent.

        >>> ContactLine(said="edge", active=True, at_ms=1_700_000_000_000).encode()
        b'edge key on 1700000000000\\n'
        """
        state = ("closed" if self.active else "open") if self.door else ("on" if self.active else "off")
        contact = f"door {self.door}" if self.door else "key"
        return f"{self.said} {contact} {state} {self.at_ms}\n".encode("ascii")


STATES = {("door", "closed"): True, ("door", "open"): False, ("key", "on"): True, ("key", "off"): False}


def read_contact_line(line: bytes) -> ContactLine:
    """One line, with or without its end.

    >>> read_contact_line(b"battery door cage_main open 1700000000000\\n").door
    'cage_main'
    """
    words = line[: LINE_MAX + 1].decode("ascii", "replace").split()
    said = next((known for known in SAID if words[:1] == [known]), None)
    kind = words[1] if len(words) > 1 else ""
    named = kind == "door"
    active = STATES.get((kind, words[-2])) if len(words) == (5 if named else 4) else None
    at = words[-1] if words else ""
    if said is None or active is None or not (at.isascii() and at.isdigit() and len(at) <= 15):
        raise BadContactLine(f"found {line[:LINE_MAX]!r}; allowed: {FORM}")
    return ContactLine(said=said, door=words[2] if named else "", active=active, at_ms=int(at))


class ContactLineReader:
    """Takes bytes in any pieces and gives whole lines. Those that cannot be read are counted and skipped."""

    def __init__(self) -> None:
        self.bad = 0
        self._held = b""

    def feed(self, data: bytes) -> list[ContactLine]:
        """
        >>> reader = ContactLineReader()
        >>> len(reader.feed(b"state key off 7\\nsomething\\nedge key on 9\\nedge ke")), reader.bad
        (2, 1)
        """
        *lines, self._held = (self._held + data).split(b"\n")
        self._held = self._held[: LINE_MAX + 1]
        found = []
        for line in lines:
            try:
                found.append(read_contact_line(line))
            except BadContactLine:
                self.bad += 1
        return found
