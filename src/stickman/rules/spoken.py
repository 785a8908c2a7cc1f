"""Refusals: a code for programs, a sentence for people."""

from __future__ import annotations

import enum
from typing import Self

from msgspec import Struct

from stickman.rules.money import dollars

Value = int | str | tuple[int | str, ...]
NAMES = ("role", "doors", "parts", "faults", "devices")
"""Values that are names of ours, which the sentence has as words."""


class Spoken(enum.Enum):
    """Reasons for a refusal, in the order in which they are checked."""

    says: str

    def __new__(cls, name: str, says: str) -> Self:
        member = object.__new__(cls)
        member._value_ = name
        member.says = says
        return member

    def in_full(self, detail: str | Detailed = "") -> str:
        """The sentence, with a detail if there is one."""
        return f"{self.says[:-1]}: {detail}." if detail else self.says


class Detail(Spoken):
    """The details of refusals, with their values in braces. Screens have them in each language."""

    BETS = "bets", "{bets}"
    BUTTON = "button", "{button}"
    SEATS = "seats", "seats 1 to {seats}"
    PHASE = "phase", "{phase}"
    BETS_CLOSED = "bets_closed", "bets are closed"
    GAME_MODE = "game_mode", "the game is {mode}"
    LOCKUPS = "lockups", "{lockups}"
    NOBODY_SHOOTS = "nobody_shoots", "nobody shoots"
    SEAT_SHOOTS = "seat_shoots", "seat {seat} shoots"
    NO_LIVE_WAGER = "no_live_wager", "there is no wager"
    GENERATED = "generated", "only dice that a dealer entered can be wrong"
    DICE_FAULT = "dice_fault", "{fault}"
    SHORT_BY = "short_by", "short by {cents}"
    CREDIT_IS = "credit_is", "credit is {cents}"
    NO_CREDIT = "no_credit", "there is no credit"
    NO_HAND_PAY = "no_hand_pay", "no hand pay is due"
    BILLS = "bills", "bills are {cents}"
    TICKET = "ticket", "{number}"
    PRINTERS = "printers", "at seat {seats}"
    CLOSE_DOORS = "close_doors", "first close its doors ({doors})"
    END_FAULTS = "end_faults", "first repair the {parts} ({faults})"
    SETTLE_DEVICES = "settle_devices", "first two people must settle the {devices} in the office"
    SETTING = "setting", "{file}: {key}: found {found}; allowed: {allowed}"
    LOCK_FORBIDS = "lock_forbids", "{found}"
    METER_DIFFERS = "meter_differs", "{found}"
    SEATS_FIXED = "seats_fixed", "the number of seats cannot change while the table runs"
    CREDITS_FIRST = "credits_first", "credits must be paid out before the denominations change"
    MOVES_EDGE = "moves_edge", "the setting may change the house's edge"
    ASKED_BY = "asked_by", "{who}"
    ROLE_OR_ABOVE = "role_or_above", "{role} or above"
    NOT_AT_CONSOLE = "not_at_console", "not at the console"
    WAIT = "wait", "{seconds} s"
    NAME = "name", "{name}"
    PLACE = "place", "{screen}, table {table}, seat {seat}"
    PASSWORD_LENGTH = "password_length", "it has {found} characters; allowed: {least} to {most}"
    PASSWORD_COMMON = "password_common", "too much of it is common words, runs or repetitions"
    TABLE = "table", "table {table}"
    TABLE_NOT_SERVED = "table_not_served", "table {table} is not served here"
    AMOUNT_RANGE = "amount_range", "{cents}; allowed: {least_cents} to {most_cents}"
    AT_SEAT = "at_seat", "at table {table} seat {seat} by {who}"
    AT_CAGE = "at_cage", "at the cage by {badge}"

    def __call__(self, **values: Value) -> Detailed:
        return Detailed(self, values)


class Detailed(Struct, frozen=True):
    """A detail and its values."""

    key: Detail
    values: dict[str, Value] = {}

    def __str__(self) -> str:
        """In English.

        >>> str(Detail.SHORT_BY(cents=700))
        'short by $7.00'
        """
        return self.key.says.format_map({name: _written(name, value) for name, value in self.values.items()})


def _written(name: str, value: Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(_written(name, each) for each in value)
    if name.endswith("cents"):
        return dollars(int(value))
    return str(value).replace("_", " ") if name in NAMES else str(value)
