"""RULES 16: where the sources are silent, and the values that the house has filled in."""

from fractions import Fraction

import pytest

from stickman.rules.paytable import PayRow, pay_tables
from stickman.rules.schema import Limits
from tests.talk.cells import TOTALS, lying, pays, totals
from tests.talk.games import FIVE_GAMES, game, laid, par, par_tables, rounded
from tests.talk.table import seated

TEN_POINT_GAMES = ["crapless", "easy"]


def printed(kind: str, table: str, *slots: str) -> dict[str, tuple[str, str]]:
    """What slots of a pay table pay, and the first word of where that comes from."""
    rows: dict[str, PayRow] = pay_tables(kind)[table].rows
    return {slot: (str(rows[slot].pays), rows[slot].source.split()[0]) for slot in slots}


# --- Numbers of crapless and easy ---


@pytest.mark.parametrize("name", TEN_POINT_GAMES)
def test_16_place_2_and_12_pay_11_to_2(name: str) -> None:
    assert pays(laid(name), "place.2", "fresh", "1-1") == "11 to 2"
    assert pays(laid(name), "place.12", "fresh", "6-6") == "11 to 2"


@pytest.mark.parametrize("name", TEN_POINT_GAMES)
def test_16_place_3_and_11_pay_11_to_4(name: str) -> None:
    assert pays(laid(name), "place.3", "fresh", "1-2") == "11 to 4"
    assert pays(laid(name), "place.11", "fresh", "5-6") == "11 to 4"


def test_16_buy_2_and_12_pay_6_to_1() -> None:
    assert pays(laid("crapless"), "buy.2", "fresh", "1-1") == "6 to 1"
    assert pays(laid("crapless"), "buy.12", "fresh", "6-6") == "6 to 1"


def test_16_buy_3_and_11_pay_3_to_1() -> None:
    assert pays(laid("crapless"), "buy.3", "fresh", "1-2") == "3 to 1"
    assert pays(laid("crapless"), "buy.11", "fresh", "5-6") == "3 to 1"


@pytest.mark.parametrize(
    ("point", "roll", "true"),
    [(2, "1-1", "6 to 1"), (3, "1-2", "3 to 1"), (11, "5-6", "3 to 1"), (12, "6-6", "6 to 1")],
)
def test_16_odds_in_crapless_are_true(point: int, roll: str, true: str) -> None:
    crapless, easy = laid("crapless"), laid("easy")
    assert pays(crapless, "pass.odds", str(point), roll) == true
    assert pays(crapless, f"come.{point}.odds", str(point), roll) == true
    assert pays(easy, "pass.odds", str(point), roll) == true
    assert par(f"come.{point}.odds", "crapless").edge_per_bet_made == 0


@pytest.mark.parametrize("name", TEN_POINT_GAMES)
def test_16_pass_odds_in_crapless_have_no_edge(name: str) -> None:
    assert par("pass.odds", name).edge_per_bet_made == 0


# --- Low and High Field ---


def test_16_low_field_pays_6_4_4_and_returns_8_9() -> None:
    easy = laid("easy")
    assert totals(easy, "low_field", "fresh", "wins 6 to 1") == {2}
    assert totals(easy, "low_field", "fresh", "wins 4 to 1") == {3, 4}
    assert totals(easy, "low_field", "fresh", "loses") == TOTALS - {2, 3, 4}
    assert par("low_field", "easy").rtp == Fraction(8, 9)
    assert rounded(par("low_field", "easy").rtp, 1) == "88.9%"


def test_16_high_field_pays_6_4_4_and_returns_8_9() -> None:
    easy = laid("easy")
    assert totals(easy, "high_field", "fresh", "wins 6 to 1") == {12}
    assert totals(easy, "high_field", "fresh", "wins 4 to 1") == {10, 11}
    assert totals(easy, "high_field", "fresh", "loses") == TOTALS - {10, 11, 12}
    assert par("high_field", "easy").rtp == Fraction(8, 9)
    assert rounded(par("high_field", "easy").rtp, 1) == "88.9%"


# --- Big and Small ---


@pytest.mark.parametrize(("bet", "roll"), [("big", "6-6"), ("small", "1-1")])
def test_16_big_and_small_until_seven_pay_1_to_3_and_return_95_2_percent(bet: str, roll: str) -> None:
    assert pays(laid("craps", "big_small=until_seven"), bet, "fresh", roll) == "1 to 3"
    rtp = par(bet, "craps", "big_small=until_seven").rtp
    assert (rtp, rounded(rtp, 1)) == (Fraction(20, 21), "95.2%")


