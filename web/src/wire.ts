// What screens and the server say to each other. Made from the code by `make docs`.

export type Said = Join | Ask | Ping;

export type Told = Snapshot | Frame | Done | Refused | Again | Pong | Bad | Lesson;

export type Request =
  | GiveCredit
  | GiveTip
  | CashOut
  | PlaceBet
  | TakeBet
  | SwitchBet
  | SwitchAll
  | PressButton
  | Undo
  | AnswerPopUp
  | PressByWin
  | MoveBet
  | SetSwitch
  | ChooseDenomination
  | CarryBet
  | PressRoll
  | Shoot
  | LandDice
  | ReserveSeat
  | NameSeat
  | CallService
  | SaveFavourite
  | PlaceFavourite
  | RemoveFavourite
  | ReturnToSeat
  | AnswerService
  | PutPuckOff
  | OpenBets
  | CloseBets
  | RollDice
  | EnterDice
  | ConfirmDice
  | CallNoRoll
  | SignIn
  | SignOut
  | NameShooter
  | ReverseRoll
  | PauseTable
  | ResumeTable
  | SelectMode
  | PayByHand
  | ClearLockup
  | PrintTest
  | PrintCopy
  | CancelPrint
  | SettleDevice
  | ClearTable
  | ChangeSetting;

export type View = SeatView | DealerView | TableView | InfoView | OfficeView;

export type TableRow = ServedTable | ShutTable;

export type RoundEvent = BetsClosed | ShooterChosen | NoRollCalled | DiceRolled | Settled | RollVoided;

export type Detail =
  | "bets"
  | "button"
  | "seats"
  | "phase"
  | "bets_closed"
  | "game_mode"
  | "lockups"
  | "nobody_shoots"
  | "seat_shoots"
  | "no_live_wager"
  | "generated"
  | "dice_fault"
  | "short_by"
  | "credit_is"
  | "no_credit"
  | "no_hand_pay"
  | "bills"
  | "ticket"
  | "printers"
  | "close_doors"
  | "end_faults"
  | "settle_devices"
  | "setting"
  | "lock_forbids"
  | "meter_differs"
  | "seats_fixed"
  | "credits_first"
  | "moves_edge"
  | "asked_by"
  | "role_or_above"
  | "not_at_console"
  | "wait"
  | "name"
  | "place"
  | "password_length"
  | "password_common"
  | "table"
  | "table_not_served"
  | "amount_range"
  | "at_seat"
  | "at_cage";

export type Button =
  | "across"
  | "cancel_all"
  | "clear_all"
  | "clear_last"
  | "double"
  | "inside"
  | "outside"
  | "press"
  | "repeat";

export type SeatSwitch = "auto_repeat" | "keep_bets" | "shooter_play";

export type Dice = readonly [number, number];

export type NoRoll = "cocked" | "off_table" | "other" | "short" | "stacked";

export type Mode = "automated" | "dealer_assisted";

export type Phase = "betting" | "closed" | "rolled" | "shooting" | "thrown";

export type Message =
  | "bets_not_valid"
  | "hurry_up"
  | "locked_up"
  | "no_more_bets"
  | "paused"
  | "place_your_bets"
  | "result";

export type Mark = "" | "point_made" | "point_set" | "put_off" | "seven_out";

export type DecidedAs = "lose" | "push" | "win";

export type TicketKind = "cash_out" | "tip";

export type PaperKind = "cash_out" | "copy" | "test" | "tip";

export type Part = "acceptor" | "printer";

export type Refusal =
  | "command_of_another"
  | "too_many_tries"
  | "no_such_seat"
  | "no_such_button"
  | "no_such_setting"
  | "forbidden"
  | "table_paused"
  | "table_locked_up"
  | "wrong_mode"
  | "wrong_phase"
  | "needs_dealer"
  | "needs_two"
  | "nothing_to_reverse"
  | "no_dice"
  | "bad_dice"
  | "same_dice"
  | "wagers_lie"
  | "locked_up"
  | "cannot_clear"
  | "cage_order"
  | "needs_key"
  | "reserved"
  | "needs_pin"
  | "needs_staff"
  | "not_linked"
  | "pop_up_open"
  | "no_pop_up"
  | "not_shooter"
  | "not_eligible"
  | "nothing_to_undo"
  | "no_offer"
  | "no_such_slot"
  | "no_favourite"
  | "needs_enabling"
  | "nothing_to_do"
  | "puck_needed"
  | "bad_name"
  | "bad_amount"
  | "printing"
  | "no_such_ticket"
  | "no_such_device"
  | "device_trusted"
  | "needs_totals"
  | "no_drawer"
  | "ticket_not_good"
  | "no_ticket"
  | "felt_not_empty"
  | "hand_pay_due"
  | "credit_short";

export type Reason =
  | "no_such_bet"
  | "travels_here"
  | "no_wager"
  | "locked"
  | "never_increased"
  | "come_out_only"
  | "point_only"
  | "since_point_only"
  | "needs_flat"
  | "hand_start_only"
  | "after_seven_only"
  | "needs_line"
  | "needs_main"
  | "banned"
  | "excluded"
  | "not_off_able"
  | "already_so"
  | "wrong_step"
  | "under_min"
  | "over_max"
  | "over_odds"
  | "under_odds"
  | "over_total";

export type Denial = "house_alone" | "wrong_place" | "not_in_practice";

export type FloorRefusal =
  | "command_of_another"
  | "nobody_signed_in"
  | "not_signed_in"
  | "must_wait"
  | "try_again"
  | "must_change"
  | "key_off"
  | "not_allowed"
  | "needs_two"
  | "no_such_account"
  | "no_such_setting"
  | "no_such_meter"
  | "meter_played"
  | "already_so"
  | "bad_badge"
  | "bad_label"
  | "badge_taken"
  | "weak_password"
  | "same_password"
  | "last_administrator"
  | "no_such_place"
  | "no_such_terminal"
  | "not_connected"
  | "code_not_good"
  | "ticket_unknown"
  | "ticket_redeemed"
  | "ticket_voided"
  | "ticket_cancelled"
  | "ticket_not_printed"
  | "ticket_held"
  | "ticket_expired"
  | "tip_ticket"
  | "drawer_open"
  | "no_drawer"
  | "bad_amount"
  | "needs_reason";

export type PlaceKind = "acceptor" | "dealer" | "doors" | "info" | "office" | "printer" | "seat" | "table";

export type Role = "dealer" | "pit_boss" | "supervisor" | "administrator";

export type AlarmKind =
  | "device_away"
  | "door"
  | "fault"
  | "lockup"
  | "paused"
  | "screen_away"
  | "service"
  | "table_door"
  | "table_locked";

export type ToTell = "program" | "totals";

export type EventHeading = "settings" | "significant" | "staff";

export type Switch = "untouched" | "on" | "off";

export type Decided = "nothing" | "win" | "lose" | "push";

/** The first message of a connection, whose token identifies the screen. */
export interface Join {
  readonly type: "join";
  /** The number of its last frame; none: it has no frames yet. */
  readonly after?: number | null;
}

/** A request to the table. */
export interface Ask {
  readonly type: "ask";
  /** Chosen by the asker. `[A-Za-z0-9._:-]+`, at most 64 characters. */
  readonly id: string;
  readonly request: Request;
  /** The badge of the second person, if one is needed, who has approved this on this screen. */
  readonly approver?: string;
}

/** Asks whether the server answers, and for its time. */
export interface Ping {
  readonly type: "ping";
  readonly sent_ms?: number;
}

/** The whole view of the screen. */
export interface Snapshot {
  readonly type: "snapshot";
  readonly seq: number;
  readonly server_ms: number;
  readonly view: View;
}

/** The changes of the view, nested like it; the key `-` lists removed keys. */
export interface Frame {
  readonly type: "frame";
  readonly seq: number;
  readonly server_ms: number;
  readonly changes: Readonly<Record<string, unknown>>;
}

/** The request is done and durable. */
export interface Done {
  readonly type: "done";
  readonly id: string;
  /** Of the record. */
  readonly seq: number;
}

/** The request is refused, and nothing has changed. */
export interface Refused {
  readonly type: "refused";
  readonly id: string;
  /** The refusal's name. */
  readonly why: Reason | Refusal | Denial | FloorRefusal;
  /** The id of a bet, or more by key. */
  readonly detail: string | Detailed;
  /** In English, if the screen has no text for it. */
  readonly says: string;
}

