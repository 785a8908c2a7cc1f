"""An acceptor without metal: ID-003 on one side, a person's hands on the other.

It answers any controller that keeps to the wire, in any order of commands. Inside are a slot, a path with an escrow
position and a lever, and a stacker. A note is always at exactly one place: `player`, `path` or `stacker`. Where the
public facts leave something open, a comment says how it is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Literal

from msgspec import Struct

from stickman.devices.emulated_rfc2217 import ComLine
from stickman.devices.id003 import (
    ASK,
    BARCODE_INHIBIT_BITS,
    ESCROW_MS,
    FIRST_BILL,
    INHIBIT_REJECTED,
    INSERTION_REJECTED,
    INTERLEAVED_2_OF_5,
    INVALID_COMMAND,
    POLL_MODE,
    POWER_RECOVERY,
    SETTINGS,
    TICKET,
    USA,
    AcceptorSetting,
    Command,
    Denomination,
    Packet,
    Reader,
    Status,
    write_assignment,
)

US_DOLLARS = (1, 2, 5, 10, 20, 50, 100)
DENOMINATIONS_MAX = 8
ACCEPT_MS = 400
"""Each phase lasts at least twice as long as the slowest poll, so that a host sees every status."""
STACK_MS = 400
"""From the escrow position to the lever; then the same time until the note is stored."""
STACKED_MS = 400
OUT_MS = 400
INITIALIZE_MS = 1_500
STACKER_HOLDS = 2_000
"""Papers until the stacker is full."""
FAULT_ORDER = (
    Status.FAILURE,
    Status.JAM_IN_ACCEPTOR,
    Status.JAM_IN_STACKER,
    Status.STACKER_OPEN,
    Status.STACKER_FULL,
    Status.CHEATED,
    Status.PAUSE,
    Status.COMMUNICATION_ERROR,
)
"""Of several faults the first is shown. The facts leave the order open."""
JAMS = (Status.JAM_IN_ACCEPTOR, Status.JAM_IN_STACKER)

Phase = Literal[
    "off",
    "power_up",
    "initialize",
    "rest",
    "accepting",
    "escrow",
    "holding",
    "to_lever",
    "past_lever",
    "vend_valid",
    "stacked",
    "rejecting",
    "returning",
]
STATUS: dict[Phase, Status] = {
    "initialize": Status.INITIALIZE,
    "accepting": Status.ACCEPTING,
    "escrow": Status.ESCROW,
    "holding": Status.HOLDING,
    "to_lever": Status.STACKING,
    "past_lever": Status.STACKING,
    "vend_valid": Status.VEND_VALID,
    "stacked": Status.STACKED,
    "rejecting": Status.REJECTING,
    "returning": Status.RETURNING,
}
DEFAULTS: dict[int, bytes] = {
    AcceptorSetting.DENOMINATIONS: b"\x00\x00",
    AcceptorSetting.SECURITY: b"\x00\x00",
    AcceptorSetting.COMMUNICATION_MODE: POLL_MODE,
    AcceptorSetting.INHIBIT: b"\x01",
    AcceptorSetting.DIRECTION: b"\x00",
    AcceptorSetting.OPTIONAL_FUNCTION: b"\x00\x00",
    AcceptorSetting.BARCODE_FUNCTION: b"\x00\x00",
    AcceptorSetting.BARCODE_INHIBIT: b"\xff",
}
"""Until the controller says otherwise nothing is accepted. The facts do not say what a real one starts with."""


class SlotPaper(Struct, frozen=True, eq=False):
    """A bill, a ticket or something else in a person's hand. Two bills of one value are two papers."""

    escrow: bytes = b""
    """What the acceptor reads on it."""
    rejected: int = 0
    """Why the acceptor does not take it."""
    cents: int = 0
    """Of a bill."""

    @property
    def number(self) -> str:
        """Of a ticket: the characters of its barcode."""
        return self.escrow[1:].decode("ascii")


