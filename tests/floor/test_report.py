"""A report says what the journal says: to the cent, once, and beside the exact mathematics of what was played."""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from statistics import NormalDist

import pytest

from stickman.devices import signals as s
from stickman.floor import events as e
from stickman.floor import report as reports
from stickman.floor import tally
from stickman.floor.boxman import Boxman, NewRecord
from stickman.floor.journal import BadRecord, _leaves, entry, events_of
from stickman.floor.office import Office
from stickman.floor.report import BetRow, JournalReport, Money, report
from stickman.floor.tally import LOGS, BetCounts, NoSuchTable, Scope
from stickman.floor.verify import verify
from stickman.rules.machine import Decided
from stickman.rules.settings import load
from stickman.store.memory import MemoryStore
from stickman.store.store import EMPTY, Batch, Store
from stickman.table import messages as m
from stickman.table import script
from stickman.table.ledger import handle_cents, hold_cents
from stickman.table.messages import Event
from stickman.table.state import Table
from tests.floor.evening import STARTS_MS, at_table, awaited, busy
from tests.floor.scripted import EVENING, SECRETS, staffed, written
from tests.playthroughs.update import SCRIPTS
from tests.table.walks import TABLES
from tests.talk.devices import bill_stacked
from tests.talk.floor import ADMINISTRATOR, DEALER, BookedTable
from tests.talk.games import laid

DAY_MS = 24 * 60 * 60_000


async def of(store: Store, scope: Scope = Scope(), now_ms: int = STARTS_MS + DAY_MS) -> JournalReport:  # noqa: B008 - frozen
    return await report(store, scope, now_ms=now_ms, progress=lambda *_: None)


def bet(found: JournalReport, name: str) -> BetRow:
    [row] = [row for row in found.bets if row.bet == name]
    return row


def tickets(found: JournalReport, what: str) -> tuple[int, int]:
    [row] = [row for row in found.tickets if row.what == what]
    return row.count, row.sum_cents


# --- Money ---


@awaited
async def test_an_evening_adds_up_to_the_cent() -> None:
    store = MemoryStore()
    await written(store, EVENING)
    found = await of(store)
    [row] = found.money
    assert row == Money(
        table=1,
        drop_cents=16_000,
        bills_cents=16_000,
        credit_given_cents=0,
        tickets_in_cents=0,
        tickets_out_cents=16_800,
        hand_pays_cents=0,
        tips_cents=0,
        envy_cents=0,
        rolls=5,
        handle_cents=1_000 + 500 + 2_000 + 1_200 + 2_000 + 500 + 500,  # Don't Pass twice: a push counts anew
        taken_cents=500 + 2_000 + 500,
        paid_cents=1_400 + 1_000 + 2_400,
        fees_cents=100,
        hold_cents=3_000 + 100 - 4_800,
        hold=Fraction(-1_700, 7_700),
        commission_cents=100,
        breakage_cents=0,
        under_a_cent=Fraction(0),
        shortfall_cents=0,
    )
    assert [(bills.bill_cents, bills.count, bills.sum_cents) for bills in found.bills] == [
        (2_000, 3, 6_000),
        (10_000, 1, 10_000),
    ]
    assert [(s.seat, s.games, s.wagers, s.handle_cents, s.paid_cents) for s in found.seats] == [
        (1, 2, 3, 4_200, 4_800),
        (2, 4, 4, 3_500, 0),
    ]


@awaited
async def test_each_bet_is_counted_with_what_became_of_it() -> None:
    store = MemoryStore()
    await written(store, EVENING)
    found = await of(store)
    counted = {
        row.bet: (row.handle_cents, row.won, row.lost, row.pushed, row.paid_cents, row.hold_cents)
        for row in found.bets
    }
    assert counted == {
        "pass": (1_000, 1, 0, 0, 1_000, -1_000),
        "pass.odds": (2_000, 1, 0, 0, 2_400, -2_400),
        "place.8": (1_200, 1, 0, 0, 1_400, -1_400),
        "field": (500, 0, 1, 0, 0, 500),
        "buy.4": (2_000, 0, 1, 0, 0, 2_000),
        "dont_pass": (1_000, 0, 1, 1, 0, 500),
    }
    assert bet(found, "dont_pass").returned == Fraction(1, 2)
    assert bet(found, "place.8").returned == Fraction(12 + 14, 12)
    assert bet(found, "pass").exact == 1 - Fraction(7, 495)
    assert bet(found, "buy.4").exact == 1, "its fee is commission"


