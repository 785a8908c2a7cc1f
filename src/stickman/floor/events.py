"""The whole vocabulary of the floor: roles and what each may do, places, every "no", and what happens on stream 0.

As at a table, an event is closed and a refusal changes nothing. Who did it is the actor of the record.
"""

from __future__ import annotations

import enum
from functools import total_ordering
from typing import Annotated, Literal

from msgspec import Meta, Struct

from stickman.rules.schema import MeterTerms
from stickman.rules.spoken import Spoken
from stickman.table.ledger import ticket_claim
from stickman.table.messages import Event

SECRET_FIELDS = frozenset({"password_hash", "code_hash", "token_hash"})
"""Fields of events and of the floor that no report and no export may show."""


# --- Roles ---


class Act(enum.Enum):
    """What takes a member of staff."""

    DEAL = "open and close bets, enter and confirm dice, call no roll, move the puck"
    PAUSE_TABLE = "pause and resume a table"
    NAME_SHOOTER = "name the shooter"
    OPEN_RESERVED_SEAT = "open a reserved seat"
    REVERSE_ROLL = "reverse a roll, with a second person"
    WITNESS = "be the second person, where two are needed"
    READ_AUDIT = "read the audit menu"
    SELECT_MODE = "choose the mode of play"
    PAY_BY_HAND = "pay by hand"
    GIVE_CREDIT = "take cash into a drawer and give credit for it"
    CLOSE_ANY_DRAWER = "count and close somebody else's drawer"
    REPORT_DEVICE = "say what a terminal's doors and parts report, and insert a ticket"
    TURN_KEY = "turn the key switch of a terminal"
    INSERT_CASH = "say that an acceptor took a bill"
    PAY_TICKET = "pay a ticket at the cage"
    PAY_EXPIRED_TICKET = "pay an expired ticket at the cage"
    VOID_TICKET = "void a ticket, with a second person"
    CLEAR_LOCKUP = "clear a lock-up, with the key"
    ENROL_TERMINALS = "offer a place to a terminal, revoke a terminal"
    CHANGE_GAME = "change the settings of a game"
    CHANGE_METER = "change what a meter owns, or move the money of one that no table plays, with a second person"
    CHANGE_FLOOR = "change the settings of the floor"
    MANAGE_STAFF = "add, change, lock, unlock and remove accounts"


@total_ordering
class Role(enum.Enum):
    """What somebody is on the floor, lowest first: each may do what those below may (RULES 13)."""

    DEALER = "dealer"
    PIT_BOSS = "pit_boss"
    SUPERVISOR = "supervisor"
    ADMINISTRATOR = "administrator"

    def __lt__(self, other: Role) -> bool:
        ranks = list(Role)
        return ranks.index(self) < ranks.index(other)

    def may(self, act: Act) -> bool:
        return self >= LOWEST[act]


LOWEST = {
    Act.DEAL: Role.DEALER,
    Act.PAUSE_TABLE: Role.DEALER,
    Act.NAME_SHOOTER: Role.DEALER,
    Act.OPEN_RESERVED_SEAT: Role.DEALER,
    Act.REVERSE_ROLL: Role.DEALER,
    Act.WITNESS: Role.PIT_BOSS,
    Act.READ_AUDIT: Role.PIT_BOSS,
    Act.SELECT_MODE: Role.PIT_BOSS,
    Act.PAY_BY_HAND: Role.PIT_BOSS,
    Act.GIVE_CREDIT: Role.DEALER,
    Act.CLOSE_ANY_DRAWER: Role.SUPERVISOR,
    Act.REPORT_DEVICE: Role.DEALER,
    Act.TURN_KEY: Role.PIT_BOSS,
    Act.INSERT_CASH: Role.SUPERVISOR,
    Act.PAY_TICKET: Role.PIT_BOSS,
    Act.PAY_EXPIRED_TICKET: Role.SUPERVISOR,
    Act.VOID_TICKET: Role.SUPERVISOR,
    Act.CLEAR_LOCKUP: Role.SUPERVISOR,
    Act.ENROL_TERMINALS: Role.SUPERVISOR,
    Act.CHANGE_GAME: Role.SUPERVISOR,
    Act.CHANGE_METER: Role.SUPERVISOR,
    Act.CHANGE_FLOOR: Role.ADMINISTRATOR,
    Act.MANAGE_STAFF: Role.ADMINISTRATOR,
}
"""The lowest role that may do it."""


