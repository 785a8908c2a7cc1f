"""A table and its seats as immutable values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from stickman.devices.signals import DeviceKind
from stickman.rules.felt import Felt, Hand, Line
from stickman.rules.game import Game
from stickman.table.ledger import Transfer, credit
from stickman.table.messages import (
    CarryBet,
    Dice,
    Mode,
    MoveBet,
    PaperKind,
    Part,
    PlaceBet,
    PlaceFavourite,
    PressButton,
    PrintedTicket,
    Reading,
    SeatSwitch,
    Stacked,
    WonOffer,
)

Phase = Literal["betting", "closed", "shooting", "thrown", "rolled"]
UNDO_DEPTH = 50
TICKETS_KEPT = 3
FAULTS_MAX = 16
"""Faults of one part that are kept at a time."""
LOST_KEPT = 8
"""Paper at a seat that is unaccounted for. A held ticket is always kept; there are few, because the lock-up stops
the acceptor after the first."""
FAVOURITES_MAX = 8
"""Layouts that a player may save for the stay."""
PINS_MAX = 3
"""After this many wrong PINs only staff can open a reserved seat."""


class PopUp(Struct, frozen=True):
    """An open question at a seat: whether to pay the fee of a request."""

    asked: PlaceBet | PressButton | MoveBet | CarryBet | PlaceFavourite
    fee_cents: int


Placed = tuple[tuple[tuple[str, int], ...], ...]
"""For each action: the spots on which it placed chips, with the cents."""


class Earlier(Struct, frozen=True):
    """A seat before one of its actions, for Undo."""

    felt: Felt
    offers: tuple[WonOffer, ...]
    last_placed: Placed
    put_back: tuple[str, ...] = ()
    begun: dict[str, int] = {}


class Escrow(Struct, frozen=True):
    """A bill or a ticket in the acceptor, and what was decided."""

    note: int
    cents: int = 0
    number: str = ""
    """Of a ticket."""
    hold: int = 0
    stack: bool = False
    """If not, it goes back."""
    why: str = ""
    """The refusal for which it goes back."""
    device: str = ""
    """The acceptor that numbered it; empty in scripts and older journals."""

    @property
    def is_hold(self) -> bool:
        """Whether it is a ticket that nobody else can redeem now."""
        return self.stack and bool(self.number)

    def has(self, device: str, note: int) -> bool:
        """Whether it is the paper to which a device gave this number."""
        return (self.device, self.note) == (device, note)


class Printing(Struct, frozen=True):
    """Paper that a printer must print. For a ticket, its money waits in `seat:N:printing`."""

    job: str
    """The number of the ticket, or another name for paper that is worth nothing."""
    kind: PaperKind
    begun: bool = False
    ticket: PrintedTicket | None = None
    """What is printed; of a copy, the ticket that is copied."""

    @property
    def cents(self) -> int:
        """The money that waits for it."""
        return self.ticket.cents if self.ticket and self.kind in ("cash_out", "tip") else 0


class HeardFrom(Struct, frozen=True):
    """A device's last report."""

    seat: int
    """0 for the table's own doors and the dealer's key."""
    kind: DeviceKind
    boot: str
    seq: int
    distrusted: bool = False
    """Some of its reports are missing or contradict each other, and two people have not settled it."""
    totals: Stacked | None = None
    """What it counted since it was enrolled, if it was asked and has counted nothing since."""
    slips: int = 0
    """The same of a printer; of use with `totals` only."""
    base: Stacked = Stacked()
    """Of an acceptor: what the journal had counted at its seat when it was first heard; less what was settled
    since."""
    slips_base: int = 0
    """The same of a printer."""