@awaited
async def test_accounts_add_up_to_zero_and_tell_what_was_gained() -> None:
    store = MemoryStore()
    await written(store, EVENING)
    found = await of(store)
    accounts = {row.account: (row.balance_cents, row.change_cents) for row in found.ledger}
    assert accounts == {
        "cash": (-16_000, -16_000),
        "commission": (100, 100),
        "house": (-1_800, -1_800),
        "seats:credit": (900, 900),
        "seats:felt": (0, 0),
        "seats:printing": (0, 0),
        "tickets": (16_800, 16_800),
    }


@awaited
async def test_a_fee_that_was_given_back_is_not_held() -> None:
    store = MemoryStore()
    text = "set seats 1\nseat 1 inserts 100.00\nseat 1 bets buy.4 20.00\nseat 1 accepts\n"
    await written(store, text + "seat 1 takes buy.4 10.00\n")
    [row] = (await of(store)).money
    assert (row.fees_cents, row.hold_cents, row.commission_cents) == (50, 50, 50)
    await written(store, text + "seat 1 takes buy.4\n", 2)
    assert (await of(store, Scope(table=2))).money[0].hold_cents == 0


PUT_RIGHT = """
game craps
set mode dealer_assisted
set seats 1
dealer signs in badge-12
seat 1 inserts 100.00
seat 1 bets field 5.00
seat 1 bets place.6 6.00
no roll cocked
roll 2-1
reverse to 4-2
seat 1 tips 10.00
"""
"""The field wins $5 on a 3 that was a 6: so it lost, and the six won $7."""


@awaited
async def test_a_roll_taken_back_counts_once() -> None:
    store = MemoryStore()
    await written(store, PUT_RIGHT)
    found = await of(store)
    [row] = found.money
    assert (row.rolls, row.handle_cents, row.taken_cents, row.paid_cents) == (1, 1_100, 500, 700)
    assert (bet(found, "field").won, bet(found, "field").lost, bet(found, "field").staked_cents) == (0, 1, 500)
    assert bet(found, "field").results == 1
    assert bet(found, "place.6").won == 1
    assert Counter((d.first, d.second) for d in found.dice if d.rolled) == {(4, 2): 1}
    assert [line.what for line in found.significant] == ["table opened", "no roll called", "roll voided"]
    assert found.significant[-1].detail == "wrong 2-1, by badge-12, approver supervisor"
    [dealer] = found.dealers
    assert (dealer.dealer, dealer.sign_ins, dealer.rolls, dealer.no_rolls) == ("badge-12", 1, 1, 1)
    assert (dealer.reversals, dealer.tips, dealer.tips_cents) == (1, 1, 1_000)


@awaited
async def test_a_shortfall_is_what_was_gone_when_a_roll_was_taken_back() -> None:
    """$100 became $150 by a wrong roll and were tipped: when it goes back, win and stake of $50 are missing."""
    store = MemoryStore()
    await written(
        store,
        """
        game craps
        set mode dealer_assisted
        set seats 1
        dealer signs in badge-12
        seat 1 inserts 100.00
        seat 1 bets field 50.00
        roll 2-1
        seat 1 tips 150.00
        reverse to 4-2
        """,
    )
    [row] = (await of(store)).money
    assert (row.drop_cents, row.tips_cents, row.shortfall_cents) == (10_000, 15_000, 10_000)
    assert (row.taken_cents, row.paid_cents, row.hold_cents) == (5_000, 0, 5_000)


@pytest.mark.parametrize("which", TABLES, ids=lambda which: " ".join(which)[:40])
@awaited
async def test_the_report_agrees_with_the_tables_own_meters_and_accounts(which: tuple[str, ...]) -> None:
    """Two countings of the same evening: the table's as it was played, and the report's from the journal."""
    store = MemoryStore()
    played = await at_table(store, 1, busy(5, steps=1_500), which)
    found, table = await of(store), played.table
    [row] = found.money
    for what, field in (("handle", "handle_cents"), ("win", "won"), ("lose", "lost"), ("push", "pushed")):
        counted = {each.bet: getattr(each, field) for each in found.bets if getattr(each, field)}
        assert counted == metered(table, "bet:", what)
    assert row.paid_cents == sum(metered(table, "seat:", "paid").values())
    assert row.under_a_cent == table.under_a_cent
    assert row.hold_cents == hold_cents(table.accounts)
    assert row.handle_cents == handle_cents(table.play_meters)
    assert {(meter.meter, meter.reads) for meter in found.meters} == {
        *table.cash_meters.items(),
        *table.play_meters.items(),
    }


