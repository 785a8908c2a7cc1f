"""A bot that plays the pass line with odds: `python examples/bot.py LINK`, with the address of a free seat of a
demonstration, such as `http://127.0.0.1:8000/seat/1?table=1`, or with a link that contains a code.

The table decides; the bot reads what it is offered. `wants` is all of its strategy, and the place to write another.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

from stickman.client import RequestRefused, SeatScreen, enrol
from stickman.rules.felt import Amounts
from stickman.table.messages import PlaceBet, PressRoll, Request, Shoot
from stickman.table.offers import Allowed
from stickman.table.view import SeatView

FLAT_CENTS = 1_000


def wants(view: SeatView) -> Request | None:
    """What to do about this view: a line bet, odds behind it, then the dice."""
    seat, offers = view.seat, view.offers
    if not offers.betting and not view.ready:
        line = offers.at("pass").place
        if "pass" not in view.wagers and isinstance(line, Amounts) and line.allows(FLAT_CENTS):
            return PlaceBet(seat=seat, spot="pass", cents=FLAT_CENTS)
        for odds in offers.odds:
            return PlaceBet(seat=seat, spot=odds.spot, cents=odds.choices[0].stake_cents)
    if isinstance(offers.buttons["roll"], Allowed):
        return PressRoll(seat=seat)
    if isinstance(offers.buttons["shoot"], Allowed):
        return Shoot(seat=seat)
    return None


async def play(seat: SeatScreen, rounds: int) -> None:
    """Play this number of rounds, and print how each went."""
    view = seat.view
    last = view.shared.round + rounds
    while view.shared.round < last:
        if request := wants(view):
            with suppress(RequestRefused):  # the table moved on meanwhile
                await seat.ask(request)
        before, view = view, await seat.changed()
        if view.shared.history != before.shared.history:
            past = view.shared.history[-1]
            print(f"{past.total:2} {past.mark:10} won {view.win_cents:6,}, credit {view.credit_cents:8,}")  # noqa: T201 - its purpose


async def main(link: str, rounds: int = 20) -> None:
    async with SeatScreen.join(link, await enrol(link)) as seat:
        await play(seat, rounds)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
