"""What every decider needs: the compiled game, a seat for the felt, why a seat may do nothing now, and the cost of
a change of felt."""

from __future__ import annotations

from stickman.rules import felt as felts
from stickman.rules import layout as layouts
from stickman.rules.felt import Felt, Reason
from stickman.rules.layout import Layout
from stickman.rules.spoken import Detail
from stickman.table.ledger import Transfer, credit, felt, move
from stickman.table.messages import Event, Facts, Refusal, Refused
from stickman.table.state import Table

Decision = tuple[Event, ...] | Refused
"""The answer to a request."""

_LAYOUTS: dict[str, Layout] = {}
LAYOUTS_KEPT = 64
"""How many compiled games to keep: more than a floor plays at one time."""


def layout_of(table: Table) -> Layout:
    """The table's game, compiled once for each fingerprint."""
    if table.fingerprint not in _LAYOUTS:
        if len(_LAYOUTS) >= LAYOUTS_KEPT:
            del _LAYOUTS[next(iter(_LAYOUTS))]
        _LAYOUTS[table.fingerprint] = layouts.lay_out(table.game)
    return _LAYOUTS[table.fingerprint]


def situation_of(table: Table, number: int) -> felts.Situation:
    """A seat as the felt's rules need it."""
    return felts.Situation(layout_of(table), table.hand, table.seat(number).felt)


# --- Who may bet now ---


def no_seat(table: Table, number: int) -> Refused | None:
    seats = len(table.seats)
    return None if 1 <= number <= seats else Refused(Refusal.NO_SUCH_SEAT, Detail.SEATS(seats=seats))


def table_stops(table: Table) -> Refused | None:
    """An open door of the table stops betting and money at the whole table (ruling 43)."""
    return Refused(Refusal.TABLE_LOCKED_UP) if table.locked_up else None


def no_input(table: Table, number: int, facts: Facts) -> Refused | None:
    """Why a seat takes no input."""
    return no_seat(table, number) or table_stops(table) or terminal_stops(table, number, facts)


def terminal_stops(table: Table, number: int, facts: Facts) -> Refused | None:
    """Why a seat's terminal takes no input."""
    seat = table.seat(number)
    if seat.terminal.lockups:
        return Refused(Refusal.LOCKED_UP, Detail.LOCKUPS(lockups=tuple(sorted(seat.terminal.lockups))))
    if seat.stay.reserved_until_ms > facts.now_ms:
        return Refused(Refusal.RESERVED)
    return None if seat.terminal.linked else Refused(Refusal.NOT_LINKED)


def table_waits(table: Table) -> Refused | None:
    """Why the whole table takes no bets: it is paused, or stopped by a door."""
    return Refused(Refusal.TABLE_PAUSED) if table.paused else table_stops(table)


def no_betting(table: Table, number: int, facts: Facts) -> Refused | None:
    """Why a seat may not bet now."""
    if stop := no_seat(table, number) or table_waits(table):
        return stop
    late = table.deadline_ms and facts.now_ms >= table.deadline_ms
    if table.phase != "betting" or late:
        return Refused(Refusal.WRONG_PHASE, Detail.BETS_CLOSED())
    if stop := no_input(table, number, facts):
        return stop
    return Refused(Refusal.POP_UP_OPEN) if table.seat(number).bet_time.pop_up else None


DETAIL_MAX = 40
"""The most of a client's text that a refusal repeats."""


def refused(reason: Reason, spot: str = "") -> Refused:
    return Refused(reason, spot[:DETAIL_MAX])


# --- Money ---


def moves(number: int, before: Felt, after: Felt) -> tuple[Transfer, ...]:
    """The transfers of a change of felt: stakes to or from the felt, fees to or from commission."""
    stakes = move(credit(number), felt(number), after.money_cents - before.money_cents)
    return stakes + move(credit(number), "commission", after.fees_cents - before.fees_cents)


def cost(before: Felt, after: Felt) -> int:
    """What a change of felt takes from credit; negative if it gives back."""
    return after.money_cents - before.money_cents + after.fees_cents - before.fees_cents


def too_dear(table: Table, number: int, after: Felt) -> Refused | None:
    short = cost(table.seat(number).felt, after) - table.accounts.get(credit(number), 0)
    return Refused(Refusal.CREDIT_SHORT, Detail.SHORT_BY(cents=short)) if short > 0 else None


def asks_fee(table: Table, number: int, after: Felt) -> int:
    return max(0, after.fees_cents - table.seat(number).felt.fees_cents)
