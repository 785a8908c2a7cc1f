"""Who may make which request at a table, and who is signed in. Requests to the office are in `desk`.

A token identifies a terminal. A session identifies a member of staff, only at the terminal where they gave their
password; at a seat's terminal it lasts while the key switch is turned. Sessions are in memory, as hashes: a restart
signs everyone out, and the tables go on.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from stickman.floor import staff
from stickman.floor.clock import Clock
from stickman.floor.events import LOWEST, Act, AttemptsRefused, Decision, Place, Refusal, Refused, SignInFailed
from stickman.floor.office import Account, Floor, Office, folded
from stickman.floor.staff import Deed
from stickman.floor.terminals import digest
from stickman.rules.datafile import to_text
from stickman.rules.spoken import Detail, Detailed, Spoken
from stickman.table import messages as m
from stickman.table.messages import Request
from stickman.table.state import Table

T = TypeVar("T")
IDLE_MS = 5 * 60_000
"""A session without a request for this long ends: the person signs in again."""
APPROVAL_MS = 60_000
"""How long an approval is valid, for one deed."""
PASSWORDS_AT_ONCE = 2
"""Each check uses 64 MiB and four threads."""
PASSWORDS_WAITING = 20
TOKEN_BYTES = 32


# --- The table of requests ---

Where = Literal["dealer", "dealer or office"]


class Who(Struct, frozen=True):
    """Who may make a request. The house may make every one."""

    seat: bool = False
    """The terminal of that seat."""
    act: Act | None = None
    """Staff who may do this, signed in."""
    where: Where = "dealer"
    """At which terminals."""
    two: Literal["", "sometimes", "always"] = ""
    """With a second person, who approves at the same terminal; sometimes: as the table decides."""
    key: bool = False
    """Staff also at the seat's own terminal, while its key switch is turned."""

    def __str__(self) -> str:
        ways = ["the seat's own terminal"] if self.seat else []
        if self.act:
            role = LOWEST[self.act].value.replace("_", " ")
            where = f"{self.where} terminal" + (", or at the seat's with its key turned" if self.key else "")
            ways.append(f"{role} or above, signed in at the {where}{SECOND[self.two]}")
        return "; or ".join(ways) or "only the house"


SECOND = {
    "": "",
    "sometimes": ", with a second person if the table requires one",
    "always": ", with a second person",
}
SEAT, HOUSE_ALONE, DEALER = Who(seat=True), Who(), Who(act=Act.DEAL)
ANYWHERE: Where = "dealer or office"

WHO: dict[type[Request], Who] = {
    m.GiveCredit: Who(act=Act.GIVE_CREDIT, where=ANYWHERE, two="sometimes"),
    **dict.fromkeys((m.GiveTip, m.CashOut, m.PlaceBet, m.TakeBet, m.SwitchBet, m.SwitchAll, m.PressButton), SEAT),
    **dict.fromkeys((m.Undo, m.AnswerPopUp, m.PressByWin, m.MoveBet, m.SetSwitch, m.ChooseDenomination), SEAT),
    **dict.fromkeys((m.CarryBet, m.PressRoll, m.Shoot, m.LandDice, m.ReserveSeat, m.NameSeat, m.CallService), SEAT),
    **dict.fromkeys((m.SaveFavourite, m.PlaceFavourite, m.RemoveFavourite), SEAT),
    m.ReturnToSeat: Who(seat=True, act=Act.OPEN_RESERVED_SEAT, where=ANYWHERE, two="sometimes"),
    m.AnswerService: Who(act=Act.DEAL, where=ANYWHERE),
    m.PutPuckOff: Who(seat=True, act=Act.DEAL),
    **dict.fromkeys((m.OpenBets, m.CloseBets, m.RollDice, m.EnterDice, m.ConfirmDice, m.CallNoRoll), DEALER),
    **dict.fromkeys((m.SignIn, m.SignOut), DEALER),
    m.NameShooter: Who(act=Act.NAME_SHOOTER),
    m.ReverseRoll: Who(act=Act.REVERSE_ROLL, two="always"),
    m.PauseTable: Who(act=Act.PAUSE_TABLE, where=ANYWHERE),
    m.ResumeTable: Who(act=Act.PAUSE_TABLE, where=ANYWHERE),
    m.SelectMode: Who(act=Act.SELECT_MODE, where=ANYWHERE),
    m.PayByHand: Who(act=Act.PAY_BY_HAND, where=ANYWHERE, two="sometimes", key=True),
    m.ClearLockup: Who(act=Act.CLEAR_LOCKUP, where=ANYWHERE, two="sometimes", key=True),
    m.PrintTest: Who(act=Act.PRINT_TEST, where=ANYWHERE, key=True),
    m.PrintCopy: Who(act=Act.PRINT_COPY, where=ANYWHERE, key=True),
    m.CancelPrint: Who(act=Act.CANCEL_PRINT, where=ANYWHERE, two="always", key=True),
    m.SettleDevice: Who(act=Act.SETTLE_DEVICE, where=ANYWHERE, two="always"),
    m.ClearTable: Who(act=Act.CLEAR_LOCKUP, where=ANYWHERE, two="sometimes"),
    m.ChangeSetting: Who(act=Act.CHANGE_GAME, where=ANYWHERE, two="sometimes"),
    **dict.fromkeys(
        (m.LoseLink, m.RestoreLink, m.HandOver, m.Tick, m.Restart, m.DistrustDevice, m.RemoveDevice), HOUSE_ALONE
    ),
}

