"""The second path: every craps bet, written down once more from the printed rules alone.

It shares no code and no data with the engine it checks. There is no table of cells and nothing is compiled:
each family of bets is a few lines of if and else, as a person would say them at the table, with its pays as
literals. `play` settles one wager against one roll; `facts` plays a bet to its end over all rolls, exactly.

Sources: RULES sections and rulings as in docs/rulings.md; STW, RTW, IB, BC4 and BC3 as in docs/sources.md.

How a wager's state is written:
  pass, come, their don'ts   FIRST until the first roll, then the number of its point
  odds                       the number of the point
  Small, Tall, All           the frozenset of totals rolled that it was waiting for
  Lucky Shooter              FIRST, then (point, frozenset of hits)
  Hot Shooter                how many rolls it has seen
  Make 'Em All               the frozenset of totals rolled
  Fired Up                   the tuple of totals matched
  every other bet            UP
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

FIRST = "first roll"
UP = "up"

SMALL_TOTALS = frozenset({2, 3, 4, 5, 6})
TALL_TOTALS = frozenset({8, 9, 10, 11, 12})
ALL_TOTALS = frozenset({2, 3, 4, 5, 6, 8, 9, 10, 11, 12})


@dataclass(frozen=True)
class Choices:
    """What a game chooses, as far as dice and pay are concerned (RULES 18)."""

    ten_points: bool = False  # crapless and easy: 2, 3, 11 and 12 are points too
    stay_up: bool = False  # RULES 8
    big_small: str = "until_seven"  # or "single_roll"
    field: str = "double"  # or "EL602"
    commission_when: str = "on_win"  # or "upfront"
    buy_base: str = "stake"  # or "win"
    lay_base: str = "win"  # or "stake"
    lucky_roller: str = "80%"  # or "92%"
    bonus_craps: str = "BC-04"  # BC-03 to BC-09
    hot_shooter: str = "HSJ-50"  # or "HSJ-51"
    make_em_all: str = "MEA-01"  # to MEA-06
    fired_up: str = "FUP-01"  # to FUP-06


@dataclass(frozen=True)
class Played:
    """What one roll did to one wager."""

    result: str  # "win", "lose", "push" or "nothing"
    stake: str  # "stands", "returned" or "taken"
    pays: Fraction | str = Fraction(0)  # per unit of stake, beside the stake; "meter": all of a meter
    commission: Fraction = Fraction(0)  # kept from the win, per unit of stake
    then: Hashable = None  # the next state while the stake stands; None when the wager is gone


@dataclass(frozen=True)
class Facts:
    """The mathematics of one bet, always working, from its placing to its first win, loss or push."""

    edge_made: Fraction  # expected loss per unit staked, an upfront fee counted as lost
    edge_resolved: Fraction  # the same, per bet that did not push
    hit_rate: Fraction  # chance of a win
    mean_rolls: Fraction  # expected rolls until it ends
    variance: Fraction  # of the net result per unit staked
    edge_per_roll: Fraction  # edge_made over mean_rolls


# --- Which bets there are -----------------------------------------------------------------------------------


def points(choices: Choices) -> list[int]:
    """The point numbers: RULES 2."""
    if choices.ten_points:
        return [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]
    return [4, 5, 6, 8, 9, 10]


def bet_ids(choices: Choices) -> list[str]:
    """Every bet that can be placed or carried with these points, in the order of the felt."""
    six = not choices.ten_points
    numbers = points(choices)
    ids = ["pass"] + [f"pass.odds@{n}" for n in numbers]
    if six:
        ids += ["dont_pass"] + [f"dont_pass.odds@{n}" for n in numbers]
    ids += ["come"] + [f"come.{n}" for n in numbers] + [f"come.{n}.odds" for n in numbers]
    if six:
        ids += ["dont_come"] + [f"dont_come.{n}" for n in numbers] + [f"dont_come.{n}.odds" for n in numbers]
    ids += [f"place.{n}" for n in numbers] + [f"buy.{n}" for n in numbers]
    if six:
        ids += [f"lay.{n}" for n in numbers] + [f"place_to_lose.{n}" for n in numbers]
    ids += ["big.6", "big.8", "hard.4", "hard.6", "hard.8", "hard.10", "big", "small"]
    ids += ["field", "low_field", "high_field", "c", "e", "c_and_e", "seven", "any_craps"]
    ids += ["horn", "horn.2", "horn.3", "horn.11", "horn.12"]
    ids += [f"hop.{low}-{high}" for low in range(1, 7) for high in range(low, 7)]
    if six:
        ids += ["lucky_shooter"]
    ids += ["lucky_roller.low", "lucky_roller.high", "lucky_roller.all"]
    ids += ["bonus.small", "bonus.tall", "bonus.all"]
    ids += ["hot_shooter", "make_em_all", "fired_up"]
    return ids


@cache
def _known_ids(choices: Choices) -> frozenset[str]:
    return frozenset(bet_ids(choices))


def _check_bet(bet: str, choices: Choices) -> None:
    if bet not in _known_ids(choices):
        raise ValueError(f"there is no bet {bet!r} with the points {points(choices)}")


def _number(bet: str) -> int:
    """The number in `place.6`, `come.6`, `come.6.odds` and `pass.odds@6`."""
    if "@" in bet:
        return int(bet.split("@")[1])
    return int(bet.split(".")[1])


def _is_odds(bet: str) -> bool:
    return ".odds" in bet


def start(bet: str, choices: Choices) -> Hashable:
    """The state of a freshly placed wager; `come.6` and odds begin with their point."""
    _check_bet(bet, choices)
    if bet in ("pass", "dont_pass", "come", "dont_come", "lucky_shooter"):
        return FIRST
    if _is_odds(bet) or bet.startswith(("come.", "dont_come.")):
        return _number(bet)
    if bet.startswith(("lucky_roller.", "bonus.")) or bet == "make_em_all":
        return frozenset()
    if bet == "hot_shooter":
        return 0
    if bet == "fired_up":
        return ()
    return UP


# --- Small words --------------------------------------------------------------------------------------------


def _nothing(state: Hashable) -> Played:
    return Played("nothing", "stands", then=state)


def _lose() -> Played:
    return Played("lose", "taken")


def _win(pays: Fraction | int, again: Hashable = None, commission: Fraction | int = 0) -> Played:
    """Paid "to 1". The stake comes back, or stands as a fresh wager in the state `again`."""
    if again is None:
        return Played("win", "returned", Fraction(pays), Fraction(commission))
    return Played("win", "stands", Fraction(pays), Fraction(commission), then=again)


def _win_for_one(multiple: int) -> Played:
    """Paid "for 1": the multiple is all the player gets, the stake is gone."""
    return Played("win", "taken", Fraction(multiple))


def _up_again(choices: Choices) -> Hashable:
    """RULES 8: where bets stay up after a win, the stake stands as it was first placed."""
    return UP if choices.stay_up else None


def _first_again(choices: Choices) -> Hashable:
    """The same for the line and come bets, which begin with their first roll."""
    return FIRST if choices.stay_up else None


def _senseless(bet: str, state: Hashable) -> ValueError:
    return ValueError(f"{bet} is never in the state {state!r}")


# --- Line and come bets -------------------------------------------------------------------------------------


def _pass_line(state: Hashable, total: int, choices: Choices) -> Played:
    """STW Pass Line; IB 2.2; RULES 3. Stays up after any win: RULES 8."""
    if state == FIRST:
        if total in points(choices):
            return _nothing(total)
        if total in (7, 11):
            return _win(1, again=_first_again(choices))
        return _lose()
    if total == state:
        return _win(1, again=_first_again(choices))
    if total == 7:
        return _lose()
    return _nothing(state)


def _dont_pass(state: Hashable, total: int, choices: Choices) -> Played:
    """STW Don't Pass Line; RULES 15.2; 12 is a push and the stake stands: ruling 1.

    It stays up if it won on its first roll, never if it won by 7 after a point: ruling 6.
    """
    if state == FIRST:
        if total in (2, 3):
            return _win(1, again=_first_again(choices))
        if total == 12:
            return Played("push", "stands", then=FIRST)
        if total in (7, 11):
            return _lose()
        return _nothing(total)
    if total == 7:
        return _win(1)
    if total == state:
        return _lose()
    return _nothing(state)


def _come(state: Hashable, total: int, choices: Choices) -> Played:
    """STW Come; IB 2.4; RULES 3, 15.12. Only a first-roll 11 leaves it up: RULES 8, ruling 6."""
    if state == FIRST:
        if total in points(choices):
            return _nothing(total)
        if total == 7:
            return _win(1)
        if total == 11:
            return _win(1, again=_first_again(choices))
        return _lose()
    if total == state:
        return _win(1)
    if total == 7:
        return _lose()
    return _nothing(state)


def _dont_come(state: Hashable, total: int, choices: Choices) -> Played:
    """STW Don't Come: it plays exactly as Don't Pass, counting from its own first roll; RULES 15.2."""
    return _dont_pass(state, total, choices)


def _check_line(bet: str, state: Hashable, choices: Choices) -> None:
    """A line bet waits for its first roll or has a point; a moved `come.6` has the point 6."""
    if bet in ("pass", "dont_pass", "come", "dont_come"):
        if state != FIRST and state not in points(choices):
            raise _senseless(bet, state)
    elif state != _number(bet):
        raise _senseless(bet, state)


# --- Odds ---------------------------------------------------------------------------------------------------


def _true_odds(number: int) -> Fraction:
    """STW Odds and Buy; RULES 16 for 2, 3, 11 and 12."""
    if number in (2, 12):
        return Fraction(6)
    if number in (3, 11):
        return Fraction(3)
    if number in (4, 10):
        return Fraction(2)
    if number in (5, 9):
        return Fraction(3, 2)
    return Fraction(6, 5)


def _true_odds_against(number: int) -> Fraction:
    """STW Don't Odds and Lay."""
    if number in (4, 10):
        return Fraction(1, 2)
    if number in (5, 9):
        return Fraction(2, 3)
    return Fraction(5, 6)


