"""The floor's own stream: the floor as a value, what each event makes of it, and the office that appends to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from stickman.floor import events as e
from stickman.floor import journal
from stickman.floor.events import Act, Decision, FloorEvent, Place, Refusal, Refused, Role, Settings
from stickman.floor.journal import BadRecord
from stickman.rules.datafile import allowed
from stickman.rules.schema import MeterTerms
from stickman.store.store import EMPTY, FLOOR, Batch, Moved, Record, Store, Taken, breaks

TRIES = 20
"""How often something is decided anew because another process was faster."""

FORGOTTEN_MS = 24 * 60 * 60_000
"""A wrong password so long ago counts no more."""
FAILING_MAX = 1_000
"""As many badges and terminals are remembered, those that failed last. To push one out takes as many attempts, and
a terminal's budget of passwords makes that longer than the longest wait."""

CONSOLE = "console"
"""Who acts at the machine itself, signed in to its operating system: the way in when no administrator has one."""


# --- The floor ---


class Account(Struct, frozen=True):
    """A member of staff."""

    badge: str
    label: str
    role: Role
    password_hash: str
    must_change: bool = True
    locked: bool = False
    removed: bool = False
    edition: int = 0
    """Grows with whatever ends its sessions: another role or password, a lock, removal."""

    @property
    def active(self) -> bool:
        return not self.locked and not self.removed


class Terminal(Struct, frozen=True):
    """A screen that is known by its token."""

    id: str
    place: Place
    token_hash: str


class Failing(Struct, frozen=True):
    """A badge at a terminal where wrong passwords were given for it."""

    badge: str
    """As the account spells it; as typed where there is none."""
    terminal: str
    failures: int
    at_ms: int
    """Of the last one."""
    until_ms: int
    """No password is checked before."""


class PendingOffer(Struct, frozen=True):
    """A place that waits for a terminal."""

    place: Place
    expires_at_ms: int


class Drawer(Struct, frozen=True):
    """A cash drawer that is open."""

    float_cents: int
    shut: bool = False
    """It is being counted: nothing goes in or comes out."""


class Meter(Struct, frozen=True):
    """A progressive meter that is up."""

    seed_cents: int
    """What it was put up with."""
    terms: MeterTerms | None = None
    """What it owns; none for one of an older journal, which no table plays."""
    earlier: tuple[MeterTerms, ...] = ()
    """What it owned before its changes: tables that still say so follow."""
    waits: MeterTerms | None = None
    """What it will own once it is won."""
    waits_after: int = 0
    """How often it had been won when that was asked for."""
    by: str = ""
    """Who asked for the last change, and the second person."""
    approver: str = ""


class Noted(Struct, frozen=True):
    """A checkpoint that a file must hold: its number (0: none yet) and the SHA-256 of its line."""

    number: int = 0
    digest: str = ""
    file: int = 0
    """How many files of checkpoints an operator has had begun."""


