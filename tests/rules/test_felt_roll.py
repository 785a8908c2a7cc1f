"""What a roll does to a felt, against the independent play-out `tests/naive.py`: every bet, state, marker and puck,
all 36 rolls, five games; then what a roll does beside the cells (RULES 6, 15.12; rulings 2 to 5, 10, 16)."""

import math
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stickman.rules.dice import ROLLS, Roll
from stickman.rules.felt import NO_POWER, Felt, Hand, Line, Situation, Wager, roll
from stickman.rules.layout import LaidBet, Layout, Switch
from stickman.rules.machine import Decided
from stickman.rules.money import NOTHING, Payment
from tests import naive
from tests.naive import Choices, Played
from tests.talk.felt import OFF, ON, UNTOUCHED, FeltTalk
from tests.talk.games import COME_GAMES, DONT_GAMES, FIVE_GAMES, IB_GAMES, LED_GAMES, full, points

CHOICES = {
    "craps": Choices(commission_when="upfront"),
    "crapless": Choices(ten_points=True, commission_when="upfront"),
    "easy": Choices(ten_points=True, commission_when="upfront"),
    "roll-to-win": Choices(stay_up=True),
    "shoot-to-win": Choices(stay_up=True),
}
RETURNED = Played("push", "returned")
RESTING = ("place", "buy", "hard", "big_6_8", "come")
"""Families that rest on a come-out (RULES 6); of `come` only the odds."""


def stake_of(bet: LaidBet) -> int:
    """An awkward stake: $7, four of them on the Horn."""
    return 2800 if bet.id == "horn" else 700


def other_state(bet: str, name: str) -> Hashable:
    """A state of ours, by its name, as the second path writes it."""
    if name in ("come-out", "box"):
        return naive.FIRST
    if name == "up":
        return naive.UP
    if bet == "fired_up":
        return () if name == "none" else tuple(map(int, name.split("-")))
    if bet == "lucky_shooter":
        point, _, hits = name.partition(": ")
        return int(point), frozenset(map(int, hits.split()))
    if bet.startswith(("lucky_roller", "bonus")) or bet == "make_em_all":
        return frozenset() if name == "none" else frozenset(map(int, name.split()))
    return int(name)


@cache
def other_states(layout: Layout) -> dict[str, Hashable]:
    return {key: other_state(state.bet, state.name) for key, state in layout.states.items()}


def spot_of(bet: str, state: Hashable) -> str:
    """A come bet with its point lies on that number; every other wager on its own spot."""
    return f"{bet}.{state}" if bet in ("come", "dont_come") and state != naive.FIRST else bet


def in_cents(stake: int, played: Played, unit: int = 1) -> Payment:
    """Ruling 10, once more: down to the payout unit for the player, down to a cent for the commission."""
    if played.result != "win" or isinstance(played.pays, str):
        return Payment(0, 0, 0, NOTHING)
    exact, kept = played.pays * stake, played.commission * stake
    player = math.floor((exact - kept) / unit) * unit
    commission = math.floor(kept)
    return Payment(player, commission, math.floor(exact) - player - commission, exact % 1)


