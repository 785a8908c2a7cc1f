"""What devices report, decided. A report has happened, so it is never refused (ruling 55). What may be refused is
refused while the paper is in escrow: then it goes back.

Money on the move is always in one place. A bill in escrow is the player's, until *vend valid* makes it credit. A
ticket in escrow is held, so that nobody else can redeem it, and *vend valid* redeems it. A ticket on its way out
waits in `seat:N:printing`: printed, it is a ticket; failed, it is credit again; unknown, it is due by hand (ruling
57).

A `note` is an acceptor's running number for one paper, a bill or a ticket. Every report about that paper has it. A
new acceptor begins at 1 again, so a paper is known by device and note.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple, get_args

import msgspec

from stickman.devices import signals as s
from stickman.rules.felt import Reason
from stickman.rules.spoken import Detail
from stickman.table import messages as m
from stickman.table.asking import Decision, no_input, no_key, no_seat
from stickman.table.evolve import evolve_all
from stickman.table.ledger import credit, move, printing
from stickman.table.messages import Event, Facts, Needs, Refusal, Refused, Reported
from stickman.table.round import STOPPED_BY_DOORS, left_ms
from stickman.table.state import FAULTS_MAX, Escrow, HeardFrom, Printing, SeatTerminal, Table

Happened = tuple[Event, ...]
TABLE_DOORS: tuple[s.TableDoor, ...] = get_args(s.TableDoor)


def digest(signal: s.Signal) -> str:
    plain = msgspec.to_builtins(signal, str_keys=True)
    return hashlib.sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()


def report(table: Table, said: Reported, facts: Facts) -> Happened | Needs:
    """What a report means here: that it was heard, and all that follows from it. If reports before it are missing,
    that counts first: paper in escrow then goes back."""
    heard, decider = _heard(table, said, facts), _decider(table, said)
    if decider is None:
        return heard
    follows = decider(evolve_all(table, heard), said, said.signal, facts)
    return follows if isinstance(follows, Needs) else (*heard, *follows)


def _decider(table: Table, said: Reported) -> Decider | None:
    if not said.seat:
        return OF_TABLE.get(type(said.signal))
    return SIGNALS[type(said.signal)] if said.seat <= len(table.seats) else None


def _heard(table: Table, said: Reported, facts: Facts) -> Happened:
    """That a report was heard and, if reports before it are missing, what that means."""
    if not said.device:  # of a script, which numbers nothing and loses nothing
        return ()
    heard = m.SignalHeard(
        device=said.device,
        at_seat=said.seat,
        kind=said.kind,
        boot=said.boot,
        seq=said.seq,
        at_ms=said.at_ms,
        digest=digest(said.signal),
    )
    last = table.heard.get(said.device)
    expected = last.seq + 1 if last else 1
    if said.seq == expected:
        return (heard,)
    gap = _distrusted(table, said.device, said.seat, facts, why="gap", expected=expected, found=said.seq)
    return (heard, *gap, *_missed(table, said))


def _distrusted(table: Table, device: str, seat: int, facts: Facts, **what: Any) -> Happened:
    """A device is no longer trusted. Its seat locks up; if it has none, the table does."""
    event = m.DeviceDistrusted(device=device, at_seat=seat, **what)
    if seat or table.locked_up:
        return (event,)
    return (event, m.TableLockedUp(left_ms=_stops_ms(table, facts)))


def _missed(table: Table, said: Reported) -> Happened:
    """The missing reports may say what became of the paper in escrow, unless this report does."""
    if said.kind != "acceptor" or not 1 <= said.seat <= len(table.seats):
        return ()
    paper, note = table.seat(said.seat).terminal.escrow, getattr(said.signal, "note", 0)
    if paper is None or paper.device != said.device or paper.note == note:
        return ()
    return (_gone(said.seat, paper, "gap"),)


# --- Paper in ---


def refuses_money(table: Table, seat: int, facts: Facts) -> Refused | None:
    """Why a seat takes no money now."""
    if stop := no_input(table, seat, facts):
        return stop
    terminal = table.seat(seat).terminal
    if terminal.printing:
        return Refused(Refusal.PRINTING)
    return Refused(Refusal.HAND_PAY_DUE) if terminal.hand_pay_cents else None


def refuses_bill(table: Table, seat: int, cents: int, facts: Facts) -> Refused | None:
    if stop := refuses_money(table, seat, facts):
        return stop
    if not 0 < cents <= s.CENTS_MAX:
        return Refused(Refusal.BAD_AMOUNT)
    return Refused(Refusal.BAD_AMOUNT, Detail.BILLS(cents=facts.bills_cents)) if _is_foreign(cents, facts) else None


def _is_foreign(cents: int, facts: Facts) -> bool:
    """Whether the house takes no such bill. Facts that list no bills allow all, as in scripts; in the wishes of an
    acceptor, no bills are none."""
    return bool(facts.bills_cents) and cents not in facts.bills_cents


def refuses_ticket(table: Table, seat: int, number: str, facts: Facts) -> Refused | Needs | None:
    if stop := refuses_money(table, seat, facts):
        return stop
    if facts.ticket is None:
        return Needs("ticket")
    return None if facts.ticket.cents > 0 else Refused(Refusal.TICKET_NOT_GOOD, Detail.TICKET(number=number))


def _bill_in_escrow(table: Table, said: Reported, signal: s.BillInEscrow, facts: Facts) -> Happened:
    about: dict[str, Any] = {"seat": said.seat, "note": signal.note, "device": said.device, "cents": signal.cents}
    before = _displaced(table, said, Escrow(signal.note, signal.cents, device=said.device), facts)
    if stop := refuses_bill(evolve_all(table, before), said.seat, signal.cents, facts):
        return (*before, m.PaperRefused(**about, why=stop.why.value))
    return (*before, m.BillHeld(**about))


def _ticket_in_escrow(table: Table, said: Reported, signal: s.TicketInEscrow, facts: Facts) -> Happened | Needs:
    about: dict[str, Any] = {"seat": said.seat, "note": signal.note, "device": said.device}
    number, here = signal.number, table.seat(said.seat).terminal.escrow
    if here and here.is_hold and here.has(said.device, signal.note) and here.number == number:
        return ()  # it is held already
    before = _displaced(table, said, Escrow(signal.note, number=number, device=said.device), facts)
    stop = refuses_ticket(evolve_all(table, before), said.seat, number, facts)
    if isinstance(stop, Needs):
        return stop
    if stop:
        return (*before, m.PaperRefused(**about, number=number, why=stop.why.value))
    assert facts.ticket
    number, cents, holds = facts.ticket
    return (*before, m.TicketHeld(**about, number=number, cents=cents, hold=holds))


def _displaced(table: Table, said: Reported, paper: Escrow, facts: Facts) -> Happened:
    """What becomes of earlier paper when this comes into escrow. If another was to be stacked, nothing was said of
    it: it is unaccounted for. If the same number was lost, it has come up again. If the same number meant another
    paper, the device contradicts itself."""
    seat, here, known = said.seat, table.seat(said.seat).terminal.escrow, _paper(table, said, paper.note)
    overtaken = here is not None and here is not known and here.stack
    events: Happened = (_gone(seat, here, "next_note"),) if here and overtaken else ()
    if known is None:
        return events
    same = known.number == paper.number and (known.number != "" or known.cents == paper.cents)
    if known is not here:
        found = m.PaperReturned(seat=seat, note=known.note, device=known.device, why="again")
        events = (*events, *hold_ended(seat, known), found)
    elif not same:
        events = hold_ended(seat, known)
    return events if same else (*events, *_odd(table, said, paper.note, facts))


def _odd(table: Table, said: Reported, note: int, facts: Facts) -> Happened:
    """A device says of a paper what cannot be: two people must look."""
    if not said.device:  # of a script
        return ()
    return _distrusted(table, said.device, said.seat, facts, why="odd", found=note)


def _gone(seat: int, paper: Escrow, why: str) -> Event:
    """The end of paper of which nothing more will be said: what was to be stacked is unaccounted for, the rest went
    back."""
    if paper.stack:
        return _lost(seat, paper, why)
    return m.PaperReturned(seat=seat, note=paper.note, device=paper.device, why=why)


def _lost(seat: int, paper: Escrow, after: str) -> m.PaperUnaccounted:
    return m.PaperUnaccounted(
        seat=seat, note=paper.note, device=paper.device, after=after, cents=paper.cents, number=paper.number
    )


def _bill_stacked(table: Table, said: Reported, signal: s.BillStacked, facts: Facts) -> Happened:
    """A bill in the stacker is credit. If it contradicts what was reported of it, two people must look as well."""
    paper = _paper(table, said, signal.note)
    came = m.CashInserted(
        seat=said.seat,
        cents=signal.cents,
        note=signal.note,
        device=said.device,
        other=paper is None and _is_foreign(signal.cents, facts),
        at_ms=facts.now_ms,
        transfers=move("cash", credit(said.seat), signal.cents),
    )
    differs = paper is not None and (paper.number != "" or paper.cents != signal.cents)
    ends = hold_ended(said.seat, paper) if paper else ()
    is_odd = differs or came.other or _is_odd(table, said, signal.note)
    return (*ends, came, *(_odd(table, said, signal.note, facts) if is_odd else ()))


def _ticket_stacked(table: Table, said: Reported, signal: s.TicketStacked, facts: Facts) -> Happened | Needs:
    """Redeem the ticket that is held here. One that is not held is looked up; if it is worth nothing, staff must
    look."""
    seat, note, number = said.seat, signal.note, signal.number
    paper = _paper(table, said, note)
    same = paper is not None and paper.number == number
    odd = _odd(table, said, note, facts) if (paper and not same) or _is_odd(table, said, note) else ()
    ends: Happened = ()
    if paper and same and paper.stack:
        cents = paper.cents
    elif facts.ticket is None:
        return Needs("ticket")
    elif facts.ticket.cents <= 0:
        return (_lost(seat, Escrow(note, number=number, device=said.device), "not_valid"), *odd)
    else:
        cents, ends = facts.ticket.cents, hold_ended(seat, paper) if paper else ()
    redeemed = m.TicketRedeemed(
        seat=seat,
        number=number,
        cents=cents,
        note=note,
        device=said.device,
        at_ms=facts.now_ms,
        transfers=move("tickets", credit(seat), cents),
    )
    return (*ends, redeemed, *odd)


def _is_odd(table: Table, said: Reported, note: int) -> bool:
    """Whether a paper that was stacked was to go back, or was stacked before."""
    paper = _paper(table, said, note)
    return not paper.stack if paper else note <= table.seat(said.seat).terminal.last_note


def _paper(table: Table, said: Reported, note: int) -> Escrow | None:
    """The paper with this number: in escrow or unaccounted for."""
    terminal = table.seat(said.seat).terminal
    papers = (terminal.escrow, *terminal.lost)
    return next((each for each in papers if each and each.has(said.device, note)), None)


def _note_returned(table: Table, said: Reported, signal: s.NoteReturned, _: Facts) -> Happened:
    paper = _paper(table, said, signal.note)
    if paper is None:
        return ()
    returned = m.PaperReturned(seat=said.seat, note=paper.note, device=paper.device, why=signal.why)
    return (*hold_ended(said.seat, paper), returned)


def hold_ended(seat: int, paper: Escrow) -> Happened:
    """If this is a held ticket, end its hold: it can be used again."""
    return (m.TicketReleased(seat=seat, number=paper.number, hold=paper.hold),) if paper.is_hold else ()


def _unaccounted(table: Table, said: Reported, signal: s.UnknownStacked | s.NoteUnaccounted, _: Facts) -> Happened:
    note, after = signal.note, signal.after if isinstance(signal, s.NoteUnaccounted) else "unknown"
    return (_lost(said.seat, _paper(table, said, note) or Escrow(note, device=said.device), after),)


def _stacker_removed(table: Table, said: Reported, signal: s.StackerRemoved, _: Facts) -> Happened:
    counted = m.Stacked(signal.bills, signal.tickets)
    return (m.Dropped(seat=said.seat, counted=counted, booked=table.seat(said.seat).terminal.stacker),)


# --- Paper out ---


def _job(table: Table, said: Reported, job: str) -> Printing | None:
    """What the table waits for, if a printer's report is about it."""
    wanted = table.seat(said.seat).terminal.printing
    return wanted if wanted and wanted.job == job else None


