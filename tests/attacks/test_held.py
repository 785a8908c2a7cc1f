"""What a cheat tried in vain: every attempt that held, so that it goes on holding.

Attempts that other tests make already:

| attempt | test |
|---|---|
| odd amounts, undo, press, move, offers, reversal, tips at random | tests/table/test_properties.py, |
| | tests/attacks/test_wire_property.py |
| guessing numbers of tickets | test_a_number_made_of_no_table_is_not_ours |
| codes for terminals that are late, or used before | test_a_wrong_or_late_code_is_recorded_and_told_alike |
| dice or Power Odds seen before they count | test_offers_do_not_depend_on_the_dice_that_the_house_would_roll, |
| | test_nothing_is_kept_between_uses, test_nothing_is_sent_before_it_is_durable |
| recall of another seat's rounds | test_a_seat_recalls_its_own_rounds_alone |
| a known badge told from an unknown one | test_a_wrong_password_and_an_unknown_badge_are_told_alike, |
| | test_no_password_is_right_for_a_badge_that_nobody_has |
| the last administrator | test_whatever_people_do_to_accounts_an_administrator_stays_who_may_undo_it |
| slow headers, giant and deep messages, compression | tests/server/test_app.py |
| kill -9 while betting | test_ten_kills_lose_nothing_acknowledged_and_do_nothing_twice |
| a full disk, a damaged journal | test_a_full_disk_is_unavailable_until_there_is_room_again, |
| | test_damage_is_found_and_the_first_bad_record_named |
| two servers on one journal | test_of_two_servers_with_one_database_one_takes_over_and_outlives_a_crash_of_it, |
| | test_a_frozen_owner_is_followed_when_its_lease_has_run_out_and_fenced_when_it_wakes |
| rewriting history | test_a_recomputed_chain_is_found_by_the_checkpoint, |
| | test_what_an_owner_of_the_database_does_with_sql_is_found |
"""

from __future__ import annotations

import asyncio
import csv
import io
import itertools
import re
import socket
import ssl
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from msgspec.structs import replace
from websockets.exceptions import InvalidStatus

from stickman.cli import main
from stickman.floor import tally
from stickman.floor.events import Place, Role
from stickman.server.desk import DESK
from stickman.store.store import FLOOR
from stickman.table import messages as m
from stickman.table.decide import DECIDERS
from tests.attacks import kit
from tests.attacks.kit import Target
from tests.floor.evening import awaited
from tests.server.process import BADGES, CONFIG, OFFICE, PASSWORD, dealer, seat, token
from tests.server.test_app import EXAMPLES
from tests.server.test_auth import example
from tests.talk import exactly
from tests.talk.server import PATIENCE_S, Deed, approve, device, fund, http, line, screen, sign_in

BET = 500


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """A floor for attempts that leave nothing behind which others would notice."""
    with kit.target(tmp_path_factory.mktemp("held") / "floor") as target:
        yield target
        assert kit.loud(target.server.log()) == []
    assert asyncio.run(kit.faults(target.database)) == []


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Target]:
    """A floor of one's own."""
    with kit.target(tmp_path / "floor") as target:
        yield target


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Target]:
    """A floor whose rounds are short."""
    with kit.target(tmp_path / "floor", config=kit.QUICK) as target:
        yield target


@pytest.fixture
def either(kept_url: str, tmp_path: Path) -> Iterator[Target]:
    """A floor on each kind of database."""
    database = kit.SQLITE if kept_url.startswith("sqlite") else kept_url
    with kit.target(tmp_path / "floor", database) as target:
        yield target


# --- Money twice ---


@awaited
async def test_one_ticket_at_eight_acceptors_and_four_times_at_the_cage_at_once_is_paid_once(
    either: Target,
) -> None:
    number = await kit.print_ticket(either, 1, 1, 100)
    session = await sign_in(either.url, OFFICE, Role.PIT_BOSS)

    async def paid() -> bool:
        answer = await http(either.url, "POST", f"/api/tickets/{number}/pay", {}, token=OFFICE, session=session)
        return answer.status == 200

    async with AsyncExitStack() as stack:
        acceptors = []
        for where in [(1, 1), (1, 2), (1, 3), (2, 1), (3, 1), (3, 2), (3, 3), (3, 4)]:
            await stack.enter_async_context(screen(either.url, seat(*where)))
            acceptors.append(await stack.enter_async_context(device(either.url, "acceptor", *where)))
        won = await asyncio.gather(*(each.takes_ticket(number) for each in acceptors), *(paid() for _ in range(4)))
    assert sum(won) == 1
    assert await kit.tickets(either.database, "redeemed") == [number]
    assert await kit.faults(either.database) == []


