"""Ed25519 signatures: keys kept in files, and bytes signed for one stated purpose.

A key's id is the first 16 hex digits of the SHA-256 of its raw public half. The signed bytes begin with their
purpose, so that the signature of a checkpoint is not valid for a lock.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from base64 import b64decode, b64encode
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

OTHERS_MAY = stat.S_IRWXG | stat.S_IRWXO
PRIVATE_KEY = "an Ed25519 private key as PEM (PKCS8)"
PUBLIC_KEY = "an Ed25519 public key as PEM"


class Purpose(Enum):
    """The purpose of a signature: the first bytes that it covers. No two purposes begin alike."""

    LOCK = b"stickman lock 1\n"
    CHECKPOINT = b"stickman checkpoint 1\n"


class Untrusted(Exception):
    """A key or a signature that cannot be trusted: where, what was found, what is expected."""

    def __init__(self, where: str, found: str, expected: str) -> None:
        self.where, self.found, self.expected = where, found, expected
        super().__init__(f"{where}: found {found}; expected {expected}")


class Signature(NamedTuple):
    """A signature and the id of the key that made it."""

    key_id: str
    value: bytes

    @property
    def base64(self) -> str:
        return b64encode(self.value).decode()

    def __str__(self) -> str:
        return f"{self.key_id} {self.base64}"

    @classmethod
    def parse(cls, text: str, where: str) -> Signature:
        """Read what `str` wrote, and nothing else: Base64 has several texts for the same bytes."""
        if form := re.fullmatch("([0-9a-f]{16}) ([A-Za-z0-9+/]{86}==)", text):
            signature = cls(form[1], b64decode(form[2]))
            if str(signature) == text:
                return signature
        raise Untrusted(where, f"{text[:120]!r}", "a key id of 16 hex digits and a signature of 64 bytes as Base64")


class Verifier:
    """The public keys whose signatures are accepted."""

    def __init__(self, keys: Iterable[Ed25519PublicKey]) -> None:
        self._keys = {_key_id(key): key for key in keys}
        assert self._keys, "nobody's signature would count"

    @classmethod
    def load(cls, *files: Path) -> Verifier:
        return cls(map(_public_key, files))

    def verify(self, purpose: Purpose, data: bytes, signature: Signature, where: str) -> None:
        """Accept bytes that one of the keys signed for this purpose; anything else is `Untrusted`."""
        key = self._keys.get(signature.key_id)
        if key is None:
            known = ", ".join(self._keys)
            raise Untrusted(where, f"a signature of the unknown key {signature.key_id}", f"one of {known}")
        try:
            key.verify(signature.value, purpose.value + data)
        except InvalidSignature:
            found = f"bytes that the signature of {signature.key_id} does not fit"
            raise Untrusted(where, found, "exactly the bytes that were signed, for the same purpose") from None


class Signer:
    """A private key."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key

    @classmethod
    def generate(cls) -> Signer:
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def load(cls, file: Path, password: str = "") -> Signer:
        """Read a private key that only its owner can read."""
        pem = _private_bytes(file)
        try:
            key = serialization.load_pem_private_key(pem, password.encode() or None)
        except TypeError:  # the library's error for an unexpected or a missing password
            found = "a key without a password" if password else "a key with a password"
            raise Untrusted(str(file), found, "no password" if password else "its password") from None
        except (ValueError, UnsupportedAlgorithm):
            raise Untrusted(str(file), "no key, or another password", PRIVATE_KEY) from None
        if not isinstance(key, Ed25519PrivateKey):
            raise Untrusted(str(file), "another kind of private key", PRIVATE_KEY)
        return cls(key)

    def save(self, file: Path, password: str = "") -> None:
        """Write the private key to a new file that only its owner can read."""
        encryption = (
            serialization.BestAvailableEncryption(password.encode()) if password else serialization.NoEncryption()
        )
        form = serialization.PrivateFormat.PKCS8
        _write_new(file, self._key.private_bytes(serialization.Encoding.PEM, form, encryption), mode=0o600)

    def save_public(self, file: Path) -> None:
        """Write the public key to a new file."""
        form = serialization.PublicFormat.SubjectPublicKeyInfo
        _write_new(file, self._key.public_key().public_bytes(serialization.Encoding.PEM, form), mode=0o644)

    @property
    def key_id(self) -> str:
        return _key_id(self._key.public_key())

    @property
    def verifier(self) -> Verifier:
        """A verifier for this key only."""
        return Verifier([self._key.public_key()])

    def sign(self, purpose: Purpose, data: bytes) -> Signature:
        return Signature(self.key_id, self._key.sign(purpose.value + data))


def _key_id(key: Ed25519PublicKey) -> str:
    return hashlib.sha256(key.public_bytes_raw()).hexdigest()[:16]


def _public_key(file: Path) -> Ed25519PublicKey:
    try:
        key = serialization.load_pem_public_key(file.read_bytes())
    except OSError as problem:
        raise Untrusted(str(file), f"a file that cannot be read ({problem.strerror})", PUBLIC_KEY) from None
    except (ValueError, UnsupportedAlgorithm):
        raise Untrusted(str(file), "no public key", PUBLIC_KEY) from None
    if not isinstance(key, Ed25519PublicKey):
        raise Untrusted(str(file), "another kind of public key", PUBLIC_KEY)
    return key


def _private_bytes(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            mode = stat.S_IMODE(os.fstat(opened.fileno()).st_mode)
            if mode & OTHERS_MAY:
                found = f"a private key that others may read or write (mode {mode:04o})"
                raise Untrusted(str(file), found, "mode 0600, and a new key if others have read this one")
            return opened.read()
    except OSError as problem:
        raise Untrusted(str(file), f"a file that cannot be read ({problem.strerror})", PRIVATE_KEY) from None


def _write_new(file: Path, data: bytes, mode: int) -> None:
    """Write a new file durably; a key is never overwritten."""
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as opened:
            opened.write(data)
            opened.flush()
            os.fsync(opened.fileno())
    except FileExistsError:
        raise Untrusted(str(file), "a file of that name", "a new name: a key is never overwritten") from None
    except OSError as problem:
        raise Untrusted(str(file), f"that it cannot be written ({problem.strerror})", "a new file") from None
