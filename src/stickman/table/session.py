"""A table to play at from Python. Three lines open one, and every call returns what happened.

>>> from stickman import Session
>>> table = Session("craps")
>>> table.insert("100.00")
>>> table.bet("pass", "10.00")
>>> table.roll("4-2")
[]
>>> table.puck, table.wagers()
(6, {'pass': 1000})
>>> table.bet("pass.odds", "20.00")
>>> [(line.spot, line.payment.paid_cents) for line in table.roll("5-1")]
[('pass', 1000), ('pass.odds', 2400)]
>>> table.credit()
13400

A refused request raises `NotAllowed` and changes nothing:

>>> table.bet("come", "5.50")
Traceback (most recent call last):
stickman.table.session.NotAllowed: Not a multiple of the step: come.

`offers` lists what may be done now, by spot and button, with prices or with the reason why not:

>>> offers = table.offers()
>>> offers.at("come").place
Amounts(low=100, high=13400, step=100, whole=0)
>>> str(offers.at("pass.odds").place), offers.toggles["keep_bets"]
('Only behind a bet that has its point: pass.odds.', True)

A view is what a screen shows (`seat 1`, `dealer`, `table`, `info`, `office`). The history contains the rolls that
the table remembers, oldest first:

>>> shown = table.view("seat 1")
>>> shown.credit_cents, shown.shared.message
(13400, 'place_your_bets')
>>> [(roll.dice, roll.puck_before, roll.puck_after) for roll in table.history]
[((4, 2), 0, 6), ((5, 1), 6, 0)]

The table is a value, and the events are all that happened:

>>> table.table.hand.rolls, type(table.events[0]).__name__
(2, 'CashInserted')
"""

from __future__ import annotations

from typing import Any

from stickman.devices.signals import BillStacked
from stickman.rules.dice import Roll
from stickman.rules.felt import Line
from stickman.rules.game import Game
from stickman.rules.money import cents
from stickman.rules.settings import load
from stickman.table import messages as m
from stickman.table.decide import decide_given
from stickman.table.evolve import evolve_all
from stickman.table.messages import Event, Facts, Refused, Reported, Request
from stickman.table.offers import SeatOffers, offers
from stickman.table.ports import refuses_bill
from stickman.table.state import Result, Table, new_table
from stickman.table.view import View, view


class NotAllowed(Exception):
    """A refused request, with its `Refused`."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(str(refused))
        self.refused = refused


class Session:
    """A table, and all that has happened at it. Amounts are cents, or text such as `"10.00"`."""

    def __init__(self, game: str | Game = "craps") -> None:
        self.table: Table = new_table(load(game) if isinstance(game, str) else game)
        self.events: list[Event] = []

    def ask(self, request: Request | Reported, **facts: Any) -> tuple[Event, ...]:
        """Make any request, or report as a device; the facts are what only the house knows."""
        decision = decide_given(self.table, request, Facts(**facts))
        if isinstance(decision, Refused):
            raise NotAllowed(decision)
        self.table = evolve_all(self.table, decision)
        self.events += decision
        return decision

    def insert(self, amount: int | str, seat: int = 1) -> None:
        """Insert bills. If the seat takes no money now, they go back."""
        cents = _cents(amount)
        if no := refuses_bill(self.table, seat, cents, Facts()):
            raise NotAllowed(no)
        self.ask(Reported(seat=seat, kind="acceptor", signal=BillStacked(note=1, cents=cents)))

    def bet(self, spot: str, amount: int | str, seat: int = 1) -> None:
        """Put more on a spot; a commission charged upfront is accepted."""
        self._accepting(m.PlaceBet(seat=seat, spot=spot, cents=_cents(amount)))

    def take(self, spot: str, amount: int | str | None = None, seat: int = 1) -> None:
        """Take a wager down, or part of it."""
        self.ask(m.TakeBet(seat=seat, spot=spot, cents=None if amount is None else _cents(amount)))

    def switch(self, spot: str, *, on: bool, seat: int = 1) -> None:
        self.ask(m.SwitchBet(seat=seat, spot=spot, on=on))

    def press(self, button: m.Button, amount: int | str = 0, seat: int = 1) -> None:
        self._accepting(m.PressButton(seat=seat, button=button, cents=_cents(amount)))

    def save_favourite(self, slot: int, seat: int = 1) -> None:
        """Remember what is on the felt, for the stay."""
        self.ask(m.SaveFavourite(seat=seat, slot=slot))

    def place_favourite(self, slot: int, seat: int = 1) -> None:
        """Bet what the felt lacks of a favourite; a commission charged upfront is accepted."""
        self._accepting(m.PlaceFavourite(seat=seat, slot=slot))

    def remove_favourite(self, slot: int, seat: int = 1) -> None:
        self.ask(m.RemoveFavourite(seat=seat, slot=slot))

    def undo(self, seat: int = 1) -> None:
        self.ask(m.Undo(seat=seat))

    def roll(self, dice: Roll | str | tuple[int, int], **facts: Any) -> list[Line]:
        """Close bets, count these dice and open bets again; return the lines of all wagers that the roll
        affected."""
        first, second = Roll.parse(dice) if isinstance(dice, str) else dice
        if self.table.phase == "betting":
            self.ask(m.CloseBets(), **facts)
        if self.table.phase != "shooting":
            return []
        *_, settled = self.ask(m.RollDice(), dice=(first, second), **facts)
        assert isinstance(settled, m.Settled)
        self.ask(m.OpenBets(), **facts)
        return [line for seat in settled.seats for line in seat.lines]

    def credit(self, seat: int = 1) -> int:
        return self.table.credit(seat)

    def wagers(self, seat: int = 1) -> dict[str, int]:
        """Stakes by spot."""
        return {spot: wager.stake_cents for spot, wager in self.table.seat(seat).felt.wagers.items()}

    def offers(self, seat: int = 1, **facts: Any) -> SeatOffers:
        """What a seat may do now, by spot and by button."""
        return offers(self.table, seat, Facts(**facts))

    def view(self, screen: str = "seat 1", **facts: Any) -> View:
        """What a screen shows now."""
        return view(self.table, screen, Facts(**facts))

    @property
    def history(self) -> tuple[Result, ...]:
        """The rolls that the table remembers, oldest first, each with the puck before and after."""
        return self.table.history

    @property
    def puck(self) -> int:
        """The point, or 0 while the puck is off."""
        return self.table.hand.puck

    def _accepting(self, request: m.PlaceBet | m.PressButton | m.PlaceFavourite) -> None:
        self.ask(request)
        if self.table.seat(request.seat).bet_time.pop_up:
            self.ask(m.AnswerPopUp(seat=request.seat, accept=True))


def _cents(amount: int | str) -> int:
    return cents(amount) if isinstance(amount, str) else amount