/** A detail and its values. */
export interface Detailed {
  readonly key: Detail;
  readonly values: Readonly<Record<string, number | string | readonly (number | string)[]>>;
}

/** It is unknown whether the request was done: ask again with the same id. */
export interface Again {
  readonly type: "again";
  readonly id: string;
}

export interface Pong {
  readonly type: "pong";
  readonly sent_ms: number;
  readonly server_ms: number;
}

/** The screen's message cannot be read; the connection is closed. */
export interface Bad {
  readonly type: "bad";
  readonly message: string;
}

/** The step of a lesson, at a practice table only: after its snapshot, and whenever the step is another. */
export interface Lesson {
  readonly type: "lesson";
  readonly lesson: "come" | "odds" | "pass" | "place" | "props" | "sides";
  /** From 1. */
  readonly step: number;
  /** How many there are. */
  readonly of: number;
  /** The key of the sentence that says what to do. */
  readonly says: "bet_come" | "bet_eleven" | "bet_field" | "bet_line" | "bet_odds" | "bet_pass" | "bet_place" | "bet_small" | "throw_come" | "throw_come_point" | "throw_eleven" | "throw_field" | "throw_first" | "throw_last" | "throw_more" | "throw_odds" | "throw_place" | "throw_point" | "throw_small" | "throw_small_last" | "won";
  /** The spot to touch; `throw`: the dice; empty: nothing is left to do. */
  readonly at: string;
  readonly done: boolean;
  /** What the last throw won, once it is done. */
  readonly won_cents: number;
}

/** A member of staff takes cash into their drawer and gives the seat credit for it. */
export interface GiveCredit {
  readonly do: "give_credit";
  readonly seat: number;
  readonly cents: number;
}

export interface GiveTip {
  readonly do: "give_tip";
  readonly seat: number;
  readonly cents: number;
}

export interface CashOut {
  readonly do: "cash_out";
  readonly seat: number;
}

export interface PlaceBet {
  readonly do: "place_bet";
  readonly seat: number;
  readonly spot: string;
  readonly cents: number;
}

export interface TakeBet {
  readonly do: "take_bet";
  readonly seat: number;
  readonly spot: string;
  /** None: all of it. */
  readonly cents?: number | null;
}

export interface SwitchBet {
  readonly do: "switch_bet";
  readonly seat: number;
  readonly spot: string;
  readonly on: boolean;
}

export interface SwitchAll {
  readonly do: "switch_all";
  readonly seat: number;
  readonly on: boolean;
}

export interface PressButton {
  readonly do: "press_button";
  readonly seat: number;
  readonly button: Button;
  /** The selected chip, for the buttons that place it. */
  readonly cents?: number;
}

export interface Undo {
  readonly do: "undo";
  readonly seat: number;
}

export interface AnswerPopUp {
  readonly do: "answer_pop_up";
  readonly seat: number;
  readonly accept: boolean;
}

export interface PressByWin {
  readonly do: "press_by_win";
  readonly seat: number;
  readonly spot: string;
}

/** Move the stake of a Place bet that won, as offered. */
export interface MoveBet {
  readonly do: "move_bet";
  readonly seat: number;
  readonly spot: string;
  readonly to: string;
}

/** A player's own switch. */
export interface SetSwitch {
  readonly do: "set_switch";
  readonly seat: number;
  readonly switch: SeatSwitch;
  readonly on: boolean;
}

export interface ChooseDenomination {
  readonly do: "choose_denomination";
  readonly seat: number;
  readonly cents: number;
}

/** Take a whole wager down and bet its stake on another spot, in one action. */
export interface CarryBet {
  readonly do: "carry_bet";
  readonly seat: number;
  readonly spot: string;
  readonly to: string;
}

export interface PressRoll {
  readonly do: "press_roll";
  readonly seat: number;
}

export interface Shoot {
  readonly do: "shoot";
  readonly seat: number;
}

/** The player of a single seat does not wait for the flight. */
export interface LandDice {
  readonly do: "land_dice";
  readonly seat: number;
}

export interface ReserveSeat {
  readonly do: "reserve_seat";
  readonly seat: number;
  /** It opens the seat again; staff can, too. */
  readonly pin?: string;
}

/** The player's name. */
export interface NameSeat {
  readonly do: "name_seat";
  readonly seat: number;
  /** Empty for the number of the terminal. */
  readonly name: string;
}

export interface CallService {
  readonly do: "call_service";
  readonly seat: number;
}

/** Remember what is on the felt, for the stay; what was saved under this number before is replaced. */
export interface SaveFavourite {
  readonly do: "save_favourite";
  readonly seat: number;
  readonly slot: number;
}

/** Bring the felt up to a favourite: bet what is missing of each of its wagers, in one action. */
export interface PlaceFavourite {
  readonly do: "place_favourite";
  readonly seat: number;
  readonly slot: number;
}

export interface RemoveFavourite {
  readonly do: "remove_favourite";
  readonly seat: number;
  readonly slot: number;
}

export interface ReturnToSeat {
  readonly do: "return_to_seat";
  readonly seat: number;
  /** Four to eight digits, or none. `([0-9]{4,8})?`, at most 8 characters. */
  readonly pin?: string;
}

/** A member of staff has come. */
export interface AnswerService {
  readonly do: "answer_service";
  readonly seat: number;
}

export interface PutPuckOff {
  readonly do: "put_puck_off";
  /** 0 for the dealer. */
  readonly seat?: number;
}

export interface OpenBets {
  readonly do: "open_bets";
}

export interface CloseBets {
  readonly do: "close_bets";
}

/** The automated table rolls, without waiting for the shooter. */
export interface RollDice {
  readonly do: "roll_dice";
}

export interface EnterDice {
  readonly do: "enter_dice";
  readonly dice: Dice;
}

export interface ConfirmDice {
  readonly do: "confirm_dice";
}

export interface CallNoRoll {
  readonly do: "call_no_roll";
  readonly reason: NoRoll;
}

/** A dealer takes the table; the facts name the dealer. */
export interface SignIn {
  readonly do: "sign_in";
}

export interface SignOut {
  readonly do: "sign_out";
}

export interface NameShooter {
  readonly do: "name_shooter";
  readonly seat: number;
}

export interface ReverseRoll {
  readonly do: "reverse_roll";
  readonly dice: Dice;
}

export interface PauseTable {
  readonly do: "pause_table";
}

export interface ResumeTable {
  readonly do: "resume_table";
}

export interface SelectMode {
  readonly do: "select_mode";
  readonly mode: Mode;
}

export interface PayByHand {
  readonly do: "pay_by_hand";
  readonly seat: number;
}

export interface ClearLockup {
  readonly do: "clear_lockup";
  readonly seat: number;
}

/** Staff print a page that is worth nothing. */
export interface PrintTest {
  readonly do: "print_test";
  readonly seat: number;
}

/** Staff print a ticket of this seat again, marked as a copy that cannot be redeemed. */
export interface PrintCopy {
  readonly do: "print_copy";
  readonly seat: number;
  /** The eighteen digits of a ticket. `[0-9]{18}`, at most 18 characters. */
  readonly number: string;
}

/** Two people cancel a ticket whose printer will not say what became of it; a hand pay is due (ruling 57). */
export interface CancelPrint {
  readonly do: "cancel_print";
  readonly seat: number;
}

/** Two people accept what a device has counted after some of its reports were lost. */
export interface SettleDevice {
  readonly do: "settle_device";
  readonly seat: number;
  readonly device: string;
}

/** A supervisor clears a table that was locked up by its door. */
export interface ClearTable {
  readonly do: "clear_table";
}

export interface ChangeSetting {
  readonly do: "change_setting";
  readonly key: string;
  readonly text: string;
}

