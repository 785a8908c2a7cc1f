"""Contacts on GPIO lines, through the names that `gpiod` 2.x has."""

from __future__ import annotations

import sys
from datetime import timedelta
from enum import Enum
from types import SimpleNamespace
from typing import Any

import pytest

from stickman.devices.doors import ContactEdge
from stickman.devices.gpio import Contact, GpioMissing, open_gpio

CAGE = (
    Contact(name="cage_main", line=4),
    Contact(name="cage_security", line=5),
    Contact(name="key", line=6, active_low=False),
)


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

    line = SimpleNamespace(Direction=Names, Edge=Names, Bias=Names, Clock=Names, Value=Names)
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
    assert chip.values() == {"cage_main": True, "cage_security": False, "key": False}
    assert chip.fileno() == 9
    assert chip.edges() == [ContactEdge("cage_main", False, 1_234), ContactEdge("key", True, 2_000)]
    assert chip.edges() == []
    request.events = FakeRequest.events[1:]
    assert chip.edges() == [
        ContactEdge("key", True, 2_000),
        *(ContactEdge(contact.name, contact.name == "cage_main", 2_000) for contact in CAGE),
    ]
    chip.close()
    assert request.released


def test_without_gpiod_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)
    with pytest.raises(GpioMissing, match="pip install gpiod"):
        open_gpio("/dev/gpiochip0", CAGE)