# --- Places and settings ---

ScreenKind = Literal["seat", "dealer", "table", "info", "office"]


class Place(Struct, frozen=True):
    """Where a terminal stands: a screen of a table, one of its seats, or the office of the floor."""

    screen: ScreenKind
    table: int = 0
    """The table's stream; 0 for the office."""
    seat: int = 0
    """0 for every other screen."""

    def __str__(self) -> str:
        if self.screen == "office":
            return "office"
        return f"table {self.table} {self.screen}" + (f" {self.seat}" if self.seat else "")


class Settings(Struct, frozen=True):
    """The settings of the floor."""

    name: Annotated[str, Meta(min_length=1, max_length=60, description="The casino, on its tickets.")] = "Stickman"
    cage: Annotated[str, Meta(min_length=1, max_length=40, description="Where tickets are paid.")] = "Cage"
    second_over_cents: Annotated[
        int, Meta(ge=0, le=10**11, description="Hand pays and credit over this take a second person.")
    ] = 1_000_000


# --- Every "no" ---


class Refusal(Spoken):
    """Why the floor refuses, in the order in which it is checked: who asks, then whom or what it is about."""

    COMMAND_OF_ANOTHER = "command_of_another", "This command id was used for another request."
    NOBODY_SIGNED_IN = "nobody_signed_in", "Nobody is signed in at this terminal."
    NOT_SIGNED_IN = "not_signed_in", "Badge and password do not match, or the account is locked."
    MUST_WAIT = "must_wait", "Too many wrong passwords here; wait."
    TRY_AGAIN = "try_again", "The account was changed meanwhile; try again."
    MUST_CHANGE = "must_change", "First choose a new password."
    NOT_ALLOWED = "not_allowed", "This takes a higher role."
    NEEDS_TWO = "needs_two", "This takes two people."
    NO_SUCH_ACCOUNT = "no_such_account", "There is no such account."
    NO_SUCH_SETTING = "no_such_setting", "The setting cannot be changed so."
    NO_SUCH_METER = "no_such_meter", "There is no such meter."
    METER_PLAYED = "meter_played", "A table may still play the meter."
    ALREADY_SO = "already_so", "It is so already."
    BAD_BADGE = (
        "bad_badge",
        "A badge is 1 to 20 letters, digits or dashes, begins with no dash, and is no name of the house's own.",
    )
    BAD_LABEL = "bad_label", "A label is 1 to 40 characters that can be printed."
    BADGE_TAKEN = "badge_taken", "The badge is taken, and badges are not used again."
    WEAK_PASSWORD = "weak_password", "The password is too easy to guess."
    SAME_PASSWORD = "same_password", "This is the password that there was before."
    LAST_ADMINISTRATOR = "last_administrator", "The last active administrator stays."
    NO_SUCH_PLACE = "no_such_place", "There is no such place."
    NO_SUCH_TERMINAL = "no_such_terminal", "There is no such terminal."
    CODE_NOT_GOOD = "code_not_good", "The code is not good."
    TICKET_UNKNOWN = "ticket_unknown", "No such ticket was issued."
    TICKET_REDEEMED = "ticket_redeemed", "The ticket was redeemed before."
    TICKET_VOIDED = "ticket_voided", "The ticket was voided."
    TICKET_EXPIRED = "ticket_expired", "The ticket has expired; a supervisor may pay it."
    TIP_TICKET = "tip_ticket", "A tip belongs to the dealers and is not voided."
    DRAWER_OPEN = "drawer_open", "A drawer is open already; count and close it first."
    NO_DRAWER = "no_drawer", "No drawer is open."
    BAD_AMOUNT = "bad_amount", "Not an amount of money that could be meant."
    NEEDS_REASON = "needs_reason", "A reason of at most 200 characters is needed, in one line."


