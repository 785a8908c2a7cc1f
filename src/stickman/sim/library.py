"""Known strategies, each for a unit of money: how much a line bet is. `stickman strategies` lists them.

Strategies are built from the habits at the top. A strategy that uses bets which a game does not offer is played as
far as the felt allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal

from stickman.rules.felt import Reason
from stickman.rules.machine import Decided
from stickman.sim.strategy import Bet, Down, Habit, Memory, RollResult, Sees, Strategy, Unplayable, Wish

UNIT_CENTS = 1000
When = Literal["any_roll", "come_out", "point_on"]

# --- Habits ---


def flat(spot: str, cents: int, when: When = "any_roll") -> Habit:
    """Bet this much on a spot whenever it is empty and may be bet."""

    def wants(sees: Sees) -> Iterator[Wish]:
        if _is_time(sees, when) and not sees.stake(spot) and not isinstance(sees.may_add(spot), Reason):
            yield Bet(spot, cents)

    return Habit(wants)


def numbers(stakes: Mapping[str, int], when: When = "point_on") -> tuple[Habit, ...]:
    """Bet these amounts on these spots, again whenever one is empty."""
    return tuple(flat(spot, cents, when) for spot, cents in stakes.items())


def come(box: Literal["come", "dont_come"], cents: int, most: int) -> Habit:
    """Bet on Come or Don't Come while fewer than this many of its wagers have their number."""

    def wants(sees: Sees) -> Iterator[Wish]:
        moved = [spot for spot in sees.spots if spot.startswith(f"{box}.") and not spot.endswith(".odds")]
        if len(moved) < most and not sees.stake(box) and not isinstance(sees.may_add(box), Reason):
            yield Bet(box, cents)

    return Habit(wants)


def odds(flat_bet: str, multiple: int | None) -> Habit:
    """Back each wager of a flat bet that has its point: this many times, or as much as the game allows."""

    def wants(sees: Sees) -> Iterator[Wish]:
        spots = [flat_bet] if "pass" in flat_bet else [f"{flat_bet}.{number}" for number in sees.points]
        for spot in spots:
            behind = f"{spot}.odds"
            if sees.stake(spot) and not sees.stake(behind):
                room = sees.may_add(behind)
                if not isinstance(room, Reason):
                    wanted = room.high if multiple is None else min(room.high, multiple * sees.stake(spot))
                    yield Bet(behind, wanted)

    return Habit(wants)


def pressed(spot: str, steps: tuple[int, ...]) -> Habit:
    """Bet on a spot while a point is on, a step more after each win, from the first step after a loss.

    It raises the current wager; the last step stays up."""

    def wants(sees: Sees) -> Iterator[Wish]:
        assert isinstance(sees.memory, int)
        wanted = steps[sees.memory]
        if sees.puck and sees.stake(spot) < wanted and not isinstance(sees.may_add(spot), Reason):
            yield Bet(spot, wanted)

    def learns(memory: Memory, result: RollResult) -> Memory:
        assert isinstance(memory, int)
        match _decided(spot, result):
            case Decided.WIN:
                return min(memory + 1, len(steps) - 1)
            case Decided.LOSE:
                return 0
        return memory

    return Habit(wants, learns, 0)


def doubled(spot: str, cents: int, doublings: int) -> Habit:
    """Double a bet after each loss, at most this many times; from the start again after a win or the last loss."""

    def wants(sees: Sees) -> Iterator[Wish]:
        assert isinstance(sees.memory, int)
        wanted = cents << sees.memory
        if sees.stake(spot) > wanted and not isinstance(sees.may_take(spot), Reason):
            yield Down(spot, wanted)  # a winner that stayed up
        if not sees.stake(spot) and not isinstance(sees.may_add(spot), Reason):
            yield Bet(spot, wanted)

    def learns(memory: Memory, result: RollResult) -> Memory:
        assert isinstance(memory, int)
        match _decided(spot, result):
            case Decided.WIN:
                return 0
            case Decided.LOSE:
                return (memory + 1) % (doublings + 1)
        return memory

    return Habit(wants, learns, 0)


