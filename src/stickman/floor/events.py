"""The vocabulary of the floor: roles and their rights, places, every "no", and the events of stream 0.

As at a table, an event is complete in itself and a refusal changes nothing. The actor of the record did it.
"""

from __future__ import annotations

import enum
from functools import total_ordering
from typing import Annotated, Literal, TypeGuard

from msgspec import Meta, Struct

from stickman.devices.signals import DEVICE_KINDS, DeviceKind
from stickman.paper.ticket_words import Language
from stickman.rules.schema import MeterTerms
from stickman.rules.spoken import Detail, Detailed, Spoken
from stickman.table.ledger import hold_claim, ticket_claim
from stickman.table.messages import Event

SECRET_FIELDS = frozenset({"password_hash", "code_hash", "token_hash"})
"""Fields of events and of the floor that no report and no export may show."""


# --- Roles ---


class Act(enum.Enum):
    """What only staff may do."""

    DEAL = "open and close bets, enter and confirm dice, call no roll, move the puck"
    PAUSE_TABLE = "pause and resume a table"
    NAME_SHOOTER = "name the shooter"
    OPEN_RESERVED_SEAT = "open a reserved seat"
    REVERSE_ROLL = "reverse a roll, with a second person"
    WITNESS = "be the second person, if two are needed"
    READ_AUDIT = "read the audit menu"
    SELECT_MODE = "choose the mode of play"
    PAY_BY_HAND = "pay by hand"
    GIVE_CREDIT = "take cash into a drawer and give credit for it"
    CLOSE_ANY_DRAWER = "count and close another person's drawer"
    PRINT_TEST = "print a test page at a terminal"
    PRINT_COPY = "print a copy of a ticket, which cannot be redeemed"
    CANCEL_PRINT = "cancel a ticket of which nobody knows whether it was printed, with a second person"
    SETTLE_DEVICE = "accept what a device has counted after its reports were lost, with a second person"
    PAY_TICKET = "pay a ticket at the cage"
    PAY_EXPIRED_TICKET = "pay an expired ticket at the cage"
    VOID_TICKET = "void a ticket, with a second person"
    CLEAR_LOCKUP = "clear a lock-up, with the key"
    ENROL_TERMINALS = "offer a place to a terminal, revoke a terminal"
    CHANGE_GAME = "change the settings of a game"
    CHANGE_METER = "change a meter's terms, or move the money of a meter that no table plays, with a second person"
    CHANGE_FLOOR = "change the settings of the floor"
    MANAGE_STAFF = "add, change, lock, unlock and remove accounts"


@total_ordering
class Role(enum.Enum):
    """The roles of staff, lowest first. Each may do all that the lower ones may (RULES 13)."""

    DEALER = "dealer"
    PIT_BOSS = "pit_boss"
    SUPERVISOR = "supervisor"
    ADMINISTRATOR = "administrator"

    def __lt__(self, other: Role) -> bool:
        ranks = list(Role)
        return ranks.index(self) < ranks.index(other)

    def may(self, act: Act) -> bool:
        return self >= LOWEST[act]


RIGHTS = {
    Role.DEALER: (
        Act.DEAL,
        Act.PAUSE_TABLE,
        Act.NAME_SHOOTER,
        Act.OPEN_RESERVED_SEAT,
        Act.REVERSE_ROLL,
        Act.GIVE_CREDIT,
        Act.PRINT_TEST,
    ),
    Role.PIT_BOSS: (
        Act.WITNESS,
        Act.READ_AUDIT,
        Act.SELECT_MODE,
        Act.PAY_BY_HAND,
        Act.PAY_TICKET,
        Act.PRINT_COPY,
        Act.CANCEL_PRINT,
    ),
    Role.SUPERVISOR: (
        Act.CLOSE_ANY_DRAWER,
        Act.SETTLE_DEVICE,
        Act.PAY_EXPIRED_TICKET,
        Act.VOID_TICKET,
        Act.CLEAR_LOCKUP,
        Act.ENROL_TERMINALS,
        Act.CHANGE_GAME,
        Act.CHANGE_METER,
    ),
    Role.ADMINISTRATOR: (Act.CHANGE_FLOOR, Act.MANAGE_STAFF),
}
"""By role, what it may do that the lower ones may not."""
LOWEST = {act: role for role, acts in RIGHTS.items() for act in acts}
"""By act, the lowest role that may do it."""


# --- Places and settings ---

