"""The whole vocabulary of a table: what may be asked, what only the house knows, what happened, and every "no".

A `Request` is a gesture and cannot name a fact. `Facts` are what only the house knows: time, who, dice, draws,
values of tickets, readings of meters. An `Event` is closed: it carries next states, stakes, payments and transfers,
so that a later change of the rules never rewrites what happened. A `Refusal` changes nothing.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from stickman.rules.felt import Felt, Hand, Line, Reason
from stickman.rules.game import Game
from stickman.rules.schema import MeterTerms
from stickman.rules.spoken import Spoken
from stickman.table.ledger import Transfer, jackpot_claim, ticket_claim

Button = Literal[
    "across", "inside", "outside", "press", "double", "repeat", "clear_last", "clear_all", "cancel_all"
]  # fmt: skip
SeatSwitch = Literal["keep_bets", "auto_repeat", "shooter_play"]
NoRoll = Literal["off_table", "cocked", "stacked", "short", "other"]
Mode = Literal["automated", "dealer_assisted"]
TerminalDoor = Literal["terminal_logic", "acceptor_and_printer", "cage_main", "cage_security"]
TableDoor = Literal["centre_unit", "power", "network"]
Door = TerminalDoor | TableDoor
"""Journals of earlier versions have doors of the table at seats."""
Part = Literal["printer", "acceptor"]
Dice = tuple[int, int]


class Reading(NamedTuple):
    """A progressive meter: what it shows, and how often it has been hit."""

    cents: int
    hits: int = 0


class TicketIn(NamedTuple):
    """A ticket that the house looked up: its number in the one form that claims it, and what it is worth."""

    number: str
    cents: int


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


# --- What may be asked ---


class Request(Struct, frozen=True, kw_only=True, tag_field="do", tag=_snake, forbid_unknown_fields=True):
    """A gesture."""


class SeatRequest(Request, frozen=True, kw_only=True):
    """A gesture at a seat."""

    seat: int


class InsertCash(SeatRequest, frozen=True, kw_only=True):
    cents: int


TicketNumber = Annotated[
    str, Meta(pattern=r"\A[0-9]{18}\Z", max_length=18, description="The eighteen digits of a ticket.")
]


class InsertTicket(SeatRequest, frozen=True, kw_only=True):
    number: TicketNumber


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


class Undo(SeatRequest, frozen=True, kw_only=True):
    pass


class AnswerPopUp(SeatRequest, frozen=True, kw_only=True):
    accept: bool


class PressByWin(SeatRequest, frozen=True, kw_only=True):
    spot: str


class MoveBet(SeatRequest, frozen=True, kw_only=True):
    spot: str
    to: str


class PressRoll(SeatRequest, frozen=True, kw_only=True):
    pass


class Shoot(SeatRequest, frozen=True, kw_only=True):
    pass


class ChooseDenomination(SeatRequest, frozen=True, kw_only=True):
    cents: int


class GiveTip(SeatRequest, frozen=True, kw_only=True):
    cents: int


class CashOut(SeatRequest, frozen=True, kw_only=True):
    pass


Pin = Annotated[str, Meta(pattern=r"\A([0-9]{4,8})?\Z", max_length=8, description="Four to eight digits, or none.")]


class ReserveSeat(SeatRequest, frozen=True, kw_only=True):
    pin: Pin = ""
    """What opens the seat again, beside staff."""


class ReturnToSeat(SeatRequest, frozen=True, kw_only=True):
    pin: Pin = ""


class NameSeat(SeatRequest, frozen=True, kw_only=True):
    """What the player would be called."""

    name: str
    """Empty: the number of the terminal."""


class CallService(SeatRequest, frozen=True, kw_only=True):
    pass


class AnswerService(SeatRequest, frozen=True, kw_only=True):
    """Somebody of the staff has come."""


class PutPuckOff(SeatRequest, frozen=True, kw_only=True):
    seat: int = 0
    """0: the dealer."""


class LoseLink(SeatRequest, frozen=True, kw_only=True):
    pass


class RestoreLink(SeatRequest, frozen=True, kw_only=True):
    pass


class PayByHand(SeatRequest, frozen=True, kw_only=True):
    pass


class OpenDoor(SeatRequest, frozen=True, kw_only=True):
    """A door of the terminal is opened."""

    door: TerminalDoor = "terminal_logic"


class CloseDoor(SeatRequest, frozen=True, kw_only=True):
    door: Door = "terminal_logic"


class OpenTableDoor(Request, frozen=True, kw_only=True):
    """A door of the table is opened; it belongs to no seat."""

    door: TableDoor


class CloseTableDoor(Request, frozen=True, kw_only=True):
    door: TableDoor


class ClearTable(Request, frozen=True, kw_only=True):
    """A supervisor clears what a door of the table locked up."""


class ReportFault(SeatRequest, frozen=True, kw_only=True):
    """The terminal says that a part of it has failed."""

    part: Part


class TurnKey(SeatRequest, frozen=True, kw_only=True):
    """The key switch of the terminal."""

    on: bool


class ClearLockup(SeatRequest, frozen=True, kw_only=True):
    pass


class Tick(Request, frozen=True, kw_only=True):
    """Time has passed."""


class OpenBets(Request, frozen=True, kw_only=True):
    pass


class CloseBets(Request, frozen=True, kw_only=True):
    pass


class RollDice(Request, frozen=True, kw_only=True):
    """The automated table rolls, without waiting for the shooter."""


class EnterDice(Request, frozen=True, kw_only=True):
    dice: Dice


class ConfirmDice(Request, frozen=True, kw_only=True):
    pass


class CallNoRoll(Request, frozen=True, kw_only=True):
    reason: NoRoll


class ReverseRoll(Request, frozen=True, kw_only=True):
    dice: Dice


class NameShooter(Request, frozen=True, kw_only=True):
    seat: int


class PauseTable(Request, frozen=True, kw_only=True):
    pass


class ResumeTable(Request, frozen=True, kw_only=True):
    pass


class Restart(Request, frozen=True, kw_only=True):
    """The program that keeps the table starts again."""


class SelectMode(Request, frozen=True, kw_only=True):
    mode: Mode


class SignIn(Request, frozen=True, kw_only=True):
    """A dealer takes the table; who, the facts say."""


class SignOut(Request, frozen=True, kw_only=True):
    pass


class ChangeSetting(Request, frozen=True, kw_only=True):
    key: str
    text: str


class Facts(Struct, frozen=True, kw_only=True):
    """What only the house knows."""

    now_ms: int = 0
    stopped_ms: int = 0
    """At a restart: when the table was last known to run."""
    actor: str = ""
    approver: str = ""
    """The second person, where two are needed."""
    dice: Dice | None = None
    """What the generator would roll now."""
    power: dict[str, Literal["low", "high"]] | None = {}
    """The Power Odds draw; None: nothing has been drawn yet, and a decider that closes bets asks for it."""
    draw: str = ""
    """Which use of which generator gave the dice: `kernel dice 17`."""
    power_draw: str = ""
    """Which use of which generator gave the Power Odds: `kernel power 4`."""
    ticket: TicketIn | None = None
    """The ticket that is being inserted, worth nothing where it is not valid; None: nobody has looked it up yet."""
    ticket_number: str | None = None
    """The number of the ticket that is printed now; empty: none can be printed; None: none has been drawn yet."""
    bills_cents: tuple[int, ...] = ()
    """The bills that an acceptor takes; none: any amount, as scripts put in."""
    drawer: str = ""
    """The badge of whoever asks, where they have a cash drawer open."""
    second_over_cents: int = 1_000_000
    """Cash over this changes hands only with a second person."""
    meters: dict[str, Reading] = {}
    """By key, what the progressive meters read."""
    terms: dict[str, MeterTerms] = {}
    """By key, what the meters own; one that is not here has what the table's game says (ruling 38)."""
    pin_mark: str = ""
    """What the house makes of the PIN that was given: the journal never has the PIN itself."""
    demo: bool = False
    """The floor is open to be looked at, and money is put in on the screen."""
    forbidden: str = ""
    """Why the jurisdiction lock does not let the setting be changed so; empty where it does."""
    unfit: str = ""
    """How the game would differ from the meters that it plays, were the setting changed so; empty where it would
    not."""


