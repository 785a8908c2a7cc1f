"""Keys in files, and signatures that hold for one key, one purpose and exactly one sequence of bytes."""

import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from hypothesis import given
from hypothesis import strategies as st

from stickman.store.signing import Purpose, Signature, Signer, Untrusted, Verifier

# RFC 8032, section 7.1, test 1: a key pair that others made.
SECRET = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
PUBLIC = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")

OURS, THEIRS = Signer.generate(), Signer.generate()


def known_signer() -> Signer:
    return Signer(ed25519.Ed25519PrivateKey.from_private_bytes(SECRET))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "floor.pem"


# --- Signatures ---


def test_a_signature_covers_its_purpose_and_then_the_bytes() -> None:
    signature = known_signer().sign(Purpose.LOCK, b"seats = 10\n")
    public = ed25519.Ed25519PublicKey.from_public_bytes(PUBLIC)
    public.verify(signature.value, b"stickman lock 1\n" + b"seats = 10\n")


def test_a_key_is_named_after_the_sha256_of_its_raw_public_half() -> None:
    assert known_signer().key_id == hashlib.sha256(PUBLIC).hexdigest()[:16]
    signature = known_signer().sign(Purpose.LOCK, b"seats = 10\n")
    assert signature.key_id == known_signer().key_id
    known_signer().verifier.verify(Purpose.LOCK, b"seats = 10\n", signature, "here")


def test_no_purpose_begins_like_another() -> None:
    for one in Purpose:
        assert one.value.endswith(b"\n")
        assert not any(other.value.startswith(one.value) for other in Purpose if other is not one)


def test_a_signature_for_one_purpose_is_worth_nothing_for_another() -> None:
    signature = OURS.sign(Purpose.CHECKPOINT, b"heads")
    OURS.verifier.verify(Purpose.CHECKPOINT, b"heads", signature, "here")
    with pytest.raises(Untrusted, match=r"here: found bytes that the signature of .* does not fit"):
        OURS.verifier.verify(Purpose.LOCK, b"heads", signature, "here")


def test_a_signature_of_an_unknown_key_is_refused_by_name() -> None:
    signature = THEIRS.sign(Purpose.LOCK, b"")
    with pytest.raises(Untrusted, match=f"the unknown key {THEIRS.key_id}; expected one of {OURS.key_id}"):
        OURS.verifier.verify(Purpose.LOCK, b"", signature, "here")


def test_a_signature_under_another_keys_name_is_refused() -> None:
    signature = THEIRS.sign(Purpose.LOCK, b"")._replace(key_id=OURS.key_id)
    with pytest.raises(Untrusted, match="does not fit"):
        OURS.verifier.verify(Purpose.LOCK, b"", signature, "here")


def test_a_verifier_takes_signatures_of_each_of_its_keys(tmp_path: Path) -> None:
    for name, signer in (("ours", OURS), ("theirs", THEIRS)):
        signer.save_public(tmp_path / name)
    both = Verifier.load(tmp_path / "ours", tmp_path / "theirs")
    for signer in (OURS, THEIRS):
        both.verify(Purpose.LOCK, b"bytes", signer.sign(Purpose.LOCK, b"bytes"), "here")


@given(data=st.binary(min_size=1, max_size=200), at=st.integers(min_value=0), bit=st.integers(0, 7))
def test_one_bit_changed_in_what_was_signed_is_noticed(data: bytes, at: int, bit: int) -> None:
    signature = OURS.sign(Purpose.LOCK, data)
    changed = bytearray(data)
    changed[at % len(data)] ^= 1 << bit
    with pytest.raises(Untrusted):
        OURS.verifier.verify(Purpose.LOCK, bytes(changed), signature, "here")


def test_one_bit_changed_anywhere_in_a_written_signature_is_noticed() -> None:
    written = str(OURS.sign(Purpose.LOCK, b"bytes")).encode()
    assert len(written) == 16 + 1 + 88
    for at in range(len(written)):
        for bit in range(8):
            changed = bytearray(written)
            changed[at] ^= 1 << bit
            with pytest.raises(Untrusted):
                verify_text(bytes(changed).decode("latin-1"))
    verify_text(written.decode())


