"""Dice from a list, for tests. The program has no such class, so a floor cannot be switched to a script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from stickman.rules.dice import Roll
from stickman.server.entropy import BadEntropy, Draw, Power, Use

T = TypeVar("T")


class ScriptedDice:
    """Dice from a list. Power Odds show nothing by default."""

    def __init__(self, rolls: Iterable[tuple[int, int]], powers: Iterable[Power] = ()) -> None:
        self._rolls, self._powers = iter(rolls), iter(powers)
        self._draws: dict[Use, int] = {"dice": 0, "power": 0}

    def roll(self) -> Draw[Roll]:
        dice = next(self._rolls, None)
        if dice is None:
            raise BadEntropy(f"the script ends after roll {self._draws['dice']}")
        return self._draw("dice", Roll(*dice))

    def power(self, groups: Sequence[str], one_in: int) -> Draw[Power]:  # noqa: ARG002 - the script decides
        shown = next(self._powers, {})
        return self._draw("power", {group: shown[group] for group in groups if group in shown})

    def cycle(self) -> None:
        """Do nothing."""

    def _draw(self, use: Use, result: T) -> Draw[T]:
        self._draws[use] += 1
        return Draw(use=use, source="script", number=self._draws[use], bytes_used=0, result=result)
