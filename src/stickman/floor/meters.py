"""Progressive meters that tables share (RULES 9, ruling 38): what they read, what they own, who may change that.

A meter's key is name, base and pay table, `make_em_all/100/MEA-01`. Each table books its own share of a meter's
account, so that no table waits for another to feed it; the meter reads the sum. Who wins it claims that hit by its
number: of two tables that win at once, the one that commits later finds the claim taken, reads the meter again, and
pays what it reads then (ruling 23).

What a meter owns (`MeterTerms`) is the same at every table that plays it. A change waits until the meter is won;
then the tables follow. A meter that no table plays any more keeps its money until two people move it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec.structs import asdict, replace

from stickman.floor.events import (
    Act,
    Decision,
    MeterChanged,
    MeterChangeWaits,
    MeterMoved,
    MeterOpened,
    Refusal,
    Refused,
)
from stickman.floor.journal import events_of
from stickman.floor.office import Floor, Meter
from stickman.rules.datafile import BadFile
from stickman.rules.game import Game, value_of
from stickman.rules.schema import MeterTerms
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
    """What a meter holds and how often it has been hit."""
    return Reading(
        await _held(store, progressive(meter)), len([hit async for hit in store.claims(jackpot_claim(meter))])
    )


async def reserve_cents(store: Store, meter: str) -> int:
    return await _held(store, reserve(meter))


async def _held(store: Store, account: str) -> int:
    return sum((await store.shared(account)).values())


def terms(floor: Floor, game: Game) -> dict[str, MeterTerms]:
    """By key, what the meters of a game own; those that are not up yet are not there."""
    known = {meter: floor.meters[meter].terms for meter in played(game) if meter in floor.meters}
    return {meter: owned for meter, owned in known.items() if owned}


async def shown(store: Store, game: Game, owned: Mapping[str, MeterTerms] = NO_TERMS) -> dict[str, Reading]:
    """What the meters of a game read at its table. What tables that feed a meter at once bring beyond its cap is
    kept for the next jackpot."""
    readings = {}
    for meter, side in played(game).items():
        cents, hits = await read(store, meter)
        cap = owned.get(meter, game.meter_terms(side)).cap_cents
        readings[meter] = Reading(cents if cap is None else min(cents, cap), hits)
    return readings


# --- Whether a game and its meters agree ---


def differing(floor: Floor, game: Game) -> dict[str, str]:
    """By setting, how a game differs from the meters that it plays, in words."""
    return dict(_differing(floor, game))


def _differing(floor: Floor, game: Game) -> Iterator[tuple[str, str]]:
    for meter, owned in terms(floor, game).items():
        side = played(game)[meter]
        for name, has in asdict(owned).items():
            says = getattr(game.meter_terms(side), name)
            if says != has:
                key = f"{side}.{name}"
                yield key, f"{key} is {written(says)}; the meter {meter} has {written(has)}"


def unfit(floor: Floor, before: Game, after: Game) -> str:
    """How a change of settings would bring a game out of line with its meters; empty where it does not."""
    news = differing(floor, after).items() - differing(floor, before).items()
    if not news:
        return ""
    told = "; ".join(sorted(words for _, words in news))
    return f"{told}. A change of what a meter owns is asked for at the meter, and waits until it is won"


def outside(floor: Floor, game: Game) -> list[str]:
    """How a table's game differs from its meters, where no change of a meter explains it: that table is refused."""
    explained = {key for key, _ in following(floor, game)}
    return [words for key, words in differing(floor, game).items() if key not in explained]


def following(floor: Floor, game: Game) -> list[tuple[str, str]]:
    """The settings, with their new values, that bring a game into line with meters that were changed since."""
    found = []
    for meter, side in played(game).items():
        known = floor.meters.get(meter)
        says = game.meter_terms(side)
        for name in asdict(says) if known and known.terms else ():
            assert known is not None
            now = getattr(known.terms, name)
            earlier = [getattr(each, name) for each in known.earlier]
            if getattr(says, name) != now and getattr(says, name) in earlier:
                found.append((f"{side}.{name}", written(now)))
    return found


