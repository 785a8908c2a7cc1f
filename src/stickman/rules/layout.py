"""A compiled game: its bets with their cells, states, pays and limits. The game's policies are applied here, except
whether a wager works on a roll, which only `working` decides."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property, partial
from math import lcm
from operator import attrgetter

from msgspec import Struct

from stickman.rules.bets import catalogue
from stickman.rules.cells import Cell, Cells, lay
from stickman.rules.dice import Roll
from stickman.rules.game import Game
from stickman.rules.machine import Bet, Drawn, How, Opens, Slot, moves, row, rows_of
from stickman.rules.money import NOTHING, Pays
from stickman.rules.paytable import PayRow, PowerRow
from stickman.rules.schema import Limits


@dataclass(frozen=True, slots=True)
class Pay:
    """One pay of the game, per unit of stake."""

    slot: str
    pays: Pays
    """As printed; `ratio` has what Power Odds shows."""
    source: str
    commission: Fraction = NOTHING
    """Kept from the win, per unit of stake."""
    group: str = ""
    """The Power Odds group that may improve it for a roll."""
    low: Fraction = NOTHING
    high: Fraction = NOTHING
    power_source: str = ""
    meter: str = ""
    """The key of the progressive meter that is paid in full."""
    reset: Fraction = NOTHING
    """That meter's reset value, in base wagers."""
    envy: str = ""
    envy_multiple: int = 0

    def ratio(self, shown: str = "") -> Fraction:
        """What is paid while Power Odds shows `low`, `high` or nothing for the group."""
        return {"low": self.low, "high": self.high}.get(shown, self.pays.ratio)


