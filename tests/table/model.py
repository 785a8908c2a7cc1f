"""A second table, written from RULES alone: what each seat has, owes and remembers after every request.

It shares no code with the table that it checks. It knows a few families of bets (`BETS`), takes one wager against
one roll from the second path (`tests/naive.py`), and says of each request whether it must be accepted. Where the
rules leave something open, it makes no claim (`None`) and takes what the table answered, within bounds.

Money cannot be forgotten here: a seat's credit changes by the difference of two felts (`Model._lay`), a felt is
worth its stakes and the fees of what has met no roll (ruling 31), and nothing else moves credit but money in, money
out and the dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from stickman.devices.signals import BillStacked
from stickman.rules.game import Game
from stickman.rules.schema import Limits
from stickman.table import messages as m
from stickman.table.messages import Event, Facts, Reported, Request
from tests import naive
from tests.naive import FIRST, Choices

POINTS = (4, 5, 6, 8, 9, 10)
FLAT = ("pass", "dont_pass", "come", "dont_come")
FAMILIES = (*FLAT, "place", "buy", "lay", "hard", "field", "any_craps")
SIDE = ("lucky_roller.low", "lucky_roller.high", "lucky_roller.all", "hot_shooter", "fired_up")
PROGRESSIVE = "fired_up"
ONE_ROLL = ("field", "any_craps")
UNDO_DEPTH = 50
MULTIPLES = {"2x": (2, 2, 2), "3-4-5x": (3, 4, 5), "5x": (5, 5, 5), "6x": (6, 6, 6), "10x": (10, 10, 10)}
"""Odds policies: the multiple on 4 and 10, on 5 and 9, on 6 and 8 (RULES 4)."""
ALL_BETS = (
    *FLAT,
    *(f"{family}.{number}" for family in ("come", "dont_come") for number in POINTS),
    "pass.odds",
    "dont_pass.odds",
    *(f"{family}.{number}.odds" for family in ("come", "dont_come") for number in POINTS),
    *(f"{family}.{number}" for family in ("place", "buy", "lay") for number in POINTS),
    *(f"hard.{number}" for number in (4, 6, 8, 10)),
    *ONE_ROLL,
    *SIDE,
)


class Disagrees(Exception):
    """The table did what the rules do not allow."""


def require(holds: object, said: str) -> None:
    if not holds:
        raise Disagrees(said)


# --- Spots ---


def is_odds(spot: str) -> bool:
    return spot.endswith(".odds")


def family_of(spot: str) -> str:
    return spot.partition(".")[0]


def flat_of(spot: str) -> str:
    """The spot of the wager that odds back."""
    return spot.removesuffix(".odds")


def number_of(spot: str) -> int:
    return int(spot.split(".")[1])


def is_moved(spot: str) -> bool:
    """A Come or Don't Come that has travelled to its number."""
    return not is_odds(spot) and spot.startswith(("come.", "dont_come."))


def can_be_off(spot: str) -> bool:
    """RULES 6."""
    return is_odds(spot) or family_of(spot) in ("place", "buy", "lay", "hard")


def can_rest(spot: str) -> bool:
    """What goes off by itself on a come-out roll (RULES 6, `come_out`)."""
    return (is_odds(spot) and spot.startswith("come.")) or family_of(spot) in ("place", "buy", "hard")


# --- What a seat has ---


@dataclass(frozen=True)
class Wager:
    stake: int
    state: Any
    """As in `naive`: FIRST, a point, a set of totals, a count."""
    unmet: int
    """Cents of the stake that have met no working roll: their fee is returnable (ruling 31)."""
    hand: str = ""
    """`on` or `off` by hand; `off` also where it starts off after a seven-out (ruling 49)."""
    released: bool = False
    """A mark: its money is credit (ruling 5)."""
    lain: bool = False
    """It has met a roll."""
    before: bool = False
    """It lies from before this come-out."""


Felt = dict[str, Wager]


@dataclass
class Earlier:
    """A seat before one of its actions."""

    felt: Felt
    banned: bool
    actions: list[dict[str, int]]
    added: dict[str, int]


@dataclass
class Seat:
    number: int
    credit: int = 0
    felt: Felt = field(default_factory=dict)
    banned: bool = False
    """A Don't Pass was taken down or reduced in this cycle (ruling 14)."""
    undo: list[Earlier] = field(default_factory=list)
    actions: list[dict[str, int]] = field(default_factory=list)
    """What each placing action of this bet time added, by spot."""
    added: dict[str, int] = field(default_factory=dict)
    """By spot, when chips were last added; what one action added has one time."""
    clock: int = 0
    cleared_last: bool | None = False
    """None: the rules do not say whether what was done since is an action."""
    murky: bool = False
    """Part of a stack was taken: the rules do not say whose chips those were."""
    pop_up: Request | None = None
    took_down: bool | None = False
    remembers: dict[str, int] = field(default_factory=dict)
    won: dict[str, int] = field(default_factory=dict)
    """Winners of the last roll that came down."""
    keep: bool = False
    auto: bool = False
    lapsed: bool = False
    """Auto-repeat switched itself off in this bet time: a reversal may bring it back."""
    name: str = ""
    pin: str = ""
    reserved: bool = False
    linked: bool = True
    shoots: bool = True
    sits_out: bool = False
    stay: int = 0
    ended: bool = True
    begun: bool = False
    """A player has just come."""
    money_in: int = 0
    money_out: int = 0
    tips: int = 0
    due: int = 0
    """A hand pay that is due."""
    left_due: int = 0
    """Owed to a player who has left (ruling 56)."""
    left_paid: int = 0
    """Of that, paid since the roll."""
    moved: int = 0
    """Money in less money out of this stay since the last roll."""
    open: set[str] = field(default_factory=set)
    """What the rules leave open just now: taken over from the table."""

    def copy(self) -> Seat:
        return replace(
            self,
            felt=dict(self.felt),
            undo=list(self.undo),
            actions=[dict(action) for action in self.actions],
            added=dict(self.added),
            remembers=dict(self.remembers),
            won=dict(self.won),
            open=set(self.open),
        )


@dataclass
class Meter:
    """A progressive meter that tables share: exact cents, and how often it was won."""

    seed: int
    cents: Fraction
    hits: int = 0

    @property
    def reading(self) -> m.Reading:
        return m.Reading(int(self.cents), self.hits)

    def won(self) -> None:
        """What it shows is paid, the fraction of a cent is carried, and it starts from its seed."""
        self.cents = self.seed + self.cents % 1
        self.hits += 1


def money(felt: Felt) -> int:
    """What lies on a felt; marks are no money (ruling 5)."""
    return sum(wager.stake for wager in felt.values() if not wager.released)


@dataclass
class Before:
    """The table before the last roll, for a reversal (rulings 25, 56)."""

    seats: list[Seat]
    puck: int
    rolls: int
    since_point: bool
    last_total: int
    fresh_seven: bool
    commission: int
    shortfall: int
    by_dealer: bool
    ended_by_roll: set[int] = field(default_factory=set)
    """Seats whose stay that roll ended."""
    left: dict[int, int] = field(default_factory=dict)
    """By seat whose stay met the roll and has ended since: its money in less its money out since the roll."""


