"""Doors and key switches: rest, order and time."""

from __future__ import annotations

import sys
from datetime import timedelta
from enum import Enum
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickman.devices.doors import (
    DEBOUNCE_MS,
    REMEMBERED_MAX,
    UNREST_MS,
    Contact,
    ContactEdge,
    Contacts,
    ContactState,
    ContactUnsteady,
    DoorFoundClosed,
    DoorFoundOpen,
    FakeChip,
    GpioMissing,
    KeyTurnedOff,
    KeyTurnedOn,
    MemoryFull,
    open_gpio,
)

CAGE = (
    Contact(name="main", line=4),
    Contact(name="security", line=5),
    Contact(name="key", kind="key", line=6, active_low=False),
)
SHUT = {"main": True, "security": True, "key": False}


def started() -> Contacts:
    contacts = Contacts(CAGE)
    contacts.start(SHUT, 0)
    return contacts


def test_each_contact_is_reported_as_it_is_found_at_the_start() -> None:
    assert Contacts(CAGE).start({"main": True, "security": False, "key": False}, 7) == [
        DoorFoundClosed("main", 7, "start"),
        DoorFoundOpen("security", 7, "start"),
        KeyTurnedOff("key", 7, "start"),
    ]


def test_a_contact_that_cannot_be_read_counts_as_open() -> None:
    assert Contacts(CAGE[:1]).start({}, 7) == [DoorFoundOpen("main", 7, "start")]


def test_a_change_is_reported_at_rest_with_the_time_of_its_first_edge() -> None:
    contacts = started()
    bounces = [ContactEdge("main", False, 100), ContactEdge("main", True, 103), ContactEdge("main", False, 109)]
    assert contacts.heard(bounces, 109) == []
    assert contacts.due_ms == 109 + DEBOUNCE_MS
    assert contacts.heard([], 109 + DEBOUNCE_MS - 1) == []
    assert contacts.heard([], 109 + DEBOUNCE_MS) == [DoorFoundOpen("main", 100)]
    assert contacts.due_ms is None


def test_a_touch_that_comes_to_nothing_is_not_a_change() -> None:
    contacts = started()
    contacts.heard([ContactEdge("main", False, 100), ContactEdge("main", True, 104)], 104)
    assert contacts.heard([], 200) == []


def test_a_short_opening_that_rests_is_two_changes_even_if_both_are_heard_late() -> None:
    contacts = started()
    late = [ContactEdge("main", False, 100), ContactEdge("main", True, 100 + DEBOUNCE_MS)]
    assert contacts.heard(late, 5_000) == [DoorFoundOpen("main", 100), DoorFoundClosed("main", 100 + DEBOUNCE_MS)]


def test_changes_of_several_contacts_are_in_the_order_of_their_time() -> None:
    contacts = started()
    edges = [ContactEdge("security", False, 140), ContactEdge("key", True, 90), ContactEdge("main", False, 100)]
    assert contacts.heard(edges, 500) == [
        KeyTurnedOn("key", 90),
        DoorFoundOpen("main", 100),
        DoorFoundOpen("security", 140),
    ]


def test_ruling_43_what_the_battery_noted_comes_first_in_the_order_of_its_own_time() -> None:
    contacts = Contacts(CAGE)
    contacts.remember(
        [ContactEdge("security", False, -50), ContactEdge("main", False, -60), ContactEdge("main", True, -10)]
    )
    assert contacts.start({"main": True, "security": False, "key": False}, 0) == [
        DoorFoundOpen("main", -60, "battery"),
        DoorFoundOpen("security", -50, "battery"),
        DoorFoundClosed("main", -10, "battery"),
        KeyTurnedOff("key", 0, "start"),
    ]
    contacts.remember([ContactEdge("main", False, -5)])
    assert contacts.due_ms == 0
    assert contacts.heard([ContactEdge("key", True, 10)], 100) == [
        DoorFoundOpen("main", -5, "battery"),
        KeyTurnedOn("key", 10),
    ]


def test_a_memory_with_too_many_changes_says_how_many_are_lost() -> None:
    contacts = started()
    contacts.remember([ContactEdge("main", at % 2 == 1, at) for at in range(REMEMBERED_MAX + 3)])
    reports = contacts.heard([], REMEMBERED_MAX + 10)
    assert len(reports) == REMEMBERED_MAX + 1
    assert reports[-1] == MemoryFull(3)


def test_a_door_that_does_not_come_to_rest_counts_as_open() -> None:
    contacts = started()
    reports = []
    for at_ms in range(100, 100 + 2 * UNREST_MS, 5):
        reports += contacts.heard([ContactEdge("main", at_ms % 10 == 5, at_ms)], at_ms)
    assert reports == [ContactUnsteady("main", 100), DoorFoundOpen("main", 100)]
    last = 100 + 2 * UNREST_MS
    reports = contacts.heard([ContactEdge("main", True, last)], last + DEBOUNCE_MS)
    assert reports == [DoorFoundClosed("main", last - 5)]
    assert contacts.state[0] == ContactState("main", "door", True, False, 2)


