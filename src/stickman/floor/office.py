"""The floor's own stream: the floor as a value, how each event changes it, and the office that appends to it."""

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
from stickman.rules.datafile import BadFile, allowed
from stickman.rules.schema import MeterTerms
from stickman.rules.spoken import Detail
from stickman.store.store import EMPTY, FLOOR, Batch, Moved, Record, Store, Taken, breaks

TRIES = 20
"""How often a request is decided if other processes append first."""

FORGOTTEN_MS = 24 * 60 * 60_000
"""Older wrong passwords do not count."""
FAILING_MAX = 1_000
"""Pairs of badge and terminal that are remembered, the newest. To remove one needs as many attempts, and the rate
limit makes that longer than the longest wait."""

HOUSE, CONSOLE = "house", "console"
"""The actors that have no account: the program itself, and a person at the machine, signed in to its operating
system, which is the way in when there is no administrator."""


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
    """Grows with each change that ends its sessions: another role or password, a lock, removal."""

    @property
    def active(self) -> bool:
        return not self.locked and not self.removed


class Terminal(Struct, frozen=True):
    """An enrolled screen or device."""

    id: str
    place: Place
    token_hash: str


class Failing(Struct, frozen=True):
    """A badge with wrong passwords at a terminal."""

    badge: str
    """As the account spells it; as typed if there is no account."""
    terminal: str
    failures: int
    at_ms: int
    """Of the last failure."""
    until_ms: int
    """Until then no password is checked."""


class PendingOffer(Struct, frozen=True):
    """A place that waits for a terminal."""

    place: Place
    expires_at_ms: int


class Drawer(Struct, frozen=True):
    """An open cash drawer."""

    float_cents: int
    shut: bool = False
    """It is being counted: no cash goes in or out."""


class Meter(Struct, frozen=True):
    """An open progressive meter."""

    seed_cents: int
    terms: MeterTerms | None = None
    """None for a meter of an older journal, which no table plays."""
    earlier: tuple[MeterTerms, ...] = ()
    """Its terms before each change: tables with these terms follow."""
    waits: MeterTerms | None = None
    """Its terms after the next hit."""
    waits_after: int = 0
    """The hits before that change was asked for."""
    by: str = ""
    """The person who asked for the last change, and the second person."""
    approver: str = ""


class Noted(Struct, frozen=True):
    """A checkpoint that the file must have: its number (0: none yet) and the SHA-256 of its line."""

    number: int = 0
    digest: str = ""
    file: int = 0
    """The number of files that an operator has started."""


class Floor(Struct, frozen=True):
    """The state of the floor, from stream 0."""

    settings: Settings = Settings()
    staff: dict[str, Account] = {}
    """By badge, including removed ones."""
    failing: dict[tuple[str, str], Failing] = {}
    """By folded badge and terminal, if the last password there was wrong; the newest failure is last."""
    terminals: dict[str, Terminal] = {}
    """By id, those that are valid now."""
    offers: dict[str, PendingOffer] = {}
    """By the hash of its code."""
    enrolled: int = 0
    """Terminals that were ever enrolled; the next one's id is one higher."""
    meters: dict[str, Meter] = {}
    """By key, the open progressive meters; older ones by name."""
    drawers: dict[str, Drawer] = {}
    """By badge, the open cash drawers."""
    checkpoint: Noted = Noted()
    """The newest signed checkpoint that was noted."""

    def account(self, badge: str) -> Account | None:
        """The account of a badge as typed: in its exact spelling, or in any case."""
        if found := self.staff.get(badge):
            return found
        return next((each for each in self.staff.values() if folded(each.badge) == folded(badge)), None)

    def takes_cash(self, badge: str) -> bool:
        """Whether a badge has an open drawer for cash."""
        return badge in self.drawers and not self.drawers[badge].shut

    def refuses(self, by: str, act: Act) -> Refused | None:
        """Why a badge may not do something."""
        if by == CONSOLE:
            return None if act is Act.MANAGE_STAFF else Refused(Refusal.NOT_ALLOWED, Detail.NOT_AT_CONSOLE())
        if not by:
            return Refused(Refusal.NOBODY_SIGNED_IN)
        account = self.staff.get(by)
        if account is None or not account.active:
            return Refused(Refusal.NOT_SIGNED_IN)
        if account.must_change:
            return Refused(Refusal.MUST_CHANGE)
        lowest = Detail.ROLE_OR_ABOVE(role=e.LOWEST[act].value)
        return None if account.role.may(act) else Refused(Refusal.NOT_ALLOWED, lowest)

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
    """The form of a badge for comparisons."""
    return badge.casefold()


def _put(floor: Floor, field: str, key: str, value: Struct) -> Floor:
    return replace(floor, **{field: {**getattr(floor, field), key: value}})


def _drop(floor: Floor, field: str, key: str) -> Floor:
    return replace(floor, **{field: {each: value for each, value in getattr(floor, field).items() if each != key}})


def _account(floor: Floor, badge: str, **changes: Any) -> Floor:
    return _put(floor, "staff", badge, replace(floor.staff[badge], **changes))


def _ends_sessions(floor: Floor, badge: str, **changes: Any) -> Floor:
    return _account(floor, badge, edition=floor.staff[badge].edition + 1, **changes)


