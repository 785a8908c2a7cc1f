"""Terminals, the screens and devices of the floor: each enrols once with a code from a supervisor, and then has a
token."""

from __future__ import annotations

import hashlib

from stickman.floor import events as e
from stickman.floor.events import Act, Decision, Place, PlaceKind, Refusal, Refused
from stickman.floor.office import Floor, Terminal
from stickman.floor.staff import code_from
from stickman.rules.spoken import Detail

CODE_BYTES = 8
TOKEN_BYTES = 32
CODE_VALID_MS = 10 * 60_000
SEATS_MAX = 10
TABLE_MAX = 999_999

MISREAD = str.maketrans("OIL", "011", " -")
"""O, I and L are in no code and become the digits that look like them; spaces and dashes are ignored."""


def digest(secret: str) -> str:
    """The hash of a secret: the stored form of a token. That of a code is its `code_hash`."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def code(random_bytes: bytes) -> str:
    """A code such as `7X01-NQR1`: a character for each random byte."""
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
    return (e.TerminalOffered(place=place, code_hash=code_hash, expires_at_ms=at_ms + CODE_VALID_MS),)


AT_SEATS: dict[PlaceKind, range] = {
    **dict.fromkeys(("seat", "acceptor", "printer"), range(1, SEATS_MAX + 1)),
    "doors": range(SEATS_MAX + 1),
}
"""By kind, its possible seats. 0 means none: doors at 0 are the table's own, and other kinds have only 0."""


def _is_place(place: Place) -> bool:
    """The office has no table, everything else has one."""
    tables = range(1) if place.screen == "office" else range(1, TABLE_MAX + 1)
    return place.table in tables and place.seat in AT_SEATS.get(place.screen, range(1))


def enrol(floor: Floor, *, code_hash: str, token_hash: str, at_ms: int, kind: str = "") -> Decision:
    """Exchange a code for a token, once. The terminal that had the place before is revoked. A wrong code is an
    event too; the server limits how many it records. A device says its kind; the code of another kind is wrong for
    it, and stays valid."""
    offered = floor.offers.get(code_hash)
    if offered is None or kind not in ("", offered.place.screen):
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


def sit(floor: Floor, *, place: Place, hashes: tuple[str, str], at_ms: int, keeps: int) -> Decision:
    """Offer a place and enrol a terminal there at once; only a demonstration does this. `hashes` are those of the
    code and of the token. The oldest terminals of the place are revoked, so that at most `keeps` remain,
    counting the new one."""
    code_hash, token_hash = hashes
    here = [terminal for terminal in floor.terminals.values() if terminal.place == place]
    gone = here[: max(0, len(here) + 1 - keeps)]
    return (
        e.TerminalOffered(place=place, code_hash=code_hash, expires_at_ms=at_ms),
        *(e.TerminalRevoked(terminal=each.id, place=place, why="replaced") for each in gone),
        e.TerminalEnrolled(
            terminal=f"terminal-{floor.enrolled + 1}", place=place, code_hash=code_hash, token_hash=token_hash
        ),
    )


def outcome(decision: Decision) -> e.TerminalEnrolled | Refused:
    """What a terminal learns of an attempt to enrol: the same for all wrong codes."""
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
