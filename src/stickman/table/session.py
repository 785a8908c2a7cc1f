"""A table to play at from Python: three lines open one, and every call says what happened.

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

What may not be done raises `NotAllowed` and changes nothing:

>>> table.bet("come", "5.50")
Traceback (most recent call last):
stickman.table.session.NotAllowed: Not a multiple of the step: come.

The table is a value and the events are what happened, for those who want more:

>>> table.table.hand.rolls, type(table.events[0]).__name__
(2, 'CashInserted')
"""

from __future__ import annotations

from typing import Any

from stickman.rules.dice import Roll
from stickman.rules.felt import Line
from stickman.rules.game import Game
from stickman.rules.money import cents
from stickman.rules.settings import load
from stickman.table import messages as m
from stickman.table.decide import decide_given
from stickman.table.evolve import evolve_all
from stickman.table.messages import Event, Facts, Refused, Request
from stickman.table.state import Table, new_table


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

    def ask(self, request: Request, **facts: Any) -> tuple[Event, ...]:
        """Ask for anything in the table's vocabulary; the facts are what only the house knows."""
        decision = decide_given(self.table, request, Facts(**facts))
        if isinstance(decision, Refused):
            raise NotAllowed(decision)
        self.table = evolve_all(self.table, decision)
        self.events += decision
        return decision

    def insert(self, amount: int | str, seat: int = 1) -> None:
        self.ask(m.InsertCash(seat=seat, cents=_cents(amount)))

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

    def undo(self, seat: int = 1) -> None:
        self.ask(m.Undo(seat=seat))

    def roll(self, dice: Roll | str | tuple[int, int], **facts: Any) -> list[Line]:
        """Close bets, count these dice and open bets again; the lines of every wager that something happened to."""
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
        """What lies, by spot."""
        return {spot: wager.stake_cents for spot, wager in self.table.seat(seat).felt.wagers.items()}

    @property
    def puck(self) -> int:
        """The point, or 0 while the puck is off."""
        return self.table.hand.puck

    def _accepting(self, request: m.PlaceBet | m.PressButton) -> None:
        self.ask(request)
        if self.table.seat(request.seat).pop_up:
            self.ask(m.AnswerPopUp(seat=request.seat, accept=True))


def _cents(amount: int | str) -> int:
    return cents(amount) if isinstance(amount, str) else amount