class Needs(Struct, frozen=True):
    """What a decider asks of the house before it can say yes. Nothing is drawn for a request that is refused."""

    what: Literal["dice", "power", "ticket", "ticket_number"]


# --- Every "no" ---


class Refusal(Spoken):
    """Why a request is refused, in the order in which it is checked: the table, the seat, the felt (its reasons, by
    the same names), the money."""

    COMMAND_OF_ANOTHER = "command_of_another", "This command id was used for another request."
    TOO_MANY_TRIES = "too_many_tries", "It could not be decided; ask again."
    NO_SUCH_SEAT = "no_such_seat", "There is no such seat."
    NO_SUCH_BUTTON = "no_such_button", "This game has no such button."
    NO_SUCH_SETTING = "no_such_setting", "The setting cannot be changed so."
    FORBIDDEN = "forbidden", "The jurisdiction lock forbids it."
    TABLE_PAUSED = "table_paused", "The table is paused."
    TABLE_LOCKED_UP = "table_locked_up", "A door of the table locked it up; staff must clear it."
    WRONG_MODE = "wrong_mode", "Not in this mode of play."
    WRONG_PHASE = "wrong_phase", "Not at this point of the round."
    NEEDS_DEALER = "needs_dealer", "Only with a dealer signed in."
    NEEDS_TWO = "needs_two", "This takes two people."
    NOTHING_TO_REVERSE = "nothing_to_reverse", "There is no roll that could be reversed."
    NO_DICE = "no_dice", "No dice have been entered."
    BAD_DICE = "bad_dice", "Dice show 1 to 6."
    SAME_DICE = "same_dice", "These are the dice that were counted."
    WAGERS_LIE = "wagers_lie", "Only while no locked or side wager lies."
    LOCKED_UP = "locked_up", "The seat is locked up; staff must clear it."
    CAGE_ORDER = "cage_order", "Open the main door of the cage again, then close its security door first."
    NEEDS_KEY = "needs_key", "Only with the key switch turned."
    RESERVED = "reserved", "The seat is reserved."
    NEEDS_PIN = "needs_pin", "Its PIN opens the seat, or staff."
    NEEDS_STAFF = "needs_staff", "The PIN was wrong too often: staff must open the seat."
    NOT_LINKED = "not_linked", "The seat is not connected."
    POP_UP_OPEN = "pop_up_open", "First answer the question that is open."
    NO_POP_UP = "no_pop_up", "There is no question to answer."
    NOT_SHOOTER = "not_shooter", "This seat does not shoot."
    NOT_ELIGIBLE = "not_eligible", "That seat may not shoot."
    NOTHING_TO_UNDO = "nothing_to_undo", "There is nothing to undo."
    NO_OFFER = "no_offer", "There is no such offer."
    NEEDS_ENABLING = "needs_enabling", "Only with a Pass, Don't Pass, Field or one-roll wager and a point."
    NOTHING_TO_DO = "nothing_to_do", "There is nothing to do it to."
    PUCK_NEEDED = "puck_needed", "A wager depends on the puck, or it is off already."
    NO_SUCH_BET = Reason.NO_SUCH_BET.value, Reason.NO_SUCH_BET.says
    TRAVELS_HERE = Reason.TRAVELS_HERE.value, Reason.TRAVELS_HERE.says
    NO_WAGER = Reason.NO_WAGER.value, Reason.NO_WAGER.says
    LOCKED = Reason.LOCKED.value, Reason.LOCKED.says
    NEVER_INCREASED = Reason.NEVER_INCREASED.value, Reason.NEVER_INCREASED.says
    COME_OUT_ONLY = Reason.COME_OUT_ONLY.value, Reason.COME_OUT_ONLY.says
    POINT_ONLY = Reason.POINT_ONLY.value, Reason.POINT_ONLY.says
    SINCE_POINT_ONLY = Reason.SINCE_POINT_ONLY.value, Reason.SINCE_POINT_ONLY.says
    NEEDS_FLAT = Reason.NEEDS_FLAT.value, Reason.NEEDS_FLAT.says
    HAND_START_ONLY = Reason.HAND_START_ONLY.value, Reason.HAND_START_ONLY.says
    AFTER_SEVEN_ONLY = Reason.AFTER_SEVEN_ONLY.value, Reason.AFTER_SEVEN_ONLY.says
    NEEDS_LINE = Reason.NEEDS_LINE.value, Reason.NEEDS_LINE.says
    NEEDS_MAIN = Reason.NEEDS_MAIN.value, Reason.NEEDS_MAIN.says
    BANNED = Reason.BANNED.value, Reason.BANNED.says
    EXCLUDED = Reason.EXCLUDED.value, Reason.EXCLUDED.says
    NOT_OFF_ABLE = Reason.NOT_OFF_ABLE.value, Reason.NOT_OFF_ABLE.says
    ALREADY_SO = Reason.ALREADY_SO.value, Reason.ALREADY_SO.says
    WRONG_STEP = Reason.WRONG_STEP.value, Reason.WRONG_STEP.says
    UNDER_MIN = Reason.UNDER_MIN.value, Reason.UNDER_MIN.says
    OVER_MAX = Reason.OVER_MAX.value, Reason.OVER_MAX.says
    OVER_ODDS = Reason.OVER_ODDS.value, Reason.OVER_ODDS.says
    UNDER_ODDS = Reason.UNDER_ODDS.value, Reason.UNDER_ODDS.says
    OVER_TOTAL = Reason.OVER_TOTAL.value, Reason.OVER_TOTAL.says
    BAD_NAME = "bad_name", "A name has at most 16 letters, figures, spaces and - ' . only."
    BAD_AMOUNT = "bad_amount", "Not an amount of money that could be meant."
    NO_DRAWER = "no_drawer", "First open a cash drawer."
    TICKET_NOT_GOOD = "ticket_not_good", "The ticket is not valid."
    NO_TICKET = "no_ticket", "No ticket can be printed now."
    FELT_NOT_EMPTY = "felt_not_empty", "Only with an empty felt."
    HAND_PAY_DUE = "hand_pay_due", "A hand pay is due first."
    CREDIT_SHORT = "credit_short", "Not enough credit."


