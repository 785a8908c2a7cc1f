"""Properties of any felt that legal deeds and rolls lead to: what is offered is what is accepted and what plain
words say, limits hold, a roll conserves money, the order of wagers does not matter."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from stickman.rules.dice import ROLLS
from stickman.rules.felt import Amounts, Felt, Reason, Situation, Wager, place, roll, switch, take
from stickman.rules.layout import Switch
from tests.talk import exactly
from tests.talk.felt import FeltTalk
from tests.talk.games import FIVE_GAMES, LED_GAMES, full

Step = tuple[int, int, int]
NUMBER = st.integers(0, 9999)
STEPS = st.lists(st.tuples(NUMBER, NUMBER, NUMBER), min_size=20, max_size=60)
TABLES = st.tuples(st.sampled_from(FIVE_GAMES), st.sampled_from([(), ("total_max_cents=4000",)]))
Table = tuple[str, tuple[str, ...]]


def wander(table: Table, steps: list[Step]) -> Iterator[FeltTalk]:
    """A seat after each of some legal deeds and rolls, with every side game on."""
    name, changes = table
    seated = FeltTalk(name, *changes, every_side_game=True)
    for what, which, much in steps:
        if what % 4 == 0:
            seated.rolls(str(ROLLS[which % 36]), sits_out=much % 8 == 0)
        elif what % 4 == 1 and seated.felt.wagers:
            change_one(seated, which, much)
        else:
            put_one(seated, which, much)
        yield seated


def put_one(seated: FeltTalk, which: int, much: int) -> None:
    """Place somewhere; odds and line bets, which lead further, every other time."""
    open_spots = [spot for spot in seated.layout.bets if isinstance(seated.offer(spot).place, Amounts)]
    further = [s for s in open_spots if s.endswith(".odds") or s in ("pass", "dont_pass", "come", "dont_come")]
    spots = further if further and which % 2 else open_spots
    if spots:
        spot = spots[which // 2 % len(spots)]
        amounts = seated.may_bet(spot)
        seated.bets(spot, exactly(min(amounts.high, amounts.low + much % 7 * amounts.step)))


def change_one(seated: FeltTalk, which: int, much: int) -> None:
    """Switch a wager or take some of it, where that may be."""
    spot = list(seated.felt.wagers)[which % len(seated.felt.wagers)]
    _, amounts, to = seated.offer(spot)
    if not isinstance(to, Reason) and much % 3:
        answer = switch(seated.situation, spot, to[much % len(to)])
        seated.felt = answer if isinstance(answer, Felt) else seated.felt  # that it is one, the first property says
    elif isinstance(amounts, Amounts):
        seated.takes(spot, exactly(amounts.whole if much % 3 == 1 or amounts.high < amounts.low else amounts.low))


def last(table: Table, steps: list[Step]) -> FeltTalk:
    *_, seated = wander(table, steps)
    return seated


def around(amounts: Amounts | Reason) -> set[int]:
    """Amounts inside, at and around the limits."""
    if isinstance(amounts, Reason):
        return {-100, 0, 1, 50, 100, 400, 500, 1000, 5000}
    low, high, step, whole = amounts
    at = {low, high, whole, low + (high - low) // 2 // step * step}
    return {a + d for a in at for d in (-step, -1, 0, 1, step)} | {0, -step}


def spots_of(seated: FeltTalk) -> list[str]:
    return [*seated.layout.bet_on, "place.7", "nothing"]


# --- Offers ---


@given(TABLES, STEPS)
@settings(max_examples=30)
def test_habit_2_place_take_and_switch_accept_exactly_what_is_offered(table: Table, steps: list[Step]) -> None:
    seated = last(table, steps)
    seat = seated.situation
    for spot in spots_of(seated):
        offered = seated.offer(spot)
        for amount in around(offered.place):
            answer = place(seat, spot, amount)
            allowed = isinstance(offered.place, Amounts) and offered.place.allows(amount)
            assert isinstance(answer, Felt) == allowed, f"place {spot} {amount}: {offered.place}, {answer}"
            if isinstance(answer, Felt):
                assert change_of(seat.felt, answer) == {spot: amount}
            elif isinstance(offered.place, Reason):
                assert answer is offered.place
        for amount in around(offered.take):
            answer = take(seat, spot, amount)
            allowed = isinstance(offered.take, Amounts) and offered.take.allows(amount)
            assert isinstance(answer, Felt) == allowed, f"take {spot} {amount}: {offered.take}, {answer}"
            if isinstance(answer, Felt):
                assert change_of(seat.felt, answer)[spot] == -amount
        for to in Switch:
            answer = switch(seat, spot, to)
            allowed = not isinstance(offered.switch, Reason) and to in offered.switch
            assert isinstance(answer, Felt) == allowed, f"switch {spot} {to}: {offered.switch}, {answer}"


def change_of(before: Felt, after: Felt) -> dict[str, int]:
    """By how much each stake changed."""
    empty = Wager("", 0)
    stakes = {
        spot: after.wagers.get(spot, empty).stake_cents - before.wagers.get(spot, empty).stake_cents
        for spot in {*before.wagers, *after.wagers}
    }
    return {spot: cents for spot, cents in stakes.items() if cents}


@given(TABLES, STEPS)
@settings(max_examples=30)
def test_rules_3_4_9_what_may_be_placed_is_what_plain_words_say(table: Table, steps: list[Step]) -> None:
    seated = last(table, steps)
    for spot in spots_of(seated):
        for amount in around(seated.offer(spot).place):
            placed = place(seated.situation, spot, amount)
            answer = None if isinstance(placed, Felt) else placed
            told = Told(table[0], seated).why_not(spot, amount)
            assert answer in told or (answer is None and not told), f"{spot} {amount}: {answer}, not {told}"


class Told:
    """Legality of placing in plain words, from RULES 3, 4 and 9 as the five games choose (RULES 18)."""

    def __init__(self, name: str, seated: FeltTalk) -> None:
        self.name, self.hand, self.felt = name, seated.hand, seated.felt
        self.layout = seated.layout

    def why_not(self, spot: str, amount: int) -> set[Reason]:
        """All reasons that apply; empty if it may be placed."""
        if spot not in self.layout.bets:
            travels = spot.startswith(("come.", "dont_come.")) and spot in self.layout.bet_on
            return {Reason.TRAVELS_HERE if travels else Reason.NO_SUCH_BET}
        return self.window(spot) | self.contract(spot) | self.excluded(spot) or self.too_much(spot, amount)

    def point_of(self, spot: str) -> int:
        """The point that a line bet, come bet or Lucky Shooter on this spot has; 0 for none."""
        if spot not in self.felt.wagers or not spot.startswith(("pass", "dont", "come", "lucky_shooter")):
            return 0
        state = self.layout.states[self.felt.wagers[spot].state].name
        return int(state.partition(":")[0]) if state[0].isdigit() else 0

    def window(self, spot: str) -> set[Reason]:
        hand, found = self.hand, set()
        after_seven = hand.last_total in (0, 7)
        if spot in ("pass", "dont_pass", "lucky_shooter") and hand.puck:
            found.add(Reason.COME_OUT_ONLY)
        if spot in ("come", "dont_come") and self.name in LED_GAMES and not hand.puck:
            found.add(Reason.POINT_ONLY)
        if spot in ("come", "dont_come") and self.name not in LED_GAMES and not hand.since_point:
            found.add(Reason.SINCE_POINT_ONLY)
        if spot.endswith(".odds") and not self.point_of(spot.removesuffix(".odds")):
            found.add(Reason.NEEDS_FLAT)
        if spot == "hot_shooter" and hand.rolls:
            found.add(Reason.HAND_START_ONLY)
        if spot.startswith("lucky_roller") and self.name not in LED_GAMES and not after_seven:
            found.add(Reason.AFTER_SEVEN_ONLY)
        if spot in ("make_em_all", "fired_up") and not after_seven:
            found.add(Reason.AFTER_SEVEN_ONLY)
        wanted = {
            "bonus.small": {2, 3, 4, 5, 6},
            "bonus.tall": {8, 9, 10, 11, 12},
            "bonus.all": {2, 3, 4, 5, 6, 8, 9, 10, 11, 12},
        }
        if spot in wanted and not after_seven and not wanted[spot] <= hand.seen:
            found.add(Reason.AFTER_SEVEN_ONLY)
        return found

    def contract(self, spot: str) -> set[Reason]:
        found = set()
        lies = self.felt.wagers.get(spot)
        side = spot.startswith(("lucky", "bonus", "hot", "make", "fired"))
        if lies and side and lies.lain and spot != "lucky_shooter":
            found.add(Reason.LOCKED)
        if self.point_of(spot) and spot in ("pass", "lucky_shooter"):
            found.add(Reason.LOCKED)
        if self.point_of(spot) and spot == "dont_pass":
            found.add(Reason.LOCKED if self.name == "shoot-to-win" else Reason.NEVER_INCREASED)
        if spot == "dont_pass" and self.felt.dont_pass_banned:
            found.add(Reason.BANNED)
        return found

    def excluded(self, spot: str) -> set[Reason]:
        return {Reason.EXCLUDED for other in self.felt.wagers if self.opposed(spot, other)}

    def opposed(self, spot: str, other: str) -> bool:
        kind, _, number = spot.partition(".")
        other_kind, _, other_number = other.partition(".")
        kinds = {kind, other_kind}
        if kinds in ({"pass", "dont_pass"}, {"come", "dont_come"}):
            return not spot.endswith("odds") and not other.endswith("odds")
        if kinds & {"place", "buy"} and kinds & {"lay", "place_to_lose"}:
            return self.name == "shoot-to-win" or number == other_number
        return False

    def too_much(self, spot: str, amount: int) -> set[Reason]:
        """What the amount breaks; where no amount would do, what the least amount breaks."""
        step = 400 if spot == "horn" else 100
        fixed = {"make_em_all": 100, "fired_up": 100}
        hot_max = 2500 if self.name in LED_GAMES else 10_000
        side_max = 10_000 if spot.startswith(("lucky", "bonus")) else 100_000
        most = hot_max if spot == "hot_shooter" else fixed.get(spot, side_max)
        over = Reason.OVER_MAX
        if spot.endswith(".odds"):
            most, over = self.odds_most(spot.removesuffix(".odds")), Reason.OVER_ODDS
        lies = self.felt.wagers.get(spot)
        now = lies.stake_cents if lies else 0
        total = self.layout.game.total_max_cents - self.felt.money_cents
        if lies and lies.released:  # a mark is no money on the felt until it is turned on (ruling 5)
            total = most
        marked = spot in self.felt.wagers and self.felt.wagers[spot].released  # ruling 5: checked when turned on

        def broken(more: int) -> set[Reason]:
            found = {over} if now + more > most else set()
            return found | ({Reason.OVER_TOTAL} if more > total and not marked else set())

        wrong = {Reason.WRONG_STEP} if amount <= 0 or amount % step else set()
        return broken(step) or wrong | broken(amount)

    def odds_most(self, flat: str) -> int:
        """RULES 4 and 18: 5x and 6x, 3-4-5x and 6x, 2x; Don't Come of shoot-to-win may win 2x."""
        point, stake = self.point_of(flat), self.felt.wagers[flat].stake_cents
        if self.name == "shoot-to-win" and flat.startswith("dont_come"):
            return int(
                2 * stake / {4: Fraction(1, 2), 5: Fraction(2, 3), 6: Fraction(5, 6)}[min(point, 14 - point)]
            )
        if self.name == "shoot-to-win":
            return 2 * stake
        if flat.startswith("dont"):
            return 6 * stake
        if self.name == "roll-to-win":
            return {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}[point] * stake
        return 5 * stake


