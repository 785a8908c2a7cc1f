"""HTML and SVG as text. Children that are not `Markup` are escaped, and so are all attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import TypeAlias

_VOID = frozenset({"br", "col", "hr", "meta"})  # those that our pages use
_EMPTY_SHAPES = frozenset({"circle", "line", "path", "polygon", "polyline", "rect"})
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Markup(str):
    """Text that is HTML or SVG already."""

    __slots__ = ()


Child: TypeAlias = "str | Iterable[Child] | None"
Attribute: TypeAlias = "str | int | float | None"


def escaped(child: Child) -> Markup:
    """A child as markup: text escaped, several joined, nothing for None. Characters that XML forbids become U+FFFD.

    >>> escaped(["<b> & ", Markup("<b>"), None])
    '&lt;b&gt; &amp; <b>'
    """
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return Markup(escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", child)))
    return Markup("".join(escaped(each) for each in child or ()))


def tag(name: str, /, *children: Child, **attributes: Attribute) -> Markup:
    """An element. Attributes that are None are left out. In a name, a last `_` is dropped (`class_`), others become
    `-` (`data_label`).

    >>> tag("td", "1 < 2", class_="n", title=None)
    '<td class="n">1 &lt; 2</td>'
    >>> tag("rect", x=1.50, width=0.123)
    '<rect x="1.5" width="0.12"/>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Markup(f"<{name}{written}>")
    inside = escaped(children)
    if name in _EMPTY_SHAPES and not inside:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{inside}</{name}>")


def _attribute(value: str | float) -> str:
    return number(value) if isinstance(value, float) else escaped(str(value))


def number(value: float) -> str:
    """A coordinate, to a hundredth: enough for any screen, and the same on every machine.

    >>> number(12.0), number(-0.001), number(3.14159)
    ('12', '0', '3.14')
    """
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written
