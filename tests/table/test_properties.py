"""What holds at any table whatever is asked of it: random walks of every kind of request, nonsense included, over
five games with all side games and settings drawn at random.

A walk is a list of requests with facts, so a failing one is cut down to the smallest that still fails before it is
shown. `STICKMAN_WALKS=20` walks twenty times as far.
"""

from __future__ import annotations

import os
import random
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, Literal, NamedTuple, Union, get_args

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from stickman.devices.signals import FaultEnded, TotalsReported
from stickman.rules import felt as felts
from stickman.rules.datafile import BadFile, to_text
from stickman.rules.dice import ROLLS, Roll
from stickman.rules.felt import Amounts, Felt
from stickman.rules.game import Game
from stickman.rules.layout import Layout, Switch
from stickman.rules.settings import change
from stickman.table import messages as m
from stickman.table.asking import layout_of, situation_of
from stickman.table.decide import DECIDERS
from stickman.table.decide import decide_given as decide
from stickman.table.evolve import evolve, evolve_all
from stickman.table.messages import Event, Facts, Refused, Reported, Request
from stickman.table.round import close_bets, shooter_shown
from stickman.table.settle import settlement
from stickman.table.state import Seat, Table, new_table
from tests.talk.devices import any_signal, bill_stacked, door_moved, key_turned, printer_ends, table_door_moved
from tests.talk.games import FIVE_GAMES, game
from tests.talk.table import check_books

STEPS = 200
WALKS = 5 * int(os.environ.get("STICKMAN_WALKS", "1"))
"""Walks of each game: 5 games × 5 walks × 200 requests are 5,000."""


class Step(NamedTuple):
    """One request, and what the house knew."""

    request: Request | Reported
    facts: Facts


# --- Tables ---

SIDE_GAMES = ("lucky_roller", "bonus_craps", "hot_shooter", "lucky_shooter", "make_em_all", "fired_up")
SETTINGS: dict[str, tuple[str, ...]] = {
    "seats": ("1", "2", "3", "4"),
    "denominations": ("[1]", "[1, 5]"),
    "touch_adds": ("selected", "initial"),
    "credit_meter": ("free", "total"),
    "mode": ("automated", "dealer_assisted", "selectable"),
    "stay_up": ("true", "false"),
    "off_money": ("held", "released"),
    "come_out": ("working", "off"),
    "after_seven_out": ("working", "off"),
    "off_lay": ("comes_on", "stays_off"),
    "off_odds": ("returned", "stay_off"),
    "big_6_8_off": ("true", "false"),
    "buy.base": ("stake", "win"),
    "buy.when": ("on_win", "upfront"),
    "lay.base": ("stake", "win"),
    "lay.when": ("on_win", "upfront"),
    "big_small": ("until_seven", "single_roll"),
    "big_pair": ("both", "either"),
    "place_excludes_lay": ("same_number", "any_number"),
    "dont_pass_after_point": ("removable", "locked"),
    "come_when": ("since_point", "point_on"),
    "press_by_win": ("true", "false"),
    "move_after_win": ("none", "buy", "place"),
    "cash_out": ("felt_empty", "credit"),
    "hand_pay_over_cents": ("300000", "20000"),
    "table_min_cents": ("100", "1500", "5000"),
    "total_max_cents": ("1000000", "20000"),
    "limits.max_cents": ("100000", "2000"),
    "limits.step_cents": ("100", "25"),
    "payout_unit_cents": ("1", "25", "100"),
    "odds.take": ("2x", "3-4-5x", "10x"),
    "odds.lay": ("2x", "6x"),
    "odds.dont_pass_limit": ("stake", "win"),
    "odds.dont_come_limit": ("stake", "win"),
    "power_odds.on": ("true", "false"),
    "roll_button": ("true", "false"),
    "puck_can_be_reset": ("true", "false"),
    "timers.single_seat": ("true", "false"),
    "rotate_on": ('["seven_out"]', '["seven_out", "point_established"]'),
    "hot_shooter.qualifying_cents": ("0", "1000"),
    "lucky_roller.when": ("after_seven", "any_roll"),
    "bonus_craps.paytable": ("BC-03", "BC-04", "BC-08"),
    "make_em_all.paytable": ("MEA-01", "MEA-03"),
    "fired_up.paytable": ("FUP-01", "FUP-05"),
    "make_em_all.winners": ("in_full", "split"),
    "fired_up.winners": ("in_full", "split"),
    "fired_up.base_cents": ("100", "500"),
    "fired_up.cap_cents": ("none", "6000001"),
    **{f"{side}.needs_line": ("true", "false") for side in SIDE_GAMES},
    **{f"{side}.aggregate_max_cents": ("none", "5001") for side in SIDE_GAMES},
}
PRINTERS: dict[int, Literal["ready", "away"]] = {1: "away", 2: "ready"}
WHILE_RUNNING: dict[str, tuple[str, ...]] = {
    **{key: texts for key, texts in SETTINGS.items() if key != "seats"},
    "seats": ("3", "5"),
    "points": ("six", "ten"),
    "denominations": ("[1]", "[100]", "[1, 5]"),
    "bet_limits.field.max_cents": ("500",),
    "bet_limits": ("{field = {max_cents = 500}}", "none", "3"),
    "leave_out": ('["place.6", "come"]', "[]", '["nonsense"]'),
    "odds": ('{take = "2x"}', "nonsense"),
    "timers.bets_s": ("30", "-1", "1e9", "now"),
    "nonsense": ("true", ""),
    "": ("", "1"),
    "limits..max_cents": ("1",),
}


