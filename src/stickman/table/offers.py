"""What a seat may do now, by spot and by button, with prices, or why not. It decides nothing: amounts come from the
felt, and trial requests go to the deciders. Tests compare the amounts with the deciders' answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from stickman.rules import felt as felts
from stickman.rules.felt import Amounts, Felt, Reason, Situation, Wager
from stickman.rules.layout import LaidBet, Layout, Switch
from stickman.rules.money import pay
from stickman.rules.paytable import odds_table
from stickman.table import betting, till
from stickman.table import messages as m
from stickman.table.asking import Decision, layout_of, no_betting, refused, situation_of
from stickman.table.decide import decide
from stickman.table.ledger import credit
from stickman.table.messages import Facts, Needs, Refused
from stickman.table.state import SWITCHES, Table


class Allowed(NamedTuple):
    """Something that may be done, and its price."""

    price_cents: int = 0
    """What it takes from credit, including the fee; negative if it gives back."""
    fee_cents: int = 0
    """The part of the price that a pop-up asks for first."""
    spots: tuple[str, ...] = ()
    """Where the seat's felt changes."""


class ChipButton(NamedTuple):
    """A button that puts the selected chip on several spots."""

    chips: Amounts
    """The chips it works with."""
    spots: tuple[str, ...]
    paying: int
    """Its price, in chips."""


class SpotOffer(Struct, frozen=True, omit_defaults=True):
    """What may be done at a spot."""

    place: Amounts | Refused
    """What credit allows, including the fee."""
    take: Amounts | Refused
    switch: tuple[bool, ...] | Refused
    """Whether it may be switched on (true) or off; of two, first the one that changes it."""
    adds_cents: int = 0
    """What a touch adds to the stack; 0 for the selected chip (RTW 6.1.1, ruling 50)."""
    evens: Amounts | None = None
    """Of `place`, the amounts after which the stack pays evenly, if not all do (ruling 59). A chip becomes the
    nearest of them."""


class WinOffer(Struct, frozen=True):
    """What the player may do after a Place win, until bets close (RULES 3, ruling 11)."""

    press: Allowed | Refused | None = None
    moves: dict[str, Allowed | Refused] = {}
    """By spot to which the stake may move."""


class OddsChoice(NamedTuple):
    """A button of the odds pop-up."""

    multiple: int
    stake_cents: int
    win_cents: int


class OddsOffer(Struct, frozen=True):
    """Odds that a flat wager could have, for the odds pop-up."""

    spot: str
    """The spot of the odds."""
    flat: str
    point: int
    set_in: int
    """The round whose roll set the point; the pop-up opens once for it."""
    choices: tuple[OddsChoice, ...]


class SeatOffers(Struct, frozen=True):
    """What a seat may do now."""

    betting: Refused | None
    """Why nothing may be bet; then no spot is listed."""
    spots: dict[str, SpotOffer]
    chip_buttons: dict[str, ChipButton | Refused]
    buttons: dict[str, Allowed | Refused]
    clears_all: bool
    """Pressing Clear last now clears all."""
    undo_depth: int
    toggles: dict[str, bool | Refused]
    """What each switch may be set to."""
    tip: Amounts | Refused
    denominations: tuple[int, ...] | Refused
    """The values of one credit that may be chosen now, or why none."""
    saves: Refused | None
    """Why the felt cannot be saved as a favourite; None if it can."""
    favourites: dict[int, Allowed | Refused]
    """By the slot of each favourite: what placing it takes, or why it may not be placed."""
    wins: dict[str, WinOffer]
    """By spot of the Place bet that won."""
    odds: tuple[OddsOffer, ...]
    """Line before come (ruling 27)."""

    def at(self, spot: str) -> SpotOffer:
        if self.betting:
            return SpotOffer(self.betting, self.betting, self.betting)
        return self.spots[spot]


