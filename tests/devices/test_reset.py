"""An acceptor that shows a jam until it is reset: the key of the seat resets it, and never with an open door."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from stickman.devices.emulated_acceptor import EmulatedAcceptor
from stickman.devices.id003 import Command, Packet, Status
from stickman.server.pit import Accepted
from stickman.table import messages as m
from stickman.table.messages import Refused
from tests.faults.seat_world import SEAT, SeatWorld

RESET = Packet(Command.RESET).encode()
LONG_MS = 30_000


class CountingAcceptor(EmulatedAcceptor):
    """Counts the resets that arrive."""

    resets = 0
    _bytes = b""

    def heard(self, data: bytes, now_ms: int) -> bytes:
        self._bytes += data
        self.resets += self._bytes.count(RESET)
        self._bytes = b"" if RESET in self._bytes else self._bytes[-len(RESET) :]
        return super().heard(data, now_ms)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[SeatWorld]:
    world = SeatWorld(tmp_path, acceptor=CountingAcceptor(needs_reset=True))
    world.ask(m.SignIn(), "dealer")
    world.come_to_rest()
    yield world
    world.close()


def resets(world: SeatWorld) -> int:
    acceptor = world.metal.acceptor
    assert isinstance(acceptor, CountingAcceptor)
    return acceptor.resets


def move_door(world: SeatWorld, *, opens: bool) -> None:
    world.metal.doors.move("acceptor_and_printer", opens, world.now.wall_ms)
    world.run_until(lambda: bool(world.table.seat(SEAT).terminal.doors) is opens)


def turn_key(world: SeatWorld, *, on: bool) -> None:
    world.turn_key(on=on)
    world.run_until(lambda: world.table.seat(SEAT).terminal.key is on)


def wait(world: SeatWorld, ms: int) -> None:
    until_ms = world.now_ms + ms
    world.run_until(lambda: world.now_ms >= until_ms, ms + 1_000)


def jammed(world: SeatWorld) -> int:
    """A bill jams in the slot, and is taken out by hand; how many resets there were before."""
    assert world.insert_bill(2_000)
    world.run_until(lambda: world.metal.acceptor.status == Status.ACCEPTING)
    before = resets(world)
    world.metal.acceptor.jam(world.now_ms)
    world.run_until(lambda: bool(world.table.seat(SEAT).terminal.faults))
    move_door(world, opens=True)
    world.metal.acceptor.clear_jam(world.now_ms)
    return before


def test_without_a_key_nothing_moves_in_a_jammed_acceptor(world: SeatWorld) -> None:
    before = jammed(world)
    move_door(world, opens=False)
    wait(world, LONG_MS)
    assert resets(world) == before
    assert world.metal.acceptor.status == Status.JAM_IN_ACCEPTOR
    refused = world.ask(m.ClearLockup(seat=SEAT), "supervisor")
    assert isinstance(refused, Refused)


def test_with_the_key_and_an_open_door_nothing_moves(world: SeatWorld) -> None:
    before = jammed(world)
    turn_key(world, on=True)
    wait(world, LONG_MS)
    assert resets(world) == before


def test_the_key_resets_a_jammed_acceptor_once_its_door_is_shut_and_it_works_again(world: SeatWorld) -> None:
    before = jammed(world)
    turn_key(world, on=True)
    move_door(world, opens=False)
    world.run_until(lambda: not world.table.seat(SEAT).terminal.faults)
    assert resets(world) == before + 1
    cleared = world.ask(m.ClearLockup(seat=SEAT), "supervisor")
    assert isinstance(cleared, Accepted), cleared
    turn_key(world, on=False)
    world.come_to_rest()
    assert world.insert_bill(500)
    world.come_to_rest()
    assert world.check().bills == {500: 1}


def test_a_jam_that_lasts_is_reset_once_for_each_turn_of_the_key(world: SeatWorld) -> None:
    before = jammed(world)
    world.metal.acceptor.jam(world.now_ms)  # there is more paper in it
    move_door(world, opens=False)
    for turns in (1, 2):
        turn_key(world, on=True)
        wait(world, LONG_MS)
        assert resets(world) == before + turns
        turn_key(world, on=False)


def test_a_bill_that_jams_past_the_lever_is_in_one_place_after_the_reset(world: SeatWorld) -> None:
    assert world.insert_bill(2_000)
    world.run_until(lambda: world.metal.acceptor.past_lever)
    world.metal.acceptor.jam(world.now_ms)
    world.run_until(lambda: bool(world.table.seat(SEAT).terminal.faults))
    world.metal.acceptor.clear_jam(world.now_ms)
    turn_key(world, on=True)
    world.run_until(lambda: not world.table.seat(SEAT).terminal.faults)
    turn_key(world, on=False)
    world.help()
    world.come_to_rest()
    world.check()
