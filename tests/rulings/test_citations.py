"""What code and data cite can be looked up: rules and rulings in docs/rulings.md, documents in docs/sources.md."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from stickman.rules.paytable import odds_tables, pay_tables, power_tables

ROOT = Path(__file__).parents[2]
NUMBER = r"\d+(?:\.\d+)*"
PAY_TABLES = [
    p.stem for p in (ROOT / "src/stickman/paytables").glob("*.toml") if p.stem not in ("odds", "power_odds")
]


def cited(word: str) -> set[str]:
    """The numbers that follow this word in code and data: `RULES 9, 15.4` are two."""
    texts = [path.read_text() for kind in ("py", "toml") for path in (ROOT / "src").rglob(f"*.{kind}")]
    lists = [found for text in texts for found in re.findall(rf"\b{word} ({NUMBER}(?:, {NUMBER})*)", text)]
    return {number for found in lists for number in found.split(", ")}


def explained(pattern: str) -> list[str]:
    return re.findall(pattern, (ROOT / "docs/rulings.md").read_text(), re.MULTILINE)


def described(tag: str) -> str:
    """What docs/sources.md says of a document, on one line."""
    [_, *sections] = re.split(r"^## ", (ROOT / "docs/sources.md").read_text(), flags=re.MULTILINE)
    [found] = [section for section in sections if section.startswith(tag + "\n")]
    return " ".join(found.split())


def pay_sources() -> Iterator[str]:
    """Where each pay row, seed and odds policy says it is printed."""
    for kind in PAY_TABLES:
        for table in pay_tables(kind).values():
            yield from (row.source for row in table.rows.values())
            yield table.seed_source or ""
    yield from (row.source for chart in power_tables().values() for row in chart.rows.values())
    yield from (policy.source for policy in odds_tables().values())


def test_every_section_and_ruling_is_explained_once_and_in_order() -> None:
    assert explained(r"^## (\d+)\.") == [str(n) for n in range(1, 21)]
    assert explained(r"^- \*\*15\.(\d+)\*\*") == [str(n) for n in range(1, 13)]
    assert explained(r"^- \*\*Ruling (\d+)\*\*") == [str(n) for n in range(1, 63)]


def test_every_rule_that_is_cited_is_explained() -> None:
    rules = {*explained(r"^## (\d+)\."), *explained(r"^- \*\*(15\.\d+)\*\*")}
    assert {"15.1", "16"} <= cited("RULES") <= rules


def test_every_ruling_that_is_cited_is_explained() -> None:
    assert {"7", "10"} <= cited("rulings?") <= set(explained(r"^- \*\*Ruling (\d+)\*\*"))


@pytest.mark.parametrize("tag", ["IB", "RTW"])
def test_every_numbered_section_that_is_cited_is_listed(tag: str) -> None:
    listed = set(re.findall(NUMBER, described(tag).partition("| section | heading |")[2]))
    assert {"IB": {"2.6"}, "RTW": {"7.1"}}[tag] <= cited(tag) <= listed


def test_every_heading_of_stw_that_a_pay_cites_is_listed() -> None:
    listed = described("STW").partition("Headings: ")[2].rstrip(".").split("; ")
    headings = {
        found for source in pay_sources() for found in re.findall(r"STW ([^,;]+?)(?: \d+%)?(?:[,;]|$)", source)
    }
    assert {"Field", "C (Craps)"} <= headings <= {re.sub(r" \(80%, 92%\)$", "", heading) for heading in listed}


def test_every_pay_table_of_bonus_craps_is_listed() -> None:
    tables = {found for source in pay_sources() for found in re.findall(r"(BC[34])\b.*(PT-\S+)", source)}
    assert len(tables) == 7 + 6 + 6
    assert {(tag, table) for tag, table in tables if table not in described(tag)} == set()
