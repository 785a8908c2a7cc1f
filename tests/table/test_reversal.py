"""Ruling 25: a confirmed roll found wrong is taken back by two people, and every seat and meter ends as if the
right dice had been entered at first.

A rich table is brought to the moment before a roll. One twin counts the wrong dice and reverses to the right ones,
the other counts the right dice at once; both must be the same table, for all 36 × 36 pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from msgspec.structs import replace

from stickman.devices.signals import SlipUnknown
from stickman.rules.dice import ROLLS
from stickman.rules.felt import Felt, Wager
from stickman.rules.schema import meter_name
from stickman.table import messages as m
from stickman.table.decide import decide_given as decide
from stickman.table.evolve import evolve_all
from stickman.table.messages import Facts, Refused, Reported
from stickman.table.state import Result, Table
from stickman.table.view import shared_view
from tests.talk.devices import door_moved, key_turned
from tests.talk.games import side_games
from tests.talk.table import TableTalk, as_dice, check_books, opened

EVERY_SIDE_GAME = side_games("lucky_roller", "bonus_craps", "hot_shooter", "make_em_all", "fired_up")
THREE = ["seats=3", *EVERY_SIDE_GAME]
ONE_ROLL = ["field", "c", "e", "c_and_e", "seven", "any_craps", "horn.2", "horn.12", "hop.2-2", "hop.3-4"]
DICE: list[m.Dice] = [(roll.first, roll.second) for roll in ROLLS]
PAIRS = [(wrong, right) for wrong in DICE for right in DICE if wrong != right]


def rich(*changes: str, name: str = "craps") -> TableTalk:
    """Three seats with a thousand dollars each, a dealer, and readings of the meters."""
    table = opened(name, *THREE, *changes).dealer().meter("make_em_all", "25123.45").meter("fired_up", "60001.01")
    for number in 1, 2, 3:
        table.seat(number).inserts(2900)
    return table


# --- The tables ---


def come_out_at_craps() -> TableTalk:
    """Come-out, everything that may be placed; upfront fees; held off money; Don't Come and Come from before."""
    table = rich("lucky_shooter.on=true")
    one, two, three = (table.seat(n) for n in (1, 2, 3))
    one.bets("pass", 10)
    two.bets("dont_pass", 20)
    three.bets("field", 5)
    table.rolls("2-2")
    one.bets("come", 10).bets("pass.odds", 30)
    two.bets("dont_come", 15).bets("dont_pass.odds", 60)
    table.rolls("4-2")
    one.bets("come.6.odds", 25).bets("come", 5)
    two.bets("dont_come.6.odds", 30).bets("dont_come", 5)
    table.rolls("5-4")
    one.off("come.6.odds").bets("place.10", 5)
    two.bets("lay.8", 12).bets("lay.10", 40).off("lay.8")
    table.rolls("3-1")
    for seat in one, three:
        for bet in "pass", "place.6", "place.8", "buy.4", "buy.9", "hard.8", "big.6", "big", "small":
            seat.bets(bet, 12)
    one.off("place.6", "buy.9")
    two.bets("dont_pass", 7).bets("lay.6", 13)
    for bet in ONE_ROLL:
        three.bets(bet, 3)
    three.bets("horn", 8).bets("lucky_shooter", 5)
    return table


def point_on_at_craps() -> TableTalk:
    """A point, and progressives one hit away from their meters at two seats; envy; a seat that sits out."""
    table = rich("table_min_cents=1500", "make_em_all.paytable=MEA-02", "bonus_craps.paytable=BC-08")
    one, two, three = (table.seat(n) for n in (1, 2, 3))
    for seat in one, two:
        seat.bets("pass", 20).bets("make_em_all", 1).bets("bonus.all", 5).bets("bonus.small", 3)
        seat.bets("lucky_roller.high", 2).bets("hot_shooter", 5)
    table.rolls("4-2", "1-1", "1-2", "1-3", "1-4", "4-4", "5-4", "5-5", "5-6")
    two.bets("come", 10).bets("place.8", 12).bets("buy.10", 20).bets("pass.odds", 100)
    one.bets("lay.4", 11).off("lay.4").bets("come", 7)
    three.bets("place.6", 6).bets("hard.6", 1)
    return table


