"""Messages without end for a real server, made from the schema: right, nearly right and broken.

    python -m tests.attacks.fuzz --messages 1000000

Seats, dealers and an office talk over HTTP and WebSocket at several tables, with staff signed in at some of them;
limits are raised by the configuration. It says how many messages there were, how they were answered, what the
server's log complains of (it must be nothing), its memory after 100,000 messages and at the end, and whether it
still plays a round and its journal is whole. Ctrl-C ends it early, with the same report.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import itertools
import json
import math
import os
import random
import re
import signal
import string
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from msgspec import inspect as types
from websockets.exceptions import ConnectionClosed, InvalidStatus

from stickman import wire
from stickman.devices import signals
from stickman.floor.events import Place, Role
from stickman.server.app import OPEN
from stickman.server.auth import WHO, Who
from stickman.server.desk import DESK
from stickman.table import messages as m
from stickman.table.decide import DECIDERS
from tests.attacks.raw import frame, head
from tests.server.process import BADGES, CONFIG, OFFICE, SEATS, ServerProcess, dealer, prepare, seat, token
from tests.server.process import SLOW as SLOWLY
from tests.talk.server import enrolled, fund, http, screen, sign_in

KEPT, KEPT_SEAT = 2, 3
"""The table and the seat that are left alone, so that a round can be played there at the end."""
FAST = "timers = { bets_s = 5, shooter_s = 1, result_s = 1 }"
WIDE = """
[limits]
seat_messages_a_second = 100_000
seat_messages_burst = 100_000
messages_a_second = 100_000
messages_burst = 100_000
joins_a_second = 100_000
joins_burst = 100_000
control_frames_a_second = 100_000
control_frames_burst = 100_000
bytes_a_second = 1_000_000_000
bytes_burst = 1_000_000_000
attempts_a_second = 1_000
attempts_burst = 100_000
strangers_of_an_address = 1_000
connections_of_a_terminal = 1_000
"""
AT_ONCE = 25
"""Messages that a line sends before it waits for the answers."""
WARM, GROWTH_MB = 100_000, 10
PATIENCE_S, SAY_EVERY_S = 60, 5
BROKEN, OVER_HTTP, PASSWORDS = 0.03, 0.04, 0.0005
"""Shares of messages: those that end a line, those over HTTP, and checks of passwords, slow on purpose."""
BREAKS = AT_ONCE * BROKEN / (1 - BROKEN + AT_ONCE * BROKEN)
"""How often a line breaks off instead of sending so many at once."""
BROKEN_S = 2
"""How long to wait for an answer after something broken: what looks like a part of a long frame gets none."""
VERIFY = "import sys; from stickman.cli import main; sys.argv = ['stickman', 'verify', sys.argv[1]]; main()"

ODD_TEXTS = (
    "", " ", "\0", "\n", "a\n", "-", "--", "'", '"', "\\", "/", "../..", "%s", "{}", "null", "x" * 300, "x" * 3_000,
    "é", "١٢٣", "🎲" * 20, "\u202e", "\ud7ff", "<b>", "=1+1", "0", "-1", "1e9", "NaN", "0" * 18, "1" * 18, "1" * 19,
)  # fmt: skip
ODD_NUMBERS = (0, -1, 1, 2, 7, 11, 2**31, 2**53, 2**63 - 1, -(2**63), 10**12, 999_999_999)
CENTS = (100, 500, 600, 1_000, 1_200, 2_500, 10_000, 33, 1)
SPOTS = (
    "pass", "dont_pass", "come", "dont_come", "field", "place.4", "place.6", "place.8", "buy.4", "lay.10", "hard.6",
    "any_craps", "any_seven", "horn.12", "hop.2-3", "hop.6-6", "pass.odds", "come.6", "come.6.odds", "big.6",
)  # fmt: skip
KEYS = ("seats", "timers.bets_s", "limits.max_cents", "odds.take", "mode", "power_odds.one_in", "nothing", "name")
BY_NAME: dict[str, tuple[str, ...]] = {
    "spot": SPOTS, "to": SPOTS, "key": KEYS, "text": ("5", "10x", "true", "none", "1000000"), "name": ("Ann",),
    "pin": ("1234", "86420975", ""), "badge": ("fuzz-1", "fuzz-2", BADGES[Role.DEALER]), "label": ("Fuzz",),
    "approver": (BADGES[Role.SUPERVISOR], BADGES[Role.DEALER]), "code": ("AAAA-AAAA", "7X01-NQR1"),
}  # fmt: skip
"""Texts that mean something, by the field that they are in."""
BODIES: dict[str, type | None] = {asked: address.takes for asked, address in DESK.items()}
BODIES |= {asked: address.takes for asked, address in OPEN.items()}
SLOW = {asked: BODIES.pop(asked) for asked in ("POST /api/sign-in", "POST /api/password", "POST /api/approve")}
BODIES = {asked: takes for asked, takes in BODIES.items() if asked != "POST /api/sign-out"}
HEAVY = (
    "/api/report",
    "/api/par",
    "/pdf",
    "/api/health",
    "/api/recall",
    "/api/statistics",
    "/api/rounds",
    "/api/dealers",
    "/api/events",
)
"""Addresses that read whole journals: asked now and then."""


RARELY = (m.PauseTable, m.ReserveSeat, m.SelectMode, m.ChangeSetting)
OFTEN = (
    m.PlaceBet,
    m.GiveCredit,
    m.ClearLockup,
    m.ClearTable,
    m.ResumeTable,
    m.PayByHand,
    m.ReturnToSeat,
)

# --- What is sent ---


known = cache(types.type_info)


class Maker:
    """Makes messages from the types that the server reads them as."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._all = [known(kind) for kind in DECIDERS]
        self._seats, self._staffs = often(lambda who: who.seat), often(lambda who: who.act is not None)
        self._ids = 0

    def value(self, info: Any, name: str = "") -> Any:  # noqa: C901, PLR0912 - one for each kind of type
        """A value of a type; one in ten is odd."""
        rng, odd = self.rng, self.rng.random() < 0.1
        match info:
            case types.Metadata(type=inner):
                return self.value(inner, name)
            case types.StructType():
                return self.struct(info)
            case types.BoolType():
                return rng.random() < 0.5
            case types.IntType() if odd:
                return rng.choice(ODD_NUMBERS)
            case types.IntType():
                return rng.choice(CENTS) if "cents" in name else rng.randint(1, 10)
            case types.StrType() if odd or name not in BY_NAME:
                return rng.choice(ODD_TEXTS) + (rng.choice(string.printable) if rng.random() < 0.2 else "")
            case types.StrType():
                return rng.choice(BY_NAME[name])
            case types.LiteralType(values=values):
                return rng.choice(values)
            case types.EnumType(cls=kind):
                return rng.choice(list(kind)).value
            case types.UnionType(types=several):
                return self.value(rng.choice(several), name)
            case types.TupleType(item_types=several):
                return [rng.randint(1, 6) if not odd else rng.choice(ODD_NUMBERS) for _ in several]
            case types.VarTupleType(item_type=item) | types.ListType(item_type=item):
                return [self.value(item, name) for _ in range(rng.randint(0, 3))]
            case types.DictType(value_type=of):
                return {rng.choice(ODD_TEXTS): self.value(of, name) for _ in range(rng.randint(0, 3))}
        return None

    def struct(self, info: Any) -> dict[str, Any]:
        made = {info.tag_field: info.tag} if getattr(info, "tag_field", None) else {}
        for each in info.fields:
            if each.required or self.rng.random() < 0.7:
                made[each.encode_name] = self.value(each.type, each.name)
        return made

    def body(self, kind: type) -> dict[str, Any]:
        made: dict[str, Any] = self.value(known(kind))
        return self.nearly(made) if self.rng.random() < 0.3 else made

    def message(self, own_seat: int) -> bytes:
        """What can be read as a message, and is answered; most of a seat's are about itself."""
        if self.rng.random() < 0.05:
            return b'{"type":"ping","sent_ms":%d}' % self.rng.choice(ODD_NUMBERS)
        self._ids += 1
        asked = f"f{self._ids}" if self.rng.random() < 0.95 else f"f{self.rng.randint(1, self._ids)}"
        own = self._seats if own_seat else self._staffs
        request = self.struct(self.rng.choice(own if self.rng.random() < 0.9 else self._all))
        if own_seat and "seat" in request and self.rng.random() < 0.9:
            request["seat"] = own_seat
        made = {"type": "ask", "id": asked, "request": request}
        if self.rng.random() < 0.05:
            made["approver"] = self.value(types.StrType(), "approver")
        return json.dumps(made, ensure_ascii=self.rng.random() < 0.5).encode("utf-8", "replace")

    def nearly(self, made: dict[str, Any]) -> dict[str, Any]:
        """Something with one thing wrong."""
        made = json.loads(json.dumps(made))
        keys = list(made) or ["x"]
        key = self.rng.choice(keys)
        match self.rng.randint(0, 3):
            case 0:
                made.pop(key, None)
            case 1:
                made[self.rng.choice(ODD_TEXTS)] = self.rng.choice(ODD_NUMBERS)
            case 2:
                made[key] = self.rng.choice((None, [], {}, 1.5, True, "x", 2**70, [dict(made)]))
            case 3 if isinstance(made[key], dict):
                made[key] = self.nearly(made[key])
        return made

    def broken(self) -> list[bytes]:
        """Frames that no screen sends; most of them end the line."""
        rng, whole = self.rng, self.message(1)
        text = json.dumps(self.nearly(json.loads(whole))).encode()
        cut = rng.randint(0, len(whole))
        flipped = bytearray(whole)
        flipped[rng.randrange(len(flipped))] ^= 1 << rng.randint(0, 7)
        return rng.choice(
            [
                [frame(1, text)],
                [frame(1, text)],
                [frame(1, whole[:cut])],
                [frame(1, bytes(flipped))],
                [frame(1, whole[:cut], fin=False), frame(0, whole[cut:])],
                [frame(2, rng.randbytes(rng.randint(0, 200)))],
                [frame(1, b"[" * rng.randint(1, 4_000))],
                [frame(1, b"x" * rng.randint(4_000, 9_000))],
                [frame(rng.randint(3, 15), rng.randbytes(rng.randint(0, 125)), fin=rng.random() < 0.8)],
                [frame(8, rng.randbytes(rng.randint(0, 125)))],
                [frame(9, rng.randbytes(125)), frame(10, b"")],
                [rng.randbytes(rng.randint(1, 64))],
                [frame(1, b'{"type":"join","after":%d}' % rng.choice(ODD_NUMBERS))],
            ]
        )

    def http(self, url: str, own: dict[str, str]) -> tuple[bytes, bool]:
        """A request, and whether it is one that is answered."""
        rng = self.rng
        kinds = BODIES
        if rng.random() < PASSWORDS / OVER_HTTP:
            kinds = SLOW
        endpoint = rng.choice(list(kinds))
        while any(part in endpoint for part in HEAVY) and rng.random() < 0.98:
            endpoint = rng.choice(list(kinds))
        method, _, path = endpoint.partition(" ")
        path = re.sub(r"{(\w+)(:int)?}", lambda found: self._in_path(found[1]), path)
        if rng.random() < 0.2:
            path += "?" + rng.choice(
                ("after=-1", "last=99999999", "table=x", "table=2&table=3", "after=%00", "last=1")
            )
        kind = kinds[endpoint]
        data = json.dumps(self.body(kind)).encode() if kind else rng.choice((b"", b"{}", b"[", b"\xff"))
        sent = {**(own if rng.random() < 0.8 else {}), "connection": "close", "content_length": str(len(data))}
        whole = head(url, method, path, **sent) + data
        if rng.random() > 0.15:
            return whole, True
        cut = bytearray(whole)
        match rng.randint(0, 2):
            case 0:
                cut = cut[: rng.randint(1, len(cut))]
            case 1:
                cut[rng.randrange(len(cut))] = rng.randrange(256)
            case 2:
                at = rng.randrange(len(cut))
                cut[at:at] = rng.randbytes(rng.randint(1, 8))
        return bytes(cut), False

    def _in_path(self, name: str) -> str:
        """A part of an address. No badge and no terminal that the fuzzing itself needs."""
        own = {
            "table": ("1", "2", "99", "0"),
            "number": ("1" * 18, "0" * 18, "1", "x"),
            "badge": ("fuzz-1", "nobody"),
        }
        return self.rng.choice((*own.get(name, ("terminal-999",)), "%00", "-1", "%F0%9F%8E%B2", "9" * 30))