def drawn_game(name: str, rng: random.Random) -> Game:
    """A game with every side game and some settings as chance has it; what does not go together is left."""
    drawn = _changed(game(name), [(f"{side}.on", "true") for side in SIDE_GAMES])
    keys = rng.sample(sorted(SETTINGS), rng.randint(0, len(SETTINGS) // 2))
    return _changed(drawn, [("seats", "3"), *((key, rng.choice(SETTINGS[key])) for key in keys)])


def _changed(before: Game, changes: Iterable[tuple[str, str]]) -> Game:
    for key, text in changes:
        try:
            before = change(before, key, text)
        except BadFile:
            continue
    return before


# --- What is asked ---


class Player:
    """Draws what is asked next: mostly what may be, sometimes nonsense. Each walk has its own leanings (a few kinds
    of requests, few bets, some dice more often), so that rare things meet each other."""

    def __init__(self, rng: random.Random, layout: Layout) -> None:
        self.rng = rng
        self.now_ms = 1000
        self.kinds = sorted(DECIDERS, key=lambda kind: kind.__name__)
        self.weights = [rng.choice((0, 1, 1, 5, 20)) for _ in self.kinds]
        self.spots = sorted(rng.sample(sorted(layout.bets), rng.choice((6, 15, len(layout.bets)))))
        self.spots += [spot for spot in ("place.6", "place.8") if spot in layout.bets]
        if rng.random() < 0.4:  # a walk without anything that needs the puck
            line = ("pass", "dont_pass", "come", "dont_come", "lucky_shooter", "hot_shooter")
            self.spots = [spot for spot in self.spots if spot not in line]
        self.rolls = [*ROLLS, *rng.sample(ROLLS, rng.randint(0, 6)) * rng.choice((1, 10))]
        self.calm = rng.choice((0.5, 0.7, 0.9))
        self.closes = rng.choice((0.1, 0.3, 0.5))

    def dice(self) -> m.Dice:
        roll = self.rng.choice(self.rolls)
        return roll.first, roll.second

    def facts(self) -> Facts:
        rng = self.rng
        self.now_ms += rng.choice((0, 0, 100, 1_000, 11_000)) if rng.random() < 0.3 else 10
        people = rng.choice(
            (("badge-12", "badge-7"), ("badge-12", "badge-7"), ("badge-12", ""), ("badge-7", "badge-7"), ("", ""))
        )
        return Facts(
            now_ms=self.now_ms,
            actor=people[0],
            approver=people[1],
            dice=None if rng.random() < 0.02 else self.dice(),
            flies=rng.random() < 0.3,
            power={group: rng.choice(("low", "high")) for group in "ABCDEFG" if rng.random() < 0.2},
            ticket=rng.choice((None, *(m.TicketIn("876543210987654321", cents) for cents in (-5, 0, 100, 12_345)))),
            drawer=rng.choice(("", "badge-12")),
            second_over_cents=rng.choice((100, 1_000_000)),
            ticket_number=f"{rng.randint(1, 10**17):018}",
            printers=rng.choice((PRINTERS, {}, *[None] * 8)),
            meters={"make_em_all/100/MEA-01": m.Reading(2_500_123, 3), "fired_up/100/FUP-01": m.Reading(6_000_077)}
            if rng.random() < 0.7
            else {},
            pin_mark=rng.choice(("", "one", "other")),
        )

    def step(self, table: Table) -> Step:
        facts, request = self.facts(), self.request(table)
        if isinstance(request, m.ReturnToSeat) and self.rng.random() < 0.7:
            facts = replace(facts, actor=f"seat {request.seat}")
        return Step(request, facts)

    def request(self, table: Table) -> Request | Reported:
        rng = self.rng
        chance = rng.random()
        if rng.random() < 0.04:
            return any_signal(rng, table)
        if rng.random() < 0.5 and (ends := printer_ends(rng, table)):
            return ends
        if table.paused and chance < 0.3:
            return m.ResumeTable()
        if table.locked_up and chance < 0.4:
            return self._clears_table(table)
        if table.phase == "rolled" and chance < self.calm:
            return m.OpenBets()
        if table.phase in ("shooting", "thrown") and chance < self.calm:
            return self._rolls(table)
        number = rng.randint(1, len(table.seats))
        if table.phase == "betting" and table.before_roll and table.has_dealer and rng.random() < 0.1:
            return rng.choice((m.CashOut(seat=number), m.ReverseRoll(dice=self.dice())))
        if table.phase == "betting" and table.has_dealer and rng.random() < 0.02:
            return m.NameShooter(seat=shooter_shown(table) or number)
        if table.phase == "betting" and chance < self.calm:
            return self._helps(table, number) or self._bets(table, number)
        return self._anything(table)

    def _rolls(self, table: Table) -> Request | Reported:
        if table.phase == "thrown":
            return self.rng.choice((m.Tick(), m.Tick(), m.LandDice(seat=1), m.PauseTable()))
        if table.mode == "automated":
            return self.rng.choice((m.RollDice(), m.Shoot(seat=table.shooter or 1), m.Tick()))
        return m.ConfirmDice() if table.entered else m.EnterDice(dice=self.dice())

    def _helps(self, table: Table, number: int) -> Request | Reported | None:
        """What keeps a walk from standing still: an answer, money, an open seat, the end of the bet time."""
        rng, seat = self.rng, table.seat(number)
        if seat.bet_time.pop_up:
            return m.AnswerPopUp(seat=number, accept=rng.random() < 0.8)
        if table.deadline_ms and table.deadline_ms < self.now_ms:
            return m.Tick()
        if seat.terminal.lockups:
            return self._clears(table, seat)
        if not seat.terminal.linked:
            return m.RestoreLink(seat=number)
        if seat.stay.reserved_until_ms > self.now_ms:
            return m.ReturnToSeat(seat=number)
        if rng.random() < 0.08:
            return self._rare(table, number)
        if len(table.game.denominations) > 1 and not seat.felt.wagers and rng.random() < 0.2:
            return m.ChooseDenomination(seat=number, cents=rng.choice(table.game.denominations))
        if table.credit(number) < 1000:
            return bill_stacked(number, rng.choice((2_000, 10_000, 250_000)))
        return m.CloseBets() if rng.random() < self.closes else None

    def _clears_table(self, table: Table) -> Request | Reported:
        """The next step to a table that its doors do not lock up."""
        if table.doors:
            return table_door_moved(min(table.doors), shut=True)  # type: ignore[arg-type] # kept as text
        if any(known.distrusted and not known.seat for known in table.heard.values()):
            return self._settles(table, 0)
        return m.ClearTable() if any(seat.terminal.key for seat in table.seats) else key_turned(1)

    def _settles(self, table: Table, number: int) -> Request | Reported:
        """The next step to devices that are trusted."""
        for device, known in table.heard.items():
            _, _, seat = device.rpartition("-")
            if seat == str(number) and known.distrusted:
                if known.totals:
                    return m.SettleDevice(seat=number, device=device)
                signal = TotalsReported(bills={2_000: self.rng.randint(0, 9)})
                return replace(
                    any_signal(self.rng, table), signal=signal, seat=number, device=device, seq=known.seq + 1
                )
        return m.CallService(seat=number)

    def _clears(self, table: Table, seat: Seat) -> Request | Reported:
        """The next step to a seat that is not locked up."""
        if seat.terminal.doors:
            return door_moved(seat.number, max(seat.terminal.doors), shut=True)  # type: ignore[arg-type] # kept as text
        if "cage_order" in seat.terminal.lockups:
            return door_moved(seat.number, "cage_main")
        if not seat.terminal.key:
            return key_turned(seat.number)
        for part, faults in seat.terminal.faults.items():
            return Reported(seat=seat.number, kind=part, signal=FaultEnded(fault=faults[0]))
        if "device" in seat.terminal.lockups:
            return self._settles(table, seat.number)
        return m.PayByHand(seat=seat.number) if seat.terminal.hand_pay_cents else m.ClearLockup(seat=seat.number)

    def _rare(self, table: Table, number: int) -> Request | Reported:
        """What needs several things at once, and so would hardly ever be asked when it may be."""
        rng = self.rng
        if table.game.roll_button and rng.random() < 0.3:
            return m.PressRoll(seat=number)
        if table.seat(number).terminal.left_due_cents:
            return m.PayByHand(seat=number) if table.seat(number).terminal.key else key_turned(number)
        if not table.has_dealer:
            mode: m.Mode = "dealer_assisted"
            return m.SelectMode(mode=mode) if table.dealer else m.SignIn()
        alone = len(table.seats) == 1
        return rng.choice(
            (
                m.GiveTip(seat=number, cents=rng.choice((100, table.credit(number)))),
                m.CashOut(seat=number),
                m.NameShooter(seat=number),
                m.NameShooter(seat=shooter_shown(table) or number),
                m.PutPuckOff(seat=int(alone)),
                m.PutPuckOff(seat=int(alone)),
                bill_stacked(number, 300_000),
                m.SelectMode(mode="automated"),
                m.ReverseRoll(dice=self.dice()),
            )
        )

    def _bets(self, table: Table, number: int) -> Request | Reported:
        """Chips on or off some spot, as the seat is offered; now and then a cent more."""
        rng, seat = self.rng, situation_of(table, number)
        lying = sorted(seat.felt.wagers)
        kind = rng.random()
        if table.seat(number).bet_time.offers and rng.random() < 0.4:
            return self._takes_offer(table, number)
        if lying and kind < 0.25:
            spot = rng.choice(lying)
            take = felts.offer(seat, spot).take
            part = rng.choice((None, self._amount(take)))
            return rng.choice(
                (
                    m.TakeBet(seat=number, spot=spot, cents=part),
                    m.SwitchBet(seat=number, spot=spot, on=rng.random() < 0.5),
                    m.SwitchAll(seat=number, on=rng.random() < 0.5),
                )
            )
        if kind < 0.4:
            button = rng.choice(get_args(m.Button))
            return m.PressButton(seat=number, button=button, cents=rng.choice((100, 500, 1000, 60)))
        if kind < 0.5:
            return m.Undo(seat=number)
        if kind < 0.54:
            return rng.choice((m.SaveFavourite, m.PlaceFavourite, m.PlaceFavourite))(seat=number, slot=1)
        for _ in range(20):
            spot = rng.choice(self.spots)
            amounts = felts.offer(seat, spot).place
            if isinstance(amounts, Amounts):
                return m.PlaceBet(seat=number, spot=spot, cents=self._amount(amounts))
        return m.PlaceBet(seat=number, spot="field", cents=100)

    def _takes_offer(self, table: Table, number: int) -> Request | Reported:
        offered = self.rng.choice(table.seat(number).bet_time.offers)
        what, spot = offered.kind, offered.spot
        if what == "press":
            return m.PressByWin(seat=number, spot=spot)
        to = f"{table.game.move_after_win}.{self.rng.choice(table.game.point_numbers)}"
        return m.MoveBet(seat=number, spot=spot, to=to)

    def _amount(self, amounts: object) -> int:
        rng = self.rng
        if not isinstance(amounts, Amounts) or rng.random() < 0.1:
            return rng.choice((-100, 0, 1, 99, 100, 101, 500, 10**6, 10**12))
        few = min(amounts.high, amounts.low + rng.choice((0, 0, 1, 2, 4, 9)) * amounts.step)
        return amounts.high if rng.random() < 0.1 else max(amounts.low, few)

    def _anything(self, table: Table) -> Request | Reported:
        """A request of any kind, filled with what may or may not exist."""
        [kind] = self.rng.choices(self.kinds, [weight + 0.1 for weight in self.weights])
        if kind is m.ChangeSetting:
            key = self.rng.choice(sorted(WHILE_RUNNING))
            return m.ChangeSetting(key=key, text=self.rng.choice(WHILE_RUNNING[key]))
        return kind(**{field.name: self._value(table, field.name) for field in msgspec.structs.fields(kind)})

    def _value(self, table: Table, name: str) -> Any:
        rng = self.rng
        spots = sorted(layout_of(table).bet_on)
        values: dict[str, Callable[[], Any]] = {
            "seat": lambda: rng.choice((-1, 0, 0, 99, *[*range(1, len(table.seats) + 1)] * 10)),
            "spot": lambda: rng.choice(("", "nonsense", "place.7", *rng.sample(spots, 5))),
            "to": lambda: rng.choice(("", ".", "buy.4", "place.5", "place.7", "none.4", *rng.sample(spots, 2))),
            "cents": lambda: rng.choice((-1, 0, 1, 25, 100, 400, 500, 5_000, 10**11, 10**20)),
            "slot": lambda: rng.choice((-1, 0, 1, 1, 2, 8, 9, 10**20)),
            "on": lambda: rng.random() < 0.5,
            "accept": lambda: rng.random() < 0.5,
            "number": lambda: "123456789012345678",
            "button": lambda: rng.choice(get_args(m.Button)),
            "switch": lambda: rng.choice(get_args(m.SeatSwitch)),
            "device": lambda: rng.choice(("", "doors-0", *table.heard)),
            "dice": lambda: rng.choice(((0, 7), (-1, 3), *[self.dice() for _ in range(9)])),
            "reason": lambda: rng.choice(get_args(m.NoRoll)),
            "mode": lambda: rng.choice(get_args(m.Mode)),
            "pin": lambda: rng.choice(("", "4711", "4712")),
            "name": lambda: rng.choice(("", "Seven", "a name that is much too long", "<b>")),
        }
        return values[name]()


# --- What must hold ---


@cache
def event_decoder() -> msgspec.json.Decoder[Any]:
    """Reads any event by its tag, as the journal will."""
    return msgspec.json.Decoder(Union[tuple(_leaves(Event))], dec_hook=_from_text)  # noqa: UP007 - made of a list


def _leaves(kind: type[Struct]) -> list[type[Struct]]:
    below = kind.__subclasses__()
    return [leaf for each in below for leaf in _leaves(each)] if below else [kind]


def _from_text(kind: type, value: object) -> object:
    assert kind is Fraction, kind
    return Fraction(str(value))


def as_json(value: object) -> bytes:
    return msgspec.json.encode(value, enc_hook=to_text)


class Undoing:
    """What Undo must bring back: the felt and the credit before each action of the bet time (ruling 13)."""

    def __init__(self) -> None:
        self.actions: dict[int, list[tuple[Felt, int]]] = {}

    def check(self, before: Table, event: Event, after: Table) -> None:
        if isinstance(event, m.Undone):
            felt, cents = self.actions[event.seat].pop()
            assert after.credit(event.seat) == cents, "Undo did not bring the credit back"
            assert after.seat(event.seat).felt == felt, "Undo did not bring the felt back"
        for seat in after.seats:
            stack = self.actions.setdefault(seat.number, [])
            del stack[: max(0, len(stack) - len(seat.bet_time.undo))]
        if isinstance(event, m.FeltEvent) and len(after.seat(event.seat).bet_time.undo) > len(
            self.actions[event.seat]
        ):
            self.actions[event.seat].append((before.seat(event.seat).felt, before.credit(event.seat)))
        if isinstance(event, m.BetsSwitched):
            self._switched(event)

    def _switched(self, event: m.BetsSwitched) -> None:
        """On and off is no action: earlier felts take the markers that lie now, back to the action before which the
        wager did not lie."""
        now = event.felt.wagers
        stack = self.actions[event.seat]
        for index, (felt, cents) in reversed([*enumerate(stack)]):
            now = {spot: wager for spot, wager in now.items() if spot in felt.wagers}
            marked = {
                spot: replace(w, switch=now[spot].switch, released=now[spot].released) if spot in now else w
                for spot, w in felt.wagers.items()
            }
            held = replace(felt, wagers=marked).money_cents
            stack[index] = replace(felt, wagers=marked), cents - (held - felt.money_cents)


def check_legal(table: Table) -> None:
    """Every wager stands in a state of its spot, odds are within their limit, and no excluded pair lies."""
    layout = layout_of(table)
    for seat in table.seats:
        here = felts.Situation(layout, table.hand, seat.felt)
        for spot, wager in seat.felt.wagers.items():
            bet = layout.bet_at[wager.state]
            assert wager.stake_cents > 0
            assert layout.states[wager.state].spot == spot
            assert 0 <= wager.counted_cents <= wager.stake_cents
            assert not wager.released or wager.switch is Switch.OFF
            if bet.flat:
                assert wager.stake_cents <= felts._odds_max(here, bet), f"{spot}: odds over their limit"
            else:
                assert wager.stake_cents <= bet.limits.max_cents, f"{spot}: over its maximum"
            others = [other for other in seat.felt.wagers if other in layout.excluders[bet.id]]
            assert not others, f"{spot} lies with {others}"


def shuffled(table: Table, rng: random.Random) -> Table:
    """The same table with the wagers of each felt in another order."""
    for seat in table.seats:
        wagers = list(seat.felt.wagers.items())
        rng.shuffle(wagers)
        table = table.with_seat(replace(seat, felt=replace(seat.felt, wagers=dict(wagers))))
    return table


def check_order(table: Table, event: Event, facts: Facts, rng: random.Random) -> None:
    """The order of wagers in a felt changes neither what closes nor what is settled."""
    if isinstance(event, m.BetsClosed):
        closing = close_bets(shuffled(table, rng), facts)
        assert not isinstance(closing, m.Needs)
        [other, *_] = closing
        assert isinstance(other, m.BetsClosed)
        assert other == event
    if isinstance(event, m.Settled):
        before = table.before_roll
        assert before is not None
        owes = any(seat.terminal.owes_cents for seat in before.seats)
        if before.took or owes:  # what goes to players who have left, or to a debt, is decided with the reversal
            return
        dice = table.history[-1].dice
        assert dice is not None
        other = settlement(shuffled(before, rng), Roll(*dice), facts, event.next_at_ms)
        assert other.transfers == event.transfers
        assert _unordered(other) == _unordered(event)


def _unordered(event: m.Settled) -> object:
    seats = [
        (replace(seat, lines=(), offers=()), Counter(seat.lines), Counter(seat.offers)) for seat in event.seats
    ]
    return replace(event, seats=()), seats


class Broken(Exception):
    """Something that must hold did not."""


class Walk:
    """A table on a walk, looked at after every event."""

    def __init__(self, start: Game, seed: int) -> None:
        self.table = self.first = new_table(start)
        self.journal: list[bytes] = []
        self.undoing = Undoing()
        self.rng = random.Random(seed)  # noqa: S311 - chance for tests
        self.seen: Counter[str] = Counter()

    def take(self, step: Step) -> None:
        before = as_json(self.table)
        decision = decide(self.table, step.request, step.facts)
        assert as_json(self.table) == before, "asking changed the table"
        if isinstance(decision, Refused):
            self.seen[f"refused: {decision.why.name}"] += 1
            return
        for event in decision:
            self._happens(event, step.facts)

    def _happens(self, event: Event, facts: Facts) -> None:
        self.seen[type(event).__name__] += 1
        after = evolve(self.table, event)
        check_books(after)
        check_legal(after)
        written = as_json(event)
        assert event_decoder().decode(written) == event, "the event does not survive the journal"
        self.journal.append(written)
        self.undoing.check(self.table, event, after)
        check_order(self.table, event, facts, self.rng)
        self.table = after

    def replayed(self) -> Table:
        return evolve_all(self.first, map(event_decoder().decode, self.journal))


def problem(start: Game, steps: list[Step], seed: int = 0) -> str:
    """What breaks on this walk; empty: nothing."""
    walk = Walk(start, seed)
    try:
        for step in steps:
            walk.take(step)
        assert walk.replayed() == walk.table, "replay differs"
    except Exception as broken:  # noqa: BLE001 - whatever it is, it is what we look for
        frame = traceback.extract_tb(broken.__traceback__)[-1]
        return f"{type(broken).__name__} at {frame.name}:{frame.lineno}: {broken}"
    return ""


def smallest(start: Game, steps: list[Step], seed: int) -> list[Step]:
    """The walk cut down: parts are left out as long as the same place breaks."""

    def where(walked: list[Step]) -> str:
        return problem(start, walked, seed).split(": ")[0]

    place, size, tries = where(steps), len(steps) // 2, 400
    while size:
        at = 0
        while at < len(steps) and tries:
            tries -= 1
            shorter = steps[:at] + steps[at + size :]
            if where(shorter) == place:
                steps = shorter
            else:
                at += size
        size //= 2
    return steps


def told(start: Game, steps: list[Step], found: str) -> str:
    """A broken walk as a person can repeat it."""
    plain = game(start.name)
    differs = [
        f"  set {setting.key} {setting.value}"
        for setting, other in zip(_settings(start), _settings(plain), strict=True)
        if setting.value != other.value
    ]
    asked = [f"  {step.request}  # {_plain_facts(step.facts)}" for step in steps]
    return "\n".join(["", found, f"  game {start.name}", *differs, *asked])


def _settings(of: Game) -> list[Any]:
    from stickman.rules.settings import settings as all_settings  # noqa: PLC0415 - its name is Hypothesis' too here

    return list(all_settings(of))


def _plain_facts(facts: Facts) -> str:
    return f"dice={facts.dice} now_ms={facts.now_ms} actor={facts.actor!r} approver={facts.approver!r}"


def walked(name: str, seed: int) -> Walk:
    """Walk, and raise with the smallest walk that breaks."""
    rng = random.Random(seed)  # noqa: S311 - chance for tests
    start = drawn_game(name, rng)
    player, walk, steps = Player(rng, layout_of(new_table(start))), Walk(start, seed), list[Step]()
    try:
        for _ in range(STEPS):
            steps.append(player.step(walk.table))
            walk.take(steps[-1])
        assert walk.replayed() == walk.table, "replay differs"
    except Exception as broken:
        found = problem(start, steps, seed)
        least = smallest(start, steps, seed) if found else steps
        raise Broken(told(start, least, problem(start, least, seed) or repr(broken))) from broken
    return walk


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_whatever_is_asked_the_books_balance_and_every_rule_of_the_table_holds(name: str) -> None:
    @settings(max_examples=WALKS, phases=[Phase.explicit, Phase.reuse, Phase.generate])
    @given(st.integers(0, 2**32 - 1))
    def walks(seed: int) -> None:
        walked(name, seed)

    walks()


EVENTFUL = [
    *[("roll-to-win", 6), ("easy", 0), ("easy", 2), ("roll-to-win", 1), ("easy", 8)],
    *[("craps", 0), ("craps", 1), ("shoot-to-win", 8), ("easy", 13), ("craps", 202)],
]
"""Walks that reached every kind of event when this was written: they go first."""


def test_the_walks_reach_every_kind_of_event() -> None:
    """Else the walks prove less than they say. A journal begins with `TableOpened`; no request makes it."""
    wanted = {kind.__name__ for kind in _leaves(Event) if kind.__module__ == m.__name__} - {"TableOpened"}
    for name, seed in [*EVENTFUL, *product(FIVE_GAMES, range(40))]:
        wanted -= set(walked(name, seed).seen)
        if not wanted:
            break
    assert wanted == set()


@pytest.mark.parametrize("text", ["9" * 5000, "[" * 5000])
def test_a_setting_that_python_itself_cannot_read_is_refused(text: str) -> None:
    """A number of more than 4,300 digits, brackets deeper than the stack: `decide` never raises."""
    decision = decide(new_table(game("craps")), m.ChangeSetting(key="table_min_cents", text=text), Facts())
    assert isinstance(decision, Refused)
    assert decision.why is m.Refusal.NO_SUCH_SETTING
