"""Cash drawers: for each cent that staff take or pay, one person is responsible.

A drawer belongs to one badge. It is *open* from its float on: at any table, cash that its owner takes for credit
goes in, and cash that its owner pays out for tickets and by hand comes out. Then it is *shut*: no cash moves while
it is counted. The count *closes* it. All of this is on the account `drawer:BADGE`, in the streams of all tables.
As on the account `cash`, cash that is there is a negative balance.
"""

from __future__ import annotations

from stickman.floor.events import Act, Decision, DrawerClosed, DrawerOpened, DrawerShut, Refusal, Refused
from stickman.floor.office import Floor
from stickman.rules.spoken import Detail
from stickman.store.store import Store
from stickman.table.ledger import drawer, move

CENTS_MAX = 10**11


async def held_cents(store: Store, badge: str) -> int:
    """What a drawer should hold: minus the balance of its account."""
    return -sum((await store.shared(drawer(badge))).values())


def open_drawer(floor: Floor, *, by: str, float_cents: int) -> Decision:
    """Open a drawer with its float."""
    if refused := floor.refuses(by, Act.GIVE_CREDIT):
        return refused
    if by in floor.drawers:
        return Refused(Refusal.DRAWER_OPEN)
    if not 0 <= float_cents <= CENTS_MAX:
        return _out_of_range(float_cents)
    transfers = move(drawer(by), "cash", float_cents)
    return (DrawerOpened(badge=by, float_cents=float_cents, transfers=transfers),)


def shut_drawer(floor: Floor, *, by: str, badge: str) -> Decision:
    """Shut a drawer before its count, so that no cash moves while it is counted."""
    if refused := _may_not_count(floor, by, badge):
        return refused
    return Refused(Refusal.ALREADY_SO) if floor.drawers[badge].shut else (DrawerShut(badge=badge),)


def _may_not_count(floor: Floor, by: str, badge: str) -> Refused | None:
    """A supervisor may count a drawer of others, if its owner has left for example."""
    if refused := floor.refuses(by, Act.GIVE_CREDIT if by == badge else Act.CLOSE_ANY_DRAWER):
        return refused
    return None if badge in floor.drawers else Refused(Refusal.NO_DRAWER)


def close_drawer(floor: Floor, *, by: str, badge: str, held_cents: int, counted_cents: int) -> Decision:
    """Close a drawer by its count, after it was shut."""
    if refused := _may_not_count(floor, by, badge):
        return refused
    assert floor.drawers[badge].shut, "a drawer is shut before it is counted"
    if not 0 <= counted_cents <= CENTS_MAX:
        return _out_of_range(counted_cents)
    difference = counted_cents - held_cents
    return (
        DrawerClosed(
            badge=badge,
            float_cents=floor.drawers[badge].float_cents,
            held_cents=held_cents,
            counted_cents=counted_cents,
            difference_cents=difference,
            transfers=move("cash", drawer(badge), counted_cents) + move(drawer(badge), "over_short", difference),
        ),
    )


def _out_of_range(cents: int) -> Refused:
    return Refused(Refusal.BAD_AMOUNT, Detail.AMOUNT_RANGE(cents=cents, least_cents=0, most_cents=CENTS_MAX))