def _odds(number: int, total: int) -> Played:
    """STW Odds, Come Odds. They win and lose with their flat bet, and never stay up: ruling 6."""
    if total == number:
        return _win(_true_odds(number))
    if total == 7:
        return _lose()
    return _nothing(number)


def _dont_odds(number: int, total: int) -> Played:
    """STW Don't Odds, Don't Come Odds; RULES 15.2."""
    if total == 7:
        return _win(_true_odds_against(number))
    if total == number:
        return _lose()
    return _nothing(number)


# --- Bets on a number against the 7 -------------------------------------------------------------------------


def _number_before_seven(
    number: int, total: int, pays: Fraction | int, choices: Choices, commission: Fraction | int = 0
) -> Played:
    """Place, Buy, Big 6 and Big 8: the number wins, 7 loses, all else leaves it (RULES 15.7, 15.11)."""
    if total == number:
        return _win(pays, again=_up_again(choices), commission=commission)
    if total == 7:
        return _lose()
    return _nothing(UP)


def _seven_before_number(
    number: int, total: int, pays: Fraction, choices: Choices, commission: Fraction | int = 0
) -> Played:
    """Lay and Place to Lose: 7 wins, the number loses, all else leaves it."""
    if total == 7:
        return _win(pays, again=_up_again(choices), commission=commission)
    if total == number:
        return _lose()
    return _nothing(UP)