/** A player terminal. */
export interface SeatView {
  readonly screen: "seat";
  readonly shared: Shared;
  readonly seat: number;
  readonly name: string;
  readonly message: Message;
  readonly credit_cents: number;
  /** What the Credit meter shows: the credit, or the credit and the money on the felt (ruling 41). */
  readonly credit_meter_cents: number;
  readonly playable_cents: number;
  readonly bet_cents: number;
  readonly win_cents: number;
  readonly last_win_cents: number;
  readonly last_bet_cents: number;
  /** The value of one credit at this seat. */
  readonly denomination_cents: number;
  /** All values of one credit in this game. */
  readonly denominations: readonly number[];
  /** The chip rack at that denomination. */
  readonly chips_cents: readonly number[];
  /** The bills that its acceptor takes. */
  readonly bills_cents: readonly number[];
  readonly wagers: Readonly<Record<string, WagerView>>;
  /** Bets on a set of totals that it has won since the last 7 and not bet again. */
  readonly fulfilled: readonly string[];
  readonly pop_up: FeeQuestion | null;
  readonly offers: SeatOffers;
  readonly lines: readonly WinLine[];
  /** The sum of these lines. */
  readonly last_roll: RollSum;
  /** By roll: what each of the 36 would do. */
  readonly rolls: Readonly<Record<string, Fate>>;
  /** By total, split if its rolls differ. */
  readonly totals: Readonly<Record<number, readonly Way[]>>;
  /** The totals that would win something. */
  readonly wins_on: readonly number[];
  readonly sits_out: boolean;
  /** Spots whose side wagers went back when bets closed, because they no longer qualified. */
  readonly returned: readonly string[];
  /** Spots that the last Repeat left out, because the game or its limits do not allow them. */
  readonly left_out: readonly string[];
  /** By spot that the last favourite did not bet, or not in full: the reason. */
  readonly refused: Readonly<Record<string, string>>;
  /** By slot: the stakes that the player saved, by spot. */
  readonly favourites: Readonly<Record<number, Readonly<Record<string, number>>>>;
  /** By spot: the stakes that the house returned since the seat acted last, after new settings or a reversal. */
  readonly given_back: Readonly<Record<string, number>>;
  readonly shoots: boolean;
  readonly ready: boolean;
  readonly keep_bets: boolean;
  readonly auto_repeat: boolean;
  readonly linked: boolean;
  readonly stay: StayView;
  /** What the player has won or lost since the stay began; tips do not count as losses. */
  readonly net_cents: number;
  /** The last tickets of this stay, without their numbers. */
  readonly tickets: readonly ShownTicket[];
  readonly reserved_until_ms: number;
  /** While it is reserved with a PIN: how many tries are left; 0 if it needs no PIN, or staff. */
  readonly pins_left: number;
  readonly lockups: readonly string[];
  readonly hand_pay_cents: number;
  readonly service: boolean;
  /** The key switch is turned: staff may sign in here. */
  readonly key: boolean;
  /** The bill or the ticket in the acceptor. */
  readonly paper_in: PaperIn | null;
  /** What the printer is asked to print. */
  readonly printing: PaperOut | null;
}

/** The part of a view that is the same on every screen. */
export interface Shared {
  readonly game: string;
  readonly title: string;
  readonly fingerprint: string;
  readonly phase: Phase;
  readonly round: number;
  readonly deadline_ms: number;
  readonly message: Message;
  readonly puck: number;
  readonly roll_count: number;
  readonly shooter: number;
  /** Empty if that player has given none. */
  readonly shooter_name: string;
  readonly paused: boolean;
  /** A door of the table was opened, or its doors are not trusted, and staff have not cleared it: no betting, no payouts. */
  readonly locked_up: boolean;
  /** The open doors of the table itself. */
  readonly doors: readonly string[];
  readonly mode: Mode;
  /** A dealer is signed in and deals. */
  readonly dealer: boolean;
  /** At a demonstration, the address of the page with the emulated devices; empty on a real floor. */
  readonly emulator: string;
  readonly power: Readonly<Record<string, "high" | "low">>;
  /** The progressive meters, in cents. */
  readonly meters: Readonly<Record<string, number>>;
  /** What the last roll paid from meters, while its result is shown. */
  readonly jackpots: readonly JackpotWon[];
  /** What the dealers get for what the last roll paid, while its result is shown. */
  readonly envy_cents: number;
  /** By reason: how often "no roll" was called here. */
  readonly no_rolls: Readonly<Record<string, number>>;
  /** The dice in the air, or until bets open those that have landed. A screen shows nothing of a result before `lands_at_ms`. */
  readonly flight: FlightView | null;
  readonly dice_colour: string;
  /** Calls and messages are spoken. */
  readonly announcements: boolean;
  /** Music and sound effects are played. */
  readonly sound: boolean;
  readonly history: readonly Past[];
  /** By hard way: the rolls since its pair was rolled (IB "# of rolls since last"), or all remembered rolls. */
  readonly hard_since: Readonly<Record<string, number>>;
  readonly statistics: Statistics;
  readonly limits: TableLimits;
  /** Every spot that can hold a wager; within a zone in drawing order. */
  readonly felt: readonly FeltSpot[];
}

/** A meter that the last roll paid. */
export interface JackpotWon {
  readonly meter: string;
  readonly seat: number;
  /** The player's name; empty if they gave none. */
  readonly player: string;
  readonly cents: number;
}

/** Dice that are thrown. */
export interface FlightView {
  readonly dice: Dice;
  readonly lands_at_ms: number;
  /** From the throw. */
  readonly ms: number;
}

/** A roll of the history, or the puck turned off by hand (no dice). */
export interface Past {
  readonly dice: Dice | null;
  readonly total: number;
  readonly puck_before: number;
  readonly puck_after: number;
  readonly mark: Mark;
  /** The wrong dice that these replaced; screens must show it to players. */
  readonly instead_of?: Dice | null;
}

/** Statistics of the rolls that the table remembers. */
export interface Statistics {
  readonly rolls: number;
  readonly totals: readonly TotalCount[];
  /** Totals above their expected share, the furthest first; none before 36 rolls. */
  readonly hot: readonly number[];
  readonly cold: readonly number[];
  /** In rolls, including the seven-out; the current hand counts too. */
  readonly longest_hands: readonly number[];
}

export type TotalCount = readonly [
  total: number,
  rolled: number,
  /** Its share of the 36 rolls, as `p/q`. */
  expected: string,
];

export interface TableLimits {
  readonly table_min_cents: number;
  readonly total_max_cents: number;
  readonly bet_min_cents: number;
  readonly bet_max_cents: number;
  /** The name of the odds policy, such as `3-4-5x`. */
  readonly take_odds: string;
  readonly lay_odds: string;
  readonly bets: Readonly<Record<string, BetLimits>>;
}

export type BetLimits = readonly [
  min_cents: number,
  max_cents: number,
  step_cents: number,
];

/** A spot of the felt. It never changes while a game is played. */
export interface FeltSpot {
  /** A screen draws unknown zones in its side panel. */
  readonly zone?: string;
  /** The key of its label; a screen without that word prints the title. Empty for no label. */
  readonly word?: string;
  /** The pair that is printed on it. */
  readonly dice?: readonly number[];
  readonly tone?: "" | "coral";
  /** `line`: a beginner's first bet. */
  readonly role?: "" | "line";
  /** Beginners see it. */
  readonly easy?: boolean;
  /** Its position in the beginner's list; 0 if it is not listed. */
  readonly beginner?: number;
  /** The puck flashes when the bet is refused because no 7 was rolled (IB 6.2). */
  readonly flashes_puck?: boolean;
  readonly spot: string;
  /** The bet whose wagers it holds. */
  readonly bet: string;
  readonly title: string;
  readonly number?: number;
  readonly game?: string;
  readonly game_title?: string;
  /** The totals to show as waiting. */
  readonly collects?: readonly number[];
  /** It waits for totals in a certain order. */
  readonly ordered?: boolean;
  /** It pays by how far it gets: a ladder is drawn. */
  readonly climbs?: boolean;
  /** Its progress is the roll count of the table. */
  readonly counts_rolls?: boolean;
  /** One of its totals becomes its point. */
  readonly own_point?: boolean;
  /** The spot of the flat wager that these odds back. */
  readonly odds_of?: string;
}

