"""Refusals: a code for programs, a sentence for people."""

from __future__ import annotations

import enum
from typing import Self


class Spoken(enum.Enum):
    """Reasons for a refusal, in the order in which they are checked."""

    says: str

    def __new__(cls, name: str, says: str) -> Self:
        member = object.__new__(cls)
        member._value_ = name
        member.says = says
        return member

    def in_full(self, detail: str = "") -> str:
        """The sentence, with a detail if there is one."""
        return f"{self.says[:-1]}: {detail}." if detail else self.says