def offers(table: Table, seat: int, facts: Facts) -> SeatOffers:
    """All that a seat may do now. Dice and ticket numbers are drawn when needed: without them a decider answers
    `Needs`, which counts as allowed here."""
    known = replace(facts, dice=None, ticket_number=facts.ticket_number or "drawn when printed")
    trial = Trial(table, seat, known, layout_of(table))
    closed = no_betting(table, seat, known)
    spots = {} if closed else _spots(trial)
    return SeatOffers(
        betting=closed,
        spots=spots,
        chip_buttons={button: _chip_button(trial, button) for button in CHIP_BUTTONS},
        buttons=dict(_buttons(trial)),
        clears_all=betting.clears_all(table, seat),
        undo_depth=len(table.seat(seat).bet_time.undo),
        toggles=dict(_toggles(trial)),
        tip=_tip(trial),
        denominations=_denominations(trial),
        saves=_saves(trial),
        favourites=dict(_favourites(trial)),
        wins=dict(_wins(trial)),
        odds=tuple(_odds(trial, spots)),
    )


class Trial(NamedTuple):
    """A seat on which requests are tried."""

    table: Table
    seat: int
    facts: Facts
    layout: Layout

    @property
    def felt(self) -> Felt:
        return self.table.seat(self.seat).felt

    @property
    def situation(self) -> Situation:
        return situation_of(self.table, self.seat)

    def of(self, request: m.Request) -> Allowed | Refused:
        return self.read(decide(self.table, request, self.facts))

    def accepting(self, button: m.Button, cents: int = 0) -> Allowed | Refused:
        """Press a button and accept any fee."""
        request = m.PressButton(seat=self.seat, button=button, cents=cents)
        return self.read(betting.press(self.table, request, self.facts, accepted=True))

    def read(self, decision: Decision | Needs) -> Allowed | Refused:
        """What a decision would do to this seat, read from its events. A request that only needs chance is
        allowed."""
        if isinstance(decision, Refused):
            return decision
        if isinstance(decision, Needs):
            return Allowed()
        purse, felt, price, fee = credit(self.seat), self.felt, 0, 0
        for event in decision:
            for source, target, cents in ((t.source, t.target, t.cents) for t in event.transfers):
                paid = cents * ((source == purse) - (target == purse))
                price += paid
                fee += paid if "commission" in (source, target) else 0
            if isinstance(event, m.FeltEvent) and event.seat == self.seat:
                felt = event.felt
            elif isinstance(event, m.PuckPutOff):
                felt = dict(event.felts).get(self.seat, felt)
        return Allowed(price, max(0, fee), betting.changed(self.felt, felt))


# --- Spots ---


def _spots(trial: Trial) -> dict[str, SpotOffer]:
    here, short = trial.situation, Shortages()
    affordable: dict[tuple[Amounts, Fraction, bool], Amounts | Refused] = {}
    found = {}
    begun = trial.table.seat(trial.seat).begun if trial.layout.game.touch_adds == "initial" else {}
    for spot, (place, take, switch) in felts.offers(here).items():
        bet = trial.layout.bet_on[spot]
        if isinstance(place, Reason):
            placed: Amounts | Refused = refused(place, spot)
        elif spot in here.felt.wagers:
            placed = _affordable(trial, bet, spot, place, short)
        else:
            key = (place, bet.fee, felts.starts_released(here, bet))
            if key not in affordable:
                affordable[key] = _affordable(trial, bet, spot, place, short)
            placed = affordable[key]
        found[spot] = SpotOffer(
            placed,
            refused(take, spot) if isinstance(take, Reason) else take,
            refused(switch, spot) if isinstance(switch, Reason) else _switch(trial, spot, switch),
            begun.get(spot, 0),
            None if isinstance(placed, Refused) else felts.evens(here, spot, placed),
        )
    return found


ONE = Fraction(1)
Shortages = dict[tuple[int, Fraction], Refused]
"""By amount and rate: credit is short by the same amount on every spot."""