/** A stack of chips. */
export interface WagerView {
  readonly bet: string;
  readonly stake_cents: number;
  readonly working: boolean;
  readonly locked?: boolean;
  /** A mark: its money was returned to credit. */
  readonly released?: boolean;
  /** The fee that would be returned with it. */
  readonly fee_cents?: number;
  readonly point?: number;
  /** The totals that it has seen of those it waits for; in order, if the order matters. */
  readonly hits?: readonly number[];
  /** Hot Shooter: rolls so far. */
  readonly count?: number;
  /** For a flat wager with its point: the most odds that may back it. */
  readonly odds_max_cents?: number;
  /** What it wins in addition to its stake on the nearest roll that can win it, as if it were on: the largest of several pays, without a meter's award (ruling 42). */
  readonly win_cents?: number;
}

/** The open question whether to pay a fee, and what it is for. */
export interface FeeQuestion {
  readonly fee_cents: number;
  readonly bets: readonly FeeBet[];
}

/** A bet that costs a fee. */
export interface FeeBet {
  readonly spot: string;
  /** The whole stake, if the fee is accepted. */
  readonly stake_cents: number;
  /** What that stake wins, if its number is rolled. */
  readonly win_cents: number;
}

/** What a seat may do now. */
export interface SeatOffers {
  /** Why nothing may be bet; then no spot is listed. */
  readonly betting: WhyNot | null;
  readonly spots: Readonly<Record<string, SpotOffer>>;
  readonly chip_buttons: Readonly<Record<string, ChipButton | WhyNot>>;
  readonly buttons: Readonly<Record<string, Allowed | WhyNot>>;
  /** Pressing Clear last now clears all. */
  readonly clears_all: boolean;
  readonly undo_depth: number;
  /** What each switch may be set to. */
  readonly toggles: Readonly<Record<string, boolean | WhyNot>>;
  readonly tip: Amounts | WhyNot;
  /** The values of one credit that may be chosen now, or why none. */
  readonly denominations: readonly number[] | WhyNot;
  /** Why the felt cannot be saved as a favourite; None if it can. */
  readonly saves: WhyNot | null;
  /** By the slot of each favourite: what placing it takes, or why it may not be placed. */
  readonly favourites: Readonly<Record<number, Allowed | WhyNot>>;
  /** By spot of the Place bet that won. */
  readonly wins: Readonly<Record<string, WinOffer>>;
  /** Line before come (ruling 27). */
  readonly odds: readonly OddsOffer[];
}

/** A refused request: why, and the detail, if that helps. */
export interface WhyNot {
  readonly why: Reason | Refusal;
  /** The id of a bet, or more by key. */
  readonly detail: string | Detailed;
}

/** What may be done at a spot. */
export interface SpotOffer {
  /** What credit allows, including the fee. */
  readonly place: Amounts | WhyNot;
  readonly take: Amounts | WhyNot;
  /** Whether it may be switched on (true) or off; of two, first the one that changes it. */
  readonly switch: readonly boolean[] | WhyNot;
  /** What a touch adds to the stack; 0 for the selected chip (RTW 6.1.1, ruling 50). */
  readonly adds_cents?: number;
  /** Of `place`, the amounts after which the stack pays evenly, if not all do (ruling 59). A chip becomes the nearest of them. */
  readonly evens?: Amounts | null;
}

/** The amounts that may be placed or taken: from `low` to `high` in steps, and `whole` as well. */
export type Amounts = readonly [
  low: number,
  high: number,
  step: number,
  /** When taking: the whole stake, regardless of the step. */
  whole: number,
];

/** A button that puts the selected chip on several spots. */
export type ChipButton = readonly [
  /** The chips it works with. */
  chips: Amounts,
  spots: readonly string[],
  /** Its price, in chips. */
  paying: number,
];

/** Something that may be done, and its price. */
export type Allowed = readonly [
  /** What it takes from credit, including the fee; negative if it gives back. */
  price_cents: number,
  /** The part of the price that a pop-up asks for first. */
  fee_cents: number,
  /** Where the seat's felt changes. */
  spots: readonly string[],
];

/** What the player may do after a Place win, until bets close (RULES 3, ruling 11). */
export interface WinOffer {
  readonly press: Allowed | WhyNot | null;
  /** By spot to which the stake may move. */
  readonly moves: Readonly<Record<string, Allowed | WhyNot>>;
}

/** Odds that a flat wager could have, for the odds pop-up. */
export interface OddsOffer {
  /** The spot of the odds. */
  readonly spot: string;
  readonly flat: string;
  readonly point: number;
  /** The round whose roll set the point; the pop-up opens once for it. */
  readonly set_in: number;
  readonly choices: readonly OddsChoice[];
}

/** A button of the odds pop-up. */
export type OddsChoice = readonly [
  multiple: number,
  stake_cents: number,
  win_cents: number,
];

/** What the last roll did to a wager. */
export interface WinLine {
  readonly spot: string;
  readonly bet: string;
  readonly stake_cents: number;
  readonly decided: DecidedAs;
  readonly paid_cents?: number;
  readonly commission_cents?: number;
  readonly returned_cents?: number;
  readonly taken_cents?: number;
  /** Where the stake is now. */
  readonly to?: string;
  /** The progressive meter that it won. */
  readonly meter?: string;
  /** What it won, with a meter's award, or lost: what the player has more or less for it. */
  readonly net_cents?: number;
}

/** What the last roll came to at a seat. */
export interface RollSum {
  /** The stakes that it decided; a push decides none. */
  readonly staked_cents?: number;
  /** What was won, less what was lost. */
  readonly net_cents?: number;
  /** The bet that won the most; empty if none won. */
  readonly best?: string;
}

/** What a roll would pay, take and return at seats; a meter's money is not included. */
export type Fate = readonly [
  win_cents: number,
  lose_cents: number,
  back_cents: number,
  meters: readonly string[],
];

/** Rolls of a total with the same result. */
export type Way = readonly [
  how: "any" | "dice" | "easy" | "hard",
  dice: readonly string[],
  fate: Fate,
];

/** A player's time at the seat (ruling 29). */
export interface StayView {
  /** Counts the stays at this seat; 0 before the first. */
  readonly number: number;
  readonly ended: boolean;
  readonly since_ms: number;
  readonly in_cents: number;
  readonly out_cents: number;
  readonly tips_cents: number;
}

/** A printed ticket without its number, because anyone who reads the number could redeem it. */
export interface ShownTicket {
  readonly kind: TicketKind;
  readonly last_four: string;
  readonly cents: number;
  readonly at_ms: number;
  readonly expires_at_ms: number;
}

/** A bill or a ticket in the acceptor. */
export interface PaperIn {
  readonly kind: "bill" | "ticket";
  /** 0 for a ticket that is not valid. */
  readonly cents: number;
  /** The refusal for which it goes back; empty if it is being stacked. */
  readonly why: string;
}

/** What the printer is asked to print. Its number is on the paper only. */
export interface PaperOut {
  readonly kind: PaperKind;
  readonly cents: number;
  readonly begun: boolean;
  /** Of a ticket's number: a screen shows them when the ticket is printed, which may end the stay. */
  readonly last_four: string;
  readonly expires_at_ms: number;
}

/** The dealer terminal (RTW 3.1, 6.1.1). */
export interface DealerView {
  readonly screen: "dealer";
  readonly shared: Shared;
  readonly dealer: string;
  readonly entered: Dice | null;
  /** By request of the dealer (its `do`): why not now; null if it may be done. What the game does not have is not listed. */
  readonly offers: Readonly<Record<string, WhyNot | null>>;
  /** All tips of this table's dealers. */
  readonly tips_cents: number;
  readonly envy_cents: number;
  /** Whether the key switch of the dealer terminal is turned (RTW 3.1 item 14). */
  readonly key: boolean;
  /** By total, split if its rolls differ: what all seats together would win and lose if it were rolled now. */
  readonly totals: Readonly<Record<number, readonly Way[]>>;
  readonly seats: Readonly<Record<number, DealerSeat>>;
}