def often(of: Callable[[Who], bool]) -> list[types.Type]:
    """Kinds of requests, each as often as it should come: few that bring play to a stand, many that mend it."""
    weights = dict.fromkeys(RARELY, 1) | dict.fromkeys(OFTEN, 400)
    return [known(kind) for kind, who in WHO.items() if of(who) for _ in range(weights.get(kind, 100))]


# --- Sending it ---


@dataclass
class Seen:
    """What has been sent, and what came of it."""

    wanted: int
    sent: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    silent: int = 0
    """Messages to which there was no answer, over a line that stayed open."""
    began: float = field(default_factory=time.monotonic)
    stopped: bool = False

    @property
    def done(self) -> bool:
        return self.stopped or self.sent >= self.wanted

    @property
    def rate(self) -> float:
        return self.sent / max(0.001, time.monotonic() - self.began)


TYPE = re.compile(rb'\A\{"type":"(\w+)"')
WHY = re.compile(rb'"why":"(\w+)"')


class Lost(Exception):
    """The line is closed."""


class FuzzLine:
    """A WebSocket that counts answers."""

    def __init__(self, url: str, headers: dict[str, str], seen: Seen) -> None:
        self._url, self._headers, self._seen = url, headers, seen
        self._heard = bytearray()

    async def open(self) -> None:
        where = urlsplit(self._url)
        self._reader, self._writer = await asyncio.open_connection(where.hostname, where.port)
        key = base64.b64encode(os.urandom(16)).decode()
        upgrade = {"upgrade": "websocket", "connection": "Upgrade", "sec_websocket_key": key}
        self._writer.write(head(self._url, "GET", "/ws", **upgrade, sec_websocket_version="13", **self._headers))
        answer = await self._reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in answer:
            raise Lost(answer.split(b"\r\n", 1)[0].decode())
        self._heard.clear()
        self._writer.write(frame(1, b'{"type":"join"}'))

    async def send(self, messages: list[bytes]) -> None:
        """Send messages and wait until each is answered."""
        self._writer.write(b"".join(frame(1, message) for message in messages))
        await self._answered(len(messages))

    async def break_off(self, frames: list[bytes]) -> None:
        """Send what ends the line, or does not; then see whether it still answers."""
        self._writer.write(b"".join(frames) + frame(1, b'{"type":"ping"}'))
        try:
            async with asyncio.timeout(BROKEN_S):
                await self._answered(1)
        except TimeoutError:
            raise Lost("it waits for the rest") from None

    async def _answered(self, left: int) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                while left:
                    left -= self._count()
                    if left > 0:
                        data = await self._reader.read(262_144)
                        if not data:
                            raise Lost("cut")
                        self._heard += data
                    left = max(0, left)
        except TimeoutError:
            self._seen.silent += left
            raise Lost("silent") from None
        except OSError as problem:
            raise Lost(str(problem)) from None

    def _count(self) -> int:
        """Count the answers that have come; `Lost` where the server closes."""
        heard, at, answers = self._heard, 0, 0
        while len(heard) - at >= 2:
            length, start = heard[at + 1], at + 2
            if length >= 126:
                start += 2 if length == 126 else 8
                length = int.from_bytes(heard[at + 2 : start], "big")
            if len(heard) < start + length:
                break
            opcode, data = heard[at] & 15, bytes(heard[start : start + min(length, 400)])
            at = start + length
            if opcode == 9:
                self._writer.write(frame(10, data))
            if opcode == 8:
                self._seen.answers[f"closed {int.from_bytes(data[:2], 'big')}"] += 1
                raise Lost("closed")
            found = TYPE.match(data)
            if opcode == 1 and found and found[1] not in (b"snapshot", b"frame"):
                answers += 1
                self._seen.sent += found[1] != b"bad"  # which is followed by the end
                why = WHY.search(data) if found[1] == b"refused" else None
                self._seen.answers[f"refused {why[1].decode()}" if why else found[1].decode()] += 1
        del heard[:at]
        return answers

    def close(self) -> None:
        with contextlib.suppress(AttributeError):
            self._writer.close()