def _place_pays(number: int) -> Fraction:
    """STW Place; RULES 16 for 2, 3, 11 and 12."""
    if number in (2, 12):
        return Fraction(11, 2)
    if number in (3, 11):
        return Fraction(11, 4)
    if number in (4, 10):
        return Fraction(9, 5)
    if number in (5, 9):
        return Fraction(7, 5)
    return Fraction(7, 6)


def _place_to_lose_pays(number: int) -> Fraction:
    """STW Place to Lose."""
    if number in (4, 10):
        return Fraction(5, 11)
    if number in (5, 9):
        return Fraction(5, 8)
    return Fraction(4, 5)


def _five_percent(pays: Fraction, base: str) -> Fraction:
    """RULES 5: the commission is 5% of the stake or of the win."""
    if base == "stake":
        return Fraction(5, 100)
    if base == "win":
        return Fraction(5, 100) * pays
    raise ValueError(f"no commission is taken on the {base!r}")


def _commission(bet: str, choices: Choices) -> Fraction:
    """STW Buy, Lay; RULES 5."""
    if bet.startswith("buy."):
        return _five_percent(_true_odds(_number(bet)), choices.buy_base)
    if bet.startswith("lay."):
        return _five_percent(_true_odds_against(_number(bet)), choices.lay_base)
    return Fraction(0)