class Refused(Struct, frozen=True):
    """Something refused: why, and what exactly where that helps."""

    why: Refusal
    detail: str = ""

    def __str__(self) -> str:
        return self.why.in_full(self.detail)


# --- What happened ---


class FloorEvent(Event, frozen=True, kw_only=True):
    """Something that happened on the floor."""


Decision = tuple[FloorEvent, ...] | Refused
"""What something asked of the floor comes to."""


class AccountAdded(FloorEvent, frozen=True, kw_only=True):
    """Somebody has an account, with a one-time password that must be changed at the first sign-in."""

    badge: str
    label: str
    """How screens name them."""
    role: Role
    password_hash: str


class AccountRemoved(FloorEvent, frozen=True, kw_only=True):
    badge: str


class AccountLocked(FloorEvent, frozen=True, kw_only=True):
    """By an administrator, until one unlocks it. In older journals also by three failures in a row."""

    badge: str


class AccountUnlocked(FloorEvent, frozen=True, kw_only=True):
    """It may sign in again, wherever wrong passwords made it wait."""

    badge: str


class RoleChanged(FloorEvent, frozen=True, kw_only=True):
    badge: str
    before: Role
    after: Role


class PasswordChanged(FloorEvent, frozen=True, kw_only=True):
    badge: str
    password_hash: str
    one_time: bool = False
    """Set by an administrator: it must be changed at the next sign-in."""


class PasswordRehashed(FloorEvent, frozen=True, kw_only=True):
    """The same password, kept with the parameters of today."""

    badge: str
    password_hash: str


class SignedIn(FloorEvent, frozen=True, kw_only=True):
    badge: str
    terminal: str
    role: Role
    must_change: bool = False
    """Nothing else may be done before a new password is chosen."""


