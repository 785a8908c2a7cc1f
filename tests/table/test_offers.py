"""What is on offer at a seat is what the table accepts, no more and no less, at the price that is shown."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from stickman.rules import felt as felts
from stickman.rules.dice import Roll, ways
from stickman.rules.felt import Amounts
from stickman.rules.layout import Switch
from stickman.rules.spoken import Detail
from stickman.table import messages as m
from stickman.table.asking import layout_of, situation_of
from stickman.table.decide import decide
from stickman.table.messages import Facts, Refusal, Refused, Request
from stickman.table.offers import Allowed, ChipButton, SeatOffers, offers
from stickman.table.state import Table
from tests.table.walks import happens, tables
from tests.talk.devices import bill_stacked
from tests.talk.table import TableTalk, opened

Tables = tuple[Table, Facts]
seats = st.integers(1, 10)


def taken_seat(table: Table, drawn: int) -> int:
    return (drawn - 1) % len(table.seats) + 1


def now(table: TableTalk, seat: int = 1) -> SeatOffers:
    return offers(table.now, seat, table.facts)


def refusal(table: Table, request: Request, facts: Facts) -> Refused | None:
    answer = decide(table, request, facts)
    return answer if isinstance(answer, Refused) else None


def around(amounts: Amounts | Refused) -> set[int]:
    """Amounts inside, at and around the limits."""
    found = {-100, 0, 1, 100, 150, 500, 2_100, 99_900, 10**7}
    if isinstance(amounts, Amounts):
        low, high, step, whole = amounts
        middle = low + (high - low) // 2 // step * step
        found |= {low - step, low - 1, low, low + 1, low + step, middle, high - 1, high, high + 1, high + step}
        found |= {whole - 1, whole, whole + 1}
    return found


@settings(max_examples=100)
@given(tables(), seats)
def test_the_offers_of_all_spots_are_those_of_each(walked: Tables, drawn: int) -> None:
    table, _ = walked
    seat = situation_of(table, taken_seat(table, drawn))
    assert felts.offers(seat) == {spot: felts.offer(seat, spot) for spot in layout_of(table).bet_on}


# --- decide accepts exactly what offers lists ---


@settings(max_examples=100)
@given(tables(), seats)
def test_exactly_the_amounts_on_offer_may_be_placed(walked: Tables, drawn: int) -> None:
    table, facts = walked
    seat = taken_seat(table, drawn)
    found = offers(table, seat, facts)
    for spot in list(layout_of(table).bet_on)[drawn % 4 :: 4]:
        place = found.at(spot).place
        for cents in around(place):
            refused = refusal(table, m.PlaceBet(seat=seat, spot=spot, cents=cents), facts)
            if isinstance(place, Amounts):
                assert place.allows(cents) == (refused is None), (spot, cents, place, refused)
            elif place.why is not Refusal.CREDIT_SHORT:
                assert refused == place, (spot, cents)
            else:
                assert refused is not None, (spot, cents)


@settings(max_examples=60)
@given(tables(), seats)
def test_exactly_the_amounts_on_offer_may_be_taken(walked: Tables, drawn: int) -> None:
    table, facts = walked
    seat = taken_seat(table, drawn)
    found = offers(table, seat, facts)
    for spot in layout_of(table).bet_on:
        take = found.at(spot).take
        assert isinstance(take, Refused) == bool(refusal(table, m.TakeBet(seat=seat, spot=spot), facts))
        for cents in around(take):
            refused = refusal(table, m.TakeBet(seat=seat, spot=spot, cents=cents), facts)
            if isinstance(take, Amounts):
                assert take.allows(cents) == (refused is None), (spot, cents, take, refused)
            else:
                assert refused == take, (spot, cents)


@settings(max_examples=60)
@given(tables(), seats)
def test_a_marker_may_be_switched_to_exactly_what_is_on_offer(walked: Tables, drawn: int) -> None:
    table, facts = walked
    seat = taken_seat(table, drawn)
    found = offers(table, seat, facts)
    for spot in layout_of(table).bet_on:
        switch = found.at(spot).switch
        answers = {on: refusal(table, m.SwitchBet(seat=seat, spot=spot, on=on), facts) for on in (True, False)}
        if isinstance(switch, Refused):
            assert switch in answers.values()
            assert None not in answers.values()
        else:
            assert [on for on in (True, False) if answers[on] is None] == sorted(switch, reverse=True)


BUTTONS: dict[str, type[m.SeatRequest]] = {
    "undo": m.Undo,
    "roll": m.PressRoll,
    "shoot": m.Shoot,
    "land": m.LandDice,
    "puck_off": m.PutPuckOff,
    "cash_out": m.CashOut,
    "reserve": m.ReserveSeat,
    "come_back": m.ReturnToSeat,
    "call_service": m.CallService,
}


def request_of(button: str, seat: int) -> Request:
    match button:
        case "all_on" | "all_off":
            return m.SwitchAll(seat=seat, on=button == "all_on")
        case "accept" | "decline":
            return m.AnswerPopUp(seat=seat, accept=button == "accept")
        case "press" | "double" | "repeat" | "clear_last" | "clear_all" | "cancel_all":
            return m.PressButton(seat=seat, button=button)
        case _:
            return BUTTONS[button](seat=seat)


@settings(max_examples=80)
@given(tables(), seats)
def test_exactly_the_buttons_on_offer_may_be_pressed_at_the_price_shown(walked: Tables, drawn: int) -> None:
    table, facts = walked
    seat = taken_seat(table, drawn)
    for button, offer in offers(table, seat, facts).buttons.items():
        after, refused = happens(table, request_of(button, seat), facts)
        if isinstance(offer, Refused):
            assert refused == offer, button
            continue
        assert refused is None, (button, offer)
        if button not in ("roll", "shoot", "land"):  # these may bring dice and with them payments
            assert table.credit(seat) - after.credit(seat) == offer.price_cents, button
            assert changed(table, after, seat) == set(offer.spots), button


def changed(before: Table, after: Table, seat: int) -> set[str]:
    old, new = before.seat(seat).felt.wagers, after.seat(seat).felt.wagers
    return {spot for spot in {**old, **new} if old.get(spot) != new.get(spot)}


@settings(max_examples=100)
@given(tables(), seats)
def test_a_button_that_places_chips_works_with_exactly_the_chips_on_offer(walked: Tables, drawn: int) -> None:
    table, facts = walked
    seat = taken_seat(table, drawn)
    for button, offer in offers(table, seat, facts).chip_buttons.items():
        assert button in ("across", "inside", "outside")
        chips = offer.chips if isinstance(offer, ChipButton) else offer
        for cents in around(chips):
            request = m.PressButton(seat=seat, button=button, cents=cents)  # type: ignore[arg-type] # just asserted
            after, refused = happens(table, request, facts)
            if isinstance(offer, Refused):
                assert refused is not None, (button, cents, offer)
                continue
            assert offer.chips.allows(cents) == (refused is None), (button, cents, offer, refused)
            if refused is None:
                assert table.credit(seat) - after.credit(seat) == cents * offer.paying
                assert changed(table, after, seat) == set(offer.spots)


@settings(max_examples=80)
@given(tables(), seats)
def test_exactly_the_tips_and_toggles_on_offer_are_accepted(walked: Tables, drawn: int) -> None:
    table, facts = walked
    seat = taken_seat(table, drawn)
    found = offers(table, seat, facts)
    for cents in around(found.tip):
        refused = refusal(table, m.GiveTip(seat=seat, cents=cents), facts)
        assert isinstance(found.tip, Amounts) and found.tip.allows(cents) if refused is None else True
        assert refused is None or isinstance(found.tip, Refused) or not found.tip.allows(cents)
    for switch in get_args(m.SeatSwitch):
        offer = found.toggles[switch]
        asked = {on: m.SetSwitch(seat=seat, switch=switch, on=on) for on in (True, False)}
        accepted = [on for on, request in asked.items() if not refusal(table, request, facts)]
        assert accepted == ([] if isinstance(offer, Refused) else [offer])


@settings(max_examples=100)
@given(tables(80), seats)
def test_exactly_the_presses_and_moves_on_offer_after_a_win_are_accepted(walked: Tables, drawn: int) -> None:
    table, facts = walked
    seat = taken_seat(table, drawn)
    found = offers(table, seat, facts)
    for spot in layout_of(table).bets:
        if not spot.startswith("place"):
            continue
        win = found.wins.get(spot)
        press = win.press if win else None
        answers: dict[Request, Allowed | Refused | None] = {m.PressByWin(seat=seat, spot=spot): press}
        for to in ("buy.6", "place.6", "buy.9", "place.9", "place.2", "hard.6", "no.6", spot):
            answers[m.MoveBet(seat=seat, spot=spot, to=to)] = win.moves.get(to) if win else None
        for request, offer in answers.items():
            after, refused = happens(table, request, facts)
            assert (refused is None) == isinstance(offer, Allowed), (request, offer, refused)
            if isinstance(offer, Allowed):
                assert table.credit(seat) - after.credit(seat) == offer.price_cents
            elif offer:
                assert refused == offer


# --- The odds pop-up ---


@settings(max_examples=100)
@given(tables(), seats)
def test_every_choice_of_the_odds_pop_up_may_be_placed_and_wins_what_it_says(walked: Tables, drawn: int) -> None:
    table, facts = walked
    seat = taken_seat(table, drawn)
    found = offers(table, seat, facts)
    for offer in found.odds:
        assert offer.spot not in table.seat(seat).felt.wagers
        assert found.spots[offer.spot].place.allows(offer.choices[0].stake_cents)  # type: ignore[union-attr] # offered, so no refusal
        for choice in offer.choices:
            after, refused = happens(table, m.PlaceBet(seat=seat, spot=offer.spot, cents=choice.stake_cents), facts)
            assert refused is None
            here = situation_of(after, seat)
            on = felts.switch(here, offer.spot, Switch.ON)  # come odds rest on a come-out
            here = here._replace(felt=on) if isinstance(on, felts.Felt) else here
            dice = ways(7 if offer.spot.startswith("dont") else offer.point)[0]
            paid = {line.spot: line.payment.paid_cents for line in felts.roll(here, dice).lines}
            assert paid[offer.spot] == choice.win_cents


def test_odds_pop_ups_queue_line_before_come() -> None:
    """Ruling 27."""
    table = opened("craps")
    table.seat(1).inserts(1000).bets("pass", 10)
    table.rolls(6)
    table.seat(1).bets("come", 10)
    table.rolls(4)
    table.seat(1).bets("come", 10)
    table.rolls(10)
    assert [offer.spot for offer in now(table).odds] == ["pass.odds", "come.4.odds", "come.10.odds"]
    table.seat(1).bets("come.4.odds", 10)
    assert [offer.spot for offer in now(table).odds] == ["pass.odds", "come.10.odds"]


def test_the_odds_pop_up_offers_the_printed_multiples_up_to_the_policy_at_the_point() -> None:
    """IB "Odds bets": 1 2 3 4 5x to take; RULES 18: 3-4-5x in roll-to-win, so 3x behind a 4, which pays 2 to 1."""
    table = opened("craps")
    table.seat(1).inserts(1000).bets("pass", 10)
    table.rolls(4)
    [offer] = now(table).odds
    assert [choice.multiple for choice in offer.choices] == [1, 2, 3, 4, 5]
    table = opened("roll-to-win")
    table.seat(1).inserts(1000).bets("pass", 10)
    table.rolls(4)
    [offer] = now(table).odds
    assert [tuple(choice) for choice in offer.choices] == [(1, 1000, 2000), (2, 2000, 4000), (3, 3000, 6000)]


def test_ruling_27_the_odds_question_names_the_round_that_set_the_point_so_that_it_is_asked_once() -> None:
    """IB 2.5: the window pops up after a point is established. The same number is another point in another hand,
    and for a Come wager that follows one on its number."""
    table = opened("craps")
    table.seat(1).inserts(1000).bets("pass", 10)

    def points() -> dict[str, int]:
        return {offer.spot: offer.set_in for offer in now(table).odds}

    table.rolls(6)  # round 1
    assert points() == {"pass.odds": 1}
    table.seat(1).bets("come", 10)
    table.rolls(8)  # round 2
    assert points() == {"pass.odds": 1, "come.8.odds": 2}
    table.rolls(5)  # decides neither
    assert points() == {"pass.odds": 1, "come.8.odds": 2}
    table.seat(1).bets("come", 10)
    table.rolls(8)  # round 4: the first Come wins, the next one is on 8
    assert points() == {"pass.odds": 1, "come.8.odds": 4}
    table.rolls(6)  # the point is made
    table.seat(1).bets("pass", 10)
    table.rolls(6)  # round 6
    assert points()["pass.odds"] == 6


def test_dont_come_odds_are_offered_by_the_win_where_the_win_is_limited() -> None:
    """STW: Don't Come Odds to win 2x the flat bet; behind a 4 they pay 1 to 2."""
    table = opened("shoot-to-win")
    table.seat(1).inserts(1000).bets("pass", 10)
    table.rolls(6)
    table.seat(1).bets("dont_come", 10)
    table.rolls(4)
    [line, come] = now(table).odds
    assert (line.spot, come.spot) == ("pass.odds", "dont_come.4.odds")
    assert [tuple(choice) for choice in come.choices] == [(1, 2000, 1000), (2, 4000, 2000)]


