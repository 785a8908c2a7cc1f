from __future__ import annotations

from pathlib import Path

from tests.faults import device_kills


def test_three_kills_of_real_processes_leave_all_money_in_one_place(tmp_path: Path) -> None:
    """`make faults` does two hundred."""
    tally = device_kills.run(tmp_path / "floor", kills=3, seats=3, seed="16", tell=lambda _: None)
    assert sum(tally.kills.values()) == 3
    assert tally.bills > 0, "no money moved, so nothing was proven"