def test_unknown_names_and_edges_before_the_start_are_left_out() -> None:
    contacts = Contacts(CAGE)
    contacts.remember([ContactEdge("window", True, 1)])
    assert contacts.heard([ContactEdge("main", False, 1), ContactEdge("window", True, 2)], 1_000) == []
    assert started().heard([ContactEdge("window", False, 1)], 1_000) == []


def test_a_second_start_reports_only_what_moved_in_between() -> None:
    assert started().start(SHUT | {"main": False}, 50) == [DoorFoundOpen("main", 50, "start")]


@given(st.lists(st.tuples(st.integers(0, 200), st.booleans(), st.integers(0, 60)), max_size=40))
def test_the_reports_of_a_door_alternate_in_time_and_end_as_the_door_is(moves: list[tuple[int, bool, int]]) -> None:
    contacts, chip = Contacts(CAGE), FakeChip(CAGE)
    contacts.start(chip.values(), 0)
    now_ms, reports = 0, []
    for wait_ms, active, late_ms in moves:
        now_ms += wait_ms
        chip.move("main", active, now_ms)
        if late_ms < 30:
            reports += contacts.heard(chip.edges(), now_ms)
    reports += contacts.heard(chip.edges(), now_ms)
    reports += contacts.heard([], now_ms + UNREST_MS + DEBOUNCE_MS)
    moved = [report for report in reports if isinstance(report, DoorFoundOpen | DoorFoundClosed)]
    assert [isinstance(report, DoorFoundOpen) for report in moved] == [at % 2 == 0 for at in range(len(moved))]
    assert [report.at_ms for report in moved] == sorted(report.at_ms for report in moved)
    assert contacts.state[0].active == chip.values()["main"]
    assert contacts.due_ms is None


# --- GPIO lines ---


class Names(Enum):
    INPUT = BOTH = "both"
    PULL_UP, PULL_DOWN = "up", "down"
    REALTIME = "realtime"
    ACTIVE, INACTIVE = 1, 0
    RISING_EDGE, FALLING_EDGE = "rising", "falling"


class FakeRequest:
    """Lines as gpiod 2.x gives them."""

    events: tuple[SimpleNamespace, ...] = (
        SimpleNamespace(line_offset=4, event_type=Names.FALLING_EDGE, timestamp_ns=1_234_999_999, global_seqno=1),
        SimpleNamespace(line_offset=6, event_type=Names.RISING_EDGE, timestamp_ns=2_000_000_000, global_seqno=2),
    )
    released = False

    def get_values(self, lines: list[int]) -> list[Names]:
        return [Names.ACTIVE if line == 4 else Names.INACTIVE for line in lines]

    def wait_edge_events(self, timeout: timedelta) -> bool:
        assert timeout == timedelta()
        return bool(self.events)

    def read_edge_events(self) -> tuple[SimpleNamespace, ...]:
        events, self.events = self.events, ()
        return events

    def fileno(self) -> int:
        return 9

    def release(self) -> None:
        self.released = True


def test_gpio_lines_are_requested_with_both_edges_and_the_wall_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}
    request = FakeRequest()

    def request_lines(path: str, *, consumer: str, config: dict[int, SimpleNamespace]) -> FakeRequest:
        asked.update(path=path, consumer=consumer, config=config)
        return request

    line = SimpleNamespace(Direction=Names, ContactEdge=Names, Bias=Names, Clock=Names, Value=Names)
    edge_event = SimpleNamespace(Type=Names)
    gpiod = SimpleNamespace(
        line=line, EdgeEvent=edge_event, LineSettings=SimpleNamespace, request_lines=request_lines
    )
    monkeypatch.setitem(sys.modules, "gpiod", gpiod)
    chip = open_gpio("/dev/gpiochip0", CAGE)
    assert (asked["path"], asked["consumer"]) == ("/dev/gpiochip0", "stickman")
    assert [(at, it.bias, it.active_low) for at, it in asked["config"].items()] == [
        (4, Names.PULL_UP, True),
        (5, Names.PULL_UP, True),
        (6, Names.PULL_DOWN, False),
    ]
    assert {(it.edge_detection, it.event_clock) for it in asked["config"].values()} == {
        (Names.BOTH, Names.REALTIME)
    }
    assert chip.values() == {"main": True, "security": False, "key": False}
    assert chip.fileno() == 9
    assert chip.edges() == [ContactEdge("main", False, 1_234), ContactEdge("key", True, 2_000)]
    assert chip.edges() == []
    request.events = FakeRequest.events[1:]
    assert chip.edges() == [
        ContactEdge("key", True, 2_000),
        *(ContactEdge(name, name == "main", 2_000) for name in SHUT),
    ]
    chip.close()
    assert request.released


def test_without_gpiod_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)
    with pytest.raises(GpioMissing, match="pip install gpiod"):
        open_gpio("/dev/gpiochip0", CAGE)
