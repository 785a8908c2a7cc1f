"""Staff: accounts, passwords, signing in (RULES 13; NIST SP 800-63B).

The check of a password is slow on purpose, so it is a plain function for a thread; its result is a fact for the
decider. Salts and one-time passwords are made from random bytes of the caller.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from functools import cache
from importlib import resources
from typing import Literal, NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from msgspec import Struct

from stickman.floor import events as e
from stickman.floor.events import Act, Decision, Refusal, Refused, Role
from stickman.floor.office import CONSOLE, FORGOTTEN_MS, Account, Failing, Floor, folded
from stickman.rules.spoken import Detail, Detailed

HASHER = PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=4)
"""Argon2id as RFC 9106 recommends it for little memory: 64 MiB."""
SALT_BYTES = 16
ONE_TIME_BYTES = 20

FAILURES_MAX, WAIT_MS, WAIT_MAX_MS = 3, 30_000, 15 * 60_000
"""After this number of failures in a row, a badge waits at that terminal; each further failure doubles the wait."""
TERMINALS_MAX, LATELY_MS = 5, 15 * 60_000
"""A badge that waits is an alarm; so is one that fails at this number of terminals within this time. Alarms look
back no further, so no wait may be longer: its alarm would disappear before it ends."""
assert WAIT_MAX_MS <= LATELY_MS
PASSWORD_MIN, PASSWORD_MAX = 15, 256
UNCOMMON_MIN, DIFFERENT_MIN = 8, 5
"""When common words and runs are taken out of a password, this number of characters must be left, and this number
of those must differ."""

BADGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,19}")
RESERVED = frozenset(("house", "console", "terminal", "seat", "system", "dealer", "office", "floor", "nobody"))
ACTOR = re.compile(r"(house|console|system|seat|terminal)-?[0-9]*")
"""The journal's names for actors that are not staff."""
DEMO = "demo-"
"""The beginning of badges in a demonstration, and of no others."""
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The letters of codes: 32, so that a random byte picks each equally often; no I, L, O or U."""


def code_from(random_bytes: bytes) -> str:
    """A letter for each random byte."""
    return "".join(LETTERS[byte % len(LETTERS)] for byte in random_bytes)


# --- Passwords ---


class Checked(NamedTuple):
    """The result of a password check."""

    against: str
    """The hash that it was checked against."""
    right: bool
    rehashed: str = ""
    """The new hash, if the parameters have changed."""


def verify(account: Account | None, password: str, salt: bytes) -> Checked:
    """Check a password; slow, and just as slow for an unknown badge."""
    decoy = _decoy()  # always made, otherwise the first unknown badge would take longer
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


def salt() -> bytes:
    return secrets.token_bytes(SALT_BYTES)


def hashed(password: str, salt: bytes) -> str:
    """The stored form of a password; slow."""
    return HASHER.hash(_normal(password), salt=salt)


def chosen(account: Account, password: str, salt: bytes) -> str | Refused:
    """The stored form of a chosen password, if it is a good one; slow."""
    if problem := weakness(password, account.badge):
        return Refused(Refusal.WEAK_PASSWORD, problem)
    if verify(account, password, salt).right:
        return Refused(Refusal.SAME_PASSWORD)
    return hashed(password, salt)


def _normal(password: str) -> bytes:
    """One form for text that looks the same, from any keyboard."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


def weakness(password: str, badge: str) -> Detailed | None:
    """What is wrong with a password; none if it is good.

    >>> print(weakness("stickman-badge-12-123456", "badge-12"))
    too much of it is common words, runs or repetitions
    >>> weakness("four coloured chips on the rail", "badge-12")
    """
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        return Detail.PASSWORD_LENGTH(found=len(password), least=PASSWORD_MIN, most=PASSWORD_MAX)
    left = unicodedata.normalize("NFKC", password).casefold()
    for word in sorted({*_common_words(), badge.casefold()}, key=len, reverse=True):
        left = left.replace(word, "")
    left = _without_runs(left)
    if len(left) < UNCOMMON_MIN or len(set(left)) < DIFFERENT_MIN:
        return Detail.PASSWORD_COMMON()
    return None


