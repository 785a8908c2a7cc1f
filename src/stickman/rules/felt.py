"""A seat's wagers in a hand: what may be placed, taken or switched now, and what a roll does.

No accounts and no clock. Legality is written once, as an `Offer` for each spot: `place`, `take` and `switch` accept
exactly what it lists. A roll settles every wager against the table before the roll.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from stickman.rules.cells import GONE, ROW, index
from stickman.rules.dice import ROLLS, Roll
from stickman.rules.layout import LaidBet, Layout, Switch, working
from stickman.rules.machine import Decided, How, Opens, Stake
from stickman.rules.money import NOTHING, Payment, pay, upfront_fee
from stickman.rules.paytable import odds_table
from stickman.rules.schema import Limits
from stickman.rules.spoken import Spoken


class Reason(Spoken):
    """Why something may not be done, in the order in which it is checked."""

    NO_SUCH_BET = "no_such_bet", "This game has no such bet."
    TRAVELS_HERE = "travels_here", "Wagers move here from their box; you cannot bet here directly."
    NO_WAGER = "no_wager", "There is no wager here."
    LOCKED = "locked", "Locked until it is decided."
    NEVER_INCREASED = "never_increased", "May be reduced or removed, not increased."
    COME_OUT_ONLY = "come_out_only", "Only before a come-out roll."
    POINT_ONLY = "point_only", "Only while a point is on."
    SINCE_POINT_ONLY = "since_point_only", "Only after a point was set, until the seven-out."
    NEEDS_FLAT = "needs_flat", "Only behind a bet that has its point."
    HAND_START_ONLY = "hand_start_only", "Only before the first roll of a hand."
    AFTER_SEVEN_ONLY = "after_seven_only", "Only after a 7, or before the first roll."
    NEEDS_LINE = "needs_line", "Only with a Pass or Don't Pass wager."
    NEEDS_MAIN = "needs_main", "Only with enough wagered on the main game."
    BANNED = "banned", "It was taken down or reduced, so not again in this cycle."
    EXCLUDED = "excluded", "Excluded by another wager."
    NOT_OFF_ABLE = "not_off_able", "This bet cannot be switched off."
    ALREADY_SO = "already_so", "There is nothing to change."
    WRONG_STEP = "wrong_step", "Not a multiple of the step."
    UNDER_MIN = "under_min", "Under the minimum."
    OVER_MAX = "over_max", "Over the maximum."
    OVER_ODDS = "over_odds", "Over the maximum odds for its flat bet."
    UNDER_ODDS = "under_odds", "Its odds would be over the maximum; lower them first."
    OVER_TOTAL = "over_total", "Over the maximum that a seat may have on the felt."


NO_TOTALS: frozenset[int] = frozenset()


class Hand(Struct, frozen=True, omit_defaults=True):
    """What the table remembers about the dice, for all seats."""

    puck: int = 0
    rolls: int = 0
    """The rolls of the hand so far."""
    since_point: bool = False
    """A point was set since the last seven-out."""
    last_total: int = 0
    """0 before the first roll, which counts as after a seven-out (ruling 20)."""
    seen: frozenset[int] = frozenset()
    """The totals rolled since the last 7."""
    rests: bool = False
    """No point has been set since a seven-out, in a game in which Place and Buy then start off (ruling 49)."""

    @property
    def after_seven(self) -> bool:
        return self.last_total in (0, 7)

    def is_seven_out(self, roll: Roll) -> bool:
        return self.puck != 0 and roll.total == 7

    def ends_cycle(self, roll: Roll) -> bool:
        return roll.total in (7, self.puck)

    def after(self, roll: Roll, layout: Layout) -> Hand:
        """The hand after a roll; a seven-out starts a new one."""
        puck = layout.puck_next[self.puck][roll.number]
        total = roll.total
        seen = NO_TOTALS if total == 7 else self.seen if total in self.seen else self.seen | {total}
        if self.is_seven_out(roll):
            return Hand(
                0, 0, since_point=False, last_total=7, seen=seen, rests=layout.game.after_seven_out == "off"
            )
        return Hand(puck, self.rolls + 1, self.since_point or puck != 0, total, seen, self.rests and puck == 0)

    def with_puck_off(self) -> Hand:
        """Turning the puck off by hand ends the cycle, not the hand or its count (ruling 21)."""
        return replace(self, puck=0, since_point=False)


class Wager(Struct, frozen=True, omit_defaults=True):
    """One seat's money on one spot."""

    state: str
    """The key of its bet's state."""
    stake_cents: int
    switch: Switch = Switch.UNTOUCHED
    lain: bool = False
    """It was on the felt during a roll that its seat did not sit out (ruling 30)."""
    fee_cents: int = 0
    """The upfront fee of its unmet stake, returned together with it (ruling 31)."""
    released: bool = False
    """It is off, and its chips were given back: only a mark is on the felt (ruling 5)."""
    counted_cents: int = 0
    """The part of the stake that has met a working roll, and so counts as handle; zero again after a decision."""
    waited: bool = False
    """Its seat sat out a roll while it was on the felt."""

    @property
    def money_cents(self) -> int:
        return 0 if self.released else self.stake_cents

    @property
    def unmet_cents(self) -> int:
        """The part of the stake that has not met a working roll since it was placed or last decided."""
        return self.stake_cents - self.counted_cents


