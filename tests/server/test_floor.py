"""The open floor: who is gone is missed, who stalls delays nobody, and what cannot be trusted stops."""

from __future__ import annotations

import asyncio
import re
import socket
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from stickman.floor import clock as clocks
from stickman.floor.events import ClockJumped, Role
from stickman.floor.journal import events_of
from stickman.floor.lock import read_lock
from stickman.server import floor as floors
from stickman.server.entropy import STARTUP, KernelDice
from stickman.server.floor import LiveFloor, open_floor
from stickman.server.house import Asked
from stickman.server.operations import without_secrets
from stickman.server.pit import Accepted
from stickman.server.screens import OUTBOX
from stickman.store.checkpoints import CheckpointFile
from stickman.store.signing import Signer
from stickman.store.store import FLOOR, Head
from stickman.table import messages as m
from tests.floor.evening import awaited
from tests.server.process import CONFIG, SLOW, dealer, planned_in, prepare, seat, serving
from tests.talk.server import PATIENCE_S, Screen, http, screen, sign_in

SMALL = 4_096
"""Bytes that a socket of a stalled screen holds."""


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    return prepare(tmp_path / "floor")


@pytest.fixture
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The house looks round all the time."""
    monkeypatch.setattr(floors, "LOOK_ROUND_S", 0.01)


# --- Links ---


@pytest.mark.usefixtures("brisk")
@awaited
async def test_a_seat_that_is_gone_loses_its_link_and_has_it_back_when_it_joins(
    floor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floors, "LINK_LOST_MS", 50)
    async with serving(floor) as (live, url), screen(url, dealer(1)) as deals:
        await deals.until(lambda view: view["seats"]["1"].get("linked") is False)
        async with screen(url, seat(1, 1)) as player:
            assert player.view["linked"] is True
            await deals.until(lambda view: view["seats"]["1"].get("linked", True))
            assert live.pits[1].table.seat(1).terminal.linked
        await deals.until(lambda view: view["seats"]["1"].get("linked") is False)


@pytest.mark.usefixtures("brisk")
@awaited
async def test_a_view_that_nobody_watches_is_let_go(floor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floors, "UNWATCHED_MS", 0)
    async with serving(floor) as (live, url):
        async with screen(url, seat(1, 1)):
            assert live.pits[1].screens.names() == ["seat 1"]
        async with asyncio.timeout(PATIENCE_S):
            while live.pits[1].screens.names():  # noqa: ASYNC110 - the floor tells nobody
                await asyncio.sleep(0.01)


@pytest.mark.usefixtures("brisk")
@awaited
async def test_a_terminal_that_another_process_revoked_is_disconnected(floor: Path) -> None:
    async with serving(floor) as (live, url), screen(url, seat(1, 1)) as player:
        live.office.floor.terminals.pop("terminal-1")
        with pytest.raises(ConnectionClosed) as closed:
            await player.told()
        assert closed.value.rcvd
        assert closed.value.rcvd.code == floors.REVOKED


# --- Slow screens ---


@awaited
async def test_a_screen_that_reads_nothing_delays_nobody_and_shows_the_truth_when_it_reads(floor: Path) -> None:
    async with serving(floor, send_buffer=SMALL) as (live, url), screen(url, seat(1, 1)) as player:
        stalled = socket.socket()
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        stalled.connect(("127.0.0.1", int(url.rpartition(":")[2])))
        headers = {"Authorization": f"Bearer {seat(1, 1)}"}
        where = url.replace("http", "ws") + "/ws"
        async with connect(where, sock=stalled, additional_headers=headers, compression=None, max_queue=1) as quiet:
            slow = Screen(quiet, url, seat(1, 1))
            await slow.say({"type": "join"})
            await player.funded(500)
            resnapshots, stuck = live.metrics.resnapshots._value, 0.0
            for step in range(3 * OUTBOX):
                await live.ask(1, Asked(m.PlaceBet(seat=1, spot="field", cents=500), "seat 1"))
                await live.ask(1, Asked(m.Undo(seat=1), "seat 1"))
                if step % 10 == 0:
                    await player.caught_up()
                if step == OUTBOX:  # by now no buffer on the way takes more
                    stuck = resnapshots.get()
            assert resnapshots.get() == stuck, "it has not read, so nothing new was made for it"
            await player.bets("field", 7)
            await player.caught_up()
            await slow.until(lambda view: view == player.view)
            assert resnapshots.get() > stuck


# --- Dice ---


class StuckDice(KernelDice):
    """A generator that sticks after its start."""

    @staticmethod
    def read(count: int) -> bytes:
        return bytes(range(256)) * (STARTUP // 256) if count == STARTUP else bytes(count)


@awaited
async def test_dice_that_cannot_be_trusted_pause_the_table_and_are_told(
    floor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floors, "LOOK_ROUND_S", 60)  # they fail when they are rolled, not before
    monkeypatch.setattr(floors, "KernelDice", StuckDice)
    async with serving(floor) as (live, url):
        session = await sign_in(url, dealer(1), Role.DEALER)
        async with screen(url, seat(1, 1)) as player, screen(url, dealer(1), session) as deals:
            await player.funded(50)
            await player.bets("pass", 5)
            await deals.do(m.CloseBets())
            assert (await deals.ask(m.RollDice()))["why"] == "no_dice"
            await deals.until(lambda view: view["shared"]["paused"])
            assert live.metrics.dice_bad.labels("1")._value.get() == 1
            await deals.do(m.ResumeTable())
            assert (await deals.ask(m.RollDice()))["why"] == "no_dice"
            assert live.pits[1].table.history == ()


@pytest.mark.usefixtures("brisk")
@awaited
async def test_dice_are_tried_while_nothing_is_rolled(floor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floors, "KernelDice", StuckDice)
    monkeypatch.setattr(floors, "DICE_CYCLE_MS", 0)
    async with serving(floor) as (_, url), screen(url, dealer(2)) as deals:
        await deals.until(lambda view: view["shared"]["paused"])


# --- Mistakes ---


@awaited
async def test_a_table_that_a_mistake_of_ours_stopped_is_started_again(
    floor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floors, "RETRY_S", 0)
    async with serving(floor) as (live, url):
        async with screen(url, seat(1, 1)) as player:
            stopped = live.pits[1]
            with monkeypatch.context() as mistaken:
                mistaken.setattr("stickman.server.pit.decide", lambda *_: 1 // 0)
                await player.say({"type": "ask", "id": "c-1", "request": {"do": "undo", "seat": 1}})
                assert (await player.told())["type"] == "again"
            with pytest.raises(ConnectionClosed) as closed:
                await player.told()
            assert closed.value.rcvd
            assert closed.value.rcvd.code == floors.RESTARTS
        async with asyncio.timeout(PATIENCE_S):
            while live.pits.get(1) in (None, stopped):  # noqa: ASYNC110 - the floor tells nobody
                await asyncio.sleep(0.01)
        async with screen(url, seat(1, 1)) as player:
            await player.funded(1)


@pytest.mark.parametrize("name", ["password", "token", "one_time_code", "set-cookie", "authorization"])
def test_no_log_tells_a_secret(name: str) -> None:
    assert "1234" not in str(without_secrets(None, "", {name: "1234", "table": 1}))


# --- Owners ---


@awaited
async def test_a_table_that_another_process_took_is_left_and_its_screens_are_told(
    floor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floors, "LOOK_ROUND_S", 0.01)
    async with serving(floor) as (live, url), screen(url, seat(1, 1)) as player:
        live.pits[1].boxman.lease.lost = True  # type: ignore[misc] # as a renewal would find
        with pytest.raises(ConnectionClosed) as closed:
            await player.told()
        assert closed.value.rcvd
        assert closed.value.rcvd.code == floors.RESTARTS
        assert 1 not in live.pits
        assert (await http(url, "GET", "/readyz")).status == 503


@awaited
async def test_a_second_server_stands_by_until_the_first_has_left(floor: Path) -> None:
    planned = planned_in(floor)
    async with open_floor(planned) as first:
        await first.served()
        async with open_floor(planned) as second:
            assert await _idle(second)
            await first.stop()
            await second.served()
            assert second.ready


async def _idle(floor: LiveFloor) -> bool:
    """Whether a floor serves nothing after everybody else had a turn."""
    for _ in range(50):
        await asyncio.sleep(0)
    return not floor.pits


# --- Time ---


def test_a_table_plays_on_by_itself(tmp_path: Path) -> None:
    quick = CONFIG.replace(SLOW, "timers = { bets_s = 1, shooter_s = 1, flight_ms = 0, result_s = 1 }")
    file = prepare(tmp_path / "floor", quick)

    async def evening() -> None:
        async with serving(file) as (_, url), screen(url, seat(1, 1)) as player:
            await player.funded(50)
            await player.bets("field", 5)
            for phase in ("shooting", "rolled", "betting"):
                await player.until(lambda view, phase=phase: view["shared"]["phase"] == phase)  # type: ignore[misc]
            assert len(player.view["shared"]["history"]) == 1

    asyncio.run(evening())


# --- Checkpoints ---


def signing(tmp_path: Path) -> tuple[Path, CheckpointFile]:
    """A floor that signs where its journal ends, and the file where it does."""
    signer = Signer.generate()
    file = prepare(
        tmp_path / "floor", CONFIG + '[checkpoints]\nfile = "checkpoints"\nkey = "key.pem"\nevery_s = 1\n'
    )
    signer.save(file.parent / "key.pem")
    return file, CheckpointFile(file.parent / "checkpoints", signer)


def checkpoints(live: LiveFloor, outcome: str) -> float:
    """How often a checkpoint came to this."""
    found = re.search(rf'checkpoints_total{{outcome="{outcome}"}} (\S+)', live.metrics.text().decode())
    return float(found[1]) if found else 0


def test_where_the_journal_ends_is_signed_again_and_again_and_when_it_stops(tmp_path: Path) -> None:
    file, signed = signing(tmp_path)

    async def evening() -> None:
        async with open_floor(planned_in(file)) as live:
            await live.served()
            async with asyncio.timeout(PATIENCE_S):
                while signed.newest() is None:  # noqa: ASYNC110 - a file tells nobody
                    await asyncio.sleep(0.05)

    asyncio.run(evening())
    newest = signed.newest()
    assert newest
    assert newest.number >= 2
    assert set(newest.heads) == {0, 1, 2, 3}


@pytest.mark.parametrize("trouble", ["disagreed", "repaired", "discontinued"])
def test_trouble_with_a_checkpoint_is_told_and_stops_no_table(tmp_path: Path, trouble: str) -> None:
    """A journal that does not have what was signed, a line that a crash left unfinished, a file of another key."""
    file, signed = signing(tmp_path)

    async def sign() -> None:
        async with open_floor(planned_in(file)) as live:
            await live.served()

    def spoil() -> None:
        path = file.parent / "checkpoints"
        match trouble:
            case "disagreed":
                newest = signed.newest()
                assert newest
                signed.append(1, {stream: Head(seq + 1, bytes(32)) for stream, (seq, _) in newest.heads.items()})
            case "repaired":
                path.write_bytes(path.read_bytes() + b'{"number":')
            case "discontinued":
                path.unlink()
                other = CheckpointFile(path, Signer.generate())
                other.append(1, {1: Head(1, bytes(32))})

    async def go_on() -> None:
        async with open_floor(planned_in(file)) as live:
            await live.served()
            if trouble == "disagreed":  # or the floor would not even open
                spoil()
            async with asyncio.timeout(PATIENCE_S):
                while not checkpoints(live, trouble):  # noqa: ASYNC110 - a counter tells nobody
                    await asyncio.sleep(0.05)
            assert isinstance(await live.ask(1, Asked(m.NameSeat(seat=1, name="One"), "seat 1")), Accepted)

    asyncio.run(sign())
    if trouble != "disagreed":
        spoil()
    asyncio.run(go_on())


@pytest.mark.usefixtures("brisk")
@awaited
async def test_a_jump_of_the_machines_clock_is_written_down(floor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_floor(planned_in(floor)) as live:
        await live.served()
        wall_ms = clocks.wall_ms
        monkeypatch.setattr(clocks, "wall_ms", lambda: wall_ms() + 3_600_000)
        async with asyncio.timeout(PATIENCE_S):
            while not (jumps := await jumped_ms(live)):  # noqa: ASYNC110 - nor does a journal
                await asyncio.sleep(0.05)
        assert [round(ms, -4) for ms in jumps] == [3_600_000]


async def jumped_ms(live: LiveFloor) -> list[int]:
    records = [record async for record in live.store.records(FLOOR)]
    return [event.by_ms for record in records for event in events_of(record) if isinstance(event, ClockJumped)]


# --- The lock ---


@awaited
async def test_where_the_lock_says_local_nobody_comes_from_elsewhere(
    floor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = read_lock(b'name = "harbour"\nlocal_network_only = true\n', "lock.toml")
    monkeypatch.setattr("tests.server.process.planned_in", lambda file: planned_in(file)._replace(lock=lock))
    async with serving(floor) as (_, url):
        assert (await http(url, "GET", "/healthz")).status == 200
        monkeypatch.setattr("stickman.server.guard.peer", lambda _: "8.8.8.8")
        assert (await http(url, "GET", "/healthz")).status == 403