def metered(table: Table, whose: str, what: str) -> dict[str, int]:
    return {
        key.removeprefix(whose).removesuffix(f":{what}"): amount
        for key, amount in table.play_meters.items()
        if key.startswith(whose) and key.endswith(f":{what}") and amount
    }


@pytest.mark.parametrize("seed", range(6))
@awaited
async def test_the_reports_of_two_periods_add_up_to_the_report_of_both(seed: int) -> None:
    """The first ends just before a roll is taken back, so that the second takes back what the first counted."""
    store = MemoryStore()
    await at_table(store, 1, busy(seed, steps=3_000), (*TABLES[seed], "mode=dealer_assisted"))
    cut = await voided_at(store) - 1
    parts = [Scope(table=1, last_seq=cut), Scope(table=1, first_seq=cut + 1), Scope(table=1)]
    early, late, both = [sums(await of(store, scope)) for scope in parts]
    early.update(late)
    assert {key: count for key, count in early.items() if count} == {key: n for key, n in both.items() if n}


async def voided_at(store: Store) -> int:
    """The record that first took a roll back."""
    async for record in store.records(1):
        if any(isinstance(event, m.RollVoided) for event in events_of(record)):
            return record.seq
    raise AssertionError("no roll was taken back")


def sums(found: JournalReport) -> Counter[tuple[object, ...]]:
    counted = Counter[tuple[object, ...]]()
    for name in Money.__struct_fields__:
        if name not in ("table", "hold"):
            counted["money", name] = getattr(found.money[0], name)
    for each in found.bets:
        for name in ("handle_cents", "won", "lost", "pushed", "staked_cents", "paid_cents", "hold_cents"):
            counted[each.fingerprint, each.bet, name] = getattr(each, name)
    counted.update({(d.mode, d.first, d.second): d.rolled for d in found.dice})
    counted.update({("meter", meter.meter): meter.change for meter in found.meters})
    counted.update({("account", row.account): row.change_cents for row in found.ledger})
    counted["records",] = sum(stream.records for stream in found.streams)
    return counted


# --- Games and their mathematics ---


TWO_GAMES = """
game craps
set seats 1
seat 1 inserts 100.00
seat 1 bets field 5.00
roll 1-1
seat 1 bets field 5.00
roll 6-6
change field EL602
seat 1 bets field 5.00
roll 6-6
"""


@awaited
async def test_a_change_of_setting_starts_another_game_with_its_own_returns() -> None:
    """The field loses 1/18 of a stake where 2 and 12 pay double, 1/36 where 12 pays triple (RULES 4)."""
    store = MemoryStore()
    boxman = await written(store, TWO_GAMES)
    found = await of(store)
    double, triple = found.bets
    assert (double.fingerprint, triple.fingerprint) == (load_fingerprint(TWO_GAMES), boxman.table.fingerprint)
    assert (double.won, double.paid_cents, double.exact) == (2, 2_000, 1 - Fraction(1, 18))
    assert (triple.won, triple.paid_cents, triple.exact) == (1, 1_500, 1 - Fraction(1, 36))
    assert [(game.rolls, game.handle_cents, game.tables) for game in found.games] == [
        (2, 1_000, "1"),
        (1, 500, "1"),
    ]
    [changed] = found.settings
    assert (changed.key, changed.before, changed.after, changed.by) == ("field", "double", "EL602", "supervisor")
    assert changed.fingerprint == boxman.table.fingerprint


def load_fingerprint(text: str) -> str:
    return script.play(text).start.fingerprint


@awaited
async def test_tables_that_play_the_same_game_are_added_up() -> None:
    store = MemoryStore()
    for stream in (1, 2):
        await written(store, TWO_GAMES, stream)
    found = await of(store)
    assert [game.tables for game in found.games] == ["1, 2", "1, 2"]
    assert [each.won for each in found.bets] == [4, 2]
    assert [row.table for row in found.money] == [1, 2, None]
    assert found.money[2].handle_cents == 2 * found.money[0].handle_cents
    assert [row.won for row in (await of(store, Scope(table=2))).bets] == [2, 1]


