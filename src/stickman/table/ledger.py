"""Double entry: money only moves from one account to another, and all accounts add up to zero. Also the keys of
accounts, meters and claims, which are text in journals and databases and are only made and read here.

`cash`, `tickets` and `drawer:BADGE` (cash that a member of staff answers for) are outside: money that comes in is
moved from them. `seat:N:credit`, `seat:N:felt` and `seat:N:printing` (credit on its way to a ticket) are the
player's. `house`, `commission`, `breakage`, `tips`, `envy`, `handpay`, `shortfall` and
`progressive:METER` (by the meter's key, with its `:reserve`) are the casino's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from msgspec import Struct


class Transfer(Struct, frozen=True):
    """Cents that move from one account to another."""

    source: str
    target: str
    cents: int


class StoredKey(NamedTuple):
    """The parts of a stored key: `seat:3:credit`, `drawer:badge-7`, `progressive:make_em_all/100/MEA-01:reserve`,
    `ticket:0123:issued`, `jackpot:make_em_all/100/MEA-01:2`."""

    kind: str
    owner: str = ""
    """The number of a seat, a badge, a bet, the key of a progressive meter, the number of a ticket."""
    part: str = ""


def key_of(text: str) -> StoredKey:
    return StoredKey(*text.split(":", 2))


# Accounts


def credit(seat: int) -> str:
    return f"seat:{seat}:credit"


def felt(seat: int) -> str:
    return f"seat:{seat}:felt"


def printing(seat: int) -> str:
    return f"seat:{seat}:printing"


def drawer(badge: str) -> str:
    return f"drawer:{badge}"


def progressive(meter: str) -> str:
    return f"progressive:{meter}"


def reserve(meter: str) -> str:
    return f"progressive:{meter}:reserve"


def is_shared(account: str) -> bool:
    """Whether several streams share an account; its balance is the sum over them."""
    return account.startswith(("progressive:", "drawer:"))


def is_seats(account: str) -> bool:
    return account.startswith("seat:")


# Meters and claims


def seat_meter(seat: int, what: str) -> str:
    return f"seat:{seat}:{what}"


@lru_cache(maxsize=1 << 12)  # a roll reads hundreds
def bet_meter(bet: str, what: str) -> str:
    return f"bet:{bet}:{what}"


def no_roll_meter(reason: str) -> str:
    return f"no_roll:{reason}"


def ticket_claim(number: str, what: str) -> str:
    """`issued`, `printed`, or `redeemed`."""
    return f"ticket:{number}:{what}"


def hold_claim(number: str, what: Literal["held", "released"], hold: int) -> str:
    """An acceptor holds a ticket for the time after this many holds, or lets go of it."""
    return f"ticket:{number}:{what}:{hold}"


def jackpot_claim(meter: str, hit: int | str = "") -> str:
    """Without a hit: the prefix of all claims of the meter."""
    return f"jackpot:{meter}:{hit}"


# Sums

HOLD = ("house", "commission", "breakage", "envy", "progressive")
"""The kinds of accounts where the money is that players lost; dealers and meters get their part of it there."""


def hold_cents(accounts: Mapping[str, int]) -> int:
    """What a table has won: stakes taken and fees, less wins paid."""
    return sum(cents for account, cents in accounts.items() if key_of(account).kind in HOLD)


def handle_cents(play_meters: Mapping[str, int]) -> int:
    """What was wagered at a table."""
    counted = ((key_of(meter), cents) for meter, cents in play_meters.items())
    return sum(cents for key, cents in counted if (key.kind, key.part) == ("seat", "handle"))


# Moves


def move(source: str, target: str, cents: int) -> tuple[Transfer, ...]:
    """A move of this many cents; a negative amount moves the other way, zero moves nothing."""
    if cents == 0:
        return ()
    return (Transfer(source, target, cents) if cents > 0 else Transfer(target, source, -cents),)


def book(accounts: Mapping[str, int], transfers: Iterable[Transfer], *, overdraw: bool = False) -> dict[str, int]:
    """The accounts after transfers. A seat's account must not go below zero; `overdraw` computes how far it
    would."""
    after = dict(accounts)
    sources = set()
    for transfer in transfers:
        assert transfer.cents > 0, transfer
        after[transfer.source] = after.get(transfer.source, 0) - transfer.cents
        after[transfer.target] = after.get(transfer.target, 0) + transfer.cents
        sources.add(transfer.source)
    for account in () if overdraw else sources:
        assert after[account] >= 0 or not is_seats(account), f"{account} would be {after[account]}"
    return after


def netted(transfers: Iterable[Transfer]) -> tuple[Transfer, ...]:
    """The same moves, sorted, at most one between any two accounts."""
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
