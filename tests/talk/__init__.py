"""How tests play: one word for one act, whether at a felt, a table, a floor or a server.

`bets(spot, amount)`, `takes(spot, amount)`, `on` and `off`, `rolls`; `lies` is what lies on the felt and `credit`
what a seat has. Amounts that are put down are dollars, or exact as text (`12`, `"10.83"`); amounts that are found
are cents. A deed must be accepted. `refused(why)` gives a twin whose next deed must be refused for that reason:
`one.refused("locked").takes("pass")`.
"""

from enum import Enum

from stickman.rules.dice import Roll, ways
from stickman.rules.money import cents

Money = int | str
Dice = int | str
"""A roll as the dealer says it, or a total, made the first way there is."""


def in_cents(amount: Money) -> int:
    return cents(amount) if isinstance(amount, str) else amount * 100


def exactly(amount_cents: int) -> str:
    """An amount that was found, as one that is put down."""
    return f"{amount_cents // 100}.{amount_cents % 100:02}"


def as_roll(dice: Dice) -> Roll:
    return Roll.parse(dice) if isinstance(dice, str) else ways(dice)[0]


def named(why: Enum | str | None) -> str | None:
    """A reason by its name."""
    return why.name.lower() if isinstance(why, Enum) else why