# --- Limits ---


@given(TABLES, STEPS)
@settings(max_examples=60)
def test_no_wager_breaks_a_limit_whatever_led_to_it(table: Table, steps: list[Step]) -> None:
    for seated in wander(table, steps):
        told = Told(table[0], seated)
        for spot, wager in seated.felt.wagers.items():
            state = seated.layout.states[wager.state]
            assert state.spot == spot
            assert wager.stake_cents > 0
            assert wager.fee_cents >= 0
            assert not wager.released or (wager.switch is Switch.OFF and table[0] in LED_GAMES)
            if spot.endswith(".odds"):
                flat = spot.removesuffix(".odds")
                assert int(state.name) == told.point_of(flat)
                assert wager.stake_cents <= told.odds_most(flat) // 100 * 100
            assert not told.excluded(spot)
        assert seated.felt.money_cents <= seated.layout.game.total_max_cents


@given(TABLES, STEPS)
@settings(max_examples=30)
def test_place_then_take_of_a_fresh_wager_restores_the_felt(table: Table, steps: list[Step]) -> None:
    seated = last(table, steps)
    for spot in seated.layout.bets:
        amounts = seated.offer(spot).place
        if isinstance(amounts, Amounts) and spot not in seated.felt.wagers:
            for amount in (amounts.low, amounts.high):
                placed = place(seated.situation, spot, amount)
                assert isinstance(placed, Felt)
                assert placed.money_cents == seated.felt.money_cents + amount
                assert take(Situation(seated.layout, seated.hand, placed), spot, amount) == seated.felt
                assert take(Situation(seated.layout, seated.hand, placed), spot) == seated.felt


