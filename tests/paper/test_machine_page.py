"""The drawing of a machine: every state, pay and total is there, and what is left out is said."""

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import Any

import pytest

from stickman.paper.machine_page import machine_svg
from stickman.paper.machine_parts import parts
from tests.paper.wellformed import all_of, svg_of

TOTALS = [str(total) for total in range(2, 13)]


def effect(does: str, pays: str = "", to: str = "") -> dict[str, str]:
    return {"does": does, "pays": pays, "to": to}


STAYS = effect("stays")


def a_state(name: str, depth: int, working: Iterable[dict[str, str]], **changes: Any) -> dict[str, Any]:
    lines = [{"how": "working", "effects": list(working)}, {"how": "off", "effects": [STAYS] * 11}]
    return {"name": name, "spot": "toy", "locked": False, "depth": depth, "lines": lines, **changes}


def a_diagram(*states: dict[str, Any]) -> dict[str, Any]:
    return {
        "game": "craps",
        "fingerprint": "0123456789abcdef" * 4,
        "bet": "toy",
        "title": "Toy <bet> & more",
        "source": "IB 9.9",
        "columns": [{"label": total, "rolls": 6 - abs(7 - int(total))} for total in TOTALS],
        "states": list(states),
    }


def on(**totals: dict[str, str]) -> list[dict[str, str]]:
    """Effects by total, `t4=...`; nothing happens on the others."""
    return [totals.get(f"t{total}", STAYS) for total in TOTALS]


SMALL = a_diagram(
    a_state(
        "start", 0, on(t4=effect("moves", to="four"), t7=effect("wins", "1 to 1", "start"), t12=effect("pushes"))
    ),
    a_state("four", 1, on(t4=effect("wins", "9 to 5"), t7=effect("loses"), t2=effect("returns")), locked=True),
)


def words(svg: str) -> list[str]:
    return ["".join(each.itertext()) for each in all_of(svg_of(svg), "text")]


def of_class(svg: str, *classes: str) -> list[ET.Element]:
    return [each for each in svg_of(svg).iter() if set(classes) <= set(each.get("class", "").split())]


def test_each_state_each_pay_and_each_total_is_drawn() -> None:
    said = words(machine_svg(SMALL))
    for expected in (
        "start",
        "four",
        "win 9 to 5",
        "win 1 to 1, stays up",
        "lose",
        "push",
        "stake returned",
        *TOTALS,
    ):
        assert expected in said


def test_the_heading_tells_title_bet_game_fingerprint_and_source() -> None:
    said = words(machine_svg(SMALL))
    assert said[:4] == ["Toy <bet> & more", "toy", "game craps, fingerprint 0123456789ab", "source: IB 9.9"]


def test_ends_differ_in_shape_and_not_in_colour_alone() -> None:
    svg = machine_svg(SMALL)
    corners = {
        does: {end.get("rx") for end in of_class(svg, "end", does) if end.get("height") == "20"}
        for does in ("wins", "loses", "returns")
    }
    assert corners == {"wins": {"10"}, "loses": {"0"}, "returns": {"4"}}


def test_every_cell_of_the_matrix_is_coloured_by_what_it_does() -> None:
    svg = machine_svg(SMALL)
    assert len(of_class(svg, "cell")) == 2 * len(TOTALS)
    assert len(of_class(svg, "cell", "wins")) == 2
    assert len(of_class(svg, "cell", "loses")) == 1
    assert len(of_class(svg, "cell", "moves")) == 1


def test_a_locked_state_has_a_lock_in_drawing_matrix_and_legend() -> None:
    assert len(of_class(machine_svg(SMALL), "lock")) == 3
    assert of_class(machine_svg(a_diagram(SMALL["states"][0])), "lock") == []


def test_off_is_summed_up_where_nothing_happens_and_shown_where_something_does() -> None:
    assert any(said.startswith("Off: untouched.") for said in words(machine_svg(SMALL)))
    returned = a_state("four", 0, on(t7=effect("loses")))
    returned["lines"][1]["effects"] = on(t7=effect("returns"))
    svg = machine_svg(a_diagram(returned))
    assert "off" in words(svg)
    assert not any(said.startswith("Off: untouched.") for said in words(svg))
    assert len(of_class(svg, "cell", "returns")) == 1


