"""Who works on the floor: accounts, passwords, signing in (RULES 13; NIST SP 800-63B).

Checking a password is slow on purpose, so it is a plain function to be run in a thread; what it found is a fact for
the decider. Salts and one-time passwords come from the random bytes that a caller gives.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib import resources
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from stickman.floor.events import (
    AccountAdded,
    AccountLocked,
    AccountRemoved,
    AccountUnlocked,
    Act,
    Decision,
    FloorEvent,
    PasswordChanged,
    PasswordRehashed,
    Refusal,
    Refused,
    Role,
    RoleChanged,
    SignedIn,
    SignInFailed,
)
from stickman.floor.office import CONSOLE, Account, Floor

HASHER = PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=4)
"""Argon2id as RFC 9106 recommends it where memory is short: 64 MiB."""
SALT_BYTES = 16
ONE_TIME_BYTES = 20

FAILURES_MAX = 3
PASSWORD_MIN, PASSWORD_MAX = 15, 256
UNFORESEEN_MIN, DIFFERENT_MIN = 8, 5
"""How many characters of a password, and how many different ones, must be neither known words nor runs."""

BADGE = re.compile(r"[A-Za-z0-9-]{1,20}")
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""What codes are spelled with: 32 of them, so a random byte picks each as often; no I, L, O or U."""


def spelled(random_bytes: bytes) -> str:
    """A letter for each random byte."""
    return "".join(LETTERS[byte % len(LETTERS)] for byte in random_bytes)


# --- Passwords ---


class Checked(NamedTuple):
    """What checking a password found."""

    against: str
    """The hash that it was checked against."""
    right: bool
    rehashed: str = ""
    """The hash to keep from now on, where the parameters have changed."""


def verify(account: Account | None, password: str, salt: bytes) -> Checked:
    """Check a password; slow, and as slow for a badge that nobody has."""
    decoy = _decoy()  # made before it is needed, or the first badge that nobody has would take longer
    stored = account.password_hash if account else decoy
    try:
        HASHER.verify(stored, _normal(password))
    except VerifyMismatchError:
        return Checked(stored, right=False)
    stale = HASHER.check_needs_rehash(stored)
    return Checked(stored, right=account is not None, rehashed=hashed(password, salt) if stale else "")


@cache
def _decoy() -> str:
    return hashed("", bytes(SALT_BYTES))


def hashed(password: str, salt: bytes) -> str:
    """What is kept of a password; slow."""
    return HASHER.hash(_normal(password), salt=salt)


def chosen(account: Account, password: str, salt: bytes) -> str | Refused:
    """What is kept of a password that somebody chose, unless it is a bad choice; slow."""
    if problem := weakness(password, account.badge):
        return Refused(Refusal.WEAK_PASSWORD, problem)
    if verify(account, password, salt).right:
        return Refused(Refusal.SAME_PASSWORD)
    return hashed(password, salt)