class SeatTerminal(Struct, frozen=True):
    """What stays with a seat when players change: the machine, and what the house and the seat owe each other. A
    reversal does not take it back."""

    linked: bool = True
    doors: frozenset[str] = frozenset()
    lockups: frozenset[str] = frozenset()
    key: bool = False
    """Its key switch is turned."""
    service: bool = False
    faults: dict[Part, tuple[str, ...]] = {}
    """The parts that do not work now, and why."""
    escrow: Escrow | None = None
    lost: tuple[Escrow, ...] = ()
    """Paper that is unaccounted for, until staff clear the lock-up."""
    stacker: Stacked = Stacked()
    """What went into the stacker since the last drop."""
    last_note: int = 0
    """The acceptor's number of the last bill or ticket that it stacked."""
    taken: Stacked = Stacked()
    """All that acceptors ever took at this seat."""
    stacker_out: bool = False
    printing: Printing | None = None
    papers: int = 0
    """Tests and copies that were asked for."""
    slips: int = 0
    """All that printers ever printed at this seat."""
    printed: tuple[PrintedTicket, ...] = ()
    """The last tickets that were printed here, newest last, for staff."""
    hand_pay_cents: int = 0
    """A due hand pay."""
    hand_pay_by_two: bool = False
    """It is due for a ticket that was cancelled: two people pay it (ruling 57)."""
    left_due_cents: int = 0
    """What a reversal owes to a player who has left; paid by hand (ruling 56)."""
    owes_cents: int = 0
    """What a reversal found missing here, until bets close again; wins of the right dice cover it first."""

    def due_before(self, then: SeatTerminal) -> int:
        """The part of `left_due_cents` that was already owed then: to another player, or for another roll."""
        return min(self.left_due_cents, then.left_due_cents)


class StayTally(Struct, frozen=True, omit_defaults=True):
    """What one bet came to in a stay, exactly."""

    staked_cents: int = 0
    """The stakes that met a roll; the same chips count again after a decision."""
    decided: int = 0
    """How often it won or lost; a push decides nothing."""
    won: int = 0
    """How often it won."""
    won_cents: int = 0
    """What the wins paid in addition to the stakes, with the awards of meters."""
    net_cents: int = 0
    """What the player has more or less for it, with all fees."""


class Stay(Struct, frozen=True):
    """A player's time at a seat, from the first money until credit and wagers are gone (ruling 29)."""

    number: int = 0
    """Counts the stays at this seat; 0 before the first."""
    ended: bool = False
    since_ms: int = 0
    in_cents: int = 0
    out_cents: int = 0
    tips_cents: int = 0
    shoots: bool = True
    """Its Shooter button is on."""
    denomination_cents: int = 0
    """The value of one credit, as the player chose; 0 for the game's first (ruling 47)."""
    tickets: tuple[PrintedTicket, ...] = ()
    """The last printed tickets, newest last."""
    reserved_until_ms: int = 0
    fulfilled: tuple[str, ...] = ()
    """The bets that this seat has won since the last 7 (IB 6.2.1)."""
    favourites: dict[int, dict[str, int]] = {}
    """By slot, from 1 to `FAVOURITES_MAX`: the saved stakes by spot."""
    from_round: int = 0
    """The first round whose roll it sees."""
    totals: dict[int, int] = {}
    """By total: how often it was rolled in this stay."""
    tallies: dict[str, StayTally] = {}
    """By bet: the player's own results."""

    @property
    def goes_on(self) -> bool:
        """A player is here."""
        return bool(self.number) and not self.ended

    def over(self) -> Stay:
        """The stay after its player has left: only its sums."""
        return Stay(self.number, True, self.since_ms, self.in_cents, self.out_cents, self.tips_cents)

    def was_left(self, then: Stay) -> bool:
        """Whether the player of that stay has left since. Losing the last chip is not leaving (ruling 56)."""
        if not then.goes_on:
            return False
        went = (self.out_cents, self.tips_cents) != (then.out_cents, then.tips_cents)
        return self.number != then.number or (self.ended and went)