async def talk(
    url: str, headers: Callable[[], Any], own_seat: int, maker: Maker, seen: Seen, pause_s: float = 0
) -> None:
    """Be one screen until enough has been sent; what a display says is always refused, so it pauses."""
    failed = 0
    while not seen.done and failed < 100:
        line = FuzzLine(url, await headers(), seen)
        try:
            await line.open()
            while not seen.done:
                if maker.rng.random() < BREAKS:
                    await line.break_off(maker.broken())
                else:
                    await line.send([maker.message(own_seat) for _ in range(AT_ONCE)])
                    await asyncio.sleep(pause_s)
                failed = 0
        except (Lost, OSError, asyncio.IncompleteReadError):
            seen.sent += 1  # the one that ended it
            failed += 1
        finally:
            line.close()
    assert failed < 100, "a screen is not let in any more"


async def report(url: str, place: Place, maker: Maker, seen: Seen) -> None:
    """Be a device until enough has been sent: what it may report, and now and then what it may not."""
    assert place.device
    reporter, kinds = await enrolled(url, place), [known(kind) for kind in signals.MAY_SIGNAL[place.device]]
    every = [known(kind) for kinds in signals.MAY_SIGNAL.values() for kind in kinds]
    while not seen.done:
        try:
            async with reporter.over():
                while not seen.done:
                    signal = maker.struct(maker.rng.choice(kinds if maker.rng.random() < 0.9 else every))
                    reporter.seq += maker.rng.random() < 0.95
                    said = {"type": "report", "boot": reporter.boot, "seq": reporter.seq, "at_ms": 1}
                    await reporter.socket.send(json.dumps({**said, "signal": signal}))
                    seen.sent += 1
                    while not isinstance(answer := await reporter.hear(), signals.Heard):
                        seen.answers[f"device {type(answer).__name__}"] += 1
                    seen.answers["device Heard"] += 1
                    await asyncio.sleep(0.05)
        except (ConnectionClosed, OSError):
            seen.answers["device closed"] += 1
            reporter.seq -= 1  # it was not heard


