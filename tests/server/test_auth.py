"""Who may ask what: every request by every kind of caller, and sessions that end when they should."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from stickman.floor.events import Act, Place, Refusal, Role
from stickman.floor.office import Account, Floor, Office
from stickman.server import auth
from stickman.server.auth import APPROVAL_MS, IDLE_MS, WHO, Busy, Caller, Denial, StaffRoom, denies
from stickman.store.memory import MemoryStore
from stickman.table import messages as m
from stickman.table.decide import DECIDERS
from stickman.table.messages import Request
from tests.floor.evening import awaited
from tests.server.process import BADGES, PASSWORD, dealer, password_hash, prepare, seat, serving
from tests.server.talk import http, screen, sign_in
from tests.server.test_pit import StillClock

# --- Every request, every caller ---

Kinds = set[type[Request]]
BETS: Kinds = {m.PlaceBet, m.TakeBet, m.SwitchBet, m.SwitchAll, m.PressButton, m.Undo, m.AnswerPopUp}
MONEY: Kinds = {m.GiveTip, m.CashOut}
PLAY: Kinds = {m.PressByWin, m.MoveBet, m.KeepBets, m.AutoRepeat, m.ShooterPlay, m.PressRoll, m.Shoot}
TERMINAL: Kinds = {m.ReserveSeat, m.NameSeat, m.CallService}
SEAT = BETS | MONEY | PLAY | TERMINAL
BOTH: Kinds = {m.ReturnToSeat, m.PutPuckOff}
DEALT: Kinds = {m.OpenBets, m.CloseBets, m.RollDice, m.EnterDice, m.ConfirmDice, m.CallNoRoll}
DEALER: Kinds = DEALT | {m.SignIn, m.SignOut, m.NameShooter, m.ReverseRoll, m.PutPuckOff}
REPORTED: Kinds = {m.InsertTicket, m.OpenDoor, m.CloseDoor, m.ReportFault}
"""What only a device can know: the page of a seat says it on the demonstration's floor alone (ruling 55)."""
DEVICES: Kinds = {*REPORTED, m.InsertCash, m.TurnKey}
PIT_BOSS: Kinds = {m.SelectMode, m.PayByHand, m.TurnKey}
SUPERVISOR: Kinds = {m.ClearLockup, m.ChangeSetting, m.InsertCash}
DEALERS: Kinds = {m.PauseTable, m.ResumeTable, m.ReturnToSeat, m.AnswerService, m.GiveCredit} | REPORTED
ANYWHERE: Kinds = DEALERS | PIT_BOSS | SUPERVISOR
HOUSE: Kinds = {m.LoseLink, m.RestoreLink, m.Tick, m.Restart}
"""By hand, from RULES 10 to 13: who does what on a floor."""

EXAMPLES: dict[type[Request], Request] = {
    m.InsertCash: m.InsertCash(seat=1, cents=1),
    m.InsertTicket: m.InsertTicket(seat=1, number="1" * 18),
    m.GiveCredit: m.GiveCredit(seat=1, cents=1),
    m.GiveTip: m.GiveTip(seat=1, cents=1),
    m.PlaceBet: m.PlaceBet(seat=1, spot="pass", cents=1),
    m.TakeBet: m.TakeBet(seat=1, spot="pass"),
    m.SwitchBet: m.SwitchBet(seat=1, spot="pass", on=True),
    m.PressButton: m.PressButton(seat=1, button="double"),
    m.AnswerPopUp: m.AnswerPopUp(seat=1, accept=True),
    m.PressByWin: m.PressByWin(seat=1, spot="place.6"),
    m.MoveBet: m.MoveBet(seat=1, spot="place.6", to="buy.6"),
    m.ReportFault: m.ReportFault(seat=1, part="printer"),
    m.EnterDice: m.EnterDice(dice=(1, 1)),
    m.CallNoRoll: m.CallNoRoll(reason="cocked"),
    m.ReverseRoll: m.ReverseRoll(dice=(1, 1)),
    m.SelectMode: m.SelectMode(mode="automated"),
    m.NameSeat: m.NameSeat(seat=1, name="Seven"),
    m.ChangeSetting: m.ChangeSetting(key="odds.take", text="2x"),
}
FLAGS = (m.SwitchAll, m.KeepBets, m.AutoRepeat, m.ShooterPlay, m.TurnKey)
PLACES = [Place(screen, 1) for screen in ("dealer", "table", "info")] + [Place("office")]
STAFF = {badge: Account(badge, badge, role, "", must_change=False) for role, badge in BADGES.items()}
NEW = Account("badge-9", "badge-9", Role.ADMINISTRATOR, "")
GONE = Account("badge-8", "badge-8", Role.ADMINISTRATOR, "", must_change=False, removed=True)
FLOOR = Floor(staff=STAFF | {"badge-8": GONE, "badge-9": NEW})


def example(kind: type[Request]) -> Request:
    if kind in EXAMPLES:
        return EXAMPLES[kind]
    if kind in FLAGS:
        return kind(seat=1, on=True)
    return kind(seat=1) if "seat" in kind.__struct_fields__ else kind()


