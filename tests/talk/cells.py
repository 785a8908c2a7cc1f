"""What the cells of a game say of one bet and one roll, so that a test of a ruling reads like the ruling."""

from stickman.rules.cells import GONE, Cell
from stickman.rules.dice import ROLLS, Roll, ways
from stickman.rules.layout import LaidState, Layout, Pay
from stickman.rules.machine import Decided, How, Stake
from stickman.rules.money import Payment, pay

TOTALS = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}

FRESH = "fresh"
"""The state of a wager just placed, whatever its bet calls it."""
SAID = {Decided.WIN: "wins", Decided.LOSE: "loses", Decided.PUSH: "pushes"}
FATE = {Stake.STANDS: "stands", Stake.RETURNED: "is returned", Stake.TAKEN: "is taken"}


def after(layout: Layout, bet: str, state: str, roll: int | str, how: How = How.COME_OUT) -> str:
    """What a roll ("3-3") or a total, however made, does to a wager: `stays`, `moves to 6`, `loses`,
    `wins 7 to 6 and is returned`, `pushes and stands` (as if just placed)."""
    at = _state(layout, bet, state)
    rolls = [Roll.parse(roll)] if isinstance(roll, str) else ways(roll)
    [said] = {_said(layout, at, layout.cells.cell(at, how, one.number)) for one in rolls}
    return said


def lying(layout: Layout, bet: str, *rolled: int) -> str:
    """Where a fresh wager lies after these totals, which decide nothing."""
    at = _state(layout, bet, FRESH)
    for total in rolled:
        [at] = {layout.cells.cell(at, How.COME_OUT, one.number).next for one in ways(total)}
        assert at != GONE, f"{bet} is decided by {total}"
    return layout.state_at(at).name


def totals(layout: Layout, bet: str, state: str, said: str, how: How = How.COME_OUT) -> set[int]:
    """The totals after which so much at least is said: `totals(craps, "pass", "fresh", "wins") == {7, 11}`."""
    return {total for total in TOTALS if f"{after(layout, bet, state, total, how)} ".startswith(f"{said} ")}


def untouched(layout: Layout, bet: str, state: str, how: How) -> bool:
    """Whether none of the 36 rolls does anything to the wager."""
    return all(after(layout, bet, state, str(roll), how) == "stays" for roll in ROLLS)


def lies(layout: Layout, bet: str, state: str) -> LaidState:
    """The bet's state of that name."""
    return layout.state_at(_state(layout, bet, state))


def states(layout: Layout, bet: str) -> list[str]:
    """The names of a bet's states, a fresh wager's first."""
    return [layout.states[number].name for number in layout.bets[bet].states]


def winning(layout: Layout, bet: str, state: str, roll: str, how: How = How.COME_OUT) -> Pay:
    """The pay row that a winning roll brings."""
    cell = layout.cells.cell(_state(layout, bet, state), how, Roll.parse(roll).number)
    assert cell.decided is Decided.WIN, f"{bet} does not win on {roll}"
    return layout.pays[cell.pay]


def pays(layout: Layout, bet: str, state: str, roll: str) -> str:
    """What a winning roll pays, as printed: `11 to 2`."""
    return str(winning(layout, bet, state, roll).pays)


def settled(layout: Layout, bet: str, state: str, roll: str, stake_cents: int) -> Payment:
    """A winning wager in money."""
    row = winning(layout, bet, state, roll)
    return pay(stake_cents, row.pays.ratio, row.commission, layout.game.payout_unit_cents)


def _state(layout: Layout, bet: str, state: str) -> int:
    if state == FRESH:
        [key] = layout.bets[bet].starts
    else:
        [key] = [key for key in layout.bets[bet].states if layout.states[key].name == state]
    return layout.states[key].number


def _said(layout: Layout, at: int, cell: Cell) -> str:
    if cell.decided is Decided.NOTHING and cell.stake is Stake.STANDS and not cell.pay:
        return "stays" if cell.next == at else f"moves to {layout.state_at(cell.next).name}"
    if cell == (0, Stake.TAKEN, Decided.LOSE, GONE):
        return "loses"
    said = SAID[cell.decided] + (f" {layout.pays[cell.pay].pays}" if cell.pay else "")
    there = None if cell.next == GONE else layout.state_at(cell.next)
    fresh = there is None or there.key in layout.bets[there.bet].starts
    return f"{said} and {FATE[cell.stake]}" + ("" if fresh or there is None else f" in {there.name}")
