"""The vocabulary of a table: requests, reports of devices, facts, events and refusals.

A `Request` is a person's gesture and cannot contain a fact. A `Reported` signal is what a device says has happened,
and is never refused (ruling 55). `Facts` are what only the house knows: time, people, dice, draws, values of
tickets, readings of meters. An `Event` is complete: it contains next states, stakes, payments and transfers, so
that a later change of the rules never changes what happened. A `Refusal` changes nothing.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from stickman.devices.signals import AnySignal, DeviceKind, Door, KnownBy, TableDoor, TicketNumber
from stickman.rules.felt import Felt, Hand, Line, Reason
from stickman.rules.game import Game
from stickman.rules.schema import MeterTerms
from stickman.rules.spoken import Detailed, Spoken
from stickman.table.ledger import Transfer, hold_claim, jackpot_claim, ticket_claim

Button = Literal[
    "across", "inside", "outside", "press", "double", "repeat", "clear_last", "clear_all", "cancel_all"
]  # fmt: skip
SeatSwitch = Literal["keep_bets", "auto_repeat", "shooter_play"]
NoRoll = Literal["off_table", "cocked", "stacked", "short", "other"]
Mode = Literal["automated", "dealer_assisted"]
Part = Literal["printer", "acceptor"]
TicketKind = Literal["cash_out", "tip"]
PaperKind = Literal["cash_out", "tip", "test", "copy"]
"""What a printer prints: tickets, and paper that is worth nothing."""
Dice = tuple[int, int]


class Reading(NamedTuple):
    """A progressive meter: its value, and how often it has been hit."""

    cents: int
    hits: int = 0


class TicketIn(NamedTuple):
    """A ticket that the house looked up: its number, as in its claim, its value, and how often an acceptor has held
    it."""

    number: str
    cents: int
    holds: int = 0


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


# --- Requests ---


class Request(Struct, frozen=True, kw_only=True, tag_field="do", tag=_snake, forbid_unknown_fields=True):
    """A gesture."""


class SeatRequest(Request, frozen=True, kw_only=True):
    """A gesture at a seat."""

    seat: int


class GiveCredit(SeatRequest, frozen=True, kw_only=True):
    """A member of staff takes cash into their drawer and gives the seat credit for it."""

    cents: int


class PlaceBet(SeatRequest, frozen=True, kw_only=True):
    spot: str
    cents: int


class TakeBet(SeatRequest, frozen=True, kw_only=True):
    spot: str
    cents: int | None = None
    """None: all of it."""


class SwitchBet(SeatRequest, frozen=True, kw_only=True):
    spot: str
    on: bool


class SwitchAll(SeatRequest, frozen=True, kw_only=True):
    on: bool


class PressButton(SeatRequest, frozen=True, kw_only=True):
    button: Button
    cents: int = 0
    """The selected chip, for the buttons that place it."""


class SetSwitch(SeatRequest, frozen=True, kw_only=True):
    """A player's own switch."""

    switch: SeatSwitch
    on: bool


class Undo(SeatRequest, frozen=True, kw_only=True): ...


class AnswerPopUp(SeatRequest, frozen=True, kw_only=True):
    accept: bool


class PressByWin(SeatRequest, frozen=True, kw_only=True):
    spot: str


class MoveBet(SeatRequest, frozen=True, kw_only=True):
    """Move the stake of a Place bet that won, as offered."""

    spot: str
    to: str


class CarryBet(SeatRequest, frozen=True, kw_only=True):
    """Take a whole wager down and bet its stake on another spot, in one action."""

    spot: str
    to: str


class SaveFavourite(SeatRequest, frozen=True, kw_only=True):
    """Remember what is on the felt, for the stay; what was saved under this number before is replaced."""

    slot: int


class PlaceFavourite(SeatRequest, frozen=True, kw_only=True):
    """Bring the felt up to a favourite: bet what is missing of each of its wagers, in one action."""

    slot: int


class RemoveFavourite(SeatRequest, frozen=True, kw_only=True):
    slot: int


class PressRoll(SeatRequest, frozen=True, kw_only=True): ...


class Shoot(SeatRequest, frozen=True, kw_only=True): ...


class LandDice(SeatRequest, frozen=True, kw_only=True):
    """The player of a single seat does not wait for the flight."""


class ChooseDenomination(SeatRequest, frozen=True, kw_only=True):
    cents: int


class GiveTip(SeatRequest, frozen=True, kw_only=True):
    cents: int


