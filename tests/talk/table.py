"""A table in the words of those who play at it, so that a test reads like the rule it proves.

`table = opened("craps")`, `table.seat(1).inserts(100).bets("place.6", 12)`, `table.rolls("4-2")`. Underneath are
the real `decide` and `evolve` over values: `table.now` is one. After every event the books are checked. Nobody
opens or closes bets here but the test: what a live table does by itself, a `Pit` shows.
"""

from __future__ import annotations

from enum import Enum
from typing import Literal

from msgspec.structs import replace

from stickman.rules.felt import Line, Wager
from stickman.rules.game import Game
from stickman.table import messages as m
from stickman.table.decide import decide_given as decide
from stickman.table.evolve import evolve
from stickman.table.ledger import felt as felt_account
from stickman.table.ledger import printing
from stickman.table.messages import Event, Facts, Refused, Reported, Request
from stickman.table.ports import refuses_bill, refuses_ticket
from stickman.table.state import Table, new_table
from tests.talk import Dice, Money, as_roll, in_cents, named
from tests.talk.devices import bill_stacked, printed, ticket_held, ticket_stacked
from tests.talk.games import game


def opened(name: str, *changes: str) -> TableTalk:
    """A new table for a built-in game with settings changed as `key=value`."""
    return TableTalk(new_table(game(name, *changes)))


def seated(name: str, *changes: str, dollars: int = 100) -> SeatTalk:
    """The first seat of a new table, with so much inserted."""
    return opened(name, *changes).seat(1).inserts(dollars)


def two_seats(name: str, *changes: str, dollars: int = 100) -> tuple[TableTalk, SeatTalk, SeatTalk]:
    table = opened(name, *changes)
    return table, table.seat(1).inserts(dollars), table.seat(2).inserts(dollars)


class TableTalk:
    """A table that is told what to do; `now` is the table as a value, `events` all that happened."""

    def __init__(self, table: Table, facts: Facts | None = None) -> None:
        self.now = table
        self.facts = facts or Facts(ticket_number="123456789012345678")
        self.events: list[Event] = []
        self.prints = True
        self._expects: str | None = None
        self.is_refused = False

    def twin(self) -> TableTalk:
        """Another table that stands exactly as this one; what is done at one is not done at the other."""
        return TableTalk(self.now, self.facts)

    def refused(self, why: Enum | str) -> TableTalk:
        """A twin whose next deed must be refused for this reason."""
        found = self.twin()
        found._expects = named(why)
        return found

    @property
    def game(self) -> Game:
        return self.now.game

    def seat(self, number: int) -> SeatTalk:
        return SeatTalk(self, number)

    def asked(self, request: Request | Reported, **facts: object) -> tuple[Event, ...]:
        """Ask, with what the house knows at this moment, and let what is decided happen. A ticket is printed at
        once, if `prints` is on."""
        assert not self.is_refused, "a twin that is refused is for one deed"
        decision = decide(self.now, request, replace(self.facts, **facts))
        if self._expects:
            assert isinstance(decision, Refused), f"accepted, and not {self._expects}"
            assert named(decision.why) == self._expects, decision
            self.is_refused = True
            return ()
        assert not isinstance(decision, Refused), decision
        for event in decision:
            self.now = evolve(self.now, event)
            check_books(self.now)
        self.events += decision
        for event in decision if self.prints else ():
            if isinstance(event, m.TicketReserved):
                self.asked(printed(event))
        return decision

    def allowed(self, request: Request) -> bool:
        return not isinstance(decide(self.now, request, self.facts), Refused)

    # What the house knows

    def power(self, **drawn: Literal["low", "high"]) -> TableTalk:
        """The Power Odds draw of the next close: `power(A="high")`."""
        self.facts = replace(self.facts, power=drawn)
        return self

    def meter(self, name: str, reading: Money) -> TableTalk:
        """What the meter of that name shows."""
        keys = {side.meter: self.game.meter(name) for name, side in self.game.progressives().items()}
        self.facts = replace(self.facts, meters={**self.facts.meters, keys[name]: m.Reading(in_cents(reading))})
        return self

    def at_second(self, second: float) -> TableTalk:
        """The clock: seconds since it was started, at one second past the epoch."""
        self.facts = replace(self.facts, now_ms=1000 + int(second * 1000))
        return self

    def screens(self) -> TableTalk:
        """Screens show how dice fly."""
        self.facts = replace(self.facts, flies=True)
        return self

    # The round

    def rolls(self, *rolled: Dice) -> TableTalk:
        """Close bets, count the dice, open bets again: for each of the rolls."""
        for one in rolled:
            self.counts(one)
            if not self.is_refused:
                self.opens()
        return self

    def counts(self, dice: Dice) -> TableTalk:
        """Close bets if they are open, and count the dice; the result is shown."""
        if self.now.phase == "betting":
            self.closes()
        rolled = as_dice(dice)
        if self.is_refused:
            return self
        if self.now.mode == "dealer_assisted":
            if self.asked(m.EnterDice(dice=rolled)):
                self.asked(m.ConfirmDice())
        else:
            self.asked(m.RollDice(), dice=rolled)
        return self

    def opens(self) -> TableTalk:
        self.asked(m.OpenBets())
        return self

    def closes(self) -> TableTalk:
        self.asked(m.CloseBets())
        return self

    def ticks(self, dice: Dice | None = None) -> TableTalk:
        self.asked(m.Tick(), dice=as_dice(dice) if dice else None)
        return self

    def dealer(self, name: str = "badge-12") -> TableTalk:
        """A dealer signs in and the table is played with entered dice."""
        self.asked(m.SignIn(), actor=name)
        if self.now.mode == "automated" and not self.is_refused:
            self.asked(m.SelectMode(mode="dealer_assisted"))
        return self

    def reverses_to(self, dice: Dice, by: str = "badge-12", approver: str = "badge-7") -> TableTalk:
        self.asked(m.ReverseRoll(dice=as_dice(dice)), actor=by, approver=approver)
        return self

    def changes(self, key: str, text: str) -> TableTalk:
        self.asked(m.ChangeSetting(key=key, text=text), actor="Anna", approver="Bert")
        return self

    # What is seen

    @property
    def puck(self) -> int:
        return self.now.hand.puck

    @property
    def phase(self) -> str:
        return self.now.phase

    @property
    def settled(self) -> m.Settled:
        """The last settlement."""
        return next(event for event in reversed(self.events) if isinstance(event, m.Settled))

    def account(self, name: str) -> int:
        return self.now.accounts.get(name, 0)

    def meters(self, name: str) -> int:
        """A meter of play: `bet:place.6:handle`, `seat:1:paid`."""
        return self.now.play_meters.get(name, 0)

    def happened(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]


