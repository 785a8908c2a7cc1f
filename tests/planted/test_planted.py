"""A bet and a side game that no file of the program knows are played, measured, offered, shown and settled."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec
import pytest

from stickman.floor.journal import encoded
from stickman.floor.placard import placard
from stickman.par.sheet import sheet
from stickman.rules.datafile import BadFile
from stickman.rules.layout import lay_out
from stickman.rules.settings import change, load, settings
from stickman.table import script
from stickman.table.messages import Facts, TableOpened
from stickman.table.offers import offers
from stickman.table.script import Played
from stickman.table.view import SeatView, view
from tests.planted import planted, planted_game

pytestmark = pytest.mark.usefixtures("_registered")


@pytest.fixture
def _registered() -> Iterator[None]:
    with planted():
        yield


def play(text: str) -> Played:
    """A session at a table that offers both."""
    game = planted_game()
    bets = ", ".join(f'"{name}"' for name in sorted(game.bets))
    return script.play(f"game craps\nset bets [{bets}]\nset hard_road.on true\nseat 1 inserts 100.00\n{text}")


def seat(played: Played) -> SeatView:
    seen = view(played.table, "seat 1", Facts())
    assert isinstance(seen, SeatView)
    return seen


def test_hi_lo_pays_15_to_1_on_a_2_or_a_12_and_loses_on_all_else() -> None:
    assert seat(play("seat 1 bets hi_lo 1.00\nroll 1-1")).credit_cents == 100_00 + 15_00
    assert seat(play("seat 1 bets hi_lo 1.00\nroll 6-6")).credit_cents == 100_00 + 15_00
    assert seat(play("seat 1 bets hi_lo 1.00\nroll 6-5")).credit_cents == 100_00 - 1_00


def test_hard_road_remembers_its_hard_ways_and_pays_their_number_at_the_7() -> None:
    lies = play("seat 1 bets hard_road 5.00\nroll 2-2\nroll 3-1\nroll 2-2\nroll 4-4")
    assert seat(lies).wagers["hard_road"].hits == (4, 8)
    assert seat(lies).credit_cents == 95_00
    two = play("seat 1 bets hard_road 5.00\nroll 2-2\nroll 3-1\nroll 2-2\nroll 4-4\nroll 6-1")
    assert seat(two).credit_cents == 100_00 + 2 * 5_00
    one = play("seat 1 bets hard_road 5.00\nroll 2-2\nroll 6-1")
    assert seat(one).credit_cents == 95_00
    four = play("seat 1 bets hard_road 5.00\nroll 2-2\nroll 3-3\nroll 4-4\nroll 5-5")
    assert seat(four).credit_cents == 100_00 + 50 * 5_00


def why_not(played: Played, spot: str) -> tuple[str, str]:
    """Why a spot may not be bet on, and why its wager may not be taken; empty where it may."""
    offer = offers(played.table, 1, Facts()).at(spot)
    place, take = (str(getattr(getattr(each, "why", ""), "value", "")) for each in (offer.place, offer.take))
    return place, take


def test_hard_road_opens_after_a_7_and_is_a_contract_from_its_first_roll_on() -> None:
    assert why_not(play(""), "hard_road") == ("", "no_wager")
    rolled = play("seat 1 bets hard_road 5.00\nseat 1 bets field 5.00\nroll 2-1")
    assert why_not(rolled, "hard_road") == ("locked", "locked")
    late = play("seat 1 bets field 5.00\nroll 2-1")
    assert why_not(late, "hard_road") == ("after_seven_only", "no_wager")
    assert why_not(late, "hi_lo") == ("", "no_wager")


def test_the_par_sheet_measures_both() -> None:
    """Hi-Lo loses 34 of 36 and wins 15 on two: (34 - 30) / 36.

    The next new hard way of r comes before a 7 with r / (r + 6), so 2, 3, 4 of them come with 4/10 x 3/9 = 2/15,
    x 2/8 = 1/30, x 1/7 = 1/210; exactly two with 1/10, exactly three with 1/35. The loss is
    13/15 - 2/10 - 8/35 - 50/210 = (182 - 42 - 48 - 50) / 210."""
    edges = {bet.bet: bet.edge_per_bet_made for bet in sheet(planted_game()).bets}
    assert edges["hi_lo"] == Fraction(4, 36)
    assert edges["hard_road"] == Fraction(42, 210)


def test_the_felt_lists_both_with_their_zone_and_what_is_drawn() -> None:
    felt = {each.spot: each for each in seat(play("")).shared.felt}
    hi_lo, road = felt["hi_lo"], felt["hard_road"]
    assert (hi_lo.zone, hi_lo.title, hi_lo.game) == ("props_small", "Hi-Lo", "")
    assert (road.zone, road.game, road.game_title) == ("side", "hard_road", "Hard Road")
    assert (road.collects, road.climbs, road.counts_rolls) == ((4, 6, 8, 10), True, False)


def test_the_placard_explains_both() -> None:
    cards = placard(lay_out(planted_game())).bets
    assert [(line.pays, line.on) for line in cards["hi_lo"].pays] == [("15 to 1", ("2", "12"))]
    assert [line.pays for line in cards["hard_road"].pays] == ["2 to 1", "8 to 1", "50 to 1"]
    assert (cards["hard_road"].window, cards["hard_road"].contract) == ("after_seven_only", "first_roll")


def test_their_settings_stand_beside_the_others_and_are_checked_like_them() -> None:
    keys = {setting.key: setting for setting in settings(planted_game())}
    assert keys["hard_road.on"].value is True
    assert keys["hard_road.paytable"].allowed == "one of road"
    assert "hi_lo" in keys["bets"].allowed
    with pytest.raises(BadFile, match=r"hard_road.paytable: found 'street'; allowed: one of road"):
        change(planted_game(), "hard_road.paytable", "street")


def test_a_journal_keeps_their_settings() -> None:
    game = change(planted_game(), "hard_road.limits.max_cents", "5000")
    opened = TableOpened(game=game, fingerprint=game.fingerprint())
    [event] = msgspec.json.decode(encoded([opened]), type=list[TableOpened])
    assert event.game == game
    assert game.fingerprint() != planted_game().fingerprint()


def test_they_leave_the_other_games_alone() -> None:
    here = load("shoot-to-win")
    assert "hi_lo" not in lay_out(here).bets
    assert "hard_road" not in lay_out(here).bets