class CashOut(SeatRequest, frozen=True, kw_only=True): ...


Pin = Annotated[str, Meta(pattern=r"\A([0-9]{4,8})?\Z", max_length=8, description="Four to eight digits, or none.")]


class ReserveSeat(SeatRequest, frozen=True, kw_only=True):
    pin: Pin = ""
    """It opens the seat again; staff can, too."""


class ReturnToSeat(SeatRequest, frozen=True, kw_only=True):
    pin: Pin = ""


class NameSeat(SeatRequest, frozen=True, kw_only=True):
    """The player's name."""

    name: str
    """Empty for the number of the terminal."""


class CallService(SeatRequest, frozen=True, kw_only=True): ...


class AnswerService(SeatRequest, frozen=True, kw_only=True):
    """A member of staff has come."""


class PutPuckOff(SeatRequest, frozen=True, kw_only=True):
    seat: int = 0
    """0 for the dealer."""


class LoseLink(SeatRequest, frozen=True, kw_only=True): ...


class RestoreLink(SeatRequest, frozen=True, kw_only=True): ...


class HandOver(SeatRequest, frozen=True, kw_only=True):
    """Another visitor of a demonstration sits down: the credit and the wagers are theirs from now on."""


class PayByHand(SeatRequest, frozen=True, kw_only=True): ...


class ClearTable(Request, frozen=True, kw_only=True):
    """A supervisor clears a table that was locked up by its door."""


class ClearLockup(SeatRequest, frozen=True, kw_only=True): ...


class CancelPrint(SeatRequest, frozen=True, kw_only=True):
    """Two people cancel a ticket whose printer will not say what became of it; a hand pay is due (ruling 57)."""


class PrintTest(SeatRequest, frozen=True, kw_only=True):
    """Staff print a page that is worth nothing."""


class PrintCopy(SeatRequest, frozen=True, kw_only=True):
    """Staff print a ticket of this seat again, marked as a copy that cannot be redeemed."""

    number: TicketNumber


class SettleDevice(SeatRequest, frozen=True, kw_only=True):
    """Two people accept what a device has counted after some of its reports were lost."""

    device: str


class RemoveDevice(SeatRequest, frozen=True, kw_only=True):
    """A device was revoked or replaced: what it held, printed or reported no longer waits for it."""

    device: str


class DistrustDevice(SeatRequest, frozen=True, kw_only=True):
    """A device repeated a report with another content."""

    device: str


class Tick(Request, frozen=True, kw_only=True):
    """Time has passed."""


class OpenBets(Request, frozen=True, kw_only=True): ...


class CloseBets(Request, frozen=True, kw_only=True): ...


class RollDice(Request, frozen=True, kw_only=True):
    """The automated table rolls, without waiting for the shooter."""


class EnterDice(Request, frozen=True, kw_only=True):
    dice: Dice


class ConfirmDice(Request, frozen=True, kw_only=True): ...


class CallNoRoll(Request, frozen=True, kw_only=True):
    reason: NoRoll


class ReverseRoll(Request, frozen=True, kw_only=True):
    dice: Dice


class NameShooter(Request, frozen=True, kw_only=True):
    seat: int


class PauseTable(Request, frozen=True, kw_only=True): ...


class ResumeTable(Request, frozen=True, kw_only=True): ...


class Restart(Request, frozen=True, kw_only=True):
    """The program that runs the table starts again."""


class SelectMode(Request, frozen=True, kw_only=True):
    mode: Mode


class SignIn(Request, frozen=True, kw_only=True):
    """A dealer takes the table; the facts name the dealer."""


class SignOut(Request, frozen=True, kw_only=True): ...


class ChangeSetting(Request, frozen=True, kw_only=True):
    key: str
    text: str


# --- Reports ---


class Reported(Struct, frozen=True, kw_only=True):
    """A signal of a device, with its origin."""

    signal: AnySignal
    seat: int = 0
    """Where the device is; 0 for the table's own doors and the dealer's key."""
    kind: DeviceKind = "doors"
    device: str = ""
    """The id of the enrolled device; empty in scripts, where nothing gets lost."""
    boot: str = ""
    seq: int = 0
    at_ms: int = 0
    """The device's own time."""