# --- Money ---


@pytest.mark.parametrize(("credit", "most"), [(10_500, 10_000), (10_499, 9_900), (10_395, 9_900), (10_394, 9_800)])
def test_credit_must_cover_the_fee_as_well_as_the_stake(credit: int, most: int) -> None:
    """Craps, Buy 4: 5% of the stake upfront, in steps of $1 (RULES 5): $100 costs $105.00, $99 costs $103.95."""
    table = opened("craps")
    table.asked(bill_stacked(1, credit))
    assert now(table).spots["buy.4"].place == Amounts(100, most, 100)


def test_without_credit_every_open_spot_says_so() -> None:
    table = opened("craps")
    whys = {offer.place.why for offer in now(table).spots.values() if isinstance(offer.place, Refused)}
    assert Refusal.CREDIT_SHORT in whys
    assert not any(isinstance(offer.place, Amounts) for offer in now(table).spots.values())
    assert now(table).spots["place.6"].place == Refused(Refusal.CREDIT_SHORT, Detail.SHORT_BY(cents=100))


def test_across_shows_its_price_and_its_spots() -> None:
    """RULES 7: Place on every point but the established one."""
    table = opened("craps")
    table.seat(1).inserts(100).bets("pass", 10)
    assert now(table).chip_buttons["across"] == Refused(Refusal.NEEDS_ENABLING)
    table.rolls(6)
    across = now(table).chip_buttons["across"]
    assert isinstance(across, ChipButton)
    assert across.spots == ("place.4", "place.5", "place.8", "place.9", "place.10")
    assert across.paying == 5
    assert across.chips == Amounts(100, 1_800, 100)