@cache
def _common_words() -> frozenset[str]:
    text = resources.files("stickman.floor").joinpath("common_words.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))


def _without_runs(text: str) -> str:
    """The text without characters that repeat or follow the one before: `aaa`, `1234`, `cba`."""
    return "".join(this for last, this in zip("\0" + text, text, strict=False) if abs(ord(this) - ord(last)) > 1)


def one_time_password(random_bytes: bytes) -> str:
    """A password that is printed once and changed at the first sign-in."""
    assert len(random_bytes) == ONE_TIME_BYTES
    letters = code_from(random_bytes)
    return "-".join(letters[start : start + 5] for start in range(0, len(letters), 5))


# --- Signing in ---


def sign_in(floor: Floor, *, badge: str, terminal: str, checked: Checked, at_ms: int) -> Decision:
    """Decide a sign-in. Every checked attempt is recorded with its terminal and why it failed; `outcome` is what
    the asker may know. If the badge has to wait, the password is ignored."""
    if wait := wait_of(floor, badge=badge, terminal=terminal, at_ms=at_ms):
        return wait
    account = floor.account(badge)
    if account and account.password_hash != checked.against:
        return Refused(Refusal.TRY_AGAIN)  # the password changed while this one was checked
    if why := _problem(account, checked):
        return (_failed(floor, badge_written(floor, badge), terminal, why, at_ms),)
    assert account, badge
    signed_in = e.SignedIn(
        badge=account.badge, terminal=terminal, role=account.role, must_change=account.must_change
    )
    return (signed_in, *_rehashed(account, checked))


Why = Literal["unknown_badge", "removed", "locked", "wrong_password"]


def _problem(account: Account | None, checked: Checked) -> Why | None:
    if account is None:
        return "unknown_badge"
    if account.removed:
        return "removed"
    if account.locked:
        return "locked"
    return None if checked.right else "wrong_password"


def _rehashed(account: Account, checked: Checked) -> tuple[e.FloorEvent, ...]:
    return (e.PasswordRehashed(badge=account.badge, password_hash=checked.rehashed),) if checked.rehashed else ()


def outcome(decision: Decision) -> Decision:
    """What the asker learns of their attempt: the same for all failures."""
    if isinstance(decision, Refused) or not isinstance(failed := decision[0], e.SignInFailed):
        return decision
    return _must_wait(failed.until_ms - failed.at_ms) if failed.until_ms else Refused(Refusal.NOT_SIGNED_IN)


def change_password(
    floor: Floor, *, badge: str, terminal: str, checked: Checked, password_hash: str | Refused, at_ms: int
) -> Decision:
    """Change a password, with the right old one; a wrong one counts as an attempt."""
    attempt = sign_in(floor, badge=badge, terminal=terminal, checked=checked, at_ms=at_ms)
    if isinstance(outcome(attempt), Refused):
        return attempt
    if isinstance(password_hash, Refused):
        return password_hash
    return (e.PasswordChanged(badge=badge_written(floor, badge), password_hash=password_hash),)


class Deed(NamedTuple):
    """What a second person approves."""

    what: str
    """Its kind."""
    digest: str
    """SHA-256 over kind, table and content."""


def approve(  # noqa: PLR0913 - who, where, when, for whom and for what
    floor: Floor, *, by: str, badge: str, terminal: str, checked: Checked, deed: Deed, at_ms: int
) -> Decision:
    """A second person approves one deed with their password; a wrong one counts as an attempt."""
    attempt = sign_in(floor, badge=badge, terminal=terminal, checked=checked, at_ms=at_ms)
    if isinstance(outcome(attempt), Refused):
        return attempt
    account = floor.account(badge)
    assert account, badge
    if account.badge == by:
        return Refused(Refusal.NEEDS_TWO)
    if refused := floor.refuses(account.badge, Act.WITNESS):
        return refused
    approved = e.DeedApproved(badge=account.badge, terminal=terminal, by=by, what=deed.what, deed=deed.digest)
    return (approved, *_rehashed(account, checked))


# --- Wrong passwords ---


def wait_of(floor: Floor, *, badge: str, terminal: str, at_ms: int) -> Refused | None:
    """Whether a badge has to wait at a terminal, and how long; the same for an unknown badge."""
    failing = floor.failing.get(_key(floor, badge, terminal))
    return _must_wait(failing.until_ms - at_ms) if failing and at_ms < failing.until_ms else None


def _must_wait(left_ms: int) -> Refused:
    return Refused(Refusal.MUST_WAIT, Detail.WAIT(seconds=-(-left_ms // 1000)))


def _failed(floor: Floor, badge: str, terminal: str, why: Why, at_ms: int) -> e.SignInFailed:
    before = floor.failing.get(_key(floor, badge, terminal))
    failures = before.failures + 1 if before and at_ms - before.at_ms < FORGOTTEN_MS else 1
    terminals = len({each.terminal for each in _lately(floor, badge, at_ms)} | {terminal})
    return e.SignInFailed(
        badge=badge,
        terminal=terminal,
        why=why,
        at_ms=at_ms,
        failures=failures,
        terminals=terminals,
        until_ms=at_ms + _wait_ms(failures) if failures >= FAILURES_MAX else 0,
        alarm="failures" if failures >= FAILURES_MAX else "terminals" if terminals >= TERMINALS_MAX else "",
    )


def _wait_ms(failures: int) -> int:
    """How long a badge waits after this number of failures.

    >>> [_wait_ms(failures) // 1000 for failures in range(3, 10)]
    [30, 60, 120, 240, 480, 900, 900]
    """
    return min(WAIT_MS << min(failures - FAILURES_MAX, 10), WAIT_MAX_MS)


def _lately(floor: Floor, badge: str, at_ms: int) -> list[Failing]:
    """The recent failures of a badge, one entry for each terminal."""
    same = [each for each in floor.failing.values() if folded(each.badge) == folded(badge)]
    return [each for each in same if at_ms - each.at_ms < LATELY_MS]


def _key(floor: Floor, badge: str, terminal: str) -> tuple[str, str]:
    return folded(badge_written(floor, badge)), terminal


def badge_written(floor: Floor, badge: str) -> str:
    """A badge for the journal: as its account spells it, or as typed. Text that cannot be a badge becomes empty,
    because it may be a password in the wrong field."""
    if account := floor.account(badge):
        return account.badge
    return badge if BADGE.fullmatch(badge) else ""


class Alarm(Struct, frozen=True):
    """A badge for which someone tries passwords."""

    badge: str
    terminals: tuple[str, ...]
    failures: int
    until_ms: int
    """The end of the last wait; 0 if there is none."""


def alarms(floor: Floor, at_ms: int) -> list[Alarm]:
    """Every badge that has to wait somewhere, or has failed at many terminals recently."""
    found = []
    for badge in dict.fromkeys(folded(each.badge) for each in floor.failing.values()):
        failing = _lately(floor, badge, at_ms)
        until_ms = max((each.until_ms for each in failing if each.until_ms > at_ms), default=0)
        if until_ms or len(failing) >= TERMINALS_MAX:
            where = tuple(each.terminal for each in failing)
            found.append(Alarm(failing[-1].badge, where, sum(each.failures for each in failing), until_ms))
    return found


# --- Accounts ---


def first_administrator(
    floor: Floor, *, badge: str, label: str, password_hash: str, demo: bool = False
) -> Decision:
    """Add the first account at the console, with a one-time password, while there is no other."""
    if floor.staff:
        return Refused(Refusal.ALREADY_SO)
    role = Role.ADMINISTRATOR
    return add(floor, by=CONSOLE, badge=badge, label=label, role=role, password_hash=password_hash, demo=demo)


def add(  # noqa: PLR0913 - what an account is made of
    floor: Floor, *, by: str, badge: str, label: str, role: Role, password_hash: str, demo: bool = False
) -> Decision:
    """Add an account with a one-time password."""
    if refused := floor.refuses(by, Act.MANAGE_STAFF):
        return refused
    if not BADGE.fullmatch(badge) or _is_reserved(folded(badge), demo=demo):
        return Refused(Refusal.BAD_BADGE, Detail.NAME(name=badge[:40]))
    if not (1 <= len(label) <= 40 and label.isprintable() and label.strip()):
        return Refused(Refusal.BAD_LABEL)
    if taken := floor.account(badge):
        return Refused(Refusal.BADGE_TAKEN, Detail.NAME(name=taken.badge))
    return (e.AccountAdded(badge=badge, label=label, role=role, password_hash=password_hash),)


def _is_reserved(badge: str, *, demo: bool) -> bool:
    """Whether a badge would look like the house, a terminal or a demonstration in the journal."""
    return badge in RESERVED or bool(ACTOR.fullmatch(badge)) or (badge.startswith(DEMO) and not demo)


def reset_password(floor: Floor, *, by: str, badge: str, password_hash: str) -> Decision:
    """Give an account a one-time password; a lock stays."""
    if refused := _may_not_manage(floor, by, badge):
        return refused
    return (e.PasswordChanged(badge=badge, password_hash=password_hash, one_time=True),)


def lock(floor: Floor, *, by: str, badge: str) -> Decision:
    """Lock an account until it is unlocked; wrong passwords never do this."""
    if refused := _may_not_manage(floor, by, badge):
        return refused
    if floor.staff[badge].locked:
        return Refused(Refusal.ALREADY_SO)
    return _unless_last(floor, e.AccountLocked(badge=badge), badge)


def unlock(floor: Floor, *, by: str, badge: str) -> Decision:
    """Let a badge sign in again, after a lock or during a wait."""
    if refused := _may_not_manage(floor, by, badge):
        return refused
    fails = any(key[0] == folded(badge) for key in floor.failing)
    return (e.AccountUnlocked(badge=badge),) if floor.staff[badge].locked or fails else Refused(Refusal.ALREADY_SO)


def change_role(floor: Floor, *, by: str, badge: str, role: Role) -> Decision:
    if refused := _may_not_manage(floor, by, badge):
        return refused
    before = floor.staff[badge].role
    if before is role:
        return Refused(Refusal.ALREADY_SO)
    return _unless_last(floor, e.RoleChanged(badge=badge, before=before, after=role), badge)


def remove(floor: Floor, *, by: str, badge: str) -> Decision:
    """End an account; its badge stays in the journal and is never reused."""
    if refused := _may_not_manage(floor, by, badge):
        return refused
    return _unless_last(floor, e.AccountRemoved(badge=badge), badge)


def _may_not_manage(floor: Floor, by: str, badge: str) -> Refused | None:
    if refused := floor.refuses(by, Act.MANAGE_STAFF):
        return refused
    account = floor.staff.get(badge)
    unknown = account is None or account.removed
    return Refused(Refusal.NO_SUCH_ACCOUNT, Detail.NAME(name=badge[:40])) if unknown else None


def _unless_last(floor: Floor, event: e.FloorEvent, badge: str) -> Decision:
    """The last active administrator must stay one."""
    active = [a.badge for a in floor.staff.values() if a.active and a.role is Role.ADMINISTRATOR]
    return Refused(Refusal.LAST_ADMINISTRATOR) if active == [badge] else (event,)