def lowest(kind: type[Request]) -> Role:
    return Role.SUPERVISOR if kind in SUPERVISOR else Role.PIT_BOSS if kind in PIT_BOSS else Role.DEALER


def staff_may(kind: type[Request], screen: str, role: Role) -> bool:
    at = {"dealer": DEALER | ANYWHERE, "office": ANYWHERE}
    return kind in at.get(screen, set()) and role >= lowest(kind)


def test_every_request_there_is_has_its_row() -> None:
    assert WHO.keys() == DECIDERS.keys()
    assert DECIDERS.keys() == SEAT | BOTH | DEALER | ANYWHERE | HOUSE


@pytest.mark.parametrize("kind", DECIDERS, ids=lambda kind: kind.__name__)
def test_a_seat_asks_for_itself_alone(kind: type[Request]) -> None:
    for number, badge in itertools.product((1, 2), ("", *FLOOR.staff)):
        answer = denies(FLOOR, Caller(Place("seat", 1, number), badge), example(kind))
        own = number == getattr(example(kind), "seat", None)
        assert (answer is None) == (own and kind in SEAT | BOTH), (number, badge, answer)


@pytest.mark.parametrize("kind", sorted(DEVICES, key=str), ids=lambda kind: kind.__name__)
def test_a_page_stands_in_for_devices_on_the_demonstrations_floor_alone(kind: type[Request]) -> None:
    own, other = Caller(Place("seat", 1, 1)), Caller(Place("seat", 1, 2))
    assert denies(FLOOR, own, example(kind), demo=True) is None
    assert denies(FLOOR, other, example(kind), demo=True)
    assert denies(FLOOR, own, example(kind))


@pytest.mark.parametrize("kind", DECIDERS, ids=lambda kind: kind.__name__)
def test_staff_ask_what_their_role_and_their_terminal_allow(kind: type[Request]) -> None:
    for place, (role, badge) in itertools.product(PLACES, BADGES.items()):
        answer = denies(FLOOR, Caller(place, badge), example(kind))
        assert (answer is None) == staff_may(kind, place.screen, role), (place, role, answer)


