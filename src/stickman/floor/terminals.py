"""Terminals, the screens of the floor: each enrols once with a code from a supervisor, and then has a token."""

from __future__ import annotations

import hashlib

from stickman.floor import events as e
from stickman.floor.events import Act, Decision, Place, Refusal, Refused
from stickman.floor.office import Floor, Terminal
from stickman.floor.staff import code_from
from stickman.rules.spoken import Detail

CODE_BYTES = 8
TOKEN_BYTES = 32
OFFER_MS = 10 * 60_000
SEATS_MAX = 10
TABLE_MAX = 999_999

MISREAD = str.maketrans("OIL", "011", " -")
"""Letters that are in no code become those that look like them; spaces and dashes are ignored."""


def digest(secret: str) -> str:
    """The stored form of a code or a token."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def code(random_bytes: bytes) -> str:
    """A code in two groups."""
    assert len(random_bytes) == CODE_BYTES
    letters = code_from(random_bytes)
    return f"{letters[:4]}-{letters[4:]}"


def code_hash(typed: str) -> str:
    """The hash of a code as typed.

    >>> code_hash("7x0l nqr1") == code_hash("7X01-NQR1")
    True
    """
    return digest(typed.upper().translate(MISREAD))


def offer(floor: Floor, *, by: str, place: Place, code_hash: str, at_ms: int) -> Decision:
    """Offer a place to a terminal that sends this code in time."""
    if refused := floor.refuses(by, Act.ENROL_TERMINALS):
        return refused
    if not _is_place(place):
        return Refused(Refusal.NO_SUCH_PLACE, place.detail)
    return (e.TerminalOffered(place=place, code_hash=code_hash, expires_at_ms=at_ms + OFFER_MS),)


def _is_place(place: Place) -> bool:
    """The office has no table, every other screen has one, and only seats have a seat."""
    tables = range(1) if place.screen == "office" else range(1, TABLE_MAX + 1)
    seats = range(1, SEATS_MAX + 1) if place.screen == "seat" else range(1)
    return place.table in tables and place.seat in seats


def enrol(floor: Floor, *, code_hash: str, token_hash: str, at_ms: int) -> Decision:
    """Exchange a code for a token, once. The place's last terminal loses it. A wrong code is recorded too."""
    offered = floor.offers.get(code_hash)
    if offered is None:
        return (e.EnrolmentFailed(why="unknown_code"),)
    if at_ms >= offered.expires_at_ms:
        return (e.EnrolmentFailed(why="expired_code"),)
    replaced = [
        e.TerminalRevoked(terminal=terminal.id, place=terminal.place, why="replaced")
        for terminal in floor.terminals.values()
        if terminal.place == offered.place
    ]
    name, place = f"terminal-{floor.enrolled + 1}", offered.place
    enrolled = e.TerminalEnrolled(terminal=name, place=place, code_hash=code_hash, token_hash=token_hash)
    return (*replaced, enrolled)


def outcome(decision: Decision) -> e.TerminalEnrolled | Refused:
    """What a terminal learns of an attempt to enrol: the same for all failures."""
    if isinstance(decision, Refused):
        return decision
    last = decision[-1]
    return last if isinstance(last, e.TerminalEnrolled) else Refused(Refusal.CODE_NOT_GOOD)


def revoke(floor: Floor, *, by: str, terminal: str) -> Decision:
    if refused := floor.refuses(by, Act.ENROL_TERMINALS):
        return refused
    if terminal not in floor.terminals:
        return Refused(Refusal.NO_SUCH_TERMINAL, Detail.NAME(name=terminal[:40]))
    return (e.TerminalRevoked(terminal=terminal, place=floor.terminals[terminal].place, why="revoked"),)


def recognised(floor: Floor, token: str) -> Terminal | None:
    token_hash = digest(token)
    return next((each for each in floor.terminals.values() if each.token_hash == token_hash), None)
