"""Text scripts: a session in lines of text, played with the real `decide` and `evolve`.

`FORMS` is the whole grammar: parsing, error messages and the reference are made from it. A line that cannot be read
stops the script before anything is played. A refused line changes nothing and is recorded, and the script
continues.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, get_args

from msgspec import Struct
from msgspec.structs import replace

from stickman.rules import felt as felts
from stickman.rules.datafile import BadFile
from stickman.rules.dice import Roll
from stickman.rules.game import Game
from stickman.rules.machine import How
from stickman.rules.money import cents
from stickman.rules.settings import change, load
from stickman.table import messages as m
from stickman.table.asking import layout_of, situation_of
from stickman.table.decide import decide_given
from stickman.table.evolve import evolve
from stickman.table.ledger import progressive, seat_meter
from stickman.table.messages import Event, Facts, Refused, Request
from stickman.table.state import Table, new_table

CLOCK_STARTS_MS = 1_000
"""The clock at the first tick. Before it there is no time, and so no deadline."""
SECONDS_MAX = 86_400
SUPERVISOR, PIT_BOSS = "supervisor", "pit boss"
"""The supervisor changes settings, pays, and is the second person at a reversal; otherwise the pit boss is the
second."""


class ScriptError(ValueError):
    """A line that cannot be read: its number, what was found and what was expected."""

    def __init__(self, line: int, found: str, expected: str) -> None:
        self.line, self.found, self.expected = line, found, expected
        super().__init__(f"line {line}: found {found}; expected {expected}")


# --- The house of a script ---


class House(Struct, frozen=True):
    """Supplies the facts of each request."""

    now_ms: int = 0
    tickets: dict[str, int] = {}
    """Printed tickets that are not redeemed, in cents."""
    printed: int = 0
    printer_works: bool = True
    drawer_is_open: bool = True
    """The supervisor's, for cash that becomes credit."""
    power: dict[str, Any] = {}
    """The Power Odds draw for the next close."""
    meters: dict[str, int] = {}
    """By meter: its reading less its account's balance. The default is its seed."""
    hits: dict[str, int] = {}
    forbidden: tuple[str, ...] = ()
    """Settings that the jurisdiction lock forbids to change."""

    def facts(self, table: Table, request: Request) -> Facts:
        seat = getattr(request, "seat", 0)
        supervised = isinstance(
            request, m.ChangeSetting | m.ClearLockup | m.ClearTable | m.PayByHand | m.GiveCredit
        )
        number = request.number if isinstance(request, m.InsertTicket) else ""
        return Facts(
            now_ms=self.now_ms,
            actor=SUPERVISOR if supervised else f"seat {seat}" if seat else table.dealer or "dealer",
            approver=PIT_BOSS if isinstance(request, m.ChangeSetting | m.PayByHand | m.GiveCredit) else "",
            drawer=SUPERVISOR if isinstance(request, m.GiveCredit) and self.drawer_is_open else "",
            power=self.power,
            ticket=m.TicketIn(number, self.tickets.get(number, 0)),
            ticket_number=f"{self.printed + 1:018}" if self.printer_works else "",
            meters=self.readings(table),
            pin_mark=f"pin {pin}" if (pin := getattr(request, "pin", "")) else "",
            forbidden=key if (key := getattr(request, "key", "")) in self.forbidden else "",
        )

    def readings(self, table: Table) -> dict[str, m.Reading]:
        """Each meter: its seed, or the value that a line set, plus what it was fed since."""
        played = [name for name, side in table.game.progressives().items() if side.on]
        seeds = {table.game.meter(name): table.game.reset_cents(name) for name in played}
        shown = {**seeds, **self.meters}
        fed = {meter: table.accounts.get(progressive(meter), 0) for meter in shown}
        return {meter: m.Reading(cents + fed[meter], self.hits.get(meter, 0)) for meter, cents in shown.items()}

    def after(self, event: Event) -> House:
        learns = LEARNS.get(type(event))
        return replace(self, **learns(self, event)) if learns else self


