"""Prose in plain words: the check finds planted words of every kind and ignores code; the project passes it."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


def words() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_words", ROOT / "docs" / "words.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "planted", "found"),
    [
        ("a.md", "Plain.\nIt goes to whoever asks.", "a.md:2: “whoever”; better: anyone who, the person who"),
        ("a.md", "The code is good no more.", "a.md:1: “good no more”; better: no longer"),
        ("a.md", "Don't Come is no contract.", "a.md:1: “is no”; better: is not a"),
        ("a.md", "See DESIGN 9, E.", "a.md:1: “DESIGN 9”; better: a document of this repository"),
        ("a.py", "def f():\n    '''Start\n    anew.'''\n", "a.py:3: “anew”; better: again"),
        ("a.py", "x = 1  # for ever\n", "a.py:1: “for ever”; better: always, permanently"),
        ("a.py", "raise E('what it is told')\n", "a.py:1: “told”; better: shown, notified, reported"),
        (
            "a.ts",
            "/** One.\n * By itself. */",
            "a.ts:2: “By itself”; better: automatically, on its own, separately",
        ),
        ("a.ts", 'x: "Mend it first",', "a.ts:1: “Mend”; better: repair, correct"),
        ("a.ts", "let x; // lies here", "a.ts:1: “lies”; better: is on the table"),
    ],
)
def test_a_planted_word_is_found_with_its_line_and_a_better_word(name: str, planted: str, found: str) -> None:
    assert words().findings(name, planted) == [found]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "a.md",
            "`whoever`, [x](anew.md), test_whoever_waits\n```\nanew\n```\nThere is no bounty. It is no longer.",
        ),
        ("a.py", "told = anew(beside)  # plain\nx = 'anew'\n"),
        ("a.ts", 'const told = anew["beside"]; // plain'),
    ],
)
def test_code_names_and_plain_phrases_pass(name: str, text: str) -> None:
    assert words().findings(name, text) == []


def test_every_pattern_of_the_list_of_covered_files_matches_some() -> None:
    module = words()
    assert [pattern for pattern in module.COVERED if not list(ROOT.glob(pattern))] == []


def test_the_covered_files_use_plain_words() -> None:
    module = words()
    files = module.covered()
    assert {"README.md", "docs/rulings.md", "web/src/words/en.ts"} <= {str(f.relative_to(ROOT)) for f in files}
    assert [line for file in files for line in module.findings(file.name, file.read_text("utf-8"))] == []
