"""The server's front: what it lets in, what it says, and what everybody sees of it."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import ssl
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed, InvalidStatus

from stickman.floor.events import Act, Role
from stickman.server import floor as floors
from stickman.server import serving as real
from stickman.server.auth import WHO
from stickman.server.config import Plan
from stickman.server.desk import DESK
from stickman.server.house import Asked
from stickman.table import messages as m
from stickman.table.state import Flight
from stickman.wire import MESSAGE_BYTES_MAX
from tests.floor.evening import awaited
from tests.server.process import BADGES, CONFIG, OFFICE, PASSWORD, dealer, planned_in, prepare, seat, serving
from tests.talk.server import PATIENCE_S, http, line, screen, sign_in


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    return prepare(tmp_path / "floor")


# --- Who is let in ---


@awaited
async def test_a_screen_without_a_good_token_is_not_connected(floor: Path) -> None:
    async with serving(floor) as (_, url):
        for bad in ("", "guessed"):
            with pytest.raises(InvalidStatus) as refused:
                async with line(url, bad):
                    pass
            assert refused.value.response.status_code == 401


@awaited
async def test_a_page_of_another_origin_is_not_connected(floor: Path) -> None:
    async with serving(floor) as (_, url):
        with pytest.raises(InvalidStatus) as refused:
            async with line(url, seat(1, 1), origin="http://elsewhere.example"):
                pass
        assert refused.value.response.status_code == 403
        async with line(url, seat(1, 1), origin=url):
            pass


@awaited
async def test_a_page_of_another_origin_cannot_post(floor: Path) -> None:
    async with serving(floor) as (_, url):
        told = {"badge": BADGES[Role.DEALER], "password": PASSWORD}
        foreign = await http(url, "POST", "/api/sign-in", told, token=OFFICE, origin="http://elsewhere.example")
        assert foreign.status == 403
        assert (await http(url, "POST", "/api/sign-in", told, token=OFFICE, origin=url)).status == 200


@pytest.mark.parametrize("origin", ["null", "http://[", "//", "http://", "file://"])
@awaited
async def test_an_origin_that_says_nothing_is_not_ours(floor: Path, origin: str) -> None:
    async with serving(floor) as (_, url):
        assert (await http(url, "POST", "/api/enrol", {"code": "x"}, origin=origin)).status == 403


@awaited
async def test_an_allowed_origin_is_connected(floor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.server.process.planned_in", lambda file: _with_origin(planned_in(file)))
    async with serving(floor) as (_, url), line(url, seat(1, 1), origin="https://floor.example"):
        pass


def _with_origin(planned: Plan) -> Plan:
    return planned._replace(config=replace(planned.config, origins=("https://floor.example",)))


def limited(floor: Path, **limits: int) -> Path:
    """The same floor with other limits."""
    with floor.open("a") as file:
        file.write("[limits]\n" + "".join(f"{name} = {value}\n" for name, value in limits.items()))
    return floor


@awaited
async def test_a_terminal_has_only_so_many_connections(floor: Path) -> None:
    async with serving(limited(floor, connections_of_a_terminal=4)) as (_, url), AsyncExitStack() as stack:
        for _ in range(4):
            await stack.enter_async_context(screen(url, dealer(1)))
        with pytest.raises(InvalidStatus) as refused:
            async with line(url, dealer(1)):
                pass
        assert refused.value.response.status_code == 429
        async with screen(url, seat(1, 3)):
            pass


# --- Messages ---


@pytest.mark.parametrize(
    "said",
    [
        "",
        "{",
        "[]",
        '{"type": "ask"}',
        '{"type": "ping"}',
        '{"type": "join", "extra": 1}',
        '{"type": "ask", "id": "x", "request": {"do": "tick", "now_ms": 5}}',
        "[" * 2000,
        '"\\ud800"',
    ],
)
@awaited
async def test_a_connection_that_does_not_begin_with_a_join_is_told_and_closed(floor: Path, said: str) -> None:
    async with serving(floor) as (_, url), line(url, seat(1, 1)) as joined:
        await joined.socket.send(said)
        assert (await joined.told())["type"] == "bad"
        with pytest.raises(ConnectionClosed) as closed:
            await joined.told()
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 1008


@pytest.mark.parametrize(
    "said", ["{", '{"type": "join"}', '{"type": "ask", "id": "a b", "request": {"do": "undo", "seat": 1}}']
)
@awaited
async def test_a_joined_screen_that_cannot_be_understood_is_told_and_closed(floor: Path, said: str) -> None:
    async with serving(floor) as (_, url), screen(url, seat(1, 1)) as joined:
        await joined.socket.send(said)
        assert (await joined.told())["type"] == "bad"
        with pytest.raises(ConnectionClosed) as closed:
            await joined.told()
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 1008


@awaited
async def test_a_message_that_is_too_long_is_not_even_read(floor: Path) -> None:
    async with serving(floor) as (_, url), screen(url, seat(1, 1)) as joined:
        longest = {"type": "ping", "sent_ms": 1}
        await joined.socket.send(json.dumps(longest) + " " * (MESSAGE_BYTES_MAX - len(json.dumps(longest))))
        assert (await joined.told())["type"] == "pong"
        await joined.socket.send("x" * (MESSAGE_BYTES_MAX + 1))
        with pytest.raises(ConnectionClosed) as closed:
            await joined.told()
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 1009


@awaited
async def test_a_ping_tells_the_time_of_the_house(floor: Path) -> None:
    async with serving(floor) as (live, url), screen(url, seat(1, 1)) as joined:
        before = live.clock.now_ms()
        await joined.say({"type": "ping", "sent_ms": 77})
        pong = await joined.told()
        assert (pong["type"], pong["sent_ms"]) == ("pong", 77)
        assert before <= pong["server_ms"] <= live.clock.now_ms()


@awaited
async def test_no_message_is_compressed(floor: Path) -> None:
    async with serving(floor) as (_, url), line(url, seat(1, 1)) as joined:
        assert joined.socket.protocol.extensions == []


# --- Enrolling ---


@awaited
async def test_a_code_that_an_office_offers_enrols_a_terminal_once_and_replaces_the_one_before(floor: Path) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, OFFICE, Role.SUPERVISOR)
        place = {"screen": "seat", "table": 1, "seat": 1}
        offered = await http(url, "POST", "/api/terminals", place, token=OFFICE, session=session)
        code = offered.json["code"]
        async with screen(url, seat(1, 1)) as old:
            enrolled = await http(url, "POST", "/api/enrol", {"code": code.lower()})
            assert enrolled.status == 200
            assert enrolled.json["place"] == place
            assert enrolled.cookies["stickman_terminal"] == enrolled.json["token"]
            with pytest.raises(ConnectionClosed) as closed:
                await old.told()
            assert closed.value.rcvd
            assert closed.value.rcvd.code == 4001
        assert (await http(url, "POST", "/api/enrol", {"code": code})).status == 409
        assert (await http(url, "GET", "/api/place", token=seat(1, 1))).status == 401
        assert (await http(url, "GET", "/api/place", token=enrolled.json["token"])).json["place"] == place


@awaited
async def test_cookies_are_out_of_reach_of_scripts_and_other_sites(floor: Path) -> None:
    async with serving(floor) as (_, url):
        told = {"badge": BADGES[Role.DEALER], "password": PASSWORD}
        answer = await http(url, "POST", "/api/sign-in", told, token=OFFICE)
        kept = answer.headers["set-cookie"].lower()
        assert "httponly" in kept
        assert "samesite=strict" in kept


@awaited
async def test_codes_cannot_be_tried_for_ever(floor: Path) -> None:
    async with serving(limited(floor, attempts_burst=3)) as (_, url):
        tried = [(await http(url, "POST", "/api/enrol", {"code": "AAAA-AAAA"})).status for _ in range(5)]
        assert tried == [409, 409, 409, 429, 429]


# --- Signing in ---


@awaited
async def test_a_dealer_who_signs_in_at_the_table_deals_there_until_they_sign_out(floor: Path) -> None:
    async with serving(floor) as (live, url):
        session = await sign_in(url, dealer(2), Role.DEALER)
        assert live.pits[2].table.dealer == BADGES[Role.DEALER]
        where = await http(url, "GET", "/api/place", token=dealer(2), session=session)
        assert where.json["staff"]["badge"] == BADGES[Role.DEALER]
        await http(url, "POST", "/api/sign-out", token=dealer(2), session=session)
        assert live.pits[2].table.dealer == ""
        where = await http(url, "GET", "/api/place", token=dealer(2), session=session)
        assert where.json["staff"] is None


@awaited
async def test_a_wrong_password_and_an_unknown_badge_are_told_alike(floor: Path) -> None:
    async with serving(floor) as (_, url):
        wrong = {"badge": BADGES[Role.DEALER], "password": "x"}
        unknown = {"badge": "badge-99", "password": PASSWORD}
        answers = [await http(url, "POST", "/api/sign-in", told, token=OFFICE) for told in (wrong, unknown)]
        assert [answer.status for answer in answers] == [401, 401]
        assert answers[0].json == answers[1].json


@awaited
async def test_nobody_signs_in_at_a_seat(floor: Path) -> None:
    async with serving(floor) as (_, url):
        told = {"badge": BADGES[Role.DEALER], "password": PASSWORD}
        assert (await http(url, "POST", "/api/sign-in", told, token=seat(1, 1))).status == 403


@awaited
async def test_a_session_is_good_at_its_own_terminal_alone(floor: Path) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, OFFICE, Role.ADMINISTRATOR)
        assert (await http(url, "GET", "/api/staff", token=OFFICE, session=session)).status == 200
        assert (await http(url, "GET", "/api/staff", token=dealer(1), session=session)).status == 401


@awaited
async def test_who_is_new_chooses_a_password_before_anything_else(floor: Path) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, OFFICE, Role.ADMINISTRATOR)
        new = {"badge": "badge-50", "label": "New", "role": "pit_boss"}
        once = (await http(url, "POST", "/api/staff", new, token=OFFICE, session=session)).json["one_time_password"]
        told = {"badge": "badge-50", "password": once}
        answer = await http(url, "POST", "/api/sign-in", told, token=OFFICE)
        assert answer.json["must_change"] is True
        session = answer.cookies["stickman_staff"]
        assert (await http(url, "GET", "/api/meters", token=OFFICE, session=session)).status == 403
        weak = await http(url, "POST", "/api/password", {**told, "new": "short"}, token=OFFICE, session=session)
        assert weak.json["why"] == "weak_password"
        changed = {**told, "new": "nine grey pigeons under a bridge"}
        assert (await http(url, "POST", "/api/password", changed, token=OFFICE, session=session)).status == 200
        assert (await http(url, "GET", "/api/meters", token=OFFICE, session=session)).status == 200


# --- Every endpoint, every role ---

EXAMPLES: dict[str, tuple[str, object]] = {
    "GET /api/may": ("/api/may", None),
    "GET /api/tables": ("/api/tables", None),
    "GET /api/settings/{table:int}": ("/api/settings/1", None),
    "GET /api/par/{table:int}": ("/api/par/1", None),
    "GET /api/meters": ("/api/meters", None),
    "GET /api/program": ("/api/program", None),
    "GET /api/progressives": ("/api/progressives", None),
    "POST /api/progressives/change": (
        "/api/progressives/change",
        {"meter": "make_em_all/100/MEA-01", "key": "increment_bp", "value": "400", "approver": "badge-2"},
    ),
    "POST /api/progressives/move": ("/api/progressives/move", {"meter": "x", "to": "y", "approver": "badge-2"}),
    "GET /api/events": ("/api/events?table=1", None),
    "GET /api/rounds/{table:int}": ("/api/rounds/1?last=5", None),
    "GET /api/dealers/{table:int}": ("/api/dealers/1", None),
    "GET /api/report": ("/api/report?table=1", None),
    "GET /api/health": ("/api/health", None),
    "GET /api/tickets": ("/api/tickets", None),
    "GET /api/tickets/{number}": ("/api/tickets/000000000000000000", None),
    "GET /api/tickets/{number}/pdf": ("/api/tickets/000000000000000000/pdf", None),
    "POST /api/tickets/{number}/pay": ("/api/tickets/000000000000000000/pay", {}),
    "POST /api/tickets/{number}/void": (
        "/api/tickets/000000000000000000/void",
        {"approver": "badge-2", "reason": "x"},
    ),
    "GET /api/drawer": ("/api/drawer", None),
    "POST /api/drawer/open": ("/api/drawer/open", {"float_cents": 10_000}),
    "POST /api/drawer/close": ("/api/drawer/close", {"counted_cents": 10_000}),
    "GET /api/drawers": ("/api/drawers", None),
    "POST /api/drawers/{badge}/close": ("/api/drawers/badge-4/close", {"counted_cents": 0}),
    "GET /api/receipts/{table:int}/{seq:int}": ("/api/receipts/1/1", None),
    "GET /api/terminals": ("/api/terminals", None),
    "POST /api/terminals": ("/api/terminals", {"screen": "info", "table": 1}),
    "POST /api/terminals/{terminal}/revoke": ("/api/terminals/terminal-99/revoke", {}),
    "GET /api/devices": ("/api/devices", None),
    "POST /api/devices/{terminal}/tell": ("/api/devices/terminal-99/tell", {}),
    "GET /api/staff": ("/api/staff", None),
    "POST /api/staff": ("/api/staff", {"badge": "badge-60", "label": "x", "role": "dealer"}),
    "POST /api/staff/{badge}/role": ("/api/staff/badge-99/role", {"role": "dealer"}),
    "POST /api/staff/{badge}/reset": ("/api/staff/badge-99/reset", {}),
    "POST /api/staff/{badge}/lock": ("/api/staff/badge-99/lock", {}),
    "POST /api/staff/{badge}/unlock": ("/api/staff/badge-99/unlock", {}),
    "POST /api/staff/{badge}/remove": ("/api/staff/badge-99/remove", {}),
}
NO_TWO, NO_SUCH = (403, "needs_two"), 404
OUTCOMES: dict[str, object] = {
    "POST /api/progressives/change": NO_TWO,
    "POST /api/progressives/move": NO_TWO,
    "GET /api/tickets/{number}/pdf": NO_SUCH,
    "POST /api/tickets/{number}/pay": NO_SUCH,
    "POST /api/tickets/{number}/void": NO_TWO,
    "POST /api/drawers/{badge}/close": (409, "no_drawer"),
    "GET /api/receipts/{table:int}/{seq:int}": (404, None),
    "POST /api/terminals/{terminal}/revoke": NO_SUCH,
    "POST /api/devices/{terminal}/tell": NO_SUCH,
    "POST /api/staff/{badge}/role": NO_SUCH,
    "POST /api/staff/{badge}/reset": NO_SUCH,
    "POST /api/staff/{badge}/lock": NO_SUCH,
    "POST /api/staff/{badge}/unlock": NO_SUCH,
    "POST /api/staff/{badge}/remove": NO_SUCH,
}
"""What somebody who may ask is answered, where it is not 200."""


def test_every_endpoint_of_the_desk_has_an_example() -> None:
    assert DESK.keys() == EXAMPLES.keys()


@awaited
async def test_every_endpoint_answers_those_who_may_and_nobody_else(floor: Path) -> None:
    """The lowest role of each act is what `floor` prints; the outcomes are those of the table above."""
    async with serving(floor) as (_, url):
        for role in Role:
            session = await sign_in(url, OFFICE, role)
            for endpoint, (act, *_) in DESK.items():
                method, (path, body) = endpoint.split()[0], EXAMPLES[endpoint]
                answer = await http(url, method, path, body, token=OFFICE, session=session)
                if role.may(act):
                    why = answer.json.get("why") if answer.body.startswith(b"{") else None
                    expected = OUTCOMES.get(endpoint, 200)
                    assert expected in (answer.status, (answer.status, why)), (role, endpoint, answer)
                else:
                    assert (answer.status, answer.json["why"]) == (403, "not_allowed"), (role, endpoint, answer)


@awaited
async def test_every_endpoint_is_closed_to_strangers_seats_and_terminals_without_staff(floor: Path) -> None:
    async with serving(floor) as (_, url):
        for endpoint in DESK:
            method, (path, body) = endpoint.split()[0], EXAMPLES[endpoint]
            asked = [await http(url, method, path, body, token=who) for who in ("", "guessed", seat(1, 1), OFFICE)]
            assert [answer.status for answer in asked] == [401, 401, 403, 401], endpoint


# --- What the desk says ---


async def recalled(floor: Path, rolls: list[m.Dice], query: str = "") -> Any:
    """Rounds that are dealt with $5 on the field, and what the desk recalls of them."""
    async with serving(floor) as (_, url):
        session = await sign_in(url, dealer(2), Role.PIT_BOSS)
        async with screen(url, seat(2, 1)) as player, screen(url, dealer(2), session) as deals:
            await player.funded(100)
            for dice in rolls:
                await player.bets("field", 5)
                await deals.do(m.CloseBets(), m.EnterDice(dice=dice), m.ConfirmDice(), m.OpenBets())
            answer = await http(url, "GET", f"/api/rounds/2{query}", token=dealer(2), session=session)
    return answer.json


@awaited
async def test_the_last_rounds_are_recalled_as_they_were(floor: Path) -> None:
    rounds = await recalled(floor, [(1, 1), (2, 1), (3, 1)], "?last=2")
    found = [{event["event"]: event for event in each["events"]} for each in rounds]
    assert [each["dice_rolled"]["dice"] for each in found] == [[2, 1], [3, 1]]
    assert [each["bets_closed"]["seats"][0]["stakes"] for each in found] == [{"field": 500}] * 2
    assert [each["settled"]["seats"][0]["paid_cents"] for each in found] == [500, 500]


@awaited
async def test_a_recalled_round_says_where_the_puck_lay(floor: Path) -> None:
    rounds = await recalled(floor, [(3, 1), (2, 1), (5, 2), (6, 5)])
    assert [each["puck"] for each in rounds] == [0, 4, 4, 0]


async def two_players_meet_a_three(url: str) -> None:
    """At table 2: seat 1 has $5 and seat 2 has $10 on the Field, which wins."""
    session = await sign_in(url, dealer(2), Role.PIT_BOSS)
    players = [screen(url, seat(2, number)) for number in (1, 2)]
    async with players[0] as one, players[1] as two, screen(url, dealer(2), session) as deals:
        for number, player in enumerate((one, two), 1):
            await player.funded(100)
            await player.bets("field", number * 5)
        await deals.counts("2-1")


@awaited
async def test_a_seat_recalls_its_own_rounds_alone(floor: Path) -> None:
    async with serving(floor) as (_, url):
        await two_players_meet_a_three(url)
        answer = await http(url, "GET", "/api/recall", token=seat(2, 2))
        [last] = answer.json
        told = {event["event"]: event for event in last["events"]}
        assert told["dice_rolled"]["dice"] == [2, 1]
        assert [each["stakes"] for each in told["bets_closed"]["seats"]] == [{"field": 1_000}]
        assert [each["paid_cents"] for each in told["settled"]["seats"]] == [1_000]
        assert b"transfers" not in answer.body
        assert (await http(url, "GET", "/api/recall", token=dealer(2))).status == 403


@awaited
async def test_a_seat_reads_the_statistics_of_its_own_stay_alone(floor: Path) -> None:
    async with serving(floor) as (_, url):
        await two_players_meet_a_three(url)
        answer = await http(url, "GET", "/api/statistics", token=seat(2, 2))
        found = answer.json
        assert (found["rolls"], found["staked_cents"], found["net_cents"]) == (1, 10_00, 10_00)
        assert [total for total, rolled, _ in found["totals"] if rolled] == [3]
        [field] = found["bets"]
        edge = (await http(url, "GET", "/api/placard", token=seat(2, 2))).json["bets"]["field"]["edge_per_bet_made"]
        assert (field["bet"], field["decided"], field["won"]) == ("field", 1, 1)
        assert field["cost_cents"] == found["cost_cents"] == round(Fraction(edge) * 10_00)
        for token in (dealer(2), OFFICE):
            assert (await http(url, "GET", "/api/statistics", token=token)).status == 403
        assert (await http(url, "GET", "/api/statistics")).status == 401


@awaited
@pytest.mark.parametrize("path", ["/api/recall", "/api/statistics"])
async def test_a_reserved_seat_recalls_nothing_to_who_stands_there(floor: Path, path: str) -> None:
    async with serving(floor) as (_, url), screen(url, seat(1, 1)) as player:
        await player.funded(100)
        await player.do(m.ReserveSeat(seat=1, pin="86420975"))
        assert (await http(url, "GET", path, token=seat(1, 1))).status == 403
        await player.do(m.ReturnToSeat(seat=1, pin="86420975"))
        assert (await http(url, "GET", path, token=seat(1, 1))).status == 200


@awaited
async def test_no_address_says_the_result_before_the_dice_land(floor: Path) -> None:
    async with serving(floor) as (live, url):
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        pit = live.pits[1]
        async with screen(url, seat(1, 1)) as player:
            await player.funded(100)
            await player.bets("pass", 5)
            await live.ask(1, Asked(m.CloseBets(), "pit"))
            await player.do(m.Shoot(seat=1))
            await player.until(lambda view: view["shared"]["phase"] == "rolled")
            seats = (("/api/recall", seat(1, 1)), ("/api/statistics", seat(1, 1)))
            for path, token in (*seats, ("/api/tables", OFFICE), ("/api/rounds/1", OFFICE)):
                lands_ms = live.clock.now_ms() + 200  # as if this roll counted just now
                flies = replace(pit.table, flight=Flight((2, 2), "", lands_ms, 1_800))
                pit.boxman.page = pit.boxman.page._replace(table=flies)
                assert (await http(url, "GET", path, token=token, session=session)).status == 200
                assert live.clock.now_ms() >= lands_ms, path


@awaited
async def test_every_terminal_of_a_table_may_read_its_placard(floor: Path) -> None:
    async with serving(floor) as (_, url):
        for token in (seat(1, 1), dealer(1), OFFICE):
            found = await http(url, "GET", "/api/placard", token=token)
            assert found.json["bets"]["pass"]["edge_per_bet_made"] == "7/495"
        assert (await http(url, "GET", "/api/placard")).status == 401
        for table in ("99", "abc", "-1", "٣", "9" * 5_000):
            missing = await http(url, "GET", f"/api/placard?table={quote(table)}", token=OFFICE)
            assert (missing.status, missing.json["error"].partition(";")[0]) == (
                404,
                f"there is no table {table[:40]!r}",
            )


@awaited
async def test_a_desk_without_anyone_signed_in_says_so(floor: Path) -> None:
    async with serving(floor) as (_, url):
        answer = await http(url, "GET", "/api/tables", token=OFFICE)
        assert (answer.status, answer.json["why"]) == (401, "nobody_signed_in")
        assert answer.json["says"] == "Nobody is signed in at this terminal."


@awaited
async def test_a_reserved_seat_opens_to_its_pin_which_the_journal_does_not_have(floor: Path) -> None:
    async with serving(floor) as (live, url):
        async with screen(url, seat(1, 1)) as player:
            await player.funded(100)
            await player.do(m.ReserveSeat(seat=1, pin="86420975"))
            await player.do(m.ReturnToSeat(seat=1, pin="1111"))
            assert (player.view["pins_left"], player.view["reserved_until_ms"] > 0) == (2, True)
            await player.do(m.ReturnToSeat(seat=1, pin="86420975"))
            assert player.view["reserved_until_ms"] == 0
        records = [record async for record in live.store.records(1)]
        assert not any(b"86420975" in record.body for record in records)


@awaited
async def test_dealers_are_counted_by_who_dealt(floor: Path) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, dealer(2), Role.PIT_BOSS)
        async with screen(url, seat(2, 1)) as player, screen(url, dealer(2), session) as deals:
            await player.funded(100)
            await player.bets("field", 5)
            await deals.do(m.CloseBets(), m.CallNoRoll(reason="cocked"))
            await deals.do(m.EnterDice(dice=(4, 4)), m.ConfirmDice())
        answer = await http(url, "GET", "/api/dealers/2", token=dealer(2), session=session)
        [one] = answer.json
        assert (one["dealer"], one["rolls"], one["no_rolls"]) == (BADGES[Role.PIT_BOSS], 1, 1)


@awaited
async def test_significant_events_are_told_without_secrets_and_gone_on_with(floor: Path) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        first = await http(url, "GET", "/api/events", token=OFFICE, session=session)
        assert b"hash" not in first.body
        assert first.json["events"][-1]["event"] == "signed_in"
        await http(url, "POST", "/api/enrol", {"code": "AAAA-AAAA"})
        after = first.json["after"]
        then = await http(url, "GET", f"/api/events?after={after}", token=OFFICE, session=session)
        assert [event["event"] for event in then.json["events"]] == ["enrolment_failed"]


@awaited
async def test_a_ticket_is_paid_at_the_cage_once(floor: Path) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        async with screen(url, seat(1, 1)) as player:
            await player.funded("12.34")
            number = await player.cashes_out()
        found = await http(url, "GET", f"/api/tickets/{number}", token=OFFICE, session=session)
        assert (found.json["status"], found.json["cents"]) == ("good", 1_234)
        pay = f"/api/tickets/{number}/pay"
        assert (await http(url, "POST", pay, {}, token=OFFICE, session=session)).status == 200
        again = await http(url, "POST", pay, {}, token=OFFICE, session=session)
        assert again.json["why"] == "ticket_redeemed"


@awaited
async def test_a_ticket_is_voided_by_two_people(floor: Path) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, OFFICE, Role.SUPERVISOR)
        async with screen(url, seat(1, 1)) as player:
            await player.funded("12.34")
            number = await player.cashes_out()
        void = f"/api/tickets/{number}/void"
        told = {"approver": BADGES[Role.PIT_BOSS], "reason": "printed twice"}
        alone = await http(url, "POST", void, told, token=OFFICE, session=session)
        assert alone.json["why"] == "needs_two"
        deed = {"endpoint": f"POST {void}", "body": {"reason": "printed twice"}}
        second = {"badge": BADGES[Role.PIT_BOSS], "password": PASSWORD, **deed}
        assert (await http(url, "POST", "/api/approve", second, token=OFFICE, session=session)).status == 200
        assert (await http(url, "POST", void, told, token=OFFICE, session=session)).status == 200


# --- Safety and operations ---


@pytest.mark.parametrize("path", ["/healthz", "/seat/1", "/dealer", "/table", "/info", "/office", "/nothing"])
@awaited
async def test_every_answer_has_the_headers_of_safety_and_no_name_of_a_server(floor: Path, path: str) -> None:
    async with serving(floor) as (_, url):
        headers = (await http(url, "GET", path)).headers
        assert "unsafe" not in headers["content-security-policy"]
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "server" not in headers


@awaited
async def test_a_body_that_is_too_long_is_not_read(floor: Path) -> None:
    async with serving(floor) as (_, url):
        assert (await http(url, "POST", "/api/enrol", b"x" * 20_000)).status == 413
        chunked = b"".join(b"1000\r\n" + b"x" * 4096 + b"\r\n" for _ in range(5)) + b"0\r\n\r\n"
        answer = await http(url, "POST", "/api/enrol", chunked, content_length="0", transfer_encoding="chunked")
        assert answer.status in (400, 413)


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HT", b"GET /healthz HTTP/1.1\r\nhost: x\r\nslow: "])
@awaited
async def test_whoever_is_slow_with_the_headers_is_hung_up_on(floor: Path, sent: bytes) -> None:
    async with serving(limited(floor, request_s=1)) as (_, url):
        assert await _hung_up(url, sent)


@awaited
async def test_a_second_request_over_a_connection_must_come_in_time_too(floor: Path) -> None:
    async with serving(limited(floor, request_s=1)) as (_, url):
        assert b"200 OK" in await _hung_up(url, b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n", b"GET /he")


@awaited
async def test_headers_without_end_are_not_read(floor: Path) -> None:
    async with serving(floor) as (_, url):
        line = b"x-more: " + b"x" * 1_000 + b"\r\n"
        many = real.HEADER_BYTES_MAX // len(line) + 2
        assert b"200 OK" not in await _hung_up(url, b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n" + line * many)


@awaited
async def test_whoever_is_slow_with_the_body_is_told(floor: Path) -> None:
    async with serving(limited(floor, request_s=1)) as (_, url):
        begun = b"POST /api/enrol HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 10\r\n\r\n{"
        assert b" 408 " in await _hung_up(url, begun)


async def _hung_up(url: str, *sent: bytes) -> bytes:
    """What a server says to these bytes until it hangs up, and a space so that it counts as something."""
    where = urlsplit(url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    try:
        for part in sent:
            writer.write(part)
            await asyncio.sleep(0.05)
        async with asyncio.timeout(PATIENCE_S):
            with suppress(ConnectionResetError):
                return await reader.read() + b" "
            return b" "
    finally:
        writer.close()
        with suppress(ConnectionResetError):
            await writer.wait_closed()


@pytest.mark.parametrize("path", ["/seat/1", "/sounds", "/sounds/en/seven_out", "/assets/none.js"])
@awaited
async def test_the_pages_of_many_screens_at_one_address_load_together(floor: Path, path: str) -> None:
    most = 4
    async with serving(limited(floor, strangers_of_an_address=most)) as (_, url):
        where = urlsplit(url)

        async def asks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> bytes:
            cookie = f"cookie: stickman_terminal={seat(1, number)}\r\n"
            writer.write(f"HEAD {path} HTTP/1.1\r\nhost: localhost\r\n{cookie}\r\n".encode())
            return await reader.readuntil(b"\r\n\r\n")

        held = []
        for n in range(3 * most):  # each stays open while the others ask
            held.append(await asyncio.open_connection(where.hostname, where.port))
            await asks(*held[-1], 1 + n % 2)
        for n, (reader, writer) in enumerate(held):
            assert b"HTTP/1.1 " in await asks(reader, writer, 1 + n % 2)
            writer.close()


@awaited
async def test_readiness_names_the_tables_that_are_not_owned(floor: Path) -> None:
    async with serving(floor) as (live, url):
        assert (await http(url, "GET", "/healthz")).status == 200
        assert (await http(url, "GET", "/readyz")).json == {
            "ready": True,
            "store": True,
            "tables": {"1": True, "2": True, "3": True},
        }
        pit = live.pits.pop(2)
        answer = await http(url, "GET", "/readyz")
        live.pits[2] = pit
        assert answer.status == 503
        assert answer.json["tables"]["2"] is False


@awaited
async def test_metrics_count_what_was_asked_and_what_came_of_it(floor: Path) -> None:
    async with serving(floor) as (_, url):
        async with screen(url, seat(1, 1)) as player:
            await player.funded(5)
            await player.ask(m.PlaceBet(seat=1, spot="field", cents=600))
            text = (await http(url, "GET", "/metrics")).body.decode()
        assert 'stickman_requests_total{kind="give_credit",outcome="done",table="1"} 1.0' in text
        assert 'stickman_requests_total{kind="place_bet",outcome="credit_short",table="1"} 1.0' in text
        assert 'stickman_connections{screen="seat"} 1.0' in text
        assert 'stickman_table_served{table="1"} 1.0' in text


@awaited
async def test_a_problem_of_ours_is_not_explained_to_the_asker(
    floor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(floor) as (live, url):
        monkeypatch.setattr(type(live.metrics), "text", lambda _: 1 // 0)
        answer = await http(url, "GET", "/metrics")
        assert answer.status == 500
        assert b"zero" not in answer.body
        assert answer.headers["x-frame-options"] == "DENY"


def test_over_tls_cookies_stay_there(tmp_path: Path) -> None:
    config = prepare(tmp_path / "floor", CONFIG + '[tls]\ncertificate = "floor.pem"\nkey = "floor.key"\n')
    certify(config.parent / "floor.pem", config.parent / "floor.key")

    async def visit() -> None:
        async with serving(config) as (_, url):
            https = url.replace("http", "https")
            told = {"badge": BADGES[Role.DEALER], "password": PASSWORD}
            trusted = ssl.create_default_context(cafile=config.parent / "floor.pem")
            answer = await http(https, "POST", "/api/sign-in", told, token=OFFICE, trusted=trusted)
            assert "secure" in answer.headers["set-cookie"].lower()
            assert answer.headers["strict-transport-security"]

    asyncio.run(visit())


def certify(certificate: Path, key: Path) -> None:
    """A certificate for this machine's own address."""
    private, name = Ed25519PrivateKey.generate(), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "floor")])
    now, here = datetime.now(UTC), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    made = (
        x509.CertificateBuilder(name, name, private.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([here]), critical=False)
        .sign(private, None)
    )
    certificate.write_bytes(made.public_bytes(Encoding.PEM))
    key.touch(mode=0o600)
    key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


