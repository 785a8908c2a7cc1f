"""What a person's hands can do to emulated devices: one vocabulary for people, pages and tests.

`DEEDS` lists by device what can be done. `Hands.do` does it and returns what happened, which may be that nothing
did: an inhibited acceptor leaves the bill in the hand. A deed that does not exist, or a value that it cannot have,
is a `BadDeed`. Every slip is at one place: in the tray, in the acceptor, or in the hand, from which it can be
inserted again.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from stickman.devices.emulated_acceptor import EmulatedAcceptor, SlotPaper
from stickman.devices.emulated_doors import EmulatedDoors
from stickman.devices.emulated_printer import Bars, EmulatedPrinter, Mark, PaperSlip, Text
from stickman.devices.escpos import is_number
from stickman.devices.id003 import FAILURES, Status
from stickman.devices.signals import DEVICE_KINDS, DeviceKind

T = TypeVar("T")
HELD_MAX = 50
"""Slips in the hand; the oldest is thrown away."""
SHOWN_MAX = 12
"""Slips of a state."""
ROWS_MAX = 1_000
VALUE_MAX = 40
"""Letters of a value."""
STACKER_MOTOR = 0xA2
SLIP = "[NUMBER|POSITION]"
REPAIRABLE = (Status.FAILURE, Status.CHEATED, Status.PAUSE, Status.COMMUNICATION_ERROR)

HAPPENED = {
    "nothing": "Nothing changes: it is already like this.",
    "drawn_in": "The acceptor draws it in.",
    "not_drawn_in": "The acceptor does not draw it in (it shows {about}). It stays in your hand.",
    "no_slip": "There is no such slip in the tray or in your hand.",
    "came_out": "You have it back.",
    "came_out_noticed": "You have it back. The acceptor has noticed it.",
    "stays_in": "It does not come out.",
    "acceptor_jammed": "The acceptor is jammed.",
    "jam_cleared": "The jam is cleared. Paper that was stuck is in your hand.",
    "stacker_full": "The stacker is full.",
    "stacker_out": "The stacker is out, with {about} papers in it.",
    "stacker_in": "The stacker is in.",
    "failed": "The acceptor has failed: {about}.",
    "repaired": "The acceptor is repaired.",
    "paper_low": "The paper is low.",
    "paper_out": "The paper is out.",
    "paper_will_end": "The paper ends after {about} rows.",
    "paper_loaded": "There is a new roll of paper.",
    "cover_open": "The cover is open.",
    "cover_closed": "The cover is closed.",
    "cutter_will_jam": "The cutter jams at its next cut.",
    "cutter_free": "The cutter is free.",
    "offline": "The printer is offline.",
    "online": "The printer is online.",
    "slip_taken": "You have the slip.",
    "thrown_away": "The slip is thrown away.",
    "torn_off": "You have the paper that hung from the printer.",
    "door_open": "The door {about} is open.",
    "door_closed": "The door {about} is closed.",
    "key_on": "The key is on.",
    "key_off": "The key is off.",
    "power_cut": "The power is off.",
    "power_will_fail": "The power fails after {about} rows.",
    "power_on": "The power is on.",
    "unplugged": "The wire is unplugged.",
    "plugged_in": "The wire is plugged in at {about}.",
}
"""All that can happen, by its name, in English."""


class BadDeed(ValueError):
    """It says what was found and what is allowed."""


class Happened(Struct, frozen=True, kw_only=True):
    """What came of a deed."""

    what: str
    """A name of `HAPPENED`."""
    done: bool = True
    about: str = ""
    slip: dict[str, Any] | None = None
    """The paper that is in the hand now; see `draw_slip`."""

    @property
    def text(self) -> str:
        return HAPPENED[self.what].format(about=self.about)


class Plug(Protocol):
    """The near end of a device's wire."""

    plugged: bool

    @property
    def connected(self) -> bool: ...

    @property
    def address(self) -> object: ...

    def unplug(self) -> None: ...

    def plug_in(self) -> None: ...


class HandsClock(NamedTuple):
    steady_ms: Callable[[], int]
    """What emulated phases are measured with; it never jumps."""
    wall_ms: Callable[[], int]
    """Since 1970: what the memory of doors notes."""


class HandDeed(NamedTuple):
    name: str
    """As it is typed."""
    act: Act
    does: str
    value: str = ""
    """What its value looks like, in capital letters; in brackets if it may be left out."""


