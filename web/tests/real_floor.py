"""Prepares a real floor for the tests of the screens: `real_floor.py FOLDER < floor.toml`. Prints, as JSON, the
tokens of its terminals by place, and its staff by role with their password."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.server.process import BADGES, PASSWORD, places, prepare, token

prepare(Path(sys.argv[1]), sys.stdin.read())
json.dump(
    {
        "tokens": {str(place): token(place) for place in places()},
        "badges": {role.value: badge for role, badge in BADGES.items()},
        "password": PASSWORD,
    },
    sys.stdout,
)