def down_after(wins: int, spots: tuple[str, ...]) -> Habit:
    """Take these wagers down once the hand has won on them this often; `learns` counts, a 7 starts again."""

    def wants(sees: Sees) -> Iterator[Wish]:
        assert isinstance(sees.memory, int)
        if sees.memory >= wins:
            yield from (Down(spot) for spot in spots if sees.stake(spot))

    return Habit(wants, _counts(spots, wins), 0)


def until(wins: int, habits: Iterable[Habit], spots: tuple[str, ...]) -> tuple[Habit, ...]:
    """Follow these habits until the hand has won this often on these spots."""

    def before(habit: Habit) -> Habit:
        assert habit.learns is None, "habits with a memory cannot be cut short"

        def wants(sees: Sees) -> Iterable[Wish]:
            assert isinstance(sees.memory, int)
            return habit.wants(sees) if sees.memory < wins else ()

        return Habit(wants, _counts(spots, wins), 0)

    return tuple(map(before, habits))


def _counts(spots: tuple[str, ...], most: int) -> Callable[[Memory, RollResult], Memory]:
    def learns(memory: Memory, result: RollResult) -> Memory:
        assert isinstance(memory, int)
        if result.roll.total == 7:
            return 0
        won = sum(line.spot in spots and line.decided is Decided.WIN for line in result.lines)
        return min(memory + won, most)

    return learns


def _is_time(sees: Sees, when: When) -> bool:
    return when == "any_roll" or (when == "point_on") == bool(sees.puck)


def _decided(bet: str, result: RollResult) -> Decided:
    """What a roll decided about a bet, on any of its spots."""
    return next((line.decided for line in result.lines if line.bet == bet), Decided.NOTHING)


# --- Strategies ---


def strategy(name: str, unit_cents: int = UNIT_CENTS) -> Strategy:
    """A strategy of the library, or several joined with `+`: each sees what those before it have bet.

    >>> strategy("pass + field").name
    'pass + field'
    """
    parts = [part.strip() for part in name.split("+")]
    for part in parts:
        if part not in LIBRARY:
            raise Unplayable(f"strategy {part!r} is not known; allowed: {', '.join(LIBRARY)}, or several with +")
    whole, *others = [Strategy(part, make(unit_cents), about) for part in parts for make, about in [LIBRARY[part]]]
    for other in others:
        whole += other
    return whole