/** A seat as the dealer sees it. */
export interface DealerSeat {
  readonly name?: string;
  /** A player is here: the stay goes on (ruling 29). */
  readonly taken?: boolean;
  readonly credit_cents?: number;
  readonly bet_cents?: number;
  readonly wagers?: number;
  /** What the player has won or lost since the stay began; tips do not count as losses. */
  readonly net_cents?: number;
  /** What the player has given the dealers in this stay. */
  readonly tips_cents?: number;
  readonly may_shoot?: boolean;
  readonly sits_out?: boolean;
  readonly ready?: boolean;
  readonly service?: boolean;
  readonly linked?: boolean;
  readonly reserved_until_ms?: number;
  readonly lockups?: readonly string[];
  readonly doors?: readonly string[];
  /** What is due by hand. If it is 0 and `offers` has `pay_by_hand`, staff may pay the credit by hand. */
  readonly hand_pay_cents?: number;
  /** Its key switch is turned. */
  readonly key?: boolean;
  /** The parts that do not work, and why. */
  readonly faults?: Readonly<Partial<Record<Part, readonly string[]>>>;
  readonly printing?: PaperOut | null;
  readonly stacker_out?: boolean;
  /** By request for the seat (its `do`): why not now; null if it may be done. */
  readonly offers?: Readonly<Record<string, WhyNot | null>>;
}

/** The table display with its walls (RTW 3.1). */
export interface TableView {
  readonly screen: "table";
  readonly shared: Shared;
  readonly come_out: boolean;
  /** By spot: what all seats have there. */
  readonly chips_cents: Readonly<Record<string, number>>;
  /** By side bet with wagers: the sets of totals that they have seen, each once, the largest first. */
  readonly collected: Readonly<Record<string, readonly (readonly number[])[]>>;
  /** By spot and outcome: what the last roll did. */
  readonly lines: readonly SpotLine[];
  /** By seat: what the last roll came to, if it decided a wager there. */
  readonly results: Readonly<Record<number, RollSum>>;
  /** By seat: the name of its player, if known. */
  readonly names: Readonly<Record<number, string>>;
  /** The seats that wait for an attendant; the table sounds the alarm (RTW 3.1). */
  readonly lockups: readonly number[];
}

/** What the last roll did to the wagers of all seats on a spot that it decided alike. */
export interface SpotLine {
  readonly spot: string;
  readonly decided: DecidedAs;
  readonly net_cents?: number;
  readonly returned_cents?: number;
  readonly taken_cents?: number;
}

/** The player information display: the last roll, large. */
export interface InfoView {
  readonly screen: "info";
  readonly shared: Shared;
  readonly last_roll: Past | null;
}

/** The operator's pages: everything. */
export interface OfficeView {
  readonly screen: "office";
  readonly shared: Shared;
  readonly dealer: string;
  readonly entered: Dice | null;
  /** As in the dealer's view. */
  readonly offers: Readonly<Record<string, WhyNot | null>>;
  /** The table's own, then seat by seat. */
  readonly accounts: readonly AccountBalance[];
  readonly under_a_cent: string;
  readonly seats: Readonly<Record<number, OfficeSeat>>;
  /** By seat with wagers: the stakes and fees that a change of settings would return now (ruling 17). */
  readonly change_returns: Readonly<Record<number, number>>;
}

/** An account, by the parts of its key, and what is in it. */
export interface AccountBalance {
  readonly kind: string;
  readonly cents: number;
  /** The number of a seat, a badge, or the key of a progressive meter. */
  readonly owner?: string;
  readonly part?: string;
}

/** A seat as the office sees it. */
export interface OfficeSeat {
  readonly felt_cents: number;
  readonly wagers: Readonly<Record<string, WagerView>>;
  readonly state: DealerSeat;
  readonly last_bet_cents: number;
  readonly last_win_cents: number;
  readonly keep_bets: boolean;
  readonly auto_repeat: boolean;
}

/** The code of a place. */
export interface Enrol {
  readonly code: string;
  /** Of which kind a device is; empty for a screen. */
  readonly kind?: string;
}

/** A terminal and its place. */
export interface Enrolled {
  readonly token: string;
  readonly terminal: string;
  readonly place: Place;
}

/** The place of a terminal: a screen of a table, one of its seats, the office of the floor, or a device. */
export interface Place {
  /** Of a device, its kind. Journals have this name for both. */
  readonly screen: PlaceKind;
  /** The table's stream; 0 for the office. */
  readonly table: number;
  /** The seat of a seat's screen or device; 0 for every other. Doors without a seat are the table's, with the key of the dealer's terminal. */
  readonly seat: number;
}

/** What a visitor may know. On a real floor that is where this browser itself is enrolled, and nothing else. */
export interface FrontDoor {
  readonly demo: boolean;
  /** The screens that this browser is. */
  readonly here: readonly Place[];
  readonly tables: readonly DoorTable[];
  readonly badges: readonly DoorBadge[];
  readonly password: string;
}

/** A table, for a visitor of a demonstration. */
export interface DoorTable {
  readonly table: number;
  readonly name: string;
  readonly game: string;
  readonly phase: Phase;
  /** The point; 0 for a come-out roll. */
  readonly puck: number;
  readonly paused: boolean;
  readonly seats: readonly DoorSeat[];
}

/** A seat, for a visitor of a demonstration. */
export interface DoorSeat {
  readonly seat: number;
  /** Away: its player has bets or winnings there, and no screen shows it now. */
  readonly state: "away" | "free" | "taken" | "yours";
  /** Its credit and bets, if it is free or the visitor's own. */
  readonly money_cents: number;
}

/** A badge of a demonstration. */
export interface DoorBadge {
  readonly badge: string;
  readonly role: Role;
}

/** A place of a demonstration. */
export interface Sit {
  readonly screen: PlaceKind;
  readonly table?: number;
  readonly seat?: number;
  /** Also a seat whose player is away and left money there. */
  readonly take?: boolean;
}

/** The place where a browser is enrolled now. Its token is in the cookie alone. */
export interface Seated {
  readonly place: Place;
}

/** The asker's terminal and place, and who is signed in there. */
export interface WhoIsHere {
  readonly terminal: string;
  readonly place: Place;
  readonly staff: Member | null;
}

/** A member of staff who is signed in. */
export interface Member {
  readonly badge: string;
  readonly label: string;
  readonly role: Role;
  /** The password is a one-time password: they must choose their own first. */
  readonly must_change: boolean;
}

/** A table's game, explained. */
export interface Placard {
  readonly game: string;
  readonly title: string;
  readonly fingerprint: string;
  readonly bets: Readonly<Record<string, BetCard>>;
  /** Every spot of the felt, and its bet. */
  readonly spots: Readonly<Record<string, string>>;
  /** When the dice go to the next seat: `seven_out`, in some games also `point_established`. */
  readonly rotate_on: readonly string[];
  /** The money of bets that are switched off goes back to credit. */
  readonly off_released: boolean;
  /** What a Place win offers. */
  readonly win_offers: readonly ("move" | "press_by_win")[];
  /** The chance of each Power Odds group is 1 in this number; 0: the game has none. */
  readonly power_one_in: number;
  /** By side game on offer, the family of its bets. */
  readonly side_games: Readonly<Record<string, SideCard>>;
}

/** The facts about a bet for a player. Exact values are `p/q`. */
export interface BetCard {
  readonly bet: string;
  readonly title: string;
  readonly family: string;
  readonly side: boolean;
  readonly one_roll: boolean;
  readonly pays: readonly PaysLine[];
  /** Empty for side bets, which collect numbers. */
  readonly stages: readonly Stage[];
  readonly edge_per_bet_made: string;
  readonly edge_per_roll: string;
  readonly hit_rate: string;
  readonly mean_rolls: string;
  readonly min_cents: number;
  readonly max_cents: number;
  readonly step_cents: number;
  readonly commission: "" | "on_win" | "upfront";
  /** Of the stake, as `p/q`. */
  readonly commission_rate: string;
  /** Why it may not be placed at other times; empty: it may be placed before any roll. */
  readonly window: "" | "after_seven_only" | "come_out_only" | "hand_start_only" | "needs_flat" | "point_only" | "since_point_only";
  /** Other wagers that it requires. */
  readonly needs: readonly ("needs_line" | "needs_main")[];
  /** The bets that exclude it. */
  readonly excluded_by: readonly string[];
  /** `point`: fixed after it has its point. `lower_only`: then it may be reduced or removed, never increased. `first_roll`: fixed from its first roll on. */
  readonly contract: "" | "first_roll" | "lower_only" | "point";
  /** The winning rolls after which the stake stays on the table. */
  readonly stays_up: readonly string[];
  /** The winning rolls after which the stake goes to credit with the win. */
  readonly comes_down: readonly string[];
  readonly off_able: boolean;
  /** It does not work on a come-out roll if it was placed before. */
  readonly rests_on_come_out: boolean;
  /** Placed after a seven-out and before the next point, it starts off (ruling 49). */
  readonly starts_off: boolean;
  /** When it is off, it turns on automatically after a point is set or a 7 (IB 3.2). */
  readonly off_comes_on: boolean;
  /** When it is off, it is returned when a point is set (IB 3.2). */
  readonly off_returned: boolean;
  /** By point, the most odds as a multiple of the flat wager, as `p/q`; empty if it has no odds. */
  readonly odds: Readonly<Record<number, string>>;
  readonly side_bet: SideBet | null;
  readonly paytable: string;
  readonly source: string;
}