class Case(NamedTuple):
    """One wager on one table, before a roll."""

    name: str
    layout: Layout
    bet: LaidBet
    state: str
    hand: Hand
    wager: Wager

    @property
    def spot(self) -> str:
        return self.layout.states[self.state].spot

    @property
    def off(self) -> bool:
        """RULES 6, ruling 4."""
        rests = self.bet.family in RESTING and self.bet.off_able and self.name in LED_GAMES
        rests = rests and self.wager.lain and self.hand.puck == 0
        return self.wager.switch is OFF or (self.wager.switch is UNTOUCHED and rests)

    def sets_point(self, dice: Roll) -> bool:
        return self.hand.puck == 0 and dice.total in points(self.name)

    def goes_back(self, dice: Roll) -> bool:
        """RULES 6: odds that a hand switched off go back when a point is set anew (IB games)."""
        by_hand = bool(self.bet.flat) and self.wager.switch is OFF
        return by_hand and self.name in IB_GAMES and self.sets_point(dice)

    def played(self, dice: Roll, power: Mapping[str, str] = NO_POWER, *, off: bool | None = None) -> Played:
        """What the second path says, unless off odds go back."""
        state = other_states(self.layout)[self.state]
        other = f"{self.bet.id}@{state}" if self.bet.id.endswith("pass.odds") else self.bet.id
        off = self.off if off is None else off
        if self.goes_back(dice):
            return RETURNED
        return naive.play(
            other,
            state,
            dice.first,
            dice.second,
            puck_on=self.hand.puck != 0,
            working=not off,
            choices=CHOICES[self.name],
            power=power,
        )

    def puck_moves(self, dice: Roll) -> bool:
        return self.sets_point(dice) or (self.hand.puck != 0 and dice.total in (7, self.hand.puck))

    def marker(self, dice: Roll) -> Switch:
        """The marker after the roll: on by hand ends when the puck moves, an off Lay comes on (IB games)."""
        switch = self.wager.switch
        if self.puck_moves(dice) and switch is ON:
            return UNTOUCHED
        if switch is OFF and self.bet.family == "lay" and self.name in IB_GAMES:
            return UNTOUCHED if self.sets_point(dice) or dice.total == 7 else OFF
        return switch


def check(case: Case, dice: Roll, power: Mapping[str, str] = NO_POWER) -> None:
    """One roll, ours and the second path's."""
    felt, lines = roll(Situation(case.layout, case.hand, Felt({case.spot: case.wager})), dice, power)
    compare(case, dice, case.played(dice, power), felt, lines, off=case.off)


def compare(  # noqa: PLR0913 - ours and theirs
    case: Case, dice: Roll, played: Played, felt: Felt, lines: list[Line], *, off: bool, lain: bool = True
) -> None:
    """The lines and the felt after a roll, and what was to be; `off`: the wager did not work."""
    stake = case.wager.stake_cents
    to = spot_of(case.bet.id, played.then) if played.stake == "stands" else ""
    where = f"{case.bet.id} {case.layout.states[case.state].name} {case.wager.switch} {case.hand.puck} {dice}"
    if played.result == "nothing":
        assert lines == [], where
    else:
        [line] = lines
        assert (line.spot, line.bet, line.stake_cents) == (case.spot, case.bet.id, stake), where
        assert line.decided is Decided[played.result.upper()], where
        assert line.payment == in_cents(stake, played, case.layout.game.payout_unit_cents), where
        assert line.meter == (case.layout.game.meter(case.bet.id) if played.pays == "meter" else ""), where
        assert line.returned_cents == (stake if played.stake == "returned" else 0), where
        assert line.taken_cents == (stake if played.stake == "taken" else 0), where
        assert line.to == to, where
    if not to:
        assert felt.wagers == {}, where
        return
    [(spot, after)] = felt.wagers.items()
    assert spot == to, where
    assert other_states(case.layout)[after.state] == played.then, where
    assert case.layout.states[after.state].bet == case.bet.id, where
    assert (after.stake_cents, after.lain, after.released) == (stake, lain, False), where
    assert after.switch is case.marker(dice), where
    assert after.fee_cents == (case.wager.fee_cents if off else 0), where


def cases(name: str, layout: Layout) -> Iterator[Case]:
    """Every bet in every state: bets that have a marker with every marker, fresh and lain, puck off and on; the
    thousand states of a set with the puck off or on in turn, for they do not read it."""
    for bet in layout.bets.values():
        for n, state in enumerate(bet.states):
            wager = Wager(state, stake_of(bet))
            if bet.off_able:
                for puck in (0, 6):
                    for switch in Switch:
                        for lain in (False, True):
                            one = Wager(state, stake_of(bet), switch, lain, 35)
                            yield Case(name, layout, bet, state, Hand(puck, 3), one)
            else:
                for puck in (0, 6) if len(bet.states) < 100 else (6 * (n % 2),):
                    yield Case(name, layout, bet, state, Hand(puck, 3), wager)


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_every_wager_meets_every_roll_as_the_second_path_plays_it(name: str) -> None:
    for case in cases(name, full(name)):
        for dice in ROLLS:
            check(case, dice)


