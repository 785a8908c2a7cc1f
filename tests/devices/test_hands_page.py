"""The commands `stickman device`, as processes: their wires, their lines, and their page in a browser."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from stickman.cli import main
from stickman.devices.emulated_bench import BadBench, BenchPage, demo_bench, read_bench
from stickman.devices.escpos import PaperFormat, PrinterSlip, SlipLine, lay_out
from stickman.devices.hands_page import BODY_MAX, read_listen
from stickman.devices.id003 import Packet

FRAME = "http://127.0.0.1:8000"
NUMBER = "012345678901234567"
STICKMAN = Path(sys.executable).with_name("stickman")
CHROMIUM = os.environ.get("CHROMIUM") or next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [STICKMAN, "device", *arguments, "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


def read(program: subprocess.Popen[str]) -> dict[str, Any]:
    assert program.stdout
    found: dict[str, Any] = json.loads(program.stdout.readline())
    return found


def type_line(program: subprocess.Popen[str], line: str) -> None:
    assert program.stdin
    program.stdin.write(line + "\n")


def stop(program: subprocess.Popen[str], number: signal.Signals = signal.SIGTERM) -> None:
    program.send_signal(number)
    program.communicate(timeout=10)
    assert program.returncode == 0


def connect(address: str) -> socket.socket:
    host, port = address.removeprefix("tcp://").split(":")
    return socket.create_connection((host, int(port)), timeout=5)


class Bench:
    """A bench as a process, with a file of its addresses."""

    def __init__(self, file: Path) -> None:
        self.program = start("bench", "--seats", "2", "--addresses", str(file), "--framed-by", FRAME)
        self.found = read(self.program)
        self.page: str = self.found["page"]
        self.host = self.page.removeprefix("http://").rstrip("/")

    def ask(
        self, method: str, path: str, body: str | bytes = "", **headers: str
    ) -> tuple[int, dict[str, str], str]:
        asking = HTTPConnection(self.host, timeout=10)
        asking.request(
            method, path, body, {"Host": self.host} | {k.replace("_", "-"): v for k, v in headers.items()}
        )
        answer = asking.getresponse()
        text = answer.read().decode()
        asking.close()
        return answer.status, dict(answer.getheaders()), text

    def do(self, **asked: object) -> tuple[int, dict[str, Any]]:
        kind, origin = "application/json", self.page.rstrip("/")
        status, _, text = self.ask("POST", "/do", json.dumps(asked), content_type=kind, origin=origin)
        return status, json.loads(text)

    def state(self, seat: int = 1) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.ask("GET", f"/state?table=1&seat={seat}")[2])
        return found

    def address(self, seat: int, device: str) -> str:
        [place] = [place for place in self.found["places"] if place["seat"] == seat]
        return str(place[device])


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    made = Bench(tmp_path_factory.mktemp("bench") / "addresses.json")
    yield made
    stop(made.program)


def test_a_bench_writes_where_everything_listens(tmp_path: Path) -> None:
    file = tmp_path / "addresses.json"
    made = Bench(file)
    try:
        assert json.loads(file.read_text()) == made.found
        assert list(tmp_path.iterdir()) == [file]
        assert [sorted(place) for place in made.found["places"]] == [
            ["doors", "seat", "table"],
            *[["acceptor", "doors", "printer", "seat", "table"]] * 2,
        ]
    finally:
        stop(made.program, signal.SIGINT)


def test_a_deed_over_http_reaches_the_wire(bench: Bench) -> None:
    with connect(bench.address(0, "doors")) as wire:
        lines = wire.makefile()
        assert [lines.readline().split()[2] for _ in range(3)] == ["centre_unit", "power", "network"]
        assert lines.readline().startswith("state key off ")
        status, answer = bench.do(seat=0, device="doors", deed="key on")
        assert (status, answer["done"], answer["what"], answer["text"]) == (200, True, "key_on", "The key is on.")
        assert lines.readline().startswith("edge key on ")


def test_a_printed_slip_is_in_the_state_of_its_seat_only(bench: Bench) -> None:
    laid = lay_out(PrinterSlip(lines=(SlipLine("CASH OUT", "title"),), number=NUMBER), PaperFormat())
    assert laid
    with connect(bench.address(2, "printer")) as wire:
        wire.sendall(laid.text + laid.end + b"\x10\x04\x01")
        assert wire.recv(1) == b"\x12"
    [slip] = bench.state(2)["printer"]["tray"]
    assert (slip["number"], slip["text"]) == (NUMBER, "CASH OUT")
    assert slip["marks"][0]["wide"] == 2
    assert {"bars": NUMBER} in slip["marks"]
    assert bench.state(1)["printer"]["tray"] == []
    _, answer = bench.do(seat=2, device="printer", deed="throw away", value=NUMBER)
    assert answer["what"] == "thrown_away"


def test_the_state_is_sent_again_only_when_it_changed(bench: Bench) -> None:
    _, headers, _ = bench.ask("GET", "/state?seat=1")
    seen = headers["x-state"]
    assert bench.ask("GET", f"/state?seat=1&seen={seen}")[0] == 204
    bench.do(seat=1, device="printer", deed="paper low")
    assert bench.ask("GET", f"/state?seat=1&seen={seen}")[0] == 200
    bench.do(seat=1, device="printer", deed="load paper")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            {"seat": 9, "device": "doors", "deed": "key on"},
            "found table 1, seat 9; allowed (table/seat): 1/0, 1/1, 1/2",
        ),
        ({"seat": 0, "device": "acceptor", "deed": "bill"}, "found device 'acceptor'; allowed: doors"),
        ({"seat": 1, "device": "acceptor", "deed": "eat"}, "found deed 'eat' for the acceptor; allowed: bill"),
        ({"seat": 1, "device": "acceptor", "deed": "bill", "value": "3"}, "found a bill of '3'; allowed: 1.00"),
        ({"seat": 1, "device": "acceptor", "deed": "bill", "value": "9" * 41}, "length <= 40"),
        ({"seat": "one", "device": "acceptor", "deed": "bill"}, "Expected `int`"),
        ({"seat": 1, "device": "acceptor", "deed": "bill", "money": 1}, "unknown field `money`"),
    ],
)
def test_a_bad_deed_is_answered_with_400_and_a_message(bench: Bench, asked: dict[str, Any], message: str) -> None:
    status, answer = bench.do(**asked)
    assert status == 400
    assert message in answer["error"]


def test_a_deed_needs_its_own_origin_host_json_and_a_short_body(bench: Bench) -> None:
    body = json.dumps({"seat": 1, "device": "printer", "deed": "jam"})
    own = {"content_type": "application/json", "origin": bench.page.rstrip("/")}
    before = bench.state()
    assert bench.ask("POST", "/do", body, **own | {"origin": FRAME})[0] == 403
    assert bench.ask("POST", "/do", body, **own | {"origin": "null"})[0] == 403
    assert bench.ask("POST", "/do", body, content_type="application/json")[0] == 403
    assert bench.ask("POST", "/do", body, **own | {"content_type": "text/plain"})[0] == 415
    assert bench.ask("POST", "/do", body, **own | {"Host": "evil.example"})[0] == 421
    assert bench.ask("GET", "/state?seat=1", Host="evil.example")[0] == 421
    assert bench.ask("POST", "/do", " " * BODY_MAX + body, **own)[0] == 413
    assert bench.ask("GET", "/do")[0] == 405
    assert bench.ask("GET", "/../hands.py")[0] == 404
    assert bench.ask("GET", "/state?seat=x")[0] == 400
    assert bench.state() == before


def test_the_page_may_be_framed_by_the_named_origin_only_and_runs_no_inline_script(bench: Bench) -> None:
    status, headers, text = bench.ask("GET", "/?table=1&seat=1")
    policy = headers["content-security-policy"]
    assert status == 200
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
    assert policy.endswith(f"frame-ancestors {FRAME}")
    assert "access-control-allow-origin" not in headers
    assert re.findall(r"<script[^>]*>(.*?)</script>", text) == [""]
    assert "style=" not in text
    for name in re.findall(r'(?:src|href)="([^"]+)"', text):
        assert bench.ask("GET", f"/{name}")[0] == 200


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
@pytest.mark.parametrize(("lang", "title"), [("en", "Terminal of seat 1"), ("es", "Terminal del puesto 1")])
def test_the_page_shows_the_place_in_a_browser(bench: Bench, lang: str, title: str, tmp_path: Path) -> None:
    assert CHROMIUM
    dumped = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}", "--dump-dom",
         "--virtual-time-budget=2000", f"{bench.page}?table=1&seat=1&lang={lang}"],
        capture_output=True, text=True, timeout=60, check=True,
    ).stdout  # fmt: skip
    assert f'<html lang="{lang}">' in dumped
    assert title in dumped
    assert dumped.count('role="switch"') == 5
    assert re.findall(r'data-cents="(\d+)"', dumped) == ["100", "500", "1000", "2000", "5000", "10000"]


def test_one_device_obeys_typed_lines_and_says_what_happens() -> None:
    program = start("acceptor")
    try:
        found = read(program)
        assert found["device"] == "acceptor"
        with connect(found["address"]) as wire:
            wire.sendall(Packet(0x11).encode())
            assert wire.recv(100) == Packet(0x40).encode()
            assert read(program) == {"now": "host", "value": "connected"}
            type_line(program, "bill 20.00")
            assert read(program)["what"] == "not_drawn_in"
            type_line(program, "bill 3")
            assert "found a bill of '3'; allowed: 1.00" in read(program)["error"]
            type_line(program, "  cut   power ")
            assert read(program) == {"now": "shows", "value": "off"}
            assert read(program)["what"] == "power_cut"
            type_line(program, "help")
            assert any(line.startswith("bill AMOUNT") for line in read(program)["help"])
    finally:
        stop(program)


def test_the_end_of_the_input_ends_nothing() -> None:
    program = start("printer")
    try:
        address = read(program)["address"]
        assert program.stdin
        program.stdin.close()
        with connect(address) as wire:
            wire.sendall(b"\x10\x04\x01")
            assert wire.recv(1) == b"\x12"
        program.stdin = None
    finally:
        stop(program)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["acceptor", "--listen", "x"], "found 'x'; allowed: tcp://"),
        (["doors", "--listen", "pty"], "found 'pty' for doors; allowed: tcp://"),
        (["bench"], "give exactly one of --config FILE and --seats N"),
        (
            ["bench", "--seats", "1", "--listen", "0.0.0.0:0"],
            "allowed without --public: an address of this machine",
        ),
        (["bench", "--seats", "1", "--listen", "here"], "allowed: HOST:PORT"),
        (["bench", "--seats", "1", "--framed-by", "http://a; script-src *"], "found the origin"),
    ],
)
def test_a_bad_command_says_what_was_found_and_what_is_allowed(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["device", *arguments])
    assert result.exit_code > 0
    assert message in result.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "missing required field `place`"),
        ("place = []", "found 0 places; allowed: 1 to 200"),
        ("[[place]]\nseat = 1\n[[place]]\nseat = 1", "more than once"),
        ("[[place]]\nseat = 1\ncolour = 'red'", "unknown field `colour`"),
        ("[[place]", "allowed: see docs/emulators.md"),
    ],
)
def test_a_bad_configuration_says_what_was_found(text: str, message: str) -> None:
    with pytest.raises(BadBench, match=re.escape(message)):
        read_bench(text.encode(), "bench.toml")


def test_a_configuration_names_wires_and_leaves_devices_out() -> None:
    config = read_bench(b'[[place]]\ntable = 2\nseat = 3\nacceptor = "rfc2217://[::1]:4001"\nprinter = ""', "x")
    assert {kind: str(wire) for kind, wire in config.place[0].wires().items()} == {
        "acceptor": "rfc2217://[::1]:4001",
        "doors": "tcp://127.0.0.1:0",
    }
    table, seat = demo_bench(1, BenchPage()).place
    assert (set(table.wires()), set(seat.wires())) == ({"doors"}, {"acceptor", "printer", "doors"})


def test_the_page_listens_here_only_unless_it_is_public() -> None:
    assert read_listen("localhost:80", public=False) == ("127.0.0.1", 80)
    assert read_listen("[::1]:80", public=False) == ("::1", 80)
    assert read_listen("0.0.0.0:80", public=True) == ("0.0.0.0", 80)  # noqa: S104 - it is not opened