class Hands:
    """The hands at one place: a seat with its terminal, or the table itself."""

    def __init__(
        self,
        clock: HandsClock,
        *,
        acceptor: EmulatedAcceptor | None = None,
        printer: EmulatedPrinter | None = None,
        doors: EmulatedDoors | None = None,
        plugs: Mapping[DeviceKind, Plug] | None = None,
    ) -> None:
        self.clock = clock
        self._acceptor, self._printer, self._doors = acceptor, printer, doors
        self._plugs = plugs or {}
        self._held: list[PaperSlip] = []
        self._inserted: tuple[SlotPaper, PaperSlip] | None = None
        """A slip that was pushed into the acceptor."""

    @property
    def acceptor(self) -> EmulatedAcceptor:
        return _there(self._acceptor, "acceptor")

    @property
    def printer(self) -> EmulatedPrinter:
        return _there(self._printer, "printer")

    @property
    def doors(self) -> EmulatedDoors:
        return _there(self._doors, "doors")

    @property
    def devices(self) -> tuple[DeviceKind, ...]:
        """What there is at this place."""
        found = {"acceptor": self._acceptor, "printer": self._printer, "doors": self._doors}
        return tuple(kind for kind in DEVICE_KINDS if found[kind])

    def plug(self, device: DeviceKind) -> Plug:
        return _there(self._plugs.get(device), f"wire of the {device}")

    def do(self, device: str, name: str, value: str = "") -> Happened:
        """Do one deed. `BadDeed` if there is no such device, deed or value."""
        kind = next((kind for kind in self.devices if kind == device), None)
        if kind is None:
            raise BadDeed(f"found device {device[:VALUE_MAX]!r}; allowed: {', '.join(self.devices)}")
        deed = next((deed for deed in DEEDS[kind] if deed.name == name), None)
        if deed is None:
            names = ", ".join(deed.name for deed in DEEDS[kind])
            raise BadDeed(f"found deed {name[:VALUE_MAX]!r} for the {kind}; allowed: {names}")
        if len(value) > VALUE_MAX or (value and not deed.value):
            raise BadDeed(f"found value {value[:VALUE_MAX]!r} for {name!r}; allowed: {deed.value or 'none'}")
        self._collect()
        happened = deed.act(self, value)
        self._collect()
        return happened

    # --- Paper ---

    @property
    def tray(self) -> list[PaperSlip]:
        """Slips that can be inserted, the newest first."""
        self._collect()
        return [*reversed(self._held), *reversed(self._printer.slips if self._printer else [])]

    def find_slip(self, value: str) -> PaperSlip | None:
        """By its number, or by its position in the tray, where 1 is the newest; the newest without a value."""
        tray = self.tray
        if is_number(value):
            return next((slip for slip in tray if value in slip.numbers), None)
        if value and not (value.isascii() and value.isdigit() and len(value) <= 3):
            raise BadDeed(f"found slip {value!r}; allowed: 18 digits, or a position from 1")
        at = int(value or 1)
        return tray[at - 1] if 1 <= at <= len(tray) else None

    def take_slip(self, slip: PaperSlip, *, keep: bool = True) -> None:
        """It is in the hand, or gone."""
        if self._printer and any(slip is other for other in self._printer.slips):
            self._printer.take_slip(slip)
        held = [other for other in self._held if other is not slip]
        self._held = [*held, slip][-HELD_MAX:] if keep else held

    def insert_slip(self, slip: PaperSlip) -> Happened:
        self.take_slip(slip)
        [number, *_] = [*slip.numbers, ""]
        paper = self.acceptor.ticket(number) if is_number(number) else self.acceptor.torn_bill()
        happened = self.insert(paper)
        if happened.done:
            self.take_slip(slip, keep=False)
            self._inserted = paper, slip
        return happened

    def insert(self, paper: SlotPaper) -> Happened:
        now_ms = self.clock.steady_ms()
        if self.acceptor.insert(paper, now_ms):
            return Happened(what="drawn_in")
        status = self.acceptor.status
        return Happened(what="not_drawn_in", done=False, about=status.name.lower() if status else "off")

    def _collect(self) -> None:
        """Take what came out of the acceptor: a slip is kept, bills are in the pocket."""
        if self._acceptor:
            self._acceptor.wants(self.clock.steady_ms())
            out, self._acceptor.player = self._acceptor.player, []
            if self._inserted and self._inserted[0] in out:
                self._held = [*self._held, self._inserted[1]][-HELD_MAX:]
                self._inserted = None

    # --- How it is now ---

    def state(self) -> dict[str, Any]:
        """Everything that a page shows."""
        self._collect()
        states: dict[str, Any] = {}
        if self._acceptor:
            states["acceptor"] = _acceptor_state(self._acceptor)
        if self._printer:
            states["printer"] = _printer_state(self._printer, self.clock.steady_ms())
            states["printer"]["tray"] = [draw_slip(slip) for slip in self.tray[:SHOWN_MAX]]
        if self._doors:
            states["doors"] = _doors_state(self._doors)
        for kind, plug in self._plugs.items():
            states[kind] |= {"plugged": plug.plugged, "connected": plug.connected, "address": str(plug.address)}
        return states


