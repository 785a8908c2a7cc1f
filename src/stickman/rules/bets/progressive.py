"""Make 'Em All and Fired Up Progressive (BC3, "Bonus Craps Progressive rules of play", appendices B and C). The
best result is paid from a meter; lesser ones are paid when the run ends."""

from __future__ import annotations

import itertools
from functools import lru_cache

from stickman.rules.bets.sets import named
from stickman.rules.dice import TEN_POINTS
from stickman.rules.machine import LOSES, Bet, Drawn, Machine, Outcome, State, moves, row, wins


def make_em_all(count_min: int) -> Bet:
    """Different totals rolled, ended by a 7 or a repeat; pays by their count from `count_min`."""
    machine = all_different(count_min)
    title = "Make 'Em All Progressive"
    return Bet(
        "make_em_all",
        title,
        machine,
        "BC3 Make 'Em All Progressive",
        "make_em_all",
        side=True,
        collects=TEN_POINTS,
        climbs=True,
        drawn=Drawn("side", "bet", order=50),
    )


@lru_cache
def all_different(count_min: int) -> Machine:
    """The state is the set of totals rolled; the tenth is paid at once."""
    states = {}
    for size in range(len(TEN_POINTS)):
        ends = wins(f"make_em_all.{size}") if size >= count_min else LOSES
        for rolled in itertools.combinations(TEN_POINTS, size):
            new = [t for t in TEN_POINTS if t not in rolled]
            hits = [(wins("make_em_all.10") if size == 9 else moves(named((*rolled, t)))).on(t) for t in new]
            states[named(rolled)] = State(row(*hits, otherwise=ends), hits=rolled)
    return Machine((named(()),), states)


def fired_up(sequences: tuple[tuple[int, ...], ...]) -> Bet:
    """Totals in exactly this order; the first miss ends it and the length matched is paid. The first roll
    chooses between two sequences. The state is what has been matched."""

    def hit(matched: tuple[int, ...], sequence: tuple[int, ...]) -> Outcome:
        return wins(f"fired_up.{len(matched)}") if matched == sequence else moves(matching(matched))

    states = {"none": State(row(*(hit(s[:1], s).on(s[0]) for s in sequences), otherwise=LOSES))}
    for sequence in sequences:
        for length in range(1, len(sequence)):
            next_hit = hit(sequence[: length + 1], sequence).on(sequence[length])
            states[matching(sequence[:length])] = State(
                row(next_hit, otherwise=wins(f"fired_up.{length}")), hits=sequence[:length]
            )
    machine = Machine(("none",), states)
    return Bet(
        "fired_up",
        "Fired Up Progressive",
        machine,
        "BC3 Fired Up Progressive",
        "fired_up",
        side=True,
        sequences=sequences,
        climbs=True,
        drawn=Drawn("side", "bet", order=60),
    )


def matching(rolled: tuple[int, ...]) -> str:
    return "-".join(map(str, rolled))
