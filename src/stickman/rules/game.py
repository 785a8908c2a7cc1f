"""A game is data. One annotated struct is its schema, its documentation, its settings form and the vocabulary of a
jurisdiction's lock. Files in `games/` list only what differs from the defaults below."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import getitem
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from stickman.rules.bets import catalogue, families
from stickman.rules.datafile import INLINE, to_text
from stickman.rules.dice import SIX_POINTS, TEN_POINTS
from stickman.rules.machine import Bet, rows_of
from stickman.rules.paytable import MORE_ROWS, PayRow, PayTable, PowerTable, odds_table, pay_tables, power_tables
from stickman.rules.schema import (
    Cents,
    Commission,
    FreeStake,
    Limits,
    MeterTerms,
    Odds,
    OtherLimits,
    PowerOdds,
    Progressive,
    SideSettings,
    Text,
    Timers,
)
from stickman.rules.side_games import REGISTRY, fired_up, make_em_all
from stickman.rules.side_games.bonus_craps import BonusCraps
from stickman.rules.side_games.hot_shooter import HotShooter
from stickman.rules.side_games.lucky_roller import LuckyRoller
from stickman.rules.side_games.lucky_shooter import LuckyShooter

DEFAULT_BETS = frozenset(families()) - {"place_to_lose", "low_field", "high_field"}


LATER = ("bills_cents", "timers.flight_ms", "timers.waits_for_bets")
"""Settings that came after games had fingerprints."""


class Game(Struct, frozen=True, kw_only=True):
    """A named set of choices: bets on offer, pay tables, limits and policies."""

    name: Annotated[str, Meta(pattern=r"\A[a-z][a-z0-9-]{0,39}\Z", description="Short name, as typed.")]
    title: Annotated[Text, Meta(description="Name shown to players.")]
    seats: Annotated[int, Meta(ge=1, le=10, description="Player terminals.")] = 10
    mode: Annotated[
        Literal["automated", "dealer_assisted", "selectable"],
        Meta(description="Dice from the generator, entered by a dealer, or as the operator chooses (RULES 11)."),
    ] = "selectable"

    # Bets on offer (RULES 2)
    points: Annotated[
        Literal["six", "ten"], Meta(description="Points 4 5 6 8 9 10, or also 2 3 11 12 (crapless).")
    ] = "six"
    bets: Annotated[frozenset[str], Meta(description="Families of bets offered, with their odds.")] = DEFAULT_BETS
    leave_out: Annotated[frozenset[str], Meta(description="Single bets, by id, that the game does not offer.")] = (
        frozenset()
    )
    hops: Annotated[
        Literal[17, 21], Meta(description="Hops on all 21 pairs, or on 17 without the Horn's (IB, Hop bets).")
    ] = 17
    paytable: Annotated[str, Meta(description="Pay table of the main bets.")] = "standard"
    field: Annotated[str, Meta(description="Pay table of the Field: 12 pays double, or triple (EL602).")] = "double"
    odds: Odds = Odds()
    buy: Commission = Commission()
    lay: Commission = Commission(base="win")
    power_odds: PowerOdds = PowerOdds()

    # How bets play (RULES 3, 8, 15)
    big_small: Annotated[
        Literal["until_seven", "single_roll"],
        Meta(description="Big and Small stay until a 7, or lose on any other total (RULES 15.1)."),
    ] = "until_seven"
    big_pair: Annotated[
        Literal["both", "either"],
        Meta(description="Big 6 and Big 8, Big and Small: a seat may bet both, or either (IB 2.8)."),
    ] = "both"
    come_when: Annotated[
        Literal["since_point", "point_on"],
        Meta(description="Come and Don't Come: from the first point to the seven-out, or with a point on."),
    ] = "since_point"
    dont_pass_after_point: Annotated[
        Literal["removable", "locked"], Meta(description="Don't Pass once it has a point (RULES 15.6).")
    ] = "removable"
    place_excludes_lay: Annotated[
        Literal["same_number", "any_number"],
        Meta(description="On which numbers Place and Buy exclude Lay and Place to Lose."),
    ] = "same_number"
    stay_up: Annotated[
        bool,
        Meta(description="Winners stay up until cancelled or lost (STW); otherwise stake and win go to credit."),
    ] = False
    press_by_win: Annotated[
        bool, Meta(description="After a Place win, offer to add the win to that bet (RTW 5).")
    ] = False
    move_after_win: Annotated[
        Literal["none", "buy", "place"],
        Meta(description="After a Place bet made on the come-out wins, offer to move it (IB 2.6)."),
    ] = "none"

    # On and off (RULES 6)
    come_out: Annotated[
        Literal["working", "off"],
        Meta(description="Earlier Come Odds, Place, Buy, Hard ways and Big 6/8 on a come-out roll (STW)."),
    ] = "working"
    off_money: Annotated[
        Literal["held", "released"],
        Meta(description="Money of chips that are off: stays on the felt (IB), or returns to credit (RTW)."),
    ] = "held"
    after_seven_out: Annotated[
        Literal["working", "off"],
        Meta(description="Whether Place and Buy made right after a seven-out start working or off (IB 3.2)."),
    ] = "off"
    off_lay: Annotated[
        Literal["comes_on", "stays_off"],
        Meta(description="Whether Lay bets that are off go on again after a point is set or a 7 (IB 3.2)."),
    ] = "comes_on"
    off_odds: Annotated[
        Literal["returned", "stay_off"], Meta(description="Off odds when a new point is set (IB 3.2).")
    ] = "returned"
    big_6_8_off: Annotated[bool, Meta(description="Whether Big 6 and Big 8 may be switched off.")] = False

    # Buttons (RULES 7)
    buttons: Annotated[
        frozenset[Literal["press", "across", "inside", "outside"]],
        Meta(description="Betting buttons on the screen (IB 3.1.1)."),
    ] = frozenset(("press", "across", "inside", "outside"))
    keep_bets_on: Annotated[bool, Meta(description="Whether Keep Bets On is offered (IB 5.1).")] = True
    auto_repeat: Annotated[bool, Meta(description="Whether Repeat may be set to repeat automatically.")] = True
    roll_button: Annotated[
        bool, Meta(description="Whether bets close early when every seat with a wager has pressed Roll (IB 5.1).")
    ] = False
    puck_can_be_reset: Annotated[
        bool,
        Meta(description="Whether the puck may be turned off by hand while no wager depends on it (IB 4.1.2)."),
    ] = False

    # Round and shooter (RULES 10, 11)
    rotate_on: Annotated[
        frozenset[Literal["seven_out", "point_established"]],
        Meta(description="When the dice pass to the next seat; always on a seven-out (RULES 15.8)."),
    ] = frozenset(("seven_out",))
    timers: Timers = Timers()
    history_length: Annotated[int, Meta(ge=5, le=100, description="Rolls shown in the history.")] = 15
    dice_colour: Annotated[Literal["white", "red"], Meta(description="Colour of the dice.")] = "white"

    # Sound at the seats and at the table (RTW 3.1; ruling 58). Alarms always sound.
    announcements: Annotated[bool, Meta(description="Whether the stickman's calls and messages are spoken.")] = True
    sound: Annotated[bool, Meta(description="Whether music and sound effects are played.")] = True

    # Money (RULES 3, 12)
    table_min_cents: Annotated[Cents, Meta(description="Minimum a seat must have working to play a roll.")] = 100
    total_max_cents: Annotated[Cents, Meta(description="Maximum a seat may have on the felt.")] = 1_000_000
    limits: Limits = Limits()
    bet_limits: Annotated[
        dict[str, OtherLimits], Meta(description="Limits of single bets or families, by id, if they differ.")
    ] = {}
    payout_unit_cents: Annotated[
        int, Meta(ge=1, le=10_000, description="Payments are rounded down to this; the rest is breakage.")
    ] = 1
    denominations: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=10_000)], ...],
        Meta(
            min_length=1,
            max_length=8,
            description="Value of one credit in cents. With several, the player chooses; the first is the default.",
        ),
    ] = (1,)
    chips_cents: Annotated[
        tuple[Cents, ...],
        Meta(
            min_length=7,
            max_length=7,
            description="Chip rack at the first denomination; the player can set the last chip.",
        ),
    ] = (100, 500, 1_000, 2_500, 10_000, 50_000, 600)
    bills_cents: Annotated[
        frozenset[Literal[100, 200, 500, 1_000, 2_000, 5_000, 10_000]],
        Meta(min_length=1, description="Bills that the acceptors take, in cents. They return all others."),
    ] = frozenset((100, 200, 500, 1_000, 2_000, 5_000, 10_000))
    touch_adds: Annotated[
        Literal["selected", "initial"],
        Meta(description="A touch on a stack adds the selected chip, or its first amount (RTW 6.1.1)."),
    ] = "selected"
    credit_meter: Annotated[
        Literal["free", "total"],
        Meta(description="Credit shows money that is not bet (RTW, STW), or also the money on the felt (IB 5.1)."),
    ] = "free"
    cash_out: Annotated[
        Literal["felt_empty", "credit"],
        Meta(description="Cash out only with an empty felt (IB), or the credit at any time (RTW, STW)."),
    ] = "felt_empty"
    hand_pay_over_cents: Annotated[Cents, Meta(description="Payouts above this are paid by hand.")] = 300_000
    ticket_expiry_days: Annotated[int, Meta(ge=1, le=3650, description="How long a ticket is valid.")] = 180
    reserve_minutes: Annotated[int, Meta(ge=1, le=60, description="How long a seat may be reserved.")] = 5

    # Side games (RULES 9)
    lucky_roller: LuckyRoller = LuckyRoller()
    bonus_craps: BonusCraps = BonusCraps()
    hot_shooter: HotShooter = HotShooter()
    lucky_shooter: LuckyShooter = LuckyShooter()
    make_em_all: Progressive = make_em_all.DEFAULT
    fired_up: Progressive = fired_up.DEFAULT
    more: Annotated[dict[str, Any], INLINE] = msgspec.field(default_factory=lambda: dict(_more({})))
    """The settings of other side games, by name. Those above have fields, because journals store them so."""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "more", dict(_more(self.more)))

    @property
    def sides(self) -> dict[str, SideSettings]:
        """The settings of every side game of the registry."""
        return {name: self.more[name] if name in self.more else getattr(self, name) for name in REGISTRY}

    def with_sides(self, changed: Mapping[str, SideSettings]) -> Game:
        """The game with these settings of side games."""
        own = {name: side for name, side in changed.items() if name not in self.more}
        later = {name: changed.get(name, side) for name, side in self.more.items()}
        return msgspec.structs.replace(self, more=later, **own)

    @property
    def point_numbers(self) -> tuple[int, ...]:
        return SIX_POINTS if self.points == "six" else TEN_POINTS

    def side_games(self) -> dict[str, SideSettings]:
        """The side games that this game can have, on or off."""
        six = self.points == "six"
        return {name: side for name, side in self.sides.items() if six or not REGISTRY[name].six_points}

    def offers(self, bet: Bet) -> bool:
        """Whether a bet of the catalogue is on offer; odds go with their flat bet (RULES 2)."""
        if bet.side:
            side = self.sides[bet.family]
            return side.on and (not bet.part or bet.part in getattr(side, "bets", ()))
        return bet.family in self.bets and not {bet.id, bet.flat} & self.leave_out

    def limits_of(self, bet: Bet) -> Limits:
        """How much a seat may have on a bet: the limits of the game or side game, with the differences for the
        bet's family and for the bet. A progressive takes exactly its base unit. Odds are limited by their policy;
        their minimum is the step (ruling 15)."""
        side = self.sides[bet.family] if bet.side else None
        if isinstance(side, Progressive):
            return Limits(min_cents=side.base_cents, max_cents=side.base_cents, step_cents=side.base_cents)
        limits = side.limits if isinstance(side, FreeStake) else self.limits
        for key in (bet.family, bet.id):
            if other := self.bet_limits.get(key):
                changes = {k: v for k, v in msgspec.structs.asdict(other).items() if v is not None}
                limits = msgspec.structs.replace(limits, **changes)
        if bet.flat:
            return Limits(min_cents=limits.step_cents, max_cents=self.total_max_cents, step_cents=limits.step_cents)
        return limits

    def chips_at(self, denomination_cents: int) -> tuple[int, ...]:
        """The chip rack at a denomination: chips are set for the first one and scale (ruling 47)."""
        return tuple(chip * denomination_cents // self.denominations[0] for chip in self.chips_cents)

    def pay_table(self, kind: str) -> PayTable:
        """The pay table that this game chose for a kind (a file in `paytables/`)."""
        return pay_tables(kind)[value_of(self, paytable_keys()[kind])]

    def pay_rows(self) -> dict[str, PayRow]:
        rows = {**self.pay_table("main").rows, **self.pay_table("big_small").rows, **MORE_ROWS}
        slots = {"field": "field"} | {name: side.slots or name for name, side in REGISTRY.items()}
        for kind, stem in slots.items():
            rows |= {f"{stem}.{name}": row for name, row in self.pay_table(kind).rows.items()}
        return rows

    def progressives(self) -> dict[str, Progressive]:
        """The side games with a meter, on or off."""
        return {name: side for name, side in self.sides.items() if isinstance(side, Progressive)}

    def progressive(self, name: str) -> Progressive:
        return self.progressives()[name]

    def meter(self, progressive: str) -> str:
        """The key of a progressive's meter: name, base and pay table (ruling 38).

        >>> from stickman.rules.settings import load
        >>> load("craps").meter("make_em_all")
        'make_em_all/100/MEA-01'
        """
        side = self.progressive(progressive)
        return f"{side.meter}/{side.base_cents}/{side.paytable}"

    def meter_terms(self, progressive: str) -> MeterTerms:
        """The terms of a progressive's meter in this game."""
        side = self.progressive(progressive)
        return MeterTerms(
            seed_cents=self.seed_cents(progressive),
            increment_bp=side.increment_bp,
            reserve_bp=side.reserve_bp,
            cap_cents=side.cap_cents,
            winners=side.winners,
        )

    def seed_cents(self, progressive: str) -> int:
        """The reset value of a progressive's meter, for a $1 base wager."""
        return self.progressive(progressive).seed_cents or self.pay_table(progressive).seed_cents

    def reset_cents(self, progressive: str) -> int:
        """The reset value of a progressive's meter, in cents."""
        return self.meter_terms(progressive).reset_cents(self.progressive(progressive).base_cents)

    def commission_of(self, family: str) -> Commission | None:
        return {"buy": self.buy, "lay": self.lay}.get(family)

    def odds_policy(self, flat: str) -> tuple[str, str]:
        """The odds policy of a flat bet, and whether it limits stake or win."""
        if flat in ("pass", "come"):
            return self.odds.take, "stake"
        return self.odds.lay, self.odds.dont_pass_limit if flat == "dont_pass" else self.odds.dont_come_limit

    def power_table(self) -> PowerTable | None:
        return power_tables()[self.power_odds.chart] if self.power_odds.on else None

    def fingerprint(self) -> str:
        """SHA-256 over every setting and every pay row in play. The same choices give the same fingerprint on any
        machine, regardless of the order of keys; a change of pay gives a new one."""
        offered = [bet for bet in catalogue(self) if self.offers(bet)]
        slots = set[str]().union(*(rows_of(bet.machine) for bet in offered))
        power, rows = self.power_table(), self.pay_rows()
        tables = {name: self.pay_table(name) for name, side in self.sides.items() if side.on}
        playing = {
            "game": self._plain(),
            "odds": {name: odds_table(name) for name in (self.odds.take, self.odds.lay)},
            "rows": {name: row for name, row in rows.items() if name in slots},
            "power_odds": {name: row for name, row in power.rows.items() if name in slots} if power else None,
            "tables": {name: (table.sequences, table.seed_cents) for name, table in tables.items()},
        }
        return hashlib.sha256(msgspec.json.encode(playing, enc_hook=to_text, order="sorted")).hexdigest()

    def _plain(self) -> dict[str, Any]:
        """The settings as they were first written: a later one is left out while it has its default, so that the
        games of today keep their fingerprints."""
        settings: dict[str, Any] = msgspec.to_builtins(self, enc_hook=to_text, order="sorted")
        defaults = Game(name=self.name, title=self.title)
        for key in LATER:
            if value_of(self, key) == value_of(defaults, key):
                *groups, name = key.split(".")
                del reduce(getitem, groups, settings)[name]
        return settings


def _more(settings: Mapping[str, Any]) -> Iterator[tuple[str, SideSettings]]:
    """Settings of side games that are not fields of `Game`: read from a journal by their schema, or their
    defaults."""
    for name, side in REGISTRY.items():
        if name not in Game.__struct_fields__:
            value = settings.get(name, side.default)
            yield name, value if isinstance(value, SideSettings) else msgspec.convert(value, type(side.default))


def paytable_keys() -> dict[str, str]:
    """By kind of pay table: the setting that names the one in play."""
    main = {"main": "paytable", "field": "field", "big_small": "big_small"}
    return main | {name: f"{name}.paytable" for name in REGISTRY}


def value_of(game: Game, key: str) -> Any:
    return value_at(game, key.split("."))


def value_at(game: Game, path: Sequence[str]) -> Any:
    """The value of the setting at this path; a name may contain dots."""
    value: Any = game.more if path[0] in game.more else game
    for name in path:
        value = value.get(name) if isinstance(value, dict) else getattr(value, name, None)
    return value
