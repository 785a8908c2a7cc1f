"""Rulings 41 to 51 at the terminal: doors, denominations, the credit meter, what a touch adds, what a stack
would win, each by hand from the ruling's own words."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from stickman.devices.signals import TableDoor, TerminalDoor
from stickman.floor.journal import events_of
from stickman.floor.tally import LOGS
from stickman.rules.datafile import BadFile
from stickman.rules.settings import GAMES, change, load
from stickman.store.store import EMPTY, Envelope, Record, seal
from stickman.table import messages as m
from stickman.table.evolve import evolve
from stickman.table.offers import offers
from stickman.table.script import end_state, play
from stickman.table.state import Seat, new_table
from stickman.table.view import DealerView, SeatView, view
from tests.talk.devices import door_moved, key_turned, table_door_moved
from tests.talk.table import SeatTalk, TableTalk, opened, seated

TABLE_DOORS: tuple[TableDoor, ...] = ("centre_unit", "power", "network")


def state(one: SeatTalk) -> Seat:
    return one.table.now.seat(one.number)


def seen(one: SeatTalk) -> SeatView:
    shown = view(one.table.now, f"seat {one.number}", one.table.facts)
    assert isinstance(shown, SeatView)
    return shown


def dealer_sees(table: TableTalk) -> DealerView:
    shown = view(table.now, "dealer", table.facts)
    assert isinstance(shown, DealerView)
    return shown


# --- 43: the doors of a cage ---


def opens(table: TableTalk, *doors: TerminalDoor, seat: int = 1) -> None:
    for door in doors:
        table.asked(door_moved(seat, door))


def shuts(table: TableTalk, *doors: TerminalDoor, seat: int = 1) -> None:
    for door in doors:
        table.asked(door_moved(seat, door, shut=True))


def clears(table: TableTalk, seat: int = 1) -> None:
    table.asked(key_turned(seat))
    table.asked(m.ClearLockup(seat=seat))
    table.asked(key_turned(seat, on=False))


def test_ruling_43_a_security_door_closes_before_its_main_door() -> None:
    one = seated("craps")
    opens(one.table, "cage_main", "cage_security")
    shuts(one.table, "cage_security", "cage_main")
    clears(one.table)
    one.bets("pass", 5)


def test_ruling_43_closing_in_the_wrong_order_keeps_the_lock_up_and_says_so() -> None:
    one = seated("craps")
    opens(one.table, "cage_main", "cage_security")
    shuts(one.table, "cage_main", "cage_security")
    assert state(one).terminal.doors == frozenset()
    assert seen(one).lockups == ("cage_order", "door")
    one.table.asked(key_turned(1))
    one.table.refused("cage_order").asked(m.ClearLockup(seat=1))
    one.refused("locked_up").bets("pass", 5)


def test_ruling_43_doors_that_are_found_closed_after_a_break_have_no_order() -> None:
    """A cut wire counts as open doors; when it is back, all are found closed at once."""
    one = seated("craps")
    for shut in (False, True):
        for door in ("cage_main", "cage_security"):
            moved = door_moved(1, door, shut=shut)
            one.table.asked(replace(moved, signal=replace(moved.signal, how="start")))
    assert seen(one).lockups == ("door",)
    clears(one.table)


def test_ruling_43_after_the_wrong_order_the_main_door_is_opened_again_and_both_close_in_order() -> None:
    one = seated("craps")
    opens(one.table, "cage_main", "cage_security")
    shuts(one.table, "cage_main")
    opens(one.table, "cage_main")
    shuts(one.table, "cage_main")  # the security door is still open: the wrong order again
    assert "cage_order" in seen(one).lockups
    shuts(one.table, "cage_security")
    opens(one.table, "cage_main")
    assert "cage_order" in seen(one).lockups
    shuts(one.table, "cage_main")
    assert seen(one).lockups == ("door",)
    clears(one.table)
    one.bets("pass", 5)


def test_ruling_43_a_main_door_that_was_opened_alone_may_be_closed_alone() -> None:
    one = seated("craps")
    opens(one.table, "cage_main")
    shuts(one.table, "cage_main")
    clears(one.table)


# --- 43: the doors of the table ---


def stopped(*changes: str, door: TableDoor = "centre_unit") -> tuple[TableTalk, SeatTalk]:
    """A table of two seats with a bet time of thirty seconds; its door opens after ten of them."""
    table = opened("craps", "seats=2", *changes).at_second(0).opens()
    one = table.seat(1).inserts(100).bets("pass", 10)
    table.at_second(10).asked(table_door_moved(door))
    return table, one


def clears_table(table: TableTalk, key: int = 2) -> None:
    table.asked(key_turned(key))
    table.asked(m.ClearTable())
    table.asked(key_turned(key, on=False))


@pytest.mark.parametrize("door", TABLE_DOORS)
def test_ruling_43_a_door_of_the_table_stops_betting_and_money_at_every_seat(door: TableDoor) -> None:
    table, _ = stopped(door=door)

    def refused(number: int = 1) -> SeatTalk:
        return table.seat(number).refused("table_locked_up")

    refused().bets("field", 5)
    refused().takes("pass")
    refused().undoes()
    refused().cashes_out()
    refused().tips(1)
    refused().presses("double")
    refused(2).inserts(20)
    refused(2).inserts_ticket(20)
    refused(2).table.asked(m.GiveCredit(seat=2, cents=500), drawer="badge-3")
    refused().table.closes()
    refused().table.opens()
    refused().table.changes("timers.bets_s", "40")


def test_ruling_43_a_hand_pay_waits_for_the_table() -> None:
    table = opened("craps", "seats=2", "hand_pay_over_cents=10000")
    one = table.seat(1).inserts(200).cashes_out()
    table.asked(key_turned(1))
    table.asked(table_door_moved("network"))
    table.refused("table_locked_up").asked(m.PayByHand(seat=1))
    table.asked(table_door_moved("network", shut=True))
    table.asked(m.ClearTable())
    table.asked(m.PayByHand(seat=1))
    assert one.credit == 0


def test_ruling_43_a_door_of_the_table_stops_the_bet_clock_and_gives_the_rest_back() -> None:
    table, one = stopped()
    assert table.now.deadline_ms == 0
    table.at_second(1000).ticks()
    assert table.phase == "betting"
    table.asked(table_door_moved("centre_unit", shut=True))
    table.at_second(2000)
    clears_table(table)
    assert table.now.deadline_ms == 1000 + 2_020_000  # twenty of the thirty seconds were left
    one.bets("field", 5)
    table.at_second(2020).ticks()
    assert table.phase == "shooting"


@pytest.mark.parametrize("pause_first", [True, False])
@pytest.mark.parametrize("resume_first", [True, False])
def test_ruling_43_a_pause_and_a_door_lose_no_time_whichever_comes_first(
    pause_first: bool, resume_first: bool
) -> None:
    table = opened("craps", "seats=2").at_second(0).opens()
    table.seat(1).inserts(100).bets("pass", 10)
    table.at_second(10)
    stops: list[m.Request | m.Reported] = [m.PauseTable(), table_door_moved("power")]
    for request in stops if pause_first else reversed(stops):
        table.asked(request)
    table.asked(table_door_moved("power", shut=True))
    table.asked(key_turned(1))
    table.at_second(100)
    goes_on: list[m.Request] = [m.ResumeTable(), m.ClearTable()]
    for request in goes_on if resume_first else reversed(goes_on):
        assert table.now.deadline_ms == 0
        table.asked(request)
    assert table.now.deadline_ms == 1000 + 120_000


def test_ruling_43_after_the_close_an_automated_roll_is_finished_and_then_nothing_opens() -> None:
    table = opened("craps", "seats=2").at_second(0).opens()
    one = table.seat(1).inserts(100).bets("pass", 10)
    table.at_second(30).ticks()
    table.asked(table_door_moved("centre_unit"))
    table.at_second(40).ticks("6-1")  # the shooter's ten seconds are over: the table rolls by itself
    assert (table.phase, one.paid) == ("rolled", 10_00)
    table.at_second(500).ticks()
    assert table.phase == "rolled"
    table.refused("table_locked_up").opens()
    table.asked(table_door_moved("centre_unit", shut=True))
    clears_table(table)
    table.at_second(500 + table.game.timers.result_s).ticks()
    assert table.phase == "betting"


def test_ruling_43_the_shooter_may_finish_the_roll() -> None:
    table = opened("craps", "seats=2").at_second(0).opens()
    one = table.seat(1).inserts(100).bets("pass", 10)
    table.closes().asked(table_door_moved("power"))
    one.shoots("6-1")
    assert one.paid == 10_00


def test_ruling_43_after_the_close_the_dealers_entry_works() -> None:
    table = opened("craps", "seats=2").dealer()
    one = table.seat(1).inserts(100).bets("pass", 10)
    table.closes().asked(table_door_moved("network"))
    table.counts("6-1")
    assert one.paid == 10_00
    for request in (m.OpenBets(), m.ReverseRoll(dice=(1, 1))):
        table.refused("table_locked_up").asked(request, actor="Anna", approver="Bert")


def test_ruling_43_a_single_seats_swipe_closes_no_bets_while_a_door_is_open() -> None:
    one = seated("craps", "seats=1").bets("pass", 10)
    one.table.asked(table_door_moved("power"))
    one.refused("table_locked_up").shoots("6-1")


def test_ruling_43_a_supervisor_clears_the_table_with_any_key_of_it_once_all_its_doors_are_shut() -> None:
    table, one = stopped()
    table.asked(table_door_moved("power"))
    table.asked(key_turned(2))
    table.asked(table_door_moved("centre_unit", shut=True))
    table.refused("cannot_clear").asked(m.ClearTable())
    table.asked(table_door_moved("power", shut=True))
    table.asked(key_turned(2, on=False))
    table.refused("needs_key").asked(m.ClearTable())
    one.refused("table_locked_up").bets("field", 5)
    clears_table(table)
    one.bets("field", 5)
    table.refused("nothing_to_do").asked(m.ClearTable())


def test_ruling_43_a_door_is_opened_and_shut_once() -> None:
    table, _ = stopped()
    assert table.asked(table_door_moved("centre_unit")) == ()
    assert table.asked(table_door_moved("centre_unit", shut=True))
    assert table.asked(table_door_moved("centre_unit", shut=True)) == ()


def test_ruling_43_every_screen_sees_the_tables_doors_and_its_lock_up() -> None:
    table, one = stopped()
    for shared in (seen(one).shared, dealer_sees(table).shared):
        assert (shared.locked_up, shared.doors, shared.message) == (True, ("centre_unit",), "locked_up")
    offered = offers(table.now, 1, table.facts).betting
    assert offered is not None
    assert offered.why is m.Refusal.TABLE_LOCKED_UP
    table.asked(table_door_moved("centre_unit", shut=True))
    assert (seen(one).shared.locked_up, seen(one).shared.doors) == (True, ())


def test_ruling_43_the_doors_of_the_table_are_significant_events() -> None:
    for event in (m.TableDoorOpened, m.TableDoorClosed, m.TableCleared):
        assert LOGS[event] == "significant"


def test_ruling_43_a_reversal_leaves_the_doors_of_the_table_as_they_are() -> None:
    table = opened("craps", "seats=2").dealer()
    table.seat(1).inserts(100).bets("pass", 10)
    table.closes().asked(table_door_moved("network"))
    table.counts("6-1")
    table.asked(table_door_moved("network", shut=True))
    clears_table(table)
    table.reverses_to("1-1")
    assert (table.now.doors, table.now.locked_up) == (frozenset(), False)


def test_ruling_43_a_script_opens_and_shuts_the_doors_of_the_table() -> None:
    played = play(
        "seat 1 inserts 100.00\ntable door open centre_unit\nseat 1 bets pass 5.00\ntable door close centre_unit\n"
        "key on 1\nclear table\nseat 1 bets pass 5.00\n"
    )
    assert end_state(played)["refusals"] == [{"line": 3, "reason": "table_locked_up"}]


def old_record(version: int, body: bytes) -> Record:
    return seal(EMPTY, Envelope(version, 1, 1, 5, "x", msgspec.Raw(body)))


@pytest.mark.parametrize("version", [1, 2])
def test_ruling_43_an_old_journals_table_door_still_locks_the_seat_that_it_names(version: int) -> None:
    (opened_then,) = events_of(old_record(version, b'[{"event":"door_opened","seat":2,"door":"centre_unit"}]'))
    table = evolve(new_table(load("craps")), opened_then)
    assert table.seat(2).terminal.doors == {"centre_unit"}
    assert table.seat(2).terminal.lockups == {"door"}
    assert not table.locked_up
    talk = TableTalk(table)
    talk.asked(door_moved(2, "centre_unit", shut=True))
    clears(talk, seat=2)


# --- 47: denominations ---

SEVERAL = "denominations=[1, 5, 25]"


def chooses(one: SeatTalk, cents: int) -> SeatTalk:
    one.table.asked(m.ChooseDenomination(seat=one.number, cents=cents))
    return one


def test_ruling_47_the_player_chooses_and_the_chips_scale_while_money_stays_in_cents() -> None:
    one = seated("craps", SEVERAL)
    before = seen(one)
    assert (before.denomination_cents, before.denominations) == (1, (1, 5, 25))
    assert before.chips_cents == (100, 500, 1_000, 2_500, 10_000, 50_000, 600)
    assert before.offers.denominations == (5, 25)
    after = seen(chooses(one, 25))
    assert after.denomination_cents == 25
    assert after.chips_cents == (2_500, 12_500, 25_000, 62_500, 250_000, 1_250_000, 15_000)
    assert after.offers.denominations == (1, 5)
    assert (after.credit_cents, after.shared.limits) == (100_00, before.shared.limits)


def test_ruling_47_only_while_the_felt_is_empty() -> None:
    one = seated("craps", SEVERAL).bets("pass", 5)
    offered = seen(one).offers.denominations
    assert isinstance(offered, m.Refused)
    assert offered.why is m.Refusal.FELT_NOT_EMPTY
    chooses(one.refused("felt_not_empty"), 5)
    chooses(one.takes("pass"), 5)


def test_ruling_47_the_choice_is_for_the_stay() -> None:
    one = chooses(seated("craps", SEVERAL), 25)
    one.inserts(20)
    assert seen(one).denomination_cents == 25  # it joins the stay
    one.cashes_out()
    assert seen(one).denomination_cents == 1
    assert seen(one.inserts(20)).denomination_cents == 1


def test_ruling_47_only_a_denomination_of_the_game_that_is_not_chosen_and_with_credit() -> None:
    one = seated("craps", SEVERAL)
    chooses(one.refused("no_offer"), 10)
    chooses(one.refused("already_so"), 1)
    one.cashes_out()
    chooses(one.refused("credit_short"), 5)
    single = seated("craps")
    chooses(single.refused("no_such_button"), 1)


def test_ruling_47_each_seat_has_its_own_and_a_reversal_keeps_it() -> None:
    table = opened("craps", "seats=2", SEVERAL).dealer()
    one, two = table.seat(1).inserts(100), table.seat(2).inserts(100)
    chooses(one.bets("field", 5).takes("field"), 5)
    two.bets("field", 5)
    table.counts("1-1")
    chooses(one, 25)
    table.reverses_to("1-2")
    assert (seen(one).denomination_cents, seen(two).denomination_cents) == (25, 1)


def test_ruling_47_every_chip_is_whole_cents_at_each_denomination() -> None:
    # A chip of $1 at denominations 3 and 4: 100 x 4 / 3 cents are no whole cents.
    with pytest.raises(BadFile, match="chip of 100 cents"):
        change(load("craps"), "denominations", "[3, 4]")
    with pytest.raises(BadFile, match="each denomination once"):
        change(load("craps"), "denominations", "[5, 5]")


@pytest.mark.parametrize("version", [1, 2])
def test_ruling_47_the_one_denomination_of_an_old_journal_reads_as_a_list_of_one(version: int) -> None:
    game = msgspec.to_builtins(load("craps"), enc_hook=str)
    del game["denominations"]
    old = {**game, "denomination_cents": 25, "hand_pay_from_cents": game.pop("hand_pay_over_cents")}
    event = {"event": "table_opened", "game": old, "fingerprint": "x"}
    (table_opened,) = events_of(old_record(version, msgspec.json.encode([event])))
    assert isinstance(table_opened, m.TableOpened)
    assert table_opened.game.denominations == (25,)


def test_ruling_47_a_script_chooses_a_denomination() -> None:
    played = play("set denominations [5, 25]\nseat 1 inserts 100.00\nseat 1 plays 0.25 credits\n")
    assert played.table.denomination(1) == 25


# --- 41: the credit meter ---


@pytest.mark.parametrize("name", GAMES)
def test_ruling_58_credit_meter_and_touch_adds_of_each_game(name: str) -> None:
    total = name in ("craps", "crapless", "easy")
    assert load(name).credit_meter == ("total" if total else "free")
    assert load(name).touch_adds == ("initial" if name == "roll-to-win" else "selected")
    assert load(name).denominations == (1,)


def test_ruling_41_the_total_meter_shows_credit_and_felt_and_playable_what_may_be_bet() -> None:
    shown = seen(seated("craps").bets("pass", 10).bets("field", 5))
    assert (shown.credit_cents, shown.credit_meter_cents, shown.playable_cents) == (85_00, 100_00, 85_00)


def test_ruling_41_the_free_meter_falls_with_each_bet() -> None:
    shown = seen(seated("shoot-to-win").bets("pass", 10).bets("field", 5))
    assert (shown.credit_cents, shown.credit_meter_cents) == (85_00, 85_00)


def test_ruling_41_the_total_meter_needs_cash_out_with_an_empty_felt() -> None:
    with pytest.raises(BadFile, match="felt_empty"):
        change(load("roll-to-win"), "credit_meter", "total")
    with pytest.raises(BadFile, match="felt_empty"):
        change(load("craps"), "cash_out", "credit")
    change(change(load("craps"), "credit_meter", "free"), "cash_out", "credit")


# --- 50: what a touch adds ---


def adds(one: SeatTalk, spot: str) -> int:
    """What a touch adds there, in cents; 0: the selected chip."""
    return seen(one).offers.at(spot).adds_cents


def test_ruling_50_a_touch_on_a_stack_begun_by_hand_adds_what_it_was_begun_with() -> None:
    one = seated("roll-to-win")
    assert adds(one, "place.6") == 0
    one.bets("place.6", 12)
    assert adds(one, "place.6") == 12_00
    one.bets("place.6", 6)
    assert adds(one, "place.6") == 12_00
    assert adds(one, "place.8") == 0


def test_ruling_50_the_selected_chip_is_added_where_the_game_says_so() -> None:
    assert adds(seated("craps").bets("place.6", 12), "place.6") == 0


def test_ruling_50_a_stack_begun_by_a_button_adds_the_selected_chip() -> None:
    one = seated("roll-to-win", dollars=500).bets("pass", 5)
    one.table.rolls("2-2")
    one.presses("across", 6)
    assert one.lies["place.6"] == 6_00
    assert adds(one, "place.6") == 0


def test_ruling_50_it_lasts_as_long_as_the_stack_lies_and_no_longer() -> None:
    one = seated("roll-to-win").bets("place.6", 12).bets("pass", 5)
    one.table.rolls("2-2", "2-3")
    assert adds(one, "place.6") == 12_00
    one.takes("place.6").bets("place.6", 6)
    assert adds(one, "place.6") == 6_00
    one.table.rolls("3-4")  # the stack is lost
    one.bets("field", 5)
    assert adds(one, "place.6") == 0


def test_ruling_50_a_come_bet_that_travels_is_no_stack_begun_by_hand() -> None:
    one = seated("roll-to-win").bets("pass", 5)
    one.table.rolls("2-2")
    one.bets("come", 10)
    assert adds(one, "come") == 10_00
    one.table.rolls("3-3")
    assert (one.lies["come.6"], adds(one, "come.6"), adds(one, "come")) == (10_00, 0, 0)


def test_ruling_50_what_is_put_back_by_itself_adds_the_selected_chip() -> None:
    one = seated("roll-to-win").repeats_by_itself().bets("field", 5)
    one.table.rolls("2-3")
    assert one.lies == {"field": 5_00}
    assert adds(one, "field") == 0


def test_ruling_50_undo_restores_it() -> None:
    one = seated("roll-to-win").bets("place.6", 12).takes("place.6")
    assert adds(one, "place.6") == 0
    one.undoes()
    assert adds(one, "place.6") == 12_00
    one.undoes()
    assert adds(one, "place.6") == 0


def test_ruling_50_it_goes_with_the_stay() -> None:
    one = seated("roll-to-win", dollars=5).bets("field", 5)
    one.table.rolls("2-3")
    assert state(one).begun == {}
    assert adds(one.inserts(5), "field") == 0


# --- 42: what each stack would win ---


@pytest.mark.parametrize(
    ("game", "spot", "dollars", "wins"),
    [
        ("craps", "pass", 10, 10_00),
        ("craps", "place.6", 12, 14_00),  # 7 to 6
        ("craps", "hard.8", 5, 45_00),  # 9 to 1
        ("craps", "field", 5, 10_00),  # 2 to 1 on 2 and 12, the largest
        ("craps", "horn", 4, 27_00),  # a dollar at 30 to 1, less the three that lose
        ("craps", "buy.4", 20, 40_00),  # 2 to 1, its fee is paid
        ("roll-to-win", "buy.4", 20, 39_00),  # 2 to 1, less 5% of the stake
        ("craps", "lucky_roller.low", 5, 150_00),  # 30 to 1, five rolls away at best
        ("craps", "lucky_roller.all", 1, 155_00),
        ("roll-to-win", "hot_shooter", 5, 0),  # 8 to 15 rolls pay 1 for 1: the stake
    ],
)
def test_ruling_42_each_stack_says_what_it_would_win(game: str, spot: str, dollars: int, wins: int) -> None:
    one = seated(game, dollars=100).bets(spot, dollars)
    assert seen(one).wagers[spot].win_cents == wins


def test_ruling_42_a_wager_at_its_point_wins_by_its_point_and_odds_by_their_own_pay() -> None:
    one = seated("craps").bets("pass", 10)
    one.table.rolls("4-2")
    one.bets("pass.odds", 10)
    shown = seen(one).wagers
    assert (shown["pass"].win_cents, shown["pass.odds"].win_cents) == (10_00, 12_00)


def test_ruling_42_a_stack_that_is_off_says_what_it_would_win_if_it_were_on_and_a_mark_nothing() -> None:
    held = seated("craps").bets("place.6", 12).off("place.6")
    assert seen(held).wagers["place.6"].win_cents == 14_00
    released = seated("roll-to-win").bets("place.6", 12).off("place.6")
    assert seen(released).wagers["place.6"].win_cents == 0


def test_ruling_42_power_odds_that_show_are_what_it_would_win() -> None:
    # STW chart: group G, hard 6 and 8, 13 or 18 to 1.
    one = seated("roll-to-win").bets("hard.8", 5)
    one.table.power(G="high").closes()
    assert seen(one).wagers["hard.8"].win_cents == 90_00


def test_ruling_42_a_meters_award_is_not_written_on_a_stack() -> None:
    one = seated("craps", "make_em_all.on=true").bets("make_em_all", 1)
    assert seen(one).wagers["make_em_all"].win_cents == 1_00  # five totals pay 2 for 1, the nearest win
    one = seated("craps", "make_em_all.on=true").bets("make_em_all", 1)
    one.table.rolls("1-1", "1-2", "2-2", "2-3", "3-3", "4-4", "4-5", "5-5", "5-6")
    # Nine totals: a 7 pays 300 for 1. The tenth would pay the meter, which is $25,000 at least.
    assert seen(one).wagers["make_em_all"].win_cents == 299_00
