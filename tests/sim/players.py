"""Players of the simulator: fixed dice, and random strategies."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from stickman.rules.dice import Roll
from stickman.rules.felt import Reason
from stickman.rules.layout import Switch
from stickman.sim.play import PlayedGame, SessionOutcome, session
from stickman.sim.strategy import Bet, Down, Habit, Marker, Memory, RollResult, Sees, Strategy, Terms, Wish
from tests.talk.games import laid


def played(strategy: Strategy, rolls: str, terms: Terms, game: str = "craps") -> SessionOutcome:
    """A session with these dice, such as `4-3 6-5`."""
    return session(PlayedGame(laid(game), strategy), terms, [Roll.parse(each) for each in rolls.split()])


def random_strategy(game: str, seed: int) -> Strategy:
    """A player without sense: bets, takes down and switches by a dealt plan and what the last rolls were."""
    chance = random.Random(f"{game} {seed}")  # noqa: S311 - a plan for a test
    bets = list(laid(game).bet_on)
    plan = [
        [_random_wish(chance, chance.choice(bets)) for _ in range(chance.randint(0, 4))]
        for _ in range(chance.randint(1, 4))
    ]
    return Strategy(f"random {seed}", (_habit("pass", plan), _habit("field", plan[::-1])))


def _habit(line: str, plan: list[list[Wish]]) -> Habit:
    def wants(sees: Sees) -> Iterator[Wish]:
        if not isinstance(sees.may_add(line), Reason):
            yield Bet(line, 500)
        assert isinstance(sees.memory, int)
        yield from plan[sees.memory]

    def learns(memory: Memory, told: RollResult) -> Memory:
        assert isinstance(memory, int)
        return (memory + told.roll.total + len(told.lines)) % len(plan)

    return Habit(wants, learns, 0)


def _random_wish(chance: random.Random, spot: str) -> Wish:
    kinds: list[Callable[[], Wish]] = [
        lambda: Bet(spot, 100 * chance.randint(1, 30)),
        lambda: Bet(spot, 1200),
        lambda: Down(spot, 500 * chance.randint(0, 1)),
        lambda: Marker(spot, chance.choice((Switch.ON, Switch.OFF))),
    ]
    return chance.choices(kinds, (5, 5, 2, 2))[0]()