def _forgives(floor: Floor, badge: str, terminal: str = "") -> Floor:
    """Forget the failures of a badge: at a terminal, or everywhere."""
    gone = [key for key in floor.failing if key[0] == folded(badge) and terminal in ("", key[1])]
    failing = {key: each for key, each in floor.failing.items() if key not in gone}
    return replace(floor, failing=failing) if gone else floor


def _account_added(floor: Floor, event: e.AccountAdded) -> Floor:
    return _put(floor, "staff", event.badge, Account(event.badge, event.label, event.role, event.password_hash))


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
    floor = _drop(_put(floor, "terminals", terminal.id, terminal), "offers", event.code_hash)
    return replace(floor, enrolled=floor.enrolled + 1)


def _meter(floor: Floor, meter: str, **changes: Any) -> Floor:
    return _put(floor, "meters", meter, replace(floor.meters[meter], **changes))


def _meter_change_waits(floor: Floor, event: e.MeterChangeWaits) -> Floor:
    by = {"by": event.by, "approver": event.approver}
    return _meter(floor, event.meter, waits=event.terms, waits_after=event.hits, **by)


def _meter_changed(floor: Floor, event: e.MeterChanged) -> Floor:
    known = floor.meters[event.meter]
    assert known.terms is not None, "a meter without terms has no change"
    return _meter(floor, event.meter, terms=event.terms, earlier=(*known.earlier, known.terms), waits=None)


ONLY_RECORDED = (
    e.AttemptsRefused,
    e.ClockJumped,
    e.ClockOverridden,
    e.JournalAdopted,
    e.KeyRotated,
    e.ProgramStarted,
    e.DeviceProgramDiffers,
    e.EnrolmentFailed,
    e.TicketPaid,
    e.TicketVoided,
)
"""Events that change nothing here."""
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
    e.TerminalRevoked: lambda floor, event: _drop(floor, "terminals", event.terminal),
    e.MeterOpened: lambda floor, event: _put(floor, "meters", event.meter, Meter(event.seed_cents, event.terms)),
    e.MeterChangeWaits: _meter_change_waits,
    e.MeterChanged: _meter_changed,
    e.MeterMoved: lambda floor, event: _drop(floor, "meters", event.meter),
    e.DrawerOpened: lambda floor, event: _put(floor, "drawers", event.badge, Drawer(event.float_cents)),
    e.DrawerShut: lambda floor, event: _put(
        floor, "drawers", event.badge, replace(floor.drawers[event.badge], shut=True)
    ),
    e.DrawerClosed: lambda floor, event: _drop(floor, "drawers", event.badge),
    e.FloorSettingChanged: lambda floor, event: replace(floor, settings=event.settings),
    e.CheckpointNoted: lambda floor, event: replace(
        floor, checkpoint=replace(floor.checkpoint, number=event.number, digest=event.digest)
    ),
    e.CheckpointsBegun: lambda floor, _: replace(floor, checkpoint=Noted(file=floor.checkpoint.file + 1)),
    e.SignedIn: _password_right,
    e.DeedApproved: _password_right,
    **dict.fromkeys(ONLY_RECORDED, lambda floor, _: floor),
}


# --- Settings ---


def change_setting(floor: Floor, *, by: str, key: str, text: str) -> Decision:
    """Change a setting of the floor, from text as typed."""
    if refused := floor.refuses(by, Act.CHANGE_FLOOR):
        return refused
    kinds = {field.name: field.type for field in fields(Settings)}
    if key not in kinds:
        return Refused(Refusal.NO_SUCH_SETTING, BadFile("floor", key, "an unknown key", ", ".join(kinds)).detail)
    try:
        value = msgspec.convert(text, kinds[key], strict=False)
    except msgspec.ValidationError:
        problem = BadFile("floor", key, repr(text[:40]), allowed(kinds[key]))
        return Refused(Refusal.NO_SUCH_SETTING, problem.detail)
    before = getattr(floor.settings, key)
    if value == before:
        return Refused(Refusal.ALREADY_SO)
    settings = replace(floor.settings, **{key: value})
    return (e.FloorSettingChanged(key=key, before=str(before), after=str(value), settings=settings),)


# --- The office ---


class Office:
    """Appends to the floor's stream; other processes may append too."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.floor = Floor()
        self.head = EMPTY
        self._one_at_a_time = asyncio.Lock()

    @classmethod
    async def open(cls, store: Store) -> Office:
        """An office with all events so far."""
        office = cls(store)
        await office.catch_up()
        return office

    async def catch_up(self) -> Floor:
        """The floor, with all that other processes have appended."""
        async with self._one_at_a_time:
            await self._read_on()
        return self.floor

    async def act(
        self, decide: Callable[[Floor], Decision], *, at_ms: int, actor: str, command: str = ""
    ) -> Decision:
        """Decide with the newest floor, and append the events; returns them, or a refusal that changed nothing.

        A known command id gets its first answer again. So a sign-in must not have one: a password must be right
        each time. `Taken` is raised if a claim is taken, because then the decision's facts are old.
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

    async def record(self, event: FloorEvent, *, at_ms: int, actor: str = HOUSE) -> Decision:
        """Append an event that needs no decision."""
        return await self.act(lambda _: (event,), at_ms=at_ms, actor=actor)

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
    """The first answer to a command, only for its own actor."""
    if record.actor != actor:
        return Refused(Refusal.COMMAND_OF_ANOTHER)
    return tuple(event for event in journal.events_of(record) if isinstance(event, FloorEvent))