def test_undo_gives_back_what_the_last_action_cost_and_says_how_deep_it_goes() -> None:
    table = opened("craps")
    table.seat(1).inserts(100).bets("field", 5).bets("buy.4", 20)
    assert now(table).undo_depth == 2
    assert now(table).buttons["undo"] == Allowed(-2_100, 0, ("buy.4",))


def test_a_button_that_asks_a_fee_shows_it_in_its_price() -> None:
    """Ruling 9: one pop-up for the whole button."""
    table = opened("craps")
    table.seat(1).inserts(100).bets("buy.4", 20).bets("field", 5)
    assert now(table).buttons["double"] == Allowed(2_600, 100, ("buy.4", "field"))


def test_turning_released_chips_on_again_costs_their_stake() -> None:
    """RULES 6, off_money = released."""
    table = opened("roll-to-win")
    table.seat(1).inserts(20).bets("place.6", 12).off("place.6")
    assert now(table).spots["place.6"].switch == (True,)
    assert now(table).buttons["all_on"] == Allowed(1_200, 0, ("place.6",))
    table.seat(1).bets("field", 15)
    assert now(table).spots["place.6"].switch == Refused(Refusal.CREDIT_SHORT, Detail.SHORT_BY(cents=700))


# --- Once for all ---


def test_while_bets_are_closed_one_refusal_answers_for_every_spot() -> None:
    table = opened("craps")
    table.seat(1).inserts(100).bets("pass", 10)
    table.closes()
    found = now(table)
    assert found.betting == Refused(Refusal.WRONG_PHASE, Detail.BETS_CLOSED())
    assert found.spots == {}
    assert found.at("place.6").place == found.at("pass").take == found.betting
    assert found.odds == ()
    assert found.buttons["double"] == found.betting