async def keep_turned(url: str, place: Place, seen: Seen) -> None:
    """Be a key switch that is turned and connected, so that staff can help at its seat."""
    switch = await enrolled(url, place)
    switch.noted(signals.KeyMoved(on=True))
    while not seen.done:
        try:
            async with switch.over():
                while not seen.done:
                    await switch.say(signals.StillThere())
                    while not isinstance(await switch.hear(), signals.Alive):
                        pass
                    await asyncio.sleep(0.5)
        except InvalidStatus:  # another device has its place
            return
        except (ConnectionClosed, OSError):
            await asyncio.sleep(0.5)


async def mend(url: str, staff: Staff, seen: Seen) -> None:
    """Be the dealer who helps seats that are locked up, so that play goes on."""
    numbers, seats = itertools.count(), range(1, 11)
    helps: list[m.Request] = [m.ResumeTable(), m.OpenBets()]
    helps += [kind(seat=seat) for seat in seats for kind in (m.PayByHand, m.ClearLockup, m.AnswerService)]
    line: FuzzLine | None = None
    while not seen.done:
        try:
            if line is None:
                line = FuzzLine(url, await staff.headers(), seen)
                await line.open()
            asks = [wire.Ask(id=f"mend-{next(numbers)}", request=each) for each in helps]
            await line.send([wire.ENCODER.encode(ask) for ask in asks])
        except (Lost, OSError, asyncio.IncompleteReadError):
            line = None
        await asyncio.sleep(0.5)
    if line:
        line.close()