@pytest.mark.parametrize(("bet", "roll"), [("big", "6-6"), ("small", "1-1")])
def test_16_big_and_small_on_a_single_roll_pay_1_to_1_and_return_83_3_percent(bet: str, roll: str) -> None:
    assert pays(laid("craps", "big_small=single_roll"), bet, "fresh", roll) == "1 to 1"
    rtp = par(bet, "craps", "big_small=single_roll").rtp
    assert (rtp, rounded(rtp, 1)) == (Fraction(5, 6), "83.3%")


# --- Lucky Shooter ---


@pytest.mark.parametrize(
    ("hits", "pays"), [([4, 5, 8], "3 to 1"), ([4, 5, 8, 9], "10 to 1"), ([4, 5, 8, 9, 10], "30 to 1")]
)
def test_16_lucky_shooter_pays_3_10_30_for_3_4_5_hits(hits: list[int], pays: str) -> None:
    state = lying(laid("craps"), "lucky_shooter", 6, *hits)
    assert totals(laid("craps"), "lucky_shooter", state, f"wins {pays}") >= {2, 3, 7, 11, 12}
    assert (6 in totals(laid("craps"), "lucky_shooter", state, f"wins {pays}")) == (len(hits) < 5)


def test_16_lucky_shooter_pays_150_for_5_hits_ended_by_the_point() -> None:
    state = lying(laid("craps"), "lucky_shooter", 6, 4, 5, 8, 9, 10)
    assert totals(laid("craps"), "lucky_shooter", state, "wins 150 to 1") == {6}


@pytest.mark.parametrize("hits", [[], [4], [4, 5]])
def test_16_lucky_shooter_pays_nothing_for_less_than_3_hits(hits: list[int]) -> None:
    state = lying(laid("craps"), "lucky_shooter", 6, *hits)
    assert totals(laid("craps"), "lucky_shooter", state, "loses") == {2, 3, 6, 7, 11, 12}


def test_16_lucky_shooter_returns_91_25_percent() -> None:
    assert rounded(par("lucky_shooter", "craps").rtp) == "91.25%"


# --- Power Odds ---


@pytest.mark.parametrize("name", ["roll-to-win", "shoot-to-win"])
def test_16_power_odds_show_once_in_12_rolls_low_and_high_alike(name: str) -> None:
    assert game(name).power_odds.one_in == 12
    seven = par("seven", name)  # a 7 comes with chance 1/6, so each better pay with 1/6 * 1/12 * 1/2
    assert {(r.pays, r.shown, r.chance) for r in seven.results if r.result == "win"} == {
        ("4 to 1", "", Fraction(11, 72)),
        ("6 to 1", "low", Fraction(1, 144)),
        ("8 to 1", "high", Fraction(1, 144)),
    }


# --- Progressives ---


@pytest.mark.parametrize(
    ("bet", "table", "seed_cents"),
    [
        ("make_em_all", "MEA-01", 25_000_00),
        ("make_em_all", "MEA-02", 25_000_00),
        ("make_em_all", "MEA-03", 25_000_00),
        ("make_em_all", "MEA-04", 25_000_00),
        ("make_em_all", "MEA-05", 25_000_00),
        ("make_em_all", "MEA-06", 25_000_00),
        ("fired_up", "FUP-01", 60_000_00),
        ("fired_up", "FUP-02", 60_000_00),
        ("fired_up", "FUP-03", 25_000_00),
        ("fired_up", "FUP-04", 25_000_00),
        ("fired_up", "FUP-05", 25_000_00),
        ("fired_up", "FUP-06", 120_000_00),
    ],
)
def test_16_progressive_seeds_return_at_least_75_percent_at_reset(bet: str, table: str, seed_cents: int) -> None:
    progressive = par_tables(bet, "craps")[table].progressive
    assert progressive
    assert (progressive.base_cents, progressive.reset_cents) == (1_00, seed_cents)
    assert progressive.rtp_at_reset >= Fraction(75, 100)
    assert par_tables(bet, "craps")[table].rtp == progressive.rtp_at_reset