def _slip_begun(table: Table, said: Reported, signal: s.SlipBegun, _: Facts) -> Happened:
    wanted = _job(table, said, signal.job)
    return (m.PrintBegan(seat=said.seat, job=wanted.job),) if wanted and not wanted.begun else ()


def _prints_or_has_printed(table: Table, job: str) -> bool:
    """Whether a slip is known at any seat: a printer that names another seat's slip says nothing new."""
    terminals = [seat.terminal for seat in table.seats]
    printing = {terminal.printing.job for terminal in terminals if terminal.printing}
    return job in printing | {each.number for terminal in terminals for each in terminal.printed}


def _slip_printed(table: Table, said: Reported, signal: s.SlipPrinted, _: Facts) -> Happened:
    wanted = _job(table, said, signal.job)
    if wanted is None and _prints_or_has_printed(table, signal.job):
        return ()
    if wanted is None:
        return (m.PrintedLate(seat=said.seat, number=signal.job),)
    if not wanted.cents:
        return (m.PaperDone(seat=said.seat, job=wanted.job),)
    ticket = wanted.ticket
    assert ticket
    kind, target = (m.Tipped, "tips") if wanted.kind == "tip" else (m.TicketPrinted, "tickets")
    return (
        kind(
            seat=said.seat,
            number=ticket.number,
            cents=ticket.cents,
            at_ms=ticket.at_ms,
            expires_at_ms=ticket.expires_at_ms,
            reserved=True,
            transfers=move(printing(said.seat), target, ticket.cents),
        ),
    )