async def visit(url: str, headers: Callable[[], Any], maker: Maker, seen: Seen) -> None:
    """Ask over HTTP until enough has been sent."""
    where = urlsplit(url)
    while not seen.done:
        if seen.answers["http"] > OVER_HTTP * max(1_000, seen.sent):
            await asyncio.sleep(0.01)
            continue
        data, answered = maker.http(url, await headers())
        seen.sent += 1
        seen.answers["http"] += 1
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        try:
            writer.write(data)
            if not answered:
                writer.write_eof()
            async with asyncio.timeout(PATIENCE_S):
                answer = await reader.read(1_000_000)
            seen.answers[f"http {answer[9:12].decode('latin-1')}" if answer else "http cut"] += 1
        except OSError:
            seen.answers["http cut"] += 1
        except TimeoutError:
            seen.silent += 1
        finally:
            writer.close()


# --- The server ---


@dataclass
class Report:
    """What a run came to."""

    seen: Seen
    seconds: float
    rss_mb: dict[str, float]
    complaints: list[str]
    """Lines of the log that tell of an error."""
    plays: str
    """Empty where a round was played at the end, else what went wrong."""
    verified: int
    """The exit code of `stickman verify`."""

    @property
    def grown_mb(self) -> float:
        return self.rss_mb["end"] - self.rss_mb.get("warm", self.rss_mb["end"])

    @property
    def clean(self) -> bool:
        fine = not (self.complaints or self.plays or self.verified or self.seen.silent)
        return fine and self.grown_mb <= GROWTH_MB

    def __str__(self) -> str:
        seen = self.seen
        return "\n".join(
            [
                f"{seen.sent:,} messages in {self.seconds:,.0f} s, {seen.sent / self.seconds:,.0f} a second",
                *(f"  {count:10,}  {kind}" for kind, count in sorted(seen.answers.items())),
                f"without an answer: {seen.silent}",
                "memory: " + ", ".join(f"{when} {mb:.1f} MB" for when, mb in self.rss_mb.items()),
                f"grown by {self.grown_mb:.1f} MB since {WARM:,} messages",
                f"errors in the log: {len(self.complaints)}",
                *(f"  {line}" for line in self.complaints[:5]),
                f"plays a round: {self.plays or 'yes'}",
                f"verify: exit code {self.verified}",
                "CLEAN" if self.clean else "NOT CLEAN",
            ]
        )