# --- The roll ---


@given(TABLES, STEPS, st.booleans())
@settings(max_examples=60)
def test_a_roll_conserves_the_money_that_lies(table: Table, steps: list[Step], sits_out: bool) -> None:
    seated = last(table, steps)
    before = seated.felt
    for dice in ROLLS:
        after, lines = roll(seated.situation, dice, sits_out=sits_out)
        given_up = sum(line.returned_cents + line.taken_cents for line in lines)
        assert given_up + after.money_cents == before.money_cents
        assert len(lines) == len({line.spot for line in lines})
        for line in lines:
            assert line.stake_cents == before.wagers[line.spot].stake_cents
            assert line.returned_cents + line.taken_cents == (0 if line.to else line.stake_cents)
            assert bool(line.payment.paid_cents or line.meter) <= (line.decided.name == "WIN")
            assert min(line.payment.paid_cents, line.payment.commission_cents, line.payment.breakage_cents) >= 0


@given(TABLES, STEPS, st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=60)
def test_trap_2_the_order_of_wagers_changes_no_settlement(
    table: Table, steps: list[Step], chance: Random, sits_out: bool
) -> None:
    seated = last(table, steps)
    shuffled = list(seated.felt.wagers.items())
    chance.shuffle(shuffled)
    other = Situation(seated.layout, seated.hand, Felt(dict(shuffled), seated.felt.dont_pass_banned))
    for dice in ROLLS:
        felt, lines = roll(seated.situation, dice, sits_out=sits_out)
        felt_too, lines_too = roll(other, dice, sits_out=sits_out)
        assert felt == felt_too
        assert {line.spot: line for line in lines} == {line.spot: line for line in lines_too}


def test_wandering_goes_far_enough() -> None:
    """Every family of bets lies on some felt of these properties; so do moved bets, odds, marks and bans."""
    found = set()
    for name in FIVE_GAMES:
        steps = [(n * 7 % 11, n * 7919 % 9973, n * 104_729 % 9967) for n in range(800)]
        for seated in wander((name, ()), steps):
            for spot, wager in seated.felt.wagers.items():
                found |= {seated.layout.bet_on[spot].family, spot, f"{name} {wager.switch}"}
                found |= {f"{name} mark"} if wager.released else set()
            found |= {"ban"} if seated.felt.dont_pass_banned else set()
    every = {bet.family for name in FIVE_GAMES for bet in full(name).bets.values()}
    assert every <= found
    assert {f"{name} {marker}" for name in FIVE_GAMES for marker in Switch} <= found
    assert {"pass.odds", "dont_pass.odds", "dont_come.8", "ban"} <= found
    assert [spot for spot in found if spot.startswith("come.") and spot.endswith(".odds")]
    assert {f"{name} mark" for name in LED_GAMES} <= found
