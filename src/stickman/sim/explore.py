"""The felt and a strategy, read edge by edge into the table that the kernel runs: as much of it as sessions meet.

A state is where a player stands between two rolls. While there is money for every wish, money is no part of it:
such a state is *deep*. Where a wish might not be paid for, equity belongs to the state, which is then *thin*. Every
edge is asked of the felt once; a thin edge on which all wishes are paid for is that of the deep state.
"""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

import numpy as np

from stickman.rules.dice import ROLLS
from stickman.rules.felt import SETS, Hand, Reason
from stickman.rules.layout import Layout
from stickman.sim import kernel
from stickman.sim.kernel import Int64s
from stickman.sim.play import Game, Settled, Standing, worth
from stickman.sim.strategy import NEVER_CENTS, Strategy, Wish

STATES_MAX = 50_000
"""By default: about 200 MB. The kernel itself can count a few more."""
NO_EQUITY = -1
"""In the key of a deep state."""


class Key(NamedTuple):
    """What tells states apart; the order in which wagers were placed does not."""

    hand: Hand
    wagers: frozenset[object]
    banned: bool
    memory: object
    equity_cents: int


class Edge(NamedTuple):
    """An edge, and how much equity after the roll pays for every wish."""

    to: int
    change_cents: int
    handle_cents: int
    needs_cents: int


class Full(Exception):
    """No more states or amounts fit into the table."""


