"""Settles a roll at all seats: first every wager, then what concerns several seats: limits on a side game's payout,
progressive meters, envy (ruling 28)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from stickman.rules import felt as felts
from stickman.rules.dice import Roll
from stickman.rules.felt import Felt, Line
from stickman.rules.layout import Layout
from stickman.rules.machine import Decided
from stickman.rules.money import Payment
from stickman.rules.paytable import envy_multiple
from stickman.rules.schema import MeterTerms
from stickman.table import messages as m
from stickman.table.asking import layout_of, situation_of
from stickman.table.ledger import Transfer, credit, felt, move, netted, progressive
from stickman.table.messages import Facts
from stickman.table.state import Table


class Played(NamedTuple):
    """A seat and what the roll did to its wagers."""

    number: int
    before: Felt
    after: Felt
    lines: list[Line]


def settlement(table: Table, dice: Roll, facts: Facts, next_at_ms: int) -> m.Settled:
    layout = layout_of(table)
    played = [
        Played(
            seat.number,
            seat.felt,
            *felts.roll(situation_of(table, seat.number), dice, table.power, sits_out=seat.last.sits_out),
        )
        for seat in table.playing()
    ]
    played = _capped(table, played)
    awards, hits, meter_moves = _awards(table, played, facts)
    envy = envy_of(table, (line for each in played for line in each.lines))
    transfers: list[Transfer] = [*meter_moves, *move("house", "envy", envy)]
    seats = []
    for each in played:
        transfers += _moves(each)
        won = sum(line.payment.paid_cents for line in each.lines)
        seats.append(
            m.SeatSettled(
                seat=each.number,
                felt=each.after,
                lines=tuple(each.lines),
                paid_cents=won + sum(awards[each.number].values()),
                offers=tuple(_offers(table, layout, each)),
                awards=awards[each.number],
            )
        )
    under = sum((line.payment.under_a_cent for each in played for line in each.lines), Fraction(0))
    return m.Settled(
        seats=tuple(seats),
        envy_cents=envy,
        next_at_ms=next_at_ms,
        under_a_cent=under,
        hits=hits,
        hand_paid=_hand_paid(table, dice, played),
        transfers=netted(transfers),
    )


def _moves(played: Played) -> Iterator[Transfer]:
    """Where the money of a seat's lines goes (ruling 10)."""
    for line in played.lines:
        yield from move(felt(played.number), credit(played.number), line.returned_cents)
        yield from move(felt(played.number), "house", line.taken_cents)
        yield from move("house", credit(played.number), line.payment.paid_cents)
        yield from move("house", "commission", line.payment.commission_cents)
        yield from move("house", "breakage", line.payment.breakage_cents)
        yield from move(credit(played.number), "commission", line.fee_cents)


# --- The most that a side game pays ---


