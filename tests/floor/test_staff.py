"""Staff (RULES 13): roles, passwords, lock-out, and that somebody can always get in."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from itertools import combinations

import pytest
from argon2 import PasswordHasher
from hypothesis import given
from hypothesis import strategies as st

from stickman.floor import staff
from stickman.floor.events import (
    LOWEST,
    AccountAdded,
    AccountLocked,
    AccountUnlocked,
    Act,
    Decision,
    DeedApproved,
    FloorEvent,
    PasswordChanged,
    PasswordRehashed,
    Refusal,
    Refused,
    Role,
    SignedIn,
    SignInFailed,
)
from stickman.floor.office import CONSOLE, FAILING_MAX, FORGOTTEN_MS, Account, Floor, Office
from stickman.floor.staff import Checked
from stickman.rules.spoken import Detail
from stickman.store.memory import MemoryStore
from tests.talk.floor import (
    ADMINISTRATOR,
    AT_MS,
    DEALER,
    PIT_BOSS,
    ROLES,
    SUPERVISOR,
    after,
    happened,
    in_memory,
    refusal,
    staffed,
)

HASH = "hash"
SALT = bytes(range(16))
GOOD = "four coloured chips on the rail"
BETTER = "the puck is off until a point"


def tries(floor: Floor, badge: str, *, right: bool, terminal: str = "terminal-9", at_ms: int = AT_MS) -> Decision:
    account = floor.account(badge)
    checked = Checked(account.password_hash if account else "decoy", right=right)
    return staff.sign_in(floor, badge=badge, terminal=terminal, checked=checked, at_ms=at_ms)


def tried(floor: Floor, badge: str, *attempts: bool) -> Floor:
    """After attempts at one terminal, each once the wait that the one before brought is over."""
    return reduce(lambda now, right: after(now, tries(now, badge, right=right, at_ms=over(now))), attempts, floor)


def over(floor: Floor) -> int:
    """When all waits are over."""
    return max((each.until_ms for each in floor.failing.values()), default=AT_MS) or AT_MS


def locked(floor: Floor, badge: str) -> Floor:
    return after(floor, (AccountLocked(badge=badge),))


# --- Roles ---


def test_roles_rise_from_dealer_to_administrator() -> None:
    assert sorted(Role) == [Role.DEALER, Role.PIT_BOSS, Role.SUPERVISOR, Role.ADMINISTRATOR]


@pytest.mark.parametrize("act", Act)
def test_each_role_may_do_what_those_below_may(act: Act) -> None:
    assert LOWEST[act].may(act)
    assert all(above.may(act) for below, above in combinations(Role, 2) if below.may(act))


@pytest.mark.parametrize(
    ("act", "not_yet"),
    [
        (Act.DEAL, None),
        (Act.REVERSE_ROLL, None),
        (Act.WITNESS, DEALER),
        (Act.READ_AUDIT, DEALER),
        (Act.CLEAR_LOCKUP, PIT_BOSS),
        (Act.VOID_TICKET, PIT_BOSS),
        (Act.PAY_EXPIRED_TICKET, PIT_BOSS),
        (Act.ENROL_TERMINALS, PIT_BOSS),
        (Act.MANAGE_STAFF, SUPERVISOR),
    ],
)
def test_an_act_is_refused_up_to_a_role_and_allowed_from_the_next(act: Act, not_yet: str | None) -> None:
    floor = staffed()
    refused = [badge for badge in ROLES if floor.refuses(badge, act)]
    assert refused == (list(ROLES)[: list(ROLES).index(not_yet) + 1] if not_yet else [])


def test_two_people_are_two_and_the_second_is_a_pit_boss_or_above() -> None:
    floor = staffed()

    def second(approver: str) -> Refused | None:
        return floor.refuses_two(DEALER, approver, Act.REVERSE_ROLL)

    assert second(PIT_BOSS) is None
    assert refusal(second("")) is Refusal.NEEDS_TWO
    assert refusal(second(DEALER)) is Refusal.NEEDS_TWO
    assert refusal(second("badge-99")) is Refusal.NOT_SIGNED_IN
    assert refusal(floor.refuses_two(SUPERVISOR, DEALER, Act.VOID_TICKET)) is Refusal.NOT_ALLOWED


@pytest.mark.parametrize("act", Act)
def test_who_is_locked_removed_unknown_or_yet_to_change_the_password_may_do_nothing(act: Act) -> None:
    new = AccountAdded(badge="badge-5", label="New", role=Role.ADMINISTRATOR, password_hash=HASH)
    floor = after(locked(staffed(), SUPERVISOR), (new,))
    floor = after(floor, staff.remove(floor, by=ADMINISTRATOR, badge=PIT_BOSS))
    assert refusal(floor.refuses(SUPERVISOR, act)) is Refusal.NOT_SIGNED_IN
    assert refusal(floor.refuses(PIT_BOSS, act)) is Refusal.NOT_SIGNED_IN
    assert refusal(floor.refuses("badge-99", act)) is Refusal.NOT_SIGNED_IN
    assert refusal(floor.refuses("badge-5", act)) is Refusal.MUST_CHANGE


def test_the_console_manages_staff_and_nothing_else() -> None:
    assert [act for act in Act if not staffed().refuses(CONSOLE, act)] == [Act.MANAGE_STAFF]


# --- Passwords ---


def kept(password: str, hasher: PasswordHasher = staff.HASHER) -> Account:
    return Account("badge-12", "Twelve", Role.DEALER, hasher.hash(password, salt=SALT))


def test_the_right_password_is_right_and_any_other_is_not() -> None:
    account = kept(GOOD)
    assert account.password_hash.startswith("$argon2id$")
    assert staff.verify(account, GOOD, SALT) == Checked(account.password_hash, right=True)
    for wrong in (GOOD.upper(), GOOD + " ", ""):
        assert staff.verify(account, wrong, SALT) == Checked(account.password_hash, right=False)


@pytest.mark.parametrize("password", [GOOD, ""])
def test_no_password_is_right_for_a_badge_that_nobody_has(password: str) -> None:
    assert not staff.verify(None, password, SALT).right


def test_letters_that_look_the_same_are_the_same() -> None:
    account = kept("caf\N{LATIN SMALL LETTER E WITH ACUTE} on the corner")
    assert staff.verify(account, "cafe\N{COMBINING ACUTE ACCENT} on the corner", SALT).right


def test_a_password_kept_with_old_parameters_is_hashed_again_once_it_is_given() -> None:
    old = kept(GOOD, PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    checked = staff.verify(old, GOOD, SALT)
    assert checked.right
    assert checked.rehashed == staff.hashed(GOOD, SALT)
    assert staff.verify(old, BETTER, SALT).rehashed == ""

    floor = after(Floor(), (AccountAdded(badge="badge-12", label="T", role=Role.DEALER, password_hash=HASH),))
    checked = checked._replace(against=HASH)
    signed_in, rehashed = happened(staff.sign_in(floor, badge="badge-12", terminal="t", checked=checked, at_ms=1))
    assert isinstance(signed_in, SignedIn)
    assert rehashed == PasswordRehashed(badge="badge-12", password_hash=checked.rehashed)
    assert after(floor, (rehashed,)).staff["badge-12"].password_hash == checked.rehashed


@pytest.mark.parametrize(
    "password",
    [
        "fourteen chars",
        "x" * 257,
        "aaaaaaaaaaaaaaaaaaaa",
        "12345678901234567890",
        "abcdefghijklmnopqrstuvwxyz",
        "zyxwvutsrqponmlkjihgfedcba",
        "passwordpassword",
        "Password1Password1",
        "stickmanstickman",
        "STICKMAN Stickman!",
        "badge-12badge-12",
        "my badge-12 2026",
        "qwertyuiopasdfghjkl",
        "xk4xk4xk4xk4xk4xk4",
        "summer2026summer",
    ],
)
def test_a_password_that_is_short_or_made_of_what_everybody_takes_is_weak(password: str) -> None:
    assert staff.weakness(password, "badge-12")


@pytest.mark.parametrize(
    "password", [GOOD, BETTER, "fifteen chars..", "kT9#vQ2!mZ7$pL4", "πέντε ζάρια στο τραπέζι", "x7 " * 2 + GOOD]
)
def test_a_password_long_and_of_ones_own_is_good_whatever_its_letters(password: str) -> None:
    assert staff.weakness(password, "badge-12") is None


def test_ones_own_badge_counts_for_nothing_but_another_s_does() -> None:
    password = "kx7-vq-93m2-zt86"
    assert staff.weakness(password, "KX7-vq-93m2")
    assert not staff.weakness(password, "badge-12")


def test_a_weak_password_or_the_one_before_is_not_taken() -> None:
    account = kept(GOOD)
    assert refusal(staff.chosen(account, "stickman", SALT)) is Refusal.WEAK_PASSWORD
    assert refusal(staff.chosen(account, GOOD, SALT)) is Refusal.SAME_PASSWORD
    assert staff.chosen(account, BETTER, SALT) == staff.hashed(BETTER, SALT)


def test_a_one_time_password_spells_its_random_bytes() -> None:
    assert staff.one_time_password(bytes(range(20))) == "01234-56789-ABCDE-FGHJK"
    assert staff.one_time_password(bytes(range(236, 256))) == "CDEFG-HJKMN-PQRST-VWXYZ"


def test_each_letter_is_spelled_by_as_many_bytes() -> None:
    spelled = staff.code_from(bytes(range(256)))
    assert {spelled.count(letter) for letter in spelled} == {8}
    assert not set("ILOU") & set(spelled)


# --- Signing in ---


def test_signing_in_tells_role_and_terminal() -> None:
    [signed_in] = happened(tries(staffed(), SUPERVISOR, right=True))
    assert signed_in == SignedIn(badge=SUPERVISOR, terminal="terminal-9", role=Role.SUPERVISOR)


def test_the_third_failure_in_a_row_brings_a_wait_and_an_alarm_and_no_lock() -> None:
    floor = tried(staffed(), DEALER, False, False)
    assert not staff.wait_of(floor, badge=DEALER, terminal="terminal-9", at_ms=AT_MS)
    [failed] = happened(tries(floor, DEALER, right=False))
    assert failed == SignInFailed(
        badge=DEALER,
        terminal="terminal-9",
        why="wrong_password",
        at_ms=AT_MS,
        failures=3,
        terminals=1,
        until_ms=AT_MS + 30_000,
        alarm="failures",
    )
    assert after(floor, (failed,)).staff[DEALER].active


@pytest.mark.parametrize("badge", [DEALER, "badge-99", ADMINISTRATOR])
def test_a_wait_refuses_the_right_password_too_until_it_is_over_and_then_no_more(badge: str) -> None:
    floor = tried(staffed(), badge, False, False, False)
    until_ms = AT_MS + 30_000
    for at_ms, left in ((AT_MS, 30), (until_ms - 1_500, 2), (until_ms - 1, 1)):
        for right in (True, False):
            assert tries(floor, badge, right=right, at_ms=at_ms) == Refused(
                Refusal.MUST_WAIT, Detail.WAIT(seconds=left)
            )
    assert not isinstance(tries(floor, badge, right=True, at_ms=until_ms), Refused)


@given(st.lists(st.booleans(), max_size=14))
def test_a_badge_waits_when_and_only_when_three_failures_came_in_a_row(attempts: list[bool]) -> None:
    floor = tried(staffed(), DEALER, *attempts)
    text = "".join("right " if right else "x" for right in attempts)
    last = len(text) - len(text.rstrip("x"))
    expected = min(30 * 2 ** (last - 3), 900) if last >= 3 else 0
    [left] = [each.until_ms - each.at_ms for each in floor.failing.values() if each.until_ms] or [0]
    assert left == expected * 1_000
    assert floor.staff[DEALER].active


def test_failures_at_one_terminal_are_no_concern_of_another_and_a_success_clears_its_own_alone() -> None:
    floor = tried(staffed(), DEALER, False, False, False)
    [signed_in] = happened(tries(floor, DEALER, right=True, terminal="terminal-1"))
    floor = after(floor, (signed_in,))
    assert isinstance(signed_in, SignedIn)
    assert refusal(tries(floor, DEALER, right=True)) is Refusal.MUST_WAIT


def test_a_wrong_password_of_yesterday_counts_no_more() -> None:
    floor = tried(staffed(), DEALER, False, False)
    [failed] = happened(tries(floor, DEALER, right=False, at_ms=AT_MS + FORGOTTEN_MS))
    assert isinstance(failed, SignInFailed)
    assert (failed.failures, failed.until_ms) == (1, 0)
    assert len(after(floor, (failed,)).failing) == 1


def test_a_badge_that_fails_at_five_terminals_within_a_quarter_of_an_hour_is_an_alarm() -> None:
    floor = staffed()
    for number, at_ms in enumerate((AT_MS, AT_MS + 1, AT_MS + 2, AT_MS + 3), start=1):
        floor = after(floor, tries(floor, DEALER, right=False, terminal=f"terminal-{number}", at_ms=at_ms))
        assert not staff.alarms(floor, at_ms)
    [failed] = happened(tries(floor, DEALER.upper(), right=False, terminal="terminal-5", at_ms=AT_MS + 4))
    assert isinstance(failed, SignInFailed)
    assert (failed.terminals, failed.until_ms, failed.alarm) == (5, 0, "terminals")
    [alarm] = staff.alarms(after(floor, (failed,)), AT_MS + 4)
    assert (alarm.badge, alarm.failures, len(alarm.terminals)) == (DEALER, 5, 5)
    assert not staff.alarms(after(floor, (failed,)), AT_MS + staff.LATELY_MS)
    late = tries(floor, DEALER, right=False, terminal="terminal-5", at_ms=AT_MS + staff.LATELY_MS)
    [failed] = happened(late)
    assert isinstance(failed, SignInFailed)
    assert (failed.terminals, failed.alarm) == (4, "")


def test_only_so_many_badges_that_fail_are_remembered_the_last_ones() -> None:
    floor = Floor()
    for number in range(FAILING_MAX + 20):
        floor = after(floor, tries(floor, f"x{number}", right=False, at_ms=AT_MS + number))
    assert len(floor.failing) == FAILING_MAX
    assert ("x19", "terminal-9") not in floor.failing
    assert ("x20", "terminal-9") in floor.failing


def test_what_an_older_journal_says_of_failures_and_locks_counts_as_it_did() -> None:
    old = SignInFailed(badge=DEALER, terminal="terminal-9", why="wrong_password")
    floor = after(staffed(), (old, old, old, AccountLocked(badge=DEALER)))
    assert not floor.failing
    assert floor.staff[DEALER].locked


def test_a_locked_account_stays_out_with_the_right_password_until_it_is_unlocked() -> None:
    floor = after(staffed(), staff.lock(staffed(), by=ADMINISTRATOR, badge=DEALER))
    [failed] = happened(tries(floor, DEALER, right=True))
    assert isinstance(failed, SignInFailed)
    assert failed.why == "locked"
    floor = after(floor, staff.unlock(floor, by=ADMINISTRATOR, badge=DEALER))
    [signed_in] = happened(staff.outcome(tries(floor, DEALER, right=True)))
    assert isinstance(signed_in, SignedIn)


def test_unlocking_and_a_new_password_end_every_wait_of_a_badge() -> None:
    floor = tried(staffed(), DEALER, False, False, False)
    assert not after(floor, staff.unlock(floor, by=CONSOLE, badge=DEALER)).failing
    reset = staff.reset_password(floor, by=ADMINISTRATOR, badge=DEALER, password_hash=HASH)
    assert not after(floor, reset).failing
    others = tried(floor, SUPERVISOR, False)
    assert [badge for badge, _ in after(others, reset).failing] == [SUPERVISOR]


def test_every_failure_is_recorded_with_its_reason_and_told_alike() -> None:
    floor = locked(staffed(), SUPERVISOR)
    floor = after(floor, staff.remove(floor, by=ADMINISTRATOR, badge=PIT_BOSS))
    whys = {DEALER: "wrong_password", SUPERVISOR: "locked", PIT_BOSS: "removed", "badge-99": "unknown_badge"}
    for number in range(1, 5):
        for badge, why in whys.items():
            attempt = tries(floor, badge, right=False, at_ms=over(floor))
            [failed] = happened(attempt)
            assert isinstance(failed, SignInFailed)
            assert (failed.badge, failed.terminal, failed.why) == (badge, "terminal-9", why)
            waits = {number: Refused(Refusal.MUST_WAIT, Detail.WAIT(seconds=s)) for number, s in ((3, 30), (4, 60))}
            assert staff.outcome(attempt) == waits.get(number, Refused(Refusal.NOT_SIGNED_IN))
            floor = after(floor, attempt)


@pytest.mark.parametrize(
    "change",
    [
        lambda floor: staff.lock(floor, by=ADMINISTRATOR, badge=DEALER),
        lambda floor: staff.remove(floor, by=ADMINISTRATOR, badge=DEALER),
        lambda floor: staff.change_role(floor, by=ADMINISTRATOR, badge=DEALER, role=Role.PIT_BOSS),
        lambda floor: staff.reset_password(floor, by=ADMINISTRATOR, badge=DEALER, password_hash=HASH),
    ],
)
def test_what_ends_the_sessions_of_an_account_makes_it_another_edition(
    change: Callable[[Floor], Decision],
) -> None:
    floor = staffed()
    before = {badge: account.edition for badge, account in floor.staff.items()}
    changed = after(floor, change(floor))
    assert [badge for badge, account in changed.staff.items() if account.edition != before[badge]] == [DEALER]
    assert tried(floor, DEALER, False, False, False, True).staff[DEALER].edition == before[DEALER]


# --- Two people ---


def approves(floor: Floor, badge: str, *, right: bool = True) -> Decision:
    account = floor.account(badge)
    checked = Checked(account.password_hash if account else "decoy", right=right)
    deed = staff.Deed("reverse_roll", "digest")
    return staff.approve(floor, by=SUPERVISOR, badge=badge, terminal="t", checked=checked, deed=deed, at_ms=AT_MS)


def test_an_approval_says_who_approved_what_of_whom_and_counts_wrong_passwords() -> None:
    floor = staffed()
    [approved] = happened(approves(floor, PIT_BOSS.upper()))
    assert approved == DeedApproved(badge=PIT_BOSS, terminal="t", by=SUPERVISOR, what="reverse_roll", deed="digest")
    assert refusal(approves(floor, SUPERVISOR)) is Refusal.NEEDS_TWO
    assert refusal(approves(floor, DEALER)) is Refusal.NOT_ALLOWED
    wrong = approves(floor, PIT_BOSS, right=False)
    assert refusal(staff.outcome(wrong)) is Refusal.NOT_SIGNED_IN
    failing = after(floor, wrong)
    assert failing.failing
    assert not after(failing, approves(failing, PIT_BOSS)).failing, "the right one clears it"


@pytest.mark.parametrize("typed", [GOOD, "", "x" * 21, "badge_12", "bädge"])
def test_what_is_no_badge_may_be_a_password_and_is_not_recorded(typed: str) -> None:
    [failed] = happened(tries(staffed(), typed, right=False))
    assert isinstance(failed, SignInFailed)
    assert (failed.badge, failed.why) == ("", "unknown_badge")


def test_a_password_checked_against_what_has_changed_since_counts_for_nothing() -> None:
    floor = staffed()
    stale = Checked("hash before", right=True)
    assert refusal(staff.sign_in(floor, badge=DEALER, terminal="t", checked=stale, at_ms=1)) is Refusal.TRY_AGAIN


def test_a_new_password_takes_the_old_one_and_counts_failures() -> None:
    floor = after(staffed(), (PasswordChanged(badge=DEALER, password_hash=HASH, one_time=True),))
    right, wrong = Checked(HASH, right=True), Checked(HASH, right=False)

    def changes(checked: Checked, to: str | Refused) -> Decision:
        return staff.change_password(floor, badge=DEALER, terminal="t", checked=checked, password_hash=to, at_ms=1)

    changed = after(floor, changes(right, "new")).staff[DEALER]
    assert (changed.password_hash, changed.must_change) == ("new", False)
    assert [each.failures for each in after(floor, changes(wrong, "new")).failing.values()] == [1]
    weak = Refused(Refusal.WEAK_PASSWORD)
    assert changes(right, weak) == weak
    assert happened(changes(wrong, weak)), "a wrong old password is recorded, whatever the new one"


@in_memory
async def test_the_first_administrator_gets_in_with_the_one_time_password_and_must_change_it(
    store: MemoryStore,
) -> None:
    desk = await Office.open(store)
    once = staff.one_time_password(bytes(range(20)))
    password_hash = staff.hashed(once, SALT)

    async def act(decision: Decision) -> Decision:
        return await desk.act(lambda _: decision, at_ms=AT_MS, actor="console")

    first = await act(
        staff.first_administrator(desk.floor, badge="badge-1", label="One", password_hash=password_hash)
    )
    assert len(happened(first)) == 1
    again = staff.first_administrator(desk.floor, badge="badge-1", label="One", password_hash=password_hash)
    assert refusal(again) is Refusal.ALREADY_SO

    checked = staff.verify(desk.floor.staff["badge-1"], once, SALT)
    sign_in = partial(staff.sign_in, badge="badge-1", terminal="t", at_ms=AT_MS)
    change_password = partial(staff.change_password, badge="badge-1", terminal="t", at_ms=AT_MS)
    signed_in = staff.outcome(await act(sign_in(desk.floor, checked=checked)))
    assert signed_in == (SignedIn(badge="badge-1", terminal="t", role=Role.ADMINISTRATOR, must_change=True),)
    assert refusal(desk.floor.refuses("badge-1", Act.MANAGE_STAFF)) is Refusal.MUST_CHANGE

    new = staff.chosen(desk.floor.staff["badge-1"], GOOD, SALT)
    await act(change_password(desk.floor, checked=checked, password_hash=new))
    assert desk.floor.refuses("badge-1", Act.MANAGE_STAFF) is None
    assert not staff.verify(desk.floor.staff["badge-1"], once, SALT).right
    assert staff.verify(desk.floor.staff["badge-1"], GOOD, SALT).right


# --- Accounts ---


def adds(floor: Floor, *, by: str = ADMINISTRATOR, badge: str = "badge-7", label: str = "Seven") -> Decision:
    return staff.add(floor, by=by, badge=badge, label=label, role=Role.DEALER, password_hash=HASH)


def test_a_new_account_must_change_its_password() -> None:
    assert after(staffed(), adds(staffed())).staff["badge-7"] == Account(
        "badge-7", "Seven", Role.DEALER, HASH, must_change=True
    )


@pytest.mark.parametrize(
    ("decision", "why"),
    [
        (adds(staffed(), by=SUPERVISOR, badge=""), Refusal.NOT_ALLOWED),
        (adds(staffed(), badge="", label=""), Refusal.BAD_BADGE),
        (adds(staffed(), badge="badge 7"), Refusal.BAD_BADGE),
        (adds(staffed(), badge=CONSOLE), Refusal.BAD_BADGE),
        (adds(staffed(), badge="-7"), Refusal.BAD_BADGE),
        (adds(staffed(), badge=DEALER.upper()), Refusal.BADGE_TAKEN),
        (adds(staffed(), badge=DEALER, label=" "), Refusal.BAD_LABEL),
        (adds(staffed(), label="x" * 41), Refusal.BAD_LABEL),
        (adds(staffed(), label="two\nlines"), Refusal.BAD_LABEL),
        (adds(staffed(), badge=DEALER), Refusal.BADGE_TAKEN),
        (staff.unlock(staffed(), by=SUPERVISOR, badge=DEALER), Refusal.NOT_ALLOWED),
        (staff.unlock(staffed(), by=ADMINISTRATOR, badge="badge-99"), Refusal.NO_SUCH_ACCOUNT),
        (staff.unlock(staffed(), by=ADMINISTRATOR, badge=DEALER), Refusal.ALREADY_SO),
        (staff.change_role(staffed(), by=ADMINISTRATOR, badge=DEALER, role=Role.DEALER), Refusal.ALREADY_SO),
        (
            staff.change_role(staffed(), by=ADMINISTRATOR, badge=ADMINISTRATOR, role=Role.SUPERVISOR),
            Refusal.LAST_ADMINISTRATOR,
        ),
        (staff.remove(staffed(), by=ADMINISTRATOR, badge=ADMINISTRATOR), Refusal.LAST_ADMINISTRATOR),
        (staff.remove(staffed(), by=CONSOLE, badge=ADMINISTRATOR), Refusal.LAST_ADMINISTRATOR),
        (staff.lock(staffed(), by=CONSOLE, badge=ADMINISTRATOR), Refusal.LAST_ADMINISTRATOR),
        (staff.lock(staffed(), by=SUPERVISOR, badge=DEALER), Refusal.NOT_ALLOWED),
        (staff.lock(locked(staffed(), DEALER), by=ADMINISTRATOR, badge=DEALER), Refusal.ALREADY_SO),
        (staff.reset_password(staffed(), by=PIT_BOSS, badge=DEALER, password_hash=HASH), Refusal.NOT_ALLOWED),
    ],
)
def test_an_account_is_refused(decision: Decision, why: Refusal) -> None:
    assert refusal(decision) is why


@pytest.mark.parametrize(
    "badge",
    [*sorted(staff.RESERVED), "House", "seat-3", "seat3", "terminal-4", "Terminal-12", "system-1", "demo-1"],
)
def test_no_badge_looks_like_an_actor_of_the_house(badge: str) -> None:
    assert refusal(adds(staffed(), badge=badge)) is Refusal.BAD_BADGE


@pytest.mark.parametrize("badge", ["dealer-1", "floor-2", "seat-mate", "housekeeper", "demo", "7"])
def test_a_badge_that_only_begins_like_one_is_a_badge(badge: str) -> None:
    assert happened(adds(staffed(), badge=badge))


def test_a_demonstration_has_badges_of_its_own() -> None:
    floor = Floor()
    assert happened(staff.first_administrator(floor, badge="demo-1", label="D", password_hash=HASH, demo=True))
    refused = staff.first_administrator(floor, badge="demo-1", label="D", password_hash=HASH)
    assert refusal(refused) is Refusal.BAD_BADGE


def test_a_badge_is_found_in_any_case_and_in_its_own_spelling_first() -> None:
    """Older journals may have two that differ in case alone."""
    twins = tuple(
        AccountAdded(badge=badge, label="T", role=Role.DEALER, password_hash=HASH) for badge in ("Boss", "BOSS")
    )
    floor = after(Floor(), twins)
    found = {typed: floor.account(typed) for typed in ("BOSS", "Boss", "boss", "bos")}
    assert {typed: account and account.badge for typed, account in found.items()} == {
        "BOSS": "BOSS",
        "Boss": "Boss",
        "boss": "Boss",
        "bos": None,
    }
    assert staff.badge_written(floor, "bOSS") == "Boss"


def test_a_badge_is_not_used_again() -> None:
    floor = after(staffed(), staff.remove(staffed(), by=ADMINISTRATOR, badge=DEALER))
    assert refusal(adds(floor, badge=DEALER)) is Refusal.BADGE_TAKEN
    for late in (staff.remove, staff.unlock):
        assert refusal(late(floor, by=ADMINISTRATOR, badge=DEALER)) is Refusal.NO_SUCH_ACCOUNT


def test_a_reset_password_must_be_changed_and_leaves_the_lock() -> None:
    floor = locked(staffed(), DEALER)
    floor = after(floor, staff.reset_password(floor, by=ADMINISTRATOR, badge=DEALER, password_hash=HASH))
    account = floor.staff[DEALER]
    assert (account.password_hash, account.must_change, account.locked) == (HASH, True, True)


def test_a_locked_administrator_does_not_count_as_active_and_the_console_lets_them_in_again() -> None:
    floor = staffed()
    floor = after(floor, staff.change_role(floor, by=ADMINISTRATOR, badge=SUPERVISOR, role=Role.ADMINISTRATOR))
    assert happened(staff.remove(floor, by=SUPERVISOR, badge=ADMINISTRATOR))
    floor = locked(floor, SUPERVISOR)
    assert refusal(staff.remove(floor, by=CONSOLE, badge=ADMINISTRATOR)) is Refusal.LAST_ADMINISTRATOR
    assert happened(staff.unlock(floor, by=CONSOLE, badge=SUPERVISOR)) == (AccountUnlocked(badge=SUPERVISOR),)


BADGES = st.sampled_from([*ROLES, "badge-7"])
WISHES = st.one_of(
    st.tuples(st.just("remove"), BADGES, BADGES, st.sampled_from(Role)),
    st.tuples(st.just("role"), BADGES, BADGES, st.sampled_from(Role)),
    st.tuples(st.just("add"), BADGES, BADGES, st.sampled_from(Role)),
)


def wished(floor: Floor, wish: tuple[str, str, str, Role]) -> Decision:
    what, by, badge, role = wish
    if what == "remove":
        return staff.remove(floor, by=by, badge=badge)
    if what == "role":
        return staff.change_role(floor, by=by, badge=badge, role=role)
    return staff.add(floor, by=by, badge=badge, label="Somebody", role=role, password_hash=HASH)


@given(st.lists(WISHES, max_size=25))
def test_whatever_people_do_to_accounts_an_administrator_stays_who_may_undo_it(
    wishes: list[tuple[str, str, str, Role]],
) -> None:
    floor = staffed()
    for wish in wishes:
        decision = wished(floor, wish)
        events: tuple[FloorEvent, ...] = () if isinstance(decision, Refused) else decision
        floor = after(floor, events)
        assert any(account.active and account.role is Role.ADMINISTRATOR for account in floor.staff.values())