class Player(Struct, frozen=True):
    """A player's choices and consents, until a cash-out or a hand pay (ruling 29)."""

    name: str = ""
    pin_mark: str = ""
    """A keyed hash of the PIN that opens the reserved seat; empty without a PIN."""
    pins_missed: int = 0
    keep_bets: bool = False
    auto_repeat: bool = False
    repeat_lapsed: bool = False
    """Auto-repeat switched itself off in this bet time; a reversal switches it on again."""
    last_stakes: dict[str, int] = {}
    """By spot: the stakes of the seat's last closed round, for Repeat."""
    won_stakes: dict[str, int] = {}
    """By spot: winners of the last roll that came down, for Keep Bets On."""


class BetTime(Struct, frozen=True):
    """What a seat did in one bet time."""

    undo: tuple[Earlier, ...] = ()
    """The seat before each of its last actions, newest last."""
    last_placed: Placed = ()
    """What was placed in this bet time and is still on the felt, newest last, for Clear last."""
    put_back: tuple[str, ...] = ()
    """Spots that Keep Bets On or auto-repeat put back in this bet time, untouched since."""
    took_down: bool = False
    """The player took something down in this round, so nothing is put back automatically."""
    cleared_last: bool = False
    """Clear last was the seat's last action, so the next Clear last clears all (ruling 39)."""
    pop_up: PopUp | None = None
    offers: tuple[WonOffer, ...] = ()
    """What the player may do after a Place win, until bets close."""
    ready: bool = False
    """The player pressed Roll."""


class LastRoll(Struct, frozen=True):
    """What a seat shows about the last roll and about wagers that the house returned."""

    win_cents: int = 0
    last_win_cents: int = 0
    last_bet_cents: int = 0
    lines: tuple[Line, ...] = ()
    """What the last roll did here, until bets close again."""
    awards: dict[str, int] = {}
    """By meter: what it paid on that roll."""
    sits_out: bool = False
    returned: tuple[str, ...] = ()
    """Spots whose wagers went back when bets closed, because they no longer qualified (ruling 35)."""
    left_out: tuple[str, ...] = ()
    """Spots that the last Repeat left out, because the game or its limits do not allow them (ruling 53)."""
    refused: dict[str, str] = {}
    """By spot that the last favourite did not bet, or not in full: the reason."""
    given_back: dict[str, int] = {}
    """By spot: the stakes that the house returned since the seat acted last, after new settings or a reversal."""


SWITCHES: dict[SeatSwitch, tuple[str, str]] = {
    "keep_bets": ("player", "keep_bets"),
    "auto_repeat": ("player", "auto_repeat"),
    "shooter_play": ("stay", "shoots"),
}
"""By switch: the part of a seat that stores it, and its name there."""


class Seat(Struct, frozen=True):
    """A player terminal, in parts that begin and end together."""

    number: int
    felt: Felt = Felt()
    begun: dict[str, int] = {}
    """By spot: the amount with which the player began the stack, which another touch may add (ruling 50)."""
    terminal: SeatTerminal = SeatTerminal()
    stay: Stay = Stay()
    player: Player = Player()
    bet_time: BetTime = BetTime()
    last: LastRoll = LastRoll()

    def is_on(self, switch: SeatSwitch) -> bool:
        part, name = SWITCHES[switch]
        on: bool = getattr(getattr(self, part), name)
        return on


class Result(Struct, frozen=True):
    """A roll in the history, or the puck turned off by hand (no dice)."""

    dice: Dice | None
    puck_before: int
    puck_after: int
    instead_of: Dice | None = None
    """The wrong dice that these replaced."""
    round: int = 0


COUNTED_AHEAD_MS = 300
"""Dice count this long before they land, so that every screen has the result when they do."""


class Flight(Struct, frozen=True):
    """Generated dice on their way. They are drawn and recorded, and they count when they land."""

    dice: Dice
    draw: str
    lands_at_ms: int
    ms: int
    """From the throw."""