def _normal(password: str) -> bytes:
    """One form for what looks the same, whatever keyboard it came from."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


def weakness(password: str, badge: str) -> str:
    """What is wrong with a password; empty where nothing is.

    >>> weakness("stickman-badge-12-123456", "badge-12")
    'too little of it is neither a common word nor a run nor a repetition'
    >>> weakness("four coloured chips on the rail", "badge-12")
    ''
    """
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        return f"it has {len(password)} characters; allowed: {PASSWORD_MIN} to {PASSWORD_MAX}"
    left = unicodedata.normalize("NFKC", password).casefold()
    for word in sorted({*_common_words(), badge.casefold()}, key=len, reverse=True):
        left = left.replace(word, "")
    left = _without_runs(left)
    if len(left) < UNFORESEEN_MIN or len(set(left)) < DIFFERENT_MIN:
        return "too little of it is neither a common word nor a run nor a repetition"
    return ""


@cache
def _common_words() -> frozenset[str]:
    text = resources.files("stickman.floor").joinpath("common_words.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))


def _without_runs(text: str) -> str:
    """The characters that do not just repeat the one before or come next to it: `aaa`, `1234`, `cba`."""
    return "".join(this for last, this in zip("\0" + text, text, strict=False) if abs(ord(this) - ord(last)) > 1)


def one_time_password(random_bytes: bytes) -> str:
    """A password to be printed once, and changed at the first sign-in."""
    assert len(random_bytes) == ONE_TIME_BYTES
    letters = spelled(random_bytes)
    return "-".join(letters[start : start + 5] for start in range(0, len(letters), 5))


# --- Signing in ---


def sign_in(floor: Floor, *, badge: str, terminal: str, checked: Checked) -> Decision:
    """Every attempt is recorded, at which terminal and why it failed; `told` is what the asker may know."""
    account = floor.staff.get(badge)
    if account is None:
        known = badge if BADGE.fullmatch(badge) else ""
        return (SignInFailed(badge=known, terminal=terminal, why="unknown_badge"),)
    if account.password_hash != checked.against:
        return Refused(Refusal.TRY_AGAIN)
    if failed := _failed(account, terminal, checked):
        return failed
    signed_in = SignedIn(badge=badge, terminal=terminal, role=account.role, must_change=account.must_change)
    rehashed = [PasswordRehashed(badge=badge, password_hash=checked.rehashed)] if checked.rehashed else []
    return (signed_in, *rehashed)


def _failed(account: Account, terminal: str, checked: Checked) -> tuple[FloorEvent, ...]:
    if account.removed:
        return (SignInFailed(badge=account.badge, terminal=terminal, why="removed"),)
    if account.locked:
        return (SignInFailed(badge=account.badge, terminal=terminal, why="locked"),)
    if checked.right:
        return ()
    wrong = SignInFailed(badge=account.badge, terminal=terminal, why="wrong_password")
    locks = account.failures + 1 >= FAILURES_MAX
    return (wrong, AccountLocked(badge=account.badge)) if locks else (wrong,)


def told(decision: Decision) -> Decision:
    """What the asker is told of a password that they gave: all failures alike."""
    if not isinstance(decision, Refused) and isinstance(decision[0], SignInFailed):
        return Refused(Refusal.NOT_SIGNED_IN)
    return decision


def change_password(
    floor: Floor, *, badge: str, terminal: str, checked: Checked, password_hash: str | Refused
) -> Decision:
    """Somebody who gives the old password right takes the one that they chose; a wrong one counts as an attempt."""
    signed_in = sign_in(floor, badge=badge, terminal=terminal, checked=checked)
    if isinstance(told(signed_in), Refused):
        return signed_in
    if isinstance(password_hash, Refused):
        return password_hash
    return (PasswordChanged(badge=badge, password_hash=password_hash),)


# --- Accounts ---


def first_administrator(floor: Floor, *, badge: str, label: str, password_hash: str) -> Decision:
    """Made at the console, with a one-time password, while nobody has an account."""
    if floor.staff:
        return Refused(Refusal.ALREADY_SO)
    return add(floor, by=CONSOLE, badge=badge, label=label, role=Role.ADMINISTRATOR, password_hash=password_hash)


def add(floor: Floor, *, by: str, badge: str, label: str, role: Role, password_hash: str) -> Decision:
    """Give somebody an account, with a one-time password."""
    if refused := floor.refuses(by, Act.MANAGE_STAFF):
        return refused
    if not BADGE.fullmatch(badge) or badge == CONSOLE:
        return Refused(Refusal.BAD_BADGE, badge[:40])
    if not (1 <= len(label) <= 40 and label.isprintable() and label.strip()):
        return Refused(Refusal.BAD_LABEL)
    if badge in floor.staff:
        return Refused(Refusal.BADGE_TAKEN, badge)
    return (AccountAdded(badge=badge, label=label, role=role, password_hash=password_hash),)


def reset_password(floor: Floor, *, by: str, badge: str, password_hash: str) -> Decision:
    """Give somebody a one-time password; a lock stays."""
    if refused := _no_account(floor, by, badge):
        return refused
    return (PasswordChanged(badge=badge, password_hash=password_hash, one_time=True),)


def unlock(floor: Floor, *, by: str, badge: str) -> Decision:
    if refused := _no_account(floor, by, badge):
        return refused
    return (AccountUnlocked(badge=badge),) if floor.staff[badge].locked else Refused(Refusal.ALREADY_SO)


def change_role(floor: Floor, *, by: str, badge: str, role: Role) -> Decision:
    if refused := _no_account(floor, by, badge):
        return refused
    before = floor.staff[badge].role
    if before is role:
        return Refused(Refusal.ALREADY_SO)
    if _is_last_administrator(floor, badge):
        return Refused(Refusal.LAST_ADMINISTRATOR)
    return (RoleChanged(badge=badge, before=before, after=role),)


def remove(floor: Floor, *, by: str, badge: str) -> Decision:
    """The account is good no more; its badge stays in the journal and is not used again."""
    if refused := _no_account(floor, by, badge):
        return refused
    if _is_last_administrator(floor, badge):
        return Refused(Refusal.LAST_ADMINISTRATOR)
    return (AccountRemoved(badge=badge),)


def _no_account(floor: Floor, by: str, badge: str) -> Refused | None:
    if refused := floor.refuses(by, Act.MANAGE_STAFF):
        return refused
    account = floor.staff.get(badge)
    return Refused(Refusal.NO_SUCH_ACCOUNT, badge[:40]) if account is None or account.removed else None


def _is_last_administrator(floor: Floor, badge: str) -> bool:
    active = [a.badge for a in floor.staff.values() if a.active and a.role is Role.ADMINISTRATOR]
    return active == [badge]