def field_tally(won: int, lost: int, stake_cents: int = 500, seats: int = 1) -> BetCounts:
    """Field bets one roll after the other, of as many seats at once, all wins at even money."""
    staked = seats * stake_cents * (won + lost)
    return BetCounts(
        outcomes=Counter({Decided.WIN: seats * won, Decided.LOSE: seats * lost}),
        staked=staked,
        squares=(won + lost) * (seats * stake_cents) ** 2,
        taken=seats * stake_cents * lost,
        paid=seats * stake_cents * won,
        exact=Fraction(seats * stake_cents * won),
    )


def judged(counted: BetCounts) -> BetRow:
    craps = laid("craps")
    return reports._bet((craps.game.fingerprint(), craps.game, craps), "field", counted)


def test_the_band_is_that_of_an_independent_calculation() -> None:
    """From the 36 rolls: 2 and 12 pay double, 3, 4, 9, 10 and 11 even money."""
    nets = {2: 2, 3: 1, 4: 1, 9: 1, 10: 1, 11: 1, 12: 2}
    results = [nets.get(first + second, -1) for first in range(1, 7) for second in range(1, 7)]
    with localcontext(prec=40):
        mean = Decimal(sum(results)) / 36
        variance = Decimal(sum(net * net for net in results)) / 36 - mean**2
        band = Decimal(NormalDist().inv_cdf(0.995)) * (variance / 250).sqrt()
    found = judged(field_tally(110, 140))
    assert found.band is not None
    assert found.exact is not None
    assert float(found.exact) == pytest.approx(float(1 + mean))
    assert float(found.band) == pytest.approx(float(band), rel=1e-8)
    assert found.results == 250


def test_wagers_that_one_roll_decides_count_as_one_result() -> None:
    alone, crowded = judged(field_tally(110, 140)), judged(field_tally(110, 140, seats=10))
    assert (crowded.won, crowded.results, crowded.band) == (1_100, alone.results, alone.band)


def test_a_stake_that_outweighs_the_others_counts_for_fewer_results() -> None:
    """One of $100 beside a hundred of $1 varies as about four of equal stake: 200² / (100² + 100)."""
    counted = field_tally(50, 50, stake_cents=100)
    counted.staked += 10_000
    counted.squares += 10_000**2
    assert judged(counted).results == Fraction(200**2, 100**2 + 100)


@pytest.mark.parametrize(
    ("won", "lost", "verdict"),
    [
        (110, 140, "inside"),
        (250, 0, "outside"),
        (0, 250, "outside"),
        (9, 13, "too few"),  # 16 of 36 rolls win: 9.8 wins were to be expected
        (0, 0, "too few"),
    ],
)
def test_a_return_is_inside_its_band_or_outside_or_from_too_few_results(won: int, lost: int, verdict: str) -> None:
    assert judged(field_tally(won, lost)).verdict == verdict


def test_the_edge_of_the_band_is_where_the_verdict_changes() -> None:
    verdicts = {}
    for won in range(251):
        found = judged(field_tally(won, 250 - won))
        assert found.compared is not None
        assert found.exact is not None
        assert found.band is not None
        verdicts[abs(found.compared - found.exact) <= found.band] = found.verdict
        assert (found.verdict == "inside") == (abs(found.compared - found.exact) <= found.band)
    assert set(verdicts) == {True, False}


@awaited
async def test_what_is_compared_leaves_rounding_out() -> None:
    """$5 on the six pays $5.83 and a third of a cent; $5 laid against it $4.16 and two thirds, less 20.83 cents."""
    text = """
    game craps
    set seats 1
    set lay.when on_win
    seat 1 inserts 100.00
    seat 1 bets pass 5.00
    roll 2-2
    seat 1 bets place.6 5.00
    roll 4-2
    seat 1 bets lay.6 5.00
    roll 5-2
    """
    store = MemoryStore()
    await written(store, text)
    found = await of(store)
    six, lay = bet(found, "place.6"), bet(found, "lay.6")
    assert (six.returned, six.compared) == (Fraction(1_083, 500), 1 + Fraction(7, 6))
    assert (lay.returned, lay.compared) == (Fraction(895, 500), 1 + Fraction(5, 6) * Fraction(19, 20))
    [row] = found.money
    assert (row.commission_cents, row.breakage_cents) == (20, 1)
    assert row.under_a_cent == Fraction(1, 3) + Fraction(2, 3)


