"""Fired Up Progressive: totals in exactly the printed order (BC3, appendix C). The whole order wins the meter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from stickman.rules.machine import LOSES, Bet, Drawn, Machine, Outcome, State, moves, row, wins
from stickman.rules.paytable import PayTable
from stickman.rules.schema import Progressive
from stickman.rules.side_games.kind import SideGame, opens, side_bet

TITLE = "Fired Up Progressive"


def bets(settings: Progressive, table: PayTable) -> Iterator[Bet]:
    yield side_bet(
        settings,
        "fired_up",
        TITLE,
        in_order(table.sequences),
        "BC3 Fired Up Progressive",
        drawn=Drawn(word="bet"),
        order=60,
        opens=opens(settings.when),
        sequences=table.sequences,
        climbs=True,
    )


@lru_cache
def in_order(sequences: tuple[tuple[int, ...], ...]) -> Machine:
    """The first miss ends it, and the matched length is paid. The first roll chooses between two sequences. The
    state is the matched part."""

    def hit(matched: tuple[int, ...], sequence: tuple[int, ...]) -> Outcome:
        return wins(f"fired_up.{len(matched)}") if matched == sequence else moves(matching(matched))

    states = {"none": State(row(*(hit(s[:1], s).on(s[0]) for s in sequences), otherwise=LOSES))}
    for sequence in sequences:
        for length in range(1, len(sequence)):
            next_hit = hit(sequence[: length + 1], sequence).on(sequence[length])
            working = row(next_hit, otherwise=wins(f"fired_up.{length}"))
            states[matching(sequence[:length])] = State(working, hits=sequence[:length])
    return Machine(("none",), states)


def matching(rolled: tuple[int, ...]) -> str:
    return "-".join(map(str, rolled))


DEFAULT = Progressive(paytable="FUP-01", meter="fired_up")
GAME = SideGame("fired_up", TITLE, DEFAULT, bets)
