from __future__ import annotations

from tests.faults.matrix import FAULTS, PHASES, seat_matrix

SAMPLE = [(fault, list(PHASES)[number % len(PHASES)]) for number, fault in enumerate(FAULTS)]
"""Each fault in one phase, and each phase; `make faults` tries all."""
KNOWN = {
    ("cover open", "words"): "failed*",
    ("cover open", "barcode"): "cancelled*",
    ("server killed", "printed"): "printed",
    ("server frozen", "escrow"): "player",
    ("acceptor without power", "past lever"): "credited*",
    ("acceptor without power", "ticket past lever"): "credited*",
    ("server frozen", "ticket in escrow"): "player",
}
"""What the documents say: ruling 57, and a note without a decision goes back."""


def test_after_any_fault_the_money_is_in_one_place_and_the_seat_works_again() -> None:
    assert (len(FAULTS) >= 20, len(PHASES) >= 8) == (True, True)
    with seat_matrix() as matrix:
        assert {cell: matrix.cell(*cell) for cell in KNOWN} == KNOWN
        found = {matrix.cell(*cell).rstrip("*") for cell in SAMPLE if cell not in KNOWN}
    assert {"-", "credited", "player", "printed"} <= found
