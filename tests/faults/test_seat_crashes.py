from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from stickman.devices.emulated_acceptor import EmulatedAcceptor
from stickman.server.pit import Accepted
from stickman.table import messages as m
from tests.faults.seat_crashes import VICTIMS, WAYS, crash_worlds, sample
from tests.faults.seat_world import CASHIER, SEAT, SeatWorld

STRIDE = 2
"""`make faults` tries every point, bytes too, with every victim."""
Ends = Counter[tuple[str, str, str]]


@pytest.fixture(scope="module")
def ends() -> Ends:
    """By way and victim, where the money was in the end; each end is checked on its own."""
    found: Ends = Counter()
    with crash_worlds() as worlds:
        for crash in sample({way: worlds.points(way) for way in WAYS}, STRIDE):
            found[crash.way, crash.victim, worlds.end(crash)] += 1
    return found


def test_a_crash_of_either_side_or_both_leaves_every_note_and_slip_in_one_place(ends: Ends) -> None:
    assert {(way, victim) for way, victim, _ in ends} == {(way, victim) for way in WAYS for victim in VICTIMS}


def test_a_server_that_comes_back_loses_no_print(ends: Ends) -> None:
    assert {where for way, victim, where in ends if victim == "server" and "out" in way} == {"printed"}


def test_ruling_57_a_print_that_was_cut_short_ends_in_every_way_that_it_can(ends: Ends) -> None:
    found = {where for way, _, where in ends if "out" in way}
    assert {"printed", "failed"} <= found
    assert any(where.startswith("cancelled") for where in found)


def test_a_bill_whose_vend_valid_is_lost_calls_staff_who_give_its_credit_once(tmp_path: Path) -> None:
    """The terminal loses its power, and its acceptor does not repeat an open vend valid after that."""
    world = SeatWorld(tmp_path, acceptor=EmulatedAcceptor(power_recovery=False))
    world.come_to_rest()
    assert world.insert_bill(2_000)
    world.run_until(lambda: world.metal.acceptor.past_lever)
    world.metal.acceptor.cut_power(world.now_ms)
    world.strike("devices")
    world.after(1_000, lambda: world.metal.acceptor.power_on(world.now_ms))
    world.come_to_rest()
    assert [paper.cents for paper in world.metal.stacked] == [2_000]
    found = world.count()
    assert (found.bills.total(), found.events["PaperUnaccounted"], world.table.credit(SEAT)) == (0, 1, 0)
    assert world.table.seat(SEAT).terminal.lockups == {"acceptor"}
    assert world.help()
    given = world.ask(m.GiveCredit(seat=SEAT, cents=2_000), CASHIER, "supervisor")
    assert isinstance(given, Accepted), given
    world.come_to_rest()
    accounts = {name: cents for name, cents in world.table.accounts.items() if cents}
    assert accounts == {"seat:1:credit": 2_000, f"drawer:{CASHIER}": -2_000}
    assert world.count().bills.total() == 0, "it is never credited a second time"
    world.check_journal()
    world.close()
