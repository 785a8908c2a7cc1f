"""The type of a side game: all that the rest of the program must know about it."""

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
    """A side game (RULES 9)."""

    name: str
    """Also the name of its settings, of the family of its bets and of its pay tables."""
    title: str
    default: SideSettings
    """Its default settings; their type is their schema."""
    bets: Callable[[Any, PayTable], Iterable[Bet]]
    """Its bets, from its settings and its pay table."""
    slots: str = ""
    """The prefix of its slots, if it is not its name."""
    six_points: bool = False
    """It needs the six points."""


def side_bet(settings: SideSettings, bet: str, title: str, machine: Machine, source: str, **more: Any) -> Bet:
    """A bet of a side game; by default a contract from its first roll on."""
    declared = {"family": bet, "contract": "first_roll", "needs_line": settings.needs_line, **more}
    return Bet(bet, title, machine, source, side=True, **declared)


def opens(when: str) -> Opens:
    """When a side game may be bet, from its setting (ruling 37)."""
    return Opens.ANY_ROLL if when == "any_roll" else Opens.AFTER_SEVEN


def named(rolled: tuple[int, ...]) -> str:
    """The name of the state in which these totals have been rolled."""
    return " ".join(map(str, sorted(rolled))) or "none"


def leading(row: str) -> int:
    """The number at the start of a pay row's name: `8-15`, `50+`, `5+point`."""
    return int(re.findall(r"\d+", row)[0])
