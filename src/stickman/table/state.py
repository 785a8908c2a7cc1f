"""A table and its seats as values: nothing here changes, and nothing here decides."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from stickman.rules.felt import Felt, Hand, Line
from stickman.rules.game import Game
from stickman.table.ledger import Transfer, credit
from stickman.table.messages import Dice, Mode, MoveBet, PlaceBet, PressButton, Reading, SeatSwitch, WonOffer

Phase = Literal["betting", "closed", "shooting", "rolled"]
UNDO_DEPTH = 50
TICKETS_KEPT = 3
PINS_MAX = 3
"""After so many wrong PINs staff alone open a reserved seat."""


class PopUp(Struct, frozen=True):
    """A question that is open at a seat: whether to pay a fee for what was asked."""

    asked: PlaceBet | PressButton | MoveBet
    fee_cents: int


class PrintedTicket(Struct, frozen=True):
    """A ticket that a seat's printer gave."""

    kind: Literal["cash_out", "tip"]
    number: str
    cents: int
    at_ms: int
    expires_at_ms: int


Placed = tuple[tuple[tuple[str, int], ...], ...]
"""By action, the spots on which it placed chips, with the cents."""


class Earlier(Struct, frozen=True):
    """A seat before one of its actions: what Undo goes back to."""

    felt: Felt
    offers: tuple[WonOffer, ...]
    last_placed: Placed
    put_back: tuple[str, ...] = ()
    begun: dict[str, int] = {}


class SeatTerminal(Struct, frozen=True):
    """What stays with a seat whoever plays there: the machine, and what the house and the seat owe each other. No
    reversal takes it back, and no stay ends it."""

    linked: bool = True
    doors: frozenset[str] = frozenset()
    lockups: frozenset[str] = frozenset()
    key: bool = False
    """Its key switch is turned."""
    service: bool = False
    hand_pay_cents: int = 0
    """A hand pay that is due."""
    left_due_cents: int = 0
    """What a reversal found owed to a player who has left: paid by hand (ruling 56)."""
    owes_cents: int = 0
    """What a reversal found missing here, until bets close again: what other dice give goes there first."""

    def due_before(self, then: SeatTerminal) -> int:
        """What of `left_due_cents` was owed then already: another player's, or of another roll."""
        return min(self.left_due_cents, then.left_due_cents)


class Stay(Struct, frozen=True):
    """A player's time at a seat, from the first money at an empty one until credit and wagers are gone (ruling
    29)."""

    number: int = 0
    """Of the stays at this seat; 0: nobody has played here yet."""
    ended: bool = False
    since_ms: int = 0
    in_cents: int = 0
    out_cents: int = 0
    tips_cents: int = 0
    shoots: bool = True
    """Its Shooter button is on."""
    denomination_cents: int = 0
    """What one credit is worth, as the player chose; 0: the game's first (ruling 47)."""
    tickets: tuple[PrintedTicket, ...] = ()
    """The last that were printed, newest last."""
    reserved_until_ms: int = 0
    fulfilled: tuple[str, ...] = ()
    """The bets that this seat has won since the last 7; views show those on a set of totals (IB 6.2.1)."""

    def over(self) -> Stay:
        """The stay once its player has left: what it came to, and nothing else."""
        return Stay(self.number, True, self.since_ms, self.in_cents, self.out_cents, self.tips_cents)

    def was_left(self, then: Stay) -> bool:
        """Whether the player who sat here then has left since. Who only lost the last chip has not (ruling 56)."""
        if not then.number or then.ended:
            return False
        went = (self.out_cents, self.tips_cents) != (then.out_cents, then.tips_cents)
        return self.number != then.number or (self.ended and went)


class Player(Struct, frozen=True):
    """What a player has said and agreed to: a cash-out or a hand pay ends it at once (ruling 29)."""

    name: str = ""
    pin_mark: str = ""
    """Of the PIN that opens a reserved seat again; empty: it needs none."""
    pins_missed: int = 0
    keep_bets: bool = False
    auto_repeat: bool = False
    repeat_lapsed: bool = False
    """Auto-repeat switched itself off in this bet time; a reversal puts it back."""
    last_stakes: dict[str, int] = {}
    """By spot, the seat's last closed round: what Repeat repeats."""
    won_stakes: dict[str, int] = {}
    """By spot, winners of the last roll that came down: what Keep Bets On puts back."""


class BetTime(Struct, frozen=True):
    """What a seat did in one bet time."""

    undo: tuple[Earlier, ...] = ()
    """Before the last actions of this bet time, newest last."""
    last_placed: Placed = ()
    """What was placed in this bet time and still lies, newest last: what Clear last clears."""
    put_back: tuple[str, ...] = ()
    """Spots whose wagers Keep Bets On or auto-repeat put back in this bet time, untouched since."""
    took_down: bool = False
    """Something was taken down by hand since bets opened for this round: nothing is put back by itself."""
    cleared_last: bool = False
    """Clear last was the seat's last action: pressed again it clears all (ruling 39)."""
    pop_up: PopUp | None = None
    offers: tuple[WonOffer, ...] = ()
    """What a Place win offers, until bets close."""
    ready: bool = False
    """It pressed Roll in this bet time."""