UNPAID = Pay("", Pays(NOTHING), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidBet(Bet):
    """A bet as this game plays it."""

    limits: Limits
    fee: Fraction
    """Upfront commission per unit of stake."""
    states: tuple[str, ...]
    """The keys of its states, in the order of its machine's."""
    starts: tuple[str, ...]

    @property
    def step_cents(self) -> int:
        """Stakes are multiples of this: each part of the bet is a multiple of the step (ruling 7)."""
        return self.limits.step_cents * self.parts

    @property
    def limits_shown(self) -> Limits:
        """The least and the most possible stake in whole steps, for screens and placards."""
        step = self.step_cents
        low, high = -(-self.limits.min_cents // step) * step, self.limits.max_cents // step * step
        return Limits(min_cents=low, max_cents=high, step_cents=step)


class LaidState(Struct, frozen=True):
    key: str
    """Its name in the whole layout and in journals: `pass 4`, or only `field` if the bet has one state."""
    number: int
    """Its place in the cells, which another game may number differently."""
    bet: str
    name: str
    spot: str
    locked: bool
    """The wager is a contract: no increase, reduction or removal."""
    point: int
    hits: tuple[int, ...]
    count: int
    drawn: Drawn | None


class Switch(enum.StrEnum):
    """How the player has set a wager's on/off marker."""

    UNTOUCHED = "untouched"
    ON = "on"
    OFF = "off"


def working(bet: LaidBet, *, switch: Switch, puck: int, lain_before: bool) -> How:
    """Whether a wager works on the coming roll: the only place where the table's puck affects a wager. The marker
    decides. If it is untouched, wagers from before a come-out rest on that roll if the game chose so (RULES 6,
    ruling 4)."""
    rests = bet.rests_on_come_out and lain_before and puck == 0
    if switch is Switch.OFF or (switch is Switch.UNTOUCHED and rests):
        return How.OFF
    return How.POINT_ON if puck else How.COME_OUT


@dataclass(frozen=True, eq=False)
class Layout:
    game: Game
    fingerprint: str
    bets: Mapping[str, LaidBet]
    states: Mapping[str, LaidState]
    """By key, in the order of the cells."""
    cells: Cells
    pays: tuple[Pay, ...]
    """By pay number of the cells."""
    puck_next: Mapping[int, tuple[int, ...]]
    """By puck (0: off): where each of the 36 rolls moves it."""

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """By number: the keys of the states."""
        return tuple(self.states)

    @cached_property
    def bet_at(self) -> dict[str, LaidBet]:
        """By state: its bet."""
        return {key: self.bets[state.bet] for key, state in self.states.items()}

    @cached_property
    def bet_on(self) -> dict[str, LaidBet]:
        """By spot: the bet whose wagers it holds."""
        return {state.spot: self.bets[state.bet] for state in self.states.values()}

    @cached_property
    def odds_of(self) -> dict[str, str]:
        """By state of a flat bet: the state in which odds behind it start."""
        found = {}
        for bet in self.bets.values():
            for odds in bet.states if bet.flat else ():
                for state in self.bets[bet.flat].states:
                    if self.states[state].point == self.states[odds].point:
                        found[state] = odds
        return found

    @cached_property
    def flat_of(self) -> dict[str, str]:
        """By state of odds: the state of the flat bet they back."""
        return {odds: flat for flat, odds in self.odds_of.items()}

    @cached_property
    def any_time(self) -> frozenset[str]:
        """The main bets that may be placed before any roll."""
        return frozenset(bet.id for bet in self.bets.values() if bet.opens is Opens.ANY_ROLL and not bet.side)

    @cached_property
    def excluders(self) -> dict[str, frozenset[str]]:
        """By bet: the spots whose wagers exclude it."""
        on = {bet.id: [spot for spot, there in self.bet_on.items() if there is bet] for bet in self.bets.values()}
        return {
            bet.id: frozenset(spot for other in bet.excluded_by for spot in on.get(other, ()))
            for bet in self.bets.values()
        }

    @cached_property
    def pressable(self) -> dict[int, str]:
        """By number: the bet that the number buttons place, on offer or not."""
        return {bet.number: bet.id for bet in catalogue(self.game) if bet.pressable}

    @cached_property
    def pairs(self) -> dict[str, Roll]:
        """By bet, on offer or not: the pair for which screens count the rolls since it was last rolled."""
        return {bet.id: Roll(*bet.drawn.dice) for bet in catalogue(self.game) if bet.counts_since}

    def even_cents(self, state: str) -> int:
        """The least stake in a state that pays evenly: each of its wins is then a multiple of the bet's step, and
        its commission a whole number of cents (ruling 59)."""
        if state not in self._even:
            self._even[state] = self._least_even(state)
        return self._even[state]

    @cached_property
    def _even(self) -> dict[str, int]:
        """By state, as they are asked for."""
        return {}

    def _least_even(self, state: str) -> int:
        bet = self.bet_at[state]
        step, unit = bet.step_cents, bet.limits.step_cents
        number = self.states[state].number
        rows = (self.cells.pay[self.cells.row_slice(number, how)] for how in How)
        pays = [self.pays[slot] for slot in set[int]().union(*rows) if slot and not self.pays[slot].meter]
        wins = [Fraction(step, unit) * pay.ratio() for pay in pays]
        commissions = [step * rate for rate in (bet.fee, *(pay.commission for pay in pays))]
        return step * lcm(*(exact.denominator for exact in (*wins, *commissions)))

    def row(self, state: str, how: How) -> list[Cell]:
        """What each of the 36 rolls does to a wager in this state."""
        return self.cells.row(self.states[state].number, how)

    def state_at(self, number: int) -> LaidState:
        return self.states[self.keys[number]]

    def win_pay(self, state: str) -> Pay:
        """The pay of a state that has only one."""
        [number] = {cell.pay for cell in self.row(state, How.POINT_ON) if cell.pay}
        return self.pays[number]


def lay_out(game: Game) -> Layout:
    """Compile every bet that the game offers."""
    bets = tuple(bet for bet in catalogue(game) if game.offers(bet))
    printed = game.pay_rows()
    for_one = frozenset(name for name, row in printed.items() if row.pays.for_one)
    cells = lay(tuple((bet.id, bet.machine) for bet in bets), for_one, game.stay_up)
    power = game.power_table()
    families = {row: bet.family for bet in bets for row in rows_of(bet.machine)}
    pay = partial(_pay, game, printed, power.rows if power else {})
    return Layout(
        game,
        game.fingerprint(),
        {bet.id: _laid(bet, game, printed) for bet in bets},
        {state.key: state for bet in bets for state in _laid_states(bet, cells.states[bet.id])},
        cells,
        tuple(pay(slot, families[slot.row]) if slot else UNPAID for slot in cells.slots),
        puck(game.point_numbers),
    )


def puck(points: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    """The puck is a machine too: off until a point is set, off again on that point or a 7 (IB 4.1.1)."""
    off = row(*(moves(str(p)).on(p) for p in points))
    on = {p: row(moves("0").on(p, 7)) for p in points}
    return {at: tuple(int(o.to or at) for o in cells) for at, cells in {0: off, **on}.items()}


def _pay(game: Game, printed: Mapping[str, PayRow], power: Mapping[str, PowerRow], slot: Slot, family: str) -> Pay:
    """What a slot pays in this game: the printed pay, less commission, perhaps improved by Power Odds."""
    row, better = printed[slot.row], power.get(slot.row)
    commission = game.commission_of(family)
    on_win = commission is not None and commission.when == "on_win"
    meter = row.pays.meter
    return Pay(
        slot.row if slot.parts == 1 else f"{slot.row}/{slot.parts}",
        _in_parts(row.pays, slot.parts),
        row.source,
        commission=commission.of(row.pays.ratio) if commission and on_win else NOTHING,
        group=better.group if better else "",
        low=_in_parts(better.low, slot.parts).ratio if better else NOTHING,
        high=_in_parts(better.high, slot.parts).ratio if better else NOTHING,
        power_source=better.source if better else "",
        meter=game.meter(family) if meter else "",
        reset=Fraction(game.seed_cents(family), 100) if meter else NOTHING,
        envy=row.envy or "",
        envy_multiple=row.envy_multiple,
    )


def _in_parts(pays: Pays, parts: int) -> Pays:
    """The pay of the whole stake if one of its equal parts wins and the others lose (ruling 7)."""
    return pays if parts == 1 else Pays((pays.ratio - (parts - 1)) / parts)


def _key(bet: Bet, name: str) -> str:
    return f"{bet.id} {name}" if len(bet.machine.states) > 1 else bet.id


def _laid_states(bet: Bet, numbers: range) -> Iterator[LaidState]:
    for number, (name, state) in zip(numbers, bet.machine.states.items(), strict=True):
        yield LaidState(
            _key(bet, name),
            number,
            bet.id,
            name,
            state.spot or bet.id,
            bet.contract == "point" and name not in bet.machine.starts,
            state.point,
            state.hits,
            state.count,
            state.drawn,
        )


DECLARED = attrgetter(*(field.name for field in fields(Bet)))


def _laid(bet: Bet, game: Game, printed: Mapping[str, PayRow]) -> LaidBet:
    commission = game.commission_of(bet.family)
    upfront = commission is not None and commission.when == "upfront"
    return LaidBet(
        *DECLARED(bet),
        limits=game.limits_of(bet),
        fee=commission.of(printed[bet.id].pays.ratio) if commission and upfront else NOTHING,
        states=tuple(_key(bet, name) for name in bet.machine.states),
        starts=tuple(_key(bet, name) for name in bet.machine.starts),
    )