class Floor(Struct, frozen=True):
    """Everything that stream 0 knows at one moment."""

    settings: Settings = Settings()
    staff: dict[str, Account] = {}
    """By badge, removed ones too."""
    failing: dict[tuple[str, str], Failing] = {}
    """By badge, folded, and terminal: whose last password was wrong there. The one that failed last comes last."""
    terminals: dict[str, Terminal] = {}
    """By id, those that are good now."""
    offers: dict[str, PendingOffer] = {}
    """By the hash of its code."""
    enrolled: int = 0
    """Terminals ever enrolled, which gives the next one its id."""
    meters: dict[str, Meter] = {}
    """By key, the progressive meters that are up; older ones by name alone."""
    drawers: dict[str, Drawer] = {}
    """By badge, the cash drawers that are open."""
    checkpoint: Noted = Noted()
    """The newest signed checkpoint that was noted."""

    def account(self, badge: str) -> Account | None:
        """The account of a badge as somebody types it: in its own spelling, or in any case."""
        if found := self.staff.get(badge):
            return found
        return next((each for each in self.staff.values() if folded(each.badge) == folded(badge)), None)

    def takes_cash(self, badge: str) -> bool:
        """Whether somebody has a drawer that cash goes into and comes out of."""
        return badge in self.drawers and not self.drawers[badge].shut

    def refuses(self, by: str, act: Act) -> Refused | None:
        """Why somebody may not do something."""
        if by == CONSOLE:
            return None if act is Act.MANAGE_STAFF else Refused(Refusal.NOT_ALLOWED, "not at the console")
        if not by:
            return Refused(Refusal.NOBODY_SIGNED_IN)
        account = self.staff.get(by)
        if account is None or not account.active:
            return Refused(Refusal.NOT_SIGNED_IN)
        if account.must_change:
            return Refused(Refusal.MUST_CHANGE)
        lowest = e.LOWEST[act].value.replace("_", " ")
        return None if account.role.may(act) else Refused(Refusal.NOT_ALLOWED, f"{lowest} or above")

    def refuses_two(self, by: str, approver: str, act: Act) -> Refused | None:
        """Why two people may not do something together."""
        if refused := self.refuses(by, act):
            return refused
        if approver in ("", by):
            return Refused(Refusal.NEEDS_TWO)
        return self.refuses(approver, Act.WITNESS)


# --- What happened, applied ---


def evolve(floor: Floor, event: FloorEvent) -> Floor:
    """The floor after an event."""
    return APPLIERS[type(event)](floor, event)


def folded(badge: str) -> str:
    """A badge as badges are compared."""
    return badge.casefold()


def _account(floor: Floor, badge: str, **changes: Any) -> Floor:
    return replace(floor, staff={**floor.staff, badge: replace(floor.staff[badge], **changes)})


def _ends_sessions(floor: Floor, badge: str, **changes: Any) -> Floor:
    return _account(floor, badge, edition=floor.staff[badge].edition + 1, **changes)


def _forgives(floor: Floor, badge: str, terminal: str = "") -> Floor:
    """A badge fails no more: at a terminal, or anywhere."""
    gone = [key for key in floor.failing if key[0] == folded(badge) and terminal in ("", key[1])]
    failing = {key: each for key, each in floor.failing.items() if key not in gone}
    return replace(floor, failing=failing) if gone else floor


def _account_added(floor: Floor, event: e.AccountAdded) -> Floor:
    account = Account(event.badge, event.label, event.role, event.password_hash)
    return replace(floor, staff={**floor.staff, event.badge: account})


def _password_changed(floor: Floor, event: e.PasswordChanged) -> Floor:
    changes = {"password_hash": event.password_hash, "must_change": event.one_time}
    return _forgives(_ends_sessions(floor, event.badge, **changes), event.badge)


def _password_right(floor: Floor, event: e.SignedIn | e.DeedApproved) -> Floor:
    return _forgives(floor, event.badge, event.terminal)


def _sign_in_failed(floor: Floor, event: e.SignInFailed) -> Floor:
    if not event.failures:
        return floor
    failed = Failing(event.badge, event.terminal, event.failures, event.at_ms, event.until_ms)
    key = (folded(event.badge), event.terminal)
    others = [(at, each) for at, each in floor.failing.items() if at != key]
    kept = [(at, each) for at, each in others if event.at_ms - each.at_ms < FORGOTTEN_MS][1 - FAILING_MAX :]
    return replace(floor, failing={**dict(kept), key: failed})


def _terminal_offered(floor: Floor, event: e.TerminalOffered) -> Floor:
    others = {code: offer for code, offer in floor.offers.items() if offer.place != event.place}
    return replace(floor, offers={**others, event.code_hash: PendingOffer(event.place, event.expires_at_ms)})


def _terminal_enrolled(floor: Floor, event: e.TerminalEnrolled) -> Floor:
    terminal = Terminal(event.terminal, event.place, event.token_hash)
    return replace(
        floor,
        terminals={**floor.terminals, terminal.id: terminal},
        offers={code: offer for code, offer in floor.offers.items() if code != event.code_hash},
        enrolled=floor.enrolled + 1,
    )