def _slip_failed(table: Table, said: Reported, signal: s.SlipFailed, _: Facts) -> Happened:
    """The money is credit again. The seat locks up, and staff are called."""
    wanted = _job(table, said, signal.job)
    if wanted is None:
        return ()
    locks = m.SeatLockedUp(seat=said.seat, why="printer")
    if not wanted.cents:
        return (m.PaperDone(seat=said.seat, job=wanted.job, why=signal.why), locks)
    back = move(printing(said.seat), credit(said.seat), wanted.cents)
    return (m.PrintFailed(seat=said.seat, **_ended(wanted, signal.why), transfers=back), locks)


def _slip_unknown(table: Table, said: Reported, signal: s.SlipUnknown, _: Facts) -> Happened:
    wanted = _job(table, said, signal.job)
    if wanted is None:
        return ()
    locks = m.SeatLockedUp(seat=said.seat, why="printer")
    if not wanted.cents:
        return (m.PaperDone(seat=said.seat, job=wanted.job, why=signal.why), locks)
    return (cancelled(said.seat, wanted, signal.why), locks)


def cancelled(seat: int, wanted: Printing, why: str, facts: Facts | None = None) -> m.TicketCancelled:
    """The end of a ticket that may or may not be on paper: a hand pay is due for it (ruling 57)."""
    people: dict[str, Any] = {"by": facts.actor, "approver": facts.approver} if facts else {}
    due = move(printing(seat), "handpay", wanted.cents)
    return m.TicketCancelled(seat=seat, **_ended(wanted, why), **people, transfers=due)


