"""How the tests run: Hypothesis draws the same examples every time in CI, and new ones every time elsewhere."""

import os

from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None, database=None, print_blob=True)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def pytest_xdist_auto_num_workers() -> int:
    """Many tests wait for real servers, timers and processes: two workers for a core keep it busy."""
    return 2 * (os.cpu_count() or 1)
