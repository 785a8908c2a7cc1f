"""The long random walk against a second model of the table (`model.py`): stays, fees, sitting out, qualifying
wagers, undo near limits, changes of settings, reversals after a cash-out, a meter that two tables share.

Every seat's credit, felt, fees and memory are compared after every request. A failing walk is cut down before it is
shown. `STICKMAN_WALKS=20` walks twenty times as far.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import pytest

from stickman.rules.datafile import BadFile
from stickman.rules.game import Game
from stickman.rules.layout import Switch
from stickman.rules.settings import change
from stickman.table import messages as m
from stickman.table.asking import layout_of
from stickman.table.evolve import evolve
from stickman.table.messages import Facts, Refused, Reported, Request
from stickman.table.state import Table, new_table
from tests.naive import FIRST
from tests.table import model as models
from tests.table.model import SIDE, Meter, Model, is_odds, require
from tests.talk.devices import bill_stacked, key_turned, ticket_stacked, with_printer
from tests.talk.games import game
from tests.talk.table import check_books

STEPS = 250
WALKS = 4 * int(os.environ.get("STICKMAN_WALKS", "1"))
"""Walks of each of the eight groups: 8 × 4 × 250 are 8,000 requests."""
GROUPS = range(8)

# --- Games ---

LEAVE_OUT = sorted(
    [f"{family}.{number}" for family in ("place", "buy", "lay") for number in (5, 8, 10)]
    + [f"hard.{number}" for number in (4, 8, 10)]
)
BASE = {
    "bets": str(sorted(models.FAMILIES)),
    "leave_out": str(LEAVE_OUT),
    "credit_meter": "free",
    "move_after_win": "none",
    "press_by_win": "false",
    "lucky_shooter.on": "false",
    "lucky_roller.on": "true",
    "hot_shooter.on": "true",
}
SETTINGS: dict[str, tuple[str, ...]] = {
    "off_money": ("held", "released"),
    "stay_up": ("true", "false"),
    "come_out": ("working", "off"),
    "after_seven_out": ("working", "off"),
    "off_lay": ("comes_on", "stays_off"),
    "off_odds": ("returned", "stay_off"),
    "table_min_cents": ("100", "1500", "2500"),
    "total_max_cents": ("1000000", "6000", "10000"),
    "limits.max_cents": ("100000", "2000"),
    "limits.step_cents": ("100", "25"),
    "bet_limits.place.min_cents": ("100", "700"),
    "payout_unit_cents": ("1", "25"),
    "buy.when": ("upfront", "on_win"),
    "buy.base": ("stake", "win"),
    "buy.rate_bp": ("500", "333", "2000"),
    "lay.when": ("upfront", "on_win"),
    "lay.base": ("stake", "win"),
    "lay.rate_bp": ("500", "333"),
    "cash_out": ("felt_empty", "credit"),
    "hand_pay_over_cents": ("300000", "20000"),
    "lucky_roller.when": ("after_seven", "any_roll"),
    "lucky_roller.needs_line": ("true", "false"),
    "hot_shooter.needs_line": ("true", "false"),
    "hot_shooter.qualifying_cents": ("0", "1000", "2000"),
    "come_when": ("since_point", "point_on"),
    "dont_pass_after_point": ("removable", "locked"),
    "place_excludes_lay": ("same_number", "any_number"),
    "odds.take": ("2x", "3-4-5x"),
    "odds.lay": ("2x", "6x"),
    "odds.dont_come_limit": ("stake", "win"),
    "field": ("double", "EL602"),
    "rotate_on": ('["seven_out"]', '["seven_out", "point_established"]'),
}
MINIMUM = {"table_min_cents": "2500", "lucky_roller.needs_line": "true", "hot_shooter.needs_line": "true"}
LEANINGS = {3: MINIMUM, 5: MINIMUM, 6: {"off_money": "released", "total_max_cents": "2500"}}
"""By group, what is the same in all its games."""
SHARED = {"fired_up.on": "true", "fired_up.paytable": "FUP-03", "come_when": "since_point"}


def with_changes(before: Game, changes: dict[str, str]) -> Game:
    for key, text in changes.items():
        try:
            before = change(before, key, text)
        except BadFile:
            continue
    return fitting(before)


def goes(before: Game, key: str, text: str) -> bool:
    try:
        after = change(before, key, text)
    except BadFile:
        return False
    return fitting(after) == after


def fitting(drawn: Game) -> Game:
    """Released chips and a Lay that comes on by itself do not go together: whose money would it be?"""
    if drawn.off_money == "released" and drawn.off_lay == "comes_on":
        drawn = change(drawn, "off_lay", "stays_off")
    return drawn


def drawn_games(rng: random.Random, group: int) -> list[Game]:
    """One table, or two that share a meter; groups 0 and 1 have a single seat, 2 to 4 a dealer."""
    seats = 1 if group < 2 else rng.choice((2, 3, 4))
    mode = "dealer_assisted" if group in (1, 2, 3, 4) else "automated"
    keys = rng.sample(sorted(SETTINGS), rng.randint(8, len(SETTINGS)))
    changes = {key: rng.choice(SETTINGS[key]) for key in keys}
    changes |= LEANINGS.get(group, {})
    first = with_changes(game("craps"), {**BASE, "seats": str(seats), "mode": mode, **changes})
    if group != 7:
        return [first]
    meter = {"winners": ("in_full", "split"), "increment_bp": ("500", "333"), "base_cents": ("100", "500")}
    chosen = {f"fired_up.{key}": rng.choice(texts) for key, texts in meter.items()}
    first = with_changes(first, {**SHARED, **chosen})
    return [first, with_changes(first, {"stay_up": rng.choice(SETTINGS["stay_up"])})]


# --- What is asked ---


class Step(NamedTuple):
    """One request at one of the tables, and what the house knew."""

    at: int
    request: Request | Reported
    facts: Facts


CHIPS = (100, 100, 200, 500, 500, 700, 1000, 1500, 2000, 25, 60)
BUTTONS: tuple[m.Button, ...] = ("clear_last", "clear_last", "clear_all", "cancel_all", "double", "repeat")
NORMAL = [(a, b) for a in range(1, 7) for b in range(1, 7)]
CLIMB = {0: (4, 1), 7: (4, 1), 5: (3, 1), 4: (2, 1), 3: (1, 1)}
"""By the last total, the dice that go on with the sequence of FUP-03: 5, 4, 3, 2 after a 7."""


class Player:
    """Draws what is asked next. Each walk has leanings of its own: few spots, some dice more often."""

    def __init__(self, rng: random.Random, model: Model, group: int) -> None:
        self.rng = rng
        spots = [spot for spot in models.ALL_BETS if model.offered(spot)]
        self.spots = sorted(rng.sample(spots, rng.choice((8, 14, len(spots)))))
        self.spots += [spot for spot in ("pass", "dont_pass", "come", "buy.4", "lay.6") if rng.random() < 0.5]
        self.spots += ["fired_up"] * 40 if model.meter else []
        self.dice_bag = NORMAL + rng.sample(NORMAL, 4) * rng.choice((0, 3, 8))
        self.bets_per_roll = rng.choice((0.1, 0.2, 0.35))
        self.leaving = rng.choice((0.02, 0.06, 0.15))
        self.reversing = rng.choice((0.05, 0.2))
        if group in (3, 5):  # small wagers under a high table minimum, and side wagers that need them
            self.spots = [spot for spot in self.spots if spot not in ("field", "any_craps")]
            self.spots += ["pass", "dont_pass", "come", "lucky_roller.low", "hot_shooter"] * 4
            self.leaving = 0.02
        if group == 6:  # chips off and on again, near the most that may lie
            self.spots = [spot for spot in spots if models.can_be_off(spot)]
            self.leaving = 0.01
        self.near = group == 6
        self.next: list[Request] = []
        """What is asked next, whatever chance says."""

    def dice(self, model: Model) -> m.Dice:
        if model.meter and self.rng.random() < 0.9:
            return CLIMB.get(model.last_total, (3, 4))
        return self.rng.choice(self.dice_bag)

    def facts(self, model: Model) -> Facts:
        rng = self.rng
        pair = ("badge-12", "badge-7") if rng.random() < 0.97 else rng.choice((("badge-7", "badge-7"), ("", "")))
        return Facts(
            now_ms=1000,
            actor=pair[0],
            approver=pair[1],
            dice=self.dice(model),
            ticket_number="123456789012345678",
            printers=dict.fromkeys(range(1, 11), "away") if rng.random() < 0.01 else None,
            second_over_cents=10**9,
            drawer="badge-12",
            ticket=m.TicketIn("876543210987654321", rng.choice((100, 2_345))),
            pin_mark="mark" if rng.random() < 0.5 else "",
            meters={model.meter_key: model.meter.reading} if model.meter else {},
        )

    def request(self, table: Table, model: Model) -> Request | Reported:
        rng = self.rng
        if self.next:
            return self.next.pop(0)
        if model.mode == "dealer_assisted" and not model.dealer and rng.random() < 0.5:
            return m.SignIn()
        if table.phase == "rolled":
            if model.before and model.before.by_dealer and rng.random() < self.reversing / 2:
                return m.ReverseRoll(dice=rng.choice(self.dice_bag))
            return m.OpenBets() if rng.random() < 0.9 else self._leaves(model, rng.choice(model.seats).number)
        if table.phase != "betting":
            return self._rolls(table, model)
        if rng.random() < (self.bets_per_roll / len(model.seats) if model.live() is not False else 0.02):
            return m.CloseBets()
        if model.before and model.before.by_dealer and rng.random() < self.reversing / 4:
            return m.ReverseRoll(dice=rng.choice(self.dice_bag))
        if rng.random() < 0.02:
            key = rng.choice(sorted(SETTINGS))
            text = rng.choice(SETTINGS[key])
            return m.ChangeSetting(key=key, text=text if goes(model.game, key, text) else "nonsense")
        return self._plays(model, rng.choice(model.seats).number)

    def _rolls(self, table: Table, model: Model) -> Request | Reported:
        if model.mode == "dealer_assisted":
            if self.rng.random() < 0.02:
                return m.CallNoRoll(reason="cocked")
            return m.ConfirmDice() if table.entered else m.EnterDice(dice=self.dice(model))
        return self.rng.choice((m.RollDice(), m.RollDice(), m.Shoot(seat=table.shooter or 1)))

    def _leaves(self, model: Model, number: int) -> Request | Reported:
        rng, seat = self.rng, model.seat(number)
        if seat.due or seat.left_due:
            return rng.choice((key_turned(number), m.PayByHand(seat=number), m.PayByHand(seat=number)))
        if not seat.credit:
            cents = rng.choice((1_000, 2_000, 5_000, 20_000, 40_001))
            ticket = ticket_stacked(number, "876543210987654321")
            return rng.choice((bill_stacked(number, cents), m.GiveCredit(seat=number, cents=cents), ticket))
        return rng.choice(
            (m.CashOut(seat=number), m.CashOut(seat=number), m.GiveTip(seat=number, cents=seat.credit))
        )

    def _plays(self, model: Model, number: int) -> Request | Reported:
        rng, seat = self.rng, model.seat(number)
        if seat.pop_up and rng.random() < 0.95:
            return m.AnswerPopUp(seat=number, accept=rng.random() < 0.85)
        if seat.reserved:
            return m.ReturnToSeat(seat=number)
        if not seat.linked and rng.random() < 0.5:
            return m.RestoreLink(seat=number)
        if seat.due or rng.random() < self.leaving or (not seat.credit and not seat.felt):
            return self._leaves(model, number)
        kind = rng.random()
        if self.near and seat.felt and kind < 0.3:
            return self._touches(model, number)
        if kind < 0.45:
            return self._bets(model, number)
        if kind < 0.65 and seat.felt:
            return self._touches(model, number)
        if kind < 0.77 and (seat.felt or seat.remembers):
            buttons: tuple[m.Button, ...] = (
                "clear_last",
                "clear_last",
                "clear_all",
                "cancel_all",
                "double",
                "repeat",
            )
            return m.PressButton(seat=number, button=rng.choice(buttons), cents=rng.choice((100, 500)))
        if kind < 0.9 and (seat.undo or kind > 0.89):
            return m.Undo(seat=number)
        return self._wishes(number) if kind > 0.9 else self._bets(model, number)

    def _bets(self, model: Model, number: int) -> Request | Reported:
        """Mostly what may be placed."""
        rng, seat = self.rng, model.seat(number)
        requests = [self._bet(model, number) for _ in range(8)]
        fit = [one for one in requests if model.may_place(seat, one.spot, one.cents) is not False]
        return fit[0] if fit and rng.random() < 0.9 else requests[0]

    def _bet(self, model: Model, number: int) -> m.PlaceBet:
        spot = self.rng.choice(self.spots)
        cents = model.limits(spot).min_cents if spot == models.PROGRESSIVE else self.rng.choice(CHIPS)
        return m.PlaceBet(seat=number, spot=spot, cents=cents)

    def _touches(self, model: Model, number: int) -> Request | Reported:
        rng, seat = self.rng, model.seat(number)
        spot = rng.choice(sorted(seat.felt))
        on = rng.random() < 0.5
        if self.near and rng.random() < 0.15:
            return self._past_the_total(number)
        return rng.choice(
            (
                m.TakeBet(seat=number, spot=spot),
                m.TakeBet(seat=number, spot=spot, cents=rng.choice(CHIPS)),
                m.SwitchBet(seat=number, spot=spot, on=on),
                m.SwitchBet(seat=number, spot=spot, on=on),
                m.SwitchAll(seat=number, on=on),
            )
        )

    def _past_the_total(self, number: int) -> Request | Reported:
        """Chips go off, others come and go, the first come on again: what Undo goes back to may be too much."""
        first, second = self.rng.sample(("place.4", "place.6", "hard.6"), 2)
        self.next = [
            m.SwitchBet(seat=number, spot=first, on=False),
            m.PlaceBet(seat=number, spot=second, cents=self.rng.choice((700, 1500))),
            m.TakeBet(seat=number, spot=second),
            m.SwitchBet(seat=number, spot=first, on=True),
            m.Undo(seat=number),
        ]
        return m.PlaceBet(seat=number, spot=first, cents=self.rng.choice((1000, 1500)))

    def _wishes(self, number: int) -> Request | Reported:
        rng = self.rng
        on = rng.random() < 0.6
        return rng.choice(
            (
                m.SetSwitch(seat=number, switch="keep_bets", on=on),
                m.SetSwitch(seat=number, switch="keep_bets", on=True),
                m.SetSwitch(seat=number, switch="auto_repeat", on=on),
                m.SetSwitch(seat=number, switch="shooter_play", on=on),
                m.NameSeat(seat=number, name=rng.choice(("", "Seven"))),
                m.ReserveSeat(seat=number, pin="4711"),
                m.LoseLink(seat=number),
                m.HandOver(seat=number),
                bill_stacked(number, rng.choice((500, 5_000))),
            )
        )


# --- What is compared ---


def compare(model: Model, table: Table) -> None:
    """Every seat of the table as the model has it."""
    model.phase = table.phase
    require(table.hand.puck == model.puck, f"the puck is on {table.hand.puck}, must be on {model.puck}")
    for name in ("commission", "shortfall"):
        found = abs(table.accounts.get(name, 0))
        require(found == getattr(model, name), f"{name} has {found}, must have {getattr(model, name)}")
    for number in range(1, len(table.seats) + 1):
        _compare_seat(model, table, number)


def _compare_seat(model: Model, table: Table, number: int) -> None:
    seat, mine = table.seat(number), model.seat(number)
    found = {
        "credit": table.credit(number),
        "banned": seat.felt.dont_pass_banned,
        "undo": len(seat.bet_time.undo),
        "keep": seat.player.keep_bets,
        "auto": seat.player.auto_repeat,
        "remembers": seat.player.last_stakes,
        "name": seat.player.name,
        "pin": seat.player.pin_mark,
        "shoots": seat.stay.shoots,
        "stay": seat.stay.number,
        "ended": seat.stay.ended or not seat.stay.number,
        "money_in": seat.stay.in_cents,
        "money_out": seat.stay.out_cents,
        "tips": seat.stay.tips_cents,
        "due": seat.terminal.hand_pay_cents,
        "left_due": seat.terminal.left_due_cents,
    }
    if "due" in mine.open:  # it may have shrunk: what is due and what is credit, the rules leave open
        require(
            0 <= seat.terminal.hand_pay_cents <= mine.due,
            f"seat: due is {seat.terminal.hand_pay_cents}, must be at most {mine.due}",
        )
        mine.credit -= seat.terminal.hand_pay_cents
    for name in mine.open:
        setattr(mine, name, found[name])
    mine.open.clear()
    expected = {name: len(mine.undo) if name == "undo" else getattr(mine, name) for name in found}
    for name, value in found.items():
        require(value == expected[name], f"seat: {name} is {value}, must be {expected[name]}")
    require(
        (seat.bet_time.pop_up is None) == (mine.pop_up is None), f"seat: its question is {seat.bet_time.pop_up}"
    )
    sits_alone = not any(spot not in SIDE for spot in mine.felt)
    if table.phase == "shooting":
        require(seat.last.sits_out or not mine.sits_out, "seat: it must sit out")
        require(not (seat.last.sits_out and sits_alone), "seat: it sits out with side wagers alone")
    if mine.begun:
        left = (
            seat.stay.tickets,
            seat.last.lines,
            seat.last.win_cents,
            seat.last.awards,
            seat.bet_time.offers,
            seat.player.won_stakes,
            seat.last.returned,
        )
        require(not any(left), f"seat: a new player sees {left}")
    _compare_felt(model, table, number)


def _compare_felt(model: Model, table: Table, number: int) -> None:
    layout, mine = layout_of(table), model.seat(number)
    found, expected = {}, {}
    for spot, wager in table.seat(number).felt.wagers.items():
        name = layout.states[wager.state].name
        point = name if name.isdigit() and (spot in models.FLAT or is_odds(spot)) else ""
        off = wager.switch is Switch.OFF
        if wager.switch is Switch.UNTOUCHED and spot in mine.felt and mine.felt[spot].hand == "on":
            mine.felt[spot] = replace(mine.felt[spot], hand="")  # how long On by hand holds, the rules leave open
        found[spot] = (wager.stake_cents, wager.fee_cents, off, wager.released, point)
    for spot, lies in mine.felt.items():
        point = str(lies.state) if lies.state != FIRST and (spot in models.FLAT or is_odds(spot)) else ""
        expected[spot] = (lies.stake, model.fee(spot, lies.unmet), lies.hand == "off", lies.released, point)
    require(found == expected, f"felt: {found}, must be {expected}")


# --- Walks ---


class Broken(Exception):
    """The table and the model disagree."""


class Walk:
    """One or two tables on a walk, each beside its model."""

    def __init__(self, games: list[Game]) -> None:
        seed = games[0].reset_cents("fired_up")
        meter = Meter(seed, Fraction(seed)) if games[0].fired_up.on else None
        self.models = [Model(each, meter) for each in games]
        self.tables = [new_table(each) for each in games]
        self.seen: Counter[str] = Counter()

    def take(self, step: Step) -> None:
        model, table = self.models[step.at], self.tables[step.at]
        expected = model.expects(step.request, step.facts)
        decision = with_printer(table, step.request, step.facts)
        refused = isinstance(decision, Refused)
        kind = type(step.request).__name__
        self.seen["requests"] += 1
        if expected is not None:
            self.seen["claimed"] += 1
            why = decision if isinstance(decision, Refused) else ""
            require(expected == (not refused), f"{kind}: refused {refused} {why}, must be accepted {expected}")
        if isinstance(decision, Refused):
            self.seen["refused"] += 1
            self.seen[f"refused {kind} {decision.why.name}"] += 1
            return
        self.seen["accepted"] += 1
        self.seen[f"accepted {kind}"] += 1
        for event in decision:
            table = evolve(table, event)
        check_books(table)
        self.tables[step.at] = table
        model.happens(step.request, step.facts, decision)
        compare(model, table)
        if model.meter:
            self._compare_meter(model.meter)

    def _compare_meter(self, meter: Meter) -> None:
        """What all tables have booked to the meter is what it shows beyond its seed."""
        account = f"progressive:{self.models[0].meter_key}"
        booked = sum(each.accounts.get(account, 0) + each.remainders.get(account, 0) for each in self.tables)
        require(booked == meter.cents - meter.seed, f"meter: {booked} booked, must be {meter.cents - meter.seed}")


def problem(games: list[Game], steps: list[Step]) -> str:
    walk = Walk(games)
    try:
        for step in steps:
            walk.take(step)
    except Exception as broken:  # noqa: BLE001 - whatever it is, it is what we look for
        return f"{type(broken).__name__}: {broken}"
    return ""


def place_of(found: str) -> str:
    """What kind of disagreement it is, without its numbers."""
    return "".join(letter for letter in found.partition(", must be")[0] if not letter.isdigit())[:40]


def smallest(games: list[Game], steps: list[Step]) -> list[Step]:
    """The walk cut down: parts are left out as long as the same disagreement comes."""
    place, size, tries = place_of(problem(games, steps)), len(steps) // 2, 1500
    while size:
        at = 0
        while at < len(steps) and tries:
            tries -= 1
            shorter = steps[:at] + steps[at + size :]
            if place_of(problem(games, shorter)) == place:
                steps = shorter
            else:
                at += size
        size //= 2
    return steps


def told(games: list[Game], steps: list[Step], found: str) -> str:
    from stickman.rules.settings import settings  # noqa: PLC0415 - only to tell what failed

    lines = ["", found]
    for each in games:
        plain = {setting.key: setting.value for setting in settings(game(each.name))}
        lines += [f"  set {s.key} {s.value}" for s in settings(each) if s.value != plain.get(s.key)]
    lines += [f"  {step.at}: {step.request}  # dice {step.facts.dice}" for step in steps]
    return "\n".join(lines)


def walked(group: int, seed: int, steps: int = STEPS) -> Walk:
    """Walk, and raise with the smallest walk that breaks."""
    rng = random.Random(group * 1_000_003 + seed)  # noqa: S311 - chance for tests
    games = drawn_games(rng, group)
    walk = Walk(games)
    players = [Player(rng, model, group) for model in walk.models]
    taken: list[Step] = []
    try:
        for _ in range(steps):
            at = rng.randrange(len(games))
            facts = players[at].facts(walk.models[at])
            request = players[at].request(walk.tables[at], walk.models[at])
            taken.append(Step(at, request, facts))
            walk.take(taken[-1])
    except Exception as broken:
        found = problem(games, taken)
        least = smallest(games, taken) if found else taken
        raise Broken(told(games, least, problem(games, least) or repr(broken))) from broken
    for model in walk.models:
        walk.seen.update(model.counts)
    return walk


@pytest.mark.parametrize("group", GROUPS)
def test_every_seat_has_what_the_rules_say_after_every_request(group: int) -> None:
    for seed in range(WALKS):
        walked(group, seed)
