"""The whole vocabulary of the wire in one seat's hands: its credit rises only by a wager settled or returned, and
falls only by a bet, a fee, a tip or a cash-out.

What the token says is made from the schema, right or wrong, and goes the way it would go on a real floor: read by
`wire`, let in by `denies`, decided, evolved. In between the table lives on as tables do, with other seats, staff,
time and dice. A short run through the real program says the same, by its journal.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec import inspect
from msgspec.structs import replace
from websockets.exceptions import InvalidStatus

from stickman import wire
from stickman.devices import signals as s
from stickman.floor.events import Place
from stickman.floor.office import Floor
from stickman.server.app import OPEN
from stickman.server.auth import Caller, denies
from stickman.server.desk import DESK
from stickman.table import messages as m
from stickman.table.asking import layout_of
from stickman.table.decide import DECIDERS, decide_given
from stickman.table.evolve import evolve_all
from stickman.table.ledger import Transfer, credit, felt, printing
from stickman.table.messages import Event, Refused, Reported, Request
from stickman.table.state import Table, new_table
from tests.attacks import kit
from tests.attacks.kit import Target
from tests.floor.evening import awaited
from tests.server.process import seat
from tests.server.test_device_line import SAMPLES
from tests.table.test_properties import Player, drawn_game
from tests.talk.devices import bill_stacked
from tests.talk.games import FIVE_GAMES
from tests.talk.server import Device, device, enrolled, fund, http, line, screen
from tests.talk.table import check_books

STEPS, WALKS = 250, 8
ME = 1
TOKEN = Caller(Place("seat", 1, ME))
NO_STAFF = Floor()
OUTSIDE = {"cash", "tickets", "tips", "handpay"}
"""Accounts from which no page of a player brings money in."""
WAYS_OUT = {printing(ME), "handpay"}
"""A ticket takes credit to the printer; only the printer takes it further."""
ROUND = (m.BetsClosed, m.BetsOpened, m.DiceRolled)
"""The round goes on: whoever lets it, all seats are concerned."""

# --- What a token may say, from the schema ---

NUMBERS = [1, 1, 1, 1, 2, 3, 0, -1, 25, 100, 500, 500, 600, 1_000, 1_000, 5_000, 12_345, 300_000, 10**11, 10**20]
TEXTS = ["", "4711", "4712", "123456789012345678", "1234-5678", "Seven", "<b>", "seats", "true", "x" * 300, "\x00"]


def value(rng: random.Random, kind: inspect.Type, texts: list[str]) -> Any:
    """Something that the schema takes for a field, whether it means anything or not."""
    match kind:
        case inspect.IntType():
            return rng.choice(NUMBERS)
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.StrType(pattern=pattern):
            fitting = [text for text in ("", "8642", "1" * 18) if re.search(pattern or "", text)]
            return rng.choice(fitting if pattern and rng.random() < 0.8 else texts)
        case inspect.LiteralType(values=values):
            return rng.choice(values)
        case inspect.UnionType(types=several):
            return value(rng, rng.choice(several), texts)
        case inspect.TupleType(item_types=several):
            return [value(rng, each, texts) for each in several]
        case inspect.VarTupleType(item_type=each) | inspect.ListType(item_type=each):
            return [value(rng, each, texts) for _ in range(rng.randint(0, 3))]
        case inspect.Metadata(type=inner):
            return value(rng, inner, texts)
        case inspect.NoneType():
            return None
    raise NotImplementedError(kind)  # a request has a field of a new kind: say above what to put there


def said(rng: random.Random, kind: type[Request], texts: list[str]) -> dict[str, Any]:
    """An `ask` of that kind; one in ten is broken in some way."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    request: dict[str, Any] = {"do": info.tag} | {
        each.encode_name: value(rng, each.type, texts) for each in info.fields
    }
    if "seat" in request and rng.random() < 0.9:
        request["seat"] = ME
    if rng.random() < 0.1:
        wrong: list[Any] = [None, "x", [], 1.5, {}]
        name = rng.choice([*request, "facts", "dice", "actor"])
        request[name] = rng.choice(wrong)
    return {"type": "ask", "id": "mine", "request": request, "approver": rng.choice(["", "badge-2"])}


