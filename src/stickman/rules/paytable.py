"""Pay tables: what each named slot pays, row by row with its source, from the packaged `paytables/*.toml`."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct

from stickman.rules.datafile import build, parse_toml
from stickman.rules.money import Pays

T = TypeVar("T", bound=Struct)
Source = Annotated[str, Meta(pattern=r"\A(IB|RTW|STW|BC3|BC4|house)\b")]
Envy = Annotated[str, Meta(pattern=r"\A([0-9]+x|\$[0-9]+( each)?)\Z")]
Total = Annotated[int, Meta(ge=2, le=12)]


def envy_multiple(envy: str) -> int:
    """How many wagers an envy pay is for one winner, an amount being printed for a $1 wager.

    >>> envy_multiple("2x"), envy_multiple("$50 each")
    (2, 50)
    """
    return int(re.sub(r"\D", "", envy))


class PayRow(Struct, frozen=True):
    """What one slot pays, and where that is printed."""

    pays: Pays
    source: Source
    envy: Envy | None = None
    """What the dealer gets: a multiple of each winning wager, or an amount for a $1 wager, once or each."""

    @property
    def envy_multiple(self) -> int:
        """The envy pay in base wagers (one winner)."""
        return envy_multiple(self.envy) if self.envy else 0


class PayTable(Struct, frozen=True):
    """A named set of pay rows, with what else its bets are shaped by."""

    rows: dict[str, PayRow]
    sequences: tuple[tuple[Total, ...], ...] = ()
    """Fired Up: the totals in order."""
    seed_cents: Annotated[int, Meta(ge=0, le=10**11)] = 0
    """Progressives: the reset value of the meter for a $1 base wager."""
    seed_source: Source | None = None


class PowerRow(Struct, frozen=True):
    """The better pays that Power Odds may show for a slot, and the group it is drawn with."""

    group: Literal["A", "B", "C", "D", "E", "F", "G"]
    low: Pays
    high: Pays
    source: Source


class PowerTable(Struct, frozen=True):
    """The Power Odds chart."""

    rows: dict[str, PowerRow]

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that are drawn, each by itself."""
        return tuple(sorted({row.group for row in self.rows.values()}))


class OddsTable(Struct, frozen=True):
    """The most odds that may back a flat bet, as a multiple of it, by point."""

    multiples: dict[str, Annotated[int, Meta(ge=2, le=100)]]
    """By point; `other` stands for every point not named."""
    buttons: tuple[Annotated[int, Meta(ge=1, le=100)], ...]
    """The multiples that the odds pop-up offers."""
    source: Source

    def multiple(self, point: int) -> int:
        return self.multiples.get(str(point)) or self.multiples["other"]


@cache
def pay_tables(name: str) -> dict[str, PayTable]:
    """The pay tables of one kind of bet, by name: `pay_tables("bonus_craps")["BC-03"]`."""
    return _read(PayTable, name)


@cache
def odds_tables() -> dict[str, OddsTable]:
    """The odds policies, by name."""
    return _read(OddsTable, "odds")


@cache
def power_tables() -> dict[str, PowerTable]:
    """The Power Odds charts, by name."""
    return _read(PowerTable, "power_odds")


def _read(kind: type[T], name: str) -> dict[str, T]:
    file = f"paytables/{name}.toml"
    text = (resources.files("stickman") / "paytables" / f"{name}.toml").read_text("utf-8")
    return {table: build(kind, inner, file, key=table) for table, inner in parse_toml(text, file).items()}