def stay_up_at_shoot_to_win() -> TableTalk:
    """Winners stay up, Power Odds are drawn, off chips are released marks, Fired Up one hit from its meter."""
    table = rich("fired_up.winners=split", "fired_up.paytable=FUP-05", name="shoot-to-win")
    table.power(A="high", C="low", D="high", F="low", G="high")
    one, two, three = (table.seat(n) for n in (1, 2, 3))
    for seat in one, two, three:
        seat.bets("fired_up", 1)
    one.bets("pass", 10)
    two.bets("dont_pass", 10)
    three.bets("pass", 5)
    table.rolls("4-4", "4-5", "4-6", "5-6")
    one.bets("come", 10).bets("pass.odds", 20)
    for bet in "place.6", "buy.5", "hard.8", "big.6":
        one.bets(bet, 7)
    one.off("buy.5", "hard.8")
    two.bets("dont_pass.odds", 15).bets("dont_come", 12).bets("lay.9", 18).bets("place_to_lose.10", 11)
    for bet in ONE_ROLL:
        three.bets(bet, 3)
    three.bets("horn", 8)
    return table


def come_out_at_roll_to_win() -> TableTalk:
    """Come-out with automatic off, Come odds from before, a hand switched some on; Lucky Roller begun."""
    table = rich("lucky_roller.aggregate_max_cents=5000", name="roll-to-win")
    table.power(B="low", E="high", G="low")
    one, two, three = (table.seat(n) for n in (1, 2, 3))
    one.bets("pass", 10).bets("lucky_roller.low", 5).bets("bonus.small", 4)
    two.bets("pass", 10).bets("lucky_roller.all", 5).bets("lucky_roller.low", 7)
    three.bets("dont_pass", 10)
    table.rolls("2-2")
    one.bets("come", 10)
    three.bets("dont_come", 10)
    table.rolls("2-3")
    one.bets("come.5.odds", 20).bets("come", 6)
    two.bets("place.8", 12).bets("buy.10", 20).bets("hard.4", 3)
    three.bets("dont_come.5.odds", 30)
    table.rolls("4-2", "1-2", "2-2")
    one.on("come.5.odds").bets("pass", 5)
    two.bets("seven", 4).bets("c_and_e", 4).bets("field", 5).bets("place.6", 12)
    return table


TABLES: dict[str, Callable[[], TableTalk]] = {
    made.__name__: made
    for made in (come_out_at_craps, point_on_at_craps, stay_up_at_shoot_to_win, come_out_at_roll_to_win)
}


@cache
def before_the_roll(name: str) -> TableTalk:
    return TABLES[name]().closes()


@cache
def counted(name: str, dice: m.Dice) -> Table:
    """The table after these dice were confirmed, bets not yet open."""
    return before_the_roll(name).twin().counts(f"{dice[0]}-{dice[1]}").now


PEOPLE = {"actor": "badge-12", "approver": "badge-7"}


def reversed_to(table: Table, dice: m.Dice, facts: Facts) -> Table:
    decision = decide(table, m.ReverseRoll(dice=dice), replace(facts, **PEOPLE))
    assert not isinstance(decision, Refused), decision
    return evolve_all(table, decision)


def same(found: Table, wanted: Table) -> None:
    """Seat by seat first, so that a difference is small to read; then everything."""
    for one, other in zip(found.seats, wanted.seats, strict=True):
        assert one.felt == other.felt
        assert found.credit(one.number) == wanted.credit(one.number), f"credit of seat {one.number}"
        assert one == other
    assert found.hand == wanted.hand
    assert _rolled(found) == _rolled(wanted)
    assert found.shooter == wanted.shooter
    assert {k: v for k, v in found.accounts.items() if v} == {k: v for k, v in wanted.accounts.items() if v}
    assert found.play_meters == wanted.play_meters
    assert _but_for_the_way_there(found) == _but_for_the_way_there(wanted)


def _but_for_the_way_there(table: Table) -> Table:
    """All that can be seen of the table; not the dice that lay entered before, nor accounts emptied again."""
    return replace(table, accounts={}, before_roll=None, history=_rolled(table))


