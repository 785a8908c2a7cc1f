"""Known strategies, each for a unit of money: how much a line bet is. `stickman strategies` lists them.

Habits come first: they are what other strategies are built from. A strategy that a game does not offer in full is
played as far as the felt allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from inspect import cleandoc
from typing import Literal

from stickman.rules.felt import Reason
from stickman.rules.machine import Decided
from stickman.sim.strategy import Bet, Down, Habit, Memory, RollTold, Sees, Strategy, Unplayable, Wish

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

    def learns(memory: Memory, told: RollTold) -> Memory:
        assert isinstance(memory, int)
        match _decided(spot, told):
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

    def learns(memory: Memory, told: RollTold) -> Memory:
        assert isinstance(memory, int)
        match _decided(spot, told):
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
    """These habits only until the hand has won so often on these spots."""

    def before(habit: Habit) -> Habit:
        assert habit.learns is None, "habits with a memory cannot be cut short"

        def wants(sees: Sees) -> Iterable[Wish]:
            assert isinstance(sees.memory, int)
            return habit.wants(sees) if sees.memory < wins else ()

        return Habit(wants, _counts(spots, wins), 0)

    return tuple(map(before, habits))


def _counts(spots: tuple[str, ...], most: int) -> Callable[[Memory, RollTold], Memory]:
    def learns(memory: Memory, told: RollTold) -> Memory:
        assert isinstance(memory, int)
        if told.roll.total == 7:
            return 0
        won = sum(line.spot in spots and line.decided is Decided.WIN for line in told.lines)
        return min(memory + won, most)

    return learns


def _is_time(sees: Sees, when: When) -> bool:
    return when == "any_roll" or (when == "point_on") == bool(sees.puck)


def _decided(bet: str, told: RollTold) -> Decided:
    """What a roll decided about a bet, wherever its wager lay."""
    return next((line.decided for line in told.lines if line.bet == bet), Decided.NOTHING)


# --- Strategies ---

Maker = Callable[[int], tuple[Habit, ...]]
LIBRARY: dict[str, Maker] = {}
"""By name, what makes the habits of a strategy for a unit of money."""


def strategy(name: str, unit_cents: int = UNIT_CENTS) -> Strategy:
    """A strategy of the library, or several joined with `+`, each seeing what those before it have bet.

    >>> strategy("pass + field").name
    'pass + field'
    """
    parts = [part.strip() for part in name.split("+")]
    for part in parts:
        if part not in LIBRARY:
            raise Unplayable(f"strategy {part!r} is not known; allowed: {', '.join(LIBRARY)}, or several with +")
    whole, *others = [Strategy(part, LIBRARY[part](unit_cents), _about(LIBRARY[part])) for part in parts]
    for other in others:
        whole += other
    return whole


def _about(maker: Maker) -> str:
    return cleandoc(maker.__doc__ or "").replace("\n", " ")


def known(name: str) -> Callable[[Maker], Maker]:
    """Put a strategy into the library."""

    def listed(maker: Maker) -> Maker:
        LIBRARY[name] = maker
        return maker

    return listed


def _six_eight(unit: int) -> dict[str, int]:
    return {"place.6": unit * 6 // 5, "place.8": unit * 6 // 5}


def _inside(unit: int) -> dict[str, int]:
    return {"place.5": unit, **_six_eight(unit), "place.9": unit}


@known("pass")
def pass_line(unit: int) -> tuple[Habit, ...]:
    """A unit on Pass before each come-out, and nothing else."""
    return (flat("pass", unit),)


@known("pass-odds")
def pass_odds(unit: int) -> tuple[Habit, ...]:
    """A unit on Pass, backed with two units of odds if the game allows it."""
    return (flat("pass", unit), odds("pass", 2))


@known("pass-full-odds")
def pass_full_odds(unit: int) -> tuple[Habit, ...]:
    """A unit on Pass, backed with all the odds that the game allows."""
    return (flat("pass", unit), odds("pass", None))


@known("dont-pass")
def dont_pass(unit: int) -> tuple[Habit, ...]:
    """A unit on Don't Pass before each come-out."""
    return (flat("dont_pass", unit),)


@known("dont-side")
def dont_side(unit: int) -> tuple[Habit, ...]:
    """Don't Pass and up to two Don't Come wagers of a unit, each laid two units of odds."""
    return (flat("dont_pass", unit), odds("dont_pass", 2), come("dont_come", unit, 2), odds("dont_come", 2))


@known("three-point-molly")
def three_point_molly(unit: int) -> tuple[Habit, ...]:
    """Pass and Come until three points are covered, each backed with two units of odds."""
    return (flat("pass", unit), odds("pass", 2), come("come", unit, 2), odds("come", 2))


@known("come-full-odds")
def come_full_odds(unit: int) -> tuple[Habit, ...]:
    """Pass and two Come wagers, each backed with all the odds of the game: 3-4-5x in roll-to-win."""
    return (flat("pass", unit), odds("pass", None), come("come", unit, 2), odds("come", None))


