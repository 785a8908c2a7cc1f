"""Reads the felt and a strategy into the array of edges that the kernel runs, as far as sessions need it.

A state is the player's position between two rolls. An *edge* is what one roll does in one state: the change of
money, the handle and the next state; `at` is always the index of an edge, state x 36 + roll. If there is money for
every wish, money is not part of the state, and the state is called *deep*. If a wish might be too expensive, the
state includes the equity and is called *thin*. The felt is asked once for each edge of a deep state. The same edge
of a thin state has the same change of money; if the player can afford all wishes it leads to the same position,
otherwise the felt is asked again.

If Power Odds matters to a roll, its edge is a *fork*, which names what to draw and where the edges of the draws
begin: they fill separate rows, like those of a state. The wagers that a session leaves are states too, in which the
player does not bet.
"""

from __future__ import annotations

from copy import copy
from math import gcd
from typing import NamedTuple

import numpy as np

from stickman.rules.dice import ROLLS
from stickman.rules.felt import Hand, Reason
from stickman.rules.layout import Layout
from stickman.sim import kernel
from stickman.sim.dice import SHOWN, power_groups
from stickman.sim.kernel import Int64s
from stickman.sim.play import LEFT, PlayedGame, Score, SettledPlayer, Standing, count
from stickman.sim.strategy import UNLIMITED_CENTS, Strategy, Wish

STATES_MAX = 50_000
"""The default: about 200 MB. `kernel.STATES_MAX` is the most that fits into an edge."""
NO_EQUITY = -1
"""In the key of a deep state."""
ANY_OTHER_TOTAL = 2
"""For a last roll that was not a 7."""


class Key(NamedTuple):
    """What distinguishes states; the order of the wagers does not."""

    hand: Hand
    wagers: frozenset[object]
    banned: bool
    memory: object
    equity_cents: int


class Edge(NamedTuple):
    """An edge, and the least equity after the roll with which every wish can be paid."""

    to: int
    change_cents: int
    handle_cents: int
    needs_cents: int


class Shown(NamedTuple):
    """Rows that a fork leads to: an edge for each draw of Power Odds. They take the places of states, but no player
    stands there."""

    state: int
    roll: int
    groups: tuple[str, ...]
    begins: int

    def power(self, at: int) -> dict[str, str]:
        found, draw = {}, at - self.begins
        for group in reversed(self.groups):
            draw, number = divmod(draw, kernel.SHOWS)
            found[group] = SHOWN[number]
        return {group: shows for group, shows in found.items() if shows}


class Full(Exception):
    """The table has no room for another state or a larger amount."""