class Facts(Struct, frozen=True, kw_only=True):
    """What only the house knows."""

    now_ms: int = 0
    stopped_ms: int = 0
    """At a restart: when the table last ran."""
    actor: str = ""
    approver: str = ""
    """The second person, if two are needed."""
    dice: Dice | None = None
    """What the generator would roll now."""
    power: dict[str, Literal["low", "high"]] | None = {}
    """The Power Odds draw; None before it is drawn: a decider that closes bets asks for it."""
    draw: str = ""
    """The generator and its draw that gave the dice: `kernel dice 17`."""
    flies: bool = False
    """Screens show how generated dice fly, so they count when they land."""
    power_draw: str = ""
    """The generator and its draw that gave the Power Odds: `kernel power 4`."""
    ticket: TicketIn | None = None
    """The inserted ticket, with value 0 if it is not valid; None before it is looked up."""
    ticket_number: str | None = None
    """The number of the ticket to print; None before it is drawn."""
    printers: dict[int, Literal["ready", "away"]] | None = None
    """By seat with a printer, whether it is connected. None: every seat has one that is."""
    keys: dict[int, bool] | None = None
    """By seat with a key switch, and 0 for the dealer's, whether it is connected. None: there is one everywhere."""
    bills_cents: tuple[int, ...] = ()
    """The bills that an acceptor takes; if empty, any amount."""
    drawer: str = ""
    """The badge of the person who asks, if they have a cash drawer open."""
    second_over_cents: int = 1_000_000
    """Cash over this amount needs a second person."""
    meters: dict[str, Reading] = {}
    """The progressive meters, by key."""
    terms: dict[str, MeterTerms] = {}
    """The terms of meters, by key; the default is the table's game (ruling 38)."""
    pin_mark: str = ""
    """A keyed hash of the entered PIN: the journal never contains the PIN itself."""
    emulator: str = ""
    """At a demonstration, the address of the page with the emulated devices."""
    forbidden: str = ""
    """Why the jurisdiction lock forbids the change of a setting; empty if it does not."""
    unfit: str = ""
    """How the changed game would contradict its meters; empty if it would not."""

    def printer(self, seat: int) -> Literal["none", "ready", "away"]:
        return "ready" if self.printers is None else self.printers.get(seat, "none")

    def key(self, seat: int) -> Literal["none", "ready", "away"]:
        """The key switch of a seat, or with 0 that of the dealer."""
        if self.keys is None:
            return "ready"
        return "none" if seat not in self.keys else "ready" if self.keys[seat] else "away"


class Needs(Struct, frozen=True):
    """What the house must supply before a request can be accepted. Nothing is drawn for a refused request."""

    what: Literal["dice", "power", "ticket", "ticket_number"]


# --- Refusals ---


