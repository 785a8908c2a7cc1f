"""Every game and every bet that there is makes a page and a drawing."""

import msgspec
import pytest

from stickman.paper.figures import exact, fraction
from stickman.paper.machine_page import machine_svg
from stickman.paper.par_page import par_page
from stickman.par.sheet import Request, sheet
from stickman.rules import layout as layouts
from stickman.rules.diagram import diagram
from stickman.rules.settings import GAMES, load
from tests.paper.wellformed import Page, all_of, svg_of


@pytest.mark.parametrize("name", GAMES)
def test_the_par_page_of_a_game_has_every_bet_and_every_exact_value(name: str) -> None:
    found = msgspec.json.decode(
        msgspec.json.encode(sheet(load(name), Request(stake_cents=500, rolls_max=8)).plain())
    )
    page = Page(par_page([found]))
    words = page.text
    ids = set(page.values("id"))
    for bet in found["bets"]:
        assert f"{name}-{bet['bet']}" in ids
        for key in ("edge_per_bet_made", "edge_per_bet_resolved", "edge_per_roll", "rtp", "hit_rate", "variance"):
            assert fraction(exact(bet[key])) in words
    for bet in found["other_paytables"]:
        assert bet["paytable"] in words
        assert fraction(exact(bet["edge_per_bet_made"])) in words


@pytest.mark.parametrize("name", GAMES)
def test_the_machine_of_every_bet_of_a_game_is_drawn(name: str) -> None:
    layout = layouts.lay_out(load(name))
    for bet in layout.bets.values():
        drawn = msgspec.to_builtins(diagram(layout, bet))
        root = svg_of(machine_svg(drawn))
        words = {"".join(each.itertext()) for each in all_of(root, "text")}
        assert {bet.id, drawn["states"][0]["name"]} <= words or len(drawn["states"]) > 24
        assert 300 < float(root.attrib["width"]) < 2200
        assert float(root.attrib["height"]) < 2600