def _rolled(table: Table) -> tuple[Result, ...]:
    """The history, but for which dice were corrected."""
    return tuple(replace(result, instead_of=None) for result in table.history)


# --- All pairs ---


@pytest.mark.parametrize("name", TABLES)
def test_17_25_for_all_pairs_of_dice_everything_is_as_if_the_right_dice_had_been_entered(name: str) -> None:
    facts = before_the_roll(name).facts
    for wrong, right in PAIRS:
        found = reversed_to(counted(name, wrong), right, facts)
        try:
            same(found, counted(name, right))
        except AssertionError as difference:
            raise AssertionError(f"{wrong} reversed to {right}: {difference}") from difference


def test_the_tables_are_rich_enough_to_mean_something() -> None:
    """Over the 36 rolls every table wins, loses, returns, moves; the meters are hit, and envy is paid."""
    awards, envy = set(), 0
    for name in TABLES:
        settled = [before_the_roll(name).twin().counts(str(roll)).settled for roll in ROLLS]
        lines = [line for one in settled for seat in one.seats for line in seat.lines]
        assert {line.decided.name for line in lines} >= {"WIN", "LOSE"}
        awards |= {meter_name(meter) for one in settled for seat in one.seats for meter in seat.awards}
        envy += sum(one.envy_cents for one in settled)
    assert awards == {"make_em_all", "fired_up"}
    assert envy > 0


# --- With play since the wrong roll ---


def plays_on(table: TableTalk) -> None:
    """Bets opened; each seat that can does something on the felt."""
    table.opens()
    one, two, three = (table.seat(n) for n in (1, 2, 3))
    for seat, spot in (one, "field"), (two, "hard.10"), (three, "hop.2-3"):
        seat.bets(spot, 9)
    one.bets("hop.3-5", 4).undoes()
    for seat in one, two, three:
        for request in (
            m.SwitchAll(seat=seat.number, on=False),
            m.PressButton(seat=seat.number, button="double"),
            m.SwitchAll(seat=seat.number, on=True),
            m.PressButton(seat=seat.number, button="repeat"),
        ):
            if table.allowed(request):
                table.asked(request)
                if seat.pop_up:
                    seat.accepts()
        takeable = [spot for spot in seat.lies if table.allowed(m.TakeBet(seat=seat.number, spot=spot))]
        for spot in takeable[::2]:
            if spot in seat.lies:
                seat.takes(spot)


SOME = ["1-1", "1-2", "2-2", "3-1", "4-2", "3-3", "3-4", "6-1", "5-3", "5-4", "5-5", "6-5", "6-6"]


@pytest.mark.parametrize("name", TABLES)
def test_17_25_wagers_placed_taken_doubled_and_switched_since_are_returned_first(name: str) -> None:
    for wrong in SOME:
        played = before_the_roll(name).twin().counts(wrong)
        plays_on(played)
        for right in SOME:
            if right != wrong:
                found = reversed_to(played.now, as_dice(right), played.facts)
                check_books(found)
                same(found, counted(name, as_dice(right)))


@pytest.mark.parametrize("name", TABLES)
def test_17_25_bets_kept_and_repeated_by_the_table_since_are_returned_too(name: str) -> None:
    table = TABLES[name]()
    table.seat(1).keeps_bets()
    table.seat(2).repeats_by_itself()
    table.closes()
    for wrong in SOME:
        played = table.twin().counts(wrong).opens()
        for right in SOME:
            if right != wrong:
                same(reversed_to(played.now, as_dice(right), played.facts), table.twin().counts(right).now)