def _commission_on_win(bet: str, choices: Choices) -> Fraction:
    if choices.commission_when == "on_win":
        return _commission(bet, choices)
    if choices.commission_when == "upfront":
        return Fraction(0)
    raise ValueError(f"no commission is due {choices.commission_when!r}")


def fee(bet: str, choices: Choices) -> Fraction:
    """The upfront commission of Buy and Lay per unit of stake: IB 3.3; RULES 5. Otherwise 0."""
    _check_bet(bet, choices)
    if choices.commission_when == "upfront":
        return _commission(bet, choices)
    return Fraction(0)


# --- Hard ways, Big and Small -------------------------------------------------------------------------------


def _hard_way(number: int, first: int, second: int, choices: Choices, power: Mapping[str, str]) -> Played:
    """STW Hardways; RTW 7.1; RULES 15.11: the pair wins, the easy way and 7 lose, all else leaves it."""
    total = first + second
    if total == number and first == second:
        return _win(_hard_way_pays(number, power), again=_up_again(choices))
    if total == number:
        return _lose()
    if total == 7:
        return _lose()
    return _nothing(UP)


def _hard_way_pays(number: int, power: Mapping[str, str]) -> int:
    """STW Hardways and its Power Odds."""
    if number in (4, 10):
        return _power_odds("F", 7, 10, 14, power)
    return _power_odds("G", 9, 13, 18, power)


def _big_or_small(bet: str, total: int, choices: Choices) -> Played:
    """IB 2.8.2; RULES 15.1, pays RULES 16. `until_seven` only a 7 loses: all else is a win or leaves it."""
    mine = TALL_TOTALS if bet == "big" else SMALL_TOTALS
    if choices.big_small == "until_seven":
        if total in mine:
            return _win(Fraction(1, 3), again=_up_again(choices))
        if total == 7:
            return _lose()
        return _nothing(UP)
    if choices.big_small == "single_roll":
        if total in mine:
            return _win(1, again=_up_again(choices))
        return _lose()
    raise ValueError(f"Big and Small are not played {choices.big_small!r}")


# --- One-roll bets: each function gives the pay, 0 for a loss -----------------------------------------------


def _one_roll(pays: Fraction | int, choices: Choices) -> Played:
    """A one-roll bet wins what it pays or loses; after a win it may stay up (RULES 8)."""
    if pays == 0:
        return _lose()
    return _win(pays, again=_up_again(choices))


def _power_odds(group: str, plain: int, low: int, high: int, power: Mapping[str, str]) -> int:
    """STW Power Odds chart: the pay shown for this roll, if the group shows one."""
    if group not in power:
        return plain
    if power[group] == "low":
        return low
    if power[group] == "high":
        return high
    raise ValueError(f"Power Odds show low or high, not {power[group]!r}")


def _field(total: int, choices: Choices) -> int:
    """STW Field; IB 2.7 for EL602, where 12 is triple."""
    if choices.field not in ("double", "EL602"):
        raise ValueError(f"there is no Field pay table {choices.field!r}")
    if total == 12 and choices.field == "EL602":
        return 3
    if total in (2, 12):
        return 2
    if total in (3, 4, 9, 10, 11):
        return 1
    return 0


def _low_field(total: int) -> int:
    """IB 2.7.1; pays RULES 16."""
    if total == 2:
        return 6
    if total in (3, 4):
        return 4
    return 0


def _high_field(total: int) -> int:
    """IB 2.7.1; pays RULES 16."""
    if total == 12:
        return 6
    if total in (10, 11):
        return 4
    return 0


def _craps(total: int, power: Mapping[str, str]) -> int:
    """STW C (Craps) and Any Craps: the same rule; the same totals in every game (RULES 2)."""
    if total in (2, 3, 12):
        return _power_odds("A", 7, 10, 14, power)
    return 0


def _seven(total: int, power: Mapping[str, str]) -> int:
    """STW Any Seven."""
    if total == 7:
        return _power_odds("B", 4, 6, 8, power)
    return 0