def rss_mb(pid: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1]) / 1024


class Staff:
    """Somebody who stays signed in at a terminal."""

    def __init__(self, url: str, terminal: str, role: Role) -> None:
        self._url, self._terminal, self._role = url, terminal, role
        self._session, self._at = "", 0.0
        self._signing = asyncio.Lock()

    async def headers(self) -> dict[str, str]:
        async with self._signing:
            if not self._session or time.monotonic() - self._at > 240:
                self._session, self._at = await sign_in(self._url, self._terminal, self._role), time.monotonic()
        return {"authorization": f"Bearer {self._terminal}", "cookie": f"stickman_staff={self._session}"}


REPORTING = 3, 10
"""The table and the seat whose devices report anything."""


def fuzzed_seats() -> list[tuple[int, int]]:
    seats = [(table, number) for table, count in SEATS.items() for number in range(1, count + 1)]
    seats.remove((KEPT, KEPT_SEAT))
    return seats


async def ask_all(url: str, office: Staff) -> None:
    """Ask for every page of the office once: what the server remembers of them, it remembers from the start."""
    session = (await office.headers())["cookie"].partition("=")[2]
    for endpoint in DESK:
        method, _, path = endpoint.partition(" ")
        for table in ("1", "2", "3", "4") if "{table:int}" in path else ("",):
            if method != "GET" or "{number}" in path:
                continue
            with contextlib.suppress(TimeoutError):  # a slow machine goes on without it
                await http(url, method, path.replace("{table:int}", table), token=OFFICE, session=session)


