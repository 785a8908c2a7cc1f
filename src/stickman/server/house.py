"""The house of a table, which gives its pit facts: the clock, the dice, and what only the floor knows of tickets,
meters, drawers, the jurisdiction lock and PINs."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from typing import Literal, NamedTuple, TypedDict

import structlog

from stickman.devices.signals import PrintJob
from stickman.floor import meters, tickets
from stickman.floor.boxman import Boxman
from stickman.floor.clock import Clock
from stickman.floor.journal import BadRecord
from stickman.floor.lock import Lock
from stickman.floor.office import HOUSE, Floor
from stickman.rules.datafile import BadFile
from stickman.rules.game import Game
from stickman.rules.schema import MeterTerms
from stickman.rules.settings import change
from stickman.server.entropy import Dice
from stickman.table import messages as m
from stickman.table.messages import Event, Facts, Reading, Reported, Request
from stickman.table.state import Printing, Table

log = structlog.get_logger()


class Asked(NamedTuple):
    """A request or a device's report, and who asks."""

    request: Request | Reported
    actor: str = HOUSE
    command: str = ""
    """The id that the asker gave it."""
    approver: str = ""
    """The second person, where two are needed."""

    @property
    def kind(self) -> str:
        """Its name in metrics and logs."""
        said = self.request.signal if isinstance(self.request, Reported) else self.request
        return str(said.__struct_config__.tag)


class Draws(NamedTuple):
    """The dice and Power Odds drawn for a request: each once, even if the request is decided several times."""

    dice: m.Dice | None = None
    draw: str = ""
    power: dict[str, Literal["low", "high"]] | None = None
    power_draw: str = ""


class MeterFacts(TypedDict):
    """The part of `Facts` about meters."""

    meters: dict[str, Reading]
    terms: dict[str, MeterTerms]


async def _no_meters(game: Game) -> None:
    """No floor, no meters."""
    del game


Printers = dict[int, Literal["ready", "away"]]


def _every_printer(stream: int) -> Printers | None:
    """No floor: every seat has a printer."""
    del stream
    return None


def _every_key(stream: int) -> dict[int, bool] | None:
    """No floor: every seat has a key switch."""
    del stream
    return None


def _ignored(stream: int, events: tuple[Event, ...]) -> None:
    """No floor, nobody to notice."""
    del stream, events


class House(NamedTuple):
    """What a table needs from its house."""

    clock: Clock
    dice: Dice
    ticket_keys: tuple[bytes, ...]
    """The secret key for numbers of tickets and marks of PINs, then earlier ones."""
    lock: Lock | None = None
    emulator: str = ""
    """At a demonstration, the address of the page with the emulated devices."""
    floor: Callable[[], Floor] = Floor
    """The floor now, such as its open drawers, its settings and the terms of its meters."""
    open_meters: Callable[[Game], Awaitable[None]] = _no_meters
    """Opens the meters of a game that are not open yet."""
    printers: Callable[[int], Printers | None] = _every_printer
    """Of a table, the seats with a printer, and whether it is connected."""
    keys: Callable[[int], dict[int, bool] | None] = _every_key
    """Of a table, the seats with a key switch (0: the dealer's), and whether it is connected."""
    noticed: Callable[[int, tuple[Event, ...]], None] = _ignored
    """Called with a table's events as soon as they are durable."""

    def facts(self, boxman: Boxman, asked: Asked, drawn: Draws, stopped_ms: int) -> Facts:
        """What only the house knows, with what has been drawn so far. `stopped_ms`: at a restart, when the table
        last ran."""
        request, game, floor = asked.request, boxman.table.game, self.floor()
        changed = _changed(game, request)
        return Facts(
            now_ms=self.clock.now_ms(),
            stopped_ms=stopped_ms,
            actor=asked.actor,
            approver=asked.approver,
            **drawn._asdict(),
            flies=True,
            printers=self.printers(boxman.lease.stream),
            keys=self.keys(boxman.lease.stream),
            bills_cents=tuple(sorted(game.bills_cents)),
            drawer=asked.actor if floor.takes_cash(asked.actor) else "",
            second_over_cents=floor.settings.second_over_cents,
            pin_mark=self._pin_mark(boxman.lease.stream, request),
            forbidden="; ".join(self.lock.forbids(changed)) if self.lock and changed else "",
            unfit=meters.unfit(floor, game, changed) if changed else "",
        )

    async def of_meters(self, boxman: Boxman) -> MeterFacts:
        """The readings and the terms of the meters of a table's game."""
        game = boxman.table.game
        terms = meters.terms(self.floor(), game)
        return {"meters": await meters.shown(boxman.store, game, terms), "terms": terms}

    async def ticket(self, boxman: Boxman, number: str, now_ms: int) -> m.TicketIn:
        """A ticket by its number; worth nothing if a table may not redeem it."""
        try:
            found = await tickets.look_up(boxman.store, self.ticket_keys, number, now_ms=now_ms)
        except tickets.BadNumber:
            return m.TicketIn(number, 0)
        except BadRecord as problem:
            log.critical("a ticket cannot be checked", stream=boxman.lease.stream, problem=str(problem))
            return m.TicketIn(number, 0)
        return m.TicketIn(found.number, found.cents_at_table or 0, found.holds)

    def job(self, boxman: Boxman, seat: int, wanted: Printing) -> PrintJob:
        """The slip that a seat's printer must print, and its job."""
        table, settings, stream = boxman.table, self.floor().settings, boxman.lease.stream
        count = tickets.spent_at(table, table.seat(seat))
        return PrintJob(job=wanted.job, slip=tickets.paper(wanted, settings, stream=stream, seat=seat, count=count))

    def draw(self, table: Table, needs: m.Needs, drawn: Draws) -> Draws:
        """The draws so far and the one that is needed now: dice or Power Odds. Each is drawn only once."""
        if needs.what == "dice":
            assert drawn.dice is None, "dice are drawn once"
            rolled = self.dice.roll()
            first, second = rolled.result
            return drawn._replace(dice=(first, second), draw=str(rolled))
        assert drawn.power is None, "Power Odds are drawn once"
        chart = table.game.power_table()
        assert chart, "only a game with Power Odds asks for them"
        shown = self.dice.power(chart.groups, table.game.power_odds.one_in)
        return drawn._replace(power=shown.result, power_draw=str(shown))

    def _pin_mark(self, stream: int, request: Request | Reported) -> str:
        """What the journal keeps of a PIN: without the first of `ticket_keys` the PIN cannot be found from it."""
        if not isinstance(request, m.ReserveSeat | m.ReturnToSeat) or not request.pin:
            return ""
        text = f"pin {stream} {request.seat} {request.pin}"
        return hmac.digest(self.ticket_keys[0], text.encode(), "sha256").hex()


def _changed(game: Game, request: Request | Reported) -> Game | None:
    """The game after a change of settings, which the house checks against the lock and the floor's meters (ruling
    38); none if the request is not such a change, or one that cannot be made."""
    if not isinstance(request, m.ChangeSetting):
        return None
    try:
        return change(game, request.key, request.text)
    except BadFile:
        return None
