"""The bills that a game takes, from its setting to the acceptor's wire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from stickman.devices.id003 import ASK, AcceptorSetting, Packet
from stickman.floor.lock import read_lock
from stickman.rules.datafile import BadFile
from stickman.rules.settings import GAMES, change, load
from stickman.server.pit import Accepted
from stickman.table import messages as m
from tests.faults.seat_world import SEAT, SeatWorld, seat_game

ALL = (100, 200, 500, 1_000, 2_000, 5_000, 10_000)
NO_HUNDREDS = str(list(ALL[:-1]))
ASKS_DENOMINATIONS = Packet(AcceptorSetting.DENOMINATIONS - ASK).encode()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[SeatWorld]:
    world = SeatWorld(tmp_path, game=change(seat_game(), "bills_cents", NO_HUNDREDS))
    world.ask(m.SignIn(), "dealer")
    world.come_to_rest()
    yield world
    world.close()


def test_a_game_takes_all_bills_unless_it_says_otherwise() -> None:
    assert {load(name).bills_cents for name in GAMES} == {frozenset(ALL)}


def test_the_disable_bit_of_a_bill_that_the_game_does_not_take_is_set_on_the_wire(world: SeatWorld) -> None:
    """ID-003, denominations: a set bit disables. Bit 0 is the first bill of the assignment, so the $100 of this
    acceptor is bit 6; bit 7 is no bill."""
    answer = world.metal.acceptor.heard(ASKS_DENOMINATIONS, world.now_ms)
    assert answer[3:5] == bytes((0b1100_0000, 0))


def test_a_bill_that_the_game_does_not_take_comes_back(world: SeatWorld) -> None:
    assert world.insert_bill(10_000)
    world.come_to_rest()
    assert world.insert_bill(5_000)
    world.come_to_rest()
    assert [paper.cents for paper in world.metal.acceptor.player] == [10_000]
    assert world.check().bills == {5_000: 1}


def test_a_change_of_the_game_changes_the_wire(world: SeatWorld) -> None:
    answer = world.ask(m.ChangeSetting(key="bills_cents", text="[2000, 10000]"), "one", "two")
    assert isinstance(answer, Accepted), answer
    world.come_to_rest()
    taken = [cents for cents in ALL if world.metal.acceptor.accepts(world.metal.acceptor.bill(cents))]
    assert taken == [2_000, 10_000]


def test_a_bill_that_the_table_took_is_not_odd_if_the_game_changes_before_it_is_stacked(world: SeatWorld) -> None:
    assert world.insert_bill(5_000)
    world.run_until(lambda: world.metal.acceptor.past_lever)
    answer = world.ask(m.ChangeSetting(key="bills_cents", text="[100]"), "one", "two")
    assert isinstance(answer, Accepted), answer
    world.come_to_rest()
    assert world.check().bills == {5_000: 1}
    assert world.check().events["DeviceDistrusted"] == 0
    assert not world.table.seat(SEAT).terminal.lockups


@pytest.mark.parametrize("text", ["[]", "[300]", "[100, 10000000]", "100", "all"])
def test_a_game_takes_at_least_one_bill_and_only_those_that_exist(text: str) -> None:
    with pytest.raises(BadFile, match="bills_cents"):
        change(load("craps"), "bills_cents", text)


def test_a_lock_can_forbid_a_bill() -> None:
    lock = read_lock(b'name = "small"\n[settings]\nbills_cents = [100, 500, 2000]\n', "small.toml")
    assert lock.forbids(change(load("craps"), "bills_cents", "[500]")) == []
    [reason] = lock.forbids(load("craps"))
    assert reason.startswith("bills_cents has 200, 1000, 5000, 10000; small allows")