def _eleven(total: int, power: Mapping[str, str]) -> int:
    """STW E (Eleven)."""
    if total == 11:
        return _power_odds("C", 15, 22, 30, power)
    return 0


def _craps_and_eleven(total: int, power: Mapping[str, str]) -> int:
    """STW C&E; its two pays move together under Power Odds: ruling 8."""
    if total in (2, 3, 12):
        return _power_odds("E", 3, 4, 6, power)
    if total == 11:
        return _power_odds("E", 7, 10, 14, power)
    return 0


def _horn_number(number: int, total: int, power: Mapping[str, str]) -> int:
    """STW Horn Bet, placed on an individual number."""
    if total != number:
        return 0
    if number in (3, 11):
        return _power_odds("C", 15, 22, 30, power)
    return _power_odds("D", 30, 45, 60, power)


def _horn_bet(total: int, power: Mapping[str, str]) -> Fraction:
    """STW Horn Bet; IB Horn bets; ruling 7: a quarter on each number, paid net of the three that lose."""
    if total not in (2, 3, 11, 12):
        return Fraction(0)
    return Fraction(_horn_number(total, total, power) - 3, 4)


def _hop(bet: str, first: int, second: int, power: Mapping[str, str]) -> int:
    """STW Hop Bets: exactly that pair, in either order."""
    low, high = min(first, second), max(first, second)
    if bet != f"hop.{low}-{high}":
        return 0
    if low == high:
        return _power_odds("D", 30, 45, 60, power)
    return _power_odds("C", 15, 22, 30, power)


# --- Side games ---------------------------------------------------------------------------------------------


def _lucky_shooter(state: Hashable, total: int) -> Played:
    """IB 6.1; RULES 9, 15.4, 15.11; pays RULES 16.

    Before a point 7 and 11 leave it. Then each other point number is a hit, once; the point itself or one of
    2, 3, 7, 11, 12 ends it.
    """
    six = (4, 5, 6, 8, 9, 10)
    if state == FIRST:
        if total in six:
            return _nothing((total, frozenset()))
        if total in (7, 11):
            return _nothing(FIRST)
        return _lose()
    if not isinstance(state, tuple) or len(state) != 2 or state[0] not in six:
        raise _senseless("lucky_shooter", state)
    point, hits = state
    if not isinstance(hits, frozenset) or point in hits or not hits.issubset(six):
        raise _senseless("lucky_shooter", state)
    if total in six and total != point:
        return _nothing((point, hits | {total}))
    if len(hits) == 5 and total == point:
        return _win(150)
    if len(hits) == 5:
        return _win(30)
    if len(hits) == 4:
        return _win(10)
    if len(hits) == 3:
        return _win(3)
    return _lose()


def _before_a_seven(bet: str, wanted: frozenset[int], pays: int, state: Hashable, total: int) -> Played:
    """STW Lucky Roller; BC4 rules 3 to 5: each wanted total at least once before a 7."""
    if not isinstance(state, frozenset) or not state < wanted:
        raise _senseless(bet, state)
    if total == 7:
        return _lose()
    if total not in wanted:
        return _nothing(state)
    if state | {total} == wanted:
        return _win(pays)
    return _nothing(state | {total})


def _lucky_roller(bet: str, state: Hashable, total: int, choices: Choices) -> Played:
    """STW Lucky Roller, pay tables 80% and 92%."""
    if choices.lucky_roller == "80%":
        low_or_high, everything = 30, 155
    elif choices.lucky_roller == "92%":
        low_or_high, everything = 34, 175
    else:
        raise ValueError(f"there is no Lucky Roller pay table {choices.lucky_roller!r}")
    if bet == "lucky_roller.low":
        return _before_a_seven(bet, SMALL_TOTALS, low_or_high, state, total)
    if bet == "lucky_roller.high":
        return _before_a_seven(bet, TALL_TOTALS, low_or_high, state, total)
    return _before_a_seven(bet, ALL_TOTALS, everything, state, total)