@awaited
async def test_an_id_said_again_with_other_content_does_nothing_more_not_even_after_kill_9(either: Target) -> None:
    for number in (1, 2):
        await fund(either.url, 1, number, 100)
    other = m.PlaceBet(seat=1, spot="field", cents=2 * BET)
    async with screen(either.url, seat(1, 1)) as player:
        first = await player.ask(m.PlaceBet(seat=1, spot="pass", cents=BET), "once")
        assert first["type"] == "done"
        assert await player.ask(other, "once") == first
        assert await player.ask(m.CashOut(seat=1), "once") == first
        either.server.kill()
    either.server.start()
    async with screen(either.url, seat(1, 1)) as player, screen(either.url, seat(1, 2)) as neighbour:
        assert await player.ask(other, "once") == first
        assert (await neighbour.ask(m.PlaceBet(seat=2, spot="field", cents=BET), "once"))["seq"] > first["seq"]
        await player.caught_up()
        assert list(player.view["wagers"]) == ["pass"]
        assert player.view["credit_cents"] == 10_000 - BET
        assert list(neighbour.view["wagers"]) == ["field"]


# --- A seat that is not one's own ---


@awaited
async def test_a_pin_cannot_be_found_by_trying_over_new_connections(floor: Target) -> None:
    await fund(floor.url, 1, 3, 50)
    async with screen(floor.url, seat(1, 3)) as player:
        await player.do(m.ReserveSeat(seat=3, pin="4711"))
    heard = []
    for pin in (*(f"{guess:04}" for guess in range(8)), "4711"):
        async with screen(floor.url, seat(1, 3)) as thief:
            answer = await thief.ask(m.ReturnToSeat(seat=3, pin=pin))
            heard.append(answer.get("why", answer["type"]))
            assert (await thief.ask(m.CashOut(seat=3)))["why"] == "reserved"
    assert heard == ["done"] * 3 + ["needs_staff"] * 6
    session = await kit.staffed(floor.url, 1)
    async with screen(floor.url, dealer(1), session) as deals:
        back = m.ReturnToSeat(seat=3)
        assert (await deals.ask(back))["why"] == "needs_two", "a PIN guards money"
        second = Role.ADMINISTRATOR
        await approve(floor.url, dealer(1), session, second, Deed(table=1, request=back))
        assert (await deals.ask(back, approver=BADGES[second]))["type"] == "done"
    async with screen(floor.url, seat(1, 3)) as player:
        assert player.view["credit_cents"] == 5_000
        await player.cashes_out()


OTHERS = [kind for kind in DECIDERS if "seat" in kind.__struct_fields__]


@awaited
async def test_a_seat_asks_nothing_in_the_name_of_another_seat(floor: Target) -> None:
    before = await kit.head(floor.database, 3)
    async with screen(floor.url, seat(3, 5)) as player:
        for kind, number in itertools.product(OTHERS, (6, 0, -5, 10**30)):
            request = msgspec.to_builtins(example(kind)) | {"seat": number}
            await player.say({"type": "ask", "id": "mine", "request": request})
            answer = await player.told()
            assert answer["type"] == "refused", (kind, number, answer)
            assert answer["why"] in ("wrong_place", "house_alone"), (kind, number, answer)
    since = [record.actor for record, _ in await kit.records(floor.database, 3) if record.seq > before]
    assert set(since) <= {"house"}, "a table opens by itself, and nothing else is written"


@pytest.mark.parametrize("number", ["5", 5.5, None, [5], True])
@awaited
async def test_a_seat_that_is_no_number_ends_the_line(floor: Target, number: object) -> None:
    async with screen(floor.url, seat(3, 5)) as player:
        await player.say({"type": "ask", "id": "mine", "request": {"do": "cash_out", "seat": number}})
        assert (await player.told())["type"] == "bad"


# --- Getting in ---


