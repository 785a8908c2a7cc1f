"""Books to report on: an evening that can be added up by hand, and a floor with its comings and goings."""

from __future__ import annotations

from stickman.floor import events as e
from stickman.floor import office
from stickman.floor.boxman import Boxman, NewRecord
from stickman.floor.office import Office
from stickman.store.store import Store
from stickman.table import script
from tests.floor.evening import STARTS_MS
from tests.talk.floor import ADMINISTRATOR, DEALER, SUPERVISOR, hiring

SECRET = "nobody may see this"
SECRETS = (SECRET, "once of", "hash of", "code-secret")
"""What `staffed` hides in fields that nobody may see."""
EVENING = """
game craps
set seats 2
seat 1 inserts 100.00
seat 1 inserts 20.00
seat 2 inserts 20.00
seat 2 inserts 20.00
seat 1 bets pass 10.00
seat 2 bets field 5.00
roll 4-2
seat 1 bets pass.odds 20.00
seat 1 bets place.8 12.00
seat 2 bets buy.4 20.00
seat 2 accepts
roll 5-3
roll 3-3
seat 2 bets dont_pass 5.00
roll 6-6
roll 4-3
seat 1 cashes out
"""
"""Seat 2 loses $5 in the field and $20 on the four, for which it paid a fee of $1; its Don't Pass pushes on 12,
then loses on the 7. Seat 1 wins $14 on the eight, $10 on the line and $24 on the odds, and takes a ticket."""


async def written(store: Store, text: str, stream: int = 1, starts_ms: int = STARTS_MS) -> Boxman:
    """Play a script at a table that keeps its book: a record a line, at as many seconds as the line's number."""
    played = script.play(text)
    async with store.own(stream, "evening") as lease:
        boxman = await Boxman.sit(store, lease, played.start.game, starts_ms)
        for number, step in enumerate(played.steps, 1):
            if step.events:
                await boxman.write([NewRecord(step.events, starts_ms + number * 1_000, "house")], step.table)
    return boxman


async def staffed(store: Store) -> None:
    """A floor with its comings and goings."""
    cage = await Office.open(store)
    hired = (e.Role.ADMINISTRATOR, ADMINISTRATOR), (e.Role.SUPERVISOR, SUPERVISOR), (e.Role.DEALER, DEALER)
    place = e.Place("seat", 1, 2)
    happened: list[tuple[str, tuple[e.FloorEvent, ...]]] = [
        *(("console", hiring(badge, role)) for role, badge in hired),
        (DEALER, (e.SignInFailed(badge=DEALER, terminal="terminal-1", why="wrong_password"),)),
        (DEALER, (e.SignInFailed(badge=DEALER, terminal="terminal-1", why="wrong_password"),)),
        (
            DEALER,
            (
                e.SignInFailed(badge=DEALER, terminal="terminal-1", why="wrong_password"),
                e.AccountLocked(badge=DEALER),
            ),
        ),
        (ADMINISTRATOR, (e.AccountUnlocked(badge=DEALER),)),
        (SUPERVISOR, (e.DrawerOpened(badge=SUPERVISOR, float_cents=20_000),)),
        (
            SUPERVISOR,
            (
                e.DrawerClosed(
                    badge=SUPERVISOR,
                    float_cents=20_000,
                    held_cents=24_000,
                    counted_cents=23_900,
                    difference_cents=-100,
                ),
            ),
        ),
        (DEALER, (e.SignedIn(badge=DEALER, terminal="terminal-1", role=e.Role.DEALER),)),
        (ADMINISTRATOR, (e.RoleChanged(badge=DEALER, before=e.Role.DEALER, after=e.Role.PIT_BOSS),)),
        (SUPERVISOR, (e.TerminalOffered(place=place, code_hash="code-secret", expires_at_ms=1),)),
        (
            "terminal-1",
            (e.TerminalEnrolled(terminal="terminal-1", place=place, code_hash="code-secret", token_hash=SECRET),),
        ),
        (ADMINISTRATOR, (e.PasswordRehashed(badge=ADMINISTRATOR, password_hash=SECRET),)),
    ]
    for number, (actor, events) in enumerate(happened):
        await cage.act(lambda _, events=events: events, at_ms=STARTS_MS + number, actor=actor)  # type: ignore[misc]
    changed = office.change_setting
    await cage.act(
        lambda floor: changed(floor, by=ADMINISTRATOR, key="name", text="The Hard Eight"),
        at_ms=STARTS_MS + 100,
        actor=ADMINISTRATOR,
    )