def _ended(wanted: Printing, why: str) -> dict[str, Any]:
    return {"number": wanted.job, "cents": wanted.cents, "kind": wanted.kind, "why": why}


def cancel_print(table: Table, request: m.CancelPrint, facts: Facts) -> Decision:
    """Two people with the key stop waiting for a printer that does not answer: its ticket is due by hand (ruling
    57)."""
    if stop := no_seat(table, request.seat):
        return stop
    terminal = table.seat(request.seat).terminal
    if terminal.printing is None:
        return Refused(Refusal.NOTHING_TO_DO)
    if facts.printer(request.seat) == "ready":
        return Refused(Refusal.PRINTING)
    if stop := no_key(table, request.seat, facts):
        return stop
    if facts.approver in ("", facts.actor):
        return Refused(Refusal.NEEDS_TWO)
    if not terminal.printing.cents:
        return (m.PaperDone(seat=request.seat, job=terminal.printing.job, why="cancelled"),)
    return (cancelled(request.seat, terminal.printing, "cancelled", facts),)


def print_test(table: Table, request: m.PrintTest, facts: Facts) -> Decision:
    if stop := _cannot_print(table, request.seat, facts):
        return stop
    return (m.PaperAsked(seat=request.seat, job=_job_name(table, request.seat, "test", facts), kind="test"),)


