"""Tables as they may stand after random play: a few seats betting, rolling, being paid and getting in each other's
way. The same seed walks the same way."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Literal

from hypothesis import strategies as st

from stickman.rules import felt as felts
from stickman.rules.felt import Amounts
from stickman.table import messages as m
from stickman.table.asking import layout_of, situation_of
from stickman.table.decide import decide_given as decide
from stickman.table.evolve import evolve_all
from stickman.table.messages import Facts, Refused, Reported, Request
from stickman.table.state import Table, new_table
from tests.talk.devices import (
    any_signal,
    bill_stacked,
    door_moved,
    key_turned,
    part_fails,
    printer_ends,
    table_door_moved,
)
from tests.talk.games import game

TABLES = [
    ("craps", "seats=3", "puck_can_be_reset=true", "roll_button=true"),
    ("craps", "seats=1", "off_money=released", "buy.when=on_win", "bet_limits.place.step_cents=300"),
    ("craps", "seats=1", "off_money=released", "come_out=off", "total_max_cents=9000", "stay_up=true"),
    (
        "craps",
        "seats=2",
        "mode=dealer_assisted",
        "total_max_cents=15000",
        "make_em_all.on=true",
        "fired_up.on=true",
    ),
    ("crapless", "seats=3", "bonus_craps.on=true", "bet_limits.place.min_cents=700"),
    ("easy", "seats=2", "limits.step_cents=50"),
    ("roll-to-win", "seats=3", "total_max_cents=60000"),
    ("shoot-to-win", "seats=2", "bonus_craps.on=true", "make_em_all.on=true"),
]
"""Games and what is changed in them: every policy that an offer or a view could depend on."""


def walks(steps: int = 60) -> st.SearchStrategy[list[tuple[Table, Facts]]]:
    """Every table of a random walk, with what the house knows then."""
    seeds = st.integers(0, 2**32 - 1)
    return st.builds(lambda which, seed: list(walk(which, seed, steps)), st.sampled_from(TABLES), seeds)


def tables(steps: int = 60) -> st.SearchStrategy[tuple[Table, Facts]]:
    """The table at the end of a random walk."""
    return walks(steps).map(lambda walked: walked[-1])


def walk(which: tuple[str, ...], seed: int, steps: int) -> Iterator[tuple[Table, Facts]]:
    rng = random.Random(seed)  # noqa: S311 - the same walk for the same seed, not a secret
    table = new_table(game(*which))
    for seat in table.seats:
        cash = bill_stacked(seat.number, rng.choice([5_000, 20_050, 100_000, 2_000_000]))
        table, _ = happens(table, cash, Facts())
    for step in range(steps):
        facts = known(rng, table, step)
        ends = printer_ends(rng, table) if rng.random() < 0.5 else None
        table, _ = happens(table, ends or asked(rng, table), facts, accepts=rng.random() < 0.8)
        yield table, facts


def happens(
    table: Table, request: Request | Reported, facts: Facts, *, accepts: bool = True
) -> tuple[Table, Refused | None]:
    """The table after a request, or as it was, and why; a fee that is asked for is accepted, or left open."""
    decision = decide(table, request, facts)
    if isinstance(decision, Refused):
        return table, decision
    table = evolve_all(table, decision)
    opened = [event for event in decision if isinstance(event, m.PopUpOpened) and accepts]
    return happens(table, m.AnswerPopUp(seat=opened[0].seat, accept=True), facts) if opened else (table, None)


def known(rng: random.Random, table: Table, step: int) -> Facts:
    power: dict[str, Literal["low", "high"]] = {
        group: rng.choice(["low", "high"]) for group in "ABCDEFG" if rng.random() < 0.3
    }
    return Facts(
        now_ms=1_000 + step * 700,
        actor="badge-12",
        approver="badge-7",
        dice=(rng.randint(1, 6), rng.randint(1, 6)),
        flies=step % 3 == 0,
        power=power if table.game.power_odds.on else {},
        ticket_number="123456789012345678",
        meters={"make_em_all/100/MEA-01": m.Reading(2_500_000), "fired_up/100/FUP-01": m.Reading(6_000_000)},
    )


def asked(rng: random.Random, table: Table) -> Request | Reported:
    """Something that may be asked of the table: mostly bets, sometimes the next phase, now and then trouble."""
    kind = rng.random()
    if kind < 0.04:
        return _trouble(rng, table)
    if table.paused:
        return m.ResumeTable()
    if kind < (0.15 if table.phase == "betting" else 0.8):
        return _next_phase(rng, table)
    return _bet(rng, table) if kind < 0.75 else _gesture(rng, table)


def _next_phase(rng: random.Random, table: Table) -> Request | Reported:
    if table.phase == "shooting" and table.mode == "dealer_assisted":
        return m.ConfirmDice() if table.entered else m.EnterDice(dice=(rng.randint(1, 6), rng.randint(1, 6)))
    goes_on = {"betting": m.CloseBets(), "shooting": m.RollDice(), "rolled": m.OpenBets()}
    return goes_on.get(table.phase, m.Tick())


FAVOURITES = ("pass", "dont_pass", "come", "dont_come", "place.6", "place.4", "buy.8", "field", "odds")


def _bet(rng: random.Random, table: Table) -> Request | Reported:
    """A bet that its felt allows, as a player would make it: much on a few favourites."""
    seat, spots = rng.randint(1, len(table.seats)), list(layout_of(table).bet_on)
    for _ in range(12):
        favourite = rng.choice(FAVOURITES)
        spot = rng.choice([s for s in spots if s.endswith(favourite) and rng.random() < 0.8] or spots)
        place = felts.offer(situation_of(table, seat), spot).place
        if isinstance(place, Amounts):
            top = min(place.high, place.low + rng.choice([1, 5, 20, 100]) * place.step)
            return m.PlaceBet(seat=seat, spot=spot, cents=rng.randrange(place.low, top + 1, place.step))
    return m.Tick()


def _gesture(rng: random.Random, table: Table) -> Request | Reported:
    seat = rng.randint(1, len(table.seats))
    lies = list(table.seat(seat).felt.wagers) or ["place.6"]
    spot, on = rng.choice(lies), rng.random() < 0.4
    return rng.choice(
        [
            m.TakeBet(seat=seat, spot=spot),
            m.SwitchBet(seat=seat, spot=spot, on=on),
            m.SwitchBet(seat=seat, spot=spot, on=False),
            m.SwitchAll(seat=seat, on=on),
            m.PressButton(seat=seat, button=rng.choice(["across", "double", "repeat", "clear_last"]), cents=2_100),
            m.Undo(seat=seat),
            m.AnswerPopUp(seat=seat, accept=on),
            m.SetSwitch(seat=seat, switch="keep_bets", on=on),
            m.SetSwitch(seat=seat, switch="auto_repeat", on=on),
        ]
    )


def _trouble(rng: random.Random, table: Table) -> Request | Reported:
    seat, on = rng.randint(1, len(table.seats)), rng.random() < 0.3
    return rng.choice(
        [
            m.SignIn(),
            m.SelectMode(mode=rng.choice(["automated", "dealer_assisted"])),
            m.PauseTable() if on else m.ResumeTable(),
            m.ResumeTable(),
            door_moved(seat) if on else door_moved(seat, shut=True),
            table_door_moved("power") if on and rng.random() < 0.2 else table_door_moved("power", shut=True),
            m.ClearTable(),
            part_fails(seat, rng.choice(["printer", "acceptor"])),
            *(part_fails(seat, part, over=True) for part in table.seat(seat).terminal.faults),
            any_signal(rng, table),
            key_turned(seat, on=not on),
            m.ClearLockup(seat=seat),
            m.LoseLink(seat=seat) if on else m.RestoreLink(seat=seat),
            m.ReserveSeat(seat=seat) if on else m.ReturnToSeat(seat=seat),
            m.CashOut(seat=seat),
            m.PayByHand(seat=seat),
            m.ReverseRoll(dice=(3, 4)),
            m.PutPuckOff(seat=0),
            bill_stacked(seat, 12_345),
            m.HandOver(seat=seat) if table.round % 8 == 7 else m.CallService(seat=seat),
        ]
    )