class Refused(Struct, frozen=True):
    """A refused request: why, and what exactly where that helps."""

    why: Refusal
    detail: str = ""

    def __str__(self) -> str:
        return self.why.in_full(self.detail)


# --- What happened ---


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", tag=_snake):
    """Something that happened; its transfers balance."""

    transfers: tuple[Transfer, ...] = ()

    @property
    def claims(self) -> tuple[str, ...]:
        """What nobody else may do once this has happened: use a ticket's number, redeem it, win a jackpot."""
        return ()


class SeatEvent(Event, frozen=True, kw_only=True):
    seat: int


class MoneyIn(SeatEvent, frozen=True, kw_only=True):
    """Credit came to the seat."""

    cents: int
    at_ms: int = 0


class CashInserted(MoneyIn, frozen=True, kw_only=True):
    pass


class CreditGiven(MoneyIn, frozen=True, kw_only=True):
    """Staff took cash and gave credit; the record's number is the receipt's."""

    by: str
    """The badge whose drawer the cash went into."""
    approver: str = ""
    """The second person, where the amount took two."""


class TicketRedeemed(MoneyIn, frozen=True, kw_only=True):
    number: str

    @property
    def claims(self) -> tuple[str, ...]:
        return (ticket_claim(self.number, "redeemed"),)