def _there(found: T | None, name: str) -> T:
    if found is None:
        raise BadDeed(f"found no {name} at this place; allowed: what this place has")
    return found


def read_line(line: str, device: DeviceKind) -> tuple[str, str]:
    """A typed line as a deed and its value: `paper out`, `bill 20.00`."""
    typed = " ".join(line.split())
    names = sorted((deed.name for deed in DEEDS[device]), key=len, reverse=True)
    for name in names:
        if typed == name or typed.startswith(f"{name} "):
            return name, typed[len(name) + 1 :]
    raise BadDeed(f"found {typed[:VALUE_MAX]!r}; allowed: {', '.join(deed.name for deed in DEEDS[device])}")


def help_lines(device: DeviceKind) -> list[str]:
    """What can be done to a device, a line for each deed."""
    wide = max(len(f"{deed.name} {deed.value}") for deed in DEEDS[device])
    return [f"{f'{deed.name} {deed.value}'.ljust(wide)}  {deed.does}" for deed in DEEDS[device]]


# --- States ---


def _acceptor_state(acceptor: EmulatedAcceptor) -> dict[str, Any]:
    path = acceptor.path
    return {
        "powered": acceptor.status is not None,
        "status": acceptor.status.name.lower() if acceptor.status else "off",
        "faults": [fault.name.lower() for fault in acceptor.faults],
        "bills": {str(cents): acceptor.accepts(acceptor.bill(cents)) for cents in acceptor.bills},
        "tickets": acceptor.accepts(acceptor.ticket("0" * 18)),
        "path": None if path is None else {"cents": path.cents, "number": path.number, "torn": bool(path.rejected)},
        "stacker": len(acceptor.stacker),
    }


def _printer_state(printer: EmulatedPrinter, now_ms: int) -> dict[str, Any]:
    return {
        "powered": printer.powered,
        "ready": printer.ready(now_ms),
        "paper": "out" if printer.paper_out else "low" if printer.is_low else "enough",
        "cover_open": printer.cover_open,
        "jammed": printer.jammed or printer.will_jam,
        "rows_left": printer.rows_left,
        "offline": printer.is_offline,
        "hanging": len(printer.hanging),
    }


def _doors_state(doors: EmulatedDoors) -> dict[str, Any]:
    return {
        "powered": doors.powered,
        "doors": {door: "open" if doors.is_open(door) else "closed" for door in doors.doors},
        "key": "on" if doors.key_on else "off",
        "remembered": doors.remembered,
    }


def draw_slip(slip: PaperSlip) -> dict[str, Any]:
    """A slip for a page: its number, if a reader finds one, and its marks from top to bottom."""
    return {
        "number": next(iter(slip.numbers), ""),
        "text": "\n".join(text for text in slip.texts if text.strip()),
        "marks": _drawn(slip.marks),
    }


def _drawn(marks: Sequence[Mark]) -> list[dict[str, Any]]:
    drawn: list[dict[str, Any]] = []
    for mark in marks:
        if isinstance(mark, Text):
            look = {"align": mark.align, "strong": mark.strong, "wide": mark.wide, "high": mark.high}
            drawn.append({"text": mark.text, **look})
        elif isinstance(mark, Bars):
            drawn.append({"bars": mark.digits})
        else:
            drawn.append({"dots": b64encode(mark.dots).decode("ascii"), "width": 8 * mark.width_bytes})
    return drawn


# --- Deeds ---


Act = Callable[["Hands", str], Happened]


def _simply(what: str, act: Callable[[Hands], object]) -> Act:
    """A deed that changes how things are; if it changes nothing, that is what happened."""

    def do(hands: Hands, _: str) -> Happened:
        before = hands.state()
        act(hands)
        changed = hands.state() != before
        return Happened(what=what if changed else "nothing", done=changed)

    return do


def _acceptor(what: str, act: Callable[[EmulatedAcceptor, int], object]) -> Act:
    return _simply(what, lambda hands: act(hands.acceptor, hands.clock.steady_ms()))


def _printer(what: str, act: Callable[[EmulatedPrinter], object]) -> Act:
    return _simply(what, lambda hands: act(hands.printer))