STAFF_SCREENS = ("dealer", "office")


# --- Every "no" before the table ---


class Denial(Spoken):
    """Why a request does not even reach the table, in the order of the checks."""

    HOUSE_ALONE = "house_alone", "Only the house does this."
    WRONG_PLACE = "wrong_place", "This terminal may not ask for that."
    NOT_IN_PRACTICE = "not_in_practice", "Not in practice: its money is not real."


class Denied(Struct, frozen=True):
    """A request that does not reach the table. What the floor refuses is its own `Refused`."""

    why: Denial
    detail: str | Detailed = ""

    def __str__(self) -> str:
        return self.why.in_full(self.detail)


class Caller(NamedTuple):
    """Who asks: the place of a terminal, and who is signed in there."""

    place: Place
    badge: str = ""

    def is_seat_of(self, request: Request) -> bool:
        return self.place.screen == "seat" and getattr(request, "seat", None) == self.place.seat

    def actor(self, who: Who) -> str:
        """Their name in the journal."""
        as_staff = who.act and (who.key or self.place.screen != "seat")
        return self.badge if as_staff else f"seat {self.place.seat}"


def denies(floor: Floor, caller: Caller, request: Request) -> Denied | Refused | None:
    """Why a caller may not make a request at the table of their place. The approval of a second person is checked
    separately, because the check uses it up; the table decides whether one is needed. Staff are signed in at a seat
    only while its key is turned."""
    who = WHO[type(request)]
    if who == HOUSE_ALONE:
        return Denied(Denial.HOUSE_ALONE)
    if who.seat and caller.is_seat_of(request):
        return None
    with_key = who.key and caller.badge and caller.is_seat_of(request)
    if who.act is None or not (with_key or caller.place.screen in who.where.split(" or ")):
        return Denied(Denial.WRONG_PLACE, Detail.ASKED_BY(who=str(who)))
    return floor.refuses(caller.badge, who.act)


# --- Two people ---


def deed(what: str, where: object, content: Struct) -> Deed:
    """The deed that an approval names: its kind, its place, and the whole decoded request."""
    plain = msgspec.to_builtins(
        [what, where, content], enc_hook=to_text, str_keys=True
    )  # counted bills have numbers
    encoded = msgspec.json.encode(plain, order="deterministic")
    return Deed(what, hashlib.sha256(encoded).hexdigest())


def deed_at_table(number: int, table: Table | None, request: Request) -> Deed:
    """A deed at a table as it is now: an approval is valid only for the roll, the money and the game of that
    time."""
    return deed(str(request.__struct_config__.tag), [number, _about(table, request) if table else None], request)