def bare(which: str) -> Callable[[], Any]:
    """The headers of a terminal at which nobody is signed in."""

    async def headers() -> dict[str, str]:
        return {"authorization": f"Bearer {which}"}

    return headers


def everybody(url: str, seen: Seen, seed: int, office: Staff) -> list[Coroutine[Any, Any, None]]:
    """All who talk to the server."""
    rng = random.Random(seed)  # noqa: S311 - the same messages each time

    def maker() -> Maker:
        return Maker(random.Random(rng.random()))  # noqa: S311 - likewise

    work = [talk(url, bare(seat(*each)), each[1], maker(), seen) for each in fuzzed_seats()]
    work += [talk(url, bare(token(Place(kind, 1))), 0, maker(), seen, 0.5) for kind in ("table", "info")]
    dealers = {table: Staff(url, dealer(table), Role.PIT_BOSS) for table in SEATS}
    fuzzed = [who for table, who in dealers.items() if table != KEPT]
    work += [talk(url, who.headers, 0, maker(), seen, 0.1) for who in (*fuzzed, office)]
    work += [report(url, Place(kind, *REPORTING), maker(), seen) for kind in signals.DEVICE_KINDS]
    switches = [Place("doors", *where) for where in fuzzed_seats() if where != REPORTING]
    work += [keep_turned(url, place, seen) for place in switches]
    work += [mend(url, who, seen) for who in dealers.values()]
    work += [visit(url, headers, maker(), seen) for headers in (office.headers, bare(seat(1, 1)), bare("nobody"))]
    return work


