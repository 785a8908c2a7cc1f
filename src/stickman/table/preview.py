"""What the next roll would do to seats, for each of the 36 rolls and for each total."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from stickman.rules import felt as felts
from stickman.rules.dice import ROLLS, Roll, hard, ways
from stickman.rules.felt import Felt, Hand, Wager
from stickman.rules.layout import Layout
from stickman.rules.schema import meter_name
from stickman.table.asking import layout_of
from stickman.table.round import would_sit_out
from stickman.table.state import Seat, Table


class Fate(NamedTuple):
    """What a roll would pay, take and return at seats; a meter's money is not included."""

    win_cents: int = 0
    lose_cents: int = 0
    back_cents: int = 0
    meters: tuple[str, ...] = ()


BETS_CLOSED = ("closed", "shooting", "thrown")
"""The phases before the roll counts."""


class Way(NamedTuple):
    """Rolls of a total with the same result."""

    how: Literal["any", "hard", "easy", "dice"]
    dice: tuple[str, ...]
    fate: Fate


def sits_next_out(table: Table, seat: Seat) -> bool:
    """Whether the seat sits out the roll: its working main wagers are under the table minimum (ruling 16)."""
    if table.phase in BETS_CLOSED:
        return seat.last.sits_out
    return table.phase == "betting" and would_sit_out(table, seat)


def preview(table: Table, *seats: Seat) -> dict[Roll, Fate]:
    """What each of the 36 rolls would do to these seats together, with the Power Odds shown. Wagers do not affect
    each other, so each is rolled separately and cached."""
    power = power_that_counts(table)
    won, lost, back = [0] * len(ROLLS), [0] * len(ROLLS), [0] * len(ROLLS)
    meters: dict[int, tuple[str, ...]] = {}
    for seat in seats:
        sits_out = sits_next_out(table, seat)
        for wager in seat.felt.wagers.values():
            for roll, fate in _fates(layout_of(table), table.hand.puck, wager, power, sits_out):
                won[roll] += fate.win_cents
                lost[roll] += fate.lose_cents
                back[roll] += fate.back_cents
                meters[roll] = meters.get(roll, ()) + fate.meters
    return {roll: Fate(won[n], lost[n], back[n], meters.get(n, ())) for n, roll in enumerate(ROLLS)}


def power_that_counts(table: Table) -> tuple[tuple[str, str], ...]:
    """The Power Odds of the coming roll, once bets are closed."""
    return tuple(sorted(table.power.items())) if table.phase in BETS_CLOSED else ()


@lru_cache(maxsize=1024)
def _fates(
    layout: Layout, puck: int, wager: Wager, power: tuple[tuple[str, str], ...], sits_out: bool
) -> list[tuple[int, Fate]]:
    """By number of a roll that affects the wager: what it does."""
    seat = felts.Situation(layout, Hand(puck), Felt({layout.states[wager.state].spot: wager}))
    found = []
    for roll in ROLLS:
        for line in felts.roll(seat, roll, dict(power), sits_out=sits_out).lines:
            meters = (meter_name(line.meter),) if line.meter else ()
            fate = Fate(line.payment.paid_cents, line.taken_cents, line.returned_cents, meters)
            found.append((roll.number, fate))
    return found


def alike(total: int, fates: dict[Roll, Fate]) -> tuple[Way, ...]:
    """The rolls of a total, grouped by result."""
    groups: dict[Fate, list[Roll]] = {}
    for roll in ways(total):
        groups.setdefault(fates[roll], []).append(roll)
    found = []
    for fate, rolls in groups.items():
        pairs = sum(roll.is_pair for roll in rolls)
        how: Literal["any", "hard", "easy", "dice"] = "dice"
        if len(groups) == 1:
            how = "any"
        elif pairs == len(rolls):
            how = "hard"
        elif len(groups) == 2 and not pairs and hard(total):
            how = "easy"
        found.append(Way(how, tuple(map(str, rolls)), fate))
    return tuple(found)