def print_copy(table: Table, request: m.PrintCopy, facts: Facts) -> Decision:
    """A copy cannot be redeemed, so that a reprint never pays twice."""
    if stop := _cannot_print(table, request.seat, facts):
        return stop
    known = table.seat(request.seat).terminal.printed
    ticket = next((each for each in known if each.number == request.number), None)
    if ticket is None:
        return Refused(Refusal.NO_SUCH_TICKET)
    job = _job_name(table, request.seat, "copy", facts)
    return (m.PaperAsked(seat=request.seat, job=job, kind="copy", of=ticket),)


def _job_name(table: Table, seat: int, kind: m.PaperKind, facts: Facts) -> str:
    """A name that this seat's printer has not heard: it prints each job once."""
    return f"{kind}{table.seat(seat).terminal.papers + 1}at{facts.now_ms}"


def _cannot_print(table: Table, seat: int, facts: Facts) -> Refused | None:
    """Why a seat's printer cannot print now."""
    if stop := no_seat(table, seat):
        return stop
    if table.seat(seat).terminal.printing:
        return Refused(Refusal.PRINTING)
    return None if facts.printer(seat) == "ready" else Refused(Refusal.NO_TICKET)


# --- Faults, doors and keys ---


def _fault_began(table: Table, said: Reported, signal: s.FaultBegan, _: Facts) -> Happened:
    """A failed printer or acceptor locks its seat up, like an open door (RULES 13)."""
    part = _part(said)
    known = table.seat(said.seat).terminal.faults.get(part, ()) if part else ()
    if part is None or signal.fault in known or len(known) >= FAULTS_MAX:
        return ()
    return (m.SeatLockedUp(seat=said.seat, why=part, fault=signal.fault, code=signal.code),)


def _fault_ended(table: Table, said: Reported, signal: s.FaultEnded, _: Facts) -> Happened:
    part = _part(said)
    if part is None or signal.fault not in table.seat(said.seat).terminal.faults.get(part, ()):
        return ()
    return (m.PartRepaired(seat=said.seat, part=part, fault=signal.fault),)


def _part(said: Reported) -> m.Part | None:
    return said.kind if said.kind in ("printer", "acceptor") else None


def _moved(signal: s.DoorMoved | s.KeyMoved) -> dict[str, Any]:
    return {"moved_ms": signal.moved_ms, "how": signal.how}


def _door(table: Table, said: Reported, signal: s.DoorMoved, _: Facts) -> Happened:
    """An open door stops betting and payout at that seat; wagers on the felt play on (RULES 13). The security door
    of a cage must close before its main door; the other order keeps the lock-up (ruling 43)."""
    door, doors = signal.door, table.seat(said.seat).terminal.doors
    is_tables = door in TABLE_DOORS  # older journals may have one at a seat: it can still close
    if signal.open is (door in doors) or (signal.open and is_tables):
        return ()
    if signal.open:
        return (m.DoorOpened(seat=said.seat, door=door, **_moved(signal)),)
    # What is found closed at the start, or after a break in the connection, says nothing of an order.
    too_early = door == "cage_main" and "cage_security" in doors and signal.how != "start"
    return (m.DoorClosed(seat=said.seat, door=door, out_of_order=too_early, **_moved(signal)),)


