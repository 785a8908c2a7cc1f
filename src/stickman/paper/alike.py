"""Group bets that differ only in their name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

Bet = Mapping[str, Any]
"""A bet of a par sheet, as plain values."""


class Group(NamedTuple):
    """Bets of a family with equal values and equal results."""

    bets: list[Bet]

    @property
    def one(self) -> Bet:
        """The first bet, with the sources of all."""
        results = [
            {**same[0], "source": _sources(same)}
            for same in zip(*(bet["results"] for bet in self.bets), strict=True)
        ]
        return {**self.bets[0], "source": _sources(self.bets), "results": results}

    @property
    def ids(self) -> list[str]:
        return [bet["bet"] for bet in self.bets]

    @property
    def title(self) -> str:
        return together([bet["title"] for bet in self.bets])


def groups(bets: Iterable[Bet]) -> list[Group]:
    """Groups in the order of their first bets."""
    found: dict[str, Group] = {}
    for bet in bets:
        found.setdefault(likeness(bet), Group([])).bets.append(bet)
    return list(found.values())


def likeness(bet: Bet) -> str:
    values = {key: value for key, value in bet.items() if key not in ("bet", "title", "source", "results")}
    results = [{**result, "source": ""} for result in bet["results"]]
    return json.dumps([family(bet["bet"]), values, results], sort_keys=True)


def _sources(values: Iterable[Mapping[str, Any]]) -> str:
    return "; ".join(dict.fromkeys(part for value in values for part in value["source"].split("; ")))


def family(bet_id: str) -> str:
    """
    >>> family("come.4.odds"), family("hop.1-3"), family("pass")
    ('come.odds', 'hop', 'pass')
    """
    parts = bet_id.split(".")
    return parts[0] + (".odds" if len(parts) > 1 and parts[-1] == "odds" else "")


def together(titles: Sequence[str]) -> str:
    """Several titles as one, without repeating what they share; many by the first.

    >>> together(["Place 4", "Place 10"]), together(["Field"])
    ('Place 4, 10', 'Field')
    >>> together([f"Hop 1-{n}" for n in range(2, 7)])
    'Hop 1-2 and 4 alike'
    """
    if len(titles) > 4:
        return f"{titles[0]} and {len(titles) - 1} alike"
    words = [title.split() for title in titles]
    shared = 0
    while all(len(each) > shared + 1 and each[shared] == words[0][shared] for each in words):
        shared += 1
    return ", ".join([titles[0], *(" ".join(each[shared:]) for each in words[1:])])


def pays(bet: Bet) -> str:
    """All that a bet pays, best first, and what Power Odds shows instead."""
    wins = [result for result in bet["results"] if result["result"] == "win"]
    parts = []
    for shown in ("", "low", "high"):
        ratios = list(dict.fromkeys(win["pays"] for win in wins if win["shown"] == shown))
        if ratios:
            parts.append((f"{shown} " if shown else "") + ratios_together(ratios))
    return "; ".join(parts)


def ratios_together(ratios: Iterable[str]) -> str:
    """
    >>> ratios_together(["meter", "300 for 1", "50 for 1", "7 to 6"])
    'meter, 300, 50 for 1, 7 to 6'
    """
    parts = []
    for unit, same in groupby((_parted(ratio) for ratio in ratios), key=lambda parts: parts[1]):
        parts.append(", ".join(first for first, _ in same) + unit)
    return ", ".join(parts)


def _parted(ratio: str) -> tuple[str, str]:
    """The number and the unit of a ratio to or for one; any other ratio whole."""
    for unit in (" to 1", " for 1"):
        if ratio.endswith(unit):
            return ratio.removesuffix(unit), unit
    return ratio, ""