class TicketIssued(SeatEvent, frozen=True, kw_only=True):
    number: str
    cents: int
    at_ms: int = 0
    expires_at_ms: int = 0
    """0: never, where nothing is known of the time."""

    @property
    def claims(self) -> tuple[str, ...]:
        return (ticket_claim(self.number, "issued"),)


class TicketPrinted(TicketIssued, frozen=True, kw_only=True):
    """The credit left the seat."""


class Tipped(TicketIssued, frozen=True, kw_only=True):
    """The dealer got a tip ticket."""


class HandPayCalled(SeatEvent, frozen=True, kw_only=True):
    cents: int


class HandPaid(SeatEvent, frozen=True, kw_only=True):
    cents: int
    approver: str = ""
    """The second person, where it took two."""
    left: bool = False
    """To a player who had left when a reversal found it owed."""


class StayEnded(SeatEvent, frozen=True, kw_only=True):
    """Credit and wagers are gone and nothing is due by hand: whoever comes next inherits nothing (ruling 29)."""


class FeltEvent(SeatEvent, frozen=True, kw_only=True):
    """The seat's felt is now this."""

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
    """What Repeat left out, for the game or its limits do not allow it."""


class BetPressedByWin(FeltEvent, frozen=True, kw_only=True):
    spot: str
    cents: int


