"""A session on the real felt, roll by roll: the reference that compiled play must equal.

Equity is credit and what lies on the felt, fees that may still come back with it. A session ends when the stop loss
or the win goal is reached, when nothing lies and the next bet cannot be paid for (ruin), or when its rolls are
over; what lies then counts in full. Power Odds show nothing, and a meter pays what it is reset to.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import NamedTuple

from msgspec.structs import replace

from stickman.rules import felt as felts
from stickman.rules.dice import Roll
from stickman.rules.felt import Felt, Hand, Line, Reason, Seat
from stickman.rules.layout import Layout
from stickman.rules.machine import How
from stickman.sim.strategy import Bet, Down, Marker, Memory, Sees, Strategy, Terms, Told, Wish, grant


class Ending(enum.IntEnum):
    """Why a session ended, in the order in which it is judged."""

    STOP_LOSS = 0
    WIN_GOAL = 1
    RUIN = 2
    TIME = 3


class Outcome(NamedTuple):
    """What a session came to."""

    net_cents: int
    drawdown_cents: int
    """The deepest fall of equity from where it stood highest before."""
    rolls: int
    handle_cents: int
    ending: Ending


class Standing(NamedTuple):
    """Where a player stands between two rolls."""

    hand: Hand
    felt: Felt
    memory: tuple[Memory, ...]


class Betted(NamedTuple):
    """A player whose bets are made."""

    standing: Standing
    credit_cents: int
    least_cents: int
    """The lowest that credit, less the price of any wish, came to; negative if a wish could not be paid for."""

    @property
    def is_broke(self) -> bool:
        """Whether nothing lies because of a wish that could not be paid for."""
        return self.least_cents < 0 and not self.standing.felt.money_cents


class Settled(NamedTuple):
    """A player after a roll, before new bets."""

    standing: Standing
    change_cents: int
    """Of equity."""
    handle_cents: int


def _lets_pass(wish: Wish, reason: Reason) -> None:
    del wish, reason


class Game(NamedTuple):
    """A strategy at a table."""

    layout: Layout
    strategy: Strategy
    on_refusal: Callable[[Wish, Reason], None] = _lets_pass

    def sit_down(self) -> Standing:
        return Standing(Hand(), Felt(), self.strategy.memory)

    def bet(self, standing: Standing, credit_cents: int) -> Betted:
        """Carry out every wish that the felt allows and credit pays for."""
        hand, felt, memory = standing
        least = credit_cents
        for habit, own in zip(self.strategy.habits, memory, strict=True):
            for wish in habit.wants(Sees(Seat(self.layout, hand, felt), own)):
                if _is_granted(felt, wish):
                    continue
                answer = grant(Seat(self.layout, hand, felt), wish)
                if isinstance(answer, Reason):
                    self.on_refusal(wish, answer)
                    continue
                price = worth(answer) - worth(felt)
                least = min(least, credit_cents - price)
                if price <= credit_cents:
                    felt, credit_cents = answer, credit_cents - price
        return Betted(Standing(hand, felt, memory), credit_cents, least)

    def roll(self, standing: Standing, dice: Roll) -> Settled:
        """Count handle as bets close, settle the roll, move the puck, and let the player learn."""
        hand, felt, memory = standing
        counted, handle = self._count(hand, felt)
        after, lines = felts.roll(Seat(self.layout, hand, counted), dice)
        paid = sum(line.payment.paid_cents + line.returned_cents + self._meter(line) for line in lines)
        learned = self.strategy.learn(memory, Told(dice, hand.puck, lines))
        moved = Standing(hand.after(dice, self.layout), after, learned)
        return Settled(moved, paid + worth(after) - worth(felt), handle)

    def _count(self, hand: Hand, felt: Felt) -> tuple[Felt, int]:
        """The wagers that work count as handle once, as at the live table."""
        fresh = {
            spot: replace(wager, counted_cents=wager.stake_cents)
            for spot, wager in felt.wagers.items()
            if wager.counted_cents < wager.stake_cents and felts.how(self.layout, hand.puck, wager) is not How.OFF
        }
        if not fresh:
            return felt, 0
        handle = sum(wager.stake_cents - felt.wagers[spot].counted_cents for spot, wager in fresh.items())
        return felt.with_wagers(fresh), handle

    def _meter(self, line: Line) -> int:
        return self.layout.game.reset_cents(line.bet) if line.meter else 0


def worth(felt: Felt) -> int:
    """What lies, and the fees that would come back with it."""
    return felt.money_cents + felt.fees_cents


def _is_granted(felt: Felt, wish: Wish) -> bool:
    """Whether what is wanted lies already."""
    lies = felt.wagers.get(wish.spot)
    stake = lies.stake_cents if lies else 0
    match wish:
        case Bet(_, cents):
            return 0 < cents <= stake
        case Down(_, cents):
            return stake <= cents
        case Marker():
            return False


def session(game: Game, terms: Terms, dice: Iterable[Roll]) -> Outcome:
    """Play one session."""
    equity = peak = terms.bankroll_cents
    drawdown = handle = rolls = 0
    betted = game.bet(game.sit_down(), equity)
    ending = Ending.RUIN if betted.is_broke else None
    throw = iter(dice)
    while ending is None:
        settled = game.roll(betted.standing, next(throw))
        rolls += 1
        equity += settled.change_cents
        handle += settled.handle_cents
        peak = max(peak, equity)
        drawdown = max(drawdown, peak - equity)
        betted = game.bet(settled.standing, equity - worth(settled.standing.felt))
        ending = _ending(terms, equity, rolls, broke=betted.is_broke)
    return Outcome(equity - terms.bankroll_cents, drawdown, rolls, handle, ending)


def _ending(terms: Terms, equity: int, rolls: int, *, broke: bool) -> Ending | None:
    if equity <= terms.floor_cents:
        return Ending.STOP_LOSS
    if equity >= terms.goal_cents:
        return Ending.WIN_GOAL
    if broke:
        return Ending.RUIN
    return Ending.TIME if rolls == terms.rolls_max else None
