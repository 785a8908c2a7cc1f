"""Scripts are read by one grammar, played by the real deciders, and never half done."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stickman.rules.felt import Reason
from stickman.rules.settings import load
from stickman.table import messages as m
from stickman.table import script
from stickman.table.evolve import evolve_all
from stickman.table.messages import Refusal
from stickman.table.script import FORMS, Played, ScriptError, Step

FUNDED = "seat 1 inserts 500.00\nseat 2 inserts 500.00"


def play(*lines: str) -> Played:
    return script.play("\n".join(lines))


def last(*lines: str) -> Step:
    return play(*lines).steps[-1]


def refusals(played: Played) -> list[tuple[int, Reason | Refusal]]:
    return [(step.number, step.refusal.why) for step in played.steps if step.refusal]


def kinds(step: Step) -> list[type[m.Event]]:
    return [type(event) for event in step.events]


# --- Reading ---


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.form)
def test_every_example_is_read_as_its_own_form(form: script.Form) -> None:
    [line] = script.read(form.example)
    assert line.form == form


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.form)
def test_every_form_is_explained_in_the_reference(form: script.Form) -> None:
    assert form.help.endswith(".")
    written = [text.replace("|", "\\|") for text in (form.form, form.example, form.help)]
    assert "| `{}` | `{}` | {} |\n".format(*written) in script.reference()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("seat 1 betz place.6 12.00", ["'seat 1 betz place.6 12.00'", "'seat 1 bets place.6 12.00'"]),
        ("seat 1 bets place.6 twelve", ["'twelve'", "an amount such as 12.00"]),
        ("seat 1 bets place.6 -5.00", ["'-5.00'", "an amount"]),
        ("seat one inserts 5.00", ["'one'", "a seat such as 1"]),
        ("seat 0 inserts 5.00", ["'0'", "a seat such as 1"]),
        ("roll 7-2", ["'7-2'", "dice such as 4-2"]),
        ("roll", ["'roll 4-2'"]),
        ("no roll lost", ["'lost'", "off_table, cocked, stacked, short, other"]),
        ("seat 1 presses bar", ["'bar'", "across", "clear last"]),
        ("seat 1 all of", ["'seat 1 all off'"]),
        ("door open 3 network", ["'network'", "cage_main"]),
        ("power H high", ["'H'", "A to G"]),
        ("tick 100000", ["'100000'", "0 to 86400"]),
        ("seat 1 inserts ticket 12x", ["'12x'", "18 digits"]),
        ("game checkers", ["'checkers'", "roll-to-win"]),
        ("set seats 30", ["seats: 30", "1 to 10"]),
        ("set odds.taek 2x", ["odds.taek", "take"]),
        ("set lucky_roller.paytable 99%", ["99%", "80%, 92%"]),
        ("ROLL 4-2", ["'roll 4-2'"]),
    ],
)
def test_a_line_that_cannot_be_read_says_where_what_and_what_instead(line: str, says: list[str]) -> None:
    with pytest.raises(ScriptError) as problem:
        script.play(f"# a comment\n\n{line}")
    assert problem.value.line == 3
    assert str(problem.value).startswith("line 3: found ")
    for words in says:
        assert words in str(problem.value)


def test_the_game_comes_first_and_settings_come_before_play() -> None:
    for lines in (["seat 1 inserts 5", "set seats 3"], ["set seats 3", "game easy"], ["game easy", "game easy"]):
        with pytest.raises(ScriptError) as problem:
            play(*lines)
        assert problem.value.line == 2


def test_comments_and_blanks_do_nothing_also_after_a_line() -> None:
    played = play("", "  # a comment", "seat 1 inserts 5.00   # five", "seat  1   inserts 5")
    assert [len(step.events) for step in played.steps] == [0, 0, 1, 1]
    assert played.table.credit(1) == 1000


def test_without_a_game_it_is_craps() -> None:
    assert play("# nothing").start.game == load("craps")


# --- Playing ---


def test_roll_closes_bets_rolls_settles_and_opens_bets() -> None:
    step = last(FUNDED, "seat 1 bets pass 5", "roll 4-2")
    assert kinds(step) == [m.BetsClosed, m.ShooterChosen, m.DiceRolled, m.Settled, m.BetsOpened]
    assert step.table.phase == "betting"
    assert step.table.hand.puck == 6


def test_roll_rolls_at_once_where_bets_are_closed() -> None:
    step = last(FUNDED, "seat 1 bets pass 5", "closes bets", "roll 4-2")
    assert kinds(step) == [m.DiceRolled, m.Settled, m.BetsOpened]


def test_roll_opens_bets_first_where_the_last_result_still_shows() -> None:
    lines = ["tick 0", "opens bets", FUNDED, "seat 1 bets pass 5", "tick 40 4-2"]
    assert play(*lines).table.phase == "rolled"
    assert kinds(last(*lines, "roll 3-3"))[:2] == [m.BetsOpened, m.BetsClosed]


def test_roll_is_entered_and_confirmed_where_a_dealer_deals() -> None:
    step = last("set mode dealer_assisted", FUNDED, "seat 1 bets pass 5", "roll 4-2")
    assert [type(request) for request in step.requests[1:3]] == [m.EnterDice, m.ConfirmDice]


def test_with_nothing_live_there_is_no_roll_and_no_refusal() -> None:
    played = play("roll 4-2")
    assert refusals(played) == []
    assert played.table.hand.puck == 0
    assert kinds(played.steps[0]) == [m.BetsOpened]


def test_a_refused_line_changes_nothing_even_where_its_first_request_was_good() -> None:
    before = play(FUNDED, "seat 1 bets pass 5")
    after = play(FUNDED, "seat 1 bets pass 5", "seat 2 shoots 4-2")
    assert refusals(after) == [(4, Refusal.NOT_SHOOTER)]
    assert [type(request) for request in after.steps[-1].requests] == [m.CloseBets, m.Shoot]
    assert after.steps[-1].events == ()
    assert after.table == before.table


def test_dealer_lines_close_bets_and_open_them_again() -> None:
    lines = ["set mode dealer_assisted", FUNDED, "seat 1 bets pass 5", "dealer enters 4-2", "dealer corrects 4-3"]
    assert play(*lines).table.entered == (4, 3)
    confirmed = play(*lines, "dealer confirms")
    assert confirmed.table.phase == "betting"
    assert play(*lines, "dealer confirms", "reverse to 4-2").table.hand.puck == 6


def test_a_reversal_takes_two_people() -> None:
    lines = ["set mode dealer_assisted", FUNDED, "seat 1 bets pass 5", "roll 4-2"]
    assert refusals(play(*lines, "reverse to 4-4 alone")) == [(6, Refusal.NEEDS_TWO)]
    [voided] = [e for e in last(*lines, "reverse to 4-4").events if isinstance(e, m.RollVoided)]
    assert voided.by != voided.approver


def test_dice_of_the_generator_are_not_reversed() -> None:
    """Only dice that a dealer entered can have been entered wrong (ruling 56)."""
    lines = [FUNDED, "seat 1 bets pass 5", "roll 4-2"]
    assert refusals(play(*lines, "reverse to 4-4")) == [(5, Refusal.NOTHING_TO_REVERSE)]


def test_power_is_drawn_at_the_next_close_only() -> None:
    lines = [
        "game roll-to-win",
        FUNDED,
        "seat 1 bets pass 5",
        "power A high",
        "power C low",
        "roll 4-2",
        "roll 4-4",
    ]
    closed = [e.power for step in play(*lines).steps for e in step.events if isinstance(e, m.BetsClosed)]
    assert closed == [{"A": "high", "C": "low"}, {}]


def test_tickets_are_numbered_in_order_good_once_and_no_others_are_good() -> None:
    played = play(
        FUNDED,
        "seat 1 cashes out",
        "seat 2 cashes out",
        "seat 3 inserts ticket 000000000000000002",
        "seat 3 inserts ticket 2",
        "seat 3 inserts ticket 7",
        "seat 3 inserts ticket 1",
    )
    printed = [e.number for step in played.steps for e in step.events if isinstance(e, m.TicketPrinted)]
    assert printed == [f"{1:018}", f"{2:018}"]
    assert refusals(played) == [(6, Refusal.TICKET_NOT_GOOD), (7, Refusal.TICKET_NOT_GOOD)]
    assert played.table.credit(3) == 100_000


def test_a_printer_that_fails_prints_nothing() -> None:
    assert refusals(play(FUNDED, "printer fails", "seat 1 cashes out")) == [(4, Refusal.NO_TICKET)]


MAKES_EM_ALL = [f"roll {d}" for d in ("1-1", "1-2", "2-2", "2-3", "3-3", "4-4", "4-5", "5-5", "5-6", "6-6")]


@pytest.mark.parametrize(("meter", "won"), [([], 2_500_005), (["meter make_em_all 31415.90"], 3_141_595)])
def test_a_meter_shows_its_seed_or_what_is_said_and_what_was_fed_since(meter: list[str], won: int) -> None:
    played = play("set make_em_all.on true", FUNDED, *meter, "seat 1 bets make_em_all 1", *MAKES_EM_ALL)
    [award] = [seat.awards for e in played.steps[-1].events if isinstance(e, m.Settled) for seat in e.seats]
    assert award == {"make_em_all/100/MEA-01": won}
    assert script.House().readings(played.start) == {"make_em_all/100/MEA-01": m.Reading(2_500_000)}


def test_before_the_first_tick_there_is_no_deadline() -> None:
    assert play(FUNDED, "seat 1 bets pass 5", "roll 4-2").table.deadline_ms == 0


def test_time_passes_from_deadline_to_deadline() -> None:
    lines = ["tick 0", "opens bets", FUNDED, "seat 1 bets pass 5"]
    assert play(*lines, "tick 29").table.phase == "betting"
    assert play(*lines, "tick 30").table.phase == "shooting"
    assert kinds(last(*lines, "tick 45 4-2")) == [
        m.BetsClosed,
        m.ShooterChosen,
        m.DiceRolled,
        m.Settled,
        m.BetsOpened,
    ]
    assert refusals(play(*lines, "tick 45")) == [(6, Refusal.NO_DICE)]


def test_a_reserved_seat_is_reserved_for_its_minutes() -> None:
    lines = [FUNDED, "seat 1 reserves", "tick 0", "tick 298"]
    assert refusals(play(*lines, "seat 1 bets field 5")) == [(6, Refusal.RESERVED)]
    assert refusals(play(*lines, "tick 1", "seat 1 bets field 5")) == []


# --- The end state ---


def test_only_seats_that_did_something_are_in_the_end_state() -> None:
    assert list(script.end_state(play("seat 3 inserts 5", "seat 7 bets pass 5"))["seats"]) == ["3", "7"]


def test_progress_names_the_state_of_bets_that_have_several() -> None:
    played = play(FUNDED, "seat 1 bets lucky_roller.low 1", "seat 1 bets pass 5", "roll 4-2", "roll 1-1")
    wagers = {wager["bet"]: wager for wager in script.end_state(played)["seats"]["1"]["wagers"]}
    assert wagers["lucky_roller.low"]["progress"] == "2 6"
    assert wagers["lucky_roller.low"]["locked"]
    assert wagers["pass"]["progress"] == "6"


# --- Any script at all ---

PLAYABLE = [form.example for form in FORMS if form.do]
BETS = [
    "pass",
    "dont_pass",
    "come",
    "place.6",
    "buy.4",
    "lay.10",
    "field",
    "hard.8",
    "pass.odds",
    "lucky_roller.low",
]
LINES = st.one_of(
    st.sampled_from(PLAYABLE),
    st.builds(
        "seat {} bets {} {}.00".format, st.integers(1, 3), st.sampled_from(BETS), st.sampled_from([5, 6, 20])
    ),
    st.builds("roll {}-{}".format, st.integers(1, 6), st.integers(1, 6)),
)


@given(st.lists(LINES, max_size=40))
def test_any_script_replays_balances_and_is_unchanged_by_its_refusals(lines: list[str]) -> None:
    played = play("set seats 3", FUNDED, "seat 3 inserts 50.00", *lines)
    table = played.start
    for step in played.steps:
        if step.refusal:
            assert step.events == ()
            assert step.table == table
        table = evolve_all(table, step.events)
        assert table == step.table
        assert sum(table.accounts.values()) == 0
    assert table == played.table
