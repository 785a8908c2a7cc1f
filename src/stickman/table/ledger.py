"""Double entry: money only moves, from one account to another, and all accounts together stay at zero.

`cash`, `tickets` and `drawer:BADGE` (cash that a member of staff answers for) are the world outside;
`seat:N:credit` and `seat:N:felt` the player's; `house`, `commission`,
`breakage`, `tips`, `envy`, `handpay`, `shortfall` and `progressive:METER` (with its `:reserve`; by the
meter's key) the casino's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct


class Transfer(Struct, frozen=True):
    """Cents that move from one account to another."""

    source: str
    target: str
    cents: int


def credit(seat: int) -> str:
    return f"seat:{seat}:credit"


def felt(seat: int) -> str:
    return f"seat:{seat}:felt"


def drawer(badge: str) -> str:
    return f"drawer:{badge}"


def move(source: str, target: str, cents: int) -> tuple[Transfer, ...]:
    """A move of so many cents; a negative amount moves the other way, none is no move."""
    if cents == 0:
        return ()
    return (Transfer(source, target, cents) if cents > 0 else Transfer(target, source, -cents),)


def book(accounts: Mapping[str, int], transfers: Iterable[Transfer], *, overdraw: bool = False) -> dict[str, int]:
    """The accounts after transfers. That a seat's account goes below zero is a mistake of ours, unless `overdraw`
    asks how far below it would go."""
    after = dict(accounts)
    sources = set()
    for transfer in transfers:
        assert transfer.cents > 0, transfer
        after[transfer.source] = after.get(transfer.source, 0) - transfer.cents
        after[transfer.target] = after.get(transfer.target, 0) + transfer.cents
        sources.add(transfer.source)
    for account in () if overdraw else sources:
        assert after[account] >= 0 or not account.startswith("seat:"), f"{account} would be {after[account]}"
    return after


def netted(transfers: Iterable[Transfer]) -> tuple[Transfer, ...]:
    """The same moves, at most one between any two accounts, in a settled order."""
    between: dict[tuple[str, str], int] = {}
    for transfer in transfers:
        pair = (transfer.source, transfer.target)
        back = (transfer.target, transfer.source)
        if back in between:
            between[back] -= transfer.cents
        else:
            between[pair] = between.get(pair, 0) + transfer.cents
    moved = [move(source, target, cents) for (source, target), cents in sorted(between.items())]
    return tuple(transfer for each in moved for transfer in each)
