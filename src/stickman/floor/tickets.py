"""Tickets: numbers that cannot be guessed, the status of each ticket, and the deeds of the cage (RULES 12).

A number is the FF1 encryption of the table's stream and a position. No two are equal, because encryption can be
reversed, and without the key none can be predicted or forged. Each time a table is opened, positions start at a
random one and count up, so that a restored journal does not print numbers again that are already on paper.

A table reserves a number (`ticket:N:issued`), prints the ticket (`ticket:N:printed`) and redeems it; the cage pays
or voids it. The first to end a ticket takes the claim `ticket:N:redeemed`, and so does a print that failed or was
cancelled. While an acceptor holds a ticket in escrow (`ticket:N:held:K`, until `ticket:N:released:K`), nobody else
may end it.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal, NamedTuple

import structlog
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC
from msgspec import Struct

from stickman.devices.escpos import PrinterSlip
from stickman.floor.events import Act, Decision, Refusal, Refused, Settings, TicketEnded, TicketPaid, TicketVoided
from stickman.floor.journal import BadRecord, events_of
from stickman.floor.office import Floor, Office
from stickman.paper.printer_ticket import ticket_slip, worthless_slip
from stickman.paper.ticket import Slip
from stickman.paper.ticket_words import Language
from stickman.rules.spoken import Detail, Detailed
from stickman.store.store import Record, Store, Taken
from stickman.table import messages as m
from stickman.table.ledger import drawer, hold_claim, key_of, move, seat_meter, ticket_claim
from stickman.table.messages import Event
from stickman.table.state import Printing, Seat, Table

DIGITS = 18
POSITIONS = 10**12
"""The positions of a stream, which wrap around."""
DRAWS_MAX = 5
"""How often another position is drawn for one ticket if its number was printed before."""
REASON_MAX = 200
log = structlog.get_logger()
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


# --- FF1: NIST SP 800-38G, algorithms 7 and 8 ---


def encipher(key: bytes, plain: int, length: int, *, radix: int = 10, tweak: bytes = b"") -> int:
    """Encrypt a number of `length` digits to another one of the same length."""
    shift, sizes = _rounds(key, length, radix, tweak)
    left, right = divmod(plain, sizes[1])
    for number in range(10):
        left, right = right, (left + shift(number, right)) % sizes[number % 2]
    return left * sizes[1] + right


def decipher(key: bytes, cipher: int, length: int, *, radix: int = 10, tweak: bytes = b"") -> int:
    shift, sizes = _rounds(key, length, radix, tweak)
    left, right = divmod(cipher, sizes[1])
    for number in reversed(range(10)):
        left, right = (right - shift(number, left)) % sizes[number % 2], left
    return left * sizes[1] + right


def _rounds(key: bytes, length: int, radix: int, tweak: bytes) -> tuple[Callable[[int, int], int], tuple[int, int]]:
    """The round function, which gives the shift of one half from the other, and the size of each half."""
    u, v = length // 2, length - length // 2
    sizes = radix**u, radix**v
    half_bytes = ((sizes[1] - 1).bit_length() + 7) // 8
    shift_bytes = 4 * ((half_bytes + 3) // 4) + 4
    assert shift_bytes <= 16, "longer numbers would need more than one block per round"
    first = bytes([1, 2, 1, *radix.to_bytes(3), 10, u, *length.to_bytes(4), *len(tweak).to_bytes(4)])
    padded = tweak + bytes((-len(tweak) - half_bytes - 1) % 16)
    aes = Cipher(AES(key), CBC(bytes(16)))  # from a zero block the last block of CBC is the PRF (algorithm 6)

    def shift(number: int, half: int) -> int:
        code = aes.encryptor().update(first + padded + bytes([number]) + half.to_bytes(half_bytes))[-16:]
        return int.from_bytes(code[:shift_bytes])

    return shift, sizes


# --- Numbers ---


class BadNumber(ValueError):
    """Text that is not a ticket's number."""


def number(key: bytes, stream: int, position: int) -> str:
    """The number of a table's ticket at a position."""
    assert 0 < stream < 10**DIGITS // POSITIONS, stream
    assert 0 <= position < POSITIONS, position
    return f"{encipher(key, stream * POSITIONS + position, DIGITS):0{DIGITS}}"


def origin(key: bytes, number: str) -> tuple[int, int] | None:
    """The stream and the position of a number; None if it cannot be ours."""
    stream, position = divmod(decipher(key, int(read_number(number)), DIGITS), POSITIONS)
    return (stream, position) if stream else None


