"""Parameters of tests that say the same again."""

from collections.abc import Iterable
from typing import Any

import pytest


def some(values: Iterable[object], *always: object) -> list[Any]:
    """Parameters of which CI tries only these; `make soak` tries the others. A tuple is for several arguments."""

    def later(value: object) -> Any:
        return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.long)

    return [value if value in always else later(value) for value in values]