LEARNS: dict[type[Event], Callable[[House, Any], dict[str, Any]]] = {
    m.TicketPrinted: lambda house, event: {
        "printed": house.printed + 1,
        "tickets": {**house.tickets, event.number: event.cents},
    },
    m.Tipped: lambda house, _: {"printed": house.printed + 1},
    m.TicketRedeemed: lambda house, event: {
        "tickets": {number: cents for number, cents in house.tickets.items() if number != event.number}
    },
    m.BetsClosed: lambda *_: {"power": {}},
    m.Settled: lambda house, event: {"hits": {**house.hits, **event.hits}},
}
"""By event: what the house learns from it."""


# --- The result of each line ---


class Step(NamedTuple):
    """One line of a script and its result."""

    number: int
    text: str
    requests: tuple[Request, ...]
    events: tuple[Event, ...]
    refusal: Refused | None
    table: Table
    """After the line."""


class Played(NamedTuple):
    """A script that was played."""

    table: Table
    steps: tuple[Step, ...]
    start: Table
    """The table before the first line; the events of all steps lead from it to `table`."""


class _Stopped(Exception):
    """A request of the line was refused."""


class _Turn:
    """One line being played: its requests and events. It is discarded if something is refused."""

    def __init__(self, table: Table, house: House) -> None:
        self.table, self.house = table, house
        self.requests: list[Request] = []
        self.events: list[Event] = []
        self.refusal: Refused | None = None

    def ask(self, request: Request, **facts: Any) -> tuple[Event, ...]:
        """Ask the table, with facts in addition to those of the house."""
        self.requests.append(request)
        decided = decide_given(self.table, request, replace(self.house.facts(self.table, request), **facts))
        if isinstance(decided, Refused):
            self.refusal = decided
            raise _Stopped
        for event in decided:
            self.table = evolve(self.table, event)
            self.house = self.house.after(event)
            self.events.append(event)
        return decided

    def knows(self, **changes: Any) -> None:
        self.house = replace(self.house, **changes)

    def close(self) -> None:
        """Open bets if the last result is still shown, then close them, so that a seat may shoot."""
        if self.table.phase == "rolled":
            self.ask(m.OpenBets())
        if self.table.phase == "betting":
            self.ask(m.CloseBets())

    def open(self) -> None:
        """Let the next line bet."""
        if self.table.phase == "rolled":
            self.ask(m.OpenBets())


# --- What lines do ---

Values = dict[str, Any]
Do = Callable[[_Turn, Values], None]


def _switches(switch: m.SeatSwitch) -> Do:
    def do(turn: _Turn, values: Values) -> None:
        turn.ask(m.SetSwitch(switch=switch, **values))

    return do


def _roll(turn: _Turn, values: Values) -> None:
    """Without a live wager there is no roll: the bet time starts again (ruling 26)."""
    turn.close()
    if turn.table.phase == "betting":
        return
    if turn.table.mode == "dealer_assisted":
        turn.ask(m.EnterDice(dice=values["rolls"]))
        turn.ask(m.ConfirmDice())
    else:
        turn.ask(m.RollDice(), dice=values["rolls"])
    turn.open()


def _shoots(turn: _Turn, values: Values) -> None:
    """A single seat's swipe also closes bets."""
    if len(turn.table.seats) > 1:
        turn.close()
    turn.ask(m.Shoot(seat=values["seat"]), dice=values.get("rolls"))
    turn.open()


def _after_close(kind: type[Request]) -> Do:
    def do(turn: _Turn, values: Values) -> None:
        turn.close()
        turn.ask(kind(**values))

    return do


def _confirms(turn: _Turn, _: Values) -> None:
    turn.ask(m.ConfirmDice())
    turn.open()


def _reverses(approver: str) -> Do:
    def do(turn: _Turn, values: Values) -> None:
        turn.ask(m.ReverseRoll(dice=values["dice"]), approver=approver)
        turn.open()

    return do


def _signs_in(turn: _Turn, values: Values) -> None:
    turn.ask(m.SignIn(), actor=values["name"])


def _staff_opens(turn: _Turn, values: Values) -> None:
    turn.ask(m.ReturnToSeat(seat=values["seat"]), actor=SUPERVISOR, approver=PIT_BOSS)