SPENT = ("tickets_out_count", "tips_count", "tickets_failed_count", "tickets_cancelled_count")
"""The meters of a seat that count numbers which are on paper, or may be, or can never be."""


def spent(table: Table) -> int:
    """How many numbers a table has used."""
    return sum(spent_at(table, seat) for seat in table.seats)


def spent_at(table: Table, seat: Seat) -> int:
    """How many numbers a seat has used, with the one that waits for its printer."""
    waits = seat.terminal.printing
    used = sum(table.cash_meters.get(seat_meter(seat.number, each), 0) for each in SPENT)
    return used + (1 if waits and waits.cents else 0)


class Numbers:
    """The ticket numbers of a table, from opening to closing it."""

    def __init__(self, key: bytes, stream: int, draw: Callable[[int], int] = secrets.randbelow) -> None:
        self._key, self._stream, self._draw = key, stream, draw
        self._offset = draw(POSITIONS)
        self._drawn_for, self._draws = -1, 0
        """The ticket for which another position was drawn last, and how often."""

    def next(self, table: Table) -> str:
        """The number of the table's next ticket: the same one until it is reserved."""
        return number(self._key, self._stream, (self._offset + spent(table)) % POSITIONS)

    def avoid(self, claim: str, table: Table) -> None:
        """Draw another position if this taken claim belongs to the next number. `BadRecord` after several draws:
        then it is not an accident."""
        if claim != ticket_claim(self.next(table), "issued"):
            return
        count = spent(table)
        self._drawn_for, self._draws = count, self._draws + 1 if self._drawn_for == count else 1
        log.critical("a ticket's number was printed before; drawing another", stream=self._stream, draw=self._draws)
        if self._draws > DRAWS_MAX:
            raise BadRecord(
                f"table {self._stream} found {DRAWS_MAX} random ticket numbers printed before: the journal contains"
                " claims that no table made; run `stickman verify`"
            )
        self._offset = self._draw(POSITIONS)


def read_number(text: str) -> str:
    """A number as typed or scanned; spaces and dashes are ignored.

    >>> read_number("01-2345-6789-0123-4567")
    '012345678901234567'
    """
    digits = text.replace("-", "").replace(" ", "")
    if len(digits) != DIGITS or not (digits.isascii() and digits.isdigit()):
        found = f"{text[:40]!r}" + (" and so on" if len(text) > 40 else "")
        raise BadNumber(f"found {found} as a ticket's number; allowed: {DIGITS} digits")
    return digits


# --- The status of a ticket ---

TicketEvent = m.TicketIssued | m.PrintEnded | m.TicketRedeemed | m.TicketHeld | m.TicketReleased | TicketEnded
Status = Literal["unknown", "reserved", "good", "held", "expired", "redeemed", "voided", "failed", "cancelled"]
"""Only a `good` ticket is redeemed at a table. `reserved`: it waits for the printer. `held`: an acceptor has it in
escrow. `failed` and `cancelled`: its print failed, or nobody knows whether it was printed (ruling 57)."""
ENDED: dict[type[Event], Status] = {
    TicketVoided: "voided",
    m.PrintFailed: "failed",
    m.TicketCancelled: "cancelled",
}
"""How a ticket ended; all others were redeemed."""


class Moment(Struct, frozen=True):
    """Where, when and by whom a ticket was issued, held or ended."""

    stream: int
    """0: the cage."""
    seat: int
    at_ms: int
    actor: str
    reason: str = ""
    """Why it was voided, or why its print ended."""


class Ticket(Struct, frozen=True, kw_only=True):
    """A ticket, from the journal."""

    number: str
    status: Status = "unknown"
    kind: m.TicketKind = "cash_out"
    cents: int = 0
    issued: Moment | None = None
    """When its number was taken."""
    held: Moment | None = None
    """Where an acceptor has it in escrow."""
    ended: Moment | None = None
    expires_at_ms: int = 0
    holds: int = 0
    """How often an acceptor has held it."""
    can_copy: bool = False
    """Its table still knows what was on the paper, so that its seat can print a copy."""

    @property
    def cents_at_table(self) -> int | None:
        """What a table gives for it; None: nothing. A tip is paid only at the cage."""
        return self.cents if self.status == "good" and self.kind == "cash_out" else None