def test_each_way_of_meeting_the_roll_has_its_row_where_the_bet_reads_the_puck() -> None:
    state = a_state("0", 0, on())
    state["lines"][:1] = [
        {"how": "puck off", "effects": on(t7=STAYS)},
        {"how": "puck on", "effects": on(t7=effect("loses"))},
    ]
    said = words(machine_svg(a_diagram(state)))
    assert {"puck off", "puck on", "puck on 7"} <= set(said)


def a_chain(count: int) -> dict[str, Any]:
    """States that count rolls, with a better pay from 20 on."""

    def acts(n: int) -> list[dict[str, str]]:
        ahead = effect("moves", to=f"s{n + 1}") if n + 1 < count else effect("wins", "100 for 1")
        seven = effect("loses") if n < 20 else effect("wins", "5 for 1")
        return [seven if total == "7" else ahead for total in TOTALS]

    return a_diagram(*(a_state(f"s{n}", n, acts(n)) for n in range(count)))


def test_a_long_chain_is_drawn_in_runs_of_states_that_do_the_same() -> None:
    machine = parts(a_chain(30))
    assert [len(node.states) for node in machine.nodes] == [20, 9, 1]
    said = words(machine_svg(a_chain(30)))
    assert "s0 to s19" in said
    assert "3 of 30 states are shown, the first of each node above; 27 states are not shown." in said


def a_fan(width: int) -> dict[str, Any]:
    """A start, then so many states side by side."""
    start = a_state("start", 0, [effect("moves", to=f"s{n % width}") for n in range(len(TOTALS))])
    return a_diagram(
        start, *(a_state(f"s{n}", 1, on(t7=effect("loses"), t2=effect("wins", "2 to 1"))) for n in range(width))
    )


def test_many_states_of_one_depth_are_one_node_that_says_how_many() -> None:
    said = words(machine_svg(a_fan(40)))
    assert "40 states" in said
    assert "1 move from the start" in said
    assert "2 of 41 states are shown, the first of each node above; 39 states are not shown." in said


def test_a_machine_of_few_states_is_drawn_whole() -> None:
    svg = machine_svg(a_fan(10))
    assert {f"s{n}" for n in range(10)} <= set(words(svg))
    assert not any("not shown" in said for said in words(svg))


def test_in_a_node_of_many_states_totals_are_counted_where_they_differ() -> None:
    states = [
        a_state(f"s{n}", 1, on(**{f"t{n % 3 + 2}": effect("wins", "2 to 1"), "t7": effect("loses")}))
        for n in range(40)
    ]
    states[0]["lines"][0]["effects"][1] = effect("wins", "2 to 1")
    start = a_state("start", 0, [effect("moves", to="s0")] * 11)
    node = parts(a_diagram(start, *states)).nodes[1]
    assert [(act.on, act.effect.does) for act in node.acts] == [
        ("1 to 2 totals", "wins"),
        ("7", "loses"),
        ("8 to 9 totals", "stays"),
    ]


@pytest.mark.parametrize("diagram", [SMALL, a_chain(30), a_fan(10), a_fan(40)])
def test_it_is_one_file_that_fetches_nothing_and_is_the_same_each_time(diagram: dict[str, Any]) -> None:
    svg = machine_svg(diagram)
    assert svg == machine_svg(diagram)
    assert "http" not in svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
    root = svg_of(svg)
    assert [each.tag.rpartition("}")[2] for each in root[:2]] == ["title", "desc"]
    assert "nan" not in svg


def test_all_that_is_drawn_lies_within_the_picture() -> None:
    for diagram in (SMALL, a_chain(30), a_fan(10), a_fan(40)):
        root = svg_of(machine_svg(diagram))
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        for group in root.findall("{http://www.w3.org/2000/svg}g"):
            x, y = map(float, group.attrib["transform"].removeprefix("translate(").removesuffix(")").split())
            for rect in all_of(group, "rect"):
                assert x + float(rect.attrib["x"]) >= 0
                assert x + float(rect.attrib["x"]) + float(rect.attrib["width"]) <= width
                assert 0 <= y + float(rect.attrib["y"]) + float(rect.attrib["height"]) <= height


def test_hostile_names_are_text() -> None:
    evil = "<script>&\"'"
    diagram = a_diagram(a_state(evil, 0, on(t7=effect("wins", evil)), spot=evil))
    assert evil in words(machine_svg(diagram))
