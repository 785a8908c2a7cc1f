"""The bodies of HTTP requests and answers, as types: the source of `docs/protocol.md` and the screens' TypeScript.

If the floor has a type already (a ticket, a place, a row of a report), the answer is of that type.
"""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.responses import Response

from stickman import wire
from stickman.floor.events import Place, PlaceKind, Role
from stickman.floor.staff import Alarm
from stickman.floor.tally import Jackpot
from stickman.floor.terminals import SEATS_MAX, TABLE_MAX
from stickman.rules.datafile import to_text
from stickman.rules.schema import MeterTerms
from stickman.rules.spoken import Detailed
from stickman.server.ports import ToTell
from stickman.store.checkpoints import Heads
from stickman.table.messages import Mode
from stickman.table.state import Phase

T = TypeVar("T")


class Json(Response, Generic[T]):
    """A value as JSON."""

    def __init__(self, value: T, status: int = 200) -> None:
        super().__init__(msgspec.json.encode(value, enc_hook=to_text), status, media_type="application/json")


class Sent(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request."""


class Given(Struct, frozen=True, kw_only=True):
    """An answer."""


# --- A "no" ---


class No(Given, frozen=True, kw_only=True):
    """Why the floor refuses, with a status of 401 or higher."""

    why: str
    detail: str | Detailed
    says: str
    """In English."""


class Problem(Given, frozen=True, kw_only=True):
    """What cannot be read, found or done, with a status of 400 or higher."""

    error: str


class Nothing(Given, frozen=True, kw_only=True):
    """It is done, and there is nothing to report."""


# --- Terminals and who is signed in ---


class Enrol(Sent, frozen=True, forbid_unknown_fields=True):
    """The code of a place."""

    code: Annotated[str, Meta(max_length=40)]
    kind: Annotated[str, Meta(max_length=10)] = ""
    """Of which kind a device is; empty for a screen."""


class Enrolled(Given, frozen=True, kw_only=True):
    """A terminal and its place."""

    token: str
    terminal: str
    place: Place


class Sit(Sent, frozen=True, forbid_unknown_fields=True):
    """A place of a demonstration."""

    screen: PlaceKind
    table: Annotated[int, Meta(ge=0, le=TABLE_MAX)] = 0
    seat: Annotated[int, Meta(ge=0, le=SEATS_MAX)] = 0
    take: bool = False
    """Also a seat whose player is away and left money there."""


class Seated(Given, frozen=True, kw_only=True):
    """The place where a browser is enrolled now. Its token is in the cookie alone."""

    place: Place


class DoorSeat(Given, frozen=True, kw_only=True):
    """A seat, for a visitor of a demonstration."""

    seat: int
    state: Literal["free", "taken", "away", "yours"]
    """Away: its player has bets or winnings there, and no screen shows it now."""
    money_cents: int
    """Its credit and bets, if it is free or the visitor's own."""


class DoorTable(Given, frozen=True, kw_only=True):
    """A table, for a visitor of a demonstration."""

    table: int
    name: str
    game: str
    phase: Phase
    puck: int
    """The point; 0 for a come-out roll."""
    paused: bool
    seats: tuple[DoorSeat, ...]


class DoorBadge(Given, frozen=True, kw_only=True):
    """A badge of a demonstration."""

    badge: str
    role: Role


class FrontDoor(Given, frozen=True, kw_only=True):
    """What a visitor may know. On a real floor that is where this browser itself is enrolled, and nothing else."""

    demo: bool
    here: tuple[Place, ...]
    """The screens that this browser is."""
    tables: tuple[DoorTable, ...] = ()
    badges: tuple[DoorBadge, ...] = ()
    password: str = ""


class Member(Given, frozen=True, kw_only=True):
    """A member of staff who is signed in."""

    badge: str
    label: str
    role: Role
    must_change: bool
    """The password is a one-time password: they must choose their own first."""


class WhoIsHere(Given, frozen=True, kw_only=True):
    """The asker's terminal and place, and who is signed in there."""

    terminal: str
    place: Place
    staff: Member | None


class Credentials(Sent, frozen=True, forbid_unknown_fields=True):
    """A badge and its password."""

    badge: Annotated[str, Meta(max_length=20)]
    password: Annotated[str, Meta(max_length=256)]


class NewPassword(Credentials, frozen=True, forbid_unknown_fields=True):
    """A badge, its password and the new password."""

    new: Annotated[str, Meta(max_length=256)]


class SignedInAs(Given, frozen=True, kw_only=True):
    """The badge that is signed in now. Its session is a cookie."""

    badge: str
    role: Role
    must_change: bool


class ApproveDeed(Credentials, frozen=True, forbid_unknown_fields=True):
    """The second person, and what they approve: a request at a table, or a request to the desk."""

    table: int = 0
    request: wire.Asking | None = None
    endpoint: str = ""
    body: msgspec.Raw = msgspec.Raw(b"{}")


class ApprovedBy(Given, frozen=True, kw_only=True):
    """The badge of the second person."""

    approver: str


class OwnSounds(Given, frozen=True, kw_only=True):
    """The casino's own recordings, as `language/name`."""

    own: tuple[str, ...]


# --- Operations ---


class ProcessAlive(Given, frozen=True, kw_only=True):
    """The process answers."""

    ok: bool = True


class Ready(Given, frozen=True, kw_only=True):
    """Whether all tables are served here; if not, the status is 503."""

    ready: bool
    store: bool
    """Whether the journal can be read."""
    tables: dict[str, bool]


# --- Tables ---


class May(Given, frozen=True, kw_only=True):
    """What the person who is signed in may ask for. Screens show nothing else."""

    desk: tuple[str, ...]
    """Addresses, each with its method."""
    table: tuple[str, ...]
    """Requests at a table, from this terminal, by their `do`."""
    higher: dict[str, Role]
    """By request that needs a higher role than theirs, the lowest role that it needs."""


class ShutTable(Given, frozen=True, kw_only=True):
    """A table that this server does not serve now."""

    number: int
    name: str
    served: bool = False
    refused: tuple[str, ...]
    """Why its game is refused: how it differs from its meters."""


AlarmKind = Literal[
    "table_locked", "table_door", "lockup", "door", "fault", "service", "paused", "device_away", "screen_away"
]


class TableAlarm(Given, frozen=True, kw_only=True):
    """Something at a table that staff should see to."""

    kind: AlarmKind
    seats: tuple[int, ...] = ()
    """Where, by seat; 0 for the table itself."""


class TableMoney(Given, frozen=True, kw_only=True):
    """The money of a table, since it was opened."""

    handle_cents: int
    """What was wagered."""
    hold_cents: int
    """What the house has won: stakes taken and fees, less wins paid."""
    felt_cents: int
    """What is on the felt now."""


class ServedTable(Given, frozen=True, kw_only=True):
    """A table and its state."""

    number: int
    name: str
    served: bool = True
    game: str
    title: str
    fingerprint: str
    seats: int
    mode: Mode
    phase: Phase
    paused: bool
    dealer: str
    round: int
    puck: int
    """The point; 0 while the puck is off."""
    shooter: int
    """A seat; 0 for none."""
    players: int
    """The seats with a player."""
    records: int
    """The number of its last record."""
    screens: int
    """The number that is connected."""
    alarms: tuple[TableAlarm, ...]
    """The most pressing first."""
    money: TableMoney | None
    """Null for those who may not read the audit menu."""


class GameSetting(Given, frozen=True, kw_only=True):
    """A setting of a game."""

    key: str
    value: str
    allowed: str
    choices: tuple[str, ...]
    """Empty if the value is typed."""
    lock: str
    """The part of `allowed` that the jurisdiction lock permits."""
    help: str


class GameSettings(Given, frozen=True, kw_only=True):
    """Every setting of a table's game."""

    game: str
    fingerprint: str
    settings: tuple[GameSetting, ...]


# --- Meters ---


class TableMeters(Given, frozen=True, kw_only=True):
    """The meters of a table."""

    cash: dict[str, dict[str, int]]
    """Money in and out, by seat."""
    play: dict[str, dict[str, int]]
    """By seat."""
    bets: dict[str, dict[str, int]]
    """By bet."""
    no_rolls: dict[str, int]
    """By reason: how often "no roll" was called."""
    under_a_cent: str
    """The fractions of a cent that rounding kept, as `p/q`."""


class ProgressiveReading(Given, frozen=True, kw_only=True):
    """The reading of a progressive meter."""

    cents: int
    hits: int


class AllMeters(Given, frozen=True, kw_only=True):
    """The meters of every table, and the progressives that they share."""

    tables: dict[int, TableMeters]
    progressives: dict[str, ProgressiveReading]


class Feed(Given, frozen=True, kw_only=True):
    """What a table feeds a meter."""

    table: int
    side: str
    paytable: str
    base_cents: int
    increment_bp: int
    reserve_bp: int
    reset_cents: int
    cap_cents: int | None


class ProgressiveRow(Given, frozen=True, kw_only=True):
    """A progressive meter of the floor."""

    meter: str
    """Its key: name, base and pay table."""
    name: str
    cents: int
    seed_cents: int
    reserve_cents: int
    hits: int
    terms: MeterTerms | None
    """Null for a meter of an older journal, which no table plays."""
    waits: MeterTerms | None
    """Its terms after the next hit, if they change then."""
    fed: tuple[Feed, ...]
    last: tuple[Jackpot, ...]


class MeterChange(Sent, frozen=True, forbid_unknown_fields=True):
    """A new value of a meter's terms, and the second person."""

    meter: str
    key: str
    value: str
    approver: str = ""


class MeterMove(Sent, frozen=True, forbid_unknown_fields=True):
    """The meter that gets the money of another one, and the second person."""

    meter: str
    to: str
    approver: str = ""


# --- What happened ---

EventHeading = Literal["significant", "staff", "settings"]


class EventLine(Given, frozen=True, kw_only=True, omit_defaults=True):
    """An event of the journal. The event's own fields follow these."""

    seq: int
    at_ms: int
    actor: str
    log: EventHeading
    """The heading under which the office shows it."""
    event: str
    seat: int = 0


class EventsAfter(Given, frozen=True, kw_only=True):
    """Events, oldest first. Ask again `after` that record for more."""

    events: list[dict[str, Any]]
    after: int
    more: bool


class EventsBefore(Given, frozen=True, kw_only=True):
    """The newest events, oldest first. Ask again `before` that record for more."""

    events: list[dict[str, Any]]
    before: int
    more: bool


# --- Tickets and drawers ---


class VoidTicket(Sent, frozen=True, forbid_unknown_fields=True):
    """Why a ticket is voided, and the second person, who has approved it at this terminal."""

    reason: str
    approver: str = ""


class DrawerFloat(Sent, frozen=True, forbid_unknown_fields=True):
    """What is in a drawer when it is opened."""

    float_cents: int


class CountedCash(Sent, frozen=True, forbid_unknown_fields=True):
    """What was counted in a drawer."""

    counted_cents: int


class OwnDrawer(Given, frozen=True, kw_only=True):
    """The asker's own drawer. What it should hold is hidden, because its owner counts without knowing."""

    open: bool
    float_cents: int


class DrawerResult(Given, frozen=True, kw_only=True):
    """What a drawer should have held when it was closed, and the difference of its count."""

    held_cents: int
    difference_cents: int


class DrawerRow(Given, frozen=True, kw_only=True):
    """A drawer that is open."""

    badge: str
    float_cents: int
    held_cents: int | None
    """What it should hold; null for the asker's own, which is counted without knowing."""


# --- Health ---


class StreamEnd(Given, frozen=True, kw_only=True):
    """The last record of a stream."""

    stream: int
    served: bool | None
    """Whether its table is served here; null for the floor's own."""
    seq: int
    digest: str


class NewestCheckpoint(Given, frozen=True, kw_only=True, omit_defaults=True):
    """The newest signed checkpoint, or what is wrong with it; no field at all if none is signed yet."""

    problem: str = ""
    number: int = 0
    at_ms: int = 0
    heads: Heads = {}


class LockInForce(Given, frozen=True, kw_only=True):
    """The jurisdiction lock."""

    name: str
    digests: tuple[str, ...]
    local_network_only: bool


class OtherProgram(Given, frozen=True, kw_only=True):
    """A device whose program is not the server's own."""

    terminal: str
    place: Place
    version: str


class Health(Given, frozen=True, kw_only=True):
    """The state of the floor."""

    ready: bool
    now_ms: int
    database: str
    tls: bool
    connections: int
    alarms: tuple[Alarm, ...]
    streams: tuple[StreamEnd, ...] | None
    """Null if the database cannot be read."""
    checkpoint: NewestCheckpoint | None
    """Null if none are signed."""
    lock: LockInForce | None
    programs_differ: tuple[OtherProgram, ...]
    """The devices that reported another program than the server's own."""


class ProgramFiles(Given, frozen=True, kw_only=True):
    """The program as it started, and whether its files are still the same."""

    version: str
    sha256: str
    sha256_now: str


# --- Terminals and staff ---


class DeviceProgram(Given, frozen=True, kw_only=True):
    """The program that drives a device, as it reported it."""

    version: str
    sha256: str
    same: bool
    """Whether it is the server's own program."""


class StackedPaper(Given, frozen=True, kw_only=True):
    """Bills and tickets that were counted."""

    bills: dict[int, int]
    """By value in cents, how many."""
    tickets: int


class DeviceDifference(Given, frozen=True, kw_only=True):
    """What a device counted more than the journal."""

    cents: int
    """Of bills."""
    tickets: int
    slips: int


class DeviceRow(Given, frozen=True, kw_only=True):
    """A device that is enrolled."""

    terminal: str
    place: Place
    """`screen` is the kind of device."""
    connected_ms: int | None
    """Since when it is connected; null if it is not."""
    heard_ms: int | None
    """When its last message came; null if none came since the server started."""
    state: dict[str, str | int | bool]
    """As it says itself."""
    program: DeviceProgram | None
    """Null if it has not been reported since the server started."""
    reports: int
    """The number of its last report in the journal."""
    distrusted: bool
    """Reports are missing or contradict each other, and two people have not settled it."""
    difference: DeviceDifference | None
    """What two people settle; null while the device has not reported its totals."""
    counted: StackedPaper | None
    """All that the device has counted, if it was asked; of an acceptor."""
    slips: int | None
    """All slips that the device has counted, if it was asked; of a printer."""
    stacker: StackedPaper | None
    """What the journal counted since the last drop; of an acceptor."""


class TellAgain(Sent, frozen=True, forbid_unknown_fields=True):
    """What a device must report again."""

    what: ToTell = "program"


class TerminalRow(Given, frozen=True, kw_only=True):
    """A terminal that is enrolled."""

    terminal: str
    place: Place
    connected: bool


class OfferPlace(Sent, frozen=True, forbid_unknown_fields=True):
    """A place for a screen or a device."""

    screen: PlaceKind
    table: int = 0
    seat: int = 0


class OfferedPlace(Given, frozen=True, kw_only=True):
    """The code that enrols a terminal at the place. It is shown once."""

    code: str
    place: Place
    expires_at_ms: int


class AccountRow(Given, frozen=True, kw_only=True):
    """An account of a member of staff."""

    badge: str
    label: str
    role: Role
    locked: bool
    waits: bool
    """It has to wait at some terminal after wrong passwords."""
    must_change: bool


class NewAccount(Sent, frozen=True, forbid_unknown_fields=True):
    """An account to add."""

    badge: Annotated[str, Meta(max_length=20)]
    label: Annotated[str, Meta(max_length=40)]
    role: Role


class NewRole(Sent, frozen=True, forbid_unknown_fields=True):
    """The new role of an account."""

    role: Role


class OneTimePassword(Given, frozen=True, kw_only=True):
    """A password that must be changed at the first sign-in. It is shown once."""

    one_time_password: str