@pytest.mark.parametrize("name", TABLES)
def test_17_25_what_was_tipped_or_cashed_out_of_the_wrong_win_is_booked_to_shortfall(name: str) -> None:
    """All credit leaves by a tip, so that a seat can owe: it ends at zero or at what the right dice left it beyond
    what it took, and the shortfall is exactly the difference. Where the tip ended the stay, what would lie again is
    not laid, and what the right dice left beyond is owed by hand (ruling 56)."""
    for wrong in SOME:
        played = before_the_roll(name).twin().counts(wrong)
        left = [played.seat(n).credit for n in (1, 2, 3)]
        for number, cents in zip((1, 2, 3), left, strict=True):
            if cents:
                played.asked(m.GiveTip(seat=number, cents=cents))
        for right in SOME:
            if right == wrong:
                continue
            found, wanted = reversed_to(played.now, as_dice(right), played.facts), counted(name, as_dice(right))
            check_books(found)
            shorts = 0
            for seat, cents in zip(found.seats, left, strict=True):
                right_felt, has_left = wanted.seat(seat.number).felt, bool(cents) and not lies(played, seat.number)
                lay = right_felt.money_cents + right_felt.fees_cents
                due = wanted.credit(seat.number) - cents + (lay if has_left else 0)
                shorts += max(0, -due)
                assert found.credit(seat.number) == (0 if has_left else max(0, due)), f"{wrong} to {right}"
                assert seat.terminal.left_due_cents == (max(0, due) if has_left else 0)
                assert with_money(seat.felt) == ({} if has_left else with_money(right_felt))
            assert -found.accounts.get("shortfall", 0) == shorts
            assert found.accounts.get("handpay", 0) == sum(seat.terminal.left_due_cents for seat in found.seats)


def with_money(felt: Felt) -> dict[str, Wager]:
    """Marks of released chips go with the credit of a stay that the right dice end."""
    return {spot: wager for spot, wager in felt.wagers.items() if not wager.released}


def lies(table: TableTalk, number: int) -> bool:
    return table.now.seat(number).felt.money_cents > 0


# --- Small examples, by hand ---


def two_field_players() -> TableTalk:
    """$10 on the Field at seats 1 and 2 of craps, $100 inserted at each: a 3 pays $10, a 5 loses."""
    table = opened("craps", "seats=2").dealer()
    for number in 1, 2:
        table.seat(number).inserts(100).bets("field", 10)
    return table


def test_17_25_a_win_that_was_none_is_taken_back() -> None:
    table = two_field_players().counts("1-2")
    assert table.seat(1).credit == 110_00
    table.reverses_to("4-1")
    assert table.seat(1).credit == 90_00
    assert table.account("house") == 20_00
    assert table.account("shortfall") == 0


def test_17_25_a_loss_that_was_none_is_paid() -> None:
    table = two_field_players().counts("4-1")
    assert table.seat(1).credit == 90_00
    table.reverses_to("6-6")
    assert table.seat(1).credit == 120_00
    assert table.account("house") == -40_00


def test_17_25_money_already_cashed_out_is_booked_to_shortfall_and_the_seat_stays_at_zero() -> None:
    """Seat 1 left with 110.00; it was due 90.00."""
    table = two_field_players().counts("1-2")
    table.seat(1).cashes_out()
    assert table.seat(1).credit == 0
    table.reverses_to("4-1")
    assert table.seat(1).credit == 0
    assert table.account("shortfall") == -20_00
    assert table.account("tickets") == 110_00, "tickets already printed stand"
    assert table.seat(2).credit == 90_00
    assert table.now.cash_meters["seat:1:tickets_out"] == 110_00


def test_17_25_money_already_tipped_is_booked_to_shortfall() -> None:
    """110.00 less a tip of 95.00 leaves 15.00, of which 20.00 are due back."""
    table = two_field_players().counts("1-2")
    table.seat(1).tips(95)
    table.reverses_to("4-1")
    assert table.seat(1).credit == 0
    assert table.account("shortfall") == -5_00
    assert table.account("tips") == 95_00


def test_ruling_56_a_player_who_has_left_is_owed_by_hand_what_the_right_dice_pay_more() -> None:
    """The wrong 3 paid 10.00, the right 12 pays 20.00: the ticket for 110.00 is covered, 10.00 is due."""
    table = two_field_players().counts("1-2")
    table.seat(1).cashes_out()
    table.reverses_to("6-6")
    assert (table.seat(1).credit, table.now.seat(1).terminal.left_due_cents) == (0, 10_00)
    assert (table.account("shortfall"), table.account("handpay")) == (0, 10_00)
    table.refused("needs_key").asked(m.PayByHand(seat=1))
    table.asked(key_turned(1))
    table.asked(m.PayByHand(seat=1))
    assert (table.now.seat(1).terminal.left_due_cents, table.account("handpay")) == (0, 0)