class Refusal(Spoken):
    """Why the table refuses a request, in the order in which it is checked: the table, the seat, the money. Between
    the seat and the money the felt has reasons of its own: `Reason`."""

    COMMAND_OF_ANOTHER = "command_of_another", "This command id is another user's."
    TOO_MANY_TRIES = "too_many_tries", "The request could not be decided; try again."
    NO_SUCH_SEAT = "no_such_seat", "There is no such seat."
    NO_SUCH_BUTTON = "no_such_button", "This game has no such button."
    NO_SUCH_SETTING = "no_such_setting", "This change is not possible."
    FORBIDDEN = "forbidden", "The jurisdiction lock forbids it."
    TABLE_PAUSED = "table_paused", "The table is paused."
    TABLE_LOCKED_UP = "table_locked_up", "The table is locked because of its doors; staff must clear it."
    WRONG_MODE = "wrong_mode", "Not in this mode of play."
    WRONG_PHASE = "wrong_phase", "Not at this point of the round."
    NEEDS_DEALER = "needs_dealer", "Only with a dealer signed in."
    NEEDS_TWO = "needs_two", "This needs two people."
    NOTHING_TO_REVERSE = "nothing_to_reverse", "There is no roll that could be reversed."
    NO_DICE = "no_dice", "No dice have been entered."
    BAD_DICE = "bad_dice", "Dice show 1 to 6."
    SAME_DICE = "same_dice", "These dice were already counted."
    WAGERS_LIE = "wagers_lie", "Only while no locked or side wagers are on the felt."
    LOCKED_UP = "locked_up", "The seat is locked up; staff must clear it."
    CANNOT_CLEAR = "cannot_clear", "It cannot be cleared yet."
    CAGE_ORDER = "cage_order", "Open the main door of the cage again, then close its security door first."
    NEEDS_KEY = "needs_key", "Only with the key switch turned."
    RESERVED = "reserved", "The seat is reserved."
    NEEDS_PIN = "needs_pin", "Enter the seat's PIN, or ask staff."
    NEEDS_STAFF = "needs_staff", "The PIN was wrong too often: staff must open the seat."
    NOT_LINKED = "not_linked", "The seat is not connected."
    POP_UP_OPEN = "pop_up_open", "First answer the open question."
    NO_POP_UP = "no_pop_up", "There is no question to answer."
    NOT_SHOOTER = "not_shooter", "This seat does not shoot."
    NOT_ELIGIBLE = "not_eligible", "That seat may not shoot."
    NOTHING_TO_UNDO = "nothing_to_undo", "There is nothing to undo."
    NO_OFFER = "no_offer", "There is no such offer."
    NO_SUCH_SLOT = "no_such_slot", "Favourites are numbered from 1 to 8."
    NO_FAVOURITE = "no_favourite", "No favourite is saved here."
    NEEDS_ENABLING = "needs_enabling", "Only with a Pass, Don't Pass, Field or one-roll wager and a point."
    NOTHING_TO_DO = "nothing_to_do", "There is nothing to apply this to."
    PUCK_NEEDED = "puck_needed", "A wager depends on the puck, or the puck is already off."
    BAD_NAME = "bad_name", "A name has at most 16 letters, digits, spaces and - ' . only."
    BAD_AMOUNT = "bad_amount", "This is not a valid amount."
    PRINTING = "printing", "First the printer must finish."
    NO_SUCH_TICKET = "no_such_ticket", "This seat printed no such ticket lately."
    NO_SUCH_DEVICE = "no_such_device", "There is no such device here, or it has reported nothing yet."
    DEVICE_TRUSTED = "device_trusted", "The device is trusted; there is nothing to settle."
    NEEDS_TOTALS = "needs_totals", "First the device must report its totals; it has been asked for them."
    NO_DRAWER = "no_drawer", "First open a cash drawer."
    TICKET_NOT_GOOD = "ticket_not_good", "The ticket is not valid."
    NO_TICKET = "no_ticket", "No ticket can be printed now."
    FELT_NOT_EMPTY = "felt_not_empty", "Only with an empty felt."
    HAND_PAY_DUE = "hand_pay_due", "First a hand pay must be paid."
    CREDIT_SHORT = "credit_short", "Not enough credit."


# msgspec has no union of two enums of text. A refusal is only ever written, never read back.
if TYPE_CHECKING:
    Why = Reason | Refusal
else:
    Why = Any


class Refused(Struct, frozen=True):
    """A refused request: why, and the detail, if that helps."""

    why: Why
    detail: str | Detailed = ""
    """The id of a bet, or more by key."""

    def __str__(self) -> str:
        return self.why.in_full(self.detail)


# --- Events ---


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", tag=_snake):
    """Something that happened; its transfers balance."""

    transfers: tuple[Transfer, ...] = ()

    @property
    def claims(self) -> tuple[str, ...]:
        """Names that can be taken only once: a ticket's number, its redemption, a jackpot."""
        return ()


class SeatEvent(Event, frozen=True, kw_only=True):
    seat: int


class MoneyIn(SeatEvent, frozen=True, kw_only=True):
    """Credit came to the seat."""

    cents: int
    at_ms: int = 0


class CashInserted(MoneyIn, frozen=True, kw_only=True):
    note: int = 0
    """The acceptor's number of the bill."""
    device: str = ""
    """That acceptor; empty in older journals."""
    other: bool = False
    """It is none of the house's bills; all such have one meter."""


class CreditGiven(MoneyIn, frozen=True, kw_only=True):
    """Staff took cash and gave credit; the number of the record is that of the receipt."""

    by: str
    """The badge whose drawer the cash went into."""
    approver: str = ""
    """The second person, if the amount needed two."""


class TicketRedeemed(MoneyIn, frozen=True, kw_only=True):
    number: str
    note: int = 0
    """The acceptor's number of the ticket."""
    device: str = ""
    """That acceptor; empty in older journals."""

    @property
    def claims(self) -> tuple[str, ...]:
        return (ticket_claim(self.number, "redeemed"),)


class TicketIssued(SeatEvent, frozen=True, kw_only=True):
    number: str
    cents: int
    at_ms: int = 0
    expires_at_ms: int = 0
    """0 for never, without a clock."""

    @property
    def claims(self) -> tuple[str, ...]:
        return (ticket_claim(self.number, "issued"),)


