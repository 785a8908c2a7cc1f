"""The frame that all pages share: one HTML file that fetches nothing and runs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

from stickman.paper import plot
from stickman.paper.markup import Child, Markup, tag


def page(title: str, css: Sequence[str], style: str, header: Child, main: Child) -> str:
    """A page with these style sheets of the package, more style, a header below the title, and its content."""
    sheets = "".join(resources.files("stickman.paper").joinpath(name).read_text("utf-8") for name in css)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Markup(sheets + style)),
    )
    body = tag("body", tag("header", tag("h1", title), header), tag("main", main))
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


Part = tuple[str, str, list[Child]]
"""A part of a page: its anchor, its heading and its content."""


def page_of_parts(title: str, css: Sequence[str], style: str, lead: str, keys: Child, parts: Sequence[Part]) -> str:
    """A page with a lead, links to its parts, key figures, and the parts."""
    links = [tag("a", name, href=f"#{anchor}") for anchor, name, _ in parts]
    nav = tag("nav", tag("span", links, class_="sections"), aria_label="Contents")
    main = [tag("section", tag("h2", name), inside, id=anchor, class_="part") for anchor, name, inside in parts]
    return page(title, css, plot.STYLE + style, [tag("p", lead, class_="lead"), nav, keys], main)


def figure(title: str, drawn: Markup, note: str = "") -> Markup:
    return tag("figure", tag("figcaption", tag("b", title), f". {note}" if note else None), drawn)


def key_figures(facts: Sequence[tuple[str, str]]) -> Markup:
    return tag("dl", [tag("div", tag("dt", name), tag("dd", value)) for name, value in facts], class_="keys")


def list_of_notes(notes: Sequence[str]) -> Part:
    return "notes", "How to read this", [tag("ul", [tag("li", note) for note in notes], class_="notes")]