def _bonus_craps(bet: str, state: Hashable, total: int, choices: Choices) -> Played:
    """BC4 pay tables 04 to 09, BC3 appendix A for 03; all "to 1"."""
    if choices.bonus_craps == "BC-03":
        small_or_tall, everything = 30, 150
    elif choices.bonus_craps == "BC-04":
        small_or_tall, everything = 33, 170
    elif choices.bonus_craps in ("BC-05", "BC-07"):
        small_or_tall, everything = 32, 165
    elif choices.bonus_craps == "BC-06":
        small_or_tall, everything = 31, 160
    elif choices.bonus_craps == "BC-08":
        small_or_tall, everything = 30, 160
    elif choices.bonus_craps == "BC-09":
        small_or_tall, everything = 30, 155
    else:
        raise ValueError(f"there is no Bonus Craps pay table {choices.bonus_craps!r}")
    if bet == "bonus.small":
        return _before_a_seven(bet, SMALL_TOTALS, small_or_tall, state, total)
    if bet == "bonus.tall":
        return _before_a_seven(bet, TALL_TOTALS, small_or_tall, state, total)
    return _before_a_seven(bet, ALL_TOTALS, everything, state, total)


def _hot_shooter(state: Hashable, total: int, puck_on: bool, choices: Choices) -> Played:
    """STW Hot Shooter Jackpot; RULES 9, 15.5, ruling 20.

    Every roll counts, the seven-out too. It is paid at the seven-out, or at once when the count is full.
    """
    if choices.hot_shooter == "HSJ-50":
        top = 50
    elif choices.hot_shooter == "HSJ-51":
        top = 51
    else:
        raise ValueError(f"there is no Hot Shooter pay table {choices.hot_shooter!r}")
    if not isinstance(state, int) or not 0 <= state < top:
        raise _senseless("hot_shooter", state)
    count = state + 1
    if count == top:
        return _win_for_one(100)
    seven_out = total == 7 and puck_on
    if not seven_out:
        return _nothing(count)
    if count >= 45:
        return _win_for_one(30)
    if count >= 40:
        return _win_for_one(12)
    if count >= 32:
        return _win_for_one(7)
    if count >= 24:
        return _win_for_one(5)
    if count >= 16:
        return _win_for_one(3)
    if count >= 8:
        return _win_for_one(1)
    return _lose()


def _make_em_all(state: Hashable, total: int, choices: Choices) -> Played:
    """BC3 Make 'Em All Progressive, appendix B: different totals until a 7 or a repeat; ten win the meter."""
    if choices.make_em_all in ("MEA-01", "MEA-02", "MEA-03", "MEA-04"):
        nine, eight, seven, six, five = 300, 50, 10, 5, 2
    elif choices.make_em_all in ("MEA-05", "MEA-06"):
        nine, eight, seven, six, five = 200, 40, 10, 6, 3
    else:
        raise ValueError(f"there is no Make 'Em All pay table {choices.make_em_all!r}")
    if not isinstance(state, frozenset) or not state < ALL_TOTALS:
        raise _senseless("make_em_all", state)
    if total != 7 and total not in state:
        if len(state) == 9:
            return Played("win", "taken", "meter")
        return _nothing(state | {total})
    if len(state) == 9:
        return _win_for_one(nine)
    if len(state) == 8:
        return _win_for_one(eight)
    if len(state) == 7:
        return _win_for_one(seven)
    if len(state) == 6:
        return _win_for_one(six)
    if len(state) == 5:
        return _win_for_one(five)
    return _lose()


def _fired_up(state: Hashable, total: int, choices: Choices) -> Played:
    """BC3 Fired Up Progressive, appendix C: the totals in exact order; the whole sequence wins the meter.

    A miss ends it and the matched length is paid. With two sequences the first roll chooses. `prizes` are for
    1, 2, 3 and so on matching rolls.
    """
    sequences: list[tuple[int, ...]]
    if choices.fired_up in ("FUP-01", "FUP-02"):
        sequences = [(6, 5, 4, 3, 2), (8, 9, 10, 11, 12)]
        prizes = [1, 5, 40, 300]
    elif choices.fired_up in ("FUP-03", "FUP-04"):
        sequences = [(5, 4, 3, 2)]
        prizes = [2, 20, 200]
    elif choices.fired_up == "FUP-05":
        sequences = [(8, 9, 10, 11, 12)]
        prizes = [2, 20, 200, 1000]
    elif choices.fired_up == "FUP-06":
        sequences = [(8, 9, 10, 11, 12)]
        prizes = [3, 6, 40, 200]
    else:
        raise ValueError(f"there is no Fired Up pay table {choices.fired_up!r}")
    if not isinstance(state, tuple):
        raise _senseless("fired_up", state)
    matched = len(state)
    if matched > len(prizes) or all(sequence[:matched] != state for sequence in sequences):
        raise _senseless("fired_up", state)
    rolled = (*state, total)
    for sequence in sequences:
        if rolled == sequence:
            return Played("win", "taken", "meter")
        if rolled == sequence[: matched + 1]:
            return _nothing(rolled)
    if matched == 0:
        return _lose()
    return _win_for_one(prizes[matched - 1])