class TicketReserved(TicketIssued, frozen=True, kw_only=True):
    """Credit waits for the printer. Its number is taken before any paper can have it."""

    kind: TicketKind


class PrintedIssue(TicketIssued, frozen=True, kw_only=True):
    """A ticket is on paper."""

    reserved: bool = False
    """It was reserved first; in older journals a ticket was printed by being booked."""

    @property
    def claims(self) -> tuple[str, ...]:
        return (ticket_claim(self.number, "printed" if self.reserved else "issued"),)


class TicketPrinted(PrintedIssue, frozen=True, kw_only=True):
    """The credit left the seat."""


class Tipped(PrintedIssue, frozen=True, kw_only=True):
    """The dealer got a tip ticket."""


class PrintBegan(SeatEvent, frozen=True, kw_only=True):
    job: str


class PrintEnded(SeatEvent, frozen=True, kw_only=True):
    """A reserved ticket will never be valid."""

    number: str
    cents: int
    kind: TicketKind
    why: str

    @property
    def claims(self) -> tuple[str, ...]:
        return (ticket_claim(self.number, "redeemed"),)


class PrintFailed(PrintEnded, frozen=True, kw_only=True):
    """No paper has the number: its money is credit again."""


class TicketCancelled(PrintEnded, frozen=True, kw_only=True):
    """Nobody knows whether it is on paper: its number is spent and its money is due by hand (ruling 57)."""

    by: str = ""
    """Who cancelled it, with a second person; empty if the printer reported it."""
    approver: str = ""


class PrintedTicket(Struct, frozen=True):
    kind: TicketKind
    number: str
    cents: int
    at_ms: int
    expires_at_ms: int


class PaperAsked(SeatEvent, frozen=True, kw_only=True):
    """Staff want paper that is worth nothing: a test, or the copy of a ticket."""

    job: str
    kind: PaperKind
    of: PrintedTicket | None = None
    """The ticket of a copy."""


class PaperDone(SeatEvent, frozen=True, kw_only=True):
    job: str
    why: str = ""
    """Why it failed; empty if it is printed."""


class PrintedLate(SeatEvent, frozen=True, kw_only=True):
    """A slip is on paper for which the table no longer waits, such as a cancelled ticket. It is worth nothing."""

    number: str
    """The number of the ticket, or another name for paper that never was worth anything."""


class PaperEvent(SeatEvent, frozen=True, kw_only=True):
    """About a bill or a ticket in an acceptor."""

    note: int
    """The acceptor's number of it."""
    device: str = ""
    """That acceptor; empty in older journals."""


class BillHeld(PaperEvent, frozen=True, kw_only=True):
    """A bill in escrow may be stacked."""

    cents: int


class TicketHeld(PaperEvent, frozen=True, kw_only=True):
    """A ticket in escrow may be stacked; until then nobody else can redeem it."""

    number: str
    cents: int
    hold: int

    @property
    def claims(self) -> tuple[str, ...]:
        return (hold_claim(self.number, "held", self.hold),)


class TicketReleased(SeatEvent, frozen=True, kw_only=True):
    """A held ticket can be redeemed again."""

    number: str
    hold: int

    @property
    def claims(self) -> tuple[str, ...]:
        return (hold_claim(self.number, "released", self.hold),)


class PaperRefused(PaperEvent, frozen=True, kw_only=True):
    """A bill or a ticket in escrow must go back."""

    why: str
    """The name of the refusal."""
    cents: int = 0
    number: str = ""


class PaperReturned(PaperEvent, frozen=True, kw_only=True):
    """A bill or a ticket in escrow went back to the player."""

    why: str = ""


class PaperUnaccounted(PaperEvent, frozen=True, kw_only=True):
    """Nothing says where a bill or a ticket ended. The seat locks up."""

    after: str
    cents: int = 0
    number: str = ""


class Stacked(Struct, frozen=True, omit_defaults=True):
    """What a stacker contains."""

    bills: dict[int, int] = {}
    """By value in cents, how many."""
    tickets: int = 0

    def plus(self, other: Stacked, sign: int = 1) -> Stacked:
        values = sorted({*self.bills, *other.bills})
        bills = {cents: self.bills.get(cents, 0) + sign * other.bills.get(cents, 0) for cents in values}
        return Stacked(
            {cents: count for cents, count in bills.items() if count}, self.tickets + sign * other.tickets
        )

    def minus(self, other: Stacked) -> Stacked:
        return self.plus(other, -1)

    @property
    def cents(self) -> int:
        """What the bills are worth."""
        return sum(cents * count for cents, count in self.bills.items())