def _about(table: Table, request: Request) -> object:
    """What a request refers to but does not contain."""
    match request:
        case m.ReverseRoll():
            return [table.round, table.history[-1:]]
        case m.PayByHand(seat=number) | m.ReturnToSeat(seat=number) if 1 <= number <= len(table.seats):
            return [table.seat(number).terminal.hand_pay_cents, table.credit(number)]
        case m.CancelPrint(seat=number) if 1 <= number <= len(table.seats):
            return table.seat(number).terminal.printing
        case m.SettleDevice(device=device):
            return table.heard.get(device)
        case m.ChangeSetting():
            return table.fingerprint
    return None


# --- Who is signed in ---


class StaffSession(Struct):
    """A member of staff who gave their password at a terminal."""

    badge: str
    terminal: str
    used_ms: int
    edition: int
    """Of the account at sign-in. When the account's edition changes, the session ends."""


class Approval(Struct):
    """A second person's password, given at a terminal for one deed of the person who is signed in there."""

    badge: str
    session: str
    """The hash of the asker's token."""
    deed: str
    until_ms: int
    command: str = ""
    """The command that used it. The approval is still valid when that command is sent again."""
    unanswered: int = 0
    """How often the command was asked and not refused, as far as is known."""


class Busy(Exception):
    """Too many passwords wait to be checked."""