@awaited
async def test_a_code_that_eight_give_at_once_enrols_one(floor: Target) -> None:
    session = await sign_in(floor.url, OFFICE, Role.SUPERVISOR)
    place = {"screen": "info", "table": 3}
    offered = await http(floor.url, "POST", "/api/terminals", place, token=OFFICE, session=session)
    code = {"code": offered.json["code"]}
    answers = await asyncio.gather(*(http(floor.url, "POST", "/api/enrol", code) for _ in range(8)))
    assert Counter(answer.status for answer in answers) == {200: 1, 409: 7}
    [enrolled] = [answer for answer in answers if answer.status == 200]
    assert (await http(floor.url, "GET", "/api/place", token=enrolled.json["token"])).status == 200
    assert (await http(floor.url, "GET", "/api/place", token=token(Place("info", 3)))).status == 401


@awaited
async def test_no_endpoint_of_the_desk_answers_nobody_seats_displays_or_terminals_without_staff(
    floor: Target,
) -> None:
    session = await sign_in(floor.url, OFFICE, Role.ADMINISTRATOR)
    callers = {
        ("", ""): 401,
        ("guessed", ""): 401,
        (seat(1, 1), ""): 403,
        (token(Place("table", 1)), ""): 403,
        (token(Place("info", 1)), ""): 403,
        (dealer(3), ""): 401,
        (OFFICE, ""): 401,
        (OFFICE, "guessed"): 401,
        (dealer(3), session): 401,
        (seat(1, 1), session): 403,
        ("", session): 401,
    }
    before = await kit.head(floor.database, FLOOR)
    for endpoint, ((who, signed_in), status) in itertools.product(DESK, callers.items()):
        method, (path, body) = endpoint.split()[0], EXAMPLES[endpoint]
        answer = await http(floor.url, method, path, body, token=who, session=signed_in)
        assert answer.status == status, (endpoint, who, answer)
    assert await kit.head(floor.database, FLOOR) == before


# --- From another site ---


def foreign(url: str) -> list[str]:
    host, port = url.removeprefix("http://").split(":")
    other = str(int(port) - 1)
    return [
        "null",
        "",
        "http://evil.example",
        f"http://{host}:{other}",
        f"http://{host}",
        f"http://{host}.evil:{port}",
    ]


@awaited
async def test_a_page_of_another_site_neither_posts_nor_connects_nor_reads(floor: Target) -> None:
    told = {"badge": BADGES[Role.DEALER], "password": PASSWORD}
    for origin in foreign(floor.url):
        posted = await http(floor.url, "POST", "/api/sign-in", told, token=dealer(3), origin=origin)
        assert posted.status == 403, origin
        with pytest.raises(InvalidStatus) as refused:
            async with line(floor.url, seat(3, 6), origin=origin):
                pass
        assert refused.value.response.status_code == 403, origin
        read = await http(floor.url, "GET", "/api/place", token=seat(3, 6), origin=origin)
        asked = await http(
            floor.url, "OPTIONS", "/api/sign-in", origin=origin, access_control_request_method="POST"
        )
        for answer in (read, asked):
            assert not [name for name in answer.headers if name.startswith("access-control-")], origin
        assert read.headers["cross-origin-resource-policy"] == "same-origin"


@awaited
async def test_no_page_can_be_framed_and_none_runs_what_is_not_ours(floor: Target) -> None:
    for path in ("/seat/1", "/dealer", "/table", "/info", "/office", "/healthz", "/api/place", "/nothing"):
        headers = (await http(floor.url, "GET", path)).headers
        policy = dict(each.strip().partition(" ")[::2] for each in headers["content-security-policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == "'self'"
        assert policy["frame-ancestors"] == "'none'"
        assert policy["base-uri"] == "'none'"
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"


@awaited
async def test_cookies_are_for_this_site_and_no_script(floor: Target) -> None:
    told = {"badge": BADGES[Role.DEALER], "password": PASSWORD}
    answer = await http(floor.url, "POST", "/api/sign-in", told, token=dealer(3))
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "domain=" not in cookie


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../../__init__.py",
        "/assets/%2e%2e/%2e%2e/__init__.py",
        "/assets/..%2f..%2fcli%2f__init__.py",
        "/assets//etc/passwd",
        "/assets/%00",
        "//etc/passwd",
        "/seat/..",
        "/../floor.toml",
        "/floor.db",
    ],
)
@awaited
async def test_no_path_leads_out_of_the_pages(floor: Target, path: str) -> None:
    answer = await http(floor.url, "GET", path)
    assert answer.status in (400, 404)
    assert b"stickman" not in answer.body


# --- Under TLS ---


