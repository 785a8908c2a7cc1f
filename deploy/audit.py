"""What is publicly known to be wrong with the packages that are pinned. `make audit` runs it.

It reads each lock file and what an auditing tool said of it, as JSON. A pin that the tool does not name with its
version was not checked, whatever the exit code of the tool. Ours is 0 where every pin was checked and nothing is
known, 1 where something is known, 3 where nothing is known but some pins could not be checked.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

CLEAN, KNOWN, UNCHECKED = 0, 1, 3
PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^\s;]+)", re.MULTILINE)
ANSWER_S = 10
NAMED_MAX = 8

Pin = tuple[str, str]
Newest = Callable[[str], tuple[str, list[str]]]
"""By package, its newest version and the advisories that it has."""


class Finding(NamedTuple):
    """What is known of the pins of one lock file."""

    file: str
    pins: int
    known: list[str]
    """Advisories, each with its package."""
    unchecked: list[str]

    def __str__(self) -> str:
        checked = f"{self.pins - len(self.unchecked)} of {self.pins} packages checked"
        lines = [
            f"{self.file}: {checked}, {len(self.known)} advisories",
            *(f"  known: {each}" for each in self.known),
        ]
        if self.unchecked:
            more = len(self.unchecked) - NAMED_MAX
            named = ", ".join(self.unchecked[:NAMED_MAX]) + (f" and {more} more" if more > 0 else "")
            lines.append(f"  NOT CHECKED: {named}")
        return "\n".join(lines)


def python_pins(file: str, text: str, said: Any, newest: Newest | None = None) -> Finding:
    """A requirements file, and what `pip-audit --format json` said of it."""
    pins = sorted(set(PIN.findall(text)))
    told = said.get("dependencies", []) if isinstance(said, dict) else []
    audited: dict[Pin, list[str]] = {
        (each["name"], each["version"]): [vulnerability["id"] for vulnerability in each["vulns"]]
        for each in told
        if "version" in each
    }
    for name, version in pins if newest else ():
        assert newest
        if (name, version) not in audited:
            last, advisories = newest(name)
            if last == version:
                audited[name, version] = advisories
    known = [f"{name} {version}: {each}" for (name, version), ids in audited.items() for each in ids]
    return Finding(
        file, len(pins), known, [f"{name} {version}" for name, version in pins if (name, version) not in audited]
    )


def node_pins(file: str, text: str, said: Any) -> Finding:
    """A package-lock.json, and what `npm audit --json` said of it: of all of it, or of nothing."""
    pins = [f"{name.rpartition('node_modules/')[2]}" for name in json.loads(text)["packages"] if name]
    if not isinstance(said, dict) or "auditReportVersion" not in said:
        return Finding(file, len(pins), [], pins)
    return Finding(
        file, len(pins), [f"{name}: {each['severity']}" for name, each in said["vulnerabilities"].items()], []
    )


def asked_of(index: str) -> Newest:
    """Ask a package index that serves JSON. It tells the advisories of newest versions alone."""

    def newest(name: str) -> tuple[str, list[str]]:
        try:
            with urllib.request.urlopen(f"{index.rstrip('/')}/{name}/json", timeout=ANSWER_S) as answer:  # noqa: S310
                told = json.load(answer)
            return told["info"]["version"], [each["id"] for each in told["vulnerabilities"]]
        except (OSError, ValueError, KeyError, TypeError):
            return "", []

    return newest


def read(file: Path) -> Any:
    """What a tool said; nothing where it said nothing that can be read."""
    try:
        return json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return None


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Say what is known of pinned packages, and what was not checked.")
    parser.add_argument("pairs", nargs="+", metavar="LOCK=SAID", help="a lock file, and what was said of it")
    parser.add_argument(
        "--index", default="", help="a package index, https://HOST/PATH, asked where the tool fails"
    )
    options = parser.parse_args(arguments)
    if options.index and not options.index.startswith("https://"):
        parser.error(f"--index is {options.index!r}; allowed: an address that begins with https://")
    newest = asked_of(options.index) if options.index else None
    findings = []
    for pair in options.pairs:
        lock, _, said = pair.partition("=")
        text, told = Path(lock).read_text("utf-8"), read(Path(said))
        findings.append(
            node_pins(lock, text, told) if lock.endswith(".json") else python_pins(lock, text, told, newest)
        )
    print(*findings, sep="\n")  # noqa: T201 - a program for people
    if any(finding.known for finding in findings):
        return KNOWN
    return UNCHECKED if any(finding.unchecked for finding in findings) else CLEAN


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
