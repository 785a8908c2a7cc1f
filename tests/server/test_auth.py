"""Who may ask what: every request by every kind of caller, and sessions that end when they should."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest
from msgspec.structs import replace

from stickman.floor import staff
from stickman.floor.events import Act, AttemptsRefused, Place, Refusal, Refused, Role, SignInFailed
from stickman.floor.journal import events_of
from stickman.floor.office import Account, Floor, Office
from stickman.rules.spoken import Detail
from stickman.server import auth, desk
from stickman.server.auth import (
    APPROVAL_MS,
    IDLE_MS,
    WHO,
    Busy,
    Caller,
    Denial,
    StaffRoom,
    deed_at_table,
    denies,
)
from stickman.server.desk import DESK
from stickman.store.memory import MemoryStore
from stickman.table import messages as m
from stickman.table.decide import DECIDERS
from stickman.table.messages import Request
from stickman.table.state import HeardFrom, new_table
from tests.floor.evening import awaited
from tests.server.process import BADGES, PASSWORD, QUICK_HASHER, dealer, password_hash, prepare, seat, serving
from tests.server.test_pit import StillClock
from tests.talk.games import game
from tests.talk.server import Deed, approve, http, screen, sign_in

# --- Every request, every caller ---

Kinds = set[type[Request]]
BETS: Kinds = {m.PlaceBet, m.TakeBet, m.SwitchBet, m.SwitchAll, m.PressButton, m.Undo, m.AnswerPopUp}
MONEY: Kinds = {m.GiveTip, m.CashOut}
PLAY: Kinds = {m.PressByWin, m.MoveBet, m.CarryBet, m.SetSwitch, m.PressRoll, m.Shoot, m.LandDice}
FAVOURITES: Kinds = {m.SaveFavourite, m.PlaceFavourite, m.RemoveFavourite}
TERMINAL: Kinds = {m.ReserveSeat, m.NameSeat, m.CallService, m.ChooseDenomination}
SEAT = BETS | MONEY | PLAY | FAVOURITES | TERMINAL
BOTH: Kinds = {m.ReturnToSeat, m.PutPuckOff}
DEALT: Kinds = {m.OpenBets, m.CloseBets, m.RollDice, m.EnterDice, m.ConfirmDice, m.CallNoRoll}
DEALER: Kinds = DEALT | {m.SignIn, m.SignOut, m.NameShooter, m.ReverseRoll, m.PutPuckOff}
PIT_BOSS: Kinds = {m.SelectMode, m.PayByHand, m.PrintCopy, m.CancelPrint}
SUPERVISOR: Kinds = {m.ClearLockup, m.ClearTable, m.ChangeSetting, m.SettleDevice}
DEALERS: Kinds = {m.PauseTable, m.ResumeTable, m.ReturnToSeat, m.AnswerService, m.GiveCredit, m.PrintTest}
ANYWHERE: Kinds = DEALERS | PIT_BOSS | SUPERVISOR
WITH_KEY: Kinds = {m.ClearLockup, m.PayByHand, m.PrintTest, m.PrintCopy, m.CancelPrint}
"""What staff ask at a seat's own terminal. They are signed in there only while its key is turned."""
HOUSE: Kinds = {m.LoseLink, m.RestoreLink, m.HandOver, m.Tick, m.Restart, m.DistrustDevice, m.RemoveDevice}
"""By hand, from RULES 10 to 13: who does what on a floor."""

EXAMPLES: dict[type[Request], Request] = {
    m.GiveCredit: m.GiveCredit(seat=1, cents=1),
    m.GiveTip: m.GiveTip(seat=1, cents=1),
    m.PlaceBet: m.PlaceBet(seat=1, spot="pass", cents=1),
    m.TakeBet: m.TakeBet(seat=1, spot="pass"),
    m.SwitchBet: m.SwitchBet(seat=1, spot="pass", on=True),
    m.PressButton: m.PressButton(seat=1, button="double"),
    m.SetSwitch: m.SetSwitch(seat=1, switch="keep_bets", on=True),
    m.AnswerPopUp: m.AnswerPopUp(seat=1, accept=True),
    m.PressByWin: m.PressByWin(seat=1, spot="place.6"),
    m.MoveBet: m.MoveBet(seat=1, spot="place.6", to="buy.6"),
    m.CarryBet: m.CarryBet(seat=1, spot="place.6", to="buy.6"),
    m.SaveFavourite: m.SaveFavourite(seat=1, slot=1),
    m.PlaceFavourite: m.PlaceFavourite(seat=1, slot=1),
    m.RemoveFavourite: m.RemoveFavourite(seat=1, slot=1),
    m.PrintCopy: m.PrintCopy(seat=1, number="1" * 18),
    m.SettleDevice: m.SettleDevice(seat=1, device="terminal-1"),
    m.DistrustDevice: m.DistrustDevice(seat=1, device="terminal-1"),
    m.RemoveDevice: m.RemoveDevice(seat=1, device="terminal-1"),
    m.ChooseDenomination: m.ChooseDenomination(seat=1, cents=5),
    m.EnterDice: m.EnterDice(dice=(1, 1)),
    m.CallNoRoll: m.CallNoRoll(reason="cocked"),
    m.ReverseRoll: m.ReverseRoll(dice=(1, 1)),
    m.SelectMode: m.SelectMode(mode="automated"),
    m.NameSeat: m.NameSeat(seat=1, name="Seven"),
    m.ChangeSetting: m.ChangeSetting(key="odds.take", text="2x"),
}
FLAGS = (m.SwitchAll,)
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
        staff = FLOOR.staff.get(badge)
        works = staff and staff.active and not staff.must_change
        with_key = works and staff and kind in WITH_KEY and staff.role >= lowest(kind)
        assert (answer is None) == bool(own and (kind in SEAT | BOTH or with_key)), (number, badge, answer)


