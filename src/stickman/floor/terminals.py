"""The screens of the floor: each enrols once, by a code that a supervisor reads out, and is known by its token."""

from __future__ import annotations

import hashlib

from stickman.floor.events import (
    Act,
    Decision,
    EnrolmentFailed,
    Place,
    Refusal,
    Refused,
    TerminalEnrolled,
    TerminalOffered,
    TerminalRevoked,
)
from stickman.floor.office import Floor, Terminal
from stickman.floor.staff import spelled
from stickman.rules.spoken import Detail

CODE_BYTES = 8
TOKEN_BYTES = 32
OFFER_MS = 10 * 60_000
SEATS_MAX = 10
TABLE_MAX = 999_999

MISREAD = str.maketrans("OIL", "011", " -")
"""Letters that no code has, for those that look like them; spaces and dashes mean nothing."""


def digest(secret: str) -> str:
    """All that is kept of a code or a token."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def code(random_bytes: bytes) -> str:
    """A code to read out, in two groups."""
    assert len(random_bytes) == CODE_BYTES
    letters = spelled(random_bytes)
    return f"{letters[:4]}-{letters[4:]}"


def code_hash(typed: str) -> str:
    """The hash of a code as somebody typed it.

    >>> code_hash("7x0l nqr1") == code_hash("7X01-NQR1")
    True
    """
    return digest(typed.upper().translate(MISREAD))


def offer(floor: Floor, *, by: str, place: Place, code_hash: str, at_ms: int) -> Decision:
    """Let a place wait for a terminal that gives this code in time."""
    if refused := floor.refuses(by, Act.ENROL_TERMINALS):
        return refused
    if not _is_place(place):
        return Refused(Refusal.NO_SUCH_PLACE, place.detail)
    return (TerminalOffered(place=place, code_hash=code_hash, expires_at_ms=at_ms + OFFER_MS),)


def _is_place(place: Place) -> bool:
    """The office has no table, every other screen has one, and only seats have a seat."""
    tables = range(1) if place.screen == "office" else range(1, TABLE_MAX + 1)
    seats = range(1, SEATS_MAX + 1) if place.screen == "seat" else range(1)
    return place.table in tables and place.seat in seats


def enrol(floor: Floor, *, code_hash: str, token_hash: str, at_ms: int) -> Decision:
    """Trade a code for a token, once; whoever had the place before loses it. A wrong code is recorded too."""
    offered = floor.offers.get(code_hash)
    if offered is None:
        return (EnrolmentFailed(why="unknown_code"),)
    if at_ms >= offered.expires_at_ms:
        return (EnrolmentFailed(why="expired_code"),)
    replaced = [
        TerminalRevoked(terminal=terminal.id, place=terminal.place, why="replaced")
        for terminal in floor.terminals.values()
        if terminal.place == offered.place
    ]
    enrolled = TerminalEnrolled(
        terminal=f"terminal-{floor.enrolled + 1}",
        place=offered.place,
        code_hash=code_hash,
        token_hash=token_hash,
    )
    return (*replaced, enrolled)


def told(decision: Decision) -> TerminalEnrolled | Refused:
    """What a terminal is told of an attempt to enrol: all failures alike."""
    if isinstance(decision, Refused):
        return decision
    last = decision[-1]
    return last if isinstance(last, TerminalEnrolled) else Refused(Refusal.CODE_NOT_GOOD)


def revoke(floor: Floor, *, by: str, terminal: str) -> Decision:
    if refused := floor.refuses(by, Act.ENROL_TERMINALS):
        return refused
    if terminal not in floor.terminals:
        return Refused(Refusal.NO_SUCH_TERMINAL, Detail.NAME(name=terminal[:40]))
    return (TerminalRevoked(terminal=terminal, place=floor.terminals[terminal].place, why="revoked"),)


def recognised(floor: Floor, token: str) -> Terminal | None:
    """The terminal that has this token."""
    token_hash = digest(token)
    return next((each for each in floor.terminals.values() if each.token_hash == token_hash), None)
