"""Progressive meters that tables share (RULES 9, ruling 38): their readings, their terms, and changes of the terms.

A meter's key is name, base and pay table, `make_em_all/100/MEA-01`. Each table books its own share of a meter's
account, so that tables do not wait for each other; the meter reads the sum. A win claims the hit by its number. If
two tables win at once, the one that commits later finds the claim taken, reads the meter again, and pays that
reading (ruling 23).

A meter has terms of its own (`MeterTerms`: seed, rates, cap), the same at every table that plays it. A change waits
until the meter is won; then the tables follow. A meter that no table plays keeps its money until two people move
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from msgspec.structs import asdict, replace

from stickman.floor import events as e
from stickman.floor.events import Act, Decision, Refusal, Refused
from stickman.floor.journal import events_of
from stickman.floor.office import Floor, Meter
from stickman.rules.datafile import BadFile
from stickman.rules.game import Game, value_of
from stickman.rules.schema import MeterTerms, meter_base_cents
from stickman.rules.settings import change, load, written
from stickman.rules.spoken import Detail
from stickman.store.store import Claimed, Store
from stickman.table.ledger import jackpot_claim, key_of, move, progressive, reserve
from stickman.table.messages import BetsClosed, Reading, RollVoided

NO_TERMS: Mapping[str, MeterTerms] = MappingProxyType({})

# --- Reading ---


def played(game: Game) -> dict[str, str]:
    """The meters of a game's progressives: by key, the side game."""
    return {game.meter(name): name for name, side in game.progressives().items() if side.on}


async def read(store: Store, meter: str) -> Reading:
    """What a meter holds, and its number of hits."""
    return Reading(
        await _held(store, progressive(meter)), len([hit async for hit in store.claims(jackpot_claim(meter))])
    )


async def reserve_cents(store: Store, meter: str) -> int:
    return await _held(store, reserve(meter))


async def _held(store: Store, account: str) -> int:
    return sum((await store.shared(account)).values())


def terms(floor: Floor, game: Game) -> dict[str, MeterTerms]:
    """By key, the terms of a game's meters, as far as they are open."""
    known = {meter: floor.meters[meter].terms for meter in played(game) if meter in floor.meters}
    return {meter: agreed for meter, agreed in known.items() if agreed}


async def shown(store: Store, game: Game, agreed: Mapping[str, MeterTerms] = NO_TERMS) -> dict[str, Reading]:
    """The readings of a game's meters at its table. If several tables feed a meter beyond its cap, the excess is
    part of the next jackpot."""
    readings = {}
    for meter, side in played(game).items():
        cents, hits = await read(store, meter)
        cap = agreed.get(meter, game.meter_terms(side)).cap_cents
        readings[meter] = Reading(cents if cap is None else min(cents, cap), hits)
    return readings


# --- Whether a game and its meters agree ---


def differing(floor: Floor, game: Game) -> dict[str, str]:
    """By setting, how a game differs from its meters, as text."""
    return dict(_differing(floor, game))


def _differing(floor: Floor, game: Game) -> Iterator[tuple[str, str]]:
    for meter, agreed in terms(floor, game).items():
        side = played(game)[meter]
        for name, of_meter in asdict(agreed).items():
            of_game = getattr(game.meter_terms(side), name)
            if of_game != of_meter:
                key = f"{side}.{name}"
                yield key, f"{key} is {written(of_game)}; the meter {meter} has {written(of_meter)}"


def unfit(floor: Floor, before: Game, after: Game) -> str:
    """How a change of settings would make a game differ from its meters; empty if it would not."""
    news = differing(floor, after).items() - differing(floor, before).items()
    if not news:
        return ""
    differences = "; ".join(sorted(text for _, text in news))
    return f"{differences}. A meter's terms are changed at the meter, and the change waits until it is won"


def outside(floor: Floor, game: Game) -> list[str]:
    """How a table's game differs from its meters, apart from values that a meter had earlier (`following`): such a
    table is refused."""
    explained = {new.key for new in following(floor, game)}
    return [text for key, text in differing(floor, game).items() if key not in explained]


class NewValue(NamedTuple):
    """A setting of a game that must follow its meter, and its new value."""

    meter: str
    key: str
    text: str


def following(floor: Floor, game: Game) -> list[NewValue]:
    """The settings of a game that still have a value which its meter had earlier, with the meter's new value."""
    found = []
    for meter, side in played(game).items():
        known = floor.meters.get(meter)
        of_game = game.meter_terms(side)
        for name in asdict(of_game) if known and known.terms else ():
            assert known is not None
            now = getattr(known.terms, name)
            earlier = [getattr(each, name) for each in known.earlier]
            if getattr(of_game, name) != now and getattr(of_game, name) in earlier:
                found.append(NewValue(meter, f"{side}.{name}", written(now)))
    return found