def _affordable(trial: Trial, bet: LaidBet, spot: str, amounts: Amounts, short: Shortages) -> Amounts | Refused:
    """The amounts that credit allows. A mark of released chips costs only its fee (ruling 5)."""
    there = trial.felt.wagers.get(spot)
    is_mark = there.released if there else felts.starts_released(trial.situation, bet)
    full = 1 + bet.fee if bet.fee else ONE
    rate = bet.fee if is_mark else full
    unmet = _Unmet(there.unmet_cents, there.fee_cents) if there and bet.fee else _Unmet()
    purse = trial.table.credit(trial.seat) + unmet.fee_cents + (0 if is_mark else unmet.cents)
    most = _most_for(purse, rate) - unmet.cents if rate else amounts.high
    high = min(amounts.high, most // amounts.step * amounts.step)
    if high >= amounts.low:
        return amounts._replace(high=high)
    asked = (amounts.low, rate)
    if asked not in short:
        request = m.PlaceBet(seat=trial.seat, spot=spot, cents=amounts.low)
        answer = betting.place(trial.table, request, trial.facts)
        assert isinstance(answer, Refused), request
        short[asked] = answer
    return short[asked]


class _Unmet(NamedTuple):
    """The part of a wager that has met no roll, and its paid fee: an increase pays the difference."""

    cents: int = 0
    fee_cents: int = 0


def _most_for(cents: int, rate: Fraction) -> int:
    """The largest stake that costs at most this much at this rate. A cost is rounded down, so less than a cent more
    still fits."""
    return cents if rate is ONE else -(-(cents + 1) // rate) - 1  # one less than that quotient, rounded up


def _switch(trial: Trial, spot: str, to: tuple[Switch, ...]) -> tuple[bool, ...] | Refused:
    """Switching on can fail only for released chips, if credit or room is short."""
    if not trial.felt.wagers[spot].released:
        return tuple(each is Switch.ON for each in to)
    answer = decide(trial.table, m.SwitchBet(seat=trial.seat, spot=spot, on=True), trial.facts)
    return answer if isinstance(answer, Refused) else (True,)


# --- Buttons ---

CHIP_BUTTONS: tuple[m.Button, ...] = ("across", "inside", "outside")
ENDLESS = 10**12


def _buttons(trial: Trial) -> Iterator[tuple[str, Allowed | Refused]]:
    for button in betting.BUTTONS:
        if button not in CHIP_BUTTONS:
            yield button, trial.accepting(button)
    seat = trial.seat
    yield "all_on", trial.of(m.SwitchAll(seat=seat, on=True))
    yield "all_off", trial.of(m.SwitchAll(seat=seat, on=False))
    yield "undo", trial.of(m.Undo(seat=seat))
    yield "accept", trial.of(m.AnswerPopUp(seat=seat, accept=True))
    yield "decline", trial.of(m.AnswerPopUp(seat=seat, accept=False))
    yield "roll", trial.of(m.PressRoll(seat=seat))
    yield "shoot", trial.of(m.Shoot(seat=seat))
    yield "land", trial.of(m.LandDice(seat=seat))
    yield "puck_off", trial.of(m.PutPuckOff(seat=seat))
    yield "cash_out", trial.of(m.CashOut(seat=seat))
    yield "reserve", trial.of(m.ReserveSeat(seat=seat))
    yield "come_back", trial.of(m.ReturnToSeat(seat=seat))
    yield "call_service", trial.of(m.CallService(seat=seat))


def _chip_button(trial: Trial, button: m.Button) -> ChipButton | Refused:
    """The chips a button works with: first any that all of its spots take, then up to the largest."""
    found = _common_chips(trial, button)
    if isinstance(found, Refused):
        return found
    chips, answer = found
    paying = answer.price_cents // chips.low
    room = trial.layout.game.total_max_cents - trial.felt.money_cents
    most = min(trial.table.credit(trial.seat), room) // paying if paying else room
    chips = chips._replace(high=min(chips.high, most // chips.step * chips.step))
    if paying < len(answer.spots):  # each mark of released chips is checked against the total, but not their sum
        high = _highest(chips, lambda cents: isinstance(trial.accepting(button, cents), Allowed))
        chips = chips._replace(high=high)
    return ChipButton(chips, answer.spots, paying)


def _common_chips(trial: Trial, button: m.Button) -> tuple[Amounts, Allowed] | Refused:
    """The chips that every spot of a button takes. A refusal names a spot: its limits narrow the chips."""
    here, chips = trial.situation, Amounts(1, ENDLESS, 1)
    answer = trial.accepting(button, chips.low)
    while isinstance(answer, Refused):
        if not isinstance(answer.detail, str):  # it is not about a spot
            return answer
        narrower = _within(chips, felts.offer(here, answer.detail).place)
        if narrower == chips or narrower.low > narrower.high:
            return answer
        chips = narrower
        answer = trial.accepting(button, chips.low)
    for spot in answer.spots:
        chips = _within(chips, felts.offer(here, spot).place)
    return chips, answer


def _within(one: Amounts, other: Amounts | Reason) -> Amounts:
    """The amounts that both allow."""
    if isinstance(other, Reason):
        return one
    step = lcm(one.step, other.step)
    low, high = max(one.low, other.low), min(one.high, other.high)
    return Amounts(-(-low // step) * step, high // step * step, step)


def _highest(amounts: Amounts, accepted: Callable[[int], bool]) -> int:
    """The highest accepted amount, if the lowest is accepted and acceptance is monotonic."""
    low, high = 0, (amounts.high - amounts.low) // amounts.step
    middle = high
    while low < high:
        if accepted(amounts.low + middle * amounts.step):
            low = middle
        else:
            high = middle - 1
        middle = (low + high + 1) // 2
    return amounts.low + low * amounts.step


def _toggles(trial: Trial) -> Iterator[tuple[str, bool | Refused]]:
    for switch in SWITCHES:
        to = not trial.table.seat(trial.seat).is_on(switch)
        answer = trial.of(m.SetSwitch(seat=trial.seat, switch=switch, on=to))
        yield switch, answer if isinstance(answer, Refused) else to


def _tip(trial: Trial) -> Amounts | Refused:
    answer = trial.of(m.GiveTip(seat=trial.seat, cents=1))
    most = min(trial.table.credit(trial.seat), till.CENTS_MAX)
    return answer if isinstance(answer, Refused) else Amounts(1, most, 1)


def _denominations(trial: Trial) -> tuple[int, ...] | Refused:
    """All or none of them are allowed, except the current one."""
    others = [cents for cents in trial.table.game.denominations if cents != trial.table.denomination(trial.seat)]
    answer = trial.of(m.ChooseDenomination(seat=trial.seat, cents=others[0] if others else 0))
    return answer if isinstance(answer, Refused) else tuple(others)


def _saves(trial: Trial) -> Refused | None:
    answer = trial.of(m.SaveFavourite(seat=trial.seat, slot=1))
    return answer if isinstance(answer, Refused) else None


def _favourites(trial: Trial) -> Iterator[tuple[int, Allowed | Refused]]:
    for slot in trial.table.seat(trial.seat).stay.favourites:
        request = m.PlaceFavourite(seat=trial.seat, slot=slot)
        yield slot, trial.read(betting.place_favourite(trial.table, request, trial.facts, accepted=True))


# --- After a win, after a point ---


def _wins(trial: Trial) -> Iterator[tuple[str, WinOffer]]:
    kinds: dict[str, set[str]] = {}
    for offer in trial.table.seat(trial.seat).bet_time.offers:
        kinds.setdefault(offer.spot, set()).add(offer.kind)
    for spot, offered in kinds.items():
        press = trial.of(m.PressByWin(seat=trial.seat, spot=spot)) if "press" in offered else None
        yield spot, WinOffer(press, dict(_moves(trial, spot)) if "move" in offered else {})


def _moves(trial: Trial, spot: str) -> Iterator[tuple[str, Allowed | Refused]]:
    for bet in trial.layout.bets.values():
        if bet.family == trial.layout.game.move_after_win and bet.id != spot:
            request = m.MoveBet(seat=trial.seat, spot=spot, to=bet.id)
            yield bet.id, trial.read(betting.move_bet(trial.table, request, trial.facts, accepted=True))


def _odds(trial: Trial, spots: dict[str, SpotOffer]) -> Iterator[OddsOffer]:
    """For each flat wager with a point and without odds: the multiples that may be placed."""
    layout, wagers = trial.layout, trial.felt.wagers
    flats = [(spot, wager) for spot, wager in wagers.items() if wager.state in layout.odds_of] if spots else []

    def line_first(flat: tuple[str, Wager]) -> tuple[bool, int]:
        state = flat[1].state
        return not layout.bet_at[state].is_line, layout.states[state].point

    for flat, wager in sorted(flats, key=line_first):
        state = layout.odds_of[wager.state]
        spot, point = layout.states[state].spot, layout.states[state].point
        place = spots[spot].place
        if spot in wagers or isinstance(place, Refused):
            continue
        bet = layout.bets[spot]
        odds = odds_table(layout.game.odds_policy(bet.flat)[0])
        choices = []
        for multiple in odds.buttons_at(point):
            most = felts.odds_max(layout, bet, wager.state, wager.stake_cents * multiple)
            stake = most // odds.multiple(point) // place.step * place.step
            if place.allows(stake):
                won = pay(stake, layout.win_pay(state).ratio(), payout_unit_cents=layout.game.payout_unit_cents)
                choices.append(OddsChoice(multiple, stake, won.paid_cents))
        if choices:
            yield OddsOffer(spot, flat, point, _set_in(trial.table, point), tuple(choices))


def _set_in(table: Table, point: int) -> int:
    """The round that set a point: the last one with this total, because another would have decided it."""
    return next((past.round for past in reversed(table.history) if past.dice and sum(past.dice) == point), 0)


# --- What staff may do ---

StaffOffers = dict[str, Refused | None]
"""By request: why it would be refused now; None if it may be done."""

NOT_HERE: frozenset[m.Why] = frozenset((m.Refusal.NO_SUCH_BUTTON, m.Refusal.WRONG_MODE))
"""Refusals that mean: the game or its mode does not have this. Such requests are not listed."""
NOTHING_THERE: frozenset[m.Why] = NOT_HERE | {
    m.Refusal.WRONG_PHASE,
    m.Refusal.NOT_ELIGIBLE,
    Reason.ALREADY_SO,
    m.Refusal.NOTHING_TO_DO,
    m.Refusal.CREDIT_SHORT,
    m.Refusal.PRINTING,
}
"""For a seat, also those that mean: there is nothing to do."""
TWO_PEOPLE = {"actor": "one", "approver": "another"}
"""Staff can always call a second person, so two people count as present."""


def dealer_offers(table: Table, facts: Facts) -> StaffOffers:
    """What may be done at the table. A reversal is tried with the same dice: if only the dice are refused, it is
    possible. Only a dealer's table has dice to enter."""
    counted = next((result.dice for result in reversed(table.history) if result.dice), (1, 1))
    by_hand = (m.EnterDice(dice=(1, 1)), m.ConfirmDice()) if table.mode == "dealer_assisted" else ()
    other: m.Mode = "automated" if table.mode == "dealer_assisted" else "dealer_assisted"
    asked: tuple[m.Request, ...] = (
        m.OpenBets(),
        m.CloseBets(),
        m.RollDice(),
        *by_hand,
        m.CallNoRoll(reason="other"),
        m.PutPuckOff(),
        m.ReverseRoll(dice=counted),
        m.SelectMode(mode=other),
        m.PauseTable(),
        m.ResumeTable(),
    )
    return dict(_tried(table, asked, facts, NOT_HERE))


def offers_for_seat(table: Table, seat: int, facts: Facts) -> StaffOffers:
    """What staff may do for a seat, or why not now."""
    asked = (m.NameShooter, m.PayByHand, m.ClearLockup, m.AnswerService, m.ReturnToSeat, m.CancelPrint)
    return dict(_tried(table, (kind(seat=seat) for kind in asked), facts, NOTHING_THERE))


def _tried(
    table: Table, asked: Iterable[m.Request], facts: Facts, left_out: frozenset[m.Why]
) -> Iterator[tuple[str, Refused | None]]:
    known = replace(facts, dice=None, **TWO_PEOPLE)
    for request in asked:
        answer = decide(table, request, known)
        stop = answer if isinstance(answer, Refused) and answer.why is not m.Refusal.SAME_DICE else None
        if stop is None or stop.why not in left_out:
            yield str(request.__struct_config__.tag), stop
