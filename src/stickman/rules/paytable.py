"""Pay tables: what each slot pays, with its source, from the packaged `paytables/*.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import resources
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct

from stickman.rules.datafile import build, parse_toml
from stickman.rules.money import Pays

T = TypeVar("T", bound=Struct)
Source = Annotated[str, Meta(pattern=r"\A(IB|RTW|STW|BC3|BC4|house)\b")]
Envy = Annotated[str, Meta(pattern=r"\A([0-9]+x|\$[0-9]+( each)?)\Z")]
Total = Annotated[int, Meta(ge=2, le=12)]
MULTIPLE_MIN, MULTIPLE_MAX = 2, 100
"""How many times the flat bet its odds may be (RTW 7.1)."""
BUTTONS_MAX = 7
"""The most buttons of the odds pop-up."""
ODDS_ALLOWED = (
    "2x to 100x, 3-4-5x, or a multiple for each point such as '4=3 5=4 6=5 8=5 9=4 10=3', with other=3 for the rest"
)


def envy_multiple(envy: str) -> int:
    """An envy pay for one winner as a multiple of the wager; amounts are printed for a $1 wager.

    >>> envy_multiple("2x"), envy_multiple("$50 each")
    (2, 50)
    """
    return int(re.sub(r"\D", "", envy))


class PayRow(Struct, frozen=True):
    pays: Pays
    source: Source
    envy: Envy | None = None
    """What the dealer gets: a multiple of each winning wager, or an amount for a $1 wager, once or each."""

    @property
    def envy_multiple(self) -> int:
        """The envy pay in base wagers (one winner)."""
        return envy_multiple(self.envy) if self.envy else 0


class PayTable(Struct, frozen=True):
    """A set of pay rows, with other data for their bets."""

    rows: dict[str, PayRow]
    sequences: tuple[tuple[Total, ...], ...] = ()
    """Fired Up: the totals in order."""
    seed_cents: Annotated[int, Meta(ge=0, le=10**11)] = 0
    """Progressives: the reset value of the meter for a $1 base wager."""
    seed_source: Source | None = None


class PowerRow(Struct, frozen=True):
    """The better pays that Power Odds may show for a slot, and its group."""

    group: Literal["A", "B", "C", "D", "E", "F", "G"]
    low: Pays
    high: Pays
    source: Source


class PowerTable(Struct, frozen=True):
    rows: dict[str, PowerRow]

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups, which are drawn separately."""
        return tuple(sorted({row.group for row in self.rows.values()}))


class OddsTable(Struct, frozen=True):
    """The most odds that may back a flat bet, as a multiple of it."""

    multiples: dict[str, Annotated[int, Meta(ge=MULTIPLE_MIN, le=MULTIPLE_MAX)]]
    """By point; `other` is every point not named."""
    source: Source
    buttons: tuple[Annotated[int, Meta(ge=1, le=MULTIPLE_MAX)], ...] = ()
    """The multiples that the odds pop-up offers, if a source prints them."""

    def multiple(self, point: int) -> int:
        return self.multiples.get(str(point)) or self.multiples["other"]

    def lacks(self, points: Iterable[int]) -> list[int]:
        """The points without a multiple."""
        return [point for point in points if not {str(point), "other"} & set(self.multiples)]

    def buttons_at(self, point: int) -> tuple[int, ...]:
        """The multiples that the odds pop-up offers at a point: as printed, or from 1x to the most."""
        return self.buttons or _ladder(self.multiple(point))


def _ladder(most: int) -> tuple[int, ...]:
    """At most seven multiples from 1 to the most.

    >>> _ladder(4), _ladder(20), _ladder(75)
    ((1, 2, 3, 4), (1, 2, 3, 5, 10, 20), (1, 2, 5, 10, 20, 50, 75))
    """
    if most <= BUTTONS_MAX:
        return tuple(range(1, most + 1))
    steps = (*(step for step in (1, 2, 3, 5, 10, 20, 50) if step < most), most)
    return steps if len(steps) <= BUTTONS_MAX else tuple(step for step in steps if step != 3)


MORE_ROWS: dict[str, PayRow] = {}
MORE_TABLES: dict[str, dict[str, PayTable]] = {}
"""Pay rows by slot and pay tables by kind, added by `extend.registered`."""


def pay_tables(name: str) -> dict[str, PayTable]:
    """The pay tables of one kind of bet, by name: `pay_tables("bonus_craps")["BC-03"]`."""
    return MORE_TABLES[name] if name in MORE_TABLES else _pay_tables(name)


@cache
def _pay_tables(name: str) -> dict[str, PayTable]:
    return _read(PayTable, name)


@cache
def odds_tables() -> dict[str, OddsTable]:
    """The odds policies whose pop-up buttons are printed, by name."""
    return _read(OddsTable, "odds")


@lru_cache(maxsize=256)
def odds_table(policy: str) -> OddsTable:
    """An odds policy from its text (ruling 44): `20x`, `3-4-5x`, or a multiple for each point.

    >>> odds_table("20x").multiple(4), odds_table("4=3 10=3 other=5").multiple(6)
    (20, 5)
    """
    if policy in odds_tables():
        return odds_tables()[policy]
    if flat := re.fullmatch(r"([1-9][0-9]{0,2})x", policy):
        multiples = {"other": int(flat[1])}
    else:
        named = [re.fullmatch(NAMED, word) for word in policy.split()]
        multiples = {each[1]: int(each[2]) for each in named if each}
        if not multiples or len(multiples) != len(named):
            raise ValueError(f"odds policy {policy!r} is not {ODDS_ALLOWED}")
    if not all(MULTIPLE_MIN <= multiple <= MULTIPLE_MAX for multiple in multiples.values()):
        raise ValueError(f"odds policy {policy!r} is not {ODDS_ALLOWED}")
    return OddsTable(multiples, "RTW 7.1")


NAMED = r"([2-6]|[89]|1[0-2]|other)=([1-9][0-9]{0,2})"


def odds_text(policy: str) -> str:
    """A normalized policy: points in order, `other` last.

    >>> odds_text(" other=2  10=3 4=3")
    '4=3 10=3 other=2'
    """
    if "=" not in policy:
        return policy
    words = sorted(policy.split(), key=lambda word: (word.startswith("other"), len(word.split("=")[0]), word))
    return " ".join(words)


@cache
def power_tables() -> dict[str, PowerTable]:
    return _read(PowerTable, "power_odds")


def _read(kind: type[T], name: str) -> dict[str, T]:
    file = f"paytables/{name}.toml"
    text = (resources.files("stickman") / "paytables" / f"{name}.toml").read_text("utf-8")
    return {table: build(kind, inner, file, key=table) for table, inner in parse_toml(text, file).items()}