/** One thing that a bet pays. */
export interface PaysLine {
  /** As printed: `9 to 5`, `3 for 1`, or `meter`. */
  readonly pays: string;
  /** The rows of the pay table that print it. */
  readonly rows: readonly string[];
  /** What each row pays for; empty if a row has no number in its name. */
  readonly paid_for: readonly PaidFor[];
  /** The rolls that win it: totals, `hard 6`, `easy 6`, or dice. Empty for bets that collect numbers. */
  readonly on: readonly string[];
  /** The progressive meter that it pays. */
  readonly meter?: string;
  /** The Power Odds group that may raise it. */
  readonly group?: string;
  readonly low?: string;
  readonly high?: string;
}

/** What a row of a pay table pays for. */
export interface PaidFor {
  /** `number`: the number of the bet or of the roll. `hits`: at least this number of hits. `range`: between two counts. `point`: this number of hits, and then the point. */
  readonly kind: "hits" | "number" | "point" | "range";
  readonly at_least: number;
  /** The end of a range; 0: there is no end. */
  readonly at_most?: number;
}

/** What the rolls do to a bet in one of its states. */
export interface Stage {
  readonly name: string;
  readonly spot: string;
  readonly wins_on: readonly string[];
  readonly loses_on: readonly string[];
  readonly moves_on: readonly string[];
  /** The rolls that neither win nor lose: the stake stays. */
  readonly pushes_on: readonly string[];
}

/** The facts that only a side bet has. */
export interface SideBet {
  /** The totals that it waits for, in any order; empty if there are none or the order matters. */
  readonly collects: readonly number[];
  /** The totals in their order, if the order matters; the first roll chooses between two. */
  readonly sequences: readonly (readonly number[])[];
  /** It may also be placed after the table has seen its whole set since the last 7 (ruling 22). */
  readonly again_when_complete: boolean;
  /** How several winners of its meter on one roll are paid; empty if it has no meter. */
  readonly winners: "" | "in_full" | "split";
  /** The least wager on the main game that it requires; 0: none. */
  readonly qualifying_cents: number;
}

/** What the rules screen shows about a whole side game. */
export interface SideCard {
  /** The most that its fixed pays win over all seats, without the stakes; 0: no limit (ruling 36). */
  readonly aggregate_max_cents: number;
  readonly aggregate_per: "hand" | "roll";
}

/** A round; a seat gets its own part. */
export interface Round {
  /** The record that closed its bets. */
  readonly seq: number;
  readonly at_ms: number;
  /** Its place when bets closed; none: unknown. */
  readonly puck: number | null;
  /** As in the journal, but results are names. */
  readonly events: readonly RoundEvent[];
}

/** A stay in numbers. */
export interface StayStatistics {
  /** Since the stay began. */
  readonly rolls: number;
  readonly totals: readonly TotalCount[];
  /** In the order of the placard. */
  readonly bets: readonly BetResult[];
  readonly staked_cents: number;
  readonly won_cents: number;
  readonly net_cents: number;
  /** What all these bets cost on average; those that the game no longer has do not count. */
  readonly cost_cents: number;
}

/** What a bet came to in a stay. */
export interface BetResult {
  readonly bet: string;
  /** The stakes that met a roll; the same chips count again after a decision. */
  readonly staked_cents: number;
  /** How often it won or lost. */
  readonly decided: number;
  readonly won: number;
  /** What the wins paid in addition to the stakes. */
  readonly won_cents: number;
  readonly net_cents: number;
  /** What such stakes cost on average, if each stays until it is decided: the edge times the stakes. Null if the game no longer has the bet. */
  readonly cost_cents: number | null;
}

/** A badge and its password. */
export interface Credentials {
  readonly badge: string;
  readonly password: string;
}

/** The badge that is signed in now. Its session is a cookie. */
export interface SignedInAs {
  readonly badge: string;
  readonly role: Role;
  readonly must_change: boolean;
}

/** It is done, and there is nothing to report. */
export interface Nothing {
}

/** A badge, its password and the new password. */
export interface NewPassword {
  readonly badge: string;
  readonly password: string;
  readonly new: string;
}

/** The second person, and what they approve: a request at a table, or a request to the desk. */
export interface ApproveDeed {
  readonly badge: string;
  readonly password: string;
  readonly table?: number;
  readonly request?: Request | null;
  readonly endpoint?: string;
  readonly body?: unknown;
}

/** The badge of the second person. */
export interface ApprovedBy {
  readonly approver: string;
}

/** The process answers. */
export interface ProcessAlive {
  readonly ok: boolean;
}

/** Whether all tables are served here; if not, the status is 503. */
export interface Ready {
  readonly ready: boolean;
  /** Whether the journal can be read. */
  readonly store: boolean;
  readonly tables: Readonly<Record<string, boolean>>;
}

/** The casino's own recordings, as `language/name`. */
export interface OwnSounds {
  readonly own: readonly string[];
}

/** What the person who is signed in may ask for. Screens show nothing else. */
export interface May {
  /** Addresses, each with its method. */
  readonly desk: readonly string[];
  /** Requests at a table, from this terminal, by their `do`. */
  readonly table: readonly string[];
  /** By request that needs a higher role than theirs, the lowest role that it needs. */
  readonly higher: Readonly<Record<string, Role>>;
}

/** A table and its state. */
export interface ServedTable {
  readonly number: number;
  readonly name: string;
  readonly served: true;
  readonly game: string;
  readonly title: string;
  readonly fingerprint: string;
  readonly seats: number;
  readonly mode: Mode;
  readonly phase: Phase;
  readonly paused: boolean;
  readonly dealer: string;
  readonly round: number;
  /** The point; 0 while the puck is off. */
  readonly puck: number;
  /** A seat; 0 for none. */
  readonly shooter: number;
  /** The seats with a player. */
  readonly players: number;
  /** The number of its last record. */
  readonly records: number;
  /** The number that is connected. */
  readonly screens: number;
  /** The most pressing first. */
  readonly alarms: readonly TableAlarm[];
  /** Null for those who may not read the audit menu. */
  readonly money: TableMoney | null;
}

/** Something at a table that staff should see to. */
export interface TableAlarm {
  readonly kind: AlarmKind;
  /** Where, by seat; 0 for the table itself. */
  readonly seats: readonly number[];
}

/** The money of a table, since it was opened. */
export interface TableMoney {
  /** What was wagered. */
  readonly handle_cents: number;
  /** What the house has won: stakes taken and fees, less wins paid. */
  readonly hold_cents: number;
  /** What is on the felt now. */
  readonly felt_cents: number;
}

/** A table that this server does not serve now. */
export interface ShutTable {
  readonly number: number;
  readonly name: string;
  readonly served: false;
  /** Why its game is refused: how it differs from its meters. */
  readonly refused: readonly string[];
}

/** Every setting of a table's game. */
export interface GameSettings {
  readonly game: string;
  readonly fingerprint: string;
  readonly settings: readonly GameSetting[];
}

/** A setting of a game. */
export interface GameSetting {
  readonly key: string;
  readonly value: string;
  readonly allowed: string;
  /** Empty if the value is typed. */
  readonly choices: readonly string[];
  /** The part of `allowed` that the jurisdiction lock permits. */
  readonly lock: string;
  readonly help: string;
}

/** The meters of every table, and the progressives that they share. */
export interface AllMeters {
  readonly tables: Readonly<Record<number, TableMeters>>;
  readonly progressives: Readonly<Record<string, ProgressiveReading>>;
}

