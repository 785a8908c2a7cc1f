"""Whatever is done to the machine's clock, a bet time lasts as long as it was said to."""

from __future__ import annotations

import pytest

from stickman.floor import clock as clocks
from stickman.floor.clock import Clock


class Machine:
    """The clocks of a machine, set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall_ms, self.steady_ms = 1_900_000_000_000, 5_000
        monkeypatch.setattr(clocks, "wall_ms", lambda: self.wall_ms)
        monkeypatch.setattr(clocks, "_steady_ms", lambda: self.steady_ms)

    def wait(self, ms: int) -> None:
        self.wall_ms += ms
        self.steady_ms += ms


@pytest.mark.parametrize("jump_ms", [3_600_000, -3_600_000])
def test_a_jump_of_the_machine_moves_no_deadline_and_is_told_once(
    monkeypatch: pytest.MonkeyPatch, jump_ms: int
) -> None:
    machine = Machine(monkeypatch)
    clock = Clock()
    started = clock.now_ms()
    assert started == machine.wall_ms
    machine.wait(10_000)
    machine.wall_ms += jump_ms
    assert clock.now_ms() == started + 10_000
    assert clock.jumped_ms() == jump_ms
    assert clock.jumped_ms() == 0
    machine.wait(10_000)
    assert clock.now_ms() == started + 20_000


def test_a_clock_that_drifts_a_little_is_not_worth_telling(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    clock = Clock()
    machine.wall_ms += clocks.NOTICED_MS - 1
    assert clock.jumped_ms() == 0
    machine.wall_ms += 1
    assert clock.jumped_ms() == clocks.NOTICED_MS


def test_after_a_restart_with_the_clock_put_back_time_goes_on_from_the_last_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine = Machine(monkeypatch)
    last_record_ms = machine.wall_ms + 60_000
    clock = Clock(not_before_ms=last_record_ms)
    assert clock.now_ms() == last_record_ms
    machine.wait(5)
    assert clock.now_ms() == last_record_ms + 5


def test_the_real_clock_only_goes_on() -> None:
    clock = Clock()
    times = [clock.now_ms() for _ in range(1_000)]
    assert times == sorted(times)
    assert clock.jumped_ms() == 0
