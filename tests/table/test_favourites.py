"""Ruling 62: eight saved layouts for the stay. Placing one brings the felt up to it; what is refused is named."""

from __future__ import annotations

from typing import cast

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from stickman.rules.felt import Reason
from stickman.table import messages as m
from stickman.table.messages import Facts, Refusal, Refused
from stickman.table.offers import Allowed, offers
from stickman.table.state import Table
from stickman.table.view import SeatView, view
from tests.table.walks import happens, walks
from tests.talk.table import SeatTalk, check_books, opened, seated, two_seats


def saved(seat: SeatTalk) -> dict[int, dict[str, int]]:
    return seat.table.now.seat(seat.number).stay.favourites


def seen(seat: SeatTalk) -> SeatView:
    return cast("SeatView", view(seat.table.now, f"seat {seat.number}", seat.table.facts))


def priced(seat: SeatTalk, slot: int) -> Allowed | Refused:
    return offers(seat.table.now, seat.number, seat.table.facts).favourites[slot]


def cleared(seat: SeatTalk) -> SeatTalk:
    return seat.presses("cancel_all")


# --- Saving ---


def test_ruling_62_what_lies_is_saved_with_its_stakes() -> None:
    one = seated("craps").bets("pass", 10).bets("place.6", 12).saves(1)
    assert saved(one) == {1: {"pass": 10_00, "place.6": 12_00}}
    assert seen(one).favourites == saved(one)


def test_ruling_62_a_favourite_holds_what_repeat_would_remember() -> None:
    """A Come wager that has travelled cannot be bet on its number; its odds can."""
    one = seated("craps").bets("pass", 5)
    one.table.rolls("2-2")
    one.bets("come", 5)
    one.table.rolls("4-2")
    one.bets("come.6.odds", 10).bets("come", 5).saves(3)
    assert saved(one) == {3: {"pass": 5_00, "come": 5_00, "come.6.odds": 10_00}}


def test_ruling_62_saving_under_a_used_number_replaces_it() -> None:
    one = seated("craps").bets("field", 5).saves(2).takes("field").bets("pass", 10).saves(2)
    assert saved(one) == {2: {"pass": 10_00}}


@pytest.mark.parametrize("slot", [0, -1, 9, 10**12])
def test_ruling_62_there_are_eight(slot: int) -> None:
    one = seated("craps").bets("field", 5)
    one.refused(Refusal.NO_SUCH_SLOT).saves(slot)
    one.refused(Refusal.NO_SUCH_SLOT).places(slot)
    one.refused(Refusal.NO_SUCH_SLOT).removes(slot)


def test_ruling_62_an_empty_felt_is_not_saved() -> None:
    one = seated("craps")
    assert offers(one.table.now, 1, one.table.facts).saves == Refused(Refusal.NOTHING_TO_DO)
    one.refused(Refusal.NOTHING_TO_DO).saves(1)
    one.bets("field", 5)
    assert offers(one.table.now, 1, one.table.facts).saves is None


def test_ruling_62_a_layout_is_saved_at_any_moment_of_the_round_and_placed_while_bets_are_open() -> None:
    one = seated("craps").bets("pass", 10)
    one.table.closes()
    one.saves(1)
    one.refused(Refusal.WRONG_PHASE).places(1)
    one.table.counts("2-2")
    one.saves(2)
    one.refused(Refusal.WRONG_PHASE).places(2)
    assert saved(one)[1] == saved(one)[2] == {"pass": 10_00}


def test_ruling_62_a_reserved_seat_saves_and_forgets_nothing() -> None:
    one = seated("craps").bets("field", 5).saves(1).takes("field").bets("pass", 5)
    one.table.asked(m.ReserveSeat(seat=1), now_ms=1)
    one.refused(Refusal.RESERVED).saves(2)
    one.refused(Refusal.RESERVED).removes(1)


# --- Placing ---


def test_ruling_62_one_tap_places_all_of_it_at_the_price_shown_and_one_undo_takes_it_back() -> None:
    one = cleared(seated("craps").bets("pass", 10).bets("place.6", 12).bets("field", 5).saves(1))
    assert priced(one, 1) == Allowed(27_00, 0, ("pass", "place.6", "field"))
    one.places(1)
    assert (one.lies, one.credit) == ({"pass": 10_00, "place.6": 12_00, "field": 5_00}, 73_00)
    one.undoes()
    assert (one.lies, one.credit) == ({}, 100_00)