class Felt(Struct, frozen=True, omit_defaults=True):
    """A seat's wagers by spot, and what the rules remember about the seat."""

    wagers: dict[str, Wager] = {}
    dont_pass_banned: bool = False
    """Don't Pass was reduced or taken down after a roll, so it cannot be placed again in this cycle (ruling 14)."""

    @property
    def money_cents(self) -> int:
        return sum([wager.stake_cents for wager in self.wagers.values() if not wager.released])

    @property
    def fees_cents(self) -> int:
        return sum(wager.fee_cents for wager in self.wagers.values())

    @property
    def worth_cents(self) -> int:
        """What would be returned if all wagers were taken down: stakes and unspent fees."""
        return self.money_cents + self.fees_cents

    def with_wagers(self, changes: Mapping[str, Wager | None]) -> Felt:
        """The felt with these spots changed; None empties a spot."""
        wagers = {spot: w for spot, w in {**self.wagers, **changes}.items() if w is not None}
        return Felt(wagers, self.dont_pass_banned)


class Amounts(NamedTuple):
    """The amounts that may be placed or taken: from `low` to `high` in steps, and `whole` as well."""

    low: int
    high: int
    step: int
    whole: int = 0
    """When taking: the whole stake, regardless of the step."""

    def allows(self, amount: int) -> bool:
        stepped = self.low <= amount <= self.high and (amount - self.low) % self.step == 0
        return amount > 0 and (stepped or amount == self.whole)


class Offer(NamedTuple):
    """What may be done at a spot now: amounts, or why not."""

    place: Amounts | Reason
    take: Amounts | Reason
    switch: tuple[Switch, ...] | Reason
    """What the marker may be switched to; of two, first the one that changes the wager."""


class Situation(NamedTuple):
    """All that legality at a seat depends on."""

    layout: Layout
    hand: Hand
    felt: Felt


def offer(here: Situation, spot: str) -> Offer:
    return Offer(_may_place(here, spot), _may_take(here, spot), _may_switch(here, spot))


def offers(here: Situation) -> dict[str, Offer]:
    """What may be done at every spot now. Most spots are empty and open at any time: their offers differ only by
    limits and are computed once for each of these."""
    layout, _, felt = here
    open_spots, alike = layout.any_time, dict[tuple[Limits, int, bool], Offer]()
    found = {}
    for spot, bet in layout.bet_on.items():
        if spot in felt.wagers or spot not in open_spots or _is_excluded(layout, bet, felt):
            found[spot] = offer(here, spot)
            continue
        key = (bet.limits, bet.parts, starts_released(here, bet))
        if key not in alike:
            alike[key] = offer(here, spot)
        found[spot] = alike[key]
    return found


# --- Placing ---


