"""`stickman serve`: where it listens, and what it prints."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from stickman.cli import serve_commands
from stickman.cli.serve_commands import Says, _listen, _serve, serve
from stickman.rules.datafile import BadFile
from stickman.server import demo
from stickman.store.store import BadStore
from tests.server.process import planned_in, prepare

HOST = "127.0.0.1"


@pytest.fixture
def taken() -> Iterator[int]:
    """A port where another program listens."""
    with socket.create_server((HOST, 0)) as other:
        yield other.getsockname()[1]


def test_a_port_that_is_taken_is_left_for_the_next_free_one(taken: int) -> None:
    with _listen(HOST, taken, any_port=True) as listening:
        assert listening.getsockname()[1] != taken


def test_a_free_port_is_kept_so_that_bookmarks_work() -> None:
    with socket.create_server((HOST, 0)) as other:
        free = other.getsockname()[1]
    for any_port in (True, False):
        with _listen(HOST, free, any_port=any_port) as listening:
            assert listening.getsockname()[1] == free


def test_a_taken_port_that_someone_named_is_refused(taken: int, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=f"{taken}, which cannot be used"):
        _listen(HOST, taken, any_port=False)
    told = CliRunner().invoke(serve, ["--demo", "--folder", str(tmp_path), "--port", str(taken)])
    assert told.exit_code == 1
    assert "port" in told.output
    assert "another --port" in told.output


def test_a_floor_that_fails_when_it_opens_ends_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise BadStore("the disk is full")

    monkeypatch.setattr(serve_commands, "_print_address", fails)
    planned = planned_in(prepare(tmp_path / "floor"))
    with pytest.raises(BadStore, match="the disk is full"):
        asyncio.run(_serve(planned, Says(None, any_port=False, opens=False, as_json=True)))


def test_the_demonstration_prints_three_lines_opens_the_browser_and_logs_to_a_file(tmp_path: Path) -> None:
    seen, browser = tmp_path / "seen", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}\n')
    browser.chmod(0o700)
    os.mkfifo(seen)  # who reads it waits for the browser
    folder = tmp_path / "demo"
    command = [
        sys.executable,
        "-m",
        "stickman",
        "serve",
        "--demo",
        "--folder",
        str(folder),
        "--port",
        "0",
        "--open",
    ]
    with subprocess.Popen(
        command,
        env={**os.environ, "BROWSER": str(browser)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stderr
        address, staff, stop = (process.stdout.readline() for _ in range(3))
        url = address.split()[-1]
        with urlopen(f"{url}/healthz") as answer:  # noqa: S310 - our own server
            assert answer.status == 200
        assert seen.read_text().strip() == url
        log = (folder / "floor.log").read_text()
        again = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert (again.returncode, again.stdout) == (1, "")
        assert "found a demonstration that is running; allowed: another --folder" in again.stderr
        assert (folder / "floor.log").read_text().startswith(log)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert (process.stdout.read(), process.stderr.read()) == ("", "")
    assert all(badge in staff for badge in demo.STAFF)
    assert demo.PASSWORD in staff
    assert "Ctrl-C" in stop
    assert "the program starts" in (folder / "floor.log").read_text()
