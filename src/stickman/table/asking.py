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


def stakes_of(layout: Layout, felt: Felt) -> dict[str, int]:
    """By spot: the stakes that Repeat or a favourite may place again: no wager that has travelled, no mark."""
    return {s: w.stake_cents for s, w in felt.wagers.items() if s in layout.bets and not w.released}


# --- Who may bet now ---


def no_seat(table: Table, number: int) -> Refused | None:
    seats = len(table.seats)
    return None if 1 <= number <= seats else Refused(Refusal.NO_SUCH_SEAT, Detail.SEATS(seats=seats))


def table_stops(table: Table) -> Refused | None:
    """An open door of the table, or one that is not trusted, stops betting and money at the whole table (ruling
    43)."""
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


def printer_busy(table: Table, seat: int) -> Refused | None:
    return Refused(Refusal.PRINTING) if table.seat(seat).terminal.printing else None


def no_key(table: Table, number: int, facts: Facts) -> Refused | None:
    """Why staff may not do what needs the key switch of a seat. Where there is none, two people replace it. One
    that is not connected counts as off."""
    if table.seat(number).terminal.key and facts.key(number) == "ready":
        return None
    return _no_switch(facts, has_switch=facts.key(number) != "none")


def no_key_of_table(table: Table, facts: Facts) -> Refused | None:
    """The same for any key of the table."""
    turned = [0] * table.key + [seat.number for seat in table.seats if seat.terminal.key]
    if any(facts.key(number) == "ready" for number in turned):
        return None
    return _no_switch(facts, has_switch=facts.keys is None or bool(facts.keys))


def _no_switch(facts: Facts, *, has_switch: bool) -> Refused | None:
    if has_switch:
        return Refused(Refusal.NEEDS_KEY)
    return Refused(Refusal.NEEDS_TWO) if facts.approver in ("", facts.actor) else None


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