def heard(message: dict[str, Any]) -> Request | None:
    """What the server makes of it; nothing where it cannot be read."""
    try:
        ask = wire.DECODER.decode(msgspec.json.encode(message))
    except msgspec.DecodeError:
        return None
    assert isinstance(ask, wire.Ask)
    assert isinstance(ask.request, Request)
    return ask.request


# --- What must hold ---


def unfair(events: Iterable[Event]) -> Iterator[str]:
    """What a seat's own request may not do, by the money that its events move."""
    events = list(events)
    goes_on = any(isinstance(event, ROUND) for event in events)
    for event in events:
        for transfer in event.transfers:
            if problem := _unfair(transfer, settles=isinstance(event, m.Settled), goes_on=goes_on):
                yield f"{problem}: {transfer} by {type(event).__name__}"


def _unfair(transfer: Transfer, *, settles: bool, goes_on: bool) -> str:
    mine = {credit(ME), felt(ME), printing(ME)}
    ends = {transfer.source, transfer.target}
    others = {end for end in ends - mine if end.startswith("seat:")}
    if transfer.source in OUTSIDE or transfer.source.startswith("drawer:"):
        return "money comes in from outside"
    if others and ends & mine:
        return "money goes from seat to seat"
    if others and not goes_on:
        return "another seat's account changes though the round does not go on"
    won = settles and (transfer.source == "house" or transfer.source.startswith("progressive:"))
    if transfer.target == credit(ME) and transfer.source not in {felt(ME), "commission"} and not won:
        return "credit rises by something else than a wager"
    if transfer.source == credit(ME) and transfer.target not in {felt(ME), "commission", *WAYS_OUT}:
        return "credit falls by something else than a bet, a fee, a tip or a cash-out"
    return ""


def worth(table: Table) -> int:
    """Credit, what lies, and upfront fees that may still come back."""
    own = table.seat(ME).felt
    return table.credit(ME) + own.money_cents + own.fees_cents


def left(events: Iterable[Event]) -> int:
    """What went out with tips and cash-outs."""
    moved = [transfer for event in events for transfer in event.transfers]
    return sum(each.cents for each in moved if each.source == credit(ME) and each.target in WAYS_OUT)


TICKET = m.TicketIn("1" * 18, 5_000)
"""A valid ticket, if only somebody could say it."""


# --- Walks ---


class Walk:
    """A table, the rest of the world at it, and one token that says anything."""

    def __init__(self, name: str, seed: int) -> None:
        self.rng = random.Random(seed)  # noqa: S311 - chance for tests
        game = drawn_game(name, self.rng)
        self.table = new_table(game)
        self.world = Player(self.rng, layout_of(self.table))
        self.texts = [*TEXTS, *layout_of(self.table).bet_on]
        self.done: Counter[type[Request]] = Counter()
        self.refused: Counter[type[Request]] = Counter()
        self.unread = 0
        for number in range(1, len(self.table.seats) + 1):
            self._happens(bill_stacked(number, 100_000), m.Facts())

    def step(self) -> None:
        if self.rng.random() < 0.5:
            self.attack()
        else:
            self._happens(*self.world.step(self.table))

    def attack(self) -> None:
        rng = self.rng
        if self.table.phase == "betting" and rng.random() < 0.4:
            request: Request | Reported | None = self.world._bets(self.table, ME)
        else:
            request = heard(said(rng, rng.choice([*DECIDERS]), self.texts))
        if isinstance(request, Reported):  # the player puts a bill into the acceptor
            self._happens(request, self.world.facts())
            return
        if request is None:
            self.unread += 1
            return
        if denies(NO_STAFF, TOKEN, request):
            self.refused[type(request)] += 1
            return
        facts = replace(self.world.facts(), actor=f"seat {ME}", approver="", ticket=TICKET)
        before, decision = self.table, self._happens(request, facts)
        if decision is None:
            self.refused[type(request)] += 1
            return
        self.done[type(request)] += 1
        assert list(unfair(decision)) == [], request
        if not any(isinstance(event, ROUND) for event in decision):
            assert worth(self.table) == worth(before) - left(decision), request

    def _happens(self, request: Request | Reported, facts: m.Facts) -> tuple[Event, ...] | None:
        decision = decide_given(self.table, request, facts)
        if isinstance(decision, Refused):
            return None
        self.table = evolve_all(self.table, decision)
        check_books(self.table)
        return tuple(decision)


