"""A session on the real felt, roll by roll: the reference that compiled play must equal.

Equity is credit plus the wagers on the felt with fees that may still be returned. A session ends when the stop loss
or the win goal is reached, when the felt is empty and the next bet cannot be paid for (ruin), or when its rolls are
over; wagers on the felt then count in full. A meter pays its reset value.

Each bet has its own tally, of its resolved wagers. Wagers that are open at the end of a session are followed on the
same dice to their own end, only for the tally: without them quick decisions would count too much, and no bet would
return what its par sheet shows.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from stickman.rules import felt as felts
from stickman.rules.cells import index
from stickman.rules.dice import Roll
from stickman.rules.felt import NO_POWER, Felt, Hand, Line, Reason, Situation, Wager
from stickman.rules.layout import Layout, Switch
from stickman.rules.machine import How
from stickman.sim.dice import Draws
from stickman.sim.strategy import Bet, Down, Marker, Memory, RollResult, Sees, Strategy, Terms, Wish, grant


class SessionEnding(enum.IntEnum):
    """Why a session ended, in the order in which it is checked."""

    STOP_LOSS = 0
    WIN_GOAL = 1
    RUIN = 2
    TIME = 3


class SessionOutcome(NamedTuple):
    net_cents: int
    drawdown_cents: int
    """The deepest fall of equity from an earlier peak."""
    rolls: int
    handle_cents: int
    ending: SessionEnding


class Standing(NamedTuple):
    """A player's position between two rolls."""

    hand: Hand
    felt: Felt
    memory: tuple[Memory, ...]


class Betted(NamedTuple):
    standing: Standing
    credit_cents: int
    least_cents: int
    """The least credit left after any wish; negative if the player could not afford one."""

    @property
    def is_broke(self) -> bool:
        """Whether the felt is empty because the player could not afford a wish."""
        return self.least_cents < 0 and not self.standing.felt.money_cents


class Score(NamedTuple):
    """What a roll did to one bet: wagers decided, their stakes, and what came back, including stakes that were not
    lost. A spent upfront fee counts as less back."""

    bet: str
    wagers: int
    stake_cents: int
    back_cents: int


class SettledPlayer(NamedTuple):
    """A player after a roll, before new bets."""

    standing: Standing
    change_cents: int
    """Of equity."""
    handle_cents: int
    scores: tuple[Score, ...] = ()


Tally = dict[str, tuple[int, int, int]]
"""By bet: a session's wagers, stakes and what came back."""


def _ignore(_wish: Wish, _reason: Reason) -> None: ...


NO_GROUPS: frozenset[str] = frozenset()
LEFT: tuple[Memory, ...] = (object(),)
"""The memory of wagers that a session has left: unlike any other, and no habit learns from them."""


class PlayedGame(NamedTuple):
    layout: Layout
    strategy: Strategy
    on_refusal: Callable[[Wish, Reason], None] = _ignore

    def sit_down(self) -> Standing:
        return Standing(Hand(), Felt(), self.strategy.memory)

    def bet(self, standing: Standing, credit_cents: int) -> Betted:
        """Carry out every wish that the felt allows and the credit can pay."""
        hand, felt, memory = standing
        least = credit_cents
        for habit, own in zip(self.strategy.habits, memory, strict=True):
            for wish in habit.wants(Sees(Situation(self.layout, hand, felt), own)):
                if _is_granted(felt, wish):
                    continue
                answer = grant(Situation(self.layout, hand, felt), wish)
                if isinstance(answer, Reason):
                    self.on_refusal(wish, answer)
                    continue
                price = answer.worth_cents - felt.worth_cents
                least = min(least, credit_cents - price)
                if price <= credit_cents:
                    felt, credit_cents = answer, credit_cents - price
        return Betted(Standing(hand, felt, memory), credit_cents, least)

    def roll(self, standing: Standing, dice: Roll, power: Mapping[str, str] = NO_POWER) -> SettledPlayer:
        """Count handle as bets close, settle the roll, move the puck, and let the player learn."""
        hand, felt, memory = standing
        counted, handle = self._count(hand, felt)
        after, lines = felts.roll(Situation(self.layout, hand, counted), dice, power)
        paid = sum(
            line.payment.paid_cents + line.returned_cents + self._meter(line) - line.fee_cents for line in lines
        )
        learned = self.strategy.learn(memory, RollResult(dice, hand.puck, lines))
        moved = Standing(hand.after(dice, self.layout), after, learned)
        return SettledPlayer(
            moved, paid + after.worth_cents - felt.worth_cents, handle, tuple(self._scores(hand, felt, lines))
        )

    def groups(self, standing: Standing, dice: Roll) -> frozenset[str]:
        """The Power Odds groups whose draw matters to this roll."""
        hand, felt, _ = standing
        if not self.layout.game.power_odds.on:
            return NO_GROUPS
        cells = [
            index(self.layout.states[wager.state].number, self._how(hand, wager), dice.number)
            for wager in felt.wagers.values()
            if not wager.released
        ]
        return frozenset(self.layout.pays[self.layout.cells.pay[at]].group for at in cells) - {""}

    def left(self, standing: Standing) -> Standing:
        """What a session leaves undecided: wagers that have worked, with untouched markers."""
        wagers = {
            spot: replace(wager, stake_cents=wager.counted_cents, switch=Switch.UNTOUCHED, fee_cents=0)
            for spot, wager in standing.felt.wagers.items()
            if wager.counted_cents and not wager.released
        }
        return Standing(standing.hand, Felt(wagers), LEFT)

    def follow(self, standing: Standing, dice: Roll, power: Mapping[str, str] = NO_POWER) -> SettledPlayer:
        """A roll for wagers that a session left: no money moves, and decided wagers are dropped."""
        hand, felt, _ = standing
        after, lines = felts.roll(Situation(self.layout, hand, felt), dice, power)
        moved = self.left(Standing(hand.after(dice, self.layout), after, LEFT))
        return SettledPlayer(moved, 0, 0, tuple(self._scores(hand, felt, lines)))

    def _scores(self, hand: Hand, felt: Felt, lines: Iterable[Line]) -> Iterator[Score]:
        for line in lines:
            back = line.stake_cents - line.taken_cents + line.payment.paid_cents + self._meter(line)
            yield Score(line.bet, 1, line.stake_cents, back)
        for wager in felt.wagers.values():
            if wager.fee_cents and self._how(hand, wager) is not How.OFF:
                yield Score(self.layout.bet_at[wager.state].id, 0, 0, -wager.fee_cents)

    def _how(self, hand: Hand, wager: Wager) -> How:
        return felts.how(self.layout, hand.puck, wager)

    def _count(self, hand: Hand, felt: Felt) -> tuple[Felt, int]:
        """Working wagers count once as handle, as at the live table."""
        fresh = {
            spot: replace(wager, counted_cents=wager.stake_cents)
            for spot, wager in felt.wagers.items()
            if wager.counted_cents < wager.stake_cents and self._how(hand, wager) is not How.OFF
        }
        if not fresh:
            return felt, 0
        handle = sum(wager.stake_cents - felt.wagers[spot].counted_cents for spot, wager in fresh.items())
        return felt.with_wagers(fresh), handle

    def _meter(self, line: Line) -> int:
        return self.layout.game.reset_cents(line.bet) if line.meter else 0