def place(here: Situation, spot: str, amount_cents: int, *, any_step: bool = False) -> Felt | Reason:
    """Put more on a spot, which becomes the last of the felt. An increase keeps the wager's marker. With
    `any_step`, stakes that a press by the win made uneven may be doubled or repeated."""
    amounts = _may_place(here, spot)
    if isinstance(amounts, Reason):
        return amounts
    layout, _, felt = here
    bet, there = layout.bets[spot], felt.wagers.get(spot)
    if any_step:
        amounts = Amounts(amounts.low, _most(here, bet, there), 1)
    if not amounts.allows(amount_cents):
        return _why_not_amount(here, spot, amount_cents, amounts)
    fresh = there or Wager(_start(here, bet), 0, _starts_switched(here, bet), released=starts_released(here, bet))
    placed = replace(fresh, stake_cents=fresh.stake_cents + amount_cents)
    placed = replace(placed, fee_cents=upfront_fee(placed.unmet_cents, bet.fee))
    others = {other: wager for other, wager in felt.wagers.items() if other != spot}
    return Felt({**others, spot: placed}, felt.dont_pass_banned)


def evens(here: Situation, spot: str, amounts: Amounts) -> Amounts | None:
    """Of these amounts, those after which the stack pays evenly (ruling 59); None if all do, or none does."""
    bet, there = here.layout.bets[spot], here.felt.wagers.get(spot)
    state = there.state if there else _start(here, bet)
    even, lies = here.layout.even_cents(state), there.stake_cents if there else 0
    low = -(-(lies + amounts.low) // even) * even - lies
    high = (lies + amounts.high) // even * even - lies
    if even == amounts.step or low > high or not amounts.allows(low):
        return None
    return Amounts(low, high, even)


def _may_place(here: Situation, spot: str) -> Amounts | Reason:
    layout, _, felt = here
    bet, there = layout.bets.get(spot), felt.wagers.get(spot)
    if bet is None:
        return Reason.TRAVELS_HERE if spot in layout.bet_on else Reason.NO_SUCH_BET
    return (
        (why_fixed(layout, there, increase=True) if there else None)
        or _why_not_now(here, bet)
        or (Reason.BANNED if bet.banned_once_lowered and felt.dont_pass_banned else None)
        or (Reason.EXCLUDED if _is_excluded(layout, bet, felt) else None)
        or _room(here, bet, there)
    )


def _why_not_now(here: Situation, bet: LaidBet) -> Reason | None:
    """When each bet may be placed, and what else a side bet needs (RULES 3, 9, 15.3)."""
    if bet.id in here.layout.any_time:
        return None
    return _why_shut(here, bet) or (why_unqualified(here, bet) if bet.side else None)


def _why_shut(here: Situation, bet: LaidBet) -> Reason | None:
    """The windows (RULES 3, 9, 15.3, rulings 20 to 22, 37). A side wager is locked from its first roll on, so if it
    may be placed before any roll a seat has at most one."""
    hand = here.hand
    match bet.opens:
        case Opens.ANY_ROLL:
            return None
        case Opens.COME_OUT:
            return Reason.COME_OUT_ONLY if hand.puck else None
        case Opens.POINT_ON:
            return None if hand.puck else Reason.POINT_ONLY
        case Opens.SINCE_POINT:
            return None if hand.since_point else Reason.SINCE_POINT_ONLY
        case Opens.BEHIND_FLAT:
            return None if _flat_of(here, bet) else Reason.NEEDS_FLAT
        case Opens.HAND_START:
            return Reason.HAND_START_ONLY if hand.rolls else None
        case Opens.AFTER_SEVEN:
            complete = bool(bet.reopens) and bet.reopens <= hand.seen
            return None if complete or hand.after_seven else Reason.AFTER_SEVEN_ONLY


def why_unqualified(here: Situation, bet: LaidBet) -> Reason | None:
    """What a side wager needs on the main game but lacks (RULES 9, ruling 35)."""
    layout, _, felt = here
    if bet.needs_line and not any(layout.bet_at[wager.state].is_line for wager in felt.wagers.values()):
        return Reason.NEEDS_LINE
    short = bet.needs_main_cents and main_money(layout, felt) < bet.needs_main_cents
    return Reason.NEEDS_MAIN if short else None


def main_money(layout: Layout, felt: Felt) -> int:
    return sum(w.money_cents for w in felt.wagers.values() if not layout.bet_at[w.state].side)


def why_fixed(layout: Layout, wager: Wager, *, increase: bool) -> Reason | None:
    """Contracts (RULES 3): why a wager may not be changed."""
    bet = layout.bet_at[wager.state]
    if layout.states[wager.state].locked or (bet.contract == "first_roll" and wager.lain):
        return Reason.LOCKED
    moved = bet.contract == "lower_only" and wager.state not in bet.starts
    return Reason.NEVER_INCREASED if increase and moved else None


def _is_excluded(layout: Layout, bet: LaidBet, felt: Felt) -> bool:
    """Whether any wager excludes this bet; marks count too (ruling 5)."""
    return not layout.excluders[bet.id].isdisjoint(felt.wagers)


def _room(here: Situation, bet: LaidBet, there: Wager | None) -> Amounts | Reason:
    """The amounts that respect step, minimum, maximum, odds policy and total."""
    now = there.stake_cents if there else 0
    step = bet.step_cents
    low = -(-max(step, bet.limits.min_cents - now) // step) * step
    high = _most(here, bet, there)
    if low > high:
        return _why_not_more(here, bet, now + low)
    return Amounts(low, high // step * step, step)


def _most(here: Situation, bet: LaidBet, there: Wager | None) -> int:
    """The most that maximum, odds policy and total allow, regardless of the step."""
    layout, _, felt = here
    most = _odds_max(here, bet) if bet.flat else bet.limits.max_cents
    room = most - (there.stake_cents if there else 0)
    is_mark = there.released if there else starts_released(here, bet)
    return room if is_mark else min(room, layout.game.total_max_cents - felt.money_cents)


def _why_not_more(here: Situation, bet: LaidBet, stake_cents: int) -> Reason:
    """The limit that this stake exceeds."""
    if bet.flat:
        return Reason.OVER_ODDS if stake_cents > _odds_max(here, bet) else Reason.OVER_TOTAL
    return Reason.OVER_MAX if stake_cents > bet.limits.max_cents else Reason.OVER_TOTAL


def _why_not_amount(here: Situation, spot: str, amount_cents: int, amounts: Amounts) -> Reason:
    bet = here.layout.bets[spot]
    if amount_cents <= 0 or amount_cents % amounts.step:
        return Reason.WRONG_STEP
    if amount_cents < amounts.low:
        return Reason.UNDER_MIN
    there = here.felt.wagers.get(spot)
    return _why_not_more(here, bet, (there.stake_cents if there else 0) + amount_cents)


def _start(here: Situation, bet: LaidBet) -> str:
    """Where a fresh wager starts: odds in the state of their flat bet's point."""
    flat = _flat_of(here, bet) if bet.flat else None
    return here.layout.odds_of[flat.state] if flat else bet.starts[0]


def _starts_switched(here: Situation, bet: LaidBet) -> Switch:
    """Place and Buy made between a seven-out and the next point start off, if the game chose so (IB 3.2)."""
    return Switch.OFF if here.hand.rests and bet.starts_off else Switch.UNTOUCHED


def starts_released(here: Situation, bet: LaidBet) -> bool:
    """Whether a fresh wager starts as a mark: it is off, and the chips of off wagers are given back (ruling 49)."""
    return here.layout.game.off_money == "released" and _starts_switched(here, bet) is Switch.OFF


def press(here: Situation, spot: str, amount_cents: int) -> Felt | Reason:
    """Add exactly this to a wager that stands, regardless of the step (ruling 11)."""
    layout, _, felt = here
    wager = felt.wagers.get(spot)
    if wager is None:
        return Reason.NO_WAGER
    if wager.stake_cents + amount_cents > layout.bet_at[wager.state].limits.max_cents:
        return Reason.OVER_MAX
    if felt.money_cents + amount_cents > layout.game.total_max_cents:
        return Reason.OVER_TOTAL
    return felt.with_wagers({spot: replace(wager, stake_cents=wager.stake_cents + amount_cents)})


def why_illegal(here: Situation) -> tuple[Reason, str] | None:
    """Why a felt breaks the current limits or exclusions, and on which spot (ruling 34)."""
    layout, _, felt = here
    if felt.money_cents > layout.game.total_max_cents:
        return Reason.OVER_TOTAL, ""
    for spot, wager in felt.wagers.items():
        bet = layout.bet_at[wager.state]
        most = _odds_max(here, bet) if bet.flat else bet.limits.max_cents
        if wager.stake_cents > most:
            return Reason.OVER_ODDS if bet.flat else Reason.OVER_MAX, spot
        if bet.id in layout.bets and _is_excluded(layout, bet, felt):
            return Reason.EXCLUDED, spot
    return None


# --- Odds ---


def _flat_of(here: Situation, odds: LaidBet) -> Wager | None:
    """The wager that these odds would back, at its point."""
    layout, _, felt = here
    for wager in felt.wagers.values():
        if layout.bet_at[wager.state].id == odds.flat and layout.odds_of.get(wager.state) in odds.states:
            return wager
    return None


def _odds_max(here: Situation, odds: LaidBet) -> int:
    """The most that may back the flat wager, rounded down to a step."""
    flat = _flat_of(here, odds)
    return odds_max(here.layout, odds, flat.state, flat.stake_cents) if flat else 0


def odds_max(layout: Layout, odds: LaidBet, flat_state: str, flat_cents: int) -> int:
    """The most odds behind a flat stake at a point: their stake or win is a multiple of it (RULES 4, ruling 15)."""
    policy, limit = layout.game.odds_policy(odds.flat)
    most = Fraction(flat_cents * odds_table(policy).multiple(layout.states[flat_state].point))
    if limit == "win":
        most /= layout.win_pay(layout.odds_of[flat_state]).ratio()
    return int(most) // odds.limits.step_cents * odds.limits.step_cents


def _odds_spot(layout: Layout, flat_state: str) -> str:
    """The spot of odds behind a flat wager in this state."""
    odds = layout.odds_of.get(flat_state)
    return "" if odds is None else layout.states[odds].spot


# --- Taking ---


def take(here: Situation, spot: str, amount_cents: int | None = None) -> Felt | Reason:
    """Take a wager down, or part of it, unmet money first (ruling 31). Its odds come down with it (ruling 14)."""
    amounts = _may_take(here, spot)
    if isinstance(amounts, Reason):
        return amounts
    amount = amounts.whole if amount_cents is None else amount_cents
    if not amounts.allows(amount):
        return _why_not_take(here, spot, amount, amounts)
    layout, _, felt = here
    wager = felt.wagers[spot]
    left = wager.stake_cents - amount
    smaller = replace(wager, stake_cents=left, counted_cents=min(left, wager.counted_cents))
    fee = upfront_fee(smaller.unmet_cents, layout.bet_at[wager.state].fee)
    smaller = replace(smaller, fee_cents=min(wager.fee_cents, fee))
    changes: dict[str, Wager | None] = {spot: smaller if left else None}
    if not left:
        changes[_odds_spot(layout, wager.state)] = None
    ban = layout.bet_at[wager.state].banned_once_lowered and wager.lain
    return replace(felt.with_wagers(changes), dont_pass_banned=felt.dont_pass_banned or ban)


def _may_take(here: Situation, spot: str) -> Amounts | Reason:
    layout, _, felt = here
    if spot not in layout.bet_on:
        return Reason.NO_SUCH_BET
    wager = felt.wagers.get(spot)
    if wager is None:
        return Reason.NO_WAGER
    bet = layout.bet_at[wager.state]
    step = bet.step_cents
    high = max(0, wager.stake_cents - _least_left(here, wager)) // step * step
    return why_fixed(layout, wager, increase=False) or Amounts(step, high, step, whole=wager.stake_cents)


def _least_left(here: Situation, wager: Wager) -> int:
    """The least that must remain of a wager: its minimum, and enough for the odds behind it."""
    layout, _, felt = here
    bet = layout.bet_at[wager.state]
    odds = felt.wagers.get(_odds_spot(layout, wager.state))
    step = bet.limits.step_cents
    if odds is None:
        return bet.limits.min_cents
    behind = layout.bet_at[odds.state]
    least = bet.limits.min_cents
    while least < wager.stake_cents and odds_max(layout, behind, wager.state, least) < odds.stake_cents:
        least += step
    return least


def _why_not_take(here: Situation, spot: str, amount: int, amounts: Amounts) -> Reason:
    wager = here.felt.wagers[spot]
    if amount <= 0 or amount % amounts.step:
        return Reason.WRONG_STEP
    if amount > wager.stake_cents:
        return Reason.OVER_MAX
    least = here.layout.bet_at[wager.state].limits.min_cents
    return Reason.UNDER_MIN if wager.stake_cents - amount < least else Reason.UNDER_ODDS


# --- On and off ---


def switch(here: Situation, spot: str, to: Switch) -> Felt | Reason:
    """Switch a wager on or off (RULES 6). If chips of off wagers are given back, off makes it a mark."""
    allowed = _may_switch(here, spot)
    if allowed is Reason.OVER_TOTAL and to is Switch.OFF:  # no room to switch it on, but it is already off
        return Reason.ALREADY_SO
    if isinstance(allowed, Reason):
        return allowed
    if to not in allowed:
        return Reason.ALREADY_SO
    layout, _, felt = here
    released = to is Switch.OFF and layout.game.off_money == "released"
    return felt.with_wagers({spot: replace(felt.wagers[spot], switch=to, released=released)})


BY_HAND = {Switch.ON: (Switch.OFF,), Switch.OFF: (Switch.ON,)}


def _may_switch(here: Situation, spot: str) -> tuple[Switch, ...] | Reason:
    """What the marker may be switched to. A wager that rests may also be switched off, to stay off (ruling 33)."""
    layout, hand, felt = here
    if spot not in layout.bet_on:
        return Reason.NO_SUCH_BET
    wager = felt.wagers.get(spot)
    if wager is None:
        return Reason.NO_WAGER
    bet = layout.bet_at[wager.state]
    if not bet.off_able:
        return Reason.NOT_OFF_ABLE
    if wager.released and felt.money_cents + wager.stake_cents > layout.game.total_max_cents:
        return Reason.OVER_TOTAL
    if wager.switch is Switch.UNTOUCHED:
        rests = how(layout, hand.puck, wager) is How.OFF
        return (Switch.ON, Switch.OFF) if rests else (Switch.OFF,)
    return BY_HAND[wager.switch]


def how(layout: Layout, puck: int, wager: Wager, *, sits_out: bool = False) -> How:
    """How a wager meets the coming roll. If a seat sits out, only its side wagers and its line and Come wagers with
    a point play (ruling 30)."""
    bet = layout.bet_at[wager.state]
    if sits_out and not (bet.side or has_point(layout, wager)):
        return How.OFF
    return working(bet, switch=wager.switch, puck=puck, lain_before=wager.lain or wager.waited)


def has_point(layout: Layout, wager: Wager) -> bool:
    """Whether it is a line or Come wager with its point."""
    return layout.states[wager.state].point != 0 and not layout.bet_at[wager.state].flat


# --- The roll ---


DECIDED = tuple(Decided)
UNPAID = Payment(0, 0, 0, NOTHING)
NO_POWER: Mapping[str, str] = MappingProxyType({})


class Line(Struct, frozen=True, omit_defaults=True):
    """What a roll did to one wager."""

    spot: str
    bet: str
    stake_cents: int
    decided: Decided
    payment: Payment = UNPAID
    meter: str = ""
    """The key of the progressive meter it won; the meter's money is not in the payment."""
    envy: str = ""
    returned_cents: int = 0
    taken_cents: int = 0
    to: str = ""
    """Where the stake is now; empty if it is gone."""
    fee_cents: int = 0
    """The upfront fee that a winner pays from its win to stay up."""

    @property
    def gain_cents(self) -> int:
        """What is paid in addition to the stake; a pay *for 1* includes the stake."""
        return max(0, self.payment.paid_cents - self.taken_cents)

    def net_cents(self, award_cents: int) -> int:
        """What the player has more or less for it, with the award of its meter."""
        return self.payment.paid_cents + award_cents - self.taken_cents - self.fee_cents


class Rolled(NamedTuple):
    """A felt after a roll, and the lines of all wagers that it affected."""

    felt: Felt
    lines: list[Line]


class Turn(NamedTuple):
    """A roll at the table as it was before the roll."""

    layout: Layout
    puck: int
    number: int
    """The roll's index in every row of cells."""
    power: Mapping[str, str] = NO_POWER
    sits_out: bool = False

    @property
    def puck_after(self) -> int:
        return self.layout.puck_next[self.puck][self.number]

    @property
    def sets_point(self) -> bool:
        return self.puck == 0 and self.puck_after != 0


class Met(NamedTuple):
    """What a roll did to a wager, what stays on the felt, and where."""

    line: Line | None
    stands: Wager | None = None
    spot: str = ""


def roll(here: Situation, dice: Roll, power: Mapping[str, str] = NO_POWER, *, sits_out: bool = False) -> Rolled:
    """Settle a seat's wagers. `power` is the Power Odds draw: by group, `low` or `high`."""
    layout, hand, felt = here
    puck, number = hand.puck, dice.number
    plain = not (power or sits_out)
    wagers: dict[str, Wager] = {}
    lines: list[Line] = []
    for wager in felt.wagers.values():
        met = _remembered(layout, puck, number, wager) if plain else None
        line, stands, spot = met or _meet(Turn(layout, puck, number, power, sits_out), wager)
        if line:
            lines.append(line)
        if stands:
            wagers[spot] = stands
    banned = felt.dont_pass_banned and not hand.ends_cycle(dice)
    return Rolled(Felt(wagers, banned), lines)


def next_win(layout: Layout, puck: int, wager: Wager, power: Mapping[str, str] = NO_POWER) -> int:
    """What a wager wins in addition to its stake on the nearest roll that can win it, as if it were on: the largest
    of the pays there, without a meter's award (ruling 42)."""
    turn, meets = Turn(layout, puck, 0, power), How.POINT_ON if puck else How.COME_OUT
    lines = [_line(turn, wager, at) for at in _nearest_wins(layout, layout.states[wager.state].number, meets)]
    return max((line.payment.paid_cents - line.taken_cents for line in lines if line), default=0)


@lru_cache(maxsize=1 << 12)
def _nearest_wins(layout: Layout, state: int, meets: How) -> tuple[int, ...]:
    """The winning cells that the fewest rolls reach, one for each pay."""
    cells, reached, seen = layout.cells, {state}, {state}
    hows: tuple[How, ...] = (meets,)
    while reached:
        starts = [index(each, how) for each in reached for how in hows]
        at = [number for start in starts for number in range(start, start + ROW)]
        wins = {(cells.pay[n], cells.stake[n]): n for n in at if cells.decided[n] == Decided.WIN}
        if wins:
            return tuple(wins.values())
        reached = {cells.next[n] for n in at if not cells.decided[n] and cells.next[n] != GONE} - seen
        seen |= reached
        hows = (How.COME_OUT, How.POINT_ON)  # the puck by then is unknown
    return ()


@lru_cache(maxsize=1 << 13)  # bounded, because players choose the stakes
def _remembered(layout: Layout, puck: int, number: int, wager: Wager) -> Met:
    """The same wagers meet the same rolls all evening."""
    return _meet(Turn(layout, puck, number), wager)


def _meet(turn: Turn, wager: Wager) -> Met:
    layout, cells = turn.layout, turn.layout.cells
    meets = how(layout, turn.puck, wager, sits_out=turn.sits_out)
    if turn.sits_out and meets is How.OFF and wager.state not in layout.flat_of:  # odds follow their flat wager
        return _returned(turn, wager) if _misses_window(turn, wager) else _left_alone(turn, wager, meets)
    number = layout.states[wager.state].number
    at = index(number, meets, turn.number)
    after = cells.next[at]
    if not cells.decided[at] and after == number:
        return _left_alone(turn, wager, meets)
    line = _line(turn, wager, at) if cells.decided[at] else None
    if after == GONE:
        return Met(line)
    stands = _after_roll(turn, wager, layout.keys[after], meets)
    if cells.decided[at]:
        stands, line = _fresh(layout, stands, line)
    return Met(line, stands, layout.states[stands.state].spot)


def _fresh(layout: Layout, stands: Wager, line: Line | None) -> tuple[Wager, Line | None]:
    """A decided stake that stands is a fresh wager: its fee is charged again, from its win (ruling 31)."""
    stands = replace(stands, counted_cents=0)
    bet = layout.bet_at[stands.state]
    if not (bet.fee and line and line.payment.paid_cents):
        return stands, line
    fee = min(upfront_fee(stands.stake_cents, bet.fee), line.payment.paid_cents)
    return replace(stands, fee_cents=fee), replace(line, fee_cents=fee)


def _misses_window(turn: Turn, wager: Wager) -> bool:
    """Whether a roll that the seat sits out closes the window of a flat wager without a point (ruling 30)."""
    puck_goes_off = turn.puck != 0 and turn.puck_after == 0
    match turn.layout.bet_at[wager.state].opens:
        case Opens.COME_OUT:
            return turn.sets_point
        case Opens.POINT_ON:
            return puck_goes_off
        case Opens.SINCE_POINT:
            return puck_goes_off and ROLLS[turn.number].total == 7
    return False


def _left_alone(turn: Turn, wager: Wager, meets: How) -> Met:
    """A wager that the dice leave alone. Off odds are returned when a new point is set, if the game chose so (IB
    3.2)."""
    bet, spot = turn.layout.bet_at[wager.state], turn.layout.states[wager.state].spot
    returns = turn.sets_point and turn.layout.game.off_odds == "returned"
    if not (bet.flat and wager.switch is Switch.OFF and returns):
        return Met(None, _after_roll(turn, wager, wager.state, meets), spot)
    return Met(None) if wager.released else _returned(turn, wager)


def _returned(turn: Turn, wager: Wager) -> Met:
    """The wager goes back to the player, undecided."""
    bet, spot = turn.layout.bet_at[wager.state], turn.layout.states[wager.state].spot
    return Met(Line(spot, bet.id, wager.stake_cents, Decided.PUSH, returned_cents=wager.stake_cents))


def _line(turn: Turn, wager: Wager, at: int) -> Line | None:
    """What a cell decided, in money; a mark has no money."""
    layout, cells = turn.layout, turn.layout.cells
    if wager.released:
        return None
    row = layout.pays[cells.pay[at]]
    ratio = row.ratio(turn.power.get(row.group, "") if row.group else "")
    unit = layout.game.payout_unit_cents
    return Line(
        layout.states[wager.state].spot,
        layout.bet_at[wager.state].id,
        wager.stake_cents,
        DECIDED[cells.decided[at]],
        pay(wager.stake_cents, ratio, row.commission, unit) if ratio else UNPAID,
        row.meter,
        row.envy,
        returned_cents=wager.stake_cents if cells.stake[at] == Stake.RETURNED else 0,
        taken_cents=wager.stake_cents if cells.stake[at] == Stake.TAKEN else 0,
        to="" if cells.next[at] == GONE else layout.state_at(cells.next[at]).spot,
    )


def _after_roll(turn: Turn, wager: Wager, state: str, meets: How) -> Wager:
    """The wager after the roll. If it worked, its stake is met and its fee spent. Switching it on lasts until the
    puck moves. An off Lay comes on again, if the game chose so (IB 3.2, ruling 4)."""
    marker = wager.switch
    if marker is Switch.ON and turn.puck != turn.puck_after:
        marker = Switch.UNTOUCHED
    if marker is Switch.OFF and not wager.released and turn.layout.bet_at[wager.state].comes_on:
        comes_on = turn.sets_point or ROLLS[turn.number].total == 7
        marker = Switch.UNTOUCHED if comes_on else marker
    if meets is not How.OFF:
        return Wager(state, wager.stake_cents, marker, lain=True, counted_cents=wager.stake_cents)
    lain, waited = wager.lain or not turn.sits_out, wager.waited or turn.sits_out
    return replace(wager, state=state, switch=marker, lain=lain, waited=waited)