def _terminal_revoked(floor: Floor, event: e.TerminalRevoked) -> Floor:
    return replace(floor, terminals={id_: t for id_, t in floor.terminals.items() if id_ != event.terminal})


def _meter_opened(floor: Floor, event: e.MeterOpened) -> Floor:
    return replace(floor, meters={**floor.meters, event.meter: Meter(event.seed_cents, event.terms)})


def _meter(floor: Floor, meter: str, **changes: Any) -> Floor:
    return replace(floor, meters={**floor.meters, meter: replace(floor.meters[meter], **changes)})


def _meter_change_waits(floor: Floor, event: e.MeterChangeWaits) -> Floor:
    by = {"by": event.by, "approver": event.approver}
    return _meter(floor, event.meter, waits=event.terms, waits_after=event.hits, **by)


def _meter_changed(floor: Floor, event: e.MeterChanged) -> Floor:
    known = floor.meters[event.meter]
    assert known.terms is not None, "a meter that owned nothing has nothing to change"
    return _meter(floor, event.meter, terms=event.terms, earlier=(*known.earlier, known.terms), waits=None)


def _meter_moved(floor: Floor, event: e.MeterMoved) -> Floor:
    return replace(floor, meters={key: each for key, each in floor.meters.items() if key != event.meter})


def _drawer_opened(floor: Floor, event: e.DrawerOpened) -> Floor:
    return replace(floor, drawers={**floor.drawers, event.badge: Drawer(event.float_cents)})


def _drawer_shut(floor: Floor, event: e.DrawerShut) -> Floor:
    shut = replace(floor.drawers[event.badge], shut=True)
    return replace(floor, drawers={**floor.drawers, event.badge: shut})


def _drawer_closed(floor: Floor, event: e.DrawerClosed) -> Floor:
    return replace(floor, drawers={badge: each for badge, each in floor.drawers.items() if badge != event.badge})


def _checkpoint_noted(floor: Floor, event: e.CheckpointNoted) -> Floor:
    return replace(floor, checkpoint=replace(floor.checkpoint, number=event.number, digest=event.digest))


def _checkpoints_begun(floor: Floor, event: e.CheckpointsBegun) -> Floor:
    del event
    return replace(floor, checkpoint=Noted(file=floor.checkpoint.file + 1))


JOURNAL_ALONE = (
    *(e.AttemptsRefused, e.ClockJumped, e.ClockOverridden, e.JournalAdopted, e.KeyRotated, e.ProgramStarted),
    *(e.EnrolmentFailed, e.TicketPaid, e.TicketVoided),
)
"""Events that are kept in the journal and change nothing here."""
APPLIERS: dict[type[FloorEvent], Callable[[Floor, Any], Floor]] = {
    e.AccountAdded: _account_added,
    e.AccountRemoved: lambda floor, event: _ends_sessions(floor, event.badge, removed=True),
    e.AccountLocked: lambda floor, event: _ends_sessions(floor, event.badge, locked=True),
    e.AccountUnlocked: lambda floor, event: _forgives(_account(floor, event.badge, locked=False), event.badge),
    e.RoleChanged: lambda floor, event: _ends_sessions(floor, event.badge, role=event.after),
    e.PasswordChanged: _password_changed,
    e.PasswordRehashed: lambda floor, event: _account(floor, event.badge, password_hash=event.password_hash),
    e.SignInFailed: _sign_in_failed,
    e.TerminalOffered: _terminal_offered,
    e.TerminalEnrolled: _terminal_enrolled,
    e.TerminalRevoked: _terminal_revoked,
    e.MeterOpened: _meter_opened,
    e.MeterChangeWaits: _meter_change_waits,
    e.MeterChanged: _meter_changed,
    e.MeterMoved: _meter_moved,
    e.DrawerOpened: _drawer_opened,
    e.DrawerShut: _drawer_shut,
    e.DrawerClosed: _drawer_closed,
    e.FloorSettingChanged: lambda floor, event: replace(floor, settings=event.settings),
    e.CheckpointNoted: _checkpoint_noted,
    e.CheckpointsBegun: _checkpoints_begun,
    e.SignedIn: _password_right,
    e.DeedApproved: _password_right,
    **dict.fromkeys(JOURNAL_ALONE, lambda floor, _: floor),
}


