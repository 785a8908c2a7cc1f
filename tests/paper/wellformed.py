"""What it means that a page is well formed: every tag closed in its turn, every id once, every link with an end."""

import xml.etree.ElementTree as ET
from html.parser import HTMLParser

VOID = {"br", "col", "hr", "meta"}
EMPTY_SHAPES = {"circle", "line", "path", "polygon", "polyline", "rect"}


class Page(HTMLParser):
    """A page read tag by tag."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == [], f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {key: value or "" for key, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in EMPTY_SHAPES, f"<{tag}/> would stay open in HTML"
        self.tags.append((tag, {key: value or "" for key, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> out of turn"

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)

    def values(self, attribute: str) -> list[str]:
        """All values of an attribute, in order."""
        return [attributes[attribute] for _, attributes in self.tags if attribute in attributes]


def svg_of(text: str) -> ET.Element:
    """An SVG read strictly."""
    return ET.fromstring(text)  # noqa: S314 (our own output, not untrusted data)


def all_of(root: ET.Element, name: str) -> list[ET.Element]:
    """The elements of this name, whether or not the SVG names its namespace."""
    return [each for each in root.iter() if each.tag.rpartition("}")[2] == name]