@pytest.mark.parametrize("unit", [5, 25, 100])
@pytest.mark.parametrize("name", ["craps", "shoot-to-win"])
def test_ruling_10_payments_are_rounded_down_to_the_payout_unit_once(name: str, unit: int) -> None:
    layout = full(name, f"payout_unit_cents={unit}")
    for bet in layout.bets.values():
        for state in bet.states if len(bet.states) < 20 else ():
            case = Case(name, layout, bet, state, Hand(6, 3), Wager(state, stake_of(bet)))
            for dice in ROLLS:
                check(case, dice)


def test_ruling_10_lay_6_for_5_dollars_pays_395_keeps_20_and_breaks_1() -> None:
    seat = FeltTalk("shoot-to-win").bets("lay.6", 5)
    assert seat.rolls(7).lines["lay.6"].payment == Payment(395, 20, 1, Fraction(2, 3))


@pytest.mark.parametrize("draw", ["low", "high"])
@pytest.mark.parametrize("group", "ABCDEFG")
@pytest.mark.parametrize("name", LED_GAMES)
def test_ruling_8_power_odds_better_the_pays_of_their_group_for_this_roll(name: str, group: str, draw: str) -> None:
    layout = full(name)
    for bet in layout.bets.values():
        for state in bet.states if len(bet.states) == 1 else ():
            for switch in Switch if bet.off_able else (UNTOUCHED,):
                case = Case(name, layout, bet, state, Hand(6, 3), Wager(state, stake_of(bet), switch))
                for dice in ROLLS:
                    check(case, dice, {group: draw})


def test_ruling_7_power_odds_move_the_horn_by_its_parts() -> None:
    paid = {}
    for power in ({}, {"C": "low"}, {"C": "high"}, {"D": "low"}, {"D": "high"}, {"C": "low", "D": "high"}):
        for total in (2, 3):
            lines = FeltTalk("shoot-to-win").bets("horn", 4).rolls(total, power=power).lines
            paid[total, "".join(g + d for g, d in power.items())] = lines["horn"].payment.paid_cents
    assert [paid[2, p] for p in ("", "Clow", "Chigh", "Dlow", "Dhigh", "ClowDhigh")] == [
        2700, 2700, 2700, 4200, 5700, 5700
    ]  # fmt: skip
    assert [paid[3, p] for p in ("", "Clow", "Chigh", "Dlow", "Dhigh", "ClowDhigh")] == [
        1200, 1900, 2700, 1200, 1200, 1900
    ]  # fmt: skip


# --- Rulings 16, 30: sitting out ---


def closes_window(case: Case, dice: Roll) -> bool:
    """Ruling 30: the point is set on a line wager, the puck goes off on a Come wager, that have no point yet."""
    if other_states(case.layout)[case.state] != naive.FIRST:
        return False
    if case.bet.id in ("pass", "dont_pass"):
        return case.sets_point(dice)
    goes_off = (7,) if case.layout.game.come_when == "since_point" else (7, case.hand.puck)
    return case.bet.id in ("come", "dont_come") and case.hand.puck != 0 and dice.total in goes_off


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_ruling_30_a_seat_that_sits_out_plays_side_wagers_and_flat_ones_with_their_point(name: str) -> None:
    layout = full(name)
    for case in cases(name, layout):
        if len(case.bet.states) > 100 and case.layout.states[case.state].number % 10:
            continue
        flat = case.bet.id in ("pass", "dont_pass", "come", "dont_come")
        plays = case.bet.side or (flat and other_states(layout)[case.state] != naive.FIRST)
        for dice in ROLLS:
            seat = Situation(layout, case.hand, Felt({case.spot: case.wager}))
            felt, lines = roll(seat, dice, sits_out=True)
            if plays or case.bet.flat:  # odds go with what they back
                played = case.played(dice, off=not plays)
            elif case.goes_back(dice) or closes_window(case, dice):
                played = RETURNED
            else:
                played = Played("nothing", "stands", then=other_states(layout)[case.state])
            compare(case, dice, played, felt, lines, off=not plays, lain=plays or case.wager.lain)


