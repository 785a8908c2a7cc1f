"""Doors and key switches: rest, order and time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stickman.devices.doors import (
    DEBOUNCE_MS,
    REMEMBERED_MAX,
    UNREST_MS,
    ContactEdge,
    ContactName,
    ContactReport,
    Contacts,
    ContactState,
    ContactUnsteady,
    TooManyRemembered,
)
from stickman.devices.signals import DoorMoved, KeyMoved, KnownBy

CAGE: tuple[ContactName, ...] = ("cage_main", "cage_security", "key")
SHUT: dict[ContactName, bool] = {"cage_main": True, "cage_security": True, "key": False}


def opened(door: str, at_ms: int, how: KnownBy = "live") -> DoorMoved:
    return DoorMoved(door=door, open=True, moved_ms=at_ms, how=how)  # type: ignore[arg-type] # one of CAGE


def closed(door: str, at_ms: int, how: KnownBy = "live") -> DoorMoved:
    return DoorMoved(door=door, open=False, moved_ms=at_ms, how=how)  # type: ignore[arg-type] # one of CAGE


def turned(on: bool, at_ms: int, how: KnownBy = "live") -> KeyMoved:
    return KeyMoved(on=on, moved_ms=at_ms, how=how)


def started() -> Contacts:
    contacts = Contacts(CAGE)
    contacts.start(SHUT, 0)
    return contacts


def test_each_contact_is_reported_as_it_is_found_at_the_start() -> None:
    assert Contacts(CAGE).start({"cage_main": True, "cage_security": False, "key": False}, 7) == [
        closed("cage_main", 7, "start"),
        opened("cage_security", 7, "start"),
        turned(False, 7, "start"),
    ]


def test_a_contact_that_is_not_found_is_missing() -> None:
    contacts = Contacts(CAGE)
    assert contacts.start({"cage_main": True, "key": False}, 7) == [
        closed("cage_main", 7, "start"),
        turned(False, 7, "start"),
    ]
    assert contacts.unknown == ["cage_security"]


def test_a_change_is_reported_at_rest_with_the_time_of_its_first_edge() -> None:
    contacts = started()
    bounces = [
        ContactEdge("cage_main", False, 100),
        ContactEdge("cage_main", True, 103),
        ContactEdge("cage_main", False, 109),
    ]
    assert contacts.heard(bounces, 109) == []
    assert contacts.due_ms == 109 + DEBOUNCE_MS
    assert contacts.heard([], 109 + DEBOUNCE_MS - 1) == []
    assert contacts.heard([], 109 + DEBOUNCE_MS) == [opened("cage_main", 100)]
    assert contacts.due_ms is None


def test_a_touch_that_comes_to_nothing_is_not_a_change() -> None:
    contacts = started()
    contacts.heard([ContactEdge("cage_main", False, 100), ContactEdge("cage_main", True, 104)], 104)
    assert contacts.heard([], 200) == []


def test_a_short_opening_that_rests_is_two_changes_even_if_both_are_heard_late() -> None:
    contacts = started()
    late = [ContactEdge("cage_main", False, 100), ContactEdge("cage_main", True, 100 + DEBOUNCE_MS)]
    assert contacts.heard(late, 5_000) == [opened("cage_main", 100), closed("cage_main", 100 + DEBOUNCE_MS)]


def test_changes_of_several_contacts_are_in_the_order_of_their_time() -> None:
    contacts = started()
    edges = [
        ContactEdge("cage_security", False, 140),
        ContactEdge("key", True, 90),
        ContactEdge("cage_main", False, 100),
    ]
    assert contacts.heard(edges, 500) == [
        turned(True, 90),
        opened("cage_main", 100),
        opened("cage_security", 140),
    ]


def test_ruling_43_what_the_battery_noted_comes_first_in_the_order_of_its_own_time() -> None:
    contacts = Contacts(CAGE)
    contacts.remember(
        [
            ContactEdge("cage_security", False, -50),
            ContactEdge("cage_main", False, -60),
            ContactEdge("cage_main", True, -10),
        ]
    )
    assert contacts.start({"cage_main": True, "cage_security": False, "key": False}, 0) == [
        opened("cage_main", -60, "battery"),
        opened("cage_security", -50, "battery"),
        closed("cage_main", -10, "battery"),
        turned(False, 0, "start"),
    ]
    contacts.remember([ContactEdge("cage_main", False, -5)])
    assert contacts.due_ms == 0
    assert contacts.heard([ContactEdge("key", True, 10)], 100) == [
        opened("cage_main", -5, "battery"),
        turned(True, 10),
    ]


def test_a_memory_with_too_many_changes_says_how_many_are_lost() -> None:
    contacts = started()
    contacts.remember([ContactEdge("cage_main", at % 2 == 1, at) for at in range(REMEMBERED_MAX + 3)])
    reports = contacts.heard([], REMEMBERED_MAX + 10)
    assert len(reports) == REMEMBERED_MAX + 1
    assert reports[-1] == TooManyRemembered(3)


def test_a_door_that_does_not_come_to_rest_counts_as_open() -> None:
    contacts = started()
    reports = []
    for at_ms in range(100, 100 + 2 * UNREST_MS, 5):
        reports += contacts.heard([ContactEdge("cage_main", at_ms % 10 == 5, at_ms)], at_ms)
    assert reports == [ContactUnsteady("cage_main", 100), opened("cage_main", 100)]
    last = 100 + 2 * UNREST_MS
    reports = contacts.heard([ContactEdge("cage_main", True, last)], last + DEBOUNCE_MS)
    assert reports == [closed("cage_main", last - 5)]
    assert contacts.state[0] == ContactState("cage_main", True, True, False, 2)


def test_contacts_of_other_places_and_edges_before_the_start_are_left_out() -> None:
    contacts = Contacts(CAGE)
    contacts.remember([ContactEdge("power", True, 1)])
    assert contacts.heard([ContactEdge("cage_main", False, 1), ContactEdge("power", True, 2)], 1_000) == []
    assert started().heard([ContactEdge("power", False, 1)], 1_000) == []


def test_a_second_start_reports_only_what_moved_in_between() -> None:
    assert started().start(SHUT | {"cage_main": False}, 50) == [opened("cage_main", 50, "start")]


def test_what_is_known_already_is_not_reported_again_at_the_start() -> None:
    assert Contacts(CAGE, SHUT).start(SHUT, 50) == []
    assert Contacts(CAGE, SHUT).start(SHUT | {"key": True}, 50) == [turned(True, 50, "start")]


@given(st.lists(st.tuples(st.integers(0, 200), st.booleans(), st.integers(0, 60)), max_size=40))
def test_the_reports_of_a_door_alternate_in_time_and_end_as_the_door_is(moves: list[tuple[int, bool, int]]) -> None:
    contacts, is_closed = started(), True
    now_ms = 0
    edges: list[ContactEdge] = []
    reports: list[ContactReport] = []
    for wait_ms, active, late_ms in moves:
        now_ms += wait_ms
        edges += [ContactEdge("cage_main", active, now_ms)] if active != is_closed else []
        is_closed = active
        if late_ms < 30:
            reports += contacts.heard(edges, now_ms)
            edges = []
    reports += contacts.heard(edges, now_ms)
    reports += contacts.heard([], now_ms + UNREST_MS + DEBOUNCE_MS)
    moved = [report for report in reports if isinstance(report, DoorMoved)]
    assert [report.open for report in moved] == [at % 2 == 0 for at in range(len(moved))]
    assert [report.moved_ms for report in moved] == sorted(report.moved_ms for report in moved)
    assert contacts.state[0].active == is_closed
    assert contacts.due_ms is None