@awaited
async def test_a_game_with_pay_tables_of_another_program_is_counted_and_not_judged() -> None:
    """Its fingerprint is not the one that this program would give the same settings."""
    store = MemoryStore()
    craps = load("craps")
    assert reports._layout(craps, craps.fingerprint()) is not None
    assert reports._layout(craps, "0" * 64) is None
    played = script.play(EVENING)
    opened = m.TableOpened(game=played.start.game, fingerprint="0" * 64)
    head = EMPTY
    async with store.own(1, "older program") as lease:
        for events in ((opened,), *(step.events for step in played.steps if step.events)):
            written_then = entry(head, events, stream=1, at_ms=STARTS_MS, actor="house")
            head = await store.append(Batch(1, lease.epoch, head, (written_then,)))
    found = await of(store)
    assert found.money[0].hold_cents == -1_700
    assert [(row.bet, row.won, row.lost, row.hold_cents) for row in found.bets][:2] == [
        ("buy.4", 0, 1, 2_000),
        ("dont_pass", 0, 1, 500),
    ]
    assert {(row.exact, row.compared, row.band, row.verdict) for row in found.bets} == {
        (None, None, None, "not known")
    }
    assert [(game.fingerprint, game.expected_hold_cents) for game in found.games] == [("0" * 64, None)]


@awaited
async def test_a_jackpot_is_compared_at_its_reset_value() -> None:
    """Make 'Em All pays $31,416.00 and resets to $25,000.00: 25,000 for the dollar that won."""
    [path] = [path for path in SCRIPTS if path.stem == "progressives"]
    store = MemoryStore()
    await written(store, path.read_text("utf-8"))
    made = bet(await of(store), "make_em_all")
    others = made.paid_cents
    assert made.jackpots_cents == 2 * 3_141_600
    assert made.compared == Fraction(2 * 2_500_000 + others, made.staked_cents)


def test_the_limits_at_99_percent_are_those_of_the_distributions() -> None:
    """Chi-square as printed in the NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4."""
    assert float(reports.Z_99) == pytest.approx(NormalDist().inv_cdf(0.995), abs=1e-12)
    assert {degrees: round(limit, 3) for degrees, limit in reports.CHI_SQUARE_99.items()} == {
        10: Fraction("23.209"),
        35: Fraction("57.342"),
    }


def test_chi_square_is_the_sum_of_squares_by_expectation() -> None:
    counted = tally.Tally()
    for number, (first, second) in enumerate((a, b) for a in range(1, 7) for b in range(1, 7)):
        counted.dice["automated", (first, second)] = 10 + number % 5
    rolls, totals = reports._fairness(counted)
    observed = list(counted.dice.values())
    expected = Fraction(sum(observed), 36)
    assert rolls.chi_square == sum((each - expected) ** 2 / expected for each in observed)
    by_total = Counter[int]()
    for (_, dice), count in counted.dice.items():
        by_total[sum(dice)] += count
    due = {total: expected * (6 - abs(7 - total)) for total in range(2, 13)}
    assert totals.chi_square == sum((by_total[total] - due[total]) ** 2 / due[total] for total in due)
    assert (rolls.verdict, totals.verdict) == ("inside", "inside")


def test_loaded_dice_are_outside_and_a_few_rolls_are_not_judged() -> None:
    counted = tally.Tally()
    counted.dice["automated", (6, 6)] = 179
    assert {row.verdict for row in reports._fairness(counted)} == {"too few"}
    counted.dice["automated", (6, 6)] = 180
    assert {row.verdict for row in reports._fairness(counted)} == {"outside"}


# --- Tickets and meters ---