@pytest.mark.parametrize("total", [6, 7])
@pytest.mark.parametrize("name", FIVE_GAMES)
def test_ruling_16_odds_behind_a_contract_that_is_resolved_go_back(name: str, total: int) -> None:
    seat = FeltTalk(name).bets("pass", 10).rolls(6)
    seat.bets("pass.odds", 10)
    lines = seat.rolls(total, sits_out=True).lines
    assert lines["pass"].decided is (Decided.WIN if total == 6 else Decided.LOSE)
    odds = lines["pass.odds"]
    assert (odds.decided, odds.returned_cents, odds.payment.paid_cents) == (Decided.PUSH, 1000, 0)
    assert "pass.odds" not in seat.lies


@pytest.mark.parametrize("total", [6, 7])
@pytest.mark.parametrize("name", DONT_GAMES)
def test_ruling_30_a_dont_pass_with_its_point_plays_where_its_seat_sits_out(name: str, total: int) -> None:
    """Removable or not; the odds behind it do not play, and go back with it."""
    seat = FeltTalk(name).bets("dont_pass", 10).rolls(6)
    seat.bets("dont_pass.odds", 12)
    lines = seat.rolls(total, sits_out=True).lines
    assert lines["dont_pass"].decided is (Decided.LOSE if total == 6 else Decided.WIN)
    assert lines["dont_pass.odds"].returned_cents == 1200
    assert seat.lies == {}


@pytest.mark.parametrize("total", [6, 7])
@pytest.mark.parametrize("name", DONT_GAMES)
def test_ruling_30_a_moved_dont_come_plays_where_its_seat_sits_out(name: str, total: int) -> None:
    """The one in the box has no point: the seven-out closes its window, so it goes back."""
    seat = FeltTalk(name).rolls(4)
    seat.bets("dont_come", 10).rolls(6)
    seat.bets("dont_come.6.odds", 12).bets("dont_come", 5)
    lines = seat.rolls(total, sits_out=True).lines
    assert lines["dont_come.6"].decided is (Decided.LOSE if total == 6 else Decided.WIN)
    assert lines["dont_come.6.odds"].returned_cents == 1200
    assert seat.lies == ({"dont_come": 500} if total == 6 else {})
    if total == 7:
        assert (lines["dont_come"].decided, lines["dont_come"].returned_cents) == (Decided.PUSH, 500)
    assert not seat.felt.dont_pass_banned


@pytest.mark.parametrize(("come_when", "goes_back"), [("since_point", False), ("point_on", True)])
def test_ruling_30_a_come_that_sits_out_goes_back_when_its_window_closes(come_when: str, goes_back: bool) -> None:
    seat = FeltTalk("craps", f"come_when={come_when}").rolls(4)
    seat.bets("come", 10).rolls(4, sits_out=True)
    assert seat.lies == ({} if goes_back else {"come": 1000})


@pytest.mark.parametrize("bet", ["pass", "dont_pass"])
def test_ruling_30_a_line_wager_that_sits_out_goes_back_when_the_point_is_set(bet: str) -> None:
    seat = FeltTalk("craps").bets(bet, 10)
    assert seat.rolls(11, 7, 3, sits_out=True).lines == {}
    assert seat.lies == {bet: 1000}
    assert seat.rolls(6, sits_out=True).lines[bet].returned_cents == 1000
    assert seat.lies == {}
    assert not seat.felt.dont_pass_banned


def test_ruling_30_a_roll_that_is_sat_out_does_not_count_as_lain_through() -> None:
    """A Don't Pass that only sat out may be corrected freely, as before its first roll (ruling 14)."""
    seat = FeltTalk("craps").bets("dont_pass", 10).rolls(11, sits_out=True)
    seat.takes("dont_pass")
    assert not seat.felt.dont_pass_banned


