from __future__ import annotations

from pathlib import Path

from tests.faults import kills


def test_ten_kills_lose_nothing_acknowledged_and_do_nothing_twice(kept_url: str, tmp_path: Path) -> None:
    """`make faults` does a thousand on each database."""
    tally = kills.run(kept_url, tmp_path, kills=10, seed=1, tell=lambda _: None)
    assert tally.kills == 10
    assert tally.accepted > 0
    assert tally.repeated > 0, "no table died with something to do, so nothing was proven"