# --- Deeds ---


def open_meter(floor: Floor, *, meter: str, agreed: MeterTerms) -> Decision:
    """Open a meter with its seed, which the house gives; the first table that plays it does this."""
    if meter in floor.meters:
        return Refused(Refusal.ALREADY_SO)
    seed_cents = agreed.reset_cents(meter_base_cents(meter))
    transfers = move("house", progressive(meter), seed_cents)
    return (e.MeterOpened(meter=meter, seed_cents=seed_cents, terms=agreed, transfers=transfers),)


def changed(agreed: MeterTerms, key: str, text: str) -> MeterTerms:
    """A meter's terms with one value changed, from text as typed; `BadFile` if that is not allowed."""
    names = list(asdict(agreed))
    if key not in names or (key == "seed_cents" and text == "none"):
        raise BadFile("meter", key, repr(text), "a value for one of " + ", ".join(names))
    game = load("craps")  # any progressive will do: only its parser and its range are used
    setting = f"{next(iter(game.progressives()))}.{key}"
    return replace(agreed, **{key: value_of(change(game, setting, text), setting)})


def ask_change(  # noqa: PLR0913 - a deed of two people about one value of one meter
    floor: Floor, *, by: str, approver: str, meter: str, key: str, text: str, hits: int
) -> Decision:
    """Change a meter's terms when it is won next, after these hits (ruling 38)."""
    if refused := floor.refuses_two(by, approver, Act.CHANGE_METER):
        return refused
    known = floor.meters.get(meter)
    if known is None or known.terms is None:
        return Refused(Refusal.NO_SUCH_METER, Detail.NAME(name=meter))
    try:
        wanted = changed(known.waits or known.terms, key, text)
    except BadFile as problem:
        return Refused(Refusal.NO_SUCH_SETTING, problem.detail)
    if wanted == (known.waits or known.terms):
        return Refused(Refusal.ALREADY_SO)
    return (e.MeterChangeWaits(meter=meter, terms=wanted, hits=hits, by=by, approver=approver),)


def take_effect(floor: Floor, *, meter: str) -> Decision:
    """The meter was won: its change takes effect, and it starts from its new seed."""
    known = floor.meters.get(meter)
    if known is None or known.terms is None or known.waits is None:
        return Refused(Refusal.ALREADY_SO)
    base_cents = meter_base_cents(meter)
    more = known.waits.reset_cents(base_cents) - known.terms.reset_cents(base_cents)
    transfers = move("house", progressive(meter), more)
    return (e.MeterChanged(meter=meter, terms=known.waits, transfers=transfers),)


async def is_won(store: Store, meter: str, known: Meter) -> bool:
    """Whether a meter was won after the request for a change, by a roll that is final."""
    async for hit in store.claims(jackpot_claim(meter)):
        if hit_of(hit) > known.waits_after and await fate(store, hit) == "final":
            return True
    return False


def hit_of(claimed: Claimed) -> int:
    """The number of the hit that a claim names."""
    return int(key_of(claimed.claim).part)


async def fate(store: Store, hit: Claimed) -> Literal["open", "voided", "final"]:
    """Whether the roll of a hit was taken back; it is final when bets close again (ruling 25)."""
    async for record in store.records(hit.stream, after=hit.seq):
        for event in events_of(record):
            if isinstance(event, RollVoided | BetsClosed):
                return "voided" if isinstance(event, RollVoided) else "final"
    return "open"


def move_meter(  # noqa: PLR0913 - a deed of two people, with what the house has counted
    floor: Floor, *, by: str, approver: str, meter: str, to: str, cents: int, reserved_cents: int
) -> Decision:
    """Move the money of a meter, with its reserve, to another meter (ruling 38). The caller has checked that no
    table plays it."""
    if refused := floor.refuses_two(by, approver, Act.CHANGE_METER):
        return refused
    if meter not in floor.meters:
        return Refused(Refusal.NO_SUCH_METER, Detail.NAME(name=meter))
    target = floor.meters.get(to)
    if target is None or target.terms is None or to == meter:
        return Refused(Refusal.NO_SUCH_METER, Detail.NAME(name=to))
    transfers = move(progressive(meter), progressive(to), cents)
    transfers += move(reserve(meter), reserve(to), reserved_cents)
    moved = e.MeterMoved(
        meter=meter, to=to, cents=cents, reserve_cents=reserved_cents, by=by, approver=approver, transfers=transfers
    )
    return (moved,)