def _table_door(table: Table, _: Reported, signal: s.DoorMoved, facts: Facts) -> Happened:
    """Betting, money and the bet clock of the whole table stop. If bets are closed, the roll is finished (ruling
    43)."""
    door = signal.door
    if door not in TABLE_DOORS or signal.open is (door in table.doors):
        return ()
    if not signal.open:
        return (m.TableDoorClosed(door=door, **_moved(signal)),)
    return (m.TableDoorOpened(door=door, left_ms=_stops_ms(table, facts), **_moved(signal)),)


def _stops_ms(table: Table, facts: Facts) -> int:
    """What is left of the phase if its clock stops now; 0 if it runs on."""
    return left_ms(table, facts) if table.phase in STOPPED_BY_DOORS else 0


def _key(table: Table, said: Reported, signal: s.KeyMoved, _: Facts) -> Happened:
    same = table.seat(said.seat).terminal.key is signal.on
    return () if same else (m.KeyTurned(seat=said.seat, on=signal.on, **_moved(signal)),)


def _table_key(table: Table, _: Reported, signal: s.KeyMoved, _facts: Facts) -> Happened:
    return () if table.key is signal.on else (m.TableKeyTurned(on=signal.on, **_moved(signal)),)


# --- The devices themselves ---


def _program(_: Table, said: Reported, signal: s.ProgramReported, _facts: Facts) -> Happened:
    version, sha256 = signal.version, signal.sha256
    return (m.ProgramHeard(device=said.device, at_seat=said.seat, version=version, sha256=sha256),)


def _totals(_: Table, said: Reported, signal: s.TotalsReported, _facts: Facts) -> Happened:
    counted = m.Stacked(signal.bills, signal.tickets_in)
    return (m.TotalsHeard(device=said.device, at_seat=said.seat, counted=counted, slips=signal.slips),)


def distrust(table: Table, request: m.DistrustDevice, facts: Facts) -> Decision:
    known = table.heard.get(request.device)
    if known is None or known.seat != request.seat:
        return Refused(Refusal.NO_SUCH_DEVICE)
    if known.distrusted:
        return Refused(Reason.ALREADY_SO)
    return _distrusted(table, request.device, request.seat, facts, why="changed", found=known.seq)


def remove_device(table: Table, request: m.RemoveDevice, _: Facts) -> Decision:
    """Forget a device that is revoked, because it can report nothing more. Paper that it should stack is now
    unaccounted for. What it had to print is cancelled (ruling 57). Its key counts as off."""
    known = table.heard.get(request.device)
    if known is None or known.seat != request.seat:
        return Refused(Refusal.NO_SUCH_DEVICE)
    removed = m.DeviceRemoved(
        device=request.device, at_seat=known.seat, kind=known.kind, distrusted=known.distrusted
    )
    return (*_abandoned(table, known), removed)


def _abandoned(table: Table, known: HeardFrom) -> Happened:
    """What a device that is gone leaves behind."""
    if not known.seat:
        return (m.TableKeyTurned(on=False),) if table.key else ()
    seat, terminal, why = known.seat, table.seat(known.seat).terminal, "device_removed"
    if known.kind == "acceptor" and terminal.escrow:
        return (_gone(seat, terminal.escrow, why),)
    if known.kind == "printer" and terminal.printing:
        if not terminal.printing.cents:  # nobody is owed anything, so staff need not look
            return (m.PaperDone(seat=seat, job=terminal.printing.job, why=why),)
        return (cancelled(seat, terminal.printing, why), m.SeatLockedUp(seat=seat, why="printer"))
    return (m.KeyTurned(seat=seat, on=False),) if known.kind == "doors" and terminal.key else ()