/** The meters of a table. */
export interface TableMeters {
  /** Money in and out, by seat. */
  readonly cash: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** By seat. */
  readonly play: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** By bet. */
  readonly bets: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** By reason: how often "no roll" was called. */
  readonly no_rolls: Readonly<Record<string, number>>;
  /** The fractions of a cent that rounding kept, as `p/q`. */
  readonly under_a_cent: string;
}

/** The reading of a progressive meter. */
export interface ProgressiveReading {
  readonly cents: number;
  readonly hits: number;
}

/** The program as it started, and whether its files are still the same. */
export interface ProgramFiles {
  readonly version: string;
  readonly sha256: string;
  readonly sha256_now: string;
}

/** A progressive meter of the floor. */
export interface ProgressiveRow {
  /** Its key: name, base and pay table. */
  readonly meter: string;
  readonly name: string;
  readonly cents: number;
  readonly seed_cents: number;
  readonly reserve_cents: number;
  readonly hits: number;
  /** Null for a meter of an older journal, which no table plays. */
  readonly terms: MeterTerms | null;
  /** Its terms after the next hit, if they change then. */
  readonly waits: MeterTerms | null;
  readonly fed: readonly Feed[];
  readonly last: readonly Jackpot[];
}

/** The terms of a meter, the same at all its tables (ruling 38). */
export interface MeterTerms {
  /** Its reset value for a $1 base wager. */
  readonly seed_cents: number;
  readonly increment_bp: number;
  readonly reserve_bp: number;
  readonly cap_cents: number | null;
  readonly winners: "in_full" | "split";
}

/** What a table feeds a meter. */
export interface Feed {
  readonly table: number;
  readonly side: string;
  readonly paytable: string;
  readonly base_cents: number;
  readonly increment_bp: number;
  readonly reserve_bp: number;
  readonly reset_cents: number;
  readonly cap_cents: number | null;
}

/** A progressive meter that was hit. */
export interface Jackpot {
  readonly at_ms: number;
  readonly table: number;
  readonly seat: number;
  readonly meter: string;
  /** The number of the hit. */
  readonly hit: number;
  readonly paid_cents: number;
  /** The roll was taken back. */
  readonly voided: boolean;
}

/** A new value of a meter's terms, and the second person. */
export interface MeterChange {
  readonly meter: string;
  readonly key: string;
  readonly value: string;
  readonly approver?: string;
}

/** The meter that gets the money of another one, and the second person. */
export interface MeterMove {
  readonly meter: string;
  readonly to: string;
  readonly approver?: string;
}

/** Events, oldest first. Ask again `after` that record for more. */
export interface EventsAfter {
  readonly events: readonly EventLine[];
  readonly after: number;
  readonly more: boolean;
}

/** The newest events, oldest first. Ask again `before` that record for more. */
export interface EventsBefore {
  readonly events: readonly EventLine[];
  readonly before: number;
  readonly more: boolean;
}

/** What happened while a badge dealt, and the rolls that they took back. */
export interface Dealer {
  readonly dealer: string;
  readonly sign_ins: number;
  readonly rolls: number;
  readonly no_rolls: number;
  readonly reversals: number;
  readonly tips: number;
  readonly tips_cents: number;
  readonly envy_cents: number;
}

/** The state of the floor. */
export interface Health {
  readonly ready: boolean;
  readonly now_ms: number;
  readonly database: string;
  readonly tls: boolean;
  readonly connections: number;
  readonly alarms: readonly Alarm[];
  /** Null if the database cannot be read. */
  readonly streams: readonly StreamEnd[] | null;
  /** Null if none are signed. */
  readonly checkpoint: NewestCheckpoint | null;
  readonly lock: LockInForce | null;
  /** The devices that reported another program than the server's own. */
  readonly programs_differ: readonly OtherProgram[];
}

/** A badge for which someone tries passwords. */
export interface Alarm {
  readonly badge: string;
  readonly terminals: readonly string[];
  readonly failures: number;
  /** The end of the last wait; 0 if there is none. */
  readonly until_ms: number;
}

/** The last record of a stream. */
export interface StreamEnd {
  readonly stream: number;
  /** Whether its table is served here; null for the floor's own. */
  readonly served: boolean | null;
  readonly seq: number;
  readonly digest: string;
}

/** The newest signed checkpoint, or what is wrong with it; no field at all if none is signed yet. */
export interface NewestCheckpoint {
  readonly problem?: string;
  readonly number?: number;
  readonly at_ms?: number;
  readonly heads?: Readonly<Record<number, readonly [number, string]>>;
}

/** The jurisdiction lock. */
export interface LockInForce {
  readonly name: string;
  readonly digests: readonly string[];
  readonly local_network_only: boolean;
}

/** A device whose program is not the server's own. */
export interface OtherProgram {
  readonly terminal: string;
  readonly place: Place;
  readonly version: string;
}

/** A ticket, from the journal. */
export interface Ticket {
  readonly number: string;
  readonly status: "cancelled" | "expired" | "failed" | "good" | "held" | "redeemed" | "reserved" | "unknown" | "voided";
  readonly kind: TicketKind;
  readonly cents: number;
  /** When its number was taken. */
  readonly issued: Moment | null;
  /** Where an acceptor has it in escrow. */
  readonly held: Moment | null;
  readonly ended: Moment | null;
  readonly expires_at_ms: number;
  /** How often an acceptor has held it. */
  readonly holds: number;
  /** Its table still knows what was on the paper, so that its seat can print a copy. */
  readonly can_copy: boolean;
}

/** Where, when and by whom a ticket was issued, held or ended. */
export interface Moment {
  /** 0: the cage. */
  readonly stream: number;
  readonly seat: number;
  readonly at_ms: number;
  readonly actor: string;
  /** Why it was voided, or why its print ended. */
  readonly reason: string;
}

/** Why a ticket is voided, and the second person, who has approved it at this terminal. */
export interface VoidTicket {
  readonly reason: string;
  readonly approver?: string;
}

/** The asker's own drawer. What it should hold is hidden, because its owner counts without knowing. */
export interface OwnDrawer {
  readonly open: boolean;
  readonly float_cents: number;
}

/** What is in a drawer when it is opened. */
export interface DrawerFloat {
  readonly float_cents: number;
}

/** What was counted in a drawer. */
export interface CountedCash {
  readonly counted_cents: number;
}

/** What a drawer should have held when it was closed, and the difference of its count. */
export interface DrawerResult {
  readonly held_cents: number;
  readonly difference_cents: number;
}

/** A drawer that is open. */
export interface DrawerRow {
  readonly badge: string;
  readonly float_cents: number;
  /** What it should hold; null for the asker's own, which is counted without knowing. */
  readonly held_cents: number | null;
}

/** A terminal that is enrolled. */
export interface TerminalRow {
  readonly terminal: string;
  readonly place: Place;
  readonly connected: boolean;
}

/** A place for a screen or a device. */
export interface OfferPlace {
  readonly screen: PlaceKind;
  readonly table?: number;
  readonly seat?: number;
}

/** The code that enrols a terminal at the place. It is shown once. */
export interface OfferedPlace {
  readonly code: string;
  readonly place: Place;
  readonly expires_at_ms: number;
}

/** A device that is enrolled. */
export interface DeviceRow {
  readonly terminal: string;
  /** `screen` is the kind of device. */
  readonly place: Place;
  /** Since when it is connected; null if it is not. */
  readonly connected_ms: number | null;
  /** When its last message came; null if none came since the server started. */
  readonly heard_ms: number | null;
  /** As it says itself. */
  readonly state: Readonly<Record<string, string | number | boolean>>;
  /** Null if it has not been reported since the server started. */
  readonly program: DeviceProgram | null;
  /** The number of its last report in the journal. */
  readonly reports: number;
  /** Reports are missing or contradict each other, and two people have not settled it. */
  readonly distrusted: boolean;
  /** What two people settle; null while the device has not reported its totals. */
  readonly difference: DeviceDifference | null;
  /** All that the device has counted, if it was asked; of an acceptor. */
  readonly counted: StackedPaper | null;
  /** All slips that the device has counted, if it was asked; of a printer. */
  readonly slips: number | null;
  /** What the journal counted since the last drop; of an acceptor. */
  readonly stacker: StackedPaper | null;
}