PlaceKind = Literal["seat", "dealer", "table", "info", "office", "acceptor", "printer", "doors"]
"""A screen, or a device."""


class Place(Struct, frozen=True):
    """The place of a terminal: a screen of a table, one of its seats, the office of the floor, or a device."""

    screen: PlaceKind
    """Of a device, its kind. Journals have this name for both."""
    table: int = 0
    """The table's stream; 0 for the office."""
    seat: int = 0
    """The seat of a seat's screen or device; 0 for every other. Doors without a seat are the table's, with the key
    of the dealer's terminal."""

    @property
    def device(self) -> DeviceKind | None:
        """Its kind of device; none for a screen."""
        return self.screen if _is_device(self.screen) else None

    def __str__(self) -> str:
        if self.screen == "office":
            return "office"
        return f"table {self.table} {self.screen}" + (f" {self.seat}" if self.seat else "")

    @property
    def detail(self) -> Detailed:
        return Detail.PLACE(screen=self.screen, table=self.table, seat=self.seat)


def _is_device(kind: PlaceKind) -> TypeGuard[DeviceKind]:
    return kind in DEVICE_KINDS


class Settings(Struct, frozen=True):
    """The settings of the floor."""

    name: Annotated[str, Meta(min_length=1, max_length=60, description="The casino, on its tickets.")] = "Stickman"
    cage: Annotated[str, Meta(min_length=1, max_length=40, description="Where tickets are paid.")] = "Cage"
    language: Annotated[Language, Meta(description="The language of tickets and receipts.")] = "en"
    second_over_cents: Annotated[
        int, Meta(ge=0, le=10**11, description="Hand pays and credit above this need a second person.")
    ] = 1_000_000


# --- Every "no" ---


class Refusal(Spoken):
    """Why the floor refuses, in the order of the checks: first who asks, then what it is about."""

    COMMAND_OF_ANOTHER = "command_of_another", "This command id is another user's."
    NOBODY_SIGNED_IN = "nobody_signed_in", "Nobody is signed in at this terminal."
    NOT_SIGNED_IN = "not_signed_in", "Badge and password do not match, or the account is locked."
    MUST_WAIT = "must_wait", "Too many wrong passwords here; wait."
    TRY_AGAIN = "try_again", "Someone changed the account at the same time; try again."
    MUST_CHANGE = "must_change", "Choose a new password first."
    KEY_OFF = "key_off", "First turn the key switch of this terminal."
    NOT_ALLOWED = "not_allowed", "This needs a higher role."
    NEEDS_TWO = "needs_two", "This needs two people."
    NO_SUCH_ACCOUNT = "no_such_account", "There is no such account."
    NO_SUCH_SETTING = "no_such_setting", "The setting cannot have this value."
    NO_SUCH_METER = "no_such_meter", "There is no such meter."
    METER_PLAYED = "meter_played", "A table may still play the meter."
    ALREADY_SO = "already_so", "There is nothing to change."
    BAD_BADGE = (
        "bad_badge",
        "A badge has 1 to 20 letters, digits or dashes, begins with a letter or digit, and is not a reserved name.",
    )
    BAD_LABEL = "bad_label", "A label has 1 to 40 printable characters."
    BADGE_TAKEN = "badge_taken", "The badge is taken, and badges are never reused."
    WEAK_PASSWORD = "weak_password", "The password is too easy to guess."
    SAME_PASSWORD = "same_password", "This is the old password."
    LAST_ADMINISTRATOR = "last_administrator", "The last active administrator must stay."
    NO_SUCH_PLACE = "no_such_place", "There is no such place."
    NO_SUCH_TERMINAL = "no_such_terminal", "There is no such terminal."
    NOT_CONNECTED = "not_connected", "The device is not connected."
    CODE_NOT_GOOD = "code_not_good", "The code is not valid."
    TICKET_UNKNOWN = "ticket_unknown", "There is no such ticket."
    TICKET_REDEEMED = "ticket_redeemed", "The ticket was already redeemed."
    TICKET_VOIDED = "ticket_voided", "The ticket was voided."
    TICKET_CANCELLED = "ticket_cancelled", "The ticket was cancelled; its money was paid in another way."
    TICKET_NOT_PRINTED = "ticket_not_printed", "The ticket is not printed yet."
    TICKET_HELD = "ticket_held", "An acceptor holds the ticket."
    TICKET_EXPIRED = "ticket_expired", "The ticket has expired; a supervisor may pay it."
    TIP_TICKET = "tip_ticket", "A tip belongs to the dealers and cannot be voided."
    DRAWER_OPEN = "drawer_open", "A drawer is already open; count and close it first."
    NO_DRAWER = "no_drawer", "No drawer is open."
    BAD_AMOUNT = "bad_amount", "This is not a valid amount."
    NEEDS_REASON = "needs_reason", "A reason is needed: one line of at most 200 characters."