@pytest.fixture
def secured(tmp_path: Path) -> Iterator[Target]:
    """A floor with the kind of certificate that lets a server be talked into the most."""
    target = kit.target(tmp_path / "floor", config=CONFIG + '[tls]\ncertificate = "floor.pem"\nkey = "floor.key"\n')
    private, now = rsa.generate_private_key(65_537, 2_048), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "floor")])
    made = (
        x509.CertificateBuilder(name, name, private.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .sign(private, SHA256())
    )
    key = tmp_path / "floor" / "floor.key"
    key.touch(0o600)
    key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (tmp_path / "floor" / "floor.pem").write_bytes(made.public_bytes(Encoding.PEM))
    with target:
        yield target


def agreed(floor: Target, version: ssl.TLSVersion, ciphers: str) -> str:
    """The suite on which a client that takes anything and the server agree; empty: none."""
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of old versions, which is what is tried here
        client.minimum_version = client.maximum_version = version
    client.set_ciphers(f"{ciphers}:@SECLEVEL=0")
    port = int(floor.url.rpartition(":")[2])
    try:
        with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as line, client.wrap_socket(line) as secure:
            return str((secure.cipher() or ("",))[0])
    except (ssl.SSLError, ConnectionError):
        return ""


def test_nobody_talks_the_server_into_old_tls_or_a_suite_without_forward_secrecy_or_authentication(
    secured: Target,
) -> None:
    anything = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anything.set_ciphers("ALL:@SECLEVEL=0")
    suites = [each["name"] for each in anything.get_ciphers() if not each["name"].startswith("TLS_")]
    taken = {agreed(secured, ssl.TLSVersion.TLSv1_2, suite) for suite in suites} - {""}
    assert taken
    assert all(re.fullmatch(r"ECDHE-RSA-(AES(128|256)-GCM-SHA(256|384)|CHACHA20-POLY1305)", each) for each in taken)
    assert agreed(secured, ssl.TLSVersion.TLSv1_3, "ALL")
    assert [agreed(secured, old, "ALL") for old in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1)] == ["", ""]


# --- Past-posting ---


@awaited
async def test_no_bet_counts_at_or_after_the_end_of_bet_time(quick: Target) -> None:
    """Three seats put down and take back as fast as they may, round several closes, one of them with a bet that
    lies; the journal is the judge."""
    for number in (1, 2, 3):
        await fund(quick.url, 1, number, 1000)
    heard = await asyncio.gather(*(_posts(quick.url, number) for number in (1, 2, 3)))
    written = await kit.records(quick.database, 1)
    said = sum(heard, Counter[str]())
    assert said["wrong_phase"] > 10, said
    closes_at_ms, closes, bets = 0, 0, 0
    for record, events in written:
        for event in events:
            match event:
                case m.BetsOpened():
                    closes_at_ms = event.closes_at_ms
                case m.BetTimeSet():
                    closes_at_ms = event.closes_at_ms
                case m.TableResumed():
                    closes_at_ms = event.deadline_ms
                case m.BetsClosed():
                    closes_at_ms, closes = -1, closes + 1
                case m.BetPlaced() | m.BetTaken():
                    assert not closes_at_ms or closes_at_ms > record.at_ms, (record.seq, event)
                    bets += 1
    assert bets >= said["done"] > 10, said
    assert closes >= 2


async def _posts(url: str, number: int) -> Counter[str]:
    """Ask for bets over three bet times; what came of it."""
    heard: Counter[str] = Counter()
    async with screen(url, seat(1, number)) as player, asyncio.timeout(4 * PATIENCE_S):
        first = player.view["shared"]["round"]
        for turn in range(1_000):
            if player.view["shared"]["round"] >= first + 2:
                break
            # Without a bet that lies no time runs.
            if number == 3 and player.phase == "betting" and "pass" not in player.view["wagers"]:
                await player.ask(m.PlaceBet(seat=number, spot="pass", cents=BET))
            bet: m.Request = m.PlaceBet(seat=number, spot="field", cents=BET)
            answer = await player.ask(bet if turn % 2 == 0 else m.TakeBet(seat=number, spot="field"))
            heard[str(answer.get("why", answer["type"]))] += 1
            if player.phase == "shooting":
                await player.ask(m.Shoot(seat=number))
    return heard


# --- What is written by one and read by another ---

NASTY = [
    "<script>alert(1)</script>",
    "<b>x</b>",
    "=1+1",
    "+1",
    "@SUM(A1)",
    "\x1b[31mred",
    "\x1b]0;title\x07",
    "a\u202eb",
    "x\x00y",
    "\x7f",
    "' OR 1=1; --",
    "{{7*7}}",
]


