"""The floor's stream: what is decided is appended once, whoever else appends, and replay equals live."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial

import msgspec
import pytest

from stickman.floor import drawers, journal, office, staff, terminals, tickets
from stickman.floor import events as e
from stickman.floor.events import Decision, FloorEvent, Place, Refusal, Refused, Role
from stickman.floor.journal import BadRecord
from stickman.floor.meters import ask_change, move_meter, open_meter, take_effect
from stickman.floor.office import CONSOLE, TRIES, Floor, Meter, Office, change_setting
from stickman.floor.staff import Checked
from stickman.rules.settings import load
from stickman.store.memory import MemoryStore
from stickman.store.store import FLOOR, Batch, Head, Moved, Unavailable
from tests.talk.floor import (
    ADMINISTRATOR,
    AT_MS,
    KEY,
    PIT_BOSS,
    SUPERVISOR,
    BookedTable,
    happened,
    in_memory,
    refusal,
    staffed,
    staffed_office,
)

HASH, H1, H2 = "hash", "hash 1", "hash 2"
"""What stands for hashes here."""


def leaves(kind: type[FloorEvent] = FloorEvent) -> Iterator[type[FloorEvent]]:
    for below in kind.__subclasses__():
        yield from leaves(below) if below.__subclasses__() else [below]


def adds(badge: str) -> Decision:
    return (e.AccountAdded(badge=badge, label="Somebody", role=Role.DEALER, password_hash=HASH),)


def adds_once(floor: Floor, badge: str) -> Decision:
    return Refused(Refusal.BADGE_TAKEN) if badge in floor.staff else adds(badge)


# --- Deciding and appending ---


@in_memory
async def test_what_was_decided_is_in_the_journal_with_its_time_and_actor(store: MemoryStore) -> None:
    desk = await Office.open(store)
    await desk.act(lambda _: adds("badge-7"), at_ms=AT_MS, actor="badge-1", command="c-1")
    [record] = [record async for record in store.records(FLOOR)]
    assert (record.seq, record.at_ms, record.actor, record.command) == (1, AT_MS, "badge-1", "c-1")
    assert journal.events_of(record) == adds("badge-7")
    assert desk.head == record.head


@in_memory
async def test_a_refusal_is_returned_and_changes_nothing(store: MemoryStore) -> None:
    desk = await staffed_office(store)
    before = desk.floor, desk.head
    refused = await desk.act(lambda _: Refused(Refusal.NEEDS_TWO), at_ms=AT_MS, actor="x", command="c-1")
    assert refusal(refused) is Refusal.NEEDS_TWO
    assert (desk.floor, desk.head, await store.head(FLOOR)) == (*before, before[1])
    assert await store.commanded(FLOOR, "c-1") is None


@in_memory
async def test_a_command_given_twice_is_done_once_and_answers_as_the_first_time(store: MemoryStore) -> None:
    desk, other = await Office.open(store), await Office.open(store)
    first = await desk.act(lambda _: adds("badge-7"), at_ms=AT_MS, actor="badge-1", command="c-1")
    for again in (desk, other):
        answer = await again.act(lambda _: adds("badge-8"), at_ms=AT_MS + 5, actor="badge-1", command="c-1")
        assert answer == first
    assert (await store.head(FLOOR)).seq == 1


@in_memory
async def test_a_command_of_somebody_else_is_not_answered(store: MemoryStore) -> None:
    desk = await Office.open(store)
    await desk.act(lambda _: adds("badge-7"), at_ms=AT_MS, actor="badge-1", command="c-1")
    answer = await desk.act(lambda _: adds("badge-8"), at_ms=AT_MS, actor="badge-2", command="c-1")
    assert refusal(answer) is Refusal.COMMAND_OF_ANOTHER


@in_memory
async def test_an_office_that_is_behind_decides_again_on_what_is_new(store: MemoryStore) -> None:
    ahead, behind = await Office.open(store), await Office.open(store)
    await ahead.act(lambda floor: adds_once(floor, "badge-7"), at_ms=AT_MS, actor="badge-1")
    late = await behind.act(lambda floor: adds_once(floor, "badge-7"), at_ms=AT_MS, actor="badge-2")
    assert refusal(late) is Refusal.BADGE_TAKEN
    assert behind.floor == ahead.floor


@in_memory
async def test_an_office_that_is_behind_does_not_refuse_what_is_possible_by_now(store: MemoryStore) -> None:
    ahead, behind = await staffed_office(store), Office(store)
    removed = await behind.act(
        lambda floor: staff.remove(floor, by=ADMINISTRATOR, badge=PIT_BOSS), at_ms=AT_MS, actor=ADMINISTRATOR
    )
    assert happened(removed) == (e.AccountRemoved(badge=PIT_BOSS),)
    assert (await ahead.catch_up()).staff[PIT_BOSS].removed


class Crowded(MemoryStore):
    """Another office is always faster."""

    async def append(self, batch: Batch) -> Head:
        head = await self.head(FLOOR)
        failed = e.EnrolmentFailed(why="unknown_code")
        entry = journal.entry(head, [failed], stream=FLOOR, at_ms=AT_MS, actor="other")
        await super().append(Batch(FLOOR, 0, head, (entry,)))
        return await super().append(batch)


def test_who_is_never_first_gives_up_with_an_error() -> None:
    seen: list[Floor] = []

    def decide(floor: Floor) -> Decision:
        seen.append(floor)
        return adds("badge-7")

    async def scenario() -> None:
        desk = await Office.open(Crowded())
        with pytest.raises(Moved, match=f"moved {TRIES} times"):
            await desk.act(decide, at_ms=AT_MS, actor="badge-1")

    asyncio.run(scenario())
    assert len(seen) == TRIES


class Interrupted(MemoryStore):
    """The first append is kept, but nobody hears of it; every append lets other tasks go first."""

    lost = False

    async def append(self, batch: Batch) -> Head:
        await asyncio.sleep(0)
        head = await super().append(batch)
        if not self.lost:
            self.lost = True
            raise Unavailable("the answer was lost")
        return head


def test_a_command_whose_answer_was_lost_is_answered_when_asked_again() -> None:
    async def scenario() -> None:
        desk = await Office.open(Interrupted())
        with pytest.raises(Unavailable):
            await desk.act(lambda _: adds("badge-7"), at_ms=AT_MS, actor="badge-1", command="c-1")
        assert "badge-7" not in desk.floor.staff
        again = await desk.act(lambda _: adds("badge-7"), at_ms=AT_MS, actor="badge-1", command="c-1")
        assert again == adds("badge-7")
        assert "badge-7" in (await desk.catch_up()).staff

    asyncio.run(scenario())


def test_offices_that_act_at_once_lose_nothing_and_do_nothing_twice() -> None:
    async def scenario() -> None:
        store = Interrupted()
        store.lost = True
        desks = [await Office.open(store) for _ in range(4)]

        def act(desk: Office, number: int) -> asyncio.Task[Decision]:
            badge = f"badge-{number}"
            wish = desk.act(lambda floor: adds_once(floor, badge), at_ms=AT_MS, actor="x")
            return asyncio.ensure_future(wish)

        # Each badge is asked for at all desks at once: one of them adds it.
        answers = await asyncio.gather(*(act(desk, number) for number in range(5) for desk in desks))
        assert sum(not isinstance(answer, Refused) for answer in answers) == 5
        assert (await store.head(FLOOR)).seq == 5
        floors = [await desk.catch_up() for desk in desks]
        assert all(floor == floors[0] for floor in floors)
        assert sorted(floors[0].staff) == [f"badge-{number}" for number in range(5)]

    asyncio.run(scenario())


@in_memory
async def test_a_record_that_was_changed_in_the_database_is_not_believed(store: MemoryStore) -> None:
    desk = await Office.open(store)
    await desk.act(lambda _: adds("badge-7"), at_ms=AT_MS, actor="badge-1")
    entries = store._streams[FLOOR].entries
    forged = entries[0].record._replace(body=entries[0].record.body.replace(b"dealer", b"administrator"))
    entries[0] = entries[0]._replace(record=forged)
    with pytest.raises(BadRecord, match="record 1 of the floor does not follow"):
        await Office.open(store)


# --- Events ---


DIFFERS = e.DeviceProgramDiffers(
    terminal="terminal-9", place=e.Place("printer", 1, 2), version="0.1.0", sha256="1" * 64, ours="2" * 64
)


async def live_through_everything(store: MemoryStore) -> Office:
    """A floor on which everything happens that can."""
    desk = await Office.open(store)

    async def act(decision: Decision) -> None:
        happened(await desk.act(lambda _: decision, at_ms=AT_MS, actor="somebody"))

    one_time = staff.first_administrator(desk.floor, badge="badge-1", label="One", password_hash=H1)
    await act(one_time)
    right, wrong = Checked(H1, right=True), Checked(H1, right=False)
    sign_in = partial(staff.sign_in, badge="badge-1", terminal="terminal-1", at_ms=AT_MS)
    await act(sign_in(desk.floor, checked=right))
    change = partial(staff.change_password, badge="badge-1", terminal="terminal-1", at_ms=AT_MS)
    await act(change(desk.floor, checked=right, password_hash=H2))
    for _ in range(3):
        await act(sign_in(desk.floor, checked=wrong._replace(against=H2)))
    await act((e.AttemptsRefused(badge="badge-1", terminal="terminal-1", count=7),))
    await act(staff.unlock(desk.floor, by=CONSOLE, badge="badge-1"))
    await act(sign_in(desk.floor, checked=Checked(H2, right=True, rehashed=HASH)))
    for badge in ("badge-2", "badge-3"):
        role = Role.PIT_BOSS
        await act(staff.add(desk.floor, by="badge-1", badge=badge, label="P", role=role, password_hash=HASH))
        await act((e.PasswordChanged(badge=badge, password_hash=HASH),))
    await act(staff.change_role(desk.floor, by="badge-1", badge="badge-2", role=Role.SUPERVISOR))
    await act(staff.lock(desk.floor, by="badge-1", badge="badge-3"))
    await act(staff.remove(desk.floor, by="badge-1", badge="badge-3"))
    approve = partial(staff.approve, by="badge-1", badge="badge-2", terminal="terminal-1", at_ms=AT_MS)
    await act(approve(desk.floor, checked=Checked(HASH, right=True), deed=staff.Deed("reverse_roll", "digest")))
    for code in ("a", "b"):
        offered = terminals.offer(desk.floor, by="badge-2", place=Place("office"), code_hash=code, at_ms=AT_MS)
        await act(offered)
        await act(terminals.enrol(desk.floor, code_hash=code, token_hash=code, at_ms=AT_MS))
    await act(terminals.enrol(desk.floor, code_hash="a", token_hash=HASH, at_ms=AT_MS))
    craps = load("craps")
    for side in craps.progressives():
        await act(open_meter(desk.floor, meter=craps.meter(side), agreed=craps.meter_terms(side)))
    one, two = map(craps.meter, craps.progressives())
    people = {"by": "badge-1", "approver": "badge-2"}
    await act(ask_change(desk.floor, **people, meter=one, key="increment_bp", text="400", hits=0))
    await act(take_effect(desk.floor, meter=one))
    await act(move_meter(desk.floor, **people, meter=two, to=one, cents=60_000_00, reserved_cents=0))
    await act((e.ClockJumped(by_ms=-3_600_000), e.ProgramStarted(version="0.1.0", sha256="0" * 64)))
    await act((DIFFERS, e.ClockOverridden(ahead_ms=600_000, stream=1), e.CheckpointNoted(number=7, digest=HASH)))
    await act((e.CheckpointsBegun(reason="a new disk"), e.CheckpointNoted(number=1, digest=HASH)))
    heads = {0: (4, HASH), 2: (9, HASH)}
    await act(
        (e.JournalAdopted(heads=heads, key="a" * 16), e.KeyRotated(heads=heads, key="b" * 16, before="a" * 16))
    )
    await act(change_setting(desk.floor, by="badge-1", key="name", text="Riverside"))
    await act(drawers.open_drawer(desk.floor, by="badge-2", float_cents=100_00))
    await act(drawers.shut_drawer(desk.floor, by="badge-2", badge="badge-2"))
    count = {"held_cents": 100_00, "counted_cents": 99_00}
    await act(drawers.close_drawer(desk.floor, by="badge-2", badge="badge-2", **count))
    async with store.own(1, "pit") as lease:
        pit = BookedTable(store, lease)
        numbers = [await pit.prints(5), await pit.prints(7)]
    found = [await tickets.look_up(store, [KEY], number, now_ms=AT_MS) for number in numbers]
    await act(tickets.pay(desk.floor, found[0], by="badge-2"))
    await act(tickets.void(desk.floor, found[1], by="badge-1", approver="badge-2", reason="test print"))
    return desk


@in_memory
async def test_every_event_of_the_floor_is_journalled_and_replayed_to_the_same_floor(store: MemoryStore) -> None:
    live = await live_through_everything(store)
    records = [record async for record in store.records(FLOOR)]
    assert {type(event) for record in records for event in journal.events_of(record)} == set(leaves())
    assert (await Office.open(store)).floor == live.floor


@pytest.mark.parametrize("kind", [*leaves()])
def test_every_event_is_known_to_evolve(kind: type[FloorEvent]) -> None:
    assert kind in office.APPLIERS


def test_every_hash_is_a_secret_field() -> None:
    structs: list[type[msgspec.Struct]] = [*leaves(), Floor, office.Account, office.Terminal, office.PendingOffer]
    names = {name for struct in structs for name in struct.__struct_fields__}
    assert {name for name in names if "hash" in name or "token" in name} == e.SECRET_FIELDS


# --- Settings and meters ---


@pytest.mark.parametrize(("key", "text"), [("name", "Riverside"), ("cage", "2000")])
def test_an_administrator_changes_a_setting(key: str, text: str) -> None:
    floor = staffed()
    [changed] = happened(change_setting(floor, by=ADMINISTRATOR, key=key, text=text))
    assert str(getattr(office.evolve(floor, changed).settings, key)) == text


@pytest.mark.parametrize(
    ("by", "key", "text", "why"),
    [
        (SUPERVISOR, "cage", "Main", Refusal.NOT_ALLOWED),
        (ADMINISTRATOR, "ticket_weeks", "90", Refusal.NO_SUCH_SETTING),
        (ADMINISTRATOR, "cage", "", Refusal.NO_SUCH_SETTING),
        (ADMINISTRATOR, "name", "", Refusal.NO_SUCH_SETTING),
        (ADMINISTRATOR, "cage", "Cage", Refusal.ALREADY_SO),
    ],
)
def test_a_setting_is_refused_with_what_is_allowed(by: str, key: str, text: str, why: Refusal) -> None:
    refused = change_setting(staffed(), by=by, key=key, text=text)
    assert refusal(refused) is why
    assert why is not Refusal.NO_SUCH_SETTING or "allowed: " in str(refused)


@in_memory
async def test_a_meter_starts_at_its_seed_and_is_opened_once(store: MemoryStore) -> None:
    desk, owned = await Office.open(store), load("craps").meter_terms("make_em_all")
    key = "make_em_all/100/MEA-01"

    async def opens() -> Decision:
        return await desk.act(lambda floor: open_meter(floor, meter=key, agreed=owned), at_ms=AT_MS, actor="pit 1")

    happened(await opens())
    assert refusal(await opens()) is Refusal.ALREADY_SO
    assert await store.shared(f"progressive:{key}") == {FLOOR: 25_000_00}
    assert desk.floor.meters == {key: Meter(25_000_00, owned)}
