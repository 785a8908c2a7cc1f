"""The page of par sheets: complete, exact, self-contained, well formed, and safe with any text."""

import copy
import re
from typing import Any

import pytest

from stickman.paper.alike import groups, pays
from stickman.paper.figures import exact, fraction, percent
from stickman.paper.par_page import SOURCES, par_page
from tests.paper.wellformed import Page

EXACT = ("edge_per_bet_made", "edge_per_bet_resolved", "edge_per_roll", "rtp", "hit_rate", "mean_rolls", "variance")
LONG = "44223637819601/505412435127600"
HOSTILE = "<script>alert('x')</script>&\"><img src=x onerror=y>"


def a_bet(bet: str, title: str, **changes: Any) -> dict[str, Any]:
    """The pass line of craps by another name, but for what is changed."""
    return {
        "bet": bet,
        "title": title,
        "offered": True,
        "paytable": "standard",
        "edge_per_bet_made": "7/495",
        "edge_per_bet_resolved": "7/495",
        "edge_per_roll": "7/1671",
        "rtp": "488/495",
        "hit_rate": "244/495",
        "mean_rolls": "557/165",
        "variance": "244976/245025",
        "source": "STW Pass Line",
        "results": [
            {
                "result": "win",
                "pays": "1 to 1",
                "shown": "",
                "net": "1/1",
                "chance": "244/495",
                "source": "STW Pass",
            },
            {"result": "lose", "pays": "", "shown": "", "net": "-1/1", "chance": "251/495", "source": "IB 2.2"},
        ],
        "flags": [],
        "as_played": None,
        "commission": [],
        "combined": [],
        "power_odds": None,
        "progressive": None,
        "envy_cost": None,
        "breakage": None,
        "rolls": ["1/3", "61/324", "131/972"],
        **changes,
    }


COMMISSION = [
    {"base": base, "when": when, "in_play": index == 1, "edge_per_stake": f"1/{60 + index}"}
    | {"edge_per_stake_and_fee": f"1/{70 + index}"}
    for index, (base, when) in enumerate(
        [("stake", "on_win"), ("stake", "upfront"), ("win", "on_win"), ("win", "upfront")]
    )
]
COMBINED = [
    {"odds": "3-4-5x", "limit": "stake", "in_play": True, "mean_staked": "34/9", "edge_per_unit_staked": "7/1870"},
    {"odds": "10x", "limit": "stake", "in_play": False, "mean_staked": "23/3", "edge_per_unit_staked": "7/3795"},
]
POWER = {
    "groups": "CD",
    "rtp_mixed": "1601/1728",
    "rtp_never_shown": "7/8",
    "rtp_low_shown": "23/18",
    "rtp_high_shown": "41/24",
    "rtp_shown": "215/144",
}
PROGRESSIVE = {
    "meter": "jackpot",
    "base_cents": 100,
    "reset_cents": 2_500_000,
    "fixed_rtp": "281549375/612220032",
    "top_award_chance": "4375/306110016",
    "rtp_at_reset": "500299375/612220032",
    "rtp_per_10000_dollars": "2734375/19131876",
    "break_even_cents": "661341314/175",
    "increment": "1/20",
    "reserve": "1/100",
    "rtp_long_run": "2654551883/3061100160",
}
BREAKAGE = {"stake_cents": 500, "kept_cents": "5/33", "fee_forgone_cents": "0/1", "edge_per_bet_made": "17/1100"}
PLAYED = dict.fromkeys(EXACT, "31/77")


def a_sheet(*bets: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "game": "toy",
        "title": "Toy Craps",
        "fingerprint": "ab12" * 16,
        "assumptions": ["Dice are fair.", "Every roll counts."],
        "bets": list(bets),
        "other_paytables": [],
        **changes,
    }


FULL = a_sheet(
    a_bet("pass", "Pass", combined=COMBINED),
    a_bet("place.4", "Place 4", breakage=BREAKAGE, as_played=PLAYED),
    a_bet("place.10", "Place 10", breakage=BREAKAGE, as_played=PLAYED),
    a_bet("buy.4", "Buy 4", commission=COMMISSION),
    a_bet("horn", "Horn", power_odds=POWER, mean_rolls="1/1", rolls=["1/1", "0/1"]),
    a_bet(
        "jackpot",
        "Jackpot",
        offered=False,
        progressive=PROGRESSIVE,
        envy_cost="2235625/38263752",
        flags=["returns under 75%"],
    ),
    a_bet("long", "Long", edge_per_bet_made=LONG),
    other_paytables=[a_bet("jackpot", "Jackpot", paytable="J-2", progressive=PROGRESSIVE)],
)


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(par_page([FULL]))


def test_every_bet_is_named_and_has_an_anchor(page: Page) -> None:
    for bet in FULL["bets"]:
        assert bet["bet"] in page.text
        assert f"toy-{bet['bet']}" in page.values("id")


def test_every_exact_value_stands_on_the_page_in_full(page: Page) -> None:
    for bet in FULL["bets"]:
        for key in EXACT:
            assert fraction(exact(bet[key])) in page.text
        for result in bet["results"]:
            assert fraction(exact(result["chance"])) in page.text