async def look_up(store: Store, keys: Sequence[bytes], number: str, *, now_ms: int) -> Ticket:
    """A ticket by its number. `BadNumber` if that is not a number, `BadRecord` if the journal contradicts itself. A
    number that none of the keys made for the table that printed it is unknown."""
    number = read_number(number)
    issued = await _claimed(store, ticket_claim(number, "issued"))
    if issued is None:
        return Ticket(number=number)
    if not isinstance(issued.event, m.TicketIssued):
        raise BadRecord(f"record {issued.record.seq} of stream {issued.record.stream} issued no ticket")
    if issued.record.stream not in [made[0] for made in (origin(key, number) for key in keys) if made]:
        where = {"stream": issued.record.stream, "seq": issued.record.seq}
        log.critical("a ticket is refused: no key made its number", **where)
        return Ticket(number=number)
    ended = await _claimed(store, ticket_claim(number, "redeemed"))
    holds, held = await _holds(store, number)
    printed = await _is_printed(store, issued.event)
    expires_at_ms = issued.event.expires_at_ms
    if ended:
        status = ENDED.get(type(ended.event), "redeemed")
    elif not printed:
        status = "reserved"
    elif held:
        status = "held"
    else:
        status = "expired" if 0 < expires_at_ms <= now_ms else "good"
    return Ticket(
        number=number,
        status=status,
        kind=_kind(issued.event),
        cents=issued.event.cents,
        issued=issued.moment(),
        held=held.moment() if held and not ended else None,
        ended=ended.moment() if ended else None,
        expires_at_ms=expires_at_ms,
        holds=holds,
    )


def _kind(issued: m.TicketIssued) -> m.TicketKind:
    if isinstance(issued, m.TicketReserved):
        return issued.kind
    return "tip" if isinstance(issued, m.Tipped) else "cash_out"


async def _is_printed(store: Store, issued: m.TicketIssued) -> bool:
    """In older journals a ticket was printed by being booked."""
    if not isinstance(issued, m.TicketReserved):
        return True
    return await _claimed(store, ticket_claim(issued.number, "printed")) is not None


async def _holds(store: Store, number: str) -> tuple[int, _Found | None]:
    """How often acceptors have held a ticket, and the last hold if it is not released."""
    holds = 0
    async for _ in store.claims(ticket_claim(number, "held:")):
        holds += 1
    if not holds or await store.claimed(hold_claim(number, "released", holds - 1)):
        return holds, None
    return holds, await _claimed(store, hold_claim(number, "held", holds - 1))


class _Found(NamedTuple):
    """The record and the event that took a claim of a ticket."""

    record: Record
    event: TicketEvent

    def moment(self) -> Moment:
        seat = self.event.seat if isinstance(self.event, m.SeatEvent) else 0
        reason = ""
        if isinstance(self.event, TicketVoided):
            reason = self.event.reason
        elif isinstance(self.event, m.PrintEnded):
            reason = self.event.why
        return Moment(self.record.stream, seat, self.record.at_ms, self.record.actor, reason)


async def _claimed(store: Store, claim: str) -> _Found | None:
    claimed = await store.claimed(claim)
    if claimed is None:
        return None
    record = await store.record(claimed.stream, claimed.seq)
    number = key_of(claim).owner
    for event in events_of(record) if record else ():
        if record and isinstance(event, TicketEvent) and event.number == number and claim in event.claims:
            return _Found(record, event)
    raise BadRecord(
        f"record {claimed.seq} of stream {claimed.stream} did not take the claim {claimed.claim} that names it;"
        " run `stickman verify`"
    )


async def outstanding(store: Store, keys: Sequence[bytes], *, now_ms: int) -> AsyncIterator[Ticket]:
    """The tickets that have not ended, including expired ones and those that wait for a printer, in order of their
    numbers."""
    claims = [key_of(claimed.claim) async for claimed in store.claims("ticket:")]
    ended = {claim.owner for claim in claims if claim.part == "redeemed"}
    for claim in claims:
        if claim.part == "issued" and claim.owner not in ended:
            yield await look_up(store, keys, claim.owner, now_ms=now_ms)


# --- At the cage ---


async def at_the_cage(  # noqa: PLR0913 - which ticket, what to do, by whom
    office: Office,
    keys: Sequence[bytes],
    number: str,
    decide: Callable[[Floor, Ticket], Decision],
    *,
    at_ms: int,
    actor: str,
    command: str = "",
) -> Decision:
    """Look a ticket up and decide; if a table redeemed it or holds it meanwhile, look again."""

    async def attempt() -> Decision:
        ticket = await look_up(office.store, keys, number, now_ms=at_ms)
        return await office.act(lambda floor: decide(floor, ticket), at_ms=at_ms, actor=actor, command=command)

    with suppress(Taken):
        return await attempt()
    return await attempt()