class Refused(Struct, frozen=True):
    """A refusal: why, with a detail if that helps."""

    why: Refusal
    detail: str | Detailed = ""

    def __str__(self) -> str:
        return self.why.in_full(self.detail)


# --- What happened ---


class FloorEvent(Event, frozen=True, kw_only=True):
    """An event of the floor's own stream."""


Decision = tuple[FloorEvent, ...] | Refused
"""The answer to a request to the floor."""


class AccountAdded(FloorEvent, frozen=True, kw_only=True):
    """A new account, with a one-time password that must be changed at the first sign-in."""

    badge: str
    label: str
    """Its name on screens."""
    role: Role
    password_hash: str


class AccountRemoved(FloorEvent, frozen=True, kw_only=True):
    badge: str


class AccountLocked(FloorEvent, frozen=True, kw_only=True):
    """By an administrator, until one unlocks it. In older journals also after three failures in a row."""

    badge: str


class AccountUnlocked(FloorEvent, frozen=True, kw_only=True):
    """It may sign in again, also at terminals where it had to wait after wrong passwords."""

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
    """The same password, hashed with the current parameters."""

    badge: str
    password_hash: str


class SignedIn(FloorEvent, frozen=True, kw_only=True):
    badge: str
    terminal: str
    role: Role
    must_change: bool = False
    """A new password must be chosen before anything else."""


class SignInFailed(FloorEvent, frozen=True, kw_only=True, omit_defaults=True):
    """A failed sign-in. The asker does not learn the reason."""

    badge: str
    """As typed; empty if it cannot be a badge, because it may be a password in the wrong field."""
    terminal: str
    why: Literal["unknown_badge", "removed", "locked", "wrong_password"]
    at_ms: int = 0
    failures: int = 0
    """Of this badge at this terminal, in a row; 0 in older journals, which did not count them."""
    terminals: int = 0
    """The number of terminals where this badge has failed recently."""
    until_ms: int = 0
    """Until then no password for this badge is checked at this terminal; 0: no wait."""
    alarm: Literal["", "failures", "terminals"] = ""
    """Why staff must look: too many failures, or at too many terminals."""


class AttemptsRefused(FloorEvent, frozen=True, kw_only=True):
    """The attempts with a badge at a terminal where it had to wait; no password was checked."""

    badge: str
    terminal: str
    count: int


class DeedApproved(FloorEvent, frozen=True, kw_only=True):
    """A second person gave their password for one deed of the person who is signed in."""

    badge: str
    """The second person's."""
    terminal: str
    by: str
    """The person who is signed in."""
    what: str
    """The kind of deed: `reverse_roll`, `POST /api/tickets/{number}/void`."""
    deed: str
    """SHA-256 of the whole deed."""


class TerminalOffered(FloorEvent, frozen=True, kw_only=True):
    """A place waits for the terminal with this code; earlier codes for it are no longer valid."""

    place: Place
    code_hash: str
    expires_at_ms: int


class TerminalEnrolled(FloorEvent, frozen=True, kw_only=True):
    terminal: str
    place: Place
    code_hash: str
    """Of the code that it sent."""
    token_hash: str
    """Of the token that it received."""

    @property
    def claims(self) -> tuple[str, ...]:
        return (f"pairing:{self.code_hash}",)


class EnrolmentFailed(FloorEvent, frozen=True, kw_only=True):
    why: Literal["unknown_code", "expired_code"]
    count: int = 1
    """Wrong codes in a row so far; the journal records a few of them."""


class TerminalRevoked(FloorEvent, frozen=True, kw_only=True):
    terminal: str
    place: Place
    why: Literal["revoked", "replaced"]


class TicketEnded(FloorEvent, frozen=True, kw_only=True):
    """A ticket ended; a table that redeems one takes the same claim. The next hold is taken too, so that no
    acceptor begins to hold it meanwhile."""

    number: str
    cents: int
    hold: int | None = None
    """How often acceptors had held it; none in older journals."""

    @property
    def claims(self) -> tuple[str, ...]:
        ends = ticket_claim(self.number, "redeemed")
        return (ends,) if self.hold is None else (ends, hold_claim(self.number, "held", self.hold))