class SeatTalk:
    """A seat at a table that is told what to do."""

    def __init__(self, table: TableTalk, number: int) -> None:
        self.table, self.number = table, number

    def refused(self, why: Enum | str) -> SeatTalk:
        """This seat at a twin of its table, whose next deed must be refused for this reason."""
        return self.table.refused(why).seat(self.number)

    def twin(self) -> SeatTalk:
        """This seat at a table that stands exactly as its own."""
        return self.table.twin().seat(self.number)

    def _asks(self, request: Request | Reported, **facts: object) -> SeatTalk:
        self.table.asked(request, **facts)
        return self

    # Money

    def inserts(self, amount: Money) -> SeatTalk:
        self._gives_back(refuses_bill(self.table.now, self.number, in_cents(amount), self.table.facts))
        return self if self.table.is_refused else self._asks(bill_stacked(self.number, in_cents(amount)))

    def _gives_back(self, no: Refused | m.Needs | None) -> None:
        """The acceptor gives money back that the seat may not take; a test may expect that."""
        if self.table._expects:
            assert isinstance(no, Refused), f"taken, and not {self.table._expects}"
            assert named(no.why) == self.table._expects, no
            self.table.is_refused = True
        else:
            assert no is None, no

    def inserts_ticket(self, worth: Money | None, number: str = "876543210987654321") -> SeatTalk:
        known = m.TicketIn(number, 0 if worth is None else in_cents(worth))
        facts = replace(self.table.facts, ticket=known)
        self._gives_back(refuses_ticket(self.table.now, self.number, number, facts))
        if self.table.is_refused:
            return self
        self._asks(ticket_held(self.number, number), ticket=known)
        return self._asks(ticket_stacked(self.number, number))

    def tips(self, amount: Money) -> SeatTalk:
        return self._asks(m.GiveTip(seat=self.number, cents=in_cents(amount)))

    def cashes_out(self) -> SeatTalk:
        return self._asks(m.CashOut(seat=self.number))

    # Betting

    def bets(self, spot: str, amount: Money) -> SeatTalk:
        """Put chips down; a fee, where one is asked for, is accepted."""
        self._asks(m.PlaceBet(seat=self.number, spot=spot, cents=in_cents(amount)))
        return self.accepts() if self.pop_up and not self.table.is_refused else self

    def asks_for(self, spot: str, amount: Money) -> SeatTalk:
        """Put chips down, and leave the question about the fee open."""
        return self._asks(m.PlaceBet(seat=self.number, spot=spot, cents=in_cents(amount)))

    def accepts(self) -> SeatTalk:
        return self._asks(m.AnswerPopUp(seat=self.number, accept=True))

    def declines(self) -> SeatTalk:
        return self._asks(m.AnswerPopUp(seat=self.number, accept=False))

    def takes(self, spot: str, amount: Money | None = None) -> SeatTalk:
        part = None if amount is None else in_cents(amount)
        return self._asks(m.TakeBet(seat=self.number, spot=spot, cents=part))

    def off(self, *spots: str) -> SeatTalk:
        for spot in spots:
            self._asks(m.SwitchBet(seat=self.number, spot=spot, on=False))
        return self

    def on(self, *spots: str) -> SeatTalk:
        for spot in spots:
            self._asks(m.SwitchBet(seat=self.number, spot=spot, on=True))
        return self

    def all_off(self) -> SeatTalk:
        return self._asks(m.SwitchAll(seat=self.number, on=False))

    def all_on(self) -> SeatTalk:
        return self._asks(m.SwitchAll(seat=self.number, on=True))

    def presses(self, button: m.Button, chip: Money = 0) -> SeatTalk:
        """Press a button; a fee, where one is asked for, is left open."""
        return self._asks(m.PressButton(seat=self.number, button=button, cents=in_cents(chip)))

    def undoes(self) -> SeatTalk:
        return self._asks(m.Undo(seat=self.number))

    def presses_by_win(self, spot: str) -> SeatTalk:
        return self._asks(m.PressByWin(seat=self.number, spot=spot))

    def moves(self, spot: str, to: str) -> SeatTalk:
        return self._asks(m.MoveBet(seat=self.number, spot=spot, to=to))

    def carries(self, spot: str, to: str) -> SeatTalk:
        return self._asks(m.CarryBet(seat=self.number, spot=spot, to=to))

    def saves(self, slot: int) -> SeatTalk:
        return self._asks(m.SaveFavourite(seat=self.number, slot=slot))

    def places(self, slot: int) -> SeatTalk:
        """Place a favourite; a fee, where one is asked for, is left open."""
        return self._asks(m.PlaceFavourite(seat=self.number, slot=slot))

    def removes(self, slot: int) -> SeatTalk:
        return self._asks(m.RemoveFavourite(seat=self.number, slot=slot))

    def keeps_bets(self, *, on: bool = True) -> SeatTalk:
        return self._asks(m.SetSwitch(seat=self.number, switch="keep_bets", on=on))

    def repeats_by_itself(self, *, on: bool = True) -> SeatTalk:
        return self._asks(m.SetSwitch(seat=self.number, switch="auto_repeat", on=on))

    # The round

    def shoots(self, dice: Dice) -> SeatTalk:
        return self._asks(m.Shoot(seat=self.number), dice=as_dice(dice))

    def shooter_button(self, *, on: bool) -> SeatTalk:
        return self._asks(m.SetSwitch(seat=self.number, switch="shooter_play", on=on))

    def presses_roll(self) -> SeatTalk:
        return self._asks(m.PressRoll(seat=self.number))

    def leaves(self) -> SeatTalk:
        return self._asks(m.LoseLink(seat=self.number))

    def returns(self) -> SeatTalk:
        return self._asks(m.RestoreLink(seat=self.number))

    # What is seen

    @property
    def credit(self) -> int:
        return self.table.now.credit(self.number)

    @property
    def pop_up(self) -> bool:
        return self.table.now.seat(self.number).bet_time.pop_up is not None

    @property
    def lies(self) -> dict[str, int]:
        """The stakes on the felt by spot."""
        return {spot: wager.stake_cents for spot, wager in self.table.now.seat(self.number).felt.wagers.items()}

    def wager(self, spot: str) -> Wager:
        return self.table.now.seat(self.number).felt.wagers[spot]

    @property
    def felt_cents(self) -> int:
        return self.table.account(felt_account(self.number))

    @property
    def paid(self) -> int:
        """What the last roll paid this seat."""
        return sum(each.paid_cents for each in self.table.settled.seats if each.seat == self.number)

    @property
    def lines(self) -> dict[str, Line]:
        """What the last roll did here, by spot."""
        found = [each for each in self.table.settled.seats if each.seat == self.number]
        return {line.spot: line for each in found for line in each.lines}

    @property
    def sits_out(self) -> bool:
        return self.table.now.seat(self.number).last.sits_out

    @property
    def offers(self) -> tuple[tuple[str, str, int], ...]:
        """What a Place win offers: of which kind, where, how much."""
        offers = self.table.now.seat(self.number).bet_time.offers
        return tuple((offer.kind, offer.spot, offer.cents) for offer in offers)


def as_dice(dice: Dice) -> m.Dice:
    roll = as_roll(dice)
    return roll.first, roll.second


def check_books(table: Table) -> None:
    """All accounts together are zero, no seat owes, and what lies on a felt is what its account holds."""
    assert sum(table.accounts.values()) == 0, table.accounts
    for seat in table.seats:
        assert table.credit(seat.number) >= 0
        waiting = seat.terminal.printing.cents if seat.terminal.printing else 0
        assert table.accounts.get(printing(seat.number), 0) == waiting, "money waits for a printer"
        held = table.accounts.get(felt_account(seat.number), 0)
        assert held == seat.felt.money_cents, f"seat {seat.number}: {held} held, {seat.felt.money_cents} lies"
        for spot, wager in seat.felt.wagers.items():
            assert wager.stake_cents > 0, (spot, wager)