def test_what_staff_do_at_a_seat_is_under_their_badge_and_what_a_player_does_is_not() -> None:
    at_seat = Caller(Place("seat", 1, 1), "badge-3")
    for kind, who in WHO.items():
        assert at_seat.actor(who) == ("badge-3" if kind in WITH_KEY else "seat 1")


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


def test_a_reversal_or_a_cancelled_print_takes_two_always_and_cash_and_settings_sometimes() -> None:
    assert {kind: who.two for kind, who in WHO.items() if who.two} == {
        m.ReverseRoll: "always",
        m.CancelPrint: "always",
        m.SettleDevice: "always",
        m.GiveCredit: "sometimes",
        m.ClearLockup: "sometimes",
        m.ClearTable: "sometimes",
        m.PayByHand: "sometimes",
        m.ReturnToSeat: "sometimes",
        m.ChangeSetting: "sometimes",
    }


def test_the_reference_names_every_request_and_every_endpoint() -> None:
    page = (Path(__file__).parents[2] / "docs" / "roles.md").read_text()
    for name in [str(kind.__struct_config__.tag) for kind in WHO]:
        assert f"| `{name}` |" in page
    for endpoint in DESK:
        assert endpoint.replace(":int", "") in page


# --- Sessions ---


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed at little cost."""
    monkeypatch.setattr(staff, "HASHER", QUICK_HASHER)


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


REVERSE = deed_at_table(2, None, m.ReverseRoll(dice=(1, 1)))


async def signed_in(staff: StaffRoom, badge: str = DEALS, terminal: str = "terminal-1") -> str:
    token = await staff.sign_in(terminal, badge, PASSWORD)
    assert isinstance(token, str)
    return token


def refused(answer: str | Refused) -> bool:
    return answer == Refused(Refusal.NEEDS_TWO)


@awaited
async def test_an_approval_is_for_one_command_of_one_session_at_one_terminal_for_a_minute() -> None:
    clock = StillClock()
    staff = await room(clock)
    token, elsewhere = await signed_in(staff), await signed_in(staff, terminal="terminal-2")
    other = deed_at_table(2, None, m.ReverseRoll(dice=(1, 2)))
    assert await staff.approve("terminal-1", token, WITNESSES.upper(), PASSWORD, REVERSE) == WITNESSES
    assert refused(staff.second("terminal-2", elsewhere, WITNESSES, REVERSE, "c-1")), "another terminal"
    assert refused(staff.second("terminal-1", elsewhere, WITNESSES, REVERSE, "c-1")), "another session"
    assert refused(staff.second("terminal-1", token, BADGES[Role.SUPERVISOR], REVERSE, "c-1")), "somebody else"
    assert refused(staff.second("terminal-1", token, WITNESSES, other, "c-1")), "another deed"
    assert staff.second("terminal-1", token, WITNESSES, REVERSE, "c-1") == WITNESSES
    assert staff.second("terminal-1", token, WITNESSES, REVERSE, "c-1") == WITNESSES, "the same, asked again"
    assert refused(staff.second("terminal-1", token, WITNESSES, REVERSE, "c-2")), "another command"
    assert await staff.approve("terminal-1", token, WITNESSES, PASSWORD, REVERSE) == WITNESSES
    clock.ms += APPROVAL_MS
    assert refused(staff.second("terminal-1", token, WITNESSES, REVERSE, "c-3"))


@awaited
async def test_an_approval_is_not_used_up_by_a_refusal_unless_its_command_was_sent_twice() -> None:
    staff = await room(StillClock())
    token = await signed_in(staff)

    def second(command: str) -> str | Refused:
        return staff.second("terminal-1", token, WITNESSES, REVERSE, command)

    assert await staff.approve("terminal-1", token, WITNESSES, PASSWORD, REVERSE) == WITNESSES
    assert second("c-1") == WITNESSES
    staff.not_done("terminal-1", "c-1")
    assert second("c-2") == second("c-2") == WITNESSES, "over two lines"
    staff.not_done("terminal-1", "c-2")
    assert refused(second("c-3")), "the other one may have been done"


@awaited
async def test_what_two_people_did_is_not_done_again_with_the_same_approval(floor: Path) -> None:
    gives = m.GiveCredit(seat=1, cents=2_000_000)
    async with serving(floor) as (_, url):
        session = await sign_in(url, dealer(2), Role.SUPERVISOR)
        approver = (await approve(url, dealer(2), session, Role.PIT_BOSS, Deed(2, gives))).json["approver"]
        async with screen(url, dealer(2), session) as deals:
            assert (await deals.ask(gives, approver=approver))["why"] == "no_drawer"
            await http(url, "POST", "/api/drawer/open", {"float_cents": 0}, token=dealer(2), session=session)
            assert (await deals.ask(gives, approver=approver))["type"] == "done"
            assert (await deals.ask(gives, approver=approver))["why"] == "needs_two"


@awaited
async def test_an_approval_ends_with_a_sign_in_and_with_a_sign_out() -> None:
    staff = await room(StillClock())
    token = await signed_in(staff)
    assert await staff.approve("terminal-1", token, WITNESSES, PASSWORD, REVERSE) == WITNESSES
    again = await signed_in(staff)
    for session in (token, again):
        assert refused(staff.second("terminal-1", session, WITNESSES, REVERSE, "c-1"))
    assert await staff.approve("terminal-1", again, WITNESSES, PASSWORD, REVERSE) == WITNESSES
    staff.sign_out("terminal-1", again)
    assert refused(staff.second("terminal-1", again, WITNESSES, REVERSE, "c-1"))


@awaited
async def test_who_may_not_witness_gives_no_approval_and_nobody_approves_for_nobody() -> None:
    staff = await room(StillClock())
    token = await signed_in(staff)

    async def why(token: str, badge: str, password: str = PASSWORD) -> Refusal:
        answer = await staff.approve("terminal-1", token, badge, password, REVERSE)
        assert isinstance(answer, Refused)
        return answer.why

    assert await why(token, DEALS) is Refusal.NEEDS_TWO, "one person is not two"
    assert await why(token, WITNESSES, "wrong") is Refusal.NOT_SIGNED_IN
    assert await why("", WITNESSES) is Refusal.NOBODY_SIGNED_IN
    higher = await signed_in(staff, WITNESSES)
    assert await why(higher, DEALS) is Refusal.NOT_ALLOWED


def test_a_deed_about_counted_bills_is_one_for_these_bills_alone() -> None:
    table = new_table(game("craps"))

    def settled(counted: m.Stacked) -> staff.Deed:
        heard = {"terminal-1": HeardFrom(1, "acceptor", "0" * 16, 3, distrusted=True, totals=counted)}
        return deed_at_table(1, replace(table, heard=heard), m.SettleDevice(seat=1, device="terminal-1"))

    assert settled(m.Stacked({2_000: 1})) == settled(m.Stacked({2_000: 1}))
    assert settled(m.Stacked({2_000: 1})) != settled(m.Stacked({2_000: 2}))


def test_two_deeds_are_one_where_kind_table_and_content_are_the_same() -> None:
    deeds = [
        deed_at_table(1, None, m.ReverseRoll(dice=(1, 2))),
        deed_at_table(2, None, m.ReverseRoll(dice=(1, 2))),
        deed_at_table(1, None, m.ReverseRoll(dice=(2, 1))),
        deed_at_table(1, None, m.PayByHand(seat=1)),
        deed_at_table(1, None, m.ClearLockup(seat=1)),
        desk.deed("POST /api/tickets/000000000000000001/void", b'{"reason": "x"}'),
        desk.deed("POST /api/tickets/000000000000000002/void", b'{"reason": "x"}'),
        desk.deed("POST /api/tickets/000000000000000001/void", b'{"reason": "y"}'),
    ]
    assert len({each.digest for each in deeds}) == len(deeds)
    with_approver = b'{"approver": "badge-2", "reason": "x"}'
    assert desk.deed("POST /api/tickets/000000000000000001/void", with_approver) == deeds[5]
    for endpoint in ("POST /api/staff", "GET /api/tickets/1/void", ""):
        with pytest.raises(desk.BadQuery, match="allowed: POST /api/tickets"):
            desk.deed(endpoint, b"{}")


# --- Wrong passwords ---


@awaited
async def test_passwords_are_not_checked_while_a_badge_waits_and_attempts_are_written_once_it_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = StillClock()
    alarms: list[SignInFailed] = []
    staff = await room(clock)
    staff._alarm = alarms.append
    for _ in range(3):
        await staff.sign_in("terminal-1", DEALS, "wrong")
    assert [alarm.failures for alarm in alarms] == [3]
    with monkeypatch.context() as patched:
        patched.setattr("stickman.floor.staff.verify", None)
        for _ in range(500):
            assert await staff.sign_in("terminal-1", DEALS, PASSWORD) == Refused(
                Refusal.MUST_WAIT, Detail.WAIT(seconds=30)
            )
            assert await staff.change_password("terminal-1", DEALS, PASSWORD, "x")
        await staff.write_refused()
    records = (await staff._office.store.head(0)).seq
    assert records == 3, "nothing more is written while it waits"
    clock.ms += 30_000
    await staff.write_refused()
    await staff.write_refused()
    [written] = [each async for each in staff._office.store.records(0, records)]
    assert events_of(written) == (AttemptsRefused(badge=DEALS, terminal="terminal-1", count=1_000),)
    assert isinstance(await staff.sign_in("terminal-1", DEALS, PASSWORD), str)


@awaited
async def test_of_many_passwords_at_once_no_more_than_three_count() -> None:
    staff = await room(StillClock())
    answers = await asyncio.gather(*(staff.sign_in("terminal-1", DEALS, "wrong") for _ in range(6)))
    assert [answer.why for answer in answers if isinstance(answer, Refused)].count(Refusal.NOT_SIGNED_IN) == 2
    assert (await staff._office.store.head(0)).seq == 3


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    return prepare(tmp_path / "floor")


@awaited
async def test_a_roll_is_reversed_by_two_people_and_by_no_fewer(floor: Path) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, dealer(2), Role.DEALER)
        async with screen(url, seat(2, 1)) as player, screen(url, dealer(2), session) as deals:
            await player.funded(100)
            await player.bets("field", 10)
            await deals.counts("4-4")
            reverse = m.ReverseRoll(dice=(1, 1))
            alone = await deals.ask(reverse, approver=WITNESSES)
            assert alone["why"] == "needs_two"
            assert (await approve(url, dealer(2), session, Role.PIT_BOSS, Deed(2, reverse))).json[
                "approver"
            ] == WITNESSES
            assert (await deals.ask(reverse, approver=WITNESSES))["type"] == "done"
            await player.until(lambda view: view["credit_cents"] == 12_000)


@awaited
async def test_what_was_approved_and_done_is_answered_once_the_approval_has_ended(floor: Path) -> None:
    often = m.ChangeSetting(key="power_odds.one_in", text="1")
    async with serving(floor) as (_, url):
        session = await sign_in(url, dealer(2), Role.SUPERVISOR)
        approver = (await approve(url, dealer(2), session, Role.PIT_BOSS, Deed(2, often))).json["approver"]
        async with screen(url, dealer(2), session) as deals:
            done = await deals.ask(often, "c-1", approver)
            assert done["type"] == "done"
        again = await sign_in(url, dealer(2), Role.SUPERVISOR)
        async with screen(url, dealer(2), again) as deals:
            assert await deals.ask(often, "c-1", approver) == done
            assert (await deals.ask(often, "c-2", approver))["why"] == "needs_two"


@awaited
async def test_requests_of_staff_need_a_session_and_those_of_seats_their_own_seat(floor: Path) -> None:
    async with serving(floor) as (_, url):
        async with screen(url, dealer(1)) as deals:
            assert (await deals.ask(m.PauseTable()))["why"] == "nobody_signed_in"
        async with screen(url, seat(1, 1)) as player:
            assert (await player.ask(m.CashOut(seat=2)))["why"] == "wrong_place"
            assert (await player.ask(m.Tick()))["why"] == "house_alone"
            assert (await player.ask(m.ChangeSetting(key="seats", text="5")))["why"] == "wrong_place"


def test_acts_that_take_the_table_are_asked_at_the_table() -> None:
    """Whoever deals stands there: nobody enters dice from the office."""
    at_table = {Act.DEAL, Act.NAME_SHOOTER, Act.REVERSE_ROLL}
    assert {who.act for who in WHO.values() if who.act and who.where == "dealer"} == at_table