def walked(name: str, seed: int) -> Walk:
    walk = Walk(name, seed)
    for _ in range(STEPS):
        walk.step()
    return walk


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_whatever_a_seats_token_says_its_credit_rises_only_by_wagers_and_no_other_seat_pays(name: str) -> None:
    @settings(max_examples=WALKS, phases=[Phase.explicit, Phase.reuse, Phase.generate])
    @given(st.integers(0, 2**32 - 1))
    def walks(seed: int) -> None:
        walked(name, seed)

    walks()


MUST_PLAY: set[type[Request]] = {
    m.PlaceBet,
    m.TakeBet,
    m.PressButton,
    m.Undo,
    m.SwitchAll,
    m.CashOut,
    m.Shoot,
    m.GiveTip,
}
MUST_FAIL: set[type[Request]] = {m.Tick, m.RollDice, m.EnterDice, m.ReverseRoll, m.PayByHand, m.ChangeSetting}


def test_the_walks_say_every_request_and_do_what_players_do() -> None:
    """Else they prove less than they say."""
    done, refused, unread = Counter[type[Request]](), Counter[type[Request]](), 0
    for seed in range(40):
        walk = walked(FIVE_GAMES[seed % len(FIVE_GAMES)], seed)
        done, refused, unread = done + walk.done, refused + walk.refused, unread + walk.unread
        if done.keys() | refused.keys() == DECIDERS.keys() and done.keys() >= MUST_PLAY and seed >= 10:
            break
    assert done.keys() | refused.keys() == DECIDERS.keys()
    assert done.keys() >= MUST_PLAY
    assert not done.keys() & MUST_FAIL
    assert unread > 100


# --- Facts ---

WAYS: list[Callable[[dict[str, Any]], dict[str, Any]]] = [
    lambda signal: {"type": "ask", "id": "mine", "request": {"do": signal["signal"], "seat": ME, **signal}},
    lambda signal: {"type": "ask", "id": "mine", "request": signal},
    lambda signal: {"type": "report", "boot": "0" * 16, "seq": 1, "at_ms": 1, "signal": signal},
    lambda signal: {"type": "ask", "id": "mine", "request": {"do": "reported", "seat": ME, "signal": signal}},
]
"""How a page might say what only a device knows (ruling 55)."""


@pytest.mark.parametrize("signal", SAMPLES, ids=lambda signal: type(signal).__name__)
def test_a_page_has_no_word_for_what_only_a_device_knows(signal: s.AnySignal) -> None:
    plain = msgspec.to_builtins(signal)
    for said_as in WAYS:
        assert heard(said_as(plain)) is None
    tags = {str(kind.__struct_config__.tag) for kind in DECIDERS}
    assert not tags & {"insert_cash", "insert_ticket", "turn_key", "open_door", "close_door", "report_fault"}
    assert plain["signal"] not in tags


# --- The real program ---


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Target]:
    with kit.target(tmp_path / "floor") as target:
        yield target