class Model:
    def __init__(self, game: Game, meter: Meter | None = None) -> None:
        self.game = game
        self.seats = [Seat(number) for number in range(1, game.seats + 1)]
        self.phase = "betting"
        self.puck = 0
        self.rolls = 0
        self.since_point = False
        self.last_total = 0
        self.fresh_seven = False
        """The last seven-out has not been followed by a point yet (ruling 49)."""
        self.commission = 0
        self.shortfall = 0
        self.shooter = 0
        self.passes = False
        self.before: Before | None = None
        self.dealer = ""
        self.mode = "dealer_assisted" if game.mode == "dealer_assisted" else "automated"
        self.entered = False
        self.meter = meter
        self.owed: dict[int, set[str]] = {}
        """By seat, what Keep Bets On and auto-repeat must put back as bets open."""
        self.reversing = False
        self.by_roll = False
        self.ghosts: list[Seat] = []
        """While a roll is reversed: players who met it and have left."""
        self.counts: dict[str, int] = {}

    def seat(self, number: int) -> Seat:
        return self.seats[number - 1]

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    # --- Fees and limits ---

    def fee(self, spot: str, cents: int) -> int:
        """The upfront fee of so much stake, rounded down (rulings 9, 31)."""
        family = family_of(spot)
        if family not in ("buy", "lay"):
            return 0
        commission = self.game.buy if family == "buy" else self.game.lay
        if commission.when != "upfront":
            return 0
        return int(cents * self.rate(spot))

    def rate(self, spot: str) -> Fraction:
        family, number = family_of(spot), number_of(spot)
        commission = self.game.buy if family == "buy" else self.game.lay
        to_one = {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5)}[min(number, 14 - number)]
        pays = to_one if family == "buy" else 1 / to_one
        return Fraction(commission.rate_bp, 10_000) * (pays if commission.base == "win" else 1)

    def fees(self, felt: Felt) -> int:
        return sum(self.fee(spot, wager.unmet) for spot, wager in felt.items())

    def limits(self, spot: str) -> Limits:
        family = family_of(spot)
        if spot == PROGRESSIVE:
            base = self.game.fired_up.base_cents
            return Limits(min_cents=base, max_cents=base, step_cents=base)
        found = self.game.limits
        if family == "lucky_roller":
            found = self.game.lucky_roller.limits
        elif family == "hot_shooter":
            found = self.game.hot_shooter.limits
        low, high, step = found.min_cents, found.max_cents, found.step_cents
        for key in (family, spot):
            other = self.game.bet_limits.get(key)
            if other:
                low = low if other.min_cents is None else other.min_cents
                high = high if other.max_cents is None else other.max_cents
                step = step if other.step_cents is None else other.step_cents
        if is_odds(spot):
            low, high = step, self.game.total_max_cents
        return Limits(min_cents=low, max_cents=high, step_cents=step)

    def odds_max(self, spot: str, flat_stake: int, point: int) -> Fraction:
        """The most that may back a flat wager (RULES 4): a multiple of it, on the stake or on the win."""
        takes = family_of(spot) in ("pass", "come")
        odds = self.game.odds
        which = {4: 0, 5: 1, 6: 2}[min(point, 14 - point)]
        most = Fraction(MULTIPLES[odds.take if takes else odds.lay][which] * flat_stake)
        lays = odds.dont_pass_limit if family_of(spot) == "dont_pass" else odds.dont_come_limit
        against = {0: Fraction(1, 2), 1: Fraction(2, 3), 2: Fraction(5, 6)}[which]
        return most / against if lays == "win" and not takes else most

    def offered(self, spot: str) -> bool:
        family = family_of(spot)
        if spot in SIDE:
            side = getattr(self.game, family)
            return bool(side.on and (family != "lucky_roller" or spot.split(".")[1] in side.bets))
        if family not in self.game.bets or family not in FAMILIES:
            return False
        return not {spot, flat_of(spot), family} & self.game.leave_out

    # --- Whether a wager works ---

    def resting(self, spot: str, wager: Wager) -> bool:
        return (
            self.game.come_out == "off"
            and self.puck == 0
            and can_rest(spot)
            and wager.before
            and not wager.hand
            and not wager.released
        )

    def works(self, spot: str, wager: Wager) -> bool:
        return not (wager.hand == "off" or wager.released or self.resting(spot, wager))

    def locked(self, spot: str, wager: Wager) -> bool:
        """Neither increased nor taken (RULES 3, Contract)."""
        if spot in SIDE:
            return wager.lain
        if spot == "dont_pass":
            return wager.state != FIRST and self.game.dont_pass_after_point == "locked"
        if spot == "pass":
            return bool(wager.state != FIRST)
        return is_moved(spot) and spot.startswith("come.")

    def plays(self, spot: str, wager: Wager, *, sits_out: bool) -> bool:
        """Whether it meets the coming roll (rulings 16, 30)."""
        if spot in SIDE or (family_of(spot) in FLAT and not is_odds(spot) and wager.state != FIRST):
            return True
        return self.works(spot, wager) and not sits_out

    # --- Whether chips may be added ---

    def window(self, seat: Seat, felt: Felt, spot: str) -> bool | None:
        """Whether the rules of the bet let chips be added here now, whatever the amount."""
        lies = felt.get(spot)
        if not self.offered(spot) or is_moved(spot):
            return False
        if lies and self.locked(spot, lies):
            return False
        if spot == "dont_pass" and seat.banned:
            return False
        if any(self.excludes(spot, other) for other in felt):
            return False
        if spot in ("pass", "dont_pass"):
            return self.puck == 0
        if spot in ("come", "dont_come"):
            return self.puck > 0 or (self.game.come_when == "since_point" and self.since_point)
        if is_odds(spot):
            flat = felt.get(flat_of(spot))
            return flat is not None and flat.state != FIRST
        if spot in SIDE:
            return self.side_window(felt, spot)
        return True

    def side_window(self, felt: Felt, spot: str) -> bool | None:
        family = family_of(spot)
        if family == "hot_shooter" and self.rolls:
            return False
        after_seven = family == "fired_up" or (
            family == "lucky_roller" and self.game.lucky_roller.when == "after_seven"
        )
        if after_seven and self.last_total not in (0, 7):
            return False
        if getattr(self.game, family).needs_line and not {"pass", "dont_pass"} & felt.keys():
            return False
        if family == "fired_up" and self.puck:
            return None  # "on the come-out after a 7": after a 7 the puck is off but for what settings do
        needs = self.game.hot_shooter.qualifying_cents if family == "hot_shooter" else 0
        main = {other: wager for other, wager in felt.items() if other not in SIDE and not wager.released}
        lies = sum(wager.stake for wager in main.values())
        working = sum(wager.stake for other, wager in main.items() if self.works(other, wager))
        if (lies < needs) != (working < needs):
            return None  # the rules do not say whether chips that are off qualify when it is placed
        return lies >= needs

    def excludes(self, spot: str, other: str) -> bool:
        """RULES 3, Excluding; marks count (ruling 5)."""
        if is_odds(spot) or is_odds(other):
            return False
        pair = {family_of(spot), family_of(other)}
        if pair in ({"pass", "dont_pass"}, {"come", "dont_come"}):
            return True
        if "lay" in pair and pair & {"place", "buy"}:
            return self.game.place_excludes_lay == "any_number" or number_of(spot) == number_of(other)
        return False

    def amount_fits(self, felt: Felt, spot: str, cents: int, *, again: bool = False) -> bool | None:
        """Minimum, maximum, step and odds limit of the spot with so much more on it. What has lain before is placed
        `again` at any step (rulings 11, 12, 53)."""
        lies, limits = felt.get(spot), self.limits(spot)
        stake = (lies.stake if lies else 0) + cents
        if cents <= 0 or stake < limits.min_cents or (cents % limits.step_cents and not again):
            return False
        high = Fraction(limits.max_cents)
        if is_odds(spot):
            flat = felt[flat_of(spot)]
            high = self.odds_max(spot, flat.stake, flat.state)
        if stake > high:
            return None if lies and lies.released else False
        return True

    def starts_off(self, spot: str) -> bool:
        """Ruling 49."""
        return self.game.after_seven_out == "off" and self.fresh_seven and family_of(spot) in ("place", "buy")

    def with_chips(self, felt: Felt, spot: str, cents: int) -> Felt:
        lies = felt.get(spot)
        if lies:
            return {**felt, spot: replace(lies, stake=lies.stake + cents, unmet=lies.unmet + cents)}
        state: Any = felt[flat_of(spot)].state if is_odds(spot) else naive.start(spot, self.choices())
        off = self.starts_off(spot)
        released = off and self.game.off_money == "released"
        return {**felt, spot: Wager(cents, state, cents, "off" if off else "", released)}

    def cost(self, seat: Seat, felt: Felt) -> int:
        return money(felt) + self.fees(felt) - money(seat.felt) - self.fees(seat.felt)

    def may_place(self, seat: Seat, spot: str, cents: int) -> bool | None:
        window = self.window(seat, seat.felt, spot)
        if window is False:
            return False
        fits = self.amount_fits(seat.felt, spot, cents)
        if fits is False:
            return False
        felt = self.with_chips(seat.felt, spot, cents)
        lies = felt[spot]
        if money(felt) > self.game.total_max_cents and not lies.released:
            return False
        if self.cost(seat, felt) > seat.credit:
            return False
        if lies.released and (lies.stake > seat.credit or money(felt) + lies.stake > self.game.total_max_cents):
            return None  # a mark costs nothing yet
        return None if window is None or fits is None else True

    # --- Whether chips may be taken ---

    def may_take(self, seat: Seat, spot: str, cents: int | None) -> bool | None:
        lies = seat.felt.get(spot)
        if not lies or self.locked(spot, lies):
            return False
        if cents is None or cents == lies.stake:
            return True
        limits, rest = self.limits(spot), lies.stake - cents
        if cents <= 0 or rest < limits.min_cents or rest % limits.step_cents:
            return False
        odds = seat.felt.get(f"{spot}.odds")
        return not (odds and odds.stake > self.odds_max(f"{spot}.odds", rest, lies.state))

    @staticmethod
    def without(felt: Felt, spot: str, cents: int | None = None) -> Felt:
        """The felt with chips taken: unmet money first (ruling 31); a flat wager takes its odds with it."""
        lies = felt[spot]
        if cents is None or cents >= lies.stake:
            return {other: wager for other, wager in felt.items() if other not in (spot, f"{spot}.odds")}
        return {**felt, spot: replace(lies, stake=lies.stake - cents, unmet=max(0, lies.unmet - cents))}

    # --- What is asked: must it be accepted? ---

    def expects(self, request: Request | Reported, facts: Facts) -> bool | None:
        if isinstance(request, Reported):
            return True  # it has happened (ruling 55)
        if isinstance(request, m.SeatRequest) and not 1 <= request.seat <= len(self.seats):
            return False
        asks = getattr(self, f"_expects_{named(request)}", None)
        answer: bool | None = asks(request, facts) if asks else None
        return answer

    def _blocked(self, seat: Seat) -> bool | None:
        """Whether the seat refuses its player's bets."""
        shut = seat.due or seat.reserved or seat.pop_up or not seat.linked
        return self.phase != "betting" or bool(shut)

    def _expects_place_bet(self, request: m.PlaceBet, _: Facts) -> bool | None:
        seat = self.seat(request.seat)
        return False if self._blocked(seat) else self.may_place(seat, request.spot, request.cents)

    def _expects_take_bet(self, request: m.TakeBet, _: Facts) -> bool | None:
        seat = self.seat(request.seat)
        return False if self._blocked(seat) else self.may_take(seat, request.spot, request.cents)

    def _expects_undo(self, request: m.Undo, _: Facts) -> bool | None:
        seat = self.seat(request.seat)
        if self._blocked(seat) or not seat.undo:
            return False
        felt = self.undone(seat)
        if money(felt) > self.game.total_max_cents and money(felt) > money(seat.felt):
            self.count("undo refused by limits")
            return False
        if money(felt) > self.game.total_max_cents:
            return None
        return self.cost(seat, felt) <= seat.credit

    @staticmethod
    def undone(seat: Seat) -> Felt:
        """The felt before the last action; on and off are no actions (ruling 13)."""
        return {
            spot: replace(wager, hand=seat.felt[spot].hand, released=seat.felt[spot].released)
            if spot in seat.felt
            else wager
            for spot, wager in seat.undo[-1].felt.items()
        }

    def _expects_switch_bet(self, request: m.SwitchBet, _: Facts) -> bool | None:
        seat = self.seat(request.seat)
        lies = seat.felt.get(request.spot)
        if self._blocked(seat) or not lies or not can_be_off(request.spot):
            return False
        if not self.resting(request.spot, lies) and self.works(request.spot, lies) == request.on:
            return None if request.on and not lies.hand else False
        return self._may_switch(seat, self.switched(seat.felt, [request.spot], on=request.on))

    def _may_switch(self, seat: Seat, felt: Felt) -> bool | None:
        if self.cost(seat, felt) > seat.credit:
            return False
        if money(felt) > self.game.total_max_cents and money(felt) > money(seat.felt):
            return False
        over = [
            spot
            for spot, wager in felt.items()
            if seat.felt[spot].released and not wager.released and self.over(felt, spot)
        ]
        return not over  # ruling 5: limits are checked when a mark is turned on

    def over(self, felt: Felt, spot: str) -> bool:
        if is_odds(spot):
            flat = felt[flat_of(spot)]
            return felt[spot].stake > self.odds_max(spot, flat.stake, flat.state)
        return felt[spot].stake > self.limits(spot).max_cents

    def switched(self, felt: Felt, spots: Iterable[str], *, on: bool) -> Felt:
        after = dict(felt)
        for spot in spots:
            released = not on and self.game.off_money == "released"
            after[spot] = replace(felt[spot], hand="on" if on else "off", released=released)
        return after

    def to_switch(self, seat: Seat, *, on: bool) -> list[str]:
        return [
            spot
            for spot, wager in seat.felt.items()
            if can_be_off(spot) and (self.resting(spot, wager) or self.works(spot, wager) != on)
        ]

    def _expects_switch_all(self, request: m.SwitchAll, _: Facts) -> bool | None:
        seat = self.seat(request.seat)
        if self._blocked(seat):
            return False
        spots = self.to_switch(seat, on=request.on)
        if not spots:
            return None if request.on and any(map(can_be_off, seat.felt)) else False
        return self._may_switch(seat, self.switched(seat.felt, spots, on=request.on))

    def _expects_give_tip(self, request: m.GiveTip, facts: Facts) -> bool | None:
        seat = self.seat(request.seat)
        if request.cents <= 0 or request.cents > seat.credit or facts.printers:
            return False
        if not self.dealer or self.mode != "dealer_assisted" or seat.due:
            return False
        return None

    def _expects_cash_out(self, request: m.CashOut, facts: Facts) -> bool | None:
        seat = self.seat(request.seat)
        if not seat.credit and not self.fees({s: w for s, w in seat.felt.items() if w.released}):
            return False
        if seat.due or seat.reserved:
            return False
        if self.game.cash_out == "felt_empty" and money(seat.felt):
            return False
        if seat.pop_up or self.phase != "betting" or facts.printers or not seat.linked:
            return None
        return True

    def _expects_reverse_roll(self, _: m.ReverseRoll, facts: Facts) -> bool | None:
        if not facts.actor or not facts.approver or facts.actor == facts.approver:
            return False
        if not self.before or not self.before.by_dealer:
            return False
        return None

    def _expects_change_setting(self, _: m.ChangeSetting, __: Facts) -> bool | None:
        if self.phase != "betting" or any(self._holds_settings(seat) for seat in self.seats):
            return False
        return None

    def _holds_settings(self, seat: Seat) -> bool:
        """Ruling 17: a locked or a side wager."""
        return any(spot in SIDE or self.locked(spot, wager) for spot, wager in seat.felt.items())

    # Buttons

    def _expects_press_button(self, request: m.PressButton, _: Facts) -> bool | None:
        seat = self.seat(request.seat)
        if self._blocked(seat):
            return False
        match request.button:
            case "clear_last":
                options = self.clear_last(seat)
            case "clear_all":
                options = self.clear_all(seat)
            case "cancel_all":
                options = self.clear_all(seat, off_too=True)
            case "double":
                return self.may_double(seat)
            case "repeat":
                return self.may_repeat(seat)
            case _:
                return None
        possible = {bool(option) for option in options}
        return None if len(possible) > 1 or seat.murky else possible.pop()

    def takeable(self, seat: Seat, *, off_too: bool, resting_too: bool) -> list[str]:
        return [
            spot
            for spot, wager in seat.felt.items()
            if not self.locked(spot, wager)
            and (off_too or not (wager.hand == "off" or wager.released))
            and (off_too or resting_too or not self.resting(spot, wager))
        ]

    def clear_all(self, seat: Seat, *, off_too: bool = False) -> list[dict[str, int]]:
        """What may come down, in each way that the rules can be read."""
        readings = [self.takeable(seat, off_too=off_too, resting_too=resting) for resting in (False, True)]
        if off_too:
            readings.append(self.takeable(seat, off_too=False, resting_too=False))
            readings.append(self.takeable(seat, off_too=False, resting_too=True))
        return _different({spot: seat.felt[spot].stake for spot in spots} for spots in readings)

    def clear_last(self, seat: Seat) -> list[dict[str, int]]:
        """Ruling 39."""
        if seat.cleared_last:
            return self.clear_all(seat)
        readings = [found for resting in (False, True) for found in self._last_placed(seat, resting_too=resting)]
        return _different(readings + (self.clear_all(seat) if seat.cleared_last is None else []))

    def _last_placed(self, seat: Seat, *, resting_too: bool) -> list[dict[str, int]]:
        takeable = self.takeable(seat, off_too=False, resting_too=resting_too)
        for action in reversed(seat.actions):
            if lies := {spot: cents for spot, cents in action.items() if spot in takeable}:
                return [lies]
        last = max((seat.added[spot] for spot in takeable), default=0)
        return [{spot: seat.felt[spot].stake} for spot in takeable if seat.added[spot] == last] or [{}]

    def doubles(self, seat: Seat) -> tuple[list[str], bool]:
        """What Double doubles (ruling 40), and whether the rules are plain about it."""
        spots, plain = [], True
        for spot, wager in seat.felt.items():
            if not self.works(spot, wager) or self.locked(spot, wager) or spot == PROGRESSIVE:
                continue
            rest = {other: w for other, w in seat.felt.items() if other != spot}
            window = False if is_moved(spot) else self.window(seat, {**rest, spot: wager}, spot)
            if window is None or (spot in SIDE and not window):
                plain = False
            elif window and wager.state != FIRST and spot == "dont_pass":
                continue
            elif window:
                spots.append(spot)
        return spots, plain

    def doubled(self, seat: Seat, spots: Iterable[str]) -> Felt:
        felt = dict(seat.felt)
        for spot in spots:
            felt = self.with_chips(felt, spot, felt[spot].stake)
        return felt

    def may_double(self, seat: Seat) -> bool | None:
        spots, plain = self.doubles(seat)
        if not plain:
            return None
        if not spots:
            return False
        if not all(self.amount_fits(seat.felt, spot, seat.felt[spot].stake, again=True) for spot in spots):
            return False
        felt = self.doubled(seat, spots)
        return money(felt) <= self.game.total_max_cents and self.cost(seat, felt) <= seat.credit

    def repeats(self, seat: Seat, remembered: Mapping[str, int]) -> tuple[dict[str, int], dict[str, int]]:
        """What Repeat must and what it may place: rulings 12, 53 leave odds and side wagers open."""
        must: dict[str, int] = {}
        may: dict[str, int] = {}
        for spot, cents in remembered.items():
            if spot in seat.felt or is_moved(spot):
                continue
            if is_odds(spot) or spot in SIDE or any(self.excludes(spot, other) for other in remembered):
                may[spot] = cents  # a new setting may make two of them exclude each other
            elif self.window(seat, seat.felt, spot) and self.amount_fits(seat.felt, spot, cents, again=True):
                must[spot] = cents
        return must, {**must, **may}

    def placed_all(self, felt: Felt, chips: Mapping[str, int]) -> Felt:
        for spot, cents in chips.items():
            if is_odds(spot) and (flat_of(spot) not in felt or felt[flat_of(spot)].state == FIRST):
                continue
            felt = self.with_chips(felt, spot, cents)
        return felt

    def may_repeat(self, seat: Seat) -> bool | None:
        must, may = self.repeats(seat, seat.remembers)
        if not may:
            return False
        least = self.placed_all(seat.felt, must)
        if must and self.cost(seat, least) > seat.credit:
            return False if money(least) <= self.game.total_max_cents else None
        most = self.placed_all(seat.felt, may)
        fits = self.cost(seat, most) <= seat.credit and money(most) <= self.game.total_max_cents
        return True if must and fits and not self._odds_over(most) else None

    def _odds_over(self, felt: Felt) -> bool:
        """Whether odds are more than their flat wager allows: whether Repeat leaves them out or refuses is open."""
        return any(self.over(felt, spot) for spot in felt if is_odds(spot))

    # --- What happened ---

    def choices(self) -> Choices:
        return Choices(
            stay_up=self.game.stay_up,
            field=self.game.field,
            lucky_roller=self.game.lucky_roller.paytable,
            hot_shooter=self.game.hot_shooter.paytable,
            fired_up=self.game.fired_up.paytable,
        )

    def happens(self, request: Request | Reported, facts: Facts, events: Iterable[Event]) -> None:
        """The request was accepted; the events are read for what the round does, and where the rules are open."""
        events = tuple(events)
        for seat in self.seats:
            seat.begun = False
        done = getattr(self, f"_does_{named(request)}", None)
        if done:
            done(request, facts, events)
        for event in events:
            happened = getattr(self, f"_on_{named(event)}", None)
            if happened:
                happened(event, facts)
        for number, spots in self.owed.items():
            missing = spots - self.seat(number).felt.keys()
            require(not missing, f"seat {number}: {missing} are not put back")
        self.owed = {}
        self._end_stays()
        self.by_roll = False

    # Credit and felt

    def _lay(self, seat: Seat, felt: Felt) -> None:
        """The felt is now this: the difference is money (and fees) from or to the credit."""
        seat.credit -= self.cost(seat, felt)
        self.commission += self.fees(felt) - self.fees(seat.felt)
        seat.felt = felt
        require(seat.credit >= 0 or self.reversing, f"seat {seat.number} bets money that it does not have")

    def _action(self, seat: Seat) -> None:
        earlier = Earlier(dict(seat.felt), seat.banned, [dict(action) for action in seat.actions], dict(seat.added))
        seat.undo = [*seat.undo, earlier][-UNDO_DEPTH:]
        seat.cleared_last = False

    def _place(self, seat: Seat, chips: Mapping[str, int]) -> None:
        self._action(seat)
        self._lay(seat, self.placed_all(seat.felt, chips))
        seat.actions.append(dict(chips))
        seat.clock += 1
        seat.added |= dict.fromkeys(chips, seat.clock)

    def _take(self, seat: Seat, chips: Mapping[str, int]) -> None:
        """Chips come down; a Don't Pass that has lain through a roll may not come back (ruling 14)."""
        self._action(seat)
        felt = seat.felt
        for spot, cents in chips.items():
            if spot not in felt:  # odds that went with their flat wager
                continue
            if spot == "dont_pass" and felt[spot].lain:
                seat.banned = True
            felt = self.without(felt, spot, cents)
        self._lay(seat, felt)
        seat.added = {spot: when for spot, when in seat.added.items() if spot in felt}
        seat.took_down = True

    def _forget(self, seat: Seat, chips: Mapping[str, int], *, exactly: dict[str, int] | None = None) -> None:
        """Chips that came down lie no more for Clear last: all of a spot, or of one action."""
        for action in reversed(seat.actions):
            for spot in list(action):
                if spot not in seat.felt or (exactly is action and spot in chips):
                    del action[spot]
        seat.actions = [action for action in seat.actions if action]

    def _does_place_bet(self, request: m.PlaceBet, _: Facts, events: tuple[Event, ...]) -> None:
        seat = self.seat(request.seat)
        felt = self.with_chips(seat.felt, request.spot, request.cents)
        asks = self.fees(felt) > self.fees(seat.felt)
        opened = any(isinstance(event, m.PopUpOpened) for event in events)
        require(asks == opened, f"the fee of {request.spot}: asked for {opened}, must be {asks}")
        if asks:
            seat.pop_up = request
        else:
            self._place(seat, {request.spot: request.cents})

    def _does_take_bet(self, request: m.TakeBet, _: Facts, __: tuple[Event, ...]) -> None:
        seat = self.seat(request.seat)
        stake = seat.felt[request.spot].stake
        cents = stake if request.cents is None else request.cents
        self._take(seat, {request.spot: cents})
        if cents < stake and any(request.spot in action for action in seat.actions):
            seat.murky = True
        self._forget(seat, {})

    def _does_undo(self, request: m.Undo, _: Facts, __: tuple[Event, ...]) -> None:
        seat = self.seat(request.seat)
        felt = self.undone(seat)
        earlier = seat.undo.pop()
        self._lay(seat, felt)
        seat.banned, seat.actions, seat.added = earlier.banned, earlier.actions, earlier.added
        seat.cleared_last = None
        seat.took_down = None if seat.took_down else seat.took_down

    def _does_switch_bet(self, request: m.SwitchBet, _: Facts, __: tuple[Event, ...]) -> None:
        seat = self.seat(request.seat)
        self._lay(seat, self.switched(seat.felt, [request.spot], on=request.on))
        seat.cleared_last = None if seat.cleared_last else seat.cleared_last

    def _does_switch_all(self, request: m.SwitchAll, _: Facts, __: tuple[Event, ...]) -> None:
        seat = self.seat(request.seat)
        self._lay(seat, self.switched(seat.felt, self.to_switch(seat, on=request.on), on=request.on))
        seat.cleared_last = None if seat.cleared_last else seat.cleared_last

    def _does_press_button(self, request: m.PressButton, _: Facts, events: tuple[Event, ...]) -> None:
        seat = self.seat(request.seat)
        if any(isinstance(event, m.PopUpOpened) for event in events):
            seat.pop_up = request
            return
        self._button(seat, request, events)

    def _button(self, seat: Seat, request: m.PressButton, events: tuple[Event, ...]) -> None:
        pressed = next(event for event in events if isinstance(event, m.ButtonPressed))
        match request.button:
            case "clear_last":
                self._clears(seat, self.clear_last(seat), pressed, last=True)
            case "clear_all":
                self._clears(seat, self.clear_all(seat), pressed)
            case "cancel_all":
                self._clears(seat, self.clear_all(seat, off_too=True), pressed)
            case "double":
                spots, plain = self.doubles(seat)
                require(not plain or set(spots) == set(pressed.spots), f"Double of {pressed.spots}, not {spots}")
                self._place(seat, {spot: seat.felt[spot].stake for spot in pressed.spots})
            case "repeat":
                self._repeats(seat, pressed.spots, seat.remembers)
            case _:
                self._place(seat, dict.fromkeys(pressed.spots, request.cents))

    def _clears(
        self, seat: Seat, options: list[dict[str, int]], pressed: m.ButtonPressed, *, last: bool = False
    ) -> None:
        now = {spot: wager.stake_cents for spot, wager in pressed.felt.wagers.items()}
        came_down = {
            spot: wager.stake - now.get(spot, 0)
            for spot, wager in seat.felt.items()
            if wager.stake != now.get(spot, 0)
        }
        expected = [self._with_odds(seat, option) for option in options]
        require(came_down in expected or seat.murky, f"{pressed.button} took {came_down}, not {expected}")
        was_second = seat.cleared_last
        exactly = next((a for a in reversed(seat.actions) if a.keys() & came_down.keys()), None) if last else None
        self._take(seat, came_down)
        self._forget(seat, came_down, exactly=exactly)
        seat.cleared_last = (None if was_second is None else not was_second) if last else False

    @staticmethod
    def _with_odds(seat: Seat, chips: dict[str, int]) -> dict[str, int]:
        """A flat wager that comes down takes its odds with it (ruling 14)."""
        odds = {
            f"{spot}.odds" for spot, cents in chips.items() if cents == seat.felt[spot].stake
        } & seat.felt.keys()
        return {**chips, **{spot: seat.felt[spot].stake for spot in odds}}

    def _repeats(self, seat: Seat, spots: Iterable[str], remembered: Mapping[str, int]) -> None:
        must, may = self.repeats(seat, remembered)
        spots = list(spots)
        require(set(spots) <= may.keys(), f"repeats {spots}, at most {may}")
        within = money(self.placed_all(seat.felt, may)) <= self.game.total_max_cents
        require(not within or must.keys() <= set(spots), f"repeats {spots}, at least {must}")
        ordered = sorted(spots, key=is_odds)
        self._place(seat, {spot: may[spot] for spot in ordered})

    def _does_answer_pop_up(self, request: m.AnswerPopUp, _: Facts, events: tuple[Event, ...]) -> None:
        seat = self.seat(request.seat)
        asked, seat.pop_up = seat.pop_up, None
        if not request.accept:
            return
        if isinstance(asked, m.PlaceBet):
            self._place(seat, {asked.spot: asked.cents})
        elif isinstance(asked, m.PressButton):
            self._button(seat, asked, events)

    # Wishes of a player

    def _does_set_switch(self, request: m.SetSwitch, _: Facts, __: tuple[Event, ...]) -> None:
        names = {"keep_bets": "keep", "auto_repeat": "auto", "shooter_play": "shoots"}
        setattr(self._wish(request.seat), names[request.switch], request.on)

    def _does_name_seat(self, request: m.NameSeat, _: Facts, __: tuple[Event, ...]) -> None:
        self._wish(request.seat).name = request.name

    def _wish(self, number: int) -> Seat:
        seat = self.seat(number)
        seat.cleared_last = None if seat.cleared_last else seat.cleared_last
        return seat

    def _on_switch_set(self, event: m.SwitchSet, _: Facts) -> None:
        if event.why:
            require(event.switch == "auto_repeat", f"{event.switch} switches itself off")
            require(self.seat(event.seat).auto, "auto-repeat that is off switches itself off")
            self.seat(event.seat).lapsed = True
            self.seat(event.seat).auto = event.on

    def _on_seat_reserved(self, event: m.SeatReserved, facts: Facts) -> None:
        seat = self.seat(event.seat)
        seat.reserved, seat.pin, seat.pop_up = True, facts.pin_mark, None

    def _on_seat_returned(self, event: m.SeatReturned, _: Facts) -> None:
        self.seat(event.seat).reserved = False
        self.seat(event.seat).pin = ""

    def _on_link_lost(self, event: m.LinkLost, _: Facts) -> None:
        """A question that is open is declined (ruling 9)."""
        self.seat(event.seat).linked = False
        self.seat(event.seat).pop_up = None

    def _on_link_restored(self, event: m.LinkRestored, _: Facts) -> None:
        self.seat(event.seat).linked = True

    def _on_dealer_signed_in(self, event: m.DealerSignedIn, _: Facts) -> None:
        self.dealer = event.dealer

    def _on_dealer_signed_out(self, _: m.DealerSignedOut, __: Facts) -> None:
        self.dealer = ""

    def _on_mode_selected(self, event: m.ModeSelected, _: Facts) -> None:
        self.mode = event.mode

    # Money in and out, and stays (ruling 29)

    def _does_bill_stacked(self, said: Reported, _: Facts, __: tuple[Event, ...]) -> None:
        assert isinstance(said.signal, BillStacked)
        self._money_in(self.seat(said.seat), said.signal.cents)

    def _does_give_credit(self, request: m.GiveCredit, _: Facts, __: tuple[Event, ...]) -> None:
        self._money_in(self.seat(request.seat), request.cents)

    def _does_ticket_stacked(self, said: Reported, facts: Facts, __: tuple[Event, ...]) -> None:
        assert facts.ticket is not None
        self._money_in(self.seat(said.seat), facts.ticket.cents)

    def _money_in(self, seat: Seat, cents: int) -> None:
        if seat.ended:
            self._begin(seat)
        seat.credit += cents
        seat.money_in += cents
        seat.moved += cents
        seat.undo = []
        seat.cleared_last = None if seat.cleared_last else seat.cleared_last

    def _begin(self, seat: Seat) -> None:
        seat.stay += 1
        seat.ended, seat.begun = False, True
        seat.money_in = seat.money_out = seat.tips = seat.moved = 0
        self.count("stays begun")

    def _does_cash_out(self, request: m.CashOut, _: Facts, events: tuple[Event, ...]) -> None:
        seat = self.seat(request.seat)
        self._end_consents(seat)
        by_hand = seat.credit > self.game.hand_pay_over_cents
        called = any(isinstance(event, m.HandPayCalled) for event in events)
        require(by_hand == called, f"cash-out of {seat.credit}: by hand {called}, must be {by_hand} (ruling 48)")
        seat.undo = []
        if by_hand:
            seat.due, seat.credit = seat.credit, 0
            seat.money_out += seat.due
            self.count("hand pays called")
        else:
            self._pays_out(seat, seat.credit)

    def _end_consents(self, seat: Seat) -> None:
        """At once with a cash-out or a hand pay (ruling 29)."""
        seat.keep = seat.auto = False
        seat.remembers, seat.won, seat.name, seat.pin = {}, {}, "", ""
        self._lay(seat, {spot: wager for spot, wager in seat.felt.items() if not wager.released})

    def _on_seat_handed_over(self, event: m.SeatHandedOver, _: Facts) -> None:
        """The next player has the credit and the wagers, and no choice of the last one; no roll is reversed any
        more."""
        seat = self.seat(event.seat)
        seat.keep = seat.auto = seat.lapsed = False
        seat.remembers, seat.won, seat.name, seat.pin, seat.shoots = {}, {}, "", "", True
        seat.undo, seat.actions = [], []
        seat.cleared_last, seat.murky, seat.pop_up, seat.took_down = False, False, None, False
        seat.sits_out = False
        self._begin(seat)
        seat.money_in = seat.credit + money(seat.felt)
        require(event.cents == seat.money_in, f"{event.cents} are handed over, {seat.money_in} are there")
        self.before = None
        self.count("seats handed over")

    def _pays_out(self, seat: Seat, cents: int) -> None:
        seat.credit -= cents
        seat.money_out += cents
        seat.moved -= cents

    def _on_hand_paid(self, event: m.HandPaid, _: Facts) -> None:
        seat = self.seat(event.seat)
        if event.left:
            require(event.cents == seat.left_due, f"{event.cents} paid to who left, {seat.left_due} are due")
            seat.left_paid += seat.left_due
            seat.left_due = 0
            return
        self._end_consents(seat)
        owed = seat.due or seat.credit
        require(event.cents == owed, f"{event.cents} paid by hand, {owed} are owed")
        seat.credit += seat.due
        seat.money_out -= seat.due  # counted when it was called
        seat.due = 0
        self._pays_out(seat, owed)
        seat.undo = []

    def _does_give_tip(self, request: m.GiveTip, _: Facts, __: tuple[Event, ...]) -> None:
        seat = self.seat(request.seat)
        seat.credit -= request.cents
        seat.tips += request.cents
        seat.moved -= request.cents
        seat.undo = []
        seat.cleared_last = None if seat.cleared_last else seat.cleared_last

    def _end_stays(self) -> None:
        for seat in self.seats:
            has = seat.credit or money(seat.felt) or seat.due or self.fees(seat.felt)  # a mark's fee can come back
            if not seat.ended and not has:
                self._end(seat)

    def _end(self, seat: Seat) -> None:
        self._end_consents(seat)
        seat.ended, seat.banned = True, False
        if self.before and self.before.seats[seat.number - 1].stay == seat.stay:
            if self.by_roll:
                self.before.ended_by_roll.add(seat.number)
            self.before.left[seat.number] = seat.moved
        seat.undo, seat.actions, seat.added = [], [], {}
        seat.cleared_last = False
        seat.pop_up = None
        seat.shoots = True
        self.count("stays ended")

    # The round

    def _on_bets_closed(self, event: m.BetsClosed, _: Facts) -> None:
        """The order at the close: pop-ups, sitting out, qualifying wagers, returns, what is remembered."""
        self.phase = "shooting"
        self.before = None
        closed = {each.seat: each for each in event.seats}
        for seat in self.seats:
            seat.pop_up = None
            seat.undo, seat.actions = [], []
            seat.cleared_last, seat.murky, seat.took_down = False, False, False
            seat.won, seat.lapsed = {}, False
            seat.left_paid = 0
            seat.sits_out = self._sits_out(seat)
            if seat.sits_out:
                self.count("sit-outs")
            self._return_unqualified(seat)
            if money(seat.felt):
                require(seat.number in closed, f"seat {seat.number} has wagers and is not closed")
                self._remember(seat, closed[seat.number].stakes)
        self._feed_meter()

    def _sits_out(self, seat: Seat) -> bool:
        """Rulings 16, 30: what is on in the main game is under the table minimum."""
        main = {spot: wager for spot, wager in seat.felt.items() if spot not in SIDE}
        on = sum(wager.stake for spot, wager in main.items() if self.works(spot, wager))
        sits = [spot for spot, wager in main.items() if not self.plays(spot, wager, sits_out=True)]
        works = any(self.works(spot, main[spot]) for spot in sits)
        return works and on < self.game.table_min_cents

    def qualifies(self, seat: Seat, spot: str) -> bool:
        """Ruling 35, by the wagers that meet this roll."""
        meets = {
            other: wager
            for other, wager in seat.felt.items()
            if other not in SIDE and self.plays(other, wager, sits_out=seat.sits_out)
        }
        side = getattr(self.game, family_of(spot))
        if side.needs_line and not {"pass", "dont_pass"} & meets.keys():
            return False
        needs = side.qualifying_cents if spot == "hot_shooter" else 0
        return sum(wager.stake for wager in meets.values()) >= needs

    def _return_unqualified(self, seat: Seat) -> None:
        for spot in self._unqualified(seat):
            self._lay(seat, self.without(seat.felt, spot))
            self.count("side wagers returned")

    def _unqualified(self, seat: Seat) -> list[str]:
        fresh = [spot for spot, wager in seat.felt.items() if spot in SIDE and not wager.lain]
        return [spot for spot in fresh if not self.qualifies(seat, spot)]

    def _remember(self, seat: Seat, stakes: Mapping[str, int]) -> None:
        """Ruling 12: whether odds, off and moved wagers are remembered is open; all else must be."""
        must = {
            spot
            for spot, wager in seat.felt.items()
            if not is_odds(spot) and not is_moved(spot) and self.works(spot, wager)
        }
        lies = {spot: wager.stake for spot, wager in seat.felt.items()}
        require(must <= stakes.keys(), f"seat {seat.number} remembers {dict(stakes)}, at least {must}")
        require(stakes.items() <= lies.items(), f"seat {seat.number} remembers {dict(stakes)} of {lies}")
        seat.remembers = dict(stakes) or seat.remembers

    def _feed_meter(self) -> None:
        """Ruling 23: contribution once per wager, when bets close on its first roll."""
        if not self.meter:
            return
        rate = Fraction(self.game.fired_up.increment_bp, 10_000)
        for seat in self.seats:
            wager = seat.felt.get(PROGRESSIVE)
            if wager and not wager.lain:
                self.meter.cents += wager.stake * rate

    def live(self) -> bool | None:
        """Ruling 26; None where the only wagers sit out or would be returned."""
        sure = maybe = False
        for seat in self.seats:
            sits_out = self._sits_out(seat)
            for spot, wager in seat.felt.items():
                if spot in SIDE and not wager.lain:
                    maybe = True
                elif self.plays(spot, wager, sits_out=sits_out):
                    sure = True
                elif self.plays(spot, wager, sits_out=False):
                    maybe = True
        return True if sure else None if maybe else False

    def _on_shooter_chosen(self, event: m.ShooterChosen, _: Facts) -> None:
        """Rulings 19, 30: who sits out is not eligible."""
        chosen = event.seat
        line = [seat for seat in self.seats if self._line_meets(seat)]
        eligible = [seat.number for seat in line if seat.shoots]
        keepers = [seat.number for seat in line if seat.shoots or self.puck]
        come = [seat.number for seat in self.seats if seat.shoots and self._come_locked(seat)]
        if len(self.seats) == 1:
            require(chosen == 1, "with one seat it shoots")
        elif self.shooter in keepers and not self.passes:
            require(chosen == self.shooter, f"shooter {self.shooter} keeps the dice, {chosen} got them")
        elif eligible:
            require(chosen == self._next(eligible), f"{chosen} shoots, next of {eligible} after {self.shooter}")
        else:
            allowed = {*come, *([self.shooter] if self.shooter in keepers else [])}
            require(chosen in allowed or (not chosen and not come), f"{chosen} shoots, not of {allowed}")
        self.shooter = chosen
        self.passes = False

    def _next(self, numbers: list[int]) -> int:
        return min(numbers, key=lambda number: (number <= self.shooter, number))

    def _line_meets(self, seat: Seat) -> bool:
        line = [(spot, seat.felt[spot]) for spot in ("pass", "dont_pass") if spot in seat.felt]
        return any(self.plays(spot, wager, sits_out=seat.sits_out) for spot, wager in line)

    @staticmethod
    def _come_locked(seat: Seat) -> bool:
        return any(is_moved(spot) and spot.startswith("come.") for spot in seat.felt)

    def _on_bets_opened(self, event: m.BetsOpened, _: Facts) -> None:
        if event.again:
            require(self.live() is not True, "the bet time starts again, and wagers are live")
        self.phase = "betting"
        for seat in self.seats:
            seat.pop_up = None
            seat.undo, seat.actions, seat.cleared_last = [], [], False
            if not event.again and seat.took_down is False:
                self.owed[seat.number] = self._owes(seat)

    def _owes(self, seat: Seat) -> set[str]:
        """What must lie again: winners that came down (Keep Bets On), the last round (auto-repeat), where all of it
        may lie and the credit is there."""
        wanted = {**(seat.remembers if seat.auto else {}), **(seat.won if seat.keep else {})}
        must, may = self.repeats(seat, wanted)
        most = self.placed_all(seat.felt, may)
        shut = seat.due or seat.reserved or not seat.linked or self._odds_over(most)
        if shut or self.cost(seat, most) > seat.credit or money(most) > self.game.total_max_cents:
            return set()
        return set(must)

    def _on_bets_returned(self, event: m.BetsReturned, _: Facts) -> None:
        """Bets close without a roll: side wagers that do not qualify go back all the same (ruling 35)."""
        if event.unqualified:
            seat = self.seat(event.seat)
            seat.sits_out = self._sits_out(seat)
            found = {
                s for s, wager in seat.felt.items() if s in SIDE and not wager.lain and not self.qualifies(seat, s)
            }
            require(found == set(event.unqualified), f"{event.unqualified} go back, must be {found}")
            self._return_unqualified(seat)

    def _on_bets_repeated(self, event: m.BetsRepeated, _: Facts) -> None:
        """Keep Bets On and auto-repeat: only with the player's consent, and only what they had."""
        seat = self.seat(event.seat)
        require(seat.keep or seat.auto, f"seat {seat.number}: bets are put back unasked")
        require(seat.took_down is not True, f"seat {seat.number}: what was taken down is put back")
        chips = {spot: event.felt.wagers[spot].stake_cents for spot in event.spots}
        for spot, cents in chips.items():
            require(spot not in seat.felt, f"{spot} is put back on what lies")
            had = {kept[spot] for kept in (seat.remembers, seat.won) if spot in kept}
            require(cents in had, f"{spot} is put back with {cents}, not {had}")
            fits = is_odds(spot) or self.amount_fits(seat.felt, spot, cents, again=True)
            require(fits is not False, f"{spot} {cents} is put back over a limit")
            require(
                is_odds(spot) or self.window(seat, seat.felt, spot) is not False or spot in SIDE, f"{spot} again"
            )
        self._place(seat, dict(sorted(chips.items(), key=lambda chip: is_odds(chip[0]))))
        require(money(seat.felt) <= self.game.total_max_cents, "put back over the total")
        self.count("bets put back")

    # The dice

    def _on_dice_entered(self, _: m.DiceEntered, __: Facts) -> None:
        self.entered = True

    def _on_dice_rolled(self, event: m.DiceRolled, facts: Facts) -> None:
        self.entered = False
        if not self.before:
            self.before = self._as_it_is()
        self._roll(event.dice, facts)
        if self.reversing:
            self._make_good()
        self.by_roll = True
        self.phase = "rolled"
        self.count("rolls")

    def _as_it_is(self) -> Before:
        for seat in self.seats:
            seat.moved = 0
        return Before(
            [seat.copy() for seat in self.seats],
            self.puck,
            self.rolls,
            self.since_point,
            self.last_total,
            self.fresh_seven,
            self.commission,
            self.shortfall,
            self.mode == "dealer_assisted",
        )

    def _roll(self, dice: tuple[int, int], facts: Facts) -> None:
        total = sum(dice)
        playing = [*self.seats, *self.ghosts]
        winners = [seat for seat in playing if self._wins_meter(seat, dice)]
        for seat in playing:
            self._settle(seat, dice, self._award(seat, winners, facts))
        if winners and self.meter:
            self.meter.won()
        self._turn_puck(total)
        for seat in playing:
            self._after(seat)

    def _wins_meter(self, seat: Seat, dice: tuple[int, int]) -> bool:
        wager = seat.felt.get(PROGRESSIVE)
        return bool(wager) and self._played(PROGRESSIVE, seat.felt[PROGRESSIVE], dice, works=True).pays == "meter"

    @property
    def meter_key(self) -> str:
        """Ruling 38: name, base and pay table."""
        side = self.game.fired_up
        return f"{side.meter}/{side.base_cents}/{side.paytable}"

    def _award(self, seat: Seat, winners: list[Seat], facts: Facts) -> int:
        """Ruling 23: each winner in full, or equal shares."""
        if seat not in winners:
            return 0
        reading = facts.meters[self.meter_key].cents
        self.count("meter awards")
        if self.game.fired_up.winners == "in_full":
            return reading
        return reading // len(winners)

    def _played(self, spot: str, wager: Wager, dice: tuple[int, int], *, works: bool) -> naive.Played:
        bet = f"{spot}@{wager.state}" if spot in ("pass.odds", "dont_pass.odds") else spot
        return naive.play(bet, wager.state, *dice, puck_on=self.puck > 0, working=works, choices=self.choices())

    def _settle(self, seat: Seat, dice: tuple[int, int], award: int) -> None:
        felt: Felt = {}
        seat.won = {}
        for spot, wager in seat.felt.items():
            works = self.plays(spot, wager, sits_out=seat.sits_out)
            played = self._played(spot, wager, dice, works=works)
            unmet = 0 if works else wager.unmet
            after = replace(wager, unmet=unmet, lain=wager.lain or works)
            if played.result == "win":
                self._wins(seat, spot, wager, played, award)
            if played.stake == "returned":
                seat.credit += 0 if wager.released else wager.stake
            elif played.stake == "stands" and played.result == "win":
                felt[spot] = replace(after, state=played.then, unmet=wager.stake)
                fee = self.fee(spot, wager.stake)
                seat.credit -= fee
                self.commission += fee
            elif played.stake == "stands":
                moves = spot in ("come", "dont_come") and played.then != FIRST and works
                felt[f"{spot}.{played.then}" if moves else spot] = replace(after, state=played.then)
                if moves:
                    seat.added[f"{spot}.{played.then}"] = seat.added[spot]
        seat.felt = felt
        seat.added = {spot: when for spot, when in seat.added.items() if spot in felt}

    def _wins(self, seat: Seat, spot: str, wager: Wager, played: naive.Played, award: int) -> None:
        if played.pays == "meter":
            seat.credit += award
            return
        kept = Fraction(0)
        if family_of(spot) in ("buy", "lay"):
            commission = self.game.buy if family_of(spot) == "buy" else self.game.lay
            kept = wager.stake * self.rate(spot) if commission.when == "on_win" else kept
        unit = self.game.payout_unit_cents
        seat.credit += int((wager.stake * Fraction(played.pays) - kept) // unit * unit)
        self.commission += int(kept)
        if played.stake == "returned":
            seat.won[spot] = wager.stake

    def _turn_puck(self, total: int) -> None:
        """RULES 1: the hand ends with a seven-out, the cycle with any 7 or the point."""
        self.rolls += 1
        self.last_total = total
        self._set = self._seven_out = self._off = False
        if self.puck == 0 and total in POINTS:
            self.puck, self.since_point, self._set, self.fresh_seven = total, True, True, False
            self.passes = self.passes or "point_established" in self.game.rotate_on
        elif self.puck and total == 7:
            self.puck, self.rolls, self.since_point, self.fresh_seven = 0, 0, False, True
            self.passes = self._seven_out = self._off = True
        elif total == self.puck:
            self.puck, self._off = 0, True
        self._cycle_ends = total == 7 or self._off

    def _after(self, seat: Seat) -> None:
        """What the turn of the puck does to what lies."""
        lay = {spot: replace(wager, before=True) for spot, wager in seat.felt.items()}
        felt = dict(lay)
        for spot, wager in lay.items():
            if spot in ("pass", "dont_pass") and wager.state == FIRST and self._set:
                del felt[spot]  # it sat out the roll that closed its window (ruling 30)
                self.count("flat wagers returned after sitting out")
            if spot in ("come", "dont_come") and self._come_window_closed():
                del felt[spot]
                self.count("flat wagers returned after sitting out")
            off = wager.hand == "off"
            comes_on = self.game.off_lay == "comes_on" and (self._set or self.last_total == 7)
            if family_of(spot) == "lay" and off and comes_on:
                felt[spot] = replace(wager, hand="", released=False)
            if is_odds(spot) and off and self.game.off_odds == "returned" and self._set:
                del felt[spot]
        self._lay(seat, felt)
        if self._cycle_ends:
            seat.banned = False

    def _come_window_closed(self) -> bool:
        return self._seven_out or (self._off and self.game.come_when == "point_on")

    # Settings (rulings 17, 53)

    def _on_setting_changed(self, event: m.SettingChanged, _: Facts) -> None:
        for seat in self.seats:
            self._lay(seat, {})
            seat.keep = seat.auto = False
            seat.undo, seat.actions, seat.added = [], [], {}
            seat.cleared_last, seat.murky, seat.pop_up, seat.took_down = False, False, None, None
        self.game = event.game
        self.before = None
        self.count("settings changed")

    # Reversal (rulings 25, 56)

    def _on_roll_voided(self, _: m.RollVoided, __: Facts) -> None:
        """The table as it was before the roll; each stay keeps what it put in and took out since."""
        before = self.before
        require(before, "there is no roll to take back")
        assert before is not None
        self.reversing = True
        self.puck, self.rolls, self.since_point = before.puck, before.rolls, before.since_point
        self.last_total, self.fresh_seven = before.last_total, before.fresh_seven
        self.commission, self.shortfall = before.commission, before.shortfall
        self.passes = False
        for seat, then in zip(self.seats, before.seats, strict=True):
            here = seat.stay == then.stay and (not seat.ended or seat.number in before.ended_by_roll)
            if not here and not then.ended:
                self.ghosts.append(then.copy())
                self.count("reversals after leaving")
            self._back(seat, then, here=here)
        before.ended_by_roll.clear()
        self.count("reversals")

    def _back(self, seat: Seat, then: Seat, *, here: bool) -> None:
        """Who met the roll stands where they stood; a later stay gets back what it has placed since."""
        if here and seat.ended:
            seat.ended = False
            self.count("stays come back")
            seat.open |= {"remembers", "keep", "auto", "shoots", "name", "pin"}
        seat.credit = 0 if seat.stay == then.stay else seat.moved
        if here:
            seat.credit = then.credit + then.due + seat.moved
        seat.felt = dict(then.felt) if here else {}
        seat.banned = then.banned and here
        seat.sits_out = then.sits_out and here
        seat.left_due = then.left_due - seat.left_paid
        seat.undo, seat.actions, seat.won = [], [], {}
        seat.added = dict(then.added) if here else {}
        seat.cleared_last, seat.murky, seat.took_down, seat.pop_up = False, False, False, None
        if seat.due:
            seat.open |= {"due", "money_out"}
        if seat.lapsed:
            seat.open.add("auto")

    def _make_good(self) -> None:
        """After the right dice: debts are the casino's, what is owed to who has left is paid by hand."""
        before = self.before
        assert before is not None
        for seat in self.seats:
            self.shortfall += max(0, -seat.credit)
            seat.credit = max(0, seat.credit)
        for ghost in self.ghosts:
            wealth = ghost.credit + ghost.due + money(ghost.felt) + self.fees(ghost.felt)
            balance = wealth + before.left[ghost.number]
            self.commission -= self.fees(ghost.felt)
            seat = self.seat(ghost.number)
            due = seat.left_due + max(0, balance)
            seat.left_due = max(0, due)
            self.shortfall += max(0, -due) + max(0, -balance)
        self.ghosts = []
        self.reversing = False


def named(message: Request | Reported | Event) -> str:
    """`PlaceBet` as `place_bet`: its tag in journals and on the wire; of a report, its signal's."""
    said = message.signal if isinstance(message, Reported) else message
    return str(said.__struct_config__.tag)


def _different(options: Iterable[dict[str, int]]) -> list[dict[str, int]]:
    found: list[dict[str, int]] = []
    for option in options:
        if option not in found:
            found.append(option)
    return found