def _draws(turn: _Turn, values: Values) -> None:
    turn.knows(power={**turn.house.power, values["group"]: values["level"]})


def _reads_meter(turn: _Turn, values: Values) -> None:
    game = turn.table.game
    keys = {side.meter: game.meter(name) for name, side in game.progressives().items()}
    meter = keys.get(values["meter"], str(values["meter"]))
    fed = turn.table.accounts.get(progressive(meter), 0)
    turn.knows(meters={**turn.house.meters, meter: values["cents"] - fed})


def _restarts(turn: _Turn, values: Values) -> None:
    stopped_ms = turn.house.now_ms or CLOCK_STARTS_MS
    turn.knows(now_ms=stopped_ms + values["seconds"] * 1000)
    turn.ask(m.Restart(), stopped_ms=stopped_ms)


def _forbids(turn: _Turn, values: Values) -> None:
    turn.knows(forbidden=(*turn.house.forbidden, values["key"]))


def _drawer(turn: _Turn, values: Values) -> None:
    turn.knows(drawer_is_open=values["drawer"] == "opens")


def _printer(turn: _Turn, values: Values) -> None:
    turn.knows(printer_works=values["printer"] == "works")


def _ticks(turn: _Turn, values: Values) -> None:
    """Time passes from one deadline to the next. If the table rolls automatically, the line has the dice."""
    turn.knows(now_ms=turn.house.now_ms or CLOCK_STARTS_MS)
    ends_ms = turn.house.now_ms + 1000 * values["seconds"]
    dice = list(values.get("several", ()))
    while 0 < turn.table.deadline_ms <= ends_ms and not turn.table.paused:
        turn.knows(now_ms=max(turn.house.now_ms, turn.table.deadline_ms))
        rolls = dice.pop(0) if dice and turn.table.phase == "shooting" else None
        if not turn.ask(m.Tick(), dice=rolls):
            break
    turn.knows(now_ms=ends_ms)
    turn.ask(m.Tick())


# --- The parts of a line ---


class Slot(NamedTuple):
    """A word of a form that varies."""

    field: str
    """The name of its value."""
    pattern: str
    """What it can match in a line; `read` checks it."""
    read: Callable[[str], object]
    words: str