def test_rules_6_a_wager_that_sat_out_lies_from_before() -> None:
    seat = FeltTalk("shoot-to-win").bets("place.8", 6).rolls(4, 4, sits_out=True)
    assert seat.hand.puck == 0
    seat.rolls(7)
    assert seat.lies == {"place.8": 600}


def test_ib_3_2_an_off_lay_comes_on_with_the_point_also_where_its_seat_sits_out() -> None:
    seat = FeltTalk("craps").bets("lay.8", 6).off("lay.8").rolls(4, sits_out=True)
    assert seat.offer("lay.8").switch == (OFF,)


def test_ib_3_2_off_odds_go_back_with_a_point_set_anew_also_where_their_seat_sits_out() -> None:
    seat = FeltTalk("craps").rolls(4)
    seat.bets("dont_come", 10).rolls(6)
    seat.bets("dont_come.6.odds", 12).off("dont_come.6.odds").rolls(4)
    seat.rolls(5, sits_out=True)
    assert seat.lies == {"dont_come.6": 1000}


# --- After a roll: RULES 6, rulings 3 to 5 ---


def test_ruling_4_what_lies_from_before_rests_on_the_come_out_and_works_with_the_point() -> None:
    for name in LED_GAMES:
        seat = FeltTalk(name).rolls(4)
        seat.bets("place.6", 6).bets("buy.8", 6).bets("hard.6", 5).bets("big.8", 5)
        if name == "roll-to-win":
            seat.bets("lay.10", 5)
        before = seat.lies
        seat.rolls(4)
        assert set(seat.rolls(7).lines) <= {"lay.10"}  # don't side bets work (ruling 2)
        assert seat.lies == before
        seat.rolls(5)
        assert {"place.6", "buy.8", "hard.6", "big.8"} <= set(seat.rolls(7).lines)


@pytest.mark.parametrize("name", IB_GAMES)
def test_rules_18_in_ib_games_nothing_rests_on_the_come_out(name: str) -> None:
    seat = FeltTalk(name).bets("place.6", 6).bets("hard.6", 5).rolls(4, 4)
    assert set(seat.rolls(7).lines) == {"place.6", "hard.6"}


def test_ruling_4_a_wager_placed_on_the_come_out_works() -> None:
    seat = FeltTalk("shoot-to-win").rolls(4, 4)
    assert seat.bets("place.6", 6).rolls(6).lines["place.6"].payment.paid_cents == 700


def test_ruling_4_on_by_hand_works_on_the_come_out_and_ends_with_the_point() -> None:
    seat = FeltTalk("shoot-to-win").rolls(4)
    seat.bets("place.6", 6).rolls(4)
    seat.on("place.6")
    assert seat.rolls(6).lines["place.6"].payment.paid_cents == 700  # it worked, and the point is set
    assert seat.wager("place.6").switch is UNTOUCHED
    seat.rolls(6)
    assert seat.rolls(7).lines == {}  # at rest again


def test_ruling_4_on_by_hand_stays_while_the_come_out_goes_on() -> None:
    seat = FeltTalk("shoot-to-win").rolls(4)
    seat.bets("place.6", 6).rolls(4)
    seat.on("place.6").rolls(11, 3)
    assert seat.rolls(7).lines["place.6"].taken_cents == 600


def test_ruling_4_off_by_hand_stays_off_when_the_point_is_set() -> None:
    for name in ("craps", "roll-to-win"):
        seat = FeltTalk(name).bets("place.6", 6).off("place.6").rolls(4)
        assert seat.rolls(6).lines == {}  # ruling 3: stands, nothing paid
        assert seat.rolls(7).lines == {}
        assert seat.wager("place.6").switch is OFF


def test_rules_6_what_was_switched_on_again_during_a_point_rests_on_the_next_come_out() -> None:
    """A hand that undoes its own off has not asked for the come-out: the wager lies from before, and rests."""
    seat = FeltTalk("shoot-to-win").rolls(4)
    seat.bets("place.6", 6).off("place.6").on("place.6").rolls(4)
    assert seat.rolls(7).lines == {}
    assert seat.lies == {"place.6": 600}


