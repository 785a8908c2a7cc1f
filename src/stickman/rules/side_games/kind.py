"""What a side game is: all that the rest of the program must know of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from stickman.rules.machine import Bet, Machine, Opens
from stickman.rules.paytable import PayTable
from stickman.rules.schema import SideSettings


@dataclass(frozen=True)
class SideGame:
    """A side game (RULES 9). Its bets say the rest of themselves."""

    name: str
    """Of its settings, of the family of its bets and of its pay tables."""
    title: str
    default: SideSettings
    """Its settings where a game says nothing of them; their type says what there is to set."""
    bets: Callable[[Any, PayTable], Iterable[Bet]]
    """Its bets, from its settings and its pay table."""
    slots: str = ""
    """What the names of its pay rows' slots begin with, if not its own name."""
    six_points: bool = False
    """It needs the six points."""


def side_bet(settings: SideSettings, bet: str, title: str, machine: Machine, source: str, **more: Any) -> Bet:
    """A bet of a side game: a contract from its first roll on, if it does not say otherwise."""
    declared = {"family": bet, "contract": "first_roll", "needs_line": settings.needs_line, **more}
    return Bet(bet, title, machine, source, side=True, **declared)


def opens(when: str) -> Opens:
    """The window of a side game as its setting says it (ruling 37)."""
    return Opens.ANY_ROLL if when == "any_roll" else Opens.AFTER_SEVEN


def named(rolled: tuple[int, ...]) -> str:
    """The name of the state in which these totals have been rolled."""
    return " ".join(map(str, sorted(rolled))) or "none"


def leading(row: str) -> int:
    """The number that a pay row's name begins with: `8-15`, `50+`, `5+point`."""
    return int(re.findall(r"\d+", row)[0])