def test_ruling_56_the_next_player_pays_nothing_for_the_one_before() -> None:
    """The wrong 3 paid 10.00 and left with a ticket for 110.00; the next player inserts 50 and bets 20 of it."""
    table = two_field_players().counts("1-2").opens()
    table.seat(1).cashes_out()
    table.seat(1).inserts(50).bets("field", 20)
    table.reverses_to("4-1")
    assert (table.seat(1).credit, table.seat(1).lies) == (50_00, {})
    assert table.account("shortfall") == -20_00
    assert table.now.seat(1).last.lines == ()
    assert table.now.seat(1).last.win_cents == 0


def test_ruling_56_the_next_player_gets_nothing_of_the_one_before() -> None:
    """Hard 8 $10 lay after the wrong roll and was taken down; by the right one it would lie, and Field wins."""
    table = opened("craps", "seats=2").dealer()
    table.seat(1).inserts(100).bets("hard.8", 10).bets("field", 10)
    table.counts("4-1").opens()
    table.seat(1).takes("hard.8").cashes_out().inserts(50)
    table.reverses_to("1-2")
    assert (table.seat(1).credit, table.seat(1).lies) == (50_00, {})
    assert table.now.seat(1).terminal.left_due_cents == 20_00  # the stake of the Field and what it wins
    assert table.account("shortfall") == 0


def test_ruling_56_a_reversed_reversal_settles_with_the_player_who_has_left_again() -> None:
    """110.00 left with the player; by 6-6 it is 120.00, by 4-1 90.00, by 5-5 110.00. 10.00 is paid by hand."""
    table = two_field_players().counts("1-2")
    table.seat(1).cashes_out().inserts(50)
    table.reverses_to("6-6")
    table.asked(key_turned(1))
    table.asked(m.PayByHand(seat=1))
    table.reverses_to("4-1")
    assert (table.account("shortfall"), table.account("handpay")) == (-30_00, 0)
    table.reverses_to("5-5")
    assert (table.account("shortfall"), table.now.seat(1).terminal.left_due_cents) == (-10_00, 0)
    table.reverses_to("6-6")
    assert (table.account("shortfall"), table.now.seat(1).terminal.left_due_cents) == (0, 0)
    assert table.seat(1).credit == 50_00


def test_ruling_56_a_stay_that_the_wrong_roll_ended_comes_back() -> None:
    table = opened("craps", "seats=2").dealer()
    table.seat(1).inserts(10).bets("field", 10).keeps_bets()
    table.asked(m.NameSeat(seat=1, name="Ace"))
    table.counts("4-1")
    ended = table.now.seat(1)
    assert (ended.stay.ended, ended.player.name, ended.player.keep_bets) == (True, "", False)
    table.reverses_to("1-2")
    back = table.now.seat(1)
    assert (back.stay.ended, back.player.name, back.player.keep_bets, table.seat(1).credit) == (
        False,
        "Ace",
        True,
        20_00,
    )


def test_ruling_56_an_unpaid_hand_pay_shrinks_with_the_win_that_it_was_for() -> None:
    """Field $1,000 wins $2,000 on the wrong 12 and $1,000 on the right 3, and loses on a 5."""
    table = opened("craps", "seats=2").dealer()
    table.seat(1).inserts(1500).bets("field", 1000)
    table.counts("6-6")
    table.seat(1).cashes_out()
    assert table.now.seat(1).terminal.hand_pay_cents == 3500_00
    table.reverses_to("1-2")
    seat = table.now.seat(1)
    assert (seat.terminal.hand_pay_cents, table.account("handpay"), table.account("shortfall")) == (
        500_00,
        500_00,
        0,
    )
    assert table.seat(1).credit == 2000_00
    table.reverses_to("4-1")
    seat = table.now.seat(1)
    assert (seat.terminal.hand_pay_cents, table.account("handpay"), table.account("shortfall")) == (
        500_00,
        500_00,
        0,
    )
    assert table.seat(1).credit == 0
    assert "hand_pay" in seat.terminal.lockups


def test_17_25_money_inserted_since_stays_in() -> None:
    table = two_field_players().counts("1-2").opens()
    table.seat(1).inserts(50)
    table.reverses_to("4-1")
    assert table.seat(1).credit == 140_00
    assert table.account("cash") == -250_00