@awaited
async def test_tickets_are_followed_from_table_to_table_and_cage() -> None:
    store = MemoryStore()
    prints = "game craps\nset seats 3\n" + "".join(
        f"seat {seat} inserts {seat}0.00\nseat {seat} cashes out\n" for seat in (1, 2, 3)
    )
    await written(store, prints, 2)
    async with store.own(1, "other") as lease:
        boxman = await Boxman.sit(store, lease, load("craps"), STARTS_MS)
        redeemed = m.TicketRedeemed(seat=1, number=f"{1:018}", cents=1_000)
        await boxman.write([NewRecord((redeemed,), STARTS_MS + 90_000, "house")], boxman.table)
    cage = await Office.open(store)
    voided = e.TicketVoided(number=f"{2:018}", cents=2_000, reason="lost", approver="badge-3")
    await cage.act(lambda _: (voided,), at_ms=STARTS_MS + 100_000, actor="badge-2")
    found = await of(store)
    assert tickets(found, "issued") == (3, 6_000)
    assert tickets(found, "redeemed at tables") == (1, 1_000)
    assert tickets(found, "voided") == (1, 2_000)
    assert tickets(found, "outstanding") == (1, 3_000)
    alone = await of(store, Scope(table=2))
    assert tickets(alone, "outstanding") == (1, 3_000), "redeemed at another table, voided at the cage"
    then = await of(store, Scope(table=2, until_ms=STARTS_MS + 95_000))
    assert tickets(then, "outstanding") == (2, 5_000), "not yet voided"
    then = await of(store, Scope(until_ms=STARTS_MS + 95_000))
    assert tickets(then, "outstanding") == (2, 5_000), "of the whole floor too"
    assert tickets(await of(store, Scope(until_ms=STARTS_MS + 1)), "outstanding") == (0, 0), "none was issued yet"


@awaited
async def test_a_ticket_that_waits_for_its_printer_is_not_outstanding_and_its_end_is_counted() -> None:
    store = MemoryStore()
    async with store.own(1, "pit") as lease:
        pit = BookedTable(store, lease)
        await pit.write((m.TableOpened(game=pit.table.game, fingerprint=pit.table.fingerprint),))
        await pit.prints(5)
        for seat, ends in ((2, s.SlipFailed), (3, s.SlipUnknown), (4, None)):
            await pit.step(bill_stacked(seat, seat * 1_000))
            number = pit.numbers.next(pit.table)
            await pit.step(m.CashOut(seat=seat))
            if ends:
                signal = ends(job=number, why="jam")
                await pit.step(m.Reported(seat=seat, kind="printer", signal=signal))
    assert (await verify(store)).faults == []
    found = await of(store)
    assert tickets(found, "issued") == tickets(found, "outstanding") == (1, 500)
    assert tickets(found, "not printed") == (1, 2_000)
    assert tickets(found, "cancelled, due by hand") == (1, 3_000)
    [accounts] = [{row.account: row.balance_cents for row in found.ledger}]
    assert (accounts["tickets"], accounts["seats:printing"], accounts["handpay"]) == (500, 4_000, 3_000)


@awaited
async def test_the_report_compares_each_drop_with_the_journal() -> None:
    store = MemoryStore()
    async with store.own(1, "pit") as lease:
        pit = BookedTable(store, lease)
        await pit.write((m.TableOpened(game=pit.table.game, fingerprint=pit.table.fingerprint),))
        for counted in ({500: 2, 2_000: 1}, {500: 1}):
            for cents in (500, 500, 2_000):
                await pit.step(bill_stacked(1, cents))
            taken = s.StackerRemoved(bills=counted, tickets=1)
            await pit.step(m.Reported(seat=1, kind="acceptor", signal=taken))
            await pit.step(m.Reported(seat=1, kind="acceptor", signal=s.StackerReturned()))
    rows = [(row.seat, row.paper, row.counted, row.booked, row.difference) for row in (await of(store)).drops]
    assert rows == [
        (1, "$5.00", 2, 2, 0),
        (1, "$20.00", 1, 1, 0),
        (1, "tickets", 1, 0, 1),
        (1, "$5.00", 1, 2, -1),
        (1, "$20.00", 0, 1, -1),
        (1, "tickets", 1, 0, 1),
    ]


@awaited
async def test_a_ticket_expires_when_it_says() -> None:
    store = MemoryStore()
    await written(store, "game craps\nset seats 1\ntick 1\nseat 1 inserts 10.00\nseat 1 cashes out\n")
    record = await store.record(1, 3)
    assert record is not None
    printed = [event for event in events_of(record) if isinstance(event, m.TicketPrinted)]
    expires_ms = printed[0].expires_at_ms
    assert expires_ms > 0
    assert tickets(await of(store, now_ms=expires_ms - 1), "of these expired") == (0, 0)
    assert tickets(await of(store, now_ms=expires_ms), "of these expired") == (1, 1_000)


FIRED, MADE = "fired_up/100/FUP-03", "make_em_all/100/MEA-01"