class SignInFailed(FloorEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A wrong password, or none that could be right; the asker is not told which."""

    badge: str
    """As typed; empty where it could be no badge, for it may be a password typed in the wrong place."""
    terminal: str
    why: Literal["unknown_badge", "removed", "locked", "wrong_password"]
    at_ms: int = 0
    failures: int = 0
    """Of this badge at this terminal, in a row; 0 where nobody counted, as in older journals."""
    terminals: int = 0
    """Where this badge has failed lately."""
    until_ms: int = 0
    """No password for this badge is checked at this terminal before; 0: nobody has to wait."""
    alarm: Literal["", "failures", "terminals"] = ""
    """Why somebody must look: too many failures, or at too many terminals."""


class AttemptsRefused(FloorEvent, frozen=True, kw_only=True):
    """So often somebody tried a badge at a terminal where it had to wait; no password was checked."""

    badge: str
    terminal: str
    count: int


class DeedApproved(FloorEvent, frozen=True, kw_only=True):
    """A second person gave their password for one deed of somebody who is signed in."""

    badge: str
    """Who approves."""
    terminal: str
    by: str
    """Who asks."""
    what: str
    """The kind of deed: `reverse_roll`, `POST /api/tickets/{number}/void`."""
    deed: str
    """SHA-256 of all of it."""


class TerminalOffered(FloorEvent, frozen=True, kw_only=True):
    """A place waits for the terminal that knows the code; an earlier code for it is good no more."""

    place: Place
    code_hash: str
    expires_at_ms: int


class TerminalEnrolled(FloorEvent, frozen=True, kw_only=True):
    terminal: str
    place: Place
    code_hash: str
    """Of the code that it gave."""
    token_hash: str
    """Of the token that it got."""

    @property
    def claims(self) -> tuple[str, ...]:
        return (f"pairing:{self.code_hash}",)


class EnrolmentFailed(FloorEvent, frozen=True, kw_only=True):
    why: Literal["unknown_code", "expired_code"]
    count: int = 1
    """Wrong codes in a row so far, of which the journal has a few."""


class TerminalRevoked(FloorEvent, frozen=True, kw_only=True):
    terminal: str
    place: Place
    why: Literal["revoked", "replaced"]


class TicketEnded(FloorEvent, frozen=True, kw_only=True):
    """A ticket is good no more; a table that redeems it takes the same claim."""

    number: str
    cents: int

    @property
    def claims(self) -> tuple[str, ...]:
        return (ticket_claim(self.number, "redeemed"),)


class TicketPaid(TicketEnded, frozen=True, kw_only=True):
    """Paid at the cage."""

    expired: bool = False


class TicketVoided(TicketEnded, frozen=True, kw_only=True):
    reason: str
    approver: str


class DrawerOpened(FloorEvent, frozen=True, kw_only=True):
    """Somebody is answerable for a cash drawer, which holds its float."""

    badge: str
    float_cents: int


class DrawerShut(FloorEvent, frozen=True, kw_only=True):
    """Nothing goes into a drawer or comes out any more: it is about to be counted."""

    badge: str


class DrawerClosed(FloorEvent, frozen=True, kw_only=True):
    """The drawer was counted. Over (positive) or short is booked to `over_short`."""

    badge: str
    float_cents: int
    held_cents: int
    """What it should hold: the float, cash taken for credit, less cash paid out."""
    counted_cents: int
    difference_cents: int
    """What was counted, less what it should hold."""


class MeterOpened(FloorEvent, frozen=True, kw_only=True):
    """A progressive meter that tables share was put up at its seed."""

    meter: str
    """Its key; in older journals its name alone."""
    seed_cents: int
    """What it was put up with."""
    terms: MeterTerms | None = None
    """What it owns; none in older journals, where each table's game said it."""


class MeterChangeWaits(FloorEvent, frozen=True, kw_only=True):
    """Two people changed what a meter owns; it holds once the meter is won again (ruling 38)."""

    meter: str
    terms: MeterTerms
    hits: int
    """How often it had been won."""
    by: str
    approver: str


class MeterChanged(FloorEvent, frozen=True, kw_only=True):
    """A meter was won, and a change that waited for it holds. The house gives or takes the difference of seeds."""

    meter: str
    terms: MeterTerms


class MeterMoved(FloorEvent, frozen=True, kw_only=True):
    """Two people moved all the money of a meter that no table plays to another one; the first is closed."""

    meter: str
    to: str
    cents: int
    reserve_cents: int
    by: str
    approver: str


class ClockJumped(FloorEvent, frozen=True, kw_only=True):
    """Somebody set the machine's clock; the tables' time went on as if nobody had."""

    by_ms: int


class ProgramStarted(FloorEvent, frozen=True, kw_only=True):
    """A process began to serve the floor, and which program it is."""

    version: str
    sha256: str


Heads = dict[int, tuple[int, str]]
"""By stream, the number of its last record and that record's digest as hexadecimal digits."""


class Vouched(FloorEvent, frozen=True, kw_only=True):
    """A key of the journal vouches for all that was written before it was used, up to these heads."""

    heads: Heads
    key: str
    """The id of the key, under which this record is too."""

    @property
    def claims(self) -> tuple[str, ...]:
        return (vouching(self.key),)


def vouching(key: str) -> str:
    """The claim of the record by which a key vouches for what was before it: each key does so at most once."""
    return f"journal:{key}:vouches"


class JournalAdopted(Vouched, frozen=True, kw_only=True):
    """An operator adopted records without a MAC, or records whose key is lost."""

    lost: bool = False
    """Some of them carry the MAC of a key that nobody has any more; only their chain was checked."""


class KeyRotated(Vouched, frozen=True, kw_only=True):
    """Another key took over; every MAC of the one before was checked up to here."""

    before: str
    """The id of the key before."""


class CheckpointNoted(FloorEvent, frozen=True, kw_only=True):
    """What the newest signed checkpoint was: at a start, a stop, and every hour between."""

    number: int
    digest: str
    """SHA-256 of its line."""


class CheckpointsBegun(FloorEvent, frozen=True, kw_only=True):
    """An operator had a new file of checkpoints begun; what was noted of the one before counts no more."""

    reason: str


class ClockOverridden(FloorEvent, frozen=True, kw_only=True):
    """An operator let a server start although the journal is ahead of the machine's clock."""

    ahead_ms: int
    stream: int


class FloorSettingChanged(FloorEvent, frozen=True, kw_only=True):
    key: str
    before: str
    after: str
    settings: Settings
