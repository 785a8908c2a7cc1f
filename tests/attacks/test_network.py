"""The network's edge, tried by who has no token, and by who has a seat's: the real program, real sockets."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from stickman.floor.events import Role
from stickman.server.limits import ServerLimits
from stickman.store.signing import Signer
from tests.attacks.raw import CONT, PING, TEXT, RawLine, asked, dial, frame, head, is_cut, rest, status
from tests.server.process import BADGES, CONFIG, OFFICE, PASSWORD, ServerProcess, dealer, prepare, seat
from tests.server.test_app import certify
from tests.talk.server import screen

REQUEST_S = 1
SHORT = f"[limits]\nrequest_s = {REQUEST_S}\nkeep_alive_s = 1\nsend_s = 1\nping_s = 1\n"
"""So that nobody has to wait for long."""
DEEP = "control_frames_burst = 100_000\nbytes_burst = 1_000_000_000\nattempts_burst = 10_000\n"
FLOODED, REPLACED, TOO_LONG, BAD, NOT_TEXT = 4005, 4004, 1009, 1008, 1007


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(prepare(tmp_path_factory.mktemp("edge") / "floor", CONFIG + SHORT)) as process:
        yield process
        assert "Traceback" not in process.log(), process.log()
        assert '"level": "error"' not in process.log(), process.log()


@pytest.fixture(scope="module")
def url(server: ServerProcess) -> str:
    return server.url


def ask(url: str, method: str, path: str, body: object = None, source: str = "127.0.0.1", **headers: str) -> bytes:
    data = b"" if body is None else json.dumps(body).encode()
    sent = {"connection": "close", "content_length": str(len(data)), **headers}
    return asked(url, head(url, method, path, **sent) + data, source)


def said(answer: bytes) -> object:
    return json.loads(answer.partition(b"\r\n\r\n")[2])


def sign_in(url: str, role: Role, source: str = "127.0.0.1", terminal: str = OFFICE) -> str:
    told = {"badge": BADGES[role], "password": PASSWORD}
    answer = ask(url, "POST", "/api/sign-in", told, source, authorization=f"Bearer {terminal}")
    assert status(answer) == 200, answer
    return answer.partition(b"stickman_staff=")[2].split(b";")[0].decode()


def lines_of(url: str, screen: str) -> int:
    """How many lines of a kind the server says that there are."""
    found = re.search(rf'stickman_connections{{screen="{screen}"}} (\d+)', ask(url, "GET", "/metrics").decode())
    return int(found[1]) if found else 0


def until(so: object, seconds: float = 15) -> None:
    """Wait until something is so."""
    assert callable(so)
    ends = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < ends, f"it did not come about in {seconds} s"
        time.sleep(0.1)


# --- Requests that never end (row 9) ---


@pytest.mark.parametrize(
    ("method", "path", "answer"),
    [("POST", "/nowhere", 404), ("POST", "/healthz", 405), ("POST", "/api/enrol", 408)],
)
def test_a_slow_body_ends_with_the_requests_deadline_whatever_is_answered(
    url: str, method: str, path: str, answer: int
) -> None:
    with dial(url) as made:
        made.sendall(head(url, method, path, content_length="16000"))
        began, heard = time.monotonic(), b""
        while time.monotonic() - began < 4 * REQUEST_S:
            try:
                made.sendall(b" ")
            except ConnectionError:
                break
            made.settimeout(0.2)
            try:
                data = made.recv(65_536)
            except TimeoutError:
                continue
            except ConnectionError:
                break
            if not data:
                break
            heard += data
        else:
            pytest.fail("the connection is still held")
        assert status(heard) == answer
        assert b"connection: close" in heard


def test_slow_headers_are_cut(url: str) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(dial(url)) for _ in range(3)]
        for made, sent in zip(slow, (b"", b"GET / HT", head(url, "GET", "/healthz")[:-2] + b"slow: "), strict=True):
            made.sendall(sent)
        assert all(rest(made, 6) is not None for made in slow)


def test_an_idle_connection_is_closed_in_seconds_and_empty_lines_do_not_keep_it(url: str) -> None:
    with dial(url) as idle, dial(url) as sly:
        for made in (idle, sly):
            made.sendall(head(url, "GET", "/healthz"))
            assert b"200 OK" in made.recv(65_536)
        for _ in range(40):
            if is_cut(sly):
                break
            sly.setblocking(True)
            sly.sendall(b"\r\n")
            time.sleep(0.2)
        else:
            pytest.fail("empty lines keep a connection for as long as one likes")
        assert is_cut(idle)


def test_slow_bodies_leave_descriptors_for_the_store(tmp_path: Path) -> None:
    """`ulimit -n 120` and 140 slow bodies: the server answers, and checkpoints go on being signed."""
    folder = tmp_path / "floor"
    checkpoints = '[checkpoints]\nfile = "checkpoints"\nkey = "checkpoints.pem"\nevery_s = 1\n'
    process = ServerProcess(prepare(folder, CONFIG + checkpoints))
    Signer.generate().save(folder / "checkpoints.pem")
    process.descriptors = 120
    with process, ExitStack() as stack:
        session = sign_in(process.url, Role.PIT_BOSS)
        for number in range(140):
            made = stack.enter_context(dial(process.url, f"127.0.0.{1 + number % 2}"))
            slow = head(process.url, "POST", "/nowhere", content_length="16000") + b" "
            made.sendall(slow if number % 4 < 2 else b"POST /api/enrol HT")
        until((folder / "checkpoints").exists)
        signed = (folder / "checkpoints").read_bytes()
        for number in range(10):
            assert status(ask(process.url, "GET", "/healthz", source=f"127.0.0.{1 + number % 4}")) == 200
        with closing(RawLine(process.url, seat(1, 1))) as line:
            line.join()
        # Something happens, which the next checkpoint covers.
        ask(
            process.url,
            "POST",
            "/api/sign-out",
            {},
            authorization=f"Bearer {OFFICE}",
            cookie=f"stickman_staff={session}",
        )
        until(lambda: (folder / "checkpoints").read_bytes() != signed)
        assert "no checkpoint was signed" not in process.log()


def test_an_address_holds_few_connections_and_a_screen_there_still_gets_in(url: str) -> None:
    with ExitStack() as stack:
        few = ServerLimits().strangers_of_an_address
        idle = [stack.enter_context(dial(url, "127.0.0.3")) for _ in range(few + 70)]
        with closing(RawLine(url, seat(1, 1), "127.0.0.3")) as line:
            line.join()
        assert sum(map(is_cut, idle)) >= 70
        assert status(ask(url, "GET", "/healthz", source="127.0.0.4")) == 200


def test_a_tls_handshake_that_never_comes_is_counted_and_cut_too(tmp_path: Path) -> None:
    tls = '[tls]\ncertificate = "floor.pem"\nkey = "floor.key"\n'
    config = prepare(tmp_path / "floor", CONFIG + SHORT + tls)
    certify(config.parent / "floor.pem", config.parent / "floor.key")
    with ServerProcess(config) as process, ExitStack() as stack:
        silent = [stack.enter_context(dial(process.url)) for _ in range(100)]
        until(lambda: sum(map(is_cut, silent)) == len(silent))
        assert "Traceback" not in process.log()


def test_too_few_descriptors_are_refused_at_the_start(tmp_path: Path) -> None:
    process = ServerProcess(prepare(tmp_path / "floor"))
    process.descriptors = 80
    process.begin()
    with pytest.raises(AssertionError, match="80 file descriptors"):
        process.wait()
    process.kill()


# --- Lines that do not read, and lines that flood (rows 5, 12, 13, 24) ---


def test_a_line_that_reads_nothing_is_cut(tmp_path: Path) -> None:
    """Limits are raised, so that the answers to its pings fill every buffer on the way."""
    process = ServerProcess(prepare(tmp_path / "floor", CONFIG + SHORT + DEEP))
    with process, closing(RawLine(process.url, seat(1, 1), receive_buffer=4_096)) as deaf:
        deaf.join()
        deaf.socket.settimeout(1)
        for _ in range(500):
            if not deaf.send(*[frame(PING, bytes(125))] * 1_000):
                break
        until(lambda: lines_of(process.url, "seat") == 0)


@pytest.mark.parametrize("opcode", [PING, 10, CONT])
def test_control_frames_and_empty_fragments_are_counted(url: str, opcode: int) -> None:
    with closing(RawLine(url, seat(1, 2))) as line:
        line.join()
        if opcode == CONT:
            line.send(frame(TEXT, b"{", fin=False))
        for _ in range(50):
            if not line.send(*[frame(opcode, fin=opcode != CONT)] * 1_000):
                break
        assert line.closing() in (FLOODED, 0)  # 0: the rest of the flood cut the connection before it was told
    until(lambda: lines_of(url, "seat") == 0)


def test_a_few_control_frames_are_welcome(url: str) -> None:
    with closing(RawLine(url, seat(1, 2))) as line:
        line.join()
        line.send(*[frame(PING, b"there?")] * 10)
        assert [line.hear() for _ in range(10)] == [(10, b"there?")] * 10


def test_all_lines_of_a_seat_share_one_bucket(url: str) -> None:
    lines = [RawLine(url, seat(3, 1)) for _ in range(2)]
    began = time.monotonic()
    for line in lines:
        line.join()
        line.send(*[frame(TEXT, b'{"type":"ping"}')] * 100)
    answered = 0
    for _ in range(120):
        if time.monotonic() - began > 1.5:
            break
        for line in lines:
            line.socket.settimeout(0.05)
            try:
                answered += b"pong" in line.hear().data
            except TimeoutError:
                continue
    assert answered <= 60 + 12 * (time.monotonic() - began)
    for line in lines:
        line.close()


def test_a_third_line_of_a_seat_replaces_the_oldest(url: str) -> None:
    with ExitStack() as stack:
        first, second, third = (stack.enter_context(closing(RawLine(url, seat(3, 2)))) for _ in range(3))
        assert first.closing() == REPLACED
        second.join()
        third.join()
        until(lambda: lines_of(url, "seat") == 2)


def test_a_page_keeps_its_line_while_others_come_and_go_beside_it(url: str) -> None:
    """As a page does that is reloaded again and again, and as the tests of the screens do."""
    with closing(RawLine(url, seat(3, 3))) as page:
        page.join()
        for _ in range(15):
            with closing(RawLine(url, seat(3, 3))) as other:
                other.join()
                other.send(frame(8, b"\x03\xe8"))
        page.say({"type": "ping"})
        assert b"pong" in page.hear().data


def test_a_terminal_opens_only_so_many_lines_a_second(url: str) -> None:
    statuses = []
    began = time.monotonic()
    for _ in range(150):
        with closing(RawLine(url, dealer(3))) as line:
            statuses.append(status(line.response))
    assert statuses.count(101) <= 60 + 5 * (time.monotonic() - began)
    assert set(statuses) <= {101, 429}


# --- Codes and passwords (rows 16, 22) ---


def tried(url: str, count: int, source: str) -> list[int]:
    """Wrong codes, as quickly as they are answered."""
    return [status(ask(url, "POST", "/api/enrol", {"code": "AAAA-AAAA"}, source)) for _ in range(count)]


def failures(url: str, session: str) -> list[int]:
    """The wrong codes that the journal has, by their counts."""
    own = {"authorization": f"Bearer {OFFICE}", "cookie": f"stickman_staff={session}"}
    counts, after = [], 0
    for _ in range(100):
        page = said(ask(url, "GET", f"/api/events?after={after}", **own))
        assert isinstance(page, dict)
        counts += [each.get("count", 1) for each in page["events"] if each["event"] == "enrolment_failed"]
        if page["after"] == after:
            break
        after = page["after"]
    return counts


def test_wrong_codes_leave_no_debt_keep_nobody_out_and_hardly_grow_the_journal(url: str) -> None:
    flood = tried(url, 400, "127.0.0.21")
    assert flood[:30] == [409] * 30
    assert flood.count(429) > 300
    # Staff sign in from the same address, and a code from elsewhere enrols.
    session = sign_in(url, Role.SUPERVISOR, "127.0.0.21")
    own = {"authorization": f"Bearer {OFFICE}", "cookie": f"stickman_staff={session}"}
    place = {"screen": "info", "table": 1, "seat": 0}
    offered = said(ask(url, "POST", "/api/terminals", place, **own))
    assert isinstance(offered, dict)
    assert status(ask(url, "POST", "/api/enrol", {"code": offered["code"]}, "127.0.0.22")) == 200
    time.sleep(1.2)
    assert tried(url, 1, "127.0.0.21") == [409], "the flood is not paid for later"
    for address in range(100, 124):
        assert tried(url, 10, f"127.0.1.{address}") == [409] * 10
    counts = failures(url, session)
    assert counts[0] == 1
    assert len(counts) <= 4
    assert 200 in counts


# --- Hosts and origins (row 25) ---


def upgrade(url: str, **headers: Any) -> int:
    with closing(RawLine(url, seat(2, 1), **headers)) as line:
        return status(line.response)


def test_the_server_answers_to_its_own_names_alone(url: str) -> None:
    port = urlsplit(url).port
    for host in ("evil.example", f"evil.example:{port}", "", "127.0.0.1.evil.example"):
        assert status(ask(url, "GET", "/healthz", host=host)) == 421
        assert status(ask(url, "POST", "/api/enrol", {"code": "x"}, host=host, origin=f"http://{host}")) == 421
        assert upgrade(url, host=host) == 421
    for host in (f"localhost:{port}", f"LOCALHOST:{port}", f"127.0.0.1:{port}"):
        assert status(ask(url, "GET", "/healthz", host=host)) == 200


def test_a_number_of_thousands_of_digits_is_no_address(url: str) -> None:
    """Python reads no more than 4,300 digits; nobody needs a token to try."""
    digits = "1" * 5_000
    for path in (f"/seat/{digits}", f"/api/par/{digits}", f"/api/receipts/1/{digits}"):
        assert status(ask(url, "GET", path)) == 404


def test_two_hosts_are_none(url: str) -> None:
    two = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\nconnection: close\r\n\r\n"
    assert status(asked(url, two)) in (400, 421)


def test_the_whole_origin_is_compared(url: str) -> None:
    place = urlsplit(url).netloc
    for origin in (
        f"x://{place}",
        f"https://{place}",
        f"//{place}",
        "http://127.0.0.1",
        f"http://{place}/",
        "null",
    ):
        assert status(ask(url, "POST", "/api/enrol", {"code": "x"}, "127.0.0.31", origin=origin)) == 403
        assert upgrade(url, origin=origin) == 403
    assert status(ask(url, "POST", "/api/enrol", {"code": "x"}, "127.0.0.31", origin=url)) == 409
    assert upgrade(url, origin=url) == 101


# --- Texts (row 30) ---


@pytest.mark.parametrize(
    "message",
    [
        {"type": "ask", "id": "a\n", "request": {"do": "undo", "seat": 1}},
        {"type": "ask", "id": "a", "request": {"do": "reserve_seat", "seat": 1, "pin": "1234\n"}},
        {"type": "ask", "id": "a", "request": {"do": "reserve_seat", "seat": 1, "pin": "١٢٣٤"}},
    ],
)
def test_a_newline_or_another_scripts_digits_are_no_part_of_an_id_or_a_pin(url: str, message: object) -> None:
    with closing(RawLine(url, seat(2, 2))) as line:
        line.join()
        line.say(message)
        assert b'"type":"bad"' in line.hear().data
        assert line.closing() == BAD


# --- What held, and goes on holding ---


def closed_with(url: str, *frames: bytes, joined: bool = True) -> int:
    with closing(RawLine(url, seat(2, 3))) as line:
        if joined:
            line.join()
        line.send(*frames)
        return line.closing()


def test_a_giant_frame_is_not_read(url: str) -> None:
    assert closed_with(url, frame(TEXT, b"x" * 100_000)) in (TOO_LONG, 0)


def test_fragments_without_end_are_not_gathered(url: str) -> None:
    parts = [frame(TEXT, b"x" * 1_000, fin=False), *[frame(CONT, b"x" * 1_000, fin=False)] * 20]
    assert closed_with(url, *parts) in (TOO_LONG, 0)


@pytest.mark.parametrize(
    "text", [b"[" * 4_000, b'{"type":' * 500, b"\0", b'{"type":"join"\0}', b'"\\ud800"', b'{"a":1e999999}']
)
def test_deep_odd_and_broken_json_is_bad(url: str, text: bytes) -> None:
    assert closed_with(url, frame(TEXT, text)) == BAD


def test_binary_that_is_no_message_is_bad(url: str) -> None:
    assert closed_with(url, frame(2, bytes(range(256)))) == BAD


def test_text_that_is_not_utf_8_ends_the_line_and_leaves_no_trace_in_the_log(
    server: ServerProcess, url: str
) -> None:
    assert closed_with(url, frame(TEXT, b"\xed\xa0\x80")) == NOT_TEXT
    assert "Traceback" not in server.log()


@pytest.mark.parametrize(
    "body", [b'{"code":"AAAA\xa0"}', b"[" * 16_000, b'{"code":"\\ud800"}', b"\0", b'{"code":1e999}']
)
def test_a_body_that_is_no_json_is_told_and_leaves_no_trace_in_the_log(
    server: ServerProcess, url: str, body: bytes
) -> None:
    before = len(server.log())
    sent = head(url, "POST", "/api/enrol", connection="close", content_length=str(len(body))) + body
    assert status(asked(url, sent, "127.0.0.41")) in (400, 409)
    assert server.log()[before:] == ""


def test_no_compression_is_negotiated(url: str) -> None:
    with closing(RawLine(url, seat(2, 3), sec_websocket_extensions="permessage-deflate")) as line:
        assert b"101" in line.response
        assert b"permessage-deflate" not in line.response


@pytest.mark.parametrize(
    "sent",
    [
        b"POST /ws HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
        b"GET /ws HTTP/1.1\r\nhost: localhost\r\nupgrade: tea\r\nconnection: upgrade, close\r\n\r\n",
        b"GET http://[ HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00",
    ],
)
def test_what_is_no_request_is_cut_without_a_trace_in_the_log(server: ServerProcess, url: str, sent: bytes) -> None:
    before = len(server.log())
    asked(url, sent)
    assert server.log()[before:] == ""


def test_who_goes_in_the_middle_of_a_body_leaves_no_trace_in_the_log(server: ServerProcess, url: str) -> None:
    before = len(server.log())
    with dial(url) as made:
        made.sendall(head(url, "POST", "/api/enrol", content_length="100") + b"{")
    assert status(ask(url, "GET", "/healthz")) == 200
    time.sleep(0.2)
    assert server.log()[before:] == ""


def test_the_server_still_plays_after_all_of_this(url: str) -> None:
    async def play() -> None:
        async with screen(url, seat(1, 3)) as player:
            assert player.phase == "betting"
            await player.caught_up()

    asyncio.run(play())