@pytest.mark.parametrize(
    "value",
    [row[key] for row in COMMISSION for key in ("edge_per_stake", "edge_per_stake_and_fee")]
    + [row[key] for row in COMBINED for key in ("mean_staked", "edge_per_unit_staked")]
    + [value for key, value in POWER.items() if key != "groups"]
    + [value for value in PROGRESSIVE.values() if "/" in str(value)]
    + ["5/33", "17/1100", "31/77", "2235625/38263752"],
)
def test_what_only_some_bets_have_is_exact_too(page: Page, value: str) -> None:
    assert fraction(exact(value)) in page.text


def test_the_summary_shows_percents_and_leaves_long_ratios_to_the_card() -> None:
    summary = par_page([FULL]).split('class="overview"')[1].split("</table>")[0]
    assert "1.4141%" in summary
    assert "7/495" in summary
    assert percent(exact(LONG)) in summary
    assert LONG.partition("/")[0] not in summary


def test_title_fingerprint_assumptions_and_sources_are_told(page: Page) -> None:
    for told in ("Toy Craps", "ab12" * 16, "Dice are fair.", "Every roll counts.", *SOURCES, *SOURCES.values()):
        assert told in page.text


def test_what_is_not_on_offer_and_what_is_flagged_is_marked(page: Page) -> None:
    assert "not on offer" in page.text
    assert "returns under 75%" in page.text
    assert "6 on offer, 1 more" in page.text


def test_the_share_beyond_the_last_roll_and_the_mean_are_told(page: Page) -> None:
    beyond = 1 - exact("1/3") - exact("61/324") - exact("131/972")
    assert f"{percent(beyond)} of bets take more than 3 rolls." in page.text
    assert "mean 3.3758" in page.text


def test_a_bet_of_one_roll_has_no_plot_of_rolls() -> None:
    page = Page(par_page([a_sheet(FULL["bets"][4])]))
    assert "Decided by one roll." in page.text
    assert "Rolls to a decision" not in page.text


def test_equal_bets_of_a_family_share_one_card(page: Page) -> None:
    titles = [group.title for group in groups(FULL["bets"])]
    assert titles == ["Pass", "Place 4, 10", "Buy 4", "Horn", "Jackpot", "Long"]
    assert page.values("class").count("card") == len(titles)


def test_bets_that_differ_in_one_value_or_in_family_do_not_share_a_card() -> None:
    four, ten = a_bet("place.4", "Place 4"), a_bet("place.10", "Place 10", variance="1/1")
    assert len(groups([four, ten])) == 2
    assert len(groups([a_bet("pass", "Pass"), a_bet("come", "Come")])) == 2


def test_a_shared_card_keeps_the_sources_of_all() -> None:
    [group] = groups([a_bet("big.6", "Big 6", source="A; B"), a_bet("big.8", "Big 8", source="B; C")])
    assert group.one["source"] == "A; B; C"


def test_pays_are_told_best_first_with_what_power_odds_shows() -> None:
    bet = a_bet("hop.1-2", "Hop 1-2")
    rows = [("30 to 1", "high"), ("22 to 1", "low"), ("15 to 1", ""), ("7 to 1", "")]
    bet["results"] = [{"result": "win", "pays": ratio, "shown": shown} for ratio, shown in rows]
    assert pays(bet) == "15, 7 to 1; low 22 to 1; high 30 to 1"


def test_every_id_is_there_once_and_every_link_has_an_end() -> None:
    page = Page(par_page([FULL, copy.deepcopy(FULL)]))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert {href.removeprefix("#") for href in page.values("href")} <= set(ids)


def test_the_page_fetches_and_runs_nothing() -> None:
    html = par_page([FULL])
    page = Page(html)
    assert not re.search(r"https?:|//|@import|url\(|javascript:", html.replace("<!DOCTYPE html>", ""))
    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "object", "embed", "base"}
    assert page.values("src") == []


def hostile(value: Any) -> Any:
    """The same value with every free text made hostile."""
    if isinstance(value, dict):
        free = {"title", "source", "paytable", "flags", "odds", "meter", "assumptions", "fingerprint"}
        return {key: _made_hostile(each) if key in free else hostile(each) for key, each in value.items()}
    return [hostile(each) for each in value] if isinstance(value, list) else value


def _made_hostile(value: Any) -> Any:
    return [_made_hostile(each) for each in value] if isinstance(value, list) else f"{value}{HOSTILE}"


def test_hostile_text_is_shown_and_never_obeyed() -> None:
    sheet = hostile(FULL)
    sheet["game"] = sheet["bets"][0]["bet"] = HOSTILE
    page = Page(par_page([sheet]))
    assert HOSTILE in page.text
    assert not {"script", "img"} & {tag for tag, _ in page.tags}
    assert page.values("onerror") == []


def test_a_sheet_without_bets_or_curves_still_makes_a_page() -> None:
    assert "Toy Craps" in Page(par_page([a_sheet()])).text
    assert "Rolls to a decision" not in Page(par_page([a_sheet(a_bet("pass", "Pass", rolls=[]))])).text


def test_the_same_values_make_the_same_page() -> None:
    assert par_page([FULL]) == par_page([copy.deepcopy(FULL)])