# --- Settings ---


def change_setting(floor: Floor, *, by: str, key: str, text: str) -> Decision:
    """Change a setting of the floor, from text as a person types it."""
    if refused := floor.refuses(by, Act.CHANGE_FLOOR):
        return refused
    kinds = {field.name: field.type for field in fields(Settings)}
    if key not in kinds:
        return Refused(Refusal.NO_SUCH_SETTING, f"there is no {key!r}; allowed: {', '.join(kinds)}")
    try:
        value = msgspec.convert(text, kinds[key], strict=False)
    except msgspec.ValidationError:
        return Refused(Refusal.NO_SUCH_SETTING, f"{key} is {text[:40]!r}; allowed: {allowed(kinds[key])}")
    before = getattr(floor.settings, key)
    if value == before:
        return Refused(Refusal.ALREADY_SO)
    settings = replace(floor.settings, **{key: value})
    return (e.FloorSettingChanged(key=key, before=str(before), after=str(value), settings=settings),)


# --- The office ---


class Office:
    """Whoever may append to the floor's stream, beside others in other processes."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.floor = Floor()
        self.head = EMPTY
        self._one_at_a_time = asyncio.Lock()

    @classmethod
    async def open(cls, store: Store) -> Office:
        """An office that knows all that happened so far."""
        office = cls(store)
        await office.catch_up()
        return office

    async def catch_up(self) -> Floor:
        """The floor with what other processes have appended."""
        async with self._one_at_a_time:
            await self._read_on()
        return self.floor

    async def act(
        self, decide: Callable[[Floor], Decision], *, at_ms: int, actor: str, command: str = ""
    ) -> Decision:
        """Decide on the floor as it is, and append: the events, or a refusal that changed nothing.

        A command id that was seen before answers as the first time: so no sign-in may have one, for a password must
        be right each time. A claim that is taken is `Taken`: the facts that were decided on are old.
        """
        async with self._one_at_a_time:
            for _ in range(TRIES):
                if command and (record := await self.store.commanded(FLOOR, command)):
                    return _answered(record, actor)
                decision = decide(self.floor)
                if isinstance(decision, Refused):
                    if await self.store.head(FLOOR) == self.head:
                        return decision
                elif await self._appended(decision, at_ms=at_ms, actor=actor, command=command):
                    return decision
                await self._read_on()
        raise Moved(f"the floor's stream moved {TRIES} times while this was decided")

    async def _appended(self, events: tuple[FloorEvent, ...], *, at_ms: int, actor: str, command: str) -> bool:
        assert events, "nothing happened"
        entry = journal.entry(self.head, events, stream=FLOOR, at_ms=at_ms, actor=actor, command=command)
        try:
            self.head = await self.store.append(Batch(FLOOR, 0, self.head, (entry,)))
        except Moved:
            return False
        except Taken as taken:
            if taken.claim != f"command:{command}":
                raise
            return False
        self._learn(events)
        return True

    async def _read_on(self) -> None:
        async for record in self.store.records(FLOOR, after=self.head.seq):
            if breaks(self.head, record):
                raise BadRecord(f"record {record.seq} of the floor does not follow from the one before it")
            self._learn(journal.events_of(record))
            self.head = record.head

    def _learn(self, events: Iterable[object]) -> None:
        for event in events:
            assert isinstance(event, FloorEvent), event
            self.floor = evolve(self.floor, event)


def _answered(record: Record, actor: str) -> Decision:
    """What a command came to the first time, told to who gave it alone."""
    if record.actor != actor:
        return Refused(Refusal.COMMAND_OF_ANOTHER)
    return tuple(event for event in journal.events_of(record) if isinstance(event, FloorEvent))