@awaited
async def test_over_the_wire_a_seats_token_moves_money_as_a_player_may_and_the_journal_says_so(
    real: Target,
) -> None:
    rng = random.Random(13)  # noqa: S311 - chance for tests
    for number in (1, 2):
        await fund(real.url, 1, number, 500)
    before = await kit.head(real.database, 1)
    spots = ["pass", "field", "place.6", "come", "hop.1-3", "no.such", "1" * 18, ""]
    kinds = [kind for kind in [*DECIDERS] * 2 if kind is not m.ReserveSeat]  # which ends what a seat can do
    rng.shuffle(kinds)
    async with AsyncExitStack() as devices, screen(real.url, seat(1, ME)) as token:
        for kind in s.DEVICE_KINDS:
            await devices.enter_async_context(device(real.url, kind, 1, ME))
        for spot in ("pass", "field"):
            await token.bets(spot, 5)
        kinds.append(m.ReserveSeat)
        for number, asked in enumerate(kinds):
            message = said(rng, asked, spots) | {"id": f"mine-{number}"}
            if heard(message) is not None:  # what cannot be read ends the line
                await token.say(message)
                assert (await token.told())["type"] in ("done", "refused"), message
        assert (await token.ask(m.PlaceBet(seat=2, spot="field", cents=500)))["type"] == "refused"
    mine = [
        each for each in await kit.records(real.database, 1) if each[0].seq > before and each[0].actor != "house"
    ]
    assert len(mine) > 2
    assert {record.actor for record, _ in mine} == {f"seat {ME}"}
    assert [problem for _, events in mine for problem in unfair(events)] == []
    assert await kit.faults(real.database) == []
    assert kit.loud(real.server.log()) == []


# --- A device's token ---

SAID_BY_SCREENS: list[dict[str, Any]] = [
    {"type": "join"},
    {"type": "ping"},
    {"type": "ask", "id": "mine", "request": {"do": "cash_out", "seat": ME}},
]


async def refused_by(device: Device) -> s.NotUnderstood:
    """What the server says before it closes a line."""
    while not isinstance(answer := await device.hear(), s.NotUnderstood):
        assert isinstance(answer, s.Wanted | s.Tell), answer
    return answer


@awaited
async def test_a_devices_token_opens_no_address_but_its_own_line_and_says_nothing_but_its_reports(
    real: Target,
) -> None:
    await fund(real.url, 1, ME, 100)
    devices = {kind: await enrolled(real.url, Place(kind, 1, ME)) for kind in s.DEVICE_KINDS}
    before = await kit.head(real.database, 1)
    paths = {
        "table:int": "1",
        "number:int": "1",
        "seq:int": "1",
        "number": "1" * 18,
        "language": "en",
        "name": "seven",
    }
    for kind, token in devices.items():
        for endpoint in {**OPEN, **DESK}:
            method, _, path = endpoint.partition(" ")
            for name, known in {**paths, "badge": "badge-1", "terminal": "terminal-1"}.items():
                path = path.replace("{" + name + "}", known)
            answer = await http(real.url, method, path, b"{}", token=token.token)
            stranger = await http(real.url, method, path, b"{}")
            open_to_all = endpoint in OPEN and OPEN[endpoint].who.startswith("anyone")
            if open_to_all:
                assert answer.status == stranger.status, (kind, endpoint)
            else:
                assert (answer.status, stranger.status) == (403, 401), (kind, endpoint, answer)
        with pytest.raises(InvalidStatus):
            async with line(real.url, token.token):
                pass
        for message in SAID_BY_SCREENS:
            async with token.over():
                await token.socket.send(json.dumps(message))
                await refused_by(token)
        for told in (s.Heard(seq=1), s.Alive(server_ms=1), s.Tell(what="totals")):
            async with token.over():
                await token.socket.send(s.ENCODER.encode(told))
                await refused_by(token)
        for signal in [each for each in SAMPLES if not isinstance(each, s.MAY_SIGNAL[kind])]:
            async with token.over():
                await token.say(s.Report(boot=token.boot, seq=1, at_ms=1, signal=signal))
                assert "allowed for" in (await refused_by(token)).message
    mine = [each for each in await kit.records(real.database, 1) if each[0].seq > before]
    assert [record.actor for record, _ in mine if record.actor != "house"] == []
    assert kit.loud(real.server.log()) == []