class BetMoved(FeltEvent, frozen=True, kw_only=True):
    spot: str
    to: str


class BetsRepeated(FeltEvent, frozen=True, kw_only=True):
    """Keep Bets On or auto-repeat put bets back when bets opened."""

    spots: tuple[str, ...]


class Undone(FeltEvent, frozen=True, kw_only=True):
    pass


class PopUpOpened(SeatEvent, frozen=True, kw_only=True):
    """The player is asked to accept a fee before this is done."""

    asked: PlaceBet | PressButton | MoveBet
    fee_cents: int


class PopUpClosed(SeatEvent, frozen=True, kw_only=True):
    accepted: bool


class SwitchSet(SeatEvent, frozen=True, kw_only=True):
    switch: SeatSwitch
    on: bool
    why: str = ""
    """Why it switched itself off."""


class DenominationChosen(SeatEvent, frozen=True, kw_only=True):
    """What one credit is worth at the seat, until the stay ends."""

    cents: int


class RollPressed(SeatEvent, frozen=True, kw_only=True):
    pass


class SeatReserved(SeatEvent, frozen=True, kw_only=True):
    until_ms: int
    pin_mark: str = ""


class PinMissed(SeatEvent, frozen=True, kw_only=True):
    """A wrong PIN was given at a reserved seat."""


class SeatReturned(SeatEvent, frozen=True, kw_only=True):
    pass


class SeatNamed(SeatEvent, frozen=True, kw_only=True):
    name: str


class ServiceCalled(SeatEvent, frozen=True, kw_only=True):
    pass


class ServiceAnswered(SeatEvent, frozen=True, kw_only=True):
    pass


class LinkLost(SeatEvent, frozen=True, kw_only=True):
    pass


class LinkRestored(SeatEvent, frozen=True, kw_only=True):
    pass


class DoorOpened(SeatEvent, frozen=True, kw_only=True):
    door: Door


class DoorClosed(SeatEvent, frozen=True, kw_only=True):
    door: Door
    out_of_order: bool = False
    """The main door of a cage was closed while its security door was open."""


class TableDoorOpened(Event, frozen=True, kw_only=True):
    door: TableDoor
    left_ms: int = 0
    """What is left of the phase whose clock stops; 0: it has none, or goes on."""


class TableDoorClosed(Event, frozen=True, kw_only=True):
    door: TableDoor


class TableCleared(Event, frozen=True, kw_only=True):
    """What a door of the table had locked up goes on."""

    deadline_ms: int = 0
    left_ms: int = 0
    """Where the table is paused: what is left of the phase."""


class SeatLockedUp(SeatEvent, frozen=True, kw_only=True):
    why: Part


class KeyTurned(SeatEvent, frozen=True, kw_only=True):
    on: bool


class LockupCleared(SeatEvent, frozen=True, kw_only=True):
    pass


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
    """The table plays another game from here on."""

    key: str
    before: str
    after: str
    by: str
    approver: str = ""
    """The second person, where the setting takes two."""
    game: Game
    fingerprint: str
    hand: Hand
    """As it was, or with the puck off where the game no longer has its point."""