@awaited
async def test_no_seat_is_named_by_markup_formulas_or_control_characters(floor: Target) -> None:
    async with screen(floor.url, seat(3, 7)) as player:
        for name in (*NASTY, "x" * 17):
            assert (await player.ask(m.NameSeat(seat=7, name=name)))["why"] == "bad_name", name


@awaited
async def test_no_account_has_control_characters_in_its_badge_or_its_label(floor: Target) -> None:
    session = await sign_in(floor.url, OFFICE, Role.ADMINISTRATOR)
    for text in NASTY:
        told = {"badge": text, "label": "x", "role": "dealer"}
        answer = await http(floor.url, "POST", "/api/staff", told, token=OFFICE, session=session)
        assert answer.status in (400, 409), (text, answer)
        if not text.isprintable():
            told = {"badge": "badge-70", "label": text, "role": "dealer"}
            answer = await http(floor.url, "POST", "/api/staff", told, token=OFFICE, session=session)
            assert answer.status in (400, 409), (text, answer)
    assert "badge-70" not in str((await http(floor.url, "GET", "/api/staff", token=OFFICE, session=session)).json)


REASON = "=HYPERLINK(1)<script>alert(1)</script>[/red][link=x]"


def test_what_staff_write_as_a_reason_runs_in_no_page_no_sheet_and_no_terminal(
    floor: Target, tmp_path: Path
) -> None:
    number = asyncio.run(_voided(floor))
    db, out = floor.database.removeprefix("sqlite:"), str(tmp_path / "csv")
    config = str(Path(db).parent / "floor.toml")
    commands = [
        ["ticket", "show", number, "--config", config],
        ["report", db],
        ["report", db, "--html", str(tmp_path / "report.html")],
        ["export", db, "--out", out, "--format", "csv"],
        ["staff", "list", "--config", config],
    ]
    for command in commands:
        ran = CliRunner().invoke(main, command)
        assert ran.exit_code == 0, (command, ran.output)
    assert "[/red]" in CliRunner().invoke(main, ["report", db]).output
    assert "<script" not in (tmp_path / "report.html").read_text()
    sheets = [*Path(out).glob("*.csv")]
    assert sheets
    assert [sheet for sheet in sheets if _formulas(sheet.read_text())] == []


def test_a_reason_of_before_that_has_control_characters_is_spelt_out() -> None:
    assert tally._shown("\x1b]0;owned\x07") == r"\x1b]0;owned\x07"


def _formulas(text: str) -> list[str]:
    """Cells that a spreadsheet would reckon with."""
    return [cell for row in csv.reader(io.StringIO(text)) for cell in row if cell[:1] in tuple("=+@\t\r") and cell]


async def _voided(floor: Target) -> str:
    """Void a ticket for a nasty reason, which is the worst that is taken; look at all that the office shows."""
    number = await kit.print_ticket(floor, 1, 2, 7)
    session = await sign_in(floor.url, OFFICE, Role.SUPERVISOR)
    endpoint = f"/api/tickets/{number}/void"
    told = {"approver": BADGES[Role.PIT_BOSS], "reason": REASON + "\x1b[2J"}
    deed = Deed(endpoint=f"POST {endpoint}", body=told)
    await approve(floor.url, OFFICE, session, Role.PIT_BOSS, deed)
    answer = await http(floor.url, "POST", endpoint, told, token=OFFICE, session=session)
    assert answer.json["why"] == "needs_reason"
    told = {"approver": BADGES[Role.PIT_BOSS], "reason": REASON}
    deed = Deed(endpoint=f"POST {endpoint}", body=told)
    await approve(floor.url, OFFICE, session, Role.PIT_BOSS, deed)
    answer = await http(floor.url, "POST", endpoint, told, token=OFFICE, session=session)
    assert answer.status == 200, answer
    for path in ("/api/events", "/api/report", f"/api/tickets/{number}"):
        shown = await http(floor.url, "GET", path, token=OFFICE, session=session)
        assert b"<script" not in shown.body or shown.headers["content-type"] == "application/json"
        assert b"\x1b" not in shown.body
    sheets = await http(floor.url, "GET", "/api/report?form=csv", token=OFFICE, session=session)
    packed = zipfile.ZipFile(io.BytesIO(sheets.body))
    assert [name for name in packed.namelist() if _formulas(packed.read(name).decode())] == []
    return number