@pytest.mark.parametrize("bet", ["make_em_all", "fired_up"])
def test_16_a_progressive_seed_scales_with_the_base_wager(bet: str) -> None:
    seeds = {"make_em_all": 25_000_00, "fired_up": 60_000_00}
    progressive = par(bet, "craps", f"{bet}.base_cents=500").progressive
    assert progressive
    assert progressive.reset_cents == 5 * seeds[bet]


@pytest.mark.parametrize("bet", ["make_em_all", "fired_up"])
@pytest.mark.parametrize("name", FIVE_GAMES)
def test_16_progressive_increment_is_5_percent(name: str, bet: str) -> None:
    progressive = par(bet, name).progressive
    assert progressive
    assert progressive.increment == Fraction(5, 100)


@pytest.mark.parametrize("bet", ["make_em_all", "fired_up"])
@pytest.mark.parametrize("name", FIVE_GAMES)
def test_16_progressive_reserve_is_1_percent(name: str, bet: str) -> None:
    progressive = par(bet, name).progressive
    assert progressive
    assert progressive.reserve == Fraction(1, 100)


@pytest.mark.parametrize("bet", ["make_em_all", "fired_up"])
@pytest.mark.parametrize("name", FIVE_GAMES)
def test_16_progressive_meters_have_no_cap(name: str, bet: str) -> None:
    assert game(name).progressive(bet).cap_cents is None


# --- Time and money ---


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_16_bets_are_taken_for_30_seconds_the_shooter_has_10_and_the_result_shows_for_5(name: str) -> None:
    one = seated(name)
    table = one.table.at_second(0).opens()
    one.bets("pass", 5)
    for second, before, after in (30, "betting", "shooting"), (40, "shooting", "rolled"), (45, "rolled", "betting"):
        assert table.at_second(second - 0.001).ticks("2-2").phase == before
        assert table.at_second(second).ticks("2-2").phase == after


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_16_a_ticket_expires_after_180_days(name: str) -> None:
    assert game(name).ticket_expiry_days == 180


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_16_hand_pay_is_over_3000_dollars(name: str) -> None:
    assert seated(name, dollars=3_000).cashes_out().table.account("handpay") == 0
    assert seated(name, dollars=3_001).cashes_out().table.account("handpay") == 3_001_00


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_16_the_table_minimum_is_1_dollar(name: str) -> None:
    assert game(name).table_min_cents == 1_00


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_16_a_bet_takes_at_most_1000_dollars(name: str) -> None:
    main = {bet.id: bet.limits for bet in laid(name).bets.values() if not bet.side and not bet.flat}
    assert set(main.values()) == {Limits(min_cents=1_00, max_cents=1_000_00, step_cents=1_00)}


@pytest.mark.parametrize("name", FIVE_GAMES)
def test_16_a_seat_bets_at_most_10000_dollars_in_all(name: str) -> None:
    one = seated(name, dollars=11_000)
    hops = sorted(bet for bet in laid(name).bets if bet.startswith("hop."))
    for hop in hops[:10]:
        one.bets(hop, 1_000)
    one.refused("over_total").bets(hops[10], 1)


# --- What is ours says so ---


def test_16_what_the_house_filled_in_is_marked_house() -> None:
    ours = printed(
        "main", "standard",
        "place.2", "place.3", "place.11", "place.12", "buy.2", "buy.3", "buy.11", "buy.12",
        "odds.2", "odds.3", "odds.11", "odds.12",
        "low_field.2", "low_field.3", "low_field.4", "high_field.10", "high_field.11", "high_field.12",
    )  # fmt: skip
    ours |= printed("lucky_shooter", "standard", "3", "4", "5", "5+point")
    for reading in "until_seven", "single_roll":
        ours |= {f"{bet} {reading}": row for bet, row in printed("big_small", reading, "big", "small").items()}
    assert {slot for slot, (_, source) in ours.items() if source != "house"} == set()
    for bet in "make_em_all", "fired_up":
        assert {(table.seed_source or "").split()[0] for table in pay_tables(bet).values()} == {"house"}


def test_16_no_other_pay_of_a_main_bet_is_ours() -> None:
    rows = pay_tables("main")["standard"].rows
    house = {slot for slot, row in rows.items() if row.source.startswith("house")}
    assert house == {
        *("place.2", "place.3", "place.11", "place.12", "buy.2", "buy.3", "buy.11", "buy.12"),
        *("odds.2", "odds.3", "odds.11", "odds.12"),
        *("low_field.2", "low_field.3", "low_field.4", "high_field.10", "high_field.11", "high_field.12"),
    }