def test_ruling_62_the_felt_is_brought_up_to_the_layout_not_beyond_it() -> None:
    """Pass $10 lies in full, Place 6 lacks $6 of $12, the field has more than was saved."""
    one = cleared(seated("craps").bets("pass", 10).bets("place.6", 12).bets("field", 5).saves(1))
    one.bets("pass", 10).bets("place.6", 6).bets("field", 20).places(1)
    assert one.lies == {"pass": 10_00, "place.6": 12_00, "field": 20_00}
    one.refused(Reason.ALREADY_SO).places(1)


def test_ruling_62_what_is_refused_is_named_with_its_reason_and_the_rest_is_placed() -> None:
    one = seated("craps").bets("dont_pass", 10).bets("place.8", 6).saves(1).takes("dont_pass").bets("field", 5)
    one.table.rolls("2-2")
    one.takes("place.8").places(1)
    assert one.lies == {"place.8": 6_00}
    assert seen(one).refused == {"dont_pass": "come_out_only"}
    one.bets("field", 5)
    assert seen(one).refused == {}


def test_ruling_62_if_nothing_can_be_placed_it_is_refused_for_the_first_reason() -> None:
    one = seated("craps").bets("pass", 10).saves(1).takes("pass").bets("field", 5)
    one.table.rolls("2-2")
    one.refused(Reason.COME_OUT_ONLY).places(1)
    assert priced(one, 1) == Refused(Reason.COME_OUT_ONLY, "pass")


def test_ruling_62_odds_follow_the_flat_bet_that_they_back() -> None:
    one = seated("craps").bets("pass", 10)
    one.table.rolls("2-2")
    one.bets("pass.odds", 20).bets("place.6", 6).saves(1).takes("pass.odds").takes("place.6").places(1)
    assert one.lies == {"pass": 10_00, "pass.odds": 20_00, "place.6": 6_00}


def test_ruling_62_credit_must_cover_all_that_may_be_placed() -> None:
    one = cleared(seated("craps", dollars=30).bets("pass", 10).bets("place.6", 12).saves(1)).bets("field", 10)
    one.refused(Refusal.CREDIT_SHORT).places(1)
    assert isinstance(priced(one, 1), Refused)


def test_ruling_62_all_fees_are_one_question() -> None:
    """Craps, Buy: 5% upfront (RULES 5): $1 on each $20."""
    one = cleared(seated("craps").bets("buy.4", 20).bets("buy.10", 20).bets("field", 5).saves(1))
    assert priced(one, 1) == Allowed(47_00, 2_00, ("buy.4", "buy.10", "field"))
    one.places(1)
    assert (one.pop_up, one.lies) == (True, {})
    one.accepts()
    assert (one.lies, one.credit) == ({"buy.4": 20_00, "buy.10": 20_00, "field": 5_00}, 53_00)


def test_ruling_62_an_empty_number_places_nothing() -> None:
    one = seated("craps").bets("field", 5)
    one.refused(Refusal.NO_FAVOURITE).places(4)
    one.refused(Refusal.NO_FAVOURITE).removes(4)
    one.saves(4).removes(4)
    one.refused(Refusal.NO_FAVOURITE).places(4)
    assert saved(one) == {}


def with_favourites(walked: list[tuple[Table, Facts]], number: int) -> Table:
    """The table at the end of a walk, where a seat has saved what was on its felt at earlier moments."""
    table, facts = walked[-1]
    for slot, (earlier, _) in enumerate(walked[4::8][:8], 1):
        felt = table.seat(number).felt
        then = table.with_seat(replace(table.seat(number), felt=earlier.seat(number).felt))
        then, _ = happens(then, m.SaveFavourite(seat=number, slot=slot), facts)
        table = then.with_seat(replace(then.seat(number), felt=felt))
    return table


