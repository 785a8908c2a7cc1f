"""Whatever is not markup already is escaped."""

from hypothesis import given
from hypothesis import strategies as st

from stickman.paper.markup import Markup, escaped, number, tag
from tests.paper.wellformed import svg_of


@given(st.text().filter(lambda text: "\r" not in text), st.text())
def test_any_text_comes_through_as_text_and_never_as_tags(inside: str, attribute: str) -> None:
    element = svg_of(tag("p", inside, title=attribute))
    assert len(element) == 0
    assert element.tag == "p"
    shown = element.text or ""
    assert len(shown) == len(inside)
    assert all(
        after in (before, "\n", "\N{REPLACEMENT CHARACTER}") for before, after in zip(inside, shown, strict=True)
    )


def test_markup_is_not_escaped_twice() -> None:
    assert tag("p", tag("b", "&"), " & ", None) == "<p><b>&amp;</b> &amp; </p>"
    assert escaped(Markup("<hr>")) == "<hr>"


def test_control_characters_that_xml_forbids_are_replaced() -> None:
    assert escaped("a\x00b\ud800") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}"


def test_attributes_that_are_none_are_left_out_and_zero_is_not() -> None:
    assert tag("td", "x", class_=None, data_label="") == '<td data-label="">x</td>'
    assert tag("rect", x=0, y=0.0) == '<rect x="0" y="0"/>'


def test_coordinates_are_written_the_same_everywhere() -> None:
    assert [number(value) for value in (1 / 3, -0.0001, 100.0, 1e6)] == ["0.33", "0", "100", "1000000"]