def _matching(pattern: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not re.fullmatch(pattern, text, re.ASCII):
            raise ValueError(text)
        return text

    return read


def _number(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not low <= int(text) <= high:
            raise ValueError(text)
        return int(text)

    return read


def _one_of(choices: tuple[str, ...]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if (word := text.replace(" ", "_")) not in choices:
            raise ValueError(text)
        return word

    return read


def _dice(text: str) -> m.Dice:
    first, second = Roll.parse(text)
    return first, second


def _entry(text: str) -> m.Dice:
    """Dice as a dealer types them; the table checks whether they are dice."""
    first, second = _matching(r"\d-\d")(text).split("-")
    return int(first), int(second)


def _choice(field: str, choices: tuple[str, ...]) -> Slot:
    return Slot(field, r"\S+", _one_of(choices), "one of " + ", ".join(choices))


BUTTONS: tuple[str, ...] = get_args(m.Button)
SLOTS = {
    "GAME": Slot("game", r"\S+", str, "a game such as craps"),
    "KEY": Slot("key", r"\S+", str, "a setting such as odds.take"),
    "VALUE": Slot("text", r".+", str, "its value"),
    "SEAT": Slot("seat", r"\S+", _number(1, 99), "a seat such as 1"),
    "AMOUNT": Slot("cents", r"\S+", cents, "an amount such as 12.00"),
    "TICKET": Slot("number", r"\S+", lambda t: _matching(r"\d{1,18}")(t).zfill(18), "a ticket's 18 digits"),
    "SPOT": Slot("spot", r"\S+", _matching(r"[a-z][a-z0-9_.-]*"), "a bet such as place.6"),
    "TARGET": Slot("to", r"\S+", _matching(r"[a-z][a-z0-9_.-]*"), "a bet such as buy.8"),
    "BUTTON": Slot(
        "button", r"\S+(?: (?:last|all))?", _one_of(BUTTONS), "one of " + ", ".join(BUTTONS).replace("_", " ")
    ),
    "on|off": Slot("on", r"on|off", lambda t: t == "on", "on or off"),
    "accepts|declines": Slot("accept", r"accepts|declines", lambda t: t == "accepts", "accepts or declines"),
    "DICE": Slot("rolls", r"\S+", _dice, "dice such as 4-2"),
    "ROLLS": Slot("several", r".+", lambda text: [_dice(word) for word in text.split()], "dice such as 4-2 6-1"),
    "ENTRY": Slot("dice", r"\S+", _entry, "dice such as 4-2"),
    "REASON": _choice("reason", get_args(m.NoRoll)),
    "MODE": _choice("mode", get_args(m.Mode)),
    "DOOR": _choice("door", get_args(m.TerminalDoor)),
    "TABLE_DOOR": _choice("door", get_args(m.TableDoor)),
    "SECONDS": Slot("seconds", r"\S+", _number(0, SECONDS_MAX), f"seconds from 0 to {SECONDS_MAX}"),
    "GROUP": Slot("group", r"\S+", _matching("[A-G]"), "a group from A to G"),
    "low|high": Slot("level", r"low|high", str, "low or high"),
    "METER": Slot("meter", r"\S+", _matching("[a-z][a-z0-9_]*"), "a meter such as make_em_all"),
    "opens|closes": Slot("drawer", r"opens|closes", str, "opens or closes"),
    "works|fails": Slot("printer", r"works|fails", str, "works or fails"),
    "printer|acceptor": Slot("part", r"printer|acceptor", str, "printer or acceptor"),
    "PIN": Slot("pin", r"\S+", _matching(r"\d{4,8}"), "a PIN of four to eight digits"),
    "NAME": Slot("name", r".+", str, "a name"),
}


# --- The grammar ---


class Form(NamedTuple):
    """A kind of line. Words in capitals vary; words in brackets are optional."""

    form: str
    example: str
    help: str
    do: Do | type[Request] | None = None
    """A request whose fields are the slots, or what to do. None: it chooses the game, before play."""

    def play(self, turn: _Turn, values: Values) -> None:
        if isinstance(self.do, type):
            turn.ask(self.do(**values))
        elif self.do:
            self.do(turn, values)


@cache
def _pattern(form: str) -> re.Pattern[str]:
    text = ""
    for word in form.split():
        name = word.strip("[]")
        part = f"(?P<{SLOTS[name].field}>{SLOTS[name].pattern})" if name in SLOTS else re.escape(name)
        part = f" {part}" if text else part
        text += f"(?:{part})?" if word.startswith("[") else part
    return re.compile(text)


FORMS = (
    Form("game GAME", "game craps", "Play this game; without the line, craps."),
    Form("set KEY VALUE", "set odds.take 10x", "Choose a setting or a pay table, before play."),
    # Money
    Form("seat SEAT inserts AMOUNT", "seat 1 inserts 100.00", "Insert bills.", m.InsertCash),
    Form(
        "seat SEAT inserts ticket TICKET",
        "seat 1 inserts ticket 000000000000000001",
        "Insert a ticket. Valid are tickets that this script printed earlier, once each.",
        m.InsertTicket,
    ),
    Form(
        "seat SEAT is given AMOUNT",
        "seat 1 is given 100.00",
        "Give credit for cash; the cash goes into the supervisor's drawer.",
        m.GiveCredit,
    ),
    Form("seat SEAT tips AMOUNT", "seat 1 tips 5.00", "Tip the dealer.", m.GiveTip),
    Form("seat SEAT cashes out", "seat 1 cashes out", "Take the credit as a ticket.", m.CashOut),
    # Betting
    Form("seat SEAT bets SPOT AMOUNT", "seat 1 bets place.6 12.00", "Put chips on a bet.", m.PlaceBet),
    Form(
        "seat SEAT takes SPOT [AMOUNT]", "seat 1 takes place.6 6.00", "Take a wager down, or part of it.", m.TakeBet
    ),
    Form("seat SEAT all on|off", "seat 1 all off", "Switch everything on or off.", m.SwitchAll),
    Form("seat SEAT on|off SPOT", "seat 1 off place.6", "Switch a wager on or off.", m.SwitchBet),
    Form("seat SEAT undoes", "seat 1 undoes", "Undo the last action.", m.Undo),
    Form("seat SEAT accepts|declines", "seat 1 accepts", "Accept or decline a fee.", m.AnswerPopUp),
    Form("seat SEAT presses roll", "seat 1 presses roll", "Press Roll: ready for the dice.", m.PressRoll),
    Form(
        "seat SEAT presses by win SPOT",
        "seat 1 presses by win place.6",
        "Add the win of a Place bet to that bet.",
        m.PressByWin,
    ),
    Form(
        "seat SEAT presses BUTTON [AMOUNT]",
        "seat 1 presses across 6.00",
        f"Press a button ({', '.join(BUTTONS)}), with a chip if it places one.",
        m.PressButton,
    ),
    Form(
        "seat SEAT moves SPOT to TARGET",
        "seat 1 moves place.6 to buy.8",
        "Move a Place bet that won on the come-out.",
        m.MoveBet,
    ),
    Form("seat SEAT keeps bets on|off", "seat 1 keeps bets on", "Switch Keep Bets On.", _switches("keep_bets")),
    Form("seat SEAT repeats on|off", "seat 1 repeats on", "Switch auto-repeat.", _switches("auto_repeat")),
    Form(
        "seat SEAT plays AMOUNT credits",
        "seat 1 plays 0.25 credits",
        "Choose the value of one credit.",
        m.ChooseDenomination,
    ),
    # The round
    Form("roll DICE", "roll 4-2", "Close bets, roll (a dealer enters and confirms), settle, open bets.", _roll),
    Form("no roll REASON", "no roll off_table", "Close bets; the dice do not count.", _after_close(m.CallNoRoll)),
    Form("opens bets", "opens bets", "Open bets.", m.OpenBets),
    Form("closes bets", "closes bets", "Close bets.", m.CloseBets),
    Form("power GROUP low|high", "power A high", "Set what Power Odds draws at the next close.", _draws),
    Form("meter METER AMOUNT", "meter make_em_all 25000.00", "Set the value of a progressive meter.", _reads_meter),
    Form("puck off", "puck off", "The dealer turns the puck off.", m.PutPuckOff),
    Form("seat SEAT puts puck off", "seat 1 puts puck off", "A player turns the puck off.", m.PutPuckOff),
    Form(
        "tick SECONDS [ROLLS]",
        "tick 30",
        "Let time pass; the dice are for rolls that the table makes automatically.",
        _ticks,
    ),
    Form("pause", "pause", "Stop the table.", m.PauseTable),
    Form("restart SECONDS", "restart 30", "Stop the table and start it again after this many seconds.", _restarts),
    Form("resume", "resume", "Resume the table.", m.ResumeTable),
    # The shooter and the dealer
    Form(
        "seat SEAT shooter on|off", "seat 1 shooter off", "Want the dice, or pass them.", _switches("shooter_play")
    ),
    Form("seat SEAT shoots [DICE]", "seat 1 shoots 4-2", "Close bets; the shooter swipes; open bets.", _shoots),
    Form("dealer shooter SEAT", "dealer shooter 3", "Close bets; name the shooter.", _after_close(m.NameShooter)),
    Form("dealer names SEAT", "dealer names 3", "Name the next shooter while bets are open.", m.NameShooter),
    Form("dealer signs in NAME", "dealer signs in badge-12", "A dealer takes the table.", _signs_in),
    Form("dealer signs out", "dealer signs out", "The dealer leaves the table.", m.SignOut),
    Form("dealer enters ENTRY", "dealer enters 4-2", "Close bets; enter the dice.", _after_close(m.EnterDice)),
    Form("dealer corrects ENTRY", "dealer corrects 4-3", "Correct the entry.", m.EnterDice),
    Form("dealer confirms", "dealer confirms", "Confirm the dice; open bets.", _confirms),
    Form("reverse to ENTRY alone", "reverse to 4-3 alone", "The same with only one person.", _reverses("")),
    Form(
        "reverse to ENTRY",
        "reverse to 4-3",
        "Two people reverse the last roll and enter these dice.",
        _reverses(SUPERVISOR),
    ),
    # Around the seats
    Form("seat SEAT reserves", "seat 1 reserves", "Leave the seat for a while.", m.ReserveSeat),
    Form("seat SEAT returns", "seat 1 returns", "Come back to it.", m.ReturnToSeat),
    Form("seat SEAT reserves with PIN", "seat 1 reserves with 4711", "A PIN opens it.", m.ReserveSeat),
    Form("seat SEAT returns with PIN", "seat 1 returns with 4711", "Come back by PIN.", m.ReturnToSeat),
    Form("staff opens SEAT", "staff opens 1", "Staff open a reserved seat.", _staff_opens),
    Form("seat SEAT is called NAME", "seat 1 is called Seven", "The player's name.", m.NameSeat),
    Form("seat SEAT calls service", "seat 1 calls service", "Call for service.", m.CallService),
    Form("dealer answers SEAT", "dealer answers 1", "The dealer answers the call.", m.AnswerService),
    Form("seat SEAT loses link", "seat 2 loses link", "The terminal is cut off.", m.LoseLink),
    Form("seat SEAT restores link", "seat 2 restores link", "It is back.", m.RestoreLink),
    Form("door open SEAT [DOOR]", "door open 3 cage_main", "A door of the seat is opened.", m.OpenDoor),
    Form("door close SEAT [DOOR]", "door close 3", "It is shut.", m.CloseDoor),
    Form(
        "table door open TABLE_DOOR",
        "table door open network",
        "A door of the table is opened: the whole table stops.",
        m.OpenTableDoor,
    ),
    Form("table door close TABLE_DOOR", "table door close network", "It is shut.", m.CloseTableDoor),
    Form("clear table", "clear table", "A supervisor clears it, with any key turned.", m.ClearTable),
    Form("fault SEAT printer|acceptor", "fault 3 printer", "A part of the terminal fails.", m.ReportFault),
    Form("key on|off SEAT", "key on 3", "The key switch of the seat is turned.", m.TurnKey),
    Form("clear lockup SEAT", "clear lockup 3", "Staff clear the lock-up of the seat.", m.ClearLockup),
    Form("pay by hand SEAT", "pay by hand 3", "Staff pay the seat by hand.", m.PayByHand),
    Form("drawer opens|closes", "drawer closes", "Whether the supervisor has a cash drawer open.", _drawer),
    Form("printer works|fails", "printer fails", "Whether tickets can be printed.", _printer),
    Form("mode MODE", "mode dealer_assisted", "Select the mode of play.", m.SelectMode),
    Form("lock forbids KEY", "lock forbids odds.take", "The jurisdiction lock forbids this change.", _forbids),
    Form("change KEY VALUE", "change odds.take 10x", "Change a setting while running.", m.ChangeSetting),
)
"""Every kind of line. If several match, the first whose values can be read counts."""


def reference() -> str:
    """The grammar as a page of Markdown."""
    head = ["| line | example | what it does |", "|---|---|---|"]
    rows = ["| `{}` | `{}` | {} |".format(*(text.replace("|", "\\|") for text in form[:3])) for form in FORMS]
    return "\n".join([*head, *rows, "| `# …` | `# a comment` | Nothing; also after a line. |"]) + "\n"


# --- Reading ---


class Line(NamedTuple):
    """A line that was read."""

    number: int
    text: str
    form: Form | None
    """None for an empty line or a comment."""
    values: Values


def read(text: str) -> list[Line]:
    """Read a script; `ScriptError` if a line cannot be read."""
    return [_read_line(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]


def _read_line(number: int, text: str) -> Line:
    words = " ".join(re.sub(r"(^|\s)#.*$", "", text).split())
    if not words:
        return Line(number, text, None, {})
    problem = ""
    for form in FORMS:
        if match := _pattern(form.form).fullmatch(words):
            values, wrong = _values(form, {field: word for field, word in match.groupdict().items() if word})
            if not wrong:
                return Line(number, text, form, values)
            problem = problem or f"{wrong}, as in {form.example!r}"
    raise ScriptError(number, repr(words), problem or _nearest(words))


def _values(form: Form, words: dict[str, str]) -> tuple[Values, str]:
    """The values of a line's slots, or what one of them should be."""
    values: Values = {}
    names = [word.strip("[]") for word in form.form.split()]
    slots = {SLOTS[name].field: SLOTS[name] for name in names if name in SLOTS}
    for field, word in words.items():
        try:
            values[field] = slots[field].read(word)
        except ValueError:
            return {}, f"for {word!r} {slots[field].words}"
    return values, ""


def _nearest(words: str) -> str:
    """Examples of the most similar forms."""

    def likeness(form: Form) -> tuple[int, int]:
        word = words.split(maxsplit=1)[0] == form.form.split(maxsplit=1)[0]
        blocks = difflib.SequenceMatcher(None, words, form.example).get_matching_blocks()
        return word, 2000 * sum(block.size for block in blocks) // (len(words) + len(form.example))

    best = sorted(FORMS, key=likeness, reverse=True)[:3]
    return " or ".join(repr(form.example) for form in best)


# --- Playing ---


def play(text: str) -> Played:
    lines = read(text)
    table = start = new_table(_game(lines))
    house, steps = House(), list[Step]()
    for line in lines:
        turn = _Turn(table, house)
        try:
            if line.form:
                line.form.play(turn, line.values)
        except _Stopped:
            steps.append(Step(line.number, line.text, tuple(turn.requests), (), turn.refusal, table))
        else:
            table, house = turn.table, turn.house
            steps.append(Step(line.number, line.text, tuple(turn.requests), tuple(turn.events), None, table))
    return Played(table, tuple(steps), start)


def _game(lines: list[Line]) -> Game:
    """The game that the first lines choose; such lines must come before all others."""
    playing = [line for line in lines if line.form]
    choosing = [line for line in playing if line.form and line.form.do is None]
    for line in choosing:
        if line != playing[choosing.index(line)]:
            raise ScriptError(line.number, repr(line.text), "such a line before play, then 'change KEY VALUE'")
        if "game" in line.values and line != choosing[0]:
            raise ScriptError(line.number, repr(line.text), "the game once, before its settings")
    game = load("craps")
    for line in choosing:
        try:
            chosen = line.values
            game = load(chosen["game"]) if "game" in chosen else change(game, chosen["key"], chosen["text"])
        except BadFile as problem:
            key = f"{problem.key}: " if problem.key else ""
            raise ScriptError(line.number, key + problem.found, problem.allowed) from None
    return game


# --- The end state ---


def end_state(played: Played) -> dict[str, Any]:
    """The end state of a script, as plain values."""
    table = played.table
    acted = {getattr(request, "seat", 0) for step in played.steps for request in step.requests}
    seats = {
        str(seat.number): {
            "credit": table.credit(seat.number),
            "wagers": [_wager(table, seat.number, spot) for spot in seat.felt.wagers],
            "paid_total": table.play_meters.get(seat_meter(seat.number, "paid"), 0),
        }
        for seat in table.seats
        if seat.number in acted or seat.felt.wagers or table.credit(seat.number)
    }
    return {
        "seats": seats,
        "puck": table.hand.puck,
        "roll_count": table.hand.rolls,
        "refusals": [
            {"line": step.number, "reason": step.refusal.why.name.lower()} for step in played.steps if step.refusal
        ],
        "ledger": dict(sorted(table.accounts.items())),
    }


def _wager(table: Table, number: int, spot: str) -> dict[str, Any]:
    here = situation_of(table, number)
    wager = here.felt.wagers[spot]
    return {
        "bet": spot,
        "stake": wager.stake_cents,
        "working": felts.how(here.layout, here.hand.puck, wager) is not How.OFF,
        "locked": felts.offer(here, spot).take is felts.Reason.LOCKED,
        "progress": progress(table, wager),
    }


def progress(table: Table, wager: felts.Wager) -> str:
    """A wager's progress: its state, if its bet has several."""
    layout = layout_of(table)
    bet = layout.bet_at[wager.state]
    return layout.states[wager.state].name if len(bet.states) > 1 else ""