class EmulatedAcceptor:
    """It starts without power."""

    line: ClassVar[ComLine | None] = ComLine(baud=9_600, parity="even")

    def __init__(
        self,
        units: Sequence[int] = US_DOLLARS,
        *,
        country: int = USA,
        version: str = "EMULATED(USA) ID003-05V001-01",
        power_recovery: bool = True,
        needs_reset: bool = False,
        stacker_holds: int = STACKER_HOLDS,
    ) -> None:
        """`units` are the denominations in whole units of money. With `power_recovery` a note whose *vend valid*
        was not acknowledged gets it again after a reset, if the controller asks for that function. With
        `needs_reset` a fault that hands have ended is shown until a reset."""
        assert len(units) <= DENOMINATIONS_MAX
        self._codes = {unit * 100: FIRST_BILL + at for at, unit in enumerate(units)}
        self._assignment = write_assignment(
            _denomination(FIRST_BILL + at, country, u) for at, u in enumerate(units)
        )
        self._version = version.encode("ascii")
        self._recovers = power_recovery
        self._needs_reset = needs_reset
        self._holds = stacker_holds

        self.player: list[SlotPaper] = []
        """Everything that came out of the slot, or out by hand."""
        self.path: SlotPaper | None = None
        self.stacker: list[SlotPaper] = []

        self._reader = Reader()
        self._settings = dict(DEFAULTS)
        self._phase: Phase = "off"
        self._until_ms: int | None = None
        self._past_lever = False
        self._unacknowledged: SlotPaper | None = None
        self._stack_1 = False
        self._reason = 0
        self._faults: dict[Status, int] = {}
        """With the code of a failure, or 0."""
        self._repaired: set[Status] = set()
        """Faults that are shown only until a reset."""

    @property
    def status(self) -> Status | None:
        """What it shows now; nothing without power."""
        return None if self._phase == "off" else Status(self._status().code)

    @property
    def faults(self) -> tuple[Status, ...]:
        """What hands must repair, with or without power. The first is shown."""
        return tuple(fault for fault in FAULT_ORDER if fault in self._faults)

    @property
    def past_lever(self) -> bool:
        """Whether the paper in the path can no longer return."""
        return self._past_lever

    @property
    def bills(self) -> tuple[int, ...]:
        """The bills that it knows, in cents."""
        return tuple(self._codes)

    def accepts(self, paper: SlotPaper) -> bool:
        """Whether the settings of now let this paper in."""
        return not paper.rejected and self._takes(paper.escrow)

    @property
    def due_ms(self) -> int | None:
        """When something moves next without a command."""
        return None if self._faults else self._until_ms

    # A person's hands.

    def power_on(self, now_ms: int) -> None:
        if self._phase == "off":
            self._settings = dict(DEFAULTS)
            self._reader.drop()
            self._end_repaired()
            self._go("power_up", now_ms)

    def cut_power(self, now_ms: int) -> None:
        self._run(now_ms)
        self._go("off", now_ms)

    def bill(self, cents: int) -> SlotPaper:
        """A bill in a person's hand."""
        return SlotPaper(bytes((self._codes[cents],)), cents=cents)

    def ticket(self, barcode: str) -> SlotPaper:
        return SlotPaper(bytes((TICKET,)) + barcode.encode("ascii"))

    def torn_bill(self, reason: int = INSERTION_REJECTED) -> SlotPaper:
        return SlotPaper(rejected=reason)

    def insert(self, paper: SlotPaper, now_ms: int) -> bool:
        """Push a paper into the slot. It stays in the hand if the acceptor does not draw it in."""
        self._run(now_ms)
        if paper in self.player:
            self.player.remove(paper)
        if self.status != Status.IDLE:
            self.player.append(paper)
            return False
        self.path, self._past_lever = paper, False
        self._go("accepting", now_ms, ACCEPT_MS)
        return True

    def pull(self, now_ms: int) -> bool:
        """Pull at the paper in the slot. Between escrow and lever this is fraud; past the lever nothing moves."""
        self._run(now_ms)
        if self._phase in ("accepting", "rejecting", "returning"):
            self._come_out()
            self._go("rest", now_ms)
        elif self._phase == "to_lever":
            self._come_out()
            self._go("rest", now_ms)
            self.break_down(Status.CHEATED, now_ms)
        elif self._phase == "off" and self.path and not self._past_lever:
            self._come_out()
        else:
            return False
        return True

    def jam(self, now_ms: int) -> None:
        """The paper in the path sticks."""
        self._run(now_ms)
        self.break_down(Status.JAM_IN_STACKER if self._past_lever else Status.JAM_IN_ACCEPTOR, now_ms)

    def clear_jam(self, now_ms: int) -> None:
        """Staff takes the paper out by hand."""
        if any(jam in self._faults for jam in JAMS) and self.path and self._unacknowledged is not self.path:
            self._come_out()
        self.repair(now_ms, *JAMS)

    def take_stacker(self, now_ms: int) -> list[SlotPaper]:
        """Take the stacker away with all that is in it."""
        self.break_down(Status.STACKER_OPEN, now_ms)
        self._faults.pop(Status.STACKER_FULL, None)
        taken, self.stacker = self.stacker, []
        return taken

    def return_stacker(self, now_ms: int) -> None:
        self.repair(now_ms, Status.STACKER_OPEN)

    def break_down(self, fault: Status, now_ms: int, code: int = 0) -> None:
        """Begin a fault, such as a full stacker or a failure with its code. Nothing moves until `repair`."""
        assert fault in FAULT_ORDER
        self._run(now_ms)
        self._faults[fault] = code
        self._repaired.discard(fault)

    def repair(self, now_ms: int, *faults: Status) -> None:
        """End these faults, or all. With the last the acceptor starts again. The facts leave open whether it does
        so without a reset: `needs_reset` says it."""
        self._repaired.update(fault for fault in faults or FAULT_ORDER if fault in self._faults)
        if not self._needs_reset and self._end_repaired() and self._phase not in ("off", "power_up", "vend_valid"):
            self._initialize(now_ms)

    def _end_repaired(self) -> bool:
        """End what is repaired; whether there was a fault, and none is left."""
        for fault in self._repaired:
            self._faults.pop(fault, None)
        ended = bool(self._repaired) and not self._faults
        self._repaired.clear()
        return ended

    # The wire.

    def heard(self, data: bytes, now_ms: int) -> bytes:
        """Take the controller's bytes; the answers are what it returns."""
        if self._phase == "off":
            return b""
        self._run(now_ms)
        return b"".join(self._answer(packet, now_ms) for packet in self._reader.feed(data, now_ms))

    def wants(self, now_ms: int) -> bytes:
        """Let time pass. In poll mode an acceptor never speaks first."""
        self._run(now_ms)
        return b""

    def wired(self, connected: bool, now_ms: int) -> None:  # noqa: ARG002 - both ends of every wire say when
        """The wire was connected or cut: a packet that has begun does not go on."""
        self._reader.drop()

    def _answer(self, packet: Packet, now_ms: int) -> bytes:
        code, data = packet
        if code == Command.STATUS_REQUEST:
            return self._status().encode()
        if code == Command.ACK:  # an acknowledgement has no answer
            if self._phase == "vend_valid":
                self._store()
                self._unacknowledged = None
                self._go("stacked", now_ms, STACKED_MS)
            return b""
        if code in SETTINGS:
            answer = Packet(code, data) if self._set(code, data) else None
        elif code + ASK in SETTINGS:
            answer = Packet(code, self._settings[code + ASK])
        elif code == Command.CURRENCY_ASSIGNMENT:
            answer = Packet(code, self._assignment)
        elif code in (Command.VERSION, Command.BOOT_VERSION):
            answer = Packet(code, self._version)
        else:
            answer = Packet(Command.ACK) if self._operate(code, now_ms) else None
        return (answer or Packet(INVALID_COMMAND)).encode()

    def _set(self, code: int, data: bytes) -> bool:
        if len(data) != len(DEFAULTS[code]):
            return False
        if code == AcceptorSetting.COMMUNICATION_MODE and data != POLL_MODE:  # interrupt modes are not emulated
            return False
        self._settings[code] = data
        return True

    def _operate(self, code: int, now_ms: int) -> bool:
        """Do what an operation command says, if this is the time for it. A hold may carry data. A reset does not
        repair a fault."""
        if code == Command.RESET:
            self._end_repaired()
            if self._phase == "power_up" or not self._faults:
                self._initialize(now_ms)
        elif code == Command.WAIT:
            return self._phase in ("to_lever", "past_lever", "vend_valid")
        elif self._phase not in ("escrow", "holding") or self._faults:
            return False
        elif code in (Command.STACK_1, Command.STACK_2):
            self._stack_1 = code == Command.STACK_1
            self._go("to_lever", now_ms, STACK_MS)
        elif code == Command.RETURN:
            self._go("returning", now_ms, OUT_MS)
        elif code == Command.HOLD:
            self._go("holding", now_ms, ESCROW_MS)
        else:
            return False
        return True

    def _status(self) -> Packet:
        """The status now. A fault hides what moves, but not *vend valid*, which waits to be acknowledged."""
        if self._phase == "power_up":
            return Packet(self._power_up())
        if self._faults and self._phase != "vend_valid":
            shown, *_ = self.faults
            code = self._faults[shown]
            return Packet(shown, bytes((code,)) if code else b"")
        if self._phase == "rest":
            return Packet(Status.INHIBITED if self._settings[AcceptorSetting.INHIBIT][0] & 1 else Status.IDLE)
        if self._phase == "escrow" and self.path:
            return Packet(Status.ESCROW, self.path.escrow)
        if self._phase == "rejecting":
            return Packet(Status.REJECTING, bytes((self._reason,)))
        return Packet(STATUS[self._phase])

    def _power_up(self) -> Status:
        if self._unacknowledged or (self.path and self._past_lever):
            return Status.POWER_UP_BILL_IN_STACKER
        return Status.POWER_UP_BILL_IN_ACCEPTOR if self.path else Status.POWER_UP

    # What moves.

    def _go(self, phase: Phase, now_ms: int, after_ms: int | None = None) -> None:
        self._phase = phase
        self._until_ms = None if after_ms is None else now_ms + after_ms

    def _run(self, now_ms: int) -> None:
        """Let all happen that was due until now."""
        while self._until_ms is not None and now_ms >= self._until_ms and not self._faults:
            self._NEXT[self._phase](self, self._until_ms)

    def _read(self, now_ms: int) -> None:
        """The paper is at the escrow position, or not wanted."""
        assert self.path
        self._reason = self.path.rejected or (0 if self._takes(self.path.escrow) else INHIBIT_REJECTED)
        if self._reason:
            self._go("rejecting", now_ms, OUT_MS)
        else:
            self._go("escrow", now_ms, ESCROW_MS)

    def _takes(self, escrow: bytes) -> bool:
        if self._settings[AcceptorSetting.INHIBIT][0] & 1:
            return False
        if escrow[0] == TICKET:
            reads = self._settings[AcceptorSetting.BARCODE_FUNCTION][0] == INTERLEAVED_2_OF_5
            return reads and not self._settings[AcceptorSetting.BARCODE_INHIBIT][0] & BARCODE_INHIBIT_BITS
        return not self._settings[AcceptorSetting.DENOMINATIONS][0] & 1 << escrow[0] - FIRST_BILL

    def _nobody_answered(self, now_ms: int) -> None:
        self._go("returning", now_ms, OUT_MS)

    def _pass_lever(self, now_ms: int) -> None:
        """From here a note cannot return. STACK-1 says *vend valid* now, STACK-2 when the note is stored."""
        self._past_lever = True
        if self._stack_1:
            self._unacknowledged = self.path
            self._go("vend_valid", now_ms, STACK_MS)
        else:
            self._go("past_lever", now_ms, STACK_MS)

    def _stored(self, now_ms: int) -> None:
        self._unacknowledged = self.path or self._unacknowledged
        self._store()
        self._go("vend_valid", now_ms)

    def _store(self) -> None:
        if self.path:
            self.stacker.append(self.path)
            self.path, self._past_lever = None, False
            if len(self.stacker) >= self._holds:
                self._faults[Status.STACKER_FULL] = 0

    def _come_out(self) -> None:
        if self.path:
            self.player.append(self.path)
            self.path, self._past_lever = None, False

    def _out(self, now_ms: int) -> None:
        self._come_out()
        self._go("rest", now_ms)

    def _rest(self, now_ms: int) -> None:
        self._go("rest", now_ms)

    def _initialize(self, now_ms: int) -> None:
        """Clear the path: a note that can return comes out. One that cannot is stored, and its *vend valid* is
        open."""
        if self.path and self._past_lever:
            self._unacknowledged = self.path
            self._store()
        self._come_out()
        self._settings = dict(DEFAULTS)
        self._go("initialize", now_ms, INITIALIZE_MS)

    def _initialized(self, now_ms: int) -> None:
        wanted = self._settings[AcceptorSetting.OPTIONAL_FUNCTION][0] & POWER_RECOVERY
        if self._unacknowledged and self._recovers and wanted:
            self._go("vend_valid", now_ms)
        else:
            self._unacknowledged = None
            self._go("rest", now_ms)

    _NEXT: ClassVar[dict[Phase, Callable[[EmulatedAcceptor, int], None]]] = {
        "initialize": _initialized,
        "accepting": _read,
        "escrow": _nobody_answered,
        "holding": _nobody_answered,
        "to_lever": _pass_lever,
        "past_lever": _stored,
        "vend_valid": _stored,
        "stacked": _rest,
        "rejecting": _out,
        "returning": _out,
    }
    """What happens when the time of a phase is over."""


def _denomination(code: int, country: int, units: int) -> Denomination:
    exponent = 0
    while units and units % 10 == 0:
        units, exponent = units // 10, exponent + 1
    return Denomination(code, country, units, exponent)