async def fuzz(process: ServerProcess, seen: Seen, seed: int, said: Callable[[str], None]) -> dict[str, float]:
    """Send it all; the server's memory on the way."""
    url, memory = process.url, {"start": rss_mb(process.pid)}
    office = Staff(url, OFFICE, Role.ADMINISTRATOR)
    if seen.wanted > WARM:
        await ask_all(url, office)
    for table, number in fuzzed_seats():
        await fund(url, table, number, 5000)
    tasks = [asyncio.create_task(each) for each in everybody(url, seen, seed, office)]
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, lambda: setattr(seen, "stopped", True))
    told = time.monotonic()
    while not all(task.done() for task in tasks):
        await asyncio.wait(tasks, timeout=0.2, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            if task.done():
                task.result()
        if WARM <= seen.sent <= WARM * 1.2:  # the least: a password that is being checked takes 64 MiB
            memory["warm"] = min(memory.get("warm", math.inf), rss_mb(process.pid))
        if time.monotonic() - told > SAY_EVERY_S:
            told = time.monotonic()
            said(f"{seen.sent:10,} of {seen.wanted:,}, {seen.rate:,.0f} a second, {rss_mb(process.pid):.1f} MB")
    memory["end"] = math.inf
    for _ in range(20):
        await asyncio.sleep(0.1)
        memory["end"] = min(memory["end"], rss_mb(process.pid))
    return memory


async def play_a_round(url: str) -> str:
    """Play one where nobody fuzzed; what goes wrong, if anything does."""
    session = await sign_in(url, dealer(KEPT), Role.PIT_BOSS)
    async with screen(url, dealer(KEPT), session) as deals, screen(url, seat(KEPT, KEPT_SEAT)) as player:
        if deals.view["shared"]["paused"]:
            await deals.ask(m.ResumeTable())
        for request in (m.EnterDice(dice=(3, 4)), m.ConfirmDice(), m.OpenBets()):  # the round that time has closed
            if deals.phase != "betting":
                await deals.ask(request)
        await player.funded(100)
        for asks, wanted in (
            (player, m.PlaceBet(seat=KEPT_SEAT, spot="field", cents=1_000)),
            (deals, m.CloseBets()),
            (deals, m.EnterDice(dice=(1, 2))),
            (deals, m.ConfirmDice()),
        ):
            answer = await asks.ask(wanted)
            if answer["type"] != "done":
                return f"{type(wanted).__name__}: {answer}"
        await player.caught_up()
        credit = player.view["credit_cents"]
        return "" if credit == 11_000 else f"$10 on the field and a three leave {credit} of 10,000 cents"


ALARM = '"event": "someone tries passwords"'
"""Wrong passwords are what some of the messages are."""


def complaints(log: str) -> list[str]:
    """Lines of a log that tell of an error, or are no lines of a log."""
    bad = re.compile(r'"level": "(error|critical)"|Traceback|Exception|Error:')
    return [line[:2_000] for line in log.splitlines() if bad.search(line) and ALARM not in line]


def run(folder: Path, messages: int, seed: int, said: Callable[[str], None]) -> Report:
    """A server in a folder, and so many messages to it."""
    one, two, three = CONFIG.split("[tables.")[1:]
    tables = "[tables.".join(
        [CONFIG.partition("[tables.")[0], one.replace(SLOWLY, FAST), two, three.replace(SLOWLY, FAST)]
    )
    tables += f'[tables.4]\ngame = "roll-to-win"\nsettings = {{ seats = 8, mode = "automated", {FAST} }}\n'
    os.environ["MALLOC_ARENA_MAX"] = "2"  # as deploy/stickman.service has it
    seen, config = Seen(messages), prepare(folder, tables + WIDE)
    with ServerProcess(config) as process:
        memory = asyncio.run(fuzz(process, seen, seed, said))
        seconds = time.monotonic() - seen.began
        said("playing a round")
        plays = asyncio.run(play_a_round(process.url))
        process.stop()
    said("verifying the journal")
    verify = [sys.executable, "-c", VERIFY, f"sqlite:{folder / 'floor.db'}"]
    verified = subprocess.run(verify, capture_output=True, check=False)
    return Report(seen, seconds, memory, complaints(process.log()), plays, verified.returncode)


@contextlib.contextmanager
def in_memory() -> Iterator[Path]:
    """A folder that is quicker than a disk, where the machine has one; removed at the end."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - made with a name of its own
    with tempfile.TemporaryDirectory(dir=memory) as made:
        yield Path(made) / "floor"


def main() -> int:
    options = argparse.ArgumentParser(description="Send messages made from the schema to a real server.")
    options.add_argument("--messages", type=int, default=1_000_000)
    options.add_argument("--seed", type=int, default=None, help="by default another one each time")
    options.add_argument("--folder", type=Path, help="where the floor is made and kept; by default it is removed")
    chosen = options.parse_args()
    seed = random.randrange(2**32) if chosen.seed is None else chosen.seed  # noqa: S311 - no secret
    print(f"seed {seed}", flush=True)  # noqa: T201 - its purpose
    with in_memory() as folder:
        report = run(chosen.folder or folder, chosen.messages, seed, lambda text: print(text, flush=True))  # noqa: T201 - likewise
        print(report)  # noqa: T201 - likewise
    return 0 if report.clean else 1


if __name__ == "__main__":
    sys.exit(main())