def _is_granted(felt: Felt, wish: Wish) -> bool:
    """Whether the wanted wager is already on the felt."""
    there = felt.wagers.get(wish.spot)
    stake = there.stake_cents if there else 0
    match wish:
        case Bet(_, cents):
            return 0 < cents <= stake
        case Down(_, cents):
            return stake <= cents
        case Marker():
            return False


def no_power(_roll: int, _groups: Iterable[str]) -> Mapping[str, str]:
    """Power Odds that never shows."""
    return NO_POWER


def session(
    game: PlayedGame, terms: Terms, dice: Iterable[Roll], draws: Draws = no_power, tally: Tally | None = None
) -> SessionOutcome:
    """Play one session; with a tally, follow its last wagers to their end and count each bet."""
    equity = peak = terms.bankroll_cents
    drawdown = handle = rolls = 0
    scores: list[Score] = []
    left = game.sit_down()
    betted = game.bet(left, equity)
    ending = SessionEnding.RUIN if betted.is_broke else None
    throw = iter(dice)
    while ending is None:
        roll = next(throw)
        settled = game.roll(betted.standing, roll, draws(rolls, game.groups(betted.standing, roll)))
        rolls += 1
        equity += settled.change_cents
        handle += settled.handle_cents
        scores += settled.scores
        peak = max(peak, equity)
        drawdown = max(drawdown, peak - equity)
        left = settled.standing
        betted = game.bet(left, equity - left.felt.worth_cents)
        ending = _ending(terms, equity, rolls, broke=betted.is_broke)
    if tally is not None:
        follow = ending is not SessionEnding.RUIN  # with nothing on the felt
        count(tally, [*scores, *(_followed(game, game.left(left), throw, draws, rolls) if follow else ())])
    return SessionOutcome(equity - terms.bankroll_cents, drawdown, rolls, handle, ending)


def _followed(game: PlayedGame, left: Standing, dice: Iterator[Roll], draws: Draws, rolls: int) -> Iterator[Score]:
    """Follow the wagers that a session leaves."""
    while left.felt.wagers:
        roll = next(dice)
        settled = game.follow(left, roll, draws(rolls, game.groups(left, roll)))
        yield from settled.scores
        left, rolls = settled.standing, rolls + 1


def count(tally: Tally, scores: Iterable[Score]) -> None:
    for bet, wagers, stake, back in scores:
        before = tally.get(bet, (0, 0, 0))
        tally[bet] = before[0] + wagers, before[1] + stake, before[2] + back


def _ending(terms: Terms, equity: int, rolls: int, *, broke: bool) -> SessionEnding | None:
    if equity <= terms.floor_cents:
        return SessionEnding.STOP_LOSS
    if equity >= terms.goal_cents:
        return SessionEnding.WIN_GOAL
    if broke:
        return SessionEnding.RUIN
    return SessionEnding.TIME if rolls == terms.rolls_max else None
