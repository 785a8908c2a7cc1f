"""A run that was interrupted goes on from its ledger to the same result; another run's ledger is refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from stickman.sim import run
from stickman.sim.ledger import Ledger, WrongLedger, fingerprint
from stickman.sim.library import flat, strategy
from stickman.sim.result import SimResult
from stickman.sim.run import Lab, LabPlayer, compare, simulate
from stickman.sim.strategy import Bet, Habit, Sees, Strategy, Terms, Wish
from tests.talk.games import laid

LAB = Lab(laid("roll-to-win"), strategy("pass-odds"), Terms(20_000, 60), seed=9)
SESSIONS, PIECE = 1000, 90


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "PIECE", PIECE)


class Interrupted(Exception):
    """Ctrl-C, at a moment of the test's choosing."""


def after(pieces: int) -> Callable[[int], None]:
    """Progress that interrupts the run when so many pieces are done."""
    heard: list[int] = []

    def hears(sessions: int) -> None:
        heard.append(sessions)
        if len(heard) == pieces:
            raise Interrupted

    return hears


def sessions_played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    played: list[int] = []
    play = LabPlayer.play

    def counting(self: LabPlayer, first: int, last: int) -> object:
        played.append(last - first)
        return play(self, first, last)

    monkeypatch.setattr(LabPlayer, "play", counting)
    return played


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("pieces", [1, 5, 11])
def test_an_interrupted_run_goes_on_to_the_same_result(
    threads: int, pieces: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.ledger"
    with pytest.raises(Interrupted):
        simulate(LAB, SESSIONS, threads, after(pieces), Ledger(file))
    done = file.read_text().count("\n") - 1
    assert done >= pieces
    played = sessions_played(monkeypatch)
    heard: list[int] = []
    result = simulate(LAB, SESSIONS, threads, heard.append, Ledger(file))
    assert len(played) == 12 - done
    assert sum(heard) == SESSIONS
    monkeypatch.undo()
    assert result == simulate(LAB, SESSIONS)


def test_a_finished_run_is_read_and_not_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = simulate(LAB, SESSIONS, ledger=Ledger(tmp_path / "run.ledger"))
    monkeypatch.setattr(LabPlayer, "play", None)
    assert simulate(LAB, SESSIONS, ledger=Ledger(tmp_path / "run.ledger")) == whole


def cuts(text: bytes) -> Iterator[int]:
    """Everywhere in the last line and in the first, and some places between."""
    last = text.rstrip(b"\n").rfind(b"\n") + 1
    return iter({*range(0, 40, 7), *range(last, len(text) + 1, max(1, (len(text) - last) // 12)), len(text) - 1})


def test_a_line_cut_short_by_a_crash_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "run.ledger"
    whole = simulate(LAB, 200, ledger=Ledger(file))
    text = file.read_bytes()
    for size in cuts(text):
        file.write_bytes(text[:size])
        assert simulate(LAB, 200, ledger=Ledger(file)) == whole, size
        assert simulate(LAB, 200, ledger=Ledger(file)) == whole, size


def test_a_line_that_was_changed_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "run.ledger"
    whole = simulate(LAB, 200, ledger=Ledger(file))
    text = file.read_text()
    changed = text.replace('"handle_cents":', '"handle_cents":1', 1)
    assert changed != text
    file.write_text(changed)
    assert simulate(LAB, 200, ledger=Ledger(file)) == whole


OTHERS = {
    "seed": LAB._replace(seed=10),
    "terms": LAB._replace(terms=Terms(20_000, 61)),
    "game": LAB._replace(layout=laid("shoot-to-win")),
    "unit": LAB._replace(strategy=strategy("pass-odds", 1500)),
    "strategy": LAB._replace(strategy=strategy("pass")),
    "tally": LAB._replace(by_bet=False),
}


@pytest.mark.parametrize("other", OTHERS)
def test_the_ledger_of_another_run_is_refused(other: str, tmp_path: Path) -> None:
    file = tmp_path / "run.ledger"
    simulate(LAB, 100, ledger=Ledger(file))
    before = file.read_bytes()
    with pytest.raises(WrongLedger, match=r"run\.ledger is the ledger of another run; allowed: a new file"):
        simulate(OTHERS[other], 100, ledger=Ledger(file))
    with pytest.raises(WrongLedger, match="another run"):
        simulate(LAB, 101, ledger=Ledger(file))
    assert file.read_bytes() == before


@pytest.mark.parametrize("text", ["measure,value\n", "{}\n", "[]\n", '{"stickman": "report"}\n', "\n"])
def test_a_file_that_is_no_ledger_is_left_alone(text: str, tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text(text)
    with pytest.raises(WrongLedger, match="is not the ledger of a simulation"):
        simulate(LAB, 100, ledger=Ledger(file))
    assert file.read_text() == text


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(WrongLedger, match="cannot be written: No such file or directory"):
        simulate(LAB, 100, ledger=Ledger(tmp_path / "nowhere" / "run.ledger"))
    with pytest.raises(WrongLedger, match="cannot be read: Is a directory"):
        simulate(LAB, 100, ledger=Ledger(tmp_path))


def test_a_result_survives_being_written(tmp_path: Path) -> None:
    """Sums beyond 64 bits, refusals and all."""
    stubborn = Strategy("stubborn", (Habit(lambda _: [Bet("pass", 1050), Bet("come", 500)]), flat("field", 500)))
    lab = LAB._replace(strategy=stubborn)
    found = compare([lab], 50)
    [result] = found.results
    result.handle_squares += 2**70
    assert result.refusals
    ledger = Ledger(tmp_path / "run.ledger")
    ledger.open([lab], 50, PIECE)
    ledger.write((0, 50), found)
    assert ledger.open([lab], 50, PIECE) == {(0, 50): found}
    assert SimResult.restored(result.plain()) == result


# --- Which run it is ---


def habit(spot: str, most: int) -> Habit:
    def wants(sees: Sees) -> list[Wish]:
        return [Bet(spot, least(most))] if spot in {"field", "pass"} and sees.puck == 0 else []

    return Habit(wants)


def least(most: int) -> int:
    return min(most, 500)


def test_a_strategy_is_told_by_what_it_is_made_of() -> None:
    def of(*habits: Habit) -> str:
        return fingerprint([LAB._replace(strategy=Strategy("mine", habits))], 1, PIECE)

    assert of(habit("field", 500)) == of(habit("field", 500))
    kinds = [of(habit("field", 500)), of(habit("pass", 500)), of(habit("field", 400)), of(), of(flat("field", 500))]
    assert len(set(kinds)) == len(kinds)


def test_a_changed_helper_makes_another_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = LAB._replace(strategy=Strategy("mine", (habit("field", 500),)))
    before = fingerprint([lab], 1, PIECE)
    monkeypatch.setitem(globals(), "least", lambda most: most)
    assert fingerprint([lab], 1, PIECE) != before


def test_the_same_run_is_known_in_another_process() -> None:
    """Whatever the order in which that process keeps its sets."""
    program = (
        "from tests.sim.test_ledger import LAB, PIECE, Strategy, fingerprint, habit\n"
        "print(fingerprint([LAB], 7, PIECE), "
        "fingerprint([LAB._replace(strategy=Strategy('mine', (habit('field', 9),)))], 7, PIECE))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
    assert fingerprint([LAB], 7, PIECE) in found.pop()