def test_only_the_shooter_is_offered_the_dice_though_none_are_drawn_yet() -> None:
    table = opened("craps")
    table.seat(1).inserts(100).bets("pass", 10)
    table.seat(2).inserts(100).bets("pass", 10)
    table.closes()
    assert table.facts.dice is None
    assert now(table, 1).buttons["shoot"] == Allowed()
    assert now(table, 2).buttons["shoot"] == Refused(Refusal.NOT_SHOOTER, Detail.SEAT_SHOOTS(seat=1))


def test_an_open_question_is_all_that_may_be_answered() -> None:
    table = opened("craps")
    table.seat(1).inserts(100).asks_for("buy.4", 20)
    found = now(table)
    assert found.betting == Refused(Refusal.POP_UP_OPEN)
    assert found.buttons["accept"] == Allowed(2_100, 100, ("buy.4",))
    assert found.buttons["decline"] == Allowed()


def test_offers_do_not_depend_on_the_dice_that_the_house_would_roll() -> None:
    table = opened("craps", "seats=1")
    table.seat(1).inserts(100).bets("pass", 10)
    for dice in (None, Roll(1, 1), Roll(3, 4)):
        assert offers(table.now, 1, replace(table.facts, dice=dice)) == now(table)


def test_a_win_offers_to_press_or_to_move_with_the_price() -> None:
    """RTW 5: press by the win. IB 2.6: to the Buy of another number, its 5% on top."""
    table = opened("roll-to-win")
    table.seat(1).inserts(100).bets("place.6", 12)
    table.rolls("4-2")
    assert now(table).wins["place.6"].press == Allowed(1_400, 0, ("place.6",))
    table = opened("craps")
    table.seat(1).inserts(100).bets("place.6", 20)
    table.rolls("4-2")
    moves = now(table).wins["place.6"].moves
    assert set(moves) == {f"buy.{n}" for n in (4, 5, 6, 8, 9, 10)}
    assert moves["buy.8"] == Allowed(2_100, 100, ("buy.8",))


def test_a_button_that_the_game_lacks_is_refused_as_such_in_every_phase() -> None:
    """Else it would come and go on the screen as bets open and close."""
    table = opened("shoot-to-win")
    table.seat(1).inserts(100).bets("pass", 10)
    for _ in ("betting", "closed"):
        lacking = [now(table).chip_buttons["inside"], now(table).buttons["press"]]
        assert [offer.why for offer in lacking if isinstance(offer, Refused)] == [Refusal.NO_SUCH_BUTTON] * 2
        if table.phase == "betting":
            table.closes()