class Explorer:
    """The table of one strategy at one table of craps, as far as it is known."""

    def __init__(self, layout: Layout, strategy: Strategy, states_max: int = STATES_MAX) -> None:
        self.refusals: set[tuple[str, Reason]] = set()
        """What the felt refused while it was explored."""
        self.game = Game(layout, strategy, self._note)
        self.states_max = min(states_max, kernel.STATES_MAX)
        self.table = np.full(64 * kernel.FACES, kernel.UNKNOWN, np.int64)
        self.crossings = np.full(3 * 64, -1, np.int64)
        self.thin_cents = 0
        """Equity under this belongs to the state."""
        self._crossed: dict[tuple[int, int], int] = {}
        self._starts: dict[tuple[int, int], int] = {}
        self._numbers: dict[Key, int] = {}
        self._states: list[tuple[Standing, int]] = [(self.game.sit_down(), NO_EQUITY)]  # broke: never asked
        self._needs = np.zeros_like(self.table)
        self._keeps_seen = not SETS.keys().isdisjoint(layout.bets)

    def __len__(self) -> int:
        return len(self._states)

    def copy(self) -> Explorer:
        """An explorer that knows as much, and learns by itself; what is refused is noted for both."""
        twin = copy(self)
        known = {name: value for name, value in vars(self).items() if isinstance(value, (np.ndarray, dict, list))}
        vars(twin).update({name: value.copy() for name, value in known.items()})
        return twin

    def equities(self) -> Int64s:
        """By state, the equity that belongs to it."""
        return np.array([equity for _, equity in self._states], np.int64)

    def start(self, bankroll_cents: int) -> int:
        """The state in which a session starts."""
        known = self._starts.get((bankroll_cents, self.thin_cents))
        return self._start(bankroll_cents) if known is None else known

    def _start(self, bankroll_cents: int) -> int:
        standing = self.game.sit_down()
        betted = self.game.bet(standing, NEVER_CENTS)
        self._deepen(NEVER_CENTS - betted.least_cents)
        equity = NO_EQUITY
        if bankroll_cents < self.thin_cents:
            equity, betted = bankroll_cents, self.game.bet(standing, bankroll_cents)
        found = kernel.BROKE if betted.is_broke else self._number(betted.standing, equity)
        self._starts[bankroll_cents, self.thin_cents] = found
        return found

    def fill(self, state: int, roll: int) -> None:
        """Ask the felt for an edge."""
        standing, equity = self._states[state]
        edge = self._deep_edge(self._number(standing), roll)
        if equity != NO_EQUITY:
            to = self._thin_target(standing, roll, edge, equity + edge.change_cents)
            self._put(state * kernel.FACES + roll, to, edge)

    def cross(self, state: int, equity_cents: int) -> int:
        """The thin state of a deep one at an equity; a thin state is its own."""
        standing, equity = self._states[state]
        if equity != NO_EQUITY:
            return state
        thin = self._crossed.get((state, equity_cents))
        if thin is None:
            thin = self._crossed[state, equity_cents] = self._number(standing, equity_cents)
            if 2 * len(self._crossed) > len(self.crossings) // 3:
                self._widen_crossings()
            kernel.put_crossing(self.crossings, state, equity_cents, thin)
        return thin

    def _deep_edge(self, deep: int, roll: int) -> Edge:
        """What a roll does where money is no matter, then all wishes."""
        at = deep * kernel.FACES + roll
        if self.table[at] != kernel.UNKNOWN:
            return Edge(*kernel.unpack(int(self.table[at])), int(self._needs[at]))
        settled = self._settled(self._states[deep][0], roll)
        betted = self.game.bet(settled.standing, NEVER_CENTS)
        needs = worth(settled.standing.felt) + NEVER_CENTS - betted.least_cents
        edge = Edge(self._number(betted.standing), settled.change_cents, settled.handle_cents, needs)
        self._put(at, edge.to, edge)
        self._needs[at] = needs
        self._deepen(needs - edge.change_cents)
        return edge

    def _thin_target(self, standing: Standing, roll: int, edge: Edge, equity: int) -> int:
        """Where an edge leads with this equity after the roll: bets that cannot be paid for are not made."""
        if equity >= edge.needs_cents:
            return edge.to if equity >= self.thin_cents else self._number(self._states[edge.to][0], equity)
        self._deepen(edge.needs_cents)
        settled = self._settled(standing, roll)
        betted = self.game.bet(settled.standing, equity - worth(settled.standing.felt))
        return kernel.BROKE if betted.is_broke else self._number(betted.standing, equity)

    def _settled(self, standing: Standing, roll: int) -> Settled:
        """A roll on the felt; the hand then keeps no more than legality asks: whether it has begun, whether the
        last roll was a 7, and, where a bet asks, the totals since."""
        settled = self.game.roll(standing, ROLLS[roll])
        hand = settled.standing.hand
        last = hand.last_total if hand.after_seven else 2
        seen = hand.seen if self._keeps_seen else frozenset[int]()
        plain = Hand(hand.puck, min(hand.rolls, 1), hand.since_point, last, seen)
        return settled._replace(standing=settled.standing._replace(hand=plain))

    def _put(self, at: int, to: int, edge: Edge) -> None:
        packed = kernel.pack(to, edge.change_cents, edge.handle_cents)
        if packed == kernel.UNKNOWN:
            raise Full
        self.table[at] = packed

    def _deepen(self, thin_cents: int) -> None:
        """Let equity belong to states up to here. What thin states were known to lead to no longer holds."""
        if thin_cents <= self.thin_cents:
            return
        self.thin_cents = thin_cents
        for state, (_, equity) in enumerate(self._states):
            if equity != NO_EQUITY:
                self.table[state * kernel.FACES : (state + 1) * kernel.FACES] = kernel.UNKNOWN

    def _number(self, standing: Standing, equity: int = NO_EQUITY) -> int:
        """The number of a state, new or known."""
        hand, felt, memory = standing
        key = Key(hand, frozenset(felt.wagers.items()), felt.dont_pass_banned, memory, equity)
        number = self._numbers.get(key)
        if number is None:
            number = len(self._states)
            if number == self.states_max:
                raise Full
            self._numbers[key] = number
            self._states.append((standing, equity))
            if len(self._states) * kernel.FACES > len(self.table):
                self.table = np.concatenate([self.table, np.full_like(self.table, kernel.UNKNOWN)])
                self._needs = np.concatenate([self._needs, np.zeros_like(self._needs)])
        return number

    def _widen_crossings(self) -> None:
        self.crossings = np.full(2 * self.crossings.size, -1, np.int64)
        for (state, equity), thin in self._crossed.items():
            kernel.put_crossing(self.crossings, state, equity, thin)

    def _note(self, wish: Wish, reason: Reason) -> None:
        self.refusals.add((wish.spot, reason))