class LastRoll(Struct, frozen=True):
    """What a seat shows of the last roll, and of what the house did to its wagers."""

    win_cents: int = 0
    last_win_cents: int = 0
    last_bet_cents: int = 0
    lines: tuple[Line, ...] = ()
    """What the last roll did here, until bets close again."""
    awards: dict[str, int] = {}
    """By meter, what it paid on that roll."""
    sits_out: bool = False
    returned: tuple[str, ...] = ()
    """Spots whose wagers went back when bets closed, for they no longer qualified (ruling 35)."""
    left_out: tuple[str, ...] = ()
    """Spots that the last Repeat left out, for the game or its limits do not allow them (ruling 53)."""
    given_back_cents: int = 0
    """What the house gave back from the felt since the seat's last action: new settings, or a reversal."""


SWITCHES: dict[SeatSwitch, tuple[str, str]] = {
    "keep_bets": ("player", "keep_bets"),
    "auto_repeat": ("player", "auto_repeat"),
    "shooter_play": ("stay", "shoots"),
}
"""By switch, in which part of a seat it is kept, and its name there."""


class Seat(Struct, frozen=True):
    """A player terminal. What lives and dies together is one value."""

    number: int
    felt: Felt = Felt()
    begun: dict[str, int] = {}
    """By spot whose stack the player began by hand, with how much: what another touch may add (ruling 50)."""
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
    """A roll in the history, or the puck put off by hand (no dice)."""

    dice: Dice | None
    puck_before: int
    puck_after: int
    instead_of: Dice | None = None
    """The dice that were entered wrong and taken back for these."""
    round: int = 0
    """In which it was rolled."""


class Settlement(Struct, frozen=True):
    """What a roll moved, and what lay at each seat then: what a reversal turns round."""

    transfers: tuple[Transfer, ...]
    felts: tuple[tuple[int, int], ...]
    """By seat, the cents on its felt and the fees in them that would come back."""


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
    """When the phase ends by itself; 0: when somebody ends it."""
    paused: bool = False
    left_ms: int = 0
    """While paused or locked up: what was left of the phase."""
    doors: frozenset[str] = frozenset()
    """The table's own that are open."""
    locked_up: bool = False
    """A door of the table was opened, and no supervisor has cleared it since (ruling 43)."""
    shooter: int = 0
    passes_dice: bool = False
    """The dice go to the next seat when bets close."""
    named: int = 0
    """The shooter whom the dealer has named for the coming roll; 0: nobody (ruling 51)."""
    power: dict[str, Literal["low", "high"]] = {}
    entered: Dice | None = None
    history: tuple[Result, ...] = ()
    accounts: dict[str, int] = {}
    play_meters: dict[str, int] = {}
    cash_meters: dict[str, int] = {}
    remainders: dict[str, Fraction] = {}
    """By progressive account, the fraction of a cent that was not booked yet."""
    under_a_cent: Fraction = Fraction(0)
    """Fractions of a cent that rounding has kept, metered outside the ledger."""
    readings: dict[str, Reading] = {}
    """What the meters read at the last roll, with their hits after it."""
    before_roll: Table | None = None
    """The table as it stood before the last roll, until bets close again."""
    settled: Settlement | None = None
    """What the last roll moved, until bets close again."""
    hand_paid: dict[str, int] = {}
    """By side game, what this hand has paid beyond stakes, meters and envy apart (ruling 36)."""
    voided: Dice | None = None
    """The dice that were taken back, until the right ones follow."""
    took: dict[int, int] = {}
    """By seat whose stay has ended since it met the last roll, what that player took away of it (ruling 56)."""

    @property
    def has_dealer(self) -> bool:
        """A dealer is signed in and deals: only then are there tips and envy (ruling 24)."""
        return bool(self.dealer) and self.mode == "dealer_assisted"

    def seat(self, number: int) -> Seat:
        return self.seats[number - 1]

    def credit(self, number: int) -> int:
        return self.accounts.get(credit(number), 0)

    def denomination(self, number: int) -> int:
        """What one credit is worth at a seat, in cents."""
        return self.seat(number).stay.denomination_cents or self.game.denominations[0]

    def with_seat(self, seat: Seat) -> Table:
        seats = (*self.seats[: seat.number - 1], seat, *self.seats[seat.number :])
        return replace(self, seats=seats)

    def playing(self) -> Iterator[Seat]:
        """The seats with anything on their felt."""
        return (seat for seat in self.seats if seat.felt.wagers)


def new_table(game: Game) -> Table:
    """A table as it is opened: nobody has bet, and the first roll comes out."""
    mode: Mode = "dealer_assisted" if game.mode == "dealer_assisted" else "automated"
    seats = tuple(Seat(number) for number in range(1, game.seats + 1))
    return Table(game, game.fingerprint(), seats, mode)