@known("busy")
def busy(unit: int) -> tuple[Habit, ...]:
    """Pass with two units of odds, one Come wager, Place 6 and Place 8 while a point is on."""
    return (flat("pass", unit), odds("pass", 2), come("come", unit, 1), *numbers(_six_eight(unit)))


@known("place-six-eight")
def place_six_eight(unit: int) -> tuple[Habit, ...]:
    """Place 6 and Place 8 for six fifths of a unit each while a point is on."""
    return numbers(_six_eight(unit))


@known("place-six-eight-press")
def place_six_eight_press(unit: int) -> tuple[Habit, ...]:
    """Place 6 and Place 8, each raised by six fifths of a unit after each of its wins, up to five times."""
    step = unit * 6 // 5
    return tuple(pressed(spot, tuple(step * n for n in range(1, 6))) for spot in ("place.6", "place.8"))


@known("inside-regress")
def inside_regress(unit: int) -> tuple[Habit, ...]:
    """Place 5, 6, 8 and 9; after one win they come down and stay down until the next 7."""
    spots = tuple(_inside(unit))
    return (*until(1, numbers(_inside(unit)), spots), down_after(1, spots))


@known("power-press")
def power_press(unit: int) -> tuple[Habit, ...]:
    """All six numbers placed and each pressed separately after every win, twelve steps: more states than a table
    can contain, so most of it is played on the felt."""
    stakes = {"place.4": unit, **_inside(unit), "place.10": unit}
    return tuple(pressed(spot, tuple(cents * n for n in range(1, 13))) for spot, cents in stakes.items())


@known("iron-cross")
def iron_cross(unit: int) -> tuple[Habit, ...]:
    """Place 5, 6 and 8 with the Field while a point is on: every total but the 7 wins something."""
    return numbers({"place.5": unit, **_six_eight(unit), "field": unit})


@known("field")
def field(unit: int) -> tuple[Habit, ...]:
    """A unit on the Field before each roll."""
    return (flat("field", unit),)


@known("hardways")
def hardways(unit: int) -> tuple[Habit, ...]:
    """Half a unit on each hard way, always."""
    return numbers({f"hard.{number}": unit // 2 for number in (4, 6, 8, 10)}, "any_roll")


@known("buy-four-ten")
def buy_four_ten(unit: int) -> tuple[Habit, ...]:
    """Buy 4 and Buy 10 for two units each while a point is on."""
    return numbers({"buy.4": 2 * unit, "buy.10": 2 * unit})


@known("lay-four-ten")
def lay_four_ten(unit: int) -> tuple[Habit, ...]:
    """Lay against 4 and 10 for four units each, always."""
    return numbers({"lay.4": 4 * unit, "lay.10": 4 * unit}, "any_roll")


@known("pass-hedged")
def pass_hedged(unit: int) -> tuple[Habit, ...]:
    """Pass for five units, hedged with a unit on Any Craps on each come-out."""
    return (flat("pass", 5 * unit), flat("any_craps", unit, "come_out"))


@known("dont-hedged")
def dont_hedged(unit: int) -> tuple[Habit, ...]:
    """Don't Pass for six units, hedged with six fifths of a unit on Place 6 or Place 8 where that is the point."""

    def wants(sees: Sees) -> Iterator[Wish]:
        spot = f"place.{sees.puck}"
        if sees.puck in (6, 8) and sees.stake("dont_pass") and not sees.stake(spot):
            yield Bet(spot, unit * 6 // 5)

    return (flat("dont_pass", 6 * unit), Habit(wants))


@known("martingale")
def martingale(unit: int) -> tuple[Habit, ...]:
    """Pass, doubled after each loss up to six times: then a unit again."""
    return (doubled("pass", unit, 6),)


@known("dont-martingale")
def dont_martingale(unit: int) -> tuple[Habit, ...]:
    """Don't Pass, doubled after each loss up to six times: then a unit again."""
    return (doubled("dont_pass", unit, 6),)


@known("horn")
def horn(unit: int) -> tuple[Habit, ...]:
    """Two fifths of a unit on the Horn before each roll, with a fifth on the 7 on come-outs."""
    return (flat("horn", unit * 2 // 5), flat("seven", unit // 5, "come_out"))


@known("lucky-roller")
def lucky_roller(unit: int) -> tuple[Habit, ...]:
    """Pass, with half a unit on each of Lucky Roller's Low, High and All."""
    return (
        flat("pass", unit),
        *numbers({f"lucky_roller.{s}": unit // 2 for s in ("low", "high", "all")}, "any_roll"),
    )


@known("lucky-shooter")
def lucky_shooter(unit: int) -> tuple[Habit, ...]:
    """Pass, with half a unit on Lucky Shooter where the game has it."""
    return (flat("pass", unit), flat("lucky_shooter", unit // 2))


@known("hot-shooter")
def hot_shooter(unit: int) -> tuple[Habit, ...]:
    """Pass, with half a unit on Hot Shooter at the start of each hand where the game has it."""
    return (flat("pass", unit), flat("hot_shooter", unit // 2))