def test_17_25_it_takes_two_people() -> None:
    for by, approver in ("", "badge-7"), ("badge-12", ""), ("badge-12", "badge-12"), ("", ""):
        table = two_field_players().counts("1-2")
        table.refused("needs_two").reverses_to("4-1", by=by, approver=approver)


def test_17_25_only_until_bets_close_again() -> None:
    table = two_field_players()
    table.refused("nothing_to_reverse").reverses_to("4-1")
    table.rolls("1-2")
    table.seat(1).bets("field", 10)
    table.closes()
    table.refused("nothing_to_reverse").reverses_to("4-1")


def test_17_25_only_the_last_roll() -> None:
    """After a second roll the first cannot be reached: the reversal is of the second."""
    table = two_field_players().rolls("1-2")
    table.seat(1).bets("field", 10)
    table.counts("4-1").reverses_to("6-3")
    assert [result.dice for result in table.now.history] == [(1, 2), (6, 3)]
    assert table.seat(1).credit == 120_00


def test_17_25_a_reversal_may_be_reversed_while_bets_are_not_closed() -> None:
    table = two_field_players().counts("1-2").reverses_to("4-1").reverses_to("6-6")
    assert table.seat(1).credit == 120_00
    assert [result.dice for result in table.now.history] == [(6, 6)]


@pytest.mark.parametrize("first", ["4-1", "6-6", "3-4"])
@pytest.mark.parametrize("second", ["5-1", "5-5", "1-1"])
def test_17_25_reversed_twice_is_reversed_once_to_the_last_dice_though_money_has_left(
    first: str, second: str
) -> None:
    left = two_field_players().counts("1-2")
    left.seat(1).cashes_out()
    twice = left.twin().reverses_to(first).reverses_to(second).now
    same(twice, left.twin().reverses_to(second).now)


def test_17_25_the_same_or_impossible_dice_are_refused() -> None:
    table = two_field_players().counts("1-2")
    table.refused("same_dice").reverses_to("1-2")
    table.refused("bad_dice").asked(m.ReverseRoll(dice=(0, 7)), actor="badge-12", approver="badge-7")


def test_17_25_players_are_told_and_the_record_keeps_the_wrong_roll() -> None:
    table = two_field_players().counts("1-2").reverses_to("4-1")
    [voided] = table.happened(m.RollVoided)
    assert isinstance(voided, m.RollVoided)
    assert (voided.wrong, voided.by, voided.approver) == ((1, 2), "badge-12", "badge-7")
    assert len(table.happened(m.DiceRolled)) == 2
    assert [result.instead_of for result in table.now.history] == [(1, 2)]
    assert [past.instead_of for past in shared_view(table.now, table.facts).history] == [(1, 2)]


def test_17_25_what_is_told_is_the_last_correction_and_a_roll_after_it_is_none() -> None:
    table = two_field_players().counts("1-2").reverses_to("4-1").reverses_to("6-6").opens()
    table.seat(1).bets("field", 10)
    table.counts("2-3")
    assert [result.instead_of for result in table.now.history] == [(4, 1), None]
    assert table.now.voided is None


def test_17_25_a_paused_table_stays_paused() -> None:
    """The dealer stops the table on seeing the mistake; taking it back must not start the clock."""
    table = two_field_players().at_second(1).counts("1-2")
    table.asked(m.PauseTable())
    table.reverses_to("4-1")
    assert table.now.paused
    table.refused("table_paused").opens()


def test_17_25_a_roll_is_reversed_after_the_puck_was_put_off_by_hand() -> None:
    table = opened("craps", "seats=2", "puck_can_be_reset=true").dealer()
    table.seat(1).inserts(100).bets("place.6", 12)
    table.rolls("2-2")
    table.asked(m.PutPuckOff())
    assert table.puck == 0
    table.reverses_to("2-3")
    assert table.puck == 5
    assert [result.dice for result in table.now.history] == [(2, 3)]