@awaited
async def test_jackpots_say_when_where_and_how_much_and_meters_what_they_read() -> None:
    """Two seats feed 5 cents each to both meters. Fired Up, from $27,000.01 on, they split, and the odd cent stays;
    Make 'Em All, from $31,415.90 on, each wins in full."""
    [path] = [path for path in SCRIPTS if path.stem == "progressives"]
    store = MemoryStore()
    lines = path.read_text("utf-8").splitlines()
    boxman = await written(store, "\n".join(lines))
    found = await of(store)
    assert [(hit.table, hit.seat, hit.meter, hit.hit, hit.paid_cents) for hit in found.jackpots] == [
        (1, 1, FIRED, 1, 1_350_005),
        (1, 2, FIRED, 1, 1_350_005),
        (1, 1, MADE, 1, 3_141_600),
        (1, 2, MADE, 1, 3_141_600),
    ]
    assert {lines[(hit.at_ms - STARTS_MS) // 1_000 - 1] for hit in found.jackpots} == {"roll 1-1", "roll 6-6"}
    [fired, made] = found.progressives
    assert (fired.meter, made.meter) == (FIRED, MADE)
    for meter in (fired, made):
        assert meter.reading_cents == sum((await store.shared(f"progressive:{meter.meter}")).values())
        assert meter.reserve_cents == sum((await store.shared(f"progressive:{meter.meter}:reserve")).values())
        assert meter.paid_cents == sum(hit.paid_cents for hit in found.jackpots if hit.meter == meter.meter)
    wagers = bet(found, "make_em_all").handle_cents
    side = boxman.table.game.make_em_all
    assert made.contributions_cents == wagers * side.increment_bp // 10_000
    assert bet(found, "make_em_all").jackpots_cents == made.paid_cents
    assert (await of(store, Scope(table=1))).progressives[0].reading_cents is None


# --- Staff and logs ---


@awaited
async def test_sign_ins_failures_lockouts_and_changes_of_role_are_told() -> None:
    store = MemoryStore()
    await staffed(store)
    found = await of(store)
    [member] = found.staff
    assert (member.badge, member.sign_ins, member.failures, member.lockouts) == (DEALER, 1, 3, 1)
    said = [(line.actor, line.what, line.detail) for line in found.staff_log]
    assert (ADMINISTRATOR, "role changed", f"badge {DEALER}, before dealer, after pit_boss") in said
    assert (DEALER, "sign in failed", f"badge {DEALER}, terminal terminal-1, why wrong_password") in said
    assert (DEALER, "account locked", f"badge {DEALER}") in said
    [changed] = found.settings
    assert (changed.stream, changed.key, changed.after, changed.by) == (0, "name", "The Hard Eight", ADMINISTRATOR)
    assert ("terminal enrolled", "terminal terminal-1, place table 1 seat 2") in [
        (line.what, line.detail) for line in found.significant
    ]


@awaited
async def test_nothing_secret_is_in_a_report() -> None:
    store = MemoryStore()
    await staffed(store)
    text = json.dumps((await of(store)).plain())
    for secret in (*SECRETS, *e.SECRET_FIELDS):
        assert secret not in text


ROUTINE = {
    e.CheckpointNoted,
    *(m.CashInserted, m.TicketRedeemed, m.TicketPrinted, m.Tipped, m.BetPlaced, m.BetTaken, m.BetsSwitched),
    *(m.FavouriteSaved, m.FavouritePlaced, m.FavouriteRemoved),
    *(m.ButtonPressed, m.BetPressedByWin, m.BetMoved, m.BetsRepeated, m.Undone, m.BetsReturned, m.PopUpOpened),
    *(m.PopUpClosed, m.SwitchSet, m.RollPressed, m.SeatReserved),
    *(
        m.SeatReturned,
        m.SeatNamed,
        m.ServiceCalled,
        m.ServiceAnswered,
        m.BetsOpened,
        m.BetTimeSet,
        m.BetsClosed,
        m.ShooterChosen,
        m.ShooterNamed,
        m.StayEnded,
        m.SeatHandedOver,
        m.DenominationChosen,
        m.DiceEntered,
        m.DiceThrown,
        m.DiceRolled,
    ),
    *(m.Settled, e.TicketPaid, e.PasswordRehashed),
    *(m.SignalHeard, m.BillHeld, m.TicketHeld, m.TicketReleased, m.PaperRefused, m.PaperReturned),
    *(m.TicketReserved, m.PrintBegan, m.PaperDone),
}
SECTIONS_OF_THEIR_OWN = {m.SettingChanged, e.FloorSettingChanged}


def test_every_kind_of_event_is_logged_or_known_to_be_routine() -> None:
    """A new kind of event must be judged: is it significant?"""
    assert set(_leaves(Event)) == {*LOGS, *ROUTINE, *SECTIONS_OF_THEIR_OWN}
    assert not ROUTINE & set(LOGS)


@awaited
async def test_a_log_keeps_its_newest_lines_and_says_how_many_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    await staffed(store)
    every = (await of(store)).staff_log
    monkeypatch.setattr(tally, "LOG_MAX", 4)
    monkeypatch.setattr(reports, "LOG_MAX", 4)
    found = await of(store)
    assert found.staff_log == every[-4:]
    assert found.left_out["staff"] == len(every) - 4


def test_a_curve_stays_small_and_ends_where_it_should(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "CURVE_MAX", 16)
    curve = tally._Curve()
    for moment in range(1_000):
        curve.add(moment, moment * 7)
        assert len(curve.points()) <= 17
        assert curve.points()[0] == (0, 0)
        assert curve.points()[-1] == (moment, moment * 7)
        assert all(cents == at_ms * 7 for at_ms, cents in curve.points())


@awaited
async def test_the_curve_of_a_table_ends_at_its_hold() -> None:
    store = MemoryStore()
    await written(store, EVENING)
    found = await of(store)
    assert [point.hold_cents for point in found.win_over_time] == [500, -800, -4_200, -4_200, -1_700]
    assert found.win_over_time[-1].hold_cents == found.money[0].hold_cents


# --- What is asked ---


@awaited
async def test_a_period_begins_and_ends_at_its_times() -> None:
    """Records a second apart: the first roll is written with the ninth line of the script, the last but one."""
    store = MemoryStore()
    await written(store, EVENING)
    rolls = {}
    for seconds in range(25):
        at_ms = STARTS_MS + seconds * 1_000
        before, after = await of(store, Scope(until_ms=at_ms)), await of(store, Scope(since_ms=at_ms))
        assert sum(row.rolls for row in before.money) + after.money[0].rolls == 5
        rolls[seconds] = after.money[0].rolls
    assert [seconds for seconds in rolls if rolls[seconds] > rolls.get(seconds + 1, 0)] == [10, 15, 16, 18, 19]


@awaited
async def test_a_table_without_records_is_named_with_those_that_have_some() -> None:
    store = MemoryStore()
    await written(store, EVENING)
    with pytest.raises(NoSuchTable, match=r"found table 7; allowed: 1$"):
        await of(store, Scope(table=7))


@awaited
async def test_an_empty_journal_has_an_empty_report() -> None:
    found = await of(MemoryStore())
    assert found.money == []
    assert found.streams == []


@awaited
async def test_a_period_without_records_counts_nothing() -> None:
    store = MemoryStore()
    await written(store, EVENING)
    found = await of(store, Scope(since_ms=STARTS_MS + DAY_MS))
    [row] = found.money
    assert (row.rolls, row.handle_cents, row.hold) == (0, 0, None)
    assert {meter.change for meter in found.meters} == {0}
    assert max(meter.reads for meter in found.meters) == 16_800


@awaited
async def test_no_figures_are_made_of_a_broken_journal() -> None:
    store = MemoryStore()
    boxman = await written(store, EVENING)
    entries = store._streams[1].entries
    record = entries[5].record
    entries[5] = entries[5]._replace(record=record._replace(body=record.body.replace(b"1", b"2", 1)))
    with pytest.raises(BadRecord, match="record 6 of stream 1"):
        await of(store)
    entries[5] = entries[5]._replace(record=record)
    last = entries.pop()
    with pytest.raises(BadRecord, match="stream 1 should end at record 18, not 17"):
        await of(store)
    entries.append(last)
    forged = entry(
        boxman.page.head, [m.Undone(seat=1, felt=boxman.table.seat(1).felt)], stream=1, at_ms=9, actor="x"
    )
    async with store.own(1, "forger") as lease:
        await store.append(Batch(1, lease.epoch, boxman.page.head, (forged,)))
    with pytest.raises(BadRecord, match="cannot be applied"):
        await of(store)


@awaited
async def test_a_report_holds_no_float() -> None:
    store = MemoryStore()
    await staffed(store)
    await written(store, EVENING)

    def check(value: object) -> None:
        assert not isinstance(value, float)
        for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            check(each)

    check((await of(store)).plain())
