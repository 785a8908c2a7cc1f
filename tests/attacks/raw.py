"""What an attacker sends: bytes over a socket, from an address of their choice, and frames of their own."""

from __future__ import annotations

import base64
import json
import os
import select
import socket
import struct
import time
from typing import NamedTuple
from urllib.parse import urlsplit

PATIENCE_S = 15
TEXT, BINARY, CONT, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10


def dial(url: str, source: str = "127.0.0.1", receive_buffer: int = 0) -> socket.socket:
    """A connection from one of the machine's own addresses."""
    where, made = urlsplit(url), socket.socket()
    if receive_buffer:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    made.settimeout(PATIENCE_S)
    made.bind((source, 0))
    made.connect((where.hostname, where.port))
    return made


def head(url: str, method: str, path: str, **headers: str) -> bytes:
    """The head of a request; names with underscores for dashes."""
    sent = {"host": urlsplit(url).netloc} | {name.replace("_", "-"): value for name, value in headers.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1")


def rest(made: socket.socket, patience_s: float = PATIENCE_S) -> bytes | None:
    """All that still comes until the other side hangs up; None where it does not."""
    until, heard = time.monotonic() + patience_s, bytearray()
    while (left := until - time.monotonic()) > 0:
        made.settimeout(left)
        try:
            data = made.recv(65_536)
        except TimeoutError:
            return None
        except ConnectionError:
            return bytes(heard)
        if not data:
            return bytes(heard)
        heard += data
    return None


def is_cut(made: socket.socket) -> bool:
    """Whether the other side has hung up by now."""
    made.setblocking(False)
    try:
        while readable := bool(select.select([made], [], [], 0)[0]):
            if not made.recv(65_536):
                return True
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    return readable


def asked(url: str, data: bytes, source: str = "127.0.0.1") -> bytes:
    """What is answered to these bytes until the connection closes."""
    with dial(url, source) as made:
        made.sendall(data)
        answer = rest(made)
    assert answer is not None, "the server did not hang up"
    return answer


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


class Frame(NamedTuple):
    """A frame of the server."""

    opcode: int
    data: bytes

    @property
    def code(self) -> int:
        """That it closes with."""
        return struct.unpack("!H", self.data[:2])[0] if self.opcode == CLOSE and self.data else 0


def frame(opcode: int, data: bytes = b"", *, fin: bool = True) -> bytes:
    """A frame as a screen sends it; the mask is all zero, which is allowed."""
    length = len(data)
    if length < 126:
        size = bytes([0x80 | length])
    elif length < 65_536:
        size = bytes([0x80 | 126]) + struct.pack("!H", length)
    else:
        size = bytes([0x80 | 127]) + struct.pack("!Q", length)
    return bytes([(0x80 if fin else 0) | opcode]) + size + bytes(4) + data


class RawLine:
    """A WebSocket, frame by frame."""

    def __init__(
        self, url: str, token: str, source: str = "127.0.0.1", *, receive_buffer: int = 0, **headers: str
    ) -> None:
        self.socket = dial(url, source, receive_buffer)
        key = base64.b64encode(os.urandom(16)).decode()
        upgrade = {"upgrade": "websocket", "connection": "Upgrade", "sec_websocket_key": key}
        upgrade |= {"sec_websocket_version": "13", "authorization": f"Bearer {token}"}
        self.socket.sendall(head(url, "GET", "/ws", **upgrade, **headers))
        self._heard = bytearray()
        while b"\r\n\r\n" not in self._heard:
            data = self.socket.recv(65_536)
            assert data, self._heard
            self._heard += data
        self.response = bytes(self._heard.partition(b"\r\n\r\n")[0])
        del self._heard[: len(self.response) + 4]

    def send(self, *frames: bytes) -> bool:
        """Send frames; whether the other side still took them."""
        try:
            self.socket.sendall(b"".join(frames))
        except (ConnectionError, TimeoutError):
            return False
        return True

    def say(self, message: object) -> None:
        self.send(frame(TEXT, json.dumps(message).encode()))

    def join(self) -> None:
        self.say({"type": "join"})
        while (heard := self.hear()).opcode == PING:
            pass
        assert b'"type":"snapshot"' in heard.data

    def hear(self) -> Frame:
        """The next frame."""
        while True:
            if found := self._parsed():
                return found
            data = self.socket.recv(65_536)
            if not data:
                raise ConnectionError("hung up on")
            self._heard += data

    def _parsed(self) -> Frame | None:
        heard = self._heard
        if len(heard) < 2:
            return None
        length, at = heard[1], 2
        if length >= 126:
            at = 4 if length == 126 else 10
            if len(heard) < at:
                return None
            length = int.from_bytes(heard[2:at], "big")
        if len(heard) < at + length:
            return None
        found = Frame(heard[0] & 15, bytes(heard[at : at + length]))
        del heard[: at + length]
        return found

    def closing(self, patience_s: float = PATIENCE_S) -> int:
        """The code that it is closed with, 0 where it is cut without one; -1 where it stays open."""
        until = time.monotonic() + patience_s
        try:
            while (left := until - time.monotonic()) > 0:
                self.socket.settimeout(left)
                heard = self.hear()
                if heard.opcode == CLOSE:
                    return heard.code
        except TimeoutError:
            return -1
        except ConnectionError:
            return 0
        return -1

    def close(self) -> None:
        self.socket.close()