# --- Deeds ---


def open_meter(floor: Floor, *, meter: str, owned: MeterTerms) -> Decision:
    """Put a meter up at its seed, which the house gives: done by the first table that plays it."""
    if meter in floor.meters:
        return Refused(Refusal.ALREADY_SO)
    seed_cents = owned.reset_cents(base_of(meter))
    transfers = move("house", progressive(meter), seed_cents)
    return (MeterOpened(meter=meter, seed_cents=seed_cents, terms=owned, transfers=transfers),)


def base_of(meter: str) -> int:
    """The base wager in a meter's key."""
    return int(meter.split("/")[1])


def changed(owned: MeterTerms, key: str, text: str) -> MeterTerms:
    """What a meter owns with one of it changed, from text as a person types it; `BadFile` where that cannot be."""
    names = list(asdict(owned))
    if key not in names or (key == "seed_cents" and text == "none"):
        raise BadFile("meter", key, repr(text), "a value for one of " + ", ".join(names))
    game = load("craps")
    setting = f"{next(iter(game.progressives()))}.{key}"
    return replace(owned, **{key: value_of(change(game, setting, text), setting)})


def ask_change(  # noqa: PLR0913 - a deed of two people about one value of one meter
    floor: Floor, *, by: str, approver: str, meter: str, key: str, text: str, hits: int
) -> Decision:
    """Keep a change of what a meter owns, until it is won after so many hits (ruling 38)."""
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
    return (MeterChangeWaits(meter=meter, terms=wanted, hits=hits, by=by, approver=approver),)


def take_effect(floor: Floor, *, meter: str) -> Decision:
    """The meter was won: what waited for that holds from now on, and it starts from its new seed."""
    known = floor.meters.get(meter)
    if known is None or known.terms is None or known.waits is None:
        return Refused(Refusal.ALREADY_SO)
    base_cents = base_of(meter)
    more = known.waits.reset_cents(base_cents) - known.terms.reset_cents(base_cents)
    transfers = move("house", progressive(meter), more)
    return (MeterChanged(meter=meter, terms=known.waits, transfers=transfers),)


async def is_won(store: Store, meter: str, known: Meter) -> bool:
    """Whether a meter was won since a change of it was asked for, and the roll can no longer be taken back."""
    async for hit in store.claims(jackpot_claim(meter)):
        if hit_of(hit) > known.waits_after and await _counts(store, hit):
            return True
    return False


def hit_of(claimed: Claimed) -> int:
    """Which hit of its meter a claim is."""
    return int(key_of(claimed.claim).part)


async def _counts(store: Store, hit: Claimed) -> bool:
    async for record in store.records(hit.stream, hit.seq):
        for event in events_of(record):
            if isinstance(event, RollVoided | BetsClosed):
                return isinstance(event, BetsClosed)
    return False


def move_meter(  # noqa: PLR0913 - a deed of two people, with what the house has counted
    floor: Floor, *, by: str, approver: str, meter: str, to: str, cents: int, kept_cents: int
) -> Decision:
    """Move the money of a meter that no table plays to another one, its reserve too (ruling 38)."""
    if refused := floor.refuses_two(by, approver, Act.CHANGE_METER):
        return refused
    if meter not in floor.meters:
        return Refused(Refusal.NO_SUCH_METER, Detail.NAME(name=meter))
    target = floor.meters.get(to)
    if target is None or target.terms is None or to == meter:
        return Refused(Refusal.NO_SUCH_METER, Detail.NAME(name=to))
    transfers = move(progressive(meter), progressive(to), cents)
    transfers += move(reserve(meter), reserve(to), kept_cents)
    moved = MeterMoved(
        meter=meter, to=to, cents=cents, reserve_cents=kept_cents, by=by, approver=approver, transfers=transfers
    )
    return (moved,)