# --- One roll against one wager -----------------------------------------------------------------------------


def play(
    bet: str,
    state: Hashable,
    first: int,
    second: int,
    *,
    puck_on: bool,
    working: bool = True,
    choices: Choices,
    power: Mapping[str, str] = {},
) -> Played:
    """What the roll does to a wager. Only Hot Shooter asks about the puck; `puck_on` is as before the roll.

    An off wager is not touched (RULES 6, ruling 3), but off odds are given back when their flat bet is
    resolved (ruling 2).
    """
    _check_bet(bet, choices)
    if first not in (1, 2, 3, 4, 5, 6) or second not in (1, 2, 3, 4, 5, 6):
        raise ValueError(f"dice do not show {first}-{second}")
    if any(group not in ("A", "B", "C", "D", "E", "F", "G") for group in power):
        raise ValueError(f"Power Odds have the groups A to G, not {sorted(power)}")
    played = _play_working(bet, state, first, second, puck_on, choices, power)
    if working:
        return played
    if _is_odds(bet) and first + second in (7, _number(bet)):
        return Played("push", "returned")
    return _nothing(state)


def _play_working(
    bet: str,
    state: Hashable,
    first: int,
    second: int,
    puck_on: bool,
    choices: Choices,
    power: Mapping[str, str],
) -> Played:
    """Which rule reads which bet: first those that remember something."""
    total = first + second
    family = bet.partition(".")[0]
    if _is_odds(bet):
        if state != _number(bet):
            raise _senseless(bet, state)
        if family in ("pass", "come"):
            return _odds(_number(bet), total)
        return _dont_odds(_number(bet), total)
    if family in ("pass", "dont_pass", "come", "dont_come"):
        _check_line(bet, state, choices)
        if family == "pass":
            return _pass_line(state, total, choices)
        if family == "dont_pass":
            return _dont_pass(state, total, choices)
        if family == "come":
            return _come(state, total, choices)
        return _dont_come(state, total, choices)
    if family == "lucky_shooter":
        return _lucky_shooter(state, total)
    if family == "lucky_roller":
        return _lucky_roller(bet, state, total, choices)
    if family == "bonus":
        return _bonus_craps(bet, state, total, choices)
    if family == "hot_shooter":
        return _hot_shooter(state, total, puck_on, choices)
    if family == "make_em_all":
        return _make_em_all(state, total, choices)
    if family == "fired_up":
        return _fired_up(state, total, choices)
    if state != UP:
        raise _senseless(bet, state)
    return _play_up(bet, first, second, choices, power)


def _play_up(bet: str, first: int, second: int, choices: Choices, power: Mapping[str, str]) -> Played:
    """Then those that are simply up until they win or lose."""
    total = first + second
    family = bet.partition(".")[0]
    if family == "place":
        return _number_before_seven(_number(bet), total, _place_pays(_number(bet)), choices)
    if family == "buy":
        kept = _commission_on_win(bet, choices)
        return _number_before_seven(_number(bet), total, _true_odds(_number(bet)), choices, kept)
    if family == "lay":
        kept = _commission_on_win(bet, choices)
        return _seven_before_number(_number(bet), total, _true_odds_against(_number(bet)), choices, kept)
    if family == "place_to_lose":
        return _seven_before_number(_number(bet), total, _place_to_lose_pays(_number(bet)), choices)
    if bet in ("big.6", "big.8"):
        return _number_before_seven(_number(bet), total, 1, choices)
    if bet in ("big", "small"):
        return _big_or_small(bet, total, choices)
    if family == "hard":
        return _hard_way(_number(bet), first, second, choices, power)
    return _one_roll(_one_roll_pays(bet, first, second, choices, power), choices)