class BetsReturned(FeltEvent, frozen=True, kw_only=True):
    """The house gave wagers back: a change of settings, a cash-out that drops marks, a close without a roll."""

    unqualified: tuple[str, ...] = ()
    """Spots whose side wagers no longer qualified (ruling 35)."""


class BetsOpened(Event, frozen=True, kw_only=True):
    round: int
    closes_at_ms: int
    """0: no timer."""
    again: bool = False
    """Nothing was live, so the bet time starts again: questions and offers lapse (ruling 26)."""


class SeatClosed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat when bets closed."""

    seat: int
    felt: Felt
    bet_cents: int
    """All that lies."""
    handle: dict[str, int] = {}
    """By bet, what counts as a new wager."""
    sits_out: bool = False
    stakes: dict[str, int] = {}
    """By spot, for Repeat."""
    returned: dict[str, int] = {}
    """By spot, side wagers that no longer qualified and went back."""


class BetsClosed(Event, frozen=True, kw_only=True):
    seats: tuple[SeatClosed, ...]
    power: dict[str, Literal["low", "high"]]
    draw: str = ""
    """Which use of the generator gave the Power Odds."""
    remainders: dict[str, Fraction] = {}
    """By progressive account, the fraction of a cent carried."""


class ShooterChosen(Event, frozen=True, kw_only=True):
    """0: nobody, the table rolls by itself."""

    seat: int
    shoots_by_ms: int


class ShooterNamed(Event, frozen=True, kw_only=True):
    """The dealer named the shooter of the coming roll, while bets are open."""

    seat: int


class DiceEntered(Event, frozen=True, kw_only=True):
    dice: Dice


class NoRollCalled(Event, frozen=True, kw_only=True):
    reason: NoRoll


class DiceRolled(Event, frozen=True, kw_only=True):
    dice: Dice
    draw: str = ""
    """Which use of the generator gave them; empty where a dealer entered them."""
    roll_count: int
    """Of the hand, this roll included."""
    hand: Hand
    seven_out: bool
    ends_cycle: bool
    passes_dice: bool
    """The dice go to the next seat when bets close."""
    meters: dict[str, Reading] = {}
    """What the progressive meters read."""


class WonOffer(Struct, frozen=True):
    """A Place bet that won may be pressed by the win, or its stake moved: by so much (RULES 3, ruling 11)."""

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
    """By meter, what it paid."""


class Settled(Event, frozen=True, kw_only=True):
    """The one settlement of a roll."""

    seats: tuple[SeatSettled, ...]
    envy_cents: int = 0
    next_at_ms: int = 0
    """When bets open again; 0: when somebody opens them."""
    under_a_cent: Fraction = Fraction(0)
    """Fractions of a cent that rounding kept, in cents."""
    hits: dict[str, int] = {}
    """By meter that was won, which of its hits this is."""
    hand_paid: dict[str, int] = {}
    """By side game, what the hand has paid beyond stakes with this roll; nothing once the hand is over."""

    @property
    def claims(self) -> tuple[str, ...]:
        return tuple(jackpot_claim(meter, hit) for meter, hit in self.hits.items())


class RollVoided(Event, frozen=True, kw_only=True):
    """A confirmed roll was found wrong; the table is as it was before it."""

    wrong: Dice
    by: str
    approver: str
    took: dict[int, int] = {}
    """By seat whose stay has ended since it met the roll, what that player took away of it."""
    hand_pays: dict[int, int] = {}
    """By seat whose hand pay was due and shrank, what is due now."""


class OwedToLeft(SeatEvent, frozen=True, kw_only=True):
    """The right dice give more to a player who has left: it is to be paid by hand."""

    cents: int


class PuckPutOff(Event, frozen=True, kw_only=True):
    felts: tuple[tuple[int, Felt], ...]
    """By seat."""
    hand: Hand


class TablePaused(Event, frozen=True, kw_only=True):
    left_ms: int


class TableResumed(Event, frozen=True, kw_only=True):
    deadline_ms: int
