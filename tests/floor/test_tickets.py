"""Tickets (RULES 12): numbers without duplicates, each ticket good once on the whole floor, and what is owed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stickman.devices import signals as s
from stickman.floor import tickets
from stickman.floor.events import (
    Decision,
    Refusal,
    Refused,
    Settings,
    TicketPaid,
    TicketVoided,
)
from stickman.floor.journal import BadRecord
from stickman.floor.office import Floor, Office
from stickman.floor.tickets import BadNumber, Moment, Ticket
from stickman.rules.settings import load
from stickman.store import keyfile
from stickman.store.keyfile import BadKey
from stickman.store.memory import MemoryStore
from stickman.store.store import FLOOR, Batch, Claimed, Head, Store, Taken
from stickman.table import messages as m
from stickman.table.ledger import Transfer
from stickman.table.state import new_table
from tests.talk import exactly
from tests.talk.devices import bill_stacked, ticket_held, ticket_stacked
from tests.talk.floor import (
    AT_MS,
    DEALER,
    KEY,
    PIT_BOSS,
    SUPERVISOR,
    BookedTable,
    happened,
    in_memory,
    refusal,
    slip_printed,
    staffed,
    staffed_office,
)

DAYS = 180
EXPIRES_MS = AT_MS + DAYS * 86_400_000


# --- FF1 ---

KEY_128 = "2B7E151628AED2A6ABF7158809CF4F3C"
KEY_192 = KEY_128 + "EF4359D8D580AA4F"
KEY_256 = KEY_192 + "7F036D6F04FC6A94"
SAMPLES = [
    (KEY_128, 10, "", "0123456789", "2433477484"),
    (KEY_128, 10, "39383736353433323130", "0123456789", "6124200773"),
    (KEY_128, 36, "3737373770717273373737", "0123456789abcdefghi", "a9tv40mll9kdu509eum"),
    (KEY_192, 10, "", "0123456789", "2830668132"),
    (KEY_192, 10, "39383736353433323130", "0123456789", "2496655549"),
    (KEY_192, 36, "3737373770717273373737", "0123456789abcdefghi", "xbj3kv35jrawxv32ysr"),
    (KEY_256, 10, "", "0123456789", "6657667009"),
    (KEY_256, 10, "39383736353433323130", "0123456789", "1001623463"),
    (KEY_256, 36, "3737373770717273373737", "0123456789abcdefghi", "xs8a0azh2avyalyzuwd"),
]
"""NIST SP 800-38G, FF1 samples 1 to 9: key, radix, tweak, plaintext, ciphertext."""


@pytest.mark.parametrize(("key", "radix", "tweak", "plain", "cipher"), SAMPLES)
def test_ff1_agrees_with_nists_samples(key: str, radix: int, tweak: str, plain: str, cipher: str) -> None:
    ours, theirs, length = int(plain, radix), int(cipher, radix), len(plain)
    key_bytes, tweak_bytes = bytes.fromhex(key), bytes.fromhex(tweak)
    assert tickets.encipher(key_bytes, ours, length, radix=radix, tweak=tweak_bytes) == theirs
    assert tickets.decipher(key_bytes, theirs, length, radix=radix, tweak=tweak_bytes) == ours


@given(st.binary(min_size=32, max_size=32), st.integers(0, 10**18 - 1))
def test_what_was_enciphered_is_deciphered(key: bytes, plain: int) -> None:
    cipher = tickets.encipher(key, plain, 18)
    assert 0 <= cipher < 10**18
    assert tickets.decipher(key, cipher, 18) == plain
    assert tickets.encipher(key, tickets.decipher(key, plain, 18), 18) == plain


def test_enciphering_moves_every_number_to_another_place() -> None:
    assert sorted(tickets.encipher(KEY, plain, 4) for plain in range(10**4)) == list(range(10**4))


# --- Numbers ---


def test_ten_thousand_tickets_of_many_tables_have_as_many_numbers() -> None:
    """Each number can be deciphered, as the next test says, so that no two are the same; this counts some."""
    numbers = {tickets.number(KEY, stream, count) for stream in (1, 2, 77, 999_999) for count in range(1, 2_501)}
    assert len(numbers) == 10_000
    assert all(len(number) == 18 and number.isdigit() for number in numbers)


@given(st.integers(1, 999_999), st.integers(0, 10**12 - 1))
def test_the_cage_reads_from_a_number_which_table_made_it(stream: int, count: int) -> None:
    number = tickets.number(KEY, stream, count)
    assert tickets.origin(KEY, number) == (stream, count)
    assert tickets.origin(bytes(32), number) != (stream, count)


@pytest.mark.parametrize("plain", [0, 7, 10**12 - 1])
def test_a_number_made_of_no_table_is_not_ours(plain: int) -> None:
    assert tickets.origin(KEY, f"{tickets.encipher(KEY, plain, 18):018}") is None


@pytest.mark.parametrize(("stream", "count"), [(0, 1), (10**6, 1), (1, -1), (1, 10**12)])
def test_a_number_is_made_for_a_table_and_a_position_only(stream: int, count: int) -> None:
    with pytest.raises(AssertionError):
        tickets.number(KEY, stream, count)


@in_memory
async def test_a_tables_next_number_counts_its_tickets_and_its_tips(store: MemoryStore) -> None:
    async with store.own(4, "pit") as lease:
        pit = BookedTable(store, lease)
        pit.numbers = tickets.Numbers(KEY, 4, lambda _: 10**12 - 2)
        numbers = [await pit.prints(5), await pit.tips(1, seat=2), await pit.prints(7, seat=3)]
    last = 10**12 - 1
    assert [tickets.origin(KEY, number) for number in numbers] == [(4, last - 1), (4, last), (4, 0)], (
        "it goes round"
    )


def test_each_opening_of_a_table_begins_at_a_position_of_its_own() -> None:
    """So a journal that was restored from a copy prints no number that is on paper already."""
    table = new_table(load("craps"))
    begun = {tickets.Numbers(KEY, 4).next(table) for _ in range(200)}
    assert len(begun) == 200
    assert {(tickets.origin(KEY, number) or (0, 0))[0] for number in begun} == {4}


def test_a_number_that_was_printed_before_is_avoided_five_times_at_most() -> None:
    table, draws = new_table(load("craps")), iter(range(100))
    numbers = tickets.Numbers(KEY, 4, lambda _: next(draws))
    numbers.avoid("ticket:000000000000000000:issued", table)
    numbers.avoid(f"ticket:{numbers.next(table)}:redeemed", table)
    assert numbers.next(table) == tickets.number(KEY, 4, 0), "that was another claim"
    for draw in range(1, 6):
        numbers.avoid(f"ticket:{numbers.next(table)}:issued", table)
        assert numbers.next(table) == tickets.number(KEY, 4, draw)
    with pytest.raises(BadRecord, match="printed before"):
        numbers.avoid(f"ticket:{numbers.next(table)}:issued", table)


@in_memory
async def test_a_number_that_the_key_did_not_make_for_that_table_is_unknown(store: MemoryStore) -> None:
    """Even where a record says that it was printed."""
    async with store.own(4, "pit") as lease:
        pit = BookedTable(store, lease)
        pit.numbers = tickets.Numbers(KEY, 5)
        number = await pit.prints(5)
    assert (await looked_up(store, number)).status == "unknown"


@in_memory
async def test_a_claim_that_no_event_took_is_an_error_and_no_assertion(store: MemoryStore) -> None:
    number = tickets.number(KEY, 4, 1)
    store._claims[f"ticket:{number}:issued"] = Claimed(f"ticket:{number}:issued", 4, 7)
    with pytest.raises(BadRecord, match="record 7 of stream 4 did not take the claim"):
        await looked_up(store, number)


@pytest.mark.parametrize("text", ["012345678901234567", "01-2345-6789-0123-4567", " 01 2345 6789 0123 4567"])
def test_a_number_is_read_with_or_without_its_groups(text: str) -> None:
    assert tickets.read_number(text) == "012345678901234567"


@pytest.mark.parametrize("text", ["", "1", "0" * 17, "0" * 19, "x" * 18, "²" * 18, "٣" * 18, "1" * 99])
def test_what_is_no_number_is_an_error_that_says_what_is_allowed(text: str) -> None:
    with pytest.raises(BadNumber, match="allowed: 18 digits"):
        asyncio.run(tickets.look_up(MemoryStore(), [KEY], text, now_ms=AT_MS))


# --- The key ---


def test_a_key_file_is_for_its_owner_and_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "ticket.key"
    keyfile.write_key(path, KEY)
    assert keyfile.read_key(path) == KEY
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        keyfile.write_key(path, bytes(32))
    assert keyfile.read_key(path) == KEY


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "found 0 bytes"),
        ("ab" * 16, "found 16 bytes"),
        ("ab" * 33, "found 33 bytes"),
        ("secret", "else"),
        ("é", "else"),
    ],
)
def test_a_bad_key_file_is_an_error_that_says_what_was_found(tmp_path: Path, text: str, found: str) -> None:
    path = tmp_path / "ticket.key"
    path.write_text(text, "utf-8")
    path.chmod(0o600)
    with pytest.raises(BadKey, match=f"{found}.*; allowed: 32 bytes as 64 hexadecimal digits"):
        keyfile.read_key(path)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602])
def test_a_key_that_others_may_read_or_write_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "ticket.key"
    keyfile.write_key(path, KEY)
    path.chmod(mode)
    with pytest.raises(BadKey, match=f"found mode 0{mode:o}.*allowed: mode 0600"):
        keyfile.read_key(path)


def test_a_missing_key_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(BadKey, match=r"ticket\.key: there is no such key file"):
        keyfile.read_key(tmp_path / "ticket.key")


# --- What became of a ticket ---


async def looked_up(store: Store, number: str, now_ms: int = AT_MS) -> Ticket:
    return await tickets.look_up(store, [KEY], number, now_ms=now_ms)


@in_memory
async def test_a_number_that_no_table_issued_is_unknown(store: MemoryStore) -> None:
    ticket = await looked_up(store, tickets.number(KEY, 1, 1))
    assert (ticket.status, ticket.cents_at_table, ticket.issued, ticket.ended) == ("unknown", None, None, None)


@in_memory
async def test_a_ticket_is_good_until_its_days_are_over(store: MemoryStore) -> None:
    async with store.own(4, "pit") as lease:
        number = await BookedTable(store, lease).prints("123.45", seat=6)
    good, expired = await looked_up(store, number, EXPIRES_MS - 1), await looked_up(store, number, EXPIRES_MS)
    assert (good.status, good.kind, good.cents, good.cents_at_table) == ("good", "cash_out", 123_45, 123_45)
    assert (good.issued, good.expires_at_ms) == (Moment(4, 6, AT_MS, "pit"), EXPIRES_MS)
    assert (expired.status, expired.cents, expired.cents_at_table) == ("expired", 123_45, None)


@in_memory
async def test_a_ticket_of_one_table_is_redeemed_at_another_once(store: MemoryStore) -> None:
    async with store.own(4, "pit") as lease, store.own(5, "pit") as second:
        number = await BookedTable(store, lease).prints(20)
        ticket = await looked_up(store, number)
        other = BookedTable(store, second)
        await other.redeems(ticket, seat=2, at_ms=AT_MS + 7)
        assert other.table.credit(2) == 20_00
        for deed in (ticket_held, ticket_stacked):
            with pytest.raises(Taken):  # who still believes it good is stopped by the claim
                await other.step(deed(3, number), ticket=ticket)
        assert other.table.credit(3) == 0
    ended = await looked_up(store, number, EXPIRES_MS)
    assert (ended.status, ended.ended, ended.cents_at_table) == ("redeemed", Moment(5, 2, AT_MS + 7, "pit"), None)


@in_memory
async def test_a_ticket_is_good_only_when_it_is_printed_and_never_when_its_print_ended_otherwise(
    store: MemoryStore,
) -> None:
    desk = await staffed_office(store)
    async with store.own(4, "pit") as lease:
        pit = BookedTable(store, lease)
        for seat, ends, status in ((1, s.SlipFailed, "failed"), (2, s.SlipUnknown, "cancelled")):
            number = pit.numbers.next(pit.table)
            await pit.step(bill_stacked(seat, 5_000))
            await pit.step(m.CashOut(seat=seat))
            waits = await looked_up(store, number)
            assert (waits.status, waits.cents_at_table) == ("reserved", None)
            assert refusal(await pays(desk, number)) is Refusal.TICKET_NOT_PRINTED
            await pit.step(m.Reported(seat=seat, kind="printer", signal=ends(job=number, why="jam")))
            ended = await looked_up(store, number)
            assert (ended.status, ended.cents_at_table) == (status, None)
            assert ended.ended
            assert ended.ended.reason == "jam"
            assert refusal(await pays(desk, number)) is Refusal.TICKET_CANCELLED


@in_memory
async def test_no_two_numbers_are_equal_while_several_wait_for_printers(store: MemoryStore) -> None:
    async with store.own(4, "pit") as lease:
        pit = BookedTable(store, lease)
        numbers = []
        for seat in range(1, 6):
            await pit.step(bill_stacked(seat, 5_000))
            numbers.append(pit.numbers.next(pit.table))
            await pit.step(m.CashOut(seat=seat))
        for seat, number in enumerate(numbers, 1):
            await pit.step(slip_printed(seat, number))
        assert pit.numbers.next(pit.table) not in numbers
    assert len(set(numbers)) == 5


@in_memory
async def test_a_held_ticket_is_refused_elsewhere_which_says_where_it_is_until_it_is_released(
    store: MemoryStore,
) -> None:
    desk = await staffed_office(store)
    async with store.own(4, "pit") as lease, store.own(5, "pit") as second:
        number = await BookedTable(store, lease).prints(20)
        ticket = await looked_up(store, number)
        other = BookedTable(store, second)
        for holds in range(3):
            await other.step(ticket_held(2, number), ticket=await looked_up(store, number))
            held = await looked_up(store, number)
            assert (held.status, held.cents_at_table, held.holds) == ("held", None, holds + 1)
            answer = await pays(desk, number)
            assert refusal(answer) is Refusal.TICKET_HELD
            assert "table 5 seat 2" in str(answer)
            await other.step(m.Reported(seat=2, kind="acceptor", signal=s.NoteReturned(note=1)))
            assert (await looked_up(store, number)).status == "good"
        with pytest.raises(Taken):  # an acceptor that looked it up before the first hold
            await other.step(ticket_held(3, number), ticket=ticket)
        happened(await pays(desk, number))


def test_the_cage_and_an_acceptor_that_both_found_a_ticket_good_do_not_both_get_it() -> None:
    """Else the acceptor would stack what the cage has paid."""

    async def scenario() -> None:
        store = Overtaken()
        desk = await staffed_office(store)
        async with store.own(4, "pit") as lease:
            pit = BookedTable(store, lease)
            number = await pit.prints(20)
            ticket = await looked_up(store, number)

            async def hold() -> None:
                await pit.step(ticket_held(9, number), ticket=ticket)

            store.meanwhile = hold
            assert refusal(await pays(desk, number)) is Refusal.TICKET_HELD
            await pit.step(ticket_stacked(9, number))
            assert (await looked_up(store, number)).status == "redeemed"
            number = await pit.prints(20)
            ticket = await looked_up(store, number)
            happened(await pays(desk, number))
            with pytest.raises(Taken):
                await pit.step(ticket_held(9, number), ticket=ticket)

    asyncio.run(scenario())


@in_memory
async def test_a_tip_is_no_credit_at_a_table(store: MemoryStore) -> None:
    async with store.own(4, "pit") as lease:
        ticket = await looked_up(store, await BookedTable(store, lease).tips(5))
    assert (ticket.status, ticket.kind, ticket.cents, ticket.cents_at_table) == ("good", "tip", 5_00, None)


# --- At the cage ---


async def pays(
    office: Office, number: str, *, by: str = PIT_BOSS, at_ms: int = AT_MS, command: str = ""
) -> Decision:
    def decide(floor: Floor, ticket: Ticket) -> Decision:
        return tickets.pay(floor, ticket, by=by)

    return await tickets.at_the_cage(office, [KEY], number, decide, at_ms=at_ms, actor=by, command=command)


async def voids(office: Office, number: str, *, at_ms: int = AT_MS) -> Decision:
    def decide(floor: Floor, ticket: Ticket) -> Decision:
        return tickets.void(floor, ticket, by=SUPERVISOR, approver=PIT_BOSS, reason="test print")

    return await tickets.at_the_cage(office, [KEY], number, decide, at_ms=at_ms, actor=SUPERVISOR)


@in_memory
async def test_the_cage_pays_a_ticket_once_from_what_is_owed_on_tickets(store: MemoryStore) -> None:
    desk = await staffed_office(store)
    async with store.own(4, "pit") as lease:
        number = await BookedTable(store, lease).prints(20)
    [paid] = happened(await pays(desk, number))
    assert paid == TicketPaid(number=number, cents=20_00, hold=0, transfers=(Transfer("tickets", "cash", 20_00),))
    again = await pays(desk, number)
    assert refusal(again) is Refusal.TICKET_REDEEMED
    assert str(again) == "The ticket was already redeemed: at the cage by badge-3."
    ended = await looked_up(store, number)
    assert (ended.status, ended.ended) == ("redeemed", Moment(FLOOR, 0, AT_MS, PIT_BOSS))


@in_memory
async def test_paying_twice_with_one_command_pays_once_and_answers_alike(store: MemoryStore) -> None:
    desk = await staffed_office(store)
    async with store.own(4, "pit") as lease:
        number = await BookedTable(store, lease).prints(20)
    first = await pays(desk, number, command="c-1")
    assert await pays(desk, number, command="c-1") == first
    assert (await balances(store))["tickets"] == 0


@in_memory
async def test_the_cage_pays_a_tip_from_the_tips(store: MemoryStore) -> None:
    desk = await staffed_office(store)
    async with store.own(4, "pit") as lease:
        number = await BookedTable(store, lease).tips(5)
    [paid] = happened(await pays(desk, number))
    assert paid.transfers == (Transfer("tips", "cash", 5_00),)


@in_memory
async def test_an_expired_ticket_is_paid_by_a_supervisor_alone(store: MemoryStore) -> None:
    desk = await staffed_office(store)
    async with store.own(4, "pit") as lease:
        number = await BookedTable(store, lease).prints(20)
    assert refusal(await pays(desk, number, at_ms=EXPIRES_MS)) is Refusal.TICKET_EXPIRED
    [paid] = happened(await pays(desk, number, by=SUPERVISOR, at_ms=EXPIRES_MS))
    assert isinstance(paid, TicketPaid)
    assert paid.expired


@in_memory
async def test_a_voided_ticket_is_good_no_more_and_its_money_is_the_houses(store: MemoryStore) -> None:
    desk = await staffed_office(store)
    async with store.own(4, "pit") as lease:
        number = await BookedTable(store, lease).prints(20)
    [voided] = happened(await voids(desk, number))
    assert voided == TicketVoided(
        number=number,
        cents=20_00,
        hold=0,
        reason="test print",
        approver=PIT_BOSS,
        transfers=(Transfer("tickets", "house", 20_00),),
    )
    ticket = await looked_up(store, number)
    assert (ticket.status, ticket.cents_at_table) == ("voided", None)
    assert ticket.ended == Moment(FLOOR, 0, AT_MS, SUPERVISOR, "test print")
    assert refusal(await pays(desk, number)) is Refusal.TICKET_VOIDED
    assert refusal(await voids(desk, number)) is Refusal.TICKET_VOIDED


GOOD = Ticket(number="0" * 18, status="good", cents=5_00)
TIP = Ticket(number="0" * 18, status="good", cents=5_00, kind="tip")


def void(
    ticket: Ticket = GOOD, *, by: str = SUPERVISOR, approver: str = PIT_BOSS, reason: str = "torn"
) -> Decision:
    return tickets.void(staffed(), ticket, by=by, approver=approver, reason=reason)


@pytest.mark.parametrize(
    ("decision", "why"),
    [
        (tickets.pay(staffed(), GOOD, by=DEALER), Refusal.NOT_ALLOWED),
        (tickets.pay(staffed(), Ticket(number="0" * 18), by=PIT_BOSS), Refusal.TICKET_UNKNOWN),
        (void(by=PIT_BOSS, approver=""), Refusal.NOT_ALLOWED),
        (void(approver="", reason=""), Refusal.NEEDS_TWO),
        (void(approver=SUPERVISOR), Refusal.NEEDS_TWO),
        (void(approver=DEALER), Refusal.NOT_ALLOWED),
        (void(Ticket(number="0" * 18), reason=""), Refusal.TICKET_UNKNOWN),
        (void(TIP), Refusal.TIP_TICKET),
        (void(reason="  "), Refusal.NEEDS_REASON),
        (void(reason="x" * 201), Refusal.NEEDS_REASON),
    ],
)
def test_the_cage_refuses(decision: Decision, why: Refusal) -> None:
    assert refusal(decision) is why


class Overtaken(MemoryStore):
    """Somebody does something just before the next record of the floor is appended."""

    meanwhile: Callable[[], Awaitable[None]] | None = None

    async def append(self, batch: Batch) -> Head:
        if batch.stream == FLOOR and self.meanwhile:
            done, self.meanwhile = self.meanwhile, None
            await done()
        return await super().append(batch)


def test_a_ticket_that_a_table_took_meanwhile_is_looked_up_again_and_not_paid() -> None:
    async def scenario() -> None:
        store = Overtaken()
        desk = await staffed_office(store)
        async with store.own(4, "pit") as lease:
            pit = BookedTable(store, lease)
            number = await pit.prints(20)
            ticket = await looked_up(store, number)

            async def redeem() -> None:
                await pit.redeems(ticket, seat=9)

            store.meanwhile = redeem
            refused = await pays(desk, number)
        assert str(refused) == "The ticket was already redeemed: at table 4 seat 9 by pit."
        assert (await balances(store))["tickets"] == 0

    asyncio.run(scenario())


def test_a_ticket_that_another_cage_paid_meanwhile_is_not_paid_again() -> None:
    async def scenario() -> None:
        store = Overtaken()
        desk = await staffed_office(store)
        other = await Office.open(store)
        async with store.own(4, "pit") as lease:
            number = await BookedTable(store, lease).prints(20)

        async def pay() -> None:
            happened(await pays(other, number, by=SUPERVISOR))

        store.meanwhile = pay
        assert refusal(await pays(desk, number)) is Refusal.TICKET_REDEEMED
        assert (await balances(store))["tickets"] == 0

    asyncio.run(scenario())


# --- What is owed ---


async def balances(store: Store) -> Counter[str]:
    """Every account, from the moves of every stream."""
    accounts: Counter[str] = Counter()
    for stream in await store.streams():
        async for entry in store.entries(stream):
            for source, target, cents in entry.moves:
                accounts[source] -= cents
                accounts[target] += cents
    return accounts


STEPS = st.lists(
    st.tuples(st.sampled_from(["print", "tip", "redeem", "pay", "void"]), st.integers(0, 9), st.integers(1, 999)),
    max_size=20,
)


@settings(max_examples=50)
@given(STEPS)
def test_tickets_outstanding_are_always_what_the_ledger_owes(steps: list[tuple[str, int, int]]) -> None:
    asyncio.run(play(steps))


async def play(steps: list[tuple[str, int, int]]) -> None:
    store = MemoryStore()
    desk = await staffed_office(store)
    numbers: list[str] = []
    async with AsyncExitStack() as stack:
        pits = [BookedTable(store, await stack.enter_async_context(store.own(stream, "pit"))) for stream in (1, 2)]
        for what, which, cents in steps:
            pit, seat = pits[which % 2], which % 5 + 1
            if what == "print":
                numbers.append(await pit.prints(exactly(cents), seat=seat))
            elif what == "tip":
                numbers.append(await pit.tips(exactly(cents), seat=seat))
            elif numbers:
                await end(desk, pit, what, numbers[which % len(numbers)])
    owed: Counter[str] = Counter()
    async for ticket in tickets.outstanding(store, [KEY], now_ms=AT_MS):
        assert ticket.status == "good"
        owed[ticket.kind] += ticket.cents
    accounts = await balances(store)
    assert (accounts["tickets"], accounts["tips"]) == (owed["cash_out"], owed["tip"])
    assert sum(accounts.values()) == 0


async def end(desk: Office, pit: BookedTable, what: str, number: str) -> None:
    """Somebody tries to redeem, pay or void a ticket: it works when and only when it is good there."""
    ticket = await looked_up(pit.store, number)
    if what == "redeem":
        if ticket.cents_at_table:
            await pit.redeems(ticket, seat=10)
        return
    answer = await (pays(desk, number) if what == "pay" else voids(desk, number))
    works = ticket.status == "good" and (what == "pay" or ticket.kind == "cash_out")
    assert works == (not isinstance(answer, Refused))


# --- On paper ---


@in_memory
async def test_the_paper_says_what_the_journal_says_in_the_time_of_the_place(store: MemoryStore) -> None:
    async with store.own(4, "pit") as lease:
        number = await BookedTable(store, lease).prints("123.45", seat=6)
    ticket = await looked_up(store, number)
    slip = tickets.slip(ticket, Settings(name="Riverside"), count=42, zone=timezone(timedelta(hours=-8)))
    assert (slip.kind, slip.place, slip.number, slip.cents) == ("cash_out", "Riverside", number, 123_45)
    assert (slip.table, slip.seat, slip.count) == ("4", 6, 42)
    # 1,700,000,000 s after 1970 is 22:13:20 UTC on 14 November 2023.
    assert (slip.printed, slip.expires) == ("2023-11-14 14:13:20", "2024-05-12")