@pytest.mark.parametrize(("total", "comes_on"), [(4, True), (7, True), (11, False), (2, False)])
def test_ib_3_2_an_off_lay_comes_on_after_a_point_is_set_or_a_seven(total: int, comes_on: bool) -> None:
    seat = FeltTalk("craps").bets("lay.8", 6).off("lay.8")
    assert seat.rolls(total).lines == {}
    assert seat.wager("lay.8").switch is (UNTOUCHED if comes_on else OFF)
    other = FeltTalk("roll-to-win").bets("lay.8", 6).off("lay.8").rolls(total)
    assert other.wager("lay.8").switch is OFF


def test_ib_3_2_off_odds_are_returned_when_a_point_is_set_anew() -> None:
    for name in COME_GAMES:
        seat = FeltTalk(name).rolls(4)
        seat.bets("come", 10).rolls(6)
        seat.bets("come.6.odds", 10).off("come.6.odds")
        assert seat.rolls(8).lines == {}
        assert seat.rolls(4).lines == {}  # the point is made: off odds lie
        lines = seat.rolls(5).lines
        if name in IB_GAMES:
            assert lines["come.6.odds"].returned_cents == 1000
            assert seat.lies == {"come.6": 1000}
        else:
            assert lines == {}
            assert seat.wager("come.6.odds").released


@pytest.mark.parametrize("name", COME_GAMES)
def test_ruling_2_off_odds_go_back_and_odds_that_are_on_resolve(name: str) -> None:
    for total in (6, 7):
        seat = FeltTalk(name).rolls(4)
        seat.bets("come", 10).rolls(6)
        seat.bets("come.6.odds", 10).rolls(4)
        if name in LED_GAMES:
            lines = seat.rolls(total).lines  # they rest by themselves
            assert lines["come.6.odds"].returned_cents == 1000
            assert lines["come.6.odds"].payment.paid_cents == 0
        else:
            lines = seat.rolls(total).lines
            assert lines["come.6.odds"].payment.paid_cents == (1200 if total == 6 else 0)
            assert lines["come.6.odds"].taken_cents == (0 if total == 6 else 1000)


@pytest.mark.parametrize("name", LED_GAMES)
def test_ruling_5_marks_never_pay_nor_lose_and_odds_marks_vanish_with_their_flat(name: str) -> None:
    layout = full(name)
    for bet in layout.bets.values():
        for state in bet.states if bet.off_able else ():
            wager = Wager(state, stake_of(bet), OFF, released=True)
            spot = layout.states[state].spot
            for puck in (0, 6, 8):
                for dice in ROLLS:
                    felt, lines = roll(Situation(layout, Hand(puck, 2), Felt({spot: wager})), dice)
                    assert lines == []
                    vanishes = bet.flat and dice.total in (7, int(layout.states[state].name))
                    assert list(felt.wagers) == ([] if vanishes else [spot])
                    assert felt.money_cents == 0


def test_ruling_5_a_mark_that_is_dropped_with_a_new_point_gives_no_line() -> None:
    seat = FeltTalk("craps", "off_money=released").rolls(4)
    seat.bets("come", 10).rolls(6)
    seat.bets("come.6.odds", 10).off("come.6.odds").rolls(4)
    assert seat.rolls(5).lines == {}
    assert seat.lies == {"come.6": 1000}


def test_ruling_5_a_mark_turned_on_works_again() -> None:
    seat = FeltTalk("roll-to-win").rolls(4)
    seat.bets("place.6", 6).off("place.6").rolls(6)
    seat.on("place.6")
    assert seat.rolls(6).lines["place.6"].payment.paid_cents == 700


# --- RULES 15.12: against the table as it was before ---