def test_17_25_the_reversal_uses_the_same_power_odds_draw() -> None:
    """Ruling 8. Any Craps at 14 to 1 for this roll: 1.00 pays 14.00."""
    table = opened("shoot-to-win", "seats=2").dealer().power(A="high")
    table.seat(1).inserts(100).bets("any_craps", 1)
    table.counts("3-4").power()
    table.reverses_to("1-1")
    assert table.seat(1).credit == 99_00 + 14_00


def test_17_25_the_shooter_and_the_hand_come_back_after_a_seven_out_that_was_none() -> None:
    table = opened("craps", "seats=2").dealer()
    for number in 1, 2:
        table.seat(number).inserts(100).bets("pass", 10)
    table.rolls("2-2").counts("3-4").opens()
    assert table.now.hand.rolls == 0
    table.seat(2).bets("pass", 10)
    table.reverses_to("3-3")
    assert (table.puck, table.now.hand.rolls, table.now.shooter) == (4, 2, 1)
    assert table.seat(2).lies == {"pass": 10_00}
    assert table.seat(2).credit == 90_00
    table.opens().closes()
    assert table.now.shooter == 1, "the dice do not pass, for nobody sevened out"


def test_17_25_the_settings_that_changed_since_end_the_chance_to_reverse() -> None:
    table = two_field_players().rolls("1-2").changes("limits.max_cents", "50000")
    table.refused("nothing_to_reverse").reverses_to("4-1")


def test_17_25_a_progressive_won_by_mistake_is_refilled() -> None:
    """Make 'Em All one total short at 25,123.45; the wrong 12 pays it, the right 7 pays nine totals: 300.00."""
    table = opened("craps", "seats=2", "make_em_all.on=true").dealer().meter("make_em_all", "25123.45")
    table.seat(1).inserts(100).bets("make_em_all", 1)
    table.rolls("1-1", "1-2", "1-3", "1-4", "1-5", "4-4", "5-4", "5-5", "5-6").counts("6-6")
    assert table.seat(1).credit == 99_00 + 25_123_45
    table.reverses_to("3-4")
    assert table.seat(1).credit == 99_00 + 300_00
    assert table.account("progressive:make_em_all/100/MEA-01") == 5, "what the wager fed: 5% of a dollar"


def test_17_25_auto_repeat_that_the_wrong_dice_switched_off_is_on_again() -> None:
    """$10 left after the Field lost by mistake cannot repeat $15; after the right 3 it could."""
    table = opened("craps", "seats=2").dealer()
    one = table.seat(1).inserts(25).bets("field", 15).repeats_by_itself()
    table.counts("4-1").opens()
    assert not table.now.seat(1).player.auto_repeat
    table.reverses_to("1-2").opens()
    assert table.now.seat(1).player.auto_repeat
    assert (one.lies, one.credit) == ({"field": 15_00}, 25_00)


def test_17_25_what_belongs_to_the_terminal_stays_as_it_is_now() -> None:
    """Link, doors and buttons; all else comes from before the roll."""
    table = two_field_players().counts("1-2").opens()
    table.seat(1).shooter_button(on=False)
    table.asked(door_moved(2, "cage_main"))
    table.seat(1).leaves()
    table.reverses_to("4-1")
    one, two = table.now.seats
    assert not one.terminal.linked
    assert not one.stay.shoots
    assert two.terminal.doors == {"cage_main"}


def test_ruling_56_a_player_who_left_with_a_mark_on_the_felt_leaves_nothing_behind() -> None:
    """Buy 4 made after a seven-out starts as a mark; its fee leaves with the player, and does not come back."""
    table = opened("craps", "seats=2", "off_money=released").dealer()
    one, two = table.seat(1).inserts(20), table.seat(2).inserts(20)
    two.bets("field", 5)
    table.rolls("3-2")
    two.bets("field", 5)
    table.rolls("6-1")
    one.bets("buy.4", 15)
    two.bets("field", 5)
    table.counts("4-4")
    one.cashes_out()
    table.reverses_to("6-3")
    assert (one.lies, one.credit, table.account("commission"), table.account("shortfall")) == ({}, 0, 0, 0)
    assert table.now.seat(1).stay.ended


