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
from typing import Any, Literal, NamedTuple, NoReturn, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from stickman.devices import signals as s
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
from stickman.table.messages import Event, Facts, Refused, Reported, Request
from stickman.table.ports import refuses_bill, refuses_ticket
from stickman.table.state import Table, new_table

CLOCK_STARTS_MS = 1_000
"""The clock at the first tick. Before it there is no time, and so no deadline."""
SECONDS_MAX = 86_400
SUPERVISOR, PIT_BOSS = "supervisor", "pit boss"
"""The supervisor changes settings, pays, and is the second person at a reversal; otherwise the pit boss is the
second."""


Slips = Literal["printed", "failed", "unknown", "silent"]


class ScriptError(ValueError):
    """A line that cannot be read: its number, what was found and what was expected."""

    def __init__(self, line: int, found: str, expected: str) -> None:
        self.line, self.found, self.expected = line, found, expected
        super().__init__(f"line {line}: found {found}; expected {expected}")


# --- The house of a script ---


class House(Struct, frozen=True):
    """Supplies the facts of each request."""

    now_ms: int = 0
    flies: bool = False
    """Screens show how dice fly."""
    tickets: dict[str, int] = {}
    """Printed tickets that are not redeemed, in cents."""
    printed: int = 0
    """Numbers of tickets that were used."""
    printer_works: bool = True
    slips: Slips = "printed"
    """What becomes of the next tickets."""
    notes: int = 0
    """Bills and tickets that were inserted."""
    drawer_is_open: bool = True
    """The supervisor's, for cash that becomes credit."""
    power: dict[str, Any] = {}
    """The Power Odds draw for the next close."""
    meters: dict[str, int] = {}
    """By meter: its reading less its account's balance. The default is its seed."""
    hits: dict[str, int] = {}
    forbidden: tuple[str, ...] = ()
    """Settings that the jurisdiction lock forbids to change."""

    def facts(self, table: Table, request: Request | Reported) -> Facts:
        seat, number = getattr(request, "seat", 0), getattr(getattr(request, "signal", None), "number", "")
        supervised = isinstance(
            request, m.ChangeSetting | m.ClearLockup | m.ClearTable | m.PayByHand | m.GiveCredit
        )
        return Facts(
            now_ms=self.now_ms,
            flies=self.flies,
            actor=SUPERVISOR if supervised else f"seat {seat}" if seat else table.dealer or "dealer",
            approver=PIT_BOSS if isinstance(request, m.ChangeSetting | m.PayByHand | m.GiveCredit) else "",
            drawer=SUPERVISOR if isinstance(request, m.GiveCredit) and self.drawer_is_open else "",
            power=self.power,
            ticket=m.TicketIn(number, self.tickets.get(number, 0)),
            ticket_number=f"{self.printed + 1:018}",
            printers=None if self.printer_works else dict.fromkeys(range(1, len(table.seats) + 1), "away"),
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
    m.TicketReserved: lambda house, _: {"printed": house.printed + 1},
    m.TicketPrinted: lambda house, event: {"tickets": {**house.tickets, event.number: event.cents}},
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
    requests: tuple[Request | Reported, ...]
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
        self.requests: list[Request | Reported] = []
        self.events: list[Event] = []
        self.refusal: Refused | None = None

    def ask(self, request: Request | Reported, **facts: Any) -> tuple[Event, ...]:
        """Ask the table, with facts in addition to those of the house."""
        self.requests.append(request)
        decided = decide_given(self.table, request, replace(self.house.facts(self.table, request), **facts))
        if isinstance(decided, Refused):
            self.stop(decided)
        for event in decided:
            self.table = evolve(self.table, event)
            self.house = self.house.after(event)
            self.events.append(event)
        return decided

    def stop(self, refused: Refused) -> NoReturn:
        self.refusal = refused
        raise _Stopped

    def report(self, seat: int, kind: s.DeviceKind, signal: s.AnySignal) -> tuple[Event, ...]:
        """Speak as a device of a seat (ruling 55)."""
        return self.ask(Reported(seat=seat, kind=kind, signal=signal))

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


def _inserts_bills(turn: _Turn, values: Values) -> None:
    """The acceptor gives bills back that the seat may not take."""
    seat, cents = values["seat"], values["cents"]
    asked = m.CashOut(seat=seat)
    if no := refuses_bill(turn.table, seat, cents, turn.house.facts(turn.table, asked)):
        turn.stop(no)
    turn.knows(notes=turn.house.notes + 1)
    turn.report(seat, "acceptor", s.BillStacked(note=turn.house.notes, cents=cents))


def _inserts_ticket(turn: _Turn, values: Values) -> None:
    """The acceptor holds a ticket, and gives it back if it may not be taken."""
    seat, number, note = values["seat"], values["number"], turn.house.notes + 1
    escrow = s.TicketInEscrow(note=note, number=number)
    known = turn.house.facts(turn.table, Reported(seat=seat, signal=escrow))
    no = refuses_ticket(turn.table, seat, number, known)
    if isinstance(no, Refused):
        turn.stop(no)
    turn.knows(notes=note)
    turn.report(seat, "acceptor", escrow)
    turn.report(seat, "acceptor", s.TicketStacked(note=note, number=number))


def _prints(kind: type[m.GiveTip | m.CashOut]) -> Do:
    """Ask for a ticket, and print it as the printer of the script does."""

    def do(turn: _Turn, values: Values) -> None:
        events = turn.ask(kind(**values))
        for reserved in [event for event in events if isinstance(event, m.TicketReserved)]:
            if turn.house.slips != "silent":
                turn.report(reserved.seat, "printer", SLIPS[turn.house.slips](reserved.number))

    return do


SLIPS: dict[Slips, Callable[[str], s.AnySignal]] = {
    "printed": lambda job: s.SlipPrinted(job=job),
    "failed": lambda job: s.SlipFailed(job=job, why="paper_out"),
    "unknown": lambda job: s.SlipUnknown(job=job, why="no_answer"),
}
"""By what becomes of a slip: the printer's report."""


def _slips(turn: _Turn, values: Values) -> None:
    turn.knows(slips=values["slips"])


def _door_moves(*, open_: bool) -> Do:
    def do(turn: _Turn, values: Values) -> None:
        door = values.get("door", "terminal_logic")
        turn.report(values.get("seat", 0), "doors", s.DoorMoved(door=door, open=open_, moved_ms=turn.house.now_ms))

    return do


def _key_turns(turn: _Turn, values: Values) -> None:
    turn.report(values["seat"], "doors", s.KeyMoved(on=values["on"], moved_ms=turn.house.now_ms))


def _fails(turn: _Turn, values: Values) -> None:
    turn.report(values["seat"], values["part"], s.FaultBegan(fault="failure"))


def _repaired(turn: _Turn, values: Values) -> None:
    turn.report(values["seat"], values["part"], s.FaultEnded(fault="failure"))


def _reports(turn: _Turn, values: Values) -> None:
    """Any report, of a device that has a name and numbers its reports."""
    kind, seat = values["kind"], values["place"]
    about = {"device": f"{kind}-{seat}", "boot": "0" * 16, "seq": values["seq"], "at_ms": turn.house.now_ms}
    turn.ask(Reported(seat=seat, kind=kind, signal=values["signal"], **about))


def _two_ask(kind: type[m.CancelPrint]) -> Do:
    def do(turn: _Turn, values: Values) -> None:
        turn.ask(kind(**values), actor=SUPERVISOR, approver=PIT_BOSS)

    return do


def _removes(turn: _Turn, values: Values) -> None:
    turn.ask(m.RemoveDevice(seat=values["place"], device=f"{values['kind']}-{values['place']}"))


def _settles(turn: _Turn, values: Values) -> None:
    device = f"{values['kind']}-{values['place']}"
    turn.ask(m.SettleDevice(seat=values["place"], device=device), actor=SUPERVISOR, approver=PIT_BOSS)


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


def _screens(turn: _Turn, values: Values) -> None:
    turn.knows(flies=values["on"])


def _lands(turn: _Turn, values: Values) -> None:
    turn.ask(m.LandDice(seat=values["seat"]))


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


def _signal(text: str) -> s.AnySignal:
    try:
        found: s.AnySignal = msgspec.json.decode(text, type=s.AnySignal)
    except msgspec.DecodeError as problem:
        raise ValueError(text) from problem
    return found


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
    "SLOT": Slot("slot", r"\S+", _number(0, 99), "a number from 1 to 8"),
    "on|off": Slot("on", r"on|off", lambda t: t == "on", "on or off"),
    "accepts|declines": Slot("accept", r"accepts|declines", lambda t: t == "accepts", "accepts or declines"),
    "DICE": Slot("rolls", r"\S+", _dice, "dice such as 4-2"),
    "ROLLS": Slot("several", r".+", lambda text: [_dice(word) for word in text.split()], "dice such as 4-2 6-1"),
    "ENTRY": Slot("dice", r"\S+", _entry, "dice such as 4-2"),
    "REASON": _choice("reason", get_args(m.NoRoll)),
    "MODE": _choice("mode", get_args(m.Mode)),
    "DOOR": _choice("door", get_args(s.TerminalDoor)),
    "TABLE_DOOR": _choice("door", get_args(s.TableDoor)),
    "SECONDS": Slot("seconds", r"\S+", _number(0, SECONDS_MAX), f"seconds from 0 to {SECONDS_MAX}"),
    "GROUP": Slot("group", r"\S+", _matching("[A-G]"), "a group from A to G"),
    "low|high": Slot("level", r"low|high", str, "low or high"),
    "METER": Slot("meter", r"\S+", _matching("[a-z][a-z0-9_]*"), "a meter such as make_em_all"),
    "opens|closes": Slot("drawer", r"opens|closes", str, "opens or closes"),
    "works|fails": Slot("printer", r"works|fails", str, "works or fails"),
    "printed|failed|unknown|silent": _choice("slips", get_args(Slips)),
    "printer|acceptor": Slot("part", r"printer|acceptor", str, "printer or acceptor"),
    "acceptor|printer|doors": _choice("kind", s.DEVICE_KINDS),
    "PLACE": Slot("place", r"\S+", _number(0, 99), "a seat, or 0 for the table"),
    "SEQ": Slot("seq", r"\S+", _number(1, 10**9 - 1), "a number such as 1"),
    "SIGNAL": Slot("signal", r"\{.+\}", _signal, "a signal in JSON"),
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
    Form("seat SEAT inserts AMOUNT", "seat 1 inserts 100.00", "Insert bills.", _inserts_bills),
    Form(
        "seat SEAT inserts ticket TICKET",
        "seat 1 inserts ticket 000000000000000001",
        "Insert a ticket. Valid are tickets that this script printed earlier, once each.",
        _inserts_ticket,
    ),
    Form(
        "seat SEAT is given AMOUNT",
        "seat 1 is given 100.00",
        "Give credit for cash; the cash goes into the supervisor's drawer.",
        m.GiveCredit,
    ),
    Form("seat SEAT tips AMOUNT", "seat 1 tips 5.00", "Tip the dealer.", _prints(m.GiveTip)),
    Form("seat SEAT cashes out", "seat 1 cashes out", "Take the credit as a ticket.", _prints(m.CashOut)),
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
    Form(
        "seat SEAT carries SPOT to TARGET",
        "seat 1 carries place.6 to place.8",
        "Take a bet down and make it on another spot, in one action.",
        m.CarryBet,
    ),
    Form(
        "seat SEAT saves favourite SLOT",
        "seat 1 saves favourite 1",
        "Save what is on the felt, for the stay.",
        m.SaveFavourite,
    ),
    Form(
        "seat SEAT places favourite SLOT",
        "seat 1 places favourite 1",
        "Bet what the felt lacks of a favourite, in one action.",
        m.PlaceFavourite,
    ),
    Form(
        "seat SEAT removes favourite SLOT", "seat 1 removes favourite 1", "Forget a favourite.", m.RemoveFavourite
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
    Form("seat SEAT lands", "seat 1 lands", "A single seat does not wait for dice in the air.", _lands),
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
    Form("seat SEAT is handed over", "seat 2 is handed over", "Another player takes it over.", m.HandOver),
    Form(
        "door open SEAT [DOOR]", "door open 3 cage_main", "A door of the seat is opened.", _door_moves(open_=True)
    ),
    Form("door close SEAT [DOOR]", "door close 3", "It is shut.", _door_moves(open_=False)),
    Form(
        "table door open TABLE_DOOR",
        "table door open network",
        "A door of the table is opened: the whole table stops.",
        _door_moves(open_=True),
    ),
    Form("table door close TABLE_DOOR", "table door close network", "It is shut.", _door_moves(open_=False)),
    Form("clear table", "clear table", "A supervisor clears it, with any key turned.", m.ClearTable),
    Form("fault SEAT printer|acceptor", "fault 3 printer", "A part of the terminal fails.", _fails),
    Form("repaired SEAT printer|acceptor", "repaired 3 printer", "The part works again.", _repaired),
    Form("key on|off SEAT", "key on 3", "The key switch of the seat is turned.", _key_turns),
    Form(
        "report PLACE acceptor|printer|doors SEQ SIGNAL",
        'report 3 acceptor 1 {"signal":"bill_in_escrow","note":7,"cents":2000}',
        "Any report of a device, with its number (docs/devices.md); place 0 is the table itself.",
        _reports,
    ),
    Form("settle PLACE acceptor|printer|doors", "settle 3 acceptor", "Two people accept its totals.", _settles),
    Form("remove PLACE acceptor|printer|doors", "remove 3 acceptor", "The device is revoked.", _removes),
    Form("cancel print SEAT", "cancel print 3", "Two people cancel a ticket.", _two_ask(m.CancelPrint)),
    Form("print test SEAT", "print test 3", "Staff print a test page.", m.PrintTest),
    Form("print copy SEAT TICKET", "print copy 3 000000000000000001", "Staff print a copy.", m.PrintCopy),
    Form("clear lockup SEAT", "clear lockup 3", "Staff clear the lock-up of the seat.", m.ClearLockup),
    Form("pay by hand SEAT", "pay by hand 3", "Staff pay the seat by hand.", m.PayByHand),
    Form(
        "screens on|off", "screens on", "Whether screens show dice fly, which then count when they land.", _screens
    ),
    Form("drawer opens|closes", "drawer closes", "Whether the supervisor has a cash drawer open.", _drawer),
    Form("printer works|fails", "printer fails", "Whether tickets can be printed.", _printer),
    Form(
        "slips printed|failed|unknown|silent",
        "slips failed",
        "What the printer says of the next tickets: printed, surely not printed, unknown, or nothing.",
        _slips,
    ),
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