class StaffRoom:
    """Who is signed in where, and how they sign in."""

    def __init__(
        self,
        office: Office,
        clock: Clock,
        alarm: Callable[[SignInFailed], None] = lambda _: None,
        opened: Callable[[Place], bool] = lambda _: True,
    ) -> None:
        self._office, self._clock, self._alarm = office, clock, alarm
        self._opened = opened
        """Whether staff may be signed in at a place now."""
        self._sessions: dict[str, StaffSession] = {}
        """By the hash of its token; at most one for each terminal."""
        self._approvals: dict[str, Approval] = {}
        """By terminal."""
        self._refused: Counter[tuple[str, str]] = Counter()
        """By badge and terminal, the attempts during a wait that are not in the journal yet."""
        self._checking = asyncio.Semaphore(PASSWORDS_AT_ONCE)
        self._waiting = 0

    # --- Sessions ---

    async def sign_in(self, terminal: str, badge: str, password: str) -> str | Refused:
        """The token of a new session, which replaces the one at this terminal."""
        decision = await self._attempt(
            terminal, badge, lambda account: partial(staff.sign_in, checked=_verified(account, password))
        )
        if isinstance(decision, Refused):
            return decision
        account = self._office.floor.account(badge)
        assert account, badge
        self.leave(terminal)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        now_ms = self._clock.now_ms()
        self._sessions[digest(token)] = StaffSession(account.badge, terminal, now_ms, account.edition)
        return token

    def badge(self, terminal: str, token: str, *, use: bool = True) -> str:
        """The badge that is signed in at a terminal with this token. A session ends when it is idle for too long,
        and when the account gets another role or password, is locked or is removed."""
        session = self._sessions.get(digest(token))
        now_ms = self._clock.now_ms()
        if session is None or session.terminal != terminal:
            return ""
        account, known = self._office.floor.staff[session.badge], self._office.floor.terminals.get(terminal)
        shut = known is not None and not self._opened(known.place)
        if shut or now_ms - session.used_ms >= IDLE_MS or account.edition != session.edition:
            self.leave(terminal)
            return ""
        if use:
            session.used_ms = now_ms
        return session.badge

    def sign_out(self, terminal: str, token: str) -> None:
        if self.badge(terminal, token, use=False):
            self.leave(terminal)

    def leave(self, terminal: str) -> None:
        """End the session and the approval of a terminal."""
        self._sessions = {key: each for key, each in self._sessions.items() if each.terminal != terminal}
        self._approvals.pop(terminal, None)

    async def change_password(self, terminal: str, badge: str, old: str, new: str) -> Refused | None:
        """Change a password. The badge's sessions at other terminals end."""

        def check(account: Account | None) -> Callable[..., Decision]:
            checked = _verified(account, old)
            chosen = staff.chosen(account, new, staff.salt()) if account and checked.right else ""
            return partial(staff.change_password, checked=checked, password_hash=chosen)

        decision = await self._attempt(terminal, badge, check)
        if isinstance(decision, Refused):
            return decision
        account = self._office.floor.account(badge)
        assert account, badge
        for session in self._sessions.values():
            if session.terminal == terminal and session.badge == account.badge:
                session.edition = account.edition  # the session that changed it goes on
        return None

    # --- Two people ---

    async def approve(self, terminal: str, token: str, badge: str, password: str, deed: Deed) -> str | Refused:
        """Approve one deed of the person who is signed in at a terminal; returns the second person's badge."""
        first = self.badge(terminal, token)
        if not first:
            return Refused(Refusal.NOBODY_SIGNED_IN)
        decision = await self._attempt(
            terminal,
            badge,
            lambda account: partial(staff.approve, by=first, checked=_verified(account, password), deed=deed),
        )
        if isinstance(decision, Refused):
            return decision
        if self.badge(terminal, token) != first:  # while the password was checked
            return Refused(Refusal.NOBODY_SIGNED_IN)
        approver = staff.badge_written(self._office.floor, badge)
        until_ms = self._clock.now_ms() + APPROVAL_MS
        self._approvals[terminal] = Approval(approver, digest(token), deed.digest, until_ms)
        return approver

    def second(self, terminal: str, token: str, approver: str, deed: Deed, command: str) -> str | Refused:
        """Use up an approval; returns the second person's badge, or why there is none. If the table then refuses,
        call `not_done`."""
        found = self._approvals.get(terminal)
        if found is None or self._clock.now_ms() >= found.until_ms:
            return Refused(Refusal.NEEDS_TWO)
        same = found.session == digest(token) and found.deed == deed.digest
        if not same or folded(found.badge) != folded(approver) or found.command not in ("", command):
            return Refused(Refusal.NEEDS_TWO)
        found.command = command
        found.unanswered += 1
        return self._office.floor.refuses(found.badge, Act.WITNESS) or found.badge

    def not_done(self, terminal: str, command: str) -> None:
        """A command with an approval was refused, so it has not used that up, unless it was also sent otherwise."""
        found = self._approvals.get(terminal)
        if found and found.command == command:
            found.unanswered -= 1
            found.command = command if found.unanswered else ""

    # --- Passwords ---

    async def _attempt(
        self, terminal: str, badge: str, check: Callable[[Account | None], Callable[..., Decision]]
    ) -> Decision:
        """Check a password and decide; a failure is recorded. `check` is slow, and returns the decider."""
        floor = self._office.floor
        if wait := staff.wait_of(floor, badge=badge, terminal=terminal, at_ms=self._clock.now_ms()):
            return self._counted(wait, badge, terminal)
        account = floor.account(badge)
        decide = await self.slowly(partial(check, account))
        at_ms, actor = self._clock.now_ms(), account.badge if account else terminal
        decide = partial(decide, badge=badge, terminal=terminal, at_ms=at_ms)
        decision = await self._office.act(decide, at_ms=at_ms, actor=actor)
        if isinstance(decision, Refused):
            return self._counted(decision, badge, terminal)
        if isinstance(failed := decision[0], SignInFailed) and failed.alarm:
            self._alarm(failed)
        return staff.outcome(decision)

    def _counted(self, refused: Refused, badge: str, terminal: str) -> Refused:
        if refused.why is Refusal.MUST_WAIT:
            self._refused[staff.badge_written(self._office.floor, badge), terminal] += 1
        return refused

    async def write_refused(self, *, everything: bool = False) -> None:
        """Record the number of attempts that were refused during each wait that is over."""
        for (badge, terminal), count in list(self._refused.items()):
            at_ms = self._clock.now_ms()
            if everything or not staff.wait_of(self._office.floor, badge=badge, terminal=terminal, at_ms=at_ms):
                refused = AttemptsRefused(badge=badge, terminal=terminal, count=count)
                await self._office.record(refused, at_ms=at_ms)
                self._refused -= Counter({(badge, terminal): count})

    async def slowly(self, work: Callable[[], T]) -> T:
        """Run slow work in a thread, a few at a time, so that the tables do not wait."""
        if self._waiting >= PASSWORDS_WAITING:
            raise Busy
        self._waiting += 1
        try:
            async with self._checking:
                return await asyncio.to_thread(work)
        finally:
            self._waiting -= 1


def _verified(account: Account | None, password: str) -> staff.Checked:
    return staff.verify(account, password, staff.salt())