def pay(floor: Floor, ticket: Ticket, *, by: str) -> Decision:
    """Pay a ticket in cash. As in casinos, no table takes an expired one, but a supervisor may still pay it."""
    if refused := floor.refuses(by, Act.PAY_TICKET) or _ended(ticket):
        return refused
    expired = ticket.status == "expired"
    if expired and floor.refuses(by, Act.PAY_EXPIRED_TICKET):
        return Refused(Refusal.TICKET_EXPIRED)
    target = drawer(by) if floor.takes_cash(by) else "cash"
    transfers = move("tips" if ticket.kind == "tip" else "tickets", target, ticket.cents)
    number, cents, hold = ticket.number, ticket.cents, ticket.holds
    return (TicketPaid(number=number, cents=cents, hold=hold, expired=expired, transfers=transfers),)


def void(floor: Floor, ticket: Ticket, *, by: str, approver: str, reason: str) -> Decision:
    """End a ticket that is owed to nobody; its money goes to the house. A ticket that cannot be read but is owed is
    not voided; it is paid by its number."""
    if refused := floor.refuses_two(by, approver, Act.VOID_TICKET) or _ended(ticket):
        return refused
    if ticket.kind == "tip":
        return Refused(Refusal.TIP_TICKET)
    if not reason.strip() or len(reason) > REASON_MAX or not reason.isprintable():
        return Refused(Refusal.NEEDS_REASON)
    transfers = move("tickets", "house", ticket.cents)
    return (
        TicketVoided(
            number=ticket.number,
            cents=ticket.cents,
            hold=ticket.holds,
            reason=reason,
            approver=approver,
            transfers=transfers,
        ),
    )


def _ended(ticket: Ticket) -> Refused | None:
    """Why a ticket can no longer be paid or voided."""
    match ticket.status:
        case "unknown":
            return Refused(Refusal.TICKET_UNKNOWN)
        case "reserved":
            return Refused(Refusal.TICKET_NOT_PRINTED)
        case "held":
            return Refused(Refusal.TICKET_HELD, _where(ticket.held))
        case "redeemed" | "voided" | "failed" | "cancelled":
            return Refused(WHY_ENDED[ticket.status], _where(ticket.ended))
        case "good" | "expired":
            return None


WHY_ENDED = {
    "redeemed": Refusal.TICKET_REDEEMED,
    "voided": Refusal.TICKET_VOIDED,
    "failed": Refusal.TICKET_CANCELLED,
    "cancelled": Refusal.TICKET_CANCELLED,
}


def _where(moment: Moment | None) -> Detailed:
    assert moment
    table, seat, actor = moment.stream, moment.seat, moment.actor
    return Detail.AT_SEAT(table=table, seat=seat, who=actor) if table else Detail.AT_CAGE(badge=actor)


# --- On paper ---


def slip(ticket: Ticket, settings: Settings, *, count: int, zone: tzinfo, language: Language = "en") -> Slip:
    """A ticket for the printer; `count` is its number among its seat's tickets."""
    assert ticket.issued
    return Slip(
        kind=ticket.kind,
        place=settings.name,
        number=ticket.number,
        cents=ticket.cents,
        printed=local_time(ticket.issued.at_ms, zone).strftime("%Y-%m-%d %H:%M:%S"),
        table=str(ticket.issued.stream),
        seat=ticket.issued.seat,
        count=count,
        expires=local_time(ticket.expires_at_ms, zone).strftime("%Y-%m-%d"),
        language=language,
    )


def paper(wanted: Printing, settings: Settings, *, stream: int, seat: int, count: int) -> PrinterSlip:
    """The paper that a terminal's printer must print, in the floor's language."""
    ticket, language = wanted.ticket, settings.language
    if ticket is None:
        return worthless_slip(settings.name, str(stream), seat, language)
    issued = Moment(stream, seat, ticket.at_ms, "")
    known = Ticket(
        number=ticket.number,
        kind=ticket.kind,
        cents=ticket.cents,
        issued=issued,
        expires_at_ms=ticket.expires_at_ms,
    )
    drawn = slip(known, settings, count=count if wanted.cents else 0, zone=local_zone(), language=language)
    return ticket_slip(drawn, copy=not wanted.cents)


def local_zone() -> tzinfo:
    """The zone of the machine, in which tickets are dated."""
    zone = datetime.now(UTC).astimezone().tzinfo
    assert zone
    return zone


def local_time(at_ms: int, zone: tzinfo) -> datetime:
    return (EPOCH + timedelta(milliseconds=at_ms)).astimezone(zone)