class Dropped(SeatEvent, frozen=True, kw_only=True):
    """The stacker was taken out: what it contains by the acceptor's count and by the journal's."""

    counted: Stacked
    booked: Stacked


class StackerBack(SeatEvent, frozen=True, kw_only=True): ...


class HandPayCalled(SeatEvent, frozen=True, kw_only=True):
    cents: int


class HandPaid(SeatEvent, frozen=True, kw_only=True):
    cents: int
    approver: str = ""
    """The second person, if it needed two."""
    left: bool = False
    """To a player who had left before a reversal."""


class StayEnded(SeatEvent, frozen=True, kw_only=True):
    """Credit and wagers are gone and no hand pay is due: the next player inherits nothing (ruling 29)."""


class FeltEvent(SeatEvent, frozen=True, kw_only=True):
    """The seat has a new felt."""

    felt: Felt


class BetPlaced(FeltEvent, frozen=True, kw_only=True):
    spot: str
    cents: int
    fee_cents: int = 0


class BetTaken(FeltEvent, frozen=True, kw_only=True):
    spot: str
    cents: int


class BetsSwitched(FeltEvent, frozen=True, kw_only=True):
    on: bool
    spots: tuple[str, ...]


class ButtonPressed(FeltEvent, frozen=True, kw_only=True):
    button: Button
    spots: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    """What Repeat left out, because the game or its limits do not allow it."""


class FavouriteSaved(SeatEvent, frozen=True, kw_only=True):
    slot: int
    stakes: dict[str, int]
    """By spot."""


class FavouritePlaced(FeltEvent, frozen=True, kw_only=True):
    slot: int
    spots: tuple[str, ...]
    refused: dict[str, str] = {}
    """By spot that was not bet, or not in full: the reason."""


class FavouriteRemoved(SeatEvent, frozen=True, kw_only=True):
    slot: int


class BetPressedByWin(FeltEvent, frozen=True, kw_only=True):
    spot: str
    cents: int


class BetMoved(FeltEvent, frozen=True, kw_only=True):
    spot: str
    to: str


class BetsRepeated(FeltEvent, frozen=True, kw_only=True):
    """Keep Bets On or auto-repeat put bets back when bets opened."""

    spots: tuple[str, ...]


class Undone(FeltEvent, frozen=True, kw_only=True): ...


class PopUpOpened(SeatEvent, frozen=True, kw_only=True):
    """The player must accept a fee first."""

    asked: PlaceBet | PressButton | MoveBet | CarryBet | PlaceFavourite
    fee_cents: int


class PopUpClosed(SeatEvent, frozen=True, kw_only=True):
    accepted: bool


class SwitchSet(SeatEvent, frozen=True, kw_only=True):
    switch: SeatSwitch
    on: bool
    why: str = ""
    """Why it switched itself off."""


class DenominationChosen(SeatEvent, frozen=True, kw_only=True):
    """The value of one credit at the seat, until the stay ends."""

    cents: int


class RollPressed(SeatEvent, frozen=True, kw_only=True): ...


class SeatReserved(SeatEvent, frozen=True, kw_only=True):
    until_ms: int
    pin_mark: str = ""


class PinMissed(SeatEvent, frozen=True, kw_only=True):
    """A wrong PIN was entered at a reserved seat."""


class SeatReturned(SeatEvent, frozen=True, kw_only=True): ...


class SeatNamed(SeatEvent, frozen=True, kw_only=True):
    name: str


class ServiceCalled(SeatEvent, frozen=True, kw_only=True): ...


class ServiceAnswered(SeatEvent, frozen=True, kw_only=True): ...


class LinkLost(SeatEvent, frozen=True, kw_only=True): ...


class LinkRestored(SeatEvent, frozen=True, kw_only=True): ...


class SeatHandedOver(SeatEvent, frozen=True, kw_only=True):
    """A stay begins with the credit and the wagers of the last one; nothing else of that remains."""

    cents: int
    """Of the credit and the wagers."""
    at_ms: int


class DoorOpened(SeatEvent, frozen=True, kw_only=True):
    door: Door
    moved_ms: int = 0
    """When it moved, by the device's clock; 0 in older journals."""
    how: KnownBy = "live"


