"""Terminals: one code, one enrolment, one terminal a place."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickman.floor import terminals
from stickman.floor.events import (
    Decision,
    EnrolmentFailed,
    Place,
    PlaceKind,
    Refusal,
    Refused,
    TerminalEnrolled,
    TerminalOffered,
    TerminalRevoked,
)
from stickman.floor.office import Floor, Office, evolve
from stickman.store.memory import MemoryStore
from stickman.store.store import FLOOR
from tests.talk.floor import (
    AT_MS,
    DEALER,
    PIT_BOSS,
    SUPERVISOR,
    after,
    happened,
    in_memory,
    refusal,
    staffed,
    staffed_office,
)

SEAT = Place("seat", table=3, seat=5)
TEN_MINUTES_MS = 600_000
CODE = terminals.code(bytes(range(8)))
TOKEN = bytes(range(32)).hex()


def offers(floor: Floor, code: str = CODE, *, place: Place = SEAT, by: str = SUPERVISOR) -> Decision:
    return terminals.offer(floor, by=by, place=place, code_hash=terminals.code_hash(code), at_ms=AT_MS)


def enrols(floor: Floor, code: str = CODE, *, token: str = TOKEN, at_ms: int = AT_MS) -> Decision:
    hashes = {"code_hash": terminals.code_hash(code), "token_hash": terminals.digest(token)}
    return terminals.enrol(floor, **hashes, at_ms=at_ms)


def offered(code: str = CODE, place: Place = SEAT) -> Floor:
    return after(staffed(), offers(staffed(), code, place=place))


def enrolled(floor: Floor, code: str, token: str, place: Place = SEAT) -> Floor:
    floor = after(floor, offers(floor, code, place=place))
    return after(floor, enrols(floor, code, token=token))


# --- Codes ---


def test_a_code_is_two_groups_of_four_letters_and_digits() -> None:
    assert terminals.code(bytes(range(8))) == "0123-4567"
    assert terminals.code(bytes(range(24, 32))) == "RSTV-WXYZ"


@pytest.mark.parametrize("typed", ["0123-4567", "01234567", " 0123 4567 ", "O123-4567", "0l23-4567", "oI23 4567"])
def test_a_code_is_read_whatever_its_case_its_gaps_and_letters_that_look_alike(typed: str) -> None:
    assert terminals.code_hash(typed) == terminals.code_hash("0123-4567")


@given(st.binary(min_size=8, max_size=8), st.binary(min_size=8, max_size=8))
def test_different_codes_have_different_hashes_that_do_not_show_them(one: bytes, other: bytes) -> None:
    code, second = terminals.code(one), terminals.code(other)
    assert (terminals.code_hash(code) == terminals.code_hash(second)) == (code == second)
    assert code.replace("-", "") not in terminals.code_hash(code).upper()


# --- Offers ---


def test_an_offer_keeps_the_hash_of_its_code_and_ends_after_ten_minutes() -> None:
    [event] = happened(offers(staffed()))
    assert event == TerminalOffered(
        place=SEAT, code_hash=terminals.code_hash(CODE), expires_at_ms=AT_MS + TEN_MINUTES_MS
    )


@pytest.mark.parametrize("by", [DEALER, PIT_BOSS])
def test_only_a_supervisor_or_above_offers_and_revokes(by: str) -> None:
    floor = enrolled(staffed(), CODE, TOKEN)
    assert refusal(offers(floor, by=by)) is Refusal.NOT_ALLOWED
    assert refusal(terminals.revoke(floor, by=by, terminal="terminal-1")) is Refusal.NOT_ALLOWED


KINDS: list[PlaceKind] = [*get_args(PlaceKind)]


@pytest.mark.parametrize(
    ("screen", "table", "seat"), [*product(KINDS, (-1, 0, 1, 999_999, 10**6), (-1, 0, 1, 10, 11))]
)
def test_a_seat_and_its_devices_have_a_table_and_a_number_the_office_neither_all_others_a_table(
    screen: PlaceKind, table: int, seat: int
) -> None:
    at_seat = 1 <= table <= 999_999 and 1 <= seat <= 10
    is_place = {
        "seat": at_seat,
        "acceptor": at_seat,
        "printer": at_seat,
        "doors": 1 <= table <= 999_999 and 0 <= seat <= 10,
        "office": table == seat == 0,
    }.get(screen, 1 <= table <= 999_999 and seat == 0)
    answer = offers(staffed(), place=Place(screen, table, seat))
    if is_place:
        assert happened(answer)
    else:
        assert refusal(answer) is Refusal.NO_SUCH_PLACE


def test_a_place_says_where_it_is() -> None:
    places = (SEAT, Place("dealer", 3), Place("office"), Place("acceptor", 3, 5), Place("doors", 3))
    assert [str(place) for place in places] == [
        "table 3 seat 5",
        "table 3 dealer",
        "office",
        "table 3 acceptor 5",
        "table 3 doors",
    ]
    assert [place.device for place in places] == [None, None, None, "acceptor", "doors"]


def test_a_new_offer_of_a_place_ends_the_earlier_one() -> None:
    floor = after(offered("AAAA-AAAA"), offers(staffed(), "BBBB-BBBB"))
    assert happened(enrols(floor, "AAAA-AAAA")) == (EnrolmentFailed(why="unknown_code"),)
    assert isinstance(terminals.outcome(enrols(floor, "BBBB-BBBB")), TerminalEnrolled)


# --- Enrolment ---


def test_a_code_is_traded_for_a_place_and_the_token_is_recognised_since() -> None:
    floor = offered()
    assert terminals.recognised(floor, TOKEN) is None
    answer = enrols(floor, CODE.lower())
    assert terminals.outcome(answer) == TerminalEnrolled(
        terminal="terminal-1",
        place=SEAT,
        code_hash=terminals.code_hash(CODE),
        token_hash=terminals.digest(TOKEN),
    )
    terminal = terminals.recognised(after(floor, answer), TOKEN)
    assert terminal
    assert (terminal.id, terminal.place) == ("terminal-1", SEAT)
    assert terminals.recognised(after(floor, answer), TOKEN + "0") is None


@pytest.mark.parametrize(
    ("code", "at_ms", "why"),
    [
        ("ZZZZ-ZZZZ", AT_MS, "unknown_code"),
        ("", AT_MS, "unknown_code"),
        (CODE, AT_MS + TEN_MINUTES_MS, "expired_code"),
        (CODE, AT_MS + TEN_MINUTES_MS - 1, ""),
    ],
)
def test_a_wrong_or_late_code_is_recorded_and_told_alike(code: str, at_ms: int, why: str) -> None:
    answer = enrols(offered(), code, at_ms=at_ms)
    [event] = happened(answer)
    if why:
        assert isinstance(event, EnrolmentFailed)
        assert event.why == why
        assert terminals.outcome(answer) == Refused(Refusal.CODE_NOT_GOOD)
    else:
        assert isinstance(event, TerminalEnrolled)


def test_a_code_is_good_once() -> None:
    floor = after(offered(), enrols(offered()))
    assert happened(enrols(floor, token="other")) == (EnrolmentFailed(why="unknown_code"),)  # noqa: S106 - a stand-in


def test_a_new_terminal_replaces_the_one_that_had_its_place_and_no_other() -> None:
    floor = enrolled(staffed(), "AAAA-AAAA", "a")
    floor = enrolled(floor, "BBBB-BBBB", "b", Place("dealer", table=3))
    floor = after(floor, offers(floor, "CCCC-CCCC"))
    replaced, event = happened(enrols(floor, "CCCC-CCCC", token="c"))  # noqa: S106 - a stand-in
    assert replaced == TerminalRevoked(terminal="terminal-1", place=SEAT, why="replaced")
    assert isinstance(event, TerminalEnrolled)
    floor = after(floor, (replaced, event))
    assert terminals.recognised(floor, "a") is None
    assert {token: terminals.recognised(floor, token) for token in "bc"} == {
        "b": floor.terminals["terminal-2"],
        "c": floor.terminals["terminal-3"],
    }


def test_a_revoked_terminal_is_not_recognised_and_its_id_is_not_used_again() -> None:
    floor = enrolled(staffed(), CODE, TOKEN)
    floor = after(floor, terminals.revoke(floor, by=SUPERVISOR, terminal="terminal-1"))
    assert terminals.recognised(floor, TOKEN) is None
    assert refusal(terminals.revoke(floor, by=SUPERVISOR, terminal="terminal-1")) is Refusal.NO_SUCH_TERMINAL
    assert list(enrolled(floor, "BBBB-BBBB", "b").terminals) == ["terminal-2"]


@in_memory
async def test_of_many_terminals_with_one_code_the_first_is_enrolled_and_claims_it(store: MemoryStore) -> None:
    desk = await staffed_office(store)
    happened(await desk.act(offers, at_ms=AT_MS, actor=SUPERVISOR))
    desks = [await Office.open(store) for _ in range(5)]  # each knows of the offer, and of no enrolment
    answers = [await desk.act(enrols, at_ms=AT_MS, actor="somebody") for desk in desks]
    told = [terminals.outcome(answer) for answer in answers]
    assert [isinstance(each, TerminalEnrolled) for each in told] == [True, False, False, False, False]
    claimed = await store.claimed(f"pairing:{terminals.code_hash(CODE)}")
    assert claimed
    assert (claimed.stream, claimed.seq) == (FLOOR, 3)
    assert (await store.head(FLOOR)).seq == 2 + len(desks)


def test_the_code_of_another_place_is_wrong_for_a_device_and_stays_valid() -> None:
    place = Place("doors", 1, 3)
    offered = evolve(Floor(), TerminalOffered(place=place, code_hash="code", expires_at_ms=1_000))
    tried = {"code_hash": "code", "token_hash": "token"}
    assert terminals.enrol(offered, **tried, at_ms=1, kind="acceptor") == (EnrolmentFailed(why="unknown_code"),)
    decision = terminals.enrol(offered, **tried, at_ms=1, kind="doors")
    assert isinstance(decision, tuple)
    assert isinstance(decision[0], TerminalEnrolled)