def _capped(table: Table, played: list[Played]) -> list[Played]:
    """Fixed wins of a side game above its limit are paid pro rata, rounded down. Stakes and awards of meters are
    not cut (BC4 note 3, ruling 36)."""
    layout = layout_of(table)
    found = {family: _share(table, family, total) for family, total in _gains(table, played).items()}
    shares = {family: share for family, share in found.items() if share is not None}
    if not shares:
        return played

    def cut(line: Line) -> Line:
        share = shares.get(layout.bets[line.bet].family)
        if share is None or not line.gain_cents:
            return line
        unit = table.game.payout_unit_cents
        stake = line.payment.paid_cents - line.gain_cents
        paid_cents = int((stake + line.gain_cents * share) // unit) * unit
        return replace(line, payment=Payment(paid_cents, 0, 0, Fraction(0)))

    return [each._replace(lines=[cut(line) for line in each.lines]) for each in played]


def _gains(table: Table, played: list[Played]) -> Counter[str]:
    """By side game: what the roll pays in addition to stakes, without meters."""
    layout, gains = layout_of(table), Counter[str]()
    for line in (line for each in played for line in each.lines):
        if layout.bets[line.bet].side and line.gain_cents:
            gains[layout.bets[line.bet].family] += line.gain_cents
    return gains


def _share(table: Table, family: str, total: int) -> Fraction | None:
    """The part of a side game's wins that its limit allows; None if it allows all."""
    side = table.game.side_games()[family]
    if side.aggregate_max_cents is None:
        return None
    before = table.hand_paid.get(family, 0) if side.aggregate_per == "hand" else 0
    room = max(0, side.aggregate_max_cents - before)
    return Fraction(room, total) if total > room else None


def _hand_paid(table: Table, dice: Roll, played: list[Played]) -> dict[str, int]:
    """By side game: what the hand has paid, including this roll. A seven-out ends the hand."""
    if table.hand.is_seven_out(dice):
        return {}
    return dict(Counter(table.hand_paid) + _gains(table, played))


# --- Progressive meters ---


class Awards(NamedTuple):
    """What meters pay by seat and meter, the number of each hit, and the moves."""

    by_seat: dict[int, dict[str, int]]
    hits: dict[str, int]
    transfers: list[Transfer]


def _awards(table: Table, played: list[Played], facts: Facts) -> Awards:
    """Each winner is paid in full, the first from the meter and the others from the house; or winners split the
    meter. Then the meter is seeded again (ruling 23)."""
    awards, hits, transfers = found = Awards({each.number: {} for each in played}, {}, [])
    winners = [(each.number, line.bet, line.meter) for each in played for line in each.lines if line.meter]
    for meter in dict.fromkeys(meter for _, _, meter in winners):
        seats = [(number, bet) for number, bet, name in winners if name == meter]
        terms, base_cents = terms_of(table, seats[0][1], facts)
        seed = terms.reset_cents(base_cents)
        reading, before = facts.meters.get(meter, m.Reading(seed))
        hits[meter] = before + 1
        account = progressive(meter)
        shares = [reading // len(seats) if terms.winners == "split" else reading] * len(seats)
        for place, ((number, _), cents) in enumerate(zip(seats, shares, strict=True)):
            awards[number][meter] = awards[number].get(meter, 0) + cents
            from_meter = place == 0 or terms.winners == "split"
            transfers += move(account if from_meter else "house", credit(number), cents)
        transfers += move(account, "breakage", reading - sum(shares)) if terms.winners == "split" else ()
        transfers += move("house", account, seed)
    return found


def terms_of(table: Table, bet: str, facts: Facts) -> tuple[MeterTerms, int]:
    """The terms of a progressive bet's meter, and the base wager."""
    game, side = table.game, layout_of(table).bets[bet].family
    return facts.terms.get(game.meter(side)) or game.meter_terms(side), game.progressive(side).base_cents


# --- Envy, offers ---


def envy_of(table: Table, settled: Iterable[Line]) -> int:
    """What the dealer gets, if one is there (ruling 24): a multiple of each winning wager (`2x`, `$50 each` for a
    base wager), or one amount for all winners together (`$1000`)."""
    if not table.has_dealer:
        return 0
    each_winner, once = 0, dict[tuple[str, str], int]()
    for line in (line for line in settled if line.envy):
        cents = envy_multiple(line.envy) * line.stake_cents
        if line.envy.endswith(("x", "each")):
            each_winner += cents
        else:
            once[line.bet, line.envy] = cents
    return each_winner + sum(once.values())


def _offers(table: Table, layout: Layout, played: Played) -> Iterator[m.WonOffer]:
    """What a player may do after a Place win (RULES 3, ruling 11)."""
    for line in played.lines:
        if line.decided is not Decided.WIN or not layout.bets[line.bet].pressable:
            continue
        if table.game.press_by_win and line.to and line.payment.paid_cents:
            yield m.WonOffer("press", line.spot, line.payment.paid_cents)
        made_now = table.hand.puck == 0 and not played.before.wagers[line.spot].lain
        if table.game.move_after_win != "none" and made_now:
            yield m.WonOffer("move", line.spot, line.stake_cents)