def _one_roll_pays(bet: str, first: int, second: int, choices: Choices, power: Mapping[str, str]) -> Fraction | int:
    """What a one-roll bet pays on this roll, 0 for a loss."""
    total = first + second
    if bet == "field":
        return _field(total, choices)
    if bet == "low_field":
        return _low_field(total)
    if bet == "high_field":
        return _high_field(total)
    if bet in ("c", "any_craps"):
        return _craps(total, power)
    if bet == "e":
        return _eleven(total, power)
    if bet == "c_and_e":
        return _craps_and_eleven(total, power)
    if bet == "seven":
        return _seven(total, power)
    if bet == "horn":
        return _horn_bet(total, power)
    if bet.startswith("horn."):
        return _horn_number(_number(bet), total, power)
    return _hop(bet, first, second, power)


# --- The mathematics of a bet -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Outlook:
    """What is to come from a situation: chances, and expectations of the net result and of the rolls."""

    win: Fraction
    push: Fraction
    net: Fraction
    net_squared: Fraction
    rolls: Fraction


def _puck_after(puck: int, total: int, choices: Choices) -> int:
    """IB 4.1.1: 0 is off. A point turns it on; a 7 or that point again turns it off."""
    if puck == 0:
        return total if total in points(choices) else 0
    return 0 if total in (7, puck) else puck


def _net(played: Played, meter: Fraction) -> Fraction:
    """What the player is ahead, per unit staked, when a bet has ended so."""
    if played.result == "lose":
        return Fraction(-1)
    if played.result == "push":
        return Fraction(0)
    paid = meter if isinstance(played.pays, str) else played.pays
    if played.stake == "taken":
        return paid - played.commission - 1
    return paid - played.commission


def facts(bet: str, choices: Choices, meter: Fraction | int = 0) -> Facts:
    """Edge, hit rate, rolls and variance of a bet, exactly; `meter` is in units of the base wager.

    No bet ever goes back to a state it has left, it can only stay where it is. So what is to come from a
    state is an average, over the rolls that end the bet or move it, of what they bring; the rolls that change
    nothing only cost time. Hot Shooter's situation is its count and the puck, which starts off.
    """
    paid_before = fee(bet, choices)
    seen: dict[tuple[Hashable, int], _Outlook] = {}

    def look(state: Hashable, puck: int) -> _Outlook:
        if (state, puck) in seen:
            return seen[state, puck]
        wins = pushes = waits = 0
        net = net_squared = Fraction(0)
        onward: dict[tuple[Hashable, int], int] = {}
        for first, second in product((1, 2, 3, 4, 5, 6), repeat=2):
            played = play(bet, state, first, second, puck_on=puck != 0, choices=choices)
            if played.result == "nothing":
                next_puck = _puck_after(puck, first + second, choices) if bet == "hot_shooter" else puck
                if (played.then, next_puck) == (state, puck):
                    waits += 1
                else:
                    onward[played.then, next_puck] = onward.get((played.then, next_puck), 0) + 1
                continue
            if played.result == "win":
                wins += 1
            if played.result == "push":
                pushes += 1
            result = _net(played, Fraction(meter)) - paid_before
            net += result
            net_squared += result * result

        win, push, rolls = Fraction(wins), Fraction(pushes), Fraction(36)
        for (next_state, next_puck), ways in onward.items():
            later = look(next_state, next_puck)
            win += ways * later.win
            push += ways * later.push
            net += ways * later.net
            net_squared += ways * later.net_squared
            rolls += ways * later.rolls
        moves = 36 - waits
        outlook = _Outlook(win / moves, push / moves, net / moves, net_squared / moves, rolls / moves)
        seen[state, puck] = outlook
        return outlook

    whole = look(start(bet, choices), 0)
    edge = -whole.net
    return Facts(
        edge_made=edge,
        edge_resolved=edge / (1 - whole.push),
        hit_rate=whole.win,
        mean_rolls=whole.rolls,
        variance=whole.net_squared - whole.net * whole.net,
        edge_per_roll=edge / whole.rolls,
    )
