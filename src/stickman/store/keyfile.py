"""Secret keys in files: 32 bytes as hexadecimal digits, readable only by their owner."""

from __future__ import annotations

import os
import stat
from pathlib import Path

KEY_BYTES = 32
OTHERS_MAY = stat.S_IRWXG | stat.S_IRWXO
WANTED = f"allowed: {KEY_BYTES} bytes as {2 * KEY_BYTES} hexadecimal digits"


class BadKey(ValueError):
    """A key file that cannot be used: which, what was found and what is allowed."""


def write_key(path: Path, random_bytes: bytes) -> None:
    """Create a key file, readable only by its owner. An existing one is never replaced: its data needs it."""
    assert len(random_bytes) == KEY_BYTES
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(random_bytes.hex() + "\n")
        file.flush()
        os.fsync(file.fileno())


def read_key(path: Path) -> bytes:
    """A key from a file outside the database."""
    try:
        check_private(path)
        key = bytes.fromhex(path.read_text("ascii").strip())
    except FileNotFoundError:
        raise BadKey(f"{path}: there is no such key file; {WANTED}") from None
    except BadKey:
        raise
    except ValueError:
        raise BadKey(f"{path}: found something else than hexadecimal digits; {WANTED}") from None
    if len(key) != KEY_BYTES:
        raise BadKey(f"{path}: found {len(key)} bytes; {WANTED}")
    return key


def check_private(path: Path) -> None:
    """Refuse a secret file that anyone but its owner may read or write."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & OTHERS_MAY:
        raise BadKey(
            f"{path}: found mode {mode:04o}, so that others may read or write it; allowed: mode 0600 (chmod 600),"
            " and a new key if others have read this one"
        )