/** The program that drives a device, as it reported it. */
export interface DeviceProgram {
  readonly version: string;
  readonly sha256: string;
  /** Whether it is the server's own program. */
  readonly same: boolean;
}

/** What a device counted more than the journal. */
export interface DeviceDifference {
  /** Of bills. */
  readonly cents: number;
  readonly tickets: number;
  readonly slips: number;
}

/** Bills and tickets that were counted. */
export interface StackedPaper {
  /** By value in cents, how many. */
  readonly bills: Readonly<Record<number, number>>;
  readonly tickets: number;
}

/** What a device must report again. */
export interface TellAgain {
  readonly what?: ToTell;
}

/** An account of a member of staff. */
export interface AccountRow {
  readonly badge: string;
  readonly label: string;
  readonly role: Role;
  readonly locked: boolean;
  /** It has to wait at some terminal after wrong passwords. */
  readonly waits: boolean;
  readonly must_change: boolean;
}

/** An account to add. */
export interface NewAccount {
  readonly badge: string;
  readonly label: string;
  readonly role: Role;
}

/** A password that must be changed at the first sign-in. It is shown once. */
export interface OneTimePassword {
  readonly one_time_password: string;
}

/** The new role of an account. */
export interface NewRole {
  readonly role: Role;
}

/** Why the floor refuses, with a status of 401 or higher. */
export interface No {
  readonly why: Denial | FloorRefusal;
  readonly detail: string | Detailed;
  /** In English. */
  readonly says: string;
}

/** What cannot be read, found or done, with a status of 400 or higher. */
export interface Problem {
  readonly error: string;
}

/** An event of the journal. The event's own fields follow these. */
export interface EventLine {
  readonly seq: number;
  readonly at_ms: number;
  readonly actor: string;
  /** The heading under which the office shows it. */
  readonly log: EventHeading;
  readonly event: string;
  readonly seat?: number;
  readonly [detail: string]: unknown;
}

export interface BetsClosed {
  readonly event: "bets_closed";
  readonly transfers?: readonly Transfer[];
  readonly seats: readonly SeatClosed[];
  readonly power: Readonly<Record<string, "high" | "low">>;
  /** The draw that gave the Power Odds. */
  readonly draw?: string;
  /** By progressive account: the carried fraction of a cent. */
  readonly remainders?: Readonly<Record<string, string>>;
}

/** Cents that move from one account to another. */
export interface Transfer {
  readonly source: string;
  readonly target: string;
  readonly cents: number;
}

/** A seat when bets closed. */
export interface SeatClosed {
  readonly seat: number;
  readonly felt: Felt;
  /** All money on the felt. */
  readonly bet_cents: number;
  /** By bet: what counts as a new wager. */
  readonly handle?: Readonly<Record<string, number>>;
  readonly sits_out?: boolean;
  /** By spot, for Repeat. */
  readonly stakes?: Readonly<Record<string, number>>;
  /** By spot: side wagers that no longer qualified and went back. */
  readonly returned?: Readonly<Record<string, number>>;
}

/** A seat's wagers by spot, and what the rules remember about the seat. */
export interface Felt {
  readonly wagers?: Readonly<Record<string, Wager>>;
  /** Don't Pass was reduced or taken down after a roll, so it cannot be placed again in this cycle (ruling 14). */
  readonly dont_pass_banned?: boolean;
}

/** One seat's money on one spot. */
export interface Wager {
  /** The key of its bet's state. */
  readonly state: string;
  readonly stake_cents: number;
  readonly switch?: Switch;
  /** It was on the felt during a roll that its seat did not sit out (ruling 30). */
  readonly lain?: boolean;
  /** The upfront fee of its unmet stake, returned together with it (ruling 31). */
  readonly fee_cents?: number;
  /** It is off, and its chips were given back: only a mark is on the felt (ruling 5). */
  readonly released?: boolean;
  /** The part of the stake that has met a working roll, and so counts as handle; zero again after a decision. */
  readonly counted_cents?: number;
  /** Its seat sat out a roll while it was on the felt. */
  readonly waited?: boolean;
}

/** Seat 0 if nobody shoots and the table rolls automatically. */
export interface ShooterChosen {
  readonly event: "shooter_chosen";
  readonly transfers?: readonly Transfer[];
  readonly seat: number;
  readonly shoots_by_ms: number;
}

export interface NoRollCalled {
  readonly event: "no_roll_called";
  readonly transfers?: readonly Transfer[];
  readonly reason: NoRoll;
}

export interface DiceRolled {
  readonly event: "dice_rolled";
  readonly transfers?: readonly Transfer[];
  readonly dice: Dice;
  /** The draw that gave them; empty if a dealer entered them. */
  readonly draw?: string;
  /** Of the hand, including this roll. */
  readonly roll_count: number;
  readonly hand: Hand;
  readonly seven_out: boolean;
  readonly ends_cycle: boolean;
  /** The dice go to the next seat when bets close. */
  readonly passes_dice: boolean;
  /** The progressive meters. */
  readonly meters?: Readonly<Record<string, Reading>>;
  /** Their flight was cut short: screens do not wait for its end. */
  readonly at_once?: boolean;
}

/** What the table remembers about the dice, for all seats. */
export interface Hand {
  readonly puck?: number;
  /** The rolls of the hand so far. */
  readonly rolls?: number;
  /** A point was set since the last seven-out. */
  readonly since_point?: boolean;
  /** 0 before the first roll, which counts as after a seven-out (ruling 20). */
  readonly last_total?: number;
  /** The totals rolled since the last 7. */
  readonly seen?: readonly number[];
  /** No point has been set since a seven-out, in a game in which Place and Buy then start off (ruling 49). */
  readonly rests?: boolean;
}

/** A progressive meter: its value, and how often it has been hit. */
export type Reading = readonly [
  cents: number,
  hits: number,
];

export interface Settled {
  readonly event: "settled";
  readonly transfers?: readonly Transfer[];
  readonly seats: readonly SeatSettled[];
  readonly envy_cents?: number;
  /** When bets open again; 0 if a person opens them. */
  readonly next_at_ms?: number;
  /** Fractions of a cent that rounding kept, in cents. */
  readonly under_a_cent?: string;
  /** By won meter: the number of this hit. */
  readonly hits?: Readonly<Record<string, number>>;
  /** By side game: what the hand has paid in addition to stakes, including this roll; empty after the hand. */
  readonly hand_paid?: Readonly<Record<string, number>>;
}

/** What a roll did at a seat. */
export interface SeatSettled {
  readonly seat: number;
  readonly felt: Felt;
  readonly lines: readonly SettledLine[];
  readonly paid_cents: number;
  readonly offers?: readonly WonOffer[];
  /** By meter: what it paid. */
  readonly awards?: Readonly<Record<string, number>>;
}

/** What a roll did to one wager. */
export interface SettledLine {
  readonly spot: string;
  readonly bet: string;
  readonly stake_cents: number;
  readonly decided: Decided;
  readonly payment?: Payment;
  /** The key of the progressive meter it won; the meter's money is not in the payment. */
  readonly meter?: string;
  readonly envy?: string;
  readonly returned_cents?: number;
  readonly taken_cents?: number;
  /** Where the stake is now; empty if it is gone. */
  readonly to?: string;
  /** The upfront fee that a winner pays from its win to stay up. */
  readonly fee_cents?: number;
}

/** A win in money: where each whole cent goes, and the fraction that no account can hold. */
export interface Payment {
  readonly paid_cents: number;
  readonly commission_cents: number;
  readonly breakage_cents: number;
  readonly under_a_cent: string;
}

/** A Place bet that won may be pressed by this win, or this stake moved (RULES 3, ruling 11). */
export interface WonOffer {
  readonly kind: "move" | "press";
  readonly spot: string;
  readonly cents: number;
}

/** A confirmed roll was wrong; the table is as it was before it. */
export interface RollVoided {
  readonly event: "roll_voided";
  readonly transfers?: readonly Transfer[];
  readonly wrong: Dice;
  readonly by: string;
  readonly approver: string;
  /** By seat whose player has left since the roll: what that player took with them. */
  readonly took?: Readonly<Record<number, number>>;
  /** By seat with a reduced hand pay: what is due now. */
  readonly hand_pays?: Readonly<Record<number, number>>;
}