class Settlement(Struct, frozen=True):
    """What a roll moved and left on each felt, for a reversal."""

    transfers: tuple[Transfer, ...]
    felts: tuple[tuple[int, int], ...]
    """By seat: the cents on its felt, and the fees that would be returned."""


class Table(Struct, frozen=True):
    """Everything about a table at one moment."""

    game: Game
    fingerprint: str
    seats: tuple[Seat, ...]
    mode: Mode = "automated"
    dealer: str = ""
    hand: Hand = Hand()
    phase: Phase = "betting"
    round: int = 1
    deadline_ms: int = 0
    """When the phase ends automatically; 0 if a person ends it."""
    paused: bool = False
    left_ms: int = 0
    """While paused or locked up: what is left of the phase."""
    doors: frozenset[str] = frozenset()
    """The open doors of the table itself."""
    locked_up: bool = False
    """A door of the table was opened, or its doors are not trusted, and a supervisor has not cleared it (ruling
    43)."""
    key: bool = False
    """The key switch of the dealer terminal is turned."""
    heard: dict[str, HeardFrom] = {}
    """By device, its last report."""
    shooter: int = 0
    passes_dice: bool = False
    """The dice go to the next seat when bets close."""
    named: int = 0
    """The shooter that the dealer named for the coming roll; 0 for none (ruling 51)."""
    power: dict[str, Literal["low", "high"]] = {}
    entered: Dice | None = None
    flight: Flight | None = None
    """Of the dice in the air; when they have counted, of the last dice until bets open."""
    history: tuple[Result, ...] = ()
    accounts: dict[str, int] = {}
    play_meters: dict[str, int] = {}
    cash_meters: dict[str, int] = {}
    remainders: dict[str, Fraction] = {}
    """By progressive account: the fraction of a cent that is not booked yet."""
    under_a_cent: Fraction = Fraction(0)
    """Fractions of a cent that rounding has kept; they are not in the ledger."""
    readings: dict[str, Reading] = {}
    """The meters at the last roll, with their hits after it."""
    before_roll: Table | None = None
    """The table before the last roll, until bets close again."""
    settled: Settlement | None = None
    """What the last roll moved, until bets close again."""
    hand_paid: dict[str, int] = {}
    """By side game: what this hand has paid in addition to stakes, without meters and envy (ruling 36)."""
    voided: Dice | None = None
    """The reversed dice, until the right ones count."""
    took: dict[int, int] = {}
    """By seat whose player has left since the last roll: what that player took with them (ruling 56)."""

    @property
    def has_dealer(self) -> bool:
        """A dealer is signed in and deals; tips and envy need one (ruling 24)."""
        return bool(self.dealer) and self.mode == "dealer_assisted"

    def seat(self, number: int) -> Seat:
        return self.seats[number - 1]

    def credit(self, number: int) -> int:
        return self.accounts.get(credit(number), 0)

    def denomination(self, number: int) -> int:
        """The value of one credit at a seat, in cents."""
        return self.seat(number).stay.denomination_cents or self.game.denominations[0]

    def with_seat(self, seat: Seat) -> Table:
        seats = (*self.seats[: seat.number - 1], seat, *self.seats[seat.number :])
        return replace(self, seats=seats)

    def flies(self, now_ms: int) -> bool:
        """Whether dice are in the air, which may count already (`COUNTED_AHEAD_MS`)."""
        return self.flight is not None and now_ms < self.flight.lands_at_ms

    def playing(self) -> Iterator[Seat]:
        """The seats with wagers."""
        return (seat for seat in self.seats if seat.felt.wagers)


def new_table(game: Game) -> Table:
    mode: Mode = "dealer_assisted" if game.mode == "dealer_assisted" else "automated"
    seats = tuple(Seat(number) for number in range(1, game.seats + 1))
    return Table(game, game.fingerprint(), seats, mode)