def _bill(hands: Hands, value: str) -> Happened:
    allowed = ", ".join(f"{cents // 100}.00" for cents in hands.acceptor.bills)
    found = re.fullmatch(r"\$?([0-9]{1,6})(?:\.([0-9]{2}))?", value)
    cents = int(found[1]) * 100 + int(found[2] or 0) if found else 0
    if cents not in hands.acceptor.bills:
        raise BadDeed(f"found a bill of {value!r}; allowed: {allowed}")
    return hands.insert(hands.acceptor.bill(cents))


def _ticket(hands: Hands, value: str) -> Happened:
    if not is_number(value):
        raise BadDeed(f"found ticket number {value!r}; allowed: 18 digits")
    return hands.insert(hands.acceptor.ticket(value))


def _slip(hands: Hands, value: str) -> Happened:
    slip = hands.find_slip(value)
    return hands.insert_slip(slip) if slip else Happened(what="no_slip", done=False)


def _pull(hands: Hands, _: str) -> Happened:
    if not hands.acceptor.pull(hands.clock.steady_ms()):
        return Happened(what="stays_in", done=False)
    return Happened(what="came_out_noticed" if Status.CHEATED in hands.acceptor.faults else "came_out")


def _stacker_out(hands: Hands, _: str) -> Happened:
    if Status.STACKER_OPEN in hands.acceptor.faults:
        return Happened(what="nothing", done=False)
    return Happened(what="stacker_out", about=str(len(hands.acceptor.take_stacker(hands.clock.steady_ms()))))


def _fill(acceptor: EmulatedAcceptor, now_ms: int) -> None:
    acceptor.break_down(Status.STACKER_FULL, now_ms)


def _repair(acceptor: EmulatedAcceptor, now_ms: int) -> None:
    acceptor.repair(now_ms, *REPAIRABLE)


def _fail(hands: Hands, value: str) -> Happened:
    codes = {name: code for code, name in FAILURES.items()}
    if value and value not in codes:
        raise BadDeed(f"found failure {value!r}; allowed: {', '.join(codes)}")
    code = codes.get(value, STACKER_MOTOR)
    hands.acceptor.break_down(Status.FAILURE, hands.clock.steady_ms(), code)
    return Happened(what="failed", about=FAILURES[code])


def _rows(value: str) -> int:
    if not (value.isascii() and value.isdigit() and 1 <= int(value[:9]) <= ROWS_MAX):
        raise BadDeed(f"found {value!r} rows; allowed: 1 to {ROWS_MAX}")
    return int(value)


def _end_paper(hands: Hands, value: str) -> Happened:
    hands.printer.end_paper_after(_rows(value))
    return Happened(what="paper_will_end", about=value)


def _fail_power(hands: Hands, value: str) -> Happened:
    hands.printer.cut_power_after(_rows(value))
    return Happened(what="power_will_fail", about=value)


def _take(hands: Hands, value: str) -> Happened:
    slip = hands.find_slip(value)
    if not slip:
        return Happened(what="no_slip", done=False)
    hands.take_slip(slip)
    return Happened(what="slip_taken", slip=draw_slip(slip))


def _throw_away(hands: Hands, value: str) -> Happened:
    slip = hands.find_slip(value)
    if not slip:
        return Happened(what="no_slip", done=False)
    hands.take_slip(slip, keep=False)
    return Happened(what="thrown_away")


def _tear(hands: Hands, _: str) -> Happened:
    torn = hands.printer.tear()
    if not torn:
        return Happened(what="nothing", done=False)
    return Happened(what="torn_off", slip=draw_slip(PaperSlip(torn, "torn")))


def _door(is_open: bool) -> Act:
    def move(hands: Hands, value: str) -> Happened:
        doors = hands.doors
        if value not in doors.doors:
            raise BadDeed(f"found door {value!r}; allowed: {', '.join(doors.doors)}")
        moved = doors.move(value, is_open, hands.clock.wall_ms())
        what = "door_open" if is_open else "door_closed"
        return Happened(what=what if moved else "nothing", done=moved, about=value)

    return move


def _key(on: bool) -> Act:
    return _simply("key_on" if on else "key_off", lambda hands: hands.doors.turn_key(on, hands.clock.wall_ms()))


def _plug_in(device: DeviceKind) -> Act:
    def plug(hands: Hands, _: str) -> Happened:
        if hands.plug(device).plugged:
            return Happened(what="nothing", done=False)
        hands.plug(device).plug_in()
        return Happened(what="plugged_in", about=str(hands.plug(device).address))

    return plug


