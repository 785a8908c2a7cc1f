"""Check that prose uses plain words: `make lint`. Each finding names the word and a better one.

It reads Markdown, comments, docstrings and texts of the files in `COVERED`, not code: a name may contain any word.
To bring more of the project into plain English, rewrite a file or a folder, then add it to the list.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
COVERED = (
    "*.md",
    "bench/README.md",
    "web/README.md",
    "docs/*.md",
    "docs/*.py",
    "web/src/**/words/**/en.ts",
    "web/src/**/*.ts",
    "web/src/**/*.svelte",
    "web/src/**/*.css",
    "src/stickman/**/*.py",
    "bench/*.py",
    "bench/*.ts",
    "examples/*.py",
)

WORDS = {
    r"whoever|whomever": "anyone who, the person who",
    r"somebody|anybody|everybody": "someone, anyone, everyone",
    r"anew": "again",
    r"for ever": "always, permanently",
    r"beside": "next to, besides",
    r"by (?:itself|themselves)": "automatically, on its own, separately",
    r"told|untold": "shown, notified, reported",
    r"so (?:much|many)": "that much, the given number",
    r"mend(?:s|ed|ing)?": "repair, correct",
    r"comes? to": "is, adds up to",
    r"(?:is|are|was|were|good|needed|counts?) no more": "no longer",
    r"(?<!there )(?:is|are|was|were) no(?= (?!longer|more|less)\w)": "is not a",
    r"(?:house|staff|server|terminal|session|seat|owner|it|that|them|this) alone": "only",
    r"lies|lying": "is on the table",
    r"(?:is|are|was) good (?:at|for|until)": "is valid",
    r"takes? (?:two people|a second person)": "needs two people",
    r"pass(?:es|ed)? over": "skip, ignore",
    r"(?:is|was|are) so(?: already)?(?=[.;,])": "say what is",
    r"(?<=[;:,]) else(?=[ ,])": "otherwise",
    r"in sight": "visible",
    r"unless said": "by default",
    r"comes? later": "connects later, follows",
    r"stands? (?:instead of|in for)": "replaces",
    r"(?<=, )for (?:it|they|there|nothing|nobody|both)\b": "because",
    r"DESIGN \d+|trap \d+": "a document of this repository",
}
BAD = [(re.compile(rf"(?<![\w'_.-])(?:{word})(?![\w_-])", re.IGNORECASE), better) for word, better in WORDS.items()]
Prose = Iterator[tuple[int, str]]


def markdown(text: str) -> Prose:
    """The lines of a page without code: no fences, no spans, no targets of links."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.startswith("```")
        if not fenced:
            yield number, re.sub(r"`[^`]*`|\]\([^)]*\)", " ", line)


def python(text: str) -> Prose:
    """Comments, docstrings and texts: strings with a space."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and " " in token.string):
            for number, line in enumerate(token.string.splitlines(), token.start[0]):
                yield number, re.sub(r"`[^`]*`|\{[^}]*\}", " ", line)


def typescript(text: str) -> Prose:
    """Comments and texts: strings with a space."""
    for found in re.finditer(r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\\n]|\\.)* (?:[^\"\\\n]|\\.)*\"", text, re.DOTALL):
        for number, line in enumerate(found[0].splitlines(), text.count("\n", 0, found.start()) + 1):
            yield number, re.sub(r"`[^`]*`", " ", line)


def component(text: str) -> Prose:
    """Comments of a component or a style: a text is in a catalogue."""
    for found in re.finditer(r"<!--.*?-->|/\*.*?\*/|(?<!:)//[^\n]*", text, re.DOTALL):
        for number, line in enumerate(found[0].splitlines(), text.count("\n", 0, found.start()) + 1):
            yield number, re.sub(r"`[^`]*`", " ", line)


READERS = {".md": markdown, ".py": python, ".ts": typescript, ".svelte": component, ".css": component}


def findings(name: str, text: str) -> list[str]:
    """What is wrong in a file, a line for each word."""
    return [
        f"{name}:{number}: “{found[0].strip()}”; better: {better}"
        for number, line in READERS[Path(name).suffix](text)
        for bad, better in BAD
        for found in bad.finditer(line)
    ]


def covered() -> list[Path]:
    """Every file that is checked."""
    files = {file for pattern in COVERED for file in ROOT.glob(pattern)}
    return sorted(file for file in files if str(file.relative_to(ROOT)) != "docs/words.py")


if __name__ == "__main__":
    found = [line for file in covered() for line in findings(str(file.relative_to(ROOT)), file.read_text("utf-8"))]
    sys.exit("\n".join(found) or 0)
