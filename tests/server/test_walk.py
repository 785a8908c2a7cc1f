"""A tap's way through the code is short, and never goes back."""

from __future__ import annotations

from pathlib import Path

from bench.walk import walked
from tests.floor.evening import awaited


@awaited
async def test_a_tap_goes_through_eleven_files_at_most_and_never_back(tmp_path: Path) -> None:
    walk = await walked(tmp_path)
    assert walk.back == []
    assert len(walk.through) <= 11, walk.through
    assert (walk.through[0], walk.through[-1]) == ("server/line.py", "store/sealed.py")