def _wire(device: DeviceKind, cut: Act, on: Act) -> tuple[HandDeed, ...]:
    """What can be done to every device."""
    return (
        HandDeed("cut power", cut, "cut the power now; the wire stays connected"),
        HandDeed("power on", on, "switch the power on"),
        HandDeed("unplug", _simply("unplugged", lambda hands: hands.plug(device).unplug()), "unplug the wire"),
        HandDeed("plug in", _plug_in(device), "plug the wire in"),
    )


ACCEPTOR_DEEDS = (
    HandDeed("bill", _bill, "push a bill of this value into the slot", "AMOUNT"),
    HandDeed("torn bill", lambda hands, _: hands.insert(hands.acceptor.torn_bill()), "push a torn bill in"),
    HandDeed("ticket", _ticket, "push a ticket with this number in", "NUMBER"),
    HandDeed("slip", _slip, "push a slip of this place's tray in: the newest, or this one", SLIP),
    HandDeed("pull", _pull, "pull at the paper in the slot"),
    HandDeed("jam", _acceptor("acceptor_jammed", EmulatedAcceptor.jam), "the paper sticks where it is"),
    HandDeed("clear jam", _acceptor("jam_cleared", EmulatedAcceptor.clear_jam), "take stuck paper out by hand"),
    HandDeed("stacker full", _acceptor("stacker_full", _fill), "the stacker is full, until it is taken out"),
    HandDeed("stacker out", _stacker_out, "take the stacker out, with all that is in it"),
    HandDeed("stacker in", _acceptor("stacker_in", EmulatedAcceptor.return_stacker), "put an empty stacker in"),
    HandDeed("fail", _fail, "a part fails, by default the motor of the stacker", "[PART]"),
    HandDeed("repair", _acceptor("repaired", _repair), "repair a failure; end the alarm after a pull"),
    *_wire(
        "acceptor",
        _acceptor("power_cut", EmulatedAcceptor.cut_power),
        _acceptor("power_on", EmulatedAcceptor.power_on),
    ),
)
PRINTER_DEEDS = (
    HandDeed("paper low", _printer("paper_low", EmulatedPrinter.set_paper_low), "little paper is left"),
    HandDeed("paper out", _printer("paper_out", EmulatedPrinter.remove_paper), "take the roll out"),
    HandDeed("end paper", _end_paper, "the paper ends after this number of rows, also in mid-slip", "ROWS"),
    HandDeed("load paper", _printer("paper_loaded", EmulatedPrinter.load_paper), "put a new roll in"),
    HandDeed("open cover", _printer("cover_open", EmulatedPrinter.open_cover), "open the cover"),
    HandDeed("close cover", _printer("cover_closed", EmulatedPrinter.close_cover), "close the cover"),
    HandDeed("jam", _printer("cutter_will_jam", EmulatedPrinter.jam), "the next cut jams the cutter"),
    HandDeed("free", _printer("cutter_free", EmulatedPrinter.free), "remove the jam"),
    HandDeed("offline", _printer("offline", EmulatedPrinter.go_offline), "switch it offline"),
    HandDeed("online", _printer("online", EmulatedPrinter.go_online), "switch it online"),
    HandDeed("take", _take, "take a slip out of the tray: the newest, or this one; the answer is its text", SLIP),
    HandDeed("throw away", _throw_away, "throw a slip away: the newest, or this one", SLIP),
    HandDeed("tear", _tear, "tear off paper that hangs out without a cut"),
    HandDeed("fail power", _fail_power, "the power fails after this number of rows, in mid-slip", "ROWS"),
    *_wire(
        "printer",
        _printer("power_cut", EmulatedPrinter.cut_power),
        _simply("power_on", lambda hands: hands.printer.power_on(hands.clock.steady_ms())),
    ),
)
DOORS_DEEDS = (
    HandDeed("open", _door(True), "open a door; without power it is remembered with its time", "DOOR"),
    HandDeed("close", _door(False), "close a door", "DOOR"),
    HandDeed("key on", _key(True), "turn the key on"),
    HandDeed("key off", _key(False), "turn the key off"),
    *_wire(
        "doors",
        _simply("power_cut", lambda hands: hands.doors.cut_power()),
        _simply("power_on", lambda hands: hands.doors.power_on(hands.clock.wall_ms())),
    ),
)
DEEDS: dict[DeviceKind, tuple[HandDeed, ...]] = {
    "acceptor": ACCEPTOR_DEEDS,
    "printer": PRINTER_DEEDS,
    "doors": DOORS_DEEDS,
}
"""By device, all that hands can do."""