class Explorer:
    """The known part of the table of one strategy in one game."""

    def __init__(self, layout: Layout, strategy: Strategy, states_max: int = STATES_MAX) -> None:
        self.refusals: set[tuple[str, Reason]] = set()
        """What the felt refused while it was explored."""
        self.game = PlayedGame(layout, strategy, self._note)
        self.states_max = min(states_max, kernel.STATES_MAX)
        self.table = np.full(64 * kernel.ROLL_COUNT, kernel.UNKNOWN, np.int64)
        """The edges, as the kernel packs them."""
        self.pairs = np.zeros(kernel.P_SIZE, np.int64)
        """Two rolls at a time, with money in units; zero: not known yet."""
        self.pair_lists = np.zeros(kernel.P_SIZE, np.int32)
        """The lists of scores of the same two rolls."""
        self.unit_cents = 0
        """Every change and handle so far is a multiple of this; zero if there was none."""
        self.crossings = np.full(3 * 64, -1, np.int64)
        """By deep state and equity, the thin state: a hash table of triples."""
        self.thin_cents = 0
        """Equity below this is part of the state."""
        self.bets: list[str] = []
        """The decided bets, each a column of the tally."""
        self.lists = np.zeros_like(self.table)
        self.follows = np.full_like(self.table, -1)
        self.begins = np.zeros(2, np.int64)
        self.scores = np.zeros((64, 4), np.int64)
        """`lists`, `follows`, `begins` and `scores` are what is counted by bet, as in `kernel.KernelTally`."""
        self._lists: dict[tuple[tuple[int, ...], ...], int] = {(): 0}
        self._groups = power_groups(layout.game)
        self._has_forks = False
        self._crossed: dict[tuple[int, int], int] = {}
        self._starts: dict[tuple[int, int], int] = {}
        self._numbers: dict[Key, int] = {}
        # State 0 is kernel.BROKE: the player cannot bet, or has left no wager. None of its edges is filled.
        self._states: list[tuple[Standing | Shown, int]] = [(self.game.sit_down(), NO_EQUITY)]
        self._needs = np.zeros_like(self.table)
        self._keeps_seen = any(bet.reopens for bet in layout.bets.values())

    def __len__(self) -> int:
        return len(self._states)

    def copy(self) -> Explorer:
        """An explorer with the same knowledge that learns separately; both share the set of refusals."""
        twin = copy(self)
        known = {name: value for name, value in vars(self).items() if isinstance(value, (np.ndarray, dict, list))}
        vars(twin).update({name: value.copy() for name, value in known.items()})
        return twin

    def may_sprint(self) -> bool:
        """Whether the table can be run by pairs of rolls: it has no forks and few lists of scores."""
        return not self._has_forks and len(self._lists) < kernel.LISTS_MAX

    def is_state(self, number: int) -> bool:
        """Whether this is a state of the player, not a row of draws."""
        return isinstance(self._states[number][0], Standing)

    def equities(self) -> Int64s:
        return np.array([equity for _, equity in self._states], np.int64)

    def start(self, bankroll_cents: int) -> int:
        known = self._starts.get((bankroll_cents, self.thin_cents))
        return self._start(bankroll_cents) if known is None else known

    def _start(self, bankroll_cents: int) -> int:
        standing = self.game.sit_down()
        betted = self.game.bet(standing, UNLIMITED_CENTS)
        self._raise_thin(UNLIMITED_CENTS - betted.least_cents)
        equity = NO_EQUITY
        if bankroll_cents < self.thin_cents:
            equity, betted = bankroll_cents, self.game.bet(standing, bankroll_cents)
        found = kernel.BROKE if betted.is_broke else self._number(betted.standing, equity)
        self._starts[bankroll_cents, self.thin_cents] = found
        return found

    def fill(self, at: int) -> None:
        """Ask the felt for an edge; if Power Odds matters to it, make room for the edges of the draws."""
        place, equity = self._states[at // kernel.ROLL_COUNT]
        if isinstance(place, Shown):
            power, roll = place.power(at), place.roll
            standing = self._standing(place.state)
        else:
            power, roll, standing = None, at % kernel.ROLL_COUNT, place
        if power is None and (groups := self.game.groups(standing, ROLLS[roll])):
            self._fork(at, groups)
        elif standing.memory is LEFT:
            self._fill_left(at, standing, roll, power or {})
        else:
            deep = at if equity == NO_EQUITY else self._deep_at(standing, roll, power)
            edge = self._deep_edge(deep, standing, roll, power or {})
            if equity != NO_EQUITY:
                to = self._thin_target(standing, roll, power or {}, edge, equity + edge.change_cents)
                self._put(at, to, edge)
                self.lists[at] = self.lists[deep]

    def leave(self, at: int) -> None:
        """Record the wagers that a session leaves when it ends on this edge."""
        place, _ = self._states[at // kernel.ROLL_COUNT]
        if isinstance(place, Shown):
            settled = self._settled(self._standing(place.state), place.roll, place.power(at))
        else:
            settled = self._settled(place, at % kernel.ROLL_COUNT, {})
        self.follows[at] = self._left(settled.standing) * kernel.ROLL_COUNT

    def _left(self, standing: Standing) -> int:
        left = self.game.left(standing)
        return self._number(left) if left.felt.wagers else kernel.BROKE

    def _fill_left(self, at: int, standing: Standing, roll: int, power: dict[str, str]) -> None:
        settled = self.game.follow(standing, ROLLS[roll], power)
        to = self._left(settled.standing._replace(hand=self._plain(settled.standing.hand)))
        self._put(at, to, Edge(to, 0, 0, 0))
        self._note_scores(at, settled.scores)

    def _standing(self, state: int) -> Standing:
        standing = self._states[state][0]
        assert isinstance(standing, Standing)
        return standing

    def _fork(self, at: int, groups: frozenset[str]) -> None:
        """Make an edge a fork. Forks stay; the edges of the draws may be forgotten."""
        state, roll = divmod(at, kernel.ROLL_COUNT)
        drawn = tuple(group for group in self._groups if group in groups)
        edges = kernel.SHOWS ** len(drawn)
        begins = len(self._states) * kernel.ROLL_COUNT
        rows = -(-edges // kernel.ROLL_COUNT)
        shown = Shown(state, roll, drawn, begins)
        self._has_forks = True
        for _ in range(rows):
            self._add_row(shown, self._states[state][1])
        self.table[begins + edges : begins + rows * kernel.ROLL_COUNT] = kernel.NEVER
        self.table[at] = kernel.pack_fork(sum(1 << self._groups.index(group) for group in drawn), begins)

    def _deep_at(self, standing: Standing, roll: int, power: dict[str, str] | None) -> int:
        """The index of the deep state's edge for the same draw."""
        at = self._number(standing) * kernel.ROLL_COUNT + roll
        if power is None:
            return at
        if self.table[at] == kernel.UNKNOWN:
            self.fill(at)
        _, begins = kernel.unpack_fork(int(self.table[at]))
        shown = self._states[begins // kernel.ROLL_COUNT][0]
        assert isinstance(shown, Shown)
        draw = 0
        for group in shown.groups:
            draw = kernel.SHOWS * draw + SHOWN.index(power.get(group, ""))
        return begins + draw

    def cross(self, state: int, equity_cents: int) -> int:
        """The thin state of a deep one at an equity; a thin state is returned as it is."""
        standing, equity = self._standing(state), self._states[state][1]
        if equity != NO_EQUITY:
            return state
        thin = self._crossed.get((state, equity_cents))
        if thin is None:
            thin = self._crossed[state, equity_cents] = self._number(standing, equity_cents)
            if 2 * len(self._crossed) > len(self.crossings) // 3:
                self._widen_crossings()
            kernel.put_crossing(self.crossings, state, equity_cents, thin)
        return thin

    def _deep_edge(self, at: int, standing: Standing, roll: int, power: dict[str, str]) -> Edge:
        """The edge of a roll followed by all wishes, with unlimited money."""
        if self.table[at] != kernel.UNKNOWN:
            return Edge(*kernel.unpack(int(self.table[at])), int(self._needs[at]))
        settled = self._settled(standing, roll, power)
        betted = self.game.bet(settled.standing, UNLIMITED_CENTS)
        needs = settled.standing.felt.worth_cents + UNLIMITED_CENTS - betted.least_cents
        edge = Edge(self._number(betted.standing), settled.change_cents, settled.handle_cents, needs)
        self._put(at, edge.to, edge)
        self._needs[at] = needs
        self._note_scores(at, settled.scores)
        self._raise_thin(needs - edge.change_cents)  # with less before the roll, a wish could be too expensive
        return edge

    def _thin_target(self, standing: Standing, roll: int, power: dict[str, str], edge: Edge, equity: int) -> int:
        """Where an edge leads with this equity after the roll: bets that are too expensive are skipped."""
        if equity >= edge.needs_cents:
            return edge.to if equity >= self.thin_cents else self._number(self._standing(edge.to), equity)
        self._raise_thin(edge.needs_cents)  # the state after the roll must be thin
        settled = self._settled(standing, roll, power)
        betted = self.game.bet(settled.standing, equity - settled.standing.felt.worth_cents)
        return kernel.BROKE if betted.is_broke else self._number(betted.standing, equity)

    def _settled(self, standing: Standing, roll: int, power: dict[str, str]) -> SettledPlayer:
        settled = self.game.roll(standing, ROLLS[roll], power)
        return settled._replace(standing=settled.standing._replace(hand=self._plain(settled.standing.hand)))

    def _plain(self, hand: Hand) -> Hand:
        """The hand reduced to what legality depends on: the puck, whether the hand has begun, whether a point was
        set, whether the last roll was a 7, whether fresh wagers rest and, if a bet needs them, the totals since the
        last 7."""
        last = hand.last_total if hand.after_seven else ANY_OTHER_TOTAL
        seen = hand.seen if self._keeps_seen else frozenset[int]()
        return Hand(hand.puck, min(hand.rolls, 1), hand.since_point, last, seen, hand.rests)

    def _note_scores(self, at: int, scores: tuple[Score, ...]) -> None:
        """Record an edge's scores, one for each bet."""
        by_bet: dict[str, tuple[int, int, int]] = {}
        count(by_bet, scores)
        for bet in by_bet:
            if bet not in self.bets:
                self.bets.append(bet)
        key = tuple((self.bets.index(bet), *sums) for bet, sums in by_bet.items())
        if key not in self._lists:
            self._lists[key] = len(self._lists)
            self._append(key)
        self.lists[at] = self._lists[key]

    def _append(self, scores: tuple[tuple[int, ...], ...]) -> None:
        begin = int(self.begins[-1])
        end = begin + len(scores)
        if end > len(self.scores):
            self.scores = np.concatenate([self.scores, np.zeros_like(self.scores)])
        self.scores[begin:end] = scores
        self.begins = np.append(self.begins, end)

    def _put(self, at: int, to: int, edge: Edge) -> None:
        packed = kernel.pack(to, edge.change_cents, edge.handle_cents)
        if packed == kernel.UNKNOWN:
            raise Full
        self.table[at] = packed
        unit = gcd(self.unit_cents, edge.change_cents, edge.handle_cents)
        if unit != self.unit_cents:
            self.unit_cents, self.pairs = unit, np.zeros_like(self.pairs)

    def _raise_thin(self, thin_cents: int) -> None:
        """Include equity in states below this amount. The edges of thin states are forgotten, because some lead to
        a deep state with less equity than that; those of deep states stay, because the kernel crosses over on its
        own."""
        if thin_cents <= self.thin_cents:
            return
        self.thin_cents = thin_cents
        for state, (_, equity) in enumerate(self._states):
            if equity != NO_EQUITY:
                row = self.table[state * kernel.ROLL_COUNT : (state + 1) * kernel.ROLL_COUNT]
                row[row >= kernel.PLAIN] = kernel.UNKNOWN

    def _number(self, standing: Standing, equity: int = NO_EQUITY) -> int:
        hand, felt, memory = standing
        key = Key(hand, frozenset(felt.wagers.items()), felt.dont_pass_banned, memory, equity)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self._add_row(standing, equity)
        return number

    def _add_row(self, place: Standing | Shown, equity: int) -> int:
        """Make room for the edges of one more state."""
        number = len(self._states)
        if number == self.states_max:
            raise Full
        self._states.append((place, equity))
        if len(self._states) * kernel.ROLL_COUNT > len(self.table):
            self.table = np.concatenate([self.table, np.full_like(self.table, kernel.UNKNOWN)])
            self.follows = np.concatenate([self.follows, np.full_like(self.follows, -1)])
            self._needs = np.concatenate([self._needs, np.zeros_like(self._needs)])
            self.lists = np.concatenate([self.lists, np.zeros_like(self.lists)])
        return number

    def _widen_crossings(self) -> None:
        self.crossings = np.full(2 * self.crossings.size, -1, np.int64)
        for (state, equity), thin in self._crossed.items():
            kernel.put_crossing(self.crossings, state, equity, thin)

    def _note(self, wish: Wish, reason: Reason) -> None:
        self.refusals.add((wish.spot, reason))