class CountDifference(NamedTuple):
    """What a device counted more than the journal."""

    cents: int = 0
    """Of bills."""
    tickets: int = 0
    slips: int = 0


def difference(table: Table, known: HeardFrom) -> CountDifference:
    """By the totals that a device has reported. Acceptors count money and tickets, printers count slips."""
    if not known.seat or known.totals is None:
        return CountDifference()
    terminal = table.seat(known.seat).terminal
    if known.kind == "acceptor":
        more = known.totals.minus(terminal.taken.minus(known.base))
        return CountDifference(more.cents, more.tickets)
    printed = terminal.slips - known.slips_base
    return CountDifference(slips=known.slips - printed) if known.kind == "printer" else CountDifference()


def settle_device(table: Table, request: m.SettleDevice, facts: Facts) -> Decision:
    """Book what a device counted and the journal did not, after reports were lost (such as when the journal was
    restored from a backup)."""
    known = table.heard.get(request.device)
    if known is None or known.seat != request.seat:
        return Refused(Refusal.NO_SUCH_DEVICE)
    if not known.distrusted:
        return Refused(Refusal.DEVICE_TRUSTED)
    if known.totals is None:
        return Refused(Refusal.NEEDS_TOTALS)
    if facts.approver in ("", facts.actor):
        return Refused(Refusal.NEEDS_TWO)
    more = difference(table, known)
    return (
        m.DeviceSettled(
            device=request.device,
            at_seat=request.seat,
            difference_cents=more.cents,
            difference_tickets=more.tickets,
            difference_slips=more.slips,
            by=facts.actor,
            approver=facts.approver,
            transfers=move("cash", "over_short", more.cents),
        ),
    )


Decider = Callable[[Table, Reported, Any, Facts], Happened | Needs]
SIGNALS: dict[type[s.Signal], Decider] = {
    s.BillInEscrow: _bill_in_escrow,
    s.TicketInEscrow: _ticket_in_escrow,
    s.BillStacked: _bill_stacked,
    s.TicketStacked: _ticket_stacked,
    s.UnknownStacked: _unaccounted,
    s.NoteReturned: _note_returned,
    s.NoteUnaccounted: _unaccounted,
    s.StackerRemoved: _stacker_removed,
    s.StackerReturned: lambda _, said, *__: (m.StackerBack(seat=said.seat),),
    s.SlipBegun: _slip_begun,
    s.SlipPrinted: _slip_printed,
    s.SlipFailed: _slip_failed,
    s.SlipUnknown: _slip_unknown,
    s.FaultBegan: _fault_began,
    s.FaultEnded: _fault_ended,
    s.DoorMoved: _door,
    s.KeyMoved: _key,
    s.ProgramReported: _program,
    s.TotalsReported: _totals,
}
OF_TABLE: dict[type[s.Signal], Decider] = {
    s.DoorMoved: _table_door,
    s.KeyMoved: _table_key,
    s.ProgramReported: _program,
    s.TotalsReported: _totals,
}
"""Of the table's own doors and the dealer's key. They have no seat."""


# --- Wishes ---


def wishes(
    table: Table, kind: s.DeviceKind, seat: int, facts: Facts
) -> s.AcceptorWishes | Printing | s.DoorsWishes | None:
    """What the table wants of a device now. Of a printer: the paper, or nothing."""
    if kind == "doors" or not 1 <= seat <= len(table.seats):
        return s.DoorsWishes()
    terminal = table.seat(seat).terminal
    if kind == "printer":
        return terminal.printing
    escrow = terminal.escrow or Escrow(0)
    takes = not refuses_money(table, seat, facts)
    return s.AcceptorWishes(
        bills=facts.bills_cents if takes else (),
        tickets=takes,
        note=escrow.note,
        stack=escrow.stack,
        reset=_resets(terminal),
    )


def _resets(terminal: SeatTerminal) -> bool:
    """A jam may last until the acceptor is reset. Its motors move then, so it takes the key, and shut doors."""
    return "acceptor" in terminal.faults and terminal.key and not terminal.doors
