"""Cash drawers: each cent that staff take or pay is somebody's to answer for.

A drawer belongs to one badge. It is opened with a float and closed with a count. In between, the cash that its
owner takes for credit goes in, and the cash that its owner pays for hand pays and tickets comes out, at any table.
All of it moves on the account `drawer:BADGE`, so that account over all streams says what the drawer should hold.
"""

from __future__ import annotations

from stickman.floor.events import Act, Decision, DrawerClosed, DrawerOpened, DrawerShut, Refusal, Refused
from stickman.floor.office import Floor
from stickman.rules.spoken import Detail
from stickman.store.store import Store
from stickman.table.ledger import drawer, move

CENTS_MAX = 10**11


async def held_cents(store: Store, badge: str) -> int:
    """What a drawer should hold. Cash that comes in leaves the account, as it does on `cash`."""
    return -sum((await store.shared(drawer(badge))).values())


def open_drawer(floor: Floor, *, by: str, float_cents: int) -> Decision:
    """Take a drawer with its float."""
    if refused := floor.refuses(by, Act.GIVE_CREDIT):
        return refused
    if by in floor.drawers:
        return Refused(Refusal.DRAWER_OPEN)
    if not 0 <= float_cents <= CENTS_MAX:
        return _out_of_range(float_cents)
    transfers = move(drawer(by), "cash", float_cents)
    return (DrawerOpened(badge=by, float_cents=float_cents, transfers=transfers),)


def shut_drawer(floor: Floor, *, by: str, badge: str) -> Decision:
    """Let nothing more into a drawer, or out of it: the first step of closing it, so that no cash moves while it is
    counted. A supervisor may count the drawer of somebody who has left."""
    if refused := floor.refuses(by, Act.GIVE_CREDIT if by == badge else Act.CLOSE_ANY_DRAWER):
        return refused
    if badge not in floor.drawers:
        return Refused(Refusal.NO_DRAWER)
    return Refused(Refusal.ALREADY_SO) if floor.drawers[badge].shut else (DrawerShut(badge=badge),)


def close_drawer(floor: Floor, *, by: str, badge: str, held_cents: int, counted_cents: int) -> Decision:
    """Give a drawer back, counted, once it is shut."""
    if refused := floor.refuses(by, Act.GIVE_CREDIT if by == badge else Act.CLOSE_ANY_DRAWER):
        return refused
    if badge not in floor.drawers:
        return Refused(Refusal.NO_DRAWER)
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
