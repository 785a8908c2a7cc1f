"""Tickets for the printer of a terminal: the same words as on a page of `paper/ticket`, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from stickman.devices.escpos import PrinterSlip, SlipLine
from stickman.paper.figures import dollars
from stickman.paper.ticket import Slip, grouped
from stickman.paper.ticket_words import WORDS, Language, in_words


def ticket_slip(slip: Slip, *, copy: bool = False) -> PrinterSlip:
    """A ticket. Its number comes last, as a barcode with digits below, and nowhere above: paper that ends before
    has no number (`devices/printer`). A copy has no barcode, so that no acceptor can read it."""
    words = WORDS[slip.language]

    def lines() -> Iterator[SlipLine]:
        yield SlipLine(slip.place, "heading")
        if copy:
            yield SlipLine(words.copy_only, "heading")
        yield SlipLine(words.titles[slip.kind], "title")
        if copy:
            yield SlipLine(grouped(slip.number))
        yield SlipLine(in_words(slip.cents, slip.language))
        yield SlipLine(dollars(slip.cents), "amount")
        yield SlipLine(words.printed, "pair", slip.printed)
        yield from _where(slip.table, slip.seat, slip.language)
        if slip.count:
            yield SlipLine(words.ticket, "pair", f"{slip.count:04}")
        if slip.expires:
            yield SlipLine(words.expires, "pair", slip.expires)

    return PrinterSlip(lines=tuple(lines()), number="" if copy else slip.number, language=slip.language)


def worthless_slip(place: str, table: str, seat: int, language: Language) -> PrinterSlip:
    """A page that shows that a printer works."""
    lines = (
        SlipLine(place, "heading"),
        SlipLine(WORDS[language].test_only),
        *_where(table, seat, language),
    )
    return PrinterSlip(lines=lines, language=language)


def _where(table: str, seat: int, language: Language) -> tuple[SlipLine, SlipLine]:
    words = WORDS[language]
    return SlipLine(words.table, "pair", table), SlipLine(words.seat, "pair", str(seat))