@awaited
async def test_an_office_looks_at_the_table_that_it_chooses(floor: Path) -> None:
    async with serving(floor) as (_, url):
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        async with screen(url, OFFICE, session, path="/ws?table=3") as looks:
            assert len(looks.view["seats"]) == 10
        async with screen(url, OFFICE, session) as looks:
            assert len(looks.view["seats"]) == 3
        with pytest.raises(InvalidStatus) as refused:
            async with line(url, OFFICE, session, path="/ws?table=7"):
                pass
        assert refused.value.response.status_code == 404


@awaited
async def test_an_office_sees_nothing_unless_somebody_is_signed_in(
    floor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floors, "LOOK_ROUND_S", 0.01)
    async with serving(floor) as (_, url):
        with pytest.raises(InvalidStatus) as refused:
            async with line(url, OFFICE):
                pass
        assert refused.value.response.status_code == 401
        session = await sign_in(url, OFFICE, Role.PIT_BOSS)
        async with screen(url, OFFICE, session) as looks:
            await http(url, "POST", "/api/sign-out", {}, token=OFFICE, session=session)
            with pytest.raises(ConnectionClosed) as closed:
                await looks.told()
        assert closed.value.rcvd
        assert closed.value.rcvd.code == floors.SIGNED_OUT


def test_every_act_of_staff_is_done_somewhere() -> None:
    """At a table or at the desk, but for what the command line does, and what is asked on the way."""
    used = {who.act for who in WHO.values() if who.act} | {address.act for address in DESK.values()}
    assert set(Act) - used == {Act.CHANGE_FLOOR, Act.WITNESS, Act.PAY_EXPIRED_TICKET}