def _six_eight(unit: int) -> dict[str, int]:
    return {"place.6": unit * 6 // 5, "place.8": unit * 6 // 5}


def _inside(unit: int) -> dict[str, int]:
    return {"place.5": unit, **_six_eight(unit), "place.9": unit}


def _six_eight_press(unit: int) -> tuple[Habit, ...]:
    step = unit * 6 // 5
    return tuple(pressed(spot, tuple(step * n for n in range(1, 6))) for spot in ("place.6", "place.8"))


def _inside_regress(unit: int) -> tuple[Habit, ...]:
    spots = tuple(_inside(unit))
    return (*until(1, numbers(_inside(unit)), spots), down_after(1, spots))


def _power_press(unit: int) -> tuple[Habit, ...]:
    stakes = {"place.4": unit, **_inside(unit), "place.10": unit}
    return tuple(pressed(spot, tuple(cents * n for n in range(1, 13))) for spot, cents in stakes.items())


def _dont_hedged(unit: int) -> tuple[Habit, ...]:
    def wants(sees: Sees) -> Iterator[Wish]:
        spot = f"place.{sees.puck}"
        if sees.puck in (6, 8) and sees.stake("dont_pass") and not sees.stake(spot):
            yield Bet(spot, unit * 6 // 5)

    return (flat("dont_pass", 6 * unit), Habit(wants))


def _lucky_roller(unit: int) -> tuple[Habit, ...]:
    stakes = {f"lucky_roller.{part}": unit // 2 for part in ("low", "high", "all")}
    return (flat("pass", unit), *numbers(stakes, "any_roll"))


LIBRARY: dict[str, tuple[Callable[[int], tuple[Habit, ...]], str]] = {
    "pass": (lambda unit: (flat("pass", unit),), "A unit on Pass before each come-out, and nothing else."),
    "pass-odds": (
        lambda unit: (flat("pass", unit), odds("pass", 2)),
        "A unit on Pass, backed with two units of odds if the game allows it.",
    ),
    "pass-full-odds": (
        lambda unit: (flat("pass", unit), odds("pass", None)),
        "A unit on Pass, backed with all the odds that the game allows.",
    ),
    "dont-pass": (lambda unit: (flat("dont_pass", unit),), "A unit on Don't Pass before each come-out."),
    "dont-side": (
        lambda unit: (
            flat("dont_pass", unit),
            odds("dont_pass", 2),
            come("dont_come", unit, 2),
            odds("dont_come", 2),
        ),
        "Don't Pass and up to two Don't Come wagers of a unit, each laid two units of odds.",
    ),
    "three-point-molly": (
        lambda unit: (flat("pass", unit), odds("pass", 2), come("come", unit, 2), odds("come", 2)),
        "Pass and Come until three points are covered, each backed with two units of odds.",
    ),
    "come-full-odds": (
        lambda unit: (flat("pass", unit), odds("pass", None), come("come", unit, 2), odds("come", None)),
        "Pass and two Come wagers, each backed with all the odds of the game: 3-4-5x in roll-to-win.",
    ),
    "busy": (
        lambda unit: (flat("pass", unit), odds("pass", 2), come("come", unit, 1), *numbers(_six_eight(unit))),
        "Pass with two units of odds, one Come wager, Place 6 and Place 8 while a point is on.",
    ),
    "place-six-eight": (
        lambda unit: numbers(_six_eight(unit)),
        "Place 6 and Place 8 for six fifths of a unit each while a point is on.",
    ),
    "place-six-eight-press": (
        _six_eight_press,
        "Place 6 and Place 8, each raised by six fifths of a unit after each of its wins, up to five times.",
    ),
    "inside-regress": (
        _inside_regress,
        "Place 5, 6, 8 and 9; after one win they come down and stay down until the next 7.",
    ),
    "power-press": (
        _power_press,
        "All six numbers, each pressed separately after every win, twelve steps: most of it is played on the felt.",
    ),
    "iron-cross": (
        lambda unit: numbers({"place.5": unit, **_six_eight(unit), "field": unit}),
        "Place 5, 6 and 8 with the Field while a point is on: every total but the 7 wins something.",
    ),
    "field": (lambda unit: (flat("field", unit),), "A unit on the Field before each roll."),
    "hardways": (
        lambda unit: numbers({f"hard.{number}": unit // 2 for number in (4, 6, 8, 10)}, "any_roll"),
        "Half a unit on each hard way, always.",
    ),
    "buy-four-ten": (
        lambda unit: numbers({"buy.4": 2 * unit, "buy.10": 2 * unit}),
        "Buy 4 and Buy 10 for two units each while a point is on.",
    ),
    "lay-four-ten": (
        lambda unit: numbers({"lay.4": 4 * unit, "lay.10": 4 * unit}, "any_roll"),
        "Lay against 4 and 10 for four units each, always.",
    ),
    "pass-hedged": (
        lambda unit: (flat("pass", 5 * unit), flat("any_craps", unit, "come_out")),
        "Pass for five units, hedged with a unit on Any Craps on each come-out.",
    ),
    "dont-hedged": (
        _dont_hedged,
        "Don't Pass for six units, hedged with six fifths of a unit on Place 6 or Place 8 if that is the point.",
    ),
    "martingale": (
        lambda unit: (doubled("pass", unit, 6),),
        "Pass, doubled after each loss up to six times: then a unit again.",
    ),
    "dont-martingale": (
        lambda unit: (doubled("dont_pass", unit, 6),),
        "Don't Pass, doubled after each loss up to six times: then a unit again.",
    ),
    "horn": (
        lambda unit: (flat("horn", unit * 2 // 5), flat("seven", unit // 5, "come_out")),
        "Two fifths of a unit on the Horn before each roll, with a fifth on the 7 on come-outs.",
    ),
    "lucky-roller": (_lucky_roller, "Pass, with half a unit on each of Lucky Roller's Low, High and All."),
    "lucky-shooter": (
        lambda unit: (flat("pass", unit), flat("lucky_shooter", unit // 2)),
        "Pass, with half a unit on Lucky Shooter if the game has it.",
    ),
    "hot-shooter": (
        lambda unit: (flat("pass", unit), flat("hot_shooter", unit // 2)),
        "Pass, with half a unit on Hot Shooter at the start of each hand if the game has it.",
    ),
}
"""By name: what makes the habits for a unit of money, and what the strategy does."""