@pytest.mark.parametrize("name", COME_GAMES)
def test_rules_15_12_a_come_whose_first_roll_is_the_point_travels_while_the_line_resolves(name: str) -> None:
    for point in points(name):
        seat = FeltTalk(name).bets("pass", 10).rolls(point)
        lines = seat.bets("come", 5).rolls(point).lines
        assert list(lines) == ["pass"]
        assert lines["pass"].payment.paid_cents == 1000
        assert seat.lies[f"come.{point}"] == 500
        assert seat.hand.puck == 0


@pytest.mark.parametrize("name", DONT_GAMES)
def test_rules_15_12_a_dont_come_whose_first_roll_is_the_point_travels_while_the_line_resolves(name: str) -> None:
    seat = FeltTalk(name).bets("dont_pass", 10).rolls(8)
    lines = seat.bets("dont_come", 5).rolls(8).lines
    assert list(lines) == ["dont_pass"]
    assert lines["dont_pass"].taken_cents == 1000
    assert seat.lies == {"dont_come.8": 500}


@pytest.mark.parametrize("name", COME_GAMES)
def test_a_come_travels_to_the_number_that_the_one_before_it_leaves(name: str) -> None:
    seat = FeltTalk(name).rolls(4)
    seat.bets("come", 5).rolls(8)
    seat.bets("come.8.odds", 5).bets("come", 3)
    lines = seat.rolls(8).lines
    assert set(lines) == {"come.8", "come.8.odds"}
    assert seat.lies == {"come.8": 300}


def test_ruling_2_a_come_out_seven_with_come_wagers() -> None:
    seat = FeltTalk("craps").rolls(4)
    seat.bets("come", 5).rolls(6).rolls(4)
    seat.bets("come", 3)
    lines = seat.rolls(7).lines
    assert lines["come"].payment.paid_cents == 300
    assert lines["come.6"].taken_cents == 500
    seat.rolls(4)
    seat.bets("dont_come", 5).rolls(6).rolls(4)
    seat.bets("dont_come", 3)
    lines = seat.rolls(7).lines
    assert lines["dont_come"].taken_cents == 300
    assert lines["dont_come.6"].payment.paid_cents == 500


# --- The hand ---


@given(name=st.sampled_from(FIVE_GAMES), rolled=st.lists(st.sampled_from(ROLLS), min_size=60, max_size=200))
@settings(max_examples=40)
def test_rules_1_the_hand_is_what_the_list_of_rolls_says(name: str, rolled: list[Roll]) -> None:
    layout, hand = full(name), Hand()
    pucks, totals = [0], [dice.total for dice in rolled]
    for count, dice in enumerate(rolled, 1):
        assert hand.is_seven_out(dice) == (pucks[-1] != 0 and dice.total == 7)
        assert hand.ends_cycle(dice) == (dice.total == 7 or dice.total == pucks[-1])
        hand = hand.after(dice, layout)
        if pucks[-1]:
            pucks.append(0 if dice.total in (7, pucks[-1]) else pucks[-1])
        else:
            pucks.append(dice.total if dice.total in points(name) else 0)
        so_far = totals[:count]
        seven_outs = [i for i in range(count) if so_far[i] == 7 and pucks[i]]
        first = seven_outs[-1] + 1 if seven_outs else 0
        sevens = [i for i in range(count) if so_far[i] == 7]
        since_seven = so_far[sevens[-1] + 1 :] if sevens else so_far
        no_point_since = bool(seven_outs) and not any(pucks[first : count + 1])
        assert hand == Hand(
            pucks[-1],
            count - first,
            any(pucks[first : count + 1]),
            totals[count - 1],
            frozenset(since_seven),
            name in IB_GAMES and no_point_since,
        )
        assert hand.after_seven == (so_far[-1] == 7)
    assert Hand().after_seven  # ruling 20


def test_ruling_21_the_puck_put_off_by_hand_ends_neither_hand_nor_count() -> None:
    seat = FeltTalk("craps").rolls(6, 5, 4)
    before, hand = seat.hand, seat.hand.with_puck_off()
    assert (hand.puck, hand.since_point) == (0, False)
    assert (hand.rolls, hand.last_total, hand.seen) == (before.rolls, before.last_total, before.seen)