@pytest.mark.parametrize("kind", DECIDERS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("badge", ["", "badge-99", "badge-8", "badge-9", "house", "console"])
def test_nobody_asks_who_is_not_signed_in_not_known_removed_or_new(kind: type[Request], badge: str) -> None:
    for place in PLACES:
        assert denies(FLOOR, Caller(place, badge), example(kind)) is not None


@pytest.mark.parametrize("kind", sorted(HOUSE, key=str), ids=lambda kind: kind.__name__)
def test_what_the_house_does_nobody_else_does(kind: type[Request]) -> None:
    for place, badge in itertools.product([Place("seat", 1, 1), *PLACES], FLOOR.staff):
        answer = denies(FLOOR, Caller(place, badge), example(kind))
        assert answer is not None
        assert answer.why is Denial.HOUSE_ALONE


def test_only_a_reversal_takes_two_at_the_table() -> None:
    assert [kind for kind, who in WHO.items() if who.two] == [m.ReverseRoll]


def test_the_reference_names_every_request_and_every_endpoint() -> None:
    page = auth.reference()
    for name in [str(kind.__struct_config__.tag) for kind in WHO]:
        assert f"| `{name}` |" in page
    for endpoint in auth.DESK:
        assert endpoint.replace(":int", "") in page
    kept = (Path(__file__).parents[2] / "docs" / "roles.md").read_text()
    assert page in kept, "docs/roles.md is stale: run make docs"


# --- Sessions ---


async def room(clock: StillClock) -> StaffRoom:
    office = Office(MemoryStore())
    hashed = password_hash()
    kept = [Account(badge, badge, role, hashed, must_change=False) for role, badge in BADGES.items()]
    office.floor = Floor(staff={account.badge: account for account in kept})
    return StaffRoom(office, clock)


DEALS, WITNESSES = BADGES[Role.DEALER], BADGES[Role.PIT_BOSS]


@awaited
async def test_a_session_ends_after_five_idle_minutes_and_use_keeps_it() -> None:
    clock = StillClock()
    staff = await room(clock)
    token = await staff.sign_in("terminal-1", DEALS, PASSWORD)
    assert isinstance(token, str)
    for _ in range(3):
        clock.ms += IDLE_MS - 1
        assert staff.badge("terminal-1", token) == DEALS
    clock.ms += IDLE_MS - 1
    assert staff.badge("terminal-1", token, use=False) == DEALS, "looking does not keep it"
    clock.ms += 1
    assert staff.badge("terminal-1", token) == ""
    clock.ms -= IDLE_MS
    assert staff.badge("terminal-1", token) == "", "it is gone for good"


@awaited
async def test_whoever_signs_in_at_a_terminal_takes_the_place_of_the_one_before() -> None:
    staff = await room(StillClock())
    first = await staff.sign_in("terminal-1", DEALS, PASSWORD)
    second = await staff.sign_in("terminal-1", WITNESSES, PASSWORD)
    assert isinstance(first, str)
    assert isinstance(second, str)
    assert staff.badge("terminal-1", first) == ""
    assert staff.badge("terminal-1", second) == WITNESSES


@awaited
async def test_a_new_password_ends_the_sessions_elsewhere() -> None:
    staff = await room(StillClock())
    here = await staff.sign_in("terminal-1", DEALS, PASSWORD)
    there = await staff.sign_in("terminal-2", DEALS, PASSWORD)
    assert isinstance(here, str)
    assert isinstance(there, str)
    assert await staff.change_password("terminal-1", DEALS, PASSWORD, "nine grey pigeons under a bridge") is None
    assert staff.badge("terminal-1", here) == DEALS
    assert staff.badge("terminal-2", there) == ""


@awaited
async def test_no_token_is_kept_as_it_is_and_all_have_256_bits() -> None:
    staff = await room(StillClock())
    token = await staff.sign_in("terminal-1", DEALS, PASSWORD)
    assert isinstance(token, str)
    assert len(token) * 6 >= 256
    assert token not in str(vars(staff))


@awaited
async def test_only_so_many_passwords_wait_to_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    staff = await room(StillClock())
    monkeypatch.setattr(auth, "PASSWORDS_WAITING", 0)
    with pytest.raises(Busy):
        await staff.sign_in("terminal-1", DEALS, PASSWORD)


# --- Two people ---


@awaited
async def test_an_approval_is_good_for_one_command_at_one_terminal_for_a_minute() -> None:
    clock = StillClock()
    staff = await room(clock)
    assert await staff.approve("terminal-1", WITNESSES, PASSWORD) is None
    assert staff.second("terminal-2", DEALS, WITNESSES, "c-1") is not None, "another terminal"
    assert staff.second("terminal-1", DEALS, BADGES[Role.SUPERVISOR], "c-1") is not None, "somebody else"
    assert staff.second("terminal-1", WITNESSES, WITNESSES, "c-1") is not None, "one person is not two"
    assert staff.second("terminal-1", DEALS, WITNESSES, "c-1") is None
    assert staff.second("terminal-1", DEALS, WITNESSES, "c-1") is None, "the same command, asked again"
    assert staff.second("terminal-1", DEALS, WITNESSES, "c-2") is not None, "another command"
    assert await staff.approve("terminal-1", WITNESSES, PASSWORD) is None
    clock.ms += APPROVAL_MS
    assert staff.second("terminal-1", DEALS, WITNESSES, "c-3") is not None


@awaited
async def test_who_may_not_witness_gives_no_approval() -> None:
    staff = await room(StillClock())
    refused = await staff.approve("terminal-1", DEALS, PASSWORD)
    assert refused
    assert refused.why is Refusal.NOT_ALLOWED
    wrong = await staff.approve("terminal-1", WITNESSES, "wrong")
    assert wrong
    assert wrong.why is Refusal.NOT_SIGNED_IN


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    return prepare(tmp_path / "floor")


@awaited
async def test_a_roll_is_reversed_by_two_people_and_by_no_fewer(floor: Path) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, dealer(2), Role.DEALER)
        async with screen(url, seat(2, 1)) as player, screen(url, dealer(2), session) as deals:
            await player.funded(10_000)
            await player.do(m.PlaceBet(seat=1, spot="field", cents=1_000))
            await deals.do(m.CloseBets(), m.EnterDice(dice=(4, 4)), m.ConfirmDice())
            reverse = m.ReverseRoll(dice=(1, 1))
            alone = await deals.ask(reverse, approver=WITNESSES)
            assert alone["why"] == "needs_two"
            told = {"badge": WITNESSES, "password": PASSWORD}
            assert (await http(url, "POST", "/api/approve", told, token=dealer(2))).status == 200
            assert (await deals.ask(reverse, approver=WITNESSES))["type"] == "done"
            await player.until(lambda view: view["credit_cents"] == 12_000)


@awaited
async def test_requests_of_staff_need_a_session_and_those_of_seats_their_own_seat(floor: Path) -> None:
    async with serving(floor) as (_, url):
        async with screen(url, dealer(1)) as deals:
            assert (await deals.ask(m.PauseTable()))["why"] == "not_signed_in"
        async with screen(url, seat(1, 1)) as player:
            assert (await player.ask(m.InsertCash(seat=2, cents=100)))["why"] == "wrong_place"
            assert (await player.ask(m.Tick()))["why"] == "house_alone"
            assert (await player.ask(m.ChangeSetting(key="seats", text="5")))["why"] == "wrong_place"


def test_acts_that_take_the_table_are_asked_at_the_table() -> None:
    """Whoever deals stands there: nobody enters dice from the office."""
    at_table = {Act.DEAL, Act.NAME_SHOOTER, Act.REVERSE_ROLL}
    assert {who.act for who in WHO.values() if who.act and who.where == "dealer"} == at_table