class DoorClosed(SeatEvent, frozen=True, kw_only=True):
    door: Door
    moved_ms: int = 0
    how: KnownBy = "live"
    out_of_order: bool = False
    """The main door of a cage was closed while its security door was open."""


class TableDoorOpened(Event, frozen=True, kw_only=True):
    door: TableDoor
    left_ms: int = 0
    """What is left of the phase whose clock stops; 0 if there is no clock or it runs on."""
    moved_ms: int = 0
    how: KnownBy = "live"


class TableDoorClosed(Event, frozen=True, kw_only=True):
    door: TableDoor
    moved_ms: int = 0
    how: KnownBy = "live"


class TableLockedUp(Event, frozen=True, kw_only=True):
    """The table's own doors and key are not trusted, so it stops as for an open door."""

    left_ms: int = 0
    """As for a door."""


class TableCleared(Event, frozen=True, kw_only=True):
    """The table continues after it was locked up."""

    deadline_ms: int = 0
    left_ms: int = 0
    """If the table is paused: what is left of the phase."""


class SeatLockedUp(SeatEvent, frozen=True, kw_only=True):
    why: Part
    fault: str = ""
    """What the device calls it, until it says that it is over."""
    code: int = 0


class PartRepaired(SeatEvent, frozen=True, kw_only=True):
    """A device works again. Its lock-up remains until staff clear it."""

    part: Part
    fault: str


class KeyTurned(SeatEvent, frozen=True, kw_only=True):
    on: bool
    moved_ms: int = 0
    how: KnownBy = "live"


class TableKeyTurned(Event, frozen=True, kw_only=True):
    """The key switch of the dealer terminal."""

    on: bool
    moved_ms: int = 0
    how: KnownBy = "live"


class DeviceEvent(Event, frozen=True, kw_only=True):
    """About a device, which may belong to no seat."""

    device: str
    at_seat: int = 0


class SignalHeard(DeviceEvent, frozen=True, kw_only=True):
    """The first event of a device's report."""

    kind: DeviceKind
    boot: str
    seq: int
    at_ms: int
    """The device's own time."""
    digest: str
    """SHA-256 of the signal."""


class DeviceDistrusted(DeviceEvent, frozen=True, kw_only=True):
    """Reports of a device are missing, or one was repeated with another content. Two people must settle it."""

    why: Literal["gap", "changed", "odd"]
    """A number is missing; a repeated report differs; paper contradicts what was reported of it."""
    expected: int = 0
    found: int = 0


class TotalsHeard(DeviceEvent, frozen=True, kw_only=True):
    """What a device has counted since it was enrolled."""

    counted: Stacked
    slips: int = 0


class DeviceSettled(DeviceEvent, frozen=True, kw_only=True):
    """Two people accepted a device's totals. What it counted more than the journal is in the differences; that of
    bills is booked to `over_short`."""

    difference_cents: int
    difference_tickets: int = 0
    difference_slips: int = 0
    by: str
    approver: str


class DeviceRemoved(DeviceEvent, frozen=True, kw_only=True):
    """A device was revoked or replaced. Its faults end with it."""

    kind: DeviceKind
    distrusted: bool = False
    """Nobody settled its lost reports."""


class ProgramHeard(DeviceEvent, frozen=True, kw_only=True):
    """The program that drives a device."""

    version: str
    sha256: str


class LockupCleared(SeatEvent, frozen=True, kw_only=True): ...


class TableOpened(Event, frozen=True, kw_only=True):
    """The first event of a table's journal."""

    game: Game
    fingerprint: str


class DealerSignedIn(Event, frozen=True, kw_only=True):
    dealer: str


class DealerSignedOut(Event, frozen=True, kw_only=True):
    dealer: str


class ModeSelected(Event, frozen=True, kw_only=True):
    mode: Mode


class SettingChanged(Event, frozen=True, kw_only=True):
    """From here on the table plays another game."""

    key: str
    before: str
    after: str
    by: str
    approver: str = ""
    """The second person, if the setting needs two."""
    game: Game
    fingerprint: str
    hand: Hand
    """As before, or with the puck off if the game no longer has its point."""


class BetsReturned(FeltEvent, frozen=True, kw_only=True):
    """The house returned wagers: after a change of settings, a cash-out that drops marks, or a close without a
    roll."""

    unqualified: tuple[str, ...] = ()
    """Spots whose side wagers no longer qualified (ruling 35)."""