def test_ruling_56_a_player_who_had_no_wager_and_left_does_not_come_back() -> None:
    table = opened("craps", "seats=2").dealer()
    one, two = table.seat(1).inserts(20).keeps_bets(), table.seat(2).inserts(20)
    table.asked(m.NameSeat(seat=1, name="Ace"))
    two.bets("field", 5)
    table.counts("4-4")
    one.cashes_out()
    table.reverses_to("6-3")
    seat = table.now.seat(1)
    assert (seat.stay.ended, seat.player.name, seat.player.keep_bets) == (True, "", False)


def test_ruling_56_what_is_owed_to_one_who_left_pays_no_debt_of_a_later_player() -> None:
    """The first is owed $4.00 by a reversal; the second takes $14.00 too much. Each is settled apart."""
    changes = ("seats=1", "stay_up=true", "credit_meter=free", "cash_out=credit")
    table = opened("craps", *changes).dealer()
    one = table.seat(1).inserts(20).bets("field", 2)
    table.counts("2-6")
    one.cashes_out()
    table.reverses_to("6-4")
    assert table.account("handpay") == 4_00
    table.opens()
    one.inserts(100).bets("dont_come", 7)
    table.rolls("3-5").counts("1-3")
    one.cashes_out()
    table.reverses_to("1-6")
    one.cashes_out()
    table.reverses_to("3-5")
    assert (table.account("handpay"), -table.account("shortfall")) == (4_00, 14_00)
    assert table.now.seat(1).terminal.left_due_cents == 4_00


def test_ruling_56_what_dice_gave_a_debtor_counts_as_taken_when_the_debtor_has_left() -> None:
    """$50.00 came in and $50.00 were tipped. A 7 pays $20.00 on a debt of $35.00, and the stay ends. With the right
    dice $35.00 of stakes lie again: they cover the debt of $35.00, and nothing is owed either way."""
    changes = ("seats=1", "stay_up=true", "buy.when=on_win", "credit_meter=free", "cash_out=credit")
    table = opened("craps", *changes).dealer()
    one = table.seat(1).inserts(50).bets("pass", 15).bets("buy.4", 10)
    table.rolls("6-2")
    one.bets("come", 10)
    table.counts("5-3").opens()
    one.presses("cancel_all").tips(50)
    table.reverses_to("5-2")
    assert (-table.account("shortfall"), table.now.seat(1).stay.ended) == (15_00, True)
    one.inserts(200)
    table.reverses_to("5-1")
    assert (table.account("shortfall"), table.account("handpay"), one.credit, one.lies) == (0, 0, 200_00, {})


def test_ruling_57_a_cancelled_ticket_that_a_reversal_takes_back_asks_for_two_people_no_longer() -> None:
    """The ticket was for the win on the wrong 12. On the right 5 nothing is due."""
    table = opened("craps", "seats=2").dealer()
    table.prints = False
    one = table.seat(1).inserts(1000).bets("field", 1000)
    table.counts("6-6")
    one.cashes_out()
    job = table.now.seat(1).terminal.printing
    assert job
    table.asked(Reported(seat=1, kind="printer", signal=SlipUnknown(job=job.job, why="jam")))
    assert table.now.seat(1).terminal.hand_pay_by_two
    table.reverses_to("4-1")
    terminal = table.now.seat(1).terminal
    assert (terminal.hand_pay_cents, terminal.hand_pay_by_two) == (0, False)


def test_ruling_29_a_hand_pay_that_is_paid_drops_the_marks_that_a_reversal_laid_again() -> None:
    """$248.00 of $250.00 are due by hand; the right dice win $2.00, so the stay goes on with $4.00 and no mark."""
    changes = ("credit_meter=free", "cash_out=credit", "off_money=released", "lay.when=on_win")
    table = opened("craps", "seats=2", "hand_pay_over_cents=20000", *changes).dealer()
    one = table.seat(1).inserts(250).bets("lay.6", 60).off("lay.6").bets("field", 2)
    table.seat(2).inserts(50).bets("field", 5)
    table.counts("3-5")
    one.cashes_out()
    table.reverses_to("4-5")
    assert one.lies == {"lay.6": 60_00}  # the felt is as it was then (ruling 56)
    table.asked(key_turned(1))
    table.asked(m.PayByHand(seat=1), actor="Anna", approver="Bert")
    assert (one.lies, one.credit, table.account("handpay")) == ({}, 4_00, 0)