@settings(max_examples=120)
@given(walks(), st.integers(1, 10))
def test_ruling_62_after_placing_the_felt_has_the_layout_or_a_named_refusal(
    walked: list[tuple[Table, Facts]], drawn: int
) -> None:
    number = (drawn - 1) % len(walked[-1][0].seats) + 1
    table, facts = with_favourites(walked, number), walked[-1][1]
    if drawn % 2:
        table, _ = happens(table, m.PressButton(seat=number, button="cancel_all"), facts)
    found = offers(table, number, facts)
    assert found.favourites.keys() == table.seat(number).stay.favourites.keys()
    for slot, stakes in table.seat(number).stay.favourites.items():
        after, refused = happens(table, m.PlaceFavourite(seat=number, slot=slot), facts)
        offer = found.favourites[slot]
        if isinstance(offer, Refused):
            assert refused == offer
            assert after == table
            continue
        assert refused is None
        check_books(after)
        assert table.credit(number) - after.credit(number) == offer.price_cents
        seat = after.seat(number)
        lies = {spot: wager.stake_cents for spot, wager in seat.felt.wagers.items()}
        before = {spot: wager.stake_cents for spot, wager in table.seat(number).felt.wagers.items()}
        assert {spot for spot, cents in lies.items() if cents != before.get(spot)} == set(offer.spots)
        for spot, cents in stakes.items():
            named = spot in seat.last.refused
            assert lies.get(spot, 0) == before.get(spot, 0) if named else lies.get(spot, 0) >= cents
        assert set(seat.last.refused.values()) <= {reason.value for reason in Reason}
        whole = {spot: max(cents, stakes.get(spot, 0)) for spot, cents in before.items()}
        assert all(lies[spot] == cents for spot, cents in whole.items() if spot not in seat.last.refused)


# --- As long as the stay ---


def test_ruling_29_the_next_player_inherits_no_favourite() -> None:
    one = cleared(seated("craps").bets("field", 5).saves(1)).cashes_out()
    assert saved(one) == {}
    one.inserts(100)
    assert (saved(one), seen(one).favourites) == ({}, {})
    one.refused(Refusal.NO_FAVOURITE).places(1)


def test_ruling_29_a_cash_out_with_wagers_left_ends_no_stay_and_no_favourite() -> None:
    one = seated("roll-to-win").bets("pass", 10).saves(1)
    one.table.rolls("2-2")
    one.cashes_out()
    assert one.credit == 0
    assert saved(one) == {1: {"pass": 10_00}}


def test_ruling_29_losing_the_last_chip_ends_the_stay_and_its_favourites() -> None:
    one = seated("craps", dollars=5).bets("field", 5).saves(1)
    one.table.rolls("3-4")
    assert (one.table.now.seat(1).stay.ended, saved(one)) == (True, {})


def test_ruling_53_favourites_survive_a_change_of_settings_and_name_what_it_forbids() -> None:
    one = seated("craps").bets("field", 20).bets("hard.4", 1).saves(1)
    one.table.changes("bet_limits.field.max_cents", "500")
    assert one.lies == {}
    one.places(1)
    assert (one.lies, seen(one).refused) == ({"hard.4": 1_00}, {"field": "over_max"})


def test_ruling_56_a_reversal_leaves_the_favourites_and_a_stay_that_it_brings_back_has_its_own() -> None:
    table, one, two = two_seats("craps")
    table.dealer()
    one.bets("field", 100).saves(1)
    two.bets("place.8", 6)
    table.counts("2-3")
    assert table.now.seat(1).stay.ended
    two.saves(2)
    table.reverses_to("1-2")
    assert (saved(one), saved(two)) == ({1: {"field": 100_00}}, {2: {"place.8": 6_00}})


# --- The other side ---


def test_ten_thousand_saves_do_not_make_the_table_larger() -> None:
    one = seated("craps").bets("pass", 10).bets("place.6", 12)
    for slot in range(1, 9):
        one.saves(slot)
    before = len(msgspec.json.encode(one.table.now.seat(1).stay))
    table, facts = one.table.now, one.table.facts
    for turn in range(10_000):
        table, _ = happens(table, m.SaveFavourite(seat=1, slot=turn % 12 - 1), facts)
    assert len(msgspec.json.encode(table.seat(1).stay)) == before


def test_a_favourite_is_its_own_seats() -> None:
    table, one, two = two_seats("craps")
    one.bets("field", 5).saves(1)
    two.refused(Refusal.NO_FAVOURITE).places(1)
    assert seen(two).favourites == {}
    table.seat(2).bets("pass", 5)
    assert (one.lies, two.lies) == ({"field": 5_00}, {"pass": 5_00})


def test_a_favourite_of_a_seat_that_does_not_exist_is_refused() -> None:
    table = opened("craps")
    for request in m.SaveFavourite, m.PlaceFavourite, m.RemoveFavourite:
        table.refused(Refusal.NO_SUCH_SEAT).asked(request(seat=99, slot=1))