class BetsOpened(Event, frozen=True, kw_only=True):
    round: int
    closes_at_ms: int
    """0 without a timer."""
    again: bool = False
    """No wager was live, so the bet time starts again, without earlier questions and offers (ruling 26)."""


class BetTimeSet(Event, frozen=True, kw_only=True):
    """The bet time begins with the first wager that can be rolled for. Without one nobody waits."""

    closes_at_ms: int
    """0: the last such wager is gone."""


class SeatClosed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat when bets closed."""

    seat: int
    felt: Felt
    bet_cents: int
    """All money on the felt."""
    handle: dict[str, int] = {}
    """By bet: what counts as a new wager."""
    sits_out: bool = False
    stakes: dict[str, int] = {}
    """By spot, for Repeat."""
    returned: dict[str, int] = {}
    """By spot: side wagers that no longer qualified and went back."""


class BetsClosed(Event, frozen=True, kw_only=True):
    seats: tuple[SeatClosed, ...]
    power: dict[str, Literal["low", "high"]]
    draw: str = ""
    """The draw that gave the Power Odds."""
    remainders: dict[str, Fraction] = {}
    """By progressive account: the carried fraction of a cent."""


class ShooterChosen(Event, frozen=True, kw_only=True):
    """Seat 0 if nobody shoots and the table rolls automatically."""

    seat: int
    shoots_by_ms: int


class ShooterNamed(Event, frozen=True, kw_only=True):
    """The dealer named the shooter of the coming roll, while bets are open."""

    seat: int


class DiceEntered(Event, frozen=True, kw_only=True):
    dice: Dice


class NoRollCalled(Event, frozen=True, kw_only=True):
    reason: NoRoll


class DiceThrown(Event, frozen=True, kw_only=True):
    """Generated dice fly. `DiceRolled` follows when they land."""

    dice: Dice
    draw: str
    lands_at_ms: int
    flight_ms: int


class DiceRolled(Event, frozen=True, kw_only=True):
    dice: Dice
    draw: str = ""
    """The draw that gave them; empty if a dealer entered them."""
    roll_count: int
    """Of the hand, including this roll."""
    hand: Hand
    seven_out: bool
    ends_cycle: bool
    passes_dice: bool
    """The dice go to the next seat when bets close."""
    meters: dict[str, Reading] = {}
    """The progressive meters."""
    at_once: bool = False
    """Their flight was cut short: screens do not wait for its end."""


class WonOffer(Struct, frozen=True):
    """A Place bet that won may be pressed by this win, or this stake moved (RULES 3, ruling 11)."""

    kind: Literal["press", "move"]
    spot: str
    cents: int


class SeatSettled(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a roll did at a seat."""

    seat: int
    felt: Felt
    lines: tuple[Line, ...]
    paid_cents: int
    offers: tuple[WonOffer, ...] = ()
    awards: dict[str, int] = {}
    """By meter: what it paid."""


class Settled(Event, frozen=True, kw_only=True):
    seats: tuple[SeatSettled, ...]
    envy_cents: int = 0
    next_at_ms: int = 0
    """When bets open again; 0 if a person opens them."""
    under_a_cent: Fraction = Fraction(0)
    """Fractions of a cent that rounding kept, in cents."""
    hits: dict[str, int] = {}
    """By won meter: the number of this hit."""
    hand_paid: dict[str, int] = {}
    """By side game: what the hand has paid in addition to stakes, including this roll; empty after the hand."""

    @property
    def claims(self) -> tuple[str, ...]:
        return tuple(jackpot_claim(meter, hit) for meter, hit in self.hits.items())


class RollVoided(Event, frozen=True, kw_only=True):
    """A confirmed roll was wrong; the table is as it was before it."""

    wrong: Dice
    by: str
    approver: str
    took: dict[int, int] = {}
    """By seat whose player has left since the roll: what that player took with them."""
    hand_pays: dict[int, int] = {}
    """By seat with a reduced hand pay: what is due now."""


class OwedToLeft(SeatEvent, frozen=True, kw_only=True):
    """The right dice give more to a player who has left; it is paid by hand."""

    cents: int


class PuckPutOff(Event, frozen=True, kw_only=True):
    felts: tuple[tuple[int, Felt], ...]
    """By seat."""
    hand: Hand


class TablePaused(Event, frozen=True, kw_only=True):
    left_ms: int


class TableResumed(Event, frozen=True, kw_only=True):
    deadline_ms: int