def verify_text(text: str) -> None:
    OURS.verifier.verify(Purpose.LOCK, b"bytes", Signature.parse(text, "here"), "here")


@pytest.mark.parametrize(
    "spoil", [str.upper, lambda t: f" {t}", lambda t: t + "\n", lambda t: t[:-1], lambda t: t[17:], lambda _: ""]
)
def test_a_signature_has_one_spelling(spoil: Callable[[str], str]) -> None:
    text = str(OURS.sign(Purpose.LOCK, b"bytes"))
    with pytest.raises(Untrusted, match=r"here: found .*; expected a key id of 16 hex digits"):
        Signature.parse(spoil(text), "here")


# --- Keys in files ---


@pytest.mark.parametrize("password", ["", "seven come eleven"])
def test_a_key_that_was_saved_signs_as_before(file: Path, password: str) -> None:
    OURS.save(file, password)
    signature = Signer.load(file, password).sign(Purpose.LOCK, b"bytes")
    OURS.verifier.verify(Purpose.LOCK, b"bytes", signature, "here")


def test_a_private_key_is_written_for_its_owner_alone(file: Path) -> None:
    before = os.umask(0)
    try:
        OURS.save(file)
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o610, 0o644, 0o777])
def test_a_private_key_that_others_may_touch_is_not_used(file: Path, mode: int) -> None:
    OURS.save(file)
    file.chmod(mode)
    with pytest.raises(Untrusted, match=f"others may read or write .mode {mode:04o}.; expected mode 0600"):
        Signer.load(file)


def test_a_key_is_never_overwritten(file: Path) -> None:
    OURS.save(file)
    kept = file.read_bytes()
    for save in (THEIRS.save, THEIRS.save_public):
        with pytest.raises(Untrusted, match="never overwritten"):
            save(file)
    assert file.read_bytes() == kept


def test_a_key_with_a_password_needs_that_password(file: Path) -> None:
    OURS.save(file, "yo")
    with pytest.raises(Untrusted, match="found a key with a password; expected its password"):
        Signer.load(file)
    with pytest.raises(Untrusted, match="another password"):
        Signer.load(file, "boxcars")


def test_a_password_that_is_not_asked_for_is_refused(file: Path) -> None:
    OURS.save(file)
    with pytest.raises(Untrusted, match="found a key without a password"):
        Signer.load(file, "yo")


def elliptic(_: Path) -> tuple[bytes, bytes]:
    """Another kind of key, as its private and its public PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    pem = serialization.Encoding.PEM
    return (
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
        key.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo),
    )


def swapped(file: Path) -> tuple[bytes, bytes]:
    """A private key where a public one belongs, and the reverse."""
    OURS.save(file.with_name("private"))
    OURS.save_public(file.with_name("public"))
    return file.with_name("public").read_bytes(), file.with_name("private").read_bytes()


def cut_short(file: Path) -> tuple[bytes, bytes]:
    public, private = swapped(file)
    return private[:-40], public[:-40]


def nothing(_: Path) -> tuple[bytes, bytes]:
    return b"", b""


@pytest.mark.parametrize("make", [elliptic, swapped, cut_short, nothing])
def test_what_is_no_ed25519_key_is_refused_with_the_file_and_what_is_expected(
    file: Path, make: Callable[[Path], tuple[bytes, bytes]]
) -> None:
    private, public = make(file)
    file.write_bytes(private)
    file.chmod(0o600)
    with pytest.raises(Untrusted, match=r"floor\.pem: found .*; expected an Ed25519 private key"):
        Signer.load(file)
    file.write_bytes(public)
    with pytest.raises(Untrusted, match=r"floor\.pem: found .*; expected an Ed25519 public key"):
        Verifier.load(file)


def test_a_key_file_that_is_not_there_is_refused_with_its_name(file: Path) -> None:
    with pytest.raises(Untrusted, match=r"floor\.pem: found a file that cannot be read"):
        Signer.load(file)
    with pytest.raises(Untrusted, match=r"floor\.pem: found a file that cannot be read"):
        Verifier.load(file)
    with pytest.raises(Untrusted, match=r"nowhere.floor\.pem: found that it cannot be written"):
        OURS.save(file.parent / "nowhere" / file.name)