# --- Two people ---


@awaited
async def test_nobody_is_their_own_second_person(floor: Target) -> None:
    number = await kit.print_ticket(floor, 1, 2, 7)
    session = await sign_in(floor.url, OFFICE, Role.SUPERVISOR)
    told = {"approver": BADGES[Role.SUPERVISOR], "reason": "alone"}
    endpoint = f"/api/tickets/{number}/void"
    deed = Deed(endpoint=f"POST {endpoint}", body=told)
    await approve(floor.url, OFFICE, session, Role.SUPERVISOR, deed)
    alone = await http(floor.url, "POST", endpoint, told, token=OFFICE, session=session)
    assert (alone.status, alone.json["why"]) == (403, "needs_two")
    never = {"approver": BADGES[Role.PIT_BOSS], "reason": "nobody approved"}
    assert (await http(floor.url, "POST", endpoint, never, token=OFFICE, session=session)).json[
        "why"
    ] == "needs_two"
    assert (await http(floor.url, "GET", f"/api/tickets/{number}", token=OFFICE, session=session)).json[
        "status"
    ] == "good"


@awaited
async def test_an_approval_reverses_one_roll_however_often_it_is_asked(floor: Target) -> None:
    await fund(floor.url, 2, 1, 100)
    session = await kit.staffed(floor.url, 2)
    second = Role.SUPERVISOR
    async with screen(floor.url, seat(2, 1)) as player, screen(floor.url, dealer(2), session) as deals:
        await player.bets("field", exactly(BET))
        await deals.counts("4-4")
        reverse = m.ReverseRoll(dice=(1, 1))
        deed = Deed(table=2, request=reverse)
        assert (await approve(floor.url, dealer(2), session, second, deed)).status == 200
        first = await deals.ask(reverse, "reverse-1", BADGES[second])
        assert first["type"] == "done"
        assert await deals.ask(reverse, "reverse-1", BADGES[second]) == first
        for again in ("reverse-2", "reverse-3"):
            answer = await deals.ask(replace(reverse, dice=(6, 6)), again, BADGES[second])
            assert (answer["type"], answer["why"]) == ("refused", "needs_two")
        await deals.do(m.OpenBets())
        await player.cashes_out()


# --- Secrets ---


@awaited
async def test_no_password_token_code_pin_or_ticket_number_is_logged_measured_or_told(own: Target) -> None:
    url = own.url
    number = await kit.print_ticket(own, 1, 1, "12.34")
    session = await sign_in(url, OFFICE, Role.ADMINISTRATOR)
    place = {"screen": "info", "table": 1}
    offered = await http(url, "POST", "/api/terminals", place, token=OFFICE, session=session)
    secrets = {PASSWORD, session, number, "86420975", "a wrong password", "ABCD-EFGH", "a-guessed-token"}
    secrets |= {offered.json["code"], seat(1, 1), dealer(1), OFFICE}
    await _misused(url, secrets)
    told = {"log": own.server.log(), "metrics": (await http(url, "GET", "/metrics")).body.decode()}
    for path in ("/api/events", "/api/health"):
        told[path] = (await http(url, "GET", path, token=OFFICE, session=session)).body.decode()
    assert kit.loud(told["log"]) == []
    for where, text in told.items():
        hidden = secrets - {number} if where == "/api/events" else secrets
        assert [secret for secret in hidden if secret in text] == [], where


async def _misused(url: str, secrets: set[str]) -> None:
    """Give every secret where it does not belong."""
    async with screen(url, seat(1, 2)) as player:
        await player.ask(m.ReserveSeat(seat=2, pin="86420975"))
        await player.ask(m.ReturnToSeat(seat=2, pin="86420975"))
    wrong: list[tuple[str, Any]] = [
        ("/api/sign-in", {"badge": BADGES[Role.DEALER], "password": "a wrong password"}),
        ("/api/sign-in", {"badge": BADGES[Role.DEALER], "password": PASSWORD, "more": PASSWORD}),
        ("/api/enrol", {"code": "ABCD-EFGH"}),
        ("/api/enrol", {"code": 5, "password": PASSWORD}),
    ]
    for path, body in wrong:
        await http(url, "POST", path, body, token=OFFICE)
    for secret in secrets:
        await http(url, "GET", "/api/place", token=secret)
        async with line(url, seat(1, 3)) as attacker:
            await attacker.say({"type": "ask", "secret": secret})
            assert (await attacker.hear())["type"] == "bad"