class TicketPaid(TicketEnded, frozen=True, kw_only=True):
    """Paid at the cage."""

    expired: bool = False


class TicketVoided(TicketEnded, frozen=True, kw_only=True):
    reason: str
    approver: str


class DrawerOpened(FloorEvent, frozen=True, kw_only=True):
    """A badge is responsible for a cash drawer with its float."""

    badge: str
    float_cents: int


class DrawerShut(FloorEvent, frozen=True, kw_only=True):
    """No cash goes into a drawer or out of it: it will be counted."""

    badge: str


class DrawerClosed(FloorEvent, frozen=True, kw_only=True):
    """The drawer was counted. The difference, over (positive) or short, is booked to `over_short`."""

    badge: str
    float_cents: int
    held_cents: int
    """What it should hold: the float and the cash taken for credit, less the cash paid out."""
    counted_cents: int
    difference_cents: int
    """The count less what it should hold."""


class MeterOpened(FloorEvent, frozen=True, kw_only=True):
    """A progressive meter that tables share, opened with its seed."""

    meter: str
    """Its key; in older journals only its name."""
    seed_cents: int
    terms: MeterTerms | None = None
    """None in older journals, where each table's game had them."""


class MeterChangeWaits(FloorEvent, frozen=True, kw_only=True):
    """Two people changed a meter's terms; the change takes effect when the meter is won again (ruling 38)."""

    meter: str
    terms: MeterTerms
    hits: int
    """The hits so far."""
    by: str
    approver: str


class MeterChanged(FloorEvent, frozen=True, kw_only=True):
    """A meter was won, and its change takes effect. The house gives or takes the difference of the seeds."""

    meter: str
    terms: MeterTerms


class MeterMoved(FloorEvent, frozen=True, kw_only=True):
    """Two people moved all the money of a meter that no table plays to another meter; the first is closed."""

    meter: str
    to: str
    cents: int
    reserve_cents: int
    by: str
    approver: str


class ClockJumped(FloorEvent, frozen=True, kw_only=True):
    """The machine's clock was set; the tables' time did not change."""

    by_ms: int


class ProgramStarted(FloorEvent, frozen=True, kw_only=True):
    """A process began to serve the floor, with this program."""

    version: str
    sha256: str


class DeviceProgramDiffers(FloorEvent, frozen=True, kw_only=True):
    """A device reported another program than the server's own."""

    terminal: str
    place: Place
    version: str
    sha256: str
    ours: str
    """The SHA-256 of the server's program."""


Heads = dict[int, tuple[int, str]]
"""By stream, the number of its last record and that record's digest as hexadecimal digits."""


class Vouched(FloorEvent, frozen=True, kw_only=True):
    """A key of the journal vouches for all records before its first use, up to these heads."""

    heads: Heads
    key: str
    """The id of the key, which also made the MAC of this record."""

    @property
    def claims(self) -> tuple[str, ...]:
        return (vouching(self.key),)


def vouching(key: str) -> str:
    """The claim of a `Vouched` record: each key makes at most one."""
    return f"journal:{key}:vouches"


class JournalAdopted(Vouched, frozen=True, kw_only=True):
    """An operator adopted records without a MAC, or records whose key is lost."""

    lost: bool = False
    """Some of them have the MAC of a lost key; only their chain was checked."""


class KeyRotated(Vouched, frozen=True, kw_only=True):
    """A new key replaced the last one; every MAC of the last key was checked up to here."""

    before: str
    """The id of the last key."""


class CheckpointNoted(FloorEvent, frozen=True, kw_only=True):
    """The newest signed checkpoint, noted at a start, at a stop, and every hour in between."""

    number: int
    digest: str
    """SHA-256 of its line."""


class CheckpointsBegun(FloorEvent, frozen=True, kw_only=True):
    """An operator started a new file of checkpoints; the notes of the last file no longer count."""

    reason: str


class ClockOverridden(FloorEvent, frozen=True, kw_only=True):
    """An operator started a server although the journal is ahead of the machine's clock."""

    ahead_ms: int
    stream: int


class FloorSettingChanged(FloorEvent, frozen=True, kw_only=True):
    key: str
    before: str
    after: str
    settings: Settings
