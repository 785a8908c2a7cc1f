"""What is printed on tickets and receipts, in each language, and amounts in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

from msgspec import Struct

Language = Literal["en", "es", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
SlipKind = Literal["cash_out", "tip", "hand_pay", "credit"]
CENTS_MAX = 10**15


class PaperWords(Struct, frozen=True, kw_only=True):
    """The words of one language."""

    titles: dict[SlipKind, str]
    signers: dict[SlipKind, tuple[str, str, str]]
    """Who signs each kind of receipt."""
    receipt_only: str
    copy_only: str
    test_only: str
    printed: str
    table: str
    seat: str
    ticket: str
    receipt: str
    expires: str


WORDS: dict[Language, PaperWords] = {
    "en": PaperWords(
        titles={
            "cash_out": "CASH OUT TICKET",
            "tip": "TIP TICKET",
            "hand_pay": "HAND PAY RECEIPT",
            "credit": "CREDIT RECEIPT",
        },
        signers={
            "hand_pay": ("Paid by", "Witness", "Received by"),
            "credit": ("Taken by", "Witness", "Given by"),
        },
        receipt_only="A receipt: it cannot be redeemed.",
        copy_only="A copy: it cannot be redeemed.",
        test_only="A test page: it is worth nothing.",
        printed="PRINTED",
        table="TABLE",
        seat="SEAT",
        ticket="TICKET",
        receipt="RECEIPT",
        expires="VOID AFTER",
    ),
    "es": PaperWords(
        titles={
            "cash_out": "TIQUE DE COBRO",
            "tip": "TIQUE DE PROPINA",
            "hand_pay": "RECIBO DE PAGO MANUAL",
            "credit": "RECIBO DE CRÉDITO",
        },
        signers={
            "hand_pay": ("Pagado por", "Testigo", "Recibido por"),
            "credit": ("Recibido por", "Testigo", "Entregado por"),
        },
        receipt_only="Es un recibo: no se puede cobrar.",
        copy_only="Es una copia: no se puede cobrar.",
        test_only="Es una página de prueba: no vale nada.",
        printed="IMPRESO",
        table="MESA",
        seat="PUESTO",
        ticket="TIQUE",
        receipt="RECIBO",
        expires="VÁLIDO HASTA",
    ),
    "zh": PaperWords(
        titles={"cash_out": "兑现票券", "tip": "小费票券", "hand_pay": "人工支付收据", "credit": "记入余额收据"},
        signers={"hand_pay": ("支付人", "见证人", "收款人"), "credit": ("收款人", "见证人", "付款人")},
        receipt_only="此为收据，不可兑现。",
        copy_only="此为副本，不可兑现。",
        test_only="此为测试页，没有价值。",
        printed="打印时间",
        table="桌号",
        seat="座位",
        ticket="票券",
        receipt="收据",
        expires="有效期至",
    ),
}


# --- Amounts in words ---


def in_words(cents: int, language: Language = "en") -> str:
    """
    >>> in_words(12345)
    'One hundred twenty-three dollars and 45 cents'
    >>> in_words(100), in_words(1)
    ('One dollar and no cents', 'No dollars and 1 cent')
    >>> in_words(12345, "es"), in_words(2_000_000_00, "es")
    ('Ciento veintitrés dólares con 45/100', 'Dos millones de dólares con 00/100')
    >>> in_words(12345, "zh"), in_words(100_500, "zh")
    ('美元壹佰贰拾叁元肆角伍分', '美元壹仟零伍元整')
    """
    assert 0 <= cents < CENTS_MAX, cents
    text = SPELLED[language](*divmod(cents, 100))
    return text[0].upper() + text[1:]


UNITS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
THOUSANDS = ("", " thousand", " million", " billion", " trillion")


def _english(whole: int, part: int) -> str:
    groups, left = [], whole
    for scale in THOUSANDS:
        left, below = divmod(left, 1000)
        groups += [_below_thousand(below) + scale] if below else []
    spelled = " ".join(reversed(groups)) or UNITS[0]
    return f"{spelled} dollar{'' if whole == 1 else 's'} and {part or 'no'} cent{'' if part == 1 else 's'}"


def _below_thousand(value: int) -> str:
    hundreds, rest = divmod(value, 100)
    tens, units = divmod(rest, 10)
    words = [f"{UNITS[hundreds]} hundred"] if hundreds else []
    if 0 < rest < 20:
        words.append(UNITS[rest])
    elif rest:
        words.append(TENS[tens] + (f"-{UNITS[units]}" if units else ""))
    return " ".join(words)


UNIDADES = (
    *("cero", "un", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce"),
    *("trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiún"),
    *("veintidós", "veintitrés", "veinticuatro", "veinticinco", "veintiséis", "veintisiete", "veintiocho"),
    "veintinueve",
)
DECENAS = ("", "", "", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa")
CENTENAS = (
    *("", "ciento", "doscientos", "trescientos", "cuatrocientos", "quinientos", "seiscientos", "setecientos"),
    *("ochocientos", "novecientos"),
)
SCALES = ((10**12, "un billón", "billones"), (10**6, "un millón", "millones"), (1000, "mil", "mil"))


def _spanish(whole: int, part: int) -> str:
    of = "de " if whole and whole % 10**6 == 0 else ""
    return f"{_cardinal(whole)} {of}{'dólar' if whole == 1 else 'dólares'} con {part:02}/100"


def _cardinal(value: int) -> str:
    """A whole number before a masculine noun."""
    for scale, one, several in SCALES:
        many, rest = divmod(value, scale)
        if many:
            first = one if many == 1 else f"{_cardinal(many)} {several}"
            return f"{first} {_cardinal(rest)}" if rest else first
    hundreds, rest = divmod(value, 100)
    if hundreds:
        return "cien" if value == 100 else f"{CENTENAS[hundreds]} {_cardinal(rest)}" if rest else CENTENAS[hundreds]
    if value < 30:
        return UNIDADES[value]
    tens, units = divmod(value, 10)
    return DECENAS[tens] + (f" y {UNIDADES[units]}" if units else "")


DIGITS = "零壹贰叁肆伍陆柒捌玖"
PLACES = ("", "拾", "佰", "仟")
MYRIADS = ("", "万", "亿", "万亿")


def _chinese(whole: int, part: int) -> str:
    """The capital figures of cheques, which nobody can turn into others."""
    jiao, fen = divmod(part, 10)
    small = (DIGITS[jiao] + "角" if jiao else "零" if part else "") + (DIGITS[fen] + "分" if fen else "")
    return f"美元{_capitals(whole)}元{small or '整'}"


def _capitals(whole: int) -> str:
    text, gap = "", False
    for power in range(len(str(whole)) - 1, -1, -1):
        digit = whole // 10**power % 10
        if digit:
            text += ("零" if gap else "") + DIGITS[digit] + PLACES[power % 4]
        gap = not digit
        if power % 4 == 0 and whole // 10**power % 10**4:
            text += MYRIADS[power // 4]
    return text or DIGITS[0]


SPELLED: dict[Language, Callable[[int, int], str]] = {"en": _english, "es": _spanish, "zh": _chinese}
